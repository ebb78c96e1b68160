# SPDX-License-Identifier: MIT
# functions.jl: functions that a generator makes of the C API's: values against Base's, dimensions and positions from 1.

x = [1.0 3.0 5.0; 2.0 4.0 6.0]
v = [3.0, 1.0, 2.0, 0.0]
a, b = ArrArray(x; device = HOST), ArrArray(v; device = HOST)

@testset "$name" for (name, found, expected) in [
    ("append", Arr.append(b, ArrArray([9.0])), [v; 9]),
    ("delete", Arr.delete(b, [2, 4]), [3.0, 2.0]),
    ("delete_slice", Arr.delete_slice(b, 1, 3, 2), [1.0, 0.0]),
    ("insert", Arr.insert(b, 2, ArrArray([7.0])), [3.0, 7.0, 1.0, 2.0, 0.0]),
    ("insert_at", Arr.insert_at(b, [1, 5], ArrArray([7.0])), [7.0, 3.0, 1.0, 2.0, 0.0, 7.0]),
    ("repeat_elements", Arr.repeat_elements(a, 2; dims = 2), repeat(x; inner = (1, 2))),
    ("resize", Arr.resize(a, (3, 3)), reshape([vec(x); x[1:3]], 3, 3)),
    ("rot90", Arr.rot90(a), rotl90(x)),
    ("swapaxes", Arr.swapaxes(a, 1, 2), permutedims(x)),
    ("moveaxis", Arr.moveaxis(a, 1, 2), permutedims(x)),
    ("ravel", Arr.ravel(a), vec(x)),
    ("flatten", Arr.flatten(a; order = :c), vec(permutedims(x))),
    ("vstack", Arr.vstack((a, a)), [x; x]),
    ("hstack", Arr.hstack((a, a)), [x x]),
    ("diagflat", Arr.diagflat(ArrArray([1.0, 2.0])), [1.0 0.0; 0.0 2.0]),
    ("sliding_window_view", Arr.sliding_window_view(b, (2,)), [3.0 1.0; 1.0 2.0; 2.0 0.0]),
    ("as_strided", Arr.as_strided(b, (2, 2), (1, 1)), [3.0 1.0; 1.0 2.0]),
    ("trim_zeros", Arr.trim_zeros(b; ends = :back), v[1:3]),
    ("reinterpret_as", Arr.reinterpret_as(Int32, b), collect(reinterpret(Int32, v))),
    ("argwhere", Arr.argwhere(a), [I[k] for I in vec(collect(CartesianIndices(x))), k in 1:2]),
    ("choose", Arr.choose(ArrArray([2, 1]), (ArrArray([1.0, 2.0]), ArrArray([10.0, 20.0]))), [10.0, 2.0]),
    ("select", Arr.select((b .> 2,), (b,), -1.0), [3.0, -1.0, -1.0, -1.0]),
    ("percentile", Arr.percentile(a, 50; dims = 1), sum(x; dims = 1) ./ 2),
    ("topk", Arr.topk(b, 2)[2], [1, 3]),
    ("argpartition", Arr.argpartition(b, 1)[1:1], [4]),
    ("outer", Arr.outer(b, b), v * v'),
    ("union1d", Arr.union1d(b, ArrArray([1.0, 8.0])), [0.0, 1.0, 2.0, 3.0, 8.0]),
    ("intersect1d", Arr.intersect1d(b, ArrArray([1.0, 8.0])), [1.0]),
    ("full_like", Arr.full_like(a, 2), fill(2.0, 2, 3)),
    ("logspace", Arr.logspace(0, 2, 3), [1.0, 10.0, 100.0]),
    ("hanning", Arr.hanning(Float32, 3), Float32[0, 1, 0]),
    ("indices", Arr.indices((2, 1)), reshape([1 2; 1 1], 2, 2, 1)),
    ("histogram_bin_edges", Arr.histogram_bin_edges(a, 5), collect(1.0:6.0)),
    ("average_returned", Arr.average_returned(a; dims = 1)[2], fill(2.0, 1, 3)),
    ("polydegree", [Arr.polydegree(b)], [3]),
]
    @test Array(found) ≈ expected
    @test eltype(found) === eltype(expected)
end

@testset "lists and numbers" begin
    @test map(Array, Arr.unstack(a; dims = 2)) == (x[:, 1], x[:, 2], x[:, 3])
    @test map(size, Arr.split_at(a, [1]; dims = 2)) == ((2, 1), (2, 2))
    @test length(Arr.split_parts(a, 3; dims = 2)) == 3
    rows, columns = Arr.tril_indices(2, 2)
    @test Array(rows) == [1, 2, 2] && Array(columns) == [1, 1, 2]
    at = ArrArray([5, 2])
    @test map(Array, Arr.unravel_index(at, size(x))) == ([1, 2], [3, 1])
    @test Array(Arr.ravel_multi_index(Arr.unravel_index(at, size(x)), size(x))) == [5, 2]
    @test map(Array, Arr.meshgrid((ArrArray([1, 2]), ArrArray([3, 4, 5])))) == ([1 1 1; 2 2 2], [3 4 5; 3 4 5])
    @test Arr.percentile(a, 50) === 3.5
    @test Arr.matrix_rank(a) === 2
    @test Arr.array_equiv(a, a) === true
    @test Arr.nbytes(a) == 48 && Arr.item_f64(a, (2, 3)) == 6.0
    @test Arr.shares_memory(a, Arr.swapaxes(a, 1, 2), 0)
end

@testset "in place" begin
    c = copy(a)
    @test Array(Arr.place!(c, c .> 2, ArrArray([-1.0, -2.0]))) == [1 -1 -1; 2 -2 -2]
    @test Array(Arr.put_at!(copy(a), ArrArray([2, 6]), 0.0)) == [1 3 5; 0 4 0]
    @test Array(Arr.fill_diagonal!(copy(a), 9)) == [9 3 5; 2 9 6]
    @test Array(Arr.median!(ArrArray(zeros(1, 3)), a; dims = 1)) == [1.5 3.5 5.5]
    @test Array(Arr.var!(ArrArray(zeros(1, 3)), a; dims = 1)) == var(x; dims = 1)
    @test sort(Array(Arr.permutation!(Arr.Generator(1), ArrArray(zeros(Int, 5)), 5))) == 1:5
    @test Array(Arr.copy_where!(copy(b), ArrArray(-v); mask = b .> 1)) == [-3.0, 1.0, -2.0, 0.0]
    seen = Arr.swapaxes(c, 1, 2)
    c .= 0
    @test Array(seen) == zeros(3, 2)
end

@testset "numbers that are no elements are not written" begin
    a, mask, at = ArrArray([1, 2]), ArrArray([true, true]), ArrArray([1, 2])
    for write in (x -> Arr.putmask!(copy(a), mask, x), x -> Arr.place!(copy(a), mask, ArrArray([x])), x -> Arr.fill_diagonal!(ArrArray([1 2; 3 4]), x),
                  x -> Arr.put_at!(copy(a), at, x), x -> Arr.full_like(a, x), x -> fill!(copy(a), x))
        @test write(7) isa ArrArray{Int}
    end
    for write in (x -> Arr.putmask!(copy(a), mask, x), x -> Arr.fill_diagonal!(ArrArray([1 2; 3 4]), x),
                  x -> Arr.put_at!(copy(a), at, x), x -> Arr.full_like(a, x)), x in (1.5, 1 + 2im)
        @test_throws InexactError write(x)
    end
    @test Array(Arr.full_like(a, 1 + 2im; T = ComplexF64)) == [1 + 2im, 1 + 2im]
    @test Array(Arr.putmask!(copy(a), mask, 3.0)) == [3, 3]
end

@testset "refused" begin
    @test_throws ArgumentError Arr.trim_zeros(b; ends = :middle)
    @test_throws DimensionMismatch Arr.as_strided(b, (2, 2), (1,))
    @test_throws ArgumentError Arr.percentile(a, Float64[])
    @test_throws DimensionMismatch Arr.split_parts(a, 2; dims = 2)
end
