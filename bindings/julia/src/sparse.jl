# SPDX-License-Identifier: MIT
# sparse.jl: sparse matrices: how they are made, their parts, conversions. SparseArrays' names where it has them.

using SparseArrays: SparseMatrixCSC, blockdiag, dropzeros, findnz, nnz, nonzeros

"""
    Arr.SparseMatrix{T} <: SparseArrays.AbstractSparseMatrix{T,Int}

A sparse matrix on a device: its elements that are not 0, and where they are. It is made by [`Arr.sparse`](@ref) or
[`Arr.spdiagm`](@ref), of an identity by `Arr.SparseMatrix{T}(I, m, n; device)`, or of one-based compressed parts by

    Arr.SparseMatrix(m, n, indptr, indices, data; format = :csc, device)

whose format is `:csc`, compressed columns as in SparseArrays, or `:csr`, compressed rows. `Arr.SparseMatrix{T}(A)` converts
elements. No function changes a matrix: transposes and other results share parts with it where they can.

`SparseMatrixCSC(A)` and `Array(A)` copy to the host, `ArrArray(A)` makes a dense array on the device. Single elements wait for
the device, so that they need `allowscalar`.
"""
mutable struct SparseMatrix{T} <: SparseArrays.AbstractSparseMatrix{T,Int}
    handle::LibArr.arr_sparse
    dims::Dims{2}
    nnz::Int
    format::Int32
    SparseMatrix{T}(h::LibArr.arr_sparse, dims::Dims{2}, nnz::Int, format::Int32) where {T} = registered(new{T}(h, dims, nnz, format))
end
release(A::SparseMatrix) = (LibArr.arr_sparse_release(A.handle); nothing)
unsafe_free!(A::SparseMatrix) = finish(A)
Base.cconvert(::Type{LibArr.arr_sparse}, A::SparseMatrix) = A
Base.unsafe_convert(::Type{LibArr.arr_sparse}, A::SparseMatrix) = A.handle
Base.size(A::SparseMatrix) = A.dims
SparseArrays.nnz(A::SparseMatrix) = A.nnz
SparseArrays.issparse(::SparseMatrix) = true

# The matrix that f(out) makes.
function sparse_made(@nospecialize(f))
    out = Ref(LibArr.arr_sparse())
    f(out)
    sparse_adopted(out[])
end
function sparse_adopted(h::LibArr.arr_sparse)
    p = Ref(LibArr.arr_sparse_properties(sizeof(LibArr.arr_sparse_properties), 0, 0, 0, 0, 0, 0))
    @check LibArr.arr_sparse_info(h, p)
    T, i = eltype_of(p[].dtype), p[]
    A = SparseMatrix{T}(h, (Int(i.rows), Int(i.columns)), Int(i.nnz), Int32(i.format))
    relieve_pressure(i.nnz * (sizeof(T) + sizeof(Int32)))
    A
end

const FORMATS = (coo = LibArr.ARR_SPARSE_COO, csr = LibArr.ARR_SPARSE_CSR, csc = LibArr.ARR_SPARSE_CSC)

"""Returns the format of a sparse matrix: `:coo`, `:csr` or `:csc`."""
sparse_format(A::SparseMatrix) = keys(FORMATS)[A.format]

# ------------------------------------------------------------------------------------------- parts

function part(A::SparseMatrix, which::Int32)
    out = Ref(LibArr.arr_array())
    @check LibArr.arr_sparse_part(A, which, out)
    adopt(out[])
end

"""
    nonzeros(A::Arr.SparseMatrix)

Returns the stored elements in the order in which they are stored, without a copy: to write them changes the matrix, and all
that share them.
"""
SparseArrays.nonzeros(A::SparseMatrix{T}) where {T} = part(A, LibArr.ARR_SPARSE_PART_DATA)::ArrArray{T,1}

device(A::SparseMatrix) = device(nonzeros(A))

# The arrays of indices, counted from 0.
index_parts(A::SparseMatrix) = A.format == LibArr.ARR_SPARSE_COO ?
    (part(A, LibArr.ARR_SPARSE_PART_ROW), part(A, LibArr.ARR_SPARSE_PART_COL)) :
    (part(A, LibArr.ARR_SPARSE_PART_INDPTR), part(A, LibArr.ARR_SPARSE_PART_INDICES))

"""
    Arr.sparse_parts(A)

Returns `(I, J, V)` of coordinates, `(indptr, indices, data)` of compressed rows or columns: arrays on the device, indices
counted from 1.
"""
sparse_parts(A::SparseMatrix) = (map(x -> x .+ 1, index_parts(A))..., nonzeros(A))

"""Returns rows, columns and values of the stored elements, those of one row and column added, column by column."""
function SparseArrays.findnz(A::SparseMatrix)
    columns, rows, values = sparse_parts(sum_duplicates(sparse(transpose(A); format = :coo)))
    rows, columns, copy(values)
end

# One matrix of index arrays counted from 0 and data. The index arrays are the callers' no more: the library alone knows them
# then, and takes them without a copy.
function of_parts(format::Int32, dims, first::ArrArray, second::ArrArray, data::AnyArr)
    m, n = map(Int64, dims)
    A = sparse_made() do out
        if format == LibArr.ARR_SPARSE_COO
            @check LibArr.arr_sparse_coo(m, n, data, first, second, stream(), out)
        elseif format == LibArr.ARR_SPARSE_CSR
            @check LibArr.arr_sparse_csr(m, n, data, second, first, stream(), out)
        else
            @check LibArr.arr_sparse_csc(m, n, data, second, first, stream(), out)
        end
    end
    unsafe_free!(first)
    unsafe_free!(second)
    A
end

# Indices as the library counts them, in a new array, in one pass. One that does not fit stays one that is wrong.
minus_one(i::Integer) = (clamp(i, 0, typemax(Int32)) - 1) % Int32
function shifted(x::AnyArr, wide::Bool, to::Device)
    y = wide ? Int64.(x) .- 1 : minus_one.(x)
    device(y) == to ? y : ArrArray(y; device = to)
end
shifted(x::AbstractVector{<:Integer}, wide::Bool, to::Device) =
    ArrArray(wide ? Int64[i - 1 for i in x] : Int32[minus_one(i) for i in x]; device = to)
is_wide(dims, count) = max(dims..., count) > typemax(Int32)

on_device(x::AnyArr, to::Device) = moved(x, to)
on_device(x::AbstractArray, to::Device) = ArrArray(x; device = to)
default_device(data) = data isa AnyArr ? device(data) : device()

function SparseMatrix(m::Integer, n::Integer, indptr::AbstractVector{<:Integer}, indices::AbstractVector{<:Integer},
                      data::AbstractVector; format::Symbol = :csc, device::DeviceLike = default_device(data))
    to, wide = Device(device), is_wide((m, n), length(data))
    format in (:csc, :csr) || throw(ArgumentError("Arr.SparseMatrix: format is :$format, expected :csc or :csr"))
    of_parts(FORMATS[format], (m, n), shifted(indptr, wide, to), shifted(indices, wide, to), on_device(data, to))
end

# ---------------------------------------------------------------------------------------- creation

largest(x) = isempty(x) ? 0 : Int(maximum(x))

"""
    Arr.sparse(I, J, V, m = maximum(I), n = maximum(J); format = :csc, device)
    Arr.sparse(A; format, device)

Makes an [`Arr.SparseMatrix`](@ref): of coordinates, where elements of one row and column are added, except in the format
`:coo`; or of a matrix, a `SparseMatrixCSC` or another one of Julia, a dense one of Arr, or a sparse one in another format or
on another device.
"""
function sparse(I::AbstractVector{<:Integer}, J::AbstractVector{<:Integer}, V::AbstractVector, m::Integer = largest(I),
                n::Integer = largest(J); format::Symbol = :csc, device::DeviceLike = default_device(V))
    to, wide = Device(device), is_wide((m, n), length(V))
    A = of_parts(LibArr.ARR_SPARSE_COO, (m, n), shifted(I, wide, to), shifted(J, wide, to), on_device(V, to))
    sparse(A; format = format)
end
SparseArrays.sparse(I::Vect{<:Integer}, J::Vect{<:Integer}, V::Vect, m::Integer, n::Integer) = sparse(I, J, V, m, n)
SparseArrays.sparse(I::Vect{<:Integer}, J::Vect{<:Integer}, V::Vect) = sparse(I, J, V)

function sparse(S::SparseMatrixCSC; format::Symbol = :csc, device::DeviceLike = device())
    count = nnz(S)                              # the vectors may be longer
    rows, data = length(S.nzval) == count ? (S.rowval, S.nzval) : (S.rowval[1:count], S.nzval[1:count])
    sparse(SparseMatrix(size(S)..., S.colptr, rows, data; device = device); format = format)
end
function sparse(a::Mat; format::Symbol = :csc)
    number = chosen("format", FORMATS, format)
    sparse_made(out -> @check LibArr.arr_sparse_from_dense(a, number, stream(), out))
end
sparse(A::AbstractMatrix; kw...) = sparse(SparseMatrixCSC(A); kw...)
function sparse(A::SparseMatrix; format::Symbol = sparse_format(A), device::DeviceLike = device(A))
    number, to = chosen("format", FORMATS, format), Device(device)
    A = Arr.device(A) == to ? A : of_parts(A.format, A.dims, map(x -> ArrArray(x; device = to), index_parts(A))...,
                                           ArrArray(nonzeros(A); device = to))
    A.format == number ? A : sparse_made(out -> @check LibArr.arr_sparse_convert(A, number, stream(), out))
end
SparseArrays.sparse(a::Mat) = sparse(a)
SparseArrays.sparse(A::SparseMatrix) = A
SparseMatrix(A::AbstractMatrix; kw...) = sparse(A; kw...)
SparseMatrix{T}(A::AbstractMatrix; kw...) where {T} = of_type(T, sparse(A; kw...))
SparseMatrix{T}(A::SparseMatrix; kw...) where {T} = of_type(T, sparse(A; kw...))
of_type(::Type{T}, A::SparseMatrix{T}) where {T} = A
of_type(::Type{T}, A::SparseMatrix) where {T} =
    sparse_made(out -> @check LibArr.arr_sparse_astype(A, dtype(T), LibArr.ARR_CAST_SAME_KIND, stream(), out))

"""Shares the data of a matrix of SparseArrays with a matrix on the host; the indices are copied in one pass."""
wrap(S::SparseMatrixCSC) = length(S.nzval) == nnz(S) ? SparseMatrix(size(S)..., S.colptr, S.rowval, wrap(S.nzval)) :
    throw(ArgumentError("wrap: $(length(S.nzval)) values, expected as many as elements are stored, $(nnz(S))"))

SparseMatrix{T}(u::UniformScaling, m::Integer, n::Integer = m; device::DeviceLike = device()) where {T} =
    isone(u.λ) ? eye(T, m, n, Device(device)) : T(u.λ) * eye(T, m, n, Device(device))
SparseMatrix(u::UniformScaling{T}, m::Integer, n::Integer = m; kw...) where {T} = SparseMatrix{T}(u, m, n; kw...)

"""
    Arr.sprand([generator,] [T = Float64,] m, n, density; format = :csc, device)

Makes a sparse matrix of random elements at random indices: `round(density * m * n)` of them, where SparseArrays draws their
number too. Floats are uniform in [0, 1), integers over their range.
"""
sprand(m::Integer, n::Integer, density::Real; kw...) = sprand(generator(), Float64, m, n, density; kw...)
sprand(::Type{T}, m::Integer, n::Integer, density::Real; kw...) where {T} = sprand(generator(), T, m, n, density; kw...)
sprand(g::Generator, m::Integer, n::Integer, density::Real; kw...) = sprand(g, Float64, m, n, density; kw...)
function sprand(g::Generator, ::Type{T}, m::Integer, n::Integer, density::Real; format::Symbol = :csc, device::DeviceLike = device()) where {T}
    haskey(FORMATS, format) || throw(ArgumentError("Arr.sprand: format is :$format, expected one of $(keys(FORMATS))"))
    sparse_made() do out
        @check LibArr.arr_sparse_random(g, Int64(m), Int64(n), Float64(density), FORMATS[format], dtype(T), Ref(Device(device)), stream(), out)
    end
end
eye(T, m, n, d::Device) =
    sparse_made(out -> @check LibArr.arr_sparse_eye(Int64(m), Int64(n), Int64(0), dtype(T), Ref(d), stream(), out))

"""
    Arr.spdiagm([m, n,] k => v...; device)

Makes a sparse matrix with vectors on diagonals: 0 is the main one, 1 the one above it, -1 the one below it. With `m` and `n` each
is as long as its diagonal, or has one element, which is repeated. The format is `:csr`.
"""
function spdiagm(m::Integer, n::Integer, parts::Pair{<:Integer,<:AbstractVector}...; device::DeviceLike = default_device(parts[1][2]))
    vectors = AnyArr[on_device(v, Device(device)) for (_, v) in parts]
    list, offsets = LibArr.arr_array[v.handle for v in vectors], Int64[k for (k, _) in parts]
    sparse_made(out -> GC.@preserve vectors @check LibArr.arr_sparse_diags(Int64(m), Int64(n), Int32(length(list)), list, offsets,
                                                                           stream(), out))
end
function spdiagm(parts::Pair{<:Integer,<:AbstractVector}...; kw...)
    n = maximum(length(v) + abs(k) for (k, v) in parts)
    spdiagm(n, n, parts...; kw...)
end
SparseArrays.spdiagm(m::Integer, n::Integer, parts::Pair{<:Integer,<:Vect}...) = spdiagm(m, n, parts...)
SparseArrays.spdiagm(parts::Pair{<:Integer,<:Vect}...) = spdiagm(parts...)

# -------------------------------------------------------------------------------------- conversion

"""Returns whether elements are in order, and no two in one row and column."""
function iscanonical(A::SparseMatrix)
    out = Ref(false)
    @check LibArr.arr_sparse_is_canonical(A, stream(), out)
    out[]
end

"""Returns the matrix with its elements in order, those of one row and column added; itself if they are so."""
sum_duplicates(A::SparseMatrix) = sparse_made(out -> @check LibArr.arr_sparse_sum_duplicates(A, stream(), out))
SparseArrays.dropzeros(A::SparseMatrix) = sparse_made(out -> @check LibArr.arr_sparse_eliminate_zeros(A, stream(), out))
# Data may be written, indices, which both share, not.
Base.copy(A::SparseMatrix) = of_data(A, copy(nonzeros(A)))
of_data(A::SparseMatrix, data::AnyArr) = sparse_made(out -> @check LibArr.arr_sparse_with_data(A, data, stream(), out))

dense(A::SparseMatrix{T}) where {T} = take(ArrArray{T,2}, size(A)) do out
    @check LibArr.arr_sparse_to_dense(A, LibArr.ARR_ORDER_F, stream(), out)
end
ArrArray{T,2}(A::SparseMatrix; device::DeviceLike = device(A)) where {T} = moved(same_type(T, dense(A)), Device(device))
Base.Array{S,2}(A::SparseMatrix) where {S} = Array{S,2}(dense(A))
Base.Array{S}(A::SparseMatrix) where {S} = Array{S,2}(A)
Base.Array(A::SparseMatrix{T}) where {T} = Array{T,2}(A)
Base.Matrix(A::SparseMatrix{T}) where {T} = Array{T,2}(A)
Base.collect(A::SparseMatrix) = Array(A)

function SparseArrays.SparseMatrixCSC{S,K}(A::SparseMatrix) where {S,K<:Integer}
    C = sum_duplicates(sparse(A; format = :csc))
    pointers, indices = map(x -> K[i + 1 for i in Array(x)], index_parts(C))
    SparseMatrixCSC{S,K}(size(A)..., pointers, indices, Array{S}(nonzeros(C)))
end
SparseArrays.SparseMatrixCSC{S}(A::SparseMatrix) where {S} = SparseMatrixCSC{S,Int}(A)
SparseArrays.SparseMatrixCSC{S}(A::SparseMatrix{S}) where {S} = SparseMatrixCSC{S,Int}(A)
SparseArrays.SparseMatrixCSC(A::SparseMatrix{T}) where {T} = SparseMatrixCSC{T,Int}(A)

Base.similar(A::SparseMatrix, ::Type{T}, dims::Dims{N}) where {T,N} = ArrArray{T,N}(undef, dims; device = device(A))

Base.summary(@nospecialize(io::IO), A::SparseMatrix{T}) where {T} = print(io, Base.dims2string(size(A)), " Arr.SparseMatrix{", T, "}")
function Base.show(@nospecialize(io::IO), A::SparseMatrix)
    summary(io, A)
    A.handle.ptr == NO_HANDLE ? print(io, " (freed)") :
        print(io, " (", sparse_format(A), ") with ", nnz(A), " stored elements", where_text(nonzeros(A)))
end
Base.show(@nospecialize(io::IO), ::MIME"text/plain", A::SparseMatrix) = show(io, A)
