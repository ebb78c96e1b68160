#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Matrix products with factors, a summand and an activation function, against NumPy."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.special

import oracle
from calculus import compare
from oracle import arrpy
from products import C, small, on


ACTIVATIONS = [
    lambda x: x,
    lambda x: np.maximum(x, 0),
    lambda x: x * scipy.special.ndtr(x),
    lambda x: x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2,
    lambda x: x * scipy.special.expit(x),
    scipy.special.expit,
    np.tanh,
]


def gemm(a, b, alpha=None, beta=None, c=None, activation=0, out=None):
    keep = [None if x is None else arrpy.value(x) for x in (alpha, beta)]
    rest = [None if x is None else ctypes.byref(x) for x in keep]
    arguments = (a.handle, b.handle, *rest, None if c is None else c.handle, activation, None)
    if out is None:
        return arrpy.made("arr_gemm", *arguments)
    arrpy.call("arr_gemm_into", out.handle, *arguments)
    return out


def gemms(report):
    shapes = [
        ((3, 4), (4, 5)),
        ((4,), (4, 5)),
        ((3, 4), (4,)),
        ((2, 3, 4), (4, 5)),
        ((2, 1, 3, 4), (3, 4, 5)),
        ((0, 4), (4, 5)),
        ((3, 0), (0, 5)),
        ((4,), (4,)),
    ]
    for d in ("float32", "float64", "complex128", "int64", "float16"):
        for i, (left, right) in enumerate(shapes if d == "float64" else shapes[:2]):
            a, b = small(left, d, 1), small(right, d, 2)
            x, y, product = on(report, a), on(report, b, "F" if len(right) == 2 else "C"), np.matmul(a, b)
            sums = [("whole", small(product.shape, d, 3))]
            if product.ndim:
                sums += [("bias", small(product.shape[-1:], d, 4)), ("column", small((*product.shape[:-1], 1), d, 5))]
            label = f"gemm {d} {left} {right}"
            compare(report, label, gemm(x, y), product)
            compare(report, f"{label} alpha", gemm(x, y, 3), 3 * product)
            compare(report, f"{label} alpha 0.5", gemm(x, y, 0.5), 0.5 * product)
            for name, c in sums:
                z = on(report, c)
                compare(report, f"{label} {name}", gemm(x, y, c=z), product + c)
                compare(report, f"{label} {name} scaled", gemm(x, y, 2, -3, z), 2 * product + -3 * c)
                out = on(report, small(product.shape, d, 6), "F" if product.ndim == 2 else "C")
                compare(
                    report,
                    f"{label} {name} into",
                    gemm(x, y, 2, None, z, 1 if d != "complex128" else 0, out),
                    ACTIVATIONS[d != "complex128"](2 * product + c),
                )
            z = on(report, sums[0][1])
            compare(report, f"{label} into c", gemm(x, y, None, 2, z, 0, z), product + 2 * sums[0][1])
            if d in ("float32", "float64"):
                for number, f in enumerate(ACTIVATIONS):
                    got, want = (
                        gemm(x, y, 0.125, None, z, number),
                        f(0.125 * product.astype("f8") + z.numpy()).astype(d),
                    )
                    report.check(
                        f"{label} activation {number}",
                        np.allclose(got.numpy(), want, rtol=32 * np.finfo(d).eps, atol=1e-30)
                        and got.numpy().dtype == d,
                    )
    wide = gemm(
        on(report, small((3, 4), "float32", 1)),
        on(report, small((4, 5), "float32", 2)),
        c=on(report, small((5,), "float64", 3)),
    )
    report.check("gemm of a wider c", wide.numpy().dtype == np.float64)
    whole = small((3, 4), "int64", 1)
    got = gemm(on(report, whole), on(report, whole.T.copy()), 0.125, activation=5).numpy()
    report.check(
        "gemm of integers, sigmoid",
        got.dtype == np.float64 and np.allclose(got, scipy.special.expit(0.125 * (whole @ whole.T)), rtol=1e-14),
    )


def gemms_into(report):
    """Into arrays of other dtypes, one larger than what is written to, so that more than that would show."""
    for inputs, added, dtype in (
        ("float64", "float64", "float32"),
        ("float32", "float64", "float32"),
        ("float32", "float32", "float64"),
        ("int32", "int32", "float64"),
        ("float64", "float64", "complex64"),
        ("float64", "float64", "float16"),
    ):
        a, b, c = small((3, 4), inputs, 1), small((4, 5), inputs, 2), small((5,), added, 3)
        for z in (None, c):
            base = on(report, np.full((4, 5), 7, dtype))
            gemm(on(report, a), on(report, b), 2, c=None if z is None else on(report, z), out=base[:3])
            want = np.concatenate([2 * (a @ b) + (0 if z is None else z), np.full((1, 5), 7)]).astype(dtype)
            compare(report, f"gemm {inputs} with {added} into {dtype}", base, want)


def gemms_refused(report):
    x, y = on(report, small((3, 4), "float64", 1)), on(report, small((4, 5), "float64", 2))
    n = on(report, small((3, 3), "int64", 1))
    for text, status, call in [
        ("argument dst", C.ARR_E_DTYPE, lambda: gemm(x, y, out=on(report, np.ones((3, 5), "i8")))),
        ("argument dst", C.ARR_E_DTYPE, lambda: gemm(n, n, activation=5, out=on(report, np.ones((3, 3), "i8")))),
        ("argument activation", C.ARR_E_ARGUMENT, lambda: gemm(x, y, activation=7)),
        ("argument activation", C.ARR_E_ARGUMENT, lambda: gemm(x, y, activation=-1)),
        ("argument c", C.ARR_E_SHAPE, lambda: gemm(x, y, c=on(report, np.ones((2, 3, 5))))),
        ("argument c", C.ARR_E_SHAPE, lambda: gemm(x, y, c=on(report, np.ones(4)))),
        ("argument b", C.ARR_E_SHAPE, lambda: gemm(x, x)),
        ("argument dst", C.ARR_E_SHAPE, lambda: gemm(x, y, out=on(report, np.ones((3, 4))))),
        ("argument dst", C.ARR_E_SHAPE, lambda: gemm(x, y, c=on(report, np.ones(5)), out=on(report, np.ones((3, 4))))),
        (
            "argument c",
            C.ARR_E_SHAPE,
            lambda: gemm(x, y, c=on(report, np.ones((3, 4))), out=on(report, np.ones((3, 5)))),
        ),
        ("argument activation", C.ARR_E_DTYPE, lambda: gemm(x, y, c=on(report, np.ones(5, "c16")), activation=5)),
    ]:
        try:
            call()
            report.check(f"gemm refused: {text}", False, "accepted")
        except arrpy.Error as e:
            report.check(f"gemm refused: {text}", e.status == status and text in str(e), str(e))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((gemms, gemms_into, gemms_refused)):
        part(r)
    r.finish()
