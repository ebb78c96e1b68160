#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""surfaces.py - PTX that reduces in surfaces and asks textures and surfaces for their sizes, on the host."""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import arrtex
from arrtex import Texels
from cuda_toolkit import HEADER, assemble

import arrpy

# Thread i (%r1) changes the place %r2, %r3 (and %r4) of a surface by what it was given: %r5, or %d3 of 64 bits.
REDUCE = """.visible .entry {name}(.param .u64 o, .param .u64 x, .param .u64 v)
{{
  .reg .b32 %r<9>; .reg .b64 %d<6>;
  mov.u32 %r1, %tid.x; ld.param.u64 %d1, [o]; ld.param.u64 %d2, [v]; ld.param.u64 %d4, [x];
  mul.wide.u32 %d5, %r1, 8; add.u64 %d2, %d2, %d5; ld.global.u64 %d3, [%d2]; cvt.u32.u64 %r5, %d3;
  mul.wide.u32 %d5, %r1, 12; add.u64 %d4, %d4, %d5;
  ld.global.u32 %r2, [%d4]; ld.global.u32 %r3, [%d4+4]; ld.global.u32 %r4, [%d4+8];
  {instruction};
  ret;
}}
"""
QUERY = """.visible .entry {name}(.param .u64 o, .param .u64 y)
{{
  .reg .b32 %r<3>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [o]; ld.param.u64 %d2, [y];
{body}
  ret;
}}
"""
# The first row of a texture, a texel by each thread, and whether it is in memory.
RESIDENT = """.visible .entry resident(.param .u64 o, .param .u64 y)
{
  .reg .b32 %r<3>; .reg .b64 %d<4>; .reg .f32 %f<7>; .reg .pred %p<4>;
  ld.param.u64 %d1, [o]; ld.param.u64 %d2, [y]; mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 16; add.u64 %d2, %d2, %d3;
  cvt.rn.f32.u32 %f5, %r1; add.f32 %f5, %f5, 0f3F000000; mov.f32 %f6, 0f3F000000;
  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%d1, {%f5, %f6}]; st.global.f32 [%d2], %f1;
  selp.f32 %f2, 0f3F800000, 0f00000000, %p1; st.global.f32 [%d2+4], %f2;
  tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p2, [%d1, {%f5, %f6}], %f6; st.global.f32 [%d2+8], %f1;
  and.pred %p3, %p1, %p2; selp.f32 %f2, 0f3F800000, 0f00000000, %p3; st.global.f32 [%d2+12], %f2;
  ret;
}
"""
COORDINATES = {1: "{%r2}", 2: "{%r2, %r3}", 3: "{%r2, %r3, %r4, %r4}"}
FUNCTIONS = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or}
# Name: instruction, dtype of the surface, shape, True where x counts texels.
REDUCTIONS = {
    "add_1": ("sured.b.add.1d.u32.trap", "uint32", (9,), False),
    "add_2": ("sured.b.add.2d.s32.clamp", "int32", (4, 6), False),
    "add_3": ("sured.b.add.3d.u32.zero", "uint32", (2, 3, 4), False),
    "wide": ("sured.b.add.1d.u64.trap", "uint32", (8,), False),
    "min_signed": ("sured.b.min.2d.s32.trap", "int32", (4, 6), False),
    "min_unsigned": ("sured.b.min.2d.u32.trap", "uint32", (4, 6), False),
    "max_signed": ("sured.b.max.2d.s32.trap", "int32", (4, 6), False),
    "max_unsigned": ("sured.b.max.2d.u32.trap", "uint32", (4, 6), False),
    "and": ("sured.b.and.1d.b32.trap", "uint32", (9,), False),
    "or": ("sured.b.or.1d.b32.trap", "uint32", (9,), False),
    "texels_max": ("sured.p.max.2d.b32.clamp", "int32", (4, 6), True),
    "texels_min": ("sured.p.min.2d.b32.zero", "uint32", (4, 6), True),
    "texels_add": ("sured.p.add.1d.b32.trap", "int32", (9,), True),
}
ASKED = ("width", "height", "depth", "array_size")
LAYOUT = ("memory_layout",)  # 0: not linear
LEVELS = ("level.width", "level.height", "level.depth", "num_mipmap_levels", "num_samples")
# Questions about the channels, and about the way a texture is read.
FORMATS = ("channel_data_type", "channel_order")
READING = ("normalized_coords", "filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2")
# The numbers of PTX ISA, "Channel Data Type and Channel Order Fields": of a channel as it is, and as it is read where it
# becomes a number between -1 and 1.
TYPES = {
    "int8": (0x10D7, 0x10D0),
    "int16": (0x10D8, 0x10D1),
    "int32": (0x10D9, None),
    "uint8": (0x10DA, 0x10D2),
    "uint16": (0x10DB, 0x10D3),
    "uint32": (0x10DC, None),
    "float16": (0x10DD, None),
    "float32": (0x10DE, None),
}
ORDERS = {1: 0x10B0, 2: 0x10B2, 4: 0x10B5}
MODES = {"wrap": 0, "mirror": 1, "clamp": 3, "border": 4}
# Name, shape, flags, what is asked for in the order of ASKED.
OBJECTS = [
    ("line", (9,), "", (9, 0, 0, 0)),
    ("plane", (4, 6), "", (6, 4, 0, 0)),
    ("solid", (2, 3, 4), "", (4, 3, 2, 0)),
    ("planes", (5, 4, 6), "layered", (6, 4, 0, 5)),
    ("cubes", (12, 3, 3), "cubes", (3, 3, 0, 2)),
]


def text():
    out = HEADER + RESIDENT
    for name, (instruction, _, shape, _) in REDUCTIONS.items():
        value = "%d3" if ".u64" in instruction else "%r5"
        out += REDUCE.format(name=name, instruction=f"{instruction} [%d1, {COORDINATES[len(shape)]}], {value}")
    for name, word, asked in (
        ("surface", "suq", (*ASKED, *LAYOUT)),
        ("texture", "txq", (*ASKED, *LEVELS)),
        ("surface_formats", "suq", FORMATS),
        ("texture_formats", "txq", (*FORMATS, *READING)),
    ):
        body = "".join(
            f"  {word}.{a}.b32 %r1, [%d1]{', 0' if 'level.' in a else ''}; st.global.u32 [%d2+{4 * i}], %r1;\n"
            for i, a in enumerate(asked)
        )
        out += QUERY.format(name=name, body=body)
    return out


def reduce(module, name, rng):
    """A surface after the threads' changes, by the kernel and by NumPy; some threads lie outside where that is allowed."""
    instruction, dtype, shape, by_texel = REDUCTIONS[name]
    op, boundary, wide = instruction.split(".")[2], instruction.split(".")[-1], ".u64" in instruction
    n, unit = 64, np.dtype("u8" if wide else dtype)
    start = rng.integers(0, 2**32, shape, dtype="u4").view(dtype)
    want = start.copy().view(unit)
    values = rng.integers(0, 2**63, n, dtype="u8")
    coordinates = np.zeros((n, 3), "i4")
    for d, extent in enumerate(reversed(want.shape)):
        outside = 0 if boundary == "trap" else 2
        coordinates[:, d] = rng.integers(-outside, extent + outside, n)
    for coordinate, value in zip(coordinates, values):
        index = [int(p) for p in coordinate[: len(shape)]][::-1]
        if boundary == "clamp":
            index = [min(max(i, 0), e - 1) for i, e in zip(index, want.shape)]
        if all(0 <= i < e for i, e in zip(index, want.shape)):
            at = tuple(index)
            want[at] = FUNCTIONS[op](want[at], value.astype(f"u{unit.itemsize}").view(unit))
    if not by_texel:
        coordinates[:, 0] *= unit.itemsize
    texels = Texels(dtype, shape, surface=True, device="host").copy_from(arrpy.array(start, device="host"))
    module.launch(
        name,
        n,
        arrtex.surface(texels),
        arrpy.array(coordinates, device="host"),
        arrpy.array(values, device="host"),
        block=n,
    )
    got = texels.copy_to(arrpy.array(np.zeros_like(start), device="host")).numpy()
    return got, want.view(dtype)


def query(module, name, texels, how, count):
    answers = arrpy.array(np.full(count, 77, "i4"), device="host")
    made = arrtex.surface(texels) if name.startswith("surface") else arrtex.texture(texels, how)
    module.launch(name, 1, made, answers, block=1)
    return tuple(answers.numpy())


def formats(module):
    """(label, kernel, answers, what is expected) for each type of a channel, number of channels and way of reading."""
    modes = list(MODES)
    for k, (dtype, (plain, read)) in enumerate(TYPES.items()):
        for channels, order in ORDERS.items():
            texels = Texels(dtype, (4, 6), surface=True, device="host", channels=channels)
            yield (
                f"{dtype} {channels}",
                "surface_formats",
                query(module, "surface_formats", texels, None, 2),
                (plain, order),
            )
            for normalized in (False, read is not None):
                address = (modes[k % 4], modes[(k + channels) % 4])
                linear = normalized or dtype.startswith("float")
                how = arrtex.options(address, linear=linear, read_normalized=normalized, normalized=True)
                want = (
                    read if normalized else plain,
                    order,
                    1,
                    int(linear),
                    *(MODES[m] for m in address),
                    MODES["clamp"],
                )
                label = f"{dtype} {channels} {address}"
                yield label, "texture_formats", query(module, "texture_formats", texels, how, len(want)), want


def resident(module):
    texels = Texels("float32", (4, 6), device="host").copy_from(
        arrpy.array(np.arange(24, dtype="f4").reshape(4, 6), device="host")
    )
    got = arrpy.array(np.zeros((6, 4), "f4"), device="host")
    module.launch("resident", 6, arrtex.texture(texels, arrtex.options()), got, block=6)
    return got.numpy(), np.stack([np.arange(6), np.ones(6)] * 2, 1).astype("f4")


def misuse(module):
    """(what was said, what is expected) of kernels that are given what they do not take."""
    line = Texels("float32", (9,), surface=True, device="host")
    zeros = [arrpy.array(np.zeros((64, 3), "i4"), device="host"), arrpy.array(np.zeros(64, "u8"), device="host")]
    for name, made, words in (
        ("texels_add", arrtex.surface(line), "sured.p of a surface whose texels are no whole numbers"),
        ("add_1", arrtex.texture(line), "a surface function was given a number that is not a surface object"),
        ("add_2", arrtex.surface(line), "a surface function of other dimensions than the surface's"),
        ("texture", arrtex.surface(line), "txq was given a number that is not a texture object"),
    ):
        try:
            module.launch(name, 1, made, *(zeros if name != "texture" else zeros[:1]), block=1)
            arrpy.call("arr_device_sync", arrpy.ctypes.byref(arrpy.device_of("host")))
            yield "", words
        except arrpy.Error as error:
            yield str(error), words


def main():
    failures, count = int(assemble(text()) == 1), 0
    module, rng = arrtex.Module(text(), "host"), np.random.default_rng(8)
    for name in REDUCTIONS:
        got, want = reduce(module, name, rng)
        count += 1
        if not np.array_equal(got, want):
            failures += 1
            print(f"{name}: got {got.ravel()[:6]}, expected {want.ravel()[:6]}")
    got, want = resident(module)
    count += 1
    if not np.array_equal(got, want):
        failures += 1
        print(f"resident: got {got}, expected {want}")
    for label, shape, flags, sizes in OBJECTS:
        texels = Texels("float32", shape, surface=True, device="host", flags=arrtex.FLAGS[flags])
        for normalized in (False, True):
            how = arrtex.options(normalized=normalized or "cube" in flags)
            for name, want in (("surface", (*sizes, 0)), ("texture", (*sizes, *sizes[:3], 1, 1))):
                got = query(module, name, texels, how, len(want))
                count += 1
                if got != want:
                    failures += 1
                    print(f"{name} {label}: got {got}, expected {want}")
    for label, name, got, want in formats(module):
        count += 1
        if got != want:
            failures += 1
            print(f"{name} {label}: got {got}, expected {want}")
    for said, words in misuse(module):
        count += 1
        if words not in said:
            failures += 1
            print(f"got {said!r}, expected {words}")
    print(f"{count} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
