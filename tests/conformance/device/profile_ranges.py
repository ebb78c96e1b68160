#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranges and marks in a trace, read by a JSON parser; and none is open or gone after a call that found no memory."""

import ctypes
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle
from oracle import arrpy

C = arrpy.c
LONG = b" of a name that has no room in a small string"


def direct(name, *arguments):
    """A call that finds all the memory it asks for, without which the trace counts records as lost."""
    arrpy.check(getattr(arrpy.lib, name)(*arguments))


def body(call):
    """Some of each kind; the ranges that are to be in the trace, and the marks."""
    one, two = ctypes.c_int64(), ctypes.c_int64()
    call("arr_range_push", b"outer" + LONG)
    call("arr_range_push_color", b'inner "quoted" \\ ' + LONG, 0xFFFF0000)
    call("arr_range_start", b"task" + LONG, 0x8000FF00, ctypes.byref(one))
    call("arr_range_start", b"other", 0, ctypes.byref(two))
    call("arr_mark", b"here" + LONG)
    call("arr_mark_color", b"there" + LONG, 1)
    call("arr_range_pop")
    call("arr_range_end", one)
    call("arr_range_pop")
    call("arr_range_end", two)
    return one.value, two.value


def main():
    report = oracle.Report(__doc__)
    for traced in (False, True):
        if traced:
            arrpy.call("arr_trace_begin")
        body(arrpy.call)
        if traced:
            arrpy.call("arr_trace_end", None)
        report.check(
            f"no range is open, traced: {traced}", oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_range_pop"))
        )
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.json"
        arrpy.call("arr_trace_begin")
        ids = body(direct)
        arrpy.call("arr_trace_end", str(path).encode())
        events = json.loads(path.read_text())["traceEvents"]
    for name, phase, color in (
        ("outer", "X", None),
        ('inner "quoted" \\ ', "X", "#ffff0000"),
        ("task", "b", "#8000ff00"),
        ("task", "e", "#8000ff00"),
        ("other", "b", None),
        ("here", "i", None),
        ("there", "i", "#00000001"),
    ):
        full = name + (LONG.decode() if name != "other" else "")
        found = [e for e in events if e["name"] == full and e["ph"] == phase]
        report.check(
            f"{name} {phase}", found and all(e.get("args", {}).get("color") == color for e in found), f"{found}"
        )
        if phase in "be":
            report.check(f"{name} {phase} by its number", found[-1:] and found[-1]["id"] in ids, f"{found} {ids}")
    at = {e["ph"]: e["ts"] for e in events if e["name"] == "task" + LONG.decode()}
    report.check("a range ends behind its beginning", at["b"] <= at["e"], f"{at}")
    for wrong in (ids[0], 0):
        report.check(
            f"the end of {wrong} is refused",
            oracle.raises(C.ARR_E_ARGUMENT, lambda wrong=wrong: arrpy.call("arr_range_end", wrong)),
        )
    report.finish()


if __name__ == "__main__":
    main()
