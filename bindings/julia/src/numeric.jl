# SPDX-License-Identifier: MIT
# numeric.jl: rounding, closeness, bits; covariances under Statistics' names; reductions with options and the methods
# of operations.

# f(handles): of arrays that are kept alive meanwhile; nothing is no array.
function with_handles(f, arrays...)
    kept = map(a -> a === nothing ? nothing : Base.cconvert(LibArr.arr_array, a), arrays)
    GC.@preserve kept f(map(k -> k === nothing ? NO_ARRAY : Base.unsafe_convert(LibArr.arr_array, k), kept)...)
end

# A number that may be missing, as a pointer.
maybe(::Type, ::Nothing) = C_NULL
maybe(::Type{T}, x) where {T} = Ref(convert(T, x))

# ------------------------------------------------------------------------------------------ numbers

"""
    Arr.around(a, digits = 0)

Rounds to a number of digits after the point, or before it if that is negative; halves to the even neighbour.
"""
around(a::AnyArr, digits::Integer = 0) = made(out -> @check LibArr.arr_round(a, Int32(digits), stream(), out))

"""
    Arr.around!(z, a, digits = 0)

Returns the result of `Arr.around`, written into an array of the same size, which may be `a`.
"""
around!(z::AnyArr, a::AnyArr, digits::Integer = 0) = (@check LibArr.arr_round_into(z, a, Int32(digits), stream()); z)

"""
    Arr.nan_to_num(a; nan = 0, posinf = nothing, neginf = nothing)

Replaces nan and infinities; an infinity without a given number becomes the largest finite one of its sign.
"""
nan_to_num(a::AnyArr; nan::Real = 0, posinf = nothing, neginf = nothing) = made(out -> @check LibArr.arr_nan_to_num(
    a, Float64(nan), maybe(Float64, posinf), maybe(Float64, neginf), stream(), out))

"""
    Arr.nan_to_num!(z, a; nan = 0, posinf = nothing, neginf = nothing)

Returns the result of `Arr.nan_to_num`, written into an array of the same size, which may be `a`.
"""
nan_to_num!(z::AnyArr, a::AnyArr; nan::Real = 0, posinf = nothing, neginf = nothing) = (@check(
    LibArr.arr_nan_to_num_into(z, a, Float64(nan), maybe(Float64, posinf), maybe(Float64, neginf), stream())); z)

"""
    Arr.isclose(a, b; rtol = 1e-5, atol = 1e-8, nans = false)

Tests for each element whether `abs(a - b) <= atol + rtol * abs(b)`.
"""
isclose(a::AnyArr, b::AnyArr; rtol::Real = 1e-5, atol::Real = 1e-8, nans::Bool = false) = made(
    out -> @check LibArr.arr_isclose(a, b, Float64(rtol), Float64(atol), nans, stream(), out))

"""
    Arr.allclose(a, b; rtol = 1e-5, atol = 1e-8, nans = false)

True if [`Arr.isclose`](@ref) holds for all elements.
"""
function allclose(a::AnyArr, b::AnyArr; rtol::Real = 1e-5, atol::Real = 1e-8, nans::Bool = false)
    number_of(made(out -> @check LibArr.arr_allclose(a, b, Float64(rtol), Float64(atol), nans, stream(), out)))
end

"""
    Arr.real_if_close(a; tol = 100)

Returns the real parts if all imaginary parts are smaller than `tol`, else `a`. A `tol` above 1 is in units of `eps`.
"""
real_if_close(a::AnyArr; tol::Real = 100) =
    made(out -> @check LibArr.arr_real_if_close(a, Float64(tol), stream(), out))

# --------------------------------------------------------------------------------------------- bits

function bit_order(order::Symbol)
    order in (:big, :little) || throw(ArgumentError("order $(repr(order)): expected :big or :little"))
    order === :big ? LibArr.ARR_BITORDER_BIG : LibArr.ARR_BITORDER_LITTLE
end

"""
    Arr.packbits(a; dims, order = :big)

Packs eight numbers along a dimension to a byte: which are not 0, the first the highest bit or, with `:little`, the
lowest. A vector needs no `dims`.
"""
packbits(a::AnyArr; dims = nothing, order::Symbol = :big) =
    made(out -> @check LibArr.arr_packbits(a, axis(along(a, dims)), bit_order(order), stream(), out))

"""
    Arr.unpackbits(a; dims, count = nothing, order = :big)

Unpacks each byte to eight numbers 0 or 1: `count` in all along the dimension, or, where it is negative, that many less.
"""
unpackbits(a::AnyArr; dims = nothing, count = nothing, order::Symbol = :big) = made(out -> @check LibArr.arr_unpackbits(
    a, axis(along(a, dims)), maybe(Int64, count), bit_order(order), stream(), out))

# -------------------------------------------------------------------------------------- covariances

# Covariances of the variables of a, and of y: columns, or rows.
covariances(f, a::AnyArr, y, columns::Bool, corrected::Bool) = with_handles(y) do h
    options = LibArr.arr_cov_options(sizeof(LibArr.arr_cov_options), h, NO_ARRAY, NO_ARRAY, Int32(columns), Int32(!corrected),
                                     Int32(0), Int32(0), Int32(0), Int32(0))
    # The library computes in Float64; the type is Julia's.
    T = float(y === nothing ? eltype(a) : promote_type(eltype(a), eltype(y)))
    same_type(T, made(out -> @check f(a, Ref(options), stream(), out)))
end

Statistics.cov(a::Vect; corrected::Bool = true) = real(number_of(covariances(LibArr.arr_cov, a, nothing, false, corrected)))
Statistics.cov(a::Mat; dims::Int = 1, corrected::Bool = true) =
    matrix(covariances(LibArr.arr_cov, a, nothing, observed_rows(dims), corrected))
Statistics.cov(a::Vect, b::Vect; corrected::Bool = true) =
    number_of(covariances(LibArr.arr_cov, a, b, false, corrected)[1:1, 2:2])
Statistics.cov(a::Mat, b::Mat; dims::Int = 1, corrected::Bool = true) =
    between(covariances(LibArr.arr_cov, a, b, observed_rows(dims), corrected), size(a, 3 - dims))

Statistics.cor(a::Vect) = one(real(eltype(a)))
# In Statistics a series has the correlation 1 with itself, also one of equal numbers.
Statistics.cor(a::Mat; dims::Int = 1) =
    fill_diagonal!(matrix(covariances(LibArr.arr_corrcoef, a, nothing, observed_rows(dims), true)), 1)
Statistics.cor(a::Vect, b::Vect) = number_of(covariances(LibArr.arr_corrcoef, a, b, false, true)[1:1, 2:2])
Statistics.cor(a::Mat, b::Mat; dims::Int = 1) =
    between(covariances(LibArr.arr_corrcoef, a, b, observed_rows(dims), true), size(a, 3 - dims))

# A vector beside a matrix is one variable.
for f in (:cov, :cor)
    @eval Statistics.$f(a::Mat, b::Vect; kw...) = Statistics.$f(a, variable(b; kw...); kw...)
    @eval Statistics.$f(a::Vect, b::Mat; kw...) = Statistics.$f(variable(a; kw...), b; kw...)
end
variable(v::Vect; dims::Int = 1, kw...) = reshape(v, observed_rows(dims) ? (length(v), 1) : (1, length(v)))

observed_rows(dims) = dims in (1, 2) ? dims == 1 : throw(ArgumentError("dims $dims: expected 1 or 2"))
matrix(r::AnyArr) = ndims(r) == 0 ? reshape(r, 1, 1) : r
number_of(r::AnyArr) = (x = item(r); unsafe_free!(r); x)
number_of(x::Number) = x  # of a broadcast, which gives no array without dimensions
# The part for the variables of the first array with those of the second.
between(r::AnyArr, n) = r[1:n, n+1:size(r, 2)]

# ---------------------------------------------------------------- reductions with options, methods

operation_number(name::Symbol) = (op = Ref(Int32(0)); @check(LibArr.arr_op_find(String(name), op, C_NULL, C_NULL)); op[])

# call(axes..., options, out)
function with_options(call, a::AnyArr, dims, dtype_, init, filter, correction)
    start = init === nothing ? nothing : Ref(value(init))
    with_handles(filter) do mask
        GC.@preserve start begin
            pointer = start === nothing ? Ptr{LibArr.arr_value}(C_NULL) :
                      Base.unsafe_convert(Ptr{LibArr.arr_value}, Base.unsafe_convert(Ptr{Cvoid}, start))
            options = Ref(LibArr.arr_reduce_options(sizeof(LibArr.arr_reduce_options), dtype_ === nothing ? Int32(0) : dtype(dtype_),
                                                    Int32(0), pointer, mask, Float64(correction)))
            reduced((n, axes, keep, out) -> call(n, axes, keep, options, out), a, dims)
        end
    end
end

"""
    Arr.reduce_by(name, a; dims = :, type = nothing, init = nothing, where = nothing, correction = 0)

Computes a reduction of the library, such as `:sum`, with options: the elements are cast to `type` first; `init` is combined with
them; only those count where the `Bool` array `where` is true; `correction` is that of `:var` and `:std`.
"""
function reduce_by(name::Symbol, a::AnyArr; dims = :, type = nothing, init = nothing, where = nothing, correction::Real = 0)
    number = Ref(Int32(0))
    @check LibArr.arr_reduction_find(String(name), number)
    with_options((n, axes, keep, o, out) -> @check(LibArr.arr_reduce(number[], a, n, axes, keep, o, stream(), out)), a, dims,
                 type, init, where, correction)
end

"""
    Arr.ufunc_reduce(op, a; dims = :, type = nothing, init = nothing, where = nothing)

Reduces by an operation of the library, such as `:gcd`.
"""
function ufunc_reduce(op::Symbol, a::AnyArr; dims = :, type = nothing, init = nothing, where = nothing)
    number = operation_number(op)
    with_options((n, axes, keep, o, out) -> @check(LibArr.arr_ufunc_reduce(number, a, n, axes, keep, o, stream(), out)), a, dims,
                 type, init, where, 0)
end

"""
    Arr.ufunc_outer(op, a, b)

Applies an operation such as `:multiply` to each element of `a` with each of `b`: the dimensions of `a`, then those of `b`.
"""
ufunc_outer(op::Symbol, a::AnyArr, b::AnyArr) =
    (number = operation_number(op); made(out -> @check LibArr.arr_ufunc_outer(number, a, b, C_NULL, stream(), out)))

"""
    Arr.ufunc_accumulate(op, a; dims)

Accumulates by an operation such as `:gcd`. A vector needs no `dims`.
"""
ufunc_accumulate(op::Symbol, a::AnyArr; dims = nothing) = (number = operation_number(op);
    made(out -> @check LibArr.arr_ufunc_accumulate(number, a, axis(along(a, dims)), Int32(0), stream(), out)))

"""
    Arr.ufunc_accumulate!(z, op, a; dims)

Returns the result of `Arr.ufunc_accumulate`, written into an array of the size of `a`, which may be `a`.
"""
ufunc_accumulate!(z::AnyArr, op::Symbol, a::AnyArr; dims = nothing) = (number = operation_number(op);
    @check(LibArr.arr_ufunc_accumulate_into(z, number, a, axis(along(a, dims)), Int32(0), stream())); z)

"""
    Arr.ufunc_reduceat(op, a, starts; dims)

Reductions by an operation of slices of a dimension, each from an index to before the next one. A vector needs no `dims`.
"""
function ufunc_reduceat(op::Symbol, a::AnyArr, starts; dims = nothing)
    number, list = operation_number(op), Int64[i - 1 for i in starts]
    made(out -> @check LibArr.arr_ufunc_reduceat(number, a, Int64(length(list)), list, axis(along(a, dims)), Int32(0), stream(), out))
end

"""
    Arr.ufunc_reduceat!(z, op, a, starts; dims)

Returns the result of `Arr.ufunc_reduceat`, written into an array of that size.
"""
function ufunc_reduceat!(z::AnyArr, op::Symbol, a::AnyArr, starts; dims = nothing)
    number, list = operation_number(op), Int64[i - 1 for i in starts]
    @check LibArr.arr_ufunc_reduceat_into(z, number, a, Int64(length(list)), list, axis(along(a, dims)), Int32(0), stream())
    z
end

"""
    Arr.logsumexp_weighted(a, weights; dims = :)
    Arr.logsumexp_signed(a, weights; dims = :)

Computes `log(sum(weights .* exp.(a)))` without overflow, and the logarithm of the size of that sum with its sign. The weights
have the size of `a`, or one that broadcasts to it; they may be negative.
"""
logsumexp_weighted(a::AnyArr, weights::AnyArr; dims = :) =
    reduced((n, axes, keep, out) -> @check(LibArr.arr_logsumexp_weighted(a, weights, n, axes, keep, stream(), out)), a, dims)
function logsumexp_signed(a::AnyArr, weights::AnyArr; dims = :)
    signs = Ref{LibArr.arr_array}(NO_ARRAY)
    logs = reduced(a, dims) do n, axes, keep, out
        @check LibArr.arr_logsumexp_signed(a, weights, n, axes, keep, stream(), out, signs)
    end
    logs, reduced((n, axes, keep, out) -> (out[] = signs[]; nothing), a, dims)
end
@doc (@doc logsumexp_weighted) logsumexp_signed
