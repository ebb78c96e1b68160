#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Combining into chosen places: ufunc.at for every op x dtype x kind of index, and bincount, against NumPy 2."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
BINARY = [
    "add",
    "subtract",
    "multiply",
    "minimum",
    "maximum",
    "fmin",
    "fmax",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "logical_and",
    "logical_or",
    "logical_xor",
    "gcd",
    "lcm",
    "hypot",
    "logaddexp",
    "divide",
    "floor_divide",
    "less",
    "left_shift",
    "power",
    "ldexp",
    "copysign",
    "equal",
]
UNARY = ["negative", "absolute", "square", "invert", "sqrt", "logical_not"]
# Over the fake each kernel costs a compilation.
CUDA = [
    ("add", "int64"),
    ("add", "int8"),
    ("subtract", "uint32"),
    ("add", "float32"),
    ("subtract", "float64"),
    ("add", "complex128"),
    ("multiply", "complex128"),
    ("logical_or", "complex128"),
    ("multiply", "complex64"),
    ("maximum", "int32"),
    ("minimum", "uint64"),
    ("maximum", "float64"),
    ("minimum", "float16"),
    ("bitwise_xor", "int64"),
    ("bitwise_or", "uint16"),
    ("logical_xor", "bool"),
    ("add", "bool"),
    ("multiply", "bfloat16"),
    ("maximum", "int8"),
    ("less", "bool"),
]


def numpy_at(name, a, index, *b):
    """NumPy's result; 16-bit brain floats, which it does not know, by single elements in float32."""
    if a.dtype != oracle.bfloat16:
        getattr(np, name).at(a, index, *b)
        return
    getattr(np, name)(*[np.ones(1, "f4")] * (1 + len(b)))  # raises where there is no such
    flat = np.broadcast_arrays(*(index if isinstance(index, tuple) else (index,)))
    values = [np.broadcast_to(v, flat[0].shape + a.shape[len(flat) :]) for v in b]
    for where in np.ndindex(flat[0].shape):
        at = tuple(f[where] for f in flat)
        wide = [np.asarray(a[at]).astype("f4"), *(np.asarray(v[where]).astype("f4") for v in values)]
        a[at] = getattr(np, name)(*wide).astype(a.dtype)


def close(name, got, want):
    """Bit equal but for ops whose own results may differ in the last digits, and for complex products beyond the range:
    NumPy's are nan there and C99's infinite (domains.py asks for those)."""
    if got.dtype.kind == "c" and got.dtype == want.dtype and name in ("multiply", "square", "divide", "power"):
        beyond = ~np.isfinite(got) & ~np.isfinite(want)
        got, want = np.where(beyond, 0, got).astype(got.dtype), np.where(beyond, 0, want).astype(want.dtype)
    if got.dtype.kind not in "fcV" or name not in ("hypot", "logaddexp", "power", "divide", "absolute"):
        return oracle.same(got, want)
    wide = "c16" if got.dtype.kind == "c" else "f8"
    return got.dtype == want.dtype and np.allclose(
        got.astype(wide), want.astype(wide), 2e-2 if got.itemsize == 2 else 1e-4, 1e-6, equal_nan=True
    )


def data(name, d, shape, seed):
    x = oracle.sample(shape, d, seed, "tame")
    if name in ("sqrt", "power", "lcm", "left_shift"):
        x = (np.abs(x.astype("i4" if x.dtype.kind in "iub" else "f8")) % 3).astype(x.dtype)
    if name in ("floor_divide", "divide") and x.dtype.kind in "iu":
        x = np.where(x == 0, x.dtype.type(3), x)
    return x


# label, shape of the array, makers of its view, of the indices and of the shape of b
def cases(r):
    def some(shape, n, negative=True):
        return r.integers(-n if negative else 0, n, shape)

    yield "vector", (50,), lambda a: a, (some(300, 50),), (300,)
    yield "scalar value", (50,), lambda a: a, (some(300, 50, False),), ()
    yield "reversed", (50,), lambda a: a[::-1], (some(40, 50),), (40,)
    yield "step", (60,), lambda a: a[::3], (some((4, 9), 20),), (4, 1)
    yield "rows", (7, 33), lambda a: a, (some(20, 7),), (20, 33)
    yield "rows of one", (7, 33), lambda a: a, (some(20, 7),), (33,)
    yield "short rows", (7, 3), lambda a: a, (some(20, 7),), (20, 1)
    yield "transposed rows", (33, 7), lambda a: a.T, (some(20, 7),), (20, 33)
    yield "columns behind", (5, 6, 40), lambda a: a[:, :, ::2], (some((3, 1), 5), some((1, 8), 6)), (3, 8, 20)
    yield "two", (6, 8), lambda a: a, (some((5, 7), 6), some(7, 8)), (5, 7)
    yield "one place", (6, 8), lambda a: a, (np.array(3), np.array(-1)), ()
    yield "nothing", (6, 8), lambda a: a, (np.zeros((0,), "i8"),), (0, 8)
    yield "no columns", (6, 0), lambda a: a, (some(4, 6),), (4, 0)
    yield "three", (4, 5, 6), lambda a: a, (some(30, 4), some(30, 5), some(30, 6)), (30,)


def at(report, name, a, index, *b):
    arrpy.at(
        name,
        a,
        [report.array(np.asarray(i)) for i in index],
        *(report.array(v) if isinstance(v, np.ndarray) else v for v in b),
    )


def one(report, name, d, seed, only=None):
    r = np.random.default_rng(seed)
    unary = name in UNARY
    for k, (label, shape, view, index, value_shape) in enumerate(cases(r)):
        if only is not None and label not in only:
            continue
        base = data(name, d, shape, seed + k)
        value = [] if unary else [data(name, d, value_shape, seed + 50 + k)]
        if name == "ldexp" and not unary:
            value = [r.integers(-3, 3, value_shape)]
        if d in ("float16", "bfloat16", "float32") and report.device != "host" and value:
            value = [np.round(value[0].astype("f4")).astype(value[0].dtype)]  # in any order the same sum
            base = np.round(base.astype("f4")).astype(base.dtype)
        want, dev = base.copy(), report.array(base)
        try:
            numpy_at(name, view(want), index if len(index) > 1 else index[0], *value)
        except (TypeError, np.exceptions.AxisError) as e:
            good = oracle.raises(C.ARR_E_DTYPE, lambda: at(report, name, view(dev), index, *value))
            report.check(f"{name} {d} {label} refused", good, str(e))
            continue
        try:
            at(report, name, view(dev), index, *value)
        except arrpy.Error as e:
            report.check(f"{name} {d} {label}", False, str(e))
            continue
        got = dev.numpy()
        if report.device != "host" and got.dtype.kind in "fc":  # the order of elements is not fixed there
            good = np.allclose(got, want, 1e-5 if got.dtype.itemsize > 2 else 1e-2, 1e-5, equal_nan=True)
        else:
            good = close(name, got, want)
        report.check(f"{name} {d} {label}", good, f"{got.ravel()[:6]} {want.ravel()[:6]}")


def ops(report):
    if report.device != "host":
        for n, (name, d) in enumerate(CUDA):
            one(report, name, d, n, ("vector",) if n > 2 else ("vector", "two", "rows", "step", "nothing"))
        return
    for n, name in enumerate(BINARY + UNARY):
        for d in oracle.ALL:
            if report.wants(f"{name} {d}") and not (
                d == "bfloat16"
                and name in ("ldexp", "less", "equal", "logical_not", "gcd", "lcm")
                or d in ("bfloat16", "float16")
                and name in ("power", "divide", "logical_and", "logical_or", "logical_xor")
            ):
                one(report, name, d, 7 * n)


def many_axes(report):
    """As many index arrays as there are axes, of any signs: more than a program has inputs for are joined first."""
    r = np.random.default_rng(12)
    for ndim in (4, 5, 6, 9, 16, 32) if report.device == "host" else (6,):
        shape = tuple(int(n) for n in r.integers(1, 4, ndim)) if ndim < 16 else (2,) * 8 + (1,) * (ndim - 8)
        for low in (0, 1):
            for named in (ndim, ndim - 1):
                index = [r.integers(-n * low, n, 40) for n in shape[:named]]
                a = np.zeros(shape, "i8").T.copy().T
                x = r.integers(0, 100, 40).reshape(40, *(1,) * (ndim - named))
                dev, want = report.array(a), a.copy()
                np.add.at(want, tuple(index), x)
                at(report, "add", dev, index, x)
                report.check(f"add along {named} of {ndim} axes from {-low}", np.array_equal(dev.numpy(), want))


def types(report):
    """Values of another type than the array; casts back within a kind; plain numbers; every type of index."""
    cuda = report.device != "host"
    r = np.random.default_rng(5)
    index = r.integers(-20, 20, 200)
    for d in ["int16", "float32"] if cuda else oracle.ALL:
        for v in ["int32"] if cuda else oracle.ALL:
            if "bfloat16" in (d, v):
                continue
            a, b = oracle.sample((20,), d, 1, "tame"), oracle.sample((200,), v, 2, "tame")
            if a.dtype.kind in "iu":  # sums that fit: a float out of an integer's range may become anything
                b = (np.abs(b.astype("i4")) % 2).astype(v)
                a = np.abs(a) % a.dtype.type(100)
            want, dev = a.copy(), report.array(a)
            try:
                np.add.at(want, index, b)
            except TypeError:
                report.check(
                    f"add {d} and {v} refused", oracle.raises(C.ARR_E_DTYPE, lambda: at(report, "add", dev, [index], b))
                )
                continue
            at(report, "add", dev, [index], b)
            good = oracle.same(dev.numpy(), want) if not cuda else np.allclose(dev.numpy(), want, 1e-4)
            report.check(f"add {d} and {v}", good, f"{dev.numpy()[:5]} {want[:5]}")
    for d in ["uint8"] if cuda else oracle.SIGNED + oracle.UNSIGNED:
        a = np.zeros(300 if d != "int8" else 100, "i8")
        i = r.integers(0, len(a) if d != "uint8" else 256, 500).astype(d)
        dev = report.array(a)
        at(report, "add", dev, [i], 2)
        np.add.at(a, i, 2)
        report.check(f"index {d}", np.array_equal(dev.numpy(), a))
    half = report.array(np.zeros(3, "f4"))
    at(report, "add", half, [np.array([1, 1])], 0.5)
    report.check("plain number", oracle.same(half.numpy(), np.array([0, 1, 0], "f4")))


def overlapping(report):
    """Values and indices that share memory with the array are read as they were."""
    x = np.arange(12)
    want, dev = x.copy(), report.array(x)
    np.add.at(want, np.array([3, 3, 0]), x[2:5].copy())
    arrpy.at("add", dev, [report.array(np.array([3, 3, 0]))], dev[2:5])
    report.check("values overlap", np.array_equal(dev.numpy(), want), f"{dev.numpy()} {want}")
    want, dev = x.copy(), report.array(x)
    np.add.at(want, x[::-1].copy(), x.copy())
    arrpy.at("add", dev, [dev[::-1]], dev)
    report.check("all overlap", np.array_equal(dev.numpy(), want), f"{dev.numpy()} {want}")


def recorded(report):
    """Inside of a recording scope the target, indices and values are not computed yet, and readers of the target wait."""
    a, i, v = np.arange(6.0), np.array([0, 5, 0, -2]), np.array([1.0, 2, 3, 4])
    want = a * 2
    before = want + 1
    np.add.at(want, i % 6, v * 3)
    arrpy.call("arr_fuse_begin", arrpy.c.ARR_FUSE_SMALL)
    x = report.array(a) * report.array(np.float64(2))
    reader = x + report.array(np.float64(1))
    shifted = report.array(i) + report.array(np.int64(6))
    arrpy.at(
        "add",
        x,
        [arrpy.apply("remainder", shifted, report.array(np.int64(6)))],
        report.array(v) * report.array(np.float64(3)),
    )
    after = x + report.array(np.float64(1))
    arrpy.call("arr_fuse_end")
    report.check("recorded target", oracle.same(x.numpy(), want), f"{x.numpy()} {want}")
    report.check("recorded reader before", oracle.same(reader.numpy(), before), f"{reader.numpy()} {before}")
    report.check("recorded reader after", oracle.same(after.numpy(), want + 1), f"{after.numpy()}")


def refused(report):
    a, three = report.array(np.zeros((4, 5))), report.array(np.array([0, 1, 2]))
    bad = [
        ("range", C.ARR_E_ARGUMENT, "add", a, [np.array([0, 4])], 1.0),
        ("below", C.ARR_E_ARGUMENT, "add", a, [np.array([0, -5])], 1.0),
        ("second axis", C.ARR_E_ARGUMENT, "add", a, [np.array([0]), np.array([5])], 1.0),
        ("many indices", C.ARR_E_ARGUMENT, "add", a, [np.array([0])] * 3, 1.0),
        ("float index", C.ARR_E_DTYPE, "add", a, [np.array([0.0])], 1.0),
        ("bool index", C.ARR_E_DTYPE, "add", a, [np.array([True])], 1.0),
        ("index shapes", C.ARR_E_SHAPE, "add", a, [np.array([0, 1]), np.array([0, 1, 2])], 1.0),
        ("value shape", C.ARR_E_SHAPE, "add", a, [np.array([0, 1])], np.zeros((3, 5))),
        ("leading axis of 1", C.ARR_E_SHAPE, "add", a, [np.array([0, 1])], np.zeros((1, 2, 5))),
        ("no value", C.ARR_E_ARGUMENT, "add", a, [np.array([0])]),
        ("a value too many", C.ARR_E_ARGUMENT, "negative", a, [np.array([0])], 1.0),
        ("three operands", C.ARR_E_ARGUMENT, "where", a, [np.array([0])], 1.0),
        ("two results", C.ARR_E_ARGUMENT, "divmod", a, [np.array([0])], 1.0),
    ]
    for label, status, name, to, index, *b in bad:
        report.check(f"{label} refused", oracle.raises(status, lambda: at(report, name, to, index, *b)))
    wide = report.array(np.zeros(5)).broadcast_to((4, 5))
    report.check(
        "broadcast array refused",
        oracle.raises(C.ARR_E_READONLY, lambda: at(report, "add", wide, [np.array([0])], 1.0)),
    )
    report.check("nothing was written", not a.numpy().any())
    report.check("no index refused", oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.at("add", three, [], 1)))
    try:
        at(report, "add", a, [np.array([0]), np.array([1, 7])], 1.0)
    except arrpy.Error as e:
        report.check("error names index, axis and extent", "7 along axis 1 of extent 5" in str(e), str(e))
    for label, value in (("a shape", [np.zeros((3, 5))]), ("no value", [])):
        try:
            at(report, "add", a, [np.array([0, 1])], *value)
        except arrpy.Error as e:
            report.check(f"error of {label} names b", "argument b: " in str(e), str(e))


def counts(report):
    r = np.random.default_rng(1)
    cuda = report.device != "host"
    for d in ["int64", "uint8"] if cuda else ["bool", *oracle.SIGNED, "uint8", "uint16", "uint32"]:
        for n in (1, 9, 5000) if cuda else (0, 1, 2, 9, 1000, 70000):
            x = r.integers(0, 2 if d == "bool" else 100, n).astype(d)
            for minlength in (0, 3, 300):
                got, want = (
                    arrpy.bincount(report.array(x), minlength=minlength).numpy(),
                    np.bincount(x, minlength=minlength),
                )
                report.check(f"bincount {d} {n} {minlength}", oracle.same(got, want))
            for w in ["float64"] if cuda else ["bool", "int8", "uint64", "float16", "float32", "float64"]:
                weights = oracle.sample((n,), w, 3, "tame")
                got, want = (
                    arrpy.bincount(report.array(x), report.array(weights), 7).numpy(),
                    np.bincount(x, weights, 7),
                )
                good = np.allclose(got, want) if cuda else oracle.same(got, want)
                report.check(f"bincount {d} {n} weights {w}", good and got.dtype == want.dtype, f"{got[:5]} {want[:5]}")
    x = r.integers(0, 50, 1000)
    report.check("bincount step", np.array_equal(arrpy.bincount(report.array(x)[::-3]).numpy(), np.bincount(x[::-3])))
    row, sq = report.array(np.arange(3)), report.array(np.zeros((2, 2), "i8"))
    for label, status, call in (
        ("negative", C.ARR_E_ARGUMENT, lambda: arrpy.bincount(report.array(np.array([1, -1])))),
        ("float", C.ARR_E_DTYPE, lambda: arrpy.bincount(report.array(np.ones(2)))),
        ("uint64", C.ARR_E_DTYPE, lambda: arrpy.bincount(report.array(np.ones(2, "u8")))),
        ("matrix", C.ARR_E_SHAPE, lambda: arrpy.bincount(sq)),
        ("weights' shape", C.ARR_E_SHAPE, lambda: arrpy.bincount(row, report.array(np.ones(2)))),
        ("complex weights", C.ARR_E_DTYPE, lambda: arrpy.bincount(row, report.array(np.ones(3, "c8")))),
        ("minlength", C.ARR_E_ARGUMENT, lambda: arrpy.bincount(row, minlength=-1)),
    ):
        report.check(f"bincount {label} refused", oracle.raises(status, call))


def big(report):
    """Many elements for few and for many places: threads with copies of their own, and alone."""
    r = np.random.default_rng(8)
    n = 400_000 if report.device == "host" else 50_000
    for extent in (1, 10, 1000, 300_000):
        i = r.integers(0, extent, n)
        for d, name in (
            ("int64", "add"),
            ("int8", "multiply"),
            ("int32", "maximum"),
            ("uint16", "bitwise_xor"),
            ("int32", "subtract"),
            ("bool", "logical_xor"),
            ("float64", "add"),
            ("float32", "minimum"),
        ):
            if report.device != "host" and (name, d) not in CUDA:
                continue
            a, b = oracle.sample((extent,), d, 1, "tame"), oracle.sample((n,), d, 2, "tame")
            want, dev = a.copy(), report.array(a)
            getattr(np, name).at(want, i, b)
            at(report, name, dev, [i], b)
            good = oracle.same(dev.numpy(), want) if report.device == "host" else np.allclose(dev.numpy(), want)
            report.check(f"big {name} {d} {extent}", good)


def subnormals(report):
    """Sums of float32 below and around the smallest normal number are exact. The fake CUDA's atomics keep subnormals by
    themselves: there the test sees the sums, and only a GPU that flushes them would see what the kernels avoid."""
    tiny = np.finfo("f4").smallest_subnormal
    a = (np.array([3, -5, 0, 2**24, -(2**23), 7, 2**23 + 1, 9], "f8") * tiny).astype("f4")
    b = (np.array([4, 5, 1, -(2**24) + 1, 2**23 - 1, 0, -(2**23), 0], "f8") * tiny).astype("f4")
    b[5], b[7] = 2.0**-100, -(2.0**-100)
    for name in ("add", "subtract"):
        want = a.copy()
        getattr(np, name).at(want, np.arange(8), b)
        dev = report.array(a)
        at(report, name, dev, (np.arange(8),), b)
        report.check(f"{name} float32 subnormals", oracle.same(dev.numpy(), want), f"{dev.numpy()} {want}")


if __name__ == "__main__":
    rep = oracle.Report(__doc__)
    for part in (ops, many_axes, types, overlapping, recorded, refused, counts, subnormals, big):
        part(rep)
    rep.finish()
