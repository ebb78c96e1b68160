#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""debuggers.py gdb|valgrind PROGRAM - what docs/guides/kernels.md says of debuggers and kernels on the host, with
ARR_HOST_DEBUG=1: gdb stops in a kernel's line, prints its variables and the stack; valgrind finds nothing in a
kernel without faults, and a variable that is used before it is set. 77 where the debugger is not installed."""

import os
import shutil
import subprocess
import sys

COMMANDS = [
    "set debuginfod enabled off",
    "set breakpoint pending on",
    "break kernel.cu:7 if threadIdx.x == 5",
    "run",
    "print factor",
    "print i - blockIdx.x * 32",
    "print part[5]",
    "backtrace",
    "list 6,7",
    "delete",
    "continue",
]


def output(*command):
    done = subprocess.run(
        command,
        env={**os.environ, "ARR_HOST_DEBUG": "1"},
        stdin=subprocess.DEVNULL,
        timeout=200,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return done.returncode, done.stdout


def gdb(program):
    command = ["gdb", "-nx", "-batch"]
    for c in COMMANDS:
        command += ["-ex", c]
    _, said = output(*command, "--args", program)
    # The stack begins with the thread of the block.
    parts = [
        "$1 = 2.5",
        "$2 = 5",
        "$3 = 2.5",
        "#0  scale (",
        "n=64",
        "host-sources/",
        "fiber_main",
        "__syncthreads();",
        "x[i] = part[blockDim.x - 1 - threadIdx.x];",
        "done",
        "exited normally",
    ]
    return [f"gdb: {p!r} is missing" for p in parts if p not in said], said


def valgrind(program):
    command = ["valgrind", "--max-stackframe=100000", "--error-exitcode=9"]
    code, said = output(*command, program)
    faults = [] if code == 0 and "done" in said else [f"valgrind: exit code {code} without a fault"]
    code, unset = output(*command, program, "unset")
    for part in ("Conditional jump or move depends on uninitialised value(s)", "kernel.cu:12"):
        if code != 9 or part not in unset:
            faults.append(f"valgrind: exit code {code}, {part!r} expected")
    return faults, said + unset


def main(argv):
    if shutil.which(argv[0]) is None:
        print(f"{argv[0]} is not installed")
        return 77
    faults, said = {"gdb": gdb, "valgrind": valgrind}[argv[0]](argv[1])
    print("\n".join([said] + faults if faults else [f"{argv[0]}: as the guide says"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
