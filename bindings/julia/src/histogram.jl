# SPDX-License-Identifier: MIT
# histogram.jl: operations in place at chosen elements; counts of values and of values in bins.

from_zero(i::AnyArr, a) = i .- 1
from_zero(i::AbstractArray{<:Integer}, a) = ArrArray(Int64.(i) .- 1; device = device(a))
from_zero(i::Integer, a) = from_zero([i], a)

"""
    Arr.ufunc_at!(op, a, indices[, b])

Computes `a[i] = op(a[i], b)` in place for each `i` of `indices`; repeated indices accumulate. `indices` are whole
numbers from 1, for the first dimension of `a`, or a tuple of them for the first few; `b` is an array of their size
and the rest of `a`'s, or a number.
"""
function ufunc_at!(op::Symbol, a::AnyArr, indices, b...)
    number = operation_number(op)
    starts = [from_zero(i, a) for i in (indices isa Tuple ? indices : (indices,))]
    handles = LibArr.arr_array[p.handle for p in starts]
    given = isempty(b) ? C_NULL : Ref(loose(only(b)))
    GC.@preserve starts b @check LibArr.arr_ufunc_at(number, a, Int32(length(handles)), handles, given, stream())
    a
end

"""
    Arr.bincount(x; weights = nothing, minlength = 0)

Counts how often each of 0, 1, 2, ... occurs in a vector, or the sums of the weights there.
"""
bincount(x::AnyArr; weights = nothing, minlength::Integer = 0) = with_handles(weights) do w
    made(out -> @check LibArr.arr_bincount(x, w, Int64(minlength), stream(), out))
end

const BIN_ESTIMATES = (auto = LibArr.ARR_BINS_AUTO, fd = LibArr.ARR_BINS_FD, doane = LibArr.ARR_BINS_DOANE,
    scott = LibArr.ARR_BINS_SCOTT, stone = LibArr.ARR_BINS_STONE, rice = LibArr.ARR_BINS_RICE,
    sturges = LibArr.ARR_BINS_STURGES, sqrt = LibArr.ARR_BINS_SQRT)
bin_number(n::Integer) = Int64(n)
bin_number(name::Symbol) = haskey(BIN_ESTIMATES, name) ? Int64(BIN_ESTIMATES[name]) :
    throw(ArgumentError("bins $(repr(name)): expected a number, edges, or one of $(join(repr.(keys(BIN_ESTIMATES)), ", "))"))

"""
    Arr.histogram(x, bins = 10; range = nothing, weights = nothing, density = false)

Counts of the elements in bins, and the bins' edges. `bins` is a number of even bins, over `range = (low, high)` or that
of the elements, or an array of edges, or what NumPy estimates a good number by: `:auto`, `:fd`, `:doane`, `:scott`,
`:stone`, `:rice`, `:sturges`, `:sqrt`.
"""
function histogram(x::AnyArr, bins = 10; range = nothing, weights = nothing, density::Bool = false)
    ends = range === nothing ? Float64[] : Float64[range...]
    count, edges = bins isa AnyArr ? (0, bins) : (bin_number(bins), nothing)
    counts = Ref{LibArr.arr_array}(NO_ARRAY)
    made_edges = made() do out
        with_handles(weights, edges) do w, e
            GC.@preserve ends begin
                pointer = isempty(ends) ? Ptr{Float64}(C_NULL) : Base.pointer(ends)
                options = LibArr.arr_histogram_options(sizeof(LibArr.arr_histogram_options), pointer, w, Int32(density), Int32(0))
                @check LibArr.arr_histogram(x, count, e, Ref(options), stream(), counts, out)
            end
        end
    end
    made(out -> (out[] = counts[]; nothing)), made_edges
end
