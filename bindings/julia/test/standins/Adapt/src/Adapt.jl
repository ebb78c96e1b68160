# SPDX-License-Identifier: MIT
# Adapt.jl: a stand-in for the interface of Adapt, for tests: adapt goes through structures, adapt_storage moves the leaves.
module Adapt

using LinearAlgebra

export adapt

adapt(to, x) = adapt_structure(to, x)
adapt(to) = x -> adapt(to, x)
adapt_structure(to, x) = adapt_storage(to, x)
adapt_storage(to, x) = x

adapt_structure(to, x::Union{Tuple,NamedTuple}) = map(adapt(to), x)
adapt_structure(to, x::Adjoint) = adjoint(adapt(to, parent(x)))
adapt_structure(to, x::Transpose) = transpose(adapt(to, parent(x)))
adapt_structure(to, x::UpperTriangular) = UpperTriangular(adapt(to, parent(x)))
adapt_structure(to, x::Diagonal) = Diagonal(adapt(to, x.diag))

adapt_storage(::Type{Array}, x::AbstractArray) = convert(Array, x)
adapt_storage(::Type{<:Array{T}}, x::AbstractArray) where {T} = convert(Array{T}, x)

end
