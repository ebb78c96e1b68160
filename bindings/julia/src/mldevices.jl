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

Returns the device of Julia's own arrays.

```jldoctest
julia> model = (weight = ArrArray([1.0, 2.0]), name = "first");

julia> cpu_device()(model)
(weight = [1.0, 2.0], name = "first")
```
"""
cpu_device() = CPUDevice()

"""
    functional(d)
    functional(backend)

True if a device, or a backend such as `"CUDA"`, works on this machine.

```jldoctest
julia> functional(cpu_device())
true

julia> functional("CUDA") == (Arr.device_count(:cuda) > 0)
true
```
"""
functional(::CPUDevice) = true
functional(d::ArrDevice) = d.device in devices_in_use()
functional(backend::AbstractString) = LibArr.available() && device_count(backend_type(backend)) > 0

const BACKENDS = ("CUDA" => :cuda,)

"""
    supported_gpu_backends()

Returns the backends that `gpu_device` looks for, in this order.

```jldoctest
julia> supported_gpu_backends()
("CUDA",)
```
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

Returns the GPU to use: of the backend in LocalPreferences.toml, else of the first that works; `index` counts from 1.
Without a GPU it is an error if `force`, else a warning and [`cpu_device()`](@ref).

```jldoctest
julia> dev = functional("CUDA") ? gpu_device() : cpu_device();

julia> model = dev((weight = [1.0, 2.0], name = "first"));

julia> sum(model.weight)
3.0
```
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

```jldoctest
julia> reset_gpu_device!()
```
"""
reset_gpu_device!() = (GPU_DEVICE[] = nothing)

"""
    Arr.mldevice(device = Arr.device())

Returns a device of Arr as a device of MLDataDevices, for programs that are written for that package. It exists if
MLDataDevices is loaded; `gpu_device()` needs no other package.
"""
function mldevice end

"""
Returns the device function that would leave `x` where it is: an array, or a structure whose arrays are on one device.
Where there are none the result is `nothing`; several devices are an `ArgumentError`.
"""
get_device(::AbstractArray{<:Number}) = CPUDevice()
get_device(a::Union{AnyArr,ArrSelection,Structured}) = ArrDevice(device(a))
function get_device(x)
    found = nothing
    first_of(x) do a
        d = get_device(a)
        found === nothing || found == d || throw(ArgumentError("get_device: arrays on $found and on $d, expected one device"))
        found = d
        false
    end
    found
end

# ------------------------------------------------------------------------------------------ moving

(d::AbstractDevice)(x) = move(d, x, IdDict())

leaf(::CPUDevice, a::AnyArr) = Array(a)
leaf(::CPUDevice, x::AbstractArray) = x
leaf(d::ArrDevice, a::AnyArr) = device(a) == d.device ? a : ArrArray(a; device = d.device)
leaf(d::ArrDevice, x::AbstractArray) = ArrArray(x; device = d.device)

# Values that hold no arrays, or stay on the host: generators of random numbers draw there.
const Unmoved = Union{Number,AbstractString,Symbol,AbstractChar,Type,Module,Ptr,Nothing,Missing,AbstractRange,
                      AbstractUnitRange,Random.AbstractRNG,CartesianIndices,LinearIndices,AbstractDevice,Device,Task,IO}
move(d, x::Unmoved, seen) = x

# An object that occurs twice stays one. One that contains itself cannot be made before it is moved.
struct Moving end
function once(f, seen, x)
    known = get(seen, x, nothing)
    known isa Moving && throw(ArgumentError(
        "a $(typeof(x)) refers to itself, and structures that do so cannot be moved to a device"))
    known === nothing || return known
    seen[x] = Moving()
    seen[x] = f()
end

move(d, a::AnyArr, seen) = once(() -> leaf(d, a), seen, a)
move(d, x::AbstractArray{T}, seen) where {T} = once(() -> T in ELTYPES ? leaf(d, dense(x)) : moved_elements(d, x, seen), seen, x)
moved_elements(d, x, seen) = holds_arrays(x) ? map(y -> move(d, y, seen), x) : x
move(d, x::Union{Tuple,NamedTuple}, seen) = map(y -> move(d, y, seen), x)
move(d, x::AbstractDict, seen) =
    holds_arrays(x) ? once(() -> Dict(move(d, k, seen) => move(d, v, seen) for (k, v) in x), seen, x) : x
move(d, x::AbstractSet, seen) = holds_arrays(x) ? once(() -> Set(move(d, y, seen) for y in x), seen, x) : x

# Arrays of Base's are moved as dense ones; those of LinearAlgebra keep their structure, by their parts. Others have
# structures that are not known here.
dense(x::DenseArray) = x
dense(x::Union{Adjoint,Transpose}) = x
dense(x::AbstractArray) = parentmodule(typeof(x)) in (Base, Core) ? x : throw(ArgumentError(
    "a $(typeof(x)) would lose its structure on a device: move ArrArray(x), which is dense, or its parts"))
for W in (:UpperTriangular, :LowerTriangular, :UnitUpperTriangular, :UnitLowerTriangular)
    @eval move(d, x::$W, seen) = once(() -> $W(move(d, parent(x), seen)), seen, x)
end
move(d, x::Symmetric, seen) = once(() -> Symmetric(move(d, x.data, seen), Symbol(x.uplo)), seen, x)
move(d, x::Hermitian, seen) = once(() -> Hermitian(move(d, x.data, seen), Symbol(x.uplo)), seen, x)
move(d, x::Diagonal, seen) = once(() -> Diagonal(move(d, x.diag, seen)), seen, x)

# Structs are made anew with moved fields where any field changed; closures too. Where nothing is to be moved they are not
# gone through, so that they may refer to themselves.
function move(d, x::T, seen) where {T}
    isstructtype(T) && fieldcount(T) > 0 && holds_arrays(x) || return x
    once(seen, x) do
        before = ntuple(i -> isdefined(x, i) ? getfield(x, i) : throw(ArgumentError(
            "the field $(fieldname(T, i)) of a $T is undefined, so it cannot be moved to a device")), fieldcount(T))
        after = map(y -> move(d, y, seen), before)
        all(map((u, v) -> u === v, before, after)) ? x : rebuild(T, Any[after...])
    end
end

holds_arrays(x) = first_of(_ -> true, x)

# True if f is true for an array of numbers that a value leads to, without going in circles or deep into the stack.
function first_of(f, x)
    seen, left = IdDict{Any,Nothing}(), Any[x]
    while !isempty(left)
        y = pop!(left)
        T = typeof(y)
        (y isa Unmoved || isbitstype(T) || haskey(seen, y)) && continue
        if y isa AbstractArray && (eltype(y) in ELTYPES || y isa AnyArr)
            f(y) && return true
            continue
        end
        T.mutable && (seen[y] = nothing)
        if y isa Array
            isbitstype(eltype(y)) || append!(left, Any[y[i] for i in eachindex(y) if isassigned(y, i)])
        elseif y isa AbstractDict
            foreach(p -> push!(left, first(p), last(p)), y)
        elseif y isa AbstractSet
            append!(left, Any[e for e in y])
        elseif isstructtype(T)
            foreach(i -> isdefined(y, i) && push!(left, getfield(y, i)), 1:fieldcount(T))
        end
    end
    false
end

# A struct of the same name with these fields: its type's parameters follow them; else by a constructor that keeps them.
function rebuild(T::DataType, fields)
    S = all(i -> fields[i] isa fieldtype(T, i), eachindex(fields)) ? T : refitted(T, fields)
    S === nothing || return ccall(:jl_new_structv, Any, (Any, Ptr{Any}, UInt32), S, fields, length(fields))
    maker = T.name.wrapper
    if applicable(maker, fields...)
        y = maker(fields...)
        typeof(y).name === T.name && all(i -> getfield(y, i) === fields[i], eachindex(fields)) && return y
    end
    throw(ArgumentError("a $T cannot have $(join(map(typeof, fields), ", ")) as its fields, so it cannot be moved to a device"))
end

# -------------------------------------------------------------------------------------- preferences

function preferences_file(project = Base.active_project())
    joinpath(project === nothing ? pwd() : dirname(project), "LocalPreferences.toml")
end

is_header(line) = startswith(strip(line), "[")
is_ours(line) = strip(first(split(line, '#'))) == "[Arr]"
is_setting(line) = occursin(r"^\s*gpu_backend\s*=", line)

"""Returns the backend in LocalPreferences.toml, or nothing."""
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

Keeps the wanted backend in LocalPreferences.toml beside the active project, or in the current folder where there is none;
without a name, forgets it.

```jldoctest
julia> file = joinpath(mktempdir(), "LocalPreferences.toml");

julia> gpu_backend!("CUDA"; file = file)

julia> print(read(file, String))
[Arr]
gpu_backend = "CUDA"
```
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
