# SPDX-License-Identifier: MIT
# search.jl: indices in sorted vectors under Base's names, bins, interpolation between points.

searched(a, x, side) = made(out -> with_handles(a, x) do v, q
    @check LibArr.arr_searchsorted(v, q, Int32(side), NO_ARRAY, stream(), out)
end)

"""
    searchsortedfirst(a, x)
    searchsortedlast(a, x)

Base's functions for all elements of an array at once: the index of the first element of the sorted vector `a` that is
not before the element of `x`, and of the last that is not after it; nan is sorted last.
"""
Base.searchsortedfirst(a::Vect, x::AnyArr) = searched(a, x, LibArr.ARR_SEARCH_LEFT) .+ 1
Base.searchsortedlast(a::Vect, x::AnyArr) = searched(a, x, LibArr.ARR_SEARCH_RIGHT)

for (f, side, shift) in ((:searchsortedfirst, :ARR_SEARCH_LEFT, 1), (:searchsortedlast, :ARR_SEARCH_RIGHT, 0))
    @eval Base.$f(a::Vect, x::Number) = item(searched(a, ArrArray([x]; device = device(a)), LibArr.$side)) + $shift
end
Base.searchsorted(a::Vect, x::Number) = searchsortedfirst(a, x):searchsortedlast(a, x)

"""
    Arr.digitize(x, bins; right = false)

Returns the number of the bin of each element among the edges `bins`, which rise or fall: 0 in front of the first edge,
`length(bins)` after the last. A bin holds its left edge, or with `right` its right one.
"""
digitize(x::AnyArr, bins::Vect; right::Bool = false) = made(out -> with_handles(x, bins) do v, edges
    @check LibArr.arr_digitize(v, edges, right, stream(), out)
end)

"""
    Arr.interp(x, xp, fp; left = nothing, right = nothing, period = nothing)

Interpolates linearly between the points `(xp[i], fp[i])` at `x`. `left` and `right` are the values outside, by
default the first and last of `fp`; with a `period` the coordinates repeat.
"""
function interp(x::AnyArr, xp::Vect, fp::Vect; left = nothing, right = nothing, period = nothing)
    ends = map(v -> v === nothing ? C_NULL : Ref(value(v)), (left, right))
    made(out -> with_handles(x, xp, fp) do q, at, f
        @check LibArr.arr_interp(q, at, f, ends[1], ends[2], period === nothing ? 0.0 : Float64(period), stream(), out)
    end)
end
