# SPDX-License-Identifier: MIT
"""Arrays joined, rearranged and padded beside NumPy, into new arrays."""

import numpy as np

import arrpy
from timing import python_loop
from workloads import Workload


def handles(arrays):
    return (arrpy.c.arr_array * len(arrays))(*(a.handle for a in arrays))


def row(name, size, target, ours, peer, keep):
    """ours() -> the new array of arrpy; peer() -> NumPy's."""

    def check():
        return bool(np.array_equal(ours().numpy(), peer()))

    return Workload("joins", name, "float32", size, target, python_loop(ours), peer, check, keep=keep)


def all_workloads(loops, smoke):
    n, side = (1024, 64) if smoke else (1 << 22, 4096)
    made = arrpy.made

    def parts(name, target, call, peer):
        def make():
            theirs = [np.random.default_rng(k).random(n, "f4") for k in range(4)]
            mine = [arrpy.array(x) for x in theirs]
            return row(name, 4 * n, target, lambda: call(mine), lambda: peer(theirs), (mine, theirs))

        return "joins", name, make

    def matrix(name, target, call, peer):
        def make():
            theirs = np.random.default_rng(1).random((side, side), "f4")
            mine = arrpy.array(theirs)
            return row(name, side * side, target, lambda: call(mine), lambda: peer(theirs), (mine, theirs))

        return "joins", name, make

    def turned(a):
        view = made("arr_rot90", a.handle, 1, 0, 1)
        return made("arr_copy", view.handle, 0, None)

    widths, shift = arrpy.int64s([16]), arrpy.int64s([100])
    return [
        parts(
            "concatenate 4",
            1.5,
            lambda a: made("arr_concatenate", 4, handles(a), 0, 0, None),
            lambda a: np.concatenate(a),
        ),
        parts(
            "stack 4, last axis", 2, lambda a: made("arr_stack", 4, handles(a), -1, 0, None), lambda a: np.stack(a, -1)
        ),
        parts("repeat 4", 1.5, lambda a: made("arr_repeat", a[0].handle, 4, 0, None), lambda a: np.repeat(a[0], 4)),
        matrix("roll", 3, lambda a: made("arr_roll", a.handle, 1, shift, None, None), lambda a: np.roll(a, 100)),
        matrix("rot90, copied", 12, turned, lambda a: np.rot90(a).copy()),
        matrix(
            "pad 16, constant",
            1.5,
            lambda a: made("arr_pad", a.handle, 1, widths, 0, None, None),
            lambda a: np.pad(a, 16),
        ),
        matrix(
            "pad 16, wrap",
            1.5,
            lambda a: made("arr_pad", a.handle, 1, widths, 8, None, None),
            lambda a: np.pad(a, 16, "wrap"),
        ),
    ]
