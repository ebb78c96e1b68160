# SPDX-License-Identifier: MIT
# The setting of a block in Julia: Arr is loaded, and x and y are of (4, 4).
using Arr

function prepare()
    global x = ArrArray(ones(4, 4))
    global y = ArrArray(ones(4, 4))
end
