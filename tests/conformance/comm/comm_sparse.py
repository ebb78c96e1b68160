#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Collective operations and messages of sparse matrices: every format and type, other sizes on each rank, none at all."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
from ranks import ENGINE, Comm, error_of, rank_counts, ranks, run_mine, run_ranks
from sparse_matrix import FORMATS, Parts, Sparse, numbers, reduction

from oracle import arrpy, raises, same

C = arrpy.c
SHAPE = (6, 5)
TYPES = ("bool", "int8", "int16", "uint32", "int64", "float16", "float32", "float64", "complex64", "complex128")


def matrix(form, d, r, shape=SHAPE, n=None):
    """Rank r's matrix: r + 3 elements in any order, of which the last two have one row and column; rank 2 has none."""
    n = (0 if r == 2 else r + 3) if n is None else n
    row, col = (np.random.default_rng(100 * r + i).integers(0, extent, n) for i, extent in enumerate(shape))
    if n > 1:
        row[-1], col[-1] = row[-2], col[-2]
    coo = Parts("coo", shape, numbers(n, d, r), row.astype("i4"), col.astype("i4"))
    if form == "coo":
        return coo
    order = np.argsort(row if form == "csr" else col, kind="stable")
    lines = np.bincount((row if form == "csr" else col), minlength=shape[form == "csc"])
    indptr = np.concatenate([[0], np.cumsum(lines)]).astype("i4")
    return Parts(form, shape, coo.data[order], (col if form == "csr" else row)[order].astype("i4"), indptr)


def equal(a, m):
    """The same format, type and elements in the same order."""
    got = a.parts()
    return got.format == m.format and got.shape == m.shape and all(map(same, got.arrays(), m.arrays()))


class Rank:
    """A rank's functions."""

    def __init__(self, comm):
        self.comm = comm.value

    def broadcast(self, a, root=0):
        return Sparse.made("arr_comm_sparse_broadcast", self.comm, a and a.handle, root, None)

    def all_to_all(self, given):
        handles = (C.arr_sparse * len(given))(*[g and g.handle for g in given])
        out = (C.arr_sparse * len(given))()
        arrpy.call("arr_comm_sparse_all_to_all", self.comm, len(given), handles, None, out)
        return [Sparse(C.arr_sparse(h)) if h else None for h in map(handle_of, out)]

    def reduce(self, a, by="sum", root=-1):
        made = Sparse.made("arr_comm_sparse_reduce", self.comm, a.handle, reduction(by), root, None)
        return made if handle_of(made.handle) else None

    def send(self, a, to):
        arrpy.call("arr_comm_sparse_send", self.comm, a.handle, to, None)

    def recv(self, sender):
        return Sparse.made("arr_comm_sparse_recv", self.comm, sender, None)


def handle_of(h):
    return ctypes.cast(h, ctypes.c_void_p).value


def collectives(report, size):
    comms = ranks(size, report.device)
    cases = [(form, d) for d in TYPES for form in FORMATS]
    for form, d in report.turn(cases):
        given = [matrix(form, d, r) for r in range(size)]
        root = size - 1

        def work(r, c, given=given, root=root):
            rank, own = Rank(c), Sparse.of(given[r], report.device)
            one = rank.broadcast(own if r == root else None, root)
            all_ = rank.all_to_all([own] * size)  # gathered everywhere
            at_root = rank.all_to_all([own if to == root else None for to in range(size)])
            part = rank.all_to_all([Sparse.of(m, report.device) if r == root else None for m in given])[root]
            ring = rank.all_to_all([own if to == (r + 1) % size else None for to in range(size)])
            good = equal(one, given[root]) and equal(part, given[r])
            good = good and all(equal(a, m) for a, m in zip(all_, given))
            good = good and [g is not None for g in at_root] == [r == root] * size
            good = good and (r != root or all(equal(a, m) for a, m in zip(at_root, given)))
            good = good and [i for i, g in enumerate(ring) if g is not None] == [(r - 1) % size]
            good = good and equal(ring[(r - 1) % size], given[(r - 1) % size])
            return good

        results = run_mine(comms, work)
        report.check(f"{size} ranks, {form} {d}: exchanged", all(results.values()), str(results))


def combined(report, size):
    comms = ranks(size, report.device)
    cases = [("sum", d) for d in TYPES if d != "bool"] + [("max", "int32"), ("prod", "int64"), ("any", "bool")]
    functions = {"sum": np.add, "max": np.maximum, "prod": np.multiply, "any": np.logical_or}
    for by, d in report.turn(cases):
        for form in FORMATS:
            given = [matrix(form, d, r) for r in range(size)]
            want = given[0].dense()
            for m in given[1:]:
                want = functions[by](want, m.dense()).astype(want.dtype)

            def work(r, c, given=given, want=want, by=by):
                rank, own = Rank(c), Sparse.of(given[r], report.device)
                everywhere, root = rank.reduce(own, by), rank.reduce(own, by, 0)
                good = same(everywhere.dense().numpy(), want) and everywhere.info().format == own.info().format
                return good and (same(root.dense().numpy(), want) if r == 0 else root is None)

            results = run_mine(comms, work)
            report.check(f"{size} ranks, {form} {d}: {by}", all(results.values()), str(results))


def messages(report):
    comms = ranks(2, report.device)
    wide = matrix("csr", "float64", 0, (3, 2**31 + 5), 4)
    given = [matrix("coo", "complex64", 0), Parts("csr", wide.shape, wide.data, wide.first.astype("i8"), wide.second)]

    def work(r, c):
        rank, good = Rank(c), True
        for i, m in enumerate(given):
            own = Sparse.of(m, report.device)
            if r == i % 2:
                rank.send(own, 1 - r)
            else:
                good = good and rank.recv(1 - r).parts().dense is not None if i else equal(rank.recv(1 - r), m)
        return good

    report.check("messages", all(run_mine(comms, work).values()))


def failures(report):
    device = report.device
    comms = Comm.local(2, device)
    own = Sparse.of(matrix("csr", "float64", 1), device)
    alone = Rank(comms[0])
    for label, status, call in (
        ("root", C.ARR_E_ARGUMENT, lambda: alone.broadcast(own, 2)),
        ("no matrix", C.ARR_E_HANDLE, lambda: alone.broadcast(None, 0)),
        ("number of matrices", C.ARR_E_ARGUMENT, lambda: alone.all_to_all([own])),
        ("root of a reduction", C.ARR_E_ARGUMENT, lambda: alone.reduce(own, root=2)),
        ("mean", C.ARR_E_ARGUMENT, lambda: alone.reduce(own, "mean")),
        ("itself", C.ARR_E_ARGUMENT, lambda: alone.send(own, 0)),
    ):
        report.check(f"refused: {label}", raises(status, call))
    with comms[0].group():
        report.check("refused: in a group", raises(C.ARR_E_ARGUMENT, lambda: alone.recv(1)))
    # Ranks that differ: each fails, and the communicator goes on.
    other = [Sparse.of(matrix("csr", "float64", r, (6 + r, 5)), device) for r in range(2)]
    texts = run_ranks(comms, lambda r, c: error_of(Rank(c).reduce, other[r]))
    report.check("shapes differ", all(t is not None and "arr_comm_sparse_reduce" in t for t in texts), str(texts))
    types = [Sparse.of(matrix("csr", d, 1), device) for d in ("float64", "float32")]
    texts = run_ranks(comms, lambda r, c: error_of(Rank(c).reduce, types[r]))
    report.check("types differ", all("float32 on" in t and "float64 on" in t for t in texts), str(texts))
    dense = report.array(np.zeros((1, 8), "i8"))
    texts = run_ranks(comms, lambda r, c: error_of(Rank(c).recv, 1) if r == 0 else c.send(dense, 0))
    report.check("array instead of a matrix", "another function" in texts[0], str(texts))
    sums = run_ranks(comms, lambda r, c: Rank(c).reduce(own).dense().numpy())
    report.check("the next call", all(same(s, 2 * matrix("csr", "float64", 1).dense()) for s in sums))


def main():
    report = oracle.Report(__doc__)
    for size in rank_counts()[:3]:
        collectives(report, size)
        combined(report, size)
    if 2 in rank_counts():
        messages(report)
    if ENGINE == "local":
        failures(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
