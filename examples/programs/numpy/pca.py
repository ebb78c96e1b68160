# SPDX-License-Identifier: MIT
# Principal components of a table: their shares of the variance, and the largest score of each.
import numpy as np


def pca(table, components=2):
    centred = table - table.mean(axis=0)
    _, s, vh = np.linalg.svd(centred, full_matrices=False)
    scores = centred @ vh[:components].T
    share = s**2 / (s**2).sum()
    return np.stack([share[:components], np.abs(scores).max(axis=0)])
