#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""suite.py SUITE [ARGUMENTS] - a conformance suite over the fake CUDA whose NVRTC is the toolkit's: its PTX runs on the host.

So what NVRTC makes of libarr's CUDA texts is executed, and gives what the suite expects.
"""

import os
import pathlib
import sys

import cuda_toolkit

SUITES = pathlib.Path(__file__).resolve().parents[2] / "conformance"


def main():
    if cuda_toolkit.nvrtc() is None:
        print("skipped: no NVRTC here")
        return 77
    os.environ["ARR_FAKE_NVRTC"] = "real"
    suite = SUITES / sys.argv[1]
    os.execv(sys.executable, [sys.executable, "-B", str(suite), "--device", "cuda", *sys.argv[2:]])


if __name__ == "__main__":
    sys.exit(main())
