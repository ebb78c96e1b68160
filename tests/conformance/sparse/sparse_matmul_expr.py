#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products of sparse matrices with an expression against the product and the expression one after the other."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from sparse import types, unchanged
from sparse_matrix import Sparse, cases, coordinates, numbers, unsorted_compressed

import arrexpr
import oracle
from oracle import arrpy, raises

C = arrpy.c


def finished(a, x, e, *arrays, node=None):
    node = e.node if node is None else node
    return arrpy.made(
        "arr_sparse_matmul_expr", a.handle, x.handle, e.handle, node, len(arrays), arrexpr.handles(arrays), None
    )


def same(report, label, got, want):
    good = got.dtype == want.dtype and got.shape == want.shape and oracle.same(got, want)
    report.check(label, good, f"{got.dtype} {got.shape} {want.dtype} {want.shape}\n{got}\n{want}")


def expressions():
    """text, shapes of the further inputs for a product of shape s."""
    yield "y + 1", lambda s: ()
    yield "maximum(y, 0) * b", lambda s: (s,)
    yield "y * y - b * c", lambda s: ((1,) * len(s), s[-1:])
    yield "where(y == b, c, y)", lambda s: ((s[0],) + (1,) * (len(s) - 1), ())


def small(report):
    for d in types(report):
        for name, m in cases(d):
            label = f"expr {name} {d}"
            if not report.wants(label):
                continue
            a = Sparse.of(m, report.device)
            for columns in ((), (3,)):
                x = report.array(numbers((m.shape[1], *columns), d, 5))
                for text, shapes in expressions():
                    if d.startswith("complex") and "maximum" in text or d == "bool" and "-" in text:
                        continue
                    e = arrexpr.parse(text, "y", "b", "c")
                    others = [report.array(numbers(s, d, 6 + i)) for i, s in enumerate(shapes((m.shape[0], *columns)))]
                    got = finished(a, x, e, *others).numpy()
                    want = e.run(a @ x, *others).numpy()
                    same(report, f"{label} {text} {columns}", got, want)
            report.check(f"{label} kept", unchanged(a, m))


def large(report):
    """Matrices of which some rows at a time are multiplied."""
    rows = 200_000 if report.device == "host" else 3000
    sigmoid = arrexpr.parse("1 / (1 + exp(-(y + b)))", "y", "b")
    for form, d in (("csr", "float32"), ("coo", "float64"), ("csc", "float64"), ("csr", "int32"), ("csr", "float16")):
        shape = (rows, 300)
        m = coordinates(shape, 2 * rows, d, 1) if form == "coo" else unsorted_compressed(shape, 2 * rows, d, 1, form)
        a = Sparse.of(m, report.device)
        for columns in ((), (5,)):
            label = f"large {form} {d} {columns}"
            if not report.wants(label):
                continue
            x = report.array(numbers((300, *columns), d, 2))
            for kind, s in (("all", (rows, *columns)), ("row", columns), ("column", (rows,) + (1,) * len(columns))):
                b = report.array(numbers(s, d, 3))
                # An exponential may differ by its position in a vector, in the last bit.
                got, want = finished(a, x, sigmoid, b).numpy(), sigmoid.run(a @ x, b).numpy()
                close = np.allclose(got.astype("f8"), want.astype("f8"), 1e-3 if d == "float16" else 3e-7, 0)
                report.check(f"{label} {kind}", got.dtype == want.dtype and got.shape == want.shape and close)


def positions(report):
    """Expressions that see the whole result: indices and gathers."""
    rows = 150_000
    m = unsorted_compressed((rows, 50), rows, "float64", 4)
    a, x = Sparse.of(m, report.device), report.array(numbers(50, "float64", 5))
    e = arrexpr.Expr()
    y, i = e.input(0), e.index(0)
    e.node = e.op("add", y, i)
    same(report, "index", finished(a, x, e).numpy(), (a @ x).numpy() + np.arange(rows))
    e = arrexpr.Expr()
    y, at = e.input(0), e.input(1)
    e.node = e.op("add", y, e.gather(0, at))
    back = np.arange(rows)[::-1].copy()
    product = (a @ x).numpy()
    same(report, "gather", finished(a, x, e, report.array(back)).numpy(), product + product[::-1])


def refused(report):
    a = Sparse.of(coordinates((3, 4), 5, "float64", 1), report.device)
    x, e = report.array(np.ones(4)), arrexpr.parse("y + b", "y", "b")
    b = report.array(np.ones(3))
    for label, status, call in (
        ("in", C.ARR_E_SHAPE, lambda: finished(a, x, e, report.array(np.ones((2, 3))))),
        ("x", C.ARR_E_SHAPE, lambda: finished(a, b, e, b)),
        ("node", C.ARR_E_ARGUMENT, lambda: finished(a, x, e, b, node=99)),
        ("missing", C.ARR_E_ARGUMENT, lambda: finished(a, x, e)),
        ("nin", C.ARR_E_ARGUMENT, lambda: finished(a, x, e, *[b] * 1024)),
    ):
        report.check(f"refused {label}", raises(status, call))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([small, large, positions, refused]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
