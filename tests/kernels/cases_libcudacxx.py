# SPDX-License-Identifier: MIT
"""Cases of libcudacxx.cu: cuda::barrier, atomics, asynchronous copies and cuda::std."""

import numpy as np

from cases import case, f4, i4, ints, zeros
from toolkit import include_folder


def barriers():
    x = ints(0, 100, 96)
    want = np.concatenate([x[::-1] + 1001 * r for r in range(3)])
    case("libcudacxx", "reversed", 1, 96, [x, zeros(288, "i4")], {1: want})
    x = ints(0, 100, 128)
    case("libcudacxx", "producer_consumer", 1, 64, [x, zeros(128, "i4")], {1: 2 * x.reshape(4, 32)[:, ::-1].ravel()})
    out = np.ones(64, "i4")
    out[63], out[0] = 2, 64 * 63 // 2
    case("libcudacxx", "flags", 1, 64, [zeros(64, "i4")], {0: out})


def atomics():
    n = 200
    counts = np.array([50, 50, 50, 50, n * (n - 1) // 2], "i4")
    args = [zeros(5, "i4"), zeros(1), zeros(1, "u4"), i4(n)]
    want = {0: counts, 1: np.array([n / 2], "f4"), 2: np.array([7 * (n - 1)], "u4")}
    case("libcudacxx", "atomics", 4, 64, args, want)


def counters():
    want = np.array([4 * 20, (2**32 - 2**20) - 2**32, 5, 0, 80], "i4")
    case("libcudacxx", "counters", 1, 20, [zeros(5, "i4")], {0: want})


def copies():
    x = f4(5 * 32)
    want = 2 * x.reshape(5, 32)[:, ::-1].ravel()
    case("libcudacxx", "staged_copies", 1, 32, [x, zeros(160), i4(5)], {1: want}, shared=256)
    k = ints(0, 100, 64)
    case("libcudacxx", "copies_of_a_barrier", 1, 64, [k, zeros(64, "i4")], {1: k[::-1]})
    k = ints(0, 100, 128)
    case("libcudacxx", "primitive_copies", 1, 32, [k, zeros(128, "i4")], {1: k.reshape(32, 4)[::-1].ravel()})


def views():
    x = ints(-9, 10, 6, 50).astype("f4")
    want = np.concatenate([x[::2].sum(0), x[1::2].sum(0)])
    case("libcudacxx_views", "views", 1, 64, [x, zeros(100), i4(6), i4(50)], {1: want})


def standard():
    want = np.array([14, 10, 76, 2**31 - 1, 2**41, 1], "i8")
    case("libcudacxx", "standard", 1, 1, [zeros(6, "i8")], {0: want})


barriers()
atomics()
counters()
copies()
if include_folder():  # libcu++ is the toolkit's
    views()
standard()
