#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of every kind captured into a graph, by one stream and by two: launched, they do what they do outside, and
nothing stays behind."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.fft

import captured_calls
import oracle
from draws import Generator
from oracle import arrpy

C = arrpy.c


def numbers(a, b, s):
    """Those of the capture, each time."""
    g, out = Generator(1, kind=C.ARR_PCG64), arrpy.made("arr_copy", a.handle, C.ARR_ORDER_C, s)
    arrpy.call("arr_random_random_into", out.handle, g.handle, s)
    return out


def factor(a, b, s):
    across = a.T
    definite = arrpy.made("arr_matmul", a.handle, across.handle, s)
    return arrpy.made("arr_cholesky", definite.handle, 1, 1, s)


def product(a, b, s):
    """With a bias and an activation, in one call of cuBLASLt."""
    bias = b[0]
    return arrpy.made(
        "arr_gemm", a.handle, b.handle, None, None, bias.handle, C.ARR_ACTIVATION_RELU | C.ARR_ACTIVATION_FAST, s
    )


# Calls of the captured array, another one, and the stream.
CALLS = {
    "negative": lambda a, b, s: arrpy.made("arr_negative", a.handle, s),
    "add": lambda a, b, s: arrpy.made("arr_add", a.handle, b.handle, s),
    "sum": lambda a, b, s: arrpy.made("arr_sum", a.handle, 1, arrpy.int32s([1]), 0, s),
    "norm": lambda a, b, s: arrpy.made("arr_logsumexp", a.handle, 1, arrpy.int32s([0]), 0, s),
    "softmax": lambda a, b, s: arrpy.made("arr_softmax", a.handle, 1, arrpy.int32s([1]), s),
    "cumsum": lambda a, b, s: arrpy.made("arr_cumsum", a.handle, 1, 0, s),
    "reduceat": lambda a, b, s: arrpy.made(
        "arr_ufunc_reduceat", C.ARR_OP_ADD, a.handle, 7, arrpy.int64s([0, 3, 1, 7, 8, 2, 4]), 0, 0, s
    ),
    "accumulate": lambda a, b, s: arrpy.made("arr_ufunc_accumulate", C.ARR_OP_SUBTRACT, a.handle, 1, 0, s),
    "matmul": lambda a, b, s: arrpy.made("arr_matmul", a.handle, b.handle, s),
    "gemm": product,
    "tensordot": lambda a, b, s: arrpy.made(
        "arr_tensordot", a.handle, b.handle, 1, arrpy.int32s([0]), arrpy.int32s([0]), s
    ),
    "diff": lambda a, b, s: arrpy.made("arr_diff", a.handle, 2, 0, None, None, s),
    "fft": lambda a, b, s: arrpy.made("arr_fft", a.handle, -1, 0, 0, s),
    "rfft of a length": lambda a, b, s: arrpy.made("arr_rfft", a.handle, 50, 1, 0, s),
    "dct": lambda a, b, s: arrpy.made("arr_dct", a.handle, 2, -1, 1, 0, s),
    "numbers of PCG64": numbers,
}


def stacks(run):
    """Stacks of small matrices, and right sides."""

    def call(a, b, s):
        left, right = a.reshape([4, 20, 20]), b.reshape([4, 20, 20])[:, :, :3]
        return run(left, right, s)

    return call


def lu_solve(a, b, s):
    lu, pivots = C.arr_array(), C.arr_array()
    arrpy.call("arr_lu_factor", a.handle, s, ctypes.byref(lu), ctypes.byref(pivots))
    lu, pivots = arrpy.Array(lu), arrpy.Array(pivots)
    return arrpy.made("arr_lu_solve", lu.handle, pivots.handle, b.handle, 0, s)


# Failures as nan: nothing is there to raise when they show. Of stacks, which cuBLAS does.
STACKS = {
    "solve of stacks": stacks(lambda a, b, s: arrpy.made("arr_solve", a.handle, b.handle, 1, s)),
    "inv of stacks": stacks(lambda a, b, s: arrpy.made("arr_inv", a.handle, 1, s)),
    "det of stacks": stacks(lambda a, b, s: arrpy.made("arr_det", a.handle, s)),
    "lu_solve of stacks": stacks(lu_solve),
    "triangular solve": lambda a, b, s: arrpy.made(
        "arr_solve_triangular", a.handle, b.handle, C.ARR_TRIANGULAR_LOWER, 0, 1, s
    ),
    "triangular solve of stacks": stacks(
        lambda a, b, s: arrpy.made("arr_solve_triangular", a.handle, b.handle, 0, 1, 1, s)
    ),
}
# cuSOLVER's are not captured.
LINALG = {
    "solve": lambda a, b, s: arrpy.made("arr_solve", a.handle, b.handle, 1, s),
    "inv": lambda a, b, s: arrpy.made("arr_inv", a.handle, 1, s),
    "det": lambda a, b, s: arrpy.made("arr_det", a.handle, s),
    "cholesky": factor,
    "svdvals": lambda a, b, s: arrpy.made("arr_svdvals", a.handle, 1, s),
    "eigvalsh": lambda a, b, s: arrpy.made("arr_eigvalsh", a.handle, 1, 1, s),
}


def one(report, name, run):
    r = np.random.default_rng(len(name))
    x, later, other = (r.uniform(0.5, 2, (40, 40)) for _ in range(3))
    a, b = report.array(x), report.array(other)
    wanted = []
    for given in (x, later):
        a.set(given)
        wanted.append(run(a, b, None).numpy())
    stream, graph = C.arr_stream(), C.arr_graph()
    arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(stream))
    arrpy.call("arr_graph_begin", stream)
    out = run(a, b, stream)
    arrpy.call("arr_graph_end", stream, ctypes.byref(graph))
    # Arrays made now may have none of the graph's memory.
    others = [report.array(np.full(n, 7.0)) for n in (1, 40, 1040, 1600, 2080, 3200) for _ in range(8)]
    for given, want in zip((x, later), wanted):
        a.set(given)
        arrpy.call("arr_graph_launch", graph, stream)
        arrpy.call("arr_stream_sync", stream)
        report.check(name, oracle.same(out.numpy(), want), f"{out.numpy().ravel()[:3]}, expected {want.ravel()[:3]}")
    report.check(f"{name}: other arrays", all(np.all(o.numpy() == 7) for o in others))
    arrpy.call("arr_graph_release", graph)
    arrpy.call("arr_stream_release", stream)


def wait(report, waiter, first, by_event):
    """Orders the waiter's next work after the work in the other stream; in a capture it joins by that."""
    if not by_event:
        return arrpy.call("arr_stream_wait_stream", waiter, first)
    event = C.arr_event()
    arrpy.call("arr_event_create", arrpy.device_of(report.device), 0, ctypes.byref(event))
    arrpy.call("arr_event_record", event, first)
    arrpy.call("arr_stream_wait_event", waiter, event)
    arrpy.call("arr_event_release", event)


def branches(report, name, run):
    """The call in two branches of a graph, on what one stream made before the fork."""
    r = np.random.default_rng(len(name))
    x, later, other = (r.uniform(0.5, 2, (40, 40)) for _ in range(3))
    a, b = report.array(x), report.array(other)
    streams, graph = [C.arr_stream(), C.arr_stream()], C.arr_graph()
    for s in streams:
        arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(s))
    arrpy.call("arr_graph_begin", streams[0])
    twice = arrpy.made("arr_add", a.handle, a.handle, streams[0])
    by_event = len(name) % 2 == 0
    wait(report, streams[1], streams[0], by_event)
    outs = [run(twice, b, s) for s in streams]
    wait(report, streams[0], streams[1], not by_event)
    arrpy.call("arr_graph_end", streams[0], ctypes.byref(graph))
    for given in (x, later):
        want = run(report.array(2 * given), b, None).numpy()
        a.set(given)
        arrpy.call("arr_graph_launch", graph, streams[1])
        arrpy.call("arr_stream_sync", streams[1])
        for k, out in enumerate(outs):
            report.check(
                f"{name} in branch {k}",
                oracle.same(out.numpy(), want),
                f"{out.numpy().ravel()[:3]}, expected {want.ravel()[:3]}",
            )
    arrpy.call("arr_graph_release", graph)
    for s in streams:
        arrpy.call("arr_stream_release", s)


def unlaunched(report):
    """Objects that a capture makes for later calls are there though the graph never ran."""
    stream, graph = C.arr_stream(), C.arr_graph()
    arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(stream))
    x = np.random.default_rng(1).uniform(-1, 1, (31, 31))
    a = report.array(x)
    runs = {
        "dct": lambda s: arrpy.made("arr_dct", a.handle, 2, -1, 1, 0, s),
        "tril": lambda s: arrpy.made("arr_tril", a.handle, 2000, s),
    }
    for name, run in runs.items():
        arrpy.call("arr_graph_begin", stream)
        out = run(stream)
        arrpy.call("arr_graph_end", stream, ctypes.byref(graph))
        arrpy.call("arr_graph_release", graph)
        del out
        got, want = run(None).numpy(), scipy.fft.dct(x, axis=1) if name == "dct" else np.tril(x, 2000)
        report.check(
            f"{name} after a graph that never ran",
            np.allclose(got, want, rtol=0, atol=1e-12),
            f"{got.ravel()[:3]}, expected {want.ravel()[:3]}",
        )
    arrpy.call("arr_stream_release", stream)


def refused(report, name, run, status=C.ARR_E_UNSUPPORTED, text="not captured into graphs"):
    """A capture goes on behind a call that it cannot take."""
    a, stream, graph = report.array(np.eye(40)), C.arr_stream(), C.arr_graph()
    arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(stream))
    arrpy.call("arr_graph_begin", stream)
    try:
        run(a, a, stream)
        report.check(f"{name} is refused", False)
    except arrpy.Error as error:
        report.check(f"{name} is refused", error.status == status and text in str(error), str(error))
    out = arrpy.made("arr_negative", a.handle, stream)
    arrpy.call("arr_graph_end", stream, ctypes.byref(graph))
    arrpy.call("arr_graph_launch", graph, stream)
    arrpy.call("arr_stream_sync", stream)
    report.check(f"{name}: the capture goes on", np.array_equal(out.numpy(), -np.eye(40)))
    arrpy.call("arr_graph_release", graph)
    arrpy.call("arr_stream_release", stream)


def main():
    report = oracle.Report(__doc__)
    unlaunched(report)
    if report.device != "host":
        for name, run in LINALG.items():
            refused(report, name, run)
    for name, run in captured_calls.READ_VALUES.items():
        refused(report, name, run, C.ARR_E_ARGUMENT, "the call needs a value of it now")
    for name, run in (CALLS | captured_calls.CALLS | STACKS | (LINALG if report.device == "host" else {})).items():
        one(report, name, run)  # makes what stays: plans, tables
        branches(report, name, run)
        before = arrpy.lib.arr_live_handles(), arrpy.lib.arr_live_objects()
        one(report, name, run)
        branches(report, name, run)
        after = arrpy.lib.arr_live_handles(), arrpy.lib.arr_live_objects()
        report.check(f"{name} leaves nothing", before == after, f"{before}, then {after}")
    report.finish()


if __name__ == "__main__":
    main()
