# SPDX-License-Identifier: MIT
# scans.jl: running reductions against Julia's own.

@testset "$f of $T" for f in (cumsum, cumprod), T in (Bool, Int8, UInt8, Int64, Float32, Float64, ComplexF64)
    x = T <: Bool ? rand(Bool, 3, 4, 2) : T.(rand(1:3, 3, 4, 2))
    a = ArrArray(x)
    for dims in 1:4
        got, want = f(a; dims = dims), f(x; dims = dims)
        @test got isa ArrArray
        @test eltype(got) === (dims < 4 ? eltype(want) : eltype(f(a; dims = 1)))
        @test Array(got) == want
    end
    v = view(a, 3:-1:1, 2, 1)
    @test Array(f(v)) == f(x[3:-1:1, 2, 1])
end

@testset "into arrays" begin
    x = rand(4, 5)
    a, out = ArrArray(x), Arr.zeros(4, 5)
    @test cumsum!(out, a; dims = 2) === out
    @test Array(out) ≈ cumsum(x; dims = 2)
    @test Array(cumprod!(Arr.zeros(4), ArrArray([1.0, 2, 3, 4]))) == [1, 2, 6, 24]
    @test Array(cumsum!(a, a; dims = 1)) ≈ cumsum(x; dims = 1)           # over itself
    @test Array(accumulate!(max, out, ArrArray(x); dims = 1)) == accumulate(max, x; dims = 1)
    @test_throws DimensionMismatch cumsum!(Arr.zeros(3, 5), a; dims = 1)
end

@testset "accumulate $op of $T" for op in (+, *, max, min), T in (Int8, Int64, Float64)
    x = T.(rand(1:3, 4, 3))
    a = ArrArray(x)
    for dims in (1, 2, nothing)
        got, want = accumulate(op, a; dims = dims), accumulate(op, x; dims = dims)
        @test eltype(got) === eltype(want)
        @test Array(got) == want
    end
    @test Array(accumulate(op, ArrArray(x[:, 1]))) == accumulate(op, x[:, 1])
    @test Array(accumulate(op, a; dims = 1, init = T(2))) == accumulate(op, x; dims = 1, init = T(2))
end

@testset "accumulate of truth and nan" begin
    y = [true, false, true, false]
    @test Array(accumulate(|, ArrArray(y))) == accumulate(|, y)
    @test Array(accumulate(&, ArrArray(y))) == accumulate(&, y)
    @test isequal(Array(accumulate(max, ArrArray([1.0, NaN, 3.0]))), [1.0, NaN, NaN])
    @test occursin("xor", thrown(() -> accumulate(xor, ArrArray([1, 2])), Arr.TraceError))
    @test occursin("hypot", thrown(() -> accumulate(hypot, ArrArray([1.0])), Arr.TraceError))
end

@testset "by the library's names" begin
    x = [1.0 NaN 3.0; 4.0 5.0 NaN]
    a = ArrArray(x)
    zeroed = ifelse.(isnan.(x), 0.0, x)
    @test Array(Arr.nancumsum(a; dims = 2)) == cumsum(zeroed; dims = 2)
    @test Array(Arr.nancumprod(a; dims = 1)) == cumprod(ifelse.(isnan.(x), 1.0, x); dims = 1)
    @test Array(Arr.cummax(ArrArray([3, 1, 4, 1, 5]))) == [3, 3, 4, 4, 5]
    @test Array(Arr.cummin(ArrArray([3, 1, 4, 1, 5]))) == [3, 1, 1, 1, 1]
    @test Array(Arr.cumulative_sum(ArrArray([1, 2, 3]); include_initial = true)) == [0, 1, 3, 6]
    @test Array(Arr.cumulative_prod(ArrArray([1 2; 3 4]); dims = 2, include_initial = true)) == [1 1 2; 1 3 12]
    for row in LibArr.SCANS
        f = isdefined(Base, row.name) ? getfield(Base, row.name) : getfield(Arr, row.name)
        @test size(f(ArrArray(ones(3)))) == (3,)
    end
end

@testset "mistakes" begin
    a = Arr.ones(2, 2)
    @test_throws UndefKeywordError Arr.cummax(a)
    @test_throws ArgumentError cumsum(a; dims = 0)
    @test_throws ArgumentError Arr.cummax(a; dims = (1, 2))
    @test_throws ArgumentError Arr.cumulative_sum(a; dims = 3)
    @test works()
end

@testset "running extremes of zeros of both signs" begin
    for x in ([0.0, -0.0, 0.0], [-0.0, 0.0, -0.0], [-1.0, -0.0, 0.0, -0.0], [1.0, 0.0, -0.0]), op in (max, min)
        @test isequal(Array(accumulate(op, ArrArray(x))), accumulate(op, x))
    end
    m = [0.0 -0.0; -0.0 0.0; 0.0 -0.0]
    @test isequal(Array(accumulate(max, ArrArray(m); dims = 1)), accumulate(max, m; dims = 1))
    own = Arr.stream!(() -> accumulate(max, ArrArray(m); dims = 1), Arr.Stream())
    @test isequal(Array(own), accumulate(max, m; dims = 1))
end
