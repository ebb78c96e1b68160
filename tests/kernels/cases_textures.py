# SPDX-License-Identifier: MIT
"""Expected results of the kernels with textures and surfaces."""

import dataclasses

import numpy as np

from cases import R, case, f4, i4, ints, zeros


@dataclasses.dataclass
class Texture:
    """An argument: a texture of texels or of an array, or a surface, with these values."""

    data: np.ndarray
    channels: int = 1
    of: str = "texels"  # "array", "surface"
    how: dict = dataclasses.field(default_factory=dict)
    kind: str = ""  # of arrtex.FLAGS


def bilinear(image, u, v):
    """image (h, w, ...), border 0, at places counted in texels."""
    wide = np.pad(image.astype("f8"), [(1, 1), (1, 1)] + [(0, 0)] * (image.ndim - 2))
    x, y = (np.clip(a - 0.5, -1, n) for a, n in ((u, image.shape[1]), (v, image.shape[0])))
    x0, y0 = (np.floor(a).astype("i8") for a in (x, y))
    fx, fy = (np.floor((a - b) * 256 + 0.5) / 256 for a, b in ((x, x0), (y, y0)))
    if image.ndim > 2:
        fx, fy = fx[..., None], fy[..., None]
    x1, y1 = (np.minimum(b + 1, n) for b, n in ((x0, image.shape[1]), (y0, image.shape[0])))
    return (
        wide[y0 + 1, x0 + 1] * (1 - fx) * (1 - fy)
        + wide[y0 + 1, x1 + 1] * fx * (1 - fy)
        + wide[y1 + 1, x0 + 1] * (1 - fx) * fy
        + wide[y1 + 1, x1 + 1] * fx * fy
    )


def textures():
    # A GPU and the host's sinf may round a weight to another 256th.
    h, w = 24, 36
    image, angle = f4(h, w), np.float32(0.3)
    v, u = np.mgrid[0:h, 0:w] + 0.5
    s, c = np.sin(angle), np.cos(angle)
    turned = bilinear(image, c * (u - w / 2) - s * (v - h / 2) + w / 2, s * (u - w / 2) + c * (v - h / 2) + h / 2)
    case(
        "textures",
        "rotate_image",
        (3, 3),
        (16, 8),
        [Texture(image, how=dict(address=("border", "border"), linear=True)), zeros(h * w), i4(w), i4(h), angle],
        {1: turned.astype("f4").ravel()},
        tol=1e-2,
    )
    rgba = ints(0, 256, 6, 8, 4, dtype="u1")
    v, u = np.mgrid[0:9, 0:20] + 0.5
    edged = np.pad(rgba, [(1, 1), (1, 1), (0, 0)], mode="edge")
    want = bilinear(edged, u / 20 * 8 + 1, v / 9 * 6 + 1) / 255
    case(
        "textures",
        "resize_rgba",
        (2, 2),
        (16, 8),
        [
            Texture(rgba, 4, how=dict(linear=True, read_normalized=True, normalized=True)),
            zeros(9 * 20 * 4),
            i4(20),
            i4(9),
        ],
        {1: want.astype("f4").ravel()},
        tol=1e-2,
    )
    table, at = f4(50, 2), ints(-20, 70, 200)
    inside = ((at >= 0) & (at < 50))[:, None]
    case(
        "textures",
        "table_lookup",
        2,
        128,
        [Texture(table, 2, "array"), at, zeros(400), i4(200)],
        {2: np.where(inside, table[np.clip(at, 0, 49)], 0).ravel()},
    )
    volume = R.uniform(-1, 1, (6, 4, 5)).astype("f4")
    z = (np.arange(24) + 0.5) * 0.25
    low = np.floor(z - 0.5).astype("i8")
    f = (z - 0.5 - low)[:, None, None]
    between = volume[np.clip(low, 0, 5)] * (1 - f) + volume[np.clip(low + 1, 0, 5)] * f
    case(
        "textures",
        "project_volume",
        20,
        64,
        [Texture(volume, how=dict(linear=True)), zeros(20), i4(5), i4(4), i4(24)],
        {1: between.max(0).astype("f4").ravel()},
        tol=1e-2,
    )
    case("textures", "flip_surface", 6, 8, [Texture(rgba, 4, "surface"), i4(8)], {0: rgba[:, ::-1]})
    gray = ints(0, 1000, 10, 12, dtype="i2")
    wide = np.pad(gray, 1, mode="edge").astype("i4")
    mean = sum(wide[dy : dy + 10, dx : dx + 12] for dy in range(3) for dx in range(3)) // 9
    case(
        "textures",
        "blur_surface",
        (2, 2),
        (8, 8),
        [Texture(gray, 1, "surface"), Texture(0 * gray, 1, "surface"), i4(12), i4(10)],
        {1: mean.astype("i2")},
    )


def layers():
    stack = f4(5, 7, 9)
    weights = R.uniform(0, 1, 5).astype("f4")
    at = np.clip(np.arange(5) + 1, 0, 4)  # the layer behind the last one is the last one
    want = (stack * weights[:, None, None]).sum(0) + stack[at].max(0)
    case(
        "textures",
        "blend_layers",
        (2, 2),
        (8, 4),
        [Texture(stack, kind="layered"), weights, zeros(63), i4(9), i4(7), i4(5)],
        {2: want.astype("f4").ravel()},
        tol=1e-5,
    )
    lines = f4(4, 16)
    case(
        "textures",
        "rows_of_layers",
        4,
        16,
        [Texture(lines, kind="layered"), Texture(0 * lines, of="surface", kind="layered")],
        {1: (lines + np.roll(lines, -1, axis=1) * (np.arange(16) < 15) + lines[:, 15:] * (np.arange(16) == 15)) / 2},
        tol=1e-5,
    )
    sky = f4(6, 4, 4)
    case("textures", "sky", 1, 96, [Texture(sky, kind="cube"), zeros(96)], {1: sky.ravel()})
    image = ints(0, 99, 6, 8, dtype="i4")
    right, below = np.minimum(np.arange(8) + 1, 7), np.minimum(np.arange(6) + 1, 5)
    quads = image + image[:, right] + image[below] + image[below][:, right]
    case(
        "textures",
        "sums_of_four",
        (1, 2),
        (8, 3),
        [Texture(image, kind="gather"), zeros(48, dtype="i4"), i4(8)],
        {1: quads.ravel()},
    )


def others():
    image = f4(5, 7)
    case("textures", "levels", 5, 7, [Texture(image), zeros(35), i4(7)], {1: (3 * image).ravel()}, tol=1e-6)
    line = f4(9, 2)
    case("textures", "pairs_of_line", 1, 9, [Texture(line, 2), zeros(18)], {1: line.ravel()})
    volume = ints(0, 99, 3, 4, 6, 2, dtype="i4")
    case("textures", "turn_volume", (4, 3), 6, [Texture(volume, 2, "surface"), i4(6)], {0: volume[:, :, ::-1]})
    cube = f4(6, 4, 4)
    marked = cube + np.float32(10) * np.arange(6, dtype="f4")[:, None, None]
    case("textures", "mark_faces", (4, 6), 4, [Texture(cube, 1, "surface", kind="cube")], {0: marked})
    cubes = f4(18, 2, 2)
    case("textures", "skies", 1, 3, [Texture(cubes, kind="cubes"), zeros(3)], {1: cubes[::6, 0, 0]})


def resident():
    image, volume, stack = f4(5, 7), f4(3, 4, 6), f4(4, 3, 5)
    said = [zeros(35, dtype="i4"), zeros(72, dtype="i4"), zeros(60, dtype="i4"), zeros(48, dtype="i4")]
    case(
        "textures",
        "resident_texels",
        5,
        7,
        [Texture(image), zeros(35), said[0], i4(7)],
        {1: (15 * image).ravel(), 2: said[0] + 15},
        tol=1e-5,
    )
    for name, data, kind, say in (
        ("resident_volume", volume, "", said[1]),
        ("resident_layers", stack, "layered", said[2]),
    ):
        depth, h, w = data.shape
        arguments = [Texture(data, kind=kind), zeros(data.size), say, i4(w), i4(h)]
        case("textures", name, (h, depth), w, arguments, {1: (7 * data).ravel(), 2: say + 7}, tol=1e-5)
    image = ints(0, 99, 6, 8, dtype="i4")
    right, below = np.minimum(np.arange(8) + 1, 7), np.minimum(np.arange(6) + 1, 5)
    quads = image + image[:, right] + image[below] + image[below][:, right]
    arguments = [Texture(image, kind="gather"), zeros(48, dtype="i4"), said[3], i4(8)]
    case("textures", "resident_four", 6, 8, arguments, {1: quads.ravel(), 2: said[3] + 3})


textures()
layers()
others()
resident()
