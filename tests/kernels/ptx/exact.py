# SPDX-License-Identifier: MIT
"""Arithmetic of PTX's types on their bits, exact by Python's integers and fractions.

A result is the bits, or None for any NaN: GPUs have one NaN, processors others.
"""

import math
from fractions import Fraction

# Digits, least and greatest exponent, bits.
FORMATS = {
    "f16": (11, -14, 15, 16),
    "bf16": (8, -126, 127, 16),
    "f32": (24, -126, 127, 32),
    "f64": (53, -1022, 1023, 64),
}


def decode(bits, t):
    """(class, sign, magnitude): class is "nan", "inf" or "" for a number."""
    digits, min_exponent, _, width = FORMATS[t]
    sign, rest = bits >> (width - 1), bits & ((1 << (width - 1)) - 1)
    exponent, fraction = rest >> (digits - 1), rest & ((1 << (digits - 1)) - 1)
    if exponent == (1 << (width - digits)) - 1:
        return ("nan" if fraction else "inf"), sign, None
    if exponent:
        fraction += 1 << (digits - 1)
    return "", sign, Fraction(fraction) * Fraction(2) ** (max(exponent, 1) - 1 + min_exponent - digits + 1)


def infinity(sign, t):
    digits, _, _, width = FORMATS[t]
    return sign << (width - 1) | ((1 << (width - digits)) - 1) << (digits - 1)


def rounded(sign, x, t, mode="n"):
    """The bits of (-1)^sign * x; mode: n, z, m (down), p (up)."""
    digits, min_exponent, max_exponent, width = FORMATS[t]
    if x == 0:
        return sign << (width - 1)
    e = x.numerator.bit_length() - x.denominator.bit_length()
    if Fraction(2) ** e > x:
        e -= 1
    e = max(e, min_exponent)
    q = x / Fraction(2) ** (e - digits + 1)
    n = q.numerator // q.denominator
    rest = q - n
    up = {
        "n": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n & 1),
        "z": False,
        "p": rest > 0 and not sign,
        "m": rest > 0 and sign,
    }[mode]
    n += bool(up)
    if n == 1 << digits:
        n, e = n >> 1, e + 1
    if e > max_exponent:
        return infinity(sign, t) - (mode == "z" or (mode == "p" and sign) or (mode == "m" and not sign))
    if n < 1 << (digits - 1):
        return sign << (width - 1) | n
    return sign << (width - 1) | ((e - min_exponent + 1) << (digits - 1)) + n - (1 << (digits - 1))


def signed(value, t, mode="n", zero=0):
    return rounded(int(value < 0) if value else zero, abs(value), t, mode)


def number(bits, t):
    """A float with the value; for types that float holds."""
    kind, sign, x = decode(bits, t)
    if kind == "nan":
        return math.nan
    return (-1.0 if sign else 1.0) * (math.inf if kind else float(x))


def flush(bits, t):
    digits, _, _, width = FORMATS[t]
    exponent = (bits >> (digits - 1)) & ((1 << (width - digits)) - 1)
    return bits if exponent else bits & 1 << (width - 1)


def saturate(bits, t):
    if bits is None:
        return 0
    x = number(bits, t)
    return rounded(0, Fraction(1), t) if x >= 1 else bits if x > 0 else 0


def finite(*decoded):
    return all(not d[0] for d in decoded)


def value(d):
    return -d[2] if d[1] else d[2]


def special(x, t):
    return None if math.isnan(x) else infinity(int(x < 0), t)


def add(a, b, t, mode="n"):
    x, y = decode(a, t), decode(b, t)
    if not finite(x, y):
        return special(number(a, t) + number(b, t) if not finite(x) or not finite(y) else 0, t)
    zero = x[1] if x[1] == y[1] else int(mode == "m")
    return signed(value(x) + value(y), t, mode, zero)


def negate(a, t):
    return a ^ 1 << (FORMATS[t][3] - 1)


def sub(a, b, t, mode="n"):
    return add(a, negate(b, t), t, mode)


def product_of_special(x, y):
    if "nan" in (x[0], y[0]) or (x[2] == 0) or (y[2] == 0):
        return math.nan
    return -math.inf if x[1] != y[1] else math.inf


def mul(a, b, t, mode="n"):
    x, y = decode(a, t), decode(b, t)
    if not finite(x, y):
        return special(product_of_special(x, y), t)
    return signed(value(x) * value(y), t, mode, x[1] ^ y[1])


def fma(a, b, c, t, mode="n"):
    x, y, z = decode(a, t), decode(b, t), decode(c, t)
    if not finite(x, y):
        return special(product_of_special(x, y) + number(c, t), t)
    if not finite(z):
        return special(number(c, t), t)
    p = value(x) * value(y)
    sign = x[1] ^ y[1]
    zero = sign if sign == z[1] and (p == 0) == (z[2] == 0) and p == 0 else int(mode == "m")
    return signed(p + value(z), t, mode, zero)


def div(a, b, t, mode="n"):
    x, y = decode(a, t), decode(b, t)
    sign = x[1] ^ y[1]
    if "nan" in (x[0], y[0]) or (x[0] and y[0]) or (x[2] == 0 and y[2] == 0):
        return None
    if x[0] or y[2] == 0:
        return infinity(sign, t)
    return rounded(sign, Fraction(0) if y[0] else x[2] / y[2], t, mode)


def rcp(a, t, mode="n"):
    return div(rounded(0, Fraction(1), t), a, t, mode)


def sqrt(a, t, mode="n"):
    kind, sign, x = decode(a, t)
    if kind == "nan" or (sign and x != 0):
        return None
    if kind or x == 0:
        return a
    shift = 400 if t == "f64" else 100  # so that the root has digits to spare; it keeps whether it is exact
    scaled = x * 4 ** (shift + 1200)
    whole = scaled.numerator // scaled.denominator
    root = math.isqrt(whole)
    exact = Fraction(root) / 2 ** (shift + 1200)
    if root * root != scaled:
        exact += Fraction(1, 2 ** (shift + 1201))
    return rounded(0, exact, t, mode)


def min_or_max(a, b, t, larger=False, keeps_nan=False):
    x, y = decode(a, t), decode(b, t)
    if x[0] == "nan" or y[0] == "nan":
        if keeps_nan or x[0] == y[0]:
            return None
        return b if x[0] == "nan" else a
    key = lambda bits: (number(bits, t), -(bits >> (FORMATS[t][3] - 1)))
    return max(a, b, key=key) if larger else min(a, b, key=key)


def whole(x, mode):
    """A fraction as a whole number; mode: n, z, m, p."""
    floor = x.numerator // x.denominator
    rest = x - floor
    if mode == "m" or rest == 0:
        return floor
    if mode == "p":
        return floor + 1
    if mode == "z":
        return floor + (x < 0)
    return floor + int(rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor & 1))


def to_whole(a, source, bits, is_signed, mode):
    """cvt.rni.s32.f32 and its kin: out of range goes to the end of the range."""
    kind, sign, x = decode(a, source)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    if kind == "nan":
        return 1 << (bits - 1) if bits == 64 or source == "f64" else 0
    v = (low if sign else high) if kind else whole(-x if sign else x, mode)
    return min(max(v, low), high)


def to_float(a, source, target, mode="n"):
    kind, sign, x = decode(a, source)
    return None if kind == "nan" else infinity(sign, target) if kind else rounded(sign, x, target, mode)


def round_whole(a, t, mode):
    kind, sign, x = decode(a, t)
    if kind:
        return None if kind == "nan" else a
    return signed(Fraction(whole(-x if sign else x, mode)), t, zero=sign)
