# SPDX-License-Identifier: MIT
"""Workloads of the engine: element-wise work, casts, copies and programs, each at three sizes."""

import ctypes
import sys

import numpy as np

import arrpy
import workloads
from workloads import Workload, address, close, function, random

SIZES = (1_000, 100_000, 1 << 24)


class Program:
    """An expression built op by op, and the C loop that runs it."""

    def __init__(self, inputs):
        self.e = arrpy.made("arr_expr_create", of=arrpy.c.arr_expr)
        self.inputs = [self._node("arr_expr_input", k) for k in range(inputs)]

    def _node(self, name, *args):
        out = ctypes.c_int32()
        arrpy.call(name, self.e, *args, ctypes.byref(out))
        return out.value

    def op(self, name, *args):
        args = [a if isinstance(a, int) else self._node("arr_expr_constant", arrpy.value(a)) for a in args]
        return self._node("arr_expr_op", arrpy.c.OPS[name][0], len(args), arrpy.int32s(args))

    def loop(self, loops, dst, node, arrays):
        self.keep = (arrpy.c.arr_array * len(arrays))(*(a.handle for a in arrays))
        return loops("bench_expr", address(dst), ctypes.cast(self.e, ctypes.c_void_p), node, len(arrays), self.keep)


def number(loops, name, dtype, n, target):
    """An array and a number, of which no array is made."""
    x = random(n, dtype)
    a, dst, out = arrpy.array(x), arrpy.empty(n, dtype), np.empty(n, dtype)
    f, operands = getattr(np, name), (arrpy.value(a), arrpy.value(2.0))
    return Workload(
        "engine",
        f"{name} with a number",
        dtype,
        n,
        target,
        loops("bench_values", function(f"arr_{name}_v_into"), address(dst), *map(ctypes.byref, operands)),
        lambda: f(x, 2.0, out=out),
        lambda: bool(np.array_equal(arrpy.apply(name, a, 2.0, out=dst).numpy(), f(x, 2.0))),
        (a, dst, operands),
    )


def shaped(n):
    """A square of about n elements, for what needs two dimensions."""
    side = int(round(n**0.5))
    return side, side


def unary(loops, name, dtype, n, target):
    return workloads.unary(loops, name, dtype, n, target, "engine")


def binary(loops, name, dtype, n, target):
    x, y = random(n, dtype), random(n, dtype, 2)
    out, a, b, dst = np.empty(n, dtype), arrpy.array(x), arrpy.array(y), arrpy.empty(n, dtype)
    f = getattr(np, name)
    tolerance = 1e-2 if dtype == "float16" else 1e-5
    return Workload(
        "engine",
        f"{name} into",
        dtype,
        n,
        target,
        loops("bench_into2", function(f"arr_{name}_into"), address(dst), address(a), address(b)),
        lambda: f(x, y, out=out),
        lambda: close(arrpy.apply(name, a, b, out=dst).numpy(), f(x, y), tolerance),
        (a, b, dst),
    )


def where(loops, dtype, n, target):
    m, x, y = random(n, "f4") > 2, random(n, dtype), random(n, dtype, 2)
    c, a, b, dst = arrpy.array(m), arrpy.array(x), arrpy.array(y), arrpy.empty(n, dtype)
    ours = loops("bench_into3", function("arr_where_into"), address(dst), address(c), address(a), address(b))
    return Workload(
        "engine",
        "where(m, a, b)",
        dtype,
        n,
        target,
        ours,
        lambda: np.where(m, x, y),
        lambda: bool(np.array_equal(arrpy.apply("where", c, a, b, out=dst).numpy(), np.where(m, x, y))),
        (c, a, b, dst),
    )


def assign(loops, label, source, to, target):
    """dst[...] = view; `source` is (NumPy array, its view as a function)."""
    base, view = source
    x, v = view(base), view(arrpy.array(base))
    out, dst = np.empty(x.shape, to), arrpy.empty(x.shape, to)
    ours = loops("bench_into1", function("arr_assign"), address(dst), address(v))

    def check():
        ours(1)
        return bool(np.array_equal(dst.numpy(), x.astype(to)))

    return Workload("engine", label, to, x.size, target, ours, lambda: np.copyto(out, x), check, (v, dst))


def cast(loops, n, target):
    x = np.random.default_rng(1).integers(-100, 100, n).astype("i1")
    return assign(loops, "int8 to float32", (x, lambda a: a), "float32", target)


def transposed(loops, n, target):
    return assign(loops, "copy of a transposed", (random(shaped(n), "f4"), lambda a: a.T), "float32", target)


def chain(loops, dtype, n, target, peer="numpy"):
    """a*b + c*a - sqrt(b) in one program, against NumPy or numexpr."""
    x, y, z = (random(n, dtype, s) for s in (1, 2, 3))
    a, b, c, dst = *(arrpy.array(v) for v in (x, y, z)), arrpy.empty(n, dtype)
    p = Program(3)
    i, j, k = p.inputs
    root = p.op("subtract", p.op("add", p.op("multiply", i, j), p.op("multiply", k, i)), p.op("sqrt", j))
    ours = p.loop(loops, dst, root, (a, b, c))

    def check():
        ours(1)
        return close(dst.numpy(), x * y + z * x - np.sqrt(y))

    call, version = (lambda: x * y + z * x - np.sqrt(y)), np.__version__
    if peer == "numexpr":
        import numexpr

        numexpr.set_num_threads(2)
        out, version = np.empty(n, dtype), numexpr.__version__
        call = lambda: numexpr.evaluate("x*y + z*x - sqrt(y)", {"x": x, "y": y, "z": z}, out=out)  # noqa: E731
    return Workload(
        "engine", "a*b + c*a - sqrt(b)", dtype, n, target, ours, call, check, (a, b, c, dst, p), peer, version
    )


def calls(loops, dtype, scope, n, target):
    """The same by ordinary calls, between arr_fuse_begin and arr_fuse_end or without a scope."""
    x, y, z = (random(n, dtype, s) for s in (1, 2, 3))
    a, b, c = (arrpy.array(v) for v in (x, y, z))

    def check():
        arrpy.call("arr_fuse_begin", 0)
        out = arrpy.apply(
            "subtract",
            arrpy.apply("add", arrpy.apply("multiply", a, b), arrpy.apply("multiply", c, a)),
            arrpy.apply("sqrt", b),
        )
        arrpy.call("arr_fuse_end")
        return close(out.numpy(), x * y + z * x - np.sqrt(y))

    return Workload(
        "engine",
        f"a*b + c*a - sqrt(b), {'recorded in a scope' if scope else 'by calls'}",
        dtype,
        n,
        target,
        loops("bench_fuse", address(a), address(b), address(c), ctypes.c_int32(scope)),
        lambda: x * y + z * x - np.sqrt(y),
        check,
        (a, b, c),
    )


def all_workloads(loops, smoke):
    sizes = (300, 1_000, 4_096) if smoke else SIZES
    rows = []

    def add(make, *args, target):
        for n in sizes:
            # The targets are for the large size.
            rows.append(
                (
                    "engine",
                    f"{make.__name__} {' '.join(map(str, args))} {n}".replace("  ", " "),
                    lambda n=n: make(loops, *args, n, target if n == sizes[-1] else None),
                )
            )

    add(lambda l, d, n, t: chain(l, d, n, t), "float32", target=8)
    try:
        import numexpr  # noqa: F401

        add(lambda l, d, n, t: chain(l, d, n, t, "numexpr"), "float32", target=3)
    except ImportError:
        print("numexpr is not installed: the comparison with it is left out", file=sys.stderr)
    add(calls, "float32", True, target=None)
    add(calls, "float32", False, target=None)
    add(where, "float32", target=10)
    for name in ("exp", "log", "sin", "tanh"):
        add(unary, name, "float32", target=2.5)
        add(unary, name, "float64", target=1.5)
    add(binary, "power", "float64", target=1.3)
    add(binary, "add", "float16", target=5)
    for n in (4, 100, *sizes):
        rows.append(("engine", f"number add float64 {n}", lambda n=n: number(loops, "add", "float64", n, None)))
    add(cast, target=2)
    add(transposed, target=10)
    return rows
