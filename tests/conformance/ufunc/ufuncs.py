#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of ops by number: masks, destinations, casting, pairs of results, outer products; comparisons of integers
that share no type; and the functions made of several ops (numeric.h), all against NumPy 2."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
SOME = ["bool", "int8", "int64", "uint16", "float16", "float32", "float64", "complex64"]


def masks(report):
    r = np.random.default_rng(3)
    mask = r.random((9, 11)) < 0.5
    for name, d, target in [
        ("add", "float32", "float32"),
        ("multiply", "int8", "int16"),
        ("sqrt", "float64", "float32"),
        ("less", "uint16", "bool"),
        ("add", "float16", "float16"),
        ("negative", "complex64", "complex64"),
    ]:
        nin = getattr(np, name).nin
        args = [oracle.sample((9, 11), d, k, "tame") for k in range(nin)]
        args = [np.abs(a) if name == "sqrt" else a for a in args]
        devices = [report.array(a) for a in args]
        for label, view in (("C", lambda a: a), ("step", lambda a: a[::2, ::-1]), ("row", lambda a: a[3:4])):
            want_mask = np.broadcast_to(view(mask), view(args[0]).shape)
            plain = getattr(np, name)(*map(view, args))
            got = arrpy.ufunc(name, *map(view, devices), where=view(report.array(mask))).numpy()
            report.check(
                f"where new {name} {d} {label}", oracle.same(got, np.where(want_mask, plain, plain.dtype.type(0)))
            )
            old = oracle.sample((9, 11), target, 17)
            dst = report.array(old)
            arrpy.ufunc(name, *map(view, devices), where=view(report.array(mask)), out=view(dst))
            after = old.copy()
            getattr(np, name)(*map(view, args), where=view(mask), out=view(after), casting="same_kind")
            report.check(f"where into {name} {d} {label}", oracle.same(dst.numpy(), after), f"{dst.numpy()} {after}")
    x = report.array(np.arange(6.0))
    row = report.array(np.array([True, False, True]))
    got = arrpy.ufunc("add", report.array(np.arange(6.0).reshape(2, 3)), 1, where=row).numpy()
    report.check("where broadcasts", np.array_equal(got, [[1, 0, 3], [4, 0, 6]]))
    # In place, the destination shifted against the operand.
    y = np.arange(8.0)
    dev = report.array(y)
    m = np.arange(7) % 2 == 0
    arrpy.ufunc("negative", dev[:-1], where=report.array(m), out=dev[1:])
    want = y.copy()
    want[1:] = np.where(m, -y[:-1], y[1:])
    report.check("where overlapping", np.array_equal(dev.numpy(), want))
    report.check(
        "where of another type refused",
        oracle.raises(C.ARR_E_DTYPE, lambda: arrpy.ufunc("add", x, 1, where=report.array(np.ones(6, "i4")))),
    )
    report.check(
        "where of another shape refused",
        oracle.raises(C.ARR_E_SHAPE, lambda: arrpy.ufunc("add", x, 1, where=report.array(np.ones(5, bool)))),
    )


def casting(report):
    x = report.array(np.array([1.5, -2.5, 300.0]))
    small = report.array(np.zeros(3, "i2"))
    report.check("into int16 refused", oracle.raises(C.ARR_E_DTYPE, lambda: arrpy.ufunc("negative", x, out=small)))
    arrpy.ufunc("negative", x, out=small, casting="unsafe")
    report.check("into int16 unsafe", np.array_equal(small.numpy(), [-1, 2, -300]))
    single = report.array(np.zeros(3, "f4"))
    report.check(
        "into float32 safe refused",
        oracle.raises(C.ARR_E_DTYPE, lambda: arrpy.ufunc("negative", x, out=single, casting="safe")),
    )
    report.check(
        "dtype", oracle.same(arrpy.ufunc("negative", x, dtype="f4").numpy(), np.array([-1.5, 2.5, -300], "f4"))
    )


def pairs(report):
    for name, types in (
        ("divmod", ["int8", "int64", "uint16", "float16", "float32", "float64", "bool"]),
        ("modf", ["float16", "float32", "float64", "int16"]),
        ("frexp", ["float16", "float32", "float64", "int8"]),
    ):
        nin = 2 if name == "divmod" else 1
        for d in types:
            args = [oracle.sample((7, 33), d, 5 + k) for k in range(nin)]
            devices = [report.array(a) for a in args]
            wide = [a.astype("f4") if d == "float16" else a for a in args]
            want = [w.astype("f2") if d == "float16" and w.dtype == np.float32 else w for w in getattr(np, name)(*wide)]
            for view in (lambda a: a, lambda a: a[::-2, 1::3]):
                function = C.arr_array(), C.arr_array()
                views = [view(v) for v in devices]
                arrpy.call("arr_" + name, *(v.handle for v in views), None, *map(ctypes.byref, function))
                results = [arrpy.Array(h).numpy() for h in function]
                good = all(
                    g.dtype == w.dtype and np.array_equal(g, view(w), equal_nan=w.dtype.kind == "f")
                    for g, w in zip(results, want)
                )
                report.check(f"{name} {d}", good, f"{results} {want}" if args[0].size < 10 else "")
            by_number = arrpy.ufunc(name, *devices)
            report.check(f"{name} {d} by number", [b.dtype for b in by_number] == [w.dtype for w in want])
    number, nin, nout = (ctypes.c_int32() for _ in range(3))
    arrpy.call("arr_op_find", b"divmod", *map(ctypes.byref, (number, nin, nout)))
    report.check("divmod is found", (number.value, nin.value, nout.value) == (C.ARR_OP_DIVMOD, 2, 2))
    one = report.array(np.ones(3))
    pair_options(report)
    report.check(
        "a pair into one array refused", oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.ufunc("modf", one, out=one))
    )


def pair_options(report):
    """Destinations of other types and layouts, masks, operands that are written."""
    mask = np.random.default_rng(1).random((9, 11)) < 0.5
    for name, d, targets in (
        ("divmod", "int16", ("int16", "int32")),
        ("divmod", "float32", ("float64", "float32")),
        ("modf", "float64", ("float32", "float64")),
        ("frexp", "float32", ("float32", "int64")),
    ):
        f = getattr(np, name)
        args = [oracle.sample((9, 11), d, 7 + k, "tame") for k in range(f.nin)]
        devices, m = [report.array(a) for a in args], report.array(mask)
        plain = f(*args)
        got = arrpy.ufunc(name, *devices, where=m)
        want = [np.where(mask, p, p.dtype.type(0)) for p in plain]
        report.check(f"{name} {d} where", all(oracle.same(g.numpy(), w) for g, w in zip(got, want)))
        for where, view in itertools.product((None, mask), (lambda a: a, lambda a: a[::-1, ::2])):
            old = [oracle.sample((9, 11), t, 20 + k, "tame") for k, t in enumerate(targets)]
            dst = [report.array(o) for o in old]
            kept = {} if where is None else {"where": view(m)}
            arrpy.ufunc_pair_into(name, [view(o) for o in dst], *map(view, devices), **kept)
            for o, t in zip(old, f(*map(view, args))):
                np.copyto(view(o), t, casting="same_kind", where=True if where is None else view(where))
            report.check(f"{name} {d} into {where is None}", all(oracle.same(g.numpy(), o) for g, o in zip(dst, old)))
    pair_without_temporaries(report)
    x = np.arange(-6, 6, dtype="i8")
    a = report.array(x)
    arrpy.ufunc_pair_into("divmod", [a[:5], a[7:]], a[3:8], 4)
    want = x.copy()
    want[:5], want[7:] = np.divmod(x[3:8], 4)
    report.check("a pair over its operand", np.array_equal(a.numpy(), want), f"{a.numpy()} {want}")
    small = report.array(np.zeros(12, "i1"))
    report.check(
        "a pair into int8 refused",
        oracle.raises(C.ARR_E_DTYPE, lambda: arrpy.ufunc_pair_into("modf", [small, small], report.array(np.ones(12)))),
    )
    report.check(
        "a pair into another shape refused",
        oracle.raises(C.ARR_E_SHAPE, lambda: arrpy.ufunc_pair_into("divmod", [a[:3], a], a, 4)),
    )
    report.check(
        "one result into two refused",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.ufunc_pair_into("add", [a, a], a, 4)),
    )
    row = arrpy.made("arr_broadcast_to", a.handle, 2, arrpy.int64s([3, 12]))
    report.check(
        "a pair into a broadcast array refused",
        oracle.raises(C.ARR_E_READONLY, lambda: arrpy.ufunc_pair_into("divmod", [row, row], a, 4)),
    )


def pair_without_temporaries(report):
    """Into arrays apart from the operands nothing else is allocated."""
    device, stats = arrpy.device_of(report.device), C.arr_memory_stats(ctypes.sizeof(C.arr_memory_stats))

    def peak():
        arrpy.call("arr_memory_info", device, ctypes.byref(stats))
        return stats.peak

    x, y = (oracle.sample((300, 700), "float64", k, "tame") for k in (1, 2))
    a, b, m = report.array(x), report.array(y), report.array(x < y)
    for kept in ({}, {"where": m}):
        dst = [report.array(np.zeros_like(x)) for _ in range(2)]
        arrpy.call("arr_device_sync", device)
        arrpy.call("arr_memory_reset_peak", device)
        before = peak()
        arrpy.ufunc_pair_into("divmod", dst, a, b, **kept)
        arrpy.call("arr_device_sync", device)
        report.check(f"a pair's memory {list(kept)}", peak() - before < x.nbytes, f"{peak() - before} bytes")
        want = [np.where(x < y, w, 0) if kept else w for w in np.divmod(x, y)]
        report.check(
            f"a pair in place of nothing {list(kept)}", all(oracle.same(g.numpy(), w) for g, w in zip(dst, want))
        )


def outer(report):
    a, b = oracle.sample((3, 4), "float32", 1), oracle.sample((5, 2), "int16", 2)
    for name in ("multiply", "less", "hypot"):
        got = arrpy.ufunc(name, report.array(a), report.array(b), outer=True).numpy()
        want = getattr(np, name).outer(a, b)
        report.check(
            f"outer {name}",
            got.shape == want.shape and got.dtype == want.dtype and np.allclose(got, want, rtol=1e-6, equal_nan=True),
        )
    got = arrpy.ufunc("add", report.array(a).T, report.array(np.float32(2)), outer=True).numpy()
    report.check("outer of a scalar", oracle.same(got, np.add.outer(a.T, np.float32(2))))
    report.check(
        "outer of one operand refused",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.ufunc("sqrt", report.array(a), report.array(b), outer=True)),
    )


def comparisons(report):
    s = np.array([0, 1, -1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 5], "i8")
    u = np.array([0, 1, 2**64 - 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 6], "u8")
    x, y = (v.ravel() for v in np.meshgrid(s, u))
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        f = getattr(np, name)
        for p, q in ((x, y), (y, x), (x.astype("i1"), y), (y, x.astype("i2"))):
            got = arrpy.apply(name, report.array(p), report.array(q)).numpy()
            report.check(f"{name} {p.dtype} {q.dtype}", oracle.same(got, f(p, q)))
        for d, number in itertools.product(("int8", "uint8", "uint64", "int64"), (-1, 0, 127, 128, 255, 256, 2**62)):
            v = np.array([0, 1, 127], d)
            got = arrpy.apply(name, report.array(v), number).numpy(), arrpy.apply(name, number, report.array(v)).numpy()
            report.check(
                f"{name} {d} and {number}", oracle.same(got[0], f(v, number)) and oracle.same(got[1], f(number, v))
            )


def call(name, *arguments):
    """A function whose last parameters are a stream and a new array; keeps the arrays among the others."""
    return arrpy.made(name, *(a.handle if isinstance(a, arrpy.Array) else a for a in arguments), None)


def angles(report):
    for d in oracle.ALL:
        x = oracle.sample((9, 7), d, 5)
        got = call("arr_angle_degrees", report.array(x)).numpy()
        want = np.angle(x.astype("f4") if d == "bfloat16" else x, deg=True)
        want = want.astype({"bfloat16": x.dtype}.get(d, want.dtype))
        wide = (v.astype("f8") for v in (got, want))
        good = got.dtype == want.dtype and np.allclose(*wide, 4 * 2.0 ** -{2: 7, 4: 23, 8: 52}[got.itemsize], 0, True)
        report.check(
            f"angle in degrees {d}", good and np.array_equal(np.signbit(got), np.signbit(want)), f"{got[0]} {want[0]}"
        )


def into(name, dst, a, *more):
    """Its form that writes into an array."""
    arrpy.call(f"arr_{name}_into", dst.handle, a.handle, *more, None)


def closeness(report):
    for a, b in itertools.product(SOME, SOME):
        x, y = oracle.sample((4, 15), a, 1), oracle.sample((4, 15), b, 2)
        if a == b:
            y = x + x.dtype.type(1) * 0
            y.ravel()[::3] = x.ravel()[::3] + x.dtype.type(0 if a == "bool" else 1)
        for nan in (0, 1):
            got = call("arr_isclose", report.array(x), report.array(y), 1e-3, 1e-2, nan).numpy()
            want = np.isclose(x, y, 1e-3, 1e-2, bool(nan))
            report.check(f"isclose {a} {b} {nan}", oracle.same(got, want), f"{x[got != want][:3]} {y[got != want][:3]}")
            for p, q in ((x, y), (x, x), (y[:, :7], y[:, :7])):
                got = call("arr_allclose", report.array(p), report.array(q), 1e-3, 1e-2, nan).numpy()
                report.check(
                    f"allclose {a} {b} {nan}", got.shape == () and bool(got) == np.allclose(p, q, 1e-3, 1e-2, bool(nan))
                )
                got = call("arr_array_equal", report.array(p), report.array(q), nan).numpy()
                report.check(
                    f"array_equal {a} {b} {nan}", got.shape == () and bool(got) == np.array_equal(p, q, bool(nan))
                )
    full = np.arange(12.0).reshape(3, 4)
    for p, q in (
        (full, full[0]),
        (full * 0, np.zeros(4)),
        (full, full[:2]),
        (np.zeros((0, 3)), np.zeros((1, 3))),
        (full, full),
    ):
        P, Q = report.array(p), report.array(q)
        report.check(
            f"array_equiv {p.shape} {q.shape}", bool(call("arr_array_equiv", P, Q).numpy()) == np.array_equiv(p, q)
        )
        report.check(
            f"array_equal {p.shape} {q.shape}", bool(call("arr_array_equal", P, Q, 0).numpy()) == np.array_equal(p, q)
        )


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    for part in report.chosen((masks, casting, pairs, outer, comparisons, angles, closeness)):
        if report.device != "host" and part is closeness:
            SOME[:] = ["int64", "float16", "float32"]  # two kernels for each pair of types
        part(report)
    report.finish()
