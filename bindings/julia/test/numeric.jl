# SPDX-License-Identifier: MIT
# numeric.jl: rounding, closeness, bits, covariances against Statistics, reductions with options, methods of operations.

@testset "numbers" begin
    a = ArrArray([1.256, -2.5, NaN, Inf]; device = HOST)
    @test Array(Arr.around(a, 1))[1:2] == [1.3, -2.5]
    @test Array(Arr.nan_to_num(a; nan = 0.5, posinf = 9)) == [1.256, -2.5, 0.5, 9]
    @test Array(Arr.nan_to_num(a))[4] == floatmax()
    z = similar(a)
    @test Arr.around!(z, a, 1) === z && Array(z)[1:2] == [1.3, -2.5]
    @test Arr.nan_to_num!(z, a; nan = 0.5, posinf = 9) === z && Array(z) == [1.256, -2.5, 0.5, 9]
    @test_throws DimensionMismatch Arr.around!(similar(a, 3), a)
    @test Array(Arr.angle_degrees(ArrArray([1.0im, -1, 1 + 1im]; device = HOST))) ≈ [90, 180, 45]
    @test Array(Arr.isclose(a, a)) == [true, true, false, true]
    @test Arr.allclose(a, a; nans = true) && !Arr.allclose(a, a)
    z = ArrArray([1 + 1e-15im, 2]; device = HOST)
    @test Array(Arr.real_if_close(z)) == [1, 2]
    @test eltype(Arr.real_if_close(z; tol = 1e-16)) === ComplexF64
end

@testset "bits" begin
    x = Bool[1, 0, 0, 0, 0, 0, 0, 1, 1]
    a = ArrArray(x; device = HOST)
    @test Array(Arr.packbits(a)) == [129, 128]
    @test Array(Arr.packbits(a; order = :little)) == [129, 1]
    @test Array(Arr.unpackbits(Arr.packbits(a); count = 9)) == x
    @test length(Arr.unpackbits(Arr.packbits(a); count = -1)) == 15
    m = ArrArray(rand(Bool, 16, 3); device = HOST)
    @test size(Arr.packbits(m; dims = 1)) == (2, 3)
    @test Array(Arr.unpackbits(Arr.packbits(m; dims = 1); dims = 1)) == Array(m)
    @test_throws ArgumentError Arr.packbits(a; order = :middle)
    @test_throws UndefKeywordError Arr.packbits(m)
end

@testset "covariances of $T" for T in (Float64, Int32, ComplexF64)
    x = T <: Integer ? rand(T(1):T(9), 7, 3) : rand(T, 7, 3)
    y = reverse(x; dims = 1)[:, 1:2]
    a, b = ArrArray(x; device = HOST), ArrArray(y; device = HOST)
    @test Array(cov(a)) ≈ cov(x)
    @test Array(cov(a; dims = 2, corrected = false)) ≈ cov(x; dims = 2, corrected = false)
    @test cov(a[:, 1]) ≈ cov(x[:, 1])
    @test cov(a[:, 1], b[:, 2]) ≈ cov(x[:, 1], y[:, 2])
    @test Array(cov(a, b)) ≈ cov(x, y)
    @test size(cov(a[:, 1:1])) == (1, 1)
    @test Array(cor(a)) ≈ cor(x)
    @test cor(a[:, 1], b[:, 2]) ≈ cor(x[:, 1], y[:, 2])
    @test_throws ArgumentError cov(a; dims = 3)
end

@testset "options of reductions" begin
    x = Int32[1 2 3; 4 5 6]
    a, mask = ArrArray(x; device = HOST), ArrArray(Bool[1 0 1; 1 0 1]; device = HOST)
    @test Arr.reduce_by(:sum, a; where = mask, init = 100) == 114
    @test Array(Arr.reduce_by(:sum, a; dims = 2, where = mask)) == reshape([4, 10], 2, 1)
    @test Arr.reduce_by(:sum, a; type = Float32) === 21f0
    @test Arr.reduce_by(:var, a; correction = 1) ≈ var(x)
    @test_throws ArgumentError Arr.reduce_by(:max, a; where = mask)
    @test Arr.ufunc_reduce(:gcd, ArrArray([4, 6, 10]; device = HOST)) == 2
end

@testset "methods of operations" begin
    a = ArrArray([4, 6, 9]; device = HOST)
    @test Array(Arr.ufunc_outer(:multiply, a, a)) == [4, 6, 9] * [4, 6, 9]'
    @test Array(Arr.ufunc_accumulate(:gcd, a)) == [4, 2, 1]
    @test Array(Arr.ufunc_reduceat(:add, a, [1, 2])) == [4, 15]
    z = similar(a)
    @test Arr.ufunc_accumulate!(z, :add, a) === z && Array(z) == [4, 10, 19]
    @test Array(Arr.ufunc_reduceat!(similar(a, 2), :add, a, [1, 2])) == [4, 15]
    m = ArrArray([1 2; 3 4]; device = HOST)
    @test Array(Arr.ufunc_accumulate!(similar(m), :add, m; dims = 2)) == [1 3; 3 7]
    @test_throws ArgumentError Arr.ufunc_outer(:plus, a, a)
    sums = ArrArray([10.0, 20, 30]; device = HOST)
    @test Array(Arr.ufunc_at!(:add, sums, [1, 3, 1], 0.5)) == [11, 20, 30.5]
    @test Array(Arr.ufunc_at!(:subtract, sums, [2, 2], ArrArray([1.0, 2]; device = HOST))) == [11, 17, 30.5]
    @test Array(Arr.ufunc_at!(:negative, sums, 2)) == [11, -17, 30.5]
    @test_throws ArgumentError Arr.ufunc_at!(:add, sums, [4], 1)
    @test Array(Arr.bincount(ArrArray([0, 2, 2]; device = HOST); minlength = 4)) == [1, 0, 2, 0]
    counts, edges = Arr.histogram(ArrArray([1.0, 2, 2.5, 9]; device = HOST), 2; range = (1, 3))
    @test Array(counts) == [1, 2] && Array(edges) == [1, 2, 3]
    counts, edges = Arr.histogram(ArrArray([1.0, 2, 2.5, 9]; device = HOST), ArrArray([0.0, 2, 10]; device = HOST))
    @test Array(counts) == [1, 3]
    x = ArrArray(collect(1.0:1000); device = HOST)
    @test length(first(Arr.histogram(x, :sqrt))) == 32 && length(first(Arr.histogram(x, :sturges))) == 11
    @test_throws ArgumentError Arr.histogram(x, :good)
end

@testset "weighted sums of exponentials" begin
    x, w = [1.0 2 700; 800 -3 0.5], [1.0 -2 3; 0 4 -1]
    a, b = ArrArray(x; device = HOST), ArrArray(w; device = HOST)
    exact = w .* exp.(big.(x))
    @test Arr.logsumexp_weighted(a, b) ≈ Float64(log(sum(exact)))
    @test isnan(Arr.logsumexp_weighted(a, ArrArray(-w; device = HOST)))
    logs, sign = Arr.logsumexp_signed(a, b; dims = 2)
    @test Array(logs) ≈ Float64.(log.(abs.(sum(exact; dims = 2))))
    @test Array(sign) == reshape([1.0, -1], 2, 1)
    @test last(Arr.logsumexp_signed(a, ArrArray(-w; device = HOST))) == -1
end
