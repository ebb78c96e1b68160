# SPDX-License-Identifier: MIT
# tuples.jl: broadcasts that give tuples, and complex numbers made of their parts.

x, y, n = [0.5, -1.5, 2.0, 7.25], Float32[1, -2, 3, 0.5], [7, -7, 3, 2]
a, b, k = ArrArray(x), ArrArray(y), ArrArray(n)

@testset "tuples of $name" for (name, f, over, host) in (
    ("one array", v -> (v, 2v), (a,), (x,)), ("three types", v -> (v, v > 1, 3), (a,), (x,)), ("names", v -> (low = v, high = v + 1), (a,), (x,)),
    ("tuples", v -> (v, (v + 1, v * v)), (b,), (y,)), ("five", v -> (v, 2v, 3v, 4v, 5v), (b,), (y,)), ("one", v -> (v,), (a,), (x,)),
    ("constants", v -> (1, 2.0), (a,), (x,)), ("sincos", sincos, (b,), (y,)), ("divrem", divrem, (k, 3), (n, 3)),
    ("fldmod", fldmod, (k, 3), (n, 3)), ("minmax", minmax, (a, b), (x, y)), ("tuple", tuple, (a, k), (x, n)),
    ("reim", reim, (a,), (x,)), ("two dimensions", tuple, (a, b'), (x, y')))
    want, got = f.(host...), f.(over...)
    @test got isa ArrTuples{eltype(want),ndims(want)}
    @test size(got) == size(want) && (Array(got) == want || all(map((u, v) -> all(u .≈ v), Array(got), want)))
    @test all(map((m, i) -> Array(m) ≈ map(t -> t[i], want), Tuple(Arr.unzip(got))[1:1], (1,)))
end

@testset "arrays of tuples" begin
    z = (v -> (s = v, t = 2v)).(a)
    @test collect(keys(Arr.unzip(z))) == [:s, :t] && Array(Arr.unzip(z).t) == 2x
    @test Array((v -> v.s + v.t).(z)) == 3x && Array(first.(z)) == x && Array(map(first, z)) == x
    @test Array(last.(minmax.(a, 0.0))) == max.(x, 0)               # one pass for both
    @test @allowscalar(z[2]) == (s = -1.5, t = -3.0) && Array(z[2:3]) == Array(z)[2:3] && Array(view(z, 1:2)) == Array(z)[1:2]
    @test occursin("allowscalar", thrown(() -> z[1], Arr.ScalarIndexingError))
    @test occursin("ArrTuples", sprint(show, MIME"text/plain"(), z)) && sprint(show, z) == sprint(show, Array(z))
    w = copy(z)
    w .= (v -> (v, v + 1)).(a)
    five = (v -> (v, v + 1, v + 2, v + 3, v + 4)).(a)
    five .= (v -> (v[5], v[1], v[2], v[3], v[4])).(five)                # in place, in two passes
    @test Array(five) == (v -> (v + 4, v, v + 1, v + 2, v + 3)).(x)
    five .= (v -> (v[2], 0, v[1], v[4], v[5])).(five)
    @test Array(five) == (v -> (v, 0.0, v + 4, v + 2, v + 3)).(x)
    @test Array(Arr.unzip(w).t) == x .+ 1 && w == w && w != z && z == Array(z)
    @test maximum(first, z) == 7.25 && sum(v -> v.s * v.t, z) == 2sum(abs2, x) && (mapreduce(last, min, z) === -3.0)
    @test_throws InexactError ((v -> (v, Int(v))).(a))
    @test occursin("member of the tuple", thrown(() -> (v -> (v, "text")).(a), Arr.TraceError))
    @test occursin("expected a number", thrown(() -> (similar(a) .= tuple.(a, a)), Arr.TraceError))
    @test occursin("Tuple{Float64,Float64}", thrown(() -> sum(v -> (v, v), a), Arr.TraceError))
    @test occursin("elements are of type", thrown(() -> (z .= a), Arr.TraceError))
    @test isempty(Array(tuple.(Arr.zeros(0), 1)))
    @test tuple.(Arr.fill(2.0), 1) === (2.0, 1)
    @test works()
end

@testset "complex numbers of their parts: $T" for T in (Float32, Float64)
    V = T[0, -0.0, 1, -2.5, Inf, -Inf, NaN]
    u, v = repeat(V; inner = length(V)), repeat(V; outer = length(V))
    c, d = ArrArray(u), ArrArray(v)
    alike(p, q) = eltype(p) === eltype(q) && isequal(real.(p), real.(q)) && isequal(imag.(p), imag.(q))
    for f in (complex, Complex, (p, q) -> Complex(q, p), (p, q) -> conj(complex(p, q)), (p, q) -> complex(p, 0))
        @test alike(Array(f.(c, d)), f.(u, v))
    end
    z = complex.(c, d)
    z .= complex.(imag.(z), real.(z))                               # each part of the other
    @test alike(Array(z), complex.(v, u))
    # Computed with, so that the parts have to meet in one number.
    @test alike(Array((p -> ifelse(true, complex(p, p), 0im)).(c)), complex.(u, u))
    @test alike(Array(map((p, q) -> -complex(p, q), c, d)), map((p, q) -> -complex(p, q), u, v))
    w = T[0.5, -1, 3]
    e = ArrArray(w)
    for f in (p -> exp(complex(zero(p), p)), cis, p -> abs(complex(p, 2p)), p -> complex(p, 1) * complex(1, p), p -> abs2(complex(p, p)))
        @test Array(f.(e)) ≈ f.(w) && eltype(f.(e)) === eltype(f.(w))
    end
    @test Array(complex.(e, 1)) == complex.(w, 1) && Array(complex.(1, e)) == complex.(1, w)
    @test Array(ComplexF32.(e, e)) == ComplexF32.(w, w) && Array(view(complex.(e, e), 2:3)) == complex.(w, w)[2:3]
    m = reshape(w, 1, 3) .+ w
    @test Array(complex.(ArrArray(m), e)) == complex.(m, w)
    @test sum(p -> complex(p, 1), e) ≈ sum(p -> complex(p, 1), w)
end
@testset "complex integers" begin
    @test occursin("Complex{Int64}", thrown(() -> complex.(k, k), Arr.TraceError))
    @test Array((v -> real(complex(v, 2v))).(k)) == n && Array((v -> complex(v, 2v).im).(k)) == 2n
end
