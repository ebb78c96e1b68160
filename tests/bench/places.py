# SPDX-License-Identifier: MIT
"""Reading and writing at computed places beside NumPy: masks, take, index arrays, nonzero."""

import ctypes

import numpy as np

import arrpy
from timing import python_loop
from workloads import Workload, address, function

C = arrpy.c


def rows_of(*arrays):
    rows = (C.arr_index * len(arrays))(*(C.arr_index(C.ARR_INDEX_ARRAY, 0, 0, 0, 0, a.handle) for a in arrays))
    rows.kept = arrays
    return rows


class Get:
    """a[rows]; run() is one call from Python, loop() many from C."""

    def __init__(self, a, rows):
        self.a, self.rows = a, rows

    def run(self):
        return arrpy.made("arr_get_items", self.a.handle, len(self.rows), self.rows, C.ARR_BOUNDS_RAISE, None)

    def loop(self, loops):
        return loops("bench_get", address(self.a), len(self.rows), self.rows)


class Put(Get):
    """a[rows] = value."""

    def __init__(self, a, rows, value):
        super().__init__(a, rows)
        self.value = value

    def run(self):
        n, value = len(self.rows), ctypes.byref(self.value)
        arrpy.call("arr_set_items", self.a.handle, n, self.rows, value, C.ARR_BOUNDS_RAISE, None)

    def loop(self, loops):
        return loops("bench_set", address(self.a), len(self.rows), self.rows, ctypes.byref(self.value))


class Take:
    def __init__(self, a, at, axis):
        self.a, self.at, self.axis = a, at, axis

    def run(self):
        return arrpy.made("arr_take", self.a.handle, self.at.handle, self.axis, C.ARR_BOUNDS_RAISE, None)

    def loop(self, loops):
        return loops("bench_take", address(self.a), address(self.at), self.axis)


class Nonzero:
    def __init__(self, name, a):
        self.name, self.a = name, a

    def run(self):
        return arrpy.made(self.name, self.a.handle, None)

    def loop(self, loops):
        return loops("bench_nonzero", function(self.name), address(self.a))


class Repeat:
    """Each element as often as its count."""

    def __init__(self, a, counts):
        self.a, self.counts = a, counts

    def run(self):
        return arrpy.made("arr_repeat_counts", self.a.handle, self.counts.handle, 0, -1, None)

    def loop(self, loops):
        return loops("bench_repeat", address(self.a), address(self.counts))


class Call:
    """Any call, from Python alone."""

    def __init__(self, run):
        self.run = run

    def loop(self, loops):
        return python_loop(self.run)


class Data:
    """Arrays of one size, ours and NumPy's."""

    def __init__(self, n):
        r = np.random.default_rng(1)
        self.x, self.i = r.random(n, "f4"), r.integers(0, n, n)
        self.a, self.at = arrpy.array(self.x), arrpy.array(self.i)
        self.by_indices = rows_of(self.at)


class MaskData:
    """A mask of one shape, half of it true, with an array and as many values; a sparse one; and rows."""

    def __init__(self, n):
        r = np.random.default_rng(1)
        self.x, self.m = r.random(n, "f4"), r.random(n) < 0.5
        self.sparse = r.random(n) < 0.001
        self.v = r.random(int(self.m.sum()), "f4")
        side = int(n**0.5)
        self.square, self.lines = self.m[: side * side].reshape(side, side), self.m[:side].copy()
        self.z = np.where(self.m, self.x, np.float32(0))
        self.rows = self.x[: side * side].reshape(side, side)
        ours = (self.x, self.m, self.v, self.sparse, self.square, self.z, self.rows, self.lines)
        names = "a mask values thin matrix zeros block lead".split()
        for name, y in zip(names, map(arrpy.array, ours), strict=True):
            setattr(self, name, y)
        self.by_mask, self.by_thin, self.by_lead = rows_of(self.mask), rows_of(self.thin), rows_of(self.lead)
        self.number, self.array = arrpy.value(0.0), arrpy.value(self.values)


class Square:
    """A matrix, indices of a quarter of its elements, and lists to choose from."""

    def __init__(self, side):
        r = np.random.default_rng(2)
        n = side * side
        self.x = r.random((side, side), "f4")
        self.i, self.j = r.integers(0, side, n // 4), r.integers(0, side, n // 4)
        self.p, self.flat = r.permutation(side), r.integers(0, n, n // 4)
        self.numbers, self.lists = r.integers(0, 3, n), [r.random(n, "f4") for _ in range(3)]
        self.masks = [r.random(n) < 0.3 for _ in range(3)]
        self.a, self.at_p, self.at_flat, self.at_numbers = (
            arrpy.array(y) for y in (self.x, self.p, self.flat, self.numbers)
        )
        self.by_pairs = rows_of(arrpy.array(self.i), arrpy.array(self.j))
        self.by_rows = rows_of(self.at_p)
        self.by_columns = (C.arr_index * 2)(C.arr_index(C.ARR_INDEX_ALL), self.by_rows[0])
        self.by_columns.kept = self.at_p
        self.choices, self.conditions = handles(self.lists), handles(self.masks)
        self.other = arrpy.value(0.0)

    def choose(self):
        at = self.at_numbers.handle
        return Call(lambda: arrpy.made("arr_choose", at, 3, self.choices, C.ARR_BOUNDS_RAISE, None))

    def cases(self):
        other = ctypes.byref(self.other)
        return Call(lambda: arrpy.made("arr_select", 3, self.conditions, self.choices, other, None))


def handles(arrays):
    kept = [arrpy.array(x) for x in arrays]
    out = (C.arr_array * len(kept))(*(a.handle for a in kept))
    out.kept = kept
    return out


def squares():
    """name -> (ours, NumPy's) on a matrix."""
    return {
        "A.take(i), a quarter": (lambda d: Take(d.a, d.at_flat, C.ARR_AXIS_NONE), lambda d: d.x.take(d.flat)),
        "A[i, j], a quarter": (lambda d: Get(d.a, d.by_pairs), lambda d: d.x[d.i, d.j]),
        "A[:, r]": (lambda d: Get(d.a, d.by_columns), lambda d: d.x[:, d.p]),
        "A[r]": (lambda d: Get(d.a, d.by_rows), lambda d: d.x[d.p]),
        "A.take(r, axis=1)": (lambda d: Take(d.a, d.at_p, 1), lambda d: d.x.take(d.p, axis=1)),
        "choose of three": (lambda d: d.choose(), lambda d: np.choose(d.numbers, d.lists)),
        "select of three": (lambda d: d.cases(), lambda d: np.select(d.masks, d.lists)),
    }


def masked_reads():
    """name -> (ours, NumPy's)."""
    flat = lambda a: Nonzero("arr_flatnonzero", a)
    return {
        "b[mask], half": (lambda d: Get(d.a, d.by_mask), lambda d: d.x[d.m]),
        "b[mask], 0.1 %": (lambda d: Get(d.a, d.by_thin), lambda d: d.x[d.sparse]),
        "b[mask of rows], half": (lambda d: Get(d.block, d.by_lead), lambda d: d.rows[d.lines]),
        "nonzero(mask), half": (lambda d: flat(d.mask), lambda d: d.m.nonzero()[0]),
        "flatnonzero, half": (lambda d: flat(d.zeros), lambda d: np.flatnonzero(d.z)),
        "argwhere of a matrix, half": (lambda d: Nonzero("arr_argwhere", d.matrix), lambda d: np.argwhere(d.square)),
    }


def reads():
    return {
        "take": (lambda d: Take(d.a, d.at, 0), lambda d: d.x.take(d.i)),
        "b[places]": (lambda d: Get(d.a, d.by_indices), lambda d: d.x[d.i]),
    }


def masked_writes():
    def masked(d):
        d.x[d.m] = d.v

    def zeroed(d):
        d.x[d.m] = 0

    return {
        "b[mask] = 0, half": (lambda d: Put(d.a, d.by_mask, d.number), zeroed),
        "b[mask] = values, half": (lambda d: Put(d.a, d.by_mask, d.array), masked),
    }


def writes():
    def placed(d):
        d.x[d.i] = d.x

    return {"b[places] = b": (lambda d: Put(d.a, d.by_indices, arrpy.value(d.a)), placed)}


def workload(name, size, make, loops, ours, theirs, writes_it):
    d = make()
    call = ours(d)

    def check():
        if not writes_it:
            return bool(np.array_equal(call.run().numpy(), theirs(d)))
        fresh = make()
        ours(fresh).run()
        theirs(fresh)
        return bool(np.array_equal(fresh.a.numpy(), fresh.x))

    return Workload("places", name, "float32", size, None, call.loop(loops), lambda: theirs(d), check, (d, call))


def repeats():
    """name -> (ours, NumPy's)."""
    return {"repeat by counts": (lambda d: Repeat(d.a, d.at), lambda d: d.x.repeat(d.i))}


class Counts(Data):
    """Counts of 0 to 3 instead of places."""

    def __init__(self, n):
        super().__init__(n)
        self.i %= 4
        self.at = arrpy.array(self.i)


def all_workloads(loops, smoke):
    """(suite, name, make) of each."""
    out = []

    def add(table, label, size, make, writes_it=False):
        for name, (ours, theirs) in table.items():
            start = lambda a=name, f=ours, g=theirs: workload(a, size, make, loops, f, g, writes_it)
            out.append(("places", f"{name} {label}", start))

    for label, side in (("32^2", 32), ("4096^2", 64 if smoke else 4096)):
        add(squares(), label, side * side, lambda k=side: Square(k))
    tables = (
        (masked_reads(), False, MaskData, 24),
        (reads(), False, Data, 22),
        (masked_writes(), True, MaskData, 24),
        (writes(), True, Data, 22),
        (repeats(), False, Counts, 22),
    )
    for small in (True, False):
        for table, writes_it, make, log2 in tables:
            n = 1000 if small else 4096 if smoke else 1 << log2
            add(table, "1000" if small else f"2^{log2}", n, lambda m=make, k=n: m(k), writes_it)
    return out
