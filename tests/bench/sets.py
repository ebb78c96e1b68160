# SPDX-License-Identifier: MIT
"""Workloads of set operations: distinct elements of vectors with few and many of them, membership, two vectors."""

import ctypes

import numpy as np

import arrpy
from workloads import Workload, address

NUMBERS = (
    "unique",
    "unique with indices",
    "unique with inverse",
    "unique with counts",
    "unique rows",
    "isin",
    "union1d",
    "intersect1d",
    "setdiff1d",
    "setxor1d",
)
PEERS = {
    "unique": lambda x, y: np.unique(x),
    "unique with indices": lambda x, y: np.unique(x, return_index=True),
    "unique with inverse": lambda x, y: np.unique(x, return_inverse=True),
    "unique with counts": lambda x, y: np.unique(x, return_counts=True),
    "unique rows": lambda x, y: np.unique(x, axis=0),
    "isin": np.isin,
    "union1d": np.union1d,
    "intersect1d": np.intersect1d,
    "setdiff1d": np.setdiff1d,
    "setxor1d": np.setxor1d,
}


def result(name, a, b):
    """The first result of a function."""
    if name.startswith("unique"):
        axis = 0 if name == "unique rows" else arrpy.c.ARR_AXIS_NONE
        out = arrpy.c.arr_array()
        flags = arrpy.c.ARR_UNIQUE_SORTED | arrpy.c.ARR_UNIQUE_EQUAL_NAN
        arrpy.call("arr_unique", a.handle, axis, flags, None, ctypes.byref(out), None, None, None)
        return arrpy.Array(out).numpy()
    more = {"isin": [0, None], "union1d": [None], "intersect1d": [0, None]}.get(name, [0, None])
    if name == "intersect1d":
        out = arrpy.c.arr_array()
        arrpy.call("arr_intersect1d", a.handle, b.handle, *more, ctypes.byref(out), None, None)
        return arrpy.Array(out).numpy()
    return arrpy.made(f"arr_{name}", a.handle, b.handle, *more).numpy()


def sets(loops, label, name, x, y, target):
    a, b = arrpy.array(x), arrpy.array(y)
    peer = PEERS[name]

    def check():
        want = peer(x, y)
        return bool(np.array_equal(result(name, a, b), want[0] if isinstance(want, tuple) else want))

    return Workload(
        "sets",
        f"{name}, {label}",
        x.dtype.name,
        x.size,
        target,
        loops("bench_sets", ctypes.c_int32(NUMBERS.index(name)), address(a), address(b)),
        lambda: peer(x, y),
        check,
        (a, b),
    )


def drawn(n, values, seed, dtype="i8", low=0):
    return np.random.default_rng(seed).integers(low, low + values, n).astype(dtype)


def spread(n, values, seed, dtype="i8"):
    """As many distinct numbers, all over the range of the type."""
    r = np.random.default_rng(seed)
    if dtype == "i8":
        all_of = r.integers(-(2**62), 2**62, values)
    else:
        all_of = r.normal(size=values).astype(dtype)
    return all_of[r.integers(0, values, n)]


def all_workloads(loops, smoke):
    """(suite, name, make) of each."""
    big, distinct = (8192, 1000) if smoke else (1 << 22, 1_000_000)
    half = big // 4
    none = np.zeros(1)
    cases = []
    for name in ("unique", "unique with indices", "unique with inverse", "unique with counts"):
        few = 15 if name == "unique" else 6
        many = 20 if name == "unique" else 6
        cases += [
            ("1000", name, lambda: drawn(1000, 300, 1), lambda: none, 1),
            ("1000 distinct", name, lambda: drawn(big, 1000, 1), lambda: none, few),
            ("a million distinct", name, lambda: drawn(big, distinct, 2), lambda: none, many),
            ("a million distinct far apart", name, lambda: spread(big, distinct, 3), lambda: none, None),
            ("a million distinct", name, lambda: spread(big, distinct, 3, "f8"), lambda: none, None),
        ]
    rows = (64, 10) if smoke else (1 << 18, 10)
    cases += [
        ("of bytes", "unique rows", lambda: drawn(rows[0] * 10, 3, 4, "u1").reshape(rows), lambda: none, None),
        ("of floats", "unique rows", lambda: spread(rows[0] * 10, 50, 4, "f4").reshape(rows), lambda: none, None),
        ("1000 in 1000", "isin", lambda: spread(1000, 900, 5), lambda: spread(1000, 900, 6), 1),
        ("4 M in 1 M far apart", "isin", lambda: spread(big, distinct, 5), lambda: spread(half, distinct, 6), 8),
        ("4 M in 1 M", "isin", lambda: drawn(big, distinct, 5), lambda: drawn(half, distinct, 6), None),
        ("4 M in 1000", "isin", lambda: spread(big, distinct, 5, "f8"), lambda: spread(1000, 1000, 5, "f8"), None),
    ]
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        cases += [
            ("1000", name, lambda: spread(1000, 900, 5), lambda: spread(1000, 900, 6), 1),
            (
                "1 M far apart",
                name,
                lambda: spread(half, distinct, 7),
                lambda: spread(half, distinct, 7)[::-1].copy(),
                20,
            ),
            ("1 M", name, lambda: drawn(half, distinct, 7), lambda: drawn(half, distinct, 8), 20),
        ]
    return [
        (
            "sets",
            f"{name}, {label}",
            lambda c=(label, name, x, y, target): sets(loops, c[0], c[1], c[2](), c[3](), c[4]),
        )
        for label, name, x, y, target in cases
    ]
