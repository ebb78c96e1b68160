#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays as structs of a pointer, extents and strides in raw kernels: every view, indices of 4 and 8 bytes."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from products import on

C = arrpy.c
SOURCE = """
template <class T, class I, int N>
struct View {
  T* data;
  I extents[N], strides[N];
  __device__ T& at(long long i) const {
    long long offset = 0;
    for (int d = N; d-- > 0; i /= extents[d]) offset += i % extents[d] * (long long)strides[d];
    return data[offset];
  }
  __device__ long long size() const {
    long long n = 1;
    for (int d = 0; d < N; ++d) n *= extents[d];
    return n;
  }
};
template <class T, class I, int N>
__device__ void copy(const View<T, I, N>& from, const View<T, I, N>& to) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < from.size()) to.at(i) = from.at(i) + T(1);
}
#define COPY(T, I, N) \\
  extern "C" __global__ void copy_##T##_##I##_##N(View<T, I, N> from, View<T, I, N> to) { copy(from, to); }
typedef long long wide;
COPY(float, int, 1)
COPY(float, wide, 1)
COPY(float, int, 2)
COPY(float, wide, 2)
COPY(double, int, 3)
COPY(double, wide, 3)
extern "C" __global__ void number(float* to, View<float, wide, 1> one) { *to = one.data[0]; }
struct Bare { float* data; };
extern "C" __global__ void bare(Bare from, float* to) { *to = *from.data; }
"""


def value(a, index_bytes):
    v = C.arr_value()
    arrpy.lib.arr_value_mdspan(ctypes.byref(v), a.handle, index_bytes)
    return v


def launch(kernel, n, values):
    values = (C.arr_value * len(values))(*values)
    grid, block = arrpy.int64s([-(-max(n, 1) // 64), 1, 1]), arrpy.int32s([64, 1, 1])
    arrpy.call("arr_launch_raw", kernel, grid, block, 0, len(values), values, None)


def main(report):
    module = C.arr_module()
    device = arrpy.device_of(report.device)
    arrpy.call("arr_module_create", SOURCE.encode(), -1, device, 0, None, ctypes.byref(module))

    def kernel(name):
        k = C.arr_kernel()
        arrpy.call("arr_module_kernel", module, name.encode(), ctypes.byref(k))
        kernels.append(k)
        return k

    kernels = []
    shapes = {1: [(5,), (200,)], 2: [(3, 5), (1, 7), (16, 16)], 3: [(2, 3, 4)]}
    for d, n in (("float32", 1), ("float32", 2), ("float64", 3)):
        for index, size in (("int", 4), ("wide", 8)):
            k = kernel(f"copy_{'float' if d == 'float32' else 'double'}_{index}_{n}")
            for shape in shapes[n]:
                x = oracle.sample(shape, d, 3, "tame")
                for one in ("C", "F", "step", "back"):
                    for two in ("C", "F", "step", "back"):
                        a, b = on(report, x, one), on(report, np.zeros_like(x), two)
                        launch(k, x.size, [value(a, size), value(b, size)])
                        report.check(f"{d} {index} {shape} {one} {two}", oracle.same(b.numpy(), x + 1))
    to, one = report.array(np.zeros((), "float32")), report.array(np.full(1, 7, "float32"))
    launch(kernel("number"), 1, [arrpy.value(to), value(one, 8)])
    report.check("beside a pointer", to.item() == 7)
    none = one.reshape(())
    launch(kernel("bare"), 1, [value(none, 8), arrpy.value(to)])
    report.check("without dimensions", to.item() == 7)
    # The struct's array is used in the order of the stream, as an array is.
    x = report.array(np.arange(64, dtype="float32"))
    y = arrpy.zeros((64,), "float32", device=report.device)
    sum_of = x + x
    launch(kernels[0], 64, [value(sum_of, 4), value(y, 4)])
    del sum_of
    report.check("after other work", oracle.same(y.numpy(), np.arange(64, dtype="float32") * 2 + 1))
    k, v = kernels[0], value(x, 4)
    v.hi = 3
    wide = x.broadcast_to((2**33, 64))[:, 0]
    other = arrpy.zeros((64,), device="host" if report.device != "host" else "host")
    cases = [
        ("an index of 3 bytes", C.ARR_E_ARGUMENT, [v, value(y, 4)]),
        ("an extent that does not fit", C.ARR_E_ARGUMENT, [value(wide, 4), value(y, 4)]),
    ]
    if report.device == "host":  # a GPU's driver before 12.4 does not tell the sizes
        cases.append(("another struct", C.ARR_E_ARGUMENT, [value(x, 8), value(y, 4)]))
    else:
        cases.append(("another device", C.ARR_E_ARGUMENT, [value(other, 4), value(y, 4)]))
    for label, status, values in cases:
        report.check(f"refuses {label}", oracle.raises(status, lambda v=values: launch(k, 64, v)))
    dead = C.arr_value(C.ARR_VALUE_MDSPAN, 0, 12345, 8)
    report.check("refuses no array", oracle.raises(C.ARR_E_HANDLE, lambda: launch(k, 64, [dead, value(y, 4)])))
    for k in kernels:
        arrpy.call("arr_kernel_release", k)
    arrpy.call("arr_module_release", module)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    main(r)
    r.finish()
