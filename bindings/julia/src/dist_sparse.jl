# SPDX-License-Identifier: MIT
# dist_sparse.jl: sparse matrices whose rows are divided among ranks.

"""
    Arr.DistSparse(comm, rows; counts = nothing)

The sparse matrix of the rows of all ranks, of which each has consecutive ones, in the order of ranks; all ranks call this.
`counts` has the number of elements that each rank has of a vector that is multiplied; without it, as many as rows.

`A * x` and `mul!(y, A, x)` compute this rank's part of a product; `A'` and `transpose(A)` are operators. Solvers such as
[`Arr.cg`](@ref) take `Arr.LinearOperator(A)`. These calls wait in C for the other ranks: ranks are processes of MPI, or
threads of which none waits for a garbage collection.
"""
mutable struct DistSparse{T}
    handle::LibArr.arr_dist_sparse
    dims::Dims{2}
    DistSparse{T}(h::LibArr.arr_dist_sparse, dims::Dims{2}) where {T} = registered(new{T}(h, dims))
end
release(A::DistSparse) = (LibArr.arr_dist_sparse_release(A.handle); nothing)
unsafe_free!(A::DistSparse) = finish(A)
Base.cconvert(::Type{LibArr.arr_dist_sparse}, A::DistSparse) = A
Base.unsafe_convert(::Type{LibArr.arr_dist_sparse}, A::DistSparse) = A.handle
Base.size(A::DistSparse) = A.dims
Base.size(A::DistSparse, d::Integer) = d <= 2 ? A.dims[d] : 1
Base.eltype(::Type{DistSparse{T}}) where {T} = T

function DistSparse(c::Comm, rows::SparseMatrix{T}; counts = nothing) where {T}
    n, list = comm_counts(counts)
    out = Ref(LibArr.arr_dist_sparse())
    waiting(() -> @check LibArr.arr_dist_sparse_create(c, rows, n, list, stream(), out))
    p = dist_sparse_properties(out[])
    DistSparse{T}(out[], (Int(p.rows), Int(p.columns)))
end

function dist_sparse_properties(h)
    p = Ref(LibArr.arr_dist_sparse_properties(sizeof(LibArr.arr_dist_sparse_properties), ntuple(_ -> Int64(0), 11)...))
    @check LibArr.arr_dist_sparse_info(h, p)
    p[]
end

"""
Returns the properties of a matrix over ranks: `whole`, its size, and `whole_nnz`; `nnz` of this rank; `received` and `sent`, the
elements of a vector that go between this rank and others for a product.
"""
function dist_sparse_info(A::DistSparse)
    p = dist_sparse_properties(A)
    (whole = (Int(p.whole_rows), Int(p.whole_columns)), whole_nnz = Int(p.whole_nnz), nnz = Int(p.nnz), received = Int(p.received), sent = Int(p.sent))
end

"""Returns the block of this rank's rows and of the columns whose elements it has, of which preconditioners are made."""
dist_sparse_block(A::DistSparse) = sparse_made(out -> @check LibArr.arr_dist_sparse_block(A, out))

"""
    Arr.LinearOperator(A::Arr.DistSparse)
    Arr.linop_over(A::Arr.LinearOperator, comm)

An operator whose vectors are the parts of the ranks: of a matrix, or with the products of an operator of this rank, such as a
function that exchanges what it needs. Solvers combine the sums of all ranks; all of them call the solver.
"""
LinearOperator(A::DistSparse) = linop_made(out -> @check LibArr.arr_linop_from_dist_sparse(A, out))

"""Returns the operator with the same products, whose vectors are the parts of the ranks; all of them call it."""
linop_over(A::LinearOperator, c::Comm) = waiting(() -> linop_made(out -> @check(LibArr.arr_linop_over(A, c, out)), A.roots))

function Base.:*(A::DistSparse{S}, x::Union{Vect{T},Mat{T}}) where {S,T}
    y, out = same_type(product_type(S, T), x), Ref(LibArr.arr_array())
    waiting(() -> @check LibArr.arr_dist_sparse_matmul(A, y, LibArr.ARR_MATRIX_PLAIN, stream(), out))
    packed(adopt(out[]))
end
function LinearAlgebra.mul!(y::AnyArr, A::DistSparse, x::AnyArr)
    waiting(() -> @check LibArr.arr_dist_sparse_matmul_into(y, A, x, LibArr.ARR_MATRIX_PLAIN, stream()))
    y
end
Base.adjoint(A::DistSparse) = LinearOperator(A)'
Base.transpose(A::DistSparse) = transpose(LinearOperator(A))
