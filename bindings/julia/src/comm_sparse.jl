# SPDX-License-Identifier: MIT
# comm_sparse.jl: collective operations and messages of sparse matrices. They wait in C.

sparse_handle(::Nothing) = LibArr.arr_sparse()
sparse_handle(A::SparseMatrix) = A.handle

"""
    Arr.sparse_broadcast(A, comm; root = 0)

Returns the matrix of rank `root` on all ranks; others pass `nothing`.
"""
sparse_broadcast(A::Union{SparseMatrix,Nothing}, c::Comm; root::Integer = 0) =
    GC.@preserve A sparse_made(out -> in_c(() -> @check LibArr.arr_comm_sparse_broadcast(c, sparse_handle(A), Int32(root), stream(), out)))

"""
    Arr.sparse_all_to_all(matrices, comm)

Sends a matrix to each rank, or `nothing`, and returns those that arrive, one for each rank.
"""
function sparse_all_to_all(matrices, c::Comm)
    given = LibArr.arr_sparse[sparse_handle(A) for A in matrices]
    out = Base.fill(LibArr.arr_sparse(), length(given))
    GC.@preserve matrices in_c(() -> @check LibArr.arr_comm_sparse_all_to_all(c, Int32(length(given)), given, stream(), out))
    [h == LibArr.arr_sparse() ? nothing : sparse_adopted(h) for h in out]
end

"""
    Arr.sparse_all_reduce(A, comm; op = +)

Combines the matrices of all ranks element by element.
"""
sparse_all_reduce(A::SparseMatrix, c::Comm; op = +) = sparse_reduced(A, c, op, -1)

"""The same on rank `root` only; `nothing` on others."""
sparse_reduce(A::SparseMatrix, c::Comm; op = +, root::Integer = 0) = sparse_reduced(A, c, op, root)
function sparse_reduced(A, c, op, root)
    out, by = Ref(LibArr.arr_sparse()), comm_reduction(op, eltype(A))
    in_c(() -> @check LibArr.arr_comm_sparse_reduce(c, A, by, Int32(root), stream(), out))
    out[] == LibArr.arr_sparse() ? nothing : sparse_adopted(out[])
end

"""Sends a sparse matrix to another rank."""
sparse_send(A::SparseMatrix, receiver::Integer, c::Comm) = in_c(() -> @check LibArr.arr_comm_sparse_send(c, A, Int32(receiver), stream()))

"""Receives a sparse matrix from another rank."""
sparse_recv(sender::Integer, c::Comm) = sparse_made(out -> in_c(() -> @check LibArr.arr_comm_sparse_recv(c, Int32(sender), stream(), out)))
