# SPDX-License-Identifier: MIT
# complex.jl: symbolic complex numbers made of two real ones. The library has no operation for that: where nothing is
# computed with such a number its parts are stored, each into its half of the array; else a sum has exactly those parts.

# A number below 0 in place of a node stands for an entry of the trace's list.
mutable struct Parts
    re::Sym
    im::Sym
    node::Int32                  # of the sum, when it was needed; else -1
end

function complex_of(@nospecialize(R::Type), @nospecialize(x), @nospecialize(y))
    t = trace_of((x, y))
    push!(t.parts, Parts(as(R, t, x), as(R, t, y), Int32(-1)))
    Sym{complex(R)}(t, Int32(-length(t.parts)))
end
has_parts(@nospecialize(x)) = x isa Sym && x.node < 0
parts(x::Sym) = (p = x.trace.parts[-x.node]::Parts; (p.re, p.im))

# Operations of the table that need a part alone.
const OF_PARTS = Dict{Symbol,Any}(:real => (re, im) -> re, :imag => (re, im) -> im,
    :conjugate => (re, im) -> complex_of(numtype(re), re, -im))

# The node of a number, also of one that is known by its parts.
function node(x::Sym)
    x.node < 0 || return x.node
    p = x.trace.parts[-x.node]::Parts
    p.node < 0 && (p.node = sum_of_parts(numtype(p.re), p.re, p.im).node)
    p.node
end

# (re, -0) + (-0, im), which changes neither part. The product with i has 0 * im in its real part, of the sign and with
# the nan that im returns, so its factor follows the sign, and where im is 0 or not finite a constant stands in.
function sum_of_parts(@nospecialize(R::Type), re::Sym, im::Sym)
    C = complex(R)
    C in ELTYPES || untraceable("it computes with a $C, which is no element type of Arr")
    alone(y) = Complex(-zero(R), R(y))
    turned = ifelse(im > zero(R), im * alone(1), im * Complex(zero(R), one(R)))
    whole = ifelse(isfinite(im), turned, ifelse(isnan(im), alone(NaN), ifelse(im > zero(R), alone(Inf), alone(-Inf))))
    zeros = ifelse(signbit(im), alone(-0.0), alone(0))
    conj(as(C, re.trace, re)) + ifelse(im == zero(R), zeros, whole)
end

Base.cis(x::Sym{T}) where {T<:Real} = complex_of(float(T), cos(x), sin(x))
Base.sincos(x::Sym) = (sin(x), cos(x))
Base.reim(x::Sym) = (real(x), imag(x))

# The real or imaginary parts of an array, which share its memory.
function part_view(a::AnyArr{Complex{R},N}, imaginary::Bool) where {R,N}
    pairs = take_view(out -> @check(LibArr.arr_expand_dims(a, Int32(1), Int32[N], out)), ArrStrided{Complex{R},N+1})
    numbers = take_view(out -> @check(LibArr.arr_view(pairs, dtype(R), out)), ArrStrided{R,N+1})
    at = imaginary ? (2:2) : (1:1)
    one = slices(ArrStrided{R,N+1}, numbers, (map(n -> 1:n, size(a))..., at))
    part = take_view(out -> @check(LibArr.arr_squeeze(one, Int32(1), Int32[N], out)), ArrStrided{R,N})
    foreach(unsafe_free!, (pairs, numbers, one))
    part
end
