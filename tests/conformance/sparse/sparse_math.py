#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Element-wise operations and reductions of sparse matrices against NumPy's of dense ones."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from sparse import matches, unchanged
from sparse_matrix import Sparse, cases, coordinates, numbers, unsorted_compressed

import oracle
from oracle import arrpy, raises

C = arrpy.c
UNARY = ("negative", "absolute", "square", "sqrt", "sign", "sin", "expm1", "rint", "conjugate", "isnan", "logical_not")
BINARY = ("add", "subtract", "multiply", "maximum", "minimum", "not_equal", "less", "logical_and", "bitwise_or")
DTYPES = ("bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64", "complex128")


def tried(report, d):
    """The matrices of a type: on CUDA, where each call compiles kernels, some of them."""
    few = ("coo", "csr", "csc", "no rows", "no columns", "stored zeros", "dense row")
    return ((name, m) for name, m in cases(d) if report.device == "host" or name in few)


def types(report):
    """Each type compiles kernels on CUDA, where some stand for the others."""
    return DTYPES if report.device == "host" else ("int32", "float32", "complex128")


def of_dense(report, name, *operands):
    """The library's own dense result, whose values other suites check; None if the op does not take the types."""
    try:
        return arrpy.ufunc(name, *(report.array(x) if isinstance(x, np.ndarray) else x for x in operands)).numpy()
    except arrpy.Error as e:
        return e.status


def unary(report):
    for d in types(report):
        for name, m in tried(report, d):
            for op in UNARY:
                label = f"unary {op} {name} {d}"
                if not report.wants(label):
                    continue
                a = Sparse.of(m, report.device)
                want = of_dense(report, op, m.dense())
                if op == "logical_not" and not isinstance(want, int):
                    want = C.ARR_E_UNSUPPORTED
                if isinstance(want, int):
                    report.check(label, raises(want, lambda: a.unary(op)))
                    continue
                # A sine may differ by its position in a vector, in the last bit.
                matches(
                    report,
                    label,
                    a.unary(op),
                    want,
                    False,
                    1e-3 if d == "float16" else 3e-7 if op in ("sin", "expm1") else 0,
                )
                report.check(f"{label} kept", unchanged(a, m))


def binary(report):
    for d in types(report):
        for name, m in tried(report, d):
            for other, form in enumerate(("csr", "csc", "coo", "same")):
                label = f"binary {name} {d} {form}"
                if not report.wants(label):
                    continue
                nnz = 2 * len(m.data) // 3 + 1
                n = coordinates(m.shape, nnz, d, 50 + other) if form == "coo" else None
                n = n or (m if form == "same" else unsorted_compressed(m.shape, nnz, d, 60 + other, form))
                a, b = Sparse.of(m, report.device), Sparse.of(n, report.device)
                for op in BINARY:
                    want = of_dense(report, op, m.dense(), n.dense())
                    if isinstance(want, int):
                        report.check(f"{label} {op}", raises(want, lambda: a.binary(op, b)))
                        continue
                    c = a.binary(op, b)
                    matches(report, f"{label} {op}", c, want)
                    report.check(f"{label} {op} nnz", c.info().nnz == np.count_nonzero(want))
                report.check(f"{label} kept", unchanged(a, m) and unchanged(b, n))
    a = Sparse.of(coordinates((3, 4), 5, "float64", 1), report.device)
    for op in ("equal", "less_equal", "divide", "power"):
        report.check(f"binary dense {op}", raises(C.ARR_E_UNSUPPORTED, lambda: a.binary(op, a)))
    b = Sparse.of(coordinates((4, 3), 5, "float64", 1), report.device)
    report.check("binary shapes", raises(C.ARR_E_SHAPE, lambda: a.binary("add", b)))
    report.check("binary arity", raises(C.ARR_E_ARGUMENT, lambda: a.binary("sin", a)))
    report.check(
        "binary number", raises(C.ARR_E_ARGUMENT, lambda: Sparse.made("arr_sparse_unary", 99999, a.handle, None))
    )


def special_products(report):
    """nan and inf times an element that is not stored is 0, as in SciPy."""
    x = np.array([[np.nan, np.inf, 0, 2.0], [0, -np.inf, 3, 0]])
    y = np.array([[0, 0, np.nan, 5.0], [1, 2, 0, 0]])
    a, b = (Sparse.from_dense(report.array(v)) for v in (x, y))
    matches(report, "product with nan", a.binary("multiply", b), np.where((x != 0) & (y != 0), x * y, 0))
    matches(report, "sum with nan", a.binary("add", b), x + y)
    matches(report, "times 2", a.scale("multiply", 2.0), 2 * x)
    matches(report, "times nan", a.scale("multiply", np.nan), np.where(x != 0, np.nan, 0))


def scale(report):
    for d in types(report):
        for name, m in tried(report, d):
            label = f"scale {name} {d}"
            if not report.wants(label):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            for op in ("multiply", "divide"):
                for what, x in (
                    ("scalar", 2),
                    ("float", 0.5),
                    ("row", numbers(m.shape[1], d, 3) + numbers((), d, 4)),
                    ("column", numbers((m.shape[0], 1), d, 5)),
                    ("matrix", numbers(m.shape, d, 6)),
                ):
                    if isinstance(x, np.ndarray) and op == "divide":
                        x = np.where(x == 0, np.ones((), x.dtype), x)
                    want = of_dense(report, op, dense, x)
                    given = report.array(x) if isinstance(x, np.ndarray) else x
                    if isinstance(want, int):
                        report.check(f"{label} {op} {what}", raises(want, lambda: a.scale(op, given)))
                        continue
                    got = a.scale(op, given).dense().numpy()
                    wide = "c16" if want.dtype.kind == "c" else "f8"
                    good = got.dtype == want.dtype and np.allclose(
                        got.astype(wide), want.astype(wide), 1e-2 if d == "float16" else 1e-6
                    )
                    report.check(f"{label} {op} {what}", good, f"{got}\n{want}")
            report.check(f"{label} kept", unchanged(a, m))
    a = Sparse.of(coordinates((3, 4), 5, "float64", 1), report.device)
    report.check("scale power", np.array_equal(a.scale("power", 2.0).dense().numpy(), a.dense().numpy() ** 2))
    report.check("scale add", raises(C.ARR_E_UNSUPPORTED, lambda: a.scale("add", 1.0)))
    report.check("scale by zero", raises(C.ARR_E_UNSUPPORTED, lambda: a.scale("divide", 0.0)))
    report.check("scale add array", raises(C.ARR_E_UNSUPPORTED, lambda: a.scale("add", report.array(np.zeros(4)))))
    report.check("scale shape", raises(C.ARR_E_SHAPE, lambda: a.scale("multiply", report.array(np.zeros(3)))))


REDUCTIONS = (
    "sum",
    "prod",
    "mean",
    "min",
    "max",
    "any",
    "all",
    "count_nonzero",
    "nansum",
    "nanmax",
    "sum_abs",
    "sum_squares",
    "max_abs",
    "min_abs",
)


def reductions(report):
    for d in types(report):
        for name, m in tried(report, d):
            a, dense = Sparse.of(m, report.device), report.array(m.dense())
            for reduction in REDUCTIONS:
                label = f"reduce {reduction} {name} {d}"
                if not report.wants(label):
                    continue
                for axis in (None, 0, 1, -1):
                    n, axes = arrpy.axes_of(axis)
                    number = getattr(C, "ARR_REDUCTION_" + reduction.upper())
                    got, want = (
                        outcome(lambda: a.reduce(reduction, axis)),
                        outcome(lambda: arrpy.made("arr_reduce", number, dense.handle, n, axes, 0, None, None)),
                    )
                    report.check(f"{label} {axis}", agree(got, want, d), f"{got}\n{want}")
            report.check(f"reduce {name} {d} kept", unchanged(a, m))
    x = np.array([[np.nan, 0, 1], [0, 0, 0], [1, 2, 3], [-1, -2, -3.0]])
    a = Sparse.from_dense(report.array(x))
    for reduction in ("sum", "prod", "min", "max", "nanmin", "nanmax", "any", "all"):
        got, want = a.reduce(reduction, 1).numpy(), arrpy.reduce(reduction, report.array(x), 1).numpy()
        report.check(f"reduce special {reduction}", oracle.same(got + 0, want + 0), f"{got} {want}")
    got = Sparse.of(coordinates((9, 9), 40, "int8", 1), report.device).reduce("sum", 0, "float32").numpy()
    report.check("reduce dtype", got.dtype == np.float32)
    report.check("reduce var", raises(C.ARR_E_UNSUPPORTED, lambda: a.reduce("var")))
    try:
        a.reduce("any", 0, "int8")
    except arrpy.Error as e:
        report.check("reduce any of int8", "argument dtype: any does not take a dtype" in str(e), str(e))
    report.check("reduce axis", raises(C.ARR_E_SHAPE, lambda: a.reduce("sum", 2)))


KINDS = {None: C.ARR_NORM_DEFAULT, "fro": C.ARR_NORM_FRO, "nuc": C.ARR_NORM_NUC}
ORDERS = {None: (None, "fro", 1, -1, np.inf, -np.inf), 0: (None, 0, 1, 2, 3, 0.5, np.inf, -np.inf)}


def norm(a, order, axis):
    kind = KINDS.get(order, C.ARR_NORM_P)
    power = 0 if order in KINDS else order
    axis = C.ARR_AXIS_NONE if axis is None else axis
    return arrpy.made("arr_sparse_norm", a.handle, kind, power, axis, None)


def norms(report):
    """Against NumPy's norms of the dense matrix in a wider type."""
    for d in types(report) if report.device == "host" else ("int8", "complex64"):
        for name, m in tried(report, d):
            if not report.wants(f"norm {name} {d}"):
                continue
            a, dense = Sparse.of(m, report.device), m.dense()
            dense = dense.astype("c16" if d.startswith("complex") else "f8")
            real = np.zeros(1, oracle.dtype(d)).real.dtype if d.startswith(("float", "complex", "bfloat")) else "f8"
            for axis in (None, 0, 1, -1):
                for order in ORDERS[axis if axis is None else 0]:
                    label = f"norm {name} {d} {order} {axis}"
                    got = outcome(lambda: norm(a, order, axis))
                    if order == -np.inf and axis is not None and dense.shape[axis] == 0:
                        report.check(label, got == C.ARR_E_SHAPE)
                        continue
                    try:
                        want = np.linalg.norm(dense, order, axis)
                    except ValueError:  # the extremes of nothing
                        report.check(label, got == C.ARR_E_SHAPE or not np.any(got), f"{got}")
                        continue
                    if isinstance(got, int):
                        report.check(label, False, f"status {got}")
                        continue
                    good = got.shape == np.shape(want) and (order == 0 or got.dtype == real)
                    loose = 2e-2 if d in ("float16", "bfloat16") else 1e-5
                    good = good and np.allclose(got.astype("f8"), want, loose, equal_nan=True)
                    report.check(label, good, f"{got}\n{want}")
    norm_limits(report)


def norm_limits(report):
    """Magnitudes whose squares are out of range, nan, inf, and refusals."""
    x = np.array([[3e200, 4e200, 0], [3e-200, 0, 4e-200], [0, 0, 0], [1, np.nan, 0], [np.inf, 1, 0]])
    a = Sparse.from_dense(report.array(x))
    want = np.array([5e200, 5e-200, 0, np.nan, np.inf])
    got = norm(a, None, 1).numpy()
    report.check(
        "norm of large and small rows", np.allclose(got / want, [1, 1, np.nan, np.nan, np.nan], equal_nan=True)
    )
    report.check("norm of rows of 0, nan and inf", got[2] == 0 and np.isnan(got[3]) and got[4] == np.inf, f"{got}")
    b = Sparse.from_dense(report.array(x[:1]))
    report.check("norm of large numbers", np.isclose(norm(b, None, None).numpy(), 5e200))
    for order, axis, status in (
        ("nuc", None, C.ARR_E_UNSUPPORTED),
        (2, None, C.ARR_E_UNSUPPORTED),
        (3, None, C.ARR_E_ARGUMENT),
        ("fro", 1, C.ARR_E_ARGUMENT),
        (-1, 0, C.ARR_E_ARGUMENT),
        (np.nan, 0, C.ARR_E_ARGUMENT),
        (1, 2, C.ARR_E_SHAPE),
    ):
        report.check(f"norm refused {order} {axis}", raises(status, lambda: norm(a, order, axis)))


def outcome(call):
    try:
        return call().numpy()
    except arrpy.Error as e:
        return e.status


def agree(got, want, d):
    if isinstance(got, int) or isinstance(want, int):
        return isinstance(got, int) and isinstance(want, int) and got == want
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    wide = "c16" if want.dtype.kind == "c" else "f8"
    return np.allclose(got.astype(wide), want.astype(wide), 2e-3 if d == "float16" else 1e-6, equal_nan=True)


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([unary, binary, special_products, scale, reductions, norms]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
