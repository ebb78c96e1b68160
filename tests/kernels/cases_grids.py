# SPDX-License-Identifier: MIT
"""Cases of grids.cu: cooperative launches, of few enough blocks that one core takes them at once."""

import numpy as np

from cases import case, f4, i4, ints, zeros


def heat(a, steps):
    for _ in range(steps):
        padded = np.concatenate([np.zeros(1, "f4"), a, np.zeros(1, "f4")])
        a = np.float32(0.25) * padded[:-2] + np.float32(0.5) * a + np.float32(0.25) * padded[2:]
    return a


def grids():
    k = ints(-50, 100, 3001)
    case(
        "grids",
        "grid_sum",
        7,
        128,
        [k, i4(3001), zeros(7, "i4"), zeros(1, "i4")],
        {3: k.sum(dtype="i4")},
        together=True,
    )
    case(
        "grids",
        "grid_scan",
        8,
        128,
        [k[:1024], zeros(8, "i4"), zeros(1024, "i4")],
        {2: np.cumsum(k[:1024], dtype="i4")},
        together=True,
    )
    a = f4(500)
    case(
        "grids",
        "grid_heat",
        (2, 2),
        (16, 4),
        [a, zeros(500), i4(500), i4(11)],
        {0: heat(a, 10), 1: heat(a, 11)},
        tol=1e-6,
        together=True,
    )
    case("grids", "grid_sort", 4, 64, [k[:450], i4(450), zeros(500, "i4")], {0: np.sort(k[:450])}, together=True)


grids()
