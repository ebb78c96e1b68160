#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products with what a library does to each element: types, orders, batches, what is added, factors, activations, nan,
against NumPy in float64; on the fake CUDA also whether cuBLASLt had the call, and what happens where it does not."""

import ctypes
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.special

import oracle
from oracle import arrpy
from gemm import gemm

C = arrpy.c
REALS = ("float16", "bfloat16", "float32", "float64")
EPS = {
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
    "float32": 2.0**-22,
    "float64": 2.0**-51,
    "complex64": 2.0**-22,
    "complex128": 2.0**-51,
}
RELU, GELU_TANH, SIGMOID, FAST = (
    C.ARR_ACTIVATION_RELU,
    C.ARR_ACTIVATION_GELU_TANH,
    C.ARR_ACTIVATION_SIGMOID,
    C.ARR_ACTIVATION_FAST,
)
ACTIVATIONS = {
    0: lambda x: x,
    RELU: lambda x: np.maximum(x, 0),
    C.ARR_ACTIVATION_GELU: lambda x: x * scipy.special.ndtr(x),
    GELU_TANH: lambda x: x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2,
    C.ARR_ACTIVATION_SILU: lambda x: x * scipy.special.expit(x),
    C.ARR_ACTIVATION_SIGMOID: scipy.special.expit,
    C.ARR_ACTIVATION_TANH: np.tanh,
}
ORDERS = ("C", "F", "step", "back", "padded", "off")


class Fake:
    """Calls of the fake CUDA's functions; nothing elsewhere."""

    def __init__(self, report):
        path = os.environ.get("ARR_CUDA_DRIVER", "") if report.device == "cuda" else ""
        self.library = ctypes.CDLL(path) if "fake" in path else None
        self.real = report.device == "cuda" and self.library is None
        if self.library is not None:
            self.library.arr_fake_cuda_calls.restype = self.library.arr_fake_cuda_live.restype = ctypes.c_int64
            self.library.arr_fake_cuda_set.argtypes = [ctypes.c_char_p, ctypes.c_int64]

    def calls(self, name="cublasLtMatmul"):
        return 0 if self.library is None else self.library.arr_fake_cuda_calls(name.encode())

    def set(self, name, value):
        if self.library is not None:
            self.library.arr_fake_cuda_set(name.encode(), value)


def values(shape, d, seed):
    """Multiples of an eighth below 2, of both signs: exact in all types."""
    r = np.random.default_rng(seed)
    x = r.integers(-15, 16, shape) / 8
    return (x + 1j * r.integers(-15, 16, shape) / 8 if "complex" in d else x).astype(oracle.dtype(d))


def on(report, x, order):
    """The array on the device in an order of its last two dimensions."""
    if x.ndim < 2 or order == "C":
        return report.array(x.copy())
    if order == "F":
        return report.array(np.ascontiguousarray(np.swapaxes(x, -1, -2))).T if x.ndim == 2 else report.array(x.copy())
    if order == "step":
        return report.array(np.repeat(x, 2, -1))[..., ::2]
    if order == "back":
        return report.array(np.ascontiguousarray(x[..., ::-1, :]))[..., ::-1, :]
    pad = np.zeros((*x.shape[:-1], x.shape[-1] + 3), x.dtype)
    if order == "padded":
        pad[..., :-3] = x
        return report.array(pad)[..., :-3]
    pad[..., 1:-2] = x  # which no vector load may take
    return report.array(pad)[..., 1:-2]


def want_of(a, b, alpha, beta, c, activation):
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    x = (1 if alpha is None else alpha) * np.matmul(a.astype(wide), b.astype(wide))
    if c is not None:
        x = x + (1 if beta is None else beta) * c.astype(wide)
    return ACTIVATIONS[activation & ~FAST](x)


# A library's GELU, of which nothing is told; the fake's is right.
LOOSE = 2.0**-8


def check(report, label, got, want, d, roundings=2, loose=False):
    """Within some units in the last place of the largest of what went into an element."""
    got = got.numpy()
    x = got.astype(want.dtype)
    off = np.abs(x - want) - max(roundings * EPS[d], LOOSE if loose else 0) * (np.abs(want) + 4)
    report.check(
        label,
        oracle.name_of(got.dtype) == d and got.shape == want.shape and not (off > 0).any(),
        f"{oracle.name_of(got.dtype)} {got.shape} {want.shape}: off by {off.max() if off.size else 0}",
    )


def added(kind, shape, d):
    if kind == "whole":
        return values(shape, d, 3)
    if kind == "bias":
        return values(shape[-1:], d, 4)
    if kind == "column":
        return values((*shape[:-1], 1), d, 5)
    if kind == "per batch":
        return values((*shape[:-2], 1, shape[-1]), d, 6)
    if kind == "matrix":
        return values(shape[-2:], d, 7)
    return values((), d, 8)


def fits(kind, beta, d):
    """True if cuBLASLt takes the operand that is added."""
    return kind == "whole" or (kind == "bias" and beta is None and "complex" not in d)


def types(report, fake):
    """Every type with every way to add, factor and activation."""
    for d in (*REALS, "complex64", "complex128"):
        a, b = values((6, 5), d, 1), values((5, 7), d, 2)
        x, y = on(report, a, "C"), on(report, b, "C")
        for kind in (None, "whole", "bias", "column", "one"):
            c = None if kind is None else added(kind, (6, 7), d)
            z = None if c is None else on(report, c, "C")
            for alpha, beta in ((None, None), (0.5, None), (-2, 0.25)):
                for activation in ACTIVATIONS if "complex" not in d else (0,):
                    for flag in (0, FAST):
                        label = f"{d} {kind} {alpha} {beta} activation {activation | flag}"
                        before = fake.calls()
                        got = gemm(x, y, alpha, beta, z, activation | flag)
                        one = flag and activation in (RELU, GELU_TANH)
                        by_lt = fits(kind, beta, d) or (one and kind is None)
                        if fake.library is not None:
                            report.check(
                                f"{label}: cuBLASLt", fake.calls() - before == by_lt, f"{fake.calls() - before}"
                            )
                        check(
                            report,
                            label,
                            got,
                            want_of(a, b, alpha, beta, c, activation),
                            d,
                            4,
                            fake.real and activation | flag == GELU_TANH | FAST,
                        )


SHAPES = [
    ((6, 5), (5, 7)),
    ((1, 5), (5, 7)),
    ((6, 5), (5, 1)),
    ((5,), (5, 7)),
    ((6, 5), (5,)),
    ((1, 1), (1, 1)),
    ((3, 6, 5), (3, 5, 7)),
    ((3, 6, 5), (5, 7)),
    ((2, 3, 6, 5), (3, 5, 7)),
    ((2, 1, 6, 5), (3, 5, 7)),
    ((0, 5), (5, 7)),
    ((6, 0), (0, 7)),
    ((6, 5), (5, 0)),
    ((0, 6, 5), (5, 7)),
    ((130, 66), (66, 70)),
]


def shapes(report, fake):
    """Batches, vectors and empty products; orders of the operands and of what is added; into arrays of orders."""
    for m, n in SHAPES:
        for d in ("float32", "float16") if m == (6, 5) or len(m) == 4 else ("float32",):
            a, b = values(m, d, 1), values(n, d, 2)
            shape = np.matmul(a.astype("f8"), b.astype("f8")).shape
            kinds = (
                ["whole", "bias", "per batch", "matrix"] if len(shape) > 2 else ["whole", "bias"] if len(shape) else []
            )
            for kind in kinds:
                c = added(kind, shape, d)
                for order in ORDERS if m == (6, 5) and n == (5, 7) else ("C", "F"):
                    for other in ORDERS if order == "C" else ("C",):
                        x, y, z = on(report, a, order), on(report, b, order), on(report, c, other)
                        label = f"{d} {m} {n} {kind} {order} {other}"
                        want = want_of(a, b, 0.5, None, c, RELU)
                        check(report, label, gemm(x, y, 0.5, None, z, RELU | FAST), want, d, 4)
                        out = on(report, np.full(shape, 9, a.dtype), other)
                        check(report, f"{label} into", gemm(x, y, 0.5, None, z, RELU | FAST, out), want, d, 4)
                if shape:
                    z = on(report, np.broadcast_to(c, shape).astype(a.dtype), "C")
                    got = gemm(on(report, a, "C"), on(report, b, "C"), 0.5, 2, z, GELU_TANH | FAST, z)
                    check(
                        report,
                        f"{d} {m} {n} {kind} in place",
                        got,
                        want_of(a, b, 0.5, 2, np.broadcast_to(c, shape), GELU_TANH),
                        d,
                        8,
                        fake.real,
                    )


def nans(report, _):
    """relu gives nan for nan, whoever adds."""
    for d in REALS:
        a, b, c = values((6, 5), d, 1), values((5, 7), d, 2), values((7,), d, 3)
        a[2, 3] = c[4] = np.nan
        x, y, z = on(report, a, "C"), on(report, b, "C"), on(report, c, "C")
        want = want_of(a, b, None, None, c, RELU)
        got = gemm(x, y, None, None, z, RELU).numpy().astype("f8")
        report.check(
            f"{d} relu of nan",
            np.array_equal(np.isnan(got), np.isnan(want)) and np.isnan(want).any() and not np.isnan(want).all(),
        )
        got = gemm(x, y, None, None, z, RELU | FAST).numpy().astype("f8")
        if report.device == "host":
            report.check(f"{d} fast relu of nan on the host", np.array_equal(np.isnan(got), np.isnan(want)))
        else:  # decision 0027 asks
            print(f"{d}: of {np.isnan(want).sum()} nan the library's relu kept {np.isnan(got).sum()}")


def unread(report, _):
    """As in BLAS: c is not looked at where beta is 0, nor are a and b where alpha is; types are those of the sum all the same."""
    for d in ("float16", "float32", "float64", "complex64", "complex128", "int32"):
        floats = d != "int32"
        a, b, c = values((6, 5), d, 1), values((5, 7), d, 2), values((6, 7), d, 3)
        for name, spoilt in (("nan", np.nan), ("inf", np.inf)) if floats else (("1", 1),):
            bad = [np.full_like(x, spoilt) for x in (a, b, c)]
            x, y, z = (on(report, m, "C") for m in (a, b, c))
            bx, by, bz = (on(report, m, "C") for m in bad)
            plain = gemm(x, y, None, None, None).numpy()
            for activation in (0, RELU) if "complex" not in d else (0,):
                zero_beta, zero_alpha = (
                    gemm(x, y, None, 0, z, activation).numpy(),
                    gemm(x, y, 0, None, z, activation).numpy(),
                )
                for label, got, want in (
                    ("beta", gemm(x, y, None, 0, bz, activation), zero_beta),
                    ("alpha", gemm(bx, by, 0, None, z, activation), zero_alpha),
                    ("beta and alpha", gemm(bx, by, 0, 0, bz, activation), np.zeros((6, 7), d)),
                    ("alpha without c", gemm(bx, by, 0, None, None, activation), np.zeros((6, 7), d)),
                ):
                    got = got.numpy()
                    report.check(
                        f"{d} {label} of 0, {name} {activation}",
                        got.dtype == want.dtype and np.array_equal(got, want),
                        f"{got.ravel()[:4]}, want {want.ravel()[:4]}",
                    )
                into = on(report, bad[2], "C")
                got = gemm(x, y, None, 0, into, activation, into).numpy()
                report.check(
                    f"{d} beta of 0 in place, {name} {activation}", np.array_equal(got, zero_beta), f"{got.ravel()[:4]}"
                )
                into = on(report, c, "C")
                got = gemm(bx, by, 0, None, into, activation, into).numpy()
                report.check(
                    f"{d} alpha of 0 in place, {name} {activation}",
                    np.array_equal(got, zero_alpha),
                    f"{got.ravel()[:4]}",
                )
            report.check(f"{d} beta of 0 is the product", np.array_equal(gemm(x, y, None, 0, bz).numpy(), plain))
        wide = on(report, values((6, 7), "float64", 3), "C")
        report.check(f"{d} beta of 0: the type", gemm(x, y, None, 0, wide).numpy().dtype == np.promote_types(d, "f8"))
    report.check("sigmoid of nothing", np.array_equal(gemm(x, y, 0, None, None, SIGMOID).numpy(), np.full((6, 7), 0.5)))


def shared(report, fake):
    """The operand that is added is in the destination, and so is a factor."""
    for d in ("float32", "float64"):
        base = values((7, 7), d, 1)
        a = values((7, 5), d, 2)
        b = values((5, 7), d, 3)
        for name, part in (("row", lambda t: t[2]), ("transposed", lambda t: t.T), ("back", lambda t: t[::-1])):
            dst = report.array(base.copy())
            before = fake.calls()
            gemm(on(report, a, "C"), on(report, b, "C"), None, None, part(dst), 0, dst)
            check(report, f"{d} into what holds {name}", dst, want_of(a, b, None, None, part(base), 0), d, 4)
            report.check(f"{d} {name}: not by cuBLASLt", fake.calls() == before)
        dst = report.array(base.copy())
        gemm(dst, on(report, base, "C"), None, None, on(report, base[0], "C"), 0, dst)
        check(report, f"{d} into an operand", dst, want_of(base, base, None, None, base[0], 0), d, 4)


def absent(report, fake):
    """cuBLASLt finds no algorithm: the same results by a pass, and it is not asked again."""
    if fake.library is None:
        return
    fake.set("lt", 0)
    try:
        a, b, c = values((9, 8), "float32", 1), values((8, 11), "float32", 2), values((11,), "float32", 3)
        x, y, z = (on(report, v, "C") for v in (a, b, c))
        before = fake.calls(), fake.calls("cublasLtMatmulAlgoGetHeuristic")
        for _ in range(3):
            check(
                report, "no algorithm", gemm(x, y, 0.5, None, z, RELU), want_of(a, b, 0.5, None, c, RELU), "float32", 4
            )
        report.check("no algorithm: not multiplied by it", fake.calls() == before[0])
        report.check("no algorithm: remembered", fake.calls("cublasLtMatmulAlgoGetHeuristic") == before[1] + 1)
    finally:
        fake.set("lt", 1)
    # The result of the search is kept too.
    x = on(report, values((9, 9), "float32", 1), "C")
    gemm(x, x, None, None, x)
    before = fake.calls(), fake.calls("cublasLtMatmulAlgoGetHeuristic")
    gemm(x, x, None, None, x)
    report.check(
        "an algorithm is kept",
        (fake.calls(), fake.calls("cublasLtMatmulAlgoGetHeuristic")) == (before[0] + 1, before[1]),
    )


def computed(report, fake):
    """The compute type that was asked for goes to cuBLASLt."""
    if fake.library is None:
        return
    kinds = {
        "float32": ((C.ARR_COMPUTE_PEDANTIC, 69), (C.ARR_COMPUTE_TF32, 77), (C.ARR_COMPUTE_DEFAULT, 68)),
        "float16": ((C.ARR_COMPUTE_FLOAT16, 64), (C.ARR_COMPUTE_PEDANTIC, 69), (C.ARR_COMPUTE_DEFAULT, 68)),
        "bfloat16": ((C.ARR_COMPUTE_PEDANTIC, 69), (C.ARR_COMPUTE_DEFAULT, 68)),
        "float64": ((C.ARR_COMPUTE_PEDANTIC, 71), (C.ARR_COMPUTE_DEFAULT, 70)),
    }
    for d, numbers in kinds.items():
        a, bias = values((9, 9), d, 1), values((9,), d, 2)
        x, z = on(report, a, "C"), on(report, bias, "C")
        try:
            for kind, number in numbers:
                arrpy.call("arr_matmul_set_compute_type", arrpy.number(d), kind)
                fake.set("compute", number)  # the fake takes no other
                before = fake.calls()
                check(
                    report,
                    f"{d} by compute type {number}",
                    gemm(x, x, 0.5, None, z),
                    want_of(a, a, 0.5, None, bias, 0),
                    d,
                    4,
                )
                report.check(f"{d} compute type {number}: cuBLASLt", fake.calls() == before + 1)
        finally:
            arrpy.call("arr_matmul_set_compute_type", arrpy.number(d), C.ARR_COMPUTE_DEFAULT)
            fake.set("compute", 0)


def main():
    report = oracle.Report(__doc__)
    fake = Fake(report)
    for part in report.chosen((types, shapes, nans, unread, shared, absent, computed)):
        part(report, fake)
    report.finish()


if __name__ == "__main__":
    main()
