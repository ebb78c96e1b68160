#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scopes of recorded operations, case by case: how many programs run, what is never stored, limits, mistakes."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arr_ctypes as c
import arrexpr
import arrfuse

N = 1000


def inputs(report, count=3, shape=(N,), dtype="float32"):
    host = [oracle.sample(shape, dtype, k, "tame") for k in range(count)]
    return host, [report.array(x) for x in host]


def made(report, label, before, recorded, programs, skipped):
    got = arrfuse.counts(before)
    report.check(label + " counts", got == (recorded, programs, skipped), f"recorded, programs, skipped: {got}")


def one_pass(report):
    _, (x, y, z) = inputs(report)
    want = (x * y + z * x - arrpy.sqrt(y)).numpy()
    used, before = arrfuse.memory(report.device), arrfuse.counts()
    with arrfuse.scope():
        r = x * y + z * x - arrpy.sqrt(y)
        report.check(
            "one pass: temporaries are given back at once",
            arrfuse.memory(report.device) - used <= 2 * 4096,
            arrfuse.memory(report.device) - used,
        )
    made(report, "one pass", before, 5, 1, 0)
    report.check("one pass", oracle.same(r.numpy(), want))


def unwanted(report):
    _, (x, y, _) = inputs(report)
    before = arrfuse.counts()
    with arrfuse.scope():
        t = x + y
        u = t * 2
        del t, u
        v = x - y
    made(report, "unwanted", before, 3, 1, 2)
    report.check("unwanted", oracle.same(v.numpy(), (x - y).numpy()))


def several_results(report):
    _, (x, y, z) = inputs(report)
    eager = [x * y, x * y + z, (x * y) * z, arrpy.sqrt(x * y)]
    before = arrfuse.counts()
    with arrfuse.scope():
        t = x * y
        lazy = [t, t + z, t * z, arrpy.sqrt(t)]
    made(report, "several results", before, 4, 1, 0)
    report.check("several results", all(oracle.same(a.numpy(), b.numpy()) for a, b in zip(eager, lazy)))
    with arrfuse.scope():
        many = [x + k for k in range(11)] + [many_y := y * 2, many_y + x]
        twice = [x + 1, x + 1]
    report.check(
        "more results than a program has", all(oracle.same(m.numpy(), (x + k).numpy()) for k, m in enumerate(many[:11]))
    )
    report.check("a result that another reads", oracle.same(many[12].numpy(), (y * 2 + x).numpy()))
    report.check("equal results", all(oracle.same(t.numpy(), (x + 1).numpy()) for t in twice))


def views(report):
    host, (a, row) = inputs(report, 2, (6, 5))
    row = row[0]
    with arrfuse.scope():
        m = row * 2
        r = a + m
        t = (a * 3).T
        u = (t + 1)[::2]
        w = u * u
        del m
    report.check("a broadcast result", oracle.same(r.numpy(), host[0] + host[1][0] * 2))
    want = ((host[0] * 3).T + 1)[::2]
    report.check("views of results", oracle.same(t.numpy(), (host[0] * 3).T) and oracle.same(w.numpy(), want * want))
    f = report.array(host[0].astype("complex64") * (1 + 2j))
    with arrfuse.scope():
        g = f * f
        part = arrpy.made("arr_imag", g.handle, None)
    g = f * f
    want = arrpy.made("arr_imag", g.handle, None)
    report.check("the imaginary part of a result", oracle.same(part.numpy(), want.numpy()))


def reductions(report):
    host, (x, y, _) = inputs(report, 3, (40, 30), "int32")
    before = arrfuse.counts()
    with arrfuse.scope():
        s = arrpy.reduce("sum", x * y + 1, axis=0)
        p = arrpy.scan("cumsum", x * 2, axis=1)
    made(report, "an integer reduction takes in its operand", before, 3, 1, 0)  # a scan has its own operand stored
    report.check("an integer reduction", oracle.same(s.numpy(), (host[0] * host[1] + 1).sum(axis=0)))
    report.check("an integer scan", oracle.same(p.numpy(), (host[0] * 2).cumsum(axis=1)))
    with arrfuse.scope():
        t = x * y
        sums = [arrpy.reduce("sum", t), arrpy.reduce("max", t), arrpy.reduce("argmax", t)]
    report.check(
        "reductions of one result",
        [v.item() for v in sums] == [(x * y).numpy().sum(), (x * y).numpy().max(), (x * y).numpy().argmax()],
    )
    report.check("the result itself", oracle.same(t.numpy(), host[0] * host[1]))
    host, (x, y, _) = inputs(report, 3, (300, 70))
    want = arrpy.reduce("sum", x * y, axis=1).numpy()
    before = arrfuse.counts()
    with arrfuse.scope():
        exact = arrpy.reduce("sum", x * y, axis=1)
    made(report, "a float sum is of stored values", before, 1, 1, 0)
    report.check("a float sum", oracle.same(exact.numpy(), want))
    before = arrfuse.counts()
    with arrfuse.scope(arrfuse.REORDER):
        near = arrpy.reduce("sum", x * y, axis=1)
    made(report, "reorder: one pass", before, 1, 0, 0)
    scale = np.abs(host[0].astype("f8") * host[1]).sum(axis=1)
    report.check("reorder", (np.abs(near.numpy() - want) <= 1e-6 * scale).all())


def limits(report):
    if report.device != "host":
        return
    _, arrays = inputs(report, 40)
    want = arrays[0]
    for a in arrays[1:]:
        want = want + a
    before = arrfuse.counts()
    with arrfuse.scope():
        s = arrays[0]
        for a in arrays[1:]:
            s = s + a
    report.check("more operands than a program has", oracle.same(s.numpy(), want.numpy()))
    report.check("few programs for them", arrfuse.counts(before)[1] == 3, arrfuse.counts(before))
    x = arrays[1]
    want = x
    for _ in range(1500):
        want = want * np.float32(0.5) + x
    before = arrfuse.counts()
    with arrfuse.scope():
        s = x
        for _ in range(1500):
            s = s * np.float32(0.5) + x
    report.check("more steps than a program has", oracle.same(s.numpy(), want.numpy()))
    report.check("few programs for those", arrfuse.counts(before)[1] <= 20, arrfuse.counts(before))
    objects = arrpy.lib.arr_live_objects()
    with arrfuse.scope():
        kept = [x]
        for _ in range(600):
            kept.append(kept[-1] + x)
        max_objects = arrpy.lib.arr_live_objects() - objects
    want = x
    good = True
    for k in kept[1:]:
        want = want + x
        good = good and oracle.same(k.numpy(), want.numpy())
    report.check("a long chain that is kept", good)
    report.check("what is recorded is bounded", max_objects < 5000, max_objects)
    del kept
    with arrfuse.scope():
        for _ in range(3000):
            t = x + 1
            del t
        report.check("what is released is forgotten", arrpy.lib.arr_live_objects() - objects < 20)


def shared_values(report):
    """Each value is read twice, so that paths through the operations double with each pair of them."""
    _, (x, y, _) = inputs(report, 3, dtype="float64")
    small = y * 1e-3
    for pairs in (10, 60, 120, 200) if report.device == "host" else (10,):  # long kernels take long to compile
        want = x * small
        for _ in range(pairs):
            want = want + want * small
        before = arrfuse.counts()
        with arrfuse.scope():
            z = x * small
            for _ in range(pairs):
                z = z + z * small
        programs = arrfuse.counts(before)[1]
        label = f"{2 * pairs + 1} operations that share values"
        report.check(label, oracle.same(z.numpy(), want.numpy()))
        report.check(f"{label}: programs", programs == 1 if pairs <= 120 else programs > 1, programs)


def repeated(report):
    _, (x, y, z) = inputs(report)
    for k in range(4):
        before = arrexpr.stats().programs
        with arrfuse.scope():
            t = arrpy.sqrt(x * x + (k + 3.5)) + (y - z) * x
            u = t * 2
        now = arrexpr.stats().programs
        report.check("a scope that repeats builds no program again", k == 0 or now == before, f"{before}, then {now}")
        report.check(
            "with other numbers", oracle.same(u.numpy(), ((arrpy.sqrt(x * x + (k + 3.5)) + (y - z) * x) * 2).numpy())
        )


def refused(report):
    _, (x, y, _) = inputs(report)
    report.check("an end without a scope", oracle.raises(c.ARR_E_ARGUMENT, lambda: arrpy.call("arr_fuse_end")))
    report.check("its text", arrpy.lib.arr_last_error() == b"arr_fuse_end: no scope is open on this thread")
    report.check("unknown flags", oracle.raises(c.ARR_E_ARGUMENT, lambda: arrpy.call("arr_fuse_begin", 64)))
    report.check("a flush without a scope", arrfuse.flush() is None)
    with arrfuse.scope():
        with arrfuse.scope():
            t = x + y
            report.check("nested", arrfuse.stats().depth == 2)
            before = arrfuse.counts()
        report.check("the inner end runs nothing", arrfuse.counts(before) == (0, 0, 0))
        report.check("shapes are checked at the call", oracle.raises(c.ARR_E_SHAPE, lambda: x + x[:-1]))
        report.check(
            "dtypes are checked at the call", oracle.raises(c.ARR_E_DTYPE, lambda: arrpy.apply("left_shift", x, y))
        )
        report.check("an empty array", (x[:0] + y[:0]).shape == (0,))
        arrfuse.flush()
        report.check("a flush runs", arrfuse.counts(before)[1] == 1)
    report.check("closed", arrfuse.stats().depth == 0 and oracle.same(t.numpy(), (x + y).numpy()))


def small_results(report):
    """Small results are computed at once if work runs in the calling thread, in place too."""
    at_once = report.device == "host" and os.environ.get("ARR_HOST_ASYNC") != "1"
    for dtype, n in (("float32", 3072), ("float32", 3073), ("complex128", 768), ("complex128", 769), ("bool", 12288)):
        op = "logical_xor" if dtype == "bool" else "multiply"
        (x, y), (a, b) = inputs(report, 2, (n,), dtype)
        want = (a * b).numpy() if dtype != "bool" else x ^ y
        small, before = n * x.itemsize <= 12288, arrfuse.counts()
        with arrfuse.scope(small=False):
            t = arrpy.ufunc(op, a, b)
            recorded = arrfuse.counts(before)[0]
            arrpy.call("arr_maximum_into", a.handle, b.handle, b.handle, None)
        label = f"{n} of {dtype}"
        report.check(label + " recorded", recorded == (0 if small and at_once else 1), recorded)
        report.check(label, oracle.same(t.numpy(), want))
        report.check(label + " in place", oracle.same(a.numpy(), y))


CASES = [
    one_pass,
    unwanted,
    several_results,
    views,
    reductions,
    limits,
    shared_values,
    repeated,
    refused,
    small_results,
]

if __name__ == "__main__":
    arrfuse.run_cases(oracle.Report(__doc__.splitlines()[0]), CASES)
