# SPDX-License-Identifier: MIT
"""Cases of matrices.cu: products of small whole numbers, which every order of adding gives exactly."""

import numpy as np
from ml_dtypes import bfloat16

from cases import case, i4, zeros

R = np.random.default_rng(5)


def small(*shape, dtype="f4"):
    return R.integers(-8, 9, shape).astype(dtype)


def factors():
    a, b, c = small(16, 16), small(16, 8), small(16, 8)
    want = a @ b + c
    case(
        "matrices",
        "halves_k16",
        1,
        32,
        [a.astype("f2").ravel(), b.T.astype("f2").ravel(), c.ravel(), zeros(128)],
        {3: want.ravel()},
    )
    left, right = a.astype(bfloat16), b.T.astype(bfloat16)
    # The first registers of the larger product are A's first columns and B's first rows.
    more = want + a[:, :8] @ b[:8]
    case(
        "matrices",
        "bfloats",
        1,
        32,
        [left.view("u2").ravel(), np.ascontiguousarray(right).view("u2").ravel(), c.ravel(), zeros(128)],
        {3: more.ravel()},
    )
    a, b = small(16, 8), small(8, 8)
    case(
        "matrices",
        "halves_k8_in_halves",
        1,
        32,
        [a.astype("f2").ravel(), b.T.astype("f2").ravel(), c.astype("f2").ravel(), zeros(128, "f2")],
        {3: (a @ b + c).astype("f2").ravel()},
    )
    want = np.abs(a) + 1
    a = (want + 2.0**-12).astype("f4")  # with bits that tf32 does not have
    case(
        "matrices",
        "tf32",
        1,
        32,
        [a.ravel(), b.T.ravel().copy(), c.ravel(), zeros(128)],
        {3: (want @ b + c + want[:, :4] @ b[:4]).ravel()},
        tol=1e-5,
    )
    a, b, c = (R.integers(-128, 128, s) for s in ((16, 32), (32, 8), (16, 8)))
    c[0, 0], c[1, 1] = 2**31 - 1, -(2**31)
    plain = (a @ b + c).astype("i4")
    limited = np.clip((a & 255) @ b + c, -(2**31), 2**31 - 1)
    case(
        "matrices",
        "bytes",
        1,
        32,
        [a.astype("i1").ravel(), b.T.astype("i1").ravel(), c.astype("i4").ravel(), zeros(256, "i4")],
        {3: np.concatenate([plain.ravel(), limited.ravel()]).astype("i4")},
    )
    a, b = a[:, :16], b[:16]
    want = (a @ b).ravel()
    case(
        "matrices",
        "fewer_bytes",
        1,
        32,
        [a.astype("i1").ravel(), b.T.astype("i1").ravel(), zeros(192, "i4")],
        {2: np.concatenate([want, want[:64]]).astype("i4")},
    )
    a, b, c = R.uniform(-1, 1, (8, 4)), R.uniform(-1, 1, (4, 8)), R.uniform(-1, 1, (8, 8))
    case(
        "matrices",
        "doubles",
        1,
        32,
        [a.ravel(), b.T.ravel().copy(), c.ravel().copy()],
        {2: (a @ b + c).ravel()},
        tol=1e-14,
    )


def programs():
    m, n, k = 64, 48, 80
    a, b = small(m, k), small(k, n)
    case(
        "matrices",
        "product",
        (n // 16, m // 32),
        64,
        [a.astype("f2").ravel(), b.astype("f2").ravel(), zeros(m * n), i4(n), i4(k)],
        {2: (a @ b).ravel()},
    )
    x = R.integers(0, 2**16, (8, 8), dtype="u2")
    want = np.concatenate([x.T.ravel(), x.ravel(), x.T.ravel(), x.ravel()])
    case("matrices", "turns", 1, 32, [x.ravel(), zeros(256, "u2")], {1: want})


factors()
programs()
