# SPDX-License-Identifier: MIT
# sets.jl: distinct elements and set operations against Base's.

@testset "sets of $T" for T in (Bool, Int8, UInt64, Int64, Float32, Float64)
    x, y = T.(rand(0:(T === Bool ? 1 : 9), 30)), T.(rand(0:(T === Bool ? 1 : 15), 20))
    v, w = ArrArray(x; device = HOST), ArrArray(y; device = HOST)
    @test Array(unique(v)) == unique(x)
    @test Array(unique(view(v, 30:-2:1))) == unique(x[30:-2:1])
    @test allunique(unique(v)) && !allunique(v)
    for f in (union, intersect, setdiff, symdiff)
        @test Array(f(v, w)) == f(x, y)
    end
    @test Array(in.(v, Ref(w))) == in.(x, Ref(y))
    @test Array(v .∉ Ref(w)) == (x .∉ Ref(y))
    u = Arr.unique_sorted(v)
    @test Array(u.values) == sort(unique(x))
    @test x[Array(u.indices)] == Array(u.values) == Array(v[u.indices])
    @test Array(u.values)[Array(u.inverse)] == x
    @test Array(u.counts) == [count(==(e), x) for e in Array(u.values)]
end

@testset "slices, shapes, nan" begin
    x = rand(1:2, 6, 3, 2)
    a = ArrArray(x; device = HOST)
    for dims in 1:3
        @test Array(unique(a; dims = dims)) == unique(x; dims = dims)
    end
    @test Array(unique(a)) == unique(x)
    @test Array(in.(a, Ref(ArrArray([2]; device = HOST)))) == (x .== 2)
    z = ArrArray([NaN, 1.0, -0.0, NaN, 0.0]; device = HOST)
    @test isequal(Array(unique(z)), [NaN, 1.0, -0.0])
    @test Array(setdiff(ArrArray([3.0, 1, 2]; device = HOST), z)) == [3.0, 2.0]
    @test_throws DimensionMismatch unique(a; dims = 4)
end
