# SPDX-License-Identifier: MIT
# sort.jl: sorts against Base's.

@testset "sorts of $T" for T in (Bool, Int8, UInt16, Int64, Float32, Float64)
    x = rand(T, 40)
    v = ArrArray(x; device = HOST)
    @test Array(sort(v)) == sort(x)
    @test Array(sort(v; rev = true)) == sort(x; rev = true)
    @test Array(sortperm(v)) == sortperm(x)
    @test Array(sortperm(view(v, 40:-2:2))) == sortperm(x[40:-2:2])
    @test partialsort(v, 7) === partialsort(x, 7)
    @test Array(partialsort(v, 3:5; rev = true)) == partialsort(x, 3:5; rev = true)
    @test Array(v) == x
    @test sort!(v; rev = true) === v && Array(v) == sort(x; rev = true)
    y = rand(T, 5, 6)
    a = ArrArray(y; device = HOST)
    for dims in (1, 2)
        @test Array(sort(a; dims = dims)) == sort(y; dims = dims)
        @test Array(sort(a; dims = dims, rev = true)) == sort(y; dims = dims, rev = true)
    end
    @test sort!(a; dims = 2) === a && Array(a) == sort(y; dims = 2)
end

@testset "orders of $T" for T in (Int16, Float64)
    x = T.(rand(-9:9, 30))
    v = ArrArray(x; device = HOST)
    stable = (alg = MergeSort,)
    for kw in ((by = abs,), (by = abs, rev = true), (order = Base.Order.Reverse,), (order = Base.Order.By(abs),), (lt = <,),
               (by = u -> u * u, order = Base.Order.Reverse), (by = abs, order = Base.Order.Reverse, rev = true))
        @test Array(sort(v; stable..., kw...)) == sort(x; stable..., kw...)
        @test Array(sortperm(v; kw...)) == sortperm(x; stable..., kw...)
        @test Array(sort!(copy(v); kw...)) == sort(x; stable..., kw...)
    end
    y = T.(rand(-9:9, 4, 5))
    a = ArrArray(y; device = HOST)
    for dims in (1, 2)
        @test Array(sort(a; dims = dims, by = abs)) == sort(y; dims = dims, by = abs, alg = MergeSort)
        @test Array(sortslices(a .> 0; dims = dims)) == sortslices(y .> 0; dims = dims)
        @test Array(sortslices(a; dims = dims, rev = true)) == sortslices(y; dims = dims, rev = true)
    end
    @test_throws ArgumentError sort(v; lt = (p, q) -> p > q)
    @test_throws ArgumentError sort(v; order = Base.Order.Lt(<))
end

@testset "places" begin
    x = rand(1:9, 20)
    v = ArrArray(x; device = HOST)
    i = similar(v, Int)
    @test sortperm!(i, v; rev = true) === i && Array(i) == sortperm(x; rev = true)
    @test sortperm!(zeros(Int, 20), v) == sortperm(x)
    @test_throws ArgumentError sortperm!(similar(v, Int, 3), v)
    @test partialsortperm(v, 4) == sortperm(x)[4] && Array(partialsortperm(v, 2:5; rev = true)) == sortperm(x; rev = true)[2:5]
    @test Array(partialsortperm!(i, v, 1:3)) == sortperm(x)[1:3] && partialsortperm!(i, v, 7) == sortperm(x)[7]
    @test partialsort!(copy(v), 3) === sort(x)[3] && Array(partialsort!(copy(v), 3:6; rev = true)) == sort(x; rev = true)[3:6]
    @test partialsort(v, 5; by = abs) == sort(x)[5]
    @test partialsort!(copy(v), 3, Base.Order.Reverse) === sort(x; rev = true)[3]
    @test Array(partialsort!(copy(v), 3:6, Base.Order.Reverse)) == sort(x; rev = true)[3:6]
    @test_throws BoundsError partialsort(v, 21)
    @test_throws BoundsError partialsortperm(v, 0)
end

@testset "order" begin
    v = ArrArray([NaN, 1.0, -Inf, 0.0, -0.0]; device = HOST)
    @test isequal(Array(sort(v)), [-Inf, 0.0, -0.0, 1.0, NaN])
    @test isequal(Array(sort(v; rev = true)), [1.0, 0.0, -0.0, -Inf, NaN])
    @test Array(sortperm(v; rev = true)) == [2, 4, 5, 3, 1]
    z = ArrArray([1 + 2im, 1 - 1im, -3 + 0im] .* 1.0; device = HOST)
    @test Array(sort(z)) == [-3 + 0im, 1 - 1im, 1 + 2im]
    @test_throws UndefKeywordError sort(ArrArray(ones(2, 2); device = HOST))
    @test_throws DimensionMismatch sort(ArrArray(ones(2, 2); device = HOST); dims = 3)
end
