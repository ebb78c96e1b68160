#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Solutions of banded equations against SciPy's and against their defining equations, in units of n * eps."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.linalg

import oracle
from matrices import DTYPES, bounded, eps, random, shape_and_type, told, wide
from oracle import arrpy

C = arrpy.c


def solve_tridiagonal(lower, diagonal, upper, b, axis=-1, how=0):
    handles = (x.handle for x in (lower, diagonal, upper, b))
    return arrpy.made("arr_solve_tridiagonal", *handles, axis, how, None)


def tridiagonal_by_scipy(lower, diagonal, upper, b, axis=-1):
    """The solutions and the matrices, both with the axis last."""
    ndim = max(x.ndim for x in (lower, diagonal, upper, b))

    def vectors(x):
        if x.ndim == 1:
            return x
        return np.moveaxis(x.reshape((1,) * (ndim - x.ndim) + x.shape), axis, -1)

    lower, diagonal, upper, b = (wide(vectors(x)) for x in (lower, diagonal, upper, b))
    batch = np.broadcast_shapes(*(x.shape[:-1] for x in (lower, diagonal, upper, b)))
    n = diagonal.shape[-1]
    matrices = np.zeros((*batch, n, n), np.result_type(lower, diagonal, upper))
    at = np.arange(n)
    matrices[..., at, at] = diagonal
    matrices[..., at[1:], at[:-1]] = lower
    matrices[..., at[:-1], at[1:]] = upper
    b = np.broadcast_to(b, (*batch, n))
    want = np.zeros(b.shape, np.result_type(matrices, b))
    for i in np.ndindex(batch):
        ab = np.zeros((3, n), matrices.dtype)
        ab[0, 1:], ab[1], ab[2, :-1] = (np.diagonal(matrices[i], k) for k in (1, 0, -1))
        want[i] = scipy.linalg.solve_banded((1, 1), ab, b[i])
    return want, matrices, b


def solved(report, label, got, given, axis=-1):
    """Compares with SciPy's solution, within the effect that rounding a matrix of that condition may have."""
    want, matrices, b = tridiagonal_by_scipy(*given, axis)
    d = np.result_type(*given)
    n = b.shape[-1]
    shape_and_type(report, label, got, np.moveaxis(want, -1, axis).shape, d)
    got = np.moveaxis(wide(got), axis, -1)
    size = np.linalg.norm(matrices, axis=(-2, -1)) * np.linalg.norm(got, axis=-1)
    left = np.linalg.norm((matrices @ got[..., None])[..., 0] - b, axis=-1)
    bounded(report, f"{label} residual", float(np.max(left / size, initial=0)), 8 * eps(d))
    far = np.linalg.norm(got - want, axis=-1) / np.linalg.norm(want, axis=-1)
    report.check(f"{label} SciPy", bool(np.all(far <= 8 * n * eps(d) * np.linalg.cond(matrices))), f"{np.max(far)}")


def vectors(shape, d, seed, axis=-1, pivoting=True):
    """Diagonals and right-hand sides. With pivoting most rows are exchanged."""
    shorter = list(shape)
    shorter[axis] -= 1
    lower, upper = random(shorter, d, seed), random(shorter, d, seed + 1)
    diagonal, b = random(shape, d, seed + 2), random(shape, d, seed + 3)
    if pivoting:
        diagonal = diagonal * np.asarray(0.1, d)
    else:
        diagonal = diagonal + np.asarray(4, d)
    return lower, diagonal, upper, b


def tridiagonal(report):
    """Each length and number of systems, along the last axis and along the first."""
    counts = (1, 2, 3, 4, 7, 8, 9, 16, 17, 33) if report.device == "host" else (1, 5, 33)
    for d, n, pivoting in itertools.product(DTYPES, (1, 2, 3, 4, 17, 65), (False, True)):
        for count in counts:
            for axis, shape in ((-1, (count, n)), (0, (n, count))):
                given = vectors(shape, d, n + count, axis, pivoting)
                got = solve_tridiagonal(*map(report.array, given), axis).numpy()
                solved(report, f"tridiagonal {d} {shape} {axis} {pivoting}", got, given, axis)
        given = vectors((n,), d, n, -1, pivoting)
        solved(report, f"tridiagonal {d} {n}", solve_tridiagonal(*map(report.array, given)).numpy(), given)


def axes(report):
    """Every axis of three dimensions, in each order of memory of each operand."""
    orders = {
        "C": lambda x: report.array(x),
        "F": lambda x: report.array(np.ascontiguousarray(x.T)).transpose(),
        "step": lambda x: report.array(np.repeat(x, 2, -1))[..., ::2],
        "flipped": lambda x: report.array(np.ascontiguousarray(x[::-1, ..., ::-1]))[::-1, ..., ::-1],
    }
    for d, axis in itertools.product(DTYPES, (0, 1, 2, -2)):
        given = vectors((6, 5, 9), d, axis + 5, axis)
        for name, order in orders.items():
            got = solve_tridiagonal(*map(order, given), axis).numpy()
            solved(report, f"axis {d} {axis} {name}", got, given, axis)
            if d == "float64":
                mixed = [order(x) if i % 2 else report.array(x) for i, x in enumerate(given)]
                solved(report, f"axis mixed {axis} {name}", solve_tridiagonal(*mixed, axis).numpy(), given, axis)
    got = solve_tridiagonal(*map(orders["F"], vectors((40, 7), "float64", 1, 0)), 0)
    report.check("the order of b is kept", got.strides[0] < got.strides[1], str(got.strides))


def broadcast(report):
    """Diagonals that several systems share, and right-hand sides that several matrices share."""
    n = 11
    for d in DTYPES:
        for shapes, axis in (
            (((n - 1,), (n,), (n - 1,), (7, n)), 1),
            (((n - 1,), (n,), (n - 1,), (n, 37)), 0),
            (((n - 1,), (n,), (n - 1,), (2, n, 9)), 1),
            (((n - 1,), (n,), (n - 1,), (2, 3, 9, n)), -1),
            (((n - 1, 1), (n, 5), (n - 1, 1), (n, 5)), 0),
            (((4, n - 1), (4, n), (4, n - 1), (n,)), 1),
            (((n - 1,), (4, n), (n - 1,), (n,)), -1),
            (((5, 1, n - 1), (3, n), (n - 1,), (5, 3, n)), -1),
            (((1, n - 1), (1, n), (1, n - 1), (6, n)), 1),
        ):
            given = [random(shape, d, i) for i, shape in enumerate(shapes)]
            got = solve_tridiagonal(*map(report.array, given), axis).numpy()
            solved(report, f"broadcast {d} {shapes} {axis}", got, given, axis)
    whole = [random(shape, "float64", i).round(0) for i, shape in enumerate(((4,), (5,), (4,), (5,)))]
    whole[1] += 3
    ints = [x.astype("int32") for x in whole]
    report.check("integers", np.array_equal(*(solve_tridiagonal(*map(report.array, g)).numpy() for g in (whole, ints))))
    mixed = [whole[0].astype("float32"), whole[1].astype("float32"), whole[2].astype("complex64"), whole[3]]
    shape_and_type(report, "mixed", solve_tridiagonal(*map(report.array, mixed)).numpy(), (5,), "complex128")


def special(report):
    """Numbers at the ends of the range, nan and infinity, which stay in their systems."""
    for d in DTYPES:
        tiny = np.finfo(d).tiny * 8
        for factor in (tiny, np.finfo(d).max / 64):
            given = [np.asarray(x * factor, d) for x in vectors((5, 6), d, 3, pivoting=False)]
            got = solve_tridiagonal(*map(report.array, given)).numpy()
            want = tridiagonal_by_scipy(*(wide(x) / factor for x in given))[0]
            report.check(f"scaled by {factor} {d}", np.allclose(got, want, rtol=1e3 * eps(d), atol=1e3 * eps(d)))
        given = vectors((20, 4), d, 4, pivoting=False)
        given[3][7, 2] = np.nan
        given[1][9, 1] = np.inf
        got = solve_tridiagonal(*map(report.array, given)).numpy()
        others = np.delete(np.arange(20), [7, 9])
        bad = ~np.isfinite(got).all(axis=1)
        report.check(f"nan {d}", bad[7] and not bad[others].any(), str(bad))
        solved(report, f"beside nan {d}", got[others], [x[others] for x in given])


def nothing(report):
    for shapes, axis, shape in (
        (((0,), (0,), (0,), (0,)), 0, (0,)),
        (((0,), (0,), (0,), (3, 0)), 1, (3, 0)),
        (((2,), (3,), (2,), (0, 3)), 1, (0, 3)),
        (((2,), (3,), (2,), (3, 0)), 0, (3, 0)),
        (((0,), (1,), (0,), (4, 1)), 1, (4, 1)),
    ):
        got = solve_tridiagonal(*(report.array(np.ones(s)) for s in shapes), axis).numpy()
        report.check(f"nothing {shapes}", got.shape == shape and np.array_equal(got, np.ones(shape)))


def failures(report):
    lower, diagonal, upper, b = vectors((3, 5), "float64", 1, pivoting=False)
    diagonal[1], lower[1], upper[1] = [1, 2, 0, 3, 4], 0, [0, 0, 1, 0]
    for d in DTYPES:
        x = [report.array(v.astype(d)) for v in (lower, diagonal, upper, b)]
        label = f"singular {d}"
        told(report, label, lambda: solve_tridiagonal(*x), C.ARR_E_LINALG, "argument diagonal", "(1,)", "pivot 2 is 0")
        got = solve_tridiagonal(*x, -1, C.ARR_LINALG_NAN).numpy()
        report.check(f"{label} nan", np.isnan(got[1]).all() and np.isfinite(got[[0, 2]]).all(), str(got))
        one = [report.array(v[1].astype(d)) for v in (lower, diagonal, upper)]
        told(report, f"{label} one", lambda: solve_tridiagonal(*one, x[3]), C.ARR_E_LINALG, "(0,)", "pivot 2 is 0")
        got = solve_tridiagonal(*one, x[3], -1, C.ARR_LINALG_NAN).numpy()
        report.check(f"{label} one nan", np.isnan(got).all())
        last = [report.array(np.asarray(v, d)) for v in ([0, 0], [1, 1, 0], [0, 0], [1, 1, 1])]
        told(report, f"{label} last", lambda: solve_tridiagonal(*last), C.ARR_E_LINALG, "matrix is singular: pivot 2")
        along = [report.array(np.ascontiguousarray(v.T.astype(d))) for v in (lower, diagonal, upper, b)]
        got = solve_tridiagonal(*along, 0, C.ARR_LINALG_NAN).numpy()
        report.check(f"{label} columns", np.isnan(got[:, 1]).all() and np.isfinite(got[:, [0, 2]]).all())

    def ones(*shapes):
        return [report.array(np.ones(s)) for s in shapes]

    def fails(label, shapes, status, *words, axis=-1, how=0):
        told(report, label, lambda: solve_tridiagonal(*ones(*shapes), axis, how), status, *words)

    fails("lower", (3, 3, 2, 3), C.ARR_E_SHAPE, "argument lower: 3 elements", "expected 2")
    fails("upper", (2, 3, 4, 3), C.ARR_E_SHAPE, "argument upper: 4 elements", "expected 2")
    fails("b", (2, 3, 2, (3, 4)), C.ARR_E_SHAPE, "argument b: 4 elements", "expected 3")
    fails("batch", ((2, 2), (2, 3), (2, 2), (3, 3)), C.ARR_E_SHAPE, "argument b")
    fails("scalar", (2, 3, (), 3), C.ARR_E_SHAPE, "argument upper: shape ()")
    fails("axis", (2, 3, 2, 3), C.ARR_E_SHAPE, "argument axis", axis=1)
    fails("on_failure", (2, 3, 2, 3), C.ARR_E_ARGUMENT, "on_failure", how=2)
    half = [report.array(np.ones(n, "f2")) for n in (2, 3, 2, 3)]
    told(report, "float16", lambda: solve_tridiagonal(*half), C.ARR_E_DTYPE, "argument lower", "float16")


def long(report):
    """Systems that threads share, and those that are longer than a group in memory."""
    for shape, axis in (((700, 300), -1), ((300, 700), 0), ((2, 300000), -1)):
        for d in ("float32", "float64", "complex128") if report.device == "host" else ("float64",):
            given = vectors(shape, d, 5, axis, False)
            lower, diagonal, upper, b = given
            got = np.moveaxis(solve_tridiagonal(*map(report.array, given), axis).numpy(), axis, -1)
            lower, diagonal, upper, b = (np.moveaxis(x, axis, -1) for x in given)
            left = diagonal * got - b
            left[..., 1:] += lower * got[..., :-1]
            left[..., :-1] += upper * got[..., 1:]
            bounded(report, f"long {shape} {d}", float(np.abs(left).max()), 100 * eps(d) * float(np.abs(got).max()))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((tridiagonal, axes, broadcast, special, nothing, failures, long)):
        part(r)
    r.finish()
