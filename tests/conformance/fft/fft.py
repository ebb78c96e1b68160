#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fourier transforms against NumPy 2 and SciPy; fft_sums.py has them against sums in long double."""

import ctypes
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.fft

import oracle
from oracle import arrpy

C = arrpy.c
NORMS = ["backward", "ortho", "forward"]
ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL = [name + "n" for name in ONE]
TO_REAL = ("irfft", "hfft")  # the extents are the results'
FROM_REAL = ("rfft", "ihfft")
LAYOUTS = {
    "C": lambda a: a,
    "F": lambda a: a.T,
    "step": lambda a: a[::2, 1::3],
    "reversed": lambda a: a[::-1, ::-1],
    "far": lambda a: a[:, ::8],
    "odd": lambda a: a[1:, 1:],
}


def along_one(name, a, n=None, axis=-1, norm="backward"):
    return arrpy.made(f"arr_{name}", a.handle, -1 if n is None else n, axis, NORMS.index(norm), None)


def along_several(name, a, s=None, axes=None, norm="backward"):
    count = len(axes) if axes is not None else len(s) if s is not None else 0
    return arrpy.made(
        f"arr_{name}",
        a.handle,
        count,
        None if s is None else arrpy.int64s(s),
        None if axes is None else arrpy.int32s(axes),
        NORMS.index(norm),
        None,
    )


def numbers(shape, d, seed=1):
    r = np.random.default_rng(seed)
    x = r.normal(size=shape) * 4
    if d in oracle.COMPLEX:
        x = x + 1j * r.normal(size=shape)
    return (x > 0) if d == "bool" else np.abs(x).astype(d) if d.startswith("u") else x.astype(oracle.dtype(d))


def single(d):
    return d in ("float16", "bfloat16", "float32", "complex64")


def expected_dtype(name, d, naxes=1):
    to_real = name.rstrip("n") in TO_REAL or name in TO_REAL
    if to_real and naxes == 1 and d in ("float16", "bfloat16"):
        return oracle.dtype(d)
    return np.dtype(("f4" if single(d) else "f8") if to_real else ("c8" if single(d) else "c16"))


def wide(x):
    """The numbers as NumPy transforms them with twice the digits or so."""
    return x.astype("c16" if x.dtype.kind == "c" else "f8")


def good(got, want, dtype, size):
    """Same shape, the dtype; every error within some units of the root of the sum of squares (size)."""
    if got.shape != want.shape or got.dtype != dtype:
        return False
    steps = 4 * (2 + np.log2(max(want.size, 2)))
    eps = 2.0**-7 if dtype == oracle.bfloat16 else np.finfo(dtype).eps
    return bool(np.all(np.abs(wide(got) - want) <= steps * eps * size))


def compare(report, label, got, want, dtype, size):
    got = got.numpy()
    report.check(
        label,
        good(got, want, dtype, size),
        f"{got.dtype}{got.shape} {got.ravel()[:4]}, expected {dtype}{want.shape} {want.ravel()[:4]}",
    )


def bound(x, want):
    """The size that errors are relative to: of transforms that scale nothing the norm of the input, which is the result's
    over the root of its size, so the greater of both covers all scales."""
    return max(np.linalg.norm(wide(want).ravel()) / np.sqrt(max(want.size, 1)), np.finfo("f4").tiny) * 2


def dtypes(report):
    return (
        [d for d in oracle.ALL]
        if report.device == "host"
        else ["float32", "complex64", "float64", "complex128", "int32"]
    )


def usable(name, d):
    return name not in FROM_REAL or d not in oracle.COMPLEX


def kinds(report):
    for d in dtypes(report):
        x = numbers((6, 10), d)
        for name in ONE:
            if not usable(name, d):
                continue
            f = getattr(np.fft, name)
            for n in (None, 1, 2, 3, 7, 10, 16):
                for axis in (0, -1):
                    for norm in NORMS:
                        want = f(wide(x), n, axis, norm)
                        compare(
                            report,
                            f"{name} {d} n {n} axis {axis} {norm}",
                            along_one(name, report.array(x), n, axis, norm),
                            want,
                            expected_dtype(name, d),
                            bound(x, want),
                        )


def layouts(report):
    for d in ("complex64", "float64", "float32", "complex128"):
        x = numbers((24, 33), d, 3)
        for label, view in LAYOUTS.items():
            for name in ONE:
                if not usable(name, d):
                    continue
                for axis in (0, 1):
                    want = getattr(np.fft, name)(wide(view(x)), None, axis)
                    compare(
                        report,
                        f"{name} {d} {label} axis {axis}",
                        along_one(name, view(report.array(x)), None, axis),
                        want,
                        expected_dtype(name, d),
                        bound(x, want),
                    )
        still = report.array(x)
        for name in ONE:
            if usable(name, d):
                along_one(name, still)
        report.check(f"input untouched {d}", bool(np.array_equal(still.numpy(), x)))
        x = numbers((1, 9), d, 4)
        got = along_one("fft", report.array(x).broadcast_to((5, 9)))
        want = np.fft.fft(np.broadcast_to(wide(x), (5, 9)))
        compare(report, f"fft {d} broadcast", got, want, expected_dtype("fft", d), bound(x, want))
        for n in (4, 8, 64):  # short lines that several of one plan go through, from the last to the first
            x = numbers((64, n), d, n)
            for name in ONE:
                if usable(name, d):
                    want = getattr(np.fft, name)(wide(x[::-1]))
                    compare(
                        report,
                        f"{name} {d} rows of {n} backwards",
                        along_one(name, report.array(x)[::-1]),
                        want,
                        expected_dtype(name, d),
                        bound(x, want),
                    )


def several(report):
    cases = [
        ((4, 6), None, None),
        ((4, 6), None, (0,)),
        ((4, 6), None, (1, 0)),
        ((3, 4, 5), None, None),
        ((3, 4, 5), None, (0, 2)),
        ((3, 4, 5), (5, 2), None),
        ((3, 4, 5), (2, 9, 4), (2, 0, 1)),
        ((2, 3, 2, 5), None, None),
        ((2, 3, 2, 5), None, (3, 1)),
        ((2, 3, 2, 3, 4), None, (0, 1, 2, 4)),
        ((1, 1), None, None),
        ((7,), None, None),
        ((7,), (12,), (0,)),
        ((32, 33, 2), None, (0, 1)),
    ]
    for d in ("complex64", "float32", "float64"):
        for shape, s, axes in cases:
            x = numbers(shape, d, 5)
            for name in SEVERAL:
                short = name[:-1]
                if not usable(short, d) or (short in TO_REAL and shape[(axes or (-1,))[-1]] == 1 and s is None):
                    continue
                for order, view in (
                    ("C", lambda a: a),
                    ("F", lambda a: a.T if len(shape) < 3 else a.transpose(*range(len(shape))[::-1])),
                ):
                    if order == "F" and short in TO_REAL and view(x).shape[(axes or (-1,))[-1]] == 1:
                        continue
                    for norm in NORMS if order == "C" else NORMS[:1]:
                        peer = scipy.fft if short.startswith(("h", "ih")) else np.fft
                        real = {
                            "s": s,
                            "axes": axes if axes is not None or s is None else tuple(range(len(shape)))[-len(s) :],
                        }
                        want = getattr(peer, name)(wide(view(x)), norm=norm, **real)
                        compare(
                            report,
                            f"{name} {d} {shape} s {s} axes {axes} {order} {norm}",
                            along_several(name, view(report.array(x)), s, axes, norm),
                            want,
                            expected_dtype(short, d),
                            bound(x, want),
                        )


def halves(report):
    """NumPy's types of results for 16-bit floats: along one axis those of the input, along several float32, which holds
    sums beyond float16."""
    for d in ("float16", "bfloat16"):
        x = np.full((4, 3), 2e4).astype(oracle.dtype(d))
        for name in SEVERAL:
            for axes in (None, (0, 1), (1,), (-2,)):
                naxes = 2 if axes is None else len(axes)
                dtype = expected_dtype(name[:-1], d, naxes)
                if hasattr(np.fft, name) and d == "float16":
                    own = getattr(np.fft, name)(x, axes=axes).dtype
                    report.check(f"{name} of {d} {axes} NumPy's type", own == dtype, f"{own}, expected {dtype}")
                peer = np.fft if hasattr(np.fft, name) else scipy.fft
                norm = "ortho" if naxes == 1 else "forward" if name.startswith("i") else "backward"  # sums of all
                want = getattr(peer, name)(wide(x), axes=axes, norm=norm)
                got = along_several(name, report.array(x), None, axes, norm)
                compare(report, f"{name} of {d} {axes}", got, want, dtype, bound(x, want))


def long_lines(report):
    """Lengths that are split over threads, with steps and in both directions; and many short ones."""
    sizes = (
        [1 << 14, 1 << 17, 3 * 5 * 7 * 1024, 1009 * 37, 64 * 11 * 13, 67 * 71, 11 * 11 * 101]
        if report.device == "host"
        else [1 << 14]
    )
    for n in sizes:
        for d in ("complex64", "float32", "complex128", "float64"):
            x = numbers((2 * n,), d, 6)
            for name in ONE:
                if not usable(name, d):
                    continue
                for label, view in (("C", lambda a: a), ("step", lambda a: a[1::2]), ("reversed", lambda a: a[::-1])):
                    want = getattr(scipy.fft, name)(wide(view(x)))
                    compare(
                        report,
                        f"{name} {d} of {n} {label}",
                        along_one(name, view(report.array(x))),
                        want,
                        expected_dtype(name, d),
                        bound(x, want),
                    )
    for shape in ((700, 4), (3, 5, 16), (4, 700), (2, 1 << 15)):
        for d in ("complex64", "float32", "float64"):
            x = numbers(shape, d, 7)
            for axis in range(len(shape)):
                for name in ("fft", "irfft", "rfft"):
                    if usable(name, d):
                        want = getattr(np.fft, name)(wide(x), None, axis)
                        compare(
                            report,
                            f"{name} {d} many {shape} axis {axis}",
                            along_one(name, report.array(x), None, axis),
                            want,
                            expected_dtype(name, d),
                            bound(x, want),
                        )
    planes = [((300, 259), None), ((3, 260, 300), (1, 2)), ((3, 260, 300), None), ((260, 300, 2), (0, 1))]
    for shape, axes in planes if report.device == "host" else planes[:1]:
        for d in ("complex64", "complex128", "float32"):
            x = numbers(shape, d, 9)
            for label, view in (
                ("C", lambda a: a),
                ("F", lambda a: a.transpose(*range(a.ndim)[::-1])),
                ("reversed", lambda a: a[::-1]),
            ):
                for name, norm in (("fftn", "backward"), ("ifftn", "ortho")):
                    want = getattr(scipy.fft, name)(wide(view(x)), axes=axes, norm=norm)
                    compare(
                        report,
                        f"{name} {d} plane {shape} {axes} {label}",
                        along_several(name, view(report.array(x)), None, axes, norm),
                        want,
                        expected_dtype("fft", d),
                        bound(x, want),
                    )
    if report.device == "host":  # results and inputs that no cache holds
        x = numbers((1700, 1024), "complex64", 10)
        want = scipy.fft.fft(x)
        compare(report, "fft of much", along_one("fft", report.array(x)), want, np.dtype("c8"), bound(x, want))
        got = along_one("irfft", report.array(x)[:, :514])
        want = scipy.fft.irfft(x[:, :514])
        compare(report, "irfft of much", got, want, np.dtype("f4"), bound(x, want))
    x = numbers((1 << 16, 2), "complex64", 8)
    want = np.fft.fft2(wide(x))
    compare(report, "fftn of a long axis", along_several("fftn", report.array(x)), want, np.dtype("c8"), bound(x, want))


def helpers(report):
    for n in (1, 2, 5, 8, 1000):
        for d in (1.0, 0.1, -3.0):
            for name in ("fftfreq", "rfftfreq"):
                got = arrpy.made(f"arr_{name}", n, d, 0, arrpy.device_of(report.device), None).numpy()
                want = getattr(np.fft, name)(n, d)
                report.check(
                    f"{name} {n} {d}", got.dtype == want.dtype and bool(np.array_equal(got, want)), f"{got} {want}"
                )
    got = arrpy.made("arr_fftfreq", 5, 1.0, arrpy.number("float32"), arrpy.device_of(report.device), None).numpy()
    report.check("fftfreq float32", got.dtype == "f4" and bool(np.array_equal(got, np.fft.fftfreq(5).astype("f4"))))
    for shape in ((5,), (4, 7), (2, 3, 4), (0, 3)):
        for d in ("int16", "complex128"):
            x = numbers(shape, d)
            a = report.array(x)
            for axes in (None,) + tuple((a,) for a in range(len(shape))) + ((-1, 0),) * (len(shape) > 1):
                for name in ("fftshift", "ifftshift"):
                    n, given = arrpy.axes_of(axes)
                    got = arrpy.made(f"arr_{name}", a.handle, n, given, None).numpy()
                    want = getattr(np.fft, name)(x, axes)
                    report.check(
                        f"{name} {d} {shape} {axes}", bool(np.array_equal(got, want)) and got.dtype == want.dtype
                    )
    length = ctypes.c_int64()
    for n in list(range(1, 400)) + [1021, 65537, 10**6 + 3, 10**9 + 7, 2**31 + 11]:
        for real in (0, 1):
            arrpy.call("arr_next_fast_len", n, real, ctypes.byref(length))
            want = scipy.fft.next_fast_len(n, bool(real))
            report.check(f"next_fast_len {n} {real}", length.value == want, f"{length.value}, SciPy {want}")


def refused(report):
    x = report.array(np.ones((3, 4), "c8"))
    empty = report.array(np.ones((3, 0)))
    point = report.array(np.ones(()))
    cases = [
        ("n 0", C.ARR_E_ARGUMENT, lambda: along_one("fft", x, 0)),
        ("n -2", C.ARR_E_ARGUMENT, lambda: along_one("irfft", x, -2)),
        ("axis", C.ARR_E_SHAPE, lambda: along_one("fft", x, None, 2)),
        ("norm", C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_fft", x.handle, -1, -1, 3, None)),
        ("empty axis", C.ARR_E_SHAPE, lambda: along_one("fft", empty)),
        ("one of irfft", C.ARR_E_SHAPE, lambda: along_one("irfft", report.array(np.ones((2, 1))))),
        ("complex rfft", C.ARR_E_DTYPE, lambda: along_one("rfft", x)),
        ("complex ihfftn", C.ARR_E_DTYPE, lambda: along_several("ihfftn", x)),
        ("rfftn of a point", C.ARR_E_SHAPE, lambda: along_several("rfftn", point)),
        ("irfftn of a point", C.ARR_E_SHAPE, lambda: along_several("irfftn", point)),
        ("fft of a point", C.ARR_E_SHAPE, lambda: along_one("fft", point)),
        ("axes twice", C.ARR_E_SHAPE, lambda: along_several("fftn", x, None, (0, 0))),
        ("too many axes", C.ARR_E_ARGUMENT, lambda: along_several("fftn", x, (1, 2, 3))),
        ("s of 0", C.ARR_E_ARGUMENT, lambda: along_several("fftn", x, (0, 2))),
        (
            "s of no axes",
            C.ARR_E_ARGUMENT,
            lambda: arrpy.made("arr_fftn", x.handle, 0, arrpy.int64s([3]), None, 0, None),
        ),
        ("huge n", C.ARR_E_SHAPE, lambda: along_one("irfft", x, 2**62)),
        ("fftfreq 0", C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_fftfreq", 0, 1.0, 0, None, None)),
        ("fftfreq int", C.ARR_E_DTYPE, lambda: arrpy.made("arr_fftfreq", 3, 1.0, arrpy.number("int32"), None, None)),
        (
            "next_fast_len 0",
            C.ARR_E_ARGUMENT,
            lambda: arrpy.call("arr_next_fast_len", 0, 0, ctypes.byref(ctypes.c_int64())),
        ),
        (
            "next_fast_len huge",
            C.ARR_E_SHAPE,
            lambda: arrpy.call("arr_next_fast_len", 2**62 + 1, 0, ctypes.byref(ctypes.c_int64())),
        ),
    ]
    for label, status, call in cases:
        report.check(f"refused {label}", oracle.raises(status, call))
    for name in ("fft", "rfft", "irfft"):  # nothing along another axis is nothing to do
        got = along_one(name, report.array(np.ones((0, 4), "f4"))).numpy()
        want = getattr(np.fft, name)(np.ones((0, 4), "f4"))
        report.check(f"{name} of nothing", got.shape == want.shape and got.dtype == want.dtype, str(got))
    got = along_several("fftn", report.array(np.float32(3))).numpy()
    report.check("fftn of a point", got.shape == () and got.dtype == "c8" and got == 3)


def main():
    report = oracle.Report(__doc__)
    if os.environ.get("ARR_FFTW_ALWAYS") == "1":  # by FFTW's plans, which are made where measuring is asked for
        arrpy.call("arr_fft_plan_effort", arrpy.device_of(report.device), 1, None)
        for part in (layouts, several):
            part(report)
        report.finish()
    for part in report.chosen((kinds, layouts, several, halves, long_lines, helpers, refused)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
