# SPDX-License-Identifier: MIT
"""Tests of random bits for battery.py. Each takes words of 32 bits, looks at their high bits first, and yields p-values.

Sources: Knuth, The Art of Computer Programming 2, 3.3.2; L'Ecuyer and Simard, TestU01: a C library for empirical testing of
random number generators (ACM TOMS 33, 2007) and its guide; Marsaglia, A current view of random number generators (1985);
Marsaglia and Zaman, Monkey tests for random number generators (1993); Rueppel, Analysis and design of stream ciphers (1986).
"""

import itertools
import math

import numpy as np
import scipy.special as sp
import scipy.stats as st

WORDS = 2**20  # what a test is given
U8 = np.uint64


def chi_square(counts, chances):
    """The p-value of counts with these chances; cells are joined from either end until 8 are expected in each."""
    counts, chances = np.asarray(counts, "f8"), np.asarray(chances, "f8")
    n, cells, seen, hoped = counts.sum(), [], 0.0, 0.0
    for c, p in zip(counts, chances):
        seen, hoped = seen + c, hoped + p * n
        if hoped >= 8:
            cells.append([seen, hoped])
            seen = hoped = 0.0
    cells[-1][0] += seen
    cells[-1][1] += hoped
    got, want = np.array(cells).T
    return st.chi2.sf(((got - want) ** 2 / want).sum(), len(cells) - 1)


def poisson(count, mean):
    """Half of the count's own chance, so that the p-values of rare counts are even too."""
    return st.poisson.sf(count, mean) + st.poisson.pmf(count, mean) / 2


def normal(value, mean, deviation):
    return st.norm.sf((value - mean) / deviation)


def digits(w, bits, at=0):
    return (w >> np.uint32(32 - bits - at)) & np.uint32(2**bits - 1)


def cells(w, t, bits):
    """Cells of a cube of t dimensions: the high bits of t words each."""
    d = digits(w[: len(w) // t * t], bits).reshape(-1, t).astype("u8")
    out = d[:, 0]
    for i in range(1, t):
        out = out << U8(bits) | d[:, i]
    return out


def bits_of(w):
    return np.unpackbits(w.astype(">u4").view("u1"))


def frequency(w):
    """Knuth A and B: equidistribution of bytes and of pairs of digits."""
    for byte in range(4):
        yield chi_square(np.bincount(digits(w, 8, 8 * byte), minlength=256), np.full(256, 1 / 256))
    yield chi_square(np.bincount(cells(w, 2, 6).astype("i8"), minlength=4096), np.full(4096, 1 / 4096))
    yield chi_square(np.bincount(cells(w, 4, 3).astype("i8"), minlength=4096), np.full(4096, 1 / 4096))


def birthday_spacings(w):
    """Marsaglia 1985; TestU01's smarsa_BirthdaySpacings: equal spacings are Poisson of n^3 / 4k."""
    for t, bits, n in ((1, 32, 2**12), (2, 20, 2**16), (3, 16, 2**18), (4, 8, 2**12), (8, 4, 2**12)):
        k, many = 2 ** (t * bits), min(64, WORDS // (t * n))
        days = np.sort(cells(w[: many * n * t], t, bits).reshape(many, n), 1)
        gaps = np.sort(np.diff(days, axis=1), 1)
        yield poisson(int((gaps[:, 1:] == gaps[:, :-1]).sum()), many * n**3 / (4 * k))


def collisions(w):
    """Knuth I: balls that fall into urns which have one; as many as the exact mean and variance of empty urns say."""
    for t, bits, n in ((1, 22, 2**18), (2, 11, 2**18), (4, 5, 2**18), (11, 2, 2**16), (22, 1, 2**15)):
        k = 2.0 ** (t * bits)
        urns = np.sort(cells(w[: n * t], t, bits))
        hit = int((urns[1:] == urns[:-1]).sum())
        load = n / k
        mean = n - k * -math.expm1(n * math.log1p(-1 / k))
        yield normal(hit, mean, math.sqrt(k * (math.exp(-load) - (1 + load) * math.exp(-2 * load))))


def equal_words(w):
    """Knuth I again, of all words at once: overlapping streams have too many that are the same."""
    s = np.sort(w)
    yield poisson(int((s[1:] == s[:-1]).sum()), len(w) ** 2 / 2.0**33)


def monkey(w):
    """Marsaglia and Zaman 1993, overlapping words of 20 bits that never come in 2^21: BITSTREAM, OPSO, OQSO, DNA."""
    mean = 2**20 * math.exp(-2)
    head = w[: 2**16 + 1].astype("u8")
    both = head[:-1] << U8(32) | head[1:]
    seen = np.zeros(2**20, bool)
    for s in range(32):
        seen[both >> U8(44 - s) & U8(2**20 - 1)] = True
    yield normal(2**20 - np.count_nonzero(seen), mean, 428)
    for bits, letters, deviation in ((10, 2, 290), (5, 4, 295), (2, 10, 339)):
        text = np.stack([digits(w, bits), digits(w, bits, 16)], 1).ravel()
        text = np.append(text, text[: letters - 1])
        code = np.zeros(2**21, "u4")
        for i in range(letters):
            code = code << np.uint32(bits) | text[i : i + 2**21]
        seen = np.zeros(2**20, bool)
        seen[code] = True
        yield normal(2**20 - np.count_nonzero(seen), mean, deviation)


def gap(w):
    """Knuth D: how many numbers come between those in a sixteenth of all."""
    for low in (0, 8):
        at = np.flatnonzero(digits(w, 4) == low)
        gaps = np.diff(at)[:60000] - 1
        if len(gaps) < 60000:  # 65536 are expected, give or take 248
            yield 0.0
            continue
        p = 1 / 16 * (15 / 16) ** np.arange(128)
        yield chi_square(np.bincount(np.minimum(gaps, 128), minlength=129), np.append(p, (15 / 16) ** 128))


def stirling(n, k):
    return float(sum((-1) ** j * math.comb(k, j) * (k - j) ** n for j in range(k + 1)) // math.factorial(k))


def poker(w):
    """Knuth E, the simple form: different digits in a hand."""
    for bits, hand in ((3, 5), (4, 8)):
        d = 2**bits
        x = digits(w[: len(w) // hand * hand], bits).reshape(-1, hand)
        kinds = np.bitwise_count(np.bitwise_or.reduce(np.uint32(1) << x, axis=1))
        p = [stirling(hand, r) * math.perm(d, r) / d**hand for r in range(1, hand + 1)]
        yield chi_square(np.bincount(kinds, minlength=hand + 1)[1:], p)


def coupons(w):
    """Knuth F: numbers until all eight digits have come, from the front of every 64."""
    x = digits(w, 3).reshape(-1, 64)
    last = np.zeros(len(x), "i8")
    for d in range(8):
        hit = x == d
        last = np.maximum(last, np.where(hit.any(1), hit.argmax(1) + 1, 65))
    t = np.arange(7, 65)
    done = sum((-1) ** j * math.comb(8, j) * (1 - j / 8) ** t for j in range(9))
    yield chi_square(np.bincount(last, minlength=66)[8:], np.append(np.diff(done), 1 - done[-1]))


def permutations(w):
    """Knuth G: orders of five."""
    order = np.argsort(w[: len(w) // 5 * 5].reshape(-1, 5), 1)
    counts = np.bincount(order @ 5 ** np.arange(5), minlength=5**5)
    valid = [np.array(p) @ 5 ** np.arange(5) for p in itertools.permutations(range(5))]
    yield chi_square(counts[valid], np.full(120, 1 / 120))


def runs(w):
    """Knuth G, exercise 14: lengths of runs up and down, the number after a run thrown away."""
    for x in (w, ~w):
        ends = np.flatnonzero(x[1:] < x[:-1])
        first = np.append(True, np.diff(ends) != 1)
        start = np.maximum.accumulate(np.where(first, np.arange(len(ends)), 0))
        ends = ends[(np.arange(len(ends)) - start) % 2 == 0]  # the end after a thrown one is none
        lengths = np.diff(np.append(-2, ends))[: WORDS // 3] - 1
        if len(lengths) < WORDS // 3:  # 1 / 2.718 are expected
            yield 0.0
            continue
        p = [1 / math.factorial(r) - 1 / math.factorial(r + 1) for r in range(1, 10)]
        yield chi_square(np.bincount(np.minimum(lengths, 10), minlength=11)[1:], p + [1 / math.factorial(10)])


def max_of_t(w):
    """Knuth C: the greatest of t to the power of t is uniform; Kolmogorov's and Smirnov's distance."""
    for t in (8, 32):
        x = w[: len(w) // t * t].reshape(-1, t).max(1)
        u = np.sort(((x + 0.5) / 2**32) ** t)
        i, n = np.arange(len(u)), len(u)
        distance = max((u - i / n).max(), ((i + 1) / n - u).max())
        yield sp.kolmogorov((math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) * distance)


def ranks(rows, n):
    """Chi square of the ranks over GF(2) of n x n matrices, rows of up to 64 bits each."""
    a = rows.astype("u8").reshape(-1, n).T.copy()
    rank = np.zeros(a.shape[1], "i8")
    for i in range(n):
        v = a[i]
        rank += v != 0
        low = v & (~v + U8(1))
        a[i + 1 :] ^= np.where(a[i + 1 :] & low, v, U8(0))
    i = np.arange(n)
    p = [
        2.0 ** (r * (2 * n - r) - n * n) * np.prod((1 - 2.0 ** (i[:r] - n)) ** 2 / (1 - 2.0 ** (i[:r] - r)))
        for r in range(n - 8, n + 1)
    ]
    return chi_square(np.bincount(np.maximum(rank, n - 8), minlength=n + 1)[n - 8 :], p)


def matrix_rank(w):
    """Marsaglia 1985; TestU01's smarsa_MatrixRank: of whole words, and of the first bit of each."""
    yield ranks(w[: 2**17], 32)
    yield ranks(w[: 2**18].view("u8"), 64)
    yield ranks(np.packbits((w >> np.uint32(31)).astype("u1")).view(">u8"), 64)


def hamming(w):
    """TestU01's sstring_HammingWeight2, HammingCorr and HammingIndep."""
    weight = np.bitwise_count(w).astype("i8")
    yield chi_square(np.bincount(weight, minlength=33), st.binom.pmf(np.arange(33), 32, 0.5))
    off = weight - 16
    for lag in (1, 2, 3):
        yield normal((off[lag:] * off[:-lag]).sum(), 0, 8 * math.sqrt(len(w) - lag))
    edges = np.array([13, 15, 16, 18])
    kind = np.searchsorted(edges, weight).reshape(-1, 2)
    p = np.diff(np.concatenate([[0], st.binom.cdf(edges, 32, 0.5), [1]]))
    yield chi_square(np.bincount(kind @ [5, 1], minlength=25), np.outer(p, p).ravel())


def longest_run(w):
    """TestU01's sstring_LongestHeadRun: the longest run of ones in 64 bits."""
    x, longest = w.view("u8").copy(), np.zeros(len(w) // 2, "i8")
    while x.any():
        longest += x != 0
        x &= x << U8(1)
    below = []  # ways without a run of more than m: a zero after at most m ones, or nothing but ones
    for m in range(65):
        ways = [1]
        for n in range(1, 65):
            ways.append(sum(ways[n - 1 - j] for j in range(min(m, n - 1) + 1)) + (n <= m))
        below.append(ways[64] / 2**64)
    yield chi_square(np.bincount(longest, minlength=65), np.diff([0] + below))


def random_walk(w):
    """TestU01's swalk_RandomWalk1 over 256 steps: where it ends, its maximum, steps on the right side, returns."""
    n, half = 256, 128
    s = np.cumsum(2 * bits_of(w[: 2**18]).reshape(-1, n).astype("i2") - 1, 1, dtype="i2")
    y = np.arange(n + 1)
    binomial = [math.comb(n, k) / 2**n for k in range(n + 1)]
    yield chi_square(np.bincount((s[:, -1] + n) // 2, minlength=n + 1), binomial)
    maxima = np.maximum(s.max(1), 0)
    yield chi_square(np.bincount(maxima, minlength=n + 1), [binomial[(n + m + 1) // 2] for m in y])
    right = np.count_nonzero(s[:, ::2] > 0, 1)  # between two even steps a walk stays on one side
    p = [math.comb(2 * k, k) * math.comb(n - 2 * k, half - k) / 2**n for k in range(half + 1)]
    yield chi_square(np.bincount(right, minlength=half + 1), p)
    returns = np.count_nonzero(s == 0, 1)
    p = [math.comb(n - r, half) / 2 ** (n - r) for r in range(half + 1)]
    yield chi_square(np.bincount(returns, minlength=half + 1), p)


def autocorrelation(w):
    """TestU01's sstring_AutoCor: bits that differ from those some places on; squares of the normal variables of many lags."""

    def square(differ, n):
        return (2 * int(np.bitwise_count(differ).sum(dtype="i8")) - n) ** 2 / n

    x = w[: 2**19]
    yield st.chi2.sf(sum(square(x[lag:] ^ x[:-lag], 32 * (len(x) - lag)) for lag in range(1, 65)), 64)
    pairs = w[: 2**18].astype("u8")
    both = pairs[:-1] << U8(32) | pairs[1:]
    low, n = U8(2**32 - 1), 32 * len(both)
    yield st.chi2.sf(sum(square(both >> U8(32 - s) & low ^ pairs[:-1], n) for s in range(1, 32)), 31)


def complexity(bits):
    """Berlekamp's and Massey's algorithm: the length of the shortest linear recurrence over GF(2)."""
    c, b, length, m, back = 1, 1, 0, 1, 0
    for n, bit in enumerate(bits):
        back = back << 1 | bit
        if (c & back).bit_count() & 1:
            if 2 * length <= n:
                c, b, length, m = c ^ b << m, c, n + 1 - length, 0
            else:
                c ^= b << m
        m += 1
    return length


def linear_complexity(w):
    """Rueppel 1986; TestU01's scomp_LinearComp: of 128 sequences of 1024 first bits. Half of them have 512."""
    n = 1024
    first = (w[: 128 * n] >> np.uint32(31)).reshape(-1, n).tolist()
    found = np.array([complexity(bits) for bits in first])
    p = np.array([0.0 if 2 * k < n - 100 else 2.0 ** (min(2 * n - 2 * k, 2 * k - 1) - n) for k in range(n + 1)])
    yield chi_square(np.bincount(found, minlength=n + 1), p)


TESTS = (
    frequency,
    birthday_spacings,
    collisions,
    equal_words,
    monkey,
    gap,
    poker,
    coupons,
    permutations,
    runs,
    max_of_t,
    matrix_rank,
    hamming,
    longest_run,
    random_walk,
    autocorrelation,
    linear_complexity,
)


def battery(words):
    """{name of a test and its number: p-value}"""
    words = np.ascontiguousarray(words[:WORDS], "u4")
    assert len(words) == WORDS
    return {f"{test.__name__}[{i}]": float(p) for test in TESTS for i, p in enumerate(test(words))}


def reversed_bits(w):
    """The low bits first."""
    bytes_of = np.packbits(np.unpackbits(w.astype("<u4").view("u1"), bitorder="little"))
    return bytes_of.view(">u4").astype("u4")
