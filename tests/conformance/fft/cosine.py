#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cosine and sine transforms against SciPy, and against sums in long double."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.fft

import oracle
from fft import LAYOUTS, NORMS, bound, compare, numbers, single, wide
from fft_sums import primes
from oracle import arrpy

C = arrpy.c
ONE = ["dct", "idct", "dst", "idst"]
TYPES = (1, 2, 3, 4)
LONG_PI = np.arccos(np.longdouble(-1))


def along_one(name, a, type_=2, n=None, axis=-1, norm="backward"):
    return arrpy.made(f"arr_{name}", a.handle, type_, -1 if n is None else n, axis, NORMS.index(norm), None)


def along_several(name, a, type_=2, s=None, axes=None, norm="backward"):
    count = len(axes) if axes is not None else len(s) if s is not None else 0
    return arrpy.made(
        f"arr_{name}",
        a.handle,
        type_,
        count,
        None if s is None else arrpy.int64s(s),
        None if axes is None else arrpy.int32s(axes),
        NORMS.index(norm),
        None,
    )


def expected_dtype(d):
    return np.dtype(("c8" if single(d) else "c16") if d in oracle.COMPLEX else ("f4" if single(d) else "f8"))


def usable(name, type_, n):
    return n > 1 or type_ != 1 or name.endswith("dst")


def check(report, label, name, x, a, type_, norm="backward", n=None, axis=-1):
    want = getattr(scipy.fft, name)(wide(x), type_, n, axis, norm)
    compare(
        report,
        f"{name} {label} type {type_} {norm}",
        along_one(name, a, type_, n, axis, norm),
        want,
        expected_dtype(oracle.name_of(x.dtype)),
        bound(x, want),
    )


def kinds(report):
    """Every dtype, crops and pads, norms and types."""
    lengths = (None, 1, 2, 5, 6, 8, 13) if report.device == "host" else (None, 4, 13)
    dtypes = oracle.ALL if report.device == "host" else ["int8", "bfloat16", "float32", "float64", "complex64"]
    for d in dtypes:
        x = numbers((7, 8), d, 2)
        a = report.array(x)
        for name in ONE:
            for type_ in TYPES:
                for n in lengths:
                    for axis in (0, -1):
                        if usable(name, type_, n or 8):
                            for norm in NORMS:
                                check(report, f"{d} n {n} axis {axis}", name, x, a, type_, norm, n, axis)


def layouts(report):
    for d in ("complex64", "float64", "float32"):
        x = numbers((24, 33), d, 3)
        base = report.array(x)
        for label, view in LAYOUTS.items():
            a = view(base)
            for name in ONE:
                for type_ in TYPES:
                    for axis in (0, 1):
                        check(report, f"{d} {label} axis {axis}", name, view(x), a, type_, "ortho", axis=axis)
        report.check(f"input untouched {d}", bool(np.array_equal(base.numpy(), x)))
        row = numbers((1, 9), d, 4)
        base = report.array(row)
        check(report, f"{d} broadcast", "dct", np.broadcast_to(row, (5, 9)), base.broadcast_to((5, 9)), 2)
        check(report, f"{d} broadcast", "dst", np.broadcast_to(row, (5, 9)), base.broadcast_to((5, 9)), 3, axis=0)
        cube = numbers((3, 10, 4), d, 5)
        base = report.array(cube)
        for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
            a = base.transpose(*order)
            for axis in range(3):
                if usable("dct", 1, a.shape[axis]):
                    check(report, f"{d} {order} axis {axis}", "dct", cube.transpose(order), a, 4, axis=axis)


def several(report):
    cases = [
        ((4, 6), None, None),
        ((4, 6), None, (0,)),
        ((4, 6), None, (1, 0)),
        ((3, 4, 5), None, (0, 2)),
        ((3, 4, 5), (5, 2), None),
        ((3, 4, 5), (2, 9, 4), (2, 0, 1)),
        ((2, 3, 2, 5), None, (3, 1)),
        ((2, 3, 2, 3, 4), None, (0, 1, 2, 4)),
        ((7,), (12,), (0,)),
        ((32, 33, 2), None, (0, 1)),
    ]
    for d in ("complex64", "float32", "float64", "int16"):
        for shape, s, axes in cases if report.device == "host" else cases[::3]:
            x = numbers(shape, d, 5)
            a = report.array(x)
            real = {"s": s, "axes": axes if axes is not None or s is None else tuple(range(len(shape)))[-len(s) :]}
            for name in ONE:
                for type_ in TYPES:
                    for norm in NORMS:
                        want = getattr(scipy.fft, name + "n")(wide(x), type_, norm=norm, **real)
                        compare(
                            report,
                            f"{name}n {d} {shape} s {s} axes {axes} type {type_} {norm}",
                            along_several(name + "n", a, type_, s, axes, norm),
                            want,
                            expected_dtype(d),
                            bound(x, want),
                        )


def lines(report):
    """Long lines, and many short ones."""
    for n in (1 << 14, (1 << 17) + 1, 3 * 5 * 7 * 1024, 1009 * 37) if report.device == "host" else (1 << 12,):
        for d in ("float32", "float64", "complex64"):
            x = numbers((2 * n,), d, 6)
            base = report.array(x)
            for label, view in (("C", lambda a: a), ("step", lambda a: a[1::2]), ("reversed", lambda a: a[::-1])):
                a = view(base)
                for name in ONE[::2]:
                    for type_ in TYPES:
                        check(report, f"{d} of {n} {label}", name, view(x), a, type_)
    for shape in ((700, 4), (3, 5, 16), (4, 701), (2048, 300)) if report.device == "host" else ((70, 4), (3, 5, 17)):
        for d in ("float32", "complex128"):
            x = numbers(shape, d, 7)
            a = report.array(x)
            for axis in range(len(shape)):
                for type_ in TYPES:
                    check(report, f"{d} many {shape} axis {axis}", "dct", x, a, type_, axis=axis)
                    check(report, f"{d} many {shape} axis {axis}", "idst", x, a, type_, axis=axis)


def ends(report):
    """Scaled ends with every norm, and the others with none."""
    for n in (2, 8, 13):
        x = numbers((3, n), "float64", 10)
        a = report.array(x)
        top = a[:2]
        for name in ONE:
            for type_ in TYPES:
                for norm in NORMS:
                    for flag, orthogonal in ((C.ARR_COSINE_ORTHOGONAL, True), (C.ARR_COSINE_PLAIN, False)):
                        want = getattr(scipy.fft, name)(x, type_, norm=norm, orthogonalize=orthogonal)
                        label = f"{name} type {type_} of {n} {norm} orthogonalize {orthogonal}"
                        got = arrpy.made(f"arr_{name}", a.handle, type_, -1, -1, NORMS.index(norm) + flag, None)
                        compare(report, label, got, want, np.dtype("f8"), bound(x, want))
                        want = getattr(scipy.fft, name + "n")(x[:2], type_, norm=norm, orthogonalize=orthogonal)
                        got = arrpy.made(
                            f"arr_{name}n", top.handle, type_, 0, None, None, NORMS.index(norm) + flag, None
                        )
                        compare(report, f"{label} of both axes", got, want, np.dtype("f8"), bound(x, want))


def kernel(name, type_, n):
    """The matrix of a transform, by its definition."""
    k, j = np.arange(n)[:, None], np.arange(n)[None, :]
    if name == "dct":
        turn, period = {
            1: (k * j, n - 1),
            2: (k * (2 * j + 1), 2 * n),
            3: ((2 * k + 1) * j, 2 * n),
            4: ((2 * k + 1) * (2 * j + 1), 4 * n),
        }[type_]
        once = {1: [0, n - 1], 3: [0]}
    else:
        turn, period = {
            1: ((k + 1) * (j + 1), n + 1),
            2: ((k + 1) * (2 * j + 1), 2 * n),
            3: ((2 * k + 1) * (j + 1), 2 * n),
            4: ((2 * k + 1) * (2 * j + 1), 4 * n),
        }[type_]
        once = {3: [n - 1]}
    angle = (turn % (2 * period)).astype(np.longdouble) * LONG_PI / period
    out = 2 * (np.cos(angle) if name == "dct" else np.sin(angle))
    out[:, once.get(type_, [])] /= 2
    return out


def sums(report):
    """Every length to 64 and some primes and others against the sum itself; there and back; orthogonality."""
    lengths = list(range(1, 65)) + [p for p in primes(1021) if p > 64][::12] + [100, 1000, 1024]
    for n in lengths if report.device == "host" else lengths[:20] + [67, 100]:
        for name in ("dct", "dst"):
            for type_ in TYPES:
                if not usable(name, type_, n):
                    continue
                matrix = kernel(name, type_, n)
                for d in ("float32", "float64"):
                    x = numbers((n,), d, n)
                    a = report.array(x)
                    want = matrix @ x.astype(np.longdouble)
                    got = along_one(name, a, type_).numpy()
                    size = max(np.linalg.norm(want.astype("f8")), 1e-300)
                    error = float(np.linalg.norm((got - want).astype("f8"))) / size / np.finfo(d).eps
                    report.check(
                        f"{name} {d} type {type_} sum of {n}", error <= 1.5 + 0.6 * np.log2(n + 1), f"{error:.2f} eps"
                    )
                    for norm in NORMS:
                        there = along_one(name, a, type_, norm=norm)
                        back = along_one("i" + name, there, type_, norm=norm).numpy()
                        error = (
                            float(np.linalg.norm(back.astype("f8") - x))
                            / np.linalg.norm(x.astype("f8"))
                            / np.finfo(d).eps
                        )
                        report.check(
                            f"{name} {d} type {type_} of {n} and back {norm}",
                            error <= 3 + 1.2 * np.log2(n + 1),
                            f"{error:.2f} eps",
                        )
    for name in ("dct", "dst"):
        for type_ in TYPES:
            for n in (2, 7, 12):
                unit = report.array(np.eye(n))
                got = along_one(name, unit, type_, axis=0, norm="ortho").numpy()
                error = np.abs(got @ got.T - np.eye(n)).max()
                report.check(f"{name} type {type_} of {n} orthogonal", error <= 1e-14, str(error))


def specials(report):
    """An infinity or nan stays in its line."""
    for name in ONE:
        for type_ in TYPES:
            for n in (8, 9):
                x = np.ones((3, n))
                x[1, 4] = np.nan
                a = report.array(x)
                got = along_one(name, a, type_).numpy()
                report.check(
                    f"{name} type {type_} of {n} nan",
                    bool(np.isfinite(got[[0, 2]]).all() and np.isnan(got[1]).any()),
                    str(got),
                )


def graphs(report):
    """Captured before what they rotate by is kept, and launched for other numbers."""
    stream, graph = C.arr_stream(), C.arr_graph()
    arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(stream))
    for name in ONE:
        for type_ in TYPES:
            n = 100 + 10 * type_ + ONE.index(name) + 50 * (report.device == "host")
            x, later = numbers((3, n), "float64", 8), numbers((3, n), "float64", 9)
            a = report.array(x)
            arrpy.call("arr_graph_begin", stream)
            out = arrpy.made(f"arr_{name}", a.handle, type_, -1, -1, 0, stream)
            arrpy.call("arr_graph_end", stream, ctypes.byref(graph))
            for given in (x, later):
                a.set(given)
                arrpy.call("arr_graph_launch", graph, stream)
                want = getattr(scipy.fft, name)(given, type_)
                compare(report, f"{name} type {type_} captured", out, want, np.dtype("f8"), bound(given, want))
            arrpy.call("arr_graph_release", graph)
            want = getattr(scipy.fft, name)(later[:2], type_)
            compare(
                report,
                f"{name} type {type_} after a capture",
                along_one(name, a[:2], type_),
                want,
                np.dtype("f8"),
                bound(later, want),
            )
    arrpy.call("arr_stream_release", stream)


def refused(report):
    x = report.array(np.ones((3, 4), "f4"))
    empty, point, one = report.array(np.ones((3, 0))), report.array(np.ones(())), report.array(np.ones((3, 1)))
    cases = [
        ("type 0", C.ARR_E_ARGUMENT, lambda: along_one("dct", x, 0)),
        ("type 5", C.ARR_E_ARGUMENT, lambda: along_several("idstn", x, 5)),
        ("n 0", C.ARR_E_ARGUMENT, lambda: along_one("dct", x, 2, 0)),
        ("n -2", C.ARR_E_ARGUMENT, lambda: along_one("idst", x, 2, -2)),
        ("axis", C.ARR_E_SHAPE, lambda: along_one("dct", x, 2, None, 2)),
        ("norm", C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_dct", x.handle, 2, -1, -1, 3, None)),
        ("norm -1", C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_dct", x.handle, 2, -1, -1, -1, None)),
        ("norm and a bit", C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_dct", x.handle, 2, -1, -1, 64, None)),
        ("both ends", C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_dct", x.handle, 2, -1, -1, 48, None)),
        ("empty axis", C.ARR_E_SHAPE, lambda: along_one("dct", empty)),
        ("dct 1 of one", C.ARR_E_SHAPE, lambda: along_one("dct", one, 1)),
        ("idct 1 of one", C.ARR_E_SHAPE, lambda: along_one("idct", x, 1, 1)),
        ("dctn 1 of one", C.ARR_E_SHAPE, lambda: along_several("dctn", one, 1)),
        ("dct of a point", C.ARR_E_SHAPE, lambda: along_one("dct", point)),
        ("axes twice", C.ARR_E_SHAPE, lambda: along_several("dctn", x, 2, None, (0, 0))),
        ("too many axes", C.ARR_E_ARGUMENT, lambda: along_several("dstn", x, 2, (1, 2, 3))),
        ("s of 0", C.ARR_E_ARGUMENT, lambda: along_several("dctn", x, 2, (0, 2))),
        ("huge n", C.ARR_E_SHAPE, lambda: along_one("dct", x, 2, 2**62)),
        ("huge n of type 1", C.ARR_E_SHAPE, lambda: along_one("dst", report.array(np.ones((0, 1))), 1, 2**62)),
        ("handle", C.ARR_E_HANDLE, lambda: arrpy.made("arr_dct", None, 2, -1, -1, 0, None)),
    ]
    for label, status, call in cases:
        report.check(f"refused {label}", oracle.raises(status, call))
    for d in ("float32", "complex64", "int8"):  # nothing along another axis is nothing to do
        nothing = report.array(np.ones((0, 4), d))
        for name in ONE:
            got = along_one(name, nothing, 1).numpy()
            report.check(f"{name} of nothing {d}", got.shape == (0, 4) and got.dtype == expected_dtype(d), str(got))
    got = along_several("dctn", report.array(np.float32(3))).numpy()
    report.check("dctn of a point", got.shape == () and got.dtype == "f4" and got == 3)


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((kinds, layouts, several, lines, ends, sums, specials, graphs, refused)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
