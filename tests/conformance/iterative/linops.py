# SPDX-License-Identifier: MIT
"""A thin class over the linear operators of iterative.h, and its solvers, for the suites of the family."""

import ctypes

import numpy as np
import scipy.sparse
from sparse_matrix import Sparse

from oracle import arrpy

C = arrpy.c
MODES = {"plain": C.ARR_MATRIX_PLAIN, "transpose": C.ARR_MATRIX_TRANSPOSED, "adjoint": C.ARR_MATRIX_ADJOINT}
_TYPES = arrpy.lib.arr_linop_from_function.argtypes
FUNCTION, DROP = _TYPES[4], _TYPES[6]
CALLBACK = dict(C.arr_solve_options._fields_)["callback"]


def sparse(m, device):
    """The matrix of SciPy's."""
    m = m.tocsr()
    parts = [arrpy.array(x, device=device) for x in (m.data, m.indices.astype("i4"), m.indptr.astype("i4"))]
    return Sparse.made("arr_sparse_csr", *m.shape, *(p.handle for p in parts), None)


class Linop:
    def __init__(self, handle, keep=None):
        self.handle, self.keep = handle, keep

    def __del__(self):
        arrpy.lib.arr_linop_release(self.handle)

    @classmethod
    def made(cls, function, *arguments, keep=None):
        """The operator of a function; operands may be objects with a handle, which are kept."""
        out = C.arr_linop()
        arrpy.call(f"arr_linop_{function}", *(getattr(x, "handle", x) for x in arguments), ctypes.byref(out))
        return cls(out, (arguments, keep))

    @classmethod
    def of(cls, m, device):
        if scipy.sparse.issparse(m):
            return cls.made("from_sparse", sparse(m, device))
        return cls.made("from_dense", arrpy.array(np.asarray(m), device=device))

    @classmethod
    def function(cls, shape, dtype, device, matvec, rmatvec=None, log=None):
        """matvec, rmatvec: array -> array, or a status."""

        def called(f):
            def call(ctx, x, stream, out):
                y = f(Borrowed(x))
                if isinstance(y, int):
                    return y
                keep = C.arr_array()
                arrpy.call("arr_retain", y.handle, ctypes.byref(keep))
                out[0] = keep
                return 0

            return FUNCTION(call)

        forward, backward = called(matvec), called(rmatvec) if rmatvec else None
        drop = DROP(lambda ctx: log.append("dropped")) if log is not None else None
        functions = forward, backward or FUNCTION(), drop or DROP()
        return cls.made(
            "from_function", *shape, arrpy.number(dtype), arrpy.device_of(device), *functions, None, keep=functions
        )

    def info(self):
        p = C.arr_linop_properties(ctypes.sizeof(C.arr_linop_properties))
        arrpy.call("arr_linop_info", self.handle, ctypes.byref(p))
        return p

    def apply(self, x, mode="plain"):
        return arrpy.made("arr_linop_apply", self.handle, x.handle, MODES[mode], None)

    def scaled(self, alpha):
        value = arrpy.value(alpha)
        return Linop.made("scaled", self, ctypes.byref(value))


class Borrowed(arrpy.Array):
    """The array of a handle that the library lends."""

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        pass


def options(x0=None, m=None, callback=None, **given):
    o = C.arr_solve_options(struct_size=ctypes.sizeof(C.arr_solve_options), **given)
    if x0 is not None:
        o.x0 = x0.handle
    if m is not None:
        o.m = m.handle
    if callback is not None:
        o.callback = CALLBACK(lambda ctx, i, residual: callback(i, residual))
    return o


def solve(name, a, b, **given):
    """x, and what the solver reports."""
    o, out = options(**given), C.arr_array()
    info = C.arr_solve_info(ctypes.sizeof(C.arr_solve_info))
    arrpy.call(f"arr_solve_{name}", a.handle, b.handle, ctypes.byref(o), None, ctypes.byref(out), ctypes.byref(info))
    return arrpy.Array(out), info


def sized(kind, **given):
    """A struct of the C API; arrays and operators among its fields stand for their handles."""
    o = getattr(C, kind)(struct_size=ctypes.sizeof(getattr(C, kind)))
    for name, x in given.items():
        if x is not None:
            setattr(o, name, getattr(x, "handle", x))
    return o


def results(function, *arguments, count, info=None):
    """The arrays that a function writes to its last handles, before `info`."""
    out = [C.arr_array() for _ in range(count)]
    more = [] if info is None else [ctypes.byref(info)]
    given = [getattr(x, "handle", x) for x in arguments]
    arrpy.call(function, *given, None, *(ctypes.byref(x) for x in out), *more)
    return [arrpy.Array(x) for x in out]


def least_squares(name, a, b, callback=None, var=False, **given):
    """x, the report, and the variances of lsqr."""
    o = sized("arr_lsqr_options", **given)
    if callback is not None:
        o.callback = CALLBACK(lambda ctx, i, residual: callback(i, residual))
    info = sized("arr_lsqr_info")
    out, more = C.arr_array(), C.arr_array()
    between = [ctypes.byref(more) if var else None] if name == "lsqr" else []
    arrpy.call(
        f"arr_solve_{name}", a.handle, b.handle, ctypes.byref(o), None, ctypes.byref(out), *between, ctypes.byref(info)
    )
    return arrpy.Array(out), info, arrpy.Array(more) if var else None


def eigsh(a, k, which="LM", **given):
    o = sized("arr_eigsh_options", **given)
    return results("arr_eigsh", a, k, getattr(C, f"ARR_EIGEN_{which}"), ctypes.byref(o), count=2)


def svds(a, k, which="LM", **given):
    o = sized("arr_eigsh_options", **given)
    return results("arr_svds", a, k, getattr(C, f"ARR_EIGEN_{which}"), ctypes.byref(o), count=3)


def lobpcg(a, x, **given):
    o, iterations = sized("arr_lobpcg_options", **given), ctypes.c_int64()
    w, v = results("arr_lobpcg", a, x, ctypes.byref(o), count=2, info=iterations)
    return w, v, iterations.value


def eigs(a, k, which="LM", **given):
    o = sized("arr_eigsh_options", **given)
    return results("arr_eigs", a, k, getattr(C, f"ARR_EIGEN_{which}"), ctypes.byref(o), count=2)
