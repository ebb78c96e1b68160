#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads and writes where masks are true, and places of what is not zero, against NumPy: sizes around the tiles of
marks, every dtype, sparse and full masks, strides, graphs, recorded conditions."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from indexing import call, compare, get, handles, make, put_items, several, value
from oracle import arrpy

C = arrpy.c
SIZES = [0, 1, 7, 63, 64, 65, 4095, 4096, 4097]
LARGE = {"host": [40000, 1 << 20], "cuda": [40000]}
DENSITIES = {"none": 0.0, "all": 1.0, "half": 0.5, "sparse": 0.01, "dense": 0.97}


def mask_of(shape, density, seed=1):
    return np.random.default_rng(seed).random(shape) < DENSITIES[density]


def numbers(shape, d, seed=2):
    """Without a zero, so that each element tells where it came from."""
    n = int(np.prod(shape))
    x = (np.arange(n) + seed) % 120 + 1
    return x.reshape(shape).astype(oracle.dtype(d))


def reads(report, label, x, m, ours):
    """ours: x and m on the device, with these strides."""
    a, mask = ours
    compare(report, f"get {label}", by(a, mask), x[m])
    compare(report, f"extract {label}", make("arr_extract", mask, a, None), np.extract(m, x))
    compare(report, f"flatnonzero {label}", make("arr_flatnonzero", mask, None), np.flatnonzero(m))
    compare(report, f"argwhere {label}", make("arr_argwhere", mask, None), np.argwhere(m))
    found = several("arr_nonzero", m.ndim, mask.handle, None)
    for d, (got, want) in enumerate(zip(found, np.nonzero(m), strict=True)):
        compare(report, f"nonzero {label} {d}", got, want)


def by(a, mask):
    row = C.arr_index(C.ARR_INDEX_ARRAY, 0, 0, 0, 0, mask.handle)
    return make("arr_get_items", a.handle, 1, ctypes.byref(row), 0, None)


def put_by(a, mask, x):
    row = C.arr_index(C.ARR_INDEX_ARRAY, 0, 0, 0, 0, mask.handle)
    call("arr_set_items", a.handle, 1, ctypes.byref(row), x, 0, None)


def writes(report, label, base, view, m):
    """view: of the array, whose shape is the mask's."""
    count = int(m.sum())
    for name, given in (("own", count), ("one", 1), ("short", max(count // 3, 1)), ("long", count + 9)):
        values = numbers(given, base.dtype.name, 7)
        want, dev, mask = base.copy(), report.array(base), report.array(m)
        if name in ("own", "one"):
            view(want)[m] = values
            put_by(view(dev), mask, value(report, values))
            compare(report, f"set {label} {name}", dev, want)
        np.place(view(want), m, values[::-1].copy())
        call("arr_place", view(dev), mask, value(report, values[::-1].copy()), None)
        compare(report, f"place {label} {name}", dev, want)
    wrong = value(report, numbers(count + 2, base.dtype.name))
    dev, mask = report.array(base), report.array(m)
    report.check(f"set {label} refused", oracle.raises(C.ARR_E_SHAPE, lambda: put_by(view(dev), mask, wrong)))
    compare(report, f"set {label} untouched", dev, base)


def sizes(report):
    small = ["float32"] if report.device == "cuda" else ["float32", "uint8", "int16", "complex128"]
    for n in SIZES + LARGE[report.device]:
        for density in DENSITIES:
            m = mask_of(n, density)
            for d in small if n < 40000 else ["float32", "float64"]:
                label = f"{n} {density} {d}"
                if not report.wants(label):
                    continue
                x = numbers(n, d)
                reads(report, label, x, m, (report.array(x), report.array(m)))
                if n > 0:
                    writes(report, label, x, lambda a: a, m)


def dtypes(report):
    for d in oracle.ALL:
        for density in DENSITIES if report.device == "host" else ["half"]:
            label = f"{d} {density}"
            if not report.wants(label):
                continue
            x, m = numbers(5000, d), mask_of(5000, density)
            reads(report, label, x, m, (report.array(x), report.array(m)))
            writes(report, label, x, lambda a: a, m)
            # Elements that are not zero, of every type; -0.0 is zero, nan is not.
            z = oracle.sample(5000, d, 3)
            z[mask_of(5000, "half", 5)] = 0
            with np.errstate(all="ignore"):
                want = np.flatnonzero(z)
            compare(report, f"flatnonzero of {label}", make("arr_flatnonzero", report.array(z), None), want)


LAYOUTS = {
    "C": ((61, 83), lambda a: a),
    "T": ((83, 61), lambda a: a.T),
    "negative": ((61, 83), lambda a: a[::-1, ::-1]),
    "step": ((122, 249), lambda a: a[::2, ::3]),
    "part": ((70, 90), lambda a: a[4:65, 3:86]),
    "three": ((10, 23, 14), lambda a: a[::2, :, ::2]),
    "turned": ((5, 6, 7), lambda a: a.transpose(2, 0, 1)),
    "thin": ((6000, 3), lambda a: a[:, ::-1]),
    "flat": ((3, 6000), lambda a: a[::-1]),
    "vector": ((9001,), lambda a: a[::-2]),
}


def layouts(report):
    for of_x, (shape, view) in LAYOUTS.items():
        for of_m in ("same", "C"):
            for density in ("half", "sparse", "all") if report.device == "host" else ("half",):
                label = f"{of_x} {of_m} {density}"
                if not report.wants(label):
                    continue
                x, whole = numbers(shape, "float32"), mask_of(shape, density)
                m = view(whole)
                if of_m == "same":
                    mask = view(report.array(whole))
                else:
                    m = np.ascontiguousarray(m)
                    mask = report.array(m)
                reads(report, label, view(x), m, (view(report.array(x)), mask))
                writes(report, label, x, view, np.ascontiguousarray(m))
    line = mask_of(83, "half")
    m = np.broadcast_to(line, (61, 83))
    mask = report.array(line).broadcast_to((61, 83))
    x = numbers((61, 83), "float64")
    reads(report, "broadcast", x, m, (report.array(x), mask))
    one = np.broadcast_to(np.float64(3), (61, 83))
    got = by(report.array(np.array([3.0])).broadcast_to((61, 83)), mask)
    compare(report, "get of one element", got, one[m])


def rows(report):
    """Masks of the first axes: whole rows of 1 to 4000 bytes, and rows that are not contiguous."""
    for d, shape in (
        ("uint8", (300, 1)),
        ("uint8", (300, 3)),
        ("int16", (301, 5)),
        ("float32", (5000, 2)),
        ("float64", (70, 500)),
        ("complex128", (9, 11, 4)),
        ("float32", (9, 0)),
    ):
        x = numbers(shape, d)
        for density in DENSITIES:
            for lead in range(1, len(shape)):
                m = mask_of(shape[:lead], density)
                label = f"{d} {shape} {lead} {density}"
                if not report.wants(label):
                    continue
                compare(report, f"rows {label}", by(report.array(x), report.array(m)), x[m])
                compare(report, f"rows back {label}", by(report.array(x)[::-1], report.array(m)), x[::-1][m])
                compare(report, f"rows step {label}", by(report.array(x)[..., ::2], report.array(m)), x[..., ::2][m])
                want, dev = x.copy(), report.array(x)
                want[m] = 5
                put_by(dev, report.array(m), value(report, 5))
                compare(report, f"set rows {label}", dev, want)
                if lead == 1:
                    got = make("arr_compress", report.array(m), report.array(x), 0, None)
                    compare(report, f"compress {label}", got, np.compress(m, x, 0))
    # Along all axes of narrow and of wide slices.
    for d, shape in (("float32", (30, 40)), ("int16", (6, 70, 3)), ("complex128", (5, 33, 9)), ("uint8", (3, 0, 2))):
        x = numbers(shape, d)
        for axis, density in ((axis, density) for axis in range(x.ndim) for density in DENSITIES):
            m = mask_of(shape[axis], density)
            for way, a, y in (("", report.array(x), x), (" turned", report.array(x.T).transpose(), x)):
                got = make("arr_compress", report.array(m), a, axis, None)
                compare(report, f"compress {d} {shape} {axis} {density}{way}", got, np.compress(m, y, axis))
    x, m = numbers((40, 50), "float32"), mask_of(50, "half")
    compare(report, "compress 1", make("arr_compress", report.array(m), report.array(x), 1, None), x[:, m])
    compare(report, "columns", get(report, report.array(x), (slice(None), m)), x[:, m])
    rows_too = mask_of(40, "half", 9)
    n = min(int(m.sum()), int(rows_too.sum()))
    i, j = np.flatnonzero(rows_too)[:n], np.flatnonzero(m)[:n]
    mask = np.zeros((40, 50), bool)
    mask[i, j] = True
    compare(report, "slice and mask", get(report, report.array(x), (slice(3, 9), m)), x[3:9, m])


def coordinates(report):
    shapes = [(1, 5000), (5000, 1), (3, 32768), (2, 40000), (2, 3, 5, 7, 11), (1,) * 5 + (9,), (3,) * 9, (4, 1, 1500)]
    for shape in shapes if report.device == "host" else shapes[3:6]:
        for density in ("half", "sparse", "all"):
            m = mask_of(shape, density)
            label = f"{shape} {density}"
            if not report.wants(label):
                continue
            dev = report.array(m)
            compare(report, f"argwhere {label}", make("arr_argwhere", dev, None), np.argwhere(m))
            found = several("arr_nonzero", m.ndim, dev.handle, None)
            for k, (got, want) in enumerate(zip(found, np.nonzero(m), strict=True)):
                compare(report, f"nonzero {label} {k}", got, want)


# ------------------------------------------------------------------------------------ in graphs and scopes


def expected(picked, capacity, fill, d):
    """The selected ones, then the fill."""
    out = np.full((capacity, *picked.shape[1:]), fill, d)
    out[: min(capacity, len(picked))] = picked[:capacity]
    return out


def none_but(report):
    return report.array(np.int64(-77))


def captured(report):
    """In a graph that is launched for two masks."""
    n, capacity = 9000, 4000
    x = numbers((n,), "float32")
    first, second = mask_of(n, "sparse"), mask_of(n, "half", 4)
    a, m = report.array(x), report.array(first)
    table, wide = numbers((n, 3), "float32"), numbers((3, n), "float32")
    stream, graph = C.arr_stream(), C.arr_graph()
    arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(stream))
    dsts = {
        "flatnonzero": report.array(np.zeros(capacity, "i8")),
        "argwhere": report.array(np.zeros((capacity, 1), "i8")),
        "extract": report.array(np.zeros(capacity, "f4")),
        "rows": report.array(np.zeros((capacity, 3), "f4")),
        "columns": report.array(np.zeros((3, capacity), "f4")),
    }
    placed = report.array(x)
    vectors = [report.array(np.zeros(capacity, "i8"))]
    counts = {name: none_but(report) for name in (*dsts, "nonzero")}
    t, w, rest = report.array(table), report.array(wide), value(report, -1)
    given = report.array(np.arange(7, dtype="f4"))
    # Objects that a call makes once are made before the capture.
    call("arr_flatnonzero_sized", dsts["flatnonzero"], counts["flatnonzero"], m, -1, None)
    arrpy.call("arr_graph_begin", stream)
    call("arr_flatnonzero_sized", dsts["flatnonzero"], counts["flatnonzero"], m, -1, stream)
    call("arr_argwhere_sized", dsts["argwhere"], counts["argwhere"], m, -1, stream)
    call("arr_nonzero_sized", 1, handles(vectors), counts["nonzero"], m, -1, stream)
    call("arr_extract_sized", dsts["extract"], counts["extract"], m, a, rest, stream)
    call("arr_compress_sized", dsts["rows"], counts["rows"], m, t, 0, rest, stream)
    call("arr_compress_sized", dsts["columns"], counts["columns"], m, w, 1, rest, stream)
    call("arr_place", placed, m, value(report, given), stream)
    arrpy.call("arr_graph_end", stream, ctypes.byref(graph))
    want = x.copy()
    for k, mask in enumerate((first, second)):
        m.set(mask)
        arrpy.call("arr_graph_launch", graph, stream)
        arrpy.call("arr_stream_sync", stream)
        at = np.flatnonzero(mask)
        for name in ("flatnonzero", "argwhere"):
            got = dsts[name]
            compare(report, f"captured {name} {k}", got, expected(at, capacity, -1, "i8").reshape(got.shape))
        compare(report, f"captured nonzero {k}", vectors[0], expected(at, capacity, -1, "i8"))
        compare(report, f"captured extract {k}", dsts["extract"], expected(x[mask], capacity, -1, "f4"))
        compare(report, f"captured rows {k}", dsts["rows"], expected(table[mask], capacity, -1, "f4"))
        columns = np.ascontiguousarray(expected(wide[:, mask].T, capacity, -1, "f4").T)
        compare(report, f"captured columns {k}", dsts["columns"], columns)
        np.place(want, mask, np.arange(7, dtype="f4"))
        compare(report, f"captured place {k}", placed, want)
        for name, count in counts.items():
            compare(report, f"captured count of {name} {k}", count, np.int64(len(at)))
    arrpy.call("arr_graph_release", graph)
    arrpy.call("arr_stream_release", stream)


def recorded(report):
    """Conditions and values that are not computed yet: one pass each."""
    x, y = numbers(5000, "float64"), numbers(5000, "float64", 9)
    a, b = report.array(x), report.array(y)
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    above = a > report.array(np.float64(50))
    got = make("arr_flatnonzero", above, None)
    picked = by(a * b, a > b)
    count, dst = none_but(report), report.array(np.zeros(100))
    call("arr_extract_sized", dst, count, a < b, a + b, value(report, 0), None)
    arrpy.call("arr_fuse_end")
    compare(report, "recorded flatnonzero", got, np.flatnonzero(x > 50))
    compare(report, "recorded get", picked, (x * y)[x > y])
    compare(report, "recorded sized", dst, expected((x + y)[x < y], 100, 0, "f8"))


def main():
    report = oracle.Report(__doc__)
    for part in (sizes, dtypes, layouts, rows, coordinates, captured, recorded):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
