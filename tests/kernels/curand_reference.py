# SPDX-License-Identifier: MIT
"""cuRAND's generators and distributions from their definitions, in Python's integers: a jump of n steps is the n-th
power of a matrix, not many steps."""

import math

import numpy as np

M32 = 2**32 - 1


class Xorwow:
    """Marsaglia's xorwow; columns of its step as a matrix over GF(2), a bit each."""

    SUBSEQUENCE = SEQUENCE = 2**67

    def __init__(self, seed):
        a = 1099087573 * ((seed & M32) ^ 0xAAD26B49) & M32
        b = 2591861531 * ((seed >> 32) ^ 0xF7DCEFDD) & M32
        self.v = [(123456789 + a) & M32, 362436069 ^ a, (521288629 + b) & M32, 88675123 ^ b, (5783321 + a) & M32]
        self.d = (6615241 + a + b) & M32
        self.extra = {}

    @staticmethod
    def step(v):
        t = v[0] ^ v[0] >> 2
        return [*v[1:], (v[4] ^ v[4] << 4 & M32) ^ (t ^ t << 1 & M32)]

    @classmethod
    def columns(cls, k, known={}):  # noqa: B006: of all states
        """The matrix of 2^k steps."""
        if not known:
            words = [[1 << b if w == i else 0 for i in range(5)] for w in range(5) for b in range(32)]
            known[0] = [cls.pack(cls.step(w)) for w in words]
        if k not in known:
            half = cls.columns(k - 1)
            known[k] = [cls.apply(half, column) for column in half]
        return known[k]

    @staticmethod
    def pack(v):
        return sum(x << 32 * i for i, x in enumerate(v))

    @staticmethod
    def apply(columns, x):
        out, i = 0, 0
        while x:
            if x & 1:
                out ^= columns[i]
            x >>= 1
            i += 1
        return out

    def skip(self, n):
        x, k = self.pack(self.v), 0
        self.d = (self.d + 362437 * n) & M32
        while n:
            if n & 1:
                x = self.apply(self.columns(k), x)
            n >>= 1
            k += 1
        self.v = [x >> 32 * i & M32 for i in range(5)]

    def next(self):
        self.v = self.step(self.v)
        self.d = (self.d + 362437) & M32
        return (self.v[4] + self.d) & M32

    def uniform(self):
        return (self.next() + 0.5) * 2.0**-32

    def uniform_double(self):
        return self.double_of(self.next(), self.next())

    @staticmethod
    def double_of(x, y):
        return (x ^ y << 21) * 2.0**-53 + 2.0**-54

    def pair(self):
        return turned(self.uniform(), 2 * self.uniform())

    def pair_double(self):
        a, b, c, d = (self.next() for _ in range(4))
        return turned(self.double_of(a, b), 2 * self.double_of(c, d))

    def kept(self, key, pair):
        """A pair is drawn for two calls."""
        if key in self.extra:
            return self.extra.pop(key)
        first, self.extra[key] = pair()
        return first

    def poisson(self, mean):
        if mean > 4000:
            return int(math.sqrt(mean) * self.kept("double", self.pair_double) + mean + 0.5)
        if mean >= 64:
            return self.poisson_by_curve(np.float32(mean))
        product, k = math.exp(mean), 0
        while True:
            product *= self.uniform()
            if product <= 1:
                return k
            k += 1

    def poisson_by_curve(self, mean):
        """By rejection under the steps of 1 / (1 + exp(slope * (mean - x) - shift))**2."""
        m = float(mean)
        slope = 1.43248035 / math.sqrt(m - 0.124009793) + 0.000253610749
        shift = 0.210967349 / math.sqrt(m - 1.97381164) + 0.942017341
        log_mean = float(np.log2(mean) * np.float32(math.log(2)))
        while True:
            u, v = float(self.uniform()), float(self.uniform())
            x = math.floor(m - (shift + math.log(u**-0.5 - 1)) / slope) if u < 1 else -1
            if x < 0:
                continue
            low, high = ((1 + math.exp(slope * (m - k) - shift)) ** -2 for k in (x, x + 1))
            # The logarithms are float32, whose last digits count: they are thousands.
            exponent = np.float32(x * log_mean - m) - np.float32(math.lgamma(1 + x))
            if v * (high - low) * 1.3 < math.exp(float(exponent)) and (high - low) * 1.3 >= 1e-20:
                return x


def turned(u, half_turns):
    s = math.sqrt(-2 * math.log(u))
    return s * math.sin(math.pi * half_turns), s * math.cos(math.pi * half_turns)


class Mrg(Xorwow):
    SUBSEQUENCE, SEQUENCE = 2**76, 2**127
    MODULI = 4294967087, 4294944443
    STEPS = ((0, 1, 0), (0, 0, 1), (-810728, 1403580, 0)), ((0, 1, 0), (0, 0, 1), (-1370589, 0, 527612))

    def __init__(self, seed):
        low, high = ((seed & M32) ^ 0x55555555, (seed >> 32) ^ 0xAAAAAAAA) if seed else (1, 1)
        self.s = [
            [12345 * x % self.MODULI[r] for x in row] for r, row in enumerate(((low, high, low), (high, low, high)))
        ]
        self.extra = {}

    @staticmethod
    def power(a, n, m):
        def product(x, y):
            return [[sum(x[i][k] * y[k][j] for k in range(3)) % m for j in range(3)] for i in range(3)]

        out = [[int(i == j) for j in range(3)] for i in range(3)]
        while n:
            if n & 1:
                out = product(out, a)
            a = product(a, a)
            n >>= 1
        return out

    def skip(self, n):
        for r, m in enumerate(self.MODULI):
            a = self.power(self.STEPS[r], n, m)
            self.s[r] = [sum(a[i][k] * self.s[r][k] for k in range(3)) % m for i in range(3)]

    def whole(self):
        self.skip(1)
        return (self.s[0][2] - self.s[1][2] - 1) % self.MODULI[0] + 1

    def next(self):
        return int(self.whole() * 1.000000048662)

    def uniform(self):
        return self.whole() * 2.3283065498378288e-10

    uniform_double = uniform

    def pair(self):
        return turned(self.uniform(), 2 * self.uniform())

    pair_double = pair


class Philox(Xorwow):
    """Four words a block; a sequence is 2^66 words."""

    SUBSEQUENCE = SEQUENCE = 2**66

    def __init__(self, seed):
        self.key, self.at, self.extra = (seed & M32, seed >> 32), 0, {}

    def skip(self, n):
        self.at += n

    def next(self):
        c = [self.at // 4 >> 32 * i & M32 for i in range(4)]
        k = list(self.key)
        for _ in range(10):
            p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [q >> 32 ^ c[1] ^ k[0], q & M32, p >> 32 ^ c[3] ^ k[1], p & M32]
            k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
        self.at += 1
        return c[(self.at - 1) % 4]

    def uniform_double(self):
        return (self.next() + 1) * 2.0**-32


def started(kind, seed, subsequence, offset):
    s = kind(seed)
    s.skip(subsequence * kind.SUBSEQUENCE + offset)
    return s
