#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Planned transforms with programs in front of and behind them, against NumPy's steps one by one."""

import ctypes
import os
import pathlib
import re
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.fft

import oracle
from fft_plans import C2C, C2R, NORMS, R2C, numbers, plan, said
from oracle import arrpy

C = arrpy.c


class Map:
    """A formula of x, its input 0, and then u and v, as far as they are in it."""

    def __init__(self, formula):
        self.e, node = C.arr_expr(), ctypes.c_int32()
        self.others = [name for name in "uv" if re.search(rf"\b{name}\b", formula)]
        names = [name.encode() for name in ("x", *self.others)]
        arrpy.call(
            "arr_expr_parse",
            formula.encode(),
            -1,
            len(names),
            (ctypes.c_char_p * len(names))(*names),
            ctypes.byref(node),
            ctypes.byref(self.e),
        )
        self.node = node.value

    def of(self, u, v):
        return [{"u": u, "v": v}[name] for name in self.others]

    def __del__(self):
        arrpy.call("arr_expr_release", self.e)


def handles(arrays):
    return (C.arr_array * len(arrays))(*(a.handle for a in arrays)) if arrays else None


def fused(p, inputs, dst, load=None, store=None, more=(), inverse=0, norm=0, stream=None):
    arrpy.call(
        "arr_fft_plan_execute_fused",
        p,
        load and load.e,
        load.node if load else 0,
        len(inputs),
        handles(inputs),
        store and store.e,
        store.node if store else 0,
        len(more),
        handles(more),
        dst.handle,
        inverse,
        norm,
        stream,
    )
    return dst


# Kind, inverse, SciPy's name, complex input, complex output.
KINDS = [
    (C2C, 0, "fftn", True, True),
    (C2C, 1, "ifftn", True, True),
    (R2C, 0, "rfftn", False, True),
    (C2R, 1, "irfftn", True, False),
]
# The last two go in several pieces on the host, the one before the last in rows that are large themselves.
CASES = [
    ((12,), None),
    ((5, 12), (1,)),
    ((5, 12), (0,)),
    ((4, 3, 10), (1, 2)),
    ((4, 3, 10), (0, 2)),
    ((0, 6), (1,)),
    ((1, 7), (1,)),
    ((19, 1 << 16), (1,)),
    ((1100, 600), (1,)),
]
# Formulas and what they are in NumPy, of the elements, a row and a column.
LOADS = {
    None: lambda x, u, v: x,
    "x * u + v": lambda x, u, v: x * u + v,
    "where(index(-1) % 2 == 0, x, -x * v)": lambda x, u, v: np.where(np.arange(x.shape[-1]) % 2 == 0, x, -x * v),
    "x * index(0)": lambda x, u, v: (x.T * np.arange(x.shape[0])).T,
}
STORES = {
    None: lambda y, u, v: y,
    "absolute(x) * u": lambda y, u, v: np.abs(y) * u,
    "x * index(0) + v": lambda y, u, v: (y.T * np.arange(y.shape[0])).T + v,
    "conj(x)": lambda y, u, v: np.conj(y),
}


def one(report, kind, real, shape, axes, load, store, norm):
    kind, inverse, name, complex_in, complex_out = kind
    along = tuple(range(len(shape))) if axes is None else axes
    half = tuple(n // 2 + 1 if i == along[-1] else n for i, n in enumerate(shape))
    shape_in, shape_out = half if name == "irfftn" else shape, half if name == "rfftn" else shape
    x = numbers(shape_in, real, complex_in, 5)
    rows = [
        np.random.default_rng(k).uniform(0.5, 1, n).astype(real) for k, n in ((1, shape_in[-1]), (2, shape_out[-1]))
    ]
    columns = [
        np.random.default_rng(k).uniform(0.5, 1, (s[-2], 1) if len(s) > 1 else (1,)).astype(real)
        for k, s in ((3, shape_in), (4, shape_out))
    ]
    f, g = LOADS[load], STORES[store]
    with np.errstate(all="ignore"):
        wide = f(x.astype("c16" if complex_in else "f8"), rows[0], columns[0])
        extents = {"s": [shape[d] for d in along]} if name == "irfftn" else {}
        want = g(getattr(scipy.fft, name)(wide, axes=along, norm=NORMS[norm], **extents), rows[1], columns[1])
    p = plan(report, kind, real, shape, axes)
    dtype = real if not complex_out or store == "absolute(x) * u" else "c8" if real == "float32" else "c16"
    arrays = [report.array(a) for a in (x, rows[0], columns[0], rows[1], columns[1])]
    dst = report.array(np.zeros(want.shape, dtype))
    before, behind = (m and Map(m) for m in (load, store))
    fused(
        p,
        [arrays[0], *(before.of(*arrays[1:3]) if before else [])],
        dst,
        before,
        behind,
        behind.of(*arrays[3:]) if behind else [],
        inverse,
        norm,
    )
    got = dst.numpy()
    label = f"{name} {real} {shape} axes {axes} load {load} store {store} {NORMS[norm]}"
    limit = 8 * (2 + np.log2(max(want.size, 2))) * np.finfo(real).eps * np.abs(want).max(initial=0)
    off = np.abs(got - want).max(initial=0)
    report.check(label, got.shape == want.shape and off <= limit, f"off by {off:.3g}, allowed {limit:.3g}")
    report.check(label + ": input", np.array_equal(arrays[0].numpy(), x))
    arrpy.call("arr_fft_plan_release", p)


def programs(report):
    number = 0
    for kind in KINDS:
        for real in ("float32", "float64"):
            for shape, axes in CASES if report.device == "host" else CASES[:5]:
                for load in LOADS:
                    for store in STORES:
                        number += 1
                        # Large shapes take a part of the cases: all loads, all stores.
                        if np.prod(shape) > 10**5 and number % 3:
                            continue
                        one(report, kind, real, shape, axes, load, store, number % 3)


def types(report):
    """Samples of int16 under a window to powers in float64; strided and broadcast operands; several pieces."""
    r = np.random.default_rng(1)
    x, w = r.integers(-3000, 3000, (700, 2048)).astype("i2"), np.hanning(1024).astype("f4")
    p = plan(report, R2C, "float32", (700, 1024), (1,))
    a = report.array(x)[:, ::2]
    out = report.array(np.zeros((513, 1400), "f8")).T[::2]
    fused(p, [a, report.array(w)], out, Map("x * u"), Map("float64(x * conj(x))"))
    want = np.abs(np.fft.rfft(x[:, ::2] * w.astype("f8"))) ** 2
    report.check("spectrum of int16", np.allclose(out.numpy(), want, rtol=1e-4, atol=1e-6 * want.max()))
    # One row for all.
    fused(p, [report.array(w)[None], report.array(np.zeros((700, 1), "f4"))], out, Map("x + u"), Map("absolute(x)"))
    report.check("one row", np.allclose(out.numpy(), np.abs(np.fft.rfft(w)), atol=1e-3))
    arrpy.call("arr_fft_plan_release", p)


def in_graph(report):
    """Captured, and launched on other numbers; recorded."""
    x = numbers((6, 40), "float64", True)
    p, w = plan(report, C2C, "float64", (6, 40), (1,)), np.linspace(0, 1, 40)
    a, u, dst = report.array(x), report.array(w), report.array(np.zeros((6, 40)))
    stream, graph = C.arr_stream(), C.arr_graph()
    arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(stream))
    arrpy.call("arr_graph_begin", stream)
    fused(p, [a, u], dst, Map("x * u"), Map("absolute(x)"), stream=stream)
    arrpy.call("arr_graph_end", stream, ctypes.byref(graph))
    for given in (x, 3 * x):
        a.set(given)
        arrpy.call("arr_graph_launch", graph, stream)
        arrpy.call("arr_stream_sync", stream)
        report.check("in a graph", np.allclose(dst.numpy(), np.abs(np.fft.fft(given * w))))
    arrpy.call("arr_graph_release", graph)
    arrpy.call("arr_stream_release", stream)
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    half = arrpy.apply("multiply", u, u)
    fused(p, [a, half], dst, Map("x * u"), Map("absolute(x) + u"), [half])
    arrpy.call("arr_fuse_end")
    report.check("recorded", np.allclose(dst.numpy(), np.abs(np.fft.fft(3 * x * w**2)) + w**2))
    arrpy.call("arr_fft_plan_release", p)


def threads(report):
    """Any number of threads run one plan with one pair of programs at the same time, each on a stream of its own."""
    rows, n, workers, times = 300, 256, 4, 12
    p, load, store = plan(report, R2C, "float32", (rows, n), (1,)), Map("x * u"), Map("absolute(x) + u")
    x = [numbers((rows, n), "float32", False, k) for k in range(workers)]
    window = np.hanning(n).astype("f4")
    good = [0] * workers

    def work(k):
        stream = arrpy.made("arr_stream_create", ctypes.byref(arrpy.device_of(report.device)), 0, of=C.arr_stream)
        a, u = report.array(x[k]), report.array(window)
        more = report.array(np.full((rows, 1), k, "f4"))
        want = np.abs(np.fft.rfft(x[k].astype("f8") * window)) + k
        for _ in range(times):
            dst = report.array(np.zeros((rows, n // 2 + 1), "f4"))
            fused(p, [a, u], dst, load, store, [more], stream=stream)
            arrpy.call("arr_stream_sync", stream)
            good[k] += bool(np.allclose(dst.numpy(), want, rtol=1e-4, atol=1e-3))
        arrpy.call("arr_stream_release", stream)

    all_workers = [threading.Thread(target=work, args=(k,)) for k in range(workers)]
    for t in all_workers:
        t.start()
    for t in all_workers:
        t.join()
    report.check("threads", good == [times] * workers, str(good))
    arrpy.call("arr_fft_plan_release", p)


def refused(report):
    p = plan(report, C2C, "float32", (4, 6), (1,))
    a, dst, f4 = (
        report.array(np.ones((4, 6), "c8")),
        report.array(np.ones((4, 6), "c8")),
        report.array(np.ones((4, 6), "f4")),
    )
    double, name = Map("x + x"), Map("x + u")
    cases = [
        ("two without a program", C.ARR_E_ARGUMENT, "argument nin: 2", lambda: fused(p, [a, a], dst)),
        ("none", C.ARR_E_ARGUMENT, "argument nin: 0, expected 1 to", lambda: fused(p, [], dst)),
        ("type without a program", C.ARR_E_DTYPE, "argument in[0]: float32", lambda: fused(p, [f4], dst)),
        ("more without a program", C.ARR_E_ARGUMENT, "argument nmore: 1", lambda: fused(p, [a], dst, None, None, [a])),
        (
            "negative",
            C.ARR_E_ARGUMENT,
            "argument nmore: -1",
            lambda: arrpy.call(
                "arr_fft_plan_execute_fused", p, None, 0, 1, handles([a]), None, 0, -1, None, dst.handle, 0, 0, None
            ),
        ),
        ("shape", C.ARR_E_SHAPE, "argument in: the arrays broadcast to (6,)", lambda: fused(p, [a[0]], dst, double)),
        ("shapes", C.ARR_E_SHAPE, "in[1]", lambda: fused(p, [a, a[:, :4]], dst, name)),
        (
            "more's shape",
            C.ARR_E_SHAPE,
            "argument more[0]: shape (2,4,6) does not broadcast",
            lambda: fused(p, [a], dst, None, name, [report.array(np.ones((2, 4, 6), "f4"))]),
        ),
        ("dst's shape", C.ARR_E_SHAPE, "argument dst: shape (4,4)", lambda: fused(p, [a], dst[:, :4], None, double)),
        ("dst's type", C.ARR_E_DTYPE, "argument dst: float32", lambda: fused(p, [a], f4)),
        ("shared", C.ARR_E_ARGUMENT, "argument dst: shares memory", lambda: fused(p, [a], a, double)),
        (
            "shared with more",
            C.ARR_E_ARGUMENT,
            "argument dst: shares memory",
            lambda: fused(p, [a], dst, None, name, [dst]),
        ),
        ("inputs missing", C.ARR_E_ARGUMENT, "", lambda: fused(p, [a], dst, name)),
        ("complex into real", C.ARR_E_DTYPE, "", lambda: fused(p, [a], f4, None, double)),
    ]
    for label, code, words, call in cases:
        status, text = said(call)
        report.check(label, status == code and words in text, text)
    report.check("nothing was written", np.array_equal(dst.numpy(), np.ones((4, 6))))
    gone = Map("x")
    arrpy.call("arr_expr_release", gone.e)
    status, text = said(lambda: fused(p, [a], dst, gone))
    report.check("a released program", status == C.ARR_E_HANDLE and "argument load" in text, text)
    gone.e = C.arr_expr()
    arrpy.call("arr_fft_plan_release", p)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    parts = [programs, types, in_graph, refused]
    if "ARR_SUITE" not in os.environ:  # short_of_memory.py counts what is alive, which several threads change
        parts.append(threads)
    for part in r.chosen(parts):
        part(r)
    r.finish()
