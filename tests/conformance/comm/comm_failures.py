#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Communicators where something is wrong: arguments, ranks that differ, that are late, that end, that give up."""

import ctypes
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
from ranks import ENGINE, Comm, Group, error_of, errors_of, ranks, run_mine, run_ranks

from oracle import arrpy, raises

C = arrpy.c


def vectors(report, n, d="f8"):
    return [report.array(np.arange(3).astype(d)) for _ in range(n)]


def says(report, label, texts, *parts):
    """Each rank has an error with all of these parts."""
    good = all(t is not None and all(p in t for p in parts) for t in texts)
    report.check(label, good, f"got {texts}, expected {parts}")


def arguments(report):
    """Errors of a single rank, found before it waits for others."""
    a, b, _ = vectors(report, 3)
    short = report.array(np.zeros(2))
    other = report.array(np.zeros(3, "f4"))
    whole = report.array(np.arange(3))
    comm = Comm.local(2, report.device)[0]
    wrong = [
        ("root", C.ARR_E_ARGUMENT, lambda: comm.broadcast(a, 2)),
        ("negative root", C.ARR_E_ARGUMENT, lambda: comm.reduce(a, b, root=-1)),
        ("shape", C.ARR_E_SHAPE, lambda: comm.all_reduce(short, a)),
        ("type", C.ARR_E_DTYPE, lambda: comm.all_reduce(other, a)),
        ("mean of integers", C.ARR_E_DTYPE, lambda: comm.all_reduce(whole, whole, "mean")),
        ("any of floats", C.ARR_E_DTYPE, lambda: comm.all_reduce(a, a, "any")),
        ("bits of floats", C.ARR_E_DTYPE, lambda: comm.all_reduce(a, a, "bitwise_or_reduce")),
        ("no combination", C.ARR_E_ARGUMENT, lambda: comm.all_reduce(a, a, "std")),
        ("no index", C.ARR_E_ARGUMENT, lambda: comm.all_reduce(a, a, "argmax")),
        ("overlap", C.ARR_E_ARGUMENT, lambda: comm.all_reduce(a[1:], a[:-1])),
        ("gather in place", C.ARR_E_ARGUMENT, lambda: comm.all_gather(a, a)),
        ("counts", C.ARR_E_ARGUMENT, lambda: comm.all_gather(a, b, [3])),
        ("negative count", C.ARR_E_ARGUMENT, lambda: comm.all_gather(a, b, [3, -1])),
        ("counts of another", C.ARR_E_SHAPE, lambda: comm.all_gather(a, b, [2, 1])),
        ("huge counts", C.ARR_E_SHAPE, lambda: comm.all_gather(a, b, [3, 2**63 - 1])),
        ("no axis", C.ARR_E_SHAPE, lambda: comm.all_gather(a, b, axis=1)),
        ("whole", C.ARR_E_SHAPE, lambda: comm.all_gather(a, b)),
        ("no root array", C.ARR_E_HANDLE, lambda: comm.scatter(a, None)),
        ("parts", C.ARR_E_SHAPE, lambda: comm.all_to_all(a, b)),
        ("itself", C.ARR_E_ARGUMENT, lambda: comm.send(a, 0)),
        ("from itself", C.ARR_E_ARGUMENT, lambda: comm.recv(a, 0)),
        ("peer", C.ARR_E_ARGUMENT, lambda: comm.send_recv(a, b, 5, 1)),
        ("grid", C.ARR_E_ARGUMENT, lambda: comm.exchange_halo(a, [0], [3], [1])),
        ("width", C.ARR_E_SHAPE, lambda: comm.exchange_halo(a, [0], [2], [2])),
        ("axis", C.ARR_E_SHAPE, lambda: comm.exchange_halo(a, [1], [2], [1])),
        ("axis twice", C.ARR_E_ARGUMENT, lambda: comm.exchange_halo(a, [0, -1], [2, 1], [1, 1])),
        ("huge grid", C.ARR_E_SHAPE, lambda: comm.exchange_halo(a, [0, 1], [2**31 - 1] * 2, [1, 1])),
        ("color", C.ARR_E_ARGUMENT, lambda: comm.split(-1)),
        ("itself left out", C.ARR_E_ARGUMENT, lambda: comm.shrink(0)),
        ("end of no group", C.ARR_E_ARGUMENT, lambda: comm.call("group_end")),
        ("start of no group", C.ARR_E_ARGUMENT, lambda: comm.call("group_start")),
        ("query of no group", C.ARR_E_ARGUMENT, lambda: Group(comm).done()),
        ("time", C.ARR_E_ARGUMENT, lambda: comm.timeout(-1.0)),
        ("nan seconds", C.ARR_E_ARGUMENT, lambda: comm.timeout(float("nan"))),
        ("no ranks", C.ARR_E_ARGUMENT, lambda: Comm.local(0, report.device)),
        ("handle", C.ARR_E_HANDLE, lambda: arrpy.call("arr_comm_barrier", None, None)),
        ("array as communicator", C.ARR_E_HANDLE, lambda: Comm(ctypes.cast(a.handle, C.arr_comm)).barrier()),
    ]
    for label, status, call in report.turn(wrong):
        report.check(f"refused: {label}", raises(status, call))
    with comm.group():
        report.check("refused: group in a group", raises(C.ARR_E_ARGUMENT, lambda: comm.call("group_begin")))
        report.check("refused: split in a group", raises(C.ARR_E_ARGUMENT, lambda: comm.split(0)))
    report.check("not failed", comm.info.failed == 0)


def differences(report):
    """Ranks whose calls do not fit together fail, all of them; the next call works."""
    cases = {
        "kinds": (
            lambda r, c, a: c.barrier() if r == 1 else c.all_reduce(a, a),
            ("rank 0", "arr_comm_all_reduce", "arr_comm_barrier"),
        ),
        "roots": (lambda r, c, a: c.broadcast(a, r), ("argument root: 0 on rank 0, 1 on rank 1",)),
        "reductions": (lambda r, c, a: c.all_reduce(a, a, ("sum", "max", "sum")[r]), ("argument reduction", "rank 1")),
        "shapes": (lambda r, c, a: c.all_reduce(*[a if r != 2 else a[1:]] * 2), ("shape (3,)", "rank 2", "shape (2,)")),
        "types": (
            lambda r, c, a: c.broadcast(a if r != 1 else report.array(np.zeros(3, "i8"))),
            ("float64", "rank 1", "int64"),
        ),
        "counts": (
            lambda r, c, a: c.all_to_all(report.array(np.zeros(3)), a, [1, 1, 1], [1, 1, 1] if r != 2 else [0, 2, 1]),
            ("rank 0 sends 1 to rank 2, which expects 0",),
        ),
    }
    for label, (call, parts) in cases.items():
        comms, arrays = ranks(3, report.device), vectors(report, 3)
        texts = run_mine(comms, lambda r, c, call=call, arrays=arrays: error_of(call, r, c, arrays[r]))
        says(report, f"differ: {label}", list(texts.values()), *parts)
        run_mine(comms, lambda r, c, arrays=arrays: c.all_reduce(arrays[r], arrays[r]))
        report.check(
            f"differ: {label}, the next call", all(np.array_equal(arrays[r].numpy(), [0, 3, 6]) for r in comms)
        )


def messages(report):
    comms, arrays = Comm.local(2, report.device), vectors(report, 2)
    texts = errors_of(comms, lambda r, c: c.recv(arrays[1][1:], 0) if r else c.send(arrays[0], 1))
    says(report, "differ: message", texts, "rank 0 sends float64 of shape (3,), rank 1 receives float64 of shape (2,)")


def late(report):
    """A rank that does not come is named, to all that wait, and to later calls."""
    comms, arrays = Comm.local(4, report.device), vectors(report, 4)
    comms[0].timeout(0.3)
    begin = time.monotonic()
    texts = errors_of(comms, lambda r, c: None if r == 2 else c.all_reduce(arrays[r], arrays[r]))
    report.check("late: in time", time.monotonic() - begin < 20)
    del texts[2]
    says(report, "late: the missing rank", texts, "rank 0 of 4 waited 0.3 s in arr_comm_all_reduce for rank 2 to call")
    report.check("late: failed", [c.info.failed for c in comms] == [1] * 4)
    report.check("late: next call", all(raises(C.ARR_E_LOST, c.barrier) for c in comms))
    comms = Comm.local(2, report.device)
    comms[0].timeout(0.05)
    says(report, "late: send", errors_of(comms[:1], lambda r, c: c.send(arrays[0], 1)), "for rank 1 to receive")
    comms = Comm.local(3, report.device)
    comms[1].timeout(0.05)
    texts = errors_of(comms, lambda r, c: None if r == 0 else c.split(0))
    says(report, "late: split", texts[1:], "to make a communicator with 3 ranks, of which 2 came")


def ended(report):
    """A rank that releases its communicator fails those that wait for it; the others go on without it."""
    comms, arrays = Comm.local(3, report.device), vectors(report, 3)

    def work(r, c):
        if r == 1:
            time.sleep(0.1)
            arrpy.lib.arr_comm_release(comms[1].value)
        else:
            c.all_reduce(arrays[r], arrays[r])

    texts = errors_of(comms, work)
    says(report, "ended: waiting ranks", [texts[0], texts[2]], "rank 1 has released it")

    def without(r, c):
        if r == 1:
            return None
        smaller = c.shrink(1)
        smaller.all_reduce(arrays[r], arrays[r])
        return smaller.info.rank, smaller.info.size

    report.check("ended: shrink", run_ranks(comms, without) == [(0, 2), None, (1, 2)])
    report.check("ended: sum of the others", np.array_equal(arrays[0].numpy(), [0, 2, 4]))


def aborted(report):
    comms = Comm.local(3, report.device)

    def work(r, c):
        if r == 2:
            time.sleep(0.1)
            c.call("abort")
        else:
            c.barrier()

    texts = errors_of(comms, work)
    says(report, "aborted", texts[:2], "rank 2 has called arr_comm_abort")
    report.check("aborted: state", [c.info.failed for c in comms] == [1] * 3)


def stuck(report):
    """Ranks that all wait for each other fail at once."""
    a, b, c, d = vectors(report, 4)
    cases = {
        "both send": (lambda r, comm: comm.send((a, b)[r], 1 - r), ("rank 0 in arr_comm_send for rank 1 to receive",)),
        "message": (
            lambda r, comm: comm.barrier() if r else comm.recv(c, 1),
            ("rank 0 in arr_comm_recv for rank 1 to send", "rank 1 in arr_comm_barrier for rank 0 to call"),
        ),
        "split": (lambda r, comm: comm.barrier() if r else comm.split(0), ("2 ranks, of which 1 came",)),
        "itself": (
            lambda r, comm: comm.barrier() if r else in_group(comm, lambda: comm.recv(d, 0)),
            ("rank 0 to send",),
        ),
    }
    for label, (call, parts) in cases.items():
        comms = Comm.local(2, report.device)
        for comm in comms:
            comm.timeout(20)
        begin = time.monotonic()
        texts = errors_of(comms, call)
        report.check(f"stuck: {label}, at once", time.monotonic() - begin < 10)
        says(report, f"stuck: {label}", texts, "all ranks wait", *parts)
        smaller = comms[0].shrink(1)
        report.check(f"stuck: {label}, shrink", smaller.info.size == 1)
    comms = Comm.local(3, report.device)  # the last one that could come leaves

    def last(r, comm):
        if r == 2:
            time.sleep(0.2)
            arrpy.lib.arr_comm_release(comm.value)
        else:
            comm.send((a, b)[r], 1 - r)

    says(report, "stuck: the last one leaves", errors_of(comms, last)[:2], "all ranks wait")


def in_group(comm, call):
    with comm.group():
        call()


def shrinking(report):
    """Ranks that shrink a communicator do not wait for those that have left or leave out others."""
    comms = Comm.local(3, report.device)
    for comm in comms:
        comm.timeout(20)

    def leaves(r, comm):
        if r == 1:
            time.sleep(0.2)
            arrpy.lib.arr_comm_release(comm.value)
        elif r == 0:
            comm.shrink(2)

    begin = time.monotonic()
    says(report, "shrink: a rank leaves", errors_of(comms, leaves)[:1], "rank 1 has released it")
    comms = Comm.local(4, report.device)
    for comm in comms:
        comm.timeout(20)
    texts = errors_of(comms, lambda r, comm: comm.shrink(r + 2) and None if r < 2 else None)[:2]
    says(report, "shrink: others", texts, "argument excluded: rank", "on rank 0", "on rank 1")
    report.check("shrink: at once", time.monotonic() - begin < 10)
    report.check("shrink: again", run_ranks(comms[:2], lambda r, comm: comm.shrink(2, 3).info.size) == [2, 2])


def captured(report):
    """A graph cannot hold the calls of other ranks."""
    a = report.array(np.arange(3.0))
    stream = C.arr_stream()
    arrpy.call("arr_stream_create", ctypes.byref(arrpy.device_of(report.device)), 0, ctypes.byref(stream))
    arrpy.call("arr_graph_begin", stream)
    comm = Comm.local(1, report.device)[0]
    text = error_of(lambda: comm.call("broadcast", a.handle, 0, stream))
    says(report, "captured stream", [text], "argument stream: its work is being captured")
    arrpy.lib.arr_stream_release(stream)


def pairs(report):
    """Pairs of ranks that have exchanged messages leave nothing behind: ending ranks took as long as there were pairs."""
    size = 2048
    comms, a, b = Comm.local(size, report.device), *vectors(report, 2)
    begin = time.monotonic()
    for comm in comms:
        comm.call("group_begin")
    for r, comm in enumerate(comms):
        comm.send_recv(b, a, (r - 1) % size, (r + 1) % size)
    for step in ("group_start", "group_end"):
        for comm in comms:
            comm.call(step)
    end = time.monotonic()
    for comm in comms:
        arrpy.lib.arr_comm_release(comm.value)
    report.check("pairs: released", time.monotonic() - end < (end - begin) / 2)


def readonly(report):
    comms, arrays = Comm.local(1, report.device), vectors(report, 1)
    fixed = arrays[0].broadcast_to((2, 3))
    report.check("read-only halo", raises(C.ARR_E_READONLY, lambda: comms[0].exchange_halo(fixed, [1], [1], [1])))
    report.check("read-only target", raises(C.ARR_E_READONLY, lambda: comms[0].all_reduce(fixed, fixed)))


def main():
    report = oracle.Report(__doc__)
    # mpi_failures.py has what is different between processes.
    alone = (arguments, messages, late, ended, aborted, stuck, shrinking, captured, readonly)
    alone += (pairs,) if report.device == "host" else ()
    for part in (differences, *(alone if ENGINE == "local" else ())):
        part(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
