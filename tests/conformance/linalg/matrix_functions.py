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
    for seed in range(4 if report.device == "host" else 2):
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
            reference = Reference(a)
            far_off = np.linalg.cond(skew) ** 2 * 100 * n * eps(d)
            for name, run, function, scipys in (
                ("sqrtm", sqrtm, mpmath.sqrt, scipy.linalg.sqrtm),
                ("logm", logm, mpmath.log, scipy.linalg.logm),
                ("power 0.3", lambda x: power(x, 0.3), lambda v: mpmath.power(v, 0.3), None),
            ):
                got = run(report.array(a)).numpy()
                want = reference.of(function).astype("c16")
                label = f"{name} {kind} {seed}"
                bounded(report, label, norm(got - want), far_off * norm(want))
                if scipys:
                    bounded(report, f"{label} SciPy", norm(got - scipys(a)), far_off * norm(want))
    for value, want in ((-4.0, 2j), (complex(-4, 0), 2j), (complex(-4, -0.0), -2j), (4.0, 2), (0.0, 0)):
        got = sqrtm(report.array(np.array([[value]]))).numpy()
        report.check(f"sqrtm of {value}", bool(np.allclose(got, want, rtol=1e-15, atol=0)), str(got))
    got = logm(report.array(-np.eye(3))).numpy()
    report.check("logm of -1", bool(np.allclose(got, np.pi * 1j * np.eye(3), rtol=1e-14)), str(got))


def orders(report, a):
    """Every order of memory of small matrices; of large ones one."""
    return views(report, a) if a.shape[-1] <= 5 else [("C", report.array(a))]


def equations(report):
    """Every size, stack and memory order: x x = a, exp(log a) = a, powers that multiply to a."""
    for d, n, batch in cases(report):
        if report.device != "host" and n > 5 and d != "complex64":
            continue
        a = (random((*batch, n, n), d, n) / np.sqrt(n) + 2 * np.eye(n)).astype(d)
        for order, x in orders(report, a):
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


CIRCULAR = {
    "cosm": mpmath.cos,
    "sinm": mpmath.sin,
    "tanm": mpmath.tan,
    "coshm": mpmath.cosh,
    "sinhm": mpmath.sinh,
    "tanhm": mpmath.tanh,
}


def circular(report):
    """Circular and hyperbolic functions, and signs, against 40 digits; small matrices keep their digits."""
    functions = {**CIRCULAR, "signm": lambda v: mpmath.mpf(1 if mpmath.re(v) > 0 else -1)}
    for d in DTYPES if report.device == "host" else DTYPES[1:3]:
        for kind, a in given(d):
            if kind == "large":
                a = (a / 1e9).astype(d)
            reference = Conditioned(a, d)
            for name, function in functions.items():
                if name == "signm" and kind == "rotation":
                    continue  # eigenvalues may be near the imaginary axis
                label = f"{name} {d} {kind}"
                got = unary(name)(report.array(a)).numpy()
                shape_and_type(report, label, got, a.shape, d)
                want, moved = reference.of(function)
                # Exponentials are as large as their largest eigenvalue.
                large = far(reference.of(lambda v: mpmath.exp(abs(v)))[0], want * 0) if name in CIRCULAR else 0
                bounded(
                    report,
                    label,
                    far(got.astype(object), want),
                    50 * a.shape[-1] * (moved + eps(d) * allowed(name, a, large)),
                )


def allowed(name, a, large):
    """The size of the exponentials of which a function is a difference, where no series is used."""
    if name in ("signm", "cosm", "coshm"):
        return 0 if name == "signm" else large
    return large if np.abs(wide(a)).sum(0).max() > 1 else 0


def identities(report):
    """Every size, stack and memory order: cos^2 + sin^2 = 1, cosh^2 - sinh^2 = 1, sign^2 = 1."""
    for d, n, batch in cases(report):
        if report.device != "host" and n > 5 and d != "complex64":
            continue
        a = (random((*batch, n, n), d, n) / np.sqrt(n)).astype(d)
        one = np.eye(n)
        for order, x in orders(report, a):
            label = f"{d} {n} {batch} {order}"
            got = {name: unary(name)(x).numpy() for name in (*CIRCULAR, "signm")}
            for name, value in got.items():
                shape_and_type(report, f"{name} {label}", value, a.shape, d)
            got = {name: wide(value) for name, value in got.items()}
            for names, sign in (("cosm sinm tanm", 1), ("coshm sinhm tanhm", -1)):
                even, odd, ratio = (got[name] for name in names.split())
                size = norm(even) ** 2 + norm(odd) ** 2
                bounded(report, f"{names} {label}", norm(even @ even + sign * odd @ odd - one), 50 * n * eps(d) * size)
                bounded(
                    report,
                    f"ratio of {names} {label}",
                    norm(even @ ratio - odd),
                    50 * n * eps(d) * norm(even) * norm(ratio),
                )
            square = got["signm"] @ got["signm"]
            bounded(report, f"signm {label}", norm(square - one), 1e3 * n * eps(d) * norm(got["signm"]) ** 2)
            if d == "float64" and not batch and order == "C":
                for name in CIRCULAR:
                    want = getattr(scipy.linalg, name)(a)
                    limit = 200 * n * eps(d) * norm(want) * max(np.linalg.cond(got["cosm"]), 1)
                    bounded(report, f"{name} SciPy {n}", norm(got[name] - want), limit)
                bounded(
                    report, f"signm SciPy {n}", norm(got["signm"] - scipy.linalg.signm(a)), 1e-8 * norm(got["signm"])
                )


def special_circular(report):
    """Zeros, nan in a stack, empty ones, integers, errors, matrices without a sign or a tangent."""
    values = {"cosm": (1, np.cos(2)), "sinm": (0, np.sin(2)), "tanm": (0, np.tan(2)), "coshm": (1, np.cosh(2))}
    values |= {"sinhm": (0, np.sinh(2)), "tanhm": (0, np.tanh(2)), "signm": (np.nan, 1)}
    mixed = np.stack([2 * np.eye(3), np.full((3, 3), np.nan), np.diag([1.0, np.inf, 1]), np.zeros((3, 3))])
    for name, (zero, two) in values.items():
        run = unary(name)
        got = run(report.array(mixed)).numpy()
        report.check(
            f"{name} of a stack with nan",
            bool(np.allclose(got[0], two * np.eye(3), rtol=1e-14, atol=1e-15))
            and bool(np.isnan(got[1]).all())
            and not np.isfinite(got[2]).all()
            and bool(
                np.allclose(got[3], zero * (np.eye(3) if name != "signm" else 1), equal_nan=True, rtol=0, atol=1e-15)
            ),
            str(got),
        )
        for shape in ((0, 0), (2, 0, 0), (0, 3, 3)):
            x = report.array(np.ones(shape, "f4"))
            report.check(f"{name} {shape}", run(x).shape == shape and run(x).numpy().dtype == np.float32)
        whole = run(report.array(np.array([[2, 0], [0, 2]]))).numpy()
        report.check(f"{name} of integers", bool(np.allclose(whole, two * np.eye(2))) and whole.dtype == np.float64)
        told(report, f"{name} oblong", lambda r=run: r(report.array(np.ones((2, 3)))), C.ARR_E_SHAPE, "argument a")
        told(report, f"{name} float16", lambda r=run: r(report.array(np.eye(2, dtype="f2"))), C.ARR_E_DTYPE, "float16")
    sign = unary("signm")
    for kind, a in (("a turn", [[0.0, 1], [-1, 0]]), ("singular", [[1.0, 1], [1, 1]])):
        report.check(f"signm of {kind}", not np.isfinite(sign(report.array(np.array(a))).numpy()).all())
    a = np.diag([1e200, -1e-200, 3, -1e-30])
    report.check("signm of many sizes", bool(np.allclose(sign(report.array(a)).numpy(), np.sign(a))))


def derivatives(report):
    """Derivatives of exponentials against SciPy, by their linearity, and of directions of any size."""
    frechet = lambda a, e: several("expm_frechet", 2, a.handle, e.handle, None)  # noqa: E731
    for d in DTYPES if report.device == "host" else DTYPES[1:3]:
        for n, batch, of_e in ((1, (), ()), (4, (3,), (3,)), (4, (2, 1), (3,)), (9, (), ())):
            a, e = random((*batch, n, n), d, n), random((*of_e, n, n), d, n + 1)
            for size in (1, 1e-20, 1e15):
                along = (e * np.array(size, d)).astype(d)
                value, derivative = (x.numpy() for x in frechet(report.array(a), report.array(along)))
                shape = np.broadcast_shapes(a.shape, e.shape)
                label = f"expm_frechet {d} {n} {batch} {size}"
                shape_and_type(report, label, value, shape, d)
                shape_and_type(report, label, derivative, shape, d)
                one, other = np.broadcast_arrays(wide(a), wide(along))
                for i in np.ndindex(shape[:-2]):
                    want = scipy.linalg.expm_frechet(one[i], other[i])
                    for got, right in zip((value[i], derivative[i]), want):
                        bounded(report, f"{label} {i}", norm(got - right), 200 * n * eps(d) * norm(right))
    for shape in ((0, 0), (0, 3, 3)):
        x = report.array(np.ones(shape))
        report.check(f"expm_frechet {shape}", [y.shape for y in frechet(x, x)] == [shape, shape])
    a, zero = report.array(random((3, 3), "float64", 1)), report.array(np.zeros((3, 3)))
    report.check("expm_frechet along 0", bool((frechet(a, zero)[1].numpy() == 0).all()))
    told(report, "expm_frechet sizes", lambda: frechet(a, report.array(np.ones((1, 1)))), C.ARR_E_SHAPE, "argument e")


def polars(report):
    """a = u p or p u: orthonormal u, Hermitian p without negative eigenvalues; SciPy's."""
    polar = lambda a, left=False, how=0: several("polar", 2, a.handle, left, how, None)  # noqa: E731
    for d in DTYPES if report.device == "host" else DTYPES[1:3]:
        for batch in ((), (2, 3)):
            for m, n in ((5, 5), (6, 3), (3, 6), (1, 4)):
                a = random((*batch, m, n), d, m)
                for (order, x), left in ((v, w) for v in views(report, a) for w in (False, True)):
                    u, p = (y.numpy() for y in polar(x, left))
                    label = f"polar {d} {batch} {m}x{n} {order} {left}"
                    shape_and_type(report, label, u, a.shape, d)
                    shape_and_type(report, label, p, (*batch, *((m, m) if left else (n, n))), d)
                    back = wide(p) @ wide(u) if left else wide(u) @ wide(p)
                    bounded(report, label, norm(back - a), 30 * max(m, n) * eps(d) * norm(a))
                    orthonormal(report, label, u if m >= n else adjoint(u), d)
                    bounded(report, f"{label} Hermitian", norm(p - adjoint(p)), 20 * max(m, n) * eps(d) * norm(a))
                    least = float(np.linalg.eigvalsh(wide(p)).min())
                    report.check(f"{label} sign", least > -20 * max(m, n) * eps(d) * norm(a), str(least))
                    if not batch and order == "C":
                        want = scipy.linalg.polar(wide(a), "left" if left else "right")
                        far_off = max(norm(u - want[0]), norm(p - want[1]) / norm(a))
                        bounded(report, f"{label} SciPy", far_off, 1e4 * eps(d))
    for shape in ((0, 3), (3, 0), (0, 2, 2)):
        u, p = polar(report.array(np.ones(shape)))
        report.check(f"polar {shape}", u.shape == shape and p.shape == (*shape[:-2], shape[-1], shape[-1]))
    bad = report.array(np.array([[1, np.nan], [0, 1]]))
    told(report, "polar of nan", lambda: polar(bad), C.ARR_E_LINALG, "nan or inf")
    report.check("polar of nan alone", bool(np.isnan(polar(bad, how=C.ARR_LINALG_NAN)[0].numpy()).all()))


def each_once(report):
    """Every function of one small matrix: what runs when each allocation fails in its turn."""
    a = np.array([[3.0, 1], [0.5, 2]])
    x = report.array(a)
    for name in ("sqrtm", "logm", *CIRCULAR, "signm"):
        want = getattr(scipy.linalg, name)(a)
        bounded(report, f"{name} once", norm(unary(name)(x).numpy() - want), 1e-12 * norm(want))
    want = scipy.linalg.fractional_matrix_power(a, 0.3)
    bounded(report, "power once", norm(power(x, 0.3).numpy() - want), 1e-13)
    for label, name, arguments, wanted in (
        ("expm_frechet", "expm_frechet", (x.handle, None), scipy.linalg.expm_frechet(a, a)),
        ("polar", "polar", (False, 0, None), scipy.linalg.polar(a)),
        ("schur", "schur", (0, None), scipy.linalg.schur(a, "complex")),
    ):
        for got, right in zip(several(name, 2, x.handle, *arguments), wanted):
            bounded(report, f"{label} once", norm(abs(got.numpy()) - abs(right)), 1e-13 * norm(right))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen(
        (
            accurate,
            negative,
            equations,
            special,
            forms,
            circular,
            identities,
            special_circular,
            derivatives,
            polars,
            each_once,
        )
    ):
        part(r)
    r.finish()
