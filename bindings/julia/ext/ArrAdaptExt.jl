# SPDX-License-Identifier: MIT
# ArrAdaptExt.jl: Adapt.adapt of models and other structures to arrays of Arr, and from them to Julia's.
module ArrAdaptExt

using Arr
using Arr: AnyArr, ArrDevice, CPUDevice, Device
isdefined(Base, :get_extension) ? (using Adapt) : (using ..Adapt)

# Ranges and other arrays that are plain bits stay as they are: they have no memory to move.
moved(x, f) = isbits(x) ? x : f(x)

Adapt.adapt_storage(::Type{ArrArray}, x::AbstractArray) = moved(x, y -> convert(ArrArray, y))
Adapt.adapt_storage(::Type{<:ArrArray{T}}, x::AbstractArray) where {T} = moved(x, y -> convert(ArrArray{T}, y))

# To a device: Arr.Device(:cuda, 1), gpu_device(), cpu_device().
Adapt.adapt_storage(d::Device, x::AbstractArray) = Adapt.adapt_storage(ArrDevice(d), x)
Adapt.adapt_storage(d::ArrDevice, x::AbstractArray) = moved(x, d)
Adapt.adapt_storage(::CPUDevice, x::AnyArr) = Array(x)

Adapt.adapt_structure(to, z::ArrTuples) = to isa Union{Type{ArrArray},ArrDevice,Device} ?
    ArrTuples(map(a -> Adapt.adapt(to, a), z.members)) : Adapt.adapt_storage(to, z)

end
