# SPDX-License-Identifier: MIT
# ArrMLDataDevicesExt.jl: devices of Arr as MLDataDevices knows devices: functions that move arrays in structures.
module ArrMLDataDevicesExt

using Arr
using Arr: AnyArr
isdefined(Base, :get_extension) ? (using MLDataDevices, Adapt) : (using ..MLDataDevices, ..Adapt)
using .MLDataDevices: Internal

"""A device of Arr, for programs that are written for MLDataDevices. Arr.mldevice makes it."""
struct ArrDevice <: MLDataDevices.AbstractGPUDevice
    device::Arr.Device
end
Arr.mldevice(d::Arr.DeviceLike = Arr.device()) = ArrDevice(Arr.Device(d))
Base.show(io::IO, d::ArrDevice) = print(io, "Arr.mldevice(", d.device, ")")

# Arr's own device function goes through tuples, dictionaries and structs.
mover(d::ArrDevice) = Arr.ArrDevice(d.device)
(d::ArrDevice)(x) = mover(d)(x)
Adapt.adapt_storage(d::ArrDevice, x::AbstractArray) = isbits(x) ? x : mover(d)(x)

MLDataDevices.loaded(::Union{ArrDevice,Type{<:ArrDevice}}) = Arr.LibArr.available()
MLDataDevices.functional(d::ArrDevice) = Arr.functional(mover(d))
MLDataDevices.functional(::Type{<:ArrDevice}) = Arr.LibArr.available()
MLDataDevices.default_device_rng(::ArrDevice) = Arr.generator()
MLDataDevices.set_device!(::Type{ArrDevice}, d::Arr.Device) = (Arr.device!(d); nothing)
MLDataDevices.set_device!(::Type{ArrDevice}, index::Integer) = (Arr.device!(Arr.Device(:cuda, index - 1)); nothing)

Internal.get_device_name(::Union{ArrDevice,Type{<:ArrDevice}}) = "Arr"
Internal.get_triggerpkg_name(::Union{ArrDevice,Type{<:ArrDevice}}) = "Arr"
Internal.get_device_id(d::ArrDevice) = Int(d.device.index) + 1
Internal.get_device(a::AnyArr) = ArrDevice(Arr.device(a))
Internal.get_device_type(::AnyArr) = ArrDevice
Internal.unsafe_free_internal!(::Type{<:ArrDevice}, a::AbstractArray) = (Arr.unsafe_free!(a); nothing)

end
