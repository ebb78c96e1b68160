# SPDX-License-Identifier: MIT
# ArrDLPackExt.jl: arrays of Arr as tensors of DLPack.jl, and its tensors as arrays of Arr, without a copy.
module ArrDLPackExt

using Arr
using Arr: AnyArr
isdefined(Base, :get_extension) ? (using DLPack) : (using ..DLPack)

function DLPack.dldevice(a::AnyArr)
    d = Arr.device(a)
    DLPack.DLDevice(Arr.ishost(d) ? DLPack.kDLCPU : DLPack.kDLCUDA, Cint(d.index))
end
DLPack.dldevice(a::ArrArray) = invoke(DLPack.dldevice, Tuple{AnyArr}, a)

# The consumer reads by the address, so the work so far is waited for, on each kind of device.
function DLPack.share(a::AnyArr)
    Arr.synchronize(Arr.device(a))
    DLPack.unsafe_share(a)
end
DLPack.share(a::ArrArray) = invoke(DLPack.share, Tuple{AnyArr}, a)

# DLPack.wrap(ArrArray{T,N}, ColMajor, manager, foreign) comes here.
function Base.unsafe_wrap(::Type{<:ArrArray}, m::DLPack.DLManager{T,N}) where {T,N}
    context = m.manager.dl_tensor.ctx
    device = Arr.Device(context.device_type in (DLPack.kDLCUDA, DLPack.kDLCUDAManaged) ? :cuda : :host, context.device_id)
    dims = Dims{N}(DLPack.unsafe_size(m.manager, Val(N)))
    strides = Dims{N}(DLPack.unsafe_strides(m.manager, Val(N)))
    Arr.without_gaps(dims, strides) || Arr.without_gaps(reverse(dims), reverse(strides)) ||
        throw(ArgumentError("a DLPack tensor with strides $strides, expected one without gaps"))
    # DLPack.jl reverses the dimensions of a row-major tensor afterwards, which takes memory in one order.
    data = Ptr{T}(UInt(pointer(m))) + DLPack.byte_offset(m)
    Arr.wrap_address(ArrArray{T,N}, data, dims, device, m.manager)
end

end
