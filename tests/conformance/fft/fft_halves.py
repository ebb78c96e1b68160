#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Transforms of reals that are made of half a transform and its symmetry, against NumPy 2 and SciPy."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.fft

import oracle
from fft import LAYOUTS, NORMS, along_several, bound, compare, expected_dtype, numbers, single, wide

C = oracle.arrpy.c


def halves(report):
    """Reals of which a transform gives half and the rest comes by symmetry, beside lengths where it does not."""

    def several_of(name, label, x, view=lambda a: a, s=None, axes=None, norm="backward"):
        d = "float32" if single(str(x.dtype)) else "float64"
        want = getattr(scipy.fft, name)(wide(view(x)), s, axes, norm)
        compare(
            report,
            f"{name} {x.dtype} {label} s {s} axes {axes} {norm}",
            along_several(name, view(report.array(x)), s, axes, norm),
            want,
            expected_dtype(name[:-1], d),
            bound(x, want),
        )

    host = report.device == "host"
    for d in ("float32", "float64"):
        for name in ("fftn", "ifftn"):
            for n in (1000, 1001, 2018, 8192, 8193, 16384, 40000, 40001) if host else (1000, 8192, 8193):
                x = numbers((n,), d, n)
                for norm in NORMS:
                    several_of(name, f"line of {n}", x, norm=norm)
                several_of(name, f"line of {n} reversed", x, lambda a: a[::-1])
                several_of(name, f"line of {n}", x, s=(n + 10,))
                several_of(name, f"line of {n}", x, s=(n - 98,), norm="ortho")
            x = numbers((7, 4096), d, 2)
            for label, view in LAYOUTS.items():
                for axes in ((1,), (0,), (0, 1), (1, 0)):
                    several_of(name, f"matrix {label}", x, view, None, axes)
            for s in ((1024,), (700,), (1100,), (600, 520), (1, 8192), (2, 5000), (5000, 2), (8192, 1), (3, 2731)):
                several_of(name, "matrix", x, s=s)
            y = numbers((4, 6, 512), d, 3)
            for axes in (None, (2,), (0, 2), (2, 0), (1, 2), (2, 1, 0), (0, 1)):
                several_of(name, "cube", y, axes=axes)
                several_of(name, "cube", y, lambda a: a.transpose(2, 0, 1), None, axes)
                several_of(name, "cube, backwards", y, lambda a: a[::-1, :, ::-1], None, axes)
            several_of(name, "cube", y, s=(3, 7, 600))
            several_of(name, "cube", y, s=(9, 400), axes=(1, 2))
            several_of(name, "four axes", numbers((2, 3, 4, 512), d, 4))
            z = numbers((1, 1024), d, 5)
            got = along_several(name, report.array(z).broadcast_to((9, 1024)), None, (0, 1))
            want = getattr(np.fft, name)(np.broadcast_to(wide(z), (9, 1024)))
            compare(
                report,
                f"{name} {d} broadcast",
                got,
                want,
                expected_dtype("fft", d),
                bound(np.broadcast_to(z, (9, 1024)), want),
            )
    for d in ("int8", "uint16", "int64", "bool", "float16", "bfloat16") if host else ("int32",):
        x = numbers((9, 2048), d, 6)
        for name in ("fftn", "ifftn"):
            for s in (None, (9, 2000), (10, 2100)):
                want = getattr(np.fft, name)(wide(x), s, None if s is None else (0, 1))
                compare(
                    report,
                    f"{name} {d} matrix s {s}",
                    along_several(name, report.array(x), s),
                    want,
                    expected_dtype("fft", d),
                    bound(wide(x), want),
                )
    x = numbers((16, 1024), "float64", 7)
    a = report.array(x)
    got = along_several("fftn", a).numpy()
    report.check("input untouched by halves", bool(np.array_equal(a.numpy(), x)))
    opposite = np.roll(got[::-1, ::-1], 1, (0, 1))
    report.check("halves are conjugates", bool(np.allclose(got, opposite.conj(), rtol=0, atol=1e-10)))
    nothing = along_several("ifftn", report.array(np.ones((0, 1024), "f4")), None, (1,)).numpy()
    report.check("halves of nothing", nothing.shape == (0, 1024) and nothing.dtype == "c8")
    report.check(
        "halves of an empty axis",
        oracle.raises(C.ARR_E_SHAPE, lambda: along_several("fftn", report.array(np.ones((1024, 0), "f4")))),
    )


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    halves(r)
    r.finish()
