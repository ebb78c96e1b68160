#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""submit.py [--build DIR] [--json FILE] - what a call costs before any element is computed.

On the host: an op on one element. On CUDA: an op handed to a driver that does nothing (the fake CUDA with
run=0), so that what is left is libarr's own work per op and the fake's bookkeeping of a launch. Both must stay
small beside what they start: 150 ns and 200 ns.
"""
import argparse
import ctypes
import json
import os
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ROUNDS, REPEATS = 15, 100_000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--json")
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    os.environ["ARR_LIBRARY"] = str(build / "lib" / "libarr.so.0")
    fake = build / "fake_cuda" / "libarr_fake_cuda.so"
    for part in ("DRIVER", "NVRTC", "CUBLAS"):
        os.environ[f"ARR_CUDA_{part}"] = str(fake)
    sys.path[:0] = [str(HERE), str(ROOT / "tests" / "support")]
    import numpy as np

    import arrpy  # needs the library
    import workloads

    loops = workloads.Loops(ctypes.CDLL(str(build / "lib" / "arr_bench.so")))
    rows = []
    for device in ("host", "cuda"):
        if not arrpy.has_device(device):
            print(f"{device}: not there, left out")
            continue
        x, y, dst = (arrpy.array(np.ones(1, "f4"), device=device) for _ in range(3))
        for name, n in (("negative", 1), ("add", 2)):
            arrpy.apply(name, *(x, y)[:n], out=dst)  # compiles
            if device == "cuda":
                ctypes.CDLL(str(fake)).arr_fake_cuda_set(b"run", ctypes.c_int64(0))
            loop = loops(f"bench_into{n}", workloads.function(f"arr_{name}_into"), workloads.address(dst),
                         *(workloads.address(a) for a in (x, y)[:n]))
            ns = [loop(REPEATS) for _ in range(ROUNDS)]
            if min(ns) < 0:
                raise SystemExit(f"{name}: {workloads.Workload.error()}")
            if device == "cuda":
                ctypes.CDLL(str(fake)).arr_fake_cuda_set(b"run", ctypes.c_int64(1))
            rows.append({"device": device, "workload": f"{name} into, one element", "ns": round(statistics.median(ns), 1),
                         "least": round(min(ns), 1), "target": 150 if device == "host" else 200})
            print("{device:5} {workload:28} {ns:8.1f} ns  (least {least:.1f}, target {target})".format(**rows[-1]))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
