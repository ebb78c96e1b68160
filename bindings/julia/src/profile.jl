# SPDX-License-Identifier: MIT
# profile.jl: traces, ranges and benchmarks; ranges for profilers.

"""
    Arr.trace(f, path)

Runs `f()`, returns its value and writes what ran to `path`, in the format that Chrome and Perfetto open: calls on their
threads, work on its streams with shapes, bytes and times. See `arr_trace_begin`.
"""
function trace(f, path::AbstractString)
    @check LibArr.arr_trace_begin()
    try
        return f()
    finally
        @check LibArr.arr_trace_end(path)
    end
end

"""
    Arr.ranged(f, name; [color])

Runs `f()` as a range of that name in a trace, and for NVIDIA's tools. The colour is `0xAARRGGBB`.
"""
function ranged(f, name::AbstractString; color::Union{Nothing,Integer} = nothing)
    color === nothing ? @check(LibArr.arr_range_push(name)) : @check(LibArr.arr_range_push_color(name, color))
    try
        return f()
    finally
        @check LibArr.arr_range_pop()
    end
end

"""
    Arr.mark(name; [color])

Marks a point in time in a trace, and for NVIDIA's tools.
"""
mark(name::AbstractString; color::Union{Nothing,Integer} = nothing) =
    color === nothing ? @check(LibArr.arr_mark(name)) : @check(LibArr.arr_mark_color(name, color))

"""
    id = Arr.start_range(name; color = 0)
    Arr.end_range(id)

Begins a range that any task may end, on whatever thread it runs.
"""
function start_range(name::AbstractString; color::Integer = 0)
    id = Ref(Int64(0))
    @check LibArr.arr_range_start(name, color, id)
    id[]
end
end_range(id::Integer) = @check LibArr.arr_range_end(id)

"""
    Arr.profiled(f, [device])

Runs `f()` and returns its value; meanwhile a profiler that watches the program (Nsight with
`--capture-range=cudaProfilerApi`) records. The work is waited for, so that it is in the record.
"""
function profiled(f, d::DeviceLike = device())
    @check LibArr.arr_profiler_start(Ref(Device(d)))
    try
        value = f()
        synchronize(d)
        value
    finally
        @check LibArr.arr_profiler_stop(Ref(Device(d)))
    end
end

# The function that the library calls, and the exception that it threw.
mutable struct Timed
    f::Any
    error::Any
end
function run_timed(ctx::Ptr{Cvoid}, ::LibArr.arr_stream)::Int32
    timed = unsafe_pointer_to_objref(ctx)::Timed
    try
        timed.f()
        return LibArr.ARR_OK
    catch e                     # no exception may pass through the library
        timed.error = (e, catch_backtrace())
        return LibArr.ARR_E_ARGUMENT
    end
end

"""
    Arr.benchmark(f, [device]; repeats = 100, warmup = 3, seconds = 1)

Times `f()`, which enqueues work in the task's stream: `warmup` runs, then at most `repeats` of which each is waited for,
and none begins after `seconds`. Returns `(repeats, host, device)`: `host` from the call until it returns, `device` of the
work in the stream, each with `median`, `mean`, `min`, `max` and `std` in nanoseconds. What `f` throws ends it.
"""
function benchmark(f, d::DeviceLike = device(); repeats::Integer = 100, warmup::Integer = 3, seconds::Real = 1)
    repeats > 0 || throw(ArgumentError("repeats = $repeats: expected 1 or more"))
    seconds > 0 || throw(ArgumentError("seconds = $seconds: expected more than 0"))
    warmup >= 0 || throw(ArgumentError("warmup = $warmup: expected 0 or more"))
    options = LibArr.arr_benchmark_options(sizeof(LibArr.arr_benchmark_options), repeats, warmup == 0 ? -1 : warmup,
                                           seconds, stream())
    result = Ref(LibArr.arr_benchmark_result(sizeof(LibArr.arr_benchmark_result), 0, ntuple(_ -> 0.0, 10)...))
    timed = Timed(f, nothing)
    callback = @cfunction(run_timed, Int32, (Ptr{Cvoid}, LibArr.arr_stream))
    status = GC.@preserve timed LibArr.arr_benchmark(callback, pointer_from_objref(timed), Ref(Device(d)), Ref(options), result)
    timed.error === nothing || throw(first(timed.error))
    @check status
    r = result[]
    times(of) = (median = getfield(r, Symbol(of, :_median)), mean = getfield(r, Symbol(of, :_mean)),
                 min = getfield(r, Symbol(of, :_min)), max = getfield(r, Symbol(of, :_max)),
                 std = getfield(r, Symbol(of, :_std)))
    (repeats = Int(r.repeats), host = times(:host), device = times(:device))
end
