# SPDX-License-Identifier: MIT
# types.jl: element types, BFloat16, and numbers as the library takes them.

"""
    BFloat16

The upper half of a `Float32`: 8 bits of exponent, 7 of fraction. Arithmetic is done in `Float32`.

```jldoctest
julia> BFloat16(3) / 4
BFloat16(0.75)

julia> sum(ArrArray(BFloat16[1, 2, 3]))
BFloat16(6.0)
```
"""
primitive type BFloat16 <: AbstractFloat 16 end

bits(x::BFloat16) = reinterpret(UInt16, x)
Base.Float32(x::BFloat16) = reinterpret(Float32, UInt32(bits(x)) << 16)
function BFloat16(x::Float32)
    isnan(x) && return reinterpret(BFloat16, 0x7fc0)
    u = reinterpret(UInt32, x)
    u += 0x00007fff + ((u >> 16) & 0x00000001)  # to nearest, ties to even
    reinterpret(BFloat16, UInt16(u >> 16))
end
BFloat16(x::BFloat16) = x
BFloat16(x::Float64) = BFloat16(Float32(x))
BFloat16(x::Float16) = BFloat16(Float32(x))
BFloat16(x::Integer) = BFloat16(Float32(x))
BFloat16(x::Rational) = BFloat16(Float32(x))
BFloat16(x::AbstractIrrational) = BFloat16(Float32(x))
Base.Float64(x::BFloat16) = Float64(Float32(x))
Base.Float16(x::BFloat16) = Float16(Float32(x))
(::Type{T})(x::BFloat16) where {T<:Integer} = T(Float32(x))
Base.Bool(x::BFloat16) = Bool(Float32(x))
Base.promote_rule(::Type{BFloat16}, ::Type{Float32}) = Float32
Base.promote_rule(::Type{BFloat16}, ::Type{Float64}) = Float64
Base.promote_rule(::Type{BFloat16}, ::Type{Float16}) = Float32
Base.promote_rule(::Type{BFloat16}, ::Type{<:Integer}) = BFloat16
for f in (:+, :-, :*, :/, :^, :rem, :mod, :atan, :hypot)
    @eval Base.$f(x::BFloat16, y::BFloat16) = BFloat16($f(Float32(x), Float32(y)))
end
for f in (:-, :sqrt, :exp, :log, :sin, :cos, :tan, :sinh, :cosh, :tanh, :asin, :acos, :atan, :asinh, :acosh, :atanh,
          :exp2, :log2, :log10, :expm1, :log1p, :cbrt, :abs, :floor, :ceil, :trunc, :round, :sign)
    @eval Base.$f(x::BFloat16) = BFloat16($f(Float32(x)))
end
for f in (:(==), :<, :<=, :isless)
    @eval Base.$f(x::BFloat16, y::BFloat16) = $f(Float32(x), Float32(y))
end
Base.isnan(x::BFloat16) = isnan(Float32(x))
Base.isinf(x::BFloat16) = isinf(Float32(x))
Base.isfinite(x::BFloat16) = isfinite(Float32(x))
Base.typemin(::Type{BFloat16}) = BFloat16(-Inf32)
Base.typemax(::Type{BFloat16}) = BFloat16(Inf32)
Base.eps(::Type{BFloat16}) = BFloat16(0.0078125f0)
Base.hash(x::BFloat16, h::UInt) = hash(Float32(x), h)
Base.show(io::IO, x::BFloat16) = print(io, "BFloat16(", Float32(x), ")")

# ------------------------------------------------------------------------------------------- dtypes

const DTYPES = (Bool => LibArr.ARR_BOOL, Int8 => LibArr.ARR_INT8, Int16 => LibArr.ARR_INT16,
                Int32 => LibArr.ARR_INT32, Int64 => LibArr.ARR_INT64, UInt8 => LibArr.ARR_UINT8,
                UInt16 => LibArr.ARR_UINT16, UInt32 => LibArr.ARR_UINT32, UInt64 => LibArr.ARR_UINT64,
                Float16 => LibArr.ARR_FLOAT16, Float32 => LibArr.ARR_FLOAT32,
                Float64 => LibArr.ARR_FLOAT64, ComplexF32 => LibArr.ARR_COMPLEX64,
                ComplexF64 => LibArr.ARR_COMPLEX128, BFloat16 => LibArr.ARR_BFLOAT16)
const ELTYPES = map(first, DTYPES)

for (T, number) in DTYPES
    @eval dtype(::Type{$T}) = $number
end
dtype(T::Type) = throw(ArgumentError("$T is no element type of Arr; these are: $(join(ELTYPES, ", "))$(instead_of(T))"))
instead_of(T::Type) = T <: Complex ? "; ComplexF64.(x) is of one" :
    isstructtype(T) && fieldcount_of(T) > 0 && !(T <: Union{Number,AbstractString}) ?
    "; of tuples and structs each member has an array, as in ArrTuples((a, b))" : ""
fieldcount_of(T::Type) = isconcretetype(T) ? fieldcount(T) : 0

function eltype_of(number::Integer)
    for (T, n) in DTYPES
        n == number && return T
    end
    throw(ArgumentError("dtype $number is newer than this package"))
end

# Kinds as in the table of operations: B bool, I int, U uint, F float, C complex.
kind(::Type{Bool}) = 'B'
kind(::Type{<:Signed}) = 'I'
kind(::Type{<:Unsigned}) = 'U'
kind(::Type{<:AbstractFloat}) = 'F'
kind(::Type{<:Complex}) = 'C'

# ------------------------------------------------------------------------------------------ numbers

const Value = LibArr.arr_value

# The bits of a number, little end first, as arr_value keeps them.
low(x::Bool) = Int64(x)
low(x::Union{Int8,Int16,Int32,Int64}) = reinterpret(Int64, UInt64(unsigned(x)))
low(x::Union{UInt8,UInt16,UInt32,UInt64}) = reinterpret(Int64, UInt64(x))
low(x::Union{Float16,BFloat16}) = Int64(reinterpret(UInt16, x))
low(x::Float32) = Int64(reinterpret(UInt32, x))
low(x::Float64) = reinterpret(Int64, x)
low(x::ComplexF32) = low(real(x)) | (low(imag(x)) << 32)
low(x::ComplexF64) = low(real(x))
high(x) = Int64(0)
high(x::ComplexF64) = low(imag(x))

"""Returns the number with exactly its own type; other number types go to the nearest one that the library has."""
value(x::Number) = Value(LibArr.ARR_VALUE_SCALAR, dtype(typeof(x)), low(x), high(x))
value(x::Union{AbstractIrrational,Rational}) = value(Float64(x))
value(x::Complex) = value(ComplexF64(x))
value(x::Union{ComplexF32,ComplexF64}) = Value(LibArr.ARR_VALUE_SCALAR, dtype(typeof(x)), low(x), high(x))

# A number out of an arr_value, by the bytes.
number(v::Value) = number(v, eltype_of(v.dtype))
number(v::Value, ::Type{T}) where {T} = reinterpret(T, [v.lo, v.hi])[1]
number(v::Value, ::Type{Bool}) = v.lo != 0
