#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reductions with dtype, initial, where and correction, the reduce of ufuncs, averages, norms and softmax against
NumPy and SciPy."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from arrpy import axes_of, c, made

AXES = [None, 0, 1, (0, 1)]


def reduce(name, a, axis=None, keepdims=False, function="arr_reduce", **more):
    n, axes = axes_of(axis)
    number = ctypes.c_int32()
    if function == "arr_reduce":
        arrpy.call("arr_reduction_find", name.encode(), ctypes.byref(number))
    else:
        number.value = c.OPS[name][0]
    return made(function, number, a.handle, n, axes, int(keepdims), ctypes.byref(arrpy.reduce_options(**more)), None)


def close(got, want, tolerance=8):
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if got.dtype.kind in "biu":
        return np.array_equal(got, want)
    eps = 2.0**-7 if got.dtype == oracle.bfloat16 else float(np.finfo(got.dtype).eps)
    a, b = (v.astype("c16" if v.dtype.kind == "c" else "f8") for v in (got, want))
    return np.allclose(a, b, rtol=tolerance * eps, atol=tolerance * eps, equal_nan=True)


def check(report, label, got, want, tolerance=64):
    got = got.numpy()
    report.check(
        label,
        close(got, want, tolerance),
        f"{got.dtype}{got.shape} {got.ravel()[:4]}, want "
        f"{np.asarray(want).dtype}{np.asarray(want).shape} {np.asarray(want).ravel()[:4]}",
    )


def dtypes(report):
    r = np.random.default_rng(1)
    x = r.integers(-5, 100, (6, 7)).astype("i4")
    f = r.normal(size=(6, 7))
    for name, source, d in (
        ("sum", x, "i2"),
        ("sum", x, "f4"),
        ("prod", x[:1, :4], "c8"),
        ("sum", f, "f4"),
        ("sum", f, "c16"),
        ("mean", x, "f4"),
        ("mean", f, "f4"),
        ("max", x, "i8"),
        ("sum", x, "u8"),
    ):
        want = np.maximum.reduce(source, None, dtype=d) if name == "max" else getattr(np, name)(source, dtype=d)
        check(report, f"{name} {source.dtype} dtype {d}", reduce(name, report.array(source), dtype=d), want)
    check(
        report,
        "var dtype f4",
        reduce("var", report.array(f), 0, dtype="f4", correction=1.0),
        np.var(f, 0, dtype="f4", ddof=1),
    )
    for name in ("any", "argmax", "count_nonzero"):
        report.check(
            f"{name} takes no dtype", oracle.raises(c.ARR_E_ARGUMENT, lambda: reduce(name, report.array(x), dtype="i8"))
        )
    unsafe(report, x, f)


def unsafe(report, x, f):
    """Elements are cast first, whatever they are; means and variances of integers are computed in float64."""
    z = f[:2, :3] + 1j * f[2:4, :3]
    sources = {
        "i2": np.abs(x[:3, :4]).astype("i2") % 5 + 1,
        "f8": np.abs(f[:3, :4] * 3) + 1,
        "c16": z,
        "?": x > 40,
        "u8": np.abs(x[:3, :4]).astype("u8"),
    }
    for (s, a), d, axis in itertools.product(sources.items(), ("?", "u1", "i8", "u8", "f4", "f8", "c8"), (None, 0)):
        if report.device != "host" and (s, d) not in (("i2", "u1"), ("f8", "u8"), ("c16", "f8")):
            continue
        dx, cast = report.array(a), a.astype(d)
        for name in ("sum", "prod", "max"):
            want = getattr(np, {"sum": "add", "prod": "multiply", "max": "maximum"}[name]).reduce(a, axis, dtype=d)
            check(report, f"{name} {s} dtype {d} axis {axis}", reduce(name, dx, axis, dtype=d), want)
        for name in ("mean", "var", "std", "nanmean"):
            if d == "?" and name != "mean" and name != "nanmean":
                continue
            kept = np.dtype("f4") if d == "c8" and name in ("var", "std") else np.dtype(d)
            want = np.asarray(getattr(np, name)(cast, axis)).astype(kept)
            check(report, f"{name} {s} dtype {d} axis {axis}", reduce(name, dx, axis, dtype=d), want, 256)
        m = np.arange(a.size).reshape(a.shape) % 3 > 0
        if d != "?":
            exact = np.asarray(np.var(cast, axis, where=m))
            want = exact.astype("f4" if d == "c8" else d)
            got = reduce("var", dx, axis, dtype=d, where=report.array(m)).numpy()
            if want.dtype.kind in "iu":  # beyond the type no conversion is defined: processors differ
                got, want = (np.where(np.abs(exact) < 2.0**63, v, v.dtype.type(0)) for v in (got, want))
            report.check(f"var {s} dtype {d} where", close(got, want, 256), f"{got}, want {want}")
        want = np.cumsum(a, 0, dtype=d)
        got = arrpy.scan("cumsum", dx, 0, d).numpy()
        report.check(f"cumsum {s} dtype {d}", close(got, want, 64), f"{got} {want}")
        got, want = arrpy.reduceat("add", dx, [0, 2], 1, d).numpy(), np.add.reduceat(a, [0, 2], 1, dtype=d)
        report.check(f"reduceat {s} dtype {d}", close(got, want, 64), f"{got} {want}")
        got = reduce("subtract", dx, 0, function="arr_ufunc_reduce", dtype=d) if d != "?" else None
        if got is not None:
            check(report, f"subtract.reduce {s} dtype {d}", got, np.subtract.reduce(a, 0, dtype=d))
    g = report.array(np.array([1.5, 2.5]))
    report.check(
        "hypot.reduce dtype int",
        oracle.raises(c.ARR_E_DTYPE, lambda: reduce("hypot", g, function="arr_ufunc_reduce", dtype="i8")),
    )
    small = report.array(np.array([1, 2], "i1"))
    report.check(
        "a plain initial value must fit", oracle.raises(c.ARR_E_ARGUMENT, lambda: reduce("max", small, initial=300))
    )
    check(report, "an initial value of a type", reduce("max", small, initial=np.int64(300)), np.int8(44))


def masks(report):
    r = np.random.default_rng(2)
    for d in ("f4", "i2", "c16"):
        x = (r.normal(size=(33, 40)) * 9).astype(d)
        for shape in ((33, 40), (40,), (33, 1), ()):
            m = r.random(shape) < 0.5
            m = np.asarray(m)
            dx, dm = report.array(x), report.array(m)
            for axis in AXES:
                for name in ("sum", "mean", "var", "std", "prod"):
                    if name == "prod" and d != "i2":
                        continue
                    with np.errstate(all="ignore"):
                        want = getattr(np, name)(x, axis=axis, where=m)
                    check(report, f"{name} {d} where {shape} axis {axis}", reduce(name, dx, axis, where=dm), want, 1000)
                if d == "c16":
                    continue
                want = np.max(x, axis=axis, where=m, initial=-7)
                check(report, f"max {d} where {shape} axis {axis}", reduce("max", dx, axis, where=dm, initial=-7), want)
        if report.device != "host":
            break
    x = r.normal(size=(5, 6))
    x[1, 2] = np.nan
    m = r.random((5, 6)) < 0.7
    dx, dm = report.array(x), report.array(m)
    check(report, "nanmean where", reduce("nanmean", dx, 1, where=dm), np.nanmean(x, 1, where=m))
    check(
        report,
        "nanvar where",
        reduce("nanvar", dx, 1, where=dm, correction=1.0),
        np.nanvar(x, 1, where=m, ddof=1),
        1000,
    )
    check(
        report, "var where keepdims", reduce("var", dx, 0, True, where=dm), np.var(x, 0, where=m, keepdims=True), 1000
    )
    for bad, status in (
        (lambda: reduce("max", dx, where=dm), c.ARR_E_ARGUMENT),
        (lambda: reduce("argmax", dx, where=dm), c.ARR_E_ARGUMENT),
        (lambda: reduce("ptp", dx, where=dm), c.ARR_E_ARGUMENT),
        (lambda: reduce("sum", dx, where=dx), c.ARR_E_DTYPE),
        (lambda: reduce("sum", dx, where=report.array(np.ones((4, 6), bool))), c.ARR_E_SHAPE),
        (lambda: reduce("mean", dx, initial=1), c.ARR_E_ARGUMENT),
    ):
        report.check("refused", oracle.raises(status, bad), "wrong status")


def initials(report):
    x = np.arange(1, 13, dtype="f4").reshape(3, 4)
    dx = report.array(x)
    for name, initial in (("sum", 10), ("prod", 0.5), ("min", -3), ("max", 99), ("min", 5), ("nansum", 2)):
        for axis in AXES:
            check(
                report,
                f"{name} initial {initial} axis {axis}",
                reduce(name, dx, axis, initial=initial),
                getattr(np, name)(x, axis=axis, initial=initial),
            )
    e = np.zeros((3, 0), "f4")
    check(report, "min of nothing", reduce("min", report.array(e), 1, initial=7), np.min(e, 1, initial=7))
    big = np.ones(1_000_001, "f4")
    check(report, "sum of many", reduce("sum", report.array(big), initial=5), np.float32(1_000_006))
    check(
        report,
        "columns of many",
        reduce("sum", report.array(np.ones((70000, 20), "f4")), 0, initial=5),
        np.full(20, 70005, "f4"),
    )


def ufuncs(report):
    r = np.random.default_rng(3)
    x = r.integers(0, 2**20, (7, 9))
    f = r.normal(size=(7, 9))
    for name in (
        "add",
        "multiply",
        "minimum",
        "maximum",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "logical_and",
        "logical_or",
        "logical_xor",
    ):
        for axis in AXES:
            check(
                report,
                f"{name}.reduce axis {axis}",
                reduce(name, report.array(x), axis, function="arr_ufunc_reduce"),
                getattr(np, name).reduce(x, axis=axis),
            )
    for name, d in (("gcd", "int32"), ("gcd", "uint8"), ("lcm", "int32")):
        g = r.choice([-6, 4, 12, 0, 1] if name == "gcd" else [-6, 4, 12, 1], (7, 9)).astype(d)
        for axis in AXES if name == "gcd" else (0, 1, -1):  # NumPy takes one axis of lcm only
            check(
                report,
                f"{name}.reduce {d} axis {axis}",
                reduce(name, report.array(g), axis, function="arr_ufunc_reduce"),
                getattr(np, name).reduce(g, axis=axis),
            )
        one = report.array(g[:1, :1])
        check(report, f"{name}.reduce {d} of one", reduce(name, one, function="arr_ufunc_reduce"), np.abs(g[0, 0]))
    for name in ("logaddexp", "logaddexp2", "hypot", "fmax", "fmin"):
        if name in c.OPS:
            check(
                report,
                f"{name}.reduce",
                reduce(name, report.array(f), 0, function="arr_ufunc_reduce"),
                getattr(np, name).reduce(f, axis=0),
            )
    report.check(
        "negative.reduce",
        oracle.raises(c.ARR_E_UNSUPPORTED, lambda: reduce("negative", report.array(f), 0, function="arr_ufunc_reduce")),
    )


def averages(report):
    r = np.random.default_rng(4)
    for d in ("f4", "i4", "c8", "f2"):
        x = (r.normal(size=(5, 6)) * 5).astype(d)
        for weights, axis in (
            (r.random((5, 6)), None),
            (r.random((5, 6)), 1),
            (r.random(6), 1),
            (r.integers(1, 5, 5), 0),
        ):
            w = weights.astype("f4" if d == "f2" else weights.dtype)
            n, axes = axes_of(axis)
            dx, dw = report.array(x), report.array(w)
            got = made("arr_average", dx.handle, dw.handle, n, axes, 0, None)
            want = np.average(x, axis, w)
            check(report, f"average {d} {w.shape} axis {axis}", got, want)
        got = made("arr_average", dx.handle, None, 0, None, 0, None)
        check(report, f"average {d}", got, np.average(x), 8)
    x = r.normal(size=(3, 4, 5, 2))
    dx = report.array(x)
    for axis, keepdims in itertools.product([(0, 1), (1, 0), (-1, 1), (2, 0, 3), (3, 1, 2, 0), (2,)], (False, True)):
        w = r.random([x.shape[i] for i in axis])
        n, axes = axes_of(axis)
        for label, weights, device in (("C", w, report.array(w)), ("T", w, report.array(w.T.copy()).T)):
            got = made("arr_average", dx.handle, device.handle, n, axes, int(keepdims), None)
            check(report, f"average {label} axes {axis}", got, np.average(x, axis, weights, keepdims=keepdims))
    for shape, axis in (
        ((4, 3), (0, 1)),
        ((3, 4), None),
        ((3,), (0, 1)),
        ((3, 4, 1), (0, 1)),
        ((), (0, 1)),
        ((12,), (0, 1)),
    ):
        n, axes = axes_of(axis)
        weights = report.array(np.ones(shape))
        report.check(
            f"average weights {shape} axes {axis} refused",
            oracle.raises(c.ARR_E_SHAPE, lambda: made("arr_average", dx.handle, weights.handle, n, axes, 0, None)),
        )
    x = r.normal(size=(5, 6))
    dx = report.array(x)
    for p in (0, 1, 2, 3, 0.5, np.inf, -np.inf, -1):
        for axis in (0, 1):
            n, axes = axes_of(axis)
            got = made("arr_vector_norm", dx.handle, ctypes.c_double(p), n, axes, 0, None)
            check(report, f"vector_norm {p} axis {axis}", got, np.linalg.vector_norm(x, ord=p, axis=axis))


def broadcast(a, shape):
    return np.broadcast_to(a, shape) if isinstance(a, np.ndarray) else a.broadcast_to(shape)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((dtypes, masks, initials, ufuncs, averages)):
        part(r)
    r.finish()
