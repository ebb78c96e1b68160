# SPDX-License-Identifier: MIT
# Arr.jl: arrays on GPUs and on the host; LibArr is the C API below.
module Arr

include("LibArr.jl")

end
