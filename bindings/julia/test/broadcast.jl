# SPDX-License-Identifier: MIT
# broadcast.jl: fusion, shapes, functions of the user, errors of tracing.

x = rand(Float32, 4, 5) .- 0.5f0
a = ArrArray(x)

@testset "fusion" begin
    b = similar(a)
    formula(b, a) = (b .= sin.(a) .+ 2 .* max.(a, 0.5f0))
    formula(b, a)                                               # its expression is kept: see plans.jl
    live = Arr.LibArr.arr_live_objects()
    formula(b, a)
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
    @test Array(a .+ (1:4)) == x .+ (1:4)
    @test Array(c .* (1, 2, 3, 4)) == column .* (1, 2, 3, 4)
    @test Array(map(+, c, 1:4)) == column .+ (1:4)
    @test_throws DimensionMismatch a .+ (1:3)
    @test Array(a .+ (1:5)') == x .+ (1:5)' && Array(c .+ Ref(2)) == column .+ 2 && Array(c .+ LinearIndices(column)) == column .+ (1:4)
    z = Arr.fill(2.0)
    @test z .+ 1 === 3.0
    @test Array(a .+ z) ≈ x .+ 2
end

@testset "masks and identities" begin
    column = rand(Float32, 4)
    c = ArrArray(column)
    host = [true, false, true, false]
    @test Array(c .* host) == column .* host && Array(ifelse.(host, c, 0f0)) == ifelse.(host, column, 0f0)
    @test Array(a .* (x .> 0)) == x .* (x .> 0) && Array(ifelse.(x .> 0, a, 0f0)) == max.(x, 0)   # a BitArray
    @test occursin("ArrArray(x)", thrown(() -> a .+ (x .* 2), ArgumentError))
    s = rand(3, 3)
    for (f, g) in ((m -> m .+ I, m -> m + I), (m -> I .- m, m -> I - m), (m -> m .* 2I, m -> m .* Matrix(2I, 3, 3)),
                   (m -> 2 .* m .+ 3I, m -> 2m + 3I))
        @test Array(f(ArrArray(s))) == g(s)
    end
    d = ArrArray(s)
    d .+= I
    @test Array(d) == s + I
    @test occursin("square", thrown(() -> a .+ I, DimensionMismatch))
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

# These functions choose by the elements' types, and a symbolic number has none of them.
by_float64(v::Float64) = 1.0
by_float64(v::Real) = 2.0
by_integer(v::Real) = v
by_integer(v::Integer) = -v
by_kind(::Bool) = 1
by_kind(::Signed) = 2
by_kind(::Unsigned) = 3
by_kind(::AbstractFloat) = 4
by_kind(::Complex) = 5
by_two(::Float64, ::Float64) = 1.0
by_two(::Real, ::Real) = 2.0
inside(v) = by_float64(v) + 1
of_tuple(v::Tuple{Float64,Int}) = 1.0
of_tuple(v::Tuple) = 2.0
keyword(v; k = 0) = by_float64(v) + k
varying(v, rest...) = by_float64(v) + length(rest)
parameter(::T) where {T} = T === Float64 ? 1.0 : 2.0
struct Scaled{T}
    factor::T
end
(s::Scaled{Float64})(v::Float64) = s.factor * v
(s::Scaled)(v) = -v
struct Pair2{T}
    x::T
    y::T
end
total(p::Pair2{Float64}) = p.x + p.y
total(p::Pair2) = zero(p.x)

@testset "dispatch of $name" for (name, f) in (
    ("Float64", by_float64), ("Integer", by_integer), ("kinds", by_kind), ("nested", inside), ("two", v -> by_two(v, 1.0)),
    ("two of one", v -> by_two(v, v)), ("tuple", v -> of_tuple((v, 2))), ("keyword", v -> keyword(v; k = 3)),
    ("splatted", v -> varying((v, 1, 2)...)), ("type parameter", parameter), ("callable", Scaled(2.0)),
    ("closure", v -> map(u -> by_float64(u) * v, (v, 1.0))[1]), ("generated struct", v -> total(Pair2(v, v))),
    ("isa", v -> v isa AbstractFloat ? 2v : v), ("isa Float64", v -> v isa Float64 ? 2v : v), ("typeof", v -> v + eps(float(typeof(v)))),
    ("oftype", v -> oftype(v, 2) * v), ("convert", v -> convert(Float64, v)), ("loop", v -> (s = zero(v); for i in 1:3; s += by_float64(v) * i; end; s)),
    ("ntuple", v -> sum(ntuple(i -> v * i, 3))), ("evalpoly", v -> evalpoly(v, (1, 2, 3))), ("named tuple", v -> (a = v, b = 1).a + 1),
    ("composed", by_float64 ∘ identity), ("constant", v -> 1.5), ("sum of a tuple", v -> sum((v, v, 1))),
    ("captured", (c -> v -> v * c)(3)), ("box", v -> (s = v; g = () -> (s = s + 1); g(); s)), ("mod1", v -> mod1(v, 2)),
    ("max of three", v -> max(v, 1, 2)), ("branch on a type", v -> v isa Integer && isodd(1) ? v + 1 : v))
    for T in (Float64, Float32, Int32, UInt8, Bool)
        x = T === Bool ? [true, false, true] : T[1, 2, 3]
        # A call that Base has no method for is the same error here.
        want = try
            [f(v) for v in x]
        catch e
            e isa Union{MethodError,InexactError} || rethrow()
            @test_throws Union{Arr.TraceError,InexactError} f.(ArrArray(x))
            continue
        end
        got = f.(ArrArray(x))
        @test Array(got) == want
        @test eltype(got) === eltype(want)
    end
end
@testset "dispatch on complex numbers" begin
    z = [1.0 + 2im, 3.0 - 1im]
    for f in (by_kind, v -> v isa Complex ? v : -v, v -> v.re + v.im, v -> sum(reim(v)))
        @test Array(f.(ArrArray(z))) == f.(z)
    end
    @test occursin("<", thrown(() -> ArrArray(z) .< 1, Arr.TraceError))
end
@testset "methods defined later" begin
    @eval later(v::Real) = 1.0
    @test Array(later.(ArrArray([1.0]))) == [1.0]
    @eval later(v::Float64) = 2.0
    @test Array(later.(ArrArray([1.0]))) == [2.0]
end

function stepped(v)
    s = zero(v)
    for k in 1:3
        v > k && (s += v)
    end
    s
end
guarded(v) = v < 0 ? throw(DomainError(v, "below zero")) : sqrt(v)
const NOTES = Ref(0)
note_one() = NOTES[] += 1
of_nothing(k) = 2.0k
@testset "branches on elements: $name" for (name, f) in (
    ("one", v -> v > 0 ? v : -v), ("constants", v -> v > 1 ? 1 : 0), ("chain", v -> -1 < v < 2), ("and", v -> v > 0 && v < 2),
    ("or", v -> v > 2 || v < -2), ("if", v -> (r = v; if v < 0; r = v + v; elseif v > 2; r = v - one(v); end; r)), ("loop", stepped),
    ("nested", v -> abs(v > 0 ? stepped(v) : v)), ("tuples", v -> v > 0 ? (v, 1) : (-v, 2)), ("complex", v -> v > 0 ? complex(float(v), 1) : complex(1, float(v))),
    ("isapprox", v -> v ≈ 2), ("digits", v -> round(v; digits = 1)), ("early return", v -> (v > 1 && return v * v; v < -1 && return -v; v)),
    ("types", v -> v isa Integer ? v : v > 0 ? v : zero(v)), ("exception not taken", v -> v > -100 ? v : error("no")),
    ("conversion not taken", v -> isinteger(v) ? unsafe_trunc(Int, v) : 0), ("checked conversion", v -> isinteger(v) ? Int(v) : 7))
    for T in (Float64, Float32, Int32)
        x = T <: Integer ? T[-3, -1, 0, 1, 2, 3] : T[-3.25, -1, -0.0, 0.5, 1.26, 2, 7]
        want, got = f.(x), f.(ArrArray(x))
        @test isequal(Array(got), want) && eltype(got) === eltype(want)
    end
end
@testset "exceptions in branches" begin
    @test Array(guarded.(ArrArray([4.0, 9]))) == [2, 3]
    e = try guarded.(ArrArray([4.0, -9, 1])) catch e; e end
    @test e isa DomainError && e.val === -9.0
    @test_throws ErrorException (v -> v > 3 ? error("large") : v).(ArrArray([1.0, 4.0]))
    @test_throws InexactError (v -> v > 1 ? Int(v) : 0).(ArrArray([1.0, 1.5]))
    @test Array((v -> v > 1 ? 0 : Int(v)).(ArrArray([1.0, 1.5]))) == [1, 0]
    indices, list = ArrArray([1, 2, 9, 3]), ArrArray([10.0, 20, 30])
    @test Array((i -> i > 3 ? 0.0 : list[i]).(indices)) == [10, 20, 0, 30]
    @test Array((i -> i <= 3 && i > 1 ? list[i] - list[i-1] : 0.0).(indices)) == [0, 10, 0, 10]
    @test sum(v -> v > 0 ? v : zero(v), ArrArray([1.0, -2, 3])) == 4
    @test count(v -> 0 < v < 3, ArrArray([1.0, -2, 3])) == 1
end

@testset "what cannot be traced" begin
    newton(v) = (r = v; while abs(r * r - v) > 1e-3; r = (r + v / r) / 2; end; r)
    outer(v) = newton(v)
    text(v) = string(v)
    unknown(v) = besselj_of_nobody(v)
    besselj_of_nobody(v::Float64) = v
    @test occursin("branches on elements more than 20 times", thrown(() -> newton.(a), Arr.TraceError))
    @test occursin("text", thrown(() -> text.(a), Arr.TraceError))
    @test occursin("besselj_of_nobody", thrown(() -> unknown.(a), Arr.TraceError))
    @test occursin("ArrArray(x)", thrown(() -> a .+ x, ArgumentError))
    @test occursin("catches", thrown(() -> (v -> try; v; catch; v; end).(a), Arr.TraceError))
    @test occursin("arrayset", thrown(() -> (v -> sum([v, v])).(a), Arr.TraceError))
    @test occursin("===", thrown(() -> (v -> v === 1f0).(a), Arr.TraceError))
    @test occursin("20 times, in newton", thrown(() -> outer.(a), Arr.TraceError))
    list, counter = Float64[], Ref(0)
    @test occursin("push!", thrown(() -> (v -> (v > 0 && push!(list, 1.0); v)).(a), Arr.TraceError)) && isempty(list)
    @test occursin("in a branch", thrown(() -> (v -> (v > 0 && (counter[] += 1); v)).(a), Arr.TraceError)) && counter[] == 0
    @test occursin("setfield!", thrown(() -> (v -> (s = 0; g() = (s += 1); v > 0 && g(); v + s)).(a), Arr.TraceError))
    @test occursin("setindex!", thrown(() -> (v -> (v > 0 && note_one(); v)).(a), Arr.TraceError)) && NOTES[] == 0
    @test Array((v -> v > 0 ? of_nothing(1) : 0.0).(ArrArray([1.0, -1]))) == [2, 0]
    @test occursin("gives a Nothing or a Float32", thrown(() -> (v -> v > 0 ? nothing : v).(a), Arr.TraceError))
    @test_throws InexactError ArrArray([1, 2]) .= ArrArray([1.5, 2.5])
    @test_throws InexactError ArrArray([1.0, 2.0]) .= ArrArray([1.0, 2im])
    @test Array(ArrArray([1, 2]) .= ArrArray([3.0, -4.0])) == [3, -4] && Array(copyto!(ArrArray(Int8[1]), ArrArray([5.0 + 0im]))) == [5]
    @test works()
end

@testset "other results" begin
    steep(v) = try; v; catch; 0; end
    @test occursin("function steep", thrown(() -> steep.(a), Arr.TraceError)) && occursin("ifelse(", thrown(() -> steep.(a), Arr.TraceError))
    # Statements that this version does not know are refused, whatever they may mean.
    m = first(methods(steep))
    w = Arr.Walk(Arr.Code(m, Arr.lowered_code(m), Core.svec()), Any[], Any[], Arr.Level(0, false))
    for unknown in (Expr(:leave, 1), Expr(:statement_of_tomorrow), Core.PiNode(1, Int), Core.PhiNode(Any[], Any[]))
        @test occursin("its code has a ", thrown(() -> Arr.value_of(w, unknown), Arr.TraceError))
    end
    text = thrown(() -> (x -> [x]).(ArrArray([1.0])), Arr.TraceError)
    @test occursin("arrayset", text) && !occursin("Sym", text)
    @test !occursin("Sym", thrown(() -> (x -> x:3).(ArrArray([1.0])), Arr.TraceError))
end

@testset "arrays of several lengths end with the shortest" begin
    a, b = ArrArray([1, 2, 3]), ArrArray([10, 20])
    @test Array(map(+, a, b)) == map(+, [1, 2, 3], [10, 20])
    @test Array(map(+, b, ArrArray([1 2; 3 4]))) == map(+, [10, 20], [1 2; 3 4])
    @test Array(map!(+, ArrArray(zeros(3)), a, b)) == [11, 22, 0] && Array(map!(-, copy(b), a)) == [-1, -2]
    @test Array(map!(+, copy(a), a, 1:3)) == [2, 4, 6] && Array(map!(+, copy(a), b, 1:2)) == [11, 22, 3]
    m = ArrArray(zeros(2, 3))
    @test Array(map!(+, transpose(m), a, a)) == [2 0; 4 0; 6 0] && Array(m) == [2 4 6; 0 0 0]
    bc = Base.broadcasted(+, a, 1)
    @test size(similar(bc, Float64, (2, 2))) == (2, 2) && size(similar(bc, Float64, axes(bc))) == (3,)
end
