# SPDX-License-Identifier: MIT
"""Every op of the table that NumPy has under the same name, on 1000 elements: none may be slower than NumPy's."""

import numpy as np

import arrpy
from workloads import Workload, address, close, function, random

SIZE = 1000
DTYPES = (
    "float32",
    "float64",
    "float16",
    "complex64",
    "complex128",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
)
LOOPS = {1: "bench_into1", 2: "bench_into2", 3: "bench_into3"}
# NumPy's ufunc of that name takes the domain (-1, 1) or [1, inf) only.
WITHIN_ONE, FROM_ONE = {"arcsin", "arccos", "arctanh"}, {"arccosh"}


def operands(name, nin, dtype):
    if dtype == "bool":
        return [np.random.default_rng(seed + 1).integers(0, 2, SIZE).astype(bool) for seed in range(nin)]
    values = [random(SIZE, dtype, seed + 1) for seed in range(nin)]
    if name in WITHIN_ONE:
        return [(v / 8).astype(dtype) for v in values]
    return [v + np.asarray(1, dtype) for v in values] if name in FROM_ONE or np.dtype(dtype).kind in "iu" else values


def workload(loops, name, nin, dtype):
    values = operands(name, nin, dtype)
    f = getattr(np, name)
    result = f(*values)
    out = np.empty_like(result)
    arrays = [arrpy.array(v) for v in values]
    dst = arrpy.empty(SIZE, result.dtype)
    ours = loops(LOOPS[nin], function(f"arr_{name}_into"), address(dst), *(address(a) for a in arrays))
    tolerance = {"float16": 2e-2, "float32": 1e-4, "complex64": 1e-4}.get(result.dtype.name, 1e-9)

    def check():
        ours(1)
        return close(dst.numpy(), result, tolerance)

    return Workload(
        "sweep",
        f"{name} into",
        dtype,
        SIZE,
        1.0,
        ours,
        lambda: f(*values, out=out),
        check,
        (*arrays, dst),
        seconds=0.01,
    )


def takes(name, nin, dtype):
    """True if both have the op for the dtype, NumPy with results of its own choice."""
    f = getattr(np, name, None)
    if not isinstance(f, np.ufunc) or f.nin != nin or f.nout != 1:
        return False
    try:
        arrays = [arrpy.array(v) for v in operands(name, nin, dtype)]
        with np.errstate(all="ignore"):
            return arrpy.apply(name, *arrays).numpy().dtype == f(*operands(name, nin, dtype)).dtype
    except (TypeError, arrpy.Error):
        return False


def all_workloads(loops, smoke):
    rows = []
    for name, (_, nin) in arrpy.c.OPS.items():
        for dtype in DTYPES[:1] if smoke else DTYPES:
            if takes(name, nin, dtype):
                rows.append(
                    (
                        "sweep",
                        f"{name} {dtype}",
                        lambda name=name, nin=nin, dtype=dtype: workload(loops, name, nin, dtype),
                    )
                )
    return rows
