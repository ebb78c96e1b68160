# SPDX-License-Identifier: MIT
"""Workloads of sorting: vectors of four types, rows and columns; against NumPy's default sort and its stable one."""

import ctypes

import numpy as np

import arrpy
from workloads import Workload, address


def numbers(shape, dtype):
    r = np.random.default_rng(5)
    if np.dtype(dtype).kind == "f":
        return r.normal(size=shape).astype(dtype)
    return r.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)


def sort(loops, name, shape, dtype, axis, kind, target):
    x = numbers(shape, dtype)
    a = arrpy.array(x)
    places = name.startswith("argsort")
    peer = np.argsort if places else np.sort

    def check():
        got = arrpy.made("arr_argsort" if places else "arr_sort", a.handle, axis, 0, None).numpy()
        return bool(np.array_equal(got, peer(x, axis, kind="stable")))

    return Workload(
        "sorts",
        name,
        dtype,
        x.size,
        target,
        loops("bench_sort", address(a), ctypes.c_int32(axis), ctypes.c_int32(places)),
        lambda: peer(x, axis, kind=kind),
        check,
        (a,),
    )


def all_workloads(loops, smoke):
    """(suite, name, make) of each."""
    big = 4096 if smoke else 1 << 22
    rows = 64 if smoke else 32768
    cases = [
        (f"{f}{' stable' if kind else ''}", (n,), d, -1, kind)
        for n in (1 << 10, 1 << 16, big)
        for d in ("int16", "float32", "float64", "int64")
        for f, kind in (("sort", None), ("sort", "stable"), ("argsort", None), ("argsort", "stable"))
    ]
    cases += [(f"{f} of rows of 128", (rows, 128), "float32", 1, None) for f in ("sort", "argsort")]
    cases += [("sort of columns of 128", (128, rows), "float32", 0, None)]
    return [
        ("sorts", f"{name} {d} {shape}", lambda c=(name, shape, d, axis, kind): sort(loops, *c, None))
        for name, shape, d, axis, kind in cases
    ]
