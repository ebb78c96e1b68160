#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Collective operations against mpi4py's of the same library, for every element type that MPI has.

mpi4py initialises the library, which it has opened for itself alone; libarr must find it, and takes its communicators.
"""

import ctypes
import itertools
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
from ranks import Comm

from oracle import arrpy, same

try:
    from mpi4py import MPI
except (ImportError, RuntimeError) as e:
    print(f"skipped: mpi4py does not work here: {e}")
    sys.exit(77)

C = arrpy.c
TYPES = oracle.SIGNED + oracle.UNSIGNED + ["float32", "float64"] + oracle.COMPLEX
OPS = {"sum": MPI.SUM, "prod": MPI.PROD, "min": MPI.MIN, "max": MPI.MAX}
BITS = {"bitwise_and_reduce": MPI.BAND, "bitwise_or_reduce": MPI.BOR, "bitwise_xor_reduce": MPI.BXOR}


def close(got, expected):
    if got.dtype.kind in "biu":
        return same(got, expected)
    return np.allclose(got, expected, rtol=1e-5 if got.dtype.itemsize in (4, 8) else 1e-12, atol=1e-6)


def reductions(report, comm, world):
    for d, by in itertools.product(TYPES, OPS | BITS):
        kind = oracle.kind(d)
        if (kind == "C" and by in ("min", "max")) or (kind not in "IU" and by in BITS):
            continue
        if kind in "IU" and oracle.dtype(d).itemsize < 4 and by in ("sum", "prod"):
            continue  # Open MPI's do not wrap
        x = oracle.sample((3, 4), d, world.rank, "tame")
        expected = np.empty_like(x)
        world.Allreduce(x, expected, (OPS | BITS)[by])
        a, out = report.array(x), report.array(np.zeros_like(x))
        comm.all_reduce(out, a, by)
        report.check(f"all_reduce {d} {by}", close(out.numpy(), expected), f"{out.numpy()} {expected}")
        part = np.zeros((3, 4), x.dtype)
        whole = np.concatenate([oracle.sample((3, 4), d, 7 * world.rank + i, "tame") for i in range(world.size)])
        world.Reduce_scatter_block(whole, part, (OPS | BITS)[by])
        out = report.array(np.zeros_like(part))
        comm.reduce_scatter(out, report.array(whole), by=by)
        report.check(f"reduce_scatter {d} {by}", close(out.numpy(), part), f"{out.numpy()} {part}")


def moves(report, comm, world):
    n, last = world.size, world.size - 1
    for d in TYPES:
        x = oracle.sample((n, 4), d, world.rank, "tame")
        shapes = {"broadcast": x.shape, "all_gather": (n * n, 4), "gather": (n * n, 4), "scatter": (1, 4)}
        shapes["all_to_all"] = x.shape
        theirs = {name: np.zeros(shape, x.dtype) for name, shape in shapes.items()}
        theirs["broadcast"][...] = x
        world.Bcast(theirs["broadcast"], last)
        world.Allgather(x, theirs["all_gather"])
        world.Gather(x, theirs["gather"] if world.rank == last else None, last)
        world.Scatter(x if world.rank == 0 else None, theirs["scatter"], 0)
        world.Alltoall(x, theirs["all_to_all"])
        a = report.array(x)
        ours = {name: report.array(np.zeros(shape, x.dtype)) for name, shape in shapes.items()}
        ours["broadcast"] = report.array(x)
        comm.broadcast(ours["broadcast"], last)
        comm.all_gather(ours["all_gather"], a)
        comm.gather(ours["gather"] if world.rank == last else None, a, root=last)
        comm.scatter(ours["scatter"], a if world.rank == 0 else None)
        comm.all_to_all(ours["all_to_all"], a)
        for name, expected in theirs.items():
            report.check(f"{name} {d}", same(ours[name].numpy(), expected))


def main():
    report = oracle.Report(__doc__)
    ranks = int(os.environ["ARR_TEST_RANKS"])
    report.check("launched", MPI.COMM_WORLD.size == ranks, f"{MPI.COMM_WORLD.size}, expected {ranks}")
    for world in (MPI.COMM_WORLD, MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank % 2)):
        made = arrpy.made("arr_comm_from_mpi", ctypes.c_int64(MPI._handleof(world)), None, of=C.arr_comm)
        comm = Comm(made)
        report.check("ranks", (comm.info.rank, comm.info.size) == (world.rank, world.size))
        reductions(report, comm, world)
        moves(report, comm, world)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
