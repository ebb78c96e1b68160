#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs over every dtype, with functions, complex numbers, index values, reductions and scans, against NumPy.

Functions are not the same in every bit everywhere, and what follows an error may enlarge it. So each node is held
against NumPy's op on what the library itself found for the node's operands, by the rules of ops.py: bit by bit or
within the row's limit. A failure tells the program's seed: programs_wide.py --only "seed 17 ". More programs:
ARR_RANDOM_PROGRAMS=5000, from another first one: ARR_TEST_SEED=123.
"""

import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
import ops
from oracle import arrpy
import arrexpr

ROWS = {row.name: row for row in ops.rows()}
FUNCTIONS = [
    "sqrt",
    "exp",
    "log",
    "sin",
    "cos",
    "tanh",
    "expm1",
    "log1p",
    "arctan",
    "arcsinh",
    "exp2",
    "log2",
    "log10",
    "sinh",
    "cosh",
    "angle",
    "cbrt",
    "degrees",
    "hypot",
    "arctan2",
    "logaddexp",
]
PLAIN = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "remainder",
    "fmod",
    "minimum",
    "maximum",
    "fmin",
    "fmax",
    "negative",
    "absolute",
    "square",
    "sign",
    "conjugate",
    "real",
    "imag",
    "floor",
    "ceil",
    "rint",
    "trunc",
    "equal",
    "less",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_not",
    "bitwise_and",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
    "bitwise_count",
    "isnan",
    "isfinite",
    "signbit",
    "copysign",
    "where",
    "clip",
    "gcd",
]
SHAPES = [(7, 5), (16, 33), (1, 1), (5, 1, 6), (530,), (0, 3)]
SMALL = ["float16", "float32", "int8", "int16", "uint8", "uint16", "bool"]  # what becomes bfloat16 by one rounding
CONSTANTS = [
    0,
    1,
    2,
    -1,
    3,
    0.5,
    -2.25,
    1e3,
    1j,
    True,
    np.float32(1.5),
    np.int8(3),
    np.uint16(9),
    np.uint64(7),
    np.float64(0.1),
    np.complex64(2 - 1j),
]


def lifted(row, d):
    """The dtype of the row's domain that takes an operand's; None where it refuses it."""
    if oracle.kind(d) in row.domain:
        return d
    if row.lift == "NONE" or oracle.kind(d) == "C":
        return None
    if row.lift.startswith("F64") or (row.lift == "UP_INT" and d == "bool"):
        return "float64"
    size = oracle.dtype(d).itemsize
    if d == "bool" and "I" in row.domain:
        return "int8"
    return {1: "float16", 2: "float32"}.get(size, "float64") if "F" in row.domain else None


def common(args):
    """The type that operands promote to; None where NumPy has no answer, or for bfloat16 beside others."""
    dtypes = {a.dtype.name for a in args if isinstance(a, (np.ndarray, np.generic))}
    if "bfloat16" in dtypes:
        return "bfloat16" if len(dtypes) == 1 and not any(isinstance(a, complex) for a in args) else None
    try:
        return np.result_type(*args).name
    except (OverflowError, TypeError):
        return None


def computing(row, args):
    """The dtype in which a row computes: what they promote to, or what each is lifted to."""
    if row.lift == "F64_EACH":  # each integer is lifted before it meets the others
        args = [np.float64(0) if isinstance(a, (np.ndarray, np.generic)) and a.dtype.kind in "biu" else a for a in args]
    d = common(args)
    if d is None or oracle.kind(d) in row.domain:
        return d
    if all(
        type(a) is int or np.asarray(a).dtype == bool for a in args
    ):  # beside truth values alone a number is an int64
        args = [np.int64(a) if type(a) is int else a for a in args]
    each = [lifted(row, a.dtype.name) if isinstance(a, (np.ndarray, np.generic)) else a for a in args]
    if None in each:
        return None
    d = common([np.ones(1, x) if isinstance(x, str) else x for x in each])
    return d if d and oracle.kind(d) in row.domain else None


class Node:
    """depth: 0 where every bit is known, 1 for a function of such nodes, 2 for what comes of these."""

    def __init__(self, number, value, check=None, depth=0):
        self.number, self.value, self.check, self.depth = number, value, check, depth

    @property
    def whole(self):
        return isinstance(self.value, np.ndarray)


class Program:
    def __init__(self, seed, device):
        r = random.Random(seed)
        self.e, self.nodes, self.inputs = arrexpr.Expr(), [], []
        self.shape = r.choice(SHAPES)
        for k in range(r.randint(1, 4)):
            own = (
                self.shape
                if k == 0
                else tuple(1 if r.random() < 0.2 else n for n in self.shape)[r.choice([0, 0, len(self.shape) - 1]) :]
            )
            data = oracle.sample(own[::-1], r.choice(oracle.ALL), seed * 11 + k, "tame").T
            self.inputs.append(arrpy.array(data.T, device=device).T)
            self.nodes.append(Node(self.e.input(k), np.broadcast_to(data, self.shape).copy()))
        axis = r.randrange(len(self.shape))
        index = np.arange(self.shape[axis]).reshape([-1 if k == axis else 1 for k in range(len(self.shape))])
        self.nodes.append(Node(self.e.index(axis), np.broadcast_to(index, self.shape).copy()))
        for x in r.sample(CONSTANTS, 3):
            self.nodes.append(Node(self.e.constant(x), x))
        size, tries = len(self.nodes) + r.randint(3, 24 if device == "host" else 8), 0
        while len(self.nodes) < size and tries < 400:
            tries += 1
            self.cast(r) if r.random() < 0.12 else self.op(r)

    def pick(self, r):
        return r.choice(self.nodes[-10:] if r.random() < 0.7 else self.nodes)

    def cast(self, r):
        node, to = self.pick(r), r.choice(oracle.ALL)
        if not node.whole:
            return
        source, wide = node.value.dtype.name, oracle.kind(to) == "C"
        if oracle.kind(source) == "F" and oracle.kind(to) in "IU" or oracle.kind(source) == "C" and not wide:
            return  # what lies outside may become anything
        if to == "bfloat16" and source not in SMALL or source == "bfloat16" and wide:
            return

        def check(report, label, got):
            want = node.value.astype(oracle.dtype(to))
            report.check(label, oracle.same(got, want), f"cast of {source} to {to}")

        self.nodes.append(
            Node(
                self.e.cast(node.number, oracle.dtype(to)),
                node.value.astype(oracle.dtype(to)),
                check,
                2 if node.depth else 0,
            )
        )

    def op(self, r):
        row = ROWS[r.choice(FUNCTIONS if r.random() < 0.4 else PLAIN)]
        nodes = [self.pick(r) for _ in range(row.nin)]
        values = [n.value for n in nodes]
        condition = row.inputs == "COND"
        same = values[1:] if condition else values
        if not any(isinstance(v, np.ndarray) for v in same) or condition and not nodes[0].whole:
            return
        d = computing(row, same)
        negative = any(type(v) is int and v < 0 for v in same)
        if (
            d is None
            or negative
            and oracle.kind(d) == "U"
            or row.name.endswith("_shift")
            and any(type(v) is int for v in same)
        ):
            return
        if row.inputs == "EXACT" and {oracle.kind(n.value.dtype.name) for n in nodes if n.whole} >= {"I", "U"}:
            return  # compared as they are, without one dtype; ufuncs.py has these

        def operands():
            shaped = [np.broadcast_to(np.asarray(n.value), self.shape) for n in nodes]
            return [
                np.ascontiguousarray(v).astype(bool if condition and k == 0 else oracle.dtype(d))
                for k, v in enumerate(shaped)
            ]

        def check(report, label, got):
            args = operands()
            ops.compare(report, f"{label} {row.name} {d}", row, d, args, got, ops.expected(row, d, args))

        want = ops.expected(row, d, operands())
        depth = max(n.depth for n in nodes)
        depth = min(2, depth + 1) if depth or not row.exact or d in oracle.COMPLEX else 0
        self.nodes.append(Node(self.e.op(row.name, *(n.number for n in nodes)), want, check, depth))


def run(report, seed):
    label = f"seed {seed} "
    p = Program(seed, report.device)
    made = [n for n in p.nodes if n.check]
    at = 0
    while at < len(made):
        some = made[at : at + 4]
        at += 4
        got = [g.numpy() for g in p.e.run_many([n.number for n in some], *p.inputs)]
        for node, g in zip(some, got):
            before, known = report.failures, g.dtype == node.value.dtype and g.shape == node.value.shape
            if known:
                node.check(report, label + f"node {node.number}", g)
            else:
                report.check(label + f"node {node.number}", False, f"{g.dtype}{g.shape}, NumPy {node.value.dtype}")
            if report.failures != before:
                p.e.node = node.number
                print(p.e.describe(*p.inputs))
                return
            node.value = g
    if not made:
        return
    # The same steps in the one program of the last node give the same bits.
    whole = p.e.run(*p.inputs, node=made[-1].number).numpy()
    report.check(
        label + "alone", oracle.same(whole, made[-1].value), f"{whole.ravel()[:4]} {made[-1].value.ravel()[:4]}"
    )
    r = random.Random(seed + 10**6)
    node = r.choice(made)
    kind = oracle.kind(node.value.dtype.name)
    if kind != "C" and node.value.dtype.name != "bfloat16" and node.depth < 2:
        folds(report, label, p, node, r.randrange(len(p.shape)))


def folds(report, label, p, node, axis):
    """A reduction and a scan of a node that do not depend on the order of steps."""
    v, floats = node.value, node.value.dtype.kind == "f"
    name, running = ("max", np.maximum.accumulate) if floats else ("sum", np.cumsum)
    p.e.node = node.number

    def same(what, got, want):
        # Loops of reductions may compute a function in other steps. Which of two zeros comes first is a matter of order.
        near = (
            node.depth == 1
            and floats
            and got.dtype == want.dtype
            and np.allclose(got, want, rtol=float(16 * np.finfo(v.dtype).eps), atol=0, equal_nan=True)
        )
        zero = want.dtype.type(0)
        report.check(
            f"{label}{what} {axis}",
            near or oracle.same(got + zero, want + zero),
            f"{p.e.describe(*p.inputs)[:600]}\n  {got.dtype} {got.ravel()[:3]} {want.dtype} {want.ravel()[:3]}",
        )

    if v.size:
        same(f"{name} over", p.e.reduce(name, *p.inputs, axis=axis).numpy(), np.asarray(getattr(v, name)(axis=axis)))
    same(f"scan {name} along", p.e.scan(name, *p.inputs, axis=axis).numpy(), running(v, axis=axis))


def main():
    report = oracle.Report(__doc__.splitlines()[0])
    first = int(os.environ.get("ARR_TEST_SEED", "0"))
    count = int(os.environ.get("ARR_RANDOM_PROGRAMS", "300" if report.device == "host" else "12"))
    for seed in range(first, first + count):
        if report.wants(f"seed {seed} "):
            run(report, seed)
    report.finish()


if __name__ == "__main__":
    main()
