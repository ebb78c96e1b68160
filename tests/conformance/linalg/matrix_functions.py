#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions of matrices against mpmath with 40 digits, SciPy, and their defining equations.

What rounding a matrix may change in the result is computed by the reference, of nearby matrices: the error is bounded by
a multiple of that.
"""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import mpmath
import numpy as np
import scipy.linalg

import oracle
from matrices import (
    DTYPES,
    adjoint,
    bounded,
    cases,
    definite,
    eps,
    expm,
    graded,
    hermitian,
    inv,
    norm,
    orthonormal,
    random,
    several,
    shape_and_type,
    told,
    views,
    wide,
)
from oracle import arrpy

C = arrpy.c
mpmath.mp.dps = 40


def unary(name):
    return lambda a: arrpy.made(f"arr_{name}", a.handle, None)


def power(a, p):
    return arrpy.made("arr_fractional_matrix_power", a.handle, ctypes.c_double(p), None)


def schur(a, how=0):
    return several("schur", 2, a.handle, how, None)


sqrtm, logm = unary("sqrtm"), unary("logm")
POWERS = (0.5, 1 / 3, -0.7, 0.999, 2.25, -1.5)


def complex_of(d):
    return "complex64" if d in ("float32", "complex64") else "complex128"


# ---------------------------------------------------------------------------------------- references


def far(x, y):
    """The Frobenius norm of a difference."""
    return float(mpmath.sqrt(sum(abs(mpmath.mpmathify(z)) ** 2 for z in (x - y).ravel())))


class Reference:
    """Functions of a matrix by its eigenvalues and eigenvectors. Those of a real matrix on the real axis are exactly there."""

    def __init__(self, a):
        a = mpmath.matrix(a.tolist())
        values, vectors = mpmath.mp.eig(a)
        tiny = mpmath.mpf(10) ** -30
        self.values = [v.real if abs(v.imag) < tiny * abs(v) else v for v in map(mpmath.mpmathify, values)]
        self.vectors, self.inverse = vectors, vectors**-1

    def of(self, function):
        product = self.vectors * mpmath.diag([function(v) for v in self.values]) * self.inverse
        return np.array(product.tolist(), object)


def exact(a, function):
    return Reference(wide(a)).of(function).astype("c16")


class Conditioned:
    """The result, and how far it is from that of matrices that differ as by rounding."""

    def __init__(self, a, d):
        self.eps = eps(d)
        self.at, self.near = Reference(wide(a)), []
        for seed in range(2):
            by = wide(random(a.shape, d, 100 + seed))
            by = by * (self.eps * norm(a) / norm(by))
            numbers = np.array([mpmath.mpmathify(x) for x in wide(a).ravel().tolist()], object)
            self.near.append(Reference(numbers.reshape(a.shape) + by))

    def of(self, function):
        want = self.at.of(function)
        moved = max(far(want, x.of(function)) for x in self.near)
        return want, moved + self.eps * far(want, want * 0)


def given(d):
    """Matrices without eigenvalues on the cut, by their names."""
    n = 5
    yield "definite", definite((n, n), d, 1)
    yield "general", (random((n, n), d, 2) + 4 * np.eye(n)).astype(d)
    yield "graded", graded(n, d, 1e3, 3)
    yield "small", (random((n, n), d, 4) * 1e-9 + 1e-8 * np.eye(n)).astype(d)
    yield "large", (1e9 * definite((n, n), d, 5)).astype(d)
    yield "near 1", (np.eye(n) + 1e-3 * random((n, n), d, 6)).astype(d)
    yield "not normal", (np.triu(random((n, n), d, 7) * 30, 1) + np.diag(np.arange(1, n + 1))).astype(d)
    yield "rotation", scipy.linalg.qr(random((n, n), d, 8))[0].astype(d)
    yield "one", (random((1, 1), d, 9) ** 2).astype(d)


def accurate(report):
    """Results against 40 digits."""
    functions = {"sqrtm": (sqrtm, mpmath.sqrt), "logm": (logm, mpmath.log)}
    for p in POWERS:
        functions[f"power {p:.4g}"] = (lambda a, p=p: power(a, p), lambda x, p=p: mpmath.power(x, p))
    for d in DTYPES if report.device == "host" else DTYPES[1:3]:
        for kind, a in given(d):
            reference = Conditioned(a, d)
            for name, (run, function) in functions.items():
                label = f"{name} {d} {kind}"
                got = run(report.array(a)).numpy()
                shape_and_type(report, label, got, a.shape, complex_of(d))
                want, moved = reference.of(function)
                bounded(report, label, far(got.astype(object), want), 20 * a.shape[-1] * moved)


def negative(report):
    """Real matrices with negative eigenvalues: the results are those on the upper side of the cut."""
    d = "float64"
    for seed in range(8 if report.device == "host" else 2):
        n = 6
        turned = scipy.linalg.qr(random((n, n), d, seed))[0]
        skew = random((n, n), d, seed + 50) + 3 * np.eye(n)
        of_pairs = np.diag([-3.0, -1, 2, -0.5, 1, 1])
        of_pairs[4:, 4:] = [[1, 2], [-2, 1]]
        for kind, a in (
            ("symmetric", turned @ np.diag([-3.0, -1, 2, -0.5, 7, 1]) @ turned.T),
            ("general", skew @ np.diag([-3.0, -1, 2, -0.5, 7, 1]) @ np.linalg.inv(skew)),
            ("with pairs", skew @ of_pairs @ np.linalg.inv(skew)),
        ):
            # The reference's own eigenvalues of the rounded matrix are exactly real; results scale with the condition.
            far_off = np.linalg.cond(skew) ** 2 * 100 * n * eps(d)
            for name, run, function, scipys in (
                ("sqrtm", sqrtm, mpmath.sqrt, scipy.linalg.sqrtm),
                ("logm", logm, mpmath.log, scipy.linalg.logm),
                ("power 0.3", lambda x: power(x, 0.3), lambda v: mpmath.power(v, 0.3), None),
            ):
                got = run(report.array(a)).numpy()
                want = exact(a, function)
                label = f"{name} {kind} {seed}"
                bounded(report, label, norm(got - want), far_off * norm(want))
                if scipys:
                    bounded(report, f"{label} SciPy", norm(got - scipys(a)), far_off * norm(want))
    for value, want in ((-4.0, 2j), (complex(-4, 0), 2j), (complex(-4, -0.0), -2j), (4.0, 2), (0.0, 0)):
        got = sqrtm(report.array(np.array([[value]]))).numpy()
        report.check(f"sqrtm of {value}", bool(np.allclose(got, want, rtol=1e-15, atol=0)), str(got))
    got = logm(report.array(-np.eye(3))).numpy()
    report.check("logm of -1", bool(np.allclose(got, np.pi * 1j * np.eye(3), rtol=1e-14)), str(got))


def equations(report):
    """Every size, stack and memory order: x x = a, exp(log a) = a, powers that multiply to a."""
    for d, n, batch in cases(report):
        if report.device != "host" and n > 5 and d != "complex64":
            continue
        a = (random((*batch, n, n), d, n) / np.sqrt(n) + 2 * np.eye(n)).astype(d)
        for order, x in views(report, a):
            label = f"{d} {n} {batch} {order}"
            root = sqrtm(x).numpy()
            shape_and_type(report, f"sqrtm {label}", root, a.shape, complex_of(d))
            bounded(report, f"sqrtm {label}", norm(wide(root) @ wide(root) - a), 10 * n * eps(d) * norm(root) ** 2)
            log = logm(x).numpy()
            back = wide(expm(report.array(log)).numpy())
            bounded(report, f"logm {label}", norm(back - a), 100 * n * eps(d) * norm(a))
            third = power(x, 1 / 3).numpy()
            bounded(
                report, f"power {label}", norm(wide(third) @ wide(third) @ wide(third) - a), 100 * n * eps(d) * norm(a)
            )
            if d == "float64" and not batch and order == "C":
                for name, got, want in (
                    ("sqrtm", root, scipy.linalg.sqrtm(a)),
                    ("logm", log, scipy.linalg.logm(a)),
                    ("power", third, scipy.linalg.fractional_matrix_power(a, 1 / 3)),
                ):
                    bounded(report, f"{name} SciPy {n}", norm(got - want), 100 * n * eps(d) * norm(want))


def special(report):
    """Singular and defective matrices, nan and inf in a stack, empty ones, integers, errors."""
    block = report.array(2 * np.eye(4) + np.diag(np.ones(3), 1))
    for name, run, series in (
        ("sqrtm", sqrtm, (2**0.5, 2**-1.5, -(2**-4.5), 2**-6.5)),
        ("logm", logm, (np.log(2), 1 / 2, -1 / 8, 1 / 24)),
    ):
        want = sum(x * np.diag(np.ones(4 - k), k) for k, x in enumerate(series))
        bounded(report, f"{name} of a Jordan block", float(np.abs(run(block).numpy() - want).max()), 1e-15)
    zero = report.array(np.zeros((3, 3)))
    report.check("sqrtm of 0", bool((sqrtm(zero).numpy() == 0).all()))
    report.check("logm of 0", bool(np.isnan(logm(zero).numpy()).all()))
    report.check("power of 0", bool(np.isnan(power(zero, 0.5).numpy()).all()))
    report.check("negative power of 0", bool(np.isnan(power(zero, -1).numpy()).all()))
    low = random((5, 2), "float64", 1)
    got = sqrtm(report.array(low @ low.T)).numpy()
    bounded(report, "sqrtm of rank 2", norm(got @ got - low @ low.T), 1e-12 * norm(low @ low.T))
    nilpotent = sqrtm(report.array(np.array([[0.0, 1], [0, 0]]))).numpy()
    report.check("sqrtm of what has none", not np.isfinite(nilpotent).all(), str(nilpotent))
    mixed = np.stack([np.eye(3) * 4, np.full((3, 3), np.nan), np.diag([1.0, np.inf, 1]), 1e40 * np.eye(3)])
    for name, run, first, last in (
        ("sqrtm", sqrtm, 2, 1e20),
        ("logm", logm, np.log(4), np.log(1e40)),
        ("power", lambda x: power(x, 0.5), 2, 1e20),
    ):
        got = run(report.array(mixed)).numpy()
        report.check(
            f"{name} of a stack with nan",
            bool(np.allclose(got[0], first * np.eye(3), rtol=1e-14, atol=1e-15))
            and bool(np.isnan(got[1:3]).all())
            and bool(np.allclose(got[3], last * np.eye(3), rtol=1e-13, atol=1e-15)),
            str(got),
        )
        for shape in ((0, 0), (2, 0, 0), (0, 3, 3)):
            x = report.array(np.ones(shape, "f4"))
            report.check(f"{name} {shape}", run(x).shape == shape and run(x).numpy().dtype == np.complex64)
        whole = run(report.array(np.array([[4, 0], [0, 4]]))).numpy()
        report.check(
            f"{name} of integers", bool(np.allclose(whole, first * np.eye(2))) and whole.dtype == np.complex128
        )
        told(report, f"{name} oblong", lambda r=run: r(report.array(np.ones((2, 3)))), C.ARR_E_SHAPE, "argument a")
        told(report, f"{name} float16", lambda r=run: r(report.array(np.eye(2, dtype="f2"))), C.ARR_E_DTYPE, "float16")
    a = random((3, 3), "float64", 2)
    for p in (0, 1, 2, 5, -1, -3):
        got = power(report.array(a), p).numpy()
        want = np.linalg.matrix_power(a, p)
        report.check(f"power {p}", got.dtype == np.complex128 and bool(np.allclose(got, want, rtol=1e-12)), str(got))
    for p in (np.nan, np.inf, -1e19):
        told(report, f"power {p}", lambda p=p: power(report.array(a), p), C.ARR_E_ARGUMENT, "argument p")


def forms(report):
    """Schur forms: a = q t q^H, a unitary q, a triangle, the eigenvalues."""
    for d, n, batch in cases(report):
        kinds = {"general": random((*batch, n, n), d, n), "hermitian": hermitian((*batch, n, n), d, n)}
        kinds["zeros"] = np.zeros((*batch, n, n), d)
        kinds["cycle"] = np.zeros((*batch, n, n), d) + np.roll(np.eye(n), 1, axis=0).astype(d)
        kinds["chain"] = np.zeros((*batch, n, n), d) + np.diag(np.ones(n - 1), -1).astype(d)
        for exponent in (-30, 30) if d in ("float32", "complex64") else (-250, 250):
            kinds[f"times 1e{exponent}"] = (random((*batch, n, n), d, n + 1) * 10.0**exponent).astype(d)
        for kind, a in kinds.items():
            for order, x in views(report, a) if kind == "general" else [("C", report.array(a))]:
                t, q = (v.numpy() for v in schur(x))
                label = f"schur {d} {n} {batch} {kind} {order}"
                shape_and_type(report, label, t, a.shape, complex_of(d))
                report.check(f"{label} triangle", bool((np.tril(t, -1) == 0).all()))
                orthonormal(report, label, q, d)
                scale = float(np.abs(wide(a)).max(initial=0)) or 1.0
                back = wide(q) @ (wide(t) / scale) @ adjoint(wide(q))
                bounded(report, label, norm(back - wide(a) / scale), 20 * n * eps(d) * norm(wide(a) / scale))
    for shape in ((0, 0), (2, 0, 0), (0, 3, 3)):
        report.check(f"schur {shape}", [v.shape for v in schur(report.array(np.ones(shape)))] == [shape, shape])
    mixed = np.stack([np.eye(2), np.full((2, 2), np.nan), np.array([[1, 2], [3, np.inf]])])
    told(report, "schur of nan", lambda: schur(report.array(mixed)), C.ARR_E_LINALG, "(1,)", "nan or inf")
    t, q = (v.numpy() for v in schur(report.array(mixed), C.ARR_LINALG_NAN))
    report.check(
        "schur of nan alone", bool(np.isfinite(t[0]).all() and np.isnan(t[1:]).all() and np.isnan(q[1:]).all())
    )


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((accurate, negative, equations, special, forms)):
        part(r)
    r.finish()
