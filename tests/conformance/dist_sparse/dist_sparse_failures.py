#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sparse matrices over ranks where something is wrong: arguments of one rank, open groups, ranks that have ended."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.sparse
from dists import Dist, World, matrix
from linops import C, Linop, solve
from ranks import ENGINE, Comm, error_of, rank_counts, ranks, run_mine

from oracle import arrpy, raises


def creation(report):
    """A rank with a wrong or another argument fails on all, and the next matrix is made."""
    for size in (s for s in rank_counts() if s > 1):
        comms, bad = ranks(size, report.device), size - 1
        n = 2 * size
        usual = lambda d="f8", columns=n: matrix(scipy.sparse.eye_array(2, columns, k=1, dtype=d), report.device)  # noqa: E731
        twos = [2] * size
        cases = {
            "columns": (lambda r, c: Dist(c, usual(columns=n + (r == bad))), "the number of columns differs"),
            "dtype": (lambda r, c: Dist(c, usual("f4" if r == bad else "f8")), "the dtype differs"),
            "having counts": (lambda r, c: Dist(c, usual(), twos if r == bad else None), "argument ncounts differs"),
            "counts": (
                lambda r, c: Dist(c, usual(), [1, *twos[:-2], 3] if r == bad else twos),
                "argument counts differs",
            ),
            "ncounts": (
                lambda r, c: Dist(c, usual(), [*twos, 0] if r == bad else twos),
                f"ncounts: {size + 1}, expected",
            ),
            "negative": (
                lambda r, c: Dist(c, usual(), [-2, *twos[1:]] if r == bad else twos),
                "counts[0]: -2 is negative",
            ),
            "sum": (lambda r, c: Dist(c, usual(), [3, *twos[1:]]), f"their sum is {n + 1}"),
            "square": (lambda r, c: Dist(c, usual(columns=n + 1)), f"{n + 1} columns, but all ranks have {n} rows"),
        }
        for label, (call, text) in report.turn(list(cases.items())):
            texts = run_mine(comms, lambda r, c, call=call: error_of(call, r, c))
            good = all(t is not None and text in t for t in texts.values())
            report.check(f"creation: {label} {size}", good, texts)
            others = [t for r, t in texts.items() if r != bad]
            named = label in ("ncounts", "negative")
            report.check(
                f"creation: {label} {size} names the rank", not named or all(f"rank {bad}: " in t for t in others)
            )
        got = run_mine(comms, lambda r, c: Dist(c, usual()).info.whole_rows)
        report.check(f"creation: the next one {size}", set(got.values()) == {n})


def products(report):
    """Errors of a single rank, found before it waits for others."""
    comm = Comm.local(2, report.device)
    w = World(report, dict(enumerate(comm)), scipy.sparse.eye_array(5, format="csr"), [2, 3])
    a, x = w.dists[0], report.array(np.arange(2.0))
    fixed, whole = report.array(np.zeros(1)).broadcast_to((2,)), report.array(np.zeros(2, "i8"))
    wrong = [
        ("shape", C.ARR_E_SHAPE, lambda: a.matmul(report.array(np.zeros(3)))),
        ("dimensions", C.ARR_E_SHAPE, lambda: a.matmul(report.array(np.zeros((2, 1, 1))))),
        ("op", C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_dist_sparse_matmul", a.handle, x.handle, 9, None)),
        ("handle", C.ARR_E_HANDLE, lambda: arrpy.made("arr_dist_sparse_matmul", None, x.handle, 0, None)),
        ("destination", C.ARR_E_SHAPE, lambda: a.matmul_into(report.array(np.zeros(3)), x)),
        ("type", C.ARR_E_DTYPE, lambda: a.matmul_into(whole, x)),
        ("read-only", C.ARR_E_READONLY, lambda: a.matmul_into(fixed, x)),
        ("apply", C.ARR_E_SHAPE, lambda: a.linop().apply(report.array(np.zeros(4)))),
        ("sum", C.ARR_E_SHAPE, lambda: Linop.made("sum", a.linop(), w_of(report, [3, 2], comm).dists[0].linop())),
        ("other ranks", C.ARR_E_SHAPE, lambda: Linop.made("sum", a.linop(), w_of(report, [2, 3]).dists[0].linop())),
    ]
    for label, status, call in report.turn(wrong):
        report.check(f"product: {label}", raises(status, call))
    with comm[0].group():
        report.check("product in a group", raises(C.ARR_E_ARGUMENT, lambda: a.matmul(x)))
    report.check("not failed", comm[0].info.failed == 0)
    del a, w, comm


def w_of(report, rows, comm=None):
    comm = comm or Comm.local(2, report.device)
    return World(report, dict(enumerate(comm)), scipy.sparse.eye_array(5, format="csr"), rows)


def ended(report):
    """A rank whose function or preconditioner fails, or that has ended, ends the solver of the others."""
    m = (2.5 * scipy.sparse.eye_array(12) - scipy.sparse.eye_array(12, k=1) - scipy.sparse.eye_array(12, k=-1)).tocsr()
    for label in ("preconditioner", "function"):
        comms = ranks(3, report.device)
        w = World(report, comms, m, [4, 4, 4])
        mine = w.parts(np.arange(1.0, 13))
        calls = []

        def failing(x):
            calls.append(1)
            return x if len(calls) < 3 else C.ARR_E_DEVICE

        def work(r, dist, w=w, mine=mine, label=label, failing=failing):
            run = failing if r == 1 else (lambda x: x)
            if label == "preconditioner":
                by = Linop.function((4, 4), "f8", report.device, run)
                return error_of(lambda: solve("cg", dist.linop(), mine[r], m=by))
            local = Linop.function((4, 4), "f8", report.device, lambda x: run(dist.block_product(x)))
            return error_of(lambda: solve("cg", Linop.made("over", local, dist.comm.value), mine[r], maxiter=50))

        for dist in w.dists.values():
            dist.block_product = Linop.made("from_sparse", dist.block()).apply
        texts = w.run(work)
        good = all(t is not None for t in texts.values()) and "failed" in texts[1]
        report.check(f"ended: {label}", good and all("rank 1 has failed" in texts[r] for r in (0, 2)), texts)
    comms = Comm.local(2, report.device)
    w = World(report, dict(enumerate(comms)), m, [6, 6])
    mine = w.parts(np.arange(12.0))
    # The matrix keeps its communicator.
    for c in comms:
        arrpy.lib.arr_comm_release(c.value)
        c.value = None
    got = w.run(lambda r, dist: dist.matmul(mine[r]))
    report.check("ended: released communicator", w.fits(got, m @ np.arange(12.0)))
    arrpy.lib.arr_dist_sparse_release(w.dists[1].handle)
    report.check("ended: released matrix", raises(C.ARR_E_LOST, lambda: w.dists[0].matmul(mine[0])))
    w.dists[1].handle = None


def main():
    report = oracle.Report(__doc__)
    for part in (creation, *((products, ended) if ENGINE == "local" else ())):
        part(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
