#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Types that a call asks for (NumPy's dtype=), and plain numbers that no type of the call holds, against NumPy 2.

Every op that NumPy has is asked for every type of result: the one that is computed in, not one that the result is
cast to. What NumPy refuses is refused.
"""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from ops import rows
from oracle import arrpy

import arrexpr

C = arrpy.c
TYPES = [d for d in oracle.ALL if d != "bfloat16"]
FROM = ["bool", "int8", "uint16", "int64", "float16", "float32", "complex64"]
PAIRS = {"divmod": 2, "modf": 1, "frexp": 1}


def numpys(name, args, **more):
    """The result, or None where NumPy refuses the types."""
    try:
        return getattr(np, name)(*args, **more)
    except TypeError:
        return None


def ours(name, args, **more):
    try:
        got = arrpy.ufunc(name, *args, **more)
    except arrpy.Error as e:
        if e.status != C.ARR_E_DTYPE:
            raise
        return None
    return [g.numpy() for g in got] if isinstance(got, list) else got.numpy()


def equal(got, want, exact):
    """True for results of one type: with the same values for exact ops, near ones for others."""
    if got is None or want is None or got.dtype != want.dtype:
        return got is want
    if exact and want.dtype not in (np.float16, np.complex64, np.complex128):
        return oracle.same(got, want)
    tolerance = {np.dtype("f2"): 2e-3, np.dtype("f4"): 1e-5, np.dtype("c8"): 1e-5}.get(want.dtype, 1e-12)
    wide = [v.astype("c16" if v.dtype.kind == "c" else "f8") for v in (got, want)]
    return np.allclose(*wide, tolerance, tolerance, True)


def operands(name, nin, d):
    """Numbers whose results do not fit in d but in larger types, where d is small; fine for every op."""
    if d == "bool":
        x = np.array([True, False, True, True])
    elif name in ("arcsin", "arccos", "arctanh", "expm1"):
        x = np.array([0, 1, 0, 1]).astype(d)
    else:
        x = np.array([100, 3, 7, 90]).astype(d)
    y = np.ones(4, d) if name in ("power", "float_power", "left_shift", "ldexp") else x[::-1].copy()
    return [x, y.astype("i8") if name == "ldexp" else y][:nin]


def every_op(report):
    cases = [r for r in rows() if isinstance(getattr(np, r.name, None), np.ufunc)]
    for k, (row, d, asked, casting) in enumerate(
        itertools.product(cases, FROM, TYPES, ("same_kind", "unsafe", "safe"))
    ):
        if report.device != "host" and (k * 7919 + report.seed) % 1201:
            continue  # a kernel each
        args = operands(row.name, row.nin, d)
        if row.name == "reciprocal" and d == "bool" or row.name == "bitwise_count" and oracle.kind(d) in "FC":
            continue  # 1 / 0 of integers; casts to the smallest integers that the dtype does not tell
        want = numpys(row.name, args, dtype=asked, casting=casting)
        got = ours(row.name, [report.array(a) for a in args], dtype=asked, casting=casting)
        if row.name == "ldexp" and want is None and got is not None:
            continue  # NumPy's exponents are of the platform's int or long
        report.check(
            f"{row.name} {d} dtype {asked} {casting}", equal(got, want, row.exact), f"gives {got}, expected {want}"
        )


def pairs(report):
    for (name, nin), d, asked in itertools.product(PAIRS.items(), ("int8", "float16", "float32", "int64"), TYPES):
        if report.device != "host" and (d, asked) not in (("int8", "float64"), ("float32", "float64")):
            continue
        args = operands(name, nin, d)
        want, got = numpys(name, args, dtype=asked), ours(name, [report.array(a) for a in args], dtype=asked)
        good = (got is None) == (want is None) and all(equal(g, w, True) for g, w in zip(got or (), want or ()))
        report.check(f"{name} {d} dtype {asked}", good, f"gives {got}, expected {want}")
    x = np.array([100, -100, 7], "i1")
    dst = [report.array(np.zeros(3, "f4")) for _ in range(2)]
    arrpy.ufunc_pair_into("divmod", dst, report.array(x), 3, dtype="f8")
    report.check(
        "divmod dtype into",
        all(oracle.same(g.numpy(), w.astype("f4")) for g, w in zip(dst, np.divmod(x, 3, dtype="f8"))),
    )


def ways(report):
    """Masks, destinations, outer products and plain numbers with a type that is asked for."""
    x, big = np.array([100, -100, 50], "i1"), np.array([1e30, 2, 3], "f4")
    m = np.array([True, False, True])
    dx, db, dm = map(report.array, (x, big, m))
    got = arrpy.ufunc("add", dx, dx, dtype="i8", where=dm).numpy()
    report.check("where", oracle.same(got, np.array([200, 0, 100])), f"{got}")
    got = arrpy.ufunc("multiply", dx, dx, dtype="i4", outer=True).numpy()
    report.check("outer", oracle.same(got, np.multiply.outer(x, x, dtype="i4")), f"{got}")
    for out, asked in (("f8", None), ("f8", "i8"), ("f8", "i1"), ("i8", None), ("i1", "i8"), ("f4", "f8")):
        a, n = (db, big) if out == "f4" else (dx, x)
        dst, want = report.array(np.zeros(3, out)), np.zeros(3, out)
        np.multiply(n, n, out=want, **({} if asked is None else {"dtype": asked}))
        arrpy.ufunc("multiply", a, a, out=dst, dtype=asked)
        report.check(f"into {out} dtype {asked}", oracle.same(dst.numpy(), want), f"{dst.numpy()} {want}")
        if asked is None:  # the destination does not choose the type
            arrpy.apply("multiply", a, a, out=dst)
            report.check(f"arr_multiply_into {out}", oracle.same(dst.numpy(), want), f"{dst.numpy()} {want}")
        dst, want = report.array(np.zeros((3, 3), out)), np.multiply.outer(n, n, dtype=asked).astype(out)
        arrpy.call(
            "arr_ufunc_outer_into",
            dst.handle,
            C.ARR_OP_MULTIPLY,
            a.handle,
            a.handle,
            ctypes.byref(arrpy.ufunc_options(dtype=asked)),
            None,
        )
        report.check(f"outer into {out} dtype {asked}", oracle.same(dst.numpy(), want), f"{dst.numpy()} {want}")
    report.check(
        "into refused",
        oracle.raises(
            C.ARR_E_DTYPE, lambda: arrpy.ufunc("divide", dx, dx, out=report.array(np.zeros(3, "i1")), dtype="f8")
        ),
    )
    for name, number, asked in itertools.product(("add", "power"), (300, -1, 1.5, 2j, True), TYPES):
        if report.device != "host" and (asked not in ("int64", "float64") or name == "power"):
            continue
        try:
            want = numpys(name, (x, number), dtype=asked)
        except (OverflowError, ValueError):  # and NumPy has no integer to a negative power
            want = "refused"
        try:
            got = ours(name, (dx, number), dtype=asked)
        except arrpy.Error as e:
            got = "refused" if e.status == C.ARR_E_ARGUMENT else e.status
        good = want == got if isinstance(want, str) else equal(got, want, True)
        both = isinstance(want, str) and got is None  # neither the array nor the number casts
        known = name == "power" and number == -1 and isinstance(want, str)
        report.check(f"{name} int8 {number} dtype {asked}", known or both or good, f"gives {got}, expected {want}")


def unsigned(k):
    """A plain number of 2^63 and more, as other languages have them."""
    v = arrpy.value(np.uint64(k))
    arrpy.lib.arr_value_weak(ctypes.byref(v))
    return v


def by_value(name, *operands):
    return arrpy.made(f"arr_{name}_v", *(ctypes.byref(v) for v in operands), None).numpy()


def large_numbers(report):
    for d, k in itertools.product(TYPES, (2**63, 2**64 - 1, 5)):
        if report.device != "host" and (d not in ("int8", "bool", "float32") or k != 2**63):
            continue
        x = np.array([0, 1, 5], d)
        a = report.array(x)
        for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
            # NumPy takes no number with bool that int64 does not hold.
            f = getattr(np, name)
            want = f(x.astype("u8") if d == "bool" else x, k), f(k, x.astype("u8") if d == "bool" else x)
            got = by_value(name, arrpy.value(a), unsigned(k)), by_value(name, unsigned(k), arrpy.value(a))
            report.check(f"{name} {d} {k}", all(oracle.same(g, w) for g, w in zip(got, want)), f"{got} {want}")
        fits = oracle.kind(d) in "FC" or k == 5 or d == "uint64"
        for name in ("add", "multiply", "maximum", "power", "copysign", "hypot"):
            try:
                want = getattr(np, name)(x, k)
            except OverflowError:
                want = None
            except TypeError:
                continue
            try:
                got = by_value(name, arrpy.value(a), unsigned(k))
            except arrpy.Error as e:
                got = None if e.status == C.ARR_E_ARGUMENT else e.status
            if want is None or want.dtype.kind in "biu":
                report.check(f"{name} {d} {k} fits", (want is None) == (not fits), "NumPy has another rule")
            good = got is None if want is None else equal(got, want, name != "power")
            report.check(f"{name} {d} and {k}", good, f"gives {got}, expected {want}")
    m = report.array(np.array([True, False]))
    for d, k in (("int8", 2**63), ("uint64", 2**63), ("float32", 2**63)):
        ones = report.array(np.ones(2, d))
        y = arrpy.value(ones)
        run = lambda: by_value("where", arrpy.value(m), y, unsigned(k))  # noqa: B023
        if d == "int8":
            report.check("where", oracle.raises(C.ARR_E_ARGUMENT, run))
            report.check("clip", oracle.raises(C.ARR_E_ARGUMENT, lambda: by_value("clip", y, unsigned(0), unsigned(k))))
        else:
            want = np.where([True, False], np.ones(2, d), np.array(k, d))
            report.check(f"where {d}", oracle.same(run(), want), f"{run()} {want}")
    ones = report.array(np.ones(2))
    report.check(
        "ldexp", oracle.raises(C.ARR_E_ARGUMENT, lambda: by_value("ldexp", arrpy.value(ones), unsigned(2**63)))
    )


def imaginary_parts(report):
    """A plain complex number is written to complex elements and to bool; elsewhere its imaginary part is no number."""

    def written(function, *more):
        def write(x, v):
            arrpy.call(
                function,
                x.handle,
                *(m(x) for m in more),
                ctypes.byref(v),
                *([0] if function == "arr_put" else []),
                None,
            )
            return x

        return write

    mask, at = report.array(np.ones(2, bool)), report.array(np.arange(2))
    ways = {
        "fill": written("arr_fill"),
        "putmask": written("arr_putmask", lambda x: mask.handle),
        "place": written("arr_place", lambda x: mask.handle),
        "put": written("arr_put", lambda x: at.handle),
        "full": lambda x, v: arrpy.made(
            "arr_full",
            arrpy.number(x.dtype),
            1,
            arrpy.int64s([2]),
            0,
            ctypes.byref(v),
            arrpy.device_of(report.device),
            None,
        ),
        "full_like": lambda x, v: arrpy.made("arr_full_like", x.handle, 0, 2, ctypes.byref(v), None),
        "set_items": lambda x, v: put_all(x, v),
    }
    for (way, run), d, k in itertools.product(ways.items(), TYPES, (1 + 2j, 2j, 1 + 0j)):
        if report.device != "host" and d not in ("int8", "bool", "complex64"):
            continue
        x = report.array(np.zeros(2, d))
        if k.imag == 0 or d == "bool" or oracle.kind(d) == "C":
            want = np.full(2, k if d == "bool" or oracle.kind(d) == "C" else k.real, d)
            got = run(x, arrpy.value(k)).numpy()
            report.check(f"{way} {d} {k}", oracle.same(got, want), f"{got} {want}")
        else:
            report.check(f"{way} {d} {k}", oracle.raises(C.ARR_E_DTYPE, lambda: run(x, arrpy.value(k))))  # noqa: B023


def put_all(x, v):
    arrpy.call("arr_set_items", x.handle, 0, None, ctypes.byref(v), 0, None)
    return x


def in_expressions(report):
    """Plain numbers of 2^63 and more as constants, and reductions of expressions with a type that does not cast."""
    for d, k in itertools.product(("bool", "int8", "int64", "uint64", "float32"), (2**63, 2**64 - 1)):
        if report.device != "host" and d != "int8":
            continue
        x = np.array([0, 1, 1], d)
        e = arrexpr.Expr()
        a, b = e.input(0), e._node("arr_expr_constant", ctypes.byref(unsigned(k)))
        for name in ("equal", "less", "greater_equal"):
            want = getattr(np, name)(x.astype("u8") if d == "bool" else x, k)
            got = e.run(report.array(x), node=e.op(name, a, b)).numpy()
            report.check(f"expression {name} {d} {k}", oracle.same(got, want), f"{got} {want}")
        total = e.op("add", a, b)
        if oracle.kind(d) == "F" or d == "uint64":
            got, want = e.run(report.array(x), node=total).numpy(), x + np.array(k, d)
            report.check(f"expression add {d} {k}", oracle.same(got, want), f"{got} {want}")
        else:
            report.check(
                f"expression add {d} {k}", oracle.raises(C.ARR_E_ARGUMENT, lambda: e.run(report.array(x), node=total))
            )  # noqa: B023
    e = arrexpr.Expr()
    doubled = e.op("add", e.input(0), e.input(0))
    for name, dtype in (("sum", "u8"), ("mean", "i8"), ("sum", "i4")):
        # A negative number has no defined conversion to an unsigned type: processors differ.
        f = np.array([1.75, 2.5 if dtype == "u8" else -2.5, 300])
        got = e.reduce(name, report.array(f), node=doubled, options=arrpy.reduce_options(dtype)).numpy()
        want = np.asarray((f + f).astype(dtype).mean() if name == "mean" else np.add.reduce(f + f, dtype=dtype)).astype(
            dtype
        )
        report.check(f"expression {name} dtype {dtype}", oracle.same(got, want), f"{got} {want}")


def filled(report):
    """Values put into elements: plain numbers must fit, those of a type are cast."""
    for d, k in itertools.product(("int8", "uint8", "int64", "uint64", "bool", "float32"), (-1, 300, 2**63, 2.5)):
        if d == "bool" and k == 2**63:
            continue  # true, which NumPy cannot tell
        weak = unsigned(k) if k == 2**63 else arrpy.value(k)
        strong = arrpy.value(np.uint64(k) if k == 2**63 else np.asarray(k))
        try:
            want = np.full(2, k, d)
        except OverflowError:
            want = None
        cast = np.full(2, np.uint64(k) if k == 2**63 else np.asarray(k)[()], d)
        like, device = report.array(np.zeros(2, d)), arrpy.device_of(report.device)
        shape = arrpy.int64s([2])

        def fill(v):
            arrpy.call("arr_fill", like.handle, ctypes.byref(v), None)  # noqa: B023
            return like  # noqa: B023

        for label, make in (
            ("fill", fill),
            ("full", lambda v: arrpy.made("arr_full", arrpy.number(d), 1, shape, 0, ctypes.byref(v), device, None)),  # noqa: B023
            ("full_like", lambda v: arrpy.made("arr_full_like", like.handle, 0, 2, ctypes.byref(v), None)),
        ):  # noqa: B023
            if want is None:
                report.check(f"{label} {d} {k}", oracle.raises(C.ARR_E_ARGUMENT, lambda: make(weak)))  # noqa: B023
            else:
                report.check(f"{label} {d} {k}", oracle.same(make(weak).numpy(), want), f"{make(weak).numpy()} {want}")
            report.check(f"{label} {d} {k} cast", oracle.same(make(strong).numpy(), cast))
    top = 2**63 - 2
    got = [
        arrpy.made(
            "arr_arange", *(ctypes.byref(unsigned(k)) for k in ends), None, 0, arrpy.device_of(report.device), None
        )
        for ends in ((top, 2**63 + 2), (2**63 + 5, 2**63 + 7))
    ]
    want = [np.array([top + i for i in range(4)], "u8"), np.array([2**63 + 5, 2**63 + 6], "u8")]
    report.check(
        "arange of uint64", all(oracle.same(g.numpy(), w) for g, w in zip(got, want)), f"{[g.numpy() for g in got]}"
    )
    report.check(
        "arange from below 0 refused",
        oracle.raises(
            C.ARR_E_DTYPE,
            lambda: arrpy.made(
                "arr_arange",
                ctypes.byref(arrpy.value(-1)),
                ctypes.byref(unsigned(2**64 - 1)),
                ctypes.byref(arrpy.value(2**62)),
                0,
                arrpy.device_of(report.device),
                None,
            ),
        ),
    )


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    for part in (every_op, pairs, ways, large_numbers, in_expressions, filled, imaginary_parts):
        part(report)
    report.finish()
