#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Distributed arrays against NumPy: every way to divide an array, for every number of ranks, moves, results.

Each process makes the global arrays, and calls for its own ranks: see ranks.py.
"""

import ctypes
import itertools
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
from dist_arrays import Decomposition, Dist, apply, evaluate, matmul, random
from ranks import ENGINE, error_of, rank_counts, ranks, run_mine

from oracle import arrpy, raises, same

C = arrpy.c
SHAPES = [(), (0,), (1,), (17,), (5, 6), (4, 1, 7), (3, 0, 2), (2, 3, 4, 5)]
if ENGINE == "mpi":  # processes that share a few cores take turns at each message
    SHAPES = [(), (17,), (5, 6)]


def ways(shape, n):
    """{name: function of a communicator} of the decompositions of a shape among n ranks."""
    out = {"whole": lambda c: Decomposition.blocks(c, shape, [1] * len(shape))}
    if not shape:
        return out
    out["first axis"] = lambda c: Decomposition.blocks(c, shape)
    out["last axis"] = lambda c: Decomposition.blocks(c, shape, [1] * (len(shape) - 1) + [n])
    out["cyclic"] = lambda c: Decomposition.blocks(c, shape, [n] + [1] * (len(shape) - 1), [1] * len(shape))
    out["uneven"] = lambda c: Decomposition.counts(c, shape, [shape[0]] + [0] * (n - 1) if n > 1 else [shape[0]])
    owners = np.random.default_rng(n).integers(0, n, shape[-1])
    out["owners"] = lambda c: Decomposition.owners(c, shape, owners.tolist(), -1)
    if n == 4 and len(shape) > 1:
        grid = [2, 2] + [1] * (len(shape) - 2)
        out["grid"] = lambda c: Decomposition.blocks(c, shape, grid)
        out["block-cyclic"] = lambda c: Decomposition.blocks(c, shape, grid, [2] * len(shape))
        out["copies"] = lambda c: Decomposition.blocks(c, shape, [2] + [1] * (len(shape) - 1))
    return out


def part_of(by, rank, whole):
    """NumPy's part of a rank."""
    for axis in range(whole.ndim):
        whole = np.take(whole, by.indices(rank, axis), axis)
    return whole


def of_host(report, by, rank, host):
    return Dist.of_part(by, report.array(np.array(part_of(by, rank, host), order="C")))


def cases(report, shapes=SHAPES):
    """(label, shape, number of ranks, name of the decomposition, its function), each wanted."""
    for shape, n in itertools.product(shapes, rank_counts()):
        for name, make in ways(shape, n).items():
            yield f"{shape} {n} {name}", shape, n, make


def decompositions(report):
    """Each element is in the part of one rank, or of each rank that has a copy."""
    for label, shape, n, make in cases(report):
        if not report.wants(label := f"decomposition {label}"):
            continue
        by = make(next(iter(ranks(n, report.device).values())))
        report.check(f"{label}: shape", by.shape() == shape)
        host = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        parts = [part_of(by, r, host) for r in range(n)]
        report.check(f"{label}: shapes of parts", [by.shape(r) for r in range(n)] == [p.shape for p in parts])
        seen = np.bincount(np.concatenate([p.ravel() for p in parts]), minlength=host.size)
        copies = n if label.endswith("whole") else 2 if label.endswith("copies") else 1
        report.check(f"{label}: every element", np.all(seen == copies), f"{seen}")


def moves(report):
    """From each division to each other, and to a rank and back."""
    for shape, n in itertools.product(SHAPES, rank_counts()):
        all_ = ways(shape, n)
        host = oracle.sample(shape, "float32", n, "tame")
        for one, other in itertools.product(all_, repeat=2):
            if not report.wants(label := f"move {shape} {n} {one} to {other}"):
                continue

            def work(r, comm, one=one, other=other, all_=all_, host=host):
                a = of_host(report, all_[one](comm), r, host)
                to = all_[other](comm)
                b = a.redistribute(to)
                return same(b.part().numpy(), part_of(to, r, host))

            report.check(label, all(run_mine(ranks(n, report.device), work).values()))
        if not report.wants(label := f"gather {shape} {n}"):
            continue

        def whole(r, comm, all_=all_, host=host, n=n):
            good = True
            for make in all_.values():
                by, root = make(comm), n - 1
                a = Dist.scatter(by, report.array(host) if r == root else None, root)
                good = good and same(a.part().numpy(), part_of(by, r, host)) and same(a.gather().numpy(), host)
                on_root = a.gather(root)
                good = good and (same(on_root.numpy(), host) if r == root else on_root is None)
            return good

        report.check(label, all(run_mine(ranks(n, report.device), whole).values()))


def types(report):
    """Every element type moves; an assignment casts."""
    n = max(rank_counts())
    for d in oracle.ALL:
        if not report.wants(label := f"type {d}"):
            continue
        host = oracle.sample((5, 6), d, 1)

        def work(r, comm, host=host, d=d):
            a = of_host(report, Decomposition.blocks(comm, (5, 6)), r, host)
            to = Decomposition.owners(comm, (5, 6), [i % n for i in range(6)], 1)
            b = a.redistribute(to)
            c = Dist.create(to, "complex128")
            c.assign(a)
            wide = part_of(to, r, host).astype("c16")
            return same(b.part().numpy(), part_of(to, r, host)) and np.array_equal(c.part().numpy(), wide, True)

        report.check(label, all(run_mine(ranks(n, report.device), work).values()))


def elementwise(report):
    """Operands that are divided in different ways, and that broadcast."""
    for shape, n in itertools.product([(17,), (5, 6), (4, 1, 7)], rank_counts()):
        all_ = ways(shape, n)
        x, y = (oracle.sample(shape, "float64", i, "tame") for i in (1, 2))
        row = oracle.sample(shape[-1:], "float64", 3, "tame")
        one = np.array(0.5)
        for first, second in itertools.product(all_, repeat=2):
            if not report.wants(label := f"elementwise {shape} {n} {first} {second}"):
                continue

            def work(r, comm, first=first, second=second, all_=all_, x=x, y=y, row=row):
                by = all_[first](comm)
                a, b = of_host(report, by, r, x), of_host(report, all_[second](comm), r, y)
                c = of_host(report, Decomposition.blocks(comm, row.shape), r, row)
                s = of_host(report, Decomposition.blocks(comm, ()), r, one)
                good = same(apply("add", a, b).part().numpy(), part_of(by, r, x + y))
                good = good and same(apply("multiply", c, a).gather().numpy(), row * x)
                got = evaluate("a*b + c - s", a, b, c, s).gather().numpy()
                return good and np.allclose(got, x * y + row - one, rtol=1e-14)

            report.check(label, all(run_mine(ranks(n, report.device), work).values()))


REDUCTIONS = {
    "sum": np.sum,
    "prod": np.prod,
    "min": np.min,
    "max": np.max,
    "mean": np.mean,
    "var": np.var,
    "std": np.std,
    "any": np.any,
    "all": np.all,
    "count_nonzero": np.count_nonzero,
    "nansum": np.nansum,
    "nanmax": np.nanmax,
    "sum_abs": lambda a, axis, keepdims: np.sum(np.abs(a), axis, keepdims=keepdims),
    "sum_squares": lambda a, axis, keepdims: np.sum(np.abs(a) ** 2, axis, keepdims=keepdims),
    "max_abs": lambda a, axis, keepdims: np.max(np.abs(a), axis, keepdims=keepdims),
    "norm2": lambda a, axis, keepdims: np.sqrt(np.sum(np.abs(a) ** 2, axis, keepdims=keepdims)),
    "logsumexp": lambda a, axis, keepdims: np.log(np.sum(np.exp(a), axis, keepdims=keepdims)),
}


def reductions(report):
    for shape, n in itertools.product([(1,), (17,), (5, 6), (2, 3, 4)], rank_counts()):
        all_ = ways(shape, n)
        host = np.random.default_rng(len(shape)).standard_normal(shape)
        axes = [None, (0,), (-1,), tuple(range(len(shape)))[1:] or (0,)]
        for way, (name, function) in itertools.product(all_, REDUCTIONS.items()):
            if not report.wants(label := f"reduce {shape} {n} {way} {name}"):
                continue

            def work(r, comm, way=way, name=name, function=function, all_=all_, host=host, axes=axes):
                a = of_host(report, all_[way](comm), r, host)
                for axis, keep in itertools.product(axes, (False, True)):
                    got = a.reduce(name, axis, keep).gather().numpy()
                    expected = np.asarray(function(host, axis=axis, keepdims=keep))
                    if got.shape != expected.shape or got.dtype != expected.dtype:
                        return f"{axis} {keep}: {got.shape} {got.dtype}"
                    if not np.allclose(got, expected, rtol=1e-13):
                        return f"{axis} {keep}: {got} {expected}"
                return ""

            wrong = run_mine(ranks(n, report.device), work)
            report.check(label, not any(wrong.values()), f"{wrong}")


def large_results(report):
    """Results beyond 64 KiB are combined by an all_reduce."""
    host = np.random.default_rng(0).standard_normal((8, 9000))
    for n in rank_counts():
        if report.wants(label := f"large results {n}"):

            def work(r, comm, host=host):
                a = of_host(report, Decomposition.blocks(comm, host.shape), r, host)
                return all(
                    np.allclose(a.reduce(by, (0,)).gather().numpy(), getattr(np, by)(host, 0), rtol=1e-13, atol=1e-15)
                    for by in ("sum", "max", "mean")
                )

            report.check(label, all(run_mine(ranks(n, report.device), work).values()))


def halves(report):
    """Sums of float16 do not lose the precision of the computation between ranks."""
    host = np.random.default_rng(0).standard_normal(3000).astype("f2")
    for n in rank_counts():
        if report.wants(label := f"half types {n}"):

            def work(r, comm, host=host):
                a = of_host(report, Decomposition.blocks(comm, host.shape), r, host)
                got = a.reduce("sum").gather().numpy(), a.reduce("mean").gather().numpy()
                wide = host.astype("f8")
                return abs(got[0] - wide.sum()) <= 2e-3 * abs(wide.sum()) and abs(got[1] - wide.mean()) <= 1e-5

            report.check(label, all(run_mine(ranks(n, report.device), work).values()))


def scans(report):
    for shape, n in itertools.product([(0,), (1,), (17,), (5, 6), (2, 3, 4)], rank_counts()):
        host = oracle.sample(shape, "float64", 5, "tame")
        for way, make in ways(shape, n).items():
            if not report.wants(label := f"scan {shape} {n} {way}"):
                continue

            def work(r, comm, make=make, host=host):
                a = of_host(report, make(comm), r, host)
                for axis in range(host.ndim):
                    sums, peaks = a.accumulate("add", axis), a.accumulate("maximum", axis)
                    if not np.allclose(sums.gather().numpy(), np.cumsum(host, axis), rtol=1e-12, atol=1e-12):
                        return False
                    if not same(peaks.gather().numpy(), np.maximum.accumulate(host, axis)):
                        return False
                return True

            report.check(label, all(run_mine(ranks(n, report.device), work).values()))


def transposes(report):
    host = oracle.sample((4, 5, 6), "float32", 0, "tame")
    for n in rank_counts():
        for way, make in ways(host.shape, n).items():
            if not report.wants(label := f"transpose {n} {way}"):
                continue

            def work(r, comm, make=make, host=host):
                a = of_host(report, make(comm), r, host)
                b = a.transpose(2, 0, 1)
                good = same(b.gather().numpy(), host.transpose(2, 0, 1)) and same(
                    a.transpose().gather().numpy(), host.T
                )
                # A transposed view as the destination of its own elements.
                back = Dist.create(b.decomposition(), "float32")
                back.assign(b)
                return good and same(apply("add", back, b).gather().numpy(), 2 * host.transpose(2, 0, 1))

            report.check(label, all(run_mine(ranks(n, report.device), work).values()))


def halos(report):
    """Shifted views are the neighbours' values, at the ends those of the other end or what was there."""
    host = np.random.default_rng(0).standard_normal((14, 15))
    for n in rank_counts():
        grids = [[n, 1], [1, n]] + ([[2, 2], [2, 1]] if n == 4 else [])
        for grid, width, periodic in itertools.product(grids, ([1, 0], [2, 1]), ((), (1, 0), (1, 1))):
            if not report.wants(label := f"halo {n} {grid} {width} {periodic}"):
                continue

            def work(r, comm, grid=grid, width=width, periodic=periodic):
                by = Decomposition.blocks(comm, host.shape, grid)
                a = Dist.create(by, "float64", width)
                a.assign(of_host(report, by, r, host))
                a.exchange(periodic)
                wrap = periodic or (0, 0)
                padded = host
                for axis in (0, 1):
                    pad = [(0, 0), (0, 0)]
                    pad[axis] = (width[axis], width[axis])
                    padded = np.pad(padded, pad, mode="wrap" if wrap[axis] else "constant")
                for shift in itertools.product(*(range(-w, w + 1) for w in width)):
                    moved = padded[tuple(slice(w + s, w + s + m) for w, s, m in zip(width, shift, host.shape))]
                    if not same(a.part(*shift).numpy(), part_of(by, r, moved)):
                        return f"{shift}"
                return ""

            wrong = run_mine(ranks(n, report.device), work)
            report.check(label, not any(wrong.values()), f"{wrong}")


def slices(report):
    host = oracle.sample((9, 8), "float32", 0, "tame")
    for n in rank_counts():
        for way, make in ways(host.shape, n).items():
            if not report.wants(label := f"slice {n} {way}"):
                continue

            def work(r, comm, make=make, host=host):
                a = of_host(report, make(comm), r, host)
                return all(
                    same(a.slice(axis, lo, hi).gather().numpy(), host[lo:hi] if axis == 0 else host[:, lo:hi])
                    for axis, lo, hi in ((0, 0, 9), (0, 2, 7), (1, 3, 3), (1, 1, 8))
                )

            report.check(label, all(run_mine(ranks(n, report.device), work).values()))


def products(report):
    """Every pair of divisions of both operands."""
    m, k, p = 7, 9, 5
    for n, d in itertools.product(rank_counts(), ("float64", "complex64", "int32")):
        x, y, v, w = (oracle.sample(s, d, i, "tame") for i, s in enumerate([(m, k), (k, p), (k,), (m,)]))
        for one, other in itertools.product(ways((m, k), n), ways((k, p), n)):
            if not report.wants(label := f"matmul {n} {d} {one} {other}"):
                continue

            def work(r, comm, one=one, other=other, x=x, y=y, v=v, w=w, n=n, d=d):
                a = of_host(report, ways((m, k), n)[one](comm), r, x)
                b = of_host(report, ways((k, p), n)[other](comm), r, y)
                u, t = (of_host(report, Decomposition.blocks(comm, z.shape), r, z) for z in (v, w))
                tolerance = 1e-4 if d == "complex64" else 1e-12
                pairs = ((a, b, x @ y), (a, u, x @ v), (t, a, w @ x), (u, u, np.asarray(v @ v)))
                for left, right, expected in pairs:
                    got = matmul(left, right).gather().numpy()
                    if got.dtype != expected.dtype or not np.allclose(got, expected, rtol=tolerance, atol=tolerance):
                        return f"{got} {expected}"
                return ""

            wrong = run_mine(ranks(n, report.device), work)
            report.check(label, not any(wrong.values()), f"{wrong}")


def transforms(report):
    for shape, n in itertools.product([(12,), (6, 8), (4, 6, 10)], rank_counts()):
        x = np.random.default_rng(1).standard_normal(shape)
        z = x + 1j * np.random.default_rng(2).standard_normal(shape)
        axes = [(), (0,), (-1,)] + ([(1, 0), (2, 1)][: len(shape) - 1] if len(shape) > 1 else [])
        for way, make in ways(shape, n).items():
            if not report.wants(label := f"fft {shape} {n} {way}"):
                continue

            def work(r, comm, make=make, x=x, z=z, axes=axes):
                a, b = of_host(report, make(comm), r, x), of_host(report, make(comm), r, z)
                for some, keep in itertools.product(axes, (True, False)):
                    of = some or tuple(range(x.ndim))
                    results = (
                        (b.fftn(some, keep=keep), np.fft.fftn(z, axes=of)),
                        (b.fftn(some, True, 1, keep), np.fft.ifftn(z, axes=of, norm="ortho")),
                        (a.rfftn(some, keep=keep), np.fft.rfftn(x, axes=of)),
                        (a.rfftn(some, keep=keep).irfftn(x.shape[of[-1]], some, keep=keep), x),
                    )
                    for got, expected in results:
                        if not np.allclose(got.gather().numpy(), expected, rtol=1e-12, atol=1e-12):
                            return f"{some} {keep}"
                    kept = b.fftn(some).decomposition()
                    if [kept.shape(i) for i in range(n)] != [b.decomposition().shape(i) for i in range(n)]:
                        return "division"
                return ""

            wrong = run_mine(ranks(n, report.device), work)
            report.check(label, not any(wrong.values()), f"{wrong}")


def sorts(report):
    """Sorted values are NumPy's, also of equal elements, nan and empty parts."""
    for shape, n in itertools.product([(0,), (1,), (5,), (1000,), (6, 7)], rank_counts()):
        rng = np.random.default_rng(3)
        for kind in ("random", "equal", "few", "nan", "int8"):
            host = rng.standard_normal(shape)
            if kind == "equal":
                host[...] = 2
            elif kind in ("few", "int8"):
                host = rng.integers(0, 3, shape).astype("int8" if kind == "int8" else "f8")
            elif kind == "nan" and host.size:
                host.ravel()[::3] = np.nan
            for way, make in ways(shape, n).items():
                if not report.wants(label := f"sort {shape} {n} {kind} {way}"):
                    continue

                def work(r, comm, make=make, host=host):
                    a = of_host(report, make(comm), r, host)
                    return all(same(a.sort(i).gather().numpy(), np.sort(host, i)) for i in range(host.ndim))

                report.check(label, all(run_mine(ranks(n, report.device), work).values()))


def random_numbers(report):
    """The numbers do not depend on the division, and the generator advances equally."""
    for shape, n in itertools.product([(17,), (5, 6), (3, 0, 2), ()], rank_counts()):
        for way, make in ways(shape, n).items():
            if not report.wants(label := f"random {shape} {n} {way}"):
                continue

            def work(r, comm, make=make, shape=shape):
                by = make(comm)
                for name, d in (("NORMAL", None), ("UNIFORM", "float32"), ("POISSON", None), ("GAMMA", "float16")):
                    number = getattr(C, "ARR_DISTRIBUTION_" + name)
                    given = (C.arr_value * 1)(arrpy.value(2.0))
                    mine, alone = generator(), generator()
                    for _ in range(2):
                        got = random(by, mine, number, given, d).gather().numpy()
                        extents = (len(shape), arrpy.int64s(shape), None, None)
                        expected = arrpy.made("arr_random_draw", alone, number, 1, given, arrpy.number(d), *extents)
                        if not same(got, expected.numpy()):
                            return f"{name}: {got} {expected.numpy()}"
                return ""

            wrong = run_mine(ranks(n, report.device), work)
            report.check(label, not any(wrong.values()), f"{wrong}")


def generator():
    return arrpy.made("arr_generator_create", 1, arrpy.int64s([5]), of=C.arr_generator)


def files(report):
    """Each rank reads its slice of a file in either order; the file that rank 0 writes is NumPy's."""
    with tempfile.TemporaryDirectory() as folder:
        for shape, n in itertools.product([(), (0,), (17,), (5, 6), (2, 3, 4)], rank_counts()):
            host = oracle.sample(shape, "float64", 4, "tame")
            for way, make in ways(shape, n).items():
                if not report.wants(label := f"file {shape} {n} {way}"):
                    continue

                def work(r, comm, make=make, host=host, label=label):
                    by = make(comm)
                    whole = of_host(report, by, r, host)
                    path = pathlib.Path(folder if r == 0 else "nowhere") / (label.replace(" ", "_") + ".npy")
                    whole.save(path)
                    good = r != 0 or same(np.load(path), host)
                    for order, swapped in (("C", "<"), ("F", "<"), ("C", ">")):
                        source = pathlib.Path(folder) / f"{r}.npy"
                        np.save(source, np.asarray(host, swapped + "f8", order=order))
                        good = good and same(Dist.load(by, source).part().numpy(), part_of(by, r, host))
                    return good

                report.check(label, all(run_mine(ranks(n, report.device), work).values()))
        for n in rank_counts():

            def fails(r, comm, n=n):
                by = Decomposition.blocks(comm, (n,))
                there = pathlib.Path(folder) / f"there{r}.npy"
                np.save(there, np.zeros(n))
                load = error_of(lambda: Dist.load(by, there if r else "nowhere.npy"))
                save = error_of(lambda: Dist.create(by).save(pathlib.Path(folder) / "no" / "such.npy"))
                return load, save, error_of(lambda: Dist.load(Decomposition.blocks(comm, (n + 1,)), there))

            texts = run_mine(ranks(n, report.device), fails)
            good = all(t is not None for each in texts.values() for t in each)
            report.check(f"file: a failure of one rank is one of all {n}", good, f"{texts}")


def wrong_calls(report, comm, by, a):
    """(label, status, call) of calls with bad arguments."""
    n = comm.info.size
    huge = [2**62, 4]
    return [
        ("grid", C.ARR_E_ARGUMENT, lambda: Decomposition.blocks(comm, (4,), [n + 1])),
        ("grid of zero", C.ARR_E_ARGUMENT, lambda: Decomposition.blocks(comm, (4,), [0])),
        ("length of grid", C.ARR_E_ARGUMENT, lambda: Decomposition.blocks(comm, (4, 4), [n])),
        ("huge grid", C.ARR_E_SHAPE, lambda: Decomposition.blocks(comm, (4,) * 3, [2**31 - 1] * 3)),
        ("huge shape", C.ARR_E_SHAPE, lambda: Decomposition.blocks(comm, huge)),
        ("negative shape", C.ARR_E_SHAPE, lambda: Decomposition.blocks(comm, [-1])),
        ("65 dimensions", C.ARR_E_SHAPE, lambda: Decomposition.blocks(comm, [1] * 65)),
        ("negative block", C.ARR_E_ARGUMENT, lambda: Decomposition.blocks(comm, (4,), [n], [-1])),
        ("number of counts", C.ARR_E_ARGUMENT, lambda: Decomposition.counts(comm, (4,), [4] + [0] * n)),
        ("sum of counts", C.ARR_E_ARGUMENT, lambda: Decomposition.counts(comm, (4,), [5] + [0] * (n - 1))),
        ("negative count", C.ARR_E_ARGUMENT, lambda: Decomposition.counts(comm, (4,), [-1] + [0] * (n - 1))),
        ("axis", C.ARR_E_SHAPE, lambda: Decomposition.counts(comm, (4,), [4] + [0] * (n - 1), 1)),
        ("axis of none", C.ARR_E_SHAPE, lambda: Decomposition.counts(comm, (), [0] * n)),
        ("owner", C.ARR_E_ARGUMENT, lambda: Decomposition.owners(comm, (2,), [0, n])),
        ("owners", C.ARR_E_ARGUMENT, lambda: Decomposition.owners(comm, (3,), [0, 0])),
        ("rank", C.ARR_E_ARGUMENT, lambda: by.shape(n)),
        ("rank of indices", C.ARR_E_ARGUMENT, lambda: by.indices(-1, 0)),
        ("dtype", C.ARR_E_DTYPE, lambda: Dist.create(by, 99)),
        ("length of halo", C.ARR_E_ARGUMENT, lambda: Dist.create(by, "float64", [1])),
        ("negative halo", C.ARR_E_ARGUMENT, lambda: Dist.create(by, "float64", [-1, 0])),
        ("wide halo", C.ARR_E_SHAPE, lambda: Dist.create(by, "float64", [7, 0])),
        ("huge halo", C.ARR_E_SHAPE, lambda: Dist.create(by, "float64", [2**63 - 1, 0])),
        ("offset", C.ARR_E_ARGUMENT, lambda: a.part(1, 0)),
        ("offsets", C.ARR_E_ARGUMENT, lambda: a.part(0)),
        ("periodic", C.ARR_E_ARGUMENT, lambda: a.exchange([1])),
        ("part", C.ARR_E_SHAPE, lambda: Dist.of_part(by, report.array(np.zeros((9, 9))))),
        ("root", C.ARR_E_ARGUMENT, lambda: a.gather(n)),
        ("root of scatter", C.ARR_E_ARGUMENT, lambda: Dist.scatter(by, None, n)),
        ("axes", C.ARR_E_SHAPE, lambda: a.transpose(0, 2)),
        ("axes twice", C.ARR_E_SHAPE, lambda: a.reduce("sum", [0, 0])),
        ("reduction", C.ARR_E_UNSUPPORTED, lambda: a.reduce("argmax")),
        ("shape", C.ARR_E_SHAPE, lambda: a.assign(Dist.create(Decomposition.blocks(comm, (8, 6))))),
        ("cast", C.ARR_E_DTYPE, lambda: Dist.create(by, "int32").assign(a)),
        ("broadcast", C.ARR_E_SHAPE, lambda: apply("add", a, Dist.create(Decomposition.blocks(comm, (5,))))),
        ("operands", C.ARR_E_ARGUMENT, lambda: apply("add", a)),
        ("no generator", C.ARR_E_HANDLE, lambda: random(by, None, C.ARR_DISTRIBUTION_NORMAL, ())),
        ("distribution", C.ARR_E_ARGUMENT, lambda: random(by, generator(), 99, ())),
        ("formula", C.ARR_E_ARGUMENT, lambda: evaluate("a +", a)),
        ("no scan", C.ARR_E_UNSUPPORTED, lambda: a.accumulate("sin")),
        (
            "array as distributed",
            C.ARR_E_HANDLE,
            lambda: arrpy.call("arr_dist_exchange_end", ctypes.cast(by.value, C.arr_dist)),
        ),
        ("end of no exchange", C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_dist_exchange_end", a.value)),
    ]


def refusals(report):
    """Bad arguments, each found on every rank before any waits."""
    comm = next(iter(ranks(rank_counts()[0], report.device).values()))
    n = comm.info.size
    by = Decomposition.blocks(comm, (6, 8))
    a = Dist.create(by)
    other = next(iter(ranks(n, report.device).values())).duplicate() if n == 1 else None
    wrong = wrong_calls(report, comm, by, a)
    if n > 1:
        wrong.append(("blocks in turn", C.ARR_E_ARGUMENT, lambda: Decomposition.blocks(comm, (2**62,), [n], [1])))
        cyclic = Decomposition.blocks(comm, (8,), [n], [1])
        wrong.append(("halo of cyclic", C.ARR_E_ARGUMENT, lambda: Dist.create(cyclic, "float64", [1])))
    if other is not None:
        b = Dist.create(Decomposition.blocks(other, (6, 8)))
        wrong.append(("another communicator", C.ARR_E_ARGUMENT, lambda: apply("add", a, b)))
    for label, status, call in report.turn(wrong):
        report.check(f"refused: {label}", raises(status, call))
    with comm.group():
        for label, call in (("reduce", lambda: a.reduce("sum")), ("gather", lambda: a.gather())):
            if n > 1:
                report.check(f"refused: {label} in a group", raises(C.ARR_E_ARGUMENT, call))


def wrong_root(report):
    """An array that does not fit on root is an error on each rank."""
    for n in rank_counts():

        def work(r, comm, n=n):
            bad = report.array(np.zeros(3)) if r == 0 else None
            return error_of(lambda: Dist.scatter(Decomposition.blocks(comm, (n + 3,)), bad))

        texts = run_mine(ranks(n, report.device), work)
        report.check(f"wrong root {n}", all(t and "src" in t for t in texts.values()), f"{texts}")


def main():
    report = oracle.Report(__doc__)
    for part in (
        decompositions,
        moves,
        types,
        elementwise,
        reductions,
        large_results,
        halves,
        scans,
        transposes,
        slices,
        products,
        transforms,
        sorts,
        random_numbers,
        files,
        halos,
        refusals,
        wrong_root,
    ):
        part(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
