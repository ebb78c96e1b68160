#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_kernels.py [--kernels N] [--first F] [--seed S] [--only K] [--keep FOLDER] - random CUDA kernels run in two ways, equal in every bit.

From source by the host's kernel compiler, and as PTX by the toolkit's NVRTC; neither contracts. ARR_TEST_SEED turns the
kernels, ARR_TEST_WHOLE=1 runs 2,000. --only takes the kernel of one number and prints its text. Modules run in a child:
where it dies or takes too long, the kernels of its module run one by one, so that the one at fault is named.
"""

import argparse
import contextlib
import os
import pathlib
import selectors
import subprocess
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
SECONDS_PER_MODULE = 300  # it takes some seconds of processor time
SAID_EVERY = 100
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
    numbers = list(range(options.first, options.first + options.kernels))
    return [numbers[i : i + PER_MODULE] for i in range(0, len(numbers), PER_MODULE)]


def run_module(nvrtc, numbers, options):
    """Prints what differs; returns how many kernels do."""
    text = random_text.source(numbers, options.seed)
    arch = ARCHITECTURES[(numbers[0] // PER_MODULE + options.seed) % len(ARCHITECTURES)]
    if options.only is not None:
        print(text)
    ptx, _ = cuda_toolkit.compile_to_ptx(nvrtc, text.encode(), [f"--gpu-architecture={arch}", "-fmad=false"])
    lines = differences(text, numbers, ptx)
    if lines and options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        (options.keep / f"{numbers[0]}.cu").write_text(text)
        (options.keep / f"{numbers[0]}.ptx").write_text(ptx)
    for line in lines:
        print(f"{line} ({arch})", flush=True)
    return len(lines)


def child(nvrtc, options):
    """Runs the modules whose numbers come in, a line each, and says of each how many kernels differ."""
    for line in sys.stdin:
        print(f"done {run_module(nvrtc, [int(n) for n in line.split()], options)}", flush=True)


class Child:
    """A process that runs modules; a module that it does not end is its last."""

    def __init__(self):
        self.process = None

    def start(self):
        arguments = [sys.executable, "-B", os.path.abspath(__file__), "--child", *sys.argv[1:]]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.ready = selectors.DefaultSelector()
        self.ready.register(self.process.stdout, selectors.EVENT_READ)

    def run(self, numbers):
        """The number of kernels that differ; a text where the module did not end."""
        if self.process is None:
            self.start()
        self.process.stdin.write(f"{' '.join(map(str, numbers))}\n".encode())
        end, said = time.monotonic() + SECONDS_PER_MODULE, b""
        while self.ready.select(max(0, end - time.monotonic())):
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                code = self.process.wait()
                self.close()
                return f"the process ended with {code}"
            said += piece
            *lines, said = said.split(b"\n")
            for line in lines:
                if line.startswith(b"done "):
                    return int(line.split()[1])
                print(line.decode(errors="replace"), flush=True)
        self.close()
        return f"no end within {SECONDS_PER_MODULE} s"

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def run_all(options):
    """Runs all modules; the exit code says whether kernels differ or did not end."""
    failures, count, start = 0, 0, time.monotonic()
    with contextlib.closing(Child()) as runs:
        for numbers in batches(options):
            result = runs.run(numbers)
            if isinstance(result, str):  # which one?
                print(f"k{numbers[0]} to k{numbers[-1]}: {result}", flush=True)
                alone = {n: runs.run([n]) for n in numbers}
                for n, r in alone.items():
                    if isinstance(r, str):
                        print(f"FAILED k{n}: {r}", flush=True)
                result = max(1, sum(1 if isinstance(r, str) else r for r in alone.values()))
            failures, count = failures + result, count + len(numbers)
            if count % SAID_EVERY == 0:
                print(f"{count} kernels, {failures} failures, {time.monotonic() - start:.0f} s", flush=True)
    first = f" from {options.first}" if options.first else ""
    print(f"{count} random kernels{first}, {failures} differ, seed {options.seed}, {time.monotonic() - start:.0f} s")
    return 1 if failures or count == 0 else 0


def main():
    whole = os.environ.get("ARR_TEST_WHOLE", "0") not in ("", "0")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", type=int, default=MANY if whole else FEW)
    parser.add_argument("--first", type=int, default=0, help="the number of the first kernel")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ARR_TEST_SEED", "0")))
    parser.add_argument("--only", type=int)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--keep", type=pathlib.Path, help="the folder for the texts of modules with a difference")
    options = parser.parse_args()
    nvrtc = cuda_toolkit.nvrtc()
    if nvrtc is None:
        print("skipped: no NVRTC here")
        return 77
    if options.child:
        child(nvrtc, options)
        return 0
    return run_all(options)


if __name__ == "__main__":
    sys.exit(main())
