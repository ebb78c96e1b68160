#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rows of reductions.def beside the plain ones (counts, nan forms, moments, norms, reduce of ufuncs) against
NumPy and SciPy, for every dtype, axes and layout; and how accurate the long ones are."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
from scipy.special import logsumexp

import oracle
from oracle import arrpy
from reductions import axes_of, views

SHAPES = [(3, 4, 5), (2, 0, 3), (33, 65), (1025,), (1, 7, 1), (700, 3), ()]
CUDA_SHAPES = [(33, 65), (1025,)]


def slices(x, axes):
    """x with the reduced axes as one last axis."""
    kept = [i for i in range(x.ndim) if i not in axes]
    n = int(np.prod([x.shape[i] for i in axes]))
    return x.transpose(*kept, *axes).reshape(*(x.shape[i] for i in kept), n)


def nanarg(pick):
    def of(x, axes):
        s = slices(x, axes)
        if s.shape[-1] == 0:
            raise ValueError("empty")
        out = np.full(s.shape[:-1], -1, "i8")
        for at in np.ndindex(*s.shape[:-1]):
            good = np.flatnonzero(~np.isnan(s[at].astype("c16")))
            if len(good):
                out[at] = good[pick(s[at][good])]
        return out

    return of


def norm(function, empty=None):
    def of(x, axes):
        s = np.abs(slices(wide(x), axes))
        if empty is None and s.shape[-1] == 0:
            raise ValueError("empty")
        return function(s)

    return of


def wide(x):
    """NumPy's own sums along columns are not pairwise: the reference has digits to spare."""
    return x.astype("f8" if x.dtype == oracle.bfloat16 else x.dtype).astype("G" if x.dtype.kind == "c" else "g")


def log_sum_exp(x, axes):
    s = slices(wide(x), axes)
    if s.shape[-1] == 0:
        return np.full(s.shape[:-1], -np.inf)
    top = s.max(-1)
    return top + np.log(np.sum(np.exp(s - top[..., None]), -1))


def plain(function, **more):
    return lambda x, axes: function(x, axis=axes, **more)


def widened(function, **more):
    return lambda x, axes: function(wide(x), axis=axes, **more)


# name -> (kinds of dtypes, reference(x, axes), result's dtype of the input's or None for the reference's own, error
# in units of the result's precision: 0 is equality)
ROWS = {
    "count_nonzero": ("BIUFC", plain(np.count_nonzero), "i8", 0),
    "nansum": ("BIUFC", plain(np.nansum), None, 8),
    "nanprod": ("BIUFC", plain(np.nanprod), None, 64),
    "nanmin": ("BIUFC", plain(np.nanmin), None, 0),
    "nanmax": ("BIUFC", plain(np.nanmax), None, 0),
    "nanmean": ("BIUFC", widened(np.nanmean), "mean", 8),
    "nanargmin": ("BIUF", nanarg(np.argmin), "i8", 0),
    "nanargmax": ("BIUF", nanarg(np.argmax), "i8", 0),
    "ptp": ("IUF", plain(np.ptp), None, 0),
    "var": ("BIUFC", widened(np.var), "real", 16),
    "std": ("BIUFC", widened(np.std), "real", 16),
    "nanvar": ("BIUFC", widened(np.nanvar), "real", 16),
    "nanstd": ("BIUFC", widened(np.nanstd), "real", 16),
    "logsumexp": ("BIUF", log_sum_exp, "mean", 8),
    "sum_abs": ("BIUFC", norm(lambda s: s.sum(-1), 0), "real", 8),
    "sum_squares": ("BIUFC", norm(lambda s: (s * s).sum(-1), 0), "real", 8),
    "max_abs": ("BIUFC", norm(lambda s: s.max(-1)), "real", 4),
    "min_abs": ("BIUFC", norm(lambda s: s.min(-1)), "real", 4),
    "norm2": ("BIUFC", norm(lambda s: np.sqrt((s * s).sum(-1)), 0), "real", 8),
    "bitwise_and_reduce": ("BIU", plain(np.bitwise_and.reduce), None, 0),
    "bitwise_or_reduce": ("BIU", plain(np.bitwise_or.reduce), None, 0),
    "bitwise_xor_reduce": ("BIU", plain(np.bitwise_xor.reduce), None, 0),
    "logical_xor_reduce": ("BIUFC", plain(np.logical_xor.reduce), "?", 0),
    "hypot_reduce": ("BIUF", norm(lambda s: np.sqrt((s * s).sum(-1)), 0), "mean", 64),
}
CORRECTED = ("var", "std", "nanvar", "nanstd")


def result_dtype(rule, d, want):
    x = oracle.dtype(d)
    if rule is None:
        return x if x.kind in "fV" else want.dtype
    if rule in ("mean", "real"):
        if x.kind in "biu":
            return np.dtype("f8")
        return np.dtype({"c8": "f4", "c16": "f8"}.get(x.str[1:], x)) if rule == "real" else x
    return np.dtype(rule)


def precision(d):
    if d == oracle.bfloat16:
        return 2.0**-7
    return np.finfo(d).eps if d.kind in "fc" else 0.0


def agrees(row, got, want, scale):
    """Equal, or within the row's error relative to the result and to `scale`, the size of what was added."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if row[3] == 0:
        return oracle.same(got + got.dtype.type(0), want + want.dtype.type(0))
    a, b = (wide(v) for v in (got, want))
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    error = (
        row[3] * precision(got.dtype) * (np.abs(b) + scale)
        + 1e3 * np.finfo("f4" if got.dtype.itemsize < 8 or got.dtype == "c8" else "f8").tiny
    )
    near = np.abs(a - b) <= error
    if a.dtype.kind == "c":  # a product beyond the range: NumPy's nan, C99's infinity
        same |= ~np.isfinite(a) & ~np.isfinite(b)
    # A sum that overflows in the narrower type on its way.
    return bool(np.all(same | near | (~np.isfinite(a) & (np.abs(b) > 1e3))))


def data(d, shape, name, seed):
    tame = not name.startswith("nan") and name not in (
        "count_nonzero",
        "logical_xor_reduce",
        "ptp",
        "max_abs",
        "min_abs",
    )
    x = oracle.sample(shape, d, seed, "tame" if tame or name == "nanprod" else None)
    if x.dtype.kind in "fcV" and name.startswith("nan") and name not in ("nanmin", "nanmax", "nanargmin", "nanargmax"):
        r = np.random.default_rng(seed)
        x = np.where(np.isinf(wide(x)) | (np.abs(wide(x)) > 1e3), 1, x).astype(x.dtype)
        x[r.random(shape) < 0.2] = np.nan
        if len(shape) > 1 and x.size:
            x[0] = np.nan
    if name.startswith("nanprod"):
        x = (
            np.where(np.isnan(wide(x)), np.nan, np.abs(wide(x)) % 2).real
            if x.dtype.kind in "fV"
            else np.abs(x) % 3
            if x.dtype.kind in "iu"
            else x
        ).astype(x.dtype)
    if d in oracle.COMPLEX and name in ("nanmin", "nanmax"):
        x = np.round(x)
    return x


def case(report, name, d, shape, layout, base, view, axes, keepdims, seed):
    row = ROWS[name]
    b = data(d, base, name, seed)
    x, dev = view(b), view(report.array(b))
    if x.dtype.kind in "fV" and x.dtype.itemsize == 2:
        x = x.astype("f4")
    correction = seed % 2 * 1.0 if name in CORRECTED else None
    label = f"{name} {d} {shape} {layout} axes {axes} keepdims {keepdims} correction {correction}"
    try:
        want = np.asarray(ROWS[name][1](x, axes))
        if correction:
            want = np.asarray(
                {"var": np.var, "std": np.std, "nanvar": np.nanvar, "nanstd": np.nanstd}[name](
                    wide(x), axis=axes, ddof=correction
                )
            )
    except ValueError:
        good = oracle.raises(arrpy.c.ARR_E_SHAPE, lambda: arrpy.reduce(name, dev, axes, keepdims))
        return report.check(label + " refused", good)
    want = np.asarray(want.astype(result_dtype(row[2], d, want)))
    if keepdims:
        want = np.expand_dims(want, axes)
    got = arrpy.reduce(name, dev, axes, keepdims, correction=correction).numpy()
    scale = 1 if name == "logsumexp" else 0
    if name in ("nansum", "nanmean", "nanprod") and x.size:
        scale = np.nansum(np.abs(wide(x))) / (1 if name == "nansum" else max(x.size, 1))
    # Integers of 64 bits are rounded to float64 before.
    if name in CORRECTED and x.size and (x.dtype.kind in "fc" or x.dtype.itemsize == 8):
        scale = 0.01 * np.nanmax(np.abs(np.where(np.isfinite(wide(x)), wide(x), 0)))
    report.check(
        label,
        agrees(row, got, want, scale),
        f"{got.dtype}{got.shape} {got.ravel()[:4]}, want {want.dtype} {want.ravel()[:4]}",
    )


def rows(report):
    cuda = report.device != "host"
    for number, (name, (kinds, *_)) in enumerate(ROWS.items()):
        for d in oracle.ALL:
            if oracle.kind(d) not in kinds or not report.wants(f"{name} {d}"):
                continue
            # A kernel to compile for each: beside float32 one more dtype, another one in each row.
            if cuda and d not in ("float32", ("int8", "complex128", "bfloat16")[number % 3]):
                continue
            for shape in CUDA_SHAPES if cuda else SHAPES:
                for k, (layout, base, view) in enumerate(views(shape)):
                    if cuda and layout != "C":
                        continue
                    for axes in axes_of(len(shape)):
                        if cuda and len(axes) not in (1, len(shape)):
                            continue
                        case(report, name, d, shape, layout, base, view, axes, k % 2 == 1, 100 * number + k)


def accuracy(report):
    """One pass over memory loses no digits: variances of numbers far from zero, long sums of exponentials."""
    r = np.random.default_rng(3)
    x = (1000 + r.normal(size=1_000_003)).astype("f4")
    for axis_order, y in (("row", x[:1_000_000].reshape(1000, 1000)), ("column", x[:1_000_000].reshape(1000, 1000).T)):
        for axis in (0, 1, None):
            want = y.astype("f8").var(axis)
            got = arrpy.reduce("var", report.array(y), axis, correction=0).numpy()
            report.check(
                f"var accuracy {axis_order} {axis}", np.all(np.abs(got - want) <= 3e-6 * want), f"{got} {want}"
            )
    dev = report.array(x)
    first = arrpy.reduce("var", dev, correction=0).item()
    report.check("var same bits", all(arrpy.reduce("var", dev, correction=0).item() == first for _ in range(5)))
    big = 1e9 + r.normal(size=300_001)
    got, want = arrpy.reduce("var", report.array(big), correction=0).item(), float(np.var(big.astype(np.longdouble)))
    report.check("var of numbers near 1e9", abs(got - want) <= 1e-6 * want, f"{got} {want}")
    y = (r.normal(size=500_000) * 50).astype("f4")
    got, want = arrpy.reduce("logsumexp", report.array(y)).item(), logsumexp(y.astype("f8"))
    report.check("logsumexp of 5e5", abs(got - want) <= 1e-6 * abs(want), f"{got} {want}")
    for values, want in (
        ([1000.0, 1000.0], 1000 + np.log(2)),
        ([-np.inf, -np.inf], -np.inf),
        ([np.inf, 1.0], np.inf),
        ([np.nan, 1.0], np.nan),
        ([-np.inf, 3.0], 3.0),
    ):
        got = arrpy.reduce("logsumexp", report.array(np.array(values))).item()
        report.check(
            f"logsumexp {values}", np.array_equal(got, want, equal_nan=True) or abs(got - want) < 1e-12, f"{got}"
        )


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    rows(r)
    if r.wants("accuracy"):
        accuracy(r)
    r.finish()
