#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ptx.py [--rounds N] - kernels on the host from NVRTC's PTX against the same from source, and the time to make them.

Launches of both alternate; the least time of each counts. The text that is translated ends with an instruction that has
no host form, so that it is translated as a whole and compiled not at all.
"""

import argparse
import os
import pathlib
import resource
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "kernels" / "ptx")]
os.environ["ARR_CACHE_DIR"] = tempfile.mkdtemp(prefix="arr-ptx-bench-")

import ctypes

import cuda_toolkit
import numpy as np
import ptx_host

arrpy, c = ptx_host.arrpy, ptx_host.c
HOST = arrpy.device_of("host")

SAXPY = """extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
MATMUL = """#define T 16
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float s[T][T], t[T][T];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * T + x, row = blockIdx.y * T + y;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    s[y][x] = a[row * n + k + x];
    t[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int m = 0; m < T; m++) sum += s[y][m] * t[m][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
"""


class Kernel:
    def __init__(self, module, name):
        self.kernel = c.arr_kernel()
        arrpy.call("arr_module_kernel", module.handle, name.encode(), ctypes.byref(self.kernel))

    def time(self, grid, block, *args):
        values = (c.arr_value * len(args))(*(arrpy.value(a) for a in args))
        sizes = (ctypes.c_int64 * 3)(*grid), (ctypes.c_int32 * 3)(*block)
        start = time.perf_counter()
        arrpy.call("arr_launch_raw", self.kernel, *sizes, 0, len(values), values, None)
        arrpy.call("arr_device_sync", ctypes.byref(HOST))
        return time.perf_counter() - start


def pair(name, source, rounds, grid, block, make):
    text, _ = cuda_toolkit.compile_to_ptx(cuda_toolkit.nvrtc(), source.encode(), ["--gpu-architecture=sm_90"])
    args = make()
    kernels = [Kernel(ptx_host.Module(t, debug=False), name) for t in (text, source)]
    min_times = [min(times) for times in zip(*([k.time(grid, block, *args) for k in kernels] for _ in range(rounds)))]
    print(
        f"{name}: {min_times[0] * 1e3:.3f} ms from PTX, {min_times[1] * 1e3:.3f} ms from source: {min_times[0] / min_times[1]:.2f}"
    )


def made(text):
    """Milliseconds of processor time, the compiler's too: other work on the machine does not count."""
    children, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.process_time()
    try:
        ptx_host.Module(text, debug=False)
    except arrpy.Error:
        pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    compiler = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
    return (time.process_time() - begin + compiler) * 1e3


def straight(n, end="ret"):
    """A kernel of n instructions, with another number in each, so that no cache knows it."""
    other = time.time_ns() % 100000
    lines = "".join(f"  mad.lo.u32 %r{i % 7 + 1}, %r{i % 5 + 1}, {i + other}, %r{(i + 3) % 7 + 1};\n" for i in range(n))
    return (
        cuda_toolkit.HEADER
        + f".visible .entry k(.param .u64 p)\n{{\n  .reg .b32 %r<9>;\n  .reg .b64 %d<2>;\n  mov.u32 %r1, %tid.x;\n{lines}"
        f"  ld.param.u64 %d1, [p];\n  st.global.u32 [%d1], %r1;\n  {end};\n}}\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    if cuda_toolkit.nvrtc() is None:
        print("skipped: no NVRTC here")
        return 77
    rng, n, m = np.random.default_rng(1), 1 << 22, 512
    numbers = lambda *shape: arrpy.array(rng.normal(size=shape).astype("f4"), device="host")
    pair(
        "saxpy",
        SAXPY,
        rounds,
        (n // 256, 1, 1),
        (256, 1, 1),
        lambda: (np.int32(n), np.float32(1.001), numbers(n), numbers(n)),
    )
    pair(
        "matmul",
        MATMUL,
        rounds // 4,
        (m // 16, m // 16, 1),
        (16, 16, 1),
        lambda: (numbers(m, m), numbers(m, m), numbers(m, m), np.int32(m)),
    )
    made(straight(10))  # the compiler is known
    texts = [straight(90) for _ in range(5)]
    cold = min(made(t) for t in texts)
    print(f"a kernel of 100 lines: {cold:.0f} ms of processor time, again {min(made(t) for t in texts):.2f} ms")
    long = min(made(straight(10000, "wgmma.fence.sync.aligned")) for _ in range(5)) / 10
    print(f"translation of 1000 instructions: {long:.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
