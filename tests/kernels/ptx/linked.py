#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""linked.py - modules of PTX that use each other's functions and variables, linked on the host, and errors of it."""

import ctypes
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import cuda_toolkit
import ptx_host

arrpy, c = ptx_host.arrpy, ptx_host.c
HEADER = cuda_toolkit.HEADER
# Two files of a program for nvcc -rdc=true: each has a static function and a text of one name, and shared
# memory of its own; a function with a barrier is called from the other file, a variable and a pointer to it are shared.
SOURCES = {
    "main.cu": """
extern __device__ int offset;
extern __constant__ int table[4];
__device__ int turned(int x);
__device__ int reversed(int x);
typedef int (*function)(int);
extern __device__ function chosen;
template <class T> __device__ __noinline__ T doubled(T x) { return 2 * x; }
static __device__ __noinline__ int own(int x) { return x + 1; }
extern "C" __global__ void linked(const int* x, int* y) {
  __shared__ int s[64];
  s[threadIdx.x] = own(x[threadIdx.x]);
  __syncthreads();
  y[threadIdx.x] = reversed(s[threadIdx.x ^ 1]) + turned(offset) + table[threadIdx.x & 3] + doubled(chosen(3));
}
""",
    "library.cu": """
__device__ int offset = 7;
__constant__ int table[4] = {10, 20, 30, 40};
template <class T> __device__ __noinline__ T doubled(T x) { return 2 * x; }
static __device__ __noinline__ int own(int x) { return x * 100; }
__device__ int turned(int x) { return own(x) + doubled(x); }
typedef int (*function)(int);
__device__ function chosen = turned;
__device__ int reversed(int x) {
  __shared__ int s[64];
  s[threadIdx.x] = x;
  __syncthreads();
  return s[63 - threadIdx.x];
}
extern "C" __global__ void moved(int by) { offset += by; }
""",
}
FUNCTION = ".visible .func (.param .b32 r) f(.param .b32 x)\n{ .reg .b32 %r<2>; ld.param.b32 %r1, [x]; st.param.b32 [r], %r1; ret; }\n"
CALL = (
    ".extern .func (.param .b32 r) f(.param .b{bits} x);\n.visible .entry k(.param .u64 p)\n{{\n  .reg .b32 %r<2>;\n"
    "  .param .b{bits} a; .param .b32 b; call (b), f, (a); ret;\n}}\n"
)
VARIABLE = ".extern .global .align 4 .u32 v;\n.visible .entry k()\n{ .reg .b32 %r<2>; ld.global.u32 %r1, [v]; ret; }\n"
# Texts, and what their error says.
WRONG = [
    ([CALL.format(bits=32)], "m0:9: function 'f', which has no body, has no host form"),
    ([CALL.format(bits=64), FUNCTION], "m0:5: function 'f' has other parameters than in m1"),
    ([FUNCTION, FUNCTION], "m1:5: function 'f' is defined in m0 too"),
    ([VARIABLE, FUNCTION], "m0:5: variable 'v', which is extern, has no host form"),
    ([VARIABLE, ".global .align 4 .u32 v;\n"], "m0:5: variable 'v', which is extern, has no host form"),
    ([".visible .global .u32 v = 1;\n", "\n.visible .global .u32 v = 1;\n"], "m1:6: variable 'v' is defined in m0 too"),
    ([FUNCTION, "\n\nfrobnicate"], "m1:7: expected a directive"),
]


def link(texts, names):
    inputs = (c.arr_module_input * len(texts))()
    kept = [t.encode() for t in texts]
    for i, (text, name) in enumerate(zip(kept, names)):
        inputs[i].data, inputs[i].length, inputs[i].name = ctypes.cast(text, ctypes.c_void_p), len(text), name.encode()
    module = ptx_host.Module.__new__(ptx_host.Module)
    module.handle = c.arr_module()
    host = ctypes.byref(arrpy.device_of("host"))
    arrpy.call("arr_module_link", len(texts), inputs, host, None, ctypes.byref(module.handle))
    return module


def refused(texts, words):
    try:
        link(texts, [f"m{i}" for i in range(len(texts))])
    except arrpy.Error as error:
        if words in str(error):
            return 0
        print(f"{error}\n  expected {words}")
        return 1
    print(f"linked: expected {words}")
    return 1


def run_linked(nvrtc, order):
    texts = [
        cuda_toolkit.compile_to_ptx(nvrtc, SOURCES[name].encode(), ["--gpu-architecture=sm_90", "-rdc=true"])[0]
        for name in order
    ]
    module = link(texts, [f"{name}.ptx" for name in order])
    x = np.arange(64, dtype="i4") * 3
    turned = lambda v: 102 * v
    failures = 0
    for by in (0, 5):
        module.launch("moved", (1, 1, 1), (1, 1, 1), np.int32(by))
        got = module.launch("linked", (1, 1, 1), (64, 1, 1), x, np.zeros(64, "i4"))[1]
        i = np.arange(64)
        want = (x + 1)[(63 - i) ^ 1] + turned(7 + by) + (i % 4 + 1) * 10 + 2 * turned(3)
        if not np.array_equal(got, want):
            failures += 1
            print(f"{order}: got {got[:6]}, expected {want[:6]}")
    return failures


def main():
    failures = sum(refused([HEADER + t for t in texts], words) for texts, words in WRONG)
    source = 'extern "C" __global__ void s(int* p) { *p = 1; }\n'
    failures += refused(
        [HEADER + FUNCTION, source], "m0 is PTX, m1 CUDA C++ source; the host links sources, or PTX and fatbins"
    )
    nvrtc, linked = cuda_toolkit.nvrtc(), 0
    if nvrtc is not None:
        for order in (list(SOURCES), list(SOURCES)[::-1]):
            failures += run_linked(nvrtc, order)
            linked += 1
    print(f"{linked} programs of two modules, {len(WRONG) + 1} wrong ones, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
