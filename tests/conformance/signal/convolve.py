#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Convolution and correlation against NumPy."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from calculus import C, MODES, compare, tame, dtypes


def sliding(name, a, v, mode):
    return arrpy.made(f"arr_{name}", a.handle, v.handle, MODES.index(mode), None)


def convolutions(report):
    for d in dtypes(report, ["int8", "complex64"]):
        for n, m in ((1, 1), (9, 1), (9, 4), (4, 9), (9, 5), (20, 15), (16, 16)):
            if report.device != "host" and (n, m) not in ((9, 4), (4, 9)):
                continue
            a, v = tame(n, d, 7), tame(m, d, 8)
            if d in ("float16",):
                continue  # NumPy adds in float16
            for mode in MODES:
                for name in ("convolve", "correlate"):
                    want = getattr(np, name)(a, v, mode)
                    got = sliding(name, report.array(a), report.array(v), mode)
                    compare(report, f"{name} {d} {n} {m} {mode}", got, want, size=81 * m)
    a, v = np.array([1, np.inf, 2, 3, 4]), np.array([1, 0.5, np.nan])
    for mode in MODES:
        compare(
            report,
            f"convolve inf {mode}",
            sliding("convolve", report.array(a), report.array(v), mode),
            np.convolve(a, v, mode),
        )
    long, short = np.random.default_rng(1).random(5000), np.random.default_rng(2).random(40)
    compare(
        report,
        "convolve long",
        sliding("convolve", report.array(long), report.array(short), "same"),
        np.convolve(long, short, "same"),
        size=40,
    )
    half = np.ones(2000, "f2")
    compare(
        report,
        "convolve float16",
        sliding("convolve", report.array(half), report.array(half[:100]), "valid"),
        np.full(1901, 100, "f2"),
    )
    x = report.array(np.ones(3))
    report.check(
        "convolve empty", oracle.raises(C.ARR_E_SHAPE, lambda: sliding("convolve", x, report.array(np.ones(0)), "full"))
    )
    report.check(
        "convolve 2-D",
        oracle.raises(C.ARR_E_SHAPE, lambda: sliding("convolve", report.array(np.ones((2, 2))), x, "full")),
    )


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((convolutions,)):
        part(r)
    r.finish()
