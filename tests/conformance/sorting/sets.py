#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Distinct elements and slices, membership and set operations against NumPy 2, whose stable sort tells which of equal
elements is first."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
NONE = C.ARR_AXIS_NONE
PARTS = ("values", "indices", "inverse", "counts")


def outputs(name, given, wanted):
    """The results of a function with several, of which some are NULL."""
    handles = [C.arr_array() for _ in wanted]
    arrpy.call(name, *given, *(ctypes.byref(h) if w else None for h, w in zip(handles, wanted)))
    return [arrpy.Array(h) if w else None for h, w in zip(handles, wanted)]


def unique(a, axis=NONE, by_occurrence=False, equal_nan=True, wanted=(True,) * 4):
    flags = (0 if by_occurrence else C.ARR_UNIQUE_SORTED) | (C.ARR_UNIQUE_EQUAL_NAN if equal_nan else 0)
    return outputs("arr_unique", (a.handle, axis, flags, None), wanted)


def isin(a, test, invert=False):
    return arrpy.made("arr_isin", a.handle, test.handle, int(invert), None)


def intersect(a, b, assume_unique=False, wanted=(True, True, True)):
    return outputs("arr_intersect1d", (a.handle, b.handle, int(assume_unique), None), wanted)


def of_two(name, a, b, *options):
    return arrpy.made(f"arr_{name}", a.handle, b.handle, *map(int, options), None)


def plain(x):
    """The elements in a type that NumPy sorts."""
    return x.astype("f4") if x.dtype.kind == "V" else x


def numpy_unique(x, axis=NONE, by_occurrence=False, equal_nan=True):
    """The four results, the first of equal elements among them."""
    of = None if axis == NONE else axis
    _, index, inverse, counts = np.unique(plain(x), True, True, True, axis=of, equal_nan=equal_nan)
    if by_occurrence:
        order = np.argsort(index)
        index, counts, inverse = index[order], counts[order], np.argsort(order)[inverse]
    values = x.reshape(-1)[index] if of is None else np.take(x, index, of)
    return values, index.astype("i8"), inverse.astype("i8"), counts.astype("i8")


def compare(report, label, got, want):
    got = got.numpy()
    report.check(
        label,
        oracle.same(got, want),
        f"{got.dtype}{got.shape} {got.ravel()[:8]}, NumPy {want.dtype}{want.shape} {want.ravel()[:8]}",
    )


def compare_values(report, label, got, want):
    """But for the signs of zeros, which NumPy's sort leaves in any order."""
    got = got.numpy()
    good = got.dtype == want.dtype and got.shape == want.shape
    report.check(
        label,
        good and np.array_equal(plain(got), plain(want), equal_nan=want.dtype.kind in "fcV"),
        f"{got}, NumPy {want}",
    )


def uniques(report, label, a, x, axis=NONE, every=False):
    """All results at once, and with every set of wanted results or the values alone."""
    for by_occurrence, equal_nan in ((False, True), (True, True), (False, False)):
        how = f"unique {label} axis {axis} {by_occurrence} {equal_nan}"
        want = numpy_unique(x, axis, by_occurrence, equal_nan)
        for part, g, w in zip(PARTS, unique(a, axis, by_occurrence, equal_nan), want):
            compare(report, f"{how} {part}", g, w)
        for wanted in list(itertools.product([True], *[[False, True]] * 3))[: -1 if every else 1]:
            for part, g, w in zip(PARTS, unique(a, axis, by_occurrence, equal_nan, wanted), want):
                if g is not None:
                    compare(report, f"{how} {wanted} {part}", g, w)


def numbers(d, n, seed):
    """Numbers all over the range of the type."""
    r = np.random.default_rng(seed)
    t = oracle.dtype(d)
    if t.kind == "b":
        return r.integers(0, 2, n).astype(t)
    if t.kind in "iu":
        i = np.iinfo(t)
        return r.integers(i.min, i.max, n, dtype=t, endpoint=True)
    if t.kind == "c":
        return (r.normal(size=n) + 1j * r.normal(size=n)).astype(t)
    return r.normal(size=n).astype(t)


def patterns(d, n):
    x = numbers(d, n, n)
    t = oracle.dtype(d)
    r = np.random.default_rng(n + 1)
    yield "random", x
    yield "few", x[r.integers(0, max(n // 10, 1), n)] if n else x
    yield "specials", oracle.sample(n, d, n)
    if t.kind in "iu":
        i = np.iinfo(t)
        yield "narrow", r.integers(max(i.min, -50), 50, n).astype(t)
        low = (r.integers(0, 9, n) + i.min).astype(t)
        yield "lowest", low
        yield "highest", t.type(i.max) - r.integers(0, 9, n).astype(t)
        low[n // 2 : n // 2 + 1] = i.max  # between those that a sample sees
        yield "outlier", low
        near = r.integers(0, 9, n).astype(t)
        near[n // 2 + 1 : n // 2 + 2] = 100
        yield "near outlier", near
    if t.kind in "fV":
        values = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1], "f8").astype(t)
        yield "zeros and nan", values[r.integers(0, 6, n)]
    if t.kind == "c":
        parts = np.array([0.0, -0.0, np.nan, np.inf, 1, -1])
        z = np.empty(n, t)
        z.real, z.imag = parts[r.integers(0, 6, n)], parts[r.integers(0, 6, n)]
        yield "zeros and nan", z


def in_sample(report, number, one_in):
    """True if the case of this number is in the sample, which turns with the seed."""
    return report.whole or (number + report.seed) % (one_in * report.one_in) == 0


def dtypes(report, few):
    return oracle.ALL if report.device == "host" or report.whole else few


def vectors(report):
    host = report.device == "host"
    for i, d in enumerate(dtypes(report, ["bool", "int16", "uint64", "float16", "float32", "complex64"])):
        for k, n in enumerate([0, 1, 2, 33, 1000, 4097, 70001] if host else [0, 1, 33, 700]):
            for j, (name, x) in enumerate(patterns(d, n)):
                label = f"{d} {n} {name}"
                if in_sample(report, i + 3 * j + k, 1 if n <= 33 else 2 if n < 5000 else 5) and report.wants(label):
                    uniques(report, label, report.array(x), x, every=host and n == 33)
    for d in ("int64", "float64"):
        x = oracle.sample(50, d, 1)
        uniques(report, f"vector {d}", report.array(x), x, 0)
    x = np.array(7.5)
    uniques(report, "no dimension", report.array(x), x)


def colliding(n):
    """Words with one value in the upper half of the hash of core/ops/sorting/unique_hash.cpp."""
    r = np.random.default_rng(6)
    mixed = r.integers(0, 2**32, n, dtype="u8") | np.uint64(0x1234567800000000)
    folded = mixed * np.uint64(pow(0x9E3779B97F4A7C15, -1, 2**64))
    return folded ^ (folded >> np.uint64(32))


def repeated(report):
    """Long vectors of 64 bits whose elements occur often; such with equal hashes, with nan and zeros of both signs."""
    n = 70001 if report.device == "host" else 3000
    r = np.random.default_rng(11)
    for i, d in enumerate(("int64", "uint64", "float64")):
        far = numbers(d, 5000, 1)
        mixed = far[r.integers(0, 5000, n)]
        hard = colliding(40).view(d)
        mixed[: n // 2] = hard[r.integers(0, 40, n // 2)]
        if d == "float64":
            special = np.array([0.0, -0.0, np.nan, np.inf, -np.nan])
            mixed[n // 3 :: 5] = special[r.integers(0, 5, len(mixed[n // 3 :: 5]))]
        cases = (("mixed", mixed), ("colliding", hard[r.integers(0, 40, n)]), ("few", far[r.integers(0, 5000, n)]))
        for j, (name, x) in enumerate(cases):
            if in_sample(report, 3 * i + j, 1) and report.wants(f"repeated {d} {name}"):
                every = report.device == "host" and report.one_in == 1
                uniques(report, f"repeated {d} {name}", report.array(x), x, every=every)
                a = report.array(x)[::-1]
                compare(report, f"repeated {d} {name} inverse", unique(a)[2], numpy_unique(x[::-1])[2])


def layouts(report):
    for i, d in enumerate(dtypes(report, ["int32", "float64"])):
        for j, (name, base, view) in enumerate(oracle.layouts_of((9, 7))):
            label = f"{d} {name}"
            if report.wants(label) and in_sample(report, i + j, 3):
                x = oracle.sample(base, d, i + j)
                for axis in (NONE, 0, -1):
                    uniques(report, label, view(report.array(x)), view(x), axis)
    wide = np.broadcast_to(np.array([3, 1, 3], "i4"), (4, 3))
    a = report.array(wide[0]).broadcast_to((4, 3))
    uniques(report, "broadcast", a, wide)
    uniques(report, "broadcast", a, wide, 0)


def rows_of(d, n, m, kind, r):
    """(n, m) elements: of few values, with equal beginnings, all equal, or nearly all different."""
    t = oracle.dtype(d)
    few = oracle.sample(5, d, 3)
    if kind == "few":
        return few[r.integers(0, len(few), (n, m))]
    if kind == "repeated":
        return few[r.integers(0, len(few), (max(n // 7, 1), m))][r.integers(0, max(n // 7, 1), n)]
    x = numbers(d, n * m, 5).reshape(n, m)
    if kind == "same beginnings":
        x[:, : m - 1] = x[0, : m - 1]
        x[: n // 2, m - 1 :] = few[r.integers(0, len(few), (n // 2, min(m, 1)))]
    return x.astype(t)


def slices(report):
    host = report.device == "host"
    r = np.random.default_rng(4)
    cases = itertools.product(
        dtypes(report, ["int8", "float16", "complex64", "complex128"]),
        [(1, 1), (40, 1), (40, 3), (60, 9), (300, 20), (7, 70)] if host else [(40, 9), (12, 3)],
        ["few", "repeated", "same beginnings", "random"],
    )
    for i, (d, (n, m), kind) in enumerate(cases):
        label = f"slices {d} {n}x{m} {kind}"
        if report.wants(label) and in_sample(report, i, 2 if host else 3):
            x = rows_of(d, n, m, kind, r)
            uniques(report, label, report.array(x), x, 0)
    for shape, axis in (((3, 0), 0), ((0, 3), 0), ((3, 0), 1), ((1, 1, 4), 0)):
        x = np.zeros(shape)
        uniques(report, f"slices {shape}", report.array(x), x, axis)
    x = r.integers(0, 2, (6, 5, 2)).astype("i2")
    for axis in range(-3, 3):
        uniques(report, "slices of three axes", report.array(x), x, axis)
    if host and report.one_in == 1:
        x = r.integers(0, 3, (20000, 11)).astype("u1")
        uniques(report, "slices many", report.array(x), x, 0)


def exact_isin(x, test):
    """By Python's integers where NumPy would compare in float64."""
    if {x.dtype.kind, test.dtype.kind} == {"i", "u"}:
        found = set(test.ravel().tolist())
        return np.array([v in found for v in x.ravel().tolist()], bool).reshape(x.shape)
    return np.isin(plain(x), plain(test))


def pairs(report):
    """(label, x, y): two arrays of one type or of two, with elements in common."""
    host = report.device == "host"
    r = np.random.default_rng(9)
    for d in dtypes(report, ["bool", "int16", "uint64", "float16", "float64", "complex64"]):
        for n, m in ((0, 5), (5, 0), (1, 1), (40, 30), (700, 300), (6000, 5000))[: 6 if host else 4]:
            for name, x in patterns(d, n + m):
                yield f"{d} {n} {m} {name}", x[:n], np.concatenate([x[n:], x[: n // 2]])[r.permutation(m + n // 2)]
    mixed = ("int8", "uint8"), ("int64", "uint64"), ("uint64", "int32"), ("float16", "float64"), ("bool", "int32")
    for a, b in (*mixed, ("int32", "float32"), ("float32", "complex64"), ("uint16", "int64"))[: 8 if host else 2]:
        x, y = oracle.sample(60, a, 1), oracle.sample(50, b, 2)
        yield f"{a} and {b}", x, np.concatenate([y, x[:9].astype(y.dtype)])


def operations(report):
    for i, (label, x, y) in enumerate(pairs(report)):
        if not report.wants(label) or not in_sample(report, i, 2 if x.size > 100 or report.device != "host" else 1):
            continue
        a, b = report.array(x), report.array(y)
        for invert in (False, True):
            compare(report, f"isin {label} {invert}", isin(a, b, invert), exact_isin(x, y) ^ invert)
        p, q = plain(x), plain(y)
        if "uint64" in label and "and int" in label or "int64 and uint64" in label:
            continue
        back = np.result_type(x, y) if x.dtype.kind != "V" else x.dtype
        compare_values(report, f"union1d {label}", of_two("union1d", a, b), np.union1d(p, q).astype(back))
        compare_values(report, f"setxor1d {label}", of_two("setxor1d", a, b, False), np.setxor1d(p, q).astype(back))
        compare_values(
            report, f"setdiff1d {label}", of_two("setdiff1d", a, b, False), np.setdiff1d(p, q).astype(x.dtype)
        )
        compare(report, f"setdiff1d {label} in order", of_two("setdiff1d", a, b, True), x[~exact_isin(x, y)])
        values, *indices = np.intersect1d(p, q, return_indices=True)
        got = intersect(a, b)
        compare_values(report, f"intersect1d {label}", got[0], values.astype(back))
        for g, w in zip(got[1:], indices):
            compare(report, f"intersect1d {label} places", g, w)
        compare_values(
            report, f"intersect1d {label} alone", intersect(a, b, wanted=(True, False, False))[0], values.astype(back)
        )
        compare(report, f"intersect1d {label} second", intersect(a, b, wanted=(True, False, True))[2], indices[1])


def promised(report):
    """assume_unique with arrays that keep the promise, and shapes of several dimensions."""
    r = np.random.default_rng(3)
    for d in ("int32", "float64", "float16"):
        x, y = r.permutation(60)[:40].astype(d).reshape(5, 8), r.permutation(60)[:30].astype(d).reshape(3, 10)
        a, b = report.array(x).transpose(), report.array(y)
        for g, w in zip(intersect(a, b, True), np.intersect1d(x.T, y, True, True)):
            compare(report, f"intersect1d {d} promised", g, w)
        compare(
            report,
            f"intersect1d {d} promised alone",
            intersect(a, b, True, (True, False, False))[0],
            np.intersect1d(x, y),
        )
        compare(report, f"setxor1d {d} promised", of_two("setxor1d", a, b, True), np.setxor1d(x, y))
        compare(report, f"setdiff1d {d} promised", of_two("setdiff1d", a, b, True), np.setdiff1d(x.T, y, True))
        compare(report, f"isin {d} shape", isin(a, b), np.isin(x.T, y))
    one = report.array(np.array(3.0))
    compare(report, "isin of no dimension", isin(one, one), np.array(True))


def wide(report):
    """Integers far apart, of which no table is made, and numbers at the ends of the types."""
    top = np.iinfo("i8").max
    x = np.array([-1, top, 0, -top - 1, 5], "i8")
    y = np.array([2**64 - 1, 2**63, top, 5], "u8")
    a, b = report.array(x), report.array(y)
    compare(report, "isin int64 in uint64", isin(a, b), np.array([False, True, False, False, True]))
    compare(report, "isin uint64 in int64", isin(b, a), np.array([False, False, True, True]))
    compare(report, "isin int64 in one", isin(a, report.array(y[:1])), np.zeros(5, bool))
    compare(report, "isin uint64 in one", isin(b, report.array(x[:1])), np.zeros(4, bool))
    compare(
        report,
        "isin uint64 in narrow",
        isin(b, report.array(np.array([-1, 5], "i1"))),
        np.array([False, False, False, True]),
    )
    for d in ("int64", "uint64"):
        i = np.iinfo(d)
        ends = np.array([i.min, i.max, 3], d)
        for test in (ends[:1], ends[1:2], ends):
            compare(report, f"isin {d} ends", isin(report.array(ends), report.array(test)), np.isin(ends, test))


def errors(report):
    a, zero = report.array(np.zeros((2, 3))), report.array(np.array(1.0))
    refused = [
        ("axis 2", C.ARR_E_SHAPE, lambda: unique(a, 2)),
        ("axis of no dimension", C.ARR_E_SHAPE, lambda: unique(zero, 0)),
        ("flags 4", C.ARR_E_ARGUMENT, lambda: outputs("arr_unique", (a.handle, 0, 4, None), (True,) * 4)),
        ("no values", C.ARR_E_ARGUMENT, lambda: unique(a, wanted=(False, True, True, True))),
        ("intersect without values", C.ARR_E_ARGUMENT, lambda: intersect(a, a, wanted=(False, True, True))),
    ]
    for label, status, call in refused:
        report.check(label, oracle.raises(status, call))
    if report.device != "host":
        here = arrpy.array(np.zeros(3))
        for name in ("isin", "setdiff1d", "setxor1d"):
            report.check(f"{name} of two devices", oracle.raises(C.ARR_E_ARGUMENT, lambda: of_two(name, a, here, 0)))
        report.check("union1d of two devices", oracle.raises(C.ARR_E_ARGUMENT, lambda: of_two("union1d", a, here)))
        report.check("intersect1d of two devices", oracle.raises(C.ARR_E_ARGUMENT, lambda: intersect(a, here)))
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    x = report.array(np.array([2.0, 1, 2]))
    got = unique(x * report.array(np.float64(-1)))
    member = isin(x + report.array(np.float64(1)), x)
    arrpy.call("arr_fuse_end")
    compare(report, "of a recorded value", got[0], np.array([-2.0, -1]))
    compare(report, "isin of a recorded value", member, np.array([False, True, False]))


def main():
    report = oracle.Report(__doc__)
    for part in (vectors, repeated, layouts, slices, operations, promised, wide, errors):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
