#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times libarr on the GPU beside CuPy, PyTorch and JAX, each where it is installed; a Markdown table.

Small sizes measure submission, large ones the device. Each figure is the median over rounds of the time per
call of a batch of calls that ends with one wait for the device; results are compared first. Run by run.sh.
"""

import ctypes
import os
import statistics
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import arr_ctypes as c  # noqa: E402
import arrpy  # noqa: E402


class Ours:
    name = "libarr"

    def __init__(self):
        self.device = c.arr_device(c.ARR_CUDA, 0)

    def array(self, a):
        return arrpy.array(a, device="cuda")

    def wait(self):
        arrpy.check(arrpy.lib.arr_device_sync(ctypes.byref(self.device)))

    def host(self, x):
        return x.numpy()

    def add_into(self, out, a, b):
        arrpy.lib.arr_add_into(out.handle, a.handle, b.handle, None)
        return out

    def add(self, a, b):
        return arrpy.apply("add", a, b)

    def exp(self, a):
        return arrpy.apply("exp", a)

    def sum(self, a, axis=None):
        return arrpy.reduce("sum", a, axis=axis)

    def matmul(self, a, b):
        return arrpy.matmul(a, b)

    def layer(self, a, b, bias, gelu):
        """relu or gelu of a b + bias, as a library does it."""
        kind = c.ARR_ACTIVATION_GELU_TANH if gelu else c.ARR_ACTIVATION_RELU
        return arrpy.made("arr_gemm", a.handle, b.handle, None, None, bias.handle, kind | c.ARR_ACTIVATION_FAST, None)

    def exact_layer(self, a, b, bias):
        return arrpy.made("arr_gemm", a.handle, b.handle, None, None, bias.handle, c.ARR_ACTIVATION_RELU, None)

    def transposed_add(self, a):
        return arrpy.apply("add", a, a.transpose())

    def median(self, a):
        return arrpy.made("arr_median", a.handle, 0, None, 0, None)

    def fft(self, a):
        return arrpy.made("arr_fft", a.handle, -1, -1, c.ARR_FFT_BACKWARD, None)

    def solve(self, a, b):
        return arrpy.made("arr_solve", a.handle, b.handle, c.ARR_LINALG_ERROR, None)

    def cholesky(self, a):
        return arrpy.made("arr_cholesky", a.handle, 0, c.ARR_LINALG_ERROR, None)

    def normal(self, n):
        return arrpy.made(
            "arr_random_standard_normal",
            None,
            arrpy.number("float32"),
            1,
            arrpy.int64s([n]),
            ctypes.byref(self.device),
            None,
        )


class CuPy:
    name = "CuPy"

    def __init__(self):
        import cupy

        self.xp = cupy

    def array(self, a):
        return self.xp.asarray(a)

    def wait(self):
        self.xp.cuda.Device().synchronize()

    def host(self, x):
        return self.xp.asnumpy(x)

    def add_into(self, out, a, b):
        return self.xp.add(a, b, out=out)

    def add(self, a, b):
        return a + b

    def exp(self, a):
        return self.xp.exp(a)

    def sum(self, a, axis=None):
        return a.sum(axis=axis)

    def matmul(self, a, b):
        return a @ b

    def layer(self, a, b, bias, gelu):
        x = a @ b + bias
        if not gelu:
            return self.xp.maximum(x, 0)
        return x * (1 + self.xp.tanh(0.7978845608 * (x + 0.044715 * x * x * x))) / 2

    def exact_layer(self, a, b, bias):
        return self.layer(a, b, bias, False)

    def transposed_add(self, a):
        return a + a.T

    def median(self, a):
        return self.xp.median(a)

    def fft(self, a):
        return self.xp.fft.fft(a)

    def solve(self, a, b):
        return self.xp.linalg.solve(a, b)

    def cholesky(self, a):
        return self.xp.linalg.cholesky(a)

    def normal(self, n):
        return self.xp.random.standard_normal(n, dtype=self.xp.float32)


class Torch(CuPy):
    name = "PyTorch"

    def __init__(self):
        import torch

        if not torch.cuda.is_available():
            raise ImportError("torch without CUDA")
        self.xp = torch
        torch.backends.cuda.matmul.allow_tf32 = False

    def array(self, a):
        return self.xp.from_numpy(a).cuda()

    def wait(self):
        self.xp.cuda.synchronize()

    def host(self, x):
        return x.cpu().numpy()

    def sum(self, a, axis=None):
        return a.sum() if axis is None else a.sum(dim=axis)

    def layer(self, a, b, bias, gelu):
        return self.xp._addmm_activation(bias, a, b, use_gelu=gelu)

    def exact_layer(self, a, b, bias):
        return self.xp.relu(self.xp.addmm(bias, a, b))

    def normal(self, n):
        return self.xp.randn(n, device="cuda")


class Jax(CuPy):
    name = "JAX"

    def __init__(self):
        import jax
        import jax.numpy as jnp

        jax.config.update("jax_enable_x64", True)
        if jax.default_backend() != "gpu":
            raise ImportError("JAX without a GPU")
        self.xp, self.jax, self.last = jnp, jax, None

    def array(self, a):
        return self.xp.asarray(a)

    def wait(self):
        self.jax.effects_barrier()
        self.xp.zeros(()).block_until_ready()

    def host(self, x):
        return np.asarray(x)

    def add_into(self, out, a, b):
        return a + b  # JAX has no destinations

    def normal(self, n):
        self.last = self.jax.random.key(0) if self.last is None else self.last
        self.last, key = self.jax.random.split(self.last)
        return self.jax.random.normal(key, (n,), dtype=self.xp.float32)


def close(got, want):
    return np.allclose(got, want, rtol=1e-3, atol=1e-1)


def near(got, want):
    """True if the distance of large sums, or of solutions, is a small part of the whole."""
    return np.linalg.norm((got - want).ravel()) <= 1e-3 * np.linalg.norm(want.ravel())


def nearly(got, want):
    """The same of 16-bit floats, and of approximations."""
    got, want = got.astype("f8"), want.astype("f8")
    return np.linalg.norm((got - want).ravel()) <= 5e-3 * np.linalg.norm(want.ravel())


def alike(got, want):
    """Random numbers of the same mean and spread."""
    return all(abs(x.mean(dtype="f8")) < 0.01 and abs(x.std(dtype="f8") - 1) < 0.01 for x in (got, want))


def workloads():
    """Name, work, arrays, whether results agree."""
    for row in elementwise():
        yield *row, close
    yield from libraries()


def libraries():
    """Work of cuBLAS, cuSOLVER, cuFFT and generators."""
    random = np.random.default_rng(4)

    def normal(*shape):
        return random.standard_normal(shape, dtype=np.float32)

    def complexes(*shape):
        return normal(*shape) + 1j * normal(*shape)

    def definite(*shape):
        x = normal(*shape)
        return x @ np.swapaxes(x, -1, -2) + shape[-1] * np.eye(shape[-1], dtype=np.float32)

    batch, large = normal(256, 64, 64), definite(2048, 2048)
    yield "matmul, 256 of 64^2", lambda m, a, b: m.matmul(a, b), (batch, batch.copy()), close
    for name in ("float16", "float32"):
        a, b, bias = (normal(*shape).astype(name) for shape in ((4096, 1024), (1024, 1024), (1024,)))
        yield (
            f"relu(a b + bias) {name}, 4096 x 1024 x 1024",
            lambda m, a, b, c: m.exact_layer(a, b, c),
            (a, b, bias),
            nearly,
        )
        yield f"the same {name}, relu of the library", lambda m, a, b, c: m.layer(a, b, c, False), (a, b, bias), nearly
        yield f"gelu(a b + bias) {name}, the library's", lambda m, a, b, c: m.layer(a, b, c, True), (a, b, bias), nearly
    yield "solve, 2048, 16 right sides", lambda m, a, b: m.solve(a, b), (large, normal(2048, 16)), near
    yield "solve, 4096 of 16^2", lambda m, a, b: m.solve(a, b), (definite(4096, 16, 16), normal(4096, 16, 1)), near
    yield "cholesky, 2048", lambda m, a: m.cholesky(a), (large,), near
    yield "cholesky, 4096 of 16^2", lambda m, a: m.cholesky(a), (definite(4096, 16, 16),), near
    yield "fft complex64, 2^20", lambda m, a: m.fft(a), (complexes(1 << 20),), near
    yield "fft complex64, 4096 of 1024", lambda m, a: m.fft(a), (complexes(4096, 1024),), near
    yield "normal float32, 2^24", lambda m: m.normal(1 << 24), (), alike


def elementwise():
    random = np.random.default_rng(3)

    def normal(*shape):
        return random.standard_normal(shape, dtype=np.float32)

    small, large = normal(1000), normal(1 << 24)
    square, wide = normal(4096, 4096), normal(1024, 1024)
    yield "add into, 1000", lambda m, a, o: m.add_into(o, a, a), (small, small.copy())
    yield "add, 1000", lambda m, a, o: m.add(a, a), (small, small.copy())
    yield "add into, 2^24", lambda m, a, o: m.add_into(o, a, a), (large, large.copy())
    yield "add, 2^24", lambda m, a, o: m.add(a, a), (large, large.copy())
    yield "exp, 2^24", lambda m, a, o: m.exp(a), (large, large[:1])
    yield "a + a.T, 4096^2", lambda m, a, o: m.transposed_add(a), (square, small)
    yield "sum, 2^24", lambda m, a, o: m.sum(a), (large, small)
    yield "sum of rows, 4096^2", lambda m, a, o: m.sum(a, 1), (square, small)
    yield "sum of columns, 4096^2", lambda m, a, o: m.sum(a, 0), (square, small)
    yield "median, 2^24 + 1", lambda m, a, o: m.median(a), (normal((1 << 24) + 1), small)  # odd: one of them
    yield "matmul, 1024", lambda m, a, o: m.matmul(a, a), (wide, small)
    yield "matmul, 4096", lambda m, a, o: m.matmul(a, a), (square, small)


def time_of(module, work, arrays, rounds=9):
    work(module, *arrays)
    module.wait()
    calls, times = 1, []
    while True:  # enough calls that the one wait at the end does not count
        start = time.perf_counter()
        for _ in range(calls):
            keep = work(module, *arrays)
        module.wait()
        if time.perf_counter() - start > 0.02 or calls >= 1 << 14:
            break
        calls *= 2
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            keep = work(module, *arrays)
        module.wait()
        times.append((time.perf_counter() - start) / calls * 1e6)
    del keep
    return statistics.median(times)


def main():
    peers, missing = [], []
    for peer in (CuPy, Torch, Jax):
        try:
            peers.append(peer())
        except Exception as e:  # whatever an installation that does not work throws
            missing.append(f"{peer.name}: {type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")
    ours, wrong = Ours(), 0
    print("| workload | libarr | " + " | ".join(f"{p.name} | ratio" for p in peers) + " |")
    print("|---|---:|" + "---:|---:|" * len(peers))
    for name, work, arrays, agreement in workloads():
        mine = [ours.array(a) for a in arrays]
        want, cells = ours.host(work(ours, *mine)), []
        fast = time_of(ours, work, mine)
        for p in peers:
            theirs = [p.array(a) for a in arrays]
            got = p.host(work(p, *theirs))
            agree = agreement(got, want)
            wrong += not agree
            slow = time_of(p, work, theirs)
            cells.append(f"{slow:.1f} | {slow / fast:.2f}" + ("" if agree else " **DIFFERS**"))
        print(f"| {name} | {fast:.1f} | " + " | ".join(cells) + " |", flush=True)
    for line in missing:
        print(f"\nNot timed: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if not arrpy.has_device("cuda"):
        print("there is no CUDA device")
        sys.exit(77)
    sys.exit(main())
