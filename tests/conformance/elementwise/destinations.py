#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions with a form that writes into an array, against NumPy: into views, other types, over what they read.

Of outer products, expressions (scans, several results), diff, gradient, trapezoid, cov, medians and quantiles; those of
scans, rounding and random numbers are tested beside them.
"""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrexpr

C = arrpy.c
Q = [0.0, 0.3, 1.0]


def axes(axis):
    return arrpy.axes_of(axis)


def doubles(values):
    return (ctypes.c_double * len(values))(*values)


def quantile(name, axis, scale=1):
    n, which = axes(axis)
    return lambda dst, a: arrpy.call(
        f"arr_{name}_into", dst.handle, a.handle, len(Q), doubles([q * scale for q in Q]), n, which, 0, 0, None
    )


def median(name, axis):
    n, which = axes(axis)
    return lambda dst, a: arrpy.call(f"arr_{name}_into", dst.handle, a.handle, n, which, 0, None)


def gradient(dst, a):
    arrpy.call("arr_gradient_into", 1, (C.arr_array * 1)(dst.handle), a.handle, 1, arrpy.int32s([1]), None, 1, None)


def scan(dst, a):
    e = arrexpr.parse("a*2 + 1")
    arrpy.call(
        "arr_expr_scan_into", dst.handle, e.handle, e.node, C.ARR_REDUCTION_SUM, 1, 1, arrexpr.handles([a]), None
    )


# name -> (writes it, NumPy's result, types of the array)
CASES = {
    "outer add": (
        lambda dst, a: arrpy.call("arr_ufunc_outer_into", dst.handle, C.ARR_OP_ADD, a.handle, a.handle, None, None),
        lambda x: np.add.outer(x, x),
        ["int16", "float32", "complex64"],
    ),
    "outer less": (
        lambda dst, a: arrpy.call("arr_ufunc_outer_into", dst.handle, C.ARR_OP_LESS, a.handle, a.handle, None, None),
        lambda x: np.less.outer(x, x),
        ["int16", "float64"],
    ),
    "expr scan": (scan, lambda x: np.cumsum(x * 2 + 1, axis=1), ["int32", "float64"]),
    "diff": (
        lambda dst, a: arrpy.call("arr_diff_into", dst.handle, a.handle, 1, 1, None, None, None),
        np.diff,
        ["int8", "float32", "complex64"],
    ),
    "diff of nothing": (
        lambda dst, a: arrpy.call("arr_diff_into", dst.handle, a.handle, 0, 1, None, None, None),
        lambda x: x,
        ["int32", "float32"],
    ),
    "gradient": (gradient, lambda x: np.gradient(x, axis=1), ["float32", "int32"]),
    "trapezoid": (
        lambda dst, a: arrpy.call("arr_trapezoid_into", dst.handle, a.handle, None, 0.5, 1, None),
        lambda x: np.trapezoid(x, dx=0.5, axis=1),
        ["float32", "float64"],
    ),
    "cov": (lambda dst, a: arrpy.call("arr_cov_into", dst.handle, a.handle, None, None), np.cov, ["float64", "int16"]),
    "median": (median("median", 0), lambda x: np.median(x, axis=0), ["float32", "int16"]),
    "nanmedian": (median("nanmedian", 1), lambda x: np.nanmedian(x, axis=1), ["float64", "float16"]),
    "quantile": (quantile("quantile", 1), lambda x: np.quantile(x, Q, axis=1), ["float64", "int32"]),
    "percentile": (
        quantile("percentile", 0, 100),
        lambda x: np.percentile(x, [100 * q for q in Q], axis=0),
        ["float64"],
    ),
    "nanquantile": (quantile("nanquantile", None), lambda x: np.nanquantile(x, Q), ["float64"]),
    "nanpercentile": (
        quantile("nanpercentile", 1, 100),
        lambda x: np.nanpercentile(x, [100 * q for q in Q], axis=1),
        ["float64"],
    ),
}


def close(got, want):
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    if got.dtype.kind in "biu":
        return bool(np.array_equal(got, want))
    eps = np.finfo(got.dtype).eps
    return bool(np.allclose(got, want, 16 * eps, 16 * eps, equal_nan=True))


def case(report, name, d):
    write, reference, _ = CASES[name]
    x = (np.arange(30) * 7 % 11 - 4).astype(d).reshape(5, 6)
    if name == "outer add" or name == "outer less":
        x = x[0]
    want = np.asarray(reference(x))
    if d == "float16":
        want = want.astype(d)
    label = f"{name} {d} into"
    for kind, to in (("its type", want.dtype), ("a wider type", np.dtype("c16"))):
        # Every second element of the last axis: nothing beside these may change.
        base = np.full((*want.shape[:-1], 2 * want.shape[-1] + 1), 77, to)
        whole = report.array(base)
        write(whole[..., 1::2], report.array(x))
        after = whole.numpy()
        report.check(
            f"{label} {kind}, a view",
            close(after[..., 1::2].copy(), want.astype(to))
            or kind != "its type"
            and np.allclose(after[..., 1::2], want, 1e-3 if d == "float16" else 1e-6),
            f"{after[..., 1::2].ravel()[:4]}, expected {want.ravel()[:4]}",
        )
        report.check(f"{label} {kind}: nothing beside it", np.array_equal(after[..., ::2], base[..., ::2]))
        plain = report.array(np.zeros(want.shape, to))
        write(plain, report.array(x))
        report.check(f"{label} {kind}", np.array_equal(plain.numpy(), after[..., 1::2], equal_nan=to.kind != "b"))
    if want.dtype == x.dtype and want.ndim <= 2:
        # Over what it reads: the array lies in the first rows of a larger one, the result begins in its second.
        room = np.full((12, 12), 3, x.dtype)
        source = np.index_exp[:5, :6] if x.ndim == 2 else np.index_exp[1, :6]
        sink = (
            np.index_exp[1 : 1 + want.shape[0], : want.shape[1]] if want.ndim == 2 else np.index_exp[1, : want.shape[0]]
        )
        room[source] = x
        over, left = report.array(room), room.copy()
        write(over[sink], over[source])
        left[sink] = want
        report.check(f"{label} what it reads", close(over.numpy(), left), f"{over.numpy()} {left}")
    wrong = report.array(np.zeros((3, 3, 3, 3), want.dtype))
    report.check(f"{label} another shape refused", oracle.raises(C.ARR_E_SHAPE, lambda: write(wrong, report.array(x))))
    if want.dtype.kind in "fc":
        whole = report.array(np.zeros(want.shape, "i8"))
        report.check(f"{label} integers refused", oracle.raises(C.ARR_E_DTYPE, lambda: write(whole, report.array(x))))
    frozen = report.array(np.zeros(1, want.dtype)).broadcast_to(want.shape)
    report.check(
        f"{label} repeated elements refused", oracle.raises(C.ARR_E_READONLY, lambda: write(frozen, report.array(x)))
    )


def many(report):
    """Several nodes at once: each into its type, one into another, one over an input, two over each other's."""
    x, y = (np.arange(24) % 7 - 2.0).astype("f4").reshape(4, 6), np.arange(6, dtype="f4")
    e = arrexpr.Expr()
    a, b = e.input(0), e.input(1)
    nodes = [e.op("add", a, b), e.op("less", a, b), e.op("multiply", a, b)]
    want = [x + y, x < y, x * y]

    def write(dsts, *arrays, which=nodes):
        arrpy.call(
            "arr_expr_run_many_into",
            len(dsts),
            arrexpr.handles(dsts),
            e.handle,
            arrpy.int32s(which),
            len(arrays),
            arrexpr.handles(arrays),
            None,
        )

    first, second = report.array(x), report.array(y)
    base = [np.full((4, 12), 1, w.dtype) for w in want]
    whole = [report.array(v) for v in base]
    write([v[:, ::2] for v in whole], first, second)
    for k, (v, w) in enumerate(zip(whole, want)):
        report.check(
            f"run_many {k} into a view",
            oracle.same(v.numpy()[:, ::2].copy(), w) and bool(np.all(v.numpy()[:, 1::2] == 1)),
        )
    other = [report.array(np.zeros((4, 6), t)) for t in ("f8", "f4", "c8")]
    write(other, first, second)
    report.check(
        "run_many into other types", all(np.array_equal(o.numpy(), w.astype(o.dtype)) for o, w in zip(other, want))
    )
    over, rest = report.array(x), [report.array(np.zeros((4, 6), w.dtype)) for w in want[1:]]
    write([over, *rest], over, second)
    report.check("run_many over an input", all(oracle.same(o.numpy(), w) for o, w in zip([over, *rest], want)))
    room = report.array(np.zeros((6, 6), "f4"))
    write([room[:4], room[2:]], first, second, which=[nodes[0], nodes[2]])
    report.check("run_many over each other", oracle.same(room.numpy(), np.concatenate([want[0][:2], want[2]])))
    whole_numbers, row, frozen = (
        report.array(np.zeros((4, 6), "i4")),
        report.array(y),
        report.array(y).broadcast_to((4, 6)),
    )
    for label, status, dst in (
        ("integers", C.ARR_E_DTYPE, whole_numbers),
        ("another shape", C.ARR_E_SHAPE, row),
        ("repeated elements", C.ARR_E_READONLY, frozen),
    ):
        fine = report.array(np.full((4, 6), 5, "f4"))
        report.check(
            f"run_many into {label} refused",
            oracle.raises(status, lambda: write([fine, dst], first, second, which=[nodes[0], nodes[2]])),
        )
        report.check(f"run_many into {label}: nothing written", bool(np.all(fine.numpy() == 5)))
    report.check(
        "run_many into none refused", oracle.raises(C.ARR_E_ARGUMENT, lambda: write([], first, second, which=[]))
    )


def many_in_place(report):
    """Several nodes over the arrays that they read: nothing else is allocated."""
    x, y = np.arange(100_000.0) % 7 - 2, np.arange(100_000.0) % 11
    e = arrexpr.Expr()
    a, b = e.input(0), e.input(1)
    both = e.op("add", a, b), e.op("multiply", a, b)
    device, stats = arrpy.device_of(report.device), C.arr_memory_stats(ctypes.sizeof(C.arr_memory_stats))

    def memory(field):
        arrpy.call("arr_device_sync", device)
        arrpy.call("arr_memory_info", device, ctypes.byref(stats))
        return getattr(stats, field)

    for label, nodes, want in (("over both", both, (x + y, x * y)), ("exchanged", (b, a), (y, x))):
        arrays = [report.array(x), report.array(y)]
        handles, before = arrexpr.handles(arrays), memory("in_use")
        arrpy.call("arr_memory_reset_peak", device)
        arrpy.call("arr_expr_run_many_into", 2, handles, e.handle, arrpy.int32s(nodes), 2, handles, None)
        more = memory("peak") - before
        report.check(f"run_many {label}: no arrays", more < x.nbytes, f"{more} bytes")
        report.check(f"run_many {label}", all(oracle.same(o.numpy(), w) for o, w in zip(arrays, want)))


def gradients(report):
    x = (np.arange(30.0) ** 2 % 17).reshape(5, 6)
    own = report.array(x)
    second = report.array(np.zeros((5, 6), "c16"))
    arrpy.call("arr_gradient_into", 2, arrexpr.handles([own, second]), own.handle, 2, None, None, 2, None)
    for k, (got, want) in enumerate(zip((own, second), np.gradient(x, edge_order=2))):
        report.check(f"gradient {k} of two into", np.allclose(got.numpy(), want, 1e-13))
    report.check(
        "gradient count refused",
        oracle.raises(
            C.ARR_E_ARGUMENT,
            lambda: arrpy.call("arr_gradient_into", 1, arrexpr.handles([own]), own.handle, 2, None, None, 1, None),
        ),
    )


def masked_outer(report):
    x, mask = np.arange(4.0), np.arange(12).reshape(4, 3) % 2 == 0
    held = report.array(mask)
    options = C.arr_ufunc_options(ctypes.sizeof(C.arr_ufunc_options))
    options.casting, options.where = arrpy.CASTINGS["same_kind"], held.handle
    dst = report.array(np.full((4, 3), -1.0))
    a, b = report.array(x), report.array(x[:3])
    arrpy.call("arr_ufunc_outer_into", dst.handle, C.ARR_OP_MULTIPLY, a.handle, b.handle, ctypes.byref(options), None)
    report.check("outer with a mask into", np.array_equal(dst.numpy(), np.where(mask, np.multiply.outer(x, x[:3]), -1)))
    options.dtype = C.ARR_FLOAT32
    arrpy.call("arr_ufunc_outer_into", dst.handle, C.ARR_OP_MULTIPLY, a.handle, b.handle, ctypes.byref(options), None)
    want = np.where(mask, np.multiply.outer(x, x[:3], dtype="f4"), -1)
    report.check("outer with a mask and a dtype into", np.array_equal(dst.numpy(), want), f"{dst.numpy()} {want}")


def main():
    report = oracle.Report(__doc__.splitlines()[0])
    for name, (_, _, types) in CASES.items():
        for d in types if report.device == "host" else types[:1]:
            if report.wants(f"{name} {d}"):
                case(report, name, d)
    for part in (many, many_in_place, gradients, masked_outer):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
