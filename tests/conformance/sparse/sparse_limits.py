#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sparse operations with little memory are right or ARR_E_MEMORY; operands of more elements than memory has room for are
refused; results of floats are within bounds of rounding."""

import gc
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.sparse
from sparse_matrix import Parts, Sparse, coordinates, laplacian, rmat, unsorted_compressed

import oracle  # first: it finds arrfuse  # isort: skip
import arrfuse

from oracle import arrpy

C = arrpy.c


def bytes_of(*matrices):
    return sum(x.nbytes for m in matrices for x in m.arrays())


def same(p, q):
    return p.shape == q.shape and all(np.array_equal(x, y) for x, y in zip(p.arrays(), q.arrays()))


def pairs(report):
    """name, operands of a product: one has few terms for each element of the result, one has many."""
    grid = laplacian(20, 20) if report.device != "host" else laplacian(70, 70)
    grid = Parts("csr", grid.shape, grid.data, grid.indices.astype("i4"), grid.indptr.astype("i4"))
    at = [x.astype("i4") for x in rmat(6, 600, 1)]
    graph = Parts("coo", (64, 64), np.ones(600), *at)
    yield "laplacian", grid, grid
    yield "rmat", graph, graph
    if report.device == "host":
        wide = unsorted_compressed((400, 300), 5000, "float64", 2), unsorted_compressed((300, 9000), 4000, "float64", 3)
        yield "wide", *wide
        one = coordinates((3000, 1), 2000, "float64", 4), coordinates((1, 900), 500, "float64", 5)
        yield "outer", *one


def limited(report):
    """Products under limits from the size of the operands alone to what is enough; 1.1 times operands and result is one of
    them. None is wrong, and none takes effect on the operands."""
    device = arrpy.device_of(report.device)
    for name, m, n in pairs(report):
        for label, call in (
            ("product", lambda a, b: a @ b),
            (
                "semiring",
                lambda a, b: Sparse.made(
                    "arr_sparse_semiring_product", *MIN_ADD, a.handle, b.handle, None, False, None
                ),
            ),
            ("add", lambda a, b: a.binary("add", a)),
            ("rows", lambda a, b: a.convert("coo").T.convert("csr")),
        ):
            a, b = Sparse.of(m, report.device), Sparse.of(n, report.device)
            want = call(a, b).parts()
            result, given = bytes_of(want), bytes_of(m, n)
            outcomes = []
            for extra in (0, result // 2, result + (given + result) // 10, 3 * result + given, 64 * (result + given)):
                gc.collect()
                arrpy.call("arr_memory_trim", device)
                x, y = Sparse.of(m, report.device), Sparse.of(n, report.device)  # nothing is known of these yet
                arrpy.call("arr_memory_limit", device, arrfuse.memory(report.device) + extra)
                try:
                    got = call(x, y)
                except arrpy.Error as e:
                    outcomes.append(e.status)
                    continue
                finally:
                    arrpy.call("arr_memory_limit", device, 0)
                outcomes.append(same(got.parts(), want))
                report.check(f"limited {label} {name} kept", same(x.parts(), a.parts()) and same(y.parts(), b.parts()))
            good = outcomes[0] == C.ARR_E_MEMORY and outcomes[-1] is True
            report.check(f"limited {label} {name}", good and set(outcomes) <= {True, C.ARR_E_MEMORY}, outcomes)


MIN_ADD = C.ARR_REDUCTION_MIN, C.ARR_OP_ADD


def views(report):
    """Vectors of 2^31 elements and more, all of them the same one in memory: they are refused before they are read, since
    copies of them or results do not fit, or an argument does not have its shape."""
    device = arrpy.device_of(report.device)

    def view(x, *shape):
        a = report.array(np.asarray(x))
        return arrpy.made("arr_broadcast_to", a.handle, len(shape), arrpy.int64s(shape))

    def parts(form, rows, columns, *arrays):
        return lambda: Sparse.made(f"arr_sparse_{form}", rows, columns, *(x.handle for x in arrays), None)

    a = Sparse.of(coordinates((3, 4), 5, "float64", 1), report.device)
    one, zero = np.ones(1), np.zeros(1, "i4")
    arrpy.call("arr_memory_limit", device, 512 << 20)
    try:
        for n in (2**31 + 5, 2**40, 2**60):
            last = report.array(np.array([0, n]))
            data, at = view(one, n), view(zero, n)
            calls = {
                "coo": parts("coo", 2, 2, data, at, at),
                "coo of int8": parts("coo", 2, 2, view(one.astype("i1"), n), at, at),
                "csr": parts("csr", 1, 4, data, at, last),
                "csc": parts("csc", 1, n, view(one, 1), view(zero, 1), view(zero, n + 1)),
                "dia": parts("dia", 2, 2, view(one, 1, n), view(zero, 1)),
                "dia offsets": parts("dia", 2, 2, view(one, n, 1), at),
                "bsr": parts("bsr", 1, 2, view(one, n, 1, 1), at, last),
                "with_data": lambda data=data: Sparse.made("arr_sparse_with_data", a.handle, data.handle, None),
                "matmul": lambda x=view(one, 4, n): a @ x,
                "rmatmul": lambda x=view(one, n, 3): a.rmatmul(x),
                "scale": lambda x=view(one, n, 4): a.scale("multiply", x),
                "semiring": lambda x=view(one, 4, n): arrpy.made(
                    "arr_sparse_semiring_matmul", *MIN_ADD, a.handle, x.handle, None
                ),
                "sampled": lambda x=view(one, 4, n), y=view(one, n, 4): Sparse.made(
                    "arr_sparse_sampled_matmul", a.handle, x.handle, y.handle, None
                ),
            }
            listed = view(np.zeros(1, "i8"), n)
            calls |= {
                "elements": lambda at=listed: a.elements(at, at),
                "pairs": lambda x=view(np.zeros((1, 1), "i8"), n, 1), y=listed: a.elements(x, y),
                "get_items": lambda at=listed: a.get_items(at),
            }
            for label, call in calls.items():
                try:
                    call()
                    report.check(f"view {label} {n}", False, "nothing was refused")
                except arrpy.Error as e:
                    expected = (C.ARR_E_MEMORY, C.ARR_E_SHAPE)
                    report.check(f"view {label} {n}", e.status in expected and "\n" not in str(e), str(e))
    finally:
        arrpy.call("arr_memory_limit", device, 0)


def random_floats(shape, nnz, d, seed, index="int32"):
    """A matrix with duplicates whose numbers have many bits and differ by magnitudes."""
    r = np.random.default_rng(seed)
    m = unsorted_compressed(shape, nnz, "float64", seed, "csr", index)
    data = r.standard_normal(nnz) * 10.0 ** r.integers(-3, 4, nnz)
    if d.startswith("complex"):
        data = data + 1j * r.standard_normal(nnz) * 10.0 ** r.integers(-3, 4, nnz)
    m.data = data.astype(d)
    return m


def exact(m):
    """Coordinates and elements in long doubles, whose roundings are far smaller."""
    row, column = m.coordinates()
    return row, column, m.data.astype(np.clongdouble if m.data.dtype.kind == "c" else np.longdouble)


def within(report, label, got, want, terms, magnitudes, d):
    """True if each result is within terms roundings of the sum of magnitudes of its terms."""
    unit = np.finfo(d).eps * (4 if np.dtype(d).kind == "c" else 1)
    error = np.abs(got.astype(want.dtype) - want)
    bound = (terms + 2) * unit * magnitudes
    at = np.argmax(error - bound)
    detail = f"{error.flat[at]:.3g}, bound {bound.flat[at]:.3g}" if error.size else ""
    report.check(label, bool(np.all(error <= bound)), detail)


def bounds(report):
    """Products, sums and norms are within (nnz per row + 2) eps times the sum of the magnitudes of their terms of the exact
    values (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM 2002, section 3.1)."""
    r = np.random.default_rng(6)
    for d in ("float32", "float64", "complex64", "complex128"):
        for shape, nnz in (((60, 40), 900), ((4, 500), 1500), ((1, 3000), 2500)):
            label = f"bounds {d} {shape}"
            m = random_floats(shape, nnz, d, 7)
            row, column, v = exact(m)
            a = Sparse.of(m, report.device)
            x = r.standard_normal((shape[1], 3)).astype(d)
            terms = np.bincount(row, minlength=shape[0])[:, None]
            want, size = np.zeros((2, shape[0], 3), v.dtype)
            np.add.at(want, row, v[:, None] * x[column])
            np.add.at(size, row, np.abs(v)[:, None] * np.abs(x[column]))
            for form in ("csr", "csc", "coo"):
                b = a.convert(form)
                within(report, f"{label} {form} product", (b @ report.array(x)).numpy(), want, terms, abs(size), d)
            sums, sizes = np.zeros((2, shape[0]), v.dtype)
            np.add.at(sums, row, v)
            np.add.at(sizes, row, np.abs(v))
            within(report, f"{label} sums", a.reduce("sum", 1).numpy(), sums, terms[:, 0], abs(sizes), d)
            dense = np.zeros(shape, v.dtype)
            np.add.at(dense, (row, column), v)
            dense_sizes = np.zeros(shape, np.longdouble)
            np.add.at(dense_sizes, (row, column), np.abs(v))
            squares = np.sqrt((np.abs(dense) ** 2).sum(1))
            norm = arrpy.made("arr_sparse_norm", a.handle, C.ARR_NORM_DEFAULT, 0.0, 1, None).numpy()
            scale = np.sqrt((dense_sizes**2).sum(1))
            within(report, f"{label} norms", norm, squares, terms[:, 0], scale, d)
            product = (a @ a.T).dense().numpy()
            want, size = dense @ dense.T, dense_sizes @ dense_sizes.T
            within(report, f"{label} sparse product", product, want, terms + terms.T, size, d)


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([limited, views, bounds]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
