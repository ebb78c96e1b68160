# SPDX-License-Identifier: MIT
"""Sparse matrices whose rows are divided among ranks, for the suites of the family; see ranks.py."""

import ctypes

import numpy as np
from linops import C, Linop
from ranks import int64s, run_mine
from sparse_matrix import Sparse

from oracle import arrpy

MODES = {"plain": C.ARR_MATRIX_PLAIN, "transpose": C.ARR_MATRIX_TRANSPOSED, "adjoint": C.ARR_MATRIX_ADJOINT}


def divisions(n, size):
    """Counts of n elements for each rank: about equal ones, and ones with empty ranks."""
    yield [(r + 1) * n // size - r * n // size for r in range(size)]
    some = [0 if r % 2 == 0 or r + 2 >= size else n // 3 for r in range(size - 1)]
    yield [*some, n - sum(some)]


def part(x, counts, rank):
    """This rank's part of the rows of an array."""
    first = sum(counts[:rank])
    return x[first : first + counts[rank]]


def matrix(m, device, form="csr", index="i4"):
    """The matrix of SciPy's, with its duplicates, in a format and with an index type."""
    arrays = lambda *all_: [arrpy.array(x, device=device) for x in all_]  # noqa: E731
    m = m.asformat(form)
    if form == "coo":
        parts = arrays(m.data, m.row.astype(index), m.col.astype(index))
    else:
        parts = arrays(m.data, m.indices.astype(index), m.indptr.astype(index))
    return Sparse.made(f"arr_sparse_{form}", *m.shape, *(p.handle for p in parts), None)


class Dist:
    def __init__(self, comm, rows, counts=None):
        self.comm = comm
        self.handle = arrpy.made(
            "arr_dist_sparse_create",
            comm.value,
            rows.handle,
            len(counts or ()),
            int64s(counts),
            None,
            of=C.arr_dist_sparse,
        )

    def __del__(self):
        if hasattr(self, "handle"):
            arrpy.lib.arr_dist_sparse_release(self.handle)

    def matmul(self, x, mode="plain"):
        return arrpy.made("arr_dist_sparse_matmul", self.handle, x.handle, MODES[mode], None)

    def matmul_into(self, dst, x, mode="plain"):
        arrpy.call("arr_dist_sparse_matmul_into", dst.handle, self.handle, x.handle, MODES[mode], None)

    def block(self):
        out = C.arr_sparse()
        arrpy.call("arr_dist_sparse_block", self.handle, ctypes.byref(out))
        return Sparse(out)

    @property
    def info(self):
        out = C.arr_dist_sparse_properties(struct_size=ctypes.sizeof(C.arr_dist_sparse_properties))
        arrpy.call("arr_dist_sparse_info", self.handle, ctypes.byref(out))
        return out

    def linop(self):
        return Linop.made("from_dist_sparse", self)


class World:
    """A matrix of SciPy's among the ranks of this process: their rows, and their parts of vectors."""

    def __init__(self, report, comms, m, rows, columns=None, form="csr", index="i4"):
        self.report, self.comms, self.m, self.rows, self.columns = report, comms, m, rows, columns or rows
        csr = m.tocsr()
        given = columns

        def made(r, comm):
            return Dist(comm, matrix(part(csr, rows, r), report.device, form, index), given)

        self.dists = run_mine(comms, made)

    def run(self, work):
        """{rank: work(rank, matrix)} of the ranks of this process."""
        return run_mine(self.comms, lambda r, comm: work(r, self.dists[r]))

    def parts(self, x, rows=False):
        """The parts of a vector that is multiplied, or of a product, as arrays."""
        counts = self.rows if rows else self.columns
        return {r: self.report.array(np.ascontiguousarray(part(x, counts, r))) for r in self.comms}

    def fits(self, results, whole, rows=True, close=None):
        """True if the arrays of the ranks are the parts of NumPy's array."""
        counts = self.rows if rows else self.columns
        close = close or (lambda got, expected: got.shape == expected.shape and np.allclose(got, expected))
        return all(close(a.numpy(), part(whole, counts, r)) for r, a in results.items())
