# SPDX-License-Identifier: MIT
# k-means: ten rounds of Lloyd's algorithm, from the first three points.
import numpy as np


def kmeans(points, k=3, rounds=10):
    centres = points[:k]
    for _ in range(rounds):
        distances = ((points[:, None] - centres) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1)
        members = (nearest == np.arange(k)[:, None]).astype(points.dtype)
        centres = members @ points / members.sum(axis=1, keepdims=True)
    return centres
