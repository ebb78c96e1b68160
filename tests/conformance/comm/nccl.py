#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Communicators of several GPUs by NCCL, over the fake: made, shrunk, aborted, with ranks that do not come and failures."""

import ctypes
import gc
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
from ranks import Comm, Group, error_of, errors_of, run_ranks

from oracle import arrpy, raises

C = arrpy.c
DEVICES = ["cuda:0", "cuda:1", "cuda:2"]
fake = ctypes.CDLL(os.environ["ARR_CUDA_DRIVER"])
fake.arr_fake_cuda_fail.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_int32, ctypes.c_int32]
fake.arr_fake_cuda_set.argtypes = [ctypes.c_char_p, ctypes.c_int64]
fake.arr_fake_cuda_live.restype = ctypes.c_int64


def vectors():
    return [arrpy.array(np.arange(3.0), device=d) for d in DEVICES]


def works(report, label, comms, arrays, expected):
    run_ranks(comms, lambda r, c: c.all_reduce(arrays[r], arrays[r]))
    report.check(label, all(np.array_equal(a.numpy(), expected) for a in arrays), str([a.numpy() for a in arrays]))


def made(report):
    comms = Comm.nccl(3, devices=DEVICES)
    places = [(c.info.engine, c.info.size, c.info.rank, c.info.device_index, c.info.failed) for c in comms]
    report.check("made: properties", places == [(C.ARR_COMM_NCCL, 3, r, r, 0) for r in range(3)], str(places))
    works(report, "made: sum", comms, vectors(), [0, 3, 6])
    host = Comm.local(3)
    over = run_ranks(host, lambda r, c: c.nccl_with(DEVICES[r]))
    works(report, "over local ranks: sum", over, vectors(), [0, 3, 6])
    halves = run_ranks(comms, lambda r, c: c.split(min(r, 1), -r))
    places = [(c.info.size, c.info.rank, c.info.device_index) for c in halves]
    report.check("split: places", places == [(1, 0, 0), (2, 1, 1), (2, 0, 2)], str(places))
    arrays = vectors()
    works(report, "split: sum", halves[1:], arrays[1:], [0, 2, 4])
    works(report, "duplicate: sum", run_ranks(comms, lambda r, c: c.duplicate()), vectors(), [0, 3, 6])
    works(report, "shrink: sum", run_ranks(comms[::2], lambda r, c: c.shrink(1)), vectors()[::2], [0, 2, 4])


def arguments(report):
    id_ = ctypes.create_string_buffer(128)
    arrpy.call("arr_comm_nccl_id", id_)
    for label, status, call in (
        ("no rank", C.ARR_E_ARGUMENT, lambda: Comm.nccl_rank(2, 2, id_, "cuda")),
        ("no ranks", C.ARR_E_ARGUMENT, lambda: Comm.nccl_rank(0, 0, id_, "cuda")),
        ("host", C.ARR_E_ARGUMENT, lambda: Comm.nccl_rank(1, 0, id_, "host")),
        ("no id", C.ARR_E_ARGUMENT, lambda: Comm.nccl_rank(1, 0, None, "cuda")),
        ("no place for an id", C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_comm_nccl_id", None)),
        ("array of another GPU", C.ARR_E_ARGUMENT, lambda: alone.all_reduce(*[vectors()[1]] * 2)),
        ("itself", C.ARR_E_ARGUMENT, lambda: alone.send(vectors()[0], 0)),
    ):
        alone = Comm.nccl(1)[0]
        report.check(f"refused: {label}", raises(status, call))


def says(report, label, error, *parts):
    report.check(label, error is not None and all(p in error for p in parts) and "\n" not in error, str(error))


def hurried(size, **options):
    """Communicators whose calls wait 0.2 s; to make them may take longer on a busy machine."""
    comms = Comm.nccl(size, **options)
    for c in comms:
        c.timeout(0.2)
    return comms


def late(report):
    """A rank that does not come: to the communicator, to a call, to a barrier."""
    os.environ["ARR_COMM_TIMEOUT"] = "0.2"
    begin = time.monotonic()
    says(
        report,
        "late: communicator",
        error_of(lambda: Comm.nccl(2, among=[1])),
        "rank 1 of 2 waited 0.2 s in arr_comm_nccl for the other ranks",
    )
    del os.environ["ARR_COMM_TIMEOUT"]
    comms, arrays = hurried(3, devices=DEVICES), vectors()
    texts = errors_of(comms, lambda r, c: None if r == 1 else c.all_reduce(arrays[r], arrays[r]))
    says(report, "late: call", texts[0], "rank 0 of 3 waited 0.2 s in arr_comm_all_reduce for the other ranks")
    report.check("late: in time", time.monotonic() - begin < 60)
    report.check("late: failed", [c.info.failed for c in comms] == [1, 0, 1])
    report.check("late: next call", raises(C.ARR_E_LOST, lambda: comms[0].barrier()))
    says(report, "late: barrier", error_of(hurried(2)[1].barrier), "waited 0.2 s in arr_comm_barrier")
    says(report, "late: split", error_of(hurried(2)[0].split, 0), "waited 0.2 s in arr_comm_split")
    with_group = hurried(2)[0]
    with_group.call("group_begin")
    with_group.recv(arrays[0], 1)
    with_group.call("group_start")
    while not Group(with_group).done():
        pass
    says(report, "late: group", error_of(with_group.call, "group_end"), "waited 0.2 s in arr_comm_recv")
    for c in comms[::2]:
        c.timeout(60)
    smaller = run_ranks(comms[::2], lambda r, c: c.shrink(1))
    works(report, "late: the others go on", smaller, vectors()[::2], [0, 2, 4])


def lost(report):
    """An error that NCCL reports for another rank, or between calls."""
    comms, arrays = Comm.nccl(2, devices=DEVICES), vectors()
    fake.arr_fake_cuda_set(b"nccl_error", 6)
    error = error_of(comms[0].all_reduce, arrays[0], arrays[0])
    fake.arr_fake_cuda_set(b"nccl_error", 0)
    says(report, "lost: asynchronous error", error, "rank 0 of 2 in arr_comm_all_reduce: NCCL: remote process exited")
    report.check("lost: next call", raises(C.ARR_E_LOST, lambda: comms[0].all_reduce(arrays[0], arrays[0])))
    alone = Comm.nccl(1)[0]
    fake.arr_fake_cuda_set(b"nccl_error", 6)
    failed = alone.info.failed
    fake.arr_fake_cuda_set(b"nccl_error", 0)
    report.check("lost: between calls", failed == 1)
    comms = Comm.nccl(3, devices=DEVICES)

    def work(r, c):
        if r == 2:
            time.sleep(0.1)
            c.call("abort")
        c.all_reduce(arrays[r], arrays[r])

    texts = errors_of(comms, work)
    says(report, "aborted: itself", texts[2], "rank 2 has called arr_comm_abort")
    says(report, "aborted: others", texts[0], "rank 0 of 3 in arr_comm_all_reduce: NCCL: remote process exited")


def failures(report):
    """Each function of NCCL fails once: one line that names it, nothing left, and a new communicator works."""
    run_ranks(Comm.nccl(2), lambda r, c: c.barrier())  # what is kept is made
    before = fake.arr_fake_cuda_live(b"handles"), arrpy.lib.arr_live_objects()

    def use():
        """Both ranks are of this thread, except while they are made."""
        comms, id_ = [None, None], ctypes.create_string_buffer(128)
        arrpy.call("arr_comm_nccl_id", id_)
        texts = errors_of([0, 1], lambda r, _: comms.__setitem__(r, Comm.nccl_rank(2, r, id_, DEVICES[r])))
        if any(texts):  # either rank's call fails; the other one waits for it
            raise arrpy.Error(C.ARR_E_DEVICE, "; ".join(filter(None, texts)))
        arrays = vectors()
        whole = [arrpy.array(np.zeros(6), device=d) for d in DEVICES]
        for c in comms:
            c.call("group_begin")
        for r, c in enumerate(comms):
            c.all_reduce(arrays[r], arrays[r])
            c.reduce(arrays[r] if r == 0 else None, arrays[r])
            c.broadcast(arrays[r])
            c.all_gather(whole[r], arrays[r])
            c.reduce_scatter(arrays[r], whole[r])
            c.send(arrays[r], 1 - r)
            c.recv(arrays[r], 1 - r)
        for c in comms:
            c.call("group_start")
        for c in comms:
            c.call("group_end")
        return arrays[0].numpy()

    for name in (
        *("ncclGetUniqueId", "ncclCommInitRankConfig", "ncclCommGetAsyncError", "ncclGroupStart", "ncclGroupEnd"),
        *("ncclAllReduce", "ncclReduce", "ncclBroadcast", "ncclAllGather", "ncclReduceScatter", "ncclSend", "ncclRecv"),
    ):
        if name in ("ncclCommInitRankConfig", "ncclCommGetAsyncError"):
            os.environ["ARR_COMM_TIMEOUT"] = "1"  # of the rank whose call did not fail
        fake.arr_fake_cuda_fail(name.encode(), 1, 3, 0)
        says(report, f"fails: {name}", error_of(use), name, "internal error")
        os.environ.pop("ARR_COMM_TIMEOUT", None)
        use()
        gc.collect()  # an exception and the frames that have its communicators refer to each other
        left = fake.arr_fake_cuda_live(b"handles"), arrpy.lib.arr_live_objects()
        report.check(f"fails: {name}, what is left", left == before, f"{before}, then {left}")


def main():
    report = oracle.Report(__doc__)
    for part in (made, arguments, late, lost, failures):
        if report.wants(part.__name__):
            part(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
