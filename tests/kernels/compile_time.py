#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compile_time.py - processor time of clang for a kernel of many barriers, with the pass and without it.

The pass makes one function of hundreds of loops of it, and the code generator's time must not grow with the square of
that. Without a limit the ratio is 4.5 at this size.
"""

import ctypes
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
STEPS, MOST = 40, 3.0
STEP = """
__device__ float step%(i)d(float* s, float x, int k) {
  int t = threadIdx.x;
  s[t] = x;
  __syncthreads();
  float y = 0;
  for (int j = 0; j < k; j++) {
    if (t > j && t < 256 - j) y += s[t - j] * %(i)d.5f + s[t + j] / (1.0f + y * y);
    else y -= s[t ^ %(other)d];
  }
  __syncthreads();
  if (y > %(i)d.0f) y = sqrtf(y) + sinf(x);
  return y;
}
__device__ float plain%(i)d(float x, float y) {
  float r = x;
  for (int j = 0; j < %(turns)d; j++) {
    if (r > y) r = r * 0.5f + y; else r = fmaf(r, y, %(i)d.25f);
    if (r < 0) r = -r;
  }
  return r;
}
"""


def source():
    text = [STEP % {"i": i, "other": i % 31 + 1, "turns": 4 + i % 5} for i in range(STEPS)]
    text.append(
        'extern "C" __global__ void big(const float* in, float* o, int n, int k) {\n  __shared__ float s[256];\n'
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float x = i < n ? in[i] : 0, y = 1;\n"
    )
    for i in range(STEPS):
        text.append(f"  x = step{i}(s, x, k + {i});\n  y = plain{i}(x, y);\n")
        text.append(f"  if (blockIdx.x % {i + 2} == 0) x += plain{i * 7 % STEPS}(y, x);\n")
        if i % 4 == 3:
            text.append(f"  for (int r = 0; r < k; r++) x = step{i * 3 % STEPS}(s, x + r, {i});\n")
    return "".join(text) + "  if (i < n) o[i] = x + y;\n}\n"


def compile_once():
    """Prints the seconds of the compiler's process."""
    import arrpy

    text, module = source().encode(), arrpy.c.arr_module()
    arrpy.call(
        "arr_module_create", text, len(text), ctypes.byref(arrpy.device_of("host")), 0, None, ctypes.byref(module)
    )
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)


def seconds(**environment):
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-B", __file__, "--once"],
            env={**os.environ, "ARR_CACHE_DIR": cache, **environment},
            stdout=subprocess.PIPE,
            check=True,
        )
    return float(done.stdout)


def main():
    if "--once" in sys.argv:
        compile_once()
        return 0
    fission, clang = os.environ.get("ARR_HOST_FISSION"), os.environ.get("ARR_TEST_CLANG")
    if not fission or not clang:
        print("skipped: no pass here")
        return 77
    plain, passed = seconds(ARR_HOST_FISSION="0", ARR_HOST_CXX=clang), seconds()
    print(f"{plain:.2f} s without the pass, {passed:.2f} s with it: {passed / plain:.2f}, at most {MOST}")
    return passed > MOST * plain


if __name__ == "__main__":
    sys.exit(main())
