# SPDX-License-Identifier: MIT
"""arr_curves.so: workloads in C++, ours and those of peers in C++."""

import ctypes

import numpy as np


class Operand(ctypes.Structure):
    """curves::Operand."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("type", ctypes.c_int64),
        ("ndim", ctypes.c_int64),
        ("shape", ctypes.c_int64 * 3),
    ]


def operand(x):
    assert x.flags.c_contiguous and x.ndim <= 3
    return Operand(x.ctypes.data, ord(x.dtype.char), x.ndim, (ctypes.c_int64 * 3)(*x.shape))


class Case:
    """A workload of one side and size; it reads its operands, which it holds."""

    def __init__(self, library, handle, held):
        self.library, self.handle, self.held = library, handle, held

    def run(self, repeats):
        """Nanoseconds per call."""
        ns = self.library.c.curves_run(self.handle, repeats)
        if ns < 0:
            raise SystemExit(self.library.error())
        return ns

    def result(self):
        """The result's numbers as float64, complex ones as pairs."""
        read = self.library.c.curves_result
        count = read(self.handle, None, 0)
        out = np.empty(max(count, 0))
        if count < 0 or read(self.handle, out.ctypes.data, count) != count:
            raise SystemExit(self.library.error())
        return out

    def __del__(self):
        self.library.c.curves_close(self.handle)


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(str(path))
        for name, result, *arguments in (
            ("curves_error", ctypes.c_char_p),
            ("curves_version", ctypes.c_char_p, ctypes.c_char_p),
            (
                "curves_open",
                ctypes.c_void_p,
                ctypes.c_char_p,
                ctypes.c_char_p,
                ctypes.c_int64,
                ctypes.POINTER(Operand),
                ctypes.c_int64,
            ),
            ("curves_run", ctypes.c_double, ctypes.c_void_p, ctypes.c_int64),
            ("curves_result", ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64),
            ("curves_close", None, ctypes.c_void_p),
        ):
            f = getattr(self.c, name)
            f.restype, f.argtypes = result, arguments

    def error(self):
        return self.c.curves_error().decode()

    def version(self, side):
        text = self.c.curves_version(side.encode())
        return text.decode() if text else None

    def open(self, side, workload, inputs, n):
        """A Case, or None where the side has no such workload."""
        operands = (Operand * len(inputs))(*map(operand, inputs))
        handle = self.c.curves_open(side.encode(), workload.encode(), n, operands, len(inputs))
        if not handle and self.error():
            raise SystemExit(f"{side}: {workload}: {self.error()}")
        return Case(self, handle, (inputs, operands)) if handle else None
