# SPDX-License-Identifier: MIT
# finding.jl: searches from an index on, filters, arrangements in place, and errors of calls that change a size.

x = [3.0 1.0 4.0; 1.0 5.0 9.0]
v = [2, 7, 1, 8, 2]
a, b = ArrArray(x), ArrArray(v)

@testset "next and previous" begin
    for f in (>(2), ==(2), >(100)), i in 1:5
        @test findnext(f, b, i) === findnext(f, v, i) && findprev(f, b, i) === findprev(f, v, i)
        @test findnext(b .> 2, i) === findnext(v .> 2, i) && findprev(b .> 2, i) === findprev(v .> 2, i)
    end
    for i in CartesianIndices(x)
        @test findnext(>(3), a, i) === findnext(>(3), x, i) && findprev(>(3), a, i) === findprev(>(3), x, i)
        @test findnext(isone, a', CartesianIndex(i[2], i[1])) === findnext(isone, copy(x'), CartesianIndex(i[2], i[1]))
    end
    @test findnext(>(2), b, 6) === nothing && findprev(>(2), b, 0) === nothing
    @test_throws BoundsError findnext(>(2), b, 0)
    @test_throws BoundsError findprev(>(2), b, 6)
    @test_throws TypeError findnext(identity, b, 1)
end

@testset "filter" begin
    @test Array(filter(>(2), b)) == filter(>(2), v) && Array(filter(isodd, b)) == filter(isodd, v)
    @test Array(filter(>(3), a)) == filter(>(3), x) && isempty(filter(>(99), a))
    @test Array(filter(>(3), a')) == filter(>(3), copy(x'))
end

@testset "into arrays of a given size" begin
    number = ArrArray{Int64,0}(undef, ())
    counted() = Array(number)[]
    for (mask, m) in ((a .> 2, x .> 2), ((a .> 2)', copy((x .> 2)')), (a .> 99, x .> 99)), room in (0, 2, 9)
        all_of_them = LinearIndices(m)[findall(m)]
        want = [all_of_them; fill(-7, 9)][1:room]
        indices = ArrArray(zeros(Int64, room))
        @test Arr.findall!(indices, number, mask; fill = -7) === indices
        @test Array(indices) == want && counted() == count(m)
        from, y = size(m) == size(x) ? (a, x) : (a', copy(x'))
        taken = Arr.extract_sized!(ArrArray(zeros(room)), number, mask, from, 0.5)
        @test Array(taken) == [y[m]; fill(0.5, 9)][1:room] && counted() == count(m)
    end
    indices = ArrArray(zeros(Int64, 4))
    @test Array(Arr.findall!(>(2), indices, number, b)) == [2, 4, 0, 0] && counted() == 2
    columns = [true, false, true]
    for (room, want) in ((1, x[:, [1]]), (2, x[:, columns]), (3, [x[:, columns] [9.0, 9.0]]))
        dest = ArrArray(zeros(2, room))
        @test Array(Arr.compress_sized!(dest, number, ArrArray(columns), a, 9; dims = 2)) == want && counted() == 2
    end
    @test Array(Arr.compress_sized!(ArrArray(zeros(2, 3)), number, ArrArray([false, true]), a, 0; dims = 1)) == [x[[2], :]; 0 0 0]
    @test_throws MethodError Arr.findall!(ArrArray(zeros(4)), number, a .> 2)
    stream = Arr.Stream(Arr.device(a))
    graph, _ = Arr.capture(() -> Arr.findall!(>(2), indices, number, b), stream)
    c = copy(b)
    copyto!(b, [9, 0, 0, 0, 9])
    Arr.launch(graph, stream)
    synchronize(stream)
    @test Array(indices) == [1, 5, 0, 0] && counted() == 2
    copyto!(b, c)
end

@testset "one size" begin
    for f in (() -> push!(b, 1), () -> append!(b, [1, 2]), () -> append!(b, b), () -> pop!(b), () -> resize!(b, 2), () -> filter!(isodd, b),
              () -> deleteat!(b, 1), () -> insert!(b, 1, 2), () -> empty!(b), () -> splice!(b, 1), () -> prepend!(b, (1,)),
              () -> pushfirst!(b, 1), () -> popfirst!(b), () -> push!(b, 1, 2, 3))
        @test occursin("resized", thrown(f, ArgumentError))
    end
    @test Array(b) == v
end

@testset "in place" begin
    @test Array(reverse(b)) == reverse(v) && Array(reverse(b, 2)) == reverse(v, 2) && Array(reverse(b, 2, 4)) == reverse(v, 2, 4)
    c = copy(b)
    @test reverse!(c) === c && Array(c) == reverse(v)
    @test reverse!(c, 2, 4) === c && Array(c) == reverse!(reverse(v), 2, 4)
    @test Array(reverse!(copy(a); dims = 2)) == reverse(x; dims = 2)
    for f in (reverse, reverse!), d in (0, 3, (1, 3))
        @test occursin("dims $d", thrown(() -> f(copy(a); dims = d), ArgumentError))
    end
    for s in (0, 1, -2, 7, (1,), [2])
        @test Array(circshift!(similar(b), b, s)) == circshift(v, s)
    end
    @test Array(circshift!(similar(a), a, (1, -1))) == circshift(x, (1, -1)) && Array(circshift!(similar(a), a, ())) == x
    @test_throws ArgumentError circshift!(b, b, 1)
    @test_throws DimensionMismatch circshift!(similar(b, 3), b, 1)
    @test Array(permutedims!(similar(a, 3, 2), a, (2, 1))) == permutedims(x)
    @test_throws DimensionMismatch permutedims!(similar(a), a, (2, 1))
    @test Array([a; a]) == [x; x] && Array([a b[1:2]; b[1:2] a]) == [x v[1:2]; v[1:2] x]
end
