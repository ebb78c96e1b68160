#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of what is no array function: devices, streams, events, memory, graphs, texts, files, DLPack, the trace. For
short_of_memory.py; modules and kernels are in memory_kernels.py."""

import ctypes
import os
import tempfile

import numpy as np

import failing_calls
import oracle
from arrapi import call, refused
from memory_graphs import graphs, recorded
from oracle import arrpy

c = arrpy.c
NOTHING = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)


def device_calls(report, device):
    where, host = {"device": device}, report.device == "host"
    unless_host = (c.ARR_E_UNSUPPORTED,) if host else ()
    call("arr_backend_probe", type=device.type)
    call("arr_build_info")
    call("arr_device_count", type=device.type)
    refused(report, "arr_device_attribute", *unless_host, name=b"WARP_SIZE", **where)
    report.check("arr_device_info", call("arr_device_info", **where)["properties"].warp_size == 32)
    limit = refused(report, "arr_device_limit", *unless_host, **where)
    refused(report, "arr_device_set_limit", *unless_host, value=limit["value"].value if limit else 1024, **where)
    call("arr_device_list", capacity=4)
    for name in ("name", "pci", "uuid"):
        call(f"arr_device_{name}", **where)
    pci = call("arr_device_pci", **where)["text"].value
    refused(report, "arr_device_find_pci", *(c.ARR_E_ARGUMENT,) if host else (), pci=pci or b"0000:00:00.0")
    call("arr_device_peer_possible", peer=device, **where)
    refused(report, "arr_device_peer", c.ARR_E_UNSUPPORTED, c.ARR_E_ARGUMENT, peer=device, enable=1, **where)
    call("arr_device_select")
    call("arr_device_sync", **where)
    call("arr_profiler_start", **where)
    call("arr_profiler_stop", **where)
    for library in range(6):
        known = refused(report, "arr_library_version", *unless_host, c.ARR_E_UNAVAILABLE, library=library, **where)
        refused(
            report,
            "arr_library_handle",
            c.ARR_E_UNSUPPORTED,
            c.ARR_E_UNAVAILABLE,
            c.ARR_E_ARGUMENT,
            library=library,
            **where,
        )
        name = {c.ARR_LIBRARY_DRIVER: b"cuInit", c.ARR_LIBRARY_NVRTC: b"nvrtcVersion"}.get(library, b"no such function")
        refused(
            report,
            "arr_library_function",
            *unless_host,
            c.ARR_E_UNAVAILABLE,
            c.ARR_E_ARGUMENT,
            library=library,
            name=name,
            **where,
        )
        report.check(f"library {library}", host or library == c.ARR_LIBRARY_NVJITLINK or known is not None)
    refused(report, "arr_library_toolkit", c.ARR_E_UNSUPPORTED, c.ARR_E_UNAVAILABLE, **where)


def streams(report, device):
    where = {"device": device}
    call("arr_stream_priority_range", **where)
    s = call("arr_stream_create_priority", **where)["out"]
    other = call("arr_stream_create", **where)["out"]
    for name in ("details", "device", "query", "sync"):
        call(f"arr_stream_{name}", stream=s)
    native = refused(report, "arr_stream_native", c.ARR_E_UNSUPPORTED, stream=s)
    wrapped = refused(report, "arr_stream_wrap", c.ARR_E_UNSUPPORTED, native=native["native"] if native else 1, **where)
    call("arr_stream_host_function", stream=s, function=NOTHING)
    start, stop = (call("arr_event_create", flags=c.ARR_EVENT_TIMING, **where)["out"] for _ in range(2))
    call("arr_event_record", event=start, stream=s)
    call("arr_event_record", event=stop, stream=s)
    call("arr_stream_wait_event", stream=other, event=stop)
    call("arr_stream_wait_stream", stream=other, other=s)
    for name in ("sync", "query", "native"):
        refused(report, f"arr_event_{name}", c.ARR_E_UNSUPPORTED, event=stop)
    report.check("arr_event_elapsed", call("arr_event_elapsed", start=start, stop=stop)["milliseconds"].value >= 0)
    for event in (start, stop):
        call("arr_event_release", event=event)
    for stream in [s, other] + ([wrapped["out"]] if wrapped else []):
        call("arr_stream_release", stream=stream)


def shared(report, device):
    """Memory that other processes open; this one's own is refused."""
    no = (c.ARR_E_UNSUPPORTED, c.ARR_E_ARGUMENT)
    a = report.array(np.arange(6.0))
    got = refused(report, "arr_ipc_export", c.ARR_E_UNSUPPORTED, a=a)
    handle, length = (got["handle"], got["length"].value) if got else (ctypes.create_string_buffer(64), 64)
    refused(report, "arr_ipc_import", *no, handle=handle, length=length, device=device)
    flags = 0 if report.device == "host" else c.ARR_EVENT_SHARED
    event = call("arr_event_create", flags=flags, device=device)["out"]
    got = refused(report, "arr_ipc_export_event", c.ARR_E_UNSUPPORTED, event=event)
    handle, length = (got["handle"], got["length"].value) if got else (ctypes.create_string_buffer(64), 64)
    refused(report, "arr_ipc_import_event", *no, handle=handle, length=length, device=device)
    call("arr_event_release", event=event)


def memory(report, device):
    where = {"device": device}
    a = report.array(np.arange(6.0))
    for name in ("info", "pool_info", "allocator", "trim", "reset_peak"):
        call(f"arr_memory_{name}", **where)
    call("arr_memory_pool_classes", capacity=32, **where)
    call("arr_memory_limit_fraction", fraction=0.5, **where)
    call("arr_memory_limit", bytes=0, **where)
    arrpy.lib.arr_memory_pressure()  # a truth value, no status
    there, back = call("arr_data", a=a)["data"].value, (ctypes.c_double * 6)()
    call(
        "arr_memory_copy",
        to=ctypes.cast(back, ctypes.c_void_p).value,
        kind=c.ARR_COPY_TO_HOST,
        bytes=48,
        **{"from": there},
        **where,
    )
    report.check("arr_memory_copy", list(back) == list(range(6)))
    call("arr_memory_set", to=there, value=0, bytes=48, **where)
    report.check("arr_memory_set", not a.numpy().any())
    call("arr_memory_device", data=there)
    for kind in (c.ARR_ALLOCATOR_DIRECT, c.ARR_ALLOCATOR_MANAGED):
        refused(report, "arr_memory_set_allocator", c.ARR_E_UNSUPPORTED, kind=kind, **where)
    managed = report.array(np.arange(6.0))
    call("arr_memory_prefetch", a=managed)
    call("arr_memory_advise", a=managed, advice=c.ARR_ADVISE_PREFER)
    for name in ("managed", "pinned"):
        call(f"arr_is_{name}", a=managed)
    prototype = arrpy.lib.arr_memory_set_allocator_functions.argtypes
    call(
        "arr_memory_set_allocator_functions",
        allocate=prototype[1](lambda *_: 1),
        release=prototype[2](lambda *_: None),
        drop=prototype[3](),
        **where,
    )
    call("arr_memory_set_allocator", kind=c.ARR_ALLOCATOR_POOL, **where)
    call("arr_create_pitched", dtype=c.ARR_FLOAT32, ndim=1, shape=arrpy.int64s([5]), **where)


def threads(report, device):
    for n in (1, 0):
        call("arr_set_threads", n=n)
        now = call("arr_threads")["n"]
        now = getattr(now, "value", now)
        report.check(f"arr_set_threads {n}", now == 1 if n else now >= 1)


def log(report, device):
    prototype = arrpy.lib.arr_log_set.argtypes
    call("arr_log_set", level=c.ARR_LOG_WARNING, log=prototype[1](lambda *_: None), drop=prototype[2]())
    arrpy.call("arr_log_set", c.ARR_LOG_WARNING, prototype[1](), prototype[2](), None)


def cache_store(report, device):
    prototype = arrpy.lib.arr_cache_set_store.argtypes
    call("arr_cache_set_store", get=prototype[0](lambda *_: -1), put=prototype[1](lambda *_: None), drop=prototype[2]())
    arrpy.call("arr_cache_set_store", prototype[0](), prototype[1](), prototype[2](), None)


def hooks(report, device):
    hook = arrpy.lib.arr_memory_hook_add.argtypes[0](lambda *_: None)
    call("arr_memory_hook_remove", id=call("arr_memory_hook_add", hook=hook, drop=NOTHING)["id"].value)
    with tempfile.NamedTemporaryFile() as f:
        call("arr_memory_hook_remove", id=call("arr_memory_hook_debug", path=f.name.encode())["id"].value)
    profile = call("arr_memory_hook_profile")["id"].value
    with_hook = report.array(np.arange(600.0))
    call("arr_memory_profile_report", id=profile)
    call("arr_memory_hook_remove", id=profile)
    del with_hook


def pinned(report, device):
    a = call("arr_pinned_create", dtype=c.ARR_FLOAT64, ndim=1, shape=arrpy.int64s([6]), flags=c.ARR_PINNED_MAPPED)[
        "out"
    ]
    refused(
        report, "arr_pinned_device_data", c.ARR_E_UNSUPPORTED, c.ARR_E_ARGUMENT, c.ARR_E_UNAVAILABLE, a=a, device=device
    )
    page = (ctypes.c_double * 512)()
    at = ctypes.addressof(page)
    if refused(report, "arr_pinned_register", c.ARR_E_UNAVAILABLE, data=at, bytes=4096) is not None:
        call("arr_pinned_unregister", data=at)
    call("arr_pinned_info")
    call("arr_pinned_limit", bytes=0)
    call("arr_pinned_trim")
    prototype = arrpy.lib.arr_pinned_set_allocator_functions.argtypes
    call(
        "arr_pinned_set_allocator_functions",
        allocate=prototype[0](lambda *_: 1),
        release=prototype[1](lambda *_: None),
        drop=prototype[2](),
    )
    arrpy.call("arr_pinned_set_allocator_functions", prototype[0](), prototype[1](), prototype[2](), None)


def texts(report, device):
    a = report.array(np.arange(6.0).reshape(2, 3))
    report.check("arr_format", b"5" in call("arr_format", a=a)["text"].value)
    call("arr_print", a=a)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.npy").encode()
        call("arr_save_npy", a=a, path=path)
        again = call("arr_load_npy", path=path, device=device)["out"]
        report.check("arr_load_npy", oracle.same(again.numpy(), a.numpy()))
    # Its error is the last one only until another call: this one is not repeated.
    report.check("arr_reshape", arrpy.lib.arr_reshape(a.handle, 1, arrpy.int64s([5]), 0, None, None) < 0)
    e = c.arr_error()
    arrpy.check(arrpy.lib.arr_error_take(ctypes.byref(e)))
    call("arr_error_release", e=call("arr_error_take")["out"])
    call("arr_error_status", e=e)
    report.check("arr_error_text", b"arr_reshape" in call("arr_error_text", e=e)["text"].value)
    call("arr_error_release", e=e)
    for name in ("shape", "strides"):
        call(f"arr_{name}", a=a, capacity=2)
    for name in (
        "array_device",
        "array_dtype",
        "array_flags",
        "size",
        "ndim",
        "nbytes",
        "iscomplexobj",
        "isfortran",
        "isrealobj",
    ):
        call(f"arr_{name}", a=a)
    call("arr_item", a=a, n=2, index=arrpy.int64s([1, 2]))
    second = call("arr_retain", a=a)["out"]
    call("arr_release", a=second.handle)
    second.handle = None
    for name in ("empty_like", "zeros_like", "ones_like", "contiguous", "squeeze"):
        call(f"arr_{name}", a=a)
    call("arr_full_like", a=a, value=arrpy.value(2.5))
    call("arr_create", dtype=c.ARR_FLOAT32, ndim=1, shape=arrpy.int64s([5]), device=device)


def tables(report, device):
    call("arr_dtype_info", dtype=c.ARR_FLOAT32)
    call("arr_op_info", index=3)
    call("arr_op_find", name=b"add")
    call("arr_reduction_info", index=3)
    call("arr_reduction_find", name=b"sum")
    call("arr_promote_types", a=c.ARR_FLOAT32, b=c.ARR_INT32)
    call("arr_min_scalar_type", x=arrpy.value(np.int64(3)))
    compute = call("arr_matmul_compute_type", dtype=c.ARR_FLOAT32)["compute"].value
    call("arr_matmul_set_compute_type", dtype=c.ARR_FLOAT32, compute=compute)
    call("arr_check_abi", version=c.ARR_VERSION)
    v = c.arr_value()
    arrpy.call("arr_value_bits", ctypes.byref(v), c.ARR_FLOAT32, b"1234")


def plain(report, device):
    """Functions that return no status and need no memory."""
    v, tools, lib = c.arr_value(), arrpy.lib, failing_calls.tools()
    calls = [
        ("arr_last_error",),
        ("arr_last_status",),
        ("arr_live_handles",),
        ("arr_live_objects",),
        ("arr_version",),
        ("arr_status_name", -1),
        ("arr_memory_pressure",),
        ("arr_value_array", v, report.array(np.ones(1)).handle),
        ("arr_value_bool", v, 1),
        ("arr_value_bytes", v, b"1234", 4),
        ("arr_value_c128", v, 1, 2),
        ("arr_value_f32", v, 1),
        ("arr_value_f64", v, 1),
        ("arr_value_i32", v, 1),
        ("arr_value_i64", v, 1),
        ("arr_value_pointer", v, 8),
        ("arr_value_texture", v, None),
        ("arr_value_weak", v),
    ]
    for name, *arguments in calls:
        lib.arr_test_fail_allocation(0)
        getattr(tools, name)(*arguments)
        report.check(name, lib.arr_test_stop_failing() == 0, "it asks for memory")


def textures(report, device):
    texels = call("arr_texels_create", dtype=c.ARR_FLOAT32, channels=1, ndim=1, shape=arrpy.int64s([8]), device=device)[
        "out"
    ]
    texture = call("arr_texture_create", t=texels)["out"]
    call("arr_texture_info", t=texture)
    refused(report, "arr_texture_native", c.ARR_E_UNSUPPORTED, t=texture)
    call("arr_texture_release", t=texture)
    call("arr_texels_release", t=texels)


def dlpack(report, device):
    a = report.array(np.arange(6.0))
    for suffix, flags in (("", {}), ("_legacy", {"flags": 0})):
        to, back = "arr_to_dlpack" + suffix, "arr_from_dlpack" + suffix
        t = ctypes.c_void_p()
        pointer = getattr(arrpy.lib, to).argtypes[-1]
        arrpy.call(to, a.handle, -1, 0, ctypes.cast(ctypes.byref(t), pointer))
        out = c.arr_array()
        arrpy.call(back, t, -1, *flags.values(), ctypes.byref(out))
        report.check(back, oracle.same(arrpy.Array(out).numpy(), a.numpy()))


def kept(report, device):
    where = {"device": device}
    call("arr_fft_cache_limit", max_plans=16, max_bytes=-1, **where)
    call("arr_fft_cache_info", **where)
    call("arr_fft_cache_clear", **where)
    refused(report, "arr_fft_wisdom_forget", c.ARR_E_UNSUPPORTED, **where)
    g = call("arr_generator_create", nseed=1, seed=arrpy.int64s([5]))["out"]
    state = call("arr_generator_get_state", generator=g)["state"]
    call("arr_generator_set_state", generator=g, state=state)
    refused(report, "arr_generator_advance", c.ARR_E_UNSUPPORTED, generator=g, blocks=1)
    call("arr_generator_release", generator=g)


def main():
    report = oracle.Report(__doc__)
    device = arrpy.device_of(report.device)
    for part in report.chosen(
        (
            device_calls,
            streams,
            shared,
            memory,
            threads,
            log,
            cache_store,
            hooks,
            pinned,
            graphs,
            recorded,
            texts,
            tables,
            plain,
            textures,
            dlpack,
            kept,
        )
    ):
        part(report, device)
    report.finish()


if __name__ == "__main__":
    main()
