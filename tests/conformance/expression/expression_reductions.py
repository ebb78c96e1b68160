#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reductions and scans of expressions in one pass, with their options, descriptions and generated texts: against
NumPy, and against the same of the computed array."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from expressions import close
from oracle import arrpy
import arrexpr


def reductions(report):
    few = report.device != "host"
    for shapes in (
        [((5, 6, 7), (6, 1)), ((300, 200), (200,))]
        if few
        else [((5, 6, 7), (6, 1)), ((300, 200), (200,)), ((0, 4), (4,)), ((1025,), ()), ((2, 3, 4, 5), (3, 1, 5))]
    ):
        a, b = (oracle.sample(s, "float32", k, "tame") for k, s in enumerate(shapes))
        for text, f in (
            [("a*b", np.multiply)]
            if few
            else [("a*b", np.multiply), ("(a - b)**2", lambda x, y: (x - y) ** 2), ("a > b", np.greater)]
        ):
            whole = np.asarray(f(a, b))
            e = arrexpr.parse(text)
            for name in ("sum", "argmax") if few else ("sum", "max", "mean", "any", "argmin", "prod"):
                for axis in (None, 0, (0, 1) if whole.ndim > 1 else 0, -1):
                    for view in (lambda x: x,) if few else (lambda x: x, lambda x: x[::-1] if x.ndim else x):
                        label = f"{name} of {text} {shapes} axis {axis}"
                        x, y = view(report.array(a)), report.array(b)
                        values = np.asarray(f(view(a), b))
                        if values.size == 0 and axis != -1 and name in ("max", "argmin", "argmax"):
                            report.check(
                                label + " refused",
                                oracle.raises(arrpy.c.ARR_E_SHAPE, lambda: e.reduce(name, x, y, axis=axis)),
                            )
                            continue
                        eager = arrpy.reduce(name, report.array(values), axis, True).numpy()
                        got = e.reduce(name, x, y, axis=axis, keepdims=True).numpy()
                        report.check(
                            label,
                            close(got, eager, name not in ("sum", "mean", "prod"))
                            or np.allclose(got, eager, rtol=1e-4, atol=1e-3),
                            f"{got.ravel()[:3]} {eager.ravel()[:3]}",
                        )
    a = oracle.sample((40, 30), "float32", 9, "tame")
    e = arrexpr.parse("a*a")
    into = report.array(np.zeros(40))
    e.reduce("sum", report.array(a), axis=1, out=into)
    report.check("reduce into, cast", np.allclose(into.numpy(), (a * a).sum(1), rtol=1e-5))
    fine = report.array(np.zeros(30, "f4"))
    e.reduce("sum", report.array(a), axis=0, out=fine)
    report.check("reduce into", np.allclose(fine.numpy(), (a * a).sum(0), rtol=1e-5))
    report.check(
        "reduce into another shape",
        oracle.raises(arrpy.c.ARR_E_SHAPE, lambda: e.reduce("sum", report.array(a), axis=1, out=fine)),
    )
    for number in (0, -1, 40, 500):  # 40 is a part of others, not of the API
        report.check(
            f"no reduction {number}",
            oracle.raises(
                arrpy.c.ARR_E_ARGUMENT,
                lambda n=number: arrpy.call(
                    "arr_expr_reduce",
                    e.handle,
                    e.node,
                    n,
                    0,
                    None,
                    0,
                    1,
                    arrexpr.handles([fine]),
                    None,
                    arrpy.ctypes.byref(arrpy.c.arr_array()),
                ),
            ),
        )
    column = e.reduce("sum", report.array(np.asfortranarray(np.ones((3, 4, 5)))), axis=1)
    report.check("reduce keeps the order", column.strides == (1, 3), str(column.strides))


def options(report):
    """initial, where, dtype and correction at the reducing end, against the reduction of the computed array."""
    few = report.device != "host"
    r = np.random.default_rng(8)
    names = (
        ("sum", "var")
        if few
        else (
            "sum",
            "prod",
            "min",
            "max",
            "any",
            "all",
            "mean",
            "var",
            "std",
            "nansum",
            "nanvar",
            "norm2",
            "count_nonzero",
            "ptp",
            "argmax",
        )
    )
    for d in ("float32",) if few else ("float32", "float64", "int16", "complex64", "float16"):
        a, b = (oracle.sample(s, d, 3 + k, "tame") for k, s in enumerate([(6, 20), (20,)]))
        e = arrexpr.parse("a*b + a")
        x, y = report.array(a), report.array(b)
        whole = e.run(x, y)
        for name in names:
            for m in (None, (6, 20), (20,), (6, 1), ()):
                where = None if m is None else report.array(np.asarray(r.random(m) < 0.6))
                for more in (
                    ({}, {"initial": 3}, {"dtype": "float64"}, {"dtype": "complex128"}, {"correction": 1.0})
                    if m in (None, (20,))
                    else ({},)
                ):
                    if d[0] == "c" and more.get("dtype") == "float64":
                        continue
                    o = arrpy.reduce_options(where=where, **more)
                    for axis in (None, 0, 1):
                        label = f"{name} {d} where {m} {more} axis {axis}"
                        if report.wants(label):
                            same_or_refused(
                                report,
                                label,
                                lambda o=o: e.reduce(name, x, y, axis=axis, keepdims=m == (20,), options=o),
                                lambda o=o: eager(name, whole, axis, m == (20,), o),
                            )


def masked(report):
    """Masks into arrays, and refused; no memory for the map."""
    x = report.array(np.arange(12.0).reshape(3, 4))
    mask = report.array(np.array([[True], [False], [True]]))
    e = arrexpr.parse("a + index(1)")
    into = report.array(np.zeros(4, "f4"))
    for name, want in (("sum", np.array([8, 12, 16, 20])), ("mean", np.array([4, 6, 8, 10])), ("std", np.full(4, 4))):
        e.reduce(name, x, axis=0, out=into, options=arrpy.reduce_options(where=mask))
        report.check(f"{name} where into, index", np.array_equal(into.numpy(), want), str(into.numpy()))
    for label, status, o in (
        ("where larger", arrpy.c.ARR_E_SHAPE, {"where": report.array(np.ones((2, 3, 4), bool))}),
        ("where of int", arrpy.c.ARR_E_DTYPE, {"where": x}),
    ):
        for name in ("sum", "mean"):
            report.check(
                f"{label} {name}",
                oracle.raises(status, lambda: e.reduce(name, x, axis=0, options=arrpy.reduce_options(**o))),
            )
    report.check(
        "into another shape where",
        oracle.raises(
            arrpy.c.ARR_E_SHAPE, lambda: e.reduce("mean", x, axis=1, out=into, options=arrpy.reduce_options(where=mask))
        ),
    )
    report.check(
        "the mask is no input",
        oracle.raises(
            arrpy.c.ARR_E_ARGUMENT,
            lambda: arrexpr.parse("a + b").reduce("sum", x, options=arrpy.reduce_options(where=mask)),
        ),
    )
    # Nothing of the inputs' shape is made: only the results are.
    big = report.array(np.ones((512, 2048), "f4"))
    for name in ("sum", "mean", "var"):
        arrexpr.parse("a*a").reduce(
            name, big, axis=0, options=arrpy.reduce_options(where=report.array(np.ones(2048, bool)), dtype="float64")
        )
        peak = extra_bytes(
            report,
            lambda: arrexpr.parse("a*a").reduce(
                name,
                big,
                axis=0,
                options=arrpy.reduce_options(where=report.array(np.ones(2048, bool)), dtype="float64"),
            ),
        )
        report.check(f"{name} where stores no map", peak < 1 << 20, f"{peak} bytes more")


def extra_bytes(report, run):
    """The peak of memory during a call, less the memory before it."""
    stats = arrpy.c.arr_memory_stats(arrpy.ctypes.sizeof(arrpy.c.arr_memory_stats))
    device = arrpy.device_of(report.device)
    arrpy.call("arr_memory_reset_peak", device)
    arrpy.call("arr_memory_info", device, arrpy.ctypes.byref(stats))
    before = stats.in_use
    run().numpy()
    arrpy.call("arr_memory_info", device, arrpy.ctypes.byref(stats))
    return stats.peak - before


def eager(name, a, axis, keepdims, options):
    n, axes = arrpy.axes_of(axis)
    number = getattr(arrpy.c, "ARR_REDUCTION_" + name.upper())
    return arrpy.made("arr_reduce", number, a.handle, n, axes, int(keepdims), arrpy.ctypes.byref(options), None)


def same_or_refused(report, label, run, peer):
    try:
        want = peer().numpy()
    except arrpy.Error as error:
        return report.check(f"{label} refused", oracle.raises(error.status, run))
    got = run().numpy()
    with np.errstate(all="ignore"):
        good = close(got, want, False) or (
            got.dtype == want.dtype
            and np.allclose(got, want, rtol=2e-2 if got.dtype == "f2" else 1e-4, atol=1e-3, equal_nan=True)
        )
    report.check(
        label, good, f"{got.dtype}{got.shape} {got.ravel()[:3]}, want {want.dtype}{want.shape} {want.ravel()[:3]}"
    )


def scans(report):
    few = report.device != "host"
    for shapes in (
        [((40, 30), (30,))]
        if few
        else [((40, 30), (30,)), ((5, 1, 7), (6, 1)), ((3000,), ()), ((0, 4), (4,)), ((1, 1), (1,))]
    ):
        a, b = (np.round(oracle.sample(s, "float64", k, "tame")) for k, s in enumerate(shapes))
        for text, f in (
            [("a*2 + b", lambda x, y: x * 2 + y)]
            if few
            else [("a*2 + b", lambda x, y: x * 2 + y), ("a > b", np.greater)]
        ):
            e = arrexpr.parse(text)
            for view in (lambda x: x, lambda x: x[::-1]):
                want = np.asarray(f(view(a), b))
                for axis in range(-1, want.ndim):
                    got = e.scan("sum", view(report.array(a)), report.array(b), axis=axis).numpy()
                    report.check(
                        f"cumsum of {text} {shapes} {axis}",
                        oracle.same(got, want.cumsum(axis=axis)),
                        f"{got.dtype} {got.ravel()[:4]}",
                    )
                    if want.dtype != bool and not few:
                        got = e.scan("max", view(report.array(a)), report.array(b), axis=axis).numpy()
                        report.check(
                            f"cummax of {text} {shapes} {axis}",
                            oracle.same(got + 0.0, np.maximum.accumulate(want, axis=axis) + 0.0),
                        )
    x = report.array(np.ones((2, 3)))
    report.check(
        "no running mean", oracle.raises(arrpy.c.ARR_E_ARGUMENT, lambda: arrexpr.parse("a*a").scan("mean", x, axis=0))
    )
    report.check(
        "scan: no such axis", oracle.raises(arrpy.c.ARR_E_SHAPE, lambda: arrexpr.parse("a*a").scan("sum", x, axis=2))
    )


def described(report):
    x, y = report.array(np.ones((8, 64), "f4")), report.array(np.ones((64,), "i2"))
    mask = report.array(np.ones((8, 64), bool))
    cost = "{} operation{}, {} cast{}, 1 combination, {} bytes read\nper result: {} bytes written"
    for text, name, more, first, types, *n in [
        ("a*a", "sum", {}, "sum(multiply(in0, in0))", "float32 float32", 1, "", 0, "s", 4, 4),
        ("a*a", "argmax", {}, "argmax(multiply(in0, in0))", "int64 float32", 1, "", 0, "s", 4, 8),
        (
            "(a + 1)*(a + 1)",
            "sum",
            {},
            "v2 = add(in0, 1)\nsum(multiply(v2, v2))",
            "float32 float32",
            2,
            "s",
            0,
            "s",
            4,
            4,
        ),
        (
            "a*a",
            "sum",
            {"initial": 2, "dtype": "float64"},
            "sum(float64(multiply(in0, in0)), initial 2)",
            "float64 float64",
            1,
            "",
            1,
            "",
            4,
            8,
        ),
        (
            "a*a",
            "sum",
            {"where": mask},
            "sum(where(in1, multiply(in0, in0), 0))",
            "float32 float32",
            2,
            "s",
            0,
            "s",
            5,
            4,
        ),
        (
            "a*a",
            "std",
            {"where": mask},
            "sum(where(in1, multiply(in0, in0), 0))",
            "float32 float32",
            2,
            "s",
            0,
            "s",
            5,
            4,
        ),
    ]:
        got = arrexpr.parse(text).describe_reduce(name, x, axis=1, options=arrpy.reduce_options(**more))
        out, acc = types.split()
        inputs = "inputs: in0 float32" + (", in1 bool" if "where" in more else "")
        want = f"{first}\n{inputs}\noutputs: {out}\naccumulated: {acc}\nper element: " + cost.format(*n)
        report.check(f"describe {name} of {text} {sorted(more)}", got == want, repr(got))
    got = arrexpr.parse("a*b").describe_scan("sum", x, y, axis=0)
    want = (
        "scan by sum(multiply(in0, float32(in1)))\ninputs: in0 float32, in1 int16\noutputs: float32\naccumulated: float32\n"
        "per element: 1 operation, 1 cast, 1 combination, 6 bytes read, 4 bytes written"
    )
    report.check("describe a scan", got == want, repr(got))


def texts(report):
    """CUDA texts of reductions and scans."""
    x, mask = report.array(np.ones((8, 64), "f4")), report.array(np.ones((8, 64), bool))
    e = arrexpr.parse("sqrt(a*a + 1)")
    reduction, scan = e.source_reduce("sum", x, axis=1), e.source_scan("sum", x, axis=1)
    with_mask = e.source_reduce("sum", x, axis=1, options=arrpy.reduce_options(where=mask, initial=1))
    for label, text in {
        "reduction": reduction,
        "scan": scan,
        "masked": with_mask,
        "columns": e.source_reduce("max", x, axis=0),
    }.items():
        report.check(
            f"CUDA text of a {label}",
            "arr_kernel(" in text and "arr_op_sqrt" in text and text.count("{") == text.count("}"),
        )
    report.check(
        "CUDA texts differ", len({reduction, scan, with_mask, e.source(x), e.source_reduce("sum", x, axis=0)}) == 5
    )
    for run in (
        lambda: e.source_reduce("sum", x, device_type=arrpy.c.ARR_HOST),
        lambda: e.source_scan("sum", x, axis=0, device_type=arrpy.c.ARR_HOST),
    ):
        report.check("the host has no text of reductions", oracle.raises(arrpy.c.ARR_E_UNSUPPORTED, run))
    for run in (lambda: e.describe_scan("mean", x, axis=0), lambda: e.source_scan("mean", x, axis=0)):
        report.check("no text of a running mean", oracle.raises(arrpy.c.ARR_E_ARGUMENT, run))
    for run in (
        lambda: e.describe_scan("sum", x, axis=2),
        lambda: e.source_scan("sum", x, axis=2),
        lambda: e.source_reduce("max", x[:0], axis=0),
    ):
        report.check("no text of what cannot run", oracle.raises(arrpy.c.ARR_E_SHAPE, run))


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((reductions, options, masked, scans, described, texts)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
