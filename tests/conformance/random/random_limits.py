#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts that do not fit; uniform numbers that reach high; weights of each type; vectors of parameters that are none."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from draws import C, Generator, draw, draw_into, equal, given, integers
from oracle import arrpy

LARGEST = 2**63 - 1
N = 4000
GENERATORS = []


def fresh():
    """A generator's handle that lives as long as the test."""
    GENERATORS.append(Generator(9))
    return GENERATORS[-1].handle


def numbers(report, name, *parameters, n=N, dtype=None, seed=9):
    return draw(report, Generator(seed), name, parameters, (n,), dtype and oracle.dtype(dtype)).numpy()


# ----------------------------------------------------------------------------------------------------- counts


def refused(report, label, status, call, *words):
    """A line that has the words."""
    try:
        call()
        text = "no error"
    except arrpy.Error as e:
        text = str(e) if e.status == status else f"status {e.status}: {e}"
    report.check(label, text.startswith("arr_random_") and all(w in text for w in words), text)


# Name, parameters, dtype: the numbers' mean, or nearly all of them, are beyond it.
BEYOND = [
    ("poisson", (1e19,), None),
    ("poisson", (9.2234e18,), None),
    ("poisson", (1e19,), "float64"),
    ("poisson", (4e9,), "int32"),
    ("poisson", (300.0,), "int8"),
    ("poisson", (1e6,), "float16"),
    ("binomial", (2**40, 0.5), "int32"),
    ("binomial", (1e19, 0.5), None),
    ("binomial", (1e300, 0.0), None),
    ("binomial", (300, 1.0), "uint8"),
    ("negative_binomial", (1e20, 0.1), None),
    ("negative_binomial", (3.0, 1e-300), None),
    ("negative_binomial", (10.0, 0.01), "int8"),
    ("hypergeometric", (1000, 10, 900), "int8"),
]
# Below, most of the numbers fit; others are the type's largest.
KEPT = [
    ("poisson", (120.0,), "int8"),
    ("binomial", (160, 0.75), "int8"),
    ("negative_binomial", (1.0, 0.01), "uint8"),
    ("geometric", (1e-3,), "int8"),
    ("geometric", (1e-12,), "int32"),
    ("zipf", (1.1,), "int32"),
    ("zipf", (1 + 2.0**-52,), "uint16"),
    ("logseries", (1 - 2.0**-53,), "int16"),
    ("hypergeometric", (200, 200, 240), "int8"),
]


def counts(report):
    for name, parameters, dtype in BEYOND:
        refused(
            report,
            f"{name}{parameters} {dtype}",
            C.ARR_E_ARGUMENT,
            lambda n=name, p=parameters, d=dtype: numbers(report, n, *p, n=3, dtype=d),
            f"arr_random_{name}",
            "argument ",
            "beyond",
        )
    for name, parameters, dtype in KEPT:
        wide, got = numbers(report, name, *parameters), numbers(report, name, *parameters, dtype=dtype)
        dtype_max = np.iinfo(dtype).max
        report.check(f"{name}{parameters} goes beyond {dtype}", (wide > dtype_max).any())
        equal(report, f"{name}{parameters} {dtype}", got, np.minimum(wide, dtype_max).astype(dtype))
    equal(report, "geometric 1e-30", numbers(report, "geometric", 1e-30, n=5), np.full(5, LARGEST))
    for p, want in ((1.0, LARGEST), (0.0, 0), (1e-300, 0)):
        equal(report, f"binomial 2^63-1 {p}", numbers(report, "binomial", np.int64(LARGEST), p, n=5), np.full(5, want))
    # As arrays: what has such a mean is -1, what is drawn is the type's largest.
    lam = report.array(np.array([4.0, 1e19, np.inf, 300.0]))
    equal(
        report,
        "poisson of arrays",
        draw(report, Generator(9), "poisson", (lam,), (4,), "int8").numpy()[1:],
        np.array([-1, -1, 127], "i1"),
    )
    x = draw(
        report,
        Generator(9),
        "negative_binomial",
        (report.array(np.array([1e20, 1e18])), report.array(np.array([0.1, 0.5]))),
        None,
    ).numpy()
    report.check("negative_binomial of arrays", x[0] == -1 and abs(x[1] / 1e18 - 1) < 1e-6, f"{x}")


def integers_of_arrays(report):
    """Ranges of elements are cut to what the dtype holds; of an empty one low."""
    rows = {
        "int8": ([0, -1000, 100, 5, 7, 300, -5], [1000, -100, 10**6, 5, 3, 400, 5]),
        "uint8": ([-5, 250, 4, -9], [3, 999, 4, -2]),
        "int64": ([-(2**63), 5, 2**62, 9], [2**63 - 1, 5, 2**63 - 1, -9]),
        "bool": ([0, 1, -3], [9, 9, 1]),
    }
    for dtype, (low, high) in rows.items():
        dtype_min, dtype_max = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        for endpoint in (0, 1):
            x = integers(
                report,
                Generator(9),
                report.array(np.array(low)),
                report.array(np.array(high)),
                (500, len(low)),
                dtype,
                endpoint,
            ).numpy()
            for k, (a, z) in enumerate(zip(low, high)):
                last = z if endpoint else z - 1
                first, last = max(dtype_min, min(a, dtype_max)), max(dtype_min, min(last, dtype_max))
                last = max(first, last)
                got = x[:, k].astype(object)
                good = (
                    first <= int(min(got)) and int(max(got)) <= last and (last == first or len(set(map(int, got))) > 1)
                )
                report.check(
                    f"integers of arrays {a} {z} {dtype} {endpoint}",
                    good,
                    f"{min(got)} .. {max(got)}, expected {first} .. {last}",
                )
    big = np.array([2**63 + 5, 2**64 - 1], "u8")
    x = integers(report, Generator(9), report.array(np.array([-1, -1])), report.array(big), (50, 2), "uint64").numpy()
    report.check("integers of int64 and uint64", (x < big).all())


# ---------------------------------------------------------------------------------------------------- uniform

ENDS = {
    "float64": [
        (1.0, 1 + 2.0**-52),
        (1.0, 2.0),
        (0.0, 5e-324),
        (0.0, 1e-323),
        (2.0**53, 2.0**53 + 4),
        (-1.0, -1 + 2.0**-53),
        (-3.0, 1e-300),
    ],
    "float32": [
        (1.0, 1.0000001),
        (0.0, 3e-45),
        (16777216.0, 16777220.0),
        (1e30, 1.0000001e30),
        (1.0, 2.0),
        (-1.0, 0.7),
        (20.0, 20.1),
        (0.0, 0.7),
    ],
    "float16": [(1.0, 1.001), (0.0, 1e-7), (2048.0, 2052.0), (1.0, 2.0), (-1.0, 0.7), (0.0, 0.7), (0.0, 65504.0)],
    "bfloat16": [(1.0, 1.01), (256.0, 260.0), (1.0, 2.0), (-1.0, 0.7), (0.0, 0.7), (0.0, 3e38)],
}


def uniform(report):
    for dtype, pairs in ENDS.items():
        d = oracle.dtype(dtype)
        for low, high in pairs if report.device == "host" else pairs[:3]:
            low_rounded, high_rounded = (np.array(v).astype(d).astype("f8") for v in (low, high))
            made = {
                "numbers": numbers(
                    report, "uniform", low, high, n=300000 if report.device == "host" else N, dtype=dtype
                )
            }
            made["arrays"] = draw(
                report,
                Generator(9),
                "uniform",
                (report.array(np.array([low])), report.array(np.array([high]))),
                (N,),
                d,
            ).numpy()
            into = report.array(np.zeros(N, d))
            draw_into(into, Generator(9), "uniform", (low, high))
            made["into"] = into.numpy()
            for how, x in made.items():
                x = x.astype("f8")
                report.check(
                    f"uniform {low} {high} {dtype} of {how}",
                    (x >= low_rounded).all() and (x < high_rounded).all(),
                    f"{x.min()} .. {x.max()}",
                )
    for low, high, dtype, argument in (
        (0.0, np.inf, None, "high"),
        (-np.inf, 0.0, None, "low"),
        (-1.7e308, 1.7e308, None, "high"),
        (-1e308, 7e307, "float32", "low"),
        (-3e38, 3e38, "float32", "high"),
        (0.0, 1e5, "float16", "high"),
        (0.0, np.nan, None, "high"),
    ):
        refused(
            report,
            f"uniform {low} {high} {dtype}",
            C.ARR_E_ARGUMENT,
            lambda low=low, high=high, d=dtype: numbers(report, "uniform", low, high, n=3, dtype=d),
            f"argument {argument}",
        )
    low, high = np.array([0.0, -1.7e308, 0.0, 5.0, -np.inf]), np.array([1.0, 1.7e308, np.inf, 2.0, 0.0])
    x = draw(report, Generator(9), "uniform", (report.array(low), report.array(high)), (50, 5)).numpy()
    equal(
        report,
        "uniform of arrays that are too far apart",
        np.isnan(x).any(0),
        np.array([False, True, True, False, True]),
    )
    report.check("uniform of arrays that fall", (x[:, 3] > 2).all() and (x[:, 3] <= 5).all())


# ---------------------------------------------------------------------------------------------------- weights


def choice(report, weights, n=None, shape=(5,)):
    w = report.array(weights)
    return arrpy.made(
        "arr_random_choice",
        fresh(),
        n or len(weights),
        1,
        w.handle,
        len(shape),
        arrpy.int64s(shape),
        ctypes.byref(arrpy.device_of(report.device)),
        None,
    ).numpy()


def multinomial(report, n, p, shape=(5,)):
    p = report.array(np.asarray(p))
    return arrpy.made(
        "arr_random_multinomial", fresh(), given(n), p.handle, len(shape), arrpy.int64s(shape), None
    ).numpy()


def weights(report):
    for dtype, n in (("float64", 100003), ("float32", 100003), ("float16", 1000), ("bfloat16", 100), ("float32", 3)):
        d = oracle.dtype(dtype)
        report.check(f"choice of {n} weights of {dtype}", choice(report, np.full(n, 1 / n).astype(d)).max() < n)
        p = np.append(np.full(n, 1 / n).astype(d), np.array(0).astype(d))
        report.check(
            f"multinomial of {n} weights of {dtype}", n > 200 or (multinomial(report, 40, p).sum(1) == 40).all()
        )
    tolerances = {"float64": 1e-7, "float32": 1e-3, "float16": 0.05, "bfloat16": 0.2}
    for dtype, off in tolerances.items():
        bad = (np.array([0.5, 0.5]) * (1 + 2 * off)).astype(oracle.dtype(dtype))
        refused(
            report,
            f"weights that miss 1, {dtype}",
            C.ARR_E_ARGUMENT,
            lambda w=bad: choice(report, w),
            "argument weights",
            "expected 1",
        )
        bad = (np.array([0.5, 0.5, 0]) * (1 + 2 * off)).astype(oracle.dtype(dtype))
        refused(
            report,
            f"probabilities beyond 1, {dtype}",
            C.ARR_E_ARGUMENT,
            lambda p=bad: multinomial(report, 3, p),
            "argument pvals",
        )


# ---------------------------------------------------------------------------------------------------- vectors


def normal(report, covariance, method):
    mean, k = report.array(np.zeros(len(covariance))), report.array(np.array(covariance))
    return arrpy.made(
        "arr_random_multivariate_normal", fresh(), mean.handle, k.handle, method, 1, arrpy.int64s((3,)), None
    ).numpy()


def vectors(report):
    methods = (C.ARR_NORMAL_CHOLESKY, C.ARR_NORMAL_EIGH, C.ARR_NORMAL_SVD)
    for bad in (np.nan, np.inf):
        for method in methods:
            for covariance in ([[1, bad], [bad, 1]], [[bad, 0], [0, 1]], [[1, 0], [0, bad]]):
                refused(
                    report,
                    f"a covariance of {bad}, {method}",
                    C.ARR_E_LINALG,
                    lambda c=covariance, m=method: normal(report, c, m),
                    "argument covariance",
                    "finite",
                )
    upper = normal(report, [[1, np.nan], [0.5, 1.0]], C.ARR_NORMAL_CHOLESKY)
    equal(
        report, "the upper triangle is not read", upper, normal(report, [[1, 0.5], [0.5, 1.0]], C.ARR_NORMAL_CHOLESKY)
    )
    refused(
        report,
        "multinomial of no outcome",
        C.ARR_E_SHAPE,
        lambda: multinomial(report, 3, np.zeros(0)),
        "argument pvals",
    )
    refused(
        report,
        "multinomial of no outcome, none drawn",
        C.ARR_E_SHAPE,
        lambda: multinomial(report, 0, np.zeros(0)),
        "argument pvals",
    )
    colors, none = report.array(np.array([5, 3])), report.array(np.zeros(0, "i8"))
    for label, a, n in (
        ("of no color", none, 3),
        ("below 0", colors, -1),
        ("of nan", colors, np.nan),
        ("beyond int64", colors, 1e19),
    ):
        refused(
            report,
            f"multivariate_hypergeometric {label}",
            C.ARR_E_ARGUMENT,
            lambda a=a, n=n: arrpy.made(
                "arr_random_multivariate_hypergeometric", fresh(), a.handle, given(n), 1, arrpy.int64s((2,)), None
            ),
            "argument nsample",
        )
    for n in (1e19, np.inf, np.nan, -1, np.uint64(2**63)):
        refused(
            report,
            f"multinomial of {n}",
            C.ARR_E_ARGUMENT,
            lambda n=n: multinomial(report, n, [0.5, 0.5]),
            "argument n",
        )
    for n in (LARGEST, 2**62 + 1, 2**60 + 127):
        x = multinomial(report, np.int64(n), [0.0, 0.25, 0.5, 0.25], (200,))
        report.check(f"multinomial of {n}", (x >= 0).all() and all(sum(map(int, row)) == n for row in x), f"{x[0]}")
        equal(report, f"all of {n}", multinomial(report, np.int64(n), [0.0, 1.0, 0.0]), np.tile([0, n, 0], (5, 1)))
    dst, p = report.array(np.zeros((100, 2), "i1")), report.array(np.array([0.5, 0.5]))
    refused(
        report,
        "multinomial into int8",
        C.ARR_E_ARGUMENT,
        lambda: arrpy.call("arr_random_multinomial_into", dst.handle, None, given(300), p.handle, None),
        "argument n",
        "beyond int8",
    )
    arrpy.call("arr_random_multinomial_into", dst.handle, fresh(), given(250), p.handle, None)
    equal(
        report,
        "multinomial up to int8's limit",
        dst,
        np.minimum(multinomial(report, 250, [0.5, 0.5], (100,)), 127).astype("i1"),
    )


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((counts, integers_of_arrays, uniform, weights, vectors)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
