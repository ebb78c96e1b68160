# SPDX-License-Identifier: MIT
"""The peers: how each holds the operands, runs a workload n times and gives its result to NumPy."""

import os
import timeit

import numpy as np

import statements


class Statements:
    """A peer in Python: its statement runs in timeit's loop, so that a call costs what users pay."""

    def __init__(self, version, table, names, operand=lambda x: x, host=np.asarray):
        self.version, self.table, self.names, self.operand, self.host = version, table, names, operand, host

    def open(self, workload, inputs, n):
        """(run(repeats) -> ns per call, result()) or None where the peer has no such call."""
        text = self.table.get(workload.key)
        if text is None:
            return None
        setup, call = text if isinstance(text, tuple) else ("", text)
        space = {**self.names, "n": n, **{name: self.operand(x) for name, x in zip("abc", inputs)}}
        exec(setup, space)  # noqa: S102
        timer = timeit.Timer(call, globals=space)
        first, _, last = call.rpartition("; ")

        def result():
            exec(first, space)  # noqa: S102
            return self.host(eval(last, space))  # noqa: S307

        return lambda repeats: timer.timeit(repeats) / repeats * 1e9, result


class Native:
    """A side of arr_curves.so."""

    def __init__(self, version, library, side):
        self.version, self.library, self.side = version, library, side

    def open(self, workload, inputs, n):
        case = self.library.open(self.side, workload.name, inputs, n)
        return case and (case.run, case.result)


def numpy_peer(_):
    return Statements(np.__version__, statements.NUMPY, {"np": np})


def numexpr_peer(_):
    import numexpr

    return Statements(numexpr.__version__, statements.NUMEXPR, {"ne": numexpr})


def torch_peer(_):
    import torch

    torch.set_num_threads(len(os.sched_getaffinity(0)))
    return Statements(torch.__version__, statements.TORCH, {"torch": torch}, torch.from_numpy, lambda x: x.numpy())


def jax_peer(_):
    import jax

    jax.config.update("jax_enable_x64", True)  # else float64 and int64 become 32 bits
    return Statements(jax.__version__, statements.JAX, {"jax": jax, "jnp": jax.numpy}, jax.numpy.asarray)


def native_peer(side):
    def make(library):
        version = library.version(side)
        if not version:
            raise ModuleNotFoundError(f"the library was built without {side}", name=side)
        return Native(version, library, side)

    return make


PEERS = {
    "numpy": numpy_peer,
    "numexpr": numexpr_peer,
    "torch": torch_peer,
    "jax": jax_peer,
    "eigen": native_peer("eigen"),
    "cpp": native_peer("cpp"),
}
LANGUAGES = "julia", "fortran"  # whose plain loops programs/ compares
TITLES = {
    "numpy": "NumPy",
    "numexpr": "numexpr",
    "torch": "PyTorch",
    "jax": "JAX",
    "eigen": "Eigen",
    "cpp": "plain C++",
    "julia": "plain Julia",
    "fortran": "plain Fortran",
}
