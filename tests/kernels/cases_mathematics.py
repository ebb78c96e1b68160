# SPDX-License-Identifier: MIT
"""Cases of mathematics.cu, against mpmath; see cases.py."""

import mpmath as mp
import numpy as np

from cases import R, case, i4, zeros

mp.mp.dps = 40
INF, NAN = float("inf"), float("nan")
EDGES = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 1.5, -2.5, INF, -INF, NAN]


def close(want, ulps):
    """Within so many units of the last place; signs of zeros, infinities and NaNs as they are."""

    def check(got):
        with np.errstate(all="ignore"):
            w = np.asarray(want).astype(got.dtype)
            size = np.maximum(np.abs(w), np.finfo(w.dtype).tiny)
            near = np.abs(got.astype("f8") - np.asarray(want, "f8")) <= ulps * np.finfo(w.dtype).eps * size
            same = (got == w) & (np.signbit(got) == np.signbit(w))
            right = same | (np.isnan(got) & np.isnan(w)) | (near & np.isfinite(w) & (w != 0))
        for k in np.flatnonzero(~right)[:5]:
            print(f"element {k}: got {got[k]!r}, expected {w[k]!r}")
        return bool(right.all())

    return check


def number(f, x):
    """f(x) by mpmath as a double; x where it is NaN."""
    if x != x:
        return NAN
    try:
        return float(f(mp.mpf(x)))
    except OverflowError:
        return INF


def erfcx(x):
    if mp.isinf(x):
        return INF if x < 0 else 0.0
    return INF if x < -27 else mp.exp(x * x) * mp.erfc(x)


def erfinv(y):
    return NAN if abs(y) > 1 else mp.sign(y) * mp.inf if abs(y) == 1 else mp.erfinv(y)


def erfcinv(q):
    """By a root of erfc's logarithm: 1 - q has no digits for small q."""
    if not 0 < q < 2:
        return INF if q == 0 else -INF if q == 2 else NAN
    if q > 0.5:
        return mp.erfinv(1 - q)
    return mp.findroot(lambda x: mp.log(mp.erfc(x)) - mp.log(q), mp.sqrt(-mp.log(q)) * 0.9 + 0.1)


def normcdfinv(p):
    if not 0 < p < 1:
        return -INF if p == 0 else INF if p == 1 else NAN
    return -mp.sqrt(2) * erfcinv(2 * p) if p <= 0.5 else mp.sqrt(2) * erfcinv(2 * (1 - p))


def of_pi(which):
    def f(x):
        if mp.isinf(x):
            return NAN
        return (mp.sinpi if which == "s" else mp.cospi)(x)

    return f


def special():
    functions = [
        erfcx,
        erfinv,
        erfcinv,
        normcdfinv,
        lambda x: INF if mp.isinf(x) else mp.besseli(0, x),
        lambda x: x if mp.isinf(x) else mp.besseli(1, x),
    ] + [of_pi("s"), of_pi("c")] * 2
    wide = np.concatenate(
        [
            EDGES,
            R.uniform(-1, 1, 40),
            R.uniform(0, 2, 40),
            R.uniform(-26, 26, 40),
            10 ** R.uniform(-30, 0, 30),
            R.uniform(26, 80, 10),
            [1e-300, 1e-310, 1 - 1e-12, 1e5 + 0.5],
        ]
    )
    for name, kind, ulps in [("special_double", "f8", 12), ("special_float", "f4", 2), ("special_suffixed", "f4", 2)]:
        x = wide.astype(kind)
        want = []
        for k, f in enumerate(functions):
            row = np.array([number(f, float(v)) for v in x])
            if k in (1, 5, 6, 8):  # odd: of a zero the zero, and sine's zeros have the sign of x
                row[row == 0] = np.copysign(0.0, x[row == 0])
            want.append(row)
        with np.errstate(over="ignore"):
            want = np.concatenate(want)
        case("mathematics", name, 3, 128, [x, zeros(len(want), kind), i4(len(x))], {1: close(want, ulps)})


def norms():
    def root(v, over):
        if np.isinf(v).any():
            return 0.0 if over else INF
        if np.isnan(v).any():
            return NAN
        s = mp.sqrt(mp.fsum(mp.mpf(float(a)) ** 2 for a in v))
        return (INF if s == 0 else float(1 / s)) if over else number(lambda x: s, 0.0)

    for name, kind, extreme in [("norms_double", "f8", (300, -300)), ("norms_float", "f4", (37, -37))]:
        v = R.normal(size=(60, 4))
        v[20:30] *= 10.0 ** extreme[0]
        v[30:40] *= 10.0 ** extreme[1]
        v[40] = 0
        v[41] = [INF, NAN, 1, 2]
        v[42] = [NAN, 1, 1, 1]
        v[43] = [1, 2, 3, -INF]
        v[44] = [1, -1e-3, 1e-8, 0]
        v = v.astype(kind)
        want = [root(row[:k], over) for over in (False, True) for k in (4, 3, 4) for row in v]
        want += [root(row[:2], True) for row in v]
        case("mathematics", name, 1, 64, [v.ravel(), zeros(len(want), kind), i4(60)], {1: close(np.array(want), 3)})


def orders():
    x = np.concatenate([[1e-3, 0.1], R.uniform(0.2, 12, 50)])
    f = x.astype("f4").astype("f8")
    exact = [
        [float(g(n, mp.mpf(v))) for v in a]
        for g, n, a in [
            (mp.besselj, 0, x),
            (mp.besselj, 3, x),
            (None, 0, x),
            (mp.bessely, 1, x),
            (mp.bessely, 4, x),
            (None, 0, x),
            (mp.besselj, 2, f),
            (mp.bessely, 2, f),
        ]
        if g
    ]
    nan = [NAN] * len(x)
    want = np.array(exact[:2] + [nan] + exact[2:4] + [nan] + exact[4:])

    def near(got):
        """Relative to the larger of the value and the function's size there, as a zero is near."""
        got = got.reshape(want.shape)
        bound = np.array([1e-14] * 6 + [1e-6] * 2)[:, None] * np.maximum(np.abs(want), 0.3)
        return bool(((np.abs(got - want) <= bound) | (np.isnan(got) & np.isnan(want))).all())

    case("mathematics", "bessel_orders", 1, 64, [x, zeros(want.size, "f8"), i4(len(x))], {1: near})


def others():
    x, y = R.uniform(-50, 50, (2, 60)).astype("f4").astype("f8")
    rest = x - y * np.rint(x / y)
    fine = np.array([float(mp.mpf(a) - mp.mpf(b) * int(mp.nint(mp.mpf(a) / mp.mpf(b)))) for a, b in zip(x, y)])
    assert np.allclose(rest, fine)
    whole = np.array([int(mp.nint(mp.mpf(a) / mp.mpf(b))) for a, b in zip(x, y)])
    bits = (np.sign(whole) * (np.abs(whole) % 8)).astype("i4")

    def same_low_bits(got):
        low = np.sign(got) * (np.abs(got) % 8)
        return bool((low == np.concatenate([bits, bits])).all())

    quotient = (x.astype("f4") / y.astype("f4")).astype("f8")
    want = np.concatenate([fine, fine, x / 8, x * 16, x / y, quotient])
    case(
        "mathematics",
        "remainders",
        1,
        64,
        [x, y, zeros(360, "f8"), zeros(120, "i4"), i4(60)],
        {2: close(want, 0), 3: same_low_bits},
    )
    k = R.integers(-20, 20, 60).astype("i4")
    k[k == 0] = 3
    f, d = R.uniform(1, 9, 60).astype("f4"), R.uniform(1, 9, 60)
    want = [
        np.fmod(k, d),
        np.fmax(k, f),
        np.fmin(d, k),
        2.0**k,
        np.full(60, 48),
        np.copysign(d, f),
        np.arctan2(k.astype("f4"), f),
        np.hypot(f, np.float32(3)),
        np.fmax(d - 2, 0),
    ]

    def near(got):
        return bool(np.allclose(got, np.concatenate(want), rtol=3e-7, atol=0))

    case("mathematics", "mixed", 1, 64, [k, f, d, zeros(540, "f8"), i4(60)], {3: near})
    case("mathematics", "min_and_max", 1, 1, [zeros(10, "i8")], {0: np.array([3, 2**32 - 1, -1, 1, 1, 1, 5, 1, 1, 7])})


special()
norms()
orders()
others()
