# SPDX-License-Identifier: MIT
"""Cases of halves_arithmetic.cu and halves_conversions.cu, by Python's fractions and double; see cases.py."""

import math

import numpy as np
from ml_dtypes import bfloat16

from cases import R, case, f4, i4, zeros
from cases_rounding import FORMAT, MODES, one

KINDS = [("half", "f2", np.dtype("f2")), ("bfloat", "bf", np.dtype(bfloat16))]
ALL = np.arange(65536, dtype="u2")


def agree(want, dtype, ulps=0):
    """Numbers of 16 bits: signs of zeros as they are, any NaN for a NaN. `want` is double's, of numbers that they have."""
    w = np.asarray(want, "f8").astype(dtype)

    def check(got):
        got = got.view(dtype)
        g, expected = got.astype("f8"), w.astype("f8")
        steps = np.abs(ordered(got) - ordered(w))
        right = (steps <= ulps) & ~np.isnan(g) | np.isnan(g) & np.isnan(expected)
        for k in np.flatnonzero(~right)[:5]:
            print(f"element {k}: got {got[k]!r}, expected {w[k]!r}")
        return bool(right.all())

    return check


def ordered(x):
    """Numbers as integers: neighbours are 1 apart, and so are the zeros."""
    bits = x.view("i2").astype("i4")
    return np.where(bits < 0, -(bits & 0x7FFF) - 1, bits)


def rounded(x, kind, mode="rn"):
    """Doubles to 16 bits, as doubles; exact where `x` is, or nowhere near a middle."""
    digits, min_exponent, max_exponent = FORMAT[kind]
    with np.errstate(all="ignore"):
        step = np.maximum(np.frexp(np.where(np.isfinite(x), x, 1))[1] - digits, min_exponent)
        f = {"rn": np.rint, "rd": np.floor, "ru": np.ceil, "rz": np.trunc}[mode]
        y = np.copysign(np.ldexp(f(np.ldexp(x, -step)), step), x)
        biggest = 2.0**max_exponent - 2.0 ** (max_exponent - digits)
        over = np.isfinite(x) & (np.abs(y) > biggest)
        to_largest = (mode == "rz") | (x > 0 if mode == "rd" else (x < 0) & (mode == "ru"))
        return np.where(over, np.copysign(np.where(to_largest, biggest, np.inf), x), np.where(np.isfinite(x), y, x))


def operands(dtype, kind, n):
    digits, min_exponent, max_exponent = FORMAT[kind]
    any_bits = R.integers(0, 65536, (3, n), dtype="u2").view(dtype)
    usual = R.normal(size=(3, n)).astype(dtype)
    with np.errstate(all="ignore"):
        a, b = usual[0], usual[1]
        product = a.astype("f8") * b.astype("f8")
        remainder = np.stack([a, b, (-product).astype("f4").astype(dtype)])
        # Products in the middle of two neighbours, and a c that says which of them is nearer.
        odd = (2.0**digits + 1 + 2 * R.integers(0, 2 ** (digits - 2), n)) / 2.0**digits
        middle = np.stack(
            [np.full(n, 1.0 + 2.0 ** (1 - digits)), np.full(n, 1.5), R.choice([-1, 1], n) * 2.0 ** (min_exponent + 1)]
        )
        split = [(p, int(o) // p) for o in odd * 2**digits for p in (3, 5, 7, 9, 11, 13) if int(o) % p == 0]
        split = np.array([s for s in split if s[1] < 2**digits][:n], "f8").T
        middle = np.concatenate(
            [middle, [split[0], split[1], R.choice([-1, 1], split.shape[1]) * 2.0 ** (min_exponent + 1)]], axis=1
        )
        # Products and quotients among the smallest numbers.
        small = R.normal(size=(3, n)) * 2.0 ** R.integers(
            [[min_exponent], [-10], [min_exponent]], [[min_exponent + 14], [10], [min_exponent + 8]], (3, n)
        )
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
            2.0 ** (max_exponent - 1),
            -(2.0 ** (max_exponent - 1)),
            2.0**min_exponent,
            -(2.0**min_exponent),
        ],
        "f8",
    )
    edges = np.array(np.meshgrid(edge, edge, [0.0, -1.0, np.inf])).reshape(3, -1)
    return np.concatenate(
        [any_bits, usual, remainder, middle.astype(dtype), small.astype(dtype), edges.astype(dtype)], axis=1
    )


def exact(op, kind, *v):
    """By IEEE 754, rounded once, from cases_rounding; numbers that are not finite are float's."""
    return one(op, "rn", kind, *v)


def saturated(x):
    return min(x, 1.0) if x > 0 else 0.0


def smaller(x, y, sign):
    """The greater for a sign of -1; a number rather than NaN, and -0 before 0."""
    if x != x or y != y:
        return y if x != x else x
    return sign * min((sign * x, math.copysign(1, sign * x)), (sign * y, math.copysign(1, sign * y)))[0]


def arithmetic():
    for word, kind, dtype in KINDS:
        a, b, c = given = operands(dtype, kind, 250)
        n = len(a)
        rows = [[float(x) for x in r] for r in given]
        two, three = list(zip(*rows[:2])), list(zip(*rows))
        add, sub, mul, div = ([exact(op, kind, *r) for r in two] for op in ("add", "sub", "mul", "div"))
        fma = [exact("fma", kind, *r) for r in three]
        largest, smallest = [[smaller(x, y, s) for x, y in two] for s in (-1, 1)]
        nan = [[math.nan if x != x or y != y else v for (x, y), v in zip(two, r)] for r in (largest, smallest)]
        relu = [x if x > 0 or x != x else 0.0 for x in fma]
        sat = [[saturated(x) for x in r] for r in (add, sub, mul, fma)]
        want = [
            add,
            sub,
            mul,
            div,
            fma,
            *sat,
            relu,
            add,
            sub,
            mul,
            largest,
            smallest,
            *nan,
            [-x for x in rows[0]],
            [abs(x) for x in rows[0]],
            div,
            [-x for x in rows[0]],
        ]
        grid = -(-n // 128)
        case(
            "halves_arithmetic",
            word + "_arithmetic",
            grid,
            128,
            [a, b, c, zeros(n * len(want), dtype), i4(n)],
            {3: agree(np.concatenate(want), dtype)},
        )
        case(
            "halves_arithmetic",
            word + "_order",
            grid,
            128,
            [a, b, zeros(n, "u4"), i4(n)],
            {2: np.array([order(*r) for r in two], "u4")},
        )
        case("halves_arithmetic", word + "_pairs", grid, 128, [a, b, c, zeros(n, "i4"), i4(n)], {3: zeros(n, "i4")})


def order(a, b):
    nan = a != a or b != b
    plain = [a == b, a < b or a > b, a < b, a <= b, a > b, a >= b]
    operators = [a == b, a != b, a < b, a <= b, a > b, a >= b]
    infinite = 2 if a == math.inf else 0 if a == -math.inf else 1
    bits = plain + [p or nan for p in plain] + operators + [a != a, infinite & 1, infinite >> 1, a != 0]
    return sum(int(b) << k for k, b in enumerate(bits))


def mathematics():
    for word, kind, dtype in KINDS:
        with np.errstate(all="ignore"):
            x = ALL.view(dtype).astype("f8")
            exactly = [np.sqrt(x), np.trunc(x), np.ceil(x), np.floor(x), np.rint(x)]
            about = [
                1 / np.sqrt(x),
                1 / x,
                np.exp(x),
                np.exp2(x),
                10.0**x,
                np.log(x),
                np.log2(x),
                np.log10(x),
                np.sin(x),
                np.cos(x),
                np.tanh(x),
            ]
        for name, values, ulps in (("exact", exactly, 0), ("mathematics", about, 1)):
            want = np.concatenate([rounded(v, kind) for v in values])
            case(
                "halves_arithmetic",
                f"{word}_{name}",
                256,
                256,
                [ALL.view(dtype), zeros(len(want), dtype), i4(65536)],
                {1: agree(want, dtype, ulps)},
            )


def whole_numbers(n):
    k = np.concatenate([R.integers(-(2**63), 2**63 - 1, n), R.integers(-(2**63), 2**63 - 1, n) >> R.integers(1, 63, n)])
    ties = [
        s * ((2**d + m) * 2**e + t)
        for d in (8, 11)
        for m in (1, 3)
        for e in (0, 1, 3, 20, 40, 50)
        for t in (-1, 0, 1)
        for s in (1, -1)
    ]
    return np.concatenate(
        [k, ties, [0, 1, -1, 2**63 - 1, -(2**63), 65504, 65519, 65520, 65536, -65520, 2**62 + 2**54 + 1]]
    ).astype("i8")


def conversions():
    k = whole_numbers(150)
    n = len(k)
    d = np.concatenate(
        [
            R.normal(size=n - 100) * 10.0 ** R.uniform(-45, 39, n - 100),
            R.normal(size=88),
            [
                0,
                -0.0,
                np.inf,
                -np.inf,
                np.nan,
                65519.99999999,
                65520,
                1 + 2.0**-11 + 2.0**-40,
                1 + 2.0**-8 + 2.0**-50,
                2.0**-25,
                2.0**-134,
                1e300,
            ],
        ]
    )
    with np.errstate(all="ignore"):
        f = d.astype("f4").astype("f8")
    whole = [
        [int(x) for x in v] for v in (k, k.view("u8"), k.astype("i4"), k.astype("u4"), k.astype("i2"), k.astype("u2"))
    ]
    for word, kind, dtype in KINDS:
        want = [[one("from", mode, kind, x) if x else 0.0 for x in row] for row in whole for mode in MODES]
        want += [rounded(f, kind, mode) for mode in MODES]
        want += [[one("from", "rn", kind, float(x)) for x in d], want[0], want[4], want[8]]
        case(
            "halves_conversions",
            word + "_from",
            -(-n // 128),
            128,
            [k, d, zeros(n * len(want), dtype), i4(n)],
            {2: agree(np.concatenate(want), dtype)},
        )
        to_whole(word, dtype)
        h = ALL.view(dtype)
        back = ALL[::-1]
        rows = [ALL, ALL, back, ALL, back, ALL, ALL, back, ALL, ALL, -ALL.astype("i4")]
        case(
            "halves_conversions",
            word + "_bits",
            256,
            256,
            [h, zeros(11 * 65536, "u2"), i4(65536)],
            {1: np.concatenate(rows).astype("u2")},
        )


def to_whole(word, dtype):
    with np.errstate(all="ignore"):
        x = ALL.view(dtype).astype("f8")
    modes = [np.rint, np.floor, np.ceil, np.trunc]

    def to(f, low, high, nan=0):
        with np.errstate(all="ignore"):
            return [nan if v != v else low if v <= low else high if v >= high else int(v) for v in f(x)]

    limits = [
        (-(2**63), 2**63 - 1, -(2**63)),
        (0, 2**64 - 1, 2**63),
        (-(2**31), 2**31 - 1),
        (0, 2**32 - 1),
        (-(2**15), 2**15 - 1),
        (0, 2**16 - 1),
    ]
    rows = [to(f, *limit) for limit in limits for f in modes]
    rows += [to(np.trunc, -128, 127), to(np.trunc, 0, 255), rows[3], rows[11], rows[19], to(np.trunc, 0, 255)]
    want = np.array([v - 2**64 if v >= 2**63 else v for row in rows for v in row], "i8")
    case("halves_conversions", word + "_to", 256, 256, [ALL.view(dtype), zeros(len(want), "i8"), i4(65536)], {1: want})


def lanes():
    for word, _, dtype in KINDS:
        h, t = R.normal(size=32).astype(dtype), np.arange(32)
        rows = [
            h[np.full(32, 5)],
            h[np.where(t >= 3, t - 3, t)],
            h[np.where(t % 8 < 6, t + 2, t)],
            h[t ^ 1],
            h[31 - (t ^ 1)],
        ]
        pairs = np.stack([h, h[::-1]], axis=1).ravel()
        case(
            "halves_conversions",
            word + "_lanes",
            1,
            32,
            [h, zeros(160, dtype), zeros(64, dtype)],
            {1: agree(np.concatenate(rows).astype("f8"), dtype), 2: agree(pairs.astype("f8"), dtype)},
        )
        case(
            "halves_conversions",
            word + "_atomics",
            2,
            32,
            [zeros(1, dtype), zeros(2, dtype)],
            {0: agree([32.0], dtype), 1: agree([64.0, -16.0], dtype)},
        )
    h, f = R.normal(size=32).astype("f2"), f4(32, 2)
    b = rounded(h.astype("f8"), "bf")
    pairs = f.astype("f2")
    floats = pairs.astype("f4")
    case(
        "halves_conversions",
        "between",
        1,
        32,
        [h, f.ravel(), zeros(32, bfloat16), zeros(32, "f2"), zeros(64, "f2"), zeros(64)],
        {
            2: agree(b, np.dtype(bfloat16)),
            3: agree(rounded(b, "f2"), np.dtype("f2")),
            4: pairs.ravel(),
            5: floats.ravel(),
        },
    )


arithmetic()
mathematics()
conversions()
lanes()
