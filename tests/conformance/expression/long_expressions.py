#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Expressions of more inputs, constants, results or nodes than one loop takes: against the same in NumPy."""

import functools
import operator
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrexpr

SHAPES = [(6, 5), (5,), (6, 1), (), (1, 5)]


def chain(e, name, nodes):
    return functools.reduce(lambda x, y: e.op(name, x, y), nodes)


def sums(report):
    for n in (15, 16, 17, 18, 31, 40, 200) if report.device == "host" else (17, 40):
        for d in ("int64", "float64", "float16"):
            data = [oracle.sample(SHAPES[k % 5], d, k, "tame") for k in range(n)]
            arrays = [report.array(x) for x in data]
            label = f"sum of {n} {d}"
            if not report.wants(label):
                continue
            e = arrexpr.Expr()
            e.node = chain(e, "add", [e.input(k) for k in range(n)])
            want = functools.reduce(operator.add, data)
            report.check(label, oracle.same(e.run(*arrays).numpy(), want))
            into = report.array(np.zeros((6, 5), d))
            report.check(label + " into", oracle.same(e.run(*arrays, out=into).numpy(), want))
            # The destination is an operand of the first pass, and one of the last.
            for k in (0, n - 1):
                moved = data[:k] + [np.broadcast_to(data[k], (6, 5)).copy()] + data[k + 1 :]
                own = [report.array(x) for x in moved]
                e.run(*own, out=own[k])
                report.check(f"{label} into operand {k}", oracle.same(own[k].numpy(), want))
            if d == "int64":
                report.check(label + " reduced", oracle.same(e.reduce("sum", *arrays, axis=0).numpy(), want.sum(0)))
                report.check(label + " scanned", oracle.same(e.scan("sum", *arrays, axis=1).numpy(), want.cumsum(1)))
                mask = report.array(want % 2 == 0)
                got = e.reduce("max", *arrays, options=arrpy.reduce_options(where=mask, initial=-5)).numpy()
                report.check(label + " of a mask", got == want.max(initial=-5, where=want % 2 == 0))
                got = e.reduce("mean", *arrays, options=arrpy.reduce_options(where=mask)).numpy()
                report.check(label + " averaged", np.allclose(got, want.mean(where=want % 2 == 0), rtol=1e-12))


def polynomials(report):
    x = oracle.sample((1000,), "float64", 3, "tame")
    for n in (14, 15, 16, 17, 40, 300) if report.device == "host" else (17, 40):
        numbers = [0.5 + k / 8 for k in range(n)]
        e = arrexpr.Expr()
        node, want = e.constant(numbers[0]), np.float64(numbers[0])
        for number in numbers[1:]:
            node = e.op("add", e.op("multiply", node, e.input(0)), e.constant(number))
            want = want * x + number
        e.node = node
        report.check(f"polynomial of {n} coefficients", oracle.same(e.run(report.array(x)).numpy(), want))
    text = " + ".join(f"sin({k}.5)" for k in range(40))
    got = arrexpr.parse(text).run(report.array(x)).numpy()
    report.check("numbers only", got.shape == (1000,) and np.allclose(got, sum(np.sin(k + 0.5) for k in range(40))))


def depths(report):
    """More nodes than a loop has, of few inputs; values that are used many times."""
    x = oracle.sample((50, 3), "int64", 5)
    for n in (100, 260, 2000) if report.device == "host" else (130,):
        e = arrexpr.Expr()
        node, other, want, beside = e.input(0), e.input(1), x, x[:1]
        for _ in range(n):
            node, other = e.op("bitwise_xor", other, e.op("multiply", node, node)), e.op("add", node, other)
            want, beside = beside ^ want * want, want + beside
        e.node = e.op("subtract", node, other)
        got = e.run(report.array(x), report.array(x[:1])).numpy()
        report.check(f"{n} rounds of nodes", oracle.same(got, want - beside))
    report.check(
        "too many nodes",
        oracle.raises(
            arrpy.c.ARR_E_UNSUPPORTED, lambda: chain(e, "add", [e.input(0) for _ in range(arrexpr.stats().max_nodes)])
        ),
    )


def several(report):
    """As many results as inputs, in one call; destinations that are inputs too."""
    for n in (4, 5, 9, 16, 33) if report.device == "host" else (9,):
        data = [oracle.sample((8, 7), "int32", k) for k in range(n)]
        e = arrexpr.Expr()
        inputs = [e.input(k) for k in range(n)]
        total = chain(e, "add", inputs)
        nodes = [e.op("subtract", total, e.op("multiply", x, inputs[k - 1])) for k, x in enumerate(inputs)]
        whole = functools.reduce(operator.add, data)
        want = [whole - x * data[k - 1] for k, x in enumerate(data)]
        arrays = [report.array(x) for x in data]
        got = [g.numpy() for g in e.run_many(nodes, *arrays)]
        report.check(f"{n} results", all(oracle.same(g, w) for g, w in zip(got, want)))
        outs = [report.array(np.zeros((8, 7), "int32")) for _ in range(n)]
        for to, label in ((outs, "into new arrays"), (arrays, "into their operands")):
            arrpy.call(
                "arr_expr_run_many_into",
                n,
                arrexpr.handles(to),
                e.handle,
                arrpy.int32s(nodes),
                n,
                arrexpr.handles(arrays),
                None,
            )
            report.check(f"{n} results {label}", all(oracle.same(g.numpy(), w) for g, w in zip(to, want)))
    x = report.array(data[0])
    most = arrexpr.stats().max_outputs
    report.check(
        "too many results", oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: e.run_many([inputs[0]] * (most + 1), x))
    )
    report.check(
        "too many inputs", oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: e.run(*[x] * (arrexpr.stats().max_inputs + 1)))
    )


def indices(report):
    """Indices along axes of the whole shape, and reads at indices, in inner passes."""
    data = [oracle.sample((4, 1) if k % 2 else (7,), "int64", k) for k in range(30)]
    table = np.arange(100, 200)
    where = np.array([[3], [99], [0], [-1]])
    arrays = [report.array(x) for x in [*data, where, table]]
    e = arrexpr.Expr()
    parts = [e.op("multiply", e.input(k), e.index(k % 2)) for k in range(30)]
    e.node = e.op("add", e.gather(31, e.input(30)), chain(e, "add", parts))
    axes = np.arange(4)[:, None], np.arange(7)
    want = table[where] + sum(x * axes[k % 2] for k, x in enumerate(data))
    report.check("indices in passes", oracle.same(e.run(*arrays).numpy(), want))
    # The gather and an index in the first pass.
    e.node = chain(e, "add", [e.gather(31, e.input(30)), *parts])
    report.check("a read in the first pass", oracle.same(e.run(*arrays).numpy(), want))
    arrays[30] = report.array(where + 1)
    report.check("an index out of range", oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: e.run(*arrays).numpy()))
    # Inputs that no node reads give the shape too.
    e = arrexpr.Expr()
    e.node = chain(e, "add", [e.input(k) for k in range(30)])
    rows = [report.array(x[0, :] if x.ndim == 2 else x[:1]) for x in data]
    got = e.run(*rows, report.array(np.zeros((5, 3)))).numpy()
    report.check(
        "unread inputs",
        got.shape == (5, 3) and (got == np.add.reduce([x.ravel()[0] for x in data])).all(),
        str(got.shape),
    )


def random_graphs(report):
    r = random.Random(7)
    for trial in range(60 if report.device == "host" else 2):
        n, size = r.randint(1, 40), r.randint(20, 500)
        data = [oracle.sample(r.choice(SHAPES), "int64", trial * 100 + k) for k in range(n)]
        e = arrexpr.Expr()
        nodes = [e.input(k) for k in range(n)] + [e.constant(k) for k in range(1, 4)]
        values = [*data, 1, 2, 3]
        for _ in range(size):
            name = r.choice(["add", "subtract", "multiply", "maximum", "bitwise_and"])
            near = len(nodes) - 1 - min(int(r.expovariate(0.1)), len(nodes) - 1)
            far = r.randrange(len(nodes))
            if (
                near >= n
                and far >= n
                and not isinstance(values[near], np.ndarray)
                and not isinstance(values[far], np.ndarray)
            ):
                continue
            nodes.append(e.op(name, nodes[near], nodes[far]))
            with np.errstate(over="ignore"):
                values.append(getattr(np, name)(values[near], values[far]))
        chosen = [k for k in range(n + 3, len(nodes))][-r.randint(1, 12) :]
        if not chosen:
            continue
        arrays = [report.array(x) for x in data]
        shape = np.broadcast_shapes(*(x.shape for x in data))
        got = e.run_many([nodes[k] for k in chosen], *arrays)
        right = all(oracle.same(g.numpy(), np.broadcast_to(values[k], shape).copy()) for g, k in zip(got, chosen))
        report.check(f"graph {trial} of {n} inputs and {size} nodes", right)


def texts(report):
    e = arrexpr.Expr()
    e.node = chain(e, "add", [e.input(k) for k in range(40)])
    arrays = [report.array(np.ones((4, 5), "f4")) for _ in range(40)]
    report.check(
        "passes are reported", "passes: 3, with 2 temporary arrays" in e.describe(*arrays), e.describe(*arrays)
    )
    report.check("the texts of all passes", e.source(*arrays).count("arr_kernel(") == 3)
    short = arrexpr.parse("a + b").describe(*arrays[:2])
    report.check("one pass is not reported", "passes" not in short, short)


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((sums, polynomials, depths, several, indices, random_graphs, texts)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
