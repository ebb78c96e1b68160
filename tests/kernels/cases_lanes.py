# SPDX-License-Identifier: MIT
"""Cases of lanes.cu, by NumPy on arrays of the lanes' types in wide integers; see cases.py."""

import numpy as np

from cases import R, case, i4, zeros

N = 400
EDGES = np.array([0, ~0, 0x80808080, 0x7F7F7F7F, 0x80008000, 0x7FFF7FFF, 0x01FF01FF, 0x00010001], "i8").astype("u4")


def lanes_of(words, bits, signed):
    """int64 of shape (words, lanes)."""
    return words.view(f"{'i' if signed else 'u'}{bits // 8}").reshape(len(words), -1).astype("i8")


def words_of(lanes, bits):
    return (lanes % 2**bits).astype(f"u{bits // 8}").reshape(-1).view("u4")


def clamped(x, bits, signed):
    return np.clip(x, -(2 ** (bits - 1)) if signed else 0, 2 ** (bits - signed) - 1)


def away(total):
    """Half of it, halves away from zero."""
    return np.sign(total) * ((np.abs(total) + 1) // 2)


# name: (signed, value of a, b and a clamp)
TWO = [
    (0, lambda a, b, c: a + b),
    (1, lambda a, b, c: c(a + b)),
    (0, lambda a, b, c: c(a + b)),
    (0, lambda a, b, c: a - b),
    (1, lambda a, b, c: c(a - b)),
    (0, lambda a, b, c: c(a - b)),
    (1, lambda a, b, c: np.abs(a - b)),
    (0, lambda a, b, c: np.abs(a - b)),
    (1, lambda a, b, c: np.maximum(a, b)),
    (0, lambda a, b, c: np.maximum(a, b)),
    (1, lambda a, b, c: np.minimum(a, b)),
    (0, lambda a, b, c: np.minimum(a, b)),
    (1, lambda a, b, c: away(a + b)),
    (0, lambda a, b, c: away(a + b)),
    (0, lambda a, b, c: (a + b) // 2),
]
SUMS = [1, 0]
ONE = [lambda a, c: np.abs(a), lambda a, c: c(np.abs(a)), lambda a, c: -a, lambda a, c: c(-a)]
COMPARED = [
    (0, np.equal),
    (0, np.not_equal),
    (1, np.greater_equal),
    (0, np.greater_equal),
    (1, np.greater),
    (0, np.greater),
    (1, np.less_equal),
    (0, np.less_equal),
    (1, np.less),
    (0, np.less),
]


def parts():
    x, y = R.integers(0, 2**32, (2, N), dtype="u4")
    x[:64], y[:64] = np.repeat(EDGES, 8), np.tile(EDGES, 8)
    y[64:96] = x[64:96]
    want = []
    for signed, f in TWO:
        for bits in (16, 8):
            a, b = (lanes_of(v, bits, signed) for v in (x, y))
            want.append(words_of(f(a, b, lambda v: clamped(v, bits, signed)), bits))
    for signed in SUMS:
        for bits in (16, 8):
            want.append(np.abs(lanes_of(x, bits, signed) - lanes_of(y, bits, signed)).sum(1).astype("u4"))
    for f in ONE:
        for bits in (16, 8):
            want.append(words_of(f(lanes_of(x, bits, 1), lambda v: clamped(v, bits, 1)), bits))
    case("lanes", "lanes", 4, 128, [x, y, zeros(N * len(want), "u4"), i4(N)], {2: np.concatenate(want)})
    want = []
    for signed, f in COMPARED:
        for scale in (-1, 1):
            for bits in (16, 8):
                holds = f(lanes_of(x, bits, signed), lanes_of(y, bits, signed))
                want.append(words_of(holds.astype("i8") * scale, bits))
    case("lanes", "lanes_compared", 4, 128, [x, y, zeros(N * len(want), "u4"), i4(N)], {2: np.concatenate(want)})


def nth_bit(mask, base, n):
    set_bits = [k for k in range(32) if mask >> k & 1]
    if n == 0:
        return base if base in set_bits else 2**32 - 1
    found = [k for k in set_bits if k >= base] if n > 0 else [k for k in reversed(set_bits) if k <= base]
    return found[abs(n) - 1] if abs(n) <= len(found) else 2**32 - 1


def dots():
    x, y, z = R.integers(0, 2**32, (3, N), dtype="u4")
    want = []
    for shape in ("4", "lo", "hi"):
        for signed in (1, 0):
            a, b = lanes_of(x, 8 if shape == "4" else 16, signed), lanes_of(y, 8, signed)
            b = {"4": b, "lo": b[:, :2], "hi": b[:, 2:]}[shape]
            want.append(((a * b).sum(1) + z) % 2**32)
    want += [want[0], want[5]]
    pair = [int(b) << 32 | int(a) for a, b in zip(x, y)]
    shift = [min(int(c) & 63, 32) for c in z]
    want.append([(p << s >> 32) % 2**32 for p, s in zip(pair, shift)])
    want.append([(p >> s) % 2**32 for p, s in zip(pair, shift)])
    want.append([nth_bit(int(a), int(c) & 31, int(b) % 21 - 10) for a, b, c in zip(x, y, z)])
    want.append([sum((p >> (int(c) >> 4 * i & 7) * 8 & 255) << 8 * i for i in range(4)) for p, c in zip(pair, z)])
    case(
        "lanes",
        "dots",
        4,
        128,
        [x, y, z, zeros(N * len(want), "u4"), i4(N)],
        {3: np.concatenate([np.asarray(w, "i8") for w in want]).astype("u4")},
    )


parts()
dots()
