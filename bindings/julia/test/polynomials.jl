# SPDX-License-Identifier: MIT
# polynomials.jl: polynomials and Vandermonde matrices against sums and products of powers.

on(x) = ArrArray(x; device = HOST)
# By powers: coefficients from the highest on, and from the lowest on.
highest(p, x) = sum(p[i] * x^(length(p) - i) for i in eachindex(p))
lowest(c, x) = sum(c[i] * x^(i - 1) for i in eachindex(c))

@testset "sums and products" begin
    a, b = on([1.0, 2, 3]), on([4.0, 5])
    for (f, wanted) in ((Arr.polyadd, [1, 6, 8]), (Arr.polysub, [1, -2, -2]), (Arr.polymul, [4, 13, 22, 15]))
        @test Array(f(a, b)) == wanted
        @test eltype(f(a, b)) === Float64
        @test eltype(f(on(Float32[1, 2]), on([1, 2]))) === Float32
    end
    @test Array(Arr.polysub(b, a)) == [-1, 2, 2]
    @test Array(Arr.polymul(on([0.0, 0, 1, 2]), on([0.0, 3, 0]))) == [3, 6, 0]
    @test Array(Arr.polyadd(on([true, true]), on([true]))) == [1, 2]
    @test_throws DimensionMismatch Arr.polyadd(a, on(Float64[]))
    @test_throws MethodError Arr.polymul(a, on(ones(2, 2)))
end

@testset "values of $T" for T in (Float64, Float32, Int64, ComplexF64)
    p, x = T.(rand(1:5, 14)), T.(rand(-1:2, 3, 4))
    @test Array(Arr.polyval(on(p), on(x))) ≈ highest.((p,), x)
    @test eltype(Arr.polyval(on(p), on(x))) === T
    @test Arr.polyval(on(p), T(2)) ≈ highest(p, T(2))
    @test Array(Arr.polynomial_val(on(x), on(p))) ≈ lowest.((p,), x)
    @test Array(Arr.polyvalfromroots(on(x), on(p))) ≈ [prod(float(v) .- p) for v in x]
end

@testset "several polynomials" begin
    c, x, y = rand(5, 2, 3), rand(2, 3), rand(4)
    each(f) = [f(c[:, i, j], x[i, j]) for i in 1:2, j in 1:3]
    tensor(f) = [f(c[:, i, j], y[k]) for i in 1:2, j in 1:3, k in 1:4]
    fromroots(r, v) = prod(v .- r)
    @test Array(Arr.polyval(on(c), on(x))) ≈ each(highest)
    @test Array(Arr.polyval(on(c), 0.5)) ≈ [highest(c[:, i, j], 0.5) for i in 1:2, j in 1:3]
    for (f, g) in ((Arr.polynomial_val, lowest), (Arr.polyvalfromroots, fromroots))
        @test Array(f(on(y), on(c))) ≈ tensor(g)
        @test Array(f(on(x), on(c); tensor = false)) ≈ each(g)
        @test_throws DimensionMismatch f(on(y), on(c); tensor = false)
    end
    @test_throws DimensionMismatch Arr.polyval(on(c), on(y))
    @test occursin("expected 2", thrown(() -> Arr.polyval(on(c), on(y)), DimensionMismatch))
end

@testset "roots" begin
    @test Array(Arr.poly(on([1.0, 2, 3]))) == [1, -6, 11, -6]
    @test Array(Arr.poly(on([1.0im, -1.0im]))) == [1, 0, 1] && eltype(Arr.poly(on([1.0im, -1.0im]))) === Float64
    @test Array(Arr.poly(on([1.0im, 2]))) ≈ [1, -2 - 1im, 2im]
    @test sort(real(Array(Arr.roots(on([1.0, -6, 11, -6]))))) ≈ [1, 2, 3]
    @test sort(Array(Arr.roots(on([0.0, 1, 0, 1, 0]))); by = imag) ≈ [-1im, 0, 1im]
    @test eltype(Arr.roots(on(Float32[1, 0, -4]))) === ComplexF32
    c = [6.0, -5, -2, 1]
    @test Array(Arr.polycompanion(on(c))) == [0 0 -6; 1 0 5; 0 1 2]
    @test_throws ArgumentError Arr.polycompanion(on([1.0]))
    @test_throws MethodError Arr.roots(on(ones(2, 2)))
end

@testset "fits" begin
    x = collect(-2.0:3)
    y = highest.(([2.0, -1, 3],), x)
    @test Array(Arr.polyfit(on(x), on(y), 2)) ≈ [2, -1, 3]
    @test Array(Arr.polyfit(on(x), on([y -y]), 2)) ≈ [2 -2; -1 1; 3 -3]
    @test eltype(Arr.polyfit(on(Float32.(x)), on(Float32.(y)), 1)) === Float64
    # One of two points counts so much more that the constant through both is near it.
    @test Array(Arr.polyfit(on([0.0, 1]), on([0.0, 1]), 0; weights = on([3.0, 1]))) ≈ [0.1]
    # With every singular value but the largest left out the coefficients lie along one direction of powers.
    @test !isapprox(Array(Arr.polyfit(on(x), on(y), 2; rtol = 0.99)), [2, -1, 3]; atol = 0.1)
    @test_throws ArgumentError Arr.polyfit(on(x), on(y), -1)
    @test_throws DimensionMismatch Arr.polyfit(on(x), on(y[1:3]), 1)
end

@testset "outputs of fits" begin
    x, y = [0.0, 1, 2, 3], [0.0, 1, 2, 5]
    fit = Arr.polyfit_full(on(x), on(y), 1)
    @test Array(fit.coefficients) ≈ [1.6, -0.4] && Array(fit.residuals)[] ≈ 1.2 && Array(fit.rank)[] == 2
    @test length(fit.s) == 2 && fit.rtol == 4eps()
    @test Arr.polyfit_full(on(x), on(y), 1; rtol = 0.5).rtol == 0.5
    c, v = Arr.polyfit_cov(on(x), on(y), 1)
    @test Array(c) ≈ [1.6, -0.4] && Array(v) ≈ 0.6 * [0.2 -0.3; -0.3 0.7]
    @test Array(Arr.polyfit_cov(on(x), on(y), 1; scaled = false)[2]) ≈ [0.2 -0.3; -0.3 0.7]
    @test size(Arr.polyfit_cov(on(x), on([y 2y y]), 1; weights = on(x))[2]) == (2, 2, 3)
    @test_throws Arr.LinalgError Arr.polyfit_cov(on([0.0, 1, 0, 1]), on(y), 2)
end

@testset "derivatives and quotients" begin
    p = [1.0, 2, 3, 4]
    @test Array(Arr.polyder(on(p))) == [3, 4, 3] && Array(Arr.polyder(on(p), 2)) == [6, 4]
    @test eltype(Arr.polyder(on(Float32.(p)))) === Float32 && eltype(Arr.polyder(on(Int8[1, 2]))) === Int64
    @test Array(Arr.polyint(on([6.0, 2]))) == [3, 2, 0]
    @test Array(Arr.polyint(on([6, 2]), 2; k = 5)) == [1, 1, 5, 5]
    @test Array(Arr.polyint(on([6, 2]), 2; k = on([5.0, 7]))) == [1, 1, 5, 7]
    q, r = Arr.polydiv(on(p), on([1, 1]))
    @test Array(q) == [1, 1, 2] && Array(r) == [2]
    @test Array(Arr.polypow(on([1, 1]), 3)) == [1, 3, 3, 1]
    @test Array(Arr.polytrim(on([0, 0, 5, 1]))) == [5, 1] && Arr.polydegree(on([0, 0, 5, 1])) == 1
    @test_throws ArgumentError Arr.polyder(on(p), -1)
    @test_throws ArgumentError Arr.polydiv(on(p), on([0.0]))
    @test_throws DimensionMismatch Arr.polyint(on(p), 3; k = on([5.0, 7]))
end

@testset "trailing coefficients" begin
    c = [0.0, 1, 0.25, 0, 0]
    @test Array(Arr.trimseq(on(c))) == [0, 1, 0.25]
    @test Array(Arr.trimseq(on(zeros(3)))) == [0]
    @test Array(Arr.trimcoef(on(c))) == [0, 1, 0.25]
    @test Array(Arr.trimcoef(on(c), 0.5)) == [0, 1]
    @test Array(Arr.trimcoef(on(c), 2)) == [0]
    a, b = Arr.as_series(on([1, 2, 0]), on(Float32[3, 0]))
    @test Array(a) == [1, 2] && Array(b) == [3] && eltype(a) === eltype(b) === Float64
    @test map(length, Arr.as_series(on([1, 2, 0]), on([3, 0]); trim = false)) == (3, 2)
    @test_throws ArgumentError Arr.trimcoef(on(c), -1)
    @test_throws ArgumentError Arr.as_series()
end

@testset "powers of $T" for T in (Float64, Float32, Int32, ComplexF32, Bool)
    x = T === Bool ? [true, false, true] : T[1, 2, 3]
    R = T <: Integer ? Int64 : T
    for n in (0, 1, 2, 5)
        @test Array(Arr.vander(on(x), n)) == [R(v)^(n - j) for v in x, j in 1:n]
        @test Array(Arr.vander(on(x), n; increasing = true)) == [R(v)^(j - 1) for v in x, j in 1:n]
        @test eltype(Arr.vander(on(x), n)) === R
    end
    @test size(Arr.vander(on(x))) == (3, 3)
    @test_throws ArgumentError Arr.vander(on(x), -1)
    y = repeat(x, 1, 2)
    @test Array(Arr.polyvander(on(y), 3)) == [float(R)(v)^k for v in x, _ in 1:2, k in 0:3]
    @test_throws ArgumentError Arr.polyvander(on(y), -1)
end
