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
from oracle import arrpy
from ops import rows

DIGITS, LOW = {"f4": 23, "f8": 52}, {"f4": -149, "f8": -1074}


def near(values, t):
    """The values and their neighbours on both sides."""
    v = np.array(values, t)
    return np.r_[v, np.nextafter(v, t(np.inf)), np.nextafter(v, t(-np.inf))]


def real_grid(t):
    info = np.finfo(t)
    least, tiny, most = info.smallest_subnormal, info.tiny, info.max
    whole = np.r_[np.arange(-25, 26), -33, -100, -170, -171, -172, 30, 33, 35, 170, 171, 172, -1e5, 1e5]
    ends = [tiny, most, 0.1, 0.25, 0.3, 0.75, 1.2, 5e-3, 36.7, 37.5, 38.5, 88.72, 103.9, 700, 709.78, 713.9, 745.1]
    zeros = [
        2.404825557695773,
        5.520078110286311,
        8.653727912911013,
        11.791534439014281,
        3.8317059702075125,
        7.015586669815619,
        0.8935769662791675,
        3.957678419314858,
        7.086051060301773,
        2.197141326031017,
        5.429681040794135,
        1.4616321449683622,
        -0.504083008264456,
        -1.5734984731623907,
        -2.610720868444145,
        -2.4570247382208006,
        -2.7476826467274127,
        -3.1435808883499797,
        -3.9552942848585977,
        0.2784645427610738,
        1.5707963267948966,
    ]
    powers = np.array(
        [
            -1074,
            -1073,
            -1060,
            -1030,
            -1000,
            -900,
            -700,
            -600,
            -512,
            -300,
            -140,
            -126,
            -100,
            -64,
            -55,
            -53,
            -40,
            -30,
            -27,
            -26,
            -20,
            -12,
            -9,
            -8,
            24,
            27,
            31,
            32,
            33,
            50,
            52,
            53,
            54,
            64,
            100,
            127,
            300,
            511,
            512,
            513,
            600,
            900,
            1000,
            1022,
            1023,
        ]
    )
    some = np.r_[2.0**powers, 3.3 * 2.0 ** np.clip(powers, -1060, 1020)]
    some = some[(some >= least) & (some <= most)]
    out = np.r_[
        near(np.r_[whole, whole + 0.5, np.r_[ends, zeros]], t),
        some,
        -some,
        least,
        2 * least,
        -least,
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
    ]
    return np.unique(out.astype(t).view(f"u{t().itemsize}")).view(t)


def pair_values(t):
    info = np.finfo(t)
    size = [
        info.smallest_subnormal,
        info.tiny,
        2.0**-100,
        1e-8,
        0.25,
        0.5,
        1,
        np.nextafter(t(1), t(2)),
        1.5,
        2,
        3,
        5,
        9.75,
        11,
        21.5,
        100,
        171.5,
        300,
        1e4 + 0.5,
        1e7,
        2.0**53,
        2.0**100,
        info.max / 4,
        info.max,
    ]
    if t == np.float64:
        size += [1e-320, 1e-200, 2.0**-512, 1e150, 2.0**513, 1e300]
    size = np.r_[size, 4, 20, np.nextafter(t(3), t(0)), 3 - 2.0**-10].astype(t)
    return np.r_[size, -size, 0.0, -0.0].astype(t)


def part_values(t):
    info = np.finfo(t)
    small, half = (-149, 64) if t == np.float32 else (-1074, 512)
    size = np.r_[
        0,
        info.smallest_subnormal,
        7 * 2.0 ** (small + 3),
        info.tiny,
        1.7 * 2.0**-half,
        2.0 ** -(half // 2 - 9),
        1e-9,
        1e-4,
        0.3,
        0.5,
        np.nextafter(t(1), t(0)),
        1,
        np.nextafter(t(1), t(2)),
        1.25,
        np.pi / 2,
        2,
        3,
        10.5,
        22.5,
        88.9,
        300.3,
        1e5,
        3e9,
        1.3 * 2.0 ** (half // 2 + 9),
        1.1 * 2.0**half,
        info.max / 8,
        info.max / 2,
        info.max,
    ]
    if t == np.float64:
        size = np.r_[size, 709.9, 1e-20, 1e-155, 2e154]
    size = size.astype(t)
    return np.r_[size, -size].astype(t)


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
    most = MP.mpf(float(np.finfo(kind).max))
    beyond = most + unit(most, kind)  # where infinity lies for a last place
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


# What an error is a part of where it is not the value itself: the docs of the rows say so.
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
    """What Annex G calls it: infinite with one infinite part, whatever the other is."""
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
