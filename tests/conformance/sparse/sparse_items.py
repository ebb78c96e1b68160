#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products of sparse matrices into existing arrays, other data of the same elements, indexing and replacement."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from sparse import dense_product, matches, unchanged
from sparse_matrix import FORMATS, Parts, Sparse, cases, coordinates, indices_of, numbers, unsorted_compressed

import oracle
from oracle import arrpy, raises

C = arrpy.c
DTYPES = ("bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex64")


def types(report):
    """Each type compiles kernels on CUDA, where some stand for the others."""
    return DTYPES if report.device == "host" else ("int32", "float64", "complex64")


def refusal(call):
    """The status and the text of the error of a call."""
    try:
        call()
    except arrpy.Error as e:
        return e.status, str(e)
    return 0, "nothing was refused"


def matmul_into(dst, a, x, alpha=None, beta=None):
    by = [None if v is None else arrpy.value(v) for v in (alpha, beta)]
    arrpy.call("arr_sparse_matmul_into", dst.handle, a.handle, x.handle, *(v and ctypes.byref(v) for v in by), None)


def with_data(a, data):
    return Sparse.made("arr_sparse_with_data", a.handle, data.handle, None)


def into(report):
    for d in types(report):
        for name, m in cases(d):
            label = f"into {name} {d}"
            if not report.wants(label):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            for columns in ((), (3,)):
                x, y = numbers((m.shape[1], *columns), d, 5), numbers((m.shape[0], *columns), d, 6)
                product = dense_product(dense, x)
                for order in "CF":
                    for alpha, beta in ((None, None), (1, 0), (2, None), (None, 1), (3, 2), (0, 2), (0, None)):
                        dst = report.array(np.asarray(y, order=order))

                        want = scaled(report, product, y, alpha, beta)
                        outcome = refusal(lambda: matmul_into(dst, a, report.array(x), alpha, beta))
                        if isinstance(want, int):
                            report.check(f"{label} {alpha} {beta}", outcome[0] == want, outcome[1])
                            continue
                        got = dst.numpy()
                        good = outcome[0] == 0 and oracle.same(got + 0, want + 0)
                        report.check(f"{label} {columns} {order} {alpha} {beta}", good, f"{outcome} {got}\n{want}")

            report.check(f"{label} kept", unchanged(a, m))


def scaled(report, product, y, alpha, beta):
    """The library's own result, whose values other suites check; a status if the types do not fit."""
    try:
        out = report.array(product)
        if alpha is not None:
            out = arrpy.apply("multiply", out, alpha)
        if beta:
            out = arrpy.apply("add", out, arrpy.apply("multiply", report.array(y), beta))
        to = report.array(np.zeros_like(y))
        arrpy.apply("add", out, out if out.numpy().dtype == bool else 0, out=to)
        return to.numpy()
    except arrpy.Error as e:
        return e.status


def into_special(report):
    """nan in an array that is not read, destinations that share memory with operands, types and shapes that do not fit."""
    m = unsorted_compressed((20, 20), 80, "float64", 1)
    a, x = Sparse.of(m, report.device), numbers(20, "float64", 2)
    want = m.dense() @ x
    nan = np.full(20, np.nan)
    for alpha, beta, given, factor in ((None, None, x, 1), (2.0, 0.0, x, 2), (None, 0, x, 1), (0, None, nan, 0)):
        dst = report.array(nan)
        matmul_into(dst, a, report.array(given), alpha, beta)
        report.check(f"into nan {alpha} {beta}", np.array_equal(dst.numpy() + 0, factor * want + 0))
    dst = report.array(x)
    matmul_into(dst, a, report.array(nan), 0.0, 3.0)
    report.check("into alpha 0", np.array_equal(dst.numpy(), 3 * x))
    dst = report.array(x)
    matmul_into(dst, a, dst)
    report.check("into x itself", np.array_equal(dst.numpy(), want))
    wide = report.array(np.full((20, 4), 7.0))
    column = arrpy.made("arr_get_items", wide.handle, 2, indices_of(slice(None), 1), 0, None)
    matmul_into(column, a, report.array(x), None, 1)
    got = wide.numpy()
    report.check("into a column", np.array_equal(got[:, 1], want + 7) and np.all(got[:, [0, 2, 3]] == 7))
    d = report.array(np.array([3.0, 5.0]))
    at = report.array(np.array([0, 1]))
    own = Sparse.made("arr_sparse_coo", 2, 2, d.handle, at.handle, at.handle, None)
    matmul_into(d, own, d)
    report.check("into data", np.array_equal(d.numpy(), [9.0, 25.0]))
    f32 = report.array(np.zeros(20, "f4"))
    matmul_into(f32, a, report.array(x), 0.5)
    report.check("into float32", np.array_equal(f32.numpy(), (0.5 * want).astype("f4")))
    for label, dst, given, factors, status, text in (
        ("shape", np.zeros(19), x, (), C.ARR_E_SHAPE, "argument dst: shape (19,), the result has (20,)"),
        ("x", np.zeros(20), x[1:], (), C.ARR_E_SHAPE, "argument x: 19 rows, expected the number of columns, 20"),
        ("type", np.zeros(20, "i8"), x, (2.0,), C.ARR_E_DTYPE, "argument dst: int64, the result is float64"),
        ("complex", np.zeros(20), x, (1j,), C.ARR_E_DTYPE, "argument dst: float64, the result is complex128"),
        ("beta", np.zeros(20), x, (None, 1j), C.ARR_E_DTYPE, "argument dst: float64, the result is complex128"),
    ):
        got = refusal(lambda: matmul_into(report.array(dst), a, report.array(given), *factors))
        report.check(f"into refused {label}", got[0] == status and text in got[1], str(got))
    column = report.array(np.zeros((20, 1)))
    same = arrpy.made("arr_broadcast_to", column.handle, 2, arrpy.int64s((20, 2)))
    got = refusal(lambda: matmul_into(same, a, report.array(numbers((20, 2), "float64", 1))))
    report.check("into refused repeated", got[0] == C.ARR_E_READONLY, str(got))


def other_data(report):
    for form in FORMATS:
        m = unsorted_compressed((9, 8), 30, "float64", 1)
        a = Sparse.of(m, report.device).convert(form)
        n, x = a.info().nnz, report.array(numbers(8, "float64", 3))
        first = (a @ x).numpy()
        for d in types(report):
            values = numbers(n, d, 7)
            b = with_data(a, report.array(values))
            now, old = b.parts(), a.parts()
            same = now.format == form and all(np.array_equal(p, q) for p, q in zip(now.arrays()[1:], old.arrays()[1:]))
            report.check(f"data {form} {d}", same and oracle.same(now.data, values))
            want = dense_product(now.dense(), numbers(8, d, 4))
            report.check(
                f"data {form} {d} product", oracle.same((b @ report.array(numbers(8, d, 4))).numpy() + 0, want + 0)
            )
        report.check(f"data {form} kept", np.array_equal((a @ x).numpy(), first))
        every = report.array(np.arange(2.0 * n))
        second = arrpy.made("arr_get_items", every.handle, 1, indices_of(slice(None, None, 2)), 0, None)
        got = with_data(a, second).part("data").numpy()
        report.check(f"data {form} strided", np.array_equal(got, np.arange(n) * 2.0))
        given = report.array(np.zeros(n))
        b = with_data(a, given)
        arrpy.apply("add", given, 1.0, out=given)
        report.check(f"data {form} shared", np.all(b.part("data").numpy() == 1))
    got = refusal(lambda: with_data(a, report.array(np.zeros(n + 1))))
    report.check("data length", got[0] == C.ARR_E_SHAPE and "argument data: shape" in got[1], str(got))
    report.check("data dimensions", raises(C.ARR_E_SHAPE, lambda: with_data(a, report.array(np.zeros((n, 1))))))


def with_items(a, block, *indices):
    return Sparse.made("arr_sparse_with_items", a.handle, len(indices), indices_of(*indices), block.handle, None)


def with_elements(a, rows, cols, value):
    v = arrpy.value(value)
    return Sparse.made("arr_sparse_with_elements", a.handle, rows.handle, cols.handle, ctypes.byref(v), None)


def axis_choices(n, seed):
    """name, index: what one axis of n takes; integers give one row, so NumPy gets a slice instead."""
    r = np.random.default_rng(seed)
    yield "all", slice(None)
    yield "part", slice(n // 4, -1)
    yield "step", slice(1, None, 3)
    yield "back", slice(None, None, -2)
    yield "none", slice(3, 3)
    yield "beyond", slice(-99, 99, 4)
    yield "empty", np.zeros(0, "i8")
    if n:
        yield "integer", int(r.integers(-n, n))
        yield "integers", r.integers(-n, n, 2 * n).astype("i4")
        yield "ascending", np.arange(0, n, 2)
        yield "unsigned", r.integers(0, n, 5).astype("u8")
        yield "mask", r.random(n) < 0.5


def for_numpy(i):
    return slice(i, i + 1 or None) if isinstance(i, int) else i


def given(report, i):
    return report.array(i) if isinstance(i, np.ndarray) else i


def few_cases(report, d, index="int32"):
    """All cases on the host; on CUDA each call takes longer."""
    few = ("csr", "csc", "coo", "no rows")
    return ((name, m) for name, m in cases(d, index) if report.device == "host" or name in few)


def indexed(report):
    for d in types(report)[-3:] if report.device == "host" else types(report)[:1]:
        for index in ("int32", "int64") if report.device == "host" else ("int32",):
            for name, m in few_cases(report, d, index):
                a, dense = Sparse.of(m, report.device), m.dense()
                for first, i in axis_choices(m.shape[0], 1):
                    for second, j in axis_choices(m.shape[1], 2):
                        label = f"items {name} {d} {index} {first} {second}"
                        if not report.wants(label):
                            continue
                        if isinstance(i, np.ndarray) and isinstance(j, np.ndarray):
                            got = refusal(lambda: a.get_items(given(report, i), given(report, j)))
                            report.check(label, got[0] == C.ARR_E_ARGUMENT and "arr_sparse_elements" in got[1], got[1])
                            continue
                        got = a.get_items(given(report, i), given(report, j))
                        want = dense[for_numpy(i), for_numpy(j)]
                        report.check(
                            label, oracle.same(got.dense().numpy() + 0, want + 0), f"{got.dense().numpy()}\n{want}"
                        )
                        p = got.info()
                        form = C.ARR_SPARSE_CSR if m.format == "coo" else FORMATS[m.format]
                        report.check(f"{label} parts", p.format == form and p.index_dtype == arrpy.number(index))
                        report.check(f"{label} canonical", got.canonical() == got.parts().ordered())
                report.check(f"items {name} kept", unchanged(a, m))


def few_indices(report):
    """Expressions with one index, none, an ellipsis; those that are refused."""
    m = unsorted_compressed((6, 5), 20, "float64", 1)
    a, dense = Sparse.of(m, report.device), m.dense()
    ints = report.array(np.array([1, -1]))
    for label, i, want in (
        ("none", (), dense),
        ("rows", (slice(1, 3),), dense[1:3]),
        ("a row", (-2,), dense[-2:-1]),
        ("array", (ints,), dense[[1, -1]]),
        ("ellipsis", (Ellipsis,), dense),
        ("last", (Ellipsis, 2), dense[:, 2:3]),
        ("first", (ints, Ellipsis), dense[[1, -1]]),
        ("three", (slice(0, 2), Ellipsis, slice(1, 4)), dense[:2, 1:4]),
    ):
        report.check(f"items {label}", np.array_equal(a.get_items(*i).dense().numpy(), want))
    old = a.part("data").numpy()
    view = a.get_items(slice(2, 5))
    data = view.part("data")
    arrpy.apply("add", data, 1.0, out=data)
    report.check("rows share data", not np.array_equal(a.part("data").numpy(), old))
    for label, i, status, text in (
        ("row", (6,), C.ARR_E_ARGUMENT, "argument indices: index 6 along axis 0 of extent 6, expected -6 to 5"),
        ("column", (0, -6), C.ARR_E_ARGUMENT, "argument indices: index -6 along axis 1 of extent 5, expected -5 to 4"),
        (
            "array",
            (slice(None), np.array([0, 5])),
            C.ARR_E_ARGUMENT,
            "argument indices: index 5 along axis 1 of extent 5",
        ),
        ("negative", (np.array([-7]),), C.ARR_E_ARGUMENT, "argument indices: index -7 along axis 0 of extent 6"),
        ("unsigned", (np.array([2**64 - 1], "u8"),), C.ARR_E_ARGUMENT, "index 18446744073709551615 along axis 0"),
        ("mask", (np.ones(5, bool),), C.ARR_E_SHAPE, "argument indices: a mask of shape (5,) for axis 0 of extent 6"),
        ("float", (np.zeros(2),), C.ARR_E_DTYPE, "argument indices"),
        (
            "matrix",
            (np.zeros((2, 2), int),),
            C.ARR_E_SHAPE,
            "argument indices: an array of shape (2,2), expected a vector",
        ),
        ("many", (0, 0, 0), C.ARR_E_SHAPE, "argument indices: they take 3 axes, a matrix has 2"),
        ("ellipses", (Ellipsis, Ellipsis), C.ARR_E_ARGUMENT, "argument indices: 2 ellipses"),
    ):
        got = refusal(lambda: a.get_items(*(given(report, x) for x in i)))
        report.check(f"items refused {label}", got[0] == status and text in got[1], str(got))


def single_elements(report):
    for d in types(report):
        for name, m in cases(d):
            label = f"elements {name} {d}"
            if not report.wants(label) or 0 in m.shape:
                continue
            a, dense, r = Sparse.of(m, report.device), m.dense(), np.random.default_rng(3)
            for shapes in (((40,), (40,)), ((7, 1), (5,)), ((), ()), ((0,), (1,))):
                i, j = (r.integers(-n, n, s) for n, s in zip(m.shape, shapes))
                got = a.elements(report.array(i), report.array(j.astype("i4"))).numpy()
                report.check(f"{label} {shapes}", oracle.same(got + 0, dense[i, j] + 0), f"{got}\n{dense[i, j]}")
                value = numbers(np.broadcast(i, j).shape, d, 9)
                for what, v in (("array", value), ("one", numbers((), d, 4)), ("zero", np.zeros((), oracle.dtype(d)))):
                    want = dense.copy()
                    for at in np.ndindex(np.broadcast(i, j).shape):
                        ij = [np.broadcast_to(x, np.broadcast(i, j).shape)[at] for x in (i, j)]
                        want[tuple(ij)] = np.broadcast_to(v, np.broadcast(i, j).shape)[at]
                    b = with_elements(a, report.array(i), report.array(j), report.array(np.asarray(v)))
                    matches(report, f"{label} with {what} {shapes}", b, want, i.size != 0)
                    report.check(f"{label} form", b.info().format == FORMATS[m.format])
            report.check(f"{label} kept", unchanged(a, m))
    wide = Sparse.of(
        Parts("coo", (2**40, 2**20), np.ones(2), np.array([5, 2**39]), np.array([7, 2**19])), report.device
    )
    at = [report.array(np.array(x)) for x in ([2**39, 6, -(2**40) + 5], [-(2**19), 7, 7])]
    report.check("elements of many rows", np.array_equal(wide.elements(*at).numpy(), [1, 0, 1]))
    a = Sparse.of(coordinates((4, 5), 9, "int32", 1), report.device)
    one = report.array(np.array([1]))
    b = with_elements(a, one, one, 7)
    report.check("with a number", b.elements(one, one).numpy().tolist() == [7])
    for label, call, status, text in (
        (
            "row",
            lambda: a.elements(report.array(np.array([4])), one),
            C.ARR_E_ARGUMENT,
            "argument rows: index 4 along axis 0",
        ),
        (
            "column",
            lambda: a.elements(one, report.array(np.array([-6]))),
            C.ARR_E_ARGUMENT,
            "argument cols: index -6 along axis 1",
        ),
        ("float", lambda: a.elements(report.array(np.zeros(1)), one), C.ARR_E_DTYPE, "argument rows"),
        (
            "shapes",
            lambda: a.elements(report.array(np.zeros(2, int)), report.array(np.zeros(3, int))),
            C.ARR_E_SHAPE,
            "argument cols",
        ),
        (
            "cast",
            lambda: with_elements(a, one, one, report.array(np.array([0.5]))),
            C.ARR_E_DTYPE,
            "argument value: float64, a is int32",
        ),
        ("number", lambda: with_elements(a, one, one, 2**40), C.ARR_E_ARGUMENT, "does not fit in int32"),
        (
            "values",
            lambda: with_elements(a, one, one, report.array(np.zeros(2, "i4"))),
            C.ARR_E_SHAPE,
            "argument value: shape (2,)",
        ),
    ):
        got = refusal(call)
        report.check(f"elements refused {label}", got[0] == status and text in got[1], str(got))


def blocks(report):
    for d in ("float64", "int8") if report.device == "host" else ("float64",):
        for name, m in few_cases(report, d):
            a, dense = Sparse.of(m, report.device), m.dense()
            for first, i in axis_choices(m.shape[0], 1):
                for second, j in axis_choices(m.shape[1], 2):
                    label = f"block {name} {d} {first} {second}"
                    if not report.wants(label) or (isinstance(i, np.ndarray) and isinstance(j, np.ndarray)):
                        continue
                    want = dense.copy()
                    shape = want[for_numpy(i), for_numpy(j)].shape
                    n = coordinates(shape, 9, d, 5)
                    block = n.dense()
                    rows, columns = np.arange(m.shape[0])[for_numpy(i)], np.arange(m.shape[1])[for_numpy(j)]
                    for p, row in enumerate(rows):
                        for q, column in enumerate(columns):
                            want[row, column] = block[p, q]
                    got = with_items(a, Sparse.of(n, report.device), given(report, i), given(report, j))
                    matches(report, label, got, want)
                    report.check(f"{label} form", got.info().format == FORMATS[m.format])
            report.check(f"block {name} kept", unchanged(a, m))
    a, b = (Sparse.of(coordinates(s, 5, d, 1), report.device) for s, d in (((4, 5), "float32"), ((2, 2), "float64")))
    got = refusal(lambda: with_items(a, b, slice(0, 3), slice(0, 2)))
    text = "argument block: shape (2,2), expected that of the indexed elements, (3,2)"
    report.check("block refused", got[0] == C.ARR_E_SHAPE and text in got[1], str(got))
    report.check("block cast", with_items(a, b, slice(0, 2), slice(0, 2)).info().dtype == C.ARR_FLOAT32)
    other = coordinates((2, 2), 3, "complex64", 1)
    wide = Sparse.of(other, report.device)
    report.check("block cast refused", raises(C.ARR_E_DTYPE, lambda: with_items(b, wide, slice(None))))


def large(report):
    """Selections that several threads share."""
    m = unsorted_compressed((40000, 300), 200000, "float64", 1)
    a, s = Sparse.of(m, report.device), m.scipy()
    r = np.random.default_rng(4)
    rows, columns = r.integers(0, 40000, 30000), r.integers(-300, 300, 200)
    for label, i, j in (
        ("rows", rows, slice(None)),
        ("columns", slice(None), columns),
        ("both", rows, slice(20, 250, 3)),
        ("back", slice(None, None, -1), columns),
    ):
        got, want = a.get_items(given(report, i), given(report, j)), s[i][:, j]
        report.check(f"large {label}", np.array_equal(got.dense().numpy(), want.toarray()))
    c = a.sum_duplicates()
    got = c.elements(report.array(rows), report.array(r.integers(0, 300, 30000)))
    r = np.random.default_rng(4)
    rows, _ = r.integers(0, 40000, 30000), r.integers(-300, 300, 200)
    report.check("large elements", np.array_equal(got.numpy(), s.toarray()[rows, r.integers(0, 300, 30000)]))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([into, into_special, other_data, indexed, few_indices, single_elements, blocks, large]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
