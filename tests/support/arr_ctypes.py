# SPDX-License-Identifier: MIT
"""The C API of libarr for ctypes, with C's own names: handles, structs and constants as bindings/api.json describes them,
and bind(library), which sets the prototypes of a ctypes.CDLL."""

import ctypes
import json
import pathlib

_API = json.loads((pathlib.Path(__file__).resolve().parents[2] / "bindings" / "api.json").read_text(encoding="utf-8"))
_PLAIN = {
    "void": None,
    "bool": ctypes.c_bool,
    "char": ctypes.c_char,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "double": ctypes.c_double,
}


def _type(t):
    """The ctypes type of a type of api.json."""
    if t["base"] == "callback":
        return ctypes.CFUNCTYPE(_type(t["returns"]), *map(_type, t["arguments"]))
    pointers = t["pointer"]
    if t["base"] in ("void", "opaque", "char") and pointers:
        made = ctypes.c_char_p if t["base"] == "char" else ctypes.c_void_p
        pointers -= 1
    else:
        made = globals()[t["of"]] if t.get("of") else _PLAIN[t["base"]]
    for _ in range(pointers):
        made = ctypes.POINTER(made)
    return made


def _struct(s):
    made = type(s["name"], (ctypes.Structure,), {"_fields_": [(f["name"], _type(f["type"])) for f in s["fields"]]})
    assert ctypes.sizeof(made) == s["size"], s["name"]
    for f in s["fields"]:
        assert getattr(made, f["name"]).offset == f["offset"], (s["name"], f["name"])
    return made


for _name in _API["handles"]:
    globals()[_name] = type(_name, (ctypes.c_void_p,), {"__doc__": "A handle."})
for _s in _API["structs"]:
    globals()[_s["name"]] = _struct(_s)
for _c in _API["constants"]:
    globals()[_c["name"]] = float(_c["value"]) if _c.get("type") == "double" else _c["value"]

# Element-wise operations: name -> (number, operands); reductions: name -> number.
OPS = {o["name"]: (o["number"], o["arity"]) for o in _API["ops"]}
REDUCTIONS = {r["name"]: r["number"] for r in _API["reductions"]}
# Function -> result, parameters.
PROTOTYPES = {
    f["name"]: (_type(f["returns"]["type"]), [_type(p["type"]) for p in f["parameters"]]) for f in _API["functions"]
}


def bind(library):
    """Sets the prototypes; a function that the library lacks is an AttributeError when it is called."""
    for name, (result, parameters) in PROTOTYPES.items():
        function = getattr(library, name, None)
        if function is not None:
            function.restype, function.argtypes = result, parameters
    return library
