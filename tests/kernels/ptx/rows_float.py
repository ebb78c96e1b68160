# SPDX-License-Identifier: MIT
"""Instructions for floating-point numbers and conversions of PTX, as rows like those of rows.py."""

import math

import exact as x
from exact import FORMATS
from rows import clamp, cut, row, sign

ARITHMETIC = {"add": x.add, "sub": x.sub, "mul": x.mul, "div": x.div}


def floats():
    for t in ("f32", "f64"):
        two, three = f"{t} {t}", f"{t} {t} {t}"
        for mode, m in (("rn", "n"), ("rz", "z"), ("rm", "m"), ("rp", "p")):
            for name, f in ARITHMETIC.items():
                row(f"{name}.{mode}.{t}", t, two, lambda a, b, f=f, t=t, m=m: f(a, b, t, m))
            row(f"fma.{mode}.{t}", t, three, lambda a, b, c, t=t, m=m: x.fma(a, b, c, t, m))
            row(f"rcp.{mode}.{t}", t, t, lambda a, t=t, m=m: x.rcp(a, t, m))
            row(f"sqrt.{mode}.{t}", t, t, lambda a, t=t, m=m: x.sqrt(a, t, m))
        row(f"add.{t}", t, two, lambda a, b, t=t: x.add(a, b, t))
        row(f"mul.{t}", t, two, lambda a, b, t=t: x.mul(a, b, t))
        row(f"neg.{t}", t, t, lambda a, t=t: None if x.decode(a, t)[0] == "nan" else x.negate(a, t))
        row(f"abs.{t}", t, t, lambda a, t=t: None if x.decode(a, t)[0] == "nan" else a & ~(1 << (FORMATS[t][3] - 1)))
        row(f"min.{t}", t, two, lambda a, b, t=t: x.min_or_max(a, b, t))
        row(f"max.{t}", t, two, lambda a, b, t=t: x.min_or_max(a, b, t, True))
        row(f"copysign.{t}", t, two, lambda a, b, t=t: b & ~(1 << (FORMATS[t][3] - 1)) | a & 1 << (FORMATS[t][3] - 1))
        comparisons(t)
        for test, f in (
            ("finite", lambda k, v: not k),
            ("infinite", lambda k, v: k == "inf"),
            ("notanumber", lambda k, v: k == "nan"),
            ("number", lambda k, v: k != "nan"),
        ):
            row(f"testp.{test}.{t}", "pred", t, lambda a, f=f, t=t: int(f(*x.decode(a, t)[::2])))
        smallest = x.Fraction(2) ** FORMATS[t][1]
        row(
            f"testp.normal.{t}",
            "pred",
            t,
            lambda a, t=t, e=smallest: int(not x.decode(a, t)[0] and x.decode(a, t)[2] >= e),
        )
        row(
            f"testp.subnormal.{t}",
            "pred",
            t,
            lambda a, t=t, e=smallest: int(not x.decode(a, t)[0] and 0 < x.decode(a, t)[2] < e),
        )
    z = lambda a: x.flush(a, "f32")
    flushed = lambda r: None if r is None else x.flush(r, "f32")
    for name, f in ARITHMETIC.items():
        row(f"{name}.rn.ftz.f32", "f32", "f32 f32", lambda a, b, f=f: flushed(f(z(a), z(b), "f32")))
    row("fma.rz.ftz.f32", "f32", "f32 f32 f32", lambda a, b, c: flushed(x.fma(z(a), z(b), z(c), "f32", "z")))
    row("add.ftz.sat.f32", "f32", "f32 f32", lambda a, b: x.saturate(flushed(x.add(z(a), z(b), "f32")), "f32"))
    row("mul.rn.sat.f32", "f32", "f32 f32", lambda a, b: x.saturate(x.mul(a, b, "f32"), "f32"))
    row("fma.rn.sat.f32", "f32", "f32 f32 f32", lambda a, b, c: x.saturate(x.fma(a, b, c, "f32"), "f32"))
    row("sqrt.rn.ftz.f32", "f32", "f32", lambda a: x.sqrt(z(a), "f32"))
    row("min.ftz.f32", "f32", "f32 f32", lambda a, b: x.min_or_max(z(a), z(b), "f32"))
    row("min.NaN.f32", "f32", "f32 f32", lambda a, b: x.min_or_max(a, b, "f32", False, True))
    row("max.NaN.f32", "f32", "f32 f32", lambda a, b: x.min_or_max(a, b, "f32", True, True))
    row("slct.b32.f32 {d}, {a}, {b}, {c}", "b32", "b32 b32 f32", lambda a, b, c: a if x.number(c, "f32") >= 0 else b)
    pairs_of_floats()
    approximate()


def pairs_of_floats():
    """Two floats in a word of 64 bits, each by itself."""
    halves = lambda v: (v & 0xFFFFFFFF, v >> 32)
    both = lambda f, *given: ("floats", *(f(*g) for g in zip(*map(halves, given))))
    for mode, m in (("rn", "n"), ("rz", "z"), ("rm", "m"), ("rp", "p")):
        for name in ("add", "sub", "mul"):
            one = lambda a, b, f=ARITHMETIC[name], m=m: f(a, b, "f32", m)
            row(f"{name}.{mode}.f32x2", "b64", "t t", lambda a, b, one=one: both(one, a, b))
        one = lambda a, b, c, m=m: x.fma(a, b, c, "f32", m)
        row(f"fma.{mode}.f32x2", "b64", "t t t", lambda a, b, c, one=one: both(one, a, b, c))
    z = lambda v: None if v is None else x.flush(v, "f32")
    row("add.ftz.f32x2", "b64", "t t", lambda a, b: both(lambda p, q: z(x.add(z(p), z(q), "f32")), a, b))


def comparisons(t):
    order = {"eq": (0,), "ne": (-1, 1), "lt": (-1,), "le": (-1, 0), "gt": (1,), "ge": (1, 0)}

    def compare(a, b, op):
        p, q = x.number(a, t), x.number(b, t)
        if math.isnan(p) or math.isnan(q):
            return int(op == "nan" or (op not in ("num",) and op.endswith("u")))
        if op in ("num", "nan"):
            return int(op == "num")
        return int((p > q) - (p < q) in order[op.removesuffix("u")])

    for op in [*order, *(k + "u" for k in order), "num", "nan"]:
        row(f"setp.{op}.{t}", "pred", f"{t} {t}", lambda a, b, op=op: compare(a, b, op))


def approximate():
    """Within the errors that the document states; NaN and infinities are exact."""

    def near(f, error, floor=0.0):
        def expected(*given):
            v = [x.number(g, "f32") for g in given]
            try:
                r = f(*v)
            except (ValueError, ZeroDivisionError, OverflowError):
                return ("any",)
            return ("near", r, error, floor)

        return expected

    row("div.approx.f32", "f32", "m32 m32", near(lambda a, b: a / b, 2.0**-22))
    row("div.full.f32", "f32", "m32 m32", near(lambda a, b: a / b, 2.0**-22))
    row("rcp.approx.f32", "f32", "m32", near(lambda a: 1 / a, 2.0**-23))
    row("rcp.approx.ftz.f64", "f64", "m64", lambda a: ("near", 1 / x.number(a, "f64"), 2.0**-20, 0.0))
    row("sqrt.approx.f32", "f32", "p32", near(math.sqrt, 2.0**-22))
    row("rsqrt.approx.f32", "f32", "p32", near(lambda a: 1 / math.sqrt(a), 2.0**-22))
    row("ex2.approx.f32", "f32", "m32", near(lambda a: 2.0**a, 2.0**-21))
    row("lg2.approx.f32", "f32", "p32", near(math.log2, 2.0**-21, 2.0**-22))
    row("sin.approx.f32", "f32", "m32", near(math.sin, 0, 2.0**-20))
    row("cos.approx.f32", "f32", "m32", near(math.cos, 0, 2.0**-20))
    row("tanh.approx.f32", "f32", "m32", near(math.tanh, 2.0**-11))


def conversions():
    whole = [(s, n) for n in (8, 16, 32, 64) for s in "us"]
    register = lambda n: f"b{max(n, 16)}"
    for s, n in whole:
        read = (lambda v, n=n: sign(v, n)) if s == "s" else (lambda v, n=n: cut(v, n))
        for s2, n2 in whole:
            low, high = (-(1 << (n2 - 1)), (1 << (n2 - 1)) - 1) if s2 == "s" else (0, (1 << n2) - 1)
            wide = max(n2, 16)
            extend = lambda v, s2=s2, n2=n2, wide=wide: cut(sign(v, n2), wide) if s2 == "s" else cut(v, n2)
            row(f"cvt.{s2}{n2}.{s}{n}", register(n2), register(n), lambda a, f=read, e=extend: e(f(a)))
            inside = n2 > n and (s, s2) != ("s", "u") or (n2 == n and s2 == s)
            if inside:  # nothing to saturate, which ptxas takes for an error
                continue
            row(
                f"cvt.sat.{s2}{n2}.{s}{n}",
                register(n2),
                register(n),
                lambda a, f=read, e=extend, l=low, h=high: e(clamp(f(a), l, h)),
            )
        for t in ("f32", "f64"):
            for mode in "nzmp":
                row(
                    f"cvt.r{mode}.{t}.{s}{n}",
                    t,
                    register(n),
                    lambda a, f=read, t=t, m=mode: x.signed(x.Fraction(f(a)), t, m),
                )
                wide = max(n, 16)
                row(
                    f"cvt.r{mode}i.{s}{n}.{t}",
                    register(n),
                    t,
                    lambda a, t=t, n=n, s=s, m=mode, w=wide: cut(
                        sign(x.to_whole(a, t, n, s == "s", m), n) if s == "s" else x.to_whole(a, t, n, False, m), w
                    ),
                )
    row("cvt.f64.f32", "f64", "f32", lambda a: x.to_float(a, "f32", "f64"))
    row("cvt.ftz.f64.f32", "f64", "f32", lambda a: x.to_float(x.flush(a, "f32"), "f32", "f64"))
    row("cvt.sat.f32.f32", "f32", "f32", lambda a: x.saturate(x.to_float(a, "f32", "f32"), "f32"))
    row("cvt.rna.tf32.f32", "b32", "m32", lambda a: cut(a + 0x1000, 32) & 0xFFFFE000)
    for mode in "nzmp":
        row(f"cvt.r{mode}.f32.f64", "f32", "f64", lambda a, m=mode: x.to_float(a, "f64", "f32", m))
        row(f"cvt.r{mode}i.f32.f32", "f32", "f32", lambda a, m=mode: x.round_whole(a, "f32", m))
        row(f"cvt.r{mode}i.f64.f64", "f64", "f64", lambda a, m=mode: x.round_whole(a, "f64", m))


def halves():
    for t in ("f16", "bf16"):
        row(f"add.rn.{t}", "b16", "h h", lambda a, b, t=t: x.add(a, b, t))
        row(f"sub.rn.{t}", "b16", "h h", lambda a, b, t=t: x.sub(a, b, t))
        row(f"mul.rn.{t}", "b16", "h h", lambda a, b, t=t: x.mul(a, b, t))
        row(f"fma.rn.{t}", "b16", "h h h", lambda a, b, c, t=t: x.fma(a, b, c, t))
        row(f"min.{t}", "b16", "h h", lambda a, b, t=t: x.min_or_max(a, b, t))
        row(f"max.{t}", "b16", "h h", lambda a, b, t=t: x.min_or_max(a, b, t, True))
        row(f"neg.{t}", "b16", "h", lambda a, t=t: x.negate(a, t))
        row(f"abs.{t}", "b16", "h", lambda a: a & 0x7FFF)
        row(f"cvt.f32.{t}", "f32", "h", lambda a, t=t: x.to_float(a, t, "f32"))
        row(f"cvt.rn.{t}.f32", "b16", "f32", lambda a, t=t: x.to_float(a, "f32", t))
        row(f"cvt.rz.{t}.f32", "b16", "f32", lambda a, t=t: x.to_float(a, "f32", t, "z"))
        row(f"setp.lt.{t}", "pred", "h h", lambda a, b, t=t: int(x.number(a, t) < x.number(b, t)))
        row(f"fma.rn.{t}x2", "b32", "b32 b32 b32", lambda a, b, c, t=t: pairs(lambda *v, t=t: x.fma(*v, t), a, b, c))
        row(
            f"cvt.rn.{t}x2.f32",
            "b32",
            "f32 f32",
            lambda a, b, t=t: joined(x.to_float(b, "f32", t), x.to_float(a, "f32", t)),
        )
    row("add.f16x2", "b32", "b32 b32", lambda a, b: pairs(lambda p, q: x.add(p, q, "f16"), a, b))
    row("add.sat.f16", "b16", "h h", lambda a, b: x.saturate(x.add(a, b, "f16"), "f16"))
    row("add.ftz.f16", "b16", "h h", lambda a, b: flushed16(x.add(x.flush(a, "f16"), x.flush(b, "f16"), "f16")))
    row("set.eq.f16.f16", "b16", "h h", lambda a, b: 0x3C00 if x.number(a, "f16") == x.number(b, "f16") else 0)
    for mode in "nzmp":
        row(f"cvt.r{mode}.f16.s32", "b16", "b32", lambda a, m=mode: x.signed(x.Fraction(sign(a, 32)), "f16", m))
        row(f"cvt.r{mode}i.s32.f16", "b32", "h", lambda a, m=mode: cut(x.to_whole(a, "f16", 32, True, m), 32))
    row("cvt.rn.f16.f64", "b16", "f64", lambda a: x.to_float(a, "f64", "f16"))
    row("cvt.f64.f16", "f64", "h", lambda a: x.to_float(a, "f16", "f64"))


def flushed16(r):
    return None if r is None else x.flush(r, "f16")


def joined(low, high):
    return ("pair", low, high)


def pairs(f, *given):
    return joined(f(*(g & 0xFFFF for g in given)), f(*(g >> 16 for g in given)))


floats()
conversions()
halves()
