#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reductions over all pairs of rows of two matrices in one pass, against NumPy: what broadcast inputs have in common
is gathered once for many tiles."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
import arrexpr

REDUCTIONS = (
    ("sum", "square(a - b)", lambda d: np.square(d).sum(-1)),
    ("max", "abs(a - b)", lambda d: np.abs(d).max(-1)),
    ("argmin", "a - b", lambda d: d.argmin(-1)),
    ("sum", "sqrt(a*a + b*b)", None),
)
VIEWS = (
    ("", lambda m: m, lambda a: a),
    (" backwards", lambda m: m[:, ::-1], lambda a: a.flip(1)),
    (" in Fortran's order", lambda m: m, lambda a: a.transpose().copy().transpose()),
)


def sizes(report):
    """Points, other points, dimensions: few and many of each."""
    if report.device != "host":
        return [(9, 70, 3), (9, 70, 33)]
    return [(9, 70, n) for n in (1, 2, 3, 8, 16, 17, 64)] + [(70, 9, 5), (40, 1100, 2), (11, 600, 16), (3, 5, 1500)]


def pairs(report):
    for points, others, dimensions in sizes(report):
        x, y = (oracle.sample((k, dimensions), "float64", k, "tame") for k in (points, others))
        for name, text, f in REDUCTIONS:
            e = arrexpr.parse(text)
            for label, of_numpy, of_ours in VIEWS:
                p, q = of_numpy(x)[:, None], of_numpy(y)[None]
                a, b = (of_ours(report.array(m)).expand_dims(k) for k, m in ((1, x), (0, y)))
                for order, inputs, s, t in (("", (a, b), p, q), (" exchanged", (b, a), q, p)):
                    got = e.reduce(name, *inputs, axis=2).numpy()
                    want = f(s - t) if f else np.sqrt(s * s + t * t).sum(-1)
                    report.check(
                        f"{name} of {text} of {points} and {others} points{label}{order}, {dimensions} dimensions",
                        got.shape == want.shape and np.allclose(got, want, rtol=1e-12),
                        f"{got.ravel()[:3]} {want.ravel()[:3]}",
                    )


def main():
    report = oracle.Report(__doc__)
    pairs(report)
    report.finish()


if __name__ == "__main__":
    main()
