# SPDX-License-Identifier: MIT
# dtypes.jl: limits, casts and kinds of element types, by NumPy's rules.

const CASTINGS = (no = LibArr.ARR_CAST_NO, equiv = LibArr.ARR_CAST_EQUIV, safe = LibArr.ARR_CAST_SAFE,
                  same_kind = LibArr.ARR_CAST_SAME_KIND, unsafe = LibArr.ARR_CAST_UNSAFE)

"""
    Arr.can_cast(from, to, casting = :safe)

True if NumPy casts one element type to another by a rule: `:no`, `:equiv`, `:safe`, `:same_kind` or `:unsafe`.
"""
function can_cast(from::Type, to::Type, casting::Symbol = :safe)
    haskey(CASTINGS, casting) || throw(ArgumentError("Arr.can_cast: casting is :$casting, expected one of $(keys(CASTINGS))"))
    yes = Ref(false)
    @check LibArr.arr_can_cast(dtype(from), dtype(to), CASTINGS[casting], yes)
    yes[]
end

"""
    Arr.result_type(operands...)

Returns the element type to which arrays, numbers and types promote by NumPy's rules. Numbers count by their types, as
everywhere in Julia.
"""
function result_type(operands...)
    given, out = map(type_operand, operands), Ref(Int32(0))
    GC.@preserve given @check LibArr.arr_result_type(Int32(length(given)), Value[first(g) for g in given], out)
    eltype_of(out[])
end
type_operand(x::Type) = Value(LibArr.ARR_VALUE_SCALAR, dtype(x), 0, 0), nothing
type_operand(x::Number) = value(x), nothing
type_operand(x::AnyArr) = argument(x)

"""
    Arr.min_scalar_type(x)

Returns the smallest element type of a number's kind that holds it: `UInt8` for 10, `Int8` for -10, `Float16` for 1e3.
"""
function min_scalar_type(x::Number)
    out = Ref(Int32(0))
    @check LibArr.arr_min_scalar_type(Ref(value(x)), out)
    eltype_of(out[])
end

"""
    Arr.finfo(T)

Facts of a float type, or of the parts of a complex type, under NumPy's names: `bits`, `eps`, `max`, `smallest_normal`,
`precision` ...
"""
function finfo(T::Type)
    limits = Ref(LibArr.arr_float_limits(sizeof(LibArr.arr_float_limits), ntuple(_ -> 0, 17)...))
    @check LibArr.arr_finfo(dtype(T), limits)
    names = Tuple(n for n in fieldnames(LibArr.arr_float_limits) if !(n in (:struct_size, :dtype, :reserved)))
    merge((dtype = eltype_of(limits[].dtype),), NamedTuple{names}(map(n -> getfield(limits[], n), names)))
end

"""
    Arr.iinfo(T)

Returns `bits`, `min` and `max` of an integer type.
"""
function iinfo(T::Type)
    bits, min, max = Ref(Int32(0)), Ref(Value(0, 0, 0, 0)), Ref(Value(0, 0, 0, 0))
    @check LibArr.arr_iinfo(dtype(T), bits, min, max)
    (bits = bits[], min = number(min[]), max = number(max[]))
end

"""
    Arr.isdtype(T, kind)

True if a type is of a kind by its name in the array API standard or in NumPy: "integral", "real floating", "number" ...
"""
function isdtype(T::Type, kind::AbstractString)
    kinds, yes = Ref(Int32(0)), Ref(false)
    @check LibArr.arr_kind_find(kind, kinds)
    @check LibArr.arr_isdtype(dtype(T), kinds[], yes)
    yes[]
end
