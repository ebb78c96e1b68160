#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sparse matrices of so many elements that results are made in blocks, against SciPy's."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.sparse
from sparse_matrix import Parts, Sparse

import oracle


def given(m, device):
    return Sparse.of(Parts("csr", m.shape, m.data, m.indices, m.indptr), device)


def scattered(shape, nnz, seed, dtype="float64", index="int32"):
    """A canonical matrix of small integers."""
    r = np.random.default_rng(seed)
    at = r.integers(0, shape[0], nnz), r.integers(0, shape[1], nnz)
    m = scipy.sparse.coo_array((np.ones(nnz), at), shape=shape).tocsr()
    m.sum_duplicates()
    m.sort_indices()
    values = r.integers(-3, 4, m.nnz).astype(dtype)
    return scipy.sparse.csr_array((values, m.indices.astype(index), m.indptr.astype(index)), shape=shape)


def same_parts(got, want):
    want.sort_indices()
    p = got.parts()
    pairs = zip(p.arrays(), (want.data, want.indices, want.indptr))
    return p.data.dtype == want.dtype and got.canonical() and all(np.array_equal(x, y) for x, y in pairs)


def matches(report, label, got, want):
    want = want.tocsr()
    want.eliminate_zeros()
    report.check(label, same_parts(got, want))


def combined(report):
    shape = 20000, 3000
    for d in ("int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"):
        for index in ("int32", "int64"):
            x, y = (scattered(shape, 150000, seed, d, index) for seed in (1, 2))
            a, b = given(x, report.device), given(y, report.device)
            label = f"combined {d} {index}"
            matches(report, f"{label} add", a.binary("add", b), x + y)
            matches(report, f"{label} subtract", a.binary("subtract", b), x - y)
            matches(report, f"{label} multiply", a.binary("multiply", b), x.multiply(y))
            if "complex" not in d:
                matches(report, f"{label} maximum", a.binary("maximum", b), x.maximum(y))
                matches(report, f"{label} minimum", a.binary("minimum", b), x.minimum(y))


def guessed(report):
    """Most elements cancel, but not between the samples by which the number of results is guessed."""
    shape = 60000, 2000
    x = scattered(shape, 700000, 3)
    y = x.copy()
    position = np.arange(shape[0]) / shape[0] * 15 % 1
    kept = np.repeat((position > 0.25) & (position < 0.75), np.diff(x.indptr))
    y.data[kept] += 5
    y = scipy.sparse.csr_array(y + scattered(shape, 3, 4))  # other indices, so that it is no op of equal elements
    y.sort_indices()
    a, b = given(x, report.device), given(y, report.device)
    matches(report, "guessed few", a.binary("subtract", b), x - y)
    matches(report, "guessed none", a.binary("subtract", given(x.copy(), report.device)), x - x)
    matches(
        report,
        "guessed many",
        a.binary("add", given(scattered(shape, 700000, 5), report.device)),
        x + scattered(shape, 700000, 5),
    )


def one_line(report):
    """A block of one line that is longer than others."""
    for shape in ((1, 400000), (3, 400000), (400000, 1)):
        x, y = scattered(shape, 100000, 6), scattered(shape, 100000, 7)
        a, b = given(x, report.device), given(y, report.device)
        matches(report, f"line {shape}", a.binary("add", b), x + y)
        matches(report, f"line {shape} multiply", a.binary("multiply", b), x.multiply(y))


def products(report):
    for d in ("bool", "uint8", "int64", "float32", "float64", "complex64", "complex128"):
        for index in ("int32", "int64"):
            x, y = (scattered(shape, 60000, seed, d, index) for shape, seed in (((9000, 5000), 8), ((5000, 7000), 9)))
            label = f"products {d} {index}"
            matches(report, label, given(x, report.device) @ given(y, report.device), x @ y)
    # Rows of b in any order, some elements twice; columns of which each level of marks has several words.
    r = np.random.default_rng(10)
    n, columns = 40000, 600000
    starts = np.concatenate([[0], np.sort(r.integers(0, 3 * n, n - 1)), [3 * n]])
    y = scipy.sparse.csr_array((r.integers(1, 9, 3 * n) * 1.0, r.integers(0, columns, 3 * n), starts), (n, columns))
    x = scattered((50000, n), 300000, 11)
    matches(report, "products any order", given(x, report.device) @ given(y, report.device), x @ y)


def product_guessed(report):
    """Rows of b have one element, except some whose rows of the result are not sampled."""
    n = 300000
    position = np.arange(n) / n * 15 % 1
    lengths = np.where((position > 0.4) & (position < 0.6), 12, 1)
    y = scipy.sparse.csr_array(
        (np.ones(lengths.sum()), np.zeros(lengths.sum(), "i4"), np.r_[0, lengths.cumsum()]), (n, 99)
    )
    y.indices[:] = np.arange(len(y.indices)) % 97
    x = scipy.sparse.csr_array(scipy.sparse.eye_array(n) * 2)
    matches(report, "product guessed", given(x, report.device) @ given(y, report.device), x @ y)


def columns(report):
    """Numbers of columns around those that fit registers."""
    for d in ("int32", "float32", "float64", "complex64"):
        m = scattered((3000, 2000), 40000, 12, d)
        a = given(m, report.device)
        for k in (1, 3, 4, 7, 8, 33, 64, 100, 131, 300):
            x = np.random.default_rng(k).integers(-4, 5, (2000, k)).astype(d)
            y = np.random.default_rng(k).integers(-4, 5, (3000, k)).astype(d)
            report.check(f"columns {k} {d}", np.array_equal((a @ report.array(x)).numpy(), m @ x))
            report.check(f"columns {k} {d} T", np.array_equal((a.T @ report.array(y)).numpy(), m.T @ y))


def assembled(report):
    """Elements in any order, some twice: many lines, few, one that has most of them."""
    r = np.random.default_rng(13)
    for d in ("bool", "int8", "int32", "float64", "complex128"):
        for index in ("int32", "int64"):
            for shape in ((300000, 1000), (50, 1000), (1, 90000), (1000, 70000)):
                n = 200000
                row, column = (r.integers(0, extent, n).astype(index) for extent in shape)
                if shape[0] == 1000:
                    row[r.random(n) < 0.9] = 7
                m = scipy.sparse.coo_array((r.integers(1, 5, n).astype(d), (row, column)), shape=shape)
                a = Sparse.of(Parts("coo", m.shape, m.data, *m.coords), report.device)
                label = f"assembled {shape} {d} {index}"
                matches(report, label, a.convert("csr"), m.tocsr())
                report.check(f"{label} csc", same_parts(a.convert("csc"), m.tocsc()))
                want = m.copy()
                want.sum_duplicates()
                got = a.sum_duplicates().parts()
                order = np.lexsort(want.coords[::-1])
                pairs = zip(got.arrays(), (want.data, *want.coords))
                report.check(f"{label} coo", all(np.array_equal(x, y[order]) for x, y in pairs))


def found(report):
    """Elements of short, long and empty lines, of the last line, and of a matrix of few elements."""
    r = np.random.default_rng(14)
    for shape, nnz in (((3000, 4000), 20000), ((40, 9000), 100000), ((5, 7), 3), ((1, 9), 8), ((700, 1), 300)):
        for index in ("int32", "int64"):
            m = scattered(shape, nnz, 15, "int16", index)
            rows, cols = m.tocoo().coords
            some = r.integers(0, m.nnz, 3000)
            i, j = (np.r_[x[some], x[-5:], r.integers(0, n, 3000)] for x, n in zip((rows, cols), shape))
            a, want = given(m, report.device), m.toarray()[i, j]
            for form in ("csr", "csc"):
                got = a.convert(form).elements(report.array(i), report.array(j)).numpy()
                report.check(f"found {shape} {index} {form}", np.array_equal(got, want))


def dense(report):
    """Elements of dense matrices in either order of memory; more than those rows have that are sampled."""
    r = np.random.default_rng(16)
    for d in ("bool", "uint8", "float16", "float32", "int64", "complex128"):
        for shape in ((300, 900), (3, 100000), (100000, 3), (1, 8192), (8193, 1)):
            x = np.where(r.random(shape) < 0.2, r.integers(-9, 9, shape), 0).astype(d)
            for view, a in (("C", report.array(x)), ("F", report.array(np.ascontiguousarray(x.T)).transpose())):
                for form in ("csr", "csc"):
                    got, want = Sparse.from_dense(a, form).parts(), np.nonzero(x if form == "csr" else x.T)
                    pointers = np.searchsorted(want[0], np.arange(shape[form == "csc"] + 1))
                    values = (x if form == "csr" else x.T)[want]
                    pairs = zip(got.arrays(), (values, want[1], pointers))
                    report.check(f"dense {shape} {d} {view} {form}", all(np.array_equal(*pair) for pair in pairs))
    x = np.zeros((1500, 1500))
    x[150:1350] = r.integers(1, 9, (1200, 1500))
    x[np.arange(15) * 100] = 0
    report.check("dense guessed", np.array_equal(Sparse.from_dense(report.array(x)).dense().numpy(), x))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([combined, guessed, one_line, products, product_guessed, columns, assembled, found, dense]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
