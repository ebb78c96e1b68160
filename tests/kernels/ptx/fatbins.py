#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fatbins with PTX on the host: in every compression of nvcc and fatbinary, with several texts, without any, damaged."""

import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import cuda_toolkit
import ptx_host

arrpy, c = ptx_host.arrpy, ptx_host.c
SOURCE = """extern "C" __global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * FACTOR;
}
"""
# The modes of compression. Zstandard is the default of nvcc 13.
MODES = ("default", "size", "speed", "balance", "none")
N = 200


def ptx_of(nvrtc, factor, arch):
    source = SOURCE.replace("FACTOR", f"{factor}.0f").encode()
    return cuda_toolkit.compile_to_ptx(nvrtc, source, [f"--gpu-architecture={arch}"])[0]


class Packer:
    """Fatbins by the toolkit's fatbinary, of files in a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def pack(self, images, *options):
        """images: ("ptx" or "elf", architecture, file)"""
        out = self.folder / "out.fatbin"
        given = [f"--image3=kind={kind},sm={sm},file={path}" for kind, sm, path in images]
        command = [self.program, "-64", f"--create={out}", *given, *options]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return out.read_bytes()


def result(image):
    x = np.arange(N, dtype="f4")
    return ptx_host.Module(image).launch("k", (2, 1, 1), (128, 1, 1), x, np.zeros(N, "f4"), np.int32(N))[1]


def refusal(image):
    """(status, text) of the module's error, or None."""
    try:
        ptx_host.Module(image)
    except arrpy.Error as error:
        return error.status, str(error)
    return None


class Checks:
    def __init__(self):
        self.count = self.failures = 0

    def that(self, what, good, detail=""):
        self.count += 1
        if not good:
            self.failures += 1
            print(f"FAILED {what}: {detail}")


def packed_texts(checks, packer, nvrtc):
    want = np.arange(N, dtype="f4")
    text = packer.file("three.ptx", ptx_of(nvrtc, 3, "compute_80"))
    for mode in MODES:
        got = result(packer.pack([("ptx", 80, text)], f"--compress-mode={mode}"))
        checks.that(f"compressed by {mode}", np.array_equal(got, want * 3), got[:4])
    newer = packer.file("four.ptx", ptx_of(nvrtc, 4, "compute_90"))
    for images in ([("ptx", 80, text), ("ptx", 90, newer)], [("ptx", 90, newer), ("ptx", 80, text)]):
        got = result(packer.pack(images))
        checks.that("the newest of two texts", np.array_equal(got, want * 4), got[:4])


def machine_code(checks, packer, nvrtc):
    text = packer.file("five.ptx", ptx_of(nvrtc, 5, "sm_90"))
    cubin = packer.folder / "five.cubin"
    subprocess.run([cuda_toolkit.ptxas(), "-arch=sm_90", "-o", str(cubin), str(text)], check=True, timeout=120)
    both = packer.pack([("elf", 90, cubin), ("ptx", 90, text)])
    checks.that("beside machine code", np.array_equal(result(both), np.arange(N, dtype="f4") * 5))
    said = refusal(packer.pack([("elf", 90, cubin)]))
    expected = "is a fatbin with machine code and no PTX, which runs on GPUs only"
    checks.that("machine code alone", said and said[0] == c.ARR_E_UNSUPPORTED and expected in said[1], said)
    said = refusal(cubin.read_bytes())
    checks.that("a cubin", said and said[0] == c.ARR_E_UNSUPPORTED and "is a cubin, which runs on" in said[1], said)


def damaged(checks, packer, nvrtc):
    """Each cut and many a changed byte: an error or a module, never a crash; a cut is an error."""
    text = packer.file("six.ptx", ptx_of(nvrtc, 6, "compute_80"))
    r = random.Random(4)
    for mode in ("speed", "size", "none"):
        image = packer.pack([("ptx", 80, text)], f"--compress-mode={mode}")
        for length in [*range(4, 100, 3), *range(100, len(image) - 8, 97)]:
            said = refusal(image[:length])
            good = said is not None and said[0] == c.ARR_E_ARGUMENT and "cut off or damaged" in said[1]
            checks.that(f"{mode} cut to {length} bytes", good, said)
        for _ in range(60):
            at, changed = r.randrange(4, 96), bytearray(image)
            changed[at] ^= 1 << r.randrange(8)
            said = refusal(bytes(changed))
            checks.that(f"{mode} byte {at}", said is None or "\n" not in said[1], said)


def main():
    fatbinary, nvrtc = shutil.which("fatbinary") or shutil.which("/usr/local/cuda/bin/fatbinary"), cuda_toolkit.nvrtc()
    if fatbinary is None or nvrtc is None or cuda_toolkit.ptxas() is None:
        print("skipped: no fatbinary, ptxas or NVRTC here")
        return 77
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        packer = Packer(fatbinary, folder)
        for part in (packed_texts, machine_code, damaged):
            part(checks, packer, nvrtc)
    print(f"{checks.count} fatbins, {checks.failures} failures")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
