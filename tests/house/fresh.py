#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fresh.py [--fix] [--root FOLDER] - the generators, in their order: each checks that what it generated is committed.

--fix runs them instead, so that one command follows a change of a table, a header or a comment. FOLDER is a checkout;
the hook .githooks/pre-commit gives an export of what is about to be committed.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The pages generated, the program, the arguments that make them anew, the packages needed.
GENERATORS = [
    ("headers and tables from core/table", "core/table/generate.py", (), None),
    ("docs/parity.md from the inventory and the tables", "docs/make_parity.py", (), None),
    ("the languages' layers from the headers", "bindings/generate/generate.py", (), "swig"),
    ("the comments of the headers, complete", "docs/make_reference.py", ("--check",), None),
    ("docs/kernel_features.md from the corpus of kernels", "docs/make_kernel_features.py", (), None),
    ("docs/programs.md from the example programs", "docs/make_programs.py", (), None),
    ("docs/gpu/proof.md from the tests' results", "docs/make_proof.py", (), None),
    ("README.md's numbers from the tables", "tests/house/counts.py", ("--fix",), None),
    ("bindings/README.md's numbers from the sources", "tests/house/reach.py", ("--fix",), None),
]


def main(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--fix", action="store_true", help="generate")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the checkout")
    options = parser.parse_args(argv)
    stale = 0
    for what, program, again, needs in GENERATORS:
        if needs and not shutil.which(needs):
            print(f"NOT CHECKED, there is no {needs}: {what}")
            continue
        run = subprocess.run(
            [sys.executable, "-B", options.root / program, *(again if options.fix else ["--check"])],
            capture_output=True,
            text=True,
        )
        if run.returncode:
            stale += 1
            print(f"{'FAILED' if options.fix else 'STALE'}: {what} ({program})\n{run.stdout}{run.stderr}")
    if stale and not options.fix:
        print("tests/house/fresh.py --fix generates what is stale")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
