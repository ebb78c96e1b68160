# SPDX-License-Identifier: MIT
"""Cases of ptx.cu and mbarriers.cu: inline PTX against Python's integers."""

import numpy as np

from cases import R, case, f4, i4, ints, zeros

M32, M64 = 2**32 - 1, 2**64 - 1


def signed(x, bits=32):
    return x - (1 << bits) if x >> (bits - 1) & 1 else x


def field(x, first, length, negative, bits=32):
    sign = (x >> min(first + length - 1, bits - 1) & 1) if negative and length else 0
    out = 0
    for k in range(bits):
        bit = x >> (first + k) & 1 if first + k < bits else sign
        out |= (bit if k < length else sign) << k
    return out


def permuted(x, y, nibbles):
    source = [(x | y << 32) >> 8 * k & 255 for k in range(8)]
    return sum((255 * (source[s & 7] >> 7) if s & 8 else source[s & 7]) << 8 * k for k, s in enumerate(nibbles))


def integer_rows(x, y, z):
    a, b, c = signed(x), signed(y), signed(z)
    first, length = z & 63, y & 63
    n = z & 3
    mask = ((1 << length) - 1) << first & M32
    both = x | y << 32
    four = sum(signed(x >> 8 * k & 255, 8) * signed(y >> 8 * k & 255, 8) for k in range(4))
    rows = [
        x + y,
        x - y,
        x * y,
        x * y >> 32,
        a * b >> 32,
        x * y + z,
        (x * y >> 32) + z,
        min(a, b),
        max(x, y),
        x << z if z < 32 else 0,
        x >> z if z < 32 else 0,
        a >> min(z, 31),
        field(x, first, length, False),
        field(x, first, length, True),
        permuted(x, y, [z >> 4 * k & 15 for k in range(4)]),
        both << (z & 31) >> 32,
        both >> min(z, 32),
        abs(x - y) + z,
        permuted(x, y, [n + k for k in range(4)]),
        permuted(x, y, [(n - k) % 8 for k in range(4)]),
        permuted(x, y, [max(n, k) for k in range(4)]),
        permuted(x, y, [2 * (n & 1) + k % 2 for k in range(4)]),
        four + c,
        y & ~mask | x << first & mask,
        x ^ y ^ z,
        x & y | z,
        bin(x).count("1"),
        32 - x.bit_length(),
        int(f"{x:032b}"[::-1], 2),
        ((x ^ M32 if x >> 31 else x).bit_length() - 1),
        z if a < b else 7,
        (2 if x >= y and x else 1) + (0 if x >= y else 4),
    ]
    return [r & M32 for r in rows]


def integers():
    edges = np.array([0, 1, 31, 32, 33, 63, 2**31 - 1, 2**31, M32], "u8")
    grid = np.array(np.meshgrid(edges, edges, edges)).reshape(3, -1)
    more = R.integers(0, 2**32, (3, 200), dtype="u8")
    more[2, 100:] %= 40
    a, b, c = np.concatenate([grid, more], 1).astype("u4")
    n = len(a)
    want = np.array([integer_rows(int(x), int(y), int(z)) for x, y, z in zip(a, b, c)], "u4").T.ravel()
    case("ptx", "integers", (n + 127) // 128, 128, [a, b, c, zeros(len(want), "u4"), i4(n)], {3: want})


def wide_rows(x, y):
    low, high = x & M32, x >> 32
    ylow, yhigh = y & M32, y >> 32
    total = (x | y << 64) + (y | M32 << 64)
    return [
        r & M64
        for r in (
            x * y >> 64,
            low * ylow,
            signed(low) * signed(ylow) + y,
            low << 32 | high,
            total & M64,
            total >> 64,
            x - y,
            -(x < y),
            low * ylow + yhigh,
            x >> 13 & (1 << 31) - 1,
            low,
            x & 65535,
        )
    ]


def wide():
    edges = np.array([0, 1, M32, 2**32, 2**63, M64], "u8")
    a, b = np.concatenate([np.array(np.meshgrid(edges, edges)).reshape(2, -1), R.integers(0, 2**64, (2, 100), "u8")], 1)
    n = len(a)
    want = np.array([wide_rows(int(x), int(y)) for x, y in zip(a, b)], "u8").T.ravel()
    case("ptx", "wide", (n + 127) // 128, 128, [a, b, zeros(len(want), "u8"), i4(n)], {2: want})


def floats():
    x, y = 3 * f4(200), 3 * f4(200)
    d = x.astype("f8")
    want = [
        d * y + d,
        x + y,
        x * np.float32(np.pi),
        np.maximum(x, y),
        np.exp2(d),
        1 / np.abs(d),
        np.abs(x),
        np.rint(x),
        np.clip(np.trunc(x.astype("f4") * np.float32(1e10)), -(2.0**31), 2.0**31 - 1),
        np.clip(np.trunc(x.astype("f4") * np.float32(1e10)), -(2.0**31), 2.0**31 - 1),
        np.clip(x, 0, 1),
        x.astype("f2"),
        -x,
        d * y + 1,
    ]
    want = np.concatenate([np.asarray(w, "f8") for w in want])

    def near(got):
        return bool(np.allclose(got, want, rtol=1e-5, atol=1e-6))

    case("ptx", "floats", 2, 128, [x, y, zeros(14 * 200), i4(200)], {2: near})


def memory():
    x, k = f4(400), ints(-1000, 1000, 100)
    sums = np.zeros(108, "i4")
    sums[0], sums[1], sums[2] = k.sum(), max(k.max(), 0), 100
    sums[8:] = k.astype("i1")
    case(
        "ptx",
        "memory",
        1,
        128,
        [x, zeros(400), zeros(108, "i4"), k, i4(100)],
        {1: x.reshape(-1, 4)[:, ::-1].ravel(), 2: sums},
    )


def threads():
    t, n = np.arange(128) % 64, 128
    lane = t % 32
    want = [lane + 100 * t + 10000 * (np.arange(n) // 64) + 100000, (1 << lane) - 1, np.full(n, 15)]
    case("ptx", "places", 2, 64, [zeros(3 * n, "u4"), i4(n)], {0: np.concatenate(want).astype("u4")})
    x = ints(0, 100, 64)
    got = x[np.arange(64) ^ 1]
    sums = np.repeat(got.reshape(2, 32).sum(1), 32)
    below = np.where(np.arange(64) % 32 == 0, 1000, np.roll(got, 1))
    ballots = [sum(int(v > 50) << i for i, v in enumerate(row)) ^ M32 for row in got.reshape(2, 32)]
    ballots = np.repeat(np.array(ballots, "u4").view("i4"), 32)
    case("ptx", "shared_and_warps", 1, 64, [x, zeros(256, "i4")], {1: np.stack([got, sums, below, ballots], 1).ravel()})
    y = f4(256)
    y[200:] = 0
    want = y.reshape(2, 32, 4)[:, ::-1].ravel()
    case("ptx", "copies", 2, 32, [y, zeros(256), i4(200)], {1: want}, shared=512)


def collatz(x):
    steps = 0
    while x > 1:
        x, steps = (3 * x + 1 if x & 1 else x // 2), steps + 1
    return steps


def branches():
    x = R.integers(0, 1000, 200).astype("u4")
    want = [collatz(int(v)) for v in x] + [collatz(int(v) + 1) for v in x]
    case("ptx", "loops_inside", 2, 128, [x, zeros(400, "u4"), i4(200)], {1: np.array(want, "u4")})
    case(
        "ptx",
        "lock",
        5,
        96,
        [zeros(1, "i4"), zeros(1, "i4")],
        {0: zeros(1, "i4"), 1: np.full(1, 5 * 96 * 95 // 2, "i4")},
    )
    case("ptx", "flag", 1, 128, [zeros(128, "i4")], {0: np.where(np.arange(128) < 32, 77, 0).astype("i4")})


def mbarriers():
    x = ints(-1000, 1000, 5, 128)
    want = (x[:, ::-1] * np.arange(1, 6)[:, None]).sum(0).astype("i4")
    case("mbarriers", "rounds", 3, 128, [x.ravel(), zeros(128, "i4"), i4(5)], {1: want})
    case("mbarriers", "states", 1, 64, [zeros(64, "i4")], {0: (np.arange(64)[::-1] ** 2 + 10000).astype("i4")})
    y = f4(6, 256)
    case("mbarriers", "tiles", 1, 256, [y.ravel(), zeros(6 * 256), i4(6)], {1: 2 * y[:, ::-1].ravel()})
    odd = np.arange(1, 64, 2).sum()
    # Threads that go on add to the next round's sum before the others read; the last round has no next one.
    case("mbarriers", "fewer", 1, 64, [zeros(32, "i4")], {0: np.full(32, 3 * odd, "i4")})


integers()
wide()
floats()
memory()
threads()
branches()
mbarriers()
