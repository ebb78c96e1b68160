# SPDX-License-Identifier: MIT
"""Prints arr::array and its parts in gdb as NumPy does, by a call in the program that is debugged.

gdb loads this file with libarr.so if it is found by its rules (docs/guides/cpp.md); `source` loads it too.
"""

import gdb

LIMIT = 65536  # bytes of text


def text_of(handle):
    """The text of an array, or why there is none, as in a core dump, where nothing can be called."""
    if int(handle) == 0:
        return "no array"
    call = "((int (*)(void *, int, long, char *, long *))arr_format)"
    buffer = 0
    try:
        buffer = int(gdb.parse_and_eval(f"((void *(*)(unsigned long))malloc)({LIMIT + 8})"))
        status = int(
            gdb.parse_and_eval(f"{call}((void *){int(handle)}, 0, {LIMIT}, (char *){buffer}, (long *){buffer + LIMIT})")
        )
        if status != 0:
            return f"handle {int(handle):#x}, whose text cannot be had: status {status}"
        return gdb.Value(buffer).cast(gdb.lookup_type("char").pointer()).string(errors="replace")
    except gdb.error as e:
        return f"handle {int(handle):#x} ({e})"
    finally:
        if buffer:
            gdb.parse_and_eval(f"((void (*)(void *))free)((void *){buffer})")


class ArrayPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return text_of(self.value["handle_"])


class SelectionPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"a part of {text_of(self.value['array_']['handle_'])}"


PRINTERS = {"arr::array": ArrayPrinter, "arr::const_selection": SelectionPrinter, "arr::selection": SelectionPrinter}


def lookup(value):
    printer = PRINTERS.get(str(value.type.unqualified().strip_typedefs()))
    return printer(value) if printer else None


gdb.pretty_printers.append(lookup)
