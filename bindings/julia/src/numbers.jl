# SPDX-License-Identifier: MIT
# numbers.jl: functions of symbolic numbers that Julia computes from the bits of a number, in C, or with more digits.

# ------------------------------------------------------------------------------------------------- bits

const Whole64 = Base.BitInteger
ones_of(x::Sym{<:Unsigned}) = as(Int, x.trace, operate(x.trace, :bitwise_count, UInt8, x))
Base.count_ones(x::Sym{<:Whole64}) = ones_of(unsigned(x))
Base.count_zeros(x::Sym{<:Whole64}) = ones_of(~unsigned(x))
# The bits below the lowest that is set; all where none is.
Base.trailing_zeros(x::Sym{<:Whole64}) = (u = unsigned(x); ones_of(~u & (u - one(u))))
Base.trailing_ones(x::Sym{<:Whole64}) = trailing_zeros(~x)
function Base.leading_zeros(x::Sym{T}) where {T<:Whole64}
    u = unsigned(x)
    for shift in (1, 2, 4, 8, 16, 32)
        shift < 8sizeof(T) && (u = u | (u >> shift))
    end
    ones_of(~u)
end
Base.leading_ones(x::Sym{<:Whole64}) = leading_zeros(~x)
Base.ispow2(x::Sym{<:Whole64}) = (x > zero(x)) & ((x & (x - one(x))) == zero(x))
function Base.bswap(x::Sym{T}) where {T<:Whole64}
    u, n = unsigned(x), sizeof(T)
    byte(k) = (u >> 8k) & oftype_of(u, 0xff)
    as(T, x.trace, reduce(|, [byte(k) << 8(n - 1 - k) for k in 0:n-1]))
end

# ---------------------------------------------------------------------------------------------- signs, parts

define_for_pairs(:flipsign, (x, y) -> numtype(x) <: Unsigned ? x : ifelse(sign_bit(y), -x, x))
# The fraction of an infinity is a zero; both parts have the sign of the number.
function Base.modf(x::Sym{<:AbstractFloat})
    whole = trunc(x)
    copysign(ifelse(isinf(x), zero(x), x - whole), x), copysign(whole, x)
end

# --------------------------------------------------------------------------------------- degrees, turns

for (f, sine) in ((:sind, true), (:cosd, false))
    @eval Base.$f(x::Sym{<:Real}) = quarters(float(x), 360, 180, $sine)
end
Base.tand(x::Sym{<:Real}) = sind(x) / cosd(x)
# A turn in two parts, of which the product of the first with a whole number is exact.
Base.mod2pi(x::Sym{Float16}) = as(Float16, x.trace, mod2pi(as(Float32, x.trace, x)))
function Base.mod2pi(x::Sym{<:Real})
    y = float(x)
    R(v) = oftype_of(y, v)
    first = 6.28125
    turns = floor(y / R(2π))
    r = (y - turns * R(first)) - turns * R(2big(π) - first)
    ifelse(y == R(0), y, ifelse(r < R(0), r + R(2π), ifelse(r >= R(2π), r - R(2π), r)))
end

# ------------------------------------------------------------------------------------- complex numbers

pi_of(x) = oftype_of(real(x), π)
# By sin(a + ib) = sin a cosh b + i cos a sinh b.
function Base.sinpi(x::Sym{<:Complex})
    a, b = real(x), imag(x) * pi_of(x)
    complex_of(numtype(a), sinpi(a) * cosh(b), cospi(a) * sinh(b))
end
function Base.cospi(x::Sym{<:Complex})
    a, b = real(x), imag(x) * pi_of(x)
    complex_of(numtype(a), cospi(a) * cosh(b), -(sinpi(a) * sinh(b)))
end
function Base.exp10(x::Sym{<:Complex})
    a, b = real(x), imag(x) * oftype_of(real(x), log(10.0))
    complex_of(numtype(a), exp10(a) * cos(b), exp10(a) * sin(b))
end
function Base.cosc(x::Sym)
    y = float(x)
    p = y * pi_of(y)
    ifelse(y == zero(y), zero(y), (p * cospi(y) - sinpi(y)) / (p * y))
end
