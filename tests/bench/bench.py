#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times libarr beside its peers in one process; called by run.sh, which describes the output."""

import argparse
import ctypes
import json
import os
import pathlib
import statistics
import sys
import time

import blas
from timing import python_loop

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", help="suites to run (all)")
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--json")
    parser.add_argument("--svg")
    parser.add_argument("--rounds", type=int, default=9, help="how often each pair runs")
    parser.add_argument("--only", help="workloads whose name has this text")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--smoke", action="store_true", help="small sizes, one round: does it run and agree?")
    return parser.parse_args()


def calibrated(function, seconds):
    """The number of repeats of function(n) -> ns per call that take about `seconds`."""
    ns = max(function(1), 1.0)
    ns = min(ns, max(function(3), 1.0))
    return max(1, min(int(seconds * 1e9 / ns), 2_000_000))


def measure(workload, rounds, seconds):
    """Runs ours and the peer alternately; returns both lists of ns per call."""
    ours, peer = workload.ours, workload.peer_loop or python_loop(workload.peer)
    n_ours, n_peer = calibrated(ours, seconds), calibrated(peer, seconds)
    a, b = [], []
    for _ in range(rounds):
        time.sleep(workload.settle)
        a.append(ours(n_ours))
        time.sleep(workload.settle)
        b.append(peer(n_peer))
        if a[-1] < 0:
            raise SystemExit(f"{workload.name}: {workload.error()}")
    return a, b


def row(workload, rounds, smoke):
    checked = workload.check()
    a, b = measure(workload, rounds, 0.002 if smoke else workload.seconds)
    ratios = sorted(y / x for x, y in zip(a, b))
    return {
        "suite": workload.suite,
        "workload": workload.name,
        "dtype": workload.dtype,
        "size": workload.size,
        "ours_ns": round(statistics.median(a), 1),
        "peer": workload.peer_name,
        "peer_version": workload.peer_version,
        "peer_ns": round(statistics.median(b), 1),
        "ratio": round(statistics.median(ratios), 3),
        "spread": [round(ratios[0], 3), round(ratios[-1], 3)],
        "checked": checked,
        "target": workload.target,
    }


def show(rows):
    print(
        f"{'workload':40} {'dtype':9} {'size':>10} {'ours':>12} {'peer':>12} {'ratio':>7}  {'spread':13} "
        f"{'target':>6}  checked"
    )
    for r in rows:

        def unit(ns):
            return f"{ns / 1e6:.3f} ms" if ns >= 1e6 else f"{ns / 1e3:.2f} us" if ns >= 1e3 else f"{ns:.1f} ns"

        spread = f"{r['spread'][0]:.2f}-{r['spread'][1]:.2f}"
        target = f"{r['target']:.2f}" if r["target"] else ""
        print(
            f"{r['workload']:40} {r['dtype']:9} {r['size']:>10} {unit(r['ours_ns']):>12} {unit(r['peer_ns']):>12} "
            f"{r['ratio']:7.2f}  {spread:13} {target:>6}  {'yes' if r['checked'] else 'NO'}"
        )


def main():
    options = arguments()
    os.environ["ARR_LIBRARY"] = str(pathlib.Path(options.build) / "lib" / "libarr.so.0")
    sys.path[:0] = [str(HERE), str(ROOT / "tests" / "support")]
    import arrpy  # needs the library
    import workloads

    arrpy.call("arr_fuse_set_automatic", 0)  # a row times one call; rows of chains switch it on
    loops = ctypes.CDLL(str(pathlib.Path(options.build) / "lib" / "arr_bench.so"))
    every = workloads.all_workloads(loops, smoke=options.smoke)
    chosen = [
        (name, make)
        for suite, name, make in every
        if (not options.suites or suite in options.suites) and (not options.only or options.only in name)
    ]
    if options.list:
        print("\n".join(f"{suite}: {name}" for suite, name, _ in every))
        return 0
    rows = []
    for _, make in chosen:
        # One at a time: big arrays of one workload are gone before the next.
        rows.append(row(make(), 1 if options.smoke else options.rounds, options.smoke))
        show(rows[-1:]) if not options.smoke else None
    print()
    show(rows)
    if {"products", "linalg"} & {r["suite"] for r in rows}:
        print(*blas.loaded(), sep="\n")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    if options.svg:
        import picture

        pathlib.Path(options.svg).write_text(picture.draw(rows))
    wrong = [r["workload"] for r in rows if not r["checked"]]
    if wrong:
        print("results differ:", ", ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
