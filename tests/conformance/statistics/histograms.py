#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Histograms of one and several dimensions against NumPy 2: even bins, given edges, ranges, weights, density."""

import bisect
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

import arrhist

C = arrpy.c
REAL = ["bool", *oracle.SIGNED, *oracle.UNSIGNED, "float16", "float32", "float64"]


def agree(got, want, exact=True):
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    return oracle.same(got, want) if exact else bool(np.allclose(got, want, 1e-6, 1e-12, equal_nan=True))


def data(d, n, seed):
    r = np.random.default_rng(seed)
    kind = seed % 4
    if d == "bool":
        return r.integers(0, 2, n).astype(bool)
    if np.dtype(d).kind in "iu":
        top = np.iinfo(d).max
        return (
            r.integers(0 if d[0] == "u" else -100, min(top, 100) + 1, n).astype(d)
            if kind
            else r.integers(np.iinfo(d).min // 2, top // 2, n).astype(d)
        )
    x = r.normal(size=n) * 3 if kind % 2 else np.round(r.random(n) * 20) / 8 + (0 if kind else -1)
    return x.astype(d)


def recorded(report):
    """Elements, edges and weights that are not computed yet."""
    x, w, edges = np.linspace(0, 4, 33), np.arange(33.0), np.array([0.0, 1, 2.5, 4])
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    two = report.array(np.float64(2))
    got = [
        arrhist.histogram(report.array(x) * two, 7)[0],
        arrhist.histogram(report.array(x) * two, report.array(edges) * two, weights=report.array(w) * two)[0],
        arrpy.bincount(report.array(np.arange(5)) * report.array(np.int64(2))),
    ]
    arrpy.call("arr_fuse_end")
    want = [np.histogram(x * 2, 7)[0], np.histogram(x * 2, edges * 2, weights=w * 2)[0], np.bincount(np.arange(5) * 2)]
    for k, (a, b) in enumerate(zip(got, want)):
        report.check(f"recorded operands {k}", agree(a.numpy(), b), f"{a.numpy()} {b}")


def one(report, label, x, dev, bins, given, rng, weights, density):
    kept = {} if weights is None else {"weights": weights}
    kept_dev = {} if weights is None else {"weights": report.array(weights)}
    try:
        want = np.histogram(x, bins, rng, density=density, **kept)
    except ValueError:
        report.check(
            label + " refused",
            oracle.raises(C.ARR_E_ARGUMENT, lambda: arrhist.histogram(dev, given, rng, density, **kept_dev)),
        )
        return
    counts, edges = (a.numpy() for a in arrhist.histogram(dev, given, rng, density, **kept_dev))
    exact = not density and (weights is None or weights.dtype.kind in "iub")
    report.check(
        label,
        agree(counts, want[0], exact),
        f"{counts.ravel()[:8]} {counts.dtype} NumPy {want[0].ravel()[:8]} {want[0].dtype}",
    )
    report.check(
        label + " edges", agree(edges, np.asarray(want[1])), f"{edges[:4]} {edges.dtype} {want[1][:4]} {want[1].dtype}"
    )


def even(report):
    cuda = report.device != "host"
    for k, d in enumerate(["int16", "float32", "float64"] if cuda else REAL):
        if not report.wants(f"even {d}"):
            continue
        cases = itertools.product(
            (3000,) if cuda else (0, 1, 2, 7, 1000, 70000),
            (1, 10, 257) if not cuda else (10, 100),
            (None, (-1.5, 2.25)) if cuda else (None, (0, 10), (-1.5, 2.25), (0.1, 0.7), (3, 3)),
        )
        for seed, (n, bins, rng) in enumerate(cases):
            x = data(d, n, seed)
            one(report, f"even {d} {n} {bins} {rng}", x, report.array(x), bins, bins, rng, None, seed % 3 == 1)


def values(report):
    """Elements on and beside every edge; thirds, whose edges are rounded; nan and infinities; shapes and layouts."""
    cuda = report.device != "host"
    for d in ("float32", "float64") if not cuda else ("float64",):
        for low, high, bins in (
            (0, 1, 3),
            (0, 1, 10),
            (-1, 2, 7),
            (0.1, 0.3, 30),
            (1e-3, 1e5, 100),
            (0, 1, 1000),
            (-2e-40, 3e-40, 5),
        ):
            e = np.linspace(low, high, bins + 1, dtype=d)
            x = np.concatenate(
                [e, np.nextafter(e, e.dtype.type(9)), np.nextafter(e, e.dtype.type(-9)), [np.nan, np.inf, -np.inf]]
            ).astype(d)
            one(report, f"edges {d} {low} {high} {bins}", x, report.array(x), bins, bins, (low, high), None, False)
            inside = x[(x >= e[0]) & (x <= e[-1])]
            one(
                report,
                f"edges found {d} {low} {high} {bins}",
                inside,
                report.array(inside),
                bins,
                bins,
                None,
                None,
                False,
            )
    for d, x in (
        ("int64", np.array([-(2**63), 2**63 - 1, 0, 5])),
        ("uint64", np.array([0, 2**64 - 1, 2**63], "u8")),
        ("int8", np.array([-128, 127, 0, 1], "i1")),
    ):
        one(report, f"wide {d}", x, report.array(x), 7, 7, None, None, False)
    m = np.random.default_rng(2).random((20, 31))
    one(report, "matrix", m, report.array(m), 9, 9, None, None, False)
    one(report, "transposed", m.T, report.array(m).T, 9, 9, None, m.T.copy(), False)
    one(report, "step", m[::-2, 1::3], report.array(m)[::-2, 1::3], 9, 9, (0.2, 0.9), None, False)
    one(report, "scalar", np.array(2.5), report.array(np.array(2.5)), 4, 4, None, None, False)
    edges = arrhist.histogram_bin_edges(report.array(m), 6, (0, 3)).numpy()
    report.check("bin edges", oracle.same(edges, np.histogram_bin_edges(m, 6, (0, 3))))


def weighted(report):
    cuda = report.device != "host"
    x = data("float64", 5000, 1)
    for w in (
        ["float32", "int32"]
        if cuda
        else ["bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex64", "complex128"]
    ):
        weights = oracle.sample((5000,), w, 4, "tame")
        for rng, density in ((None, False), ((-1, 1), False), ((-1, 1), True)):
            if density and (w in ("bool", "float16") or oracle.kind(w) == "C"):
                continue
            kept = report.array(weights)
            got, want = (
                arrhist.histogram(report.array(x), 12, rng, density, kept)[0].numpy(),
                np.histogram(x, 12, rng, density, weights)[0],
            )
            near = np.allclose(got, want, 1e-2 if w == "float16" else 1e-5, 1e-3)
            report.check(
                f"weights {w} {rng} {density}",
                got.dtype == want.dtype and near,
                f"{got[:4]} {got.dtype} {want[:4]} {want.dtype}",
            )


def mixed(report):
    """Elements and edges of int64 and uint64 compare exactly, in which NumPy rounds both to float64."""
    top, big = 2**63, 2**53
    unsigned = np.array([0, 5, big, big + 1, big + 2, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1], "u8")
    wide = np.array([-top, -big - 1, -1, 0, 5, big, big + 1, big + 3, top - 2, top - 1], "i8")
    for signed in (wide, np.array([-128, -1, 0, 5, 127], "i1")):
        for x, e in ((unsigned, signed), (signed, unsigned), (signed, unsigned[:3]), (unsigned, signed[-2:])):
            last = e.tolist()[-1]
            inside = [v for v in x.tolist() if e.tolist()[0] <= v <= last]
            bin_indices = [min(bisect.bisect_right(e.tolist(), v) - 1, e.size - 2) for v in inside]
            got = arrhist.histogram(report.array(x), report.array(e))[0].numpy()
            want = np.bincount(np.array(bin_indices, "i8"), minlength=e.size - 1)
            label = f"{x.dtype} between {e.size} edges of {e.dtype} exactly"
            report.check(label, oracle.same(got, want), f"{got}, expected {want}")


def edged(report):
    """Given edges: of other types than the elements, uneven, repeated; elements on them, nan."""
    cuda = report.device != "host"
    for d in ["float32"] if cuda else REAL:
        x = data(d, 4000, 3 if d[0] == "f" else 1)
        for k, e in enumerate(
            (
                [-1, 0, 0.5, 0.75, 2],
                [0, 1, 5, 5, 9],
                [0.0, 0.0, 1.0],
                [-50, 50],
                list(np.sort(np.random.default_rng(3).random(100))),
            )
        ):
            for t in ["float64"] if cuda else ["float64", "float32", "int64"]:
                edges = np.array(e, t)
                given = report.array(edges)
                for density in (False, True):
                    if density and (np.diff(edges) == 0).any():
                        continue
                    one(report, f"edged {d} {k} {t} {density}", x, report.array(x), edges, given, None, None, density)
    x = np.concatenate([np.linspace(0, 3, 13), [np.nan, np.inf, -np.inf, -0.0]])
    edges = np.array([0.0, 0.25, 1.0, 1.0, 3.0])
    one(report, "edged values", x, report.array(x), edges, report.array(edges), None, None, False)
    step = report.array(np.repeat(edges, 2))[::2]
    one(report, "edged step", x, report.array(x), edges, step, None, None, False)
    w = np.arange(len(x))
    one(report, "edged weights", x, report.array(x), edges, report.array(edges), None, w, False)
    want = np.histogram2d(x, x, (edges, 4), ((0, 1), (-1, 2)))
    got = arrhist.histogram2d(report.array(x), report.array(x), (report.array(edges), 4), ((0, 1), (-1, 2)))
    report.check("edged 2d", all(agree(g.numpy(), v) for g, v in zip(got, want)), f"{got[0].numpy()} {want[0]}")
    dev = report.array(x)
    for label, status, e in (
        ("order", C.ARR_E_ARGUMENT, [0.0, 2, 1]),
        ("matrix", C.ARR_E_SHAPE, [[0.0, 1], [2, 3]]),
        ("one", C.ARR_E_SHAPE, [0.0]),
        ("complex", C.ARR_E_DTYPE, [0j, 1]),
    ):
        report.check(
            f"edges {label} refused", oracle.raises(status, lambda: arrhist.histogram(dev, report.array(np.array(e))))
        )


def several(report):
    r = np.random.default_rng(6)
    cuda = report.device != "host"
    for dx, dy in (
        [("float64", "float64")]
        if cuda
        else [
            ("float64", "float64"),
            ("float32", "float32"),
            ("int32", "float32"),
            ("int16", "int16"),
            ("float16", "float16"),
        ]
    ):
        x, y = data(dx, 3000, 1), data(dy, 3000, 3)
        w = r.random(3000)
        X, Y, W = report.array(x), report.array(y), report.array(w)
        for rng, weights, density in itertools.product(
            (None, ((-1, 2), (0.5, 1.5)), (None, (-1, 1))), (None, w), (False, True)
        ):
            if rng is not None and rng[0] is None and cuda:
                continue
            want = np.histogramdd((x, y), (7, 5), rng, density, weights)
            got = arrhist.histogram2d(X, Y, (7, 5), rng, density, None if weights is None else W)
            label = f"2d {dx} {dy} {rng} {weights is not None} {density}"
            exact = weights is None and not density
            report.check(label, agree(got[0].numpy(), want[0], exact), f"{got[0].numpy()[:2]} {want[0][:2]}")
            report.check(label + " edges", all(agree(g.numpy(), e) for g, e in zip(got[1:], want[1])))
    points = [data("float64", 2000, s) for s in (1, 3, 5)]
    for n in (1, 3):
        want = np.histogramdd(points[:n], (4, 5, 6)[:n])
        got = arrhist.histogramdd([report.array(p) for p in points[:n]], (4, 5, 6)[:n])
        report.check(
            f"dd {n}", agree(got[0].numpy(), want[0]) and all(agree(g.numpy(), e) for g, e in zip(got[1], want[1]))
        )
    none = report.array(np.zeros(0))
    got = arrhist.histogramdd([none, none], (2, 3))
    report.check("dd of nothing", agree(got[0].numpy(), np.histogramdd((np.zeros(0), np.zeros(0)), (2, 3))[0]))


ESTIMATORS = ["auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"]


def estimated(report):
    """Numbers of bins by NumPy's estimators: of each type, without and with a range that leaves elements out."""
    cuda = report.device != "host"
    types = ["int16", "float32", "float64"] if cuda else [d for d in REAL if d != "float16"]
    for k, (d, n) in enumerate(
        itertools.product(types, (0, 1, 2, 7, 500) if cuda else (0, 1, 2, 3, 10, 49, 1000, 20000))
    ):
        x = data(d, n, k)
        dev = report.array(x)
        x = x.astype("i8") if d in ("int8", "int16", "int32") else x  # of small integers NumPy's quartiles wrap
        for number, name in enumerate(ESTIMATORS):
            if name == "stone" and (n > 1000 or cuda and n > 7):
                continue
            for rng in (None, (-1.5, 2.25), (2, 2), (1000, 2000)):
                one(
                    report,
                    f"estimated {name} {d} {n} {rng}",
                    x,
                    dev,
                    name,
                    -1 - number,
                    rng,
                    None,
                    k % 2 == 1 and n > 10,
                )
                label = f"estimated edges {name} {d} {n} {rng}"
                try:
                    want = np.histogram_bin_edges(x, name, rng)
                except ValueError:
                    report.check(
                        label,
                        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrhist.histogram_bin_edges(dev, -1 - number, rng)),
                    )
                    continue
                got = arrhist.histogram_bin_edges(dev, -1 - number, rng).numpy()
                report.check(
                    label, agree(got, want), f"{got.size - 1} bins, NumPy {want.size - 1}; {got[:3]} {want[:3]}"
                )
    equal, skewed = np.full(50, 3.25), np.random.default_rng(1).exponential(size=700)
    holes = np.where(np.arange(700) % 7 == 0, np.nan, skewed).reshape(7, 100).T
    for number, name in enumerate(ESTIMATORS):
        for label, x, rng in (("equal", equal, None), ("skewed", skewed, None), ("nan", holes, (0, 3))):
            want = np.histogram_bin_edges(x, name, rng)
            got = arrhist.histogram_bin_edges(report.array(x), -1 - number, rng).numpy()
            report.check(f"estimated {name} {label}", agree(got, want), f"{got.size - 1} bins, NumPy {want.size - 1}")
    x = report.array(skewed)
    for label, call in (
        ("weights", lambda: arrhist.histogram(x, -1, weights=x)),
        ("no estimator", lambda: arrhist.histogram(x, -9)),
        ("nan", lambda: arrhist.histogram(report.array(holes), -1)),
    ):
        report.check(f"estimated {label} refused", oracle.raises(C.ARR_E_ARGUMENT, call))


def refused(report):
    x = report.array(np.arange(5.0))
    bad = report.array(np.array([1.0, np.nan]))
    for label, status, call in (
        ("no bins", C.ARR_E_ARGUMENT, lambda: arrhist.histogram(x, 0)),
        ("range", C.ARR_E_ARGUMENT, lambda: arrhist.histogram(x, 3, (2, 1))),
        ("infinite range", C.ARR_E_ARGUMENT, lambda: arrhist.histogram(x, 3, (0, np.inf))),
        ("nan", C.ARR_E_ARGUMENT, lambda: arrhist.histogram(bad, 3)),
        ("complex", C.ARR_E_DTYPE, lambda: arrhist.histogram(x.astype("c16"), 3)),
        ("too many bins", C.ARR_E_ARGUMENT, lambda: arrhist.histogram(x, 100, (1, 1 + 4e-16))),
        ("weights' shape", C.ARR_E_SHAPE, lambda: arrhist.histogram(x, 3, weights=report.array(np.ones(4)))),
        ("lengths", C.ARR_E_SHAPE, lambda: arrhist.histogram2d(x, bad)),
        ("complex weights", C.ARR_E_DTYPE, lambda: arrhist.histogram2d(x, x, weights=x.astype("c16"))),
        ("no dimensions", C.ARR_E_ARGUMENT, lambda: arrhist.histogramdd([], [])),
    ):
        report.check(f"{label} refused", oracle.raises(status, call))


if __name__ == "__main__":
    rep = oracle.Report(__doc__)
    for test in (even, estimated, values, weighted, mixed, edged, several, recorded, refused):
        test(rep)
    rep.finish()
