#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""layers_selftest.py BUILD - the numbers that layers.py gives choose the tests that it has chosen, with and without filters;
no two tests have one name."""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import layers  # noqa: E402

FILTERS = ([], ["-LE", "house|slow"], ["-L", "conformance|fuzz", "-LE", "slow", "-E", r"\.cuda"])


def main(build):
    faults = 0
    for filters in FILTERS:
        names = layers.known(build, filters)
        run = layers.chosen(names, "quick", 3)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(layers.numbers(names, run))
            file.flush()
            got = layers.known(build, [*filters, "-I", file.name, "-FA", "."])  # without tests that others need
        print(f"{' '.join(filters)}: {len(run)} of {len(names)} tests, ctest -I takes {len(got)}")
        faults += got != run or not run or len(set(names)) < len(names)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
