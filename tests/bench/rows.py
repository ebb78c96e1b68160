#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times every reduction along both axes of matrices of one size and many row lengths, libarr beside NumPy.

libarr is called from C and NumPy from Python, alternately; the least time of the rounds counts. --json writes a list
of {reduction, dtype, axis, length, ours_ns, numpy_ns}: a length is that of a row, and a time that of one element. --svg
draws curves. --from FILE draws and sums up an earlier run.
"""

import argparse
import ctypes
import json
import os
import pathlib
import sys
import time

import numpy as np

import picture

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ELEMENTS = 1 << 18
LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 16, 17, 20, 24, 31, 32, 33, 40, 48, 63, 64, 65, 80, 100, 127, 128, 129]
LENGTHS += [160, 200, 255, 256, 257, 350, 500, 512, 700, 1000, 1024, 1500, 2000]
DTYPES = "float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool".split()


def in_float64(ufunc):
    """NumPy reduces small integers in small floats otherwise."""
    return lambda x, axis: ufunc.reduce(x, axis=axis, dtype="f8" if x.dtype.kind in "biu" else x.dtype)


PEERS = {
    "bitwise_and_reduce": np.bitwise_and.reduce,
    "bitwise_or_reduce": np.bitwise_or.reduce,
    "bitwise_xor_reduce": np.bitwise_xor.reduce,
    "logical_xor_reduce": np.logical_xor.reduce,
    "hypot_reduce": in_float64(np.hypot),
    "gcd_reduce": np.gcd.reduce,
    "lcm_reduce": np.lcm.reduce,
    "logaddexp2_reduce": in_float64(np.logaddexp2),
    "logsumexp": in_float64(np.logaddexp),
    "norm2": np.linalg.norm,
    "sum_abs": lambda x, axis: np.linalg.norm(x, 1, axis),
    "max_abs": lambda x, axis: np.linalg.norm(x, np.inf, axis),
    "min_abs": lambda x, axis: np.linalg.norm(x, -np.inf, axis),
}
MOMENTS = ("var", "std", "nanvar", "nanstd")
DRAWN = ("sum", "max", "argmax", "mean", "var", "any")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--json")
    parser.add_argument("--svg")
    parser.add_argument("--from", dest="earlier")
    parser.add_argument("--reductions", nargs="*", help="those of this name only")
    parser.add_argument("--dtypes", nargs="*", default=DTYPES)
    parser.add_argument("--lengths", nargs="*", type=int, default=LENGTHS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--smoke", action="store_true", help="few lengths, one round: does it run and agree?")
    return parser.parse_args()


def sample(dtype):
    """Numbers of which no product leaves the range, with few equal ones."""
    r = np.random.default_rng(1)
    d = np.dtype(dtype)
    if d.kind in "biu":
        return r.integers(0, 2 if d.kind == "b" else 100, ELEMENTS).astype(d)
    x = 0.9 + 0.2 * r.random(ELEMENTS)
    return (x + 0.01j * r.random(ELEMENTS) if d.kind == "c" else x).astype(d)


def min_times(ours, peer, rounds):
    """The least times of a loop in C, called once, and of a function, alternately, in ns."""
    times = [float("inf")] * 2
    for _ in range(rounds):
        times[0] = min(times[0], ours(1))
        start = time.perf_counter_ns()
        peer()
        times[1] = min(times[1], time.perf_counter_ns() - start)
    return times


def close(got, want):
    if got.dtype.kind in "fc":
        return np.allclose(got, want, rtol=1e-3, atol=1e-3, equal_nan=True)
    return np.array_equal(got, want)


def rows_of(loops, name, dtype, options):
    """The rows of one reduction and dtype; none where one of the two has no such reduction."""
    import arrpy  # needs the library
    from workloads import address, function

    peer = PEERS.get(name) or getattr(np, name, None)
    x = sample(dtype)
    correction = 0 if name in MOMENTS else None
    if peer is None:
        return []
    try:
        peer(x.reshape(2, -1), axis=1)
        arrpy.reduce(name, arrpy.array(x[:4].reshape(2, 2)), 1, correction=correction)
    except (TypeError, ValueError, arrpy.Error):
        return []
    found = []
    for length in options.lengths:
        m = x[: ELEMENTS // length * length].reshape(-1, length)
        a = arrpy.array(m)
        for axis in (0, 1):
            got, want = arrpy.reduce(name, a, axis, correction=correction).numpy(), peer(m, axis=axis)
            if not close(got, want) and name != "lcm_reduce":  # beyond the range signs differ
                raise SystemExit(f"{name} {dtype} {m.shape} axis {axis}: results differ: {got[:3]} {want[:3]}")
            loop = loops(
                "bench_reduce" if correction is None else "bench_moment", function(f"arr_{name}"), address(a), axis
            )
            rounds = 1 if options.smoke else options.rounds
            ours, numpy = min_times(loop, lambda axis=axis, m=m: peer(m, axis=axis), rounds)
            found.append(
                {
                    "reduction": name,
                    "dtype": dtype,
                    "axis": axis,
                    "length": length,
                    "ours_ns": round(ours / m.size, 4),
                    "numpy_ns": round(numpy / m.size, 4),
                }
            )
    return found


def run(options):
    os.environ["ARR_LIBRARY"] = os.environ.get("ARR_LIBRARY") or str(
        pathlib.Path(options.build) / "lib" / "libarr.so.0"
    )
    sys.path[:0] = [str(ROOT / "tests" / "support")]
    import arrpy  # needs the library
    from workloads import Loops

    loops = Loops(ctypes.CDLL(str(pathlib.Path(options.build) / "lib" / "arr_bench.so")))
    names = [*arrpy.c.REDUCTIONS, *MOMENTS]
    found = []
    with np.errstate(all="ignore"):
        for name in options.reductions or names:
            for dtype in options.dtypes:
                found += rows_of(loops, name, dtype, options)
    return found


def ratio(row):
    return row["numpy_ns"] / row["ours_ns"]


def summary(rows):
    """A line for each reduction: the median and the least ratio along rows and down columns, and where NumPy leads."""
    lines = [
        "| reduction | rows: median | least | columns: median | least | NumPy ahead | most at |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for name in dict.fromkeys(r["reduction"] for r in rows):
        cells = []
        chosen = [r for r in rows if r["reduction"] == name]
        for axis in (1, 0):
            ratios = sorted(ratio(r) for r in chosen if r["axis"] == axis)
            cells += [f"{ratios[len(ratios) // 2]:.2f}", f"{ratios[0]:.2f}"]
        behind = sum(ratio(r) < 1 for r in chosen)
        worst = min(chosen, key=ratio)
        where = f"{worst['dtype']}, axis {worst['axis']}, {worst['length']} columns" if behind else ""
        lines.append(f"| {name} | {' | '.join(cells)} | {behind} of {len(chosen)} | {where} |")
    return "\n".join(lines)


def main():
    options = arguments()
    if options.smoke:
        options.lengths, options.dtypes = [1, 7, 100], ["float32", "int8"]
    rows = json.loads(pathlib.Path(options.earlier).read_text()) if options.earlier else run(options)
    print(summary(rows))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=0) + "\n")
    if options.svg:
        drawn = [r for r in rows if r["reduction"] in DRAWN and r["dtype"] in ("float32", "float64", "int8", "int64")]
        pathlib.Path(options.svg).write_text(picture.draw_curves(drawn))
    return 0


if __name__ == "__main__":
    sys.exit(main())
