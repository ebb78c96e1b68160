# SPDX-License-Identifier: MIT
# joining.jl: arrays joined, turned, repeated and padded against Julia's own.

on(x) = ArrArray(x; device = HOST)

@testset "joined: $S and $T" for (S, T) in ((Float64, Float64), (Int32, Float32), (Bool, Int8), (ComplexF32, Float32))
    x, y, v, w = S.(reshape(1:6, 2, 3) .% 2), T.(reshape(7:12, 2, 3) .% 3), S[1, 0], T[0, 1]
    a, b, c, d = on(x), on(y), on(v), on(w)
    for (got, want) in (([a; b], [x; y]), ([a b], [x y]), ([c; d], [v; w]), ([c d], [v w]), ([a d], [x w]), ([a b; b a], [x y; y x]),
                        (vcat(a, b, a), vcat(x, y, x)), (hcat(c, b), hcat(v, y)), (cat(a, b; dims = 1), cat(x, y; dims = 1)),
                        (cat(a, b; dims = 3), cat(x, y; dims = 3)), (cat(a, b; dims = (1, 2)), cat(x, y; dims = (1, 2))),
                        ([a'; b'], [x'; y']), (vcat(view(a, :, 1:2), view(b, :, 3:-1:2)), vcat(x[:, 1:2], y[:, 3:-1:2])))
        @test got isa Arr.AnyArr && eltype(got) === eltype(want)
        @test Array(got) == want
    end
    @test Array(Arr.stack(a, b)) == cat(x, y; dims = 3)
    @test Array(Arr.stack(a, b; dims = 1)) == permutedims(cat(x, y; dims = 3), (3, 1, 2))
    @test Array(Arr.stack(c, d; dims = 2)) == [v w]
    @test Array(repeat(a, 2, 3)) == repeat(x, 2, 3) && Array(circshift(a, (1, -1))) == circshift(x, (1, -1))
    @test Array(rotl90(a)) == rotl90(x) && Array(rotr90(a)) == rotr90(x) && Array(rot180(a)) == rot180(x)
end

@testset "numbers and arrays" begin
    x, y = [1.0, 2.0], ones(Float32, 1, 2)
    a, b = ArrArray(x), ArrArray(y)
    @test [1.0; a] isa ArrArray && Array([1.0; a]) == [1.0; x] && Array([a; 3; a]) == [x; 3; x]
    @test Array([1.0 b]) == [1.0 y] && Array([b 2]) == [y 2] && eltype([a; 3]) == Float64
    @test Array([1 b 2im]) == ComplexF32[1 1 1 2im] && Array(vcat(0, 1, 2, a, a, 5)) == [0; 1; 2; x; x; 5]
    for (got, want) in (([1; b], [1; y]), ([1; 2; b; b], [1; 2; y; y]), (vcat(0.5, a, b'), vcat(0.5, x, y')))
        @test Array(got) == want && eltype(got) == eltype(want)
    end
    @test_throws ArgumentError [1.0 a]
    @test_throws ArgumentError [b; 1]                 # numbers below a matrix are no rows, as in Base
    @test vcat(1, 2) == [1, 2] && [1 2; 3 4] isa Matrix{Int}
end

@testset "what does not join" begin
    a = on(ones(2, 3))
    @test_throws ArgumentError [a; on(ones(2, 2))]
    @test_throws ArgumentError [a on(ones(3, 3))]
    @test_throws DimensionMismatch Arr.stack(a, on(ones(2, 2)))
    @test_throws ArgumentError Arr.stack(a, a; dims = 4)
    @test works()
end

@testset "borders" begin
    x = reshape(1.0:6, 2, 3)
    a = on(collect(x))
    @test Array(Arr.pad(a, 1)) == [zeros(1, 5); zeros(2) x zeros(2); zeros(1, 5)]
    @test Array(Arr.pad(a, (0, (2, 1)); value = 9)) == [9 9 1 3 5 9; 9 9 2 4 6 9]
    @test Array(Arr.pad(on([1, 2, 3]), 2; mode = :reflect)) == [3, 2, 1, 2, 3, 2, 1]
    @test Array(Arr.pad(on([1, 2, 3]), 2; mode = :reflect, odd = true)) == [-1, 0, 1, 2, 3, 4, 5]
    @test Array(Arr.pad(on([1, 2, 3]), 2; mode = :wrap)) == [2, 3, 1, 2, 3, 1, 2]
    @test Array(Arr.pad(on([4.0]), 2; mode = :linear_ramp)) == [0, 2, 4, 2, 0]
    @test_throws ArgumentError Arr.pad(a, 1; mode = :none)
    @test_throws DimensionMismatch Arr.pad(a, (1,))
end
