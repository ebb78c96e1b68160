#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gathers as steps of programs against NumPy 2: in expressions and recording scopes, all index types, bad indices."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrexpr
import arrfuse
from indexing import call, compare, get, make, put_items, value

C = arrpy.c
INTEGERS = oracle.SIGNED + oracle.UNSIGNED
MODES = {"raise": C.ARR_BOUNDS_RAISE, "clip": C.ARR_BOUNDS_CLIP, "wrap": C.ARR_BOUNDS_WRAP}


def told(report, attempt):
    """The error of a bad index: at once on a host that works at once, else of the next call that waits."""
    try:
        made = attempt()
    except arrpy.Error as e:
        return e, True
    try:
        made.numpy()
    except arrpy.Error as e:
        return e, False
    return None, False


# -------------------------------------------------------------------------------------------- expressions


def fused(report):
    """b[idx] * 2 + c[i, j] and its kin in one pass."""
    r = np.random.default_rng(1)
    b, c = np.array(oracle.sample((50,), "float32", 1, "tame")), np.array(oracle.sample((6, 7), "float32", 2, "tame"))
    idx, i, j = r.integers(-50, 50, (9, 11)), r.integers(-6, 6, (9, 1)), r.integers(-7, 7, 11)
    e = arrexpr.Expr()
    x, y = e.gather(0, e.input(2)), e.gather(1, e.input(3), e.input(4))
    e.node = e.op("add", e.op("multiply", x, e.constant(2)), y)
    arrays = [report.array(a) for a in (b, c, idx, i, j)]
    compare(report, "b[idx] * 2 + c[i, j]", e.run(*arrays), b[idx] * np.float32(2) + c[i, j])
    report.check("one program", "load" in e.describe(*arrays), e.describe(*arrays))
    want = (b[idx] * np.float32(2) + c[i, j]).astype("f8")
    got = e.reduce("max", *arrays)
    compare(report, "max of it", got, np.float32(want.max()))
    got = e.scan("max", *arrays, axis=1)
    compare(report, "running max of it", got, np.maximum.accumulate(want.astype("f4"), axis=1))

    deep = arrexpr.Expr()
    deep.node = deep.gather(0, deep.gather(1, deep.input(2)))
    inner = r.integers(0, 50, 20)
    at = r.integers(0, 20, 300)
    compare(report, "b[p[i]]", deep.run(arrays[0], report.array(inner), report.array(at)), b[inner[at]])

    same = arrexpr.Expr()
    index = same.input(1)
    same.node = same.op("add", same.gather(0, index), same.cast(index, "float32"))
    compare(report, "b[i] + i", same.run(arrays[0], arrays[2]), b[idx] + idx.astype("f4"))

    moved = arrexpr.Expr()
    moved.node = moved.gather(0, moved.op("add", moved.input(1), moved.constant(1)))
    compare(report, "b[i + 1]", moved.run(arrays[0], report.array(idx[:, :1] % 49)), b[idx[:, :1] % 49 + 1])

    count = arrexpr.Expr()
    count.node = count.op("multiply", count.gather(0, count.index(0)), count.input(1))
    compare(report, "b[index] * x", count.run(arrays[0], report.array(b)), b * b)


def whole_axes(report):
    """Axes without a node broadcast as those of an input."""
    a = np.array(oracle.sample((5, 6, 7), "float64", 3, "tame"))
    i, j = np.array([4, -1, 0]), np.array([[1], [5]])
    for axes, index, want in (
        ((None, 0, None), j, lambda a: a[:, j[:, 0], :]),
        ((0, None, None), i[:, None, None], lambda a: a[i]),
        ((None, None, 0), i, lambda a: a[:, :, i]),
        ((0, 0, None), i[:, None], lambda a: a[i, i]),
        ((None, 0, 0), i, lambda a: a[:, i, i]),
    ):
        for label, lay in (("plain", lambda x: x), ("reversed", lambda x: x[::-1, ::-1, ::-1])):
            e = arrexpr.Expr()
            node = e.input(1)
            e.node = e.gather(0, *(None if x is None else node for x in axes))
            compare(report, f"axes {axes} {label}", e.run(lay(report.array(a)), report.array(index)), want(lay(a)))


def views(report):
    """Sources of every layout, in place of memory that is contiguous."""
    a = np.array(oracle.sample((8, 9), "float32", 4, "tame"))
    i, j = np.array([0, 7, -8, 3]), np.array([[8], [-9], [4]])
    layouts = {
        "plain": lambda x: x,
        "transposed": lambda x: x.T,
        "reversed": lambda x: x[::-1],
        "steps": lambda x: x[:, ::2],
        "offset": lambda x: x[1:, 1:],
    }
    for label, lay in layouts.items():
        source = lay(a)
        rows, columns = i % source.shape[0], j % source.shape[1]
        e = arrexpr.Expr()
        e.node = e.op("negative", e.gather(0, e.input(1), e.input(2)))
        dev = [lay(report.array(a)), report.array(rows), report.array(columns)]
        compare(report, f"layout {label}", e.run(*dev), -source[rows, columns])
        compare(report, f"read of {label}", get(report, dev[0], (rows, columns)), source[rows, columns])
        compare(report, f"rows of {label}", get(report, dev[0], rows), source[rows])
        compare(
            report, f"columns of {label}", get(report, dev[0], (slice(None), columns[:, 0])), source[:, columns[:, 0]]
        )
    wide = report.array(np.arange(5)).broadcast_to((3, 5))
    compare(report, "a broadcast array", get(report, wide, (np.array([2, 0]), np.array([4, 1]))), np.array([4, 1]))


def types(report):
    """Every type of elements and of indices, in expressions and alone."""
    for d in INTEGERS:
        b = np.array(oracle.sample((100,), "float32", 5, "tame"))
        at = np.array([0, 99, 5, 17, 17] * 60, d)
        e = arrexpr.Expr()
        e.node = e.op("negative", e.gather(0, e.input(1)))
        compare(report, f"index {d}", e.run(report.array(b), report.array(at)), -b[at])
        for mode, bounds in MODES.items():
            out = at if mode == "raise" else np.concatenate([at, np.array([np.iinfo(d).max, np.iinfo(d).min], d)])
            got = make("arr_take", report.array(b), report.array(out), 0, bounds, None)
            compare(report, f"take {d} {mode}", got, b[position(out, 100, mode)])
    if report.device != "host":
        return
    for d in oracle.ALL:
        x = oracle.sample((40, 3), d, 6)
        at = np.array([39, 0, -1, 7])
        compare(report, f"elements {d}", get(report, report.array(x), at), x[at])
        compare(report, f"columns {d}", get(report, report.array(x), (slice(None), np.array([2, 0]))), x[:, [2, 0]])


def position(at, n, mode):
    if mode == "clip":
        return np.clip(at, 0, n - 1).astype("i8")
    if mode == "wrap":
        return np.array([int(x) % n for x in at.ravel()], "i8").reshape(at.shape)
    return at.astype("i8")


def sizes(report):
    """Rows that are copied, offsets that rows share, tiles and their rests, in parallel too."""
    r = np.random.default_rng(2)
    a = np.array(oracle.sample((300, 257), "float32", 7, "tame"))
    dev = report.array(a)
    rows, columns = r.integers(-300, 300, 500), r.integers(-257, 257, 700)
    whole = report.device == "host"
    for label, index in {
        "rows": (rows,),
        "columns": (slice(None), columns),
        "both": (rows[:, None], columns) if whole else (rows[:40, None], columns[:30]),
        "pairs": (rows, columns[:500]),
        "few columns": (slice(0, 300, 7), columns),
        "a part of rows": (rows, slice(3, 200, 2)),
    }.items():
        compare(report, f"size {label}", get(report, dev, index), a[index])
    if not whole:
        return
    big = r.random(3_000_000, "f4")
    at = r.integers(-big.size, big.size, 2_500_000)
    compare(report, "a long take", get(report, report.array(big), at), big[at])
    e = arrexpr.Expr()
    e.node = e.op("add", e.gather(0, e.input(1)), e.input(2))
    more = r.random(at.size, "f4")
    got = e.run(report.array(big), report.array(at), report.array(more))
    compare(report, "a long sum", got, big[at] + more)


# ---------------------------------------------------------------------------------------------- bad indices

BAD = (-(2**63), 2**63 - 1, 2**63 + 1)


def bad_indices(report):
    n = 10
    b = np.arange(n, dtype="f8")
    dev = report.array(b)
    for d in INTEGERS:
        limits = np.iinfo(d)
        for x in (-n - 1, -n, n - 1, n, *BAD):
            if not limits.min <= x <= limits.max:
                continue
            good = (-n if d[0] == "i" else 0) <= x < n
            at = np.array([0] * 700 + [x, 1], d)
            e = arrexpr.Expr()
            e.node = e.op("add", e.gather(0, e.input(1)), e.constant(1))
            label = f"index {x} of {d}"
            for what, attempt in (
                ("read", lambda at=at: get(report, dev, at)),
                ("expression", lambda e=e, at=at: e.run(dev, report.array(at))),
                ("sum", lambda e=e, at=at: e.reduce("sum", dev, report.array(at))),
            ):
                error, _ = told(report, attempt)
                if good:
                    report.check(f"{label} {what}", error is None, str(error))
                    continue
                named = error is not None and f"index {x} along axis 0 of extent {n}" in str(error)
                report.check(f"{label} {what} refused", named, str(error))
            target = report.array(b)
            refused = oracle.raises(C.ARR_E_ARGUMENT, lambda at=at, t=target: put_items(report, t, at, -1.0))
            report.check(f"{label} write", refused == (not good))
            if not good:
                compare(report, f"{label} target", target, b)


def later(report):
    """A fault of a device that works on its own names the call that enqueued it, and the device goes on."""
    dev = report.array(np.arange(12.0).reshape(3, 4))
    rows, columns = np.array([0, 2, 1]), np.array([0, -5, 3])
    error, at_once = told(report, lambda: get(report, dev, (rows, columns)))
    text = str(error)
    report.check("names axis and extent", "index -5 along axis 1 of extent 4, expected -4 to 3" in text, text)
    report.check("status", error is not None and error.status == C.ARR_E_ARGUMENT, text)
    if not at_once:
        report.check("names the call", "arr_get_items: argument indices" in text, text)
        compare(report, "told once", get(report, dev, (rows, rows)), np.arange(12.0).reshape(3, 4)[rows, rows])
        got = make("arr_take", dev.handle, report.array(np.array([7])), 0, C.ARR_BOUNDS_RAISE, None)
        sync = lambda: arrpy.call("arr_device_sync", ctypes.byref(arrpy.device_of(report.device)))
        report.check("a device's sync tells", oracle.raises(C.ARR_E_ARGUMENT, sync))
        report.check("and then no more", not oracle.raises(C.ARR_E_ARGUMENT, sync))
        del got
    compare(report, "the device goes on", dev[1:] * dev[1:], np.arange(4.0, 12.0).reshape(2, 4) ** 2)
    empty = report.array(np.zeros((0, 4)))
    report.check("an empty axis", oracle.raises(C.ARR_E_ARGUMENT, lambda: get(report, empty, rows)))
    compare(report, "no indices of it", get(report, empty, np.zeros(0, "i8")), np.zeros((0, 4)))


def choices(report):
    """arr_choose checks its numbers in the pass that chooses."""
    numbers, lists = np.array([2, 0, 1, 2]), [np.arange(4.0) + 10 * k for k in range(3)]
    dev = [report.array(x) for x in lists]
    handles = (C.arr_array * 3)(*(x.handle for x in dev))
    for mode, bounds in MODES.items():
        at = numbers if mode == "raise" else numbers - 4
        got = make("arr_choose", report.array(at), 3, handles, bounds, None)
        compare(report, f"choose {mode}", got, np.choose(at, lists, mode=mode))
    for x in (-1, 3):
        attempt = lambda x=x: make("arr_choose", report.array(numbers * 0 + x), 3, handles, C.ARR_BOUNDS_RAISE, None)
        error, _ = told(report, attempt)
        report.check(f"choice {x} refused", error is not None and f"index {x} of 3 choices" in str(error), str(error))


# ------------------------------------------------------------------------------------------------- recording


def recorded(report):
    """A gather is recorded like any operation, and reads its source as it was."""
    b, at = np.arange(100.0), np.array([3, 99, -1, 0] * 50)
    dev, index = report.array(b), report.array(at)
    two, ones = report.array(np.float64(2)), report.array(np.ones(200))
    before = arrfuse.counts()
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    got = make("arr_take", dev.handle, index, 0, C.ARR_BOUNDS_RAISE, None)
    double = got * two
    result = double + ones
    del got, double
    arrpy.call("arr_fuse_end")
    operations, programs, _ = arrfuse.counts(before)
    compare(report, "recorded b[i] * 2 + 1", result, b[at] * 2 + 1)
    report.check("one program of three", (operations, programs) == (3, 1), f"{programs} of {operations}")

    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    source = dev * report.array(np.float64(1))
    got = get(report, source, at)
    put_items(report, source, np.array([3]), -7.0)
    more = got + report.array(np.zeros(200))
    arrpy.call("arr_fuse_end")
    compare(report, "read before a write", more, b[at])
    changed = b.copy()
    changed[3] = -7
    compare(report, "the write after", source, changed)

    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    indices = index + report.array(np.int64(0))
    got = make("arr_take", dev.handle, indices, 0, C.ARR_BOUNDS_WRAP, None)
    call("arr_put", dev.handle, report.array(np.array([99])), value(report, np.array([5.0])), 0, None)
    arrpy.call("arr_fuse_end")
    compare(report, "recorded places", got, b[at])
    b[99] = 5
    compare(report, "a later put", dev, b)

    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    bad = get(report, dev, np.array([100]))
    try:
        arrpy.call("arr_fuse_end")
        bad.numpy()
        report.check("recorded fault", False)
    except arrpy.Error as e:
        text = str(e)
        report.check("recorded fault", "arr_get_items: argument indices: index 100" in text, text)


def recorded_selections(report):
    """Recorded gathers are conditions, values and sources of calls that mark and select, which run them."""
    for n in (200, 9000) if report.device == "host" else (200,):
        b, at = np.arange(100.0), np.random.default_rng(n).integers(-100, 100, n)
        dev, index = report.array(b), report.array(at)
        half, two = report.array(np.float64(50)), report.array(np.float64(2))
        count, dst = report.array(np.int64(-1)), report.array(np.zeros(n))
        target, wanted = report.array(np.zeros(n)), np.zeros(n)
        arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
        some = get(report, dev, index)
        mask, values = some > half, some * two
        picked = get(report, values, mask)
        indices = make("arr_flatnonzero", mask.handle, None)
        pressed = make("arr_compress", mask.handle, values.handle, 0, None)
        call("arr_extract_sized", dst, count, mask, values, value(report, -1.0), None)
        call("arr_place", target, mask, value(report, some), None)
        arrpy.call("arr_fuse_end")
        m, v = b[at] > 50, b[at] * 2
        compare(report, f"recorded mask and values {n}", picked, v[m])
        compare(report, f"recorded flatnonzero {n}", indices, np.flatnonzero(m))
        compare(report, f"recorded compress {n}", pressed, v[m])
        compare(report, f"recorded extract_sized {n}", dst, np.append(v[m], np.full(n - m.sum(), -1.0)))
        compare(report, f"recorded count {n}", count, np.int64(m.sum()))
        np.place(wanted, m, b[at])
        compare(report, f"recorded place {n}", target, wanted)

        arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
        at[n // 2] = 100
        mask = get(report, dev, report.array(at)) > half
        error, _ = told(report, lambda: make("arr_flatnonzero", mask.handle, None))
        del mask
        arrpy.call("arr_fuse_end")
        report.check(f"recorded fault in marks {n}", error is not None and "index 100 " in str(error), str(error))


def aliases(report):
    """A destination that is the source, or the indices, of a gather in an expression."""
    b, at = np.arange(50.0), np.random.default_rng(3).permutation(50)
    e = arrexpr.Expr()
    e.node = e.op("add", e.gather(0, e.input(1)), e.constant(0.5))
    dev = report.array(b)
    e.run(dev, report.array(at), out=dev)
    compare(report, "into the source", dev, b[at] + 0.5)
    dev = report.array(b)
    e.run(dev[::-1], report.array(at), out=dev)
    compare(report, "into the reversed source", dev, b[::-1][at] + 0.5)
    whole = arrexpr.Expr()
    whole.node = whole.gather(0, whole.input(1))
    index = report.array(at)
    whole.run(report.array(at * 2), index, out=index)
    compare(report, "into the indices", index, (at * 2)[at])


def mistakes(report):
    e = arrexpr.Expr()
    node = e.input(1)
    e.node = e.gather(0, node, node)
    a, at = report.array(np.zeros((4, 5))), report.array(np.array([0, 1]))
    for label, status, attempt in (
        ("dimensions", C.ARR_E_SHAPE, lambda: e.run(report.array(np.zeros(4)), at)),
        ("float indices", C.ARR_E_DTYPE, lambda: e.run(a, report.array(np.array([0.0, 1.0])))),
        ("an input too few", C.ARR_E_ARGUMENT, lambda: e.run(a)),
        ("input's number", C.ARR_E_ARGUMENT, lambda: e.gather(1024, node)),
        ("unknown node", C.ARR_E_ARGUMENT, lambda: e.gather(0, 99)),
        ("unknown bounds", C.ARR_E_ARGUMENT, lambda: e.gather(0, node, bounds=5)),
        ("an empty axis", C.ARR_E_ARGUMENT, lambda: e.run(report.array(np.zeros((0, 5))), at)),
    ):
        report.check(f"{label} refused", oracle.raises(status, attempt))


def main():
    report = oracle.Report(__doc__)
    for part in (
        fused,
        whole_axes,
        views,
        types,
        sizes,
        bad_indices,
        later,
        choices,
        recorded,
        recorded_selections,
        aliases,
        mistakes,
    ):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
