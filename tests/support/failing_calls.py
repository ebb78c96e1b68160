# SPDX-License-Identifier: MIT
"""failing_calls.py: makes every call of arrcall a test of what happens when memory runs out.

install() replaces arrcall.call, before anything imports it by name: each call runs with its first allocation
failing and all that follow, then with its second, and so on, until it needs no more than it gets. Each failure
must be ARR_E_MEMORY with a text, leave what the call would have written as it was, and no object behind. The
last run is the call itself, so whoever called goes on with its result. Allocations are those by operator new
in the calling thread, in the library and all that it uses; tests/support/failing_new must be preloaded.
"""
import ctypes
import os

import arr_ctypes as c
import arrcall

LIMIT = 300  # allocations of one call; a long convolution has as many as it has taps
Failed = arrcall.Error
# They end what they end also when they fail, so there is no second time.
ONCE = {"arr_fuse_end", "arr_graph_end", "arr_graph_update", "arr_trace_end"}


class Counts:
    calls = 0
    failures = 0
    capturing = 0  # graphs: what was captured before a failure is kept until the graph has gone
    recording = 0  # scopes: what fails there is kept as the failure of that work, for whoever asks for it
    faults = []


def _written(arguments):
    """What a call can have written through its pointers, as bytes."""
    seen = []
    for a in arguments:
        target = getattr(a, "_obj", a)  # of byref
        if isinstance(target, (ctypes.Array, ctypes.Structure, ctypes._SimpleCData)):
            seen.append(bytes(memoryview(target).cast("B")) if ctypes.sizeof(target) else b"")
    return seen


def _alive():
    return arrcall.lib.arr_live_handles(), arrcall.lib.arr_live_objects()


def _fault(name, n, text):
    if len(Counts.faults) < 50:
        Counts.faults.append(f"{name}, allocation {n}: {text}")


def _starve(n, function, arguments):
    """The call with its allocations failing from the n-th on: (status, whether one failed)."""
    arrcall.tools.arr_test_fail_allocation(n)
    status = function(*arguments)
    return status, arrcall.tools.arr_test_stop_failing() != 0


def _starved(name, n, function, arguments):
    """The same, with what a failure must not do."""
    before, live = _written(arguments), _alive()
    status, failed = _starve(n, function, arguments)
    if not failed or status == c.ARR_OK:
        return status, failed
    if not arrcall.lib.arr_last_error():
        _fault(name, n, f"status {status} without a text")
    if before != _written(arguments):
        _fault(name, n, "it failed and wrote to its arguments")
    if live != _alive() and not Counts.capturing:
        # The first of its kind may make what stays, such as a stream or a table: the second makes nothing.
        live = _alive()
        status, failed = _starve(n, function, arguments)
        if failed and status != c.ARR_OK and live != _alive():
            _fault(name, n, f"handles and objects alive: {live}, then {_alive()}")
    return status, failed


def _warm():
    """Work on several threads: oneTBB, once it has found no memory for its own start, waits for it for ever."""
    lib, made, result = arrcall.lib, c.arr_array(), c.arr_array()
    arrcall.check(lib.arr_zeros(c.ARR_FLOAT32, 1, arrcall.int64s([1 << 22]), c.ARR_ORDER_C, None, None, ctypes.byref(made)))
    arrcall.check(lib.arr_negative(made, None, ctypes.byref(result)))
    lib.arr_release(made)
    lib.arr_release(result)


def install():
    _warm()
    arrcall.tools = ctypes.CDLL(None)
    arrcall.tools.arr_test_fail_allocation.argtypes = [ctypes.c_int64]
    arrcall.tools.arr_test_fail_allocation.restype = None
    if "ARR_CUDA_DRIVER" in os.environ:  # the fake of tests/support/fake_cuda, whose own allocations are not the library's
        fake = ctypes.CDLL(os.environ["ARR_CUDA_DRIVER"])
        arrcall.tools.arr_test_exempt(fake.arr_fake_cuda_inside)

    def call(name, *arguments):
        function = getattr(arrcall.lib, name)
        Counts.recording += (name == "arr_fuse_begin") - (name == "arr_fuse_end")
        Counts.capturing -= name == "arr_graph_end"
        if Counts.recording or name in ONCE:
            return arrcall.check(function(*arguments))
        Counts.calls += 1
        other = set()  # failures that are not for want of memory: those of the call itself
        for n in range(LIMIT):
            status, failed = _starved(name, n, function, arguments)
            if not failed or status == c.ARR_OK:  # it had enough, or does without
                break
            Counts.failures += 1
            if status != c.ARR_E_MEMORY:
                other.add(status)
        else:
            status = function(*arguments)
        if other - {status}:
            _fault(name, n, f"failed with {other}, and with enough memory gives {status}")
        Counts.capturing += name == "arr_graph_begin"
        return arrcall.check(status)

    arrcall.call = call
