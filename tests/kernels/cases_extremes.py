# SPDX-License-Identifier: MIT
"""Cases of extremes.cu and complexes.cu; see cases.py."""

import numpy as np

from cases import R, case, i4, ints, zeros


def extremes(signed, word):
    """The functions of numbers of type `word` (signed or not), by arrays of int64 whose sums wrap."""

    def wrap(x):
        return x.astype(word).astype("i8")

    def clip(x):
        return np.maximum(x, 0)

    plain = {
        "addmax": lambda a, b, c: np.maximum(wrap(a + b), c),
        "addmin": lambda a, b, c: np.minimum(wrap(a + b), c),
        "max3": lambda a, b, c: np.maximum(np.maximum(a, b), c),
        "min3": lambda a, b, c: np.minimum(np.minimum(a, b), c),
    }
    relu = {k + "_relu": (lambda a, b, c, f=f: clip(f(a, b, c))) for k, f in plain.items()}
    pairs = {"max_relu": lambda a, b, c: clip(np.maximum(a, b)), "min_relu": lambda a, b, c: clip(np.minimum(a, b))}
    return plain | (relu | pairs if signed else {})


def fused():
    n = 400
    given = ints(0, 2**32, 3, n, dtype="u8").astype("u4")
    given[1, :100] = given[0, :100]
    given[:, 100:150] &= 0x7FFF8003
    edge = np.array([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x80007FFF, 0x7FFF8000, 0x00010001], "u4")
    given = np.concatenate([given, np.array(np.meshgrid(edge, edge, edge[:3])).reshape(3, -1)], axis=1)
    n = given.shape[1]
    words = {s: [x.view(kind).astype("i8") for x in given] for s, kind in (("s", "i4"), ("u", "u4"))}
    halves = {
        s: [
            np.stack([(x & 0xFFFF).astype(u16), (x >> 16).astype(u16)]).astype("u2").view(kind).astype("i8")
            for x in given
        ]
        for s, kind, u16 in (("s", "i2", "u2"), ("u", "u2", "u2"))
    }

    def word(x):
        return x.astype("u8").astype("u4")

    def two(x):
        x = x.astype("u8").astype("u4") & 0xFFFF
        return x[0] | x[1] << np.uint32(16)

    rows = []
    for pieces, pack, size in ((words, word, 4), (halves, two, 2)):
        signed, unsigned = extremes(True, f"i{size}"), extremes(False, f"u{size}")
        first = [pack(signed[k](*pieces["s"])) for k in ("addmax", "addmin", "max3", "min3")]
        second = [pack(f(*pieces["u"])) for f in unsigned.values()]
        rows += first + second + [pack(signed[k](*pieces["s"])) for k in signed if k.endswith("relu")]
    for pieces, pack in ((words, word), (halves, two)):
        for s in "su":
            a, b, _ = pieces[s]
            for f, first in ((np.maximum, a >= b), (np.minimum, a <= b)):
                rows += [pack(f(a, b)), word(first if first.ndim == 1 else 2 * first[1] + first[0])]
    case(
        "extremes",
        "fused_extremes",
        -(-n // 128),
        128,
        [*given, zeros(n * len(rows), "u4"), i4(n)],
        {3: np.concatenate(rows)},
    )
    t = np.arange(32.0)
    case(
        "extremes", "aligned_vectors", 1, 32, [zeros(64, "f8")], {0: np.concatenate([2 * t + 10, np.full(32, 3248.0)])}
    )
    votes = np.concatenate([np.ones(32), np.zeros(32), np.arange(32) % 2]).astype("i4")
    for part, answer in zip(votes.reshape(3, 32), (1, 1, 0)):
        case("extremes", "uniform_votes", 1, 32, [part, zeros(32, "i4")], {1: np.full(32, answer, "i4")})


def complexes():
    n = 200
    for name, kind, tol in (("complex_double", "c16", 1e-13), ("complex_float", "c8", 1e-5)):
        a, b, c = (R.normal(size=(3, n)) + 1j * R.normal(size=(3, n))).astype(kind)
        b[:20] *= 1e30
        wide = [x.astype("c16") for x in (a, b, c)]
        last = a.astype("c8") if kind == "c16" else b.real + 1j
        rows = [
            wide[0] + wide[1],
            wide[0] - wide[1],
            wide[0] * wide[1],
            wide[0] / wide[1],
            wide[0].conj(),
            wide[0] * wide[1] + wide[2],
            np.abs(wide[0]) + 1j * wide[1].imag,
            last,
        ]
        want = np.concatenate(rows).astype(kind)

        def right(got, want=want, tol=tol):
            return bool((np.abs(got.astype("c16") - want) <= tol * np.abs(want.astype("c16"))).all())

        case("complexes", name, 2, 128, [a, b, c, zeros(n * len(rows), kind), i4(n)], {3: right})


fused()
complexes()
