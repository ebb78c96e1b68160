#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Transforms that are planned ahead against SciPy, and that they need nothing of the device's cache."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.fft

import oracle
from oracle import arrpy

C = arrpy.c
NORMS = ["backward", "ortho", "forward"]
C2C, R2C, C2R = C.ARR_FFT_C2C, C.ARR_FFT_R2C, C.ARR_FFT_C2R
CASES = [
    ((8,), None),
    ((1000,), None),
    ((7, 12), None),
    ((7, 12), (0,)),
    ((12, 7), (1, 0)),
    ((3, 4, 5), None),
    ((3, 4, 6), (0, 2)),
    ((2, 3, 2, 5), None),
    ((2, 3, 2, 3, 4), (0, 1, 2, 4)),
    ((64, 16), (1,)),
    ((64, 16), (0,)),
    ((1, 1), None),
    ((0, 6), (1,)),
    ((5, 1009), (1,)),
    ((2, 1 << 15), (1,)),
    ((300, 260), None),
    ((3, 260, 260), (1, 2)),
    ((1 << 15, 2), (0,)),
]


def plan(report, kind, real, shape, axes=None, naxes=None):
    out = C.arr_fft_plan()
    arrpy.call(
        "arr_fft_plan_create",
        kind,
        arrpy.number(real),
        len(shape),
        arrpy.int64s(shape),
        naxes if naxes is not None else 0 if axes is None else len(axes),
        None if axes is None else arrpy.int32s(axes),
        arrpy.device_of(report.device),
        ctypes.byref(out),
    )
    return out


def execute(p, a, dst, inverse=0, norm=0):
    arrpy.call("arr_fft_plan_execute", p, a.handle, dst.handle, inverse, norm, None)
    return dst


def output(p):
    return arrpy.made("arr_fft_plan_output", p, None)


def facts(p):
    f = C.arr_fft_plan_properties(ctypes.sizeof(C.arr_fft_plan_properties))
    arrpy.call("arr_fft_plan_info", p, ctypes.byref(f))
    return f


def cache(report):
    stats = C.arr_fft_cache_stats(ctypes.sizeof(C.arr_fft_cache_stats))
    arrpy.call("arr_fft_cache_info", arrpy.device_of(report.device), ctypes.byref(stats))
    return stats.hits, stats.misses


def numbers(shape, real, complex_, seed=1):
    r = np.random.default_rng(seed)
    x = r.normal(size=shape)
    return (x + 1j * r.normal(size=shape) if complex_ else x).astype(
        {"float32": "c8", "float64": "c16"}[real] if complex_ else real
    )


def close(got, want, real):
    if got.shape != want.shape:
        return False
    size = 2 * max(np.linalg.norm(want.ravel()) / np.sqrt(max(want.size, 1)), 1e-30) if want.size else 1
    return bool(np.all(np.abs(got - want) <= 4 * (2 + np.log2(max(want.size, 2))) * np.finfo(real).eps * size))


def transforms(report):
    """Every kind, with any cache: what executes looks nothing up."""
    device = arrpy.device_of(report.device)
    for real in ("float32", "float64"):
        for shape, axes in CASES:
            along = tuple(range(len(shape))) if axes is None else axes
            half = tuple(n // 2 + 1 if i == along[-1] else n for i, n in enumerate(shape))
            rows = [
                (C2C, 0, "fftn", shape, True),
                (C2C, 1, "ifftn", shape, True),
                (R2C, 0, "rfftn", shape, False),
                (C2R, 1, "irfftn", half, True),
            ]
            plans = {kind: plan(report, kind, real, shape, axes) for kind in (C2C, R2C, C2R)}
            arrpy.call("arr_fft_cache_clear", device)
            for kind, inverse, name, given, complex_ in rows:
                x = numbers(given, real, complex_, 3)
                a, p = report.array(x), plans[kind]
                extents = {"s": [shape[d] for d in along]} if name == "irfftn" else {}
                for norm in range(3):
                    before = cache(report)
                    got = execute(p, a, output(p), inverse, norm).numpy()
                    label = f"{name} {real} {shape} axes {axes} {NORMS[norm]}"
                    report.check(f"{label} without the cache", cache(report) == before, f"{before} {cache(report)}")
                    wide = x.astype("c16" if complex_ else "f8")
                    want = getattr(scipy.fft, name)(wide, axes=along, norm=NORMS[norm], **extents)
                    report.check(
                        label,
                        close(got, want, real) and got.dtype == numbers((1,), real, name != "irfftn").dtype,
                        f"{got.ravel()[:4]} expected {want.ravel()[:4]}",
                    )
                report.check(f"input untouched {name} {real} {shape}", bool(np.array_equal(a.numpy(), x)))
            for kind, p in plans.items():
                f = facts(p)
                report.check(
                    f"facts {kind} {real} {shape}",
                    (f.kind, f.real, f.ndim, f.naxes) == (kind, arrpy.number(real), len(shape), len(along))
                    and (f.plans > 0) == (0 not in shape),
                )
                arrpy.call("arr_fft_plan_release", p)
    p = plan(report, C2C, "float32", (4, 5, 6), naxes=2)  # the last two
    x = numbers((4, 5, 6), "float32", True)
    got = execute(p, report.array(x), output(p)).numpy()
    report.check("the last axes", close(got, np.fft.fft2(x), "float32"))
    arrpy.call("arr_fft_plan_release", p)


def again(report):
    """A plan runs again and again, into the same array, into parts of one, after a cache of nothing."""
    device = arrpy.device_of(report.device)
    arrpy.call("arr_fft_cache_limit", device, 0, -1)
    p = plan(report, C2C, "float64", (6, 32), (1,))
    x = numbers((4, 6, 32), "float64", True)
    a, dst = report.array(x), report.array(np.zeros((4, 6, 32), "c16"))
    made = facts(p).plans
    for k in range(4):
        execute(p, a[k], dst[k])
    report.check("parts", close(dst.numpy(), np.fft.fft(x), "float64"))
    whole = report.array(np.zeros(1 + 6 * 32, "c16"))
    odd = whole[1:].reshape(6, 32)
    execute(p, a[0], odd)
    report.check("another alignment", close(odd.numpy(), np.fft.fft(x[0]), "float64"))
    report.check("plans stay", facts(p).plans >= made)
    arrpy.call("arr_fft_cache_limit", device, 64, -1)
    arrpy.call("arr_fft_plan_release", p)
    p = plan(report, R2C, "float32", (1 << 15,))
    y = numbers((1 << 15,), "float32", False)
    got = execute(p, report.array(y), output(p))
    arrpy.call("arr_fft_plan_release", p)  # which takes nothing from what has begun
    report.check("released", close(got.numpy(), np.fft.rfft(y), "float32"))


def said(call):
    try:
        call()
    except arrpy.Error as e:
        return e.status, str(e)
    return 0, "nothing"


def refused(report):
    p, half = plan(report, C2C, "float32", (4, 6)), plan(report, R2C, "float32", (4, 6))
    back = plan(report, C2R, "float32", (4, 6))
    a, dst = report.array(np.ones((4, 6), "c8")), report.array(np.ones((4, 6), "c8"))
    r, h = report.array(np.ones((4, 6), "f4")), report.array(np.ones((4, 4), "c8"))
    both = report.array(np.ones((8, 6), "c8"))
    released = plan(report, C2C, "float32", (4,))
    arrpy.call("arr_fft_plan_release", released)
    cases = [
        ("kind", C.ARR_E_ARGUMENT, "argument kind: 3", lambda: plan(report, 3, "float32", (4,))),
        ("real", C.ARR_E_DTYPE, "argument real: complex64", lambda: plan(report, C2C, "complex64", (4,))),
        ("float16", C.ARR_E_DTYPE, "argument real: float16", lambda: plan(report, C2C, "float16", (4,))),
        ("no axis", C.ARR_E_SHAPE, "argument ndim", lambda: plan(report, C2C, "float32", ())),
        ("empty axis", C.ARR_E_SHAPE, "argument shape: 0 elements", lambda: plan(report, C2C, "float32", (4, 0))),
        ("negative", C.ARR_E_SHAPE, "shape", lambda: plan(report, C2C, "float32", (-4, 4), (1,))),
        ("huge", C.ARR_E_SHAPE, "", lambda: plan(report, C2C, "float32", (2**40, 2**40), (1,))),
        ("axis", C.ARR_E_SHAPE, "2", lambda: plan(report, C2C, "float32", (4, 4), (2,))),
        ("axes twice", C.ARR_E_SHAPE, "", lambda: plan(report, C2C, "float32", (4, 4), (1, -1))),
        ("naxes", C.ARR_E_ARGUMENT, "argument naxes: 3", lambda: plan(report, C2C, "float32", (4, 4), None, 3)),
        ("released", C.ARR_E_HANDLE, "argument plan", lambda: execute(released, a, dst)),
        ("released twice", C.ARR_E_HANDLE, "", lambda: arrpy.call("arr_fft_plan_release", released)),
        ("dtype of a", C.ARR_E_DTYPE, "argument a: float32, the plan is for complex64", lambda: execute(p, r, dst)),
        ("dtype of dst", C.ARR_E_DTYPE, "argument dst: float32, the plan is for complex64", lambda: execute(p, a, r)),
        ("shape of a", C.ARR_E_SHAPE, "argument a: shape (4,4), the plan is for (4,6)", lambda: execute(p, h, dst)),
        (
            "shape of dst",
            C.ARR_E_SHAPE,
            "argument dst: shape (4,6), the plan is for (4,4)",
            lambda: execute(half, r, dst),
        ),
        ("order of a", C.ARR_E_SHAPE, "argument a: not contiguous", lambda: execute(p, a[::-1], dst)),
        ("order of dst", C.ARR_E_SHAPE, "argument dst: not contiguous", lambda: execute(p, a, dst[:, ::-1])),
        ("in place", C.ARR_E_ARGUMENT, "argument dst: shares memory with a", lambda: execute(p, a, a)),
        ("overlap", C.ARR_E_ARGUMENT, "argument dst: shares memory with a", lambda: execute(p, both[:4], both[2:6])),
        (
            "r2c backward",
            C.ARR_E_ARGUMENT,
            "argument inverse: 1, a plan of ARR_FFT_R2C",
            lambda: execute(half, r, h, 1),
        ),
        ("c2r forward", C.ARR_E_ARGUMENT, "argument inverse: 0, a plan of ARR_FFT_C2R", lambda: execute(back, h, r, 0)),
        ("norm", C.ARR_E_ARGUMENT, "argument norm: 3", lambda: execute(p, a, dst, 0, 3)),
    ]
    for label, status, words, call in cases:
        got = said(call)
        report.check(f"refused {label}", got[0] == status and words in got[1], f"{got}")
    if report.device != "host":
        got = said(lambda: execute(p, arrpy.array(np.ones((4, 6), "c8")), dst))
        report.check("refused another device", got[0] == C.ARR_E_ARGUMENT and "argument a: on" in got[1], f"{got}")
    f = C.arr_fft_plan_properties(3)
    report.check(
        "refused facts", oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_fft_plan_info", p, ctypes.byref(f)))
    )
    for one in (p, half, back):
        arrpy.call("arr_fft_plan_release", one)
    arrpy.call("arr_fft_plan_release", None)


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((transforms, again, refused)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
