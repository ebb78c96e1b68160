#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Special matrices, triangles and bandwidths against SciPy and NumPy 2."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.linalg as sl

import oracle
from calculus import MODES, compare
from oracle import arrpy
from products import handles, on, tame

C = arrpy.c
VIEWS = ("C", "step", "back")


def of(name, *arguments):
    """A function of arrays and numbers; None is an array that is left out."""
    return arrpy.made(f"arr_{name}", *(a.handle if isinstance(a, arrpy.Array) else a for a in arguments), None)


def sized(report, name, *arguments, dtype=None):
    return arrpy.made(f"arr_{name}", *arguments, arrpy.number(dtype), arrpy.device_of(report.device), None)


def block_diag(*blocks):
    return arrpy.made("arr_block_diag", len(blocks), handles(blocks), None)


def bandwidth(a):
    lower, upper = ctypes.c_int64(-1), ctypes.c_int64(-1)
    arrpy.call("arr_bandwidth", a.handle, None, ctypes.byref(lower), ctypes.byref(upper))
    return lower.value, upper.value


def types(report, few):
    return few if report.device != "host" else oracle.ALL


def inexact(d):
    """The type that quotients have here: that of the operand, float64 of integers."""
    return oracle.dtype(d) if d in oracle.FLOATS + oracle.COMPLEX else np.dtype("f8")


def wide(x):
    return x.astype("f8") if oracle.name_of(x.dtype) in ("float16", "bfloat16") else x


def by_batch(f, *vectors):
    """f for each vector along the last axis."""
    lead = np.broadcast_shapes(*(v.shape[:-1] for v in vectors))
    spread = [np.broadcast_to(v, lead + v.shape[-1:]) for v in vectors]
    return np.stack([f(*(v[i] for v in spread)) for i in np.ndindex(lead)]).reshape(
        lead + f(*(v[(0,) * len(lead)] for v in spread)).shape
    )


def of_vectors(report):
    for d in types(report, ["float32", "int8"]):
        for layout in VIEWS:
            for m, n in ((4, 5), (1, 1), (6, 2), (3, 0)) if report.device == "host" else ((4, 5),):
                c, r = tame((m,), d, 1), tame((n,), d, 2)
                x, y = on(report, c, layout), on(report, r, layout)
                label = f"{d} {m} {n} {layout}"
                if n:
                    compare(report, f"toeplitz {label}", of("toeplitz", x, y), sl.toeplitz(c, r))
                    compare(report, f"hankel {label}", of("hankel", x, y), sl.hankel(c, r))
                compare(
                    report,
                    f"toeplitz {label} alone",
                    of("toeplitz", x, None),
                    sl.toeplitz(c) if d in oracle.COMPLEX else sl.toeplitz(c, c),
                )
                compare(report, f"hankel {label} alone", of("hankel", x, None), sl.hankel(c))
                compare(report, f"circulant {label}", of("circulant", x), sl.circulant(c))
                for mode in MODES:
                    for k in (1, 3, 9):
                        compare(
                            report,
                            f"convolution_matrix {label} {mode} {k}",
                            of("convolution_matrix", x, k, MODES.index(mode)),
                            sl.convolution_matrix(c, k, mode),
                        )
                if d != "bool":
                    compare(report, f"fiedler {label}", of("fiedler", x), np.abs(c[:, None] - c))
            f, s = tame((5,), d, 3), tame((4,), d, 4)
            want = np.zeros((5, 5), f.dtype)
            want[0], want[range(1, 5), range(4)] = f, s
            compare(report, f"leslie {d} {layout}", of("leslie", on(report, f, layout), on(report, s, layout)), want)
        c, r = tame((2, 1, 4), d, 5), tame((3, 5), d, 6)
        got = of("toeplitz", on(report, c, "F"), report.array(r))
        compare(report, f"toeplitz {d} batch", got, by_batch(sl.toeplitz, c, r))
        compare(report, f"hankel {d} batch", of("hankel", report.array(c), report.array(r)), by_batch(sl.hankel, c, r))
        compare(report, f"circulant {d} batch", of("circulant", report.array(r)), by_batch(sl.circulant, r))
        compare(
            report,
            f"convolution_matrix {d} batch",
            of("convolution_matrix", report.array(r), 4, 0),
            by_batch(lambda v: sl.convolution_matrix(v, 4), r),
        )
    c, r = tame((3,), "int32", 1), tame((4,), "float32", 2)
    compare(report, "toeplitz mixed", of("toeplitz", report.array(c), report.array(r)), sl.toeplitz(c, r.astype("f8")))


def companions(report):
    for d in types(report, ["float32", "int8"]):
        if d == "bool":
            continue
        for n in (2, 3, 4, 5, 8):
            a = tame((n,), d, n)
            a[0] = 3
            for layout in VIEWS:
                x = on(report, a, layout)
                signed = wide(a) if a.dtype.kind != "u" else None
                # NumPy negates unsigned integers as they are, and so wraps; here they are float64 first.
                exact = a.astype("f8") if signed is None else signed
                compare(
                    report, f"companion {d} {n} {layout}", of("companion", x), sl.companion(exact).astype(inexact(d))
                )
                compare(
                    report,
                    f"fiedler_companion {d} {n} {layout}",
                    of("fiedler_companion", x),
                    sl.fiedler_companion(exact).astype(inexact(d)),
                )
    a = tame((2, 3, 5), "float64", 1)
    a[..., 0] = 2
    compare(report, "companion batch", of("companion", report.array(a)), sl.companion(a))
    compare(
        report, "fiedler_companion batch", of("fiedler_companion", report.array(a)), by_batch(sl.fiedler_companion, a)
    )


def parts(report):
    for d in types(report, ["float32", "bool"]):
        for shape in ((4, 5), (5, 4), (2, 3, 3), (0, 3), (3, 0)):
            a = tame(shape, d, 1)
            for k in (0, 1, -2, 9, -9, 2**40):
                for layout in ("C", "F") if report.device == "host" else ("F",):
                    x = on(report, a, layout)
                    at = np.clip(k, -100, 100)
                    compare(report, f"tril {d} {shape} {k} {layout}", of("tril", x, k), np.tril(a, at))
                    compare(report, f"triu {d} {shape} {k} {layout}", of("triu", x, k), np.triu(a, at))
        for k in (0, 1, -2):
            a = np.triu(np.tril(np.ones((5, 6), oracle.dtype(d)), 2), k)
            got = bandwidth(on(report, a, "F"))
            report.check(
                f"bandwidth {d} {k}", got == tuple(sl.bandwidth(np.ascontiguousarray(a).astype("f8"))), str(got)
            )
    for m, n, k in ((3, 4, 0), (4, 3, 1), (3, -1, -1), (0, 4, 0), (2, 3, 99)):
        for d in ("float64", "int8", "bool", "complex64"):
            compare(
                report,
                f"tri {m} {n} {k} {d}",
                sized(report, "tri", m, n, k, dtype=d),
                np.tri(m, None if n < 0 else n, k, d),
            )
    report.check("bandwidth of zeros", bandwidth(report.array(np.zeros((3, 4)))) == (0, 0))
    report.check("bandwidth of nothing", bandwidth(report.array(np.zeros((0, 4)))) == (0, 0))
    report.check("bandwidth of nan", bandwidth(report.array(np.diag([np.nan] * 3, 2))) == (0, 2))


def blocks(report):
    for d in types(report, ["float32", "int8"]):
        given = [tame((2, 3), d, 1), tame((4,), d, 2), tame((), d, 3), tame((0, 2), d, 4), tame((3, 1), d, 5)]
        for layout in ("C", "F"):
            got = block_diag(*(on(report, g, layout) for g in given))
            compare(report, f"block_diag {d} {layout}", got, sl.block_diag(*given).astype(given[0].dtype))
    a, b = np.ones((2, 2), "i4"), np.ones((1, 1), "f4")
    compare(report, "block_diag mixed", block_diag(report.array(a), report.array(b)), sl.block_diag(a, b).astype("f8"))


def sizes(report):
    for n in (0, 1, 2, 5, 33):
        compare(report, f"hilbert {n}", sized(report, "hilbert", n), 1 / (np.arange(n)[:, None] + np.arange(n) + 1.0))
        for scale in (None, "sqrtn", "n"):
            turns = np.outer(np.arange(n), np.arange(n)) % max(n, 1)
            want = (
                np.exp(-2j * np.pi * turns / max(n, 1)) / {None: 1, "sqrtn": np.sqrt(max(n, 1)), "n": max(n, 1)}[scale]
            )
            number = [None, "sqrtn", "n"].index(scale)
            compare(report, f"dft {n} {scale}", sized(report, "dft", n, number), want, steps=16, size=1)
            compare(
                report,
                f"dft {n} {scale} complex64",
                sized(report, "dft", n, number, dtype="complex64"),
                want.astype("c8"),
                steps=4,
                size=1,
            )
        if n:
            for full in (0, 1):
                compare(report, f"helmert {n} {full}", sized(report, "helmert", n, full), sl.helmert(n, bool(full)))
    for n in (1, 2, 4, 64):
        for d in (None, "int8", "float16", "complex64"):
            compare(report, f"hadamard {n} {d}", sized(report, "hadamard", n, dtype=d), sl.hadamard(n, d or int))
    compare(
        report, "helmert float32", sized(report, "helmert", 4, 1, dtype="float32"), sl.helmert(4, True).astype("f4")
    )


def refused(report):
    v, m = report.array(np.ones(3)), report.array(np.ones((3, 4)))
    number = report.array(np.float64(1))
    zero = report.array(np.array([[1.0, 2, 3], [0, 1, 2]]))
    cases = [
        ("toeplitz", C.ARR_E_SHAPE, lambda: of("toeplitz", number, None)),
        ("circulant", C.ARR_E_SHAPE, lambda: of("circulant", number)),
        ("hankel", C.ARR_E_SHAPE, lambda: of("hankel", v, number)),
        ("companion short", C.ARR_E_SHAPE, lambda: of("companion", v[:1])),
        ("companion zero", C.ARR_E_ARGUMENT, lambda: of("companion", zero)),
        ("fiedler_companion zero", C.ARR_E_ARGUMENT, lambda: of("fiedler_companion", zero)),
        ("leslie", C.ARR_E_SHAPE, lambda: of("leslie", v, v)),
        ("tril", C.ARR_E_SHAPE, lambda: of("tril", v, 0)),
        ("bandwidth", C.ARR_E_SHAPE, lambda: bandwidth(v)),
        ("block_diag", C.ARR_E_SHAPE, lambda: block_diag(report.array(np.ones((2, 2, 2))))),
        ("block_diag none", C.ARR_E_ARGUMENT, lambda: block_diag()),
        ("convolution_matrix n", C.ARR_E_ARGUMENT, lambda: of("convolution_matrix", v, 0, 0)),
        ("convolution_matrix mode", C.ARR_E_ARGUMENT, lambda: of("convolution_matrix", v, 2, 7)),
        ("convolution_matrix empty", C.ARR_E_SHAPE, lambda: of("convolution_matrix", v[:0], 2, 0)),
        ("hadamard", C.ARR_E_ARGUMENT, lambda: sized(report, "hadamard", 6)),
        ("hadamard type", C.ARR_E_DTYPE, lambda: sized(report, "hadamard", 4, dtype="uint8")),
        ("hilbert", C.ARR_E_ARGUMENT, lambda: sized(report, "hilbert", -1)),
        ("hilbert type", C.ARR_E_DTYPE, lambda: sized(report, "hilbert", 3, dtype="int32")),
        ("helmert", C.ARR_E_ARGUMENT, lambda: sized(report, "helmert", 0, 1)),
        ("dft", C.ARR_E_ARGUMENT, lambda: sized(report, "dft", 3, 5)),
        ("dft type", C.ARR_E_DTYPE, lambda: sized(report, "dft", 3, 0, dtype="float32")),
        ("tri", C.ARR_E_ARGUMENT, lambda: sized(report, "tri", -2, 3, 0)),
    ]
    for label, status, call in cases:
        report.check(f"refuses {label}", oracle.raises(status, call))
    if report.device == "host":
        report.check("bandwidth matrix", bandwidth(m) == (2, 3))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((of_vectors, companions, parts, blocks, sizes, refused)):
        part(r)
    r.finish()
