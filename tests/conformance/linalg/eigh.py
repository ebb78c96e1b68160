#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Eigenvalues and vectors of Hermitian matrices whose steps threads share, against their defining equation in units of n * eps:
random ones, and spectra and shapes that divide and conquer finds hard."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from matrices import (
    DTYPES,
    adjoint,
    bounded,
    eigh,
    eigvalsh,
    eps,
    failure,
    hermitian,
    norm,
    orthonormal,
    random,
    views,
    wide,
)
from oracle import arrpy

C = arrpy.c


def solved(x, lower=1):
    return [y.numpy() for y in eigh(x, lower)]


def check_large(report, label, a, pairs):
    """Orthonormal vectors that solve the equation leave the values no choice."""
    w, v = pairs
    largest = max(float(np.abs(a).max()), float(np.finfo(a.dtype).tiny))
    orthonormal(report, label, v, a.dtype)
    bounded(
        report,
        label,
        norm(wide(a / largest) @ wide(v) - wide(v) * (w / largest)),
        10 * len(a) * eps(a.dtype) * norm(a / largest),
    )
    report.check(label + " ascending", bool(np.all(np.diff(w) >= 0)))


def scales(report):
    """Sizes whose steps threads share; other numbers in the triangle that is not read; scales whose squares leave the range."""
    sizes = (47, 48, 65, 129, 200) if report.device == "host" else (129,)
    for d in DTYPES:
        small = float(np.finfo(d).tiny) ** 0.6
        for n, scale in [(n, 1) for n in sizes] + [(130, small), (130, 1 / small), (130, 0)]:
            a = (hermitian((n, n), d, n) * scale).astype(d)
            for lower in (0, 1):
                half = (np.tril(a) if lower else np.triu(a)) + (np.triu if lower else np.tril)(
                    np.full((n, n), 3, d), 1 if lower else -1
                )
                for order, x in views(report, half) if n == 129 else [("C", report.array(half))]:
                    check_large(report, f"eigh large {d} {n} {scale:.1g} {lower} {order}", a, solved(x, lower))
    x = report.array(hermitian((129, 129), "complex128", 129))
    first = eigh(x)[1].numpy()
    report.check(
        "eigh large again and again",
        all(np.array_equal(eigh(x)[1].numpy(), first) for _ in range(100 if report.device == "host" else 2)),
    )
    a = hermitian((1300, 1300), "float32", 1)
    check_large(report, "eigh of 1300", a, solved(report.array(a)))
    a[5, 3] = np.nan
    report.check("eigh large nan", failure(lambda: eigh(report.array(a)))[0] == C.ARR_E_LINALG)


def other_triangle(report):
    """Nothing in the triangle that is not read counts: not nan, not inf."""
    for d in DTYPES:
        for shape in ((2, 2), (5, 5), (60, 60), (4, 3, 3)):
            a = hermitian(shape, d, shape[-1])
            for lower in (0, 1):
                whole = [y.numpy() for y in eigh(report.array(a), lower)] + [eigvalsh(report.array(a), lower).numpy()]
                for bad in (np.nan, np.inf, np.finfo(d).max):
                    half = (np.tril if lower else np.triu)(a)
                    half[..., ~((np.tril if lower else np.triu)(np.ones(shape[-2:], bool)))] = bad
                    for order, x in views(report, half):
                        label = f"eigh of one triangle {d} {shape} {lower} {bad} {order}"
                        w, v = solved(x, lower)
                        scale = 100 * eps(d) * max(1, float(np.abs(whole[0]).max()))
                        report.check(label, bool(np.allclose(w, whole[0], rtol=0, atol=scale) and np.isfinite(v).all()))
                        report.check(
                            label + " values",
                            bool(np.allclose(eigvalsh(x, lower).numpy(), whole[2], rtol=0, atol=scale)),
                        )
                a_bad = a.copy()
                a_bad[..., 1, 1] = np.nan
                report.check(
                    f"eigh of nan in the triangle {d} {shape} {lower}",
                    failure(lambda: eigh(report.array(a_bad), lower))[0] == C.ARR_E_LINALG,
                )


def stacks(report):
    """Threads take some of many matrices each; the results are those of each alone."""
    for d in DTYPES:
        for n, count in ((2, 300), (20, 100), (70, 9)) if report.device == "host" else ((20, 9),):
            a = hermitian((count, n, n), d, n)
            w, v = solved(report.array(a))
            for i in range(count):
                check_large(report, f"stack {d} {n} {i}", a[i], (w[i], v[i]))
                if report.device == "host" and i % 10 == 0:
                    alone = eigh(report.array(a[i]))
                    report.check(
                        f"alone {d} {n} {i}",
                        np.array_equal(alone[0].numpy(), w[i]) and np.array_equal(alone[1].numpy(), v[i]),
                    )


def spectra(n):
    """Names and eigenvalues: what is equal or nearly so is deflated, all of it or nothing."""
    r = np.random.default_rng(n)
    yield "random", r.standard_normal(n)
    yield "one value", np.full(n, 3.0)
    yield "two values", np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    yield "one apart", np.append(np.ones(n - 1), 5)
    yield "rank 3", np.append(np.zeros(n - 3), [1, 2, 3])
    yield "clusters", np.repeat([1.0, 1 + 1e-9, 2, 2 + 1e-13], n // 4 + 1)[:n]
    yield "geometric", 10.0 ** np.linspace(0, -12, n)
    yield "near one", 1 + 1e-15 * np.arange(n)
    yield "alternating", (-1.0) ** np.arange(n) * np.arange(1, n + 1)


def tridiagonals(n):
    """Names and the two diagonals."""
    middle = np.abs(np.arange(n) - n // 2).astype("f8")
    yield "second differences", np.full(n, 2.0), np.full(n - 1, -1.0)
    yield "Wilkinson", middle, np.ones(n - 1)
    yield (
        "Wilkinson glued",
        np.tile(middle[n // 2 - 10 : n // 2 + 11], n // 21 + 1)[:n],
        np.where(np.arange(1, n) % 21 == 0, 1e-8, 1.0),
    )
    yield "Clement", np.zeros(n), np.sqrt(np.arange(1, n) * np.arange(n - 1, 0, -1.0))
    yield "two blocks", np.arange(n, dtype="f8"), np.where(np.arange(1, n) == n // 3, 0.0, 1.0)
    yield "diagonal", np.arange(n, 0, -1.0), np.zeros(n - 1)
    yield "graded", 10.0 ** np.linspace(8, -8, n), 10.0 ** np.linspace(7, -8, n - 1)
    yield "constant and a row", np.ones(n), np.append(np.ones(1), np.zeros(n - 2))


def hard(report):
    for d in DTYPES:
        for n in (48, 129, 192, 333) if report.device == "host" else (70,):
            q = np.linalg.qr(random((n, n), "complex128" if d.startswith("c") else "float64", n))[0]
            for name, values in spectra(n):
                a = (q * values) @ adjoint(q)
                a = ((a + adjoint(a)) / 2).astype(d)
                check_large(report, f"{name} {d} {n}", a, solved(report.array(a)))
            for name, diagonal, beside in tridiagonals(n):
                a = np.diag(diagonal).astype(d)
                a[np.arange(1, n), np.arange(n - 1)] = beside * (1j if d.startswith("c") else -1)
                check_large(report, f"{name} {d} {n}", a + adjoint(np.tril(a, -1)), solved(report.array(a)))


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    for part in report.chosen((scales, other_triangle, stacks, hard)):
        part(report)
    report.finish()
