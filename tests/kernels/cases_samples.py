# SPDX-License-Identifier: MIT
"""Cases of the files samples_*.cu: programs in the manner of CUDA's samples."""

import math

import numpy as np

from cases import case, i4, zeros

R = np.random.default_rng(13)


def f4(*shape):
    return R.uniform(-1, 1, shape).astype("f4")


def u4(high, *shape):
    return R.integers(0, high, shape, dtype="u4")


def sums():
    x = R.integers(-50, 50, 3000, dtype="i4")
    for threads, blocks in ((512, 2), (128, 3)):
        # Those of a power of two read two elements a step.
        step = threads * (2 if threads == 512 else 1)
        block = np.arange(3000) // step % blocks
        want = np.array([x[block == b].sum() for b in range(blocks)], "i4")
        args = [x, zeros(blocks, "i4"), np.uint32(3000), i4(threads)]
        case("samples_blocks", "reduce_int", blocks, threads, args, {1: want}, shared=4 * threads)
    d = R.uniform(-1, 1, 3000)
    block = np.arange(3000) // 256 % 4
    want = np.array([d[block == b].sum() for b in range(4)])
    args = [d, zeros(4, "f8"), np.uint32(3000)]
    case("samples_blocks", "reduce_double", 4, 256, args, {1: want}, shared=2048, tol=1e-12)
    f = f4(5000)
    args = [f, zeros(1, "f8"), i4(5000)]
    case("samples_blocks", "reduce_groups", 5, 96, args, {1: [f.astype("f8").sum()]}, shared=1024, tol=1e-12)

    def total(got):
        return bool(np.isclose(got[0], f.astype("f8").sum(), rtol=1e-5, atol=1e-4))

    case("samples_blocks", "reduce_single_pass", 6, 64, [f, zeros(6), np.uint32(5000)], {1: total}, shared=256)
    e = [R.uniform(-1, 1, (7, 700)).astype("f4") for _ in range(2)]
    want = (e[0].astype("f8") * e[1]).sum(1)
    args = [zeros(7), e[0].ravel(), e[1].ravel(), i4(7), i4(700)]
    case("samples_radix", "scalar_products", 3, 64, args, {0: want}, tol=1e-5)


def scans():
    x = u4(1000, 4 * 256)
    rows = x.reshape(4, 256)
    want = (np.cumsum(rows, 1) - rows).astype("u4")
    args = [zeros(1024, "u4"), x, np.uint32(256)]
    case("samples_blocks", "scan_exclusive_shared", 4, 64, args, {0: want.ravel()})
    y = R.integers(-9, 9, 3 * 256, dtype="i4")
    want = np.cumsum(y.reshape(3, 256), 1).astype("i4")
    args = [y, i4(32), zeros(3, "i4")]
    case("samples_blocks", "shfl_scan", 3, 256, args, {0: want.ravel(), 2: want[:, -1]}, shared=32)


def histograms():
    x = u4(2**32, 1000)
    want = np.bincount(x.view("u1"), minlength=256).astype("u4")
    case("samples_blocks", "histogram256", 3, 128, [zeros(256, "u4"), x, np.uint32(1000)], {0: want})
    words = x.reshape(-1, 4)
    six = np.concatenate([words[:, i] >> shift & 63 for i, shift in enumerate((2, 10, 18, 26))])
    want = np.bincount(six, minlength=64).astype("u4")
    case("samples_blocks", "histogram64", 2, 64, [zeros(64, "u4"), x, np.uint32(250)], {0: want})


def sorts():
    keys, values = u4(90, 256), np.arange(256, dtype="u4")
    want = np.sort(keys.reshape(2, 128), 1)

    def pairs(got, keys=keys, want=want):
        return bool((keys[got] == want.ravel()).all() and len(set(got.tolist())) == 256)

    args = [zeros(256, "u4"), zeros(256, "u4"), keys, values, np.uint32(128), np.uint32(1)]
    case("samples_blocks", "bitonic_sort_shared", 2, 64, args, {0: want.ravel(), 1: pairs})
    keys = np.random.default_rng(3).permutation(128).astype("u4") * 7
    order = np.argsort(keys, kind="stable").astype("u4")
    args = [keys, values[:128].copy(), np.uint32(128), np.uint32(1)]
    case("samples_blocks", "odd_even_merge_sort", 1, 64, args, {0: keys[order], 1: order})
    keys = u4(40, 128)
    order = np.argsort(keys, kind="stable").astype("u4")
    args = [keys, values[:128].copy(), np.uint32(128)]
    case("samples_blocks", "merge_sort_up", 1, 64, args, {0: keys[order], 1: order})
    order = np.argsort(-keys.astype("i8"), kind="stable").astype("u4")
    case("samples_blocks", "merge_sort_down", 1, 64, args, {0: keys[order], 1: order})
    keys = u4(2**32, 100)
    keys[50:] = keys[:50]
    order = np.argsort(keys, kind="stable").astype("u4")
    args = [keys, values[:100].copy(), np.uint32(100)]
    case("samples_radix", "radix_sort_block", 1, 128, args, {0: keys[order], 1: order})


def warps_and_atomics():
    x = np.zeros(128, "u4")
    x[32:64], x[70] = 5, 1
    warps = x.reshape(4, 32)
    every = np.repeat((warps != 0).all(1), 32).astype("u4")
    some = np.repeat((warps != 0).any(1), 32).astype("u4")
    case("samples_radix", "vote_any", 1, 128, [x, zeros(128, "u4")], {1: some})
    case("samples_radix", "vote_all", 1, 128, [x, zeros(128, "u4")], {1: every})
    t = np.arange(96)
    late = t >= 48
    want = np.stack([t >= 32, late, t >= 64], 1).astype("u1")
    case("samples_radix", "vote_struct", 1, 96, [zeros(288, "u1"), i4(32)], {0: want.ravel()})
    n = 256
    start = np.zeros(13, "i4")
    start[8] = start[10] = 0xFF
    bits, ored, xored = 0xFF, 0, 0xFF
    for i in range(n):
        bits &= 2 * i + 7
        ored |= 1 << i % 32
        xored ^= i

    def right(got):
        # Any thread may come last; as many steps of atomicInc and atomicDec are not.
        down = 0
        for _ in range(n):
            down = 137 if down == 0 or down > 137 else down - 1
        fixed = [10 * n, -10 * n, None, n - 1, 0, n % 18, down, None, bits, None, xored, n, 64 * 6]
        # A shift by 32 or more is 0 on a GPU and a processor's own here.
        good = all(w is None or g == w for g, w in zip(got.tolist(), fixed))
        return good and 0 <= got[2] < n and 0 <= got[7] < n

    case("samples_radix", "atomic_intrinsics", 4, 64, [start], {0: right})
    a, b, which = f4(200), f4(200), R.integers(0, 3, 200, dtype="i4")
    want = np.choose(which, [a + b, a * b, np.maximum(a, b)])
    case("samples_radix", "functions_by_table", 2, 128, [a, b, zeros(200), which, i4(200)], {2: want})
    i = np.arange(90)
    pushed = [list(range(k, k + min(k % 5 + 1, 8)))[::-1] for k in i]
    want = np.array([sum((r + 1) * e for r, e in enumerate(p)) for p in pushed], "i4")
    case("samples_radix", "objects", 3, 32, [zeros(90, "i4"), i4(90)], {0: want})
    x = R.integers(0, 99, 70).astype("f8")
    case("samples_radix", "timed", 3, 32, [x, i4(70)], {0: 3 * x})
    for shape in ((64, 64), (32, 96)):
        m = f4(*shape)
        args = [zeros(m.size), m.ravel(), i4(shape[1]), i4(shape[0])]
        grid = (shape[1] // 32, shape[0] // 32)
        case("samples_radix", "transpose_no_bank_conflicts", grid, (32, 8), args, {0: m.T.ravel()})


def mandelbrot():
    w, h, limit, scale = 45, 30, 60, 0.0625
    c = (-2 + np.arange(w) * scale)[None] + 1j * (-1 + np.arange(h) * scale)[:, None]
    rounds = np.zeros((h, w), int)
    x, y, xx, yy = (np.zeros((h, w)) for _ in range(4))
    alive = np.ones((h, w), bool)
    for _ in range(limit - 1):
        alive &= xx + yy < 4
        rounds += alive
        y = np.where(alive, x * y + x * y + c.imag, y)
        x = np.where(alive, xx - yy + c.real, x)
        yy, xx = np.where(alive, y * y, yy), np.where(alive, x * x, xx)
    # limit - i counts the step at which the loop ended too.
    m = np.where(rounds == limit - 1, 0, rounds + 1)
    want = np.stack([m * k & 255 for k in (3, 5, 7)] + [np.full((h, w), 255)], -1).astype("u1")
    args = [zeros(4 * w * h, "u1"), i4(w), i4(h), i4(limit), np.float64(-2), np.float64(-1), np.float64(scale)]
    args.append(bytes([3, 5, 7, 0]))
    case("samples_radix", "mandelbrot_persistent", 3, (16, 8), args, {0: want.ravel()})


def products_and_filters():
    for size in (16, 8):
        a, b = f4(32, 48), f4(48, 64)
        args = [zeros(32 * 64), a.ravel(), b.ravel(), i4(48), i4(64)]
        grid = (64 // size, 32 // size)
        case("samples_numeric", f"matrix_mul_{size}", grid, (size, size), args, {0: (a @ b).ravel()}, tol=1e-5)
    image, taps = f4(8, 96), np.array([0.5, 1, 2, -3, 4, 0.25, 1.5])
    want = np.stack([np.convolve(row.astype("f8"), taps, "same") for row in image])
    args = [zeros(768), image.ravel(), i4(96), i4(8), i4(96)]
    case("samples_numeric", "convolution_rows", (3, 2), (16, 4), args, {0: want.ravel()}, tol=1e-5)
    picture = f4(32, 64)
    k, i = np.mgrid[0:8, 0:8]
    basis = np.cos(np.pi * (2 * i + 1) * k / 16) * np.where(k == 0, math.sqrt(1 / 8), 0.5)
    blocks = picture.reshape(4, 8, 8, 8).transpose(0, 2, 1, 3).astype("f8")
    want = (basis @ blocks @ basis.T).transpose(0, 2, 1, 3).reshape(32, 64)
    args = [picture.ravel(), i4(64)]
    case("samples_numeric", "dct8x8", (2, 2), (8, 4, 2), args, {0: want.ravel()}, tol=1e-5)


def fields():
    for name, dtype, tol in (("bodies_float", "f4", 1e-4), ("bodies_double", "f8", 1e-12)):
        p = R.uniform(0, 1, (192, 4)).astype(dtype)
        r = p[None, :, :3].astype("f8") - p[:, None, :3]
        s = p[None, :, 3] / ((r**2).sum(-1) + 0.01) ** 1.5
        want = np.concatenate([(r * s[..., None]).sum(1), np.zeros((192, 1))], 1)
        args = [zeros(768, dtype), p.ravel(), i4(3)]
        case("samples_numeric", name, 3, 64, args, {0: want.ravel()}, shared=64 * 32, tol=tol)
    x, y, z = 32, 8, 5
    v = f4(z + 4, y + 4, x + 4)
    want, c = np.zeros_like(v), v.astype("f8")
    inside = (slice(2, -2),) * 3
    out = 0.5 * c[inside]
    for axis in range(3):
        for d, weight in ((1, 0.125), (2, -0.0625)):
            out = out + weight * (np.roll(c, d, axis) + np.roll(c, -d, axis))[inside]
    want[inside] = out
    args = [zeros(v.size), v.ravel(), i4(x), i4(y), i4(z)]
    case("samples_numeric", "fdtd3d", (2, 2), (16, 4), args, {0: want.ravel()}, tol=1e-5)
    p = R.uniform(-2, 2, (150, 4)).astype("f4")
    params = np.array([8, 4, 2], "u4").tobytes() + np.array([-2, -2, -2, 0.5, 0.5, 0.5, 0.4, 0.5, 0.02], "f4").tobytes()
    cell = np.floor((p[:, :3] + 2) / 0.5).astype(int) & np.array([7, 3, 1])
    hashes = (cell[:, 2] * 4 * 8 + cell[:, 1] * 8 + cell[:, 0]).astype("u4")
    r = p[None, :, :3].astype("f8") - p[:, None, :3]
    dist = np.sqrt((r**2).sum(-1))
    near = (dist < 0.8) & ~np.eye(150, dtype=bool)
    pull = np.where(near, -0.5 * (0.8 - dist) / np.where(near, dist, 1), 0)
    total = (r * pull[..., None]).sum(1)
    want = np.concatenate([total, np.clip(np.sqrt((total**2).sum(1)), 0, 1)[:, None]], 1)
    args = [zeros(150, "u4"), zeros(600), p.ravel(), np.uint32(150), params]
    case("samples_numeric", "particles", 3, 64, args, {0: hashes, 1: want.ravel()}, tol=1e-4)


def options():
    n = 300
    s, x, t = R.uniform(5, 30, n).astype("f4"), R.uniform(1, 100, n).astype("f4"), R.uniform(0.25, 10, n).astype("f4")
    r, v = 0.02, 0.3
    d1 = (np.log(s / x) + (r + 0.5 * v * v) * t) / (v * np.sqrt(t))
    n1, n2 = (np.array([0.5 * math.erfc(-d / math.sqrt(2)) for d in ds]) for ds in (d1, d1 - v * np.sqrt(t)))
    discount = np.exp(-r * t)
    call, put = s * n1 - x * discount * n2, x * discount * (1 - n2) - s * (1 - n1)
    args = [zeros(n), zeros(n), s, x, t, np.float32(r), np.float32(v), i4(n)]
    case("samples_numeric", "black_scholes", 2, 128, args, {0: call, 1: put}, tol=1e-5)
    steps, data, prices = 256, [], []
    for spot, strike, years in ((20.0, 22.0, 1.0), (30.0, 20.0, 2.0), (10.0, 40.0, 0.5)):
        dt = years / steps
        vdt, df = v * math.sqrt(dt), math.exp(-r * dt)
        up = (math.exp(r * dt) - math.exp(-vdt)) / (math.exp(vdt) - math.exp(-vdt))
        data.append([spot, strike, vdt, up * df, (1 - up) * df])
        value = np.maximum(spot * np.exp(vdt * (2.0 * np.arange(steps + 1) - steps)) - strike, 0)
        for _ in range(steps):
            value = up * df * value[1:] + (1 - up) * df * value[:-1]
        prices.append(value[0])
    args = [np.array(data).ravel(), zeros(3, "f8")]
    case("samples_numeric", "binomial_options", 3, 64, args, {1: prices}, tol=1e-12)


sums()
scans()
histograms()
sorts()
warps_and_atomics()
mandelbrot()
products_and_filters()
fields()
options()
