#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Estimates of norms of linear operators, and their exponential times matrices, against SciPy's and dense ones."""

import ctypes
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "sparse")]
import numpy as np
import scipy.linalg
import scipy.sparse
from linops import Linop, sized

import oracle
from oracle import arrpy, raises

C = arrpy.c
TYPES = ("float32", "float64", "complex64", "complex128")


def matrix(n, d, seed, density=1.0):
    r = np.random.default_rng(seed)
    x = r.standard_normal((n, n)) + (1j * r.standard_normal((n, n)) if np.dtype(d).kind == "c" else 0)
    return (x * (r.random((n, n)) < density)).astype(d)


def called(a, device):
    """The operator of functions that multiply by a matrix."""
    keep = [arrpy.array(x, device=device) for x in (a, a.conj().T.copy())]

    def times(m):
        return lambda x: arrpy.made("arr_matmul", m.handle, x.handle, None)

    return Linop.function(a.shape, a.dtype, device, times(keep[0]), times(keep[1]))


def onenormest(a, t=2, itmax=5):
    est, v, w = ctypes.c_double(), C.arr_array(), C.arr_array()
    arrpy.call("arr_onenormest", a.handle, t, itmax, None, *(ctypes.byref(x) for x in (est, v, w)))
    return est.value, arrpy.Array(v).numpy(), arrpy.Array(w).numpy()


def norms(report):
    for d in TYPES:
        for n in (1, 2, 3, 20, 70):
            for t in (1, 2, 5, 80):
                label = f"onenormest {d} {n} {t}"
                if not report.wants(label):
                    continue
                dense = matrix(n, d, n)
                est, v, w = onenormest(Linop.of(dense, report.device), t)
                wide = dense.astype("c16")
                exact = np.linalg.norm(wide, 1)
                eps = 100 * np.finfo(d).eps
                report.check(f"{label} bound", 0.5 * exact <= est <= exact * (1 + eps), f"{est} {exact}")
                if t >= n:
                    report.check(f"{label} exact", abs(est - exact) <= eps * exact, f"{est} {exact}")
                close = abs(np.abs(v).sum() - 1) < eps and abs(np.abs(w).sum() - est) < eps * est
                report.check(f"{label} vectors", close and np.abs(wide @ v - w).max() < eps * exact)
                report.check(f"{label} types", v.dtype == w.dtype == np.dtype(d) and v.shape == w.shape == (n,))
                again = onenormest(Linop.of(dense, report.device), t)
                report.check(f"{label} again", est == again[0] and oracle.same(v, again[1]))
    # Nonnegative matrices have exact estimates in one step.
    a = np.abs(matrix(50, "float64", 4))
    est, _, _ = onenormest(called(a, report.device))
    report.check("onenormest nonnegative", np.isclose(est, np.linalg.norm(a, 1)), f"{est}")
    zero = onenormest(Linop.of(np.zeros((6, 6)), report.device))
    report.check("onenormest zero", zero[0] == 0 and not zero[2].any())
    report.check("onenormest nothing", onenormest(Linop.of(np.zeros((0, 0)), report.device))[0] == 0)
    half = Linop.function((3, 3), "float64", report.device, lambda x: x)
    report.check("onenormest adjoint", raises(C.ARR_E_UNSUPPORTED, lambda: onenormest(half)))
    wide = Linop.of(np.ones((2, 3)), report.device)
    report.check("onenormest square", raises(C.ARR_E_SHAPE, lambda: onenormest(wide)))
    square = Linop.of(np.ones((3, 3)), report.device)
    for t, itmax in ((0, 5), (2, 1)):
        report.check("onenormest numbers", raises(C.ARR_E_ARGUMENT, lambda: onenormest(square, t, itmax)))


def multiply(a, b, trace=None, **given):
    o = sized("arr_expm_options", **given)
    if trace is not None:
        o.trace_re = ctypes.pointer(ctypes.c_double(trace.real))
        o.trace_im = ctypes.pointer(ctypes.c_double(trace.imag))
    return arrpy.made("arr_expm_multiply", a.handle, b.handle, ctypes.byref(o) if given or trace else None, None)


def exponentials(report):
    operators = {
        "dense": Linop.of,
        "sparse": lambda a, device: Linop.of(scipy.sparse.csr_array(a), device),
        "function": called,
    }
    for d in TYPES if report.device == "host" else ("float32", "complex128"):
        for n, scale in ((1, 1), (5, 1e-12), (6, 3), (20, 1), (12, 0)):
            for kind, made in operators.items():
                for shape, other in (((n,), d), ((n, 3), "complex128"), ((n, 1), "int32")):
                    label = f"expm {d} {n} {scale} {kind} {len(shape)} {other}"
                    if not report.wants(label) or (kind != "dense" and other != "complex128"):
                        continue
                    a = (matrix(n, d, n, 0.4) * scale).astype(d)
                    b = (np.random.default_rng(7).standard_normal(shape) * 9).astype(other)
                    by, vb = made(a, report.device), report.array(b)
                    x = multiply(by, vb).numpy()
                    check(report, label, x, [b], a, [1.0], np.result_type(d, other if other != "int32" else "float64"))
                    trace = complex(np.trace(a.astype("c16"))) + 0.1
                    check(report, f"{label} trace", multiply(by, vb, trace).numpy(), [b], a, [1.0], x.dtype)
                    if shape == (n,):
                        continue
                    for start, stop, num, without in ((0, 1, 2, 0), (-0.25, 1, 5, 0), (0.5, 0.6, 20, 1), (1, 1, 3, 0)):
                        times = np.linspace(start, stop, num, endpoint=not without)
                        y = multiply(by, vb, start=start, stop=stop, num=num, exclude_stop=without).numpy()
                        check(report, f"{label} {num}", y, [b] * num, a, times, x.dtype, True)


def check(report, label, got, right, a, times, d, several=False):
    want = np.array([scipy.linalg.expm(t * a.astype("c16")) @ b for t, b in zip(times, right)])
    want = want if several else want[0]
    report.check(f"{label} type", got.dtype == d and got.shape == want.shape, f"{got.dtype} {got.shape}")
    small = got.dtype in (np.float32, np.complex64) or a.dtype in (np.float32, np.complex64)
    error = np.abs(got - want).max() / (1e-30 + np.abs(want).max())
    report.check(label, error <= (1e-3 if small else 1e-11), f"{error}")


def refusals(report):
    a, b = Linop.of(np.eye(3), report.device), report.array(np.ones(3))
    for name, given in (("num", {"num": 1}), ("negative", {"num": -2}), ("times", {"num": 2, "stop": np.inf}),
                        ("switch", {"num": 2, "exclude_stop": 3}), ("size", {"struct_size": 4})):  # fmt: skip
        report.check(f"expm {name}", raises(C.ARR_E_ARGUMENT, lambda: multiply(a, b, **given)))
    for x in (np.ones(4), np.ones((3, 1, 1))):
        report.check("expm shape", raises(C.ARR_E_SHAPE, lambda: multiply(a, report.array(x))))
    wide = Linop.of(np.ones((2, 3)), report.device)
    report.check("expm square", raises(C.ARR_E_SHAPE, lambda: multiply(wide, b)))
    nan = Linop.of(np.array([[np.nan]]), report.device)
    report.check("expm nan", raises(C.ARR_E_LINALG, lambda: multiply(nan, report.array(np.ones(1)))))
    if report.wants("expm huge"):
        huge = Linop.of(np.array([[1e300, 0], [0, -1e300]]), report.device)
        report.check("expm huge", raises(C.ARR_E_LINALG, lambda: multiply(huge, report.array(np.ones(2)))))
    nothing = multiply(Linop.of(np.zeros((0, 0)), report.device), report.array(np.zeros((0, 2))))
    report.check("expm nothing", nothing.numpy().shape == (0, 2))
    none = multiply(a, report.array(np.zeros((3, 0))), num=2, stop=1.0)
    report.check("expm no columns", none.numpy().shape == (2, 3, 0))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([norms, exponentials, refusals]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
