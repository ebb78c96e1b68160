# SPDX-License-Identifier: MIT
"""Cases of groups.cu: cooperative groups, atomics of pairs and of 16 bytes."""

import numpy as np

from cases import case, i4, ints, zeros


def groups():
    k = ints(0, 100, 256)
    blocks = np.repeat(k.reshape(2, 128).sum(1), 128).astype("i4")
    tiles = np.repeat(k.reshape(32, 8).sum(1), 8).astype("i4")
    case("groups", "sums_by_group", 2, 128, [k, zeros(256, "i4"), zeros(256, "i4")], {1: blocks, 2: tiles})
    maxima = np.repeat(k[:64].reshape(4, 16).max(1), 16) * 100 + np.repeat(np.arange(4), 16)
    case("groups", "named_tile", 1, 64, [k[:64], zeros(64, "i4")], {1: maxima.astype("i4")})
    case("groups", "split_barrier", 1, 100, [k[:100], zeros(100, "i4")], {1: k[:100][::-1] + 2 * k[:100]})
    case(
        "groups",
        "one_of_a_group",
        3,
        96,
        [zeros(1, "i4"), zeros(288, "i4")],
        {0: np.array([9], "i4"), 1: np.tile(np.repeat(np.arange(3) + 7, 32), 3).astype("i4")},
    )
    indices = np.array([x + 10 * y + 100 * (x + 3 * y) for y in range(2) for x in range(3)])
    case("groups", "grid_places", (3, 2), 16, [zeros(96, "i4")], {0: np.repeat(indices, 16).astype("i4")})


def atomics():
    n = 200
    # Few enough that 16-bit sums are exact; bfloat16 is passed by its bits.
    bits = (np.array([n, n / 2], "f4").view("u4") >> 16).astype("u2")
    case(
        "groups",
        "atomics_of_pairs",
        4,
        64,
        [zeros(2, "f2"), zeros(2, "u2"), zeros(1, "f2"), zeros(1, "u2"), i4(n)],
        {0: np.array([n, -2 * n], "f2"), 1: bits, 2: np.array([n / 4], "f2"), 3: bits[:1]},
    )
    in_block = [64, 64, 64, 8]
    down = [[0, 4, 3, 2, 1][b % 5] for b in in_block]
    ors = [2**64 - 1] * 3 + [2**8 - 1]
    case(
        "groups",
        "atomics_of_scopes",
        4,
        64,
        [zeros(5, "u4"), zeros(5, "u8"), zeros(1, "u2"), i4(n)],
        {0: np.array([n % 7, *down], "u4"), 1: np.array([(n - 1) << 33, *ors], "u8"), 2: np.array([3 * n], "u2")},
    )
    case(
        "groups",
        "atomics_of_16_bytes",
        4,
        64,
        [zeros(2, "u8"), zeros(2), zeros(4), i4(n)],
        {
            0: np.array([n * (n - 1) // 2, n], "u8"),
            1: np.array([n, -n / 2], "f4"),
            2: np.array([n, 2 * n, 3 * n, n / 4], "f4"),
        },
    )


def wide_tiles():
    k, t = ints(0, 100, 512), np.arange(512)
    for n in (64, 256):
        sums = np.repeat(k.reshape(-1, n).sum(1), n).astype("i4")
        indices = t // n * 1000 + t % n // 32 * 100 + n // 32 + np.where(t < n, 10000 * k[37], 0)
        case(
            "groups",
            f"wide_tiles_{n}",
            1,
            512,
            [k, *(zeros(512, "i4") for _ in range(3))],
            {1: sums, 2: indices.astype("i4"), 3: np.full(512, 3, "i4")},
        )


def parts():
    labels = ints(0, 5, 64)
    by_label, by_bit, by_fours = (np.zeros(64, "i4") for _ in range(3))
    for w, lanes in enumerate(labels.reshape(2, 32)):
        order = list(dict.fromkeys(lanes.tolist()))  # by their lowest lanes
        odd, some = int((lanes & 1).sum()), np.flatnonzero(lanes % 3)
        for i, label in enumerate(lanes):
            by_label[32 * w + i] = order.index(label) * 10000 + len(order) * 100 + int((lanes[:i] == label).sum())
            by_bit[32 * w + i] = (label & 1) * 10000 + 200 + (odd if label & 1 else 32 - odd)
        for rank, i in enumerate(some):
            size = min(4, len(some) - rank // 4 * 4)
            by_fours[32 * w + i] = rank // 4 * 10000 + (len(some) + 3) // 4 * 100 + size
    case(
        "groups",
        "places_of_parts",
        1,
        64,
        [labels, *(zeros(64, "i4") for _ in range(3))],
        {1: by_label, 2: by_bit, 3: by_fours},
    )
    t, first = np.arange(128), np.arange(128) // 16 * 16
    following = np.where(t % 16 == 15, t, t + 1)
    before = t // 64 * 64 + 40
    case(
        "groups",
        "wide_values",
        1,
        128,
        [ints(-9, 9, 128).astype("f4"), zeros(128), zeros(128, "i4")],
        {
            1: np.full(128, 3216000, "f4"),
            2: ((first + 3 + 4) + 100 * following + 10000 * ((t ^ 5) + 2) + 1000000 * before + first + 3).astype("i4"),
        },
    )
    k = ints(0, 100, 64)
    k[50:] = -1
    rows = np.concatenate([np.tile(row, 3) for row in k.reshape(4, 16)])  # blocks of (16, 4), three in a row
    case(
        "groups",
        "copies_and_places",
        (3, 1),
        (16, 4),
        [k, i4(50), zeros(192, "i4"), zeros(6, "i4"), zeros(192, "i4")],
        {2: rows, 3: np.tile(k.reshape(2, 32).sum(1, dtype="i4"), 3), 4: np.full(192, 48004, "i4")},
    )


groups()
atomics()
wide_tiles()
parts()
