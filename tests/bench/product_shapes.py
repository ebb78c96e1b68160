#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of products: times matmul of m x k by k x n for all m, k and n of a list, libarr beside NumPy.

libarr is called from C and NumPy from Python; each makes a new result. All shapes of one m are timed on one side, then on
the other, after a rest in which the threads of both BLAS fall asleep. The least time of the rounds counts. --json writes a
list of {m, k, n, dtype, ours_ns, numpy_ns}. --from FILE sums up an earlier run.
"""

import argparse
import ctypes
import itertools
import json
import os
import pathlib
import sys
import time

import numpy as np

from timing import python_loop

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXTENTS = [1, 2, 3, 4, 8, 16, 64, 256, 1000, 3000]
DTYPES = ["float32", "float64"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--json")
    parser.add_argument("--from", dest="earlier")
    parser.add_argument("--dtypes", nargs="*", default=DTYPES)
    parser.add_argument("--extents", nargs="*", type=int, default=EXTENTS)
    parser.add_argument("--rows", nargs="*", type=int, help="only these m (those of --extents)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--smoke", action="store_true", help="three extents, one round: does it run and agree?")
    return parser.parse_args()


class Operands:
    """The matrices of all shapes, on both sides; the products of a list share them."""

    def __init__(self, dtype, extents, array):
        self.pairs = {}
        r = np.random.default_rng(1)
        for side, rows, columns in itertools.product("ab", extents, extents):
            x = (r.random((rows, columns)) - 0.5).astype(dtype)
            self.pairs[side, rows, columns] = x, array(x)

    def __call__(self, m, k, n):
        return self.pairs["a", m, k], self.pairs["b", k, n]


class Product:
    """A shape with the loops of both sides, and the least time of each in ns."""

    def __init__(self, shape, operands, loops):
        import arrpy  # needs the library
        from workloads import address, function

        (x, a), (y, b) = operands(*shape)
        got, want = arrpy.matmul(a, b).numpy(), x @ y
        if not np.allclose(got, want, rtol=1e-3, atol=1e-3):
            raise SystemExit(f"{shape} {x.dtype}: results differ")
        self.shape = shape
        self.sides = loops("bench_fresh2", function("arr_matmul"), address(a), address(b)), python_loop(lambda: x @ y)
        self.times = [float("inf")] * 2

    def time(self, side, seconds):
        loop = self.sides[side]
        repeats = max(1, min(int(seconds * 1e9 / max(loop(1), 1.0)), 20_000))
        self.times[side] = min(self.times[side], loop(repeats))


def rows_of(dtype, options, loops):
    import arrpy

    operands = Operands(dtype, options.extents, arrpy.array)
    rest, seconds, rounds = (0, 1e-5, 1) if options.smoke else (0.2, 0.003, options.rounds)
    for m in options.rows or options.extents:
        products = [Product((m, k, n), operands, loops) for k, n in itertools.product(options.extents, repeat=2)]
        for _, side in itertools.product(range(rounds), (0, 1)):
            time.sleep(rest)
            for product in reversed(products):  # the largest wake the threads
                product.time(side, seconds)
        for product in products:
            ours, numpy = (round(t, 1) for t in product.times)
            yield dict(zip("mkn", product.shape)) | {"dtype": dtype, "ours_ns": ours, "numpy_ns": numpy}


def run(options):
    os.environ["ARR_LIBRARY"] = os.environ.get("ARR_LIBRARY") or str(
        pathlib.Path(options.build) / "lib" / "libarr.so.0"
    )
    sys.path[:0] = [str(ROOT / "tests" / "support")]
    from workloads import Loops

    loops = Loops(ctypes.CDLL(str(pathlib.Path(options.build) / "lib" / "arr_bench.so")))
    return [row for dtype in options.dtypes for row in rows_of(dtype, options, loops)]


def ratio(row):
    return row["numpy_ns"] / row["ours_ns"]


def summary(rows):
    """A line for each type with the median and the least ratio, and one for each shape where NumPy leads."""
    lines = []
    for dtype in dict.fromkeys(r["dtype"] for r in rows):
        ratios = sorted(ratio(r) for r in rows if r["dtype"] == dtype)
        behind = sum(x < 1 for x in ratios)
        median = ratios[len(ratios) // 2]
        lines.append(f"{dtype}: {len(ratios)} shapes, median {median:.2f}, least {ratios[0]:.2f}, {behind} below 1")
    lines += ["", "| m x k by k x n | dtype | libarr, us | NumPy, us | ratio |", "|---|---|---:|---:|---:|"]
    for r in sorted((r for r in rows if ratio(r) < 1), key=ratio):
        times = f"{r['ours_ns'] / 1e3:.2f} | {r['numpy_ns'] / 1e3:.2f} | {ratio(r):.2f}"
        lines.append(f"| {r['m']} x {r['k']} by {r['k']} x {r['n']} | {r['dtype']} | {times} |")
    return "\n".join(lines)


def main():
    options = arguments()
    if options.smoke:
        options.extents = [1, 3, 16]
    rows = json.loads(pathlib.Path(options.earlier).read_text()) if options.earlier else run(options)
    print(summary(rows))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=0) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
