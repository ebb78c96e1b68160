#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fill.py FOLDER - fills the blanks that tools/new_family.py doubling twice left there: a function that doubles elements.

Blanks that it does not know make it fail, and so do those that are not there.
"""

import pathlib
import sys

MARK = "FILL_" + "IN"
# File: what stands in each of its blanks, and what comes instead.
BLANKS = {
    "capi/include/arr/doubling.h": [
        (f"{MARK}: the contents.", "twice the elements."),
        (f"{MARK}: a sentence that begins with a verb.", "Computes x + x of each element."),
    ],
    "core/host/loops/doubling/doubling.cpp": [
        (f'#error "{MARK}: the loop"\n', ""),
        ("y[i] = x[i];", "y[i] = x[i] + x[i];"),
    ],
    "core/cuda/doubling/twice.cuh": [(f'#error "{MARK}: the kernel"\n', ""), ("y[i] = x[i];", "y[i] = x[i] + x[i];")],
    "tests/conformance/doubling/doubling.py": [
        (f"{MARK}: the functions of doubling.h against NumPy or SciPy.", "Doubled elements against NumPy."),
        (f"return {MARK}  # by NumPy or SciPy, never by libarr", "return x + x"),
    ],
    "docs/guides/doubling.md": [
        (f"{MARK}: the title", "Doubling"),
        (
            f"{MARK}: what a user can do with these functions, and what the results are.",
            "Elements are added to themselves.",
        ),
        (f"| {MARK} |", "| twice each element |"),
    ],
    "core/table/families.def": [(f"{MARK}: the contents", "doubled elements")],
    "CHANGELOG.md": [(f"{MARK}: what `arr_twice` does.", "`arr_twice` doubles elements.")],
}


def main(root):
    for name, blanks in BLANKS.items():
        text = (root / name).read_text(encoding="utf-8")
        for blank, filled in blanks:
            if blank not in text:
                sys.exit(f"{name}: there is no blank {blank!r}")
            text = text.replace(blank, filled, 1)
        if MARK in text:
            sys.exit(f"{name}: a blank is left")
        (root / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
