#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""symbols.py - resolves the symbols of docs/parity.tsv in the vendor's libraries, where the CUDA toolkit is installed.

A row with a symbol is a function of cuBLAS, cuSOLVER, cuSPARSE, cuFFT, cuRAND or the driver that CuPy wraps thinly;
arr_library_function returns it. Exit status 77: there is no toolkit.
"""

import collections
import ctypes
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import parity  # noqa: E402

# Longest first: a symbol belongs to the first library whose prefix it has.
LIBRARIES = [
    ("cusolver", "libcusolver.so"),
    ("cusparse", "libcusparse.so"),
    ("cublas", "libcublas.so"),
    ("curand", "libcurand.so"),
    ("cufft", "libcufft.so"),
    ("cu", "stubs/libcuda.so"),
]


def toolkit():
    """The folder of the toolkit's libraries, or None."""
    for root in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
        if root and (pathlib.Path(root) / "lib64" / "libcublas.so").exists():
            return pathlib.Path(root) / "lib64"
    return None


def main():
    folder = toolkit()
    if folder is None:
        print("skipped: there is no CUDA toolkit in CUDA_PATH, CUDA_HOME or /usr/local/cuda")
        return 77
    opened = {prefix: ctypes.CDLL(str(folder / name)) for prefix, name in LIBRARIES}
    found, missing = collections.Counter(), []
    for row in parity.read()[1]:
        if not row["symbol"]:
            continue
        prefix = next((p for p, _ in LIBRARIES if row["symbol"].startswith(p)), None)
        if prefix is None or not hasattr(opened[prefix], row["symbol"]):
            missing.append(f"{row['name']}: no library has {row['symbol']}")
        else:
            found[prefix] += 1
    for line in missing:
        print(line)
    print(f"{sum(found.values())} symbols resolved ({dict(found)}), {len(missing)} missing")
    return 1 if missing or not found else 0


if __name__ == "__main__":
    sys.exit(main())
