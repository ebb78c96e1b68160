# SPDX-License-Identifier: MIT
# calculus.jl: differences, gradients and integrals along dimensions; convolution; products of vectors.

packed(a::ArrArray) = a
packed(a::WithStrides) = column_major(a)

"""Returns the new array that f(out) makes, whose type and shape the library knows."""
function made(f)
    out = Ref(LibArr.arr_array())
    f(out)
    a = adopt(out[])
    relieve_pressure(sizeof(a)::Int)
    packed(a)
end

# A number that meets arrays: an integer takes their type, as in Julia.
weak(v::Value) = Value(v.kind | LibArr.ARR_VALUE_WEAK, v.dtype, v.lo, v.hi)
loose(x::Union{Bool,Integer}) = weak(value(Int64(x)))
loose(x::Number) = value(x)
loose(a::AnyArr) = first(argument(a))
# A number that becomes an element of an array: none of it may be lost, as where Julia's arrays are written.
written(a::AnyArr, x) = written(eltype(a), x)
written(::Type{T}, x::Number) where {T} = value(convert(T, x))
written(::Type, x::AnyArr) = loose(x)

# The reduced dimension stays with extent 1, as in Base's reductions; of a vector comes a number.
kept(r::AnyArr, ::Vect, dims::Nothing) = (x = item(r); unsafe_free!(r); x)
kept(r::AnyArr, a::AnyArr, dims) = reshape(r, reduced_size(a, dims))

const NO_ARRAY = LibArr.arr_array()

# ------------------------------------------------------------------------------------- differences

"""
    diff(a; dims, n = 1)

Computes the differences of neighbouring elements, `n` times. A vector needs no `dims`.
"""
Base.diff(a::AnyArr; dims::Integer, n::Integer = 1) = differences(a, along(a, dims), n)
Base.diff(a::Vect; dims::Integer = 1, n::Integer = 1) = differences(a, along(a, dims), n)
differences(a::AnyArr{Bool}, dim, n) = differences(Int.(a), dim, n)       # the library's are not_equal
function differences(a::AnyArr, dim, n)
    n == 0 && return copy(a)
    made(out -> @check LibArr.arr_diff(a, Int32(n), axis(dim), NO_ARRAY, NO_ARRAY, stream(), out))
end

"""
    Arr.gradient(a; dims = :, spacing = 1, edge_order = 1)

Returns the derivative of `a` along one dimension (an array), or along several, by default all (a tuple): central differences
inside, one-sided ones of `edge_order` 1 or 2 at the ends. `spacing` is a number or a vector of coordinates, or a
tuple of these, one for each of the dimensions. Of a vector comes a vector.
"""
function gradient(a::AnyArr; dims = :, spacing = 1, edge_order::Integer = 1)
    list = dims === (:) ? collect(1:ndims(a)) : [along(a, d) for d in dims]
    steps = spacing isa Tuple ? Any[spacing...] : Any[spacing for _ in list]
    length(steps) == length(list) ||
        throw(ArgumentError("spacing: got $(length(steps)), expected $(length(list)), one for each dimension"))
    values, axes, out = Value[loose(s) for s in steps], Int32[axis(d) for d in list], Base.fill(NO_ARRAY, length(list))
    GC.@preserve steps @check LibArr.arr_gradient(a, Int32(length(axes)), axes, values, Int32(edge_order), stream(),
                                                  Int32(length(out)), out)
    found = Tuple(packed(adopt(h)) for h in out)
    dims isa Integer || ndims(a) == 1 ? first(found) : found
end

# ---------------------------------------------------------------------------------------- integrals

coordinates(::Nothing) = NO_ARRAY
coordinates(x::AnyArr) = x

"""
    Arr.trapezoid(y; x = nothing, dx = 1, dims)

Returns the integral by the trapezoidal rule, over coordinates `x` or at a distance `dx`. The result of a vector is a
number; of other arrays the dimension stays with extent 1.
"""
function trapezoid(y::AnyArr; x = nothing, dx::Real = 1, dims = nothing)
    d = along(y, dims)
    kept(made(out -> @check LibArr.arr_trapezoid(y, coordinates(x), Float64(dx), axis(d), stream(), out)), y, dims)
end

"""
    Arr.cumulative_trapezoid(y; x = nothing, dx = 1, dims, include_initial = false)

Returns the running integral by the trapezoidal rule; with `include_initial` it begins with 0, and the size is that of `y`.
"""
function cumulative_trapezoid(y::AnyArr; x = nothing, dx::Real = 1, dims = nothing, include_initial::Bool = false)
    d = along(y, dims)
    made(out -> @check LibArr.arr_cumulative_trapezoid(y, coordinates(x), Float64(dx), axis(d), include_initial,
                                                       stream(), out))
end

"""
    Arr.unwrap(p; dims, period = 2π, discont = period / 2)

Phases without jumps: multiples of the period are added where neighbours differ by more than `discont`.
"""
function unwrap(p::AnyArr; dims = nothing, period = nothing, discont = nothing)
    d, limit = along(p, dims), discont === nothing ? NaN : Float64(discont)
    turn = period === nothing ? C_NULL : Ref(loose(period))
    made(out -> @check LibArr.arr_unwrap(p, limit, axis(d), turn, stream(), out))
end

# --------------------------------------------------------------------------- convolution, products

const MODES = (full = LibArr.ARR_CONVOLVE_FULL, same = LibArr.ARR_CONVOLVE_SAME, valid = LibArr.ARR_CONVOLVE_VALID)
mode_number(mode::Symbol) = haskey(MODES, mode) ? MODES[mode] :
    throw(ArgumentError("mode $(repr(mode)): expected :full, :same or :valid"))

"""
    Arr.conv(a, v; mode = :full)

Returns the convolution of two vectors: every overlap (`:full`), the middle of these (`:same`), or where the shorter lies
within the longer (`:valid`).
"""
conv(a::Vect, v::Vect; mode::Symbol = :full) =
    made(out -> @check LibArr.arr_convolve(a, v, mode_number(mode), stream(), out))

"""
    Arr.correlate(a, v; mode = :valid)

Returns the correlation of two vectors, sums of `a[j + k] * conj(v[j])`; the modes are those of [`Arr.conv`](@ref).
"""
correlate(a::Vect, v::Vect; mode::Symbol = :valid) =
    made(out -> @check LibArr.arr_correlate(a, v, mode_number(mode), stream(), out))

function LinearAlgebra.cross(a::Vect, b::Vect)
    length(a) == length(b) == 3 || throw(DimensionMismatch("cross: lengths $(length(a)) and $(length(b)), expected 3"))
    made(out -> @check LibArr.arr_cross(a, b, Int32(-1), Int32(-1), Int32(-1), stream(), out))
end

"""
    Arr.vecdot(a, b; dims)

Sums of `conj(a) .* b` along a dimension, in one pass; the dimension stays with extent 1.
"""
function vecdot(a::AnyArr, b::AnyArr; dims = nothing)
    size(a) == size(b) || throw(DimensionMismatch("vecdot: sizes $(size(a)) and $(size(b))"))
    d = along(a, dims)
    kept(made(out -> @check LibArr.arr_vecdot(a, b, axis(d), stream(), out)), a, dims)
end
