# SPDX-License-Identifier: MIT
# streams.jl: queues of work in order, and marks in them.

"""
    Arr.Stream([device]; blocking = false, priority = 0)

A queue of work in order; a lower `priority` goes first, within [`Arr.priority_range`](@ref). `Arr.stream!(s) do ... end` puts the work of a block into it; `wait(s)` lets other
tasks run until it is done; [`synchronize`](@ref) blocks the thread.
"""
mutable struct Stream
    handle::LibArr.arr_stream
    function Stream(device::DeviceLike = device(); blocking::Bool = false, priority::Integer = 0)
        out = Ref(LibArr.arr_stream())
        flags = blocking ? LibArr.ARR_STREAM_BLOCKING : Int32(0)
        @check LibArr.arr_stream_create_priority(Ref(Device(device)), flags, Int32(priority), out)
        registered(new(out[]))
    end
    Stream(handle::LibArr.arr_stream) = registered(new(handle))
end

"""
    Arr.Event([device]; timing = false, shared = false)

A point in the work of a stream: `record!(e, s)`, then `wait(e)`, `isdone(e)`, and with `timing` `elapsed(e1, e2)` in
milliseconds. One that is `shared` is for other processes too, by [`Arr.ipc_export`](@ref).
"""
mutable struct Event
    handle::LibArr.arr_event
    function Event(device::DeviceLike = device(); timing::Bool = false, shared::Bool = false)
        out = Ref(LibArr.arr_event())
        flags = (timing ? LibArr.ARR_EVENT_TIMING : Int32(0)) | (shared ? LibArr.ARR_EVENT_SHARED : Int32(0))
        @check LibArr.arr_event_create(Ref(Device(device)), flags, out)
        registered(new(out[]))
    end
    Event(handle::LibArr.arr_event) = registered(new(handle))
end

release(s::Stream) = (LibArr.arr_stream_release(s.handle); nothing)
release(e::Event) = (LibArr.arr_event_release(e.handle); nothing)
unsafe_free!(x::Union{Stream,Event}) = finish(x)

Base.unsafe_convert(::Type{LibArr.arr_stream}, s::Stream) = s.handle
Base.cconvert(::Type{LibArr.arr_stream}, s::Stream) = s
Base.unsafe_convert(::Type{LibArr.arr_event}, e::Event) = e.handle
Base.cconvert(::Type{LibArr.arr_event}, e::Event) = e

"""Returns the priorities of streams of a device, `(least, greatest)`: a lower number goes first."""
function priority_range(d::DeviceLike = device())
    least, greatest = Ref{Int32}(0), Ref{Int32}(0)
    @check LibArr.arr_stream_priority_range(Ref(Device(d)), least, greatest)
    (Int(least[]), Int(greatest[]))
end

"""Returns the properties of a stream: `blocking`, `priority`, and `capturing` while it is being captured."""
function details(s::Stream)
    flags, priority, capturing = Ref{Int32}(0), Ref{Int32}(0), Ref(false)
    @check LibArr.arr_stream_details(s, flags, priority, capturing)
    (blocking = flags[] & LibArr.ARR_STREAM_BLOCKING != 0, priority = Int(priority[]), capturing = capturing[])
end

"""Returns a stream made elsewhere (a CUstream), which its maker owns and which must outlive this."""
function wrap_stream(native::Ptr{Cvoid}, device::Device)
    out = Ref(LibArr.arr_stream())
    @check LibArr.arr_stream_wrap(Ref(Device(device)), native, out)
    Stream(out[])
end

"""Returns the native stream (a CUstream) for other libraries."""
function Base.pointer(s::Stream)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    @check LibArr.arr_stream_native(s, out)
    out[]
end
function device(s::Stream)
    out = Ref{Device}()
    @check LibArr.arr_stream_device(s, out)
    out[]
end

"""
    Arr.stream!(f, s)

Runs `f()` with its operations going into the stream `s`, and new arrays to its device.
"""
function stream!(f, s::Stream)
    state = task_state()
    before = (state.stream, state.stream_owner)
    state.stream, state.stream_owner = s.handle, s
    try
        device!(f, device(s))
    finally
        state.stream, state.stream_owner = before
    end
end

synchronize(s::Stream) = @check LibArr.arr_stream_sync(s)
synchronize(e::Event) = @check LibArr.arr_event_sync(e)

query(f, x) = (done = Ref(false); @check(f(x, done)); done[])
isdone(s::Stream) = query(LibArr.arr_stream_query, s)
isdone(e::Event) = query(LibArr.arr_event_query, e)

# Other tasks run meanwhile; the pauses grow so that a long wait costs nothing.
function Base.wait(x::Union{Stream,Event})
    pause = 0.0
    while !isdone(x)
        pause < 0.001 ? yield() : sleep(pause)
        pause = min(pause + 0.0001, 0.01)
    end
    synchronize(x)
end

record!(e::Event, s::Union{Nothing,Stream} = nothing) =
    (@check(LibArr.arr_event_record(e, s === nothing ? stream() : s)); e)
Base.wait(s::Stream, e::Event) = @check LibArr.arr_stream_wait_event(s, e)
Base.wait(s::Stream, other::Stream) = @check LibArr.arr_stream_wait_stream(s, other)
function elapsed(first::Event, last::Event)
    ms = Ref(0.0)
    @check LibArr.arr_event_elapsed(first, last, ms)
    ms[]
end
