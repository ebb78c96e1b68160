# SPDX-License-Identifier: MIT
# hints.jl: a line below a MethodError that says what to write for arrays of Arr instead.

# The types of a call are a vector of types, its keywords of pairs.
function hint(io, e::MethodError, types, keywords)
    e.f isa AnyArr && return print(io, "\nA dimension is a keyword: sum(a; dims = 1).")
    makes_arrays(e.f) && !any(T -> T <: AbstractArray, types) && return print(io,
        "\nNew arrays: ArrArray{Float32}(undef, 3, 4), Arr.zeros(Float32, 3, 4), Arr.fill(2.5, 3).")
    any(T -> T isa Type && T <: AnyArr, types) || return
    any(k -> first(k) in (:axis, :axes, :dim, :dims), keywords) && return print(io, "\nA dimension is ",
        any(k -> first(k) === :dims, keywords) ? "the last argument here: Arr.fft(a, 1)." : "the keyword dims: sum(a; dims = 1).")
    e.f === isless && return print(io, "\nElements are compared with a dot: a .> 1.")
    if e.f === (*) && all(T -> T <: AbstractVector, types)
        print(io, "\nProducts of two vectors: v .* w, v' * w, v * w'.")
    elseif e.f in ELEMENT_WISE && !(e.f in (+, -))     # of these two Base says it
        sign = Base.isoperator(nameof(e.f))
        print(io, "\nFor each element it has a dot: ", sign && length(types) > 1 ? "a .$(nameof(e.f)) b." : "$(nameof(e.f)).(a).")
    end
end
makes_arrays(f) = f isa Type && f <: AnyArr || f in (zeros, ones)
const ELEMENT_WISE = Any[getfield(Base, julia_name(row)) for row in LibArr.OPS if inbase(row)]
