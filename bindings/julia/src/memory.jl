# SPDX-License-Identifier: MIT
# memory.jl: allocators and hooks; bytes by address; managed memory; memory and events that
# other processes open.

const ALLOCATORS = (pool = LibArr.ARR_ALLOCATOR_POOL, stream_ordered = LibArr.ARR_ALLOCATOR_STREAM_ORDERED,
                    managed = LibArr.ARR_ALLOCATOR_MANAGED, direct = LibArr.ARR_ALLOCATOR_DIRECT)

# A number of the library's by its name here.
function chosen(what, names::NamedTuple, name::Symbol)
    haskey(names, name) && return names[name]
    throw(ArgumentError("$what $(repr(name)): expected one of $(join(repr.(keys(names)), ", "))"))
end

"""
    Arr.allocator([device])
    Arr.allocator!(kind, [device])
    Arr.allocator!(allocate::Ptr, release::Ptr, [device]; drop = C_NULL, ctx = C_NULL)

Returns the source of new memory of a device: the library's `:pool`, the driver's `:stream_ordered` one, `:managed` memory that
the host reaches too, or none (`:direct`). Each block that is out goes back to where it came from.

The last form takes it from functions of C (`:external`), as `arr_memory_set_allocator_functions` says. They run on any
thread, also on those of the library that Julia knows nothing of, so no function of Julia's will do.
"""
function allocator(d::DeviceLike = device())
    kind = Ref{Int32}(0)
    @check LibArr.arr_memory_allocator(Ref(Device(d)), kind)
    kind[] == LibArr.ARR_ALLOCATOR_EXTERNAL ? :external : keys(ALLOCATORS)[findfirst(==(kind[]), values(ALLOCATORS))]
end
allocator!(kind::Symbol, d::DeviceLike = device()) =
    @check LibArr.arr_memory_set_allocator(Ref(Device(d)), chosen("allocator", ALLOCATORS, kind))
allocator!(allocate::Ptr{Cvoid}, release::Ptr{Cvoid}, d::DeviceLike = device(); drop::Ptr{Cvoid} = C_NULL,
           ctx::Ptr{Cvoid} = C_NULL) =
    @check LibArr.arr_memory_set_allocator_functions(Ref(Device(d)), allocate, release, drop, ctx)
@doc (@doc allocator) allocator!

const LOG_LEVELS = (debug = LibArr.ARR_LOG_DEBUG, info = LibArr.ARR_LOG_INFO, warning = LibArr.ARR_LOG_WARNING)

"""
    Arr.log!(log::Ptr; level = :info, drop = C_NULL, ctx = C_NULL)
    Arr.log!(nothing)

Sets a C function that receives messages of what the library does, from `:debug`, `:info` or `:warning` on, as
`arr_log_set` says, until another is set or nothing. That is on any thread, also on those of the library that Julia
knows nothing of, so no function of Julia's will do. Libraries are opened once for a process: set it first.
"""
log!(log::Ptr{Cvoid}; level::Symbol = :info, drop::Ptr{Cvoid} = C_NULL, ctx::Ptr{Cvoid} = C_NULL) =
    @check LibArr.arr_log_set(chosen("level", LOG_LEVELS, level), log, drop, ctx)
log!(::Nothing) = @check LibArr.arr_log_set(LibArr.ARR_LOG_WARNING, C_NULL, C_NULL, C_NULL)

"""
    Arr.memory_hook(f, hook::Ptr; drop = C_NULL, ctx = C_NULL)

Runs `f()`; meanwhile a function of C is called for every allocation and release of an array's memory, as
`arr_memory_hook_add` says. That is on any thread, also on those of the library that Julia knows nothing of, so no function
of Julia's will do; [`Arr.memory_profile`](@ref) and [`Arr.memory_debug`](@ref) need none.
"""
function memory_hook(f, hook::Ptr{Cvoid}; drop::Ptr{Cvoid} = C_NULL, ctx::Ptr{Cvoid} = C_NULL)
    id = Ref{Int64}(0)
    @check LibArr.arr_memory_hook_add(hook, drop, ctx, id)
    while_hooked(f, id[])
end

"""
    Arr.pool_classes([device])

Returns the allocations of the pool of a device for each size class so far, smallest first: named tuples of `largest`,
the bytes of the largest request, `allocations` so far, and `blocks` and `bytes` in use.
"""
function pool_classes(d::DeviceLike = device())
    n = Ref{Int32}(0)
    @check LibArr.arr_memory_pool_classes(Ref(Device(d)), Int32(0), C_NULL, C_NULL, C_NULL, C_NULL, n)
    room = n[]                                  # other threads may ask for sizes of more classes meanwhile
    columns = ntuple(_ -> Base.zeros(Int64, room), 4)
    @check LibArr.arr_memory_pool_classes(Ref(Device(d)), room, columns..., n)
    [NamedTuple{(:largest, :allocations, :blocks, :bytes)}(row) for row in Iterators.take(zip(columns...), n[])]
end

# ------------------------------------------------------------------------------------ bytes by address

const COPIES = (from_host = LibArr.ARR_COPY_FROM_HOST, to_host = LibArr.ARR_COPY_TO_HOST,
                on_device = LibArr.ARR_COPY_ON_DEVICE)

"""
    Arr.unsafe_copy_bytes!(to::Ptr, from::Ptr, n, kind, [device]; async = false)

Copies `n` bytes in the task's stream: `:from_host`, `:to_host` or `:on_device`. Without `async` it waits where host memory
takes part. Work of other streams on either part is yours to order, and both must live until the copy is done.
"""
function unsafe_copy_bytes!(to::Ptr, from::Ptr, n::Integer, kind::Symbol, d::DeviceLike = device(); async::Bool = false)
    how = chosen("kind", COPIES, kind) | (async ? LibArr.ARR_COPY_ASYNC : Int32(0))
    @check LibArr.arr_memory_copy(Ref(Device(d)), to, from, Int64(n), how, stream())
    to
end

"""
    Arr.unsafe_set_bytes!(to::Ptr, value, n, [device])

Sets `n` bytes of a device to one value, 0 to 255, in the task's stream.
"""
function unsafe_set_bytes!(to::Ptr, value::Integer, n::Integer, d::DeviceLike = device())
    @check LibArr.arr_memory_set(Ref(Device(d)), to, Int32(value), Int64(n), stream())
    to
end

# ---------------------------------------------------------------------------------- page-locked memory

"""
    Arr.with_pinned(f, x::Array; mapped = false, read_only = false)

Runs `f()` with the memory of `x` page-locked for every GPU, so that copies are quicker; `Arr.UnavailableError` where no GPU
works. `mapped`: GPUs may use it in place; `read_only`: they will not write there. Copies that were not waited for must be
done when `f` returns.
"""
function with_pinned(f, x::Array; mapped::Bool = false, read_only::Bool = false)
    flags = (mapped ? LibArr.ARR_PINNED_MAPPED : Int32(0)) | (read_only ? LibArr.ARR_PINNED_READ_ONLY : Int32(0))
    GC.@preserve x begin
        @check LibArr.arr_pinned_register(pointer(x), Int64(sizeof(x)), flags)
        try
            f()
        finally
            @check LibArr.arr_pinned_unregister(pointer(x))
        end
    end
end

"""
    Arr.pinned_allocator!(allocate::Ptr, release::Ptr; drop = C_NULL, ctx = C_NULL)
    Arr.pinned_allocator!(nothing)

Takes new page-locked memory from functions of C, as [`Arr.allocator!`](@ref) that of a device, also where no GPU works; or
from the driver again.
"""
pinned_allocator!(allocate::Ptr{Cvoid}, release::Ptr{Cvoid}; drop::Ptr{Cvoid} = C_NULL, ctx::Ptr{Cvoid} = C_NULL) =
    @check LibArr.arr_pinned_set_allocator_functions(allocate, release, drop, ctx)
pinned_allocator!(::Nothing) = @check LibArr.arr_pinned_set_allocator_functions(C_NULL, C_NULL, C_NULL, C_NULL)

"""
    Arr.device_pointer(h, [device])

Returns the address at which a GPU sees the first element of a [`HostArray`](@ref) made with `mapped = true`.
"""
function device_pointer(a::AnyArr{T}, d::DeviceLike = Device(:cuda)) where {T}
    out = Ref{Ptr{Cvoid}}(C_NULL)
    @check LibArr.arr_pinned_device_data(a, Ref(Device(d)), out)
    Ptr{T}(out[])
end
device_pointer(h::HostArray, d::DeviceLike = Device(:cuda)) = device_pointer(h.array, d)

# ------------------------------------------------------------------------- managed memory, rows at a pitch

"""True if the host and the array's device both reach its elements at one address: managed memory, and all of the host."""
ismanaged(a::AnyArr) = query(LibArr.arr_is_managed, a)

"""Moves managed memory of an array to where it will be used next, in stream order; nothing happens to arrays of the host."""
prefetch!(a::AnyArr, d::DeviceLike = device()) = (@check(LibArr.arr_memory_prefetch(a, Ref(Device(d)), stream())); a)

const ADVICE = (read_mostly = LibArr.ARR_ADVISE_READ_MOSTLY, not_read_mostly = LibArr.ARR_ADVISE_NOT_READ_MOSTLY,
                prefer = LibArr.ARR_ADVISE_PREFER, not_prefer = LibArr.ARR_ADVISE_NOT_PREFER,
                used_by = LibArr.ARR_ADVISE_USED_BY, not_used_by = LibArr.ARR_ADVISE_NOT_USED_BY)

"""
    Arr.advise!(a, advice, [device])

Informs the driver how managed memory of an array will be used, and by which device:
$(join(("`$(repr(k))`" for k in keys(ADVICE)), ", ")). Nothing happens to arrays of the host.
"""
advise!(a::AnyArr, advice::Symbol, d::DeviceLike = device()) =
    (@check(LibArr.arr_memory_advise(a, chosen("advice", ADVICE, advice), Ref(Device(d)))); a)

"""
    Arr.pitched([T = Float64], dims...; device)

Allocates an uninitialised array whose columns each begin at a multiple of 512 bytes on a GPU and of 64 on the host;
`strides` returns the pitch.
"""
function pitched(::Type{T}, dims::Integer...; device::DeviceLike = device()) where {T}
    out = Ref(LibArr.arr_array())
    @check LibArr.arr_create_pitched(dtype(T), Int32(length(dims)), extents(reverse(dims)), Ref(Device(device)), stream(), out)
    library_order(adopt(out[]))
end
pitched(dims::Integer...; kw...) = pitched(Float64, dims...; kw...)

# ------------------------------------------------------------------------------------ other processes

# Bytes that a function fills in: f(capacity, buffer, length) is called once to ask, once to fetch.
function fetch_bytes(f)
    n = Ref{Int64}(0)
    @check f(Int64(0), C_NULL, n)
    bytes = Base.zeros(UInt8, n[])
    @check f(n[], bytes, n)
    bytes
end

"""
    Arr.ipc_export(a)

Returns a handle, bytes to send by any means, by which another process on this machine opens an array on a GPU, or an event made
with `shared = true`. It must live until the others have released theirs, and who writes must be waited for before the
others read.
"""
ipc_export(a::AnyArr) = fetch_bytes((capacity, bytes, n) -> LibArr.arr_ipc_export(a, capacity, bytes, n))
ipc_export(e::Event) = fetch_bytes((capacity, bytes, n) -> LibArr.arr_ipc_export_event(e, capacity, bytes, n))

"""
    Arr.ipc_import(handle, [device])
    Arr.ipc_import(Arr.Event, handle, [device])

Returns the array or the event of another process that a handle is of. Only open handles from processes that you trust. An array
is closed with the last one that uses its memory.
"""
function ipc_import(handle::Vector{UInt8}, d::DeviceLike = device())
    out = Ref(LibArr.arr_array())
    @check LibArr.arr_ipc_import(handle, Int64(length(handle)), Ref(Device(d)), out)
    adopt(out[])
end
function ipc_import(::Type{Event}, handle::Vector{UInt8}, d::DeviceLike = device())
    out = Ref(LibArr.arr_event())
    @check LibArr.arr_ipc_import_event(handle, Int64(length(handle)), Ref(Device(d)), out)
    Event(out[])
end
