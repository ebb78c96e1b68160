# SPDX-License-Identifier: MIT
"""Workloads of sorting: vectors of four types, rows and columns, against NumPy's default sort and its stable one; of
some elements, and by two keys."""

import ctypes

import numpy as np

import arrpy
from workloads import Workload, address

C = arrpy.c


def numbers(shape, dtype):
    r = np.random.default_rng(5)
    if np.dtype(dtype).kind == "f":
        return r.normal(size=shape).astype(dtype)
    return r.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)


def sort(loops, name, shape, dtype, axis, kind, target):
    x = numbers(shape, dtype)
    a = arrpy.array(x)
    indices = name.startswith("argsort")
    peer = np.argsort if indices else np.sort

    def check():
        got = arrpy.made("arr_argsort" if indices else "arr_sort", a.handle, axis, 0, None).numpy()
        return bool(np.array_equal(got, peer(x, axis, kind="stable")))

    return Workload(
        "sorts",
        name,
        dtype,
        x.size,
        target,
        loops("bench_sort", address(a), ctypes.c_int32(axis), ctypes.c_int32(indices)),
        lambda: peer(x, axis, kind=kind),
        check,
        (a,),
    )


def partition(loops, name, n, dtype, k):
    x = numbers(n, dtype)
    a = arrpy.array(x)
    indices = name.startswith("argpartition")
    peer = np.argpartition if indices else np.partition
    call = "arr_argpartition" if indices else "arr_partition"

    def check():
        got = arrpy.made(call, a.handle, 1, (ctypes.c_int64 * 1)(k), -1, None).numpy()
        got = x[got] if indices else got
        return bool(got[k] == np.sort(x)[k] and np.all(got[:k] <= got[k]) and np.all(got[k:] >= got[k]))

    loop = loops("bench_partition", address(a), ctypes.c_int64(k), ctypes.c_int32(indices))
    return Workload("sorts", name, dtype, n, None, loop, lambda: peer(x, k), check, (a,))


def topk(loops, n, dtype, k):
    """NumPy: the largest by a partition, then in order."""
    x = numbers(n, dtype)
    a = arrpy.array(x)

    def peer():
        some = np.argpartition(x, n - k)[n - k :]
        order = some[np.argsort(-x[some])]
        return x[order], order

    def check():
        values, indices = C.arr_array(), C.arr_array()
        arrpy.call("arr_topk", a.handle, k, -1, 1, None, ctypes.byref(values), ctypes.byref(indices))
        return bool(np.array_equal(arrpy.Array(values).numpy(), peer()[0]) and arrpy.Array(indices).numpy().size == k)

    return Workload(
        "sorts", f"topk {k}", dtype, n, None, loops("bench_topk", address(a), ctypes.c_int64(k)), peer, check, (a,)
    )


def lexsort(loops, n, high):
    r = np.random.default_rng(6)
    x = [r.integers(0, high, n) for _ in range(2)]
    a = [arrpy.array(k) for k in x]

    def check():
        handles = (C.arr_array * 2)(*[k.handle for k in a])
        return bool(np.array_equal(arrpy.made("arr_lexsort", 2, handles, -1, None).numpy(), np.lexsort(x)))

    loop = loops("bench_lexsort", address(a[0]), address(a[1]))
    return Workload("sorts", f"lexsort of keys below {high:,}", "int64", n, None, loop, lambda: np.lexsort(x), check, a)


def all_workloads(loops, smoke):
    """(suite, name, make) of each."""
    big = 4096 if smoke else 1 << 22
    rows = 64 if smoke else 32768
    cases = [
        (f"{f}{' stable' if kind else ''}", (n,), d, -1, kind)
        for n in (1000, 1 << 16, big)
        for d in ("int16", "float32", "float64", "int64")
        for f, kind in (("sort", None), ("sort", "stable"), ("argsort", None), ("argsort", "stable"))
    ]
    cases += [(f"{f} of rows of 128", (rows, 128), "float32", 1, None) for f in ("sort", "argsort")]
    cases += [("argsort of rows of 128", (rows, 128), "float64", 1, None)]
    cases += [("sort of columns of 128", (128, rows), "float32", 0, None)]
    some = [
        (f"{f} {n} {d} at {k}", lambda c=(f, n, d, k): partition(loops, *c))
        for n in (1000, big)
        for f, d, k in (
            ("partition", "float32", n // 2),
            ("partition", "float64", n // 2),
            ("argpartition", "float64", 100),
            ("argpartition", "float32", n // 2),
        )
    ]
    some += [(f"topk {k} float32 {big}", lambda k=k: topk(loops, big, "float32", k)) for k in (10, 500)]
    keys = 4096 if smoke else 1 << 20
    some += [(f"lexsort {high}", lambda m=high: lexsort(loops, keys, m)) for high in (1000, 1 << 62)]
    return [("sorts", name, make) for name, make in some] + [
        ("sorts", f"{name} {d} {shape}", lambda c=(name, shape, d, axis, kind): sort(loops, *c, None))
        for name, shape, d, axis, kind in cases
    ]
