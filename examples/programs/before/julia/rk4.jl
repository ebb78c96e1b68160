# SPDX-License-Identifier: MIT
# An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end.
using Arr, Statistics

@views function lorenz(state)
    x, y, z = state[1, :], state[2, :], state[3, :]
    slope = similar(state)
    slope[1, :] .= 10 .* (y .- x)
    slope[2, :] .= x .* (28 .- z) .- y
    slope[3, :] .= x .* y .- 8 / 3 .* z
    slope
end

function rk4(state; h = 0.01, steps = 100)
    for _ in 1:steps
        k1 = lorenz(state)
        k2 = lorenz(state .+ h / 2 .* k1)
        k3 = lorenz(state .+ h / 2 .* k2)
        k4 = lorenz(state .+ h .* k3)
        state = state .+ h / 6 .* (k1 .+ 2 .* k2 .+ 2 .* k3 .+ k4)
    end
    vec(mean(state; dims = 2))
end
