#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Layers of textures, cube maps, their surfaces and gathers in kernels against NumPy."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
import arrtex
from arrtex import Texels, i4, options
from textures import NAMES, expected, on_gpu, read_as, sample, sample_points, type_of

C = arrpy.c
SOURCE = (pathlib.Path(__file__).parent / "layered_textures.cu").read_text()
KINDS = {1: C.ARR_TEXELS_LAYERED, 2: C.ARR_TEXELS_LAYERED, 3: C.ARR_TEXELS_CUBE}
KINDS[4] = C.ARR_TEXELS_CUBE | C.ARR_TEXELS_LAYERED
SHAPES = {1: (4, 7), 2: (3, 5, 6), 3: (6, 5, 5), 4: (18, 4, 4)}
DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float16", "float32")


def faces(direction):
    """The faces that directions (3, n) meet and the places on them in 0..1, by the guide's table."""
    x, y, z = direction.astype("f8")
    size = np.abs(direction.astype("f8"))
    axis = np.where((size[0] > size[1]) & (size[0] > size[2]), 0, np.where(size[1] > size[2], 1, 2))
    face = 2 * axis + (direction[axis, np.arange(len(x))] < 0)
    s = np.choose(face, [-z, z, x, x, x, -x])
    t = np.choose(face, [-y, -y, z, -z, -y, -y])
    m = size[axis, np.arange(len(x))]
    return face, np.stack([(s / m + 1) / 2, (t / m + 1) / 2]).astype("f4")


def directions(seed, n=120):
    """Inside of faces, where a GPU's division decides nothing, at their centres and corners."""
    r = np.random.default_rng(seed)
    face = r.integers(0, 6, n)
    a, b = np.round(r.uniform(-0.98, 0.98, (2, n)) * 64) / 64 + 1 / 1024
    one = np.where(face % 2, -1.0, 1.0)
    out = np.where(face // 2 == 0, [one, a, b], np.where(face // 2 == 1, [a, one, b], [a, b, one]))
    return (out * r.choice([0.25, 1, 8], n)).astype("f4")


def wanted(kind, data, x, layer, modes, linear, normalized, border):
    if kind > 2:
        face, x = faces(x)
        # Out of range layers are the nearest ones.
        layer = np.clip(layer, 0, len(data) // 6 - 1) * 6 + face if kind == 4 else face
    else:
        layer = np.clip(layer, 0, len(data) - 1)
    out = np.zeros((x.shape[1], data.shape[-1]), data.dtype)
    for index in np.unique(layer):
        here = layer == index
        out[here] = expected(data[index], x[:, here], modes, linear, normalized, border)
    return out


def coordinates(kind, normalized, seed, special):
    """x (dims, n) and layers (n)."""
    shape = SHAPES[kind]
    x = directions(seed) if kind > 2 else sample_points(shape[1:], normalized, seed, special)
    layer = np.random.default_rng(seed).integers(-3, shape[0] + 3, x.shape[1]).astype("i4")
    layer[:2] = -(2**31), 2**31 - 1
    return x, layer


def fetches(report):
    names = [f"fetch<{type_of(n, k)}>" for n in sorted(set(NAMES.values())) for k in (1, 2, 4)]
    module = arrtex.Module(SOURCE, report.device, names)
    border = np.array([0.25, -2, 3, 0.5])
    for seed, (kind, dtype, channels) in enumerate(itertools.product(KINDS, DTYPES, (1, 2, 4))):
        data = sample(dtype, SHAPES[kind] + (channels,), seed)
        texels = Texels(dtype, SHAPES[kind], channels, device=report.device, flags=KINDS[kind])
        texels.copy_from(report.array(data if channels > 1 else data[..., 0]))
        back = texels.copy_to(report.array(np.zeros_like(data if channels > 1 else data[..., 0])))
        report.check(f"copied back {kind} {dtype}x{channels}", np.array_equal(back.numpy().reshape(data.shape), data))
        for address, linear, read, normalized in itertools.product(arrtex.ADDRESS, (0, 1), (0, 1), (0, 1)):
            floats = read or data.dtype.kind == "f"
            if (linear and not floats) or (read and (data.dtype.kind == "f" or data.itemsize > 2)):
                continue
            if address in ("wrap", "mirror") and not normalized and kind < 3:
                continue
            modes = [address, "clamp" if address == "border" else address][: 1 if kind == 1 else 2]
            colour = border if floats else np.zeros(4)
            label = f"{kind} {dtype}x{channels} {'/'.join(modes)} linear {linear} read {read} normalized {normalized}"
            if not report.wants(label):
                continue
            texture = arrtex.texture(texels, options(modes, linear, read, normalized, border=colour))
            x, layer = coordinates(kind, normalized, seed, not on_gpu(report))
            given = read_as(data, read)
            want = wanted(kind, given, x, layer, modes, linear, normalized or kind > 2, colour)
            name = "float" if floats else NAMES[dtype]
            out = report.array(np.zeros(want.shape, "f4" if floats else dtype))
            n = x.shape[1]
            module.launch(
                f"fetch<{type_of(name, channels)}>",
                n,
                texture,
                i4(kind),
                report.array(x.ravel()),
                report.array(layer),
                out,
                i4(n),
            )
            got = out.numpy()
            scale = max(1.0, float(np.abs(given).max()))
            tolerance = (4 / 256 if linear and on_gpu(report) else 2e-6) * scale if floats else 0
            bad = np.argwhere(~(np.abs(got - want.astype("f8")) <= tolerance).all(axis=1)).ravel()
            where = (
                f"at {x[:, bad[0]]} of {layer[bad[0]]} got {got[bad[0]]}, expected {want[bad[0]]}" if len(bad) else ""
            )
            report.check(label, not len(bad), where)


def forms(report):
    module = arrtex.Module(SOURCE, report.device, ["forms"])
    for kind, flags in KINDS.items():
        data = sample("float32", SHAPES[kind], kind)
        texels = Texels("float32", SHAPES[kind], device=report.device, flags=flags).copy_from(report.array(data))
        texture = arrtex.texture(texels, options(("clamp",) * 2, True))
        x, layer = coordinates(kind, False, kind, False)
        n = x.shape[1]
        out = report.array(np.zeros((n, 3), "f4"))
        module.launch("forms", n, texture, i4(kind), report.array(x.ravel()), report.array(layer), out, i4(n))
        modes = ["clamp"] * (1 if kind == 1 else 2)
        want = wanted(kind, data[..., None].astype("f8"), x, layer, modes, True, kind > 2, np.zeros(4))
        tolerance = 0.2 if on_gpu(report) else 1e-5
        report.check(f"forms {kind}", np.allclose(out.numpy(), want, atol=tolerance, rtol=0), str(out.numpy()[:2]))


def surfaces(report):
    names = [f"turn<{type_of(n, k)}>" for n in ("uchar", "float") for k in (1, 4)]
    module = arrtex.Module(SOURCE, report.device, names)
    for kind, (name, dtype), channels in itertools.product(KINDS, (("uchar", "u1"), ("float", "f4")), (1, 4)):
        shape = SHAPES[kind]
        data = sample(dtype, shape + ((channels,) if channels > 1 else ()), kind)
        surfaces = []
        for fill in (data, np.zeros_like(data)):
            flags = KINDS[kind] | C.ARR_TEXELS_SURFACE
            texels = Texels(np.dtype(dtype), shape, channels, device=report.device, flags=flags)
            surfaces.append((texels.copy_from(report.array(fill)), arrtex.surface(texels)))
        report.check(f"flags {kind}", surfaces[0][0].info()[2] == flags, str(surfaces[0][0].info()))
        w, h, layers = shape[-1], shape[-2] if kind > 1 else 1, shape[0]
        for shift in (0, 1):
            module.launch(
                f"turn<{type_of(name, channels)}>",
                data.size // channels,
                surfaces[0][1],
                surfaces[1][1],
                i4(kind),
                i4(w),
                i4(h),
                i4(layers),
                i4(shift),
            )
            got = surfaces[1][0].copy_to(report.array(np.zeros_like(data))).numpy()
            axis = len(shape) - 1
            want = np.roll(data, 1, axis=0)
            keep = np.take(want, [0], axis=axis)
            if shift:
                want = np.concatenate([keep, np.take(want, np.arange(w - 1), axis=axis)], axis=axis)
            report.check(f"surface {kind} {dtype}x{channels} {shift}", np.array_equal(got, want), str(got.ravel()[:8]))


def gathers(report):
    module = arrtex.Module(SOURCE, report.device, ["gather<float4>", "gather<int4>"])
    for dtype, name in (("float32", "float4"), ("int16", "int4")):
        data = sample(dtype, (5, 6, 2), 3)
        texels = Texels(dtype, (5, 6), 2, device=report.device, flags=C.ARR_TEXELS_GATHER)
        texture = arrtex.texture(texels.copy_from(report.array(data)), options(("clamp", "clamp")))
        x = np.random.default_rng(4).uniform(-2, 8, (2, 90)).astype("f4")
        low = np.floor(x - 0.5).astype("i8")
        columns, rows = (np.clip([low[d], low[d] + 1], 0, n - 1) for d, n in enumerate((6, 5)))
        four = [data[rows[j], columns[i]] for i, j in ((0, 1), (1, 1), (1, 0), (0, 0))]
        want = np.stack(four, axis=-1).transpose(1, 0, 2).reshape(180, 4)
        out = report.array(np.zeros((180, 4), "f4" if dtype == "float32" else "i4"))
        module.launch(f"gather<{name}>", 90, texture, report.array(x.ravel()), out, i4(90))
        report.check(f"gather {dtype}", np.array_equal(out.numpy(), want), f"{out.numpy()[:2]} {want[:2]}")
    if report.device == "host":
        plain = arrtex.texture(Texels("float32", (5, 6), 2))

        def run():
            a = report.array(np.zeros((180, 4), "f4"))
            module.launch("gather<float4>", 90, plain, report.array(x.ravel()), a, i4(90))
            arrpy.call("arr_device_sync", arrpy.ctypes.byref(arrpy.device_of("host")))

        report.check("a gather without its flag", oracle.raises(C.ARR_E_DEVICE, run))


def main():
    report = oracle.Report(__doc__)
    for part in (gathers, surfaces, forms, fetches):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
