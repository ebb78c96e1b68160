# SPDX-License-Identifier: MIT
"""arrarray.py: arrpy's Array and its creation. arrpy.py adds the operations."""

import builtins
import ctypes
import os

import numpy as np

import arr_ctypes as c
from arrcall import CASTINGS, DTYPES, NUMBERS, ORDERS, Error, axes_of, call, int32s, int64s, lib, number, text_of

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


def made(name, *arguments, of=c.arr_array):
    """Calls a function whose last parameter is a new handle, and returns that."""
    out = of()
    call(name, *arguments, ctypes.byref(out))
    return Array(out) if of is c.arr_array else out


def device_of(device):
    if isinstance(device, Array):
        return device.device
    if isinstance(device, c.arr_device):
        return device
    kind, _, index = device.partition(":")
    return c.arr_device({"host": c.ARR_HOST, "cuda": c.ARR_CUDA}[kind], int(index or 0))


def has_device(device):
    count = ctypes.c_int32()
    call("arr_device_count", device_of(device).type, ctypes.byref(count))
    return count.value > device_of(device).index


def value(x):
    """An arr_value: an array, a weak plain number, or a NumPy scalar of its type."""
    v = c.arr_value()
    if isinstance(x, Array):
        lib.arr_value_array(v, x.handle)
    elif hasattr(x, "value"):  # a texture
        return x.value()
    elif isinstance(x, (np.generic, np.ndarray)):
        x = np.asarray(x)
        call("arr_value_bits", v, NUMBERS[x.dtype], x.tobytes())
    else:
        if isinstance(x, bool):
            lib.arr_value_bool(v, x)
        elif isinstance(x, int) and x >= 2**63:
            call("arr_value_bits", v, NUMBERS[np.dtype(np.uint64)], np.uint64(x).tobytes())
        elif isinstance(x, int):
            lib.arr_value_i64(v, x)
        elif isinstance(x, complex):
            lib.arr_value_c128(v, x.real, x.imag)
        else:
            lib.arr_value_f64(v, float(x))
        lib.arr_value_weak(v)
    return v


# ------------------------------------------------------------------------------------------- creation


def array(x, dtype=None, order="K", device="host"):
    """A copy of anything that NumPy takes; column-major input stays so."""
    x = np.asarray(x, dtype=dtype)
    column = order == "F" or (order == "K" and x.flags.f_contiguous and not x.flags.c_contiguous)
    x = np.asfortranarray(x) if column else np.require(x, requirements="C")
    return made(
        "arr_from_host",
        x.ctypes.data,
        x.nbytes,
        number(x.dtype),
        x.ndim,
        int64s(x.shape),
        ORDERS["F" if column else "C"],
        device_of(device),
        None,
    )


def wrap(x):
    """Shares a NumPy array's memory, whatever its strides; it is kept alive until the last use."""
    strides = [s // x.itemsize for s in x.strides]
    if any(s % x.itemsize for s in x.strides):
        raise ValueError("strides that are no multiple of the element size")
    key = len(_OWNERS) and max(_OWNERS) + 1
    _OWNERS[key] = x
    try:
        return made(
            "arr_wrap", x.ctypes.data, number(x.dtype), x.ndim, int64s(x.shape), int64s(strides), None, _DROP, key
        )
    except Error:
        del _OWNERS[key]
        raise


_OWNERS = {}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _DROP(key):
    _OWNERS.pop(key or 0, None)


def _create(name, shape, dtype, order, device, *more):
    shape = [shape] if isinstance(shape, int) else list(shape)
    return made(f"arr_{name}", number(dtype), len(shape), int64s(shape), ORDERS[order], *more, device_of(device), None)


def empty(shape, dtype="float64", order="C", device="host"):
    return _create("create", shape, dtype, order, device)


def zeros(shape, dtype="float64", order="C", device="host"):
    return _create("zeros", shape, dtype, order, device)


def ones(shape, dtype="float64", order="C", device="host"):
    return _create("ones", shape, dtype, order, device)


def full(shape, fill, dtype="float64", order="C", device="host"):
    return _create("full", shape, dtype, order, device, ctypes.byref(value(fill)))


def arange(start, stop, step=1, dtype=None, device="host"):
    values = [ctypes.byref(value(v)) for v in (start, stop, step)]
    return made("arr_arange", *values, number(dtype), device_of(device), None)


def linspace(start, stop, count=50, endpoint=True, dtype=None, device="host"):
    return made("arr_linspace", start, stop, count, int(endpoint), number(dtype), device_of(device), None)


def eye(rows, columns=-1, k=0, dtype="float64", order="C", device="host"):
    return made("arr_eye", rows, columns, k, number(dtype), ORDERS[order], device_of(device), None)


def load_npy(path, device="host"):
    return made("arr_load_npy", os.fsencode(path), -1, device_of(device), None)


class Array:
    """One handle."""

    __array_ufunc__ = None  # NumPy leaves `ndarray + Array` to us

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        if getattr(self, "handle", None):
            lib.arr_release(self.handle)
            self.handle = None

    def _get(self, name, kind):
        out = kind()
        call(name, self.handle, ctypes.byref(out))
        return out if kind is c.arr_device else out.value

    def _counts(self, name):
        n = ctypes.c_int32()
        values = (ctypes.c_int64 * c.ARR_MAX_NDIM)()
        call(name, self.handle, c.ARR_MAX_NDIM, values, ctypes.byref(n))
        return tuple(values[: n.value])

    ndim = property(lambda self: self._get("arr_ndim", ctypes.c_int32))
    size = property(lambda self: self._get("arr_size", ctypes.c_int64))
    nbytes = property(lambda self: self._get("arr_nbytes", ctypes.c_int64))
    flags = property(lambda self: self._get("arr_array_flags", ctypes.c_int32))
    dtype = property(lambda self: DTYPES[self._get("arr_array_dtype", ctypes.c_int32)])
    device = property(lambda self: self._get("arr_array_device", c.arr_device))
    data = property(lambda self: self._get("arr_data", ctypes.c_void_p))
    shape = property(lambda self: self._counts("arr_shape"))
    strides = property(lambda self: self._counts("arr_strides"))
    T = property(lambda self: self.transpose())

    def numpy(self, order="C"):
        out = np.empty(self.shape, self.dtype, order=order)
        call("arr_get", self.handle, ORDERS[order], out.ctypes.data, out.nbytes, None)
        return out

    def set(self, x, order="C"):
        x = np.array(x, dtype=self.dtype, order=order)
        call("arr_set", self.handle, ORDERS[order], x.ctypes.data, x.nbytes, None)

    def item(self, *index):
        v = c.arr_value()
        call("arr_item", self.handle, len(index), int64s(index), ctypes.byref(v))
        return np.frombuffer(bytes(v)[8:], DTYPES[v.dtype], 1)[0]

    def __str__(self):
        return text_of("arr_format", self.handle, 0)

    def __len__(self):
        return self.shape[0]

    # --------------------------------------------------------------------------------- views and copies

    def transpose(self, *axes):
        return made("arr_transpose", self.handle, len(axes), int32s(axes) if axes else None)

    def broadcast_to(self, shape):
        return made("arr_broadcast_to", self.handle, len(shape), int64s(shape))

    def expand_dims(self, axis):
        return made("arr_expand_dims", self.handle, *axes_of(axis))

    def squeeze(self, axis=None):
        return made("arr_squeeze", self.handle, *axes_of(axis))

    def flip(self, axis=None):
        return made("arr_flip", self.handle, *axes_of(axis))

    def reshape(self, *shape, order="C"):
        shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return made("arr_reshape", self.handle, len(shape), int64s(shape), ORDERS[order], None)

    def __getitem__(self, index):
        index = list(index) if isinstance(index, tuple) else [index]
        used = builtins.sum(i is not None and i is not Ellipsis for i in index)
        if Ellipsis in index:
            at = index.index(Ellipsis)
            index[at : at + 1] = [slice(None)] * (self.ndim - used)
        slices = [i for i in index if i is not None]
        ends = [(s.start, s.stop, s.step or 1) if isinstance(s, slice) else (None, None, 1) for s in slices]
        start = [(INT64_MIN if d > 0 else INT64_MAX) if a is None else a for a, _, d in ends]
        stop = [(INT64_MAX if d > 0 else INT64_MIN) if b is None else b for _, b, d in ends]
        out = made("arr_slice", self.handle, len(ends), int64s(start), int64s(stop), int64s([d for _, _, d in ends]))
        axis = 0
        for i in index:
            if i is None:
                out = out.expand_dims(axis)
            elif not isinstance(i, slice):
                out = made("arr_index_axis", out.handle, axis, int(i))
                continue
            axis += 1
        return out

    def __setitem__(self, index, x):
        view = self if index is Ellipsis else self[index]
        if isinstance(x, (int, float, complex, np.generic)):
            call("arr_fill", view.handle, ctypes.byref(value(x)), None)
        else:
            x = x if isinstance(x, Array) else array(x, device=self)
            call("arr_assign", view.handle, x.handle, None)

    def copy(self, order="C"):
        return made("arr_copy", self.handle, ORDERS[order], None)

    def contiguous(self, order="C"):
        return made("arr_contiguous", self.handle, ORDERS[order], None)

    def astype(self, dtype, casting="unsafe", order="K"):
        return made("arr_astype", self.handle, number(dtype), CASTINGS[casting], ORDERS[order], None)

    def to_device(self, device):
        return made("arr_to_device", self.handle, device_of(device), None)

    def retain(self):
        return made("arr_retain", self.handle)

    def save_npy(self, path):
        call("arr_save_npy", self.handle, os.fsencode(path), -1, None)
