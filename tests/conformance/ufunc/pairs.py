#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Formulas of two and more simple ops, which the host computes two at a time: every pair of ops in both orders, every layout, in
place, special values; values that several ops read or that are results themselves; integers that only change their sign."""

import itertools
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle

import arrexpr

OUTER = {"+": np.add, "-": np.subtract, "*": np.multiply}
INNER = {
    "x + y": np.add,
    "x - y": np.subtract,
    "x * y": np.multiply,
    "-x": lambda x, _: -x,
    "abs(x)": lambda x, _: np.abs(x),
    "square(x)": lambda x, _: x * x,
    "sqrt(x)": lambda x, _: np.sqrt(x),
}


def pair(outer, inner, turned):
    text = f"z {outer} ({inner})" if turned else f"({inner}) {outer} z"
    used = sorted(set(text) & set("xyz"))

    def want(x, y, z):
        a = INNER[inner](x, y)
        return OUTER[outer](z, a) if turned else OUTER[outer](a, z)

    return text, used, want


def pairs(report):
    sizes = (1, 127, 128, 129, 5000) if report.device == "host" else (129,)
    for number, (outer, inner, turned) in enumerate(itertools.product(OUTER, INNER, (False, True))):
        if report.device != "host" and number % 5:
            continue
        text, used, of = pair(outer, inner, turned)
        e = arrexpr.parse(text, *used)
        for dtype, n in itertools.product(("f4", "f8", "f2") if report.device == "host" else ("f4",), sizes):
            values = {k: oracle.sample(n, dtype, seed + n) for seed, k in enumerate("xyz")}
            want = of(*values.values())
            given = [report.array(values[k]) for k in used]
            report.check(f"{text} {dtype} {n}", oracle.same(e.run(*given).numpy(), want))
            if dtype == "f2":
                continue
            steps = [report.array(np.repeat(values[k], 2))[::2] for k in used]
            report.check(f"{text} {dtype} {n} of every second", oracle.same(e.run(*steps).numpy(), want))
            for k, into in zip(used, given):
                fresh = [report.array(values[k]) for k in used]
                to = fresh[used.index(k)]
                report.check(f"{text} {dtype} {n} in place of {k}", oracle.same(e.run(*fresh, out=to).numpy(), want))


def chains(report):
    x, y, z = (np.random.default_rng(s).normal(size=3000) for s in range(3))
    for text, want in (
        ("((x*y + z)*y + x)*y - z", ((x * y + z) * y + x) * y - z),
        ("x*y + z*x - sqrt(y*y)", x * y + z * x - np.sqrt(y * y)),
        ("(x*y) * (x*y) + x*y", (x * y) * (x * y) + x * y),
        ("(x - y) - (y - x) - (z - (x - y))", (x - y) - (y - x) - (z - (x - y))),
        ("-(x + y) * -(x - y)", -(x + y) * -(x - y)),
        ("where(x*y > z, x*y - z, z - x*y)", np.where(x * y > z, x * y - z, z - x * y)),
    ):
        names = sorted(set(text) & set("xyz"))
        got = arrexpr.parse(text, *names).run(*(report.array({"x": x, "y": y, "z": z}[k]) for k in names)).numpy()
        report.check(text, oracle.same(got, want))
        big = [np.tile(v, 700) for v in (x, y, z)]  # past the caches
        if report.device == "host":
            arrays = [report.array(dict(zip("xyz", big))[k]) for k in names]
            report.check(
                f"{text}, long", oracle.same(arrexpr.parse(text, *names).run(*arrays).numpy(), np.tile(want, 700))
            )


def results(report):
    """A first op whose value is a result too, and is read by two others."""
    x, y, z = (np.random.default_rng(s).normal(size=1000).astype("f4") for s in range(3))
    e = arrexpr.Expr()
    a, b, c = (e.input(i) for i in range(3))
    product = e.op("multiply", a, b)
    total = e.op("add", product, c)
    rest = e.op("subtract", c, e.op("square", total))
    arrays = [report.array(v) for v in (x, y, z)]
    got = [g.numpy() for g in e.run_many([product, total, rest], *arrays)]
    t = x * y + z
    for name, g, want in zip(("product", "total", "rest"), got, (x * y, t, z - t * t)):
        report.check(f"results: {name}", oracle.same(g, want))
    got = [g.numpy() for g in e.run_many([total, total], *arrays)]
    report.check("results: one twice", all(oracle.same(g, t) for g in got))


def signs(report):
    """Casts between integers of one size."""
    for one, other in (("i8", "u8"), ("i4", "u4"), ("i2", "u2"), ("i1", "u1")):
        x = oracle.sample(1000, np.dtype(one).name, 1)
        y = oracle.sample(1000, np.dtype(other).name, 2)
        e = arrexpr.Expr()
        a, b = e.input(0), e.input(1)
        turned = e.cast(a, np.dtype(other).name)
        nodes = [
            turned,
            e.op("right_shift", turned, b),
            e.op("maximum", turned, b),
            e.cast(turned, np.dtype(one).name),
            e.cast(e.op("add", turned, b), np.dtype(one).name),
            e.cast(turned, "float64"),
        ]
        y %= 8
        t = x.astype(other)
        want = [t, t >> y, np.maximum(t, y), x, (t + y).astype(one), t.astype("f8")]
        arrays = [report.array(x), report.array(y)]
        for k, w in enumerate(want):
            report.check(f"{one} as {other}, node {k}", oracle.same(e.run(*arrays, node=nodes[k]).numpy(), w))
        many = [g.numpy() for g in e.run_many([nodes[0], nodes[3], nodes[1]], *arrays)]
        report.check(f"{one} as {other}, several", all(oracle.same(g, w) for g, w in zip(many, (t, x, want[1]))))
        copy = report.array(x)
        back = e.run(copy, arrays[1], node=nodes[3], out=copy)
        report.check(f"{one} as {other} and back in place", oracle.same(back.numpy(), x))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for part in (pairs, chains, results, signs):
            part(r)
    r.finish()
