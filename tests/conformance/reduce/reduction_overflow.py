#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums of many numbers, and numbers so large or small, or so far from each other, that sums, squares and differences on the way
leave the range of their type where the result does not: against exact sums, and scaled results. NumPy is often inf or 0."""

import ctypes
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
import arrapi
from oracle import arrpy

C = arrpy.c
inf, nan = np.inf, np.nan
LAYOUTS = ("rows", "columns", "all", "gaps")


def call(name, **given):
    """arrapi.call, with its arguments alive till it is over."""
    kept = list(given.values())
    made = arrapi.call(name, **given)
    del kept
    return made


def near(report, label, got, want, rtol):
    got = got.numpy() if isinstance(got, arrpy.Array) else np.asarray(got)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = np.broadcast_to(want, got.shape).astype(got.dtype)
        good = (got == want) | (np.isnan(got) & np.isnan(want))
        good |= np.isfinite(got) & np.isfinite(want) & (np.abs(got / want - 1) <= rtol)
    report.check(label, bool(np.all(good)), f"got {got.ravel()[:4]}, want {want.ravel()[:4]}")


def laid_out(report, x, shape, layout):
    """(array of so many of x, axis to reduce)."""
    rows, n = shape
    if layout == "all":
        return report.array(np.full(n, x)), None
    if layout == "rows":
        return report.array(np.full((rows, n), x)), 1
    if layout == "columns":
        return report.array(np.full((n, rows), x)), 0
    return report.array(np.full((n, 2 * rows), x))[:, ::2], 0


def sums(report):
    """Equal numbers, whose rounding errors all go one way: with blocks of 128 and a tree the bound is about 140 places for any
    order of the blocks, and the errors of the tree alone are far smaller."""
    host = report.device == "host"
    shapes = (
        [(1, 100_003), (3, 100_003), (20, 20_011), (400, 5_003), (1, 1_000_000)]
        if host
        else [(1, 100_003), (3, 20_011), (300, 2_003)]
    )
    for d in (
        ("float32", "float64", "complex64", "complex128") if host else ("float32", "complex128")
    ):  # the fake compiles each kernel
        x = np.array(0.1 + 0.1j if d[0] == "c" else 0.1, d)
        eps = float(np.finfo(d).eps)
        wide = complex(x) if d[0] == "c" else float(x)
        for shape in shapes:
            for layout in LAYOUTS:
                a, axis = laid_out(report, x, shape, layout)
                n = shape[1]
                names = [("sum", wide * n), ("nanmean", wide)]
                if host:
                    names += [("mean", wide), ("nansum", wide * n)]
                if d[0] == "f":
                    names += [("sum_abs", wide * n), ("sum_squares", wide * wide * n), ("norm2", abs(wide) * n**0.5)]
                for name, want in names:
                    near(
                        report,
                        f"{name} of {shape} {d} {layout}",
                        arrpy.reduce(name, a, axis),
                        np.asarray(want),
                        8 * eps,
                    )
    if host:
        a = report.array(np.full(10_000_000, 0.1, "f4"))
        near(report, "sum of 1e7", arrpy.reduce("sum", a), 1e7 * float(np.float32(0.1)), 5e-7)
        three = report.array(np.full((7, 1000, 13), 0.1, "f4"))
        for axes, n in (((0, 1), 7000), ((1, 2), 13000), ((0, 2), 91), ((0, 1, 2), 91000)):
            near(report, f"sum of axes {axes}", arrpy.reduce("sum", three, axes), n * float(np.float32(0.1)), 5e-7)
        weights = report.array(np.full(1_000_000, 0.3, "f4"))
        near(
            report,
            "average",
            call("arr_average", a=report.array(np.full(1_000_000, 0.1, "f4")), weights=weights)["out"],
            float(np.float32(0.1)),
            1e-6,
        )


def spread(r, shape, d):
    x = r.standard_normal(shape)
    return (x + 1j * r.standard_normal(shape) if d[0] == "c" else x).astype(d)


def norms(report):
    """Numbers times a power of two have the norm times that."""
    r = np.random.default_rng(1)
    for d in (
        ("float32", "float64", "complex64", "complex128") if report.device == "host" else ("float32", "complex128")
    ):
        real = np.finfo(d).dtype
        top = np.finfo(d).maxexp - 2
        few = 8 * float(np.finfo(d).eps)
        for shape, axis in (((4,), None), ((3, 700), 1), ((700, 3), 0), ((9, 5000), None), ((300, 40), 0)):
            x = spread(r, shape, d)
            x /= np.abs(x).max()
            for e in (top, top // 2 + 5, -(top // 2) - 5, -top + 40):
                s = np.ldexp(real.type(1), e)
                a = report.array(x * s)
                for name in ("norm2", "std", "nanstd"):
                    kw = {"correction": 0.0} if "std" in name else {}
                    want = (
                        np.sqrt((np.abs(x.astype("c16" if d[0] == "c" else "f8")) ** 2).sum(axis))
                        if name == "norm2"
                        else x.astype("c16" if d[0] == "c" else "f8").std(axis)
                    )
                    near(
                        report,
                        f"{name} {d} {shape} {e}",
                        arrpy.reduce(name, a, axis, **kw),
                        want * float(s),
                        few if name == "norm2" else 30 * few,
                    )
                if d[0] == "f" and axis is None:
                    for p in (3.0, 2.5, 1.5, 0.5, -1.0):
                        if p < 1 and len(x.ravel()) ** (1 / p) * float(s) > float(np.finfo(d).max):
                            continue
                        want = (np.abs(x.astype("f8")) ** p).sum() ** (1 / p) * float(s)
                        near(
                            report,
                            f"p = {p} {d} {shape} {e}",
                            call("arr_vector_norm", a=a, p=p)["out"],
                            want,
                            200 * few,
                        )
    for d, values in (
        ("float64", [0, 3e-200, 4e-200]),
        ("float32", [3e-30, 0, 4e-30]),
        ("float64", [3e200, 4e200, 1e-300]),
    ):
        near(
            report,
            f"norm2 {values}",
            arrpy.reduce("norm2", report.array(np.array(values, d))),
            np.asarray(5e-200 if values[0] == 0 else 5e-30 if d == "float32" else 5e200, d),
            1e-6,
        )
    for values, want in (
        ([0.0, 0.0], 0),
        ([inf, 1.0], inf),
        ([nan, 1e300], nan),
        ([-inf, nan], nan),
        ([5e-324], 5e-324),
        ([1.7e308], 1.7e308),
        ([], 0),
    ):
        near(report, f"norm2 {values}", arrpy.reduce("norm2", report.array(np.array(values))), want, 1e-15)
        near(
            report,
            f"p = 3 {values}",
            call("arr_vector_norm", a=report.array(np.array(values)), p=3.0)["out"],
            want,
            1e-13,
        )
    near(report, "Frobenius", call("arr_norm", a=report.array(np.full((2, 2), 1e200)))["out"], 2e200, 1e-15)


def deviations(report):
    f4, f8 = (lambda *x: report.array(np.array(x, "f4"))), (lambda *x: report.array(np.array(x, "f8")))
    for label, a, want in (
        ("+-1e200", f8(1e200, -1e200), 1e200),
        ("float32 0 and 3.4e38", f4(0, 3.4e38), 1.7e38),
        ("+-1e-200", f8(1e-200, -1e-200), 1e-200),
        ("float32 +-1e-30", f4(1e-30, -1e-30), 1e-30),
        ("+-1.7e308", f8(1.7e308, -1.7e308), 1.7e308),
        ("1e200 and 1", f8(1e200, 1, 1e200, 1), 5e199),
        ("equal", f8(1e200, 1e200), 0),
        ("one", f8(1e-300), 0),
        ("subnormal", f8(1e-310, 3e-310), 1e-310),
        ("inf", f8(inf, 1), nan),
        ("nan", f8(nan, 1e200), nan),
    ):
        near(report, f"std of {label}", arrpy.reduce("std", a, correction=0.0), want, 1e-6)
    near(report, "var of +-1e200", arrpy.reduce("var", f8(1e200, -1e200), correction=0.0), inf, 0)
    near(report, "var of +-1e-200", arrpy.reduce("var", f8(1e-200, -1e-200), correction=0.0), 0, 0)
    near(report, "nanstd", arrpy.reduce("nanstd", f8(nan, 1e200, -1e200), correction=0.0), 1e200, 1e-15)
    x = np.concatenate([np.full(20_000, 1e200), np.full(20_000, -1e200)])
    near(report, "std of many", arrpy.reduce("std", report.array(x), correction=0.0), 1e200, 1e-14)
    x = np.random.default_rng(2).standard_normal((3, 50))
    want = np.corrcoef(x)
    for scale in (1e-200, 1e200, 1e-300):
        got = call("arr_corrcoef", x=report.array(x * np.array([[1], [scale], [1 / 3]])))["out"]
        near(report, f"corrcoef {scale}", got, want, 1e-12)


def quantiles(report):
    def of(values, q, method, d="f8", name="quantile"):
        q = [q] if np.isscalar(q) else q
        scale = 100 if "percentile" in name else 1
        return call(
            f"arr_{name}",
            a=report.array(np.array(values, d)),
            nq=len(q),
            q=(ctypes.c_double * len(q))(*[scale * x for x in q]),
            method=method,
        )["out"]

    for method in range(13):
        for name in (
            ("quantile", "nanquantile", "percentile", "nanpercentile") if report.device == "host" else ("quantile",)
        ):
            # Between the points of [0, inf] and [-inf, 0] lies infinity; at them it is the element.
            got = of([0, inf], [0, 0.45, 0.55, 1], method, "f4", name).numpy()
            report.check(
                f"{name} {method} of 0 and inf",
                not np.isnan(got).any() and got[0] == 0 and got[-1] == inf and set(got[1:3]) <= {0, inf},
                f"{got}",
            )
            got = of([-inf, 0], [0, 0.45, 0.55, 1], method, "f8", name).numpy()
            report.check(
                f"{name} {method} of -inf and 0", not np.isnan(got).any() and got[0] == -inf and got[-1] == 0, f"{got}"
            )
            a = np.array([-1.5, -1, 1, 1.5])
            want = of(a, [0.2, 0.5, 0.6], method, "f8", name).numpy() * 1e308
            near(
                report,
                f"{name} {method} of distant ones",
                of(a * 1e308, [0.2, 0.5, 0.6], method, "f8", name),
                want,
                1e-12,
            )
    near(report, "quantile .5 of +-1.7e308", of([-1.7e308, 1.7e308], 0.5, 0), 0, 0)
    near(report, "quantile .6 of 0, inf", of([0, inf], [0.4, 0.6], 0, "f4"), inf, 0)
    near(report, "quantile .6 of 0, inf in float16", of([0, inf], [0.4, 0.6], 0, "f2"), inf, 0)
    near(report, "median", call("arr_median", a=report.array(np.array([1.7e308, 1.5e308])))["out"], 1.6e308, 1e-15)
    near(
        report,
        "complex median",
        call("arr_median", a=report.array(np.array([1.7e308 + 1j, 1.5e308 + 3j])))["out"],
        1.6e308 + 2j,
        1e-15,
    )


def interpolation(report):
    for label, x, xp, fp, want in (
        ("values", [0.25, 0.5], [0, 1], [-1.6e308, 1.6e308], [-0.8e308, 0]),
        ("points", [0, 0.85e308], [-1.7e308, 1.7e308], [-1, 1], [0, 0.5]),
        ("both", [0], [-1.7e308, 1.7e308], [-1.7e308, 1.7e308], [0]),
        ("a steep slope", [5e-11], [0, 1e-10], [0, 1e308], [5e307]),
        ("a flat slope", [5e19], [0, 1e20], [0, 1e-300], [5e-301]),
        ("infinity", [0.5, 0], [0, 1], [0, inf], [inf, 0]),
        ("as ever", [0.5, 2.5, -1, 9], [0, 1, 3], [1, 2, 5], [1.5, 4.25, 1, 5]),
    ):
        got = call(
            "arr_interp",
            x=report.array(np.array(x, "f8")),
            xp=report.array(np.array(xp, "f8")),
            fp=report.array(np.array(fp, "f8")),
        )["out"]
        near(report, f"interp of {label}", got, np.array(want, "f8"), 1e-15)


def transforms(report):
    """An impulse's transform is that number everywhere, however large it is."""
    for d, x in (("float64", 1e308), ("float32", 3e38)):
        for n in (4, 6, 16, 30, 250, 1000, 4096, 20000):
            for index in (0, 1):
                a = np.zeros(n, d)
                a[index] = x
                got = call("arr_rfft", a=report.array(a), n=-1, axis=-1, norm=0)["out"].numpy()
                good = np.abs(np.abs(got.astype("c16") / x) - 1) < 1e-5
                report.check(f"rfft of an impulse, {d} {n} {index}", bool(good.all()), f"{got[~good][:3]}")
                got = call("arr_fft", a=report.array(a), n=-1, axis=-1, norm=0)["out"].numpy()
                good = np.abs(np.abs(got.astype("c16") / x) - 1) < 1e-5
                report.check(f"fft of an impulse, {d} {n} {index}", bool(good.all()), f"{got[~good][:3]}")
        for kind in (2, 3, 4):
            for sine in ("dct", "dst"):
                a = np.zeros(64, d)
                a[5] = 1
                want = (
                    call(f"arr_{sine}", a=report.array(a), type=kind, n=-1, axis=-1, norm=1)["out"].numpy().astype("f8")
                    * x
                )
                a[5] = x
                got = call(f"arr_{sine}", a=report.array(a), type=kind, n=-1, axis=-1, norm=1)["out"].numpy()
                if kind != 4:
                    report.check(
                        f"{sine} {kind} of an impulse, {d}",
                        bool(np.allclose(got / x, want / x, atol=1e-6)),
                        f"{got[:3]}",
                    )


def main():
    report = oracle.Report(__doc__)
    # On CUDA transforms are cuFFT's.
    for part in report.chosen(
        (sums, norms, deviations, quantiles, interpolation, *([transforms] if report.device == "host" else []))
    ):
        part(report)
    return report.finish()


if __name__ == "__main__":
    raise SystemExit(main())
