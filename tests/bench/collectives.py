#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times collective operations of local ranks beside the passes over memory that they are made of.

Of an all_reduce of two ranks these are an addition and a copy. Both sides run in turns; the least time of the rounds counts.
--json writes a list of {case, bytes, ours_ns, peer_ns, ratio}. --smoke takes small arrays and one round.
"""

import argparse
import ctypes
import json
import os
import pathlib
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--smoke", action="store_true")
    return parser.parse_args()


OPTIONS = arguments()
os.environ.setdefault("ARR_LIBRARY", str(pathlib.Path(OPTIONS.build) / "lib" / "libarr.so.0"))
sys.path.insert(0, str(ROOT / "tests" / "support"))
import arrpy  # noqa: E402

C = arrpy.c


class Ranks:
    """A thread for each rank, which calls when the main thread says so."""

    def __init__(self, size):
        self.comms = (C.arr_comm * size)()
        arrpy.call("arr_comm_local", size, None, self.comms)
        self.ready, self.done = threading.Barrier(size + 1), threading.Barrier(size + 1)
        self.work, self.spans = None, [(0, 0)] * size
        for r in range(size):
            threading.Thread(target=self.loop, args=(r,), daemon=True).start()

    def loop(self, r):
        while True:
            self.ready.wait()
            begin = time.perf_counter_ns()
            self.work(self.comms[r], r)
            self.spans[r] = begin, time.perf_counter_ns()
            self.done.wait()

    def run(self, work):
        """The time from the first rank's call to the last one's return."""
        self.work = work
        self.ready.wait()
        self.done.wait()
        return max(s[1] for s in self.spans) - min(s[0] for s in self.spans)


def least(rounds, ours, peer):
    times = [(ours(), peer()) for _ in range(rounds)]
    return min(t[0] for t in times), min(t[1] for t in times)


def timed(call):
    begin = time.perf_counter_ns()
    call()
    return time.perf_counter_ns() - begin


def all_reduce(nbytes, rounds):
    """Two ranks, float32: one addition and one copy."""
    ranks = Ranks(2)
    a, b, x, y = (arrpy.ones(nbytes // 4, "f4") for _ in range(4))
    arrays = ((x, a), (y, b))

    def reduced(comm, r):
        dst, src = arrays[r]
        arrpy.call("arr_comm_all_reduce", comm, dst.handle, src.handle, C.ARR_REDUCTION_SUM, None)

    def passes():
        arrpy.apply("add", a, b, out=x)
        ctypes.memmove(y.data, x.data, nbytes)

    passes()
    return least(rounds, lambda: ranks.run(reduced), lambda: timed(passes))


def main():
    sizes = [1 << 12] if OPTIONS.smoke else [1 << k for k in (12, 16, 20, 24, 26)]
    rows = []
    for n in sizes:
        ours, peer = all_reduce(n, 1 if OPTIONS.smoke else OPTIONS.rounds)
        rows.append(
            {"case": "all_reduce", "bytes": n, "ours_ns": ours, "peer_ns": peer, "ratio": round(peer / ours, 3)}
        )
        print(json.dumps(rows[-1]))
    if OPTIONS.json:
        pathlib.Path(OPTIONS.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
