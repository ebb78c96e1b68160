#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Incomplete LU factors with thresholds: complete ones against solutions, and as preconditioners against SciPy's spilu."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from sparse_factor import FLOATS, TOLERANCE, Factor, matrices, solves
from sparse_matrix import Parts, Sparse

import oracle
from oracle import arrpy, raises

C = arrpy.c
ORDERS = (C.ARR_FILL_AMD, C.ARR_FILL_NATURAL)
EVERYTHING = {"tol": 0, "fill": 1e9}


def ilut(a, tol=1e-4, fill=10, thresh=0.1, order=C.ARR_FILL_AMD):
    return Factor(
        "arr_sparse_ilut", a, ctypes.c_double(tol), ctypes.c_double(fill), ctypes.c_double(thresh), order, None
    )


def of_scipy(a, device):
    a = a.tocsr()
    a.sort_indices()
    return Sparse.of(Parts("csr", a.shape, a.data, a.indices.astype("i4"), a.indptr.astype("i4")), device)


def laplacian(n, wind=0.0):
    """Five points in each row of a square of n x n, with central differences of a wind."""
    by, one = wind / (2 * n + 2), np.ones(n - 1)
    line = scipy.sparse.diags_array([-(1 + by) * one, 2 * np.ones(n), -(1 - by) * one], offsets=[-1, 0, 1])
    unit = scipy.sparse.eye_array(n)
    return (scipy.sparse.kron(line, unit) + scipy.sparse.kron(unit, line)).tocsr()


def random_matrix(n, diagonal, seed):
    """Eight random elements in each row, and a diagonal that is no larger than their sum."""
    r = np.random.default_rng(seed)
    a = scipy.sparse.random_array((n, n), density=8 / n, rng=r, data_sampler=r.standard_normal)
    return (a + diagonal * scipy.sparse.diags_array(r.uniform(0.5, 1.5, n) * r.choice([-1, 1], n))).tocsr()


def complete(report):
    for d in FLOATS:
        for name, m in matrices(d):
            label = f"complete {name} {d}"
            if not report.wants(label):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            for thresh in (0, 0.1, 1):
                for order in ORDERS:
                    f = ilut(a, **EVERYTHING, thresh=thresh, order=order)
                    solves(report, f"{label} {thresh} {order}", f, dense, d)
                    check_parts(report, f"{label} {thresh} {order}", f, dense, d)
            again = Factor("arr_sparse_refactor", f, a.scale("multiply", report.array(np.array(2, d))), None)
            solves(report, f"{label} refactored", again, 2 * dense, d)


def check_parts(report, label, f, dense, d):
    n = len(dense)
    lower, upper, rows, columns = (p.dense().numpy() if isinstance(p, Sparse) else p.numpy() for p in f.parts())
    sorted_ones = all(np.array_equal(np.sort(p), np.arange(n)) for p in (rows, columns))
    report.check(f"{label} permutations", sorted_ones)
    product = (lower.astype("c16") @ upper)[rows][:, columns]
    report.check(f"{label} product", np.allclose(product, dense, TOLERANCE.get(d, 1e-9), TOLERANCE.get(d, 1e-9)))
    triangles = np.array_equal(lower, np.tril(lower)) and np.array_equal(upper, np.triu(upper))
    report.check(f"{label} triangles", triangles and np.all(np.diag(lower) == 1))
    report.check(f"{label} info", f.info().kind == C.ARR_FACTOR_ILUT and f.info().n == n)


def thresholds(report):
    a = laplacian(20)
    given = of_scipy(a, report.device)
    sizes = [ilut(given, tol=tol).info().nnz for tol in (0, 1e-4, 1e-2, 1)]
    report.check(
        "fewer elements by thresholds", sizes == sorted(sizes, reverse=True) and sizes[-1] < sizes[0], f"{sizes}"
    )
    for fill in (1, 2, 5):
        nnz = ilut(given, tol=0, fill=fill).info().nnz
        # L's ones and the diagonals are beside what is counted.
        report.check(f"elements of fill {fill}", nnz <= fill * a.nnz + 2 * a.shape[0], f"{nnz} of {a.nnz}")
    exact = ilut(given, **EVERYTHING).solve(report.array(np.ones(400))).numpy()
    report.check("full solution", np.abs(a @ exact - 1).max() < 1e-12 * np.abs(exact).max())
    # The first row needs an exchange of columns.
    turned = Sparse.from_dense(report.array(np.array([[1e-20, 2, 0], [3, 4, 1], [0, 1, 5.0]])))
    x = ilut(turned, order=C.ARR_FILL_NATURAL).solve(report.array(np.array([2, 8, 6.0]))).numpy()
    report.check("exchange", np.allclose(x, 1, 1e-14))
    empty = Sparse.from_dense(report.array(np.zeros((0, 0))))
    report.check("no rows", ilut(empty).solve(report.array(np.zeros(0))).numpy().shape == (0,))
    integers = Sparse.from_dense(report.array(np.array([[2, 1], [1, 3]], "i4")))
    report.check("integers", np.allclose(ilut(integers).solve(report.array(np.array([3, 4]))).numpy(), 1))


def iterations(a, solver, solve):
    n, count = a.shape[0], [0]

    def step(_):
        count[0] += 1

    m = scipy.sparse.linalg.LinearOperator(a.shape, solve)
    more = {"restart": 30, "maxiter": 20, "callback_type": "pr_norm"} if solver == "gmres" else {"maxiter": 400}
    _, info = getattr(scipy.sparse.linalg, solver)(a, np.ones(n), rtol=1e-8, M=m, callback=step, **more)
    return count[0], info


def preconditioners(report):
    """No more than 1.5 times the iterations that SciPy's factors need with the same arguments."""
    if report.device != "host":
        return  # the same factors; triangular solves over the fake are slow
    for name, a in (
        ("laplacian", laplacian(40)),
        ("wind", laplacian(40, 40)),
        ("storm", laplacian(40, 400)),
        ("random", random_matrix(600, 6.0, 1)),
        ("weak", random_matrix(600, 4.0, 2)),
    ):
        given = of_scipy(a, report.device)
        for tol, fill in ((1e-4, 10), (1e-2, 5), (1e-1, 3)):
            theirs = scipy.sparse.linalg.spilu(a.tocsc(), drop_tol=tol, fill_factor=fill)
            ours = ilut(given, tol, fill)
            for solver in ("gmres", "bicgstab"):
                mine, info = iterations(a, solver, lambda v: ours.solve(report.array(np.ascontiguousarray(v))).numpy())
                other, failed = iterations(a, solver, theirs.solve)
                good = info == 0 and (failed != 0 or mine <= max(1.5 * other, 5))
                report.check(f"{name} {tol} {solver}", good, f"{mine} {info}, SciPy's {other} {failed}")


def inside_solvers(report):
    """The factors as m of this library's solvers."""
    a = laplacian(12, 20)
    given = of_scipy(a, report.device)
    f, m, by = ilut(given, 1e-3), C.arr_linop(), C.arr_linop()
    arrpy.call("arr_linop_from_factor", f.handle, ctypes.byref(m))
    arrpy.call("arr_linop_from_sparse", given.handle, ctypes.byref(by))
    options = C.arr_solve_options(ctypes.sizeof(C.arr_solve_options))
    options.rtol, options.m = 1e-10, m
    out, info = C.arr_array(), C.arr_solve_info(ctypes.sizeof(C.arr_solve_info))
    b = report.array(np.ones(144))
    arrpy.call("arr_solve_bicgstab", by, b.handle, ctypes.byref(options), None, ctypes.byref(out), ctypes.byref(info))
    x = arrpy.Array(out).numpy()
    good = info.info == 0 and info.iterations < 12 and np.abs(a @ x - 1).max() < 1e-8
    report.check("bicgstab", good, f"{info.info} after {info.iterations}")
    for handle in (m, by):
        arrpy.call("arr_linop_release", handle)


def refusals(report):
    a = of_scipy(laplacian(3), report.device)
    dense = lambda *rows: Sparse.from_dense(report.array(np.array(rows)))  # noqa: E731
    for label, status, call in (
        ("shape", C.ARR_E_SHAPE, lambda: ilut(dense([1.0, 2.0]))),
        ("tol", C.ARR_E_ARGUMENT, lambda: ilut(a, tol=-1e-3)),
        ("large tol", C.ARR_E_ARGUMENT, lambda: ilut(a, tol=1.5)),
        ("nan tol", C.ARR_E_ARGUMENT, lambda: ilut(a, tol=np.nan)),
        ("fill", C.ARR_E_ARGUMENT, lambda: ilut(a, fill=0.5)),
        ("nan fill", C.ARR_E_ARGUMENT, lambda: ilut(a, fill=np.nan)),
        ("thresh", C.ARR_E_ARGUMENT, lambda: ilut(a, thresh=2)),
        ("order", C.ARR_E_ARGUMENT, lambda: ilut(a, order=2)),
        ("singular", C.ARR_E_LINALG, lambda: ilut(dense([1.0, 2.0], [2.0, 4.0]))),
        ("row of zeros", C.ARR_E_LINALG, lambda: ilut(dense([1.0, 2.0], [0.0, 0.0]))),
        ("column of zeros", C.ARR_E_LINALG, lambda: ilut(dense([1.0, 0.0], [2.0, 0.0]))),
        ("nan", C.ARR_E_LINALG, lambda: ilut(dense([1.0, np.nan], [2.0, 1.0]))),
        ("infinity", C.ARR_E_LINALG, lambda: ilut(dense([1.0, 2.0], [np.inf, 1.0]))),
        ("slogdet", C.ARR_E_UNSUPPORTED, lambda: ilut(a).slogdet()),
    ):
        report.check(f"refused {label}", raises(status, call))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([complete, thresholds, preconditioners, inside_solvers, refusals]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
