# SPDX-License-Identifier: MIT
# kernels.jl: user-written CUDA C++ kernels: on a GPU by NVRTC, on the host by the host's compiler.

"""
    Arr.RawModule(source; options = String[], device)

CUDA C++ text, compiled for a device; `m["name"]` is a kernel of it.
"""
mutable struct RawModule
    handle::LibArr.arr_module
    device::Device
    function RawModule(source::AbstractString; options = String[], device::Device = device())
        text, opts = String(source), String[o for o in options]
        out = Ref(LibArr.arr_module())
        GC.@preserve opts @check LibArr.arr_module_create(text, Int64(sizeof(text)), Ref(device), Int32(length(opts)),
            isempty(opts) ? C_NULL : Ptr{UInt8}[pointer(o) for o in opts], out)
        finalizer(release, new(out[], device))
    end
end

"""
    k = Arr.RawKernel(source, name; options, device)
    k(arguments...; threads, blocks = 1, shmem = 0)

A kernel of CUDA C++ text. `threads` and `blocks` are numbers or tuples of up to three. Arrays go as pointers to
their first element; numbers go by their own type, so `Int32(n)` where the kernel has `int` and
`Float32(x)` where it has `float`; other bits types go as structs.
"""
mutable struct RawKernel
    handle::LibArr.arr_kernel
    name::String
    function RawKernel(m::RawModule, name::AbstractString)
        out = Ref(LibArr.arr_kernel())
        @check LibArr.arr_module_kernel(m, String(name), out)
        finalizer(release, new(out[], name))
    end
end
RawKernel(source::AbstractString, name::AbstractString; kw...) = RawKernel(RawModule(source; kw...), name)
Base.getindex(m::RawModule, name::AbstractString) = RawKernel(m, name)

release(m::RawModule) = (LibArr.arr_module_release(m.handle); nothing)
release(k::RawKernel) = (LibArr.arr_kernel_release(k.handle); nothing)
unsafe_free!(x::Union{RawModule,RawKernel}) = finalize(x)

Base.cconvert(::Type{LibArr.arr_module}, m::RawModule) = m
Base.unsafe_convert(::Type{LibArr.arr_module}, m::RawModule) = m.handle
Base.cconvert(::Type{LibArr.arr_kernel}, k::RawKernel) = k
Base.unsafe_convert(::Type{LibArr.arr_kernel}, k::RawKernel) = k.handle
Base.show(io::IO, k::RawKernel) = print(io, "RawKernel(\"", k.name, "\")")

"""All that the compiler said of a module; without one, of the last that failed on this thread."""
compiler_log(m::RawModule) = fetch_text((c, text, n) -> LibArr.arr_module_log(m, c, text, n))
compiler_log() = fetch_text((c, text, n) -> LibArr.arr_module_log(LibArr.arr_module(), c, text, n))

three(n::Integer) = (n, 1, 1)
three(n::Tuple) = (n..., ntuple(_ -> 1, 3 - length(n))...)

# Arguments as values, and what has to stay alive while they are used.
argument(a::AnyArr) = Value(LibArr.ARR_VALUE_ARRAY, 0, reinterpret(Int64, UInt64(UInt(a.handle.ptr))), 0), a
argument(x::Number) = typeof(x) in ELTYPES ? (value(x), nothing) :
    throw(ArgumentError("a kernel takes no $(typeof(x)); convert it to the type that the kernel has"))
argument(p::Ptr) = Value(LibArr.ARR_VALUE_POINTER, 0, reinterpret(Int64, UInt64(UInt(p))), 0), nothing
function argument(x::T) where {T}
    isbitstype(T) && sizeof(T) > 0 || throw(ArgumentError("a kernel takes arrays, numbers, pointers and bits types, not $T"))
    box = Ref(x)
    address = UInt64(UInt(Base.unsafe_convert(Ptr{T}, box)))
    Value(LibArr.ARR_VALUE_BYTES, 0, reinterpret(Int64, address), sizeof(T)), box
end

function (k::RawKernel)(args...; threads, blocks = 1, shmem::Integer = 0)
    pairs = map(argument, args)
    values = Value[first(p) for p in pairs]
    GC.@preserve pairs @check LibArr.arr_launch_raw(k, Int64[three(blocks)...], Int32[three(threads)...], Int64(shmem),
                                                    Int32(length(values)), values, stream())
    nothing
end
