# SPDX-License-Identifier: MIT
# lists.jl: elements at lists of positions and where masks are true, against Julia's own.

x = reshape(collect(1.0:24.0), 4, 6)
a = ArrArray(x)
v = collect(10:10:50)
b = ArrArray(v)
m = x .% 5 .== 0

@testset "reading" begin
    for I in (([1, 3],), ([24, 1, 1],), ([1 2; 3 4],), (m,), (vec(m),))
        @test Array(a[I...]) == x[I...]
    end
    rows = [true, false, true, true]
    for I in (([1, 3], :), (:, [6, 1]), ([4, 1, 1], [2, 5]), (2, [3, 1]), (2:4, [3, 1]), ([1 2; 2 3], 6), (rows, 1:2:5),
              (rows, [1, 2]), (Int8[2, 3], :), (:, [2 3; 4 5]))
        @test Array(a[I...]) == x[I...]
        @test Array(transpose(a)[reverse(I)...]) == transpose(x)[reverse(I)...]
    end
    @test Array(b[ArrArray([5, 2])]) == v[[5, 2]] && Array(b[b .> 20]) == v[v .> 20]
    @test Array(b[Int[]]) == Int[] && size(a[Int[], :]) == (0, 6)
    c = ArrArray(reshape(x, 2, 2, 6))
    @test Array(c[[2, 1], :, [6, 1]]) == reshape(x, 2, 2, 6)[[2, 1], :, [6, 1]]
    @test Array(c[[2], 1, [6, 1]]) == reshape(x, 2, 2, 6)[[2], 1, [6, 1]]
    @test_throws BoundsError b[[1, 6]]
    @test_throws BoundsError b[[0]]
    for T in (Int8, UInt8, Int32, UInt64, Int64), list in (T[5, 1], T[5 1; 2 2], T[])   # on the device
        @test Array(b[ArrArray(list)]) == v[list]
        @test Array(a[ArrArray(list)]) == x[list] && Array(a[[2, 1], ArrArray(vec(list))]) == x[[2, 1], vec(list)]
    end
    for list in ([0], [6], [-1], [1, 6], UInt8[0], [typemax(UInt64)])
        at = ArrArray(list)
        text = r"argument indices: index (0|6|-1|18446744073709551615) along dimension 1 of extent 5, expected 1 to 5"
        for read in (() -> b[at], () -> b[at] = ones(length(list)), () -> Arr.update!(:add, b, 1, at), () -> copy(view(b, at)))
            error = try read(); nothing catch e e end
            @test error isa ArgumentError && occursin(text, error.msg)
        end
        @test Array(b) == v
    end
    @test_throws BoundsError a[[true, false], :]
end

@testset "writing" begin
    for (I, value) in ((([1, 3], :), ones(2, 6)), ((:, [6, 1]), reshape(1.0:8.0, 4, 2)), ((2, [3, 1]), [7.0, 8.0]),
                       (([4, 1], [2, 5]), [1.0 2.0; 3.0 4.0]), (([24, 3],), [5.0, 6.0]), ((m,), collect(1.0:sum(m))))
        y, d = copy(x), copy(a)
        y[I...] = value
        d[I...] = value
        @test Array(d) == y
    end
    y, d = copy(x), copy(a)
    y[[1, 3], :] .= -1
    d[[1, 3], :] .= -1
    @test Array(d) == y
    y[[2, 4], :] .= [5.0, 6.0]
    d[[2, 4], :] .= [5.0, 6.0]
    @test Array(d) == y
    y[m] .= 0
    d[m] .= 0
    @test Array(d) == y
    y[2, :] .= 9
    d[2, :] .= 9
    @test Array(d) == y
    @test_throws DimensionMismatch d[[1, 2], 1] = [1.0, 2.0, 3.0]
    @test_throws ArgumentError d[[1, 2], 1] = 1
end

@testset "CartesianIndexes and masks of some dimensions" begin
    y = reshape(collect(1:60), 3, 4, 5)
    c = ArrArray(y)
    indices = [CartesianIndex(3, 1), CartesianIndex(1, 4), CartesianIndex(1, 4)]
    grid = CartesianIndex.([1 2; 3 1], [4 1; 2 2])
    some = y[:, :, 1] .% 3 .== 0
    for I in (([CartesianIndex(2, 3, 4), CartesianIndex(1, 1, 1)],), (indices, 2), (indices, :), (2, CartesianIndex.(1:4, 2:5)),
              (grid, [5, 1]), (indices, 4:-1:2), (CartesianIndices((2:3, 1:2)), 3), (some, :), (some, 2:3), (2, y[1, :, :] .> 30),
              (some, [1, 2]), (CartesianIndices((1:2, 3:4, 5:5)),), (y .> 50,), (CartesianIndex(2, 2), [1, 5]),
              (CartesianIndex{3}[],))
        J = map(i -> i isa AbstractMatrix{Bool} ? findall(i) : i, I)  # Base 1.5 fails with a mask of two dimensions beside others
        @test Array(c[I...]) == y[J...]
        @test size(c[I...]) == size(y[J...])
        z, d = copy(y), copy(c)
        value = -reshape(1:length(y[J...]), size(y[J...]))
        z[J...] .= value  # of a matrix of CartesianIndexes Base's = wants other sizes
        d[I...] = value
        @test Array(d) == z
        z[J...] .+= 100
        d[I...] .+= 100
        @test Array(d) == z
    end
    t = transpose(a)
    @test Array(t[[CartesianIndex(6, 4), CartesianIndex(1, 2)]]) == transpose(x)[[CartesianIndex(6, 4), CartesianIndex(1, 2)]]
    d = copy(a)
    transpose(d)[[CartesianIndex(6, 4)]] = [-1.0]
    transpose(d)[transpose(m)] = fill(0.5, sum(m))
    @test @allowscalar(d[4, 6]) == -1 && all(d[m] .== 0.5)
    @test_throws BoundsError c[[CartesianIndex(4, 1)], 1]
    @test_throws BoundsError c[[CartesianIndex(1, 0)], 1]
    @test_throws BoundsError c[trues(3, 5), 1]
    @test_throws ArgumentError c[indices]
    @test_throws ArgumentError c[[CartesianIndex(2)]]
end

@testset "as many indices as dimensions, or not" begin
    y = reshape(collect(1.0:6.0), 2, 3, 1)
    c = ArrArray(y)
    for I in ((1, :), (:, 2), ([2, 1], :), (2:-1:1, [1, 3]), (:, :, 1, 1), (:, [1, 2], 1, 1), (1, 2:3, 1))
        @test Array(c[I...]) == y[I...]
    end
    @test Array(a[end, :]) == x[end, :] && Array(a[begin:2, end]) == x[begin:2, end] && Array(a[end:-1:end-1, [end, 1]]) == x[end:-1:end-1, [end, 1]]
    @test Array(a[end-3:end]) == x[end-3:end] && Array(b[begin:2:end]) == v[begin:2:end] && Array(a[:]) == x[:]
    @test Array(a[2:1, :]) == x[2:1, :] && Array(a[Int[], 2:1]) == x[Int[], 2:1]
    for I in (([],), ([], :), (2, []), ([], 1:2), (Any[2, 1], :))
        @test Array(a[I...]) == x[I...] && eltype(a[I...]) == eltype(x)
    end
    @test_throws BoundsError a[5, :]
    @test_throws Exception c[1]  # one element
end

@testset "findall" begin
    @test Array(findall(b .> 20)) == findall(v .> 20) && Array(findall(>(20), b)) == findall(>(20), v)
    @test findall(a .> 20) == findall(x .> 20) && count(a .> 20) == count(x .> 20)
    @test isempty(findall(b .> 99))
    @test Array(findall(in((2, 5, 21)), b)) == findall(in((2, 5, 21)), v) && findall(in(x[2, 1:2]), a) == findall(in(x[2, 1:2]), x)
    @test_throws TypeError findall(identity, b)
end
