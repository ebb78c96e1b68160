#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dlpack_device.py --device cuda - DLPack tensors of device memory: fields, stream tokens, late deleters.

Needs ARR_LIBRARY. Exits 77 without the device. The consumer is libarr itself: a foreign one needs a GPU.
"""

import ctypes
import gc
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
try:
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import arr_ctypes as c  # noqa: E402
import arrpy  # noqa: E402

# Name of the export and of the import, further arguments of the import, where the device stands in the struct.
STRUCTS = [("arr_to_dlpack", "arr_from_dlpack", (), 40), ("arr_to_dlpack_legacy", "arr_from_dlpack_legacy", (0,), 8)]


def export(name, a, token):
    out = ctypes.c_void_p()
    arrpy.call(name, a.handle, token, 0, ctypes.byref(out))
    return out


def round_trip(struct, there, back, device):
    to, back_name, more, device_at = struct
    source = np.arange(12.0).reshape(3, 4)
    a = arrpy.array(source, device=device)
    doubled = (a + a)[::-1, ::2]
    expected = (source + source)[::-1, ::2]
    tensor = export(to, doubled, there)
    assert list((ctypes.c_int32 * 2).from_address(tensor.value + device_at)) == [c.ARR_CUDA, 0]
    taken = arrpy.made(back_name, tensor, back, *more)
    assert taken.data == doubled.data and taken.shape == (3, 2) and taken.device.type == c.ARR_CUDA
    del a, doubled
    product = taken * taken
    del taken  # the deleter runs; the product may still be on its way
    assert (product.numpy() == expected * expected).all(), (struct[0], there, back)


def refused(token, device):
    a = arrpy.array(np.ones(3), device=device)
    try:
        export("arr_to_dlpack", a, token)
    except arrpy.Error as e:
        assert e.status == c.ARR_E_ARGUMENT and "consumer_stream" in str(e), e
    else:
        raise AssertionError(f"token {token} was accepted")


def main(device):
    if not arrpy.has_device(device):
        print(f"skipped: no {device} device")
        return 77
    warm = arrpy.array(np.ones(3), device=device)
    warm = (warm + warm).numpy()
    gc.collect()
    start = arrpy.lib.arr_live_objects()
    count = 0
    for struct in STRUCTS:
        for there in (-1, 1, 2):
            for back in (-1, 1, 2):
                round_trip(struct, there, back, device)
                count += 1
    for token in (0, -2, -(2**63)):
        refused(token, device)
    gc.collect()
    arrpy.array(np.ones(3), device=device)  # gives back what deleters put off
    gc.collect()
    assert arrpy.lib.arr_live_objects() == start, "objects are left"
    print(f"{count} round trips of {device} memory with every pair of stream tokens")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--device") + 1] if "--device" in sys.argv else "cuda"))
