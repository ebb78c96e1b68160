# SPDX-License-Identifier: MIT
"""Video instructions of PTX: one operation on bytes, halfwords or words, or the same on all bytes or halfwords of a word."""

from rows import clamp, cut, row, sign

OPERATIONS = {
    "vadd": lambda a, b: a + b,
    "vsub": lambda a, b: a - b,
    "vabsdiff": lambda a, b: abs(a - b),
    "vmin": min,
    "vmax": max,
    "vavrg": lambda a, b: (a + b + (a + b >= 0)) >> 1,
    "vset.eq": lambda a, b: int(a == b),
    "vset.ne": lambda a, b: int(a != b),
    "vset.lt": lambda a, b: int(a < b),
    "vset.le": lambda a, b: int(a <= b),
    "vset.gt": lambda a, b: int(a > b),
    "vset.ge": lambda a, b: int(a >= b),
    "vshl.clamp": lambda a, b: a << min(b, 32),
    "vshr.clamp": lambda a, b: a >> min(b, 32),
    "vshl.wrap": lambda a, b: a << (b & 31),
    "vshr.wrap": lambda a, b: a >> (b & 31),
}
SECOND = {"add": lambda v, c: v + c, "min": min, "max": max}
PAIRS = [("u32", "u32"), ("s32", "s32"), ("s32", "u32"), ("u32", "s32")]


def part(word, selector, kind):
    """The word for "", a byte for ".b2", a halfword for ".h1", with the sign of the type."""
    bits = {"": 32, "b": 8, "h": 16}[selector[1:2]]
    v = cut(word >> (bits * int(selector[2:] or 0)), bits)
    return sign(v, bits) if kind == "s32" else v


def merged(word, v, at, bits):
    mask = cut(-1, bits) << at
    return word & ~mask | cut(v, bits) << at


def limited(v, kind, bits):
    return clamp(v, -(1 << bits - 1), (1 << bits - 1) - 1) if kind == "s32" else clamp(v, 0, (1 << bits) - 1)


def spelled(name, types, sat="", second=""):
    base, _, how = name.partition(".")
    return ".".join(filter(None, (base, *types, sat, how, second)))


def one(name, types, sat=False, second="", to="", a="", b=""):
    """A row of a scalar instruction."""
    kinds = types[-2:]
    result = types[0] if len(types) == 3 else "u32"
    bits = {"": 32, "b": 8, "h": 16}[to[1:2]]

    def expected(x, y, z):
        v = OPERATIONS[name](part(x, a, kinds[0]), part(y, b, kinds[1]))
        if sat:
            v = limited(v, result, bits)
        if second:
            v = SECOND[second](v, part(z, "", result))
        return merged(z, v, bits * int(to[2:] or 0), bits) if to else cut(v, 32)

    third = ", {c}" if second or to else ""
    text = f"{spelled(name, types, sat and 'sat', second)} {{d}}{to}, {{a}}{a}, {{b}}{b}{third}"
    row(text, "b32", f"b32 {'n' if name[:3] in ('vsh',) else 'b32'} b32", expected)


def lanes(name, n, types, sat=False, total=False, mask="", a="", b=""):
    """A row of an instruction on all halfwords (n is 2) or bytes (n is 4) of words."""
    kinds, bits, unit = types[-2:], 32 // n, "h" if n == 2 else "b"
    result = types[0] if len(types) == 3 else "u32"
    chosen = [
        list(map(int, reversed(s[2:]))) for s in (a or {2: ".h10", 4: ".b3210"}[n], b or {2: ".h32", 4: ".b7654"}[n])
    ]
    written = list(map(int, mask[2:])) or range(n)

    def expected(x, y, z):
        both, d = x | y << 32, z
        for i in written:
            p, q = (cut(both >> bits * chosen[k][i], bits) for k in (0, 1))
            p, q = (sign(v, bits) if kinds[k] == "s32" else v for k, v in enumerate((p, q)))
            v = OPERATIONS[name](p, q)
            if sat:
                v = limited(v, result, bits)
            d = d + v if total else merged(d, v, bits * i, bits)
        return cut(d, 32)

    base, _, how = name.partition(".")
    text = f"{spelled(base + str(n) + '.' + how, types, sat and 'sat', total and 'add')} {{d}}{mask}, {{a}}{a}, {{b}}{b}, {{c}}"
    row(text, "b32", "b32 b32 b32", expected)


def scalar():
    for name in OPERATIONS:
        sets, shifts = name.startswith("vset"), name.startswith("vsh")
        if name == "vavrg":
            continue
        for k, (x, y) in enumerate(PAIRS):
            if shifts and y == "s32":
                continue
            types = (x, y) if sets else ("us"[k % 2] + "32", x, y)
            a, b = (".b0", ".b3", ".h1", "")[k], ("", ".h0", ".b1", ".b2")[k]
            one(name, types, a=a, b=b)
            one(name, types, second="add", a=b, b=a)
            one(name, types, to=(".b0", ".b2", ".h0", ".h1")[k], a=a)
            if sets:
                one(name, types, second=("min", "max")[k % 2])
            else:
                one(name, types, sat=True)
                one(name, types, sat=True, second=("min", "max")[k % 2], b=b)
                one(name, types, sat=True, to=(".b3", ".h1", ".b1", ".h0")[k])


def on_lanes():
    for name in OPERATIONS:
        if name.startswith("vsh"):
            continue
        for k, (x, y) in enumerate(PAIRS):
            types = (x, y) if name.startswith("vset") else ("us"[k // 2] + "32", x, y)
            for n in (2, 4):
                lanes(name, n, types)
                lanes(name, n, types, total=True, mask=(".h1", ".h10")[k % 2] if n == 2 else (".b20", ".b3210")[k % 2])
                lanes(
                    name,
                    n,
                    types,
                    sat=not name.startswith("vset"),
                    mask={2: ".h0", 4: (".b310", ".b2")[k % 2]}[n],
                    a={2: ".h31", 4: ".b7016"}[n],
                    b={2: ".h02", 4: ".b4433"}[n],
                )


def products():
    for shift in (0, 7, 15):
        for sat in (False, True):
            for x, y in PAIRS:
                for how in ("", "po", "ab", "c"):

                    def expected(p, q, r, x=x, y=y, how=how, shift=shift, sat=sat):
                        signed = "s32" in (x, y) or how == "ab"
                        v, z = part(p, ".h0", x) * part(q, "", y), part(r, "", "s32" if signed else "u32")
                        v = (-v if how == "ab" else v) + (-z if how == "c" else z) + (how == "po")
                        v >>= shift
                        return cut(limited(v, "s32" if signed or how == "c" else "u32", 32) if sat else v, 32)

                    name = ".".join(
                        filter(None, ("vmad.s32", x, y, how == "po" and "po", sat and "sat", shift and f"shr{shift}"))
                    )
                    a, c = "-" if how == "ab" else "", "-" if how == "c" else ""
                    row(f"{name} {{d}}, {a}{{a}}.h0, {{b}}, {c}{{c}}", "b32", "b32 b32 b32", expected)


scalar()
on_lanes()
products()
