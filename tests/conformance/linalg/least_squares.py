#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Least squares, pseudoinverses, ranks, tensor equations and exponentials of matrices against NumPy 2, SciPy and NIST."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.linalg

import oracle
from matrices import (
    DTYPES,
    bounded,
    eps,
    expm,
    graded,
    lstsq,
    matrix_rank,
    norm,
    pinv,
    pinv_with,
    random,
    shape_and_type,
    tensorinv,
    tensorsolve,
    told,
    views,
    wide,
)
from oracle import arrpy

C = arrpy.c

# NIST's Statistical Reference Datasets (public domain), www.itl.nist.gov/div898/strd: data and certified values.
LONGLEY = np.array(
    [
        float(x)
        for x in """
60323 83.0 234289 2356 1590 107608 1947 61122 88.5 259426 2325 1456 108632 1948 60171 88.2 258054 3682 1616 109773 1949
61187 89.5 284599 3351 1650 110929 1950 63221 96.2 328975 2099 3099 112075 1951 63639 98.1 346999 1932 3594 113270 1952
64989 99.0 365385 1870 3547 115094 1953 63761 100.0 363112 3578 3350 116219 1954 66019 101.2 397469 2904 3048 117388 1955
67857 104.6 419180 2822 2857 118734 1956 68169 108.4 442769 2936 2798 120445 1957 66513 110.8 444546 4681 2637 121950 1958
68655 112.6 482704 3813 2552 123366 1959 69564 114.2 502601 3931 2514 125368 1960 69331 115.7 518173 4806 2572 127852 1961
70551 116.9 554894 4007 2827 130081 1962""".split()
    ]
).reshape(16, 7)
LONGLEY_CERTIFIED = [
    -3482258.63459582,
    15.0618722713733,
    -0.358191792925910e-01,
    -2.02022980381683,
    -1.03322686717359,
    -0.511041056535807e-01,
    1829.15146461355,
]
LONGLEY_RESIDUAL = 836424.055505915
FILIP = np.array(
    [
        float(x)
        for x in """
0.8116 -6.860120914 0.9072 -4.324130045 0.9052 -4.358625055 0.9039 -4.358426747 0.8053 -6.955852379 0.8377 -6.661145254
0.8667 -6.355462942 0.8809 -6.118102026 0.7975 -7.115148017 0.8162 -6.815308569 0.8515 -6.519993057 0.8766 -6.204119983
0.8885 -5.853871964 0.8859 -6.109523091 0.8959 -5.79832982 0.8913 -5.482672118 0.8959 -5.171791386 0.8971 -4.851705903
0.9021 -4.517126416 0.909 -4.143573228 0.9139 -3.709075441 0.9199 -3.499489089 0.8692 -6.300769497 0.8872 -5.953504836
0.89 -5.642065153 0.891 -5.031376979 0.8977 -4.680685696 0.9035 -4.329846955 0.9078 -3.928486195 0.7675 -8.56735134
0.7705 -8.363211311 0.7713 -8.107682739 0.7736 -7.823908741 0.7775 -7.522878745 0.7841 -7.218819279 0.7971 -6.920818754
0.8329 -6.628932138 0.8641 -6.323946875 0.8804 -5.991399828 0.7668 -8.781464495 0.7633 -8.663140179 0.7678 -8.473531488
0.7697 -8.247337057 0.77 -7.971428747 0.7749 -7.676129393 0.7796 -7.352812702 0.7897 -7.072065318 0.8131 -6.774174009
0.8498 -6.478861916 0.8741 -6.159517513 0.8061 -6.835647144 0.846 -6.53165267 0.8751 -6.224098421 0.8856 -5.910094889
0.8919 -5.598599459 0.8934 -5.290645224 0.894 -4.974284616 0.8957 -4.64454848 0.9047 -4.290560426 0.9129 -3.885055584
0.9209 -3.408378962 0.9219 -3.13200249 0.7739 -8.726767166 0.7681 -8.66695597 0.7665 -8.511026475 0.7703 -8.165388579
0.7702 -7.886056648 0.7761 -7.588043762 0.7809 -7.283412422 0.7961 -6.995678626 0.8253 -6.691862621 0.8602 -6.392544977
0.8809 -6.067374056 0.8301 -6.684029655 0.8664 -6.378719832 0.8834 -6.065855188 0.8898 -5.752272167 0.8964 -5.132414673
0.8963 -4.811352704 0.9074 -4.098269308 0.9119 -3.66174277 0.9228 -3.2644011""".split()
    ]
).reshape(82, 2)
FILIP_CERTIFIED = [
    -1467.48961422980,
    -2772.17959193342,
    -2316.37108160893,
    -1127.97394098372,
    -354.478233703349,
    -75.1242017393757,
    -10.8753180355343,
    -1.06221498588947,
    -0.670191154593408e-01,
    -0.246781078275479e-02,
    -0.402962525080404e-04,
]


def digits(got, certified):
    """NIST's measure: correct digits of the worst coefficient."""
    return float(np.min(-np.log10(np.abs((np.asarray(got) - certified) / certified))))


def least_squares(report):
    y, x = LONGLEY[:, 0], np.column_stack([np.ones(16), LONGLEY[:, 1:]])
    got, residual, rank, s = (v.numpy() for v in lstsq(report.array(x), report.array(y), 0.0))
    longley = digits(got, LONGLEY_CERTIFIED)
    # 11.0 to 11.3 by OpenBLAS's loops for four processors and by cuSOLVER's stand-in; NumPy's lstsq has 10.9.
    report.check("longley", longley > 10.7 and rank == 7, f"{longley} digits")
    report.check("longley residual", abs(residual / LONGLEY_RESIDUAL - 1) < 2e-12, f"{residual / LONGLEY_RESIDUAL - 1}")
    y, x = FILIP[:, 0], np.vander(FILIP[:, 1], 11, increasing=True)
    got, _, rank, s = (v.numpy() for v in lstsq(report.array(x), report.array(y), 0.0))
    # The condition is 2e15, of columns scaled to one length 5e9. That the powers are rounded to double leaves 7.9 digits
    # to whoever solves without any further error; measured as above were 7.4 to 8.0, with scaled columns 7.3 to 7.8.
    size = np.linalg.norm(x, axis=0)
    scaled = lstsq(report.array(x / size), report.array(y), 0.0)[0].numpy() / size
    report.check(
        "filip",
        digits(scaled, FILIP_CERTIFIED) > 7 and digits(got, FILIP_CERTIFIED) > 7 and rank == 11,
        f"{digits(got, FILIP_CERTIFIED)} digits, scaled {digits(scaled, FILIP_CERTIFIED)}",
    )
    print(
        f"correct digits: Longley {longley:.1f}, Filip {digits(got, FILIP_CERTIFIED):.1f}, with scaled columns {digits(scaled, FILIP_CERTIFIED):.1f}"
    )
    for d in DTYPES if report.device == "host" else DTYPES[1:3]:
        for m, n in ((7, 4), (4, 7), (5, 5), (1, 3)):
            a, b = random((m, n), d, m), random((m, 2), d, n)
            for order, view in views(report, a):
                got, residual, rank, s = (v.numpy() for v in lstsq(view, report.array(b)))
                want = np.linalg.lstsq(wide(a), wide(b), rcond=None)
                near = {"rtol": 1e3 * eps(d), "atol": 1e3 * eps(d)}
                label = f"lstsq {d} {m}x{n} {order}"
                report.check(
                    label,
                    got.dtype == np.dtype(d)
                    and np.allclose(got, want[0], **near)
                    and rank == want[2]
                    and np.allclose(s, want[3], **near)
                    and (want[1].size == 0 or np.allclose(residual, want[1], **near)),
                )
                good = np.allclose(pinv(view).numpy(), np.linalg.pinv(wide(a)), **near)
                report.check(f"pinv {label}", good)
        got = lstsq(report.array(a), report.array(b[:, 0]))
        report.check(f"lstsq {d} vector", got[0].shape == (3,) and got[1].shape == ())
    a = random((3, 6, 2), "float64", 1) @ random((3, 2, 4), "float64", 2)
    b = random((3, 6, 1), "float64", 3)
    got, _, rank, _ = (v.numpy() for v in lstsq(report.array(a), report.array(b)))
    want = np.linalg.pinv(a, rcond=1e-13) @ b
    report.check("lstsq of rank 2", np.allclose(got, want) and np.array_equal(rank, [2, 2, 2]))
    report.check("pinv of rank 2", np.allclose(pinv(report.array(a)).numpy(), np.linalg.pinv(a, rcond=1e-13)))
    report.check("matrix_rank", np.array_equal(matrix_rank(report.array(a)).numpy(), np.linalg.matrix_rank(a)))
    for x in (np.diag([1, 1e-3, 0]), np.zeros((3, 2)), np.ones(3), np.zeros(3), np.array(2.0), np.ones((3, 3), "i4")):
        report.check(f"matrix_rank {x.shape}", matrix_rank(report.array(x)).numpy() == np.linalg.matrix_rank(x))
        report.check(
            f"matrix_rank {x.shape} tol", matrix_rank(report.array(x), 1e-2).numpy() == np.linalg.matrix_rank(x, 1e-2)
        )
    for shape in ((0, 3), (3, 0)):
        x = report.array(np.ones(shape))
        report.check(f"pinv empty {shape}", pinv(x).shape == shape[::-1])
        got = lstsq(x, report.array(np.ones((shape[0], 2))))
        report.check(
            f"lstsq empty {shape}",
            got[0].shape == (shape[1], 2) and np.all(got[0].numpy() == 0) and got[2].numpy() == 0,
        )
        report.check(f"matrix_rank empty {shape}", matrix_rank(x).numpy() == 0)


def tall(report):
    """Matrices of many more rows than columns, which are reduced to a triangle first."""
    for d in DTYPES if report.device == "host" else DTYPES[1:3]:
        for lead, m, n, right in (
            ((), 80, 32, (80, 3)),
            ((2,), 70, 40, (70, 1)),
            ((2, 1), 60, 33, (3, 60, 2)),
            ((), 90, 35, (90,)),
        ):
            a, b = random((*lead, m, n), d, m), random(right, d, n)
            near = {"rtol": 1e3 * eps(d), "atol": 1e3 * eps(d)}
            columns = wide(b)[:, None] if b.ndim == 1 else wide(b)
            want = np.linalg.pinv(wide(a)) @ columns
            left = np.sum(np.abs(wide(a) @ want - columns) ** 2, axis=-2)
            if b.ndim == 1:
                want, left = want[..., 0], left[..., 0]
            for order, view in views(report, a):
                got, residual, rank, s = (v.numpy() for v in lstsq(view, report.array(b)))
                report.check(
                    f"tall lstsq {d} {a.shape} {right} {order}",
                    got.dtype == np.dtype(d)
                    and np.allclose(got, want, **near)
                    and np.allclose(residual, left, **near)
                    and rank.shape == lead
                    and np.all(rank == n)
                    and np.allclose(s, np.linalg.svd(wide(a), compute_uv=False), **near),
                )
    a, b = random((100, 36), "float64", 5), random((100, 2), "float64", 6)
    want = np.linalg.lstsq(a, b, rcond=None)[0]
    for factor in (2.0**1000, 2.0**-1000, 2.0**-1040):
        # Elements too large for QR, and so small that those of 2^-1040 lose digits.
        got, _, rank, _ = (v.numpy() for v in lstsq(report.array(a * factor), report.array(b)))
        with np.errstate(over="ignore"):
            expected = want / factor
        good = np.allclose(got, expected, rtol=1e-9 if factor > 2.0**-1030 else 1, equal_nan=True) or not np.all(
            np.isfinite(expected)
        )
        report.check(f"tall lstsq of elements times {factor}", good and rank == 36)
    size = 10.0 ** np.linspace(-4, 4, 36)
    got = lstsq(report.array(a * size), report.array(b), 0.0)[0].numpy()
    report.check("tall lstsq of columns of many sizes", np.allclose(got * size[:, None], want, rtol=1e-6))
    a[:, 20:] = a[:, :16] @ random((16, 16), "float64", 7)
    got, _, rank, _ = (v.numpy() for v in lstsq(report.array(a), report.array(b)))
    report.check(
        "tall lstsq of rank 20", rank == 20 and np.allclose(got, np.linalg.pinv(a, rcond=1e-13) @ b, rtol=1e-6)
    )
    for bad in (np.nan, np.inf):
        a[50, 10] = bad
        report.check(
            f"tall lstsq of {bad}", oracle.raises(C.ARR_E_LINALG, lambda: lstsq(report.array(a), report.array(b)))
        )


def functions(report):
    for d in DTYPES if report.device == "host" else DTYPES[1:3]:
        for shape in ((1, 1), (5, 5), (3, 4, 4)):
            for size in (1e-3, 1, 30):
                a = (random(shape, d, 4) * np.array(size / shape[-1], d)).astype(d)
                got, want = expm(report.array(a)).numpy(), scipy.linalg.expm(wide(a))
                label = f"expm {d} {shape} {size}"
                report.check(label, got.dtype == np.dtype(d) and got.shape == shape)
                bounded(report, label, norm(got - want), 100 * max(size, 1) * shape[-1] * eps(d) * norm(want))
    report.check("expm of 0", np.allclose(expm(report.array(np.zeros((3, 3)))).numpy(), np.eye(3), rtol=1e-15, atol=0))
    report.check("expm empty", expm(report.array(np.ones((0, 0)))).shape == (0, 0))
    report.check("expm of integers", np.allclose(expm(report.array(np.eye(2, dtype="i4"))).numpy(), np.e * np.eye(2)))
    mixed = np.array([np.zeros((2, 2)), 40 * np.eye(2), np.full((2, 2), np.nan)])
    got = expm(report.array(mixed)).numpy()
    report.check(
        "expm each scaled",
        np.allclose(got[0], np.eye(2), rtol=1e-15, atol=0)
        and np.allclose(got[1], np.exp(40) * np.eye(2))
        and bool(np.isnan(got[2]).all()),
    )
    a, b = random((2, 3, 6), "float64", 1), random((2, 3), "float64", 2)
    report.check(
        "tensorsolve", np.allclose(tensorsolve(report.array(a), report.array(b)).numpy(), np.linalg.tensorsolve(a, b))
    )
    a = random((2, 6, 3), "float64", 1)
    want = np.linalg.tensorsolve(a, b.reshape(2, 3), axes=(1,))
    got = tensorsolve(report.array(a), report.array(b), (1,)).numpy()
    report.check("tensorsolve axes", got.shape == want.shape and np.allclose(got, want))
    a = random((2, 3, 4, 6, 4), "float64", 3)
    b = random((4, 6), "float64", 3)
    want = np.linalg.tensorsolve(a, b, axes=(1, 0, 2))
    got = tensorsolve(report.array(a), report.array(b), (1, 0, 2)).numpy()
    report.check("tensorsolve moved", got.shape == want.shape and np.allclose(got, want))
    a = random((4, 6, 8, 3), "float64", 1)
    got, want = tensorinv(report.array(a)).numpy(), np.linalg.tensorinv(a)
    report.check("tensorinv", got.shape == want.shape and np.allclose(got, want))
    a = random((24, 8, 3), "float64", 1)
    report.check("tensorinv 1", np.allclose(tensorinv(report.array(a), 1).numpy(), np.linalg.tensorinv(a, 1)))
    x = report.array(np.ones((2, 3)))
    for label, call, status in (
        ("tensorinv shape", lambda: tensorinv(x, 1), C.ARR_E_SHAPE),
        ("tensorinv ind", lambda: tensorinv(x, 0), C.ARR_E_ARGUMENT),
        ("tensorsolve shape", lambda: tensorsolve(x, x), C.ARR_E_SHAPE),
        ("expm shape", lambda: expm(x), C.ARR_E_SHAPE),
        ("tensorsolve axis", lambda: tensorsolve(x, x, (2,)), C.ARR_E_SHAPE),
        ("tensorsolve twice", lambda: tensorsolve(x, x, (0, 0)), C.ARR_E_ARGUMENT),
        ("lstsq shape", lambda: lstsq(x, report.array(np.ones(3))), C.ARR_E_SHAPE),
        ("pinv rcond", lambda: pinv(x, float("nan")), C.ARR_E_ARGUMENT),
    ):
        report.check(label, oracle.raises(status, call))


def conditions(report):
    kinds = {None: C.ARR_NORM_DEFAULT, "fro": C.ARR_NORM_FRO, "nuc": C.ARR_NORM_NUC}
    singular, poisoned = np.array([[1.0, 2], [2, 4]]), np.array([[1.0, np.nan], [2, 4]])
    for label, a in (
        ("square", random((4, 4), "float64", 1)),
        ("batch", random((2, 3, 5, 5), "float64", 2)),
        ("complex", random((3, 3), "complex128", 3)),
        ("float32", random((4, 4), "float32", 4)),
        ("singular", singular),
        ("nan", poisoned),
        ("tall", random((6, 3), "float64", 5)),
        ("zeros", np.zeros((2, 2))),
        ("zeros complex", np.zeros((3, 3), "c8")),
        ("stacked zeros", np.array([np.eye(2), np.zeros((2, 2)), [[0, 1], [0, 0]]])),
        ("stacked nan", np.array([np.eye(2), poisoned, np.zeros((2, 2))])),
        ("one", np.zeros((1, 1))),
        ("flat zeros", np.zeros((2, 4))),
    ):
        for order in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
            # Singular values of nan are none, for NumPy either.
            if (
                label in ("tall", "flat zeros")
                and order not in (None, 2, -2)
                or "nan" in label
                and order in (None, 2, -2, "nuc")
                or order == "nuc"
                and (label == "singular" or "zero" in label or label == "one")
            ):
                continue
            x = report.array(a)
            got = arrpy.made(
                "arr_cond",
                x.handle,
                kinds.get(order, C.ARR_NORM_P),
                0.0 if isinstance(order, str) or order is None else float(order),
                None,
            ).numpy()
            want = np.linalg.cond(a, order)
            exact = 2e-4 if a.dtype == np.float32 else 1e-9
            good = (
                got.shape == want.shape
                and np.allclose(got, want, rtol=exact, equal_nan=True)
                or label == "singular"
                and bool(np.all((got > 1e15) | (got < 1e-15)))
            )
            report.check(f"cond {label} {order}", good, f"{got}, NumPy {want}")
    x = report.array(np.ones((2, 3)))
    report.check(
        "cond of what is not square",
        oracle.raises(C.ARR_E_SHAPE, lambda: arrpy.made("arr_cond", x.handle, C.ARR_NORM_FRO, 0.0, None)),
    )
    for shape in ((0, 0), (0, 3), (2, 0, 0), (0, 2, 0)):
        none = report.array(np.ones(shape))
        for order in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
            number = 0.0 if isinstance(order, str) or order is None else float(order)
            kind = kinds.get(order, C.ARR_NORM_P)
            text = str(shape).replace(" ", "")
            told(
                report,
                f"cond of {shape} {order}",
                lambda a=none, k=kind, n=number: arrpy.made("arr_cond", a.handle, k, n, None),
                C.ARR_E_SHAPE,
                f"argument a: shape {text}: an empty matrix",
            )
    several = report.array(np.ones((0, 2, 2)))
    report.check("cond of no matrices", arrpy.made("arr_cond", several.handle, C.ARR_NORM_FRO, 0.0, None).shape == (0,))


def limits(report):
    """pinv with a limit per matrix."""
    for d in DTYPES:
        a = np.stack([graded(6, d, 1e3, i) for i in range(6)]).reshape(2, 3, 6, 6)[..., :4]
        for rcond in (
            np.array([[0, 1e-2, 0.3], [0.5, 1e-1, 1e-3]]),
            np.array([0, 1e-2, 0.3]),
            np.array([[1e-1], [1e-3]]),
            np.array(1e-1),
            np.array([0, 1, 0]),
        ):
            for real in ("float64", "float32") if rcond.dtype.kind == "f" else ("int64", "bool"):
                given = rcond.astype(real)
                got = pinv_with(report.array(a), report.array(given)).numpy()
                want = np.linalg.pinv(wide(a), given.astype("f8"))
                label = f"pinv {d} limits {real} {rcond.shape}"
                shape_and_type(report, label, got, want.shape, d)
                bounded(report, label, norm(got - want), 1e3 * eps(d) * 1e3 * norm(want))
    x = report.array(np.ones((3, 2, 2)))
    one = report.array(np.ones((2, 2)))
    for shape, of_rcond in (((0, 2, 3), (0,)), ((3, 2, 0), (3,))):
        got = pinv_with(report.array(np.ones(shape)), report.array(np.ones(of_rcond)))
        report.check(f"limits of {shape}", got.shape == (shape[0], shape[2], shape[1]))
    two = report.array(np.ones(2))
    told(report, "limits of 2", lambda: pinv_with(x, two), C.ARR_E_SHAPE, "argument rcond", "(3,)")
    told(report, "limits of one", lambda: pinv_with(one, two), C.ARR_E_SHAPE, "argument rcond")
    told(report, "complex limits", lambda: pinv_with(x, report.array(np.ones(3, "c16"))), C.ARR_E_DTYPE, "rcond")
    told(report, "limits of a vector", lambda: pinv_with(report.array(np.ones(3)), x), C.ARR_E_SHAPE, "argument a")


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    for part in r.chosen((least_squares, tall, functions, limits, conditions)):
        part(r)
    r.finish()
