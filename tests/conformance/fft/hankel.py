#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hankel transforms against SciPy, and against a transform that is known."""

import ctypes
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.fft

import oracle
from fft import numbers, single
from oracle import arrpy

C = arrpy.c


def transformed(name, a, dln, mu, offset=0.0, bias=0.0, axis=-1):
    return arrpy.made(f"arr_{name}", a.handle, dln, mu, offset, bias, axis, None)


def offset_of(dln, mu, initial=0.0, bias=0.0):
    out = ctypes.c_double()
    arrpy.call("arr_fhtoffset", dln, mu, initial, bias, ctypes.byref(out))
    return out.value


def near(report, label, got, want, dtype, steps):
    got = got.numpy()
    size = max(float(np.abs(want).max(initial=0)), 1e-300)
    error = float(np.abs(got.astype("f8") - want).max(initial=0)) / size / np.finfo(dtype).eps
    report.check(
        label,
        got.dtype == dtype and got.shape == want.shape and error <= steps,
        f"{got.dtype} {got.shape} {error:.1f} eps",
    )


def transforms(report):
    lengths = (1, 2, 5, 16, 33, 128) if report.device == "host" else (5, 16)
    for d in (
        [d for d in oracle.ALL if d not in oracle.COMPLEX]
        if report.device == "host"
        else ["int8", "float16", "float32", "float64"]
    ):
        dtype = np.dtype("f4" if single(d) else "f8")
        for n in lengths:
            x = numbers((3, n), d, n)
            wide = x.astype("f8")
            a = report.array(x)
            for dln, mu, offset, bias in (
                (0.1, 0.5, 0.0, 0.0),
                (0.05, 0.0, 0.3, 0.2),
                (-0.2, 1.5, -0.1, -0.3),
                (0.01, 3.0, 1.0, 0.7),
                (0.5, -0.7, 0.0, 0.0),
                (0.3, -3.5, 0.2, 0.1),
                (0.2, 40.0, 0.0, 0.5),
            ):
                for name in ("fht", "ifht"):
                    want = getattr(scipy.fft, name)(wide, dln, mu, offset, bias)
                    near(
                        report,
                        f"{name} {d} of {n} dln {dln} mu {mu} offset {offset} bias {bias}",
                        transformed(name, a, dln, mu, offset, bias),
                        want,
                        dtype,
                        2000 if dtype == "f8" else 64,
                    )
    x = numbers((6, 8, 4), "float64", 3)
    base = report.array(x)
    for label, view in (
        ("transposed", lambda v: v.transpose(2, 0, 1)),
        ("stepped", lambda v: v[::2, ::-1]),
        ("reversed", lambda v: v[:, :, ::-1]),
    ):
        near(
            report,
            f"fht {label}",
            transformed("fht", view(base), 0.1, 0.5, 0.0, 0.1),
            scipy.fft.fht(view(x), 0.1, 0.5, 0.0, 0.1),
            np.dtype("f8"),
            2000,
        )
        for axis in (0, 1, -1):
            for bias in (0.0, 0.1):
                want = np.moveaxis(scipy.fft.ifht(np.moveaxis(view(x), axis, -1), 0.1, 0.5, 0.0, bias), -1, axis)
                near(
                    report,
                    f"ifht {label} axis {axis} bias {bias}",
                    transformed("ifht", view(base), 0.1, 0.5, 0.0, bias, axis),
                    want,
                    np.dtype("f8"),
                    2000,
                )


def back(report):
    for n in (1, 4, 15, 64):
        x = numbers((2, n), "float64", n)
        a = report.array(x)
        for dln, mu, bias in ((0.1, 0.5, 0.0), (0.02, 2.0, 0.4), (0.3, -0.2, -0.1)):
            offset = offset_of(dln, mu, 0.1, bias)
            there = transformed("fht", a, dln, mu, offset, bias)
            near(
                report,
                f"fht of {n} and back, mu {mu} bias {bias}",
                transformed("ifht", there, dln, mu, offset, bias),
                x,
                np.dtype("f8"),
                2000,
            )


def known(report):
    """The transform of r^(mu+1) exp(-r^2 / 2) is k^(mu+1) exp(-k^2 / 2)."""
    r = np.logspace(-4, 4, 256)
    dln = np.log(r[1] / r[0])
    for mu in (1.0, 2.5):
        offset = offset_of(dln, mu, 0.0, 0.0)
        k = np.exp(offset) / r[::-1]
        got = transformed("fht", report.array(r ** (mu + 1) * np.exp(-(r**2) / 2)), dln, mu, offset).numpy()
        report.check(
            f"a Gaussian of order {mu}",
            np.allclose(got, k ** (mu + 1) * np.exp(-(k**2) / 2), rtol=0, atol=1e-8),
            str(got),
        )


def offsets(report):
    for dln in (0.1, 0.01, -0.3, 2.0):
        for mu in (0.0, 0.5, -0.4, -2.3, 3.0, 40.0):
            for initial, bias in ((0.0, 0.0), (0.3, 0.2), (-1.0, -0.4)):
                got, want = offset_of(dln, mu, initial, bias), scipy.fft.fhtoffset(dln, mu, initial, bias)
                # Halves of a step are as near on either side.
                report.check(
                    f"fhtoffset {dln} {mu} {initial} {bias}",
                    min(abs(got - want), abs(abs(got - want) - abs(dln))) <= 1e-12 * (1 + 1 / abs(dln)),
                    f"{got} {want}",
                )


def singular(report):
    """Poles of the gamma function: errors where SciPy warns, and its values where it does not."""
    x = np.linspace(1, 2, 8)
    a = report.array(x)
    for mu, bias in (
        (-1.0, 0.0),
        (-3.0, 0.0),
        (-2.0, 1.0),
        (-2.0, -1.0),
        (-4.0, 1.0),
        (-4.0, -1.0),
        (0.0, 1.0),
        (0.0, -1.0),
        (1.0, -2.0),
        (0.5, 1.5),
        (-0.5, 1.5),
    ):
        for name in ("fht", "ifht"):
            label = f"{name} mu {mu} bias {bias}"
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    want = getattr(scipy.fft, name)(x, 0.1, mu, 0.0, bias)
                except Warning:
                    report.check(
                        f"refuses {label}",
                        oracle.raises(C.ARR_E_ARGUMENT, lambda: transformed(name, a, 0.1, mu, 0.0, bias)),
                    )
                    continue
            near(report, label, transformed(name, a, 0.1, mu, 0.0, bias), want, np.dtype("f8"), 2000)


def refused(report):
    a = report.array(np.ones((2, 4)))
    cases = [
        ("dln 0", C.ARR_E_ARGUMENT, lambda: transformed("fht", a, 0.0, 1.0)),
        ("dln inf", C.ARR_E_ARGUMENT, lambda: transformed("ifht", a, float("inf"), 1.0)),
        ("mu", C.ARR_E_ARGUMENT, lambda: transformed("fht", a, 0.1, float("nan"))),
        ("offset", C.ARR_E_ARGUMENT, lambda: transformed("fht", a, 0.1, 1.0, float("nan"))),
        ("bias", C.ARR_E_ARGUMENT, lambda: transformed("fht", a, 0.1, 1.0, 0.0, float("inf"))),
        ("complex numbers", C.ARR_E_DTYPE, lambda: transformed("fht", report.array(np.ones(3, "c8")), 0.1, 1.0)),
        ("an axis", C.ARR_E_SHAPE, lambda: transformed("fht", a, 0.1, 1.0, 0.0, 0.0, 2)),
        ("a number", C.ARR_E_SHAPE, lambda: transformed("fht", report.array(np.ones(())), 0.1, 1.0)),
        ("an empty axis", C.ARR_E_SHAPE, lambda: transformed("fht", report.array(np.ones((3, 0))), 0.1, 1.0)),
        ("offset of dln 0", C.ARR_E_ARGUMENT, lambda: offset_of(0.0, 1.0)),
        ("offset of mu", C.ARR_E_ARGUMENT, lambda: offset_of(0.1, float("inf"))),
    ]
    for label, status, call in cases:
        report.check(f"refuses {label}", oracle.raises(status, call))
    got = transformed("fht", report.array(np.ones((0, 4))), 0.1, 1.0).numpy()
    report.check("of nothing", got.shape == (0, 4) and got.dtype == "f8")


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((transforms, back, known, offsets, singular, refused)):
        part(r)
    r.finish()
