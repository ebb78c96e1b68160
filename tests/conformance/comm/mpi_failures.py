#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpi_failures.py --mpi NAME: processes of an MPI where something is wrong: late, dead, of another MPI, without a library.

Each case starts processes that run this file with ARR_TEST_CASE, and reads what they write to ARR_TEST_SAYS. A launcher may
lose the last lines that a process prints before MPI_Abort.
"""

import ctypes
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
from launch import launch, skip_unless_usable
from ranks import Comm, error_of

from oracle import arrpy

C = arrpy.c


def array(values):
    return arrpy.array(np.asarray(values, "f8"))


def say(*words):
    with open(os.environ["ARR_TEST_SAYS"], "ab", buffering=0) as out:
        out.write(" ".join(map(str, words)).encode() + b"\n")  # in one piece


# ------------------------------------------------------------------------------------ in the processes


def late():
    comm, a = Comm.mpi(), array([1, 2, 3])
    if comm.info.rank == 1:
        time.sleep(20)
        return
    comm.timeout(0.3)
    start = time.monotonic()
    say(error_of(comm.all_reduce, a, a))
    say("in time" if time.monotonic() - start < 10 else "late", comm.info.failed)
    say(error_of(comm.barrier))
    comm.call("abort")


def late_message():
    comm, a = Comm.mpi(), array([1, 2, 3])
    if comm.info.rank == 1:
        time.sleep(20)
        return
    comm.timeout(0.2)
    say(error_of(comm.recv, a, 1))
    comm.call("abort")


def late_split():
    comm = Comm.mpi()
    if comm.info.rank == 1:
        time.sleep(20)
        return
    comm.timeout(0.2)
    say(error_of(comm.split, 0))
    comm.call("abort")


def dies():
    comm, a = Comm.mpi(), array([1, 2, 3])
    comm.barrier()
    if comm.info.rank == 1:
        os._exit(3)
    for _ in range(1000000):
        comm.all_reduce(a, a)


def leaves():
    """A rank that ends with an error while another one waits does not wait for that one."""
    comm = Comm.mpi()
    if comm.info.rank == 1:
        sys.exit(5)
    comm.barrier()


def sizes_of_messages():
    comm, a = Comm.mpi(), array([1, 2, 3])
    short = array([7, 8])
    if comm.info.rank == 0:
        comm.send(short, 1)
        comm.send(a, 1)
    else:
        say(error_of(comm.recv, a, 0))
        say(error_of(comm.recv, short, 0))
    comm.barrier()


def shrinks():
    comm, a = Comm.mpi(), array([1, 2, 3])
    if comm.info.rank != 1:
        smaller = comm.shrink(1)
        smaller.all_reduce(a, a)
        say(smaller.info.rank, smaller.info.size, a.numpy())
    comm.barrier()


def limited():
    """Calls with a time limit give the same results."""
    comm = Comm.mpi()
    comm.timeout(60)
    a = array(np.full(100000, comm.info.rank + 1.0))
    comm.all_reduce(a, a)
    half = comm.split(comm.info.rank % 2)
    say(np.unique(a.numpy()), half.info.size, half.info.timeout)


def other_mpi():
    say(error_of(Comm.mpi))
    os._exit(1)


def nothing():
    say(error_of(Comm.mpi))


def not_initialised():
    out = C.arr_comm()
    say(error_of(arrpy.call, "arr_comm_from_mpi", 0x44000000, None, ctypes.byref(out)))
    Comm.mpi()
    say(error_of(arrpy.call, "arr_comm_from_mpi", 0, None, ctypes.byref(out)))


def finalized():
    comm = Comm.mpi()
    comm.barrier()
    mpi = arrpy.text_of("arr_comm_mpi_library").split()[0]
    ctypes.CDLL(mpi).MPI_Finalize()
    for call in (comm.barrier, lambda: comm.split(0), lambda: comm.call("abort")):
        say(error_of(call))


def checked():
    """With ARR_CHECK=1 ranks are compared before one of them copies its array, here one that no memory holds."""
    comm, a = Comm.mpi(), array([1])
    huge = a.broadcast_to((2**29, 2**20))
    say(comm.info.rank, error_of(lambda: comm.reduce(None, huge) if comm.info.rank else comm.reduce(a, a)))


# ------------------------------------------------------------------------------------------- the suite

LOST = "the communicator has failed: rank 0 of 2 waited"
# Case: number of ranks, what they say, True if the processes end with success.
CASES = [
    (late, 2, [f"{LOST} 0.3 s in arr_comm_all_reduce for the other ranks", "in time 1", LOST], False),
    (late_message, 2, [f"{LOST} 0.2 s in arr_comm_recv for rank 1 to send"], False),
    (late_split, 2, [f"{LOST} 0.2 s in arr_comm_split for the other ranks"], False),
    (dies, 2, [], False),
    (leaves, 2, [], False),
    (sizes_of_messages, 2, ["rank 0 sends fewer elements than rank 1 receives: 2, expected 3", "MPI: "], True),
    (shrinks, 3, ["0 2 [2. 4. 6.]", "1 2 [2. 4. 6.]"], True),
    (limited, 3, ["[6.] 2 60.0", "[6.] 1 60.0"], True),
    (
        finalized,
        2,
        ["arr_comm_barrier: MPI has been", "arr_comm_split: MPI has been", "arr_comm_abort: MPI has been"],
        True,
    ),
    (not_initialised, 1, ["MPI is not initialised, expected MPI_Init before", "MPI_COMM_NULL"], True),
]


def case(report, mpi, work, ranks, says, good, **environment):
    with tempfile.NamedTemporaryFile() as said:
        environment.update(ARR_TEST_CASE=work.__name__, ARR_TEST_SAYS=said.name)
        code, output = launch(mpi, ranks, [sys.executable, "-B", __file__], 60, **environment)
        lines = said.read().decode().splitlines()
    label = f"{work.__name__} {ranks}"
    report.check(f"{label}: ends", code is not None, output)
    report.check(f"{label}: {'success' if good else 'an error'}", (code == 0) == good, f"{code}\n{output}")
    for text in says:
        report.check(f"{label}: says", any(text in x for x in lines), f"{lines}\n{output}")


def main():
    mpi = sys.argv.pop(sys.argv.index("--mpi") + 1)
    sys.argv.remove("--mpi")
    report = oracle.Report(__doc__)
    skip_unless_usable(mpi)
    for work, ranks, says, good in CASES:
        case(report, mpi, work, ranks, says, good)
    differ = "the array of rank 0 is float64 of shape (1,), that of rank 1"
    case(report, mpi, checked, 2, [f"{r} arr_comm_reduce: {differ}" for r in (0, 1)], True, ARR_CHECK="1")
    case(report, mpi, nothing, 1, ["no MPI works here: /none.so: ", "ARR_MPI"], True, ARR_MPI="/none.so")
    case(report, mpi, nothing, 1, ["no MPI works here: ", "no function MPI_"], True, ARR_MPI=libm())
    open_mpi = next(pathlib.Path("/usr/lib").glob("*/libmpi.so.40"), None)
    if mpi == "mpich" and open_mpi:
        case(report, mpi, other_mpi, 2, ["sees 1 process, the launcher has started 2"], False, ARR_MPI=str(open_mpi))
    return report.finish()


def libm():
    with open("/proc/self/maps") as maps:
        return next(line.split()[-1] for line in maps if "/libm" in line and line.rstrip().endswith("so.6"))


if __name__ == "__main__":
    if "ARR_TEST_CASE" in os.environ:
        globals()[os.environ["ARR_TEST_CASE"]]()
    else:
        sys.exit(main())
