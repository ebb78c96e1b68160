#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Graphs against networkx, and matrices of finite elements from pyamg's wheel against SciPy."""

import ctypes
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.io
import scipy.sparse
import scipy.sparse.linalg
from linops import Linop, solve, sparse
from sparse_graph import METHODS, by_first, outputs, owned, paths_of, ranks_of
from sparse_matrix import Parts, Sparse, rmat

from oracle import arrpy

C = arrpy.c


def found(module):
    """The module, or None with a line that says so."""
    try:
        return __import__(module)
    except ImportError:
        print(f"skipped a part: there is no {module} here; .ci/requirements.txt names it")
        return None


def csr(m):
    m = scipy.sparse.csr_array(m)
    m.sum_duplicates()
    m.sort_indices()
    return Parts("csr", m.shape, m.data, m.indices.astype("i4"), m.indptr.astype("i4"))


# ----------------------------------------------------------------------------------------------------- networkx


def graphs(nx):
    """name, directed graph with integer weights from 1 on."""
    row, column = rmat(6, 300, 3)
    weights = np.random.default_rng(4).integers(1, 9, 300)
    g = nx.DiGraph()
    g.add_nodes_from(range(64))
    g.add_weighted_edges_from(zip(row.tolist(), column.tolist(), weights.tolist()))
    yield "rmat", g
    for name, h in (
        ("karate", nx.karate_club_graph()),
        ("grid", nx.convert_node_labels_to_integers(nx.grid_2d_graph(7, 8))),
        ("cycles", nx.disjoint_union(nx.cycle_graph(9), nx.path_graph(6))),
        ("tree", nx.balanced_tree(2, 4)),
        ("small world", nx.watts_strogatz_graph(60, 4, 0.2, seed=5)),
    ):
        for i, (_, _, edge) in enumerate(h.edges(data=True)):
            edge["weight"] = i * 7 % 9 + 1
        yield name, nx.DiGraph(h)


def networks(report, nx):
    for name, g in graphs(nx):
        if not report.wants(f"networkx {name}"):
            continue
        n = g.number_of_nodes()
        m = scipy.sparse.csr_array(nx.to_scipy_sparse_array(g, nodelist=range(n), dtype="f8"))
        m.sort_indices()
        a, undirected = owned(report, m), g.to_undirected()
        kinds = {"weak": nx.weakly_connected_components, "strong": nx.strongly_connected_components}
        for kind, parts in kinds.items() if report.device == "host" else (("weak", kinds["weak"]),):
            want = np.zeros(n, int)
            for k, part in enumerate(parts(g)):
                want[list(part)] = k
            count, labels = ctypes.c_int64(), C.arr_array()
            number = getattr(C, "ARR_CSGRAPH_" + kind.upper())
            both = ctypes.byref(count), ctypes.byref(labels)
            arrpy.call("arr_csgraph_connected_components", a.handle, number, None, *both)
            good = np.array_equal(arrpy.Array(labels).numpy(), by_first(want)) and count.value == len(set(want))
            report.check(f"networkx {name} {kind} components", good)
        lengths = dict(nx.all_pairs_dijkstra_path_length(g))
        want = np.array([[lengths[i].get(j, np.inf) for j in range(n)] for i in range(n)])
        for method in METHODS if report.device == "host" else ("auto",):
            got = paths_of(a, method, None)[0]
            report.check(f"networkx {name} distances {method}", np.array_equal(got, want))
        order, before = outputs("arr_csgraph_breadth_first_order", a, 0, True, None, n=2)
        levels = nx.single_source_shortest_path_length(g, 0)
        found_at = [levels[v] for v in order]
        good = set(order.tolist()) == set(levels) and found_at == sorted(found_at)
        good = good and all(levels[before[v]] + 1 == levels[v] for v in order[1:])
        report.check(f"networkx {name} breadth-first order", good, f"{order} {levels}")
        got, want = ranks_of(a, 0.85, None, None, None, 500, 1e-12), nx.pagerank(g, 0.85, max_iter=500, tol=1e-12)
        report.check(f"networkx {name} ranks", np.allclose(got, [want[v] for v in range(n)], 1e-9, 1e-12))
        if report.device == "host":
            for u, v in undirected.edges:
                undirected[u][v]["weight"] = min(g[x][y]["weight"] for x, y in ((u, v), (v, u)) if g.has_edge(x, y))
            tree = Sparse.made("arr_csgraph_minimum_spanning_tree", a.handle, None)
            want = nx.minimum_spanning_tree(undirected)
            total = sum(edge["weight"] for _, _, edge in want.edges(data=True))
            loops = tree.info().nnz == want.number_of_edges()
            report.check(f"networkx {name} spanning tree", loops and tree.dense().numpy().sum() == total)


# ------------------------------------------------------------------------------------------------------- pyamg


def problems(pyamg):
    """name, matrix: each file's."""
    folder = pathlib.Path(pyamg.__file__).parent / "gallery" / "example_data"
    for path in sorted(folder.glob("*.mat")):
        yield path.stem, scipy.sparse.csr_array(scipy.io.loadmat(os.fspath(path))["A"])


def finite_elements(report, pyamg):
    for name, m in problems(pyamg):
        if not report.wants(f"pyamg {name}") or (report.device != "host" and m.shape[0] > 200):
            continue
        d = m.dtype.name
        a, r = Sparse.of(csr(m), report.device), np.random.default_rng(1)
        x = r.standard_normal((m.shape[1], 3)).astype(d)
        got, size = (a @ report.array(x)).numpy(), abs(m) @ abs(x)
        bound = 8 * (np.diff(m.indptr).max() + 2) * np.finfo(d).eps
        report.check(f"pyamg {name} product", np.all(abs(got - m @ x) <= bound * size))
        got, want = (a @ a).dense().numpy(), (m @ m).toarray()
        size = (abs(m) @ abs(m)).toarray()
        report.check(f"pyamg {name} square", np.all(abs(got - want) <= bound * size))
        for got, want in ((a.binary("subtract", a.T), m - m.T), (a.binary("multiply", a), m.multiply(m))):
            near = np.allclose(got.dense().numpy(), want.toarray(), 1e-12, 1e-12 * abs(m).max())
            report.check(f"pyamg {name} element-wise", near)
        if report.device != "host":
            continue
        b = m @ np.ones(m.shape[0], d)
        residual = lambda x: np.linalg.norm(m @ x - b) / np.linalg.norm(b)  # noqa: E731
        if abs(m - m.conj().T).max() < 1e-10:
            x, info = solve("cg", Linop.of(m, report.device), report.array(b), rtol=1e-9, maxiter=20 * m.shape[0])
            least = scipy.sparse.linalg.eigsh(m, 1, which="SA", return_eigenvectors=False)[0]
            if least > 1e-9 * abs(m).max():  # that of unit_square is singular
                report.check(f"pyamg {name} cg", info.info == 0 and residual(x.numpy()) < 1e-8, info.iterations)
        x, info = solve("gmres", Linop.of(m, report.device), report.array(b), rtol=1e-8, restart=200, maxiter=2000)
        if info.info == 0:
            report.check(f"pyamg {name} gmres", residual(x.numpy()) < 1e-7)
        want = scipy.sparse.linalg.gmres(m, b, rtol=1e-8, restart=200, maxiter=2000 // 200)[1]
        report.check(f"pyamg {name} gmres ends", info.info == 0 or want != 0, f"{info.info} {want}")


def main():
    report = oracle.Report(__doc__)
    peers = [(networks, found("networkx")), (finite_elements, found("pyamg"))]
    if not any(module for _, module in peers):
        raise SystemExit(77)
    for part, module in report.turn([p for p in peers if p[1]]):
        part(report, module)
    report.finish()


if __name__ == "__main__":
    main()
