#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays and events of a GPU that two processes share: a second Python, started by exec, opens the handles of this one
away and the other way about; either may close first or die."""

import ctypes
import json
import os
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
if "ARR_PEER" not in os.environ:
    import oracle
    from oracle import arrpy
else:
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
    import arrpy

C = arrpy.c


def handle_of(function, thing):
    length = ctypes.c_int64()
    arrpy.call(function, thing, 0, None, ctypes.byref(length))
    buffer = ctypes.create_string_buffer(length.value)
    arrpy.call(function, thing, length.value, buffer, ctypes.byref(length))
    return buffer.raw.hex()


def opened(text, device="cuda"):
    raw = bytes.fromhex(text)
    return arrpy.made("arr_ipc_import", raw, len(raw), arrpy.device_of(device))


def opened_event(text, device="cuda"):
    raw = bytes.fromhex(text)
    return arrpy.made("arr_ipc_import_event", raw, len(raw), arrpy.device_of(device), of=C.arr_event)


def shareable(x, device="cuda"):
    """An array with memory of its own."""
    arrpy.call("arr_memory_set_allocator", arrpy.device_of(device), C.ARR_ALLOCATOR_DIRECT)
    return arrpy.array(x, device=device)


def status_of(f):
    try:
        f()
        return C.ARR_OK
    except arrpy.Error as e:
        return e.status


class Peer:
    """Requests to the other process; there its methods run, here they are called by their names."""

    def __init__(self):
        self.arrays, self.events = {}, {}

    def open(self, name, handle):
        self.arrays[name] = opened(handle)

    def read(self, name):
        return self.arrays[name].numpy().tolist()

    def fill(self, name, x):
        v = arrpy.value(x)
        arrpy.call("arr_fill", self.arrays[name].handle, ctypes.byref(v), None)

    def make(self, name, x):
        self.arrays[name] = shareable(np.asarray(x, "f4"))
        return handle_of("arr_ipc_export", self.arrays[name].handle)

    def close(self, name):
        del self.arrays[name]

    def make_event(self, name):
        self.events[name] = arrpy.made("arr_event_create", arrpy.device_of("cuda"), C.ARR_EVENT_SHARED, of=C.arr_event)
        return handle_of("arr_ipc_export_event", self.events[name])

    def open_event(self, name, handle):
        self.events[name] = opened_event(handle)

    def record(self, name):
        arrpy.call("arr_event_record", self.events[name], None)

    def sync(self):
        arrpy.call("arr_device_sync", arrpy.device_of("cuda"))

    def close_event(self, name):
        arrpy.lib.arr_event_release(self.events.pop(name))

    def damaged(self, handle):
        """The statuses of the handle with each of its bytes changed."""
        raw, seen = bytearray.fromhex(handle), set()
        for i in range(len(raw)):
            raw[i] ^= 0x55
            seen.add(status_of(lambda: opened(raw.hex())))
            raw[i] ^= 0x55
        return sorted(seen)


def serve():
    peer = Peer()
    for line in sys.stdin:
        name, arguments = json.loads(line)
        try:
            answer = [C.ARR_OK, getattr(peer, name)(*arguments)]
        except arrpy.Error as e:
            answer = [e.status, str(e)]
        print(json.dumps(answer), flush=True)


class Other:
    """The other process."""

    def __init__(self, **environment):
        self.process = subprocess.Popen(
            [sys.executable, "-B", os.path.abspath(__file__)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment, "ARR_PEER": "1"},
        )

    def __getattr__(self, name):
        def ask(*arguments):
            self.process.stdin.write(json.dumps([name, arguments]) + "\n")
            self.process.stdin.flush()
            status, result = json.loads(self.process.stdout.readline())
            return result if status == C.ARR_OK else arrpy.Error(status, result)

        return ask

    def end(self):
        self.process.stdin.close()
        code = self.process.wait()
        self.process.stdout.close()
        return code

    def die(self):
        self.process.kill()
        self.end()


def memory(report):
    data, other = np.arange(24, dtype="f4").reshape(4, 6), Other()
    a = shareable(data)
    view = a.transpose(1, 0)[1:4]
    handle = handle_of("arr_ipc_export", view.handle)
    other.open("a", handle)
    report.check("read there", other.read("a") == data.T[1:4].tolist())
    other.fill("a", 7)
    other.sync()
    data.T[1:4] = 7
    report.check("written there", np.array_equal(a.numpy(), data), str(a.numpy()))
    a[0, 1] = 8
    arrpy.call("arr_device_sync", a.device)
    report.check("written here", other.read("a")[0][0] == 8)
    seen = other.damaged(handle)
    report.check("wrong bytes", set(seen) <= {C.ARR_OK, C.ARR_E_ARGUMENT} and C.ARR_E_ARGUMENT in seen, str(seen))
    other.close("a")
    data[0, 1] = 8
    report.check("closed there first", np.array_equal(a.numpy(), data))
    other.open("again", handle)
    report.check("opened again", other.read("again")[0][0] == 8)
    if report.fake:  # a driver leaves it undefined
        del view, a
        report.check("released here first", other.read("again")[0][0] == 8)
        gone = other.open("gone", handle)
        report.check("released memory", getattr(gone, "status", 0) == C.ARR_E_ARGUMENT, str(gone))
        other.close("again")
    report.check("ends well", other.end() == 0)


def events(report):
    # The other process's work begins only when that waits for it, where the driver is the fake.
    other = Other(ARR_FAKE_CUDA_SET="defer=1") if report.fake else Other()
    a = shareable(np.zeros(1000, "f4"))
    stream = arrpy.made("arr_stream_create", a.device, 0, of=C.arr_stream)
    other.open("a", handle_of("arr_ipc_export", a.handle))
    for owner in ("theirs", "ours"):
        if owner == "theirs":
            event = opened_event(other.make_event(owner))
        else:
            event = arrpy.made("arr_event_create", a.device, C.ARR_EVENT_SHARED, of=C.arr_event)
            other.open_event(owner, handle_of("arr_ipc_export_event", event))
        done, x = ctypes.c_bool(), 3 if owner == "theirs" else 5
        other.fill("a", x)
        other.record(owner)
        arrpy.call("arr_event_query", event, ctypes.byref(done))
        report.check(f"{owner}: not reached", not done.value or not report.fake)
        other.sync()
        arrpy.call("arr_stream_wait_event", stream, event)
        arrpy.call("arr_stream_sync", stream)
        report.check(f"{owner}: waited for", np.array_equal(a.numpy(), np.full(1000, x, "f4")), str(a.numpy()[:4]))
        arrpy.call("arr_event_query", event, ctypes.byref(done))
        report.check(f"{owner}: reached", done.value)
        if owner == "theirs":
            arrpy.lib.arr_event_release(event)
            other.close_event(owner)
        else:
            other.close_event(owner)
            arrpy.lib.arr_event_release(event)
    arrpy.lib.arr_stream_release(stream)
    report.check("ends well after events", other.end() == 0)


def deaths(report):
    other, a = Other(), shareable(np.arange(5, dtype="f4"))
    event = arrpy.made("arr_event_create", a.device, C.ARR_EVENT_SHARED, of=C.arr_event)
    other.open("a", handle_of("arr_ipc_export", a.handle))
    other.open_event("e", handle_of("arr_ipc_export_event", event))
    theirs, their_event = other.make("b", [1, 2, 3]), other.make_event("f")
    kept = opened(theirs)
    report.check("theirs, read", kept.numpy().tolist() == [1, 2, 3])
    other.die()
    report.check("who had it open is dead", np.array_equal(a.numpy(), np.arange(5, dtype="f4")))
    arrpy.call("arr_event_record", event, None)
    arrpy.call("arr_event_sync", event)
    arrpy.lib.arr_event_release(event)
    del kept
    report.check("memory of the dead", status_of(lambda: opened(theirs)) == C.ARR_E_ARGUMENT)
    report.check("event of the dead", status_of(lambda: opened_event(their_event)) == C.ARR_E_ARGUMENT)
    report.check("works on", shareable(np.ones(3, "f4")).numpy().tolist() == [1, 1, 1])


def main():
    report = oracle.Report(__doc__)
    report.fake = "fake" in os.environ.get("ARR_CUDA_DRIVER", "")
    memory(report)
    events(report)
    deaths(report)
    report.finish()


if __name__ == "__main__":
    serve() if "ARR_PEER" in os.environ else main()
