#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Communicators when memory runs out, for short_of_memory.py: no rank waits for one whose call failed for want of it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import ctypes

import numpy as np
from failing_calls import tools
from ranks import Comm

from oracle import arrpy

C = arrpy.c
LIMIT = 200  # allocations of one call


def alone(report):
    """Each call of a single rank fails at each of its allocations, and then works."""
    comm = Comm.local(1, report.device)[0]
    a, b = (report.array(np.arange(6.0).reshape(3, 2) + i) for i in (1, 0))
    steps = a.T[:, ::-1], report.array(np.zeros((2, 3)))
    comm.barrier()
    for name, call in (
        ("all_reduce", lambda: comm.all_reduce(b, a)),
        ("all_reduce of a view", lambda: comm.all_reduce(steps[1], steps[0])),
        ("mean", lambda: comm.all_reduce(b, a, "mean")),
        ("reduce", lambda: comm.reduce(b, a)),
        ("all_gather", lambda: comm.all_gather(b, a, [3])),
        ("gather", lambda: comm.gather(b, a)),
        ("scatter", lambda: comm.scatter(b, a)),
        ("reduce_scatter", lambda: comm.reduce_scatter(b, a, [3])),
        ("all_to_all", lambda: comm.all_to_all(b, a, [3], [3])),
    ):
        call()
        to, source = (steps[1], steps[0]) if "view" in name else (b, a)
        report.check(name, np.array_equal(to.numpy(), source.numpy()))
        arrpy.call("arr_fill", b.handle, ctypes.byref(arrpy.value(0.0)), None)
    comm.broadcast(a)
    for other in (comm.duplicate(), comm.split(0)):
        other.barrier()


def starved(n, once, function, *arguments):
    """The status of a call whose n-th allocation fails, alone or with all that follow; None if it has no such."""
    (tools().arr_test_fail_one_allocation if once else tools().arr_test_fail_allocation)(n)
    status = getattr(arrpy.lib, function)(*arguments)
    return status if tools().arr_test_stop_failing() else None


def pair(report, label, expected, calls):
    """Two ranks of this thread, of which the second has no memory at some time: both end, and none waits."""
    for once in (True, False):
        for n in range(LIMIT):
            comms = Comm.local(2, report.device)
            for comm in comms:
                comm.timeout(5)
            values = [comm.value for comm in comms]
            a, b = (report.array(np.arange(3.0)) for _ in range(2))
            for r, v in enumerate(values):
                arrpy.check(arrpy.lib.arr_comm_group_begin(v))
                calls(v, r, (a, b)[r])
            arrpy.check(arrpy.lib.arr_comm_group_start(values[0]))
            status = starved(n, once, "arr_comm_group_start", values[1])
            if status is None:
                break
            report.check(f"{label}: status", status in (C.ARR_OK, C.ARR_E_MEMORY), str(status))
            if status != C.ARR_OK:  # it has given up
                arrpy.lib.arr_comm_release(values[1])
                ends = arrpy.lib.arr_comm_group_end(values[0])
                report.check(f"{label}: the other rank", ends == C.ARR_E_LOST, f"{n}: {ends}")
                continue
            ends = [arrpy.lib.arr_comm_group_end(v) for v in values]
            good = ends == [C.ARR_OK] * 2 and np.array_equal(a.numpy(), expected)
            report.check(f"{label}: both", good or ends == [C.ARR_E_MEMORY] * 2, f"{n}: {ends}")
            again = [arrpy.lib.arr_comm_group_begin(v) for v in values]
            again += [arrpy.lib.arr_comm_barrier(v, None) for v in values]
            again += [arrpy.lib.arr_comm_group_start(v) for v in values]
            again += [arrpy.lib.arr_comm_group_end(v) for v in values]
            report.check(f"{label}: the next call", again == [C.ARR_OK] * 8, f"{n}: {again}")
        report.check(f"{label}: enough", n < LIMIT - 1)


def two(report):
    def reduces(v, r, a):
        arrpy.check(arrpy.lib.arr_comm_all_reduce(v, a.handle, a.handle, C.ARR_REDUCTION_SUM, None))

    def exchanges(v, r, a):
        other = report.array(np.full(3, r + 7.0))
        arrpy.check(arrpy.lib.arr_comm_send_recv(v, a.handle, other.handle, 1 - r, 1 - r, None))

    pair(report, "all_reduce", [0, 2, 4], reduces)
    pair(report, "send_recv", [8, 8, 8], exchanges)


def main():
    report = oracle.Report(__doc__)
    for part in (alone, two):
        part(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
