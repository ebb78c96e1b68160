#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every pair of two kinds of indices in one expression, in views of every layout and with every rule for indices out of
range: read, written and updated, against NumPy 2.

Kinds are slices, integers, lists of every layout, and masks of one to three axes with no, one, two or only true elements.
index_fuzz.py has longer expressions at random. ARR_TEST_SEED turns the elements, --only "pair 12 " repeats one case.
"""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from index_fuzz import Case, View
from indexing import C
from index_bounds import in_mode
from oracle import arrpy

MASK_EXTENTS = (3, 2, 2)
LISTS = ("list", "reversed", "stepped", "broadcast", "empty", "one", "int32", "uint8", "matrix")
MASKS = tuple(f"mask{axes} {count}" for axes in (1, 2, 3) for count in ("none", "one", "two", "all"))
KINDS = (":", "1:", "::-1", "integer", *LISTS, *MASKS)
LAYOUTS = ("C", "F", "stepped", "negative", "interleaved")
EXTENT = 4  # of an axis with any other index than a mask
CUDA_ONE_IN = 199  # each case over the fake costs compilations


class Layout(View):
    """A view of this shape with a layout that has a name."""

    def __init__(self, r, shape, name):
        self.name, self.wide, ndim = name, None, len(shape)
        self.order = list(range(ndim))[::-1] if name == "F" else list(range(ndim))
        step = {"stepped": 2, "negative": -1}.get(name, 1)
        self.cut = [slice(None, None, step)] * ndim
        self.base = [shape[axis] * abs(step) for axis in self.order]
        self.shape, self.strides = shape, None
        if name == "interleaved":
            self.strides, last = interleaved(r, shape)
            self.base = [last + 1]

    def of(self, a):
        if self.strides is None:
            return super().of(a)
        if isinstance(a, arrpy.Array):
            n, shape, strides = len(self.shape), arrpy.int64s(self.shape), arrpy.int64s(self.strides)
            return arrpy.made("arr_as_strided", a.handle, n, shape, strides)
        return np.lib.stride_tricks.as_strided(a, self.shape, [s * a.itemsize for s in self.strides])

    def text(self):
        return f"{self.name} {self.strides}" if self.strides else self.name


def interleaved(r, shape):
    """Strides that are no multiples of each other and give each element an offset of its own; the last offset."""
    offsets, strides = np.zeros(1, "i8"), []
    for n in shape:
        limit = 3 * offsets.size + 3
        while True:
            stride = int(r.integers(2, limit))
            wider = (offsets[:, None] + stride * np.arange(n)).reshape(-1)
            if np.unique(wider).size == wider.size:
                break
            limit += 1
        offsets = wider
        strides.append(stride)
    return strides, int(offsets.max())


class Expression:
    """An index of each kind, for an axis or some of its own: `numpy` and `given` as in index_fuzz.Indices."""

    def __init__(self, report, r, kinds, mode):
        self.report, self.r, self.mode = report, r, mode
        self.numpy, self.given, self.text, self.shape = [], [], [], []
        masks = [self.mask(kind) for kind in kinds if kind.startswith("mask")]
        counts = [int(m.sum()) for m in masks if m.sum() != 1]
        self.length = counts[0] if counts else 3
        for kind in kinds:
            masks = self.add(kind, masks)

    def mask(self, kind):
        name, count = kind.split()
        x = np.zeros(MASK_EXTENTS[: int(name[4:])], bool)
        number = {"none": 0, "one": 1, "two": 2, "all": x.size}[count]
        x.reshape(-1)[self.r.permutation(x.size)[:number]] = True
        return x

    def add(self, kind, masks):
        """Adds an index; returns the masks that are left."""
        slices = {":": slice(None), "1:": slice(1, None), "::-1": slice(None, None, -1)}
        self.text.append(kind)
        if kind.startswith("mask"):
            self.numpy.append(masks[0])
            self.given.append(self.report.array(masks[0]))
            self.shape.extend(masks[0].shape)
            return masks[1:]
        self.shape.append(EXTENT)
        if kind in slices:
            self.numpy.append(slices[kind])
            self.given.append(slices[kind])
        elif kind == "integer":
            i = self.number()
            self.numpy.append(i if self.mode == "raise" else in_mode(i, EXTENT, self.mode))
            self.given.append(i)
        else:
            self.list(kind)
        return masks

    def number(self):
        far = 0 if self.mode == "raise" else 3 * EXTENT
        return int(self.r.integers(-EXTENT - far, EXTENT + far))

    def list(self, kind):
        n = {"empty": 0, "one": 1}.get(kind, self.length)
        x = np.array([self.number() for _ in range(n)], "i8")
        if kind == "uint8":
            x = np.abs(x) % EXTENT if self.mode == "raise" else np.abs(x)
        x = x.astype(kind if "int" in kind else "i8")
        make = self.report.array
        if kind == "broadcast" and n:
            x[:] = x[0]
            given = make(x[:1]).broadcast_to((n,))
        elif kind == "reversed":
            given = make(x[::-1].copy())[::-1]
        elif kind == "stepped":
            given = make(np.repeat(x, 2))[::2]
        else:
            if kind == "matrix":
                x = np.stack([x, x[::-1]])
            given = make(x)
        self.given.append(given)
        if self.mode != "raise":
            x = np.array([in_mode(int(i), EXTENT, self.mode) for i in x.flat], "i8").reshape(x.shape)
        self.numpy.append(x)


class Pair(Case):
    """A case of index_fuzz.py with these kinds of indices, perhaps with an axis before or behind them."""

    def __init__(self, report, k, kinds, layout, mode):
        self.report, self.k, self.mode = report, k, mode
        self.r = r = np.random.default_rng([report.seed, k])
        index = Expression(report, r, kinds, mode)
        if r.random() < 0.3:
            index.add(":", [])
        if r.random() < 0.3:
            for part in (index.numpy, index.given):
                part.insert(0, slice(None))
            index.text.insert(0, ":")
            index.shape.insert(0, 2)
        self.shape = tuple(index.shape)
        types = ("int32", "float64", "complex128", "uint8") if report.device == "host" else ("int32",)
        self.name = str(r.choice(types))
        self.view = Layout(r, self.shape, layout)
        self.base = np.array(oracle.sample(self.view.base, self.name, k, "tame"))
        self.take("pair", index)


def main():
    report = oracle.Report(__doc__)
    pairs = itertools.product(itertools.product(KINDS, KINDS), LAYOUTS, ("raise", "clip", "wrap"))
    for k, (kinds, layout, mode) in enumerate(pairs):
        if report.device != "host" and not report.only and not report.whole and (k + report.seed) % CUDA_ONE_IN:
            continue
        if report.wants(f"pair {k} "):
            case = Pair(report, k, kinds, layout, mode)
            try:
                case.run()
            except arrpy.Error as e:
                report.check(case.label, False, f"refused: {e}")
    report.finish()


if __name__ == "__main__":
    main()
