# SPDX-License-Identifier: MIT
"""arrcall.py: calls of the C API by name and arguments, without a class for arrays; see arrpy.py."""

import ctypes
import os

import numpy as np

import arr_ctypes as c

try:
    from ml_dtypes import bfloat16
except ImportError:  # the other types work without
    bfloat16 = None

NAMES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)
NUMBERS = {np.dtype(n): getattr(c, "ARR_" + n.upper()) for n in NAMES}
if bfloat16 is not None:
    NUMBERS[np.dtype(bfloat16)] = c.ARR_BFLOAT16
DTYPES = {number: dtype for dtype, number in NUMBERS.items()}
ORDERS = {"C": c.ARR_ORDER_C, "F": c.ARR_ORDER_F, "K": c.ARR_ORDER_K}
CASTINGS = {n: getattr(c, "ARR_CAST_" + n.upper()) for n in ("no", "equiv", "safe", "same_kind", "unsafe")}


class Error(Exception):
    """A call failed: `status` is negative, the text is the library's."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def _load():
    library = c.bind(ctypes.CDLL(os.environ.get("ARR_LIBRARY") or "libarr.so.0"))
    if library.arr_check_abi(c.ARR_VERSION):
        raise Error(c.ARR_E_UNAVAILABLE, library.arr_last_error().decode())
    return library


lib = _load()


def check(status):
    if status != c.ARR_OK:
        raise Error(status, lib.arr_last_error().decode())


def call(name, *arguments):
    """Calls a function that returns a status."""
    check(getattr(lib, name)(*arguments))


def text_of(name, *arguments):
    """Calls a function that ends in (capacity, text, length)."""
    length = ctypes.c_int64()
    call(name, *arguments, 0, None, ctypes.byref(length))
    buffer = ctypes.create_string_buffer(length.value + 1)
    call(name, *arguments, len(buffer), buffer, ctypes.byref(length))
    return buffer.value.decode()


def number(dtype):
    """The library's number of a dtype; None is 0."""
    return 0 if dtype is None else NUMBERS[np.dtype(dtype)]


def int64s(values):
    return (ctypes.c_int64 * max(len(values), 1))(*values)


def int32s(values):
    return (ctypes.c_int32 * max(len(values), 1))(*values)


def axes_of(axis):
    """(count, pointer) of None, one axis or several."""
    if axis is None:
        return 0, None
    axes = [axis] if isinstance(axis, int) else list(axis)
    return len(axes), int32s(axes)
