# SPDX-License-Identifier: MIT
# Principal components of a table: their shares of the variance, and the largest score of each.
using Arr, LinearAlgebra, Statistics

function pca(table; components = 2)
    centred = table .- mean(table; dims = 1)
    _, s, v = svd(centred)
    scores = centred * v[:, 1:components]
    share = s .^ 2 ./ sum(abs2, s)
    Arr.stack(share[1:components], vec(maximum(abs, scores; dims = 1)); dims = 1)
end
