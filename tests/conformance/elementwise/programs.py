#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of up to 40 nodes against NumPy: mixed dtypes, layouts and constants, several results, reductions.

Every program has a seed of its own, printed with a failure: programs.py --only "seed 17 ".
"""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrexpr

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "float16", "float32", "float64"]
# Operations whose result is the same in every bit on every machine.
UNARY = [
    "negative",
    "positive",
    "absolute",
    "square",
    "invert",
    "logical_not",
    "floor",
    "ceil",
    "isnan",
    "isfinite",
    "sign",
]
BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "remainder",
    "minimum",
    "maximum",
    "equal",
    "less",
    "greater_equal",
    "logical_and",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
]
SHAPES = [(7, 5), (64, 33), (1, 1), (5, 1, 6), (1030,), (0, 3)]
LONG_SHAPES = [(3, 1_400_003), (1100, 3001), (4_200_001,), (2, 1, 2_100_017)]  # results are written past the caches
LONG_SEEDS = range(1000, 1024)


def view_of(r, shape, data):
    """(base, view of it with the shape), the same function for NumPy's arrays and the library's."""
    kind = r.choice(["plain", "reversed", "step", "transposed"])
    if kind == "reversed":
        index = tuple(slice(None, None, -1) for _ in shape)
        return data(shape), lambda a: a[index]
    if kind == "step":
        index = tuple(slice(None, None, 2) for _ in shape)
        return data(tuple(2 * n for n in shape)), lambda a: a[index]
    if kind == "transposed":
        return data(shape[::-1]), lambda a: a.T
    return data(shape), lambda a: a


class Program:
    """A random program, built in the library and computed by NumPy node by node."""

    def __init__(self, seed, device):
        r = random.Random(seed)
        self.e, self.values, self.nodes, self.inputs = arrexpr.Expr(), [], [], []
        shape = r.choice(LONG_SHAPES if seed in LONG_SEEDS else SHAPES)
        for k in range(r.randint(1, 4)):
            own = (
                shape
                if k == 0
                else tuple(1 if r.random() < 0.2 else n for n in shape)[r.choice([0, 0, len(shape) - 1]) :]
            )
            d = r.choice(DTYPES)
            base, view = view_of(r, own, lambda s, d=d, k=k: oracle.sample(s, d, seed * 7 + k, "tame"))
            self.inputs.append(view(arrpy.array(base, device=device)))
            self.add(self.e.input(k), view(base))
        constants = 0
        size = r.randint(3, 8 if seed in LONG_SEEDS else 40)
        while len(self.nodes) < size:
            what = r.random()
            if what < 0.12 and constants < 6:
                constants += 1
                x = r.choice(
                    [0, 1, 2, 3, 5, -1, 0.5, -2.25, True, np.float32(1.5), np.int8(3), np.float64(0.1), np.uint8(7)]
                )
                self.add(self.e.constant(x), x)
            elif what < 0.22:
                self.cast(r)
            else:
                self.op(r)
        self.whole = [k for k, v in enumerate(self.values) if isinstance(v, np.ndarray)]
        self.e.node = self.nodes[self.whole[-1]]

    def add(self, node, value):
        self.nodes.append(node)
        self.values.append(value)

    def cast(self, r):
        k = r.randrange(len(self.nodes))
        value, to = self.values[k], np.dtype(r.choice(DTYPES))
        # A float outside of the integers' range is anything.
        if isinstance(value, np.ndarray) and (value.dtype.kind in "biu" or to.kind in "fb"):
            self.add(self.e.cast(self.nodes[k], to), value.astype(to))

    def op(self, r):
        name = r.choice(UNARY + BINARY * 2 + ["where", "clip"])
        count = 1 if name in UNARY else 2 if name in BINARY else 3
        at = [r.randrange(max(0, len(self.nodes) - 12), len(self.nodes)) for _ in range(count)]
        args = [self.values[k] for k in at]
        if not any(isinstance(a, np.ndarray) for a in args):
            return
        if name == "where" and not isinstance(args[0], np.ndarray):
            return
        if name in ("where", "clip") and not any(isinstance(a, np.ndarray) for a in args[1:]):
            return  # NumPy's where(c, 1, 2) has a type of its own
        if name == "clip" and not isinstance(args[0], np.ndarray):
            return
        numbers = [a for a in args if type(a) is int]
        if any(a < 0 for a in numbers) and any(np.asarray(a).dtype.kind == "u" for a in args):
            return  # NumPy compares them all the same
        try:
            f = {"clip": lambda x, lo, hi: np.minimum(np.maximum(x, lo), hi)}.get(name) or getattr(np, name)
            if name == "clip" and len({np.asarray(a).dtype for a in args}) > 1:
                return  # in one type at once, which two steps of NumPy do not tell
            value = np.asarray(f(*args))
        except (TypeError, OverflowError):
            return
        if value.dtype.name in DTYPES:
            self.add(self.e.op(name, *(self.nodes[k] for k in at)), value)


def broadcast(value, shape):
    return np.broadcast_to(value, shape)


def run(report, seed):
    label = f"seed {seed} "
    p = Program(seed, report.device)
    shape = np.broadcast_shapes(*(i.shape for i in p.inputs))
    want = broadcast(p.values[p.whole[-1]], shape)
    got = p.e.run(*p.inputs).numpy()
    report.check(
        label + "run",
        oracle.same(got, want.copy()),
        f"{p.e.describe(*p.inputs)[:600]}\n  {got.dtype}{got.shape} NumPy {want.dtype}{want.shape} "
        f"{got[got != want][:4] if got.shape == want.shape else ''} {want[got != want][:4] if got.shape == want.shape else ''}",
    )
    if report.device != "host" and seed % 4:
        return
    r = random.Random(seed + 10**6)
    chosen = [r.choice(p.whole) for _ in range(r.randint(2, 4))]
    many = p.e.run_many([p.nodes[k] for k in chosen], *p.inputs)
    good = all(oracle.same(m.numpy(), broadcast(p.values[k], shape).copy()) for m, k in zip(many, chosen))
    report.check(label + "several results", good)
    k = r.choice(p.whole)
    value = broadcast(p.values[k], shape)
    axis = r.choice([None, *range(len(shape))])
    name = "sum" if value.dtype.kind in "biu" else "max"
    if value.size:
        want = np.asarray(getattr(value, name)(axis=axis))
        got = p.e.reduce(name, *p.inputs, axis=axis, node=p.nodes[k]).numpy()
        zero = want.dtype.type(0)
        report.check(
            label + f"{name} over {axis}", oracle.same(got + zero, want + zero), f"{got.ravel()[:3]} {want.ravel()[:3]}"
        )


def main():
    report = oracle.Report(__doc__.splitlines()[0])
    for seed in [*range(400), *LONG_SEEDS] if report.device == "host" else range(24):
        if report.wants(f"seed {seed} "):
            run(report, seed)
    report.finish()


if __name__ == "__main__":
    main()
