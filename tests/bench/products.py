# SPDX-License-Identifier: MIT
"""Workloads of matrix products: square ones, stacks of small ones, attention's einsum."""

import ctypes

import numpy as np

import arrpy
from workloads import Workload, address, close, function, random


def matmul(loops, dtype, shape, target):
    x, y = random(shape, dtype), random(shape, dtype, 2)
    label = "matmul" if len(shape) == 2 else f"matmul of {shape[0]} matrices"
    return product(loops, label, shape[-1], target, (x, y), (arrpy.array(x), arrpy.array(y)))


def product(loops, label, size, target, theirs, ours):
    (x, y), (a, b) = theirs, ours
    out = np.matmul(x, y)
    dst = arrpy.empty(out.shape, x.dtype)
    return Workload(
        "products",
        label,
        x.dtype.name,
        size,
        target,
        loops("bench_into2", function("arr_matmul_into"), address(dst), address(a), address(b)),
        lambda: np.matmul(x, y, out=out),
        lambda: close(arrpy.matmul(a, b, out=dst).numpy(), x @ y, 1e-4),
        (a, b, dst),
        settle=0.2,
    )


def shaped(loops, dtype, left, right, order, target):
    """A product of these shapes; order F: of matrices that are stored by columns."""
    x, y = random(left, dtype), random(right, dtype, 2)
    a, b = arrpy.array(x), arrpy.array(y)
    if order == "F":
        columns = np.ascontiguousarray(x.swapaxes(-1, -2))
        memory = arrpy.array(columns)
        x, a = columns.swapaxes(-1, -2), arrpy.made("arr_swapaxes", memory.handle, -1, -2)
    label = f"matmul {'x'.join(map(str, left))} by {'x'.join(map(str, right))} {order}"
    return product(loops, label, (x @ y).size, target, (x, y), (a, b))


def einsum(loops, dtype, text, shapes, target):
    arrays = [random(s, dtype, k) for k, s in enumerate(shapes)]
    ours = [arrpy.array(x) for x in arrays]
    handles = (arrpy.c.arr_array * len(ours))(*(a.handle for a in ours))

    def check():
        got = arrpy.made("arr_einsum", text.encode(), len(ours), handles, 0, None)
        return close(got.numpy(), np.einsum(text, *arrays, optimize=True), 1e-4)

    loop = loops("bench_einsum", ctypes.c_char_p(text.encode()), len(ours), handles)
    return Workload(
        "products",
        f"einsum {text}",
        dtype,
        arrays[0].size,
        target,
        loop,
        lambda: np.einsum(text, *arrays),
        check,
        (ours, handles),
        settle=0.2,
    )


def all_workloads(loops, smoke):
    def w(name, make, *args):
        return "products", name, lambda: make(loops, *args)

    sides = (8, 16, 32) if smoke else (256, 1024, 2048)
    count, head = (3, 8) if smoke else (256, 64)
    heads = (1, 4, 2, 8) if smoke else (8, 128, 8, 64)
    many = 3 if smoke else 1000
    vectors = (16,) if smoke else (16, 64, 256, 1024, 4096)
    stacks = [((many, n, n), (many, n, n)) for n in ((2, 4) if smoke else (2, 3, 4, 6, 8, 12, 16, 32))]
    stacks += [((n, n), (many, n, n)) for n in (4, 16)] + [((many, n, n), (n, n)) for n in (4, 16)]
    stacks += [((many, 4, 4), (many, 4, 1)), ((100 * many, 4, 4), (100 * many, 4, 4))]
    types = ("float64",) if smoke else ("float32", "float64", "complex128")
    return [
        *(w(f"matmul {d} {n}", matmul, d, (n, n), 0.95) for d in ("float32", "float64") for n in sides),
        *(w(f"matmul {d} batched", matmul, d, (count, head, head), 4.0) for d in ("float32", "float64")),
        *(w(f"stack {d} {a} {b}", shaped, d, a, b, "C", 4.0) for d in types for a, b in stacks),
        *(w(f"gemv {d} {n} {o}", shaped, d, (n, n), (n, 1), o, 0.95) for d in types for n in vectors for o in "CF"),
        *(w(f"einsum {d}", einsum, d, "bqhd,bkhd->bhqk", (heads, heads), 3.0) for d in ("float32", "float64")),
    ]
