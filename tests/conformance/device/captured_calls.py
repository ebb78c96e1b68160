# SPDX-License-Identifier: MIT
"""Calls for captures.py that need more than a line: scattered writes, histograms, random numbers, expressions, kernels
of the user. Each takes the captured array, another one (both 40 x 40) and the stream."""

import ctypes
import functools

import numpy as np

from oracle import arrpy  # first: it knows where the others are

import arrexpr
import arrhist
from draws import Generator
from user_kernels import Elementwise, Reduction

C = arrpy.c
SOURCE = b"""extern "C" __global__ void mean_of_rows(const double* x, double* y, int n) {
  __shared__ double part[64];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[blockIdx.x * n + i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < blockDim.x; ++i) sum += part[i];
  y[blockIdx.x] = sum / n;
}"""


@functools.cache
def kept(make, device):
    """The objects that a program makes once, before its captures."""
    return make(device)


def indices(device):
    return arrpy.array(np.random.default_rng(3).integers(0, 40, 40), device=device)


def edges(device):
    return arrpy.array(np.linspace(0.4, 2.1, 9), device=device)


def kernel(device):
    module = arrpy.made("arr_module_create", SOURCE, -1, arrpy.device_of(device), 0, None, of=C.arr_module)
    return arrpy.made("arr_module_kernel", module, b"mean_of_rows", of=C.arr_kernel)


def elementwise(device):
    return Elementwise("T x, T y", "T z", "z = x * y + T(i)")


def reduction(device):
    return Reduction("T x", "T y", "x * x", "a + b", "y = a + T(1)")


def program(device):
    return arrexpr.parse("sqrt(a) * b + maximum(a, 1)", "a", "b")


def scattered(a, b, s):
    """The largest, in which the order of the writes does not show."""
    out, row = arrpy.made("arr_negative", a.handle, s), b[0]
    where = (C.arr_array * 1)(kept(indices, device_of(a)).handle)
    arrpy.call("arr_ufunc_at", C.OPS["maximum"][0], out.handle, 1, where, ctypes.byref(arrpy.value(row)), s)
    return out


def histogram(a, b, s):
    options, _kept = arrhist._histogram_options([(0.5, 2.0)], None, False)
    counts, bounds = C.arr_array(), C.arr_array()
    arrpy.call(
        "arr_histogram", a.handle, 12, None, ctypes.byref(options), s, ctypes.byref(counts), ctypes.byref(bounds)
    )
    arrpy.Array(bounds)
    return arrpy.Array(counts)


def whole_histogram(a, b, s):
    counts, bounds = C.arr_array(), C.arr_array()
    arrpy.call("arr_histogram", a.handle, 12, None, None, s, ctypes.byref(counts), ctypes.byref(bounds))


def weighted_counts(a, b, s):
    at, row = kept(indices, device_of(a)), a[0]
    return arrpy.made("arr_bincount", at.handle, row.handle, 40, s)


def found(a, b, s):
    return arrpy.made("arr_searchsorted", kept(edges, device_of(a)).handle, a.handle, 1, None, s)


def polynomial(a, b, s):
    row = a[0]
    return arrpy.made("arr_polyval", row.handle, b.handle, s)


def drawn(distribution):
    def call(a, b, s):
        g, out = Generator(1), arrpy.made("arr_copy", a.handle, C.ARR_ORDER_C, s)
        arrpy.call(f"arr_random_{distribution}_into", out.handle, g.handle, s)
        return arrpy.made("arr_add", out.handle, a.handle, s)

    return call


def launched(a, b, s):
    row, args = a[0], (C.arr_value * 3)()
    out = arrpy.made("arr_copy", row.handle, 0, s)
    for i, x in enumerate((a, out, np.int32(40))):
        args[i] = arrpy.value(x)
    arrpy.call(
        "arr_launch_raw", kept(kernel, device_of(a)), arrpy.int64s([40, 1, 1]), arrpy.int32s([16, 1, 1]), 0, 3, args, s
    )
    return out


def by_element(a, b, s):
    values, out = (C.arr_value * 2)(arrpy.value(a), arrpy.value(b)), (C.arr_array * 1)()
    k = kept(elementwise, device_of(a))
    arrpy.call("arr_elementwise_kernel_run", k.handle, 2, values, -1, 0, None, s, 1, out)
    return arrpy.Array(C.arr_array(out[0].value))


def reduced(a, b, s):
    values, out = (C.arr_value * 1)(arrpy.value(a)), (C.arr_array * 1)()
    k = kept(reduction, device_of(a))
    arrpy.call("arr_reduction_kernel_run", k.handle, 1, values, 1, arrpy.int32s([1]), 0, s, 1, out)
    return arrpy.Array(C.arr_array(out[0].value))


def expressed(a, b, s):
    e = kept(program, device_of(a))
    return arrpy.made("arr_expr_run", e.handle, e.node, 2, arrexpr.handles((a, b)), s)


def expressed_sum(a, b, s):
    e = kept(program, device_of(a))
    return arrpy.made(
        "arr_expr_reduce", e.handle, e.node, C.ARR_REDUCTION_SUM, 1, arrpy.int32s([0]), 0, 2, arrexpr.handles((a, b)), s
    )


def device_of(a):
    return "cuda" if arrpy.device_of(a).type == C.ARR_CUDA else "host"


# Their indices and ranges are looked at before anything is written.
READ_VALUES = {"ufunc.at": scattered, "bincount": weighted_counts, "histogram of its own range": whole_histogram}
CALLS = {
    "histogram": histogram,
    "searchsorted": found,
    "polyval": polynomial,
    "normal numbers": drawn("standard_normal"),
    "raw kernel": launched,
    "element-wise kernel": by_element,
    "reduction kernel": reduced,
    "expression": expressed,
    "expression's sum": expressed_sum,
}
