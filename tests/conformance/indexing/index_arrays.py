#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays of indices against NumPy 2, read and written: every integer type, lengths around those that are worked on at
once, lines before the list and blocks behind it, layouts of all arrays, and lists that are long enough for threads."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from indexing import INTEGERS, MODES, C, compare, get, make, put_items
from oracle import arrpy

PIECE = 1024  # places that the host works on at once
NONE = C.ARR_AXIS_NONE


def lengths(report):
    return (1, 31, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5) if report.device == "host" else (1, 33, 1025)


def list_of(n, extent, dtype, mode="raise", seed=0):
    """n numbers for an axis; some below 0, and some outside of it where that is no error."""
    info = np.iinfo(dtype)
    far = 0 if mode == "raise" else 3 * extent
    low, high = max(info.min, -extent - far), min(info.max, extent - 1 + far)
    return np.random.default_rng(n + seed).integers(low, high, n, dtype, endpoint=True)


# ------------------------------------------------------------------------------------------------- reading


def takes(report):
    """Every type of indices and elements, in every mode."""
    x = np.arange(100)
    for d, mode, n in itertools.product(INTEGERS, MODES, lengths(report)):
        at = list_of(n, x.size, d, mode)
        a, i = report.array(x), report.array(at)
        want = x.take(at.astype("int64"), mode=mode)
        compare(report, f"take {d} {mode} {n}", make("arr_take", a, i, 0, MODES[mode], None), want)
    for d in oracle.ALL:
        x = oracle.sample((70,), d, 3)
        at = list_of(40, 70, "int64")
        compare(report, f"take of {d}", make("arr_take", report.array(x), report.array(at), 0, 0, None), x[at])


def axes(report):
    """Lines before the list and blocks behind it."""
    shapes = [(7, 50, 1), (9, 50, 3), (17, 50, 16), (1, 50, 40), (3, 4, 50), (50, 2, 5), (2, 50, 0), (8, 1, 6)]
    for shape, d in itertools.product(shapes, ("uint8", "float32", "complex128")):
        x = oracle.sample(shape, d, 5)
        for axis, n in itertools.product(range(3), (1, 40, PIECE + 1)):
            if x.size == 0 and shape[axis] == 0:
                continue
            at = list_of(n, shape[axis], "int64")
            label = f"axis {axis} of {shape} {d} {n}"
            a, i = report.array(x), report.array(at)
            compare(report, f"take {label}", make("arr_take", a, i, axis, 0, None), x.take(at, axis))
            index = (slice(None),) * axis + (at,)
            compare(report, f"get {label}", get(report, a, index), x[index])
            distinct = np.unique(at % shape[axis])
            index, w = (slice(None),) * axis + (distinct,), x.copy()
            v = oracle.sample(w[index].shape, d, 6)
            put_items(report, a, index, v)
            w[index] = v
            compare(report, f"put {label}", a, w)
    matrix = np.arange(400).reshape(20, 20)
    at = list_of(30, 20, "int32").reshape(5, 6)
    compare(report, "a matrix of places", get(report, report.array(matrix), at), matrix[at])
    compare(report, "of all", make("arr_take", report.array(matrix), report.array(at), NONE, 0, None), matrix.take(at))


def layouts(report):
    """Sources, and lists, of other layouts than contiguous ones."""
    x = np.arange(6 * 8 * 10).reshape(6, 8, 10)
    at = np.arange(-5, 5)
    views = {
        "whole": lambda a: a,
        "falling": lambda a: a[::-1, ::-1, ::-1],
        "steps": lambda a: a[::2, 1::3, ::2],
        "turned": lambda a: a.T,
        "swapped": lambda a: a.transpose(1, 0, 2),
        "part": lambda a: a[1:5, 2:7, 3:9],
    }
    for name, view in views.items():
        w, a = view(x), view(report.array(x))
        for axis in range(3):
            index = at[(at >= -w.shape[axis]) & (at < w.shape[axis])]
            for kind, turn in (("", lambda i: i), ("falling", lambda i: i[::-1]), ("steps", lambda i: i[::2])):
                i, j = turn(index), turn(report.array(index))
                label = f"{name} axis {axis} list {kind}"
                compare(report, f"take {label}", make("arr_take", a, j, axis, 0, None), w.take(i, axis))
    three = report.array(np.array([3]))
    one = make("arr_broadcast_to", three, 1, arrpy.int64s([2000]))
    compare(
        report, "one place over and over", make("arr_take", report.array(x), one, 1, 0, None), x.take([3] * 2000, 1)
    )


def pairs(report):
    """Two to five lists together."""
    x = np.arange(4 * 5 * 6 * 7 * 3).reshape(4, 5, 6, 7, 3)
    for k, n in itertools.product(range(2, 6), lengths(report)):
        lists = tuple(
            list_of(n, x.shape[d], ("int64", "int8", "uint16", "int32", "uint64")[d], seed=d) for d in range(k)
        )
        plain = tuple(i.astype("int64") for i in lists)
        for name, view in (
            ("", lambda a: a),
            (" falling", lambda a: a[::-1, :, ::-1]),
            (" steps", lambda a: a[:, ::-2]),
        ):
            w, a = view(x), view(report.array(x))
            fits = tuple(i % e for i, e in zip(plain, w.shape, strict=False))
            used = lists if name != " steps" else fits
            want = w[plain] if name != " steps" else w[fits]
            compare(report, f"{k} lists of {n}{name}", get(report, a, used), want)
    y, i = np.zeros((30, 40), "f4"), (list_of(2000, 30, "int64"), list_of(2000, 40, "int32", seed=9))
    a, v = report.array(y), np.arange(2000, dtype="f4")
    put_items(report, a, i, v)
    y[i] = v
    compare(report, "two lists written", a, y)


# ------------------------------------------------------------------------------------------------- writing


def writes(report):
    """The last value wins, in whatever piece it lies."""
    for n, d in itertools.product(lengths(report), ("uint8", "int16", "float32", "float64", "complex128")):
        x = oracle.sample((50,), d, 3)
        at, v = list_of(n, 50, "int64"), oracle.sample((n,), d, 4)
        a, w = report.array(x), x.copy()
        put_items(report, a, at, v)
        w[at] = v
        compare(report, f"write {d} {n}", a, w)
        put_items(report, a, at, v[:1])
        w[at] = v[0]
        compare(report, f"write one {d} {n}", a, w)
        put_items(report, a[::-1], at, 1)
        w[::-1][at] = 1
        compare(report, f"write a number {d} {n}", a, w)
    x, at = np.arange(60.0).reshape(20, 3), list_of(1500, 20, "int64")
    values = {
        "rows": np.arange(4500.0).reshape(1500, 3),
        "one row": np.arange(3.0),
        "one row of a matrix": np.arange(3.0).reshape(1, 3),
        "a column": np.arange(1500.0).reshape(1500, 1),
        "integers": np.arange(4500).reshape(1500, 3),
        "floats": np.arange(4500, dtype="f4").reshape(1500, 3),
        "a turned matrix": np.arange(4500.0).reshape(3, 1500).T,
        "a number": 7,
    }
    for name, v in values.items():
        a, w = report.array(x), x.copy()
        put_items(report, a, at, v)
        w[at] = v
        compare(report, f"rows become {name}", a, w)


def aliases(report):
    """The array that is written is also read: as it was before."""
    x = np.arange(3000)
    at = np.random.default_rng(1).permutation(3000)
    a, w = report.array(x), x.copy()
    put_items(report, a, at, a)
    w[at] = x
    compare(report, "b[places] = b", a, w)
    a, w = report.array(x), x.copy()
    put_items(report, a, at[:1000], a[500:1500])
    w[at[:1000]] = x[500:1500]
    compare(report, "b[places] = a part of b", a, w)
    a = report.array(at)
    put_items(report, a, a, x)
    w = at.copy()
    w[at] = x
    compare(report, "b[b] = values", a, w)


def refusals(report):
    """An index out of range, wherever it stands, is an error; nothing is written."""
    for n, lines in itertools.product(lengths(report), (1, 20)):
        x = np.arange(lines * 40).reshape(lines, 40)
        for position, bad in itertools.product({0, n // 2, n - 1}, (-41, 40, 2**62, -(2**63))):
            at = list_of(n, 40, "int64")
            at[position] = bad
            a = report.array(x)
            index = (slice(None), at)
            for what, attempt in (
                ("get", lambda a=a, i=index: get(report, a, i).numpy()),
                ("put", lambda a=a, i=index: put_items(report, a, i, 5)),
            ):
                text = ""
                try:
                    attempt()
                except arrpy.Error as e:
                    text = str(e)
                good = f"index {bad} along axis 1 of extent 40, expected -40 to 39" in text
                report.check(f"{what} {n} {lines} {position} {bad} refused", good, text)
            compare(report, f"{n} {lines} {position} {bad} writes nothing", a, x)


# ------------------------------------------------------------------------------------------------- long lists


def long(report):
    """Lists for threads, and results that are written past the caches."""
    if report.device != "host":
        return
    r = np.random.default_rng(3)
    n = 3 << 20
    for d in ("uint8", "int16", "float32", "float64", "complex128"):
        x = r.integers(0, 100, 1 << 20).astype(d)
        at = r.integers(-x.size, x.size, n)
        a, i = report.array(x), report.array(at)
        compare(report, f"long take {d}", make("arr_take", a, i, 0, 0, None), x[at])
        v = r.integers(0, 100, n).astype(d)
        put_items(report, a, at, v)
        x[at] = v
        compare(report, f"long put {d}", a, x)
        put_items(report, a[::-1], at[: n // 8], 7)
        x[::-1][at[: n // 8]] = 7
        compare(report, f"long put of a number {d}", a, x)
    for shape, axis in (((2000, 1500), 1), ((2000, 1500), 0), ((40, 60, 700), 1), ((3, 500, 2000), 1)):
        x = r.normal(size=shape).astype("f4")
        at = r.integers(-shape[axis], shape[axis], shape[axis])
        a, i = report.array(x), report.array(at)
        compare(report, f"long take {shape} {axis}", make("arr_take", a, i, axis, 0, None), x.take(at, axis))
        index = (slice(None),) * axis + (np.unique(at % shape[axis])[::-1],)
        put_items(report, a, index, x[index] + 1)
        x[index] += 1
        compare(report, f"long put {shape} {axis}", a, x)
    long_writes(report, r)
    at = r.integers(0, n, n)
    at[n - 7] = n
    y = report.array(np.zeros(n, "u1"))
    report.check("long put refused", oracle.raises(C.ARR_E_ARGUMENT, lambda: put_items(report, y, at, 1)))
    compare(report, "long put writes nothing", y, np.zeros(n, "u1"))


def long_writes(report, r):
    """Long lists write: parts of their own source, by two lists, and in more than one round."""
    x = r.integers(0, 1 << 30, 1 << 20)
    for name, view in (("", lambda a: a), (" falling", lambda a: a[::-1]), (" steps", lambda a: a[::3])):
        a, w = report.array(x), x.copy()
        old = view(w).copy()
        at = r.integers(-old.size, old.size, old.size)
        put_items(report, view(a), at, view(a))
        view(w)[at] = old
        compare(report, f"long b[places] = b{name}", a, w)
    for name, view in (("", lambda a: a), (" falling", lambda a: a[::-1, ::-1]), (" turned", lambda a: a.T)):
        a, w = report.array(x.reshape(1024, 1024)), x.reshape(1024, 1024).copy()
        i, j, v = r.integers(-1024, 1024, 200_000), r.integers(0, 1024, 200_000), r.integers(0, 99, 200_000)
        put_items(report, view(a), (i, j), v)
        view(w)[i, j] = v
        compare(report, f"long put by two lists{name}", a, w)
        i[199_999] = 1024
        refused = oracle.raises(C.ARR_E_ARGUMENT, lambda a=view(a), i=(i, j): put_items(report, a, i, v + 1))
        report.check(f"long put by two lists{name} refused", refused)
        compare(report, f"long put by two lists{name} writes nothing", a, w)
    n = (1 << 24) + 1000
    w = np.zeros(n, "u1")
    a, at = report.array(w), r.integers(0, n, n, "i4")
    v = r.integers(0, 256, n, "u1")
    put_items(report, a, at, v)
    w[at] = v
    compare(report, "long put in rounds", a, w)
    put_items(report, a, at, a)
    w[at] = w.copy()
    compare(report, "long b[places] = b in rounds", a, w)
    at[n - 1] = n
    report.check("rounds refused", oracle.raises(C.ARR_E_ARGUMENT, lambda: put_items(report, a, at, 1)))
    compare(report, "rounds write nothing", a, w)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((takes, axes, layouts, pairs, writes, aliases, refusals, long)):
        part(r)
    r.finish()
