#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sylvester's and Lyapunov's equations: the residual of each, SciPy's solutions, exact ones of small integers."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.linalg

import oracle
from matrices import DTYPES, adjoint, bounded, definite, eps, norm, random, shape_and_type, told, views, wide
from oracle import arrpy

C = arrpy.c


def sylvester(a, b, q):
    return arrpy.made("arr_solve_sylvester", a.handle, b.handle, q.handle, None)


def continuous(a, q):
    return arrpy.made("arr_solve_continuous_lyapunov", a.handle, q.handle, None)


def discrete(a, q):
    return arrpy.made("arr_solve_discrete_lyapunov", a.handle, q.handle, None)


def stable(shape, d, seed):
    """Eigenvalues inside of the circle of radius 0.9."""
    a = wide(random(shape, d, seed))
    radius = np.abs(np.linalg.eigvals(a)).max(-1) if a.size else np.ones(shape[:-2])
    return (0.9 * a / np.maximum(radius, 1e-3)[..., None, None]).astype(d)


def general(report):
    sizes = ((1, 1), (2, 5), (5, 2), (4, 4), (33, 20)) if report.device == "host" else ((1, 1), (2, 5), (4, 4), (17, 9))
    stacks = (((), (), ()), ((3,), (3,), (3,)), ((2, 1), (3,), ()), ((), (), (2, 2)))
    for d in DTYPES if report.device == "host" else DTYPES[1:3]:
        for (m, n), stack in ((x, y) for x in sizes for y in (stacks if x[0] < 6 else stacks[:1])):
            a = (random((*stack[0], m, m), d, 1) + 2 * np.sqrt(m) * np.eye(m)).astype(d)
            b = (random((*stack[1], n, n), d, 2) + 2 * np.sqrt(n) * np.eye(n)).astype(d)
            q = random((*stack[2], m, n), d, 3)
            for order, of_q in views(report, q):
                got = sylvester(report.array(a), report.array(b), of_q).numpy()
                label = f"sylvester {d} {m}x{n} {stack} {order}"
                shape_and_type(report, label, got, (*np.broadcast_shapes(*stack), m, n), d)
                off = wide(a) @ wide(got) + wide(got) @ wide(b) - wide(q)
                bounded(report, label, norm(off), 20 * (m + n) * eps(d) * (norm(a) + norm(b)) * norm(got))
            if not any(stack):
                want = scipy.linalg.solve_sylvester(wide(a), wide(b), wide(q))
                bounded(report, f"{label} SciPy", norm(got - want), 100 * (m + n) * eps(d) * norm(want))


def lyapunov(report):
    for d in DTYPES if report.device == "host" else DTYPES[1:3]:
        for n, batch in ((1, ()), (2, (3,)), (5, (2, 2)), (5, ()), (24, ())):
            a, q = stable((*batch, n, n), d, n), definite((*batch, n, n), d, n + 1)
            shifted = (wide(a) - 1.5 * np.eye(n)).astype(d)
            for order, x in views(report, shifted):
                got = continuous(x, report.array(q)).numpy()
                label = f"continuous {d} {n} {batch} {order}"
                shape_and_type(report, label, got, a.shape, d)
                w = wide(shifted)
                off = w @ wide(got) + wide(got) @ adjoint(w) - q
                bounded(report, label, norm(off), 50 * n * eps(d) * norm(w) * norm(got))
                bounded(report, f"{label} Hermitian", norm(got - adjoint(got)), 1e3 * n * eps(d) * norm(got))
            for order, x in views(report, a):
                got = discrete(x, report.array(q)).numpy()
                label = f"discrete {d} {n} {batch} {order}"
                shape_and_type(report, label, got, a.shape, d)
                w = wide(a)
                off = w @ wide(got) @ adjoint(w) - got + q
                bounded(report, label, norm(off), 100 * n * eps(d) * max(norm(w), 1) ** 2 * norm(got))
            if not batch:
                for name, run, matrix in (("continuous", continuous, shifted), ("discrete", discrete, a)):
                    want = getattr(scipy.linalg, f"solve_{name}_lyapunov")(wide(matrix), wide(q))
                    got = run(report.array(matrix), report.array(q)).numpy()
                    # Both solve by transformations: their errors are those of systems of that condition.
                    bounded(report, f"{name} {d} {n} SciPy", norm(got - want), 1e4 * n * eps(d) * norm(want))


def special(report):
    a, b = np.array([[1, 2], [0, 3]]), np.array([[4]])
    got = sylvester(report.array(a), report.array(b), report.array(np.array([[9], [7]]))).numpy()
    report.check("sylvester of integers", got.dtype == np.float64 and bool(np.allclose(got, [[7 / 5], [1]])), str(got))
    one = report.array(np.eye(2))
    got = sylvester(one, report.array(-np.eye(2)), report.array(np.ones((2, 2)))).numpy()
    report.check("sylvester without a solution", not np.isfinite(got).any(), str(got))
    got = discrete(one, report.array(np.ones((2, 2)))).numpy()
    report.check("discrete without a solution", not np.isfinite(got).any(), str(got))
    got = continuous(report.array(np.zeros((2, 2))), report.array(np.ones((2, 2)))).numpy()
    report.check("continuous without a solution", not np.isfinite(got).any(), str(got))
    for value in (np.nan, np.inf):
        mixed = np.stack([np.eye(2), np.array([[1, value], [0, 1]])])
        got = sylvester(report.array(mixed), one, one).numpy()
        report.check(f"sylvester of {value}", bool(np.allclose(got[0], np.eye(2) / 2) and np.isnan(got[1]).all()))
        got = continuous(report.array(mixed), one).numpy()
        report.check(f"continuous of {value}", bool(np.allclose(got[0], np.eye(2) / 2) and np.isnan(got[1]).all()))
    for m, n, batch in ((0, 3, ()), (3, 0, ()), (0, 0, ()), (2, 2, (0,))):
        x, y, z = (report.array(np.ones((*batch, *s))) for s in ((m, m), (n, n), (m, n)))
        report.check(f"sylvester {m}x{n} {batch}", sylvester(x, y, z).shape == (*batch, m, n))
    for shape in ((0, 0), (0, 2, 2)):
        x = report.array(np.ones(shape))
        report.check(f"lyapunov {shape}", continuous(x, x).shape == discrete(x, x).shape == shape)
    wide_one = report.array(np.ones((2, 3)))
    for name, run in (("continuous", continuous), ("discrete", discrete)):
        told(report, f"{name} oblong", lambda r=run: r(wide_one, one), C.ARR_E_SHAPE, "argument a", "square")
        told(report, f"{name} shape", lambda r=run: r(one, wide_one), C.ARR_E_SHAPE, "argument q", "2, 2")
        half = report.array(np.eye(2, dtype="f2"))
        told(report, f"{name} float16", lambda r=run, h=half: r(one, h), C.ARR_E_DTYPE, "argument q", "float16")
    told(report, "sylvester shape", lambda: sylvester(one, one, wide_one), C.ARR_E_SHAPE, "argument q", "2, 2")
    told(report, "sylvester oblong", lambda: sylvester(one, wide_one, one), C.ARR_E_SHAPE, "argument b", "square")
    many = [report.array(np.ones((k, 2, 2))) for k in (2, 3)]
    told(report, "sylvester stacks", lambda: sylvester(many[0], many[1], one), C.ARR_E_SHAPE, "argument b")
    mixed = sylvester(report.array(np.eye(2, dtype="f4")), one, report.array(np.eye(2, dtype="c8"))).numpy()
    report.check("sylvester of dtypes", mixed.dtype == np.complex128 and bool(np.allclose(mixed, np.eye(2) / 2)))


def each_once(report):
    """Every function of small matrices: what runs when each allocation fails in its turn."""
    a, q = np.array([[-3.0, 1], [0.5, -2]]), np.array([[1.0, 2], [2, 5]])
    x, y, eighth = report.array(a), report.array(q), report.array(a / 8)
    for name, got, want in (
        ("sylvester", sylvester(x, x, y), scipy.linalg.solve_sylvester(a, a, q)),
        ("continuous", continuous(x, y), scipy.linalg.solve_continuous_lyapunov(a, q)),
        ("discrete", discrete(eighth, y), scipy.linalg.solve_discrete_lyapunov(a / 8, q)),
    ):
        bounded(report, f"{name} once", norm(got.numpy() - want), 1e-13 * norm(want))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((general, lyapunov, special, each_once)):
        part(r)
    r.finish()
