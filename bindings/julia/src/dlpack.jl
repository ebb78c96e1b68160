# SPDX-License-Identifier: MIT
# dlpack.jl: arrays to and from other libraries of the process by DLPack, without a copy.

# The structs of DLPack 1.x, by its published layout.
struct DLTensor
    data::Ptr{Cvoid}
    device_type::Int32
    device_id::Int32
    ndim::Int32
    code::UInt8
    bits::UInt8
    lanes::UInt16
    shape::Ptr{Int64}
    strides::Ptr{Int64}
    byte_offset::UInt64
end
struct DLManagedTensor
    tensor::DLTensor
    context::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
end
struct DLManagedTensorVersioned
    major::UInt32
    minor::UInt32
    context::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
    flags::UInt64
    tensor::DLTensor
end
@assert (sizeof(DLTensor), sizeof(DLManagedTensor), sizeof(DLManagedTensorVersioned)) == (48, 64, 80)
@assert map(i -> fieldoffset(DLTensor, i), 1:10) == [0, 8, 12, 16, 20, 21, 22, 24, 32, 40]
@assert map(i -> fieldoffset(DLManagedTensorVersioned, i), 1:6) == [0, 4, 8, 16, 24, 32]
const AnyManaged = Union{DLManagedTensor,DLManagedTensorVersioned}

const DL_CODES = (0 => Signed, 1 => Unsigned, 2 => AbstractFloat, 4 => BFloat16, 5 => Complex, 6 => Bool)

"""
    DLPackTensor

A DLPack tensor that Julia owns: its deleter runs when this is collected, unless [`hand_over!`](@ref) gave it to a
consumer before.
"""
mutable struct DLPackTensor{M<:AnyManaged}
    ptr::Ptr{M}
    DLPackTensor(p::Ptr{M}) where {M<:AnyManaged} = finalizer(delete, new{M}(p))
end

function delete(t::DLPackTensor)
    t.ptr == C_NULL && return
    p, t.ptr = t.ptr, C_NULL
    delete(p)
end
function delete(p::Ptr{<:AnyManaged})
    deleter = unsafe_load(p).deleter
    deleter == C_NULL || ccall(deleter, Cvoid, (Ptr{Cvoid},), p)
    nothing
end
unsafe_free!(t::DLPackTensor) = delete(t)

"""Returns the struct's address, borrowed."""
function Base.pointer(t::DLPackTensor)
    t.ptr == C_NULL && throw(ArgumentError("the tensor was handed over already"))
    t.ptr
end

"""
    Arr.hand_over!(t)

Returns the address of a tensor for a consumer, which from now on owns it and calls its deleter once.
"""
function hand_over!(t::DLPackTensor)
    p = pointer(t)
    t.ptr = C_NULL
    p
end

"""
    Arr.to_dlpack(a; copy = false, legacy = false, stream = -1)

Returns an array as a DLPack tensor that shares its memory; of a Julia `Array` too. `legacy` returns the struct
without version, for old consumers. `stream` is the consumer's CUDA stream as DLPack counts it.
"""
function to_dlpack(a::AnyArr; copy::Bool = false, legacy::Bool = false, stream::Integer = -1)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    flags = copy ? LibArr.ARR_DLPACK_COPY : Int32(0)
    if legacy
        @check LibArr.arr_to_dlpack_legacy(a, Int64(stream), flags, out)
        DLPackTensor(Ptr{DLManagedTensor}(out[]))
    else
        @check LibArr.arr_to_dlpack(a, Int64(stream), flags, out)
        DLPackTensor(Ptr{DLManagedTensorVersioned}(out[]))
    end
end
to_dlpack(x::StridedArray; kw...) = to_dlpack(wrap(x); kw...)

"""
    Arr.from_dlpack(t; stream = -1, readonly = false)

Returns the array in a DLPack tensor, without a copy. `t` is a [`DLPackTensor`](@ref) or the address of a
`DLManagedTensorVersioned` or `DLManagedTensor`; it is the library's afterwards. A row-major tensor is an
[`ArrStrided`](@ref) of the same shape.
"""
function from_dlpack(p::Ptr{DLManagedTensorVersioned}; stream::Integer = -1)
    out = Ref(LibArr.arr_array())
    @check LibArr.arr_from_dlpack(p, Int64(stream), out)
    adopt(out[])
end
function from_dlpack(p::Ptr{DLManagedTensor}; stream::Integer = -1, readonly::Bool = false)
    out = Ref(LibArr.arr_array())
    @check LibArr.arr_from_dlpack_legacy(p, Int64(stream), readonly ? LibArr.ARR_DLPACK_READONLY : Int32(0), out)
    adopt(out[])
end
function from_dlpack(t::DLPackTensor; kw...)
    a = from_dlpack(pointer(t); kw...)
    hand_over!(t)
    a
end

# ------------------------------------------------------------------- Julia as the consumer of a tensor

function element_type(t::DLTensor)
    t.lanes == 1 || throw(ArgumentError("DLPack tensor of $(t.lanes) lanes, expected 1"))
    for T in ELTYPES
        family = get(Dict(DL_CODES), Int(t.code), Union{})
        T <: family && 8 * sizeof(T) == t.bits && (T === BFloat16) == (t.code == 4) && return T
    end
    throw(ArgumentError("DLPack tensor of type code $(t.code) and $(t.bits) bits is not known here"))
end

"""
    unsafe_wrap(Array, t::DLPackTensor)

Returns a column-major DLPack tensor on the host as a Julia `Array`, without a copy and without libarr: the array
owns the tensor and calls its deleter when it is collected.
"""
function Base.unsafe_wrap(::Type{Array}, t::DLPackTensor)
    managed = unsafe_load(pointer(t))
    d = managed.tensor
    d.device_type == LibArr.ARR_HOST || throw(ArgumentError("DLPack tensor on device type $(d.device_type), expected the host"))
    managed isa DLManagedTensorVersioned && managed.flags & 1 != 0 &&
        throw(ArgumentError("the DLPack tensor is read-only, and a Julia Array cannot be"))
    T, N = element_type(d), Int(d.ndim)
    dims = ntuple(i -> Int(unsafe_load(d.shape, i)), N)
    # Without strides a tensor is row-major.
    strides = d.strides == C_NULL ? reverse(Base.size_to_strides(1, reverse(dims)...)) :
        ntuple(i -> Int(unsafe_load(d.strides, i)), N)
    any(==(0), dims) && return Array{T,N}(undef, dims)
    without_gaps(dims, strides) ||
        throw(ArgumentError("DLPack tensor with strides $strides, expected column-major; Arr.from_dlpack takes any"))
    x = unsafe_wrap(Array, Ptr{T}(d.data + d.byte_offset), dims)
    owner = hand_over!(t)
    finalizer(_ -> delete(owner), memory_of(x))
    x
end
