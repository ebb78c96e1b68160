# SPDX-License-Identifier: MIT
"""Random calls on random sparse matrices, compared with SciPy's sparse arrays: the fuzzer `sparse` of tests/fuzz.

A case takes matrices of any format, order, type and index type through a few calls, each on the last one's result. Each
result is compared, its parts are checked as SciPy checks them, and no operand has changed at the end."""

import ctypes
import os
import random
import tempfile

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from scipy.sparse import csgraph
from sparse_matrix import FORMATS, Parts, Sparse, indices_of, numbers, structures

from oracle import arrpy

C = arrpy.c
DTYPES = ("bool", "int8", "uint8", "uint16", "int32", "int64", "float32", "float64", "complex64", "complex128")
REAL = ("int32", "int64", "float32", "float64")
EXACT = 2**20  # beyond, a result is not used again, so that sums of products stay exact in float32


def integral(x):
    """True if all values are integers, for which sums and products are exact."""
    return x.dtype.kind not in "fc" or bool(np.all(np.isfinite(x)) and np.array_equal(x, np.round(x)))


class Operand:
    """A matrix of the library beside SciPy's, and the parts that it had when it was made."""

    def __init__(self, ours, theirs):
        self.ours, self.theirs, self.first = ours, theirs, ours.parts()

    @property
    def shape(self):
        return self.theirs.shape

    @property
    def dtype(self):
        return self.theirs.dtype

    @property
    def dense(self):
        return self.theirs.toarray()

    def unchanged(self):
        now = self.ours.parts()
        pairs = zip(now.arrays(), self.first.arrays())
        return now.format == self.first.format and all(
            np.array_equal(x, y, equal_nan=x.dtype.kind in "fc") for x, y in pairs
        )


class Case:
    def __init__(self, report, name, number):
        self.report, self.name, self.r = report, name, random.Random(number)
        self.numbers = np.random.default_rng(number)
        self.steps, self.operands, self.arrays = [], [], []

    # ------------------------------------------------------------------------------------------------ operands

    def parts(self, shape=None, dtypes=DTYPES, square=False):
        r = self.r
        d, index = r.choice(dtypes), r.choice(("int32", "int64"))
        if shape is None and r.random() < 0.25:
            m = r.choice(list(structures(d, index)))[1]
            if not square or m.shape[0] == m.shape[1]:
                return m
        size = lambda: r.choice((0, 1, 2, 3, 5, 8, 13, 40, r.randint(1, 70)))  # noqa: E731
        shape = shape or (size(), size())
        shape = (shape[0],) * 2 if square else shape
        nnz = r.choice((0, 1, r.randint(0, 1 + shape[0] * shape[1]), 2 * sum(shape))) if 0 not in shape else 0
        at = [np.array([r.randrange(n) for _ in range(nnz)], index) for n in shape]
        form = r.choice(("coo", "csr", "csc"))
        data = numbers(nnz, d, r.randrange(1 << 30))
        if form == "coo":
            return Parts("coo", shape, data, *at)
        line, other = at if form == "csr" else at[::-1]
        order = np.argsort(line, kind="stable")
        indptr = np.searchsorted(line[order], np.arange(shape[form == "csc"] + 1)).astype(index)
        return Parts(form, shape, data, other[order], indptr)

    def matrix(self, shape=None, dtypes=DTYPES, square=False):
        m = self.parts(shape, dtypes, square)
        if m.data.dtype == bool:  # two true elements of one index are 1 as bool, 2 once they are cast, as in SciPy
            _, first = np.unique(np.stack(m.coordinates()), axis=1, return_index=True)
            m.data[np.setdiff1d(np.arange(len(m.data)), first)] = False
        dense = m.dense()
        theirs = scipy.sparse.coo_array(dense)
        if self.r.random() < 0.5:
            theirs = theirs.asformat(self.r.choice(("csr", "csc", "coo")))
        ours = Sparse.of(m, self.report.device)
        self.steps.append(f"{m.format} {m.shape} {m.data.dtype} {m.first.dtype} nnz {len(m.data)}")
        return self.keep(Operand(ours, theirs))

    def keep(self, operand):
        self.operands.append(operand)
        return operand

    def vector(self, shape, d):
        return numbers(shape, d, self.r.randrange(1 << 30))

    def array(self, x):
        """The array, in one of several layouts of memory."""
        if x.ndim == 2 and self.r.random() < 0.3:
            self.arrays.append(self.report.array(np.ascontiguousarray(x.T)).transpose())
        else:
            self.arrays.append(self.report.array(x))
        return self.arrays[-1]  # kept, since a handle does not keep it

    # ------------------------------------------------------------------------------------------------ comparisons

    def check(self, good, detail=""):
        self.report.check(self.name, good, f"{'; '.join(self.steps)}: {detail}")

    def refused(self, call, status=None):
        try:
            call()
        except arrpy.Error as e:
            return self.check(status is None or e.status == status, f"refused by another status: {e}")
        self.check(False, "nothing was refused")

    def array_matches(self, got, want, close=False):
        got, want = got.numpy(), np.asarray(want)
        single = any("float32" in step or "complex64" in step for step in self.steps)
        tolerance = 1e-5 if single or np.dtype(want.dtype).itemsize < 8 or want.dtype == np.complex64 else 1e-12
        if close or not integral(want):
            good = got.shape == want.shape and np.allclose(got, want, tolerance, tolerance, equal_nan=True)
        else:
            good = got.shape == want.shape and got.dtype == want.dtype and np.array_equal(got, want)
        self.check(good, f"{got.dtype} {got}\nSciPy {want.dtype} {want}")

    def matches(self, ours, theirs, close=False):
        """Compares a matrix with SciPy's or with a dense one; returns it as an operand."""
        theirs = theirs if scipy.sparse.issparse(theirs) else scipy.sparse.coo_array(np.asarray(theirs))
        self.array_matches(ours.dense(), theirs.toarray(), close)
        p = ours.parts()
        try:
            q = p.scipy()
            if p.format == "coo":
                q.tocsr().check_format(full_check=True)
                good = all(len(x) == 0 or (0 <= x.min() and x.max() < n) for x, n in zip(p.coordinates(), p.shape))
            else:
                q.check_format(full_check=True)
                good = True
        except (ValueError, IndexError) as e:
            good = str(e)
        self.check(good is True, f"parts: {good}")
        self.check(ours.canonical() == p.ordered(), "whether the elements are in order")
        return self.keep(Operand(ours, theirs.copy()))

    def small(self, a):
        data = a.theirs.data
        return not len(data) or (np.all(np.isfinite(data)) and np.abs(data.astype("c16")).max() < EXACT)

    def run(self):
        step = FUNCTIONS[self.name]
        a = self.matrix(dtypes=DTYPES, square=self.r.random() < 0.3)
        for _ in range(self.r.choice((0, 0, 1, 1, 2, 3))):
            before = self.r.choice(CHAINED)
            self.steps.append(before)
            b = FUNCTIONS[before](self, a)
            if isinstance(b, Operand) and self.small(b) and np.prod(b.shape) < 20000:
                a = b
        self.steps.append(self.name)
        step(self, a)
        for x in self.operands:
            self.check(x.unchanged(), "an operand has changed")


FUNCTIONS, CHAINED = {}, []


def step(chained=True):
    def add(f):
        FUNCTIONS[f.__name__] = f
        if chained:
            CHAINED.append(f.__name__)
        return f

    return add


@step()
def convert(c, a):
    b = a.ours.convert(c.r.choice(list(FORMATS)))
    if c.r.random() < 0.5:
        b = b.sum_duplicates()
        c.check(b.canonical(), "not canonical")
    return c.matches(b, a.theirs)


@step()
def astype(c, a):
    d = c.r.choice(DTYPES)
    if np.can_cast(a.dtype, d, "same_kind"):
        b = a.ours.sum_duplicates()  # values of one index are cast each by itself, so they are added before
        return c.matches(b.astype(d), a.dense.astype(d))
    return c.refused(lambda: a.ours.astype(d), C.ARR_E_DTYPE)


@step()
def eliminate_zeros(c, a):
    b = a.ours.sum_duplicates().eliminate_zeros()
    c.check(b.info().nnz == np.count_nonzero(a.dense), f"{b.info().nnz} elements")
    return c.matches(b, a.theirs)


@step()
def transpose(c, a):
    return c.matches(a.ours.T, a.theirs.T)


@step(False)
def matmul(c, a):
    d = c.r.choice(DTYPES)
    columns = c.r.choice(((), (1,), (2,), (7,), (33,), (130,)))
    x = c.vector((a.shape[1], *columns), d)
    y = c.vector((*columns, a.shape[0]), d)
    c.array_matches(a.ours @ c.array(x), (a.theirs @ x).reshape((a.shape[0], *columns)))
    c.array_matches(a.ours.rmatmul(c.array(y)), (y @ a.theirs).reshape((*columns, a.shape[1])))
    wrong = c.vector((a.shape[1] + 1, *columns), d)
    c.refused(lambda: a.ours @ c.array(wrong), C.ARR_E_SHAPE)


@step()
def product(c, a):
    b = c.matrix((a.shape[1], c.r.choice((0, 1, 5, 30))))
    got = a.ours @ b.ours
    out = c.matches(got, a.theirs @ b.theirs)
    stored = np.count_nonzero(out.dense)
    c.check(got.info().nnz == stored or not integral(a.dense), f"{got.info().nnz} elements stored")
    return out


UNARY = {"negative": np.negative, "absolute": np.abs, "square": np.square, "sign": np.sign, "conjugate": np.conj}


@step()
def unary(c, a):
    name = c.r.choice(list(UNARY))
    c.steps.append(name)
    if a.dtype == bool or (name == "sign" and a.dtype.kind == "c"):
        return None
    return c.matches(a.ours.unary(name), UNARY[name](a.dense))


@step(False)
def functions(c, a):
    name = c.r.choice(("sqrt", "sin", "tan", "expm1", "log1p", "arctan", "tanh", "floor", "rint"))
    c.steps.append(name)
    if a.dtype.kind not in "f" or (name in ("sqrt", "log1p") and np.any(a.dense < 0)):
        return
    c.array_matches(a.ours.unary(name).dense(), getattr(np, name)(a.dense), True)


@step()
def binary(c, a):
    b = c.matrix(a.shape)
    name = c.r.choice(("add", "subtract", "multiply", "maximum", "minimum", "not_equal"))
    c.steps.append(name)
    d = np.result_type(a.dtype, b.dtype)
    if (d == bool and name == "subtract") or (d.kind == "c" and name in ("maximum", "minimum")):
        return None
    if name == "multiply":
        want = a.theirs.multiply(b.theirs)
    elif name in ("maximum", "minimum"):
        want = getattr(a.theirs.tocsr(), name)(b.theirs.tocsr())
    else:
        want = {"add": a.theirs + b.theirs, "not_equal": a.theirs.tocsr() != b.theirs.tocsr()}.get(name)
        want = a.theirs - b.theirs if want is None else want
    got = a.ours.binary(name, b.ours)
    stored = np.count_nonzero(want.toarray())
    c.check(got.info().nnz == stored or not integral(a.dense), f"{got.info().nnz} elements stored")
    return c.matches(got, want)


@step()
def scale(c, a):
    kind, d = c.r.choice(("scalar", "row", "column", "matrix")), c.r.choice(DTYPES)
    shape = {"scalar": (1,), "row": (a.shape[1],), "column": (a.shape[0], 1), "matrix": a.shape}[kind]
    x = c.vector(shape, d)
    x = c.r.randint(-3, 3) * 0.5 if kind == "scalar" else x
    c.steps.append(f"{kind} {d}")
    if kind == "scalar":
        want = np.multiply(a.dense, x)
        return c.matches(a.ours.scale("multiply", x), want)
    return c.matches(a.ours.scale("multiply", c.array(x)), a.dense * x)


@step(False)
def reduce(c, a):
    axis = c.r.choice((None, 0, 1, -1))
    name = c.r.choice(("sum", "max", "min", "mean", "any", "all", "count_nonzero", "argmax", "argmin"))
    c.steps.append(f"{name} {axis}")
    if 0 in a.shape:
        return
    number = C.ARR_AXIS_NONE if axis is None else axis
    if name.startswith("arg"):
        if a.dtype.kind != "c":
            got = arrpy.made(f"arr_sparse_{name}", a.ours.handle, number, None)
            c.array_matches(got, getattr(np, name)(a.dense, axis))
        return
    if a.dtype.kind == "c" and name in ("max", "min"):
        return
    if name in ("sum", "max", "min", "mean"):
        want = getattr(a.theirs, name)(axis)
        want = want.toarray() if scipy.sparse.issparse(want) else np.asarray(want)
    else:
        want = np.asarray(getattr(np, name)(a.dense, axis))
    c.array_matches(a.ours.reduce(name, axis), want, name in ("mean", "sum"))


@step(False)
def norm(c, a):
    axis, order = c.r.choice(((None, None), (None, 1), (None, np.inf), (0, None), (1, None), (0, 1), (1, np.inf)))
    c.steps.append(f"{order} {axis}")
    if 0 in a.shape or a.dtype == bool:
        return
    kind = C.ARR_NORM_DEFAULT if order is None else C.ARR_NORM_P
    number = C.ARR_AXIS_NONE if axis is None else axis
    got = arrpy.made("arr_sparse_norm", a.ours.handle, kind, order or 0, number, None)
    wide = a.dense.astype("c16" if a.dtype.kind == "c" else "f8")
    want = np.linalg.norm(wide, order, axis)
    c.check(np.allclose(got.numpy(), want, 1e-5), f"{got.numpy()} {want}")


def index(c, extent):
    """A slice, or an index array."""
    kind = c.r.randrange(5)
    ends = [None, *range(-extent - 2, extent + 3)]
    if kind == 0:
        return slice(None)
    if kind < 3 or extent == 0:
        return slice(c.r.choice(ends), c.r.choice(ends), c.r.choice((None, 1, 2, -1, -3, 5)))
    if kind == 3:
        return np.array([c.r.randrange(-extent, extent) for _ in range(c.r.choice((0, 1, 3, 9)))], "i8")
    return np.array([c.r.random() < 0.5 for _ in range(extent)], bool)


def given(c, i):
    return c.array(i) if isinstance(i, np.ndarray) else i


@step()
def get_items(c, a):
    i, j = index(c, a.shape[0]), index(c, a.shape[1])
    c.steps.append(f"[{i}, {j}]")
    if isinstance(i, np.ndarray) and isinstance(j, np.ndarray):
        j = slice(None, None, -1)
    return c.matches(a.ours.get_items(given(c, i), given(c, j)), a.dense[i][:, j])


@step(False)
def elements(c, a):
    if 0 in a.shape:
        return
    shape = c.r.choice(((), (3,), (2, 5), (0,)))
    i, j = (np.array(c.numbers.integers(-n, n, shape)) for n in a.shape)
    c.array_matches(a.ours.elements(c.array(i), c.array(j)), a.dense[i, j])


@step()
def with_items(c, a):
    i, j = (slice(x, y) for x, y in (sorted(c.r.choices(range(n + 1), k=2)) for n in a.shape))
    b = c.matrix(a.dense[i, j].shape, (a.dtype.name,))
    got = Sparse.made("arr_sparse_with_items", a.ours.handle, 2, indices_of(i, j), b.ours.handle, None)
    want = a.dense
    want[i, j] = b.dense
    return c.matches(got, want)


@step()
def with_elements(c, a):
    if 0 in a.shape:
        return None
    n = c.r.choice((0, 1, 4, 20))
    i, j = (c.numbers.integers(-k, k, n) for k in a.shape)
    v = c.vector(n, a.dtype.name)
    want = a.dense
    for k in range(n):
        want[i[k], j[k]] = v[k]
    rows, columns, values = (c.array(x) for x in (i, j, v))
    value = ctypes.byref(arrpy.value(values))
    got = Sparse.made("arr_sparse_with_elements", a.ours.handle, rows.handle, columns.handle, value, None)
    return c.matches(got, want)


@step()
def triangles(c, a):
    side, k = c.r.choice(("tril", "triu")), c.r.randint(-9, 9)
    c.steps.append(f"{side} {k}")
    got = Sparse.made(f"arr_sparse_{side}", a.ours.handle, k, None)
    return c.matches(got, getattr(np, side)(a.dense, k))


@step()
def diagonal(c, a):
    k = c.r.randint(-9, 9)
    c.steps.append(f"diagonal {k}")
    if -a.shape[0] < k < a.shape[1]:
        got = arrpy.made("arr_sparse_diagonal", a.ours.handle, k, None)
        c.array_matches(got, np.diagonal(a.dense, k))
        if c.r.random() < 0.5 and a.dtype != bool:
            v = c.vector(len(np.diagonal(a.dense, k)), a.dtype.name)
            value = arrpy.value(c.array(v))
            want = a.dense
            want[np.arange(len(v)) - min(k, 0), np.arange(len(v)) + max(k, 0)] = v
            if len(v) > 1:
                return c.matches(
                    Sparse.made("arr_sparse_with_diagonal", a.ours.handle, ctypes.byref(value), k, None), want
                )
    return None


@step()
def reshape(c, a):
    size = int(np.prod(a.shape))
    divisors = [n for n in range(1, size + 1) if size % n == 0] or [1]
    rows = c.r.choice(divisors)
    columns = size // rows if c.r.random() < 0.7 or not size else -1
    c.steps.append(f"({rows}, {columns})")
    got = Sparse.made("arr_sparse_reshape", a.ours.handle, rows, columns, None)
    return c.matches(got, a.dense.reshape(rows, size // rows))


def several(matrices):
    return (C.arr_sparse * len(matrices))(*(m.ours.handle for m in matrices))


@step()
def concatenate(c, a):
    axis, form = c.r.randrange(2), c.r.choice(list(FORMATS))
    other = lambda: tuple(c.r.choice((0, 1, 7)) if i == axis else n for i, n in enumerate(a.shape))  # noqa: E731
    parts = [a, *(c.matrix(other()) for _ in range(c.r.randint(0, 2)))]
    c.r.shuffle(parts)
    got = Sparse.made("arr_sparse_concatenate", len(parts), several(parts), axis, FORMATS[form], None)
    return c.matches(got, np.concatenate([p.dense for p in parts], axis))


@step()
def block_diag(c, a):
    parts = [a, c.matrix((c.r.randint(0, 5), c.r.randint(0, 5)))]
    got = Sparse.made("arr_sparse_block_diag", 2, several(parts), FORMATS[c.r.choice(list(FORMATS))], None)
    x, y = (p.dense for p in parts)
    want = np.zeros(np.add(x.shape, y.shape), np.result_type(x, y))
    want[: x.shape[0], : x.shape[1]], want[x.shape[0] :, x.shape[1] :] = x, y
    return c.matches(got, want)


@step(False)
def kron(c, a):
    b = c.matrix((c.r.randint(0, 4), c.r.randint(0, 4)))
    form = c.r.choice(list(FORMATS))
    got = Sparse.made("arr_sparse_kron", a.ours.handle, b.ours.handle, FORMATS[form], None)
    c.matches(got, np.kron(a.dense, b.dense).reshape(np.multiply(a.shape, b.shape)))


@step(False)
def matrix_power(c, a):
    a = c.matrix(dtypes=("int32", "int64", "float64", "complex128"), square=True)
    k = c.r.randint(0, 4)
    c.steps.append(f"power {k}")
    want = np.linalg.matrix_power(a.dense, k)
    if a.shape[0]:
        c.matches(Sparse.made("arr_sparse_matrix_power", a.ours.handle, k, None), want)


@step()
def with_data(c, a):
    b = a.ours.sum_duplicates()
    n = b.info().nnz
    d = c.r.choice(DTYPES)
    data = c.array(c.vector(n, d))
    got = Sparse.made("arr_sparse_with_data", b.handle, data.handle, None)
    p = b.parts()
    want = np.zeros(a.shape, d)
    want[p.coordinates()] = data.numpy()
    return c.matches(got, want)


@step(False)
def dia_and_bsr(c, a):
    out = [C.arr_array() for _ in range(2)]
    arrpy.call("arr_sparse_to_dia", a.ours.handle, None, *map(ctypes.byref, out))
    data, offsets = (arrpy.Array(x) for x in out)
    c.matches(Sparse.made("arr_sparse_dia", *a.shape, data.handle, offsets.handle, None), a.theirs)
    if 0 in a.shape:
        return
    block = [c.r.choice([n for n in range(1, x + 1) if x % n == 0]) for x in a.shape]
    out = [C.arr_array() for _ in range(3)]
    arrpy.call("arr_sparse_to_bsr", a.ours.handle, *block, None, *map(ctypes.byref, out))
    parts = [arrpy.Array(x) for x in out]
    c.matches(Sparse.made("arr_sparse_bsr", *a.shape, *(p.handle for p in parts), None), a.theirs)


@step()
def files(c, a):
    with tempfile.TemporaryDirectory() as folder:
        path = os.fsencode(os.path.join(folder, "a.npz"))
        arrpy.call("arr_sparse_save_npz", a.ours.handle, path, -1, c.r.random() < 0.5, None)
        theirs = scipy.sparse.load_npz(path)
        c.check(np.allclose(theirs.toarray(), a.dense, 1e-5), "SciPy reads another matrix")
        return c.matches(Sparse.made("arr_sparse_load_npz", path, -1, arrpy.device_of(c.report.device), None), a.theirs)


@step(False)
def semiring(c, a):
    d = np.dtype(c.r.choice(("int64", "float32", "float64")))
    b = c.matrix(dtypes=(d.name,))
    x = c.vector((b.shape[1], 3), d.name)
    which, by = c.r.choice(
        (("min", "add"), ("max", "add"), ("max", "multiply"), ("min", "maximum"), ("sum", "multiply"))
    )
    c.steps.append(f"{which} {by}")
    numbers_ = [getattr(C, "ARR_REDUCTION_" + which.upper()), getattr(C, "ARR_OP_" + by.upper())]
    got = arrpy.made("arr_sparse_semiring_matmul", *numbers_, b.ours.handle, c.array(x).handle, None)
    has = np.zeros(b.shape, bool)
    p = b.ours.parts()
    has[p.coordinates()] = True
    low, high = (np.iinfo(d).min, np.iinfo(d).max) if d.kind == "i" else (-np.inf, np.inf)
    start = {"min": high, "max": low, "sum": 0}[which]
    want = np.full((b.shape[0], 3), start, d)
    reduction = {"min": np.minimum, "max": np.maximum, "sum": np.add}[which]
    for i, j in zip(*np.nonzero(has)):
        want[i] = reduction(want[i], getattr(np, by)(b.dense[i, j], x[j]))
    c.array_matches(got, want)


@step(False)
def graphs(c, a):
    a = c.matrix(dtypes=REAL, square=True)
    n = a.shape[0]
    if n == 0:
        return
    a = c.matches(a.ours.unary("absolute").eliminate_zeros(), abs(a.dense))
    count, labels = ctypes.c_int64(), C.arr_array()
    kind = c.r.choice(("weak", "strong"))
    number = getattr(C, "ARR_CSGRAPH_" + kind.upper())
    arrpy.call(
        "arr_csgraph_connected_components", a.ours.handle, number, None, ctypes.byref(count), ctypes.byref(labels)
    )
    labels = arrpy.Array(labels).numpy()
    graph = scipy.sparse.csr_array(a.dense)
    m, want = csgraph.connected_components(graph, connection=kind)
    pairs = len(set(zip(labels.tolist(), want.tolist())))
    c.check(count.value == m == pairs == len(set(labels.tolist())), f"{kind} components {labels} {want}")
    out = [C.arr_array() for _ in range(3)]
    directed = c.r.random() < 0.5
    flags = 0 if directed else C.ARR_CSGRAPH_UNDIRECTED
    method = c.r.choice((C.ARR_CSGRAPH_AUTO, C.ARR_CSGRAPH_BELLMAN_FORD, C.ARR_CSGRAPH_FLOYD_WARSHALL))
    arrpy.call("arr_csgraph_shortest_path", a.ours.handle, method, None, flags, np.inf, None, *map(ctypes.byref, out))
    got = [arrpy.Array(x) for x in out][0].numpy()
    want = csgraph.shortest_path(graph.astype("f8"), "D", directed)
    c.check(np.allclose(got, want), f"distances {got}\n{want}")
    tree = Sparse.made("arr_csgraph_minimum_spanning_tree", a.ours.handle, None).dense().numpy()
    want = csgraph.minimum_spanning_tree(graph.astype("f8"))
    c.check(np.isclose(tree.sum(), want.sum()), f"tree {tree.sum()} {want.sum()}")


@step(False)
def triangular(c, a):
    a = c.matrix(dtypes=("float32", "float64", "complex128"), square=True)
    n = a.shape[0]
    if n == 0:
        return
    dense = np.tril(a.dense, -1) / 8 + np.diag(c.numbers.uniform(1, 2, n))
    b = c.vector((n, 2), a.dtype.name)
    ours = Sparse.from_dense(c.array(dense.astype(a.dtype)), c.r.choice(list(FORMATS)))
    got = arrpy.made("arr_sparse_solve", ours.handle, c.array(b).handle, None)
    want = np.linalg.solve(dense.astype(a.dtype), b)
    scale_ = np.abs(want).max(initial=1)
    c.check(np.allclose(got.numpy() / scale_, want / scale_, 1e-3 if a.dtype == "float32" else 1e-8, 1e-4), "solution")


@step(False)
def hostile(c, a):
    """Parts that are changed at random: SciPy's full check and the library's agree."""
    m = c.parts()
    first, second = m.first.astype("i8"), m.second.astype("i8")
    for _ in range(c.r.randint(0, 2)):
        x = c.r.choice((first, second))
        if len(x):
            x[c.r.randrange(len(x))] = c.r.choice((-1, 0, 1, 2**31, 2**40, -(2**63), 2**63 - 1, m.shape[0], m.shape[1]))
    if m.format == "coo":
        good = all(len(x) == 0 or (x.min() >= 0 and x.max() < n) for x, n in zip((first, second), m.shape))
    else:
        width = m.shape[m.format == "csr"]
        good = len(first) == 0 or (first.min() >= 0 and first.max() < width)
        good = good and second[0] == 0 and second[-1] == len(first) and np.all(second[1:] >= second[:-1])
    changed = Parts(m.format, m.shape, m.data, first, second)
    try:
        made = Sparse.of(changed, c.report.device)
        c.check(good, f"taken: {first} {second}")
        made.dense()
    except arrpy.Error as e:
        c.check(not good and " at position " in str(e), f"{e}: {first} {second}")
