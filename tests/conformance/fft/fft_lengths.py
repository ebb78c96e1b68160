#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fourier transforms of every length to 330 and of chosen longer ones, one line and several, and of planes, against SciPy's in
long double."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.fft

import oracle
from oracle import arrpy

C = arrpy.c
KINDS = ("fft", "ifft", "rfft", "irfft")
# Powers, products of small and of large factors, primes on both sides of what stages take, and lines that threads share.
LONGER = [
    343,
    361,
    509,
    512,
    521,
    625,
    743,
    1001,
    1009,
    1024,
    1155,
    1331,
    1536,
    1748,
    2001,
    2048,
    2187,
    2401,
    2775,
    3003,
    3125,
    4093,
    4096,
    4489,
    5005,
    6000,
    8191,
    8192,
    9152,
    10007,
    12000,
    15625,
    16384,
    17161,
    19683,
    27889,
    30011,
    30030,
    32749,
    32768,
    46875,
    65521,
    65536,
    65537,
    99856,
    131072,
    127 * 1031,
    131 * 997,
    262144,
    263 * 1009,
    3 * 2**17,
    5 * 3**10,
    524309,
]
# As many as fill vectors of every level and some more, in an order of their own.
LINES = 37


def reference(kind, x, n, axis):
    wide = x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble)
    return getattr(scipy.fft, kind)(wide, n, axis)


def near(report, label, got, want, d, n):
    """Per line, the error as a whole in units of the result's; the shape and the dtype."""
    if got.shape != want.shape or got.dtype != d:
        return report.check(label, False, f"{got.dtype}{got.shape}, expected {d}{want.shape}")
    size = np.linalg.norm(np.abs(want).astype("f8"), axis=-1)
    error = np.linalg.norm(np.abs(got - want).astype("f8"), axis=-1) / np.maximum(size, 1e-300) / np.finfo(d).eps
    report.check(label, bool(np.all(error <= 1 + 0.6 * np.log2(n + 1))), f"{np.max(error):.2f} eps")


def operand(kind, real, shape, n, seed):
    r = np.random.default_rng(seed)
    x = r.normal(size=shape).astype(real)
    if kind == "rfft":
        return x
    x = (x + 1j * r.normal(size=shape)).astype("c8" if real == "f4" else "c16")
    if kind == "irfft":  # what is not real where it must be counts for nothing, and is something that would show
        x = np.ascontiguousarray(x[..., : n // 2 + 1])
    return x


def one(report, kind, real, n):
    x = operand(kind, real, (n,), n, n)
    got = transform(report, kind, x, n, -1)
    near(report, f"{kind} {real} of {n}", got, reference(kind, real_ends(kind, x, n), n, -1), got_dtype(kind, real), n)


def several(report, kind, real, n):
    """Lines along the last axis, and along the first, where they lie side by side."""
    x = operand(kind, real, (LINES, n), n, n + 1)
    want = reference(kind, real_ends(kind, x, n), n, -1)
    near(report, f"{kind} {real} of {LINES} x {n}", transform(report, kind, x, n, -1), want, got_dtype(kind, real), n)
    got = transform(report, kind, np.ascontiguousarray(x.T), n, 0)
    near(report, f"{kind} {real} of {n} x {LINES} along 0", np.ascontiguousarray(got.T), want, got_dtype(kind, real), n)


def real_ends(kind, x, n):
    """Without the parts that have no meaning, which SciPy in long double leaves out too, but for the middle of even lines."""
    if kind != "irfft":
        return x
    y = x.copy()
    y[..., 0] = y[..., 0].real
    if n % 2 == 0:
        y[..., n // 2] = y[..., n // 2].real
    return y


def got_dtype(kind, real):
    return np.dtype(real) if kind == "irfft" else np.dtype("c8" if real == "f4" else "c16")


def transform(report, kind, x, n, axis):
    a = report.array(x)
    return arrpy.made(f"arr_{kind}", a.handle, n, axis, C.ARR_FFT_BACKWARD, None).numpy()


def lengths(report):
    for kind in KINDS:
        for real in ("f4", "f8"):
            for n in list(range(1, 331)) + LONGER:
                one(report, kind, real, n)
            for n in list(range(1, 131)) + [143, 176, 210, 257, 300, 343, 400, 509, 625, 1001, 2048, 2187]:
                several(report, kind, real, n)


def axes(report):
    """Roots on the axes of the circle are exact: an impulse behind the first place gives them all."""
    for d in ("c8", "c16"):
        for n in (4, 8, 16, 32, 64, 256, 1024, 4096):
            x = np.zeros(n, d)
            x[1] = 1
            got = transform(report, "fft", x, n, -1)
            report.check(f"axes of {n} {d}", list(got[:: n // 4]) == [1, -1j, -1, 1j], str(got[:: n // 4]))


def planes(report):
    """Two axes of large planes: rows and columns of all kinds of lengths, in both orders of memory, alone and in a stack."""
    for shape in (
        (256, 300),
        (300, 256),
        (1024, 80),
        (80, 1024),
        (97, 1000),
        (520, 131),
        (131, 520),
        (2, 300, 256),
        (2100, 40),
        (67, 1009),
    ):
        for real in ("f4", "f8"):
            x = operand("fft", real, shape, shape[-1], sum(shape))
            for kind in ("fftn", "ifftn"):
                want = getattr(scipy.fft, kind)(x.astype(np.clongdouble), axes=(-2, -1))
                for order in ("rows", "columns"):
                    b = x if order == "rows" else np.swapaxes(np.ascontiguousarray(np.swapaxes(x, -1, -2)), -1, -2)
                    a = report.array(b)
                    got = arrpy.made(
                        f"arr_{kind}", a.handle, 2, None, arrpy.int32s((-2, -1)), C.ARR_FFT_BACKWARD, None
                    ).numpy()
                    near(
                        report,
                        f"{kind} {real} of {shape}, {order}",
                        got.reshape(1, -1),
                        want.reshape(1, -1),
                        x.dtype,
                        x.size,
                    )


if __name__ == "__main__":
    main_report = oracle.Report(__doc__)
    for part in main_report.chosen((lengths, axes, planes)):
        part(main_report)
    main_report.finish()
