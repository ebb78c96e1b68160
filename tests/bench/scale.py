#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scale.py - the model of docs/scale.md: times and memory of three programs on 1 to 10,000 ranks.

    scale.py --table                 prints the tables of docs/scale.md
    scale.py --check docs/scale.md   fails if that file has other tables
    scale.py --runs --build build    fits the constants to runs on one rank, and prints times beside the model's

A time is the largest of a rank: its work, plus the latency of its messages, plus their bytes divided by the bandwidth.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

RANKS = (1, 10, 100, 1000, 10000)


@dataclass(frozen=True)
class Machine:
    """Seconds per unit of work of one rank, and of its messages."""

    point: float = 1.0e-9  # one point of a step of the heat equation: 16 bytes of memory
    nonzero: float = 1.5e-9  # one stored element of a product, and the vectors of an iteration with it
    butterfly: float = 2.0e-9  # one complex element, once for each factor 2 of the length
    latency: float = 2.0e-6  # of a message
    bandwidth: float = 1.0e10  # bytes per second of a rank


def grid(p):
    """The two factors of p that are nearest to each other."""
    a = next(k for k in range(math.isqrt(p), 0, -1) if p % k == 0)
    return a, p // a


@dataclass(frozen=True)
class Cost:
    work: float
    messages: float
    bytes: float
    memory: float

    def seconds(self, m):
        return self.work + self.messages * m.latency + self.bytes / m.bandwidth


def lists(p):
    """Bytes of the lists of a decomposition's parts: 24 of a vector and 16 of a segment for each."""
    return 40 * p


def heat(m, n, p):
    """A step on n x n points of 8 bytes, divided among a grid of ranks; eight neighbours, two fields."""
    a, b = grid(p)
    rows, columns = n / a, n / b
    neighbours = (3 if a > 1 else 1) * (3 if b > 1 else 1) - 1
    sides = 8 * (2 * columns * (a > 1) + 2 * rows * (b > 1))
    memory = 2 * 8 * (rows + 2) * (columns + 2) + lists(a) + lists(b)
    return Cost(m.point * rows * columns, neighbours, sides, memory)


def cg(m, n, p):
    """An iteration with the 5-point Laplacian of n x n points, divided by rows; two sums over all ranks."""
    own = n * n / p
    sides = 8 * 2 * min(n, own) * (p > 1)
    sums = 2 * 2 * math.ceil(math.log2(p)) if p > 1 else 0
    memory = own * (5 * 12 + 8 + 5 * 8) + 2 * sides + 2 * lists(p)
    return Cost(m.nonzero * 5 * own, (2 if p > 1 else 0) + sums, sides, memory)


def fft(m, n, p):
    """A transform of n^3 complex numbers of 16 bytes by pencils: two redistributions within rows of the grid."""
    a, b = grid(p)
    own = n**3 / p
    messages = (a - 1) + (b - 1)
    moved = 16 * own * ((a - 1) / a + (b - 1) / b)
    memory = 3 * 16 * own + lists(a) + lists(b)
    return Cost(m.butterfly * own * 3 * math.log2(n), messages, moved, memory)


PROGRAMS = {"heat": (heat, 16384), "cg": (cg, 8192), "fft": (fft, 1024)}


def text_of(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale or unit == "us":
            return f"{seconds / scale:.3g} {unit}"
    return ""


def memory_of(count):
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale or unit == "kB":
            return f"{count / scale:.3g} {unit}"
    return ""


def table():
    m, out = Machine(), []
    for name, (cost, n) in PROGRAMS.items():
        alone = cost(m, n, 1).seconds(m)
        out += [f"| {name}, n = {n} | time | work | latency | transfer | efficiency | memory of a rank |"]
        out += ["|---|---|---|---|---|---|---|"]
        for p in RANKS:
            c = cost(m, n, p)
            times = (c.seconds(m), c.work, c.messages * m.latency, c.bytes / m.bandwidth)
            share = alone / p / c.seconds(m)
            out.append(
                f"| {p:,} ranks | " + " | ".join(map(text_of, times)) + f" | {share:.0%} | {memory_of(c.memory)} |"
            )
        out.append("")
    return "\n".join(out)


def seconds_of(build, ranks, name, n, steps):
    """The least time of a step of three runs of the program in C, on one thread for each rank."""
    program = [str(build / "bin" / "distributed_c"), name, str(n), str(steps)]
    launcher = "mpiexec.openmpi --allow-run-as-root --oversubscribe --bind-to none -n".split() + [str(ranks)]
    environment = {**os.environ, "ARR_THREADS": "1"}
    times = []
    for _ in range(3):
        said = subprocess.run(launcher + program, capture_output=True, text=True, check=True, env=environment).stdout
        times.append(float(re.search(r" in ([\d.e+-]+) s on", said)[1]) / steps)
    return min(times)


def runs(build, counts):
    """Times of programs beside the model's, whose work is that of the run on one rank."""
    out = []
    for name, n, steps in (("heat", 1024, 400), ("cg", 512, 200), ("fft", 128, 10)):
        cost = PROGRAMS[name][0]
        alone = seconds_of(build, 1, name, n, steps)
        for p in counts:
            c = cost(Machine(), n, p)
            # Messages between processes of one machine: measured by arr_bench_mpi.
            m = Machine(latency=5e-7, bandwidth=4e9)
            twice = 2 if name == "fft" else 1  # there and back
            expected = alone / p + twice * (c.messages * m.latency + c.bytes / m.bandwidth)
            taken = seconds_of(build, p, name, n, steps)
            out.append({"program": name, "n": n, "ranks": p, "seconds": taken, "model": expected})
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--runs", action="store_true")
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    options = parser.parse_args()
    if options.table:
        print(table())
    if options.runs:
        print(json.dumps(runs(options.build, [int(p) for p in options.ranks.split(",")]), indent=1))
    if options.check and table() not in options.check.read_text():
        print(f"{options.check}: its tables are not those of scale.py --table")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
