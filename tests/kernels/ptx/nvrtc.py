#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nvrtc.py [--only TEXT] [--arch sm_90] - the corpus of raw kernels as NVRTC's PTX, run on the host.

Each kernel gives what it gives from source; what has no host form is refused for the reason in REFUSED. A few
kernels are compared with their source bit by bit, without contraction.
"""

import argparse
import os
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "support")]
import corpus
import cuda_toolkit
import ptx_host

arrpy = ptx_host.arrpy
# Files of the corpus whose PTX is refused, with what the message says.
REFUSED = {}
# Kernels in which lanes of compiled cooperative groups write one value to one place, which ARR_CHECK=1 reports.
SAME_PLACE = ("wide_tiles_64", "wide_tiles_256")
SAME = {
    "saxpy": (
        'extern "C" __global__ void k(float a, const float* x, float* y, int n) {\n'
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = a * x[i] + y[i];\n}\n"
    ),
    "reduction": (
        'extern "C" __global__ void k(float a, const float* x, float* y, int n) {\n  __shared__ float part[128];\n'
        "  int t = threadIdx.x;\n  float s = 0;\n  for (int i = t; i < n; i += blockDim.x) s += a * x[i];\n"
        "  part[t] = s;\n  __syncthreads();\n  for (int k = 64; k > 0; k /= 2) {\n"
        "    if (t < k) part[t] += part[t + k];\n    __syncthreads();\n  }\n"
        "  float w = __shfl_xor_sync(~0u, s, 5);\n  y[blockIdx.x * blockDim.x + t] = part[0] + w;\n}\n"
    ),
    "matmul": (
        'extern "C" __global__ void k(float a, const float* x, float* y, int n) {\n'
        "  __shared__ float p[2][8][8], q[2][8][9];\n  extern __shared__ float more[];\n"
        "  int h = threadIdx.x / 64, i = threadIdx.x / 8 % 8, j = threadIdx.x % 8;\n  float s = 0;\n"
        "  for (int k = 0; k < 4; k++) {\n    p[h][i][j] = x[(k * 64 + i * 8 + j) % n];\n    q[h][i][j] = x[(k * 67 + j * 9 + i) % n];\n"
        "    more[threadIdx.x] = s;\n    __syncthreads();\n"
        "    for (int m = 0; m < 8; m++) s += p[h][i][m] * q[h][m][j] + more[threadIdx.x ^ 1] / a;\n    __syncthreads();\n  }\n"
        "  y[blockIdx.x * blockDim.x + threadIdx.x] = s;\n}\n"
    ),
    "mathematics": (
        'extern "C" __global__ void k(float a, const float* x, float* y, int n) {\n'
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  double d = x[i];\n  int w = (int)(d * 1000);\n"
        "  unsigned u = __float_as_uint(x[i]);\n  long long l = (long long)u * w >> 5;\n"
        "  y[i] = (float)(d / (a + 3) + sqrt(d * d + 1)) + (float)(w % 7 + w / 3) + (float)(l % 1000003) + __popc(u) + rintf(x[i] * 9);\n"
        "  switch (w & 7) {\n    case 0: y[i] += 1; break;\n    case 1: y[i] *= 2; break;\n    case 2: y[i] -= x[i]; break;\n"
        "    case 3: y[i] = -y[i]; break;\n    case 5: y[i] = fminf(y[i], a); break;\n    case 6: y[i] = fmaxf(y[i], a);\n  }\n}\n"
    ),
}


class PtxModule(corpus.Module):
    """A file of the corpus by way of NVRTC."""

    def __init__(self, file, rows, nvrtc, arch):
        self.py, self.c, self.device = arrpy, arrpy.c, "host"
        options = [f"--gpu-architecture={arch}", "--std=c++17", *corpus.include_options()]
        text, self.lowered = cuda_toolkit.compile_to_ptx(
            nvrtc, corpus.source_of(file), options, sorted({r.name for r in rows})
        )
        self.handle = ptx_host.Module(text, debug=False, name=f"{file}.ptx".encode()).handle

    def run(self, case):
        name = self.lowered[case.name]
        return super().run(
            case.__class__(**{**case.__dict__, "name": name}) if hasattr(case, "__dict__") else case._replace(name=name)
        )


def run_corpus(nvrtc, only, arch):
    failures = count = refused = 0
    for file, rows in corpus.cases.CASES.items():
        rows = [r for r in rows if only in f"{file}.{r.name}"]
        if not rows:
            continue
        try:
            module = PtxModule(file, rows, nvrtc, arch)
        except (arrpy.Error, RuntimeError) as error:
            expected = REFUSED.get(file)
            good = expected is not None and expected in str(error)
            refused += good
            failures += not good
            if not good:
                print(f"{file}: {str(error)[:600]}")
            continue
        if file in REFUSED:
            failures += 1
            print(f"{file}: not refused")
        for row in rows:
            count += 1
            try:
                got = module.run(row)
            except arrpy.Error as error:
                if os.environ.get("ARR_CHECK") == "1" and row.name in SAME_PLACE and "race in shared" in str(error):
                    continue
                failures += 1
                print(f"{file}.{row.name}: {error}")
                continue
            for i, want in row.out.items():
                if not corpus.matches(got[i], want, row.tol):
                    failures += 1
                    print(
                        f"{file}.{row.name}: argument {i}: got {got[i][:6]}, expected {'otherwise' if callable(want) else np.asarray(want)[:6]}"
                    )
    print(f"{count} kernels from PTX of {arch}, {refused} files refused, {failures} failures")
    return failures + (count == 0 and refused == 0)


def run_same(nvrtc, arch):
    failures = 0
    x = np.random.default_rng(3).normal(size=512).astype("f4")
    for name, source in SAME.items():
        text, _ = cuda_toolkit.compile_to_ptx(nvrtc, source.encode(), [f"--gpu-architecture={arch}", "-fmad=false"])
        failures += cuda_toolkit.assemble(text, arch) == 1
        args = (np.float32(1.7), x, np.arange(512, dtype="f4"), np.int32(500))
        got = ptx_host.Module(text, debug=False).launch("k", (4, 1, 1), (128, 1, 1), *args, shared=512)[2]
        options = (ptx_host.ctypes.c_char_p * 1)(b"-fmad=false")
        want = source_module(source, options).launch("k", (4, 1, 1), (128, 1, 1), *args, shared=512)[2]
        if got.tobytes() != want.tobytes():
            failures += 1
            bad = np.flatnonzero(got.view("u4") != want.view("u4"))
            print(f"{name}: {bad.size} of {got.size} differ from source: {got[bad[:4]]}, {want[bad[:4]]}")
    print(f"{len(SAME)} kernels from PTX against their source, {failures} failures")
    return failures


def source_module(source, options):
    module = ptx_host.Module.__new__(ptx_host.Module)
    module.handle = ptx_host.c.arr_module()
    text = source.encode()
    arrpy.call(
        "arr_module_create",
        text,
        len(text),
        ptx_host.ctypes.byref(arrpy.device_of("host")),
        1,
        options,
        ptx_host.ctypes.byref(module.handle),
    )
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    nvrtc = cuda_toolkit.nvrtc()
    if nvrtc is None:
        print("skipped: no NVRTC here")
        return 77
    failures = 0 if options.only else run_same(nvrtc, options.arch)
    return 1 if run_corpus(nvrtc, options.only, options.arch) + failures else 0


if __name__ == "__main__":
    sys.exit(main())
