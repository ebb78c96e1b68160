#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Solutions of equations, inverses and determinants against their defining equations, in units of n * eps, and against
NumPy 2."""

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
    cho_solve,
    definite,
    det,
    eps,
    failure,
    graded,
    inv,
    lu,
    lu_factor,
    lu_solve,
    norm,
    random,
    shape_and_type,
    slogdet,
    solve,
    solve_triangular,
    told,
    views,
    wide,
)
from oracle import arrpy

C = arrpy.c


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
            good = np.all(np.abs(sign - s) <= 1e3 * n * eps(d)) and np.all(
                np.abs(logarithm - l) <= 50 * n * eps(d) * np.linalg.cond(wide(a)) * (1 + np.abs(l))
            )
            report.check(f"slogdet {d} {n} {batch} {order}", bool(good) and logarithm.dtype == a.real.dtype)
        vector = random((n,), d, 3)
        got = solve(report.array(a), report.array(vector)).numpy()
        report.check(f"solve {d} {n} {batch} vector", got.shape == (*batch, n))
        bounded(
            report,
            f"solve {d} {n} {batch} vector",
            norm(wide(a) @ wide(got)[..., None] - vector[:, None]),
            10 * n * eps(d) * norm(a) * norm(got[..., None]),
        )
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
        bounded(
            report, f"solve ill-conditioned {d}", norm(wide(a) @ wide(got) - b), 40 * 10 * eps(d) * norm(a) * norm(got)
        )


def empties(report):
    for shape in ((0, 0), (3, 0, 0), (0, 4, 4)):
        x = report.array(np.ones(shape))
        report.check(f"det empty {shape}", np.array_equal(det(x).numpy(), np.linalg.det(np.ones(shape))))
        sign, logarithm = (v.numpy() for v in slogdet(x))
        want = np.linalg.slogdet(np.ones(shape))
        report.check(f"slogdet empty {shape}", np.array_equal(sign, want[0]) and np.array_equal(logarithm, want[1]))
        report.check(f"inv empty {shape}", inv(x).shape == shape)
        got = solve(x, report.array(np.ones((*shape[:-1], 2)))).numpy()
        report.check(f"solve empty {shape}", got.shape == (*shape[:-1], 2))


def no_columns(report):
    """A singular matrix is an error however many right-hand sides there are, as in NumPy."""
    for shape, of_b in (((3, 3), (3, 0)), ((2, 3, 3), (2, 3, 0)), ((3, 3), (2, 3, 0)), ((2, 3, 3), (3, 0))):
        zero, one, b = np.zeros(shape), np.broadcast_to(np.eye(3), shape), report.array(np.ones(of_b))
        want = np.linalg.solve(one, np.ones(of_b)).shape
        for label, f in (("solve", solve), ("solve_triangular", solve_triangular)):
            label = f"{label} {shape} {of_b}"
            told(
                report,
                f"{label} singular",
                lambda f=f: f(report.array(zero), b),
                C.ARR_E_LINALG,
                "argument a",
                "singular",
            )
            report.check(label, f(report.array(one), b).shape == want)
            report.check(f"{label} nan", f(report.array(zero), b, how=1).shape == want)
    nothing = report.array(np.ones((0, 3, 2)))  # no equations: none is singular
    report.check("solve of no matrices", solve(report.array(np.zeros((3, 3))), nothing).shape == (0, 3, 2))
    told(
        report,
        "solve of none",
        lambda: solve(report.array(np.zeros((3, 3))), report.array(np.ones((2, 0)))),
        C.ARR_E_SHAPE,
    )


def factored(report):
    """Equations whose matrices are triangular, or factored by lu_factor."""
    for d, n, batch in cases(report):
        a = random((*batch, n, n), d, 7)
        f = lu_factor(report.array(a))
        b = random((*batch, n, 2), d, 8)
        for op, change in ((0, lambda x: x), (1, lambda x: np.swapaxes(x, -1, -2)), (2, adjoint)):
            got = lu_solve(f, report.array(b), op).numpy()
            bounded(
                report,
                f"lu_solve {d} {n} {batch} {op}",
                norm(change(wide(a)) @ wide(got) - b),
                10 * n * eps(d) * norm(a) * norm(got),
            )
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
                        bounded(
                            report,
                            f"solve_triangular {d} {n} {batch} {order} {lower}{unit}{op}",
                            norm(change(half) @ wide(got) - b),
                            20 * n * eps(d) * norm(half) * norm(got),
                        )


def by_cholesky(report):
    """Equations whose matrices are factored by cholesky. The other triangle of the factor is nan."""
    for d, n, batch in cases(report):
        a = definite((*batch, n, n), d, 9)
        for lower in (False, True):
            c = np.linalg.cholesky(wide(a))
            c = (c if lower else adjoint(c)).astype(d)
            other = np.triu(np.ones((n, n), bool), 1)
            c[..., other if lower else other.T] = np.nan
            for order, x in views(report, c):
                for shape in ((n,), (*batch, n, 2), (3, *(1,) * len(batch), n, 1)):
                    b = random(shape, d, 5)
                    got = cho_solve(x, report.array(b), lower).numpy()
                    label = f"cho_solve {d} {n} {batch} {order} {lower} {shape}"
                    columns = b[:, None] if b.ndim == 1 else b
                    x_columns = got[..., None] if b.ndim == 1 else got
                    report.check(f"{label} type", got.dtype == np.dtype(d))
                    left = norm(wide(a) @ wide(x_columns) - columns)
                    bounded(report, label, left, 20 * n * eps(d) * norm(a) * norm(x_columns))
                    if not batch and len(shape) < 3:
                        want = scipy.linalg.cho_solve((np.nan_to_num(c), lower), b)
                        far = float(np.linalg.norm(got - want))
                        limit = 20 * n * eps(d) * np.linalg.cond(wide(a)) * float(np.linalg.norm(want))
                        bounded(report, f"{label} SciPy", far, limit)
    zero = cho_solve(report.array(np.diag([1.0, 0, 1])), report.array(np.ones(3)))
    report.check("cho_solve of a singular factor", np.isnan(zero.numpy()).all())
    report.check(
        "no unknowns", cho_solve(report.array(np.ones((2, 0, 0))), report.array(np.ones((2, 0, 3)))).shape == (2, 0, 3)
    )
    square, flat = report.array(np.eye(3)), report.array(np.ones(3))
    told(
        report, "cho_solve oblong", lambda: cho_solve(report.array(np.ones((2, 3))), flat), C.ARR_E_SHAPE, "argument c"
    )
    told(
        report,
        "cho_solve rows",
        lambda: cho_solve(square, report.array(np.ones(2))),
        C.ARR_E_SHAPE,
        "argument b",
        "3 rows",
    )
    half = report.array(np.eye(3, dtype="f2"))
    told(report, "cho_solve of float16", lambda: cho_solve(half, flat), C.ARR_E_DTYPE, "argument c", "float16")


def failures(report):
    singular = np.array([np.eye(3), np.diag([1.0, 0, 2]), np.eye(3)])
    x = report.array(singular)
    b = report.array(np.ones((3, 3, 2)))
    told(report, "solve singular", lambda: solve(x, b), C.ARR_E_LINALG, "argument a", "(1,)", "singular", "pivot 1")
    told(
        report,
        "solve one singular",
        lambda: solve(report.array(singular[1]), report.array(np.ones(3))),
        C.ARR_E_LINALG,
        "pivot 1",
    )
    told(report, "inv singular", lambda: inv(x), C.ARR_E_LINALG, "(1,)", "singular")
    told(report, "triangular singular", lambda: solve_triangular(x, b), C.ARR_E_LINALG, "element 1 of its diagonal")
    for f, wrong in (
        (solve, lambda: solve(x, b, 1)),
        (inv, lambda: inv(x, 1)),
        (solve_triangular, lambda: solve_triangular(x, b, 0, 0, 0, 1)),
    ):
        got = wrong().numpy()
        finite = np.isfinite(got).all(axis=(1, 2))
        report.check(f"{f.__name__} nan", bool(np.isnan(got[1]).any() and finite[0] and finite[2]), str(got))
    report.check("det singular", np.array_equal(det(x).numpy(), [1, 0, 1]))
    report.check("slogdet singular", slogdet(x)[1].numpy()[1] == -np.inf and slogdet(x)[0].numpy()[1] == 0)
    half = report.array(np.eye(3, dtype="f2"))
    for name, f in (("solve", lambda h: solve(h, h)), ("inv", inv), ("det", det)):
        told(report, f"{name} of float16", lambda: f(half), C.ARR_E_DTYPE, "float16")
    flat, oblong = report.array(np.ones(3)), report.array(np.ones((3, 2)))
    for name, f in (("inv", inv), ("det", det), ("slogdet", slogdet)):
        told(report, f"{name} of a vector", lambda: f(flat), C.ARR_E_SHAPE, "argument a")
        told(report, f"{name} of an oblong", lambda: f(oblong), C.ARR_E_SHAPE, "square")
    square = report.array(np.eye(3))
    told(
        report,
        "solve rows",
        lambda: solve(square, report.array(np.ones((2, 3)))),
        C.ARR_E_SHAPE,
        "argument b",
        "3 rows",
    )
    told(report, "solve batches", lambda: solve(x, report.array(np.ones((2, 3, 3)))), C.ARR_E_SHAPE)
    told(report, "on_failure", lambda: inv(square, 2), C.ARR_E_ARGUMENT, "on_failure")
    told(report, "op", lambda: solve_triangular(square, flat, op=3), C.ARR_E_ARGUMENT, "op")
    told(report, "flags", lambda: solve_triangular(square, flat, 4), C.ARR_E_ARGUMENT, "argument flags: 4 has unknown")
    f = lu_factor(square)
    told(report, "pivots", lambda: lu_solve((f[0], report.array(np.zeros(2, "i4"))), flat), C.ARR_E_SHAPE, "pivots")
    told(
        report, "pivots type", lambda: lu_solve((f[0], report.array(np.zeros(3, "i8"))), flat), C.ARR_E_DTYPE, "pivots"
    )
    for bad in ([10**9, -5, 7], [0, 1, 3], [-1, 0, 0]):
        told(
            report,
            f"pivots {bad}",
            lambda: lu_solve((f[0], report.array(np.array(bad, "i4"))), flat),
            C.ARR_E_ARGUMENT,
            "argument pivots",
            f"from {min(bad)} to {max(bad)}, expected 0 to 2",
        )
    many, right = lu_factor(x), report.array(np.ones((3, 3, 1)))
    pivots = many[1].numpy()
    report.check("pivots in range", lu_solve(many, right).shape == (3, 3, 1))
    pivots[1, 2] = 3
    told(
        report,
        "pivots of one of several",
        lambda: lu_solve((many[0], report.array(pivots)), right),
        C.ARR_E_ARGUMENT,
        "argument pivots",
    )


def many(report):
    """Small ones in numbers, spread over threads."""
    for d in DTYPES:
        a, b = random((500, 16, 16), d, 1), random((500, 16, 1), d, 2)
        got = solve(report.array(a), report.array(b)).numpy()
        size = np.max(
            np.linalg.norm(wide(a) @ wide(got) - b, axis=(1, 2))
            / (np.linalg.norm(a, axis=(1, 2)) * np.linalg.norm(got, axis=(1, 2)))
        )
        bounded(report, f"many solve {d}", size, 160 * eps(d))
    for n in (1, 2, 3, 7, 8, 9, 15, 31, 32, 33):
        for k in (1, 5, 16, 17):
            for d in ("float32", "float64"):
                a, b = random((4, n, n), d, n) + 2 * np.eye(n, dtype=d), random((4, n, k), d, k)
                a[1, 0, 0] = 0 if n > 1 else 1
                for order, x in views(report, a) if k == 5 else [("C", report.array(a))]:
                    got = solve(x, report.array(b)).numpy()
                    bounded(
                        report,
                        f"several {n} {k} {d} {order}",
                        norm(wide(a) @ wide(got) - b),
                        20 * n * eps(d) * norm(a) * norm(got),
                    )
    tiny = np.array([np.diag([1e-310, 1.0]), np.eye(2)])
    got = solve(report.array(tiny), report.array(np.array([[[1e-310], [1]], [[1], [1]]]))).numpy()
    # The host's own elimination divides by a pivot; LAPACK multiplies by what may overflow.
    if report.device == "host":
        report.check("several tiny", np.allclose(got, 1, rtol=1e-12))
    many_eliminated(report)
    a = random((300, 8, 8), "float64", 3)
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
            a[bad, n // 2 :] = 0  # the first pivot that is 0
            x = report.array(a)
            code, text = failure(lambda: inv(x))
            report.check(f"singular {title}", code == C.ARR_E_LINALG and f"({bad},)" in text, text)
            got = inv(x, 1).numpy()
            others = np.arange(count) != bad
            report.check(
                f"nan {title}", bool(np.isnan(got[bad]).all()) and np.array_equal(got[others], inverse[others])
            )
            report.check(f"det {title}", det(x).numpy()[bad] == 0)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((solvers, empties, no_columns, factored, by_cholesky, failures, many)):
        part(r)
    r.finish()
