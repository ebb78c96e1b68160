# SPDX-License-Identifier: MIT
# DLPack.jl: a stand-in for the interface of DLPack.jl, for tests: its structs, sharing and wrapping.
module DLPack

export RowMajor, ColMajor

@enum DLDeviceType::Cint kDLCPU = 1 kDLCUDA = 2 kDLCUDAHost = 3 kDLCUDAManaged = 13
struct DLDevice
    device_type::DLDeviceType
    device_id::Cint
end
struct DLDataType
    code::Cuchar
    bits::Cuchar
    lanes::Cushort
end
struct DLTensor
    data::Ptr{Cvoid}
    ctx::DLDevice
    ndim::Cint
    dtype::DLDataType
    shape::Ptr{Clonglong}
    strides::Ptr{Clonglong}
    byte_offset::Culonglong
end
mutable struct DLManagedTensor
    dl_tensor::DLTensor
    manager_ctx::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
end
struct Capsule
    tensor::DLManagedTensor
    shape::Vector{Clonglong}
    strides::Vector{Clonglong}
end

abstract type MemoryLayout end
struct ColMajor <: MemoryLayout end
struct RowMajor <: MemoryLayout end

const DTYPES = Dict(Int32 => DLDataType(0, 32, 1), Int64 => DLDataType(0, 64, 1), Float32 => DLDataType(2, 32, 1), Float64 => DLDataType(2, 64, 1))
jltypes_to_dtypes() = DTYPES

struct DLManager{T,N}
    manager::DLManagedTensor
    function DLManager{T,N}(manager::DLManagedTensor) where {T,N}
        manager.dl_tensor.ndim == N && DTYPES[T] == manager.dl_tensor.dtype || throw(ArgumentError("another type or rank"))
        new{T,N}(manager)
    end
end
Base.pointer(m::DLManager) = m.manager.dl_tensor.data
byte_offset(m::DLManager) = Int(m.manager.dl_tensor.byte_offset)
from(p::Ptr{Clonglong}, ::Val{N}) where {N} = unsafe_load(Ptr{NTuple{N,Int64}}(p))
unsafe_size(m::DLManagedTensor, n::Val) = from(m.dl_tensor.shape, n)
unsafe_strides(m::DLManagedTensor, n::Val) = from(m.dl_tensor.strides, n)

dldevice(::StridedArray) = DLDevice(kDLCPU, 0)
share(a::StridedArray) = unsafe_share(a)
function unsafe_share(a::AbstractArray{T,N}) where {T,N}
    shape, steps = Clonglong[reverse(size(a))...], Clonglong[reverse(strides(a))...]
    tensor = DLTensor(Ptr{Cvoid}(UInt(pointer(a))), dldevice(a), N, DTYPES[T], pointer(shape), pointer(steps), 0)
    Capsule(DLManagedTensor(tensor, C_NULL, C_NULL), shape, steps)
end

# `foreign` lives as long as the array.
const WRAPPED = IdDict{WeakRef,Any}()
function wrap(::Type{A}, ::Type{M}, manager::DLManagedTensor, foreign) where {T,N,A<:AbstractArray{T,N},M<:MemoryLayout}
    a = GC.@preserve manager unsafe_wrap(A, DLManager{T,N}(manager))
    x = M === RowMajor ? reshape(a, reverse(size(a))) : a
    WRAPPED[WeakRef(x)] = foreign
    x
end

end
