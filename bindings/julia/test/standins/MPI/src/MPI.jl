# SPDX-License-Identifier: MIT
# MPI.jl: a stand-in for the interface of MPI.jl, for tests: buffers, and a message to oneself as MPI's C functions copy it.
module MPI

primitive type MPIPtr Sys.WORD_SIZE end
@assert sizeof(MPIPtr) == sizeof(Ptr{Cvoid})
Base.cconvert(::Type{MPIPtr}, x::Union{Ptr{T},Array{T},Ref{T}}) where {T} = Base.cconvert(Ptr{T}, x)
Base.unsafe_convert(::Type{MPIPtr}, x::Union{Ptr{T},Array{T},Ref{T}}) where {T} = reinterpret(MPIPtr, Base.unsafe_convert(Ptr{T}, x))

struct Datatype
    bytes::Int
end
Datatype(::Type{T}) where {T} = isbitstype(T) ? Datatype(sizeof(T)) : throw(ArgumentError("$T cannot be sent"))

struct Buffer{A}
    data::A
    count::Cint
    datatype::Datatype
end
Buffer(b::Buffer) = b
Buffer(x::Array) = Buffer(x, Cint(length(x)), Datatype(eltype(x)))

# The address is made by ccall, as in a call of MPI.
function Sendrecv!(send, receive)
    s, r = Buffer(send), Buffer(receive)
    s.count * s.datatype.bytes <= r.count * r.datatype.bytes || throw(ArgumentError("the message is truncated"))
    ccall(:memcpy, Ptr{Cvoid}, (MPIPtr, MPIPtr, Csize_t), r.data, s.data, s.count * s.datatype.bytes)
    receive
end

end
