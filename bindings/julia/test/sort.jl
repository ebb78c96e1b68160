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
