#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Permutations, shuffles, choices and samples, new and into arrays."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.stats as st

import oracle
from draws import C, Generator, chi_square, equal, even
from oracle import arrpy


def permutation(report, g, n, count=None, dtype=None):
    return arrpy.made(
        "arr_random_permutation",
        g.handle,
        n,
        n if count is None else count,
        arrpy.number(dtype),
        ctypes.byref(arrpy.device_of(report.device)),
        None,
    )


def permuted(g, a, axis=0, independent=False):
    return arrpy.made("arr_random_permuted", g.handle, a.handle, axis, int(independent), None)


def choice(report, g, n, shape, replace=True, weights=None):
    return arrpy.made(
        "arr_random_choice",
        g.handle,
        n,
        int(replace),
        None if weights is None else weights.handle,
        len(shape),
        arrpy.int64s(shape),
        ctypes.byref(arrpy.device_of(report.device)),
        None,
    )


def sample(g, a, axis, shape, replace=True, weights=None):
    return arrpy.made(
        "arr_random_sample",
        g.handle,
        a.handle,
        axis,
        int(replace),
        None if weights is None else weights.handle,
        len(shape),
        arrpy.int64s(shape),
        None,
    )


def orders(report):
    host = report.device == "host"
    for n in (0, 1, 2, 5, 63, 64, 65, 66, 100, 127, 128, 129, 1000, 4097, 100003)[: None if host else 12]:
        x = permutation(report, Generator(n), n).numpy()
        report.check(f"permutation of {n}", x.dtype == np.int64 and np.array_equal(np.sort(x), np.arange(n)))
        equal(report, f"first of {n}", permutation(report, Generator(n), n, n // 3), x[: n // 3])
    equal(
        report,
        "permutation uint8",
        permutation(report, Generator(4), 90, dtype="uint8"),
        permutation(report, Generator(4), 90).numpy().astype("u1"),
    )
    times = 6000 if host else 600
    g = Generator(77)
    few = np.array([permutation(report, g, 4).numpy() for _ in range(times)]) @ [64, 16, 4, 1]
    report.check("all orders of four", even(np.unique(few, return_counts=True)[1]) and len(np.unique(few)) == 24)
    for n in (65, 100, 130):
        many = np.array([permutation(report, g, n).numpy() for _ in range(times)])
        report.check(f"each place of {n}", even([np.bincount(many[:, p], minlength=n) for p in (0, 1, n // 2, n - 1)]))
        fixed = (many == np.arange(n)).sum(1)
        report.check(f"fixed places of {n}", chi_square(fixed, st.poisson(1)) > 1e-4, f"{fixed.mean()}")
        rising = (np.diff(many, axis=1) > 0).sum(1)
        z = (rising.mean() - (n - 1) / 2) / np.sqrt((n + 1) / 12 / times)
        report.check(f"neighbours of {n}", abs(z) < 4, f"{z}")
        swapped = np.array([sum((row[i + 1 :] < row[i]).sum() for i in range(n - 1)) for row in many[:300]])
        z = (swapped.mean() - n * (n - 1) / 4) / np.sqrt(n * (n - 1) * (2 * n + 5) / 72 / len(swapped))
        report.check(f"inversions of {n}", abs(z) < 4, f"{z}")
    a = np.arange(3 * 70 * 4).reshape(3, 70, 4)
    for dtype in ("int32", "complex128", "float16", "bool")[: None if host else 1]:
        for label, view in (("C", lambda x: x), ("T", lambda x: x.T), ("step", lambda x: x[::-1, ::2])):
            for axis in (0, 1, -1):
                x = a.astype(dtype)
                v, n = view(x), view(x).shape[axis]
                got = permuted(Generator(3), view(report.array(x)), axis).numpy()
                order = permutation(report, Generator(3), n).numpy()
                equal(report, f"permuted {dtype} {label} {axis}", got, np.take(v, order, axis))
                base, want, shuffler = report.array(x), x.copy(), Generator(3)
                window = view(base)
                arrpy.call("arr_random_shuffle", window.handle, shuffler.handle, axis, 0, None)
                view(want)[...] = np.take(v, order, axis)
                equal(report, f"shuffle {dtype} {label} {axis}", base, want)
    x = permuted(Generator(5), report.array(a), 1, True).numpy()
    equal(report, "each line of its own", np.sort(x, 1), a)
    lines = (x - a[:, :1]) // 4
    report.check("lines differ", len({tuple(lines[i, :, k]) for i in range(3) for k in range(4)}) == 12)
    one = permuted(Generator(6), report.array(np.tile(np.arange(3), (times, 1))), 1, True).numpy() @ [9, 3, 1]
    report.check("orders of lines", even(np.unique(one, return_counts=True)[1]) and len(np.unique(one)) == 6)


def choices(report):
    g3 = Generator(3)
    n = 20000 if report.device == "host" else 3000
    x = choice(report, Generator(50), 7, (n,)).numpy()
    report.check("choice", even(np.bincount(x, minlength=7)))
    x = choice(report, Generator(51), 300, (10, 20), False).numpy()
    report.check("choice once", x.shape == (10, 20) and len(np.unique(x)) == 200 and x.max() < 300)
    p = np.array([0.1, 0, 0.5, 0.15, 0.25])
    x = choice(report, Generator(52), 5, (n,), True, report.array(p)).numpy()
    counts = np.bincount(x, minlength=5)
    report.check(
        "choice by weights", counts[1] == 0 and st.chisquare(counts[p > 0], n * p[p > 0]).pvalue > 1e-4, f"{counts}"
    )
    g = Generator(53)
    pairs = np.array(
        [choice(report, g, 4, (2,), False, report.array(np.array([0.1, 0.2, 0.3, 0.4]))).numpy() for _ in range(3000)]
    )
    w = np.array([0.1, 0.2, 0.3, 0.4])
    chance = np.array([w[i] * w[j] / (1 - w[i]) for i in range(4) for j in range(4) if i != j])
    counts = np.array([np.sum((pairs[:, 0] == i) & (pairs[:, 1] == j)) for i in range(4) for j in range(4) if i != j])
    report.check("choice by weights once", st.chisquare(counts, 3000 * chance).pvalue > 1e-4, f"{counts}")
    a = np.arange(60.0).reshape(5, 12)
    for view, axis, shape in (
        (lambda x: x, 0, (3,)),
        (lambda x: x, 1, (2, 4)),
        (lambda x: x.T, 0, ()),
        (lambda x: x[:, ::-2], -1, (7,)),
    ):
        got = sample(Generator(54), view(report.array(a)), axis, shape).numpy()
        index = choice(report, Generator(54), view(a).shape[axis], shape).numpy()
        equal(report, f"sample {axis} {shape}", got, np.take(view(a), index, axis))
    equal(
        report,
        "sample of weights",
        sample(Generator(55), report.array(a), 0, (4,), True, report.array(np.array([0, 0, 1.0, 0, 0]))),
        np.tile(a[2], (4, 1)),
    )
    for label, call, status in (
        ("too many", lambda: choice(report, g3, 3, (4,), False), C.ARR_E_ARGUMENT),
        ("of nothing", lambda: choice(report, g3, 0, (1,)), C.ARR_E_ARGUMENT),
        ("weights of another length", lambda: choice(report, g3, 3, (1,), True, report.array(p)), C.ARR_E_SHAPE),
        (
            "a negative weight",
            lambda: choice(report, g3, 2, (1,), True, report.array(np.array([1.5, -0.5]))),
            C.ARR_E_ARGUMENT,
        ),
        (
            "weights of 2",
            lambda: choice(report, g3, 2, (1,), True, report.array(np.array([1.0, 1.0]))),
            C.ARR_E_ARGUMENT,
        ),
        ("complex weights", lambda: choice(report, g3, 1, (1,), True, report.array(np.array([1j]))), C.ARR_E_DTYPE),
        (
            "more than there are weights",
            lambda: choice(report, g3, 3, (3,), False, report.array(np.array([0, 0.5, 0.5]))),
            C.ARR_E_ARGUMENT,
        ),
        ("an axis that is none", lambda: permuted(g3, report.array(a), 2), C.ARR_E_SHAPE),
        ("more than the permutation has", lambda: permutation(report, g3, 3, 4), C.ARR_E_ARGUMENT),
    ):
        report.check(label, oracle.raises(status, call))


def orders_into(report):
    """Random bits, permutations and choices into other dtypes and layouts."""
    weights = report.array(np.full(40, 1 / 40))
    cases = [
        (
            f"bits {d}",
            "bits",
            d,
            (),
            lambda g, d=d: arrpy.made(
                "arr_random_bits",
                g.handle,
                arrpy.number(d),
                2,
                arrpy.int64s((4, 9)),
                ctypes.byref(arrpy.device_of(report.device)),
                None,
            ),
        )
        for d in ("uint8", "uint32", "uint64")
    ]
    cases += [
        (f"permutation {d}", "permutation", d, (50,), lambda g, d=d: permutation(report, g, 50, 36, d))
        for d in ("int64", "float32", "uint8")
    ]
    cases += [
        (
            f"choice {replace} {w is None}",
            "choice",
            "int64",
            (40, replace, None if w is None else w.handle),
            lambda g, replace=replace, w=w: choice(report, g, 40, (4, 9), replace, w),
        )
        for replace in (0, 1)
        for w in (None, weights)
    ]
    for label, name, dtype, arguments, fresh in cases:
        flat = fresh(Generator(72)).numpy().reshape(4, 9)
        for order, shape, view in (
            ("C", (4, 9), lambda a: a),
            ("F", (9, 4), lambda a: a.T),
            ("step", (8, 9), lambda a: a[::2, ::-1]),
        ):
            base, want, g = report.array(np.full(shape, 77, dtype)), np.full(shape, 77, dtype), Generator(72)
            dst = view(base)
            arrpy.call(f"arr_random_{name}_into", dst.handle, g.handle, *arguments, None)
            view(want)[...] = flat
            equal(report, f"{label} into {order}", base, want)
    for label, name, dst, arguments, status in (
        ("bits into int32", "bits", np.zeros(3, "i4"), (), C.ARR_E_DTYPE),
        ("a permutation that is too short", "permutation", np.zeros(3), (2,), C.ARR_E_ARGUMENT),
        ("choice into int32", "choice", np.zeros(3, "i4"), (5, 1, None), C.ARR_E_DTYPE),
        ("too many choices", "choice", np.zeros(3, "i8"), (2, 0, None), C.ARR_E_ARGUMENT),
    ):
        a = report.array(dst)
        report.check(
            label,
            oracle.raises(status, lambda: arrpy.call(f"arr_random_{name}_into", a.handle, None, *arguments, None)),
        )


def slices_into(report):
    """Orders and samples of slices: from other dtypes and layouts, into them, and over what is read."""
    x = np.arange(120, dtype="i4").reshape(4, 5, 6)
    weights = report.array(np.array([0.1, 0.2, 0.3, 0.1, 0.3]))
    sources = (("C", lambda a: a), ("F", lambda a: a.transpose(2, 1, 0)), ("step", lambda a: a[:, ::-1, ::2]))
    views = (
        ("C", lambda s: s, lambda a: a),
        ("F", lambda s: s[::-1], lambda a: a.transpose(*range(len(a.shape))[::-1])),
        ("step", lambda s: (*s[:-1], 2 * s[-1]), lambda a: a[..., ::-2]),
    )
    cases = [
        (
            "permuted",
            (axis, independent),
            lambda g, a, axis=axis, independent=independent: permuted(g, a, axis, independent),
        )
        for axis in (0, 1, -1)
        for independent in (0, 1)
    ]
    cases += [
        (
            "sample",
            (axis, replace, w and w.handle),
            lambda g, a, axis=axis, shape=shape, replace=replace, w=w: sample(g, a, axis, shape, replace, w),
        )
        for axis, shape, replace, w in (
            (0, (7,), 1, None),
            (1, (2, 2), 0, None),
            (-1, (), 1, None),
            (1, (3, 4), 1, weights),
            (-2, (5,), 0, weights),
            (2, (0, 2), 1, None),
        )
    ]
    for name, arguments, fresh in cases:
        for source, of in sources:
            a = of(report.array(x))
            want = fresh(Generator(73), a).numpy()
            for dtype in ("int32", "int64", "float32"):
                for label, shape, view in views:
                    base, whole, g = (
                        report.array(np.full(shape(want.shape), 7, dtype)),
                        np.full(shape(want.shape), 7, dtype),
                        Generator(73),
                    )
                    dst = view(base)
                    arrpy.call(f"arr_random_{name}_into", dst.handle, g.handle, a.handle, *arguments, None)
                    view(whole)[...] = want
                    equal(report, f"{name} {arguments[:2]} of {source} into {dtype} {label}", base, whole)
                    equal(report, f"{name} {arguments[:2]} {source} {label}: the input", a, of(x))
                    equal(
                        report,
                        f"{name} {arguments[:2]}: what comes next",
                        bits_of(report, g),
                        bits_of(report, moved(fresh, a)),
                    )
    # Over what is read, whole and in part.
    for axis, independent in ((0, 0), (1, 1)):
        a = report.array(x)
        want = permuted(Generator(74), a, axis, independent).numpy()
        g = Generator(74)
        arrpy.call("arr_random_permuted_into", a.handle, g.handle, a.handle, axis, independent, None)
        equal(report, f"permuted over itself {axis} {independent}", a, want)
    a, whole, g = report.array(x), x.copy(), Generator(75)
    rows, to = a[1:], a[:3]
    whole[:3] = sample(Generator(75), rows, 0, (3,)).numpy()
    arrpy.call("arr_random_sample_into", to.handle, g.handle, rows.handle, 0, 1, None, None)
    equal(report, "sample over its own array", a, whole)
    refused_slices(report, x)


def moved(fresh, a):
    g = Generator(73)
    fresh(g, a)
    return g


def bits_of(report, g):
    return arrpy.made(
        "arr_random_bits",
        g.handle,
        arrpy.number("uint32"),
        1,
        arrpy.int64s((4,)),
        ctypes.byref(arrpy.device_of(report.device)),
        None,
    ).numpy()


def refused_slices(report, x):
    a, g = report.array(x), Generator(76)
    good, frozen = report.array(np.zeros((4, 5, 6), "i4")), report.array(np.zeros((5, 6), "i4")).broadcast_to((4, 5, 6))
    before = bits_of(report, Generator(76))
    for label, name, dst, arguments, status in (
        ("permuted into another shape", "permuted", report.array(np.zeros((4, 6, 5), "i4")), (0, 0), C.ARR_E_SHAPE),
        ("permuted into bool", "permuted", report.array(np.zeros((4, 5, 6), "?")), (0, 0), C.ARR_E_DTYPE),
        ("permuted read-only", "permuted", frozen, (0, 0), C.ARR_E_READONLY),
        ("permuted along none", "permuted", good, (3, 0), C.ARR_E_SHAPE),
        ("sample into another shape", "sample", report.array(np.zeros((4, 9, 5), "i4")), (1, 1, None), C.ARR_E_SHAPE),
        ("sample into too few dimensions", "sample", report.array(np.zeros(4, "i4")), (1, 1, None), C.ARR_E_SHAPE),
        ("sample into bool", "sample", report.array(np.zeros((4, 5, 6), "?")), (0, 1, None), C.ARR_E_DTYPE),
        ("sample read-only", "sample", frozen, (0, 1, None), C.ARR_E_READONLY),
        ("sample of too many", "sample", report.array(np.zeros((4, 9, 6), "i4")), (1, 0, None), C.ARR_E_ARGUMENT),
        ("sample by weights of another length", "sample", good, (1, 1, report.array(np.ones(3) / 3)), C.ARR_E_SHAPE),
    ):
        passed = [v.handle if isinstance(v, arrpy.Array) else v for v in arguments]
        report.check(
            label,
            oracle.raises(
                status, lambda: arrpy.call(f"arr_random_{name}_into", dst.handle, g.handle, a.handle, *passed, None)
            ),
        )
    equal(report, "no number was used up", bits_of(report, g), before)


def main():
    report = oracle.Report(__doc__)
    for part in (orders, choices, orders_into, slices_into):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
