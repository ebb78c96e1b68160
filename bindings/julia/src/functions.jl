# SPDX-License-Identifier: MIT
# functions.jl: the functions of arrays, numbers, dimensions and texts, and their helpers.

# The constant of a prefix that a symbol names.
function chosen(prefix, name::Symbol)
    constant = Symbol(prefix, uppercase(string(name)))
    isdefined(LibArr, constant) && return getfield(LibArr, constant)
    all = sort!([lowercase(string(n)[length(prefix)+1:end]) for n in names(LibArr; all = true) if startswith(string(n), prefix)])
    throw(ArgumentError("$(repr(name)): expected one of :$(join(all, ", :"))"))
end

packed_handle(h::LibArr.arr_array) = packed(adopt(h))

# The dimensions in reverse, which is the library's order of elements.
turned(a::AnyArr) = transposed(a, ndims(a):-1:1)

# Indices as the library counts them, from 0; masks are not changed.
zero_based(a::AnyArr{Bool}) = a
zero_based(a::AnyArr) = a .- 1

# A number for an array without dimensions.
plain(a::AnyArr) = ndims(a) == 0 ? number_of(a) : a

include("functions_generated.jl")
