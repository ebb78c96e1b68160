#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operations at the points where their values are floats, such as cos(0) = 1, or the floats nearest to short decimal
numbers, such as 10^-3: no error at all is allowed there."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

POWERS = [2.0**k for k in range(-20, 21)]
# {operation: {argument: value}}
EXACT = {
    "cos": {0.0: 1, -0.0: 1, 1e-30: 1},
    "sin": {0.0: 0},
    "tan": {0.0: 0},
    "arcsin": {0.0: 0},
    "arccos": {1.0: 0},
    "arctan": {0.0: 0},
    "exp": {0.0: 1},
    "exp2": {float(k): 2.0**k for k in range(-20, 21)},
    "expm1": {0.0: 0},
    "log": {1.0: 0},
    "log2": {x: k for k, x in zip(range(-20, 21), POWERS)},
    "log10": {float(f"1e{k}"): k for k in range(-37, 39)},
    "log1p": {0.0: 0},
    "sinh": {0.0: 0},
    "cosh": {0.0: 1},
    "tanh": {0.0: 0},
    "arcsinh": {0.0: 0},
    "arccosh": {1.0: 0},
    "arctanh": {0.0: 0},
    "sqrt": {float(k * k): k for k in range(50)},
    "cbrt": {0.0: 0, -0.0: 0} | {k**3 / 8: k / 2 for k in range(-255, 256) if k != 0},
    "exp10": {float(k): float(f"1e{k}") for k in range(-22, 23)},
    "sinc": {0.0: 1},
    "erf": {0.0: 0},
    "erfc": {0.0: 1},
    "gamma": {float(k): math.factorial(k - 1) for k in range(1, 24)},
    "expit": {0.0: 0.5},
    "ndtr": {0.0: 0.5},
    "j0": {0.0: 1, 1e-9: 1, 1e-20: 1},
    "j1": {0.0: 0},
    "i0": {0.0: 1, 1e-9: 1, 1e-20: 1},
    "i0e": {0.0: 1, 1e-20: 1},
    "i1": {0.0: 0},
}


def complex_logarithms(report):
    """The real part of a power of two's binary logarithm is whole in each direction of the axes."""
    for d, part in (("complex64", "float32"), ("complex128", "float64")):
        info = np.finfo(part)
        k = np.arange(info.minexp, info.maxexp)
        for direction in (1, -1, 1j, -1j):
            got = arrpy.apply("log2", report.array((np.ldexp(1.0, k) * direction).astype(d))).numpy()
            bad = got.real != k
            report.check(f"log2 {d} {direction}", not bad.any(), f"{bad.sum()}: {k[bad][:3]} {got[bad][:3]}")


def pairs(report):
    """Operations of two operands whose results are exact in the type, or nearest to 10^-k."""
    random = np.random.default_rng(5)
    for d, digits in (("float32", 24), ("float64", 53)):
        info = np.finfo(d)
        tiny, large = info.minexp - info.nmant, info.maxexp
        whole = [(x, y, x**y) for x in range(-100, 101) for y in range(64) if abs(x) ** y <= 2**digits]
        powers = {
            "whole": whole,
            "whole, mixed": [whole[k] for k in random.permutation(len(whole))],
            "two": [(2.0, k, 2.0**k) for k in range(tiny, large)],
            "half": [(0.5, k, 0.5**k) for k in range(1 - large, 1 - tiny)],
        }
        if d == "float64":  # float32's is right within two units
            x = random.standard_normal(500)
            powers |= {
                "ten": [(10, k, float(f"1e{k}")) for k in range(-22, 23)],
                "first": [(v, 1, v) for v in x],
                "root": [(x * x, 0.5, x) for x in range(1, 94_000_000, 94_111)],
            }
        triples = [(m * m - n * n, 2 * m * n, m * m + n * n) for m in range(2, 600) for n in range(1, m, 5)]
        cases = {("power", k): rows for k, rows in powers.items()}
        if d == "float64":
            cases |= {("float_power", k): rows for k, rows in powers.items()}
        cases["hypot", "triples"] = [t for t in triples if t[2] < 2 ** (digits - 1)]
        cases["beta", "1, b"] = [(1, b, 1 / b) for b in (0.25, 0.5, 1, 2, 4, 8, 16, 32)]
        for (name, label), rows in cases.items():
            x, y, want = np.array(rows, d).T.copy()
            got = arrpy.ufunc(name, report.array(x), report.array(y)).numpy()
            bad = got != want
            report.check(f"{name} {label} {d}", not bad.any(), f"{bad.sum()}: {x[bad][:3]} {y[bad][:3]} {got[bad][:3]}")


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    complex_logarithms(report)
    pairs(report)
    for name, points in EXACT.items():
        for d in ("float32", "float64"):
            x, want = np.array(list(points), d), np.array(list(points.values()), d)
            if name == "exp10" and d == "float32":  # up to the powers that a float holds
                x, want = x[np.abs(x) <= 10], want[np.abs(x) <= 10]
            # One element, and as many as fill registers and leave a rest.
            for n in (1, 40 // len(x) + 1):
                got = arrpy.apply(name, report.array(np.tile(x, n))).numpy()
                bad = got != np.tile(want, n)
                report.check(f"{name} {d} {n}", not bad.any(), f"{np.tile(x, n)[bad][:3]} {got[bad][:3]}")
    report.finish()
