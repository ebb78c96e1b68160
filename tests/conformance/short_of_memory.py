# SPDX-License-Identifier: MIT
"""ARR_SUITE=NAME short_of_memory.py [ARGUMENTS...] - another suite, each of whose calls first fails at every allocation.

See tests/support/failing_calls.py. The suite's results are compared with NumPy's as ever.
"""
import os
import pathlib
import runpy
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import failing_calls  # noqa: E402 - before arrpy, which takes arrcall.call by name
from failing_calls import Counts  # noqa: E402


def main(argv):
    suite = pathlib.Path(__file__).with_name(os.environ["ARR_SUITE"] + ".py")
    failing_calls.install()
    sys.argv = [str(suite), *argv]
    try:
        runpy.run_path(str(suite), run_name="__main__")
        code = 0
    except SystemExit as e:
        code = e.code or 0
    except failing_calls.Failed as e:
        code = 1
        print(f"ended by {e}")
    print(f"{Counts.calls} calls, {Counts.failures} failed allocations, {len(Counts.faults)} faults")
    for fault in Counts.faults:
        print(f"FAULT {fault}")
    return 1 if Counts.faults or not Counts.failures else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
