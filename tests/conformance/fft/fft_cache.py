#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cache of plans of Fourier transforms."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from fft import C, along_one, numbers


def cached(report, capacity=300):
    """The plans that are kept, as tuples: id, kind, dtype, lengths, transforms, bytes."""
    whole, count = (ctypes.c_int64 * capacity), ctypes.c_int32()
    ids, lengths, transforms, size = whole(), (ctypes.c_int64 * (3 * capacity))(), whole(), whole()
    kinds, reals = (ctypes.c_int32 * capacity)(), (ctypes.c_int32 * capacity)()
    arrpy.call(
        "arr_fft_cache_plans",
        arrpy.device_of(report.device),
        capacity,
        ids,
        kinds,
        reals,
        lengths,
        transforms,
        size,
        ctypes.byref(count),
    )
    return [
        (ids[i], kinds[i], reals[i], tuple(n for n in lengths[3 * i : 3 * i + 3] if n), transforms[i], size[i])
        for i in range(min(capacity, count.value))
    ], count.value


def cache_entries(report):
    device = arrpy.device_of(report.device)
    stats = C.arr_fft_cache_stats(ctypes.sizeof(C.arr_fft_cache_stats))

    def look():
        arrpy.call("arr_fft_cache_info", device, ctypes.byref(stats))
        return stats.misses, stats.plans, stats.bytes

    arrpy.call("arr_fft_cache_clear", device)
    report.check("no entries", cached(report) == ([], 0))
    cases = [
        ("fft", "complex64", 48, C.ARR_FFT_C2C, C.ARR_FLOAT32),
        ("rfft", "float64", 50, C.ARR_FFT_R2C, C.ARR_FLOAT64),
        ("irfft", "complex64", 31, C.ARR_FFT_C2R, C.ARR_FLOAT32),
    ]
    arrays = [report.array(numbers((8, n), d)) for _, d, n, _, _ in cases]
    wants = [along_one(name, a).numpy() for (name, *_), a in zip(cases, arrays)]
    entries, count = cached(report)
    report.check("entries counted", count == len(entries) == look()[1] >= 3, f"{count} of {look()[1]}")
    report.check("bytes of entries", sum(e[5] for e in entries) == look()[2], str(entries))
    report.check("ids of entries", len({e[0] for e in entries}) == count)
    report.check("fewer than there are", cached(report, 1) == (entries[:1], count))
    last = 60  # the extent of a result of reals
    for (name, d, n, kind, real), length in zip(cases, (48, 50, last)):
        there = [e for e in entries if e[1:4] == (kind, real, (length,))]
        report.check(f"entry of {name} {d}", len(there) >= 1 and all(1 <= e[4] <= 8 for e in there), str(entries))
    report.check("the one used last is first", entries[0][1] == C.ARR_FFT_C2R, str(entries))
    along_one("fft", arrays[0]).numpy()
    again = cached(report)[0]
    report.check(
        "the one used again is first", again[0][1] == C.ARR_FFT_C2C and sorted(again) == sorted(entries), str(again)
    )
    drop = again[0][0]
    arrpy.call("arr_fft_cache_drop", device, drop)
    rest = cached(report)[0]
    report.check("one dropped", rest == again[1:] and look()[2] == sum(e[5] for e in rest), str(rest))
    for gone in (drop, 0, -1):
        report.check(
            f"no plan {gone}", oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_fft_cache_drop", device, gone))
        )
    misses = look()[0]
    report.check("made anew", np.array_equal(along_one("fft", arrays[0]).numpy(), wants[0]) and look()[0] > misses)
    report.check("under a new id", drop not in [e[0] for e in cached(report)[0]])
    count = ctypes.c_int32()
    report.check(
        "capacity",
        oracle.raises(
            C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_fft_cache_plans", device, -1, *[None] * 6, ctypes.byref(count))
        ),
    )
    report.check(
        "count NULL", oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_fft_cache_plans", device, 0, *[None] * 7))
    )
    arrpy.call("arr_fft_cache_plans", device, 0, *[None] * 6, ctypes.byref(count))
    report.check("the number only", count.value == len(cached(report)[0]))


def cache(report):
    along_one("fft", report.array(np.ones(8, "f4")))  # makes the cache, for which there must be memory
    device = arrpy.device_of(report.device)
    stats = C.arr_fft_cache_stats(ctypes.sizeof(C.arr_fft_cache_stats))

    def look():
        arrpy.call("arr_fft_cache_info", device, ctypes.byref(stats))
        return stats.hits, stats.misses, stats.plans, stats.bytes

    a = report.array(numbers((8, 48), "complex64"))
    arrpy.call("arr_fft_cache_clear", device)
    report.check("cache cleared", look()[2:] == (0, 0))
    want = along_one("fft", a).numpy()
    hits, misses, plans, size = look()
    report.check("cache filled", plans >= 1 and size > 0, str(look()))
    along_one("fft", a).numpy()  # which waits
    report.check("cache hit", look()[0] > hits and look()[1:] == (misses, plans, size), str(look()))
    arrpy.call("arr_fft_cache_limit", device, 1, -1)
    report.check("cache of one", look()[2] == 1 and stats.max_plans == 1, str(look()))
    arrpy.call("arr_fft_cache_limit", device, 0, -1)
    got = along_one("fft", a).numpy()
    report.check("cache of none", look()[2:] == (0, 0) and bool(np.array_equal(got, want)), str(look()))
    arrpy.call("arr_fft_cache_limit", device, -1, 1)
    along_one("fft", a).numpy()
    report.check("cache of a byte", look()[2:] == (0, 0) and stats.max_bytes == 1, str(look()))
    arrpy.call("arr_fft_cache_limit", device, 64, -1)
    for n in range(2, 200):
        along_one("fft", a, n).numpy()
    report.check("cache full", look()[2] == 64, str(look()))
    stats.struct_size = 3
    report.check("cache struct refused", oracle.raises(C.ARR_E_ARGUMENT, look))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((cache, cache_entries)):
        part(r)
    r.finish()
