#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products of stacks of small matrices: every width of a row, all layouts of operands and result. The elements are
small integers, so that sums are exact in any order."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

DTYPES = ("float32", "float64", "complex64", "complex128")
# Layouts: the memory for a stack, and the view of that memory which is the stack.
LAYOUTS = {
    "C": (lambda x: x, lambda v: v),
    "transposed": (lambda x: x.swapaxes(1, 2), lambda v: v.transpose(0, 2, 1)),
    "every second column": (lambda x: np.repeat(x, 2, 2), lambda v: v[..., ::2]),
    "rows from the last": (lambda x: x[:, ::-1], lambda v: v[:, ::-1]),
    "stack from the last": (lambda x: x[::-1], lambda v: v[::-1]),
    "stack inside": (lambda x: np.moveaxis(x, 0, 2), lambda v: v.transpose(2, 0, 1)),
}


def on_device(report, x, layout):
    memory, view = LAYOUTS[layout]
    return view(report.array(np.ascontiguousarray(memory(x))))


def integers(shape, d, seed):
    r = np.random.default_rng(seed)
    x = r.integers(-4, 5, shape).astype(d)
    return x + 1j * r.integers(-4, 5, shape).astype(d) if d.startswith("c") else x


def check(report, label, a, b, x, y, out=None):
    got = arrpy.matmul(x, y, out=out) if out is not None else arrpy.matmul(x, y)
    # Not bit by bit: zeros have the sign that the order of the sum gives them.
    report.check(label, got.numpy().dtype == a.dtype and np.array_equal(got.numpy(), np.matmul(a, b)))


def widths(report):
    """Each number of rows, columns and sums up to a little more than the loops take."""
    extents = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33)
    few = (1, 2, 3, 4, 7, 33)
    for d in DTYPES:
        for n in extents:
            for m, k in itertools.product(few, few):
                if report.device != "host" and (m != k or n > 4):
                    continue
                a, b = integers((5, m, k), d, m), integers((5, k, n), d, n)
                check(report, f"{d} {m} {k} {n}", a, b, report.array(a), report.array(b))


def layouts(report):
    for d in DTYPES if report.device == "host" else ("float32",):
        for m, k, n in ((3, 4, 5), (4, 4, 4), (1, 3, 9), (9, 2, 1)):
            a, b = integers((6, m, k), d, m), integers((6, k, n), d, n)
            for of_a, of_b in itertools.product(LAYOUTS, LAYOUTS):
                x, y = on_device(report, a, of_a), on_device(report, b, of_b)
                label = f"{d} {m} {k} {n}: {of_a} by {of_b}"
                check(report, label, a, b, x, y)
                for of_out in LAYOUTS:
                    out = on_device(report, np.zeros((6, m, n), d), of_out)
                    check(report, f"{label} to {of_out}", a, b, x, y, out)


def stacks(report):
    """Stacks along several axes, and one matrix by a stack."""
    shapes = [
        ((3, 3), (7, 3, 3)),
        ((7, 3, 3), (3, 3)),
        ((2, 1, 4, 4), (1, 5, 4, 4)),
        ((2, 5, 4, 4), (5, 4, 4)),
        ((3, 0, 2, 2), (0, 2, 2)),
        ((7, 3, 3), (3,)),
        ((3,), (7, 3, 3)),
        ((4, 4), (4, 4)),
        ((5000, 2, 2), (5000, 2, 2)),
    ]
    for d in DTYPES if report.device == "host" else ("float32",):
        for k, (of_a, of_b) in enumerate(shapes):
            a, b = integers(of_a, d, k), integers(of_b, d, k + 50)
            check(report, f"{d} {of_a} by {of_b}", a, b, report.array(a), report.array(b))
        a, b = integers((4, 6, 3, 3), d, 1), integers((6, 4, 3, 3), d, 2).swapaxes(0, 1)
        y = report.array(np.ascontiguousarray(b.swapaxes(0, 1))).transpose(1, 0, 2, 3)
        check(report, f"{d} axes of the stack in another order", a, b, report.array(a), y)


def special(report):
    """NaN and infinity reach the elements that they reach in NumPy."""
    for d in ("float32", "float64"):
        for n in (1, 3, 4, 8, 11):
            a, b = integers((4, n, n), d, n), integers((4, n, n), d, n + 1)
            a[0, 0, 0], a[1, -1, 0], b[2, 0, -1], b[3, -1, -1] = np.nan, np.inf, -np.inf, np.nan
            with np.errstate(invalid="ignore"):
                want = np.matmul(a, b)
            got = arrpy.matmul(report.array(a), report.array(b)).numpy()
            report.check(f"{d} {n}", np.array_equal(got, want, equal_nan=True), f"{got} {want}")


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((widths, layouts, stacks, special)):
        part(r)
    r.finish()
