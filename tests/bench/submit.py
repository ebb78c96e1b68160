#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""submit.py [--build DIR] [--json FILE] - what a call costs before any element is computed.

On the host: an op on one element. On CUDA: an op handed to a driver that does nothing (the fake CUDA with
run=0). What that driver's bookkeeping takes is measured too, by calling the same functions of it alone, as often
as an op does, in turns with the op; the rest is libarr's own work per op. Both must stay small beside what they
start: 150 ns and 200 ns.
"""

import argparse
import ctypes
import json
import os
import pathlib
import re
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ROUNDS, REPEATS = 15, 100_000
PER_OP = {"cuCtxGetCurrent": 1, "cuLaunchKernel": 1}  # the driver's functions that bench_driver calls


class Fake:
    """The fake driver: its functions, and how often each is called."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        self.library.arr_fake_cuda_calls.restype = ctypes.c_int64
        text = (ROOT / "core" / "cuda" / "driver" / "driver_api.def").read_text()
        self.names = re.findall(r"^ARR_CUDA_FN\((\w+)", text, re.M)

    def run(self, on):
        self.library.arr_fake_cuda_set(b"run", ctypes.c_int64(int(on)))

    def function(self, name):
        return ctypes.cast(getattr(self.library, name), ctypes.c_void_p)

    def calls(self):
        return {n: self.library.arr_fake_cuda_calls(n.encode()) for n in self.names}


def timed(loop, fake, alone):
    """The op's and the fake's nanoseconds of every round; on the host the latter are 0."""
    if fake is None:
        return [(loop(REPEATS), 0.0) for _ in range(ROUNDS)]
    before = fake.calls()
    fake.run(False)
    loop(REPEATS)
    made = {n: (c - before[n]) / REPEATS for n, c in fake.calls().items() if c != before[n]}
    if made != PER_OP:
        raise SystemExit(f"an op calls {made} of the driver, what is measured alone is {PER_OP}")
    ns = [(loop(REPEATS), alone(REPEATS)) for _ in range(ROUNDS)]
    fake.run(True)
    return ns


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--json")
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    os.environ["ARR_LIBRARY"] = str(build / "lib" / "libarr.so.0")
    fake = build / "fake_cuda" / "libarr_fake_cuda.so"
    for part in ("DRIVER", "NVRTC", "CUBLAS", "CUBLASLT", "CUFFT"):
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
        driver, alone = None, None
        if device == "cuda":
            driver = Fake(fake)
            alone = loops("bench_driver", *(driver.function(f) for f in PER_OP))
        x, y, dst = (arrpy.array(np.ones(1, "f4"), device=device) for _ in range(3))
        for name, n in (("negative", 1), ("add", 2)):
            arrpy.apply(name, *(x, y)[:n], out=dst)  # compiles
            loop = loops(
                f"bench_into{n}",
                workloads.function(f"arr_{name}_into"),
                workloads.address(dst),
                *(workloads.address(a) for a in (x, y)[:n]),
            )
            ns = timed(loop, driver, alone)
            if min(map(min, ns)) < 0:
                raise SystemExit(f"{name}: {workloads.Workload.error()}")
            own = [op - fakes for op, fakes in ns]
            rows.append(
                {
                    "device": device,
                    "workload": f"{name} into, one element",
                    "ns": round(statistics.median(own), 1),
                    "least": round(min(own), 1),
                    "with_driver": round(statistics.median(op for op, _ in ns), 1),
                    "driver": round(statistics.median(fakes for _, fakes in ns), 1),
                    "target": 150 if device == "host" else 200,
                }
            )
            print(
                "{device:5} {workload:28} {ns:8.1f} ns  (least {least:.1f}, target {target})".format(**rows[-1])
                + (
                    ""
                    if driver is None
                    else "; {with_driver:.1f} with the fake driver's {driver:.1f}".format(**rows[-1])
                )
            )
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
