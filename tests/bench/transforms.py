# SPDX-License-Identifier: MIT
"""Fourier transforms beside SciPy's with two threads.

ARR_LIBRARY=build/lib/libarr.so.0 PYTHONPATH=tests/support python tests/bench/transforms.py times first calls, each in a
process of its own.
"""

import json
import subprocess
import sys

import numpy as np
import scipy
import scipy.fft

import arrpy
from workloads import Workload, address, close, function

WORKERS = 2


def numbers(shape, dtype):
    r = np.random.default_rng(3)
    x = r.normal(size=shape)
    return (x + 1j * r.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def workload(label, dtype, size, target, ours, peer, check, keep=()):
    return Workload(
        "fft", label, dtype, size, target, ours, peer, check, keep, peer_name="scipy", peer_version=scipy.__version__
    )


def transform(loops, name, dtype, shape, axes, target):
    """The last `axes` axes."""
    x = numbers(shape, dtype)
    a = arrpy.array(x)
    peer = getattr(scipy.fft, name)
    along = tuple(range(len(shape)))[-axes:]

    def check():
        got = arrpy.made(f"arr_{name}", a.handle, axes, None, None, 0, None).numpy()
        want = peer(x, axes=along)
        return bool(np.max(np.abs(got - want)) <= 1e-5 * np.max(np.abs(want)))

    return workload(
        f"{name} of {axes} axes of {shape}",
        dtype,
        x.size,
        target,
        loops("bench_fft", function(f"arr_{name}"), address(a), axes),
        lambda: peer(x, axes=along, workers=WORKERS),
        check,
        (a,),
    )


def cosine(loops, dtype, shape, axes):
    """Type 2 along the last `axes` axes."""
    x = numbers(shape, dtype)
    a = arrpy.array(x)
    along = tuple(range(len(shape)))[-axes:]

    def check():
        got = arrpy.made("arr_dctn", a.handle, 2, axes, None, None, 0, None).numpy()
        want = scipy.fft.dctn(x, axes=along)
        return bool(np.max(np.abs(got - want)) <= 1e-5 * np.max(np.abs(want)))

    return workload(
        f"dctn of {axes} axes of {shape}",
        dtype,
        x.size,
        None,
        loops("bench_dct", address(a), 2, axes),
        lambda: scipy.fft.dctn(x, axes=along, workers=WORKERS),
        check,
        (a,),
    )


def first(which, name, dtype, shape, axes):
    """ns of the first call in this process."""
    import time

    x = numbers(shape, dtype)
    if which == "ours":
        a = arrpy.array(x)
        start = time.perf_counter_ns()
        arrpy.made(f"arr_{name}", a.handle, axes, None, None, 0, None)
    else:
        along = tuple(range(len(shape)))[-axes:]
        start = time.perf_counter_ns()
        getattr(scipy.fft, name)(x, axes=along, workers=WORKERS)
    return time.perf_counter_ns() - start


def first_calls(rounds=7):
    """Prints the medians of first calls, ours and SciPy's alternately, of a few transforms."""
    cases = [
        ("fftn", "complex64", (1 << 20,), 1),
        ("fftn", "complex64", (1024, 1024), 2),
        ("fftn", "complex64", (4096, 1024), 1),
        ("rfftn", "float32", (1 << 20,), 1),
        ("fftn", "complex64", (1000,), 1),
        ("fftn", "complex64", (1009,), 1),
        ("fftn", "complex64", (1000003,), 1),
    ]
    for case in cases:
        times = {"ours": [], "scipy": []}
        for _ in range(rounds):
            for which, list_ in times.items():
                done = subprocess.run(
                    [sys.executable, "-B", __file__, json.dumps([which, *case])],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                list_.append(float(done.stdout))
        ours, peer = (np.median(t) / 1e6 for t in times.values())
        print(
            f"first {case[0]} {case[1]} {case[2]}: ours {ours:.3f} ms, SciPy {peer:.3f} ms, ours over SciPy {ours / peer:.2f}"
        )


def hit(loops, target):
    """Cost of the cache of plans: a transform of one element beside a copy of it."""
    a = arrpy.array(numbers((1,), "complex64"))
    x = numbers((1,), "complex64")
    return workload(
        "fftn of one element",
        "complex64",
        1,
        target,
        loops("bench_fft", function("arr_fftn"), address(a), 1),
        lambda: scipy.fft.fft(x),
        lambda: close(arrpy.made("arr_fftn", a.handle, 1, None, None, 0, None).numpy(), x),
        (a,),
    )


def all_workloads(loops, smoke):
    n, side, lines = (4096, 64, 64) if smoke else (1 << 20, 1024, 4096)
    cases = [
        ("fftn", "complex64", (n,), 1, 2.0),
        ("fftn", "complex64", (side, side), 2, 2.0),
        ("fftn", "complex64", (lines, side), 1, 2.0),
        ("rfftn", "float32", (n,), 1, 2.0),
        ("irfftn", "complex64", (n // 2 + 1,), 1, None),
        ("fftn", "complex128", (n,), 1, None),
        ("rfftn", "float64", (side, side), 2, None),
        ("fftn", "complex64", (64, 64, 64), 3, None),
        ("fftn", "complex64", (1000,), 1, None),
        ("fftn", "complex64", (16,), 1, None),
        ("fftn", "complex64", (1009,), 1, None),
        ("fftn", "complex64", (1000, 1000), 2, None),
    ]

    def one(case):
        return "fft", f"{case[0]} {case[2]}", lambda: transform(loops, *case)

    cosines = [
        ("fft", f"dctn {dtype} {shape}", lambda dtype=dtype, shape=shape, axes=axes: cosine(loops, dtype, shape, axes))
        for dtype, shape, axes in (("float32", (n,), 1), ("float32", (lines, side), 1), ("float64", (side, side), 2))
    ]
    return [one(c) for c in cases] + cosines + [("fft", "one element", lambda: hit(loops, None))]


if __name__ == "__main__":
    if len(sys.argv) == 1:
        first_calls()
    else:
        given = json.loads(sys.argv[1])
        print(first(given[0], given[1], given[2], tuple(given[3]), given[4]))
