# SPDX-License-Identifier: MIT
"""Arguments and expected results of each kernel of the corpus: CASES is {file: [Case]}. Arrays are NumPy's and are
passed as pointers, NumPy scalars by value, bytes as a struct; `out` says which arguments are compared with what."""

import dataclasses

import numpy as np

R = np.random.default_rng(7)
CASES = {}


@dataclasses.dataclass
class Case:
    name: str
    grid: tuple
    block: tuple
    args: list
    out: dict  # index of an argument: what it must hold afterwards, or a function that says whether it is right
    shared: int = 0
    tol: float = 0.0  # relative, where the order of sums or the mathematics may differ
    together: bool = False  # a cooperative launch


def case(file, name, grid, block, args, out, shared=0, tol=0.0, together=False):
    def three(x):
        return tuple(x) + (1,) * (3 - len(x)) if isinstance(x, tuple) else (x, 1, 1)

    CASES.setdefault(file, []).append(Case(name, three(grid), three(block), args, out, shared, tol, together))


def f4(*shape):
    return R.uniform(-1, 1, shape).astype("f4")


def ints(low, high, *shape, dtype="i4"):
    return R.integers(low, high, shape).astype(dtype)


def zeros(n, dtype="f4"):
    return np.zeros(n, dtype)


def i4(x):
    return np.int32(x)


def basics():
    x, y, a = f4(1000), f4(1000), np.float32(1.5)
    case("basics", "saxpy", 8, 128, [i4(1000), a, x, y], {3: a * x + y}, tol=1e-6)
    case("basics", "saxpy_stride", 3, 64, [i4(1000), a, x, y], {3: a * x + y}, tol=1e-6)
    z, yy, xx = np.mgrid[0:5, 0:7, 0:9]
    case(
        "basics",
        "index_3d",
        (2, 2, 3),
        (8, 4, 2),
        [zeros(315, "i4"), i4(9), i4(7), i4(5)],
        {0: (xx + 10 * yy + 100 * z).astype("i4").ravel()},
    )
    m = f4(37, 50)
    for name in ("transpose_naive", "transpose_tiled"):
        case("basics", name, (4, 3), (16, 16), [m.ravel(), zeros(1850), i4(50), i4(37)], {1: m.T.ravel()})
    case("basics", "scale_float4", 2, 64, [x[:400], zeros(400), a, i4(100)], {1: a * x[:400]})
    k = ints(0, 100, 64)
    case("basics", "address_spaces", 1, 64, [k, zeros(64, "i4")], {1: np.where(k % 2, 7, k)[::-1] * 100 + 7})
    struct = np.array([(2.0, -0.25, 1)], [("a", "f4"), ("b", "f4"), ("c", "i4")]).tobytes()
    case(
        "basics",
        "struct_by_value",
        8,
        128,
        [x, zeros(1000), struct, i4(1000)],
        {1: np.maximum(2 * x - np.float32(0.25), 0)},
        tol=1e-6,
    )
    case(
        "basics",
        "constant_memory",
        8,
        128,
        [x, zeros(1000), i4(1000)],
        {1: ((-0.125 * x + 0.25) * x - 0.5) * x + 1},
        tol=1e-5,
    )
    case("basics", "device_global", 1, 32, [zeros(32, "i4")], {0: 5 * np.arange(32, dtype="i4")})
    k = ints(-20, 20, 100)
    case("basics", "template_power", 1, 128, [k, zeros(100, "i4"), i4(100)], {1: k**3})
    t = np.arange(64, dtype="i4")
    case("basics", "lambdas", 1, 64, [zeros(64, "i4"), i4(3)], {0: (3 + t) * 3 + t})
    fibonacci = [0, 1]
    while len(fibonacci) < 16:
        fibonacci.append(sum(fibonacci[-2:]))
    case("basics", "recursion", 1, 16, [zeros(16, "i4")], {0: np.array(fibonacci, "i4")})
    at = ints(0, 1000, 500)
    case("basics", "gather", 4, 128, [x, at, zeros(500), i4(500)], {2: x[at]})
    u = np.concatenate([ints(0, 2**32, 96, dtype="u8").astype("u4"), np.array([0, 1, 2**31, 2**32 - 1], "u4")])
    bits = [
        bin(v).count("1")
        + 100 * (32 - int(v).bit_length())
        + 10000 * ((int(v) & -int(v)).bit_length())
        + 1000000 * (int(v) >> 31)
        for v in u
    ]
    case("basics", "bit_tricks", 1, 128, [u, zeros(100, "u4"), i4(100)], {1: np.array(bits, "u4")})


def reduce():
    x, k = f4(1000), ints(-50, 50, 1000)
    parts = np.add.reduceat(np.pad(x, (0, 24)).astype("f8"), np.arange(0, 1024, 256)).astype("f4")
    case("reduce", "sum_tree", 4, 256, [x, zeros(4), i4(1000)], {1: parts}, tol=1e-4)
    case("reduce", "sum_shuffle", 4, 256, [x, zeros(4), i4(1000)], {1: parts}, tol=1e-4)
    case(
        "reduce",
        "sum_interleaved",
        8,
        128,
        [k, zeros(8, "i4"), i4(1000)],
        {1: np.add.reduceat(k, np.arange(0, 1000, 128))},
        shared=512,
    )
    total = np.array([k.sum()], "i4")
    case("reduce", "sum_atomic", 8, 128, [k, zeros(1, "i4"), i4(1000)], {1: total})
    case("reduce", "sum_shared_atomic", 3, 128, [k, zeros(1, "i4"), i4(1000)], {1: total})
    case("reduce", "sum_last_block", 5, 128, [k, zeros(5, "i4"), zeros(1, "i4"), i4(1000)], {2: total})
    case(
        "reduce",
        "max_and_index",
        1,
        128,
        [x, zeros(1), zeros(1, "i4"), i4(1000)],
        {1: x.max(keepdims=True), 2: np.array([x.argmax()], "i4")},
    )
    a, b = R.normal(size=(2, 500))
    case("reduce", "dot", 1, 64, [a, b, np.zeros(1), i4(500)], {2: np.array([a @ b])}, tol=1e-12)
    case(
        "reduce",
        "mean_variance",
        1,
        64,
        [x, zeros(2), i4(1000)],
        {1: np.array([x.mean(dtype="f8"), x.var(dtype="f8")], "f4")},
        tol=1e-4,
    )


def scan():
    k = ints(-9, 9, 512)
    case(
        "scan",
        "scan_hillis_steele",
        4,
        128,
        [k, zeros(512, "i4")],
        {1: k.reshape(4, 128).cumsum(1, dtype="i4").ravel()},
    )
    case("scan", "scan_blelloch", 1, 128, [k[:256], zeros(256, "i4")], {1: k[:256].cumsum(dtype="i4") - k[:256]})
    case("scan", "scan_shuffle", 2, 256, [k, zeros(512, "i4")], {1: k.reshape(2, 256).cumsum(1, dtype="i4").ravel()})
    kept = k[:500][k[:500] >= 0]
    case(
        "scan",
        "compact_ballot",
        4,
        128,
        [k, zeros(512, "i4"), zeros(1, "i4"), i4(500)],
        {1: lambda got: np.array_equal(np.sort(got[: len(kept)]), np.sort(kept)), 2: np.array([len(kept)], "i4")},
    )
    b = ints(0, 256, 3000, dtype="u1")
    counts = np.bincount(b, minlength=256).astype("u4")
    case("scan", "histogram_global", 12, 256, [b, zeros(256, "u4"), i4(3000)], {1: counts})
    case("scan", "histogram_shared", 4, 256, [b, zeros(256, "u4"), i4(3000)], {1: counts})
    x = f4(512)
    case("scan", "bitonic_sort", 2, 256, [x], {0: np.sort(x.reshape(2, 256), axis=1).ravel()})
    case("scan", "odd_even_sort", 1, 100, [k[:100]], {0: np.sort(k[:100])}, shared=400)
    case("scan", "rank_sort", 4, 64, [x[:200], zeros(200), i4(200)], {1: np.sort(x[:200])})
    u = ints(0, 1000, 128, dtype="u4")
    case(
        "scan", "radix_split", 1, 128, [u, zeros(128, "u4"), i4(3)], {1: np.concatenate([u[u & 8 == 0], u[u & 8 != 0]])}
    )
    s, keys = np.sort(k), ints(-12, 12, 100)
    case(
        "scan",
        "lower_bound",
        1,
        128,
        [s, i4(512), keys, zeros(100, "i4"), i4(100)],
        {3: np.searchsorted(s, keys).astype("i4")},
    )


def warps():
    k = ints(0, 100, 128)
    w = k.reshape(4, 32)
    vote = ((w > 90).any(1) + 2 * (w >= 0).all(1))[:, None] + 4 * (w & 1)
    case("warps", "votes", 1, 128, [k, zeros(128, "i4")], {1: vote.astype("i4").ravel()})
    few = ints(0, 4, 128)
    v = few.reshape(4, 32)
    same = (v[:, :, None] == v[:, None, :]) @ (1 << np.arange(32, dtype="u8"))
    case(
        "warps",
        "match",
        1,
        128,
        [few, zeros(256, "u4")],
        {1: np.concatenate([same.ravel().astype("u4"), np.zeros(128, "u4")])},
    )  # ~0 + 1
    u = ints(0, 2**31, 64, dtype="u4")
    r = [
        np.repeat(f.reduce(u.reshape(2, 32), axis=1).astype("u4"), 32)
        for f in (np.add, np.maximum, np.bitwise_and, np.bitwise_xor)
    ]
    case("warps", "reduce_sync", 1, 64, [u, zeros(256, "u4")], {1: np.concatenate(r)})
    b = k.reshape(2, 64)
    answer = (b > 50).sum(1) * 4 + (b > 98).any(1) * 2 + (b >= 0).all(1)
    case("warps", "barrier_predicates", 2, 64, [k, zeros(128, "i4")], {1: np.repeat(answer, 64).astype("i4")})
    d = R.normal(size=64)
    case("warps", "rotate_double", 1, 64, [d, i4(5)], {0: np.roll(d.reshape(2, 32), -5, axis=1).ravel()})
    h = k.reshape(8, 16)
    halves = np.where(np.arange(8)[:, None] % 2 == 0, h.sum(1, keepdims=True), h.max(1, keepdims=True)) + 0 * h
    case("warps", "half_warps", 1, 128, [k, zeros(128, "i4")], {1: halves.astype("i4").ravel()})
    case(
        "warps",
        "butterfly_through_shared",
        1,
        64,
        [k[:64], zeros(64, "i4")],
        {1: np.repeat(k[:64].reshape(2, 32).sum(1), 32).astype("i4")},
    )


def atomics():
    x = f4(500)
    case("warps", "float_max_by_cas", 4, 128, [np.abs(x), zeros(1), i4(500)], {1: np.abs(x).max(keepdims=True)})
    case(
        "warps",
        "double_add_by_cas",
        4,
        128,
        [x.astype("f8"), np.zeros(1), i4(500)],
        {1: np.array([x.sum(dtype="f8")])},
        tol=1e-10,
    )
    n = 256
    t = np.arange(n)
    case(
        "warps",
        "atomics",
        2,
        128,
        [zeros(4, "i4"), np.array([2**32 - 1, 0, 0, 0], "u4"), zeros(2, "u8"), zeros(1), np.zeros(1)],
        {
            0: np.array([t.sum(), -t.sum(), 1 - n, n - 1], "i4"),
            1: np.array([0, 2**32 - 1, 0, n % 7], "u4"),
            2: np.array([n << 33, (n - 1) << 40], "u8"),
            3: np.array([n / 2], "f4"),
            4: np.array([n / 4]),
        },
    )

    def is_list(got):
        return sorted(got.tolist() + []) == sorted(set(got.tolist())) and (got == -1).sum() == 1

    case("warps", "linked_list", 2, 128, [np.array([-1], "i4"), zeros(n, "i4")], {1: is_list})


def groups():
    k = ints(0, 100, 128)
    case(
        "warps",
        "tiles",
        1,
        64,
        [k[:64], zeros(64, "i4")],
        {1: (np.repeat(k[:64].reshape(16, 4).sum(1), 4) * 10 + np.arange(64) % 4).astype("i4")},
    )
    hits = int((k[:120] % 3 == 0).sum())
    case(
        "warps",
        "aggregated_counter",
        1,
        128,
        [k, zeros(1, "i4"), zeros(128, "i4"), i4(120)],
        {1: np.array([hits], "i4"), 2: (np.arange(128) < hits).astype("i4")},
    )
    case("warps", "group_reverse", 1, 100, [k[:100]], {0: k[:100][::-1]}, shared=400)
    case("warps", "clocks", 1, 64, [np.zeros(64, "i8")], {0: np.ones(64, "i8")})


basics()
reduce()
scan()
warps()
atomics()
groups()
