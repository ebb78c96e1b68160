# SPDX-License-Identifier: MIT
"""Workloads of chosen places: add.at, bincount, histogram; searches among sorted points and interpolation."""

import ctypes

import numpy as np

import arrpy
from workloads import Workload, address

EXTENT = 1000


def indices(n):
    return np.random.default_rng(1).integers(0, EXTENT, n)


def add_at(loops, dtype, n, target):
    index, values = indices(n), (np.arange(n) % 7).astype(dtype)
    x = np.zeros(EXTENT, dtype)
    a, i, v = arrpy.zeros(EXTENT, dtype), arrpy.array(index), arrpy.array(values)

    def check():
        fresh, want = arrpy.zeros(EXTENT, dtype), np.zeros(EXTENT, dtype)
        arrpy.at("add", fresh, [i], v)
        np.add.at(want, index, values)
        return bool(np.array_equal(fresh.numpy(), want))

    return Workload(
        "counts",
        "add.at of 1000 places",
        dtype,
        n,
        target,
        loops("bench_at", address(a), address(i), address(v)),
        lambda: np.add.at(x, index, values),
        check,
        (a, i, v),
    )


def bincount(loops, dtype, n, target):
    x = indices(n).astype(dtype)
    a = arrpy.array(x)
    return Workload(
        "counts",
        "bincount of 1000 places",
        dtype,
        n,
        target,
        loops("bench_bincount", address(a)),
        lambda: np.bincount(x),
        lambda: bool(np.array_equal(arrpy.bincount(a).numpy(), np.bincount(x))),
        (a,),
    )


def histogram(loops, dtype, n, target):
    import arrhist

    x = np.random.default_rng(2).normal(size=n).astype(dtype)
    a = arrpy.array(x)

    def check():
        return bool(np.array_equal(arrhist.histogram(a, 100, (-3, 3))[0].numpy(), np.histogram(x, 100, (-3, 3))[0]))

    ours = loops("bench_histogram", address(a), ctypes.c_int64(100), ctypes.c_double(-3), ctypes.c_double(3))
    return Workload(
        "counts", "histogram, 100 bins", dtype, n, target, ours, lambda: np.histogram(x, 100, (-3, 3)), check, (a,)
    )


def points(n):
    r = np.random.default_rng(3)
    return np.arange(float(EXTENT)), r.random(EXTENT), r.random(n) * EXTENT


def searchsorted(loops, dtype, n, target):
    sorted_points, _, x = (v.astype(dtype) for v in points(n))
    a, p = arrpy.array(x), arrpy.array(sorted_points)

    def check():
        got = arrpy.made("arr_searchsorted", p.handle, a.handle, 0, None, None)
        return bool(np.array_equal(got.numpy(), np.searchsorted(sorted_points, x)))

    return Workload(
        "counts",
        "searchsorted in 1000 points",
        dtype,
        n,
        target,
        loops("bench_search", address(a), address(p), ctypes.c_void_p()),
        lambda: np.searchsorted(sorted_points, x),
        check,
        (a, p),
    )


def interp(loops, dtype, n, target):
    sorted_points, values, x = points(n)
    a, p, f = (arrpy.array(v) for v in (x, sorted_points, values))

    def check():
        got = arrpy.made("arr_interp", a.handle, p.handle, f.handle, None, None, 0.0, None)
        return bool(np.allclose(got.numpy(), np.interp(x, sorted_points, values), rtol=1e-12))

    return Workload(
        "counts",
        "interp between 1000 points",
        dtype,
        n,
        target,
        loops("bench_search", address(a), address(p), address(f)),
        lambda: np.interp(x, sorted_points, values),
        check,
        (a, p, f),
    )


def all_workloads(loops, smoke):
    """(suite, name, make) of each."""
    big = 4096 if smoke else 1 << 22
    out = []
    for label, n, target in (("1000", 1000, None), ("1e5", 100_000, None), ("2^22", big, None)):
        for name, make, dtype in (
            ("add.at", add_at, "float64"),
            ("add.at int64", add_at, "int64"),
            ("bincount", bincount, "int64"),
            ("histogram", histogram, "float64"),
            ("searchsorted", searchsorted, "float64"),
            ("interp", interp, "float64"),
        ):
            out.append(("counts", f"{name} {label}", lambda m=make, d=dtype, k=n, t=target: m(loops, d, k, t)))
    return out
