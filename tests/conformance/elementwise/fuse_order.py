#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scopes of recorded operations: who must wait for whom, other names of the same memory, other threads, failures."""

import ctypes
import gc
import os
import pathlib
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arr_ctypes as c
import arrfuse
from fuse_cases import N, inputs, made


def writes(report):
    host, (x, y, z) = inputs(report)
    kept = host[0] * host[1]
    with arrfuse.scope():
        t = x * y
        u = z + 1
        before = arrfuse.counts()
        arrpy.apply("add", x, z, out=x)
        report.check("a write runs what reads the old values", arrfuse.counts(before)[1] == 1, arrfuse.counts(before))
        x[...] = 0
        y.set(np.ones(N, "f4"))
        v = x + y
    report.check(
        "writes",
        oracle.same(t.numpy(), kept) and oracle.same(u.numpy(), host[2] + np.float32(1)) and (v.numpy() == 1).all(),
    )
    x, y, z = (report.array(h) for h in host)
    want = (x + (y * z + 2)).numpy()
    before = arrfuse.counts()
    with arrfuse.scope():
        arrpy.apply("add", x, y * z + 2, out=x)
    made(report, "a write in one pass with its operand", before, 2, 0, 0)
    report.check("a write in one pass with its operand", oracle.same(x.numpy(), want))
    before = arrfuse.counts()
    with arrfuse.scope():
        w = arrpy.empty((N,), "float32", device=report.device)
        w[...] = 3
        arrpy.apply("multiply", w, y, out=w)
        arrpy.apply("add", w, z, out=w)
        part = w[:10]
    made(report, "writes of a whole array are recorded", before, 3, 1, 0)
    report.check(
        "writes of a whole array",
        oracle.same(w.numpy(), host[1] * 3 + host[2]) and oracle.same(part.numpy(), w.numpy()[:10]),
    )
    before = arrfuse.counts()
    with arrfuse.scope():
        w = x * 5
        w[...] = 1
        v = w + y
        w[...] = 2
    made(report, "what is overwritten is not computed", before, 4, 2, 1)
    report.check("what is overwritten", oracle.same(v.numpy(), host[1] + np.float32(1)) and (w.numpy() == 2).all())
    want = (x * z + x).numpy()
    with arrfuse.scope():
        t = x * z
        arrpy.apply("add", t, x, out=x)
        arrpy.apply("add", t[1:], t[:-1], out=t[1:])
    report.check("a write into what its operand reads", oracle.same(x.numpy(), want))


def foreign_memory(report):
    if report.device != "host":
        return
    data = np.arange(N, dtype="f4")
    x, alias = arrpy.wrap(data), arrpy.wrap(data)
    with arrfuse.scope():
        t = x + 1
        data[:] = 0
    report.check("memory of others is read at once", oracle.same(t.numpy(), np.arange(1, N + 1, dtype="f4")))
    data[:] = np.arange(N)
    before = arrfuse.counts()
    with arrfuse.scope(arrfuse.SHARED):
        t = x + 1
        arrpy.apply("multiply", alias, alias, out=alias)
    made(report, "shared memory is recorded", before, 1, 1, 0)
    report.check("a write by another name", oracle.same(t.numpy(), np.arange(1, N + 1, dtype="f4")))
    with arrfuse.scope(arrfuse.SHARED):
        t = x * 2
        want = data * 2
        del x, alias
        gc.collect()
    report.check("an owner waits", oracle.same(t.numpy(), want))
    short = np.arange(N, dtype="f4")
    no_owner = arrpy.made(
        "arr_wrap",
        short.ctypes.data,
        c.ARR_FLOAT32,
        1,
        arrpy.int64s([N]),
        None,
        None,
        ctypes.cast(None, type(arrpy._DROP)),
        None,
    )
    with arrfuse.scope(arrfuse.SHARED):
        t = no_owner + 1
        del no_owner
        short[:] = -1
    report.check("memory without an owner is read at once", oracle.same(t.numpy(), np.arange(1, N + 1, dtype="f4")))


def addresses(report):
    host, (x, y, _) = inputs(report)
    if report.device == "host":
        with arrfuse.scope():
            t = x + y
            seen = np.frombuffer(ctypes.string_at(t.data, 4 * N), "f4")
            u = x * 2
            pointer = x.data
            v = x + 5  # x may be written by others now
            ctypes.memset(pointer, 0, 4 * N)
        report.check("an address is of values", oracle.same(seen, host[0] + host[1]))
        report.check(
            "what read before", oracle.same(u.numpy(), host[0] * 2) and oracle.same(v.numpy(), host[0] + np.float32(5))
        )
        with arrfuse.scope():
            t = y * 3
            tensor = ctypes.c_void_p()
            arrpy.call("arr_to_dlpack", t.handle, -1, 0, ctypes.byref(tensor))
            # version, context, deleter, flags, then the tensor, which begins with its address
            words = ctypes.cast(tensor, ctypes.POINTER(ctypes.c_uint64))
            seen = np.frombuffer(ctypes.string_at(words[4], 4 * N), "f4")
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(words[2])(tensor.value)
        report.check("an export is of values", oracle.same(seen, host[1] * 3))
    with tempfile.TemporaryDirectory() as folder, arrfuse.scope():
        path = os.path.join(folder, "a.npy")
        (y + 1).save_npy(path)
        report.check("a file is of values", oracle.same(np.load(path), host[1] + np.float32(1)))
        report.check("a text is of values", str((y * 2)[:3]) == str(report.array((host[1] * 2)[:3])))
        report.check("an element is a value", (y * 2).item(5) == host[1][5] * 2)
        report.check("a copy elsewhere is of values", oracle.same((y * 2).to_device("host").numpy(), host[1] * 2))


def streams(report):
    host, (x, y, _) = inputs(report)
    stream, event = c.arr_stream(), c.arr_event()
    arrpy.call("arr_stream_create", arrpy.device_of(report.device), 0, ctypes.byref(stream))
    arrpy.call("arr_event_create", arrpy.device_of(report.device), 0, ctypes.byref(event))
    with arrfuse.scope():
        t = x + y
        u = arrpy.made("arr_multiply", t.handle, x.handle, stream)
        v = arrpy.made("arr_add", u.handle, t.handle, stream)
        w = v - x
        before = arrfuse.counts()
        arrpy.call("arr_event_record", event, stream)
        report.check("an event comes after what is recorded", arrfuse.counts(before)[1] == 1)
        z = arrpy.made("arr_add", w.handle, w.handle, stream)
        arrpy.call("arr_stream_sync", stream)
        report.check("waiting runs what is recorded", arrfuse.counts(before)[1] == 2)
    arrpy.lib.arr_event_release(event)
    arrpy.lib.arr_stream_release(stream)
    a, b = host[:2]
    want = ((a + b) * a + (a + b)) - a
    report.check("streams", oracle.same(w.numpy(), want) and oracle.same(z.numpy(), want + want))


def threads(report):
    host, (x, y, _) = inputs(report)
    made_there = []

    def record():
        arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
        made_there.append(x * y)
        made_there.append(made_there[0] + 1)

    t = threading.Thread(target=record)
    t.start()
    t.join()
    x[...] = 0
    report.check(
        "a thread that ends with a scope", oracle.same(made_there[1].numpy(), host[0] * host[1] + np.float32(1))
    )
    report.check("its scope was its own", arrfuse.stats().depth == 0)
    with arrfuse.scope():
        r = y + 1
        seen = []
        t = threading.Thread(target=lambda: seen.append((r * 2).numpy()))
        t.start()
        t.join()
    report.check("another thread gets values", oracle.same(seen[0], (host[1] + np.float32(1)) * 2))


def little_memory(report):
    """Operands that only recorded operations hold are given back before an allocation fails."""
    device, size = arrpy.device_of(report.device), 1 << 20
    arrpy.call("arr_memory_trim", device)
    x = report.array(np.ones(size, "f4"))
    used = arrfuse.memory(report.device)
    arrpy.call("arr_memory_limit", device, used + 4 * 4 * size + 4096)
    try:
        with arrfuse.scope():
            for _ in range(6):
                big = arrpy.full((size,), 2, "float32", device=report.device)
                r = big + x
                del big
            report.check("little memory", r.item(7) == 3)
            status = oracle.raises(c.ARR_E_MEMORY, lambda: arrpy.empty((8 * size,), "float32", device=report.device))
            report.check("no memory at all", status)
    finally:
        arrpy.call("arr_memory_limit", device, 0)


def failures(report):
    if report.device == "host":
        return
    fake = ctypes.CDLL(os.environ["ARR_CUDA_DRIVER"])
    host, (x, y, z) = inputs(report)
    objects = arrpy.lib.arr_live_objects()
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    bad, good = x * y + 1, z[:10] + 1
    fake.arr_fake_cuda_fail(b"cuLaunchKernel", ctypes.c_int64(1), 701, 0)
    status = oracle.raises(c.ARR_E_DEVICE, lambda: arrpy.call("arr_fuse_end"))
    text = arrpy.lib.arr_last_error().decode()
    report.check(
        "a failure is told at the end", status and text.startswith("arr_fuse_end: add(multiply(in0, in1), in2): "), text
    )
    report.check("the scope is closed", arrfuse.stats().depth == 0)
    report.check("the rest ran", oracle.same(good.numpy(), host[2][:10] + np.float32(1)))
    for use in (
        lambda: bad.numpy(),
        lambda: bad * 2,
        lambda: bad.__setitem__(..., 0),
        lambda: arrpy.reduce("sum", bad),
    ):
        report.check("what failed is told again", oracle.raises(c.ARR_E_DEVICE, use), arrpy.lib.arr_last_error())
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    bad = x * y + 1
    fake.arr_fake_cuda_fail(b"cuLaunchKernel", ctypes.c_int64(1), 701, 0)
    x[...] = 0
    report.check("a write is not told of it", (x.numpy() == 0).all())
    report.check("the end is", oracle.raises(c.ARR_E_DEVICE, lambda: arrpy.call("arr_fuse_end")))
    del bad, good
    gc.collect()
    report.check(
        "failures leave nothing", arrpy.lib.arr_live_objects() == objects, arrpy.lib.arr_live_objects() - objects
    )


CASES = [writes, foreign_memory, addresses, streams, threads, little_memory, failures]

if __name__ == "__main__":
    arrfuse.run_cases(oracle.Report(__doc__.splitlines()[0]), CASES)
