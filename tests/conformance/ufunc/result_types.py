#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The result's dtype of every op that NumPy or SciPy has too: of every dtype, of every pair of dtypes, and of every
dtype beside a plain number on either side.

What differs on purpose stands in differs(): there ours is told, so that it cannot change unseen.
"""

import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.special

import oracle
from ops import TABLE, rows
from oracle import arrpy

TYPES = [d for d in oracle.ALL if d != "bfloat16"]
NUMBERS = {"bool": True, "int": 1, "float": 1.0, "complex": 1 + 0j}


def differs(name, a, b):
    """The library's result type where its rule is not NumPy's; None: the same. A number's type is its name in NUMBERS."""
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


def special_names():
    """The ops that cupyx.scipy.special has, by the names of these; several of NumPy's ufuncs are there too."""
    for line in TABLE.read_text().splitlines():
        m = re.match(r"ARR_OP\(\d+, (\w+),.*?cupyx\.scipy\.special\.\1\b", line)
        if m:
            yield m.group(1)


def special(report, arrays):
    """Against SciPy: float64 of bool and integers, where it has float32 of the small ones too; but 16-bit floats keep
    their type, and what NumPy has itself follows NumPy."""
    named = set(special_names())
    report.check("special functions are found", len(named) > 35, f"{len(named)}")
    for row in rows():
        if row.name not in named:
            continue
        from_numpy = isinstance(getattr(np, row.name, None), np.ufunc)
        function = getattr(np if from_numpy or row.name == "sinc" else scipy.special, row.name)
        for types in itertools.product(TYPES, repeat=row.nin):
            if any(oracle.kind(d) == "C" for d in types) and "C" not in row.domain:
                report.check(
                    f"{row.name} {types}", ours(report, row.name, [arrays[d] for d in types]) is None, "is taken"
                )
                continue
            want = function(*(arrays[d] for d in types)).dtype
            if not from_numpy and row.name != "sinc":
                each = [
                    np.dtype("f8") if row.lift == "F64_EACH" and oracle.kind(d) in "BIU" else np.dtype(d) for d in types
                ]
                common = np.result_type(*each)
                want = common if common.kind in "fc" else np.dtype("f8")
            got = ours(report, row.name, [arrays[d] for d in types])
            report.check(f"{row.name} {types}", got == want, f"gives {got}, expected {want}")
            if not from_numpy and row.name != "sinc" and "float16" not in types:
                theirs = function(*(arrays[d] for d in types)).dtype
                small = theirs == np.float32 and any(oracle.kind(d) in "BIU" for d in types)
                report.check(f"{row.name} {types} of SciPy", theirs == want or small, f"SciPy {theirs}, ours {want}")


def single(report, arrays):
    """Ops of one operand, of every dtype."""
    for row in rows():
        # NumPy's i0 goes by way of float64, and its round is no op.
        if row.nin != 1 or not hasattr(np, row.name) or row.name == "i0":
            continue
        for d in TYPES:
            try:
                want = getattr(np, row.name)(arrays[d]).dtype
            except TypeError:
                want = None
            got = ours(report, row.name, [arrays[d]])
            report.check(f"{row.name} {d}", got == want, f"gives {got}, expected {want}")


def main():
    report = oracle.Report(__doc__)
    arrays = {d: np.ones(1, d) for d in TYPES}
    special(report, arrays)
    single(report, arrays)
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
