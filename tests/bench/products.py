# SPDX-License-Identifier: MIT
"""Workloads of matrix products: square ones, stacks of small ones, attention's einsum."""

import ctypes

import numpy as np

import arrpy
from workloads import Workload, address, close, function, random


def matmul(loops, dtype, shape, target):
    x, y = random(shape, dtype), random(shape, dtype, 2)
    out, a, b, dst = np.empty(shape, dtype), arrpy.array(x), arrpy.array(y), arrpy.empty(shape, dtype)
    label = "matmul" if len(shape) == 2 else f"matmul of {shape[0]} matrices"
    return Workload(
        "products",
        label,
        dtype,
        shape[-1],
        target,
        loops("bench_into2", function("arr_matmul_into"), address(dst), address(a), address(b)),
        lambda: np.matmul(x, y, out=out),
        lambda: close(arrpy.matmul(a, b, out=dst).numpy(), x @ y, 1e-4),
        (a, b, dst),
        settle=0.2,
    )


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
    return [
        *(w(f"matmul {d} {n}", matmul, d, (n, n), 0.95) for d in ("float32", "float64") for n in sides),
        *(w(f"matmul {d} batched", matmul, d, (count, head, head), 4.0) for d in ("float32", "float64")),
        *(w(f"einsum {d}", einsum, d, "bqhd,bkhd->bhqk", (heads, heads), 3.0) for d in ("float32", "float64")),
    ]
