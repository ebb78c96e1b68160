# SPDX-License-Identifier: MIT
# Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors.
using Arr, Random, Statistics

function monte_carlo(strikes; paths = 1000, steps = 16, start = 100, rate = 0.05, sigma = 0.2)
    both = rand!(Arr.Generator(1; bits = :pcg64), Arr.zeros(steps, paths, 2))
    u, v = view(both, :, :, 1), view(both, :, :, 2)
    normal = sqrt.(-2 .* log1p.(-u)) .* cos.(2pi .* v)
    walk = cumsum((rate - sigma^2 / 2) / steps .+ sigma * sqrt(1 / steps) .* normal; dims = 1)
    average = start .* mean(exp.(walk); dims = 1)
    payoffs = exp(-rate) .* max.(average .- strikes, 0)
    result = Arr.zeros(2, length(strikes))
    result[1, :] .= vec(mean(payoffs; dims = 2))
    result[2, :] .= vec(std(payoffs; dims = 2)) ./ sqrt(paths)
    result
end
