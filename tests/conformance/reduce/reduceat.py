#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ufunc.reduceat of slices that begin anywhere against NumPy 2: random, repeated, falling and single indices and
none, of every axis, layout and dtype; very many slices, and few long ones among short ones."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

OPS = [
    "add",
    "multiply",
    "minimum",
    "maximum",
    "fmin",
    "fmax",
    "logical_or",
    "logical_and",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "gcd",
    "lcm",
    "hypot",
    "logaddexp",
    "logaddexp2",
]
WHOLE = {"bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm"}
INEXACT = {"hypot", "logaddexp", "logaddexp2"}
SHAPES = [(37,), (1,), (23, 40), (3, 33, 5), (2, 4, 64)]
# Over the fake each kernel costs a compilation.
CUDA = [
    ("add", "float32"),
    ("add", "int8"),
    ("maximum", "float16"),
    ("gcd", "int32"),
    ("hypot", "float64"),
    ("multiply", "complex64"),
]


def index_lists(n, r):
    """(label, indices) of an axis of extent n."""
    yield "none", []
    yield "one", [n // 2]
    yield "random", r.integers(0, n, 2 * n + 3)
    yield "rising", np.sort(r.choice(n, max(n * 2 // 3, 1), replace=False))
    yield "repeated", np.repeat(np.sort(r.integers(0, n, n)), r.integers(1, 4, n))
    yield "falling", np.arange(n)[::-1]
    yield "rows", [0, n // 7, n // 5, n // 4, n // 2, n // 2, 0, n - 1]


def layouts(shape):
    yield "C", shape, lambda a: a
    if len(shape) > 1:
        yield "transposed", shape[::-1], lambda a: a.T
    yield "reverse", shape, lambda a: a[tuple(slice(None, None, -1) for _ in shape)]
    yield "step", tuple(2 * n for n in shape), lambda a: a[tuple(slice(None, None, 2) for _ in shape)]


def data(name, d, shape, r):
    """Whole numbers, of which sums are exact in any order; products stay small."""
    if name == "multiply" or name == "lcm":
        return r.choice([1, 1, 1, 1, 1, 1, 2, 1 if d[0] in "ub" else -1], shape).astype(oracle.dtype(d))
    low = 0 if d[0] in "ub" and d != "bfloat16" else -4
    x = r.integers(low, 5, shape)
    return (x + 1j * r.integers(-3, 4, shape) if d in oracle.COMPLEX else x).astype(oracle.dtype(d))


def numpy_reduceat(name, x, indices, axis, dtype=None):
    """NumPy's; 16-bit floats are accumulated in float32."""
    indices = np.asarray(indices, np.intp)
    f, out = getattr(np, name), np.dtype(dtype) if dtype else x.dtype
    if x.dtype in (np.float16, oracle.bfloat16) and not name.startswith("logical"):
        return f.reduceat(x.astype("f4"), indices, axis).astype(out)
    return f.reduceat(x if x.dtype != oracle.bfloat16 else x.astype("f4"), indices, axis, dtype)


def agrees(name, got, want):
    if name not in INEXACT:
        return oracle.same(got + 0 * got, want + 0 * want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    eps = 2.0**-7 if got.dtype == oracle.bfloat16 else float(np.finfo(got.dtype).eps)
    return np.allclose(got.astype("f8"), want.astype("f8"), rtol=16 * eps, atol=16 * eps, equal_nan=True)


def case(report, label, name, x, dev, indices, axis):
    want = numpy_reduceat(name, x, indices, axis)
    got = arrpy.reduceat(name, dev, indices, axis).numpy()
    report.check(
        label,
        agrees(name, got, want),
        f"{got.dtype}{got.shape} {got.ravel()[:6]}, NumPy {want.dtype}{want.ravel()[:6]}",
    )
    whole = report.array(np.zeros((*want.shape[:-1], 2 * want.shape[-1]), want.dtype))
    arrpy.reduceat(name, dev, indices, axis, out=whole[..., 1::2])
    whole = whole.numpy()
    report.check(f"{label} into", agrees(name, whole[..., 1::2], want) and not np.any(whole[..., ::2] != 0))


def domain(name, d):
    if name in ("gcd", "lcm"):
        return d in oracle.SIGNED + oracle.UNSIGNED
    if name in WHOLE:
        return d not in oracle.FLOATS + oracle.COMPLEX
    return not (name in INEXACT and (d in oracle.COMPLEX or d == "bool" or d in ("int8", "uint8", "int16", "uint16")))


def slices(report):
    cuda = report.device != "host"
    cases = CUDA if cuda else [(name, d) for name in OPS for d in oracle.ALL if domain(name, d)]
    for number, (name, d) in enumerate(cases):
        if not report.wants(f"{name} {d}"):
            continue
        r = np.random.default_rng(number)
        for shape in SHAPES[2:4] if cuda else SHAPES if number % 3 == 0 else SHAPES[2:]:
            for layout, base, view in layouts(shape):
                b = data(name, d, base, r)
                x, dev = view(b), view(report.array(b))
                for axis in range(-1, len(shape) - 1):
                    lists = list(index_lists(shape[axis], r))
                    for label, indices in lists[::2] if cuda else lists:
                        case(
                            report,
                            f"{name} {d} {shape} {layout} axis {axis} {label}",
                            name,
                            x,
                            dev,
                            list(map(int, indices)),
                            axis,
                        )


def dtypes(report):
    """With a dtype: elements are cast first."""
    r = np.random.default_rng(3)
    x, indices = r.integers(0, 3, 60), [3, 1, 9, 4, 9, 30, 31, 59]
    pairs = [
        ("int8", "float32"),
        ("float32", "float64"),
        ("int32", "int64"),
        ("int64", "complex64"),
        ("int16", "bool"),
        ("int8", "int16"),
        ("int64", "float16"),
    ]
    for d, to in pairs if report.device == "host" else pairs[:3]:
        for name in ("add", "multiply", "maximum"):
            want = getattr(np, name).reduceat(x.astype(d), np.array(indices), dtype=to)
            got = arrpy.reduceat(name, report.array(x.astype(d)), indices, dtype=to).numpy()
            report.check(f"{name} {d} dtype {to}", oracle.same(got, want), f"{got} {want}")


def large(report):
    """More slices than a block or a thread takes; long slices among short ones, along rows and across them."""
    r, cuda = np.random.default_rng(8), report.device != "host"
    x = r.integers(-9, 10, 30_000 if cuda else 700_000).astype("f8")
    dev = report.array(x)
    count = 9_000 if cuda else 200_000
    for label, indices in (
        ("many", np.sort(r.integers(0, x.size, count))),
        ("many unordered", r.integers(0, x.size, 1500 if cuda else 5000)),
        ("few long", np.array([5, 9, 10, x.size // 3, x.size // 2, x.size - 3])),
        ("long and short", np.concatenate([np.arange(0, 2000, 3), np.sort(r.integers(x.size - 3000, x.size, 900))])),
    ):
        case(report, f"large {label}", "add", x, dev, indices.tolist(), 0)
    rows = 4_000 if cuda else 120_000
    y = r.integers(-9, 10, (rows, 18)).astype("f4")
    indices = [2, 3, 5, rows // 4, 7, 7, rows - 9, rows - 2]
    case(report, "large across", "add", y, report.array(y), indices, 0)
    z = np.ascontiguousarray(y.T)
    case(report, "large transposed", "maximum", z.T, report.array(z).T, indices, 0)
    case(report, "large step", "add", z[:3, ::2], report.array(z)[:3, ::2], [i // 2 for i in indices], 1)
    wide = r.integers(-9, 10, (40, 2500)).astype("i4")
    case(report, "large wide", "add", wide, report.array(wide), [0, 3, 4, 4, 20, 21, 33], 0)


def single(report):
    """One element is itself, not what the identity would make of it; values that are not numbers."""
    x = np.array([-0.0, -3.0, np.nan, np.inf, -np.inf, 2.0, np.nan, np.nan, -0.0, -0.0])
    indices = [0, 1, 2, 3, 4, 5, 5, 6, 8, 0, 7, 3]
    for name in ("add", "multiply", "maximum", "fmax", "fmin", "hypot", "logaddexp"):
        want, got = getattr(np, name).reduceat(x, indices), arrpy.reduceat(name, report.array(x), indices).numpy()
        report.check(f"{name} of specials", oracle.same(got, want), f"{got} {want}")


def refused(report):
    c, x = arrpy.c, report.array(np.arange(9.0))
    for label, indices in (("too large", [0, 5, 2, 8, 1, 9]), ("negative", [0, 3, 1, -1, 4, 2])):
        report.check(f"indices {label}", oracle.raises(c.ARR_E_ARGUMENT, lambda: arrpy.reduceat("add", x, indices)))
    nothing = report.array(np.zeros((0, 3)))
    report.check("of nothing", oracle.raises(c.ARR_E_ARGUMENT, lambda: arrpy.reduceat("add", nothing, [0], 0)))
    report.check("of no sequences", arrpy.reduceat("add", nothing, [0, 2, 1, 2, 0, 1], 1).numpy().shape == (0, 6))


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    for part in (slices, dtypes, large, single, refused):
        part(report)
    report.finish()
