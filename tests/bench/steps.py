# SPDX-License-Identifier: MIT
"""Steps of iterative programs over small and medium arrays, beside plain C on one thread and NumPy."""

import ctypes

import numpy as np

import arrpy
from engine import Program
from workloads import Workload, address, close, random

ALPHA, BETA, STEP = 1e-6, 0.5, 1e-3


def handles(arrays):
    return (arrpy.c.arr_array * len(arrays))(*(a.handle for a in arrays))


def pointer(x):
    return x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def formula(p):
    return ctypes.cast(p.e, ctypes.c_void_p)


def conjugate_gradients(loops, n):
    """The work of a step for the five-point Laplacian: slices, two scalar products, three updates."""
    size = n + 2, n + 2
    p, q, x, r = (np.zeros(size) for _ in range(4))
    p[1:-1, 1:-1], r[1:-1, 1:-1] = random((n, n), "float64"), random((n, n), "float64", 2)
    whole = arrpy.array(p)

    def part(i, j):
        return arrpy.made("arr_slice", whole.handle, 2, arrpy.int64s([i, j]), arrpy.int64s([i + n, j + n]), None)

    inside = p[1:-1, 1:-1].copy(), r[1:-1, 1:-1].copy()
    arrays = [part(1, 1), part(0, 1), part(2, 1), part(1, 0), part(1, 2)]
    arrays += [arrpy.zeros((n, n)), arrpy.zeros((n, n)), arrpy.array(inside[1])]
    arrays += [arrpy.array(np.array(ALPHA)), arrpy.array(np.array(BETA))]
    lap, axpy = Program(5), Program(3)
    node = lap.op("multiply", 4.0, lap.inputs[0])
    for k in range(1, 5):
        node = lap.op("subtract", node, lap.inputs[k])
    update = axpy.op("add", axpy.inputs[0], axpy.op("multiply", *axpy.inputs[1:]))
    a = handles(arrays)
    ours = loops("bench_cg", a, formula(lap), node, formula(axpy), update)
    plain, numbers = loops.library.plain_cg, (ctypes.c_int64(n), ctypes.c_double(ALPHA), ctypes.c_double(BETA))
    plain.restype = ctypes.c_double

    def theirs():
        plain(*numbers, *map(pointer, (p, q, x, r)))

    def check():
        ours(1)
        theirs()
        return all(
            close(mine.numpy(), other[1:-1, 1:-1], 1e-12)
            for mine, other in ((arrays[0], p), (arrays[5], q), (arrays[6], x), (arrays[7], r))
        )

    keep = whole, arrays, a, lap, axpy, p, q, x, r
    return Workload(
        "steps", f"CG step on {n} x {n}", "float64", n * n, 1, ours, theirs, check, keep, "C, one thread", ""
    )


def lorenz(e, x, y, z):
    return (
        e.op("multiply", 10.0, e.op("subtract", y, x)),
        e.op("subtract", e.op("multiply", x, e.op("subtract", 28.0, z)), y),
        e.op("subtract", e.op("multiply", x, y), e.op("multiply", 2.5, z)),
    )


def ensemble(loops, n):
    """A step of the classical method of Runge and Kutta for n systems of three equations, as one program."""
    e, start = Program(3), [random(n, "float64", s) for s in (1, 2, 3)]

    def ahead(h, slope):
        return [e.op("add", u, e.op("multiply", h, k)) for u, k in zip(e.inputs, slope)]

    k1 = lorenz(e, *e.inputs)
    k2 = lorenz(e, *ahead(STEP / 2, k1))
    k3 = lorenz(e, *ahead(STEP / 2, k2))
    k4 = lorenz(e, *ahead(STEP, k3))
    slope = [
        e.op("add", e.op("add", a, e.op("multiply", 2.0, e.op("add", b, c))), d) for a, b, c, d in zip(k1, k2, k3, k4)
    ]
    nodes = arrpy.int32s(ahead(STEP / 6, slope))
    arrays = [arrpy.array(u) for u in start]
    a, plain = handles(arrays), loops.library.plain_lorenz
    ours = loops("bench_expr_many", 3, a, formula(e), nodes, 3, a)

    def theirs():
        plain(ctypes.c_int64(n), ctypes.c_double(STEP), *map(pointer, start))

    def check():
        ours(1)
        theirs()
        return all(close(mine.numpy(), other, 1e-12) for mine, other in zip(arrays, start))

    keep = e, nodes, arrays, a, start
    return Workload(
        "steps", f"RK4 step of {n} systems", "float64", n, 1, ours, theirs, check, keep, "C, one thread", ""
    )


def nearest(loops, n, k, d):
    """The nearest of k centers for each of n points, by the distances of all pairs."""
    x, c, out = random((n, d), "float64"), random((k, d), "float64", 2), np.empty(n, "int64")
    e = Program(2)
    node, plain = e.op("square", e.op("subtract", *e.inputs)), loops.library.plain_nearest
    arrays = [arrpy.array(x[:, None, :]), arrpy.array(c)]
    a = handles(arrays)

    def theirs():
        plain(*map(ctypes.c_int64, (n, k, d)), pointer(x), pointer(c), ctypes.c_void_p(out.ctypes.data))

    def check():
        theirs()
        distances = arrpy.made(
            "arr_expr_reduce", e.e, node, arrpy.c.ARR_REDUCTION_SUM, 1, arrpy.int32s([2]), 0, 2, a, None
        )
        return bool(np.array_equal(distances.numpy().argmin(1), out))

    name = f"nearest of {k} centers, {d} dimensions"
    ours = loops("bench_nearest", formula(e), node, a)
    return Workload("steps", name, "float64", n * k * d, 1, ours, theirs, check, (arrays, a, e), "C, one thread", "")


def chain(loops, n, pairs):
    """2 * pairs + 1 recorded operations, of whose values each is read twice."""
    x, y = random(n, "float64"), random(n, "float64", 2) * 1e-3
    a, b = arrpy.array(x), arrpy.array(y)

    def theirs():
        z = x * y
        for _ in range(pairs):
            z = z + z * y
        return z

    def check():
        arrpy.call("arr_fuse_begin", 0)
        z = arrpy.multiply(a, b)
        for _ in range(pairs):
            z = arrpy.add(z, arrpy.multiply(z, b))
        arrpy.call("arr_fuse_end")
        return close(z.numpy(), theirs(), 1e-12)

    name, ours = f"{2 * pairs + 1} operations, recorded", loops("bench_chain", address(a), address(b), pairs)
    return Workload("steps", name, "float64", n, 1, ours, theirs, check, (a, b))


def all_workloads(loops, smoke):
    rows = [
        ("steps", f"cg {n}", lambda n=n: conjugate_gradients(loops, n))
        for n in ((64,) if smoke else (64, 128, 256, 512))
    ]
    rows += [
        ("steps", f"rk4 {n}", lambda n=n: ensemble(loops, n)) for n in ((1000,) if smoke else (1000, 10_000, 100_000))
    ]
    sizes = ((100, 8, 2), (100, 16, 8)) if smoke else ((10_000, 8, 2), (10_000, 16, 8), (10_000, 100, 3))
    rows += [("steps", f"nearest {s}", lambda s=s: nearest(loops, *s)) for s in sizes]
    rows += [
        ("steps", f"chain {n}", lambda n=n: chain(loops, n, 40)) for n in ((100,) if smoke else (100, 1000, 10_000))
    ]
    return rows
