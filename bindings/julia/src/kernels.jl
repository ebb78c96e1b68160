# SPDX-License-Identifier: MIT
# kernels.jl: user-written CUDA C++ kernels: on a GPU by NVRTC, on the host by the host's compiler.

"""
    Arr.RawModule(source; options = String[], device)

CUDA C++ text, compiled for a device; `m["name"]` is a kernel of it.
"""
mutable struct RawModule
    handle::LibArr.arr_module
    device::Device
    RawModule(handle::LibArr.arr_module, device::Device) = new(handle, device)
    function RawModule(source::AbstractString; options = String[], device::DeviceLike = device())
        text, opts = String(source), String[o for o in options]
        out = Ref(LibArr.arr_module())
        GC.@preserve opts @check LibArr.arr_module_create(text, Int64(sizeof(text)), Ref(Device(device)), Int32(length(opts)),
            isempty(opts) ? C_NULL : Ptr{UInt8}[pointer(o) for o in opts], out)
        registered(new(out[], Device(device)))
    end
end

"""
    k = Arr.RawKernel(source, name; options, device)
    k(arguments...; threads, blocks = 1, shmem = 0, cooperative = false, cluster = 0)

A kernel of CUDA C++ text. `threads` and `blocks` are numbers or tuples of up to three. Arrays go as pointers to
their first element, so they are contiguous: a view with gaps is an error; numbers go by their own type, so `Int32(n)` where the kernel has `int` and
`Float32(x)` where it has `float`; other bits types go as structs. A cooperative launch runs all blocks at once; a
cluster is a number of blocks or a tuple of up to three.
"""
mutable struct RawKernel
    handle::LibArr.arr_kernel
    name::String
    function RawKernel(m::RawModule, name::AbstractString)
        out = Ref(LibArr.arr_kernel())
        @check LibArr.arr_module_kernel(m, String(name), out)
        registered(new(out[], name))
    end
end
# The name is told to the compiler: a source with variables makes only the instances of templates that it knows.
RawKernel(source::AbstractString, name::AbstractString; options = String[], device::DeviceLike = device()) =
    RawKernel(load_module(source; device = device, options = options, names = [name]), name)
Base.getindex(m::RawModule, name::AbstractString) = RawKernel(m, name)

# Kinds of images by name.
const IMAGE_KINDS = (auto = LibArr.ARR_IMAGE_AUTO, source = LibArr.ARR_IMAGE_SOURCE, ptx = LibArr.ARR_IMAGE_PTX,
                     cubin = LibArr.ARR_IMAGE_CUBIN, fatbin = LibArr.ARR_IMAGE_FATBIN, ltoir = LibArr.ARR_IMAGE_LTOIR,
                     library = LibArr.ARR_IMAGE_LIBRARY)
image_kind(kind::Integer) = Int32(kind)
image_kind(kind::Symbol) = haskey(IMAGE_KINDS, kind) ? IMAGE_KINDS[kind] :
    throw(ArgumentError("kind $(repr(kind)): expected one of $(join(repr.(keys(IMAGE_KINDS)), ", "))"))

# The options struct of a module, given to `call` while everything in it is alive.
function with_options(call; kind = :auto, standard = 0, debug = false, lineinfo = false, max_registers = 0, fast_math = false,
                      include_paths = String[], defines = String[], names = String[], options = String[], name = nothing,
                      device_runtime = false)
    lists = [String[x for x in list] for list in (include_paths, defines, names, options)]
    pointers = [Ptr{UInt8}[pointer(x) for x in list] for list in lists]
    title = name === nothing ? "" : String(name)
    GC.@preserve lists pointers title begin
        pointer_of(k) = isempty(pointers[k]) ? Ptr{Ptr{UInt8}}(C_NULL) : pointer(pointers[k])
        n(k) = Int32(length(lists[k]))
        call(Ref(LibArr.arr_module_options(sizeof(LibArr.arr_module_options), image_kind(kind), standard, debug, lineinfo,
            max_registers, fast_math, n(1), n(2), n(3), n(4), pointer_of(1), pointer_of(2), pointer_of(3), pointer_of(4),
            name === nothing ? Ptr{UInt8}(C_NULL) : pointer(title), device_runtime, 0)))
    end
end

function made_module(call, device; options...)
    out = Ref(LibArr.arr_module())
    with_options(o -> (@check call(o, out)); options...)
    registered(RawModule(out[], Device(device)))
end

"""
    Arr.load_module(image; device, kind, standard, debug, lineinfo, max_registers, fast_math, include_paths, defines,
                    names, options, name, device_runtime)

Loads a module from CUDA C++ text or from the bytes of a PTX, cubin, fatbin or LTO-IR image. `names` are name expressions such
as `"scale<float>"` to compile at once; `options` go to the compiler as they are. With `device_runtime = true` kernels of
a GPU may launch kernels.
"""
load_module(image; device::DeviceLike = device(), options...) = load_module(image, Device(device); options...)
load_module(image::AbstractString, device::Device; options...) = load_module(Vector{UInt8}(codeunits(image)), device; options...)
function load_module(image::AbstractVector{UInt8}, device::Device; options...)
    bytes = Vector{UInt8}(image)
    GC.@preserve bytes made_module(device; options...) do o, out
        LibArr.arr_module_load(Ptr{Cvoid}(pointer(bytes)), Int64(length(bytes)), Ref(Device(device)), o, out)
    end
end

"""
    Arr.load_module_file(path; device, options...)

Loads a module from a file like [`Arr.load_module`](@ref); `#include "..."` looks in the file's folder first.
"""
load_module_file(path::AbstractString; device::DeviceLike = device(), options...) =
    made_module((o, out) -> LibArr.arr_module_load_file(String(path), Ref(Device(device)), o, out), device; options...)

"""
    Arr.link_modules(inputs...; device, options...)

Links several sources or images to one module, each a string, bytes, or `name => either`; what one declares `extern` another
may define.
"""
function link_modules(inputs...; device::DeviceLike = device(), options...)
    named = [x isa Pair ? (String(x.first), Vector{UInt8}(x.second isa AbstractString ? codeunits(x.second) : x.second)) :
             ("input $i", Vector{UInt8}(x isa AbstractString ? codeunits(x) : x)) for (i, x) in enumerate(inputs)]
    GC.@preserve named begin
        list = [LibArr.arr_module_input(Ptr{Cvoid}(pointer(b)), length(b), 0, 0, pointer(n)) for (n, b) in named]
        made_module(device; options...) do o, out
            LibArr.arr_module_link(Int32(length(list)), list, Ref(Device(device)), o, out)
        end
    end
end

"""
    Arr.module_global(m, name, T, dims...)

Returns a `__device__` or `__constant__` variable of a module as an array that shares its memory and keeps the module alive.
"""
module_global(m::RawModule, name::AbstractString, T::Type, dims::Integer...) = made() do out
    shape = Int64[reverse(dims)...]
    @check LibArr.arr_module_global_array(m, String(name), dtype(T), Int32(length(shape)), shape, out)
end

const ATTRIBUTES = (max_threads = LibArr.ARR_KERNEL_MAX_THREADS, shared_bytes = LibArr.ARR_KERNEL_SHARED_BYTES,
    const_bytes = LibArr.ARR_KERNEL_CONST_BYTES, local_bytes = LibArr.ARR_KERNEL_LOCAL_BYTES,
    registers = LibArr.ARR_KERNEL_REGISTERS, ptx_version = LibArr.ARR_KERNEL_PTX_VERSION,
    binary_version = LibArr.ARR_KERNEL_BINARY_VERSION, cache_mode_ca = LibArr.ARR_KERNEL_CACHE_MODE_CA,
    max_dynamic_shared_bytes = LibArr.ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES,
    shared_carveout = LibArr.ARR_KERNEL_SHARED_CARVEOUT, wide_clusters = LibArr.ARR_KERNEL_WIDE_CLUSTERS)

"""
    Arr.attribute(k, :registers)

Returns an attribute of a kernel: $(join(keys(ATTRIBUTES), ", ")).
"""
function attribute(k, which::Symbol)
    value = Ref(Int64(0))
    @check LibArr.arr_kernel_attribute(k, Int32(ATTRIBUTES[which]), value)
    value[]
end

"""    Arr.attribute!(k, :max_dynamic_shared_bytes, value)"""
attribute!(k, which::Symbol, value::Integer) =
    (@check LibArr.arr_kernel_set_attribute(k, Int32(ATTRIBUTES[which]), Int64(value)); value)

"""Blocks of a kernel that one multiprocessor runs at once."""
function occupancy(k, threads::Integer; shmem::Integer = 0)
    blocks = Ref(Int32(0))
    @check LibArr.arr_kernel_occupancy(k, Int32(threads), Int64(shmem), blocks)
    Int(blocks[])
end

"""Returns the number of threads per block with the highest occupancy, and the number of blocks that fill the device."""
function block_size(k; shmem::Integer = 0, max_threads::Integer = 0)
    threads, blocks = Ref(Int32(0)), Ref(Int32(0))
    @check LibArr.arr_kernel_block_size(k, Int64(shmem), Int32(max_threads), threads, blocks)
    (threads = Int(threads[]), blocks = Int(blocks[]))
end

release(m::RawModule) = (LibArr.arr_module_release(m.handle); nothing)
release(k::RawKernel) = (LibArr.arr_kernel_release(k.handle); nothing)
unsafe_free!(x::Union{RawModule,RawKernel}) = finish(x)

Base.cconvert(::Type{LibArr.arr_module}, m::RawModule) = m
Base.unsafe_convert(::Type{LibArr.arr_module}, m::RawModule) = m.handle
Base.cconvert(::Type{LibArr.arr_kernel}, k::RawKernel) = k
Base.unsafe_convert(::Type{LibArr.arr_kernel}, k::RawKernel) = k.handle
Base.show(io::IO, k::RawKernel) = print(io, "RawKernel(\"", k.name, "\")")

"""Returns all messages of the compiler for a module; without one, of the last that failed on this thread."""
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

# A kernel gets the address alone and counts elements in column-major order from there.
kernel_argument(k, i, x) = argument(x)
function kernel_argument(k, i, a::WithStrides)
    expected = Base.size_to_strides(1, size(a)...)
    all(d -> size(a, d) <= 1 || strides(a)[d] == expected[d], 1:ndims(a)) || isempty(a) || throw(ArgumentError(
        "$k: argument $i is a view of strides $(strides(a)), expected a contiguous array: pass copy(a), or pointer(a) and " *
        "the strides"))
    argument(a)
end

function (k::RawKernel)(args...; threads, blocks = 1, shmem::Integer = 0, cooperative::Bool = false, cluster = 0)
    pairs = ntuple(i -> kernel_argument(k, i, args[i]), length(args))
    values = Value[first(p) for p in pairs]
    shape = cluster == 0 ? (0, 0, 0) : three(cluster)
    options = Ref(LibArr.arr_launch_options(sizeof(LibArr.arr_launch_options), shmem, cooperative, shape...))
    GC.@preserve pairs @check LibArr.arr_launch_raw_options(k, Int64[three(blocks)...], Int32[three(threads)...], options,
                                                            Int32(length(values)), values, stream())
    nothing
end

"""
    Arr.cache_info()
    Arr.cache_directory()
    Arr.cache_clear()

Reports on the compiled kernels on disk: what the cache holds and did in this process, where it is, and how to empty it. See
`arr_cache_info`.
"""
function cache_info()
    s = Ref(LibArr.arr_cache_stats(sizeof(LibArr.arr_cache_stats), 0, 0, 0, 0, 0, 0, 0))
    @check LibArr.arr_cache_info(s)
    c = s[]
    (hits = c.hits, misses = c.misses, stored = c.stored, refused = c.refused, entries = c.entries, bytes = c.bytes,
     limit = c.limit)
end
cache_directory() = fetch_text((capacity, text, length) -> LibArr.arr_cache_directory(capacity, text, length))
@doc (@doc cache_info) cache_directory
cache_clear() = @check LibArr.arr_cache_clear()
@doc (@doc cache_info) cache_clear
