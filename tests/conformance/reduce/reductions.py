#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every reduction x dtype x axes x layout x keepdims against NumPy 2; and matrix products.

--one-in N takes every N-th of the reductions, from where ARR_TEST_SEED says; ARR_TEST_WHOLE=1 takes all.
"""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

NAMES = ["sum", "prod", "min", "max", "mean", "any", "all", "argmin", "argmax"]
SHAPES = [(3, 4, 5), (1, 7, 1), (2, 0, 3), (33, 65), (1025,), (2, 3, 2, 2), ()]
DOMAIN_ORDERED = "BIUF"


def views(shape):
    """(label, shape of the base, view of a base)."""
    yield "C", shape, lambda a: a
    if len(shape) > 1:
        yield "F", shape[::-1], lambda a: a.T
        yield "step", tuple(2 * n for n in shape), lambda a: a[tuple(slice(None, None, 2) for _ in shape)]
        yield "reverse", shape, lambda a: a[tuple(slice(None, None, -1) for _ in shape)]
        yield "swapped", (shape[1], shape[0], *shape[2:]), lambda a: a.transpose(1, 0, *range(2, len(shape)))
    elif shape:
        yield "step", (2 * shape[0],), lambda a: a[::2]


def axes_of(ndim):
    for n in range(ndim + 1):
        yield from itertools.combinations(range(ndim), n)


def numpy_reduce(name, x, axes, keepdims):
    """NumPy's result, argmin and argmax over several axes by position in row-major order of these."""
    if name in ("argmin", "argmax"):
        if len(axes) == 0:
            return np.zeros(x.shape, "i8")
        kept = [i for i in range(x.ndim) if i not in axes]
        count = int(np.prod([x.shape[i] for i in axes]))
        if count == 0:
            raise ValueError("empty")
        flat = x.transpose(*kept, *axes).reshape(*(x.shape[i] for i in kept), count)
        out = getattr(np, name)(flat, axis=-1)
        return np.expand_dims(out, axes) if keepdims else out
    if x.dtype == oracle.bfloat16:
        return halves(name, x, axes, keepdims)
    if x.dtype == np.float16 and name in ("sum", "prod", "mean"):
        return halves(name, x, axes, keepdims)
    return getattr(np, name)(x, axis=axes, keepdims=keepdims)


def halves(name, x, axes, keepdims):
    """16-bit floats accumulate in float32."""
    out = np.asarray(getattr(np, name)(x.astype("f4"), axis=axes, keepdims=keepdims))
    return out if out.dtype == bool else out.astype(x.dtype)


def agrees(name, x, got, want):
    """Equal; sums and products of floats within the error that summing in another order makes."""
    want = np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if name not in ("sum", "prod", "mean") or x.dtype.kind in "biu" and name != "mean":
        # 0.0 and -0.0 are equal: which of them a minimum meets first is a matter of order.
        return oracle.same(got + got.dtype.type(0), want + want.dtype.type(0))
    a, b = (v.astype("c16" if v.dtype.kind == "c" else "f8") for v in (got, want))
    eps = 2.0**-7 if x.dtype == oracle.bfloat16 else np.finfo(x.dtype if x.dtype.kind in "fc" else "f8").eps
    size = np.sum(np.abs(x.astype("c16" if x.dtype.kind == "c" else "f8"))) if name != "prod" else np.abs(b)
    n = max(x.size, 1)
    bad = ~(np.abs(a - b) <= 4 * eps * (size / (n if name == "mean" else 1) + np.abs(b)) * (n if name == "prod" else 8))
    # A product that underflows on its way depends on the order altogether.
    tiny = np.finfo("f4" if x.dtype.itemsize < 8 or x.dtype == "c8" else "f8").tiny
    bad &= ~((a == b) | (np.isnan(a) & np.isnan(b)) | ((np.abs(a) < 1e3 * tiny) & (np.abs(b) < 1e3 * tiny)))
    # An infinity meets nan in another order of a complex product, or overflows a step earlier.
    return not np.any(bad & np.isfinite(b))


def data(d, shape, name, seed):
    x = oracle.sample(shape, d, seed, "tame" if name in ("sum", "prod", "mean") else None)
    if name == "prod":
        x = (np.abs(x.astype("f8")) % 3).astype(x.dtype) if x.dtype.kind in "iuf" else x
    if d in oracle.COMPLEX and name in ("min", "max", "argmin", "argmax"):
        x = np.round(x)
    return x


def reduction_case(report, name, d, shape, layout, base, view, axes, keepdims, seed):
    label = f"{name} {d} {shape} {layout} axes {axes} keepdims {keepdims}"
    b = data(d, base, name, seed)
    x, dev = view(b), view(report.array(b))
    try:
        want = np.asarray(numpy_reduce(name, x, axes, keepdims))
    except ValueError:
        good = oracle.raises(arrpy.c.ARR_E_SHAPE, lambda: arrpy.reduce(name, dev, axes, keepdims))
        return report.check(label + " refused", good)
    got = arrpy.reduce(name, dev, axes, keepdims).numpy()
    report.check(
        label,
        agrees(name, x, got, want),
        f"{got.dtype}{got.shape} {got.ravel()[:4]}, NumPy {want.dtype} {want.ravel()[:4]}",
    )


def reductions(report):
    cases = itertools.count()
    for number, name in enumerate(NAMES):
        for d in oracle.ALL:
            if not report.wants(f"{name} {d}"):
                continue
            for shape in SHAPES:
                for k, (layout, base, view) in enumerate(views(shape)):
                    for axes in axes_of(len(shape)):
                        if report.sampled(next(cases)):
                            reduction_case(
                                report, name, d, shape, layout, base, view, axes, k % 2 == 1, 100 * number + k
                            )
            x = oracle.sample((6, 7), d, number, "tame")
            into = report.array(np.zeros(7, arrpy.reduce(name, report.array(x), 0).dtype))
            arrpy.reduce(name, report.array(x), 0, out=into)
            report.check(f"{name} {d} into", agrees(name, x, into.numpy(), numpy_reduce(name, x, (0,), False)))


def big(report):
    """Long reductions stay accurate and give the same bits each time."""
    x = np.random.default_rng(0).random(3_000_001).astype("f4")
    dev = report.array(x)
    first = arrpy.reduce("sum", dev).item()
    exact = x.astype("f8").sum()
    report.check("sum float32 of 3e6: accuracy", abs(first - exact) <= 1e-6 * exact, f"{first} {exact}")
    report.check("sum float32 of 3e6: same bits", all(arrpy.reduce("sum", dev).item() == first for _ in range(5)))
    y = np.zeros((1000, 3000), "f4")
    y[:, 1234] = 1
    y[77, 5] = np.nan
    at = arrpy.reduce("argmax", report.array(y), 1).numpy()
    report.check("argmax finds nan first", at[77] == 5 and (np.delete(at, 77) == 1234).all())


def products(report):
    cases = [
        ((3, 4), (4, 5)),
        ((1, 1), (1, 1)),
        ((65, 33), (33, 17)),
        ((4,), (4,)),
        ((4,), (4, 3)),
        ((2, 4), (4,)),
        ((5, 2, 3), (5, 3, 2)),
        ((2, 1, 3, 4), (6, 4, 2)),
        ((0, 3), (3, 2)),
        ((2, 0), (0, 3)),
        ((3, 2, 0), (0, 4)),
    ]
    for number, (d, (sa, sb), fa, fb) in enumerate(itertools.product(oracle.ALL, cases, (False, True), (False, True))):
        if not report.wants(f"matmul {d}") or not report.sampled(number):
            continue
        r = np.random.default_rng(4)

        def operand(shape, flip):
            full = [2 * n for n in shape] if flip else list(shape)
            v = r.integers(-3, 4, full)
            v = (v + 1j * r.integers(-3, 4, full)) if d in oracle.COMPLEX else v
            v = np.abs(v) if d in oracle.UNSIGNED else v
            v = v.astype(oracle.dtype(d))
            dev = report.array(v)
            if flip:  # every second element, and the matrices transposed in memory
                index = tuple(slice(None, None, 2) for _ in shape)
                return v[index], dev[index]
            if len(shape) > 1:
                order = (*range(len(shape) - 2), len(shape) - 1, len(shape) - 2)
                back = np.ascontiguousarray(v.transpose(order))
                return back.transpose(order), report.array(back).transpose(*order)
            return v, dev

        (a, da), (b, db) = operand(sa, fa), operand(sb, fb)
        wide = "c16" if d in oracle.COMPLEX else "f8"
        want = np.asarray(a.astype(wide) @ b.astype(wide)).astype(oracle.dtype(d)) if d != "bool" else np.asarray(a @ b)
        got = arrpy.matmul(da, db).numpy()
        report.check(
            f"matmul {d} {sa} {sb} {fa} {fb}", oracle.same(got + 0, want + 0), f"{got.ravel()[:3]} {want.ravel()[:3]}"
        )
        into = report.array(np.zeros(want.shape, want.dtype))
        arrpy.matmul(da, db, out=into)
        report.check(f"matmul {d} {sa} {sb} {fa} {fb} into", oracle.same(into.numpy() + 0, want + 0))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    reductions(r)
    if r.wants("big"):
        big(r)
    products(r)
    r.finish()
