# SPDX-License-Identifier: MIT
# sized.jl: positions into an array of a size that does not depend on their number. Their search waits for nothing, so a
# graph captures it.

"""
    Arr.findall!(indices, number, mask; fill = 0)
    Arr.findall!(f, indices, number, a; fill = 0)

Writes the indices where `mask` is true, counted in column-major order, to a vector of `Int64` of any length, and their
number into `number`, an `ArrArray{Int64,0}`. What finds no room is left out but counted; `fill` follows the last position.
Unlike `findall` it waits for nothing, so that [`Arr.capture`](@ref) records it. `Arr.extract_sized!` and
`Arr.compress_sized!` take elements and slices in the same way.
"""
function findall!(indices::AnyArr{Int64,1}, number::AnyArr{Int64,0}, mask::AnyArr; fill::Integer = 0)
    @check LibArr.arr_flatnonzero_sized(indices, number, vec(column_major(mask)), Int64(fill) - 1, stream())
    indices .= indices .+ 1
end
findall!(f, indices::AnyArr{Int64,1}, number::AnyArr{Int64,0}, a::AnyArr; kw...) = findall!(indices, number, map(f, a); kw...)
