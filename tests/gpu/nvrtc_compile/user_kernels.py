#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""user_kernels.py NVRTC_COMPILE SM: compiles the text of users' kernels with the real NVRTC, without a GPU.

The text of a kernel follows the types and layouts of a call, so calls are made over the fake CUDA, whose compiler is
the host's, and the texts that they leave go to nvrtc_compile.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests" / "conformance"), str(ROOT / "tests" / "conformance" / "kernels")]
compiler, sm = sys.argv[1:3]
sys.argv = [sys.argv[0], "--device", "cuda"]
import oracle  # noqa: E402
import user_kernels as u  # noqa: E402


def elementwise(array):
    """Numbers, broadcasting, strides, raw arrays, indices, loops: in one type each, and one kernel in every type."""
    for d in oracle.ALL:
        x = array(np.ones((6, 5), oracle.dtype(d)))
        axpy = u.Elementwise("T x, T y, float64 s", "T r", "r = x * (T)s + y", "axpy_" + d)
        axpy(x, x[0], 2.0)
        yield axpy
    x = array(np.ones((6, 5), "f4"))
    contiguous = u.Elementwise("T x, T y", "T r, bool less", "r = x - y; less = x < y", "contiguous")
    contiguous(x, x, nout=2)
    yield contiguous
    indexed = u.Elementwise("T x, raw T y", "T r", "r = x + y[i % y.size()] * (T)(i + _ind.size())", "indexed")
    indexed(x[::2, ::-1], x.T)
    yield indexed
    loops = u.Elementwise(
        "T x", "T r", "r = x * seen; ++seen", "loops", loop_prep="int seen = 1", after_loop="seen = 0"
    )
    loops(x.T)
    yield loops
    z = array(np.ones((4, 3), "c8"))
    numbers = u.Elementwise(
        "complex64 z", "complex64 r, float32 a", "r = 1 / conj(z) * z + exp(z); a = abs(z)", "numbers"
    )
    numbers(z.T, nout=2)
    yield numbers


def reductions(array):
    """Rows, columns, several inputs, parts that a second kernel joins, a type of the user's."""
    for d in ("float32", "float64", "int64", "complex64", "float16"):
        x = array(np.ones((40, 70), oracle.dtype(d)))
        for axis in (None, 0, 1):
            norm = u.Reduction("T x, T y", "T r", "x * y", "a + b", "r = a", "0", f"norm_{d}_{axis}")
            norm(x, x, axis=axis)
            yield norm
    long = u.Reduction("T x, float32 s", "T r", "x * (T)s", "max(a, b)", "r = a", "-1e30f", "long_row")
    long(array(np.ones(100_000, "f4")), 2.0)
    yield long
    columns = u.Reduction("T x", "T r", "x", "a + b", "r = a", "0", "long_columns")
    columns(array(np.ones((3000, 64), "f8")), axis=0)
    yield columns
    pair = u.Reduction(
        "T x",
        "T r",
        "pair(x, 1)",
        "pair(a.s + b.s, a.n + b.n)",
        "r = a.s / a.n",
        "pair(0, 0)",
        "mean",
        reduce_type="pair",
        preamble="struct pair { float s, n; __device__ pair() {} __device__ pair(float s, float n) : s(s), n(n) {} };",
    )
    pair(array(np.ones((30, 70), "f4")), axis=1)
    yield pair


def main():
    report = oracle.Report(__doc__.splitlines()[0])
    with tempfile.TemporaryDirectory() as folder:
        files, count = [], 0
        for kernel in [*elementwise(report.array), *reductions(report.array)]:
            path = pathlib.Path(folder) / f"kernel_{count}.cu"
            path.write_text(kernel.source())
            files += ["--file", str(path)]
            count += 1
        command = [compiler, sm, "--ptx", "--only", "no kernel of the library"] + files
        done = subprocess.run(command, capture_output=True, text=True)
        print(done.stdout)
        if done.returncode == 77:
            sys.exit(77)
        report.check(
            "users' kernels", done.returncode == 0 and f": {count} kernels compiled" in done.stdout, done.stderr
        )
    report.finish()


main()
