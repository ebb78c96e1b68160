#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Elements inserted, deleted and replaced against NumPy 2."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from manipulation import axis_of, call, equal, layouts, of, types
from oracle import arrpy
from products import on

C = arrpy.c


def trims(report):
    cases = [
        [0, 0, 1, 0, 2, 0], [0, 0, 0], [], [1], [0], [3, 0, 0], [0, 0, 3],
        [[0, 0, 0], [0, 1, 0], [0, 0, 2], [0, 0, 0]], np.zeros((2, 3)), np.zeros((0, 3)), np.zeros((3, 0)),
        np.pad(np.ones((1, 2, 1)), 2),
    ]  # fmt: skip
    for k, case in enumerate(cases):
        for d in ("float32", "int8", "bool", "complex64"):
            a = np.asarray(case).astype(d)
            for trim, number in (("fb", 0), ("f", 1), ("b", 2)):
                for axis in (None,) if a.ndim == 1 else (None, 0, (0, 1)):
                    got = of("trim_zeros", report.array(a), number, *arrpy.axes_of(axis), None)
                    equal(report, f"trim_zeros {k} {d} {trim} {axis}", got, np.trim_zeros(a, trim, axis))
    odd = np.array([-0.0, np.nan, 0.0], "f8")
    equal(report, "trim_zeros nan", of("trim_zeros", report.array(odd), 0, 0, None, None), np.trim_zeros(odd))


def inserts(report):
    a = oracle.sample((4, 5), "float32", 1)
    for layout in layouts(report):
        x = on(report, a, layout)
        for axis, at in itertools.product((None, 0, 1, -1), (0, 2, 4, -1, -4)):
            for values in (np.float32(9), np.arange(3, dtype="f4")[:, None] if axis is not None else np.arange(3.0)):
                values = values.astype("f4")
                label = f"insert {layout} {axis} {at} {values.shape}"
                want = np.insert(a, at, values if axis != 0 or values.ndim == 0 else values[:, :1], axis)
                equal(report, label, of("insert", x, at, report.array(values), axis_of(axis), None), want)
        for at in ([], [1, 3], [4, 0, 0, 2], [-1, 1, -1], [2]):
            for axis in (None, 0, 1):
                values = np.arange(100, 100 + max(len(at), 1), dtype="f4")
                values = values[:, None] if axis == 0 else values
                if not at:
                    values = values[:1]
                want = np.insert(a, at, values, axis)
                got = of("insert_at", x, len(at), arrpy.int64s(at), report.array(values), axis_of(axis), None)
                equal(report, f"insert_at {layout} {at} {axis}", got, want)
        one = report.array(np.float32(5))
        got = of("insert_slice", x, 0, 4, 2, one, 0, None)
        equal(report, f"insert_slice {layout}", got, np.insert(a, slice(0, 4, 2), 5, 0))
    equal(
        report,
        "insert into nothing",
        of("insert", report.array(np.zeros(0, "f4")), 0, report.array(np.ones(2, "f4")), 0, None),
        np.ones(2, "f4"),
    )


def deletes(report):
    a = oracle.sample((4, 5), "int16", 1)
    wide = oracle.sample((2, 200), "int16", 1)
    for layout in layouts(report):
        x = on(report, a, layout)
        for at in ([], [0], [3, 1], [-1, 0, 0], [1, -3, 1]):
            for axis in (None, 0, -1):
                got = of("delete", x, len(at), arrpy.int64s(at), axis_of(axis), None)
                equal(report, f"delete {layout} {at} {axis}", got, np.delete(a, at, axis))
        for start, stop, step in ((0, 2, 1), (None, None, 2), (3, 0, -1), (None, None, -2), (2, 2, 1), (-2, 99, 1)):
            ends = [(arrpy.INT64_MIN if e is None else e) for e in (start,)]
            ends.append((arrpy.INT64_MAX if step > 0 else arrpy.INT64_MIN) if stop is None else stop)
            if start is None and step < 0:
                ends[0] = arrpy.INT64_MAX
            for axis in (None, 0, 1):
                got = of("delete_slice", x, *ends, step, axis_of(axis), None)
                want = np.delete(a, slice(start, stop, step), axis)
                equal(report, f"delete_slice {layout} {start} {stop} {step} {axis}", got, want)
        y = on(report, wide, layout)
        for many in (list(range(0, 200, 3)), [-1, *range(150, 0, -2)]):
            for axis in (1, None):
                got = of("delete", y, len(many), arrpy.int64s(many), axis_of(axis), None)
                equal(report, f"delete {layout} many {axis}", got, np.delete(wide, many, axis))
            got = of("delete", y.transpose(), len(many), arrpy.int64s(many), 0, None)
            equal(report, f"delete {layout} many rows", got, np.delete(wide.T, many, 0))


def copies(report):
    for d in types(report, ["float32", "float16"]):
        a, b = oracle.sample((3, 4), d, 1), oracle.sample((3, 1), d, 2)
        mask = oracle.sample((4,), "bool", 3)
        for layout in layouts(report):
            x = on(report, a, layout)
            call("copyto", x, report.array(b), C.ARR_CAST_SAME_KIND, report.array(mask), None)
            want = a.copy()
            np.copyto(want, b, where=mask)
            equal(report, f"copyto {d} {layout}", x, want)
            call("copyto", x, report.array(b), C.ARR_CAST_SAME_KIND, None, None)
            equal(report, f"copyto {d} {layout} all", x, np.broadcast_to(b, a.shape))
    x = report.array(np.zeros(3, "i4"))
    call("copyto", x, report.array(np.array([1.5, -2.5, 3])), C.ARR_CAST_UNSAFE, None, None)
    equal(report, "copyto unsafe", x, np.array([1, -2, 3], "i4"))
    line = np.arange(8.0)
    x = report.array(line)
    call("copyto", x[1:], x[:-1], 0, report.array(line[1:] % 2 == 0), None)
    np.copyto(line[1:], line[:-1].copy(), where=line[1:] % 2 == 0)
    equal(report, "copyto overlapping", x, line)


def orders(report):
    column = report.array(np.asfortranarray(np.ones((3, 4))))
    report.check("order of delete", list(of("delete", column, 1, arrpy.int64s([0]), 1, None).strides) == [1, 3])
    x = np.asfortranarray(np.arange(600.0).reshape(3, 200))
    got = of("delete", report.array(x), 67, arrpy.int64s(list(range(0, 200, 3))), 1, None)
    equal(report, "delete many of columns", got, np.delete(x, range(0, 200, 3), 1))
    report.check("order of delete of many", list(got.strides) == [1, 3])


def refused(report):
    v, m = report.array(np.ones(3)), report.array(np.ones((3, 4)))
    number, whole = report.array(np.float64(1)), report.array(np.arange(3))
    i64 = arrpy.int64s
    cases = [
        ("trim_zeros", C.ARR_E_ARGUMENT, lambda: of("trim_zeros", v, 3, 0, None, None)),
        ("insert", C.ARR_E_ARGUMENT, lambda: of("insert", v, 4, number, 0, None)),
        ("insert type", C.ARR_E_DTYPE, lambda: of("insert", whole, 0, number, 0, None)),
        ("insert values", C.ARR_E_SHAPE, lambda: of("insert_at", v, 2, i64([0, 1]), v, 0, None)),
        ("insert dimensions", C.ARR_E_SHAPE, lambda: of("insert", v, 0, m, 0, None)),
        ("insert step", C.ARR_E_ARGUMENT, lambda: of("insert_slice", v, 0, 1, 0, number, 0, None)),
        ("delete", C.ARR_E_ARGUMENT, lambda: of("delete", v, 1, i64([3]), 0, None)),
        ("delete low", C.ARR_E_ARGUMENT, lambda: of("delete", v, 1, i64([-4]), 0, None)),
        ("copyto type", C.ARR_E_DTYPE, lambda: call("copyto", whole, v, 0, None, None)),
        ("copyto shape", C.ARR_E_SHAPE, lambda: call("copyto", v, m, 0, None, None)),
        ("copyto mask", C.ARR_E_DTYPE, lambda: call("copyto", v, v, 0, v, None)),
        ("copyto readonly", C.ARR_E_READONLY, lambda: call("copyto", number.broadcast_to((3,)), v, 0, None, None)),
    ]
    for label, status, work in cases:
        report.check(f"refuses {label}", oracle.raises(status, work))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((trims, inserts, deletes, copies, orders, refused)):
        part(r)
    r.finish()
