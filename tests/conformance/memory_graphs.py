# SPDX-License-Identifier: MIT
"""Graphs, scopes of fusing and the trace, for memory_handles.py."""

import ctypes
import os
import tempfile

import numpy as np

import failing_calls
from arrapi import call, refused
from oracle import arrpy

c = arrpy.c


def graphs(report, device):
    s = call("arr_stream_create", device=device)["out"]
    a = report.array(np.arange(6.0))

    def captured():
        arrpy.check(arrpy.lib.arr_graph_begin(s))
        made = c.arr_array()
        arrpy.check(arrpy.lib.arr_negative(a.handle, s, ctypes.byref(made)))
        arrpy.check(arrpy.lib.arr_release(made))

    graph = c.arr_graph()

    def undo():
        arrpy.check(arrpy.lib.arr_graph_release(graph))
        graph.value = None

    failing_calls.afresh(captured, "arr_graph_end", s, ctypes.byref(graph), undo=undo)
    call("arr_graph_upload", graph=graph, stream=s)
    call("arr_graph_launch", graph=graph, stream=s)
    failing_calls.afresh(captured, "arr_graph_update", graph, s)
    with tempfile.NamedTemporaryFile() as f:
        refused(report, "arr_graph_dot", c.ARR_E_UNSUPPORTED, graph=graph, path=f.name.encode())
    refused(report, "arr_graph_native", c.ARR_E_UNSUPPORTED, graph=graph)
    call("arr_graph_release", graph=graph)
    call("arr_graph_begin", stream=s)
    arrpy.check(arrpy.lib.arr_graph_end(s, ctypes.byref(graph)))
    call("arr_graph_release", graph=graph)
    call("arr_stream_release", stream=s)


def recorded(report, device):
    """Scopes of fusing, and the trace."""
    a, made = report.array(np.arange(6.0)), []

    def scope():
        arrpy.check(arrpy.lib.arr_fuse_begin(c.ARR_FUSE_SMALL))
        out = c.arr_array()
        arrpy.check(arrpy.lib.arr_negative(a.handle, None, ctypes.byref(out)))
        made.append(arrpy.Array(out))

    failing_calls.afresh(scope, "arr_fuse_end")
    report.check("arr_fuse_end", np.array_equal(made[-1].numpy(), -np.arange(6.0)))
    made.clear()
    call("arr_fuse_info")
    call("arr_fuse_flush")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json").encode()

        def traced():
            status = arrpy.lib.arr_trace_begin()
            assert status in (c.ARR_OK, c.ARR_E_ARGUMENT)  # it goes on where its end has failed
            arrpy.check(arrpy.lib.arr_mark(b"here"))

        failing_calls.afresh(traced, "arr_trace_end", path)
        report.check("arr_trace_end", b"here" in open(path, "rb").read())
    run = arrpy.lib.arr_benchmark.argtypes[0](lambda *_: 0)
    call("arr_benchmark", fn=run, device=device)
