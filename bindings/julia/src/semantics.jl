# SPDX-License-Identifier: MIT
# semantics.jl: what Julia's functions mean for symbolic numbers where that is not one operation of the library: order and
# equality by value, shifts to both sides, conversions that must be exact, remainders, rounding, powers.

const OPERATIONS = Dict(row.name => row for row in LibArr.OPS)

# An operation of the library on nodes of these types; its result is of type R.
operate(t::Trace, name::Symbol, @nospecialize(R::Type), nodes::Sym...) =
    emit(t, OPERATIONS[name].number, R, Int32[node(x) for x in nodes])

# A function of two numbers, of which one at least is symbolic.
const OTHER_REALS = filter(T -> T <: Real, collect(PLAIN))
function define_for_pairs(f, g)
    @eval Base.$f(x::Sym, y::Sym) = $g(x, y)
    for S in OTHER_REALS
        @eval Base.$f(x::Sym, y::$S) = $g(x, y)
        @eval Base.$f(x::$S, y::Sym) = $g(x, y)
    end
end

# ------------------------------------------------------------------------------------- order by value

# Numbers of two types are compared by their values, as in Julia, not after a conversion that rounds.
function compared(t::Trace, name::Symbol, @nospecialize(x), @nospecialize(y))
    name === :not_equal && return negated(compared(t, :equal, x, y))
    name === :greater && return compared(t, :less, y, x)
    name === :greater_equal && return compared(t, :less_equal, y, x)
    A, B = numtype(x), numtype(y)
    A <: Integer && B <: Integer && return operate(t, name, Bool, as(A, t, x), as(B, t, y))
    A <: Integer && B in (Float16, Float32, Float64) && return compared_with_float(t, name, x, y, true)
    B <: Integer && A in (Float16, Float32, Float64) && return compared_with_float(t, name, y, x, false)
    T = promote_type(A, B)
    T in ELTYPES || throw(ArgumentError("there is no comparison of $A and $B"))
    operate(t, name, Bool, as(T, t, x), as(T, t, y))
end

# An integer i with a float v: i stands first or second.
function compared_with_float(t::Trace, name, @nospecialize(i), @nospecialize(v), first::Bool)
    I, F = numtype(i), numtype(v)
    both(T) = first ? operate(t, name, Bool, as(T, t, i), as(T, t, v)) : operate(t, name, Bool, as(T, t, v), as(T, t, i))
    i isa Sym || F(i) != i || return both(F)
    v isa Sym || !isinteger(v) || !(typemin(I) <= v <= typemax(I)) || return both(I)
    sizeof(I) <= 4 && return both(Float64)
    # As Base's: the float of i may be another integer, of which only 2^63 and 2^64 are not of i's type.
    w, f = as(Float64, t, v), as(Float64, t, as(I, t, i))
    top = 2.0^(8 * sizeof(I) - (I <: Signed))
    n, back = as(I, t, i), as(I, t, ifelse(f < top, f, 0.0))
    name === :equal && return (w == f) & (f < top) & (back == n)
    sure = first ? f < w : w < f
    strict = name === :less
    sure | ((f == w) & (first ? (f == top) | (strict ? n < back : n <= back) : (f < top) & (strict ? back < n : back <= n)))
end

sign_bit(x) = numtype(x) <: Integer ? x < zero(x) : signbit(x)
is_nan(x) = numtype(x) <: AbstractFloat ? isnan(x) : false
# Base's order of sorting: -0.0 is before 0.0, nan after everything.
function sorted_before(x, y)
    numtype(x) <: Integer && numtype(y) <: Integer && return x < y
    (negated(is_nan(x)) & (is_nan(y) | (sign_bit(x) & negated(sign_bit(y))))) | (x < y)
end
function same_number(x, y)
    numtype(x) <: Integer && numtype(y) <: Integer && return x == y
    (numtype(x) <: Complex || numtype(y) <: Complex) && return same_number(real(x), real(y)) & same_number(imag(x), imag(y))
    (is_nan(x) & is_nan(y)) | ((sign_bit(x) == sign_bit(y)) & (x == y))
end
define_for_pairs(:isless, sorted_before)
define_for_pairs(:isequal, same_number)
define_for_pairs(:minmax, (x, y) -> (min(x, y), max(x, y)))

# Julia orders -0.0 before 0.0; y, the library's result, may be either zero. A number other than 0 cannot lead to a wrong zero.
function zero_of_sign(name, y::Sym, args, operands)
    all(x -> x isa Sym || iszero(x), args) || return y
    u, v = operands
    chosen = name === :maximum ? ifelse(signbit(u), v, u) : ifelse(signbit(u), u, v)
    ifelse(u == v, chosen, y)
end
# As Base's also where the limits are nan or in the wrong order.
clamped(x, low, high) = ifelse(x > high, high, ifelse(x < low, low, x))

# -------------------------------------------------------------------------------------------- products

# false times anything is zero, also times nan.
function strong_product(t::Trace, R, @nospecialize(x), @nospecialize(y))
    b, z = numtype(x) === Bool ? (x, y) : (y, x)
    b isa Sym || return b ? as(R, t, z) : weak_zero(as(R, t, z))
    number = as(R, t, z)
    ifelse(b, number, z isa Sym ? weak_zero(number) : weak_zero(convert(R, z)))
end
weak_zero(x) = numtype(x) <: Complex ? zero(x) : copysign(zero(x), x)

Base.literal_pow(::typeof(^), x::Sym, ::Val{0}) = one(x)
Base.literal_pow(::typeof(^), x::Sym, ::Val{1}) = x
Base.literal_pow(::typeof(^), x::Sym, ::Val{2}) = x * x
Base.literal_pow(::typeof(^), x::Sym, ::Val{3}) = x * x * x
Base.literal_pow(::typeof(^), x::Sym, ::Val{-1}) = inv(x)
Base.literal_pow(::typeof(^), x::Sym, ::Val{p}) where {p} = p < 0 ? inv(x^(-p)) : x^p

Base.zero(::Sym{T}) where {T} = zero(T)
Base.one(::Sym{T}) where {T} = one(T)
Base.zero(::Type{Sym{T}}) where {T} = zero(T)
Base.one(::Type{Sym{T}}) where {T} = one(T)
Base.inv(x::Sym) = one(x) / x
Base.abs2(x::Sym{<:Real}) = x * x
Base.abs2(x::Sym{<:Complex}) = real(x) * real(x) + imag(x) * imag(x)
Base.iszero(x::Sym) = x == zero(x)
Base.isone(x::Sym) = x == one(x)
Base.:(\)(x::Sym, y::Sym) = y / x
Base.:(\)(x::Number, y::Sym) = y / x
Base.:(\)(x::Sym, y::Number) = y / x
for (A, B, C) in Iterators.product((:Sym, :Number), (:Sym, :Number), (:Sym, :Number))
    (A, B, C) == (:Number, :Number, :Number) && continue
    @eval Base.muladd(x::$A, y::$B, z::$C) = x * y + z
end

# ---------------------------------------------------------------------------------------------- shifts

# By a negative number to the other side; all bits are out after as many as there are.
function shifted(f, @nospecialize(x), @nospecialize(n))
    t, A, B = trace_of((x, n)), numtype(x), numtype(n)
    A <: Integer && B <: Integer || throw(ArgumentError("there is no $f for $A, $B"))
    T = Base.promote_op(f, A, B)
    back = f === (<<) ? (>>) : (<<)
    width, v = 8 * sizeof(T), as(T, t, x)
    n isa Sym || return n < 0 ? shift_node(t, back, T, v, min(-widen(n), width)) : shift_node(t, f, T, v, min(n, width))
    B === Bool && return shift_node(t, f, T, v, n)             # by 0 or 1
    B <: Signed || return shift_node(t, f, T, v, min(n, B(width)))
    k = clamp(n, B(-width), B(width))
    ifelse(k < zero(k), shift_node(t, back, T, v, max(-k, zero(B))), shift_node(t, f, T, v, max(k, zero(B))))
end
function shift_node(t::Trace, f, @nospecialize(T), v::Sym, @nospecialize(n))
    f === (<<) && return operate(t, :left_shift, T, v, as(T, t, n))
    f === (>>) && return operate(t, :right_shift, T, v, as(T, t, n))
    U = unsigned(T)                             # >>>: zeros come in from the left
    as(T, t, operate(t, :right_shift, U, as(U, t, v), as(U, t, n)))
end
for (f, g) in ((:<<, (x, n) -> shifted(<<, x, n)), (:>>, (x, n) -> shifted(>>, x, n)), (:>>>, (x, n) -> shifted(>>>, x, n)))
    define_for_pairs(f, g)
end

# --------------------------------------------------------------------------------- quotients, remainders

function remainder_of(x, y)
    T = Base.promote_op(rem, numtype(x), numtype(y))
    t = trace_of((x, y))
    operate(t, :fmod, T, as(T, t, x), as(T, t, y))
end
function quotient_of(x, y)
    T = Base.promote_op(div, numtype(x), numtype(y))
    t = trace_of((x, y))
    u, v = as(T, t, x), as(T, t, y)
    T <: Integer ? fld(u - remainder_of(u, v), v) : round((u - remainder_of(u, v)) / v)
end
function ceiling_of(x, y)
    T = Base.promote_op(cld, numtype(x), numtype(y))
    t = trace_of((x, y))
    u, v = as(T, t, x), as(T, t, y)
    T <: Integer ? fld(u, v) + as(T, t, not_equal(mod(u, v), zero(T))) : -fld(-u, v)
end
define_for_pairs(:rem, remainder_of)
define_for_pairs(:div, quotient_of)
define_for_pairs(:cld, ceiling_of)

Base.rem(x::Sym{<:Integer}, ::Type{T}) where {T<:Base.BitInteger} = as(T, x.trace, x)
Base.unsafe_trunc(::Type{T}, x::Sym) where {T<:Base.BitInteger} = as(T, x.trace, x)
Base.signed(x::Sym{T}) where {T<:Base.BitInteger} = as(signed(T), x.trace, x)
Base.unsigned(x::Sym{T}) where {T<:Base.BitInteger} = as(unsigned(T), x.trace, x)

# --------------------------------------------------------------------------------------------- rounding

Base.round(x::Sym{<:Integer}) = x
Base.round(x::Sym) = Arr.rint(x)
Base.round(x::Sym, ::RoundingMode{:Nearest}) = round(x)
for (mode, f) in ((:ToZero, :trunc), (:Down, :floor), (:Up, :ceil))
    @eval Base.round(x::Sym, ::RoundingMode{$(QuoteNode(mode))}) = $f(x)
    @eval Base.$f(::Type{T}, x::Sym) where {T<:Integer} = converted(T, $f(x))
end
Base.round(::Type{T}, x::Sym) where {T<:Integer} = converted(T, round(x))
Base.round(::Type{T}, x::Sym, r::RoundingMode) where {T<:Integer} = converted(T, round(x, r))

# sin(pi x) and cos(pi x) by parts of half a turn, so that they are exact where they are 0 or 1; nan of an infinity, where
# Base's throw. Operands are at width a quarter turn.
Base.sinpi(x::Sym{T}) where {T<:Real} = quarters(float(x), 2, 1, true)
Base.cospi(x::Sym{T}) where {T<:Real} = quarters(float(x), 2, 1, false)
function quarters(x, turn::Int, half::Int, sine::Bool)
    r = rem(abs(x), turn)                       # 0 .. turn
    n = round(2r / half)                        # 0 .. 4 quarters
    s = (r - n * half / 2) * oftype_of(x, π / half)     # -pi / 4 .. pi / 4
    quarter(k) = n == k
    value = sine ?
        ifelse(quarter(1), cos(s), ifelse(quarter(2), zero(s) - sin(s), ifelse(quarter(3), -cos(s), sin(s)))) :
        ifelse(quarter(1), zero(s) - sin(s), ifelse(quarter(2), -cos(s), ifelse(quarter(3), sin(s), cos(s))))
    sine || return value
    y = copysign(oftype_of(x, 1), x) * value
    ifelse(value == zero(value), copysign(zero(value), x), y)
end
oftype_of(::Sym{T}, x) where {T} = convert(T, x)

# ------------------------------------------------------------------------------------------ conversions

Base.float(x::Sym{T}) where {T} = as(float(T), x.trace, x)
Base.AbstractFloat(x::Sym) = float(x)
Base.complex(x::Sym{T}) where {T} = T <: Complex ? x : complex_of(T, x, zero(T))
Base.Complex(x::Sym) = complex(x)
Base.widen(x::Sym{T}) where {T} = as(widen(T), x.trace, x)
for T in ELTYPES
    @eval (::Type{$T})(x::Sym) = converted($T, x)
    @eval Base.convert(::Type{$T}, x::Sym) = converted($T, x)
end

# The number in another type, and a note to check the elements where not all have a value there: see verify.
function converted(@nospecialize(T::Type), x::Sym)
    if numtype(x) <: Complex && T <: Real
        note!(not_equal(imag(x), 0), x, T)
        return converted(T, real(x))
    end
    bad = inexact(T, x)
    bad === nothing || note!(bad, x, T)
    as(T, x.trace, x)
end
function note!(bad::Sym, x::Sym, @nospecialize(T::Type))
    t = x.trace
    push!(t.checks, (bad = isempty(t.path) ? bad : bad & taken_by(t), source = x, into = T))
end

# Marks the elements that have no value in T; nothing where all have one.
function inexact(@nospecialize(T::Type), x::Sym{S}) where {S}
    (S === T || T <: Complex || T <: AbstractFloat) && return nothing
    T === Bool && return not_equal(x, zero(x)) & not_equal(x, one(x))
    if S <: AbstractFloat
        w = as(Float64, x.trace, x)
        return negated((trunc(w) == w) & (w >= Float64(typemin(T))) & (w < 2.0^(8 * sizeof(T) - (T <: Signed))))
    end
    low, high = typemin(S) < typemin(T), typemax(S) > typemax(T)
    low && high && return (x < typemin(T)) | (x > typemax(T))
    low ? x < typemin(T) : high ? x > typemax(T) : nothing
end

# The value of a number in an array of T: it must be one of T's, as in Base.
stored(::Type{T}, @nospecialize(x)) where {T} = x isa Sym && narrows(T, numtype(x)) ? converted(T, x) : x
narrows(T, S) = T !== S && (T <: Integer && S <: Integer ? typemin(S) < typemin(T) || typemax(S) > typemax(T) :
    T <: Integer && S <: AbstractFloat || T <: Real && S <: Complex)

"""Throws where an element has no value in a type that the traced function converts it to: one pass, before the result."""
function verify(t::Trace, dims::Dims{N}) where {N}
    t.square && (N == 2 && dims[1] == dims[2] || throw(DimensionMismatch(
        "a broadcast with a multiple of the identity has size $dims, expected that of a square matrix")))
    isempty(t.checks) && return
    any(Mapped(t, reduce(|, Any[c.bad for c in t.checks]), dims)) || return
    for c in t.checks
        at = findfirst(Array(run!(ArrArray{Bool,N}(undef, dims; device = t.device), t, c.bad)))
        at === nothing && continue
        value(x) = Array(run!(ArrArray{numtype(x),N}(undef, dims; device = t.device), t, x))[at]
        throw(haskey(c, :error) ? thrown_at(c.error, value) : InexactError(Symbol(c.into), c.into, value(c.source)))
    end
end
