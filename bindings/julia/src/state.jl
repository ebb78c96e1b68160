# SPDX-License-Identifier: MIT
# state.jl: devices, and the choices of a task: its device, its stream, its permission to index scalars.

"""
    Device(type, index = 0)

A device for arrays: `Device(:host)`, `Device(:cuda)`, `Device(:cuda, 1)`. Indices count from 0, as the driver's do.
"""
const Device = LibArr.arr_device

Device(type::Symbol, index::Integer = 0) =
    type === :host ? Device(LibArr.ARR_HOST, index) :
    type === :cuda ? Device(LibArr.ARR_CUDA, index) :
    throw(ArgumentError("device type $type: expected :host or :cuda"))

Device(d::Device) = d

# Values of a keyword `device`; `:host` and `:cuda` are the first device of their type.
const DeviceLike = Union{Device,Symbol}

Base.show(io::IO, d::Device) = print(io, "Device(:", device_type(d), d.index == 0 ? "" : ", $(d.index)", ")")
device_type(d::Device) = d.type == LibArr.ARR_HOST ? :host : d.type == LibArr.ARR_CUDA ? :cuda : Symbol("type$(d.type)")
label(d::Device) = d.type == LibArr.ARR_HOST ? "host" : string(device_type(d), ":", d.index)
ishost(d::Device) = d.type == LibArr.ARR_HOST

"""
    select_device(; require_gpu = false)

Returns the device that the environment variable ARR_DEVICE names, or the first GPU that works, or the host.
"""
function select_device(; require_gpu::Bool = false)
    out = Ref{Device}()
    @check LibArr.arr_device_select(require_gpu ? LibArr.ARR_REQUIRE_GPU : Int32(0), out)
    out[]
end

"""Returns the number of devices of a type, `:host` or `:cuda`, that work."""
function device_count(type::Symbol = :cuda)
    n = Ref{Int32}(0)
    @check LibArr.arr_device_count(Device(type).type, n)
    Int(n[])
end

"""Returns the devices that work, GPUs first."""
all_devices() = [Device(t, i) for t in (:cuda, :host) for i in 0:device_count(t)-1]
devices_in_use() = LibArr.available() ? all_devices() : Device[]

"""Returns the name of the device, for messages."""
device_name(d::DeviceLike = device()) =
    fetch_text((capacity, text, n) -> LibArr.arr_device_name(Ref(Device(d)), capacity, text, n))

"""
    device_info([device])

Returns the properties of a device as a named tuple (`compute_major`, `multiprocessors`, `memory_bytes`, ...); `nothing`
where it has no such thing.
"""
function device_info(d::DeviceLike = device())
    names = filter(!=(:struct_size), fieldnames(LibArr.arr_device_properties))
    s = Ref(LibArr.arr_device_properties(sizeof(LibArr.arr_device_properties), ntuple(_ -> Int64(0), length(names))...))
    @check LibArr.arr_device_info(Ref(Device(d)), s)
    NamedTuple{names}(map(n -> (x = getfield(s[], n); x == -1 ? nothing : x), names))
end

"""Returns an attribute of a CUDA device by the driver's name: `device_attribute("WARP_SIZE")`."""
function device_attribute(name::AbstractString, d::DeviceLike = device())
    value = Ref{Int64}(0)
    text = String(name)
    @check LibArr.arr_device_attribute(Ref(Device(d)), text, Int64(sizeof(text)), value)
    value[]
end

const LIMITS = (stack_bytes = LibArr.ARR_LIMIT_STACK_BYTES, printf_bytes = LibArr.ARR_LIMIT_PRINTF_BYTES,
                heap_bytes = LibArr.ARR_LIMIT_HEAP_BYTES, sync_depth = LibArr.ARR_LIMIT_SYNC_DEPTH,
                pending_launches = LibArr.ARR_LIMIT_PENDING_LAUNCHES,
                l2_fetch_bytes = LibArr.ARR_LIMIT_L2_FETCH_BYTES,
                persisting_l2_bytes = LibArr.ARR_LIMIT_PERSISTING_L2_BYTES)
limit_of(which::Symbol) = haskey(LIMITS, which) ? LIMITS[which] :
    throw(ArgumentError("limit $(repr(which)): expected one of $(join(repr.(keys(LIMITS)), ", "))"))

"""
    device_limit(which, [device])
    device_limit!(which, value, [device])

Returns a limit of what kernels may use on a GPU, or sets it, for the whole program; the driver may round it.
`which`: $(join(("`$(repr(k))`" for k in keys(LIMITS)), ", ")). See `arr_device_limit`.
"""
function device_limit(which::Symbol, d::DeviceLike = device())
    value = Ref{Int64}(0)
    @check LibArr.arr_device_limit(Ref(Device(d)), limit_of(which), value)
    value[]
end
device_limit!(which::Symbol, value::Integer, d::DeviceLike = device()) =
    @check LibArr.arr_device_set_limit(Ref(Device(d)), limit_of(which), Int64(value))
@doc (@doc device_limit) device_limit!

"""Returns the address of a device on the PCI bus; nothing for the host."""
pci_bus_id(d::DeviceLike = device()) = fetch_text((capacity, text, n) -> LibArr.arr_device_pci(Ref(Device(d)), capacity, text, n))

"""Returns a device's unique name, "GPU-..."; nothing for the host."""
device_uuid(d::DeviceLike = device()) = fetch_text((capacity, text, n) -> LibArr.arr_device_uuid(Ref(Device(d)), capacity, text, n))

"""
    backend_report(type = :cuda)

Returns `(state, report)`: `:working`, `:broken` or `:absent`, and each path tried with the loader's own message.
"""
function backend_report(type::Symbol = :cuda)
    state = Ref{Int32}(0)
    report = fetch_text((c, t, n) -> LibArr.arr_backend_probe(Device(type).type, state, c, t, n))
    names = (LibArr.ARR_BACKEND_WORKING => :working, LibArr.ARR_BACKEND_BROKEN => :broken,
             LibArr.ARR_BACKEND_ABSENT => :absent)
    (state = Dict(names)[state[]], report = report)
end

"""Returns the libraries and options that the library was built with."""
build_info() = fetch_text(LibArr.arr_build_info)

"""
    synchronize([device or stream or event])

Waits until the work there is done, and reports what failed in it.

```jldoctest
julia> a = ArrArray([1.0, 2.0]); a .= sqrt.(a);

julia> synchronize()
```
"""
synchronize(d::DeviceLike = device()) = @check LibArr.arr_device_sync(Ref(Device(d)))

# ---------------------------------------------------------------------------------- memory of a device

"""
    memory_info([device])

Bytes of the device as a named tuple: `in_use`, `cached`, `peak`, `limit`, `total`, `free`.
"""
function memory_info(d::DeviceLike = device())
    size = sizeof(LibArr.arr_memory_stats)
    s = Ref(LibArr.arr_memory_stats(size, 0, 0, 0, 0, 0, 0))
    @check LibArr.arr_memory_info(Ref(Device(d)), s)
    m = s[]
    (in_use = m.in_use, cached = m.cached, peak = m.peak, limit = m.limit, total = m.total, free = m.free)
end

"""Limits the bytes in use on a device; 0 for no limit."""
memory_limit!(bytes::Integer, d::DeviceLike = device()) = @check LibArr.arr_memory_limit(Ref(Device(d)), bytes)

"""
    memory_limit!(; fraction, device = device())

Limits the bytes that may be in use to a fraction, 0 to 1, of the memory of the device.
"""
memory_limit!(; fraction::Real, device::DeviceLike = device()) =
    @check LibArr.arr_memory_limit_fraction(Ref(Device(device)), Float64(fraction))

"""
    pool_info([device])

Returns the statistics of the pool of a device as a named tuple: `in_use`, `reserved`, `peak`, `peak_reserved` and `limit` in
bytes, `allocations`, `releases`, `hits`, `misses` and `free_blocks` as counts, `largest_free` in bytes.
"""
pool_info(d::DeviceLike = device()) = pool_stats(s -> LibArr.arr_memory_pool_info(Ref(Device(d)), s))
function pool_stats(f)
    s = Ref(LibArr.arr_memory_pool_stats(sizeof(LibArr.arr_memory_pool_stats), ntuple(_ -> Int64(0), 11)...))
    @check f(s)
    names = filter(!=(:struct_size), fieldnames(LibArr.arr_memory_pool_stats))
    NamedTuple{names}(map(n -> getfield(s[], n), names))
end

"""Lets the peaks of a device's pool begin anew from what is in use now."""
reset_peak_memory!(d::DeviceLike = device()) = @check LibArr.arr_memory_reset_peak(Ref(Device(d)))

"""
    memory_profile(f)

Runs `f()`; returns its value and a table of what arrays each function of the library allocated meanwhile, in all
tasks: a line per function with allocations, bytes, bytes still in use and the most of them at a time.
"""
function memory_profile(f)
    id = Ref{Int64}(0)
    @check LibArr.arr_memory_hook_profile(id)
    while_hooked(id[]) do
        value = f()
        (value, fetch_text((capacity, text, n) -> LibArr.arr_memory_profile_report(id[], capacity, text, n)))
    end
end

# Runs `f()` and removes the hook of memory that was added before.
function while_hooked(f, id::Int64)
    try
        f()
    finally
        @check LibArr.arr_memory_hook_remove(id)
    end
end

"""
    memory_debug(f, path = nothing)

Runs `f()`; meanwhile every allocation and release of an array's memory writes a line to a file, or to stderr.
"""
function memory_debug(f, path::Union{Nothing,AbstractString} = nothing)
    id = Ref{Int64}(0)
    if path === nothing
        @check LibArr.arr_memory_hook_debug(C_NULL, 0, id)
    else
        name = String(path)
        @check LibArr.arr_memory_hook_debug(name, Int64(sizeof(name)), id)
    end
    while_hooked(f, id[])
end

"""Returns cached memory of a device to the system."""
trim_memory(d::DeviceLike = device()) = @check LibArr.arr_memory_trim(Ref(Device(d)))

# ------------------------------------------------------------------------------- what a task has chosen

mutable struct TaskState
    device::Union{Nothing,Device}
    stream::LibArr.arr_stream
    stream_owner::Any                           # keeps the stream's handle alive
    scalars::Bool
    scope::Union{Nothing,Vector{WeakRef}}       # what `devices(...) do` frees at its end
end

function task_state()
    store = task_local_storage()
    found = get(store, :Arr_state, nothing)
    found === nothing || return found::TaskState
    store[:Arr_state] = TaskState(nothing, LibArr.arr_stream(), nothing, SCALARS[], nothing)
end

const SCALARS = Ref(false)
const DEFAULT_DEVICE = Ref{Union{Nothing,Device}}(nothing)

"""
    device()

Returns the device on which this task makes new arrays: the one that `device!` has set, else that of ARR_DEVICE or of the machine.
"""
function device()
    d = task_state().device
    d === nothing || return d
    DEFAULT_DEVICE[] === nothing && (DEFAULT_DEVICE[] = select_device())
    DEFAULT_DEVICE[]::Device
end

"""
    device!(d)
    device!(f, d)

Sets where this task makes new arrays; the second form only while `f()` runs. `d` is a device or, as everywhere in a keyword
`device`, `:host` or `:cuda`.
"""
device!(d::Device) = (task_state().device = d; d)
device!(type::Symbol, index::Integer = 0) = device!(Device(type, index))
function device!(f, device::DeviceLike)
    d = Device(device)
    s = task_state()
    before = s.device
    s.device = d
    try
        f()
    finally
        s.device = before
    end
end

stream() = task_state().stream

# True while the work of this task's stream is captured: no element can be read then.
function captured()
    s = task_state()
    s.stream_owner === nothing && return false
    flags, priority, capturing = Ref{Int32}(0), Ref{Int32}(0), Ref(false)
    @check LibArr.arr_stream_details(s.stream, flags, priority, capturing)
    capturing[]
end
