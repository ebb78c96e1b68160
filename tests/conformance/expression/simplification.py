#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Simplified programs of formulas against NumPy."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrexpr
from expressions import close


def simplification(report):
    special = {
        d: np.concatenate([oracle.specials(d), oracle.sample((40,), d, 5)])
        for d in ("float32", "float16", "int8", "uint16", "complex64", "bool")
    }
    rules = [
        "a*1",
        "1*a",
        "a + 0",
        "0 + a",
        "a - 0",
        "a - 0.0",
        "a + 0.0",
        "a/1",
        "--a",
        "~~a",
        "not not a",
        "+a",
        "a | 0",
        "a ^ 0",
        "a << 0",
        "conj(conj(a))",
        "abs(abs(a))",
        "a*(3 - 2)",
        "float64(float32(a))",
        "float32(float64(a))",
        "a*0",
        "bool(bool(a))",
    ]
    for text in rules:
        for d, x in special.items() if report.device == "host" else [("float32", special["float32"])]:
            e = arrexpr.parse(text)
            plain = (
                text.replace("not not a", "(a != 0)")
                .replace("conj", "np.conj")
                .replace("(3 - 2)", "1")
                .replace("bool(bool(a))", "(a != 0)")
            )
            plain = plain.replace("float64(float32(a))", "a.astype('f4').astype('f8')").replace(
                "float32(float64(a))", "a.astype('f8').astype('f4')"
            )
            try:
                want = np.asarray(eval(plain, {"a": x, "np": np}))
            except TypeError:
                report.check(f"{text} {d} refused", oracle.raises(arrpy.c.ARR_E_DTYPE, lambda: e.run(report.array(x))))
                continue
            got = e.run(report.array(x)).numpy()
            report.check(
                f"simplified {text} {d}",
                close(got, want, "abs" not in text),
                f"{got.dtype} {got[got != want][:4]} {want.dtype} {want[got != want][:4]}",
            )
    x = report.array(np.ones(3, "f4"))
    for text, formula in [
        ("a*1", "in0"),
        ("--a", "in0"),
        ("a + 0.0", "add(in0, 0)"),
        ("a*(int8(2) + int8(3))", "multiply(in0, 5)"),
        ("(a + 2)*(a + 2)", "v2 = add(in0, 2)\nmultiply(v2, v2)"),
        ("float32(float64(a))", "in0"),
        ("not not (a > 0)", "greater(in0, 0)"),
        ("index(0) + a", "add(float64(index(0)), float64(in0))"),
    ]:
        got = arrexpr.parse(text).describe(x).split("\ninputs")[0]
        report.check(f"describe {text}", got == formula, repr(got))
    deep = arrexpr.Expr()
    node = deep.input(0)
    for _ in range(200):
        node = deep.op("add", node, node)
    deep.node = node
    report.check("what is shared is told once", len(deep.describe(x)) < 10000)
    got = arrexpr.parse("sqrt(a*a + 1)").describe(x)
    report.check(
        "describe tells the cost",
        got.endswith("per element: 3 operations, 0 casts, 4 bytes read, 4 bytes written"),
        got,
    )


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((simplification,)):
        part(r)
    r.finish()
