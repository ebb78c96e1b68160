#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every reduction x dtype along rows and columns of every length at which the host's loops change: a vector, a few
vectors, a block, a few columns. Layouts take turns."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
import reduction_rows
import reductions
from oracle import arrpy

# Vectors have 2 to 32 elements and several make 16 to 256; blocks 1,024 to 16,384.
LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 66, 100, 127, 128, 129, 192, 255, 256, 257]
LONG = [511, 512, 513, 700, 1025, 2049, 4096, 4097, 5000]
PIECES = [8193, 16390, 33000]  # rows that are searched in pieces
ROWS = 67  # more than the host's loops take at once


# label -> (shape of the base, view) of rows x columns
LAYOUTS = {
    "C": lambda r, n: ((r, n), lambda a: a),
    "gaps": lambda r, n: ((r, n + 3), lambda a: a[:, :n]),
    "F": lambda r, n: ((n, r), lambda a: a.T),
    "last row first": lambda r, n: ((r, n), lambda a: a[::-1]),
    "last column first": lambda r, n: ((r, n), lambda a: a[:, ::-1]),
    "every second": lambda r, n: ((r, 2 * n), lambda a: a[:, ::2]),
    "every second row": lambda r, n: ((2 * r, n), lambda a: a[::2]),
    "both reversed": lambda r, n: ((r, 2 * n), lambda a: a[::-1, ::-2]),
}


def kinds_of(name):
    if name in reduction_rows.ROWS:
        return reduction_rows.ROWS[name][0]
    return reductions.DOMAIN_ORDERED + "C"


def lengths(report):
    number = 0
    for name in [*reductions.NAMES, *reduction_rows.ROWS]:
        run = reduction_rows.case if name in reduction_rows.ROWS else reductions.reduction_case
        for d in oracle.ALL:
            if oracle.kind(d) not in kinds_of(name) or not report.wants(f"{name} {d}"):
                continue
            for n in LENGTHS + LONG:
                # NumPy's loops over slices in Python take too long for many rows.
                rows = 5 if n in LONG or name.startswith("nanarg") else ROWS
                for axis in (1, 0):
                    number += 1
                    label = list(LAYOUTS)[number % len(LAYOUTS)] if n not in (3, 17, 65) else "C"
                    shape = (rows, n) if axis == 1 else (n, rows)
                    base, view = LAYOUTS[label](*shape)
                    run(report, name, d, shape, label, base, view, (axis,), False, number)


def ties(report):
    """The first of equal elements wins in every layout, also between the vectors of a row."""
    r = np.random.default_rng(7)
    for d in oracle.ALL:
        if not report.wants(f"ties {d}"):
            continue
        for n in LENGTHS + LONG + PIECES:
            for label, layout in LAYOUTS.items():
                for axis in (1, 0):
                    rows = 21 if n < 300 else 3
                    shape = (rows, n) if axis == 1 else (n, rows)
                    base, view = layout(*shape)
                    values = r.integers(0, 3, base).astype(oracle.dtype(d))
                    if values.dtype.kind in "fc" and n % 2 == 1:
                        values[r.random(base) < 2 / n] = np.nan
                    elif n in PIECES:  # the largest in the last piece
                        values.sort(axis)
                    x, dev = view(values), view(report.array(values))
                    for name in ("argmin", "argmax"):
                        want = reductions.numpy_reduce(name, x, (axis,), False)
                        got = arrpy.reduce(name, dev, axis).numpy()
                        report.check(f"ties {d} {name} {shape} {label} axis {axis}", np.array_equal(got, want))


def final_values(report):
    """Divisors that become 1, and multiples that become 0, early, late and never; along rows and columns."""
    r = np.random.default_rng(13)
    for d in ("int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"):
        for n, columns in ((1, 5), (7, 3), (40, 1), (40, 300), (700, 70), (5000, 2), (2600, 100), (900, 600)):
            x = (r.integers(1, 5, (n, columns)) * 6).astype(d)
            x[-1, :: 1 + columns // 3] = 35  # late
            x[n // 3, 1 % columns] = 1
            y = r.choice([1, 2, 3, 4, 6], (n, columns)).astype(d)
            y[n // 2, :: 1 + columns // 2] = 0
            for name, ufunc, values in (("gcd_reduce", np.gcd, x), ("lcm_reduce", np.lcm, y)):
                for label, v in (("columns", values), ("gaps", np.repeat(values, 2, 1)[:, ::2])):
                    dev = report.array(v)
                    for axis, of, want in ((0, dev, ufunc.reduce(v, 0)), (1, report.array(v.T), ufunc.reduce(v.T, 1))):
                        got = arrpy.reduce(name, of, axis).numpy()
                        report.check(f"{name} {d} {v.shape} {label} axis {axis}", np.array_equal(got, want), f"{got}")


def infinite_products(report):
    """A complex product along columns is infinite where an element is, as along rows; other columns stay as they are."""
    r = np.random.default_rng(17)
    for d in ("complex64", "complex128"):
        for n, columns in ((3, 4), (8, 9), (40, 70), (200, 300)):
            x = np.exp(1j * r.random((n, columns))).astype(d)
            plain = np.prod(x, 0)
            for part in (complex(np.inf, 0), complex(0, -np.inf), complex(np.inf, np.nan)):
                x[n // 2, columns // 2] = part
                got = arrpy.reduce("prod", report.array(x), 0).numpy()
                other = np.arange(columns) != columns // 2
                good = np.isinf(got[columns // 2]) and np.allclose(got[other], plain[other], rtol=1e-4)
                report.check(f"prod {d} {x.shape} of {part}", good, f"{got[columns // 2]}")


def truths(report, bytes_of):
    """A bool array of these bytes, as one from outside may have them."""
    dev = report.array(bytes_of)
    return arrpy.made("arr_view", dev.handle, arrpy.c.ARR_BOOL)


def truth_values(report):
    """Rows with one True, or one False, at each place, and with none. Bytes of True may be any but 0."""
    for n in (1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 200):
        for byte in (1, 2, 255):
            bytes_of = np.vstack([np.eye(n, dtype="u1"), np.zeros((1, n), "u1")]) * np.uint8(byte)
            for label, raw in (("one True", bytes_of), ("one False", np.where(bytes_of != 0, 0, byte).astype("u1"))):
                dev = truths(report, raw)
                for name in ("argmin", "argmax"):
                    want = getattr(np, name)(raw != 0, axis=1)
                    got = arrpy.reduce(name, dev, 1).numpy()
                    report.check(f"{name} of {label} of {n}, bytes of {byte}", np.array_equal(got, want), f"{got}")


def truth_bytes(report):
    """Reductions and scans of bool arrays whose bytes are random, against NumPy's of their truth."""
    r = np.random.default_rng(11)
    for shape in ((9, 1), (9, 16), (9, 45), (9, 300), (3, 5000), (300, 17), (70, 3), (2, 300000)):
        for share in (0.02, 0.5, 1.0):
            raw = r.choice(np.array([1, 2, 3, 128, 255], "u1"), shape) * (r.random(shape) < share).astype("u1")
            x, dev = raw != 0, truths(report, raw)
            for axis in (None, 0, 1):
                for name in ("all", "any", "min", "max", "argmin", "argmax", "sum", "count_nonzero"):
                    want = np.asarray(getattr(np, name)(x, axis=axis))
                    got = arrpy.reduce(name, dev, axis).numpy()
                    same = (
                        np.array_equal(got.view("u1"), want.view("u1")) if want.dtype == bool else (got == want).all()
                    )
                    report.check(f"{name} of bytes {shape} {share} axis {axis}", same, f"{got.ravel()[:8]}")
            for axis in (0, 1):
                for name in ("maximum", "minimum", "logical_or", "logical_and", "logical_xor"):
                    want = getattr(np, name).accumulate(x, axis=axis)
                    got = arrpy.accumulate(name, dev, axis).numpy()
                    bytes_of = got.view("u1") if shape[axis] > 1 else got.view("u1") != 0  # else it is a copy
                    same = np.array_equal(bytes_of, want)
                    report.check(f"{name}.accumulate of bytes {shape} {share} axis {axis}", same, f"{got.ravel()[:8]}")


def equal_rows(report):
    """Equal rows have equal results, and few digits are lost."""
    r = np.random.default_rng(8)
    for d in ("float32", "float64", "complex64", "complex128"):
        for n in LENGTHS + LONG:
            row = (r.random(n) + (1j * r.random(n) if d in oracle.COMPLEX else 0)).astype(oracle.dtype(d))
            exact = np.sum(row.astype("G" if d in oracle.COMPLEX else "g"))
            for rows in (3, ROWS, 131):
                x = report.array(np.tile(row, (rows, 1)))
                for name in ("sum", "mean", "prod", "var", "norm2"):
                    got = arrpy.reduce(name, x, 1, correction=0 if name == "var" else None).numpy()
                    report.check(f"equal {name} {d} {rows} rows of {n}", np.all(got == got[0]), f"{np.unique(got)}")
                error = abs(arrpy.reduce("sum", x, 1).numpy()[0] - exact)
                report.check(f"accuracy {d} {n}", error <= 8 * np.finfo(d).eps * abs(exact), f"{error}")


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    lengths(r)
    ties(r)
    if r.wants("final"):
        final_values(r)
    if r.wants("infinite"):
        infinite_products(r)
    truth_values(r)
    truth_bytes(r)
    if r.wants("equal"):
        equal_rows(r)
    r.finish()
