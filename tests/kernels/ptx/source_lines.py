#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""source_lines.py - errors of kernels from PTX with .file and .loc name the line of the source besides that of the PTX.

With ARR_CHECK=1: accesses out of bounds and races; barriers that no thread completes. PTX by hand, and by NVRTC with
-lineinfo, whose lines are found by the marks in the source.
"""

import ctypes
import os
import pathlib
import re
import sys

import numpy as np

os.environ["ARR_CHECK"] = "1"
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import cuda_toolkit
import ptx_host

arrpy = ptx_host.arrpy
SOURCE = r"""
extern "C" __global__ void outside(int* y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = i;
  y[i + n] = 7;  // outside
}
__device__ __noinline__ int square(const int* p, int k) {
  return p[k] * p[k];  // inside a function
}
extern "C" __global__ void inside(int* y, int n) {
  y[threadIdx.x] = square(y, n + threadIdx.x);
}
extern "C" __global__ void race(int* y, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;  // writes
  y[threadIdx.x] = s[63 - threadIdx.x];  // reads
}
extern "C" __global__ void meets(int* y, int n) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 96;" ::: "memory");  // meets
  y[threadIdx.x] = 1;
}
"""
HAND = (
    cuda_toolkit.HEADER
    + """.visible .entry outside(.param .u64 y, .param .u32 n)
{
.reg .b32 %r<3>; .reg .b64 %rd<3>;
.loc 1 41 3
ld.param.u64 %rd1, [y];
ld.param.u32 %r1, [n];
.loc 2 5 1
mul.wide.u32 %rd2, %r1, 4;
add.u64 %rd2, %rd2, %rd1;
.loc 1 43 3, function_name $name, inlined_at 1 50 1
st.global.u32 [%rd2], %r1;
ret;
}
.visible .entry race(.param .u64 y, .param .u32 n)
{
.reg .b32 %r<5>; .reg .b64 %rd<3>; .shared .b32 s[64];
mov.u32 %r1, %tid.x; mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; ld.param.u64 %rd1, [y];
.loc 2 60 1
st.shared.u32 [%r3], %r1;
.loc 2 61 1
ld.shared.u32 %r4, [s+252];
.loc 2 62 1
st.global.u32 [%rd1], %r4;
ret;
}
.visible .entry bare(.param .u64 y, .param .u32 n)
{
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [y];
st.global.u64 [%rd1+4096], %rd1;
ret;
}
.file 1 "work/my program.cu"
.file 2 "lib/part-1.cuh", 0, 0
"""
)


def error_of(module, name):
    try:
        module.launch(name, (1, 1, 1), (64, 1, 1), np.zeros(64, "i4"), np.int32(64))
        arrpy.call("arr_device_sync", ctypes.byref(arrpy.device_of("host")))
        return ""
    except arrpy.Error as error:
        return str(error)


def main():
    failures = 0

    def check(name, error, *expected):
        nonlocal failures
        if not all(re.search(e, error) for e in expected):
            failures += 1
            print(f"FAILED {name}: {error!r}, expected {expected}")

    hand = HAND.replace("my program.cu", "program.cu")
    module = ptx_host.Module(hand, name=b"m.ptx")
    check("out of bounds by hand", error_of(module, "outside"), r"in m\.ptx:15 \(program\.cu:43\)")
    check(
        "race by hand", error_of(module, "race"), r"in m\.ptx:23 \(part-1\.cuh:60\)", r"in m\.ptx:25 \(part-1\.cuh:61\)"
    )
    check("without .loc", error_of(module, "bare"), r"in m\.ptx:34, block")
    # A name that could end the comment in which it stands is left out.
    module = ptx_host.Module(HAND.replace("my program.cu", "*/ int x = ; /*.cu"), name=b"m.ptx")
    check("another name", error_of(module, "outside"), r"in m\.ptx:15(?! \()")
    library = cuda_toolkit.nvrtc()
    if library is None:
        print("skipped: no NVRTC here")
    else:
        text, _ = cuda_toolkit.compile_to_ptx(library, SOURCE.encode(), ["--gpu-architecture=compute_90", "-lineinfo"])
        module = ptx_host.Module(text, name=b"m.ptx")
        marks = {
            mark: SOURCE[: SOURCE.index("// " + mark)].count("\n") + 1
            for mark in ("outside", "inside a", "writes", "reads", "meets")
        }
        at = {mark: rf"m\.ptx:\d+ \(kernel\.cu:{line}\)" for mark, line in marks.items()}
        check("out of bounds", error_of(module, "outside"), at["outside"])
        check("in a function", error_of(module, "inside"), at["inside a"])
        check("race", error_of(module, "race"), at["writes"], at["reads"])
        check("barrier", error_of(module, "meets"), rf"barrier 1 in line \d+ \(kernel\.cu:{marks['meets']}\)")
    print(f"{8 if library else 4} errors with source lines, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
