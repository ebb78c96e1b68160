#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pictures.py BUILD_DIR [--check] - draws results of the programs in C as docs/pictures/NAME.png. --check compares what they
compute today with these files."""

import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "docs" / "pictures"
SIZE = 160
# From cold to hot: red, green and blue of equally spaced values.
COLOURS = np.array([(13, 8, 75), (0, 110, 140), (40, 160, 120), (240, 200, 60), (255, 255, 235)], float)
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def fields():
    """{program: input}."""
    y, x = np.mgrid[:SIZE, :SIZE] / SIZE
    heat = ((np.abs(x - 0.5) < 0.2) & (np.abs(y - 0.5) < 0.05)) | (np.hypot(x - 0.3, y - 0.25) < 0.1)
    shear = np.sin(4 * np.pi * y) + 0.3 * np.sin(2 * np.pi * x) * np.cos(6 * np.pi * y) + 0.05 * np.sin(14 * np.pi * x)
    return {"heat": heat.astype(float), "navier_stokes": 20 * shear}


def coloured(field):
    """Rows of pixels, red, green and blue in bytes."""
    part = (field - field.min()) / (field.max() - field.min()) * (len(COLOURS) - 1)
    low = np.minimum(part.astype(int), len(COLOURS) - 2)
    rest = (part - low)[..., None]
    return np.rint(COLOURS[low] * (1 - rest) + COLOURS[low + 1] * rest).astype(np.uint8)


def png(pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def pixels_of(data):
    """The pixels of a file that png() has made."""
    width, height = struct.unpack(">II", data[16:24])
    (length,) = struct.unpack(">I", data[33:37])
    rows = np.frombuffer(zlib.decompress(data[41 : 41 + length]), np.uint8).reshape(height, 1 + 3 * width)
    return rows[:, 1:].reshape(height, width, 3)


def main(build, *options):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name, x in fields().items():
            np.save(work / f"{name}.npy", x)
        subprocess.run([HERE / "run.sh", build, "c", work, *fields()], check=True)
        drawn = {name: coloured(np.load(work / f"{name}_result.npy")) for name in fields()}
    failed = 0
    for name, pixels in drawn.items():
        path = FOLDER / f"{name}.png"
        if "--check" not in options:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(png(pixels))
            continue
        there = pixels_of(path.read_bytes()) if path.exists() else np.empty((0, 0, 3), np.uint8)
        same = there.shape == pixels.shape and np.abs(there.astype(int) - pixels).max() <= 2
        print(f"{name}: {'as drawn' if same else f'differs from {path}; run examples/programs/pictures.py'}")
        failed += not same
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
