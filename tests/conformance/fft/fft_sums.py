#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fourier transforms, complex, of reals and to reals, against the sums themselves in long double: every length to 64 and
the primes to 1021."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
FLOATS = {"complex64": "float32", "complex128": "float64"}


def transform(report, name, x, n=-1):
    a = report.array(x)
    return arrpy.made(f"arr_{name}", a.handle, n, -1, C.ARR_FFT_BACKWARD, None).numpy()


def primes(limit):
    return [n for n in range(2, limit + 1) if all(n % p for p in range(2, int(n**0.5) + 1))]


def roots(n):
    """The matrix of exp(-2 pi i j k / n)."""
    angle = np.arange(n, dtype=np.longdouble) * (2 * np.arccos(np.longdouble(-1)) / n)
    k = np.arange(n, dtype=np.int64)
    return (np.cos(angle) - 1j * np.sin(angle))[np.outer(k, k) % n]


def near(report, label, got, want, d, n):
    """The error as a whole in units of the result's; the shape and the dtype."""
    if got.shape != want.shape or got.dtype != d:
        return report.check(label, False, f"{got.dtype}{got.shape}, expected {d}{want.shape}")
    size = max(float(np.linalg.norm(np.abs(want).astype("f8"))), 1e-300)
    error = float(np.linalg.norm(np.abs(got - want).astype("f8"))) / size / np.finfo(d).eps
    report.check(label, error <= 1 + 0.6 * np.log2(n + 1), f"{error:.2f} eps")


def sums(report):
    for n in report.turn(list(range(1, 65)) + [p for p in primes(1021) if p > 64]):
        matrix, half, r = roots(n), n // 2 + 1, np.random.default_rng(n)
        for d, real in FLOATS.items():
            x = (r.normal(size=n) * 4 + 1j * r.normal(size=n)).astype(d)
            exact = x.astype(np.clongdouble)
            near(report, f"fft {d} of {n}", transform(report, "fft", x), matrix @ exact, d, n)
            near(report, f"ifft {d} of {n}", transform(report, "ifft", x), np.conj(matrix) @ exact / n, d, n)
            plain = np.ascontiguousarray(x.real)
            near(
                report,
                f"rfft {real} of {n}",
                transform(report, "rfft", plain),
                matrix[:half] @ plain.astype(np.longdouble),
                d,
                n,
            )
            # All frequencies of the first half: what is not real where it must be counts for nothing.
            whole = np.zeros(n, np.clongdouble)
            whole[:half] = exact[:half]
            whole[0] = whole[0].real
            if n % 2 == 0:
                whole[n // 2] = whole[n // 2].real
            whole[half:] = np.conj(whole[1 : n - half + 1][::-1])
            near(
                report,
                f"irfft {d} of {n}",
                transform(report, "irfft", x[:half], n),
                (np.conj(matrix) @ whole).real / n,
                real,
                n,
            )


def main():
    report = oracle.Report(__doc__)
    sums(report)
    report.finish()


if __name__ == "__main__":
    main()
