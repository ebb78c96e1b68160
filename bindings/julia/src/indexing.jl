# SPDX-License-Identifier: MIT
# indexing.jl: single elements behind a guard, ranges as copies, views that share memory.

"""
    allowscalar(allow = true)
    allowscalar(f)

Sets whether this task may read and write single elements, which waits for the device each time and is the usual
reason for a slow program. Off at the start; the second form allows it while `f()` runs.

```jldoctest
julia> a = ArrArray([10, 20]);

julia> allowscalar() do
           a[1] + a[2]
       end
30
```
"""
allowscalar(allow::Bool = true) = (task_state().scalars = allow; nothing)
function allowscalar(f)
    s = task_state()
    before = s.scalars
    s.scalars = true
    try
        f()
    finally
        s.scalars = before
    end
end

"""
    @allowscalar expression

Allows single elements in one expression.

```jldoctest
julia> a = ArrArray([10, 20]);

julia> @allowscalar a[2]
20
```
"""
macro allowscalar(ex)
    # No function around the expression, so that a variable which it assigns is that of the surrounding code.
    s, before = gensym(), gensym()
    Expr(:block, :($(esc(s)) = $task_state()), :($(esc(before)) = $(esc(s)).scalars), :($(esc(s)).scalars = true),
         Expr(:tryfinally, esc(ex), :($(esc(s)).scalars = $(esc(before)))))
end

"""
    ScalarIndexingError

A single element was read or written where `allowscalar` does not allow it.
"""
struct ScalarIndexingError <: Exception
    what::String
end
Base.showerror(io::IO, e::ScalarIndexingError) =
    print(io, "ScalarIndexingError: ", e.what, ". Each single element is a wait for the device: use whole-array ",
          "operations, or Array(a) to copy to the host; or allow it by `allowscalar` or `@allowscalar`")

# Another package's permission, if that package is loaded.
const ALSO_ALLOWED = Ref{Any}(() -> false)
assert_scalar(what) = task_state().scalars || ALSO_ALLOWED[]() || throw(ScalarIndexingError(what))

# -------------------------------------------------------------------------------------- one element

function item(a::AnyArr{T,N}, at::NTuple{N,Int}) where {T,N}
    out = Ref{Value}()
    @check LibArr.arr_item(a, Int32(N), Int64[i - 1 for i in at], out)
    number(out[], T)
end
item(a::AnyArr{T}) where {T} = item(a, ntuple(_ -> 1, ndims(a)))

function put_item!(a::AnyArr{T,N}, x, at::NTuple{N,Int}) where {T,N}
    cell = element_view(a, at)
    @check LibArr.arr_fill(cell, Ref(value(convert(T, x))), stream())
    unsafe_free!(cell)
end
element_view(a::AnyArr{T,N}, at::NTuple{N,Int}) where {T,N} = slices(ArrStrided{T,N}, a, map(i -> i:i, at))

function Base.getindex(a::ArrArray, i::Int)
    assert_scalar("reading a[$i]")
    @boundscheck checkbounds(a, i)
    item(a, Tuple(CartesianIndices(a)[i]))
end
function Base.getindex(a::AnyArr{T,N}, at::Vararg{Int,N}) where {T,N}
    assert_scalar("reading a[$(join(at, ","))]")
    @boundscheck checkbounds(a, at...)
    item(a, at)
end
function Base.setindex!(a::ArrArray, x, i::Int)
    assert_scalar("writing a[$i]")
    @boundscheck checkbounds(a, i)
    put_item!(a, x, Tuple(CartesianIndices(a)[i]))
    a
end
function Base.setindex!(a::AnyArr{T,N}, x, at::Vararg{Int,N}) where {T,N}
    assert_scalar("writing a[$(join(at, ","))]")
    @boundscheck checkbounds(a, at...)
    put_item!(a, x, at)
    a
end
# One dimension: a[i] is both of the above.
function Base.getindex(a::ArrArray{T,1}, i::Int) where {T}
    assert_scalar("reading a[$i]")
    @boundscheck checkbounds(a, i)
    item(a, (i,))
end
function Base.setindex!(a::ArrArray{T,1}, x, i::Int) where {T}
    assert_scalar("writing a[$i]")
    @boundscheck checkbounds(a, i)
    put_item!(a, x, (i,))
    a
end

# -------------------------------------------------------------------------------------------- views

const Index = Union{Int,AbstractRange{<:Integer},Base.Slice}

# Python's slice of one dimension: start, stop (not included), step, counted from 0.
slice(r::AbstractRange) =
    isempty(r) ? (0, 0, 1) :
    (Int64(first(r)) - 1, last(r) + sign(step(r)) == 0 ? typemin(Int64) : Int64(last(r)) - 1 + sign(step(r)), Int64(step(r)))

# A view of as many dimensions.
function slices(::Type{V}, a::AnyArr{T,N}, ranges) where {V,T,N}
    parts = map(slice, ranges)
    start, stop, step = Int64[p[1] for p in parts], Int64[p[2] for p in parts], Int64[p[3] for p in parts]
    take_view(out -> @check(LibArr.arr_slice(a, Int32(N), start, stop, step, out)), V)
end

# Contiguous by the types of the indices alone: colons, then one range of step 1, then single positions.
contiguous(::Tuple{}) = true
contiguous(I::Tuple{Base.Slice,Vararg}) = contiguous(Base.tail(I))
contiguous(I::Tuple{AbstractUnitRange,Vararg}) = all(i -> i isa Int, Base.tail(I))
contiguous(I::Tuple{AbstractRange,Vararg}) = false
contiguous(I::Tuple{Int,Vararg}) = all(i -> i isa Int, Base.tail(I))

kept(I::Tuple) = length(filter(i -> !(i isa Int), I))

function share(a::AnyArr{T}, I::Tuple{Vararg{Index}}) where {T}
    full = slices(ArrStrided{T,ndims(a)}, a, map(i -> i isa Int ? (i:i) : i, I))
    single = Int32[axis(d) for d in eachindex(I) if I[d] isa Int]
    part = isempty(single) ? full :
        take_view(out -> @check(LibArr.arr_squeeze(full, Int32(length(single)), single, out)), ArrStrided{T,kept(I)})
    isempty(single) || unsafe_free!(full)
    a isa ArrArray && contiguous(I) ? as_array(part) : part
end

# A view that is ours alone, under the type that says it is contiguous.
function as_array(v::ArrStrided{T,N}) where {T,N}
    out = Ref(LibArr.arr_array())
    @check LibArr.arr_retain(v, out)
    unsafe_free!(v)
    ArrArray{T,N}(out[], size(v))
end

function indices(a::AnyArr, I::Tuple)
    all(i -> i isa Union{Integer,Colon,AbstractRange{<:Integer},Base.Slice}, I) || throw(ArgumentError(
        "indices of $(typeof(a)) are integers, colons, ranges, lists of integers or CartesianIndexes, and masks; got $(typeof.(I))"))
    check_indices(a, to_indices(a, I))
end
function check_indices(a, I)
    checkbounds(a, I...)
    map(i -> i isa Integer ? Int(i) : i, I[1:min(end, ndims(a))])
end

# Positions as one list of indices: each CartesianIndex is several.
flat(I::Tuple) = _flat(I...)
_flat() = ()
_flat(i::CartesianIndex, rest...) = (Tuple(i)..., _flat(rest...)...)
_flat(i::CartesianIndices, rest...) = (i.indices..., _flat(rest...)...)
_flat(i::Array{Any}, rest...) = (isempty(i) ? Int[] : map(identity, i), _flat(rest...)...)   # `[]` has this type
_flat(i, rest...) = (i, _flat(rest...)...)

# One index into several dimensions counts elements in column-major order.
linear(a::AnyArr, I::Tuple) = length(I) == 1 && ndims(a) > 1

# Base lets dimensions of extent 1 after the last index be left out, all of one element, and takes further indices of 1.
function padded(a::AnyArr, I::Tuple)
    isempty(I) && return length(a) == 1 ? ntuple(_ -> 1, ndims(a)) : throw(BoundsError(a, ()))
    n = sum(taken, I)
    n < ndims(a) && all(d -> size(a, d) == 1, n+1:ndims(a)) && return (I..., ntuple(_ -> 1, ndims(a) - n)...)
    n > ndims(a) && length(I) > 1 && I[end] isa Integer && I[end] == 1 ? padded(a, I[1:end-1]) : I
end

function Base.view(a::AnyArr, J...)
    I = flat(J)
    any(is_list, I) && return ArrSelection(listed_in(a, I))
    found = indices(linear(a, I) ? vec(a) : a, linear(a, I) ? I : padded(a, I))
    share(linear(a, I) ? vec(a) : a, found)
end

function Base.getindex(a::AnyArr, J...)
    I = flat(J)
    any(is_list, I) && return get_listed(a, I)
    source = linear(a, I) ? vec(column_major(a)) : a
    found = indices(source, padded(source, I))
    all(i -> i isa Int, found) && return Base.inferencebarrier(getindex)(source, found...)
    Base.inferencebarrier(copy)(share(source, found))
end

function Base.setindex!(a::AnyArr, x, J...)
    I = flat(J)
    any(is_list, I) && return set_listed!(a, x, I)
    target = linear(a, I) ? vec(a) : a
    found = indices(target, padded(target, I))
    all(i -> i isa Int, found) && return (Base.inferencebarrier(setindex!)(target, x, found...); a)
    part = share(target, found)
    if x isa AbstractArray
        # The type of the view is known now; inference would look into each copyto! of Base, as above into each setindex!.
        Base.inferencebarrier(write_view!)(part, x)
    else
        throw(ArgumentError("a[...] = x with a number x: write a[...] .= x"))
    end
    a
end

function write_view!(part::AnyArr, x::AbstractArray)
    Base.setindex_shape_check(x, size(part)...)
    copyto!(part, size(x) == size(part) ? x : reshape(x, size(part)))
end

# ------------------------------------------------------------------------- other shapes of one memory

# Base asks for the dimensions in several forms; they all end here.
@noinline other_length(@nospecialize(dims), n::Int) =
    throw(DimensionMismatch("new dimensions $dims must be consistent with array size $n"))
function Base.reshape(a::ArrArray{T}, dims::Dims{M}) where {T,M}
    prod(dims) == length(a) || other_length(dims, length(a))
    take(ArrArray{T,M}, dims, 0) do out                  # no new memory
        @check LibArr.arr_reshape(a, Int32(M), extents(dims), LibArr.ARR_ORDER_F, stream(), out)
    end
end
function Base.reshape(a::WithStrides{T}, dims::Dims{M}) where {T,M}
    prod(dims) == length(a) || other_length(dims, length(a))
    b = take_view(ArrStrided{T,M}) do out
        @check LibArr.arr_reshape(a, Int32(M), extents(dims), LibArr.ARR_ORDER_F, stream(), out)
    end
    isempty(a) || address(a) == address(b) ||
        throw(ArgumentError("the strides $(strides(a)) allow no view of dimensions $dims; take copy(a) first"))
    b
end
Base.reshape(a::AnyArr, dims::Tuple{Vararg{Union{Int,Colon},M}}) where {M} = reshape(a, with_colon(dims, length(a))::Dims{M})
# Compiled once, and not seen by inference, which would look into each reshape of Base.
function with_colon(@nospecialize(dims::Tuple), n::Int)
    known = 1
    for d in dims
        d isa Int && (known *= d)
    end
    count(d -> d isa Colon, dims) == 1 || throw(DimensionMismatch("new dimensions $dims: at most one Colon"))
    known > 0 && n % known == 0 ||
        throw(DimensionMismatch("array size $n must be divisible by the product of the new dimensions $dims"))
    Tuple(Any[d isa Int ? d : n ÷ known for d in dims])
end
Base.vec(a::ArrArray{T,1}) where {T} = a
Base.vec(a::AnyArr) = reshape(a, (length(a),))

function transposed(a::AnyArr{T,N}, perm) where {T,N}
    isperm(perm) && length(perm) == N ||
        throw(ArgumentError("permutation $(Tuple(perm)): expected one of 1:$N"))
    axes = Int32[axis(p) for p in perm]
    take_view(out -> @check(LibArr.arr_transpose(a, Int32(N), axes, out)), ArrStrided{T,N})
end

"""`PermutedDimsArray(a, perm)` shares memory and is an [`ArrStrided`](@ref), not a wrapper."""
Base.PermutedDimsArray(a::AnyArr, perm) = transposed(a, perm)
Base.permutedims(a::AnyArr, perm) = copy(transposed(a, perm))
Base.permutedims(a::AnyArr{T,2}) where {T} = copy(transposed(a, (2, 1)))
Base.permutedims(a::AnyArr{T,1}) where {T} = column_major(transpose(a))
Base.transpose(a::AnyArr{T,2}) where {T} = transposed(a, (2, 1))
function Base.transpose(a::AnyArr{T,1}) where {T}
    take_view(out -> @check(LibArr.arr_expand_dims(a, Int32(1), Int32[0], out)), ArrRow{T,2})
end
Base.transpose(a::ArrRow{T,2}) where {T} = vec(a)
# Real numbers have no conjugate to compute, so the adjoint shares memory; of complex ones it is a copy, which may not be
# written: what is written there would not be in `a`.
Base.adjoint(a::AnyArr{<:Real}) = transpose(a)
Base.adjoint(a::AnyArr{<:Complex}) = readonly(conj.(transpose(a)))
Base.adjoint(a::AnyArr{<:Complex,1}) = as_row(readonly(conj.(transpose(a))))
function readonly(a::ArrArray{T,N}) where {T,N}
    out = Ref(LibArr.arr_array())
    @check LibArr.arr_broadcast_to(a, Int32(N), extents(size(a)), out)
    ArrArray{T,N}(out[], size(a))
end

# A matrix of one row as the transpose of a vector.
as_row(a::AnyArr{T,2}) where {T} = take_view(out -> @check(LibArr.arr_retain(a, out)), ArrRow{T,2})

"""Returns the elements in reverse; a copy, as in Base. `view(a, n:-1:1)` shares memory."""
function Base.reverse(a::AnyArr{T,N}; dims = :) where {T,N}
    dims === (:) || all(d -> 1 <= d <= N, dims) || throw(ArgumentError("reverse: dims $dims of an array with $N dimensions"))
    axes = dims === (:) ? Int32[axis(d) for d in 1:N] : Int32[axis(d) for d in dims]
    copy(take_view(out -> @check(LibArr.arr_flip(a, Int32(length(axes)), axes, out)), ArrStrided{T,N}))
end

Base.dropdims(a::AnyArr; dims) = drop(a, Tuple(dims))
function drop(a::AnyArr{T,N}, dims::NTuple{M,Integer}) where {T,N,M}
    all(d -> size(a, d) == 1, dims) || throw(ArgumentError("dropped dims must all be size 1, got $(size(a)) and $dims"))
    reshape(a, Dims{N - M}(Tuple(Int[size(a, d) for d in 1:N if !(d in dims)])))
end
