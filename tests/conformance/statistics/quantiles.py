#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Medians, quantiles and percentiles by every method of NumPy's, over axes and layouts, with and without nan."""

import ctypes
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from arrpy import axes_of, c, made
from reductions import views

METHODS = [
    "linear",
    "lower",
    "higher",
    "midpoint",
    "nearest",
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "median_unbiased",
    "normal_unbiased",
]
PICKS = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")
QS = [0.0, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.99, 1.0]
REAL = oracle.SIGNED + oracle.UNSIGNED + oracle.FLOATS


def quantile(name, a, q, axis=None, keepdims=False, method="linear"):
    n, axes = axes_of(axis)
    values = [q] if np.isscalar(q) else list(q)
    array = (ctypes.c_double * len(values))(*values)
    return made(
        f"arr_{name}",
        a.handle,
        0 if np.isscalar(q) else len(values),
        array,
        n,
        axes,
        int(keepdims),
        METHODS.index(method),
        None,
    )


def median(name, a, axis=None, keepdims=False):
    n, axes = axes_of(axis)
    return made(f"arr_{name}", a.handle, n, axes, int(keepdims), None)


def wide(x, method="linear"):
    """For NumPy: differences of small integers wrap there, and are wrong."""
    if x.dtype.kind in "iu" and method not in PICKS:
        return x.astype("f8")
    return x.astype("f4") if x.dtype == oracle.bfloat16 else x


def data(d, shape, seed, nan):
    x = np.asarray(oracle.sample(shape, d, seed, "tame"))
    if nan and x.dtype.kind in "fV" and x.size:
        r = np.random.default_rng(seed)
        x[r.random(shape) < 0.2] = np.nan
    return x


def check(report, label, got, want, dtype):
    want = np.asarray(want).astype(dtype)
    got = got.numpy()
    good = got.shape == want.shape and got.dtype == want.dtype
    if good and want.dtype.kind in "biu":
        good = np.array_equal(got, want)
    elif good:
        eps = 2.0**-7 if want.dtype == oracle.bfloat16 else float(np.finfo(want.dtype).eps)
        size = np.nanmax(np.abs(want.astype("f8")), initial=0) if want.size else 0
        good = np.allclose(got.astype("f8"), want.astype("f8"), rtol=4 * eps, atol=4 * eps * size, equal_nan=True)
    report.check(
        label, good, f"{got.dtype}{got.shape} {got.ravel()[:5]}, want {want.dtype}{want.shape} {want.ravel()[:5]}"
    )


def methods(report):
    # On CUDA the formulas are one text for all dtypes.
    few = report.device != "host"
    for number, d in enumerate(REAL):
        for method in METHODS:
            if few and d not in ("int8", "uint64", "float16", "float64"):
                continue
            if not report.wants(f"{d} {method}"):
                continue
            for shape in ((5, 6, 7), (1,), (2, 40)):
                for nan in (False, True):
                    x = data(d, shape, number, nan)
                    dx = report.array(x)
                    name = "nanquantile" if nan else "quantile"
                    for axis in (None, 0, -1):
                        for q in (QS, 0.3):
                            # A list of quantiles is float64 and widens what is computed of both; a plain one does not.
                            widens = method not in PICKS and (np.ndim(q) > 0 or x.dtype.kind not in "fV")
                            kept = np.dtype("f8") if widens else x.dtype
                            of = x.astype("f8") if widens else wide(x, method)
                            want = getattr(np, name)(of, q, axis=axis, method=method)
                            if d != "bfloat16":
                                numpys = getattr(np, name)(x, q, axis=axis, method=method)
                                report.check(f"{name} {d} {method} type", numpys.dtype == kept, f"NumPy {numpys.dtype}")
                            check(
                                report,
                                f"{name} {d} {method} {shape} axis {axis} q {np.ndim(q)}",
                                quantile(name, dx, q, axis, method=method),
                                want,
                                kept,
                            )


def truth_values(report):
    """By the methods that pick one; the others would have to subtract, which NumPy refuses."""
    for shape in ((5, 6, 7), (1,), (2, 40), (1025,)):
        x = oracle.sample(shape, "bool", len(shape))
        dx = report.array(x)
        for method in METHODS:
            for name in ("quantile", "nanquantile"):
                label = f"{name} bool {method} {shape}"
                if method not in PICKS:
                    report.check(label, oracle.raises(c.ARR_E_DTYPE, lambda: quantile(name, dx, QS, 0, method=method)))
                    continue
                for axis in (None, 0, -1):
                    want = getattr(np, name)(x, QS, axis=axis, method=method)
                    check(report, f"{label} axis {axis}", quantile(name, dx, QS, axis, method=method), want, bool)


def medians(report):
    for number, d in enumerate(["bool"] + REAL):
        for shape in ((3, 4, 5), (33, 65), (1025,), (2, 0, 3), ()):
            for layout, base, view in views(shape):
                for nan in (False, True):
                    b = data(d, base, number, nan)
                    x, dx = view(b), view(report.array(b))
                    kept = x.dtype if x.dtype.kind in "fV" else np.dtype("f8")
                    for name in ("median", "nanmedian"):
                        for axis in [None] + list(range(len(shape))) + ([(0, 1)] if len(shape) > 1 else []):
                            want = getattr(np, name)(wide(x), axis=axis, keepdims=nan)
                            check(
                                report,
                                f"{name} {d} {shape} {layout} axis {axis} nan {nan}",
                                median(name, dx, axis, nan),
                                want,
                                kept,
                            )


def complex_medians(report):
    """In the order of real, then imaginary parts: few values so that real parts repeat, infinities, nan in either part."""

    def same(got, want):
        missing = np.isnan(want)
        good = got.shape == want.shape and got.dtype == want.dtype and np.array_equal(np.isnan(got), missing)
        return good and np.array_equal(got[~missing], want[~missing])

    few = report.device != "host"
    for d in ("complex64",) if few else ("complex64", "complex128"):
        for number, shape in enumerate(
            [(1,), (2,), (5, 6, 7)] if few else [(1,), (2,), (5, 6, 7), (33, 64), (3, 1500), (), (2, 0, 3)]
        ):
            for kind in ("many", "nan") if few else ("few", "many", "nan", "infinite"):
                r = np.random.default_rng(number)
                parts = r.normal(size=(2, *shape)) if kind == "many" else r.integers(-2, 3, (2, *shape)).astype("f8")
                if kind in ("nan", "infinite"):
                    parts[r.random(parts.shape) < 0.1] = np.nan if kind == "nan" else np.inf
                x = np.empty(shape, d)
                x.real, x.imag = parts
                for name in ("median", "nanmedian"):
                    for axis in [None] + list(range(len(shape))) + ([(0, 1)] if len(shape) > 1 else []):
                        label = f"{name} {d} {shape} {kind} axis {axis}"
                        if not report.wants(label):
                            continue
                        want = middle(x, axis, name == "nanmedian")
                        got = median(name, report.array(x), axis, kind == "few").numpy()
                        report.check(
                            label, same(got.reshape(want.shape), want), f"{got.ravel()[:4]} want {want.ravel()[:4]}"
                        )
                        if kind != "nan" and x.size:
                            report.check(label + " is NumPy's", same(want, np.asarray(np.median(x, axis=axis))))
    x = report.array(np.arange(12.0).reshape(3, 4) * (1 + 1j))
    report.check(
        "complex median of a transposed array",
        np.array_equal(median("median", x.T, 0).numpy(), np.median(x.numpy().T, axis=0)),
    )


def middle(x, axis, skip):
    """np.median row by row, without nan if it is to skip them: np.nanmedian orders complex rows with nan by their real parts alone."""
    axes = list(range(x.ndim)) if axis is None else [axis] if np.isscalar(axis) else list(axis)
    kept = [k for k in range(x.ndim) if k not in axes]
    rows = x.transpose(kept + axes).reshape([x.shape[k] for k in kept] + [int(np.prod([x.shape[k] for k in axes]))])
    out = np.full(rows.shape[:-1], complex(np.nan, np.nan), x.dtype)
    for at in np.ndindex(out.shape):
        row = rows[at][~np.isnan(rows[at])] if skip else rows[at]
        if row.size:
            out[at] = np.median(row)
    return out


def long_rows(report):
    """Long rows are selected by ranges from a sample: many distinct values, few, sorted, all equal, infinities."""
    r = np.random.default_rng(7)
    n = 700_001
    rows = {
        "normal": r.normal(size=n),
        "few values": r.integers(0, 3, n).astype("f8"),
        "sorted": np.arange(n) * 0.5,
        "reversed": np.arange(n)[::-1].astype("f4"),
        "equal": np.full(n, 3.5),
        "integers": r.integers(-(2**31), 2**31, n, "i8"),
        "bytes": r.integers(0, 256, n).astype("u1"),
        "infinities": np.where(r.random(n) < 0.3, np.inf, r.normal(size=n)),
        "heavy tails": r.standard_cauchy(n),
        "even": r.normal(size=n - 1).astype("f4"),
        "nan": np.where(r.random(n) < 0.1, np.nan, r.normal(size=n)),
    }
    for label, x in rows.items():
        dx = report.array(x)
        kept = x.dtype if x.dtype.kind == "f" else np.dtype("f8")
        for name in ("median", "nanmedian"):
            check(report, f"{name} of 7e5 {label}", median(name, dx), getattr(np, name)(x), kept)
        if label != "infinities":
            check(
                report,
                f"quantiles of 7e5 {label}",
                quantile("nanquantile", dx, QS),
                np.nanquantile(x.astype("f8"), QS),
                "f8",
            )
    check(
        report,
        "two long rows",
        median("median", report.array(np.stack([rows["normal"], rows["heavy tails"]])), 1),
        np.median(np.stack([rows["normal"], rows["heavy tails"]]), axis=1),
        "f8",
    )


def refusals(report):
    x = report.array(np.arange(6.0))
    z = report.array(np.zeros(3, "c8"))
    for name in ("quantile", "nanquantile", "percentile", "nanpercentile"):
        for method in METHODS:
            report.check(
                f"complex {name} {method}", oracle.raises(c.ARR_E_DTYPE, lambda: quantile(name, z, 0.5, method=method))
            )
    report.check("percentile 150", oracle.raises(c.ARR_E_ARGUMENT, lambda: quantile("percentile", x, 150.0)))
    report.check("quantile nan", oracle.raises(c.ARR_E_ARGUMENT, lambda: quantile("quantile", x, float("nan"))))
    check(report, "percentile", quantile("percentile", x, [10.0, 50.0]), np.percentile(np.arange(6.0), [10, 50]), "f8")
    check(
        report,
        "nanpercentile",
        quantile("nanpercentile", x, 20.0, 0, True),
        np.nanpercentile(np.arange(6.0), 20.0, 0, keepdims=True),
        "f8",
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    r = oracle.Report(__doc__)
    for part in (methods, truth_values, medians, complex_medians, long_rows, refusals):
        part(r)
    r.finish()
