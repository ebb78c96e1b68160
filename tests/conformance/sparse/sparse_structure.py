#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Diagonals, triangles, shapes, joins and Kronecker products of sparse matrices against NumPy's of dense ones."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from sparse import dense_product, matches, unchanged
from sparse_items import refusal, types
from sparse_matrix import FORMATS, Sparse, cases, coordinates, numbers, unsorted_compressed

import oracle
from oracle import arrpy

C = arrpy.c
OFFSETS = (0, 1, -1, 3, -4, 9, -9, 2**63 - 1, -(2**63))


def handles(parts):
    return (C.arr_sparse * len(parts))(*(p.handle if p else None for p in parts))


def concatenate(parts, axis, form="csr"):
    return Sparse.made("arr_sparse_concatenate", len(parts), handles(parts), axis, FORMATS[form], None)


def block(rows, form="csr"):
    all_parts = [b for row in rows for b in row]
    return Sparse.made("arr_sparse_block", len(all_parts), handles(all_parts), len(rows[0]), FORMATS[form], None)


def block_diag(parts, form="csr"):
    return Sparse.made("arr_sparse_block_diag", len(parts), handles(parts), FORMATS[form], None)


def with_diagonal(a, value, k):
    v = arrpy.value(value)
    return Sparse.made("arr_sparse_with_diagonal", a.handle, ctypes.byref(v), k, None)


def near(k):
    return min(max(k, -999), 999)


def diagonals(report):
    for d in types(report):
        for name, m in cases(d):
            label = f"diagonal {name} {d}"
            if not report.wants(label):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            for k in OFFSETS if d == "float64" else OFFSETS[:5]:
                inside = -m.shape[0] < k < m.shape[1]
                want = np.diagonal(dense, near(k)) if inside else np.zeros(0, dense.dtype)
                got = arrpy.made("arr_sparse_diagonal", a.handle, k, None).numpy()
                report.check(
                    f"{label} {k}", got.dtype == want.dtype and oracle.same(got + 0, want + 0), f"{got} {want}"
                )
                for side in ("tril", "triu"):
                    got = Sparse.made(f"arr_sparse_{side}", a.handle, k, None)
                    matches(report, f"{label} {side} {k}", got, triangle(side, dense, near(k)), False)
                    report.check(f"{label} {side} form", got.info().format == FORMATS[m.format])
                n = len(want)
                for what, value in (
                    ("numbers", numbers(n, d, 5)),
                    ("few", numbers(max(n - 1, 2), d, 6)),
                    ("more", numbers(n + 2, d, 7)),
                    ("one", np.ones(1, oracle.dtype(d))),
                ):
                    expected = dense.copy()
                    for i in range(n):
                        if len(value) == 1 or i < len(value):
                            at = (i, i + k) if k >= 0 else (i - k, i)
                            expected[at] = value[0] if len(value) == 1 else value[i]
                    got = with_diagonal(a, report.array(value), k)
                    matches(report, f"{label} with {what} {k}", got, expected, n != 0)
            report.check(f"{label} kept", unchanged(a, m))
    a = Sparse.of(coordinates((3, 4), 5, "float64", 1), report.device)
    got = with_diagonal(a, 2.5, 1).dense().numpy()
    report.check("with a number", np.array_equal(np.diagonal(got, 1), [2.5] * 3))
    got = refusal(lambda: with_diagonal(a, report.array(np.zeros((1, 3))), 0))
    report.check("with refused", got[0] == C.ARR_E_SHAPE and "argument value: shape (1,3)" in got[1], str(got))


def triangle(side, dense, k):
    rows, columns = np.indices(dense.shape)
    keep = columns - rows <= k if side == "tril" else columns - rows >= k
    return np.where(keep, dense, np.zeros((), dense.dtype))


def reshaped(report):
    for d in types(report)[:1] + types(report)[-2:]:
        for name, m in cases(d):
            label = f"reshape {name} {d}"
            if not report.wants(label):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            size = dense.size
            shapes = [(1, size), (size, 1), m.shape[::-1]] + [(n, size // n) for n in (2, 3, 5) if size % n == 0]
            for shape in shapes:
                for b in (a, a.sum_duplicates()):
                    got = Sparse.made("arr_sparse_reshape", b.handle, *shape, None)
                    matches(report, f"{label} {shape}", got, dense.reshape(shape), False)
                    report.check(f"{label} form", got.info().format == FORMATS[m.format])
            if size:
                got = Sparse.made("arr_sparse_reshape", a.handle, -1, m.shape[0], None)
                matches(report, f"{label} -1", got, dense.reshape(-1, m.shape[0]), False)
            report.check(f"{label} kept", unchanged(a, m))
    a = Sparse.of(coordinates((3, 4), 5, "float64", 1), report.device)
    for shape in ((5, 2), (-1, 5), (-1, -1), (-2, 6), (2**40, 2**40)):
        got = refusal(lambda: Sparse.made("arr_sparse_reshape", a.handle, *shape, None))
        report.check(f"reshape refused {shape}", got[0] in (C.ARR_E_SHAPE, C.ARR_E_ARGUMENT), str(got))


def joined(report):
    for d in types(report):
        for name, m in cases(d):
            label = f"join {name} {d}"
            if not report.wants(label):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            for axis in (0, 1, -1):
                shape = tuple(4 if i == axis % 2 else m.shape[i] for i in (0, 1))
                n, o = coordinates(shape, 9, d, 7), unsorted_compressed(m.shape, 6, d, 8, "csc", "int64")
                b, c = Sparse.of(n, report.device), Sparse.of(o, report.device)
                want = np.concatenate([dense, n.dense(), o.dense()], axis)
                for form in FORMATS:
                    got = concatenate([a, b, c], axis, form)
                    matches(report, f"{label} {axis} {form}", got, want, False)
                    p = got.info()
                    report.check(f"{label} {form} parts", p.format == FORMATS[form] and p.index_dtype == C.ARR_INT64)
                    got = concatenate([x.convert(form).sum_duplicates() for x in (a, b)], axis, form)
                    report.check(f"{label} {axis} {form} canonical", got.canonical() == got.parts().ordered())
            for form in FORMATS:
                got, want = block_diag([a, b, a], form), diagonal_blocks(dense, n.dense(), dense)
                matches(report, f"{label} diagonal {form}", got, want, False)
            report.check(f"{label} kept", unchanged(a, m))
    a, b = (Sparse.of(coordinates(s, 5, d, 1), report.device) for s, d in (((3, 4), "int8"), ((3, 5), "float32")))
    report.check("join types", concatenate([a, b], 1).info().dtype == C.ARR_FLOAT32)
    three = [Sparse.of(coordinates((3, 4), 5, d, 1), report.device) for d in ("uint16", "int8", "float32")]
    for parts in (three, three[::-1]):  # two by two, the integers would make it float64
        report.check("join three types", concatenate(parts, 0).info().dtype == C.ARR_FLOAT32)
        report.check("join three types diagonal", block_diag(parts, "csr").info().dtype == C.ARR_FLOAT32)
    report.check("join one", np.array_equal(concatenate([a], 0).dense().numpy(), a.dense().numpy()))
    for label, call, status, text in (
        (
            "shape",
            lambda: concatenate([a, b], 0),
            C.ARR_E_SHAPE,
            "argument parts: (3,5) at position 1, expected 4 columns",
        ),
        (
            "rows",
            lambda: concatenate([a, a.T], 1),
            C.ARR_E_SHAPE,
            "argument parts: (4,3) at position 1, expected 3 rows",
        ),
        ("axis", lambda: concatenate([a], 2), C.ARR_E_SHAPE, "axis"),
        ("none", lambda: concatenate([], 0), C.ARR_E_ARGUMENT, "argument n: no matrix, expected 1 or more"),
        ("NULL", lambda: concatenate([a, None], 0), C.ARR_E_HANDLE, "argument parts"),
    ):
        got = refusal(call)
        report.check(f"join refused {label}", got[0] == status and text in got[1], str(got))


def diagonal_blocks(*parts):
    out = np.zeros(np.sum([p.shape for p in parts], 0), parts[0].dtype)
    i = j = 0
    for p in parts:
        out[i : i + p.shape[0], j : j + p.shape[1]] = p
        i, j = i + p.shape[0], j + p.shape[1]
    return out


def blocks(report):
    for d in types(report)[-2:]:
        shapes = [[(3, 2), (3, 4), (3, 1)], [(5, 2), (5, 4), (5, 1)]]
        parts = [[coordinates(s, 4, d, 10 * i + j) for j, s in enumerate(row)] for i, row in enumerate(shapes)]
        for gaps in ((), ((0, 1),), ((0, 0), (1, 1)), ((1, 0), (1, 2), (0, 1))):
            rows = [[None if (i, j) in gaps else p for j, p in enumerate(row)] for i, row in enumerate(parts)]
            dense = np.block(
                [
                    [np.zeros_like(parts[i][j].dense()) if p is None else p.dense() for j, p in enumerate(row)]
                    for i, row in enumerate(rows)
                ]
            )
            for form in FORMATS:
                got = block([[p and Sparse.of(p, report.device) for p in row] for row in rows], form)
                matches(report, f"block {d} {gaps} {form}", got, dense, False)
    a, b = (Sparse.of(coordinates(s, 4, "float64", 1), report.device) for s in ((3, 2), (2, 3)))
    for label, rows, status, text in (
        (
            "shape",
            [[a, b]],
            C.ARR_E_SHAPE,
            "argument blocks: (2,3) in row 0 and column 1, where other blocks have 3 rows",
        ),
        ("columns", [[a], [b]], C.ARR_E_SHAPE, "argument blocks: (2,3) in row 1 and column 0"),
        ("no row", [[a, a], [None, None]], C.ARR_E_ARGUMENT, "argument blocks: no block in row 1"),
        ("no column", [[a, None], [a, None]], C.ARR_E_ARGUMENT, "argument blocks: no block in column 1"),
    ):
        got = refusal(lambda: block(rows))
        report.check(f"block refused {label}", got[0] == status and text in got[1], str(got))


def kronecker(report):
    for d in types(report):
        for name, m in cases(d):
            label = f"kron {name} {d}"
            if not report.wants(label) or m.shape == (300, 200):
                continue
            n = unsorted_compressed((3, 5), 7, d, 9, "csc")
            a, b = Sparse.of(m, report.device), Sparse.of(n, report.device)
            want = np.einsum("ij,kl->ikjl", wide(m.dense()), wide(n.dense()))
            want = want.reshape(3 * m.shape[0], 5 * m.shape[1]).astype(m.data.dtype)
            for form in FORMATS:
                got = Sparse.made("arr_sparse_kron", a.handle, b.handle, FORMATS[form], None)
                matches(report, f"{label} {form}", got, want, form != "coo")
            report.check(f"{label} kept", unchanged(a, m) and unchanged(b, n))
        m, n = coordinates((4, 4), 9, d, 1), coordinates((3, 3), 5, d, 2)
        a, b = Sparse.of(m, report.device), Sparse.of(n, report.device)
        got = Sparse.made("arr_sparse_kronsum", a.handle, b.handle, C.ARR_SPARSE_CSC, None)
        one = [np.eye(k) for k in (3, 4)]
        want = np.kron(one[0], wide(m.dense())) + np.kron(wide(n.dense()), one[1])
        matches(report, f"kronsum {d}", got, want.astype(m.data.dtype))
        power = m.dense()
        for k in range(1, 6):
            got = Sparse.made("arr_sparse_matrix_power", a.handle, k, None)
            matches(report, f"power {d} {k}", got, power, k > 1, 1e-2 if d == "float16" else 0)
            power = dense_product(power, m.dense())
        got = Sparse.made("arr_sparse_matrix_power", a.handle, 0, None)
        matches(report, f"power {d} 0", got, np.eye(4).astype(m.data.dtype))
    a = Sparse.of(coordinates((3, 4), 5, "float64", 1), report.device)
    huge = Sparse.of(coordinates((1, 1), 1, "float64", 1), report.device)
    huge = Sparse.made("arr_sparse_eye", 2**20, 2**20, 0, C.ARR_FLOAT32, arrpy.device_of(report.device), None)
    for label, call, status in (
        ("kronsum", lambda: Sparse.made("arr_sparse_kronsum", a.handle, a.handle, 2, None), C.ARR_E_SHAPE),
        ("power", lambda: Sparse.made("arr_sparse_matrix_power", a.handle, 2, None), C.ARR_E_SHAPE),
        ("negative", lambda: Sparse.made("arr_sparse_matrix_power", huge.handle, -1, None), C.ARR_E_ARGUMENT),
        ("format", lambda: Sparse.made("arr_sparse_kron", a.handle, a.handle, 0, None), C.ARR_E_ARGUMENT),
        ("huge", lambda: Sparse.made("arr_sparse_kron", huge.handle, huge.handle, 1, None), C.ARR_E_SHAPE),
    ):
        got = refusal(call)
        report.check(f"kron refused {label}", got[0] == status, str(got))


def extremes(report):
    special = np.array([[np.nan, 0, 1, 0], [0, 0, 0, 0], [1, 2, 3, 3], [-1, -2, -3.0, -1], [0, 1, np.nan, np.nan]])
    given = [("special", Sparse.from_dense(report.array(special)), special)]
    for d in types(report):
        for name, m in cases(d):
            given.append((f"{name} {d}", Sparse.of(m, report.device), m.dense()))
    for name, a, dense in given:
        for which in ("argmax", "argmin"):
            for axis in (None, 0, 1, -1):
                label = f"{which} {name} {axis}"
                if not report.wants(label):
                    continue
                call = lambda: arrpy.made(
                    f"arr_sparse_{which}", a.handle, C.ARR_AXIS_NONE if axis is None else axis, None
                )
                x = wide(dense)
                if (dense.size if axis is None else dense.shape[axis]) == 0:
                    got = refusal(call)
                    report.check(label, got[0] == C.ARR_E_SHAPE and "has no elements" in got[1], str(got))
                    continue
                got, want = call().numpy(), getattr(np, which)(x, axis)
                report.check(label, got.dtype == np.int64 and np.array_equal(got, want), f"{got} {want}")


def wide(x):
    return x.astype("c16" if x.dtype.kind == "c" else "f8" if x.dtype.kind in "fV" else "i8")


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([diagonals, reshaped, joined, blocks, kronecker, extremes]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
