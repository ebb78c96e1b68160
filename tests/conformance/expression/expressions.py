#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Formulas, several outputs, index values, generated texts: against the same in NumPy."""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrexpr

# Formulas that Python evaluates to the same on NumPy arrays; and, or, not are written for it below.
FORMULAS = [
    "a + b*c - a/b",
    "-a**2 % 3",
    "a // b + 7 // 2 - 2**-1",
    "(a < b) & (b <= c) | ~(a == c)",
    "abs(a - b) * 2*pi",
    "where(a > b, a, -c)",
    "maximum(a, minimum(b, 3)) - +a",
    "sqrt(a*a + b*b)",
    "float32(a)*2 + 1.5e-1",
    "int32(where(abs(b) < 1000, b, 7)) << 2 ^ 5",  # of other numbers no integer is defined
    "clip(a, -1, 1) >= .5",
    "((a))*(((b)))",
    "a*1 + 0.0",
    "1e3*exp(-a*a)",
    "a - 3 - 2",
    "2**3**2 * a",
    "isnan(a*inf - inf)",
    "a % -3 + -7 % 3",
    "(a > 0) + 0x1F",
    "complex64(a) * 2j",
    "int16(5) * int8(a)",
    "float64(int8(b) + int8(100))",
]
ONE_SHAPE = [((7, 5), (7, 5), (7, 5)), ((4, 1, 6), (5, 1), (6,)), ((), (3,), (2, 1)), ((0, 4), (4,), (1,))]
FAULTS = [  # (formula, column)
    ("sqrt(a*a +", 11),
    ("a b", 3),
    ("a < b < c", 7),
    ("foo(a)", 1),
    ("1+", 3),
    ("(a", 3),
    ("a ** ", 6),
    ("2**64", 2),
    ("9999999999999999999", 1),
    ("1//0", 2),
    ("2 + where(a,b)", 5),
    ("a $ b", 3),
    ("a\xe9", 2),
    ("a + int8(300)", 5),
    ("(" * 1000, 201),
    ("-" * 1000, 200),
    ("not " * 1000, 801),
    ("a**" * 1000, 599),
    ("1e400", 1),
    ("1e", 1),
    ("0x", 1),
    ("", 1),
    ("not", 4),
    ("a not b", 3),
    ("float32()", 1),
    ("index(a)", 1),
    ("**a", 1),
    ("a,b", 2),
    ("a.b", 2),
    ("where(a,b,c,d)", 13),
    ("1_000", 1),
    ("2x", 1),
    ("a = b", 3),
    ("a)", 2),
    ("index(99)", 1),
    ("power(1)", 1),
]


def evaluate(formula, names, arrays):
    """The formula by Python on NumPy arrays; a cast of an array is astype."""

    def cast(d):
        return lambda x: x.astype(d) if isinstance(x, np.ndarray) else np.dtype(d).type(x)

    functions = {n: getattr(np, n) for n in ("abs", "where", "maximum", "minimum", "sqrt", "exp", "isnan", "clip")}
    functions |= {d: cast(d) for d in ("float32", "float64", "int8", "int16", "int32", "complex64")}
    return np.asarray(eval(formula, {**functions, "pi": np.pi, "inf": np.inf, **dict(zip(names, arrays))}))


def close(got, want, exact):
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if exact or got.dtype.kind in "biu":
        return oracle.same(got, want)
    return bool(
        np.allclose(got, want, rtol=1e-5 if got.dtype.itemsize <= 4 or got.dtype == "c8" else 1e-13, equal_nan=True)
    )


def formulas(report):
    for i, f in enumerate(FORMULAS):
        e = arrexpr.parse(f)
        names = e.names()
        for d in ("float64", "float32", "int32") if report.device == "host" else ("float32",):
            for shapes in ONE_SHAPE if report.device == "host" else ONE_SHAPE[:2]:
                data = dict(zip("abc", (oracle.sample(s, d, i + k) for k, s in enumerate(shapes))))
                arrays = [data[n] for n in names]
                label = f"{f} {d} {shapes}"
                if not report.wants(label):
                    continue
                try:
                    want = evaluate(f, names, arrays)
                except TypeError:
                    report.check(
                        label + " refused",
                        oracle.raises(arrpy.c.ARR_E_DTYPE, lambda: e.run(*map(report.array, arrays))),
                    )
                    continue
                got = e.run(*map(report.array, arrays)).numpy()
                exact = not any(w in f for w in ("exp", "**", "sqrt"))
                report.check(
                    label,
                    close(got, want, exact),
                    f"{got.dtype}{got.shape} {got.ravel()[:5]}, NumPy {want.dtype} {want.ravel()[:5]}",
                )
    a = oracle.sample((6, 5), "float32", 3)
    got = arrexpr.parse("not a or a and a > 1").run(report.array(a)).numpy()
    report.check("not, or, and", np.array_equal(got, ~(a != 0) | (a != 0) & (a > 1)))
    e = arrexpr.parse("y - x", "x", "y")
    x = np.arange(3.0)
    report.check("names given", np.array_equal(e.run(report.array(x), report.array(2 * x)).numpy(), x))
    report.check("names told", e.names() == ["x", "y"])
    inputs(report, [report.array(np.full(2, v)) for v in (1.0, 2.0, 3.0, 4.0, 5.0)])
    report.check("a name given may hide a constant", arrexpr.parse("e*2", "e").run(report.array(x)).numpy()[1] == 2)


def inputs(report, arrays):
    """As many arrays as the formula has variables; what it took for a constant is told."""

    def told(label, status, words, call):
        try:
            call()
            report.check(label, False, "accepted")
        except arrpy.Error as error:
            report.check(label, error.status == status and all(w in str(error) for w in words), str(error))

    bad = arrpy.c.ARR_E_ARGUMENT
    e = arrexpr.parse("4*c - u - d - l - e")
    want = "the formula has 4 variables: c, u, d, l; e is the constant 2.718281828459045"
    report.check("e is a constant", np.allclose(e.run(*arrays[:4]).numpy(), 4 - 2 - 3 - 4 - np.e))
    for run in (
        e.run,
        e.describe,
        lambda *a: e.reduce("sum", *a),
        lambda *a: e.scan("sum", *a, axis=0),
        lambda *a: e.run_many([e.node], *a),
        lambda *a: e.run(*a, out=arrays[0]),
    ):
        told("an array too many", bad, ["argument nin: 5, but " + want], lambda: run(*arrays))
        told("an array too few", bad, ["argument nin: 3, but " + want], lambda: run(*arrays[:3]))
    named = arrexpr.parse("4*c - u - d - l - e", *"cudle")
    report.check("e is a variable", named.run(*arrays).numpy()[0] == 4 - 2 - 3 - 4 - 5)
    told(
        "one variable",
        bad,
        ["nin: 2, but the formula has 1 variable: a; inf is the constant inf, pi is the constant 3.14"],
        lambda: arrexpr.parse("where(a < inf, pi*a, pi)").run(*arrays[:2]),
    )
    told(
        "no variable",
        bad,
        ["nin: 2, but the formula has 0 variables"],
        lambda: arrexpr.parse("index(0) + 1").run(*arrays[:2]),
    )
    report.check("an array for the shape", arrexpr.parse("index(0) + 1").run(arrays[0]).numpy().tolist() == [1, 2])
    more = arrexpr.parse("a + 1")
    more.node = more.op("add", more.node, more.input(1))
    report.check("nodes added to a formula", more.run(arrays[0], arrays[1]).numpy()[0] == 4)
    told("more than they use", bad, ["nin: 3, but"], lambda: more.run(*arrays[:3]))
    unused = arrexpr.parse("c + 1", "c", "q")
    report.check("a name that is not used", unused.run(*arrays[:2]).numpy()[0] == 2)
    for names, words in (
        (["c", "c"], "the name c is used twice"),
        (["c", ""], 'argument vars: "" at position 1 is not a name'),
        (["a b"], "is not a name"),
        (["2x"], "is not a name"),
        (["not"], "is not a name"),
        (["é"], '"é" at position 0'),
    ):
        told(f"names {names}", bad, ["argument vars: ", words], lambda: arrexpr.parse("c + 1", *names))
    hint = "; ^ is bitwise, a power is written **"
    told(
        "^ of floats",
        arrpy.c.ARR_E_DTYPE,
        ["argument in: bitwise_xor is not defined for float64" + hint],
        lambda: arrexpr.parse("a^2").run(arrays[0]),
    )
    told(
        "^ of numbers",
        bad,
        ["argument text: column 10: bitwise_xor is not defined for float64" + hint],
        lambda: arrexpr.parse("a * (2.0 ^ 3)"),
    )
    report.check("^ of integers", arrexpr.parse("a^2").run(report.array(np.array([3, 5]))).numpy().tolist() == [1, 7])
    told(
        "a letter that is none of a formula's",
        bad,
        ['column 5: "é" belongs to no formula'],
        lambda: arrexpr.parse("a + é"),
    )


def faults(report):
    for f, column in FAULTS:
        try:
            arrexpr.parse(f.encode("latin-1"))
            report.check(f"fault {f[:20]!r}", False, "accepted")
        except arrpy.Error as error:
            good = error.status == arrpy.c.ARR_E_ARGUMENT and f"argument text: column {column}: " in str(error)
            report.check(f"fault {f[:20]!r}", good, f"expected column {column}: {error}")
    report.check("another name", oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: arrexpr.parse("x + z", "x", "y")))
    report.check("too long", oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: arrexpr.parse("a+" * 40000)))
    r = random.Random(1)
    alphabet = [
        *"ab019.+-*/%()<>=&|^~,ej \n\0\xff",
        "**",
        "//",
        "where(",
        "float32(",
        "not ",
        "index(",
        "1e9",
        "pi",
        "**9**9",
    ]
    accepted = 0
    for _ in range(3000):
        text = "".join(r.choice(alphabet) for _ in range(r.randint(0, 40))).encode("latin-1")
        try:
            arrexpr.parse(text)
            accepted += 1
        except arrpy.Error as error:
            report.check(
                f"random text {text!r}", error.status == arrpy.c.ARR_E_ARGUMENT and "column" in str(error), str(error)
            )
    report.check("some random texts are formulas", accepted > 10, str(accepted))


def several(report):
    a, b = oracle.sample((33, 65), "float32", 1, "tame"), oracle.sample((65,), "float32", 2, "tame")
    for order in (lambda x: x, lambda x: x.T) if report.device == "host" else (lambda x: x,):
        e = arrexpr.Expr()
        x, y = e.input(0), e.input(1)
        total, product = e.op("add", x, y), e.op("multiply", x, y)
        nodes = [total, e.op("greater", total, product), e.cast(product, "float64"), x]
        first = order(report.array(order(a).copy()))
        got = [g.numpy() for g in e.run_many(nodes, first, report.array(b))]
        want = [a + b, a + b > a * b, (a * b).astype("f8"), a]
        report.check("several outputs", all(oracle.same(g, w) for g, w in zip(got, want)))
    one = e.run_many([total], report.array(a), report.array(b))[0].numpy()
    report.check("one output of many", oracle.same(one, a + b))
    report.check(
        "too many outputs",
        oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: e.run_many([x] * 2000, report.array(a), report.array(b))),
    )
    report.check(
        "no such node",
        oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: e.run_many([x, 99], report.array(a), report.array(b))),
    )
    report.check("empty", e.run_many([x, y], report.array(a[:0]), report.array(b))[1].shape == (0, 65))


def indices(report):
    for shape in [(4, 5, 6), (3000,)] if report.device == "host" else [(4, 5, 6)]:
        a = np.zeros(shape, "f4")
        for axis in range(-len(shape), len(shape)):
            want = np.broadcast_to(
                np.arange(shape[axis]).reshape([-1 if k == axis % len(shape) else 1 for k in range(len(shape))]), shape
            )
            got = arrexpr.parse(f"a + index({axis})*2").run(report.array(a)).numpy()
            report.check(f"index {shape} {axis}", oracle.same(got, a + want * 2))
    report.check(
        "index: no such axis",
        oracle.raises(
            arrpy.c.ARR_E_SHAPE, lambda: arrexpr.parse("a + index(1)").run(report.array(a[0, 0] if a.ndim > 1 else a))
        ),
    )
    x = np.asfortranarray(np.ones((50, 70)))
    got = arrexpr.parse("a*index(0) + index(1)").reduce("sum", report.array(x), axis=0).numpy()
    report.check("index in a reduction", oracle.same(got, (np.arange(50)[:, None] + np.arange(70.0)).sum(0)))


def numbers(report):
    """Numbers as operands: as the same numbers in the formula."""
    r = random.Random(3)
    for d in ("int8", "int64", "uint64", "float16", "float32", "float64", "complex64"):
        x, y = oracle.sample((3, 4), d, 1, "tame"), oracle.sample((4,), d, 2, "tame")
        for number in (0.5, 3, -2, True, 1j, 300):
            if not report.wants(f"{d} {number}"):
                continue
            for formula in ("x + k*y", "where(x > k, x, k)", "k - x", "x**2 + k"):
                if number == 1j and ">" in formula:
                    continue
                inline = formula.replace("k", f"({number})")
                e = arrexpr.parse(formula, "x", "k", "y")
                a, b = report.array(x), report.array(y)
                try:
                    want = arrexpr.parse(inline, "x", "y").run(a, b).numpy()
                except arrpy.Error as error:
                    status = error.status
                    report.check(
                        f"{formula} of {d} and {number} refused",
                        oracle.raises(status, lambda: e.call([e.node], a, number, b)),
                    )
                    continue
                label = f"{formula} of {d} and {number}"
                report.check(label, oracle.same(e.call([e.node], a, number, b)[0].numpy(), want))
                out = report.array(np.zeros((3, 4), want.dtype))
                e.call_into([out], [e.node], a, number, b)
                report.check(label + " into", oracle.same(out.numpy(), want))
    x = report.array(np.arange(5.0))
    for k in range(200):  # more numbers than are kept
        step = r.choice([0.25, 0.5, 1.0, k])
        got = arrexpr.evaluate("x + dt*x", x, step).numpy()
        report.check(f"step {k}", oracle.same(got, np.arange(5.0) * (1 + step)))
    e = arrexpr.parse("x*2 + y", "x", "y")
    doubled = e.op("multiply", e.node, e.input(1))
    got = [g.numpy() for g in e.call([e.node, doubled], x, 3)]
    report.check("two results", oracle.same(got[0], np.arange(5.0) * 2 + 3) and oracle.same(got[1], got[0] * 3))
    e.call_into([x, x], [doubled, e.node], x, 1)
    report.check("into an operand", oracle.same(x.numpy(), np.arange(5.0) * 2 + 1))
    bad = arrpy.c.ARR_E_ARGUMENT
    report.check("only numbers", oracle.raises(bad, lambda: arrexpr.evaluate("x + y", 1, 2)))
    report.check("more inputs than variables", oracle.raises(bad, lambda: arrexpr.evaluate("x + 1", x, 2)))
    e = arrexpr.Expr()
    e.node = e.gather(1, e.input(0))
    whole = report.array(np.arange(3))
    report.check("a number that is indexed", oracle.raises(bad, lambda: e.call([e.node], whole, 2)))
    report.check(
        "an index that is a number",
        e.call([e.op("add", e.gather(0, e.input(1)), e.input(2))], whole, 2, whole)[0].numpy().tolist() == [2, 3, 4],
    )
    for k in range(1100):  # more texts than are kept
        got = arrexpr.evaluate(f"x + {k}", whole).numpy()
        report.check(f"text {k}", got[0] == k)
    into = report.array(np.zeros(3, "f4"))
    arrexpr.evaluate("x / 2", whole, out=into)
    report.check("evaluated into", into.numpy().tolist() == [0, 0.5, 1])


def texts(report):
    x, y = report.array(np.ones((8, 64), "f4")), report.array(np.ones((64,), "f4"))
    before = arrexpr.stats()
    source = arrexpr.parse("sqrt(a*a + b)").source(x, y)
    report.check(
        "CUDA text", "arr_kernel(" in source and "arr_op_sqrt" in source and source.count("{") == source.count("}")
    )
    report.check("CUDA text follows the layout", source != arrexpr.parse("sqrt(a*a + b)").source(x[:, ::2], y[::2]))
    report.check(
        "the host has no text",
        oracle.raises(arrpy.c.ARR_E_UNSUPPORTED, lambda: arrexpr.parse("a*a").source(x, device_type=arrpy.c.ARR_HOST)),
    )
    report.check(
        "no such device type",
        oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: arrexpr.parse("a*a").source(x, device_type=77)),
    )
    arrexpr.parse("a*a*a*a - b*3").run(x, y)
    after = arrexpr.stats()
    report.check(
        "programs are counted",
        after.programs > before.programs and after.max_inputs >= 1024 and after.max_nodes >= 16384,
    )
    report.check("kernels are counted", (after.kernels > before.kernels) == (report.device != "host"))
    again = arrexpr.stats().programs
    arrexpr.parse("a*a*a*a - b*7").run(x, y)
    report.check("another constant is the same program", arrexpr.stats().programs == again)


def main():
    report = oracle.Report(__doc__)
    formulas(report)
    for part in report.chosen((faults, several, indices, numbers, texts)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
