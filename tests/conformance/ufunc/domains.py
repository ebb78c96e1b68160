#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Special and complex functions over their whole domain against 30 and more digits of mpmath, in both widths: poles and
their neighbours, negative integers, zeros of the functions, subnormal and the largest numbers, infinities and nan.

An error is counted in units in the last place of the value, as the rows of core/table/ops.def state it, or where a row says
so of what it is a part of; of a complex number in those of its size. A sample that ARR_TEST_SEED=7 turns; ARR_TEST_WHOLE=1
takes all.
"""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import domain_references as ref
import oracle
from domain_references import MP
from domain_values import pair_values, part_values, real_grid
from oracle import arrpy
from ops import rows

DIGITS, LOW = {"f4": 23, "f8": 52}, {"f4": -149, "f8": -1074}


def exact(x):
    """As mpmath's number; a zero keeps its sign."""
    x = float(x)
    return MP.mpf(x) if x else MP.mpf(np.copysign(1, x)) * ref.ZERO


def unit(size, kind):
    """The last place of a number of this size."""
    return MP.ldexp(1, max(int(MP.frexp(size)[1]) - 1 - DIGITS[kind], LOW[kind])) if size else MP.ldexp(1, LOW[kind])


def off(got, want, kind, of=None):
    """The error in last places of `of`, by default the value; infinite where one of the two is no number or the sign differs."""
    got = float(got)
    if MP.isnan(want) or np.isnan(got):
        return 0.0 if MP.isnan(want) and np.isnan(got) else np.inf
    largest = MP.mpf(float(np.finfo(kind).max))
    beyond = largest + unit(largest, kind)  # where infinity lies for a last place
    want = MP.sign(want) * beyond if abs(want) > beyond else want
    got = MP.sign(got) * beyond if np.isinf(got) else MP.mpf(got)
    return float(abs(got - want) / unit(max(abs(want), of or 0), kind))


def gamma_terms(*values):
    return max([MP.mpf(1)] + [abs(ref.log_gamma(v)) for v in values if not ref.is_pole(v)])


def beta_scale(x, y):
    """For a large sum to a part of the logarithm, of which it is the exponential."""
    if x == 0 or y == 0 or ref.is_pole(x + y) and not ref.is_pole(x) and not ref.is_pole(y):
        return 0
    size = abs(ref.beta(x, y))
    return size * (1 + abs(MP.log(size))) if not MP.isinf(size) else 0


# The size that an error is relative to where it is not the value itself: the docs of the rows say so.
SCALES = {
    **{f"{k}{n}": lambda x: MP.sqrt(2 / (MP.pi * max(abs(x), MP.mpf("0.05")))) for k in "jy" for n in "01"},
    "gammaln": lambda x: 1 if x < 3 else 0,
    "digamma": lambda x: MP.pi / abs(MP.sinpi(x - MP.nint(x))) if x < 0 and not ref.is_pole(x) else 0,
    "betaln": lambda x, y: gamma_terms(x, y, x + y),
    "beta": lambda x, y: beta_scale(x, y),
    "rel_entr": lambda x, y: x if x > 0 and y > 0 else 0,
    "kl_div": lambda x, y: x + y if x > 0 and y > 0 else 0,
    "logaddexp": lambda x, y: abs(max(x, y)) + abs(x - y) * MP.exp(-min(abs(x - y), 5000)),
    "logaddexp2": lambda x, y: abs(max(x, y)) + abs(x - y) * MP.mpf(2) ** -min(abs(x - y), 5000),
}


def compare(report, label, kind, limit, args, got, want, of):
    """want(*args) of each; the worst are named."""
    worst = []
    for i in range(got.size):
        x = [a[i] for a in args]
        w = want(*x)
        if w is None:
            continue
        error = distance(got[i], w, kind, of(*x))
        if not error <= limit:
            worst.append((error, [v.item() for v in x], got[i].item(), w))
    worst.sort(key=lambda e: -e[0])
    report.check(
        label,
        not worst,
        f"{len(worst)} of {got.size}: "
        + "; ".join(f"{x} gives {g!r}, want {MP.nstr(w, 20)}, {e:.3g} ulp" for e, x, g, w in worst[:6]),
    )


def distance(got, want, kind, of):
    if not isinstance(got, np.complexfloating):
        return off(got, want, kind, of)
    size = max(abs(want), of)
    return max(off(got.real, MP.re(want), kind, size), off(got.imag, MP.im(want), kind, size))


def chosen(report, n, count):
    """Positions of about `count` of n, another choice by another seed."""
    if report.whole or n <= count:
        return np.arange(n)
    return np.sort(np.random.default_rng(report.seed).permutation(n)[:count])


def real_functions(report, row):
    for kind, limit in (("f4", row.u32), ("f8", row.u64)):
        grid = real_grid(np.dtype(kind).type)
        x = grid[chosen(report, grid.size, 60)]
        got = arrpy.apply(row.name, report.array(x)).numpy()
        scale = SCALES.get(row.name, lambda x: 0)
        compare(
            report,
            f"{row.name} {kind}",
            kind,
            limit + 0.51,
            [x],
            got,
            lambda v: ref.special(row.name, float(v)),
            lambda v: scale(MP.mpf(float(v))) if np.isfinite(v) else 0,
        )


def real_pairs(report, row):
    for kind, limit in (("f4", row.u32), ("f8", row.u64)):
        values = pair_values(np.dtype(kind).type)
        args = [g.reshape(-1) for g in np.meshgrid(values, values)]
        at = chosen(report, args[0].size, 200)
        args = [a[at] for a in args]
        got = arrpy.apply(row.name, *map(report.array, args)).numpy()
        scale = SCALES.get(row.name, lambda x, y: 0)
        compare(
            report,
            f"{row.name} {kind}",
            kind,
            limit + 0.51,
            args,
            got,
            lambda x, y: ref.REAL2[row.name](MP.mpf(float(x)), MP.mpf(float(y))),
            lambda x, y: scale(MP.mpf(float(x)), MP.mpf(float(y))),
        )


def complex_of(z):
    return MP.mpc(exact(z.real), exact(z.imag))


POLES = {
    "log": (0, 0),
    "log2": (0, 0),
    "log10": (0, 0),
    "log1p": (1, 0),
    "arctanh": (1, 0),
    "arctan": (0, 1),
    "sign": (0, 0),
    "reciprocal": (0, 0),
    "angle": (0, 0),
    "sinc": (0, 0),
}


@ref.deep
def complex_sinc(v):
    return ref.COMPLEX["sinc"](complex_of(v))


def complex_functions(report, row):
    for kind, limit in (("c8", row.u32), ("c16", row.u64)):
        part = part_values(np.dtype("f4" if kind == "c8" else "f8").type)
        z = np.array([complex(a, b) for a, b in itertools.product(part, part)], kind)
        pole = POLES.get(row.name)
        if pole:
            z = z[(np.abs(z.real) != pole[0]) | (np.abs(z.imag) != pole[1])]
        if row.name == "exp2":  # the angle y ln 2 is known to two words: of more turns nothing is
            z = z[np.abs(z.imag) < 1 / np.finfo(kind).eps]
        z = z[chosen(report, z.size, 120 if report.device == "host" else 60)]
        got = arrpy.apply(row.name, report.array(z)).numpy()
        compare(
            report,
            f"{row.name} {kind}",
            "f4" if kind == "c8" else "f8",
            4 * (limit or 4),
            [z],
            got,
            ref.deep(lambda v: MP.convert(ref.COMPLEX[row.name](complex_of(v)))),
            # pi y is rounded, and its exponential has that error as many times as it is large.
            lambda v: abs(complex_sinc(v)) * (1 + MP.pi * abs(exact(v.imag))) if row.name == "sinc" else 0,
        )


def complex_pairs(report, row):
    for kind, limit in (("c8", row.u32), ("c16", row.u64)):
        t = np.dtype("f4" if kind == "c8" else "f8").type
        r = np.random.default_rng(report.seed)
        part = part_values(t)
        n = 20000 if report.whole else 400
        x, y = (np.array([complex(*r.choice(part, 2)) for _ in range(n)], kind) for _ in "xy")
        if row.name == "power":
            y = np.where(r.random(n) < 0.7, r.integers(-110, 110, n), np.where(np.abs(y) < 1e5, y, 1.5)).astype(kind)
            x = np.where(
                r.random(n) < 0.5, np.ldexp(x.real / np.ldexp(t(1), np.frexp(np.abs(x))[1]), 0) + 1j * x.imag, x
            ).astype(kind)
        else:  # near each other, where differences cancel and sizes do
            y = np.where(r.random(n) < 0.3, x * r.choice(np.array([1, 1j, -1, 1 + 1j, 0.25], kind), n), y)
        keep = (np.abs(x.real) + np.abs(x.imag) > 0) & (np.abs(y.real) + np.abs(y.imag) > 0) & np.isfinite(y)
        x, y = x[keep], y[keep]
        got = arrpy.apply(row.name, report.array(x), report.array(y)).numpy()
        # Raising to a power multiplies the logarithm, and its rounding error with it.
        grows = 1 + np.abs(y * np.log(x)) if row.name == "power" else np.ones(x.size)
        for low, high in ((1, 1.0001), (1.0001, 8), (8, 100), (100, 1e4)):
            at = (grows >= low) & (grows < high)
            compare(
                report,
                f"{row.name} {kind}, by {low}",
                "f4" if kind == "c8" else "f8",
                4 * (limit or 4) * high,
                [x[at], y[at]],
                got[at],
                ref.deep(lambda a, b: ref.COMPLEX2[row.name](complex_of(a), complex_of(b))),
                lambda *v: 0,
            )


INFINITE, ZERO, NAN, FINITE = "infinite", "zero", "nan", "finite"


def kind_of(z):
    """The kind of number by Annex G: infinite with one infinite part, whatever the other is."""
    if np.isinf(z.real) or np.isinf(z.imag):
        return INFINITE
    return NAN if np.isnan(z) else FINITE if z else ZERO


# C99, G.5.1, of (kind of x, kind of y).
ANNEX_G = {
    "multiply": lambda x, y: (
        INFINITE if (x == INFINITE and y in (FINITE, INFINITE)) or (y == INFINITE and x == FINITE) else None
    ),
    "divide": lambda x, y: (
        INFINITE
        if (x == INFINITE and y in (FINITE, ZERO)) or (x == FINITE and y == ZERO)
        else ZERO
        if x in (FINITE, ZERO) and y == INFINITE
        else None
    ),
    "reciprocal": lambda x, y: ZERO if x == INFINITE else INFINITE if x == ZERO else None,
    "square": lambda x, y: INFINITE if x == INFINITE else None,
}


def infinities(report):
    part = [0.0, -0.0, 1, -1, 1e-30, 2.5, -3e38, np.inf, -np.inf, np.nan]
    z = [complex(a, b) for a, b in itertools.product(part, part)]
    for name, kind in itertools.product(ANNEX_G, ("c8", "c16")):
        if not report.wants(name):
            continue
        x, y = (np.array(v, kind) for v in zip(*itertools.product(z, z)))
        got = arrpy.apply(
            name, *(report.array(v) for v in ((x,) if name in ("reciprocal", "square") else (x, y)))
        ).numpy()
        bad = [
            (a, b, g) for a, b, g in zip(x, y, got) if ANNEX_G[name](kind_of(a), kind_of(b)) not in (None, kind_of(g))
        ]
        report.check(f"{name} {kind} of infinities", not bad, f"{len(bad)} of {x.size}: {bad[:6]}")


def main():
    report = oracle.Report(__doc__)
    for row in rows():
        if not report.wants(row.name):
            continue
        if row.name in ref.REAL:
            real_functions(report, row)
        if row.name in ref.REAL2:
            real_pairs(report, row)
        if row.name in ref.COMPLEX and "C" in row.domain:
            complex_functions(report, row)
        if row.name in ref.COMPLEX2:
            complex_pairs(report, row)
    infinities(report)
    report.finish()


if __name__ == "__main__":
    main()
