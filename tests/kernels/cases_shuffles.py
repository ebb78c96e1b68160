# SPDX-License-Identifier: MIT
"""Arguments and expected results of the kernels of shuffles.cu."""

import numpy as np

from cases import case, i4, ints, zeros


def shifted(x, delta, width):
    """Up, down and crosswise, as the instruction does it: by the last five bits of delta, within segments."""
    lane, segment = np.arange(32), np.arange(32) & (width - 1)
    delta &= 31
    across = lane ^ delta
    picks = (
        np.where(segment >= delta, lane - delta, lane),
        np.where(segment + delta < width, lane + delta, lane),
        np.where((across & ~(width - 1)) > (lane & ~(width - 1)), lane, across),
    )
    return np.concatenate([x.reshape(-1, 32)[:, p].ravel() for p in picks])


def shifts():
    for name, dtype in (("shift_int", "i4"), ("shift_double", "f8"), ("shift_long", "i8")):
        for block in (32, 96, (16, 4), (8, 8, 1)):
            n = int(np.prod(block))
            for delta, width in ((0, 32), (1, 32), (5, 8), (16, 32), (31, 32), (32, 32), (33, 16), (3, 1), (8, 8)):
                x = ints(-1000, 1000, n, dtype=dtype)
                case(
                    "shuffles",
                    name,
                    1,
                    block,
                    [x, zeros(3 * n, dtype), i4(delta), i4(width)],
                    {1: shifted(x, delta, width)},
                )


def down(v, o, width=32):
    return shifted(v, o, width).reshape(3, -1)[1]


def up(v, o, width=32):
    return shifted(v, o, width).reshape(3, -1)[0]


def sums():
    for block in (32, 64, 96, 256, 1024):
        x = ints(-100, 100, 5 * block)
        n = 5 * block - 17
        used = np.where(np.arange(x.size) < n, x, 0)
        case(
            "shuffles", "block_sum", 5, block, [x, zeros(5, "i4"), i4(n)], {1: used.reshape(5, -1).sum(1).astype("i4")}
        )


def own_ways():
    for warps in (2, 3, 5, 8):
        x = ints(0, 100, 32 * warps)
        rows = x.reshape(-1, 32)
        found = np.where(np.arange(warps) % 2 == 0, rows.sum(1), rows.max(1))
        case(
            "shuffles",
            "by_turns",
            1,
            32 * warps,
            [x, zeros(32 * warps, "i4")],
            {1: np.repeat(found - np.roll(found, -1), 32).astype("i4")},
        )
        rounds = (np.arange(warps, dtype="i4") * 5 + 3) % 7
        want = x.copy()
        for w in range(warps):
            v = rows[w].copy()
            for r in range(rounds[w]):
                v = v + up(v, 1)
                if r == 2:
                    v = v - down(v, 3, 8)
            want[32 * w : 32 * (w + 1)] = v
        case("shuffles", "own_rounds", 1, 32 * warps, [x, rounds, zeros(32 * warps, "i4")], {2: want})
        for leaving in range(warps):
            want = np.repeat(rows.sum(1), 32) + up(x, 2)
            want[32 * leaving : 32 * (leaving + 1)] = 0
            case(
                "shuffles",
                "some_leave",
                1,
                32 * warps,
                [x, zeros(32 * warps, "i4"), i4(leaving)],
                {1: want.astype("i4")},
            )


def data_decide():
    for n in (32, 128, 256):
        x = ints(0, 100, n)
        beside = np.roll(x, -1)
        kept = np.where(x & 1, beside, -beside)
        want = 1000 * (x > 50) + 100 * (x & 1) + 10 * (beside > x) + (up(kept, 1) > np.roll(kept, -2))
        case("shuffles", "flags", 1, n, [x, zeros(n, "i4")], {1: want.astype("i4")})
        late = x.copy()
        for w in range(n // 32):
            row = x[32 * w : 32 * (w + 1)]
            group = np.flatnonzero(row > 50)
            v = row.copy()
            v[group] = row[group[0]] + np.arange(group.size)
            for lane in group:  # what is not in the group gives a lane its own value
                after = lane + 1 if lane + 1 in group else lane
                late[32 * w + lane] = v[lane] + (v[after] == v[lane] + 1)
        case("shuffles", "known_late", 1, n, [x, zeros(n, "i4")], {1: up(late, 7)})


shifts()
sums()
own_ways()
data_decide()
