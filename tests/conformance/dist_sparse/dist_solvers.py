#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Iterative solvers over matrices whose rows are divided among ranks: the solutions, and reports that are the same on all
ranks and as those of a matrix of one rank."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import ctypes

import numpy as np
import scipy.sparse
from dists import World, divisions
from iterative_solvers import GENERAL, SYMMETRIC, convection, hermitian, laplacian, right
from linops import C, Linop, eigs, eigsh, least_squares, solve, svds
from ranks import error_of, rank_counts, ranks, run_mine

from oracle import arrpy

N = 8


def worlds(report, m, columns=None):
    """(number of ranks, division, World) for each."""
    for size in rank_counts():
        comms = ranks(size, report.device)
        for i, rows in enumerate(divisions(m.shape[0], size)):
            given = None if columns is None else list(divisions(columns, size))[1 - i]
            yield f"{size} ranks, division {i}", World(report, comms, m, rows, given)


def equal(values):
    values = list(values)
    return all(v == values[0] for v in values)


def facts(info):
    return info.info, info.iterations, info.residual


def gathered(w, parts, rows=False):
    """The whole vector of the parts that this process has, and the indices where it has them."""
    counts = w.rows if rows else w.columns
    first = np.cumsum([0, *counts])
    at = np.concatenate([np.arange(first[r], first[r + 1]) for r in parts]).astype(int)
    return at, np.concatenate([p.numpy() for p in parts.values()])


def linear(report):
    """Each method: its solution, and the iterations of one rank alone."""
    for name in SYMMETRIC + GENERAL:
        for d in ("float64", "complex128", "float32"):
            m = laplacian(N) if name in SYMMETRIC else convection(N)
            if name in SYMMETRIC and d.startswith("complex"):
                m = hermitian(N * N)
            m, b = m.astype(d), right(N * N, d)
            single = d == "float32"
            given = {"rtol": 1e-4 if single else 1e-9}
            x, alone = solve(name, Linop.of(m, report.device), report.array(b), **given)
            exact = scipy.sparse.linalg.spsolve(m.astype("c16" if d.startswith("c") else "f8").tocsc(), b)
            for label, w in worlds(report, m):
                if not report.wants(label := f"{name} {d} {label}"):
                    continue
                mine = w.parts(b)
                got = w.run(
                    lambda r, dist, mine=mine, name=name, given=given: solve(name, dist.linop(), mine[r], **given)
                )
                infos = [facts(i) for _, i in got.values()]
                report.check(f"{label} equal reports", equal(infos), infos)
                report.check(f"{label} info", infos[0][0] == 0, infos[0])
                slack = 1 if name == "cg" and not single else max(2, alone.iterations // 4)
                report.check(
                    f"{label} iterations", abs(infos[0][1] - alone.iterations) <= slack, (infos[0], alone.iterations)
                )
                at, values = gathered(w, {r: y for r, (y, _) in got.items()})
                far = np.abs(values - exact[at]).max(initial=0) / np.abs(exact).max()
                report.check(f"{label} solution", far < (1e-2 if single else 1e-6) and values.dtype == d, far)


def preconditioned(report):
    """Block Jacobi by an inverse of each rank's block, Jacobi, a starting point, b of one column, zeros."""
    m, b = laplacian(N), right(N * N, "float64")
    start = right(N * N, "float64", 5)
    for name in SYMMETRIC + GENERAL:
        for label, w in worlds(report, m):
            if not report.wants(label := f"preconditioned {name} {label}"):
                continue
            mine, x0 = w.parts(b.reshape(-1, 1)), w.parts(start)

            def jacobi(r, dist, mine=mine, x0=x0, name=name):
                by = Linop.made("jacobi", dist.block(), None)
                return solve(name, dist.linop(), mine[r], m=by, x0=x0[r], rtol=1e-9, check_every=3)

            def inverse(r, dist, mine=mine, name=name):
                block = dist.block().dense().numpy()
                by = Linop.of(np.linalg.inv(block), report.device)
                return solve(name, dist.linop(), mine[r], m=by, rtol=1e-9)

            for kind, work in (("jacobi", jacobi), ("inverse", inverse)):
                got = w.run(work)
                at, values = gathered(w, {r: y for r, (y, _) in got.items()})
                report.check(f"{label} {kind} equal", equal(facts(i) for _, i in got.values()))
                exact = scipy.sparse.linalg.spsolve(m.tocsc(), b)[at]
                report.check(f"{label} {kind} solution", np.allclose(values, exact, rtol=1e-5, atol=1e-6))
            zeros = w.parts(np.zeros(N * N))
            got = w.run(lambda r, dist, zeros=zeros, name=name: solve(name, dist.linop(), zeros[r]))
            report.check(f"{label} zero", all(not x.numpy().any() and i.iterations == 0 for x, i in got.values()))


def extremes(report):
    """Norms of all ranks neither overflow nor vanish."""
    m = laplacian(4)
    for scale in (1e200, 1e-200):
        b = scale * right(16, "float64")
        for label, w in worlds(report, m):
            mine = w.parts(b)
            got = w.run(lambda r, dist, mine=mine: solve("gmres", dist.linop(), mine[r], rtol=1e-10))
            at, values = gathered(w, {r: y for r, (y, _) in got.items()})
            exact = scipy.sparse.linalg.spsolve(m.tocsc(), b / scale)[at]
            report.check(f"extremes {scale} {label}", np.allclose(values / scale, exact, rtol=1e-6))


def rectangles(report):
    """lsqr and lsmr of rectangular matrices whose rows and columns are divided in different ways."""
    for shape in ((40, 15), (15, 40)):
        m = (scipy.sparse.random_array(shape, density=0.2, rng=np.random.default_rng(1)) * 2).tocsr()
        m = (m + scipy.sparse.eye_array(*shape)).tocsr()
        b = right(shape[0], "float64")
        for name in ("lsqr", "lsmr"):
            given = {"atol": 1e-11, "btol": 1e-11, "damp": 0.1, "maxiter": 200}
            x, alone, _ = least_squares(name, Linop.of(m, report.device), report.array(b), **given)
            x = x.numpy()
            for label, w in worlds(report, m, shape[1]):
                mine = w.parts(b, True)
                got = w.run(
                    lambda r, dist, mine=mine, name=name, given=given: least_squares(
                        name, dist.linop(), mine[r], var=name == "lsqr", **given
                    )
                )
                infos = [(i.istop, i.iterations, i.r1norm, i.anorm, i.acond) for _, i, _ in got.values()]
                report.check(f"{name} {shape} {label} equal", equal(infos), infos)
                report.check(f"{name} {shape} {label} istop", infos[0][0] == alone.istop, (infos[0], alone.istop))
                at, values = gathered(w, {r: y for r, (y, _, _) in got.items()})
                report.check(f"{name} {shape} {label} solution", np.allclose(values, x[at], rtol=1e-6, atol=1e-7))


def spectra(report):
    """eigsh, eigs and svds: values, residuals, vectors that are orthonormal over all ranks."""
    m, k = laplacian(7), 4
    wind = convection(7)
    tall = (scipy.sparse.random_array((50, 20), density=0.3, rng=np.random.default_rng(3))).tocsr()
    exact = np.linalg.eigvalsh(m.toarray())
    general = np.linalg.eigvals(wind.toarray())
    general = general[np.argsort(-np.abs(general))][:k]
    for which, want in (("LA", exact[-k:]), ("SA", exact[:k]), ("LM", exact[-k:])):
        for label, w in worlds(report, m):
            got = w.run(lambda r, dist, which=which: eigsh(dist.linop(), k, which))
            values = [tuple(v[0].numpy()) for v in got.values()]
            report.check(f"eigsh {which} {label} equal", equal(values))
            report.check(f"eigsh {which} {label} values", np.allclose(values[0], want, rtol=1e-9), values[0])
            if len(got) == len(w.rows):
                v = np.concatenate([got[r][1].numpy() for r in sorted(got)])
                report.check(f"eigsh {which} {label} residuals", np.allclose(m @ v, v * want, atol=1e-8))
                report.check(f"eigsh {which} {label} orthonormal", np.allclose(v.T @ v, np.eye(k), atol=1e-10))
    for label, w in worlds(report, wind):
        got = w.run(lambda r, dist: eigs(dist.linop(), k))
        values = [tuple(v[0].numpy()) for v in got.values()]
        report.check(f"eigs {label} equal", equal(values))
        report.check(
            f"eigs {label} values", np.allclose(np.sort(np.abs(values[0])), np.sort(np.abs(general)), rtol=1e-7)
        )
        if len(got) == len(w.rows):
            v = np.concatenate([got[r][1].numpy() for r in sorted(got)])
            report.check(f"eigs {label} residuals", np.allclose(wind @ v, v * np.array(values[0]), atol=1e-7))
    for name, a in (("tall", tall), ("wide", tall.T.tocsr())):
        want = np.linalg.svd(a.toarray(), compute_uv=False)[:k][::-1]
        for label, w in worlds(report, a, a.shape[1]):
            got = w.run(lambda r, dist: svds(dist.linop(), k))
            values = [tuple(v[1].numpy()) for v in got.values()]
            report.check(f"svds {name} {label} equal", equal(values))
            report.check(f"svds {name} {label} values", np.allclose(values[0], want, rtol=1e-9), (values[0], want))
            if len(got) == len(w.rows):
                u = np.concatenate([got[r][0].numpy() for r in sorted(got)])
                vh = np.concatenate([got[r][2].numpy() for r in sorted(got)], axis=1)
                report.check(f"svds {name} {label} u", np.allclose(a @ vh.T, u * want, atol=1e-8))
                report.check(f"svds {name} {label} orthonormal", np.allclose(u.T @ u, np.eye(k), atol=1e-8))


def free_of_matrices(report):
    """Functions of each rank that exchange a halo, over the communicator."""
    n, b = 40, right(40, "float64")
    t = scipy.sparse.diags_array([-np.ones(n - 1), 2.5 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1]).tocsr()
    exact = scipy.sparse.linalg.spsolve(t.tocsc(), b)
    for size in rank_counts():
        comms, rows = ranks(size, report.device), next(divisions(n, size))
        first = np.cumsum([0, *rows])

        def work(r, comm, rows=rows, first=first, size=size):
            padded = report.array(np.zeros(rows[r] + 2))
            inner = padded[1:-1]

            def product(x):
                arrpy.call("arr_assign", inner.handle, x.handle, None)
                comm.exchange_halo(padded, [0], [size], [1])
                p = padded.numpy()
                return report.array(2.5 * p[1:-1] - p[:-2] - p[2:])

            local = Linop.function((rows[r], rows[r]), "float64", report.device, product)
            b_part = report.array(b[first[r] : first[r + 1]])
            return solve("cg", Linop.made("over", local, comm.value), b_part, rtol=1e-10)

        got = run_mine(comms, work)
        good = all(np.allclose(x.numpy(), exact[first[r] : first[r + 1]], rtol=1e-6) for r, (x, _) in got.items())
        report.check(f"free of matrices {size}", good and equal(facts(i) for _, i in got.values()))


def callbacks(report):
    """A callback of one rank stops all."""
    m, b = laplacian(N), right(N * N, "float64")
    for name in ("cg", "minres", "gmres", "lsqr", "lsmr"):
        for size in rank_counts():
            w = World(report, ranks(size, report.device), m, next(divisions(N * N, size)))
            mine, last = w.parts(b), size - 1

            def work(r, dist, mine=mine, name=name, last=last):
                given = {"callback": lambda i, _: i >= 3} if r == last else {}
                run = least_squares if name in ("lsqr", "lsmr") else solve
                return run(name, dist.linop(), mine[r], **given)[1].iterations

            got = w.run(work)
            report.check(f"callback {name} {size}", set(got.values()) == {3}, got)


def refused(report):
    """Arguments that are wrong or different on a rank are errors on all; the next solution works."""
    m, b = laplacian(N), right(N * N, "float64")
    n = N * N
    for size in (s for s in rank_counts() if s > 1):
        w = World(report, ranks(size, report.device), m, next(divisions(n, size)))
        mine, bad = w.parts(b), 1
        short = report.array(np.zeros(1))
        cases = {
            "b": (lambda r, a: solve("cg", a, short if r == bad else mine[r]), "argument b: shape (1,)"),
            "x0": (lambda r, a: solve("gmres", a, mine[r], x0=short if r == bad else mine[r]), "x0 has shape"),
            "no x0": (lambda r, a: solve("cg", a, mine[r], x0=None if r == bad else mine[r]), "having x0 differs"),
            "rtol": (lambda r, a: solve("minres", a, mine[r], rtol=1e-3 if r == bad else 1e-4), "rtol differs"),
            "maxiter": (lambda r, a: solve("tfqmr", a, mine[r], maxiter=3 + (r == bad)), "maxiter differs"),
            "dtype": (
                lambda r, a: solve("cg", a, report.array(mine[r].numpy().astype("c16")) if r == bad else mine[r]),
                "the dtype of b differs",
            ),
            "damp": (lambda r, a: least_squares("lsqr", a, mine[r], damp=float(r == bad)), "damp differs"),
            "lsmr b": (lambda r, a: least_squares("lsmr", a, short if r == bad else mine[r]), "argument b: shape"),
            "k": (lambda r, a: eigsh(a, 4 + (r == bad)), "argument k differs"),
            "v0": (lambda r, a: eigs(a, 4, v0=short if r == bad else mine[r]), "v0 has shape"),
            "ncv": (lambda r, a: svds(a, 4, ncv=2), "ncv is 2"),
        }
        for label, (call, text) in cases.items():
            texts = w.run(lambda r, dist, call=call: error_of(call, r, dist.linop()))
            good = all(t is not None and text in t for t in texts.values())
            report.check(f"refused: {label} {size}", good, texts)
        got = w.run(lambda r, dist, mine=mine: solve("cg", dist.linop(), mine[r]))
        report.check(f"refused: the next one {size}", all(i.info == 0 for _, i in got.values()))

        def whole(r, dist, mine=mine):
            a, out, more = dist.linop(), C.arr_array(), C.arr_array()
            x = report.array(np.ones((dist.info.rows, 1)))
            return [
                error_of(arrpy.call, "arr_expm_multiply", a.handle, mine[r].handle, None, None, ctypes.byref(out)),
                error_of(
                    arrpy.call,
                    "arr_lobpcg",
                    a.handle,
                    x.handle,
                    None,
                    None,
                    ctypes.byref(out),
                    ctypes.byref(more),
                    None,
                ),
            ]

        texts = sum(w.run(whole).values(), [])
        good = all(t is not None and "divided among ranks" in t for t in texts)
        report.check(f"refused: whole vectors {size}", good, texts)


def main():
    report = oracle.Report(__doc__)
    for part in (linear, preconditioned, extremes, rectangles, spectra, free_of_matrices, callbacks, refused):
        part(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
