# SPDX-License-Identifier: MIT
"""Distances of all pairs of points as one reduction of broadcast inputs, beside SciPy's loops in C."""

import ctypes

import numpy as np
import scipy
from scipy.spatial.distance import cdist

import arrpy
from engine import Program
from workloads import Workload, address, close, random

STEPS = {"sqeuclidean": ("sum", "square"), "cityblock": ("sum", "absolute"), "chebyshev": ("max", "absolute")}


def pairs(loops, metric, points, others, dimensions):
    x, y = random((points, dimensions), "float64"), random((others, dimensions), "float64", 2)
    out, dst = np.empty((points, others)), arrpy.empty((points, others), "float64")
    a, b = arrpy.array(x[:, None, :]), arrpy.array(y[None, :, :])
    name, step = STEPS[metric]
    p = Program(2)
    node = p.op(step, p.op("subtract", *p.inputs))
    inputs = (arrpy.c.arr_array * 2)(a.handle, b.handle)
    reduction = getattr(arrpy.c, "ARR_REDUCTION_" + name.upper())
    ours = loops("bench_expr_reduce", address(dst), ctypes.cast(p.e, ctypes.c_void_p), node, reduction, 2, 2, inputs)

    def check():
        ours(1)
        return close(dst.numpy(), cdist(x, y, metric))

    return Workload(
        "distances",
        f"{metric}, {dimensions} dimensions",
        "float64",
        points * others,
        None,
        ours,
        lambda: cdist(x, y, metric, out=out),
        check,
        (a, b, dst, p, inputs),
        "scipy",
        scipy.__version__,
    )


def all_workloads(loops, smoke):
    side = 9 if smoke else 1000
    return [
        ("distances", f"{metric} {n}", lambda metric=metric, n=n: pairs(loops, metric, side, side + 1, n))
        for metric in STEPS
        for n in (2, 3, 8, 16, 64, 256)
    ]
