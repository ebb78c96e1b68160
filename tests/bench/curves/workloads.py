# SPDX-License-Identifier: MIT
"""The workloads of the curves: their types, their sizes, the numbers they work on, and how far results may differ."""

import dataclasses
import math
import typing

import numpy as np

VECTORS = tuple(10**k for k in range(1, 8))
SQUARES = 16, 64, 256, 1024, 2048
POWERS = 16, 128, 1024, 8192, 65_536, 1 << 20, 1 << 23  # butterflies in plain C++ take powers of two


@dataclasses.dataclass
class Workload:
    """operands(random, n) -> the arrays a, b, c of the statements. tolerance: of differences over the largest value.

    key: the name in the tables of statements. settle: seconds of rest before each side, where threads of a BLAS go on
    spinning after a call and would take the other side's cores.
    """

    key: str
    dtype: str
    sizes: tuple
    operands: typing.Callable
    tolerance: float
    group: str
    settle: float = 0.02

    @property
    def name(self):
        return f"{self.key} {self.dtype}"

    def elements(self, n):
        """The number of elements of a matrix, or of a vector."""
        return n * n if self.sizes is SQUARES or self.key == "distances" else n

    def inputs(self, n):
        return self.operands(np.random.default_rng(n), n)


def near(ours, peer, tolerance):
    """True if two lists of numbers agree, relative to the largest."""
    ours, peer = np.asarray(ours, "f8").ravel(), np.asarray(peer, "f8").ravel()
    if ours.size != peer.size:
        return False
    scale = max(float(np.max(np.abs(peer), initial=0)), 1e-300)
    return bool(np.max(np.abs(ours - peer), initial=0) <= tolerance * scale)


def alike(ours, peer):
    """True if two samples of one distribution have nearly one mean and spread."""
    limit = 8 / math.sqrt(len(ours))
    means, spreads = np.mean(ours) - np.mean(peer), np.std(ours) - np.std(peer)
    return bool(len(ours) == len(peer) and abs(means) < limit and abs(spreads) < limit)


def uniform(shapes, dtype):
    """Arrays of numbers in 0.25 .. 2.25; shapes(n) are theirs."""
    return lambda r, n: [(r.random(shape) * 2 + 0.25).astype(dtype) for shape in shapes(n)]


def normal(shapes, dtype):
    return lambda r, n: [r.standard_normal(shape).astype(dtype) for shape in shapes(n)]


def vectors(count):
    return lambda n: [(n,)] * count


def squares(count):
    return lambda n: [(n, n)] * count


def distinct(shapes):
    """Numbers without ties in float32, for which every library finds one answer."""
    return lambda r, n: [(r.permutation(math.prod(s)) / 4.0).astype("f4").reshape(s) for s in shapes(n)]


def choice(r, n):
    return [r.random(n) < 0.5, r.random(n).astype("f4"), r.random(n).astype("f4")]


def indexed(r, n):
    return [r.random(n).astype("f4"), r.integers(0, n, n)]


def solvable(r, n):
    return [r.standard_normal((n, n)) + n * np.eye(n), r.standard_normal(n)]


def complex_vector(r, n):
    return [(r.standard_normal(n) + 1j * r.standard_normal(n)).astype("c8")]


def elementwise():
    f4 = "float32"
    rows = [
        Workload("add", f4, VECTORS, uniform(vectors(2), "f4"), 0, "elements"),
        Workload("chain", f4, VECTORS, uniform(vectors(3), "f4"), 1e-5, "elements"),
    ]
    for name in ("exp", "sin", "tanh"):
        rows += [
            Workload(name, f4, VECTORS, normal(vectors(1), "f4"), 1e-5, "elements"),
            Workload(name, "float64", VECTORS, normal(vectors(1), "f8"), 1e-13, "elements"),
        ]
    return [
        *rows,
        Workload("where", f4, VECTORS, choice, 0, "elements"),
        Workload("cast of int8", f4, VECTORS, lambda r, n: [r.integers(-100, 100, n).astype("i1")], 0, "elements"),
        Workload("gelu", f4, VECTORS, normal(vectors(1), "f4"), 1e-5, "elements"),
        Workload("row, relu", f4, SQUARES, normal(lambda n: [(n, n), (n,)], "f4"), 0, "elements"),
        Workload("transposed copy", f4, SQUARES, normal(squares(1), "f4"), 0, "elements"),
        Workload("concatenate", f4, VECTORS, normal(lambda n: [(n // 2,), (n - n // 2,)], "f4"), 0, "elements"),
        Workload("take", f4, VECTORS, indexed, 0, "elements"),
        Workload("normal", f4, VECTORS, lambda r, n: [], None, "elements"),
        Workload("uniform", f4, VECTORS, lambda r, n: [], None, "elements"),
    ]


def reductions():
    f4, f8 = "float32", "float64"
    return [
        Workload("sum", f4, VECTORS, normal(vectors(1), "f4"), 1e-3, "reductions"),
        Workload("sum of rows", f4, SQUARES, normal(squares(1), "f4"), 1e-5, "reductions"),
        Workload("sum of columns", f4, SQUARES, normal(squares(1), "f4"), 1e-5, "reductions"),
        Workload("mean", f4, VECTORS, normal(vectors(1), "f4"), 1e-3, "reductions"),
        Workload("var", f4, VECTORS, normal(vectors(1), "f4"), 1e-3, "reductions"),
        Workload("max", f4, VECTORS, distinct(vectors(1)), 0, "reductions"),
        Workload("argmax", f4, VECTORS, distinct(vectors(1)), 0, "reductions"),
        Workload("argmax of rows", f4, SQUARES, distinct(squares(1)), 0, "reductions"),
        Workload("cumsum", f4, VECTORS, normal(vectors(1), "f4"), 1e-3, "reductions"),
        Workload("softmax of rows", f4, SQUARES, normal(squares(1), "f4"), 1e-5, "reductions"),
        Workload("sort", f4, VECTORS, normal(vectors(1), "f4"), 0, "order"),
        Workload("sort", f8, VECTORS, normal(vectors(1), "f8"), 0, "order"),
        Workload("argsort", f8, VECTORS, normal(vectors(1), "f8"), 0, "order"),
        Workload("unique", "int64", VECTORS, lambda r, n: [r.integers(0, n, n)], 0, "order"),
        Workload("median", f8, VECTORS, normal(lambda n: [(n - 1,)], "f8"), 1e-13, "order"),  # PyTorch's is the lower
        Workload("percentile", f8, VECTORS, normal(vectors(1), "f8"), 1e-13, "order"),
        Workload("histogram", f8, VECTORS, normal(vectors(1), "f8"), 1e-4, "order"),
    ]


def products():
    f4, f8, rest = "float32", "float64", 0.2  # NumPy's OpenBLAS spins for 2^28 cycles
    with_vector = normal(lambda n: [(n, n), (n,)], "f4")
    stacks = normal(lambda n: [(n, 4, 4)] * 2, "f4")
    return [
        Workload("dot", f4, VECTORS, normal(vectors(2), "f4"), 1e-3, "products", rest),
        Workload("matrix times vector", f4, SQUARES, with_vector, 1e-5, "products", rest),
        Workload("vector times matrix", f4, SQUARES, with_vector, 1e-5, "products", rest),
        Workload("matmul", f4, SQUARES, normal(squares(2), "f4"), 1e-5, "products", rest),
        Workload("matmul", f8, SQUARES, normal(squares(2), "f8"), 1e-13, "products", rest),
        Workload("matmul of 4 x 4", f4, (10, 1000, 100_000), stacks, 1e-5, "products", rest),
        Workload("distances", f8, (10, 30, 100, 300, 1000), normal(lambda n: [(n, 16)], "f8"), 1e-12, "products"),
        Workload("solve", f8, SQUARES, solvable, 1e-10, "products", rest),
        Workload("fft", "complex64", POWERS, complex_vector, 1e-5, "products"),
    ]


def all_workloads():
    return [*elementwise(), *reductions(), *products()]
