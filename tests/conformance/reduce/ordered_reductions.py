#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reduce, accumulate and reduceat of the ufuncs whose order counts, from left to right, against NumPy 2: every type,
axis and layout, dtype, initial and where, nothing at all, what NumPy refuses."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from arrpy import axes_of, c, made

OPS = [
    "subtract",
    "divide",
    "floor_divide",
    "remainder",
    "fmod",
    "power",
    "float_power",
    "arctan2",
    "copysign",
    "nextafter",
    "heaviside",
    "left_shift",
    "right_shift",
]
ROUGH = {"power", "float_power", "arctan2"}  # within some units in the last place, which add up
DTYPES = ["bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex64"]
SHAPES = [(9,), (5, 7), (3, 4, 6), (1, 1), (40, 3), (2, 70)]
CUDA = [
    ("subtract", "int8"),
    ("divide", "int64"),
    ("power", "float32"),
    ("subtract", "float16"),
    ("right_shift", "bool"),
    ("divide", "complex64"),
]


def reduce(name, a, axis=0, keepdims=False, **more):
    n, axes = axes_of(axis)
    return made(
        "arr_ufunc_reduce",
        c.OPS[name][0],
        a.handle,
        n,
        axes,
        int(keepdims),
        ctypes.byref(arrpy.reduce_options(**more)),
        None,
    )


def layouts(shape):
    yield "C", shape, lambda a: a
    if len(shape) > 1:
        yield "transposed", shape[::-1], lambda a: a.T
    yield "reverse", shape, lambda a: a[tuple(slice(None, None, -1) for _ in shape)]
    yield "step", tuple(2 * n for n in shape), lambda a: a[tuple(slice(None, None, 2) for _ in shape)]


def data(name, d, shape, r):
    """Values that stay small: no power overflows, no integer has a negative one."""
    if d == "bool":
        return r.integers(0, 2, shape).astype(bool)
    if d[0] in "iu":
        low, high = {"power": (0, 3), "left_shift": (0, 2), "right_shift": (0, 3)}.get(
            name, (0 if d[0] == "u" else -9, 30)
        )
        return r.integers(low, high, shape).astype(d)
    x = r.uniform(0.5, 1.5, shape) if name in ROUGH or name == "divide" else r.normal(size=shape) * 4
    return (x + 1j * r.uniform(-0.5, 0.5, shape) if d[0] == "c" else x).astype(d)


def one_by_one(name, x, axis, dtype):
    y, f = np.moveaxis(x.astype(dtype), axis, 0), getattr(np, name)
    so_far = y[0]
    for row in y[1:]:
        so_far = f(so_far, row)
    return np.asarray(so_far)


def own_way(name, dtype):
    """Cases in which NumPy 2.x does not go from left to right: its vector loops of power and arctan2 give along a contiguous
    axis what neither the function one by one nor its accumulate gives, and sums of float16 are rounded at the end."""
    return name in ("power", "arctan2") or dtype == np.float16


def numpy_reduce(name, x, axis):
    want = np.asarray(getattr(np, name).reduce(x, axis))
    return one_by_one(name, x, axis, want.dtype) if own_way(name, want.dtype) else want


def numpy_reduceat(name, x, indices, axis):
    want = getattr(np, name).reduceat(x, indices, axis)
    if not own_way(name, want.dtype):
        return want
    ends, at = [*indices[1:], x.shape[axis]], [slice(None)] * x.ndim
    parts = []
    for first, end in zip(indices, ends):
        at[axis] = slice(first, max(end, first + 1))
        parts.append(one_by_one(name, x[tuple(at)], axis, want.dtype))
    return np.stack(parts, axis)


def close(name, got, want):
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if want.dtype.kind == "c" or (name in ROUGH and want.dtype.kind == "f"):
        eps = 512 * float(np.finfo(want.dtype).eps)
        wide = "c16" if want.dtype.kind == "c" else "f8"
        return np.allclose(got.astype(wide), want.astype(wide), rtol=eps, atol=eps, equal_nan=True)
    return oracle.same(got, want)


def check(report, label, name, run, peer):
    """The results, or that both refuse."""
    try:
        want = peer()
    except (TypeError, ValueError):
        good = any(oracle.raises(s, run) for s in (c.ARR_E_DTYPE, c.ARR_E_ARGUMENT, c.ARR_E_SHAPE))
        return report.check(f"{label} refused", good)
    got = run().numpy()
    report.check(
        label,
        close(name, got, want),
        f"{got.dtype}{got.shape} {got.ravel()[:6]}, NumPy {np.asarray(want).dtype}{np.asarray(want).ravel()[:6]}",
    )


def methods(report):
    cuda = report.device != "host"
    for number, (name, d) in enumerate(CUDA if cuda else [(name, d) for name in OPS for d in DTYPES]):
        if not report.wants(f"{name} {d}"):
            continue
        r, f = np.random.default_rng(number), getattr(np, name)
        for shape in SHAPES[1:3] if cuda else SHAPES:
            for layout, base, view in list(layouts(shape))[: 2 if cuda else 4]:
                b = data(name, d, base, r)
                x, dev = view(b), view(report.array(b))
                for axis in range(-1, len(shape) - 1):
                    label, n = f"{name} {d} {shape} {layout} axis {axis}", shape[axis]
                    indices = list(map(int, r.integers(0, n, 2 * n + 1)))
                    check(
                        report,
                        f"{label} reduce",
                        name,
                        lambda: reduce(name, dev, axis),
                        lambda: numpy_reduce(name, x, axis),
                    )
                    check(
                        report,
                        f"{label} accumulate",
                        name,
                        lambda: arrpy.accumulate(name, dev, axis),
                        lambda: f.accumulate(x, axis),
                    )
                    check(
                        report,
                        f"{label} reduceat",
                        name,
                        lambda: arrpy.reduceat(name, dev, indices, axis),
                        lambda: numpy_reduceat(name, x, indices, axis),
                    )


def axes(report, name, x, mask):
    """keepdims, initial and where; no axis, several."""
    f, dev, where, row = getattr(np, name), report.array(x), report.array(mask), report.array(mask[0])
    for axis in (0, 1, None, (0, 1), ()):
        check(report, f"{name} axis {axis}", name, lambda: reduce(name, dev, axis), lambda: f.reduce(x, axis))
    for axis in (0, 1):
        check(
            report,
            f"{name} keepdims {axis}",
            name,
            lambda: reduce(name, dev, axis, True),
            lambda: f.reduce(x, axis, keepdims=True),
        )
        check(
            report,
            f"{name} initial {axis}",
            name,
            lambda: reduce(name, dev, axis, initial=1000),
            lambda: f.reduce(x, axis, initial=1000),
        )
        check(
            report,
            f"{name} where {axis}",
            name,
            lambda: reduce(name, dev, axis, initial=99, where=where),
            lambda: f.reduce(x, axis, initial=99, where=mask),
        )
        check(
            report,
            f"{name} where row {axis}",
            name,
            lambda: reduce(name, dev, axis, initial=9, where=row),
            lambda: f.reduce(x, axis, initial=9, where=mask[0]),
        )
        check(
            report,
            f"{name} where alone {axis}",
            name,
            lambda: reduce(name, dev, axis, where=where),
            lambda: f.reduce(x, axis, where=mask),
        )


def types_and_sizes(report, name, x):
    """dtype; a number, nothing."""
    f, dev = getattr(np, name), report.array(x)
    for d in ("float32", "float64", "complex64", "bool", "int64"):
        check(report, f"{name} dtype {d}", name, lambda: reduce(name, dev, 0, dtype=d), lambda: f.reduce(x, 0, dtype=d))
        check(
            report,
            f"{name} accumulate dtype {d}",
            name,
            lambda: arrpy.accumulate(name, dev, 1, d),
            lambda: f.accumulate(x, 1, d),
        )
        check(
            report,
            f"{name} reduceat dtype {d}",
            name,
            lambda: arrpy.reduceat(name, dev, [0, 3, 1], 1, d),
            lambda: f.reduceat(x, [0, 3, 1], 1, d),
        )
    one = report.array(np.array(7))
    check(report, f"{name} of a number", name, lambda: reduce(name, one, None), lambda: f.reduce(np.array(7), None))
    empty = report.array(x[:0])
    check(report, f"{name} of nothing", name, lambda: reduce(name, empty, 0), lambda: f.reduce(x[:0], 0))
    check(
        report,
        f"{name} of nothing with initial",
        name,
        lambda: reduce(name, empty, 0, initial=3),
        lambda: f.reduce(x[:0], 0, initial=3),
    )
    check(report, f"{name} of no sequence", name, lambda: reduce(name, empty, 1), lambda: f.reduce(x[:0], 1))
    check(
        report,
        f"{name} accumulate nothing",
        name,
        lambda: arrpy.accumulate(name, empty, 0),
        lambda: f.accumulate(x[:0], 0),
    )


def others(report):
    """Options of reduce."""
    r = np.random.default_rng(5)
    x, mask = r.integers(1, 9, (6, 7)), r.integers(0, 2, (6, 7)).astype(bool)
    for name in ("subtract", "divide", "floor_divide") if report.device == "host" else ("subtract",):
        axes(report, name, x, mask)
        types_and_sizes(report, name, x)
    dev = report.array(x)
    report.check("less of integers refused", oracle.raises(c.ARR_E_DTYPE, lambda: reduce("less", dev, 0)))
    report.check("one operand refused", oracle.raises(c.ARR_E_UNSUPPORTED, lambda: reduce("negative", dev, 0)))
    report.check(
        "one operand accumulate refused",
        oracle.raises(c.ARR_E_UNSUPPORTED, lambda: arrpy.accumulate("negative", dev, 0)),
    )


def into(report):
    """Over what it reads, and with a cast."""
    x = np.arange(1, 43, dtype="f8").reshape(6, 7)
    dev = report.array(x)
    arrpy.accumulate("subtract", dev, 0, out=dev)
    report.check("accumulate in place", np.array_equal(dev.numpy(), np.subtract.accumulate(x, 0)))
    dst = report.array(np.zeros((6, 3), "f4"))
    arrpy.reduceat("divide", report.array(x), [0, 2, 1], 1, out=dst)
    report.check("reduceat into float32", np.array_equal(dst.numpy(), np.divide.reduceat(x, [0, 2, 1], 1).astype("f4")))
    report.check(
        "reduceat into a shape refused",
        oracle.raises(c.ARR_E_SHAPE, lambda: arrpy.reduceat("divide", dev, [0, 2], 1, out=dst)),
    )


def large(report):
    """Longer and wider than what a thread takes at a time."""
    r, cuda = np.random.default_rng(9), report.device != "host"
    for shape in (
        ((300, 40), (40, 300)) if cuda else ((200_000,), (3000, 150), (150, 3000), (7, 2500), (2500, 7), (60, 30, 50))
    ):
        x = r.normal(size=shape)
        dev = report.array(x)
        for axis in range(len(shape)):
            indices = list(map(int, np.sort(r.integers(0, shape[axis], 50))))
            check(
                report,
                f"large {shape} reduce {axis}",
                "subtract",
                lambda: reduce("subtract", dev, axis),
                lambda: np.subtract.reduce(x, axis),
            )
            check(
                report,
                f"large {shape} accumulate {axis}",
                "subtract",
                lambda: arrpy.accumulate("subtract", dev, axis),
                lambda: np.subtract.accumulate(x, axis),
            )
            check(
                report,
                f"large {shape} reduceat {axis}",
                "subtract",
                lambda: arrpy.reduceat("subtract", dev, indices, axis),
                lambda: np.subtract.reduceat(x, indices, axis),
            )


def alone(report):
    """One long sequence and a few beside each other, whose elements are combined in a register: every type, any distance of elements, with a mask."""
    r = np.random.default_rng(11)
    n = 3001 if report.device == "host" else 301
    for d in DTYPES:
        for name in ("subtract", "floor_divide", "copysign", "right_shift", "power"):
            if (name, d) == ("power", "complex64"):  # whose last digits add up
                continue
            if not report.wants(f"{name} {d} alone") or (report.device != "host" and (name, d) not in CUDA[:5]):
                continue
            b, m = data(name, d, (2 * n, 20), r), r.integers(0, 2, (n,)).astype(bool)
            dev, where, f = report.array(b), report.array(m), getattr(np, name)
            for label, view in {
                "step": lambda a: a[::2, 0],
                "reverse": lambda a: a[::-2, 3],
                "few": lambda a: a[::2, :3],
            }.items():
                x = view(b)
                check(
                    report,
                    f"{name} {d} alone {label}",
                    name,
                    lambda: reduce(name, view(dev)),
                    lambda: numpy_reduce(name, x, 0),
                )
                check(
                    report,
                    f"{name} {d} alone {label} accumulate",
                    name,
                    lambda: arrpy.accumulate(name, view(dev), 0),
                    lambda: f.accumulate(x, 0),
                )
            if d != "float16":  # which NumPy rounds at the end alone
                check(
                    report,
                    f"{name} {d} alone where",
                    name,
                    lambda: reduce(name, dev[::2, 1], initial=1, where=where),
                    lambda: f.reduce(b[::2, 1], initial=1, where=m),
                )


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    for part in (methods, others, into, large, alone):
        part(report)
    report.finish()
