#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Window functions against NumPy."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from calculus import compare
from oracle import arrpy
from special_matrices import sized

C = arrpy.c


def values(report):
    for n in (-1, 0, 1, 2, 3, 8, 51, 1000):
        for name in ("bartlett", "blackman", "hamming", "hanning"):
            compare(report, f"{name} {n}", sized(report, name, n), getattr(np, name)(n), steps=4, size=1)
        for beta in (0.0, 5.0, 14.0, -3.0):
            want = np.kaiser(n, beta) if n > 0 else np.zeros(0)
            compare(report, f"kaiser {n} {beta}", sized(report, "kaiser", n, beta), want, steps=32, size=1)
    compare(report, "hamming float32", sized(report, "hamming", 20, dtype="float32"), np.hamming(20).astype("f4"))


def refused(report):
    cases = [
        ("kaiser", C.ARR_E_ARGUMENT, lambda: sized(report, "kaiser", 3, float("nan"))),
        ("hamming type", C.ARR_E_DTYPE, lambda: sized(report, "hamming", 3, dtype="int8")),
    ]
    for label, status, call in cases:
        report.check(f"refuses {label}", oracle.raises(status, call))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((values, refused)):
        part(r)
    r.finish()
