# SPDX-License-Identifier: MIT
# mldevices.jl: devices as functions, by the names of MLDataDevices: `dev(x)` moves arrays, also inside
# tuples and structs. Which backend is wanted is kept in LocalPreferences.toml.

abstract type AbstractDevice <: Function end

"""Moves arrays of Arr to Julia's own `Array`s."""
struct CPUDevice <: AbstractDevice end

"""Moves numeric arrays to an [`ArrArray`](@ref) on a device of the library."""
struct ArrDevice <: AbstractDevice
    device::Device
end

Base.show(io::IO, ::CPUDevice) = print(io, "CPUDevice()")
Base.show(io::IO, d::ArrDevice) = print(io, "ArrDevice(", d.device, ")")

"""
    cpu_device()

The device of Julia's own arrays.
"""
cpu_device() = CPUDevice()

"""
    functional(d)
    functional(backend)

Whether a device, or a backend such as `"CUDA"`, works on this machine.
"""
functional(::CPUDevice) = true
functional(d::ArrDevice) = d.device in devices_in_use()
functional(backend::AbstractString) = LibArr.available() && device_count(backend_type(backend)) > 0

const BACKENDS = ("CUDA" => :cuda,)

"""
    supported_gpu_backends()

The backends that `gpu_device` looks for, in this order.
"""
supported_gpu_backends() = map(first, BACKENDS)

function backend_type(name)
    for (n, type) in BACKENDS
        lowercase(n) == lowercase(name) && return type
    end
    throw(ArgumentError("backend $name: expected one of $(join(supported_gpu_backends(), ", "))"))
end

const GPU_DEVICE = Ref{Union{Nothing,AbstractDevice}}(nothing)

"""
    gpu_device(index = nothing; force = false)

The GPU to use: of the backend in LocalPreferences.toml, else of the first that works; `index` counts from 1.
Without a GPU it is an error if `force`, else a warning and [`cpu_device()`](@ref).
"""
function gpu_device(index::Union{Nothing,Integer} = nothing; force::Bool = false)
    index === nothing && GPU_DEVICE[] isa ArrDevice && return GPU_DEVICE[]
    found = find_gpu(index === nothing ? 1 : Int(index))
    if found === nothing
        report = LibArr.available() ? join((backend_report(t).report for (_, t) in BACKENDS), "\n") : "libarr was not found"
        force && throw(ArgumentError("no GPU works: $report"))
        @warn "No GPU works; arrays stay in Julia's memory." report maxlog = 1
        return CPUDevice()
    end
    index === nothing && (GPU_DEVICE[] = found)
    found
end

function find_gpu(index::Int)
    wanted = preferred_backend()
    names = wanted === nothing ? supported_gpu_backends() : (wanted,)
    for name in names
        functional(name) || continue
        n = device_count(backend_type(name))
        1 <= index <= n || throw(ArgumentError("GPU $index: this machine has $n"))
        return ArrDevice(Device(backend_type(name), index - 1))
    end
    nothing
end

"""
    reset_gpu_device!()

Makes `gpu_device` look again.
"""
reset_gpu_device!() = (GPU_DEVICE[] = nothing)

"""The device function that would leave `x` where it is."""
get_device(::AbstractArray) = CPUDevice()
get_device(a::AnyArr) = ArrDevice(device(a))

# ------------------------------------------------------------------------------------------ moving

(d::AbstractDevice)(x) = move(d, x, IdDict())

leaf(::CPUDevice, a::AnyArr) = Array(a)
leaf(::CPUDevice, x::AbstractArray) = x
leaf(d::ArrDevice, a::AnyArr) = device(a) == d.device ? a : ArrArray(a; device = d.device)
leaf(d::ArrDevice, x::AbstractArray) = ArrArray(x; device = d.device)

# Arrays that occur twice stay one array.
move(d, x::AbstractArray{T}, seen) where {T} =
    get!(() -> T in ELTYPES || x isa AnyArr ? leaf(d, x) : map(y -> move(d, y, seen), x), seen, x)
move(d, x::Union{Tuple,NamedTuple}, seen) = map(y -> move(d, y, seen), x)
move(d, x::AbstractDict, seen) = Dict(k => move(d, v, seen) for (k, v) in x)
move(d, x::Union{Number,AbstractString,Symbol,AbstractChar,Type,Module,Ptr,Nothing,Missing,AbstractRange}, seen) = x

# Structs are made anew with moved fields, where any field changed; closures too.
function move(d, x::T, seen) where {T}
    isstructtype(T) && fieldcount(T) > 0 || return x
    haskey(seen, x) && return seen[x]
    before = ntuple(i -> getfield(x, i), fieldcount(T))
    after = map(y -> move(d, y, seen), before)
    all(map((u, v) -> u === v, before, after)) && return x
    made = rebuild(x, after)
    ismutable(x) && (seen[x] = made)
    made
end


function rebuild(x::T, fields) where {T}
    x isa Function && return rebuild_closure(T, fields)
    maker = T.name.wrapper
    applicable(maker, fields...) || throw(ArgumentError(
        "$T has no constructor that takes its $(length(fields)) fields, so it cannot be moved to a device"))
    maker(fields...)
end
# A closure's type has its captured variables' types as parameters.
rebuild_closure(T, fields) = ccall(:jl_new_structv, Any, (Any, Ptr{Any}, UInt32), closure_type(T, fields),
                                   Any[fields...], length(fields))
closure_type(T, fields) = length(T.parameters) == length(fields) ? T.name.wrapper{map(typeof, fields)...} : T

# -------------------------------------------------------------------------------------- preferences

preferences_file() = joinpath(dirname(something(Base.active_project(), pwd())), "LocalPreferences.toml")

is_header(line) = startswith(strip(line), "[")
is_ours(line) = strip(first(split(line, '#'))) == "[Arr]"
is_setting(line) = occursin(r"^\s*gpu_backend\s*=", line)

"""The backend in LocalPreferences.toml, or nothing."""
function preferred_backend(file = preferences_file())
    isfile(file) || return nothing
    inside = false
    for line in eachline(file)
        inside = is_header(line) ? is_ours(line) : inside
        found = inside ? match(r"^\s*gpu_backend\s*=\s*\"([^\"]*)\"", line) : nothing
        found === nothing || return String(found.captures[1])
    end
    nothing
end

"""
    gpu_backend!(name)
    gpu_backend!()

Keeps the wanted backend in LocalPreferences.toml beside the active project; without a name, forgets it.
"""
function gpu_backend!(name::Union{Nothing,AbstractString} = nothing; file = preferences_file())
    name === nothing || backend_type(name)
    lines = isfile(file) ? readlines(file) : String[]
    inside, kept = false, String[]
    for line in lines
        inside = is_header(line) ? is_ours(line) : inside
        inside && is_setting(line) || push!(kept, line)
    end
    if name !== nothing
        at = findfirst(is_ours, kept)
        at === nothing && (push!(kept, "[Arr]"); at = length(kept))
        insert!(kept, at + 1, "gpu_backend = \"$name\"")
    end
    write(file, join(kept, "\n") * "\n")
    reset_gpu_device!()
    nothing
end
gpu_backend!(name::Symbol; kw...) = gpu_backend!(string(name); kw...)
