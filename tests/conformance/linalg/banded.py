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
from matrices import DTYPES, bounded, eps, random, shape_and_type, told, views, wide
from oracle import arrpy

C = arrpy.c


def solve_tridiagonal(lower, diagonal, upper, b, axis=-1, how=0):
    handles = (x.handle for x in (lower, diagonal, upper, b))
    return arrpy.made("arr_solve_tridiagonal", *handles, axis, how, None)


def solve_banded(ab, b, l, u, how=0):
    return arrpy.made("arr_solve_banded", ab.handle, b.handle, l, u, how, None)


def solveh_banded(ab, b, lower=False, how=0):
    return arrpy.made("arr_solveh_banded", ab.handle, b.handle, lower, how, None)


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


def diagonals_of(a, l, u):
    """SciPy's storage of the diagonals of a stack of matrices. What is not read is nan."""
    n = a.shape[-1]
    ab = np.full((*a.shape[:-2], l + u + 1, n), np.nan, a.dtype)
    for i in range(n):
        for j in range(max(0, i - l), min(n, i + u + 1)):
            ab[..., u + i - j, j] = a[..., i, j]
    return ab


def bands(n, l, u):
    """A mask of the elements of n x n matrices."""
    i, j = np.indices((n, n))
    return (i - j <= l) & (j - i <= u)


def solution(report, label, got, a, b, d, kind="general"):
    """Compares with SciPy's solution, and the residual with b."""
    n = a.shape[-1]
    shape_and_type(report, label, got, np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:], d)
    left = np.linalg.norm(wide(a) @ wide(got) - b, axis=(-2, -1))
    size = np.linalg.norm(a, axis=(-2, -1)) * np.linalg.norm(got, axis=(-2, -1))
    bounded(report, f"{label} residual", float(np.max(left / size, initial=0)), 10 * n * eps(d))
    whole_a, whole_b = np.broadcast_to(a, (*got.shape[:-2], n, n)), np.broadcast_to(b, got.shape)
    for i in np.ndindex(got.shape[:-2]):
        m = wide(whole_a[i])
        want = scipy.linalg.solve(m, whole_b[i], assume_a=kind)
        far = np.linalg.norm(got[i] - want) / np.linalg.norm(want)
        bounded(report, f"{label} SciPy {i}", float(far), 10 * n * eps(d) * np.linalg.cond(m))


def banded(report):
    sizes = (1, 2, 3, 10, 40) if report.device == "host" else (1, 3, 10)
    for d, n, (l, u) in itertools.product(DTYPES, sizes, ((0, 0), (1, 1), (2, 1), (0, 2), (3, 0), (2, 5))):
        for batch, of_b in (((), (n, 2)), ((3,), (3, n, 1)), ((2, 1), (4, n, 3)), ((), (3, n, 2))):
            a = random((*batch, n, n), d, n + l) * bands(n, l, u) + (2 * np.eye(n)).astype(d)
            b = random(of_b, d, u)
            ab = diagonals_of(a, l, u)
            for order, x in views(report, ab) if batch == (3,) else (("C", report.array(ab)),):
                label = f"banded {d} {n} {l} {u} {batch} {of_b} {order}"
                solution(report, label, solve_banded(x, report.array(b), l, u).numpy(), a, b, d)
        one = scipy.linalg.solve_banded((l, u), np.nan_to_num(diagonals_of(wide(a), l, u)), wide(b[0]))
        got = solve_banded(report.array(diagonals_of(a, l, u)), report.array(b[0]), l, u).numpy()
        far = float(np.linalg.norm(got - one) / np.linalg.norm(one))
        bounded(report, f"solve_banded {d} {n} {l} {u}", far, 10 * n * eps(d) * np.linalg.cond(wide(a)))
        vector = solve_banded(report.array(diagonals_of(a, l, u)), report.array(b[0, :, 0].copy()), l, u).numpy()
        report.check(f"vector {d} {n} {l} {u}", np.allclose(vector, got[:, 0], rtol=1e3 * eps(d), atol=1e3 * eps(d)))


def definite(report):
    sizes = (1, 2, 3, 10, 40) if report.device == "host" else (1, 3, 10)
    for d, n, k in itertools.product(DTYPES, sizes, (0, 1, 3)):
        for batch, of_b in (((), (n, 2)), ((3,), (3, n, 1)), ((2, 1), (4, n, 3))):
            half = np.tril(random((*batch, n, n), d, n + k)) * bands(n, k, 0) / 4
            a = half + np.conj(np.swapaxes(half, -1, -2)) + (3 * np.eye(n)).astype(d)
            b = random(of_b, d, k)
            for lower in (False, True):
                ab = diagonals_of(a, k, k)[..., k:, :] if lower else diagonals_of(a, k, k)[..., : k + 1, :]
                for order, x in views(report, ab):
                    label = f"definite {d} {n} {k} {batch} {lower} {order}"
                    solution(
                        report, label, solveh_banded(x, report.array(b), lower).numpy(), a, b, d, "positive definite"
                    )


def banded_failures(report):
    a = np.array([np.eye(4), np.diag([1.0, 2, 0, 1]), np.eye(4)])
    ab, b = report.array(diagonals_of(a, 1, 1)), report.array(np.ones((3, 4, 2)))
    told(report, "banded", lambda: solve_banded(ab, b, 1, 1), C.ARR_E_LINALG, "argument ab", "(1,)", "pivot 2 is 0")
    got = solve_banded(ab, b, 1, 1, C.ARR_LINALG_NAN).numpy()
    report.check("banded nan", np.isnan(got[1]).all() and np.array_equal(got[[0, 2]], np.ones((2, 4, 2))))
    upper = report.array(diagonals_of(a, 1, 1)[:, :2])
    words = ("argument ab", "(1,)", "leading minor of order 3")
    told(report, "definite", lambda: solveh_banded(upper, b), C.ARR_E_LINALG, *words)
    got = solveh_banded(upper, b, False, C.ARR_LINALG_NAN).numpy()
    report.check("definite nan", np.isnan(got[1]).all() and np.array_equal(got[[0, 2]], np.ones((2, 4, 2))))
    none = report.array(np.ones((3, 4, 0)))
    told(report, "banded of no columns", lambda: solve_banded(ab, none, 1, 1), C.ARR_E_LINALG, "(1,)")
    told(report, "definite of no columns", lambda: solveh_banded(upper, none), C.ARR_E_LINALG, "(1,)")
    report.check("no columns", solve_banded(ab, none, 1, 1, C.ARR_LINALG_NAN).shape == (3, 4, 0))
    for shape, of_b in (((3, 0), (0, 2)), ((0, 3, 2), (0, 2, 1)), ((3, 0), (0,))):
        got = solve_banded(report.array(np.ones(shape)), report.array(np.ones(of_b)), 1, 1)
        report.check(f"nothing banded {shape}", got.shape == of_b)
        got = solveh_banded(report.array(np.ones(shape)), report.array(np.ones(of_b)))
        report.check(f"nothing definite {shape}", got.shape == of_b)
    whole = np.array([[0, 1, 2], [4, 5, 6], [1, 1, 0]])
    got = solve_banded(report.array(whole), report.array(np.ones(3, "i4")), 1, 1).numpy()
    report.check("banded integers", np.allclose(got, scipy.linalg.solve_banded((1, 1), whole, np.ones(3))))
    square, flat = report.array(np.ones((3, 4))), report.array(np.ones(4))
    half = report.array(np.ones((3, 4), "f2"))
    for label, call, status, words in (
        ("l", lambda: solve_banded(square, flat, -1, 3), C.ARR_E_ARGUMENT, ("argument l: -1",)),
        ("u", lambda: solve_banded(square, flat, 3, -1), C.ARR_E_ARGUMENT, ("argument u: -1",)),
        ("rows", lambda: solve_banded(square, flat, 1, 2), C.ARR_E_SHAPE, ("argument ab", "l = 1 and u = 2")),
        ("large", lambda: solve_banded(square, flat, 2**63 - 1, 1), C.ARR_E_SHAPE, ("argument u",)),
        ("vector", lambda: solve_banded(flat, flat, 0, 0), C.ARR_E_SHAPE, ("argument ab",)),
        ("no rows", lambda: solveh_banded(report.array(np.ones((0, 4))), flat), C.ARR_E_SHAPE, ("argument ab",)),
        ("b", lambda: solve_banded(square, report.array(np.ones(3)), 1, 1), C.ARR_E_SHAPE, ("argument b", "4 rows")),
        ("type", lambda: solve_banded(half, flat, 1, 1), C.ARR_E_DTYPE, ("argument ab", "float16")),
        ("how", lambda: solveh_banded(square, flat, False, 2), C.ARR_E_ARGUMENT, ("on_failure",)),
    ):
        told(report, f"banded {label}", call, status, *words)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen(
        (tridiagonal, axes, broadcast, special, nothing, failures, long, banded, definite, banded_failures)
    ):
        part(r)
    r.finish()
