#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sparse matrices against dense ones and SciPy's: parts, formats, products; no call changes its operands."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from sparse_matrix import FORMATS, Parts, Sparse, cases, coordinates, numbers, unsorted_compressed

import oracle
from oracle import arrpy, raises

C = arrpy.c
FLOATS = ("float32", "float64", "complex64", "complex128")


def types(report):
    """All types; each one compiles kernels on CUDA, where some stand for the others."""
    return oracle.ALL if report.device == "host" else ["bool", "int8", "float16", "float64", "complex64"]


def unchanged(a, m):
    """True if the matrix still has the parts that it was made of."""
    now = a.parts()
    return now.format == m.format and all(np.array_equal(x, y) for x, y in zip(now.arrays(), m.arrays()))


def matches(report, label, got, want, canonical=True, tolerance=0.0):
    """Compares a result with a dense matrix, and its form with the rules of its format."""
    have = got.dense().numpy()
    good = have.dtype == want.dtype and have.shape == want.shape
    if good and tolerance:
        good = np.allclose(have, want, tolerance, 0, equal_nan=True)
    else:
        good = good and oracle.same(have + 0, want + 0)
    report.check(label, good, f"{have.dtype} {have.shape}, expected {want.dtype} {want.shape}\n{have}\n{want}")
    if canonical:
        report.check(f"{label} in order", got.canonical() and got.parts().ordered())


def parts(report):
    for d in types(report):
        for index in ("int32", "int64"):
            for name, m in cases(d, index):
                label = f"parts {name} {d} {index}"
                if not report.wants(label):
                    continue
                a = Sparse.of(m, report.device)
                p = a.info()
                report.check(label, (p.format, p.rows, p.columns, p.nnz) == (FORMATS[m.format], *m.shape, len(m.data)))
                report.check(f"{label} index", p.index_dtype == arrpy.number(index))
                report.check(f"{label} kept", unchanged(a, m))
                report.check(f"{label} canonical", a.canonical() == m.ordered())
                matches(report, f"{label} dense", a, m.dense(), False)


def converted(report):
    for d in types(report):
        for name, m in cases(d):
            label = f"convert {name} {d}"
            if not report.wants(label):
                continue
            a = Sparse.of(m, report.device)
            want = m.dense()
            for form in FORMATS:
                b = a.convert(form)
                matches(report, f"{label} {form}", b, want, form != m.format and form != "coo")
                matches(report, f"{label} {form} summed", b.sum_duplicates(), want)
            matches(report, f"{label} T", a.T, want.T, False)
            matches(report, f"{label} T csr", a.T.convert("csr"), want.T, a.T.info().format != C.ARR_SPARSE_CSR)
            z = a.eliminate_zeros()
            report.check(f"{label} zeros", bool(np.all(z.part("data").numpy() != 0)))
            matches(report, f"{label} without zeros", z, want, False)
            report.check(f"{label} kept", unchanged(a, m))


def casts(report):
    m = coordinates((7, 9), 20, "float64", 1)
    a = Sparse.of(m, report.device)
    for d in ("float32", "complex128", "float16"):
        matches(report, f"astype {d}", a.astype(d), m.dense().astype(d), False)
    report.check("astype refused", raises(C.ARR_E_DTYPE, lambda: a.astype("int32")))
    matches(report, "astype unsafe", a.astype("int32", C.ARR_CAST_UNSAFE), m.dense().astype("int32"), False)
    report.check("astype shares", a.astype("float32").part("row").numpy().tolist() == m.first.tolist())


def from_dense(report):
    for d in types(report):
        for shape in ((5, 7), (0, 3), (3, 0), (1, 1), (40, 30)):
            label = f"from_dense {d} {shape}"
            if not report.wants(label):
                continue
            x = np.where(
                np.random.default_rng(1).random(shape) < 0.3, numbers(shape, d, 3), np.zeros((), oracle.dtype(d))
            )
            for view, given in (("C", report.array(x)), ("F", report.array(np.ascontiguousarray(x.T)).transpose())):
                for form in FORMATS:
                    a = Sparse.from_dense(given, form)
                    matches(report, f"{label} {view} {form}", a, x)
                    report.check(f"{label} {view} {form} nnz", a.info().nnz == np.count_nonzero(x))
    x = np.array([[0.0, -0.0, np.nan], [np.inf, 0, 2]])
    a = Sparse.from_dense(report.array(x))
    report.check("from_dense special", a.info().nnz == 3 and oracle.same(a.dense().numpy() + 0, x + 0))


def product_type(x, d):
    return np.result_type(oracle.dtype(x), oracle.dtype(d))


def dense_product(x, y):
    """The product in the operands' common type."""
    if x.dtype == bool and y.dtype == bool:
        return (x.astype("i8") @ y.astype("i8")) != 0
    d = np.result_type(x, y)
    wide = np.complex128 if d.kind == "c" else "f8" if d.kind in "fV" else "i8"
    return (x.astype(wide) @ y.astype(wide)).astype(d)


def products(report):
    for d in types(report):
        for name, m in cases(d):
            label = f"product {name} {d}"
            if not report.wants(label):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            for columns in ((), (1,), (3,), (33,), (300,)):
                x = numbers((m.shape[1], *columns), d, 5)
                y = numbers((*columns, m.shape[0]), d, 6)
                got, want = (a @ report.array(x)).numpy(), dense_product(dense, x)
                report.check(f"{label} {columns}", oracle.same(got + 0, want + 0), f"{got}\n{want}")
                got, want = a.rmatmul(report.array(y)).numpy(), dense_product(y, dense)
                report.check(f"{label} {columns} left", oracle.same(got + 0, want + 0), f"{got}\n{want}")
            x = numbers((3, m.shape[1]), d, 7)
            got = (a @ report.array(x).transpose()).numpy()
            report.check(f"{label} turned", oracle.same(got + 0, dense_product(dense, x.T) + 0))
            x = numbers(m.shape[0], d, 8)
            got = (a.T @ report.array(x)).numpy()
            report.check(f"{label} T", oracle.same(got + 0, dense_product(dense.T, x) + 0))
            report.check(f"{label} kept", unchanged(a, m))
    for d, e in (
        ("float32", "float64"),
        ("int32", "float32"),
        ("bool", "float64"),
        ("float64", "complex64"),
        ("int8", "uint8"),
    ):
        m = coordinates((20, 30), 100, d, 1)
        x = numbers(30, e, 2)
        got = (Sparse.of(m, report.device) @ report.array(x)).numpy()
        want = dense_product(m.dense(), x)
        report.check(f"product {d} {e}", got.dtype == want.dtype and oracle.same(got + 0, want + 0), f"{got} {want}")


def large(report):
    """Matrices that several threads share."""
    for form, index in (("csr", "int32"), ("csc", "int64"), ("coo", "int32")):
        shape, nnz = (30000, 250), 60000
        if form == "coo":
            m = coordinates(shape, nnz, "float64", 1, index)
        else:
            m = unsorted_compressed(shape, nnz, "float64", 1, form, index)
        a, s = Sparse.of(m, report.device), m.scipy()
        label = f"large {form} {index}"
        for columns in ((), (40,)):
            x, y = numbers((shape[1], *columns), "float64", 2), numbers((*columns[::-1], shape[0]), "float64", 3)
            report.check(f"{label} {columns}", np.array_equal((a @ report.array(x)).numpy(), s @ x))
            report.check(f"{label} left {columns}", np.array_equal(a.rmatmul(report.array(y)).numpy(), (s.T @ y.T).T))
        want = s.tocsr()
        want.sum_duplicates()
        for other in FORMATS:
            got = a.convert(other).sum_duplicates()
            report.check(f"{label} {other}", got.canonical() and np.array_equal(got.dense().numpy(), want.toarray()))
        product = (a.T @ a).parts()
        right = (want.T @ want).tocsr()
        right.eliminate_zeros()
        right.sort_indices()
        arrays = (right.data, right.indices, right.indptr)
        report.check(f"{label} product", all(np.array_equal(p, q) for p, q in zip(product.arrays(), arrays)))
        other = Sparse.of(unsorted_compressed(shape, nnz, "float64", 9), report.device)
        total = (a.binary("add", other)).dense().numpy()
        report.check(f"{label} sum", np.array_equal(total, want.toarray() + other.dense().numpy()))


def data_changes(report):
    """Data that the caller writes are seen by later products, whatever is kept of the matrix."""
    for form in FORMATS:
        m = unsorted_compressed((30, 20), 100, "float64", 1)
        a = Sparse.of(m, report.device).convert(form)
        x = report.array(numbers(20, "float64", 2))
        first = (a @ x).numpy()
        data = a.part("data")
        arrpy.apply("multiply", data, 2.0, out=data)
        report.check(f"data changed {form}", np.array_equal((a @ x).numpy(), 2 * first))


def sparse_products(report):
    for d in types(report):
        for (name, m), (other, n) in zip(cases(d), list(cases(d))[::-1]):
            label = f"sparse product {name} {other} {d}"
            if not report.wants(label):
                continue
            n = unsorted_compressed((m.shape[1], 11), 40, d, 9, "csc" if m.format == "csr" else "csr")
            a, b = Sparse.of(m, report.device), Sparse.of(n, report.device)
            c = a @ b
            want = dense_product(m.dense(), n.dense())
            matches(report, label, c, want)
            report.check(f"{label} nnz", c.info().nnz == np.count_nonzero(want), f"{c.info().nnz}")
            report.check(f"{label} kept", unchanged(a, m) and unchanged(b, n))


def wide_products(report):
    """A result of more columns than memory has room for."""
    m, n = coordinates((4, 6), 12, "float64", 1), coordinates((6, 2**50), 20, "float64", 2, "int64")
    a, b = Sparse.of(m, report.device), Sparse.of(n, report.device)
    got = (a @ b).parts()
    columns, at = np.unique(n.second, return_inverse=True)
    want = m.dense() @ Parts("coo", (6, len(columns)), n.data, n.first, at).dense()
    have = np.zeros_like(want)
    have[got.coordinates()[0], np.searchsorted(columns, got.first)] = got.data
    tall = Sparse.of(Parts("coo", (2**50, 6), n.data, n.second, n.first), report.device)
    summed = tall.sum_duplicates().parts()
    report.check("coordinates of many rows", summed.ordered() and np.array_equal(np.unique(summed.first), columns))
    report.check("product of many columns", np.array_equal(have, want) and np.all(got.data != 0))


def readonly(report):
    """Index arrays cannot be written while a matrix has them; data can."""
    d = report.device
    data, row, col = (arrpy.array(np.array(x), device=d) for x in ([1.0, 2.0], [0, 1], [1, 0]))
    a = Sparse.made("arr_sparse_coo", 2, 2, data.handle, row.handle, col.handle, None)
    for name in ("row", "col"):
        part = a.part(name)
        report.check(f"readonly {name}", raises(C.ARR_E_READONLY, lambda: arrpy.apply("add", part, 1, out=part)))
    report.check("readonly given", raises(C.ARR_E_READONLY, lambda: arrpy.apply("add", row, 1, out=row)))
    arrpy.apply("add", data, 1.0, out=data)
    report.check("data are shared", np.array_equal(a.dense().numpy(), [[0, 2], [3, 0]]))
    del a
    arrpy.apply("add", row, 1, out=row)
    report.check("written after the matrix", np.array_equal(row.numpy(), [1, 2]))


def refused(report):
    def fails(label, text, rows, columns, form, *given):
        keep = [arrpy.array(np.array(x), device=report.device) for x in given]
        try:
            Sparse.made(f"arr_sparse_{form}", rows, columns, *(x.handle for x in keep), None)
            report.check(f"refused {label}", False, "nothing was refused")
        except arrpy.Error as e:
            report.check(f"refused {label}", text in str(e), str(e))

    one = [1.0]
    fails("row", "argument row: 2 at position 0, expected 0 to 1", 2, 2, "coo", one, [2], [0])
    fails("negative", "argument col: -1 at position 1, expected 0 to 1", 2, 2, "coo", [1.0, 1.0], [0, 0], [0, -1])
    fails("indices", "argument indices: 7 at position 0", 2, 2, "csr", one, [7], [0, 1, 1])
    fails("wide", "argument col: 4294967296 at position 0", 2, 2, "coo", one, [0], np.array([2**32]))
    fails("unsigned", "argument col: -1 at position 0", 2, 2, "coo", one, [0], np.array([2**64 - 1], "u8"))
    fails("begin", "argument indptr: 1 at position 0, expected 0", 2, 2, "csr", one, [0], [1, 1, 1])
    fails(
        "end", "argument indptr: 2 at position 2, expected the number of indices, 1", 2, 2, "csr", one, [0], [0, 1, 2]
    )
    fails("falls", "argument indptr: 1 at position 2, less than", 3, 2, "csr", [1.0] * 2, [0, 0], [0, 2, 1, 2])
    fails("length", "argument indptr: shape (2,), expected (3,)", 2, 2, "csr", one, [0], [0, 1])
    fails("lengths", "argument row: shape (2,), expected (1,)", 2, 2, "coo", one, [0, 1], [0])
    fails("floats", "argument col: got float64, expected integers", 2, 2, "coo", one, [0], [0.0])
    fails("extent", "argument rows: -1 is negative", -1, 2, "coo", one, [0], [0])
    fails("product", "rows times columns", 2**40, 2**40, "coo", one, [0], [0])
    fails("no elements", "argument row: 0 at position 0, expected no element", 0, 2, "coo", one, [0], [0])
    a = Sparse.of(coordinates((3, 4), 5, "float64", 1), report.device)
    report.check("refused part", raises(C.ARR_E_ARGUMENT, lambda: a.part("indptr")))
    report.check("refused x", raises(C.ARR_E_SHAPE, lambda: a @ report.array(np.zeros(3))))
    report.check("refused x.ndim", raises(C.ARR_E_SHAPE, lambda: a @ report.array(np.zeros((4, 1, 1)))))
    report.check("refused left", raises(C.ARR_E_SHAPE, lambda: a.rmatmul(report.array(np.zeros(4)))))
    report.check("refused product", raises(C.ARR_E_SHAPE, lambda: a @ a))


def too_many(report):
    """Extents for which no pointers can be stored."""
    d = arrpy.device_of(report.device)
    n = 2**62
    for label, call, text in (
        ("eye", lambda: Sparse.made("arr_sparse_eye", n, 1, 0, arrpy.number("float32"), d, None), "argument rows: "),
        ("convert", lambda: tall.convert("csr"), "argument a: "),
        ("product", lambda: tall @ report.array(np.ones(1)), "argument a: "),
    ):
        tall = Sparse.of(Parts("coo", (n, 1), np.ones(1), np.array([n - 1]), np.array([0])), report.device)
        try:
            call()
            report.check(f"too many {label}", False)
        except arrpy.Error as e:
            report.check(f"too many {label}", text in str(e) and "step" not in str(e), str(e))


def built(report):
    import scipy.sparse

    d = arrpy.device_of(report.device)
    for rows, columns, k in (
        (4, 4, 0),
        (3, 5, 1),
        (5, 3, -2),
        (3, 3, 7),
        (3, 3, -7),
        (0, 2, 0),
        (3, 3, -(2**63)),
        (3, 3, 2**63 - 1),
    ):
        a = Sparse.made("arr_sparse_eye", rows, columns, k, arrpy.number("float32"), d, None)
        matches(report, f"eye {rows} {columns} {k}", a, np.eye(rows, columns, min(max(k, -9), 9), dtype="float32"))
    for shape, offsets in (((4, 4), (0,)), ((5, 7), (1, -1, 0)), ((6, 4), (-3, 2, 0)), ((1, 1), (0,))):
        lengths = [len(np.diagonal(np.zeros(shape), k)) for k in offsets]
        given = [numbers(n, "float64", 3 + i) + 5 for i, n in enumerate(lengths)]
        want = scipy.sparse.diags_array(given, offsets=offsets, shape=shape).toarray()
        arrays = [report.array(x) for x in given]
        handles = (C.arr_array * len(arrays))(*(x.handle for x in arrays))
        a = Sparse.made("arr_sparse_diags", *shape, len(arrays), handles, arrpy.int64s(offsets), None)
        matches(report, f"diags {shape} {offsets}", a, want)
    x = report.array(np.array([2.0]))
    handles = (C.arr_array * 2)(x.handle, x.handle)
    a = Sparse.made("arr_sparse_diags", 3, 3, 2, handles, arrpy.int64s((0, 1)), None)
    matches(report, "diags of one", a, np.eye(3) * 2 + np.eye(3, k=1) * 2)
    report.check(
        "diags twice",
        raises(C.ARR_E_ARGUMENT, lambda: Sparse.made("arr_sparse_diags", 3, 3, 2, handles, arrpy.int64s((1, 1)), None)),
    )


def main():
    report = oracle.Report(__doc__)
    for part in report.turn(
        [
            parts,
            converted,
            casts,
            from_dense,
            products,
            large,
            sparse_products,
            wide_products,
            data_changes,
            readonly,
            refused,
            too_many,
            built,
        ]
    ):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
