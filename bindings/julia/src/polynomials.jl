# SPDX-License-Identifier: MIT
# polynomials.jl: polynomials as vectors of coefficients; Vandermonde matrices.

# Coefficients are numbers: Bool counts as integers, and two vectors get Julia's common type.
coefficients(a::AnyArr, b::AnyArr) = (T = product_type(eltype(a), eltype(b)); (same_type(T, a), same_type(T, b)))

# Dimensions that one operand lacks come first for the library and last in Julia, so only equals meet.
function check_points(name, c::AnyArr, x::AnyArr)
    ndims(c) == 1 || ndims(x) in (0, ndims(c) - 1) ||
        throw(DimensionMismatch("$name: x has $(ndims(x)) dimensions, expected $(ndims(c) - 1), one less than the polynomials"))
end

# ------------------------------------------------------------------ coefficients from the highest power on

"""
    Arr.polyfit(x, y, degree; weights = nothing, rtol = nothing)

Fits a polynomial to points by least squares, from the highest power on, in 64 bits; of a matrix `y` one for each
column. `weights` are what the residuals are multiplied by; singular values up to `rtol` times the largest, without it
`eps` times the number of points, count as 0.
"""
function polyfit(x::Vect, y::Union{Vect,Mat}, degree::Integer; weights = nothing, rtol = nothing)
    limit = rtol === nothing ? -1.0 : Float64(rtol)
    with_handles(weights) do w
        made(out -> @check LibArr.arr_polyfit(x, y, Int64(degree), limit, w, stream(), out))
    end
end

"""
    Arr.polyfit_full(x, y, degree; weights = nothing, rtol = nothing)

Computes `Arr.polyfit` and returns a named tuple: the `coefficients`, the sums of squared `residuals`, the `rank` and
the singular values `s` of the powers, each scaled to length 1, and the `rtol` that was used.
"""
function polyfit_full(x::Vect, y::Union{Vect,Mat}, degree::Integer; weights = nothing, rtol = nothing)
    limit, used = rtol === nothing ? -1.0 : Float64(rtol), Ref(0.0)
    c, residuals, rank, s = with_handles(weights) do w
        made((outs...) -> @check(LibArr.arr_polyfit_full(x, y, Int64(degree), limit, w, stream(), outs..., used)), 4)
    end
    (coefficients = c, residuals = residuals, rank = rank, s = s, rtol = used[])
end

"""
    Arr.polyfit_cov(x, y, degree; scaled = true, weights = nothing, rtol = nothing)

Returns the coefficients of `Arr.polyfit` and their covariance, with a third dimension if `y` is a matrix. `scaled` by
the variance of the residuals, of which there are more than coefficients; else for weights that are 1 over the standard
deviations.
"""
function polyfit_cov(x::Vect, y::Union{Vect,Mat}, degree::Integer; scaled::Bool = true, weights = nothing, rtol = nothing)
    limit = rtol === nothing ? -1.0 : Float64(rtol)
    with_handles(weights) do w
        made((c, v) -> @check(LibArr.arr_polyfit_cov(x, y, Int64(degree), limit, w, scaled, stream(), c, v)), 2)
    end
end

for (f, entry, text) in ((:polyadd, :arr_polyadd, "sum"), (:polysub, :arr_polysub, "difference"),
                         (:polymul, :arr_polymul, "product"))
    @eval begin
        """
            Arr.$($(string(f)))(a, b)

        The $($text) of two polynomials with coefficients from the highest power on.
        """
        function $f(a::Vect, b::Vect)
            p, q = coefficients(a, b)
            made(out -> @check LibArr.$entry(p, q, stream(), out))
        end
    end
end

"""
    Arr.polyval(p, x)

Returns the values at `x`, an array or a number, of a polynomial with coefficients from the highest power on. Several polynomials
lie along the dimensions of `p` after the first, and `x` has these or is a number.
"""
function polyval(p::AnyArr, x::AnyArr)
    check_points("polyval", p, x)
    c, at = coefficients(p, x)
    made(out -> @check LibArr.arr_polyval(c, at, stream(), out))
end
polyval(p::AnyArr, x::Number) = polyval(p, fill(x, (); device = device(p)))
polyval(p::Vect, x::Number) = number_of(polyval(p, fill(x, (); device = device(p))))

"""
    Arr.polyder(p, m = 1)

Returns the `m`-th derivative of a polynomial with coefficients from the highest power on. Of integers it is `Int64`, of `UInt64`
`Float64`.
"""
function polyder(p::Vect{T}, m::Integer = 1) where {T}
    r = made(out -> @check LibArr.arr_polyder(p, Int64(m), stream(), out))
    T <: Integer ? r : same_type(T, r)          # the library's type is the common one with int64
end

"""
    Arr.polyint(p, m = 1; k = nothing)

Returns the `m`-th integral of a polynomial with coefficients from the highest power on, in 64 bits. The constants `k`
are a number for all or a vector, the first integration's first; without them 0.
"""
function polyint(p::Vect, m::Integer = 1; k = nothing)
    with_handles(k isa Number ? fill(k, (); device = device(p)) : k) do constants
        made(out -> @check LibArr.arr_polyint(p, Int64(m), constants, stream(), out))
    end
end

"""
    Arr.polydiv(u, v)

Returns the quotient and the remainder of two polynomials with coefficients from the highest power on; floating.
"""
function polydiv(u::Vect, v::Vect)
    a, b = coefficients(u, v)
    made((q, r) -> @check(LibArr.arr_polydiv(a, b, stream(), q, r)), 2)
end

# ------------------------------------------------------------------- coefficients from the lowest power on

for (f, entry, c, text) in (
    (:polynomial_val, :arr_polynomial_val, :c, "The values at `x` of polynomials with coefficients from the lowest power on"),
    (:polyvalfromroots, :arr_polyvalfromroots, :roots, "The values at `x` of polynomials by their roots: products of `x - root`"),
)
    @eval begin
        """
            Arr.$($(string(f)))(x, $($(string(c))); tensor = true)

        $($text), along the first dimension. Each polynomial at each `x`: the other dimensions of
        `$($(string(c)))`, then those of `x`; without `tensor` these have to be the same, and each has its own `x`.
        """
        function $f(x::AnyArr, $c::AnyArr; tensor::Bool = true)
            tensor || check_points($(string(f)), $c, x)
            at, list = coefficients(x, $c)
            made(out -> @check LibArr.$entry(at, list, tensor, stream(), out))
        end
    end
end

"""
    Arr.trimcoef(c, tol = 0)

Coefficients without trailing ones of a magnitude of at most `tol`; floating. Where nothing else is left, one 0.
"""
trimcoef(c::Vect, tol::Real = 0) = made(out -> @check LibArr.arr_trimcoef(c, Float64(tol), stream(), out))

"""
    Arr.as_series(arrays...; trim = true)

Vectors of coefficients in one floating type, a tuple; without their trailing zeros, unless `trim` is `false`.
"""
function as_series(arrays::AnyArr...; trim::Bool = true)
    list, out = LibArr.arr_array[a.handle for a in arrays], Base.fill(NO_ARRAY, length(arrays))
    GC.@preserve arrays @check LibArr.arr_as_series(Int32(length(list)), list, trim, stream(), Int32(length(out)), out)
    Tuple(packed(adopt(h)) for h in out)
end

# ---------------------------------------------------------------------------------------------- powers

# For the library -1 columns are as many as there are elements or rows.
how_many(columns::Integer) = columns < 0 ? throw(ArgumentError("columns $columns: expected 0 or more")) : Int64(columns)

"""
    Arr.vander(x, columns = length(x); increasing = false)

Returns the Vandermonde matrix: the powers 0 to `columns - 1` of each element in a row, the highest first or, with `increasing`,
last. Powers of integers are `Int64`, of `UInt64` `Float64`.
"""
function vander(x::Vect{T}, columns::Integer = length(x); increasing::Bool = false) where {T}
    r = made(out -> @check LibArr.arr_vander(x, how_many(columns), increasing, stream(), out))
    T <: Integer ? r : same_type(T, r)          # the library's type is the common one with int64
end
