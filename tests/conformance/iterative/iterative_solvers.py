#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Iterative solvers of linear equations against SciPy's: the solutions, and what is reported."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from linops import C, Linop, solve, sparse

from oracle import arrpy, raises

SYMMETRIC, GENERAL = ("cg", "minres"), ("bicgstab", "cgs", "gmres", "tfqmr", "lgmres")
# Those that report the residual of the equations as they are.
PLAIN = ("cg", "bicgstab", "cgs")


def laplacian(n):
    """The Laplacian of n x n points, positive definite."""
    t = scipy.sparse.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1])
    eye = scipy.sparse.eye_array(n)
    return (scipy.sparse.kron(t, eye) + scipy.sparse.kron(eye, t)).tocsr()


def convection(n):
    """The same with a wind, not symmetric."""
    t = scipy.sparse.diags_array([-1.4 * np.ones(n - 1), 2 * np.ones(n), -0.6 * np.ones(n - 1)], offsets=[-1, 0, 1])
    eye = scipy.sparse.eye_array(n)
    return (scipy.sparse.kron(t, eye) + scipy.sparse.kron(eye, t)).tocsr()


def hermitian(n):
    t = scipy.sparse.diags_array([1j * np.ones(n - 1), 3 * np.ones(n), -1j * np.ones(n - 1)], offsets=[-1, 0, 1])
    return t.tocsr()


def of(name):
    return laplacian(6) if name in SYMMETRIC else convection(6)


def right(n, d, seed=1):
    r = np.random.default_rng(seed)
    b = r.standard_normal(n)
    return (b + 1j * r.standard_normal(n)).astype(d) if d.startswith("complex") else b.astype(d)


def theirs(name, m, b, **given):
    """x, info and the number of iterations of SciPy."""
    count = []
    more = {"callback_type": "pr_norm"} if name == "gmres" else {}
    if name == "lgmres" and "restart" in given:
        given["inner_m"] = given.pop("restart")
    x, info = getattr(scipy.sparse.linalg, name)(m, b, callback=lambda _: count.append(1), **more, **given)
    return x, info, len(count)


def error(m, x, b):
    return np.linalg.norm(b - m @ x) / np.linalg.norm(b)


def types(report):
    return ("float32", "float64", "complex64", "complex128") if report.device == "host" else ("float32", "complex128")


def values(report):
    for name in SYMMETRIC + GENERAL:
        for d in types(report):
            label = f"{name} {d}"
            if not report.wants(label):
                continue
            m = of(name)
            if name in SYMMETRIC and d.startswith("complex"):
                m = hermitian(36)
            m = m.astype(d)
            b = right(36, d)
            x, info = solve(name, Linop.of(m, report.device), report.array(b))
            got = x.numpy()
            report.check(f"{label} type", got.dtype == d and got.shape == (36,))
            report.check(f"{label} info", info.info == 0, info.info)
            report.check(
                f"{label} residual", error(m, got, b) < (1e-4 if name == "minres" else 1.2e-5), error(m, got, b)
            )
            if name in PLAIN:
                true = np.linalg.norm(b - m @ got)
                close = abs(info.residual - true) < 1e-4 * np.linalg.norm(b) * (
                    1 if "32" in d or "64" == d[-2:] else 1e-8
                )
                report.check(f"{label} reported", close or abs(info.residual - true) < 1e-6, (info.residual, true))
            if name == "minres" and d.startswith("complex"):
                continue  # SciPy's does not conjugate
            want, code, count = theirs(name, m, b)
            close = 1e-3 if d in ("float32", "complex64") else 2e-4
            report.check(f"{label} SciPy", np.allclose(got, want, atol=close) and code == 0)
            slack = max(2, count // 4) if d in ("float32", "complex64") else 1
            if name != "lgmres":  # SciPy counts cycles
                report.check(f"{label} iterations", abs(info.iterations - count) <= slack, (info.iterations, count))


def promoted(report):
    """The type of the computation."""
    for a, b, want in (
        ("int64", "int64", "float64"),
        ("float32", "int8", "float64"),
        ("float32", "float32", "float32"),
        ("float32", "complex64", "complex64"),
        ("float64", "complex64", "complex128"),
        ("float16", "float16", "float64"),
    ):
        m = np.diag([4, 5, 6]) + np.eye(3, k=1)
        y = report.array(np.array([1, 2, 3]).astype(b))
        x, info = solve("bicgstab", Linop.of(m.astype(a), report.device), y)
        good = np.allclose(m @ x.numpy(), [1, 2, 3], atol=1e-4)
        report.check(f"promoted {a} {b}", x.dtype == want and good and info.info == 0)


def starts(report):
    """x0, the exact solution, b of one column, b = 0."""
    for name in SYMMETRIC + GENERAL:
        m, a = of(name), Linop.of(of(name), report.device)
        b, x0 = right(36, "float64"), right(36, "float64", 2)
        x, info = solve(name, a, report.array(b.reshape(36, 1)), x0=report.array(x0), rtol=1e-9)
        report.check(f"{name} x0", error(m, x.numpy(), b) < 1e-7 and info.info == 0 and x.shape == (36,))
        exact = scipy.sparse.linalg.spsolve(m.tocsc(), b)
        given = report.array(exact)
        x, info = solve(name, a, report.array(b), x0=given)
        near = np.allclose(x.numpy(), exact, rtol=1e-10)
        report.check(
            f"{name} exact", near and info.info == 0 and (info.iterations <= 1 or name == "tfqmr"), info.iterations
        )
        report.check(f"{name} x0 is kept", np.array_equal(given.numpy(), exact) and x.data != given.data)
        x, info = solve(name, a, report.array(np.zeros(36)), x0=report.array(x0))
        report.check(f"{name} zero", not x.numpy().any() and info.info == 0 and info.iterations == 0)
        none = Linop.of(scipy.sparse.csr_array((0, 0)), report.device)
        x, info = solve(name, none, report.array(np.zeros(0)))
        report.check(f"{name} empty", x.shape == (0,) and info.info == 0)


def limits(report):
    """maxiter, tolerances, and that a look at every eighth iteration changes nothing."""
    for name in SYMMETRIC + GENERAL:
        m = laplacian(12) if name in SYMMETRIC else convection(12)
        a, b = Linop.of(m, report.device), right(144, "float64")
        B = report.array(b)
        x, info = solve(name, a, B, maxiter=3, restart=4)
        want, code, _ = theirs(name, m, b, maxiter=3, **({"restart": 4} if "gmres" in name else {}))
        report.check(f"{name} maxiter", info.info == code == 3, (info.info, code))
        report.check(f"{name} maxiter x", np.allclose(x.numpy(), want, rtol=1e-9))
        x, info = solve(name, a, B, maxiter=-1)
        report.check(f"{name} no iteration", not x.numpy().any() and info.iterations == 0 and info.residual > 0)
        if name != "minres":
            x, info = solve(name, a, B, atol=0.1 * np.linalg.norm(b))
            report.check(f"{name} atol", 0.001 < error(m, x.numpy(), b) <= 0.1 and info.info == 0)
        x, info = solve(name, a, B, rtol=1e-8, check_every=1)
        y, other = solve(name, a, B, rtol=1e-8, check_every=8)
        report.check(f"{name} check_every", np.array_equal(x.numpy(), y.numpy()))
        same = (info.info, info.iterations, info.residual) == (other.info, other.iterations, other.residual)
        report.check(f"{name} check_every info", same, (info.iterations, other.iterations))


class Seen(list):
    """The calls of a callback. A call that is made again, after an allocation failed, begins anew."""

    def __call__(self, i, residual):
        if self and i <= self[-1][0]:
            self.clear()
        self.append((i, residual))
        return False


def callbacks(report):
    for name in SYMMETRIC + GENERAL:
        m = of(name)
        a, b = Linop.of(m, report.device), report.array(right(36, "float64"))
        seen = Seen()
        _, info = solve(name, a, b, callback=seen)
        numbers = [i for i, _ in seen]
        report.check(f"{name} callback", numbers == list(range(1, info.iterations + 1)), numbers)
        report.check(f"{name} callback residual", seen[-1][1] < seen[0][1])
        x, info = solve(name, a, b, callback=lambda i, r: i == 4)
        report.check(f"{name} stopped", info.info > 0 and info.iterations == 4 and x.numpy().any(), info.info)
        seen.clear()
        solve(name, a, b, check_every=3, callback=seen)
        report.check(f"{name} callback every 3", [i for i, _ in seen[:2]] == [3, 6], seen)


def functions(report):
    """Operators and preconditioners by functions, and functions that fail."""
    for name in SYMMETRIC + GENERAL:
        m = of(name)
        b = right(36, "float64")
        matrix, B = sparse(m, report.device), report.array(b)
        calls = []

        def product(x):
            calls.append(1)
            return matrix @ x

        plain, first = solve(name, Linop.made("from_sparse", matrix), B)
        x, info = solve(name, Linop.function((36, 36), "float64", report.device, product), B)
        report.check(
            f"{name} function", np.array_equal(x.numpy(), plain.numpy()) and info.iterations == first.iterations
        )

        def late(x):
            return C.ARR_E_IO if len(calls) > 5 else product(x)

        calls.clear()
        bad = Linop.function((36, 36), "float64", report.device, late)
        report.check(f"{name} failing function", raises(C.ARR_E_IO, lambda: solve(name, bad, B)))
        bad = Linop.function((36, 36), "float64", report.device, lambda x: C.ARR_E_IO)
        a = Linop.made("from_sparse", matrix)
        report.check(f"{name} failing preconditioner", raises(C.ARR_E_IO, lambda: solve(name, a, B, m=bad)))


def preconditioned(report):
    for name in SYMMETRIC + GENERAL:
        r = np.random.default_rng(3)
        scale = scipy.sparse.diags_array(10 ** r.uniform(-1.5, 1.5, 36))
        m = (scale @ of(name) @ scale).tocsr()
        b = right(36, "float64")
        matrix, B = sparse(m, report.device), report.array(b)
        a, jacobi = Linop.made("from_sparse", matrix), Linop.made("jacobi", matrix, None)
        x, info = solve(name, a, B, m=jacobi, rtol=1e-10)
        inverse = scipy.sparse.linalg.LinearOperator((36, 36), lambda v: v / m.diagonal())
        want, code, count = theirs(name, m, b, M=inverse, rtol=1e-10)
        _, without = solve(name, a, B, rtol=1e-10)
        close = name == "lgmres" or abs(info.iterations - count) <= 1 + count // 5
        report.check(f"{name} preconditioned", info.info == 0, info.info)
        report.check(f"{name} preconditioned residual", error(m, x.numpy(), b) < (1e-6 if name == "minres" else 1e-8))
        if name != "tfqmr":  # SciPy's multiplies by the preconditioner on both sides
            report.check(f"{name} preconditioned as SciPy", code == 0 and close, (info.iterations, count))
            report.check(f"{name} preconditioned x", np.allclose(x.numpy(), want, rtol=1e-5, atol=1e-8))
        fewer = info.iterations < without.iterations or without.info != 0
        report.check(f"{name} fewer iterations", fewer, (info.iterations, without.iterations))
        half = scipy.sparse.csr_array(np.diag(1 / m.diagonal()).astype("f4"))
        x, info = solve(name, a, B, m=Linop.of(half, report.device), rtol=1e-8)
        report.check(f"{name} preconditioner of float32", x.dtype == "float64" and info.info == 0)


def minres(report):
    """Indefinite, shifted and singular equations."""
    m = laplacian(6)
    b = right(36, "float64")
    eye = scipy.sparse.eye_array(36)
    for label, matrix, shift in (("indefinite", m - 2.3 * eye, 0.0), ("shifted", m, 2.3), ("negative", -m, 0.0)):
        x, info = solve("minres", Linop.of(matrix.tocsr(), report.device), report.array(b), shift=shift, rtol=1e-9)
        want, _, count = theirs("minres", matrix, b, shift=shift, rtol=1e-9)
        report.check(f"minres {label}", np.allclose(x.numpy(), want, rtol=1e-5) and info.info == 0)
        report.check(f"minres {label} iterations", abs(info.iterations - count) <= 1, (info.iterations, count))
        start = report.array(right(36, "float64", 5))
        x, _ = solve(
            "minres", Linop.of(matrix.tocsr(), report.device), report.array(b), shift=shift, rtol=1e-9, x0=start
        )
        report.check(f"minres {label} x0", error(matrix - shift * eye, x.numpy(), b) < 1e-6)
    singular = np.diag([2.0, 3, 4, 0])
    for label, y in (("consistent", [2.0, 3, 4, 0]), ("least squares", [2.0, 3, 4, 5])):
        x, info = solve("minres", Linop.of(singular, report.device), report.array(np.array(y)))
        report.check(f"minres {label}", np.allclose(x.numpy()[:3], 1, atol=1e-4) and info.info == 0, x.numpy())
    x, info = solve("minres", Linop.of(3 * np.eye(4), report.device), report.array(np.ones(4)))
    report.check("minres eigenvector", np.allclose(x.numpy(), 1 / 3) and info.iterations == 1 and info.info == 0)
    negative = Linop.of(-np.eye(36), report.device)
    _, info = solve("minres", Linop.of(m, report.device), report.array(b), m=negative)
    report.check("minres negative preconditioner", info.info == -1, info.info)


def breakdowns(report):
    def code(name, m, b, **given):
        m, b = np.array(m, "f8"), np.array(b, "f8")
        x, info = solve(name, Linop.of(m, report.device), report.array(b), **given)
        return info.info, x.numpy()

    skew = [[0, 1], [-1, 0]]
    for name in ("bicgstab", "cgs"):
        got, x = code(name, skew, [1, 0])
        want = getattr(scipy.sparse.linalg, name)(np.array(skew, "f8"), np.array([1.0, 0]))[1]
        report.check(f"{name} direction", got == want == -11 and np.isfinite(x).all(), (got, want))
        tiny = np.full(2, 1e-20)
        got, _ = code(name, np.eye(2), tiny, rtol=1e-9)
        want = getattr(scipy.sparse.linalg, name)(np.eye(2), tiny, rtol=1e-9)[1]
        report.check(f"{name} residuals", got == want == -10, (got, want))
    got, x = code("cg", skew, [1, 0])
    report.check("cg direction", got == -11 and np.isfinite(x).all(), got)
    got, x = code("gmres", [[1, 0], [0, 0]], [1, 1])
    report.check("gmres singular", got == -1 and np.allclose(x[0], 1), (got, x))
    got, x = code("gmres", skew, [1, 0])
    report.check("gmres of two", got == 0 and np.allclose(x, [0, 1]), (got, x))
    for name in SYMMETRIC + GENERAL:
        got, _ = code(name, [[np.nan, 0], [0, 1]], [1, 1])
        report.check(f"{name} nan", got == -1, got)
        got, x = code(name, np.diag([1.0, 2, 3]), [1, 1, 1], rtol=-1.0, maxiter=50)
        report.check(f"{name} to the end", np.allclose(x, [1, 1 / 2, 1 / 3], rtol=1e-9), (got, x))


def refused(report):
    m = Linop.of(laplacian(2), report.device)
    good = report.array(np.ones(4))

    def fails(label, text, a, b, **given):
        try:
            solve("cg", a, b, **given)
            report.check(f"refused {label}", False, "nothing was refused")
        except arrpy.Error as e:
            report.check(f"refused {label}", text in str(e), str(e))

    fails(
        "square", "argument a: shape (2,3), expected a square operator", Linop.of(np.ones((2, 3)), report.device), good
    )
    fails("b", "argument b: shape (3,), expected (4) or (4,1)", m, report.array(np.ones(3)))
    fails("b of two columns", "argument b: shape (4,2), expected (4) or (4,1)", m, report.array(np.ones((4, 2))))
    fails("x0", "argument options: x0 has shape (3,), expected (4) or (4,1)", m, good, x0=report.array(np.ones(3)))
    fails("m", "argument options: m has shape (2,2)", m, good, m=Linop.of(np.eye(2), report.device))
    fails("rtol", "argument options: rtol is nan", m, good, rtol=float("nan"))
    fails("check_every", "argument options: check_every is -1", m, good, check_every=-1)
    bad = Linop.made("retain", m)
    arrpy.call("arr_linop_release", bad.handle)
    report.check("refused handle", raises(C.ARR_E_HANDLE, lambda: solve("cg", bad, good)))
    fails("stale m", "argument options: expected a live linear operator handle", m, good, m=bad)


def main():
    report = oracle.Report(__doc__)
    parts = [values, promoted, starts, limits, callbacks, functions, preconditioned, minres, breakdowns, refused]
    for part in report.turn(parts):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
