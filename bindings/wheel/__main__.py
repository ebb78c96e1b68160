# SPDX-License-Identifier: MIT
"""Prints where the parts of libarr are; see the module's documentation."""

import sys

from libarr import INCLUDE, LIBRARY, PREFIX, __doc__ as usage

ANSWERS = {
    "--cflags": f"-I{INCLUDE}",
    "--libs": f"-L{LIBRARY.parent} -Wl,-rpath,{LIBRARY.parent} -larr",
    "--cmake": str(PREFIX),
    "--pkgconfig": str(LIBRARY.parent / "pkgconfig"),
    "--julia": str(PREFIX / "share" / "arr" / "julia"),
    "--rust": str(PREFIX / "share" / "arr" / "rust" / "arr"),
    "--library": str(LIBRARY),
}

if len(sys.argv) < 2 or not all(argument in ANSWERS for argument in sys.argv[1:]):
    sys.exit(usage)
print(" ".join(ANSWERS[argument] for argument in sys.argv[1:]))
