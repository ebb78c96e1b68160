# SPDX-License-Identifier: MIT
"""Cases of numeric.cu and halves.cu; see cases.py."""

import math

import numpy as np
from ml_dtypes import bfloat16

from cases import R, case, f4, i4, ints, zeros


def linear():
    a, b = f4(50, 50), f4(50, 50)
    case(
        "numeric",
        "matmul_tiled",
        (4, 4),
        (16, 16),
        [a.ravel(), b.ravel(), zeros(2500), i4(50)],
        {2: (a.astype("f8") @ b).astype("f4").ravel()},
        tol=1e-4,
    )
    m, x = f4(20, 70), f4(70)
    case(
        "numeric",
        "matvec_warp",
        5,
        128,
        [m.ravel(), x, zeros(20), i4(20), i4(70)],
        {2: (m.astype("f8") @ x).astype("f4")},
        tol=1e-4,
    )
    s = np.where(R.random((40, 70)) < 0.2, f4(40, 70), 0).astype("f4")
    start = np.concatenate([[0], (s != 0).sum(1).cumsum()]).astype("i4")
    rows = [start, s.nonzero()[1].astype("i4"), s[s != 0], x, zeros(40), i4(40)]
    y = {4: (s.astype("f8") @ x).astype("f4")}
    case("numeric", "spmv_scalar", 1, 64, rows, y, tol=1e-4)
    case("numeric", "spmv_warp", 10, 128, rows, y, tol=1e-4)
    n = 12
    lu = R.normal(size=(3, n, n)) + n * np.eye(n)
    want = lu.copy()
    for k in range(n):
        want[:, k + 1 :, k] /= want[:, k : k + 1, k]
        want[:, k + 1 :, k + 1 :] -= want[:, k + 1 :, k : k + 1] * want[:, k : k + 1, k + 1 :]
    case("numeric", "lu_in_shared", 3, 32, [lu.ravel(), i4(n)], {0: want.ravel()}, shared=8 * n * n, tol=1e-12)
    lower, diagonal, upper, right = R.normal(size=(4, 20, 30))
    diagonal = diagonal + 6
    solved = np.empty((20, 30))
    for j in range(30):
        full = np.diag(diagonal[:, j]) + np.diag(lower[1:, j], -1) + np.diag(upper[:-1, j], 1)
        solved[:, j] = np.linalg.solve(full, right[:, j])
    case(
        "numeric",
        "thomas",
        1,
        32,
        [lower.ravel(), diagonal.ravel(), upper.ravel(), right.ravel(), i4(20), i4(30)],
        {3: solved.ravel()},
        tol=1e-10,
    )


def stencils():
    x = f4(300)
    case("numeric", "stencil_1d", 3, 128, [x, zeros(300), i4(300)], {1: np.convolve(x, np.ones(7), "same")}, tol=1e-5)
    case(
        "numeric",
        "convolve",
        3,
        128,
        [x, zeros(300), i4(300)],
        {1: np.convolve(x, [1, 2, 3, 4, 3, 2, 1], "same").astype("f4")},
        tol=1e-5,
    )
    g = f4(20, 30)
    heat = g.copy()
    heat[1:-1, 1:-1] += np.float32(0.1) * (g[1:-1, :-2] + g[1:-1, 2:] + g[:-2, 1:-1] + g[2:, 1:-1] - 4 * g[1:-1, 1:-1])
    case(
        "numeric",
        "heat_2d",
        (4, 3),
        (8, 8),
        [g.ravel(), zeros(600), i4(30), i4(20), np.float32(0.1)],
        {1: heat.ravel()},
        tol=1e-5,
    )
    v = f4(10, 10, 10)
    lap = np.zeros_like(v)
    c = v[1:-1, 1:-1, 1:-1]
    lap[1:-1, 1:-1, 1:-1] = (
        v[1:-1, 1:-1, :-2]
        + v[1:-1, 1:-1, 2:]
        + v[1:-1, :-2, 1:-1]
        + v[1:-1, 2:, 1:-1]
        + v[:-2, 1:-1, 1:-1]
        + v[2:, 1:-1, 1:-1]
        - 6 * c
    )
    case("numeric", "laplace_3d", (3, 3, 5), (4, 4, 2), [v.ravel(), zeros(1000), i4(10)], {1: lap.ravel()}, tol=1e-5)
    cells = ints(0, 2, 15, 25, dtype="u1")
    near = sum(np.roll(cells, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - cells
    alive = ((near == 3) | ((near == 2) & (cells == 1))).astype("u1")
    case("numeric", "life", (4, 2), (8, 8), [cells.ravel(), zeros(375, "u1"), i4(25), i4(15)], {1: alive.ravel()})


def simulations():
    body = np.concatenate([f4(128, 3), np.abs(f4(128, 1))], axis=1)
    p = body[:, :3].astype("f8")
    d = p[None] - p[:, None]
    r = ((d**2).sum(2) + 0.01) ** -1.5
    force = (d * (body[:, 3] * r)[:, :, None]).sum(1)
    case("numeric", "nbody", 2, 64, [body.ravel(), zeros(384), i4(128)], {1: force.astype("f4").ravel()}, tol=2e-3)
    y, x = np.mgrid[0:20, 0:30]
    c = (-2 + 3 * x / 30) + 1j * (-1.5 + 3 * y / 20)
    zr, zi, steps = np.zeros(c.shape), np.zeros(c.shape), np.zeros(c.shape, "i4")
    inside = np.ones(c.shape, bool)
    for _ in range(50):
        inside &= zr * zr + zi * zi <= 4
        steps += inside
        zr, zi = (np.where(inside, zr * zr - zi * zi + c.real, zr), np.where(inside, 2 * zr * zi + c.imag, zi))
    case("numeric", "mandelbrot", (4, 3), (8, 8), [zeros(600, "i4"), i4(30), i4(20), i4(50)], {0: steps.ravel()})
    z = (f4(256) + 1j * f4(256)).astype("c8")
    case(
        "numeric",
        "fft_radix2",
        1,
        128,
        [z.view("f4"), i4(8)],
        {0: np.fft.fft(z).astype("c8").view("f4")},
        shared=2048,
        tol=1e-3,
    )
    k = ints(-9, 9, 256)
    h = np.array([[1]])
    while len(h) < 256:
        h = np.block([[h, h], [h, -h]])
    case("numeric", "walsh_hadamard", 1, 256, [k], {0: (h @ k).astype("i4")})
    state = ints(0, 2**32, 64, dtype="u8").astype("u4")
    s, drawn = state.astype("u8"), []
    for _ in range(5):
        s = (s * 1664525 + 1013904223) % 2**32
        drawn.append((s >> 8).astype("u4"))
    case(
        "numeric", "random_lcg", 2, 32, [state, zeros(320, "u4"), i4(5)], {0: s.astype("u4"), 1: np.concatenate(drawn)}
    )
    x, hits = 12345 + np.arange(128, dtype="u8"), 0
    for _ in range(40):
        x = x ^ (x << np.uint64(13))
        x = x ^ (x >> np.uint64(7))
        x = x ^ (x << np.uint64(17))
        a, b = (x & np.uint64(0xFFFF)).astype("i8"), (x >> np.uint64(16) & np.uint64(0xFFFF)).astype("i8")
        hits += int((a * a + b * b < 2**32).sum())
    case("numeric", "xorshift_pi", 2, 64, [np.uint64(12345), i4(40), zeros(1, "u8")], {2: np.array([hits], "u8")})
    spot = np.abs(f4(100)) * 50 + 75
    root = 0.3 * math.sqrt(0.5)
    d1 = (np.log(spot.astype("f8") / 100) + (0.05 + 0.045) * 0.5) / root
    cdf = np.vectorize(lambda v: 0.5 * math.erfc(-v / math.sqrt(2)))
    call = spot * cdf(d1) - 100 * math.exp(-0.025) * cdf(d1 - root)
    case(
        "numeric",
        "black_scholes",
        1,
        128,
        [spot, zeros(100)] + [np.float32(v) for v in (100, 0.05, 0.3, 0.5)] + [i4(100)],
        {1: call.astype("f4")},
        tol=2e-3,
    )
    counts = []
    for n in range(1, 201):
        count = 0
        while n != 1:
            n, count = (3 * n + 1 if n % 2 else n // 2), count + 1
        counts.append(count)
    case("numeric", "collatz", 4, 64, [zeros(200, "i4"), i4(200)], {0: np.array(counts, "i4")})


def halves():
    x, y = R.normal(size=(2, 200)).astype("f2")
    fused = (np.float64(np.float16(1.7)) * x.astype("f8") + y.astype("f8")).astype("f2")
    case("halves", "half_axpy", 2, 128, [x, y, np.float32(1.7), i4(200)], {1: fused})
    case("halves", "half2_multiply", 1, 128, [x, y, zeros(200, "f2"), i4(100)], {2: x * y})
    b = R.normal(size=100).astype(bfloat16)
    case("halves", "bfloat_sum", 1, 32, [b, zeros(1), i4(100)], {1: np.array([b.astype("f8").sum()], "f4")}, tol=1e-4)
    case("halves", "half_relu", 2, 128, [x, zeros(200, "f2"), i4(200)], {1: np.maximum(x, 0)})


linear()
stencils()
simulations()
halves()
