#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Collective operations and messages against NumPy, for every element type, layout and number of ranks.

Each process makes the arrays of all ranks, and calls for its own: see ranks.py.
"""

import itertools
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
from ranks import Group, rank_counts, ranks, run_mine

from oracle import arrpy, same

SHAPE = (4, 5)
# Reduction: its NumPy function, and the kinds of types that have it.
REDUCTIONS = {
    "sum": (np.add, "BIUFC"),
    "prod": (np.multiply, "BIUFC"),
    "min": (np.minimum, "BIUFC"),
    "max": (np.maximum, "BIUFC"),
    "nanmin": (np.fmin, "BIUFC"),
    "nanmax": (np.fmax, "BIUFC"),
    "mean": (np.add, "FC"),
    "logaddexp2_reduce": (np.logaddexp2, "F"),
    "any": (np.logical_or, "B"),
    "all": (np.logical_and, "B"),
    "logical_xor_reduce": (np.logical_xor, "B"),
    "bitwise_and_reduce": (np.bitwise_and, "BIU"),
    "bitwise_or_reduce": (np.bitwise_or, "BIU"),
    "bitwise_xor_reduce": (np.bitwise_xor, "BIU"),
}


def close(got, expected):
    """The same type and shape; equal, or as close as two orders of rounding."""
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    wide = "c16" if got.dtype.kind == "c" else "f8"
    eps = {2: 4e-2, 4: 1e-6, 8: 1e-6 if got.dtype.kind == "c" else 1e-14}.get(got.dtype.itemsize, 1e-14)
    if got.dtype.kind in "biu":
        return np.array_equal(got, expected)
    return np.allclose(got.astype(wide), expected.astype(wide), rtol=eps, atol=eps, equal_nan=True)


class World:
    """Ranks with an array each."""

    def __init__(self, report, size, shape=SHAPE, d="float64", layout=None, tame=True):
        self.report, self.size = report, size
        self.comms = ranks(size, report.device)
        self.host, self.bases, self.views = [], [], []
        base_shape, view = (shape, lambda a: a) if layout is None else layout
        for r in range(size):
            base = oracle.sample(base_shape, d, 10 * size + r, "tame" if tame else None)
            self.host.append(view(base))
            self.bases.append((base, report.array(base)))
            self.views.append(view(self.bases[-1][1]))
        self.base_shape, self.view, self.d = base_shape, view, d

    def empty(self, shape=None):
        """A destination of a shape; None: as the arrays, in their layout."""
        if shape is None:
            return self.view(self.report.array(np.zeros(self.base_shape, oracle.dtype(self.d))))
        return self.report.array(np.zeros(shape, oracle.dtype(self.d)))

    def run(self, work):
        """work(rank, comm) gives arrays; {rank: NumPy's array} of the ranks of this process that have one."""
        return {r: a.numpy() for r, a in run_mine(self.comms, work).items() if a is not None}

    def gives(self, work, expected):
        """True if each rank's array is expected(rank)."""
        return all(same(g, np.ascontiguousarray(expected(r))) for r, g in self.run(work).items())

    def unchanged(self):
        return all(same(a.numpy(), h) for h, a in self.bases)


def reduced(by, arrays):
    function = REDUCTIONS[by][0]
    out = arrays[0]
    for a in arrays[1:]:
        out = function(out, a).astype(out.dtype)
    return (out / np.array(len(arrays), out.dtype)).astype(out.dtype) if by == "mean" else out


def reductions(report):
    for d, by, n in itertools.product(oracle.ALL, REDUCTIONS, rank_counts()):
        if oracle.kind(d) not in REDUCTIONS[by][1] or not report.wants(label := f"reduce {d} {by} {n}"):
            continue
        w = World(report, n, d=d)
        expected = reduced(by, w.host)

        def all_reduce(r, comm, w=w, by=by):
            out = w.empty()
            comm.all_reduce(out, w.views[r], by)
            return out

        def reduce(r, comm, w=w, by=by, root=n - 1):
            out = w.empty() if r == root else None
            comm.reduce(out, w.views[r], by, root)
            return out

        def in_place(r, comm, w=w, by=by):
            comm.all_reduce(w.views[r], w.views[r], by)
            return w.views[r]

        got = w.run(all_reduce)
        first = next(iter(got.values()))
        report.check(f"{label}: all ranks", all(close(g, expected) for g in got.values()), f"{first} {expected}")
        report.check(f"{label}: the same bits", all(same(g, first) for g in got.values()))
        last = w.run(reduce)
        report.check(f"{label}: reduce", all(close(g, expected) for g in last.values()) and w.unchanged())
        report.check(f"{label}: in place", all(same(g, first) for g in w.run(in_place).values()))


def gathers(report):
    for d, n in itertools.product(oracle.ALL, rank_counts()):
        for name, base, view in oracle.layouts_of(SHAPE):
            if not report.wants(label := f"gather {d} {name} {n}"):
                continue
            w = World(report, n, d=d, layout=(base, view), tame=False)
            joined = np.concatenate(w.host)
            rows, columns = SHAPE

            def all_gather(r, comm, w=w, n=n):
                out = w.empty((rows * n, columns))
                comm.all_gather(out, w.views[r])
                return out

            def gather(r, comm, w=w, n=n):
                out = w.empty((rows * n, columns)) if r == n // 2 else None
                comm.gather(out, w.views[r], root=n // 2)
                return out

            def scatter(r, comm, w=w, joined=joined):
                out = w.empty()
                comm.scatter(out, report.array(joined) if r == 0 else None)
                return out

            def broadcast(r, comm, w=w, n=n):
                a = w.views[r] if r == n - 1 else w.empty()
                comm.broadcast(a, n - 1)
                return a

            report.check(f"{label}: all_gather", w.gives(all_gather, lambda r, joined=joined: joined))
            report.check(f"{label}: gather", w.gives(gather, lambda r, joined=joined: joined) and w.unchanged())
            report.check(f"{label}: scatter", w.gives(scatter, w.host.__getitem__))
            report.check(f"{label}: broadcast", w.gives(broadcast, lambda r, w=w: w.host[-1]))


def counts(report):
    """Parts of different extents, also of none, along any axis."""
    for d, n, axis in itertools.product(("bool", "float16", "float32", "complex128"), rank_counts(), (0, -1)):
        if not report.wants(label := f"counts {d} {n} {axis}"):
            continue
        sizes = [(3 * r + 1) % 4 for r in range(n)]
        cuts = np.cumsum(sizes)[:-1]
        whole = oracle.sample((sum(sizes), 3) if axis == 0 else (2, 3, sum(sizes)), d, n, "tame")
        parts = np.split(whole, cuts, axis)
        w = World(report, n, whole.shape, d)

        def gather(r, comm, w=w, whole=whole, parts=parts, sizes=sizes, axis=axis):
            out = w.empty(whole.shape)
            comm.all_gather(out, report.array(parts[r]), sizes, axis=axis)
            return out

        def scatter(r, comm, w=w, whole=whole, parts=parts, sizes=sizes, axis=axis):
            out = w.empty(parts[r].shape)
            comm.scatter(out, report.array(whole) if r == 0 else None, sizes, axis=axis)
            return out

        def reduce_scatter(r, comm, w=w, parts=parts, sizes=sizes, axis=axis):
            out = w.empty(parts[r].shape)
            comm.reduce_scatter(out, w.views[r], sizes, "max", axis)
            return out

        report.check(f"{label}: all_gather", w.gives(gather, lambda r, whole=whole: whole))
        report.check(f"{label}: scatter", w.gives(scatter, parts.__getitem__))
        expected = np.split(reduced("max", w.host), cuts, axis)
        report.check(f"{label}: reduce_scatter", w.gives(reduce_scatter, expected.__getitem__))


def exchanges(report):
    for d, n in itertools.product(("bool", "int64", "bfloat16", "complex64"), rank_counts()):
        if not report.wants(label := f"exchange {d} {n}"):
            continue
        # Rank i sends (i + j) % 3 rows to rank j; the last one sends and gets none.
        table = [[(i + j) % 3 * (n - 1 not in (i, j)) for j in range(n)] for i in range(n)]
        sent = [oracle.sample((sum(row), 2), d, i, "tame") for i, row in enumerate(table)]
        pieces = [np.split(s, np.cumsum(row)[:-1]) for s, row in zip(sent, table)]
        expected = [np.concatenate([pieces[i][j] for i in range(n)]) for j in range(n)]
        w = World(report, n, (n, 2), d)

        def exchange(r, comm, w=w, table=table, sent=sent, expected=expected):
            out = w.empty(expected[r].shape)
            comm.all_to_all(out, report.array(sent[r]), table[r], [row[r] for row in table])
            return out

        def equal(r, comm, w=w):
            out = w.empty()
            comm.all_to_all(out, w.views[r])
            return out

        report.check(f"{label}: counts", w.gives(exchange, expected.__getitem__))
        turned = [np.stack([h[r] for h in w.host]) for r in range(n)]
        report.check(f"{label}: equal parts", w.gives(equal, turned.__getitem__))


def messages(report):
    for d, n in itertools.product(("bool", "float16", "int32", "complex128"), rank_counts()):
        if not report.wants(label := f"messages {d} {n}"):
            continue
        w = World(report, n, d=d)

        def ring(r, comm, w=w, n=n):
            out = w.empty()
            comm.send_recv(out, w.views[r], (r - 1) % n, (r + 1) % n)
            return out

        def chain(r, comm, w=w, n=n):
            if r > 0:
                comm.recv(w.views[r], r - 1)
            if r + 1 < n:
                comm.send(w.views[r], r + 1)
            return w.views[r]

        report.check(f"{label}: ring", w.gives(ring, lambda r, w=w, n=n: w.host[(r - 1) % n]))
        report.check(f"{label}: chain", w.gives(chain, lambda r, w=w: w.host[0]))


def halos(report):
    """Every part of a large array gets what its neighbours have, corners included."""
    cases = [
        ((1,), 1, (6,)),
        ((2,), 1, (5,)),
        ((3,), 2, (4,)),
        ((2, 2), 1, (4, 3)),
        ((1, 3), 2, (3, 4)),
        ((2, 1, 2), 1, (2, 3, 2)),
    ]
    for (grid, width, inner), periodic in itertools.product(cases, (False, True)):
        if math.prod(grid) not in rank_counts() or not report.wants(label := f"halo {grid} {width} {periodic}"):
            continue
        whole = oracle.sample(tuple(g * i for g, i in zip(grid, inner)), "float32", 5, "tame")
        border = {"mode": "wrap"} if periodic else {"constant_values": -7}
        padded = np.pad(whole, width, **border)
        axes = tuple(range(len(grid)))
        places = list(itertools.product(*map(range, grid)))
        parts = [
            padded[tuple(slice(p * i, p * i + i + 2 * width) for p, i in zip(place, inner))].copy() for place in places
        ]
        comms = ranks(len(places), report.device)

        def work(r, comm, parts=parts, grid=grid, axes=axes, periodic=periodic, width=width):
            start = np.full_like(parts[r], -7)
            inside = tuple(slice(width, -width) for _ in axes)
            start[inside] = parts[r][inside]
            a = report.array(start)
            comm.exchange_halo(a, axes, grid, [width] * len(axes), [int(periodic)] * len(axes))
            return a.numpy()

        report.check(f"{label}: halo", all(same(g, parts[r]) for r, g in run_mine(comms, work).items()))


def groups(report):
    """One thread calls for all ranks, and work goes on between start and end."""
    for n in rank_counts():
        if not report.wants(label := f"groups {n}"):
            continue
        w = World(report, n)
        out, got = [w.empty() for _ in range(n)], [w.empty() for _ in range(n)]
        for c in w.comms.values():
            c.call("group_begin")
        for r, c in w.comms.items():
            c.all_reduce(out[r], w.views[r])
            c.send(w.views[r], (r + 1) % n)
            c.recv(got[r], (r - 1) % n)
        for c in w.comms.values():
            c.call("group_start")
        while not all(Group(c).done() for c in w.comms.values()):
            pass
        other = arrpy.apply("add", w.views[0], w.views[0]).numpy()
        for c in w.comms.values():
            c.call("group_end")
        expected = reduced("sum", w.host)
        report.check(f"{label}: all_reduce", all(close(out[r].numpy(), expected) for r in w.comms))
        report.check(f"{label}: messages", all(same(got[r].numpy(), w.host[(r - 1) % n]) for r in w.comms))
        report.check(f"{label}: work meanwhile", same(other, w.host[0] + w.host[0]))


def communicators(report):
    for n in rank_counts():
        if not report.wants(label := f"communicators {n}"):
            continue
        comms = ranks(n, report.device)
        states = {r: (c.info.size, c.info.rank, c.info.failed) for r, c in comms.items()}
        report.check(f"{label}: ranks", states == {r: (n, r, 0) for r in comms})

        def split(r, comm):
            half = comm.split(r % 2, -r)
            a = report.array(np.array([r]))
            half.all_reduce(a, a)
            return half.info.rank, half.info.size, int(a.numpy()[0])

        halves = [[r for r in range(n) if r % 2 == c] for c in (0, 1)]
        expected = {r: (halves[r % 2][::-1].index(r), len(halves[r % 2]), sum(halves[r % 2])) for r in comms}
        report.check(f"{label}: split", run_mine(comms, split) == expected)

        def duplicate(r, comm):
            other = comm.duplicate()
            with other.group():  # its calls do not meet those of the first
                a = report.array(np.array([1.0]))
                other.all_reduce(a, a)
                comm.barrier()
            return float(a.numpy()[0])

        report.check(f"{label}: duplicate", run_mine(comms, duplicate) == dict.fromkeys(comms, n))


def main():
    report = oracle.Report(__doc__)
    for part in (reductions, gathers, counts, exchanges, messages, halos, groups, communicators):
        part(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
