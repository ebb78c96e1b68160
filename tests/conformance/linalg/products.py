#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products of vectors, matrices and tensors, powers, traces and norms against NumPy 2."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
import calculus
from calculus import compare, dtypes
from matrices import told
from oracle import arrpy

C = arrpy.c
VIEWS = ("C", "F", "step", "back")


def tame(shape, d, seed):
    return calculus.tame(shape or (1,), d, seed).reshape(shape)


def small(shape, d, seed):
    """Values of which products of many stay exact in most types."""
    x = tame(shape, d, seed)
    return x if d == "bool" or d in oracle.COMPLEX else (x.astype("f8") % 3).astype(oracle.dtype(d))


def on(report, x, layout="C"):
    """The array on the device with that layout."""
    if x.ndim == 0 or layout == "C":
        return report.array(x.copy())
    if layout == "F":
        return report.array(np.asfortranarray(x))
    if layout == "step":
        return report.array(np.repeat(x, 2, -1))[..., ::2]
    return report.array(np.ascontiguousarray(x[::-1]))[::-1]


def two(name, a, b):
    return arrpy.made(f"arr_{name}", a.handle, b.handle, None)


def handles(arrays):
    return (C.arr_array * max(len(arrays), 1))(*(a.handle for a in arrays))


def tensordot(a, b, n, axes_a=None, axes_b=None):
    lists = [None if axes is None else arrpy.int32s(axes) for axes in (axes_a, axes_b)]
    return arrpy.made("arr_tensordot", a.handle, b.handle, n, *lists, None)


def multi_dot(*arrays):
    return arrpy.made("arr_multi_dot", len(arrays), handles(arrays), None)


def matrix_power(a, n):
    return arrpy.made("arr_matrix_power", a.handle, n, None)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    return arrpy.made("arr_trace", a.handle, offset, axis1, axis2, arrpy.number(dtype), None)


def diagonal(a, offset=0, axis1=0, axis2=1):
    return arrpy.made("arr_diagonal", a.handle, offset, axis1, axis2)


KINDS = {"fro": C.ARR_NORM_FRO, "nuc": C.ARR_NORM_NUC, None: C.ARR_NORM_DEFAULT}


def kind_of(order):
    return (KINDS[order], 0.0) if order in KINDS else (C.ARR_NORM_P, float(order))


def norm(a, order=None, axis=(), keepdims=False):
    axes = [axis] if isinstance(axis, int) else list(axis)
    return arrpy.made("arr_norm", a.handle, *kind_of(order), len(axes), arrpy.int32s(axes), int(keepdims), None)


def matrix_norm(a, order=None, keepdims=False):
    return arrpy.made("arr_matrix_norm", a.handle, *kind_of(order), int(keepdims), None)


def in_type(f, *arrays):
    """The result of f for wider operands, in the type the library promises: sums of 16-bit floats do not round between."""
    if any(oracle.name_of(a.dtype) in ("float16", "bfloat16") for a in arrays):
        return np.asarray(f(*(a.astype("f8") for a in arrays))).astype(arrays[0].dtype)
    return np.asarray(f(*arrays))


def all_types(report, few):
    return few if report.device != "host" else oracle.ALL


SHAPES = [
    ((5,), (5,)),
    ((3, 5), (5,)),
    ((5,), (5, 4)),
    ((3, 5), (5, 4)),
    ((2, 3, 5), (5, 4)),
    ((3, 5), (2, 5, 4)),
    ((), (3, 2)),
    ((3, 2), ()),
    ((0, 5), (5, 4)),
    ((3, 0), (0, 4)),
    ((0,), (0,)),
    ((1, 1), (1, 1)),
    ((2, 1, 33), (3, 33, 2)),
]


def dots(report):
    for d in all_types(report, ["bool", "int8", "float32", "complex64"]):
        for k, (m, n) in enumerate(SHAPES if report.device == "host" or d == "float32" else SHAPES[3:5]):
            a, b = tame(m, d, k), tame(n, d, k + 50)
            for layout in VIEWS if report.device == "host" else ("C", "F"):
                x, y = on(report, a, layout), on(report, b, layout)
                how = {"size": 81 * 70, "steps": 2}
                label = f"{d} {m} {n} {layout}"
                compare(report, f"dot {label}", two("dot", x, y), in_type(np.dot, a, b), **how)
                if len(m) and len(n) and m[-1] == n[-1]:
                    compare(report, f"inner {label}", two("inner", x, y), in_type(np.inner, a, b), **how)
                if layout in ("C", "F") and a.size * b.size < 5000:
                    compare(report, f"outer {label}", two("outer", x, y), in_type(np.outer, a, b), **how)
                    compare(report, f"kron {label}", two("kron", x, y), in_type(np.kron, a, b), **how)
    for d in all_types(report, ["int8", "complex64"]):
        a, b = tame((4, 6), d, 1), tame((4, 6), d, 2)
        for layout in VIEWS:
            got = two("vdot", on(report, a, layout), on(report, b, layout))
            compare(report, f"vdot {d} {layout}", got, in_type(np.vdot, a, b), size=81 * 50)
        got = two("vdot", on(report, a, "F"), report.array(b.reshape(3, 8)))
        compare(report, f"vdot {d} shapes", got, in_type(np.vdot, a, b.reshape(3, 8)), size=81 * 50)
    a, b = tame((3, 4), "int32", 3), tame((4, 2), "float32", 4)
    compare(report, "dot mixed", two("dot", report.array(a), report.array(b)), np.dot(a, b))
    for name, m, n in (
        ("dot", (3, 4), (3, 4)),
        ("inner", (3,), (4,)),
        ("vdot", (3,), (4,)),
        ("khatri_rao", (2, 3), (2, 4)),
        ("khatri_rao", (3,), (3,)),
        ("khatri_rao", (1,) * 32, (1,) * 32),
    ):
        x, y = report.array(np.ones(m)), report.array(np.ones(n))
        report.check(f"{name} refuses {m} {n}", oracle.raises(C.ARR_E_SHAPE, lambda: two(name, x, y)))


def exact(report):
    """Integers wrap and are exact, bool stays bool."""
    r = np.random.default_rng(8)
    for d in ("bool", "int8", "uint8", "int64", "uint64") if report.device == "host" else ("bool", "int8"):
        i = None if d == "bool" else np.iinfo(d)
        make = (
            (lambda s: r.integers(0, 2, s).astype(bool))
            if i is None
            else (lambda s: r.integers(i.min, i.max, s, d, endpoint=True))
        )
        for m, k, n in ((1, 1, 1), (7, 9, 5), (40, 70, 33)):
            a, b = make((m, k)), make((k, n))
            x, y = report.array(a), report.array(b)  # kept: a handle alone does not keep its array
            got = arrpy.matmul(x, y)
            report.check(f"matmul exact {d} {m}", oracle.same(got.numpy(), a @ b))
            text = b"ij,jk->ki"
            got = arrpy.made("arr_einsum", text, 2, handles([x, y]), C.ARR_EINSUM_AUTO, None)
            report.check(f"einsum exact {d} {m}", oracle.same(got.numpy(), np.einsum(text.decode(), a, b)))


def grams(report):
    """Large products are computed in tiles; those of a matrix and its transpose are symmetric in every bit on the host."""
    for d in ("float32", "float64", "complex64", "complex128"):
        for rows, cols in ((300, 200), (70, 530), (257, 257)) if report.device == "host" else ((30, 20),):
            x = tame((rows, cols), d, 3)
            for layout in VIEWS:
                a = on(report, x, layout)
                for name, got, want in (
                    ("rows", arrpy.matmul(a, a.T).numpy(), x @ x.T),
                    ("columns", arrpy.matmul(a.T, a).numpy(), x.T @ x),
                ):
                    label = f"products of {name} {d} {rows} {layout}"
                    if report.device == "host":
                        report.check(f"{label} are symmetric", oracle.same(got, got.T.copy()))
                    error = np.abs(got - want).max() / np.abs(want).max()
                    report.check(label, error < 20 * np.finfo(d).eps, str(error))
        for m, k, n in ((310, 150, 290), (300, 5, 900), (3, 1500, 400), (900, 1201, 3), (1100, 601, 1), (1, 601, 1100)):
            a, b = tame((m, k), d, 4), tame((k, n), d, 5)
            for left, right in (("C", "C"), ("F", "step")):
                got = arrpy.matmul(on(report, a, left), on(report, b, right)).numpy()
                error = np.abs(got - a @ b).max() / np.abs(a @ b).max()
                label = f"tiles of a product {d} {m} {k} {n} {left} {right}"
                report.check(label, error < 20 * np.finfo(d).eps, str(error))


def tensordots(report):
    cases = [
        ((3, 4, 5), (4, 3, 2), [1, 0], [0, 1]),
        ((3, 4, 5), (4, 5, 2), None, None),
        ((3, 4), (5, 2), [], []),
        ((2, 3, 4, 5), (5, 3, 6), [3, 1], [0, 1]),
        ((2, 3, 4), (4, 3, 2), [0, 1, 2], [2, 1, 0]),
        ((3, 4, 5), (3, 4, 2), [-3, -2], [0, 1]),
        ((0, 4), (4, 0), [1], [0]),
        ((2, 0), (0, 2), [1], [0]),
        ((17, 3, 18), (3, 2, 19), [1], [0]),
    ]
    for d in dtypes(report, ["float32", "int8"]):
        for k, (m, n, p, q) in enumerate(cases):
            a, b = tame(m, d, k), tame(n, d, k + 20)
            axes = 2 if p is None else (p, q)
            count = 2 if p is None else len(p)
            for layout in VIEWS if report.device == "host" else ("C", "step"):
                got = tensordot(on(report, a, layout), on(report, b, "F" if layout == "C" else layout), count, p, q)
                compare(
                    report,
                    f"tensordot {d} {m} {n} {p} {layout}",
                    got,
                    in_type(lambda x, y: np.tensordot(x, y, axes), a, b),
                    size=81 * 60,
                    steps=2,
                )
    x, y = report.array(np.ones((3, 4))), report.array(np.ones((4, 5)))
    report.check("tensordot extents", oracle.raises(C.ARR_E_SHAPE, lambda: tensordot(x, y, 1, [0], [0])))
    report.check("tensordot twice", oracle.raises(C.ARR_E_ARGUMENT, lambda: tensordot(x, y, 2, [1, 1], [0, 0])))
    report.check("tensordot count", oracle.raises(C.ARR_E_ARGUMENT, lambda: tensordot(x, y, 3)))
    report.check("tensordot axis", oracle.raises(C.ARR_E_SHAPE, lambda: tensordot(x, y, 1, [2], [0])))
    report.check("tensordot half", oracle.raises(C.ARR_E_ARGUMENT, lambda: tensordot(x, y, 1, [1], None)))


# Chains as people write them, and one for each way through the code.
def chains(report):
    for d in dtypes(report, ["float32"]):
        for shapes in (
            ((3, 4), (4, 5)),
            ((10, 3), (3, 8), (8, 2)),
            ((4,), (4, 5), (5, 3), (3,)),
            ((2, 9), (9, 3), (3,)),
            ((5, 2), (2, 7), (7, 3), (3, 6), (6, 2)),
            ((3, 0), (0, 4), (4, 2)),
        ):
            arrays = [small(s, d, i) for i, s in enumerate(shapes)]
            want = in_type(lambda *x: np.linalg.multi_dot(x), *arrays)
            compare(report, f"multi_dot {d} {shapes}", multi_dot(*(report.array(a) for a in arrays)), want, size=3e6)
        a = small((3, 4, 4), d, 7)
        for n in (0, 1, 2, 3, 5, 8):
            for layout in ("C", "F"):
                compare(
                    report,
                    f"matrix_power {d} {n} {layout}",
                    matrix_power(on(report, a, layout), n),
                    in_type(lambda x: np.linalg.matrix_power(x, n), a),
                    size=1e11,
                )
    for d in ("int32", "float32", "float64", "complex128"):
        a = (tame((2, 3, 3), d, 8) + 9 * np.eye(3)).astype(d)
        for n in (-1, -2, -5):
            got, want = matrix_power(report.array(a), n).numpy(), np.linalg.matrix_power(a, n)
            near = np.allclose(got, want, rtol=1e-4 if d == "float32" else 1e-10, atol=0)
            report.check(
                f"matrix_power {d} {n}",
                near and got.dtype == want.dtype,
                f"{got.dtype} {got.ravel()[:3]} {want.ravel()[:3]}",
            )
    singular = report.array(np.ones((2, 2)))
    report.check("matrix_power singular", oracle.raises(C.ARR_E_LINALG, lambda: matrix_power(singular, -1)))
    x = report.array(np.ones((3, 4)))
    report.check("matrix_power square", oracle.raises(C.ARR_E_SHAPE, lambda: matrix_power(x, 2)))
    report.check("multi_dot one", oracle.raises(C.ARR_E_ARGUMENT, lambda: multi_dot(x)))
    report.check("multi_dot extents", oracle.raises(C.ARR_E_SHAPE, lambda: multi_dot(x, x)))
    report.check("multi_dot vector", oracle.raises(C.ARR_E_SHAPE, lambda: multi_dot(x, report.array(np.ones(4)), x)))


def diagonals(report):
    for d in all_types(report, ["int8", "float32"]):
        a = tame((4, 5, 3), d, 1)
        for offset, axis1, axis2 in ((0, 0, 1), (1, 0, 1), (-2, 0, 1), (0, 2, 0), (-1, -1, -2), (9, 0, 1), (-9, 1, 2)):
            for layout in ("C", "back"):
                x = on(report, a, layout)
                compare(
                    report,
                    f"diagonal {d} {offset} {axis1} {axis2} {layout}",
                    diagonal(x, offset, axis1, axis2),
                    np.diagonal(a, offset, axis1, axis2),
                )
                want = in_type(lambda y: np.trace(y, offset, axis1, axis2), a)
                compare(report, f"trace {d} {offset} {axis1} {axis2} {layout}", trace(x, offset, axis1, axis2), want)
    a = tame((3, 4), "int32", 2)
    compare(report, "trace dtype", trace(report.array(a), dtype="float32"), np.trace(a, dtype="f4"))
    x = tame((2, 3, 4), "float32", 3)
    y = report.array(x)
    got = arrpy.made("arr_matrix_transpose", y.handle)
    compare(report, "matrix_transpose", got, np.linalg.matrix_transpose(x))
    v = report.array(np.ones(3))
    report.check("diagonal of a vector", oracle.raises(C.ARR_E_SHAPE, lambda: diagonal(v)))
    report.check("diagonal one axis", oracle.raises(C.ARR_E_ARGUMENT, lambda: diagonal(report.array(x), 0, 1, 1)))
    report.check(
        "transpose of a vector", oracle.raises(C.ARR_E_SHAPE, lambda: arrpy.made("arr_matrix_transpose", v.handle))
    )


def empty_norms(report):
    """The largest of no sums or values is 0; of the smallest there is none. Errors name the shape that was passed."""
    for shape in ((0,), (0, 3), (3, 0), (0, 0), (2, 0, 3), (2, 3, 0), (0, 2, 2)):
        a = report.array(np.ones(shape))
        axes = [(k,) for k in range(len(shape))] + ([(-2, -1), (-1, -2)] if len(shape) > 1 else [])
        for axis in axes:
            for order in (None, 1, -1, 2, -2, np.inf, -np.inf) + (("fro", "nuc") if len(axis) == 2 else (0, 3)):
                if order in (-1, -2) and len(axis) == 1:
                    continue
                label = f"norm of {shape} {order} {axis}"
                try:
                    want = np.linalg.norm(np.ones(shape), order, axis if len(axis) == 2 else axis[0])
                except ValueError:
                    text = str(shape).replace(" ", "")
                    told(report, label, lambda o=order, x=axis: norm(a, o, x), C.ARR_E_SHAPE, f"shape {text}")
                    continue
                got = norm(a, order, axis).numpy()
                report.check(label, got.shape == np.shape(want) and np.array_equal(got, want), f"{got}, NumPy {want}")


def norms(report):
    inf = np.inf
    for d in all_types(report, ["float32", "complex64", "int8"]):
        a = tame((3, 4, 5), d, 1)
        wide = a.astype("f8") if oracle.name_of(a.dtype) in ("float16", "bfloat16", "bool") else a
        kept = a.dtype if oracle.name_of(a.dtype) in ("float16", "bfloat16") else None
        for layout in ("C", "F"):
            x = on(report, a, layout)
            for order in (None, "fro", 1, -1, inf, -inf):
                for axis in ((-2, -1), (0, 2), (1, 0)):
                    for keepdims in (False, True):
                        want = np.linalg.norm(wide, order, axis, keepdims)
                        got = norm(x, order, axis, keepdims)
                        compare(
                            report,
                            f"norm {d} {order} {axis} {keepdims} {layout}",
                            got,
                            want.astype(kept or want.dtype),
                            size=300,
                        )
                want = np.linalg.norm(wide, order, (-2, -1))
                compare(
                    report,
                    f"matrix_norm {d} {order} {layout}",
                    matrix_norm(x, order),
                    want.astype(kept or want.dtype),
                    size=300,
                )
            for order in (None, 0, 1, 2, 3, -1, 0.5, inf, -inf):
                if order in (3, -1, 0.5) and d == "bool":
                    continue
                y = np.abs(wide) + 1
                want = np.linalg.norm(y, order, 1)
                got = norm(on(report, (np.abs(a) + 1).astype(np.abs(a).dtype) if d != "bool" else a, layout), order, 1)
                if d == "bool":
                    want = np.linalg.norm(wide, order, 1)
                compare(
                    report, f"norm {d} {order} 1 {layout}", got, want.astype(kept or want.dtype), size=300, steps=16
                )
            compare(
                report,
                f"norm {d} whole {layout}",
                norm(x),
                np.asarray(np.linalg.norm(wide)).astype(kept or np.linalg.norm(wide).dtype),
                size=300,
            )
    singular_norms(report)
    vectors_and_refusals(report)


def singular_norms(report):
    """Norms that are made of singular values."""
    for d in ("int32", "float32", "complex128"):
        a = tame((3, 4, 5), d, 6)
        for order in ("nuc", 2, -2):
            for axis in ((-2, -1), (2, 0)):
                for keepdims in (False, True):
                    got, want = (
                        norm(report.array(a), order, axis, keepdims).numpy(),
                        np.linalg.norm(a, order, axis, keepdims),
                    )
                    near = got.shape == want.shape and np.allclose(
                        got, want, rtol=1e-4 if d == "float32" else 1e-10, atol=1e-5
                    )
                    report.check(
                        f"norm {d} {order} {axis} {keepdims}", near and got.dtype == want.dtype, f"{got} {want}"
                    )


def vectors_and_refusals(report):
    one, two_, three = (report.array(np.arange(1.0, 9).reshape(s)) for s in ((8,), (2, 4), (2, 2, 2)))
    compare(report, "norm 1 of a vector", norm(one, 1), np.linalg.norm(np.arange(1.0, 9), 1))
    compare(report, "norm 1 of a matrix", norm(two_, 1), np.linalg.norm(np.arange(1.0, 9).reshape(2, 4), 1))
    for label, call, status in (
        ("three", lambda: norm(three, 1), C.ARR_E_SHAPE),
        ("order", lambda: norm(two_, 3), C.ARR_E_ARGUMENT),
        ("fro", lambda: norm(one, "fro"), C.ARR_E_ARGUMENT),
        ("nan", lambda: norm(one, np.nan), C.ARR_E_ARGUMENT),
        ("axes", lambda: norm(three, 1, (0, 0)), C.ARR_E_ARGUMENT),
        ("many", lambda: norm(three, 1, (0, 1, 2)), C.ARR_E_ARGUMENT),
        ("vector", lambda: matrix_norm(one), C.ARR_E_SHAPE),
    ):
        report.check(f"norm refuses {label}", oracle.raises(status, call))


def khatri(report):
    for d in dtypes(report, ["float32"]):
        a, b = tame((3, 4), d, 1), tame((2, 4), d, 2)
        want = np.vstack([np.kron(a[:, k], b[:, k]) for k in range(4)]).T
        compare(report, f"khatri_rao {d}", two("khatri_rao", report.array(a), on(report, b, "F")), want)
    a, b = tame((5, 3, 4), "int32", 1), tame((2, 4), "int32", 2)
    want = np.einsum("bij,kj->bikj", a, b).reshape(5, 6, 4)
    compare(report, "khatri_rao batch", two("khatri_rao", report.array(a), report.array(b)), want)


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((dots, exact, grams, tensordots, chains, diagonals, norms, empty_norms, khatri)):
        part(r)
    r.finish()
