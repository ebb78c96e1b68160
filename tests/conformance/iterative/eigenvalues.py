#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A few eigenvalues and singular values against those of dense matrices."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from iterative_solvers import laplacian, right, types
from linops import C, Linop, eigsh, lobpcg, svds

from oracle import arrpy, raises

WHICH = ("LM", "SM", "LA", "SA", "BE")


def symmetric(n, d, seed):
    """Eigenvalues of both signs."""
    r = np.random.default_rng(seed)
    a = r.standard_normal((n, n)) + (1j * r.standard_normal((n, n)) if d.startswith("complex") else 0)
    return ((a + a.conj().T) / 2).astype(d)


def wanted(values, k, which):
    order = {
        "LM": np.argsort(-abs(values)),
        "SM": np.argsort(abs(values)),
        "LA": np.argsort(-values),
        "SA": np.argsort(values),
    }
    if which == "BE":
        return np.sort(np.r_[values[: k // 2], values[len(values) - (k - k // 2) :]])
    return np.sort(values[order[which][:k]])


def check(report, label, m, k, which, w, v, d):
    real = np.zeros(0, d).real.dtype
    eps, norm = np.finfo(real).eps, np.abs(np.linalg.eigvalsh(m)).max()
    values, vectors = w.numpy(), v.numpy()
    want = wanted(np.linalg.eigvalsh(m.astype("c16" if d.startswith("complex") else "f8")), k, which)
    report.check(f"{label} types", w.dtype == real and v.dtype == d and v.shape == (len(m), k))
    report.check(f"{label} values", np.abs(values - want).max() < 40 * eps * norm, (values, want))
    residual = np.linalg.norm(m @ vectors - vectors * values)
    report.check(f"{label} residual", residual < 300 * eps * norm, residual)
    report.check(f"{label} orthonormal", np.linalg.norm(vectors.conj().T @ vectors - np.eye(k)) < 100 * eps)


def eigenvalues(report):
    for d in types(report):
        m = symmetric(50, d, 1)
        a = Linop.of(m, report.device)
        for which in WHICH if report.device == "host" else ("LM", "BE"):
            label = f"eigsh {which} {d}"
            if report.wants(label):
                check(report, label, m, 5, which, *eigsh(a, 5, which), d)
        check(report, f"eigsh alone {d}", m, 1, "LA", *eigsh(a, 1, "LA", ncv=8), d)


def structures(report):
    """Multiple eigenvalues, invariant subspaces, all of the eigenvalues, no dimension to spare."""
    check(
        report,
        "eigsh of integers",
        np.diag([3.0, -1, 4, 1, -5]),
        2,
        "LM",
        *eigsh(Linop.of(np.diag([3, -1, 4, 1, -5]), report.device), 2),
        "float64",
    )
    # Copies of a multiple eigenvalue come from rounding errors, so some may be missed.
    double = laplacian(6).toarray()
    for which in ("SA", "LM"):
        w, v = (x.numpy() for x in eigsh(Linop.of(laplacian(6), report.device), 6, which))
        known = np.linalg.eigvalsh(double)
        report.check(f"eigsh double {which}", all(abs(known - x).min() < 1e-13 for x in w), w)
        report.check(f"eigsh double {which} end", np.isclose(w[0 if which == "SA" else -1], wanted(known, 1, which)[0]))
        report.check(f"eigsh double {which} residual", np.linalg.norm(double @ v - v * w) < 1e-12)
    for label, m, k, which in (
        ("identity", np.eye(12), 4, "LM"),
        ("zero", np.zeros((9, 9)), 2, "SM"),
        ("two values", np.diag([1.0] * 20 + [3.0] * 20), 3, "SA"),
        ("all", symmetric(7, "float64", 3), 7, "LM"),
        ("one", np.array([[4.0]]), 1, "LM"),
        ("rank one", np.outer(np.arange(30.0), np.arange(30.0)), 3, "LM"),
    ):
        w, v = eigsh(Linop.of(m, report.device), k, which)
        check(report, f"eigsh {label}", m + 0.0, k, which, w, v, "float64") if m.any() else report.check(
            f"eigsh {label}", not w.numpy().any() and np.allclose(v.numpy().T @ v.numpy(), np.eye(k))
        )
    start = report.array(np.eye(40)[0])
    w, _ = eigsh(Linop.of(np.diag(np.arange(40.0)), report.device), 2, "LA", v0=start)
    report.check("eigsh v0 is an eigenvector", np.allclose(w.numpy(), [38, 39]), w.numpy())
    m = symmetric(60, "float64", 4)
    a = Linop.of(m, report.device)
    first, second = (eigsh(a, 3)[1].numpy() for _ in range(2))
    report.check("eigsh again", np.array_equal(first, second))
    w, _ = eigsh(a, 3, tol=1e-3)
    report.check("eigsh tol", np.allclose(w.numpy(), wanted(np.linalg.eigvalsh(m), 3, "LM"), rtol=1e-2))
    shifted = Linop.function((60, 60), "float64", report.device, lambda x: arrpy.matmul(inverse, x))
    inverse = report.array(np.linalg.inv(m))
    w, _ = eigsh(shifted, 3)
    want = wanted(np.linalg.eigvalsh(m), 3, "SM")
    report.check("eigsh of the inverse", np.allclose(np.sort(1 / w.numpy()), want, rtol=1e-9))


def singular(report):
    for d in types(report):
        r = np.random.default_rng(6)
        for shape in ((40, 25), (25, 40)):
            m = r.standard_normal(shape) * (r.random(shape) < 0.4)
            m = (m + (1j * r.standard_normal(shape) if d.startswith("complex") else 0)).astype(d)
            label = f"svds {shape} {d}"
            if not report.wants(label):
                continue
            u, s, vh = svds(Linop.of(scipy.sparse.csr_array(m), report.device), 4)
            eps = np.finfo(d).eps
            U, S, V = u.numpy(), s.numpy(), vh.numpy()
            want = np.linalg.svd(m, compute_uv=False)[:4][::-1]
            report.check(f"{label} types", s.dtype == np.finfo(d).dtype and u.dtype == vh.dtype == d)
            report.check(f"{label} shapes", U.shape == (shape[0], 4) and V.shape == (4, shape[1]))
            report.check(f"{label} values", np.allclose(S, want, rtol=50 * eps), (S, want))
            report.check(f"{label} left", np.linalg.norm(m @ V.conj().T - U * S) < 1e3 * eps)
            report.check(f"{label} right", np.linalg.norm(m.conj().T @ U - V.conj().T * S) < 1e3 * eps)
            report.check(f"{label} orthonormal", np.allclose(U.conj().T @ U, np.eye(4), atol=100 * eps))
    m = np.random.default_rng(7).standard_normal((30, 8))
    _, s, _ = svds(Linop.of(m, report.device), 2, "SM")
    report.check("svds SM", np.allclose(s.numpy(), np.linalg.svd(m, compute_uv=False)[::-1][:2], rtol=1e-9))


def blocks(report):
    for d in types(report):
        m = laplacian(6).toarray().astype(d) if not d.startswith("complex") else symmetric(36, d, 8)
        eps = np.finfo(d).eps
        x = np.stack([right(36, d, 20 + i) for i in range(3)], axis=1)
        b = np.diag(np.linspace(1, 2, 36)).astype(d)
        values = np.linalg.eigvalsh(m.astype("c16"))
        for smallest in (0, 1):
            tol = 1e-6 if eps < 1e-10 else 2e-3
            a = Linop.of(m, report.device)
            w, v, count = lobpcg(a, report.array(x), smallest=smallest, tol=tol, maxiter=200)
            W, V = w.numpy(), v.numpy()
            want = values[:3] if smallest else values[::-1][:3]
            label = f"lobpcg {smallest} {d}"
            report.check(f"{label} values", np.allclose(W, want, atol=20 * tol), (W, want))
            report.check(f"{label} residual", np.linalg.norm(m @ V - V * W, axis=0).max() <= 2 * tol and count < 200)
            report.check(f"{label} orthonormal", np.allclose(V.conj().T @ V, np.eye(3), atol=100 * eps))
        if d != "float64":
            continue
        inverse = Linop.of(np.linalg.inv(m), report.device)
        _, _, fewer = lobpcg(a, report.array(x), smallest=1, tol=tol, maxiter=200, m=inverse)
        report.check("lobpcg preconditioned", fewer < count, (fewer, count))
        w, v, _ = lobpcg(a, report.array(x), smallest=1, tol=tol, maxiter=200, b=Linop.of(b, report.device))
        import scipy.linalg

        want = scipy.linalg.eigh(m, b, eigvals_only=True)[:3]
        V = v.numpy()
        report.check("lobpcg generalized", np.allclose(w.numpy(), want, atol=1e-6), (w.numpy(), want))
        report.check("lobpcg generalized orthonormal", np.allclose(V.T @ b @ V, np.eye(3), atol=1e-10))
        _, _, count = lobpcg(a, report.array(x), maxiter=2)
        report.check("lobpcg maxiter", count == 2, count)


def refused(report):
    m = Linop.of(np.diag(np.arange(9.0)), report.device)
    tall = Linop.of(np.ones((3, 2)), report.device)

    def fails(label, text, call):
        try:
            call()
            report.check(f"refused {label}", False, "nothing was refused")
        except arrpy.Error as e:
            report.check(f"refused {label}", text in str(e), str(e))

    fails("k", "argument k: 0, expected 1 to 9", lambda: eigsh(m, 0))
    fails("many", "argument k: 10, expected 1 to 9", lambda: eigsh(m, 10))
    fails("ncv", "argument options: ncv is 3, expected more than k, 3", lambda: eigsh(m, 3, ncv=3))
    fails("square", "argument a: shape (3,2), expected a square operator", lambda: eigsh(tall, 1))
    fails("v0", "argument options: v0 has shape (2,)", lambda: eigsh(m, 1, v0=report.array(np.ones(2))))
    fails("which", "expected ARR_EIGEN_LM or ARR_EIGEN_SM", lambda: svds(tall, 1, "BE"))
    fails("svds k", "argument k: 3, expected 1 to 2", lambda: svds(tall, 3))
    nan = Linop.of(np.full((3, 3), np.nan), report.device)
    fails("nan", "is not finite", lambda: eigsh(nan, 1))
    hard = Linop.of(np.diag(np.linspace(1, 1.01, 300)), report.device)
    fails("restarts", "after 1 restarts", lambda: eigsh(hard, 1, maxiter=1, ncv=3))
    alone = Linop.function((3, 2), "float64", report.device, lambda x: x)
    report.check("refused no adjoint", raises(C.ARR_E_UNSUPPORTED, lambda: svds(alone, 1)))
    fails("x", "argument x: shape (9,4)", lambda: lobpcg(m, report.array(np.ones((9, 4)))))
    fails(
        "dependent",
        "argument x: 1 of its 2 columns are linearly independent",
        lambda: lobpcg(m, report.array(np.ones((9, 2)))),
    )
    fails("b", "argument options: b has 3 rows", lambda: lobpcg(m, report.array(np.ones((9, 1))), b=tall))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([eigenvalues, structures, singular, blocks, refused]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
