#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Graphs as sparse matrices against scipy.sparse.csgraph, and PageRank against networkx's formula."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.sparse
from scipy.sparse import csgraph
from sparse import matches
from sparse_matrix import Parts, Sparse

import oracle
from oracle import arrpy, raises

C = arrpy.c


def outputs(function, *arguments, n):
    out = [C.arr_array() for _ in range(n)]
    given = [getattr(x, "handle", x) for x in arguments]
    arrpy.call(function, *given, *(ctypes.byref(x) for x in out))
    return [arrpy.Array(x).numpy() for x in out]


def owned(report, m):
    """The matrix, whose parts SciPy does not share with the library."""
    return Sparse.of(Parts(m.format, m.shape, m.data.copy(), m.indices.copy(), m.indptr.copy()), report.device)


def graphs():
    """name, graph with weights from 1 to 9 in a canonical csr."""
    for seed, (n, per_vertex) in enumerate(((1, 0), (2, 1), (5, 0), (12, 1), (40, 1), (40, 3), (150, 1), (90, 10))):
        r = np.random.default_rng(seed)
        m = r.integers(0, max(n, 1), (2, n * per_vertex))
        a = scipy.sparse.coo_array((np.ones(m.shape[1]), (m[0], m[1])), shape=(n, n)).tocsr()
        a.sum_duplicates()
        a.data = r.permutation(len(a.data)) % 9 + 1.0
        yield f"random {n} {per_vertex}", a
    n = 60
    path = scipy.sparse.diags_array([np.arange(1.0, n)], offsets=[1], shape=(n, n)).tocsr()
    yield "path", path
    yield "path back", path.T.tocsr()
    order = np.random.default_rng(9).permutation(n)
    yield "shuffled path", path[order][:, order].tocsr()
    one = scipy.sparse.diags_array([1.0, 1.0], offsets=(-1, 1), shape=(9, 9))
    yield (
        "grid",
        scipy.sparse.csr_array(
            scipy.sparse.kron(one, scipy.sparse.eye_array(9)) + scipy.sparse.kron(scipy.sparse.eye_array(9), one)
        ),
    )
    star = scipy.sparse.lil_array((30, 30))
    star[7, :] = 2.0
    yield "star", star.tocsr()


def some(report):
    """The graphs, fewer on CUDA, where each size compiles kernels."""
    every = list(graphs())
    return every if report.device == "host" else every[2::4]


def by_first(labels):
    """Labels in the order of their first vertices."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def components(report):
    kinds = ("weak", "strong") if report.device == "host" else ("weak",)
    for name, m in some(report):
        a = owned(report, m)
        for kind in kinds:
            if not report.wants(f"components {kind} {name}"):
                continue
            count, labels = ctypes.c_int64(), C.arr_array()
            connection = getattr(C, "ARR_CSGRAPH_" + kind.upper())
            arrpy.call(
                "arr_csgraph_connected_components",
                a.handle,
                connection,
                None,
                ctypes.byref(count),
                ctypes.byref(labels),
            )
            n, want = csgraph.connected_components(m, connection=kind)
            got = arrpy.Array(labels).numpy()
            good = count.value == n and got.dtype == np.int32 and np.array_equal(got, by_first(want))
            report.check(f"components {kind} {name}", good, f"{got}\n{want}")


def orders(report):
    kinds = ("breadth_first_order", "depth_first_order") if report.device == "host" else ("breadth_first_order",)
    for name, m in some(report):
        a = owned(report, m)
        for what in kinds:
            for directed in (True, False):
                for start in sorted({0, m.shape[0] // 2, m.shape[0] - 1}):
                    got = outputs(f"arr_csgraph_{what}", a, start, directed, None, n=2)
                    want = getattr(csgraph, what)(m, start, directed)
                    good = all(np.array_equal(x, y) and x.dtype == np.int32 for x, y in zip(got, want))
                    report.check(f"{what} {name} {directed} {start}", good, f"{got}\n{want}")
        bad = raises(
            C.ARR_E_ARGUMENT, lambda: outputs("arr_csgraph_breadth_first_order", a, m.shape[0], True, None, n=2)
        )
        report.check(f"order start {name}", bad)


def bandwidth(m, order):
    coo = m[order][:, order].tocoo()
    return np.abs(coo.coords[0] - coo.coords[1]).max(initial=0)


def cuthill_mckee(report):
    for name, m in graphs():
        a = owned(report, m)
        both = scipy.sparse.csr_array(m + m.T)
        for symmetric, given in ((False, a), (True, owned(report, both))):
            got = outputs("arr_csgraph_reverse_cuthill_mckee", given, symmetric, None, n=1)[0]
            want = csgraph.reverse_cuthill_mckee(both, True)
            report.check(f"rcm {name} permutation", np.array_equal(np.sort(got), np.arange(m.shape[0])))
            # Vertices of one degree may be taken in another order.
            near = bandwidth(both, got) <= 1.3 * bandwidth(both, want) + 2
            report.check(f"rcm {name} bandwidth", near, f"{bandwidth(both, got)} {bandwidth(both, want)}")


def trees(report):
    for name, m in graphs():
        a = owned(report, m)
        tree = Sparse.made("arr_csgraph_minimum_spanning_tree", a.handle, None)
        got, want = tree.dense().numpy(), csgraph.minimum_spanning_tree(m)
        report.check(f"tree {name} weight", np.isclose(got.sum(), want.sum()), f"{got.sum()} {want.sum()}")
        report.check(f"tree {name} edges", np.array_equal(got[got != 0], m.toarray()[got != 0]))
        same = csgraph.connected_components(got)[0] == csgraph.connected_components(m)[0]
        report.check(f"tree {name} components", same and tree.info().nnz == want.nnz)


METHODS = {"auto": "AUTO", "D": "DIJKSTRA", "BF": "BELLMAN_FORD", "J": "JOHNSON", "FW": "FLOYD_WARSHALL"}


def paths_of(a, method, indices, flags=0, limit=np.inf):
    number = getattr(C, "ARR_CSGRAPH_" + METHODS[method])
    return outputs("arr_csgraph_shortest_path", a, number, indices, flags, limit, None, n=3)


def is_path(m, distances, before, directed, weighted):
    """True if each vertex is as far as the one before it and the edge between both."""
    w = m.toarray() if weighted else (m.toarray() != 0).astype(float)
    w[w == 0] = np.inf
    if not directed:
        w = np.minimum(w, w.T)
    to = np.nonzero(before >= 0)[0]
    return np.allclose(distances[before[to]] + w[before[to], to], distances[to])


def paths(report):
    """On CUDA there is one algorithm for all methods."""
    for name, m in some(report):
        a, n = owned(report, m), m.shape[0]
        for method in METHODS if report.device == "host" else ("auto", "FW"):
            for directed in (True, False):
                for weighted in (True, False):
                    label = f"path {method} {name} {directed} {weighted}"
                    if not report.wants(label):
                        continue
                    flags = (not directed) * C.ARR_CSGRAPH_UNDIRECTED | (not weighted) * C.ARR_CSGRAPH_UNWEIGHTED
                    for indices in (None, np.array([n - 1, 0, n // 2])):
                        given = None if indices is None else report.array(indices)
                        got, before, _ = paths_of(a, method, given, flags)
                        want = csgraph.shortest_path(m, "D", directed, unweighted=not weighted, indices=indices)
                        report.check(label, got.shape == want.shape and np.allclose(got, want), f"{got}\n{want}")
                        rows = zip(got, before)
                        report.check(f"{label} before", all(is_path(m, d, b, directed, weighted) for d, b in rows))
    for name, m in some(report):
        a, n = owned(report, m), m.shape[0]
        starts = np.array([0, n - 1])
        got, before, nearest = paths_of(a, "D", report.array(starts), C.ARR_CSGRAPH_MIN_ONLY, 12.0)
        want = csgraph.dijkstra(m, indices=starts, min_only=True, return_predecessors=True, limit=12.0)
        report.check(f"min_only {name}", np.allclose(got, want[0]), f"{got}\n{want[0]}")
        reached = np.isfinite(got)
        report.check(
            f"min_only {name} sources", np.array_equal(nearest >= 0, reached) and is_path(m, got, before, True, True)
        )


def negative(report):
    dense = np.array([[0, 4, 5, 0], [0, 0, -3, 2], [0, 0, 0, 6.0], [0, 0, 0, 0]])
    m = scipy.sparse.csr_array(dense)
    a = owned(report, m)
    want = csgraph.shortest_path(m, "BF")
    for method in ("auto", "BF", "J", "FW"):
        report.check(f"negative {method}", np.allclose(paths_of(a, method, None)[0], want))
        for bad in (dense + dense.T, np.array([[0, 1.0], [-2, 0]]), np.array([[-1.0]])):
            b = Sparse.from_dense(report.array(bad))
            report.check(f"cycle {method}", raises(C.ARR_E_ARGUMENT, lambda: paths_of(b, method, None)))
    report.check("negative dijkstra", raises(C.ARR_E_ARGUMENT, lambda: paths_of(a, "D", None)))
    far = report.array(np.array([4]))
    report.check("path indices", raises(C.ARR_E_ARGUMENT, lambda: paths_of(a, "BF", far)))
    only = C.ARR_CSGRAPH_MIN_ONLY
    report.check("min_only method", raises(C.ARR_E_ARGUMENT, lambda: paths_of(a, "BF", None, only)))
    report.check("path flags", raises(C.ARR_E_ARGUMENT, lambda: paths_of(a, "BF", None, 64)))
    report.check("path limit", raises(C.ARR_E_ARGUMENT, lambda: paths_of(a, "BF", None, 0, np.nan)))
    z = Sparse.from_dense(report.array(np.eye(3) * 1j))
    report.check("path complex", raises(C.ARR_E_DTYPE, lambda: paths_of(z, "BF", None)))
    zero = Sparse.of(
        Parts("csr", (2, 2), np.array([0.0]), np.array([1], "i4"), np.array([0, 1, 1], "i4")), report.device
    )
    report.check("edge of weight 0", paths_of(zero, "D", None)[0].tolist() == [[0, 0], [np.inf, 0]])


def laplacians(report):
    for d in ("float64", "int32", "uint8", "complex128") if report.device == "host" else ("float64",):
        for name, m in some(report):
            for flags in range(8):
                label = f"laplacian {name} {d} {flags}"
                if not report.wants(label):
                    continue
                normed, out_degree, symmetrized = (bool(flags & bit) for bit in (1, 2, 4))
                given = m.astype(d)
                a = owned(report, given)
                matrix, diagonal = C.arr_sparse(), C.arr_array()
                arrpy.call("arr_csgraph_laplacian", a.handle, flags, None, ctypes.byref(matrix), ctypes.byref(diagonal))
                wide = given.astype("c16" if d.startswith("c") else "f8")
                want, diag = csgraph.laplacian(
                    wide, normed=normed, return_diag=True, use_out_degree=out_degree, symmetrized=symmetrized
                )
                got = Sparse(matrix).dense().numpy()
                report.check(label, np.allclose(got, want.toarray()), f"{got}\n{want.toarray()}")
                report.check(f"{label} diag", np.allclose(arrpy.Array(diagonal).numpy(), diag))


def ranks_of(a, alpha=0.85, p=None, first=None, lost=None, most=100, tol=1e-6):
    given = [getattr(x, "handle", x) for x in (p, first, lost)]
    return arrpy.made("arr_csgraph_pagerank", a.handle, alpha, *given, most, tol, None).numpy()


def networkx_ranks(m, alpha, p, first, lost, most, tol):
    """networkx's formula on a dense matrix."""
    n = m.shape[0]
    a = m.toarray()
    sums = a.sum(axis=1)
    a = np.divide(a, sums[:, None], where=sums[:, None] != 0, out=np.zeros_like(a))
    p, first = (np.full(n, 1 / n) if x is None else x / x.sum() for x in (p, first))
    lost = p if lost is None else lost / lost.sum()
    x = first
    for _ in range(most):
        last, x = x, alpha * (x @ a + x[sums == 0].sum() * lost) + (1 - alpha) * p
        if np.abs(x - last).sum() < n * tol:
            return x
    return None


def ranks(report):
    for name, m in some(report):
        a, n = owned(report, m), m.shape[0]
        r = np.random.default_rng(n)
        for alpha, tol, with_p, with_first, with_lost in (
            (0.85, 1e-6, False, False, False),
            (0.5, 1e-12, True, True, False),
            (0.9, 1e-10, True, False, True),
            (0.0, 1e-9, False, False, False),
        ):
            if not report.wants(f"ranks {name} {alpha}"):
                continue
            vectors = [r.random(n) + 0.1 if wanted else None for wanted in (with_p, with_first, with_lost)]
            given = [None if v is None else report.array(v) for v in vectors]
            got = ranks_of(a, alpha, *given, 500, tol)
            want = networkx_ranks(m, alpha, *vectors, 500, tol)
            report.check(f"ranks {name} {alpha}", np.allclose(got, want, 1e-6, 1e-12), f"{got}\n{want}")
            report.check(f"ranks {name} {alpha} sum", np.isclose(got.sum(), 1))
    if not report.wants("ranks refused"):
        return
    m = scipy.sparse.csr_array(np.array([[0, 1.0], [1, 0]]))
    a, first = owned(report, m), report.array(np.array([1.0, 0]))
    report.check("ranks stop", raises(C.ARR_E_LINALG, lambda: ranks_of(a, 1.0, None, first, None, 5)))
    for wrong in ({"alpha": 2.0}, {"tol": -1.0}, {"most": 0}, {"alpha": np.nan}):
        report.check(f"ranks {wrong}", raises(C.ARR_E_ARGUMENT, lambda: ranks_of(a, **wrong)))
    report.check("ranks shape", raises(C.ARR_E_SHAPE, lambda: ranks_of(a, p=report.array(np.ones(3)))))
    report.check("ranks zeros", raises(C.ARR_E_ARGUMENT, lambda: ranks_of(a, p=report.array(np.zeros(2)))))


def other_forms(report):
    """Other formats, index types and duplicates give the same edges; a matrix that is not square is refused."""
    _, m = list(graphs())[5]
    coo = m.tocoo()
    forms = {
        "csc": Sparse.of(
            Parts("csc", m.shape, *(getattr(m.tocsc(), x) for x in ("data", "indices", "indptr"))), report.device
        ),
        "int64": Sparse.of(Parts("coo", m.shape, coo.data, *(x.astype("i8") for x in coo.coords)), report.device),
        "twice": Sparse.of(
            Parts("coo", m.shape, *(np.concatenate([x, x]) for x in (coo.data / 2, *coo.coords))), report.device
        ),
    }
    want = csgraph.laplacian(m).toarray()
    for name, a in forms.items():
        matrix, diagonal = C.arr_sparse(), C.arr_array()
        arrpy.call("arr_csgraph_laplacian", a.handle, 0, None, ctypes.byref(matrix), ctypes.byref(diagonal))
        arrpy.Array(diagonal)
        matches(report, f"form {name} laplacian", Sparse(matrix), want)
        got = paths_of(a, "D", None, C.ARR_CSGRAPH_UNDIRECTED)[0]
        report.check(f"form {name} paths", np.allclose(got, csgraph.shortest_path(m, "D", False)))
    wide = Sparse.from_dense(report.array(np.ones((2, 3))))
    report.check("square", raises(C.ARR_E_SHAPE, lambda: ranks_of(wide)))


def not_offered(report):
    a = Sparse.from_dense(report.array(np.ones((2, 2))))
    for name, given, n in (("reverse_cuthill_mckee", (True,), 1), ("depth_first_order", (0, True), 2)):
        status = C.ARR_E_UNSUPPORTED
        report.check(name, raises(status, lambda: outputs(f"arr_csgraph_{name}", a, *given, None, n=n)))


def main():
    report = oracle.Report(__doc__)
    parts = [components, laplacians, ranks, other_forms]
    parts += [orders, paths, negative]
    parts += [cuthill_mckee, trees] if report.device == "host" else [not_offered]
    for part in report.turn(parts):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
