#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sparse matrices that are large enough for cuSPARSE, and what is kept of them: products of every type and form, again with
other values, in streams that end, and triangular solves. Over the fake, which functions ran."""

import ctypes
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.sparse
from sparse_matrix import Parts, Sparse, numbers, unsorted_compressed

import oracle
from oracle import arrpy
import arrapi  # in the folder that oracle adds

C = arrpy.c
SHAPE, NNZ = (20000, 3000), 110000  # cuSPARSE multiplies from 100000 elements on
TYPES = ("bool", "int32", "float16", "bfloat16", "float32", "float64", "complex64", "complex128")


class Calls:
    """The calls of a function of cuSPARSE; None where it is not the fake's."""

    def __init__(self, report):
        path = os.environ.get("ARR_CUDA_CUSPARSE", "")
        there = report.device == "cuda" and "fake" in path
        self.library = ctypes.CDLL(path) if there else None
        if there:
            self.library.arr_fake_cuda_calls.restype = ctypes.c_int64

    def of(self, function):
        return self.library.arr_fake_cuda_calls(function.encode()) if self.library else None

    def check(self, report, label, counts, work):
        """Runs work, in which each function is called that many times."""
        before = {f: self.of(f) for f in counts}
        work()
        if self.library:
            got = {f: self.of(f) - before[f] for f in counts}
            report.check(f"{label} calls", got == counts, f"{got}, expected {counts}")


def multiplied(m, x):
    """The product in a wide type, cast to the operands' type."""
    wide = {"b": "i8", "i": "i8", "f": "f8", "V": "f8", "c": "c16"}[m.data.dtype.kind]
    s = Parts(m.format, m.shape, m.data.astype(wide), m.first, m.second).scipy()
    found = s @ x.astype(wide)
    return found != 0 if m.data.dtype == bool else found.astype(m.data.dtype)


def valued(report, a, data):
    """The matrix with other values."""
    values = report.array(data)
    return Sparse.made("arr_sparse_with_data", a.handle, values.handle, None)


def products(report, calls):
    for d in TYPES:
        for form, index in (("csr", "int32"), ("csc", "int64")):
            label = f"product {form} {d}"
            if not report.wants(label):
                continue
            m = unsorted_compressed(SHAPE, NNZ, d, 1, form, index)
            a = Sparse.of(m, report.device)
            ours = 0 if d in ("bool", "int32") else 1
            for columns, function in (((), "SpMV"), ((3,), "SpMM")):
                x = numbers((SHAPE[1], *columns), d, 5)
                given, other = report.array(x), Parts(m.format, m.shape, numbers(NNZ, d, 9), m.first, m.second)
                again = valued(report, a, other.data)

                def work():
                    for matrix, parts in ((a, m), (a, m), (again, other)):
                        got, want = (matrix @ given).numpy(), multiplied(parts, x)
                        report.check(f"{label} {columns}", oracle.same(got + 0, want + 0), f"{got}\n{want}")

                counts = {f"cusparse{function}": 3 * ours, f"cusparse{function}_preprocess": ours}
                calls.check(report, f"{label} {columns}", counts, work)
            y = numbers(SHAPE[0], d, 6)
            got, want = a.rmatmul(report.array(y)).numpy(), multiplied(turned(m), y)
            report.check(f"{label} left", oracle.same(got + 0, want + 0))


def turned(m):
    return Parts("csc" if m.format == "csr" else "csr", m.shape[::-1], *m.arrays())


def few_elements(report, calls):
    m = unsorted_compressed(SHAPE, 99999, "float64", 1)
    a, x = Sparse.of(m, report.device), numbers(SHAPE[1], "float64", 2)

    def work():
        report.check("few elements", np.array_equal((a @ report.array(x)).numpy(), m.scipy() @ x))

    calls.check(report, "few elements", {"cusparseSpMV": 0}, work)


def wide(report, calls):
    """More columns than one launch of cuSPARSE takes; over the fake, without the arithmetic, which takes minutes."""
    if calls.library is None:
        return
    m = unsorted_compressed((3, 4), 100000, "float32", 1)
    x, a = report.array(numbers((4, (1 << 20) + 3), "float32", 2)), Sparse.of(m, report.device)
    calls.library.arr_fake_cuda_set(b"run", ctypes.c_int64(0))
    try:
        calls.check(report, "wide", {"cusparseSpMM": 2, "cusparseSpMM_preprocess": 2}, lambda: a @ x)
        arrapi.call("arr_device_sync", device=arrpy.device_of(report.device))
    finally:
        calls.library.arr_fake_cuda_set(b"run", ctypes.c_int64(1))


def streams(report, calls):
    """One matrix in two streams by turns, one of which ends first."""
    device = arrpy.device_of(report.device)
    m = unsorted_compressed(SHAPE, NNZ, "float64", 1)
    a, x = Sparse.of(m, report.device), numbers(SHAPE[1], "float64", 2)
    given, want = report.array(x), m.scipy() @ x

    def work():
        made = [arrapi.call("arr_stream_create", device=device)["out"] for _ in range(2)]
        for round in range(3):
            for s in made[: 2 if round < 2 else 1]:
                got = arrpy.made("arr_sparse_matmul", a.handle, given.handle, s)
                report.check(f"streams {round}", np.array_equal(got.numpy(), want))
            if round == 1:
                arrapi.call("arr_stream_release", stream=made[1])
        arrapi.call("arr_stream_release", stream=made[0])
        report.check("streams afterwards", np.array_equal((a @ given).numpy(), want))

    calls.check(report, "streams", {"cusparseSpMV": 6, "cusparseSpMV_preprocess": 3}, work)


def solves(report, calls):
    """Triangular solves with values that change, and with factors, whose values do not."""
    n = 400
    for d in ("float32", "complex128"):
        s = scipy.sparse.random_array((n, n), density=0.02, rng=np.random.default_rng(1), format="csr")
        s = (scipy.sparse.tril(s) + 3 * scipy.sparse.eye_array(n)).tocsr().astype(d)
        m = Parts("csr", (n, n), s.data, s.indices, s.indptr)
        a = Sparse.of(m, report.device)
        for shape, function in (((), "SpSV"), ((3,), "SpSM")):
            b = numbers((n, *shape), d, 8)

            def solved(matrix, op):
                given, lower = report.array(b), C.ARR_TRIANGULAR_LOWER
                x = arrpy.made("arr_sparse_solve_triangular", matrix.handle, given.handle, lower, op, None)
                return x.numpy()

            def work():
                for factor in (1, 2, 1):
                    matrix = valued(report, a, m.data / factor)
                    for op, dense in (
                        (C.ARR_MATRIX_PLAIN, s.toarray()),
                        (C.ARR_MATRIX_TRANSPOSED, s.toarray().T),
                        (C.ARR_MATRIX_ADJOINT, s.toarray().conj().T),
                    ):
                        x = solved(matrix, op)
                        error = np.abs(dense / factor @ x - b).max()
                        report.check(f"solve {d} {shape} {factor} {op}", error < 1e-4 * np.abs(x).max(), f"{error}")

            counts = {f"cusparse{function}_analysis": 2, f"cusparse{function}_solve": 9}
            calls.check(report, f"solves {d} {shape}", counts, work)


def main():
    report = oracle.Report(__doc__)
    calls = Calls(report)
    for suite in (products, few_elements, wide, streams, solves):
        suite(report, calls)
    report.finish()


if __name__ == "__main__":
    main()
