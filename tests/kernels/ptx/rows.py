# SPDX-License-Identifier: MIT
"""Instructions of PTX with what they give: rows of (text, result, operands, function of the operands' bits).

In a text {d} is the result and {a}, {b}, {c} are the operands; without braces the operands stand behind it. Types are
those of the registers: b16, b32, b64, f32, f64, pred; "n" is a b32 that is a small number. A function gives bits, None for
NaN, or ("near", value, relative error).
"""

ROWS = []


def row(text, result, operands, f):
    ROWS.append((text, result, operands.split(), f))


def cut(v, bits):
    return v & ((1 << bits) - 1)


def sign(v, bits):
    v = cut(v, bits)
    return v - (1 << bits) if v >> (bits - 1) else v


def clamp(v, low, high):
    return min(max(v, low), high)


def integers():
    for t in ("u16", "s16", "u32", "s32", "u64", "s64"):
        n, r = int(t[1:]), "b" + t[1:]
        s = (lambda v, n=n: sign(v, n)) if t[0] == "s" else (lambda v, n=n: cut(v, n))
        two, three = f"{r} {r}", f"{r} {r} {r}"
        row(f"add.{t}", r, two, lambda a, b, n=n: cut(a + b, n))
        row(f"sub.{t}", r, two, lambda a, b, n=n: cut(a - b, n))
        row(f"mul.lo.{t}", r, two, lambda a, b, n=n: cut(a * b, n))
        row(f"mul.hi.{t}", r, two, lambda a, b, n=n, s=s: cut(s(a) * s(b) >> n, n))
        row(f"mad.lo.{t}", r, three, lambda a, b, c, n=n: cut(a * b + c, n))
        row(f"mad.hi.{t}", r, three, lambda a, b, c, n=n, s=s: cut((s(a) * s(b) >> n) + c, n))
        row(f"min.{t}", r, two, lambda a, b, n=n, s=s: cut(min(s(a), s(b)), n))
        row(f"max.{t}", r, two, lambda a, b, n=n, s=s: cut(max(s(a), s(b)), n))
        row(f"sad.{t}", r, three, lambda a, b, c, n=n, s=s: cut(abs(s(a) - s(b)) + c, n))
        row(f"div.{t}", r, f"{r} o{n}", lambda a, b, n=n, s=s: cut(quotient(s(a), s(b)), n))
        row(f"rem.{t}", r, f"{r} o{n}", lambda a, b, n=n, s=s: cut(s(a) - s(b) * quotient(s(a), s(b)), n))
        row(f"shr.{t}", r, f"{r} n", lambda a, k, n=n, s=s: cut(s(a) >> min(k, n), n))
        for op, f in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
            test = eval(f"lambda a, b: a {f} b")
            row(f"setp.{op}.{t}", "pred", two, lambda a, b, s=s, test=test: int(test(s(a), s(b))))
        row(f"set.lt.u32.{t}", "b32", two, lambda a, b, s=s: 0xFFFFFFFF if s(a) < s(b) else 0)
        row(f"set.lt.f32.{t}", "f32", two, lambda a, b, s=s: 0x3F800000 if s(a) < s(b) else 0)
        if n < 64:
            row(f"mul.wide.{t}", f"b{2 * n}", two, lambda a, b, n=n, s=s: cut(s(a) * s(b), 2 * n))
        if n == 32:
            row(f"mad.wide.{t}", "b64", f"{r} {r} b64", lambda a, b, c, s=s: cut(s(a) * s(b) + c, 64))
            row(f"mul24.lo.{t}", r, two, lambda a, b, t=t: cut(low24(a, t) * low24(b, t), 32))
            row(f"mul24.hi.{t}", r, two, lambda a, b, t=t: cut(low24(a, t) * low24(b, t) >> 16, 32))
            row(f"mad24.lo.{t}", r, three, lambda a, b, c, t=t: cut(low24(a, t) * low24(b, t) + c, 32))
        if t[0] == "s":
            row(f"neg.{t}", r, r, lambda a, n=n: cut(-a, n))
            row(f"abs.{t}", r, r, lambda a, n=n, s=s: cut(abs(s(a)), n))
        else:
            for op, f in (("lo", "<"), ("ls", "<="), ("hi", ">"), ("hs", ">=")):
                test = eval(f"lambda a, b: a {f} b")
                row(f"setp.{op}.{t}", "pred", two, lambda a, b, test=test: int(test(a, b)))
        if n > 16:
            row(f"bfind.{t}", "b32", r, lambda a, n=n, s=s: cut((~s(a) if s(a) < 0 else s(a)).bit_length() - 1, 32))
            row(f"bfind.shiftamt.{t}", "b32", r, lambda a, n=n, s=s: shift_amount(s(a), n))
            row(f"bfe.{t}", r, f"{r} n n", lambda a, p, k, n=n, t=t: field(a, p, k, n, t[0] == "s"))
    row("add.sat.s32", "b32", "b32 b32", lambda a, b: cut(clamp(sign(a, 32) + sign(b, 32), -(2**31), 2**31 - 1), 32))
    row("sub.sat.s32", "b32", "b32 b32", lambda a, b: cut(clamp(sign(a, 32) - sign(b, 32), -(2**31), 2**31 - 1), 32))


def quotient(a, b):
    return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)


def low24(a, t):
    return sign(a, 24) if t[0] == "s" else a & 0xFFFFFF


def shift_amount(a, n):
    high = (~a if a < 0 else a).bit_length() - 1
    return 0xFFFFFFFF if high < 0 else n - 1 - high


def field(a, first, length, n, is_signed):
    """As the document's pseudocode has it."""
    first, length, max_bit = first & 255, length & 255, n - 1
    bit = 0 if not is_signed or length == 0 else a >> min(first + length - 1, max_bit) & 1
    d = 0
    for i in range(n):
        inside = i < length and first + i <= max_bit
        d |= ((a >> (first + i) & 1) if inside else bit) << i
    return d


def insert(a, b, first, length, n):
    first, length, d = first & 255, length & 255, b
    for i in range(length):
        if first + i < n:
            d = d & ~(1 << (first + i)) | (a >> i & 1) << (first + i)
    return d


def bits():
    for n in (16, 32, 64):
        r, t = f"b{n}", f"b{n}"
        row(f"and.{t}", r, f"{r} {r}", lambda a, b: a & b)
        row(f"or.{t}", r, f"{r} {r}", lambda a, b: a | b)
        row(f"xor.{t}", r, f"{r} {r}", lambda a, b: a ^ b)
        row(f"not.{t}", r, r, lambda a, n=n: cut(~a, n))
        row(f"cnot.{t}", r, r, lambda a: int(a == 0))
        row(f"shl.{t}", r, f"{r} n", lambda a, k, n=n: cut(a << min(k, n), n))
        row(f"shr.{t}", r, f"{r} n", lambda a, k, n=n: a >> min(k, n))
        row(f"selp.{t}", r, f"{r} {r} pred", lambda a, b, p: a if p else b)
        row(f"slct.{t}.s32", r, f"{r} {r} b32", lambda a, b, c: b if sign(c, 32) < 0 else a)
        row(f"mov.{t}", r, r, lambda a: a)
        if n > 16:
            row(f"popc.{t}", "b32", r, lambda a: a.bit_count())
            row(f"clz.{t}", "b32", r, lambda a, n=n: n - a.bit_length())
            row(f"brev.{t}", r, r, lambda a, n=n: int(f"{a:0{n}b}"[::-1], 2))
            row(f"bfi.{t} {{d}}, {{a}}, {{b}}, {{c}}, 7", r, f"{r} {r} n", lambda a, b, p, n=n: insert(a, b, p, 7, n))
            row(f"bfi.{t} {{d}}, {{a}}, {{b}}, 3, {{c}}", r, f"{r} {r} n", lambda a, b, k, n=n: insert(a, b, 3, k, n))
    for table in (0x96, 0xE8, 0xCA, 0x80, 0xFE, 0x01):
        row(
            f"lop3.b32 {{d}}, {{a}}, {{b}}, {{c}}, {table}",
            "b32",
            "b32 b32 b32",
            lambda a, b, c, t=table: lop3(a, b, c, t),
        )
    row("prmt.b32", "b32", "b32 b32 b32", permuted)
    for side in "lr":
        row(f"shf.{side}.wrap.b32", "b32", "b32 b32 n", lambda a, b, k, s=side: funnel(a, b, k & 31, s))
        row(f"shf.{side}.clamp.b32", "b32", "b32 b32 n", lambda a, b, k, s=side: funnel(a, b, min(k, 32), s))
    row("bmsk.clamp.b32", "b32", "n n", lambda p, k: cut(cut((1 << min(k, 32)) - 1, 32) << min(p, 32), 32))
    row("bmsk.wrap.b32", "b32", "n n", lambda p, k: cut(((1 << (k & 31)) - 1) << (p & 31), 32))
    row("szext.wrap.s32", "b32", "b32 n", lambda a, k: cut(sign(a, k & 31) if k & 31 else 0, 32))
    row("szext.clamp.u32", "b32", "b32 n", lambda a, k: cut(a, min(k, 32)))
    for mixed in ("s32.s32", "u32.u32", "s32.u32", "u32.s32"):
        row(f"dp4a.{mixed}", "b32", "b32 b32 b32", lambda a, b, c, t=mixed: dot(a, b, c, t, 8, 0))
        row(f"dp2a.lo.{mixed}", "b32", "b32 b32 b32", lambda a, b, c, t=mixed: dot(a, b, c, t, 16, 0))
        row(f"dp2a.hi.{mixed}", "b32", "b32 b32 b32", lambda a, b, c, t=mixed: dot(a, b, c, t, 16, 2))
    row(
        "add.cc.u32 {d}, {a}, {b}; addc.u32 {d}, {c}, {c}",
        "b32",
        "b32 b32 b32",
        lambda a, b, c: cut(2 * c + (a + b >> 32), 32),
    )
    row(
        "sub.cc.u64 {d}, {a}, {b}; subc.u64 {d}, {c}, {a}",
        "b64",
        "b64 b64 b64",
        lambda a, b, c: cut(c - a - int(a < b), 64),
    )
    row(
        "mad.lo.cc.u32 {d}, {a}, {b}, {c}; madc.hi.u32 {d}, {a}, {b}, {c}",
        "b32",
        "b32 b32 b32",
        lambda a, b, c: cut((a * b >> 32) + c + (cut(a * b, 32) + c >> 32), 32),
    )
    row("mov.b64 {d}, {{{a}, {b}}}", "b64", "b32 b32", lambda a, b: a | b << 32)
    row("mov.b64 {{{d}, _}}, {a}", "b32", "b64", lambda a: cut(a, 32))
    row("mov.b64 {{_, {d}}}, {a}", "b32", "b64", lambda a: a >> 32)
    row("mov.b32 {d}, {{{a}, {b}}}", "b32", "b16 b16", lambda a, b: a | b << 16)
    row(
        "setp.lt.and.s32 {d}, {a}, {b}, {c}",
        "pred",
        "b32 b32 pred",
        lambda a, b, p: int(sign(a, 32) < sign(b, 32) and p),
    )
    row("setp.lt.or.u32 {d}, {a}, {b}, !{c}", "pred", "b32 b32 pred", lambda a, b, p: int(a < b or not p))
    row(
        "setp.gt.xor.s32 _|{d}, {a}, {b}, {c}",
        "pred",
        "b32 b32 pred",
        lambda a, b, p: int((not sign(a, 32) > sign(b, 32)) != bool(p)),
    )
    row("and.pred", "pred", "pred pred", lambda a, b: a & b)
    row("not.pred", "pred", "pred", lambda a: 1 - a)
    row("@{c} add.u32 {d}, {a}, {b}", "b32", "b32 b32 pred", lambda a, b, p: cut(a + b, 32) if p else 0)


def lop3(a, b, c, table):
    return sum((table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i for i in range(32))


def permuted(a, b, selector):
    both, d = (a | b << 32).to_bytes(8, "little"), 0
    for i in range(4):
        k = selector >> 4 * i & 15
        byte = both[k & 7]
        d |= ((255 if byte >> 7 else 0) if k & 8 else byte) << 8 * i
    return d


def funnel(a, b, k, side):
    both = a | b << 32
    return cut(both << k >> 32, 32) if side == "l" else cut(both >> k, 32)


def dot(a, b, c, types, width, first):
    ta, tb = types.split(".")
    for i in range(32 // width):
        p, q = cut(a >> width * i, width), cut(b >> 8 * (first + i), 8)
        c += (sign(p, width) if ta[0] == "s" else p) * (sign(q, 8) if tb[0] == "s" else q)
    return cut(c, 32)


integers()
bits()
