#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rounding to decimals against NumPy and decimal arithmetic."""

import ctypes
import decimal
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from ufuncs import C, SOME, call, into


def rounding(report):
    for d, decimals in itertools.product(SOME, (-2, -1, 0, 1, 3)):
        if d == "bool" and decimals != 0:
            continue  # NumPy has no such
        x = oracle.sample((6, 20), d, 9) if d != "float16" else oracle.sample((6, 20), d, 9, "tame")
        got = call("arr_round", report.array(x), decimals).numpy()
        # 16-bit floats are scaled in float32 and rounded once.
        want = np.round(x.astype("f4"), decimals).astype("f2") if d == "float16" else np.round(x, decimals)
        if d == "int64" and decimals < 0:  # exactly, where NumPy goes by float64
            got, want = (np.where(np.abs(x.astype("f8")) < 2**53, v, 0) for v in (got, want))
        report.check(f"round {d} {decimals}", oracle.same(got, want), f"{got.ravel()[:6]} {want.ravel()[:6]}")
    for d in SOME + ["bfloat16", "complex128"]:
        x = oracle.sample((5, 30), d, 4)
        if oracle.kind(d) == "C":
            x.ravel()[:6] = [complex(np.nan, 1), complex(np.inf, np.nan), complex(-1, -np.inf), np.inf, -np.inf, np.nan]
        for nan, pos, neg in ((0.0, None, None), (-1.5, 7.0, None), (2.0, 3.0, -4.0)):
            limits = [None if v is None else ctypes.byref(ctypes.c_double(v)) for v in (pos, neg)]
            got = call("arr_nan_to_num", report.array(x), nan, *limits).numpy()
            if d == "bfloat16":  # finfo of NumPy does not know it
                top = float(np.array(0x7F7F, "u2").view(oracle.bfloat16))
                want = np.nan_to_num(
                    x.astype("f4"), nan=nan, posinf=top if pos is None else pos, neginf=-top if neg is None else neg
                ).astype(oracle.bfloat16)
            else:
                want = np.nan_to_num(x, nan=nan, posinf=pos, neginf=neg)
            report.check(
                f"nan_to_num {d} {nan} {pos} {neg}", oracle.same(got, want), f"{got.ravel()[:6]} {want.ravel()[:6]}"
            )
    report.check(
        "round far off refused",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: call("arr_round", report.array(np.ones(2)), 1000)),
    )


def replacing(report):
    """nan_to_num by arrays of replacements, some of them left out."""
    shape = (5, 6)
    choices = {
        "none": None,
        "whole": np.arange(30.0).reshape(shape),
        "row": np.arange(6.0) - 2,
        "column": np.arange(5.0).reshape(5, 1) / 4,
        "single": np.array(3.5),
        "integers": np.arange(6),
        "float32": np.arange(6, dtype="f4") + np.float32(0.25),
    }
    names = list(choices)
    for d in ("float16", "float32", "float64", "complex64", "complex128"):
        x = oracle.sample(shape, d, 4)
        x.ravel()[::4] = np.nan
        x.ravel()[1::4] = np.inf
        x.ravel()[2::4] = -np.inf
        if oracle.kind(d) == "C":
            x.ravel()[:6] = [complex(np.nan, 1), complex(np.inf, np.nan), complex(-1, -np.inf), np.inf, -np.inf, np.nan]
        for i, nan in enumerate(names):
            given = [choices[name] for name in (nan, names[i - 1], names[i - 3])]
            arrays = [None if v is None else report.array(v) for v in given]
            got = call("arr_nan_to_num_with", report.array(x), *(None if v is None else v.handle for v in arrays))
            want = np.nan_to_num(x, nan=0.0 if given[0] is None else given[0], posinf=given[1], neginf=given[2])
            report.check(f"nan_to_num of {d} by {nan}", oracle.same(got.numpy(), want), str(got.numpy()))
    whole = report.array(np.arange(6))
    row, two = report.array(np.ones(6)), report.array(np.ones(2))
    got = call("arr_nan_to_num_with", whole, row.handle, None, None)
    report.check("nan_to_num of integers", np.array_equal(got.numpy(), np.arange(6)) and got.numpy().dtype == "int64")
    a, z = report.array(np.ones((5, 6))), report.array(np.ones(6, "c16"))
    for label, status, given in (
        ("shape", C.ARR_E_SHAPE, (row, two, None)),
        ("larger", C.ARR_E_SHAPE, (report.array(np.ones((2, 5, 6))), None, None)),
        ("complex", C.ARR_E_DTYPE, (None, None, z)),
    ):
        handles = [None if v is None else v.handle for v in given]
        refused = oracle.raises(status, lambda: call("arr_nan_to_num_with", a, *handles))
        report.check(f"nan_to_num by {label} refused", refused)


def exact(x, decimals):
    if not np.isfinite(x):
        return x
    unit = decimal.Decimal(1).scaleb(-decimals)
    with decimal.localcontext(prec=1200, Emax=99999, Emin=-99999):
        return (decimal.Decimal(x.item()) / unit).to_integral_value(decimal.ROUND_HALF_EVEN) * unit


def rounding_far(report):
    """Scales that overflow, underflow or do not fit in the type, against decimal arithmetic."""
    floats = {
        "float16": [60000, 1.234, 65504, -0.4, 6e-8, 2049, 5, 15],
        "float32": [3.4e38, 1e20, 16777217, 1.5e-38, 1e-45, -2.75, 3e37, 5e37],
        "float64": [1e304, 1.5, -1.7e308, 4503599627370497.5, 4.4e-310, 2.5, 6e307, 1e22, -0.0],
    }
    for d, values in floats.items():
        x = np.array([*values, np.inf, -np.inf, np.nan], d)
        for decimals in (
            -400,
            -309,
            -308,
            -45,
            -39,
            -38,
            -5,
            -4,
            -1,
            1,
            2,
            5,
            8,
            38,
            39,
            46,
            76,
            308,
            309,
            310,
            324,
            400,
        ):
            if report.device != "host" and decimals not in (-39, -5, 5, 310):
                continue
            want = np.array([float(exact(v, decimals)) for v in x]).astype(d)
            got = call("arr_round", report.array(x), decimals).numpy()
            near = np.abs(got.astype("f8") - want) <= np.spacing(np.abs(want)).astype("f8")
            good = got.dtype == x.dtype and np.all(near | (got == want) | np.isnan(want) & np.isnan(got))
            report.check(
                f"round {d} {decimals} far", good and np.array_equal(np.signbit(got), np.signbit(x)), f"{got} {want}"
            )
            z = (x + 1j * x[::-1]).astype("c16" if d == "float64" else "c8") if d != "float16" else None
            if z is not None:
                parts = [call("arr_round", report.array(p.copy()), decimals).numpy() for p in (z.real, z.imag)]
                got = call("arr_round", report.array(z), decimals).numpy()
                report.check(
                    f"round complex {d} {decimals} far",
                    oracle.same(got.real.copy(), parts[0]) and oracle.same(got.imag.copy(), parts[1]),
                )


def rounding_integers(report):
    """Integers to tens and more, against decimal arithmetic."""
    for d in oracle.SIGNED + oracle.UNSIGNED:
        i = np.iinfo(d)
        x = np.array(
            [
                0,
                5,
                15,
                25,
                55,
                105,
                115,
                i.max,
                i.max - 7,
                i.min,
                i.min + 7,
                i.max // 3,
                i.max // 20 * 10 + 5,
                2**53 + 5 if i.bits == 64 else 7,
                9223372036854775296 if i.bits == 64 else 45,
            ],
            d,
        )
        for decimals in (-1, -2, -3, -5, -10, -18, -19, -20, -25):
            if report.device != "host" and (d not in ("int64", "uint64", "int8") or decimals not in (-1, -19)):
                continue
            whole = [int(exact(v, decimals)) for v in x]
            want = np.array([(v - int(i.min)) % 2**i.bits + int(i.min) for v in whole], "O").astype(d)
            got = call("arr_round", report.array(x), decimals).numpy()
            report.check(f"round {d} {decimals} exactly", oracle.same(got, want), f"{got} {want}")


def rounding_into(report):
    """round and nan_to_num into arrays: other types, views, over the elements themselves."""
    for d in ["float32", "complex128"] if report.device != "host" else SOME:
        x = oracle.sample((6, 5), d, 3, "tame")
        if x.dtype.kind in "fc":
            x.ravel()[:3] = [np.nan, np.inf, -np.inf]
        for name, more in (("round", (1,)), ("round", (-1,)), ("nan_to_num", (1.5, None, None))):
            want = call(f"arr_{name}", report.array(x), *more).numpy()
            wide = report.array(np.zeros((6, 10), "c16"))
            into(name, wide[:, ::2], report.array(x), *more)
            good = oracle.same(wide.numpy()[:, ::2], want.astype("c16")) and not wide.numpy()[:, 1::2].any()
            report.check(f"{name} {d} {more} into complex128, a view", good)
            if want.dtype != x.dtype:
                continue
            own = report.array(x)
            into(name, own, own, *more)
            report.check(f"{name} {d} {more} in place", oracle.same(own.numpy(), want))
            near = report.array(np.concatenate([x, x]))
            into(name, near[1:7, :], near[:6, :], *more)
            report.check(
                f"{name} {d} {more} over a part",
                oracle.same(near.numpy()[1:7], want) and oracle.same(near.numpy()[:1], x[:1]),
            )
    a, row, whole = report.array(np.ones((2, 3))), report.array(np.ones(3)), report.array(np.ones((2, 3), "i4"))
    for name, more in (("round", (1,)), ("nan_to_num", (0.0, None, None))):
        report.check(f"{name} into shape refused", oracle.raises(C.ARR_E_SHAPE, lambda: into(name, row, a, *more)))
        report.check(f"{name} into int refused", oracle.raises(C.ARR_E_DTYPE, lambda: into(name, whole, a, *more)))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((rounding, replacing, rounding_far, rounding_integers, rounding_into)):
        part(r)
    r.finish()
