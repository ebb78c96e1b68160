#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bit generators: NumPy's PCG64, models of the others step by step, jumps, and that the draws are made of their words."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.stats as st

import oracle
import draws
from draws import C, Generator, draw, equal, where
from oracle import arrpy

M1, M2 = 4294967087, 4294944443
MASK = 2**32 - 1
KINDS = {"pcg64": C.ARR_PCG64, "threefry": C.ARR_THREEFRY2X32, "mrg32k3a": C.ARR_MRG32K3A, "xorwow": C.ARR_XORWOW}


def bits(report, g, n, dtype="uint32"):
    return draws.bits(report, g, (n,), dtype).numpy()


def pack(words):
    """Words of 32 bits as the state has them."""
    pairs = [words[i] | (words[i + 1] if i + 1 < len(words) else 0) << 32 for i in range(0, len(words), 2)]
    return [p - (p >> 63 << 64) for p in pairs] + [0] * (4 - len(pairs))


def seed_words(seed, n):
    return [int(w) for w in np.random.SeedSequence(seed).generate_state(n)]


def mrg(words, n):
    """The recurrences as L'Ecuyer writes them; numbers from 1 to M1."""
    a, b, out = list(words[:3]), list(words[3:]), []
    for _ in range(n):
        a = [a[1], a[2], (1403580 * a[1] - 810728 * a[0]) % M1]
        b = [b[1], b[2], (527612 * b[2] - 1370589 * b[0]) % M2]
        out.append((a[2] - b[2]) % M1 or M1)
    return out


def spread(numbers):
    return np.array([((z - 1) << 32) // M1 for z in numbers], "u4")


def xorwow(words, n):
    x, y, z, w, v, d = words
    out = []
    for _ in range(n):
        t = x ^ x >> 2
        x, y, z, w = y, z, w, v
        v = (v ^ v << 4 & MASK) ^ t ^ t << 1 & MASK
        d = d + 362437 & MASK
        out.append(d + v & MASK)
    return np.array(out, "u4")


def threefry(key, n, counter=0):
    k = [key & MASK, key >> 32, 0x1BD11BDA ^ key & MASK ^ key >> 32]
    out = []
    for c in range(counter, counter + (n + 1) // 2):
        x, y = (c & MASK) + k[0] & MASK, (c >> 32) + k[1] & MASK
        for i in range(20):
            r = (13, 15, 26, 6, 17, 29, 16, 24)[i % 8]
            x = x + y & MASK
            y = (y << r | y >> 32 - r) & MASK ^ x
            if i % 4 == 3:
                s = i // 4 + 1
                x, y = x + k[s % 3] & MASK, y + k[(s + 1) % 3] + s & MASK
        out += [x, y]
    return np.array(out[:n], "u4")


# Answers of the authors, as words of 32 bits, of 64 for PCG64. Threefry: the three of Random123's kat_vectors, counter,
# key and words. (Those of Philox are in random_numbers.py, and with an upper half of the counter in tests/unit/core.)
THREEFRY = [
    (0, 0, (0x6B200159, 0x99BA4EFE)),
    (2**64 - 1, 2**64 - 1, (0x1CB996FC, 0xBB002BE7)),
    (0x85A308D3243F6A88, 0x0370734413198A2E, (0xC4923A9C, 0x483DF7A0)),
]
# check-pcg64.out of the PCG library: seed 42, sequence 54.
PCG = (
    0x86B1DA1D72062B68,
    0x1304AA46C9853D39,
    0xA3670E9E0DD50358,
    0xF9090E529A7DAE00,
    0xC85B9FD837996F2C,
    0x606121F8E3919196,
)
# RngStreams' first numbers from its seed of six 12345; and with a seed of (0, 0, 1234567) twice the whole numbers.
MRG = (0.12701112204657714, 0.3185275653967945, 0.3091860155832701, 0.8258468629271135, 0.22162991578202287)
MRG_WHOLE = (1459213976, 2827710105, 4245671316, 3877608660, 2595287582)
# Marsaglia's recurrence from the numbers that his paper starts with.
MARSAGLIA = [123456789, 362436069, 521288629, 88675123, 5783321, 6615241]
XORWOW = (246875399, 3690007200, 1264581005, 3906711041, 1866187943, 2481925219, 2464530826, 1604040631, 3653403911)


def published(report):
    """The models' and the library's."""
    for counter, key, want in THREEFRY:
        want = np.array(want, "u4")
        equal(report, f"the model of Threefry {key:x}", threefry(key, 2, counter), want)
        g = Generator(1, kind=C.ARR_THREEFRY2X32)
        g.set(C.ARR_THREEFRY2X32, pack([key & MASK, key >> 32]), counter >> 1)
        equal(report, f"Threefry {key:x}", bits(report, g, 4)[2 * (counter & 1) :][:2], want)
    start = (54 << 1 | 1) + 42 & 2**128 - 1
    state = (start * 0x2360ED051FC65DA44385DF649FCCF645 + (54 << 1 | 1)) % 2**128
    g = Generator(1, kind=C.ARR_PCG64)
    g.set(C.ARR_PCG64, pack([state >> 32 * i & MASK for i in range(4)] + [54 << 1 | 1, 0, 0, 0]), 0)
    equal(report, "PCG64 42, 54", bits(report, g, 6, "uint64"), np.array(PCG, "u8"))
    for name, seed, want in (
        ("12345", [12345] * 6, [round(u * (M1 + 1)) for u in MRG]),
        ("1234567", [0, 0, 1234567] * 2, list(MRG_WHOLE)),
    ):
        report.check(f"the model of MRG32k3a {name}", mrg(seed, len(want)) == want, f"{mrg(seed, len(want))}")
        g = Generator(1, kind=C.ARR_MRG32K3A)
        g.set(C.ARR_MRG32K3A, pack(seed), 0)
        equal(report, f"MRG32k3a {name}", bits(report, g, len(want)), spread(want))
    report.check(
        "the model of MRG32k3a, as numbers below 1",
        np.allclose(np.array(mrg([12345] * 6, 5)) / (M1 + 1), MRG, rtol=1e-15),
    )
    equal(report, "the model of XORWOW", xorwow(MARSAGLIA, len(XORWOW)), np.array(XORWOW, "u4"))
    g = Generator(1, kind=C.ARR_XORWOW)
    g.set(C.ARR_XORWOW, pack(MARSAGLIA), 0)
    equal(report, "XORWOW of Marsaglia", bits(report, g, len(XORWOW)), np.array(XORWOW, "u4"))


def words(report):
    n = 1003
    for seed in (0, 1, 12345, 2**63 - 1, [1, 2, 3]):
        many = seed if isinstance(seed, list) else [seed]
        name = f"seed {seed}"
        p = np.random.PCG64(seed)
        equal(report, f"PCG64 {name}", bits(report, Generator(*many, kind=C.ARR_PCG64), n, "uint64"), p.random_raw(n))
        w = seed_words(seed, 6)
        start = [1 + x % ((M1 if i < 3 else M2) - 1) for i, x in enumerate(w)]
        equal(report, f"MRG32k3a {name}", bits(report, Generator(*many, kind=C.ARR_MRG32K3A), n), spread(mrg(start, n)))
        equal(report, f"XORWOW {name}", bits(report, Generator(*many, kind=C.ARR_XORWOW), n), xorwow(w, n))
        key = w[0] | w[1] << 32
        equal(report, f"Threefry {name}", bits(report, Generator(*many, kind=C.ARR_THREEFRY2X32), n), threefry(key, n))


def states(report):
    g = Generator(1, kind=C.ARR_MRG32K3A)
    g.set(C.ARR_MRG32K3A, pack([12345] * 6), 0)
    equal(report, "MRG32k3a from a state", bits(report, g, 50), spread(mrg([12345] * 6, 50)))
    g = Generator(1, kind=C.ARR_XORWOW)
    g.set(C.ARR_XORWOW, pack(MARSAGLIA), 0)
    equal(report, "XORWOW from a state", bits(report, g, 50), xorwow(MARSAGLIA, 50))
    for kind, good, bad in (
        (C.ARR_MRG32K3A, [1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 1, 1]),
        (C.ARR_MRG32K3A, [M1 - 1] * 3 + [M2 - 1] * 3, [1, 1, M1, 1, 1, 1]),
        (C.ARR_XORWOW, [0, 0, 0, 0, 1, 0], [0] * 6),
        (C.ARR_PCG64, [0, 0, 0, 0, 1], [1, 0, 0, 0, 2]),
    ):
        g = Generator(1, kind=kind)
        g.set(kind, pack(good), 7)
        report.check(f"no state {kind}", oracle.raises(C.ARR_E_ARGUMENT, lambda: g.set(kind, pack(bad), 0)))
        report.check("of another kind", oracle.raises(C.ARR_E_ARGUMENT, lambda: g.set(C.ARR_PHILOX4X32, [1], 0)))


def pieces(report):
    """Long draws, whose states are made in parts and whose numbers side by side, are short ones one after the other."""
    n, each = 70_000, 100 if report.device == "host" else 5000
    for name, kind in KINDS.items():
        for before in (0, 12345678901):
            a, b = Generator(11, kind=kind), Generator(11, kind=kind)
            for g in (a, b):
                arrpy.call("arr_generator_advance", g.handle, before)
            want = np.concatenate([bits(report, b, min(each, n - i)) for i in range(0, n, each)])
            equal(report, f"{name} from {before} in pieces", bits(report, a, n), want)
            equal(report, f"{name} from {before} in pieces: what comes next", bits(report, a, 8), bits(report, b, 8))


def jumps(report):
    """advance() against numbers that were drawn, NumPy's jumps, and itself over distances nobody can walk."""
    for name, kind in KINDS.items():
        for blocks in (0, 1, 3, 4, 5, 1000):
            a, b = Generator(3, kind=kind), Generator(3, kind=kind)
            bits(report, a, 4 * blocks)
            arrpy.call("arr_generator_advance", b.handle, blocks)
            equal(report, f"{name} advance {blocks}", bits(report, b, 100), bits(report, a, 100))
        a, b = Generator(3, kind=kind), Generator(3, kind=kind)
        far = 0x123456789ABCDEF
        arrpy.call("arr_generator_advance", a.handle, far)
        for part in (far // 3, far - far // 3 - 5, 5):
            arrpy.call("arr_generator_advance", b.handle, part)
        x = bits(report, a, 64)
        equal(report, f"{name} far", bits(report, b, 64), x)
        arrpy.call("arr_generator_advance", b.handle, -far - 16)
        equal(report, f"{name} back", bits(report, b, 64), bits(report, Generator(3, kind=kind), 64))
    g, p = Generator(9, kind=C.ARR_PCG64), np.random.PCG64(9)
    arrpy.call("arr_generator_advance", g.handle, 10**15)
    equal(report, "PCG64 jumps as NumPy's", bits(report, g, 100, "uint64"), p.advance(2 * 10**15).random_raw(100))


def power(matrix, n, product):
    """By squarings: matrix ** n for an associative product."""
    out = None
    while n:
        if n & 1:
            out = matrix if out is None else product(out, matrix)
        matrix, n = product(matrix, matrix), n >> 1
    return out


# The first matrix of RngStreams for 2^127 steps.
A1P127 = [[2427906178, 3580155704, 949770784], [226153695, 1230515664, 3580155704], [1988835001, 986791581, 1230515664]]


def mrg_jumped(words, jumps):
    out = []
    for rows, modulus, part in (
        ([[0, 1, 0], [0, 0, 1], [-810728, 1403580, 0]], M1, words[:3]),
        ([[0, 1, 0], [0, 0, 1], [-1370589, 0, 527612]], M2, words[3:]),
    ):
        far = power(np.array(rows, object), jumps << 127, lambda a, b, m=modulus: a @ b % m)
        out += [int(v) for v in far @ np.array(part, object) % modulus]
    return out


def xorwow_jumped(words, jumps):
    """The shift register as a matrix of 160 columns of bits; the sum comes back to where it was."""

    def step(bits):
        x = [bits >> 32 * i & MASK for i in range(5)]
        t = x[0] ^ x[0] >> 2
        last = x[4] ^ x[4] << 4 & MASK ^ t ^ t << 1 & MASK
        return sum(w << 32 * i for i, w in enumerate(x[1:] + [last]))

    def image(columns, bits):
        out = 0
        for i, c in enumerate(columns):
            out ^= c if bits >> i & 1 else 0
        return out

    far = power([step(1 << i) for i in range(160)], jumps << 67, lambda a, b: [image(a, c) for c in b])
    at = image(far, sum(w << 32 * i for i, w in enumerate(words[:5])))
    return [at >> 32 * i & MASK for i in range(5)] + [words[5]]


def jumped(g, jumps):
    return Generator(handle=arrpy.made("arr_generator_jumped", g.handle, jumps, of=C.arr_generator))


def distances(report):
    """jumped() against NumPy's PCG64, the powers of the recurrences, and advance()."""
    first = power(np.array([[0, 1, 0], [0, 0, 1], [-810728, 1403580, 0]], object), 1 << 127, lambda a, b: a @ b % M1)
    report.check("the model of 2^127 steps of MRG32k3a", first.tolist() == A1P127, f"{first}")
    for jumps in (0, 1, 2, 7, 2**40 + 3, 2**63 - 1):
        g, p = Generator(9, kind=C.ARR_PCG64), np.random.PCG64(9)
        for used in (0, 12):
            bits(report, g, 2 * used, "uint64"), p.random_raw(2 * used)
            equal(
                report,
                f"PCG64 jumped {jumps} after {2 * used}",
                bits(report, jumped(g, jumps), 100, "uint64"),
                p.jumped(jumps).random_raw(100),
            )
        for name, kind, model, words in (
            ("mrg32k3a", C.ARR_MRG32K3A, mrg_jumped, [12345] * 6),
            ("xorwow", C.ARR_XORWOW, xorwow_jumped, MARSAGLIA),
        ):
            g = Generator(1, kind=kind)
            g.set(kind, pack(words), 0)
            there = model(words, jumps) if jumps else words
            want = spread(mrg(there, 40)) if kind == C.ARR_MRG32K3A else xorwow(there, 40)
            equal(report, f"{name} jumped {jumps}", bits(report, jumped(g, jumps), 40), want)
            bits(report, g, 8)
            equal(report, f"{name} jumped {jumps} after 8", bits(report, jumped(g, jumps), 32), want[8:])
    for name, kind in (("philox", C.ARR_PHILOX4X32), ("threefry", C.ARR_THREEFRY2X32)):
        for jumps in (0, 1, 5, 65535, 65536, 2**63 - 1):
            g, h = Generator(9, kind=kind), Generator(9, kind=kind)
            there = jumped(g, jumps)
            for part in (jumps << 48) % 2**64 // 2, -(-((jumps << 48) % 2**64) // 2):
                arrpy.call("arr_generator_advance", h.handle, part)
            equal(report, f"{name} jumped {jumps}", bits(report, there, 40), bits(report, h, 40))
    for name, kind in [("philox", C.ARR_PHILOX4X32), *KINDS.items()]:
        g = Generator(9, kind=kind)
        one, again = jumped(g, 1), jumped(g, 1)
        equal(report, f"{name} stays", bits(report, g, 40), bits(report, Generator(9, kind=kind), 40))
        equal(
            report,
            f"{name} jumps add up",
            bits(report, jumped(jumped(Generator(9, kind=kind), 1), 2), 40),
            bits(report, jumped(Generator(9, kind=kind), 3), 40),
        )
        child, other = one.spawn(1)[0], again.spawn(1)[0]
        x = bits(report, child, 40)
        equal(report, f"{name} children of a place", bits(report, other, 40), x)
        report.check(f"{name} children of other places", not np.array_equal(bits(report, g.spawn(1)[0], 40), x))
        report.check(f"{name} back", oracle.raises(C.ARR_E_ARGUMENT, lambda: jumped(g, -1)))


def numbers(report):
    """Draws are made of the words; those of PCG64 are NumPy's."""
    n = 1000
    rng, g = np.random.Generator(np.random.PCG64(5)), Generator(5, kind=C.ARR_PCG64)
    equal(report, "PCG64 float64", draw(report, g, "random", (), (n,), "float64").numpy(), rng.random(n))
    rng, g = np.random.Generator(np.random.PCG64(5)), Generator(5, kind=C.ARR_PCG64)
    equal(report, "PCG64 float32", draw(report, g, "random", (), (n,), "float32").numpy(), rng.random(n, "f4"))
    for name, kind in KINDS.items():
        a = draw(report, Generator(8, kind=kind), "random", (), (n,), "float64").numpy()
        w = bits(report, Generator(8, kind=kind), n, "uint64")
        equal(report, f"{name} uniform", a, (w >> np.uint64(11)) * 2.0**-53)
        big = draw(report, Generator(8, kind=kind), "random", (), (70000,), "float64").numpy()
        equal(report, f"{name} first numbers", big[:n], a)
        for distribution, other in (("standard_normal", "norm"), ("standard_exponential", "expon")):
            for dtype in ("float32", "float64"):
                x = draw(report, Generator(8, kind=kind), distribution, (), (20000,), dtype).numpy()
                report.check(f"{name} {distribution} {dtype}", st.kstest(x.astype("f8"), other).pvalue > 1e-4)
        x = draw(report, Generator(8, kind=kind), "gamma", (2.5, 1.0), (20000,), "float64").numpy()
        report.check(f"{name} gamma", st.kstest(x, "gamma", (2.5,)).pvalue > 1e-4)
        g = Generator(8, kind=kind)
        p = arrpy.made(
            "arr_random_permutation", g.handle, 1000, 1000, arrpy.number("int64"), *where(report, None, "int64")[3:]
        ).numpy()
        equal(report, f"{name} permutation", np.sort(p), np.arange(1000))
        one, two = Generator(8, kind=kind).spawn(2)
        report.check(f"{name} children differ", not np.array_equal(bits(report, one, 50), bits(report, two, 50)))
        same = Generator(8, kind=kind)
        first = bits(report, same, 5)
        arrpy.call("arr_generator_seed", same.handle, 1, arrpy.int64s((8,)))
        equal(report, f"{name} seeded anew", bits(report, same, 5), first)
        equal(report, f"{name} nothing", bits(report, same, 0), np.array([], "u4"))


def errors(report):
    for kind in (-1, 5):
        report.check("no kind", oracle.raises(C.ARR_E_ARGUMENT, lambda: Generator(1, kind=kind)))


def main():
    report = oracle.Report(__doc__)
    for part in (published, words, states, pieces, jumps, distances, numbers, errors):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
