# SPDX-License-Identifier: MIT
"""Reading and writing at computed places beside NumPy: masks, take, index arrays, nonzero."""

import ctypes

import numpy as np

import arrpy
from timing import python_loop
from workloads import Workload

C = arrpy.c


def rows_of(*arrays):
    rows = (C.arr_index * len(arrays))(*(C.arr_index(C.ARR_INDEX_ARRAY, 0, 0, 0, 0, a.handle) for a in arrays))
    rows.kept = arrays
    return rows


def get(a, rows):
    return arrpy.made("arr_get_items", a.handle, len(rows), rows, C.ARR_BOUNDS_RAISE, None)


def put(a, rows, value):
    arrpy.call("arr_set_items", a.handle, len(rows), rows, ctypes.byref(value), C.ARR_BOUNDS_RAISE, None)


class Data:
    """Arrays of one size, ours and NumPy's."""

    def __init__(self, n):
        r = np.random.default_rng(1)
        self.x, self.m = r.random(n, "f4"), r.random(n) < 0.5
        self.i = r.integers(0, n, n)
        self.v = r.random(int(self.m.sum()), "f4")
        self.a, self.mask, self.at, self.values = (arrpy.array(y) for y in (self.x, self.m, self.i, self.v))
        self.by_mask, self.by_places = rows_of(self.mask), rows_of(self.at)
        self.number, self.array = arrpy.value(0.0), arrpy.value(self.values)


def reads():
    """name -> (ours, NumPy's)."""
    return {
        "b[mask], half": (lambda d: get(d.a, d.by_mask), lambda d: d.x[d.m]),
        "nonzero(mask), half": (
            lambda d: arrpy.made("arr_flatnonzero", d.mask.handle, None),
            lambda d: d.m.nonzero()[0],
        ),
        "take": (lambda d: arrpy.made("arr_take", d.a.handle, d.at.handle, 0, 0, None), lambda d: d.x.take(d.i)),
        "b[places]": (lambda d: get(d.a, d.by_places), lambda d: d.x[d.i]),
    }


def writes():
    def masked(d):
        d.x[d.m] = d.v

    def zeroed(d):
        d.x[d.m] = 0

    def placed(d):
        d.x[d.i] = d.x

    def place(d):
        put(d.a, d.by_places, arrpy.value(d.a))

    return {
        "b[mask] = 0, half": (lambda d: put(d.a, d.by_mask, d.number), zeroed),
        "b[mask] = values, half": (lambda d: put(d.a, d.by_mask, d.array), masked),
        "b[places] = b": (place, placed),
    }


def workload(name, n, ours, theirs, writes_it):
    d = Data(n)

    def check():
        if not writes_it:
            return bool(np.array_equal(ours(d).numpy(), theirs(d)))
        fresh = Data(n)
        ours(fresh)
        theirs(fresh)
        return bool(np.array_equal(fresh.a.numpy(), fresh.x))

    return Workload("places", name, "float32", n, None, python_loop(lambda: ours(d)), lambda: theirs(d), check, (d,))


def all_workloads(loops, smoke):
    """(suite, name, make) of each."""
    out = []
    for label, n in (("1000", 1000), ("2^22", 4096 if smoke else 1 << 22)):
        for table, writes_it in ((reads(), False), (writes(), True)):
            for name, (ours, theirs) in table.items():
                out.append(
                    (
                        "places",
                        f"{name} {label}",
                        lambda a=name, k=n, f=ours, g=theirs, w=writes_it: workload(a, k, f, g, w),
                    )
                )
    return out
