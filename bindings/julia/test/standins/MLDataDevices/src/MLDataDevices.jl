# SPDX-License-Identifier: MIT
# MLDataDevices.jl: a stand-in for the interface of MLDataDevices, for tests: devices as functions, and the questions about them.
module MLDataDevices

using Adapt, Random

export cpu_device, get_device, get_device_type

abstract type AbstractDevice <: Function end
abstract type AbstractCPUDevice <: AbstractDevice end
abstract type AbstractAcceleratorDevice <: AbstractDevice end
abstract type AbstractGPUDevice <: AbstractAcceleratorDevice end
struct CPUDevice <: AbstractCPUDevice end

functional(x) = false
loaded(x) = false
cpu_device() = CPUDevice()
function default_device_rng end
function set_device! end

module Internal
using ..MLDataDevices: AbstractDevice, CPUDevice
function get_device_name end
function get_triggerpkg_name end
function get_device_id end
get_device(::AbstractArray) = CPUDevice()
get_device_type(::AbstractArray) = CPUDevice
unsafe_free_internal!(::Type, x::AbstractArray) = nothing
unsafe_free_internal!(x::AbstractArray) = unsafe_free_internal!(get_device_type(x), x)
end

combine(a, b) = a === nothing || a == b ? b : b === nothing ? a : throw(ArgumentError("objects on $a and $b"))
for f in (:get_device, :get_device_type)
    @eval $f(x::AbstractArray) = Internal.$f(x)
    @eval $f(x::Union{Tuple,NamedTuple}) = mapreduce($f, combine, x; init = nothing)
end

(d::CPUDevice)(x::AbstractArray) = Adapt.adapt(d, x)
(d::CPUDevice)(x::Union{Tuple,NamedTuple}) = map(d, x)
Adapt.adapt_storage(::CPUDevice, x::AbstractArray) = Adapt.adapt(Array, x)

end
