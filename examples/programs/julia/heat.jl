# SPDX-License-Identifier: MIT
# Heat equation: explicit steps on the inner points of a field.
using Arr

@views function heat(field; c = 0.2, steps = 100)
    u = copy(field)
    inner = u[2:end-1, 2:end-1]
    for _ in 1:steps
        around = u[3:end, 2:end-1] .+ u[1:end-2, 2:end-1] .+ u[2:end-1, 3:end] .+ u[2:end-1, 1:end-2]
        inner .+= c .* (around .- 4 .* inner)
    end
    u
end
