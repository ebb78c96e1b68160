#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpi_large.py --mpi NAME: calls of more elements than an int of MPI counts, by two processes with 6 GiB together."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
from launch import launch, skip_unless_usable
from ranks import world

from oracle import arrpy

N = 2**31 + 64  # a part of all_gather is half of it


def ends(a):
    """Elements at the ends of the pieces."""
    return [int(a[i : i + 1].numpy()[0]) for i in (0, N // 2 - 1, N // 2, 2**31 - 2, 2**31 - 1, N - 1)]


def numbers(values):
    whole = np.zeros(N, "u1")
    whole[[0, N // 2 - 1, N // 2, 2**31 - 2, 2**31 - 1, N - 1]] = values
    return arrpy.array(whole)


def work():
    comm = world()
    rank = comm.info.rank
    a = numbers([1, 2, 3, 4, 5, 6] if rank == 0 else [0] * 6)
    comm.broadcast(a, 0)
    assert ends(a) == [1, 2, 3, 4, 5, 6], ends(a)
    comm.all_reduce(a, a)
    assert ends(a) == [2, 4, 6, 8, 10, 12], ends(a)
    if rank == 0:
        comm.send(a, 1)
    else:
        a = numbers([0] * 6)
        comm.recv(a, 0)
        assert ends(a) == [2, 4, 6, 8, 10, 12], ends(a)
    half = a[: N // 2] if rank == 0 else a[N // 2 :]
    part = arrpy.array(np.full(N // 2, 9, "u1"))
    comm.reduce_scatter(part, a)
    assert int(part[0:1].numpy()[0]) == (4 if rank == 0 else 12)
    part = arrpy.array(half.numpy())
    whole = numbers([0] * 6)
    comm.all_gather(whole, part)
    assert ends(whole) == [2, 4, 6, 8, 10, 12], ends(whole)
    comm.all_gather(whole, part, [N // 2, N // 2])
    whole = numbers([0] * 6)
    comm.all_to_all(whole, a)
    assert ends(whole)[:2] == ([2, 4] if rank == 0 else [6, 12]), ends(whole)


def main():
    mpi = sys.argv.pop(sys.argv.index("--mpi") + 1)
    sys.argv.remove("--mpi")
    report = oracle.Report(__doc__)
    skip_unless_usable(mpi)
    code, output = launch(mpi, 2, [sys.executable, "-B", __file__], 300, ARR_TEST_CASE="work", ARR_TEST_ENGINE="mpi")
    report.check(f"large {mpi}", code == 0, f"{code}\n{output}")
    return report.finish()


if __name__ == "__main__":
    if "ARR_TEST_CASE" in os.environ:
        work()
    else:
        sys.exit(main())
