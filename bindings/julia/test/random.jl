# SPDX-License-Identifier: MIT
# random.jl: generators, arrays of random numbers, order.

@testset "generators" begin
    a = Arr.randn(Arr.Generator(7), 100; device = HOST)
    @test Array(a) == Array(Arr.randn(Arr.Generator(7), 100; device = HOST))
    @test Array(a) != Array(Arr.randn(Arr.Generator(8), 100; device = HOST))
    g = Arr.Generator(7)
    @test Array(randn!(g, ArrArray{Float64}(undef, 10, 10; device = HOST)))[:] == Array(a)
    @test Array(Arr.randn(g, 100; device = HOST)) != Array(a)
    @test Array(Arr.randn(Random.seed!(g, 7), 100; device = HOST)) == Array(a)
    x, y = Arr.spawn(g, 2)
    @test Array(Arr.rand(x, 5; device = HOST)) != Array(Arr.rand(y, 5; device = HOST))
    Arr.seed!(3)
    first = Array(Arr.rand(5; device = HOST))
    Arr.seed!(3)
    @test Array(Arr.rand(5; device = HOST)) == first
    @test Arr.Generator(2^40, -1) isa Arr.Generator
end

@testset "arrays of $T" for T in (Float16, Float32, Float64)
    g = Arr.Generator(1)
    u, z, e = (f(g, T, 40, 50; device = HOST) for f in (Arr.rand, Arr.randn, Arr.randexp))
    @test size(u) == (40, 50) && eltype(u) == T
    @test 0 <= minimum(Array(u)) && maximum(Array(u)) < 1
    @test abs(mean(Float64.(Array(z)))) < 0.1 && abs(std(Float64.(Array(z))) - 1) < 0.1
    @test abs(mean(Float64.(Array(e))) - 1) < 0.1
    part = view(Arr.zeros(T, 10, 10; device = HOST), 1:2:9, :)
    @test all(!iszero, Array(randn!(g, part)))
end

@testset "whole numbers" begin
    g = Arr.Generator(2)
    x = Array(Arr.rand(g, 1:6, 6000; device = HOST))
    @test sort(unique(x)) == 1:6 && abs(mean(x) - 3.5) < 0.1
    @test eltype(Arr.rand(g, UInt8, 10; device = HOST)) == UInt8
    @test 0.45 < mean(Array(Arr.rand(g, Bool, 4000; device = HOST))) < 0.55
    @test all(in(-3:3), Array(rand!(g, ArrArray{Int32}(undef, 50; device = HOST), -3:3)))
end

@testset "distributions" begin
    g, n = Arr.Generator(3), 20000
    @test abs(mean(Array(Arr.draw!(:gamma, g, ArrArray{Float64}(undef, n; device = HOST), 2.5, 2.0))) - 5) < 0.15
    @test abs(mean(Array(Arr.draw!(:poisson, g, ArrArray{Int}(undef, n; device = HOST), 4))) - 4) < 0.1
    @test occursin("argument scale", thrown(() -> Arr.draw!(:normal, ArrArray{Float64}(undef, 3; device = HOST), 0, -1), ArgumentError))
end

@testset "order" begin
    g = Arr.Generator(4)
    @test sort(Array(Arr.randperm(g, 1000; device = HOST))) == 1:1000
    a = ArrArray(reshape(collect(1:60), 6, 10); device = HOST)
    b = Array(shuffle(g, a; dims = 2))
    @test sort(b; dims = 2) == Array(a) && b != Array(a) && all(b[:, j] == b[1, j] .+ (0:5) for j in 1:10)
    @test sort(Array(shuffle!(g, a))[:, 1]) == 1:6
    c = Array(Arr.permuted(g, ArrArray(reshape(collect(1:60), 6, 10); device = HOST); dims = 2))
    @test sort(c; dims = 2) == reshape(collect(1:60), 6, 10) && !all(c[:, j] == c[1, j] .+ (0:5) for j in 1:10)
    @test sort(Array(Arr.choice(g, 40, 40; replace = false, device = HOST))) == 1:40
    x = Array(Arr.choice(g, 3, 50, 60; device = HOST))
    @test size(x) == (50, 60) && sort(unique(x)) == 1:3
    w = ArrArray([0.0, 1, 0]; device = HOST)
    @test all(==(2), Array(Arr.choice(g, 3, 9; weights = w, device = HOST)))
    m = ArrArray([1 2 3; 4 5 6]; device = HOST)
    @test Array(Arr.choice(g, m, 4; dims = 2, weights = w)) == [2 2 2 2; 5 5 5 5]
    @test occursin("without repetition", thrown(() -> Arr.choice(g, 3, 4; replace = false, device = HOST), ArgumentError))
end

@testset "states and bits" begin
    g, h = Arr.Generator(5; bits = :mrg32k3a), Arr.Generator(; bits = :mrg32k3a)
    s = Arr.state(g)
    x = Array(Arr.bits(g, UInt32, 20; device = HOST))
    @test Arr.state(g) != s && eltype(x) == UInt32
    @test Array(Arr.bits(Arr.set_state!(h, s), UInt32, 20; device = HOST)) == x
    @test occursin("argument state", thrown(() -> Arr.set_state!(Arr.Generator(5), s), ArgumentError))
end

@testset "vectors" begin
    g = Arr.Generator(6)
    host(x) = ArrArray(x; device = HOST)
    n = Array(Arr.multinomial(g, 12, host([0.5, 0.25, 0.25]), 40))
    @test size(n) == (40, 3) && all(==(12), sum(n; dims = 2)) && abs(mean(n[:, 1]) - 6) < 1.5
    k = Array(Arr.multivariate_hypergeometric(g, host([4, 0, 6]), 5, 40))
    @test size(k) == (40, 3) && all(==(5), sum(k; dims = 2)) && all(iszero, k[:, 2]) && maximum(k[:, 1]) <= 4
    d = Array(Arr.dirichlet(g, host([1.0, 2, 3]), 200))
    @test size(d) == (200, 3) && all(x -> x ≈ 1, sum(d; dims = 2)) && abs(mean(d[:, 3]) - 0.5) < 0.06
    for method in (:svd, :eigen)
        x = Array(Arr.multivariate_normal(g, host([5.0, -5]), host(ones(2, 2)), 30; method))
        @test size(x) == (30, 2) && all(abs.(x[:, 1] .- x[:, 2] .- 10) .< 1e-6) && std(x[:, 1]) > 0.4
    end
    cov = [2.0 -0.6; -0.6 1]
    x = Array(Arr.multivariate_normal(g, host([0.0, 0]), host(cov), 8000; method = :cholesky))
    @test maximum(abs.(x' * x / 8000 - cov)) < 0.15
    @test occursin(":eigen", thrown(() -> Arr.multivariate_normal(g, host([0.0]), host(ones(1, 1)), 3; method = :lu), ArgumentError))
end

@testset "bit generators" begin
    draws = [Array(Arr.rand(Arr.Generator(42; bits = b), Float64, 3; device = HOST)) for b in keys(Arr.bit_generators)]
    @test draws[2] == [0.7739560485559633, 0.4388784397520523, 0.8585979199113825]  # numpy.random.default_rng(42)
    @test length(unique(draws)) == 5
    @test_throws ArgumentError Arr.Generator(1; bits = :dice)
    far = Arr.jumped(Arr.Generator(42; bits = :pcg64))
    @test Array(Arr.rand(far, Float64, 2; device = HOST)) == [0.7561611153965418, 0.630884304627682]  # numpy.random.PCG64(42).jumped()
    g = Arr.Generator(9)
    ahead = Arr.jumped(g, 3)
    @test Array(Arr.rand(Arr.advance!(g, 3 * 2^48), 8; device = HOST)) == Array(Arr.rand(ahead, 8; device = HOST))
    @test Array(Arr.rand(Arr.advance!(g, -4), 8; device = HOST)) == Array(Arr.rand(Arr.advance!(ahead, -4), 8; device = HOST))
    @test occursin("argument jumps", thrown(() -> Arr.jumped(g, -1), ArgumentError))
end

@testset "generators of Julia" begin
    host(f, x, args...) = f(MersenneTwister(1), x, args...)
    for f in (rand!, randn!, randexp!, shuffle!)
        @test Array(host(f, ArrArray([1.0, 2, 3]))) == host(f, [1.0, 2, 3])
    end
    for values in (1:6, [1.5, 2.5], Float64)
        @test Array(host(rand!, ArrArray(zeros(4)), values)) == host(rand!, zeros(4), values)
    end
    @test Array(host(rand!, ArrArray{ComplexF32}(undef, 3))) == host(rand!, zeros(ComplexF32, 3))
    x = ArrArray(zeros(2, 3))
    rand!(MersenneTwister(1), view(x, 2, :))
    @test Array(x)[2, :] == rand!(MersenneTwister(1), zeros(3)) && iszero(Array(x)[1, :])
end

@testset "complex random numbers of $T" for T in (ComplexF32, ComplexF64)
    x = Array(rand!(Arr.Generator(1), ArrArray{T}(undef, 100, 200)))
    @test all(z -> 0 <= real(z) < 1 && 0 <= imag(z) < 1, x) && length(unique(x)) > 19000
    y = Array(randn!(Arr.Generator(1), ArrArray{T}(undef, 20000)))
    @test abs(mean(abs2, y) - 1) < 0.05 && abs(mean(real(y) .* imag(y))) < 0.02
    @test eltype(Arr.rand(T, 2)) === T && rand!(ArrArray{T}(undef, 2)) isa ArrArray{T,1}
end

@testset "what is drawn from" begin
    @test Set(Array(rand!(ArrArray{Float64}(undef, 1000), 1:3))) == Set([1.0, 2, 3])
    @test rand!(ArrArray(zeros(2)), Float64) isa ArrArray
    @test occursin("MersenneTwister", thrown(() -> rand!(ArrArray(zeros(2)), [1, 2]), ArgumentError))
    @test occursin("exponential", thrown(() -> randexp!(ArrArray(zeros(ComplexF64, 2))), ArgumentError))
end
