#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operands whose fastest axes differ, at extents around the edges of tiles, against NumPy."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrexpr

SHAPES = [(31, 33), (33, 65), (65, 31), (70, 130), (16, 15), (1000, 17)]
DTYPES = ["uint8", "float16", "float32", "complex128"]


def sample(shape, d, seed):
    return np.asarray(oracle.sample(shape, d, seed))


def into(report, label, name, args, views):
    """An op on views of arrays, into memory of C order in a guarded frame."""
    want = getattr(np, name)(*(v(a) for v, a in zip(views, args)))
    frame = report.array(np.ones(tuple(n + 2 for n in want.shape), want.dtype))
    inside = (slice(1, -1),) * want.ndim
    devices = [report.array(a) for a in args]
    arrpy.apply(name, *(v(a) for v, a in zip(views, devices)), out=frame[inside])
    got = frame.numpy()
    report.check(label, oracle.same(got[inside], want), f"{got[inside].ravel()[:4]}, want {want.ravel()[:4]}")
    got[inside] = 1
    report.check(f"{label}: around", bool(np.all(got == 1)))
    for a, d in zip(args, devices):
        report.check(f"{label}: operands", oracle.same(d.numpy(), a))


def planes(report):
    for d, shape in itertools.product(DTYPES, SHAPES):
        x, y = sample(shape[::-1], d, 1), sample(shape[::-1], d, 2)
        turned, backwards = (lambda a: a.T), (lambda a: a[::-1, ::-1].T)
        into(report, f"{d} {shape} positive", "positive", [x], [turned])
        into(report, f"{d} {shape} add", "add", [x, sample(shape, d, 3)], [turned, lambda a: a])
        into(report, f"{d} {shape} add both", "add", [x, y], [turned, backwards])
        if d == "float32":
            row = sample((1, shape[1]), d, 4)
            into(report, f"{d} {shape} with a row", "multiply", [x, row], [turned, lambda a: a])
        copy = report.array(x).T.copy("C")
        report.check(f"{d} {shape} copy", oracle.same(copy.numpy(), np.ascontiguousarray(x.T)))


def cubes(report):
    for order in itertools.permutations(range(3)):
        for shape in ((3, 33, 31), (20, 17, 35)):
            x, y = sample(shape, "float32", 5), sample(tuple(shape[i] for i in order), "float32", 6)
            into(report, f"{order} {shape}", "subtract", [x, y], [lambda a: a.transpose(*order), lambda a: a])
            into(
                report, f"{order} {shape} step", "negative", [np.repeat(x, 2, 0)], [lambda a: a[::2].transpose(*order)]
            )


def streams(report):
    """Results too long for the caches are written past them, along long rows in small tiles."""
    n = (8 << 20) // 4 + 77
    mask, x, y = sample((n,), "bool", 7), sample((n,), "float32", 8), sample((n,), "float32", 9)
    whole, every = (lambda a: a), (lambda a: a[::2])
    into(report, "where", "where", [mask, x, y], [whole] * 3)
    into(report, "where of one element", "where", [mask, x, y[:1]], [whole] * 3)
    into(report, "where, not aligned", "where", [sample((n + 1,), "bool", 10), x, y], [lambda a: a[1:], whole, whole])
    into(
        report,
        "where of every other",
        "where",
        [sample((2 * n,), "bool", 11), x, sample((2 * n,), "float32", 12)],
        [every, whole, every],
    )
    rows = (513, 4201)
    into(
        report,
        "where of a row and a column",
        "where",
        [sample(rows, "bool", 13), sample((1, rows[1]), "float32", 14), sample((rows[0], 1), "float32", 15)],
        [whole] * 3,
    )
    into(report, "add", "add", [x, y], [whole] * 2)
    into(report, "add of rows", "add", [sample((1, rows[1]), "float32", 16), sample(rows, "float32", 17)], [whole] * 2)
    large = (("uint8", (1025, 9001)), ("float16", (4200, 1025)), ("complex128", (513, 1024)), ("float64", (1030, 1024)))
    for d, shape in report.turn(large):
        x, y = sample(shape, d, 18), sample((2,) + shape, d, 19)
        into(report, f"{d} {shape} add", "add", [x, y], [whole, lambda a: a[1]])
        into(report, f"{d} {shape} positive", "positive", [x], [whole])
        into(report, f"{d} {shape} add, backwards rows", "add", [x, y], [lambda a: a[::-1], lambda a: a[0]])


def streams_in_place(report):
    """Results that are operands, of one step and of several, one and two of them."""
    n = (8 << 20) // 4 + 333
    x, y = sample((n,), "float32", 20), sample((n,), "float32", 21)
    a, b = report.array(x), report.array(y)
    arrpy.apply("subtract", a, b, out=a)
    arrpy.apply("subtract", a, b, out=b)
    report.check("subtract in place", oracle.same(a.numpy(), x - y) and oracle.same(b.numpy(), x - y - y))
    e = arrexpr.parse("a*b - a + 3")
    e.run(a, b, out=a)
    want = ((x - y) * (x - y - y)) - (x - y) + np.float32(3)
    report.check("formula in place", oracle.same(a.numpy(), want))
    arrpy.ufunc_pair_into("divmod", (b, a), a, b)
    second = x - y - y
    report.check("divmod in place", all(oracle.same(got.numpy(), w) for got, w in zip((b, a), np.divmod(want, second))))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    planes(r)
    cubes(r)
    if r.device == "host":
        streams(r)
        streams_in_place(r)
    r.finish()
