#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Softmax, its logarithm, and logarithms of sums of exponentials, against SciPy."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from scipy.special import log_softmax, logsumexp, softmax

import oracle
from oracle import arrpy
from arrpy import axes_of, c, made
from reduction_options import check, broadcast


def signed(a, b, axis=None, keepdims=False):
    outs = c.arr_array(), c.arr_array()
    arrpy.call(
        "arr_logsumexp_signed", a.handle, b.handle, *axes_of(axis), int(keepdims), None, *map(ctypes.byref, outs)
    )
    return [arrpy.Array(h) for h in outs]


def logarithms(report):
    """Weighted sums of exponentials: of either sign, with weights of 0, infinite exponents, none at all."""
    r = np.random.default_rng(12)
    inf, nan = np.inf, np.nan
    rows = np.array(
        [[1000, 999, 998.5, -3], [inf, 1, 2, 3], [-inf, -inf, -inf, -inf], [nan, 1, 2, 3], [-1e4, -2e4, -1e4, 5]]
    )
    weights = np.array([[1, -2, 0.5, 3], [-1, 2, 1, 1], [1, 1, 1, -1], [0, 1, -1, 2], [0, 0, 0, 0]])
    cases = [
        (rows, weights, 1),
        (rows, weights, 0),
        (rows, np.array([1.0, 0, -1, 2]), 1),
        (rows[:, :0], weights[:, :0], 1),
    ]
    for d, e in (("f8", "f8"), ("f4", "f4"), ("f2", "f2"), ("i4", "f8"), ("f4", "i2"), ("u1", "?"), ("f4", "f8")):
        a, b = (r.normal(size=(3, 4, 5)) * 9).astype(d), (r.normal(size=(3, 4, 5)) * 2).astype(e)
        cases += [(a, b, axis) for axis in (None, 0, (0, 2), -1)] + [(a, b[0], 1), (a, b[:, :1, :1], (0, 1))]
    for k, (a, b, axis) in enumerate(cases):
        da, db = report.array(a), report.array(b)
        for keepdims in (False, True):
            label = f"logsumexp {a.dtype} {b.dtype} {a.shape} {b.shape} axis {axis} {keepdims} {k}"
            kept = np.dtype("f2") if a.dtype == np.float16 else logsumexp(a[:1], axis, b[:1]).dtype
            wide = a.astype("f4") if a.dtype == np.float16 else a
            want, sign = (v.astype(kept) for v in logsumexp(wide, axis, b, keepdims=keepdims, return_sign=True))
            if a.size == 0:  # SciPy has the sign of -inf, we that of an empty sum
                sign = np.zeros_like(sign)
            got, got_sign = signed(da, db, axis, keepdims)
            check(report, f"{label} size", got, want)
            check(report, f"{label} sign", got_sign, sign)
            plain = made("arr_logsumexp_weighted", da.handle, db.handle, *axes_of(axis), int(keepdims), None)
            check(report, label, plain, np.where(sign < 0, kept.type(np.nan), want))
    x, z = report.array(rows), report.array(rows.astype("c16"))
    report.check("logsumexp complex refused", oracle.raises(c.ARR_E_DTYPE, lambda: signed(x, z)))
    report.check("logsumexp shapes refused", oracle.raises(c.ARR_E_SHAPE, lambda: signed(x, report.array(np.ones(3)))))


def softmaxes_by_blocks(report, r):
    """Rows that make several blocks, a last one of one row, blocks that threads share, rows across memory; for CUDA rows that
    fill the registers of a warp or a block, less, and more than fit there."""
    base = r.normal(size=(500_000,)).astype("f4") * 20
    views = {
        "last block of one row": (lambda b: b[: 63 * 1025].reshape(63, 1025), (1, 0)),
        "one row": (lambda b: b.reshape(1, -1), (1,)),
        "long rows": (lambda b: b.reshape(2, -1), (1, 0)),
        "across": (lambda b: b[:480_000].reshape(600, 800).T, (1, 0)),
        "every other, backwards": (lambda b: b[:480_000].reshape(600, 800)[::-2, ::-1], (1, 0)),
        "middle axis": (lambda b: b[:480_000].reshape(40, 300, 40), (1, (0, 2), (0, 1))),
        "one element everywhere": (lambda b: broadcast(b[:700].reshape(700, 1), (700, 300)), (1, 0)),
        "nothing": (lambda b: b[:0].reshape(0, 5), (1, 0)),
        "rows of nothing": (lambda b: b[:0].reshape(5, 0), (1,)),
    }
    for n in (1, 2, 3, 4, 31, 32, 33, 128, 255, 1000, 1024, 1025, 4096, 8191, 8192, 8193):
        for first in (0, 1):
            views[f"{n} from {first}"] = (lambda b, n=n, first=first: b[first : first + 9 * n].reshape(9, n), (1,))
    on_device = report.array(base)
    for what, (view, all_axes) in views.items():
        x, dx = view(base), view(on_device)
        for axis in all_axes:
            for name, f in (("softmax", softmax), ("log_softmax", log_softmax)):
                n, axes = axes_of(axis)
                want = f(x.astype("f8"), axis=axis).astype("f4") if x.size else np.empty(x.shape, "f4")
                check(
                    report,
                    f"{name} {what} {x.shape} axis {axis}",
                    made(f"arr_{name}", dx.handle, n, axes, None),
                    want,
                    600 if name == "log_softmax" else 64,
                )


def softmaxes(report):
    r = np.random.default_rng(5)
    for d in ("f4", "f8", "f2", "i4", oracle.bfloat16):
        for shape in (
            ((3, 5), (70, 1025)) if report.device != "host" else ((3, 5), (70, 1025), (300, 200), (7,), (4, 5, 6))
        ):
            x = (r.normal(size=shape) * 20).astype(d)
            wide = x.astype("f8")
            out = x.dtype if x.dtype.kind in "fV" else np.dtype("f8")
            dx = report.array(x)
            for axis in (0, -1, None):
                for name, f in (("softmax", softmax), ("log_softmax", log_softmax)):
                    n, axes = axes_of(axis)
                    got = made(f"arr_{name}", dx.handle, n, axes, None)
                    check(
                        report,
                        f"{name} {x.dtype} {shape} axis {axis}",
                        got,
                        f(wide, axis=axis).astype(out),
                        600 if name == "log_softmax" else 64,
                    )
    softmaxes_by_blocks(report, r)
    x = np.array([[1, np.inf, 2], [-np.inf, 0, 1], [np.nan, 1, 2], [-np.inf, -np.inf, -np.inf], [1000, 1000, 0]], "f8")
    dx = report.array(x)
    for name, f in (("softmax", softmax), ("log_softmax", log_softmax)):
        check(report, f"{name} specials", made(f"arr_{name}", dx.handle, 1, arrpy.int32s([1]), None), f(x, axis=1))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((logarithms, softmaxes)):
        part(r)
    r.finish()
