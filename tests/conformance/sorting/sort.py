#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sorts against NumPy 2: every dtype, sizes around the steps of the algorithms, patterns of elements, axes and layouts,
both directions; the places in full, which only a stable sort gets right."""

import ctypes
import functools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
NONE = C.ARR_AXIS_NONE
SIZES = [0, 1, 2, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, 65535, 65536, 65537]


def sort(a, axis=-1, descending=False):
    return arrpy.made("arr_sort", a.handle, axis, int(descending), None)


def argsort(a, axis=-1, descending=False):
    return arrpy.made("arr_argsort", a.handle, axis, int(descending), None)


def sort_into(dst, a, axis=-1, descending=False):
    arrpy.call("arr_sort_into", dst.handle, a.handle, axis, int(descending), None)


def topk(a, k, axis=-1, largest=True):
    values, indices = C.arr_array(), C.arr_array()
    arrpy.call("arr_topk", a.handle, k, axis, int(largest), None, ctypes.byref(values), ctypes.byref(indices))
    return arrpy.Array(values), arrpy.Array(indices)


def ranks(x):
    """Integers in the order of the elements: equal ones for equal elements; and the class of each by its nans."""
    if x.dtype.kind == "V":
        x = x.astype("f4")
    if x.dtype.kind != "c":
        nan = np.isnan(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool)
        return nan.astype("i8"), np.unique(np.where(nan, 0, x), return_inverse=True)[1].reshape(x.shape)
    re, im = np.isnan(x.real), np.isnan(x.imag)
    pairs = [
        np.unique(np.where(n, 0, p), return_inverse=True)[1].reshape(x.shape) for n, p in ((re, x.real), (im, x.imag))
    ]
    return 2 * re.astype("i8") + im, pairs[0].astype("i8") * (x.size + 1) + pairs[1]


def order_of(x, axis=-1, descending=False):
    kind, rank = ranks(x)
    rank = -rank if descending else rank
    return np.lexsort((rank, kind), axis=axis)


def compare(report, label, got, want):
    got = got.numpy()
    report.check(
        label,
        oracle.same(got, want),
        f"{got.dtype}{got.shape} {got.ravel()[:8]}, expected {want.dtype}{want.shape} {want.ravel()[:8]}",
    )


def sorts(report, label, a, x, axis=-1):
    """Both directions, elements and places of an array with the elements x."""
    for descending in (False, True):
        way = f"{label} axis {axis}" + (" descending" if descending else "")
        flat = x.reshape(-1) if axis == NONE else x
        along = -1 if axis == NONE else axis
        order = order_of(flat, along, descending)
        compare(report, "argsort " + way, argsort(a, axis, descending), order)
        compare(report, "sort " + way, sort(a, axis, descending), np.take_along_axis(flat, order, along))


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
    return (r.normal(size=n) * np.exp(r.normal(size=n) * 3)).astype(t)


class Adversary:
    """McIlroy's ("A Killer Adversary for Quicksort", 1999): decides during a sort how large elements are. A pivot becomes
    smaller than all that are not decided yet."""

    def __init__(self, n):
        self.ranks, self.decided, self.candidate = [n] * n, 0, 0

    def less(self, x, y):
        r, n = self.ranks, len(self.ranks)
        if r[x] == n and r[y] == n:
            r[x if x == self.candidate else y] = self.decided
            self.decided += 1
        if r[x] == n:
            self.candidate = x
        elif r[y] == n:
            self.candidate = y
        return r[x] < r[y]


@functools.lru_cache(None)
def killer(n):
    """Ranks on which a quicksort with medians of three takes quadratic time, which its pivots decide."""
    adversary = Adversary(n)
    parts = [list(range(n))]
    while parts:
        x = parts.pop()
        if len(x) < 3:
            continue
        pivot = sorted((x[0], x[len(x) // 2], x[-1]), key=functools.cmp_to_key(lambda a, b: -adversary.less(a, b)))[1]
        low = [i for i in x if i != pivot and adversary.less(i, pivot)]
        parts += [low, sorted(set(x) - {pivot, *low})]
    return np.argsort(np.argsort(adversary.ranks, kind="stable"), kind="stable")


def musser(n):
    """Ranks on which a quicksort with the first, middle and last element's median finds the worst pivots ("Introspective
    Sorting and Selection Algorithms", 1997)."""
    k = n // 2
    i = np.arange(1, 2 * k + 1)
    first = np.where(i[:k] % 2 == 1, i[:k], k + i[:k] - 1)
    rest = np.arange(1, n - k + 1) * 2
    rest = rest[: n - k]
    return np.argsort(np.argsort(np.concatenate([first, rest]), kind="stable"), kind="stable")


def beside_extremes(d, n):
    """Numbers that differ in their last bits only, and the least and the greatest of the type: leading bits of keys
    tell the latter two only."""
    t = oracle.dtype(d)
    low = np.random.default_rng(n).integers(0, 50, n)
    if t.kind == "f":
        x = (t.type(1) + low * np.finfo(t).eps).astype(t)
        ends = np.finfo(t).min, np.finfo(t).max
    else:
        x = (low + np.iinfo(t).max // 2).astype(t)
        ends = np.iinfo(t).min, np.iinfo(t).max
    x[[n // 3, n // 2]] = ends
    return x


def patterns(d, n):
    x = numbers(d, n, n)
    yield "random", x
    up = x[order_of(x)]
    yield "sorted", up
    yield "reversed", up[::-1].copy()
    yield "equal", np.full(n, x[0]) if n else x
    yield "two values", np.where(np.arange(n) % 3 == 0, x[0], x[-1]).astype(x.dtype) if n else x
    yield "organ pipe", np.concatenate([up[::2], up[1::2][::-1]])
    yield "specials", oracle.sample(n, d, n)
    few = up.copy()
    few[: n // 50] = x[: n // 50]
    yield "almost sorted", few
    t = oracle.dtype(d)
    if 16 <= n <= 257:
        yield "killer of quicksorts", up[killer(n)]
    if n >= 16:
        yield "killer of medians of three", up[musser(n)]
    if t.kind in "iuf" and t.itemsize >= 4 and n > 2:
        yield "beside extremes", beside_extremes(d, n)
    if t.kind in "iu" and t.itemsize > 1:
        yield "narrow", (x % 1000).astype(t)
        yield "high bits", (x // 1000 * 1000).astype(t)
    if t.kind in "fV":
        r = np.random.default_rng(n)
        values = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1], "f8").astype(t)
        yield "zeros and nan", values[r.integers(0, 6, n)]
        tiny = np.finfo(t).smallest_subnormal if t.kind == "f" else t.type(1e-40)
        yield "subnormal", (r.integers(-9, 9, n).astype(t) * tiny).astype(t)
    if t.kind == "c":
        r = np.random.default_rng(n)
        parts = np.array([0.0, -0.0, np.nan, np.inf, 1, -1])
        z = np.empty(n, t)
        z.real, z.imag = parts[r.integers(0, 6, n)], parts[r.integers(0, 6, n)]
        yield "zeros and nan", z
        yield "equal real parts", (np.round(x.real) + 1j * x.imag).astype(t)


def in_sample(report, number, one_in):
    """True if the case of this number is in the sample, which turns with the seed."""
    return report.whole or (number + report.seed) % (one_in * report.one_in) == 0


def has_kernels(report, dtype, n):
    """True if rows of n are sorted: over the fake, which compiles five kernels for long rows of a type, of few types."""
    return report.device == "host" or n <= 1024 or in_sample(report, dtype, 5)


def vectors(report):
    host = report.device == "host"
    for i, d in enumerate(oracle.ALL):
        for k, n in enumerate(SIZES if host else [0, 1, 2, 33, 257, 4097]):
            for j, (name, x) in enumerate(patterns(d, n)):
                label = f"{d} {n} {name}"
                if not has_kernels(report, i, n) or not in_sample(report, i + 3 * j + k, 1 if n <= 33 else 5):
                    continue
                if report.wants(label):
                    sorts(report, label, report.array(x), x)


def shapes(report):
    host = report.device == "host"
    for i, d in enumerate(oracle.ALL):
        for shape in ((5, 7), (70, 33), (9, 128), (300, 3), (3, 1030), (0, 4), (4, 0), (1, 1)):
            for j, (name, base, view) in enumerate(oracle.layouts_of(shape)):
                label = f"{d} {shape} {name}"
                if not report.wants(label) or not in_sample(report, i + j, 3 if host else 17):
                    continue
                x = oracle.sample(base, d, i + j)
                for axis in (0, -1, NONE):
                    if has_kernels(report, i, np.prod(shape) if axis == NONE else shape[axis]):
                        sorts(report, label, view(report.array(x)), view(x), axis)
    x = numbers("int16", 3 * 40 * 5, 1).reshape(3, 40, 5)
    for axis in range(-3, 3):
        sorts(report, "three axes", report.array(x), x, axis)
    if host:
        for n, rows in ((70000, 3), (2000, 20)):
            x = numbers("float32", n * rows, 2).reshape(rows, n)
            sorts(report, f"long rows {n}", report.array(x), x)


def rows_beside_extremes(report):
    """Rows in which leading bits tell few elements from others."""
    host = report.device == "host"  # the fake compiles kernels of each type
    for d in ("int32", "uint32", "float32", "int64", "uint64", "float64") if host else ("float32", "int64"):
        for shape in ((37, 100), (5, 256), (3, 256), (20, 3), (4, 257), (40, 2)) if host else ((5, 256), (20, 3)):
            x = beside_extremes(d, shape[0] * shape[1]).reshape(shape)
            x[0] = np.sort(x[0])[::-1]
            sorts(report, f"rows beside extremes {d} {shape}", report.array(x), x)
            sorts(report, f"columns beside extremes {d} {shape}", report.array(x), x, 0)


def killers(report):
    """Sequences on which a quicksort takes quadratic time: long rows, and selections of their elements."""
    host = report.device == "host"
    for d in ("int32", "float64", "complex64", "complex128") if host else ("int32",):
        for n in (2048, 70_001) if host else (2048,):
            up = numbers(d, n, 3)
            up = up[order_of(up)]
            for name, order in (("killer", killer(2048)), ("medians of three", musser(n))):
                x = up[order]
                label = f"{name} {d} {x.size}"
                sorts(report, label, report.array(x), x)
                for k in (0, x.size // 2, x.size - 1):
                    got = report.array(x)
                    kth = (ctypes.c_int64 * 1)(k)
                    values = arrpy.made("arr_partition", got.handle, 1, kth, -1, None).numpy()
                    report.check(f"{label} partition at {k}", values[k] == up[: x.size][k])
                    indices = arrpy.made("arr_argpartition", got.handle, 1, kth, -1, None).numpy()
                    report.check(f"{label} argpartition at {k}", np.array_equal(x[indices], values))
                compare(report, f"{label} topk", topk(report.array(x), 9)[0], up[: x.size][::-1][:9])


def into(report):
    for d in ("int8", "float32", "float64", "complex64"):
        x = oracle.sample((6, 50), d, 3)
        for axis in (0, 1):
            want = np.take_along_axis(x, order_of(x, axis), axis)
            a = report.array(x)
            sort_into(a, a, axis)
            compare(report, f"in place {d} axis {axis}", a, want)
            a, dst = report.array(x), report.array(np.zeros((50, 6), x.dtype))
            sort_into(dst.transpose(), a, axis)
            compare(report, f"into transposed {d} axis {axis}", dst.transpose(), want)
            compare(report, f"source is left {d} axis {axis}", a, x)
            base = report.array(np.concatenate([x, x[:1]]))
            sort_into(base[1:], base[:-1], axis)
            compare(report, f"overlapping {d} axis {axis}", base[1:], want)
            a = report.array(x)
            sort_into(a[::-1, ::-1], a, axis)
            compare(report, f"onto itself turned {d} axis {axis}", a[::-1, ::-1], want)
    a = report.array(np.array([3, 1, 2], "i4"))
    dst = report.array(np.zeros(3))
    sort_into(dst, a)
    compare(report, "into another type", dst, np.array([1.0, 2, 3]))
    report.check("into a narrower kind", oracle.raises(C.ARR_E_DTYPE, lambda: sort_into(a, dst)))
    report.check("into another shape", oracle.raises(C.ARR_E_SHAPE, lambda: sort_into(dst[:2], a)))


def partitions(report):
    def call(name, a, kth, axis=-1):
        return arrpy.made(f"arr_{name}", a.handle, len(kth), (ctypes.c_int64 * len(kth))(*kth), axis, None)

    for d in ("int16", "float64"):
        x = numbers(d, 300, 5).reshape(3, 100)
        for kth in ([0], [50], [99, 3, -1], []):
            got = call("partition", report.array(x), kth).numpy()
            order = call("argpartition", report.array(x), kth).numpy()
            want = np.sort(x)
            good = all(
                np.array_equal(got[:, k], want[:, k])
                and np.all(got[:, :k] <= got[:, k : k + 1])
                and np.all(got[:, k:] >= got[:, k : k + 1])
                for k in (k % 100 for k in kth)
            )
            report.check(f"partition {d} {kth}", good and np.array_equal(np.sort(got), want))
            report.check(f"argpartition {d} {kth}", np.array_equal(np.take_along_axis(x, order, 1), got))
    a = report.array(np.zeros(4))
    for kth in (4, -5):
        report.check(f"partition at {kth}", oracle.raises(C.ARR_E_ARGUMENT, lambda: call("partition", a, [kth])))
        report.check(f"argpartition at {kth}", oracle.raises(C.ARR_E_ARGUMENT, lambda: call("argpartition", a, [kth])))


def keys(report):
    def lexsort(arrays, axis=-1):
        handles = (C.arr_array * len(arrays))(*[a.handle for a in arrays])
        return arrpy.made("arr_lexsort", len(arrays), handles, axis, None)

    r = np.random.default_rng(7)
    for dtypes in (["int8"], ["float32", "bool"], ["int64", "uint8", "float16"], ["complex64", "int16", "int16"]):
        for shape, axis in (((200,), -1), ((5, 60), 1), ((60, 5), 0), ((4, 9), NONE), ((0,), 0), ((3, 0), 1)):
            given = [r.integers(0, 4, shape).astype(d) for d in dtypes]
            want = np.lexsort([g.ravel() for g in given] if axis == NONE else given, axis=-1 if axis == NONE else axis)
            compare(report, f"lexsort {dtypes} {shape}", lexsort([report.array(g) for g in given], axis), want)
    a = report.array(np.zeros(3))
    report.check("lexsort of none", oracle.raises(C.ARR_E_ARGUMENT, lambda: lexsort([])))
    report.check("lexsort of shapes", oracle.raises(C.ARR_E_SHAPE, lambda: lexsort([a, a[:2]])))


def others(report):
    for d in ["bool", "int8", "uint16", "int32", "float16", "float32", "float64", "complex64", "complex128"]:
        x = oracle.sample((3, 30), d, 8)
        a = report.array(x)
        z = x.astype(np.sort_complex(x).dtype)
        want = np.take_along_axis(z, order_of(z), 1)  # NumPy's is not stable
        compare(report, f"sort_complex {d}", arrpy.made("arr_sort_complex", a.handle, None), want)
        for k in (0, 1, 7, 30):
            for largest in (True, False):
                order = order_of(x, -1, largest)[:, :k]
                values, indices = topk(report.array(x), k, -1, largest)
                compare(report, f"topk {d} {k} {largest} values", values, np.take_along_axis(x, order, 1))
                compare(report, f"topk {d} {k} {largest} indices", indices, order)
    x = numbers("int32", 60, 1).reshape(20, 3)
    compare(report, "topk axis 0", topk(report.array(x), 4, 0)[0], -np.sort(-x.astype("i8"), axis=0)[:4].astype("i4"))
    a = report.array(np.zeros(4))
    for k in (-1, 5):
        report.check(f"topk {k}", oracle.raises(C.ARR_E_ARGUMENT, lambda: topk(a, k)))


def errors(report):
    a, zero = report.array(np.zeros((2, 3))), report.array(np.float64(1))
    report.check("axis 2", oracle.raises(C.ARR_E_SHAPE, lambda: sort(a, 2)))
    report.check("axis of no dimension", oracle.raises(C.ARR_E_SHAPE, lambda: argsort(zero, 0)))
    compare(report, "no dimension, flattened", sort(zero, NONE), np.ones(1))
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    x = report.array(np.array([2.0, 1, 3]))
    got = sort(x * report.array(np.float64(-1)))
    arrpy.call("arr_fuse_end")
    compare(report, "of a recorded value", got, np.array([-3.0, -2, -1]))


def main():
    report = oracle.Report(__doc__)
    for part in (vectors, shapes, rows_beside_extremes, killers, into, partitions, keys, others, errors):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
