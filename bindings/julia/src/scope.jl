# SPDX-License-Identifier: MIT
# scope.jl: blocks that free what was made in them, by the names of CUDArt; host arrays for transfers.

"""
    devices(; nmax, status = :all, filter = d -> true)

The devices that work, of the type that [`select_device`](@ref) picks: GPUs, or else the host. At most `nmax`, only
those that `filter` accepts, and with `status = :free` only those on which this process holds no memory.

    devices(; ...) do devlist
        ...
    end

runs the block with the first of them as the task's device, and at its end frees every array that this task made
in it, wherever it is referred to, and gives the devices' pools back. Take results out by `Array(a)`.
"""
function devices(; filter = d -> true, nmax::Integer = typemax(Int), status::Symbol = :all)
    status in (:all, :free) || throw(ArgumentError("status $(repr(status)): expected :all or :free"))
    type = device_type(select_device())
    found = [d for d in all_devices() if device_type(d) === type && filter(d)]
    status === :free && (found = [d for d in found if memory_info(d).in_use == 0])
    found[1:min(end, nmax)]
end

function devices(f::Function; kw...)
    devlist = devices(; kw...)
    isempty(devlist) && throw(ArgumentError("devices: none is left to use"))
    with_scope(() -> device!(() -> f(devlist), first(devlist)), devlist)
end

function with_scope(f, devlist)
    s = task_state()
    before = s.scope
    made = s.scope = WeakRef[]
    try
        f()
    finally
        s.scope = before
        foreach(w -> w.value === nothing || unsafe_free!(w.value), made)
        for d in devlist
            synchronize(d)
            trim_memory(d)
        end
    end
end

"""
    HostArray(T, dims...)
    HostArray(x)

An array in memory of the library on the host, with Julia's indexing: `copyto!` between it and a device
needs no copy in between. The memory is not pinned: the C API has no call for that yet.
"""
struct HostArray{T,N} <: DenseArray{T,N}
    data::Array{T,N}
    array::ArrArray{T,N}
end
function HostArray(::Type{T}, dims::Dims{N}) where {T,N}
    a = ArrArray{T,N}(undef, dims; device = Device(:host))
    HostArray{T,N}(unsafe_wrap(Array, a), a)
end
HostArray(::Type{T}, dims::Integer...) where {T} = HostArray(T, Dims(dims))
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
Base.copyto!(h::HostArray, a::AnyArr) = (copyto!(h.array, a); h)
Base.copyto!(a::AnyArr, h::HostArray) = copyto!(a, h.array)
unsafe_free!(h::HostArray) = unsafe_free!(h.array)
