#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heat.py BUILD LANGUAGE... - the examples' heat programs and a graph of their steps from NVRTC's PTX.

The graph runs a module of PTX on the host: without contraction it gives NumPy's field bit by bit. The programs run
over the fake CUDA, whose NVRTC is the toolkit's, and give the graph's field with contraction bit by bit.
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
EXAMPLES = ROOT / "examples"
sys.path[:0] = [str(HERE), str(ROOT / "tests" / "support")]
import cuda_toolkit
import ptx_host

arrpy, c = ptx_host.arrpy, ptx_host.c
STEPS, FACTOR = 1000, 0.2
SHAPE = (48, 64)


def reference(field, steps=STEPS):
    """The steps in NumPy, each operation rounded by itself and in the kernel's order."""
    u, v = field.copy(), field.copy()
    for _ in range(steps):
        mid = u[1:-1, 1:-1]
        v[1:-1, 1:-1] = mid + FACTOR * (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 4.0 * mid)
        u, v = v, u
    return u


def by_graph(text, field, steps=STEPS):
    """Two steps captured once, launched over and over."""
    module, kernel = ptx_host.Module(text), c.arr_kernel()
    stream, graph = c.arr_stream(), c.arr_graph()
    arrpy.call("arr_module_kernel", module.handle, b"heat", ctypes.byref(kernel))
    arrpy.call("arr_stream_create", ctypes.byref(arrpy.device_of("host")), 0, ctypes.byref(stream))
    u, v = (arrpy.array(field, device="host") for _ in range(2))
    ny, nx = field.shape
    arrpy.call("arr_graph_begin", stream)
    for x, y in ((u, v), (v, u)):
        given = (x, y, np.int64(ny), np.int64(nx), np.float64(FACTOR))
        values = (c.arr_value * 5)(*map(arrpy.value, given))
        grid, block = (ctypes.c_int64 * 3)(-(-nx // 32), -(-ny // 8), 1), (ctypes.c_int32 * 3)(32, 8, 1)
        arrpy.call("arr_launch_raw", kernel, grid, block, 0, 5, values, stream)
    arrpy.call("arr_graph_end", stream, ctypes.byref(graph))
    for _ in range(steps // 2):
        arrpy.call("arr_graph_launch", graph, stream)
    arrpy.call("arr_stream_sync", stream)
    got = u.numpy()
    arrpy.call("arr_graph_release", graph)
    arrpy.call("arr_stream_release", stream)
    arrpy.lib.arr_kernel_release(kernel)
    return got


def by_program(language, build, folder, field):
    """The language's example, as examples/heat_logged.sh runs it."""
    out = folder / f"{language}.npy"
    command = [EXAMPLES / language / "run.sh", build, "heat", EXAMPLES / "heat.cu", field, out]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=500)
    if done.returncode == 77:
        return None
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr)[-1500:])
    return np.load(out)


def main():
    build, languages = sys.argv[1], sys.argv[2:]
    nvrtc = cuda_toolkit.nvrtc()
    if nvrtc is None:
        print("skipped: no NVRTC here")
        return 77
    ptx = {
        fmad: cuda_toolkit.compile_to_ptx(
            nvrtc, (EXAMPLES / "heat.cu").read_bytes(), ["--gpu-architecture=compute_90", f"-fmad={fmad}"]
        )[0]
        for fmad in ("false", "true")
    }
    os.environ |= {"ARR_DEVICE": "cuda", "ARR_FAKE_NVRTC": "real"}
    field = np.random.default_rng(1).normal(size=SHAPE) * 20 + 300
    failures, count, contracted = 0, 0, by_graph(ptx["true"], field)
    few = 4  # later the differences vanish, since heat spreads
    if np.array_equal(by_graph(ptx["true"], field, few), reference(field, few)):
        failures += 1
        print("FAILED: nothing is contracted")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        npy = folder / "field.npy"
        np.save(npy, field)
        ways = {"graph": (reference(field), lambda: by_graph(ptx["false"], field))}
        ways |= {lang: (contracted, lambda lang=lang: by_program(lang, build, folder, npy)) for lang in languages}
        for way, (want, run) in ways.items():
            try:
                got = run()
            except (RuntimeError, arrpy.Error) as error:
                failures += 1
                print(f"FAILED {way}: {error}")
                continue
            if got is None:
                print(f"{way}: skipped, its example does not run here")
                continue
            count += 1
            if got.tobytes() != want.tobytes():
                failures += 1
                print(f"FAILED {way}: {np.count_nonzero(got != want)} of {got.size} differ")
    print(f"heat from PTX in {count} ways, {failures} failures")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
