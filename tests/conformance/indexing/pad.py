#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Padded arrays against numpy.pad."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from manipulation import equal, layouts, types
from oracle import arrpy
from products import on

C = arrpy.c
MODES = (
    "constant",
    "edge",
    "linear_ramp",
    "maximum",
    "mean",
    "minimum",
    "reflect",
    "symmetric",
    "wrap",
    "empty",
    "median",
)
WRITTEN = [m for m in MODES if m not in ("constant", "empty")]


def pad(a, widths, mode, odd=0, values=(), lengths=()):
    scalars = (C.arr_value * max(len(values), 1))(*(arrpy.value(v) for v in values))
    o = C.arr_pad_options(
        ctypes.sizeof(C.arr_pad_options),
        scalars,
        arrpy.int64s(lengths) if lengths else None,
        len(values),
        len(lengths),
        odd,
        0,
    )
    number = mode if isinstance(mode, int) else MODES.index(mode)
    return arrpy.made("arr_pad", a.handle, len(widths), arrpy.int64s(widths), number, ctypes.byref(o), None)


def near(report, label, got, want):
    """Equal, but for the last places of sums that are made in another order."""
    got = got.numpy()
    good = got.dtype == want.dtype and got.shape == want.shape
    if good and want.dtype.kind in "fcV":
        wide, eps = ("c16" if want.dtype.kind == "c" else "f8"), np.finfo(want.dtype).eps
        good = np.allclose(got.astype(wide), want.astype(wide), rtol=4 * eps, atol=16 * eps, equal_nan=True)
    elif good:
        good = np.array_equal(got, want)
    report.check(label, bool(good), f"{got!r} {want!r}")


def borders(report):
    widths = ([1], [2, 3], [0, 1, 4, 0], [9, 14, 7, 11])
    for d in types(report, ["float32", "int8", "bool"]):
        if d == "bfloat16":
            continue  # NumPy's own functions do not know it
        for layout in layouts(report):
            a = oracle.sample((3, 4), d, 1, "tame")
            x = on(report, a, layout)
            for w in widths if layout == "C" else widths[2:]:
                pairs = np.broadcast_to(np.reshape(w, (-1, 2) if len(w) > 1 else (1,)), (2, 2)).tolist()
                for mode in WRITTEN:
                    label = f"pad {mode} {d} {layout} {w}"
                    (near if mode in ("linear_ramp", "mean", "median") else equal)(
                        report, label, pad(x, w, mode), np.pad(a, pairs, mode)
                    )
                for mode in ("reflect", "symmetric"):
                    want = np.pad(a, pairs, mode, reflect_type="odd")
                    equal(report, f"pad {mode} odd {d} {layout} {w}", pad(x, w, mode, odd=1), want)
                equal(report, f"pad constant {d} {layout} {w}", pad(x, w, "constant"), np.pad(a, pairs))
                if "float_modes" in sys.modules:  # which compares all bits of results, also those that are not set
                    continue
                inside = pad(x, w, "empty")[pairs[0][0] : pairs[0][0] + 3, pairs[1][0] : pairs[1][0] + 4]
                equal(report, f"pad empty {d} {layout} {w}", inside, a)


def values(report):
    a = oracle.sample((3, 4, 2), "float64", 2, "tame")
    x = report.array(a)
    for given in ((7,), (1, 2), (1, 2, 3, 4, 5, 6)):
        pairs = np.broadcast_to(np.reshape(given, (-1, 2) if len(given) > 1 else (1,)), (3, 2)).tolist()
        equal(
            report,
            f"pad values {given}",
            pad(x, [2, 1], "constant", values=given),
            np.pad(a, (2, 1), "constant", constant_values=pairs),
        )
        near(
            report,
            f"pad ends {given}",
            pad(x, [4, 3], "linear_ramp", values=given),
            np.pad(a, (4, 3), "linear_ramp", end_values=pairs),
        )
        for mode in ("maximum", "minimum", "mean", "median"):
            near(
                report,
                f"pad {mode} lengths {given}",
                pad(x, [2, 1], mode, lengths=given),
                np.pad(a, (2, 1), mode, stat_length=pairs),
            )
    for mode in WRITTEN:
        one = np.arange(3.0).reshape(1, 3)
        near(report, f"pad {mode} extent 1", pad(report.array(one), [2, 3], mode), np.pad(one, (2, 3), mode))
        number = np.float64(3)
        equal(report, f"pad {mode} number", pad(report.array(number), [2], mode), np.pad(number, 2, mode))
        none = np.zeros((0, 3))
        equal(
            report,
            f"pad {mode} empty",
            pad(report.array(none), [0, 0, 1, 1], mode),
            np.pad(none, ((0, 0), (1, 1)), mode),
        )
    equal(
        report,
        "pad constant of nothing",
        pad(report.array(np.zeros((0, 2))), [1], "constant", values=(3,)),
        np.full((2, 4), 3.0),
    )


def orders(report):
    column = report.array(np.asfortranarray(np.ones((3, 4))))
    report.check("order of pad", list(pad(column, [1], "edge").strides) == [1, 5])


def refused(report):
    v, m = report.array(np.ones(3)), report.array(np.ones((3, 4)))
    cases = [
        ("pad mode", C.ARR_E_ARGUMENT, lambda: pad(v, [1], 11)),
        ("pad widths", C.ARR_E_SHAPE, lambda: pad(m, [1, 2, 3], "edge")),
        ("pad no widths", C.ARR_E_SHAPE, lambda: pad(m, [], "edge")),
        ("pad negative", C.ARR_E_ARGUMENT, lambda: pad(v, [-1], "edge")),
        ("pad nothing", C.ARR_E_SHAPE, lambda: pad(v[:0], [1], "wrap")),
        ("pad length", C.ARR_E_ARGUMENT, lambda: pad(v, [1], "maximum", lengths=(0,))),
        ("pad value", C.ARR_E_ARGUMENT, lambda: pad(report.array(np.zeros(2, "i1")), [1], "constant", values=(300,))),
        ("pad too large", C.ARR_E_SHAPE, lambda: pad(v, [2**62], "empty")),
    ]
    for label, status, call in cases:
        report.check(f"refuses {label}", oracle.raises(status, call))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((borders, values, orders, refused)):
        part(r)
    r.finish()
