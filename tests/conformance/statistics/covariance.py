#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cov and corrcoef, and averages with the sum of weights, against NumPy 2."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c


def handle(a):
    return None if a is None else a.handle


def near(got, want, single=False):
    tolerance = 2e-5 if single else 1e-12
    return (
        got.dtype == want.dtype
        and got.shape == want.shape
        and np.allclose(got, want, tolerance, tolerance, equal_nan=True)
    )


def cov(name, m, y=None, fweights=None, aweights=None, rowvar=True, bias=False, ddof=None, dtype=None):
    options = C.arr_cov_options(
        ctypes.sizeof(C.arr_cov_options),
        handle(y),
        handle(fweights),
        handle(aweights),
        int(not rowvar),
        int(bias),
        ddof or 0,
        int(ddof is not None),
        arrpy.number(dtype),
        0,
    )
    return arrpy.made(name, m.handle, ctypes.byref(options), None)


def covariance(report):
    wide = report.device == "host"
    r = np.random.default_rng(7)
    shapes = [(4, 20), (1, 9), (20, 3), (7,), (), (3, 1), (0, 5), (3, 0)] if wide else [(4, 20), (7,)]
    dtypes = ["float64", "float32", "int16", "bool", "complex64", "complex128"] if wide else ["float32", "complex128"]
    for shape, d, rowvar in itertools.product(shapes, dtypes, (True, False)):
        x = (
            (r.normal(size=shape) * 9).astype(d)
            if oracle.kind(d) != "C"
            else (r.normal(size=shape) + 1j * r.normal(size=shape)).astype(d)
        )
        x = np.asarray(x)
        a = report.array(x)
        for bias, ddof in ((False, None), (True, None), (False, 0), (True, 2), (False, 30)):
            if ddof == 30 and oracle.kind(d) == "C":
                continue  # NumPy makes nan of infinity times a complex number
            want, got = (
                np.cov(x, rowvar=rowvar, bias=bias, ddof=ddof),
                cov("arr_cov", a, rowvar=rowvar, bias=bias, ddof=ddof).numpy(),
            )
            report.check(f"cov {shape} {d} {rowvar} {bias} {ddof}", near(got, want), f"{got} {want}")
        if x.ndim == 0 or 0 in x.shape:
            continue
        want, got = np.corrcoef(x, rowvar=rowvar), cov("arr_corrcoef", a, rowvar=rowvar).numpy()
        report.check(f"corrcoef {shape} {d} {rowvar}", near(got, want), f"{got} {want}")
        with_y(report, x, a, d, rowvar)
        weighted(report, x, a, d, rowvar)
    x = r.normal(size=(3, 50)).astype("f4")
    for d in ("float32", "complex64"):
        got, want = cov("arr_cov", report.array(x), dtype=d).numpy(), np.cov(x, dtype=d)
        report.check(f"cov in {d}", near(got, want, single=True), f"{got} {want}")
        got, want = cov("arr_corrcoef", report.array(x), dtype=d).numpy(), np.corrcoef(x, dtype=d)
        report.check(f"corrcoef in {d}", near(got, want, single=True), f"{got} {want}")
    refusals(report)


def with_y(report, x, a, d, rowvar):
    y = x[..., ::-1] * x.dtype.type(1) if x.ndim == 1 else (x[:1] if rowvar else x[:, :1])
    b = report.array(y)
    want, got = np.cov(x, y, rowvar=rowvar), cov("arr_cov", a, b, rowvar=rowvar).numpy()
    report.check(f"cov with y {x.shape} {d} {rowvar}", near(got, want), f"{got} {want}")
    want, got = np.corrcoef(x, y, rowvar=rowvar), cov("arr_corrcoef", a, b, rowvar=rowvar).numpy()
    report.check(f"corrcoef with y {x.shape} {d} {rowvar}", near(got, want), f"{got} {want}")


def weighted(report, x, a, d, rowvar):
    n = x.shape[0] if x.ndim == 1 or not rowvar else x.shape[1]
    r = np.random.default_rng(n)
    f, w = r.integers(1, 5, n), r.random(n)
    for fweights, aweights, ddof in (
        (f, None, None),
        (None, w, None),
        (f, w, None),
        (f, w, 0),
        (None, w, 2),
        (f.astype("f4"), None, 1),
    ):
        want = np.cov(x, rowvar=rowvar, fweights=fweights, aweights=aweights, ddof=ddof)
        mine = [None if v is None else report.array(v) for v in (fweights, aweights)]
        got = cov("arr_cov", a, None, *mine, rowvar=rowvar, ddof=ddof).numpy()
        label = f"cov weighted {x.shape} {d} {rowvar} {fweights is not None} {aweights is not None} {ddof}"
        report.check(label, near(got, want), f"{got} {want}")


def refusals(report):
    x, cube = report.array(np.ones((2, 4))), report.array(np.ones((2, 2, 2)))
    cases = {
        "cov of a cube": (C.ARR_E_SHAPE, lambda: cov("arr_cov", cube)),
        "cov with a cube": (C.ARR_E_SHAPE, lambda: cov("arr_cov", x, cube)),
        "cov of other observations": (C.ARR_E_SHAPE, lambda: cov("arr_cov", x, report.array(np.ones((2, 3))))),
        "cov in integers": (C.ARR_E_DTYPE, lambda: cov("arr_cov", x, dtype="int64")),
        "weights too few": (C.ARR_E_SHAPE, lambda: cov("arr_cov", x, fweights=report.array(np.ones(3, "i4")))),
        "weights below 0": (
            C.ARR_E_ARGUMENT,
            lambda: cov("arr_cov", x, aweights=report.array(np.array([1, 1, -1, 1.0]))),
        ),
        "fractional weights": (
            C.ARR_E_ARGUMENT,
            lambda: cov("arr_cov", x, fweights=report.array(np.array([1, 1, 1.5, 1]))),
        ),
        "corrcoef with weights": (
            C.ARR_E_ARGUMENT,
            lambda: cov("arr_corrcoef", x, fweights=report.array(np.ones(4, "i4"))),
        ),
    }
    for label, (status, call) in cases.items():
        report.check(f"{label} refused", oracle.raises(status, call))


def averages(report):
    r = np.random.default_rng(8)
    dtypes = ["float64", "float32", "float16", "int32", "complex64"] if report.device == "host" else ["float32"]
    for d, axis, keepdims in itertools.product(dtypes, (None, 0, 1, (0, 1)), (False, True)):
        x = oracle.sample((5, 8), d, 3, "tame")
        for w in (None, r.random((5, 8)), r.random((5, 8)).astype("f4"), r.random(8 if axis == 1 else 5)):
            if w is not None and w.ndim == 1 and not isinstance(axis, int):
                continue
            want = np.average(x, axis, w, returned=True, keepdims=keepdims)
            outs = C.arr_array(), C.arr_array()
            a, weights = report.array(x), None if w is None else report.array(w)
            arrpy.call(
                "arr_average_returned",
                a.handle,
                handle(weights),
                *arrpy.axes_of(axis),
                int(keepdims),
                None,
                *map(ctypes.byref, outs),
            )
            got = [arrpy.Array(h).numpy() for h in outs]
            loose = {"float16": 1e-2, "float64": 1e-12, "int32": 1e-12}.get(d, 1e-5)
            good = all(
                g.dtype == np.asarray(v).dtype and g.shape == np.shape(v) and np.allclose(g, v, loose, loose)
                for g, v in zip(got, want)
            )
            report.check(f"average returned {d} {axis} {keepdims}", good, f"{got} {want}")


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    for part in report.chosen((covariance, averages)):
        part(report)
    report.finish()
