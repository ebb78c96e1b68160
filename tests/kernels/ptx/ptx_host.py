# SPDX-License-Identifier: MIT
"""Modules of PTX on the host, by the C API."""

import ctypes

import arrpy
import numpy as np

c = arrpy.c


class Module:
    def __init__(self, text, debug=True, name=None, options=()):
        """debug: hardly optimised, which compiles long texts soon. options: of the compiler, as bytes."""
        text = text.encode() if isinstance(text, str) else text
        o = c.arr_module_options(struct_size=ctypes.sizeof(c.arr_module_options), debug=int(debug), name=name)
        o.noptions, o.options = len(options), (ctypes.c_char_p * len(options))(*options)
        self.handle = c.arr_module()
        arrpy.call(
            "arr_module_load",
            text,
            len(text),
            ctypes.byref(arrpy.device_of("host")),
            ctypes.byref(o),
            ctypes.byref(self.handle),
        )

    def launch(self, name, grid, block, *args, shared=0):
        """Arrays are copied to and fro: returns what they are afterwards, in their places."""
        kernel = c.arr_kernel()
        arrpy.call("arr_module_kernel", self.handle, name.encode(), ctypes.byref(kernel))
        arrays = [arrpy.array(a, device="host") if isinstance(a, np.ndarray) else None for a in args]
        values = (c.arr_value * len(args))(*(arrpy.value(a if a is not None else g) for a, g in zip(arrays, args)))
        arrpy.call(
            "arr_launch_raw",
            kernel,
            (ctypes.c_int64 * 3)(*grid),
            (ctypes.c_int32 * 3)(*block),
            shared,
            len(values),
            values,
            None,
        )
        arrpy.lib.arr_kernel_release(kernel)
        return [a.numpy() if a is not None else g for a, g in zip(arrays, args)]

    def launch_all(self, names, threads, *args):
        for name in names:
            args = self.launch(name, (1, 1, 1), (threads, 1, 1), *args)
        return args
