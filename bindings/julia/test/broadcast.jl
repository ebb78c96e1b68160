# SPDX-License-Identifier: MIT
# broadcast.jl: fusion, shapes, functions of the user, what cannot be traced.

x = rand(Float32, 4, 5) .- 0.5f0
a = ArrArray(x)

@testset "fusion" begin
    b = similar(a)
    live = Arr.LibArr.arr_live_objects()
    b .= sin.(a) .+ 2 .* max.(a, 0.5f0)
    @test Arr.LibArr.arr_live_objects() == live                 # one program, no temporary arrays
    @test Array(b) ≈ sin.(x) .+ 2 .* max.(x, 0.5f0)
    @test eltype(sin.(a) .+ 2 .* max.(a, 0.5f0)) === Float32
    text = Arr.program(v -> sin(v) + 2 * max(v, 0.5f0), a)
    @test occursin("sin", text) && occursin("maximum", text) && occursin("in0", text)
    calls = Ref(0)
    counted(v) = (calls[] += 1; v + 1)
    @test Array(counted.(a)) ≈ x .+ 1
    @test calls[] == 1
    a2 = copy(a)
    a2 .+= a2 .* a2
    @test Array(a2) ≈ x .+ x .* x
    view(a2, :, 2) .= 1
    @test Array(a2)[:, 2] == ones(4)
end

@testset "shapes" begin
    row, column, third = rand(Float32, 1, 5), rand(Float32, 4), rand(Float32, 4, 5, 3)
    r, c, t = map(ArrArray, (row, column, third))
    @test Array(a .+ r) == x .+ row
    @test Array(a .+ c) == x .+ column
    @test Array(c .* r) == column .* row
    @test Array(t .- a) == third .- x
    @test Array(t .- c) == third .- column
    @test Array(c' .+ c) == column' .+ column
    @test_throws DimensionMismatch a .+ ArrArray(rand(5))
    @test_throws DimensionMismatch (copy(c) .= a)
    z = Arr.fill(2.0)
    @test z .+ 1 === 3.0
    @test Array(a .+ z) ≈ x .+ 2
end

@testset "functions" begin
    relu(v) = Arr.ifelse(v > 0, v, zero(v))
    poly(v) = 3v^2 - 2v + 1
    scale = 2.5f0
    @test Array(relu.(a)) == max.(x, 0)
    @test Array(poly.(a)) ≈ poly.(x)
    @test Array(map(v -> v * scale, a)) == x .* scale
    @test Array(map(muladd, a, a, a)) ≈ x .* x .+ x
    @test Array(ifelse.(a .> 0, a, 0)) == ifelse.(x .> 0, x, 0f0)
    @test Array(clamp.(a, -0.1f0, 0.1f0)) == clamp.(x, -0.1f0, 0.1f0)
    @test Array(Float64.(a)) == Float64.(x)
    @test Array(trunc.(10 .* a)) == trunc.(10 .* x)
    @test Array(abs2.(a)) ≈ abs2.(x)
    @test Array(inv.(a)) ≈ inv.(x)
    @test Array(log2.(abs.(a))) ≈ log2.(abs.(x)) rtol = 1e-5
    @test Array((v -> π * v).(a)) ≈ π .* x
    i = ArrArray([-7, 7, -8, 8])
    @test Array(rem.(i, 3)) == rem.([-7, 7, -8, 8], 3)
    @test Array(div.(i, 3)) == div.([-7, 7, -8, 8], 3)
    @test Array(div.(i, -3)) == div.([-7, 7, -8, 8], -3)
    @test Array(mod.(i, 3)) == mod.([-7, 7, -8, 8], 3)
    @test Array(map!(sqrt, similar(a), abs.(a))) ≈ sqrt.(abs.(x))
    typed(v::Real) = v + 1
    @test Array(typed.(a)) == x .+ 1
    w = ArrArray(ComplexF32[1+2im, 3-4im])
    @test Array(conj.(w) .* w) ≈ [5, 25]
    @test Array(abs.(w)) ≈ Float32[sqrt(5), 5]
end

@testset "what cannot be traced" begin
    branch(v) = v > 0 ? v : -v
    text(v) = string(v)
    unknown(v) = besselj_of_nobody(v)
    besselj_of_nobody(v::Float32) = v
    @test occursin("branch", thrown(() -> branch.(a), Arr.TraceError))
    @test occursin("text", thrown(() -> text.(a), Arr.TraceError))
    @test occursin("besselj_of_nobody", thrown(() -> unknown.(a), Arr.TraceError))
    @test occursin("ArrArray(x)", thrown(() -> a .+ x, ArgumentError))
    @test occursin("within a kind", thrown(() -> ArrArray([1, 2]) .= ArrArray([1.5, 2.5]), Arr.DtypeError))
    @test works()
end
