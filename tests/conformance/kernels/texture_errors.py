#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Errors of textures: each message says what it got and what it expected; misuse in kernels ends them with words."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrtex
from arrtex import Texels, i4, options
from textures import SOURCE

C = arrpy.c
REFUSED = [  # what, status, words, call of (device)
    ("dtype", C.ARR_E_DTYPE, "argument dtype: float64", lambda d: Texels("float64", (3,), device=d)),
    (
        "channels",
        C.ARR_E_ARGUMENT,
        "argument channels: 3, expected 1, 2 or 4",
        lambda d: Texels("float32", (3,), 3, device=d),
    ),
    ("dimensions", C.ARR_E_SHAPE, "argument ndim: 4", lambda d: Texels("float32", (3, 3, 3, 3), device=d)),
    ("no dimension", C.ARR_E_SHAPE, "argument ndim: 0", lambda d: Texels("float32", (), device=d)),
    ("extent", C.ARR_E_SHAPE, "argument shape: shape (3,0)", lambda d: Texels("float32", (3, 0), device=d)),
    ("size", C.ARR_E_SHAPE, "argument shape", lambda d: Texels("float32", (2**31 - 1,) * 3, device=d)),
    ("flags", C.ARR_E_ARGUMENT, "argument flags: 16", lambda d: Texels("float32", (3,), flags=16, device=d)),
    (
        "layers of nothing",
        C.ARR_E_SHAPE,
        "argument ndim: 1, ARR_TEXELS_LAYERED expects 2 or 3",
        lambda d: Texels("float32", (3,), flags=C.ARR_TEXELS_LAYERED, device=d),
    ),
    (
        "five faces",
        C.ARR_E_SHAPE,
        "argument shape: (5,3,3), ARR_TEXELS_CUBE expects 6 faces of equal height and width",
        lambda d: Texels("float32", (5, 3, 3), flags=C.ARR_TEXELS_CUBE, device=d),
    ),
    (
        "a cube that is none",
        C.ARR_E_SHAPE,
        "argument shape: (12,3,4), ARR_TEXELS_CUBE expects a multiple of 6 faces",
        lambda d: Texels("float32", (12, 3, 4), flags=C.ARR_TEXELS_CUBE | C.ARR_TEXELS_LAYERED, device=d),
    ),
    (
        "gathers of a line",
        C.ARR_E_SHAPE,
        "argument shape: (3,), ARR_TEXELS_GATHER expects two dimensions",
        lambda d: Texels("float32", (3,), flags=C.ARR_TEXELS_GATHER, device=d),
    ),
    (
        "gathers of layers",
        C.ARR_E_SHAPE,
        "argument shape: (3,4) with layers, ARR_TEXELS_GATHER expects two dimensions",
        lambda d: Texels("float32", (3, 4), flags=C.ARR_TEXELS_GATHER | C.ARR_TEXELS_LAYERED, device=d),
    ),
    (
        "copy's dtype",
        C.ARR_E_DTYPE,
        "argument a: float64, the texels have float32",
        lambda d: Texels("float32", (3,), device=d).copy_from(arrpy.array(np.zeros(3), device=d)),
    ),
    (
        "copy's shape",
        C.ARR_E_SHAPE,
        "argument a: shape (3,), expected (3,2)",
        lambda d: Texels("float32", (3,), 2, device=d).copy_from(arrpy.array(np.zeros(3, "f4"), device=d)),
    ),
    (
        "copy to what may not be written",
        C.ARR_E_READONLY,
        "",
        lambda d: Texels("float32", (3,), device=d).copy_to(
            arrpy.array(np.zeros(1, "f4"), device=d).broadcast_to((3,))
        ),
    ),
    (
        "a surface without the flag",
        C.ARR_E_ARGUMENT,
        "argument t: texels without ARR_TEXELS_SURFACE",
        lambda d: arrtex.surface(Texels("float32", (3,), device=d)),
    ),
]
OPTIONS = [  # dtype, options, words
    ("float32", dict(address=("wrap",)), "address_x is ARR_ADDRESS_WRAP, which needs normalized coordinates"),
    ("float32", dict(address=("clamp", "mirror")), "address_y is ARR_ADDRESS_MIRROR"),
    ("float32", dict(address=(4,)), "address_x is 4, expected 0 to 3"),
    ("float32", dict(linear=2), "filter is 2, expected 0 to 1"),
    ("float32", dict(read_normalized=2), "read is 2, expected 0 to 1"),
    ("float32", dict(normalized=-1), "normalized is -1, expected 0 to 1"),
    ("float32", dict(anisotropy=17), "max_anisotropy is 17, expected 0 to 16"),
    ("float32", dict(read_normalized=True), "read is ARR_READ_NORMALIZED, got texels of float32"),
    ("int32", dict(read_normalized=True), "read is ARR_READ_NORMALIZED, got texels of int32"),
    ("int8", dict(linear=True), "filter is ARR_FILTER_LINEAR, got int8 read as they are"),
    ("uint8", dict(srgb=True, read_normalized=True), "srgb is 1, got 1 channels of uint8"),
    ("uint16", dict(border=(0, 1, 0, 0)), "a border colour, got uint16 read as they are"),
]


def refused(report, label, status, words, run):
    try:
        run()
    except arrpy.Error as e:
        report.check(f"refused: {label}", e.status == status and words in str(e), f"{e.status} {e}")
        return
    report.check(f"refused: {label}", False, "it was not")


def refusals(report):
    d = report.device
    for label, status, words, run in REFUSED:
        refused(report, label, status, words, lambda: run(d))
    for dtype, how, words in OPTIONS:
        texels = Texels(dtype, (3, 4), device=d)
        refused(
            report,
            f"{dtype} {how}",
            C.ARR_E_ARGUMENT,
            "argument options: " + words,
            lambda: arrtex.texture(texels, options(**how)),
        )
    short = options()
    short.struct_size = 8
    refused(report, "struct_size", C.ARR_E_ARGUMENT, "struct_size", lambda: arrtex.texture(texels, short))
    of_arrays(report, d)
    if d == "host":
        kernel_failures(report)


def of_arrays(report, d):
    line, rows = arrtex.pitched(np.zeros(64, "f4"), d), arrtex.pitched(np.zeros((8, 8), "f4"), d)
    for how, words in (
        (dict(linear=True), "filter is ARR_FILTER_LINEAR"),
        (dict(normalized=True), "normalized is 1"),
        (dict(address=("border",)), "address_x is set"),
    ):
        refused(
            report, f"by index {how}", C.ARR_E_ARGUMENT, words, lambda: arrtex.texture_of_array(line, 1, options(**how))
        )
    refused(report, "columns", C.ARR_E_ARGUMENT, "argument a: strides", lambda: arrtex.texture_of_array(rows.T))
    refused(
        report, "backwards", C.ARR_E_ARGUMENT, "argument a: strides", lambda: arrtex.texture_of_array(rows.flip([0]))
    )
    refused(
        report,
        "channels of an array",
        C.ARR_E_SHAPE,
        "a last axis of 4 channels",
        lambda: arrtex.texture_of_array(rows, 4),
    )
    refused(
        report,
        "dimensions of an array",
        C.ARR_E_SHAPE,
        "one or two dimensions",
        lambda: arrtex.texture_of_array(rows.reshape(2, 4, 8)),
    )
    if d == "host":
        refused(
            report,
            "anisotropy",
            C.ARR_E_UNSUPPORTED,
            "max_anisotropy is 4",
            lambda: arrtex.texture(Texels("float32", (3,)), options(anisotropy=4)),
        )
    else:
        refused(
            report,
            "alignment",
            C.ARR_E_ARGUMENT,
            "argument a: begins 32 bytes after a multiple of 512",
            lambda: arrtex.texture_of_array(line[8:]),
        )
        dense = arrtex.pitched(np.zeros(60, "f4"), d).reshape(10, 6)
        refused(
            report,
            "pitch",
            C.ARR_E_ARGUMENT,
            "argument a: rows 24 bytes apart, expected a multiple of 32",
            lambda: arrtex.texture_of_array(dense),
        )
        refused(
            report,
            "extent of the device",
            C.ARR_E_SHAPE,
            "has at most",
            lambda: Texels("uint8", (200000000,), device=d),
        )
        refused(
            report,
            "layers of the device",
            C.ARR_E_SHAPE,
            "argument shape: extent 200000 of axis 0",
            lambda: Texels("uint8", (200000, 1, 1), device=d, flags=C.ARR_TEXELS_LAYERED),
        )
        refused(
            report,
            "another device",
            C.ARR_E_ARGUMENT,
            "a texture on host",
            lambda: launch(report, arrtex.texture(Texels("float32", (3, 3)))),
        )


def launch(report, t, dims=2):
    m = arrtex.Module(SOURCE, report.device, ["fetch<float>"])
    a = report.array(np.zeros(8, "f4"))
    m.launch("fetch<float>", 1, t, i4(dims), a, a.copy(), i4(1), block=1)


def kernel_failures(report):
    """Misuse inside a kernel ends it with words."""

    def waited(run):
        run()
        arrpy.call("arr_device_sync", ctypes.byref(arrpy.device_of(report.device)))

    texels = Texels("float32", (3, 3), surface=True)
    texture, surface = arrtex.texture(texels), arrtex.surface(texels)
    layers = arrtex.texture(Texels("float32", (2, 3, 3), flags=C.ARR_TEXELS_LAYERED))
    for label, words, run in (
        ("dimensions", "of other dimensions", lambda: launch(report, texture, 3)),
        ("tex1Dfetch of texels", "tex1Dfetch of texels", lambda: launch(report, texture, 0)),
        ("a surface", "not a texture object", lambda: launch(report, surface)),
        ("layers", "of other dimensions", lambda: launch(report, layers)),
    ):
        refused(report, label, C.ARR_E_DEVICE, words, lambda: waited(run))
    m = arrtex.Module(SOURCE, report.device, ["load<float>"])
    for label, words, t, shift in (
        ("outside", "outside of the surface", surface, 1),
        ("a texture", "not a surface object", texture, 0),
    ):
        refused(
            report,
            label,
            C.ARR_E_DEVICE,
            words,
            lambda: waited(
                lambda: m.launch(
                    "load<float>", 9, t, i4(2), report.array(np.zeros(9, "f4")), i4(3), i4(3), i4(9), i4(shift), i4(2)
                )
            ),
        )


def main():
    report = oracle.Report(__doc__)
    refusals(report)
    report.finish()


if __name__ == "__main__":
    main()
