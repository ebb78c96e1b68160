#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""packbits and unpackbits, and real_if_close, against NumPy 2."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
ORDERS = {"big": C.ARR_BITORDER_BIG, "little": C.ARR_BITORDER_LITTLE}
EXTENTS = [0, 1, 7, 8, 9, 31, 64, 65]


def packbits(a, axis, order="big"):
    return arrpy.made("arr_packbits", a.handle, C.ARR_AXIS_NONE if axis is None else axis, ORDERS[order], None)


def unpackbits(a, axis, count=None, order="big"):
    count = None if count is None else ctypes.byref(ctypes.c_int64(count))
    return arrpy.made("arr_unpackbits", a.handle, C.ARR_AXIS_NONE if axis is None else axis, count, ORDERS[order], None)


def views(shape):
    rows, columns = shape
    yield "C", shape, lambda a: a
    yield "step", (2 * rows, 3 * columns), lambda a: a[1::2, ::-3]
    yield "F", (columns, rows), lambda a: a.T


def packing(report):
    dtypes = (
        ["bool", "int8", "int16", "int32", "int64", "uint8", "uint64"] if report.device == "host" else ["bool", "int32"]
    )
    extents = EXTENTS if report.device == "host" else [0, 9, 64]
    r = np.random.default_rng(5)
    for d, n, order in itertools.product(dtypes, extents, ORDERS):
        for shape in ((3, n), (n, 3)):
            for label, base, view in views(shape):
                x = (r.integers(-2, 3, base) % 5 * (r.random(base) < 0.5)).astype(d)
                a, mine = view(x), view(report.array(x))
                for axis in (0, 1, -1, None):
                    want, got = np.packbits(a, axis, order), packbits(mine, axis, order).numpy()
                    report.check(
                        f"packbits {d} {shape} {label} {axis} {order}", oracle.same(got, want), f"{got} {want}"
                    )
    cube = r.integers(0, 2, (2, 17, 3)).astype("u1")
    report.check(
        "packbits of three dimensions", oracle.same(packbits(report.array(cube), 1).numpy(), np.packbits(cube, 1))
    )
    for d in ("uint8", "int8", "bool"):  # as words: any value that is not 0, other addresses and strides
        x = r.choice(np.array([0, 0, 1, 127, -128, -1, 64]), (6, 96)).astype(d)
        a = report.array(x)
        for order, view in itertools.product(ORDERS, (slice(None), slice(8, 88), slice(1, 97), slice(8, 85))):
            for rows in (slice(None), slice(None, None, 2), slice(None, None, -1)):
                want, got = np.packbits(x[rows, view], 1, order), packbits(a[rows, view], 1, order).numpy()
                report.check(f"packbits of words {d} {order} {view}", oracle.same(got, want), f"{got} {want}")
    long = r.integers(0, 2, 100001).astype(bool)
    report.check("packbits of many", oracle.same(packbits(report.array(long), 0).numpy(), np.packbits(long)))
    report.check(
        "packbits of no dimensions",
        oracle.same(packbits(report.array(np.uint8(4)), None).numpy(), np.packbits(np.uint8(4))),
    )
    report.check(
        "packbits of floats refused", oracle.raises(C.ARR_E_DTYPE, lambda: packbits(report.array(np.ones(8)), 0))
    )
    report.check(
        "packbits in no order refused",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_packbits", mine.handle, 0, 2, None)),
    )
    report.check(
        "packbits along no axis refused", oracle.raises(C.ARR_E_SHAPE, lambda: packbits(report.array(long), 1))
    )


def unpacking(report):
    r = np.random.default_rng(6)
    extents = [0, 1, 2, 5] if report.device == "host" else [0, 3]
    for n, order in itertools.product(extents, ORDERS):
        for shape in ((3, n), (n, 3)):
            for label, base, view in views(shape):
                x = r.integers(0, 256, base).astype("u1")
                a, mine = view(x), view(report.array(x))
                for axis, count in itertools.product((0, 1, None), (None, 0, 1, 7, 8, 13, 24, 40, 100, -1, -3, -8)):
                    have = 8 * (a.size if axis is None else a.shape[axis])
                    if count is not None and count < -have:
                        report.check(
                            "unpackbits of a large negative count refused",
                            oracle.raises(C.ARR_E_ARGUMENT, lambda: unpackbits(mine, axis, count, order)),
                        )
                        continue
                    want, got = np.unpackbits(a, axis, count, order), unpackbits(mine, axis, count, order).numpy()
                    if n == 0:  # NumPy leaves what is behind no byte as it finds it
                        want = np.zeros_like(want)
                    report.check(
                        f"unpackbits {shape} {label} {axis} {count} {order}", oracle.same(got, want), f"{got} {want}"
                    )
    for order, value in itertools.product(ORDERS, range(256) if report.device == "host" else (1, 200)):
        x = np.full((2, 3), value, "u1")
        for axis in (0, 1):
            got, want = unpackbits(report.array(x), axis, None, order).numpy(), np.unpackbits(x, axis, None, order)
            report.check(f"unpackbits of {value} {axis} {order}", oracle.same(got, want))
    report.check(
        "unpackbits of int8 refused",
        oracle.raises(C.ARR_E_DTYPE, lambda: unpackbits(report.array(np.ones(8, "i1")), 0)),
    )
    long = r.integers(0, 256, 100001).astype("u1")
    report.check("unpackbits of many", oracle.same(unpackbits(report.array(long), 0).numpy(), np.unpackbits(long)))


def close(report):
    for d in ("complex64", "complex128", "float32", "int16"):
        for part in (0, 1e-14, 1e-6, 1e-4, np.nan):
            x = np.array([1, 2.5, -3]).astype(d)
            if oracle.kind(d) == "C":
                x.imag[1] = part
            for tol in (100, 1000.0, 1e-5, 1.0, 0.5):
                a = report.array(x)
                got = arrpy.made("arr_real_if_close", a.handle, float(tol), None).numpy()
                want = np.real_if_close(x, tol)
                report.check(f"real_if_close {d} {part} {tol}", oracle.same(got, want), f"{got} {want}")
    empty = np.ones((0, 2), "c8")
    a = report.array(empty)
    got = arrpy.made("arr_real_if_close", a.handle, 100.0, None).numpy()
    report.check("real_if_close of nothing", oracle.same(got, np.real_if_close(empty)))


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    for part in report.chosen((packing, unpacking, close)):
        part(report)
    report.finish()
