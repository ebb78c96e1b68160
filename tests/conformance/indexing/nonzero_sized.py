#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Selections into arrays of a given extent against NumPy: room for none, some, all and more, any axis and strides,
destinations in the memory of what is read, refused arguments."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from indexing import call, compare, handles, value
from masks import expected, mask_of, none_but, numbers, put_by
from oracle import arrpy

C = arrpy.c


def sized(report):
    for n in (0, 1, 100, 4096, 9000):
        for density in ("none", "half", "all"):
            m, x = mask_of(n, density), numbers(n, "float32")
            total = int(m.sum())
            for capacity in sorted({0, 1, max(total - 3, 0), total, total + 5}):
                label = f"{n} {density} {capacity}"
                if not report.wants(label):
                    continue
                count, dst = none_but(report), report.array(np.zeros(capacity, "i8"))
                call("arr_flatnonzero_sized", dst, count, report.array(m), -1, None)
                compare(report, f"flatnonzero_sized {label}", dst, expected(np.flatnonzero(m), capacity, -1, "i8"))
                compare(report, f"count {label}", count, np.int64(total))
                count, dst = none_but(report), report.array(np.zeros(capacity, "f8"))
                call("arr_extract_sized", dst, count, report.array(m), report.array(x), value(report, 2.5), None)
                compare(report, f"extract_sized {label}", dst, expected(x[m], capacity, 2.5, "f8"))
                compare(report, f"extract count {label}", count, np.int64(total))
    for shape in ((40, 50), (6, 7, 8)):
        m = mask_of(shape, "half")
        total = int(m.sum())
        for capacity in (0, 5, total, total + 3):
            count, dst = none_but(report), report.array(np.zeros((capacity, m.ndim), "i8"))
            call("arr_argwhere_sized", dst, count, report.array(m), -2, None)
            compare(report, f"argwhere_sized {shape} {capacity}", dst, expected(np.argwhere(m), capacity, -2, "i8"))
            count, dsts = none_but(report), [report.array(np.zeros(capacity, "i8")) for _ in shape]
            call("arr_nonzero_sized", m.ndim, handles(dsts), count, report.array(m), -3, None)
            for got, want in zip(dsts, np.nonzero(m), strict=True):
                compare(report, f"nonzero_sized {shape} {capacity}", got, expected(want, capacity, -3, "i8"))
            compare(report, f"nonzero count {shape} {capacity}", count, np.int64(total))


def sized_slices(report):
    x = numbers((30, 40), "int32")
    for axis in (0, 1, None):
        extent = x.size if axis is None else x.shape[axis]
        for n in (0, extent - 4, extent, extent + 6):
            c = mask_of(n, "half", n)
            picked = np.compress(c[:extent], x, axis)
            total = int(c[:extent].sum())
            for capacity in (0, max(total - 2, 0), total + 4):
                shape = [capacity] if axis is None else [capacity if d == axis else e for d, e in enumerate(x.shape)]
                want = np.full(shape, -9, "f4")
                some = min(capacity, total)
                at = tuple(slice(0, some) if d == (axis or 0) else slice(None) for d in range(len(shape)))
                want[at] = picked[at]
                for label, view in (("C", lambda a: a), ("T", lambda a: a.T.copy().T), ("step", lambda a: a[:, ::2])):
                    count, dst = none_but(report), report.array(np.zeros(shape, "f4"))
                    if axis is not None and label == "step":
                        dst = report.array(np.zeros((shape[0], 2 * shape[1]), "f4"))[:, ::2]
                    number = C.ARR_AXIS_NONE if axis is None else axis
                    source = report.array(x) if label != "T" else report.array(np.asfortranarray(x))
                    call("arr_compress_sized", dst, count, report.array(c), source, number, value(report, -9), None)
                    compare(report, f"compress_sized {axis} {n} {capacity} {label}", dst, want)
                    compare(report, f"compress count {axis} {n} {capacity} {label}", count, np.int64(total))


def shared(report):
    """A destination in the memory of what is read."""
    x = numbers(5000, "float32")
    m, dev = x > 60, report.array(x)
    count = none_but(report)
    call("arr_extract_sized", dev[:3000], count, report.array(m), dev, value(report, 0), None)
    want = x.copy()
    want[:3000] = expected(x[m], 3000, 0, "f4")
    compare(report, "extract_sized over its array", dev, want)
    whole = np.arange(3000) % 3
    indices = report.array(whole)
    call("arr_flatnonzero_sized", indices, count, indices, -1, None)
    compare(report, "flatnonzero_sized over its array", indices, expected(np.flatnonzero(whole), 3000, -1, "i8"))
    y = numbers(5000, "float32")
    dev = report.array(y)
    put_by(dev, dev > report.array(np.float32(60)), value(report, dev[: int((y > 60).sum())]))
    want = y.copy()
    want[y > 60] = y[: int((y > 60).sum())].copy()
    compare(report, "set from its own memory", dev, want)


def refused(report):
    x, m = report.array(np.arange(9.0)), report.array(np.arange(9) % 2 == 0)
    count, dst = none_but(report), report.array(np.zeros(4, "i8"))
    narrow, line = report.array(np.zeros(4, "i4")), report.array(np.zeros(1, "i8"))
    rest = value(report, 0)
    cases = {
        "dst dtype": (C.ARR_E_DTYPE, lambda: call("arr_flatnonzero_sized", narrow, count, m, 0, None)),
        "dst shape": (C.ARR_E_SHAPE, lambda: call("arr_flatnonzero_sized", count, count, m, 0, None)),
        "count shape": (C.ARR_E_SHAPE, lambda: call("arr_flatnonzero_sized", dst, line, m, 0, None)),
        "count dtype": (
            C.ARR_E_DTYPE,
            lambda: call("arr_flatnonzero_sized", dst, report.array(np.float64(0)), m, 0, None),
        ),
        "count broadcast": (
            C.ARR_E_READONLY,
            lambda: call("arr_flatnonzero_sized", line.broadcast_to((4,)), count, m, 0, None),
        ),
        "columns": (
            C.ARR_E_SHAPE,
            lambda: call("arr_argwhere_sized", report.array(np.zeros((4, 2), "i8")), count, m, 0, None),
        ),
        "number of vectors": (
            C.ARR_E_ARGUMENT,
            lambda: call("arr_nonzero_sized", 2, handles([dst, dst]), count, m, 0, None),
        ),
        "no dimensions": (C.ARR_E_SHAPE, lambda: call("arr_nonzero_sized", 0, None, count, count, 0, None)),
        "cast": (C.ARR_E_DTYPE, lambda: call("arr_extract_sized", dst, count, m, x, rest, None)),
        "extract shape": (
            C.ARR_E_SHAPE,
            lambda: call("arr_extract_sized", report.array(np.zeros((2, 2))), count, m, x, rest, None),
        ),
        "compress shape": (
            C.ARR_E_SHAPE,
            lambda: call("arr_compress_sized", report.array(np.zeros((2, 2))), count, m, x, 0, rest, None),
        ),
        "condition": (
            C.ARR_E_SHAPE,
            lambda: call("arr_compress_sized", dst, count, report.array(np.ones((3, 3))), dst, 0, rest, None),
        ),
    }
    for label, (status, attempt) in cases.items():
        report.check(f"refused: {label}", oracle.raises(status, attempt))
    compare(report, "count of refused calls", count, np.int64(-77))


def main():
    report = oracle.Report(__doc__)
    for part in (sized, sized_slices, shared, refused):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
