#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays joined, cut, turned, repeated, rolled, padded, and elements put in and left out, with random arguments against
NumPy 2. What NumPy refuses is refused.

ARR_TEST_SEED turns the cases, ARR_TEST_WHOLE=1 makes forty times as many, --only "pad 12 " repeats one.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from pad import MODES, near, pad
from index_fuzz import WHOLE, View
from manipulation import C, axis_of, equal, joined, of, views
from oracle import arrpy

CASES, CUDA = 150, 3  # of each function
BAD = (C.ARR_E_ARGUMENT, C.ARR_E_SHAPE, C.ARR_E_DTYPE)
REFUSED = (ValueError, IndexError, TypeError, np.exceptions.AxisError)
i64, i32 = arrpy.int64s, arrpy.int32s


class Case:
    """The random choices of a case: shapes, views of random layout, axes that mostly are there."""

    def __init__(self, report, name, k):
        self.report, self.k = report, k
        self.r = np.random.default_rng([report.seed, k, *name.encode()])
        self.label = f"{name} {k} "
        self.types = oracle.ALL if report.device == "host" else ["float32", "int32"]

    def below(self, n, low=0):
        return int(self.r.integers(low, n))

    def maybe(self, share):
        return bool(self.r.random() < share)

    def one_of(self, *choices):
        return choices[self.below(len(choices))]

    def shape(self, max_ndim=4, min_ndim=0):
        return tuple(0 if self.maybe(0.04) else self.below(6, 1) for _ in range(self.below(max_ndim + 1, min_ndim)))

    def type(self):
        return str(self.r.choice(self.types))

    def axis(self, ndim, none=False):
        if none and self.maybe(0.2):
            return None
        if self.maybe(0.05) or not ndim:
            return self.below(ndim + 3, -ndim - 3)
        return self.below(ndim, -ndim)

    def array(self, shape, d):
        """The same elements for NumPy and on the device, in a random layout."""
        view = View(self.r, shape, broadcast=self.maybe(0.1))
        base = np.array(oracle.sample(view.base, d, self.below(1 << 30), "tame"))
        if self.report.device != "host":
            base = np.round(base).astype(base.dtype)
        self.label += f"{d}{list(shape)} {view.text()} "
        return view.of(base), view.of(self.report.array(base))

    def compare(self, what, call, want, check=equal):
        """want: what NumPy gives, as a function."""
        label = self.label + what
        try:
            known = want()
        except REFUSED as e:
            try:
                got = call()
                self.report.check(f"{label} refused", False, f"accepted: {e}; {got}")
            except arrpy.Error as ours:
                self.report.check(f"{label} refused", ours.status in BAD, str(ours))
            return
        try:
            got = call()
        except arrpy.Error as ours:
            return self.report.check(label, False, f"refused: {ours}")
        if isinstance(known, (list, tuple)):
            self.report.check(f"{label} count", len(got) == len(known))
            for g, w in zip(got, known, strict=False):
                check(self.report, label, g, w)
        else:
            check(self.report, label, got, np.asarray(known))


# ------------------------------------------------------------------------------------------- joins, cuts


def parts_of(c, same):
    """Arrays that mostly fit beside each other, and the axis."""
    shape = list(c.shape(min_ndim=1))
    axis = c.axis(len(shape), none=True)
    d = c.type()
    pairs = []
    for _ in range(c.below(5, 1)):
        own = list(shape)
        if not same and axis is not None and -len(shape) <= axis < len(shape):
            own[axis] = c.below(4)
        if axis is None and not same and c.maybe(0.5):
            own = list(c.shape())
        if c.maybe(0.03):
            own = own[:-1] if c.maybe(0.5) else [n + 1 for n in own]
        pairs.append(c.array(tuple(own), d if c.maybe(0.7) else c.type()))
    return [n for n, _ in pairs], [x for _, x in pairs], axis


def known_to_numpy(arrays):
    """NumPy has no type for brain floats and integers together, and other packages give it some."""
    kinds = {a.dtype for a in arrays}
    return len(kinds) == 1 or oracle.dtype("bfloat16") not in kinds


def concatenate(c):
    arrays, mine, axis = parts_of(c, False)
    if known_to_numpy(arrays):
        c.compare(
            f"axis {axis}", lambda: joined("concatenate", mine, axis_of(axis)), lambda: np.concatenate(arrays, axis)
        )


def stack(c):
    arrays, mine, axis = parts_of(c, True)
    if not known_to_numpy(arrays):
        return
    if axis is None:
        name = c.one_of("vstack", "hstack", "dstack", "column_stack")
        return c.compare(name, lambda: joined(name, mine), lambda: getattr(np, name)(arrays))
    c.compare(f"axis {axis}", lambda: joined("stack", mine, axis), lambda: np.stack(arrays, axis))


def append(c):
    arrays, mine, axis = parts_of(c, False)
    one, two = arrays[0], arrays[-1]
    if known_to_numpy([one, two]):
        c.compare(
            f"axis {axis}",
            lambda: of("append", mine[0], mine[-1], axis_of(axis), None),
            lambda: np.append(one, two, axis),
        )


def split(c):
    shape = c.shape(min_ndim=1)
    a, x = c.array(shape, c.type())
    axis, n = c.axis(len(shape)), c.below(7, 1)
    at = [c.below(8, -7) for _ in range(c.below(4))]
    c.compare(f"split {n} axis {axis}", lambda: views("split", x, n, n, axis), lambda: np.split(a, n, axis))
    c.compare(
        f"array_split {n} axis {axis}", lambda: views("array_split", x, n, n, axis), lambda: np.array_split(a, n, axis)
    )
    count = len(at) + 1
    c.compare(
        f"split_at {at} axis {axis}",
        lambda: views("split_at", x, count, len(at), i64(at), axis, count),
        lambda: np.array_split(a, at, axis),
    )


# --------------------------------------------------------------------------------------- repeats, turns


def tile(c):
    a, x = c.array(c.shape(), c.type())
    reps = [c.below(4) if c.maybe(0.9) else -1 for _ in range(c.below(5))]
    c.compare(f"{reps}", lambda: of("tile", x, len(reps), i64(reps), None), lambda: counted(reps, np.tile, a, reps))


def counted(counts, function, *arguments):
    """NumPy takes -1 where the array has no elements."""
    if min(counts, default=0) < 0:
        raise ValueError("a count below 0")
    return function(*arguments)


def repeat(c):
    shape = c.shape()
    a, x = c.array(shape, c.type())
    axis, n = c.axis(len(shape), none=True) if shape else None, c.below(5, -1)
    c.compare(
        f"{n} axis {axis}", lambda: of("repeat", x, n, axis_of(axis), None), lambda: counted([n], np.repeat, a, n, axis)
    )


def roll(c):
    shape = c.shape()
    a, x = c.array(shape, c.type())
    n = c.below(4, 1)
    shifts = [c.below(30, -30) if c.maybe(0.9) else c.below(2**40, -(2**40)) for _ in range(n)]
    axes = [c.axis(len(shape)) for _ in range(n)]
    if c.maybe(0.3):
        call, want = lambda: of("roll", x, n, i64(shifts), None, None), lambda: np.roll(a, sum(shifts))
        return c.compare(f"flat {shifts}", call, want)
    c.compare(
        f"{shifts} {axes}", lambda: of("roll", x, n, i64(shifts), i32(axes), None), lambda: np.roll(a, shifts, axes)
    )


def rot90(c):
    shape = c.shape(min_ndim=2)
    a, x = c.array(shape, c.type())
    k, one, two = c.below(9, -9), c.axis(len(shape)), c.axis(len(shape))
    c.compare(f"{k} {one} {two}", lambda: of("rot90", x, k, one, two), lambda: np.rot90(a, k, (one, two)))
    moved = [c.axis(len(shape)) for _ in range(c.below(3, 1))]
    to = [c.axis(len(shape)) for _ in moved]
    c.compare(
        f"moveaxis {moved} {to}",
        lambda: of("moveaxis", x, len(to), i32(moved), i32(to)),
        lambda: np.moveaxis(a, moved, to),
    )


def resize(c):
    a, x = c.array(c.shape(), c.type())
    shape = tuple(c.below(9) if c.maybe(0.95) else -1 for _ in range(c.below(4)))
    c.compare(f"{shape}", lambda: of("resize", x, len(shape), i64(shape), None), lambda: np.resize(a, shape))


# ------------------------------------------------------------------------------------------------- pad


def ramp(report, label, got, want):
    """Beside an edge that is equal to its end NumPy computes all lanes in another way. Whole numbers are rounded down, so
    one whose exact value is whole may be rounded to the number before; floats lose the last digits of the largest."""
    got = got.numpy()
    good = got.dtype == want.dtype and got.shape == want.shape
    if good and want.size:
        wide = "c16" if want.dtype.kind == "c" else "f8"
        largest = np.abs(want.astype(wide)).max()
        room = 1 if want.dtype.kind in "iub" else 4 * float(np.finfo(want.dtype).eps) * largest
        good = np.abs(got.astype(wide) - want.astype(wide)).max() <= room
    report.check(label, bool(good), f"{got!r} {want!r}")


def padded(c):
    shape, d = c.shape(3, 1), c.type()
    d = "float32" if d == "bfloat16" else d  # NumPy's own functions do not know it
    a, x = c.array(shape, d)
    ndim = len(shape)
    max_width = 9 if c.maybe(0.8) else 40
    form = c.below(3)  # one width for all, a pair for all, a pair for each
    widths = [c.below(max_width) if c.maybe(0.97) else -1 for _ in range((1, 2, 2 * ndim)[form])]
    pairs = lambda given: np.broadcast_to(np.reshape(given, (-1, 2) if len(given) > 1 else (1,)), (ndim, 2)).tolist()
    mode, more, mine = c.one_of(*MODES), {}, {}
    if mode in ("reflect", "symmetric") and c.maybe(0.4):
        more, mine = {"reflect_type": "odd"}, {"odd": 1}
    if mode in ("constant", "linear_ramp") and c.maybe(0.6):
        ends = [c.below(2 if d == "bool" else 50) for _ in range(c.one_of(1, 2, 2 * ndim))]
        more, mine = {"constant_values" if mode == "constant" else "end_values": pairs(ends)}, {"values": ends}
    if mode in ("maximum", "minimum", "mean", "median") and c.maybe(0.6):
        lengths = [c.below(8, 1) for _ in range(c.one_of(1, 2, 2 * ndim))]
        more, mine = {"stat_length": pairs(lengths)}, {"lengths": lengths}
    label = f"{mode} {widths} {more}"
    if mode == "empty":
        inside = tuple(slice(w[0], w[0] + n) for w, n in zip(pairs(widths), shape, strict=True))
        return c.compare(label, lambda: pad(x, widths, mode)[inside], lambda: np.pad(a, pairs(widths), mode)[inside])
    check = ramp if mode == "linear_ramp" else near if mode in ("mean", "median") or mine.get("odd") else equal
    c.compare(label, lambda: pad(x, widths, mode, **mine), lambda: np.pad(a, pairs(widths), mode, **more), check)


# ---------------------------------------------------------------------------------- put in, left out


def values_for(c, shape, axis, n, d):
    """Values for n positions along an axis, which broadcast; sometimes of a shape that does not fit."""
    wide = [1 if c.maybe(0.3) else e for e in shape]
    wide[axis] = c.one_of(1, n)
    if c.maybe(0.1):
        wide[axis] += 2
    return c.array(tuple(wide[c.below(axis % len(wide) + 1) :]), d)


def insert(c):
    shape, d = c.shape(min_ndim=1), c.type()
    a, x = c.array(shape, d)
    axis = c.axis(len(shape), none=True)
    lane = a.size if axis is None else a.shape[axis] if -a.ndim <= axis < a.ndim else 1
    at = [c.below(lane + 1, -lane) if c.maybe(0.97) else c.below(lane + 9, -lane - 9) for _ in range(c.below(4))]
    if c.maybe(0.1):
        at = [c.below(lane + 1, -lane) for _ in range(40)]  # more than go in one by one
    v, y = values_for(
        c,
        (lane,) if axis is None or axis >= a.ndim or axis < -a.ndim else shape,
        0 if axis is None or axis >= a.ndim or axis < -a.ndim else axis,
        len(at),
        d,
    )
    c.compare(
        f"at {at} axis {axis}",
        lambda: of("insert_at", x, len(at), i64(at), y, axis_of(axis), None),
        lambda: inserted(a, at, v, axis),
    )
    number, one = c.array((), d)
    where = at[0] if at else 0
    c.compare(
        f"one at {where} axis {axis}",
        lambda: of("insert", x, where, one, axis_of(axis), None),
        lambda: np.insert(a, where, number, axis),
    )


def inserted(a, at, v, axis):
    """NumPy's, which does not check positions before the first when there are several."""
    if at and min(at) < -(a.size if axis is None else a.shape[axis]):
        raise IndexError("before the first")
    return np.insert(a, np.array(at, "i8"), v, axis)


def delete(c):
    shape = c.shape(min_ndim=1)
    a, x = c.array(shape, c.type())
    axis = c.axis(len(shape), none=True)
    lane = a.size if axis is None else a.shape[axis] if -a.ndim <= axis < a.ndim else 1
    at = [c.below(lane, -lane) if lane and c.maybe(0.97) else c.below(lane + 9, -lane - 9) for _ in range(c.below(6))]
    c.compare(
        f"{at} axis {axis}",
        lambda: of("delete", x, len(at), i64(at), axis_of(axis), None),
        lambda: np.delete(a, np.array(at, "i8"), axis),
    )
    start, stop, step = c.below(8, -8), c.below(8, -8), c.one_of(1, 1, -1, 2, -2, 3, 7)
    c.compare(
        f"slice {start} {stop} {step} axis {axis}",
        lambda: of("delete_slice", x, start, stop, step, axis_of(axis), None),
        lambda: np.delete(a, slice(start, stop, step), axis),
    )


def trim_zeros(c):
    shape, d = c.shape(3, 1), c.type()
    view = View(c.r, shape)
    base = np.array(oracle.sample(view.base, d, c.k, "tame"))
    base[c.r.random(base.shape) < c.one_of(0.3, 0.8, 0.95, 1)] = 0
    ends = c.below(3)
    axes = None if c.maybe(0.4) else [c.axis(len(shape)) for _ in range(c.below(3, 1))]
    if axes is not None and len({d % len(shape) for d in axes}) < len(axes):
        return  # NumPy takes an axis twice
    c.label += f"{d}{list(shape)} {view.text()} "
    got = lambda: of("trim_zeros", view.of(c.report.array(base)), ends, *arrpy.axes_of(axes), None)
    c.compare(f"{ends} {axes}", got, lambda: np.trim_zeros(view.of(base), ("fb", "f", "b")[ends], axes))


FUNCTIONS = {
    "concatenate": concatenate, "stack": stack, "append": append, "split": split, "tile": tile, "repeat": repeat,
    "roll": roll, "rot90": rot90, "resize": resize, "pad": padded, "insert": insert, "delete": delete,
    "trim_zeros": trim_zeros,
}  # fmt: skip


def main():
    report = oracle.Report(__doc__)
    for name, function in FUNCTIONS.items():
        for k in range(CASES * (WHOLE if report.whole else 1) if report.device == "host" else CUDA):
            if report.wants(f"{name} {k} "):
                function(Case(report, name, k))
    report.finish()


if __name__ == "__main__":
    main()
