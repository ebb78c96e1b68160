#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays of more than 2^31 elements: no index, extent or count may be kept in 32 bits. What holds is known without NumPy."""

import os

import oracle
from oracle import arrpy

C = arrpy.c
SIZE = 2**31 + 1000
FIRST, LAST = 5, SIZE - 7  # where the only elements are that are not 0: 2 and 3


def number(a):
    return int(a.numpy())


def zeros(report, shape):
    return arrpy.zeros(shape, "u1", device=report.device)


def fill(view, x):
    arrpy.call("arr_fill", view.handle, arrpy.value(x), None)


def copy(view):
    return arrpy.made("arr_copy", view.handle, C.ARR_ORDER_C, None)


def marked(report):
    a = zeros(report, (SIZE,))
    fill(a[FIRST], 2)
    fill(a[LAST], 3)
    return a


def reductions(report, x):
    for name, want in (("sum", 5), ("max", 3), ("argmax", LAST), ("count_nonzero", 2), ("any", 1), ("all", 0)):
        report.check(f"{name} of {SIZE}", number(arrpy.reduce(name, x)) == want)


def elementwise(report, x):
    arrpy.apply("add", x, x, out=x)
    report.check("add in place", number(arrpy.reduce("sum", x)) == 10 and number(x[LAST]) == 6)
    reverse = copy(x[::-1])
    report.check("copy of the reverse", number(arrpy.reduce("argmax", reverse)) == SIZE - 1 - LAST)
    every = copy(x[1::2])
    report.check("copy of every second", number(arrpy.reduce("sum", every)) == 4 + (6 if LAST % 2 else 0))


def scans(report, x):
    sums = arrpy.scan("cumsum", x, 0, dtype="u1")
    report.check("cumsum", [number(sums[i]) for i in (FIRST - 1, FIRST, LAST - 1, LAST, SIZE - 1)] == [0, 4, 4, 10, 10])


def matrices(report):
    rows, cols = 2**16 + 1, 2**15 + 1
    m = zeros(report, (rows, cols))
    fill(m[rows - 2, cols - 3], 9)
    turned = copy(m.T)
    report.check("transposed copy", number(arrpy.reduce("argmax", turned)) == (cols - 3) * rows + rows - 2)
    del turned
    for axis, index in ((0, cols - 3), (1, rows - 2)):
        sums = arrpy.reduce("sum", m, axis).numpy()
        report.check(f"sum over axis {axis}", sums[index] == 9 and sums.sum() == 9)


def main():
    report = oracle.Report(__doc__)
    if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") < 12 * 2**30:
        print("skipped: less than 12 GiB of memory")
        raise SystemExit(77)
    x = marked(report)
    reductions(report, x)
    elementwise(report, x)
    scans(report, x)
    del x
    matrices(report)
    report.finish()


if __name__ == "__main__":
    main()
