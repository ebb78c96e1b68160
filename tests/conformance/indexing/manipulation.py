#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays joined, cut, turned, repeated and rolled against NumPy 2."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from products import handles, on

C = arrpy.c
NONE = C.ARR_AXIS_NONE
LAYOUTS = ("C", "F", "step", "back")


def joined(name, arrays, *more, dtype=None):
    return arrpy.made(f"arr_{name}", len(arrays), handles(arrays), *more, arrpy.number(dtype), None)


def views(name, a, count, *arguments):
    """Several new handles of a function whose last argument they are."""
    out = (C.arr_array * max(count, 1))()
    arrpy.call(f"arr_{name}", *([] if a is None else [a.handle]), *arguments, out)
    return [arrpy.Array(C.arr_array(h.value)) for h in out[:count]]


def of(name, a, *arguments):
    """A function of an array and others; the arguments end with the stream where there is one."""
    return arrpy.made(f"arr_{name}", a.handle, *(x.handle if isinstance(x, arrpy.Array) else x for x in arguments))


def call(name, *arguments):
    """A function that writes into an array; its arrays live as long as it runs."""
    arrpy.call(f"arr_{name}", *(x.handle if isinstance(x, arrpy.Array) else x for x in arguments))


def axis_of(axis):
    return NONE if axis is None else axis


def equal(report, label, got, want):
    want = np.asarray(want)
    got = got.numpy()
    report.check(label, oracle.same(got, want), f"got {got.dtype} {got.shape} {got!r}, want {want.dtype} {want!r}")


def types(report, few):
    return few if report.device != "host" else oracle.ALL


def layouts(report):
    return LAYOUTS if report.device == "host" else ("C", "back")


def shapes(report, many, few):
    return many if report.device == "host" else few


def strides_of(x):
    """The order of axes in memory: what 'K' keeps."""
    return [s // x.itemsize for s in x.strides]


def joins(report):
    for d in types(report, ["float32", "int8"]):
        for layout in layouts(report):
            parts = [oracle.sample((3, n, 4), d, n) for n in (2, 0, 5)]
            mine = [on(report, p, layout) for p in parts]
            label = f"{d} {layout}"
            for axis in (1, -2):
                want = np.concatenate(parts, axis)
                equal(report, f"concatenate {label} axis {axis}", joined("concatenate", mine, axis), want)
            equal(report, f"concatenate {label} flat", joined("concatenate", mine, NONE), np.concatenate(parts, None))
            same = [parts[0], parts[0][::-1]]
            mine = [on(report, p, layout) for p in same]
            for axis in (0, 2, -1):
                equal(report, f"stack {label} axis {axis}", joined("stack", mine, axis), np.stack(same, axis))
    for shape in ((), (3,), (2, 3), (2, 3, 2)):
        parts = [oracle.sample(shape, "float64", k) for k in range(3)]
        mine = [report.array(p) for p in parts]
        for name in ("vstack", "hstack", "dstack", "column_stack"):
            equal(report, f"{name} {shape}", joined(name, mine), getattr(np, name)(parts))
        equal(report, f"stack {shape}", joined("stack", mine, 0), np.stack(parts))
        equal(report, f"append {shape}", of("append", mine[0], mine[1], NONE, None), np.append(parts[0], parts[1]))
    a, v = oracle.sample((2, 3), "int8", 1), oracle.sample((2, 1), "float32", 2)
    equal(report, "append axis", of("append", report.array(a), report.array(v), 1, None), np.append(a, v, 1))
    many = [oracle.sample((2, k % 3), "float32", k) for k in range(40)]
    got = joined("concatenate", [report.array(m) for m in many], 1)
    equal(report, "concatenate of 40", got, np.concatenate(many, 1))


def types_of_joins(report):
    pairs = [("bool", "int8"), ("float16", "int32"), ("int64", "uint64"), ("complex64", "float64"), ("uint8", "int8")]
    for one, two in pairs:
        a, b = oracle.sample((2, 3), one, 1, "tame"), oracle.sample((1, 3), two, 2, "tame")
        mine = [report.array(a), report.array(b)]
        want = np.concatenate([a, b])
        equal(report, f"concatenate {one} {two}", joined("concatenate", mine, 0), want)
        for d in ("float32", "complex128", "int16", "bool"):
            fits = np.can_cast(a.dtype, d, "same_kind") and np.can_cast(b.dtype, d, "same_kind")
            label = f"concatenate {one} {two} as {d}"
            if fits:
                equal(report, label, joined("concatenate", mine, 0, dtype=d), np.concatenate([a, b], dtype=d))
            else:
                refused = oracle.raises(C.ARR_E_DTYPE, lambda d=d, m=mine: joined("concatenate", m, 0, dtype=d))
                report.check(f"{label} refused", refused)


def types_of_many(report):
    """The types of the highest kind are met first, so the order of the arrays does not count."""
    for names in (("uint16", "int8", "float32"), ("int8", "uint8", "float16"), ("int64", "float16", "complex64")):
        for order in itertools.permutations(names):
            arrays = [oracle.sample((2,), d, 1, "tame") for d in order]
            mine, index = [report.array(a) for a in arrays], np.array([2, 0])
            label = " ".join(order)
            equal(report, f"concatenate {label}", joined("concatenate", mine, 0), np.concatenate(arrays))
            got = of("choose", report.array(index), 3, handles(mine), 0, None)
            equal(report, f"choose {label}", got, np.choose(index, arrays))


def orders(report):
    """The order in memory of the result is NumPy's."""
    a, b = np.arange(24.0).reshape(2, 3, 4), np.arange(48.0).reshape(2, 6, 4)
    for one, two in itertools.product(itertools.permutations(range(3)), repeat=2):
        back_one, back_two = np.argsort(one), np.argsort(two)
        x, y = (
            np.ascontiguousarray(v.transpose(p)).transpose(q) for v, p, q in ((a, one, back_one), (b, two, back_two))
        )
        mine = [
            report.array(np.ascontiguousarray(v.transpose(p))).transpose(*(int(k) for k in q))
            for v, p, q in ((a, one, back_one), (b, two, back_two))
        ]
        got, want = joined("concatenate", mine, 1), np.concatenate([x, y], 1)
        label = f"order {one} {two}"
        report.check(label, list(got.strides) == strides_of(want), f"{got.strides} {strides_of(want)}")
        equal(report, f"{label} values", got, want)
    column = report.array(np.asfortranarray(a[0]))
    report.check("order of roll", list(roll(column, [1], [0]).strides) == [1, 3])


def into(report):
    for d in types(report, ["float32"]):
        parts = [oracle.sample((3, n), d, n) for n in (2, 3)]
        base = oracle.sample((3, 10), d, 9)
        mine, target = [report.array(p) for p in parts], report.array(base)
        call("concatenate_into", target[:, ::2], 2, handles(mine), 1, None)
        want = base.copy()
        want[:, ::2] = np.concatenate(parts, 1)
        equal(report, f"concatenate_into {d}", target, want)
    base = np.arange(15).reshape(3, 5)
    target = report.array(base)
    swapped = [target[:, 3:], target[:, :3]]
    call("concatenate_into", target, 2, handles(swapped), 1, None)
    equal(report, "concatenate_into itself", target, np.concatenate([base[:, 3:], base[:, :3]], 1))
    target = report.array(np.zeros(20, "f4"))
    sources = [report.array(base[:2]).T[:4], report.array(base[0, :2])]
    call("concatenate_into", target[::2], 2, handles(sources), NONE, None)
    equal(
        report, "concatenate_into flat", target[::2], np.concatenate([base[:2].T[:4], base[0, :2]], None).astype("f4")
    )


def cuts(report):
    for shape in ((12,), (4, 6), (0, 3), (2, 3, 12)):
        a = oracle.sample(shape, "int32", 1)
        for layout in layouts(report):
            x = on(report, a, layout)
            for axis in range(-1, a.ndim):
                for n in (1, 2, 3, 5, 13):
                    label = f"{shape} {layout} {n} axis {axis}"
                    want = np.array_split(a, n, axis)
                    got = views("array_split", x, n, n, axis)
                    report.check(f"array_split {label}", all(oracle.same(g.numpy(), w) for g, w in zip(got, want)))
                    if a.shape[axis] % n:
                        continue
                    got = views("split", x, n, n, axis)
                    report.check(f"split {label}", all(oracle.same(g.numpy(), w) for g, w in zip(got, want)))
                for at in ((), (3,), (2, 2, 5), (-1, 1), (5, 2), (99, -99)):
                    want = np.split(a, list(at), axis)
                    got = views("split_at", x, len(at) + 1, len(at), arrpy.int64s(at), axis, len(at) + 1)
                    good = len(got) == len(want) and all(oracle.same(g.numpy(), w) for g, w in zip(got, want))
                    report.check(f"split_at {shape} {layout} {at} axis {axis}", good)
                n = a.shape[axis]
                got = views("unstack", x, n, axis, n)
                good = all(oracle.same(g.numpy(), np.take(a, i, axis)) for i, g in enumerate(got))
                report.check(f"unstack {shape} {layout} axis {axis}", good)
    a = report.array(np.zeros((2, 4)))
    for half in views("split", a, 2, 2, 1):
        call("fill", half[:1], ctypes.byref(arrpy.value(1.0)), None)
    equal(report, "split gives views", a, [[1.0] * 4, [0.0] * 4])


def axes(report):
    a = oracle.sample((2, 3, 4), "float32", 1)
    for layout in layouts(report):
        x = on(report, a, layout)
        for k in range(-5, 6):
            for one, two in itertools.permutations(range(3), 2):
                want = np.rot90(a, k, (one, two))
                equal(report, f"rot90 {layout} {k} {one} {two}", of("rot90", x, k, one, two), want)
        for one, two in itertools.product((0, 1, -1), repeat=2):
            equal(report, f"swapaxes {layout} {one} {two}", of("swapaxes", x, one, two), np.swapaxes(a, one, two))
            moved = of("moveaxis", x, 1, arrpy.int32s([one]), arrpy.int32s([two]))
            equal(report, f"moveaxis {layout} {one} {two}", moved, np.moveaxis(a, one, two))
        moved = of("moveaxis", x, 2, arrpy.int32s([0, -1]), arrpy.int32s([-1, 0]))
        equal(report, f"moveaxis {layout} two", moved, np.moveaxis(a, [0, -1], [-1, 0]))
    for shape in ((), (5,), (2, 3), (2, 3, 4), (2, 3, 4, 1)):
        x = oracle.sample(shape, "int8", 1)
        for nd in (1, 2, 3):
            equal(report, f"atleast {nd} {shape}", of("atleast", report.array(x), nd), getattr(np, f"atleast_{nd}d")(x))


def grids(report):
    parts = [np.arange(3.0), np.arange(4), oracle.sample((2, 1), "float32", 1), np.float64(7)]
    mine = [report.array(p) for p in parts]
    for n in range(len(parts) + 1):
        for number, indexing in enumerate(("xy", "ij")):
            for sparse, copied in itertools.product((0, 1), repeat=2):
                want = np.meshgrid(*parts[:n], indexing=indexing, sparse=bool(sparse), copy=bool(copied))
                flags = C.ARR_MESHGRID_SPARSE * sparse | C.ARR_MESHGRID_COPY * copied
                got = views("meshgrid", None, n, n, handles(mine[:n]), number, flags, None)
                label = f"meshgrid {n} {indexing} {sparse} {copied}"
                report.check(label, all(oracle.same(g.numpy(), np.asarray(w)) for g, w in zip(got, want)))
    parts = [oracle.sample(s, "int16", 1) for s in ((3, 1), (1, 4), (), (2, 1, 1))]
    mine = [report.array(p) for p in parts]
    got = views("broadcast_arrays", None, 4, 4, handles(mine))
    want = np.broadcast_arrays(*parts)
    report.check("broadcast_arrays", all(oracle.same(g.numpy(), w) for g, w in zip(got, want)))


def roll(a, shifts, axes=None):
    return of("roll", a, len(shifts), arrpy.int64s(shifts), None if axes is None else arrpy.int32s(axes), None)


def repeats(report):
    for d in types(report, ["float32", "bool"]):
        for layout in layouts(report):
            a = oracle.sample((3, 4), d, 1)
            x = on(report, a, layout)
            label = f"{d} {layout}"
            for reps in ((), (2,), (1, 3), (2, 1, 3), (0, 2), (3, 1), (2, 2)):
                got = of("tile", x, len(reps), arrpy.int64s(reps), None)
                equal(report, f"tile {label} {reps}", got, np.tile(a, reps))
            for count in (0, 1, 3):
                for axis in (None, 0, -1):
                    got = of("repeat", x, count, axis_of(axis), None)
                    equal(report, f"repeat {label} {count} {axis}", got, np.repeat(a, count, axis))
            for shape in ((), (5,), (3, 9), (0, 2), (40,), (2, 6)):
                got = of("resize", x, len(shape), arrpy.int64s(shape), None)
                equal(report, f"resize {label} {shape}", got, np.resize(a, shape))
            for shifts, axes_of in (
                ((1,), None), ((-5,), None), ((2, 3, 30), None), ((1,), (0,)), ((-1,), (1,)), ((2, 7), (0, 1)),
                ((1, 1, -3), (1, 0, 1)), ((12,), None), ((), ()), ((4, -8), (1, 1)),
            ):  # fmt: skip
                if axes_of == () and layout == "F":
                    continue
                want = np.roll(a, sum(shifts) if axes_of is None else shifts, axes_of)
                equal(report, f"roll {label} {shifts} {axes_of}", roll(x, shifts, axes_of), want)
    nothing, number = np.zeros((0, 3), "f4"), np.float32(3)
    x, y = report.array(nothing), report.array(number)
    equal(report, "tile nothing", of("tile", x, 2, arrpy.int64s((2, 2)), None), np.tile(nothing, (2, 2)))
    equal(report, "repeat nothing", of("repeat", x, 2, 1, None), np.repeat(nothing, 2, 1))
    equal(report, "resize nothing", of("resize", x, 1, arrpy.int64s((4,)), None), np.resize(nothing, 4))
    equal(report, "roll nothing", roll(x, [1], [0]), np.roll(nothing, 1, 0))
    equal(report, "roll nothing flat", roll(x, [1]), np.roll(nothing, 1))
    equal(report, "tile number", of("tile", y, 2, arrpy.int64s((2, 3)), None), np.tile(number, (2, 3)))
    equal(report, "repeat number", of("repeat", y, 3, NONE, None), np.repeat(number, 3))
    equal(report, "roll number", roll(y, [3]), np.roll(number, 3))
    equal(report, "resize number", of("resize", y, 1, arrpy.int64s((3,)), None), np.resize(number, 3))
    deep = np.arange(2**9).reshape((2,) * 9)
    equal(
        report,
        "roll nine axes",
        roll(report.array(deep), range(1, 10), range(9)),
        np.roll(deep, range(1, 10), range(9)),
    )
    wide = np.arange(4).reshape((1,) * 20 + (2, 2) + (1,) * 10)
    for axis in (20, None):
        got = of("repeat", report.array(wide), 3, axis_of(axis), None)
        equal(report, f"repeat 32 dimensions {axis}", got, np.repeat(wide, 3, axis))
    reps = (1,) * 20 + (2, 3) + (1,) * 10
    got = of("tile", report.array(wide), 32, arrpy.int64s(reps), None)
    report.check("tile 32 dimensions", np.array_equal(got.numpy().reshape(4, 6), np.tile(wide.reshape(2, 2), (2, 3))))


def refused(report):
    v, m = report.array(np.ones(3)), report.array(np.ones((3, 4)))
    number, whole = report.array(np.float64(1)), report.array(np.arange(3))
    short = v[:2]
    i64, i32 = arrpy.int64s, arrpy.int32s
    cases = [
        ("concatenate none", C.ARR_E_ARGUMENT, lambda: joined("concatenate", [], 0)),
        ("concatenate number", C.ARR_E_SHAPE, lambda: joined("concatenate", [number, number], 0)),
        ("concatenate axis", C.ARR_E_SHAPE, lambda: joined("concatenate", [v, v], 1)),
        ("concatenate shapes", C.ARR_E_SHAPE, lambda: joined("concatenate", [m, m[:2]], 1)),
        ("concatenate dimensions", C.ARR_E_SHAPE, lambda: joined("concatenate", [m, v], 0)),
        ("concatenate type", C.ARR_E_DTYPE, lambda: joined("concatenate", [v, whole], 0, dtype="int64")),
        ("concatenate_into", C.ARR_E_SHAPE, lambda: call("concatenate_into", v, 2, handles([v, v]), 0, None)),
        ("concatenate_into type", C.ARR_E_DTYPE, lambda: call("concatenate_into", whole, 1, handles([v]), 0, None)),
        (
            "concatenate_into readonly",
            C.ARR_E_READONLY,
            lambda: call("concatenate_into", number.broadcast_to((3,)), 1, handles([v]), 0, None),
        ),
        ("stack", C.ARR_E_SHAPE, lambda: joined("stack", [v, v[:2]], 0)),
        ("stack axis", C.ARR_E_SHAPE, lambda: joined("stack", [v, v], 2)),
        ("stack none", C.ARR_E_ARGUMENT, lambda: joined("stack", [], 0)),
        ("split", C.ARR_E_SHAPE, lambda: views("split", v, 2, 2, 0)),
        ("split number", C.ARR_E_SHAPE, lambda: views("split", number, 1, 1, 0)),
        ("split none", C.ARR_E_ARGUMENT, lambda: views("array_split", v, 0, 0, 0)),
        ("split_at", C.ARR_E_ARGUMENT, lambda: views("split_at", v, 1, 1, i64([1]), 0, 1)),
        ("unstack", C.ARR_E_SHAPE, lambda: views("unstack", v, 2, 0, 2)),
        ("moveaxis twice", C.ARR_E_SHAPE, lambda: of("moveaxis", m, 2, i32([0, 0]), i32([0, 1]))),
        ("moveaxis target", C.ARR_E_SHAPE, lambda: of("moveaxis", m, 2, i32([0, 1]), i32([1, 1]))),
        ("moveaxis range", C.ARR_E_SHAPE, lambda: of("moveaxis", m, 1, i32([2]), i32([0]))),
        ("swapaxes", C.ARR_E_SHAPE, lambda: of("swapaxes", m, 0, 2)),
        ("rot90", C.ARR_E_ARGUMENT, lambda: of("rot90", m, 1, 0, -2)),
        ("atleast", C.ARR_E_ARGUMENT, lambda: of("atleast", m, 4)),
        ("broadcast_arrays", C.ARR_E_SHAPE, lambda: views("broadcast_arrays", None, 2, 2, handles([v, short]))),
        ("meshgrid", C.ARR_E_ARGUMENT, lambda: views("meshgrid", None, 1, 1, handles([v]), 2, 0, None)),
        ("meshgrid flags", C.ARR_E_ARGUMENT, lambda: views("meshgrid", None, 1, 1, handles([v]), 0, 4, None)),
        ("tile", C.ARR_E_ARGUMENT, lambda: of("tile", v, 1, i64([-1]), None)),
        ("tile too large", C.ARR_E_SHAPE, lambda: of("tile", v, 1, i64([2**62]), None)),
        ("repeat", C.ARR_E_ARGUMENT, lambda: of("repeat", v, -1, 0, None)),
        ("repeat axis", C.ARR_E_SHAPE, lambda: of("repeat", v, 1, 1, None)),
        ("repeat too large", C.ARR_E_SHAPE, lambda: of("repeat", v, 2**62, 0, None)),
        ("roll", C.ARR_E_SHAPE, lambda: roll(v, [1], [1])),
        ("resize", C.ARR_E_SHAPE, lambda: of("resize", v, 1, i64([-1]), None)),
    ]
    for label, status, work in cases:
        report.check(f"refuses {label}", oracle.raises(status, work))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((joins, types_of_joins, types_of_many, orders, into, cuts, axes, grids, repeats, refused)):
        part(r)
    r.finish()
