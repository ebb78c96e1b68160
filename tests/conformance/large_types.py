#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays of more than 2^31 elements that are not bytes: offsets in bytes pass 2^32 too. In place where the result is as
large, for less than 10 GiB; large.py has the other functions, of bytes."""

import gc

import oracle
from oracle import arrpy
import large

SIZE = large.SIZE
FIRST, LAST = large.FIRST, large.LAST
NEEDED = 10 * 2**30


def available():
    """Bytes that the host has without swapping."""
    with open("/proc/meminfo") as f:
        return next(1024 * int(line.split()[1]) for line in f if line.startswith("MemAvailable:"))


def value(a):
    return float(a.numpy())


def floats(report):
    """A reduction, an op and a scan of float32, one after the other in one array."""
    x = arrpy.zeros((SIZE,), "f4", device=report.device)
    large.fill(x[FIRST], 2.5)
    large.fill(x[LAST], -7.0)
    report.check("sum of float32", value(arrpy.reduce("sum", x)) == -4.5)
    report.check("argmin of float32", large.number(arrpy.reduce("argmin", x)) == LAST)
    arrpy.apply("multiply", x, x, out=x)
    report.check("product in place", [value(x[i]) for i in (FIRST - 1, FIRST, LAST, SIZE - 1)] == [0, 6.25, 49, 0])
    arrpy.scan("cumsum", x, 0, out=x)
    report.check(
        "cumsum in place",
        [value(x[i]) for i in (FIRST - 1, FIRST, LAST - 1, LAST, SIZE - 1)] == [0, 6.25, 6.25, 55.25, 55.25],
    )


def transposed(report):
    rows, cols = 2**16 + 1, 2**15 + 1
    m = arrpy.zeros((rows, cols), "i2", device=report.device)
    large.fill(m[rows - 2, cols - 3], -9)
    large.fill(m[3, 1], 5)
    turned = large.copy(m.T)
    del m
    report.check(
        "copy of a transposed view",
        turned.shape == (cols, rows) and large.number(arrpy.reduce("argmin", turned)) == (cols - 3) * rows + rows - 2,
    )
    report.check("copy of a transposed view: near its start", large.number(arrpy.reduce("argmax", turned)) == rows + 3)


def main():
    report = oracle.Report(__doc__)
    if report.device == "host" and available() < NEEDED:
        print(f"skipped: {available() / 2**30:.1f} GiB of memory are free, {NEEDED / 2**30:.0f} are needed")
        raise SystemExit(77)
    floats(report)
    gc.collect()
    transposed(report)
    report.finish()


if __name__ == "__main__":
    main()
