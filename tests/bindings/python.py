#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""python.py - compares the tests' own Python layer, tests/support/arrpy.py, with NumPy.

It is what the comparisons with NumPy stand on, so its conversions, indexing and lifetimes are checked here by
themselves. Needs NumPy (skipped without, 77) and ARR_LIBRARY.
"""

import gc
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed")
    sys.exit(77)

if int(np.__version__.split(".")[0]) < 2:
    print(f"skipped: NumPy {np.__version__}; the promotion rules compared with are those of NumPy 2")
    sys.exit(77)

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import arrpy  # noqa: E402

INDICES = [
    np.s_[1],
    np.s_[-1],
    np.s_[:, 0],
    np.s_[..., 1],
    np.s_[::-1],
    np.s_[:, ::-2],
    np.s_[1:, :2],
    np.s_[None],
    np.s_[..., None],
    np.s_[0, None, 1:],
    np.s_[5:],
    np.s_[:, 3:0:-1],
    np.s_[..., 0, 0],
]


def same(got, expected):
    expected = np.asarray(expected)
    assert got.shape == expected.shape, f"shape {got.shape}, expected {expected.shape}"
    assert got.dtype == expected.dtype, f"dtype {got.dtype}, expected {expected.dtype}"
    np.testing.assert_array_equal(got.numpy(), expected)


def test_every_dtype_goes_in_and_out():
    for dtype in arrpy.NUMBERS:
        for shape in [(), (1,), (0, 3), (2, 3), (2, 1, 3)]:
            x = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
            for order in "CF":
                same(arrpy.array(np.asarray(x, order=order)), x)
    assert len(arrpy.NUMBERS) >= 14


def test_indexing_makes_the_same_views():
    x = np.arange(24.0).reshape(3, 4, 2)
    a = arrpy.array(x)
    for index in INDICES:
        same(a[index], x[index])
        strides = tuple(s // x.itemsize for s in x[index].strides)
        shape = x[index].shape
        got = a[index].strides
        assert all(g == s or n <= 1 for g, s, n in zip(got, strides, shape)) or 0 in shape, (index, got, strides)


def test_writes_reach_the_viewed_array():
    x = np.zeros((3, 4), "float32")
    a = arrpy.array(x)
    for index, new in [(np.s_[1], 2.0), (np.s_[:, ::2], 7), (np.s_[..., -1], np.arange(3.0, dtype="float32"))]:
        x[index] = new
        a[index] = new
        same(a, x)


def test_shared_memory_is_neither_copied_nor_kept():
    x = np.arange(12.0).reshape(3, 4)
    before = len(arrpy._OWNERS)
    for view in (x, x[::-1, ::2], x.T, x[:0], x[1:2, 3:]):
        shared = arrpy.wrap(view)
        same(shared, view)
        if view.size:
            old = view.flat[0]
            shared[...] = 99.0
            assert view.flat[0] == 99.0 and (view == 99.0).all()
            view[...] = old
        part = shared.T
        del shared
        same(part, view.T)
        del part
        gc.collect()
        assert len(arrpy._OWNERS) == before, "the owner was not dropped with the last view"


def test_operators_and_scalars():
    x, y = np.array([[1.0, -2.0], [3.5, 0.0]], "float32"), np.array([2.0, -1.0], "float32")
    a, b = arrpy.array(x), arrpy.array(y)
    same(a + b, x + y)
    same(a - 1, x - 1)
    same(1 - a, 1 - x)
    same(2.5 * a, np.float32(2.5) * x)
    same(a * np.float64(2), x * np.float64(2))
    same(a / b, x / y)
    same(-a, -x)
    same(abs(a), abs(x))
    same(a >= b, x >= y)
    same(x + a, x + x)
    i = np.array([7, 8], "int16")
    same(arrpy.array(i) // 2, i // 2)
    same(arrpy.array(i) & 3, i & 3)
    same(arrpy.ufunc("add", arrpy.array(i), 1, dtype="int64"), np.add(i, 1, dtype="int64"))
    assert arrpy.array(x).item(1, 0) == x[1, 0]


def test_errors_keep_status_and_text():
    a, b = arrpy.array(np.zeros((2, 3))), arrpy.array(np.zeros(4))
    try:
        a + b
    except arrpy.Error as error:
        assert error.status == arrpy.c.ARR_E_SHAPE and "arr_add" in str(error) and "\n" not in str(error), error
    else:
        raise AssertionError("shapes that do not broadcast were added")


def test_nothing_leaks():
    gc.collect()
    before = arrpy.lib.arr_live_handles(), arrpy.lib.arr_live_objects()
    for _ in range(100):
        a = arrpy.array(np.ones((8, 8)))
        _ = (a + 1)[::2].T * 2
    del a, _
    gc.collect()
    after = arrpy.lib.arr_live_handles(), arrpy.lib.arr_live_objects()
    assert after == before, f"handles and objects: {before}, then {after}"


def main():
    tests = [(n, f) for n, f in sorted(globals().items()) if n.startswith("test_")]
    for name, test in tests:
        test()
        print(f"{name}: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
