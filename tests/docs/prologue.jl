# SPDX-License-Identifier: MIT
# What a block in Julia may assume: that Arr is loaded, and x, y of (4, 4).
using Arr

function prepare()
    global x = ArrArray(ones(4, 4))
    global y = ArrArray(ones(4, 4))
end
