#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products over semirings, masked and sampled products against NumPy's ufuncs on dense arrays."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from sparse import dense_product, matches, types, unchanged
from sparse_matrix import Sparse, cases, coordinates, numbers, op, reduction, unsorted_compressed

import oracle
from oracle import arrpy, raises

C = arrpy.c
INF = np.inf
# reduction, NumPy's ufunc of it, op, the identity
SEMIRINGS = (
    ("sum", np.add, "multiply", 0),
    ("min", np.minimum, "add", INF),
    ("max", np.maximum, "add", -INF),
    ("max", np.maximum, "multiply", -INF),
    ("min", np.minimum, "maximum", INF),
    ("any", np.logical_or, "logical_and", False),
    ("all", np.logical_and, "logical_or", True),
    ("prod", np.multiply, "add", 1),
    ("sum", np.add, "less", 0),
    ("sum", np.add, "subtract", 0),
)
INTEGERS = (("bitwise_or_reduce", np.bitwise_or, "bitwise_and", 0), ("bitwise_xor_reduce", np.bitwise_xor, "add", 0))


def identity(value, dtype):
    """inf and -inf are the limits of integers."""
    if not np.isinf(value):
        return np.array(value).astype(dtype)
    if dtype.kind == "b":
        return np.array(value > 0)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.array(limits.max if value > 0 else limits.min, dtype)
    return np.array(complex(value, value) if dtype.kind == "c" else value, dtype)


def semirings(report, d):
    """Those that take the type; a product of many float16 is not exact. On CUDA each one compiles kernels."""
    if report.device != "host" and d != "float64":
        return SEMIRINGS[0:6:5]
    without = {"bool": "subtract", "float16": "prod"}.get(d)
    some = [s for s in SEMIRINGS if without not in (s[0], s[2])]
    return some + [s for s in INTEGERS if np.dtype(d).kind in "biu"]


def numpy_types(report):
    return [d for d in types(report) if d != "bfloat16"]


def stored(m):
    """True where the matrix stores an element."""
    out = np.zeros(m.shape, bool)
    out[m.coordinates()] = True
    return out


def combined(semiring, x, y, has):
    """The product of dense arrays over a semiring; has: the terms, [m, n, k]."""
    name, ufunc, f, nothing = semiring
    with np.errstate(all="ignore"):
        terms = getattr(np, f)(x[:, :, None], y[None, :, :])
        if name in ("any", "all"):
            terms = terms.astype(bool)
        result = ufunc.reduce(terms[:1, :0, :1], axis=1, initial=0).dtype if ufunc in (np.add, np.multiply) else None
        result = terms.dtype if result is None else result
        return ufunc.reduce(terms.astype(result), axis=1, where=has, initial=identity(nothing, result), dtype=result)


def same(report, label, got, want):
    good = got.dtype == want.dtype and got.shape == want.shape
    if " prod " in label and want.dtype.kind in "fc":  # of rounded factors
        good = good and np.allclose(got, want, 1e-5, 0, equal_nan=True)
    else:
        good = good and oracle.same(got + 0, want + 0)
    report.check(label, good, f"{got.dtype} {got.shape} {want.dtype} {want.shape}\n{got}\n{want}")


def matmul(a, by, x):
    return arrpy.made("arr_sparse_semiring_matmul", reduction(by[0]), op(by[2]), a.handle, x.handle, None)


def product(a, by, b, mask=None, complement=False):
    given = (None if mask is None else mask.handle, complement)
    return Sparse.made("arr_sparse_semiring_product", reduction(by[0]), op(by[2]), a.handle, b.handle, *given, None)


def masked_products(report, label, a, by, b, mask, want, some, at):
    """The elements of the mask, and those of its complement."""
    elements(report, f"{label} masked", product(a, by, b, mask), want, some & at)
    elements(report, f"{label} complement", product(a, by, b, mask, True), want, some & ~at)


def sampled_matmul(pattern, x, y):
    return Sparse.made("arr_sparse_sampled_matmul", pattern.handle, x.handle, y.handle, None)


def dense_products(report):
    for d in numpy_types(report):
        for name, m in cases(d):
            label = f"semiring {name} {d}"
            if not report.wants(label):
                continue
            a, dense, has = Sparse.of(m, report.device), m.dense(), stored(m)
            for by in semirings(report, d):
                for columns in (None, 1, 3):
                    x = numbers((m.shape[1], columns or 1), d, 5)
                    want = combined(by, dense, x, has[:, :, None])
                    given = x if columns else x[:, 0]
                    got = matmul(a, by, report.array(given)).numpy()
                    same(report, f"{label} {by[0]} {by[2]} {columns}", got, want if columns else want[:, 0])
                x = numbers((2, m.shape[1]), d, 7)
                got = matmul(a, by, report.array(x).transpose()).numpy()
                same(report, f"{label} {by[0]} {by[2]} turned", got, combined(by, dense, x.T, has[:, :, None]))
            report.check(f"{label} kept", unchanged(a, m))


def elements(report, label, got, values, has):
    """Compares the stored elements of a result, and their indices."""
    p = got.parts()
    row, column = p.coordinates()
    at = np.nonzero(has)
    good = np.array_equal(row, at[0]) and np.array_equal(column, at[1])
    report.check(f"{label} elements", good and p.format == "csr", f"{row} {column}\n{at}")
    same(report, label, p.data, values[at])
    report.check(f"{label} in order", got.canonical() and p.ordered())


def sparse_products(report):
    for d in numpy_types(report):
        for name, m in cases(d):
            label = f"semiring product {name} {d}"
            if not report.wants(label):
                continue
            n = unsorted_compressed((m.shape[1], 11), 40, d, 9, "csc" if m.format == "csr" else "csr")
            at = coordinates((m.shape[0], 11), 30, "float32", 10)
            a, b, mask = (Sparse.of(x, report.device) for x in (m, n, at))
            has = stored(m)[:, :, None] & stored(n)[None, :, :]
            some = has.any(axis=1)
            for by in semirings(report, d):
                want = combined(by, m.dense(), n.dense(), has)
                elements(report, f"{label} {by[0]} {by[2]}", product(a, by, b), want, some)
                masked_products(report, f"{label} {by[0]} {by[2]}", a, by, b, mask, want, some, stored(at))
                none = Sparse.of(coordinates(at.shape, 0, "bool", 1), report.device)
                elements(report, f"{label} {by[0]} {by[2]} of none", product(a, by, b, none, True), want, some)
            report.check(f"{label} kept", unchanged(a, m) and unchanged(b, n) and unchanged(mask, at))


def sampled(report):
    for d in types(report):
        for name, m in cases("float64"):
            label = f"sampled {name} {d}"
            if not report.wants(label):
                continue
            pattern = Sparse.of(m, report.device)
            for terms in (0, 1, 5, 70):
                x, y = numbers((m.shape[0], terms), d, 3), numbers((m.shape[1], terms), d, 4).T
                got = sampled_matmul(pattern, report.array(x), report.array(y))
                want = np.where(stored(m), dense_product(x, y), np.zeros((), oracle.dtype(d)))
                matches(report, f"{label} {terms}", got, want)
                report.check(f"{label} {terms} nnz", got.info().nnz == np.count_nonzero(stored(m)))
                report.check(f"{label} {terms} format", got.parts().format == m.format)
            report.check(f"{label} kept", unchanged(pattern, m))


def large(report):
    """Matrices that several threads share, against one column after the other."""
    rows = 20000 if report.device == "host" else 600
    for form, index, d in (("csr", "int32", "float64"), ("csc", "int64", "int32"), ("csr", "int64", "float32")):
        label = f"large {form} {index} {d}"
        if not report.wants(label):
            continue
        m = unsorted_compressed((rows, 120), 4 * rows, d, 1, form, index)
        n, at = unsorted_compressed((120, 9), 500, d, 2, "csr"), coordinates((rows, 9), 2 * rows, "bool", 3)
        a, b, mask = (Sparse.of(x, report.device) for x in (m, n, at))
        dense, has, x = m.dense(), stored(m), numbers((120, 9), d, 4)
        for by in SEMIRINGS[:5]:
            there = np.concatenate([combined(by, dense, x[:, j : j + 1], has[:, :, None]) for j in range(9)], axis=1)
            same(report, f"{label} {by[0]} {by[2]}", matmul(a, by, report.array(x)).numpy(), there)
            same(report, f"{label} {by[0]} {by[2]} 1", matmul(a, by, report.array(x[:, 0])).numpy(), there[:, 0])
            terms = [has[:, :, None] & stored(n)[None, :, j : j + 1] for j in range(9)]
            columns = [combined(by, dense, n.dense()[:, j : j + 1], t) for j, t in enumerate(terms)]
            want, some = np.concatenate(columns, axis=1), np.concatenate([t.any(axis=1) for t in terms], axis=1)
            elements(report, f"{label} {by[0]} {by[2]} product", product(a, by, b), want, some)
            masked_products(report, f"{label} {by[0]} {by[2]}", a, by, b, mask, want, some, stored(at))


def few_wanted(report):
    """Masks with fewer elements than the product has terms in a row."""
    for d, seed in (("float64", 1), ("int32", 2), ("bool", 3)):
        m, n = coordinates((40, 30), 200, d, seed), coordinates((30, 300), 6000, d, seed + 3)
        at = coordinates((40, 300), 60, "float64", seed + 6)
        a, b, mask = (Sparse.of(x, report.device) for x in (m, n, at))
        has = stored(m)[:, :, None] & stored(n)[None, :, :]
        for by in (SEMIRINGS[5],) if d == "bool" else SEMIRINGS[:5]:
            want = combined(by, m.dense(), n.dense(), has)
            label = f"few wanted {d} {by[0]} {by[2]}"
            masked_products(report, label, a, by, b, mask, want, has.any(axis=1), stored(at))


def special(report):
    """nan and infinity, which min and max see where an element is stored."""
    x = np.array([[np.nan, np.inf, 0], [1, -np.inf, 0], [2, 0, 3]])
    a, has = Sparse.from_dense(report.array(x)), x != 0
    for d in ("float32", "float64"):
        y = np.array([[1, np.nan], [np.inf, 2], [-np.inf, 3]], d)
        for by in SEMIRINGS[:5]:
            want = combined(by, x, y, has[:, :, None])
            same(report, f"special {by[0]} {by[2]} {d}", matmul(a, by, report.array(y)).numpy(), want)


def mixed(report):
    """Operands of two types, and wider results."""
    for x, y in (("float32", "float64"), ("int32", "float32"), ("int8", "uint8"), ("bool", "int16")):
        m, v = coordinates((20, 30), 100, x, 1), numbers((30, 2), y, 2)
        a = Sparse.of(m, report.device)
        for by in (SEMIRINGS[0], SEMIRINGS[1], SEMIRINGS[5]):
            want = combined(by, m.dense(), v, stored(m)[:, :, None])
            same(report, f"mixed {x} {y} {by[0]}", matmul(a, by, report.array(v)).numpy(), want)


def paths(report):
    """Powers over min and add are the lengths of shortest paths of a graph."""
    r = np.random.default_rng(3)
    n = 30
    w = np.where(r.random((n, n)) < 0.1, r.integers(1, 9, (n, n)).astype("f8"), 0)
    a = Sparse.from_dense(report.array(w))
    best = np.where(w == 0, INF, w)
    lengths = np.full(n, INF)
    lengths[0] = 0
    step = lengths
    for _ in range(n):
        step = np.minimum(step, (step[:, None] + best).min(axis=0))
    for _ in range(n):
        there = matmul(a.T, ("min", None, "add"), report.array(lengths)).numpy()
        lengths = np.minimum(lengths, there)
    same(report, "shortest paths", lengths, step)


def refused(report):
    a = Sparse.of(coordinates((3, 4), 5, "float64", 1), report.device)
    b = Sparse.of(coordinates((4, 2), 5, "float64", 1), report.device)
    x = report.array(np.ones(4))
    for name in ("mean", "argmin", "std", "logsumexp"):
        report.check(f"refused {name}", raises(C.ARR_E_UNSUPPORTED, lambda: matmul(a, (name, None, "add"), x)))
    for label, status, call in (
        ("arity", C.ARR_E_ARGUMENT, lambda: matmul(a, ("sum", None, "sqrt"), x)),
        ("dtype", C.ARR_E_DTYPE, lambda: matmul(a, ("bitwise_or_reduce", None, "add"), x)),
        ("x", C.ARR_E_SHAPE, lambda: matmul(a, SEMIRINGS[0], report.array(np.ones(3)))),
        ("b", C.ARR_E_SHAPE, lambda: product(a, SEMIRINGS[0], a)),
        ("mask", C.ARR_E_SHAPE, lambda: product(a, SEMIRINGS[0], b, b)),
        ("complement", C.ARR_E_ARGUMENT, lambda: product(a, SEMIRINGS[0], b, None, True)),
        ("product arity", C.ARR_E_ARGUMENT, lambda: product(a, ("sum", None, "where"), b)),
    ):
        report.check(f"refused {label}", raises(status, call))
    number = 99999
    report.check(
        "refused reduction",
        raises(
            C.ARR_E_ARGUMENT,
            lambda: arrpy.made("arr_sparse_semiring_matmul", number, op("add"), a.handle, x.handle, None),
        ),
    )
    for label, shapes in (("x", ((2, 3), (3, 4))), ("y", ((3, 3), (3, 3))), ("terms", ((3, 3), (2, 4)))):
        both = [report.array(np.ones(s)) for s in shapes]
        report.check(f"refused sampled {label}", raises(C.ARR_E_SHAPE, lambda: sampled_matmul(a, *both)))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn(
        [dense_products, sparse_products, sampled, large, few_wanted, special, mixed, paths, refused]
    ):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
