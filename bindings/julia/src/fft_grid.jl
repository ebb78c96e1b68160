# SPDX-License-Identifier: MIT
# fft_grid.jl: what goes with transforms: signals with a real spectrum, frequencies, lengths, the cache of plans.

"""
    Arr.hfft(a, n, dim = ndims(a); norm = :backward)
    Arr.ihfft(a, dim = ndims(a); norm = :backward)

The spectrum, `n` reals, of a signal that is its own mirrored conjugate, of which `a` is the first half; and back.
"""
hfft(a::AnyArr, n::Integer, dim::Integer = ndims(a); norm::Symbol = :backward) =
    made(out -> @check LibArr.arr_hfft(a, Int64(n), Int32(dim - 1), norm_number(norm), stream(), out))
ihfft(a::AnyArr, dim::Integer = ndims(a); norm::Symbol = :backward) =
    made(out -> @check LibArr.arr_ihfft(a, Int64(-1), Int32(dim - 1), norm_number(norm), stream(), out))

for (f, entry, text) in ((:fftfreq, :arr_fftfreq, "a transform"), (:rfftfreq, :arr_rfftfreq, "a transform of reals"))
    @eval begin
        """
            Arr.$($(string(f)))(n, fs = 1; device)

        The frequencies of $($text) of n samples at a rate of `fs`, in its order, as in AbstractFFTs.
        """
        $f(n::Integer, fs::Real = 1; device::Device = device()) =
            made(out -> @check LibArr.$entry(Int64(n), 1 / Float64(fs), dtype(Float64), Ref(device), stream(), out))
    end
end

"""
    Arr.next_fast_len(n; real = false)

The least length from `n` on that transforms are fast of; `real`: of reals.
"""
function next_fast_len(n::Integer; real::Bool = false)
    length = Ref{Int64}(0)
    @check LibArr.arr_next_fast_len(Int64(n), Int32(real), length)
    Int(length[])
end

"""
    Arr.fft_cache(device = Arr.device())
    Arr.fft_cache_limit!(device = Arr.device(); plans = nothing, bytes = nothing)
    Arr.fft_cache_clear!(device = Arr.device())

The plans of transforms that a device keeps: how many were there (`hits`) and had to be made (`misses`), how many it has
and of what size, and the limits, of which a negative one is none. The longest unused ones go first.
"""
function fft_cache(device::Device = device())
    s = Ref(LibArr.arr_fft_cache_stats(sizeof(LibArr.arr_fft_cache_stats), 0, 0, 0, 0, 0, 0))
    @check LibArr.arr_fft_cache_info(Ref(device), s)
    (hits = s[].hits, misses = s[].misses, plans = s[].plans, bytes = s[].bytes, max_plans = s[].max_plans,
     max_bytes = s[].max_bytes)
end
function fft_cache_limit!(device::Device = device(); plans::Union{Integer,Nothing} = nothing,
                          bytes::Union{Integer,Nothing} = nothing)
    limit(x) = x === nothing ? Int64(-1) : Int64(x)
    @check LibArr.arr_fft_cache_limit(Ref(device), limit(plans), limit(bytes))
end
fft_cache_clear!(device::Device = device()) = (@check LibArr.arr_fft_cache_clear(Ref(device)); nothing)
