# SPDX-License-Identifier: MIT
# masks.jl: elements at index vectors and where a mask is true. The indices are found on the device; only their number
# comes to the host.

const Mask = AbstractArray{Bool}
const CartesianIndexArray{M} = AbstractArray{CartesianIndex{M}}

# Ranges are slices, which share memory; every other array of integers or of CartesianIndexes is a list.
is_list(i) = i isa Union{AbstractArray{<:Integer},AbstractArray{<:CartesianIndex}} && !(i isa AbstractRange)

# The number of dimensions that an index stands for.
taken(i) = 1
taken(i::Mask) = ndims(i)
taken(::CartesianIndexArray{M}) where {M} = M

# The library counts from 0. Positions have no sign there, so that 0 here is out of range and not the last element.
# One pass over the list, whose result is read under the other type.
function from_zero(i::AnyArr)
    positions = Int64.(i) .- 1
    made(out -> @check LibArr.arr_view(positions, LibArr.ARR_UINT64, out))
end
on_device(i::AnyArr, a) = column_major(i)
on_device(i, a) = ArrArray(collect(i); device = device(a))
positions(i::Mask, a) = made(out -> @check LibArr.arr_flatnonzero(vec(on_device(i, a)), stream(), out))
positions(i, a) = i isa AnyArr ? from_zero(on_device(i, a)) :
    ArrArray([(Int64(at) - 1) % UInt64 for at in i]; device = device(a))

# A list as an array of positions for each dimension that it stands for. Lists of integers alone stay as they are: the
# library then counts from 1.
counted(i, a) = i isa AnyArr ? column_major(i) : ArrArray(convert(Array{Int64}, collect(i)); device = device(a))
counts_from_one(i) = !is_list(i) || !(i isa Union{Mask,CartesianIndexArray})
coordinates(i, a) = Any[positions(i, a)]
coordinates(i::AbstractVector{Bool}, a) = Any[positions(i, a)]
coordinates(i::CartesianIndexArray{M}, a) where {M} = Any[on_device([Int64(at[d] - 1) for at in i], a) for d in 1:M]
function coordinates(i::Mask, a)
    n = ndims(i)
    found = Base.fill(NO_ARRAY, n)
    @check LibArr.arr_nonzero(transposed(on_device(i, a), n:-1:1), stream(), Int32(n), found)
    Any[packed(adopt(h)) for h in reverse(found)]  # in reverse, for row-major order is then Julia's
end

# A mask of all elements has the array's size, or is a vector as long.
fits(a, mask) = size(mask) == size(a) || (ndims(mask) == 1 && length(mask) == length(a)) || throw(BoundsError(a, (mask,)))

# Returns whether a list fits the dimensions from d on. Integers on the device are checked there.
inside(a, d, i) = i isa AnyArr || checkindex(Bool, axes(a, d), i)
inside(a, d, i::Mask) = all(k -> size(i, k) == size(a, d + k - 1), 1:ndims(i))
inside(a, d, i::CartesianIndexArray{M}) where {M} = all(at -> all(k -> 1 <= at[k] <= size(a, d + k - 1), 1:M), i)

# A view whose dimensions are indexed by lists or taken whole, the indices in the library's form, the arrays that they
# name, and the size of what they select. Lists are outer: each has separate dimensions in the result.
struct Listed{A<:AnyArr}
    array::A
    rows::Vector{LibArr.arr_index}
    kept::Vector{Any}
    size::Dims
    bounds::Int32
end

const WHOLE_AXIS = LibArr.arr_index(LibArr.ARR_INDEX_ALL, 0, 0, 0, 0, NO_ARRAY)
by_array(list) = LibArr.arr_index(LibArr.ARR_INDEX_ARRAY, 0, 0, 0, 0,
                                  Base.unsafe_convert(LibArr.arr_array, Base.cconvert(LibArr.arr_array, list)))

function listed(a::AnyArr, J::Tuple)
    I = padded(a, J)
    sum(taken, I) == ndims(a) || throw(ArgumentError("a mask or a list is the only index, or the indices stand for each dimension: got " *
        "$(sum(taken, I)) for $(ndims(a))"))
    check_lists(a, I)
    positions_of = all(counts_from_one, I) ? counted : positions
    whole, groups = Any[], Any[]
    for i in I
        is_list(i) ? append!(whole, Base.fill(:, taken(i))) : push!(whole, i)
        i isa Integer || push!(groups, !is_list(i) ? nothing :
                                         positions_of === counted ? Any[counted(i, a)] : coordinates(i, a))
    end
    v = all(i -> i isa Colon, whole) ? a : Base.inferencebarrier(part_of)(a, Tuple(whole))   # of any types
    with_lists(v, groups, a, positions_of)
end
part_of(a::AnyArr, I::Tuple) = share(a, indices(a, I))

# The lists of each index, nothing where it is no list, with separate dimensions. Compiled once for all types.
function with_lists(@nospecialize(v), groups::Vector{Any}, @nospecialize(a), @nospecialize(positions_of))
    starts, next = Int[], 1
    for group in groups
        push!(starts, next)
        next += group === nothing ? 1 : length(group::Vector{Any})
    end
    low, high = findfirst(!isnothing, groups)::Int, findlast(!isnothing, groups)::Int
    mesh, before = 0, 0
    for g in low:high  # neighbours stay in place
        groups[g] === nothing && (groups[g] = Any[positions_of(1:size(v, starts[g]), a)])
        mesh += ndims(groups[g][1])::Int
    end
    rows, kept, dims = Base.fill(WHOLE_AXIS, ndims(v)::Int), Any[], Int[]
    for g in 1:length(groups)
        group, start = groups[g], starts[g]
        group === nothing && (push!(dims, size(v, start)::Int); continue)
        lists = group::Vector{Any}
        spread, extents = Base.fill(1, mesh), size(lists[1])
        for n in extents
            before += 1
            spread[before] = n
            push!(dims, n)
        end
        for k in 1:length(lists)
            push!(kept, reshape(lists[k], Tuple(spread)))
            rows[start+k-1] = by_array(kept[end])
        end
    end
    Listed(v, rows, kept, Tuple(dims), positions_of === counted ? LibArr.ARR_BOUNDS_FROM_ONE : LibArr.ARR_BOUNDS_RAISE)
end

function check_lists(a, I)
    d = 1
    for i in I
        !is_list(i) || inside(a, d, i) || throw(BoundsError(a, I))
        d += taken(i)
    end
end

# The whole array as a vector where one index counts its elements.
function listed_in(a::AnyArr, I::Tuple)
    I isa Tuple{Mask} && fits(a, I[1])
    all_of_it = I isa Tuple{Mask} && ndims(I[1]) > 1 && a isa ArrArray
    counts = length(I) == 1 && taken(I[1]) == 1 && !(I[1] isa CartesianIndexArray)
    ndims(a) > 1 && (all_of_it || counts) || return listed(a, I)
    listed(vec(a), (I[1] isa Mask ? vec(I[1]) : I[1],))
end

get_listed(a::AnyArr, I::Tuple) = gathered(listed_in(length(I) == 1 && ndims(a) > 1 ? column_major(a) : a, I))
function gathered(l::Listed)
    GC.@preserve l made(out -> @check LibArr.arr_get_items(l.array, Int32(length(l.rows)), l.rows, l.bounds, stream(), out))
end
# One list on the device, the usual case, needs no index expression. The library walks a list in row-major order, so that
# a list of several dimensions is taken as a vector.
function Base.getindex(a::ArrArray{T}, i::ArrArray{<:Base.BitInteger,M}) where {T,M}
    picked = take(ArrArray{T,1}, (length(i),)) do out
        @check LibArr.arr_take(vec(a), vec(i), Int32(0), LibArr.ARR_BOUNDS_FROM_ONE, stream(), out)
    end
    M == 1 ? picked : reshape(picked, size(i))
end

function set_rows!(l::Listed, v::Value)
    GC.@preserve l @check LibArr.arr_set_items(l.array, Int32(length(l.rows)), l.rows, Ref(v), l.bounds, stream())
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
        @check LibArr.arr_set_items(l.array, Int32(length(l.rows)), l.rows, v, l.bounds, stream())
    end
end

function set_listed!(a::AnyArr, x, I::Tuple)
    x isa AbstractArray || throw(ArgumentError("a[...] = x with a number x: write a[...] .= x"))
    set_whole!(listed_in(a, I), x)
    a
end
function set_whole!(l::Listed, x::AbstractArray)
    Base.setindex_shape_check(x, l.size...)
    set_rows!(l, reshape(x, l.size))
end

# The left side of `a[mask] .= x`; of `a[list, :] .= x` it is a view.
struct Masked{A<:AnyArr,M<:Mask}
    array::A
    mask::M
end
Base.dotview(a::AnyArr, mask::Mask) = (fits(a, mask); Masked(a, mask))
Base.dotview(a::AnyArr, J...) = view(a, J...)
Broadcast.materialize!(m::Masked, x) = Broadcast.materialize!(m, Broadcast.broadcasted(identity, x))
function Broadcast.materialize!(m::Masked, bc::Broadcasted{S}) where {S}
    x = Broadcast.materialize(bc)
    x isa Number || return set_listed!(m.array, x, (m.mask,))
    same = reshape(on_device(m.mask, m.array), size(m.array))
    m.array .= ifelse.(same, convert(eltype(m.array), x), m.array)
end

"""
    findall(mask)
    findall(f, a)

Base's functions: of a vector the positions as an array on its device, of more dimensions `CartesianIndex`es on the host.
"""
Base.findall(a::AnyArr{Bool,1}) = positions(a, a) .+ 1
Base.findall(a::AnyArr{Bool}) = vec(CartesianIndices(a))[Array(positions(a, a)) .+ 1]
Base.findall(f::Function, a::AnyArr) = findall(truths(map(f, a)))
Base.findall(f::Base.Fix2{typeof(in)}, a::AnyArr) = findall(truths(map(f, a)))      # Base has a method for this function
