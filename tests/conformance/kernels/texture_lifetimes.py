#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Textures over time: released behind launches, in other streams, in graphs, of arrays whose values are recorded."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrfuse
import arrtex
from arrtex import Texels, i4
from textures import SOURCE, sample

C = arrpy.c


def lifetimes(report):
    """A released object stays alive as long as something needs it: other streams, captured work, arrays, texels."""
    m = arrtex.Module(SOURCE, report.device, ["fetch<float>"])
    data = np.arange(24, dtype="f4").reshape(4, 6)
    x = np.array([[0.5, 5.5, 2.5], [0.5, 3.5, 1.5]], "f4")
    want = np.array([0, 23, 8], "f4")

    def made(kind):
        a = arrtex.pitched(data, report.device)
        if kind == "array":
            return arrtex.texture_of_array(a)
        return arrtex.texture(Texels("float32", data.shape, device=report.device).copy_from(a))

    streams = [C.arr_stream(), C.arr_stream()]
    for s in streams:
        arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(s))
    for kind in ("array", "texels"):
        out, where = report.array(np.zeros(3, "f4")), report.array(x.ravel())
        for s in streams:
            t = made(kind)
            m.launch("fetch<float>", 3, t, i4(2), where, out, i4(3), stream=s)
            del t
        others = [report.array(np.full(256, 9, "f4")) for _ in range(20)]
        report.check(f"released behind a launch, {kind}", np.array_equal(out.numpy(), want), str(out.numpy()))
        t, graph = made(kind), C.arr_graph()
        arrpy.call("arr_graph_begin", streams[0])
        m.launch("fetch<float>", 3, t, i4(2), where, out, i4(3), stream=streams[0])
        arrpy.call("arr_graph_end", streams[0], ctypes.byref(graph))
        del t, others
        others = [report.array(np.full(256, 9, "f4")) for _ in range(20)]
        out.set(np.zeros(3))
        arrpy.call("arr_graph_launch", graph, streams[1])
        report.check(f"released behind a capture, {kind}", np.array_equal(out.numpy(), want), str(out.numpy()))
        arrpy.lib.arr_graph_release(graph)
        del others
    for s in streams:
        arrpy.lib.arr_stream_release(s)
    a = (
        report.array(np.zeros((4, 6), "f4"))
        if report.device == "host"
        else arrtex.pitched(np.zeros((4, 6), "f4"), report.device)
    )
    t = arrtex.texture_of_array(a)
    a[...] = report.array(data)
    m.launch("fetch<float>", 3, t, i4(2), where, out, i4(3))
    report.check("sees what was written to the array", np.array_equal(out.numpy(), want), str(out.numpy()))


def deferred(report):
    """Work recorded in a scope runs before a texture of it is read, also where the array has gone; copies and
    launches are captured with the rest."""
    m = arrtex.Module(SOURCE, report.device, ["fetch<float>", "store<float>"])
    data, at = sample("float32", (64,), 3), report.array(np.arange(64, dtype="f4"))
    x, out = arrtex.pitched(data, report.device), report.array(np.zeros(64, "f4"))
    y = arrtex.pitched(0 * data, report.device)
    with arrfuse.scope():
        y[...] = x * 2 + 1
        t = arrtex.texture_of_array(y)
        del y
        m.launch("fetch<float>", 64, t, i4(0), at, out, i4(64))
        report.check("a recorded array", np.array_equal(out.numpy(), data * 2 + 1), str(out.numpy()[:4]))
        t = arrtex.texture_of_array(x)
        x[...] = x + 3
        m.launch("fetch<float>", 64, t, i4(0), at, out, i4(64))
    report.check("a recorded write", np.array_equal(out.numpy(), data + 3), str(out.numpy()[:4]))
    texels = Texels("float32", (64,), surface=True, device=report.device)
    texture, surface = arrtex.texture(texels), arrtex.surface(texels)
    given, seen, back = (report.array(np.zeros(64, "f4")) for _ in range(3))
    u = report.array(np.arange(64, dtype="f4") + 0.5)
    stream, graph = C.arr_stream(), C.arr_graph()
    arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(stream))
    arrpy.call("arr_graph_begin", stream)
    texels.copy_from(given, stream)
    m.launch("fetch<float>", 64, texture, i4(1), u, seen, i4(64), stream=stream)
    m.launch("store<float>", 32, surface, i4(1), at, i4(32), i4(1), i4(32), i4(0), i4(2), stream=stream)
    texels.copy_to(back, stream)
    arrpy.call("arr_graph_end", stream, ctypes.byref(graph))
    del texture, surface, texels, u
    for turn in (data, -data):
        given.set(turn)
        arrpy.call("arr_graph_launch", graph, stream)
        want = np.concatenate([np.arange(32), turn[32:]])
        report.check(
            "a graph", np.array_equal(seen.numpy(), turn) and np.array_equal(back.numpy(), want), str(back.numpy()[:4])
        )
    arrpy.lib.arr_graph_release(graph)
    arrpy.lib.arr_stream_release(stream)


def main():
    report = oracle.Report(__doc__)
    lifetimes(report)
    deferred(report)
    report.finish()


if __name__ == "__main__":
    main()
