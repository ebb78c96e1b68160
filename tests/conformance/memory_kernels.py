#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls for modules, kernels and the kernel cache, each small. For short_of_memory.py: what is compiled is compiled once
before its calls fail, and comes from the cache then."""

import ctypes
import os
import tempfile

import numpy as np

import oracle
from oracle import arrpy
from arrapi import FUNCTIONS, call

c = arrpy.c
SOURCE = b'__device__ int total[4]; extern "C" __global__ void k(int* x) { x[0] = 5; }'
IMAGE = b'extern "C" __global__ void k(int* x) { x[0] = 6; }'


def refused(report, function, /, *statuses, **given):
    """A call that the device refuses, or one that works: what it wrote, or None."""
    try:
        return call(function, **given)
    except arrpy.Error as e:
        report.check(function, e.status in statuses, str(e))
        return None


def compiled_before(device, text):
    m = c.arr_module()
    arrpy.check(arrpy.lib.arr_module_load(text, len(text), ctypes.byref(device), None, ctypes.byref(m)))
    arrpy.check(arrpy.lib.arr_module_release(m))


def cache(report, device):
    call("arr_cache_clear")
    call("arr_cache_info")
    call("arr_cache_directory")


def modules(report, device):
    host = report.device == "host"
    compiled_before(device, SOURCE)
    m = call("arr_module_create", source=SOURCE, device=device)["out"]
    report.check("arr_module_global", call("arr_module_global", m=m, name=b"total")["bytes"].value == 16)
    made = call("arr_module_global_array", m=m, name=b"total", dtype=c.ARR_INT32, ndim=1, shape=arrpy.int64s([4]))[
        "out"
    ]
    del made
    call("arr_module_log", m=m)
    kernels(report, device, m)
    call("arr_module_release", m=m)
    call("arr_module_release", m=call("arr_module_load", image=SOURCE, length=len(SOURCE), device=device)["out"])
    with tempfile.NamedTemporaryFile(suffix=".cu") as f:
        f.write(SOURCE)
        f.flush()
        compiled_before(device, SOURCE)
        call("arr_module_release", m=call("arr_module_load_file", path=f.name.encode(), device=device)["out"])
    inputs = (c.arr_module_input * 1)(
        c.arr_module_input(
            ctypes.cast(ctypes.c_char_p(SOURCE), ctypes.c_void_p), len(SOURCE), c.ARR_IMAGE_SOURCE, 0, None
        )
    )
    linked = c.arr_module()
    arrpy.lib.arr_module_link(1, inputs, ctypes.byref(device), None, ctypes.byref(linked))
    call("arr_module_release", m=linked)
    call("arr_module_release", m=call("arr_module_link", ninputs=1, inputs=inputs, device=device)["out"])
    refused(
        report,
        "arr_module_image",
        *(c.ARR_E_UNSUPPORTED,) if host else (),
        source=IMAGE,
        kind=c.ARR_IMAGE_PTX,
        device=device,
    )


def kernels(report, device, m):
    host = report.device == "host"
    no = (c.ARR_E_UNSUPPORTED,) if host else ()
    k = call("arr_module_kernel", m=m, name=b"k")["out"]
    refused(report, "arr_kernel_attribute", *no, k=k)
    refused(report, "arr_kernel_set_attribute", *no, k=k, attribute=c.ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES, value=4096)
    refused(report, "arr_kernel_block_size", *no, k=k)
    refused(report, "arr_kernel_occupancy", *no, k=k, threads=32)
    refused(report, "arr_kernel_params", *no, k=k, capacity=4)
    for name in ("arr_launch_raw", "arr_launch_raw_options"):
        out = report.array(np.zeros(1, "i4"))
        call(
            name,
            k=k,
            grid=arrpy.int64s([1, 1, 1]),
            block=arrpy.int32s([1, 1, 1]),
            nargs=1,
            args=(c.arr_value * 1)(arrpy.value(out)),
        )
        report.check(name, out.numpy()[0] == 5)
    # Two blocks, each with a thread and state of its own on the host.
    out, together = report.array(np.zeros(1, "i4")), c.arr_launch_options(ctypes.sizeof(c.arr_launch_options), 0, 1)
    call(
        "arr_launch_raw_options",
        k=k,
        grid=arrpy.int64s([2, 1, 1]),
        block=arrpy.int32s([1, 1, 1]),
        options=ctypes.byref(together),
        nargs=1,
        args=(c.arr_value * 1)(arrpy.value(out)),
    )
    report.check("arr_launch_raw_options", out.numpy()[0] == 5)
    out = report.array(np.zeros(1, "i4"))
    call("arr_launch_linear", k=k, n=1, nargs=1, args=(c.arr_value * 1)(arrpy.value(out)))
    report.check("arr_launch_linear", out.numpy()[0] == 5)
    call("arr_kernel_release", k=k)


def made_before(name, **given):
    """The same without failures, so that what it compiles is there."""
    kept, arrpy.call = arrpy.call, lambda f, *a: arrpy.check(getattr(arrpy.lib, f)(*a))
    try:
        return call(name, **given)["out"]
    finally:
        arrpy.call = kept


def user_kernels(report, device):
    x, y = report.array(np.arange(6, dtype="f4")), report.array(np.ones(6, "f4"))
    values = (c.arr_value * 2)(arrpy.value(x), arrpy.value(y))
    given = {"in_params": b"T x, T y", "out_params": b"T r", "operation": b"r = x + y"}
    k = call("arr_elementwise_kernel", **given)["out"]
    for run in (made_before, lambda name, **g: call(name, **g)["out"]):
        out = run("arr_elementwise_kernel_run", k=k, nargs=2, args=values, device=device, nout=1)
    report.check("arr_elementwise_kernel_run", np.array_equal(out.numpy(), np.arange(6) + 1))
    call("arr_user_kernel_source", k=k)
    call("arr_user_kernel_release", k=k)
    given = {"in_params": b"T x", "out_params": b"T r", "map_expr": b"x", "reduce_expr": b"a + b", "identity": b"0"}
    k = call("arr_reduction_kernel", **given)["out"]
    for run in (made_before, lambda name, **g: call(name, **g)["out"]):
        out = run("arr_reduction_kernel_run", k=k, nargs=1, args=values, naxes=0, nout=1)
    report.check("arr_reduction_kernel_run", out.numpy() == 15)
    call("arr_user_kernel_release", k=k)


def expressions(report, device):
    a = report.array(np.arange(6, dtype="f4"))
    e = call("arr_expr_create")["out"]
    node = call("arr_expr_index", e=e, axis=0)["node"].value
    dst = report.array(np.zeros(6, "i8"))
    call("arr_expr_run_into", dst=dst, e=e, node=node, nin=1, **{"in": (c.arr_array * 1)(a.handle)})
    report.check("arr_expr_run_into", np.array_equal(dst.numpy(), np.arange(6)))
    call("arr_expr_release", e=e)


def main():
    report = oracle.Report(__doc__)
    assert "arr_module_link" in FUNCTIONS and os.environ.get("ARR_CACHE_DIR"), "a cache of its own, for it is cleared"
    device = arrpy.device_of(report.device)
    for part in report.chosen((modules, user_kernels, expressions, cache)):
        part(report, device)
    report.finish()


if __name__ == "__main__":
    main()
