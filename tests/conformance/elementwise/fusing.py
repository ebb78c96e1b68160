#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scopes of recorded operations: random sequences have the bits of the same operations that run at once.

A sequence makes arrays, views and releases, writes in place, reads, reduces and fails. It is played twice from one
seed, in a scope and without, and everything that was seen is compared. fusing.py --only "seed 17 "
"""

import pathlib
import random
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrfuse

HOST_DTYPES = [
    "bool",
    "int8",
    "int32",
    "int64",
    "uint8",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
]
# Over the fake each distinct kernel costs a compilation.
CUDA_DTYPES = ["int32", "float16", "float32"]
UNARY = ["negative", "absolute", "square", "floor", "sqrt", "exp", "sign", "isfinite", "logical_not", "reciprocal"]
BINARY = ["add", "subtract", "multiply", "divide", "minimum", "maximum", "less", "equal", "logical_and", "floor_divide"]
CUDA_UNARY, CUDA_BINARY = ["negative", "square"], ["add", "multiply", "maximum"]
SHAPES = [(6, 5), (5,), (1, 5), (6, 1), (33, 17), (17,), (2, 3, 4), (3, 4), (0, 3), (), (40000,)]


def same(x, y):
    """Equal bits, but that a nan is any nan."""
    if x.dtype != y.dtype or x.shape != y.shape:
        return False
    if x.tobytes() == y.tobytes():
        return True
    if x.dtype.kind == "c":
        return same(x.real.copy(), y.real.copy()) and same(x.imag.copy(), y.imag.copy())
    wide = (x.astype("f8"), y.astype("f8"))
    nan = np.isnan(wide[0])
    return np.array_equal(nan, np.isnan(wide[1])) and x[~nan].tobytes() == y[~nan].tobytes()


class Player:
    """Plays the sequence of a seed; `seen` is all that a program outside could have noticed."""

    def __init__(self, seed, device, length, shared=(), quiet=False):
        self.r, self.device, self.length, self.quiet = random.Random(seed), device, length, quiet
        self.host = device == "host"
        self.seen, self.pool = [], list(shared)
        self.dtypes = HOST_DTYPES if self.host else CUDA_DTYPES
        self.shapes = (
            self.r.sample(SHAPES[:-1], 3) + ([SHAPES[-1]] if self.host and seed % 8 == 0 else [])
            if self.host
            else [(6, 5), (5,)]
        )
        self.fixed = len(self.pool)
        for k in range(3):
            x = oracle.sample(self.r.choice(self.shapes), self.r.choice(self.dtypes), seed * 11 + k, "tame")
            self.pool.append(arrpy.array(x, device=device))

    def pick(self):
        # Mostly what is new, so that chains grow.
        return self.pool[max(self.r.randrange(len(self.pool)), self.r.randrange(len(self.pool)))]

    def writable(self):
        return self.pool[self.r.randrange(self.fixed, len(self.pool))]

    def note(self, a):
        self.seen.append(a.numpy())

    def large(self, *arrays):
        """True if arrays would broadcast to more than a test should compute."""
        try:
            shapes = [a.shape for a in arrays if isinstance(a, arrpy.Array)]
            return np.prod(np.broadcast_shapes(*shapes), dtype="f8") > 2e5
        except ValueError:
            return False

    def tried(self, f):
        """The result of f, or None and a note of its failure."""
        try:
            return f()
        except arrpy.Error as e:
            self.seen.append((e.status, str(e)))

    def keep(self, a):
        if a is not None:
            self.pool.append(a)
        while len(self.pool) - self.fixed > 9:
            del self.pool[self.r.randrange(self.fixed, len(self.pool))]

    def unary(self):
        a, name = self.pick(), self.r.choice(UNARY if self.host else CUDA_UNARY)
        self.keep(self.tried(lambda: arrpy.apply(name, a)))

    def binary(self):
        a, b, name = self.pick(), self.pick(), self.r.choice(BINARY if self.host else CUDA_BINARY)
        if self.r.random() < 0.3:
            b = self.r.choice([2, 3, 1, 0.5, np.float32(1.5)])
        if self.large(a, b):
            return
        self.keep(self.tried(lambda: arrpy.apply(name, a, b)))

    def ternary(self):
        a, b, m = self.pick(), self.pick(), self.pick()
        if self.large(a, b, m):
            return
        self.keep(self.tried(lambda: arrpy.apply("where", arrpy.apply("greater", m, a), a, b)))

    def pair(self):
        a, b = self.pick(), self.pick()
        if self.large(a, b):
            return
        for x in self.tried(lambda: arrpy.ufunc("divmod", a, b)) or []:
            if self.r.random() < 0.8:
                self.keep(x)

    def masked(self):
        a, m = self.pick(), self.pick()
        if self.large(a, m):
            return
        self.keep(self.tried(lambda: arrpy.ufunc("add", a, 1, where=arrpy.apply("less", m, a))))

    def cast(self):
        a, d = self.pick(), self.r.choice(self.dtypes)
        # The conversion of a float outside of the integers' range depends on the machine.
        if np.dtype(a.dtype).kind in "biu" or d.startswith(("float", "bfloat", "complex")):
            self.keep(self.tried(lambda: a.astype(d)))

    def view(self):
        a = self.pick()
        kind = self.r.choice(["T", "flip", "step", "copy", "reshape", "expand", "row", "contiguous"])
        f = {
            "T": lambda: a.T,
            "flip": lambda: a.flip(),
            "copy": lambda: a.copy("K"),
            "reshape": lambda: a.reshape(-1),
            "step": lambda: a[::2] if a.ndim else a,
            "expand": lambda: a.expand_dims(0),
            "row": lambda: a[0] if a.ndim and a.shape[0] else a,
            "contiguous": lambda: a.contiguous(),
        }[kind]
        self.keep(self.tried(f))

    def write(self):
        a, b = self.writable(), self.pick()
        name = self.r.choice(["add", "multiply"])
        kind = self.r.choice(["fill", "assign", "into", "overlap", "set", "whole"])
        if kind == "fill":
            self.tried(lambda: a.__setitem__(..., self.r.choice([0, 1, 2.5])))
        elif kind == "assign":
            self.tried(lambda: a.__setitem__(..., b))
        elif kind == "into":
            self.tried(lambda: arrpy.apply(name, a, b, out=a))
        elif kind == "overlap" and a.ndim and a.shape[0] > 1:
            self.tried(lambda: arrpy.apply(name, a[1:], a[:-1], out=a[1:]))
        elif kind == "set" and a.size:
            a.set(np.zeros(a.shape, a.dtype))
        else:
            self.tried(lambda: arrpy.apply(name, b, self.pick(), out=a))

    def reduce(self):
        a = self.pick()
        name = self.r.choice(["sum", "max", "any"])
        axis = self.r.choice([None, 0, -1])
        self.keep(self.tried(lambda: arrpy.reduce(name, a, axis=axis)))

    def scan(self):
        a = self.pick()
        self.keep(self.tried(lambda: arrpy.scan("cumsum", a, axis=0)))

    def read(self):
        a = self.pick()
        if self.quiet:
            return
        kind = self.r.choice(["numpy", "item", "text", "pointer", "other thread", "host", "flags"])
        if kind == "item":
            self.seen.append(self.tried(lambda: a.item()))
        elif kind == "text" and self.host:
            self.seen.append(str(a))
        elif kind == "pointer" and self.r.random() < 0.3:
            self.seen.append(a.data is None)
        elif kind == "other thread":
            t = threading.Thread(target=self.note, args=(a,))
            t.start()
            t.join()
        elif kind == "host":
            self.note(a.to_device("host"))
        elif kind == "flags":
            # That memory is shared may be seen for a moment while another thread computes it.
            self.seen.append((a.flags if not self.fixed else 0, a.strides, a.dtype))
        else:
            self.note(a)

    def drop(self):
        if len(self.pool) - self.fixed > 2:
            del self.pool[self.r.randrange(self.fixed, len(self.pool))]

    def play(self):
        steps = (
            [self.unary] * 4
            + [self.binary] * 10
            + [self.cast, self.view, self.view, self.write, self.drop, self.drop, self.reduce, self.read]
        )
        if self.host:
            steps += [self.ternary, self.ternary, self.pair, self.masked, self.scan]
        for _ in range(self.length):
            self.r.choice(steps)()
        return self

    def finish(self):
        for a in self.pool:
            self.note(a)
        self.pool.clear()
        return self.seen


def equal(x, y):
    if isinstance(x, np.ndarray):
        return isinstance(y, np.ndarray) and same(x, y)
    if isinstance(x, np.generic):
        return isinstance(y, np.generic) and same(np.asarray(x), np.asarray(y))
    return x == y


def compare(report, label, eager, lazy):
    bad = [k for k, (x, y) in enumerate(zip(eager, lazy)) if not equal(x, y)]
    detail = "" if not bad else f"of {len(eager)} things seen number {bad[0]} differs:\n{eager[bad[0]]}\n{lazy[bad[0]]}"
    report.check(label, not bad and len(eager) == len(lazy), detail or f"{len(eager)} and {len(lazy)} things seen")


def sequences(report):
    fused = arrfuse.counts()
    for seed in range(300 if report.device == "host" else 10):
        label = f"seed {seed} "
        if not report.wants(label):
            continue
        # Quiet: nothing is looked at before the scope has ended.
        quiet, flags = seed % 3 == 0, arrfuse.SHARED if seed % 5 == 0 else 0
        length = 60 if report.device == "host" else 16
        make = lambda: Player(seed, report.device, length, quiet=quiet)  # noqa: E731
        eager = make().play().finish()
        before = arrfuse.live()
        player = make()
        with arrfuse.scope(flags, small=seed % 7 != 0):
            player.play()
            lazy = [] if quiet else player.finish()
        lazy = lazy or player.finish()
        compare(report, label + "in a scope", eager, lazy)
        del player
        report.check(
            label + "leaves nothing", arrfuse.live() == before, f"objects, handles: {before}, then {arrfuse.live()}"
        )
    recorded, programs, skipped = arrfuse.counts(fused)
    print(f"{recorded} results recorded, {programs} programs, {skipped} skipped")
    report.check("sequences are fused", report.only or recorded == 0 or programs + skipped < 0.9 * recorded)


def threads(report):
    """Each thread plays in a scope of its own, all with the same operands, some of which are not computed yet."""

    def shared():
        base = [arrpy.array(oracle.sample((6, 5), "float32", k, "tame"), device=report.device) for k in range(3)]
        # Read-only, as views of them may be written otherwise.
        return [a.broadcast_to(a.shape) for a in base + [base[0] * base[1], base[2] + 1]]

    count = 4
    length = 120 if report.device == "host" else 12
    operands = shared()
    eager = [Player(900 + k, report.device, length, operands).play().finish() for k in range(count)]
    with arrfuse.scope():
        operands = shared()
        lazy, problems = [None] * count, []

        def work(k):
            try:
                with arrfuse.scope():
                    lazy[k] = Player(900 + k, report.device, length, operands).play().finish()
            except Exception as e:  # told by the main thread
                problems.append(repr(e))

        all_ = [threading.Thread(target=work, args=(k,)) for k in range(count)]
        for t in all_:
            t.start()
        for t in all_:
            t.join()
    report.check("threads finish", not problems, "; ".join(problems))
    for k in range(count):
        compare(report, f"thread {k}", eager[k], lazy[k] or [])


def main():
    report = oracle.Report(__doc__.splitlines()[0])
    sequences(report)
    if report.wants("threads"):
        threads(report)
    report.finish()


if __name__ == "__main__":
    main()
