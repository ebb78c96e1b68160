#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dlpack_clients.py numpy|torch - arrays to a real DLPack client and back, with the client's own objects.

Needs ARR_LIBRARY and ARR_CAPSULE. Exits 77 where the client is not installed. Cases in which a client is known
to end the process run in a child.
"""

import gc
import importlib
import subprocess
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
CLIENT = sys.argv[1] if len(sys.argv) > 1 else "numpy"
try:
    import numpy as np

    client = importlib.import_module(CLIENT)
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import arr_ctypes as c  # noqa: E402
import arrpy  # noqa: E402
from arrdlpack import Producer, capsule, shim, taken, taken_capsule  # noqa: E402

checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        raise AssertionError(what)


def same(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and (np.asarray(x) == np.asarray(y)).all()


def sample(dtype, shape=(3, 4)):
    x = np.arange(int(np.prod(shape))).reshape(shape)
    return (x % 2 == 0) if dtype == "bool" else x.astype(dtype)


LAYOUTS = {
    "row-major": lambda a: a,
    "column-major": lambda a: a.T,
    "slice": lambda a: a[1:, ::2],
    "row": lambda a: a[1],
    "column": lambda a: a[:, 2],
    "extent 1": lambda a: a[1:2, :],
    "empty": lambda a: a[:, 2:2],
    "no dimensions": lambda a: a[1, 2],
}
BACKWARDS = {"backwards": lambda a: a[::-1, ::-1], "one backwards": lambda a: a[:, ::-2]}


def view(a, select):
    """The same view of a NumPy array and of ours; NumPy gives a scalar for one element."""
    got = select(a)
    return got if isinstance(got, arrpy.Array) else np.asarray(got)


class NumPy:
    name = "numpy"
    modern = int(np.__version__.split(".")[0]) >= 2
    layouts = {**LAYOUTS, **BACKWARDS}
    dtypes = arrpy.NAMES if modern else arrpy.NAMES[1:]  # 1.24 does not know DLPack's bool

    def take(self, producer):
        return np.from_dlpack(producer)

    def make(self, x):
        return np.array(x, order="K")

    def as_numpy(self, x):
        return x

    def pointer(self, x):
        return x.ctypes.data

    def writable(self, x):
        return x.flags.writeable


class Torch:
    name = "torch"
    modern = False
    layouts = LAYOUTS  # negative strides end the process: see abort_cases()
    dtypes = ["int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64", "complex64", "complex128"]

    def take(self, producer):
        return client.from_dlpack(producer)

    def make(self, x):
        return client.from_numpy(np.array(x, order="K"))

    def as_numpy(self, x):
        return x.numpy()

    def pointer(self, x):
        return x.data_ptr()

    def writable(self, x):
        return True


SIDE = {"numpy": NumPy, "torch": Torch}[CLIENT]()


def ours_to_client(dtype, layout, select):
    source = sample(dtype)
    a = arrpy.array(source)
    part, expected = view(a, select), view(source, select)
    producer = Producer(part)
    x = SIDE.take(producer)
    what = f"{dtype} {layout}"
    check(producer.asked == ["versioned" if SIDE.modern else "legacy"], f"{what}: asked for {producer.asked}")
    check(same(SIDE.as_numpy(x), expected), what)
    if expected.size:
        check(SIDE.pointer(x) == part.data, f"{what}: copied")
    del a, part, producer
    check(same(SIDE.as_numpy(x), expected), f"{what}: after our handles went")


def client_to_ours(dtype, layout, select):
    source = sample(dtype)
    theirs = view(SIDE.make(source), select) if CLIENT == "numpy" else select(SIDE.make(source))
    expected = view(source, select)
    a = taken(theirs)
    what = f"{dtype} {layout} taken in"
    check(a.shape == expected.shape and a.dtype == expected.dtype, what)
    check((a.numpy() == expected).all(), what)
    if expected.size:
        check(a.data == SIDE.pointer(theirs), f"{what}: copied")
    del theirs
    check((a.numpy() == expected).all(), f"{what}: after their object went")


def shared_writes():
    a = arrpy.array(np.zeros(3))
    x = SIDE.take(Producer(a))
    a.set(np.ones(3))
    check((SIDE.as_numpy(x) == 1).all(), "our write is seen by the client")
    if SIDE.writable(x):
        SIDE.as_numpy(x)[1] = 5
        check(a.numpy()[1] == 5, "the client's write is seen by us")
    theirs = SIDE.make(np.zeros(3))
    b = taken(theirs)
    arrpy.apply("add", b, b, out=b)
    b.set(np.full(3, 7.0))
    check((SIDE.as_numpy(theirs) == 7).all(), "our write to their memory is seen by them")


def read_only():
    wide = arrpy.array(np.arange(3.0)).broadcast_to((2, 3))
    if SIDE.modern:
        x = SIDE.take(Producer(wide))
        check(not x.flags.writeable and x.strides == (0, 8), "a broadcast view arrives read-only")
        theirs = np.arange(3.0)
        theirs.flags.writeable = False
        a = taken(theirs)
        check(a.flags & c.ARR_FLAG_READONLY, "read-only memory arrives read-only")
        try:
            a.set(np.zeros(3))
            check(False, "wrote to read-only memory")
        except arrpy.Error as e:
            check(e.status == c.ARR_E_READONLY and theirs[1] == 1, "a write is refused")
        copied = np.from_dlpack(Producer(wide), copy=True)
        check(copied.flags.writeable and copied.strides == (24, 8), "a copy is the client's own")
    try:
        SIDE.take(Producer(wide, legacy_only=True))
        check(False, "the old struct carried read-only memory")
    except BufferError:
        check(True, "")


def capsules():
    before = shim.capsule_dropped()
    a = arrpy.array(np.arange(4.0))
    for versioned in (0, 1):
        cap = capsule(a, versioned)
        del cap
    check(shim.capsule_dropped() == before + 2, "capsules that nobody took gave their tensors up")
    cap = capsule(a, 1)
    b = taken_capsule(cap)
    try:
        taken_capsule(cap)
        check(False, "a capsule was taken twice")
    except ValueError:
        check(True, "")
    del cap
    check((b.numpy() == np.arange(4.0)).all() and shim.capsule_dropped() == before + 2, "taken once, freed once")


def refusals():
    """Tensors that the client does not know are refused by it, and freed by the capsule."""
    if CLIENT == "numpy":
        theirs = arrpy.made("arr_zeros", c.ARR_BFLOAT16, 1, arrpy.int64s([3]), 0, None, None)
        before = shim.capsule_dropped()
        try:
            np.from_dlpack(Producer(theirs))
            check(False, "NumPy took bfloat16")
        except (BufferError, RuntimeError):
            gc.collect()
            check(shim.capsule_dropped() == before + 1, "the refused tensor was freed")
    else:
        x = client.arange(4, dtype=client.bfloat16)
        a = taken(x)
        check(a.flags & c.ARR_FLAG_VIEW and a.size == 4, "bfloat16 from torch")
        y = client.from_dlpack(Producer(a))
        check(y.dtype == client.bfloat16 and (y == x).all(), "bfloat16 to torch")
        del x, y
        expanded = client.arange(3.0).expand(2, 3)
        b = taken(expanded)
        check(b.strides == (0, 1) and (b.numpy() == expanded.numpy()).all(), "an expanded tensor")
        try:
            b.set(np.zeros((2, 3)))
            check(False, "wrote to overlapping elements")
        except arrpy.Error as e:
            check(e.status == c.ARR_E_READONLY, "a write to an expanded tensor is refused")


def round_trips():
    a = arrpy.array(np.arange(6.0).reshape(2, 3))
    pointer = a.data
    x = a
    # NumPy 1 takes everything as read-only, and does not give that away again.
    for _ in range(20 if CLIENT == "torch" or SIDE.modern else 0):
        x = taken(SIDE.take(Producer(x)))
    check(x.data == pointer and (x.numpy() == np.arange(6.0).reshape(2, 3)).all(), "twenty round trips")


CHILD = """
import sys; sys.argv = ["x", "{client}"]; sys.path[:0] = {paths!r}
import numpy as np, {client} as client, arrpy
from arrdlpack import Producer, taken
{body}
"""


def in_child(body):
    here = pathlib.Path(__file__).resolve().parent
    code = CHILD.format(client=CLIENT, paths=[str(here.parents[1] / "support")], body=body)
    return subprocess.run(
        [sys.executable, "-B", "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )


def children():
    done = in_child(
        "kept = client.from_dlpack(Producer(arrpy.array(np.arange(1000.0))))\n"
        "sys.kept = taken(client.ones(3))\nprint('end')"
    )
    check(done.returncode == 0 and done.stdout == "end\n", f"exit while tensors are held: {done}")
    if CLIENT == "torch":
        done = in_child(
            "x = client.from_dlpack(Producer(arrpy.array(np.arange(6.0))[::-1]))\n"
            "assert (x.numpy() == np.arange(6.0)[::-1]).all()\nprint('taken')"
        )
        print(
            f"note: torch {client.__version__} and negative strides: "
            + ("taken" if done.returncode == 0 else f"the process ends with {done.returncode}")
        )


def main():
    arrpy.zeros(1)  # makes the default stream, which stays
    gc.collect()
    # torch before 2.2 never deletes a tensor without elements: those are not counted as ours to free
    leaks_empty = CLIENT == "torch" and tuple(int(n) for n in client.__version__.split(".")[:2]) < (2, 2)
    start = arrpy.lib.arr_live_objects()
    expected_leak = 0
    for dtype in SIDE.dtypes:
        for layout, select in SIDE.layouts.items():
            before = arrpy.lib.arr_live_objects()
            ours_to_client(dtype, layout, select)
            gc.collect()
            if leaks_empty and layout == "empty":
                expected_leak += arrpy.lib.arr_live_objects() - before
            client_to_ours(dtype, layout, select)
    for group in (shared_writes, read_only, capsules, refusals, round_trips, children):
        group()
        gc.collect()
        check(arrpy.lib.arr_live_objects() - start == expected_leak, f"{group.__name__} leaks")
    check(arrpy.lib.arr_live_handles() == 0, "handles are left")
    print(
        f"{CLIENT} {client.__version__}: {checks} checks passed"
        + (f", {expected_leak} objects kept by torch (empty tensors)" if expected_leak else "")
    )


if __name__ == "__main__":
    main()
