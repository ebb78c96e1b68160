#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ARR_SUITE=NAME float_environment.py [ARGUMENTS...] - another suite, each of whose calls runs with other rounding, with
subnormals flushed and with traps set by the caller; see tests/support/float_modes.py. The suite's results are
compared with NumPy's as ever."""

import os
import pathlib
import runpy
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import float_modes  # noqa: E402 - before arrpy, which takes arrcall.call by name
from float_modes import Counts  # noqa: E402


def main(argv):
    if not float_modes.works_here():
        print("SKIPPED: the environment is laid out as x86-64 has it")
        return 77
    suite = next(pathlib.Path(__file__).resolve().parent.rglob(os.environ["ARR_SUITE"] + ".py"))
    float_modes.install()
    sys.path.insert(0, str(suite.parent))  # as Python does for a script
    sys.argv = [str(suite), *argv]
    try:
        runpy.run_path(str(suite), run_name="__main__")
        code = 0
    except SystemExit as e:
        code = e.code or 0
    print(
        f"{Counts.calls} calls of {len(Counts.names)} functions, {Counts.repeated} of them in every environment, "
        f"{len(Counts.faults)} faults"
    )
    for fault in Counts.faults:
        print(f"FAULT {fault}")
    return 1 if Counts.faults or not Counts.repeated else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
