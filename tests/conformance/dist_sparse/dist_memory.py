#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sparse matrices over ranks when the memory of one rank runs out, for short_of_memory.py: no rank waits for it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import ctypes
import threading

import numpy as np
import scipy.sparse
from dists import Dist, matrix, part
from failing_calls import tools
from linops import Linop, solve
from ranks import Comm, int64s, run_ranks

from oracle import arrpy

C = arrpy.c
ROWS = [5, 4]
LIMIT = 4000  # allocations of a call


def starved(n, once, function, *arguments):
    """The status of a call whose n-th allocation in this thread fails, alone or with all that follow, and whether it did."""
    (tools().arr_test_fail_one_allocation if once else tools().arr_test_fail_allocation)(n)
    status = getattr(arrpy.lib, function)(*arguments)
    return status, bool(tools().arr_test_stop_failing())


def numbers(last, step):
    """Those of the allocations that fail: the first ones, then a sample."""
    yield from range(min(last, 30))
    yield from range(30, last, step)


def pair(report, label, made, call, step):
    """Two threads with a rank each, of which the second has no memory at some time: both end, and none waits.

    made(rank, comm): what the ranks have before; call(rank, comm, what it has): the function, its arguments, what to
    release."""
    for once in (True, False):
        for n in numbers(LIMIT, step):
            comms = Comm.local(2, report.device)
            for comm in comms:
                comm.timeout(20)
            have = run_ranks(comms, made)
            status = [None, None]
            failed = [False]

            def second(comms=comms, have=have, status=status, failed=failed, n=n, once=once):
                assert comms[1].info.rank == 1  # the first call of a thread asks for memory
                function, *arguments = call(1, comms[1], have[1])
                status[1], failed[0] = starved(n, once, function, *arguments)

            thread = threading.Thread(target=second)
            thread.start()
            function, *arguments = call(0, comms[0], have[0])
            status[0] = getattr(arrpy.lib, function)(*arguments)
            text = arrpy.lib.arr_last_error().decode()
            thread.join()
            allowed = (C.ARR_OK, C.ARR_E_MEMORY, C.ARR_E_LOST)
            report.check(f"{label}: statuses", all(s in allowed for s in status), f"{n}: {status}")
            report.check(f"{label}: none waits", "waited" not in text, f"{n}: {text}")
            if status[1] == C.ARR_OK and not failed[0]:
                break
        report.check(f"{label}: both", status == [C.ARR_OK] * 2, status)
        report.check(f"{label}: enough", n < LIMIT - step)


def alone(report, m):
    """Each call of a single rank fails at each of its allocations, and then works."""
    comm = Comm.local(1, report.device)[0]
    a, x = Dist(comm, matrix(m, report.device)), report.array(np.arange(9.0))
    for mode, by in (("plain", m), ("transpose", m.T)):
        report.check(f"alone {mode}", np.allclose(a.matmul(x, mode).numpy(), by @ np.arange(9.0)))
    dst = report.array(np.zeros(9))
    a.matmul_into(dst, x)
    report.check("alone into", np.allclose(dst.numpy(), m @ np.arange(9.0)))
    report.check("alone block", np.array_equal(a.block().dense().numpy(), m.toarray()))
    over = Linop.made("over", Linop.made("from_sparse", a.block()), comm.value)
    for op in (a.linop(), over):
        got = solve("gmres", op, x, rtol=1e-9)[0].numpy()
        report.check("alone gmres", np.allclose(m @ got, np.arange(9.0)))


def main():
    report = oracle.Report(__doc__)
    m = (3.0 * scipy.sparse.eye_array(9) - scipy.sparse.eye_array(9, k=1) - scipy.sparse.eye_array(9, k=-2)).tocsr()
    alone(report, m)
    rows = [matrix(part(m, ROWS, r), report.device) for r in range(2)]
    x = [report.array(part(np.arange(9.0), ROWS, r)) for r in range(2)]

    def create(r, comm, _):
        out = C.arr_dist_sparse()
        return "arr_dist_sparse_create", comm.value, rows[r].handle, 2, int64s(ROWS), None, ctypes.byref(out)

    def product(r, comm, dist):
        out = C.arr_array()
        return "arr_dist_sparse_matmul", dist.handle, x[r].handle, C.ARR_MATRIX_ADJOINT, None, ctypes.byref(out)

    def solver(r, comm, dist):
        out, a = C.arr_array(), C.arr_linop()
        arrpy.check(arrpy.lib.arr_linop_from_dist_sparse(dist.handle, ctypes.byref(a)))
        dist.kept = Linop(a)
        return "arr_solve_gmres", a, x[r].handle, None, None, ctypes.byref(out), None

    def dist(r, comm):
        """The matrix, made by a call that does not fail."""
        function, *arguments = create(r, comm, None)
        arrpy.check(getattr(arrpy.lib, function)(*arguments))
        made = Dist.__new__(Dist)
        made.handle = arguments[-1]._obj
        return made

    pair(report, "create", lambda r, comm: None, create, 7)
    pair(report, "product", dist, product, 1)
    pair(report, "gmres", dist, solver, 53)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
