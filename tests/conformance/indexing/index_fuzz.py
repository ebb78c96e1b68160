#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random index expressions of every kind, read, written and updated, against NumPy 2.

A case is a view of some base, an index expression, an array of values and what is done with them. ARR_TEST_SEED turns
the cases, ARR_TEST_WHOLE=1 makes forty times as many, --only "fuzz 12 " repeats one. What NumPy refuses is refused, and
then nothing is written.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from index_bounds import in_mode
from indexing import INTEGERS, C, compare, get, put_items, update
from oracle import arrpy

HOST, WHOLE, CUDA = 600, 40, 14  # cases; so many times as many; cases on CUDA, where each costs compilations
BAD = (C.ARR_E_ARGUMENT, C.ARR_E_SHAPE, C.ARR_E_DTYPE)
OPS = ["add", "subtract", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_xor", "logical_or", "negative"]
JUNK = 3  # in what lies around a view


# --------------------------------------------------------------------------------------- views of a base


class View:
    """A view of some shape: a base cut by slices with margins and steps, its axes in any order, some of them broadcast."""

    def __init__(self, r, shape, margins=True, broadcast=False):
        ndim = len(shape)
        self.order = [int(k) for k in r.permutation(ndim)] if r.random() < 0.5 else list(range(ndim))
        self.wide = tuple(shape) if broadcast else None
        self.base, self.cut = [0] * ndim, [slice(None)] * ndim
        for axis, at in enumerate(self.order):
            n = 1 if broadcast and r.random() < 0.5 else shape[axis]
            step = int(r.choice([1, 1, -1, 2, -2, 3] if margins else [1, 1, -1])) if n > 0 else 1
            before, after = (int(r.integers(0, 2)), int(r.integers(0, 2))) if margins else (0, 0)
            first = before if step > 0 else before - step * n - 1
            last = first + step * n
            self.base[at] = before + abs(step) * n + after
            self.cut[at] = slice(first, last if last >= 0 else None, step)

    def of(self, a):
        a = a[tuple(self.cut)].transpose(*self.order) if self.cut else a
        if self.wide is None:
            return a
        return a.broadcast_to(self.wide) if isinstance(a, arrpy.Array) else np.broadcast_to(a, self.wide)

    def text(self):
        steps = ",".join(str(s.step) for s in self.cut)
        return f"base {tuple(self.base)} steps {steps} axes {self.order}" + (
            " broadcast" if self.wide is not None else ""
        )


def strided(report, r, x):
    """An array of these elements on the device, whose steps are often not 1; 0 along axes of equal elements."""
    if x.ndim == 0 or r.random() < 0.5:
        return report.array(x)
    one = tuple(slice(0, 1) if n > 1 and (x == x.take([0], d)).all() else slice(None) for d, n in enumerate(x.shape))
    if x[one].shape != x.shape and r.random() < 0.7:
        return report.array(x[one]).broadcast_to(x.shape)
    view = View(r, x.shape)
    base = np.full(view.base, JUNK).astype(x.dtype)
    view.of(base)[...] = x
    return view.of(report.array(base))


# ------------------------------------------------------------------------------------ index expressions


class Indices:
    """An index expression for a shape: `numpy` is what NumPy takes, `given` what the library takes, `text` both."""

    def __init__(self, report, r, shape, mode):
        self.report, self.r, self.shape, self.mode = report, r, shape, mode
        self.numpy, self.given, self.text = [], [], []
        self.common = tuple(int(n) for n in r.integers(1, 4, r.integers(0, 3)))
        self.faulty = mode == "raise" and r.random() < 0.12  # one thing may be wrong
        self.fill()
        if self.faulty and r.random() < 0.5:
            self.spoil()

    def add(self, x, given=None, text=None):
        self.numpy.append(x)
        self.given.append(x if given is None else given)
        self.text.append(text or repr(x))

    def array(self, x, plain=None):
        """An array of NumPy's; plain: the same with what the mode makes of it."""
        self.add(x if plain is None else plain, strided(self.report, self.r, x), f"{x.dtype}({x.tolist()})")

    def fill(self):
        r, axis, shape = self.r, 0, self.shape
        deep = len(shape) > 8
        while axis < len(shape):
            n, kind = shape[axis], int(r.integers(0, 14))
            if deep and r.random() < 0.6:
                kind = int(r.choice([0, 4, 9]))
            if kind < 2:
                self.add(slice(None), text=":")
            elif kind < 4:
                self.add(self.slice(n))
            elif kind == 4 and n > 0:
                self.position(n)
            elif kind == 5:
                self.add(None)
                continue
            elif kind == 6 and "..." not in self.text:
                self.add(Ellipsis, text="...")
                axis += int(r.integers(0, len(shape) - axis + 1))
                continue
            elif kind == 7:
                k = int(r.integers(1, min(len(shape) - axis, 3) + 1))
                self.array(self.mask(shape[axis : axis + k]))
                axis += k
                continue
            elif kind == 8 and r.random() < 0.3:
                self.array(np.array(r.random() < 0.7))
                continue
            elif n > 0:
                self.integers(n)
            else:
                self.array(np.zeros(0, str(r.choice(INTEGERS))))
            axis += 1
        # Axes at the end are taken whole. Behind an ellipsis that moves the others, whose extents a mode needs.
        if r.random() < 0.3 and (self.mode == "raise" or "..." not in self.text):
            keep = int(r.integers(0, len(self.text) + 1))
            self.numpy, self.given, self.text = self.numpy[:keep], self.given[:keep], self.text[:keep]

    def slice(self, n):
        r = self.r
        far = [n, -n, n + 3, -n - 3, 2**40, -(2**40), 2**63 - 2, -(2**63) + 1]
        ends = [
            None if p < 0.3 else int(r.integers(-n - 1, n + 2)) if p < 0.8 else int(r.choice(far)) for p in r.random(2)
        ]
        return slice(*ends, int(r.choice([-3, -2, -1, 1, 1, 1, 2, 5, 2**62, -(2**62), 2**63 - 1, -(2**63) + 1])))

    def position(self, n):
        r = self.r
        i = int(r.integers(-n, n))
        if self.mode != "raise":
            i = int(r.integers(-3 * n, 3 * n))
            return self.add(in_mode(i, n, self.mode), i, f"{i}")
        self.add(i + (2 * n if self.faulty and r.random() < 0.3 else 0))

    def mask(self, extents):
        r = self.r
        x = r.random(extents) < r.choice([0, 0.3, 0.7, 1])
        if r.random() < 0.5:  # exactly so many, often as many as the other arrays have
            count = int(r.choice([1, 1, 2, self.common[-1] if self.common else 0]))
            x.reshape(-1)[:] = False
            x.reshape(-1)[r.permutation(x.size)[:count]] = True
        if self.faulty and r.random() < 0.3:
            x = np.concatenate([x, x[:1]])
        return x

    def integers(self, n):
        r = self.r
        wide = [1 if r.random() < 0.2 else e for e in self.common[int(r.integers(0, len(self.common) + 1)) :]]
        d = np.dtype(str(r.choice(INTEGERS)))
        info = np.iinfo(d)
        if self.mode != "raise":
            x = r.integers(info.min, info.max, wide, dtype=d, endpoint=True)
            near = r.integers(0 if d.kind == "u" else -3 * n, 3 * n, wide)
            x = (
                np.where(r.random(wide) < 0.7, near, x).astype(d)
                if d.itemsize < 8
                else x
                if r.random() < 0.3
                else near.astype(d)
            )
            return self.array(x, np.array([in_mode(int(i), n, self.mode) for i in x.flat], "i8").reshape(x.shape))
        x = np.asarray(r.integers(-n if d.kind == "i" else 0, n, wide)).astype(d)
        if x.ndim and x.size and r.random() < 0.1:
            x[...] = x[:1]
        if self.faulty and x.size and r.random() < 0.3:
            x.reshape(-1)[int(r.integers(0, x.size))] = int(
                r.choice([n, -n - 1 if d.kind == "i" else n, min(info.max, 2**63 - 1)])
            )
        self.array(x)

    def spoil(self):
        """Something that no array takes."""
        r = self.r
        at = int(r.integers(0, len(self.text) + 1))
        what = int(r.integers(0, 4))
        rows = [(Ellipsis, "..."), (Ellipsis, "...")] if what == 0 else [(slice(None), ":")] * (len(self.shape) + 1)
        if what == 2:
            rows = [(np.array([0.0, 1.0]), "floats")]
        elif what == 3:
            rows = [(np.zeros(7, "i8"), "seven"), (np.zeros(6, "i8"), "six")]
        for x, text in reversed(rows):
            self.numpy.insert(at, x)
            self.given.insert(at, self.report.array(x) if isinstance(x, np.ndarray) else x)
            self.text.insert(at, text)


# ------------------------------------------------------------------------------------------------ cases


class Case:
    def __init__(self, report, k):
        self.report, self.k = report, k
        self.r = r = np.random.default_rng([report.seed, k])
        deep = r.random() < 0.06
        shape = [int(n) for n in r.integers(0 if r.random() < 0.1 else 1, 6, r.integers(0, 6))]
        if deep:
            shape = [1] * int(r.integers(15, C.ARR_MAX_NDIM + 1))
            for d in r.permutation(len(shape))[:6]:
                shape[d] = 2
        self.shape = tuple(shape)
        self.name = str(r.choice(oracle.ALL)) if report.device == "host" else str(r.choice(["float32", "int32"]))
        self.view = View(r, self.shape, not deep, r.random() < 0.1)
        self.base = np.array(oracle.sample(self.view.base, self.name, k, "tame"))
        if report.device != "host":
            self.base[...] = np.round(self.base)  # sums in any order are equal
        self.mode = "raise" if r.random() < 0.75 else str(r.choice(["clip", "wrap"]))
        self.take("fuzz", Indices(report, r, self.shape, self.mode))

    def take(self, kind, index):
        """The index expression of the case, and how the case is named."""
        self.index, self.given = index, tuple(index.given)
        where = f"{self.name} {self.shape} {self.view.text()} {self.mode}"
        self.label = f"{kind} {self.k} {where} [{', '.join(index.text)}]"

    def run(self):
        """The places of the base that NumPy finds; reads and writes there."""
        numbers = np.arange(self.base.size).reshape(self.base.shape)
        try:
            self.selected = np.asarray(self.view.of(numbers)[tuple(self.index.numpy)])
        except (IndexError, ValueError) as e:  # ValueError: more than 64 dimensions
            return self.refused("", self.attempts(1), str(e))
        if self.selected.size == 0 and self.mode == "raise" and self.out_of_range():
            return None
        if self.selected.ndim > C.ARR_MAX_NDIM:
            return self.refused("", self.attempts(1), "too many dimensions", "dimensions")
        flat = self.base.reshape(-1)
        compare(
            self.report, f"{self.label} get", get(self.report, self.fresh(), self.given, self.mode), flat[self.selected]
        )
        if self.view.wide is not None:
            return self.refused("read-only", self.attempts(1)[1:], "broadcast", status=[C.ARR_E_READONLY])
        self.set()
        self.update()

    def out_of_range(self):
        """True if the library refuses an index that selects nothing, which NumPy does not check: differences.py."""
        try:
            get(self.report, self.fresh(), self.given, self.mode)
        except arrpy.Error as e:
            text = str(e)
            return e.status == C.ARR_E_ARGUMENT and (" along axis " in text or "no index is in bounds" in text)
        return False

    def fresh(self):
        self.device = self.report.array(self.base)
        return self.view.of(self.device)

    def attempts(self, x):
        report, given, mode = self.report, self.given, self.mode
        one = self.base.dtype.type(x)
        return [
            ("get", lambda a: get(report, a, given, mode)),
            ("set", lambda a: put_items(report, a, given, one, mode)),
            ("update", lambda a: update(report, "maximum", a, given, one, mode)),
        ]

    def refused(self, what, attempts, reason, text="", status=BAD):
        for name, attempt in attempts:
            a = self.fresh()
            try:
                made = attempt(a)
                if made is not None:
                    made.numpy()  # waits, and so tells
                self.report.check(f"{self.label} {name} {what} refused", False, f"accepted: {reason}")
            except arrpy.Error as e:
                good = e.status in status and text in str(e)
                self.report.check(f"{self.label} {name} {what} refused", good, f"{e}: {reason}")
            good = oracle.same(self.device.numpy(), self.base)
            self.report.check(f"{self.label} {name} {what} refused writes nothing", good)

    def values(self, d, low=-100, high=100):
        """An array of values that broadcasts to the places, or their only number."""
        r, shape = self.r, self.selected.shape
        small = tuple(1 if r.random() < 0.3 else n for n in shape[int(r.integers(0, len(shape) + 1)) :])
        if r.random() < 0.1 and len(shape) < 10:
            small = (1,) * (len(shape) - len(small) + 1) + small
        if d.kind in "iub":
            info = np.iinfo(d) if d.kind != "b" else np.iinfo("u1")
            x = r.integers(max(low, info.min), min(high, info.max), small)
        else:
            x = r.integers(low, high, small) + 0.5 * (self.report.device == "host")
        return np.array(x).astype(d)

    def set(self):
        d = self.base.dtype
        from_type = (
            d
            if self.r.random() < 0.7
            else np.dtype(str(self.r.choice(oracle.ALL[:-2])) if self.name != "bfloat16" else "float32")
        )
        x = self.values(from_type)
        write = [("set", lambda a: put_items(self.report, a, self.given, x, self.mode))]
        if self.r.random() < 0.06 and x.ndim:
            x = np.concatenate([x, x[:1], x[:1]])
            if x.shape[0] != 1 and not fits(x.shape, self.selected.shape):
                return self.refused(f"shape {x.shape}", write, "values of another shape")
        if from_type != d and not same_kind(from_type, d):
            return self.refused(f"from {from_type}", write, "another kind", status=[C.ARR_E_DTYPE])
        want = self.base.copy()
        want.reshape(-1)[self.selected.reshape(-1)] = spread(x, self.selected.shape).reshape(-1).astype(d)
        self.same("set", write[0][1], want, x)

    def update(self):
        d = self.base.dtype
        name = str(self.r.choice(OPS if self.report.device == "host" else ["add", "maximum"]))
        x = self.values(d, 0, 4)
        operand = [] if name == "negative" else [x]
        if self.name in ("bfloat16", "float16") and name not in ("maximum", "minimum"):
            return  # scatter.py has these, whose every sum is rounded
        want = self.base.copy()
        at = (self.selected.reshape(-1), *(spread(v, self.selected.shape).reshape(-1) for v in operand))
        write = [
            ("update", lambda a: update(self.report, name, a, self.given, operand[0] if operand else None, self.mode))
        ]
        try:
            getattr(np, name).at(want.reshape(-1), *at)
        except TypeError as e:
            return self.refused(name, write, str(e), status=[C.ARR_E_DTYPE])
        self.same(name, write[0][1], want, x)

    def same(self, what, write, want, x):
        a = self.fresh()
        label = f"{self.label} {what} {x.dtype}{x.shape}"
        try:
            write(a)
        except arrpy.Error as e:
            return self.report.check(label, False, str(e))
        compare(self.report, label, self.device, want)


def same_kind(one, other):
    """NumPy's rule; it takes no brain float for a float."""
    one, other = (np.dtype("float32") if d.kind == "V" else d for d in (one, other))
    return np.can_cast(one, other, "same_kind")


def fits(shape, into):
    try:
        return np.broadcast_shapes(shape, into) == tuple(into)
    except ValueError:
        return False


def spread(x, shape):
    """The values at every place; leading axes of one are no more than that."""
    while x.ndim > len(shape):
        x = x[0]
    return np.broadcast_to(x, shape)


def fuzz(report):
    number = HOST * (WHOLE if report.whole else 1) if report.device == "host" else CUDA
    for k in range(number):
        if report.wants(f"fuzz {k} "):
            case = Case(report, k)
            try:
                case.run()
            except arrpy.Error as e:
                report.check(case.label, False, f"refused: {e}")


def main():
    report = oracle.Report(__doc__)
    fuzz(report)
    report.finish()


if __name__ == "__main__":
    main()
