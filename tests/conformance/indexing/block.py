#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nested lists of blocks put together, and elements repeated by counts of their own, against NumPy 2."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from manipulation import equal, layouts, of, types
from oracle import arrpy
from products import handles, on

C = arrpy.c
NONE = C.ARR_AXIS_NONE


def block(arrays, depth, lengths):
    return arrpy.made("arr_block", len(arrays), handles(arrays), depth, len(lengths), arrpy.int32s(lengths), None)


def flattened(nested, report):
    """The arrays of nested lists, their depth, and the lengths of the lists."""
    if not isinstance(nested, list):
        return [report.array(nested)], 0, []
    parts = [flattened(n, report) for n in nested]
    return [a for p in parts for a in p[0]], parts[0][1] + 1, [len(nested)] + [n for p in parts for n in p[2]]


def blocks(report):
    def x(*shape, d="float64"):
        return oracle.sample(shape, d, sum(shape) + len(shape), "tame")

    cases = [
        x(2, 3),
        x(),
        [x(3), x(2), x(1)],
        [x(), x()],
        [[x(2, 3), x(2, 1)], [x(1, 4)]],
        [[x(2, 3), x(2, 1)], [x(4)], [x(3, 2), x(3, 1), x(3, 1)]],
        [[x(2, 0), x(2, 2)], [x(0, 2)]],
        [[[x(2, 2, 2), x(2, 2, 1)]], [[x(1, 2, 3)]]],
        [[[x(1)]], [[x(1)]]],
        [[x(5, 2, 3), x(5, 2, 4)], [x(5, 1, 7)]],
        [x(2, 3), x(2, 5)],
        [[x(1, 2, d="int8"), x(1, 1, d="float32")], [x(1, 3, d="bool")]],
        [[x(1, 2, d="uint64"), x(1, 1, d="int64")]],
    ]
    for k, nested in enumerate(cases):
        equal(report, f"block {k}", block(*flattened(nested, report)), np.block(nested))
    v = report.array(np.ones(3))
    for label, status, arguments in (
        ("shapes", C.ARR_E_SHAPE, ([v, report.array(np.ones((2, 2)))], 2, [2, 1, 1])),
        ("lists", C.ARR_E_ARGUMENT, ([v, v], 2, [2, 1])),
        ("more lists", C.ARR_E_ARGUMENT, ([v, v], 1, [2, 1])),
        ("arrays", C.ARR_E_ARGUMENT, ([v], 1, [2])),
        ("more arrays", C.ARR_E_ARGUMENT, ([v, v, v], 1, [2])),
        ("an empty list", C.ARR_E_ARGUMENT, ([v], 1, [0])),
        ("no array", C.ARR_E_ARGUMENT, ([], 0, [])),
        ("depth", C.ARR_E_ARGUMENT, ([v], 33, [1] * 33)),
        ("depth below 0", C.ARR_E_ARGUMENT, ([v], -1, [])),
    ):
        report.check(f"block refuses {label}", oracle.raises(status, lambda a=arguments: block(*a)))


def counted(report):
    counts = [2, 0, 3, 1, 0]
    for d in types(report, ["float32", "complex128"]):
        x = oracle.sample((5, 3), d, 4)
        for layout in layouts(report):
            a = on(report, x, layout)
            want = np.repeat(x, counts, 0)
            for kind, total in (("int64", -1), ("int32", 6), ("uint8", -1)):
                c = report.array(np.array(counts, kind))
                equal(report, f"repeat {d} {layout} {kind}", of("repeat_counts", a, c, 0, total, None), want)
            c = report.array(np.array([1, 0, 2]))
            equal(
                report,
                f"repeat {d} {layout} last axis",
                of("repeat_counts", a, c, -1, -1, None),
                np.repeat(x, [1, 0, 2], 1),
            )
            flat = np.arange(15) % 4
            c = report.array(flat)
            equal(report, f"repeat {d} {layout} flat", of("repeat_counts", a, c, NONE, -1, None), np.repeat(x, flat))
            one = report.array(np.array([3]))
            equal(
                report, f"repeat {d} {layout} one count", of("repeat_counts", a, one, 1, -1, None), np.repeat(x, [3], 1)
            )
    for d in types(report, ["float32"]):  # rows of several elements, which begin at any element
        x = oracle.sample((5, 9), d, 5)
        for first, width in itertools.product(range(3), (2, 4)):
            part = slice(first, first + width)
            a, c = report.array(x)[:, part], report.array(np.array(counts))
            label = f"repeat {d} columns {first} to {first + width}"
            equal(report, label, of("repeat_counts", a, c, 0, -1, None), np.repeat(x[:, part], counts, 0))
    x = np.arange(3.0)
    a, zeros = report.array(x), report.array(np.zeros(3, "int64"))
    equal(report, "repeat nothing", of("repeat_counts", a, zeros, 0, -1, None), np.repeat(x, [0, 0, 0]))
    equal(report, "repeat of nothing", of("repeat_counts", a[:0], zeros[:0], 0, -1, None), x[:0])
    equal(report, "repeat by a number", of("repeat_counts", a, report.array(np.int32(2)), 0, -1, None), np.repeat(x, 2))
    r = np.random.default_rng(1)
    n = 300000 if report.device == "host" else 3000
    y, many = r.normal(size=n), r.integers(0, 4, n)
    equal(
        report, "repeat many", of("repeat_counts", report.array(y), report.array(many), 0, -1, None), np.repeat(y, many)
    )
    runs(report)
    too_many = of("repeat_counts", a, report.array(np.array([1, 1, 1])), 0, 9, None).numpy()
    report.check("repeat of a total that is too large", too_many.shape == (9,) and (too_many[:3] == x).all())
    for label, status, c, axis, total in (
        ("counts below 0", C.ARR_E_ARGUMENT, [1, -1, 2], 0, -1),
        ("another number of counts", C.ARR_E_SHAPE, [1, 2], 0, -1),
        ("a matrix of counts", C.ARR_E_SHAPE, [[1, 2, 3]], 0, -1),
        ("floats", C.ARR_E_DTYPE, [1.0, 2.0, 3.0], 0, -1),
        ("an axis", C.ARR_E_SHAPE, [1, 2, 3], 1, -1),
        ("a total below -1", C.ARR_E_ARGUMENT, [1, 2, 3], 0, -2),
        ("a hopeless total", C.ARR_E_SHAPE, [1, 2, 3], 0, 2**62),
    ):
        c = report.array(np.array(c))
        refused = oracle.raises(status, lambda c=c, x=axis, t=total: of("repeat_counts", a, c, x, t, None))
        report.check(f"repeat refuses {label}", refused)
    none = oracle.raises(C.ARR_E_ARGUMENT, lambda: of("repeat_counts", a[:0], zeros[:0], 0, 2, None))
    report.check("repeat refuses a total of nothing", none)


def runs(report):
    """Counts of every kind, blocks of every size, and results for threads and past the caches."""
    r = np.random.default_rng(2)
    host = report.device == "host"
    for kind, high in (("few", 3), ("many", 90), ("none", 1)):
        counts = r.integers(0, high, 700)
        counts[[3, 400]] = 5000 if host else 50
        c = report.array(counts)
        for d, width in itertools.product(("uint8", "int16", "float32", "complex64", "complex128"), (1, 2, 3, 7)):
            x = oracle.sample((700, width), d, 3)
            a = report.array(x)
            label = f"repeat {kind} of {d} x {width}"
            equal(report, label, of("repeat_counts", a, c, 0, -1, None), np.repeat(x, counts, 0))
            equal(
                report, f"{label} falling", of("repeat_counts", a[::-1], c, 0, -1, None), np.repeat(x[::-1], counts, 0)
            )
            short = int(counts.sum()) - 77
            got = of("repeat_counts", a, c, 0, short, None)
            equal(report, f"{label} cut", got, np.repeat(x, counts, 0)[:short])
        lines = r.integers(0, 99, (5, 700)).astype("f4")
        got = of("repeat_counts", report.array(lines), c, 1, -1, None)
        equal(report, f"repeat {kind} in lines", got, np.repeat(lines, counts, 1))
    if not host:
        return
    for d, width in (("uint8", 1), ("float32", 1), ("float64", 50)):
        x = np.arange((1 << 20) // width * width).reshape(-1, width).astype(d)
        counts = r.integers(0, 30 if width == 1 else 4, x.shape[0]).astype("i4")
        got = of("repeat_counts", report.array(x), report.array(counts), 0, -1, None)
        equal(report, f"repeat much of {d} x {width}", got, np.repeat(x, counts, 0))
    huge = report.array(np.array([2**62, 2**62, 5]))
    refused = oracle.raises(C.ARR_E_ARGUMENT, lambda: of("repeat_counts", report.array(x[:3]), huge, 0, -1, None))
    report.check("repeat refuses a sum beyond 2^63", refused)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((blocks, counted)):
        part(r)
    r.finish()
