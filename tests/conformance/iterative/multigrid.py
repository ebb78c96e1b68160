#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The multigrid preconditioner: symmetric, positive, and good for cg on grids of any size."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.sparse
from linops import Linop, solve
from sparse_matrix import Parts, Sparse

from oracle import arrpy


def matrix(report, m):
    m = scipy.sparse.csr_array(m)
    return Sparse.of(Parts("csr", m.shape, m.data, m.indices, m.indptr), report.device)


def make(a, strength=0.08):
    return Linop.made("multigrid", a.handle, strength, None)


def laplacian(*shape):
    """The Laplacian of a grid."""
    out = scipy.sparse.csr_array((1, 1))
    eye = scipy.sparse.eye_array
    for n in shape:
        line = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=(-1, 0, 1), shape=(n, n))
        out = scipy.sparse.kron(out, eye(n)) + scipy.sparse.kron(eye(out.shape[0]), line)
    return scipy.sparse.csr_array(out)


def iterations(report, m):
    """The number of iterations of cg with the preconditioner to a residual of 1e-6, or 1e-3 of float32."""
    rtol = 1e-6 if m.dtype == "f8" else 1e-3
    a = matrix(report, m)
    b = np.random.default_rng(1).random(m.shape[0]).astype(m.dtype)
    x, info = solve("cg", Linop.made("from_sparse", a.handle), report.array(b), m=make(a), rtol=rtol)
    wrong = np.linalg.norm(m @ x.numpy() - b) / np.linalg.norm(b)
    return info.iterations if wrong <= 5 * rtol else 10**6


def grids(report):
    shapes = ((20, 20), (100, 100), (300, 300), (20, 20, 20)) if report.device == "host" else ((20, 20),)
    for d in ("float32", "float64"):
        for shape in shapes:
            n = iterations(report, laplacian(*shape).astype(d))
            report.check(f"grid {shape} {d}", n <= 20, f"{n} iterations")
    apart = scipy.sparse.csr_array(scipy.sparse.diags_array(np.arange(1.0, 501)))  # no row has a neighbour
    report.check("diagonal", iterations(report, apart) <= 40)
    mixed = scipy.sparse.csr_array(scipy.sparse.block_diag([laplacian(20, 20), scipy.sparse.eye_array(500)]))
    report.check("rows without neighbours", iterations(report, mixed) <= 40)


def operator(report):
    a = matrix(report, laplacian(30, 30))
    x = np.random.default_rng(2).standard_normal((900, 4))
    y = make(a).apply(report.array(x)).numpy()
    products = x.T @ y
    report.check("symmetric", np.allclose(products, products.T, rtol=1e-9, atol=1e-9 * np.abs(products).max()))
    report.check("positive", np.all(np.linalg.eigvalsh(products) > 0))
    column = make(a).apply(report.array(x[:, 0].copy())).numpy()
    report.check("vector", np.allclose(column, y[:, 0], rtol=1e-12, atol=1e-14))
    small = laplacian(9)
    exact = np.linalg.solve(small.toarray(), x[:9])
    report.check(
        "small matrices are inverted",
        np.allclose(make(matrix(report, small)).apply(report.array(x[:9])).numpy(), exact),
    )
    whole = make(matrix(report, small.astype("int32"))).apply(report.array(x[:9])).numpy()
    report.check("integers", np.allclose(whole, exact))
    empty = make(matrix(report, scipy.sparse.csr_array((0, 0)))).apply(report.array(np.zeros(0))).numpy()
    report.check("empty", empty.shape == (0,))


def refusals(report):
    a = matrix(report, laplacian(4))
    tall = matrix(report, scipy.sparse.csr_array(np.ones((3, 2))))
    of_complex = matrix(report, laplacian(4).astype("c16"))
    for label, text, call in (
        ("strength below 0", "argument strength: -1, expected 0 to 1", lambda: make(a, -1.0)),
        ("strength above 1", "argument strength: 2, expected 0 to 1", lambda: make(a, 2.0)),
        ("strength nan", "argument strength: nan, expected 0 to 1", lambda: make(a, np.nan)),
        ("not square", "argument a: shape (3,2), expected a square operator", lambda: make(tall)),
        ("complex", "argument a: complex128, expected real elements", lambda: make(of_complex)),
    ):
        try:
            call()
            report.check(label, False, "nothing was refused")
        except arrpy.Error as e:
            report.check(label, text in str(e), str(e))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([grids, operator, refusals]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
