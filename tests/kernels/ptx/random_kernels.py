#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_kernels.py [--kernels N] [--seed S] [--only K] [--keep FOLDER] - random CUDA kernels run in two ways, equal in every bit.

From source by the host's kernel compiler, and as PTX by the toolkit's NVRTC; neither contracts. ARR_TEST_SEED turns the
kernels, ARR_TEST_WHOLE=1 runs 2,000. --only takes the kernel of one number and prints its text.
"""

import argparse
import os
import pathlib
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import cuda_toolkit
import ptx_host
import random_text

FEW, MANY = 40, 2000
PER_MODULE = 20
ARCHITECTURES = ("sm_90", "sm_80", "sm_100")
N = random_text.THREADS * random_text.BLOCKS
RESULTS = ("u", "l", "f", "d", "places")


def operands():
    r = np.random.default_rng(5)
    floats = np.concatenate([r.normal(size=N - 8) * 100, [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-41, 1e38, -1.0]])
    return (
        r.integers(0, 2**32, N, dtype="u4"),
        r.integers(0, 2**64, N, dtype="u8"),
        floats.astype("f4"),
        floats[::-1].copy(),
        np.arange(24, dtype="u4") * 77,
    )


def from_source(text):
    return ptx_host.Module(text, options=(b"-fmad=false",))


def launch(module, name):
    return module.launch(name, (random_text.BLOCKS, 1, 1), (random_text.THREADS, 1, 1), *operands(), np.uint32(N))


def differences(text, numbers, ptx):
    """Lines about the kernels whose results differ."""
    source, compiled = from_source(text), ptx_host.Module(ptx)
    lines = []
    for number in numbers:
        name = f"k{number}"
        for what, want, got in zip(RESULTS, launch(source, name), launch(compiled, name)):
            if want.tobytes() == got.tobytes():
                continue
            bad = np.flatnonzero(want.view(f"u{want.itemsize}") != got.view(f"u{got.itemsize}"))
            lines.append(
                f"FAILED {name} {what}: {bad.size} of {want.size} differ, [{bad[0]}] source {want[bad[0]]}, PTX {got[bad[0]]}"
            )
            break
    for module in (source, compiled):
        ptx_host.arrpy.lib.arr_module_release(module.handle)
    return lines


def batches(options):
    if options.only is not None:
        return [[options.only]]
    numbers = list(range(options.kernels))
    return [numbers[i : i + PER_MODULE] for i in range(0, len(numbers), PER_MODULE)]


def main():
    whole = os.environ.get("ARR_TEST_WHOLE", "0") not in ("", "0")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", type=int, default=MANY if whole else FEW)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ARR_TEST_SEED", "0")))
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=pathlib.Path, help="the folder for the texts of modules with a difference")
    options = parser.parse_args()
    nvrtc = cuda_toolkit.nvrtc()
    if nvrtc is None:
        print("skipped: no NVRTC here")
        return 77
    failures, count, start = 0, 0, time.monotonic()
    for i, numbers in enumerate(batches(options)):
        text = random_text.source(numbers, options.seed)
        arch = ARCHITECTURES[(i + options.seed) % len(ARCHITECTURES)]
        if options.only is not None:
            print(text)
        ptx, _ = cuda_toolkit.compile_to_ptx(nvrtc, text.encode(), [f"--gpu-architecture={arch}", "-fmad=false"])
        lines = differences(text, numbers, ptx)
        failures, count = failures + len(lines), count + len(numbers)
        if lines and options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{numbers[0]}.cu").write_text(text)
            (options.keep / f"{numbers[0]}.ptx").write_text(ptx)
        for line in lines[:5]:
            print(f"{line} ({arch})", flush=True)
    print(f"{count} random kernels, {failures} differ, seed {options.seed}, {time.monotonic() - start:.0f} s")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
