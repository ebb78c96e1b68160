#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Elementary functions of float32 over all its bit patterns, every so many: against float64, alone and in company."""
import numpy as np

import oracle
from oracle import arrpy

NAMES = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arctan", "arcsinh", "cbrt"]
# Where formulas change: whole and half numbers, powers of two and ten, the ends of the ranges.
EDGES = np.r_[np.arange(-300, 300) / 2, 2.0 ** np.arange(-149, 128), 10.0 ** np.arange(-45, 39), -104, 88.722839, -103.97208,
              np.pi * np.arange(-200, 200) / 2, 9.01, 1e5 + np.arange(-3, 3), 0.0, -0.0, np.inf, -np.inf, np.nan].astype("f4")


def near(got, x, name):
    """(Whether got is the function of x to 4 units in the last place and of its sign where it is 0, the worst in words)."""
    want = getattr(np, name)(x.astype("f8"))
    off = oracle.ulps(got, want, np.float32)
    worst, zero = int(np.argmax(off)), got == 0
    return (bool(off[worst] <= 4 and np.array_equal(np.signbit(got[zero]), np.signbit(want[zero]))),
            f"{off[worst]:.3} ulp at {x[worst]!r}: {got[worst]!r}, want {want[worst]!r}")


def lengths(report, name, x):
    """Any number of elements from any place, also in place, and nothing around them."""
    for n in range(1, 70 if report.device == "host" else 4):
        part, out = slice(n, 2 * n), report.array(x)
        here = arrpy.apply(name, out[part]).numpy()
        arrpy.apply(name, out[part], out=out[part])
        got = out.numpy()
        good, worst = near(here, x[part], name)
        report.check(f"{name} of {n}", good and oracle.same(got[part], here), worst)
        report.check(f"{name} around {n}", oracle.same(got[:n], x[:n]) and oracle.same(got[2 * n:], x[2 * n:]))


def main():
    report = oracle.Report(__doc__)
    step = 9973 if report.device == "host" else 1_000_003
    x = np.r_[np.arange(0, 2**32, step, dtype="u8").astype("u4").view("f4"), EDGES]
    few = np.random.default_rng(1).permutation(EDGES)[:150]
    with np.errstate(all="ignore"):
        for name in NAMES:
            report.check(f"{name} accuracy", *near(arrpy.apply(name, report.array(x)).numpy(), x, name))
            lengths(report, name, few)
    report.finish()


if __name__ == "__main__":
    main()
