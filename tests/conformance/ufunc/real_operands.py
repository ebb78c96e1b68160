#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of two and three real operands at every pair with a special value, and at a sample of pairs of numbers, against 50 and more
digits of mpmath: zeros of both signs, subnormal, the least normal and the largest numbers, infinities and nan. What C99 (annex F)
and IEEE 754-2019 say of special values counts, where NumPy differs too; and so does the sign of a zero.

A sample that ARR_TEST_SEED=7 turns; ARR_TEST_WHOLE=1 takes all.
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import domain_references as ref
import oracle
from domain_references import DEEP, MP, deep
from domains import SCALES, chosen, off, pair_values
from ops import rows
from oracle import arrpy

# References take Python's floats. A float is meant as it is, a zero with its sign; mpmath's number is rounded; None is not looked at.


def unless_special(exact, special):
    """exact of mpmath's numbers where all operands are finite and no zeros, else special of the floats."""

    def f(*args):
        ordinary = all(math.isfinite(a) and a != 0 for a in args)
        return exact(*map(MP.mpf, args)) if ordinary else special(*args)

    return f


def sum_of(x, y):
    """The sum of two zeros, and of a number and its negative, is a zero with a sign."""
    special = x == -y or not (math.isfinite(x) and math.isfinite(y))
    return x + y if special else deep(lambda: MP.mpf(x) + MP.mpf(y))()


def sign(x):
    return math.copysign(1.0, x)


def quotient(x, y):
    if y == 0:
        return math.nan if x == 0 or math.isnan(x) else sign(x) * sign(y) * math.inf
    return x / y


def c_remainder(x, y):
    return math.nan if math.isinf(x) or y == 0 else math.fmod(x, y)  # exact in both widths


def remainder(x, y):
    """With the sign of y; of an infinite y and an x of the other sign as far away as that is."""
    r = c_remainder(x, y)
    if math.isnan(r):
        return r
    if r == 0:
        return math.copysign(0.0, y)
    return r if (r < 0) == (y < 0) else sum_of(r, y)


def floor_quotient(x, y):
    """NumPy returns nan for an infinite x, but for y = 0."""
    if y == 0 or x == 0 or math.isnan(x) or math.isnan(y):
        return quotient(x, y)
    if math.isinf(x):
        return math.nan
    if math.isinf(y):
        return 0.0 if sign(x) == sign(y) else -1.0
    with MP.workdps(DEEP):
        return MP.floor(MP.mpf(x) / MP.mpf(y)) or 0.0


def real_power(x, y):
    """C99's pow, of which Python raises errors instead of infinities and nan."""
    if x == 0 and y < 0 and math.isfinite(y):
        return math.copysign(math.inf, x) if y % 2 == 1 else math.inf
    if not (math.isfinite(x) and math.isfinite(y)) or x == 0 or y == 0:
        return math.pow(x, y)
    if x < 0 and y != math.floor(y):
        return math.nan
    odd = -1 if x < 0 and y % 2 == 1 else 1
    with MP.workdps(80):
        t = MP.mpf(y) * MP.log(abs(MP.mpf(x)))
        return odd * math.inf if t > 10**4 else odd * 0.0 if t < -(10**4) else odd * MP.exp(t)


def angle(y, x):
    """The angle of zeros and infinities is a multiple of a quarter of pi, or a zero with a sign."""
    a = math.atan2(y, x)
    return a if math.isnan(a) or a == 0 else MP.pi * round(a / math.pi * 4) / 4


def hypotenuse(x, y):
    return math.inf if math.isinf(x) or math.isinf(y) else abs(x) + abs(y)


def log_sum(base):
    def f(x, y):
        if math.isnan(x) or math.isnan(y):
            return math.nan
        high, low = max(x, y), min(x, y)
        if math.isinf(high) or math.isinf(low):
            return high
        with MP.workdps(100):
            gap = MP.mpf(low) - MP.mpf(high)
            more = MP.log1p(MP.mpf(base) ** gap) if base != "e" else MP.log1p(MP.exp(gap))
            return MP.mpf(high) + (more / MP.log(base) if base != "e" else more)

    return lambda x, y: f(x, y) if math.isnan(x + y) or abs(x - y) < 5000 else max(x, y) or 0.0


def smaller(x, y):
    """-0 is smaller than +0."""
    return math.nan if math.isnan(x) or math.isnan(y) else min((x, y), key=lambda v: (v, sign(v)))


def larger(x, y):
    return -smaller(-x, -y)


def of_numbers(f):
    return lambda x, y: y if math.isnan(x) else x if math.isnan(y) else f(x, y)


def product_with_log(zero, log):
    """log is -inf at `zero`."""
    return lambda x, y: x if x == 0 else x * (-math.inf if y == zero else math.nan if y < zero else log(y))


def rel_entr(x, y):
    if x > 0 and y > 0:
        return math.nan if x == y else x if math.isinf(x) else -y
    return 0.0 if x == 0 and y >= 0 else math.inf


def kl_div(x, y):
    return math.nan if x == y == math.inf else math.inf


def huber(d, r):
    return math.inf if d < 0 or math.isinf(r) and d > 0 else None if d == 0 else MP.mpf(r) ** 2 / 2 if r else 0.0


EXACT = {
    "minimum": smaller,
    "maximum": larger,
    "fmin": of_numbers(smaller),
    "fmax": of_numbers(larger),
    "clip": lambda x, y, z: smaller(larger(x, y), z),
    "where": lambda x, y, z: y if x else z,
    "heaviside": lambda x, y: x if math.isnan(x) else y if x == 0 else float(x > 0),
    "copysign": math.copysign,
    "fmod": c_remainder,
    "ldexp": lambda x, y: x if x == 0 or not math.isfinite(x) else MP.ldexp(x, int(y)),
    "equal": lambda x, y: x == y,
    "not_equal": lambda x, y: x != y,
    "less": lambda x, y: x < y,
    "less_equal": lambda x, y: x <= y,
    "greater": lambda x, y: x > y,
    "greater_equal": lambda x, y: x >= y,
    "logical_and": lambda x, y: bool(x) and bool(y),
    "logical_or": lambda x, y: bool(x) or bool(y),
    "logical_xor": lambda x, y: bool(x) != bool(y),
}
ROUNDED = {
    "add": sum_of,
    "subtract": lambda x, y: sum_of(x, -y),
    "multiply": unless_special(lambda x, y: x * y, lambda x, y: x * y),
    "divide": unless_special(lambda x, y: x / y, quotient),
    "floor_divide": floor_quotient,
    "remainder": remainder,
    "power": real_power,
    "float_power": real_power,
    "arctan2": unless_special(MP.atan2, angle),
    "hypot": unless_special(MP.hypot, hypotenuse),
    "logaddexp": log_sum("e"),
    "logaddexp2": log_sum(2),
}
# Those of domain_references.py where an operand is not finite and none is nan.
INFINITE = {
    "xlogy": product_with_log(0, math.log),
    "xlog1py": product_with_log(-1, math.log1p),
    "rel_entr": rel_entr,
    "kl_div": kl_div,
    "huber": huber,
    "pseudo_huber": lambda d, r: 0.0 if r == 0 <= d or d == 0 else huber(d, r),
}
# With these operands nan counts for nothing, as in SciPy.
DECIDED = {
    "huber": lambda d, r: math.inf if d < 0 else None,
    "pseudo_huber": lambda d, r: math.inf if d < 0 else 0.0 if d == 0 or r == 0 else None,
}


def reference(name):
    if name not in INFINITE:
        return {**EXACT, **ROUNDED}.get(name)

    def f(x, y):
        if math.isnan(x) or math.isnan(y):
            decided = DECIDED.get(name, lambda *v: None)(x, y)
            return math.nan if decided is None else decided
        return ref.REAL2[name](MP.mpf(x), MP.mpf(y)) if math.isfinite(x) and math.isfinite(y) else INFINITE[name](x, y)

    return f


def specials(t):
    info = np.finfo(t)
    size = np.array([0, info.smallest_subnormal, info.tiny, 1, info.max, np.inf], t)
    return np.r_[size, -size, t(np.nan)].astype(t)


def operands(report, row, t):
    """All pairs of special values, and a number of pairs of ordinary ones."""
    special = specials(t)
    values = np.r_[pair_values(t), t(0.1), t(-2.5), t(7), special]
    if row.inputs == "INT64":
        other = np.array(
            [
                0,
                1,
                -1,
                2,
                23,
                -24,
                52,
                -53,
                126,
                -126,
                -149,
                1023,
                -1022,
                -1074,
                2100,
                -2100,
                2**31,
                -(2**31),
                2**62,
                -(2**62),
                2**63 - 1,
            ]
        )
        return [g.reshape(-1) for g in np.meshgrid(values, other)]
    if row.nin == 3:
        first = np.array([True, False]) if row.inputs == "COND" else special
        return [g.reshape(-1) for g in np.meshgrid(first, special, special)]
    pairs = [np.meshgrid(special, values), np.meshgrid(values, special)]
    x, y = (np.concatenate([p[k].reshape(-1) for p in pairs]) for k in range(2))
    n, m = (g.reshape(-1) for g in np.meshgrid(values, values))
    at = chosen(report, n.size, 150)
    return [np.r_[x, n[at]], np.r_[y, m[at]]]


def error(got, want, kind, limit, of):
    """Its fault, or nothing."""
    if want is None:
        return None
    if isinstance(want, (bool, float)):
        with np.errstate(over="ignore"):
            w = got.dtype.type(want)
        same = (
            np.isnan(got)
            if np.isnan(w)
            else got == w and np.signbit(got) == np.signbit(w)
            if got.dtype.kind == "f"
            else got == w
        )
        return None if same else "another value"
    distance = off(got, want, kind, of)
    if not distance <= limit:
        return f"{distance:.3g} ulp"
    return "sign of the zero" if got == 0 and want != 0 and not of and np.signbit(got) != (want < 0) else None


def check(report, row, kind):
    args = operands(report, row, np.dtype(kind).type)
    got = arrpy.apply(row.name, *map(report.array, args)).numpy()
    f, scale = reference(row.name), SCALES.get(row.name)
    limit = 0.51 + (row.u64 if got.dtype == np.float64 else row.u32)
    wrong, seen = [], {}
    for i, values in enumerate(zip(*(a.tolist() for a in args))):
        key = tuple(map(repr, values))
        if key in seen:
            continue
        seen[key] = want = f(*values)
        of = scale(*map(MP.mpf, values)) if scale and all(map(math.isfinite, values)) else 0
        what = error(got[i], want, got.dtype.str[1:], limit, of)
        if what:
            wrong.append(
                f"{values} gives {got[i]!r}, want {want if isinstance(want, float) else MP.nstr(want, 20)}: {what}"
            )
    report.check(f"{row.name} {kind}", not wrong, f"{len(wrong)} of {len(seen)}: " + "; ".join(wrong[:8]))


def main():
    report = oracle.Report(__doc__)
    for row in rows():
        if report.wants(row.name) and reference(row.name):
            for kind in ("f4", "f8"):
                check(report, row, kind)
    report.finish()


if __name__ == "__main__":
    main()
