#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Values, arithmetic, calculus and roots of polynomials, and Vandermonde matrices, against NumPy 2."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import numpy.polynomial.polynomial as series

import oracle
from calculus import compare
from oracle import arrpy
from products import handles, in_type, on, tame
from special_matrices import of

C = arrpy.c


def as_series(*arrays, trim=True):
    out = (C.arr_array * len(arrays))()
    arrpy.call("arr_as_series", len(arrays), handles(arrays), int(trim), None, len(arrays), out)
    return [arrpy.Array(C.arr_array(h.value)) for h in out]


def types(report, few):
    return few if report.device != "host" else oracle.ALL


def floating(x):
    """As NumPy's, but that 16-bit floats stay so."""
    return x if x.dtype.kind in "fcV" else x.astype("f8")


def arithmetic(report):
    for d in types(report, ["float32", "int8"]):
        for m, n in ((3, 3), (5, 2), (1, 4), (2, 20)):
            a, b = tame((m,), d, m), tame((n,), d, n + 30)
            a[0] = b[0] = True
            for layout in ("C", "back"):
                x, y = on(report, a, layout), on(report, b, layout)
                label = f"{d} {m} {n} {layout}"
                compare(report, f"polyadd {label}", of("polyadd", x, y), in_type(np.polyadd, a, b))
                if d != "bool":
                    compare(report, f"polysub {label}", of("polysub", x, y), in_type(np.polysub, a, b))
                    compare(report, f"polymul {label}", of("polymul", x, y), in_type(np.polymul, a, b), size=900)
    a, b = np.array([0.0, 0, 1, 2]), np.array([0.0, 3, 0])
    compare(report, "polymul zeros", of("polymul", report.array(a), report.array(b)), np.polymul(a, b))
    zero = np.zeros(3)
    compare(report, "polymul by zero", of("polymul", report.array(zero), report.array(b)), np.polymul(zero, b))


def values(report):
    for d in types(report, ["float32", "int32"]):
        x = tame((3, 4), d, 1)
        for n in (1, 2, 5, 12, 13, 30) if report.device == "host" else (5, 13):
            p = (
                (tame((n,), d, n).astype("c16") / 2 ** np.arange(n)).astype(oracle.dtype(d))
                if d in oracle.COMPLEX
                else (tame((n,), d, n).astype("f8") / 2.0 ** np.arange(n)).astype(oracle.dtype(d))
            )
            wide = [v.astype("f8") if oracle.name_of(v.dtype) in ("float16", "bfloat16") else v for v in (p, x)]
            size = np.polyval(np.abs(wide[0]).astype("f8"), np.abs(wide[1]).astype("f8"))
            how = {"size": size * n + 1, "steps": 8}
            if d not in ("float16", "bfloat16") or n < 4:  # they overflow
                for layout in ("C", "F"):
                    compare(
                        report,
                        f"polyval {d} {n} {layout}",
                        of("polyval", on(report, p, "back"), on(report, x, layout)),
                        in_type(np.polyval, p, x),
                        **how,
                    )
                c = p[::-1].copy()
                got = of("polynomial_val", report.array(x), report.array(c), 1)
                compare(
                    report,
                    f"polynomial_val {d} {n}",
                    got,
                    in_type(lambda u, v: series.polyval(u, floating(v)), x, c),
                    **how,
                )
    x, c = np.linspace(-1, 1, 5), np.arange(12.0).reshape(3, 2, 2)
    compare(
        report, "polynomial_val tensor", of("polynomial_val", report.array(x), report.array(c), 1), series.polyval(x, c)
    )
    y, e = np.linspace(-1, 1, 2), np.arange(6.0).reshape(3, 2)
    compare(
        report,
        "polynomial_val each",
        of("polynomial_val", report.array(y), report.array(e), 0),
        series.polyval(y, e, False),
    )
    compare(
        report, "polyval none", of("polyval", report.array(np.zeros(0)), report.array(x)), np.polyval(np.zeros(0), x)
    )
    compare(report, "polyval columns", of("polyval", report.array(e), report.array(y)), np.polyval(e, y))
    bad = np.array([np.nan, np.inf, 1.0])
    compare(
        report, "polyval nan", of("polyval", report.array(np.ones(1)), report.array(bad)), np.polyval(np.ones(1), bad)
    )
    for shape in ((), (4,), (2, 3)):
        for roots in ((3,), (1,), (3, 2)):
            at, r = tame(shape, "float64", 2) / 4, tame(roots, "float64", 3) / 4
            got = of("polyvalfromroots", report.array(at), report.array(r), 1)
            compare(
                report, f"polyvalfromroots {shape} {roots}", got, np.asarray(series.polyvalfromroots(at, r)), steps=16
            )
    at, r = tame((2,), "int32", 2), tame((4, 2), "int32", 3)
    at2 = tame((1,), "int32", 2)
    compare(
        report,
        "polyvalfromroots each",
        of("polyvalfromroots", report.array(at), report.array(r), 0),
        series.polyvalfromroots(at, r, False),
    )
    compare(
        report,
        "polyvalfromroots int",
        of("polyvalfromroots", report.array(at2), report.array(r[:, 0].copy()), 1),
        series.polyvalfromroots(at2, r[:, 0]),
    )


def powers(report):
    for d in types(report, ["float32", "int8"]):
        x = (
            tame((5,), d, 1)
            if d in ("bool",) or d[0] == "u"
            else tame((5,), d, 1) / 3
            if d in oracle.FLOATS + oracle.COMPLEX
            else tame((5,), d, 1)
        )
        x = x.astype(oracle.dtype(d))
        for n in (-1, 0, 1, 2, 7):
            for increasing in (False, True):
                got = of("vander", on(report, x, "back"), n, int(increasing))
                if d == "bfloat16":
                    continue
                compare(
                    report,
                    f"vander {d} {n} {increasing}",
                    got,
                    np.vander(x, None if n < 0 else n, increasing),
                    steps=16,
                )
        y = tame((2, 3), d, 2)
        for degree in (0, 1, 2, 3):
            compare(
                report,
                f"polyvander {d} {degree}",
                of("polyvander", on(report, y, "F"), degree),
                in_type(lambda v: series.polyvander(floating(v), degree), y),
                steps=16,
            )
    compare(report, "vander empty", of("vander", report.array(np.zeros(0)), 3, 0), np.vander(np.zeros(0), 3))


def roots(report):
    for d in types(report, ["float32", "complex64"]):
        for n in (0, 1, 2, 5):
            r = tame((n,), d, n + 5)
            if d == "bool" or n == 0:
                continue
            want = np.poly(r.astype("c16" if d in oracle.COMPLEX else "f8"))
            want = want.astype(r.dtype if r.dtype.kind in "fcV" else "f8")
            compare(report, f"poly {d} {n}", of("poly", on(report, r, "back")), want, size=1e4)
    pairs = np.array([1 + 2j, 3, 1 - 2j, -1j, 1j])
    compare(report, "poly conjugates", of("poly", report.array(pairs)), np.poly(pairs), size=100)
    compare(
        report,
        "poly conjugates float",
        of("poly", report.array(pairs.astype("c8"))),
        np.poly(pairs.astype("c8")),
        size=100,
    )
    compare(report, "poly of none", of("poly", report.array(np.zeros(0))), np.ones(1))
    for c in ([1.0, 2, 3], [1, 0, 4, 0, 0], [2.0, 1], [1j, 2, 1]):
        c = np.array(c)
        compare(report, f"polycompanion {c}", of("polycompanion", report.array(c)), series.polycompanion(c))


def solutions(report):
    """Roots in any order."""
    r = np.random.default_rng(1)
    for label, p in (
        ("of real roots", np.poly([1.0, 2, -3, 0.5])),
        ("of complex roots", np.array([1.0, 0, 1, 5])),
        ("complex", np.array([1, 2j, -1, 3 + 1j])),
        ("zeros at both ends", np.array([0, 0, 2.0, -3, 1, 0, 0])),
        ("integers", np.array([1, -6, 11, -6])),
        ("one power", np.array([0.0, 5, 0])),
        ("a constant", np.array([3.0])),
        ("nothing but zeros", np.zeros(4)),
        ("none", np.zeros(0)),
        ("random", r.random(9)),
    ):
        x = of("roots", report.array(p)[::-1] if label == "random" else report.array(p))
        want = np.sort_complex(np.roots(p[::-1] if label == "random" else p).astype("c16"))
        got = x.numpy()
        # Beside each of NumPy's roots lies one of ours.
        good = got.dtype == np.complex128 and got.shape == want.shape
        good = good and (got.size == 0 or max(np.abs(got - w).min() for w in want) < 1e-6 * (1 + np.abs(want).max()))
        report.check(f"roots {label}", good, f"{got}, NumPy {want}")
    report.check("roots float32", of("roots", report.array(np.array([1, -3, 2], "f4"))).numpy().dtype == np.complex64)


def trims(report):
    for d in types(report, ["float32", "int8"]):
        for c in ([1, 2, 0, 0], [0, 0], [0], [1, 0, 1], []):
            c = np.array(c).astype(oracle.dtype(d))
            compare(
                report, f"trimseq {d} {c}", of("trimseq", on(report, c, "back")), np.polynomial.polyutils.trimseq(c)
            )
            if len(c):
                want = np.polynomial.polyutils.trimcoef(c.astype("f8") if d != "complex64" and d != "complex128" else c)
                want = want.astype(c.dtype if c.dtype.kind in "fcV" else "f8")
                compare(report, f"trimcoef {d} {c}", of("trimcoef", report.array(c), 0.0), want)
    c = np.array([3.0, -2, 0.5, -0.25])
    for tol in (0.0, 0.25, 0.4, 1.0, 9.0):
        compare(
            report, f"trimcoef {tol}", of("trimcoef", report.array(c), tol), np.polynomial.polyutils.trimcoef(c, tol)
        )
    given = [np.array([1, 2, 0]), np.array(3.0, "f4"), np.array([0j, 0])]
    for trim in (False, True):
        want = np.polynomial.polyutils.as_series(given, trim)
        for k, got in enumerate(as_series(*(report.array(g) for g in given), trim=trim)):
            compare(report, f"as_series {trim} {k}", got, want[k])


def several(name, n, *arguments):
    """n new arrays of a function of arrays and numbers; what is behind them as given."""
    out = [C.arr_array() for _ in range(n)]
    given = [a.handle if isinstance(a, arrpy.Array) else a for a in arguments]
    arrpy.call(f"arr_{name}", *given, None, *(ctypes.byref(o) for o in out))
    return [arrpy.Array(o) for o in out]


def degree_of(p):
    out = ctypes.c_int64(-1)
    arrpy.call("arr_polydegree", p.handle, None, ctypes.byref(out))
    return out.value


def wide_of(d, a):
    """The operand for NumPy: it has no bfloat16, and promotes float16 with int64 as we do."""
    return a.astype("f8") if d == "bfloat16" else a


def calculus(report):
    for d in types(report, ["float32", "int8"]):
        for n in (0, 1, 2, 5, 20):
            p = tame((n,), d, n)
            x = on(report, p, "back")
            for m in (0, 1, 2, 5, 11):
                label = f"{d} {n} {m}"
                got, want = of("polyder", x, m), np.polyder(wide_of(d, p), m)
                if m == 0 or d != "bfloat16":
                    compare(report, f"polyder {label}", got, p if m == 0 else want, steps=16)
                k = None if m == 0 else np.arange(1.0, m + 1)
                for constants in (None, k, np.array(2.5), np.arange(30.0)):
                    want = np.polyint(wide_of(d, p), m, constants)
                    given = None if constants is None else report.array(constants)
                    compare(
                        report,
                        f"polyint {label} {constants}",
                        of("polyint", x, m, given),
                        p if m == 0 else want,
                        steps=16,
                    )
            compare(
                report,
                f"polyint complex constants {d} {n}",
                of("polyint", x, 2, report.array(np.array([1j, 2]))),
                np.polyint(wide_of(d, p), 2, np.array([1j, 2])),
                steps=16,
            )
    p = np.array([np.iinfo("i8").max, 3, 1])
    compare(report, "polyder wraps", of("polyder", report.array(p), 1), np.polyder(p))


def quotients(report):
    for d in types(report, ["float32", "int8"]):
        for m, n in ((1, 1), (3, 1), (1, 3), (5, 2), (6, 6), (9, 4), (4, 5)):
            u, v = (tame((k,), d, k + 3 * m).astype("c16" if d in oracle.COMPLEX else "f8") for k in (m, n))
            v[0] = 2 if d != "bool" else 1
            u, v = u.astype(oracle.dtype(d)), v.astype(oracle.dtype(d))
            quotient, remainder = several("polydiv", 2, on(report, u, "back"), on(report, v, "C"))
            exact = np.complex128 if d in oracle.COMPLEX else np.float64
            q, r = np.polydiv(u.astype(exact), v.astype(exact))
            # Coefficients of quotients grow by the ratio of v's to its first one at each step.
            size = float(
                (1 + np.abs(v.astype(exact) / v.astype(exact)[0]).max()) ** max(m - n + 1, 0)
                * (1 + np.abs(u.astype(exact)).max())
            )
            epsilon = {"float16": 2**-10, "bfloat16": 2**-7, "float32": 2**-23, "complex64": 2**-23}.get(d, 2**-52)
            label, kind = f"polydiv {d} {m} {n}", floating(u).dtype
            got = quotient.numpy().astype(exact)
            report.check(
                label,
                quotient.numpy().dtype == kind
                and got.shape == q.shape
                and np.all(np.abs(got - q) <= 8 * epsilon * size),
                f"{got} {q}",
            )
            left = remainder.numpy().astype(exact)
            wanted = np.concatenate([np.zeros(n + m), r])[-len(left) :]
            good = (
                remainder.numpy().dtype == kind
                and 1 <= len(left) <= max(n - 1, 1)
                and np.all(np.abs(left - wanted) <= 16 * epsilon * size)
            )
            report.check(f"{label} remainder", bool(good), f"{left} {r}")
    for u, v in (
        ([0.0, 0, 1, 2], [0.0, 1, 1]),
        ([0.0], [3.0]),
        ([1.0, 3, 3, 1], [1.0, 1]),
        ([1.0, 2], [5.0]),
        ([1.0, np.nan, 1], [1.0, 1, 1]),
    ):
        q, r = np.polydiv(np.array(u), np.trim_zeros(np.array(v), "f"))
        got = several("polydiv", 2, report.array(np.array(u)), report.array(np.array(v)))
        compare(report, f"polydiv of {u} {v}", got[0], q)
        compare(report, f"remainder of {u} {v}", got[1], r)


def repeated(report):
    """Powers, degrees, leading zeros."""
    for d in types(report, ["float32", "int8"]):
        for c in ([1, 2, 3], [0, 2, 1], [0, 0], [3]):
            p = np.array(c).astype(oracle.dtype(d))
            plain = np.array(c).astype("?" if d == "bool" else "c16" if d in oracle.COMPLEX else "f8")
            for n in (0, 1, 2, 3, 5) if d != "bool" else ():
                want = (np.poly1d(plain) ** n).coeffs
                want = (want.astype("i8") if d[0] in "iu" else want).astype(p.dtype)
                compare(report, f"polypow {d} {c} {n}", of("polypow", on(report, p, "back"), n), want, size=1e4)
            compare(
                report,
                f"polytrim {d} {c}",
                of("polytrim", on(report, p, "back")),
                np.poly1d(p).coeffs if d != "bfloat16" else np.trim_zeros(p, "f") if any(c) else p[:1],
            )
            report.check(f"polydegree {d} {c}", degree_of(report.array(p)) == np.poly1d(plain).order)
    report.check("polydegree of none", degree_of(report.array(np.zeros(0))) == 0)
    compare(report, "polytrim of none", of("polytrim", report.array(np.zeros(0))), np.zeros(0))


def refused(report):
    v, m, none = report.array(np.ones(3)), report.array(np.ones((3, 4))), report.array(np.zeros(0))
    zero = report.array(np.zeros(3))
    flags = report.array(np.ones(3, bool))
    cases = [
        ("poly", C.ARR_E_SHAPE, lambda: of("poly", m)),
        ("polyadd", C.ARR_E_SHAPE, lambda: of("polyadd", v, m)),
        ("polyadd none", C.ARR_E_SHAPE, lambda: of("polyadd", none, v)),
        ("polysub", C.ARR_E_DTYPE, lambda: of("polysub", flags, flags)),
        ("polymul", C.ARR_E_SHAPE, lambda: of("polymul", v, none)),
        ("polyval", C.ARR_E_SHAPE, lambda: of("polyval", m, report.array(np.ones(3)))),
        ("polyval number", C.ARR_E_SHAPE, lambda: of("polyval", report.array(np.float64(1)), v)),
        ("polynomial_val", C.ARR_E_SHAPE, lambda: of("polynomial_val", v, none, 1)),
        ("polyvalfromroots", C.ARR_E_SHAPE, lambda: of("polyvalfromroots", v, v, 0)),
        ("polyvander", C.ARR_E_ARGUMENT, lambda: of("polyvander", v, -1)),
        ("polycompanion", C.ARR_E_ARGUMENT, lambda: of("polycompanion", zero)),
        ("trimseq", C.ARR_E_SHAPE, lambda: of("trimseq", m)),
        ("trimcoef", C.ARR_E_ARGUMENT, lambda: of("trimcoef", v, -1.0)),
        ("trimcoef nan", C.ARR_E_ARGUMENT, lambda: of("trimcoef", v, float("nan"))),
        ("as_series", C.ARR_E_SHAPE, lambda: as_series(m)),
        ("vander", C.ARR_E_SHAPE, lambda: of("vander", m, 2, 0)),
        ("roots", C.ARR_E_SHAPE, lambda: of("roots", m)),
        ("polyder", C.ARR_E_SHAPE, lambda: of("polyder", m, 1)),
        ("polyder -1", C.ARR_E_ARGUMENT, lambda: of("polyder", v, -1)),
        ("polyint", C.ARR_E_SHAPE, lambda: of("polyint", m, 1, None)),
        ("polyint -1", C.ARR_E_ARGUMENT, lambda: of("polyint", v, -1, None)),
        ("polyint constants", C.ARR_E_SHAPE, lambda: of("polyint", v, 4, v)),
        ("polyint table", C.ARR_E_SHAPE, lambda: of("polyint", v, 2, m)),
        ("polydiv by 0", C.ARR_E_ARGUMENT, lambda: several("polydiv", 2, v, zero)),
        ("polydiv none", C.ARR_E_SHAPE, lambda: several("polydiv", 2, none, v)),
        ("polydiv by none", C.ARR_E_SHAPE, lambda: several("polydiv", 2, v, none)),
        ("polypow -1", C.ARR_E_ARGUMENT, lambda: of("polypow", v, -1)),
        ("polypow of many", C.ARR_E_SHAPE, lambda: of("polypow", v, 2**62)),
        ("polypow none", C.ARR_E_SHAPE, lambda: of("polypow", none, 2)),
        ("polytrim", C.ARR_E_SHAPE, lambda: of("polytrim", m)),
        ("polydegree", C.ARR_E_SHAPE, lambda: degree_of(m)),
        ("vander columns", C.ARR_E_ARGUMENT, lambda: of("vander", v, -2, 0)),
    ]
    for label, status, call in cases:
        report.check(f"refuses {label}", oracle.raises(status, call))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((arithmetic, values, powers, roots, solutions, trims, calculus, quotients, repeated, refused)):
        part(r)
    r.finish()
