# SPDX-License-Identifier: MIT
"""Parts that the conformance tests share: dtypes, layouts, special values, comparison in units in the last place.

A layout is a function that makes a view of a base array; NumPy's arrays and arrpy's take the same calls, so
the same function gives both sides their view, and the base shows whether anything outside was touched.
"""

import argparse
import os
import shlex
import sys
import warnings
import zlib

import numpy as np
from ml_dtypes import bfloat16

HERE = os.path.dirname(os.path.abspath(__file__))
# Suites of one family use functions of another's.
sys.path[1:1] = [f.path for f in os.scandir(HERE) if f.is_dir()]
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import arrpy  # noqa: E402

np.seterr(all="ignore")  # special values are the point
warnings.simplefilter("ignore")

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
ALL = ["bool"] + SIGNED + UNSIGNED + FLOATS + COMPLEX


def dtype(name):
    return np.dtype(bfloat16) if name == "bfloat16" else np.dtype(name)


def name_of(d):
    return np.dtype(d).name


def kind(name):
    return {"b": "B", "i": "I", "u": "U", "f": "F", "c": "C", "V": "F"}[dtype(name).kind]


# name -> (shape of the base for a view of this shape, view of a base)
def layouts_of(shape):
    rows, columns = shape
    yield "contiguous", shape, lambda a: a
    yield "transposed", (columns, rows), lambda a: a.T
    yield "step", (rows * 2, columns * 3), lambda a: a[::2, 1::3]
    yield "negative", shape, lambda a: a[::-1, ::-1]
    yield "offset", (rows + 3, columns + 2), lambda a: a[2:-1, 1:-1]
    yield "mixed", (columns, rows * 2), lambda a: a[::-1, ::2].T


SHAPES = [(3, 5), (1, 1), (0, 4), (1, 31), (1, 33), (2, 1025), (65, 70)]


def specials(name):
    d = dtype(name)
    if d.kind == "b":
        return np.array([False, True])
    if d.kind in "iu":
        i = np.iinfo(d)
        return np.array([0, 1, 2, 3, i.max, i.max - 1, i.min, i.min + 1], dtype=d)
    if d.kind == "c":
        part = specials("float32" if d.itemsize == 8 else "float64").astype("f8")
        keep = part[np.isfinite(part) & (np.abs(part) < 1e10)]
        return np.array([complex(a, b) for a in keep for b in keep[:4]], dtype=d)
    f = {"float16": np.float16(6e-8), "bfloat16": dtype(name).type(1e-40)}.get(name)
    tiny = f if f is not None else np.finfo(d).smallest_subnormal
    values = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1,
        -1,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        3.1415927,
        10,
        -10,
        1e-3,
        88.0,
        -104.0,
    ]
    return np.array(values + [tiny], dtype="f8").astype(d)


def sample(shape, name, seed, kind_of=None):
    """Random values with the special ones strewn in."""
    r = np.random.default_rng(seed)
    d = dtype(name)
    if d.kind == "b":
        out = r.integers(0, 2, shape).astype(d)
    elif d.kind in "iu":
        i = np.iinfo(d)
        out = r.integers(max(i.min, -100), min(i.max, 100), shape).astype(d)
    elif d.kind == "c":
        out = (r.normal(size=shape) * 3 + 1j * r.normal(size=shape) * 3).astype(d)
    else:
        out = (r.normal(size=shape) * 4).astype(d)
    flat = out.reshape(-1)
    s = specials(name)
    if flat.size > 1 and kind_of != "tame":
        at = r.permutation(flat.size)[: min(len(s) * 2, flat.size // 2 + 1)]
        flat[at] = s[r.integers(0, len(s), len(at))]
    return out


def ulps(got, exact, d, of=None):
    """Distance of got from the exact (higher precision) value in units in the last place that dtype d has at `of`,
    at the exact value without that."""
    d = np.dtype(d)
    digits = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}[name_of(d)]
    low = {"float16": -24, "bfloat16": -133, "float32": -149, "float64": -1074}[name_of(d)]
    exact = np.asarray(exact, np.longdouble)
    got = np.asarray(got).astype(np.longdouble)
    with np.errstate(all="ignore"):
        of = exact if of is None else np.asarray(of, np.longdouble)
        exponent = np.frexp(np.where(of == 0, 1, of))[1].astype("i4") - 1
        unit = np.ldexp(np.longdouble(1), np.maximum(exponent - digits, low))
        distance = np.abs(got - exact) / unit
    same = (got == exact) | (np.isnan(got) & np.isnan(exact))
    # Overflow: the exact value lies beyond the largest number by less than rounding reaches.
    big = np.longdouble(3.3895313892515355e38 if name_of(d) == "bfloat16" else np.finfo(d).max)
    over = np.isinf(got) & (np.abs(exact) >= big) & (np.sign(got) == np.sign(exact))
    return np.where(same | over, 0, np.where(np.isnan(got) | np.isnan(exact) | np.isinf(got), np.inf, distance))


def sample_of(device):
    """N: the layers of tests/run.sh take one in N of all cases, by their labels; of CUDA's, which each compile kernels,
    maybe fewer."""
    fewer = "ARR_TEST_CUDA_ONE_IN" if device == "cuda" and "ARR_TEST_ONE_IN" not in os.environ else ""
    return int(os.environ.get(fewer or "ARR_TEST_ONE_IN", "1"))


class Report:
    """Counts cases; prints the first failures; its exit code says whether there were any."""

    def __init__(self, description):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--device", default="host", help="host or cuda")
        parser.add_argument("--only", help="cases whose label has this text")
        parser.add_argument("--part", default="0/1", help="K/N: of N parts the K-th, from 0")
        parser.add_argument("--one-in", type=int, default=1, help="N: a sample of a suite that samples")
        options = parser.parse_args()
        self.device, self.only = options.device, options.only
        self.part, self.parts = map(int, options.part.split("/"))
        # The cases left out for time turn with the seed; nothing is left out where all is asked for.
        self.seed = int(os.environ.get("ARR_TEST_SEED", "0"))
        self.whole = os.environ.get("ARR_TEST_WHOLE", "0") not in ("", "0")
        self.one_in = 1 if self.whole else options.one_in
        one_in = sample_of(self.device)
        self.labels_one_in = 1 if self.whole or self.only else one_in
        self.cases = self.failures = 0
        self.shown = {}
        if not arrpy.has_device(self.device):
            print(f"skipped: {self.device} does not work here: " + probe(self.device))
            sys.exit(77)

    def wants(self, label):
        """True if the case of this label is to run: asked for by --only, and in the sample of labels."""
        if self.only:
            return self.only in label
        return self.labels_one_in == 1 or (zlib.crc32(label.encode()) + self.seed) % self.labels_one_in == 0

    def turn(self, items):
        """The items of this turn, at least one: a fraction of them in the quick layer, otherwise all."""
        n = min(self.labels_one_in, len(items))
        return [item for i, item in enumerate(items) if (i - self.seed) % n == 0] if items else []

    def chosen(self, functions):
        """The functions of a suite that are to run: those that --only names, else those whose turn it is."""
        if self.only:
            return [f for f in functions if self.only in f.__name__]
        return self.turn(functions)

    def mine(self, number):
        """True if the item of this number belongs to this part."""
        return number % self.parts == self.part

    def sampled(self, number):
        """True if the case of this number is in the sample."""
        return (number + self.seed) % self.one_in == 0

    def check(self, label, good, detail=""):
        self.cases += 1
        if good:
            return
        self.failures += 1
        # A few of each kind say more than many of one.
        family = " ".join(label.split()[:2])
        self.shown[family] = self.shown.get(family, 0) + 1
        if self.shown[family] <= 3:
            print(f"FAILED {label} {detail}")

    def array(self, x):
        return arrpy.array(x, device=self.device)

    def finish(self):
        """Ends the program. A sample that holds no case is taken again, twice as large; no case at all is a failure."""
        if self.cases == 0 and self.labels_one_in > 1:
            sys.stdout.flush()
            os.environ["ARR_TEST_ONE_IN"] = str(self.labels_one_in // 2)
            # An emulated Python is no program of this machine.
            run = shlex.split(os.environ.get("ARR_TEST_PYTHON", "")) or [sys.executable]
            os.execv(run[0], [*run, "-B", *sys.argv])
        seed = f", ARR_TEST_SEED={self.seed}" if self.seed else ""
        print(f"{self.cases} cases on {self.device}, {self.failures} failed{seed}")
        sys.exit(1 if self.failures or self.cases == 0 else 0)


def probe(device):
    import ctypes

    state = ctypes.c_int32()
    kind_number = arrpy.device_of(device).type
    return arrpy.text_of("arr_backend_probe", kind_number, ctypes.byref(state)).strip().replace("\n", "; ")


def raises(status, call):
    """True if the call fails with this status."""
    try:
        call()
    except arrpy.Error as e:
        return e.status == status
    return False


def same(a, b):
    """Equal in every value, NaNs in the same places, zeros of the same sign."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind in "fcV":
        a, b = (v.astype("c16" if v.dtype.kind == "c" else "f8") for v in (a, b))
        if a.dtype.kind == "c":
            return same(a.real.copy(), b.real.copy()) and same(a.imag.copy(), b.imag.copy())
        nan = np.isnan(a)
        return bool(
            np.array_equal(nan, np.isnan(b))
            and np.array_equal(a[~nan], b[~nan])
            and np.array_equal(np.signbit(a[~nan]), np.signbit(b[~nan]))
        )
    return bool(np.array_equal(a, b))
