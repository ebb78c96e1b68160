# SPDX-License-Identifier: MIT
"""Calls of a thousand to a million elements on two threads beside the same on one: two should never be slower. The
peer of each row is one thread, so a ratio below 1 is a loss."""

import ctypes

import numpy as np

import arrpy
import steps
from engine import Program
from workloads import Workload, address, function, heat, random

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)


def on_threads(loop, n):
    """The loop with n threads; the limit is set once for all repeats."""

    def timed(repeats):
        arrpy.call("arr_set_threads", n)
        return loop(repeats)

    return timed


def workload(name, dtype, size, loop, result, keep=()):
    """result() -> a NumPy array, the same for any number of threads."""

    def check():
        results = []
        for n in (1, 2):
            arrpy.call("arr_set_threads", n)
            results.append(result())
        return bool(np.allclose(*results, rtol=1e-5, atol=1e-8))

    return Workload(
        "threads",
        name,
        dtype,
        size,
        0.95,
        on_threads(loop, 2),
        None,
        check,
        keep,
        "one thread",
        "",
        seconds=0.03,
        peer_loop=on_threads(loop, 1),
    )


def into(name, dtype, loop, dst, keep):
    """A call that writes all of dst."""

    def result():
        loop(1)
        return dst.numpy().copy()

    return workload(name, dtype, dst.size, loop, result, (dst, keep))


def arrays(dtype, n, count):
    return [arrpy.array(random(n, dtype, k + 1)) for k in range(count)]


def square(n):
    side = int(round(n**0.5))
    return side, side


def add(loops, n):
    a, b, dst = arrays("float64", n, 3)
    loop = loops("bench_into2", function("arr_add_into"), *map(address, (dst, a, b)))
    return into("add", "float64", loop, dst, (a, b))


def exp(loops, n):
    a, dst = arrays("float32", n, 2)
    return into("exp", "float32", loops("bench_into1", function("arr_exp_into"), address(dst), address(a)), dst, a)


def formula(loops, n):
    a, b, c, dst = arrays("float64", n, 4)
    p = Program(3)
    i, j, k = p.inputs
    root = p.op("subtract", p.op("add", p.op("multiply", i, j), p.op("multiply", k, i)), p.op("sqrt", j))
    return into("a*b + c*a - sqrt(b)", "float64", p.loop(loops, dst, root, (a, b, c)), dst, (a, b, c, p))


def update(loops, n):
    x, y, start = (random(n, "float64", k) for k in (1, 2, 1))
    a, b, s, p = arrpy.array(x), arrpy.array(y), arrpy.array(np.array(1e-6)), Program(3)
    first = arrpy.array(start)
    root = p.op("add", p.inputs[0], p.op("multiply", p.inputs[2], p.inputs[1]))
    loop = p.loop(loops, a, root, (a, b, s))

    def result():
        arrpy.call("arr_assign", a.handle, first.handle, None)
        loop(3)
        return a.numpy().copy()

    return workload("x += s * y", "float64", n, loop, result, (a, b, s, p, first))


def transposed(loops, n):
    a = arrpy.array(random(square(n), "float32"))
    dst, view = arrpy.empty(square(n), "float32"), a.T
    loop = loops("bench_into1", function("arr_assign"), address(dst), address(view))
    return into("copy of a transposed", "float32", loop, dst, (a, view))


def reduction(loops, label, name, dtype, shape, axis):
    a = arrpy.array(random(shape, dtype))
    loop = loops("bench_reduce", function(f"arr_{name}"), address(a), -1 if axis is None else axis)
    return workload(label, dtype, a.size, loop, lambda: arrpy.reduce(name, a, axis).numpy(), a)


def total(loops, n):
    return reduction(loops, "sum", "sum", "float64", (n,), None)


def columns(loops, n):
    return reduction(loops, "sum down columns", "sum", "float64", square(n), 0)


def best(loops, n):
    return reduction(loops, "argmax of rows of 100", "argmax", "float32", (n // 100, 100), 1)


def running(loops, n):
    a, dst = arrays("float64", n, 2)
    loop = loops("bench_scan", function("arr_cumsum_into"), address(dst), address(a), 0)
    return into("cumsum", "float64", loop, dst, a)


def sorted_numbers(loops, n):
    a = arrpy.array(np.random.default_rng(5).normal(size=n))
    loop = loops("bench_sort", address(a), ctypes.c_int32(0), ctypes.c_int32(0))
    return workload("sort", "float64", n, loop, lambda: arrpy.made("arr_sort", a.handle, 0, 0, None).numpy(), a)


def transform(loops, n):
    a = arrpy.array(random((n // 250, 250), "complex64"))
    loop = loops("bench_fft", function("arr_fftn"), address(a), 1)

    def result():
        return arrpy.made("arr_fftn", a.handle, 1, None, None, 0, None).numpy()

    return workload("fft of rows of 250", "complex64", a.size, loop, result, a)


def product(loops, n):
    a, b, dst = (arrpy.array(random(square(n), "float64", k)) for k in range(3))
    loop = loops("bench_into2", function("arr_matmul_into"), *map(address, (dst, a, b)))
    row = into("matmul", "float64", loop, dst, (a, b))
    row.settle = 0.1  # OpenBLAS's threads go on spinning
    return row


def program(w, name):
    """A workload of another suite, whose own check compares it with its peer."""

    def result():
        return np.array([w.check()])

    row = workload(name, w.dtype, w.size, w.ours, result, w)
    check = row.check
    row.check = lambda: check() and w.check()
    return row


def kernel(loops, n):
    return program(heat(loops, square(n)[0], None), "heat step, raw kernel")


def gradients(loops, n):
    return program(steps.conjugate_gradients(loops, square(n)[0]), "CG step")


def ensemble(loops, n):
    return program(steps.ensemble(loops, n), "RK4 step")


CALLS = (
    add,
    exp,
    formula,
    update,
    transposed,
    total,
    columns,
    best,
    running,
    sorted_numbers,
    transform,
    product,
    kernel,
    gradients,
    ensemble,
)


def all_workloads(loops, smoke):
    sizes = (1_000, 100_000) if smoke else SIZES
    return [("threads", f"{f.__name__} {n}", lambda f=f, n=n: f(loops, n)) for f in CALLS for n in sizes]
