#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Iterative solvers on matrices of known condition, singular and indefinite ones: the number of iterations is within that
which theory gives, and what cannot be solved is reported."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.sparse
from iterative_solvers import GENERAL, SYMMETRIC, error, right
from linops import Linop, least_squares, solve

from sparse_matrix import laplacian


def with_spectrum(values, seed, d="float64"):
    """A dense Hermitian matrix with these eigenvalues."""
    r = np.random.default_rng(seed)
    n = len(values)
    x = r.standard_normal((n, n)) + (1j * r.standard_normal((n, n)) if d.startswith("complex") else 0)
    q = np.linalg.qr(x)[0]
    m = (q * values) @ q.conj().T
    return ((m + m.conj().T) / 2).astype(d)


def energy(m, x):
    return np.sqrt(np.vdot(x, m @ x).real)


def conditions(report):
    """cg halves the error in the norm of the matrix as its condition says: 2 ((sqrt(k) - 1) / (sqrt(k) + 1))^i of the
    first one after i iterations (Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., SIAM 2003, 6.11.3)."""
    n = 60
    for k in (1.0, 10.0, 1e3, 1e5) if report.device == "host" else (10.0,):
        for d in ("float64", "complex128") if report.device == "host" else ("float64",):
            m, b = with_spectrum(np.geomspace(1, k, n), 1, d), right(n, d, 2)
            a, y = Linop.of(m, report.device), report.array(b)
            exact = np.linalg.solve(m, b)
            rate = (np.sqrt(k) - 1) / (np.sqrt(k) + 1)
            for i in (1, 3, 10, 30):
                x, info = solve("cg", a, y, maxiter=i, rtol=1e-15)
                bound = 2 * rate**i * energy(m, exact) + 1e-10 * k * np.linalg.norm(exact)
                got = energy(m, x.numpy() - exact)
                report.check(f"cg condition {k:g} {d} {i}", got <= bound, f"{got} {bound}")
            x, info = solve("cg", a, y, rtol=1e-8, maxiter=100 * n)
            report.check(f"cg condition {k:g} {d} solved", info.info == 0 and error(m, x.numpy(), b) < 1e-7)
            forward = np.linalg.norm(x.numpy() - exact) / np.linalg.norm(exact)
            report.check(f"cg condition {k:g} {d} error", forward <= 1.1 * k * 1e-8, forward)


def few_eigenvalues(report):
    """As many iterations as there are different eigenvalues are enough; half of them may be negative for minres."""
    for values in ([2.0], [1.0, 5.0], [1.0, 3.0, 10.0, 11.0]):
        spectrum = np.repeat(values, 24 // len(values))
        for name in ("cg", "minres", "gmres", "bicgstab", "cgs", "tfqmr"):
            m, b = with_spectrum(spectrum, 3), right(24, "float64", 4)
            x, info = solve(name, Linop.of(m, report.device), report.array(b), rtol=1e-8)
            most = len(values) * (2 if name == "tfqmr" else 1) + 1
            report.check(
                f"{name} of {len(values)} eigenvalues", info.info == 0 and info.iterations <= most, info.iterations
            )
            report.check(f"{name} of {len(values)} residual", error(m, x.numpy(), b) < 1e-6)
    spectrum = np.repeat([-4.0, -1.0, 1.0, 6.0], 6)
    m, b = with_spectrum(spectrum, 5), right(24, "float64", 6)
    for name in ("minres", "gmres", "lgmres"):
        x, info = solve(name, Linop.of(m, report.device), report.array(b), rtol=1e-9)
        report.check(f"{name} indefinite", info.info == 0 and error(m, x.numpy(), b) < 1e-7, info.iterations)


def singular(report):
    """A graph's Laplacian, whose kernel are the constants: right-hand sides of sum 0 are solved, others are not said to
    be."""
    m = laplacian(5, 6)
    m = scipy.sparse.csr_array(m - scipy.sparse.diags_array(m.sum(1)))  # rows add up to 0
    n = m.shape[0]
    b = right(n, "float64", 7)
    even = b - b.mean()
    a = Linop.of(m, report.device)
    for name in SYMMETRIC + GENERAL:
        x, info = solve(name, a, report.array(even), rtol=1e-8)
        good = info.info == 0 and error(m, x.numpy(), even) < (1e-5 if name == "minres" else 1e-6)
        report.check(f"{name} singular, consistent", good, (info.info, error(m, x.numpy(), even)))
        if name == "minres":
            continue  # a least-squares solution is one
        x, info = solve(name, a, report.array(b), rtol=1e-8, maxiter=60)
        report.check(f"{name} singular, inconsistent", info.info != 0, info.info)
    for name in ("lsqr", "lsmr"):
        x, info, _ = least_squares(name, a, report.array(b), atol=1e-12, btol=1e-12)
        want = np.linalg.lstsq(m.toarray(), b, 1e-10)[0]
        report.check(f"{name} singular", np.allclose(x.numpy(), want, atol=1e-7))


def zero(report):
    """The matrix 0, and one with a row and column of zeros that the right-hand side needs."""
    b = np.ones(5)
    for label, m in (("zero", np.zeros((5, 5))), ("zero row", np.diag([1.0, 2, 3, 4, 0]))):
        for name in SYMMETRIC + GENERAL:
            x, info = solve(name, Linop.of(m, report.device), report.array(b), maxiter=50)
            bad = error(m, x.numpy(), b) if np.isfinite(x.numpy()).all() else np.inf
            report.check(f"{name} {label}", info.info != 0 or bad < 1e-4 or name == "minres", (info.info, bad))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([conditions, few_eigenvalues, singular, zero]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
