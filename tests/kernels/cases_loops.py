# SPDX-License-Identifier: MIT
"""Cases of loops.cu: bounds below, at and beyond what the threads cover, and counters that wrap."""

import numpy as np

from cases import case, ints

GRID, BLOCK = 3, 64
THREADS = GRID * BLOCK
BOUNDS = (-5, 0, 1, 63, 64, 65, THREADS - 1, THREADS, THREADS + 1, 2 * THREADS, 700)


def strided(x, n, start, combine):
    """combine over x[i] for each thread's i, from start."""
    out = np.full(THREADS, start, "i4")
    for i in range(max(n, 0)):
        out[i % THREADS] = combine(out[i % THREADS], i, x[i])
    return out


def wrapping(n, step, threads):
    out = np.zeros(threads, "i4")
    for t in range(threads):
        i = t
        while i < n:
            out[t] = 10 * out[t] + 1 + (i >> 29)
            i = (i + step) % 2**32
    return out


def last(n, x):
    out = np.empty(THREADS, "i4")
    for t in range(THREADS):
        mine = range(t, max(n, 0), THREADS)
        positive = [x[i] for i in mine if x[i] > 0]
        out[t] = 1000 * (mine[-1] if mine else -1) + (positive[-1] if positive else 7)
    return out


def strides(n, x, y):
    covered = np.where(np.arange(800) < n, 3 * x, y)
    case("loops", "stride_long", GRID, BLOCK, [np.int64(n), x, y], {2: covered})
    case("loops", "stride_size_t", GRID, BLOCK, [np.uint64(max(n, 0)), x, y], {2: covered})
    case("loops", "stride_to", GRID, BLOCK, [np.int32(n - 1), x, y], {2: covered})
    case(
        "loops",
        "stride_sum",
        GRID,
        BLOCK,
        [np.int32(n), x, np.zeros(THREADS, "i4")],
        {2: strided(x, n, 0, lambda s, i, v: s + v)},
    )
    case("loops", "stride_last", GRID, BLOCK, [np.int32(n), x, np.zeros(THREADS, "i4")], {2: last(n, x)})
    entered = np.arange(THREADS) < n
    case(
        "loops",
        "stride_never",
        GRID,
        BLOCK,
        [np.int32(n), x, np.zeros(THREADS, "i4")],
        {2: np.where(entered, strided(x, n, 1, lambda s, i, v: s + v), -9)},
    )
    case(
        "loops",
        "stride_inside",
        GRID,
        BLOCK,
        [np.int32(n), x, np.zeros(THREADS, "i4")],
        {2: strided(x, n, 0, lambda s, i, v: s + v + (i < THREADS))},
    )


def guards(n, x, y):
    i = np.arange(800)
    within = i < min(n, THREADS)
    below = np.where(within, 3 * x, y)
    for m in (0, 64, 100):
        case(
            "loops",
            "guards_two",
            GRID,
            BLOCK,
            [np.int32(n), np.int32(m), x, y],
            {3: np.where(within & (i < m), 3 * x, y)},
        )
        case(
            "loops",
            "guards_return",
            GRID,
            BLOCK,
            [np.int32(n), np.int32(m), x, y],
            {3: np.where(within & (i <= m), 3 * x, y)},
        )
    stencil = y.copy()
    inner = [k for k in range(1, min(n - 1, THREADS))]
    stencil[inner] = [x[k - 1] + x[k + 1] for k in inner]
    case("loops", "guard_stencil", GRID, BLOCK, [np.int32(n), x, y], {2: stencil})
    beyond = np.where(i < THREADS, -7, y)
    case("loops", "guard_else", GRID, BLOCK, [np.int32(n), x, y], {2: np.where(within, np.where(x < 0, -x, y), beyond)})
    case("loops", "guard_size_t", GRID, BLOCK, [np.uint64(max(n, 0)), x, y], {2: below})
    case("loops", "guard_other_way", GRID, BLOCK, [np.int32(n), x, y], {2: below})


def loops():
    x, y = ints(-50, 50, 800), ints(-50, 50, 800)
    for n in BOUNDS:
        strides(n, x, y)
        guards(n, x, y)
    zeros, digits = np.zeros(32, "i4"), np.arange(1, 9, dtype="i4")
    # The first stops in front of the largest number, the second and third go beyond it.
    for n, step in ((0xC0000000, 0x70000000), (0xD0000000, 0x60000000), (0xFFFFFFF0, 0xFFFFFFF8)):
        case("loops", "stride_wraps", 1, 32, [np.uint32(n), np.uint32(step), digits, zeros], {3: wrapping(n, step, 32)})
    int32_max = 2**31 - 1
    for n, step in ((1000, 100), (2**30, 2**30), (int32_max - 40, int32_max - 31)):
        rounds = [sum(1 + i % 8 for i in range(t, n, step)) for t in range(32)]
        case("loops", "stride_rounds", 1, 32, [np.int32(n), np.int32(step), digits, zeros], {3: np.array(rounds, "i4")})
    for n, start in ((0xFFFFFFFF, 0xFFFFFFF0), (5, 0xFFFFFFF0), (0xFFFFFFF8, 0xFFFFFFF0), (3, 0)):
        case(
            "loops",
            "guard_wraps",
            1,
            32,
            [np.uint32(n), np.uint32(start), zeros],
            {2: np.array([(start + t) % 2**32 < n for t in range(32)], "i4")},
        )
    case("loops", "guard_tree", 3, 256, [x[:768], np.zeros(3, "i4")], {1: x[:768].reshape(3, 256).sum(1, dtype="i4")})


loops()
