#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""GPU arrays exported and imported by the fields of __cuda_array_interface__; on the host both are refused."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from products import on

C = arrpy.c
STRUCT = C.arr_cuda_array_interface
NOTHING = ctypes.CFUNCTYPE(None, ctypes.c_void_p)()


def exported(a, stream=0):
    out = STRUCT(ctypes.sizeof(STRUCT))
    arrpy.call("arr_to_cuda_array_interface", a.handle, stream, ctypes.byref(out))
    return out


def imported(t, drop=NOTHING, device=None):
    return arrpy.made("arr_from_cuda_array_interface", ctypes.byref(t), device, drop, None)


def ways(report):
    for d in oracle.ALL:
        for shape in ((3, 4), (5,), (), (0, 2)):
            x = oracle.sample(shape, d, 4)
            for layout in ("C", "F", "step", "back") if x.ndim == 2 and x.size else ("C",):
                a = on(report, x, layout)
                label = f"{d} {shape} {layout}"
                if d == "bfloat16":
                    report.check(f"{label} refused", oracle.raises(C.ARR_E_DTYPE, lambda a=a: exported(a)))
                    continue
                t = exported(a, 1)
                strides = [t.strides[i] // x.itemsize for i in range(t.ndim)] if t.strides else None
                report.check(
                    f"{label} strides", strides is None if a.flags & C.ARR_FLAG_C else strides == list(a.strides)
                )
                report.check(f"{label} shape", [t.shape[i] for i in range(t.ndim)] == list(shape))
                report.check(f"{label} fields", t.typestr.decode() == x.dtype.str and (t.data == a.data or not x.size))
                b = imported(t)
                report.check(f"{label} values", oracle.same(b.numpy(), x))
                if x.size:
                    b[...] = 1
                    report.check(f"{label} shared", oracle.same(a.numpy(), np.ones_like(x)))


def owners(report):
    a = report.array(np.arange(4.0))
    dropped = []
    drop = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: dropped.append(1))
    b = imported(exported(a), drop)
    part = b[1:]
    del b
    report.check("kept by a view", not dropped)
    del part
    report.check("dropped once", dropped == [1])
    wide = a.broadcast_to((2, 4))
    t = exported(wide)
    report.check("read-only", t.readonly == 1 and imported(t).flags & C.ARR_FLAG_READONLY)
    t = exported(a, 2)
    report.check("streams", t.stream == 2 and exported(a).stream == 0)
    twice = a + a
    report.check("in order", oracle.same((imported(exported(twice, 1)) + a).numpy(), np.arange(4.0) * 3))


def refused(report):
    a = report.array(np.arange(4.0))

    def changed(drop=NOTHING, **fields):
        t = exported(a)
        for name, value in fields.items():
            setattr(t, name, value)
        return imported(t, drop)

    dropped = []
    drop = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: dropped.append(1))
    odd = arrpy.int64s([12])
    for label, status, fields in (
        ("size", C.ARR_E_ARGUMENT, {"struct_size": 8}),
        ("stream", C.ARR_E_ARGUMENT, {"stream": -1}),
        ("type", C.ARR_E_DTYPE, {"typestr": b"<f3"}),
        ("order of bytes", C.ARR_E_DTYPE, {"typestr": b">f8"}),
        ("no type", C.ARR_E_ARGUMENT, {"typestr": None}),
        ("dimensions", C.ARR_E_SHAPE, {"ndim": 33}),
        ("no shape", C.ARR_E_ARGUMENT, {"shape": None}),
        ("no data", C.ARR_E_ARGUMENT, {"data": None}),
        ("strides", C.ARR_E_ARGUMENT, {"strides": odd}),
    ):
        report.check(f"refuses {label}", oracle.raises(status, lambda f=fields: changed(drop, **f)))
    report.check("nothing is dropped", not dropped)
    host = arrpy.device_of("host")
    report.check("refuses the host", oracle.raises(C.ARR_E_ARGUMENT, lambda: imported(exported(a), device=host)))
    report.check("refuses stream -1", oracle.raises(C.ARR_E_ARGUMENT, lambda: exported(a, -1)))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    if r.device == "host":
        array = r.array(np.arange(4.0))
        r.check("refuses arrays on the host", oracle.raises(C.ARR_E_ARGUMENT, lambda: exported(array)))
    else:
        for part in r.chosen((ways, owners, refused)):
            part(r)
    r.finish()
