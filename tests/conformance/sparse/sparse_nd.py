#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sparse arrays of one, three and more dimensions against dense ones and SciPy's coo_array."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.sparse
from sparse import types
from sparse_matrix import Sparse, coordinates, numbers, op, reduction

import oracle
from oracle import arrpy, raises

C = arrpy.c
SHAPES = ((9,), (1,), (0,), (4, 5), (3, 4, 5), (2, 0, 3), (1, 1, 1), (2, 3, 1, 4), (2, 1, 3, 2, 2), (2,) * 9)
REDUCTIONS = {"sum": np.sum, "max": np.max, "min": np.min, "mean": np.mean, "any": np.any, "count_nonzero": None}


class Coo:
    """An array of random coordinates, some of them the same, not in order."""

    def __init__(self, shape, d, seed, index="int32"):
        r = np.random.default_rng(seed)
        size = int(np.prod(shape))
        at = r.integers(0, max(size, 1), size and min(size, 60) // 2 + 1)
        self.shape, self.data = shape, numbers(len(at), d, seed)
        self.coords = tuple(c.astype(index) for c in np.unravel_index(at, shape)) if size else ()
        if not size:
            self.coords = tuple(np.zeros(0, index) for _ in shape)

    def dense(self):
        out = np.zeros(self.shape, self.data.dtype)
        if out.dtype == bool:
            np.logical_or.at(out, self.coords, self.data)
        elif out.dtype.kind == "V":
            wide = np.zeros(self.shape, "f4")
            np.add.at(wide, self.coords, self.data.astype("f4"))
            out = wide.astype(out.dtype)
        else:
            np.add.at(out, self.coords, self.data)
        return out

    def scipy(self):
        return scipy.sparse.coo_array((self.data, self.coords), shape=self.shape)

    def made(self, device):
        return make(self.shape, self.data, self.coords, device)


def int64s(values):
    return (ctypes.c_int64 * len(values))(*values)


def int32s(values):
    return (ctypes.c_int32 * len(values))(*values)


def make(shape, data, coords, device):
    keep = [arrpy.array(x, device=device) for x in (data, *coords)]
    handles = (C.arr_array * len(coords))(*(x.handle for x in keep[1:]))
    return Sparse.made("arr_sparse_coo_nd", len(shape), int64s(shape), keep[0].handle, handles, None)


def shape_of(a):
    n = ctypes.c_int32()
    arrpy.call("arr_sparse_shape", a.handle, 0, None, ctypes.byref(n))
    out = (ctypes.c_int64 * n.value)()
    arrpy.call("arr_sparse_shape", a.handle, n.value, out, None)
    return tuple(out)


def coords(a, axis):
    return arrpy.made("arr_sparse_coords", a.handle, axis, None).numpy()


def reshape(a, *shape):
    return Sparse.made("arr_sparse_reshape_nd", a.handle, len(shape), int64s(shape), None)


def permute(a, axes=None):
    given = None if axes is None else int32s(axes)
    return Sparse.made("arr_sparse_permute_dims", a.handle, len(axes or ()), given, None)


def reduce(a, name, axes=None, keepdims=False):
    given = None if axes is None else int32s(axes)
    n = len(axes or ())
    return arrpy.made("arr_sparse_reduce_axes", reduction(name), a.handle, n, given, keepdims, 0, None).numpy()


def tensordot(a, b, left, right):
    return Sparse.made("arr_sparse_tensordot", a.handle, b.handle, len(left), int32s(left), int32s(right), None)


def matches(report, label, a, want):
    """The array has these elements and this shape, its coordinates say the same."""
    got = a.dense().numpy()
    good = shape_of(a) == want.shape and got.dtype == want.dtype and oracle.same(got + 0, want + 0)
    report.check(label, good, f"{shape_of(a)} {got.dtype}, expected {want.shape} {want.dtype}\n{got}\n{want}")
    data, again = a.part("data").numpy(), np.zeros(want.shape, bool)
    np.logical_or.at(again, tuple(coords(a, axis) for axis in range(want.ndim)), data.astype("c16") != 0)
    report.check(f"{label} coords", not np.any((want != 0) & ~again))


def cases(report):
    for d in types(report):
        for shape in SHAPES if report.device == "host" else SHAPES[:8:2]:  # each compiles kernels on CUDA
            m = Coo(shape, d, 1)
            yield f"{d} {shape}", m, m.made(report.device)


def parts(report):
    for label, m, a in cases(report):
        matches(report, f"parts {label}", a, m.dense())
        p = a.info()
        report.check(f"parts {label} info", (p.format, p.nnz) == (C.ARR_SPARSE_COO, len(m.data)))
        same = [np.array_equal(coords(a, i), c) for i, c in enumerate(m.coords)]
        report.check(f"parts {label} axes", all(same) and np.array_equal(coords(a, -1), m.coords[-1]))
        matches(report, f"parts {label} F", a, a.dense(C.ARR_ORDER_F).numpy())
        matches(report, f"parts {label} dense", Sparse.from_dense(report.array(m.dense()), "coo"), m.dense())
        summed = a.sum_duplicates()
        report.check(f"parts {label} canonical", summed.canonical())
        matches(report, f"parts {label} summed", summed, m.dense())
        matches(report, f"parts {label} zeros", a.eliminate_zeros(), m.dense())
        data = report.array(m.data)
        again = Sparse.made("arr_sparse_with_data", a.handle, data.handle, None)
        matches(report, f"parts {label} data", again, m.dense())
    for index in ("uint8", "int64", "uint64"):
        m = Coo((3, 4, 5), "float64", 2, index)
        a = m.made(report.device)
        matches(report, f"parts {index}", a, m.dense())
        want = "int64" if index.endswith("64") else "int32"
        report.check(f"parts {index} type", a.info().index_dtype == arrpy.number(want))
    x = report.array(np.arange(24.0).reshape(4, 3, 2)).transpose()
    matches(report, "parts of a view", Sparse.from_dense(x, "coo"), x.numpy())


def shapes(report):
    for label, m, a in cases(report):
        dense, size = m.dense(), int(np.prod(m.shape))
        for shape in ((-1,), (1, -1), (1, 1, size), (size, 1), m.shape[::-1], (*m.shape, 1)):
            matches(report, f"reshape {label} {shape}", reshape(a, *shape), dense.reshape(shape))
        back = reshape(reshape(a.sum_duplicates(), -1, 1), *m.shape) if size else a
        report.check(f"reshape {label} canonical", len(m.shape) == 2 or not size or back.canonical())
        orders = list(itertools.permutations(range(len(m.shape))))
        for axes in (None, *orders[:: max(1, len(orders) // 5)]):
            matches(report, f"permute {label} {axes}", permute(a, axes), dense.transpose(axes))
    m = coordinates((6, 8), 30, "float64", 1)
    for form in ("coo", "csr", "csc"):
        a = Sparse.of(m, report.device).convert(form)
        matches(report, f"reshape {form}", reshape(a, 3, 4, 4), m.dense().reshape(3, 4, 4))
        matches(report, f"permute {form}", permute(a), m.dense().T)
    m = Coo((1, 2) * 16, "float64", 3)
    a = m.made(report.device)
    matches(report, "permute 32", permute(a, range(31, -1, -1)), m.dense().transpose())
    a = make((2**31, 2**20, 2**10), np.ones(2), ([5, 2**31 - 1], [2**20 - 1, 7], [1, 1023]), report.device)
    turned = permute(a, (2, 0, 1))
    good = [coords(turned, i).tolist() for i in range(3)] == [[1, 1023], [5, 2**31 - 1], [2**20 - 1, 7]]
    report.check("permute of large extents", good and shape_of(turned) == (2**10, 2**31, 2**20))
    total = turned.binary("add", turned)
    report.check("sum of large extents", total.part("data").numpy().tolist() == [2, 2])


def elementwise(report):
    for label, m, a in cases(report):
        n = Coo(m.shape, label.split()[0], 7)
        b, x, y = n.made(report.device), m.dense(), n.dense()
        if x.dtype != bool:
            for name in ("add", "subtract"):
                matches(report, f"{name} {label}", a.binary(name, b), getattr(np, name)(x, y))
            matches(report, f"negative {label}", a.unary("negative"), -x)
        matches(report, f"multiply {label}", a.binary("multiply", b), x * y)
        if x.dtype.kind not in "cV":
            matches(report, f"maximum {label}", a.binary("maximum", b), np.maximum(x, y))
            matches(report, f"less {label}", a.binary("less", b), x < y)
        matches(report, f"twice {label}", a.scale("multiply", report.array(np.array(True))), x)
        for by in (y, y[..., :1], y.reshape(-1)[: m.shape[-1]] if y.size else y):
            matches(report, f"scale {label} {by.shape}", a.scale("multiply", report.array(by)), x * by)
        matches(report, f"astype {label}", a.sum_duplicates().astype("complex128", C.ARR_CAST_UNSAFE), x.astype("c16"))
    m = Coo((3, 4, 5), "float64", 1)
    a, s = m.made(report.device), m.scipy()
    matches(report, "scipy add", a.binary("add", a), (s + s).toarray())
    matches(report, "scipy multiply", a.binary("multiply", permute(permute(a))), s.multiply(s).toarray())


def reduced(report, label, d, a, dense, axes, keepdims):
    for name, by in REDUCTIONS.items():
        if dense.dtype.kind in "cV" and name != "sum":
            continue
        if name in ("max", "min", "mean") and dense.size == 0:
            continue
        over = tuple(range(dense.ndim)) if axes is None else tuple(axes)
        want = (
            np.count_nonzero(dense, over, keepdims=keepdims) if by is None else by(dense, axis=over, keepdims=keepdims)
        )
        got = reduce(a, name, axes, keepdims)
        close = got.shape == want.shape and np.allclose(
            got.astype("c16"), np.asarray(want).astype("c16"), 1e-2 if d.endswith("16") else 1e-6
        )
        report.check(f"{name} {label} {axes} {keepdims}", close, f"{got}\n{want}")


def reductions(report):
    for label, m, a in cases(report):
        d, n, dense = label.split()[0], len(m.shape), m.dense()
        if d in ("int8", "uint8"):
            dense = dense.astype("i8") if d == "int8" else dense
        masks = list(itertools.chain.from_iterable(itertools.combinations(range(n), k) for k in range(n + 1)))
        for axes in (None, *masks[:: max(1, len(masks) // 8)]):
            reduced(report, label, d, a, dense, axes, axes is not None and sum(axes) % 2 == 1)
        got = a.reduce("sum", n - 1).numpy()
        report.check(f"reduce {label}", np.array_equal(got, reduce(a, "sum", (n - 1,))) and got.shape == m.shape[:-1])
        report.check(f"reduce {label} all", np.array_equal(a.reduce("sum").numpy(), reduce(a, "sum")))
    m = Coo((3, 4, 5), "float64", 4)
    a, s = m.made(report.device), m.scipy()
    for axes in ((0,), (1,), (0, 2), (2, -2)):
        report.check(f"scipy sum {axes}", np.array_equal(reduce(a, "sum", axes), s.sum(axis=axes)))


def tensors(report):
    pairs = (
        ((3, 4, 5), (5, 4, 2), (1, 2), (1, 0)),
        ((3, 4, 5), (4, 5, 3), (0, 1, 2), (2, 0, 1)),
        ((6,), (6,), (0,), (0,)),
        ((3, 2), (4,), (), ()),
        ((3, 4), (4, 2, 3), (-1,), (0,)),
        ((2, 0, 3), (3, 0), (1,), (1,)),
    )
    for d in types(report):
        if d == "bool":
            continue
        for left, right, over, by in pairs:
            m, n = Coo(left, d, 1), Coo(right, d, 2)
            x, y = m.dense(), n.dense()
            wide = (z.astype("f4") if d in ("float16", "bfloat16") else z for z in (x, y))
            want = np.tensordot(*wide, (over, by)).astype(x.dtype)
            got = tensordot(m.made(report.device), n.made(report.device), over, by)
            matches(report, f"tensordot {d} {left} {right}", got, want if want.ndim else want.reshape(1))
    m, n = Coo((3, 4, 5), "float64", 1), Coo((5, 4, 2), "float64", 2)
    got = tensordot(m.made(report.device), n.made(report.device), (1, 2), (1, 0))
    matches(report, "scipy tensordot", got, m.scipy().tensordot(n.scipy(), axes=((1, 2), (1, 0))).toarray())


def text(a, most=0):
    length = ctypes.c_int64()
    arrpy.call("arr_sparse_format", a.handle, most, 0, None, ctypes.byref(length))
    out = ctypes.create_string_buffer(length.value + 1)
    arrpy.call("arr_sparse_format", a.handle, most, len(out), out, None)
    return out.value.decode()


def texts(report):
    for d in ("bool", "int8", "float64", "complex64"):
        for shape in SHAPES:
            m = Coo(shape, d, 1)
            got, want = text(m.made(report.device)), str(m.scipy())
            report.check(f"text {d} {shape}", got == want, f"{got}\n{want}")
    m = Coo((5, 6, 7), "float64", 1)
    s = m.scipy()
    s.maxprint = 7
    report.check("text of 7", text(m.made(report.device), 7) == str(s))


def refusals(report):
    a, ones = Coo((3, 4, 5), "float64", 1).made(report.device), np.ones(1)
    at = lambda *index: [np.array([i]) for i in index]  # noqa: E731
    matrix = Sparse.of(coordinates((12, 5), 9, "float64", 1), report.device)
    by = lambda shape, data, *index: lambda: make(shape, data, at(*index), report.device)  # noqa: E731
    made = lambda name, *rest: lambda: Sparse.made(name, a.handle, *rest)  # noqa: E731
    for label, status, call in (
        ("index", C.ARR_E_ARGUMENT, by((3, 4, 5), ones, 0, 4, 0)),
        ("negative index", C.ARR_E_ARGUMENT, by((3, 4, 5), ones, 0, 1, -1)),
        ("index that others make up for", C.ARR_E_ARGUMENT, by((3, 4, 5), ones, 1, -1, 2)),
        ("index of nothing", C.ARR_E_ARGUMENT, by((3, 0, 5), ones, 0, 0, 0)),
        ("large index", C.ARR_E_ARGUMENT, by((2**62,), ones, np.uint64(2**63 + 1))),
        ("float index", C.ARR_E_DTYPE, by((3,), ones, 1.0)),
        ("lengths", C.ARR_E_SHAPE, by((3, 4), np.ones(2), 1, 1)),
        ("data", C.ARR_E_SHAPE, by((3,), np.ones((1, 1)), 1)),
        ("negative extent", C.ARR_E_SHAPE, by((3, -1, 2), ones, 0, 0, 0)),
        ("product", C.ARR_E_SHAPE, by((2**31, 2**31, 2), ones, 0, 0, 0)),
        ("product with 0", C.ARR_E_SHAPE, by((0, 2**40, 2**40), np.ones(0), 0, 0, 0)),
        ("no dimension", C.ARR_E_SHAPE, by((), ones)),
        ("33 dimensions", C.ARR_E_SHAPE, by((1,) * 33, ones, *[0] * 33)),
        ("scalar", C.ARR_E_SHAPE, lambda: Sparse.from_dense(report.array(np.array(2.0)), "coo")),
        ("format", C.ARR_E_SHAPE, lambda: Sparse.from_dense(report.array(np.ones((2, 2, 2))), "csr")),
        ("reshape", C.ARR_E_SHAPE, lambda: reshape(a, 7, -1)),
        ("reshape size", C.ARR_E_SHAPE, lambda: reshape(a, 3, 4, 4)),
        ("reshape twice -1", C.ARR_E_SHAPE, lambda: reshape(a, -1, -1)),
        ("reshape to nothing", C.ARR_E_SHAPE, lambda: reshape(a)),
        ("permute", C.ARR_E_SHAPE, lambda: permute(a, (0, 1))),
        ("permute twice", C.ARR_E_SHAPE, lambda: permute(a, (0, 1, 1))),
        ("coords", C.ARR_E_SHAPE, lambda: coords(a, 3)),
        ("part", C.ARR_E_ARGUMENT, lambda: a.part("row")),
        ("axis", C.ARR_E_SHAPE, lambda: a.reduce("sum", 3)),
        ("axes", C.ARR_E_SHAPE, lambda: reduce(a, "sum", (0, -3))),
        ("add", C.ARR_E_SHAPE, lambda: a.binary("add", matrix)),
        ("add to a matrix", C.ARR_E_SHAPE, lambda: matrix.binary("add", a)),
        ("scale", C.ARR_E_SHAPE, lambda: a.scale("multiply", report.array(np.ones(4)))),
        ("cosine", C.ARR_E_UNSUPPORTED, lambda: a.unary("cos")),
        ("tensordot", C.ARR_E_SHAPE, lambda: tensordot(a, a, (0,), (1,))),
        ("tensordot twice", C.ARR_E_SHAPE, lambda: tensordot(a, a, (0, 0), (0, 0))),
        ("tensordot axis", C.ARR_E_SHAPE, lambda: tensordot(a, a, (3,), (0,))),
        ("convert", C.ARR_E_SHAPE, lambda: a.convert("csr")),
        ("transpose", C.ARR_E_SHAPE, lambda: a.T),
        ("matmul", C.ARR_E_SHAPE, lambda: a @ report.array(np.ones(5))),
        ("product of two", C.ARR_E_SHAPE, lambda: matrix @ a),
        ("reshape to a matrix", C.ARR_E_SHAPE, made("arr_sparse_reshape", 12, 5, None)),
        ("kron", C.ARR_E_SHAPE, made("arr_sparse_kron", matrix.handle, 2, None)),
    ):
        report.check(f"refused {label}", raises(status, call))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([parts, shapes, elementwise, reductions, tensors, texts, refusals]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
