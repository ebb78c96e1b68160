#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs around transforms as callbacks of cuFFT: which calls are, their numbers in all types and layouts against
NumPy, streams and failures. Over the fake its cuFFT calls the functions once for each element and spoils everything else
that it is given; on a GPU the parts that need the fake are left out."""

import ctypes
import itertools
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.fft

import oracle
from fft_fused import Map, fused
from fft_plans import C2C, C2R, R2C, facts, numbers, plan
from oracle import arrpy

C = arrpy.c
FAKE = "fake_cuda" in os.environ.get("ARR_CUDA_DRIVER", "")
KINDS = {"fftn": (C2C, 0), "ifftn": (C2C, 1), "rfftn": (R2C, 0), "irfftn": (C2R, 1)}
# Samples, a window and a factor for the load; a row, a column and a divisor for the store. NumPy's value of each.
LOADS = {
    "int16 under a float16 window": ("x * u * 0.5", "i2", "f2", lambda x, u: x.astype("f8") * u.astype("f8") * 0.5),
    "uint8, one for all": ("where(x > 100, x, 3) + u", "u1", None, lambda x, u: np.where(x > 100, x, 3) + 2.0),
    "of the transform's own type": ("x - u * index(-1)", None, None, lambda x, u: x - 2.0 * np.arange(x.shape[-1])),
    "nothing": (None, None, None, lambda x, u: x),
}
STORES = {
    "into float16 of any strides": ("absolute(x) * u + v", "f2", lambda y, u, v: np.abs(y) * u + v),
    "into the transform's own type": ("x * v", None, lambda y, u, v: y * v),
    "into int32, of an index": (
        "int32(real(x) * 4 + index(0))",
        "i4",
        lambda y, u, v: (y.real.T * 4 + np.arange(y.shape[0])).T.astype("i4"),
    ),
    "nothing": (None, None, lambda y, u, v: y),
}
SHAPES = [
    ((24,), None),
    ((6, 8), (1,)),
    ((6, 8), (0,)),
    ((5, 6, 4), (1, 2)),
    ((3, 4, 6), None),
    ((2, 3, 2, 4), (1, 2, 3)),
    ((1, 1), None),
    ((4, 1, 6), (2,)),
]


def calls(p):
    return facts(p).callbacks


def reference(name, x, along, shape):
    extents = {"s": [shape[d] for d in along]} if name == "irfftn" else {}
    return getattr(scipy.fft, name)(x, axes=along, **extents)


def one(report, name, real, shape, axes, load, store, strided):
    kind, inverse = KINDS[name]
    along = tuple(range(len(shape))) if axes is None else axes
    half = tuple(n // 2 + 1 if i == along[-1] else n for i, n in enumerate(shape))
    shape_in, shape_out = half if name == "irfftn" else shape, half if name == "rfftn" else shape
    formula, samples, window, f = LOADS[load]
    own_in = real if name == "rfftn" else {"float32": "c8", "float64": "c16"}[real]
    own_out = real if name == "irfftn" else {"float32": "c8", "float64": "c16"}[real]
    r = np.random.default_rng(3)
    x = numbers(shape_in, real, name != "rfftn") if samples is None else r.integers(0, 200, shape_in).astype(samples)
    u = r.uniform(0.5, 1, shape_in[-1]).astype(window) if window else np.array(2.0, real)
    behind, out_type, g = STORES[store]
    row = r.uniform(0.5, 1, shape_out[-1]).astype("f4")
    column = r.uniform(0.5, 1, (shape_out[-2], 1) if len(shape_out) > 1 else (1,)).astype(
        "f8" if real == "float64" else "f4"
    )
    want = g(
        reference(name, f(x if samples else x.astype("c16" if name != "rfftn" else "f8"), u), along, shape), row, column
    )
    p = plan(report, kind, real, shape, axes)
    arrays = {k: report.array(a) for k, a in (("x", x), ("u", u), ("row", row), ("column", column))}
    if strided and behind:
        base = report.array(np.zeros((*want.shape[::-1], 2), out_type or own_out))
        dst = base[..., 0].T
    else:
        base = dst = report.array(np.zeros(want.shape, out_type or own_out))
    before, after = formula and Map(formula), behind and Map(behind)
    label = f"{name} {real} {shape} axes {axes}, load {load}, store {store}{', strided' if strided else ''}"
    fused(
        p,
        [arrays["x"], *(before.of(arrays["u"], None) if before else [])],
        dst,
        before,
        after,
        after.of(arrays["row"], arrays["column"]) if after else [],
        inverse,
    )
    got = dst.numpy().astype(want.dtype)
    if out_type == "i4":  # the number before it is cut off is known to a last digit only
        good = np.abs(got.astype("f8") - want).max(initial=0) <= 1
    else:
        eps = np.finfo("f2").eps if out_type == "f2" else np.finfo(real).eps
        good = np.allclose(got, want, rtol=64 * eps, atol=64 * eps * np.abs(want).max(initial=0))
    report.check(label, bool(good), f"got {got.ravel()[:4]} want {want.ravel()[:4]}")
    if strided and behind:
        report.check(label + ": between", not base.numpy()[..., 1].any())
    report.check(label + ": by callbacks", calls(p) == (formula is not None or behind is not None), f"{calls(p)}")
    report.check(label + ": input", np.array_equal(arrays["x"].numpy(), x))
    arrpy.call("arr_fft_plan_release", p)


def types(report):
    number = 0
    for name, (load, store) in itertools.product(KINDS, itertools.product(LOADS, STORES)):
        for shape, axes in SHAPES:
            number += 1
            # Each load with each store and kind in three of the eight shapes, which change, each real type in half.
            if (number + number // 8) % 8 in (0, 3, 5):
                one(report, name, ("float32", "float64")[number % 2], shape, axes, load, store, number % 3 == 0)


def ways(report):
    """Calls that are passes all the same, with the numbers of passes."""
    x = numbers((2, 3, 4, 6), "float64", True)
    double = Map("x * 2")
    cases = [
        ("three axes", (1, 2, 3), 1),
        ("a batch in front", (2, 3), 1),
        ("four axes", (0, 1, 2, 3), 0),
        ("two batches", (0, 2), 0),
        ("the first axis", (0,), 1),
    ]
    for label, axes, taken in cases:
        p, dst = plan(report, C2C, "float64", x.shape, axes), report.array(np.zeros_like(x))
        fused(p, [report.array(x)], dst, double)
        report.check(f"{label}: {taken} call by callbacks", calls(p) == taken, f"{calls(p)}")
        report.check(label, np.allclose(dst.numpy(), 2 * np.fft.fftn(x, axes=axes)))
        arrpy.call("arr_fft_plan_release", p)
    # Without a store cuFFT writes the array itself, which has to be aligned.
    p = plan(report, R2C, "float32", (3, 6))
    y, room = numbers((3, 6), "float32", False), report.array(np.zeros(13, "c8"))
    for label, dst, taken in (("aligned", room[:12], 1), ("not aligned", room[1:], 0)):
        before = calls(p)
        fused(p, [report.array(y)], dst.reshape(3, 4), double)
        report.check(f"{label}: {taken} call by callbacks", calls(p) - before == taken)
        report.check(label, np.allclose(dst.numpy(), 2 * np.fft.rfftn(y).ravel(), atol=1e-4))
    # Nothing around it, and what is captured.
    stream, graph = (
        arrpy.made("arr_stream_create", ctypes.byref(arrpy.device_of(report.device)), 0, of=C.arr_stream),
        C.arr_graph(),
    )
    before, a, dst = calls(p), report.array(y), report.array(np.zeros((3, 4), "c8"))
    fused(p, [a], dst)
    arrpy.call("arr_graph_begin", stream)
    fused(p, [a], dst, double, stream=stream)
    arrpy.call("arr_graph_end", stream, ctypes.byref(graph))
    report.check("no program, and captured", calls(p) == before)
    for handle, end in ((graph, "arr_graph_release"), (stream, "arr_stream_release"), (p, "arr_fft_plan_release")):
        arrpy.call(end, handle)


def streams(report):
    """Calls of the same programs in two streams, each with operands of its own, one stream some operations ahead."""
    device = arrpy.device_of(report.device)
    p, load, store = plan(report, C2C, "float32", (40, 16), (1,)), Map("x * u"), Map("absolute(x) + u")
    both = [arrpy.made("arr_stream_create", ctypes.byref(device), 0, of=C.arr_stream) for _ in range(2)]
    x = [numbers((40, 16), "float32", True, k) for k in range(6)]
    # With an array that both streams read, one would wait for the other.
    inputs, more = [report.array(a) for a in x], [report.array(np.full((40, 1), k, "f4")) for k in range(6)]
    windows, tiny = [report.array(np.hanning(16).astype("f4")) for _ in x], report.array(np.zeros(1, "f4"))
    for ahead in range(8):
        dsts = [report.array(np.zeros((40, 16), "f4")) for _ in x]
        arrpy.call("arr_device_sync", ctypes.byref(device))
        if FAKE:  # work runs when something waits for it, an operation of each stream in turn
            fake().arr_fake_cuda_set(b"defer", 2)
        kept = [arrpy.made("arr_negative", tiny.handle, both[0]) for _ in range(ahead)]
        for k in range(6):
            fused(p, [inputs[k], windows[k]], dsts[k], load, store, [more[k]], stream=both[k % 2])
        for s in reversed(both):
            arrpy.call("arr_stream_sync", s)
        if FAKE:
            fake().arr_fake_cuda_set(b"defer", 0)
        for k in range(6):
            want = np.abs(np.fft.fft(x[k] * np.hanning(16))) + k
            report.check(
                f"call {k} of two streams, one {len(kept)} ahead",
                np.allclose(dsts[k].numpy(), want, rtol=1e-4, atol=1e-4),
            )
    report.check("all by callbacks", calls(p) == 48, f"{calls(p)}")
    arrpy.call("arr_fft_plan_release", p)
    for s in both:
        arrpy.call("arr_stream_release", s)


def stats(report):
    s = C.arr_fft_cache_stats(ctypes.sizeof(C.arr_fft_cache_stats))
    arrpy.call("arr_fft_cache_info", arrpy.device_of(report.device), ctypes.byref(s))
    return s


def cache(report):
    """Plans with callbacks are the device's, count there, and obey its limits."""
    device = arrpy.device_of(report.device)
    p, x = plan(report, R2C, "float64", (5, 14), (1,)), numbers((5, 14), "float64", False)
    a, dst = report.array(x), report.array(np.zeros((5, 8), "c16"))
    arrpy.call("arr_fft_cache_clear", device)

    def run(factor):
        fused(p, [a], dst, Map(f"x * {factor}"))
        report.check(f"times {factor}", np.allclose(dst.numpy(), factor * np.fft.rfft(x)))

    before = stats(report)
    run(2)
    run(3)  # a number is no other program
    after = stats(report)
    report.check(
        "one plan, made once", (after.plans, after.misses - before.misses, after.hits - before.hits) == (1, 1, 1)
    )
    report.check("it has bytes", after.bytes > 0, f"{after.bytes}")
    arrpy.call("arr_fft_cache_limit", device, 0, -1)
    run(4)
    report.check("kept nowhere", stats(report).plans == 0)
    arrpy.call("arr_fft_cache_limit", device, 1, -1)
    run(5)
    fused(p, [a], dst, Map("x + 1"))
    report.check("one at a time", stats(report).plans == 1)
    run(6)
    arrpy.call("arr_fft_cache_limit", device, 64, -1)
    report.check("all by callbacks", calls(p) == 6, f"{calls(p)}")
    arrpy.call("arr_fft_plan_release", p)


def fake():
    library = ctypes.CDLL(os.environ["ARR_CUDA_DRIVER"])
    library.arr_fake_cuda_calls.restype = library.arr_fake_cuda_live.restype = ctypes.c_int64
    library.arr_fake_cuda_fail.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_int32, ctypes.c_int32]
    library.arr_fake_cuda_set.argtypes = [ctypes.c_char_p, ctypes.c_int64]
    return library


class Lines:
    """The library's messages of level 3 and above."""

    def __init__(self):
        self.lines = []
        self.types = arrpy.lib.arr_log_set.argtypes
        self.note = self.types[1](lambda _, level, line: self.lines.append(line.decode()))
        arrpy.call("arr_log_set", C.ARR_LOG_WARNING, self.note, self.types[2](), None)

    def __del__(self):
        arrpy.call("arr_log_set", C.ARR_LOG_WARNING, self.types[1](), self.types[2](), None)


def refused(report):
    """cuFFT refuses a plan: the call is passes, says so once, and it is not asked again."""
    x = numbers((4, 10), "float32", True)
    a, dst = report.array(x), report.array(np.zeros((4, 10), "c8"))
    want, number = np.fft.fft(x.real - x.imag), 0
    for function in ("cufftXtSetJITCallback", "cufftMakePlanMany64"):
        for code in (1, 5, 16):
            arrpy.call("arr_fft_cache_clear", arrpy.device_of(report.device))
            p = plan(report, C2C, "float32", (4, 10), (1,))
            number += 1  # a refusal is remembered: every round has a program of its own
            program = Map("real(x) - imag(x)" + " + 0 * real(x)" * number)
            label = f"{function} {code}"
            lines = Lines()
            fake().arr_fake_cuda_fail(function.encode(), 1, code, 0)
            for _ in range(2):
                dst.set(np.zeros((4, 10)))
                fused(p, [a], dst, program)
                report.check(label, np.allclose(dst.numpy(), want, atol=1e-4))
            report.check(label + ": by passes", calls(p) == 0)
            said = [line for line in lines.lines if "cuFFT does not take" in line]
            report.check(label + ": said once", len(said) == 1 and f"{function}: CUFFT" in said[0], f"{lines.lines}")
            fused(p, [a], dst, Map("real(x) - imag(x)"))
            report.check(label + ": another program", calls(p) == 1 and np.allclose(dst.numpy(), want, atol=1e-4))
            del lines
            arrpy.call("arr_fft_plan_release", p)


FUNCTIONS = [
    "cufftCreate",
    "cufftSetAutoAllocation",
    "cufftXtSetJITCallback",
    "cufftMakePlanMany64",
    "cufftSetStream",
    "cufftSetWorkArea",
    "cufftXtExec",
    "cuMemAlloc_v2",
    "cuEventCreate",
    "cuLaunchKernel",
    "cuStreamWaitEvent",
    "cuEventRecord",
    "cuStreamIsCapturing",
    "nvrtcCreateProgram",
    "nvrtcCompileProgram",
    "nvrtcGetLTOIRSize",
    "nvrtcGetLTOIR",
]
CODES = {"cu": (2, 1), "cufft": (2, 5), "nvrtc": (1, 11)}  # no memory, and something else


def failures(report):
    """Each call of the driver, of cuFFT and of NVRTC in a fused call fails once. It then fails with the function's name, or
    was refused, and works when it is made again; nothing is left behind."""
    library = fake()
    x, y = numbers((4, 12), "float64", False), np.linspace(1, 2, 12)
    a, u, dst = report.array(x), report.array(y), report.array(np.zeros((4, 7), "f4"))
    want = np.abs(np.fft.rfft(x * y)) / 2
    device = arrpy.device_of(report.device)
    both = [arrpy.made("arr_stream_create", ctypes.byref(device), 0, of=C.arr_stream) for _ in range(2)]
    behind, terms = Map("absolute(x) / 2"), 0

    def work(program):
        p = plan(report, R2C, "float64", (4, 12), (1,))
        try:
            for s in both:
                fused(p, [a, u], dst, program, behind, stream=s)
                arrpy.call("arr_stream_sync", s)
            return dst.numpy()
        finally:
            arrpy.call("arr_fft_plan_release", p)

    def handles_and_bytes():
        arrpy.call("arr_fft_cache_clear", device)
        arrpy.call("arr_memory_trim", device)
        return [library.arr_fake_cuda_live(k) for k in (b"handles", b"bytes")]

    for function in FUNCTIONS:
        codes = CODES[next(k for k in ("cufft", "nvrtc", "cu") if function.startswith(k))]
        for code, call in itertools.product(codes, range(1, 9)):
            if function.startswith("nvrtc"):
                arrpy.call("arr_cache_clear")
            terms += function in ("cufftXtSetJITCallback", "cufftMakePlanMany64")  # a refusal is remembered
            program = Map("x * u" + " + 0 * x" * terms)
            live, before = handles_and_bytes(), library.arr_fake_cuda_calls(function.encode())
            library.arr_fake_cuda_fail(function.encode(), call, code, 0)
            label = f"{function} call {call} code {code}"
            try:
                report.check(label + ": right", np.allclose(work(program), want, rtol=1e-5))
            except arrpy.Error as e:
                report.check(label, "\n" not in str(e) and function.replace("_v2", "") in str(e), str(e))
            made = library.arr_fake_cuda_calls(function.encode()) - before
            library.arr_fake_cuda_fail(function.encode(), 1 << 40, 0, 0)
            report.check(label + ": again", np.allclose(work(program), want, rtol=1e-5))
            left = handles_and_bytes()
            report.check(label + ": left", left == live or made == 0, f"{live} then {left}")
            if made < call:
                break
        report.check(function + ": is called", library.arr_fake_cuda_calls(function.encode()) > 0)
    for s in both:
        arrpy.call("arr_stream_release", s)


def switched_off(report):
    """Without callbacks, in processes of their own: by the variable, for a debugger, with an older cuFFT."""
    text = "import sys; sys.path.insert(0, sys.argv[1]); import fft_callbacks as f; f.without()"
    ways_ = [("switched off", {"ARR_CUFFT_CALLBACKS": "0"}), ("a debugger", {"ARR_CUDA_DEBUG": "1"})]
    for label, change in ways_ + ([("an older cuFFT", {"ARR_FAKE_CUDA_SET": "cufft=11400"})] if FAKE else []):
        run = subprocess.run(
            [sys.executable, "-B", "-c", text, os.path.dirname(os.path.abspath(__file__))],
            capture_output=True,
            text=True,
            env={**os.environ, **change},
            check=False,
        )
        report.check(label, run.returncode == 0, run.stderr[-400:])


def without():
    class Report:
        device = "cuda"
        array = staticmethod(lambda a: arrpy.array(a, device="cuda"))

    p, x = plan(Report, C2C, "float32", (4, 10), (1,)), numbers((4, 10), "float32", True)
    dst = fused(p, [Report.array(x)], Report.array(np.zeros((4, 10), "c8")), Map("x * 2"))
    assert np.allclose(dst.numpy(), 2 * np.fft.fft(x), atol=1e-4) and calls(p) == 0


def main():
    report = oracle.Report(__doc__)
    if report.device != "cuda":
        print("callbacks are cuFFT's")
        sys.exit(77)
    major = ctypes.c_int32()
    arrpy.call("arr_library_version", arrpy.device_of("cuda"), C.ARR_LIBRARY_CUFFT, ctypes.byref(major), None, None)
    if major.value < 12:
        print(f"cuFFT {major.value} takes no callbacks by name")
        sys.exit(77)
    for part in report.chosen((types, ways, streams, cache, switched_off) + ((refused, failures) if FAKE else ())):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
