# SPDX-License-Identifier: MIT
"""Random numbers beside NumPy's Generator, both into arrays that are there."""

import ctypes

import numpy as np

import arrpy
from timing import python_loop
from workloads import Workload


def generator():
    g = arrpy.c.arr_generator()
    arrpy.call("arr_generator_create", 1, (ctypes.c_int64 * 1)(1), ctypes.byref(g))
    return g


def draw(name, n, dtype, target, peer, *parameters, mean, spread):
    """peer(generator, out): fills out. The means agree within five standard errors."""
    a, out, g, other = arrpy.empty(n, dtype), np.empty(n, dtype), generator(), np.random.default_rng(1)
    values = [ctypes.byref(arrpy.value(p)) for p in parameters]
    end = [1, None] if name == "integers" else [None]  # both ends included

    def ours():
        arrpy.call(f"arr_random_{name}_into", a.handle, g, *values, *end)

    def check():
        ours()
        return bool(abs(a.numpy().astype("f8").mean() - mean) < 5 * spread / n**0.5)

    return Workload(
        "random", name, dtype, n, target, python_loop(ours), lambda: peer(other, out), check, keep=(a, out, g)
    )


def permutation(n, target):
    g, other = generator(), np.random.default_rng(1)
    last = []

    def ours():
        out = arrpy.made("arr_random_permutation", g, n, n, 0, None, None)
        last[:] = [out]

    def check():
        ours()
        return bool(np.array_equal(np.sort(last[0].numpy()), np.arange(n)))

    return Workload(
        "random",
        "permutation",
        "int64",
        n,
        target,
        python_loop(ours),
        lambda: other.permutation(n),
        check,
        keep=(g, last),
    )


def all_workloads(loops, smoke):
    n, m = (4096, 4096) if smoke else (1 << 24, 10_000_000)
    rows = [
        ("random", "float32", 6, lambda r, o: r.random(out=o, dtype="f4"), (), 0.5, 0.3),
        ("random", "float64", None, lambda r, o: r.random(out=o), (), 0.5, 0.3),
        ("standard_normal", "float32", 6, lambda r, o: r.standard_normal(out=o, dtype="f4"), (), 0, 1),
        ("standard_normal", "float64", 6, lambda r, o: r.standard_normal(out=o), (), 0, 1),
        ("standard_exponential", "float64", None, lambda r, o: r.standard_exponential(out=o), (), 1, 1),
        ("integers", "int64", 4, lambda r, o: r.integers(0, 99, len(o), endpoint=True), (0, 99), 49.5, 29),
        (
            "integers",
            "uint32",
            None,
            lambda r, o: r.integers(0, 999, len(o), "u4", endpoint=True),
            (0, 999),
            499.5,
            290,
        ),
        ("standard_gamma", "float64", None, lambda r, o: r.standard_gamma(2.5, out=o), (2.5,), 2.5, 1.6),
        ("poisson", "int64", None, lambda r, o: r.poisson(50, len(o)), (50.0,), 50, 7.1),
    ]

    def make(name, dtype, target, peer, parameters, mean, spread):
        size = n // 16 if name in ("standard_gamma", "poisson") else n  # these take longer
        return lambda: draw(name, size, dtype, target, peer, *parameters, mean=mean, spread=spread)

    every = [("random", f"{row[0]} {row[1]}", make(*row)) for row in rows]
    return every + [("random", "permutation int64", lambda: permutation(m, 2))]
