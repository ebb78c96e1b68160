# SPDX-License-Identifier: MIT
"""failing_calls.py: makes every call of arrcall a test of what happens when memory runs out.

install() replaces arrcall.call, before anything imports it by name: each call runs with its first allocation
failing and all that follow, then with the first alone failing; then so with its second, and so on, until it needs
no more than it gets. Each failure must be ARR_E_MEMORY with a text of one line, leave what the call would have
written as it was, and no object behind. The last run is the call itself, so whoever called goes on with its
result, which comes after all those failures. Where a call only makes new handles, it also runs and succeeds
behind each failure of one allocation: its first calls do, and what they made has the bytes of the last.

Allocations are those by operator new in the calling thread, in the library and all that it uses, and those of
the library with an alignment; tests/support/failing_new must be preloaded.
"""

import ctypes
import json
import os
import pathlib

import arr_ctypes as c
import arrcall

LIMIT = 300  # allocations of one call; a long convolution has as many as it has taps
REPEATED = 3  # calls of one function that run again behind each failure
Failed = arrcall.Error
# They end what they end also when they fail, so there is no second time.
ONCE = {"arr_fuse_end", "arr_graph_end", "arr_graph_update", "arr_trace_end"}
# Calls that change an argument or a state of the library besides making handles, and calls that make elements of
# no value.
CHANGING = (
    "arr_random_",
    "arr_generator_spawn",
    "arr_from_cuda_array_interface",
    "arr_from_dlpack",
    "arr_expr_run",
    "arr_elementwise_kernel_run",
    "arr_reduction_kernel_run",
    "arr_ipc_import",
    "arr_create",
    "arr_empty_like",
    "arr_pinned_create",
    "arr_fft_plan_output",
    "arr_linop_from_function",
)
RELEASES = {
    c.arr_array: "arr_release",
    **{
        getattr(c, "arr_" + n): f"arr_{n}_release"
        for n in (
            "comm",
            "decomposition",
            "dist",
            "dist_sparse",
            "event",
            "expr",
            "fft_plan",
            "generator",
            "graph",
            "kernel",
            "linop",
            "module",
            "sparse",
            "sparse_factor",
            "stream",
            "texels",
            "texture",
            "user_kernel",
        )
    },
}


class Counts:
    calls = 0
    failures = 0
    again = 0
    capturing = 0  # graphs: what was captured before a failure is kept until the graph has gone
    recording = 0  # scopes: what fails there is kept as the failure of that work, for whoever asks for it
    faults = []
    starved = {}  # function -> how often an allocation of it failed
    repeated = {}  # function -> calls that were made again


def _makers():
    """The functions that do no more than make handles, and those in the order of their parameters."""
    api = json.loads((pathlib.Path(__file__).resolve().parents[2] / "bindings" / "api.json").read_text())
    makers = {}
    for f in api["functions"]:
        written = [(i, p) for i, p in enumerate(f["parameters"]) if p["direction"] != "in"]
        if written and all(p.get("owned") and p["type"]["base"] == "handle" for _, p in written):
            if not f["name"].startswith(CHANGING):
                makers[f["name"]] = [i for i, _ in written]
    return makers


MAKERS = _makers()


def _target(argument):
    return getattr(argument, "_obj", argument)  # of byref


def _written(arguments):
    """The memory that a call can have written through its pointers, as bytes."""
    seen = []
    for a in map(_target, arguments):
        if isinstance(a, (ctypes.Array, ctypes.Structure, ctypes._SimpleCData)):
            seen.append(bytes(memoryview(a).cast("B")) if ctypes.sizeof(a) else b"")
    return seen


def _alive():
    return arrcall.lib.arr_live_handles(), arrcall.lib.arr_live_objects()


def _fault(name, n, text):
    if len(Counts.faults) < 50:
        Counts.faults.append(f"{name}, allocation {n}: {text}")


def _starve(n, once, function, arguments):
    """The call with its allocations failing from the n-th on, or that one alone: (status, whether one failed)."""
    (arrcall.tools.arr_test_fail_one_allocation if once else arrcall.tools.arr_test_fail_allocation)(n)
    status = function(*arguments)
    return status, arrcall.tools.arr_test_stop_failing() != 0


def _starved(name, n, once, function, arguments):
    """The same, with what a failure must not do."""
    before, live = _written(arguments), _alive()
    status, failed = _starve(n, once, function, arguments)
    if failed:
        Counts.starved[name] = Counts.starved.get(name, 0) + 1
    if not failed or status == c.ARR_OK:
        return status, failed
    text = arrcall.lib.arr_last_error()
    if not text or b"\n" in text:
        _fault(name, n, f"status {status} with the text {text}")
    if before != _written(arguments):
        _fault(name, n, "it failed and wrote to its arguments")
    if live != _alive() and not Counts.capturing:
        # The first of its kind may make what stays, such as a stream or a table: the second makes nothing.
        live = _alive()
        status, failed = _starve(n, once, function, arguments)
        if failed and status != c.ARR_OK and live != _alive():
            _fault(name, n, f"handles and objects alive: {live}, then {_alive()}")
    return status, failed


def _made(name, arguments):
    """The handles that the call has made."""
    handles = []
    for i in MAKERS[name]:
        a = _target(arguments[i])
        if a is not None:
            handles += [type(h)(h.value) for h in a] if isinstance(a, ctypes.Array) else [type(a)(a.value)]
    return [h for h in handles if h.value]


def _bytes(handle):
    """The elements of an array; of what else there is, nothing."""
    size = ctypes.c_int64()
    if not isinstance(handle, c.arr_array) or arrcall.lib.arr_nbytes(handle, ctypes.byref(size)) != c.ARR_OK:
        return b""
    buffer = ctypes.create_string_buffer(max(size.value, 1))
    status = arrcall.lib.arr_get(handle, c.ARR_ORDER_C, buffer, size.value, None)
    return buffer.raw[: size.value] if status == c.ARR_OK else b"status %d" % status


def _undone(name, arguments, before):
    """Releases what a call has made, and returns its bytes."""
    made = _made(name, arguments)
    contents = [_bytes(h) for h in made]
    for h in made:
        arrcall.check(getattr(arrcall.lib, RELEASES[type(h)])(h))
    for a, old in zip(
        [
            _target(a)
            for a in arguments
            if isinstance(_target(a), (ctypes.Array, ctypes.Structure, ctypes._SimpleCData))
        ],
        before,
    ):
        if ctypes.sizeof(a):
            ctypes.memmove(ctypes.addressof(a), old, len(old))
    return contents


def _again(name, n, function, arguments, contents):
    """The status of the call after a failure of one allocation."""
    Counts.again += 1
    before = _written(arguments)
    status = function(*arguments)
    contents.append((n, _undone(name, arguments, before) if status == c.ARR_OK else status))


def _warm():
    """Work on several threads: oneTBB, once it has found no memory for its own start, waits for it for ever."""
    lib, made, result = arrcall.lib, c.arr_array(), c.arr_array()
    arrcall.check(
        lib.arr_zeros(c.ARR_FLOAT32, 1, arrcall.int64s([1 << 22]), c.ARR_ORDER_C, None, None, ctypes.byref(made))
    )
    arrcall.check(lib.arr_negative(made, None, ctypes.byref(result)))
    lib.arr_release(made)
    lib.arr_release(result)


def _until_it_has_enough(name, function, arguments):
    """All runs of a call: its status, the failures that are not for want of memory, and how often it failed."""
    other, contents = {}, []
    again = name in MAKERS and not Counts.capturing and Counts.repeated.get(name, 0) < REPEATED
    Counts.repeated[name] = Counts.repeated.get(name, 0) + again
    for n in range(LIMIT):
        # A failed call in a capture keeps its memory for the graph: one form is all that a device has room for.
        for once in (False,) if Counts.capturing else (False, True):
            before = _written(arguments)
            status, failed = _starved(name, n, once, function, arguments)
            if once and failed and status == c.ARR_OK and again:  # it did without that one: on with the next
                contents.append((n, _undone(name, arguments, before)))
                continue
            if not failed or status == c.ARR_OK:  # it had enough, or does without
                last = [_bytes(h) for h in _made(name, arguments)] if again and status == c.ARR_OK else status
                for k, made in contents:
                    if made != last:
                        _fault(name, k, f"called again, it gave something else: {made}, {last}"[:200])
                return status, {s: t for s, t in other.items() if s != status}, n
            Counts.failures += 1
            if status != c.ARR_E_MEMORY:
                other[status] = arrcall.lib.arr_last_error()
            elif once and again:
                _again(name, n, function, arguments, contents)
    return function(*arguments), other, LIMIT


def afresh(prepare, name, *arguments, undo=lambda: None):
    """A call that ends something also when it fails, each time behind what it ends: until it has enough, twice."""
    function = getattr(arrcall.lib, name)
    for once in (False, True):
        for n in range(LIMIT):
            prepare()
            before, live = _written(arguments), _alive()
            status, failed = _starve(n, once, function, arguments)
            if not failed:
                break
            Counts.starved[name] = Counts.starved.get(name, 0) + 1
            Counts.failures += 1
            if status == c.ARR_OK:  # it did without
                undo()
                continue
            if status != c.ARR_E_MEMORY or not arrcall.lib.arr_last_error():
                _fault(name, n, f"status {status} with the text {arrcall.lib.arr_last_error()}")
            if before != _written(arguments):
                _fault(name, n, "it failed and wrote to its arguments")
            if n > 0 and _alive()[0] > live[0]:
                _fault(name, n, f"handles and objects alive: {live}, then {_alive()}")
        arrcall.check(status)
        if not once:
            undo()


def tools():
    """The functions of tests/support/failing_new."""
    return arrcall.tools


def install():
    _warm()
    arrcall.tools = ctypes.CDLL(None)
    for name in ("arr_test_fail_allocation", "arr_test_fail_one_allocation"):
        getattr(arrcall.tools, name).argtypes = [ctypes.c_int64]
        getattr(arrcall.tools, name).restype = None
    if (
        "ARR_CUDA_DRIVER" in os.environ
    ):  # the fake of tests/support/fake_cuda, whose own allocations are not the library's
        fake = ctypes.CDLL(os.environ["ARR_CUDA_DRIVER"])
        arrcall.tools.arr_test_exempt(fake.arr_fake_cuda_inside)

    def call(name, *arguments):
        function = getattr(arrcall.lib, name)
        Counts.recording += (name == "arr_fuse_begin") - (name == "arr_fuse_end")
        Counts.capturing -= name == "arr_graph_end"
        if Counts.recording or name in ONCE:
            return arrcall.check(function(*arguments))
        Counts.calls += 1
        status, other, n = _until_it_has_enough(name, function, arguments)
        if other:
            _fault(name, n, f"failed with {other}, and with enough memory gives {status}")
        Counts.capturing += name == "arr_graph_begin"
        return arrcall.check(status)

    arrcall.call = call
