# SPDX-License-Identifier: MIT
# sparse_joining.jl: sparse matrices of other ones: joined, their triangles, Kronecker products, powers; diagonals.

# f(count, handles, format, out) of matrices in the format of the first, in Julia's common type.
function joined(@nospecialize(f), parts)
    T = promote_type(map(eltype, parts)...)
    same = map(A -> of_type(T, A), parts)
    list = LibArr.arr_sparse[A.handle for A in same]
    sparse_made(out -> GC.@preserve same f(Int32(length(list)), list, same[1].format, out))
end
concatenated(parts, axis) = joined((n, list, format, out) -> @check(LibArr.arr_sparse_concatenate(n, list, axis, format, stream(), out)), parts)
Base.vcat(A::SparseMatrix, rest::SparseMatrix...) = concatenated((A, rest...), Int32(0))
Base.hcat(A::SparseMatrix, rest::SparseMatrix...) = concatenated((A, rest...), Int32(1))
function Base.hvcat(rows::Tuple{Vararg{Int}}, A::SparseMatrix, rest::SparseMatrix...)
    parts, ends, n = (A, rest...), cumsum(collect(rows)), rows[1]
    regular = all(==(n), rows) && all(k -> size(parts[k], 2) == size(parts[mod1(k, n)], 2), eachindex(parts))
    regular || return vcat((hcat(parts[e-k+1:e]...) for (e, k) in zip(ends, rows))...)
    joined((count, list, format, out) -> @check(LibArr.arr_sparse_block(count, list, Int32(n), format, stream(), out)), parts)
end
SparseArrays.blockdiag(A::SparseMatrix, rest::SparseMatrix...) =
    joined((n, list, format, out) -> @check(LibArr.arr_sparse_block_diag(n, list, format, stream(), out)), (A, rest...))

LinearAlgebra.kron(A::SparseMatrix, B::SparseMatrix) =
    joined((n, list, format, out) -> @check(LibArr.arr_sparse_kron(list[1], list[2], format, stream(), out)), (A, B))

"""
    Arr.kronsum(A, B)

Returns the Kronecker sum of two square sparse matrices, `kron(I, A) + kron(B, I)`.
"""
kronsum(A::SparseMatrix, B::SparseMatrix) =
    joined((n, list, format, out) -> @check(LibArr.arr_sparse_kronsum(list[1], list[2], format, stream(), out)), (A, B))

Base.:^(A::SparseMatrix, n::Integer) = sparse_made(out -> @check LibArr.arr_sparse_matrix_power(A, Int64(n), stream(), out))

LinearAlgebra.tril(A::SparseMatrix, k::Integer = 0) = sparse_made(out -> @check LibArr.arr_sparse_tril(A, Int64(k), stream(), out))
LinearAlgebra.triu(A::SparseMatrix, k::Integer = 0) = sparse_made(out -> @check LibArr.arr_sparse_triu(A, Int64(k), stream(), out))
LinearAlgebra.diag(A::SparseMatrix, k::Integer = 0) = made(out -> @check LibArr.arr_sparse_diagonal(A, Int64(k), stream(), out))
LinearAlgebra.tr(A::SparseMatrix) = (LinearAlgebra.checksquare(A); sum(diag(A)))

"""
    Arr.with_diagonal(A, x, k = 0)

Returns a sparse matrix with a number, or the elements of a vector, on a diagonal: 0 is the main one, 1 the one above it, -1 the one
below it.
"""
function with_diagonal(A::SparseMatrix{T}, x::Union{Number,AbstractVector}, k::Integer = 0) where {T}
    v, values = Ref{Value}(), x isa Number ? nothing : same_type(T, on_device(x, device(A)))
    GC.@preserve values begin
        x isa Number ? (v[] = value(convert(T, x))) : LibArr.arr_value_array(v, values)
        sparse_made(out -> @check LibArr.arr_sparse_with_diagonal(A, v, Int64(k), stream(), out))
    end
end

# The library counts row by row, Julia column by column.
Base.reshape(A::SparseMatrix, dims::Dims{2}) = prod(dims) != length(A) ? other_length(dims, length(A)) : transpose(
    (B = transpose(A); sparse_made(out -> @check LibArr.arr_sparse_reshape(B, Int64(dims[2]), Int64(dims[1]), stream(), out))))
Base.reshape(A::SparseMatrix, dims::Tuple{Union{Int,Colon},Union{Int,Colon}}) = reshape(A, with_colon(dims, length(A))::Dims{2})
