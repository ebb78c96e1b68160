#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sorts of some elements, of rows and columns of every class of lengths, of several keys, and long ones, against
results made from NumPy's stable sort, bit by bit: so the host and CUDA agree in full."""

import ctypes

import numpy as np
from sort import argsort, compare, numbers, order_of, patterns, sort, sort_into, topk

import oracle
from oracle import arrpy

C = arrpy.c


def partition(name, a, kth, axis=-1):
    return arrpy.made(f"arr_{name}", a.handle, len(kth), (ctypes.c_int64 * len(kth))(*kth), axis, None)


def lexsort(arrays, axis=-1):
    handles = (C.arr_array * len(arrays))(*[a.handle for a in arrays])
    return arrpy.made("arr_lexsort", len(arrays), handles, axis, None)


def partition_order(x, kth, axis=-1):
    """The places of a partition: the elements of kth at their places, the others between them in their order."""
    order = np.moveaxis(order_of(x, axis), axis, -1)
    n = order.shape[-1]
    kth = sorted({k % n for k in kth})
    if n < 1025 or len(kth) > 64:
        return np.moveaxis(order, -1, axis)
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(n).reshape((1,) * (order.ndim - 1) + (n,)), -1)
    group = np.searchsorted(kth, rank, "left") + np.searchsorted(kth, rank, "right")
    return np.moveaxis(np.argsort(group, -1, kind="stable"), -1, axis)


def check_partition(report, label, x, kth, axis=-1):
    order = partition_order(x, kth, axis)
    compare(report, f"argpartition {label} {kth}", partition("argpartition", report.array(x), kth, axis), order)
    want = np.take_along_axis(x, order, axis)
    compare(report, f"partition {label} {kth}", partition("partition", report.array(x), kth, axis), want)


def check_topk(report, label, x, k, axis=-1):
    for largest in (True, False):
        order = np.take(order_of(x, axis, largest), np.arange(k), axis)
        values, indices = topk(report.array(x), k, axis, largest)
        compare(report, f"topk {label} {k} {largest} indices", indices, order)
        compare(report, f"topk {label} {k} {largest} values", values, np.take_along_axis(x, order, axis))


def selections(report):
    """Some elements of rows: short rows are sorted as a whole, long ones are split over threads and tiles."""
    host = report.device == "host"
    for i, d in enumerate(oracle.ALL):
        for n in (2, 1024, 1025, 5000, 40000) if host else (1024, 1025, 2500):
            if not host and n > 1025 and not in_turn(report, i, 4):
                continue
            for j, (name, x) in enumerate(patterns(d, n)):
                label = f"{d} {n} {name}"
                if not in_turn(report, i + 3 * j + n, 3 if host else 7) or not report.wants(label):
                    continue
                for kth in ([n // 2], [-1], [0, n // 3, -2]):
                    check_partition(report, label, x, kth)
                for k in (1, n // 10):
                    check_topk(report, label, x, k)
    x = numbers("float32", 3 * 2000, 3).reshape(3, 2000)
    every = list(range(0, 1280, 20))
    for kth in (every, [*every, 1999], []):
        check_partition(report, f"{len(kth)} places", x, kth) if kth else None
    check_partition(report, "axis 0", np.ascontiguousarray(x.T), [7, 1000], 0)
    check_topk(report, "axis 0", np.ascontiguousarray(x.T), 9, 0)
    a = report.array(x)
    for kth in (2000, -2001):
        report.check(f"partition at {kth}", oracle.raises(C.ARR_E_ARGUMENT, lambda: partition("partition", a, [kth])))


def long_selections(report):
    """Rows of many parts: of few values, in order, with all equal ones, and of those that a sample misses."""
    if report.device != "host":
        return
    n = 1 << 18
    r = np.random.default_rng(1)
    spike = np.zeros(n, "i4")
    spike[r.integers(0, n, 40)] = r.integers(-9, 9, 40)
    cases = {
        "random": numbers("float32", n, 1),
        "float64": numbers("float64", n, 2),
        "sorted": np.arange(n, dtype="i8"),
        "reversed": np.arange(n, dtype="i8")[::-1].copy(),
        "two values": r.integers(0, 2, n).astype("u2"),
        "bytes": numbers("int8", n, 3),
        "equal": np.full(n, 3.5, "f8"),
        "spike": spike,
        "mostly nan": np.where(r.random(n) < 0.9, np.nan, r.normal(size=n)),
        "complex": np.round(numbers("complex64", n, 4), 1),
        "complex128": np.round(numbers("complex128", n, 5), 1),
        "period": (np.arange(n) % 4096).astype("u4"),
    }
    for name, x in cases.items():
        if report.wants(name):
            check_partition(report, f"long {name}", x, [n // 2])
            check_partition(report, f"long {name}", x, [10, n // 5, n - 3])
            check_topk(report, f"long {name}", x, 100)


def rows_and_columns(report):
    """Every class of lengths along either axis; along a middle one; in place; with elements that keys do not tell."""
    host = report.device == "host"
    lengths = [1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 700, 1025]
    for i, d in enumerate(oracle.ALL):
        for k, n in enumerate(lengths):
            if not in_turn(report, i + k, 2 if host else 17):
                continue
            for j, (name, x) in enumerate(patterns(d, n * 37)):
                label = f"{d} {n} {name}"
                if not in_turn(report, i + k + j, 4) or not report.wants(label):
                    continue
                for shape, axis in (((37, n), 1), ((n, 37), 0)):
                    y = x.reshape(shape)
                    for descending in (False, True):
                        order = order_of(y, axis, descending)
                        want = np.take_along_axis(y, order, axis)
                        way = f"{label} axis {axis} {descending}"
                        compare(report, "rows " + way, sort(report.array(y), axis, descending), want)
                        compare(report, "argsort rows " + way, argsort(report.array(y), axis, descending), order)
                        a = report.array(y)
                        sort_into(a, a, axis, descending)
                        compare(report, "in place " + way, a, want)
    for d, shape in (
        ("float32", (3, 40, 70)),
        ("int8", (2, 9, 300)),
        ("complex64", (4, 20, 5)),
        ("uint16", (2, 100, 65)),
    ):
        x = oracle.sample(shape, d, 4)
        order = order_of(x, 1)
        want = np.take_along_axis(x, order, 1)
        compare(report, f"middle {d}", sort(report.array(x), 1), want)
        compare(report, f"argsort middle {d}", argsort(report.array(x), 1), order)
        turned = sort(report.array(x).transpose(1, 2, 0), 0)
        compare(report, f"turned {d}", turned, want.transpose((1, 2, 0)))
        compare(report, f"reversed {d}", sort(report.array(x)[:, :, ::-1], 1), want[:, :, ::-1])


def several_keys(report):
    """Keys whose ranges share words of 32 bits, or take many; with ties in all but the last."""
    host = report.device == "host"
    r = np.random.default_rng(11)
    cases = (
        [("int64", 1 << 20), ("int64", 1 << 20)],
        [("int64", 1 << 62), ("int64", 3)],
        [("int64", 3), ("int64", 1 << 62)],
        [("int16", 99), ("int8", 5), ("bool", 2)],
        [("float64", 50), ("float32", 4), ("uint32", 3)],
        [("complex128", 3), ("complex64", 3), ("float16", 3)],
        [("int32", 1), ("int32", 1)],
    )
    for number, keys in enumerate(cases):
        if not host and not in_turn(report, number, 3):
            continue
        for shape, axis in (((5000,), 0), ((4, 300), 1), ((300, 4), 0)) if host else (((300, 4), 0),):
            given = []
            for d, high in keys:
                x = (
                    (r.integers(0, high, shape) - high // 2).astype(oracle.dtype(d))
                    if d != "bool"
                    else r.random(shape) < 0.5
                )
                if oracle.dtype(d).kind in "fc":
                    x[r.random(shape) < 0.05] = np.nan
                    x[r.random(shape) < 0.05] = -0.0
                given.append(x)
            want = np.lexsort(tuple(ranked(g) for g in given), axis=axis)
            got = lexsort([report.array(g) for g in given], axis)
            compare(report, f"lexsort {keys} {shape}", got, want)
    x = r.integers(0, 9, (4, 300)).astype("i4")
    views = [report.array(x)[:, ::-1], report.array(np.ascontiguousarray(x.T)).transpose()]
    compare(report, "lexsort of views", lexsort(views), np.lexsort((x[:, ::-1], x)))


def ranked(x):
    """Integers in the order of the elements, nan last, in which NumPy's lexsort agrees with ours."""
    flat = x.reshape(-1)
    order = order_of(flat)
    y = flat[order]
    same = (y[1:] == y[:-1]) | both_nan(y[1:], y[:-1])
    rank = np.empty(flat.size, "i8")
    rank[order] = np.concatenate([[0], np.cumsum(~same)])
    return rank.reshape(x.shape)


def both_nan(a, b):
    """Complex numbers are equal here if their parts are, or are both nan."""
    if a.dtype.kind != "c":
        return (a != a) & (b != b)
    parts = [((p != p) & (q != q)) | (p == q) for p, q in ((a.real, b.real), (a.imag, b.imag))]
    return parts[0] & parts[1]


def long(report):
    """Rows that threads share, and that no model could check by elements: order, and that nothing is lost."""
    if report.device != "host":
        return
    n = 1 << 22
    for d in ("float32", "int64", "int16"):
        x = numbers(d, n, 6)
        got = sort(report.array(x)).numpy()
        report.check(f"long {d} in order", bool(np.all(got[1:] >= got[:-1])))
        report.check(f"long {d} the same elements", bool(np.array_equal(got, np.sort(x))))
    x = numbers("float32", n, 7)
    x[::1000] = x[0]
    order = argsort(report.array(x)).numpy()
    y = x[order]
    report.check("long argsort in order", bool(np.all(y[1:] >= y[:-1])))
    report.check("long argsort stable", bool(np.all((y[1:] > y[:-1]) | (order[1:] > order[:-1]))))
    report.check("long argsort a permutation", bool(np.all(np.bincount(order, minlength=n) == 1)))
    small = (np.arange(1 << 19) * 7919 % 1000 - 500).astype("i8")  # both signs, a small range
    compare(report, "small range", sort(report.array(small)), np.sort(small))
    compare(report, "argsort small range", argsort(report.array(small)), np.argsort(small, kind="stable"))


def long_patterns(report):
    """Every type and pattern at 2^22 elements, minutes, with ARR_TEST_WHOLE=1 alone."""
    if report.device != "host" or not report.whole:
        return
    for d in oracle.ALL:
        for name, x in patterns(d, 1 << 22):
            if report.wants(f"long {d} {name}"):
                order = order_of(x)
                compare(report, f"long {d} {name}", sort(report.array(x)), x[order])
                compare(report, f"long argsort {d} {name}", argsort(report.array(x)), order)


def in_turn(report, number, one_in):
    return report.whole or (number + report.seed) % (one_in * report.one_in) == 0


def main():
    report = oracle.Report(__doc__)
    for part in (selections, long_selections, rows_and_columns, several_keys, long, long_patterns):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
