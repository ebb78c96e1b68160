#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes into arrays whose strides interleave but have no element in common, and refusals where some have, against
NumPy: every place counts, and no other place changes."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
# shape, strides in elements, the first element
LAYOUTS = [
    ((2, 3), (3, 2), 0),
    ((3, 4), (7, 5), 0),
    ((2, 2, 2), (3, 2, 8), 0),
    ((4, 3), (-5, 3), 20),
    ((2, 3), (2, -3), 10),
    ((60, 80), (81, 59), 0),
    ((500, 700), (701, 499), 0),
]
SAME = [((2, 3), (2, 2)), ((6, 8), (7, 5)), ((2, 2), (0, 1)), ((3, 3, 3), (4, 2, 6))]


def call(name, *arguments):
    arrpy.call(name, *arguments)


def value(x):
    return ctypes.byref(arrpy.value(x))


def numbers(shape, d):
    return (np.arange(np.prod(shape, dtype=int)) % 50 + 1).reshape(shape).astype(d)


def set_everything(report, a, x):
    row = C.arr_index()
    row.kind = C.ARR_INDEX_ELLIPSIS
    kept = report.array(x)
    call("arr_set_items", a.handle, 1, ctypes.byref(row), value(kept), 0, None)


def set_rows(report, a, x):
    kept, list_of = report.array(x[::-1].copy()), report.array(np.arange(len(x))[::-1].copy())
    row = C.arr_index()
    row.kind, row.array = C.ARR_INDEX_ARRAY, list_of.handle.value
    call("arr_set_items", a.handle, 1, ctypes.byref(row), value(kept), 0, None)


def copied(report, a, x):
    kept, mask = report.array(x), report.array(np.ones(x.shape, bool))
    call("arr_copyto", a.handle, kept.handle, C.ARR_CAST_SAME_KIND, mask.handle, None)


def masked(report, a, x):
    kept, mask = report.array(x), report.array(np.ones(x.shape, bool))
    call("arr_putmask", a.handle, mask.handle, value(kept), None)


def added_at(report, a, x):
    kept, rows = report.array(x), report.array(np.arange(len(x)))
    arrpy.at("add", a, [rows], kept)


def assigned(report, a, x):
    kept = report.array(x)
    call("arr_assign", a.handle, kept.handle, None)


def in_place(report, a, x):
    arrpy.apply("add", a, report.array(x), out=a)


# name -> writes x into an array of zeros
WRITES = {
    "assign": assigned,
    "add into": lambda report, a, x: arrpy.apply("subtract", report.array(x), report.array(x * 0), out=a),
    "add in place": in_place,
    "set_items": set_everything,
    "set_items rows": set_rows,
    "copyto": copied,
    "putmask": masked,
    "ufunc_at": added_at,
    "sum into": lambda report, a, x: arrpy.reduce("sum", report.array(x[..., None]), x.ndim, out=a),
}


def strided(a, shape, strides, first):
    start = a[first:]
    return arrpy.made("arr_as_strided", start.handle, len(shape), arrpy.int64s(shape), arrpy.int64s(strides))


def writes(report):
    host = report.device == "host"
    for shape, strides, first in LAYOUTS if host else [*LAYOUTS[:2], *LAYOUTS[4:6]]:
        offsets = first + sum(i * s for i, s in zip(np.indices(shape), strides))
        assert len(np.unique(offsets)) == offsets.size
        for d in ("int8", "float32", "float64", "complex128") if host else ("float64",):
            for name, write in WRITES.items():
                x = numbers(shape, d)
                base = report.array(np.zeros(int(offsets.max()) + 9, d))
                a = strided(base, shape, strides, first)
                label = f"{name} {d} {shape} by {strides}"
                report.check(f"{label} may be written", not a.flags & C.ARR_FLAG_READONLY)
                want = np.zeros(int(offsets.max()) + 9, d)
                want[offsets] = x
                write(report, a, x)
                report.check(label, oracle.same(base.numpy(), want))
                report.check(f"{label} read", oracle.same(a.numpy(), x))
            call("arr_fill", a.handle, value(7), None)
            want[offsets] = 7
            report.check(f"fill {d} {shape} by {strides}", oracle.same(base.numpy(), want))


def refused(report):
    """Writes are refused if elements are the same memory; the text says so."""
    for shape, strides in SAME:
        base = report.array(np.zeros(128))
        a = strided(base, shape, strides, 0)
        report.check(f"{shape} by {strides} is read-only", bool(a.flags & C.ARR_FLAG_READONLY))
        good = oracle.raises(C.ARR_E_READONLY, lambda a=a: call("arr_fill", a.handle, value(1), None))
        report.check(f"fill {shape} by {strides} refused", good and not base.numpy().any())
    if report.device != "host":
        return
    memory = np.zeros(64)
    for shape, strides, told in (((2, 3), (2, 2), "several of its elements are the same memory"), ((2, 3), (3, 2), "")):
        a = arrpy.wrap(np.lib.stride_tricks.as_strided(memory, shape, [8 * s for s in strides]))
        try:
            call("arr_fill", a.handle, value(1), None)
            message = ""
        except arrpy.Error as e:
            message = str(e)
        report.check(f"wrapped {shape} by {strides}", message.endswith(told) and bool(message) == bool(told), message)


if __name__ == "__main__":
    rep = oracle.Report(__doc__)
    for part in (writes, refused):
        part(rep)
    rep.finish()
