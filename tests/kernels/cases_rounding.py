# SPDX-License-Identifier: MIT
"""Cases of rounding.cu, by Python's fractions and integers; see cases.py."""

import math
from fractions import Fraction

import numpy as np

from cases import R, case, i4, zeros
from cases_mathematics import close

MODES = ("rn", "rd", "ru", "rz")


def floor_log2(x):
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2) ** e <= x else e - 1


def rounded(given, mode, digits, min_exponent, max_exponent):
    """A Fraction, or ("root", Fraction), to `digits` bits; `min_exponent` is the exponent of the smallest number."""
    root = isinstance(given, tuple)
    x = given[1] if root else given
    negative, size = x < 0, abs(x)
    e = floor_log2(size)
    step = max((e // 2 if root else e) - digits + 1, min_exponent)
    scaled = size / (Fraction(4 if root else 2) ** step)
    whole = math.isqrt(scaled.numerator // scaled.denominator) if root else scaled.numerator // scaled.denominator

    def compare(m):  # of the exact value with m
        side = scaled - (m * m if root else m)
        return (side > 0) - (side < 0)

    up = {"rz": False, "rd": negative, "ru": not negative}.get(mode)
    if up is None:
        half = compare(Fraction(2 * whole + 1, 2))
        up = half > 0 or (half == 0 and whole % 2 == 1)
    if compare(whole) == 0:
        up = False
    whole += up
    value = Fraction(whole) * Fraction(2) ** step
    if value >= Fraction(2) ** max_exponent:
        to_largest = mode == "rz" or mode == ("ru" if negative else "rd")
        value = (Fraction(2) ** max_exponent - Fraction(2) ** (max_exponent - digits)) if to_largest else math.inf
    return -float(value) if negative else float(value)


FORMAT = {"f4": (24, -149, 128), "f8": (53, -1074, 1024), "f2": (11, -24, 16), "bf": (8, -133, 128)}
PLAIN = {"bf": "f4"}  # a type that NumPy has, where nothing is rounded


def one(op, mode, kind, *v):
    """By IEEE 754; numbers that are not finite by NumPy, which has them without rounding."""
    with np.errstate(all="ignore"):
        f = [np.dtype(PLAIN.get(kind, kind)).type(x) for x in v]
        plain = {
            "add": lambda: f[0] + f[1],
            "sub": lambda: f[0] - f[1],
            "mul": lambda: f[0] * f[1],
            "div": lambda: f[0] / f[1],
            "fma": lambda: f[0] * f[1] + f[2],
            "rcp": lambda: 1 / f[0],
            "sqrt": lambda: np.sqrt(f[0]),
            "rsqrt": lambda: 1 / np.sqrt(f[0]),
            "from": lambda: f[0],
        }[op]
        if not all(math.isfinite(x) for x in v):
            return f[2] if op == "fma" and math.isfinite(v[0]) and math.isfinite(v[1]) else plain()
        x = [Fraction(a) for a in v]
        if (op in ("div", "rcp", "rsqrt") and x[-1] == 0) or (op in ("sqrt", "rsqrt") and x[0] < 0):
            return plain()
        exact = {
            "add": lambda: x[0] + x[1],
            "sub": lambda: x[0] - x[1],
            "mul": lambda: x[0] * x[1],
            "div": lambda: x[0] / x[1],
            "fma": lambda: x[0] * x[1] + x[2],
            "rcp": lambda: 1 / x[0],
            "sqrt": lambda: x[0],
            "rsqrt": lambda: 1 / x[0],
            "from": lambda: x[0],
        }[op]()
        if exact != 0:
            return rounded(("root", exact) if op in ("sqrt", "rsqrt") else exact, mode, *FORMAT[kind])
        sums = {
            "add": lambda: (f[0], f[1]),
            "sub": lambda: (f[0], -f[1]),
            "fma": lambda: (math.copysign(1, f[0]) * math.copysign(0.0, f[1]), f[2]),
        }
        if op not in sums:
            return plain()
        a, b = sums[op]()
        same = math.copysign(1, a) == math.copysign(1, b)
        if op == "fma" and x[2] != 0:
            same = False
        return math.copysign(0.0, a) if same else -0.0 if mode == "rd" else 0.0


def operands(kind, n):
    digits, min_exponent, max_exponent = FORMAT[kind]
    a, b, c = R.normal(size=(3, n)).astype(kind)
    edge = np.array(
        [
            0,
            -0.0,
            1,
            -1,
            3,
            np.inf,
            -np.inf,
            np.nan,
            np.finfo(kind).max,
            -np.finfo(kind).max,
            np.finfo(kind).tiny,
            -np.finfo(kind).smallest_subnormal,
        ],
        kind,
    )
    pairs = np.array(np.meshgrid(edge, edge)).reshape(2, -1)
    third = n // 3
    with np.errstate(over="ignore", under="ignore"):
        a[:third] = np.ldexp(a[:third], R.integers(min_exponent // 2, max_exponent // 2, third))
        b[:third] = np.ldexp(b[:third], R.integers(min_exponent // 2, max_exponent // 2, third))
        c[:third] = np.ldexp(c[:third], R.integers(min_exponent, max_exponent, third))
        c[third : 2 * third] = -(a * b)[third : 2 * third]  # what is left is the error of the product
    return [np.concatenate([a, pairs[0]]), np.concatenate([b, pairs[1]]), np.concatenate([c, pairs[0][::-1]])]


def directed():
    ops = [("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("fma", 3), ("rcp", 1), ("sqrt", 1)]
    for name, kind in (("directed_float", "f4"), ("directed_double", "f8")):
        given = operands(kind, 150)
        v = [[float(x) for x in a] for a in given]
        want = [one(op, mode, kind, *row) for op, count in ops for mode in MODES for row in zip(*v[:count])]
        case(
            "rounding",
            name,
            3,
            128,
            [*given, zeros(len(want), kind), i4(len(v[0]))],
            {3: close(np.array(want, kind), 0)},
        )


def conversions():
    k = np.concatenate(
        [
            R.integers(-(2**63), 2**63 - 1, 60),
            R.integers(-(2**63), 2**63 - 1, 40) >> R.integers(1, 60, 40),
            [0, 1, -1, 2**63 - 1, -(2**63), 2**53 + 1, -(2**53) - 1, 2**62 + 1, -2, -(2**32)],
        ]
    ).astype("i8")
    d = np.concatenate(
        [
            R.normal(size=98) * 10.0 ** R.uniform(-45, 39, 98),
            [0, -0.0, np.inf, -np.inf, np.nan, 1e300, -1e300, 1e-300, -1e-300, 3.4028235677973366e38, 0.1, 5],
        ]
    )
    k = np.resize(k, len(d))
    wide = [int(x) for x in k]
    high = [x >> 32 for x in wide]
    rows = [high, [x % 2**32 for x in high], wide, [x % 2**64 for x in wide]]

    def of(kind, values):
        return [one("from", mode, kind, x) if isinstance(x, float) or x else 0.0 for mode in MODES for x in values]

    want = np.array(sum([of("f4", r) for r in rows + [[float(x) for x in d]]], []), "f4")
    case("rounding", "directed_from", 1, 128, [k, d, zeros(len(want)), i4(len(d))], {2: close(want, 0)})
    want = np.array(of("f8", rows[2]) + of("f8", rows[3]))
    case("rounding", "directed_from_wide", 1, 128, [k, zeros(len(want), "f8"), i4(len(d))], {1: close(want, 0)})


def roots():
    a = np.concatenate(
        [
            R.integers(1, 0x7F800000, 1500, dtype="u4").view("f4"),
            np.array([0, -0.0, 1, 4, -1, np.inf, np.nan, 1e-45], "f4"),
        ]
    )
    want = np.array([one("rsqrt", "rn", "f4", float(x)) for x in a], "f4")
    case("rounding", "root_reciprocal", 12, 128, [a, zeros(len(a)), i4(len(a))], {1: close(want, 0)})


directed()
conversions()
roots()
