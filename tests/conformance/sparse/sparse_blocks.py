#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Matrices of diagonals and of dense blocks, whose parts are those of SciPy's dia_array and bsr_array."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.sparse
from sparse_matrix import Sparse, numbers, unsorted_compressed

import oracle
from oracle import arrpy

C = arrpy.c


def several(n, function, *arguments):
    """The arrays that a function returns."""
    out = [C.arr_array() for _ in range(n)]
    arrpy.call(function, *arguments, *(ctypes.byref(x) for x in out))
    return [arrpy.Array(x) for x in out]


def same(report, label, a, want):
    """Compares a matrix with a dense one; it is canonical."""
    have = a.dense().numpy()
    report.check(label, have.dtype == want.dtype and oracle.same(have + 0, want + 0), f"{have}\n{want}")
    report.check(f"{label} in order", a.canonical() and a.parts().ordered())


def refuses(report, text, code, function, *arguments):
    try:
        Sparse.made(function, *arguments, None)
        report.check(f"refused: {text}", False, "nothing was refused")
    except arrpy.Error as e:
        report.check(f"refused: {text}", text in str(e) and e.status == code, str(e))


def diagonals(report):
    """Parts of SciPy's dia_array, in and out."""
    r = np.random.default_rng(4)
    for d in oracle.ALL:
        for rows, columns, width, offsets in (
            (5, 7, 7, (0, -2, 3)),
            (7, 5, 3, (1,)),
            (4, 4, 9, (-9, 9, 2)),
            (3, 0, 0, (0,)),
            (0, 3, 3, ()),
            (1, 1, 1, (-(2**63), 2**63 - 1, 0)),
        ):
            label = f"dia {d} {rows} {columns} {offsets}"
            data = np.where(r.random((len(offsets), width)) < 0.7, numbers((len(offsets), width), d, 3), 0)
            data, at = data.astype(oracle.dtype(d)), np.array(offsets, "i8")
            given = report.array(data), report.array(at)
            a = Sparse.made("arr_sparse_dia", rows, columns, given[0].handle, given[1].handle, None)
            want = np.zeros((rows, columns), oracle.dtype(d))
            for k, offset in enumerate(offsets):
                for j in range(min(width, columns)):
                    if 0 <= j - offset < rows:
                        want[j - offset, j] = data[k, j]
            same(report, label, a, want)
            back, where = several(2, "arr_sparse_to_dia", a.handle, None)
            expected = scipy.sparse.dia_array(want.astype("c16"))
            order = np.argsort(expected.offsets)
            report.check(f"{label} offsets", np.array_equal(where.numpy(), expected.offsets[order]))
            again = Sparse.made("arr_sparse_dia", rows, columns, back.handle, where.handle, None)
            same(report, f"{label} back", again, want)
    for text, code, shape, offsets in (
        ("is there twice", C.ARR_E_ARGUMENT, (2, 3), [1, 1]),
        ("argument data: shape (3,)", C.ARR_E_SHAPE, (3,), [1]),
        ("argument offsets: shape (2,), expected (1,)", C.ARR_E_SHAPE, (1, 3), [1, 2]),
        ("argument offsets: got float64", C.ARR_E_DTYPE, (1, 3), [1.0]),
    ):
        given = report.array(np.ones(shape)), report.array(np.array(offsets))
        refuses(report, text, code, "arr_sparse_dia", 3, 3, given[0].handle, given[1].handle)


def blocks(report):
    """Parts of SciPy's bsr_array, in and out."""
    for d in oracle.ALL:
        for shape, block in (((6, 9), (2, 3)), ((4, 4), (1, 1)), ((4, 6), (4, 6)), ((0, 3), (2, 3)), ((8, 2), (2, 1))):
            grid = unsorted_compressed((shape[0] // block[0], shape[1] // block[1]), 5, "float64", 1)
            n = len(grid.data)
            data = numbers((n, *block), d, 2)
            given = [report.array(x) for x in (data, grid.first, grid.second)]
            label = f"bsr {d} {shape} {block}"
            a = Sparse.made("arr_sparse_bsr", *shape, *(x.handle for x in given), None)
            want = np.zeros(shape, oracle.dtype(d))
            for k, (i, j) in enumerate(zip(*grid.coordinates())):
                part = want[i * block[0] :, j * block[1] :][: block[0], : block[1]]
                part[...] = part | data[k] if d == "bool" else part + data[k]
            same(report, label, a, want)
            back = several(3, "arr_sparse_to_bsr", a.handle, *block, None)
            report.check(f"{label} distinct", len(back[1].numpy()) == len({*zip(*grid.coordinates())}))
            again = Sparse.made("arr_sparse_bsr", *shape, *(x.handle for x in back), None)
            same(report, f"{label} back", again, want)
    one = [report.array(np.array(x)) for x in (np.ones((1, 2, 2)), [3], [0, 1, 1])]
    refuses(report, "argument indices: 3 at position 0, expected 0 to 1", C.ARR_E_ARGUMENT, "arr_sparse_bsr", 4, 4,
            *(x.handle for x in one))  # fmt: skip
    refuses(report, "blocks of (2,2), expected extents that divide", C.ARR_E_SHAPE, "arr_sparse_bsr", 5, 4,
            *(x.handle for x in one))  # fmt: skip
    flat = [report.array(np.array(x)) for x in (np.ones(1), [0], [0, 1])]
    refuses(report, "argument data: shape (1,), expected three", C.ARR_E_SHAPE, "arr_sparse_bsr", 1, 1,
            *(x.handle for x in flat))  # fmt: skip


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([diagonals, blocks]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
