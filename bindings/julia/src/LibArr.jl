# SPDX-License-Identifier: MIT
# LibArr.jl: the C API with C's own names and no policy; the idiomatic layer above it is module Arr.
module LibArr

include("loader.jl")
include("generated.jl")

end
