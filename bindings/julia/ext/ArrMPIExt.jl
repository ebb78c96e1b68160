# SPDX-License-Identifier: MIT
# ArrMPIExt.jl: arrays of Arr as buffers of MPI.jl. Those on a GPU need an MPI that takes addresses of GPUs.
module ArrMPIExt

using Arr
using Arr: AnyArr
isdefined(Base, :get_extension) ? (using MPI) : (using ..MPI)

# MPI reads and writes by the address, so the work so far is waited for.
function address(a::AnyArr{T}) where {T}
    Arr.synchronize(Arr.device(a))
    Arr.address(a)
end

Base.cconvert(::Type{MPI.MPIPtr}, a::AnyArr) = a
Base.unsafe_convert(::Type{MPI.MPIPtr}, a::AnyArr) = reinterpret(MPI.MPIPtr, address(a))

MPI.Buffer(a::ArrArray) = MPI.Buffer(a, Cint(length(a)), MPI.Datatype(eltype(a)))
function MPI.Buffer(v::Arr.WithStrides)
    Arr.without_gaps(size(v), strides(v)) || throw(ArgumentError("MPI.Buffer of a view with strides $(strides(v)): take copy(v)"))
    MPI.Buffer(v, Cint(length(v)), MPI.Datatype(eltype(v)))
end

end
