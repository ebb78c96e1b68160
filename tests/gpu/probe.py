#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what arr_backend_probe says of CUDA; fails unless it works. Run by run.sh."""

import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import arr_ctypes as c  # noqa: E402
import arrpy  # noqa: E402

state, length = ctypes.c_int32(), ctypes.c_int64()
report = ctypes.create_string_buffer(1 << 16)
arrpy.check(arrpy.lib.arr_backend_probe(c.ARR_CUDA, ctypes.byref(state), len(report), report, ctypes.byref(length)))
print(report.value.decode())
if state.value != c.ARR_BACKEND_WORKING:
    sys.exit("the CUDA backend does not work here")
