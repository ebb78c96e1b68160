# SPDX-License-Identifier: MIT
"""Cases of tensor.cu, fp8.cu and complex_class.cu: types of CUDA's further headers."""

import numpy as np

from cases import R, case, f4, i4, ints, zeros


def tensor():
    a, b = (R.integers(-8, 9, shape).astype("f2") for shape in ((32, 48), (48, 48)))
    want = 0.5 * (a.astype("f4") @ b.astype("f4"))
    args = [a.ravel(), b.T.ravel(), zeros(32 * 48), i4(32), i4(48), i4(48)]
    case("tensor", "product", 3, 64, args, {2: want.ravel()})
    a, b, c = (R.integers(-4, 5, shape).astype("f2") for shape in ((8, 16), (16, 32), (8, 32)))
    want = (c.astype("f4") + a.astype("f4") @ b.astype("f4")).astype("f2")
    case("tensor", "flat_tile", 1, 32, [a.T.ravel(), b.ravel(), c.T.ravel()], {2: want.T.ravel()})
    a, b = ints(-128, 128, 16, 16), ints(-128, 128, 16, 16)
    args = [a.astype("i1").ravel(), b.astype("i1").ravel(), zeros(256, "i4")]
    case("tensor", "bytes", 1, 32, args, {2: (a @ b + 5).ravel()})
    a, b, x, y = f4(16, 8), f4(8, 16), R.normal(size=(8, 4)), R.normal(size=(4, 8))

    def cut(v):
        return ((v.view("u4") + 0x1000) & ~np.uint32(0x1FFF)).view("f4").astype("f8")

    args = [a.ravel(), b.ravel(), zeros(256), x.ravel(), y.T.ravel(), zeros(64, "f8")]
    want = {2: (cut(a) @ cut(b)).ravel(), 5: (x @ y + 1).ravel()}
    case("tensor", "tf32_and_double", 1, 32, args, want, tol=1e-6)


def value(byte, digits, bias):
    """The number of a byte from the definition; None for what is no number."""
    fraction, exponent = byte & (1 << digits) - 1, byte >> digits & (1 << 7 - digits) - 1
    sign = -1.0 if byte & 128 else 1.0
    if digits == 3 and byte & 127 == 127 or digits == 2 and exponent == 31 and fraction:
        return float("nan")
    if digits == 2 and exponent == 31:
        return sign * float("inf")
    if exponent == 0:
        return sign * fraction * 2.0 ** (1 - bias - digits)
    return sign * (1 + fraction / (1 << digits)) * 2.0 ** (exponent - bias)


def nearest(x, digits, bias, saturate):
    """By a search among all numbers; of two equally near ones the even byte."""
    if np.isnan(x):
        return 0x7F
    sign, largest = (128 if np.signbit(x) else 0), 0x7E if digits == 3 else 0x7B
    above = value(largest, digits, bias) * 2 - value(largest - 1, digits, bias)  # as if the range went on
    table = [value(b, digits, bias) for b in range(largest + 1)] + [above]
    distances = [abs(abs(x) - v) for v in table]
    min_distance = min(distances)
    best = [b for b, d in enumerate(distances) if d == min_distance] if abs(x) < above else [largest + 1]
    byte = next((b for b in best if b % 2 == 0), best[0])
    return sign | (largest if saturate and byte > largest else byte)


def fp8():
    x = [0.0, -0.0, np.inf, -np.inf, np.nan, 448.0, 464.0, 463.9, 465.0, 57344.0, 61440.0, 61439.0, 1e300, 1e-300]
    steps = [value(b, d, bias) for d, bias in ((3, 7), (2, 15)) for b in range(0x7C)]
    between = [(a + b) / 2 for a, b in zip(steps, steps[1:])]
    near = [v * (1 + e) for v in between for e in (-1e-6, 1e-6)]
    x = np.array([*x, *steps, *between, *near, *(-np.array(between)), *R.normal(size=100)])
    with np.errstate(over="ignore"):
        single = x.astype("f4").astype("f8")
    rows = [
        [nearest(v, d, bias, s) for v in given]
        for given, d, bias, s in (
            (x, 3, 7, True),
            (x, 3, 7, False),
            (x, 2, 15, True),
            (x, 2, 15, False),
            (single, 3, 7, True),
            (single, 2, 15, True),
        )
    ]
    for row in rows[2:4]:  # of a double the upper bits of its NaN
        row[4] = 0x7E
    n = len(x)
    want = np.array(rows, "u1").ravel()
    case("fp8", "to_bytes", (n + 127) // 128, 128, [x, zeros(6 * n, "u1"), i4(n)], {1: want})
    four, five = (np.array([value(b, d, bias) for b in range(256)], "f4") for d, bias in ((3, 7), (2, 15)))

    def same(want):
        return lambda got: bool(np.array_equal(got, want, equal_nan=True))

    args = [zeros(256), zeros(256), zeros(256)]
    case("fp8", "from_bytes", 1, 256, args, {0: same(four), 1: same(five), 2: same(four)})
    x = 100 * f4(40, 4)
    bytes4 = np.array([[nearest(float(v), 3, 7, True) for v in row] for row in x], "u1")
    low = np.array([[nearest(float(v), 2, 15, True) for v in row[:2]] for row in x])
    back = np.stack([four[bytes4[:, 0]], four[bytes4[:, 3]], five[low[:, 0]], five[low[:, 1]]], 1)
    args = [x.ravel(), zeros(40, "u4"), zeros(160), i4(40)]
    case("fp8", "several", 1, 64, args, {1: bytes4.view("u4").ravel(), 2: back.ravel()})


def power(x, up, saturate):
    """The byte of E8M0 from the definition: the exponent of |x|, rounded."""
    if np.isnan(x):
        return 255
    if np.isinf(x):
        return 254 if saturate else 255
    if abs(x) <= 2.0**-127:
        return 0
    fraction, exponent = np.frexp(abs(x))  # at least a half
    byte = int(exponent) - 1 + 127 + (1 if up and fraction != 0.5 else 0)
    return min(byte, 254 if saturate or not up else 255)


def powers():
    x = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, -1e300, 1e-300, 3e38, 2.0**127, -(2.0**127), 1.5 * 2.0**127]
    steps = 2.0 ** np.arange(-149, 128)
    x = np.array(
        [*x, *steps, *(-steps), *(steps * 1.25), *(steps * (1 + 1e-12)), *np.random.default_rng(17).normal(size=50)]
    )
    n = len(x)
    with np.errstate(over="ignore"):
        single = x.astype("f4").astype("f8")
    rows = [
        [power(v, up, sat) for v in single] for up, sat in ((True, True), (True, False), (False, True), (False, False))
    ]
    rows += [[power(v, True, True) for v in x], [power(float(i << (i & 31)), True, True) for i in range(n)]]
    want = np.array(rows, "u1").ravel()
    case("fp8", "powers", (n + 127) // 128, 128, [x, zeros(6 * n, "u1"), i4(n)], {1: want})
    back = np.array([*(2.0 ** np.arange(-127.0, 128.0)), np.nan], "f4")

    def same(got):
        return bool(np.array_equal(got, back, equal_nan=True))

    case("fp8", "from_powers", 1, 256, [zeros(256), zeros(256)], {0: same, 1: same})
    v = np.random.default_rng(17).integers(-128, 129, (40, 4)).astype("f4")  # exact in 16 bits
    four = np.array([[nearest(float(e), 3, 7, True) for e in row] for row in v], "u1").view("u4").ravel()
    eight = np.array([[power(float(e), True, True) for e in row] for row in v], "u1").view("u4").ravel()
    want = np.stack([four, four, four, eight, eight, eight], 1)
    case("fp8", "constructed", 1, 64, [v.ravel(), zeros(240, "u4"), i4(40)], {1: want.ravel()})


def complexes():
    for name, kind, tol in (("in_float", "c8", 1e-5), ("in_double", "c16", 1e-13)):
        a, b = (R.normal(size=(2, 50)) + 1j * R.normal(size=(2, 50))).astype(kind)
        b[3] = a[3]
        c = (a + b) * 1j - 3
        want = [a + b, a - 2 * b, a * b, a / b, -c, a.conj() / 4 + 1 / b, abs(a) + 1j * np.angle(b)]
        want += [abs(a) ** 2 + 1j * (a.real + b.imag), np.exp(a), np.log(b), np.sqrt(a), a**b, np.sin(a) + np.cosh(b)]
        want += [a, (a == b) + 1j * (a != b)]
        flat = np.concatenate(want).astype("c16")

        def near(got, flat=flat, tol=tol):
            return bool(np.allclose(got, flat, rtol=tol, atol=tol))

        case("complex_class", name, 1, 64, [a, b, np.zeros(15 * 50, kind), i4(50)], {2: near})


tensor()
fp8()
powers()
complexes()
