# SPDX-License-Identifier: MIT
# Arr.jl: arrays on GPUs and on the host; LibArr is the C API below.
module Arr

using LinearAlgebra
using LinearAlgebra: UniformScaling
import Random
import Statistics

include("LibArr.jl")
using .LibArr: LibraryError

include("errors.jl")
include("types.jl")
include("state.jl")
include("array.jl")
include("transfer.jl")
include("indexing.jl")
include("trace.jl")
include("broadcast.jl")

export ArrArray, ArrStrided, BFloat16, allowscalar, @allowscalar, unsafe_free!

end
