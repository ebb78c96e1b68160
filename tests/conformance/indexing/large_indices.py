#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Indices beyond 2^31 in arrays of bytes: read, written, selected, moved, joined and sorted. What holds is known without
NumPy, and all of it needs less than 8 GiB."""

import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from indexing import C, call, get, handles, make, put_items, several, update, value
from large import FIRST, LAST, SIZE, marked, number
from large_types import available
from oracle import arrpy

LIMIT = 8 * 2**30
NONE = C.ARR_AXIS_NONE
i64, i32 = arrpy.int64s, arrpy.int32s


def same(report, label, got, want):
    got = got.numpy()
    report.check(label, got.shape == np.shape(want) and np.array_equal(got, want), f"{got} {want}")


def at(x, indices):
    """The elements at a few places."""
    return [number(x[int(i)]) for i in indices]


def moved(report, label, x, size, marks):
    """Checks that x has this size, and no elements that are not 0 but those."""
    report.check(f"{label} size", x.size == size, f"{x.size}")
    good = at(x, marks) == list(marks.values()) and number(arrpy.reduce("count_nonzero", x)) == len(marks)
    report.check(label, good, f"{at(x, marks)} at {list(marks)}")


def reads(report, x):
    far = np.array([LAST, FIRST, FIRST - SIZE, LAST - SIZE, SIZE - 1, -SIZE])
    want = np.array([3, 2, 2, 3, 0, 0], "u1")
    same(report, "get", get(report, x, far), want)
    same(report, "take", make("arr_take", x, report.array(far), 0, 0, None), want)
    same(report, "take reversed", make("arr_take", x[::-1], report.array(-1 - far), 0, 0, None), want)
    same(report, "take_along_axis", make("arr_take_along_axis", x, report.array(far), 0, 0, None), want)
    same(report, "take by uint32", make("arr_take", x, report.array(np.array([LAST, FIRST], "u4")), 0, 0, None), [3, 2])
    far = np.array([2**62, LAST + SIZE, -1])
    same(report, "take wrapped", make("arr_take", x, report.array(far[1:]), 0, C.ARR_BOUNDS_WRAP, None), [3, 0])
    same(
        report,
        "take clipped",
        make("arr_take", x[: LAST + 1], report.array(far), 0, C.ARR_BOUNDS_CLIP, None),
        [3, 3, 0],
    )
    for i in (SIZE, -SIZE - 1):
        try:
            get(report, x, np.array([i])).numpy()
            report.check(f"get of {i} refused", False)
        except arrpy.Error as e:
            report.check(f"get of {i} refused", f"{i} along axis 0 of extent {SIZE}" in str(e), str(e))
    both = several("arr_unravel_index", 2, report.array(np.array([LAST])), 2, i64([2**16, 2**16]), 0, None)
    report.check("unravel_index", [number(b[0]) for b in both] == list(divmod(LAST, 2**16)))
    matrix = x[: 2**31].reshape(2**16, 2**15)
    rows, columns = np.array([2**16 - 1, 0]), np.array([2**15 - 1, FIRST])
    same(report, "get of rows and columns", get(report, matrix, (rows, columns)), [0, 2])
    same(report, "get of rows", get(report, matrix, (slice(None, None, -1), columns))[-1], [0, 2])


def writes(report, x):
    """Each leaves x as it was."""
    far, back = np.array([LAST - 1, SIZE - 1, -SIZE]), np.zeros(3, "u1")
    nines, indices = np.array([7, 8, 9], "u1"), [LAST - 1, SIZE - 1, 0]
    for label, write in (
        ("set", lambda v: put_items(report, x, far, v)),
        ("put", lambda v: call("arr_put", x, report.array(far), value(report, v), 0, None)),
        ("put_along_axis", lambda v: call("arr_put_along_axis", x, report.array(far), value(report, v), 0, 0, None)),
    ):
        write(nines)
        report.check(label, at(x, indices) == [7, 8, 9], f"{at(x, indices)}")
        write(back)
        moved(report, f"{label} back", x, SIZE, {FIRST: 2, LAST: 3})
    update(report, "add", x, np.array([LAST, LAST, FIRST]), np.uint8(5))
    moved(report, "update", x, SIZE, {FIRST: 7, LAST: 13})
    update(report, "subtract", x, np.array([LAST, LAST, FIRST]), np.uint8(5))


def masks(report, x):
    here = x == 3
    put_items(report, x, here, 4)
    moved(report, "a number to a mask", x, SIZE, {FIRST: 2, LAST: 4})
    call("arr_putmask", x, here, value(report, np.array([3, 9], "u1")[:1]), None)
    moved(report, "putmask", x, SIZE, {FIRST: 2, LAST: 3})
    del here
    here = x > 1
    for name, a in (("mask", here), ("numbers", x)):
        same(report, f"flatnonzero of a {name}", make("arr_flatnonzero", a, None), [FIRST, LAST])
        rows = a[: 2**31].reshape(2**16, 2**15)
        first = list(divmod(FIRST, 2**15))
        same(report, f"argwhere of a {name}", make("arr_argwhere", rows, None), [first])
        both = several("arr_nonzero", 2, rows.handle, None)
        report.check(f"nonzero of a {name}", [number(b[0]) for b in both] == first)
    same(report, "get of a mask", get(report, x, here), np.array([2, 3], "u1"))
    same(report, "get of a mask, falling", get(report, x[::-1], here[::-1]), np.array([3, 2], "u1"))
    same(report, "compress", make("arr_compress", here, x, 0, None), np.array([2, 3], "u1"))
    put_items(report, x, here, np.array([8, 9], "u1"))
    moved(report, "values to a mask", x, SIZE, {FIRST: 8, LAST: 9})
    put_items(report, x, here, np.array([2, 3], "u1"))
    moved(report, "values to a mask back", x, SIZE, {FIRST: 2, LAST: 3})
    del here


def joins(report, x):
    out = make("arr_concatenate", 3, handles([x[:9], x[9 : LAST - 2], x[LAST - 2 :]]), 0, 0, None)
    moved(report, "concatenate", out, SIZE, {FIRST: 2, LAST: 3})
    del out
    half = SIZE // 2
    out = make("arr_stack", 2, handles([x[half:], x[:half]]), 1, 0, None)
    report.check("stack", number(out[LAST - half, 0]) == 3 and number(out[FIRST, 1]) == 2)
    report.check("stack zeros", number(arrpy.reduce("count_nonzero", out)) == 2)


def moves(report, x):
    half = SIZE // 2
    for shift in (10, 2**31 + 3, -(2**40)):
        marks = {(FIRST + shift) % SIZE: 2, (LAST + shift) % SIZE: 3}
        moved(report, f"roll {shift}", make("arr_roll", x, 1, i64([shift]), i32([0]), None), SIZE, marks)
    last = LAST - half
    out = make("arr_repeat", x[half:], 2, 0, None)
    moved(report, "repeat", out, SIZE, {2 * last: 3, 2 * last + 1: 3})
    out = make("arr_tile", x[half:], 1, i64([2]), None)
    moved(report, "tile", out, SIZE, {last: 3, last + half: 3})
    out = make("arr_resize", x[half:], 1, i64([SIZE - 5]), None)
    moved(report, "resize", out, SIZE - 5, {last: 3, **({last + half: 3} if last + half < SIZE - 5 else {})})
    out = make("arr_pad", x, 1, i64([8]), C.ARR_PAD_WRAP, None, None)
    edge = SIZE + 8 + FIRST
    moved(report, "pad", out, SIZE + 16, {LAST - SIZE + 8: 3, FIRST + 8: 2, LAST + 8: 3, edge: 2})
    out = make("arr_delete", x, 2, i64([FIRST, -SIZE]), 0, None)
    moved(report, "delete", out, SIZE - 2, {LAST - 2: 3})
    out = make("arr_delete_slice", x, LAST, C_OPEN, 1, 0, None)
    moved(report, "delete_slice", out, LAST, {FIRST: 2})
    out = make("arr_insert_at", x, 2, i64([LAST, 0]), report.array(np.array([1, 1], "u1")), 0, None)
    moved(report, "insert_at", out, SIZE + 2, {0: 1, FIRST + 1: 2, LAST + 1: 1, LAST + 2: 3})
    out = make("arr_trim_zeros", x, 0, 0, None, None)
    moved(report, "trim_zeros", out, LAST - FIRST + 1, {0: 2, LAST - FIRST: 3})


C_OPEN = arrpy.INT64_MAX


def sorts(report, x):
    out = make("arr_sort", x, 0, 0, None)
    moved(report, "sort", out, SIZE, {SIZE - 2: 2, SIZE - 1: 3})
    call("arr_sort_into", out, x, 0, 1, None)
    moved(report, "sort falling", out, SIZE, {1: 2, 0: 3})


def main():
    report = oracle.Report(__doc__)
    if report.device == "host" and available() < LIMIT:
        print(f"skipped: {available() / 2**30:.1f} GiB of memory are free, {LIMIT / 2**30:.0f} are needed")
        raise SystemExit(77)
    x = marked(report)
    for part in report.chosen((reads, writes, masks, joins, moves, sorts)):
        part(report, x)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    report.check("memory", peak < LIMIT, f"{peak / 2**30:.1f} GiB")
    report.finish()


if __name__ == "__main__":
    main()
