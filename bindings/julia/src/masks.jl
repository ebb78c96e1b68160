# SPDX-License-Identifier: MIT
# masks.jl: elements at lists of positions and where a mask is true. The places are found on the device; only their number
# comes to the host.

const Mask = AbstractArray{Bool}

# Ranges are slices, which share memory; every other array of integers is a list.
is_list(i) = i isa AbstractArray{<:Integer} && !(i isa AbstractRange)

# The library counts from 0. Positions have no sign there, so that 0 here is out of range and not the last element.
from_zero(i::AnyArr) = made(out -> @check LibArr.arr_astype(Int64.(i) .- 1, LibArr.ARR_UINT64, LibArr.ARR_CAST_UNSAFE,
                                                          LibArr.ARR_ORDER_K, stream(), out))
on_device(i::AnyArr, a) = column_major(i)
on_device(i, a) = ArrArray(collect(i); device = device(a))
positions(i::Mask, a) = made(out -> @check LibArr.arr_flatnonzero(vec(on_device(i, a)), stream(), out))
positions(i, a) = from_zero(on_device(i, a))

# A mask of all elements has the array's size, or is a vector as long.
fits(a, mask) = size(mask) == size(a) || (ndims(mask) == 1 && length(mask) == length(a)) || throw(BoundsError(a, (mask,)))

function check_list(a, I, d)
    i = I[d]
    good = i isa Mask ? ndims(i) == 1 && length(i) == size(a, d) : i isa AnyArr || checkindex(Bool, axes(a, d), i)
    good || throw(BoundsError(a, I))
end

# A view whose dimensions are indexed by lists or taken whole, the indices in the library's form, the arrays that they
# name, and the size of what they select. Lists are outer: each has dimensions of its own in the result.
struct Listed{A<:AnyArr}
    array::A
    rows::Vector{LibArr.arr_index}
    kept::Vector{Any}
    size::Dims
end

function listed(a::AnyArr, I::Tuple)
    length(I) == ndims(a) || throw(ArgumentError(
        "a mask or a list is the only index, or there is one index for each dimension: got $(length(I)) for $(ndims(a))"))
    foreach(d -> is_list(I[d]) && check_list(a, I, d), eachindex(I))
    whole = map(i -> is_list(i) ? Colon() : i, I)
    v = all(i -> i isa Colon, whole) ? a : share(a, indices(a, whole))
    lists = Any[is_list(i) ? positions(i, a) : nothing for i in I if !(i isa Integer)]
    first, last = findfirst(!isnothing, lists), findlast(!isnothing, lists)
    for d in first:last  # neighbours stay in place
        lists[d] === nothing && (lists[d] = positions(1:size(v, d), a))
    end
    mesh = sum(ndims, lists[first:last])
    rows, before = Base.fill(LibArr.arr_index(LibArr.ARR_INDEX_ALL, 0, 0, 0, 0, NO_ARRAY), length(lists)), 0
    kept = Any[]
    for d in first:last
        n = ndims(lists[d])
        push!(kept, reshape(lists[d], ntuple(k -> before < k <= before + n ? size(lists[d], k - before) : 1, mesh)))
        rows[d] = LibArr.arr_index(LibArr.ARR_INDEX_ARRAY, 0, 0, 0, 0, last_handle(kept))
        before += n
    end
    dims = Int[]
    foreach(d -> lists[d] === nothing ? push!(dims, size(v, d)) : append!(dims, size(lists[d])), eachindex(lists))
    Listed(v, rows, kept, Tuple(dims))
end
last_handle(kept) = Base.unsafe_convert(LibArr.arr_array, Base.cconvert(LibArr.arr_array, kept[end]))

# The whole array as a vector where there is one index alone.
function listed_in(a::AnyArr, I::Tuple)
    I isa Tuple{Mask} && fits(a, I[1])
    length(I) == 1 && ndims(a) > 1 ? listed(vec(a), (I[1] isa Mask ? vec(I[1]) : I[1],)) : listed(a, I)
end

function get_listed(a::AnyArr, I::Tuple)
    source = length(I) == 1 && ndims(a) > 1 ? column_major(a) : a
    l = listed_in(source, I)
    GC.@preserve l made(out -> @check LibArr.arr_get_items(l.array, Int32(length(l.rows)), l.rows,
                                                           LibArr.ARR_BOUNDS_RAISE, stream(), out))
end

function set_rows!(l::Listed, v::Value)
    GC.@preserve l @check LibArr.arr_set_items(l.array, Int32(length(l.rows)), l.rows, Ref(v), LibArr.ARR_BOUNDS_RAISE,
                                               stream())
end
function set_rows!(l::Listed, x::AbstractArray)
    values = x isa AnyArr ? x : ArrArray(collect(x); device = device(l.array))
    T = eltype(l.array)
    values = eltype(values) == T ? values : T.(values)
    # Julia broadcasts by leading dimensions, the library by trailing ones.
    shaped = reshape(column_major(values), ntuple(k -> size(values, k), length(l.size)))
    v = Ref{Value}()
    GC.@preserve shaped l begin
        LibArr.arr_value_array(v, shaped)
        @check LibArr.arr_set_items(l.array, Int32(length(l.rows)), l.rows, v, LibArr.ARR_BOUNDS_RAISE, stream())
    end
end

function set_listed!(a::AnyArr, x, I::Tuple)
    x isa AbstractArray || throw(ArgumentError("a[...] = x with a number x: write a[...] .= x"))
    l = listed_in(a, I)
    Base.setindex_shape_check(x, l.size...)
    set_rows!(l, reshape(x, l.size))
    a
end

# The left side of `a[mask] .= x` and `a[list, :] .= x`.
struct Masked{A<:AnyArr,M<:Mask}
    array::A
    mask::M
end
Base.dotview(a::AnyArr, mask::Mask) = (fits(a, mask); Masked(a, mask))
function Base.dotview(a::AnyArr, J...)
    I = flat(J)
    any(is_list, I) ? listed_in(a, I) : view(a, I...)
end
Broadcast.materialize!(m::Union{Masked,Listed}, x) = Broadcast.materialize!(m, Broadcast.broadcasted(identity, x))
function Broadcast.materialize!(m::Masked, bc::Broadcasted{S}) where {S}
    x = Broadcast.materialize(bc)
    x isa Number || return set_listed!(m.array, x, (m.mask,))
    same = reshape(on_device(m.mask, m.array), size(m.array))
    m.array .= ifelse.(same, convert(eltype(m.array), x), m.array)
end
function Broadcast.materialize!(l::Listed, bc::Broadcasted{S}) where {S}
    x = Broadcast.materialize(bc)
    x isa Number ? set_rows!(l, value(convert(eltype(l.array), x))) : set_rows!(l, x)
    l.array
end

"""
    findall(mask)
    findall(f, a)

Base's functions: of a vector the positions as an array on its device, of more dimensions `CartesianIndex`es on the host.
"""
Base.findall(a::AnyArr{Bool,1}) = positions(a, a) .+ 1
Base.findall(a::AnyArr{Bool}) = vec(CartesianIndices(a))[Array(positions(a, a)) .+ 1]
Base.findall(f::Function, a::AnyArr) = findall(map(f, a))
