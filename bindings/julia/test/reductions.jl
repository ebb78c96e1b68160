# SPDX-License-Identifier: MIT
# reductions.jl: reductions against Julia's own, over everything and over dimensions.

@testset "$f of $T" for f in (sum, prod, maximum, minimum), T in (Int8, UInt8, Int64, Float16, Float64)
    x = T.(rand(1:3, 3, 4, 2))
    a = ArrArray(x)
    @test f(a) == f(x)
    @test typeof(f(a)) === typeof(f(x))
    for dims in (1, 3, (1, 3), (1, 2, 3))
        @test Array(f(a; dims = dims)) == f(x; dims = dims)
        @test eltype(f(a; dims = dims)) === eltype(f(x; dims = dims))
    end
    @test f(view(a, 3:-1:1, 2, :)) == f(x[3:-1:1, 2, :])
end

x = rand(5, 6)
a = ArrArray(x)
@testset "mapped" begin
    @test sum(abs2, a) ≈ sum(abs2, x)
    @test mapreduce(v -> 2v, +, a) ≈ 2sum(x)
    @test mapreduce(*, +, a, a) ≈ sum(abs2, x)
    @test Array(mapreduce(sqrt, max, a; dims = 1)) ≈ mapreduce(sqrt, max, x; dims = 1)
    @test reduce(+, a; init = 10.0) ≈ 10 + sum(x)
    @test reduce(max, ArrArray(Float64[]); init = -1.0) == -1
    @test reduce(+, ArrArray(Int8[100, 100])) === Int8(-56)
    @test mean(a) ≈ mean(x)
    @test Array(mean(a; dims = 2)) ≈ mean(x; dims = 2)
    @test mean(ArrArray([1, 2])) === 1.5
    @test extrema(a) == extrema(x)
    @test Array(sum!(Arr.zeros(5), a)) ≈ vec(sum(x; dims = 2))
    @test Array(maximum!(Arr.zeros(1, 6), a)) == maximum(x; dims = 1)
    @test occursin("hypot", thrown(() -> reduce(hypot, a), Arr.TraceError))
end

@testset "no array of the mapped values: $name" for (name, f) in (
    ("sum", v -> sum(abs2, v)), ("dims", v -> sum(abs2, v; dims = 1)), ("count", v -> count(u -> u > 0.5, v)), ("any", v -> any(u -> u > 2, v)),
    ("two arrays", v -> mapreduce(*, +, v, v)), ("maximum", v -> maximum(u -> -u, v)), ("mean", v -> mean(sqrt, v)),
    ("extrema", v -> extrema(u -> 1 - u, v)), ("init", v -> mapreduce(sqrt, +, v; init = 1.0)), ("dot", v -> dot(v, v)), ("row", v -> v'v),
    ("norm", norm), ("converted", v -> sum(u -> Float32(u), v)))
    big = rand(10^5)
    v = ArrArray(big)
    Arr.reset_peak_memory!()
    used = Arr.memory_info().in_use
    r = f(v)
    @test Arr.memory_info().peak - used < 2 * 10^5
    want = f(big)
    @test (r isa AbstractArray ? Array(r) ≈ want : all(r .≈ want)) && eltype(r) === eltype(want)
end
@testset "mapped to $T" for T in (Bool, Int8, UInt16, Float16, Float64, ComplexF32)
    y = T === Bool ? rand(Bool, 4, 3) : T.(rand(0:3, 4, 3))
    c = ArrArray(y)
    for f in (v -> v + v, v -> v == v, v -> 1.5f0), op in (+, *), dims in (:, 1)
        f(first(y)) isa Bool && op === (*) && continue               # Base gives Bool or Int
        want = mapreduce(f, op, y; dims = dims)
        got = mapreduce(f, op, c; dims = dims)
        @test (dims === (:) ? got ≈ want : Array(got) ≈ want) && eltype(got) === eltype(want)
    end
    T <: Complex && continue
    @test mapreduce(v -> v, max, c) === mapreduce(v -> v, max, y) && extrema(v -> -float(v), c) == extrema(v -> -float(v), y)
end
@testset "extremes of mapped zeros" begin
    for y in ([0.0, -0.0, -1.0], [-0.0, 0.0, 2.0], [NaN, -0.0], [-0.0, -0.0]), f in (maximum, minimum)
        c = ArrArray(y)
        @test isequal(f(v -> v, c), f(v -> v, y)) && isequal(Array(f(v -> -v, c; dims = 1)), f(v -> -v, y; dims = 1))
        @test isequal(Array(f(v -> -v, c; dims = 2)), f(v -> -v, y; dims = 2))
    end
    @test sum(v -> 2v, Arr.zeros(0)) === 0.0 && any(v -> v > 0, Arr.zeros(0)) === false
    @test_throws InexactError sum(v -> Int(v), ArrArray([1.5]))
    @test_throws TypeError any(v -> v + 1, ArrArray([1.5]))
    for y in (Int[], zeros(Int, 0, 3)), f in (any, all, count)
        @test f(v -> v + 1, ArrArray(y)) === f(v -> v + 1, y)
    end
    @test Array(any(v -> v + 1, ArrArray(zeros(Int, 0, 3)); dims = 1)) == [false false false]
    @test_throws DimensionMismatch mapreduce(+, +, ArrArray([1]), ArrArray([1, 2]))
end

@testset "truth" begin
    m, y = a .> 0.5, x .> 0.5
    @test any(m) == any(y) && all(m) == all(y)
    @test any(v -> v > 2, a) == false
    @test all(v -> v >= 0, a) == true
    @test count(m) === count(y)
    @test count(v -> v > 0.25, a) == count(v -> v > 0.25, x)
    @test Array(any(m; dims = 1)) == any(y; dims = 1)
    @test any(ArrArray(Bool[])) == false && all(ArrArray(Bool[])) == true
    @test_throws TypeError any(a)
    z = rand(Int8(0):Int8(127), 4, 5)
    for f in (&, |, xor)
        @test reduce(f, ArrArray(z)) === reduce(f, z)
        @test Array(reduce(f, ArrArray(z); dims = 1)) == mapslices(c -> reduce(f, c), z; dims = 1)
    end
end

@testset "positions" begin
    @test argmax(a) == argmax(x) && argmin(a) == argmin(x)
    @test findmax(a) == findmax(x) && findmin(a) == findmin(x)
    @test argmax(ArrArray([1, 9, 9, 2])) === 2
    v, i = findmax(a; dims = 2)
    V, I = findmax(x; dims = 2)
    @test Array(v) == V && i == I
    @test argmin(a; dims = 1) == argmin(x; dims = 1)
    @test isnan(findmax(ArrArray([1.0, NaN, 3.0]))[1]) && findmax(ArrArray([1.0, NaN, 3.0]))[2] == 2
    @test argmax(a') == argmax(collect(x'))
    @test_throws ArgumentError argmax(ArrArray(Float64[]))
end

# Every operator with every type, over everything and over dimensions also beyond the array's, with and without a first
# value of several types: the value and the type that Base gives, or an error where Base has one.
numbers(::Type{Bool}, dims) = reshape([isodd(i * i ÷ 3) for i in 1:prod(dims)], dims)
numbers(::Type{T}, dims) where {T<:Integer} = reshape(T[i % 5 == 0 ? typemax(T) - T(i) : T(i % 7 + 1) for i in 1:prod(dims)], dims)
numbers(::Type{T}, dims) where {T} = reshape(T[(i % 7 - 3) / 2 for i in 1:prod(dims)], dims)
same(x::Number, y::Number) = typeof(x) === typeof(y) && (x == y || isapprox(x, y; rtol = 8 * eps(real(float(typeof(x)))), nans = true))
same(x::Symbol, y) = false                          # an error
same(x, y) = size(x) == size(y) && eltype(x) === eltype(y) && all(map(same, x, y))
function result(f)
    r = try
        f()
    catch e
        e isa Union{MethodError,ArgumentError,InexactError,BoundsError,Arr.TraceError,ErrorException,DimensionMismatch,Arr.ArrError} || rethrow()
        return :error
    end
    r isa Arr.AnyArr ? Array(r) : r
end
@testset "reduce($op) of $T" for op in (+, *, max, min, &, |, xor, Base.add_sum, Base.mul_prod),
                                 T in (Bool, Int8, UInt8, Int32, UInt64, Int64, Float16, Float32, Float64, ComplexF32, ComplexF64)
    T === Float16 && op in (*, Base.mul_prod) && continue                # Base rounds after each factor
    T <: Complex && op in (max, min) && continue                         # Base returns init where it compares nothing
    bitwise = op in (&, |, xor)
    bitwise && !(T <: Integer) && continue
    for dims in ((3, 4), (0, 3)), d in (:, 1, 3, (1, 2))
        x = numbers(T, dims)
        for init in (nothing, one(T), 0, 1.5)
            bitwise && init isa AbstractFloat && continue
            bitwise && init === nothing && d !== (:) && T !== Bool && continue   # Base gives the lowest bits as Bool
            kw = init === nothing ? (dims = d,) : (dims = d, init = init)
            want, got = result(() -> reduce(op, x; kw...)), result(() -> reduce(op, ArrArray(x); kw...))
            ok = want === :error || same(got, want)
            ok || println("reduce($op, $T$dims; $kw): got $got, expected $want")
            @test ok
        end
    end
end
@testset "$f of $T" for f in (sum, prod, maximum, minimum, extrema, findmax, findmin, argmax, argmin),
                        T in (Bool, Int8, UInt16, Int64, Float32, Float64)
    for dims in ((3, 4), (5,), (2, 3, 2)), d in (:, 1, 2, 4, (1, 3))
        x = numbers(T, dims)
        want, got = result(() -> f(x; dims = d)), result(() -> f(ArrArray(x); dims = d))
        got isa Tuple && (got = map(v -> v isa Arr.AnyArr ? Array(v) : v, got))
        ok = want === :error || isequal(got, want) || (got isa Union{Number,Array{<:Number}} && same(got, want))
        ok || println("$f($T$dims; dims = $d): got $got, expected $want")
        @test ok
    end
end

@testset "indices of zeros of both signs" begin
    for x in ([0.0, -0.0], [-0.0, 0.0], [1.0, 0.0, -0.0], [-1.0, -0.0, 0.0], [NaN, 0.0], [0.0, 0.0])
        for f in (findmin, findmax, argmin, argmax)
            @test f(ArrArray(x))[end] === f(x)[end]
        end
        for f in (argmin, argmax)
            @test f(ArrArray([x x]); dims = 1) == f([x x]; dims = 1)
        end
    end
end

@testset "every row over everything" begin
    for row in LibArr.REDUCTIONS
        b = 'F' in row.domain ? a : ArrArray(rand(1:9, 5, 6))
        @test Arr.reduction(row.name, b, :) isa Number
        @test size(Arr.reduction(row.name, b, 1)) == (1, 6)
    end
end

@testset "equality" begin
    @test a == copy(a)
    @test a != a .+ 1
    @test ArrArray([1, 2]) != ArrArray([1, 2, 3])
    @test isapprox(a, a .+ 1e-12)
end

@testset "zeros of both signs, $T" for T in (Float64, Float32, Float16)
    for x in (T[0, -0.0], T[-0.0, 0], T[-0.0, -0.0], T[1, 0, -0.0], T[-1, 0, -0.0])
        a = ArrArray(x)
        for f in (maximum, minimum, extrema, y -> reduce(max, y; init = T(-0.0)), y -> mapreduce(-, min, y))
            @test isequal(f(a), f(x))
        end
    end
    m = T[0 -0.0 1; -0.0 0 -0.0; -0.0 -0.0 -0.0; -1 -0.0 0]
    a = ArrArray(m)
    for f in (maximum, minimum), d in (1, 2, (1, 2), 3)
        @test isequal(Array(f(a; dims = d)), f(m; dims = d))
    end
    @test isequal(Array(Arr.stream!(() -> maximum(a; dims = 1), Arr.Stream())), maximum(m; dims = 1))
    @test isequal(Array(minimum!(ArrArray(zeros(T, 1, 3)), a)), minimum!(zeros(T, 1, 3), m))
end

@testset "mapreducedim! onto $(size(r))" for r in (ones(1, 2), ones(3, 1), ones(3, 2), ones(1), ones(1, 1), ones(3))
    x = [1.0 2; 3 4; 5 6]
    for (f, op) in ((identity, +), (abs2, +), (x -> -x, max))
        @test Array(Base.mapreducedim!(f, op, ArrArray(r), ArrArray(x))) == Base.mapreducedim!(f, op, copy(r), x)
    end
    @test_throws DimensionMismatch Base.mapreducedim!(identity, +, ArrArray(ones(2)), ArrArray(x))
end
