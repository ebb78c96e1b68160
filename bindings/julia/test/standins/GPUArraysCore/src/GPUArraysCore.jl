# SPDX-License-Identifier: MIT
# GPUArraysCore.jl: a stand-in for the interface of GPUArraysCore, for tests: the permission of single elements.
module GPUArraysCore

export AbstractGPUArray, AbstractGPUArrayStyle, allowscalar, @allowscalar, assertscalar

abstract type AbstractGPUArray{T,N} <: DenseArray{T,N} end
abstract type AbstractGPUArrayStyle{N} <: Base.Broadcast.AbstractArrayStyle{N} end

@enum ScalarIndexing ScalarAllowed ScalarWarn ScalarWarned ScalarDisallowed
const default_scalar_indexing = Ref{Union{Nothing,ScalarIndexing}}(nothing)

allowscalar(f::Base.Callable) = task_local_storage(f, :ScalarIndexing, ScalarAllowed)
function allowscalar(allow::Bool = true)
    default_scalar_indexing[] = allow ? ScalarAllowed : ScalarDisallowed
    task_local_storage(:ScalarIndexing, default_scalar_indexing[])
    nothing
end
macro allowscalar(expression)
    :(task_local_storage(() -> $(esc(expression)), :ScalarIndexing, ScalarAllowed))
end
function assertscalar(operation)
    get(task_local_storage(), :ScalarIndexing, default_scalar_indexing[]) === ScalarAllowed ||
        error("scalar indexing is disallowed: $operation")
end

end
