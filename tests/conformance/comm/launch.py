#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""launch.py --mpi NAME --ranks N PROGRAM [ARGUMENT ...]: runs a program as N processes of an MPI.

NAME is openmpi, mpich (those of Debian) or standard (the library of the standard ABI from MPICH's wheel). Exit code 77 and
the reason if it is not installed.
"""

import argparse
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys

ENVIRONMENT = pathlib.Path(sys.prefix)
# mpiexec, its options, and the library, with its path where the loader does not find it.
MPIS = {
    "openmpi": ("mpiexec.openmpi", ["--allow-run-as-root", "--oversubscribe"], "libmpi.so.40"),
    "mpich": ("mpiexec.mpich", [], "libmpich.so.12"),
    "standard": (str(ENVIRONMENT / "bin" / "mpiexec"), [], str(ENVIRONMENT / "lib" / "libmpi_abi.so.1")),
}


def obstacle(name):
    """Why this MPI cannot be used here; empty if it can."""
    mpiexec, _, library = MPIS[name]
    if shutil.which(mpiexec) is None:
        return f"no {mpiexec}"
    try:
        ctypes.CDLL(library)
    except OSError as e:
        return str(e)
    return ""


def launch(name, ranks, command, seconds=60, **environment):
    """(exit code, output) of a command as processes; the code is None if they did not end in time."""
    mpiexec, options, library = MPIS[name]
    env = {
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_btl": "self,vader,tcp",
        "OMPI_MCA_mpi_yield_when_idle": "1",
    }
    env = {**os.environ, **env, "OPENBLAS_NUM_THREADS": "1", "ARR_THREADS": "1", **environment}
    if library.startswith("/"):
        env.setdefault("ARR_MPI", library)
    else:
        env["MPI4PY_LIBMPI"] = library
    env["ARR_TEST_RANKS"] = str(ranks)
    whole = [mpiexec, *options, "-n", str(ranks), *map(str, command)]
    process = subprocess.Popen(
        whole, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return None, output
    return process.returncode, output


def skip_unless_usable(name):
    why = obstacle(name)
    if why:
        print(f"skipped: {why}")
        sys.exit(77)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", choices=MPIS, required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--device", default="host")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    skip_unless_usable(options.mpi)
    code, output = launch(
        options.mpi, options.ranks, [*options.command, "--device", options.device], 300, ARR_TEST_ENGINE="mpi"
    )
    print(output)
    if code is None:
        print("FAILED: the processes did not end")
    return 1 if code is None else code


if __name__ == "__main__":
    sys.exit(main())
