#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Set operations of a signed and a uint64 array, which compare exactly, by Python's integers: NumPy rounds both to
float64."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from sets import compare, intersect, of_two


def mixed_pairs():
    """(label, x, y): a signed and a uint64 array in both orders, with numbers that float64 rounds to the same one."""
    top, big = 2**63, 2**53
    unsigned = np.array([big, big + 2, 2 * top - 1, 2 * top - 2, top, top - 1, 5, 0, 5, 1378774140726870442], "u8")
    signed = {
        "int64": np.array([-1, big + 1, big, top - 1, top - 2, -top, 5, 0, -1, 5, 1378774140726870528], "i8"),
        "int8": np.array([-128, 5, -1, 127, 0, -1], "i1"),
        "negative": np.array([-3, -top, -3, -(big + 1), -big], "i8"),
        "empty": np.array([], "i4"),
        "matrix": np.array([[5, -1], [big, big + 1]], "i8").T,
    }
    r = np.random.default_rng(11)
    near = (top - 1) - r.integers(0, 3000, 5000)
    signed["many"] = np.concatenate([near, -near[:1000]])
    for label, x in signed.items():
        y = (
            np.concatenate([unsigned, r.integers(0, 6000, 5000).astype("u8") + np.uint64(top - 3000)])
            if label == "many"
            else unsigned
        )
        yield f"{label} and uint64", x, y
        yield f"uint64 and {label}", y, x
        yield f"no uint64 and {label}", y[:0], x


def mixed(report):
    def compare_integers(label, got, want):
        compare(report, label, got, np.array([float(v) for v in want], "f8"))

    for label, x, y in mixed_pairs():
        a, b = report.array(x), report.array(y)
        p, q = x.ravel().tolist(), y.ravel().tolist()
        for unique in (False, True):
            if unique:
                p, q = list(dict.fromkeys(p)), list(dict.fromkeys(q))
                a, b = report.array(np.array(p, x.dtype)), report.array(np.array(q, y.dtype))
            in_both = sorted(set(p) & set(q))
            how = f"{label} {unique}"
            compare_integers(f"union1d {how}", of_two("union1d", a, b), sorted(set(p) | set(q)))
            compare_integers(f"setxor1d {how}", of_two("setxor1d", a, b, unique), sorted(set(p) ^ set(q)))
            left = [v for v in p if v not in set(q)] if unique else sorted(set(p) - set(q))
            compare(report, f"setdiff1d {how}", of_two("setdiff1d", a, b, unique), np.array(left, x.dtype))
            values, at_a, at_b = intersect(a, b, unique)
            compare_integers(f"intersect1d {how}", values, in_both)
            compare(report, f"intersect1d {how} places", at_a, np.array([p.index(v) for v in in_both], "i8"))
            compare(report, f"intersect1d {how} others", at_b, np.array([q.index(v) for v in in_both], "i8"))
            compare_integers(f"intersect1d {how} alone", intersect(a, b, unique, (True, False, False))[0], in_both)
            if report.device != "host":
                break


if __name__ == "__main__":
    rep = oracle.Report(__doc__)
    mixed(rep)
    rep.finish()
