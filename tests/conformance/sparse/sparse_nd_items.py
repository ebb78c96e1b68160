#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Indexing, joining and indices of extrema of sparse arrays of any number of dimensions, against dense ones."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from sparse import types
from sparse_matrix import Sparse, coordinates, indices_of
from sparse_nd import Coo, coords, make, matches, permute, shape_of

import oracle
from oracle import arrpy, raises

C = arrpy.c
A = np.array
# Expressions of slices, integers and new axes for each shape; arrays are made on the device.
EXPRESSIONS = {
    (9,): (
        (slice(2, 7),),
        (slice(None, None, -2),),
        (3,),
        (-1,),
        (None, slice(None)),
        (A([8, 0, 0, -1]),),
        (A([[1, 2]]),),
    ),
    (4, 5): (
        (1,),
        (slice(None), 2),
        (-2, -3),
        (slice(3, None, -2), slice(1, None, 3)),
        (A([0, 3, 3]), A([1, 4, -1])),
        (slice(None), A([[4, 0], [2, 2]])),
        (A([[True, False, True, True, False]] * 4),),
        (None, A([1, 2]), None, slice(4, 1, -1)),
    ),
    (3, 4, 5): (
        (),
        (Ellipsis,),
        (2,),
        (Ellipsis, 1),
        (1, 2, 3),
        (slice(None), slice(3, 0, -1), slice(None, None, 2)),
        (slice(5, 1), Ellipsis),
        (None, 0, Ellipsis, None, slice(1, 4)),
        (A([2, 0, 2]),),
        (slice(None), A([3, -1])),
        (A([[0], [2]]), slice(None), A([1, 4, 1])),
        (A([0, 1]), 2, slice(None, None, -1)),
        (0, slice(None), A([[1, 3], [0, 0]])),
        (A([0, 2]), A([1, 3]), A([4, -5])),
        (slice(1, None), A([True, False, True, True])),
        (A([True, False, True]), A([0, 3]), None),
        (A(1), slice(None), A([0, 4])),
        (A(True), 1),
        (A(False),),
        (A([], int),),
        (A(np.arange(12).reshape(3, 4) % 5 == 1),),
        (slice(None), A(np.arange(20).reshape(4, 5) % 3 == 1)),
        (A(np.arange(60).reshape(3, 4, 5) % 2 == 1),),
        (A(np.zeros((3, 4, 5), bool)),),
    ),
    (2, 0, 3): ((0,), (slice(None), A([], int)), (Ellipsis, 2), (A([1, 1]),)),
    (1, 1, 1): ((0, 0, 0), (A([0, -1]),), (slice(None, None, -1), None), (A([True]), 0)),
    (2, 3, 1, 4): (
        (1, Ellipsis, slice(None, None, -1)),
        (A([1, 0]), slice(None, None, -1), 0, A([3, 1])),
        (slice(None), A([2, 0, 1]), Ellipsis),
        (Ellipsis, A(np.arange(4).reshape(1, 4) > 1)),
    ),
    (2, 1, 3, 2, 2): ((Ellipsis, A([1]), slice(None)), (slice(None), 0, A([2, 1]), None, A([[1], [0]]))),
    (2,) * 9: ((0, A([1, 0, 1]), Ellipsis, A([0, 0, 1]), slice(None, None, -1)), (Ellipsis, 1, None, 0)),
}


def items(a, *indices):
    return Sparse.made("arr_sparse_get_items_nd", a.handle, len(indices), indices_of(*indices), None)


def joined(parts, axis, name="concatenate_nd"):
    handles = (C.arr_sparse * len(parts))(*(p.handle for p in parts))
    return Sparse.made(f"arr_sparse_{name}", len(parts), handles, axis, None)


def on_device(report, indices, d="int64"):
    """The expression with arrays of that type on the device."""
    return [report.array(i if i.dtype == bool else i.astype(d)) if isinstance(i, np.ndarray) else i for i in indices]


def indexed(report):
    for d in types(report):
        for shape, expressions in EXPRESSIONS.items():
            if report.device != "host" and (d != "float64" or len(shape) > 4):
                expressions = expressions[::5]  # each compiles kernels on CUDA
            for k, indices in enumerate(expressions):
                label = f"{d} {shape} {k}"
                if not report.wants(label):
                    continue
                m = Coo(shape, d, 1)
                a, want = m.made(report.device), m.dense()[indices]
                got = items(a, *on_device(report, indices))
                matches(report, label, got, want if want.ndim else want.reshape(1))
                again = items(a.sum_duplicates(), *on_device(report, indices, "int8"))
                matches(report, f"{label} canonical", again, want if want.ndim else want.reshape(1))
                report.check(f"{label} in order", again.canonical() in (oracle_order(again), True))
                kept = [np.array_equal(coords(a, i), c) for i, c in enumerate(m.coords)]
                report.check(f"{label} kept", all(kept) and np.array_equal(a.part("data").numpy(), m.data))


def with_items(a, block, *indices):
    return Sparse.made("arr_sparse_with_items_nd", a.handle, len(indices), indices_of(*indices), block.handle, None)


def replaced(report):
    for d in types(report):
        for shape, expressions in EXPRESSIONS.items():
            if report.device != "host":
                expressions = expressions[:: 4 if d == "float64" else 9]  # each compiles kernels on CUDA
            for k, indices in enumerate(expressions):
                label = f"replaced {d} {shape} {k}"
                if not report.wants(label):
                    continue
                m = Coo(shape, d, 1)
                want = m.dense()
                part = want[indices].shape or (1,)
                block = Coo(part, d, k + 5)
                a, x = m.made(report.device), block.made(report.device)
                want[indices] = block.dense() if want[indices].shape else block.dense()[0]
                got = with_items(a, x, *on_device(report, indices))
                matches(report, label, got, want)
                report.check(f"{label} canonical", got.canonical() and oracle_order(got))
                report.check(f"{label} kept", np.array_equal(a.part("data").numpy(), m.data))
    m = coordinates((6, 8), 30, "float64", 1)
    for form in ("coo", "csr", "csc"):
        want, block = m.dense(), Coo((2, 8), "float32", 3)
        want[[4, 1]] = block.dense()
        a = Sparse.of(m, report.device).convert(form)
        matches(report, f"replaced in {form}", with_items(a, block.made(report.device), report.array(A([4, 1]))), want)
    a, ones = (Coo(s, "float64", 1).made(report.device) for s in ((3, 4, 5), (4, 5)))
    whole = Coo((4, 5), "complex64", 1).made(report.device)
    report.check("refused block", raises(C.ARR_E_SHAPE, lambda: with_items(a, ones, slice(0, 1))))
    report.check("refused dtype", raises(C.ARR_E_DTYPE, lambda: with_items(a, whole, 0)))
    report.check("refused index", raises(C.ARR_E_ARGUMENT, lambda: with_items(a, ones, 3)))


def oracle_order(a):
    """True if the elements are in row-major order, none twice."""
    at = np.ravel_multi_index([coords(a, i) for i in range(len(shape_of(a)))], shape_of(a)) if a.info().nnz else []
    return bool(np.all(np.diff(at) > 0))


def against_scipy(report):
    m = Coo((3, 4, 5), "float64", 2)
    a, s, compared = m.made(report.device), m.scipy(), 0
    for k, indices in enumerate(EXPRESSIONS[3, 4, 5]):
        try:
            want = s[indices]
        except (IndexError, ValueError):
            continue  # SciPy 1.17 fails for some that NumPy takes: an integer apart from arrays, arrays of no dimension
        compared += 1
        got = items(a, *on_device(report, indices)).dense().numpy()
        report.check(f"scipy {k}", np.array_equal(got, want.toarray() if got.shape == want.shape else [want]))
    report.check("scipy compared", compared >= 12, f"{compared} of {len(EXPRESSIONS[3, 4, 5])}")
    for axis in (0, 1, 2, -1, None):
        for name in ("argmax", "argmin"):
            report.check(f"scipy {name} {axis}", np.array_equal(arg(a, name, axis), getattr(s, name)(axis=axis)))


def formats(report):
    m = coordinates((6, 8), 30, "float64", 1)
    dense = m.dense()
    for form in ("coo", "csr", "csc"):
        a = Sparse.of(m, report.device).convert(form)
        for indices in ((2,), (slice(None), A([7, 0])), (A([1, 5]), A([3, -1])), (slice(None, None, -1), None)):
            matches(report, f"items of {form} {indices}", items(a, *on_device(report, indices)), dense[indices])
        b = Sparse.of(m, report.device)
        matches(report, f"stack of {form}", joined([a, b], 1, "stack"), np.stack([dense] * 2, 1))
        matches(report, f"concatenate of {form}", joined([a, b], -1), np.concatenate([dense] * 2, 1))
    large = (2**31, 2**20, 2**10)
    a = make(large, np.ones(2), ([5, 2**31 - 1], [2**20 - 1, 7], [1, 1023]), report.device)
    got = items(a, slice(None, None, -1), slice(7, None, 2**20 - 8), report.array(A([1023, 1])))
    at = [coords(got, i).tolist() for i in range(3)]
    report.check("items of large extents", at == [[2**31 - 6, 0], [1, 0], [1, 0]] and shape_of(got) == (2**31, 2, 2))
    rows = make((2**62 - 1,), np.ones(3), ([0, 5, 2**62 - 2],), report.device)
    got = items(rows, slice(None, None, 2**62 - 2))
    report.check("items of a long step", (coords(got, 0).tolist(), shape_of(got)) == ([0, 1], (2,)))
    turned = items(rows, slice(None, None, -(2**62 - 2)))
    report.check("items of a long step back", sorted(coords(turned, 0).tolist()) == [0, 1])


def joins(report):
    for d in types(report):
        for shape in (
            ((9,), (4, 5), (3, 4, 5), (2, 0, 3), (2, 3, 1, 4)) if report.device == "host" else ((9,), (3, 4, 5))
        ):
            label = f"join {d} {shape}"
            if not report.wants(label):
                continue
            ms = [Coo(shape, d, seed) for seed in (1, 2, 3)]
            parts, dense = [m.made(report.device) for m in ms], [m.dense() for m in ms]
            for axis in range(-len(shape), len(shape) + 1):
                matches(report, f"{label} stack {axis}", joined(parts, axis, "stack"), np.stack(dense, axis))
                if axis == len(shape):
                    continue
                matches(report, f"{label} {axis}", joined(parts, axis), np.concatenate(dense, axis))
                summed = joined([p.sum_duplicates() for p in parts], axis)
                matches(report, f"{label} {axis} canonical", summed, np.concatenate(dense, axis))
                report.check(f"{label} {axis} in order", summed.canonical() == oracle_order(summed))
            wide = Coo(shape, "complex128", 4)
            got = joined([parts[0].sum_duplicates(), wide.made(report.device)], 0)
            matches(report, f"{label} types", got, np.concatenate([dense[0].astype("c16"), wide.dense()]))
            matches(report, f"{label} alone", joined(parts[:1], 0), dense[0])
    tall, flat = Coo((3, 4, 5), "float64", 1), Coo((3, 1, 5), "int8", 2)
    got = joined([tall.made(report.device), flat.made(report.device)], 1)
    matches(report, "join of extents", got, np.concatenate([tall.dense(), flat.dense()], 1))


def arg(a, name, axis):
    axis = C.ARR_AXIS_NONE if axis is None else axis
    return arrpy.made(f"arr_sparse_{name}", a.handle, axis, None).numpy()


def extrema(report):
    for d in types(report):
        if d in ("bfloat16", "complex64", "complex128"):
            continue  # NumPy has no order of the first; tests of matrices have the others
        for shape in ((9,), (3, 4, 5), (2, 3, 1, 4), (1, 1, 1)) if report.device == "host" else ((3, 4, 5),):
            m = Coo(shape, d, 1)
            a, dense = m.made(report.device), m.dense()
            for axis in (None, *range(-1, len(shape))):
                for name in ("argmax", "argmin"):
                    label = f"{name} {d} {shape} {axis}"
                    if report.wants(label):
                        got, want = arg(a, name, axis), np.asarray(getattr(np, name)(dense, axis))
                        report.check(label, np.array_equal(got, want) and got.shape == want.shape, f"{got}\n{want}")


def refusals(report):
    a = Coo((3, 4, 5), "float64", 1).made(report.device)
    other, empty = (Coo(s, "float64", 1).made(report.device) for s in ((3, 4, 6), (2, 0, 3)))
    high = Coo((1,) * 32, "float64", 1).made(report.device)
    array = lambda *x: report.array(A(x))  # noqa: E731
    for label, status, call in (
        ("integer", C.ARR_E_ARGUMENT, lambda: items(a, 3)),
        ("negative integer", C.ARR_E_ARGUMENT, lambda: items(a, 0, -5)),
        ("array", C.ARR_E_ARGUMENT, lambda: items(a, slice(None), array(0, 4))),
        ("negative array", C.ARR_E_ARGUMENT, lambda: items(a, array(0, -4))),
        ("array of nothing", C.ARR_E_ARGUMENT, lambda: items(empty, slice(None), array(0))),
        ("floats", C.ARR_E_DTYPE, lambda: items(a, array(0.5))),
        ("too many", C.ARR_E_SHAPE, lambda: items(a, 0, 0, 0, 0)),
        ("two ellipses", C.ARR_E_ARGUMENT, lambda: items(a, Ellipsis, Ellipsis)),
        ("arrays that do not broadcast", C.ARR_E_SHAPE, lambda: items(a, array(0, 1), array(0, 1, 2))),
        ("mask", C.ARR_E_SHAPE, lambda: items(a, array(True, False))),
        ("33 dimensions", C.ARR_E_SHAPE, lambda: items(high, None)),
        ("joined shapes", C.ARR_E_SHAPE, lambda: joined([a, other], 0)),
        ("joined dimensions", C.ARR_E_SHAPE, lambda: joined([a, high], 0)),
        ("joined axis", C.ARR_E_SHAPE, lambda: joined([a, a], 3)),
        ("nothing joined", C.ARR_E_ARGUMENT, lambda: joined([], 0)),
        ("stacked shapes", C.ARR_E_SHAPE, lambda: joined([a, other], 0, "stack")),
        ("stacked axis", C.ARR_E_SHAPE, lambda: joined([a, a], 4, "stack")),
        ("stack of 32 dimensions", C.ARR_E_SHAPE, lambda: joined([high, high], 0, "stack")),
        ("nothing stacked", C.ARR_E_ARGUMENT, lambda: joined([], 0, "stack")),
        (
            "product",
            C.ARR_E_SHAPE,
            lambda: joined([make((2**31, 2**31), A([1.0]), A([[0], [0]]), report.device)] * 3, 0),
        ),
        ("argmax of nothing", C.ARR_E_SHAPE, lambda: arg(empty, "argmax", 1)),
        ("argmax axis", C.ARR_E_SHAPE, lambda: arg(permute(a), "argmax", 3)),
    ):
        report.check(f"refused {label}", raises(status, call))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([indexed, replaced, against_scipy, formats, joins, extrema, refusals]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
