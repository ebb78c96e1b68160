# SPDX-License-Identifier: MIT
# Conjugate gradients for the five-point Laplacian of a grid.
import numpy as np


def laplace(p):
    q = 4 * p
    q[1:] -= p[:-1]
    q[:-1] -= p[1:]
    q[:, 1:] -= p[:, :-1]
    q[:, :-1] -= p[:, 1:]
    return q


def cg(b, tolerance=1e-10):
    x = np.zeros_like(b)
    r, p = b.copy(), b
    rho = np.vdot(r, r)
    while rho > tolerance**2:
        q = laplace(p)
        alpha = rho / np.vdot(p, q)
        x += alpha * p
        r -= alpha * q
        previous, rho = rho, np.vdot(r, r)
        p = r + rho / previous * p
    return x
