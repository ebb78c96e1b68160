#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""waits.py - PTX whose threads wait for ever: the error names the line, at once or soon after the time limit.

Barriers that no thread can complete end at once. Loops without an end are stopped by ARR_KERNEL_TIMEOUT.
"""

import ctypes
import os
import pathlib
import sys
import time

import numpy as np

LIMIT = 0.25  # seconds
os.environ["ARR_KERNEL_TIMEOUT"] = str(LIMIT)
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import ptx_host
from cuda_toolkit import HEADER

arrpy = ptx_host.arrpy
BEGIN = """.visible .entry k(.param .u64 p)
{
.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %q<4>;
.shared .align 8 .b64 m; .shared .align 4 .u32 s;
ld.param.u64 %rd1, [p];
mov.u32 %r1, %tid.x; mov.u32 %r5, m; setp.eq.u32 %q1, %r1, 0; setp.lt.u32 %q2, %r1, 32;
"""
LINE = (HEADER + BEGIN).count("\n") + 1  # of the first line of a body
# Name, threads, body with one instruction a line; what the error says, with {0} for LINE, {1} for the next one.
AT_ONCE = [
    ("too few", 4, "barrier.sync 1, 64;", "threads 0-3 wait at barrier 1 in line {0}"),
    ("some", 96, "barrier.sync 1, 64;", "threads 64-95 wait at barrier 1 in line {0}"),
    ("one", 1024, "@%q1 bar.sync 2;", "thread 0 waits at barrier 2 in line {0}"),
    ("votes", 96, "@%q2 bar.red.popc.u32 %r2, 3, 96, %q1;", "threads 0-31 wait at barrier 3 in line {0}"),
    (
        "two barriers",
        96,
        "@%q2 bar.sync 15, 64;\n@!%q2 bar.sync 0;",
        "threads 0-31 wait at barrier 15 in line {0}, threads 32-95 wait at __syncthreads in line {1}",
    ),
    (
        "warp and block",
        32,
        "@%q1 bar.warp.sync 3;\n@!%q1 bar.sync 0;",
        "thread 0 waits at __syncwarp(mask 0x3) in line {0}, threads 1-31 wait at __syncthreads in line {1}",
    ),
    (
        "warp and shuffle",
        32,
        "@%q1 bar.warp.sync -1;\n@!%q1 shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;",
        "thread 0 waits at __syncwarp(mask 0xffffffff) in line {0}, threads 1-31 wait at __shfl_sync(mask 0xffffffff) in line {1}",
    ),
    (
        "cluster",
        32,
        "@%q1 barrier.cluster.wait;\n@!%q1 bar.sync 1, 64;",
        "thread 0 waits at __syncthreads in line {0}, threads 1-31 wait at barrier 1 in line {1}",
    ),
]
MBARRIER = "@%q1 mbarrier.init.shared.b64 [%r5], 2000;\nbar.sync 0;\n"
ASKS = "L: {}\nsetp.eq.u32 %q3, %r2, 0;\n@%q3 bra L;"
AFTER = "kernel 'k': stopped in m.ptx:{0} after "
# Loops; the error names one of their lines, or none.
BY_LIMIT = [
    ("mbarrier.try_wait", 4, MBARRIER + "L: mbarrier.try_wait.parity.shared.b64 %q3, [%r5], 0;\n@!%q3 bra L;"),
    ("mbarrier of many", 256, MBARRIER + "L: mbarrier.test_wait.parity.shared.b64 %q3, [%r5], 0;\n@!%q3 bra L;"),
    ("acquire, gpu", 4, ASKS.format("ld.acquire.gpu.global.u32 %r2, [%rd1];")),
    ("acquire, block", 4, ASKS.format("ld.acquire.cta.global.u32 %r2, [%rd1];")),
    ("relaxed", 4, ASKS.format("ld.relaxed.sys.global.u32 %r2, [%rd1];")),
    ("volatile", 4, ASKS.format("ld.volatile.global.u32 %r2, [%rd1];")),
    ("compare and swap", 4, ASKS.format("atom.global.cas.b32 %r2, [%rd1], 5, 6;")),
    ("sleep", 4, ASKS.format("nanosleep.u32 100;\nld.global.u32 %r2, [%rd1];")),
    ("writes", 4, "L: st.volatile.global.u32 [%rd1], %r1;\nbra L;"),
    ("barrier and loop", 4, "@%q1 bar.sync 3, 64;\n" + ASKS.format("ld.volatile.shared.u32 %r2, [s];")),
]
# One thread of a block waits for another one, which comes.
COMES = [
    (
        "gpu's flag of the block",
        "@!%q1 st.release.gpu.global.u32 [%rd1], 1;\n@!%q1 bra D;\n"
        + ASKS.format("ld.acquire.gpu.global.u32 %r2, [%rd1];")
        + "\nD:",
    ),
    (
        "a barrier with a number and a loop",
        "@%q2 bar.sync 3, 64;\n@%q1 st.volatile.shared.u32 [s], 1;\n@%q2 bra D;\nbar.arrive 3, 64;\n"
        + ASKS.format("ld.volatile.shared.u32 %r2, [s];")
        + "\nD:",
    ),
]


def launched(body, threads):
    """The error, or "", and the seconds of the launch."""
    module = ptx_host.Module(HEADER + BEGIN + body + "\nret;\n}\n", debug=False, name=b"m.ptx")
    start = time.perf_counter()
    try:
        module.launch("k", (1, 1, 1), (threads, 1, 1), np.zeros(64, "i4"))
        arrpy.call("arr_device_sync", ctypes.byref(arrpy.device_of("host")))
        return "", time.perf_counter() - start
    except arrpy.Error as error:
        return str(error), time.perf_counter() - start


def main():
    failures = 0

    def check(name, good, error, took):
        nonlocal failures
        if not good:
            failures += 1
            print(f"FAILED {name}: {error!r} after {took:.3f} s")

    for name, threads, body, words in AT_ONCE:
        error, took = launched(body, threads)
        expected = "kernel 'k': block (0,0,0) cannot go on: " + words.format(LINE, LINE + 1)
        check(name, error.endswith(expected), error, took)  # at once: the limit has another text
    named = 0
    for name, threads, body in BY_LIMIT:
        error, took = launched(body, threads)
        lines = range(LINE, LINE + body.count("\n") + 1)
        right = any(AFTER.format(line) in error for line in lines)
        named += right
        check(name, (right or "stopped after" in error) and took > LIMIT * 0.8, error, took)
    check("lines", named > len(BY_LIMIT) / 2, f"{named} of {len(BY_LIMIT)}", 0)  # clang's checks have not all a line
    for name, body in COMES:
        error, took = launched(body, 64)
        check(name, error == "", error, took)
    print(f"{len(AT_ONCE) + len(BY_LIMIT) + len(COMES)} kernels that wait, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
