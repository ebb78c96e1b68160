#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""power, fmod, remainder, floor_divide, complex functions and ndtr in depth: one special operand somewhere among ordinary ones, for the
host computes whole pieces at once where it can, and many random operands of every size; integers of 64 bits as float64."""

import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import mpmath
import numpy as np

import oracle
from oracle import arrpy

SPECIAL = (
    0.0,
    -0.0,
    1,
    -1,
    2,
    -2,
    3,
    -3,
    0.5,
    -0.5,
    1.5,
    np.inf,
    -np.inf,
    np.nan,
    1e-40,
    -1e-40,
    2**23 + 1,
    2**24,
    2**24 + 2,
    2**31,
    1e30,
    -1e30,
    1 - 2**-24,
)
MP = mpmath.mp.clone()
MP.dps = 40


def alike(got, want, rtol):
    """Equal but for rounding, nan where nan is, and of the same sign also where it is zero."""
    nan = np.isnan(want)
    near = got == want if rtol == 0 else np.isclose(got, want, rtol=rtol, atol=np.finfo(want.dtype).smallest_subnormal)
    return (np.isnan(got) == nan) & (nan | (near & (np.signbit(got) == np.signbit(want))))


def binary(report, name, x, y):
    return arrpy.ufunc(name, report.array(x), report.array(y)).numpy()


def one_special(report):
    x, y = (v.ravel() for v in np.meshgrid(SPECIAL, SPECIAL))
    for name, rtol in (("power", 1e-6), ("float_power", 1e-6), ("fmod", 0), ("remainder", 0), ("floor_divide", 0)):
        for dtype in ("f4", "f8"):
            for n in (1, 16, 128, 130, 257):
                # A row for each pair, and two ordinary rows at least between rows of one place.
                a, b = np.full((x.size, n), 1.5, dtype), np.full((x.size, n), 2.5, dtype)
                column = np.arange(x.size) % n
                a[np.arange(x.size), column], b[np.arange(x.size), column] = x, y
                good = alike(binary(report, name, a, b), getattr(np, name)(a, b), rtol).all(axis=1)
                first = int(np.argmin(good))
                report.check(f"{name} {dtype} rows of {n}", bool(good.all()), f"of {x[first]} and {y[first]}")


def remainders(report):
    random = np.random.default_rng(3)
    n = 200_000 if report.device == "host" else 20_000
    for dtype in ("f4", "f8"):
        for spread in (1, 5, 12, 40, 80):
            x, y = (
                (random.standard_normal(n) * np.exp(random.uniform(-spread, spread, n))).astype(dtype) for _ in range(2)
            )
            x[::7], y[::5] = np.round(x[::7]), np.round(y[::5])
            for name in ("fmod", "remainder", "floor_divide"):
                good = alike(binary(report, name, x, y), getattr(np, name)(x, y), 0)
                report.check(
                    f"{name} {dtype} of sizes to e^{spread}", bool(good.all()), f"{x[~good][:2]} {y[~good][:2]}"
                )


def powers(report):
    random = np.random.default_rng(4)
    n = 200_000 if report.device == "host" else 20_000
    for log, high in ((87, 3), (2, 100), (0.02, 8000), (40, 10)):
        x = np.exp(random.uniform(-log, log, n)).astype("f4")
        y = random.uniform(-high, high, n).astype("f4")
        want = np.power(x.astype("f8"), y.astype("f8"))
        usual = (want > 1.2e-38) & (want < 3.4e38)
        steps = np.abs(binary(report, "power", x, y)[usual] - want[usual]) / np.spacing(want[usual].astype("f4"))
        report.check(f"power float32 of e^{log} to the {high}", steps.max() <= 4, f"{steps.max()} ulp")


def long_powers(report):
    random = np.random.default_rng(5)
    n = 200_000 if report.device == "host" else 20_000
    for log, high in ((600, 1), (2, 300), (0.005, 1e5), (1e-6, 1e9), (1e-14, 1e16)):
        x, y = np.exp(random.uniform(-log, log, n)), random.uniform(-high, high, n)
        want = np.power(x.astype("g"), y.astype("g"))
        usual = (want > 2.3e-308) & (want < 1.7e308)
        for name in ("power", "float_power"):
            got = binary(report, name, x, y)[usual]
            steps = np.abs(got - want[usual]) / np.spacing(want[usual].astype("f8"))
            report.check(f"{name} float64 of e^{log} to the {high}", steps.max() <= 4, f"{steps.max()} ulp")
    # Whole numbers whose power a double holds.
    x, y = random.integers(-100, 100, 2_000), random.integers(0, 8, 2_000)
    got = binary(report, "power", x.astype("f8"), y.astype("f8"))
    report.check("power float64 of whole numbers", bool(np.array_equal(got, (x**y).astype("f8"))))


def whole_power(x, y, bits, signed):
    """Python's, which is exact, as many bits of it as the type has."""
    if y < 0:
        return {1: 1, -1: -1 if y & 1 else 1}.get(x, 0)
    out = pow(x, y, 2**bits)
    return out - 2**bits if signed and out >= 2 ** (bits - 1) else out


def whole_powers(report):
    random = np.random.default_rng(7)
    for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        t = np.dtype(dtype)
        info = np.iinfo(t)
        for high in (1, 7, 100, int(info.max)):
            for low in (0, -1 if t.kind == "i" else 0):
                for n in (1, 31, 64, 129, 1000):
                    x = random.integers(info.min, info.max, n, dtype=t, endpoint=True)
                    x[::3] = random.integers(0 if t.kind == "u" else -3, 4, x[::3].size)
                    y = random.integers(0, high, n, dtype=t, endpoint=True)
                    y[n // 2] = max(low, y[n // 2]) if low == 0 else low
                    want = np.array(
                        [whole_power(int(a), int(b), 8 * t.itemsize, t.kind == "i") for a, b in zip(x, y)], t
                    )
                    got = binary(report, "power", x, y)
                    report.check(
                        f"power {dtype} to {high}, from {low}, {n}",
                        bool(np.array_equal(got, want)),
                        f"{got[got != want][:3]} {want[got != want][:3]}",
                    )


def complex_functions(report):
    """A special number gives beside others what it gives alone, and the others give what they give without it."""
    random = np.random.default_rng(6)
    parts = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-30, -1e30, 1e5)
    special = [complex(x, y) for x in parts for y in parts]
    for name in (
        "sqrt",
        "log",
        "log2",
        "log10",
        "log1p",
        "exp",
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
        "arcsin",
        "arccos",
        "arcsinh",
        "arccosh",
        "reciprocal",
        "absolute",
    ):
        for dtype in ("c8", "c16"):
            rows, n = len(special), 70
            plain = (random.normal(size=(rows, n)) + 1j * random.normal(size=(rows, n))).astype(dtype)
            mixed, at = plain.copy(), np.arange(rows) % n
            mixed[np.arange(rows), at] = np.array(special, dtype)
            got, without = (arrpy.ufunc(name, report.array(x)).numpy() for x in (mixed, plain))
            alone = np.concatenate([arrpy.ufunc(name, report.array(np.array([s], dtype))).numpy() for s in special])
            beside = got[np.arange(rows), at]
            near = 4 * np.finfo(dtype).eps
            same = alike(beside.real, alone.real, near) & alike(beside.imag, alone.imag, near)
            first = int(np.argmin(same))
            report.check(
                f"{name} {dtype} beside others", bool(same.all()), f"{special[first]}: {beside[first]}, {alone[first]}"
            )
            got[np.arange(rows), at] = without[np.arange(rows), at]
            off = np.abs(got - without) / np.abs(without) / np.finfo(dtype).eps
            report.check(f"{name} {dtype} of the others", off.max() <= 8, f"{off.max()} eps")


def normal(report):
    x = np.random.default_rng(5).uniform(-39, 9, 20_000)
    got = arrpy.ufunc("ndtr", report.array(x)).numpy()
    want = [MP.erfc(-MP.mpf(v) / MP.sqrt(2)) / 2 for v in x]
    steps = [float(abs(MP.mpf(g) - w)) / np.spacing(float(w)) for g, w in zip(got, want)]
    report.check("ndtr float64", max(steps) <= 8, f"{max(steps)} ulp of {x[int(np.argmax(steps))]}")
    ends = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -39.5, 1e300, -1e300])
    got = arrpy.ufunc("ndtr", report.array(ends)).numpy()
    report.check("ndtr at the ends", np.array_equal(got, [0.5, 0.5, 1, 0, np.nan, 0, 1, 0], equal_nan=True), str(got))


def wide_integers(report):
    """Integers of every number of bits, and those around half a rounding step."""
    random = np.random.default_rng(7)
    for dtype in ("i8", "u8"):
        i = np.iinfo(dtype)
        x = random.integers(i.min, i.max, 20_000, dtype=dtype, endpoint=True) >> random.integers(0, 64, 20_000).astype(
            dtype
        )
        near = [
            v + k for v in (0, 2**32, 2**52, 2**53, 2**54, 2**60 + 2**7, 2**62) for k in range(-3, 4) if v + k >= i.min
        ]
        x = np.concatenate([x, np.array([i.min, i.min + 1, i.max, i.max - 1, *near], dtype)])
        got = arrpy.ufunc("positive", report.array(x), dtype="float64").numpy()
        report.check(f"{dtype} as float64", oracle.same(got, x.astype("f8")))


def inverse_cosine(report):
    """arccosh of float32: near 1, of every size, and each special number among others."""
    random = np.random.default_rng(8)
    near, sizes = (
        1 + random.random(20_000) * 2.0 ** -random.integers(0, 23, 20_000),
        2.0 ** random.uniform(0, 127, 20_000),
    )
    for label, x in (("near 1", near), ("of every size", sizes)):
        x = np.maximum(x, 1).astype("f4")
        got, want = arrpy.ufunc("arccosh", report.array(x)).numpy(), np.arccosh(x.astype("f8"))
        off = np.abs(got - want) / np.spacing(want.astype("f4"))
        report.check(f"arccosh {label}", off.max() <= 4, f"{off.max():.3} ulp of {x[off.argmax()]}")
    for n in (1, 128, 130):
        x = np.full((len(SPECIAL), n), 1.5, "f4")
        x[np.arange(len(SPECIAL)), np.arange(len(SPECIAL)) % n] = SPECIAL
        got, want = arrpy.ufunc("arccosh", report.array(x)).numpy(), np.arccosh(x.astype("f8"))
        good = np.isclose(got, want, rtol=1e-6, atol=0, equal_nan=True).all(axis=1)
        report.check(f"arccosh {n} with special ones", bool(good.all()), f"{SPECIAL[int(np.argmin(good))]}")


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for part in r.chosen(
            (
                one_special,
                remainders,
                powers,
                long_powers,
                whole_powers,
                complex_functions,
                normal,
                inverse_cosine,
                wide_integers,
            )
        ):
            part(r)
    r.finish()
