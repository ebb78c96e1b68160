# SPDX-License-Identifier: MIT
# fft_grid.jl: transforms of signals with a real spectrum, frequencies, lengths, the cache of plans.

"""
    Arr.hfft(a, n, dim = ndims(a); norm = :backward)
    Arr.ihfft(a, dim = ndims(a); norm = :backward)

Returns the spectrum, `n` reals, of a signal that is its own mirrored conjugate, of which `a` is the first half; and back.
"""
hfft(a::AnyArr, n::Integer, dim::Integer = ndims(a); norm::Symbol = :backward) =
    made(out -> @check LibArr.arr_hfft(a, Int64(n), Int32(dim - 1), norm_number(norm), stream(), out))
ihfft(a::AnyArr, dim::Integer = ndims(a); norm::Symbol = :backward) =
    made(out -> @check LibArr.arr_ihfft(a, Int64(-1), Int32(dim - 1), norm_number(norm), stream(), out))

"""
    Arr.hfftn(a, n, dims = 1:ndims(a); norm = :backward)
    Arr.ihfftn(a, dims = 1:ndims(a); norm = :backward)

Computes [`Arr.hfft`](@ref) along the first of several dimensions, of `n` reals, and the complex transform along the
others; and back.
"""
function hfftn(a::AnyArr, n::Integer, dims = 1:ndims(a); norm::Symbol = :backward)
    axes, how = transformed(a, dims), norm_number(norm)
    made(out -> @check LibArr.arr_hfftn(a, Int32(length(axes)), reals(axes, n), axes, how, stream(), out))
end
function ihfftn(a::AnyArr, dims = 1:ndims(a); norm::Symbol = :backward)
    axes, how = transformed(a, dims), norm_number(norm)
    made(out -> @check LibArr.arr_ihfftn(a, Int32(length(axes)), C_NULL, axes, how, stream(), out))
end

for (f, entry, text) in ((:fftfreq, :arr_fftfreq, "a transform"), (:rfftfreq, :arr_rfftfreq, "a transform of reals"))
    @eval begin
        """
            Arr.$($(string(f)))(n, fs = 1; device)

        The frequencies of $($text) of n samples at a rate of `fs`, in its order, as in AbstractFFTs.
        """
        $f(n::Integer, fs::Real = 1; device::DeviceLike = device()) =
            made(out -> @check LibArr.$entry(Int64(n), 1 / Float64(fs), dtype(Float64), Ref(Device(device)), stream(), out))
    end
end

"""
    Arr.next_fast_len(n; real = false)

Returns the smallest length not below `n` with a fast transform; `real`: of real numbers.
"""
function next_fast_len(n::Integer; real::Bool = false)
    length = Ref{Int64}(0)
    @check LibArr.arr_next_fast_len(Int64(n), real, length)
    Int(length[])
end

"""
    Arr.fft_cache(device = Arr.device())
    Arr.fft_cache_limit!(device = Arr.device(); plans = nothing, bytes = nothing)
    Arr.fft_cache_clear!(device = Arr.device())

Returns the plans of transforms that a device keeps: how many were there (`hits`) and had to be made (`misses`), how many it has
and of what size, and the limits; a negative one means no limit. The longest unused ones go first.
"""
function fft_cache(device::DeviceLike = device())
    s = Ref(LibArr.arr_fft_cache_stats(sizeof(LibArr.arr_fft_cache_stats), 0, 0, 0, 0, 0, 0))
    @check LibArr.arr_fft_cache_info(Ref(Device(device)), s)
    (hits = s[].hits, misses = s[].misses, plans = s[].plans, bytes = s[].bytes, max_plans = s[].max_plans,
     max_bytes = s[].max_bytes)
end
function fft_cache_limit!(device::DeviceLike = device(); plans::Union{Integer,Nothing} = nothing,
                          bytes::Union{Integer,Nothing} = nothing)
    limit(x) = x === nothing ? Int64(-1) : Int64(x)
    @check LibArr.arr_fft_cache_limit(Ref(Device(device)), limit(plans), limit(bytes))
end
fft_cache_clear!(device::DeviceLike = device()) = (@check LibArr.arr_fft_cache_clear(Ref(Device(device))); nothing)

const PLANNED = Dict(LibArr.ARR_FFT_C2C => :c2c, LibArr.ARR_FFT_R2C => :r2c, LibArr.ARR_FFT_C2R => :c2r)

"""
    Arr.fft_cache_plans(device = Arr.device())
    Arr.fft_cache_drop!(id, device = Arr.device())

Returns the plans that a device keeps, the one used last first: named tuples of the `id` by which one is dropped, its
`kind`, `:c2c`, `:r2c`, `:c2r`, or `:table` that transforms on the host share, the type `real` of the numbers or of
their parts, the `lengths` of one transform, in the library's order of axes, the `transforms` made at once, and `bytes`.
"""
function fft_cache_plans(device::DeviceLike = device())
    n = Ref{Int32}(0)
    @check LibArr.arr_fft_cache_plans(Ref(Device(device)), Int32(0), C_NULL, C_NULL, C_NULL, C_NULL, C_NULL, C_NULL, n)
    room = Int(n[])                             # other threads may plan meanwhile
    ids, transforms, bytes = (Base.zeros(Int64, room) for _ in 1:3)
    kinds, types, lengths = Base.zeros(Int32, room), Base.zeros(Int32, room), Base.zeros(Int64, 3, room)
    @check LibArr.arr_fft_cache_plans(Ref(Device(device)), Int32(room), ids, kinds, types, lengths, transforms, bytes, n)
    [(id = ids[i], kind = get(PLANNED, kinds[i], :table), real = types[i] == LibArr.ARR_FLOAT32 ? Float32 : Float64,
      lengths = filter(!iszero, lengths[:, i]), transforms = transforms[i], bytes = bytes[i]) for i in 1:min(room, Int(n[]))]
end
fft_cache_drop!(id::Integer, device::DeviceLike = device()) =
    (@check LibArr.arr_fft_cache_drop(Ref(Device(device)), Int64(id)); nothing)
@doc (@doc fft_cache_plans) fft_cache_drop!
