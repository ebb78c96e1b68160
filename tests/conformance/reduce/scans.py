#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every scan x dtype x axis x layout x {new, into} against NumPy 2; accumulate and reduceat; long ones."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

SUMS = ["cumsum", "nancumsum", "cumulative_sum"]
PRODS = ["cumprod", "nancumprod", "cumulative_prod"]
EXTREMES = ["cummax", "cummin"]
SHAPES = [(), (1,), (0,), (7,), (1025,), (3, 4, 5), (2, 0, 3), (33, 65), (70, 5), (1, 7, 1), (2, 70)]
# Over the fake each kernel costs a compilation: few shapes, and every dtype for one scan only.
CUDA_SHAPES = [(7,), (2, 0, 3), (33, 65)]
CUDA_DTYPES = ["bool", "int8", "uint32", "float16", "bfloat16", "float32", "complex128"]


def views(shape):
    """(label, shape of the base, view of a base)."""
    yield "C", shape, lambda a: a
    if len(shape) > 1:
        yield "F", shape[::-1], lambda a: a.T
        yield "reverse", shape, lambda a: a[tuple(slice(None, None, -1) for _ in shape)]
    if shape:
        yield "step", tuple(2 * n for n in shape), lambda a: a[tuple(slice(None, None, 2) for _ in shape)]


def data(name, d, shape, seed):
    x = oracle.sample(shape, d, seed, "tame")
    if name in PRODS and x.dtype.kind in "iufcV":
        r = np.random.default_rng(seed)
        x = r.choice([1, 1, 1, 2, 0.5, -1] if x.dtype.kind in "fcV" else [1, 1, 1, 2, 3], shape).astype(x.dtype)
    if name in EXTREMES and d in oracle.COMPLEX:
        x = np.round(x)
    flat = x.reshape(-1)
    if x.dtype.kind in "fcV" and x.size > 2 and (name.startswith("nan") or seed % 3 == 0):
        flat[np.random.default_rng(seed).integers(0, x.size, 2)] = np.nan
        if seed % 2:
            flat[x.size // 2] = np.inf
    return x


def numpy_scan(name, x, axis, dtype, include_initial):
    """NumPy's result; 16-bit floats accumulate in float32."""
    wide = {"float16": "f4", "bfloat16": "f4"}
    out_type = np.dtype(dtype) if dtype is not None else x.dtype
    more = {} if include_initial is None else {"include_initial": include_initial}
    if name in EXTREMES:
        x = x.reshape(-1) if axis is None else x
        if x.dtype == oracle.bfloat16:
            return numpy_scan(name, x.astype("f4"), axis, None, None).astype(x.dtype)
        return {"cummax": np.maximum, "cummin": np.minimum}[name].accumulate(x, 0 if axis is None else axis)
    if x.dtype == oracle.bfloat16:
        x = x.astype("f4")
    if out_type.name in wide:
        return getattr(np, name)(x.astype("f4"), axis=axis, dtype="f4", **more).astype(out_type)
    if name.startswith("nan") and x.dtype.kind not in "fc":
        name = name[3:]
    return getattr(np, name)(x, axis=axis, dtype=dtype, **more)


def agrees(name, x, got, want):
    """Equal; floats within what summing in blocks may differ."""
    want = np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if got.dtype.kind in "biu" or name in EXTREMES:
        return oracle.same(got + got.dtype.type(0), want + want.dtype.type(0))
    wide = "c16" if got.dtype.kind == "c" else "f8"
    a, b = got.astype(wide), want.astype(wide)
    eps = 2.0**-7 if got.dtype == oracle.bfloat16 else np.finfo(got.dtype).eps
    finite = np.isfinite(x.astype(wide))
    size = np.sum(np.abs(x.astype(wide)[finite])) if name in SUMS else np.abs(b)
    n = max(x.size, 1)
    near = np.abs(a - b) <= eps * (8 * np.abs(b) + (4 * size if name in SUMS else 4 * n * np.abs(b)))
    # An infinity or nan: in the same part of the same elements, whatever the sign of nan.
    return bool(
        np.all(near | (a == b) | (~np.isfinite(a) & ~np.isfinite(b))) and np.array_equal(np.isnan(a), np.isnan(b))
    )


def scan_case(report, name, d, shape, layout, base, view, axis, dtype, initial, seed):
    label = f"{name} {d} {shape} {layout} axis {axis} dtype {dtype} initial {initial}"
    b = data(name, d, base, seed)
    x, dev = view(b), view(report.array(b))
    try:
        want = np.asarray(numpy_scan(name, x, axis, dtype, initial))
    except (ValueError, np.exceptions.AxisError):
        good = oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: arrpy.scan(name, dev, axis, dtype, initial))
        return report.check(label + " refused", good)
    got = arrpy.scan(name, dev, axis, dtype, initial)
    report.check(
        label,
        agrees(name, x, got.numpy(), want),
        f"{got.dtype}{got.shape} {got.numpy().ravel()[:5]}, NumPy {want.dtype}{want.shape} {want.ravel()[:5]}",
    )
    # Into an array with other strides, whose neighbours stay as they are.
    wide = np.zeros((*want.shape[:-1], 2 * want.shape[-1]) if want.ndim else (), want.dtype)
    dst = report.array(wide)
    to = dst[..., ::2] if want.ndim else dst
    arrpy.scan(name, dev, axis, dtype, initial, out=to)
    whole = dst.numpy()
    report.check(
        label + " into",
        agrees(name, x, whole[..., ::2] if want.ndim else whole, want)
        and (not want.ndim or not np.any(whole[..., 1::2] != 0)),
    )


def scans(report):
    cuda = report.device != "host"
    for number, name in enumerate(SUMS + PRODS + EXTREMES):
        for d in oracle.ALL:
            if cuda and d not in (CUDA_DTYPES if name == "cumsum" else ["int8", "float32"]):
                continue
            if not report.wants(f"{name} {d}"):
                continue
            for shape in CUDA_SHAPES if cuda else SHAPES:
                for k, (layout, base, view) in enumerate(views(shape)):
                    if cuda and layout in ("F", "step") and len(shape) > 1:
                        continue
                    for axis in [None, *range(len(shape))]:
                        initial = [False, True][(k + len(shape)) % 2] if name.startswith("cumulative") else None
                        scan_case(report, name, d, shape, layout, base, view, axis, None, initial, 10 * number + k)


def dtypes(report):
    """The result's dtype, chosen; casts to it."""
    cuda = report.device != "host"
    for name in ["cumsum"] if cuda else ["cumsum", "cumprod", "cumulative_sum"]:
        for d in ["bool", "int32", "float32"] if cuda else oracle.ALL:
            for to in ("bool", "int8", "uint16", "int64", "float16", "float32", "complex64"):
                if d in oracle.COMPLEX and to != "complex64" or d in oracle.FLOATS and to in ("int8", "uint16"):
                    continue  # out of range
                if not report.wants(f"{name} {d} dtype"):
                    continue
                x = np.array([1, 0, 2, 1, 3, 1], "f4").astype(oracle.dtype(d))
                want = numpy_scan(name, x, 0, to, None)
                got = arrpy.scan(name, report.array(x), 0, to, False if name == "cumulative_sum" else None).numpy()
                report.check(f"{name} {d} dtype {to}", agrees(name, x, got, want), f"{got} {want}")


def in_place(report):
    """Exactly overlapping, overlapping otherwise, another dtype, and destinations that do not fit."""
    for d in ("float32", "int64", "float16"):
        x = (np.arange(700) % 7).astype(d).reshape(20, 35)
        for axis in (0, 1):
            dev = report.array(x)
            arrpy.scan("cumsum", dev, axis, d, out=dev)
            report.check(f"in place {d} {axis}", np.array_equal(dev.numpy(), np.cumsum(x, axis, dtype=d)))
            dev = report.array(x)
            arrpy.scan("cumsum", dev[:, :-1], axis, d, out=dev[:, 1:])
            want = x.copy()
            want[:, 1:] = np.cumsum(x[:, :-1], axis, dtype=d)
            report.check(f"overlap {d} {axis}", np.array_equal(dev.numpy(), want))
        other = report.array(np.zeros((20, 35), "f8"))
        arrpy.scan("cumsum", report.array(x), 1, out=other)
        report.check(f"into float64 {d}", np.array_equal(other.numpy(), np.cumsum(x.astype("f8"), 1)))
    a, c = report.array(np.ones((3, 4), "f4")), arrpy.c
    whole = report.array(np.zeros((3, 4), "i4"))
    report.check("into int refused", oracle.raises(c.ARR_E_DTYPE, lambda: arrpy.scan("cumsum", a, 0, out=whole)))
    report.check("into shape refused", oracle.raises(c.ARR_E_SHAPE, lambda: arrpy.scan("cumsum", a, None, out=whole)))
    report.check("axis refused", oracle.raises(c.ARR_E_SHAPE, lambda: arrpy.scan("cumsum", a, 2)))


def methods(report):
    """ufunc.accumulate and reduceat."""
    cuda = report.device != "host"
    for name in ("add", "multiply", "minimum", "maximum", "logical_or", "logical_and", "logical_xor", "fmin", "fmax"):
        f = getattr(np, name)
        for d in ["float32"] if cuda else ["bool", "int8", "uint16", "float32", "float64", "complex64"]:
            if not report.wants(f"{name} {d}"):
                continue
            x = (np.arange(60) % 5 - (0 if d in ("bool", "uint16") else 2)).astype(d).reshape(6, 10)
            for axis in (0, 1):
                got, want = arrpy.accumulate(name, report.array(x), axis).numpy(), f.accumulate(x, axis)
                report.check(
                    f"{name} {d} accumulate {axis}", oracle.same(got + 0 * got, want + 0 * want), f"{got} {want}"
                )
                indices = [0, 3, 1, 4, 4, 5]
                got, want = arrpy.reduceat(name, report.array(x), indices, axis).numpy(), f.reduceat(x, indices, axis)
                report.check(
                    f"{name} {d} reduceat {axis}", oracle.same(got + 0 * got, want + 0 * want), f"{got} {want}"
                )
    integers(report)
    logarithms(report)
    x, c = report.array(np.arange(4.0)), arrpy.c
    small = report.array(np.arange(4, dtype="i1"))
    report.check("reduceat dtype", np.array_equal(arrpy.reduceat("add", small, [0, 2], dtype="i2").numpy(), [1, 5]))
    report.check("reduceat range", oracle.raises(c.ARR_E_ARGUMENT, lambda: arrpy.reduceat("add", x, [0, 4])))
    report.check("accumulate op", oracle.raises(c.ARR_E_UNSUPPORTED, lambda: arrpy.accumulate("negative", x)))
    report.check(
        "accumulate scalar", oracle.raises(c.ARR_E_SHAPE, lambda: arrpy.accumulate("add", report.array(np.float32(1))))
    )


def methods_into(report):
    """accumulate and reduceat into arrays: other types, views, over the elements themselves."""
    c, indices = arrpy.c, [0, 3, 1, 4, 4, 5]
    cases = [
        ("add", "int16", "int64"),
        ("add", "float32", "float32"),
        ("multiply", "int32", "float64"),
        ("maximum", "float64", "float32"),
        ("gcd", "int32", "int32"),
        ("logical_or", "int8", "bool"),
        ("add", "bool", "complex64"),
    ]
    for (name, d, to), axis in [(v, k) for v in (cases if report.device == "host" else cases[1:5]) for k in (0, 1)]:
        f, x = getattr(np, name), (np.arange(60) % 7 - (0 if d == "bool" else 2)).astype(d).reshape(6, 10)
        runs = {
            "accumulate": (lambda a, **k: arrpy.accumulate(name, a, axis, **k), f.accumulate(x, axis)),
            "reduceat": (lambda a, **k: arrpy.reduceat(name, a, indices, axis, **k), f.reduceat(x, indices, axis)),
        }
        for method, (run, want) in runs.items():
            label = f"{method} {name} {d} {axis} into"
            whole = report.array(np.zeros((want.shape[0], 2 * want.shape[1]), to))
            run(report.array(x), out=whole[:, ::2])
            good = np.array_equal(whole.numpy()[:, ::2], want.astype(to)) and not whole.numpy()[:, 1::2].any()
            report.check(f"{label} {to}, a view", good)
            if not np.can_cast(want.dtype, d, "same_kind"):
                continue
            near = report.array(np.concatenate([x, x]))
            run(near[:6, :], out=near[2 : 2 + want.shape[0], : want.shape[1]])
            good = np.array_equal(near.numpy()[2 : 2 + want.shape[0], : want.shape[1]], want.astype(d))
            report.check(f"{label} what it reads", good and np.array_equal(near.numpy()[:2], x[:2]))
    a, short, whole = (report.array(np.ones(n, t)) for n, t in ((4, "f4"), (3, "f4"), (4, "i4")))
    for method, more in (("accumulate", []), ("reduceat", [[0, 2, 1, 3]])):
        run = getattr(arrpy, method)
        report.check(
            f"{method} into shape refused", oracle.raises(c.ARR_E_SHAPE, lambda: run("add", a, *more, out=short))
        )
        report.check(
            f"{method} into int refused", oracle.raises(c.ARR_E_DTYPE, lambda: run("add", a, *more, out=whole))
        )


def equal_slices(report):
    """reduceat of runs of slices of one length, with others in front, between and behind."""
    lists = [
        [0, 2, 4, 6, 8],
        [1, 4, 7, 9, 10, 11],
        [0, 1, 2, 3, 8, 8, 8, 2, 4, 6],
        [3, 5, 7, 11],
        [11, 5, 4, 3, 6, 9],
        [0, 6],
    ]
    for name, d in [
        ("add", "float64"),
        ("add", "int8"),
        ("maximum", "float32"),
        ("add", "bool"),
        ("gcd", "int32"),
        ("multiply", "int64"),
    ]:
        if report.device != "host" and d not in ("float32", "int32"):
            continue
        f, x = getattr(np, name), (np.arange(12 * 36) % 5 - (0 if d == "bool" else 2)).astype(d).reshape(12, 3, 12)
        for label, y in (("C", x), ("transposed", x.T), ("reverse", x[::-1, :, ::-1])):
            a = report.array(x)
            a = {"C": lambda: a, "transposed": lambda: a.T, "reverse": lambda: a[::-1, :, ::-1]}[label]()
            for axis, indices in [(k, i) for k in (0, 2) for i in lists]:
                got, want = arrpy.reduceat(name, a, indices, axis).numpy(), f.reduceat(y, indices, axis)
                report.check(
                    f"{name} {d} {label} reduceat {axis} {indices}",
                    oracle.same(got + 0 * got, want + 0 * want),
                    f"{got} {want}",
                )


def integers(report):
    """Scans of integers; the first element stays as it is, also where the others are magnitudes."""
    r = np.random.default_rng(2)
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm"):
        f = getattr(np, name)
        for d in ["int32"] if report.device != "host" else ["int8", "uint16", "int32", "int64"]:
            x = (r.integers(1, 9, (6, 300)) * r.choice([-1, 1] if d[0] == "i" else [1], (6, 300))).astype(d)
            x = x if name != "lcm" else np.where(np.abs(x) > 4, 1, x).astype(d)
            for axis in (0, 1):
                got, want = arrpy.accumulate(name, report.array(x), axis).numpy(), f.accumulate(x, axis)
                report.check(f"{name} {d} accumulate {axis}", oracle.same(got, want), f"{got} {want}")
                indices = [0, 3, 1, 4, 4, 5]
                got, want = arrpy.reduceat(name, report.array(x), indices, axis).numpy(), f.reduceat(x, indices, axis)
                report.check(f"{name} {d} reduceat {axis}", oracle.same(got, want), f"{got} {want}")


def logarithms(report):
    """Running logaddexp, logaddexp2 and hypot, infinities included; integers in float64."""
    x = np.random.default_rng(4).normal(size=(5, 700)) * 30
    x[0, :9] = [-np.inf, -np.inf, 1000, -1000, np.inf, 3, 4, -np.inf, 5]
    x[1, :4], x[2, 350] = [-np.inf, 3, -700, 710], np.nan
    for name, d in [
        ("logaddexp", "float64"),
        ("logaddexp", "float32"),
        ("logaddexp2", "float64"),
        ("hypot", "float32"),
        ("logaddexp", "int32"),
    ]:
        a = x if d[0] == "f" else np.arange(60).reshape(6, 10)
        a = a.astype(d)
        for axis in (0, 1):
            got, want = arrpy.accumulate(name, report.array(a), axis).numpy(), getattr(np, name).accumulate(a, axis)
            near = np.allclose(
                got, want, 1e-6 if d == "float32" else 1e-13, 1e-5 if d == "float32" else 1e-13, equal_nan=True
            )
            report.check(f"{name} {d} accumulate {axis}", near and got.dtype == want.dtype, f"{got} {want}")
    a = x.astype("f4")
    for axis in (0, 1, None):
        got, want = (
            arrpy.scan("logcumsumexp", report.array(a), axis).numpy(),
            np.logaddexp.accumulate(a.ravel() if axis is None else a, 0 if axis is None else axis),
        )
        report.check(
            f"logcumsumexp {axis}", got.dtype == want.dtype and np.allclose(got, want, 1e-6, 1e-5, equal_nan=True)
        )
    whole = report.array(np.arange(5))
    report.check(
        "logcumsumexp in integers refused",
        oracle.raises(arrpy.c.ARR_E_DTYPE, lambda: arrpy.scan("logcumsumexp", whole, 0, dtype="i8")),
    )
    report.check(
        "logcumsumexp of complex refused",
        oracle.raises(arrpy.c.ARR_E_DTYPE, lambda: arrpy.scan("logcumsumexp", report.array(np.ones(3, "c8")), 0)),
    )


def big(report):
    """Long scans stay accurate and give the same bits each time, along any axis."""
    n = 3_000_001 if report.device == "host" else 300_001
    x = np.random.default_rng(0).random(n).astype("f4")
    exact = np.cumsum(x.astype("f8"))
    dev = report.array(x)
    first = arrpy.scan("cumsum", dev).numpy()
    report.check(
        "big cumsum float32: accuracy",
        bool(np.max(np.abs(first - exact) / exact) < 3e-6),
        f"{np.max(np.abs(first - exact) / exact)}",
    )
    report.check(
        "big cumsum float32: same bits", all(np.array_equal(arrpy.scan("cumsum", dev).numpy(), first) for _ in range(5))
    )
    moved = report.array(np.concatenate([x[:1], x]))[1:]
    report.check(
        "big cumsum float32: same bits at another address",
        report.device == "host" or np.array_equal(arrpy.scan("cumsum", moved).numpy(), first),
    )
    i = (x * 1000).astype("i4")
    report.check("big cumsum int32", np.array_equal(arrpy.scan("cumsum", report.array(i)).numpy(), np.cumsum(i)))
    step = report.array(i)[::-3]
    report.check("big cumsum int32 step", np.array_equal(arrpy.scan("cumsum", step).numpy(), np.cumsum(i[::-3])))
    shapes = [(n // 3, 3), (n // 100, 100), (3, n // 3), (100, n // 100), (7, n // 70, 10)]
    for shape in shapes if report.device == "host" else shapes[1:4:2]:
        y = i[: int(np.prod(shape))].reshape(shape)
        z = report.array(y)
        for axis in range(len(shape)):
            for name, f in (("cumsum", np.cumsum), ("cummax", np.maximum.accumulate))[
                : 2 if report.device == "host" else 1
            ]:
                good = np.array_equal(arrpy.scan(name, z, axis).numpy(), f(y, axis=axis))
                report.check(f"big {name} {shape} axis {axis}", good)
    m = report.array(x[:90000].reshape(300, 300))
    first = [arrpy.scan("cumsum", m, k).numpy() for k in (0, 1)]
    report.check(
        "big rows and columns: same bits",
        all(np.array_equal(arrpy.scan("cumsum", m, k).numpy(), first[k]) for k in (0, 1) for _ in range(5)),
    )


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in (scans, dtypes, in_place, methods, methods_into, equal_slices):
        part(r)
    if r.wants("big"):
        big(r)
    r.finish()
