# SPDX-License-Identifier: MIT
# serialize.jl: arrays are written with their elements and read to the device of the task; copies that go deep.

const Serializer = Serialization.AbstractSerializer

function Serialization.serialize(s::Serializer, a::AnyArr)
    Serialization.serialize_cycle_header(s, a) && return
    Serialization.serialize(s, Array(a))
end
function Serialization.deserialize(s::Serializer, ::Type{A}) where {A<:AnyArr}
    a = with_type(A, ArrArray(Serialization.deserialize(s)))
    Serialization.deserialize_cycle(s, a)
    a
end
with_type(::Type{<:ArrArray}, a::ArrArray) = a
with_type(::Type{<:ArrStrided}, a::ArrArray{T,N}) where {T,N} = slices(ArrStrided{T,N}, a, axes(a))
with_type(::Type{<:ArrRow}, a::ArrArray) = as_row(a)

function Serialization.serialize(s::Serializer, h::HostArray)
    Serialization.serialize_type(s, typeof(h))
    Serialization.serialize(s, h.data)
end
Serialization.deserialize(s::Serializer, ::Type{<:HostArray}) = HostArray(Serialization.deserialize(s))
Base.deepcopy_internal(h::HostArray, seen::IdDict) = get!(() -> HostArray(h.data), seen, h.data)

# Objects of this process alone: written, they would name nothing, or something else.
const Unwritten = Union{Stream,Event,RawModule,RawKernel,Expression,Generator,UserKernel,Graph,Texels,Texture,PlanHandle,
                        DLPackTensor,Trace}
Serialization.serialize(::Serializer, x::Unwritten) =
    throw(ArgumentError("serialize: a $(nameof(typeof(x))) belongs to this process and cannot be written"))

Base.deepcopy_internal(a::ArrArray, seen::IdDict) = get!(() -> copy(a), seen, a)
Base.deepcopy_internal(a::A, seen::IdDict) where {A<:WithStrides} = get!(() -> with_type(A, column_major(a)), seen, a)
Base.deepcopy_internal(x::Unwritten, ::IdDict) =
    throw(ArgumentError("deepcopy: a $(nameof(typeof(x))) has no copy"))
