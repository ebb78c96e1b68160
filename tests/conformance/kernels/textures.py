#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Textures and surfaces in kernels against NumPy: formats, address modes, filters, read modes, coordinates."""

import ctypes
import itertools
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrtex
from arrtex import Texels, i4, options
from user_kernels import Elementwise, Reduction

C = arrpy.c
DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "float16", "float32"]
SHAPES = {1: (7,), 2: (5, 6), 3: (3, 4, 5)}
# The name that kernels have for the type of a channel, read as it is.
NAMES = {
    "int8": "char",
    "uint8": "uchar",
    "int16": "short",
    "uint16": "ushort",
    "int32": "int",
    "uint32": "uint",
    "float16": "float",
    "float32": "float",
}
SOURCE = (pathlib.Path(__file__).parent / "textures.cu").read_text()


def type_of(name, channels):
    if channels == 1:
        return {"char": "signed char", "uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned"}.get(
            name, name
        )
    return f"{name}{channels}"


def on_gpu(report):
    return report.device != "host" and not os.environ.get("ARR_CUDA_DRIVER")


def module(report, template, names):
    return arrtex.Module(SOURCE, report.device, [f"{template}<{type_of(n, k)}>" for n in names for k in (1, 2, 4)])


# ------------------------------------------------------------------------------------------ what NumPy says


def texel_index(i, n, mode):
    """Indices of the texels that stand for indices i; -1 for the border."""
    if mode == "clamp":
        return np.clip(i, 0, n - 1)
    if mode == "wrap":
        return np.mod(i, n)
    if mode == "mirror":
        return (n - 0.5 - np.abs(np.mod(i, 2 * n) - n + 0.5)).astype("i8")
    return np.where((i < 0) | (i >= n), -1, i)


def texel(data, border, index):
    """data (..., channels) at a list of indices, the last axis' first."""
    outside = np.any([i < 0 for i in index], axis=0)
    values = data[tuple(np.maximum(i, 0) for i in reversed(index))]
    return np.where(outside[:, None], border[: values.shape[-1]], values)


def expected(data, coordinates, modes, linear, normalized, border):
    """data: what texels give, (..., channels); coordinates (dims, n), the last axis' first."""
    extents = data.shape[-2::-1]
    u = coordinates.astype("f8")
    for d, mode in enumerate(modes):
        if mode in ("wrap", "mirror"):
            u[d] = np.fmod(u[d], 2)  # exact; nan where it is infinite
        u[d] = np.clip(np.where(np.isnan(u[d]), 0, u[d] * (extents[d] if normalized else 1)), -1e15, 1e15)
    if not linear:
        return texel(
            data, border, [texel_index(np.floor(u[d]).astype("i8"), extents[d], m) for d, m in enumerate(modes)]
        )
    low = np.floor(u - 0.5)
    weight = np.round((u - 0.5 - low) * 256 + 1e-9) / 256
    total = 0
    for corner in itertools.product((0, 1), repeat=len(modes)):
        index = [texel_index((low[d] + side).astype("i8"), extents[d], modes[d]) for d, side in enumerate(corner)]
        share = np.prod([weight[d] if side else 1 - weight[d] for d, side in enumerate(corner)], axis=0)[:, None]
        total = total + np.where(share == 0, 0, share * texel(data, border, index))
    return total


def linear_of_srgb(v):
    out = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    out[..., 3] = v[..., 3]
    return out


def read_as(data, read_normalized, srgb=False):
    if not read_normalized:
        return data.astype("f8") if data.dtype.kind == "f" else data
    v = np.maximum(data.astype("f8") / np.iinfo(data.dtype).max, -1)
    return linear_of_srgb(v) if srgb else v


def sample(dtype, shape, seed):
    r = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return r.uniform(-4, 4, shape).astype(dtype)
    info = np.iinfo(dtype)
    out = r.integers(info.min, info.max, shape, endpoint=True).astype(dtype)
    out.flat[:2] = info.min, info.max
    return out


def sample_points(shape, normalized, seed, special):
    """Coordinates (dims, n), the last axis' first: inside, outside, at edges and centres."""
    r = np.random.default_rng(seed)
    extents = np.array(shape[::-1], "f8")[:, None]
    dims = len(shape)
    n = 60
    # A GPU's own rounding decides at an edge; a 16th of a 256th beside one does not.
    u = np.concatenate(
        [
            r.uniform(0, 1, (dims, n)) * extents,
            r.uniform(-2.2, 3.2, (dims, n)) * extents,
            np.floor(r.uniform(-1, 2, (dims, n)) * extents) + 0.5,
        ],
        axis=1,
    )
    u = np.round(u * 256) / 256 + 1 / 4096
    if special:
        hard = np.array([0.0, -0.0, 0.5, -0.5, 1, -1, np.nan, np.inf, -np.inf, 1e10, -1e10, 1e30, -1e30, 1e-30, -1e-30])
        u = np.concatenate([u, r.choice(hard, (dims, 60)), extents - 0.5, extents + 0.5, extents, -extents], axis=1)
    return (u / extents if normalized else u).astype("f4")


# --------------------------------------------------------------------------------------------------- tests


class Fetch:
    def __init__(self, report, template="fetch", names=("char", "uchar", "short", "ushort", "int", "uint", "float")):
        self.report, self.template, self.module = report, template, module(report, template, names)

    def __call__(self, label, texture, dims, data, how, x, want, name, channels):
        """how: linear? The rest is for the comparison."""
        report = self.report
        n = x.shape[1]
        out = arrpy.empty(
            (n, channels),
            np.dtype(
                {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4"}[
                    name
                ]
            ),
            device=report.device,
        )
        arrpy.call("arr_fill", out.handle, ctypes.byref(arrpy.value(77)), None)
        self.module.launch(
            f"{self.template}<{type_of(name, channels)}>", n, texture, i4(dims), report.array(x.ravel()), out, i4(n)
        )
        got = out.numpy()
        if got.dtype.kind != "f":
            good = got == want.astype(got.dtype)
        else:
            scale = max(1.0, float(np.abs(data).max()))
            # A GPU may round a weight the other way.
            tolerance = (dims * 2 / 256 if how and on_gpu(report) else 2e-6) * scale
            good = np.abs(got - want) <= tolerance
        bad = np.argwhere(~good.all(axis=1)).ravel()
        where = (
            "" if not len(bad) else f"at {x[:, bad[0]]} got {got[bad[0]]}, expected {want[bad[0]]}; {len(bad)} of {n}"
        )
        report.check(label, not len(bad), where)


def fetches(report):
    fetch = Fetch(report)
    border = np.array([0.25, -2, 3, 0.5])
    for seed, (dims, dtype, channels) in enumerate(itertools.product((1, 2, 3), DTYPES, (1, 2, 4))):
        data = sample(dtype, SHAPES[dims] + (channels,), seed)
        texels = Texels(dtype, SHAPES[dims], channels, device=report.device)
        texels.copy_from(report.array(data if channels > 1 else data[..., 0]))
        for address, linear, read, normalized in itertools.product(
            arrtex.ADDRESS, (False, True), (False, True), (False, True)
        ):
            floats = read or data.dtype.kind == "f"
            if (linear and not floats) or (read and (data.dtype.kind == "f" or data.itemsize > 2)):
                continue
            if address in ("wrap", "mirror") and not normalized:
                continue
            # Axes differ in mode.
            modes = [address, "clamp" if address == "border" else address, "border" if dims == 3 else address][:dims]
            colour = border if floats else np.zeros(4)
            label = (
                f"{dtype}x{channels} {dims}-D {'/'.join(modes)} {'linear' if linear else 'point'} "
                f"{'read-normalized' if read else 'element'} {'normalized' if normalized else 'texels'}"
            )
            if not report.wants(label):
                continue
            texture = arrtex.texture(texels, options(modes, linear, read, normalized, border=colour))
            x = sample_points(SHAPES[dims], normalized, seed, not on_gpu(report))
            given = read_as(data, read)
            want = expected(given, x, modes, linear, normalized, colour)
            fetch(label, texture, dims, given, linear, x, want, "float" if floats else NAMES[dtype], channels)


def memory(report):
    """Textures of arrays: by index, and rows at a pitch; sRGB; values beside nan."""
    fetch = Fetch(report)
    for seed, (dtype, channels) in enumerate(itertools.product(DTYPES, (1, 2, 4))):
        read = dtype in ("int8", "uint16")
        name = "float" if read else NAMES[dtype]
        data = sample(dtype, (50, channels), seed)
        a = arrtex.pitched((data if channels > 1 else data[:, 0]).reshape(-1), report.device)
        line = a.reshape(50, channels) if channels > 1 else a
        texture = arrtex.texture_of_array(line, channels, options(read_normalized=read))
        x = np.concatenate([np.arange(-5, 60), [-(2**31), 2**30]]).astype("f4")[None]
        given = read_as(data, read)
        at = x[0].astype("i8")
        want = np.where(((at < 0) | (at >= 50))[:, None], 0, given[np.clip(at, 0, 49)])
        fetch(f"{dtype}x{channels} by index", texture, 0, given, False, x, want, name, channels)
        data = sample(dtype, (9, 11, channels), seed)
        floats = read or data.dtype.kind == "f"
        a = arrtex.pitched(data.reshape(9, 11 * channels), report.device)
        rows = a if channels == 1 else a.reshape(9, 11, channels)
        modes = ["wrap", "mirror"]
        texture = arrtex.texture_of_array(rows, channels, options(modes, floats, read, True))
        x = sample_points((9, 11), True, seed, not on_gpu(report))
        given = read_as(data, read)
        want = expected(given, x, modes, floats, True, np.zeros(4))
        fetch(f"{dtype}x{channels} of rows", texture, 2, given, floats, x, want, name, channels)
        if report.device != "host":
            continue
        # The host takes any rows.
        part = report.array(data if channels > 1 else data[..., 0])[2:8, 3:9]
        texture = arrtex.texture_of_array(part, channels, options(("border", "clamp"), floats, read))
        x = sample_points((6, 6), False, seed, True)
        want = expected(given[2:8, 3:9], x, ["border", "clamp"], floats, False, np.zeros(4))
        fetch(f"{dtype}x{channels} of a part", texture, 2, given, floats, x, want, name, channels)
    data = np.arange(256, dtype="u1").reshape(8, 8, 4)
    texels = Texels("uint8", (8, 8), 4, device=report.device).copy_from(report.array(data))
    x = sample_points((8, 8), False, 3, not on_gpu(report))
    given = read_as(data, True, srgb=True)
    for linear in (False, True):
        texture = arrtex.texture(texels, options(("clamp", "clamp"), linear, True, srgb=True))
        want = expected(given, x, ["clamp", "clamp"], linear, False, np.zeros(4))
        if not on_gpu(report):  # whose table has fewer bits
            fetch(f"sRGB {linear}", texture, 2, given, linear, x, want, "float", 4)
    data = np.array([1, np.nan, 3, np.inf, 5, 6], "f4")
    texels = Texels("float32", (6,), device=report.device).copy_from(report.array(data))
    texture = arrtex.texture(texels, options(("clamp",), True))
    if not on_gpu(report):
        x = np.array([[0.5, 2.5, 4.5, 5.25, 9]], "f4")
        fetch("beside nan", texture, 1, np.array([6.0]), True, x, np.array([[1], [3], [5], [5.75], [6]]), "float", 1)


def levels(report):
    """Forms that write through a pointer, and with a level of detail or gradients."""
    m = module(report, "lod", ("float",))
    for dims in (1, 2, 3):
        data = sample("float32", SHAPES[dims], dims)
        texels = Texels("float32", SHAPES[dims], device=report.device).copy_from(report.array(data))
        texture = arrtex.texture(texels, options(("clamp",) * 3, True))
        x = sample_points(SHAPES[dims], False, dims, False)
        out = report.array(np.zeros((x.shape[1], 3), "f4"))
        m.launch("lod<float>", x.shape[1], texture, i4(dims), report.array(x.ravel()), out, i4(x.shape[1]))
        want = expected(data[..., None].astype("f8"), x, ["clamp"] * dims, True, False, np.zeros(4))
        tolerance = dims * 8 / 256 * 4 if on_gpu(report) else 1e-5
        report.check(f"forms {dims}-D", np.allclose(out.numpy(), want, atol=tolerance, rtol=0), str(out.numpy()[:2]))


def surfaces(report):
    store, load = (module(report, t, ("uchar", "short", "float")) for t in ("store", "load"))
    for dims, (name, dtype), channels in itertools.product(
        (1, 2, 3), (("uchar", "uint8"), ("short", "int16"), ("float", "float32")), (1, 2, 4)
    ):
        shape = SHAPES[dims]
        label = f"surface {dtype}x{channels} {dims}-D"
        data, n, w, h = (
            sample(dtype, shape + (channels,), dims),
            int(np.prod(shape)),
            shape[-1],
            shape[-2] if dims > 1 else 1,
        )
        full = data if channels > 1 else data[..., 0]
        texels = Texels(dtype, shape, channels, surface=True, device=report.device)
        texels.copy_from(report.array(np.zeros_like(full)))
        s, T = arrtex.surface(texels), type_of(name, channels)

        def back():
            return texels.copy_to(arrpy.empty(full.shape, dtype, device=report.device)).numpy()

        store.launch(f"store<{T}>", n, s, i4(dims), report.array(full), i4(w), i4(h), i4(n), i4(0), i4(2))
        report.check(label + " written", np.array_equal(back(), full))
        for mode, shift in ((2, 0), (0, 2), (0, -3), (1, 2), (1, -3)):
            out = report.array(np.ones_like(full))
            load.launch(f"load<{T}>", n, s, i4(dims), out, i4(w), i4(h), i4(n), i4(shift), i4(mode))
            at = np.arange(w) + shift
            want = np.take(data, np.clip(at, 0, w - 1), axis=dims - 1)
            if mode == 0:
                outside = ((at < 0) | (at >= w)).reshape((1,) * (dims - 1) + (w, 1))
                want = np.where(outside, 0, want)
            got = out.numpy().reshape(want.shape)
            report.check(f"{label} read, mode {mode}, shift {shift}", np.array_equal(got, want), f"{got.ravel()[:8]}")
        store.launch(f"store<{T}>", n, s, i4(dims), report.array(full), i4(w), i4(h), i4(n), i4(1), i4(0))
        want = data.copy()
        want[..., 1:, :] = data[..., :-1, :]
        report.check(label + " written past the edge", np.array_equal(back().reshape(want.shape), want))


def copies(report):
    """Between texels and arrays of any layout, on either device; in a stream of its own."""
    for dtype, shape, channels in itertools.product(("uint8", "float32"), ((4,), (3, 5), (2, 3, 4)), (1, 2, 4)):
        full = shape + ((channels,) if channels > 1 else ())
        data = sample(dtype, full, 5)
        texels = Texels(dtype, shape, channels, device=report.device)
        layouts = {
            "row-major": lambda a: a,
            "column-major": lambda a: arrpy.array(np.asfortranarray(a.numpy()), device=a),
            "reversed": lambda a: arrpy.array(a.numpy()[::-1], device=a).flip([0]),
            "stepped": lambda a: arrpy.array(np.repeat(a.numpy(), 2, axis=0), device=a)[::2],
        }
        for (name, layout), device in itertools.product(layouts.items(), {report.device, "host"}):
            label = f"copies {dtype} {full} {name} {device}"
            a = layout(arrpy.array(data, device=device))
            texels.copy_from(a)
            b = layout(arrpy.array(np.zeros_like(data), device=device))
            texels.copy_to(b)
            report.check(label, np.array_equal(b.numpy(), data), str(b.numpy().ravel()[:4]))
        info = ((arrpy.number(np.dtype(dtype)), channels, len(shape)), shape + (0,) * (3 - len(shape)), 0)
        report.check(f"info {dtype} {full}", texels.info() == info, str(texels.info()))
        arrtex.texture(texels)
        arrtex.surface(Texels(dtype, shape, channels, surface=True, device=report.device))
    arrtex.texture_of_array(arrtex.pitched(np.zeros((4, 4), "f4"), report.device))


def pieces(report):
    """In kernels of pieces: element by element with a placeholder's type, and a reduction."""
    data = sample("float32", (5, 6), 2)
    texels = Texels("float32", (5, 6), device=report.device).copy_from(report.array(data))
    t = arrtex.texture(texels, options(("border", "border"), True))
    x = sample_points((5, 6), False, 4, False)
    want = expected(data[..., None].astype("f8"), x, ["border"] * 2, True, False, np.zeros(4))[:, 0]
    tolerance = 4 * 4 / 256 * 2 if on_gpu(report) else 1e-5
    kernel = Elementwise("T x, T y, U t", "T r", "r = tex2D<T>(t, x, y)")
    got = kernel(report.array(x[0]), report.array(x[1]), t).numpy()
    report.check("element by element", np.allclose(got, want, atol=tolerance), str(got[:4]))
    kernel = Reduction("T x, uint64 t", "T r", "tex2D<float>(t, x, 2.5f)", "a + b")
    inside = report.array(np.arange(6, dtype="f4") + 0.5)
    got = kernel(inside, t).numpy()
    report.check(
        "a reduction", np.allclose(got, data[2].sum(), atol=1e-3 if report.device == "host" else 0.1), str(got)
    )
    refused = oracle.raises(C.ARR_E_DTYPE, lambda: Reduction("T x, float32 t", "T r", "x + t", "a + b")(inside, t))
    report.check("refused: a texture for a float", refused)
    if report.device != "host":
        far = arrtex.texture(Texels("float32", (5, 6)))
        refused = oracle.raises(C.ARR_E_ARGUMENT, lambda: Elementwise("T x, U t", "T r", "r = x")(inside, far))
        report.check("refused: a texture of another device", refused)


def main():
    report = oracle.Report(__doc__)
    parts = (copies, surfaces, levels, memory, pieces, fetches)
    for part in report.chosen(parts):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
