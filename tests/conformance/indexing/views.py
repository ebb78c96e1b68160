#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Views by other types, strides and windows, byte order, overlap, and creation beside them, against NumPy 2."""

import ctypes
import itertools
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from manipulation import equal, layouts, of, types
from oracle import arrpy
from products import on

C = arrpy.c
i64 = arrpy.int64s
SIZES = {1: ["int8", "uint8"], 2: ["uint16", "float16"], 4: ["int32", "float32"], 8: ["float64", "complex64"]}
SIZES[16] = ["complex128"]


def view(a, d):
    return of("view", a, arrpy.number(d))


def element_types(report):
    names = [n for group in SIZES.values() for n in group]
    for one, two in itertools.product(names, repeat=2):
        x = oracle.sample((3, 16), one, 3, "tame")
        for layout in ("C", "step", "F"):
            mine = on(report, x, layout)
            theirs = {"C": x, "F": np.asfortranarray(x), "step": np.repeat(x, 2, 1)[:, ::2]}[layout]
            label = f"view {one} {two} {layout}"
            try:
                want = theirs.view(two)
            except ValueError:
                report.check(f"{label} refused", oracle.raises(C.ARR_E_SHAPE, lambda m=mine, t=two: view(m, t)))
                continue
            got = view(mine, two)
            report.check(label, got.numpy().tobytes() == want.tobytes() and got.shape == want.shape)
            got[...] = 0
            report.check(f"{label} is a view", not mine.numpy().any())
    for shape in ((), (0, 4), (4, 0), (1,), (3, 1)):
        x = np.ones(shape, "float32")
        equal(report, f"view {shape}", view(report.array(x), "int32"), x.view("int32"))
    x = np.arange(3, dtype="int64").reshape(3, 1)[:, ::1]
    equal(report, "view column", view(report.array(x).T.copy().T, "int8"), np.asfortranarray(x).view("int8"))


def records(report):
    layout = np.dtype({"names": ["a", "b", "c"], "formats": ["u1", "f4", "f8"], "offsets": [1, 4, 8], "itemsize": 24})
    x = np.zeros((2, 5), layout)
    for name in layout.names:
        x[name] = np.arange(10).reshape(2, 5) * 3
    rows = report.array(x.view("uint8").reshape(2, 5, 24))
    for name, (kind, offset) in layout.fields.items():
        field = of("view_field", rows, offset, arrpy.number(kind.name))
        equal(report, f"field {name}", field, x[name])
        equal(
            report,
            f"field {name} part",
            of("view_field", rows[:, ::-2], offset, arrpy.number(kind.name)),
            x[name][:, ::-2],
        )
        field[...] = 7
    x["a"] = x["b"] = x["c"] = 7
    report.check("fields are views", rows.numpy().tobytes() == x.tobytes())


def byte_order(report):
    for d in types(report, ["float32", "complex64", "int16", "bool"]):
        if d == "bfloat16":
            continue
        x = oracle.sample((5, 7), d, 5)
        for layout in layouts(report):
            a = on(report, x, layout)
            want = x if d == "bool" else x.byteswap()
            got = of("byteswap", a, None)
            report.check(f"byteswap {d} {layout}", got.numpy().tobytes() == want.tobytes())
            arrpy.call("arr_byteswap_into", a.handle, a.handle, None)
            report.check(f"byteswap {d} {layout} in place", a.numpy().tobytes() == want.tobytes())
    x = np.arange(12.0) + 1j
    a = report.array(x)
    after, before = a[1:], a[:-1]
    arrpy.call("arr_byteswap_into", after.handle, before.handle, None)
    x[1:] = x[:-1].byteswap()
    report.check("byteswap onto itself, moved", a.numpy().tobytes() == x.tobytes())
    for shape in ((), (0,), (1, 0, 2)):
        equal(
            report,
            f"byteswap {shape}",
            of("byteswap", report.array(np.ones(shape, "int32")), None),
            np.ones(shape, "int32").byteswap(),
        )


def strided(a, shape, strides):
    return of("as_strided", a, len(shape), i64(shape), i64(strides) if strides is not None else None)


def windows(a, window, axes=None):
    return of("sliding_window_view", a, len(window), i64(window), arrpy.int32s(axes) if axes is not None else None)


def strides(report):
    make = np.lib.stride_tricks.as_strided
    x = np.arange(24.0).reshape(4, 6)
    a = report.array(x)
    for shape, by in (
        ((3, 2), (7, 3)),
        ((5, 5), (1, 1)),
        ((), ()),
        ((24,), (1,)),
        ((0, 9), (100, 1)),
        ((3, 4), (0, 2)),
    ):
        got = strided(a, shape, by)
        equal(report, f"as_strided {shape} {by}", got, make(x, shape, [8 * s for s in by]))
        unique = len({sum(i * s for i, s in zip(at, by)) for at in np.ndindex(*shape)}) == np.prod(shape, dtype=int)
        readonly = bool(got.flags & C.ARR_FLAG_READONLY)
        report.check(f"as_strided {shape} {by} read-only", readonly != unique or shape == (0, 9))
    back = a[3, 5:]
    equal(report, "as_strided back", strided(back, (4, 6), (-6, -1)), x[::-1, ::-1])
    report.check("as_strided behind", oracle.raises(C.ARR_E_SHAPE, lambda: strided(a, (25,), (1,))))
    report.check("as_strided before", oracle.raises(C.ARR_E_SHAPE, lambda: strided(a, (2,), (-1,))))
    report.check("as_strided wide", oracle.raises(C.ARR_E_SHAPE, lambda: strided(a, (2,), (2**62,))))
    slide = np.lib.stride_tricks.sliding_window_view
    for window, axes in (((2, 3), None), ((3,), (1,)), ((2, 2), (0, 0)), ((4, 6), None), ((0, 1), None), ((1,), (-1,))):
        got = windows(a, window, axes)
        equal(report, f"windows {window} {axes}", got, slide(x, window, axes))
        report.check(f"windows {window} read-only", got.flags & C.ARR_FLAG_READONLY)
    equal(report, "windows summed", windows(a, (3, 3)).sum((2, 3)), slide(x, (3, 3)).sum((2, 3)))
    for window, axes, status in (
        ((5, 1), None, C.ARR_E_SHAPE),
        ((1,), None, C.ARR_E_SHAPE),
        ((-1,), (0,), C.ARR_E_ARGUMENT),
        ((3, 3), (0, 0), C.ARR_E_SHAPE),
        ((1,), (2,), C.ARR_E_SHAPE),
    ):
        report.check(
            f"windows refuse {window} {axes}", oracle.raises(status, lambda w=window, s=axes: windows(a, w, s))
        )


def vectors(report):
    x = np.arange(24).reshape(2, 3, 4)
    for name, theirs, mine in (
        ("C", x, report.array(x)),
        ("F", x.transpose(2, 0, 1), report.array(x).transpose(2, 0, 1)),
        ("part", x[:, ::2, 1:], report.array(x)[:, ::2, 1:]),
        ("empty", x[:0], report.array(x)[:0]),
    ):
        for order in "CFK":
            number = arrpy.ORDERS[order]
            equal(report, f"ravel {name} {order}", of("ravel", mine, number, None), theirs.ravel(order))
            equal(report, f"flatten {name} {order}", of("flatten", mine, number, None), theirs.flatten(order))
        flat = of("flatten", mine, 0, None)
        flat[...] = -1
        report.check(f"flatten {name} copies", not (mine.numpy() == -1).any())
        report.check(f"ravel {name} shares", shares(mine, of("ravel", mine, 2, None)) == (name in "CF"))
    for shape, step in (((2, 3, 4), 1), ((1, 6, 1), 1), ((4, 4), 3), ((), 1), ((0, 3), 1)):
        y = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        got = of("reduced_view", report.array(y)[..., ::step] if y.ndim else report.array(y))
        want = y[..., ::step] if y.ndim else y
        report.check(
            f"reduced_view {shape}", got.ndim == (0 if want.size == 1 else 1 if step == 1 else 2), str(got.shape)
        )
        report.check(f"reduced_view {shape} values", (got.numpy().ravel() == want.ravel()).all())


def shares(a, b, work=-1):
    out = ctypes.c_bool()
    arrpy.call("arr_shares_memory", a.handle, b.handle, work, ctypes.byref(out))
    return out.value


def may_share(a, b):
    out = ctypes.c_bool()
    arrpy.call("arr_may_share_memory", a.handle, b.handle, ctypes.byref(out))
    return out.value


def overlap(report):
    rng = np.random.default_rng(11)
    base = np.zeros(6000, "int8")
    mine = report.array(base)

    def pick(x, a):
        """The same random view of both."""
        d = rng.choice(["int8", "int16", "int32"])
        x, a = x[: 6000 // 12 * 12].view(d), view(a[: 6000 // 12 * 12], d)
        n = rng.integers(1, 4)
        shape, by = rng.integers(1, 6, n), rng.integers(-60, 60, n)
        low, high = (
            sum((s - 1) * b for s, b in zip(shape, by) if b < 0),
            sum((s - 1) * b for s, b in zip(shape, by) if b > 0),
        )
        first = int(rng.integers(-low, x.size - high))
        theirs = np.lib.stride_tricks.as_strided(x[first:], shape, by * x.itemsize)
        return theirs, strided(a[first:], [int(s) for s in shape], [int(s) for s in by])

    seen = {False: 0, True: 0}
    for k in range(1500 if report.device == "host" and "ARR_SUITE" not in os.environ else 60):
        (x, a), (y, b) = pick(base, mine), pick(base, mine)
        want = np.shares_memory(x, y)
        seen[want] += 1
        report.check(
            f"shares_memory {k}", shares(a, b) == shares(b, a) == want, f"{x.shape} {x.strides} {y.shape} {y.strides}"
        )
        report.check(f"may_share_memory {k}", may_share(a, b) == np.may_share_memory(x, y))
    report.check("both answers are met", min(seen.values()) > 0, str(seen))
    a, other = report.array(np.zeros((6, 4))), report.array(np.zeros((6, 4)))
    report.check("columns apart", may_share(a[:, ::2], a[:, 1::2]) and not shares(a[:, ::2], a[:, 1::2]))
    report.check("other memory", not may_share(a, other) and not shares(a, other))
    hard = strided(report.array(np.zeros(30000, "int8")), (7,) * 6, (1201, 917, 733, 331, 239, 127))
    report.check(
        "work is bounded", oracle.raises(C.ARR_E_UNSUPPORTED, lambda: shares(hard[:3, ..., :1], hard[4:, ..., 1:2], 1))
    )
    report.check("work argument", oracle.raises(C.ARR_E_ARGUMENT, lambda: shares(a, a, -2)))


def bases(report):
    a = report.array(np.arange(6, dtype="int32"))
    for part in (a, a[2:4], a[::-1]):
        base = of("base", part)
        report.check("base size", base.dtype == np.uint8 and base.shape == (24,) and base.data == a.data)
        report.check("base values", base.numpy().tobytes() == np.arange(6, dtype="int32").tobytes())
    number = a.broadcast_to((2, 6))
    report.check("base is as read-only as its view", of("base", number).flags & C.ARR_FLAG_READONLY)


def diagonals(report):
    for d in types(report, ["float32"]):
        x, m = oracle.sample((4,), d, 1), oracle.sample((3, 5), d, 2)
        for k in (-2, 0, 1, 7):
            equal(report, f"diag {d} {k}", of("diag", report.array(x), k, None), np.diag(x, k))
            equal(report, f"diag {d} matrix {k}", of("diag", report.array(m), k, None), np.diag(m, k))
            equal(report, f"diagflat {d} {k}", of("diagflat", report.array(m), k, None), np.diagflat(m, k))
    equal(report, "diag empty", of("diag", report.array(np.zeros(0)), 2, None), np.diag(np.zeros(0), 2))


def ranges(report):
    for start, stop, n, end, base, d in (
        (0, 3, 4, 1, 10.0, "float64"),
        (-2, 2, 9, 0, 2.0, "float32"),
        (0, 8, 9, 1, 2.0, "int32"),
        (0, 1, 1, 1, 10.0, "float64"),
        (0, 1, 0, 1, 10.0, "float64"),
        (1, 0, 5, 1, np.e, "complex64"),
    ):
        got = arrpy.made(
            "arr_logspace", start, stop, n, end, base, arrpy.number(d), arrpy.device_of(report.device), None
        )
        want = np.logspace(start, stop, n, bool(end), base, dtype=d)
        good = (
            got.shape == want.shape
            and got.dtype == want.dtype
            and np.allclose(got.numpy(), want, 1e-14 if d == "float64" else 1e-6)
        )
        report.check(f"logspace {start} {stop} {n} {end} {base} {d}", good, f"{got.numpy()} {want}")


def shapes_together(report):
    def broadcast(*shapes):
        flat, out, ndim = [n for s in shapes for n in s], (ctypes.c_int64 * 32)(), ctypes.c_int32()
        arrpy.call(
            "arr_broadcast_shapes",
            len(shapes),
            arrpy.int32s([len(s) for s in shapes]),
            len(flat),
            i64(flat),
            32,
            out,
            ctypes.byref(ndim),
        )
        return tuple(out[: ndim.value])

    for shapes in ((), ((),), ((3, 1), (4,)), ((0, 1), (1, 5)), ((2, 1, 3), (7, 1), (1,))):
        report.check(f"broadcast_shapes {shapes}", broadcast(*shapes) == np.broadcast_shapes(*shapes))
    report.check("broadcast_shapes refuses", oracle.raises(C.ARR_E_SHAPE, lambda: broadcast((3,), (4,))))
    report.check("broadcast_shapes negative", oracle.raises(C.ARR_E_SHAPE, lambda: broadcast((-1,), (4,))))


def requirements(report):
    x = np.arange(12.0).reshape(3, 4)
    a = report.array(x)
    for d, wanted, theirs in (
        (None, 0, x),
        (None, C.ARR_REQUIRE_F, np.asfortranarray(x)),
        ("float32", C.ARR_REQUIRE_C, x.astype("float32")),
        ("int8", C.ARR_REQUIRE_F | C.ARR_REQUIRE_WRITABLE, np.asfortranarray(x.astype("int8"))),
    ):
        got = of("require", a, arrpy.number(d), wanted, None)
        equal(report, f"require {d} {wanted}", got, theirs)
        report.check(f"require {d} {wanted} order", not wanted & 3 or got.flags & wanted & 3)
    report.check("require shares", shares(a, of("require", a, 0, C.ARR_REQUIRE_C | C.ARR_REQUIRE_WRITABLE, None)))
    report.check("require owns", not shares(a, of("require", a, 0, C.ARR_REQUIRE_OWN, None)))
    wide = a.broadcast_to((2, 3, 4))
    report.check(
        "require writable", not of("require", wide, 0, C.ARR_REQUIRE_WRITABLE, None).flags & C.ARR_FLAG_READONLY
    )
    report.check("require both orders", oracle.raises(C.ARR_E_ARGUMENT, lambda: of("require", a, 0, 3, None)))
    for d in types(report, ["float32", "int32"]):
        y = np.ones((2, 3), oracle.dtype(d))
        a = report.array(y)
        arrpy.call("arr_check_finite", a.handle, None)
        if y.dtype.kind in "biu":
            continue
        for bad in (np.inf, -np.inf, np.nan):
            y[1, 1] = bad
            a = report.array(y)
            try:
                arrpy.call("arr_check_finite", a.handle, None)
                report.check(f"check_finite {d} {bad}", False)
            except arrpy.Error as e:
                report.check(f"check_finite {d} {bad}", e.status == C.ARR_E_ARGUMENT and "(1,1)" in str(e), str(e))


def refused(report):
    a = report.array(np.arange(16, dtype="uint8"))
    number = report.array(np.float32(1))
    part, two = a[1:], number.broadcast_to((2,))
    cases = [
        ("view of a number", C.ARR_E_SHAPE, lambda: view(number, "float64")),
        ("view apart", C.ARR_E_SHAPE, lambda: view(a[::2], "int16")),
        ("view uneven", C.ARR_E_SHAPE, lambda: view(a[:15], "int16")),
        ("view unaligned", C.ARR_E_ARGUMENT, lambda: view(a[1:9], "float64")),
        ("view type", C.ARR_E_DTYPE, lambda: of("view", a, 99)),
        ("field type", C.ARR_E_DTYPE, lambda: of("view_field", number, 0, C.ARR_INT8)),
        ("field outside", C.ARR_E_ARGUMENT, lambda: of("view_field", a, 13, C.ARR_FLOAT32)),
        ("field before", C.ARR_E_ARGUMENT, lambda: of("view_field", a, -1, C.ARR_UINT8)),
        ("field unaligned", C.ARR_E_ARGUMENT, lambda: of("view_field", a, 2, C.ARR_FLOAT32)),
        ("field apart", C.ARR_E_SHAPE, lambda: of("view_field", a[::2], 0, C.ARR_FLOAT32)),
        ("field stride", C.ARR_E_ARGUMENT, lambda: of("view_field", a[:12].reshape(2, 6), 0, C.ARR_FLOAT32)),
        ("byteswap type", C.ARR_E_DTYPE, lambda: arrpy.call("arr_byteswap_into", a.handle, number.handle, None)),
        ("byteswap shape", C.ARR_E_SHAPE, lambda: arrpy.call("arr_byteswap_into", a.handle, part.handle, None)),
        ("byteswap read-only", C.ARR_E_READONLY, lambda: arrpy.call("arr_byteswap_into", two.handle, two.handle, None)),
        ("diag", C.ARR_E_SHAPE, lambda: of("diag", number, 0, None)),
        ("diag too large", C.ARR_E_SHAPE, lambda: of("diag", a, -(2**63), None)),
    ]
    for label, status, work in cases:
        report.check(f"refuses {label}", oracle.raises(status, work))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    parts = (
        element_types,
        records,
        byte_order,
        strides,
        vectors,
        overlap,
        bases,
        diagonals,
        ranges,
        shapes_together,
        requirements,
        refused,
    )
    for part in r.chosen(parts):
        part(r)
    r.finish()
