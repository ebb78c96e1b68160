#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Creation, casts, views, copies, transfer, promotion and fused expressions against NumPy 2."""

import ctypes
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy

C = arrpy.c
TYPES = oracle.ALL


def casts(report):
    for a, b in itertools.product(TYPES, TYPES):
        if not report.wants(f"cast {a} {b}"):
            continue
        x = oracle.sample((5, 9), a, 3)
        if oracle.kind(a) in "FC" and oracle.kind(b) in "IU":  # out of range is undefined, as in NumPy
            real = np.nan_to_num(x.astype("c16").real, nan=0, posinf=0, neginf=0)
            low, high = (0, 100) if oracle.kind(b) == "U" else (-100, 100)
            x = np.clip(real, low, high).astype(x.dtype)
        want = (
            x.astype("f4").astype(oracle.dtype(b)) if a == "bfloat16" and b != "bfloat16" else x.astype(oracle.dtype(b))
        )
        if b == "bfloat16" and oracle.kind(a) == "C":
            want = x.real.astype(oracle.dtype(b))
        for label, view in (("C", lambda v: v), ("T", lambda v: v.T), ("step", lambda v: v[::2, ::-1])):
            dev = view(report.array(x))
            out = arrpy.made(
                "arr_astype", dev.handle, arrpy.number(oracle.dtype(b)), C.ARR_CAST_UNSAFE, C.ARR_ORDER_K, None
            )
            report.check(
                f"cast {a} {b} {label}",
                oracle.same(out.numpy(), view(want)),
                f"{out.numpy().ravel()[:8]} {view(want).ravel()[:8]}",
            )


def every_half(report):
    """All 65,536 values of the 16-bit types, to float32 and back."""
    bits = np.arange(65536, dtype="u2")
    for name in ("float16", "bfloat16"):
        x = bits.view(oracle.dtype(name))
        dev = report.array(x)
        wide = arrpy.made("arr_astype", dev.handle, C.ARR_FLOAT32, 0, C.ARR_ORDER_C, None)
        report.check(f"{name} to float32, every value", oracle.same(wide.numpy(), x.astype("f4")))
        back = arrpy.made("arr_astype", wide.handle, arrpy.number(x.dtype), 0, C.ARR_ORDER_C, None)
        report.check(f"{name} from float32, every value", oracle.same(back.numpy(), x))
        r = np.random.default_rng(0).integers(0, 2**32, 200_000, dtype="u4").view("f4")
        noise = report.array(r)
        cut = arrpy.made("arr_astype", noise.handle, arrpy.number(x.dtype), 0, C.ARR_ORDER_C, None)
        report.check(f"{name} rounding of random floats", oracle.same(cut.numpy(), r.astype(x.dtype)))


def promotion(report):
    for a, b in itertools.product(TYPES, TYPES):
        if "bfloat16" in (a, b):
            continue
        out = ctypes.c_int32()
        arrpy.call("arr_promote_types", arrpy.number(a), arrpy.number(b), ctypes.byref(out))
        want = np.promote_types(a, b)
        report.check(f"promote {a} {b}", arrpy.DTYPES[out.value] == want, f"{arrpy.DTYPES[out.value]} {want}")
        if not report.wants(f"multiply {a} {b}"):
            continue
        x, y = report.array(np.ones(3, a)), report.array(np.ones(3, b))
        got = arrpy.apply("multiply", x, y).dtype
        report.check(f"multiply {a} {b}", got == want, f"{got}")
    for a, number in itertools.product(TYPES, (True, 2, 2.5, 1 + 2j)):
        if a == "bfloat16":
            continue
        if not report.wants(f"weak {a} * {number!r}"):
            continue
        want = np.ones(3, a) * number
        got = arrpy.apply("multiply", report.array(np.ones(3, a)), number).numpy()
        report.check(f"weak {a} * {number!r}", oracle.same(got, want), f"{got.dtype} {want.dtype}")
    report.check(
        "weak number too large",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.apply("add", report.array(np.ones(2, "i1")), 300)),
    )


def creation(report):
    dev = report.device
    for d in TYPES:
        t = oracle.dtype(d)
        for shape, order in itertools.product([(), (0,), (3,), (2, 3), (2, 0, 3), (1,) * 32], "CF"):
            label = f"{d} {shape} {order}"
            z, o = arrpy.zeros(shape, t, order, dev), arrpy.ones(shape, t, order, dev)
            report.check("zeros " + label, oracle.same(z.numpy(), np.zeros(shape, t)))
            report.check("ones " + label, oracle.same(o.numpy(), np.ones(shape, t)))
            f = arrpy.full(shape, np.float64(1), t, order, dev)
            report.check("full " + label, oracle.same(f.numpy(), np.full(shape, 1, t)))
            flags = z.flags
            want = np.zeros(shape, t, order)
            report.check(
                "flags " + label,
                (bool(flags & C.ARR_FLAG_C), bool(flags & C.ARR_FLAG_F))
                == (want.flags.c_contiguous, want.flags.f_contiguous),
            )
        for rows, columns, k in itertools.product((0, 1, 4), (-1, 0, 3, 6), (-5, -2, 0, 1, 9)):
            n = rows if columns == -1 else columns
            report.check(
                f"eye {d} {rows} {columns} {k}",
                oracle.same(arrpy.eye(rows, columns, k, t, "C", dev).numpy(), np.eye(rows, n, k).astype(t)),
            )
    for a in ((0, 10, 1), (10, 0, -3), (0, 1, 0.1), (5, 5, 1), (-3.5, 4, 0.75), (0, -1, 1), (2**62, 2**62 + 5, 2)):
        report.check(f"arange {a}", oracle.same(arrpy.arange(*a, device=dev).numpy(), np.arange(*a)))
    for a in ((0, 2, 1), (1, 3, 1), (0, 1, 1), (3, 3, 1), (0.0, 1.0, 0.5)):
        report.check(
            f"arange {a} of bool",
            oracle.same(arrpy.arange(*a, dtype="bool", device=dev).numpy(), np.arange(*a, dtype=bool)),
        )
    for a in ((0, 3, 1), (0, 5, 1), (0.0, 1.0, 0.25)):
        report.check(
            f"arange {a} of bool refused",
            oracle.raises(C.ARR_E_DTYPE, lambda a=a: arrpy.arange(*a, dtype="bool", device=dev)),
        )
    for n, end in itertools.product((0, 1, 2, 7, 50), (True, False)):
        got, want = arrpy.linspace(-1.5, 4.25, n, end, device=dev).numpy(), np.linspace(-1.5, 4.25, n, endpoint=end)
        report.check(f"linspace {n} {end}", got.shape == want.shape and np.allclose(got, want, rtol=0, atol=1e-15))
    for bad in (lambda: arrpy.zeros((-1,)), lambda: arrpy.zeros((2**40, 2**40)), lambda: arrpy.zeros((1,) * 33)):
        report.check("shape refused", oracle.raises(C.ARR_E_SHAPE, bad))
    report.check(
        "dtype refused",
        oracle.raises(C.ARR_E_DTYPE, lambda: arrpy.made("arr_zeros", 99, 1, arrpy.int64s([2]), 0, None, None)),
    )


def spaced(report):
    """Steps that underflow or overflow, numbers that are rounded down, ends that are left out."""
    tiny, largest = 5e-324, 1.7e308
    for ends in (
        (0, 1),
        (-1, 1),
        (-10, 8),
        (0, tiny),
        (tiny, -tiny),
        (-3 * tiny, 2 * tiny),
        (2.5, -7.75),
        (3, 3),
        (1e300, 1.5e300),
        (-0.5, 250.25),
        (0, np.inf),
        (-1e-310, 1e-310),
    ):
        for count, endpoint, d in itertools.product((0, 1, 2, 4, 9, 50, 1001), (True, False), TYPES + [None]):
            if report.device != "host" and count not in (4, 9) or d == "bfloat16":
                continue
            if (
                d is not None
                and oracle.kind(d) in "BIU"
                and (
                    max(map(abs, ends)) > 1e9 or count < 2 or oracle.kind(d) == "U" and min(ends) < 0 and max(ends) > 0
                )
            ):
                continue
            want = np.linspace(*ends, count, endpoint, dtype=d)
            if count == 1 and endpoint and np.isinf(ends[1]):
                want[:] = ends[0]  # 0 times infinity, of NumPy
            got = arrpy.linspace(*map(float, ends), count, endpoint, d, report.device).numpy()
            report.check(f"linspace {ends} {count} {endpoint} {d}", oracle.same(got, want), f"{got[:5]} {want[:5]}")
    for ends in ((-largest, largest), (largest, -largest), (-largest, largest / 2)):  # of NumPy infinities and nan
        got = arrpy.linspace(*ends, 5, device=report.device).numpy()
        want = np.array([ends[0] / 4 * (4 - i) + ends[1] / 4 * i for i in range(5)])
        report.check(
            f"linspace {ends}", np.allclose(got, want, 1e-15, 0) and got[0] == ends[0] and got[-1] == ends[1], f"{got}"
        )


def numbers(report):
    """Elements and scalars of every type as float64 and int64: just that number, or an error."""
    values = [
        0,
        1,
        -1,
        127,
        255,
        2**31,
        2**53,
        2**53 + 1,
        -(2**53) - 1,
        2**63 - 1,
        -(2**63),
        2**63,
        2**64 - 1,
        0.5,
        -2.25,
        1e300,
        np.inf,
        -np.inf,
        np.nan,
        2.0**63,
        -(2.0**63),
        3 + 0j,
        3 + 1j,
        complex(1, np.nan),
        True,
    ]
    for d, k in itertools.product(TYPES, values):
        whole = oracle.kind(d) in "BIU"
        if d == "bfloat16" or whole and not (isinstance(k, (int, bool)) and np.array(k, "O") == k and fits(k, d)):
            continue
        if isinstance(k, complex) and oracle.kind(d) != "C":
            continue
        x = np.array(k, d) if not (isinstance(k, int) and k >= 2**63) else np.array(np.uint64(k)).astype(d)
        a = report.array(x.reshape(1))
        plain = x[()]
        real = oracle.kind(d) != "C" or plain.imag == 0
        exact = plain.real.item() if oracle.kind(d) == "C" else plain.item()
        as_float = real and (not whole or int(float(exact)) == int(exact))
        as_int = real and (whole or np.isfinite(exact) and float(exact).is_integer()) and -(2**63) <= exact < 2**63
        v = C.arr_value()
        arrpy.call("arr_item", a.handle, 0, None, ctypes.byref(v))
        for name, kind, fine in (("f64", ctypes.c_double, as_float), ("i64", ctypes.c_int64, as_int)):
            status = None if fine else C.ARR_E_ARGUMENT if real else C.ARR_E_DTYPE
            for label, call in (
                ("item", lambda out: arrpy.call(f"arr_item_{name}", a.handle, 1, arrpy.int64s([-1]), out)),  # noqa: B023
                ("value", lambda out: arrpy.call(f"arr_value_get_{name}", ctypes.byref(v), out)),
            ):  # noqa: B023
                out = kind(77)
                if status is not None:
                    good = oracle.raises(status, lambda: call(ctypes.byref(out))) and out.value == 77  # noqa: B023
                else:
                    call(ctypes.byref(out))
                    good = out.value == exact or out.value != out.value and exact != exact
                report.check(f"{label} {name} {d} {k}", good, f"{out.value} of {x}")
    out, none = ctypes.c_double(77), C.arr_value()
    report.check(
        "no scalar",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_value_get_f64", ctypes.byref(none), ctypes.byref(out))),
    )
    several = report.array(np.ones(3))
    report.check(
        "no index",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_item_f64", several.handle, 0, None, ctypes.byref(out)))
        or oracle.raises(C.ARR_E_SHAPE, lambda: arrpy.call("arr_item_f64", several.handle, 0, None, ctypes.byref(out))),
    )


def fits(k, d):
    i = np.iinfo(d) if d != "bool" else None
    return k in (0, 1) if i is None else i.min <= int(k) <= i.max


VIEWS = [
    ("T", lambda a: a.T),
    ("slice", lambda a: a[1:, ::2, ::-1]),
    ("flip", lambda a: a[::-1]),
    ("inner", lambda a: a[:, 1:2, :]),
    ("transpose", lambda a: a.transpose(1, 2, 0)),
    ("chain", lambda a: a.transpose(2, 0, 1)[::-2, :, 1:].T),
    ("empty", lambda a: a[5:2]),
]


def views_and_copies(report):
    for d in TYPES:
        x = oracle.sample((4, 5, 6), d, 8)
        for name, view in VIEWS:
            dev = view(report.array(x))
            want = view(x)
            report.check(
                f"view {name} {d}",
                oracle.same(dev.numpy(), want)
                and dev.strides == tuple(s // x.itemsize for s in want.strides)
                or want.size < 2,
            )
            for order in "CFK":
                copy = arrpy.made("arr_copy", dev.handle, arrpy.ORDERS[order], None)
                report.check(f"copy {name} {d} {order}", oracle.same(copy.numpy(), want))
            report.check(
                f"get F {name} {d}", oracle.same(np.ascontiguousarray(dev.numpy("F")), np.ascontiguousarray(want))
            )
            flat = dev.reshape([-1])
            report.check(f"ravel {name} {d}", oracle.same(flat.numpy(), want.ravel()))
            base = report.array(np.zeros_like(x))
            target = view(base)
            arrpy.call("arr_assign", target.handle, dev.handle, None)
            after = np.zeros_like(x)
            view(after)[...] = want
            report.check(f"assign {name} {d}", oracle.same(base.numpy(), after))
            arrpy.call("arr_fill", target.handle, ctypes.byref(arrpy.value(1)), None)
            view(after)[...] = 1
            report.check(f"fill {name} {d}", oracle.same(base.numpy(), after))
        host = report.array(x)
        turned = host.T
        moved = arrpy.made("arr_to_device", turned.handle, arrpy.device_of("host"), None)
        report.check(f"to host {d}", oracle.same(moved.numpy(), x.T))
    x = report.array(np.arange(12.0).reshape(3, 4))
    for shape in ((4, 3), (2, -1), (12,), (1, 12, 1)):
        report.check(f"reshape {shape}", oracle.same(x.reshape(list(shape)).numpy(), x.numpy().reshape(shape)))
        report.check(f"reshape T {shape}", oracle.same(x.T.reshape(list(shape)).numpy(), x.numpy().T.reshape(shape)))
    report.check("reshape refused", oracle.raises(C.ARR_E_SHAPE, lambda: x.reshape([5, -1])))
    broad = x.broadcast_to([2, 3, 4])
    report.check("broadcast_to", oracle.same(broad.numpy(), np.broadcast_to(x.numpy(), (2, 3, 4))))
    report.check(
        "broadcast is read-only",
        oracle.raises(
            C.ARR_E_READONLY, lambda: arrpy.call("arr_fill", broad.handle, ctypes.byref(arrpy.value(1)), None)
        ),
    )
    # A view may be written from an overlapping view of the same memory.
    y = np.arange(20.0)
    dev = report.array(y)
    target, source = dev[1:], dev[:-1]
    arrpy.call("arr_assign", target.handle, source.handle, None)
    y[1:] = y[:-1].copy()
    report.check("overlapping assign", oracle.same(dev.numpy(), y))


def leading_ones(report):
    """Sources may have leading axes of extent 1 that the array does not have, as in NumPy."""

    def assign(a, x):
        arrpy.call("arr_assign", a.handle, x.handle, None)

    def copyto(a, x):
        arrpy.call("arr_copyto", a.handle, x.handle, C.ARR_CAST_SAME_KIND, None, None)

    def copy_where(a, x):
        mask = report.array(np.array([True, False, True]))
        arrpy.call("arr_copyto", a.handle, x.handle, C.ARR_CAST_SAME_KIND, mask.handle, None)

    shapes = ((1, 2, 3), (1, 1, 3), (1, 1, 1, 1), (1, 2, 1), (1, 1, 2, 3), (2, 1, 3), (2, 2, 3), (1, 3, 3), (3, 1))
    for name, write in (("assign", assign), ("copyto", copyto), ("copyto where", copy_where)):
        where = np.array([True, False, True]) if write is copy_where else True
        for of in ((2, 3), (3,), ()) if write is not copy_where else ((2, 3), (3,)):
            for shape in shapes:
                x = np.arange(1, 1 + np.prod(shape), dtype="f4").reshape(shape)
                for view, kind in ((lambda v: v, ""), (lambda v: v[..., ::-1], " reversed")):
                    dev, want = report.array(np.zeros(of)), np.zeros(of)
                    label = f"{name} {shape}{kind} to {of}"
                    try:
                        np.copyto(want, view(x), where=where)
                    except ValueError:
                        refused = oracle.raises(C.ARR_E_SHAPE, lambda w=write, v=view: w(dev, v(report.array(x))))
                        report.check(f"{label} refused", refused and not dev.numpy().any())
                        continue
                    write(dev, view(report.array(x)))
                    report.check(label, oracle.same(dev.numpy(), want), f"{dev.numpy()}")


def expressions(report):
    """Random programs of up to 40 nodes."""
    r = np.random.default_rng(12)
    unary, binary = (
        ["negative", "absolute", "square", "tanh", "sin", "cos"],
        ["add", "subtract", "multiply", "maximum", "minimum"],
    )
    for round_number in range(60):
        d = ["float32", "float64"][round_number % 2]
        shapes = [(7, 9), (9,), (7, 1)]
        inputs = [r.normal(size=s).astype(d) for s in shapes]
        e = arrpy.made("arr_expr_create", of=C.arr_expr)

        def node(name, *args):
            out = ctypes.c_int32()
            arrpy.call(name, e, *args, ctypes.byref(out))
            return out.value

        nodes = [(node("arr_expr_input", k), inputs[k]) for k in range(3)]
        number = float(r.integers(1, 5)) / 2
        nodes.append((node("arr_expr_constant", ctypes.byref(arrpy.value(number))), number))
        for _ in range(int(r.integers(1, 36))):
            if r.random() < 0.4:
                name = unary[r.integers(len(unary))]
                picks = [nodes[r.integers(0, len(nodes) - 1)]]
            else:
                name = binary[r.integers(len(binary))]
                picks = [nodes[r.integers(0, len(nodes))], nodes[r.integers(0, 3)]]
            if any(np.isscalar(p[1]) for p in picks) and len(picks) == 1:
                continue
            value = np.clip(getattr(np, name)(*(p[1] for p in picks)), -50, 50)
            args = arrpy.int32s([p[0] for p in picks])
            index = node("arr_expr_op", C.OPS[name][0], len(picks), args)
            lo, hi = (node("arr_expr_constant", ctypes.byref(arrpy.value(v))) for v in (-50.0, 50.0))
            nodes.append((node("arr_expr_op", C.OPS["clip"][0], 3, arrpy.int32s([index, lo, hi])), value))
        devices = [report.array(v) for v in inputs]
        handles = (C.arr_array * 3)(*(v.handle for v in devices))
        out = arrpy.made("arr_expr_run", e, nodes[-1][0], 3, handles, None)
        want = np.broadcast_to(nodes[-1][1], (7, 9))
        good = out.dtype == want.dtype and np.allclose(
            out.numpy(), want, rtol=1e-3 if d == "float32" else 1e-10, atol=1e-3 if d == "float32" else 1e-10
        )
        report.check(f"expression {round_number} {d}", good, f"{np.max(np.abs(out.numpy() - want))}")
        arrpy.call("arr_expr_release", e)


def spaced_arrays(report):
    """linspace between the elements of arrays."""

    def linspace(start, stop, count=50, axis=0, endpoint=True, dtype=0):
        x, y = report.array(start), report.array(stop)
        return arrpy.made("arr_linspace_with", x.handle, y.handle, count, axis, endpoint, dtype, None)

    for d, e in itertools.product(("int32", "float32", "float64", "complex64", "complex128"), repeat=2):
        for of_start, of_stop in (((), (3,)), ((3,), ()), ((2, 1), (3,)), ((2, 3), (2, 3)), ((), ())):
            start = np.arange(np.prod(of_start, dtype=int)).reshape(of_start).astype(d) * 2 - 3
            stop = np.arange(np.prod(of_stop, dtype=int)).reshape(of_stop).astype(e) + 4
            for axis in range(-1, np.broadcast(start, stop).ndim + 1):
                for count, endpoint in itertools.product((0, 1, 2, 7), (True, False)):
                    got = linspace(start, stop, count, axis, endpoint).numpy()
                    want = np.linspace(start, stop, count, endpoint, axis=axis)
                    label = f"linspace {d} {e} {of_start} {of_stop} {axis} {count} {endpoint}"
                    near = np.allclose(got, want, rtol=4 * np.finfo(want.dtype).eps, atol=8 * np.finfo(want.dtype).eps)
                    report.check(label, got.shape == want.shape and got.dtype == want.dtype and near, str(got))
    start, stop = np.array([-3.5, 0, 2]), np.array([4, 0, 1e3])
    for number, name in ((C.ARR_INT32, "int32"), (C.ARR_FLOAT32, "float32"), (C.ARR_COMPLEX128, "complex128")):
        got, want = linspace(start, stop, 9, 1, dtype=number).numpy(), np.linspace(start, stop, 9, axis=1, dtype=name)
        report.check(f"linspace to {name}", got.dtype == want.dtype and np.allclose(got, want, rtol=1e-6), str(got))
    tiny = 5e-324
    got = linspace(np.array([0, 1.0]), np.array([tiny, 2]), 3).numpy()
    report.check("linspace of a tiny step", np.array_equal(got, np.linspace([0, 1.0], [tiny, 2], 3)), str(got))
    ends = linspace(np.array([0.1, 0.7]), np.array([0.3, 0.9]), 4).numpy()
    report.check("linspace ends", np.array_equal(ends[[0, -1]], [[0.1, 0.7], [0.3, 0.9]]))
    for label, status, call in (
        ("count", C.ARR_E_ARGUMENT, lambda: linspace(start, stop, -1)),
        ("axis", C.ARR_E_SHAPE, lambda: linspace(start, stop, 3, 2)),
        ("shapes", C.ARR_E_SHAPE, lambda: linspace(start, np.ones(2))),
        ("dtype", C.ARR_E_DTYPE, lambda: linspace(start, stop, dtype=99)),
        ("complex", C.ARR_E_DTYPE, lambda: linspace(start, stop * 1j, dtype=C.ARR_FLOAT64)),
    ):
        report.check(f"linspace {label} refused", oracle.raises(status, call))


if __name__ == "__main__":
    report = oracle.Report(__doc__)
    for part in (
        casts,
        every_half,
        promotion,
        creation,
        spaced,
        spaced_arrays,
        numbers,
        views_and_copies,
        leading_ones,
        expressions,
    ):
        part(report)
    report.finish()
