#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Positions, slices, axes and masks at the ends and far outside of what there is. Targets lie within guards, as in
index_bounds.py, and a call that fails leaves them as they were."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from index_bounds import ALL, CHECKED, N, X, Function, Target, in_mode, names, written_number
from indexing import HIGH, LOW, MODES, C, call, get, handles, make, put_items, update, value
from oracle import arrpy


# ------------------------------------------------------------------------------- positions and slices


def positions(report):
    for i, mode in itertools.product((-N - 1, -N, -1, 0, N - 1, N, LOW, HIGH), CHECKED):
        index = in_mode(i, N, mode)
        for name, attempt, change in (
            ("arr_get_items", lambda a, m=mode, i=i: get(report, a, (ALL, i), m), None),
            ("arr_set_items", lambda a, m=mode, i=i: put_items(report, a, (ALL, i), 99, m), 99),
            ("arr_update_items", lambda a, m=mode, i=i: update(report, "add", a, (ALL, i), np.int64(1), m), 1),
        ):
            t, want, label = Target(report), X.copy(), f"{name} position {i} {mode}"
            try:
                got = attempt(t.inside)
            except arrpy.Error as e:
                f = Function("indices", 1, N, None, None)
                report.check(f"{label} refused", index is None and e.status == C.ARR_E_ARGUMENT, str(e))
                report.check(f"{label} is named", names(str(e), name, f, i), str(e))
                report.check(f"{label} writes nothing", t.holds(want))
                continue
            if index is not None and change:
                want[:, index] = change + (want[:, index] if change == 1 else 0)
            good = index is not None and (change or np.array_equal(got.numpy(), X[:, index]))
            report.check(label, bool(good))
            report.check(f"{label} target", t.holds(want))


def slices(report):
    """Ends clamp by Python's rules, and no step is too large."""
    ends_of = (None, LOW + 1, -N - 1, -N, -1, 0, 2, N, N + 1, HIGH - 1)
    steps = (1, -1, 2, -2, N, HIGH, LOW + 1, LOW)
    for start, stop, step in itertools.product(ends_of, ends_of, steps) if report.device == "host" else ((1, -1, 2),):
        cut, label = slice(start, stop, step), f"slice {start} {stop} {step}"
        t, want = Target(report), X.copy()
        # NumPy has no step of INT64_MIN; one longer than the axis is as good.
        known = slice(start, stop, max(step, LOW + 1))
        report.check(f"{label} get", np.array_equal(get(report, t.inside, (ALL, cut)).numpy(), X[:, known]))
        want[:, known] = 99
        put_items(report, t.inside, (ALL, cut), 99)
        report.check(f"{label} set", t.holds(want), f"{t.memory}")


# ------------------------------------------------------------------- positions that are plain numbers


def lists(report):
    """insert, delete and split take positions from the host."""
    one_value = report.array(np.int64(7))
    near = (-N - 1, -N, -1, 0, N - 1, N, N + 1, LOW, LOW + 1, HIGH)
    for i in near:
        rows = [
            ("arr_insert", "index", lambda a, i=i: make("arr_insert", a, i, one_value, 1, None), lambda x, i=i: np.insert(x, i, 7, 1)),
            (
                "arr_insert_at",
                "indices",
                lambda a, i=i: make("arr_insert_at", a, 2, arrpy.int64s([1, i]), one_value, 1, None),
                lambda x, i=i: np.insert(x, [1, i], 7, 1),
            ),
            (
                "arr_delete",
                "indices",
                lambda a, i=i: make("arr_delete", a, 2, arrpy.int64s([1, i]), 1, None),
                lambda x, i=i: np.delete(x, [1, i], 1),
            ),
        ]  # fmt: skip
        for name, argument, attempt, known in rows:
            t, label = Target(report), f"{name} at {i}"
            try:
                want = known(X) if i >= -N else None  # NumPy does not check that of several positions
            except IndexError:
                want = None
            try:
                got = attempt(t.inside)
                report.check(label, want is not None and np.array_equal(got.numpy(), want), "accepted")
            except arrpy.Error as e:
                good = want is None and e.status == C.ARR_E_ARGUMENT
                f = Function(argument, 1, N, None, None)
                report.check(f"{label} refused", good and names(str(e), name, f, i), str(e))
            report.check(f"{label} target", t.holds(X))
    for start, stop, step in itertools.product((LOW + 1, -N, 0, 2, N, HIGH - 1), repeat=3):
        if step == 0:
            continue
        cut = slice(start, stop, step)
        got = make("arr_delete_slice", report.array(X), start, stop, step, 1, None)
        report.check(f"arr_delete_slice {cut}", np.array_equal(got.numpy(), np.delete(X, cut, 1)), f"{got.numpy()}")
        got = make("arr_insert_slice", report.array(X), start, stop, step, one_value, 1, None)
        report.check(f"arr_insert_slice {cut}", np.array_equal(got.numpy(), np.insert(X, cut, 7, 1)), f"{got.numpy()}")
    for at in itertools.product((LOW, -N - 1, -N, 0, 3, N, HIGH), repeat=2):
        parts = several_parts(report.array(X), at)
        want = np.split(X, [max(i, -N - 1) for i in at], 1)
        report.check(f"arr_split_at {at}", all(np.array_equal(p, w) for p, w in zip(parts, want, strict=True)))
    for shift in (LOW, LOW + 1, HIGH, -N, N, 2**40 + 3):
        for axis in (0, 1, None):
            where = None if axis is None else arrpy.int32s([axis])
            got = make("arr_roll", report.array(X), 1, arrpy.int64s([shift]), where, None)
            n = X.size if axis is None else X.shape[axis]
            report.check(f"arr_roll {shift} {axis}", np.array_equal(got.numpy(), np.roll(X, shift % n, axis)))
    both = make("arr_roll", report.array(X), 3, arrpy.int64s([HIGH, HIGH, LOW]), arrpy.int32s([1, 1, 1]), None)
    report.check("arr_roll sum", np.array_equal(both.numpy(), np.roll(X, (2 * HIGH + LOW) % N, 1)))


def several_parts(a, at):
    out = (C.arr_array * (len(at) + 1))()
    call("arr_split_at", a, len(at), arrpy.int64s(at), 1, len(at) + 1, out)
    return [arrpy.Array(C.arr_array(h.value)).numpy() for h in out]


# ----------------------------------------------------------------------------------------------- axes


def no_such_axis(report):
    """Each function with an axis names one that is not there."""
    i64, i32 = arrpy.int64s, arrpy.int32s
    index, one_value = report.array(np.zeros((1, 1), "i8")), report.array(np.int64(7))
    parts = (C.arr_array * 5)()
    truth = report.array(np.array([True]))
    functions = {
        "arr_take": lambda a, d: make("arr_take", a, index, d, 0, None),
        "arr_take_along_axis": lambda a, d: make("arr_take_along_axis", a, index, d, 0, None),
        "arr_put_along_axis": lambda a, d: call("arr_put_along_axis", a, index, written_number(report), d, 0, None),
        "arr_compress": lambda a, d: make("arr_compress", truth, a, d, None),
        "arr_concatenate": lambda a, d: make("arr_concatenate", 1, handles([a]), d, 0, None),
        "arr_stack": lambda a, d: make(
            "arr_stack", 1, handles([a]), d + (1 if 0 < d < 99 else -1 if -99 < d < 0 else 0), 0, None
        ),
        "arr_append": lambda a, d: make("arr_append", a, a, d, None),
        "arr_split": lambda a, d: call("arr_split", a, 1, d, parts),
        "arr_array_split": lambda a, d: call("arr_array_split", a, 1, d, parts),
        "arr_split_at": lambda a, d: call("arr_split_at", a, 1, i64([1]), d, 2, parts),
        "arr_unstack": lambda a, d: call("arr_unstack", a, d, 3, parts),
        "arr_moveaxis source": lambda a, d: make("arr_moveaxis", a, 1, i32([d]), i32([0])),
        "arr_moveaxis destination": lambda a, d: make("arr_moveaxis", a, 1, i32([0]), i32([d])),
        "arr_swapaxes axis1": lambda a, d: make("arr_swapaxes", a, d, 0),
        "arr_swapaxes axis2": lambda a, d: make("arr_swapaxes", a, 0, d),
        "arr_rot90 axis1": lambda a, d: make("arr_rot90", a, 1, d, 0),
        "arr_rot90 axis2": lambda a, d: make("arr_rot90", a, 1, 0, d),
        "arr_repeat": lambda a, d: make("arr_repeat", a, 1, d, None),
        "arr_roll axes": lambda a, d: make("arr_roll", a, 1, i64([1]), i32([d]), None),
        "arr_trim_zeros axes": lambda a, d: make("arr_trim_zeros", a, 0, 1, i32([d]), None),
        "arr_insert": lambda a, d: make("arr_insert", a, 0, one_value, d, None),
        "arr_insert_at": lambda a, d: make("arr_insert_at", a, 1, i64([0]), one_value, d, None),
        "arr_insert_slice": lambda a, d: make("arr_insert_slice", a, 0, 1, 1, one_value, d, None),
        "arr_delete": lambda a, d: make("arr_delete", a, 1, i64([0]), d, None),
        "arr_delete_slice": lambda a, d: make("arr_delete_slice", a, 0, 1, 1, d, None),
    }
    for label, attempt in functions.items():
        name, _, argument = label.partition(" ")
        for d in (2, -3, 99, -99, 2**31 - 2, -(2**31)):
            t = Target(report)
            try:
                attempt(t.inside, d)
                report.check(f"{label} of {d} refused", False, "accepted")
            except arrpy.Error as e:
                text = str(e)
                shown = d + (1 if 0 < d < 99 else -1 if -99 < d < 0 else 0) if name == "arr_stack" else d
                good = e.status == C.ARR_E_SHAPE and text.startswith(f"{name}: argument {argument or 'axis'}")
                report.check(f"{label} of {d} refused", good and f"{shown}" in text, text)
            report.check(f"{label} of {d} target", t.holds(X))


# ---------------------------------------------------------------------------------------------- masks


def masks(report):
    """Masks of another extent or size write nothing, and the text has both shapes."""
    short, long, flat = np.ones((3, N - 1), bool), np.ones((4, N), bool), np.ones(3 * N + 1, bool)
    nine = report.array(np.full(9, 9))
    calls = {
        "arr_get_items": lambda a, m: get(report, a, (m,)),
        "arr_set_items": lambda a, m: put_items(report, a, (m,), 99),
        "arr_set_items values": lambda a, m: put_items(report, a, (m,), np.arange(m.shape[0])),
        "arr_update_items": lambda a, m: update(report, "add", a, (m,), np.int64(1)),
        "arr_place": lambda a, m: call("arr_place", a, m, written_number(report), None),
        "arr_place values": lambda a, m: call("arr_place", a, m, value(report, nine), None),
        "arr_putmask": lambda a, m: call("arr_putmask", a, m, written_number(report), None),
        "arr_putmask values": lambda a, m: call("arr_putmask", a, m, value(report, nine), None),
        "arr_copyto": lambda a, m: call("arr_copyto", a, report.array(np.int64(9)), C.ARR_CAST_SAME_KIND, m, None),
    }
    for (label, attempt), mask in itertools.product(calls.items(), (short, long, flat)):
        t, name = Target(report), label.split()[0]
        try:
            attempt(t.inside, report.array(mask))
            report.check(f"{label} mask {mask.shape} refused", False, "accepted")
        except arrpy.Error as e:
            good = e.status == C.ARR_E_SHAPE and str(e).startswith(f"{name}: argument ")
            report.check(f"{label} mask {mask.shape} refused", good and str(mask.shape[-1]) in str(e), str(e))
        report.check(f"{label} mask {mask.shape} writes nothing", t.holds(X))
    for n in (2, N, 3 * N):  # values that do not fit the true places
        t, mask = Target(report), X % 20 == 0
        refused = oracle.raises(C.ARR_E_SHAPE, lambda a=t.inside, n=n, m=mask: put_items(report, a, (m,), np.arange(n)))
        report.check(f"arr_set_items {n} values for {mask.sum()} places refused", refused)
        report.check(f"arr_set_items {n} values write nothing", t.holds(X))


def main():
    report = oracle.Report(__doc__)
    for part in (positions, slices, lists, no_such_axis, masks):
        if report.device == "host" or part in (positions, slices):
            part(report)
    report.finish()


if __name__ == "__main__":
    main()
