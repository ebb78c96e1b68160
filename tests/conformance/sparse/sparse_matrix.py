# SPDX-License-Identifier: MIT
"""A thin class over the C functions of sparse.h, and the matrices that the suites of the family share."""

import ctypes

import numpy as np
import scipy.sparse

import oracle
from oracle import arrpy

C = arrpy.c
FORMATS = {"coo": C.ARR_SPARSE_COO, "csr": C.ARR_SPARSE_CSR, "csc": C.ARR_SPARSE_CSC}
NAMES = {number: name for name, number in FORMATS.items()}
PARTS = {
    "data": C.ARR_SPARSE_PART_DATA,
    "row": C.ARR_SPARSE_PART_ROW,
    "col": C.ARR_SPARSE_PART_COL,
    "indices": C.ARR_SPARSE_PART_INDICES,
    "indptr": C.ARR_SPARSE_PART_INDPTR,
}


def op(name):
    return getattr(C, "ARR_OP_" + name.upper())


def reduction(name):
    return getattr(C, "ARR_REDUCTION_" + name.upper())


def indices_of(*given):
    """The indices of an index expression as a C array, which keeps the arrays alive."""
    out = (C.arr_index * len(given))()
    out.keep = given
    for index, g in zip(out, given):
        if isinstance(g, slice):
            index.kind, index.step = C.ARR_INDEX_SLICE, 1 if g.step is None else g.step
            low, high = -(2**63), 2**63 - 1
            index.start = g.start if g.start is not None else high if index.step < 0 else low
            index.stop = g.stop if g.stop is not None else low if index.step < 0 else high
        elif hasattr(g, "handle"):
            index.kind, index.array = C.ARR_INDEX_ARRAY, g.handle
        elif g is Ellipsis:
            index.kind = C.ARR_INDEX_ELLIPSIS
        elif g is None:
            index.kind = C.ARR_INDEX_NEW_AXIS
        else:
            index.kind, index.start = C.ARR_INDEX_INTEGER, g
    return out


class Sparse:
    """One matrix."""

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        arrpy.lib.arr_sparse_release(self.handle)

    @classmethod
    def made(cls, function, *arguments):
        out = C.arr_sparse()
        arrpy.call(function, *arguments, ctypes.byref(out))
        return cls(out)

    @classmethod
    def of(cls, m, device):
        keep = [arrpy.array(x, device=device) for x in m.arrays()]
        handles = [x.handle for x in keep]
        return cls.made(f"arr_sparse_{m.format}", *m.shape, *handles, None)

    @classmethod
    def from_dense(cls, a, form="csr"):
        return cls.made("arr_sparse_from_dense", a.handle, FORMATS[form], None)

    def info(self):
        p = C.arr_sparse_properties(ctypes.sizeof(C.arr_sparse_properties))
        arrpy.call("arr_sparse_info", self.handle, ctypes.byref(p))
        return p

    def part(self, name):
        return arrpy.made("arr_sparse_part", self.handle, PARTS[name])

    def canonical(self):
        answer = ctypes.c_bool()
        arrpy.call("arr_sparse_is_canonical", self.handle, None, ctypes.byref(answer))
        return answer.value

    def dense(self, order=C.ARR_ORDER_C):
        return arrpy.made("arr_sparse_to_dense", self.handle, order, None)

    def convert(self, form):
        return Sparse.made("arr_sparse_convert", self.handle, FORMATS[form], None)

    def astype(self, dtype, casting=0):
        return Sparse.made("arr_sparse_astype", self.handle, arrpy.number(dtype), casting, None)

    def sum_duplicates(self):
        return Sparse.made("arr_sparse_sum_duplicates", self.handle, None)

    def eliminate_zeros(self):
        return Sparse.made("arr_sparse_eliminate_zeros", self.handle, None)

    @property
    def T(self):
        return Sparse.made("arr_sparse_transpose", self.handle)

    def __matmul__(self, x):
        if isinstance(x, Sparse):
            return Sparse.made("arr_sparse_product", self.handle, x.handle, None)
        return arrpy.made("arr_sparse_matmul", self.handle, x.handle, None)

    def rmatmul(self, x):
        return arrpy.made("arr_sparse_rmatmul", x.handle, self.handle, None)

    def unary(self, name):
        return Sparse.made("arr_sparse_unary", op(name), self.handle, None)

    def binary(self, name, other):
        return Sparse.made("arr_sparse_binary", op(name), self.handle, other.handle, None)

    def scale(self, name, x):
        value = arrpy.value(x)
        return Sparse.made("arr_sparse_scale", op(name), self.handle, ctypes.byref(value), None)

    def reduce(self, name, axis=None, dtype=None):
        axis = C.ARR_AXIS_NONE if axis is None else axis
        return arrpy.made("arr_sparse_reduce", reduction(name), self.handle, axis, arrpy.number(dtype), None)

    def get_items(self, *indices):
        return Sparse.made("arr_sparse_get_items", self.handle, len(indices), indices_of(*indices), None)

    def elements(self, rows, cols):
        return arrpy.made("arr_sparse_elements", self.handle, rows.handle, cols.handle, None)

    def parts(self):
        """The parts as they are."""
        p = self.info()
        form = NAMES[p.format]
        return Parts(form, (p.rows, p.columns), *(self.part(name).numpy() for name in PARTS_OF[form]))


PARTS_OF = {"coo": ("data", "row", "col"), "csr": ("data", "indices", "indptr"), "csc": ("data", "indices", "indptr")}


class Parts:
    """A matrix as its parts, in any order; SciPy's has no 16-bit floats. first, second: row and col, or indices and
    indptr."""

    def __init__(self, form, shape, data, first, second):
        self.format, self.shape, self.data, self.first, self.second = form, shape, data, first, second

    def arrays(self):
        return self.data, self.first, self.second

    def coordinates(self):
        if self.format == "coo":
            return self.first, self.second
        lines = np.repeat(np.arange(len(self.second) - 1), np.diff(self.second))
        return (lines, self.first) if self.format == "csr" else (self.first, lines)

    def ordered(self):
        """True if the elements are in order and none is there twice."""
        row, column = (x.astype("i8") for x in self.coordinates())
        keys = column * self.shape[0] + row if self.format == "csc" else row * self.shape[1] + column
        return bool(np.all(keys[1:] > keys[:-1]))

    def dense(self):
        """The dense matrix in its own type, elements of one row and column added."""
        out = np.zeros(self.shape, self.data.dtype)
        if out.dtype == bool:
            np.logical_or.at(out, self.coordinates(), self.data)
        elif self.data.dtype.kind == "V":
            wide = np.zeros(self.shape, "f4")
            np.add.at(wide, self.coordinates(), self.data.astype("f4"))
            out = wide.astype(out.dtype)
        else:
            np.add.at(out, self.coordinates(), self.data)
        return out

    def scipy(self):
        kind = {"coo": scipy.sparse.coo_array, "csr": scipy.sparse.csr_array, "csc": scipy.sparse.csc_array}[
            self.format
        ]
        if self.format == "coo":
            return kind((self.data, (self.first, self.second)), shape=self.shape)
        return kind((self.data, self.first, self.second), shape=self.shape)


def numbers(n, d, seed):
    """Small numbers, so that sums of integers and their products are exact in every type but int8."""
    r = np.random.default_rng(seed)
    if d == "bool":
        return r.integers(0, 2, n).astype(bool)
    x = r.integers(0 if d.startswith("u") else -3, 4, n)
    if d.startswith("complex"):
        return (x + 1j * r.integers(-3, 4, n)).astype(d)
    return x.astype(oracle.dtype(d))


def coordinates(shape, nnz, d, seed, index="int32", duplicates=True):
    """A matrix of random coordinates in coo, some of them the same, not in order."""
    r = np.random.default_rng(seed)
    rows, columns = shape
    nnz = nnz if rows * columns else 0
    if duplicates:
        at = r.integers(0, max(rows * columns, 1), nnz)
    else:
        at = r.permutation(rows * columns)[:nnz]
    columns = max(columns, 1)
    return Parts(
        "coo", shape, numbers(len(at), d, seed + 1), (at // columns).astype(index), (at % columns).astype(index)
    )


def unsorted_compressed(shape, nnz, d, seed, form="csr", index="int32"):
    """A matrix in csr or csc whose lines are not in order, with duplicates and stored zeros, as SciPy keeps it."""
    r = np.random.default_rng(seed)
    lines, width = shape if form == "csr" else shape[::-1]
    nnz = nnz if lines * width else 0
    line = np.sort(r.integers(0, max(lines, 1), nnz))
    indptr = np.searchsorted(line, np.arange(lines + 1)).astype(index)
    indices = r.integers(0, max(width, 1), nnz).astype(index)
    return Parts(form, shape, numbers(nnz, d, seed + 1), indices, indptr)


def cases(d="float64", index="int32"):
    """name, matrix: the shapes and structures that every function is tried on."""
    yield "coo", coordinates((7, 9), 20, d, 1, index)
    yield "canonical coo", coordinates((7, 9), 20, d, 2, index, duplicates=False)
    yield "csr", unsorted_compressed((8, 6), 25, d, 3, "csr", index)
    yield "csc", unsorted_compressed((8, 6), 25, d, 4, "csc", index)
    yield "empty", coordinates((5, 4), 0, d, 5, index)
    yield "no rows", coordinates((0, 4), 3, d, 6, index)
    yield "no columns", unsorted_compressed((4, 0), 3, d, 7, "csr", index)
    yield "one", coordinates((1, 1), 3, d, 8, index)
    yield "one row", coordinates((1, 50), 30, d, 9, index)
    yield "one column", unsorted_compressed((50, 1), 30, d, 10, "csc", index)
    yield "full", unsorted_compressed((3, 4), 60, d, 11, "csr", index)
    yield "larger", unsorted_compressed((300, 200), 3000, d, 12, "csr", index)
    yield from structures(d, index)


def structured(m, d, index, values=None):
    """A canonical csr of the stored elements of SciPy's matrix; numbers are random, or those of the matrix, whose signs
    are dropped for types without one."""
    m = scipy.sparse.csr_array(m)
    m.sum_duplicates()
    m.sort_indices()
    if values is None:
        data = numbers(m.nnz, d, 13)
    else:
        data = (np.abs(values) if d == "bool" or d.startswith("u") else values).astype(oracle.dtype(d))
    return Parts("csr", m.shape, data, m.indices.astype(index), m.indptr.astype(index))


def laplacian(*extents):
    """The Laplacian of a grid of points, 2 n on the diagonal and -1 for each neighbour, of n extents."""
    out = scipy.sparse.csr_array((1, 1))
    for n in extents:
        one = scipy.sparse.diags_array([-np.ones(n - 1), np.full(n, 2.0), -np.ones(n - 1)], offsets=(-1, 0, 1))
        eye = scipy.sparse.eye_array
        out = scipy.sparse.csr_array(scipy.sparse.kron(out, eye(n)) + scipy.sparse.kron(eye(out.shape[0]), one))
    return out


def rmat(scale, edges, seed, parts=(0.57, 0.19, 0.19)):
    """Row and column of the edges of a graph of 2 ** scale vertices whose degrees differ as those of networks: each bit
    is that of one of four quarters (D. Chakrabarti, Y. Zhan, C. Faloutsos, R-MAT, SDM 2004). Some edges are there
    twice."""
    quarter = np.searchsorted(np.cumsum(parts), np.random.default_rng(seed).random((scale, edges)))
    bits = 1 << np.arange(scale)[:, None]
    return (quarter // 2 * bits).sum(0), (quarter % 2 * bits).sum(0)


def structures(d="float64", index="int32"):
    """name, matrix: structures that appear in practice and are hard for some algorithm."""
    r = np.random.default_rng(14)
    offsets = (-5, -1, 0, 1, 2)
    yield "banded", structured(scipy.sparse.diags_array([1.0] * 5, offsets=offsets, shape=(17, 14)), d, index)
    for extents in ((9,), (4, 5), (2, 3, 4)):
        m = laplacian(*extents)
        yield f"laplacian {len(extents)}", structured(m, d, index, m.data)
    m = r.random((12, 40)) < 0.06
    m[5] = True
    yield "dense row", structured(m, d, index)
    at = [x.astype(index) for x in rmat(5, 110, 15)]
    yield "rmat", Parts("coo", (32, 32), numbers(110, d, 16), *at)
    m = r.random((11, 13)) < 0.5
    m[[0, 1, 5, 10]], m[:, [0, 6, 7, 12]] = False, False
    yield "empty lines", structured(m, d, index)
    m = structured(np.ones((5, 6)), d, index)
    m.data[r.random(30) < 0.6] = 0
    yield "stored zeros", m
