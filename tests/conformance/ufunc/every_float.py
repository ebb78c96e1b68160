#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Elementary functions over every n-th bit pattern of float32 and float64: to 4 units in the last place."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

NAMES = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "arctan",
    "arcsinh",
    "cbrt",
]
FINER = {np.dtype("f4"): np.float64, np.dtype("f8"): np.longdouble}
# The places where formulas change: whole and half numbers, powers of two and ten, the ends of the ranges.
EDGES = np.r_[
    np.arange(-300, 300) / 2,
    2.0 ** np.arange(-1074, 1024),
    10.0 ** np.arange(-330, 309),
    -104,
    88.722839,
    -103.97208,
    709.7827,
    709.782713,
    -745.1332,
    1024,
    -1074.5,
    np.pi * np.arange(-200, 200) / 2,
    9.01,
    19.06,
    1e5 + np.arange(-3, 3),
    0.0,
    -0.0,
    np.inf,
    -np.inf,
    np.nan,
]


def near(got, x, name):
    """(Whether got is the function of x to 4 units in the last place and of its sign where it is 0, the worst in words)."""
    want = getattr(np, name)(x.astype(FINER[x.dtype]))
    off = oracle.ulps(got, want, x.dtype)
    worst, zero = int(np.argmax(off)), got == 0
    return (
        bool(off[worst] <= 4 and np.array_equal(np.signbit(got[zero]), np.signbit(want[zero]))),
        f"{off[worst]:.3} ulp at {x[worst]!r}: {got[worst]!r}, want {want[worst]!r}",
    )


def lengths(report, name, x):
    """Any number of elements from any place, also in place, and nothing around them."""
    for n in range(1, 70 if report.device == "host" else 4):
        part, out = slice(n, 2 * n), report.array(x)
        here = arrpy.apply(name, out[part]).numpy()
        arrpy.apply(name, out[part], out=out[part])
        got = out.numpy()
        good, worst = near(here, x[part], name)
        report.check(f"{name} {x.dtype} of {n}", good and oracle.same(got[part], here), worst)
        report.check(
            f"{name} {x.dtype} around {n}", oracle.same(got[:n], x[:n]) and oracle.same(got[2 * n :], x[2 * n :])
        )


def powers_of_two(report, dtype):
    """Whole numbers and powers of two are exact both ways."""
    info = np.finfo(dtype)
    k = np.arange(info.minexp, info.maxexp).astype(dtype)
    there = arrpy.apply("exp2", report.array(k)).numpy()
    report.check(f"exp2 {dtype} of whole numbers", oracle.same(there, np.ldexp(dtype.type(1), k.astype("i4"))))
    report.check(f"log2 {dtype} of powers of two", oracle.same(arrpy.apply("log2", report.array(there)).numpy(), k))


def samples(dtype, count):
    """Bit patterns all over the type, more of the sizes that functions are not trivial for, and the edges."""
    bits = 8 * dtype.itemsize
    step = 2**bits // count | 1
    patterns = (np.arange(count, dtype="u8") * np.uint64(step)).astype(f"u{dtype.itemsize}").view(dtype)
    usual = np.random.default_rng(2)
    return np.r_[patterns, usual.uniform(-750, 750, count // 8), usual.standard_normal(count // 8), EDGES].astype(dtype)


# x log(y): the library's 4 units may be 8 of a product.
FACTORS = {
    "xlogy": lambda x, y: x * np.log(y),
    "xlog1py": lambda x, y: x * np.log1p(y),
    "entr": lambda y: np.where(y > 0, -y * np.log(y), np.where(y == 0, 0, np.where(y < 0, -np.inf, y))),
}


def factors(report, y):
    """The second operand all over the type, the first in 1..2, where few products have a longer mantissa than their logarithm."""
    x = np.random.default_rng(3).uniform(1, 2, y.size).astype(y.dtype)
    for name, want in FACTORS.items():
        values = (y,) if name == "entr" else (x, y)
        got = arrpy.apply(name, *map(report.array, values)).numpy()
        exact = want(*(v.astype(FINER[y.dtype]) for v in values))
        off = oracle.ulps(got, exact, y.dtype)
        worst = int(np.argmax(off))
        report.check(
            f"{name} {y.dtype}",
            off[worst] <= 4,
            f"{off[worst]:.3} ulp at {[v[worst] for v in values]}: {got[worst]!r}, want {exact[worst]!r}",
        )


def main():
    report = oracle.Report(__doc__)
    with np.errstate(all="ignore"):
        for dtype in map(np.dtype, ("f4", "f8")):
            x = samples(dtype, (400_000 if dtype == "f4" else 60_000) if report.device == "host" else 3_000)
            few = np.random.default_rng(1).permutation(EDGES)[:150].astype(dtype)
            powers_of_two(report, dtype)
            factors(report, x)
            for name in NAMES:
                report.check(f"{name} {dtype}", *near(arrpy.apply(name, report.array(x)).numpy(), x, name))
                lengths(report, name, few)
    report.finish()


if __name__ == "__main__":
    main()
