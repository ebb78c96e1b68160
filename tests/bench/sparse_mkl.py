#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times products and sums of sparse matrices beside MKL's inspector-executor functions, called by ctypes.

MKL is not needed for anything else. `pip install mkl intel-openmp` in a virtual environment brings
lib/libmkl_rt.so.2 or a later one; --mkl is its path, and otherwise it is looked for beside this Python. Without it
the program says so and ends with status 77. Both sides run in turns with as many threads; each makes new results,
except that MKL's products with arrays are written into old ones. The least time of the rounds counts. Prints a
list of {case, ours_ns, mkl_ns, ratio}.
"""

import argparse
import ctypes
import gc
import json
import os
import pathlib
import sys

import numpy as np
import scipy.sparse
import sparse as bench

GENERAL, ORDINARY, BY_ROWS = 20, 10, 101  # SPARSE_MATRIX_TYPE_, SPARSE_OPERATION_, SPARSE_LAYOUT_


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=str(bench.ROOT / "build"))
    parser.add_argument("--mkl", help="path of libmkl_rt.so")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="")
    parser.add_argument("--smoke", action="store_true", help="small matrices, one round")
    return parser.parse_args()


def library(path):
    """MKL, or None. Its OpenMP threads must not spin while the other side computes."""
    os.environ.setdefault("KMP_BLOCKTIME", "0")
    for found in [path] if path else sorted(pathlib.Path(sys.prefix, "lib").glob("libmkl_rt.so*")):
        if (threads := pathlib.Path(found).parent / "libiomp5.so").exists():
            ctypes.CDLL(str(threads), ctypes.RTLD_GLOBAL)
        return ctypes.CDLL(str(found), ctypes.RTLD_GLOBAL)
    return None


class Descr(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diag", ctypes.c_int)]


def address(x):
    return ctypes.c_void_p(x.ctypes.data)


class Matrix:
    """A float64 matrix in csr of MKL's."""

    mkl = None

    @classmethod
    def call(cls, name, *arguments):
        status = getattr(cls.mkl, name)(*arguments)
        if status != 0:
            sys.exit(f"{name}: status {status}")

    def __init__(self, of=None):
        self.handle = ctypes.c_void_p()
        self.of = of  # keeps the arrays
        if of is None:
            return
        starts, ends = address(of.indptr), ctypes.c_void_p(of.indptr.ctypes.data + of.indptr.itemsize)
        self.call(
            "mkl_sparse_d_create_csr",
            ctypes.byref(self.handle),
            0,
            *of.shape,
            starts,
            ends,
            address(of.indices),
            address(of.data),
        )
        self.call("mkl_sparse_set_mv_hint", self.handle, ORDINARY, Descr(GENERAL, 0, 0), 1000)
        self.call("mkl_sparse_optimize", self.handle)

    def __del__(self):
        self.mkl.mkl_sparse_destroy(self.handle)

    def matvec(self, x, y):
        one, zero = ctypes.c_double(1), ctypes.c_double(0)
        self.call("mkl_sparse_d_mv", ORDINARY, one, self.handle, Descr(GENERAL, 0, 0), address(x), zero, address(y))
        return y

    def matmat(self, x, y):
        one, zero, k = ctypes.c_double(1), ctypes.c_double(0), x.shape[1]
        self.call(
            "mkl_sparse_d_mm",
            *(ORDINARY, one, self.handle, Descr(GENERAL, 0, 0), BY_ROWS, address(x), k, k, zero, address(y), k),
        )
        return y

    def product(self, other):
        out = Matrix()
        self.call("mkl_sparse_spmm", ORDINARY, self.handle, other.handle, ctypes.byref(out.handle))
        return out

    def plus(self, other):
        out = Matrix()
        one = ctypes.c_double(1)
        self.call("mkl_sparse_d_add", ORDINARY, self.handle, one, other.handle, ctypes.byref(out.handle))
        return out

    def times(self, x):
        return self.matvec(x, np.empty(x.shape[0]))


def cases(smoke):
    """name, function of MKL, function of the library; both of float64 and int32."""
    from sparse_matrix import Parts, Sparse, arrpy

    def ours(m):
        return Sparse.of(Parts("csr", m.shape, m.data, m.indices, m.indptr), "host")

    n = 30 if smoke else 1000
    A = bench.laplacian(n)
    D = scipy.sparse.csr_array(A + scipy.sparse.eye_array(n * n, k=3))
    R = bench.scattered(1000 if smoke else 100_000, 10).tocsr()
    for m in (A, D, R):
        m.indices, m.indptr = m.indices.astype("i4"), m.indptr.astype("i4")
    (a, d, r), (f, g, h) = map(ours, (A, D, R)), map(Matrix, (A, D, R))
    x, X = np.random.default_rng(2).random(n * n), np.random.default_rng(3).random((n * n, 32))
    y, Y = np.empty_like(x), np.empty_like(X)
    vx, vX = arrpy.array(x), arrpy.array(X)
    yield "A x", lambda: f.matvec(x, y), lambda: a @ vx
    yield "A times 32 columns", lambda: f.matmat(X, Y), lambda: a @ vX
    yield "A A", lambda: f.product(f), lambda: a @ a
    yield "R R, 10 per row", lambda: h.product(h), lambda: r @ r
    yield "A + A", lambda: f.plus(f), lambda: a.binary("add", a)
    yield "A + D, other elements", lambda: f.plus(g), lambda: a.binary("add", d)


def agree(theirs, ours):
    """The same array, or matrices of as many rows with the same product with a vector."""
    from sparse_matrix import arrpy

    if not isinstance(theirs, Matrix):
        return np.allclose(theirs, ours.numpy())
    x = np.random.default_rng(4).random(ours.info().rows)
    return np.allclose(theirs.times(x), (ours @ arrpy.array(x)).numpy())


def main():
    options = arguments()
    Matrix.mkl = library(options.mkl)
    if Matrix.mkl is None:
        print("skipped: no libmkl_rt.so, which `pip install mkl` brings", file=sys.stderr)
        return 77
    os.environ["ARR_LIBRARY"] = str(pathlib.Path(options.build) / "lib" / "libarr.so.0")
    suites = bench.ROOT / "tests" / "conformance"
    sys.path[:0] = [str(suites), str(suites / "sparse")]
    found = []
    for name, theirs, ours in cases(options.smoke):
        if options.only not in name:
            continue
        if not agree(theirs(), ours()):
            sys.exit(f"{name}: the results differ")
        times = [float("inf"), float("inf")]
        for _ in range(1 if options.smoke else options.rounds):
            for side, call in enumerate((ours, theirs)):
                gc.collect()
                times[side] = min(times[side], bench.least(call, 1, 0.001 if options.smoke else 0.05))
        ratio = times[1] / times[0]
        found.append({"case": name, "ours_ns": round(times[0]), "mkl_ns": round(times[1]), "ratio": round(ratio, 2)})
        print(f"{name:26} {times[0] / 1e6:10.3f} ms  MKL {times[1] / 1e6:10.3f} ms  {ratio:6.2f}", file=sys.stderr)
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
