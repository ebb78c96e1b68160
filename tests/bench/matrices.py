# SPDX-License-Identifier: MIT
"""Decompositions and solvers beside NumPy's: squares of two sizes, many small equations, least squares."""

import ctypes

import numpy as np

import arrpy
from workloads import Workload, address, close, random

# As the C loop counts them, and how many results each has.
CALLS = {"cholesky": 1, "inv": 1, "solve": 1, "qr": 2, "svd": 3, "eigh": 2, "lstsq": 4}
OPTIONS = {"cholesky": (0, 0), "inv": (0,), "solve": (0,), "qr": (0,), "svd": (0, 0), "eigh": (1, 0), "lstsq": (-1.0,)}
PEERS = {
    "svd": lambda x: np.linalg.svd(x, full_matrices=False),
    "lstsq": lambda x, y: np.linalg.lstsq(x, y, rcond=None),
}


def agree(name, x, got, want):
    """Signs of vectors are free: what they put together is compared."""
    if name == "qr":
        return close(got[0] @ got[1], x)
    if name == "svd":
        return close(got[1], want[1]) and close(got[0] * got[1] @ got[2], x)
    if name == "eigh":
        return close(got[0], want[0]) and close(got[1] * got[0] @ got[1].T, x)
    return close(got[0], want[0] if name == "lstsq" else want)


def matrices(shape, name):
    """Positive definite where they are square, which all of these take."""
    x = random(shape, "float64")
    return x if name == "lstsq" else x @ np.swapaxes(x, -1, -2) / shape[-1] + np.eye(shape[-1])


def workload(loops, name, label, shape, columns, target):
    inputs = [matrices(shape, name)]
    if name in ("solve", "lstsq"):
        inputs.append(random((*shape[:-1], columns), "float64", 2))
    handles = [arrpy.array(x) for x in inputs]
    peer = PEERS.get(name, getattr(np.linalg, name))

    def check():
        outs = [arrpy.c.arr_array() for _ in range(CALLS[name])]
        arrpy.call(f"arr_{name}", *(a.handle for a in handles), *OPTIONS[name], None, *(ctypes.byref(o) for o in outs))
        return agree(name, inputs[0], [arrpy.Array(o).numpy() for o in outs], peer(*inputs))

    return Workload(
        "linalg",
        f"{name} {label}",
        "float64",
        inputs[0].size,
        target,
        loops("bench_linalg", list(CALLS).index(name), address(handles[0]), address(handles[-1])),
        lambda: peer(*inputs),
        check,
        handles,
        settle=0.2,
    )


def all_workloads(loops, smoke):
    def w(name, label, *args):
        return "linalg", f"{name} {label}", lambda: workload(loops, name, label, *args)

    sides = (24, 48) if smoke else (512, 1024)
    count, rows, columns = (9, 40, 8) if smoke else (4096, 1024, 128)
    squares = [(name, n) for name in ("cholesky", "solve", "qr", "svd", "eigh") for n in sides] + [("inv", sides[0])]
    return [
        *(w(name, f"{n} x {n}" + (", 8 columns" if name == "solve" else ""), (n, n), 8, 1.0) for name, n in squares),
        w("solve", f"{count} of 16 x 16", (count, 16, 16), 1, 4.0),
        w("lstsq", f"{rows} x {columns}, 1 column", (rows, columns), 1, None),
    ]
