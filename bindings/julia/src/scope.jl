# SPDX-License-Identifier: MIT
# scope.jl: blocks that free the arrays made in them, by the names of CUDArt; host arrays for transfers.

"""
    devices(; nmax, status = :all, filter = d -> true, free_bytes = 0, timeout = 0)

Returns the devices that work, of the type that [`select_device`](@ref) picks: GPUs, or else the host. At most `nmax`, only
those that `filter` accepts and that have `free_bytes` free now, and with `status = :free` only those on which this
process holds no memory. Where there is none it looks again, ten times a second, for `timeout` seconds; other tasks run
meanwhile.

    devices(; ...) do devlist
        ...
    end

runs the block with the first of them as the task's device, and at its end frees everything of the library that this
task made in it, wherever it is referred to: arrays, streams, events, modules, kernels, graphs, texels and textures. Then
it returns the memory of the devices' pools. Take results out by `Array(a)`.

```jldoctest
julia> devices(nmax = 1) do devlist
           sum(ArrArray([1, 2, 3]))
       end
6

julia> devices(d -> true; nmax = 1) do devlist
           length(devlist)
       end
1
```
"""
function devices(; filter = d -> true, nmax::Integer = typemax(Int), status::Symbol = :all, free_bytes::Integer = 0,
                 timeout::Real = 0)
    status in (:all, :free) || throw(ArgumentError("status $(repr(status)): expected :all or :free"))
    type, until = select_device().type, time() + timeout
    while true
        found = [d for d in device_list(; type = type, free_bytes = free_bytes) if filter(d)]
        status === :free && (found = [d for d in found if memory_info(d).in_use == 0])
        isempty(found) && time() < until || return found[1:min(end, nmax)]
        sleep(min(0.1, max(until - time(), 0.001)))
    end
end

"""
    Arr.device_list(; type = 0, compute = 0, memory_bytes = 0, free_bytes = 0, name = "", timeout = 0)

Returns the devices, GPUs first, of a type (`:host`, `:cuda`), of at least a compute capability (`90` for 9.0) and a
number of bytes in all or free now, whose name contains `name`. Where there is none it looks again for `timeout`
seconds.
"""
function device_list(; type = Int32(0), compute::Integer = 0, memory_bytes::Integer = 0, free_bytes::Integer = 0,
                     name::AbstractString = "", timeout::Real = 0)
    text, number, until = String(name), type isa Symbol ? Device(type).type : type, time() + timeout
    n = Ref{Int32}(0)
    while true
        GC.@preserve text begin
            wanted = Ref(LibArr.arr_device_filter(sizeof(LibArr.arr_device_filter), number, compute, memory_bytes, free_bytes,
                                                  isempty(text) ? Ptr{UInt8}(C_NULL) : pointer(text), sizeof(text)))
            list = Vector{Device}(undef, 128)
            @check LibArr.arr_device_list(wanted, 0.0, Int32(length(list)), list, n)
        end
        n[] == 0 && time() < until || return list[1:min(n[], end)]
        sleep(min(0.1, max(until - time(), 0.001)))   # here and not in the library: other tasks run
    end
end

function devices(f::Function; kw...)
    devlist = devices(; kw...)
    isempty(devlist) && throw(ArgumentError("devices: none is left to use"))
    with_scope(() -> device!(() -> f(devlist), first(devlist)), devlist)
end

devices(f::Function, filter::Function; kw...) = devices(f; filter = filter, kw...)

function with_scope(f, devlist)
    s = task_state()
    before = s.scope
    made = s.scope = WeakRef[]
    try
        f()
    finally
        s.scope = before
        # The last first: a kernel goes before its module.
        foreach(w -> w.value === nothing || finish(w.value), Iterators.reverse(made))
        for d in devlist
            synchronize(d)
            trim_memory(d)
        end
    end
end

"""
    HostArray(T, dims...; mapped = false, write_combined = false, required = false)
    HostArray(x)

An uninitialised array, or a copy of `x`, on the host with Julia's indexing, in memory that the CUDA driver has
page-locked: `copyto!` between it and a device needs no copy in between and is quicker. Where no GPU works it is
ordinary memory, as [`Arr.ispinned`](@ref) tells, or with `required` an error. `mapped`: GPUs may use the memory in place;
`write_combined`: quicker for them to read, very slow for the host to read.

```jldoctest
julia> h = HostArray([1.0 2.0; 3.0 4.0]);

julia> h[2, 1]
3.0

julia> a = copyto!(ArrArray{Float64}(undef, 2, 2), h); sum(a)
10.0
```
"""
struct HostArray{T,N} <: DenseArray{T,N}
    data::Array{T,N}
    array::ArrArray{T,N}
end
function HostArray(::Type{T}, dims::Dims{N}; mapped::Bool = false, write_combined::Bool = false,
                   required::Bool = false) where {T,N}
    flags = (mapped ? LibArr.ARR_PINNED_MAPPED : Int32(0)) | (required ? LibArr.ARR_PINNED_REQUIRED : Int32(0)) |
            (write_combined ? LibArr.ARR_PINNED_WRITE_COMBINED : Int32(0))
    a = take(ArrArray{T,N}, dims) do out
        @check LibArr.arr_pinned_create(dtype(T), Int32(N), extents(dims), LibArr.ARR_ORDER_F, flags, out)
    end
    HostArray{T,N}(unsafe_wrap(Array, a), a)
end
HostArray(::Type{T}, dims::Integer...; kw...) where {T} = HostArray(T, Dims(dims); kw...)
HostArray(x::AbstractArray{T,N}) where {T,N} = copyto!(HostArray(T, size(x)), x)

Base.size(h::HostArray) = size(h.data)
Base.IndexStyle(::Type{<:HostArray}) = IndexLinear()
Base.getindex(h::HostArray, i::Int) = h.data[i]
Base.setindex!(h::HostArray, x, i::Int) = (h.data[i] = x; h)
Base.pointer(h::HostArray) = pointer(h.data)
Base.unsafe_convert(::Type{Ptr{T}}, h::HostArray{T}) where {T} = pointer(h.data)
Base.elsize(::Type{<:HostArray{T}}) where {T} = sizeof(T)
Base.strides(h::HostArray) = strides(h.data)
Base.copyto!(h::HostArray, x::AbstractArray) = (copyto!(h.data, x); h)
# The elements of h are read and written by address afterwards, so copies are waited for.
Base.copyto!(h::HostArray, a::AnyArr) = (copyto!(h.array, a); synchronize(device(a)); h)
Base.copyto!(a::AnyArr, h::HostArray) = (copyto!(a, h.array); synchronize(device(a)); a)
unsafe_free!(h::HostArray) = unsafe_free!(h.array)

"""True if an array is on the host in page-locked memory."""
function ispinned(a::AnyArr)
    yes = Ref(false)
    @check LibArr.arr_is_pinned(a, yes)
    yes[]
end
ispinned(h::HostArray) = ispinned(h.array)

"""Returns the statistics of [`pool_info`](@ref) for the pool of page-locked memory, which all devices share."""
pinned_info() = pool_stats(LibArr.arr_pinned_info)

"""Limits the bytes of page-locked memory in use; 0 for no limit."""
pinned_limit!(bytes::Integer) = @check LibArr.arr_pinned_limit(Int64(bytes))

"""Returns the page-locked memory that its pool keeps to the driver."""
trim_pinned() = @check LibArr.arr_pinned_trim()
