# SPDX-License-Identifier: MIT
# PageRank of a graph of n nodes, whose edges lead from the nodes of the first row to those of the second.
import numpy as np
from scipy.sparse import coo_array


def pagerank(edges, n=60, damping=0.85, rounds=50):
    source, target = edges.astype(int)
    links = coo_array((np.ones(source.size), (target, source)), shape=(n, n)).tocsr()
    degree = links.sum(axis=0)
    rank = np.full(n, 1 / n)
    for _ in range(rounds):
        lost = rank[degree == 0].sum()
        rank = damping * (links @ (rank / np.maximum(degree, 1)) + lost / n) + (1 - damping) / n
    return rank
