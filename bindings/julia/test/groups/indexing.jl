# SPDX-License-Identifier: MIT
# indexing.jl: single elements where they are allowed, ranges, lists, colons, masks, and writes through each of them.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

@testset "single elements of $T" for T in NUMBERS
    x = drawn(T, 3, 4)
    one_by_one(f) = a -> a isa Array ? f(a) : allowscalar(() -> f(a))
    for f in (a -> a[1], a -> a[5], a -> a[2, 3], a -> a[2, 3, 1], a -> a[CartesianIndex(3, 4)], a -> a[end], a -> a[end, 1], first, last,
              a -> a[13], a -> a[0], a -> a[4, 1], a -> (a[1] = 7; a), a -> (a[2, 3] = T(7); a), a -> (a[CartesianIndex(1, 2)] = 1; a),
              a -> (a[end] = 0; a), a -> (a[13] = 1; a), a -> getindex(a, 3), a -> setindex!(a, 3, 2, 2), a -> sum(e for e in a) ≈ sum(x),
              a -> [e for e in a] == x, a -> (v = view(a, :, 2); v[2]), a -> (v = view(a, 2, :); v[2] = 3; a), a -> a'[2, 3], a -> vec(a)[4],
              a -> only(view(a, 2:2, 2:2)), a -> a[isone.(zero(a)) .| true][2], a -> collect(Iterators.take(a, 2)) == x[1:2])
        @test compare(one_by_one(f), x)
    end
    @test compare(one_by_one(a -> a[]), fill(T(3)))
    @test compare(one_by_one(a -> (a[] = 2; a)), fill(T(3)))
    a = ArrArray(x)
    for f in (a -> a[1], a -> a[2, 3], a -> (a[1] = 7), a -> first(a), a -> [e for e in a], a -> a[CartesianIndex(1, 1)])
        @test_throws Arr.ScalarIndexingError f(a)
    end
    @test Array(a) == x
end

const INDICES = ((:,), (1:3,), (2:2:6,), (3:-1:1,), ([1, 3, 2],), ([5, 5, 1],), (Int32[2, 1],), (1:0,), (Int[],))
const INDICES2 = ((:, :), (:, 2), (2, :), (1:2, :), (:, 2:3), (1:2, 2:3), (3:-1:1, 1), ([1, 3], :), (:, [4, 1]), ([1, 3], [2, 2]), (2, 1:3),
                  ([2], 3), (1:0, :), ([1 2; 3 1], 2), (:, [true, false, true, true]), ([true, false, true], 2), (Base.OneTo(2), :),
                  (CartesianIndex(2, 3),), ([CartesianIndex(1, 2), CartesianIndex(3, 4)],), (CartesianIndices((1:2, 2:3)),), (:, :, 1))
const INDICES3 = ((:, :, 1), (1, :, :), (:, 2, 1:2), ([1, 2], :, 1), (:, [3, 1], [2, 1]), (1:2, 3, 2), (:, 5), (:, :),
                  (CartesianIndex(1, 2), :))

@testset "ranges, lists, colons of $T" for T in NUMBERS
    v, x, c = drawn(T, 6), drawn(T, 3, 4), drawn(T, 2, 3, 4)
    for (y, all) in ((v, INDICES), (x, INDICES2), (c, INDICES3), (x, INDICES)), i in all
        any(k -> k isa CartesianIndex && length(i) == 1, i) && continue
        @test compare(a -> a[i...], y)
        @test compare(a -> copy(view(a, i...)), y)
    end
    for i in ((0:2,), ([7],), ([0],))
        @test compare(a -> a[i...], v)
    end
    for i in ((4, :), (:, 5), (0, 1:2), ([4], :), (:, :, 2), (1:4, 1:5))
        @test compare(a -> a[i...], x)
        @test compare(a -> view(a, i...), x)
    end
    @test compare((a, i) -> a[i], v, [6, 1, 1])
    @test compare((a, i) -> a[i, :], x, [3, 1])
    @test compare((a, i) -> view(a, i, 2) .+ 0, x, [3, 1])
end

@testset "writes of $T" for T in NUMBERS
    v, x = drawn(T, 6), drawn(T, 3, 4)
    for i in INDICES
        @test compare((a, b) -> (a[i...] = b; a), v, drawn(T, length(v[i...])))
        @test compare(a -> (a[i...] .= 3; a), v)
        @test compare(a -> (view(a, i...) .= T(4); a), v)
    end
    for i in INDICES2
        x[i...] isa Number && continue
        # Base refuses an array for a matrix of positions beside another index.
        any(k -> k isa Matrix, i) || @test compare((a, b) -> (a[i...] = b; a), x, drawn(T, size(x[i...])...))
        @test compare(a -> (a[i...] .= 3; a), x)
        @test compare((a, b) -> (a[i...] .+= b; a), x, drawn(T, size(x[i...])...))
    end
    @test compare((a, b) -> (a[:, 2] = b; a), x, drawn(T, 4))
    @test compare((a, b) -> (a[7:8] = b; a), v, drawn(T, 2))
    @test compare((a, b) -> (a[1:2, 1] = b; a), x, drawn(Int16, 2))
    @test compare((a, b) -> (a[2, :] = b; a), x, drawn(T, 1, 4))
    @test compare(a -> (a[:] = a[end:-1:1]; a), v)
    @test compare(a -> (a[[1, 2]] = a[[2, 1]]; a), v)
end

@testset "masks of $T" for T in NUMBERS
    v, x = drawn(T, 6), drawn(T, 3, 4)
    few, some = isodd.(1:6), reshape(isodd.(1:12), 3, 4)
    for (y, m) in ((v, few), (x, some), (x, vec(some)), (v, falses(6)), (v, trues(6)), (x, Array(some)))
        @test compare(a -> a[m], y)
        @test compare((a, k) -> a[k], y, m)
        @test compare(a -> (a[m] .= 2; a), y)
        @test compare((a, k) -> (a[k] .= 2; a), y, m)
        @test compare((a, b) -> (a[m] = b; a), y, drawn(T, count(m)))
        @test compare((a, k) -> (a[k] .*= 2; a), y, m)
        @test compare((a, k) -> sum(view(a, k)), y, m)
    end
    @test compare(a -> a[a .== a[[1]]], v)
    @test compare(a -> a[[true, false]], v)
    @test compare((a, k) -> a[:, k], x, [true, false, false, true])
    @test compare((a, k) -> a[k, 1], x, [true, false, true])
    @test compare((a, b) -> a[b .> 3], v, drawn(Float64, 6))
end

@testset "views of $T" for T in (Int32, Float32, ComplexF64)
    x, c = drawn(T, 4, 5), drawn(T, 3, 4, 2)
    for f in (a -> view(a, :, 2:3), a -> view(a, 2, :), a -> view(view(a, 2:4, :), 1:2, 3), a -> view(a, 4:-1:1, 1:2:5), a -> view(a, 7:12),
              a -> view(a, :), a -> view(a, [1, 4], :) .+ 0, a -> (@view a[2:3, end]), a -> (@views a[1:2, :] .+ a[3:4, :]),
              a -> sum(view(a, 2:3, :); dims = 1), a -> view(a', 2:3, :), a -> reshape(view(a, :, 2:3), 2, 4), a -> prod(view(a, 1:2, 2); dims = 1),
              a -> vec(view(a, :, 1:2)), a -> copy(transpose(view(a, 1:2, 2:3))),
              a -> map(e -> e + 1, view(a, 2:3, 2:3)), a -> view(a, :, :, 1), a -> view(a, 2:1, :))
        @test compare(f, x)
    end
    for f in (a -> view(a, :, :, 2), a -> view(a, 1, :, :), a -> view(a, :, 2, 1), a -> view(a, 2:3, [1, 2], 1) .+ 0, a -> sum(view(a, :, 1, :)))
        @test compare(f, c)
    end
end
