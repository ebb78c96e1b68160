#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kernel_sizes.py - each op's and each distribution's CUDA kernel is so short that NVRTC compiles it in seconds.

The elements are int8 where an op takes them, of which a thread computes 16: a function that is copied for each of them
makes a kernel of tens of thousands of instructions. Nothing runs. One in eight is compiled, which ARR_TEST_SEED turns;
with ARR_TEST_WHOLE=1 all.
"""

import ctypes
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CONFORMANCE = HERE.parents[1] / "conformance"
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support"), str(CONFORMANCE / "random"), str(CONFORMANCE)]
import cuda_toolkit

os.environ["ARR_FAKE_NVRTC"] = "real"
IMAGES = tempfile.TemporaryDirectory()
os.environ["ARR_CACHE_DIR"] = IMAGES.name
import arrpy
import numpy as np
import random_extremes
from draws import Generator, given

C = arrpy.c
ELEMENTS = 4096  # enough for whole accesses
MAX_INSTRUCTIONS = 12_000  # instructions; beta had 35,000, and NVRTC took a minute
ONE_IN = 1 if os.environ.get("ARR_TEST_WHOLE", "0") not in ("", "0") else 8
INSTRUCTION = re.compile(rb"^\t(?![.{}])[^\n]*;$", re.M)


def instructions():
    """The number in all images since the last call."""
    total = 0
    for image in pathlib.Path(IMAGES.name).rglob("*.image"):
        total += len(INSTRUCTION.findall(image.read_bytes()))
        image.unlink()
    return total


def ops():
    for name, (_, operands, *_rest) in sorted(C.OPS.items()):
        if not hasattr(arrpy.lib, f"arr_{name}"):
            continue

        def call(name=name, operands=operands):
            for dtype in ("int8", "bool", "float64"):
                arrays = [arrpy.array(np.ones(ELEMENTS, dtype), device="cuda") for _ in range(operands)]
                try:
                    arrpy.made(f"arr_{name}", *(a.handle for a in arrays), None)
                except arrpy.Error as error:
                    if error.status not in (C.ARR_E_DTYPE, C.ARR_E_ARGUMENT):
                        raise
                else:
                    return

        yield name, call


def distributions():
    for name, family, parameters in random_extremes.table():
        dtype = {"FLOAT": "float32", "DOUBLE": "float64", "INT": "int8"}[family]

        def call(name=name, parameters=parameters, dtype=dtype):
            where = (arrpy.number(dtype), 1, arrpy.int64s((ELEMENTS,)), ctypes.byref(arrpy.device_of("cuda")), None)
            values = map(given, random_extremes.ordinary(name, parameters))
            generator = Generator(3)
            arrpy.made(f"arr_random_{name}", generator.handle, *values, *where)

        yield f"random {name}", call


def main():
    if cuda_toolkit.nvrtc() is None:
        print("skipped: no NVRTC here")
        return 77
    fake = ctypes.CDLL(os.environ["ARR_CUDA_DRIVER"])
    fake.arr_fake_cuda_set(b"run", ctypes.c_int64(0))
    seed, failures, longest, count = int(os.environ.get("ARR_TEST_SEED", "0")), 0, (0, ""), 0
    kernels = [*distributions(), *ops()]
    for name, call in kernels[seed % ONE_IN :: ONE_IN]:
        instructions()
        call()
        n = instructions()
        count += n > 0
        longest = max(longest, (n, name))
        if n > MAX_INSTRUCTIONS:
            failures += 1
            print(f"{name}: {n} instructions, at most {MAX_INSTRUCTIONS} are expected")
    print(
        f"{count} of {len(kernels)} kernels, the longest has {longest[0]} instructions ({longest[1]}), {failures} failures"
    )
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
