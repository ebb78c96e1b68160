#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""format_numpy.py [--device host|cuda] - arr_format must write as NumPy's str(), for every dtype of NumPy.

Needs ARR_LIBRARY. Exits 77 without NumPy 2.3 or later: before, float32 and float16 got exponents later.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
try:
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)
if tuple(int(n) for n in np.__version__.split(".")[:2]) < (2, 3):
    print(f"skipped: NumPy {np.__version__}, needs 2.3")
    sys.exit(77)

import arrpy  # noqa: E402

SHAPES = [
    (),
    (0,),
    (1,),
    (5,),
    (30,),
    (100,),
    (1001,),
    (3, 4),
    (0, 3),
    (40, 30),
    (2000, 2),
    (3, 400),
    (2, 3, 4),
    (7, 1, 150),
    (2, 2, 2, 2),
    (12, 13, 14),
]
rng = np.random.default_rng(20240607)
checks, wrong = 0, []
DEVICE = sys.argv[sys.argv.index("--device") + 1] if "--device" in sys.argv else "host"


def check(x, edge=0):
    global checks
    checks += 1
    a = arrpy.array(x, device=DEVICE)
    with np.printoptions(edgeitems=edge or 3):
        expected = str(np.asarray(x))
    got = arrpy.text_of("arr_format", a.handle, edge)
    if got != expected and len(wrong) < 10:
        wrong.append(f"{a.dtype} {a.shape}: got\n{got[:400]}\nexpected\n{expected[:400]}")


def reals(shape, kind):
    """Float64 of one kind: whole, mixed sizes, special values ..."""
    if kind == "whole":
        return rng.integers(-50, 50, shape).astype(float)
    if kind == "normal":
        return rng.normal(size=shape)
    if kind == "sizes":
        return rng.normal(size=shape) * 10.0 ** rng.integers(-8, 9, shape)
    if kind == "extreme":
        return 10.0 ** rng.integers(-300, 300, shape)
    if kind == "short":
        return np.round(rng.normal(size=shape) * 100, 2)
    if kind == "large":
        return rng.normal(size=shape) * 1e5
    if kind == "tenths":
        return rng.integers(0, 1001, shape) / 10
    choices = {
        "special": [0, -0.0, np.nan, np.inf, -np.inf, 1, 0.1, 1e-4, 99],
        "nan": [np.nan],
        "inf": [np.inf, 1.5],
        "-inf": [-np.inf, 1],
    }[kind]
    return np.asarray(rng.choice(choices, shape))


KINDS = ("whole", "normal", "sizes", "extreme", "short", "large", "tenths", "special", "nan", "inf", "-inf")


def arrays():
    for name in arrpy.NAMES:
        dtype = np.dtype(name)
        for shape in SHAPES:
            if dtype.kind == "b":
                check(rng.integers(0, 2, shape).astype(bool))
            elif dtype.kind in "iu":
                limits = np.iinfo(dtype)
                check(rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True))
                check(np.asarray(rng.integers(0, 100, shape)).astype(dtype))
            else:
                for kind in KINDS:
                    x = np.asarray(reals(shape, kind)).astype(dtype)
                    if dtype.kind == "c":
                        x.imag = reals(shape, rng.choice(KINDS))
                    check(x)


def scalars():
    for x in np.arange(65536, dtype=np.uint16).view(np.float16):
        check(x)
    for bits, dtype in ((np.uint32, np.float32), (np.uint64, np.float64)):
        random = rng.integers(0, np.iinfo(bits).max, 6000, dtype=bits).view(dtype)
        for x in random[:3000]:
            check(x)
        for i in range(0, len(random), 3):
            check(random[i : i + 3])
        for x, y in random.reshape(-1, 2)[:1000]:
            z = np.zeros((), "c8" if dtype is np.float32 else "c16")
            z.real, z.imag = x, y
            check(z)
    for e in range(-1074, 1024):
        check(np.float64(2.0**e))
    for e in range(-149, 128):
        check(np.float32(2.0**e))
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 2.5, 1e6, 1e16, 1e-5]
    for re in special:
        for im in special:
            for dtype in ("c8", "c16"):
                z = np.zeros(1, dtype)
                z.real, z.imag = re, im
                check(z)
                check(z[0])


def main():
    if not arrpy.has_device(DEVICE):
        print(f"skipped: no {DEVICE} device")
        return 77
    with np.errstate(all="ignore"):
        arrays()
        if DEVICE == "host":  # text is made on the host: elsewhere the way there is what matters
            scalars()
        for edge in (1, 2, 4, 600):
            for shape in ((1001,), (50, 50), (11, 11, 11, 11), (2000, 3)):
                check(rng.normal(size=shape), edge)
        wide = np.broadcast_to(np.arange(3.0), (500, 3))
        a = arrpy.array(np.arange(3.0), device=DEVICE).broadcast_to((500, 3))
        if str(a) != str(wide):
            wrong.append("a broadcast view")
    print(f"{checks} texts compared with NumPy {np.__version__}, {len(wrong)} differ")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
