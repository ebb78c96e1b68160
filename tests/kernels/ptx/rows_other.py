# SPDX-License-Identifier: MIT
"""Instructions of PTX for numbers of 8 bits and for words of 128 bits, and memory on the stack."""

import exact as x
from rows import cut, row

# Digits, least and greatest exponent, bits, as in exact.py. Of e4m3 the exponent that elsewhere says infinity is one of
# numbers, all ones are its NaN.
BYTES = {"e4m3": (4, -6, 9, 8), "e5m2": (3, -14, 15, 8)}
LARGEST = {"e4m3": (0x7E, 448), "e5m2": (0x7B, 57344)}


def to_byte(a, t, source):
    kind, negative, magnitude = x.decode(a, source)
    if kind == "nan":
        return 0x7F
    largest, largest_finite = LARGEST[t]
    byte = largest if kind or magnitude >= largest_finite else x.rounded(0, magnitude, t)
    return negative << 7 | byte


def to_half(byte, t):
    if t == "e5m2":
        return x.to_float(byte << 8, "f16", "f16")
    fraction, exponent = byte & 7, byte >> 3 & 15
    if byte & 127 == 127:
        return None
    size = x.Fraction(fraction + 8 * (exponent > 0), 8) * x.Fraction(2) ** (max(exponent, 1) - 7)
    return x.rounded(byte >> 7, size, "f16")


def bytes_and_halves():
    x.FORMATS.update(BYTES)
    for t in BYTES:
        row(
            f"cvt.rn.satfinite.{t}x2.f32",
            "b16",
            "f32 f32",
            lambda a, b, t=t: to_byte(a, t, "f32") << 8 | to_byte(b, t, "f32"),
        )
        row(
            f"cvt.rn.satfinite.{t}x2.f16x2",
            "b16",
            "b32",
            lambda a, t=t: to_byte(a >> 16, t, "f16") << 8 | to_byte(a & 0xFFFF, t, "f16"),
        )
        row(f"cvt.rn.f16x2.{t}x2", "b32", "b16", lambda a, t=t: ("pair", to_half(a & 255, t), to_half(a >> 8, t)))


def wide():
    row(
        ".reg .b128 w; .reg .b64 y; mov.b128 w, {{{a}, {b}}}; mov.b128 {{y, {d}}}, w; add.u64 {d}, {d}, y",
        "b64",
        "b64 b64",
        lambda a, b: cut(a + b, 64),
    )
    row(
        ".local .align 16 .b8 m[32]; .reg .b64 y; .reg .b128 w, v; mov.b128 w, {{{a}, {b}}}; st.local.b128 [m+16], w;"
        " ld.local.b128 v, [m+16]; mov.b128 {{{d}, y}}, v; sub.u64 {d}, {d}, y",
        "b64",
        "b64 b64",
        lambda a, b: cut(a - b, 64),
    )
    row(
        ".reg .b64 y, z, m; alloca.u64 y, 40; stacksave.u64 m; alloca.u64 z, 8, 64; st.local.b32 [y+36], {a};"
        " st.local.b32 [z], {b}; ld.local.b32 {d}, [z]; stackrestore.u64 m; ld.local.b32 {a}, [y+36];"
        " and.b64 z, z, 63; cvt.u32.u64 {b}, z; sub.u32 {d}, {d}, {a}; add.u32 {d}, {d}, {b}",
        "b32",
        "b32 b32",
        lambda a, b: cut(b - a, 32),
    )


bytes_and_halves()
wide()
