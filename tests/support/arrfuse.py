# SPDX-License-Identifier: MIT
"""arrfuse.py: scopes of recorded operations for tests, beside arrpy.py.

with arrfuse.scope():
    r = a * b + c * a - arrpy.sqrt(b)
arrfuse.stats().programs
"""

import contextlib
import ctypes
import gc

import arr_ctypes as c
import arrpy

SHARED, REORDER, SMALL = c.ARR_FUSE_SHARED, c.ARR_FUSE_REORDER, c.ARR_FUSE_SMALL


@contextlib.contextmanager
def scope(flags=0, small=True):
    """small: operations of small arrays, as tests have, are recorded too."""
    arrpy.call("arr_fuse_begin", flags | (SMALL if small else 0))
    try:
        yield
    finally:
        arrpy.call("arr_fuse_end")


def flush():
    arrpy.call("arr_fuse_flush")


def stats():
    s = c.arr_fuse_stats(ctypes.sizeof(c.arr_fuse_stats))
    arrpy.call("arr_fuse_info", ctypes.byref(s))
    return s


def counts(before=None):
    """(recorded, programs, skipped) so far, or since."""
    s = stats()
    now = (s.recorded, s.programs, s.skipped)
    return now if before is None else tuple(x - y for x, y in zip(now, before))


def memory(device):
    """Bytes in use."""
    s = c.arr_memory_stats(ctypes.sizeof(c.arr_memory_stats))
    arrpy.call("arr_memory_info", arrpy.device_of(device), ctypes.byref(s))
    return s.in_use


def live():
    gc.collect()
    return arrpy.lib.arr_live_objects(), arrpy.lib.arr_live_handles()


def run_cases(report, cases):
    """Functions of a report, none of which may leave anything behind."""
    for f in cases:
        if not report.wants(f.__name__):
            continue
        before = live()
        f(report)
        now = live()
        # The streams of a device and the numbers 0, 1, 2 ... are kept once they were needed.
        report.check(
            f"{f.__name__} leaves nothing",
            now[1] == before[1] and now[0] - before[0] <= 4,
            f"objects, handles: {before}, then {now}",
        )
    report.finish()
