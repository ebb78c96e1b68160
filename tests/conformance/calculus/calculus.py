#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Differences, gradients, integrals, unwrapping, convolution and vector products against NumPy 2."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
MODES = ["full", "same", "valid"]


def handle(a):
    return None if a is None else a.handle


def diff(a, n=1, axis=-1, prepend=None, append=None):
    return arrpy.made("arr_diff", a.handle, n, axis, handle(prepend), handle(append), None)


def ediff1d(a, to_end=None, to_begin=None):
    return arrpy.made("arr_ediff1d", a.handle, handle(to_end), handle(to_begin), None)


def gradient(f, *spacing, axes=None, edge_order=1):
    """A list of arrays, one per axis."""
    n = f.ndim if axes is None else len(axes)
    given = (C.arr_value * n)(*(arrpy.value(s) for s in spacing)) if spacing else None
    out = (C.arr_array * n)()
    arrpy.call(
        "arr_gradient", f.handle, n, None if axes is None else arrpy.int32s(axes), given, edge_order, None, n, out
    )
    return [arrpy.Array(C.arr_array(h.value)) for h in out]


def trapezoid(y, x=None, dx=1.0, axis=-1):
    return arrpy.made("arr_trapezoid", y.handle, handle(x), dx, axis, None)


def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=False):
    return arrpy.made("arr_cumulative_trapezoid", y.handle, handle(x), dx, axis, int(initial), None)


def unwrap(p, discont=None, axis=-1, period=None):
    value = None if period is None else ctypes.byref(arrpy.value(period))
    return arrpy.made("arr_unwrap", p.handle, float("nan") if discont is None else discont, axis, value, None)


def near(got, want, steps=4, size=None):
    """Same shape and dtype; floats within some units of the largest magnitude that was added (size)."""
    want = np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if want.dtype.kind in "biu":
        return bool(np.array_equal(got, want))
    wide = "c16" if want.dtype.kind == "c" else "f8"
    a, b = got.astype(wide), want.astype(wide)
    eps = 2.0**-7 if want.dtype == oracle.bfloat16 else np.finfo(want.dtype).eps
    reach = np.abs(b) if size is None else size
    close = np.abs(a - b) <= steps * eps * reach
    return bool(np.all(close | (a == b) | (np.isnan(a) & np.isnan(b))))


def said(got, want):
    want = np.asarray(want)
    return f"{got.dtype}{got.shape} {got.ravel()[:5]}, NumPy {want.dtype}{want.shape} {want.ravel()[:5]}"


def compare(report, label, got, want, **how):
    got = got.numpy()
    report.check(label, near(got, want, **how), said(got, want))


def tame(shape, d, seed):
    x = np.random.default_rng(seed).integers(0 if d[0] in "ub" else -9, 10, shape)
    x = x + 1j * x[..., ::-1] if d in oracle.COMPLEX else x
    return (x % 2 == 0) if d == "bool" else x.astype(oracle.dtype(d))


def dtypes(report, few):
    return few if report.device != "host" else [d for d in oracle.ALL if d != "bfloat16"]


def differences(report):
    for d in dtypes(report, ["bool", "uint8", "float32"]):
        x = tame((5, 7), d, 1)
        for axis in (0, 1):
            for n in (0, 1, 2, 5, 6, 9) if report.device == "host" else (1, 2, 9):
                for layout, view in (("C", lambda a: a), ("F", lambda a: a.T), ("step", lambda a: a[::-1, ::2])):
                    if report.device != "host" and layout == "step":
                        continue
                    compare(
                        report,
                        f"diff {d} n {n} axis {axis} {layout}",
                        diff(view(report.array(x)), n, axis),
                        np.diff(view(x), n, axis),
                    )
        edge = tame((5, 2), d, 2)
        got = diff(report.array(x), 1, 1, report.array(edge), report.array(edge[0, 0]))
        compare(report, f"diff {d} edges", got, np.diff(x, 1, 1, prepend=edge, append=edge[0, 0]))
        if d == "bool":
            refused = oracle.raises(C.ARR_E_DTYPE, lambda: ediff1d(report.array(x)))
            report.check("ediff1d bool refused", refused)
            continue
        compare(report, f"ediff1d {d}", ediff1d(report.array(x)), np.ediff1d(x))
        compare(
            report,
            f"ediff1d {d} ends",
            ediff1d(report.array(x.T), report.array(edge), report.array(edge[:1])),
            np.ediff1d(x.T, edge, edge[:1]),
        )
    for size in (0, 1):
        compare(report, f"ediff1d of {size}", ediff1d(report.array(np.ones(size))), np.ediff1d(np.ones(size)))
    x = report.array(np.ones((3, 4)))
    report.check("diff n refused", oracle.raises(C.ARR_E_ARGUMENT, lambda: diff(x, -1)))
    report.check(
        "diff prepend refused", oracle.raises(C.ARR_E_SHAPE, lambda: diff(x, 1, 1, report.array(np.ones((2, 1)))))
    )
    report.check(
        "ediff1d kind refused",
        oracle.raises(C.ARR_E_DTYPE, lambda: ediff1d(report.array(np.ones(3, "i4")), report.array(np.ones(1)))),
    )


def gradients(report):
    r = np.random.default_rng(5)
    for d in dtypes(report, ["int32", "float32"]):
        if d == "bool":
            continue
        x = tame((6, 9), d, 3)
        for edge_order in (1, 2):
            how = {"steps": 8, "size": 40}
            for label, view in (("C", lambda a: a), ("F", lambda a: a.T))[: 2 if report.device == "host" else 1]:
                got, want = (
                    gradient(view(report.array(x)), edge_order=edge_order),
                    np.gradient(view(x), edge_order=edge_order),
                )
                for k in (0, 1):
                    compare(report, f"gradient {d} {label} order {edge_order} axis {k}", got[k], want[k], **how)
            got = gradient(report.array(x), 0.5, axes=[1], edge_order=edge_order)[0]
            compare(
                report,
                f"gradient {d} step order {edge_order}",
                got,
                np.gradient(x, 0.5, axis=1, edge_order=edge_order),
                **how,
            )
            at = np.cumsum(r.random(6) + 0.5)
            got = gradient(report.array(x), report.array(at), axes=[0], edge_order=edge_order)[0]
            compare(
                report,
                f"gradient {d} coordinates order {edge_order}",
                got,
                np.gradient(x, at, axis=0, edge_order=edge_order),
                steps=64,
                size=40,
            )
    whole = np.array([0, 1, 3, 7, 8, 12], "u1")
    got = gradient(report.array(np.arange(6.0) ** 2), report.array(whole))[0]
    compare(
        report, "gradient unsigned coordinates", got, np.gradient(np.arange(6.0) ** 2, whole.astype("f8")), steps=64
    )
    x = report.array(np.ones(2))
    report.check("gradient too short", oracle.raises(C.ARR_E_SHAPE, lambda: gradient(x, edge_order=2)))
    report.check("gradient order", oracle.raises(C.ARR_E_ARGUMENT, lambda: gradient(x, edge_order=3)))
    report.check("gradient coordinates", oracle.raises(C.ARR_E_SHAPE, lambda: gradient(x, report.array(np.ones(3)))))
    compare(report, "gradient of 2", gradient(x)[0], np.gradient(np.ones(2)))


def integrals(report):
    for d in dtypes(report, ["int32", "float32"]):
        if d == "bool":
            continue
        y = tame((5, 8), d, 4)
        x = np.array([0, 1, 1.5, 4, 5, 7, 9, 9.5])
        for label, view in (("C", lambda a: a), ("F", lambda a: a.T)):
            for axis in (0, 1):
                how = {"steps": 16, "size": 200}
                compare(
                    report,
                    f"trapezoid {d} {label} {axis}",
                    trapezoid(view(report.array(y)), dx=0.25, axis=axis),
                    np.trapezoid(view(y), dx=0.25, axis=axis),
                    **how,
                )
        compare(
            report,
            f"trapezoid {d} x",
            trapezoid(report.array(y), report.array(x)),
            np.trapezoid(y, x),
            steps=16,
            size=200,
        )
        both = np.broadcast_to(x, y.shape).copy()
        compare(
            report,
            f"trapezoid {d} x 2-D",
            trapezoid(report.array(y), report.array(both)),
            np.trapezoid(y, both),
            steps=16,
            size=200,
        )
        parts = (np.diff(x) * (y[:, 1:] + y[:, :-1]) / 2.0).astype(np.trapezoid(y, x).dtype)
        want = np.cumsum(parts, axis=1, dtype=parts.dtype)
        compare(
            report,
            f"cumulative_trapezoid {d}",
            cumulative_trapezoid(report.array(y), report.array(x)),
            want,
            steps=16,
            size=200,
        )
        want = np.concatenate([np.zeros((5, 1), want.dtype), want], 1)
        compare(
            report,
            f"cumulative_trapezoid {d} initial",
            cumulative_trapezoid(report.array(y), report.array(x), initial=True),
            want,
            steps=16,
            size=200,
        )
    y = report.array(np.ones((3, 4)))
    report.check("trapezoid x refused", oracle.raises(C.ARR_E_SHAPE, lambda: trapezoid(y, report.array(np.ones(3)))))
    compare(report, "trapezoid of one", trapezoid(report.array(np.ones((3, 1)))), np.trapezoid(np.ones((3, 1))))
    compare(report, "trapezoid of none", trapezoid(report.array(np.ones((3, 0)))), np.trapezoid(np.ones((3, 0))))


def whole_areas(report):
    """Trapezia of integers and bool, whose sums and distances do not fit in their type, against Python's integers."""

    def exact(y, x):
        ys, xs = [int(v) for v in y], [int(v) for v in x]
        return sum((b - a) * (d + c) for a, b, c, d in zip(xs, xs[1:], ys, ys[1:])) / 2

    r = np.random.default_rng(8)
    for dy, dx in itertools.product(["bool"] + oracle.SIGNED + oracle.UNSIGNED, repeat=2):
        if report.device != "host" and (dy, dx) not in (
            ("uint8", "int64"),
            ("bool", "uint8"),
            ("int64", "bool"),
            ("uint64", "int32"),
        ):
            continue
        y, x = (
            np.array([0, 1, 1, 0, 1], d)
            if d == "bool"
            else r.integers(np.iinfo(d).min, np.iinfo(d).max, 5, d, endpoint=True)
            for d in (dy, dx)
        )
        near_x = x if dx == "bool" else np.iinfo(dx).max - np.arange(5, dtype=dx)[::-1]
        for label, at in (("far", x), ("near", near_x)):
            got, want = trapezoid(report.array(y), report.array(at)), np.float64(exact(y, at))
            size = max(
                float(
                    sum(abs(int(b) - int(a)) * (abs(int(c)) + abs(int(d))) for a, b, c, d in zip(at, at[1:], y, y[1:]))
                ),
                1,
            )
            compare(report, f"trapezoid {dy} over {dx} {label}", got, want, steps=8, size=size)
            got = cumulative_trapezoid(report.array(y), report.array(at))[-1:]
            compare(report, f"cumulative_trapezoid {dy} over {dx} {label}", got, np.array([want]), steps=8, size=size)
        compare(
            report,
            f"trapezoid {dy} dx",
            trapezoid(report.array(y), dx=0.5),
            np.float64(exact(y, range(5)) / 2),
            steps=8,
            size=2.0**66,
        )
    for dy, dx in itertools.product(oracle.ALL, repeat=2):  # the types are NumPy's
        if "bfloat16" in (dy, dx) or report.device != "host":
            continue
        y, x = np.ones(3, dy), np.zeros(3, dx)
        got = trapezoid(report.array(y), report.array(x)).dtype
        report.check(f"trapezoid type {dy} {dx}", got == np.trapezoid(y, x).dtype, f"{got}")
    compare(
        report,
        "trapezoid of opposite numbers",
        trapezoid(report.array(np.array([2**60 + 1, -(2**60)]))),
        np.float64(0.5),
    )
    x = np.array([0, 100, -100, 100, -28], "i1")
    want = np.unwrap(x.astype("i8"), period=12)
    got = unwrap(report.array(x), period=12)
    report.check(
        "unwrap int8", got.dtype == np.int8 and np.array_equal(got.numpy(), want.astype("i1")), f"{got.numpy()} {want}"
    )
    for d in oracle.UNSIGNED + ["bool"]:
        p = np.array([0, 1, 1, 0, 1], d) if d == "bool" else np.array([5, 7, 1, 250, 4], d)
        compare(report, f"unwrap {d}", unwrap(report.array(p)), np.unwrap(p.astype("f8")), steps=64, size=300)


def phases(report):
    r = np.random.default_rng(6)
    for d in ("float32", "float64") if report.device == "host" else ("float64",):
        p = np.cumsum(r.normal(size=(4, 50)) * 2, axis=1).astype(d)
        wrapped = ((p + np.pi) % (2 * np.pi) - np.pi).astype(d)
        for axis in (0, 1):
            how = {"steps": 64, "size": 40}
            compare(
                report,
                f"unwrap {d} axis {axis}",
                unwrap(report.array(wrapped), axis=axis),
                np.unwrap(wrapped, axis=axis),
                **how,
            )
        compare(
            report,
            f"unwrap {d} discont",
            unwrap(report.array(wrapped), discont=4.5),
            np.unwrap(wrapped, discont=4.5),
            steps=64,
            size=40,
        )
    whole = np.array([[0, 4, 8, 1, 11, 5, 4, 0], [0, 6, 0, 6, 12, 6, 3, 9]])
    for d in ("int32", "int64"):
        for period in (12, 7):
            want = np.unwrap(whole.astype(d), period=period)
            compare(report, f"unwrap {d} period {period}", unwrap(report.array(whole.astype(d)), period=period), want)
    half = whole * 1.0
    compare(report, "unwrap at the edge", unwrap(report.array(half), period=12.0), np.unwrap(half, period=12.0))
    report.check(
        "unwrap unsigned", oracle.raises(C.ARR_E_DTYPE, lambda: unwrap(report.array(whole.astype("u1")), period=12))
    )


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((differences, gradients, integrals, whole_areas, phases)):
        part(r)
    r.finish()
