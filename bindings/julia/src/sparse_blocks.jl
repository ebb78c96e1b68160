# SPDX-License-Identifier: MIT
# sparse_blocks.jl: sparse matrices as diagonals and as dense blocks, the forms of SciPy's dia_array and bsr_array.

"""
    Arr.sparse_dia(m, n, offsets, data; device)

Makes a sparse matrix of diagonals, columns of `data`: `data[j, k]` is in column `j` of the diagonal `offsets[k]`, where 0 is the
main one, 1 the one above it, -1 the one below it. Elements outside of the matrix are ignored, zeros are not stored.
"""
function sparse_dia(m::Integer, n::Integer, offsets::AbstractVector{<:Integer}, data::AbstractMatrix;
                    device::DeviceLike = default_device(data))
    to = Device(device)
    rows, at = transpose(on_device(data, to)), on_device(Int64.(offsets), to)
    sparse_made(out -> @check LibArr.arr_sparse_dia(Int64(m), Int64(n), rows, at, stream(), out))
end

"""
    Arr.dia_parts(A)

Returns `(offsets, data)` of the diagonals that have stored elements, as [`Arr.sparse_dia`](@ref) takes them.
"""
function dia_parts(A::SparseMatrix)
    data, offsets = Ref(LibArr.arr_array()), Ref(LibArr.arr_array())
    @check LibArr.arr_sparse_to_dia(A, stream(), data, offsets)
    packed(adopt(offsets[])), packed(transpose(adopt(data[])))
end

"""
    Arr.sparse_bsr(m, n, indptr, indices, blocks; device)

Makes a sparse matrix of dense blocks, `blocks[:, :, k]`: those of row `i` of blocks are `indptr[i]` to `indptr[i + 1] - 1`, in the
columns `indices[k]`, counted in blocks. All counts begin with 1. Equal blocks are added.
"""
function sparse_bsr(m::Integer, n::Integer, indptr::AbstractVector{<:Integer}, indices::AbstractVector{<:Integer},
                    blocks::AbstractArray{<:Any,3}; device::DeviceLike = default_device(blocks))
    to, wide = Device(device), is_wide((m, n), length(blocks))
    data = PermutedDimsArray(on_device(blocks, to), (3, 1, 2))
    first, second = shifted(indptr, wide, to), shifted(indices, wide, to)
    sparse_made(out -> @check LibArr.arr_sparse_bsr(Int64(m), Int64(n), data, second, first, stream(), out))
end

"""
    Arr.bsr_parts(A, r, c)

Returns `(indptr, indices, blocks)` of the blocks of `r` rows and `c` columns that have stored elements, as
[`Arr.sparse_bsr`](@ref) takes them.
"""
function bsr_parts(A::SparseMatrix, r::Integer, c::Integer)
    blocks, indices, indptr = Ref(LibArr.arr_array()), Ref(LibArr.arr_array()), Ref(LibArr.arr_array())
    @check LibArr.arr_sparse_to_bsr(A, Int64(r), Int64(c), stream(), blocks, indices, indptr)
    adopt(indptr[]) .+ 1, adopt(indices[]) .+ 1, packed(PermutedDimsArray(adopt(blocks[]), (2, 3, 1)))
end

# ------------------------------------------------------------------------------------------- files

"""
    Arr.save_npz(path, A; compressed = true)
    Arr.load_npz(path; device)

Writes a sparse matrix to a .npz file in SciPy's layout, or reads one.
"""
function save_npz(path::AbstractString, A::SparseMatrix; compressed::Bool = true)
    name = String(path)
    @check LibArr.arr_sparse_save_npz(A, name, Int64(sizeof(name)), compressed, stream())
end
function load_npz(path::AbstractString; device::DeviceLike = device())
    name = String(path)
    sparse_made(out -> @check LibArr.arr_sparse_load_npz(name, Int64(sizeof(name)), Ref(Device(device)), stream(), out))
end
@doc (@doc save_npz) load_npz

"""
    Arr.save_mtx(path, A; symmetry = :general, comment = "")
    Arr.load_mtx(path; device)

Writes a sparse matrix to a MatrixMarket file, or reads one. For a symmetry other than `:general` (`:symmetric`,
`:skew_symmetric`, `:hermitian`) the lower triangle is written; that the matrix has it is not checked.
"""
function save_mtx(path::AbstractString, A::SparseMatrix; symmetry::Symbol = :general, comment::AbstractString = "")
    haskey(symmetries, symmetry) ||
        throw(ArgumentError("symmetry: :$symmetry, expected one of $(keys(symmetries))"))
    name = String(path)
    @check LibArr.arr_sparse_save_mtx(A, name, Int64(sizeof(name)), Int32(symmetries[symmetry]), String(comment), stream())
end
const symmetries = (general = LibArr.ARR_MTX_GENERAL, symmetric = LibArr.ARR_MTX_SYMMETRIC,
                    skew_symmetric = LibArr.ARR_MTX_SKEW_SYMMETRIC, hermitian = LibArr.ARR_MTX_HERMITIAN)
function load_mtx(path::AbstractString; device::DeviceLike = device())
    name = String(path)
    sparse_made(out -> @check LibArr.arr_sparse_load_mtx(name, Int64(sizeof(name)), Ref(Device(device)), stream(), out))
end
@doc (@doc save_mtx) load_mtx
