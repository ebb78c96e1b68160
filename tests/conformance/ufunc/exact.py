#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operations at the points where their values are floats, such as cos(0) = 1: no error at all is allowed there."""

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
    "log10": {1.0: 0},
    "log1p": {0.0: 0},
    "sinh": {0.0: 0},
    "cosh": {0.0: 1},
    "tanh": {0.0: 0},
    "arcsinh": {0.0: 0},
    "arccosh": {1.0: 0},
    "arctanh": {0.0: 0},
    "sqrt": {float(k * k): k for k in range(50)},
    "cbrt": {0.0: 0, 1.0: 1, -1.0: -1, 8.0: 2},
    "sinc": {0.0: 1},
    "erf": {0.0: 0},
    "erfc": {0.0: 1},
    "gamma": {float(k): math.factorial(k - 1) for k in range(1, 12)},
    "expit": {0.0: 0.5},
    "ndtr": {0.0: 0.5},
    "j0": {0.0: 1},
    "j1": {0.0: 0},
    "i0": {0.0: 1},
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


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    complex_logarithms(report)
    for name, points in EXACT.items():
        for d in ("float32", "float64"):
            x, want = np.array(list(points), d), np.array(list(points.values()), d)
            # One element, and as many as fill registers and leave a rest.
            for n in (1, 40 // len(x) + 1):
                got = arrpy.apply(name, report.array(np.tile(x, n))).numpy()
                bad = got != np.tile(want, n)
                report.check(f"{name} {d} {n}", not bad.any(), f"{np.tile(x, n)[bad][:3]} {got[bad][:3]}")
    report.finish()
