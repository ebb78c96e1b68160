# SPDX-License-Identifier: MIT
"""tests/support/arr_ctypes.py: the C API for Python's ctypes, for the tests that compare with NumPy."""

import text

PLAIN = {
    "void": "None",
    "char": "ctypes.c_char",
    "int32": "ctypes.c_int32",
    "int64": "ctypes.c_int64",
    "double": "ctypes.c_double",
}
RESERVED = {"in"}


def python_type(t):
    if t["base"] == "callback":
        kinds = [python_type(a) for a in [t["returns"]] + t["arguments"]]
        return f"ctypes.CFUNCTYPE({', '.join(kinds)})"
    pointers = t["pointer"]
    if t["base"] in ("void", "opaque", "char") and pointers:
        base = "ctypes.c_char_p" if t["base"] == "char" else "ctypes.c_void_p"
        pointers -= 1
    else:
        base = t.get("of") or PLAIN[t["base"]]
    return "ctypes.POINTER(" * pointers + base + ")" * pointers


def python_constant(row):
    return text.constant(row, "{}", "{}", 'float("inf")', 'float("nan")')


def emit(api):
    out = text.banner("#", "arr_ctypes.py: the C API of libarr with C's own names.")
    out += '"""Prototypes, structs and constants; bind(library) sets the prototypes of a ctypes.CDLL."""\n'
    out += "import ctypes\n\n\n"
    for h in api["handles"]:
        out += f'class {h}(ctypes.c_void_p):\n    """A handle."""\n\n\n'
    for s in api["structs"]:
        out += f"class {s['name']}(ctypes.Structure):\n    _fields_ = [\n"
        out += "".join(f'        ("{f["name"]}", {python_type(f["type"])}),\n' for f in s["fields"]) + "    ]\n\n\n"
    for s in api["structs"]:
        out += f"assert ctypes.sizeof({s['name']}) == {s['size']}\n"
        out += "".join(f"assert {s['name']}.{f['name']}.offset == {f['offset']}\n" for f in s["fields"])
    out += "\n" + "".join(f"{c['name']} = {python_constant(c)}\n" for c in api["constants"])
    out += "\n# Element-wise operations: name -> (number, operands); reductions: name -> number.\nOPS = {\n"
    out += "".join(f'    "{o["name"]}": ({o["number"]}, {o["arity"]}),\n' for o in api["ops"]) + "}\nREDUCTIONS = {\n"
    out += "".join(f'    "{r["name"]}": {r["number"]},\n' for r in api["reductions"]) + "}\n"
    out += "\n# Function -> result, parameters.\nPROTOTYPES = {\n"
    for f in api["functions"]:
        kinds = [python_type(p["type"]) for p in f["parameters"]]
        result = python_type(f["returns"]["type"])
        out += text.join(f'    "{f["name"]}": ({result}, [', kinds, "]),", 110, "        ")
    out += (
        "}\n\n\ndef bind(library):\n"
        '    """Sets the prototypes; a function that the library lacks is an AttributeError when it is called."""\n'
        "    for name, (result, parameters) in PROTOTYPES.items():\n"
        "        function = getattr(library, name, None)\n"
        "        if function is not None:\n"
        "            function.restype, function.argtypes = result, parameters\n"
        "    return library\n"
    )
    return {"tests/support/arr_ctypes.py": out}
