#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""suite.py without SciPy, ml_dtypes or mpmath: what needs one is skipped and says which, what fails still fails."""

import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SUITES = os.path.join(HERE, "..", "conformance")
# Suite, package that is not there, exit status, text in the last line.
CASES = [
    ("decompositions", "scipy", 77, "needs SciPy"),
    ("fft", "scipy", 77, "needs SciPy"),
    ("random_numbers", "scipy", 77, "needs SciPy"),
    ("ops", "mpmath", 77, "needs mpmath"),
    ("arrays", "ml_dtypes", 77, "needs ml_dtypes"),
    ("profile_ranges", "numpy", 1, "ModuleNotFoundError"),
    ("profile_ranges", "scipy", 0, "0 failed"),
    ("profile_ranges", None, 0, "0 failed"),
]
BLOCKED = (
    "import runpy, sys; sys.modules[{!r}] = None; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"
)


def run(script, package, *arguments):
    suite = os.path.join(HERE, "suite.py")
    start = [suite] if package is None else ["-c", BLOCKED.format(package), suite]
    done = subprocess.run([sys.executable, "-B", *start, script, *arguments], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip().rpartition("\n")[2]


def main():
    failures = 0
    for name, package, status, text in CASES:
        got = run(glob.glob(os.path.join(SUITES, "*", f"{name}.py"))[0], package, "--device", "host")
        if got[0] != status or text not in got[1]:
            failures += 1
            print(f"FAILED {name} without {package}: {got}, expected {status} and '{text}'")
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "broken.py")
        with open(script, "w") as f:
            f.write("import sys\nsys.exit(1)\n")
        got = run(script, "scipy")[0]
        if got != 1:
            failures += 1
            print(f"FAILED a suite that fails: status {got}, expected 1")
    print(f"{len(CASES) + 1} cases, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
