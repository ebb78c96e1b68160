# SPDX-License-Identifier: MIT
# masks.jl: elements where a mask is true. The mask is read to the host, which has to know how many there are; the elements stay
# on their device.

const Mask = AbstractArray{Bool}

# The elements at falling positions along a dimension: each slice of `reduceat` is then one element. The last position is given
# twice, for its second slice goes on to the end.
function at_falling(a::AnyArr, positions::Vector{Int}, dim::Int)
    found = ufunc_reduceat(:maximum, a, push!(positions, last(positions)); dims = dim)
    n = length(positions) - 1
    reverse(view(found, ntuple(d -> d == dim ? (1:n) : Colon(), ndims(a))...); dims = dim)
end
function masked(a::AnyArr, mask::Mask, dim::Int)
    positions = findall(Array(mask))
    isempty(positions) && return similar(a, ntuple(d -> d == dim ? 0 : size(a, d), ndims(a)))
    at_falling(a, reverse!(positions), dim)
end

# A mask of all elements has the array's size, or is a vector as long.
fits(a, mask) = size(mask) == size(a) || (ndims(mask) == 1 && length(mask) == length(a)) || throw(BoundsError(a, (mask,)))

function get_masked(a::AnyArr, I::Tuple)
    length(I) == 1 && return (fits(a, I[1]); masked(vec(column_major(a)), vec(I[1]), 1))
    length(I) == ndims(a) || throw(ArgumentError(
        "a mask is the only index, or there is one index for each dimension: got $(length(I)) for $(ndims(a))"))
    for (d, i) in enumerate(I)
        i isa Mask || continue
        length(i) == size(a, d) && ndims(i) == 1 || throw(BoundsError(a, I))
        a = masked(a, i, d)
    end
    getindex(a, map(i -> i isa Mask ? Colon() : i, I)...)
end

# The values in the sequence of the elements that the mask is true for; the others get any of them, which are not taken.
function set_masked!(a::AnyArr, values, mask::Mask)
    fits(a, mask)
    places = vec(cumsum(vec(Array(mask))))
    n = isempty(places) ? 0 : last(places)
    length(values) == n || throw(DimensionMismatch("$(length(values)) values for the $n elements of a mask"))
    n == 0 && return a
    v = values isa AnyArr ? vec(column_major(values)) : ArrArray(vec(collect(values)); device = device(a))
    spread = at_falling(v, reverse!(max.(places, 1)), 1)
    a .= ifelse.(on_device(mask, a), reshape(spread, size(a)), a)
end
on_device(mask, a) = reshape(mask isa AnyArr ? column_major(mask) : ArrArray(mask; device = device(a)), size(a))

# The left side of `a[mask] .= x`.
struct Masked{A<:AnyArr,M<:Mask}
    array::A
    mask::M
end
Base.dotview(a::AnyArr, mask::Mask) = (fits(a, mask); Masked(a, mask))
Broadcast.materialize!(m::Masked, x) = Broadcast.materialize!(m, Broadcast.broadcasted(identity, x))
function Broadcast.materialize!(m::Masked, bc::Broadcasted{S}) where {S}
    x = Broadcast.materialize(bc)
    x isa Number || return set_masked!(m.array, x, m.mask)
    m.array .= ifelse.(on_device(m.mask, m.array), convert(eltype(m.array), x), m.array)
end
