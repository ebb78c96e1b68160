#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products of sparse matrices whose rows are divided among ranks, against SciPy, for every type and number of ranks."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.sparse
from dists import World, divisions
from linops import Linop
from ranks import rank_counts, ranks, run_mine

SHAPES = ((23, 23), (17, 29), (31, 8))


def pattern(m, n, seed=3, density=0.15):
    """An unsymmetric pattern with empty rows and columns."""
    return scipy.sparse.random_array((m, n), density=density, rng=np.random.default_rng(seed), format="csr")


def close_as(d):
    wide = "c16" if d.startswith("complex") else "f8"
    eps = {"float16": 2e-2, "bfloat16": 1e-1, "float32": 1e-5, "complex64": 1e-5}.get(d, 1e-12)

    def close(got, expected):
        if got.dtype != expected.dtype or got.shape != expected.shape:
            return False
        if got.dtype.kind in "biu":
            return np.array_equal(got, expected)
        return np.allclose(got.astype(wide), expected.astype(wide), rtol=eps, atol=eps)

    return close


def dense_of(m, data, d):
    """The matrix as an array; bfloat16 is no type of SciPy's."""
    out = np.zeros(m.shape, "c16" if d.startswith("complex") else "f8")
    row = np.repeat(np.arange(m.shape[0]), np.diff(m.indptr))
    out[row, m.indices] = data.astype(out.dtype)
    return out


def expected_of(a, x, d):
    if oracle.kind(d) == "B":
        return (a.astype("i8") @ x.astype("i8")) != 0
    if oracle.kind(d) in "IU":
        return (a.astype("i8").astype(d) @ x).astype(d)
    return (a @ x.astype(a.dtype)).astype(oracle.dtype(d))


class Rows:
    """The rows of a CSR matrix as SciPy slices them, with data of any type."""

    def __init__(self, m, data):
        self.m, self.data, self.shape, self.nnz = m, data, m.shape, m.nnz

    def tocsr(self):
        return self

    def __getitem__(self, key):
        first, last, _ = key.indices(self.m.shape[0])
        last = max(first, last)
        low, high = self.m.indptr[first], self.m.indptr[last]
        out = Rows.__new__(Rows)
        out.shape = (last - first, self.m.shape[1])
        out.data, out.indices = self.data[low:high], self.m.indices[low:high]
        out.indptr = self.m.indptr[first : last + 1] - low
        return out

    def asformat(self, _):
        return self


def types(report):
    for d, n in itertools.product(oracle.ALL, rank_counts()):
        if not report.wants(label := f"type {d} {n}"):
            continue
        m = pattern(23, 23)
        data = oracle.sample((m.nnz,), d, 1, "tame")
        a = dense_of(m, data, d)
        x = oracle.sample((23,), d, 2, "tame")
        rows = next(divisions(23, n))
        w = World(report, ranks(n, report.device), Rows(m, data), rows)
        mine = w.parts(x)
        for mode, by in (("plain", a), ("transpose", a.T), ("adjoint", a.conj().T)):
            got = w.run(lambda r, dist, mode=mode, mine=mine: dist.matmul(mine[r], mode))
            report.check(f"{label} {mode}", w.fits(got, expected_of(by, x, d), close=close_as(d)))


def shapes(report):
    """Rectangles, ranks without rows or columns, matrices of several columns, formats and index types."""
    rng = np.random.default_rng(5)
    for (m, n), size, form, index in itertools.product(SHAPES, rank_counts(), ("csr", "coo", "csc"), ("i4", "i8")):
        label = f"shape {m} {n} {size} {form} {index}"
        if not report.wants(label):
            continue
        a = pattern(m, n)
        comms = ranks(size, report.device)
        for i, (rows, columns) in enumerate(zip(divisions(m, size), list(divisions(n, size))[::-1])):
            w = World(report, comms, a, rows, columns, form, index)
            for k in ((), (3,)):
                x, y = rng.standard_normal((n, *k)), rng.standard_normal((m, *k))
                mine, other = w.parts(x), w.parts(y, True)
                got = w.run(lambda r, dist, mine=mine: dist.matmul(mine[r]))
                report.check(f"{label} {i} {k}", w.fits(got, a @ x))
                back = w.run(lambda r, dist, other=other: dist.matmul(other[r], "adjoint"))
                report.check(f"{label} {i} {k} adjoint", w.fits(back, a.T @ y, False))
        facts = w.run(lambda r, dist: dist.info)
        good = all(
            (f.whole_rows, f.whole_columns, f.whole_nnz) == (m, n, a.nnz)
            and (f.rows, f.columns) == (rows[r], columns[r])
            and f.nnz == a[sum(rows[:r]) : sum(rows[: r + 1])].nnz
            for r, f in facts.items()
        )
        report.check(f"{label} info", good)
        outside = {}
        for r in facts:
            used = np.unique(a[sum(rows[:r]) : sum(rows[: r + 1])].indices)
            first = sum(columns[:r])
            outside[r] = int(((used < first) | (used >= first + columns[r])).sum())
        report.check(f"{label} received", all(f.received == outside[r] for r, f in facts.items()))


def blocks(report):
    """The block of a rank, and a matrix none of whose ranks needs anything."""
    for size in rank_counts():
        rows = next(divisions(24, size))
        a, comms = pattern(24, 24), ranks(size, report.device)
        w = World(report, comms, a, rows)
        got = w.run(lambda r, dist: dist.block().dense().numpy())
        first = np.cumsum([0, *rows])
        inside = [a.toarray()[first[r] : first[r + 1], first[r] : first[r + 1]] for r in range(size)]
        report.check(f"block {size}", all(np.array_equal(g, inside[r]) for r, g in got.items()))
        alone = World(report, comms, scipy.sparse.block_diag([scipy.sparse.csr_array(b) for b in inside], "csr"), rows)
        x = np.arange(24.0)
        mine = alone.parts(x)
        y = alone.run(lambda r, dist: dist.matmul(mine[r]))
        report.check(f"block alone {size}", alone.fits(y, alone.m @ x))
        moved = alone.run(lambda r, dist: (dist.info.received, dist.info.sent))
        report.check(f"block moved {size}", set(moved.values()) == {(0, 0)})


def into(report):
    """Destinations of any layout and type, and the operand itself."""
    for size in rank_counts():
        a, x = pattern(26, 26), np.arange(26.0)
        w = World(report, ranks(size, report.device), a, list(divisions(26, size))[1])
        mine = w.parts(x)

        def steps(r, dist, mine=mine):
            dst = report.array(np.zeros(2 * dist.info.rows, "f4"))[::2]
            dist.matmul_into(dst, mine[r])
            return dst

        got = w.run(steps)
        report.check(f"into steps {size}", w.fits(got, (a @ x).astype("f4")))

        def plain(r, dist, mine=mine, mode="plain"):
            dst = report.array(np.full(dist.info.rows, np.nan))
            dist.matmul_into(dst, mine[r], mode)
            return dst

        report.check(f"into {size}", w.fits(w.run(plain), a @ x))
        back = w.run(lambda r, dist, plain=plain: plain(r, dist, mode="transpose"))
        report.check(f"into transpose {size}", w.fits(back, a.T @ x))

        def itself(r, dist, mine=mine):
            dist.matmul_into(mine[r], mine[r])
            return mine[r]

        report.check(f"into itself {size}", w.fits(w.run(itself), a @ x))


def operators(report):
    """Operators of matrices: their sums, products, powers and turns; those over operators of each rank alone."""
    for size in rank_counts():
        a, b = pattern(21, 21), pattern(21, 21, 4)
        x = np.random.default_rng(2).standard_normal(21)
        comms, rows = ranks(size, report.device), list(divisions(21, size))[1]
        w = World(report, comms, a, rows)
        v = World(report, comms, b, rows)
        mine = w.parts(x)

        def composed(r, dist, v=v, mine=mine, rows=rows):
            one, two = dist.linop(), v.dists[r].linop()
            eye = Linop.made("identity", rows[r], 11, None) if report.device == "host" else None
            out = [
                Linop.made("sum", one, two),
                Linop.made("product", one, two),
                Linop.made("power", one, 3),
                Linop.made("adjoint", one).scaled(2.0),
                *([Linop.made("sum", one, eye)] if eye else []),
            ]
            return [op.apply(mine[r]) for op in out]

        got = w.run(composed)
        wholes = [(a + b) @ x, a @ (b @ x), a @ (a @ (a @ x)), 2 * (a.T @ x), a @ x + x]
        for i, y in enumerate(wholes[: len(next(iter(got.values())))]):
            report.check(f"operators {i} {size}", w.fits({r: g[i] for r, g in got.items()}, y))

        def over(r, comm, w=w, mine=mine, rows=rows):
            local = Linop.function(
                (rows[r], rows[r]),
                "float64",
                report.device,
                w.dists[r].matmul,
                lambda y: w.dists[r].matmul(y, "adjoint"),
            )
            op = Linop.made("over", local, comm.value)
            return op.apply(mine[r]), op.apply(mine[r], "adjoint")

        got = run_mine(comms, over)
        report.check(f"operators over {size}", w.fits({r: g[0] for r, g in got.items()}, a @ x))
        report.check(f"operators over adjoint {size}", w.fits({r: g[1] for r, g in got.items()}, a.T @ x))


def main():
    report = oracle.Report(__doc__)
    for part in (types, shapes, blocks, into, operators):
        part(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
