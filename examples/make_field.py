#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_field.py OUT.npy [NY NX] - writes the temperature field that the heat example starts from.

A cold plate with a warm edge, two hot discs and a hot bar: smooth enough to print, and with no
symmetry, so that a swapped axis shows.
"""

import sys

import numpy as np


def field(ny, nx):
    y, x = np.mgrid[0:ny, 0:nx]
    u = np.full((ny, nx), 15.0)
    u[0, :] = np.linspace(15.0, 60.0, nx)
    u[:, -1] = np.linspace(60.0, 5.0, ny)
    u[np.hypot((y - 0.3 * ny) / ny, (x - 0.25 * nx) / nx) < 0.12] = 95.0
    u[np.hypot((y - 0.7 * ny) / ny, (x - 0.6 * nx) / nx) < 0.07] = 120.0
    u[(y > 0.8 * ny) & (y < 0.85 * ny) & (x > 0.1 * nx) & (x < 0.5 * nx)] = 80.0
    return u


if __name__ == "__main__":
    ny, nx = (int(n) for n in sys.argv[2:4]) if len(sys.argv) > 3 else (384, 512)
    np.save(sys.argv[1], field(ny, nx))
    print(f"{sys.argv[1]}: float64 field of {ny} x {nx}")
