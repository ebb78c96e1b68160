# SPDX-License-Identifier: MIT
"""Cases of curand.cu: cuRAND's device functions against their definitions."""

import math

import numpy as np

from cases import case, i4, zeros
from curand_reference import Mrg, Philox, Xorwow, started

SEED = 0x123456789ABCDEF


def bits():
    for name, kind in (("xorwow", Xorwow), ("mrg", Mrg), ("philox", Philox)):
        want = []
        for i in range(40):
            s = started(kind, SEED, i, 3 * i)
            want += [s.next() for _ in range(8)]
        args = [np.uint64(SEED), zeros(320, "u4"), i4(40)]
        case("curand", f"bits_{name}", 2, 32, args, {1: np.array(want, "u4")})


def skips():
    want = []
    for kind in (Xorwow, Mrg, Philox):
        s = started(kind, 7, 5, 11)
        s.skip(0x123456789ABCDEF)
        want.append(s.next())
        s.skip(9 * kind.SEQUENCE)
        want.append(s.next())
    want.append(started(Mrg, 7, 3, 0).next())
    case("curand", "skips", 1, 32, [zeros(7, "u4")], {0: np.array(want, "u4")})


def distributions():
    f, d, u = [], [], []
    for i, kind in enumerate((Xorwow, Mrg, Philox)):
        s = started(kind, 1234, i, 0)
        singles, doubles = [s.uniform()], [s.uniform_double()]
        singles += [s.kept("single", s.pair) for _ in range(2)]
        doubles += [s.kept("double", s.pair_double) for _ in range(2)]
        singles.append(np.exp(0.5 + 0.25 * s.pair()[0]))
        doubles.append(np.exp(0.5 + 0.25 * s.pair_double()[0]))
        singles += s.pair()
        doubles += s.pair_double()
        f, d = f + singles, d + doubles
        u += [s.poisson(3.5), s.poisson(1e6), s.next()]
    args = [zeros(18), zeros(18, "f8"), zeros(9, "u4")]

    def near(want, tol):
        return lambda got: bool(np.allclose(got, want, rtol=tol, atol=tol))

    case("curand", "distributions", 1, 32, args, {0: near(f, 3e-6), 1: near(d, 1e-14), 2: np.array(u, "u4")})


def fours():
    bits, f, d = [], [], []
    for i in range(5):
        s = started(Philox, 99, i, i)
        bits += [s.next() for _ in range(4)]
        f += [s.uniform() for _ in range(4)]
        w = [s.next() for _ in range(4)]
        d += [s.double_of(w[0], w[1]), s.double_of(w[2], w[3])]
        f += [*s.pair(), *s.pair()]
    args = [zeros(20, "u4"), zeros(40), zeros(10, "f8")]
    case(
        "curand",
        "fours",
        1,
        5,
        args,
        {0: np.array(bits, "u4"), 1: lambda got: bool(np.allclose(got, f, rtol=3e-6, atol=3e-6)), 2: np.array(d)},
    )


def programs():
    n, hits = 100, []
    for block in range(2):
        count = 0
        for t in range(64):
            s = started(Xorwow, 42, 64 * block + t, 0)
            for _ in range(n):
                x, y = np.float32(s.uniform()), np.float32(s.uniform())
                count += int(np.float64(x) ** 2 + np.float64(y) ** 2 <= 1)
        hits.append(count)
    # 48 bytes a state.
    args = [zeros(128 * 12, "u4"), zeros(2, "i4"), i4(n)]
    case("curand", "pi_by_dots", 2, 64, args, {1: np.array(hits, "i4")})
    for mean in (100.0, 3000.0):
        m = 2000

        def right(got, mean=mean, m=m):
            sums, squares = got.reshape(-1, 2).sum(0)
            average = sums / (32 * m)
            variance = squares / (32 * m) - average**2
            return abs(average - mean) < 5 * np.sqrt(mean / (32 * m)) and abs(variance / mean - 1) < 0.03

        case("curand", "poisson_means", 1, 32, [zeros(64, "f8"), np.float64(mean), i4(m)], {0: right})


def poisson():
    """Means from 64 to 4000. A number differs where a last digit of a float tips the balance."""
    n = 512
    for mean in (64.0, 100.5, 700.25, 4000.0):
        ones = [started(Philox, 5, i, 0).poisson(mean) for i in range(n)]
        fours = []
        for i in range(n // 4):
            s = started(Philox, 5, i, 3)
            fours += [s.poisson(mean) for _ in range(4)]

        def mostly(want):
            want = np.array(want, "u4")
            return lambda got: bool((got == want).mean() > 0.98)

        case("curand", "poisson_middle", n // 32, 32, [zeros(n, "u4"), np.float64(mean), i4(n)], {0: mostly(ones)})
        case(
            "curand", "poisson_fours", n // 128, 32, [zeros(n, "u4"), np.float64(mean), i4(n // 4)], {0: mostly(fours)}
        )


def square_histogram(p):
    """Marsaglia's tables of a distribution: equal parts, each of one number and, from V on, of another."""
    n = len(p)
    v, k, rest = np.arange(1, n + 1) / n, np.arange(n), p / p.sum()
    for _ in range(n - 1):
        low, high = int(rest.argmin()), int(rest.argmax())
        v[low], k[low] = low / n + rest[low], high
        rest[high] -= 1 / n - rest[low]
        rest[low] = 1 / n
    return v, k.astype("u4")


def discrete():
    v, k = square_histogram(np.array([4.0**i / math.factorial(i) for i in range(20)]))

    def of_table(x):
        u = x * 2.0**-32 + 2.0**-32
        j = min(int(20 * u), 19)
        return 1000 + (j if u < v[j] else int(k[j]))

    def of_bell(x):
        return int(70.5 * x + 5000.25 + 0.5)

    want = []
    for i, kind in enumerate((Xorwow, Mrg, Philox)):
        s = started(kind, 77, i, 5)
        want += [of_table(s.next()) for _ in range(200)]
        s = started(kind, 77, i, 5)
        if kind is not Philox:
            want += [of_bell(s.kept("double", s.pair_double)) for _ in range(200)]
    s = started(Philox, 77, 2, 5)
    want += [of_table(s.next()) for _ in range(100)]
    for _ in range(25):
        want += [of_bell(x) for _ in range(2) for x in s.pair_double()]
    case("curand", "discrete", 1, 32, [v, k, np.uint32(20), zeros(1200, "u4")], {3: np.array(want, "u4")})


bits()
skips()
distributions()
fours()
programs()
poisson()
discrete()
