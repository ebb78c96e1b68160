#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench_callbacks.py [--small]: programs around transforms as callbacks of cuFFT and as passes, each in a process of its
own; a Markdown table of the time of the first call, which links or compiles, and of later ones. Run by run.sh."""

import json
import os
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [
    os.path.join(HERE, "..", "support"),
    os.path.join(HERE, "..", "conformance"),
    os.path.join(HERE, "..", "conformance", "fft"),
]
sys.argv, ARGUMENTS = sys.argv[:1], sys.argv[1:]
import arrpy  # noqa: E402
from bench import Ours, time_of  # noqa: E402
from fft_fused import Map, fused  # noqa: E402
from fft_plans import C2C, R2C, facts, plan  # noqa: E402

SIZES = [(64, 256)] if "--small" in ARGUMENTS else [(4096, 1024), (16, 1 << 20)]


def cases():
    """Name, kind, type of the samples, shape, axes, load, store, type of the result."""
    for rows, n in SIZES:
        yield (
            f"spectra of int16 under a window, {rows} of {n}",
            R2C,
            "i2",
            (rows, n),
            (1,),
            "x * u",
            "absolute(x)",
            "f4",
        )
        yield f"complex64 times a row, {rows} of {n}", C2C, "c8", (rows, n), (1,), "x * u", None, "c8"
        yield f"a filter behind it, {rows} of {n}", C2C, "c8", (rows, n), (1,), None, "x * u", "c8"


def measure():
    """Time in microseconds of the first and of later calls, and how many were callbacks, of each case."""

    class Report:
        device = "cuda"

    ours, out = Ours(), []
    for name, kind, samples, shape, axes, load, store, result in cases():
        x = np.random.default_rng(1).integers(-99, 99, shape).astype(samples)
        length = shape[-1] // 2 + 1 if kind == R2C else shape[-1]
        p = plan(Report, kind, "float32", shape, axes)
        before, behind = load and Map(load), store and Map(store)
        a, u = ours.array(x), ours.array(np.hanning(shape[-1]).astype("f4"))
        dst = ours.array(np.zeros((shape[0], length), result))

        def run(_, a, u, dst):
            return fused(p, [a, u] if load else [a], dst, before, behind, [u] if store == "x * u" else [])

        ours.wait()
        start = time.perf_counter()
        run(ours, a, u, dst)
        ours.wait()
        first = (time.perf_counter() - start) * 1e6
        later = time_of(ours, run, (a, u, dst), 3)
        total = float(np.abs(ours.host(dst).astype("c16")).sum())
        out.append((name, first, later, facts(p).callbacks, total))
        arrpy.call("arr_fft_plan_release", p)
    return out


def main():
    if "--measure" in ARGUMENTS:
        print(json.dumps(measure()))
        return 0
    sides = []
    for value in ("1", "0"):
        done = subprocess.run(
            [sys.executable, "-B", __file__, *ARGUMENTS, "--measure"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "ARR_CUFFT_CALLBACKS": value, "ARR_CACHE_BYTES": "0"},
        )
        if done.returncode != 0:
            print(done.stdout + done.stderr)
            return 1
        sides.append(json.loads(done.stdout.strip().rpartition("\n")[2]))
    print(
        "| programs around a transform | first, callbacks | first, passes | callbacks | passes | ratio |\n|---|---:|---:|---:|---:|---:|"
    )
    good = True
    for (name, first, later, taken, total), (_, first_passes, passes, none, other) in zip(*sides):
        agree = none == 0 and abs(total - other) <= 1e-4 * other
        good = good and agree
        print(
            f"| {name}{'' if taken else ' (refused)'} | {first:.0f} | {first_passes:.0f} | {later:.1f} | {passes:.1f} | "
            f"{passes / later:.2f}{'' if agree else ' **DIFFERS**'} |"
        )
    return 0 if good else 1


if __name__ == "__main__":
    if not arrpy.has_device("cuda"):
        print("there is no CUDA device")
        sys.exit(77)
    sys.exit(main())
