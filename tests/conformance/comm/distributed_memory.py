#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Distributed arrays when the memory of one rank runs out, for short_of_memory.py: no rank waits for it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import ctypes
import threading

import numpy as np
from dist_arrays import Decomposition, Dist, dists
from dist_memory import pair

from oracle import arrpy

C = arrpy.c


LOCK = threading.Lock()  # short_of_memory.py compares the handles before and after each of these calls


class Made:
    """A rank's arrays: a matrix by rows, and a destination by columns with a halo."""

    def __init__(self, report, comm):
        with LOCK:
            self.make(report, comm)

    def make(self, report, comm):
        self.rows = Decomposition.blocks(comm, (6, 4))
        self.columns = Decomposition.blocks(comm, (6, 4), [1, 2])
        self.cyclic = Decomposition.blocks(comm, (6, 4), [2, 1], [1, 1])
        shape = self.rows.shape(comm.info.rank)
        self.a = Dist.of_part(self.rows, report.array(np.arange(float(np.prod(shape))).reshape(shape)))
        self.t = self.a.transpose()
        self.u = Dist.create(self.columns, "float64", [0, 1])


def new(of=C.arr_dist):
    return ctypes.byref(of())


def calls():
    """{name: function of what a rank has: a function and its arguments}."""
    total = C.ARR_REDUCTION_SUM
    return {
        "redistribute": lambda h: ("arr_dist_redistribute", h.a.value, h.cyclic.value, None, new()),
        "assign": lambda h: ("arr_dist_assign", h.u.value, h.a.value, None),
        "gather": lambda h: ("arr_dist_gather", h.a.value, 0, None, new(C.arr_array)),
        "exchange": lambda h: ("arr_dist_exchange", h.u.value, 0, None, None),
        "apply": lambda h: ("arr_dist_apply", C.ARR_OP_ADD, *dists([h.a, h.u]), None, new()),
        "reduce": lambda h: ("arr_dist_reduce", h.a.value, total, 0, None, False, None, new()),
        "var": lambda h: ("arr_dist_reduce", h.a.value, C.ARR_REDUCTION_VAR, 0, None, False, None, new()),
        "accumulate": lambda h: ("arr_dist_accumulate", C.ARR_OP_ADD, h.a.value, 0, None, new()),
        "matmul": lambda h: ("arr_dist_matmul", h.t.value, h.a.value, None, new()),
        "fftn": lambda h: ("arr_dist_fftn", h.a.value, 0, None, False, 0, True, None, new()),
        "sort": lambda h: ("arr_dist_sort", h.a.value, 0, None, new()),
    }


def main():
    report = oracle.Report(__doc__)
    for name, call in calls().items():
        if report.wants(name):
            pair(report, name, lambda r, comm: Made(report, comm), lambda r, comm, h, call=call: call(h), 11)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
