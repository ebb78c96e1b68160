# SPDX-License-Identifier: MIT
# errors.jl: statuses of the library as exceptions with its own text; collection of garbage when memory runs out.

"""
    ArrError{status}

An error of the library, with its own line of text in `msg`. Each status has its own type to catch: `Arr.HandleError`,
`Arr.DtypeError`, `Arr.MemoryError`, `Arr.DeviceError`, `Arr.CompileError` and so on, from `ARR_E_HANDLE` ... of the C API.
Where Julia has an exception of the kind, it is thrown with the library's text: `DimensionMismatch` for shapes that do not fit,
`ArgumentError` for other arguments; and LinearAlgebra's `SingularException` and `PosDefException`.
"""
struct ArrError{S} <: Exception
    msg::String
end

status(::ArrError{S}) where {S} = S
Base.showerror(io::IO, e::ArrError{S}) where {S} = print(io, status_name(S), ": ", e.msg)

# ARR_E_DTYPE -> DtypeError.
const OF_JULIA = Dict(LibArr.ARR_E_SHAPE => DimensionMismatch, LibArr.ARR_E_ARGUMENT => ArgumentError)
for constant in filter(n -> startswith(string(n), "ARR_E_"), names(LibArr; all = true))
    value = getfield(LibArr, constant)
    haskey(OF_JULIA, value) && continue
    name = Symbol(titlecase(string(constant)[7:end]), "Error")
    @eval const $name = ArrError{$value}
    @eval status_name(::Val{$value}) = $("Arr." * string(name))
end
status_name(s::Int32) = status_name(Val(s))

# The text belongs to this thread, and nothing between the call and this may switch tasks.
throw_status(s::Int32) = throw(error_of(s, in_julia_words(unsafe_string(LibArr.arr_last_error()))))
function error_of(s::Int32, text::String)
    haskey(OF_JULIA, s) && return OF_JULIA[s](text)
    if s == LibArr.ARR_E_LINALG
        m = match(r"the matrix is singular: \w+ (\d+)", text)
        m === nothing || return SingularException(parse(Int, m[1]))
        m = match(r"argument a: is singular: \w+ (\d+)", text)
        m === nothing || return SingularException(parse(Int, m[1]))
        m = match(r"the matrix is not positive definite: its leading minor of order (\d+)", text)
        m === nothing || return PosDefException(parse(Int, m[1]))
        m = match(r"argument a: is not positive definite: the pivot of column (\d+)", text)
        m === nothing || return PosDefException(parse(Int, m[1]) + 1)
    end
    ArrError{s}(text)
end

"""
    @check LibArr.arr_function(arguments...)

Calls and throws what failed. Out of memory is tried again after a collection: arrays that Julia has not
finalized yet hold memory of the library, of which Julia's collector knows nothing.
"""
macro check(call)
    quote
        s = $(esc(call))
        for thorough in (false, true)
            s == LibArr.ARR_E_MEMORY || break
            reclaim(thorough)
            s = $(esc(call))
        end
        s == LibArr.ARR_OK || throw_status(s)
        nothing
    end
end

# Collects young objects, or with `thorough` all objects; then waits for the devices and trims their pools.
function reclaim(thorough::Bool)
    GC.gc(thorough)
    sweep_roots()
    thorough || return
    for d in devices_in_use()
        LibArr.arr_device_sync(Ref(d))
        LibArr.arr_memory_trim(Ref(d))
    end
end

# Julia's collector does not see the library's memory, so a loop of temporaries would fill the machine with unreferenced
# arrays. The library reports when a collection is useful, by the bytes in use and the available memory. Young objects are
# collected first; if more than half of the new memory is still in use then, all objects are.
mutable struct Collections
    live::Int               # bytes in use after the last collection
    count::Int              # collections so far, for tests
    running::Bool
end
const COLLECTIONS = Collections(0, 0, false)

# Asked after every allocation, of a number of bytes where that is known: one atomic read, and a count.
function relieve_pressure(bytes::Int = 0)
    LibArr.arr_memory_pressure() && return collect_garbage(COLLECTIONS, device())
    YOUNG.made += 1 + bytes ÷ BYTES_OF_ONE
    YOUNG.made < YOUNG.step ? nothing : collect_young(YOUNG, COLLECTIONS)
end

function collect_garbage(c::Collections, d)
    c.running && return                         # finalizers may make arrays
    c.running = true
    try
        used = memory_info(d).in_use
        live = min(c.live, used)
        GC.gc(false)
        sweep_roots()
        memory_info(d).in_use - live > (used - live) ÷ 2 && (GC.gc(true); sweep_roots())
        c.live = memory_info(d).in_use
        c.count += 1
    finally
        c.running = false
    end
    nothing
end

# Small arrays put no pressure on memory, but tens of thousands of unreferenced ones fill the caches of the processor: each
# new array is then twice as slow as in memory that was just released. So young objects are collected after a few thousand
# new arrays. A collection that finds only such arrays takes a quarter of the time, whatever their number. If two in a row take
# more than a third, because there are many other objects, the next one comes later. A large array counts as many: in memory
# that the system has to map first a pass takes ten times as long as in that of an array which was just released.
mutable struct YoungCollections
    made::Int               # arrays since the last one, large ones as several
    step::Int               # arrays from one to the next
    last::UInt64            # its end, in ns
    slow::Int               # collections in a row that took long
end
const MIN_YOUNG, MAX_YOUNG, BYTES_OF_ONE = 2048, 1 << 20, 1 << 15
const YOUNG = YoungCollections(0, MIN_YOUNG, 0, 0)
function collect_young(y::YoungCollections, c::Collections)
    y.made = 0
    c.running && return
    start = time_ns()
    GC.gc(false)
    sweep_roots()
    now = time_ns()
    y.slow = now - start > (start - y.last) ÷ 2 ? y.slow + 1 : 0
    y.step = next_step(y.step, y.slow)
    y.last = now
    nothing
end
next_step(step::Int, slow::Int) = slow == 0 ? max(step ÷ 2, MIN_YOUNG) : slow == 1 ? step : min(2step, MAX_YOUNG)

# Text that a function fills in: f(capacity, buffer, length) is called once to ask, once to fetch.
function fetch_text(f)
    n = Ref{Int64}(0)
    @check f(Int64(0), C_NULL, n)
    buffer = Vector{UInt8}(undef, n[] + 1)
    @check f(Int64(length(buffer)), buffer, n)
    String(buffer[1:min(n[], length(buffer) - 1)])
end
