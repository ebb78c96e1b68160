# SPDX-License-Identifier: MIT
"""ARR_SUITE=NAME short_of_memory.py [ARGUMENTS...] - another suite, each of whose calls first fails at every allocation.

See tests/support/failing_calls.py and memory_table.py. The suite's results are compared with NumPy's as ever.
"""

import os
import pathlib
import runpy
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import failing_calls  # noqa: E402 - before arrpy, which takes arrcall.call by name
import memory_table  # noqa: E402
from failing_calls import Counts  # noqa: E402


def check_table(suite, arguments):
    """The functions that the table names for this suite have failed, unless it took a sample of its cases; those without
    allocations have not."""
    import oracle  # by now with the calls that fail

    cuda = "cuda" in arguments
    sampled = oracle.sample_of("cuda" if cuda else "host") > 1
    for name in () if sampled else memory_table.SUITES.get(suite + ".cuda" * cuda, ()):
        if name not in Counts.starved:
            Counts.faults.append(f"{name} never failed for want of memory; memory_table.py says that it does here")
    if cuda and not suite.startswith("memory_"):  # a device's first call of a kind makes what stays
        return
    for name in {f for words in memory_table.NOTHING.values() for f in memory_table.functions(words)} & set(
        Counts.starved
    ):
        Counts.faults.append(f"{name} asks for memory; memory_table.py says that it does not")


def main(argv):
    suite = next(pathlib.Path(__file__).resolve().parent.rglob(os.environ["ARR_SUITE"] + ".py"))
    failing_calls.install()
    sys.path.insert(0, str(suite.parent))  # as Python does for a script
    sys.argv = [str(suite), *argv]
    try:
        runpy.run_path(str(suite), run_name="__main__")
        code = 0
    except SystemExit as e:
        code = e.code or 0
    except failing_calls.Failed as e:
        code = 1
        print(f"ended by {e}")
    check_table(os.environ["ARR_SUITE"], sys.argv)
    print(f"{Counts.calls} calls, {Counts.failures} failed allocations, {len(Counts.faults)} faults")
    for fault in Counts.faults:
        print(f"FAULT {fault}")
    return 1 if Counts.faults or not Counts.failures else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
