#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every element-wise op x dtype x layout x {new, into, in place} against NumPy 2.

Rows with ulp limit 0 must agree in every bit; the others within their limit of a higher-precision value.
"""
import pathlib

import numpy as np

import oracle
from oracle import arrpy

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = ROOT / "core" / "table" / "ops.def"
WIDE = {"float16": "f8", "bfloat16": "f8", "float32": "f8", "float64": "g", "complex64": "c16", "complex128": "G"}


def rows():
    """(name, nin, domain, lift, ulp32, ulp64) of the table."""
    import re
    for line in TABLE.read_text().splitlines():
        m = re.match(r"ARR_OP\(\d+, (\w+), (\d), (\w+), (\w+), (\w+), (\w+), (\d+), (\d+),", line)
        if m:
            name, nin, first, out, domain, lift, u32, u64 = m.groups()
            yield name, int(nin), first, out, domain, lift, int(u32), int(u64)


def reference(name, args):
    f = {"where": np.where, "clip": lambda x, lo, hi: np.minimum(np.maximum(x, lo), hi), "real": np.real,
         "imag": np.imag}.get(name) or getattr(np, name)
    return np.asarray(f(*args))


def computed_in_float(name, args, row):
    """bfloat16 (and float16): computed in float32 and rounded once."""
    half = args[-1].dtype
    wide = [a if a.dtype == bool else a.astype("f4") for a in args]
    out = reference(name, wide)
    return out if out.dtype == bool else out.astype(half)


def operands(row, d, shape, seed):
    name, nin, first = row[:3]
    # Integers to negative powers are an error in NumPy, and large ones overflow all the same.
    out = [oracle.sample(shape, d, seed + k) for k in range(nin)]
    if first == "COND":
        out[0] = oracle.sample(shape, "bool", seed)
    if oracle.kind(d) in "IU":
        if name == "power":
            out[1] = np.abs(out[1] % 7).astype(out[1].dtype)
        if name.endswith("_shift"):
            out[1] = np.abs(out[1] % 80).astype(out[1].dtype)
    return out


def expected(row, d, args):
    """The exact result, or a wide one and the dtype it is to be rounded to."""
    name = row[0]
    if d in ("float16", "bfloat16"):
        return computed_in_float(name, args, row)
    return reference(name, args)


def same_parts(a, b):
    """Where two complex arrays are equal, nan parts included."""
    return (((a.real == b.real) | (np.isnan(a.real) & np.isnan(b.real))) &
            ((a.imag == b.imag) | (np.isnan(a.imag) & np.isnan(b.imag))))


def wide_enough(row, d, args, got, want):
    """Whether an op with an ulp limit is within it."""
    name = row[0]
    limit = row[7] if d in ("float64", "complex128") else row[6]
    wide = WIDE.get(d)
    if wide is None:
        wide = "G" if oracle.kind(d) == "C" else "g"
    exact = reference(name, [a if a.dtype == bool else a.astype(wide) for a in args])
    if oracle.kind(d) == "C":
        scale = np.abs(exact.astype("G"))
        unit = np.finfo(want.dtype).eps
        error = np.abs(got.astype("G") - exact)
        # Raising to a power multiplies the logarithm, and its rounding error with it.
        grows = 1 + np.abs(args[1] * np.log(args[0])) if name == "power" else 1
        bound = 4 * limit * unit * np.maximum(scale, np.finfo(want.dtype).tiny) * np.where(np.isfinite(grows), grows, 1)
        beyond = ~np.isfinite(exact) | (scale > np.finfo(want.dtype).max / 2)
        fine = (error <= bound) | beyond | same_parts(got, want)
        at = tuple(np.argwhere(~fine)[0]) if not np.all(fine) else None
        return bool(np.all(fine)), "" if at is None else f"{[a[at] for a in args]} gives {got[at]}, exact {exact[at]}"
    # A 16-bit result may also be off by the rounding of what was computed in float32.
    slack = 0.51 if d not in ("float16", "bfloat16") else 0.51 + limit / 256
    distance = oracle.ulps(got, exact, want.dtype)
    return bool(np.all(distance <= (limit if limit else 0.5) + slack)), f"worst {float(np.max(distance, initial=0)):.3g} ulp"


def compare(report, label, row, d, args, got, want):
    if got.dtype != want.dtype or got.shape != want.shape:
        return report.check(label, False, f"{got.dtype}{got.shape}, expected {want.dtype}{want.shape}")
    if (row[6], row[7]) == (0, 0) or oracle.kind(d) not in "FC":
        bad = ~((got == want) | ((got != got) & (want != want)))
        if oracle.kind(d) == "C" and row[0] in ("multiply", "divide", "square", "sign"):
            fine, worst = wide_enough((row[0], *row[1:6], 4, 4), d, args, got, want)
            return report.check(label, fine, worst)
        detail = ""
        if bad.any():
            at = tuple(np.argwhere(bad)[0])
            detail = f"at {at}: {[a[at] if a.ndim else a for a in args]} gives {got[at]}, NumPy {want[at]}"
        return report.check(label, not bad.any(), detail)
    fine, worst = wide_enough(row, d, args, got, want)
    report.check(label, fine, worst)


def run_case(report, row, d, shape, layout, base_shape, view, seed):
    name, nin = row[:2]
    label = f"{name} {d} {shape} {layout}"
    bases = operands(row, d, base_shape, seed)
    args = [view(b) for b in bases]
    devices = [report.array(b) for b in bases]
    views = [view(b) for b in devices]
    want = expected(row, d, args)
    compare(report, label, row, d, args, arrpy.apply(name, *views).numpy(), want)
    for b, dev in zip(bases, devices):
        report.check(label + " inputs untouched", np.array_equal(dev.numpy().view("u1"), b.view("u1")))
    # Into a window of a larger array: nothing around it may change.
    guard = np.full((base_shape[0] + 2, base_shape[1] + 4), 1, dtype=want.dtype)
    target = report.array(guard)
    window = view(target[1:-1, 2:-2])
    arrpy.apply(name, *views, out=window)
    after = target.numpy()
    inner = view(after[1:-1, 2:-2]).copy()
    compare(report, label + " into", row, d, args, inner, want)
    view(after[1:-1, 2:-2])[...] = 1
    report.check(label + " into: sentinels", np.array_equal(after, guard))
    # In place, exactly and shifted by one row (overlap).
    if want.dtype == args[-1].dtype and row[2] != "COND":
        arrpy.apply(name, *views, out=views[0])
        compare(report, label + " in place", row, d, args, views[0].numpy(), want)
    if shape == (65, 70) and want.dtype == args[0].dtype and row[2] != "COND":
        fresh = report.array(bases[0])
        others = views[1:]
        source, sink = view(fresh)[:-1], view(fresh)[1:]
        arrpy.apply(name, source, *(o[:-1] for o in others), out=sink)
        compare(report, label + " overlapping", row, d, [a[:-1] for a in args], sink.numpy(), want[:-1])


def broadcast_case(report, row, d, seed):
    name, nin = row[:2]
    shapes = [(4, 1, 6), (5, 1), (6,)][:nin] if nin > 1 else [(4, 6)]
    args = operands(row, d, (8, 8), seed)
    args = [np.resize(a, s) for a, s in zip(args, shapes)]
    want = expected(row, d, args)
    got = arrpy.apply(name, *(report.array(a) for a in args)).numpy()
    compare(report, f"{name} {d} broadcast", row, d, np.broadcast_arrays(*args), got, want)
    args = [np.resize(a, ()) for a in args]
    want = expected(row, d, args)
    got = arrpy.apply(name, *(report.array(a) for a in args)).numpy()
    compare(report, f"{name} {d} 0-d", row, d, args, got, want)


def numpy_type(name, nin, first, d):
    """The result dtype by NumPy, or None where it has no such op."""
    args = [np.ones(2, oracle.dtype(d)) for _ in range(nin)]
    if first == "COND":
        args[0] = args[0].astype(bool)
    try:
        return reference(name, args).dtype
    except TypeError:
        return None


def main():
    report = oracle.Report(__doc__)
    for number, row in enumerate(rows()):
        name, nin, first, out, domain, lift, *_ = row
        for d in oracle.ALL:
            if not report.wants(f"{name} {d}"):
                continue
            if oracle.kind(d) not in domain:
                want = None if d == "bfloat16" else numpy_type(name, nin, first, d)
                args = [report.array(np.ones(2, "bool" if first == "COND" and k == 0 else oracle.dtype(d)))
                        for k in range(nin)]
                if lift == "NONE" or want is None:
                    report.check(f"{name} {d} refused", oracle.raises(arrpy.c.ARR_E_DTYPE, lambda: arrpy.apply(name, *args)))
                else:
                    report.check(f"{name} {d} lifted", arrpy.apply(name, *args).dtype == want)
                continue
            for shape in oracle.SHAPES:
                for k, (layout, base, view) in enumerate(oracle.layouts_of(shape)):
                    run_case(report, row, d, shape, layout, base, view, 1000 * number + k)
            broadcast_case(report, row, d, number)
    report.finish()


if __name__ == "__main__":
    main()
