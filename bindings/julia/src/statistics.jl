# SPDX-License-Identifier: MIT
# statistics.jl: spread, medians and quantiles under Statistics' names; averages, norms and softmax under the library's.

# Reduced over everything to a number, or over dims, which stay with extent 1. f(naxes, axes, keepdims, out)
function reduced(f, a::AnyArr, dims)
    axes = dims === (:) ? Int32[] : axes_of(inner(a, dims))
    dims === (:) || !isempty(axes) || throw(ArgumentError("dims $dims: the array has $(ndims(a)) dimensions"))
    r = made(out -> f(Int32(length(axes)), isempty(axes) ? C_NULL : axes, dims !== (:), out))
    dims === (:) || return r
    x = item(r)
    unsafe_free!(r)
    x
end

# ------------------------------------------------------------------------------------------- spread

spread(f, a::AnyArr, dims, correction) =
    reduced((n, axes, keep, out) -> @check(f(a, n, axes, keep, Float64(correction), stream(), out)), a, dims)

function variance(a::AnyArr, corrected::Bool, mean, dims)
    mean === nothing && return spread(LibArr.arr_var, a, dims, corrected)
    n = dims === (:) ? length(a) : prod(size(a, d) for d in unique(dims))
    sum(abs2, a .- mean; dims = dims) ./ (n - corrected)
end

# Statistics has separate methods for arrays of floats: so these are as specific.
for A in (:AnyArr, :(AnyArr{<:AbstractFloat}))
    @eval Statistics.var(a::$A; corrected::Bool = true, mean = nothing, dims = :) = variance(a, corrected, mean, dims)
    @eval Statistics.std(a::$A; corrected::Bool = true, mean = nothing, dims = :) =
        mean === nothing ? spread(LibArr.arr_std, a, dims, corrected) : sqrt.(variance(a, corrected, mean, dims))
end

"""
    Arr.nanvar(a; dims = :, corrected = true)

Returns the variance of the elements that are not nan.
"""
nanvar(a::AnyArr; dims = :, corrected::Bool = true) = spread(LibArr.arr_nanvar, a, dims, corrected)
"""
    Arr.nanstd(a; dims = :, corrected = true)

Returns the standard deviation of the elements that are not nan.
"""
nanstd(a::AnyArr; dims = :, corrected::Bool = true) = spread(LibArr.arr_nanstd, a, dims, corrected)

# ------------------------------------------------------------------------------ medians, quantiles

middle(f, a, dims) = reduced((n, axes, keep, out) -> @check(f(a, n, axes, keep, stream(), out)), a, dims)
function Statistics.median(a::AnyArr; dims = :)
    dims === (:) && isempty(a) && throw(ArgumentError("median of an empty array is undefined, $(repr(typeof(a)))"))
    middle(LibArr.arr_median, a, dims)
end

const QUANTILE_METHODS = Dict(Symbol(lowercase(string(n)[length("ARR_QUANTILE_")+1:end])) => getfield(LibArr, n)
                              for n in names(LibArr; all = true) if startswith(string(n), "ARR_QUANTILE_"))

# weighted: the same with weights. They take one method.
function quantiles(f, weighted, a::AnyArr, p, dims, method, weights)
    method === nothing && (method = weights === nothing ? :linear : :inverted_cdf)
    haskey(QUANTILE_METHODS, method) || throw(ArgumentError(
        "method $(repr(method)): expected one of $(join(sort!(collect(keys(QUANTILE_METHODS))), ", "))"))
    q, m = Float64[x for x in p], QUANTILE_METHODS[method]
    many = p isa Number ? 0 : length(q)
    call(n, axes, keep, out) = weights === nothing ? (@check f(a, Int32(many), q, n, axes, keep, m, stream(), out)) :
                               (@check weighted(a, coordinates(weights), Int32(many), q, n, axes, keep, m, stream(), out))
    p isa Number && return reduced(call, a, dims)
    isempty(q) && throw(ArgumentError("p: got no quantiles, expected some"))
    axes = dims === (:) ? Int32[] : axes_of(dims)
    made(out -> call(Int32(length(axes)), isempty(axes) ? C_NULL : axes, dims !== (:), out))
end

"""
    quantile(a, p; dims = :, method = :linear, weights = nothing)

Quantiles of an array of Arr, each of `p` in 0 .. 1, by one of NumPy's methods. Several of them are the first dimension
of the result. Weights have the size of `a`, or are a vector along the one dimension; their method is `:inverted_cdf`.
"""
Statistics.quantile(a::AnyArr, p; dims = :, method = nothing, weights = nothing) =
    quantiles(LibArr.arr_quantile, LibArr.arr_quantile_weighted, with_precision(a, p), p, dims, method, weights)
Statistics.quantile(a::Vect, p; dims = :, method = nothing, weights = nothing) =
    quantiles(LibArr.arr_quantile, LibArr.arr_quantile_weighted, with_precision(a, p), p, dims, method, weights)

# In the common type of the elements and of p, as in Statistics.
with_precision(a::AnyArr, p) = a
with_precision(a::AnyArr{T}, p) where {T<:AbstractFloat} = same_type(promote_type(T, p isa Number ? typeof(p) : eltype(p)), a)

"""
    Arr.nanquantile(a, p; dims = :, method = :linear, weights = nothing)

Returns the [`quantile`](@ref) of the elements that are not nan.
"""
nanquantile(a::AnyArr, p; dims = :, method = nothing, weights = nothing) =
    quantiles(LibArr.arr_nanquantile, LibArr.arr_nanquantile_weighted, a, p, dims, method, weights)

# ------------------------------------------------------------------- averages, norms, exponentials

"""
    Arr.average(a, weights = nothing; dims = :)

Returns the weighted average. The weights have the size of `a`, or are a vector along the one dimension.
"""
average(a::AnyArr, weights = nothing; dims = :) =
    reduced((n, axes, keep, out) -> @check(LibArr.arr_average(a, coordinates(weights), n, axes, keep, stream(), out)), a, dims)

"""
    Arr.vector_norm(a, p = 2; dims = :)

Returns the p-norm of the elements, over everything or along dimensions.
"""
vector_norm(a::AnyArr, p::Real = 2; dims = :) =
    reduced((n, axes, keep, out) -> @check(LibArr.arr_vector_norm(a, Float64(p), n, axes, keep, stream(), out)), a, dims)

for (name, what) in ((:softmax, "exp.(a) ./ sum(exp.(a); dims)"), (:log_softmax, "log.(softmax(a; dims))"))
    f = Symbol(:arr_, name)
    @eval @doc $("    Arr.$name(a; dims = 1)\n\n`$what`, without overflow.") function $name(a::AnyArr; dims = 1)
        axes = dims === (:) ? Int32[] : axes_of(dims)
        list = isempty(axes) ? C_NULL : axes
        made(out -> @check LibArr.$f(a, Int32(length(axes)), list, stream(), out))
    end
end
