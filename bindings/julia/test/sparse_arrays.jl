# SPDX-License-Identifier: MIT
# sparse_arrays.jl: sparse arrays of any number of dimensions, against dense ones.

using SparseArrays, Statistics

const AT = ([1, 2, 1, 3, 1], [2, 1, 4, 4, 2], [5, 1, 1, 3, 5])                   # (1, 2, 5) is there twice
values_of(T) = T[2, -1, 3, 4, 1]
function dense_of(T)
    m = zeros(T, 3, 4, 5)
    for (k, v) in enumerate(values_of(T))
        m[AT[1][k], AT[2][k], AT[3][k]] += v
    end
    m
end
same(A, m) = A isa Arr.SparseArray && eltype(A) === eltype(m) && size(A) == size(m) && Array(A) == m

@testset "arrays of $T" for T in (Int8, Float64, ComplexF32)
    A, m = Arr.SparseArray((3, 4, 5), AT, values_of(T)), dense_of(T)
    @test same(A, m) && nnz(A) == 5 && issparse(A) && ndims(A) == 3 && length(A) == 60 && size(A, 2) == 4
    @test all(map((x, y) -> Array(x) == y, Arr.sparse_coords(A), AT)) && Array(nonzeros(A)) == values_of(T)
    @test same(Arr.SparseArray(ArrArray(m)), m) && same(Arr.SparseArray(m), m) && Array(ArrArray(A)) == m
    @test same(permutedims(A, (3, 1, 2)), permutedims(m, (3, 1, 2)))
    @test same(reshape(A, 5, :, 2), reshape(m, 5, :, 2)) && same(reshape(A, :), reshape(m, :))
    @test Array(Arr.sparse(reshape(A, 12, 5))) == reshape(m, 12, 5) && same(Arr.SparseArray(Arr.sparse(reshape(m, 12, 5))), reshape(m, 12, 5))
    for I in ((:, :, :), (2, :, :), (:, 4, 5:-2:1), (1:2, :, [5, 1, 5]), ([3, 1], [4, 2], :), (:, [true, false, true, true], 1), (Int[], :, 2),
              (ArrArray([1, 3]), 2:3, ArrArray([5, 5])))
        device_free = map(i -> i isa AbstractArray ? Array(i) : i, I)
        @test same(A[I...], m[device_free...])
    end
    B, p = Arr.SparseArray((3, 5), ([1, 3], [2, 5]), values_of(T)[1:2]), zeros(T, 3, 5)
    p[1, 2], p[3, 5] = values_of(T)[1:2]
    changed(I...) = (c = copy(m); c[I...] = p; c)
    @test same(Base.setindex(A, B, :, 4, :), changed(:, 4, :)) && same(Base.setindex(A, B, 3:-1:1, 1, [5, 4, 3, 2, 1]), changed(3:-1:1, 1, [5, 4, 3, 2, 1]))
    @test A[1, 2, 5] == m[1, 2, 5] && A[3, 1, 1] == 0
    @test same(cat(A, A; dims = 2), cat(m, m; dims = 2)) && same(A + A, m + m) && same(A - A, m - m) && A == A && A != A + A
    for dims in (1, (1, 3), (2,), (1, 2, 3))
        @test Array(sum(A; dims = dims)) == sum(m; dims = dims)
    end
    @test sum(A) == sum(m) && (T <: Complex || maximum(A) == maximum(m) && Array(minimum(A; dims = 3)) == minimum(m; dims = 3))
    p = reshape(reshape(permutedims(m, (2, 3, 1)), 20, 3)' * reshape(permutedims(m, (2, 3, 1)), 20, 3), 3, 3)
    T <: Complex || T === Int8 || @test Array(Arr.tensordot(A, A, (2, 3), (2, 3))) == p
    if isdefined(Base, :stack)
        @test same(stack((A, A)), cat(m, m; dims = 4)) && same(stack([A, A]; dims = 1), permutedims(cat(m, m; dims = 4), (4, 1, 2, 3)))
    end
    @test Array(mean(Arr.SparseArray(ones(2, 2, 2)); dims = 1)) == ones(1, 2, 2)
end

@testset "misuse" begin
    A = Arr.SparseArray((3, 4, 5), AT, values_of(Float64))
    @test occursin("3×4×5 Arr.SparseArray{Float64,3} with 5 stored elements", sprint(show, A))
    @test_throws BoundsError A[4, 1, 1]
    @test_throws BoundsError A[1, 1]
    @test_throws DimensionMismatch Base.setindex(A, A, 1, :, :)
    @test_throws ArgumentError Base.setindex(A, A, [1, 2, 3], [1, 2, 3, 4], :)
    @test_throws BoundsError A[:, [5], 1]
    @test_throws DimensionMismatch reshape(A, 7, 8)
    @test_throws DimensionMismatch cat(A, permutedims(A, (3, 2, 1)); dims = 1)
    @test_throws ArgumentError cat(A, Arr.SparseArray((3, 4, 5), AT, values_of(Int8)); dims = 1)
    @test occursin("coords[1]", thrown(() -> Arr.SparseArray((3, 4), ([1], [5]), [1.0]), ArgumentError))
    Arr.unsafe_free!(A)
    @test occursin("(freed)", sprint(show, A)) && occursin("freed", thrown(() -> sum(A), Arr.HandleError)) && works()
end
