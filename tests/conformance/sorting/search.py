#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches in sorted vectors, bins and interpolation against NumPy 2."""

import bisect
import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c


def searchsorted(a, v, side="left", sorter=None):
    return arrpy.made(
        "arr_searchsorted",
        a.handle,
        v.handle,
        ["left", "right"].index(side),
        None if sorter is None else sorter.handle,
        None,
    )


def digitize(x, bins, right=False):
    return arrpy.made("arr_digitize", x.handle, bins.handle, int(right), None)


def interp(x, xp, fp, left=None, right=None, period=None):
    given = [None if v is None else ctypes.byref(arrpy.value(v)) for v in (left, right)]
    return arrpy.made("arr_interp", x.handle, xp.handle, fp.handle, *given, period or 0.0, None)


def compare(report, label, got, want):
    got, want = got.numpy(), np.asarray(want)
    report.check(
        label,
        oracle.same(got, want),
        f"{got.dtype}{got.shape} {got.ravel()[:6]}, NumPy {want.dtype}{want.shape} {want.ravel()[:6]}",
    )


def close(report, label, got, want, steps=4):
    """Within some units in the last place of the largest value; infinities and nan in the same places."""
    got, want = got.numpy(), np.asarray(want)
    good = got.dtype == want.dtype and got.shape == want.shape
    if good and want.dtype.kind == "c":
        got, want = (v.view("f8") for v in (np.ascontiguousarray(got), np.ascontiguousarray(want)))
    if good and want.size:
        finite = np.isfinite(want)
        reach = np.abs(want[finite]).max(initial=1) * np.finfo("f8").eps * steps
        with np.errstate(invalid="ignore"):
            good = bool(np.all((np.abs(got - want) <= reach) | (got == want) | (np.isnan(got) & np.isnan(want))))
    report.check(
        label, good, f"{got.dtype}{got.shape} {got.ravel()[:6]}, NumPy {want.dtype}{want.shape} {want.ravel()[:6]}"
    )


def dtypes(report, few):
    return few if report.device != "host" else [d for d in oracle.ALL if d != "bfloat16"]


def searches(report):
    for d in dtypes(report, ["bool", "int16", "float32", "complex64"]):
        for n in (0, 1, 2, 3, 8, 31, 1000) if report.device == "host" else (0, 1, 31):
            a = np.sort(oracle.sample(n, d, n + 1))
            v = np.resize(np.concatenate([oracle.sample(40, d, n), a[:20]]), (5, 12))
            for side in ("left", "right"):
                for layout, view in (("C", lambda x: x), ("T", lambda x: x.T), ("step", lambda x: x[::-1, ::2]))[
                    : 3 if report.device == "host" else 2
                ]:
                    compare(
                        report,
                        f"searchsorted {d} of {n} {side} {layout}",
                        searchsorted(report.array(a), view(report.array(v)), side),
                        np.searchsorted(a, view(v), side),
                    )
    for da, dv in (("int8", "uint8"), ("int64", "float32"), ("float16", "float64"), ("bool", "int32"))[
        : 4 if report.device == "host" else 1
    ]:
        a, v = np.sort(oracle.sample(50, da, 1, "tame")), oracle.sample(60, dv, 2, "tame")
        compare(
            report, f"searchsorted {da} {dv}", searchsorted(report.array(a), report.array(v)), np.searchsorted(a, v)
        )
    a = oracle.sample(64, "float32", 3)
    order = np.argsort(a, kind="stable")
    for d in ("int64", "int32", "uint8"):
        compare(
            report,
            f"searchsorted sorter {d}",
            searchsorted(report.array(a), report.array(a[:9]), "right", report.array(order.astype(d))),
            np.searchsorted(a, a[:9], "right", order),
        )
    wide = report.array(np.arange(40.0))[::2]
    compare(
        report,
        "searchsorted stepped vector",
        searchsorted(wide, report.array(np.float64(7))),
        np.searchsorted(np.arange(0.0, 40, 2), 7),
    )
    x = report.array(np.ones(3))
    report.check(
        "searchsorted 2-D refused", oracle.raises(C.ARR_E_SHAPE, lambda: searchsorted(report.array(np.ones((2, 2))), x))
    )
    report.check("searchsorted sorter float", oracle.raises(C.ARR_E_DTYPE, lambda: searchsorted(x, x, "left", x)))
    report.check(
        "searchsorted sorter short",
        oracle.raises(C.ARR_E_SHAPE, lambda: searchsorted(x, x, "left", report.array(np.zeros(2, "i8")))),
    )
    report.check(
        "searchsorted side",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_searchsorted", x.handle, x.handle, 2, None, None)),
    )


def mixed(report):
    """int64 and uint64 compare exactly, in which NumPy rounds both to float64. By Python's integers."""
    top, big = 2**63, 2**53
    unsigned = np.array([0, 5, big, big + 1, big + 2, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1], "u8")
    wide = np.array([-top, -big - 1, -1, 0, 5, big, big + 1, big + 3, top - 2, top - 1], "i8")
    for signed in (wide, np.array([-128, -1, 0, 5, 127], "i1")):
        for a, v in ((unsigned, signed), (signed, unsigned)):
            for side, find in (("left", bisect.bisect_left), ("right", bisect.bisect_right)):
                label = f"{a.dtype} {v.dtype} {side} exactly"
                want = np.array([find(a.tolist(), x) for x in v.tolist()], "i8")
                compare(report, f"searchsorted {label}", searchsorted(report.array(a), report.array(v), side), want)
                order = np.arange(a.size)[::-1]
                compare(
                    report,
                    f"searchsorted {label} sorter",
                    searchsorted(report.array(a[::-1].copy()), report.array(v), side, report.array(order)),
                    want,
                )
                right = side == "left"
                compare(report, f"digitize {label}", digitize(report.array(v), report.array(a), right), want)
                above = [[e >= x if right else e > x for e in a.tolist()] for x in v.tolist()]
                falling = np.array([sum(row) for row in above], "i8")
                compare(
                    report,
                    f"digitize {label} falling",
                    digitize(report.array(v), report.array(a[::-1].copy()), right),
                    falling,
                )
            none = searchsorted(report.array(a[:0]), report.array(v))
            compare(report, f"searchsorted {a.dtype} {v.dtype} of none", none, np.zeros(v.size, "i8"))


def bins(report):
    for d in dtypes(report, ["int16", "float32"]):
        if d in oracle.COMPLEX:
            continue
        x = oracle.sample((6, 7), d, 5)
        edges = np.unique(oracle.sample(9, d, 6, "tame"))
        for label, b in (
            ("rising", edges),
            ("falling", edges[::-1]),
            ("one", edges[:1]),
            ("none", edges[:0]),
            ("equal", edges[[0, 0, 0]]),
        ):
            for right in (False, True):
                compare(
                    report,
                    f"digitize {d} {label} right {right}",
                    digitize(report.array(x), report.array(b), right),
                    np.digitize(x, b, right),
                )
    x = report.array(np.arange(4.0))
    compare(
        report,
        "digitize stepped falling",
        digitize(x, report.array(np.arange(8.0))[::-2]),
        np.digitize(np.arange(4.0), np.arange(8.0)[::-2]),
    )
    report.check(
        "digitize order", oracle.raises(C.ARR_E_ARGUMENT, lambda: digitize(x, report.array(np.array([1.0, 3, 2]))))
    )
    report.check("digitize complex", oracle.raises(C.ARR_E_DTYPE, lambda: digitize(report.array(np.ones(2, "c8")), x)))


def points(n, seed, d="f8"):
    r = np.random.default_rng(seed)
    xp = np.cumsum(r.random(n) + 0.01)
    fp = r.normal(size=n)
    return xp, (fp + 1j * r.normal(size=n)).astype(d) if d in oracle.COMPLEX else fp


def lines(report):
    r = np.random.default_rng(8)
    for n in (1, 2, 3, 17, 1000) if report.device == "host" else (1, 17):
        for d in ("float64", "complex128"):
            xp, fp = points(n, n, d)
            x = np.concatenate(
                [r.uniform(-1, xp[-1] + 1, 90), xp[:10], [np.inf, -np.inf] + [np.nan] * (n > 1), xp[-1:]]
            )
            label = f"interp {d} of {n}"
            a, p, f = report.array(x), report.array(xp), report.array(fp)
            close(report, label, interp(a, p, f), np.interp(x, xp, fp))
            close(report, label + " ends", interp(a, p, f, -5.0, 7.5), np.interp(x, xp, fp, -5.0, 7.5))
            close(report, label + " period", interp(a, p, f, period=2.5), np.interp(x, xp, fp, period=2.5), steps=64)
    xp, fp = points(6, 4)
    close(
        report,
        "interp negative period",
        interp(report.array(fp), report.array(xp), report.array(fp), period=-3.0),
        np.interp(fp, xp, fp, period=-3.0),
        steps=64,
    )
    fp[2:4] = np.inf, np.inf
    xp[4] = xp[5]
    x = np.linspace(0, xp[-1] + 1, 50)
    close(
        report,
        "interp infinite values",
        interp(report.array(x), report.array(xp), report.array(fp)),
        np.interp(x, xp, fp),
    )
    edges = np.array([-np.inf, 0, 1, np.inf])
    close(
        report,
        "interp infinite points",
        interp(report.array(x), report.array(edges), report.array(np.arange(4.0))),
        np.interp(x, edges, np.arange(4.0)),
    )
    for dx, dp, df in (("int32", "uint8", "int16"), ("float32", "float32", "float16"), ("bool", "int64", "complex64"))[
        : 3 if report.device == "host" else 1
    ]:
        x, p, f = np.arange(12).reshape(3, 4).astype(dx), np.array([0, 3, 9]).astype(dp), np.array([1, 5, 2]).astype(df)
        close(
            report,
            f"interp {dx} {dp} {df}",
            interp(report.array(x).T, report.array(p), report.array(f)),
            np.interp(x.T, p, f),
        )
    x = report.array(np.ones(3))
    report.check(
        "interp none",
        oracle.raises(C.ARR_E_SHAPE, lambda: interp(x, report.array(np.ones(0)), report.array(np.ones(0)))),
    )
    report.check("interp lengths", oracle.raises(C.ARR_E_SHAPE, lambda: interp(x, x, report.array(np.ones(2)))))
    report.check(
        "interp complex x", oracle.raises(C.ARR_E_DTYPE, lambda: interp(report.array(np.ones(2, "c16")), x, x))
    )
    report.check("interp period", oracle.raises(C.ARR_E_ARGUMENT, lambda: interp(x, x, x, period=float("inf"))))


def recorded(report):
    """In a recording scope the vectors may be values that are not computed yet."""
    a, v = np.arange(10.0), np.array([2.5, 7.0])
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    x = report.array(a) * report.array(np.float64(2))
    q = report.array(v) + report.array(np.float64(1))
    got = searchsorted(x, q)
    arrpy.call("arr_fuse_end")
    compare(report, "searchsorted of recorded values", got, np.searchsorted(a * 2, v + 1))


def main():
    report = oracle.Report(__doc__)
    for part in (searches, mixed, bins, lines, recorded):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
