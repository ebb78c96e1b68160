# SPDX-License-Identifier: MIT
# errors.jl: statuses of the library as exceptions with its own text; collection of garbage when memory runs out.

"""
    ArrError{status}

An error of the library, with its own line of text in `msg`. Each status has a name of its own to catch by:
`Arr.HandleError`, `Arr.ArgumentError_`, `Arr.DtypeError`, `Arr.MemoryError`, `Arr.DeviceError`,
`Arr.CompileError` and so on, from `ARR_E_HANDLE` ... of the C API. Shapes that do not fit are
Base's `DimensionMismatch`, as everywhere in Julia, with the library's text; `Arr.ShapeError` is its name here.
"""
struct ArrError{S} <: Exception
    msg::String
end

status(::ArrError{S}) where {S} = S
Base.showerror(io::IO, e::ArrError{S}) where {S} = print(io, status_name(S), ": ", e.msg)

# ARR_E_DTYPE -> DtypeError; ArgumentError is Base's, so the library's is ArgumentError_.
const ShapeError = DimensionMismatch
for constant in filter(n -> startswith(string(n), "ARR_E_"), names(LibArr; all = true))
    constant === :ARR_E_SHAPE && continue
    name = string(titlecase(string(constant)[7:end]), "Error")
    name = Symbol(isdefined(Base, Symbol(name)) ? name * "_" : name)
    value = getfield(LibArr, constant)
    @eval const $name = ArrError{$value}
    @eval status_name(::Val{$value}) = $("Arr." * string(name))
end
status_name(s::Int32) = status_name(Val(s))

# The text belongs to this thread, and nothing between the call and this may switch tasks.
function throw_status(s::Int32)
    text = unsafe_string(LibArr.arr_last_error())
    s == LibArr.ARR_E_SHAPE && throw(DimensionMismatch(text))
    throw(ArrError{s}(text))
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

# First what is young, then everything, with the queues emptied and the pools given back.
function reclaim(thorough::Bool)
    GC.gc(thorough)
    sweep_roots()
    thorough || return
    for d in devices_in_use()
        LibArr.arr_device_sync(Ref(d))
        LibArr.arr_memory_trim(Ref(d))
    end
end

# Julia's collector knows nothing of the library's memory: a loop of temporaries would fill the machine with what nobody
# refers to. The library says when a collection would help, by the bytes in use and the memory that there is, and seldom
# enough. First of what is young; if that has left more than half of what came since the last one, of everything.
mutable struct Collections
    live::Int               # bytes in use after the last collection
    count::Int              # collections so far, for tests
    running::Bool
end
const COLLECTIONS = Collections(0, 0, false)

# Asked after every allocation: one atomic read.
relieve_pressure() = LibArr.arr_memory_pressure() == 0 ? nothing : collect_garbage(COLLECTIONS, device())
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

# Text that a function fills in: f(capacity, buffer, length) is called once to ask, once to fetch.
function fetch_text(f)
    n = Ref{Int64}(0)
    @check f(Int64(0), C_NULL, n)
    buffer = Vector{UInt8}(undef, n[] + 1)
    @check f(Int64(length(buffer)), buffer, n)
    String(buffer[1:min(n[], length(buffer) - 1)])
end
