#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Linear operators and their combinations against NumPy's products of dense matrices."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.sparse
from linops import C, Linop
from sparse_matrix import Sparse, coordinates

from oracle import arrpy, raises

TURNED = {"plain": lambda a: a, "transpose": lambda a: a.T, "adjoint": lambda a: a.conj().T}


def types(report):
    """Each type compiles kernels on CUDA, where some stand for the others."""
    return ("int64", "float32", "float64", "complex128") if report.device == "host" else ("float32", "complex128")


def matrix(shape, d, seed):
    """Small integers, whose products are exact."""
    r = np.random.default_rng(seed)
    a = r.integers(-2, 3, shape) * r.integers(0, 2, shape)
    return (a + 1j * r.integers(-2, 3, shape)).astype(d) if d.startswith("complex") else a.astype(d)


def check(report, label, a, want):
    """All products of an operator, with vectors and with matrices."""
    p = a.info()
    report.check(f"{label} info", (p.rows, p.columns) == want.shape and p.dtype == arrpy.number(want.dtype))
    for mode, turn in TURNED.items():
        by = turn(want)
        for shape in ((by.shape[1],), (by.shape[1], 3)):
            x = matrix(shape, want.dtype.name, 9)
            y = a.apply(report.array(x), mode).numpy()
            report.check(f"{label} {mode} {len(shape)}", y.dtype == want.dtype and np.array_equal(y, by @ x), y)


def made(report):
    for d in types(report):
        for shape in ((4, 4), (5, 3), (3, 0), (0, 2)):
            m = matrix(shape, d, 1)
            label = f"{d} {shape}"
            if not report.wants(label):
                continue
            check(report, f"dense {label}", Linop.of(m, report.device), m)
            check(report, f"sparse {label}", Linop.of(scipy.sparse.csr_array(m), report.device), m)
        v = report.array(matrix((4,), d, 2))
        check(report, f"diagonal {d}", Linop.made("diagonal", v), np.diag(matrix((4,), d, 2)))
        eye = Linop.made("identity", 4, arrpy.number(d), arrpy.device_of(report.device))
        check(report, f"identity {d}", eye, np.eye(4, dtype=d))
        x = report.array(matrix((4,), d, 3))
        y = eye.apply(x)
        arrpy.apply("add", y, 1, out=y)
        report.check(f"identity {d} copies", np.array_equal(x.numpy(), matrix((4,), d, 3)))


def combined(report):
    for d in types(report):
        m, n, s = matrix((4, 3), d, 1), matrix((4, 3), d, 2), matrix((3, 3), d, 3)
        a, b, square = (
            Linop.of(m, report.device),
            Linop.of(scipy.sparse.csr_array(n), report.device),
            Linop.of(s, report.device),
        )
        check(report, f"sum {d}", Linop.made("sum", a, b), m + n)
        check(report, f"product {d}", Linop.made("product", a, square), m @ s)
        check(report, f"transpose {d}", Linop.made("transpose", b), n.T)
        check(report, f"adjoint {d}", Linop.made("adjoint", a), m.conj().T)
        twice = Linop.made("adjoint", Linop.made("adjoint", a))
        check(report, f"adjoint twice {d}", twice, m)
        turned = Linop.made("transpose", Linop.made("adjoint", a))
        check(report, f"conjugate {d}", turned, m.conj())
        check(report, f"scaled {d}", a.scaled(-3), -3 * m)
        if d.startswith("complex"):
            check(report, f"scaled by 2i {d}", a.scaled(2j), 2j * m)
        for p in (0, 1, 3):
            check(report, f"power {p} {d}", Linop.made("power", square, p), np.linalg.matrix_power(s, p))


def functions(report):
    for d in types(report):
        m, log, widths = matrix((4, 3), d, 1), [], set()
        dense = report.array(m)
        other = report.array(m.conj().T.copy())

        def forward(x):
            widths.add(x.ndim)
            return arrpy.matmul(dense, x)

        def backward(x):
            return arrpy.matmul(other, x)

        a = Linop.function((4, 3), d, report.device, forward, backward, log)
        check(report, f"function {d}", a, m)
        report.check(f"function {d} vectors and matrices", widths == {1, 2})
        report.check(f"function {d} info", a.info().adjoint == 1)
        again = Linop.made("retain", a)
        total = Linop.made("sum", a, a)
        del a
        check(report, f"function {d} sum", total, m + m)
        report.check(f"function {d} kept", log == [])
        del again, total
        report.check(f"function {d} dropped", log == ["dropped"])
        alone = Linop.function((4, 3), d, report.device, forward)
        report.check(f"function {d} no adjoint", alone.info().adjoint == 0)
        x = report.array(matrix((4,), d, 2))
        report.check(f"function {d} refused", raises(C.ARR_E_UNSUPPORTED, lambda: alone.apply(x, "adjoint")))
        report.check(f"function {d} turned", raises(C.ARR_E_UNSUPPORTED, lambda: Linop.made("transpose", alone)))


def answers(report):
    """Results of functions are checked, and copied if others have them."""
    x = report.array(np.arange(3.0))

    def fails(label, status, text, matvec):
        try:
            Linop.function((3, 3), "float64", report.device, matvec).apply(x)
            report.check(f"function {label}", False, "nothing was refused")
        except arrpy.Error as e:
            report.check(f"function {label}", e.status == status and text in str(e), str(e))

    fails("status", C.ARR_E_IO, "the function matvec of the operator failed", lambda v: C.ARR_E_IO)
    fails("nothing", C.ARR_E_HANDLE, "matvec of the operator returned no live array handle", lambda v: 0)
    fails("shape", C.ARR_E_SHAPE, "returned shape (2,), expected (3,)", lambda v: report.array(np.zeros(2)))
    fails("dtype", C.ARR_E_DTYPE, "returned complex128, expected float64", lambda v: report.array(np.zeros(3) + 1j))
    kept = report.array(np.ones(3))
    a = Linop.function((3, 3), "float64", report.device, lambda v: kept)
    y = a.apply(x)
    arrpy.apply("add", kept, 1, out=kept)
    report.check("function result kept", np.array_equal(y.numpy(), np.ones(3)))
    a = Linop.function((3, 3), "float64", report.device, lambda v: v)
    y = a.apply(x)
    arrpy.apply("add", x, 1, out=x)
    report.check("function operand returned", np.array_equal(y.numpy(), np.arange(3.0)))
    a = Linop.function((3, 3), "float64", report.device, lambda v: report.array(np.array([1, 2, 3])))
    report.check("function integers", np.array_equal(a.apply(x).numpy(), [1.0, 2, 3]))


def jacobi(report):
    for d in types(report):
        m = matrix((5, 5), d, 4)
        m[0, 0], m[1, 1] = 4, 0
        a = Sparse.of(coordinates((5, 5), 12, d, 5), report.device)
        for label, matrix_of, dense in (
            ("csr", Sparse.from_dense(report.array(m)), m),
            ("duplicates", a, a.dense().numpy()),
        ):
            diagonal = np.diagonal(dense).astype(np.result_type(d, "float32" if d == "float32" else "float64"))
            want = 1 / np.where(diagonal == 0, 1, diagonal)
            x = np.ones(5, want.dtype)
            y = Linop.made("jacobi", matrix_of, None).apply(report.array(x)).numpy()
            report.check(f"jacobi {label} {d}", y.dtype == want.dtype and np.allclose(y, want, rtol=1e-6), y)


def refused(report):
    def fails(label, text, call):
        try:
            call()
            report.check(f"refused {label}", False, "nothing was refused")
        except arrpy.Error as e:
            report.check(f"refused {label}", text in str(e), str(e))

    device = arrpy.device_of(report.device)
    a, b = Linop.of(np.zeros((3, 4)), report.device), Linop.of(np.zeros((3, 3)), report.device)
    v, flat = report.array(np.zeros(3)), report.array(np.zeros((2, 2)))
    fails("dense", "argument a: shape (3,), expected two dimensions", lambda: Linop.made("from_dense", v))
    fails("diagonal", "argument d: shape (2,2), expected one dimension", lambda: Linop.made("diagonal", flat))
    fails("x", "argument x: shape (3,), expected (4) or (4,k)", lambda: a.apply(v))
    fails("op", "argument op: 7", lambda: arrpy.made("arr_linop_apply", a.handle, v.handle, 7, None))
    fails("sum", "argument b: shape (3,3), expected that of a, (3,4)", lambda: Linop.made("sum", a, b))
    fails("product", "argument b: 3 rows, expected the number of columns of a, 4", lambda: Linop.made("product", a, b))
    fails("power", "argument p: -1 is negative", lambda: Linop.made("power", b, -1))
    fails("square", "argument a: shape (3,4), expected a square operator", lambda: Linop.made("power", a, 2))
    fails("alpha", "argument alpha: an array", lambda: a.scaled(v))
    fails("n", "argument n: -1 is negative", lambda: Linop.made("identity", -1, arrpy.number("float64"), device))
    fails(
        "matvec",
        "argument matvec: NULL",
        lambda: Linop.made("from_function", 3, 3, arrpy.number("float64"), device, _none(0), _none(0), _none(2), None),
    )
    fails("rows", "argument rows: -1 is negative", lambda: Linop.function((-1, 3), "float64", report.device, abs))
    tall = Sparse.from_dense(report.array(np.zeros((3, 4))))
    fails("jacobi", "argument a: shape (3,4), expected a square operator", lambda: Linop.made("jacobi", tall, None))
    p = C.arr_linop_properties(1)
    fails("struct_size", "struct_size is 1", lambda: arrpy.call("arr_linop_info", a.handle, ctypes.byref(p)))


def _none(kind):
    return arrpy.lib.arr_linop_from_function.argtypes[4 + kind]()


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([made, combined, functions, answers, jacobi, refused]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
