#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small call of every function of a family: operations, reductions, scans, quantiles, transforms, random numbers; of
each the forms with a new result, with a given one and with plain numbers, which must agree. For short_of_memory.py."""

import ctypes

import numpy as np

import oracle
from arrapi import API, FUNCTIONS, call
from oracle import arrpy

c = arrpy.c
TYPES = [("float32",) * 3, ("int32",) * 3, ("float32", "int32", "int32"), ("bool",) * 3, ("complex64",) * 3]
# That of the result is among them, so that it can lie in an operand.
OWN = {"bitwise_count": ("uint8",), "float_power": ("float64",) * 2}
# Parameters of distributions that do not take 0.5.
PARAMETERS = {
    "n": 5.0,
    "zipf a": 2.0,
    "ngood": 4.0,
    "nbad": 3.0,
    "nsample": 2.0,
    "mode": 0.75,
    "right": 1.0,
    "high": 1.0,
}


def same(a, b):
    return oracle.same(a.numpy(), b.numpy())


def operands_of(name, arrays):
    """The arrays by the names of their parameters."""
    names = [
        p["name"]
        for p in FUNCTIONS[name]["parameters"]
        if p["direction"] == "in" and p["name"] not in ("stream", "dst")
    ]
    return dict(zip(names, arrays))


def within(report, name, arrays, want, operand=lambda a: a):
    """Into memory that an operand of the result's type lies in one element further: that is copied away first."""
    k = max((i for i, a in enumerate(arrays) if a.dtype == want.dtype), default=len(arrays) - 1)
    base = report.array(np.zeros(13, arrays[k].dtype))
    inside, dst = base[1:].reshape(3, 4), base[:12].reshape(3, 4)
    inside[...] = arrays[k]
    if inside.dtype != want.dtype:
        inside = report.array(np.zeros((3, 4), "?"))
        inside[...], base = arrays[k].astype("?"), inside
        arrays = [a.astype("?") for a in arrays]
        dst = inside[::-1]
        try:
            want = call(name[: -len("_into")], **operands_of(name, map(operand, arrays)))["out"]
        except arrpy.Error:  # none for bool
            return
        if want.dtype != dst.dtype:
            return
    arrays = [*arrays[:k], inside, *arrays[k + 1 :]]
    call(name, dst=dst, **operands_of(name, map(operand, arrays)))
    report.check(f"{name}, within", same(dst.copy(), want))


def op(report, row):
    name, arity = "arr_" + row["name"], row["arity"]
    for types in [OWN[row["name"]]] if row["name"] in OWN else TYPES:
        arrays = [report.array((np.arange(12).reshape(3, 4) % 5 + 1).astype(t)) for t in types[:arity]]
        try:
            new = call(name, **operands_of(name, arrays))["out"]
        except arrpy.Error as e:
            if e.status != c.ARR_E_DTYPE:
                raise
            continue
        if name + "_into" in FUNCTIONS:
            dst = report.array(np.zeros((3, 4), new.dtype))
            call(name + "_into", dst=dst, **operands_of(name + "_into", arrays))
            report.check(f"{name}_into", same(dst, new))
            within(report, name + "_into", arrays, new)
        if name + "_v" in FUNCTIONS:
            made = call(name + "_v", **operands_of(name + "_v", [arrpy.value(a) for a in arrays]))["out"]
            report.check(f"{name}_v", same(made, new))
        if name + "_v_into" in FUNCTIONS:
            dst = report.array(np.zeros((3, 4), new.dtype))
            call(name + "_v_into", dst=dst, **operands_of(name + "_v_into", map(arrpy.value, arrays)))
            report.check(f"{name}_v_into", same(dst, new))
            within(report, name + "_v_into", arrays, new, arrpy.value)
        return
    report.check(name, False, "no type works")


def ops(report):
    for row in API["ops"]:
        if "arr_" + row["name"] in FUNCTIONS:
            op(report, row)


def pair(report, name, a, **more):
    """A function with a new result and its form with a given one."""
    new = call(name, a=a, **more)["out"]
    if name + "_into" in FUNCTIONS:
        dst = report.array(np.zeros(new.shape, new.dtype))
        call(name + "_into", dst=dst, a=a, **more)
        report.check(f"{name}_into", same(dst, new))
        if new.dtype == a.dtype and new.ndim == 1:
            a = a.copy()
            call(name + "_into", dst=a[:, 1], a=a, **more)  # within what it reads
            report.check(f"{name}_into, within", same(a[:, 1].copy(), new))


def reductions(report):
    axes = {"naxes": 1, "axes": arrpy.int32s([1])}
    for row in API["reductions"]:
        dtype = "float32" if "F" in row["domain"] else "int32"
        pair(report, "arr_" + row["name"], report.array(np.arange(12).reshape(3, 4).astype(dtype)), **axes)
        if row["name"].endswith(("argmin", "argmax", "count_nonzero")):
            pair(report, "arr_" + row["name"], report.array(np.arange(12).reshape(3, 4) % 3), **axes)
        if row["output"] != "ACC" and "B" in row["domain"]:
            pair(report, "arr_" + row["name"], report.array(np.arange(12).reshape(3, 4) % 3 > 0), **axes)
    a = report.array(np.arange(12, dtype="f4").reshape(3, 4))
    for name in ("std", "var", "nanstd", "nanvar"):
        pair(report, f"arr_{name}", a, **axes)
    new = call("arr_reduce", reduction=1, a=a, **axes)["out"]
    dst = report.array(np.zeros(3, "f4"))
    call("arr_reduce_into", dst=dst, reduction=1, a=a, **axes)
    report.check("arr_reduce_into", same(dst, new))
    call("arr_reduce_into", dst=a[:, 1], reduction=1, a=a, **axes)
    report.check("arr_reduce_into, within", same(a[:, 1].copy(), new))
    a = report.array(np.arange(12, dtype="f4").reshape(3, 4))
    for name in ("median", "nanmedian"):
        call(f"arr_{name}", a=a, **axes)
    for name in ("quantile", "percentile", "nanquantile", "nanpercentile"):
        call(f"arr_{name}", a=a, nq=2, q=(ctypes.c_double * 2)(0.25, 0.5), **axes)
        pair(
            report,
            f"arr_{name}_weighted",
            a,
            weights=report.array(np.ones((3, 4), "f4")),
            nq=2,
            q=(ctypes.c_double * 2)(0.25, 0.5),
            method=c.ARR_QUANTILE_INVERTED_CDF,
            **axes,
        )


def scans(report):
    for row in API["scans"]:
        pair(report, "arr_" + row["name"], report.array(np.arange(12, dtype="f4").reshape(3, 4)))
    a, add = report.array(np.arange(12, dtype="f4").reshape(3, 4)), c.OPS["add"][0]
    pair(report, "arr_ufunc_accumulate", a, op=add)
    pair(report, "arr_ufunc_reduceat", a, op=add, nindices=2, indices=arrpy.int64s([0, 2]))
    index = report.array(np.array([0, 2, 0]))
    call("arr_ufunc_at", op=add, a=a, nindices=1, indices=(c.arr_array * 1)(index.handle), b=arrpy.value(1.0))
    call("arr_bincount", x=index)


def transforms(report):
    a = report.array(np.arange(12, dtype="f8").reshape(3, 4))
    for name in ("dct", "dst"):
        there = call(f"arr_{name}", a=a)["out"]
        back = call(f"arr_i{name}", a=there)["out"]
        report.check(f"arr_i{name}", np.allclose(back.numpy(), a.numpy()))
        there = call(f"arr_{name}n", a=a)["out"]
        back = call(f"arr_i{name}n", a=there)["out"]
        report.check(f"arr_i{name}n", np.allclose(back.numpy(), a.numpy()))
    b = report.array(np.arange(8, dtype="f8").reshape(4, 2))
    dst = report.array(np.zeros((3, 2)))
    call("arr_matmul_into", dst=dst, a=a, b=b)
    report.check("arr_matmul_into", np.array_equal(dst.numpy(), a.numpy() @ b.numpy()))


def drawn(report, g, name, **given):
    """A draw, and one into an array."""
    shape = {"ndim": 1, "shape": arrpy.int64s([7])}
    where = {p["name"] for p in FUNCTIONS[name]["parameters"]}
    device = {"device": arrpy.device_of(report.device)} if "device" in where else {}
    new = call(name, generator=g, **given, **{k: v for k, v in shape.items() if k in where}, **device)["out"]
    if name + "_into" in FUNCTIONS:
        into = {p["name"] for p in FUNCTIONS[name + "_into"]["parameters"]}
        dst = report.array(np.zeros(new.shape, new.dtype))
        call(name + "_into", dst=dst, generator=g, **{k: v for k, v in given.items() if k in into})


def distributions(report):
    g = call("arr_generator_create", nseed=1, seed=arrpy.int64s([5]))["out"]
    for name in sorted(FUNCTIONS):
        into = FUNCTIONS.get(name + "_into")
        if (
            not name.startswith("arr_random_")
            or into is None
            or any(
                p["type"].get("of") not in ("arr_value", "arr_array", "arr_generator", "arr_stream")
                for p in into["parameters"]
            )
        ):
            continue
        parameters = [p["name"] for p in into["parameters"] if p["type"].get("of") == "arr_value"]
        if [p["name"] for p in into["parameters"] if p["type"].get("of") == "arr_array"] != ["dst"]:
            continue
        short = name[len("arr_random_") :]
        given = {p: arrpy.value(PARAMETERS.get(f"{short} {p}", PARAMETERS.get(p, 0.5))) for p in parameters}
        drawn(report, g, name, **given)
    vectors(report, g)
    arrpy.call("arr_generator_release", g)


def vectors(report, g):
    weights = report.array(np.array([0.25, 0.25, 0.5]))
    drawn(report, g, "arr_random_dirichlet", alpha=weights)
    drawn(report, g, "arr_random_multinomial", n=arrpy.value(5), pvals=weights)
    colors = report.array(np.array([3, 4, 5]))
    drawn(report, g, "arr_random_multivariate_hypergeometric", colors=colors, nsample=arrpy.value(4))
    drawn(report, g, "arr_random_multivariate_normal", mean=weights, covariance=report.array(np.eye(3)))
    drawn(report, g, "arr_random_choice", n=20, replace=1)
    drawn(report, g, "arr_random_permutation", n=20, count=20)
    drawn(report, g, "arr_random_integers", low=arrpy.value(0), high=arrpy.value(5))
    drawn(report, g, "arr_random_draw", distribution=1)
    drawn(report, g, "arr_random_bits")
    a = report.array(np.arange(12.0).reshape(3, 4))
    drawn(report, g, "arr_random_permuted", a=a, axis=0)
    drawn(report, g, "arr_random_sample", a=a, axis=0, replace=1)
    call("arr_random_shuffle", a=a, generator=g, axis=0)
    report.check("arr_random_shuffle", np.array_equal(np.sort(a.numpy(), 0), np.arange(12.0).reshape(3, 4)))
    other = call("arr_generator_jumped", generator=g)["out"]
    arrpy.call("arr_generator_release", other)


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((ops, reductions, scans, transforms, distributions)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
