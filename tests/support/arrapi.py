# SPDX-License-Identifier: MIT
"""arrapi.py: calls of any public function, with arguments that follow from its parameters in bindings/api.json.

arrapi.call("arr_quantile", a=x, nq=1, q=...)   # returns its results by parameter; other parameters have their usual values
"""

import ctypes
import json
import pathlib

import arr_ctypes as c
import arrpy

API = json.loads((pathlib.Path(__file__).resolve().parents[2] / "bindings" / "api.json").read_text())
FUNCTIONS = {f["name"]: f for f in API["functions"]}
TEXT = 4096  # bytes for a text that is written
# Values of parameters that are given nothing: by name, or else 0 or NULL.
USUAL = {"axis": 1, "correction": 1.0, "capacity": TEXT, "type": 2, "n": -1, "length": -1, "jumps": 1, "size": -1}
BASES = {
    "bool": ctypes.c_bool,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "double": ctypes.c_double,
    "char": ctypes.c_char,
}


def handle_of(x):
    return x.handle if isinstance(x, arrpy.Array) else x


def _out(parameter):
    """The target that a call writes a parameter to."""
    t = parameter["type"]
    if parameter["name"] in ("text", "report", "path", "handle", "image") and t["c"] in ("char *", "void *"):
        return ctypes.create_string_buffer(TEXT)
    if t["c"] == "void **":
        return ctypes.c_void_p()
    if t["c"] == "const char **":
        return ctypes.c_char_p()
    if t["base"] in ("handle", "struct"):
        made = getattr(c, t["of"])()
        if hasattr(made, "struct_size"):
            made.struct_size = ctypes.sizeof(made)
        return made
    size = 32 if parameter.get("length") else 1
    return (BASES[t["base"]] * size)() if size > 1 else BASES[t["base"]]()


def call(name, /, **given):
    """Calls it; returns {parameter: what was written}. Of arrays, arrpy's."""
    arguments, written = [], {}
    for p in FUNCTIONS[name]["parameters"]:
        n, t = p["name"], p["type"]
        if n in given:
            x = given.pop(n)
            if p["direction"] != "in":
                written[n] = x
            arguments.append(
                ctypes.byref(x)
                if isinstance(x, (ctypes.Structure, ctypes.c_void_p))
                and t["pointer"]
                and not isinstance(x, ctypes.Array)
                else handle_of(x)
            )
        elif p["direction"] != "in":
            written[n] = _out(p)
            arguments.append(written[n] if isinstance(written[n], ctypes.Array) else ctypes.byref(written[n]))
        else:
            arguments.append(None if t["pointer"] or t["base"] == "handle" else USUAL.get(n, 0))
    assert not given, (name, given)
    arrpy.call(name, *arguments)
    return {n: arrpy.Array(c.arr_array(w.value)) if isinstance(w, c.arr_array) else w for n, w in written.items()}


def refused(report, function, /, *statuses, **given):
    """A call that the device refuses, or one that works: what it wrote, or None."""
    try:
        return call(function, **given)
    except arrpy.Error as e:
        report.check(function, e.status in statuses, str(e))
        return None
