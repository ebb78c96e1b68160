# SPDX-License-Identifier: MIT
"""Workloads of whole methods: variance, softmax, median, and Black-Scholes prices as one program."""

import numpy as np

import arrpy
from engine import Program
from workloads import Workload, address, close, function, random


def variance(loops, dtype, shape, axis, target, equal=False):
    x = np.ones(shape, dtype) if equal else random(shape, dtype)
    a = arrpy.array(x)
    return Workload(
        "engine",
        f"var axis {axis} of {'equal elements, ' if equal else ''}{shape}",
        dtype,
        x.size,
        target,
        loops("bench_moment", function("arr_var"), address(a), axis),
        lambda: np.var(x, axis=axis),
        lambda: close(arrpy.reduce("var", a, axis, correction=0).numpy(), np.var(x.astype("f8"), axis=axis), 1e-4),
        (a,),
    )


def softmax(loops, dtype, shape, target):
    x = random(shape, dtype)
    a = arrpy.array(x)

    def peer():
        e = np.exp(x - x.max(axis=1, keepdims=True))  # as SciPy writes it
        return e / e.sum(axis=1, keepdims=True)

    def check():
        return close(arrpy.made("arr_softmax", a.handle, 1, arrpy.int32s([1]), None).numpy(), peer())

    return Workload(
        "engine", f"softmax of {shape}", dtype, x.size, target, loops("bench_softmax", address(a), 1), peer, check, (a,)
    )


def median(loops, dtype, n, target):
    x = random(n, dtype)
    a = arrpy.array(x)
    return Workload(
        "engine",
        "median",
        dtype,
        n,
        target,
        loops("bench_reduce", function("arr_median"), address(a), -1),
        lambda: np.median(x),
        lambda: close(arrpy.reduce("median", a).numpy(), np.median(x), 1e-12),
        (a,),
    )


def black_scholes(loops, n, target):
    """Prices of European calls by one program; the peer is NumPy with SciPy's normal distribution."""
    from scipy.special import ndtr

    rate, sigma = 0.02, 0.3
    spot, strike, years = (random(n, "f8", seed) for seed in (1, 2, 3))
    arrays = [arrpy.array(v) for v in (spot, strike, years)]
    dst = arrpy.empty(n, "f8")
    p = Program(3)
    s, k, t = p.inputs
    spread = p.op("multiply", p.op("sqrt", t), sigma)
    d1 = p.op(
        "divide",
        p.op("add", p.op("log", p.op("divide", s, k)), p.op("multiply", t, rate + 0.5 * sigma * sigma)),
        spread,
    )
    d2 = p.op("subtract", d1, spread)
    owed = p.op("multiply", k, p.op("exp", p.op("multiply", t, -rate)))
    call = p.op("subtract", p.op("multiply", s, p.op("ndtr", d1)), p.op("multiply", owed, p.op("ndtr", d2)))
    ours = p.loop(loops, dst, call, arrays)

    def peer():
        root = sigma * np.sqrt(years)
        e1 = (np.log(spot / strike) + (rate + 0.5 * sigma * sigma) * years) / root
        return spot * ndtr(e1) - strike * np.exp(-rate * years) * ndtr(e1 - root)

    def check():
        ours(1)
        return close(dst.numpy(), peer(), 1e-12)

    return Workload("engine", "Black-Scholes", "float64", n, target, ours, peer, check, (*arrays, dst, p))


def all_workloads(loops, smoke):
    rows = (64, 64) if smoke else (4096, 4096)
    return [
        ("engine", "var 0", lambda: variance(loops, "float32", rows, 0, 4)),
        ("engine", "var 0 of equal elements", lambda: variance(loops, "float32", rows, 0, None, True)),
        ("engine", "var 1", lambda: variance(loops, "float32", rows, 1, None)),
        ("engine", "softmax", lambda: softmax(loops, "float32", (64, 128) if smoke else (4096, 1024), 6)),
        ("engine", "median", lambda: median(loops, "float64", 1_000 if smoke else 10_000_000, 3)),
        ("engine", "Black-Scholes", lambda: black_scholes(loops, 1_000 if smoke else 4_000_000, 12)),
    ]
