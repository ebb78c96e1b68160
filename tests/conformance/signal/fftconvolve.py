#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Convolution by Fourier transforms against SciPy's, and the direct sum in double."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.signal

import oracle
from fft import numbers, single, wide
from oracle import arrpy

C = arrpy.c
MODES = ["full", "same", "valid"]
BOTH = ["fftconvolve", "oaconvolve"]


def convolved(name, a, v, mode="full", axes=None):
    count = 0 if axes is None else len(axes)
    return arrpy.made(
        f"arr_{name}", a.handle, v.handle, MODES.index(mode), count, None if axes is None else arrpy.int32s(axes), None
    )


def result_dtype(*dtypes):
    complex_ = any(d in oracle.COMPLEX for d in dtypes)
    both_single = all(single(d) for d in dtypes)
    return np.dtype(("c8" if both_single else "c16") if complex_ else ("f4" if both_single else "f8"))


def compare(report, label, got, want, dtype, x, y):
    """Errors are measured by the norms of both operands."""
    got = got.numpy()
    size = np.linalg.norm(wide(x).ravel()) * np.linalg.norm(wide(y).ravel()) + 1e-300
    same = got.shape == want.shape and got.dtype == dtype
    error = float(np.abs(got - want).max(initial=0)) / size / np.finfo(dtype).eps if same else np.inf
    report.check(
        label,
        same and error <= 4 + np.log2(x.size + y.size),
        f"{got.dtype}{got.shape} {error:.1f} eps {got.ravel()[:4]}, expected {dtype}{want.shape} {want.ravel()[:4]}",
    )


def kinds(report):
    pairs = [(d, d) for d in (oracle.ALL if report.device == "host" else ["int8", "float32", "complex128"])]
    pairs += [
        ("float32", "float64"),
        ("complex64", "float32"),
        ("int32", "float32"),
        ("float16", "bfloat16"),
        ("float64", "complex64"),
    ]
    for d, e in pairs:
        for n, m in ((1, 1), (9, 1), (9, 4), (4, 9), (16, 16), (200, 3), (3, 200)):
            x, y = numbers(n, d, 1), numbers(m, e, 2)
            a, v = report.array(x), report.array(y)
            for mode in MODES:
                want = scipy.signal.convolve(wide(x), wide(y), mode, "direct")
                if mode == "same":  # as many as the first operand has
                    want = scipy.signal.fftconvolve(wide(x), wide(y), mode)
                for name in BOTH:
                    compare(
                        report,
                        f"{name} {d} {e} {n} {m} {mode}",
                        convolved(name, a, v, mode),
                        want,
                        result_dtype(d, e),
                        x,
                        y,
                    )


def several(report):
    cases = [
        ((4, 6), (3, 2), None),
        ((4, 6), (5, 9), None),
        ((5, 3), (2, 9), None),
        ((4, 6), (4, 3), (1,)),
        ((4, 6), (1, 3), (1,)),
        ((1, 6), (4, 3), (-1,)),
        ((4, 6), (1, 3), None),
        ((1, 6), (5, 3), None),
        ((3, 40, 5), (2, 4, 5), (1, 0)),
        ((3, 400, 5), (3, 4, 1), (1,)),
        ((2, 3, 300), (2, 3, 11), None),
        ((300, 2, 3), (11, 2, 2), (2, 0)),
        ((2, 2, 2, 30), (1, 2, 2, 3), (3, 1)),
        ((70, 1), (1, 90), None),
        ((64, 64), (9, 9), None),
        ((), (), None),
    ]
    for d in ("float64", "complex64", "float32", "int16"):
        for shape, other, axes in cases if report.device == "host" else cases[::3]:
            x, y = numbers(shape, d, 3), numbers(other, d, 4)
            a, v = report.array(x), report.array(y)
            for mode in MODES:
                try:
                    want = scipy.signal.fftconvolve(wide(x), wide(y), mode, axes)
                except ValueError:
                    for name in BOTH:
                        report.check(
                            f"{name} {d} {shape} {other} {axes} {mode} refused",
                            oracle.raises(C.ARR_E_SHAPE, lambda: convolved(name, a, v, mode, axes)),
                        )
                    continue
                for name in BOTH:
                    compare(
                        report,
                        f"{name} {d} {shape} {other} {axes} {mode}",
                        convolved(name, a, v, mode, axes),
                        np.asarray(want),
                        result_dtype(d, d),
                        x,
                        y,
                    )


def layouts(report):
    x, y = numbers((24, 60), "float64", 5), numbers((8, 9), "complex64", 6)
    a, v = report.array(x), report.array(y)
    for label, view in (("F", lambda a: a.T), ("step", lambda a: a[::2, ::3]), ("reversed", lambda a: a[::-1, ::-1])):
        left, right = view(a), view(v)
        want = scipy.signal.fftconvolve(view(x), wide(view(y)), "same")
        for name in BOTH:
            compare(
                report, f"{name} {label}", convolved(name, left, right, "same"), want, np.dtype("c16"), view(x), view(y)
            )
    report.check("inputs untouched", bool(np.array_equal(a.numpy(), x) and np.array_equal(v.numpy(), y)))
    image = np.ones((1, 50))
    base = report.array(image)
    wide_one = base.broadcast_to((40, 50))
    want = scipy.signal.fftconvolve(np.ones((40, 50)), x)
    compare(
        report,
        "fftconvolve broadcast",
        convolved("fftconvolve", wide_one, a),
        want,
        np.dtype("f8"),
        np.ones((40, 50)),
        x,
    )


def long(report):
    """Blocks of many lengths, to the last element."""
    for n, m in (
        ((5000, 2), (5000, 40), (4999, 500), (100003, 1000), (77, 20011)) if report.device == "host" else ((500, 7),)
    ):
        x, y = numbers(n, "float64", 7), numbers(m, "float64", 8)
        a, v = report.array(x), report.array(y)
        for mode in MODES:
            want = scipy.signal.fftconvolve(x, y, mode)
            for name in BOTH:
                compare(report, f"{name} {n} {m} {mode}", convolved(name, a, v, mode), want, np.dtype("f8"), x, y)
    x, y = np.arange(1, 3001), np.ones(7, "i4")
    a, v = report.array(x), report.array(y)
    for name in BOTH:
        got = convolved(name, a, v, "valid").numpy()
        report.check(
            f"{name} of whole numbers", bool(np.array_equal(np.rint(got), np.convolve(x, y, "valid"))), str(got[:4])
        )


def refused(report):
    x, y = report.array(np.ones((3, 4))), report.array(np.ones((2, 5)))
    line, none = report.array(np.ones(3)), report.array(np.ones((0, 4)))
    for name in BOTH:
        cases = [
            ("dimensions", C.ARR_E_SHAPE, lambda: convolved(name, x, line)),
            ("nothing", C.ARR_E_SHAPE, lambda: convolved(name, x, none)),
            ("nothing first", C.ARR_E_SHAPE, lambda: convolved(name, none, x)),
            ("valid across", C.ARR_E_SHAPE, lambda: convolved(name, x, y, "valid")),
            ("other axes", C.ARR_E_SHAPE, lambda: convolved(name, x, y, "full", (0,))),
            ("axis", C.ARR_E_SHAPE, lambda: convolved(name, x, y, "full", (2,))),
            ("axes twice", C.ARR_E_SHAPE, lambda: convolved(name, x, y, "full", (1, -1))),
            ("mode", C.ARR_E_ARGUMENT, lambda: arrpy.made(f"arr_{name}", x.handle, y.handle, 3, 0, None, None)),
            ("handle", C.ARR_E_HANDLE, lambda: arrpy.made(f"arr_{name}", x.handle, None, 0, 0, None, None)),
        ]
        for label, status, call in cases:
            report.check(f"{name} refused {label}", oracle.raises(status, call))


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((kinds, several, layouts, long, refused)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
