#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cross products, and products of vectors along axes, against NumPy."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from calculus import C, compare, tame, dtypes


def cross(a, b, axisa=-1, axisb=-1, axisc=-1):
    return arrpy.made("arr_cross", a.handle, b.handle, axisa, axisb, axisc, None)


def product(name, a, b, *axis):
    return arrpy.made(f"arr_{name}", a.handle, b.handle, *axis, None)


def crosses(report):
    for d in dtypes(report, ["int32", "float32"]):
        if d == "bool":
            continue
        for na, nb in ((3, 3), (2, 2), (2, 3), (3, 2)):
            a, b = tame((4, na), d, 9), tame((4, nb), d, 10)
            compare(report, f"cross {d} {na} {nb}", cross(report.array(a), report.array(b)), np.cross(a, b), size=200)
    a, b = tame((3, 5, 2), "int64", 11), tame((5, 2, 3), "int64", 12)
    compare(report, "cross axes", cross(report.array(a), report.array(b), 0, 2, 1), np.cross(a, b, 0, 2, 1))
    a, b = tame((4, 1, 3), "int64", 11), tame((6, 3), "int64", 12)
    compare(report, "cross broadcast", cross(report.array(a), report.array(b)), np.cross(a, b))
    refused = oracle.raises(C.ARR_E_SHAPE, lambda: cross(report.array(np.ones(4)), report.array(np.ones(3))))
    report.check("cross of 4", refused)


def products(report):
    for d in dtypes(report, ["int8", "complex64"]):
        a, b, m = tame((4, 3, 5), d, 13), tame((3, 5), d, 14), tame((3, 5, 2), d, 15)
        if d == "float16":
            continue  # NumPy adds in float16
        compare(
            report, f"vecdot {d}", product("vecdot", report.array(a), report.array(b), -1), np.vecdot(a, b), size=800
        )
        compare(
            report,
            f"vecdot {d} axis",
            product("vecdot", report.array(a), report.array(b), -2),
            np.vecdot(a, b, axis=-2),
            size=800,
        )
        compare(
            report, f"matvec {d}", product("matvec", report.array(a), report.array(b[0])), np.matvec(a, b[0]), size=800
        )
        compare(report, f"vecmat {d}", product("vecmat", report.array(b), report.array(m)), np.vecmat(b, m), size=800)
    refused = oracle.raises(
        C.ARR_E_SHAPE, lambda: product("vecdot", report.array(np.ones(4)), report.array(np.ones(3)), 0)
    )
    report.check("vecdot lengths", refused)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((crosses, products)):
        part(r)
    r.finish()
