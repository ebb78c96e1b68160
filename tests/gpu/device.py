#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Properties that only a device shows, through the C API: order between streams, the pool under load, raw kernels with
shared memory and templates, split reductions, products of every dtype. Run by run.sh; also over the fake.

    device.py [--small]     --small: little work, for compute-sanitizer
"""

import argparse
import ctypes
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import arr_ctypes as c  # noqa: E402
import arrpy  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--small", action="store_true")
SMALL = parser.parse_args().small
DEVICE = c.arr_device(c.ARR_CUDA, 0)
SOURCE = b"""
extern "C" __global__ void scale(double* x, double by, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
template <class T, int N>
__global__ void reverse(T* x) {
  __shared__ T s[N];
  extern __shared__ T more[];
  s[threadIdx.x] = x[threadIdx.x];
  more[threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = more[N - 1 - threadIdx.x];
}
"""


def elementwise():
    """Layouts and sizes around the edges of blocks and vectors."""
    for n in [1, 31, 255, 256, 1023, 1025] + ([] if SMALL else [1 << 20, (1 << 24) + 3]):
        for dtype in ("float32", "float64", "int8", "complex128"):
            a = (np.arange(n) % 100).astype(dtype)
            x = arrpy.array(a, device="cuda")
            np.testing.assert_array_equal((x + x).numpy(), a + a)
            np.testing.assert_array_equal((x[::2] * 3).numpy(), a[::2] * a.dtype.type(3))
    a = np.arange(130 * 70.0).reshape(130, 70)
    x = arrpy.array(a, device="cuda")
    np.testing.assert_array_equal((x.transpose() + x.transpose()).numpy(), a.T + a.T)
    np.testing.assert_array_equal((x + x[:, :1]).numpy(), a + a[:, :1])


def reductions():
    """Shapes that one block, many blocks and the last block finish; equal bits every time."""
    random = np.random.default_rng(7)
    for shape in [(1000,), (300, 70), (70, 3000), (2, 100000)] + ([] if SMALL else [(1 << 24,), (4096, 4096)]):
        a = random.standard_normal(shape)
        x = arrpy.array(a, device="cuda")
        for axis in (None, 0, -1):
            np.testing.assert_allclose(
                arrpy.reduce("sum", x, axis=axis).numpy(), a.sum(axis=axis), rtol=1e-9, atol=1e-9
            )
            np.testing.assert_array_equal(arrpy.reduce("max", x, axis=axis).numpy(), a.max(axis=axis))
        np.testing.assert_array_equal(arrpy.reduce("argmin", x).numpy(), a.argmin())
        first = arrpy.reduce("sum", x).numpy().tobytes()
        for _ in range(20):
            assert arrpy.reduce("sum", x).numpy().tobytes() == first, "a reduction is not deterministic"


def products():
    random = np.random.default_rng(8)
    n = 40 if SMALL else 300
    for dtype in ("float32", "float64", "complex64", "complex128", "int32", "float16"):
        a = random.integers(-4, 5, (n, n + 1)).astype(dtype)
        b = random.integers(-4, 5, (n + 1, n + 2)).astype(dtype)
        # Sums of small whole numbers: exact in every dtype.
        wide = np.complex128 if dtype.startswith("complex") else np.float64
        got = arrpy.matmul(arrpy.array(a, device="cuda"), arrpy.array(b, device="cuda")).numpy()
        np.testing.assert_array_equal(got, (a.astype(wide) @ b.astype(wide)).astype(dtype))


def pool():
    """Many arrays that come and go; the pool has everything back at the end."""

    def in_use():
        stats = c.arr_memory_stats(struct_size=ctypes.sizeof(c.arr_memory_stats))
        arrpy.check(arrpy.lib.arr_memory_info(ctypes.byref(DEVICE), ctypes.byref(stats)))
        return stats.in_use

    before = in_use()
    kept = []
    for i in range(200 if SMALL else 5000):
        x = arrpy.full((i * 37 % 4000 + 1,), i, device="cuda")
        kept.append(x)
        if len(kept) > 16:
            old = kept.pop(0)
            assert old.numpy()[0] == i - 16, "memory was reused too early"
    old = x = None
    kept.clear()
    assert in_use() == before, "memory is still in use"
    arrpy.check(arrpy.lib.arr_memory_trim(ctypes.byref(DEVICE)))


def raw_kernels():
    module, kernel = c.arr_module(), c.arr_kernel()
    lib = arrpy.lib
    arrpy.check(lib.arr_module_create(SOURCE, -1, ctypes.byref(DEVICE), 0, None, ctypes.byref(module)))
    a = np.arange(1000.0)
    x = arrpy.array(a, device="cuda")

    def launch(name, grid, block, shared, args):
        arrpy.check(lib.arr_module_kernel(module, name, ctypes.byref(kernel)))
        values = (c.arr_value * len(args))(*args)
        arrpy.check(
            lib.arr_launch_raw(
                kernel, (ctypes.c_int64 * 3)(*grid), (ctypes.c_int32 * 3)(*block), shared, len(args), values, None
            )
        )
        lib.arr_kernel_release(kernel)

    launch(
        b"scale", (4, 1, 1), (256, 1, 1), 0, [arrpy.value(x), arrpy.value(np.float64(2)), arrpy.value(np.int64(1000))]
    )
    np.testing.assert_array_equal(x.numpy(), a * 2)
    y = arrpy.array(a[:128], device="cuda")
    launch(b"reverse<double, 128>", (1, 1, 1), (128, 1, 1), 128 * 8, [arrpy.value(y)])
    np.testing.assert_array_equal(y.numpy(), a[:128][::-1])
    launch(b"reverse<double, 128>", (1, 1, 1), (128, 1, 1), 80000, [arrpy.value(y)])
    np.testing.assert_array_equal(y.numpy(), a[:128])
    lib.arr_module_release(module)


def streams():
    """A chain over two streams, many times: an unordered pair would show sooner or later."""
    lib = arrpy.lib
    two = [c.arr_stream(), c.arr_stream()]
    for s in two:
        arrpy.check(lib.arr_stream_create(ctypes.byref(DEVICE), 0, ctypes.byref(s)))
    n = 1000 if SMALL else 1 << 20
    x = arrpy.zeros((n,), device="cuda")
    one = arrpy.ones((n,), device="cuda")
    rounds = 10 if SMALL else 500
    for i in range(rounds):
        arrpy.check(lib.arr_add_into(x.handle, x.handle, one.handle, two[i % 2]))
    for s in two:
        arrpy.check(lib.arr_stream_sync(s))
        arrpy.check(lib.arr_stream_release(s))
    np.testing.assert_array_equal(x.numpy(), np.full(n, float(rounds)))


if __name__ == "__main__":
    if not arrpy.has_device("cuda"):
        print("there is no CUDA device")
        sys.exit(77)
    for part in (elementwise, reductions, products, pool, raw_kernels, streams):
        part()
        print(f"{part.__name__}: passed", flush=True)
