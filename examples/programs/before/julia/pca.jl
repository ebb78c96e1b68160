# SPDX-License-Identifier: MIT
# Principal components of a table: their shares of the variance, and the largest score of each.
using Arr, LinearAlgebra, Statistics

function pca(table; components = 2)
    centred = table .- mean(table; dims = 1)
    _, s, v = svd(centred)
    scores = centred * v[:, 1:components]
    share = s .^ 2 ./ sum(abs2, s)
    both = ArrArray{Float64}(undef, 2, components)
    both[1, :] .= share[1:components]
    both[2, :] .= vec(maximum(abs, scores; dims = 1))
    both
end
