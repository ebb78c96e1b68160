# SPDX-License-Identifier: MIT
"""arrpy.py: a thin Array class over the C API, for tests that compare libarr with NumPy.

    ARR_LIBRARY=build/.../libarr.so python3 ...
    a = arrpy.array(np.arange(6.0).reshape(2, 3), device="cuda")
    np.testing.assert_array_equal((a * 2 + a[:, ::-1]).numpy(), ...)

Plain Python numbers are weak scalars as in NumPy 2; NumPy scalars keep their type. A failing call raises
arrpy.Error with the status and the library's text. Devices: "host", "cuda", "cuda:1", or those of another array.
"""

import builtins
import ctypes
import os

import numpy as np

import arr_ctypes as c
from arrcall import (
    CASTINGS,
    DTYPES,
    NAMES,
    NUMBERS,
    ORDERS,
    Error,
    axes_of,
    call,
    check,
    int32s,
    int64s,
    lib,  # noqa: F401
    number,
    text_of,
)

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
        elif isinstance(x, int):
            lib.arr_value_i64(v, x)
        elif isinstance(x, complex):
            lib.arr_value_c128(v, x.real, x.imag)
        else:
            lib.arr_value_f64(v, float(x))
        lib.arr_value_weak(v)
    return v


def apply(name, *operands, out=None):
    """An operation of the table: arr_x, arr_x_into with `out`, or arr_x_v where an operand is a number."""
    if out is not None:
        operands = [o if isinstance(o, Array) else array(o, device=out) for o in operands]
        call(f"arr_{name}_into", out.handle, *(o.handle for o in operands), None)
        return out
    if all(isinstance(o, Array) for o in operands):
        return made(f"arr_{name}", *(o.handle for o in operands), None)
    return made(f"arr_{name}_v", *(ctypes.byref(value(o)) for o in operands), None)


def ufunc_options(dtype=None, casting="same_kind", order="K", where=None):
    return c.arr_ufunc_options(
        ctypes.sizeof(c.arr_ufunc_options),
        number(dtype),
        CASTINGS[casting],
        ORDERS["C" if order == "K" else order],
        int(order != "K"),
        where.handle if where is not None else None,
    )


def ufunc(name, *operands, dtype=None, casting="same_kind", order="K", where=None, out=None, outer=False):
    """An operation by its number, with options; divmod, modf and frexp give two arrays."""
    options = ufunc_options(dtype, casting, order, where)
    op = getattr(c, "ARR_OP_" + name.upper()) if isinstance(name, str) else name
    if outer:
        return made("arr_ufunc_outer", op, *(o.handle for o in operands), ctypes.byref(options), None)
    values = (c.arr_value * len(operands))(*(value(o) for o in operands))
    if out is not None:
        call("arr_ufunc_into", out.handle, op, len(operands), values, ctypes.byref(options), None)
        return out
    nout = 2 if name in ("divmod", "modf", "frexp") else 1
    made_here = (c.arr_array * nout)()
    call("arr_ufunc", op, len(operands), values, ctypes.byref(options), None, nout, made_here)
    made_here = [Array(c.arr_array(h.value)) for h in made_here]
    return made_here[0] if nout == 1 else made_here


def ufunc_pair_into(name, dsts, *operands, where=None, casting="same_kind", dtype=None):
    """divmod, modf or frexp into two arrays."""
    options = ufunc_options(dtype, casting, where=where)
    values = (c.arr_value * len(operands))(*(value(o) for o in operands))
    call(
        "arr_ufunc_pair_into",
        *(d.handle for d in dsts),
        getattr(c, "ARR_OP_" + name.upper()),
        len(operands),
        values,
        ctypes.byref(options),
        None,
    )


def reduce(name, a, axis=None, keepdims=False, out=None, correction=None):
    """A reduction of the table; correction where its functions take one (var ...)."""
    n, axes = axes_of(axis)
    more = [] if correction is None else [ctypes.c_double(correction)]
    if out is not None:
        call(f"arr_{name}_into", out.handle, a.handle, n, axes, int(keepdims), *more, None)
        return out
    return made(f"arr_{name}", a.handle, n, axes, int(keepdims), *more, None)


def scan(name, a, axis=None, dtype=None, include_initial=None, out=None):
    """A scan of the table; include_initial for those that take it."""
    axis = c.ARR_AXIS_NONE if axis is None else axis
    more = [] if include_initial is None else [int(include_initial)]
    if out is not None:
        call(f"arr_{name}_into", out.handle, a.handle, axis, number(dtype), *more, None)
        return out
    return made(f"arr_{name}", a.handle, axis, number(dtype), *more, None)


def reduce_options(dtype=None, initial=None, where=None, correction=0.0):
    o = c.arr_reduce_options(
        ctypes.sizeof(c.arr_reduce_options),
        number(dtype),
        0,
        None if initial is None else ctypes.pointer(value(initial)),
        None if where is None else where.handle.value,
        correction,
    )
    o.where_array = where  # lives as long
    return o


def accumulate(name, a, axis=0, dtype=None, out=None):
    if out is not None:
        call("arr_ufunc_accumulate_into", out.handle, c.OPS[name][0], a.handle, axis, number(dtype), None)
        return out
    return made("arr_ufunc_accumulate", c.OPS[name][0], a.handle, axis, number(dtype), None)


def reduceat(name, a, indices, axis=0, dtype=None, out=None):
    arguments = c.OPS[name][0], a.handle, len(indices), int64s(indices), axis, number(dtype), None
    if out is not None:
        call("arr_ufunc_reduceat_into", out.handle, *arguments)
        return out
    return made("arr_ufunc_reduceat", *arguments)


def at(name, a, indices, *b):
    """ufunc.at: indices a list of arrays; b an array or a number, none for ops of one operand."""
    places = (c.arr_array * max(len(indices), 1))(*(i.handle for i in indices))
    value_of_b = ctypes.byref(value(b[0])) if b else None
    call("arr_ufunc_at", getattr(c, "ARR_OP_" + name.upper()), a.handle, len(indices), places, value_of_b, None)


def bincount(x, weights=None, minlength=0):
    return made("arr_bincount", x.handle, None if weights is None else weights.handle, minlength, None)


def matmul(a, b, out=None):
    if out is None:
        return made("arr_matmul", a.handle, b.handle, None)
    call("arr_matmul_into", out.handle, a.handle, b.handle, None)
    return out


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
                out = made("arr_select", out.handle, axis, int(i))
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

    def __matmul__(self, other):
        return matmul(self, other)


def _operator(name, reflected=False):
    def method(self, other):
        other = array(other, device=self) if isinstance(other, np.ndarray) else other
        return apply(name, other, self) if reflected else apply(name, self, other)

    return method


def _define():
    """Operators, methods and functions from the tables; operations are also functions, arrpy.sqrt(a)."""
    binary = {
        "add": "add",
        "sub": "subtract",
        "mul": "multiply",
        "truediv": "divide",
        "floordiv": "floor_divide",
        "mod": "remainder",
        "pow": "power",
        "and": "bitwise_and",
        "or": "bitwise_or",
        "xor": "bitwise_xor",
        "lshift": "left_shift",
        "rshift": "right_shift",
    }
    for short, name in binary.items():
        setattr(Array, f"__{short}__", _operator(name))
        setattr(Array, f"__r{short}__", _operator(name, reflected=True))
    for short, name in {
        "eq": "equal",
        "ne": "not_equal",
        "lt": "less",
        "le": "less_equal",
        "gt": "greater",
        "ge": "greater_equal",
    }.items():
        setattr(Array, f"__{short}__", _operator(name))
    for short, name in {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}.items():
        setattr(Array, f"__{short}__", lambda self, name=name: apply(name, self))
    Array.__hash__ = object.__hash__
    for name in c.OPS:
        globals()[name] = lambda *operands, name=name, out=None: apply(name, *operands, out=out)
    for name in c.REDUCTIONS:  # methods only: as functions they would hide Python's sum, any ...
        setattr(
            Array,
            name,
            lambda self, axis=None, keepdims=False, out=None, name=name: reduce(name, self, axis, keepdims, out),
        )


_define()
