#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""runtime.py - the device's runtime and the special registers from NVRTC's PTX on the host.

printf, malloc and free, assert and trap, clocks and sleep, the registers of a thread's place, elections and sums of warps.
"""

import ctypes
import os
import pathlib
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import cuda_toolkit
import ptx_host

arrpy = ptx_host.arrpy
SOURCE = r"""
#define REGISTER(name) [] { unsigned v; asm volatile("mov.u32 %0, %" name ";" : "=r"(v)); return v; }()
extern "C" __global__ void says(int* y) {
  if (threadIdx.x != 3) return;
  y[0] = printf("%d %5.2f|%-6s|%c %llx %% %+.3e %08u %*d\n", -7, 2.5f, "text", 'z', 1ull << 40, 0.125, 42u, 5, 9);
  y[1] = printf("nothing\n");
}
extern "C" __global__ void heap(int* y) {
  const int t = threadIdx.x;
  int** lists = (int**)malloc(4 * sizeof(int*));
  for (int k = 0; k < 4; k++) {
    lists[k] = (int*)malloc((t + 1) * sizeof(int));
    for (int i = 0; i <= t; i++) lists[k][i] = i * k + t;
  }
  y[t] = 0;
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i <= t; i++) y[t] += lists[k][i];
    free(lists[k]);
  }
  free(lists);
}
extern "C" __global__ void asserts(int* y) {
  if (y[threadIdx.x] >= 3) __assertfail("y < 3", "kernel.cu", 77, "asserts", 1);
  y[threadIdx.x] = 1;
}
extern "C" __global__ void traps(int* y) {
  if (y[threadIdx.x] == 3) asm volatile("trap;");
  y[threadIdx.x] = 1;
}
extern "C" __global__ void times(unsigned long long* y) {
  unsigned long long begin, end, clocks = clock64();
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  __nanosleep(200000);
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(end));
  y[0] = end - begin;
  y[1] = clock64() - clocks;
}
extern "C" __global__ void places(unsigned* y) {
  const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  y += t * 16;
  y[0] = REGISTER("%laneid");
  y[1] = REGISTER("%warpid");
  y[2] = REGISTER("%nwarpid");
  y[3] = REGISTER("%lanemask_lt");
  y[4] = REGISTER("%lanemask_ge");
  y[5] = REGISTER("%lanemask_eq");
  y[6] = REGISTER("%lanemask_le");
  y[7] = REGISTER("%lanemask_gt");
  y[8] = REGISTER("%nctaid.y");
  y[9] = REGISTER("%ntid.z");
  y[10] = REGISTER("%cluster_nctarank");
  unsigned chosen;
  asm volatile("{ .reg .pred p; elect.sync %0|p, %1; @!p add.u32 %0, %0, 100; }" : "=r"(chosen) : "r"(~0u));
  y[11] = chosen;
  y[12] = __activemask();
}
extern "C" __global__ void sums(const unsigned* x, unsigned* y) {
  const unsigned t = threadIdx.x, v = x[t];
  y += t * 10;
  y[0] = __reduce_add_sync(~0u, v);
  y[1] = __reduce_min_sync(~0u, v);
  y[2] = __reduce_max_sync(~0u, v);
  y[3] = __reduce_min_sync(~0u, (int)v);
  y[4] = __reduce_max_sync(~0u, (int)v);
  y[5] = __reduce_and_sync(~0u, v | 1);
  y[6] = __reduce_or_sync(~0u, v & 0xff00ff);
  y[7] = __reduce_xor_sync(~0u, v);
  y[8] = __match_any_sync(~0u, v & 3);
  int same;
  y[9] = __match_all_sync(~0u, t / 32, &same) + same;
}
"""
SAID = b"-7  2.50|text  |z 10000000000 % +1.250e-01 00000042     9\nnothing\n"


def printed(call):
    """The text that `call` writes to the standard output, through C's library too."""
    libc = ctypes.CDLL(None)
    with tempfile.TemporaryFile() as file:
        sys.stdout.flush()
        libc.fflush(None)
        kept = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            result = call()
            libc.fflush(None)
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        return file.read(), result


def error_of(call):
    try:
        call()
        arrpy.call("arr_device_sync", ctypes.byref(arrpy.device_of("host")))
    except arrpy.Error as error:
        return str(error)
    return "no error"


def expected_indices(block):
    n = int(np.prod(block))
    t = np.arange(n, dtype="u8")
    lane = t % 32
    bit = np.left_shift(np.uint64(1), lane)
    full = np.uint64(0xFFFFFFFF)
    rows = [lane, t // 32, np.full(n, -(-n // 32)), bit - 1, full & ~(bit - 1), bit, bit * 2 - 1, full & ~(bit * 2 - 1)]
    leads = np.where(lane == 0, 0, 100)
    rows += [np.full(n, 2), np.full(n, block[2]), np.full(n, 1), leads, np.full(n, full)]
    return np.stack(rows, 1).astype("u4")


def expected_sums(x):
    out = []
    for w in x.reshape(-1, 32):
        s = w.view("i4")
        one = [w.sum(dtype="u4"), w.min(), w.max(), s.min(), s.max(), np.bitwise_and.reduce(w | 1)]
        one += [np.bitwise_or.reduce(w & 0xFF00FF), np.bitwise_xor.reduce(w)]
        same = [sum(1 << k for k in range(32) if w[k] & 3 == v & 3) for v in w]
        out += [[*(int(v) & 0xFFFFFFFF for v in one), m, 0] for m in same]  # 0: the mask of all, and 1
    return np.array(out, "u4")


def checks(module):
    """(label, got, expected)"""
    said, result = printed(lambda: module.launch("says", (1, 1, 1), (32, 1, 1), np.zeros(2, "i4"))[0])
    yield "printf", said, SAID
    yield "printf's result", bool((result > 0).all()), True
    n = 40
    want = [sum(i * k + t for k in range(4) for i in range(t + 1)) for t in range(n)]
    yield "malloc and free", list(module.launch("heap", (1, 1, 1), (n, 1, 1), np.zeros(n, "i4"))[0]), want
    few = np.arange(8, dtype="i4")
    for name, words in (("asserts", ("assertion 'y < 3' failed", "77")), ("traps", ("trap",))):
        good = module.launch(name, (1, 1, 1), (3, 1, 1), few)[0]
        yield f"{name} not", list(good[:3]), [1, 1, 1]
        text = error_of(lambda name=name: module.launch(name, (1, 1, 1), (8, 1, 1), few))
        yield f"{name} ({text})", all(w in text for w in words), True
    slept, clocks = module.launch("times", (1, 1, 1), (1, 1, 1), np.zeros(2, "u8"))[0]
    yield f"time over a sleep, which may be short ({slept} ns)", 0 < slept < 10**10, True
    yield f"clocks ({clocks})", 0 < clocks < 10**11, True
    block = (8, 4, 3)
    got = module.launch("places", (1, 2, 1), block, np.zeros((96, 16), "u4"))[0][:, :13]
    want = expected_indices(block)
    yield "places", got.tolist(), want.tolist()
    x = np.random.default_rng(2).integers(0, 2**32, 64, dtype="u4")
    got = module.launch("sums", (1, 1, 1), (64, 1, 1), x, np.zeros((64, 10), "u4"))[1]
    yield "sums", got.tolist(), expected_sums(x).tolist()


def main():
    nvrtc = cuda_toolkit.nvrtc()
    if nvrtc is None:
        print("skipped: no NVRTC here")
        return 77
    failures = count = 0
    for arch in ("compute_90", "compute_100"):
        ptx, _ = cuda_toolkit.compile_to_ptx(nvrtc, SOURCE.encode(), [f"--gpu-architecture={arch}", "--std=c++17"])
        for label, got, want in checks(ptx_host.Module(ptx)):
            count += 1
            if got != want:
                failures += 1
                print(f"FAILED {label} of {arch}: got {str(got)[:400]}, expected {str(want)[:400]}")
    print(f"{count} checks of the device's runtime, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
