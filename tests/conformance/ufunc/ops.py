#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every element-wise op x dtype x layout x {new, into, in place} against NumPy 2.

Rows with ulp limit 0 must agree in every bit; the others within their limit of a higher-precision value. On the
host every row meets some layouts and a few rows all; on CUDA, where each kind of layout is a kernel to compile,
every row meets contiguous operands, and the few rows and a turning choice of the others the rest. ARR_TEST_SEED=7
turns the choice (any number); ARR_TEST_WHOLE=1 takes everything.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from references import EXACT, adjust, outside_reference, reference, scale

ROOT = pathlib.Path(__file__).resolve().parents[3]
TABLE = ROOT / "core" / "table" / "ops.def"
# These meet every layout.
EVERYWHERE = {
    ("add", "float32"),
    ("where", "int16"),
    ("sqrt", "complex64"),
    ("equal", "float16"),
    ("floor_divide", "int64"),
    ("ldexp", "float64"),
    ("nextafter", "bfloat16"),
    ("bitwise_count", "uint64"),
    ("absolute", "complex128"),
    ("logical_xor", "bool"),
}
CASES = [(shape, k) for shape in oracle.SHAPES for k in range(6)]


class Row:
    def __init__(self, name, nin, first, out, domain, lift, u32, u64):
        self.name, self.nin, self.inputs, self.out, self.domain, self.lift = name, int(nin), first, out, domain, lift
        self.u32, self.u64 = int(u32), int(u64)
        self.exact = self.u32 == 0 and self.u64 == 0

    def dtype(self, k, d):
        """The dtype of operand k where the others have d."""
        if self.inputs == "COND" and k == 0:
            return "bool"
        return "int64" if self.inputs == "INT64" and k == self.nin - 1 else d

    def limit(self, result):
        return self.u64 if result in (np.float64, np.complex128) else self.u32


def rows():
    for line in TABLE.read_text().splitlines():
        m = re.match(r"ARR_OP\(\d+, (\w+), (\d), (\w+), (\w+), (\w+), (\w+), (\d+), (\d+),", line)
        if m:
            yield Row(*m.groups())


def operands(row, d, shape, seed):
    out = [oracle.sample(shape, row.dtype(k, d), seed + k) for k in range(row.nin)]
    return adjust(row.name, d, out)


def widened(args, wide):
    return [a if a.dtype.kind in "biu" else a.astype(wide) for a in args]


def expected(row, d, args):
    """NumPy's result; 16-bit floats are computed in float32 and rounded once, but by ops on their bits."""
    if row.lift == "WIDE":
        return reference(row.name, widened(args, "c16" if oracle.kind(d) == "C" else "f8"))
    if d not in ("float16", "bfloat16") or row.inputs == "OWN":
        return reference(row.name, args)
    out = reference(row.name, widened(args, "f4"))
    return out.astype(oracle.dtype(d)) if out.dtype == np.float32 else out


def same_parts(a, b):
    """True where two complex arrays are equal, nan parts included."""
    return ((a.real == b.real) | (np.isnan(a.real) & np.isnan(b.real))) & (
        (a.imag == b.imag) | (np.isnan(a.imag) & np.isnan(b.imag))
    )


def complex_errors(row, args, got, want, limit):
    exact = reference(
        row.name, [a if a.dtype == bool else a.astype("c16" if want.dtype == np.complex64 else "G") for a in args]
    )
    size, info = np.abs(exact.astype("G")), np.finfo(want.dtype)
    # Raising to a power multiplies the logarithm, and its rounding error with it.
    grows = 1 + np.abs(args[1] * np.log(args[0])) if row.name in ("power", "float_power") else 1
    if row.name == "exp2":  # an angle of that many turns is known to two words
        grows = 1 + np.abs(args[0].imag) * info.eps
    if row.name == "sinc":  # so does the rounding of pi z in the exponential of its imaginary part
        grows = 1 + np.pi * np.abs(args[0].imag)
    bound = 4 * limit * info.eps * np.maximum(size, info.tiny) * np.where(np.isfinite(grows), grows, 1)
    beyond = ~np.isfinite(exact) | (size > info.max / 2)
    return (np.abs(got.astype("G") - exact) <= bound) | beyond | same_parts(got, want), exact


def real_errors(row, d, args, got, want, limit):
    wide = "g" if want.dtype == np.float64 else "f8"
    wide = {"f8": "c16", "g": "G"}[wide] if any(a.dtype.kind == "c" for a in args) else wide
    args = [a if a.dtype == bool else a.astype(wide) for a in args]
    exact = reference(row.name, args)
    # A 16-bit result may also be off by the rounding of what was computed in float32.
    slack = 0.51 if d not in ("float16", "bfloat16") else 0.51 + limit / 256
    distance = oracle.ulps(got, exact, want.dtype, scale(row.name, args, exact))
    zero = (want == 0) & (got == 0) & (np.signbit(got) != np.signbit(want)) if row.nin == 1 else want != want
    zero &= row.nin == 1 and row.name not in EXACT
    unknown = outside_reference(row.name, args, exact)
    distance = np.where(unknown, 0, distance)
    return (
        (distance <= (limit if limit else 0.5) + slack) & ~(zero & ~unknown),
        exact,
        float(np.max(distance, initial=0)),
    )


def compare(report, label, row, d, args, got, want):
    if got.dtype != want.dtype or got.shape != want.shape:
        return report.check(label, False, f"{got.dtype}{got.shape}, expected {want.dtype}{want.shape}")
    worst, limit = "", row.limit(want.dtype)
    if want.dtype.kind == "c" and (not row.exact or row.name in ("multiply", "divide", "square", "sign", "reciprocal")):
        fine, exact = complex_errors(row, args, got, want, limit or 4)
    elif row.exact or want.dtype.kind in "biu":
        fine, exact = (got == want) | ((got != got) & (want != want)), want
        if row.nin == 1 and want.dtype.kind in "fV":
            fine &= (np.signbit(got.astype("f4")) == np.signbit(want.astype("f4"))) | (want != want)
        if row.name == "spacing" and d == "bfloat16":  # of zero and of the largest number ml_dtypes has other ideas
            fine |= (args[0] == 0) | np.isinf(got)
    else:
        fine, exact, worst = real_errors(row, d, args, got, want, limit)
        worst = f"worst {worst:.3g} ulp; "
    if np.all(fine):
        return report.check(label, True)
    at = tuple(np.argwhere(~fine)[0])
    report.check(
        label,
        False,
        f"{worst}at {at}: {[np.broadcast_to(a, got.shape)[at] for a in args]} gives {got[at]}, expected "
        f"{exact[at]}, NumPy {want[at]}",
    )


def run_case(report, row, d, shape, layout, base_shape, view, seed):
    label = f"{row.name} {d} {shape} {layout}"
    bases = operands(row, d, base_shape, seed)
    args = [view(b) for b in bases]
    devices = [report.array(b) for b in bases]
    views = [view(b) for b in devices]
    want = expected(row, d, args)
    compare(report, label, row, d, args, arrpy.apply(row.name, *views).numpy(), want)
    for b, dev in zip(bases, devices):
        report.check(label + " inputs untouched", np.array_equal(dev.numpy().view("u1"), b.view("u1")))
    # Into a window of a larger array: nothing around it may change.
    guard = np.full((base_shape[0] + 2, base_shape[1] + 4), 1, dtype=want.dtype)
    target = report.array(guard)
    window = view(target[1:-1, 2:-2])
    arrpy.apply(row.name, *views, out=window)
    after = target.numpy()
    compare(report, label + " into", row, d, args, view(after[1:-1, 2:-2]).copy(), want)
    view(after[1:-1, 2:-2])[...] = 1
    report.check(label + " into: sentinels", np.array_equal(after, guard))
    # In place, exactly and shifted by one row (overlap).
    if want.dtype == args[0].dtype:
        arrpy.apply(row.name, *views, out=views[0])
        compare(report, label + " in place", row, d, args, views[0].numpy(), want)
    if shape == (65, 70) and want.dtype == args[0].dtype:
        fresh = report.array(bases[0])
        source, sink = view(fresh)[:-1], view(fresh)[1:]
        arrpy.apply(row.name, source, *(o[:-1] for o in views[1:]), out=sink)
        compare(report, label + " overlapping", row, d, [a[:-1] for a in args], sink.numpy(), want[:-1])


def contiguous_case(report, row, d, label, args):
    """One new array, and in place where the type allows: one kernel."""
    want = expected(row, d, args)
    devices = [report.array(a) for a in args]
    compare(report, f"{row.name} {d} {label}", row, d, args, arrpy.apply(row.name, *devices).numpy(), want)
    if want.dtype == args[0].dtype:
        arrpy.apply(row.name, *devices, out=devices[0])
        compare(report, f"{row.name} {d} {label} in place", row, d, args, devices[0].numpy(), want)


def broadcast_case(report, row, d, seed):
    shapes = [(4, 1, 6), (5, 1), (6,)][: row.nin] if row.nin > 1 else [(4, 6)]
    args = [np.resize(a, s) for a, s in zip(operands(row, d, (8, 8), seed), shapes)]
    got = arrpy.apply(row.name, *(report.array(a) for a in args)).numpy()
    compare(report, f"{row.name} {d} broadcast", row, d, np.broadcast_arrays(*args), got, expected(row, d, args))
    args = [np.resize(a, ()) for a in args]
    got = arrpy.apply(row.name, *(report.array(a) for a in args)).numpy()
    compare(report, f"{row.name} {d} 0-d", row, d, args, got, expected(row, d, args))


def number_case(report, row, d, seed):
    """A number as the last operand: a new array and a destination have the same bits, and so has a destination that is the first
    operand."""
    args = operands(row, d, (5, 6), seed)
    if row.nin < 2 or args[-1].dtype != args[0].dtype:
        return
    last = args[-1].flat[0].item()
    devices = [report.array(a) for a in args[:-1]]
    made = arrpy.apply(row.name, *devices, last)
    dst = report.array(np.zeros_like(made.numpy()))
    arrpy.apply(row.name, *devices, last, out=dst)
    report.check(f"{row.name} {d} number into", oracle.same(dst.numpy(), made.numpy()), "differs from a new array")
    if made.dtype == devices[0].dtype:
        arrpy.apply(row.name, *devices, last, out=devices[0])
        report.check(f"{row.name} {d} number in place", oracle.same(devices[0].numpy(), made.numpy()), "differs")


def noise(d, count, seed):
    """Floats of every size: random bits."""
    r, t = np.random.default_rng(seed), oracle.dtype(d)
    return r.integers(0, 256, count * t.itemsize, dtype="u1").view(t)


def complex_specials(report, row, d):
    """Signed zeros on branch cuts, infinities and nan in either part of every operand: NumPy's results, each part by
    itself."""
    part = np.array(COMPLEX_PARTS, dtype="f4" if d == "complex64" else "f8")
    grid = np.array([complex(a, b) for a in part for b in part], dtype=d)
    args = [np.ascontiguousarray(a.reshape(-1)) for a in np.meshgrid(*[grid] * row.nin, indexing="ij")]
    want, got = expected(row, d, args), arrpy.apply(row.name, *map(report.array, args)).numpy()
    if row.name in ("sinc", "reciprocal"):  # quotients by infinities follow the formula of the division
        keep = np.isfinite(want)
        args, want, got = [a[keep] for a in args], want[keep], got[keep]
    bad = got != want if want.dtype == bool else unlike_parts(row, d, got, want)
    if row.name in ("multiply", "divide", "square", "power", "float_power"):
        # NumPy's nan in both parts, where C99's Annex G has infinities and zeros: domains.py asks for those.
        finite = np.all([np.isfinite(a) for a in args], axis=0)
        bad &= ~(np.isnan(want.real) & np.isnan(want.imag)) & ~(finite & np.isnan(want))
    detail = "; ".join(f"{[a[i] for a in args]} gives {got[i]}, NumPy {want[i]}" for i in np.flatnonzero(bad)[:4])
    report.check(f"{row.name} {d} specials", not bad.any(), f"{bad.sum()} of {bad.size}: {detail}")


def unlike_parts(row, d, got, want):
    size = np.abs(np.where(np.isfinite(want), want, 0))
    bad = np.zeros(got.shape, bool)
    for g, w, other in ((got.real, want.real, want.imag), (got.imag, want.imag, want.real)):
        near = np.abs(g - w) <= 64 * np.finfo(d).eps * size
        # The sign of a zero or infinity beside a nan is not specified.
        signs = (np.signbit(g) == np.signbit(w)) | np.isnan(other) | (near & (w != 0)) | (row.name == "sinc")
        same = (np.isnan(g) & np.isnan(w)) | ((near | (g == w) | (np.isinf(g) & np.isinf(w))) & signs)
        bad |= ~same
    return bad


COMPLEX_PARTS = [0.0, -0.0, 1, -1, 0.5, -2, 1e-30, 3e4, -3e4, np.inf, -np.inf, np.nan]


def every_value(report, row, d):
    """Unary: all values of 16-bit types. Binary: every special value with every other one."""
    if oracle.kind(d) == "F" and oracle.dtype(d).itemsize > 2 and row.inputs != "INT64":
        contiguous_case(
            report,
            row,
            d,
            "noise",
            [noise(d, 300 if row.name in EXACT and d == "float64" else 20000, k) for k in range(row.nin)],
        )
    if oracle.kind(d) == "C" and (row.out in ("SAME", "REAL") if row.nin == 1 else row.nin == 2):
        complex_specials(report, row, d)
    if row.nin == 1 and oracle.dtype(d).itemsize == 2:
        contiguous_case(report, row, d, "every value", [np.arange(65536, dtype="u2").view(oracle.dtype(d))])
    if row.nin == 2 and oracle.kind(d) == "F":
        pairs = np.meshgrid(oracle.specials(d), oracle.specials(row.dtype(1, d)), indexing="ij")
        contiguous_case(report, row, d, "special pairs", adjust(row.name, d, [np.ascontiguousarray(p) for p in pairs]))


def outside_domain(report, row, d):
    args = [np.ones(2, oracle.dtype(row.dtype(k, d))) for k in range(row.nin)]
    devices = [report.array(a) for a in args]
    try:
        want = None if d == "bfloat16" else reference(row.name, args).dtype
    except TypeError:
        want = None
    if row.name in EXACT:  # SciPy takes small integers to float32, and some functions complex numbers
        want = np.dtype("f8") if oracle.kind(d) in "BIU" else None
    if row.lift == "NONE" or want is None:
        return report.check(
            f"{row.name} {d} refused", oracle.raises(arrpy.c.ARR_E_DTYPE, lambda: arrpy.apply(row.name, *devices))
        )
    got = arrpy.apply(row.name, *devices).dtype
    report.check(f"{row.name} {d} lifted", got == want, f"to {got}, NumPy {want}")


def row_cases(report, number, row):
    host = report.device == "host"
    for index, d in enumerate(oracle.ALL):
        if not report.wants(f"{row.name} {d}"):
            continue
        if oracle.kind(d) not in row.domain:
            if host:
                outside_domain(report, row, d)
            continue
        turn, seed = number * 7 + index + report.seed, 1000 * number
        shape = (13, 17) if row.name in EXACT and d == "float64" else (65, 70)  # mpmath takes its time
        contiguous_case(report, row, d, "contiguous", operands(row, d, shape, seed))
        number_case(report, row, d, seed)
        every_value(report, row, d)
        everywhere = report.whole or (row.name, d) in EVERYWHERE
        if everywhere or turn % (1 if host else 16) == 0:
            broadcast_case(report, row, d, number)
        for shape, k in cases_of(row, d, turn, everywhere, host):
            layout, base, view = list(oracle.layouts_of(shape))[k]
            run_case(report, row, d, shape, layout, base, view, seed + k)


def cases_of(row, d, turn, everywhere, host):
    slow = row.name in EXACT and d == "float64"
    if everywhere:
        return [c for c in CASES if not slow or c[0][0] * c[0][1] < 1000]
    if host:
        chosen = [CASES[(turn * 5 + i * 11) % len(CASES)] for i in range(5)]
        return [c for c in chosen if not slow or c[0][1] < 70]
    return [CASES[turn * 5 % len(CASES)]] if turn % 16 == 5 else []


def main():
    report = oracle.Report(__doc__)
    for number, row in enumerate(rows()):
        if report.mine(number):
            row_cases(report, number, row)
    report.finish()


if __name__ == "__main__":
    main()
