# SPDX-License-Identifier: MIT
"""arrpy.py: a thin Array class over the C API, for tests that compare libarr with NumPy.

    ARR_LIBRARY=build/.../libarr.so python3 ...
    a = arrpy.array(np.arange(6.0).reshape(2, 3), device="cuda")
    np.testing.assert_array_equal((a * 2 + a[:, ::-1]).numpy(), ...)

Plain Python numbers are weak scalars as in NumPy 2; NumPy scalars keep their type. A failing call raises
arrpy.Error with the status and the library's text. Devices: "host", "cuda", "cuda:1", or those of another array.
"""

import ctypes

import numpy as np

import arr_ctypes as c
from arrarray import (  # noqa: F401  part of this module
    _DROP,
    _OWNERS,
    INT64_MAX,
    INT64_MIN,
    Array,
    arange,
    array,
    device_of,
    empty,
    eye,
    full,
    has_device,
    linspace,
    load_npy,
    made,
    ones,
    value,
    wrap,
    zeros,
)
from arrcall import (  # noqa: F401  part of this module
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
    lib,
    number,
    text_of,
)


def apply(name, *operands, out=None):
    """An operation of the table: arr_x, arr_x_into with `out`, or their _v where an operand is a number."""
    if out is not None and any(np.isscalar(o) for o in operands):
        call(f"arr_{name}_v_into", out.handle, *(ctypes.byref(value(o)) for o in operands), None)
        return out
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
    handles = (c.arr_array * max(len(indices), 1))(*(i.handle for i in indices))
    value_of_b = ctypes.byref(value(b[0])) if b else None
    call("arr_ufunc_at", getattr(c, "ARR_OP_" + name.upper()), a.handle, len(indices), handles, value_of_b, None)


def bincount(x, weights=None, minlength=0):
    return made("arr_bincount", x.handle, None if weights is None else weights.handle, minlength, None)


def matmul(a, b, out=None):
    if out is None:
        return made("arr_matmul", a.handle, b.handle, None)
    call("arr_matmul_into", out.handle, a.handle, b.handle, None)
    return out


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
    Array.__matmul__ = lambda self, other: matmul(self, other)
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
