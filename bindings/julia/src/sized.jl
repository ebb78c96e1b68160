# SPDX-License-Identifier: MIT
# sized.jl: selections into arrays of a size that does not depend on their number. They wait for nothing, so a graph
# captures them.

const Counted = AnyArr{Int64,0}

"""
    Arr.findall!(places, number, mask; fill = 0)
    Arr.findall!(f, places, number, a; fill = 0)

The positions where `mask` is true, counted in column-major order, into a vector of `Int64` of any length, and their
number into `number`, an `ArrArray{Int64,0}`. What finds no room is left out but counted; `fill` follows the last position.
Unlike `findall` it waits for nothing, so that [`Arr.capture`](@ref) records it.
"""
function findall!(places::AnyArr{Int64,1}, number::Counted, mask::AnyArr; fill::Integer = 0)
    @check LibArr.arr_flatnonzero_sized(places, number, vec(column_major(mask)), Int64(fill) - 1, stream())
    places .= places .+ 1
end
findall!(f, places::AnyArr{Int64,1}, number::Counted, a::AnyArr; kw...) = findall!(places, number, map(f, a); kw...)

"""
    Arr.getindex!(dest, number, a, mask; fill = 0)
    Arr.getindex!(dest, number, a, mask; dims, fill = 0)

`a[mask]` into a vector of any length or, with `dims`, the slices along a dimension where a vector is true into an array
of any size there; their number goes to `number`, an `ArrArray{Int64,0}`. What finds no room is left out but counted;
`fill` follows. It waits for nothing, so that [`Arr.capture`](@ref) records it.
"""
function getindex!(dest::AnyArr, number::Counted, a::AnyArr, mask::Mask; dims = nothing, fill = 0)
    rest = Ref(value(convert(eltype(dest), fill)))
    chosen = on_device(mask, a)
    if dims === nothing
        fits(a, mask)
        @check LibArr.arr_extract_sized(dest, number, vec(chosen), vec(column_major(a)), rest, stream())
    else
        1 <= dims <= ndims(a) || throw(ArgumentError("getindex!: dims = $dims of an array of $(ndims(a)) dimensions"))
        size(mask) == (size(a, dims),) || throw(DimensionMismatch("getindex!: a mask of size $(size(mask)) for $(size(a, dims)) slices"))
        @check LibArr.arr_compress_sized(dest, number, chosen, a, Int32(dims - 1), rest, stream())
    end
    dest
end
