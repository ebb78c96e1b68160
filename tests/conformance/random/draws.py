# SPDX-License-Identifier: MIT
"""Parts that the tests of random numbers share: generators, draws, chi square.

The tests of distributions are deterministic, for the seeds are fixed: a number that is off would stay so. Each takes
the Kolmogorov-Smirnov distance, or chi square of integers, where one in ten thousand right generators fails.
"""

import ctypes

import numpy as np
import scipy.stats as st

import oracle
from oracle import arrpy

C = arrpy.c


class Generator:
    def __init__(self, *seed, handle=None, kind=C.ARR_PHILOX4X32):
        self.handle = C.arr_generator() if handle is None else handle
        if handle is None:
            words = (ctypes.c_int64 * max(len(seed), 1))(*seed)
            arrpy.call("arr_generator_create_of", kind, len(seed), words, ctypes.byref(self.handle))

    def __del__(self):
        arrpy.lib.arr_generator_release(self.handle)

    @property
    def state(self):
        s = C.arr_generator_state(struct_size=ctypes.sizeof(C.arr_generator_state))
        arrpy.call("arr_generator_get_state", self.handle, ctypes.byref(s))
        return s.word0 % 2**64, s.counter % 2**64

    @state.setter
    def state(self, value):
        self.set(C.ARR_PHILOX4X32, value[:1], value[1])

    def set(self, kind, words, counter):
        s = C.arr_generator_state(ctypes.sizeof(C.arr_generator_state), kind, *words, counter=counter)
        arrpy.call("arr_generator_set_state", self.handle, ctypes.byref(s))

    def spawn(self, n):
        out = (C.arr_generator * n)()
        arrpy.call("arr_generator_spawn", self.handle, n, out)
        return [Generator(handle=C.arr_generator(h.value)) for h in out]


def where(report, shape, dtype):
    """dtype, ndim, shape, device, stream."""
    ndim = -1 if shape is None else len(shape)
    return arrpy.number(dtype), ndim, arrpy.int64s(shape or ()), ctypes.byref(arrpy.device_of(report.device)), None


def given(value):
    return None if value is None else ctypes.byref(arrpy.value(value))


def draw(report, g, name, parameters=(), shape=(), dtype=None):
    return arrpy.made(f"arr_random_{name}", g.handle, *map(given, parameters), *where(report, shape, dtype))


def draw_into(dst, g, name, parameters=()):
    arrpy.call(f"arr_random_{name}_into", dst.handle, g.handle, *map(given, parameters), None)


def bits(report, g, shape, dtype="uint32"):
    return arrpy.made("arr_random_bits", g.handle, *where(report, shape, dtype))


def integers(report, g, low, high, shape=None, dtype=None, endpoint=False):
    return arrpy.made(
        "arr_random_integers", g.handle, given(low), given(high), int(endpoint), *where(report, shape, dtype)
    )


def equal(report, label, got, want):
    if isinstance(got, (int, tuple)):
        return report.check(label, got == want, f"{got}, expected {want}")
    got = got.numpy() if hasattr(got, "numpy") else np.asarray(got)
    report.check(
        label, oracle.same(got, np.asarray(want)), f"{got.ravel()[:5]}, expected {np.asarray(want).ravel()[:5]}"
    )


def even(counts):
    return st.chisquare(np.asarray(counts).ravel()).pvalue > 1e-4


def chi_square(x, dist):
    """p-value of counts in cells of some expected size each."""
    n = len(x)
    cuts = np.unique(dist.ppf(np.linspace(0, 1, 42)[1:-1]))
    chances = np.diff(np.concatenate([[0], dist.cdf(cuts), [1]]))
    counts = np.histogram(x, np.concatenate([[-np.inf], cuts + 0.5, [np.inf]]))[0]
    keep = chances * n >= 8
    counts = np.append(counts[keep], counts[~keep].sum())
    chances = np.append(chances[keep], chances[~keep].sum())
    if chances[-1] * n < 8:
        counts, chances = np.append(counts[:-2], counts[-2:].sum()), np.append(chances[:-2], chances[-2:].sum())
    return 1.0 if len(counts) == 1 and counts[0] == n else st.chisquare(counts, chances * n).pvalue
