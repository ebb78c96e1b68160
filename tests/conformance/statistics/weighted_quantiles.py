#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Quantiles and medians with weights against NumPy."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from arrpy import axes_of, c, made
from quantiles import METHODS, QS, REAL, wide, data, check


def by_weights(name, a, weights, q, axis=None, keepdims=False, method="inverted_cdf", into=None):
    n, axes = axes_of(axis)
    values = [q] if np.isscalar(q) else list(q)
    arguments = (
        a.handle,
        weights.handle,
        0 if np.isscalar(q) else len(values),
        (ctypes.c_double * len(values))(*values),
        n,
        axes,
        int(keepdims),
        METHODS.index(method),
        None,
    )
    if into is None:
        return made(f"arr_{name}_weighted", *arguments)
    arrpy.call(f"arr_{name}_weighted_into", into.handle, *arguments)
    return into


def whole(weights, shape, axis):
    """Weights along axes in the array's shape: np.nanquantile takes no others (NumPy 2.4)."""
    if weights.shape == shape:
        return weights
    axes = [k % len(shape) for k in ((axis,) if np.isscalar(axis) else axis)]
    turned = weights.transpose(np.argsort(axes)).reshape([n if k in axes else 1 for k, n in enumerate(shape)])
    return np.broadcast_to(turned, shape)


def weighted(report):
    """Weights of the array's shape or along the axes, whole numbers so that their sums are exact; some are 0."""
    few = report.device != "host"
    cases = (
        [((3, 2, 4), axis) for axis in (None, 0, (2, 0))]
        if few
        else [((5, 6, 7), axis) for axis in (None, 0, 1, -1, (0, 1), (2, 0))]
    )
    cases += [((1,), 0), ((9,), None)] if few else [((1,), 0), ((9,), None), ((2, 40), 1), ((300, 3), 0)]
    for number, d in enumerate(["bool"] + REAL):
        if few and d not in ("int16", "uint64", "float16"):
            continue
        for shape, axis in cases:
            for nan in (False, True):
                label = f"{d} {shape} axis {axis} nan {nan}"
                if not report.wants(label):
                    continue
                r = np.random.default_rng(number)
                x = data(d, shape, number, nan)
                dx, w = report.array(x), r.integers(0, 4, shape)
                w[np.indices(shape).sum(0) % 3 == 0] = 2  # no sum is 0
                along = [shape[k] for k in ((axis,) if np.isscalar(axis) else axis or range(len(shape)))]
                for weights in (
                    (w, r.integers(1, 5, along).astype("f4" if number % 2 else "u1"))
                    if axis is not None
                    else (w.astype("f8"),)
                ):
                    dw = report.array(weights)
                    for q in (QS, 0.3):
                        for name in ("nanquantile",) if nan else ("quantile", "nanquantile"):
                            given = weights if name == "quantile" else whole(weights, shape, axis)
                            want = getattr(np, name)(
                                wide(x), np.asarray(q), axis=axis, method="inverted_cdf", weights=given
                            )
                            check(
                                report,
                                f"{name} weighted {label} {weights.shape} q {np.ndim(q)}",
                                by_weights(name, dx, dw, q, axis),
                                want,
                                x.dtype,
                            )
                if nan and x.dtype.kind == "f":
                    want = np.quantile(wide(x), np.asarray(QS), axis=axis, method="inverted_cdf", weights=w)
                    check(
                        report,
                        f"quantile weighted {label}",
                        by_weights("quantile", dx, report.array(w), QS, axis),
                        want,
                        x.dtype,
                    )
    r = np.random.default_rng(3)
    for n in (700,) if few else (100, 3000, 300_000):
        x, w = r.normal(size=(2, n)), r.random((2, n))
        q = np.linspace(0, 1, 41)
        for name in ("percentile", "nanpercentile"):
            want = getattr(np, name)(x, 100 * q, axis=1, keepdims=True, method="inverted_cdf", weights=w)
            check(
                report,
                f"{name} weighted of {n}",
                by_weights(name, report.array(x), report.array(w), 100 * q, 1, True),
                want,
                "f8",
            )
    turned = np.quantile(x.T, q, axis=0, method="inverted_cdf", weights=w.T)
    check(
        report, "weighted transposed", by_weights("quantile", report.array(x).T, report.array(w).T, q, 0), turned, "f8"
    )
    into = report.array(np.zeros((41, 2), "f4"))
    for name in ("quantile", "percentile", "nanquantile", "nanpercentile"):
        by_weights(name, report.array(x), report.array(w), q, 1, into=into)
        want = getattr(np, name)(x, q, axis=1, method="inverted_cdf", weights=w).astype("f4")
        report.check(f"{name} weighted into float32", np.array_equal(into.numpy(), want))


def weights_refused(report):
    x = np.arange(12.0).reshape(3, 4)
    x[1, 1] = np.nan
    one = np.ones((3, 4))
    bad = {
        "negative": one - 2 * (x == 6),
        "zero": one * 0,
        "a row of zeros": one * np.array([[1], [0], [1]]),
        "nan": np.where(x == 2, np.nan, 1),
        "inf": np.where(x == 2, np.inf, 1),
    }
    for label, w in bad.items():
        for name in ("quantile", "nanquantile"):
            report.check(
                f"weights {label} {name}",
                oracle.raises(c.ARR_E_ARGUMENT, lambda: by_weights(name, report.array(x), report.array(w), 0.5, 1)),
            )
            try:
                getattr(np, name)(x, np.asarray(0.5), axis=1, method="inverted_cdf", weights=w)
                report.check(f"NumPy refuses weights {label} {name}", False)
            except ValueError:
                pass
    dx, ones = report.array(x), report.array(one)
    for method in METHODS:
        if method != "inverted_cdf":
            report.check(
                f"weights with {method}",
                oracle.raises(c.ARR_E_ARGUMENT, lambda: by_weights("quantile", dx, ones, 0.5, 1, method=method)),
            )
    for shape, axis in (((4,), None), ((3,), 1), ((4,), (0, 1)), ((4, 3), (0, 1)), ((3, 4, 1), 0)):
        report.check(
            f"weights {shape} axis {axis}",
            oracle.raises(c.ARR_E_SHAPE, lambda: by_weights("quantile", dx, report.array(np.ones(shape)), 0.5, axis)),
        )
    report.check(
        "complex weights",
        oracle.raises(c.ARR_E_DTYPE, lambda: by_weights("quantile", dx, report.array(one.astype("c8")), 0.5, 1)),
    )
    report.check(
        "complex weighted",
        oracle.raises(c.ARR_E_DTYPE, lambda: by_weights("quantile", report.array(x.astype("c8")), ones, 0.5, 1)),
    )
    report.check(
        "nothing weighted", oracle.raises(c.ARR_E_SHAPE, lambda: by_weights("quantile", dx[:, :0], ones[:, :0], 0.5, 1))
    )
    report.check("of nothing but nan", np.isnan(by_weights("nanquantile", dx[1, 1:2], ones[0, :1], 0.5).numpy()))
    report.check(
        "nothing but nan in one row",
        np.array_equal(
            by_weights(
                "nanquantile", report.array(np.array([[np.nan], [2.0]])), report.array(np.array([[0.0], [1.0]])), 0.5, 1
            ).numpy(),
            [np.nan, 2],
            equal_nan=True,
        ),
    )


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((weighted, weights_refused)):
        part(r)
    r.finish()
