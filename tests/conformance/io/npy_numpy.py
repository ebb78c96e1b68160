#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""npy_numpy.py [--device host|cuda] - files written by NumPy are read by libarr, and the other way round.

Needs ARR_LIBRARY. Exits 77 without NumPy. With NumPy 2 the files must also be the same to the byte.
"""

import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
try:
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import arrpy  # noqa: E402

SHAPES = [(), (0,), (1,), (5,), (3, 4), (2, 3, 4), (0, 3), (7, 1, 150), (1,) * 32]
SAME_BYTES = int(np.__version__.split(".")[0]) >= 2
DEVICE = sys.argv[sys.argv.index("--device") + 1] if "--device" in sys.argv else "host"
rng = np.random.default_rng(20240607)


def save(a, path):
    arrpy.call("arr_save_npy", a.handle, os.fsencode(path), -1, None)


def sample(name, shape):
    x = rng.normal(size=shape) * 100
    return x > 0 if name == "bool" else np.asarray(x).astype(name)


def both_ways(x, folder):
    theirs, ours = os.path.join(folder, "theirs.npy"), os.path.join(folder, "ours.npy")
    np.save(theirs, x)
    a = arrpy.load_npy(theirs, DEVICE)
    got = a.numpy()
    assert got.dtype == x.dtype and got.shape == x.shape and (got == x).all(), ("load", x.dtype, x.shape)
    assert x.ndim < 2 or a.flags & 3 == x.flags.c_contiguous + 2 * x.flags.f_contiguous, ("order", x.shape)
    save(a, ours)
    back = np.load(ours)
    assert back.dtype == x.dtype and (back == x).all() and back.flags.fnc == x.flags.fnc, ("save", x.dtype, x.shape)
    if SAME_BYTES:
        with open(theirs, "rb") as f, open(ours, "rb") as g:
            assert f.read() == g.read(), ("bytes", x.dtype, x.shape)
    np.save(theirs, x.astype(x.dtype.newbyteorder(">")))
    assert (arrpy.load_npy(theirs, DEVICE).numpy() == x).all(), ("big-endian", x.dtype, x.shape)
    for version in ((1, 0), (2, 0), (3, 0)):
        with open(theirs, "wb") as f:
            np.lib.format.write_array(f, x, version=version)
        assert (arrpy.load_npy(theirs, DEVICE).numpy() == x).all(), (version, x.dtype, x.shape)


# Forms of an element type that others write: with an order or none, as a letter, as a name. Not those of a size that
# depends on the system, and not of what libarr has not.
FORMS = [
    order + kind
    for kind in ["f8", "f4", "f2", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1", "c8", "c16", *"?bBhHiIqQefdFD"]
    for order in ("", "<", ">", "=", "|")
] + list(arrpy.NAMES)
REFUSED = ["l", "<l", "L", "p", "f16", "<g", "|O", "U3", "S1", "M8[s]", "d8", "8", "<", "bfloat16"]


def written(path, descr, data, shape="(3,)", more=b""):
    header = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data + more)


def element_types(folder):
    """Both read the same, or libarr refuses it."""
    path = os.path.join(folder, "form.npy")
    for form in FORMS:
        x = np.array([1, 0, 3]).astype(np.dtype(form))
        written(path, form, x.tobytes())
        theirs, ours = np.load(path), arrpy.load_npy(path, DEVICE).numpy()
        assert ours.dtype == theirs.dtype.newbyteorder("=") and (ours == theirs).all() and (ours == x).all(), form
    for form in REFUSED:
        written(path, form, bytes(24))
        refused(path, arrpy.c.ARR_E_DTYPE)


def others(folder):
    """Files that NumPy takes and libarr does not."""
    path = os.path.join(folder, "other.npy")
    for n in (33, 64) if SAME_BYTES else ():
        np.save(path, np.ones((1,) * n))
        refused(path, arrpy.c.ARR_E_SHAPE)
    with open(path, "wb") as f:
        np.save(f, np.ones(3))
        np.save(f, np.ones(4))
    refused(path, arrpy.c.ARR_E_FORMAT)
    for name in ("form.npy", "other.npy"):
        os.remove(os.path.join(folder, name))


def refused(path, status):
    try:
        arrpy.load_npy(path, DEVICE)
        raise AssertionError(("taken", path))
    except arrpy.Error as e:
        assert e.status == status, e


def main():
    if not arrpy.has_device(DEVICE):
        print(f"skipped: no {DEVICE} device")
        return 77
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in arrpy.NAMES:
            for shape in SHAPES:
                for order in "CF":
                    with np.errstate(invalid="ignore"):
                        both_ways(np.asarray(sample(name, shape), order=order), folder)
                    count += 1
        element_types(folder)
        others(folder)
        assert sorted(os.listdir(folder)) == ["ours.npy", "theirs.npy"], "temporary files are left"
    print(
        f"{count} arrays saved and loaded both ways with NumPy {np.__version__}"
        + (", the same to the byte" if SAME_BYTES else "")
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
