# SPDX-License-Identifier: MIT
"""arrdlpack.py - arrays of arrpy as DLPack producers and consumers of Python's protocol.

    numpy.from_dlpack(Producer(arrpy.array(...)))     taken(torch.ones(3)) -> arrpy.Array

Needs ARR_CAPSULE, the path of arr_test_capsule.so.
"""

import ctypes
import os

import arr_ctypes as c
import arrpy

shim = ctypes.PyDLL(os.environ["ARR_CAPSULE"])
shim.capsule_new.restype = ctypes.py_object
shim.capsule_new.argtypes = [ctypes.c_void_p, ctypes.c_int]
shim.capsule_is.argtypes = [ctypes.py_object, ctypes.c_int]
shim.capsule_tensor.restype = ctypes.c_void_p
shim.capsule_tensor.argtypes = [ctypes.py_object, ctypes.c_int]
shim.capsule_mark_used.argtypes = [ctypes.py_object, ctypes.c_int]
shim.capsule_dropped.restype = ctypes.c_long

EXPORTS = ("arr_to_dlpack_legacy", "arr_to_dlpack")


def capsule(a, versioned, copy=False):
    """A capsule with a tensor of the array's memory, or of a copy."""
    out = ctypes.c_void_p()
    try:
        arrpy.call(EXPORTS[versioned], a.handle, -1, c.ARR_DLPACK_COPY if copy else 0, ctypes.byref(out))
    except arrpy.Error as e:
        raise BufferError(str(e)) if e.status == c.ARR_E_READONLY else e
    return shim.capsule_new(out, versioned)


class Producer:
    """The face of a library's array to from_dlpack(); counts how it was asked."""

    def __init__(self, a, legacy_only=False):
        self.array, self.legacy_only, self.asked = a, legacy_only, []

    def __dlpack_device__(self):
        return self.array.device.type, self.array.device.index

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if stream is not None:
            raise BufferError("the host has no streams")
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("exported from where it is only")
        versioned = not self.legacy_only and max_version is not None and max_version[0] >= 1
        self.asked.append("versioned" if versioned else "legacy")
        return capsule(self.array, int(versioned), bool(copy))


def taken(x, readonly=False):
    """An arrpy.Array on the memory of another library's array."""
    try:
        cap = x.__dlpack__(max_version=(1, 0))
    except TypeError:  # producers from before DLPack 1.0
        cap = x.__dlpack__()
    return taken_capsule(cap, readonly)


def taken_capsule(cap, readonly=False):
    versioned = shim.capsule_is(cap, 1)
    if not versioned and not shim.capsule_is(cap, 0):
        raise ValueError("the capsule is used, or holds no DLPack tensor")
    tensor, out = ctypes.c_void_p(shim.capsule_tensor(cap, versioned)), c.arr_array()
    if versioned:
        arrpy.call("arr_from_dlpack", tensor, -1, ctypes.byref(out))
    else:
        arrpy.call("arr_from_dlpack_legacy", tensor, -1, c.ARR_DLPACK_READONLY if readonly else 0, ctypes.byref(out))
    shim.capsule_mark_used(cap, versioned)
    return arrpy.Array(out)
