# SPDX-License-Identifier: MIT
"""The workloads: ours through C, the peer's through Python, and a comparison of their results."""

import ctypes
import importlib
import pathlib
import sys

import numpy as np

import arrpy
from timing import python_loop

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Workload:
    """ours(repeats) -> ns per call; peer() runs once; check() -> whether the results agree.

    settle: seconds of rest before each side, where both have threads that go on spinning for a while after a call
    (OpenBLAS's do) and would take the other side's cores.
    seconds: how long each side runs per round. peer_loop: peer_loop(repeats) -> ns per call, instead of peer().
    """

    def __init__(
        self,
        suite,
        name,
        dtype,
        size,
        target,
        ours,
        peer,
        check,
        keep=(),
        peer_name="numpy",
        peer_version=np.__version__,
        settle=0.0,
        seconds=0.15,
        peer_loop=None,
    ):
        self.suite, self.name, self.dtype, self.size, self.target = suite, name, dtype, size, target
        self.ours, self.peer, self.check, self.keep = ours, peer, check, keep
        self.peer_name, self.peer_version = peer_name, peer_version
        self.settle, self.seconds, self.peer_loop = settle, seconds, peer_loop

    @staticmethod
    def error():
        return arrpy.lib.arr_last_error().decode()


def function(name):
    return ctypes.cast(getattr(arrpy.lib, name), ctypes.c_void_p)


def address(a):
    return ctypes.cast(a.handle, ctypes.c_void_p)


class Loops:
    """The C loops with their result type set."""

    def __init__(self, library):
        self.library = library

    def __call__(self, name, *arguments):
        f = getattr(self.library, name)
        f.restype = ctypes.c_double
        return lambda repeats: f(*arguments, ctypes.c_int64(repeats))


def random(shape, dtype, seed=1):
    r = np.random.default_rng(seed)
    x = r.random(shape) * 4 + 0.25
    return (x + (r.random(shape) * 4 - 2) * 1j if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(a, b, tolerance=1e-5):
    return bool(np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True))


def binary(loops, name, dtype, n, target):
    x, y = random(n, dtype), random(n, dtype, 2)
    out, a, b = np.empty(n, dtype), arrpy.array(x), arrpy.array(y)
    dst = arrpy.empty(n, dtype)
    f = getattr(np, name)
    return Workload(
        "basic",
        f"{name} into",
        dtype,
        n,
        target,
        loops("bench_into2", function(f"arr_{name}_into"), address(dst), address(a), address(b)),
        lambda: f(x, y, out=out),
        lambda: bool(np.array_equal(arrpy.apply(name, a, b, out=dst).numpy(), f(x, y))),
        (a, b, dst),
    )


def fresh(loops, name, dtype, n, target):
    x, y = random(n, dtype), random(n, dtype, 2)
    a, b = arrpy.array(x), arrpy.array(y)
    f = getattr(np, name)
    return Workload(
        "basic",
        f"{name} out of place",
        dtype,
        n,
        target,
        loops("bench_fresh2", function(f"arr_{name}"), address(a), address(b)),
        lambda: f(x, y),
        lambda: bool(np.array_equal(arrpy.apply(name, a, b).numpy(), f(x, y))),
        (a, b),
    )


def unary(loops, name, dtype, n, target, group="basic"):
    x = random(n, dtype)
    out, a, dst = np.empty(n, dtype), arrpy.array(x), arrpy.empty(n, dtype)
    f = getattr(np, name)
    return Workload(
        group,
        f"{name} into",
        dtype,
        n,
        target,
        loops("bench_into1", function(f"arr_{name}_into"), address(dst), address(a)),
        lambda: f(x, out=out),
        lambda: close(arrpy.apply(name, a, out=dst).numpy(), f(x)),
        (a, dst),
    )


def matmul(loops, dtype, n, target):
    x, y = random((n, n), dtype), random((n, n), dtype, 2)
    out, a, b, dst = np.empty((n, n), dtype), arrpy.array(x), arrpy.array(y), arrpy.empty((n, n), dtype)
    return Workload(
        "basic",
        "matmul",
        dtype,
        n,
        target,
        loops("bench_into2", function("arr_matmul_into"), address(dst), address(a), address(b)),
        lambda: np.matmul(x, y, out=out),
        lambda: close(arrpy.matmul(a, b, out=dst).numpy(), x @ y, 1e-4),
        (a, b, dst),
        settle=0.2,
    )


def reduction(loops, name, dtype, shape, axis, target):
    x = random(shape, dtype)
    a = arrpy.array(x)
    f = getattr(np, name)
    label = f"{name} {'all' if axis is None else f'axis {axis}'} of {shape}"
    return Workload(
        "reduce",
        label,
        dtype,
        x.size,
        target,
        loops("bench_reduce", function(f"arr_{name}"), address(a), -1 if axis is None else axis),
        lambda: f(x, axis=axis),
        lambda: close(arrpy.reduce(name, a, axis).numpy(), f(x.astype("f8"), axis=axis), 1e-4),
        (a,),
    )


def scan(loops, name, dtype, shape, axis, target):
    x = random(shape, dtype)
    a, dst, out = arrpy.array(x), arrpy.empty(shape, dtype), np.empty(shape, dtype)
    f = getattr(np, name)
    return Workload(
        "scan",
        f"{name} axis {axis} of {shape}",
        dtype,
        x.size,
        target,
        loops("bench_scan", function(f"arr_{name}_into"), address(dst), address(a), axis),
        lambda: f(x, axis=axis, out=out),
        lambda: close(arrpy.scan(name, a, axis).numpy(), f(x.astype("f8"), axis=axis), 1e-4),
        (a, dst),
    )


def reduceat(_, dtype, n, length, equal, target):
    """Sums of slices of one length, or of as many that begin anywhere."""
    x, starts = random((n,), dtype), np.arange(0, n, length)
    if not equal:
        starts = np.sort(np.random.default_rng(5).choice(n, len(starts), replace=False))
    a, out = arrpy.array(x), np.empty(len(starts), dtype)
    dst, indices = arrpy.empty(out.shape, dtype), starts.tolist()
    arguments = dst.handle, arrpy.c.ARR_OP_ADD, a.handle, len(indices), arrpy.int64s(indices), 0, 0, None
    return Workload(
        "scan",
        f"add.reduceat by {'' if equal else 'about '}{length}",
        dtype,
        n,
        target,
        python_loop(lambda: arrpy.call("arr_ufunc_reduceat_into", *arguments)),
        lambda: np.add.reduceat(x, starts, out=out),
        lambda: close(arrpy.reduceat("add", a, indices).numpy(), np.add.reduceat(x, starts), 1e-12),
        (a, dst),
    )


def fold(_, name, dtype, n, target):
    """One sequence from left to right."""
    x = (random((n,), "float64") * 0.1 + 1).astype(dtype)
    a, f, op = arrpy.array(x), getattr(np, name), getattr(arrpy.c, f"ARR_OP_{name.upper()}")

    def ours():
        return arrpy.made("arr_ufunc_reduce", op, a.handle, 0, None, 0, None, None)

    return Workload(
        "scan",
        f"{name}.reduce",
        dtype,
        n,
        target,
        python_loop(ours),
        lambda: f.reduce(x),
        lambda: close(ours().numpy(), f.reduce(x)),
        (a,),
    )


def diff(loops, dtype, shape, axis, target):
    x = random(shape, dtype)
    a = arrpy.array(x)

    def check():
        out = arrpy.made("arr_diff", a.handle, 1, axis, None, None, None)
        return bool(np.array_equal(out.numpy(), np.diff(x, axis=axis)))

    return Workload(
        "scan",
        f"diff axis {axis} of {shape}",
        dtype,
        x.size,
        target,
        loops("bench_diff", address(a), axis),
        lambda: np.diff(x, axis=axis),
        check,
        (a,),
    )


def fused(loops, dtype, n, target):
    """a*b + c*a - sqrt(b) in one program."""
    x, y, z = (random(n, dtype, s) for s in (1, 2, 3))
    a, b, c, dst = *(arrpy.array(v) for v in (x, y, z)), arrpy.empty(n, dtype)
    e = arrpy.made("arr_expr_create", of=arrpy.c.arr_expr)

    def node(name, *args):
        out = ctypes.c_int32()
        arrpy.call(name, e, *args, ctypes.byref(out))
        return out.value

    def op(name, *args):
        return node("arr_expr_op", arrpy.c.OPS[name][0], len(args), arrpy.int32s(args))

    i, j, k = (node("arr_expr_input", m) for m in range(3))
    root = op("subtract", op("add", op("multiply", i, j), op("multiply", k, i)), op("sqrt", j))
    handles = (arrpy.c.arr_array * 3)(a.handle, b.handle, c.handle)
    ours = loops("bench_expr", address(dst), ctypes.cast(e, ctypes.c_void_p), root, 3, handles)

    def check():
        ours(1)
        return close(dst.numpy(), x * y + z * x - np.sqrt(y))

    return Workload(
        "fused",
        "a*b + c*a - sqrt(b)",
        dtype,
        n,
        target,
        ours,
        lambda: x * y + z * x - np.sqrt(y),
        check,
        (a, b, c, dst, e, handles),
    )


def heat(loops, n, target):
    """The raw kernel of examples/heat.cu against NumPy slicing that makes no temporaries."""
    u = random((n, n), "f8")
    source = (ROOT / "examples" / "heat.cu").read_text().encode()
    module = arrpy.made("arr_module_create", source, -1, arrpy.device_of("host"), 0, None, of=arrpy.c.arr_module)
    kernel = arrpy.made("arr_module_kernel", module, b"heat", of=arrpy.c.arr_kernel)
    a, b = arrpy.array(u), arrpy.zeros((n, n))
    values = (arrpy.c.arr_value * 5)(*(arrpy.value(v) for v in (a, b, np.int64(n), np.int64(n), np.float64(0.2))))
    grid, block = arrpy.int64s([-(-n // 32), -(-n // 8), 1]), arrpy.int32s([32, 8, 1])
    v, t = u.copy(), np.empty((n - 2, n - 2))

    def peer():
        np.add(u[1:-1, :-2], u[1:-1, 2:], out=t)
        np.add(t, u[:-2, 1:-1], out=t)
        np.add(t, u[2:, 1:-1], out=t)
        np.multiply(t, 0.2, out=t)
        np.multiply(u[1:-1, 1:-1], 1 - 0.8, out=v[1:-1, 1:-1])
        np.add(v[1:-1, 1:-1], t, out=v[1:-1, 1:-1])

    ours = loops("bench_launch", ctypes.cast(kernel, ctypes.c_void_p), grid, block, 5, values)

    def check():
        ours(1)
        peer()
        return close(b.numpy(), v, 1e-12)

    return Workload(
        "kernel",
        "heat step, raw kernel",
        "float64",
        n * n,
        target,
        ours,
        peer,
        check,
        (a, b, module, kernel, values, grid, block),
    )


def others(loops, smoke):
    """The suites that build on this module; one whose peer is not installed is left out."""
    rows = []
    for name in (
        "counts",
        "distances",
        "draws",
        "engine",
        "joins",
        "matrices",
        "places",
        "products",
        "sets",
        "shapes",
        "sorts",
        "steps",
        "sweep",
        "threads",
        "transforms",
    ):
        try:
            rows += importlib.import_module(name).all_workloads(loops, smoke)
        except ModuleNotFoundError as e:
            print(f"{e.name} is not installed for this Python: {name}.py is left out", file=sys.stderr)
    return rows


def all_workloads(library, smoke=False):
    """(suite, name, make) of each; the targets are ratios to the peer that a release must reach."""
    loops = Loops(library)
    big, mid, edge, side = (4096, 4096, 256, 64) if smoke else (1 << 24, 1 << 22, 2048, 1024)
    rows = 64 if smoke else 4096

    def w(suite, name, make, *args):
        return suite, name, lambda: make(loops, *args)

    return [
        w("basic", "add 100", binary, "add", "float32", 100, 1 / 0.35),
        w("basic", "add 1000", binary, "add", "float32", 1000, None),
        w("basic", "add 1e5", binary, "add", "float32", 100_000, None),
        w("basic", "add 2^24", binary, "add", "float32", big, 1.8),
        w("basic", "add 2^24 fresh", fresh, "add", "float32", big, 2.5),
        w("basic", "add float64", binary, "add", "float64", mid, None),
        w("basic", "exp", unary, "exp", "float32", mid, 1.5),
        w("basic", "sin", unary, "sin", "float32", mid, 1.5),
        w("basic", "exp float64", unary, "exp", "float64", mid, None),
        w("basic", "log", unary, "log", "float32", mid, None),
        w("basic", "tanh", unary, "tanh", "float32", mid, None),
        w("basic", "matmul", matmul, "float32", side, 0.9),
        w("basic", "matmul float64", matmul, "float64", side, None),
        w("reduce", "sum all", reduction, "sum", "float32", (rows, rows), None, None),
        w("reduce", "sum 0", reduction, "sum", "float32", (rows, rows), 0, None),
        w("reduce", "sum 1", reduction, "sum", "float32", (rows, rows), 1, None),
        w("reduce", "sum last of 2", reduction, "sum", "float32", (rows * 256, 2), 1, None),
        w("reduce", "argmax 0", reduction, "argmax", "float32", (rows, rows), 0, None),
        w("reduce", "argmax 1", reduction, "argmax", "float32", (rows, rows), 1, None),
        w("scan", "cumsum 1000", scan, "cumsum", "float32", (1000,), 0, 1),
        w("scan", "cumsum 1e5", scan, "cumsum", "float32", (100_000,), 0, None),
        w("scan", "cumsum 1-D", scan, "cumsum", "float32", (big,), 0, 8),
        w("scan", "cumsum 0", scan, "cumsum", "float32", (rows, rows), 0, 20),
        w("scan", "cumsum 1", scan, "cumsum", "float32", (rows, rows), 1, None),
        *(
            w("scan", "reduceat", reduceat, "float64", 10_000 if smoke else n, 10, equal, 1)
            for n, equal in ((1_000_000, True), (4_194_304, True), (1_000_000, False))
        ),
        *(
            w("scan", "fold", fold, name, dtype, n, None)
            for name, dtype in (("subtract", "float64"), ("subtract", "int32"), ("divide", "float64"))
            for n in ((1000,) if smoke else (1000, 100_000, 10_000_000))
        ),
        w("scan", "diff 0", diff, "float32", (rows, rows), 0, None),
        w("scan", "diff 1", diff, "float32", (rows, rows), 1, None),
        w("fused", "chain", fused, "float32", big, None),
        w("kernel", "heat", heat, edge, 3.0),
        *others(loops, smoke),
    ]
