#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""suite.py SCRIPT [ARGUMENT...]: runs a conformance suite; one whose references need a package that this Python does
not have is skipped, with the reason, for a machine with a GPU has often little more than NumPy."""

import os
import runpy
import sys

OPTIONAL = {"scipy": "SciPy", "ml_dtypes": "ml_dtypes", "mpmath": "mpmath"}


def main():
    script = os.path.abspath(sys.argv[1])
    sys.argv = [script] + sys.argv[2:]
    sys.path[0] = os.path.dirname(script)
    try:
        runpy.run_path(script, run_name="__main__")
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in OPTIONAL:
            raise
        print(f"needs {OPTIONAL[package]}, which {sys.executable} does not have")
        sys.exit(77)


if __name__ == "__main__":
    main()
