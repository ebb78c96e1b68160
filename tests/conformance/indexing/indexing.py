#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Index expressions of every kind, read, written and updated, against NumPy 2."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
INTEGERS = oracle.SIGNED + oracle.UNSIGNED
MODES = {"raise": C.ARR_BOUNDS_RAISE, "clip": C.ARR_BOUNDS_CLIP, "wrap": C.ARR_BOUNDS_WRAP}
BOUNDS = {**MODES, "unchecked": C.ARR_BOUNDS_UNCHECKED, "from_one": C.ARR_BOUNDS_FROM_ONE}
LOW, HIGH = -(2**63), 2**63 - 1


def compare(report, label, got, want):
    got, want = got.numpy(), np.asarray(want)
    report.check(
        label,
        oracle.same(got, want),
        f"{got.dtype}{got.shape} {got.ravel()[:6]}, NumPy {want.dtype}{want.shape} {want.ravel()[:6]}",
    )


def plain(arguments):
    """Handles of arrays, which the caller keeps alive until the call is over."""
    return [a.handle if isinstance(a, arrpy.Array) else a for a in arguments]


def call(name, *arguments):
    arrpy.call(name, *plain(arguments))


def make(name, *arguments):
    return arrpy.made(name, *plain(arguments))


def several(name, n, *arguments):
    out = (C.arr_array * max(n, 1))()
    call(name, *arguments, n, out)
    return [arrpy.Array(C.arr_array(h.value)) for h in out[:n]]


def handles(arrays):
    out = (C.arr_array * max(len(arrays), 1))(*(a.handle for a in arrays))
    out.kept = arrays
    return out


class Indices:
    """A tuple of Python's as the arr_index of a call; NumPy's arrays are copied to the device."""

    def __init__(self, report, index):
        self.kept = []
        rows = [self.row(report, i) for i in (index if isinstance(index, tuple) else (index,))]
        self.count, self.rows = len(rows), (C.arr_index * max(len(rows), 1))(*rows)

    def row(self, report, i):
        if isinstance(i, slice):
            if i == slice(None):
                return C.arr_index(C.ARR_INDEX_ALL)
            step = 1 if i.step is None else i.step
            ends = (LOW, HIGH) if step > 0 else (HIGH, LOW)
            start, stop = (e if v is None else v for v, e in zip((i.start, i.stop), ends, strict=True))
            return C.arr_index(C.ARR_INDEX_SLICE, 0, start, stop, step)
        if i is None:
            return C.arr_index(C.ARR_INDEX_NEW_AXIS)
        if i is Ellipsis:
            return C.arr_index(C.ARR_INDEX_ELLIPSIS)
        if isinstance(i, int) and not isinstance(i, bool):
            return C.arr_index(C.ARR_INDEX_INTEGER, 0, i)
        self.kept.append(i if isinstance(i, arrpy.Array) else report.array(np.asarray(i)))
        return C.arr_index(C.ARR_INDEX_ARRAY, 0, 0, 0, 0, self.kept[-1].handle)


def get(report, a, index, bounds="raise"):
    i = Indices(report, index)
    return make("arr_get_items", a.handle, i.count, i.rows, BOUNDS[bounds], None)


def put_items(report, a, index, x, bounds="raise"):
    i = Indices(report, index)
    call("arr_set_items", a.handle, i.count, i.rows, value(report, x), BOUNDS[bounds], None)


def update(report, name, a, index, x, bounds="raise"):
    i = Indices(report, index)
    v = None if x is None else value(report, x)
    call("arr_update_items", C.OPS[name][0], a.handle, i.count, i.rows, v, BOUNDS[bounds], None)


def value(report, x):
    kept = report.array(x) if isinstance(x, np.ndarray) else x
    v = ctypes.pointer(arrpy.value(kept))
    v.kept = kept
    return v


# ------------------------------------------------------------------------------------ index expressions


def shown(index):
    return "(" + ", ".join(f"{i.dtype}{list(i.shape)}" if isinstance(i, np.ndarray) else repr(i) for i in index) + ")"


def named_cases(report):
    """Indices of NumPy's documentation and tests, and those that the random cases seldom make."""
    a, i = np.arange(120).reshape(2, 3, 4, 5), np.array([1, 0])
    cases = [
        (0, slice(None), i),
        (slice(None), 0, i),
        (i, slice(None), i),
        (slice(None), i, 0),
        (slice(None), i, None, i),
        (slice(None), i, slice(None), i),
        (0, Ellipsis, i),
        (i, i, i, i),
        (Ellipsis, i),
        (np.array(True), i),
        (np.array(False),),
        (np.array(1), slice(None), 2),
        (a[..., 0] % 2 == 0,),
        (0, a[0, ..., 0] % 2 == 0),
        (slice(None), a[0, ..., 0] % 2 == 0, slice(1, 4)),
        (np.array([True, False]), slice(None), np.array([[3], [2]])),
        (),
    ]
    for index in cases if report.device == "host" else cases[:3] + cases[12:15]:
        compare(report, f"index {shown(index)}", get(report, report.array(a), index), a[index])
    if report.device == "host":
        for d in INTEGERS:
            compare(report, f"index of {d}", get(report, report.array(a), i.astype(d)), a[i])
        for d in oracle.ALL:
            x = oracle.sample((6, 5), d, 2)
            compare(report, f"gather of {d}", get(report, report.array(x), (i, slice(None, None, -1))), x[i, ::-1])
    many = np.arange(2**20).reshape((2,) * 20)
    index = tuple(np.array([0, 1, 1]) for _ in range(20))
    compare(report, "index of twenty axes", get(report, report.array(many), index), many[index])
    wide = report.array(np.arange(3)).broadcast_to((4, 3))
    compare(
        report, "index of a broadcast array", get(report, wide, (i, i)), np.broadcast_to(np.arange(3), (4, 3))[i, i]
    )
    view = report.array(a)
    put_items(report, get(report, view, (0, slice(1, 3), Ellipsis, 4)), (), 9)
    want = a.copy()
    want[0, 1:3, ..., 4] = 9
    compare(report, "basic indices are a view", view, want)


def duplicates(report):
    """The last value wins of what is set, and all count of what is updated."""
    r = np.random.default_rng(4)
    for n, m in ((5, 40), (300, 5000)):
        at, values = r.integers(-n, n, m), r.integers(0, 1000, m)
        want, dev = np.zeros(n, "i8"), report.array(np.zeros(n, "i8"))
        want[at] = values
        put_items(report, dev, at, values)
        compare(report, f"last of {m} in {n}", dev, want)
        np.add.at(want, at, values)
        update(report, "add", dev, at, values)
        compare(report, f"all of {m} in {n}", dev, want)
    want, dev = np.zeros((4, 6), "f4"), report.array(np.zeros((4, 6), "f4"))
    rows, values = np.array([1, 3, 1]), np.arange(18, dtype="f4").reshape(3, 6)
    want[rows] = values
    put_items(report, dev, rows, values)
    compare(report, "last of equal rows", dev, want)


def aliases(report):
    """Target, values and indices that share memory: values and indices are read as they were."""
    x = np.array([3, 1, 0, 2, 4])
    for label, take in (("itself", lambda a: a), ("its reverse", lambda a: a[::-1])):
        want, dev = x.copy(), report.array(x)
        want[take(want).copy()] = take(want).copy()
        put_items(report, dev, take(dev), take(dev))
        compare(report, f"values and indices are {label}", dev, want)
        want, dev = x.copy(), report.array(x)
        want[want > 1] = take(want).copy()[:3]
        put_items(report, dev, dev > 1, take(dev)[:3])
        compare(report, f"masked values are of {label}", dev, want)
        want, dev = x.copy(), report.array(x)
        np.put(want, [4, 0, 2], take(want).copy())
        call("arr_put", dev.handle, report.array(np.array([4, 0, 2])), value(report, take(dev)), 0, None)
        compare(report, f"put values are of {label}", dev, want)
        want, dev = x.copy(), report.array(x)
        np.place(want, want > 1, take(want).copy())
        call("arr_place", dev.handle, dev > 1, value(report, take(dev)), None)
        compare(report, f"placed values are of {label}", dev, want)


def refused(report):
    a = report.array(np.zeros((4, 5)))
    three = np.array([0, 1, 2])
    bad = [
        ("too many", C.ARR_E_SHAPE, (0, 0, 0)),
        ("two ellipses", C.ARR_E_ARGUMENT, (Ellipsis, Ellipsis)),
        ("a float", C.ARR_E_DTYPE, (np.array([0.0]),)),
        ("shapes", C.ARR_E_SHAPE, (three, np.array([0, 1]))),
        ("mask's extent", C.ARR_E_SHAPE, (np.ones((4, 4), bool),)),
        ("position", C.ARR_E_ARGUMENT, (0, 5)),
        ("integers", C.ARR_E_ARGUMENT, (slice(None), np.array([0, -6]))),
    ]
    for label, status, index in bad:
        report.check(f"index {label} refused", oracle.raises(status, lambda i=index: get(report, a, i).numpy()))
        report.check(f"set {label} refused", oracle.raises(status, lambda i=index: put_items(report, a, i, 1.0)))
    report.check("nothing was written", not a.numpy().any())
    for label, status, attempt in (
        ("value's shape", C.ARR_E_SHAPE, lambda: put_items(report, a, three, np.ones((2, 5)))),
        ("value's type", C.ARR_E_DTYPE, lambda: put_items(report, a, three, np.ones(5, "c16"))),
        ("mask's values", C.ARR_E_SHAPE, lambda: put_items(report, a, a.numpy() == 0, np.ones(3))),
        ("read-only", C.ARR_E_READONLY, lambda: put_items(report, a[:1].broadcast_to((4, 5)), three, 1.0)),
        ("update of three", C.ARR_E_ARGUMENT, lambda: update(report, "where", a, three, 1.0)),
        ("update without a value", C.ARR_E_ARGUMENT, lambda: update(report, "add", a, three, None)),
    ):
        report.check(f"{label} refused", oracle.raises(status, attempt))
    unknown = Indices(report, (slice(None),))
    unknown.rows[0].kind = 9
    attempt = lambda: make("arr_get_items", a.handle, 1, unknown.rows, 0, None)
    report.check("unknown kind refused", oracle.raises(C.ARR_E_ARGUMENT, attempt))
    report.check(
        "unknown bounds refused",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: make("arr_take", a.handle, report.array(three), 0, 5, None)),
    )


def recorded(report):
    """Inside of a recording scope target, values, masks and indices are not computed yet."""
    a, i = np.arange(6.0), np.array([0, 5, 1])
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    x = report.array(a) * report.array(np.float64(2))
    shifted = report.array(i) - report.array(np.int64(1))
    got = get(report, x, shifted)
    put_items(report, x, shifted, report.array(i) * report.array(np.int64(3)))
    put_items(report, x, x > report.array(np.float64(11)), -1.0)
    after = x + report.array(np.float64(1))
    arrpy.call("arr_fuse_end")
    want = a * 2
    compare(report, "recorded get", got, want[i - 1])
    want[i - 1] = i * 3
    want[want > 11] = -1
    compare(report, "recorded set", x, want)
    compare(report, "recorded reader", after, want + 1)


def main():
    report = oracle.Report(__doc__)
    for part in (named_cases, duplicates, aliases, refused, recorded):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
