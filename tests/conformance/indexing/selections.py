#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Elements along axes, masks, choices and index arrays against NumPy 2."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from indexing import MODES, call, compare, handles, make, put_items, several, value
from oracle import arrpy

C = arrpy.c


def empty_axes(report):
    none, i = report.array(np.zeros((3, 0))), report.array(np.array([0]))
    for mode in MODES.values():
        report.check(
            f"take of an empty axis {mode}",
            oracle.raises(C.ARR_E_ARGUMENT, lambda m=mode: make("arr_take", none.handle, i.handle, 1, m, None)),
        )
    nothing = report.array(np.zeros((2, 0), "i4"))
    got = make("arr_take", none.handle, nothing.handle, 1, 0, None)
    compare(report, "no index of an empty axis", got, np.zeros((3, 0)).take(np.zeros((2, 0), "i4"), 1))


def takes(report):
    r = np.random.default_rng(2)
    a = np.arange(2 * 3 * 4).reshape(2, 3, 4)
    for label, view in (("C", lambda x: x), ("T", lambda x: x.T), ("step", lambda x: x[:, ::-1, ::2])):
        for axis in (None, 0, 1, -1) if report.device == "host" else (1,):
            n = view(a).size if axis is None else view(a).shape[axis]
            for shape in ((), (5,), (2, 3)):
                i = r.integers(-n, n, shape)
                got = make(
                    "arr_take",
                    view(report.array(a)),
                    report.array(i),
                    C.ARR_AXIS_NONE if axis is None else axis,
                    0,
                    None,
                )
                compare(report, f"take {label} {axis} {shape}", got, np.take(view(a), i, axis))
            if axis is None:
                continue
            lines = list(view(a).shape)
            lines[axis] = 6
            for wide in (lines, [1 if k != axis % 3 else m for k, m in enumerate(lines)]):
                along(report, f"{label} {axis} {wide}", view, a, r.integers(-n, n, wide), axis)
    i = r.integers(-24, 24, 9)
    got = make("arr_take_along_axis", report.array(a), report.array(i), C.ARR_AXIS_NONE, 0, None)
    compare(report, "take_along_axis flattened", got, np.take_along_axis(a, i, None))


def along(report, label, view, a, i, axis):
    got = make("arr_take_along_axis", view(report.array(a)), report.array(i), axis, 0, None)
    compare(report, f"take_along_axis {label}", got, np.take_along_axis(view(a), i, axis))
    want, dev, values = a.copy(), report.array(a), np.arange(100, 100 + i.size).reshape(i.shape)
    np.put_along_axis(view(want), i, values, axis)
    call("arr_put_along_axis", view(dev), report.array(i), value(report, values), axis, 0, None)
    compare(report, f"put_along_axis {label}", dev, want)


def puts(report):
    a = np.arange(12).reshape(3, 4)
    for label, view in (("C", lambda x: x), ("T", lambda x: x.T), ("step", lambda x: x[::2, ::-1])):
        for m in (0, 1, 2, 7, 9):
            i, values = np.array([5, 0, -1, 5, 3, 2, 2]), np.arange(50, 50 + m)
            want, dev = a.copy(), report.array(a)
            view(want).put(i, values)
            call("arr_put", view(dev), report.array(i), value(report, values), 0, None)
            compare(report, f"put {label} {m}", dev, want)


# ----------------------------------------------------------------------------------------------- masks


def masks(report):
    few = ["bool", "float32"]
    for d in oracle.ALL if report.device == "host" else few:
        for shape in ((0,), (1,), (7,), (3, 4), (2, 3, 5), (1000,)):
            a = oracle.sample(shape, d, 3, "tame")
            a[np.random.default_rng(1).random(shape) < 0.5] = 0
            for label, view in (("C", lambda x: x), ("T", lambda x: x.T), ("step", lambda x: x[::-1])):
                dev, want = view(report.array(a)), view(a)
                found = several("arr_nonzero", dev.ndim, dev.handle, None)
                good = all(oracle.same(g.numpy(), w) for g, w in zip(found, np.nonzero(want), strict=True))
                report.check(f"nonzero {d} {shape} {label}", good)
                compare(
                    report, f"argwhere {d} {shape} {label}", make("arr_argwhere", dev.handle, None), np.argwhere(want)
                )
            flat = make("arr_flatnonzero", report.array(a), None)
            compare(report, f"flatnonzero {d} {shape}", flat, np.flatnonzero(a))
    for x in (0, 3):
        compare(report, f"argwhere 0-d {x}", make("arr_argwhere", report.array(np.array(x)), None), np.argwhere(x))
    report.check(
        "nonzero 0-d refused",
        oracle.raises(C.ARR_E_SHAPE, lambda: several("arr_nonzero", 0, report.array(np.array(1)), None)),
    )
    a = np.arange(24).reshape(4, 6)
    for axis in (None, 0, 1):
        for c in ([], [True], [False, True, True], [0, 2, 0, 1]):
            c = np.array(c, bool if len(c) != 4 else int)
            number = C.ARR_AXIS_NONE if axis is None else axis
            got = make("arr_compress", report.array(c), report.array(a).T, number, None)
            compare(report, f"compress {axis} {c}", got, np.compress(c, a.T, axis))
    long = report.array(np.array([1, 0, 0, 0, 0, 0]))
    compare(report, "compress long", make("arr_compress", long.handle, report.array(a), 0, None), a[:1])
    long = report.array(np.array([1, 0, 0, 0, 0, 1]))
    report.check(
        "compress too long",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: make("arr_compress", long.handle, report.array(a), 0, None)),
    )
    got = make("arr_extract", report.array(a % 5 == 0), report.array(a), None)
    compare(report, "extract", got, np.extract(a % 5 == 0, a))


def masked_writes(report):
    a = np.arange(24).reshape(4, 6)
    for label, view in (("C", lambda x: x), ("T", lambda x: x.T), ("step", lambda x: x[::-1, ::2])):
        for share in (0, 0.4, 1):
            m = np.random.default_rng(3).random(view(a).shape) < share
            for n in (0, 1, 3, 24):
                values = np.arange(100, 100 + n)
                for name in ("place", "putmask"):
                    want, dev = a.copy(), report.array(a)
                    attempt = lambda: call(f"arr_{name}", view(dev), report.array(m), value(report, values), None)
                    if name == "place" and n == 0 and m.any():
                        report.check(f"place nothing {label} {share}", oracle.raises(C.ARR_E_ARGUMENT, attempt))
                        continue
                    getattr(np, name)(view(want), m, values)
                    attempt()
                    compare(report, f"{name} {label} {share} {n}", dev, want)
            want, dev = a.copy(), report.array(a)
            view(want)[m] = 7
            put_items(report, view(dev), m, 7)
            compare(report, f"mask and number {label} {share}", dev, want)
            view(want)[m] = np.arange(m.sum())
            put_items(report, view(dev), m, np.arange(m.sum()))
            compare(report, f"mask and values {label} {share}", dev, want)
    want, dev = a.copy(), report.array(a)
    rows = np.array([True, False, True, False])
    want[rows] = -1
    put_items(report, dev, rows, -1)
    want[:, want[0] > -5] = np.array(4)
    put_items(report, dev, (slice(None), np.array([True] * 6)), np.array(4))
    compare(report, "masks of one axis", dev, want)


# --------------------------------------------------------------------------------------------- choices


def choices(report):
    r = np.random.default_rng(6)
    for n in (1, 2, 5, 6, 13) if report.device == "host" else (6,):
        arrays = [oracle.sample((3, 4), ("int16", "float32", "int64")[k % 3], k, "tame") for k in range(n)]
        arrays[-1] = arrays[-1][:, :1]
        for mode in MODES:
            i = r.integers(0 if mode == "raise" else -20, n if mode == "raise" else 20, (2, 3, 4))
            devices = [report.array(x) for x in arrays]
            got = make("arr_choose", report.array(i), n, handles(devices), MODES[mode], None)
            compare(report, f"choose {n} {mode}", got, np.choose(i, arrays, mode=mode))
        conditions = [r.random((3, 4)) < 0.3 for _ in range(n)]
        for rest in (0, 1.5, np.int8(3)):
            devices, when = [report.array(x) for x in arrays], [report.array(x) for x in conditions]
            got = make("arr_select", n, handles(when), handles(devices), ctypes.byref(arrpy.value(rest)), None)
            compare(report, f"select {n} {rest}", got, np.select(conditions, arrays, rest))
    one = handles([report.array(np.ones(3))])
    for i in (-1, 1):
        report.check(
            f"choose {i} refused",
            oracle.raises(
                C.ARR_E_ARGUMENT, lambda i=i: make("arr_choose", report.array(np.array([i])), 1, one, 0, None).numpy()
            ),
        )


# ---------------------------------------------------------------------------------------- index arrays


def grids(report):
    r = np.random.default_rng(9)
    shape = (3, 4, 5)
    device = arrpy.device_of(report.device)
    for order in ("C", "F"):
        at = [r.integers(0, n, (2, 6)).astype(d) for n, d in zip(shape, ("i1", "u4", "i8"), strict=True)]
        number = arrpy.ORDERS[order]
        arrays = [report.array(x) for x in at]
        got = make("arr_ravel_multi_index", 3, handles(arrays), arrpy.int64s(shape), None, number, None)
        compare(report, f"ravel_multi_index {order}", got, np.ravel_multi_index(at, shape, order=order))
        flat = r.integers(0, 60, (4, 2))
        found = several("arr_unravel_index", 3, report.array(flat), 3, arrpy.int64s(shape), number, None)
        for g, w in zip(found, np.unravel_index(flat, shape, order), strict=True):
            compare(report, f"unravel_index {order}", g, w)
    at = [r.integers(-9, 9, 20) for _ in range(2)]
    modes = arrpy.int32s([MODES["wrap"], MODES["clip"]])
    arrays = [report.array(x) for x in at]
    got = make("arr_ravel_multi_index", 2, handles(arrays), arrpy.int64s((3, 4)), modes, 0, None)
    compare(report, "ravel_multi_index modes", got, np.ravel_multi_index(at, (3, 4), mode=("wrap", "clip")))
    for label, attempt in (
        (
            "ravel_multi_index",
            lambda i: make("arr_ravel_multi_index", 1, handles([i]), arrpy.int64s([5]), None, 0, None),
        ),
        ("unravel_index", lambda i: several("arr_unravel_index", 1, i.handle, 1, arrpy.int64s([5]), 0, None)),
    ):
        for i in (-1, 5):
            report.check(
                f"{label} {i} refused",
                oracle.raises(C.ARR_E_ARGUMENT, lambda i=i, f=attempt: f(report.array(np.array([i])))),
            )
    vectors = [np.array([2, 0]), np.array([True, False, True, True]), np.array([1], "u1")]
    kept = [report.array(v) for v in vectors]
    for g, w in zip(several("arr_ix", 3, 3, handles(kept), None), np.ix_(*vectors), strict=True):
        compare(report, "ix", g, w)
    for d in ("int64", "float32"):
        got = make("arr_indices", 3, arrpy.int64s(shape), arrpy.number(d), device, None)
        compare(report, f"indices {d}", got, np.indices(shape, d))
    for g, w in zip(several("arr_diag_indices", 3, 4, device, None), np.diag_indices(4, 3), strict=True):
        compare(report, "diag_indices", g, w)
    triangles(report)


def triangle(report, name, rows, columns, k):
    both = [C.arr_array(), C.arr_array()]
    device = ctypes.byref(arrpy.device_of(report.device))
    call(f"arr_{name}", rows, columns, k, device, None, *(ctypes.byref(b) for b in both))
    return [arrpy.Array(b) for b in both]


def triangles(report):
    """Places of triangles: NumPy's, and of shapes whose matrix nobody could hold."""
    shapes = [(r, c) for r in (0, 1, 3, 6) for c in (0, 1, 4, 7)] + [(100, 70), (70, 100)]
    for rows, columns in shapes if report.device == "host" else [(4, 6), (6, 4)]:
        ks = sorted({-(2**62), -rows - 1, -rows, 1 - rows, -2, -1, 0, 1, 2, columns - 1, columns, columns + 1, 2**62})
        for k in ks if report.device == "host" else (-2, 0, 1):
            for name in ("tril_indices", "triu_indices"):
                near = int(np.clip(k, -200, 200))  # NumPy wraps larger ones
                for got, want in zip(
                    triangle(report, name, rows, columns, k), getattr(np, name)(rows, near, columns), strict=True
                ):
                    compare(report, f"{name} {rows} {columns} {k}", got, want.astype("i8"))
    top = 2**62
    corner, edge = ([top - 2, top - 1, top - 1], [0, 0, 1]), ([0, 0, 1], [top - 2, top - 1, top - 1])
    for name, rows, columns, k, want in (
        ("tril_indices", top, top, 1 - top, ([top - 1], [0])),
        ("tril_indices", top, top, 2 - top, corner),
        ("tril_indices", top, 2, 2 - top, corner),
        ("triu_indices", top, top, top - 1, ([0], [top - 1])),
        ("triu_indices", top, top, top - 2, edge),
        ("triu_indices", 2, top, top - 2, edge),
        ("tril_indices", top, 0, 5, ([], [])),
        ("triu_indices", 2**63 - 1, 2, 2**63 - 1, ([], [])),
        ("tril_indices", 2**63 - 1, 2**63 - 1, -(2**63), ([], [])),
    ):
        for got, w in zip(triangle(report, name, rows, columns, k), want, strict=True):
            compare(report, f"{name} {rows} {columns} {k} of a wide matrix", got, np.array(w, "i8"))
    if report.device == "host":
        for rows, columns, k in ((1500, 1500, 0), (3, 2**20, 2**19), (3, 2**20, -1)):
            for name in ("tril_indices", "triu_indices"):
                for got, want in zip(
                    triangle(report, name, rows, columns, k), getattr(np, name)(rows, k, columns), strict=True
                ):
                    compare(report, f"{name} {rows} {columns} {k}", got, want)
        for name in ("tril_indices", "triu_indices"):
            full = oracle.raises(C.ARR_E_SHAPE, lambda n=name: triangle(report, n, top, top, 0))
            report.check(f"{name} of too many places", full)
            negative = oracle.raises(C.ARR_E_SHAPE, lambda n=name: triangle(report, n, -1, 3, 0))
            report.check(f"{name} of -1 rows", negative)


def diagonals(report):
    for shape in ((4, 4), (3, 5), (10, 3), (4, 1), (3, 3, 3)):
        for wrap in (0, 1):
            for x in (7, np.array([1, 2, 3])):
                for label, view in (("C", lambda a: a), ("F", lambda a: a.T.copy().T), ("step", lambda a: a[::-1])):
                    want = np.zeros(shape, "i4")
                    dev = report.array(want)
                    np.fill_diagonal(want, x, bool(wrap))
                    target = dev if label != "step" else report.array(np.zeros(shape, "i4"))[::-1]
                    call("arr_fill_diagonal", target.handle, value(report, x), wrap, None)
                    compare(report, f"fill_diagonal {shape} {wrap} {label}", target, want)
    report.check(
        "fill_diagonal extents",
        oracle.raises(
            C.ARR_E_SHAPE,
            lambda: call("arr_fill_diagonal", report.array(np.ones((2, 3, 3))), value(report, 1), 0, None),
        ),
    )


def main():
    report = oracle.Report(__doc__)
    for part in (empty_axes, takes, puts, masks, masked_writes, choices, grids, diagonals):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
