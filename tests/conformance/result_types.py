#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The result's dtype of every op of two operands that NumPy has too: of every pair of its dtypes, and of every dtype
beside a plain number on either side.

What differs on purpose stands in differs(): there ours is told, so that it cannot change unseen.
"""
import itertools

import numpy as np

import oracle
from ops import rows
from oracle import arrpy

TYPES = [d for d in oracle.ALL if d != "bfloat16"]
NUMBERS = {"bool": True, "int": 1, "float": 1.0, "complex": 1 + 0j}


def differs(name, a, b):
    """What ours gives where NumPy's rule is not ours; None: the same. A number's type is its name in NUMBERS."""
    # A plain integer alone is an int64. NumPy takes it to float16, which overflows from 65,520.
    if name == "ldexp" and a == "int" and b in TYPES and oracle.kind(b) in "IU" and b != "uint64":
        return np.dtype("f8")
    return None


def ours(report, name, operands):
    try:
        return arrpy.apply(name, *(report.array(x) if isinstance(x, np.ndarray) else x for x in operands)).dtype
    except arrpy.Error as e:
        if e.status != arrpy.c.ARR_E_DTYPE:
            raise
        return None


def numpys(name, operands):
    try:
        return getattr(np, name)(*operands).dtype
    except TypeError:
        return None


def check(report, name, labels, operands):
    told = differs(name, *labels)
    want = numpys(name, operands) if told is None else told
    got = ours(report, name, operands)
    report.check(f"{name} {labels[0]} {labels[1]}", got == want, f"gives {got}, expected {want}")


def main():
    report = oracle.Report(__doc__)
    arrays = {d: np.ones(1, d) for d in TYPES}
    for row in rows():
        if row.nin != 2 or not isinstance(getattr(np, row.name, None), np.ufunc):
            continue
        for a, b in itertools.product(TYPES, TYPES):
            check(report, row.name, (a, b), (arrays[a], arrays[b]))
        for a, b in itertools.product(TYPES, NUMBERS):
            check(report, row.name, (a, b), (arrays[a], NUMBERS[b]))
            check(report, row.name, (b, a), (NUMBERS[b], arrays[a]))
    report.finish()


if __name__ == "__main__":
    main()
