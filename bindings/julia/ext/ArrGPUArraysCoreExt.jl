# SPDX-License-Identifier: MIT
# ArrGPUArraysCoreExt.jl: GPUArraysCore.allowscalar and @allowscalar permit single elements of arrays of Arr too.
#
# Arrays of Arr are no AbstractGPUArray: that type must be chosen when ArrArray is defined, without GPUArraysCore.
module ArrGPUArraysCoreExt

using Arr
isdefined(Base, :get_extension) ? (using GPUArraysCore) : (using ..GPUArraysCore)

function allowed()
    chosen = get(task_local_storage(), :ScalarIndexing, GPUArraysCore.default_scalar_indexing[])
    chosen === GPUArraysCore.ScalarAllowed
end

__init__() = (Arr.ALSO_ALLOWED[] = allowed; nothing)

end
