#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Index expressions whose target, indices and values share memory, and those of as many dimensions as there may be,
against NumPy 2. ARR_TEST_SEED turns the cases of shared memory, ARR_TEST_WHOLE=1 makes forty times as many."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from index_fuzz import WHOLE
from indexing import C, call, compare, get, put_items, update, value
from oracle import arrpy


# ---------------------------------------------------------------------------------------------- aliases


def aliases(report):
    """Target, indices and values are views of one vector: indices and values are read as they were before the call."""
    for k in range(200 * (WHOLE if report.whole else 1) if report.device == "host" else 4):
        if not report.wants(f"alias {k} "):
            continue
        r = np.random.default_rng([report.seed, 7, k])
        n = int(r.integers(1, 40))
        base = r.integers(0, n, 3 * n)
        m = int(r.integers(0, n + 1))

        def part(count):
            step = int(r.choice([1, 2, -1, -2]))
            low = int(r.integers(0, 3 * n - (count - 1) * abs(step))) if count else 0
            first, last = (low, low + count * step) if step > 0 else (low - (count - 1) * step, low + step)
            return slice(first, last if last >= 0 else None, step) if count else slice(0, 0, 1)

        target, index, values = part(n), part(m), part(m)
        name = str(r.choice(["set", "update", "put", "put_along_axis", "putmask", "place", "choose"]))
        label = f"alias {k} {name} n {n} target {target} indices {index} values {values}"
        want, dev = base.copy(), report.array(base)
        at, x, to = base[index].copy(), base[values].copy(), want[target]
        d_at, d_x, d_to = dev[index], dev[values], dev[target]
        if name == "set":
            to[at] = x
            put_items(report, d_to, d_at, d_x)
        elif name == "update":
            np.add.at(to, at, x)
            update(report, "add", d_to, d_at, d_x)
        elif name == "put":
            np.put(to, at, x)
            call("arr_put", d_to, d_at, value(report, d_x), 0, None)
        elif name == "put_along_axis":
            np.put_along_axis(to, at, x, 0)
            call("arr_put_along_axis", d_to, d_at, value(report, d_x), 0, 0, None)
        elif name == "choose":
            compare(report, label, choose(d_at, [d_x, d_to[:m]]), np.choose(at % 2, [x, to[:m]]))
            continue
        else:
            mask = part(n)
            old = base[mask].copy()
            if name == "place" and not m and old.any():
                continue
            getattr(np, name)(to, old, x)
            call(f"arr_{name}", d_to, dev[mask], value(report, d_x), None)
        compare(report, label, dev, want)


def choose(at, choices):
    handles = (C.arr_array * len(choices))(*(c.handle for c in choices))
    return arrpy.made("arr_choose", at.handle, len(choices), handles, C.ARR_BOUNDS_WRAP, None)


# -------------------------------------------------------------------------------------------- many axes


def axes_at_the_limit(report):
    """As many dimensions as there may be, and one more, by new axes, arrays and whole axes."""
    max_ndim = C.ARR_MAX_NDIM
    line, i = np.arange(5), np.array([3, 0])
    deep = np.arange(4).reshape((1,) * (max_ndim - 2) + (2, 2))
    cases = [
        ("new axes", line, (None,) * (max_ndim - 1)),
        ("new axes before an array", line, (None,) * (max_ndim - 1) + (i,)),
        ("new axes before a number", line, (None,) * max_ndim + (np.array(2),)),
        ("new axes around a mask", line, (None,) * (max_ndim - 2) + (line > 2, None)),
        ("a new axis among positions", deep, (None,) * 3 + (0,) * 3),
        ("a new axis among arrays", deep, (None,) * 2 + (np.array([0, 0]),) * 5),
        ("twenty masks", deep, (np.array([True]),) * 20),
        ("a mask of all axes", deep, (deep > 1,)),
        ("an array of many axes", line, (np.zeros((1,) * (max_ndim - 1) + (2,), "i8"),)),
        ("an array for every axis", deep, (np.array([0, 0]),) * max_ndim),
        ("a position for every axis", deep, (0,) * (max_ndim - 1) + (1,)),
    ]
    beyond = [
        ("one new axis more", line, (None,) * max_ndim),
        ("an array after new axes", line, (None,) * max_ndim + (i,)),
        ("a mask after new axes", line, (None,) * max_ndim + (line > 2,)),
        ("new axes for all axes", deep, (None,)),
        ("new axes and arrays", deep, (np.zeros((1, 2), "i8"), None, None)),
        ("an array of many axes", deep, (np.zeros((1, 2, 1), "i8"),)),
        ("many more new axes", line, (None,) * 100 + (i,)),
    ]
    for label, a, index in cases:
        compare(report, f"limit {label}", get(report, report.array(a), index), a[index])
        want, dev = a.copy(), report.array(a)
        want[index] = 7
        put_items(report, dev, index, 7)
        compare(report, f"limit {label} set", dev, want)
        np.add.at(want, index, 2)
        update(report, "add", dev, index, 2)
        compare(report, f"limit {label} update", dev, want)
    for label, a, index in beyond:
        for name, attempt in (
            ("get", lambda dev, i: get(report, dev, i)),
            ("set", lambda dev, i: put_items(report, dev, i, 7)),
            ("update", lambda dev, i: update(report, "add", dev, i, 7)),
        ):
            dev = report.array(a)
            try:
                attempt(dev, index)
                report.check(f"limit {label} {name} refused", False, "accepted")
            except arrpy.Error as e:
                report.check(
                    f"limit {label} {name} refused", e.status == C.ARR_E_SHAPE and "dimensions" in str(e), str(e)
                )
            compare(report, f"limit {label} {name} refused writes nothing", dev, a)


def main():
    report = oracle.Report(__doc__)
    for part in (axes_at_the_limit, aliases):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
