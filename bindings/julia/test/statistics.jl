# SPDX-License-Identifier: MIT
# statistics.jl: spread, medians, quantiles, averages, norms and softmax against Statistics and plain formulas.

x = rand(5, 6)
a = ArrArray(x; device = HOST)
holes = ifelse.(x .> 0.7, NaN, x)
b = ArrArray(holes; device = HOST)
present = filter(!isnan, holes)

@testset "spread of $T" for T in (Int8, Float32, Float64, ComplexF64)
    y = T <: Integer ? rand(T(1):T(9), 4, 3) : rand(T, 4, 3)
    c = ArrArray(y; device = HOST)
    for f in (var, std)
        @test f(c) ≈ f(y)
        @test typeof(f(c)) === typeof(f(y))
        @test Array(f(c; dims = 1)) ≈ f(y; dims = 1)
        @test Array(f(c; dims = 2, corrected = false)) ≈ f(y; dims = 2, corrected = false)
        @test f(c; mean = 2.5) ≈ f(y; mean = 2.5)
        @test f(view(c, 4:-1:2, 1)) ≈ f(y[2:4, 1])
    end
end

@testset "middle" begin
    @test median(a) ≈ median(x)
    @test Array(median(a; dims = 2)) ≈ median(x; dims = 2)
    @test quantile(a, 0.3) ≈ quantile(vec(x), 0.3)
    @test Array(quantile(a, [0.1, 0.5, 0.9])) ≈ quantile(vec(x), [0.1, 0.5, 0.9])
    @test Array(quantile(view(a, :, 2), (0.25, 0.75))) ≈ quantile(x[:, 2], [0.25, 0.75])
    along2 = quantile(a, [0.2, 0.6]; dims = 2)
    @test size(along2) == (2, 5, 1)
    @test Array(along2)[:, 3, 1] ≈ quantile(x[3, :], [0.2, 0.6])
    @test quantile(a, 0.3; method = :lower) == sort(vec(x))[1+floor(Int, 0.3 * 29)]
    @test_throws ArgumentError quantile(a, 0.5; method = :middle)
    w = ArrArray(ones(size(x)); device = HOST)
    @test quantile(a, 0.3; weights = w) == quantile(a, 0.3; method = :inverted_cdf)
    @test Array(quantile(a, [0.2, 0.6]; dims = 2, weights = w)) == Array(quantile(a, [0.2, 0.6]; dims = 2, method = :inverted_cdf))
    @test_throws ArgumentError quantile(a, 0.3; weights = w, method = :linear)
    @test_throws ArgumentError quantile(a, 1.5)
end

@testset "without nan" begin
    @test Arr.nanvar(b) ≈ var(present) && Arr.nanstd(b; corrected = false) ≈ std(present; corrected = false)
    @test Arr.nanmedian(b) ≈ median(present)
    @test Arr.nanquantile(b, 0.4) ≈ quantile(present, 0.4)
    @test Arr.nansum(b) ≈ sum(present) && Arr.nanmean(b) ≈ mean(present)
    @test Arr.nanmax(b) == maximum(present) && Arr.nanmin(b) == minimum(present)
    @test holes[Arr.nanargmax(b)] == maximum(present)
    @test holes[Arr.nanargmin(b)] == minimum(present)
    @test Arr.nanargmin(ArrArray([NaN, NaN]; device = HOST)) === nothing
    y = [4.0 NaN 1.0; NaN 2.0 3.0]
    @test Arr.nanargmin(ArrArray(y; device = HOST); dims = 2) == reshape([CartesianIndex(1, 3), CartesianIndex(2, 2)], 2, 1)
    @test isnan(var(b))
end

@testset "averages, norms, exponentials" begin
    w = rand(6)
    @test Arr.average(a, ArrArray(x; device = HOST)) ≈ sum(x .^ 2) / sum(x)
    @test Array(Arr.average(a, ArrArray(w; device = HOST); dims = 2)) ≈ x * w ./ sum(w)
    @test Arr.vector_norm(a) ≈ norm(x) && Arr.vector_norm(a, Inf) == maximum(x)
    @test Array(Arr.vector_norm(a, 3; dims = 1)) ≈ sum(x .^ 3; dims = 1) .^ (1 / 3)
    e = exp.(x)
    @test Array(Arr.softmax(a)) ≈ e ./ sum(e; dims = 1)
    @test Array(Arr.softmax(a; dims = :)) ≈ e ./ sum(e)
    @test Array(Arr.log_softmax(a; dims = 2)) ≈ log.(e ./ sum(e; dims = 2))
    @test all(isfinite, Array(Arr.log_softmax(ArrArray([1e4, -1e4]; device = HOST))))
    @test Arr.logsumexp(ArrArray([1e3, 1e3]; device = HOST)) ≈ 1e3 + log(2)
    @test Arr.count_nonzero(ArrArray([0, 3, 0, 1]; device = HOST)) === 2
    @test Arr.ptp(a) ≈ maximum(x) - minimum(x)
    @test works()
end

@testset "covariances of $T have Julia's types" for T in (Float16, Float32, Int32, ComplexF32)
    x, y = T.([1 2; 3 5; 4 4]), T.([2, 1, 4])
    a, b = ArrArray(x), ArrArray(y)
    @test eltype(cov(a)) === eltype(cov(x)) && cov(b) isa typeof(cov(y)) && Array(cov(a)) ≈ cov(x)
    T === Float16 || @test cov(b, b) isa typeof(cov(y, y)) && eltype(cor(a)) === eltype(cor(x)) && Array(cor(a)) ≈ cor(x)
end
