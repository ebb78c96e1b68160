# SPDX-License-Identifier: MIT
"""The engine's workloads beside PyTorch on the same two cores, on the same memory.

Debian's PyTorch belongs to Debian's Python: `PYTHON=/usr/bin/python3 tests/bench/run.sh torch`.
"""

import os

import numpy as np
import torch

import engine
import shapes
import workloads

torch.set_num_threads(len(os.sched_getaffinity(0)))


def tensor(shape, dtype, seed=1):
    """The numbers that our side's makers draw."""
    return torch.from_numpy(workloads.random(shape, dtype, seed))


def chain(n):
    a, b, c = (tensor(n, "f4", s) for s in (1, 2, 3))
    return lambda: a * b + c * a - torch.sqrt(b)


def where(n):
    m, a, b = tensor(n, "f4") > 2, tensor(n, "f4"), tensor(n, "f4", 2)
    out = torch.empty_like(a)
    return lambda: torch.where(m, a, b, out=out)


def unary(name, dtype):
    def made(n):
        x = tensor(n, dtype)
        out, f = torch.empty_like(x), getattr(torch, name)
        return lambda: f(x, out=out)

    return made


def binary(name, dtype):
    def made(n):
        x, y = tensor(n, dtype), tensor(n, dtype, 2)
        out, f = torch.empty_like(x), getattr(torch, name)
        return lambda: f(x, y, out=out)

    return made


def cast(n):
    x, out = torch.from_numpy(np.random.default_rng(1).integers(-100, 100, n).astype("i1")), torch.empty(n)
    return lambda: out.copy_(x)


def transposed(n):
    x = tensor(engine.shaped(n), "f4")
    out = torch.empty(x.T.shape)
    return lambda: out.copy_(x.T)


def of_shape(shape, dtype, call):
    def made(_):
        x = tensor(shape, dtype)
        return lambda: call(x)

    return made


def reductions(loops, side, smoke):
    """(name, our side's maker, PyTorch's)."""
    square, pairs = (side, side), (side * 244, 2)
    rows, many = ((64, 128), 1_000) if smoke else ((4096, 1024), 10_000_000)

    def reduction(name, shape, axis):
        return lambda _: workloads.reduction(loops, name, "float32", shape, axis, None)

    return [
        ("sum all", reduction("sum", square, None), of_shape(square, "f4", torch.sum)),
        ("sum 0", reduction("sum", square, 0), of_shape(square, "f4", lambda x: torch.sum(x, 0))),
        ("sum 1", reduction("sum", square, 1), of_shape(square, "f4", lambda x: torch.sum(x, 1))),
        ("sum last of 2", reduction("sum", pairs, 1), of_shape(pairs, "f4", lambda x: torch.sum(x, 1))),
        ("argmax 0", reduction("argmax", square, 0), of_shape(square, "f4", lambda x: torch.argmax(x, 0))),
        ("argmax 1", reduction("argmax", square, 1), of_shape(square, "f4", lambda x: torch.argmax(x, 1))),
        (
            "cumsum 0",
            lambda _: workloads.scan(loops, "cumsum", "float32", square, 0, None),
            of_shape(square, "f4", lambda x: torch.cumsum(x, 0)),
        ),
        (
            "cumsum 1-D",
            lambda _: workloads.scan(loops, "cumsum", "float32", (side * side,), 0, None),
            of_shape((side * side,), "f4", lambda x: torch.cumsum(x, 0)),
        ),
        (
            "var 0",
            lambda _: shapes.variance(loops, "float32", square, 0, None),
            of_shape(square, "f4", lambda x: torch.var(x, 0, unbiased=False)),
        ),
        (
            "softmax",
            lambda _: shapes.softmax(loops, "float32", rows, None),
            of_shape(rows, "f4", lambda x: torch.softmax(x, 1)),
        ),
        ("median", lambda _: shapes.median(loops, "float64", many, None), of_shape((many,), "f8", torch.median)),
    ]


def all_workloads(loops, smoke):
    each = [
        ("chain", lambda n: engine.chain(loops, "float32", n, None), chain),
        ("where", lambda n: engine.where(loops, "float32", n, None), where),
        ("int8 to float32", lambda n: engine.cast(loops, n, None), cast),
        ("transposed", lambda n: engine.transposed(loops, n, None), transposed),
    ]
    for name, dtype in [(f, d) for f in ("exp", "log", "sin", "tanh") for d in ("float32", "float64")]:
        each.append(
            (f"{name} {dtype}", lambda n, f=name, d=dtype: engine.unary(loops, f, d, n, None), unary(name, dtype))
        )
    for ours, theirs, dtype in (("power", "pow", "float64"), ("add", "add", "float16")):
        each.append(
            (f"{ours} {dtype}", lambda n, f=ours, d=dtype: engine.binary(loops, f, d, n, None), binary(theirs, dtype))
        )

    def paired(ours, theirs, n):
        workload = ours(n)
        workload.suite, workload.peer, workload.peer_name = "torch", theirs(n), "torch"
        workload.peer_version = torch.__version__
        return workload

    sizes = (300, 4_096) if smoke else engine.SIZES
    rows = [
        ("torch", f"{name} {n}", lambda o=ours, t=theirs, n=n: paired(o, t, n))
        for name, ours, theirs in each
        for n in sizes
    ]
    return rows + [
        ("torch", name, lambda o=ours, t=theirs: paired(o, t, None))
        for name, ours, theirs in reductions(loops, 64 if smoke else 4096, smoke)
    ]
