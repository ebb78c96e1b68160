#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Least-squares fits of polynomials, with residuals, ranks and covariances, against NumPy 2."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from polynomials import several
from special_matrices import of

C = arrpy.c


def near(got, want, tolerance):
    got, want = got.numpy(), np.asarray(want)
    return got.shape == want.shape and bool(np.all(np.abs(got - want) <= tolerance * (1 + np.abs(want).max(initial=0))))


def polyfit_full(x, y, degree, rcond=-1.0, w=None):
    out, limit = [C.arr_array() for _ in range(4)], ctypes.c_double()
    arrpy.call(
        "arr_polyfit_full",
        x.handle,
        y.handle,
        degree,
        rcond,
        w and w.handle,
        None,
        *(ctypes.byref(o) for o in out),
        ctypes.byref(limit),
    )
    return [arrpy.Array(o) for o in out] + [limit.value]


def several_fits(x, y, degree, w, scaled):
    return several("polyfit_cov", 2, x, y, degree, -1.0, w, scaled)


def fits(report):
    r = np.random.default_rng(1)
    x = np.linspace(-3, 50, 40)
    y = np.stack([2 * x**2 - x + 3, np.sin(x)], 1) + r.normal(size=(40, 2)) * 0.1
    w = r.random(40) + 0.1
    for degree in (0, 1, 3, 7):
        report.check(
            f"polyfit {degree}",
            near(of("polyfit", report.array(x), report.array(y), degree, -1.0, None), np.polyfit(x, y, degree), 1e-9),
        )
        report.check(
            f"polyfit of a vector {degree}",
            near(
                of("polyfit", report.array(x), report.array(y)[:, 1], degree, -1.0, None),
                np.polyfit(x, y[:, 1], degree),
                1e-9,
            ),
        )
        weights = report.array(w)
        report.check(
            f"polyfit weights {degree}",
            near(
                of("polyfit", report.array(x), report.array(y), degree, -1.0, weights.handle),
                np.polyfit(x, y, degree, w=w),
                1e-9,
            ),
        )
    report.check(
        "polyfit of integers",
        near(
            of("polyfit", report.array(np.arange(5)), report.array(np.arange(5) ** 2), 2, -1.0, None), [1, 0, 0], 1e-12
        ),
    )


def outputs_of_fits(report):
    r = np.random.default_rng(2)
    x = np.linspace(-2, 3, 30)
    table = np.stack([x**3 - x + 3, np.sin(x)], 1) + r.normal(size=(30, 2)) * 0.1
    w = r.random(30) + 0.1
    for label, y in (
        ("columns", table),
        ("vector", table[:, 0]),
        ("complex", table[:, 0] + 1j * table[:, 1]),
        ("float32", table.astype("f4")),
        ("integers", (10 * table).astype("i8")),
    ):
        for degree in (0, 1, 3, 6):
            for weights in (None, w):
                at, values, given = report.array(x), report.array(y), None if weights is None else report.array(weights)
                name = f"polyfit {label} {degree} {'w' if given else ''}"
                wide = y.astype("f8") if y.dtype.kind != "c" else y
                got, want = polyfit_full(at, values, degree, w=given), np.polyfit(x, wide, degree, w=weights, full=True)
                for k, part in enumerate(("coefficients", "residuals", "rank", "singular values")):
                    wanted = want[k].reshape(y.shape[1:]) if k == 1 else want[k]
                    report.check(f"{name} {part}", near(got[k], wanted, 1e-9), f"{got[k].numpy()} {wanted}")
                report.check(f"{name} rcond", got[4] == want[4])
                for scaled, cov in ((1, True), (0, "unscaled")):
                    got = several_fits(at, values, degree, given, scaled)
                    c, v = np.polyfit(x, wide, degree, w=weights, cov=cov)
                    report.check(
                        f"{name} {cov}", near(got[0], c, 1e-9) and near(got[1], v, 1e-8), f"{got[1].numpy()} {v}"
                    )
    # Two places determine a line and no more.
    two = np.array([0.0, 1, 0, 1, 1])
    y = np.array([1.0, 2, 1.5, 2.5, 2])
    got, (c, _, rank, s, _) = polyfit_full(report.array(two), report.array(y), 2), np.polyfit(two, y, 2, full=True)
    report.check(
        "polyfit of few places", int(got[2].numpy()) == rank == 2 and near(got[0], c, 1e-12) and near(got[3], s, 1e-12)
    )
    report.check("its residuals", near(got[1], np.sum((np.polyval(c, two) - y) ** 2), 1e-12))
    for scaled in (0, 1):
        report.check(
            f"refuses a covariance of few places {scaled}",
            oracle.raises(C.ARR_E_LINALG, lambda: several_fits(report.array(two), report.array(y), 2, None, scaled)),
        )
    short = report.array(np.arange(3.0))
    report.check("polyfit exact", near(several_fits(short, short, 2, None, 0)[0], [0, 1, 0], 1e-12))
    report.check(
        "refuses a scaled covariance of an exact fit",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: several_fits(short, short, 2, None, 1)),
    )
    points = report.array(np.array([1j, 2, 3, 0.5]))
    got = several_fits(points, report.array(np.arange(4.0)), 1, None, 0)
    a = np.vander(np.array([1j, 2, 3, 0.5]), 2)
    report.check("polyfit at complex places", near(got[1], np.linalg.inv(a.conj().T @ a), 1e-12))


def refused(report):
    v, m, none = report.array(np.ones(3)), report.array(np.ones((3, 4))), report.array(np.zeros(0))
    cases = [
        ("polyfit degree", C.ARR_E_ARGUMENT, lambda: of("polyfit", v, v, -1, -1.0, None)),
        ("polyfit lengths", C.ARR_E_SHAPE, lambda: of("polyfit", v, m[:2], 1, -1.0, None)),
        ("polyfit none", C.ARR_E_SHAPE, lambda: of("polyfit", none, none, 1, -1.0, None)),
        ("polyfit weights", C.ARR_E_SHAPE, lambda: of("polyfit", v, v, 1, -1.0, m.handle)),
    ]
    for label, status, call in cases:
        report.check(f"refuses {label}", oracle.raises(status, call))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((fits, outputs_of_fits, refused)):
        part(r)
    r.finish()
