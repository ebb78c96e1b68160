# SPDX-License-Identifier: MIT
# sort.jl: sorts along a dimension under Base's names.
using Base.Order: By, Forward, ForwardOrdering, ReverseOrdering

# Returns the key and the direction that Base's keywords ask for.
function order_of(name; alg = nothing, lt = isless, by = identity, rev = nothing, order = Forward)
    lt === isless || lt === (<) || throw(ArgumentError("$name: lt is $lt, expected isless; use by or rev"))
    steps(name, Base.Order.ord(isless, by, rev, order))
end
steps(name, ::ForwardOrdering) = (identity, false)
steps(name, o::ReverseOrdering) = ((by, down) = steps(name, o.fwd); (by, !down))
function steps(name, o::By)
    by, down = hasfield(typeof(o), :order) ? steps(name, getfield(o, :order)) : (identity, false)
    (by === identity ? o.by : by ∘ o.by, down)
end
steps(name, o) = throw(ArgumentError("$name: order is $o, expected Forward, Reverse or By"))

sorting_indices(a, dim, down) = made(out -> @check LibArr.arr_argsort(a, axis(dim), down, stream(), out))

function sorted!(name, out::AnyArr, a::AnyArr, dim::Int; kw...)
    by, down = order_of(name; kw...)
    if by === identity
        @check LibArr.arr_sort_into(out, a, axis(dim), down, stream())
        return out
    end
    order = sorting_indices(map(by, a), dim, down)
    copyto!(out, made(z -> with_handles(a, order) do x, i
        @check LibArr.arr_take_along_axis(x, i, axis(dim), LibArr.ARR_BOUNDS_UNCHECKED, stream(), z)
    end))
end

"""
    sort(a; dims, by = identity, rev = false, order = Forward)
    sort!(a; dims, by = identity, rev = false, order = Forward)

Returns the elements of an array of Arr, sorted along a dimension, which vectors need not name. Equal elements stay in their
order, whatever `alg` is. Other than in Base, -0.0 is equal to 0.0, nan is last with `rev` too, and complex numbers are in
order by their real and then by their imaginary parts. `lt` is `isless`.
"""
Base.sort(a::AnyArr; dims::Integer, kw...) = sorted!("sort", similar(a), a, along(a, dims); kw...)
Base.sort(a::Vect; dims::Integer = 1, kw...) = sorted!("sort", similar(a), a, along(a, dims); kw...)
Base.sort!(a::AnyArr; dims::Integer, kw...) = sorted!("sort!", a, a, along(a, dims); kw...)
Base.sort!(a::Vect; dims::Integer = 1, kw...) = sorted!("sort!", a, a, along(a, dims); kw...)

"""
    sortperm(v; by = identity, rev = false, order = Forward)
    sortperm!(indices, v; ...)

Returns the indices that sort a vector of Arr: `v[sortperm(v)] == sort(v)`.
"""
function Base.sortperm(v::Vect; kw...)
    by, down = order_of("sortperm"; kw...)
    sorting_indices(by === identity ? v : map(by, v), 1, down) .+ 1
end
function Base.sortperm!(indices::AbstractVector{<:Integer}, v::Vect; initialized::Bool = false, kw...)
    length(indices) == length(v) || throw(ArgumentError("sortperm!: $(length(indices)) indices for $(length(v)) elements"))
    copyto!(indices, sortperm(v; kw...))
end

"""
    partialsort(v, k; by = identity, rev = false, order = Forward)
    partialsort!(v, k; ...)
    partialsortperm(v, k; ...)

Returns the element, or for a range the elements, that a sort puts at `k`, and their indices. `partialsort!` sorts all of `v`.
"""
Base.partialsort(v::Vect, k::Integer; kw...) = only_at(sort(v; kw...), k)
Base.partialsort(v::Vect, k::OrdinalRange; kw...) = sort(v; kw...)[k]
Base.partialsort!(v::Vect, k::Integer; kw...) = only_at(sort!(v; kw...), k)
Base.partialsort!(v::Vect, k::OrdinalRange; kw...) = view(sort!(v; kw...), k)
for K in (:Integer, :OrdinalRange)
    @eval Base.partialsort!(v::Vect, k::$K, order::Base.Order.Ordering) = partialsort!(v, k; order = order)
end
Base.partialsortperm(v::Vect, k::Integer; kw...) = only_at(sortperm(v; kw...), k)
Base.partialsortperm(v::Vect, k::OrdinalRange; kw...) = sortperm(v; kw...)[k]
Base.partialsortperm!(indices::AbstractVector{<:Integer}, v::Vect, k::Integer; kw...) = only_at(sortperm!(indices, v; kw...), k)
Base.partialsortperm!(indices::AbstractVector{<:Integer}, v::Vect, k::OrdinalRange; kw...) =
    view(sortperm!(indices, v; kw...), k)
only_at(v, k) = (checkbounds(v, k); v isa AnyArr ? item(v, (Int(k),)) : v[k])

"""
    sortslices(a; dims, rev = false)

Returns the rows (`dims = 1`) or columns (`dims = 2`) of a matrix of Arr in lexicographic order.
"""
function Base.sortslices(a::Mat; dims::Integer, rev::Bool = false)
    dims in (1, 2) || throw(ArgumentError("sortslices: dims $dims, expected 1 or 2"))
    isempty(a) && return copy(a)
    keys = [dims == 1 ? view(a, :, k) : view(a, k, :) for k in size(a, 3 - dims):-1:1]  # the last key counts first
    handles = LibArr.arr_array[k.handle for k in keys]
    order = GC.@preserve keys made(out -> @check LibArr.arr_lexsort(Int32(length(handles)), handles, axis(1), stream(), out))
    Base.inferencebarrier(in_order)(a, rev ? reverse(order) : order, dims)   # of a type that inference does not know
end
in_order(a, order, dims) = (at = order .+ 1; dims == 1 ? a[at, :] : a[:, at])
