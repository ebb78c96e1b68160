# SPDX-License-Identifier: MIT
# sparse_indexing.jl: parts of sparse matrices by indices, and matrices with other parts.

index_of(A, d, ::Colon) = WHOLE_AXIS, nothing
index_of(A, d, i::Integer) = index_of(A, d, i:i)
index_of(A, d, i::AbstractRange{<:Integer}) = (s = slice(i); LibArr.arr_index(LibArr.ARR_INDEX_SLICE, 0, s..., NO_ARRAY)), nothing
index_of(A, d, i) = (at = positions(i, A); by_array(at)), at

const SparseIndex = Union{Colon,Integer,AbstractVector{<:Integer}}
check_sparse(A, I, J) = in_axis(A, 1, I) && in_axis(A, 2, J) || throw(BoundsError(A, (I, J)))
in_axis(A, d, i) = i isa Colon || (is_list(i) ? inside(A, d, i) : checkindex(Bool, axes(A, d), i))

function part_at(A::SparseMatrix, I, J)
    (row, rows), (column, columns) = index_of(A, 1, I), index_of(A, 2, J)
    list = [row, column]
    sparse_made(out -> GC.@preserve rows columns @check LibArr.arr_sparse_get_items(A, Int32(2), list, stream(), out))
end

"""
    A[I, J], for a sparse matrix of Arr

Returns the rows `I` and the columns `J`, each a colon, a range, a vector of integers or a mask, as a sparse matrix; neighbouring rows
of compressed rows, and columns of compressed columns, share the elements. `A[i, J]` and `A[I, j]` are dense vectors. A vector of
`CartesianIndex` selects single elements. `Base.setindex(A, x, I, J)` makes a matrix with a number or a matrix `x` in place of them,
for `A` does not change.
"""
function Base.getindex(A::SparseMatrix, I::SparseIndex, J::SparseIndex)
    check_sparse(A, I, J)
    B = !(is_list(I) && is_list(J)) ? part_at(A, I, J) :
        A.format == LibArr.ARR_SPARSE_CSC ? part_at(part_at(A, :, J), I, :) : part_at(part_at(A, I, :), :, J)
    I isa Integer || J isa Integer ? vec(dense(B)) : B
end
function Base.getindex(A::SparseMatrix{T}, i::Int, j::Int) where {T}
    assert_scalar("reading A[$i,$j]")
    @boundscheck checkbounds(A, i, j)
    item(elements_at(A, [CartesianIndex(i, j)]))
end
Base.getindex(A::SparseMatrix, i::Integer, j::Integer) = A[Int(i), Int(j)]
Base.getindex(A::SparseMatrix, at::CartesianIndexArray{2}) = inside(A, 1, at) ? elements_at(A, at) : throw(BoundsError(A, (at,)))
function elements_at(A::SparseMatrix{T}, at::AbstractArray{CartesianIndex{2},N}) where {T,N}
    rows, columns = coordinates(at, A)
    made(out -> @check LibArr.arr_sparse_elements(A, rows, columns, stream(), out))
end

Base.setindex!(::SparseMatrix, x, I...) = throw(ArgumentError(
    "a sparse matrix does not change: Base.setindex(A, x, I, J) makes another one, nonzeros(A) can be written"))
function Base.setindex(A::SparseMatrix{T}, x, I::SparseIndex, J::SparseIndex) where {T}
    check_sparse(A, I, J)
    x isa SparseMatrix && !(is_list(I) && is_list(J)) && return with_block(A, x, I, J)
    rows, columns = map(d -> positions(list_of(A, d, (I, J)[d]), A), (1, 2))
    down, v = reshape(rows, (length(rows), 1)), Ref{Value}()
    values = x isa Number ? nothing : block_of(A, x, length(rows), length(columns))
    GC.@preserve values begin
        x isa Number ? (v[] = value(convert(T, x))) : LibArr.arr_value_array(v, values)
        sparse_made(out -> @check LibArr.arr_sparse_with_elements(A, down, columns, v, stream(), out))
    end
end
function with_block(A::SparseMatrix{T}, B::SparseMatrix, I, J) where {T}
    (row, rows), (column, columns) = index_of(A, 1, I), index_of(A, 2, J)
    list, block = [row, column], of_type(T, B)
    sparse_made(out -> GC.@preserve rows columns @check LibArr.arr_sparse_with_items(A, Int32(2), list, block, stream(), out))
end
list_of(A, d, ::Colon) = axes(A, d)
list_of(A, d, i::Integer) = i:i
list_of(A, d, i) = i
function block_of(A, x::AbstractArray, m, n)
    Base.setindex_shape_check(x, m, n)
    y = same_type(eltype(A), on_device(x isa SparseMatrix ? dense(x) : x, device(A)))
    reshape(y, (m, n))
end
