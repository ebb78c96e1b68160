#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decompositions against their defining equations, in units of n * eps, and against NumPy 2 and SciPy."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.linalg

import oracle
from matrices import (
    DTYPES,
    adjoint,
    bounded,
    cases,
    cholesky,
    definite,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    eps,
    hermitian,
    ldl,
    lu,
    lu_factor,
    norm,
    orthonormal,
    qr,
    qr_r,
    random,
    several,
    shape_and_type,
    subsets,
    svd,
    svdvals,
    told,
    views,
    wide,
)
from oracle import arrpy

C = arrpy.c


def empties(report):
    for shape in ((0, 0), (3, 0, 0), (0, 4, 4)):
        x = report.array(np.ones(shape))
        report.check(f"cholesky empty {shape}", cholesky(x).shape == shape)
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
            report.check(
                f"svd empty {shape} {full}",
                u.shape == want[0].shape
                and s.shape == want[1].shape
                and v.shape == want[2].shape
                and np.array_equal(u, want[0])
                and np.array_equal(v, want[2]),
            )
        for mode, name in ((0, "reduced"), (1, "complete")):
            q, r = (w.numpy() for w in qr(x, mode))
            want = np.linalg.qr(np.ones(shape), name)
            report.check(
                f"qr empty {shape} {name}",
                q.shape == want[0].shape and r.shape == want[1].shape and np.array_equal(q, want[0]),
            )
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
                bounded(
                    report,
                    f"{label} r",
                    norm(np.abs(wide(qr_r(x).numpy())) - np.abs(np.linalg.qr(wide(a), "r"))),
                    100 * max(m, n) * eps(d) * norm(a),
                )
                h, tau = (v.numpy() for v in qr(x, C.ARR_QR_RAW))
                want = np.linalg.qr(a, "raw")
                report.check(
                    f"{label} raw",
                    h.shape == want[0].shape
                    and tau.shape == want[1].shape
                    and np.allclose(h, want[0], atol=1e3 * eps(d))
                    and np.allclose(tau, want[1], atol=1e3 * eps(d)),
                )
                p, l, u = (wide(v.numpy()) for v in lu(x))
                report.check(
                    f"lu {label} shapes",
                    l.shape == (*batch, m, k)
                    and u.shape == (*batch, k, n)
                    and np.array_equal(l, np.tril(l))
                    and np.array_equal(u, np.triu(u))
                    and np.array_equal(np.sum(p, -1), np.ones((*batch, m))),
                )
                bounded(report, f"lu {label}", norm(p @ l @ u - a), 10 * max(m, n) * eps(d) * norm(a))
    a = random((6, 6), "float64", 2)
    got = [v.numpy() for v in lu_factor(report.array(a))]
    want = scipy.linalg.lu_factor(a)
    report.check(
        "lu_factor", np.allclose(got[0], want[0]) and np.array_equal(got[1], want[1]) and got[1].dtype == np.int32
    )


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
                    bounded(
                        report,
                        f"{label} {full}",
                        norm(wide(u)[..., :k] * s[..., None, :] @ wide(v)[..., :k, :] - a),
                        10 * max(m, n) * eps(d) * norm(a),
                    )
                    bounded(
                        report,
                        f"{label} {full} values",
                        np.max(np.abs(s - want)),
                        10 * max(m, n) * eps(d) * np.max(want),
                    )
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
                bounded(
                    report,
                    f"eigvalsh {label}",
                    np.max(np.abs(eigvalsh(x, lower).numpy() - want)),
                    10 * n * eps(d) * norm(a),
                )
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
            report.check(
                f"cholesky {upper} of one triangle {order}", np.allclose(got, np.linalg.cholesky(a, upper=bool(upper)))
            )
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


def not_finite(report):
    """Matrices for which a method may not end, for numbers that LAPACK and cuSOLVER do not take."""
    spectral = (svd, svdvals, eigh, eigvalsh) + ((eig, eigvals) if eig_works(report) else ())
    for d in DTYPES:
        for bad in (np.nan, np.inf, -np.inf) + ((complex(0, np.inf),) if d.startswith("c") else ()):
            holed = np.array([np.eye(3), np.eye(3), 2 * np.eye(3)], d)
            holed[1, 0, 0] = bad
            for f in spectral:
                told(
                    report,
                    f"{f.__name__} of {bad} {d}",
                    lambda: f(report.array(holed)),
                    C.ARR_E_LINALG,
                    "(1,)",
                    "nan or inf",
                )
                told(
                    report,
                    f"{f.__name__} of one {bad} {d}",
                    lambda: f(report.array(holed[1])),
                    C.ARR_E_LINALG,
                    "the matrix contains nan or inf",
                )
            s = svdvals(report.array(holed), 1).numpy()
            report.check(
                f"svdvals {bad} {d}", bool(np.isnan(s[1]).all() and np.all(s[0] == 1) and np.all(s[2] == 2)), str(s)
            )
            told(
                report,
                f"svd of 1x1 {bad} {d}",
                lambda: svd(report.array(holed[1, :1, :1])),
                C.ARR_E_LINALG,
                "nan or inf",
            )
            wide_one = np.ones((2, 3, 5), d)
            wide_one[0, 2, 4] = bad
            for order, x in views(report, wide_one):
                told(report, f"svd of 3x5 {bad} {d} {order}", lambda: svd(x), C.ARR_E_LINALG, "(0,)", "nan or inf")


def failures(report):
    semidefinite = np.array([np.eye(3), np.diag([1.0, 0, 2]), np.eye(3)])
    x = report.array(semidefinite)
    told(
        report,
        "cholesky indefinite",
        lambda: cholesky(report.array(-semidefinite)),
        C.ARR_E_LINALG,
        "(0,)",
        "minor of order 1",
    )
    told(
        report,
        "cholesky minor",
        lambda: cholesky(report.array(np.diag([1.0, 2, -3]))),
        C.ARR_E_LINALG,
        "minor of order 3",
    )
    got = cholesky(x, 0, 1).numpy()
    finite = np.isfinite(got).all(axis=(1, 2))
    report.check("cholesky nan", bool(np.isnan(got[1]).any() and finite[0] and finite[2]), str(got))
    not_finite(report)
    half = report.array(np.eye(3, dtype="f2"))
    for name, f in (("cholesky", cholesky), ("qr", qr), ("svd", svd), ("eigh", eigh), ("lu", lu)):
        told(report, f"{name} of float16", lambda: f(half), C.ARR_E_DTYPE, "float16")
    flat, oblong = report.array(np.ones(3)), report.array(np.ones((3, 2)))
    for name, f in (("cholesky", cholesky), ("eigh", eigh), ("eig", eig)):
        told(report, f"{name} of a vector", lambda: f(flat), C.ARR_E_SHAPE, "argument a")
        told(report, f"{name} of an oblong", lambda: f(oblong), C.ARR_E_SHAPE, "square")
    for name, f in (("qr", qr), ("svd", svd), ("lu", lu)):
        told(report, f"{name} of a vector", lambda: f(flat), C.ARR_E_SHAPE, "argument a")
    square = report.array(np.eye(3))
    told(report, "qr mode", lambda: qr(square, 4), C.ARR_E_ARGUMENT, "mode")
    told(report, "qr mode", lambda: qr(square, -1), C.ARR_E_ARGUMENT, "mode")


def wanted(report):
    """Results whose pointer is NULL are left out, and nothing of them leaks; the others are the same."""
    a = random((2, 5, 3), "float64", 7)
    x, square = report.array(a), report.array(hermitian((4, 4), "float64"))
    calls = [("svd", 3, (0, 2), (x.handle, 0, 0, None)), ("eigh", 2, (1,), (square.handle, 1, 0, None))]
    if eig_works(report):
        calls.append(("eig", 2, (1,), (square.handle, 0, None)))
    for name, count, optional, arguments in calls:
        every = [y.numpy() for y in several(name, count, *arguments)]
        for left_out in subsets(optional):
            got = several(name, count, *arguments, left_out=left_out)
            label = f"{name} without {left_out}"
            kept = [y for i, y in enumerate(every) if i not in left_out]
            # Without vectors another algorithm may run.
            same = [y.shape == z.shape and np.allclose(y.numpy(), z, rtol=0, atol=1e-12) for y, z in zip(got, kept)]
            report.check(label, all(same), str(same))
        required = [i for i in range(count) if i not in optional]
        for i in required:
            told(
                report,
                f"{name} without {i}",
                lambda i=i: several(name, count, *arguments, left_out=(i,)),
                C.ARR_E_ARGUMENT,
                "out_",
            )


def many(report):
    """Small ones in numbers, spread over threads."""
    a = random((300, 8, 8), "float64", 3)
    u, s, v = (x.numpy() for x in svd(report.array(a)))
    bounded(report, "many svd", norm(u * s[:, None, :] @ v - a), 80 * eps("float64") * norm(a))


def indefinite(report):
    """L D L^H of matrices that need blocks of two rows, of singular ones, and of definite ones."""
    for d, n, batch in cases(report):
        a = hermitian((*batch, n, n), d, n + 3)
        zero = a.copy()
        zero[..., range(n), range(n)] = 0
        half = np.zeros_like(a)
        half[..., n // 2 :, n // 2 :] = a[..., n // 2 :, n // 2 :]
        kinds = {"indefinite": a, "zero diagonal": zero, "singular": half, "definite": definite((*batch, n, n), d, n)}
        for (kind, given), lower in ((x, y) for x in kinds.items() for y in (True, False)):
            one = np.where(np.tri(n, dtype=bool) == lower, given, np.nan).astype(d)  # the other triangle is not read
            one[..., range(n), range(n)] = given[..., range(n), range(n)]
            for order, x in views(report, one):
                label = f"ldl {d} {n} {batch} {kind} {lower} {order}"
                factor, middle, order_of = (v.numpy() for v in ldl(x, lower))
                shape_and_type(report, label, factor, given.shape, d)
                shape_and_type(report, label, middle, given.shape, d)
                shape_and_type(report, f"{label} rows", order_of, given.shape[:-1], "int32")
                back = wide(factor) @ wide(middle) @ adjoint(wide(factor))
                bounded(report, label, norm(back - given), 30 * n * eps(d) * max(norm(given), 1e-300))
                for i in np.ndindex(batch):
                    rows = factor[i][order_of[i]]
                    triangle = np.tril(rows) if lower else np.triu(rows)
                    good = np.array_equal(rows, triangle) and np.array_equal(np.diagonal(rows), np.ones(n))
                    report.check(f"{label} triangle {i}", good, str(rows))
                    report.check(f"{label} permutation {i}", sorted(order_of[i]) == list(range(n)))
                    beside = np.abs(np.diagonal(middle[i], -1)) > 0
                    blocks = np.array_equal(middle[i], np.triu(np.tril(middle[i], 1), -1))
                    blocks &= not (beside[1:] & beside[:-1]).any() and np.array_equal(middle[i], adjoint(middle[i]))
                    report.check(f"{label} blocks {i}", bool(blocks), str(middle[i]))
            if not batch and kind == "indefinite":
                for got, want in zip((factor, middle, order_of), scipy.linalg.ldl(wide(given), lower)):
                    far = float(np.abs(got - want).max())
                    bounded(report, f"ldl SciPy {d} {n} {lower}", far, 1e3 * n * eps(d) * float(np.abs(want).max() + 1))
    for shape in ((0, 0), (2, 0, 0), (0, 3, 3)):
        got = ldl(report.array(np.ones(shape)))
        report.check(f"ldl empty {shape}", [x.shape for x in got] == [shape, shape, shape[:-1]])
    whole = ldl(report.array(np.array([[2, 1], [1, 3]])))[0].numpy()
    report.check("ldl of integers", whole.dtype == np.float64 and np.allclose(whole, [[1, 0], [0.5, 1]]))
    told(report, "ldl oblong", lambda: ldl(report.array(np.ones((2, 3)))), C.ARR_E_SHAPE, "argument a", "square")
    told(report, "ldl of float16", lambda: ldl(report.array(np.eye(2, dtype="f2"))), C.ARR_E_DTYPE, "float16")


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((empties, factors, spectra, indefinite, general, failures, wanted, many)):
        part(r)
    r.finish()
