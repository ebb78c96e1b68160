#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Failures of cuBLAS, cuBLASLt, cuFFT, cuSOLVER, cuSPARSE, cuDSS, NCCL, NVRTC and nvJitLink, over the fake: each of their functions fails once, at its
first call and at its last, with two statuses. The call of libarr then says in one line which function failed, leaves
nothing behind, and works when called again. No function of core/cuda/driver/*_api.def may be left out."""

import ctypes
import os
import pathlib
import re
import sys

import numpy as np

import oracle
from matrices import (
    DTYPES,
    cholesky,
    definite,
    eig,
    eigh,
    inv,
    lu_factor,
    lstsq,
    lu_solve,
    qr,
    random,
    solve,
    solve_triangular,
    svd,
)
from oracle import arrpy
import arrapi  # in the folder that oracle adds

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "sparse"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "comm"))
from ranks import Comm
from sparse_factor import Factor
from sparse_matrix import Sparse

c = arrpy.c
HERE = pathlib.Path(__file__).resolve()
LIBRARIES = ("cublas", "cublaslt", "cufft", "cusolver", "cusparse", "cudss", "nccl", "nvrtc", "nvjitlink")
CODES = {
    "cublas": (3, 14),
    "cublaslt": (3, 14),
    "cufft": (2, 5),
    "cusolver": (2, 7),
    "cusparse": (2, 7),
    "cudss": (2, 6),
    "nccl": (1, 3),
    "nvrtc": (1, 11),
    "nvjitlink": (4, 6),
}  # no memory, internal
KINDS = ("streams", "modules", "handles", "graphs", "arrays", "textures", "pinned")
# Called where the library is loaded, once in a process, for the words of what has failed, or (see matmul_lt_test.cpp) at
# the end of what is kept: no call here makes these fail.
ELSEWHERE = {
    "cublasGetStatusName",
    "nvrtcGetErrorString",
    "nvrtcVersion",
    "nvrtcGetNumSupportedArchs",
    "nvrtcGetSupportedArchs",
    "nvJitLinkVersion",
    "nvrtcGetProgramLog",
    "nvJitLinkGetErrorLogSize",
    "nvJitLinkGetErrorLog",
    "nvJitLinkGetInfoLog",
    "cufftXtSetJITCallback",  # whose failure is no failure of a call: fft_callbacks.py
    "cublasLtGetStatusName",
    "cublasLtCreate",
    "cublasLtMatmulDescDestroy",
    "cublasLtMatrixLayoutDestroy",
    "cublasGetProperty",
    "cufftGetProperty",
    "cufftGetVersion",
    "cusolverGetProperty",
    "cusparseGetErrorName",
    "cusparseGetProperty",
    "cudssCreate",
    "cudssDestroy",
    "cudssGetProperty",
    "ncclGetVersion",
    "ncclGetErrorString",
    "ncclCommAbort",
    "ncclCommShrink",  # of several ranks: nccl.py
}
# Calls whose failure is not reported: an end, and words that go to a log. cublasSetStream also gives the workspace back.
SILENT = re.compile("[Dd]estroy|Log|cublasSetStream")


def functions():
    """(library, function) of all there are."""
    for library in LIBRARIES:
        text = (HERE.parents[2] / "core" / "cuda" / "driver" / f"{library}_api.def").read_text()
        for name in re.findall(r"^ARR_\w+_FN\((\w+),", text, re.M):
            yield library, name


class Work:
    """Pieces of work by name; each makes what it needs anew, so that handles and plans are made in it."""

    def __init__(self, report):
        self.report, self.device, self.columns = report, arrpy.device_of(report.device), 17
        self.kept = []  # matrices

    def on_stream(self, name, *arrays):
        """A call in a stream of its own, which has its own handles of the libraries."""
        s = arrapi.call("arr_stream_create", device=self.device)["out"]
        try:
            out = arrapi.call(name, stream=s, **arrays[0])["out"]
            arrapi.call("arr_stream_sync", stream=s)
            return [out.numpy()]
        finally:
            arrapi.call("arr_stream_release", stream=s)

    def products(self):
        a = self.report.array(random((17, 17), "float32", 1))
        return self.on_stream("arr_matmul", {"a": a, "b": a})

    def fused(self):
        """The algorithm for a shape is kept: another shape each time, made of zeros beyond the first."""
        self.columns += 1
        a = np.zeros((2, 17, self.columns), "f4")
        a[:, :, :17] = np.arange(17)
        x, bias = self.report.array(a), self.report.array(np.arange(17, dtype="f4"))
        y = self.report.array(np.ascontiguousarray(np.swapaxes(a, -1, -2)))
        return self.on_stream("arr_gemm", {"a": x, "b": y, "c": bias, "activation": c.ARR_ACTIVATION_RELU})

    def solvers(self):
        a = self.report.array(random((9, 9), "float64", 1) + 9 * np.eye(9))
        return self.on_stream("arr_inv", {"a": a})

    def factors(self):
        found = []
        for d in DTYPES:
            a, b = random((9, 9), d, 1) + 9 * np.eye(9, dtype=d), random((9, 2), d, 2)
            x, y, p = self.report.array(a), self.report.array(b), self.report.array(definite((9, 9), d))
            found += [solve(x, y), inv(x), cholesky(p), solve_triangular(x, y), *qr(x), *svd(x), *eigh(p), *eig(x)]
            f = lu_factor(x)
            found.append(lu_solve(f, y))
            found += lstsq(self.report.array(random((60, 32), d, 3)), self.report.array(random((60, 2), d, 4)))
        return [f.numpy() for f in found]

    def stacks(self):
        found = []
        for d in DTYPES:
            a, b = random((64, 8, 8), d, 1) + 9 * np.eye(8, dtype=d), random((64, 8, 2), d, 2)
            x, y, p = self.report.array(a), self.report.array(b), self.report.array(definite((64, 8, 8), d))
            found += [
                solve(x, y, 1),
                cholesky(p, 0, 1),
                solve_triangular(x, y, 0, 0, 0, 1),
                *eigh(p, 1, 1),
                *qr(x),
                *svd(x, 0, 1),
            ]
        return [f.numpy() for f in found]

    def transforms(self):
        arrapi.call("arr_fft_cache_clear", device=self.device)
        a = self.report.array(np.arange(300, dtype="f8").reshape(3, 100))
        return self.on_stream("arr_fft", {"a": a, "axis": 1})

    def diagonals(self, n):
        """A lower triangle with six diagonals, and its values."""
        diagonals = [self.report.array(np.full(1, x)) for x in (2.0, 3.0, -1.0, 0.5, 4.0, 20.0)]
        handles = (c.arr_array * 6)(*(x.handle for x in diagonals))
        a = Sparse.made("arr_sparse_diags", n, n, 6, handles, arrpy.int64s(range(-5, 1)), None)
        return a, a.part("data")

    def sparse(self):
        """Products, and solves of which the second has other values than the analysis."""
        if not self.kept:
            self.kept.append(self.diagonals(20000)[0])
        large, (small, values), found = self.kept[0], self.diagonals(30), []
        lower = c.ARR_TRIANGULAR_LOWER
        s = arrapi.call("arr_stream_create", device=self.device)["out"]
        try:
            for columns in ((), (2,)):
                x, b = (self.report.array(np.ones((n, *columns))) for n in (20000, 30))
                found.append(arrpy.made("arr_sparse_matmul", large.handle, x.handle, s))
                for data in (values, arrpy.apply("multiply", values, 2.0)):
                    a = Sparse.made("arr_sparse_with_data", small.handle, data.handle, s)
                    found.append(arrpy.made("arr_sparse_solve_triangular", a.handle, b.handle, lower, 0, s))
            arrapi.call("arr_stream_sync", stream=s)
        finally:
            arrapi.call("arr_stream_release", stream=s)
        return [f.numpy() for f in found]

    def sparse_factors(self):
        a, _ = self.diagonals(30)
        b, found = self.report.array(np.ones(30)), []
        f = Factor("arr_sparse_lu", a, None, None)
        definite = Sparse.made("arr_sparse_eye", 30, 30, 0, arrpy.number("float64"), ctypes.byref(self.device), None)
        hermitian = [Factor(f"arr_sparse_{kind}", definite, False, 0, None) for kind in ("cholesky", "ldl")]
        for factor in (f, Factor("arr_sparse_refactor", f, a, None), *hermitian):
            found.append(factor.solve(b))
        return [f.numpy() for f in found]

    def communicator(self):
        """All calls of NCCL, of a single rank."""
        comm = Comm.nccl(1, self.report.device)[0]
        a, b = self.report.array(np.arange(6.0)), self.report.array(np.zeros(6))
        with comm.group():
            comm.send(a, 0)
            comm.recv(b, 0)
        comm.all_reduce(b, b)
        comm.reduce(b, b)
        comm.broadcast(b)
        comm.all_gather(b, a)
        comm.reduce_scatter(b, a)
        return [b.numpy()]

    def run(self, module, name):
        out = self.report.array(np.zeros(1, "i4"))
        kernel = arrapi.call("arr_module_kernel", m=module, name=name)["out"]
        value = arrpy.value(out)
        try:
            arrapi.call(
                "arr_launch_raw",
                k=kernel,
                grid=arrpy.int64s([1, 1, 1]),
                block=arrpy.int32s([1, 1, 1]),
                nargs=1,
                args=(c.arr_value * 1)(value),
            )
            return [out.numpy()]
        finally:
            arrapi.call("arr_kernel_release", k=kernel)

    def kernels(self):
        arrapi.call("arr_cache_clear")  # of its own: each time the source is compiled
        text = b"template <int N> __global__ void k(int* x) { x[0] = N; }"
        module = arrapi.call("arr_module_create", source=text, device=self.device)["out"]
        try:
            return self.run(module, b"k<7>")
        finally:
            arrapi.call("arr_module_release", m=module)

    def images(self):
        arrapi.call("arr_cache_clear")
        text = b'extern "C" __global__ void k(int* x) { x[0] = 5; }'
        for kind in (c.ARR_IMAGE_PTX, c.ARR_IMAGE_CUBIN, c.ARR_IMAGE_LTOIR):
            arrapi.call("arr_module_image", source=text, kind=kind, device=self.device, capacity=0)
        return []

    def links(self):
        arrapi.call("arr_cache_clear")
        texts = [
            b"__device__ int seven() { return 7; }",
            b'__device__ int seven(); extern "C" __global__ void k(int* x) { x[0] = seven(); }',
        ]
        inputs = (c.arr_module_input * 2)(
            *(
                c.arr_module_input(
                    ctypes.cast(ctypes.create_string_buffer(t), ctypes.c_void_p), len(t), c.ARR_IMAGE_SOURCE, 0, None
                )
                for t in texts
            )
        )
        module = arrapi.call("arr_module_link", ninputs=2, inputs=inputs, device=self.device)["out"]
        try:
            return self.run(module, b"k")
        finally:
            arrapi.call("arr_module_release", m=module)

    ALL = (
        "products",
        "fused",
        "solvers",
        "factors",
        "stacks",
        "transforms",
        "sparse",
        "sparse_factors",
        "communicator",
        "kernels",
        "images",
        "links",
    )


class Fake:
    def __init__(self):
        self.library = ctypes.CDLL(os.environ["ARR_CUDA_DRIVER"])
        self.library.arr_fake_cuda_calls.restype = self.library.arr_fake_cuda_live.restype = ctypes.c_int64
        self.library.arr_fake_cuda_fail.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_int32, ctypes.c_int32]

    def calls(self):
        return {name: self.library.arr_fake_cuda_calls(name.encode()) for _, name in functions()}

    def live(self):
        arrapi.call("arr_memory_trim")
        return (
            {k: self.library.arr_fake_cuda_live(k.encode()) for k in KINDS},
            arrpy.lib.arr_live_handles(),
            arrpy.lib.arr_live_objects(),
        )


def names_of(function):
    """The names by which a text may call a function: without its version and the letter of its type."""
    plain = function.replace("_v2", "")
    if function.startswith("nvJitLink"):  # which names what it was linking
        plain = "nvJitLink"
    return {
        plain,
        re.sub("^(cublas|cusolverDn)[SDCZ]", r"\1", plain).replace("ungqr", "orgqr").replace("unmqr", "ormqr"),
    }


def one(report, fake, work, function, call, code):
    """One failure: what libarr says, and that it works on."""
    label = f"{work.__name__} {function} call {call} code {code}"
    live = fake.live()
    fake.library.arr_fake_cuda_fail(function.encode(), call, code, 0)
    try:
        work()
        report.check(label, bool(SILENT.search(function)), "no failure was reported")
    except arrpy.Error as e:
        words = str(e)
        report.check(
            label,
            e.status in (c.ARR_E_MEMORY, c.ARR_E_DEVICE, c.ARR_E_COMPILE, c.ARR_E_UNAVAILABLE, c.ARR_E_LOST)
            and "\n" not in words
            and any(n in words for n in names_of(function)),
            f"{e.status} {words}",
        )
    return label, live


def sweep(report, fake, work, called):
    work()
    before = fake.calls()
    want = work()
    counts = {name: n - before[name] for name, n in fake.calls().items()}
    called |= {name for name, n in counts.items() if n}
    for library, name in functions():
        if name in ELSEWHERE:
            continue
        for call in sorted({1, counts[name]} - {0} if counts[name] else ()):
            for code in CODES[library]:
                label, live = one(report, fake, work, name, call, code)
                got = work()
                good = len(got) == len(want) and all(np.array_equal(a, b) for a, b in zip(got, want))
                report.check(f"{label}: the next call", good)
                after = fake.live()
                report.check(f"{label}: what is left", after == live or "Destroy" in name, f"{live}, then {after}")


def main():
    report = oracle.Report(__doc__)
    fake, work, called = Fake(), Work(report), set()
    for name in Work.ALL:
        if report.wants(name):
            sweep(report, fake, getattr(work, name), called)
    left = [name for _, name in functions() if name not in called | ELSEWHERE]
    report.check("every function fails", bool(report.only) or not left, f"never called: {left}")
    report.finish()


if __name__ == "__main__":
    main()
