# SPDX-License-Identifier: MIT
"""The OpenBLAS libraries that a process has loaded, and the kernels each has chosen: products and decompositions of
both sides are as fast as these."""

import ctypes
import os
import pathlib


def text(library, name):
    """The answer of a function without arguments; wheels' libraries have names of their own."""
    for symbol in (name, f"{name}64_", f"scipy_{name}", f"scipy_{name}64_"):
        function = getattr(library, symbol, None)
        if function is not None:
            function.restype = ctypes.c_char_p
            return function().decode()
    return "unknown"


def loaded():
    """A line for each, and one where the environment chooses for them."""
    maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    paths = sorted({line.split(maxsplit=5)[5] for line in maps if "openblas" in line})
    lines = []
    for path in paths:
        library = ctypes.CDLL(path)
        version = text(library, "openblas_get_config").split(" ")[1:2]
        lines.append(f"{path}: OpenBLAS {' '.join(version)}, kernels {text(library, 'openblas_get_corename')}")
    lines += [
        f"set for all of them: {name}={value}"
        for name, value in sorted(os.environ.items())
        if name in ("OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
    ]
    return lines
