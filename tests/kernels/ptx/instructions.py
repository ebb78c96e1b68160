#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""instructions.py [--only TEXT] [--assemble] - each row of rows.py as PTX, run on the host, against exact arithmetic.

Rows become blocks of a few kernels: thread i computes with the i-th operands. --assemble: ptxas assembles the text.
"""

import argparse
import math
import pathlib
import random
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import exact
from cuda_toolkit import HEADER, assemble

THREADS, PER_KERNEL = 96, 40
TARGET = "sm_100"
NEWER = HEADER.replace("8.4", "8.6").replace("sm_90", TARGET)  # which has all of the instructions
SPECIAL = {
    16: [0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x5555],
    32: [0, 1, 2, 3, 31, 32, 0xFF, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0x55555555, 0x00800000],
    64: [
        0,
        1,
        2,
        3,
        63,
        0x7FFFFFFFFFFFFFFF,
        1 << 63,
        (1 << 63) + 1,
        (1 << 64) - 1,
        0x5555555555555555,
        0xFFFFFFFF,
        1 << 32,
    ],
    "n": [*range(40), 63, 64, 65, 127, 128, 254, 255, 0xFFFFFFFF],
    "f32": [
        0,
        0x80000000,
        0x3F800000,
        0xBF800000,
        0x7F800000,
        0xFF800000,
        0x7FC00000,
        1,
        0x80000001,
        0x007FFFFF,
        0x00800000,
        0x7F7FFFFF,
        0xFF7FFFFF,
        0x3F000000,
        0x3FC00000,
        0xC0200000,
        0x4F000000,
        0x4EFFFFFF,
        0x5F000000,
        0x34000000,
        0x42FF0000,
    ],
    "f64": [
        0,
        1 << 63,
        0x3FF0000000000000,
        0xBFF0000000000000,
        0x7FF0000000000000,
        0xFFF0000000000000,
        0x7FF8000000000000,
        1,
        0x000FFFFFFFFFFFFF,
        0x0010000000000000,
        0x7FEFFFFFFFFFFFFF,
        0x3FE0000000000000,
        0x3FF8000000000000,
        0x41DFFFFFFFC00000,
        0x41E0000000000000,
        0x43E0000000000000,
        0x36A0000000000000,
        0x47EFFFFFE0000000,
        0x47EFFFFFF0000000,
    ],
    "h": [
        0,
        0x8000,
        0x3C00,
        0xBC00,
        0x7C00,
        0xFC00,
        0x7E00,
        1,
        0x8001,
        0x3FF,
        0x400,
        0x7BFF,
        0x3F80,
        0x7F80,
        0x7FC0,
        0x80,
        0x7F7F,
    ],
}
WIDTH = {
    "b16": 16,
    "b32": 32,
    "b64": 64,
    "f32": 32,
    "f64": 64,
    "n": 32,
    "h": 16,
    "m32": 32,
    "p32": 32,
    "m64": 64,
    "t": 64,
    "o16": 16,
    "o32": 32,
    "o64": 64,
}


def moderate(kind, rng):
    size = rng.uniform(-20, 20) if rng.random() < 0.8 else 2.0 ** rng.uniform(-12, 6)
    size = abs(size) if kind[0] == "p" else size
    f, i = ("<f", "<I") if kind.endswith("32") else ("<d", "<Q")
    return struct.unpack(i, struct.pack(f, size or 1.0))[0]


def samples(kind, rng):
    if kind == "pred":
        return [rng.getrandbits(1) for _ in range(THREADS)]
    if kind[0] in "mp" and kind != "pred":
        return [moderate(kind, rng) for _ in range(THREADS)]
    if kind == "t":
        return [a | b << 32 for a, b in zip(samples("f32", rng), samples("f32", rng))]
    n = WIDTH[kind]
    given = SPECIAL.get(kind) or SPECIAL[n]
    draws = []
    for _ in range(THREADS):
        if rng.random() < 0.45:
            v = rng.choice(given)
        elif kind in ("f32", "f64") and rng.random() < 0.5:  # near each other, and near whole numbers
            v = struct.unpack(
                *(
                    ("<I", struct.pack("<f", rng.uniform(-300, 300)))
                    if n == 32
                    else ("<Q", struct.pack("<d", rng.uniform(-300, 300)))
                )
            )[0]
        else:
            v = rng.getrandbits(n) >> rng.choice((0, 0, 0, n // 2))
        draws.append(v if kind != "n" else v if v in given else v & 63)
    return [v or 1 for v in draws] if kind[0] == "o" else draws  # o: other than 0


def register(kind):
    return kind if kind in ("f32", "f64", "pred") else f"b{WIDTH[kind]}"


def block(number, text, result, kinds):
    """The statements of one row, in a scope of their own."""
    names = "abc"[: len(kinds)]
    lines = [f".reg .{register(k)} {n};" for n, k in zip(names, kinds)] + [
        f".reg .{register(result)} d;",
        ".reg .b32 t;",
    ]
    for n, k in zip(names, kinds):
        at = f"[%p{'abc'.index(n)}+{number * THREADS * 8}]"
        lines += (
            [f"ld.global.b32 t, {at};", f"setp.ne.b32 {n}, t, 0;"]
            if k == "pred"
            else [f"ld.global.b{WIDTH[k]} {n}, {at};"]
        )
    if register(result) == "pred":
        lines.append("setp.eq.b32 d, 0, 1;")
    else:
        zero = {"f32": "0f00000000", "f64": "0d0000000000000000"}.get(result, "0")
        lines.append(f"mov.{register(result)} d, {zero};")
    if "{d}" not in text and "{a}" not in text:
        text += " {d}" + "".join(f", {{{n}}}" for n in names)
    text = text.format(d="d", a="a", b="b", c="c")
    lines.append(text + ";")
    out = f"[%p3+{number * THREADS * 8}]"
    if register(result) == "pred":
        lines += ["selp.b32 t, 1, 0, d;", f"st.global.b32 {out}, t;"]
    else:
        lines.append(f"st.global.b{WIDTH[result]} {out}, d;")
    return "  {\n    " + "\n    ".join(lines) + "\n  }\n"


def module(rows):
    text = NEWER
    for k in range(0, len(rows), PER_KERNEL):
        text += f".visible .entry rows_{k // PER_KERNEL}(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n{{\n"
        text += "  .reg .b64 %p<4>, %i;\n  .reg .b32 %t;\n  mov.u32 %t, %tid.x;\n  mul.wide.u32 %i, %t, 8;\n"
        for i in range(4):
            text += f"  ld.param.u64 %p{i}, [p{i}];\n  add.u64 %p{i}, %p{i}, %i;\n"
        for i, (instruction, result, kinds, _) in enumerate(rows[k : k + PER_KERNEL]):
            text += block(k + i, instruction, result, kinds)
        text += "  ret;\n}\n"
    return text


def agrees(got, want, kind, text):
    if want is None:
        t = next((m for m in ("bf16", "f16") if kind == "b16" and f".{m}" in text), kind)
        return exact.decode(got, t)[0] == "nan"
    if isinstance(want, tuple) and want[0] == "any":
        return True
    if isinstance(want, tuple) and want[0] == "pair":
        t = "bf16" if "bf16" in text else "f16"
        return all(agrees(g, w, "b16", "." + t) for g, w in ((got & 0xFFFF, want[1]), (got >> 16, want[2])))
    if isinstance(want, tuple) and want[0] == "floats":
        return all(agrees(g, w, "f32", text) for g, w in ((got & 0xFFFFFFFF, want[1]), (got >> 32, want[2])))
    if isinstance(want, tuple):
        _, value, relative, *floor = want
        g = exact.number(got, kind)
        if math.isinf(value) or math.isnan(value):
            return g == value or math.isnan(g)
        return abs(g - value) <= relative * abs(value) + (floor[0] if floor else 0.0) + 1e-37
    return got == want


def run(rows, text):
    import numpy as np
    from ptx_host import Module

    rng = random.Random(7)
    given = np.zeros((3, len(rows), THREADS), "u8")
    for r, (_, _, kinds, _) in enumerate(rows):
        for i, kind in enumerate(kinds):
            given[i, r] = samples(kind, rng)
    got = Module(text).launch_all(
        [f"rows_{k}" for k in range(-(-len(rows) // PER_KERNEL))], THREADS, *given, np.zeros_like(given[0])
    )[3]
    failures = 0
    for r, (instruction, result, kinds, f) in enumerate(rows):
        mask = (1 << (1 if result == "pred" else WIDTH[result])) - 1
        for i in range(THREADS):
            operands = [int(given[k, r, i]) for k in range(len(kinds))]
            want, g = f(*operands), int(got[r, i]) & mask
            if not agrees(g, want, result, instruction):
                failures += 1
                shown = want if want is None or isinstance(want, tuple) else hex(want)
                print(f"{instruction}: of {[hex(o) for o in operands]}: got {g:#x}, expected {shown}")
                break
    print(f"{len(rows)} rows of {THREADS} operands, {failures} failures")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--assemble", action="store_true")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    import rows
    import rows_float  # noqa: F401  adds its own
    import rows_other  # noqa: F401
    import rows_video  # noqa: F401

    chosen = [r for r in rows.ROWS if options.only in r[0]]
    text = module(chosen)
    if options.print:
        print(text)
        return 0
    return assemble(text, TARGET) if options.assemble else run(chosen, text)


if __name__ == "__main__":
    sys.exit(main())
