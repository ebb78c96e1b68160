# SPDX-License-Identifier: MIT
"""Cases of curand_quasi.cu: Sobol' sequences and MTGP32 from their definitions, in Python's integers."""

import math
import statistics

import numpy as np

from cases import case, i4, zeros

R = np.random.default_rng(11)


def directions(bits):
    """The vectors of the first three dimensions: 1/2, 1/4, 1/8 ..., and by the polynomials x + 1 and x^2 + x + 1."""
    rows = [[1] * bits]
    for degree, start in ((1, [1]), (2, [1, 3])):
        m = list(start)
        for k in range(degree, bits):
            value = m[k - degree] ^ m[k - degree] << degree
            for j in range(1, degree):  # inner coefficients are 1
                value ^= m[k - j] << j
            m.append(value)
        rows.append(m)
    return [[m << bits - 1 - k for k, m in enumerate(row)] for row in rows]


def element(vectors, n, scramble):
    gray, out = n ^ n >> 1, scramble
    for k, v in enumerate(vectors):
        out ^= v if gray >> k & 1 else 0
    return out


def poisson(u, mean):
    if mean >= 1000:
        return int(math.sqrt(mean) * normal(u) + mean + 0.5)
    log, total, k = -mean, 0.0, 0
    while True:
        total += math.exp(log)
        if u <= total:
            return k
        k += 1
        log += math.log(mean / k)


def normal(u):
    return statistics.NormalDist().inv_cdf(u)


def near(want, tol):
    return lambda got: bool(np.allclose(got, want, rtol=tol, atol=tol))


def sequences():
    n = 40
    for name, bits, scramble in (
        ("sobol32", 32, None),
        ("scrambled32", 32, 0xE20866FE),
        ("sobol64", 64, None),
        ("scrambled64", 64, 0x9E3779B97F4A7C15),
    ):
        vectors, words, f, d, u = directions(bits), [], [], [], []
        kept = 53 if bits == 64 else 32  # the bits of which doubles are made
        for i in range(n):
            c = 0 if scramble is None else scramble + i % 3
            numbers = [element(vectors[i % 3], 5 * i + k, c) for k in (*range(8), *range(1008, 1019))]
            words += numbers[:8]
            x = iter(numbers[8:])

            def single(x=x):
                return ((next(x) >> bits - 32) + 0.5) / 2.0**32

            def double(x=x, kept=kept):
                return ((next(x) >> bits - kept) + 0.5) / 2.0**kept

            f.append(single())
            d.append(double() if bits == 64 else double() + 0.5 / 2.0**32)
            f.append(normal(single()))
            d.append(normal(double()))
            f.append(math.exp(0.5 + 0.25 * normal(single())))
            d.append(math.exp(0.5 + 0.25 * normal(double())))
            u += [poisson(double(), mean) for mean in (0.75, 700.5, 3e6)]
            v = double() + (0 if bits == 64 else 0.5 / 2.0**32)
            j = min(int(3 * v), 2)
            u.append(7 + (j if v < (0.25, 0.5, 1.0)[j] else (2, 0, 1)[j]))
            u.append(int(70.5 * normal(double()) + 5000.25 + 0.5))
        dtype = f"u{bits // 8}"
        case(
            "curand_quasi",
            name,
            2,
            32,
            [
                np.array(vectors, dtype),
                zeros(8 * n, dtype),
                zeros(3 * n),
                zeros(3 * n, "f8"),
                zeros(5 * n, "u4"),
                i4(n),
            ],
            {1: np.array(words, dtype), 2: near(f, 3e-6), 3: near(d, 1e-13), 4: np.array(u, "u4")},
        )


class Mtgp:
    """The recursion over any parameters; the state is a list of 351 words, the oldest first."""

    def __init__(self, words, pick, rows, temper, first, second, mask):
        self.s, self.pick, self.rows, self.temper = list(words), pick, rows, temper
        self.first, self.second, self.mask = first, second, mask

    def next(self):
        x = (self.s[0] & self.mask) ^ self.s[1]
        x ^= x << self.first & 0xFFFFFFFF
        y = x ^ self.s[self.pick] >> self.second
        r = y ^ self.rows[y & 15]
        t = self.s[self.pick - 1]
        t ^= t >> 16
        t ^= t >> 8
        self.s = [*self.s[1:], r]
        return r ^ self.temper[t & 15]


def mtgp():
    blocks, threads, rounds = 3, 70, 20
    words = R.integers(0, 2**32, (blocks, 351), dtype="u4")
    pick = R.integers(80, 95, 200, dtype="u4")  # behind the threads' own places
    tables = R.integers(0, 2**32, (3, 200, 16), dtype="u4")
    shifts = R.integers(1, 20, (2, 200), dtype="u4")
    mask = np.array([0xFFF80000], "u4")
    states = np.zeros(blocks, np.dtype([("s", "u4", 1024), ("offset", "i4"), ("row", "i4"), ("k", "u8")]))
    states["s"][:, :351] = words
    states["row"] = np.arange(blocks) + 5
    parameters = np.concatenate([pick, tables.ravel(), shifts.ravel(), mask])
    numbers = []
    for b in range(blocks):
        row = b + 5
        g = Mtgp(
            words[b].tolist(),
            int(pick[row]),
            tables[0, row].tolist(),
            tables[1, row].tolist(),
            *(int(s) for s in shifts[:, row]),
            int(mask[0]),
        )
        numbers.append([g.next() for _ in range((rounds + 5) * threads)])
    x = np.array(numbers, "u4").reshape(blocks, rounds + 5, threads).transpose(1, 0, 2).reshape(rounds + 5, -1)
    middle, up = (x.astype("f8") + 0.5) / 2.0**32, (x.astype("f8") + 1) / 2.0**32
    normals = np.array([normal(v) for v in middle.ravel()]).reshape(x.shape)
    f, d = [middle[-4], normals[-3]], [up[-2], normals[-1]]
    n = blocks * threads
    case(
        "curand_quasi",
        "mtgp32",
        blocks,
        threads,
        [states.view("u1"), parameters, zeros((rounds + 1) * n, "u4"), zeros(2 * n), zeros(2 * n, "f8"), i4(rounds)],
        {2: x[: rounds + 1].ravel(), 3: near(np.concatenate(f), 3e-6), 4: near(np.concatenate(d), 1e-13)},
    )


sequences()
mtgp()
