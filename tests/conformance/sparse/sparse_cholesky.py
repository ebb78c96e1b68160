#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cholesky and LDL' factors of sparse matrices against dense ones."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.sparse
from sparse_factor import FLOATS, OPS, TOLERANCE, Factor, laplacian, message, solves, without_library
from sparse_matrix import FORMATS, Parts, Sparse

import oracle
from oracle import arrpy, raises

C = arrpy.c
FUNCTIONS = {"arr_sparse_cholesky": C.ARR_FACTOR_CHOLESKY, "arr_sparse_ldl": C.ARR_FACTOR_LDL}
ORDERS = {"AMD": C.ARR_FILL_AMD, "NATURAL": C.ARR_FILL_NATURAL}


def factor(function, a, upper=False, order="AMD"):
    return Factor(function, a, upper, ORDERS[order], None)


def hermitian(pattern, d, seed, signs=None):
    """A matrix with elements where the pattern has some and a dominant diagonal of these signs."""
    r = np.random.default_rng(seed)
    n = pattern.shape[0]
    lower = scipy.sparse.tril(pattern, -1).astype("f8").toarray()
    x = lower * r.integers(1, 4, (n, n))
    if np.dtype(d).kind == "c":
        x = x + 1j * lower * r.integers(-3, 4, (n, n))
    x = x + x.conj().T
    diagonal = np.abs(x).sum(0) + r.integers(1, 4, n)
    return (x + np.diag(diagonal * (1 if signs is None else signs))).astype(d)


def patterns():
    """name, pattern: those of different elimination trees."""
    r = np.random.default_rng(3)
    for n in (1, 2, 9, 60):
        yield f"random {n}", scipy.sparse.random_array((n, n), density=min(1, 3 / n), rng=r)
    yield "dense 40", scipy.sparse.csr_array(np.ones((40, 40)))
    yield "diagonal 30", scipy.sparse.eye_array(30)
    yield "grid 81", laplacian(9, "float64")
    arrow = np.eye(50)
    arrow[0] = 1  # without an order this fills all
    yield "arrow 50", scipy.sparse.csr_array(arrow.T)
    long = np.eye(250)
    long[-1] = 1  # a row that is left out of the search for an order
    yield "dense row 250", scipy.sparse.csr_array(long)
    yield "parts 48", scipy.sparse.block_diag([laplacian(4, "float64")] * 3)


def stored(dense, form, seed, upper, wide):
    """One triangle of a matrix in any order, with each element in two parts and junk in the other triangle."""
    r = np.random.default_rng(seed)
    row, column = np.nonzero(dense)
    data = dense[row, column]
    junk = row > column if upper else row < column
    data = np.where(junk, data * 5 + 7, data).astype(dense.dtype)
    half = (data / 2).astype(dense.dtype)
    row, column = np.tile(row, 2), np.tile(column, 2)
    data = np.concatenate([half, data - half])
    order = r.permutation(len(data))
    kind = "i8" if wide else "i4"
    row, column, data = row[order].astype(kind), column[order].astype(kind), data[order]
    if form == "coo":
        return Parts("coo", dense.shape, data, row, column)
    line, inner = (row, column) if form == "csr" else (column, row)
    by_line = np.argsort(line, kind="stable")
    pointers = np.searchsorted(line[by_line], np.arange(len(dense) + 1)).astype(kind)
    return Parts(form, dense.shape, data[by_line], inner[by_line], pointers)


def check_parts(report, label, f, dense, definite, natural):
    d, n = dense.dtype.name, len(dense)
    lower, upper, rows, columns = f.parts()
    perm = rows.numpy()
    want = np.zeros_like(dense)
    want[np.ix_(perm, perm)] = dense
    l, u = lower.dense().numpy(), upper.dense().numpy()
    scale = np.abs(dense).max()
    report.check(f"{label} product", np.abs(l @ u - want).max() <= TOLERANCE.get(d, 1e-12) * scale)
    report.check(f"{label} permutation", sorted(perm) == list(range(n)) and oracle.same(perm, columns.numpy()))
    if natural:
        report.check(f"{label} natural", np.array_equal(perm, np.arange(n)))
    diagonal = np.diag(u) if not definite else np.ones(n)
    if definite:
        good = oracle.same(u + 0, l.conj().T + 0) and (np.diag(l).real > 0).all()
    else:
        good = np.allclose(u, diagonal[:, None] * l.conj().T, 1e-5) and (np.diag(l) == 1).all()
        good = good and not diagonal.imag.any()
    report.check(f"{label} triangles", good and not np.triu(l, 1).any())
    report.check(f"{label} canonical", lower.canonical() and upper.canonical())
    info = f.info()
    report.check(f"{label} info", info.nnz >= 2 * lower.info().nnz and info.n == n and info.dtype == arrpy.number(d))
    sign, logdet = (x.numpy() for x in f.slogdet())
    want = np.linalg.slogdet(dense.astype("c16"))
    report.check(f"{label} slogdet", np.isclose(sign, want[0]) and np.isclose(logdet, want[1], 1e-4, 1e-4))


def factors(report):
    for seed, (name, pattern) in enumerate(patterns()):
        for d in FLOATS:
            for function, kind in FUNCTIONS.items():
                label = f"{function} {name} {d}"
                if not report.wants(label):
                    continue
                definite = kind == C.ARR_FACTOR_CHOLESKY
                n = pattern.shape[0]
                signs = None if definite else np.where(np.arange(n) % 3 == 0, -1, 1)
                dense = hermitian(pattern, d, seed, signs)
                form, upper, wide = tuple(FORMATS)[seed % 3], seed % 2 == 1, seed % 4 == 2
                m = stored(dense, form, seed, upper, wide)
                a = Sparse.of(m, report.device)
                for order in ORDERS:
                    f = factor(function, a, upper, order)
                    report.check(f"{label} kind", f.info().kind == kind)
                    solves(report, f"{label} {order}", f, dense, d)
                    check_parts(report, f"{label} {order}", f, dense, definite, order == "NATURAL")
                report.check(f"{label} kept", oracle.same(a.parts().data, m.data))


def fill(report):
    """The order saves elements, and large matrices are factored in parts."""
    arrow = np.eye(400)
    arrow[:, 0] = arrow[0] = 1
    a = Sparse.from_dense(report.array(arrow + 400 * np.eye(400)))
    saved = factor("arr_sparse_cholesky", a).info().nnz
    report.check("arrow fill", saved <= 2 * 1500, f"{saved}")
    report.check("arrow natural", factor("arr_sparse_cholesky", a, order="NATURAL").info().nnz > 100000)
    for d in FLOATS:
        m = scipy.sparse.csc_array(laplacian(70, d) + 2 * scipy.sparse.eye_array(4900, dtype=d))
        m.sort_indices()
        a = Sparse.of(Parts("csc", m.shape, m.data, m.indices, m.indptr), report.device)
        f = factor("arr_sparse_cholesky", a)
        report.check(f"grid fill {d}", f.info().nnz < 260000, f"{f.info().nnz}")
        for columns in (1, 3, 40):
            b = np.random.default_rng(1).random((4900, columns)).astype(d)
            x = f.solve(report.array(b)).numpy()
            left = np.abs(m @ x - b).max()
            report.check(f"grid {d} {columns}", left <= (1e-2 if d in TOLERANCE else 1e-10), f"{left}")


def again(report):
    for function in FUNCTIONS:
        for d in FLOATS:
            dense = hermitian(laplacian(6, "float64"), d, 1)
            other = (dense * 1.5 + np.diag(np.arange(36))).astype(d)
            f = factor(function, Sparse.from_dense(report.array(dense)), True)
            g = Factor(
                "arr_sparse_refactor", f, Sparse.from_dense(report.array(np.triu(other) + np.tril(dense, -1))), None
            )
            solves(report, f"refactor {function} {d}", g, other, d)
            solves(report, f"refactor {function} {d} first", f, dense, d)
            report.check("refactor order", oracle.same(f.parts()[2].numpy(), g.parts()[2].numpy()))
        wrong = np.eye(36)
        call = lambda x: Factor("arr_sparse_refactor", f, Sparse.from_dense(report.array(x)), None)
        for x in (wrong.astype("complex128"), wrong, np.eye(35).astype("complex128")):
            report.check("refactor pattern", raises(C.ARR_E_ARGUMENT, lambda: call(x)))


def refused(report):
    indefinite = np.diag([1.0, 2, -3, 4])
    for function, dense, said in (
        ("arr_sparse_cholesky", indefinite, "the pivot of column 2 is -3"),
        ("arr_sparse_cholesky", np.ones((30, 30)), "is not positive definite"),
        ("arr_sparse_cholesky", np.zeros((3, 3)), "is not positive definite"),
        ("arr_sparse_cholesky", np.array([[np.nan]]), "pivot of column 0 is nan"),
        ("arr_sparse_cholesky", np.array([[np.inf]]), "pivot of column 0 is inf"),
        ("arr_sparse_cholesky", np.array([[1.0, 2], [2, 1]]), "is not positive definite"),
        ("arr_sparse_ldl", np.zeros((3, 3)), "of column"),
        ("arr_sparse_ldl", np.array([[0.0, 1], [1, 0]]), "is 0, about 0; use arr_sparse_lu"),
        ("arr_sparse_ldl", np.ones((30, 30)), "has no factors L D L'"),
        ("arr_sparse_ldl", np.diag([1.0, 0, 1]), "the pivot of column 1 is 0"),
        ("arr_sparse_ldl", np.array([[1e-20, 1], [1, 0]]), "about 0"),
    ):
        for d in FLOATS:
            for order in ORDERS:
                a = Sparse.from_dense(report.array(dense.astype(d)), "csr")
                status, text = message(lambda: factor(function, a, False, order))
                report.check(f"{function} refused", status == C.ARR_E_LINALG and said in text, f"{status} {text}")
    if report.wants("the same pivot"):
        grid = laplacian(40, "float64")  # large enough for several threads
        grid[1234, 1234] = -1
        grid[77, 77] = -1
        a = Sparse.from_dense(report.array(grid.toarray()), "csr")
        texts = {message(lambda: factor("arr_sparse_cholesky", a))[1] for _ in range(4)}
        report.check("the same pivot", len(texts) == 1 and "positive definite" in texts.pop(), f"{texts}")
    for function in FUNCTIONS:
        nothing = Sparse.from_dense(report.array(np.zeros((0, 0))))
        f = factor(function, nothing)
        x = f.solve(report.array(np.zeros((0, 2))))
        lower, upper, rows, _ = f.parts()
        report.check(f"{function} nothing", x.numpy().shape == (0, 2) and lower.info().nnz == upper.info().nnz == 0)
        report.check(f"{function} nothing", float(f.slogdet()[0].numpy()) == 1 and rows.numpy().shape == (0,))
        wide = Sparse.from_dense(report.array(np.ones((2, 3))))
        half = Sparse.from_dense(report.array(np.eye(3).astype("float16")))
        whole = Sparse.from_dense(report.array(np.diag([4, 9])))
        report.check(f"{function} shape", raises(C.ARR_E_SHAPE, lambda: factor(function, wide)))
        report.check(f"{function} dtype", raises(C.ARR_E_DTYPE, lambda: factor(function, half)))
        report.check(f"{function} integers", factor(function, whole).info().dtype == arrpy.number("float64"))
        bad = raises(C.ARR_E_ARGUMENT, lambda: Factor(function, whole, False, 2, None))
        report.check(f"{function} order", bad)


def sparse_sides(report):
    """Sparse right-hand sides: of some columns, of none, and of more than are solved at once."""
    superlu = without_library(report) is None
    for d in FLOATS:
        dense = hermitian(laplacian(7, "float64"), d, 2)
        f = factor("arr_sparse_cholesky", Sparse.from_dense(report.array(dense)))
        for columns, form, other in ((1, "csr", d), (5, "coo", "complex128"), (0, "csc", d), (3, "csc", "int32")):
            b = (scipy.sparse.random_array((49, columns), density=0.1, rng=columns) * 9).astype(other).toarray()
            given = Sparse.from_dense(report.array(b), form)
            for op in OPS:
                label = f"sparse sides {d} {columns} {other} {op}"
                x = Sparse.made("arr_sparse_factor_solve_sparse", f.handle, given.handle, OPS[op], None)
                want = f.solve(report.array(b), op).numpy()
                got = x.dense().numpy()
                close = np.allclose(got, want, 1e-4, 1e-6)
                report.check(label, got.dtype == want.dtype and close and x.canonical(), f"{got.dtype}")
                report.check(f"{label} zeros", x.info().nnz == np.count_nonzero(got))
            if superlu:
                a = Sparse.from_dense(report.array(dense), form)
                x = Sparse.made("arr_sparse_solve_sparse", a.handle, given.handle, None).dense().numpy()
                want = np.linalg.solve(dense, b).astype(np.result_type(d, x.dtype))
                report.check(f"spsolve {d} {columns} {other}", np.allclose(x, want, 1e-3, 1e-4), f"{x.dtype}")
    if report.device == "host" and report.wants("many columns"):
        n = 130_000  # 16 columns at a time
        eye = Sparse.made("arr_sparse_eye", n, n, 0, arrpy.number("float64"), None, None)
        f = factor("arr_sparse_cholesky", eye)
        m = scipy.sparse.random_array((n, 50), density=1e-4, format="csc", rng=1)
        b = Sparse.of(Parts("csc", m.shape, m.data, m.indices.astype("i4"), m.indptr.astype("i4")), report.device)
        x = Sparse.made("arr_sparse_factor_solve_sparse", f.handle, b.handle, 0, None)
        report.check(
            "many columns", oracle.same(x.parts().data, m.data) and oracle.same(x.parts().first, m.indices.astype("i4"))
        )
    wrong = Sparse.from_dense(report.array(np.ones((3, 2))))
    f = factor("arr_sparse_cholesky", Sparse.from_dense(report.array(np.eye(2))))
    call = lambda: Sparse.made("arr_sparse_factor_solve_sparse", f.handle, wrong.handle, 0, None)
    report.check("sparse sides shape", raises(C.ARR_E_SHAPE, call))
    again = Factor("arr_sparse_factor_retain", f)
    del f
    report.check("retained", oracle.same(again.solve(report.array(np.ones(2))).numpy(), np.ones(2)))


def by_cudss(report):
    """cuDSS's factors, which keep their parts and choose their order."""
    for seed, (name, pattern) in enumerate(patterns()):
        for d in FLOATS:
            for function, kind in FUNCTIONS.items():
                label = f"{function} {name} {d}"
                if pattern.shape[0] > 100 or not report.wants(label):
                    continue
                definite = kind == C.ARR_FACTOR_CHOLESKY
                signs = None if definite else np.where(np.arange(pattern.shape[0]) % 3 == 0, -1, 1)
                dense = hermitian(pattern, d, seed, signs)
                m = stored(dense, tuple(FORMATS)[seed % 3], seed, seed % 2 == 1, seed % 4 == 2)
                a = Sparse.of(m, report.device)
                f = factor(function, a, seed % 2 == 1)
                report.check(f"{label} kind", f.info().kind == kind and f.info().n == len(dense))
                solves(report, label, f, dense, d)
                for call in (f.parts, f.slogdet):
                    status, text = message(call)
                    report.check(f"{label} parts", status == C.ARR_E_UNSUPPORTED and "Cholesky factors" in text, text)
    for function in FUNCTIONS:
        dense = hermitian(laplacian(5, "float64"), "complex128", 1)
        other = (dense * 1.5 + np.diag(np.arange(25))).astype("complex128")
        f = factor(function, Sparse.from_dense(report.array(dense)), True)
        again = Factor("arr_sparse_refactor", f, Sparse.from_dense(report.array(other)), None)
        solves(report, f"refactor {function}", again, other, "complex128")
        solves(report, f"refactor {function} first", f, dense, "complex128")
        wrong = Sparse.from_dense(report.array(np.eye(25).astype("complex128")))
        bad = raises(C.ARR_E_ARGUMENT, lambda: Factor("arr_sparse_refactor", f, wrong, None))
        report.check(f"refactor {function} pattern", bad)
        empty = factor(function, Sparse.from_dense(report.array(np.zeros((0, 0)))))
        report.check(f"{function} nothing", empty.solve(report.array(np.zeros((0, 2)))).numpy().shape == (0, 2))
    for function, dense, said in (
        ("arr_sparse_cholesky", np.diag([1.0, 2, -3, 4]), "is not positive definite"),
        ("arr_sparse_cholesky", np.array([[1.0, 2], [2, 1]]), "is not positive definite"),
        ("arr_sparse_cholesky", np.zeros((3, 3)), "it has no elements"),
        ("arr_sparse_ldl", np.diag([1.0, 0, 1]), "has no factors L D L'"),
        ("arr_sparse_ldl", np.ones((4, 4)), "has no factors L D L'"),
    ):
        status, text = message(lambda: factor(function, Sparse.from_dense(report.array(dense), "csr")))
        report.check(f"{function} refused", status == C.ARR_E_LINALG and said in text, f"{status} {text}")


def uninstalled(report):
    a = Sparse.from_dense(report.array(np.eye(3)))
    for function in FUNCTIONS:
        status, text = message(lambda: factor(function, a))
        report.check(function, status == C.ARR_E_UNAVAILABLE and "cuDSS" in text, text)


def main():
    report = oracle.Report(__doc__)
    parts = [factors, fill, again, refused, sparse_sides]
    if report.device != "host":
        parts = [by_cudss, sparse_sides] if without_library(report) is None else [uninstalled]
    for part in report.turn(parts):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
