# SPDX-License-Identifier: MIT
"""Communicators for tests: arr_comm functions with NumPy's defaults, and ranks that are threads or processes.

With ARR_TEST_ENGINE=mpi the process is one rank of MPI; otherwise it has all ranks, a thread each, with nccl by NCCL.
"""

import ctypes
import os
import threading

from oracle import arrpy
from sparse_matrix import reduction

C = arrpy.c


def int64s(values):
    return None if values is None else (ctypes.c_int64 * len(values))(*values)


def handle(a):
    return None if a is None else a.handle


class Comm:
    """A rank's communicator."""

    def __init__(self, value):
        self.value = value

    def __del__(self):
        arrpy.lib.arr_comm_release(self.value)

    @staticmethod
    def local(size, device="host"):
        out = (C.arr_comm * size)()
        arrpy.call("arr_comm_local", size, (C.arr_device * size)(*[arrpy.device_of(device)] * size), out)
        return [Comm(v) for v in out]

    @staticmethod
    def mpi(device="host"):
        return Comm(arrpy.made("arr_comm_mpi", ctypes.byref(arrpy.device_of(device)), of=C.arr_comm))

    @staticmethod
    def nccl(size, device="cuda", devices=None, among=None):
        """The ranks, each made by a thread; devices: that of each. among: those that come, otherwise all."""
        id_ = ctypes.create_string_buffer(128)
        arrpy.call("arr_comm_nccl_id", id_)
        devices = devices or [device] * size
        among = range(size) if among is None else among
        return run_ranks(list(among), lambda _, r: Comm.nccl_rank(size, r, id_, devices[r]))

    @staticmethod
    def nccl_rank(size, rank, id_, device):
        place = ctypes.byref(arrpy.device_of(device))
        return Comm(arrpy.made("arr_comm_nccl", size, rank, id_, place, of=C.arr_comm))

    def nccl_with(self, device):
        return self.made("nccl_with", ctypes.byref(arrpy.device_of(device)))

    @property
    def info(self):
        out = C.arr_comm_properties(struct_size=ctypes.sizeof(C.arr_comm_properties))
        arrpy.call("arr_comm_info", self.value, ctypes.byref(out))
        return out

    def made(self, name, *arguments):
        return Comm(arrpy.made("arr_comm_" + name, self.value, *arguments, of=C.arr_comm))

    def split(self, color, key=0):
        return self.made("split", color, key)

    def duplicate(self):
        return self.made("duplicate")

    def shrink(self, *excluded):
        return self.made("shrink", len(excluded), (ctypes.c_int32 * len(excluded))(*excluded))

    def call(self, name, *arguments):
        arrpy.call("arr_comm_" + name, self.value, *arguments)

    def timeout(self, seconds):
        self.call("set_timeout", seconds)

    def barrier(self):
        self.call("barrier", None)

    def broadcast(self, a, root=0):
        self.call("broadcast", a.handle, root, None)

    def all_reduce(self, dst, src, by="sum"):
        self.call("all_reduce", dst.handle, src.handle, reduction(by), None)

    def reduce(self, dst, src, by="sum", root=0):
        self.call("reduce", handle(dst), src.handle, reduction(by), root, None)

    def all_gather(self, dst, src, counts=None, axis=0):
        self.call("all_gather", dst.handle, src.handle, axis, len(counts or ()), int64s(counts), None)

    def gather(self, dst, src, counts=None, root=0, axis=0):
        self.call("gather", handle(dst), src.handle, axis, len(counts or ()), int64s(counts), root, None)

    def scatter(self, dst, src, counts=None, root=0, axis=0):
        self.call("scatter", dst.handle, handle(src), axis, len(counts or ()), int64s(counts), root, None)

    def reduce_scatter(self, dst, src, counts=None, by="sum", axis=0):
        self.call(
            "reduce_scatter", dst.handle, src.handle, axis, len(counts or ()), int64s(counts), reduction(by), None
        )

    def all_to_all(self, dst, src, send=None, recv=None, axis=0):
        self.call("all_to_all", dst.handle, src.handle, axis, len(send or ()), int64s(send), int64s(recv), None)

    def send(self, src, dest):
        self.call("send", src.handle, dest, None)

    def recv(self, dst, source):
        self.call("recv", dst.handle, source, None)

    def send_recv(self, dst, src, source, dest):
        self.call("send_recv", dst.handle, src.handle, source, dest, None)

    def exchange_halo(self, a, axes, grid, widths, periodic=None):
        i32 = lambda values: None if values is None else (ctypes.c_int32 * len(values))(*values)  # noqa: E731
        self.call("exchange_halo", a.handle, len(axes), i32(axes), i32(grid), int64s(widths), i32(periodic), None)

    def group(self):
        return Group(self)


class Group:
    def __init__(self, comm):
        self.comm = comm

    def __enter__(self):
        self.comm.call("group_begin")
        return self

    def start(self):
        self.comm.call("group_start")

    def done(self):
        out = ctypes.c_bool()
        self.comm.call("group_query", ctypes.byref(out))
        return out.value

    def __exit__(self, *_):
        self.comm.call("group_end")


ENGINE = os.environ.get("ARR_TEST_ENGINE", "local")
_worlds = {}  # the communicators of MPI by device, each for all cases


def world(device="host"):
    if device not in _worlds:
        _worlds[device] = Comm.mpi(device)
    return _worlds[device]


def rank_counts():
    """The numbers of ranks that this process can be one of."""
    return {"local": (1, 2, 3, 4, 7), "nccl": (1, 2, 3, 4)}.get(ENGINE) or (world().info.size,)


def ranks(size, device="host"):
    """The communicators of this process: {rank: communicator}."""
    if ENGINE != "mpi":
        return dict(enumerate((Comm.nccl if ENGINE == "nccl" else Comm.local)(size, device)))
    comm = world(device)
    return {comm.info.rank: comm}


def run_mine(comms, work):
    """{rank: work(rank, comm)} of the ranks of this process."""
    mine = list(comms)
    return dict(zip(mine, run_ranks(list(comms.values()), lambda i, c: work(mine[i], c))))


def run_ranks(comms, work):
    """[work(rank, comm)] of a thread for each rank; raises the first exception, of the lowest rank."""
    if len(comms) == 1:  # in this thread: an MPI may allow no other one
        return [work(0, comms[0])]
    results, errors = [None] * len(comms), [None] * len(comms)

    def one(r):
        try:
            results[r] = work(r, comms[r])
        except Exception as e:  # noqa: BLE001: any, for the caller's thread
            errors[r] = e

    threads = [threading.Thread(target=one, args=(r,)) for r in range(len(comms))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for e in errors:
        if e is not None:
            raise e
    return results


def error_of(work, *arguments):
    """The text of a call's error, or None."""
    try:
        work(*arguments)
    except arrpy.Error as e:
        return str(e)
    return None


def errors_of(comms, work):
    """The text of each rank's error, or None."""
    return run_ranks(comms, lambda r, comm: error_of(work, r, comm))
