#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bool arrays from outside, whose bytes of True may be any but 0: every kind of call takes such an array for the one
with bytes 0 and 1. Computed bools are 0 or 1; copies may keep the bytes."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from indexing import call, get, make, put_items, value
from oracle import arrpy

import arrfuse

C = arrpy.c
BYTES = np.array([0, 1, 2, 128, 255], "u1")
PAIRS = np.array(np.meshgrid(BYTES, BYTES, indexing="ij")).reshape(2, -1)  # each byte with each
SIZES = {"host": [25, 45, 64, 300, 5000, 300000], "cuda": [25, 300, 5000]}
SHAPES = {
    "host": [
        (9, 1),
        (1, 9),
        (9, 16),
        (9, 45),
        (9, 64),
        (9, 300),
        (3, 5000),
        (300, 17),
        (70, 3),
        (2, 300000),
        (4, 5, 6),
    ],
    "cuda": [(9, 1), (9, 16), (9, 45), (9, 300), (300, 17)],
}
VIEWS = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.T,
    "every second": lambda a: a[::2],
    "negative": lambda a: a[::-1],
}


def bytes_of(shape, seed, share=0.5):
    """Random bytes, of which so many are not 0."""
    r = np.random.default_rng(seed)
    return r.choice(BYTES[1:], shape) * (r.random(shape) < share).astype("u1")


def truths(report, raw):
    """A bool array of these bytes."""
    dev = report.array(raw)
    return arrpy.made("arr_view", dev.handle, C.ARR_BOOL)


def plain(a):
    """An array as NumPy has it, with bools as bytes."""
    x = a.numpy() if isinstance(a, arrpy.Array) else np.asarray(a)
    return x.view("u1") if x.dtype == bool else x


def compare(report, label, got, want, copies=False):
    """copies: the bytes of True may be any but 0."""
    got, want = plain(got), plain(want)
    got = (got != 0).astype(want.dtype) if copies else got
    same = got.shape == want.shape and np.array_equal(got, want, equal_nan=want.dtype.kind in "fc")
    report.check(label, same, f"{got.ravel()[:8]}, expected {want.ravel()[:8]}")


def taken(f, *operands):
    """The result of a call, or the status of its error: not all take bools."""
    try:
        return f(*operands)
    except arrpy.Error as e:
        return e.status


def ours_twice(report, label, f, *raws):
    """The call with these bytes gives what it gives with 0 and 1; other suites compare that with NumPy's."""
    want = taken(f, *(truths(report, (raw != 0).astype("u1")) for raw in raws))
    got = taken(f, *(truths(report, raw) for raw in raws))
    if isinstance(want, int) or isinstance(got, int):
        report.check(label, want is got or want == got, f"{got}, expected {want}")
        return
    for g, w in zip(*([x] if isinstance(x, arrpy.Array) else x for x in (got, want)), strict=True):
        compare(report, label, g, w)


# --------------------------------------------------------------------------------------------- operations


def operations(report):
    """Every operation of the table, over each byte with each."""
    for name, (_, operands) in C.OPS.items():
        if not report.wants(f"op {name}"):
            continue
        for size in [25] if report.device == "cuda" else [25, 200, 20000]:
            x, y = (np.resize(p, size) for p in PAIRS)
            raws = [x, y, y[::-1].copy()][:operands]
            ours_twice(report, f"op {name} {size}", lambda *a, name=name: arrpy.ufunc(name, *a), *raws)
            want = getattr(np, name, None)
            if isinstance(want, np.ufunc) and want.nin == operands:
                numpys(report, name, want, raws)


def numpys(report, name, f, raws):
    """The operations of truth values alone, against NumPy's."""
    try:
        want = f(*(raw != 0 for raw in raws))
    except TypeError:
        return
    if isinstance(want, np.ndarray) and want.dtype == bool:
        compare(report, f"op {name} of NumPy", arrpy.ufunc(name, *(truths(report, raw) for raw in raws)), want)


def layouts(report):
    """Strides, broadcasting and scalars of one byte."""
    raw, other = bytes_of((8, 24), 1), bytes_of((8, 24), 2)
    x, y = raw != 0, other != 0
    for name, view in VIEWS.items():
        a, b = truths(report, raw), truths(report, other)
        for op in ("equal", "logical_xor", "less", "bitwise_and", "maximum"):
            compare(report, f"{op} {name}", arrpy.ufunc(op, view(a), view(b)), getattr(np, op)(view(x), view(y)))
        compare(report, f"astype {name}", view(a).astype("int32"), view(x).astype("i4"))
        compare(
            report,
            f"mixed {name}",
            arrpy.ufunc("equal", view(a), view(b.T).T if a.ndim != 2 else view(b)),
            view(x) == view(y),
        )
    a = truths(report, raw)
    compare(report, "row", arrpy.ufunc("equal", a, a[:1]), x == x[:1])
    compare(report, "column", arrpy.ufunc("equal", a, a[:, :1]), x == x[:, :1])
    for byte in BYTES:
        one = truths(report, np.array([byte]))
        compare(report, f"one element {byte}", arrpy.ufunc("equal", a, one), x == (byte != 0))
        compare(report, f"no axes {byte}", arrpy.ufunc("bitwise_xor", a, one.reshape(())), x ^ (byte != 0))


def casts(report):
    for size in SIZES[report.device][:4]:
        raw = bytes_of(size, 3)
        x = raw != 0
        for d in oracle.ALL:
            compare(report, f"cast {d} {size}", truths(report, raw).astype(d), x.astype(oracle.dtype(d)), d == "bool")
    raw = np.resize(BYTES, 20)
    a, x = truths(report, raw), np.resize(BYTES, 20) != 0
    report.check("text", str(a) == str(truths(report, x.astype("u1"))), str(a))
    for i, byte in enumerate(BYTES):
        report.check(f"item {byte}", bool(a.item(i)) == (byte != 0))
        for call_name, kind in (("arr_item_f64", ctypes.c_double), ("arr_item_i64", ctypes.c_int64)):
            out = kind()
            arrpy.call(call_name, a.handle, 1, arrpy.int64s([i]), ctypes.byref(out))
            report.check(f"{call_name} {byte}", out.value == (byte != 0), f"{out.value}")


# ------------------------------------------------------------------------------------ reductions and scans


def reductions(report):
    for shape in SHAPES[report.device]:
        for share in (0.5, 1.0) if report.device == "cuda" else (0.0, 0.02, 0.5, 0.98, 1.0):
            raw = bytes_of(shape, 4, share)
            x, a = raw != 0, truths(report, raw)
            for axis in (None, *range(len(shape))):
                for name in ("all", "any", "min", "max", "argmin", "argmax", "sum", "prod", "count_nonzero"):
                    label = f"{name} {shape} {share} axis {axis}"
                    if report.wants(label):
                        compare(report, label, arrpy.reduce(name, a, axis), getattr(np, name)(x, axis=axis))
    raw = bytes_of((9, 45), 5, 0.6)
    for name in C.REDUCTIONS:
        for axis in (None, 0, 1):
            ours_twice(report, f"{name} axis {axis}", lambda a, n=name, k=axis: arrpy.reduce(n, a, k), raw)
    numbers = np.random.default_rng(6).integers(-9, 9, raw.shape).astype("i4")
    for axis in (0, 1):
        options = arrpy.reduce_options(where=truths(report, raw))
        n, axes = arrpy.axes_of(axis)
        a = report.array(numbers)
        got = make("arr_reduce", C.REDUCTIONS["sum"], a, n, axes, 0, ctypes.byref(options), None)
        compare(report, f"sum where axis {axis}", got, numbers.sum(axis, where=raw != 0).astype("i8"))


def scans(report):
    for shape in SHAPES[report.device]:
        for share in (0.1, 0.9):
            raw = bytes_of(shape, 7, share)
            x, a = raw != 0, truths(report, raw)
            for axis in range(len(shape)):
                for name in ("maximum", "minimum", "logical_or", "logical_and", "logical_xor", "add", "bitwise_xor"):
                    label = f"{name}.accumulate {shape} {share} axis {axis}"
                    if report.wants(label):
                        want = getattr(np, name).accumulate(x, axis=axis)
                        got = arrpy.accumulate(name, a, axis, want.dtype)
                        compare(report, label, got, want, copies=shape[axis] == 1)  # NumPy's is a copy, too
                compare(report, f"cumsum {shape} axis {axis}", arrpy.scan("cumsum", a, axis), x.cumsum(axis))
    raw, at = bytes_of((40, 6), 8), [0, 7, 7, 20, 39]
    x, a = raw != 0, truths(report, raw)
    for name in ("maximum", "logical_and", "logical_or", "equal", "bitwise_xor", "less"):
        for axis in (0, 1):
            starts = at if axis == 0 else [0, 2, 5]
            want = getattr(np, name).reduceat(x, starts, axis=axis)
            compare(report, f"{name}.reduceat {axis}", arrpy.reduceat(name, a, starts, axis), want, copies=True)


# ------------------------------------------------------------------------------------- indices and masks


def masks(report):
    for size in SIZES[report.device]:
        for share in (0.05, 0.5, 1.0):
            raw = bytes_of(size, 9, share)
            m, mask = raw != 0, truths(report, raw)
            x = np.arange(size, dtype="i4")
            label = f"{size} {share}"
            a = report.array(x)
            compare(report, f"get {label}", get(report, a, mask), x[m])
            compare(report, f"extract {label}", make("arr_extract", mask, a, None), x[m])
            compare(report, f"compress {label}", make("arr_compress", mask, a, 0, None), x[m])
            compare(report, f"flatnonzero {label}", make("arr_flatnonzero", mask, None), np.flatnonzero(m))
            compare(report, f"argwhere {label}", make("arr_argwhere", mask, None), np.argwhere(m))
            compare(report, f"where {label}", make("arr_where", mask, a, report.array(-x), None), np.where(m, x, -x))
            compare(report, f"elements {label}", make("arr_extract", mask, mask, None), m[m], copies=True)
            for name, f in (("place", np.place), ("putmask", np.putmask)):
                want, a = x.copy(), report.array(x)
                values = np.arange(7, dtype="i4") + 100
                f(want, m, values)
                call(f"arr_{name}", a, mask, value(report, values), None)
                compare(report, f"{name} {label}", a, want)
            want, a = x.copy(), report.array(x)
            want[m] = -5
            put_items(report, a, mask, -5)
            compare(report, f"set {label}", a, want)
    raw = bytes_of((30, 7), 10)
    a = report.array(np.arange(210, dtype="f4").reshape(30, 7))
    compare(report, "rows", get(report, a, truths(report, raw[:, 0].copy())), a.numpy()[raw[:, 0] != 0])
    for found, want in zip(several_of(truths(report, raw)), np.nonzero(raw), strict=True):
        compare(report, "nonzero of rows", found, want)


def several_of(mask):
    out = (C.arr_array * mask.ndim)()
    call("arr_nonzero", mask, None, mask.ndim, out)
    return [arrpy.Array(C.arr_array(h.value)) for h in out]


def updates(report):
    """Updates of bools at indices: the element that is there may have any byte."""
    for size in (5, 100):
        raw, given = np.resize(BYTES, size), np.resize(BYTES[::-1], 3 * size).copy()
        at = np.random.default_rng(11).integers(0, size, 3 * size)
        for name in ("logical_and", "logical_or", "logical_xor", "bitwise_xor", "maximum", "minimum", "equal"):
            want, a = raw != 0, truths(report, raw)
            getattr(np, name).at(want, at, given != 0)
            i = report.array(at)
            update_by(report, name, a, i, truths(report, given))
            compare(report, f"{name}.at {size}", a, want, copies=True)
    raw = np.resize(BYTES, 40)
    x, a, i = raw != 0, truths(report, raw), np.array([3, 0, 39, 7])
    compare(report, "take", make("arr_take", a, report.array(i), 0, C.ARR_BOUNDS_RAISE, None), x[i], copies=True)
    numbers, counts = report.array(np.zeros(2)), np.bincount(x.astype("i8"))
    update_by(report, "add", numbers, a.astype("int64"), report.array(np.ones(40)))
    compare(report, "counts", numbers, counts.astype("f8"))


def update_by(report, name, a, i, given):
    v = ctypes.pointer(arrpy.value(given))
    row = C.arr_index(C.ARR_INDEX_ARRAY, 0, 0, 0, 0, i.handle)
    call("arr_update_items", C.OPS[name][0], a, 1, ctypes.byref(row), v, C.ARR_BOUNDS_RAISE, None)


# ------------------------------------------------------------------------------- order, counts and others


def orders(report):
    for size in SIZES[report.device]:
        raw = bytes_of(size, 12)
        x, a = raw != 0, truths(report, raw)
        for down in (0, 1):
            want = np.argsort(~x if down else x, kind="stable")
            compare(report, f"sort {size} {down}", make("arr_sort", a, -1, down, None), x[want], copies=True)
            compare(report, f"argsort {size} {down}", make("arr_argsort", a, -1, down, None), want)
        want = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
        made = outputs(4, "arr_unique", a, C.ARR_AXIS_NONE, C.ARR_UNIQUE_SORTED, None)
        for k, (got, w) in enumerate(zip(made, want, strict=True)):
            compare(report, f"unique {size} {k}", got, w, copies=k == 0)
        compare(report, f"bincount {size}", make("arr_bincount", a.astype("int64"), None, 0, None), np.bincount(x))
        test = truths(report, np.array([2], "u1"))
        compare(report, f"isin {size}", make("arr_isin", a, test, 0, None), x)
    raw = bytes_of((6, 50), 13)
    calls = {
        "partition": lambda a: make("arr_partition", a, 1, arrpy.int64s([20]), -1, None).astype("int8"),
        "searchsorted": lambda a: make(
            "arr_searchsorted", truths(report, np.array([0, 0, 2, 128], "u1")), a, 0, None, None
        ),
        "packbits": lambda a: make("arr_packbits", a, -1, 0, None),
        "diff": lambda a: make("arr_diff", a, 1, -1, None, None, None),
        "median": lambda a: arrpy.made("arr_median", a.handle, *arrpy.axes_of(1), 0, None),
        "average": lambda a: arrpy.made("arr_average", a.handle, None, *arrpy.axes_of(1), 0, None),
        "trapezoid": lambda a: make("arr_trapezoid", a, None, 1.0, -1, None),
        "digitize": lambda a: make("arr_digitize", a, truths(report, np.array([0, 255], "u1")), 0, None),
        "histogram": lambda a: outputs(2, "arr_histogram", a, 3, None, None, None),
    }
    for name, f in calls.items():
        ours_twice(report, name, f, raw)


def outputs(n, name, *arguments):
    """The arrays of a call that has so many outputs."""
    out = [C.arr_array() for _ in range(n)]
    call(name, *arguments, *(ctypes.byref(h) for h in out))
    return [arrpy.Array(h) for h in out]


def products(report):
    r, s = bytes_of((9, 20), 14, 0.2), bytes_of((20, 11), 15, 0.2)
    calls = {
        "matmul": lambda a, b: arrpy.matmul(a, b),
        "dot": lambda a, b: make("arr_dot", a, b, None),
        "kron": lambda a, b: make("arr_kron", a, b, None),
        "array_equal": lambda a, b: make("arr_array_equal", a, a.copy(), 0, None),
        "allclose": lambda a, b: make("arr_allclose", a, a, 0.0, 0.0, 0, None),
    }
    for name, f in calls.items():
        ours_twice(report, name, f, r, s)
    compare(report, "matmul of NumPy", arrpy.matmul(truths(report, r), truths(report, s)), (r != 0) @ (s != 0))
    ones, twos = (truths(report, np.full(9, b, "u1")) for b in (1, 2))
    compare(report, "array_equal of 1 and 2", make("arr_array_equal", ones, twos, 0, None), np.array(True))


def fused(report):
    """Programs of several operations, with and without a reduction at their end."""
    for size in SIZES[report.device][:4]:
        r, s = bytes_of(size, 16), bytes_of(size, 17)
        x, y, a, b = r != 0, s != 0, truths(report, r), truths(report, s)
        with arrfuse.scope():
            equal = arrpy.ufunc("equal", a, b)
            mixed = arrpy.ufunc("logical_xor", arrpy.ufunc("bitwise_and", a, equal), b)
            count = arrpy.reduce("sum", mixed)
        compare(report, f"fused {size}", mixed, (x & (x == y)) ^ y)
        compare(report, f"fused sum {size}", count, ((x & (x == y)) ^ y).sum())


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in (operations, layouts, casts, reductions, scans, masks, updates, orders, products, fused):
        part(r)
    r.finish()
