#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times sparse matrices beside SciPy's: products, conversions, sums, reductions, solvers, by a list of cases.

Both sides run in turns, called from Python; each makes new results. The least time of the rounds counts. --json writes a
list of {case, ours_ns, scipy_ns, ratio}. --smoke takes small matrices and one round: does it run and agree?
--curves takes random matrices of 10 to 10^6 rows and 1 to 100 elements per row instead; its list has rows and
per_row too.
"""

import argparse
import gc
import itertools
import json
import os
import pathlib
import sys
import time

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="")
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--curves", action="store_true")
    return parser.parse_args()


def laplacian(n):
    """The five-point Laplacian of an n x n grid."""
    one = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=(-1, 0, 1), shape=(n, n))
    eye = scipy.sparse.eye_array(n)
    return scipy.sparse.csr_array(scipy.sparse.kron(one, eye) + scipy.sparse.kron(eye, one))


def scattered(rows, per_row, seed=1):
    r = np.random.default_rng(seed)
    at = r.integers(0, rows, (2, rows * per_row)).astype("i4")
    return scipy.sparse.coo_array((r.random(rows * per_row), (at[0], at[1])), shape=(rows, rows))


def solves(smoke, A, x):
    """The same for linear equations."""
    from sparse_matrix import Parts, Sparse, arrpy

    def ours(m):
        return Sparse.of(Parts(m.format, m.shape, m.data, m.indices, m.indptr), "host")

    vx = arrpy.array(x)
    L = scipy.sparse.csr_array(scipy.sparse.tril(A))
    low = ours(L)
    solve = "arr_sparse_solve_triangular"
    yield (
        "triangular solve",
        lambda: scipy.sparse.linalg.spsolve_triangular(L, x),
        lambda: arrpy.made(solve, low.handle, vx.handle, arrpy.c.ARR_TRIANGULAR_LOWER, 0, None),
    )
    yield from cholesky(smoke, ours)
    F = laplacian(30 if smoke else 300).tocsc()
    f, w = ours(F), np.random.default_rng(7).random(F.shape[0])
    vw = arrpy.array(w)
    try:
        arrpy.made("arr_sparse_solve", f.handle, vw.handle, None)
    except arrpy.Error as e:
        print(f"spsolve left out: {e}", file=sys.stderr)
    else:
        yield (
            "spsolve",
            lambda: scipy.sparse.linalg.spsolve(F, w, use_umfpack=False),
            lambda: arrpy.made("arr_sparse_solve", f.handle, vw.handle, None),
        )


def cholesky(smoke, ours):
    """Factors of positive definite matrices beside SuperLU's with its order for symmetric patterns; solutions."""
    from sparse_factor import Factor, arrpy

    n = 6 if smoke else 25
    line = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=(-1, 0, 1), shape=(n, n))
    grids = {"2-D": laplacian(30 if smoke else 300), "3-D": scipy.sparse.kronsum(laplacian(n), line)}
    for name, m in grids.items():
        F = scipy.sparse.csc_array(m)
        f, w = ours(F), np.random.default_rng(7).random(F.shape[0])
        vw = arrpy.array(w)

        def factor(f=f):
            return Factor("arr_sparse_cholesky", f, False, arrpy.c.ARR_FILL_AMD, None)

        def theirs(F=F):
            return scipy.sparse.linalg.splu(F, permc_spec="MMD_AT_PLUS_A")

        yield f"factors {name}, solution", lambda w=w, t=theirs: t().solve(w), lambda v=vw, o=factor: o().solve(v)
        known, lu = factor(), theirs()
        yield f"solution {name}", lambda lu=lu, w=w: lu.solve(w), lambda f=known, v=vw: f.solve(v)


def from_dense(smoke):
    """The same of the elements of an array that are not 0."""
    from sparse_matrix import Sparse, arrpy

    m = 4000 // (20 if smoke else 1)
    dense = np.where(np.random.default_rng(5).random((m, m)) < 0.05, 1.5, 0.0)
    v = arrpy.array(dense)
    return "dense to csr", lambda: scipy.sparse.csr_array(dense), lambda: Sparse.from_dense(v)


def cases(smoke):
    """name, function of SciPy, function of the library"""
    from sparse_matrix import Parts, Sparse, arrpy

    def ours(m):
        a = (m.data, m.coords[0], m.coords[1]) if m.format == "coo" else (m.data, m.indices, m.indptr)
        return Sparse.of(Parts(m.format, m.shape, *a), "host")

    n, scale = (30, 100) if smoke else (1000, 1)
    A = laplacian(n)
    a = ours(A)
    x = np.random.default_rng(2).random(n * n)
    X = np.random.default_rng(3).random((n * n, 32))
    vx, vX = arrpy.array(x), arrpy.array(X)
    yield "A @ x f64", lambda: A @ x, lambda: a @ vx
    A32, x32 = A.astype("f4"), x.astype("f4")
    a32, vx32 = ours(A32), arrpy.array(x32)
    yield "A @ x f32", lambda: A32 @ x32, lambda: a32 @ vx32
    yield "A.T @ x", lambda: A.T @ x, lambda: a.T @ vx
    yield "A @ B, 32 columns", lambda: A @ X, lambda: a @ vX
    R = scattered(1_000_000 // scale, 10).tocsr()
    r, y = ours(R), np.random.default_rng(4).random(R.shape[0])
    vy = arrpy.array(y)
    yield "random 10 per row @ x", lambda: R @ y, lambda: r @ vy
    yield "A @ A", lambda: A @ A, lambda: a @ a
    S = scattered(100_000 // scale, 10).tocsr()
    s = ours(S)
    yield "R @ R, 10 per row", lambda: S @ S, lambda: s @ s
    C = scattered(1_000_000 // scale, 5)
    c = ours(C)
    yield "coo to csr, duplicates", C.tocsr, lambda: c.convert("csr")

    def summed():
        copy = C.copy()
        copy.sum_duplicates()
        return copy

    yield "sum_duplicates of coo", summed, c.sum_duplicates
    yield "csr to csc", A.tocsc, lambda: a.convert("csc")
    T, t = A.T.tocsr(), None
    t = ours(T)
    yield "A + A", lambda: A + A, lambda: a.binary("add", a)
    B = A.copy()
    B.data, B.indices = B.data[::1].copy(), B.indices.copy()
    D = laplacian(n) + scipy.sparse.eye_array(n * n, k=3)
    D = scipy.sparse.csr_array(D)
    d = ours(D)
    yield "A - D, other elements", lambda: A - D, lambda: a.binary("subtract", d)
    yield "multiply", lambda: A.multiply(D), lambda: a.binary("multiply", d)
    yield "sum axis 0", lambda: A.sum(axis=0), lambda: a.reduce("sum", 0)
    yield "sum axis 1", lambda: A.sum(axis=1), lambda: a.reduce("sum", 1)
    yield "max axis 1", lambda: A.max(axis=1), lambda: a.reduce("max", 1)
    yield from_dense(smoke)
    yield from solves(smoke, A, x)
    P = laplacian(10)
    p, z = ours(P), np.random.default_rng(6).random(100)
    vz = arrpy.array(z)
    yield "A @ x, n = 100", lambda: P @ z, lambda: p @ vz
    yield from structure(A, a)
    yield from semirings(A, a, x, S, s)


def semirings(A, a, x, S, s):
    """Products over semirings and of some elements, beside the best composition of NumPy and SciPy."""
    import arrexpr
    from sparse_matrix import Parts, Sparse, arrpy
    from sparse_semiring import matmul, product, sampled_matmul

    starts, vx = A.indptr[:-1], arrpy.array(x)
    min_add = ("min", None, "add")
    yield "min-plus A, x", lambda: np.minimum.reduceat(A.data + x[A.indices], starts), lambda: matmul(a, min_add, vx)
    X = np.random.default_rng(8).random((A.shape[0], 8))
    vX = arrpy.array(X)
    yield (
        "min-plus A, 8 columns",
        lambda: np.minimum.reduceat(A.data[:, None] + X[A.indices], starts),
        lambda: matmul(a, min_add, vX),
    )
    B, y = A.astype(bool), x > 0.5
    b, vy = Sparse.of(Parts("csr", B.shape, B.data, B.indices, B.indptr), "host"), arrpy.array(y)
    yield "or-and A, x", lambda: B @ y, lambda: matmul(b, ("any", None, "logical_and"), vy)
    yield "or-and A, A", lambda: B @ B, lambda: product(b, ("any", None, "logical_and"), b)
    ordinary = ("sum", None, "multiply")
    yield "masked A A", lambda: (A @ A).multiply(B), lambda: product(a, ordinary, a, b)
    ones = abs(S).sign()
    yield "masked R R", lambda: (S @ S).multiply(ones), lambda: product(s, ordinary, s, s)
    rows, columns = A.tocoo().coords
    U = np.random.default_rng(9).random((2, A.shape[0], 32))
    u, v = arrpy.array(U[0]), arrpy.array(U[1].T)
    yield (
        "sampled, 32 terms",
        lambda: A._with_data(np.einsum("ij,ij->i", U[0][rows], U[1][columns]), copy=False),
        lambda: sampled_matmul(a, u, v),
    )
    e = arrexpr.parse("maximum(y + b, 0)", "y", "b")
    in_ = arrexpr.handles([vx])
    yield (
        "maximum(A x + b, 0)",
        lambda: np.maximum(A @ x + x, 0),
        lambda: arrpy.made("arr_sparse_matmul_expr", a.handle, vx.handle, e.handle, e.node, 1, in_, None),
    )


def structure(A, a):
    """Indexing and joining."""
    from sparse_matrix import arrpy
    from sparse_structure import concatenate

    n = A.shape[0]
    i, j = np.random.default_rng(7).integers(0, n, (2, n // 10))
    vi, vj, every = arrpy.array(i), arrpy.array(j), slice(None)
    yield "A[rows]", lambda: A[i], lambda: a.get_items(vi)
    yield "A[:, cols]", lambda: A[:, i], lambda: a.get_items(every, vi)
    yield "A[:, range]", lambda: A[:, n // 4 : n // 2], lambda: a.get_items(every, slice(n // 4, n // 2))
    yield "A[::2]", lambda: A[::2], lambda: a.get_items(slice(None, None, 2))
    yield "vstack 4", lambda: scipy.sparse.vstack([A] * 4, "csr"), lambda: concatenate([a] * 4, 0)
    yield "hstack 4", lambda: scipy.sparse.hstack([A] * 4, "csr"), lambda: concatenate([a] * 4, 1)
    yield "A[i, j]", lambda: A[i, j], lambda: a.elements(vi, vj)


def points(smoke):
    """rows, per_row, name, function of SciPy, function of the library"""
    from sparse_matrix import Parts, Sparse, arrpy

    for rows in (10, 100) if smoke else (10, 100, 1000, 10_000, 100_000, 1_000_000):
        for per_row in (1, 3, 10, 30, 100):
            if per_row > rows or rows * per_row > 10_000_000:
                continue
            m, n = (scattered(rows, per_row, seed) for seed in (1, 2))
            A, B = m.tocsr(), n.tocsr()
            a, b = (Sparse.of(Parts("csr", x.shape, x.data, x.indices, x.indptr), "host") for x in (A, B))
            c = Sparse.of(Parts("coo", m.shape, m.data, *m.coords), "host")
            x = np.random.default_rng(3).random(rows)
            vx = arrpy.array(x)
            yield rows, per_row, "A @ x", lambda: A @ x, lambda: a @ vx
            yield rows, per_row, "A.T @ x", lambda: A.T @ x, lambda: a.T @ vx
            yield rows, per_row, "A + B", lambda: A + B, lambda: a.binary("add", b)
            yield rows, per_row, "A.multiply(B)", lambda: A.multiply(B), lambda: a.binary("multiply", b)
            yield rows, per_row, "coo to csr", m.tocsr, lambda: c.convert("csr")
            yield rows, per_row, "csr to csc", A.tocsc, lambda: a.convert("csc")
            yield rows, per_row, "sum axis 0", lambda: A.sum(axis=0), lambda: a.reduce("sum", 0)
            yield rows, per_row, "max axis 1", lambda: A.max(axis=1), lambda: a.reduce("max", 1)
            if rows * per_row * per_row <= 10_000_000:
                yield rows, per_row, "A @ B", lambda: A @ B, lambda: a @ b


def solver_cases(smoke):
    """The same of solvers, of equations with a right-hand side of ones, and of eigenvalues."""
    import scipy.sparse.linalg as linalg
    from linops import Linop, arrpy, eigsh, solve

    for n in (10,) if smoke else (10, 256):
        A = laplacian(n)
        wind = scipy.sparse.csr_array(
            A + 0.3 * scipy.sparse.eye_array(n * n, k=1) - 0.3 * scipy.sparse.eye_array(n * n, k=-1)
        )
        b = np.ones(n * n)
        vb = arrpy.array(b)
        for name, m in (("cg", A), ("minres", A), ("bicgstab", wind), ("gmres", wind)):
            a = Linop.of(m, "host")
            theirs = getattr(linalg, name)
            yield (
                f"{name} {n}^2",
                lambda theirs=theirs, m=m: theirs(m, b)[0],
                lambda name=name, a=a: solve(name, a, vb)[0],
            )
    n = 8 if smoke else 64
    A = laplacian(n)
    a = Linop.of(A, "host")
    yield f"eigsh k=6 {n}^2", lambda: linalg.eigsh(A, 6, return_eigenvectors=False), lambda: eigsh(a, 6)[0]


def dense_of(x):
    if hasattr(x, "dense"):
        return x.dense().numpy()
    if hasattr(x, "toarray"):
        return x.toarray()
    return np.asarray(x.numpy() if hasattr(x, "numpy") else x)


def least(call, rounds, floor=0.02):
    best = float("inf")
    for _ in range(rounds):
        n, start = 0, time.perf_counter()
        while True:
            result = call()
            n += 1
            spent = time.perf_counter() - start
            if spent > floor:
                break
        del result
        best = min(best, spent / n)
    return best * 1e9


def main():
    options = arguments()
    os.environ["ARR_LIBRARY"] = str(pathlib.Path(options.build) / "lib" / "libarr.so.0")
    suites = ROOT / "tests" / "conformance"
    sys.path[:0] = [str(suites), str(suites / "sparse"), str(suites / "iterative")]
    sys.path.append(str(ROOT / "tests" / "support"))
    found = []
    if options.curves:
        work = points(options.smoke)
    else:
        named = itertools.chain(cases(options.smoke), solver_cases(options.smoke))
        work = ((None, None, *case) for case in named)
    for rows, per_row, name, theirs, ours in work:
        if options.only not in name:
            continue
        if options.smoke:
            got, want = dense_of(ours()), dense_of(theirs())
            if not np.allclose(got, want.reshape(got.shape), 1e-5):
                sys.exit(f"{name}: the results differ")
        floor = 0.001 if options.smoke else 0.02 if options.curves else 0.05
        times = [float("inf"), float("inf")]
        for _ in range(1 if options.smoke else options.rounds):
            for side, call in enumerate((ours, theirs)):
                gc.collect()
                times[side] = min(times[side], least(call, 1, floor))
        ratio = times[1] / times[0]
        row = {"case": name, "ours_ns": round(times[0]), "scipy_ns": round(times[1]), "ratio": round(ratio, 2)}
        if options.curves:
            row |= {"rows": rows, "per_row": per_row}
            name = f"{name} {rows} x {per_row}"
        found.append(row)
        print(f"{name:26} {times[0] / 1e6:10.3f} ms  SciPy {times[1] / 1e6:10.3f} ms  {ratio:6.2f}", file=sys.stderr)
    text = json.dumps(found, indent=1)
    print(text if options.json is None else "", end="")
    if options.json:
        pathlib.Path(options.json).write_text(text)


if __name__ == "__main__":
    main()
