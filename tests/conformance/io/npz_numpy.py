#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Archives of arrays: NumPy reads what libarr writes, and the other way round; damaged archives are refused."""

import ctypes
import os
import pathlib
import struct
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from oracle import arrpy
from products import handles

C = arrpy.c
SHORT = "ARR_SUITE" in os.environ  # every call is repeated for each of its allocations
NAMES = [n for n in oracle.ALL if n != "bfloat16"]


def save(path, arrays, names=None, compressed=False):
    texts = (
        None if names is None else (ctypes.c_char_p * len(names))(*(None if n is None else n.encode() for n in names))
    )
    arrpy.call("arr_savez", os.fsencode(path), -1, len(arrays), handles(arrays), texts, int(compressed), None)


def load(report, path, name):
    return arrpy.made("arr_load_npz", os.fsencode(path), -1, name.encode(), arrpy.device_of(report.device), None)


def names_of(path):
    length, count = ctypes.c_int64(), ctypes.c_int64()
    arrpy.call("arr_npz_names", os.fsencode(path), -1, 0, None, ctypes.byref(length), ctypes.byref(count))
    text = ctypes.create_string_buffer(length.value + 1)
    arrpy.call("arr_npz_names", os.fsencode(path), -1, length.value + 1, text, ctypes.byref(length), None)
    names = text.value.decode().split("\n") if count.value else []
    assert len(names) == count.value, (names, count.value)
    return names


def both_ways(report, folder):
    ours, theirs = os.path.join(folder, "ours.npz"), os.path.join(folder, "theirs.npz")
    arrays = {d: oracle.sample((3, 40), d, k) for k, d in enumerate(NAMES)}
    arrays.update(
        empty=np.zeros((0, 4)),
        number=np.float32(3).reshape(()),
        column=np.asfortranarray(np.ones((3, 4))),
        long=np.arange(200000.0),
        ümlaut=np.arange(3),
    )
    for compressed in (False, True):
        save(ours, [report.array(x) for x in arrays.values()], list(arrays), compressed)
        with np.load(ours) as back:
            report.check(f"names {compressed}", list(back) == list(arrays))
            for name, x in arrays.items():
                y = back[name]
                good = oracle.same(y, x) and y.flags.fnc == x.flags.fnc
                report.check(f"NumPy reads {name} {compressed}", good)
        with zipfile.ZipFile(ours) as archive:
            report.check(f"checksums {compressed}", archive.testzip() is None)
        (np.savez_compressed if compressed else np.savez)(theirs, **arrays)
        report.check(f"names of NumPy {compressed}", names_of(theirs) == list(arrays))
        for name, x in arrays.items():
            for path in (ours, theirs):
                report.check(f"reads {name} {compressed}", oracle.same(load(report, path, name).numpy(), x))
    report.check("suffix", oracle.same(load(report, theirs, "long.npy").numpy(), arrays["long"]))
    a = report.array(np.arange(3))
    save(ours, [a, a[::-1], a], [None, "b", ""])
    report.check("names by position", names_of(ours) == ["arr_0", "b", "arr_2"])
    save(ours, [])
    report.check("no arrays", names_of(ours) == [] and len(np.load(ours).files) == 0)


def many(report, folder):
    """More members than 16 bits count, as only the end of 64 bits says."""
    path = os.path.join(folder, "many.npz")
    n = 65600 if report.device == "host" and not SHORT else 3
    a = report.array(np.arange(2, dtype="int8"))
    arrpy.call("arr_savez", os.fsencode(path), -1, n, handles([a] * n), None, 0, None)
    with np.load(path) as back:
        report.check("many names", len(back.files) == n and back.files[-1] == f"arr_{n - 1}")
        report.check("many values", (back[f"arr_{n - 1}"] == [0, 1]).all())
    report.check(
        "many read", names_of(path)[-1] == f"arr_{n - 1}" and load(report, path, f"arr_{n - 1}").numpy()[1] == 1
    )
    os.remove(path)


def save_bytes(path, arrays, names):
    texts = (ctypes.c_char_p * len(names))(*names)
    arrpy.call("arr_savez", os.fsencode(path), -1, len(arrays), handles(arrays), texts, 0, None)


def names(report, folder):
    """Names that no reader gets wrong are written and read; others are refused before the file is there."""
    path, a, b = os.path.join(folder, "names.npz"), report.array(np.zeros(2)), report.array(np.ones(2))
    for name in ("a/b", "..a", "a..", "a/..b", "x.npy", ".", "a b", "C:x", "中文", "é" * 9, "a.b/c.npy", "..."):
        save_bytes(path, [a, b], [name.encode(), b"other"])
        report.check(f"name {name} listed", names_of(path) == [name, "other"])
        with zipfile.ZipFile(path) as archive:
            report.check(f"name {name} member", archive.namelist() == [f"{name}.npy", "other.npy"])
        report.check(f"name {name} read", not load(report, path, name).numpy().any())
        report.check(f"name {name} by its file", not load(report, path, f"{name}.npy").numpy().any())
    os.remove(path)
    utf8, control, leaves = "not UTF-8", "control character", "out of the folder"
    for name, word in (
        (b"\xff", utf8),
        (b"a\xc3", utf8),
        (b"\xed\xa0\x80", utf8),
        (b"x\ny", control),
        (b"x\r", control),
        (b"\t", control),
        (b"\x7f", control),
        ("x\u2028y".encode(), control),
        (b"../../evil", leaves),
        (b"..", leaves),
        (b"a/../../b", leaves),
        (b"a/..", leaves),
        (b"/abs", leaves),
        (b"\\abs", leaves),
        (b"..\\evil", leaves),
        (b"a\\..\\b", leaves),
        (b"C:\\x", leaves),
        (b"c:/x", leaves),
    ):
        try:
            save_bytes(path, [a, b], [b"fine", name])
            message = "no error"
        except arrpy.Error as e:
            message = f"{e.status} {e}" if e.status != C.ARR_E_ARGUMENT else str(e)
        good = message.startswith("arr_savez: argument names: ") and word in message and "\n" not in message
        report.check(f"name {name} refused", good and not os.path.exists(path), message)
    for pair in ((b"a", b"a.npy"), (b"a.npy", b"a"), (b"a", b"a")):
        good = oracle.raises(C.ARR_E_ARGUMENT, lambda p=pair: save_bytes(path, [a, b], p))
        report.check(f"names {pair} refused", good and not os.path.exists(path))
    np.savez(path, **{"a": np.zeros(2), "a.npy": np.ones(2)})
    for name, x in (("a", 0), ("a.npy", 1)):
        report.check(
            f"NumPy's {name} beside the other", oracle.same(load(report, path, name).numpy(), np.full(2, float(x)))
        )
    report.check("NumPy's names", names_of(path) == ["a", "a.npy"])
    for name in ("x\ny", "x\u2029"):
        np.savez(path, **{"a": np.zeros(2), name: np.ones(2)})
        report.check(f"list with {name!r} refused", oracle.raises(C.ARR_E_FORMAT, lambda: names_of(path)))
        report.check(
            f"{name!r} read", load(report, path, name).numpy().all() and not load(report, path, "a").numpy().any()
        )
    os.remove(path)


def refused(report, folder):
    path, bad = os.path.join(folder, "good.npz"), os.path.join(folder, "bad.npz")
    a = report.array(np.arange(50.0))
    for names, status in ((["x", "x"], C.ARR_E_ARGUMENT), (["x" * 70000, "y"], C.ARR_E_ARGUMENT)):
        report.check(f"refuses names {names[0][:3]}", oracle.raises(status, lambda n=names: save(bad, [a, a], n)))
    half = report.array(oracle.sample((3,), "bfloat16", 1))
    report.check("refuses bfloat16", oracle.raises(C.ARR_E_DTYPE, lambda: save(bad, [half])))
    report.check("leaves nothing", not os.path.exists(bad))
    report.check("no file", oracle.raises(C.ARR_E_IO, lambda: load(report, bad, "x")))
    for compressed in (False, True):
        save(path, [a], ["x"], compressed)
        report.check("no such array", oracle.raises(C.ARR_E_ARGUMENT, lambda: load(report, path, "y")))
        with open(path, "rb") as f:
            whole = f.read()

        def damaged(label, data, *statuses):
            with open(bad, "wb") as f:
                f.write(data)
            try:
                got = load(report, bad, "x").numpy()
                report.check(label, not statuses and oracle.same(got, np.arange(50.0)), "was read")
            except arrpy.Error as e:
                report.check(label, e.status in statuses, str(e))

        damaged("whole", whole)
        damaged("with a prefix of a comment", whole[:-2] + struct.pack("<H", 3) + b"abc")
        for n in range(0, len(whole), 7):
            damaged(f"cut at {n}", whole[:n], C.ARR_E_FORMAT, C.ARR_E_ARGUMENT)
        data = whole.index(b"x.npy") + 5 + 20
        flipped = bytearray(whole)
        flipped[data + 200] ^= 1
        damaged("flipped bit", bytes(flipped), C.ARR_E_FORMAT)
        central = whole.index(b"PK\x01\x02")
        for at, bytes_, statuses in (
            (8, b"\x01\x00", (C.ARR_E_UNSUPPORTED,)),  # encrypted
            (10, b"\x0c\x00", (C.ARR_E_UNSUPPORTED,)),  # bzip2
            (20, b"\xff\xff\xff\x7f", (C.ARR_E_FORMAT,)),  # packed size
            (24, b"\xff\xff\xff\x7f", (C.ARR_E_FORMAT,)),  # size
            (16, b"\x00\x00\x00\x00", (C.ARR_E_FORMAT,)),  # checksum
            (42, b"\xff\xff\xff\x7f", (C.ARR_E_FORMAT,)),  # place
            (42, b"\xff\xff\xff\xff", (C.ARR_E_FORMAT,)),
            (28, b"\xff\xff", (C.ARR_E_FORMAT,)),  # length of the name
            (0, b"XX", (C.ARR_E_FORMAT,)),
        ):
            changed = bytearray(whole)
            changed[central + at : central + at + len(bytes_)] = bytes_
            damaged(f"directory {at} {bytes_}", bytes(changed), *statuses)
        rng = np.random.default_rng(5)
        for k in range(300 if report.device == "host" and not SHORT else 20):  # whatever is read, is what was written
            noisy = bytearray(whole)
            for _ in range(rng.integers(1, 4)):
                noisy[rng.integers(len(noisy))] = rng.integers(256)
            with open(bad, "wb") as f:
                f.write(noisy)
            try:
                got = load(report, bad, "x").numpy()
                report.check(f"noise {k}", got.nbytes <= 400)
            except arrpy.Error as e:
                report.check(
                    f"noise {k}",
                    e.status in (C.ARR_E_FORMAT, C.ARR_E_ARGUMENT, C.ARR_E_UNSUPPORTED, C.ARR_E_DTYPE, C.ARR_E_SHAPE),
                    str(e),
                )
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("x.npy", b"not an array")
    report.check("not an array", oracle.raises(C.ARR_E_FORMAT, lambda: load(report, bad, "x")))


if __name__ == "__main__":
    r = oracle.Report(__doc__)
    with tempfile.TemporaryDirectory() as temporary:
        for part in r.chosen((both_ways, many, names, refused)):
            part(r, temporary)
    r.finish()
