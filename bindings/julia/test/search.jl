# SPDX-License-Identifier: MIT
# search.jl: indices against Base's functions, bins, interpolation.

@testset "indices among $T" for T in (Int32, Float32, Float64)
    a, x = sort(rand(T(1):T(9), 20)), rand(T(0):T(10), 4, 3)
    v, q = ArrArray(a; device = HOST), ArrArray(x; device = HOST)
    @test Array(searchsortedfirst(v, q)) == [searchsortedfirst(a, e) for e in x]
    @test Array(searchsortedlast(v, q)) == [searchsortedlast(a, e) for e in x]
    for e in (T(0), a[3], T(10), 4, 4.5)
        @test searchsortedfirst(v, e) === searchsortedfirst(a, e) && searchsortedlast(v, e) === searchsortedlast(a, e)
        @test searchsorted(v, e) == searchsorted(a, e)
    end
    @test size(searchsortedlast(v[1:2:end], q')) == (3, 4)
end

@testset "bins" begin
    x = ArrArray([0.5, 1.0, 2.5, 9.0]; device = HOST)
    @test Array(Arr.digitize(x, ArrArray([1.0, 2, 3]; device = HOST))) == [0, 1, 2, 3]
    @test Array(Arr.digitize(x, ArrArray([1.0, 2, 3]; device = HOST); right = true)) == [0, 0, 2, 3]
    @test Array(Arr.digitize(x, ArrArray([3.0, 2, 1]; device = HOST))) == [3, 2, 1, 0]
    @test occursin("must be monotonic", thrown(() -> Arr.digitize(x, ArrArray([1.0, 3, 2]; device = HOST)), ArgumentError))
end

@testset "interpolation" begin
    xp, fp = ArrArray([0.0, 1, 3]; device = HOST), ArrArray([1.0, 2, 0]; device = HOST)
    x = ArrArray([-1.0, 0.5, 2, 4]; device = HOST)
    @test Array(Arr.interp(x, xp, fp)) == [1, 1.5, 1, 0]
    @test Array(Arr.interp(x, xp, fp; left = -5, right = 7.0)) == [-5, 1.5, 1, 7]
    @test Array(Arr.interp(x, xp, fp; period = 4)) == [0, 1.5, 1, 1]
    @test Array(Arr.interp(x, xp, fp .* 1im)) == [1, 1.5, 1, 0] .* 1im
end
