# SPDX-License-Identifier: MIT
# sets.jl: distinct elements and set operations under Base's names.

function distinct(a::AnyArr, d::Int32, sorted::Bool)
    flags = LibArr.ARR_UNIQUE_EQUAL_NAN | sorted * LibArr.ARR_UNIQUE_SORTED
    made(out -> @check LibArr.arr_unique(a, d, flags, stream(), out, C_NULL, C_NULL, C_NULL))
end

"""
    unique(a; dims)

Returns the distinct elements of an array of Arr, or its distinct slices along a dimension, in the order in which they first
occur. Other than in Base, -0.0 is equal to 0.0; slices with a nan are never equal.
"""
Base.unique(a::AnyArr; dims = :) =
    distinct(a, dims === (:) ? LibArr.ARR_AXIS_NONE : axis(along(a, dims)), false)
Base.allunique(a::AnyArr) = length(unique(a)) == length(a)

"""
    Arr.unique_sorted(a)

Returns the distinct elements in ascending order, as `(values = v, indices = i, inverse = k, counts = c)`: `v == a[i]` where each
first occurs, `v[k] == a`, and how often each does.
"""
function unique_sorted(a::AnyArr)
    v, i, k, c = made(4) do values, indices, inverse, counts
        flags = LibArr.ARR_UNIQUE_EQUAL_NAN | LibArr.ARR_UNIQUE_SORTED
        @check LibArr.arr_unique(a, LibArr.ARR_AXIS_NONE, flags, stream(), values, indices, inverse, counts)
    end
    (values = v, indices = i .+ 1, inverse = k .+ 1, counts = c)
end

member(a::AnyArr, b::AnyArr, invert::Bool) = made(out -> with_handles(a, b) do x, y
    @check LibArr.arr_isin(x, y, invert, stream(), out)
end)
# in.(a, Ref(b)) and a .∉ Ref(b) look all elements up at once.
Broadcast.broadcasted(::typeof(in), a::AnyArr, b::Ref{<:AnyArr}) = member(a, b[], false)
Broadcast.broadcasted(::typeof(∉), a::AnyArr, b::Ref{<:AnyArr}) = member(a, b[], true)

"""
    union(v, w)
    intersect(v, w)
    setdiff(v, w)
    symdiff(v, w)

Base's functions for two vectors of Arr: distinct elements in the order in which they first occur; of `symdiff`, as in
Base, those that are in both vectors together an odd number of times. Other than in Base, -0.0 is equal to 0.0, and for
`intersect` and `setdiff` a nan of one vector is not equal to one of the other.
"""
Base.union(v::Vect, w::Vect) = unique(vcat(v, w))
Base.intersect(v::Vect, w::Vect) = (u = unique(v); u[member(u, w, false)])
Base.setdiff(v::Vect, w::Vect) = (u = unique(v); u[member(u, w, true)])
function Base.symdiff(v::Vect, w::Vect)
    all = vcat(v, w)
    u, counts = made(2) do values, counts
        @check LibArr.arr_unique(all, LibArr.ARR_AXIS_NONE, LibArr.ARR_UNIQUE_EQUAL_NAN, stream(), values, C_NULL, C_NULL, counts)
    end
    u[(counts .& 1) .== 1]
end
