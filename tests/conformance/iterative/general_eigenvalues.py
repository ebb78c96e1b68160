#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A few eigenvalues of operators that are not Hermitian, against dense ones and SciPy's eigs."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from iterative_solvers import types
from linops import Linop, eigs

from oracle import arrpy

WHICH = ("LM", "SM", "LR", "SR", "LI", "SI")


def general(n, d, seed):
    r = np.random.default_rng(seed)
    a = r.standard_normal((n, n)) + (1j * r.standard_normal((n, n)) if d.startswith("complex") else 0)
    return a.astype(d)


def inner(d):
    """A few eigenvalues near 1, the others near 10 i and -10 i: those inside a spectrum rarely converge."""
    pairs = [[[10 * np.cos(t), -10 * np.sin(t)], [10 * np.sin(t), 10 * np.cos(t)]] for t in np.linspace(1.2, 1.9, 21)]
    a = scipy.linalg.block_diag(np.diag(np.linspace(0.5, 1.5, 8)), *pairs) + np.triu(general(50, "float64", 2), 2) / 9
    q = np.linalg.qr(general(50, d, 3))[0]
    return (q @ a @ q.conj().T).astype(d)


def key(values, which, real):
    """Least where an eigenvalue is wanted most."""
    part = {"M": np.abs, "R": np.real, "I": lambda z: np.abs(z.imag) if real else z.imag}[which[1]](values)
    return part if which[0] == "S" else -part


def check(report, label, m, k, which, found, tolerance=1.0):
    """Eigenpairs of m, as many as asked for, and no better ones left."""
    real, eps, norm = m.dtype.kind != "c", np.finfo(m.dtype).eps, np.linalg.norm(m, 2)
    values, vectors = (x.numpy() for x in found)
    d = np.result_type(m.dtype, np.complex64)
    shapes = values.shape == (k,) and vectors.shape == (len(m), k)
    report.check(f"{label} types", shapes and values.dtype == vectors.dtype == d, f"{values.dtype} {values.shape}")
    error = np.linalg.norm(m.astype("c16") @ vectors - vectors * values, axis=0).max()
    report.check(f"{label} residual", error <= 400 * tolerance * eps * norm, f"{error} {norm}")
    report.check(f"{label} unit", np.allclose(np.linalg.norm(vectors, axis=0), 1, atol=100 * eps))
    close = 1e4 * tolerance * eps * norm
    keys = key(values, which, real)
    report.check(f"{label} order", (np.diff(keys) >= -close).all(), values)
    all_of_them = np.linalg.eigvals(m.astype("c16" if not real else "f8"))
    want = np.sort(key(all_of_them, which, real))[:k]
    report.check(f"{label} values", np.abs(np.sort(keys) - want).max() <= close, (values, want))
    far = max(np.abs(all_of_them - z).min() for z in values)
    report.check(f"{label} spectrum", far <= close, far)
    if real:
        inside = [z for z in values[:-1] if z.imag]
        report.check(f"{label} pairs", all(z.conj() in values for z in inside), values)


def eigenvalues(report):
    for d in types(report):
        for which in WHICH if report.device == "host" else ("LM", "SR"):
            label = f"eigs {which} {d}"
            if report.wants(label):
                m = inner(d) if which in ("SM", "SI") else general(50, d, 1)
                check(report, label, m, 6, which, eigs(Linop.of(m, report.device), 6, which))
        m = general(50, d, 1)
        check(report, f"eigs alone {d}", m, 1, "LR", eigs(Linop.of(m, report.device), 1, "LR", ncv=12))
        sparse = scipy.sparse.random_array((120, 120), density=0.05, rng=np.random.default_rng(2)).tocsr()
        sparse = sparse.astype(d) + scipy.sparse.diags_array(np.linspace(0, 9, 120)).astype(d)
        check(report, f"eigs sparse {d}", sparse.toarray(), 4, "LM", eigs(Linop.of(sparse, report.device), 4))


def structures(report):
    """Pairs that k divides, defective matrices, invariant subspaces, all of the eigenvalues."""
    turn = scipy.linalg.block_diag(*([[r * np.cos(r), -r], [r, r * np.cos(r)]] for r in np.linspace(1, 3, 15)))
    for k in (1, 2, 3, 4, 5):
        w, v = eigs(Linop.of(turn, report.device), k)
        check(report, f"eigs pairs {k}", turn, k, "LM", (w, v))
        known = scipy.sparse.linalg.eigs(turn, k, return_eigenvectors=False)
        same = np.allclose(np.sort(np.abs(known)), np.sort(np.abs(w.numpy())))
        report.check(f"eigs pairs {k} as SciPy", same, (known, w.numpy()))
        report.check(f"eigs pairs {k} sign", w.numpy()[-1].imag > 0 if k % 2 else True)
    jordan = np.diag(np.r_[np.full(4, 5.0), np.linspace(0, 3, 26)]) + np.diag(np.r_[1.0, 0, 1.0, np.zeros(26)], 1)
    shift = np.roll(np.eye(24), 1, axis=0)
    for label, m, k, which, tolerance in (
        ("identity", np.eye(12), 3, "LM", 1),
        ("zero", np.zeros((25, 25)), 2, "SM", 1),
        ("two values", np.diag([1.0] * 20 + [3.0] * 20), 2, "SR", 1),
        ("all", general(7, "float64", 3), 7, "LM", 1),
        ("all but one", general(7, "float64", 3), 6, "LM", 1),
        ("one", np.array([[4.0]]), 1, "LM", 1),
        ("two", np.array([[0.0, -2], [2, 0]]), 1, "LI", 1),
        ("rank one", np.outer(np.arange(30.0), np.arange(1.0, 31)), 3, "LM", 1),
        ("jordan", jordan, 3, "LM", 1e6),
        ("a nilpotent matrix", np.diag(np.ones(4), 1), 2, "LM", 1e12),
        ("roots of unity", shift, 4, "LR", 1),
        ("triangle", np.triu(general(40, "float64", 5)) + np.diag(np.arange(40.0)), 5, "LR", 1e3),
    ):
        if report.wants(f"eigs {label}"):
            check(report, f"eigs {label}", m, k, which, eigs(Linop.of(m, report.device), k, which), tolerance)
    n = 400
    wind = scipy.sparse.diags_array([-1.01, 2.0, -0.99], offsets=[-1, 0, 1], shape=(n, n)).tocsr()
    if report.device == "host":
        inverse = np.linalg.inv(wind.toarray())
        kept = report.array(inverse)
        solves = Linop.function((n, n), "float64", report.device, lambda x: arrpy.matmul(kept, x))
        w = 1 / eigs(solves, 3)[0].numpy()
        want = np.sort(np.linalg.eigvals(wind.toarray()))[:3]
        report.check("eigs of the inverse", np.allclose(w, want, rtol=1e-8), (w, want))
    m = general(60, "float64", 4)
    a = Linop.of(m, report.device)
    first, second = (eigs(a, 3)[1].numpy() for _ in range(2))
    report.check("eigs again", np.array_equal(first, second))
    w, _ = eigs(a, 3, tol=1e-3)
    report.check("eigs tol", np.allclose(np.abs(w.numpy()), np.sort(np.abs(np.linalg.eigvals(m)))[:-4:-1], rtol=1e-2))
    w, _ = eigs(Linop.of(np.diag(np.arange(40.0)), report.device), 2, "LR", v0=report.array(np.eye(40)[0]))
    report.check("eigs v0 is an eigenvector", np.allclose(w.numpy(), [39, 38]), w.numpy())
    whole = Linop.of(np.diag([3, -1, 4, 1, -5]), report.device)
    check(report, "eigs of integers", np.diag([3.0, -1, 4, 1, -5]), 2, "LM", eigs(whole, 2))


def refused(report):
    m = Linop.of(np.diag(np.arange(9.0)), report.device)
    tall = Linop.of(np.ones((3, 2)), report.device)

    def fails(label, text, call):
        try:
            call()
            report.check(f"refused {label}", False, "nothing was refused")
        except arrpy.Error as e:
            report.check(f"refused {label}", text in str(e), str(e))

    fails("k", "argument k: 0, expected 1 to 9", lambda: eigs(m, 0))
    fails("many", "argument k: 10, expected 1 to 9", lambda: eigs(m, 10))
    fails("ncv", "argument options: ncv is 4, expected more than k + 1, 4", lambda: eigs(m, 3, ncv=4))
    fails("square", "argument a: shape (3,2), expected a square operator", lambda: eigs(tall, 1))
    fails("v0", "argument options: v0 has shape (2,)", lambda: eigs(m, 1, v0=report.array(np.ones(2))))
    fails("which", "argument which: 2, expected ARR_EIGEN_LM, SM, LR, SR, LI or SI", lambda: eigs(m, 1, "LA"))
    fails("nan", "is not finite", lambda: eigs(Linop.of(np.full((3, 3), np.nan), report.device), 1))
    hard = Linop.of(np.diag(np.linspace(1, 1.01, 300)), report.device)
    if report.wants("refused restarts"):
        fails("restarts", "after 1 restarts", lambda: eigs(hard, 1, maxiter=1, ncv=3))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([eigenvalues, structures, refused]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
