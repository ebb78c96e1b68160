# SPDX-License-Identifier: MIT
# sparse_arrays.jl: sparse arrays of any number of dimensions, in the words of sparse matrices.

"""
    Arr.SparseArray{T,N}(dims, (I, J, ...), V; device)

Makes a sparse array of coordinates on a device: element `k` is `V[k]` at `(I[k], J[k], ...)`; elements of one index are added. No
function changes it. `Arr.sparse_coords(A)` returns `(I, J, ...)`, `nonzeros(A)` the values. `Array(A)` copies to the host, `ArrArray(A)`
makes a dense array on the device. `Arr.SparseArray(A)` is of a dense array or of an [`Arr.SparseMatrix`](@ref), and
`Arr.sparse(A)` of a `SparseArray{T,2}` a matrix.
"""
mutable struct SparseArray{T,N}
    handle::LibArr.arr_sparse
    dims::Dims{N}
    nnz::Int
    SparseArray{T,N}(h::LibArr.arr_sparse, dims::Dims{N}, nnz::Int) where {T,N} = registered(new{T,N}(h, dims, nnz))
end
release(A::SparseArray) = (LibArr.arr_sparse_release(A.handle); nothing)
unsafe_free!(A::SparseArray) = finish(A)
Base.cconvert(::Type{LibArr.arr_sparse}, A::SparseArray) = A
Base.unsafe_convert(::Type{LibArr.arr_sparse}, A::SparseArray) = A.handle
Base.size(A::SparseArray) = A.dims
Base.size(A::SparseArray, d::Integer) = d <= ndims(A) ? A.dims[d] : 1
Base.ndims(::SparseArray{T,N}) where {T,N} = N
Base.length(A::SparseArray) = prod(A.dims)
Base.eltype(::Type{<:SparseArray{T}}) where {T} = T
Base.axes(A::SparseArray, d::Integer) = Base.OneTo(size(A, d))
SparseArrays.nnz(A::SparseArray) = A.nnz
SparseArrays.issparse(::SparseArray) = true

# The array that f(out) makes.
function sparse_array_made(@nospecialize(f))
    out, p = Ref(LibArr.arr_sparse()), Ref(LibArr.arr_sparse_properties(sizeof(LibArr.arr_sparse_properties), 0, 0, 0, 0, 0, 0))
    f(out)
    @check LibArr.arr_sparse_info(out[], p)
    n = Ref(Int32(0))
    @check LibArr.arr_sparse_shape(out[], Int32(0), C_NULL, n)
    extents = Vector{Int64}(undef, n[])
    @check LibArr.arr_sparse_shape(out[], n[], extents, C_NULL)
    SparseArray{eltype_of(p[].dtype),Int(n[])}(out[], Tuple(Int.(extents)), Int(p[].nnz))
end

function SparseArray(dims::Dims{N}, at::NTuple{N,AbstractVector{<:Integer}}, V::AbstractVector;
                     device::DeviceLike = default_device(V)) where {N}
    to, wide = Device(device), is_wide(dims, length(V))
    data, from = on_device(V, to), map(i -> shifted(i, wide, to), at)
    coords = LibArr.arr_array[i.handle for i in from]
    sparse_array_made(out -> GC.@preserve from @check LibArr.arr_sparse_coo_nd(Int32(N), Int64[dims...], data, coords, stream(), out))
end
SparseArray(a::AnyArr) = sparse_array_made(out -> @check LibArr.arr_sparse_from_dense(a, LibArr.ARR_SPARSE_COO, stream(), out))
SparseArray(a::AbstractArray; device::DeviceLike = device()) = SparseArray(ArrArray(a; device = device))
SparseArray(A::SparseMatrix) = shaped_rows(A, size(A))
function sparse(A::SparseArray{T,2}; format::Symbol = :csc) where {T}
    number = chosen("format", FORMATS, format)
    sparse_made(out -> @check LibArr.arr_sparse_convert(A, number, stream(), out))
end

SparseArrays.nonzeros(A::SparseArray{T}) where {T} =
    (out = Ref(LibArr.arr_array()); @check(LibArr.arr_sparse_part(A, LibArr.ARR_SPARSE_PART_DATA, out)); adopt(out[])::ArrArray{T,1})
device(A::SparseArray) = device(nonzeros(A))

"""Returns for each dimension the index of each stored element of a sparse array, as vectors on its device."""
sparse_coords(A::SparseArray) = ntuple(d -> made(out -> @check LibArr.arr_sparse_coords(A, axis(d), stream(), out)) .+ 1, ndims(A))

dense(A::SparseArray{T,N}) where {T,N} = take(out -> @check(LibArr.arr_sparse_to_dense(A, LibArr.ARR_ORDER_F, stream(), out)),
                                              ArrArray{T,N}, size(A))
ArrArray(A::SparseArray) = dense(A)
Base.Array(A::SparseArray) = Array(dense(A))

Base.summary(@nospecialize(io::IO), A::SparseArray{T,N}) where {T,N} = print(io, Base.dims2string(size(A)), " Arr.SparseArray{", T, ",", N, "}")
function Base.show(@nospecialize(io::IO), A::SparseArray)
    summary(io, A)
    A.handle.ptr == NO_HANDLE ? print(io, " (freed)") : print(io, " with ", nnz(A), " stored elements", where_text(nonzeros(A)))
end
Base.show(@nospecialize(io::IO), ::MIME"text/plain", A::SparseArray) = show(io, A)

# ---------------------------------------------------------------------------------------- structure

Base.permutedims(A::SparseArray{T,N}, order) where {T,N} =
    sparse_array_made(out -> @check LibArr.arr_sparse_permute_dims(A, Int32(length(order)), Int32[axis(d) for d in order], stream(), out))
reversed(A) = sparse_array_made(out -> @check LibArr.arr_sparse_permute_dims(A, Int32(0), C_NULL, stream(), out))
shaped_rows(A, dims) = sparse_array_made(out -> @check LibArr.arr_sparse_reshape_nd(A, Int32(length(dims)), Int64[dims...], stream(), out))
# The library counts row by row, Julia column by column.
function Base.reshape(A::SparseArray, dims::Dims)
    prod(dims) == length(A) || other_length(dims, length(A))
    reversed(shaped_rows(reversed(A), reverse(dims)))
end
Base.reshape(A::SparseArray, dims::Int...) = reshape(A, dims)
Base.reshape(A::SparseArray, dims::Union{Int,Colon}...) = reshape(A, with_colon(dims, length(A)))

function joined_arrays(entry, parts, d)
    all(A -> eltype(A) === eltype(parts[1]), parts) || throw(ArgumentError("arrays of one type of elements are joined"))
    list = LibArr.arr_sparse[A.handle for A in parts]
    sparse_array_made(out -> GC.@preserve parts @check entry(Int32(length(list)), list, axis(d), stream(), out))
end
Base.cat(A::SparseArray, rest::SparseArray...; dims::Integer) = joined_arrays(LibArr.arr_sparse_concatenate_nd, (A, rest...), dims)

"""
    stack(As; dims)

Joins sparse arrays of one size along a new dimension, after the others unless `dims` says where.
"""
stacked(parts, dims) = joined_arrays(LibArr.arr_sparse_stack, parts, dims === (:) ? ndims(parts[1]) + 1 : dims)
isdefined(Base, :stack) && @eval Base.stack(As::Union{Tuple{SparseArray,Vararg{SparseArray}},AbstractVector{<:SparseArray}}; dims = :) =
    stacked(Tuple(As), dims)

# Integers and ranges at once; then each list along its dimension, because Julia's lists are outer.
function Base.getindex(A::SparseArray{T,N}, I::Union{Colon,Integer,AbstractVector{<:Integer}}...) where {T,N}
    length(I) == N || throw(BoundsError(A, I))
    all(d -> in_axis(A, d, I[d]), 1:N) || throw(BoundsError(A, I))
    single(i) = LibArr.arr_index(LibArr.ARR_INDEX_INTEGER, 0, Int64(i) - 1, 0, 1, NO_ARRAY)
    rows = [i isa Integer ? single(i) : is_list(i) ? WHOLE_AXIS : index_of(A, d, i)[1] for (d, i) in enumerate(I)]
    B = part_at_rows(A, rows)
    d = 0
    for i in I
        i isa Integer && continue
        d += 1
        is_list(i) || continue
        at = positions(i, A)
        rows = [k == d ? by_array(at) : WHOLE_AXIS for k in 1:ndims(B)]
        B = GC.@preserve at part_at_rows(B, rows)
    end
    all(i -> i isa Integer, I) ? item(dense(B)) : B        # several elements of one index may be stored
end
part_at_rows(A, rows) = sparse_array_made(out -> @check LibArr.arr_sparse_get_items_nd(A, Int32(length(rows)), rows, stream(), out))

"""
    Base.setindex(A::Arr.SparseArray, B::Arr.SparseArray, I...)

Returns an array with `B` in place of `A[I...]`, of which one index at most is a vector or a mask; `A` does not change.
"""
function Base.setindex(A::SparseArray{T,N}, B::SparseArray, I::Union{Colon,Integer,AbstractVector{<:Integer}}...) where {T,N}
    length(I) == N && all(d -> in_axis(A, d, I[d]), 1:N) || throw(BoundsError(A, I))
    count(is_list, I) <= 1 || throw(ArgumentError("setindex: $(count(is_list, I)) vectors as indices, expected one at most"))
    kept = count(i -> !(i isa Integer), I)
    ndims(B) == kept || throw(DimensionMismatch("setindex: $(ndims(B)) dimensions, expected $kept as A[I...] has"))
    found = [index_of(A, d, i) for (d, i) in enumerate(I)]
    lists, rows, extents = map(last, found), map(first, found), collect(size(B))
    block = shaped_rows(B, [i isa Integer ? 1 : popfirst!(extents) for i in I])
    sparse_array_made(out -> GC.@preserve lists @check LibArr.arr_sparse_with_items_nd(A, Int32(N), rows, block, stream(), out))
end

# ---------------------------------------------------------------------------------------- reductions

function array_reduction(name::Symbol, A::SparseArray{T,N}, dims) where {T,N}
    row = REDUCTION_ROWS[name]
    R = reduced_type(row, T)
    list = dims === (:) ? Int32[] : Int32[axis(d) for d in unique(dims) if d <= N]
    along = dims === (:) ? C_NULL : list
    r = take(out -> @check(LibArr.arr_sparse_reduce_axes(row.number, A, Int32(length(list)), along, dims !== (:), Int32(0), stream(), out)),
             ArrArray{R,dims === (:) ? 0 : N}, dims === (:) ? () : ntuple(d -> d in dims ? 1 : size(A, d), N))
    dims === (:) || return r
    x = item(r)
    unsafe_free!(r)
    x
end
for (f, op) in ((:sum, +), (:prod, *), (:maximum, max), (:minimum, min))
    @eval Base.$f(A::SparseArray; dims = :) = array_reduction(reduction_of($op, eltype(A)), A, dims)
end
Statistics.mean(A::SparseArray; dims = :) = array_reduction(:mean, A, dims)

"""
    Arr.tensordot(A, B, dims_A, dims_B)

Computes the tensor product of two sparse arrays, summed over the dimensions `dims_A` of `A` with the `dims_B` of `B`, one after the other.
"""
tensordot(A::SparseArray, B::SparseArray, da, db) = sparse_array_made(out -> @check LibArr.arr_sparse_tensordot(
    A, B, Int32(length(da)), Int32[axis(d) for d in da], Int32[axis(d) for d in db], stream(), out))

function array_combined(f, A::SparseArray{S}, B::SparseArray{T}) where {S,T}
    S === T || throw(ArgumentError("$f: elements of $S and of $T; arrays of one type are combined"))
    sparse_array_made(out -> @check LibArr.arr_sparse_binary(sparse_op(f, 2), A, B, stream(), out))
end
Base.:+(A::SparseArray, B::SparseArray) = array_combined(+, A, B)
Base.:-(A::SparseArray, B::SparseArray) = array_combined(-, A, B)
Base.:(==)(A::SparseArray, B::SparseArray) = size(A) == size(B) && nnz(array_combined(!=, A, B)) == 0
