#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Vectors of multivariate distributions, new and into arrays."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.stats as st

import oracle
from draws import C, Generator, equal, given
from oracle import arrpy


def count(report):
    return 4000 if report.device == "host" else 800


def maker(report, seed):
    """made(name, arguments..., shape=): vectors of a generator, as NumPy's."""
    g = Generator(seed)

    def made(name, *arguments, shape=None):
        ndim = -1 if shape is None else len(shape)
        given_ones = [report.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
        handles = [a.handle if isinstance(a, arrpy.Array) else a for a in given_ones]
        return arrpy.made(f"arr_random_{name}", g.handle, *handles, ndim, arrpy.int64s(shape or ()), None).numpy()

    return made


def counts_and_shares(report):
    """multinomial, dirichlet, multivariate_hypergeometric."""
    n, made = count(report), maker(report, 60)
    p = np.array([0.2, 0.05, 0.0, 0.5, 0.25])
    x = made("multinomial", given(30), p, shape=(n,))
    report.check(
        "multinomial sums",
        x.shape == (n, 5) and x.dtype == np.int64 and bool(np.all(x.sum(1) == 30)) and not x[:, 2].any(),
    )
    report.check(
        "its means", bool(np.all(np.abs(x.mean(0) - 30 * p) <= 4.5 * np.sqrt(30 * p * (1 - p) / n))), f"{x.mean(0)}"
    )
    r, want = np.cov(x.T), 30 * (np.diag(p) - np.outer(p, p))
    report.check("its covariances", bool(np.all(np.abs(r - want) < 30 * 6 / np.sqrt(n))), f"{r}")
    many = np.array([10, 1000])
    draws = report.array(many)
    x = made("multinomial", given(draws), p, shape=(n, 2))
    report.check("multinomial of an array", bool(np.all(x.sum(2) == many)))
    alpha = np.array([0.5, 2.0, 7.0])
    x = made("dirichlet", alpha, shape=(n,))
    report.check("dirichlet sums", x.shape == (n, 3) and bool(np.all(np.abs(x.sum(1) - 1) < 1e-14)) and x.min() >= 0)
    for k in range(3):
        report.check(f"dirichlet part {k}", st.kstest(x[:, k], st.beta(alpha[k], 9.5 - alpha[k]).cdf).pvalue > 1e-4)
    small = made("dirichlet", np.full(4, 0.001), shape=(n,))
    report.check("dirichlet of small ones", not np.isnan(small).any() and abs(small.mean(0)[0] - 0.25) < 0.04)
    report.check("dirichlet of a negative one", bool(np.isnan(made("dirichlet", np.array([1.0, -1.0]))).all()))
    colors = np.array([5, 0, 20, 8])
    x = made("multivariate_hypergeometric", colors, given(11), shape=(n,))
    report.check("colours", bool(np.all(x.sum(1) == 11) and np.all(x <= colors) and x.min() >= 0))
    report.check("their means", bool(np.all(np.abs(x.mean(0) - 11 * colors / 33) < 5 * np.sqrt(3 / n))), f"{x.mean(0)}")
    report.check("more than there are", bool((made("multivariate_hypergeometric", colors, given(34)) == -1).all()))
    report.check(
        "probabilities beyond 1",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: made("multinomial", given(3), np.array([0.7, 0.7, 0.1]))),
    )
    report.check(
        "a probability below 0",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: made("multinomial", given(3), np.array([1.1, -0.1]))),
    )
    report.check(
        "draws below 0", oracle.raises(C.ARR_E_ARGUMENT, lambda: made("multinomial", given(-3), np.array([1.0])))
    )


def normals(report):
    n, made = count(report), maker(report, 61)
    mean, root = np.array([1.0, -2.0, 0.5]), np.array([[2.0, 0, 0], [0.5, 1, 0], [-1, 0.3, 0.2]])
    cov = root @ root.T
    for method in (C.ARR_NORMAL_CHOLESKY, C.ARR_NORMAL_EIGH, C.ARR_NORMAL_SVD):
        x = made("multivariate_normal", mean, cov, method, shape=(n,))
        z = np.linalg.solve(root, (x - mean).T)
        report.check(
            f"multivariate normal {method}",
            x.shape == (n, 3) and st.kstest(z.ravel(), st.norm.cdf).pvalue > 1e-4,
            f"{x.mean(0)}",
        )
        report.check(
            f"its covariances {method}", bool(np.all(np.abs(np.cov(z) - np.eye(3)) < 6 / np.sqrt(n))), f"{np.cov(z)}"
        )
        equal(report, f"one vector {method}", made("multivariate_normal", mean, cov, method).shape, (3,))
    for method in (C.ARR_NORMAL_EIGH, C.ARR_NORMAL_SVD):
        flat = made("multivariate_normal", np.zeros(2), np.ones((2, 2)), method, shape=(50,))
        report.check(
            f"a covariance of rank 1 {method}",
            bool(np.all(np.abs(flat[:, 0] - flat[:, 1]) < 1e-7)) and flat.std() > 0.5,
        )


def normals_refused(report):
    made = maker(report, 62)
    report.check(
        "no positive definite matrix",
        oracle.raises(C.ARR_E_LINALG, lambda: made("multivariate_normal", np.zeros(2), -np.eye(2), 0)),
    )
    for bad in (-np.eye(2), np.diag([1.0, -1.0]), np.array([[0.0, 1], [1, 0]])):
        for method in (C.ARR_NORMAL_EIGH, C.ARR_NORMAL_SVD):
            report.check(
                f"a negative eigenvalue {method}",
                oracle.raises(C.ARR_E_LINALG, lambda: made("multivariate_normal", np.zeros(2), bad, method)),
            )
    report.check(
        "no symmetric matrix",
        oracle.raises(
            C.ARR_E_LINALG,
            lambda: made("multivariate_normal", np.zeros(2), np.array([[1.0, 0.5], [0, 1]]), C.ARR_NORMAL_SVD),
        ),
    )
    report.check(
        "no such method",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: made("multivariate_normal", np.zeros(2), np.eye(2), 3)),
    )
    report.check(
        "a covariance of another size",
        oracle.raises(C.ARR_E_SHAPE, lambda: made("multivariate_normal", np.zeros(2), np.eye(3), 0)),
    )


P, ALPHA, COLORS = (
    np.array([0.2, 0.05, 0.0, 0.5, 0.25]),
    np.array([0.5, 2.0, 7.0, 1.0, 1.0]),
    np.array([5, 0, 20, 8, 3]),
)
ROOT = np.tril(np.arange(1.0, 26).reshape(5, 5) / 10) + np.eye(5)
# Name, the array that is drawn from, the arguments behind the generator, dtypes that the results may have.
COUNTS, WHOLE = ["int64", "int32", "uint16", "float32", "float64"], ["int64", "int16", "float32"]
INTO = [
    ("multinomial", lambda a: (given(30), a), P, COUNTS),
    ("dirichlet", lambda a: (a,), ALPHA, ["float64", "float32"]),
    ("multivariate_normal", lambda a: (a, ROOT @ ROOT.T, C.ARR_NORMAL_CHOLESKY), ALPHA, ["float64", "float32"]),
    ("multivariate_normal", lambda a: (a, ROOT @ ROOT.T, C.ARR_NORMAL_SVD), ALPHA, ["float64"]),
    ("multivariate_hypergeometric", lambda a: (a, given(11)), COLORS, WHOLE),
]


def into(report):
    """The same numbers into arrays of other dtypes and layouts, and over what they are drawn from."""

    def handles(arguments):
        kept = [report.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
        return kept, [a.handle if isinstance(a, arrpy.Array) else a for a in kept]

    for name, arguments, vector, dtypes in INTO:
        kept, passed = handles(arguments(vector))
        g = Generator(70)
        flat = arrpy.made(f"arr_random_{name}", g.handle, *passed, 2, arrpy.int64s((4, 6)), None).numpy()
        for dtype in dtypes:
            for label, shape, view in (
                ("C", (4, 6, 5), lambda a: a),
                ("F", (5, 6, 4), lambda a: a.transpose()),
                ("step", (4, 6, 10), lambda a: a[:, ::-1, ::2]),
            ):
                base, want, g = report.array(np.full(shape, 77, dtype)), np.full(shape, 77, dtype), Generator(70)
                dst = view(base)
                arrpy.call(f"arr_random_{name}_into", dst.handle, g.handle, *passed, None)
                view(want)[...] = flat.astype(dtype)
                equal(report, f"{name} into {dtype} {label}", base, want)
        over, g = report.array(vector), Generator(71)
        one = arrpy.made(f"arr_random_{name}", g.handle, *passed, 0, None, None).numpy()
        kept, passed = handles(arguments(over))
        g = Generator(71)
        arrpy.call(f"arr_random_{name}_into", over.handle, g.handle, *passed, None)
        equal(report, f"{name} over its own vector", over, one.astype(vector.dtype))
        for label, dst, status in (
            ("a shape", np.zeros((3, 4), dtypes[0]), C.ARR_E_SHAPE),
            ("no dimension", np.zeros((), dtypes[0]), C.ARR_E_SHAPE),
            ("complex", np.zeros((3, 5), "c16"), C.ARR_E_DTYPE),
            ("bool", np.zeros((3, 5), "?"), C.ARR_E_DTYPE),
        ):
            a = report.array(dst)
            report.check(
                f"{name} into {label}",
                oracle.raises(status, lambda: arrpy.call(f"arr_random_{name}_into", a.handle, None, *passed, None)),
            )
        frozen = report.array(np.zeros(5, dtypes[0])).broadcast_to((3, 5))
        report.check(
            f"{name} read-only",
            oracle.raises(
                C.ARR_E_READONLY, lambda: arrpy.call(f"arr_random_{name}_into", frozen.handle, None, *passed, None)
            ),
        )
    for name, refused in (("dirichlet", "i8"), ("multivariate_normal", "i8"), ("multivariate_hypergeometric", "u8")):
        arguments, vector = next((f, v) for n, f, v, _ in INTO if n == name)
        kept, passed = handles(arguments(vector))
        a = report.array(np.zeros(5, refused))
        report.check(
            f"{name} into {refused}",
            oracle.raises(C.ARR_E_DTYPE, lambda: arrpy.call(f"arr_random_{name}_into", a.handle, None, *passed, None)),
        )


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((counts_and_shares, normals, normals_refused, into)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
