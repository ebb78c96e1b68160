#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decompositions and solvers against their defining equations, in units of n * eps, and against NumPy 2 and SciPy."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.linalg

import oracle
from matrices import (DTYPES, adjoint, bounded, cholesky, definite, det, eig, eigh, eigvals, eigvalsh, eps, failure, graded, hermitian, inv, lu, lu_factor,
                      lu_solve, norm, orthonormal, qr, qr_r, random, shape_and_type, slogdet, solve, solve_triangular, svd, svdvals,
                      views, wide)
from oracle import arrpy

C = arrpy.c
SIZES = [1, 2, 5, 33, 70]
BATCHES = [(), (3,), (2, 2)]


def cases(report):
    for d in DTYPES:
        for n in SIZES if report.device == "host" else (1, 5, 33):
            for batch in BATCHES if n == 5 else BATCHES[:2] if n < 33 else BATCHES[:1]:
                yield d, n, batch


# ------------------------------------------------------------------------------------------- solvers

def solvers(report):
    for d, n, batch in cases(report):
        a = random((*batch, n, n), d, n)
        for k in (0, 1, 3):
            b = random((*batch, n, k), d, n + 1)
            for order, x in views(report, a):
                label = f"solve {d} {n} {batch} {k} {order}"
                got = solve(x, report.array(b)).numpy()
                shape_and_type(report, label, got, b.shape, d)
                bounded(report, label, norm(wide(a) @ wide(got) - b), 10 * n * eps(d) * norm(a) * norm(got))
        for order, x in views(report, a):
            got = inv(x).numpy()
            label = f"inv {d} {n} {batch} {order}"
            shape_and_type(report, label, got, a.shape, d)
            bounded(report, label, norm(wide(a) @ wide(got) - np.eye(n)), 10 * n * eps(d) * norm(a) * norm(got))
            want = np.linalg.det(wide(a))
            shape_and_type(report, f"det {d} {n} {batch} {order}", det(x).numpy(), want.shape, d)
            near = np.abs(det(x).numpy() - want) <= 50 * n * eps(d) * np.abs(want) * np.linalg.cond(wide(a))
            near |= np.abs(want) > np.finfo(d).max / 1e3
            report.check(f"det {d} {n} {batch} {order}", bool(np.all(near)))
            sign, logarithm = (v.numpy() for v in slogdet(x))
            s, l = np.linalg.slogdet(wide(a))
            good = np.all(np.abs(sign - s) <= 1e3 * n * eps(d)) and np.all(np.abs(logarithm - l) <= 50 * n * eps(d) * np.linalg.cond(wide(a)) * (1 + np.abs(l)))
            report.check(f"slogdet {d} {n} {batch} {order}", bool(good) and logarithm.dtype == a.real.dtype)
        vector = random((n,), d, 3)
        got = solve(report.array(a), report.array(vector)).numpy()
        report.check(f"solve {d} {n} {batch} vector", got.shape == (*batch, n))
        bounded(report, f"solve {d} {n} {batch} vector", norm(wide(a) @ wide(got)[..., None] - vector[:, None]),
                10 * n * eps(d) * norm(a) * norm(got[..., None]))
    many = random((4, 1, 6, 6), "float64", 1)
    right = random((3, 6, 2), "float64", 2)
    got = solve(report.array(many), report.array(right)).numpy()
    report.check("solve broadcast", np.allclose(got, np.linalg.solve(many, right), rtol=1e-10))
    whole = np.array([[2, 1], [1, 3]])
    got = solve(report.array(whole), report.array(np.array([1, 2], "i4"))).numpy()
    report.check("solve integers", got.dtype == np.float64 and np.allclose(got, [0.2, 0.6]))
    zero = det(report.array(np.array([[[1.0, 2], [2, 4]], [[2, 4], [1, 2]], [[0, 0], [0, -1]]]))).numpy()
    report.check("det of singular matrices", not zero.any() and not np.signbit(zero).any(), f"{zero}")
    report.check("det integers", np.isclose(det(report.array(whole)).numpy(), 5))
    for d in ("float32", "float64"):
        a = graded(40, d, 1e3 / eps(d) ** 0.5)
        b = random((40, 2), d, 5)
        got = solve(report.array(a), report.array(b)).numpy()
        bounded(report, f"solve ill-conditioned {d}", norm(wide(a) @ wide(got) - b), 40 * 10 * eps(d) * norm(a) * norm(got))


def empties(report):
    for shape in ((0, 0), (3, 0, 0), (0, 4, 4)):
        x = report.array(np.ones(shape))
        report.check(f"det empty {shape}", np.array_equal(det(x).numpy(), np.linalg.det(np.ones(shape))))
        sign, logarithm = (v.numpy() for v in slogdet(x))
        want = np.linalg.slogdet(np.ones(shape))
        report.check(f"slogdet empty {shape}", np.array_equal(sign, want[0]) and np.array_equal(logarithm, want[1]))
        for f in (inv, cholesky):
            report.check(f"{f.__name__} empty {shape}", f(x).shape == shape)
        got = solve(x, report.array(np.ones((*shape[:-1], 2)))).numpy()
        report.check(f"solve empty {shape}", got.shape == (*shape[:-1], 2))
        values, vectors = eigh(x)
        report.check(f"eigh empty {shape}", values.shape == shape[:-1] and vectors.shape == shape)
        if eig_works(report):
            values, vectors = eig(x)
            report.check(f"eig empty {shape}", values.shape == shape[:-1] and values.dtype == np.complex128)
    for shape in ((0, 3), (3, 0), (2, 0, 3), (0, 3, 2)):
        x = report.array(np.ones(shape))
        m, n = shape[-2:]
        k = min(m, n)
        for full in (0, 1):
            u, s, v = (w.numpy() for w in svd(x, full))
            want = np.linalg.svd(np.ones(shape), full_matrices=bool(full))
            report.check(f"svd empty {shape} {full}", u.shape == want[0].shape and s.shape == want[1].shape and
                         v.shape == want[2].shape and np.array_equal(u, want[0]) and np.array_equal(v, want[2]))
        for mode, name in ((0, "reduced"), (1, "complete")):
            q, r = (w.numpy() for w in qr(x, mode))
            want = np.linalg.qr(np.ones(shape), name)
            report.check(f"qr empty {shape} {name}", q.shape == want[0].shape and r.shape == want[1].shape and
                         np.array_equal(q, want[0]))
        p, l, u = (w.numpy() for w in lu(x))
        report.check(f"lu empty {shape}", p.shape[-2:] == (m, m) and l.shape[-2:] == (m, k) and u.shape[-2:] == (k, n))


def factors(report):
    for d, n, batch in cases(report):
        a = definite((*batch, n, n), d, n)
        for order, x in views(report, a):
            for upper in (0, 1):
                label = f"cholesky {d} {n} {batch} {order} {upper}"
                got = cholesky(x, upper).numpy()
                shape_and_type(report, label, got, a.shape, d)
                product = adjoint(wide(got)) @ wide(got) if upper else wide(got) @ adjoint(wide(got))
                bounded(report, label, norm(product - a), 10 * n * eps(d) * norm(a))
                report.check(label + " triangle", np.array_equal(got, np.triu(got) if upper else np.tril(got)))
        for m in {n, n + 3, max(n - 2, 1)}:
            a = random((*batch, m, n), d, n)
            k = min(m, n)
            for order, x in views(report, a):
                label = f"qr {d} {m}x{n} {batch} {order}"
                for mode in (0, 1):
                    q, r = (v.numpy() for v in qr(x, mode))
                    shape_and_type(report, f"{label} {mode} q", q, (*batch, m, m if mode else k), d)
                    shape_and_type(report, f"{label} {mode} r", r, (*batch, m if mode else k, n), d)
                    orthonormal(report, f"{label} {mode}", q, d)
                    bounded(report, f"{label} {mode}", norm(wide(q) @ wide(r) - a), 10 * max(m, n) * eps(d) * norm(a))
                    report.check(f"{label} {mode} triangle", np.array_equal(r, np.triu(r)))
                bounded(report, f"{label} r", norm(np.abs(wide(qr_r(x).numpy())) - np.abs(np.linalg.qr(wide(a), "r"))), 100 * max(m, n) * eps(d) * norm(a))
                h, tau = (v.numpy() for v in qr(x, C.ARR_QR_RAW))
                want = np.linalg.qr(a, "raw")
                report.check(f"{label} raw", h.shape == want[0].shape and tau.shape == want[1].shape and
                             np.allclose(h, want[0], atol=1e3 * eps(d)) and np.allclose(tau, want[1], atol=1e3 * eps(d)))
                p, l, u = (wide(v.numpy()) for v in lu(x))
                report.check(f"lu {label} shapes", l.shape == (*batch, m, k) and u.shape == (*batch, k, n) and
                             np.array_equal(l, np.tril(l)) and np.array_equal(u, np.triu(u)) and
                             np.array_equal(np.sum(p, -1), np.ones((*batch, m))))
                bounded(report, f"lu {label}", norm(p @ l @ u - a), 10 * max(m, n) * eps(d) * norm(a))
        a = random((*batch, n, n), d, 7)
        f = lu_factor(report.array(a))
        b = random((*batch, n, 2), d, 8)
        for op, change in ((0, lambda x: x), (1, lambda x: np.swapaxes(x, -1, -2)), (2, adjoint)):
            got = lu_solve(f, report.array(b), op).numpy()
            bounded(report, f"lu_solve {d} {n} {batch} {op}", norm(change(wide(a)) @ wide(got) - b), 10 * n * eps(d) * norm(a) * norm(got))
            t = a + n * np.eye(n).astype(d)
            for lower in (0, 1):
                for unit in (0, 1):
                    half = np.tril(wide(t)) if lower else np.triu(wide(t))
                    if unit:
                        half = half / (4 * n)
                        half[..., range(n), range(n)] = 1
                    given = (half if not unit else half + 5 * np.eye(n)).astype(d)
                    for order, x in views(report, given):
                        got = solve_triangular(x, report.array(b), lower, unit, op).numpy()
                        bounded(report, f"solve_triangular {d} {n} {batch} {order} {lower}{unit}{op}",
                                norm(change(half) @ wide(got) - b), 20 * n * eps(d) * norm(half) * norm(got))
    a = random((6, 6), "float64", 2)
    got = [v.numpy() for v in lu_factor(report.array(a))]
    want = scipy.linalg.lu_factor(a)
    report.check("lu_factor", np.allclose(got[0], want[0]) and np.array_equal(got[1], want[1]) and got[1].dtype == np.int32)


def spectra(report):
    for d, n, batch in cases(report):
        for m in {n, n + 4, max(n - 3, 1)}:
            a = random((*batch, m, n), d, n)
            k = min(m, n)
            for order, x in views(report, a):
                label = f"svd {d} {m}x{n} {batch} {order}"
                want = np.linalg.svd(wide(a), compute_uv=False)
                for full in (0, 1):
                    u, s, v = (w.numpy() for w in svd(x, full))
                    shape_and_type(report, f"{label} {full} u", u, (*batch, m, m if full else k), d)
                    shape_and_type(report, f"{label} {full} s", s, (*batch, k), a.real.dtype)
                    shape_and_type(report, f"{label} {full} vh", v, (*batch, n if full else k, n), d)
                    orthonormal(report, f"{label} {full} u", u, d)
                    orthonormal(report, f"{label} {full} v", adjoint(v), d)
                    bounded(report, f"{label} {full}", norm(wide(u)[..., :k] * s[..., None, :] @ wide(v)[..., :k, :] - a), 10 * max(m, n) * eps(d) * norm(a))
                    bounded(report, f"{label} {full} values", np.max(np.abs(s - want)), 10 * max(m, n) * eps(d) * np.max(want))
                s = svdvals(x).numpy()
                bounded(report, f"svdvals {label}", np.max(np.abs(s - want)), 10 * max(m, n) * eps(d) * np.max(want))
        a = hermitian((*batch, n, n), d, n)
        want = np.linalg.eigvalsh(wide(a))
        for order, x in views(report, a):
            for lower in (0, 1):
                label = f"eigh {d} {n} {batch} {order} {lower}"
                w, v = (y.numpy() for y in eigh(x, lower))
                shape_and_type(report, label + " values", w, (*batch, n), a.real.dtype)
                shape_and_type(report, label + " vectors", v, a.shape, d)
                orthonormal(report, label, v, d)
                bounded(report, label, norm(wide(a) @ wide(v) - wide(v) * w[..., None, :]), 10 * n * eps(d) * norm(a))
                bounded(report, label + " values", np.max(np.abs(w - want)), 10 * n * eps(d) * norm(a))
                bounded(report, f"eigvalsh {label}", np.max(np.abs(eigvalsh(x, lower).numpy() - want)), 10 * n * eps(d) * norm(a))
    # One triangle alone is read.
    a = hermitian((6, 6), "complex128", 4)
    for lower in (0, 1):
        half = np.tril(a) if lower else np.triu(a)
        for order, x in views(report, half):
            good = np.allclose(eigvalsh(x, lower).numpy(), np.linalg.eigvalsh(a))
            report.check(f"eigvalsh {lower} of one triangle {order}", good)
    a = definite((6, 6), "float64", 4)
    for upper in (0, 1):
        for order, x in views(report, np.triu(a) if upper else np.tril(a)):
            got = cholesky(x, upper).numpy()
            report.check(f"cholesky {upper} of one triangle {order}", np.allclose(got, np.linalg.cholesky(a, upper=bool(upper))))
    # Rank deficient.
    a = random((30, 4), "float64", 1) @ random((4, 20), "float64", 2)
    s = svdvals(report.array(a)).numpy()
    report.check("svdvals of rank 4", bool(np.all(s[4:] <= 30 * eps("float64") * s[0]) and s[3] > 1))


def eig_works(report):
    """cusolverDnXgeev is new; without it a GPU says so."""
    if report.device == "host":
        return True
    try:
        eig(report.array(np.ones((1, 1))))
        return True
    except arrpy.Error as e:
        return e.status != C.ARR_E_UNSUPPORTED


def general(report):
    if not eig_works(report):
        print("eig: left out, this cuSOLVER has none")
        return
    for d, n, batch in cases(report):
        a = random((*batch, n, n), d, n)
        for order, x in views(report, a):
            label = f"eig {d} {n} {batch} {order}"
            w, v = (wide(y.numpy()) for y in eig(x))
            kind = np.result_type(d, "complex64")
            shape_and_type(report, label + " vectors", eig(x)[1].numpy(), a.shape, kind)
            shape_and_type(report, label + " values", eig(x)[0].numpy(), (*batch, n), kind)
            bounded(report, label, norm(wide(a) @ v - v * w[..., None, :]), 20 * n * eps(d) * norm(a))
            bounded(report, label + " lengths", float(np.max(np.abs(np.linalg.norm(v, axis=-2) - 1))), 10 * n * eps(d))
            got = np.sort_complex(wide(eigvals(x).numpy()).round(2))
            report.check(f"eigvals {label}", np.allclose(got, np.sort_complex(w.round(2)), atol=0.05))


def not_finite(report, told):
    """Where a method may not end, for numbers that LAPACK and cuSOLVER do not take."""
    spectral = (svd, svdvals, eigh, eigvalsh) + ((eig, eigvals) if eig_works(report) else ())
    for d in DTYPES:
        for bad in (np.nan, np.inf, -np.inf) + ((complex(0, np.inf),) if d.startswith("c") else ()):
            holed = np.array([np.eye(3), np.eye(3), 2 * np.eye(3)], d)
            holed[1, 0, 0] = bad
            for f in spectral:
                told(f"{f.__name__} of {bad} {d}", lambda: f(report.array(holed)), C.ARR_E_LINALG, "(1,)", "nan or inf")
                told(f"{f.__name__} of one {bad} {d}", lambda: f(report.array(holed[1])), C.ARR_E_LINALG, "the matrix holds nan or inf")
            s = svdvals(report.array(holed), 1).numpy()
            report.check(f"svdvals {bad} {d}", bool(np.isnan(s[1]).all() and np.all(s[0] == 1) and np.all(s[2] == 2)), str(s))
            told(f"svd of 1x1 {bad} {d}", lambda: svd(report.array(holed[1, :1, :1])), C.ARR_E_LINALG, "nan or inf")
            wide_one = np.ones((2, 3, 5), d)
            wide_one[0, 2, 4] = bad
            for order, x in views(report, wide_one):
                told(f"svd of 3x5 {bad} {d} {order}", lambda: svd(x), C.ARR_E_LINALG, "(0,)", "nan or inf")


def failures(report):
    def told(label, call, status, *words):
        got, message = failure(call)
        good = got == status and all(w in message for w in words) and "\n" not in message
        report.check(label, good, f"status {got}, {message}")

    singular = np.array([np.eye(3), np.diag([1.0, 0, 2]), np.eye(3)])
    x = report.array(singular)
    b = report.array(np.ones((3, 3, 2)))
    told("solve singular", lambda: solve(x, b), C.ARR_E_LINALG, "argument a", "(1,)", "singular", "pivot 1")
    told("solve one singular", lambda: solve(report.array(singular[1]), report.array(np.ones(3))), C.ARR_E_LINALG, "pivot 1")
    told("inv singular", lambda: inv(x), C.ARR_E_LINALG, "(1,)", "singular")
    told("triangular singular", lambda: solve_triangular(x, b), C.ARR_E_LINALG, "element 1 of its diagonal")
    told("cholesky indefinite", lambda: cholesky(report.array(-singular)), C.ARR_E_LINALG, "(0,)", "minor of order 1")
    told("cholesky minor", lambda: cholesky(report.array(np.diag([1.0, 2, -3]))), C.ARR_E_LINALG, "minor of order 3")
    for f, wrong in ((solve, lambda: solve(x, b, 1)), (inv, lambda: inv(x, 1)), (cholesky, lambda: cholesky(x, 0, 1)),
                     (solve_triangular, lambda: solve_triangular(x, b, 0, 0, 0, 1))):
        got = wrong().numpy()
        finite = np.isfinite(got).all(axis=(1, 2))
        report.check(f"{f.__name__} nan", bool(np.isnan(got[1]).any() and finite[0] and finite[2]), str(got))
    report.check("det singular", np.array_equal(det(x).numpy(), [1, 0, 1]))
    report.check("slogdet singular", slogdet(x)[1].numpy()[1] == -np.inf and slogdet(x)[0].numpy()[1] == 0)
    not_finite(report, told)
    half = report.array(np.eye(3, dtype="f2"))
    for name, f in (("solve", lambda h: solve(h, h)), ("inv", inv), ("det", det), ("cholesky", cholesky), ("qr", qr), ("svd", svd),
                    ("eigh", eigh), ("lu", lu)):
        told(f"{name} of float16", lambda: f(half), C.ARR_E_DTYPE, "float16")
    flat, oblong = report.array(np.ones(3)), report.array(np.ones((3, 2)))
    for name, f in (("inv", inv), ("det", det), ("cholesky", cholesky), ("eigh", eigh), ("eig", eig), ("slogdet", slogdet)):
        told(f"{name} of a vector", lambda: f(flat), C.ARR_E_SHAPE, "argument a")
        told(f"{name} of an oblong", lambda: f(oblong), C.ARR_E_SHAPE, "square")
    for name, f in (("qr", qr), ("svd", svd), ("lu", lu)):
        told(f"{name} of a vector", lambda: f(flat), C.ARR_E_SHAPE, "argument a")
    square = report.array(np.eye(3))
    told("solve rows", lambda: solve(square, report.array(np.ones((2, 3)))), C.ARR_E_SHAPE, "argument b", "3 rows")
    told("solve batches", lambda: solve(x, report.array(np.ones((2, 3, 3)))), C.ARR_E_SHAPE)
    told("qr mode", lambda: qr(square, 4), C.ARR_E_ARGUMENT, "mode")
    told("qr mode", lambda: qr(square, -1), C.ARR_E_ARGUMENT, "mode")
    told("cholesky upper", lambda: cholesky(square, 2), C.ARR_E_ARGUMENT, "upper")
    told("on_failure", lambda: inv(square, 2), C.ARR_E_ARGUMENT, "on_failure")
    told("op", lambda: solve_triangular(square, flat, op=3), C.ARR_E_ARGUMENT, "op")
    f = lu_factor(square)
    told("pivots", lambda: lu_solve((f[0], report.array(np.zeros(2, "i4"))), flat), C.ARR_E_SHAPE, "pivots")
    told("pivots type", lambda: lu_solve((f[0], report.array(np.zeros(3, "i8"))), flat), C.ARR_E_DTYPE, "pivots")
    for bad in ([10**9, -5, 7], [0, 1, 3], [-1, 0, 0]):
        told(f"pivots {bad}", lambda: lu_solve((f[0], report.array(np.array(bad, "i4"))), flat), C.ARR_E_ARGUMENT,
             "argument pivots", f"from {min(bad)} to {max(bad)}, expected 0 to 2")
    many, right = lu_factor(x), report.array(np.ones((3, 3, 1)))
    pivots = many[1].numpy()
    report.check("pivots in range", lu_solve(many, right).shape == (3, 3, 1))
    pivots[1, 2] = 3
    told("pivots of one of several", lambda: lu_solve((many[0], report.array(pivots)), right), C.ARR_E_ARGUMENT, "argument pivots")


def many(report):
    """Small ones in numbers, spread over threads."""
    for d in DTYPES:
        a, b = random((500, 16, 16), d, 1), random((500, 16, 1), d, 2)
        got = solve(report.array(a), report.array(b)).numpy()
        size = np.max(np.linalg.norm(wide(a) @ wide(got) - b, axis=(1, 2)) / (np.linalg.norm(a, axis=(1, 2)) * np.linalg.norm(got, axis=(1, 2))))
        bounded(report, f"many solve {d}", size, 160 * eps(d))
    for n in (1, 2, 3, 7, 8, 9, 15, 31, 32, 33):
        for k in (1, 5, 16, 17):
            for d in ("float32", "float64"):
                a, b = random((4, n, n), d, n) + 2 * np.eye(n, dtype=d), random((4, n, k), d, k)
                a[1, 0, 0] = 0 if n > 1 else 1
                for order, x in views(report, a) if k == 5 else [("C", report.array(a))]:
                    got = solve(x, report.array(b)).numpy()
                    bounded(report, f"several {n} {k} {d} {order}", norm(wide(a) @ wide(got) - b),
                            20 * n * eps(d) * norm(a) * norm(got))
    tiny = np.array([np.diag([1e-310, 1.0]), np.eye(2)])
    got = solve(report.array(tiny), report.array(np.array([[[1e-310], [1]], [[1], [1]]]))).numpy()
    # The host's own elimination divides by a pivot; LAPACK multiplies by what may overflow.
    if report.device == "host":
        report.check("several tiny", np.allclose(got, 1, rtol=1e-12))
    many_eliminated(report)
    a = random((300, 8, 8), "float64", 3)
    u, s, v = (x.numpy() for x in svd(report.array(a)))
    bounded(report, "many svd", norm(u * s[:, None, :] @ v - a), 80 * eps("float64") * norm(a))
    report.check("many det", np.allclose(det(report.array(a)).numpy(), np.linalg.det(a)))


def many_eliminated(report):
    """Inverses and factors in numbers around those that are worked on at once; one of them singular."""
    for d in ("float32", "float64", "complex64"):
        for n, count in ((n, count) for n in (1, 2, 5, 16, 32, 33) for count in (2, 7, 8, 9, 16, 17, 33)):
            a = random((count, n, n), d, n + count)
            x, title = report.array(a), f"of {count} {n} {d}"
            inverse, limit = inv(x).numpy(), 40 * n * eps(d)
            left = norm(wide(a) @ wide(inverse) - np.eye(n)) / np.maximum(1, [np.linalg.cond(m) for m in a]).max()
            bounded(report, f"inv {title}", left, limit * np.sqrt(count))
            p, l, u = (part.numpy() for part in lu(x))
            bounded(report, f"lu {title}", norm(wide(p) @ wide(l) @ wide(u) - a), limit * norm(a) * n)
            report.check(f"pivoted {title}", np.abs(l).max() < 1.5)  # LAPACK compares |re| + |im|
            bad = count // 2
            a[bad, n // 2:] = 0  # the first pivot that is 0
            x = report.array(a)
            code, text = failure(lambda: inv(x))
            report.check(f"singular {title}", code == C.ARR_E_LINALG and f"({bad},)" in text, text)
            got = inv(x, 1).numpy()
            others = np.arange(count) != bad
            report.check(f"nan {title}", bool(np.isnan(got[bad]).all()) and np.array_equal(got[others], inverse[others]))
            report.check(f"det {title}", det(x).numpy()[bad] == 0)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in (solvers, empties, factors, spectra, general, failures, many):
        if r.wants(part.__name__):
            part(r)
    r.finish()
