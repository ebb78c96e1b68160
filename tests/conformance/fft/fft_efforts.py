#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Efforts of plans of Fourier transforms: rules, measuring, wisdom, and where FFTW is not there."""

import ctypes
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from fft import along_one, bound, compare, numbers, wide
from fft_plans import execute, facts, output, plan
from oracle import arrpy

C = arrpy.c


def forget(device):
    """Drops the plans and what FFTW has learnt, which estimates of parts of a length use too."""
    arrpy.call("arr_fft_wisdom_forget", device)
    arrpy.call("arr_fft_cache_clear", device)


def plans(report):
    """Plans that are estimated and measured, and what measuring teaches."""
    device, before = arrpy.device_of(report.device), ctypes.c_int32(9)
    if report.device != "host":
        report.check(
            "effort of cuFFT",
            oracle.raises(C.ARR_E_UNSUPPORTED, lambda: arrpy.call("arr_fft_plan_effort", device, 1, None)),
        )
        report.check(
            "wisdom of cuFFT",
            oracle.raises(C.ARR_E_UNSUPPORTED, lambda: arrpy.call("arr_fft_wisdom", device, 0, None, None)),
        )
        return
    stats = C.arr_fft_cache_stats(ctypes.sizeof(C.arr_fft_cache_stats))

    def made():
        arrpy.call("arr_fft_cache_info", device, ctypes.byref(stats))
        return stats.misses

    def wisdom():
        length = ctypes.c_int64()
        arrpy.call("arr_fft_wisdom", device, 0, None, ctypes.byref(length))
        text = ctypes.create_string_buffer(length.value + 1)
        arrpy.call("arr_fft_wisdom", device, length.value + 1, text, None)
        return text.value

    made()  # the cache itself is made by its first use
    arrpy.call("arr_fft_wisdom_forget", device)
    nothing = wisdom()
    for d in ("complex64", "complex128"):
        x = numbers((3, 360), d)
        a, want = report.array(x), np.fft.fft(wide(x))
        arrpy.call("arr_fft_cache_clear", device)
        for effort, more in ((0, True), (1, True), (0, False), (2, True), (1, False)):
            arrpy.call("arr_fft_plan_effort", device, effort, ctypes.byref(before))
            count = made()
            got = along_one("fft", a)
            got.numpy()
            report.check(f"plan of effort {effort} {d}", (made() > count) == more, f"{made() - count} made")
            compare(report, f"effort {effort} {d}", got, want, d, bound(x, want))
        arrpy.call("arr_fft_plan_effort", device, 0, ctypes.byref(before))
        report.check(f"effort before {d}", before.value == 1)
    learnt = wisdom()
    report.check("wisdom", len(learnt) > len(nothing) and learnt.count(b"(fftw-") == 2)
    arrpy.call("arr_fft_wisdom_forget", device)
    report.check("wisdom forgotten", wisdom() == nothing)
    arrpy.call("arr_fft_wisdom_import", device, learnt)
    report.check("wisdom imported", sorted(wisdom().split()) == sorted(learnt.split()))
    for text in (b"", b"(fftw-3.3.10 nonsense)", b"wisdom", learnt + b"(fftw-3.3.10 nonsense)"):
        report.check(
            f"wisdom {text}", oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_fft_wisdom_import", device, text))
        )
    forget(device)
    for effort in (-1, 3):
        report.check(
            f"effort {effort}",
            oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_fft_plan_effort", device, effort, None)),
        )


def measured(report):
    """A measured plan stays in use, in the cache as in a plan of one's own; a plan by rules returns the same bits again."""
    if report.device != "host":
        return
    device = arrpy.device_of(report.device)
    for d, real in (("complex64", "float32"), ("complex128", "float64")):
        for n in (11 * 13 * 31, 67 * 71):
            x = numbers((2, n), d)
            a, want = report.array(x), np.fft.fft(wide(x))
            forget(device)
            got, own = {}, {}
            for step, effort in (("estimated", 0), ("measured", 1), ("kept", 0)):
                arrpy.call("arr_fft_plan_effort", device, effort, None)
                got[step] = along_one("fft", a)
                if step != "kept":
                    own[step] = plan(report, C.ARR_FFT_C2C, real, x.shape, (1,))
                compare(report, f"{step} {d} {n}", got[step], want, d, bound(x, want))
            report.check(f"kept is measured {d} {n}", np.array_equal(got["kept"].numpy(), got["measured"].numpy()))
            for step, p in own.items():
                before, dst = facts(p).plans, output(p)
                execute(p, a, dst)
                compare(report, f"own {step} {d} {n}", dst, want, d, bound(x, want))
                report.check(
                    f"own {step} needs no other plans {d} {n}",
                    facts(p).plans == before,
                    f"{facts(p).plans}, {before} before",
                )
                arrpy.call("arr_fft_plan_release", p)
            forget(device)
            report.check(
                f"estimated again {d} {n}", np.array_equal(along_one("fft", a).numpy(), got["estimated"].numpy())
            )


def absent(report):
    """Without FFTW (ARR_FFTW and ARR_FFTWF lead nowhere), nothing but its wisdom is missing, and the reason is told."""
    device, paths = arrpy.device_of(report.device), [os.environ["ARR_FFTWF"], os.environ["ARR_FFTW"]]
    for d in ("complex64", "complex128"):
        for effort in (0, 1, 2):
            arrpy.call("arr_fft_plan_effort", device, effort, None)
            for n in (64, 67, 1009):
                x = numbers((9, n), d)
                want = np.fft.fft(wide(x))
                compare(
                    report,
                    f"absent {d} {n} effort {effort}",
                    along_one("fft", report.array(x)),
                    want,
                    d,
                    bound(x, want),
                )
    for name, arguments in (
        ("wisdom", (0, None, None)),
        ("wisdom_import", (b"(fftw-3.3.10 )",)),
        ("wisdom_forget", ()),
    ):
        try:
            arrpy.call(f"arr_fft_{name}", device, *arguments)
            said = "nothing"
        except arrpy.Error as e:
            said = f"{e.status}: {e}"
        report.check(
            f"absent {name}",
            said.startswith(f"{C.ARR_E_UNAVAILABLE}: ") and "FFTW" in said and any(p in said for p in paths),
            said,
        )


if __name__ == "__main__":
    main_report = oracle.Report(__doc__)
    without = os.environ.get("ARR_FFTW", "").startswith("/nowhere/")
    for part in main_report.chosen((absent,) if without else (plans, measured)):
        part(main_report)
    main_report.finish()
