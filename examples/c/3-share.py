#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""3-share.py LIBRARY: NumPy takes the array of a C library by DLPack, without a copy."""

import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.share_make.restype = lib.share_data.restype = ctypes.c_void_p
lib.share_make.argtypes = [ctypes.c_int64]
lib.share_sum.restype = ctypes.c_double
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Shared:
    """The methods that NumPy calls to take over an array: a capsule with the tensor, and its device."""

    def __dlpack__(self, **options):
        return new_capsule(lib.share_make(10), b"dltensor_versioned", None)

    def __dlpack_device__(self):
        return 1, 0


x = np.from_dlpack(Shared())
same = x.ctypes.data == lib.share_data()
print("NumPy sees", x, "at C's own address:", same)
x[3] = 1000.0  # written by NumPy ...
total = lib.share_sum()  # ... and seen by C
print("C sums", total)
lib.share_release()
assert same and total == 1042.0 and x[9] == 9.0
print("shared without a copy")
