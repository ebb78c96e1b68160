#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often the libraries of CUDA are called, over the fake, which counts: stacks of small matrices go as one call, and
what can be read where it lies is not copied. A copy is a launch of a kernel."""

import ctypes
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from matrices import (
    DTYPES,
    cholesky,
    definite,
    det,
    eigh,
    eigvalsh,
    hermitian,
    inv,
    lu,
    lu_factor,
    lu_solve,
    qr,
    qr_r,
    random,
    slogdet,
    solve,
    solve_triangular,
    svd,
    svdvals,
)
from oracle import arrpy
from gemm import gemm

LETTERS = dict(zip(DTYPES, ("cusolverDnSorgqr", "cusolverDnDorgqr", "cusolverDnCungqr", "cusolverDnZungqr")))
WAITS = ["cuStreamSynchronize", "cuCtxSynchronize", "cuEventSynchronize", "cuMemcpyDtoHAsync_v2"]


class Counts:
    """Calls of functions since it was made."""

    def __init__(self, fake):
        self.fake, self.before = fake, {}

    def of(self, name):
        n = self.fake.arr_fake_cuda_calls(name.encode())
        assert n >= 0, name
        return n - self.before.get(name, 0)

    def start(self, names):
        self.before = {}
        self.before = {name: self.of(name) for name in names}


def check(report, fake, label, run, **expected):
    """run() a second time, when kernels and handles are there; names stand for functions of the four types."""
    run()
    counts = Counts(fake)
    letters = dict(zip(DTYPES, "SDCZ"))
    names = {}
    for short, times in expected.items():
        library = "cusolverDn" if short.startswith(("potrf", "gesvdj", "X")) else "cublas"
        typed = short in (
            "trsm_v2",
            "trsmBatched",
            "getrfBatched",
            "getrsBatched",
            "potrfBatched",
            "geqrfBatched",
            "gesvdjBatched",
        )
        full = (
            [short]
            if short.startswith("cu")
            else [library + t + short for t in letters.values()]
            if typed
            else [library + short]
        )
        names[short] = full, times
    counts.start([f for full, _ in names.values() for f in full])
    kept = run()
    for short, (full, times) in names.items():
        got = sum(counts.of(f) for f in full)
        report.check(f"{label}: {short}", got == times, f"{got} calls, expected {times}")
    return kept


def stacks(report, fake):
    """4096 of 16x16, and no wait where failures are nan."""
    count, n = 4096, 16
    for d in DTYPES:
        a, b = random((count, n, n), d, 1) + 4 * np.eye(n, dtype=d), random((count, n, 2), d, 2)
        x, y = report.array(a), report.array(b)
        none = dict.fromkeys(WAITS, 0)
        check(
            report,
            fake,
            f"solve {d}",
            lambda: solve(x, y, 1),
            getrfBatched=1,
            getrsBatched=1,
            Xgetrf=0,
            Xgetrs=0,
            **none,
        )
        check(report, fake, f"inv {d}", lambda: inv(x, 1), getrfBatched=1, getrsBatched=1, Xgetrf=0, **none)
        check(report, fake, f"det {d}", lambda: det(x), getrfBatched=1, Xgetrf=0, **none)
        check(report, fake, f"slogdet {d}", lambda: slogdet(x), getrfBatched=1, Xgetrf=0, **none)
        check(report, fake, f"lu {d}", lambda: lu(x), getrfBatched=1, Xgetrf=0)
        check(report, fake, f"lu_factor {d}", lambda: lu_factor(x), getrfBatched=1, Xgetrf=0, **none)
        f = lu_factor(x)
        check(
            report, fake, f"lu_solve {d}", lambda: lu_solve(f, y), getrsBatched=1, Xgetrs=0
        )  # waits for a look at the pivots
        check(report, fake, f"triangular {d}", lambda: solve_triangular(x, y, how=1), trsmBatched=1, trsm_v2=0, **none)
        h = report.array(definite((count, n, n), d, 3))
        check(report, fake, f"cholesky {d}", lambda: cholesky(h, 0, 1), potrfBatched=1, Xpotrf=0, **none)
        h = report.array(hermitian((count, n, n), d, 4))
        check(report, fake, f"eigh {d}", lambda: eigh(h, 1, 1), XsyevBatched=1, Xsyevd=0, **none)
        check(report, fake, f"eigvalsh {d}", lambda: eigvalsh(h, 1, 1), XsyevBatched=1, Xsyevd=0, **none)
    for d in DTYPES:
        for shape in ((4096, 16, 16), (100, 40, 9), (100, 9, 40)):
            a = random(shape, d, 5)
            x = report.array(a)
            got = check(report, fake, f"qr r {d} {shape}", lambda: qr_r(x), geqrfBatched=1, Xgeqrf=0, **none).numpy()
            want = np.linalg.qr(a, "r")
            report.check(f"qr r {d} {shape} is right", np.allclose(np.abs(got), np.abs(want), rtol=1e-3, atol=1e-3))
        q, r = check(report, fake, f"qr {d}", lambda: qr(x), geqrfBatched=1, Xgeqrf=0, **{LETTERS[d]: 100})
        report.check(f"qr {d} is right", np.allclose(q.numpy() @ r.numpy(), a, rtol=1e-3, atol=1e-3))
        for shape in ((4096, 16, 16), (100, 32, 9), (100, 9, 32)):
            a = random(shape, d, 6)
            x = report.array(a)
            for full in (0, 1):
                label = f"svd {d} {shape} {full}"
                u, s, v = (
                    w.numpy()
                    for w in check(
                        report, fake, label, lambda full=full: svd(x, full, 1), gesvdjBatched=1, Xgesvd=0, **none
                    )
                )
                k = s.shape[-1]
                report.check(
                    f"{label} is right",
                    np.allclose(u[..., :k] * s[..., None, :] @ v[..., :k, :], a, rtol=1e-3, atol=1e-3),
                )
            s = check(
                report, fake, f"svdvals {d} {shape}", lambda: svdvals(x, 1), gesvdjBatched=1, Xgesvd=0, **none
            ).numpy()
            report.check(
                f"svdvals {d} {shape} is right",
                np.allclose(s, np.linalg.svd(a, compute_uv=False), rtol=1e-3, atol=1e-3),
            )
    # One, and large ones, each on the whole device.
    one = report.array(np.eye(16))
    check(report, fake, "one matrix", lambda: solve(one, one), getrfBatched=0, Xgetrf=1, Xgetrs=1)
    large = report.array(np.array([np.eye(300)] * 2))
    check(report, fake, "large ones", lambda: cholesky(large), potrfBatched=0, Xpotrf=2)
    check(report, fake, "svd of one", lambda: svd(one), gesvdjBatched=0, Xgesvd=1)
    taller = report.array(np.array([np.ones((33, 5))] * 3))
    check(report, fake, "svd of 33 rows", lambda: svd(taller), gesvdjBatched=0, Xgesvd=3)
    check(report, fake, "qr of one", lambda: qr_r(one), geqrfBatched=0, Xgeqrf=1)
    check(report, fake, "qr of large ones", lambda: qr_r(large), geqrfBatched=0, Xgeqrf=2)


def solvers_in_place(report, fake):
    """A kernel copies the right sides; addresses of stacks are one each."""
    for d in DTYPES:
        a, b = random((5, 9, 9), d, 1) + 4 * np.eye(9, dtype=d), random((5, 9, 3), d, 2)
        y, pivots = report.array(b), lu_factor(report.array(a))
        columns = report.array(np.ascontiguousarray(np.swapaxes(a, 1, 2))).transpose(0, 2, 1)
        padded = report.array(np.ascontiguousarray(np.swapaxes(np.pad(a, ((0, 0), (0, 4), (0, 0))), 1, 2))).transpose(
            0, 2, 1
        )[:, :9]
        forms = {
            "row-major": (report.array(a), 0),
            "column-major": (columns, 0),
            "padded": (padded, 0),
            "every second": (report.array(np.repeat(a, 2, 2))[:, :, ::2], 1),
        }
        want = np.linalg.solve(np.triu(a, 1) + np.eye(9), b)
        for name, (x, copies) in forms.items():
            got = check(
                report,
                fake,
                f"triangular of a {name} stack {d}",
                lambda: solve_triangular(x, y, unit=1),
                cuLaunchKernel=3 + copies,
            )
            report.check(
                f"triangular of a {name} stack {d} is right", np.allclose(got.numpy(), want, rtol=1e-3, atol=1e-4)
            )
            one, right = x[0], y[0]
            got = check(
                report,
                fake,
                f"triangular {name} {d}",
                lambda: solve_triangular(one, right, unit=1),
                cuLaunchKernel=1 + copies,
            )
            report.check(f"triangular {name} {d} is right", np.allclose(got.numpy(), want[0], rtol=1e-3, atol=1e-4))
        first = columns[0]
        got = check(
            report,
            fake,
            f"one triangle for all {d}",
            lambda: solve_triangular(first, y, unit=1),
            trsmBatched=1,
            cuLaunchKernel=3,
        )
        want = np.linalg.solve(np.triu(a[0], 1) + np.eye(9), b)
        report.check(f"one triangle for all {d} is right", np.allclose(got.numpy(), want, rtol=1e-3, atol=1e-4))
        # Pivots are looked at, moved into the backend's range, and for a single matrix widened.
        got = check(report, fake, f"lu_solve of a stack {d}", lambda: lu_solve(pivots, y), cuLaunchKernel=5)
        report.check(f"lu_solve of a stack {d} is right", np.allclose(a @ got.numpy(), b, rtol=1e-2, atol=1e-3))
        p, q, right = pivots[0][0], pivots[1][0], y[0]
        got = check(report, fake, f"lu_solve {d}", lambda: lu_solve((p, q), right), cuLaunchKernel=4)
        report.check(f"lu_solve {d} is right", np.allclose(a[0] @ got.numpy(), b[0], rtol=1e-2, atol=1e-3))


def einsum(subscripts, *arrays):
    handles = (arrpy.c.arr_array * len(arrays))(*(x.handle for x in arrays))
    return arrpy.made("arr_einsum", subscripts.encode(), len(arrays), handles, 0, None)


def products_in_place(report, fake):
    product_of = "cublasGemmStridedBatchedEx"
    x, y = report.array(random((4, 6, 5, 8), "float32", 1)), report.array(random((4, 7, 5, 8), "float32", 2))
    turned, wide = x[0, 0].T, report.array(random((6, 20), "float32", 3))
    cut = wide[:, 3:11]
    cases = {
        "bqhd,bkhd->bhqk": (x, y),
        "bqhd,bkhd->bhkq": (x, y),
        "ij,kj->ik": (cut, x[0, 0]),
        "ji,jk->ik": (turned, turned),
        "ij,jk": (cut, turned),
    }
    for subscripts, arrays in cases.items():
        got = check(report, fake, f"einsum {subscripts}", lambda: einsum(subscripts, *arrays), cuLaunchKernel=0)
        want = np.einsum(subscripts, *(a.numpy() for a in arrays))
        report.check(f"einsum {subscripts} is right", np.allclose(got.numpy(), want, rtol=1e-4, atol=1e-4))
    check(
        report,
        fake,
        "matmul of a transpose",
        lambda: arrpy.made("arr_matmul", cut.handle, turned.handle, None),
        cuLaunchKernel=0,
        cublasSetWorkspace_v2=1,
        cuMemAlloc_v2=0,
        **{product_of: 1},
    )  # the workspace is the pool's, of the first product


def scaled_products(report, fake):
    """alpha, beta and what is added go into cuBLAS or cuBLASLt where they can: a launch is the pass over the product
    otherwise."""
    blas, lt = "cublasGemmStridedBatchedEx", "cublasLtMatmul"
    for d in DTYPES + ["float16"]:
        a, b, c = (
            random(shape, "float32" if d == "float16" else d, k).astype(d)
            for k, shape in enumerate(((3, 6, 5), (3, 5, 4), (3, 6, 4)), 1)
        )
        x, y, z = (report.array(v) for v in (a, b, c))
        same = {"rtol": 1e-2, "atol": 2e-2} if d == "float16" else {"rtol": 1e-4, "atol": 1e-4}
        product = a.astype("f4") @ b.astype("f4") if d == "float16" else a @ b

        def scaled(label, launches, want, alpha, beta, added, activation=0, out=None, product_of=blas, products=1):
            for _ in range(2):  # the second time kernels are there
                if out is not None:
                    before = report.array(c)
                    arrpy.call("arr_assign", out.handle, before.handle, None)
                counts = Counts(fake)
                counts.start([product_of, "cuLaunchKernel"])
                got = gemm(x, y, alpha, beta, added, activation, out)
                calls = counts.of(product_of), counts.of("cuLaunchKernel")
            good = calls == (products, launches)
            report.check(f"{label} {d}: calls", good, f"{calls[0]} products, {calls[1]} launches")
            report.check(f"{label} {d} is right", np.allclose(got.numpy(), want, **same))

        scaled("alpha", 0, 0.5 * product, 0.5, None, None)
        scaled("alpha and an array to add", 0, 0.5 * product + c, 0.5, None, z, product_of=lt)
        # As in BLAS the matrices of a product with the factor 0 are not read.
        scaled("alpha 0", 2, 0 * product, 0, None, None, products=0)
        scaled("beta into c", 0, product - 2 * c, None, -2, z, out=z)
        scaled("alpha and beta into c", 0, 0.5 * product - 2 * c, 0.5, -2, z, out=z)
        scaled("beta 0 into c", 1, product, None, 0, z, out=z)
        part = report.array(np.pad(c, ((0, 0), (0, 1), (2, 3))))[:, :6, 2:6]
        scaled("alpha and beta into a part", 0, 0.5 * product - 2 * c, 0.5, -2, part, out=part)
        if d in ("float32", "float64", "float16"):
            scaled("relu of a scaled one", 1, np.maximum(0.5 * product - 2 * c, 0), 0.5, -2, z, activation=1, out=z)
        else:
            scaled("a complex alpha", 0, (1 - 2j) * product, 1 - 2j, None, None)
    x = report.array(np.full((3, 6, 5), np.nan))
    y = report.array(np.ones((3, 5, 4)))
    report.check("0 times a product of nan is 0", (gemm(x, y, 0).numpy() == 0).all())


def transforms_in_place(report, fake):
    def transformed(label, v, axis, launches):
        got = check(
            report, fake, label, lambda: arrpy.made("arr_fft", v.handle, -1, axis, 0, None), cuLaunchKernel=launches
        )
        report.check(
            f"{label} is right", np.allclose(got.numpy(), np.fft.fft(v.numpy(), axis=axis), rtol=1e-4, atol=1e-4)
        )

    x = report.array(random((6, 8, 10), "complex128", 1))
    views = {"as it is": x, "every second": x[:, ::2, ::2], "a part": x[1:4, 2:7, 3:], "transposed": x.T}
    for name, v in views.items():
        for axis in range(3):
            transformed(f"fft {name} {axis}", v, axis, 0)
    # cuFFT wants 16 bytes of alignment.
    transformed("fft in odd places", report.array(random((64,), "complex64", 1))[1:], 0, 1)


def rows_in_one_kernel(report, fake):
    """A softmax reads each row once: one kernel where a row fits in registers, else a reduction and programs around it."""
    for shape, axis, launches in (
        ((300, 200), 1, 1),
        ((40, 3000), 1, 1),
        ((5, 4, 6), 2, 1),
        ((9, 9000), 1, 3),
        ((300, 200), 0, 3),
    ):
        x = random(shape, "float32", 1)
        a = report.array(x)
        got = check(
            report,
            fake,
            f"softmax {shape} {axis}",
            lambda: arrpy.made("arr_softmax", a.handle, 1, arrpy.int32s([axis]), None),
            cuLaunchKernel=launches,
        )
        e = np.exp(x - x.max(axis, keepdims=True))
        report.check(
            f"softmax {shape} {axis} is right", np.allclose(got.numpy(), e / e.sum(axis, keepdims=True), rtol=1e-5)
        )


def slices_in_one_kernel(report, fake):
    """Slices of many lengths: one launch behind the copy of their bounds; from left to right too."""
    x = report.array(random((70, 90), "float32", 1))
    starts = [0, 3, 4, 9, 2, 7, 11, 60]
    none = dict.fromkeys(WAITS, 0)
    for name in ("add", "subtract"):
        check(report, fake, f"reduceat of {name}", lambda name=name: arrpy.reduceat(name, x, starts), cuLaunchKernel=1)
    check(report, fake, "accumulate of subtract", lambda: arrpy.accumulate("subtract", x, 1), cuLaunchKernel=1, **none)
    check(
        report,
        fake,
        "logsumexp",
        lambda: arrpy.made("arr_logsumexp", x.handle, 1, arrpy.int32s([1]), 0, None),
        cuLaunchKernel=1,
        **none,
    )


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    library = ctypes.CDLL(os.environ["ARR_CUDA_DRIVER"])
    library.arr_fake_cuda_calls.restype = ctypes.c_int64
    for part in r.chosen(
        (
            stacks,
            solvers_in_place,
            products_in_place,
            scaled_products,
            transforms_in_place,
            rows_in_one_kernel,
            slices_in_one_kernel,
        )
    ):
        part(r, library)
    r.finish()
