#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times collective operations of local ranks beside the passes over memory that they are made of.

Of an all_reduce of two ranks these are an addition and a copy. Sparse products and conjugate gradients of two ranks, with one
thread each, are beside those of the undivided matrix with two threads. Both sides run in turns; the least time of the rounds
counts.
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
import numpy as np  # noqa: E402

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


def laplacian(n, first, last):
    """Rows of the Laplacian of n x n points, with five elements each."""
    i = np.arange(first, last)
    x, y = i % n, i // n
    beside = [
        (i, x == x, 4.0),
        (i - 1, x > 0, -1.0),
        (i + 1, x < n - 1, -1.0),
        (i - n, y > 0, -1.0),
        (i + n, y < n - 1, -1.0),
    ]
    row = np.concatenate([(i - first)[mask] for _, mask, _ in beside]).astype("i4")
    column = np.concatenate([at[mask] for at, mask, _ in beside]).astype("i4")
    data = np.concatenate([np.full(mask.sum(), value) for _, mask, value in beside])
    parts = [arrpy.array(part) for part in (data, row, column)]
    coo, out = C.arr_sparse(), C.arr_sparse()
    arrpy.call("arr_sparse_coo", last - first, n * n, *(p.handle for p in parts), None, ctypes.byref(coo))
    arrpy.call("arr_sparse_convert", coo, C.ARR_SPARSE_CSR, None, ctypes.byref(out))
    return out


def linop(make, a):
    out = C.arr_linop()
    arrpy.call(make, a, ctypes.byref(out))
    return out


def threads(n):
    arrpy.call("arr_set_threads", n)


def sparse(n, rounds):
    """{case: times} of 20 products, and of 50 iterations of conjugate gradients."""
    ranks, bounds = Ranks(2), (0, n // 2 * n, n * n)
    whole, dists, rows = (
        laplacian(n, 0, n * n),
        (C.arr_dist_sparse * 2)(),
        [laplacian(n, *bounds[r : r + 2]) for r in range(2)],
    )
    vectors = [[arrpy.ones(bounds[r + 1] - bounds[r], "f8") for _ in range(2)] for r in range(2)]
    x, y = arrpy.ones(n * n, "f8"), arrpy.ones(n * n, "f8")
    options = C.arr_solve_options(struct_size=ctypes.sizeof(C.arr_solve_options), rtol=1e-30, maxiter=50)

    def make(comm, r):
        out = C.arr_dist_sparse()
        arrpy.call("arr_dist_sparse_create", comm, rows[r], 0, None, None, ctypes.byref(out))
        dists[r] = out

    # Several at once: the system may run threads that wake up on one processor for some milliseconds.
    def products(comm, r):
        for _ in range(20):
            arrpy.call(
                "arr_dist_sparse_matmul_into",
                vectors[r][1].handle,
                dists[r],
                vectors[r][0].handle,
                C.ARR_MATRIX_PLAIN,
                None,
            )

    def one():
        for _ in range(20):
            arrpy.call("arr_sparse_matmul_into", y.handle, whole, x.handle, None, None, None)

    def solve(a, b):
        out = C.arr_array()
        arrpy.call("arr_solve_cg", a, b.handle, ctypes.byref(options), None, ctypes.byref(out), None)
        arrpy.lib.arr_release(out)

    def divided(work):
        threads(1)
        return ranks.run(work)

    def undivided(work):
        threads(2)
        return timed(work)

    ranks.run(make)
    ops = [linop("arr_linop_from_dist_sparse", d) for d in dists]
    op = linop("arr_linop_from_sparse", whole)
    one()
    ranks.run(products)
    return {
        "dist_sparse_matmul": least(rounds, lambda: divided(products), lambda: undivided(one)),
        "dist_sparse_cg": least(
            rounds, lambda: divided(lambda _, r: solve(ops[r], vectors[r][0])), lambda: undivided(lambda: solve(op, x))
        ),
    }


def main():
    sizes = [1 << 12] if OPTIONS.smoke else [1 << k for k in (12, 16, 20, 24, 26)]
    rows = []
    for n in sizes:
        ours, peer = all_reduce(n, 1 if OPTIONS.smoke else OPTIONS.rounds)
        rows.append(
            {"case": "all_reduce", "bytes": n, "ours_ns": ours, "peer_ns": peer, "ratio": round(peer / ours, 3)}
        )
        print(json.dumps(rows[-1]))
    n = 50 if OPTIONS.smoke else 1000
    for case, (ours, peer) in sparse(n, 1 if OPTIONS.smoke else OPTIONS.rounds).items():
        rows.append(
            {"case": case, "bytes": 8 * n * n, "ours_ns": ours, "peer_ns": peer, "ratio": round(peer / ours, 3)}
        )
        print(json.dumps(rows[-1]))
    if OPTIONS.json:
        pathlib.Path(OPTIONS.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
