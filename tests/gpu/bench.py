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

    def transposed_add(self, a):
        return arrpy.apply("add", a, a.transpose())

    def median(self, a):
        return arrpy.made("arr_median", a.handle, 0, None, 0, None)


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

    def transposed_add(self, a):
        return a + a.T

    def median(self, a):
        return self.xp.median(a)


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


def workloads():
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
    for name, work, arrays in workloads():
        mine = [ours.array(a) for a in arrays]
        want, cells = ours.host(work(ours, *mine)), []
        fast = time_of(ours, work, mine)
        for p in peers:
            theirs = [p.array(a) for a in arrays]
            got = p.host(work(p, *theirs))
            agree = np.allclose(got, want, rtol=1e-3, atol=1e-1)
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
