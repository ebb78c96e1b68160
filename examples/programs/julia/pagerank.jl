# SPDX-License-Identifier: MIT
# PageRank of a graph of n nodes, whose edges lead from the nodes of the first row to those of the second.
using Arr

function pagerank(edges; n = 60, damping = 0.85, rounds = 50)
    source, target = Int.(edges[1, :]) .+ 1, Int.(edges[2, :]) .+ 1
    links = Arr.sparse(target, source, one.(edges[1, :]), n, n; format = :csr)
    degree = vec(sum(links; dims = 1))
    rank = Arr.fill(1 / n, n)
    for _ in 1:rounds
        lost = sum(rank[degree .== 0])
        rank = damping .* (links * (rank ./ max.(degree, 1)) .+ lost / n) .+ (1 - damping) / n
    end
    rank
end
