# SPDX-License-Identifier: MIT
# Poisson's equation on an L-shaped domain: a grid without its last quarter, u = 0 around it.
import numpy as np
from scipy.sparse import diags_array, kronsum
from scipy.sparse.linalg import cg


def poisson(f):
    n = f.shape[0]
    line = diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    inside = np.ones((n, n), bool)
    inside[n // 2 :, n // 2 :] = False
    at = np.flatnonzero(inside)
    a = kronsum(line, line, format="csr")[at][:, at]
    u = np.zeros(n * n)
    u[at], _ = cg(a, f.ravel()[at] / (n + 1) ** 2, rtol=1e-12)
    return u.reshape(n, n)
