#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products of sparse matrices into existing arrays, and other data of the same elements."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from sparse import dense_product, unchanged
from sparse_matrix import FORMATS, Sparse, cases, coordinates, numbers, unsorted_compressed

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


def indices_of(*given):
    """The indices of an index expression as a C array; the arrays stay referenced by it."""
    out = (C.arr_index * len(given))()
    out.keep = given
    for index, g in zip(out, given):
        index.step = 1
        if isinstance(g, slice):
            index.kind, index.step = C.ARR_INDEX_SLICE, 1 if g.step is None else g.step
            low, high = -(2**63), 2**63 - 1
            index.start = g.start if g.start is not None else high if index.step < 0 else low
            index.stop = g.stop if g.stop is not None else low if index.step < 0 else high
        elif hasattr(g, "handle"):
            index.kind, index.array = C.ARR_INDEX_ARRAY, g.handle
        elif g is Ellipsis:
            index.kind = C.ARR_INDEX_ELLIPSIS
        else:
            index.kind, index.start = C.ARR_INDEX_INTEGER, g
    return out


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


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([into, into_special, other_data]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
