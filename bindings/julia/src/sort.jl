# SPDX-License-Identifier: MIT
# sort.jl: sorts along a dimension under Base's names.

function sorted!(out::AnyArr, a::AnyArr, dim::Int, rev::Bool)
    @check LibArr.arr_sort_into(out, a, axis(dim), Int32(rev), stream())
    out
end

"""
    sort(a; dims, rev = false)
    sort!(a; dims, rev = false)

The elements of an array of Arr in order along a dimension, which vectors need not name. Equal elements stay in their
order. Other than in Base, -0.0 is equal to 0.0, nan is last with `rev` too, and complex numbers are in order by their
real and then by their imaginary parts.
"""
Base.sort(a::AnyArr; dims::Integer, rev::Bool = false) = sorted!(similar(a), a, along(a, dims), rev)
Base.sort(a::Vect; dims::Integer = 1, rev::Bool = false) = sorted!(similar(a), a, along(a, dims), rev)
Base.sort!(a::AnyArr; dims::Integer, rev::Bool = false) = sorted!(a, a, along(a, dims), rev)
Base.sort!(a::Vect; dims::Integer = 1, rev::Bool = false) = sorted!(a, a, along(a, dims), rev)

"""
    sortperm(v; rev = false)

The indices that put a vector of Arr in order: `v[sortperm(v)] == sort(v)`.
"""
Base.sortperm(v::Vect; rev::Bool = false) =
    made(out -> @check LibArr.arr_argsort(v, axis(1), Int32(rev), stream(), out)) .+ 1

"""
    partialsort(v, k; rev = false)

The element, or for a range the elements, that a sort puts at `k`.
"""
Base.partialsort(v::Vect, k::Integer; rev::Bool = false) = Array(partialsort(v, k:k; rev = rev))[1]
Base.partialsort(v::Vect, k::OrdinalRange; rev::Bool = false) = sort(v; rev = rev)[k]
