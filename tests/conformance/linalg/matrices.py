# SPDX-License-Identifier: MIT
"""Parts that the tests of linear algebra share: its functions on arrpy's arrays, matrices of several kinds, bounds."""

import ctypes
import itertools

import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
DTYPES = ["float32", "float64", "complex64", "complex128"]
SIZES = [1, 2, 5, 33, 70]
BATCHES = [(), (3,), (2, 2)]


def several(name, count, *arguments, left_out=()):
    """Calls a function whose last parameters are `count` new arrays, with NULL for those that are left out."""
    out = [C.arr_array() for _ in range(count)]
    arrpy.call(f"arr_{name}", *arguments, *(None if i in left_out else ctypes.byref(h) for i, h in enumerate(out)))
    return [arrpy.Array(h) for i, h in enumerate(out) if i not in left_out]


def subsets(items):
    """All subsets but the empty one."""
    return [c for n in range(1, len(items) + 1) for c in itertools.combinations(items, n)]


def solve(a, b, how=0):
    return arrpy.made("arr_solve", a.handle, b.handle, how, None)


def inv(a, how=0):
    return arrpy.made("arr_inv", a.handle, how, None)


def det(a):
    return arrpy.made("arr_det", a.handle, None)


def slogdet(a):
    return several("slogdet", 2, a.handle, None)


def cholesky(a, upper=0, how=0):
    return arrpy.made("arr_cholesky", a.handle, upper, how, None)


def qr(a, mode=0):
    return several("qr", 2, a.handle, mode, None)


def qr_r(a):
    out = C.arr_array()
    arrpy.call("arr_qr", a.handle, C.ARR_QR_R, None, None, ctypes.byref(out))
    return arrpy.Array(out)


def svd(a, full=1, how=0):
    return several("svd", 3, a.handle, full, how, None)


def svdvals(a, how=0):
    return arrpy.made("arr_svdvals", a.handle, how, None)


def eigh(a, lower=1, how=0):
    return several("eigh", 2, a.handle, lower, how, None)


def eigvalsh(a, lower=1, how=0):
    return arrpy.made("arr_eigvalsh", a.handle, lower, how, None)


def eig(a, how=0):
    return several("eig", 2, a.handle, how, None)


def eigvals(a, how=0):
    return arrpy.made("arr_eigvals", a.handle, how, None)


def lu(a):
    return several("lu", 3, a.handle, None)


def lu_factor(a):
    return several("lu_factor", 2, a.handle, None)


def ldl(a, lower=True):
    return several("ldl", 3, a.handle, lower, None)


def lu_solve(f, b, op=0):
    return arrpy.made("arr_lu_solve", f[0].handle, f[1].handle, b.handle, op, None)


def solve_triangular(a, b, lower=0, unit=0, op=0, how=0):
    flags = C.ARR_TRIANGULAR_LOWER * lower | C.ARR_TRIANGULAR_UNIT_DIAGONAL * unit
    return arrpy.made("arr_solve_triangular", a.handle, b.handle, flags, op, how, None)


def cho_solve(c, b, lower=False):
    return arrpy.made("arr_cho_solve", c.handle, b.handle, lower, None)


def lstsq(a, b, rcond=-1.0):
    return several("lstsq", 4, a.handle, b.handle, ctypes.c_double(rcond), None)


def pinv(a, rcond=-1.0):
    return arrpy.made("arr_pinv", a.handle, ctypes.c_double(rcond), None)


def pinv_with(a, rcond):
    return arrpy.made("arr_pinv_with", a.handle, rcond.handle, None)


def matrix_rank(a, tol=-1.0, rtol=-1.0):
    return arrpy.made("arr_matrix_rank", a.handle, ctypes.c_double(tol), ctypes.c_double(rtol), None)


def tensorsolve(a, b, axes=()):
    return arrpy.made("arr_tensorsolve", a.handle, b.handle, len(axes), arrpy.int32s(axes) if axes else None, None)


def tensorinv(a, ind=2):
    return arrpy.made("arr_tensorinv", a.handle, ind, None)


def expm(a):
    return arrpy.made("arr_expm", a.handle, None)


# ------------------------------------------------------------------------------------------ matrices


def random(shape, d, seed=0):
    r = np.random.default_rng(seed)
    x = r.normal(size=shape)
    if oracle.dtype(d).kind == "c":
        x = x + 1j * r.normal(size=shape)
    return x.astype(d)


def hermitian(shape, d, seed=0):
    x = random(shape, d, seed)
    return (x + np.conj(np.swapaxes(x, -1, -2))) / 2


def definite(shape, d, seed=0):
    x = random(shape, d, seed)
    return (x @ np.conj(np.swapaxes(x, -1, -2)) + 2 * np.eye(shape[-1])).astype(d)


def graded(n, d, condition, seed=0):
    """Singular values from 1 down to 1 / condition."""
    u, _, v = np.linalg.svd(random((n, n), "float64", seed))
    return (u * np.logspace(0, -np.log10(condition), n) @ v).astype(d)


def eps(d):
    return float(np.finfo(d).eps)


def wide(x):
    return np.asarray(x).astype("c16" if np.asarray(x).dtype.kind == "c" else "f8")


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def norm(x):
    """The largest Frobenius norm of a stack, 0 of nothing."""
    x = wide(x)
    return float(np.max(np.sqrt(np.sum(np.abs(x) ** 2, axis=(-2, -1))), initial=0))


def views(report, x):
    """The same matrices in every order of memory."""
    yield "C", report.array(x)
    swapped = (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)
    yield "F", report.array(np.ascontiguousarray(x.transpose(swapped))).transpose(*swapped)
    if report.device == "host" or x.shape[-1] == 5:
        big = np.zeros(tuple(2 * n for n in x.shape), x.dtype)
        big[tuple(slice(None, None, 2) for _ in x.shape)] = x
        yield "step", report.array(big)[tuple(slice(None, None, 2) for _ in x.shape)]
        yield "flipped", report.array(np.ascontiguousarray(x[..., ::-1, ::-1]))[..., ::-1, ::-1]


def cases(report):
    """Dtypes, sizes and batches of square matrices."""
    for d in DTYPES:
        for n in SIZES if report.device == "host" else (1, 5, 33):
            for batch in BATCHES if n == 5 else BATCHES[:2] if n < 33 else BATCHES[:1]:
                yield d, n, batch


def bounded(report, label, size, limit):
    report.check(label, bool(size <= limit), f"{size:.3g}, allowed {limit:.3g}")


def orthonormal(report, label, q, d):
    k = q.shape[-1]
    bounded(
        report,
        label + " orthonormal",
        norm(adjoint(wide(q)) @ wide(q) - np.eye(k)),
        10 * max(q.shape[-2:], default=1) * eps(d) + 0,
    )


def shape_and_type(report, label, got, shape, d):
    report.check(
        label + " result",
        got.shape == tuple(shape) and got.dtype == np.dtype(d),
        f"{got.dtype}{got.shape}, expected {d}{shape}",
    )


def failure(call):
    try:
        call()
    except arrpy.Error as e:
        return e.status, str(e)
    return C.ARR_OK, ""


def told(report, label, call, status, *words):
    """The call fails with this status, and its message has the words in one line."""
    got, message = failure(call)
    good = got == status and all(w in message for w in words) and "\n" not in message
    report.check(label, good, f"status {got}, {message}")
