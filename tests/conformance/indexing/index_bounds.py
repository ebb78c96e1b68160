#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Indices at the ends of their axes and far outside, in every function that takes some and in every mode.

Targets lie within a larger array, whose other elements no call may write. A call that fails leaves the target as it was,
and its text names the function, the argument, the axis, the index and the extent.
"""

import ctypes
import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from indexing import BOUNDS, HIGH, LOW, C, call, get, handles, make, put_items, several, update, value
from oracle import arrpy

N = 5  # the extent of the axis
X = np.arange(3 * N).reshape(3, N) * 10
GUARD = -77
INSIDE = (slice(1, 4), slice(4, -4))
CHECKED = tuple(mode for mode in BOUNDS if mode != "unchecked")
DIMS = arrpy.int64s(X.shape)


def in_mode(i, n, mode, from_end=True):
    """The place that an exact integer names, or None."""
    if mode == "clip":
        return min(max(i, 0), n - 1)
    if mode == "wrap":
        return i % n
    if mode == "from_one":
        return i - 1 if 1 <= i <= n else None
    return i + n * (i < 0) if -n * from_end <= i < n else None


class Target:
    """X within guards, on the host in memory of NumPy's."""

    def __init__(self, report, x=X):
        self.x, self.memory = x, np.full((5, x.shape[1] + 8), GUARD)
        self.memory[INSIDE] = x
        self.around = arrpy.wrap(self.memory) if report.device == "host" else report.array(self.memory)
        self.inside = self.around[INSIDE]

    def holds(self, want):
        """Returns whether the target is that, and all around it as it was."""
        whole = np.full(self.memory.shape, GUARD)
        whole[INSIDE] = want
        return np.array_equal(self.around.numpy(), whole)


# ------------------------------------------------------------------------------------- arrays of indices


class Function:
    """A function that takes integers: what its errors name, the extent they count in, and how it is called."""

    def __init__(self, argument, axis, extent, run, want, writes=False, from_end=True, modes=CHECKED):
        self.argument, self.axis, self.extent, self.run, self.want = argument, axis, extent, run, want
        self.writes, self.from_end, self.modes = writes, from_end, modes


def added(x, p):
    np.add.at(x, (slice(None), p), 1)


def filled(x, p):
    x[:, p] = 99


def filled_flat(x, p):
    x.reshape(-1)[p] = 99


def choices(report):
    return handles([report.array(np.full(1, 10 * k)) for k in range(N)])


def written_number(report):
    return value(report, np.int64(99))


ALL = slice(None)
NONE = C.ARR_AXIS_NONE
# run(report, target, indices, mode): what it reads, of writes nothing. want: the same with places in range.
FUNCTIONS = {
    "arr_get_items": Function("indices", 1, N, lambda r, a, i, m: get(r, a, (ALL, i), m), lambda x, p: x[:, p]),
    "arr_take": Function(
        "indices", 1, N, lambda r, a, i, m: make("arr_take", a, i, 1, BOUNDS[m], None), lambda x, p: x[:, p]
    ),
    "arr_take flat": Function(
        "indices", 0, 3 * N, lambda r, a, i, m: make("arr_take", a, i, NONE, BOUNDS[m], None), lambda x, p: x.ravel()[p]
    ),
    "arr_take_along_axis": Function(
        "indices",
        1,
        N,
        lambda r, a, i, m: make("arr_take_along_axis", a, row(i), 1, BOUNDS[m], None),
        lambda x, p: x[:, p],
    ),
    "arr_choose": Function(
        "index",
        None,
        N,
        lambda r, a, i, m: make("arr_choose", i, N, choices(r), BOUNDS[m], None),
        lambda x, p: 10 * np.array(p),
        from_end=False,
    ),
    "arr_ravel_multi_index": Function(
        "indices",
        1,
        N,
        lambda r, a, i, m: make(
            "arr_ravel_multi_index", 2, handles([zero(r), i]), DIMS, arrpy.int32s([0, BOUNDS[m]]), 0, None
        ),
        lambda x, p: np.array(p),
        from_end=False,
    ),
    "arr_unravel_index": Function(
        "indices",
        None,
        3 * N,
        lambda r, a, i, m: several("arr_unravel_index", 2, i.handle, 2, DIMS, 0, None)[1],
        lambda x, p: np.unravel_index(p, X.shape)[1],
        from_end=False,
        modes=("raise",),
    ),
    "arr_set_items": Function(
        "indices", 1, N, lambda r, a, i, m: put_items(r, a, (ALL, i), 99, m), filled, writes=True
    ),
    "arr_update_items": Function(
        "indices", 1, N, lambda r, a, i, m: update(r, "add", a, (ALL, i), np.int64(1), m), added, writes=True
    ),
    "arr_put": Function(
        "indices",
        0,
        3 * N,
        lambda r, a, i, m: call("arr_put", a, i, written_number(r), BOUNDS[m], None),
        filled_flat,
        writes=True,
    ),
    "arr_put_along_axis": Function(
        "indices",
        1,
        N,
        lambda r, a, i, m: call("arr_put_along_axis", a, row(i), written_number(r), 1, BOUNDS[m], None),
        filled,
        writes=True,
    ),
    "arr_ufunc_at": Function(
        "indices",
        0,
        N,
        lambda r, a, i, m: arrpy.at("add", a.transpose(), [i], np.int64(1)),
        added,
        writes=True,
        modes=("raise",),
    ),
}


def row(i):
    return i.reshape(1, i.shape[0])


def zero(report):
    return report.array(np.zeros((), "i8"))


def edges(n):
    """Integers at the ends of an axis and of the types, each with a type."""
    for i in (-n - 1, -n, -1, 0, n - 1, n, LOW, LOW + 1, HIGH, HIGH - n):
        yield i, "i8"
    for i in (n - 1, n, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - n, 2**64 - 1):
        yield i, "u8"
    for d in ("i1", "i2", "i4", "u1", "u2", "u4"):
        yield np.iinfo(d).max, d
        yield np.iinfo(d).min, d


def names(text, name, f, i):
    """Returns whether the text of an error names all that it should."""
    axis = f"axis {f.axis} " if f.axis is not None else ""
    text = re.sub(r"^arr_get: (?=arr_)", "", text)  # of a call that told the fault of an earlier one
    return (
        text.startswith(f"{name.split()[0]}: argument {f.argument}: ")
        and re.search(rf"(?<![\d-]){i}(?!\d)", text) is not None
        and axis in text
        and re.search(rf"\b{f.extent}\b", text) is not None
    )


def one(report, name, f, index, mode, label):
    """A call with a vector of indices."""
    wanted = [in_mode(int(i), f.extent, mode, f.from_end) for i in index]
    wrong = [int(i) for i, p in zip(index, wanted, strict=True) if p is None]
    t = Target(report)
    want = t.x.copy()
    try:
        got = f.run(report, t.inside, report.array(index), mode)
        if wrong and not f.writes:
            got.numpy()  # waits, and so tells
    except arrpy.Error as e:
        report.check(f"{label} refused", bool(wrong) and e.status == C.ARR_E_ARGUMENT, str(e))
        report.check(f"{label} is named", any(names(str(e), name, f, i) for i in wrong), str(e))
        report.check(f"{label} writes nothing", t.holds(want), f"{t.memory}")
        return
    report.check(label, not wrong, "accepted")
    if wrong:
        return
    read = f.want(want, wanted)  # writes to it where the function writes
    if not f.writes:
        report.check(f"{label} result", np.array_equal(got.numpy(), read), f"{got.numpy()} {read}")
    report.check(f"{label} target", t.holds(want), f"{t.memory}")


def ends(report):
    few = [(-N, "i8"), (N, "i8"), (2**63 + 1, "u8")]
    for name, f in FUNCTIONS.items():
        if not report.wants(name):
            continue
        for i, d in edges(f.extent) if report.device == "host" else few:
            for mode in f.modes:
                first = int(mode == "from_one")
                one(report, name, f, np.array([first, i, first + 1], d), mode, f"{name} {i} {d} {mode}")
        if report.device != "host":
            continue
        for n, fraction in itertools.product((3, 1000, 100_003), (0, 0.5, 1)):  # wherever it is, in however many
            for i in (f.extent, -f.extent - 1, HIGH, LOW):
                index = np.zeros(n, "i8")
                index[int(fraction * (n - 1))] = i
                one(report, name, f, index, "raise", f"{name} {i} at {fraction} of {n}")


def unchecked(report):
    """Indices within the bounds give what they give when they are checked."""
    index = np.array([-N, N - 1, 0, -1])
    for name, f in FUNCTIONS.items():
        if len(f.modes) > 1:
            within = index if f.from_end else np.abs(index) % N
            one(report, name, f, within, "unchecked", f"{name} unchecked")


def axes(report):
    """The text names the one of several arrays that is out of range."""
    good, bad = np.array([0, 1]), np.array([1, 4])
    shape = (3, 4, 2)
    for axis in range(3):
        index = [good] * 3
        index[axis] = bad
        calls = {
            "arr_get_items": lambda a, i: get(report, a, tuple(i)),
            "arr_set_items": lambda a, i: put_items(report, a, tuple(i), 1.0),
            "arr_update_items": lambda a, i: update(report, "add", a, tuple(i), 1.0),
            "arr_ufunc_at": lambda a, i: arrpy.at("add", a, [report.array(x) for x in i], 1.0),
            "arr_ravel_multi_index": lambda a, i: make(
                "arr_ravel_multi_index", 3, handles([report.array(x) for x in i]), arrpy.int64s(shape), None, 0, None
            ),
        }
        for name, attempt in calls.items():
            a = report.array(np.zeros(shape))
            label = f"{name} bad along axis {axis}"
            try:
                got = attempt(a, index)
                if got is not None:
                    got.numpy()  # waits, and so tells
                report.check(label, False, "accepted")
            except arrpy.Error as e:
                good_text = f"axis {axis} " in str(e) and f"extent {shape[axis]}" in str(e) and "4 along" in str(e)
                report.check(label, good_text, str(e))
            report.check(f"{label} writes nothing", not a.numpy().any())


def numbers(report):
    """Indices that are numbers: one status and one wording, which says what is expected."""
    i64 = arrpy.int64s
    row = report.array(np.ones(X.shape[1], "i8"))

    def at(function, a, k, *rest):
        index = C.arr_index()
        index.kind, index.start = C.ARR_INDEX_INTEGER, k
        return call(function, a.handle, 1, ctypes.byref(index), *rest)

    calls = {
        "arr_index_axis": (lambda a, k: make("arr_index_axis", a.handle, 0, k), 0, 2),
        "arr_get_items": (lambda a, k: at("arr_get_items", a, k, 0, None, ctypes.byref(C.arr_array())), 0, 2),
        "arr_set_items": (lambda a, k: at("arr_set_items", a, k, ctypes.byref(arrpy.value(1)), 0, None), 0, 2),
        "arr_item": (lambda a, k: call("arr_item", a.handle, 2, i64([0, k]), ctypes.byref(C.arr_value())), 1, N - 1),
        "arr_item_i64": (
            lambda a, k: call("arr_item_i64", a.handle, 2, i64([k, 0]), ctypes.byref(ctypes.c_int64())),
            0,
            2,
        ),
        "arr_insert": (lambda a, k: make("arr_insert", a.handle, k, row.handle, 0, None), 0, 3),
        "arr_insert_at": (lambda a, k: make("arr_insert_at", a.handle, 2, i64([0, k]), row.handle, 0, None), 0, 3),
        "arr_delete": (lambda a, k: make("arr_delete", a.handle, 2, i64([k, 0]), 1, None), 1, N - 1),
        "arr_delete of all": (
            lambda a, k: make("arr_delete", a.handle, 1, i64([k]), C.ARR_AXIS_NONE, None),
            0,
            3 * N - 1,
        ),
        "arr_partition": (lambda a, k: make("arr_partition", a.handle, 1, i64([k]), 1, None), None, N - 1),
        "arr_argpartition": (lambda a, k: make("arr_argpartition", a.handle, 1, i64([k]), 1, None), None, N - 1),
    }
    for name, (attempt, axis, last) in calls.items():
        extent = last if name.startswith("arr_insert") else last + 1
        for k in (last + 1, -extent - 1, 2**62, -(2**62)):
            t = Target(report)
            text = f"{k} along axis {axis} of extent {extent}" if axis is not None else f"{k} at position 0"
            try:
                attempt(t.inside, k)
                message = "accepted"
            except arrpy.Error as e:
                message = str(e) if e.status == C.ARR_E_ARGUMENT else f"status {e.status} {e}"
            good = (
                message.startswith(name.split()[0] + ": argument ")
                and f"{text}, expected {-extent} to {last}" in message
            )
            report.check(f"{name} {k}", good and t.holds(X), message)
        for k in (last, -extent):
            attempt(Target(report).inside, k)


def empty_axes(report):
    """An axis without elements has no places, in any mode."""
    nothing, index = np.zeros((3, 0), "i8"), np.array([0, 0])
    for name, f in FUNCTIONS.items():
        if name in ("arr_choose", "arr_unravel_index", "arr_ravel_multi_index"):
            continue
        for mode in f.modes:
            for i in (index, index[:0]):
                t = Target(report, nothing)
                try:
                    got = f.run(report, t.inside, report.array(i), mode)
                    good = not len(i) and (f.writes or got.numpy().size == 0)
                    report.check(f"{name} empty axis {len(i)} {mode}", good, "accepted")
                except arrpy.Error as e:
                    good = len(i) and e.status == C.ARR_E_ARGUMENT and "extent 0" in str(e)
                    report.check(f"{name} empty axis {len(i)} {mode} refused", bool(good), str(e))
                report.check(f"{name} empty axis {len(i)} {mode} guards", t.holds(nothing))
    for shape in ((3, 0), (0, 3)):
        dims = arrpy.int64s(shape)
        for label, attempt in (
            (
                "arr_ravel_multi_index",
                lambda i, d=dims: make("arr_ravel_multi_index", 2, handles([i, i]), d, None, 0, None),
            ),
            ("arr_unravel_index", lambda i, d=dims: several("arr_unravel_index", 2, i.handle, 2, d, 0, None)[0]),
        ):
            refused = oracle.raises(C.ARR_E_ARGUMENT, lambda f=attempt: f(report.array(index)))
            report.check(f"{label} of shape {shape} refused", refused)
            report.check(f"{label} of shape {shape} nothing", attempt(report.array(index[:0])).shape == (0,))


def too_many_axes(report):
    """Shapes of more axes than arrays have."""
    n = C.ARR_MAX_NDIM + 1
    ones, index = arrpy.int64s([1] * n), report.array(np.zeros(1, "i8"))
    for name, attempt in (
        ("arr_ravel_multi_index", lambda: make("arr_ravel_multi_index", n, handles([index] * n), ones, None, 0, None)),
        ("arr_unravel_index", lambda: several("arr_unravel_index", n, index.handle, n, ones, 0, None)),
    ):
        try:
            attempt()
            report.check(f"{name} of {n} axes refused", False, "accepted")
        except arrpy.Error as e:
            report.check(f"{name} of {n} axes refused", f"argument n: {n}" in str(e), str(e))


def main():
    report = oracle.Report(__doc__)
    for part in (ends, unchecked, axes, numbers, empty_axes, too_many_axes):
        if report.device == "host" or part in (ends, axes):
            part(report)
    report.finish()


if __name__ == "__main__":
    main()
