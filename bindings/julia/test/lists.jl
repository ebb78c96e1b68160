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
    @test_throws Exception b[ArrArray([0])]
    @test_throws Exception b[ArrArray([6])]
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

@testset "findall" begin
    @test Array(findall(b .> 20)) == findall(v .> 20) && Array(findall(>(20), b)) == findall(>(20), v)
    @test findall(a .> 20) == findall(x .> 20) && count(a .> 20) == count(x .> 20)
    @test isempty(findall(b .> 99))
end
