# SPDX-License-Identifier: MIT
"""The arguments and results of a generated C++ function, made from the parameters of the C function.

Handles are owners, lists are containers whose lengths are checked against each other, results are returned. A function
with a parameter of another kind (a callback, raw memory) is left to the hand-written headers.
"""

import re
from dataclasses import dataclass, field

import cpp_table
import flags
from flags import FIXED

# Arrays of C++ are in row-major order, and an index out of range is an error.
DEFAULTS = {**flags.DEFAULTS, "bounds": "ARR_BOUNDS_RAISE", "order": "ARR_ORDER_C", "method": "ARR_EINSUM_AUTO"}
DEFAULTS.update(side="ARR_SEARCH_LEFT", bitorder="ARR_BITORDER_BIG")
# Element types: that of new arrays, and functions whose element type is no choice of the library.
DTYPES = {"arr_" + n: "float64" for n in "create create_pitched eye ones pinned_create zeros".split()}
DTYPES.update(arr_indices="int64", arr_full="{}")
# The name of the first mode, by header, where the modes are not those of a convolution.
MODES = {"decompositions.h": "ARR_QR_REDUCED", "manipulation.h": "ARR_PAD_CONSTANT"}
OWN_MODES = {"arr_correlate": "ARR_CONVOLVE_VALID"}
DTYPE_REQUIRED = {"arr_" + n for n in "astype expr_cast fromfile fromstring isdtype view view_field".split()}
# Functions of these headers work along the last axis unless they are told another.
LAST_AXIS = {"banded.h", "calculus.h", "cosine.h", "fft.h", "sort.h"}

NUMBERS = {"bool": "bool", "int32": "int32_t", "int64": "int64_t", "double": "double", "float": "float"}


class Unfit(Exception):
    """A parameter has no C++ form here."""


@dataclass
class Made:
    """The C++ form of one C parameter, or of a list with its length."""

    declared: str = ""  # the parameter in C++; "" for a result
    default: str = ""
    before: list = field(default_factory=list)
    passed: dict = field(default_factory=dict)  # {C parameter: expression}
    after: list = field(default_factory=list)
    result: str = ""  # its type
    value: str = ""  # the expression that is returned


def handle_type(of):
    return {"arr_array": "array", "arr_stream": "stream"}.get(of, of.removeprefix("arr_"))


def of_handle(p, f):
    kind, name = handle_type(p["type"]["of"]), p["name"]
    if p.get("written") or (f["name"], name) in cpp_table.WRITTEN:
        kind = "output"
    if kind in ("error", "kernel", "module"):
        raise Unfit(name)
    return Made(f"const arr::{kind} &{name}", "{}" if p["nullable"] else "", passed={name: f"{name}.get()"})


def of_handles(p):
    name, kind = p["name"], p["type"]["of"]
    if kind != "arr_array":
        raise Unfit(name)
    return Made(f"const arr::arrays &{name}", "{}" if p["nullable"] else "", passed={name: f"{name}.data()"})


def of_struct(p):
    name, of, nullable = p["name"], p["type"]["of"], p["nullable"]
    if of == "arr_device":
        if nullable:
            passed = {name: f"{name} ? &*{name} : nullptr"}
            return Made(f"const std::optional<arr::device> &{name}", "{}", passed=passed)
        return Made(f"const arr::device &{name}", passed={name: f"&{name}"})
    if of == "arr_value":
        return Made(f"const arr::operand &{name}", "{}" if nullable else "", passed={name: f"{name}.get()"})
    if nullable and of in cpp_table.OPTIONS:
        kind = f"arr::{of.removeprefix('arr_')}"
        before = [f"const detail::given<{kind}> {name}_c({name});"]
        return Made(f"const {kind} &{name}", "{}", before, {name: f"{name}_c.get()"})
    if nullable:
        return Made(f"const {of} *{name}", "nullptr", passed={name: name})
    return Made(f"const {of} &{name}", passed={name: f"&{name}"})


def of_text(p):
    name = p["name"]
    if p.get("string") == "sized":
        passed = {name: f"{name}.data()", p["length"]: f"static_cast<int64_t>({name}.size())"}
        if p["nullable"] or not isinstance(p["length"], str):
            raise Unfit(name)
        return Made(f"std::string_view {name}", passed=passed)
    if p["nullable"]:
        return Made(f"const char *{name}", "nullptr", passed={name: name})
    return Made(f"const std::string &{name}", passed={name: f"{name}.c_str()"})


def of_number(p, f):
    base, name, header = p["type"]["base"], p["name"], f["header"]
    if p["type"].get("typedef") == "arr_dtype":
        optional = name == "dtype" and f["name"] not in DTYPE_REQUIRED and len(f["parameters"]) > 3
        # The element type of a number is that of an array filled with it.
        passed = "detail::asked_or_of(dtype, value)" if f["name"] == "arr_full" else name
        return Made(f"arr::dtype {name}", DTYPES.get(f["name"], "{}") if optional else "", passed={name: passed})
    if base == "bool":
        default = {None: "", True: "true", False: "false"}[flags.flag_default(f["name"], name)]
        return Made(f"arr::flag {name}", default, passed={name: f"bool({name})"})
    if p.get("index") == "axis" and base == "int32":
        last = "-1" if name == "axis" and header in LAST_AXIS else ""
        return Made(f"arr::axis {name}", flags.number_default(f["name"], name, {}) or last, passed={name: name})
    if name == "ord":
        return Made()  # norm_order, which stands for both
    if name == "kind" and any(q["name"] == "ord" for q in f["parameters"]):
        passed = {"kind": "ord.kind()", "ord": "ord.power()"}
        return Made("const arr::norm_order &ord", "{}", passed=passed)
    choice = cpp_table.choice_of(p, f) if base == "int32" else None
    kind = f"arr::{choice}" if choice else p["type"].get("typedef") or NUMBERS[base]
    if name.startswith("axis") and base == "int32":
        kind = "arr::axis"
    default = flags.number_default(f["name"], name, {**FIXED, **DEFAULTS}) or ""
    if name == "mode":
        default = OWN_MODES.get(f["name"]) or MODES.get(header, default)
    if name == "order" and re.search(r"_copy$|_astype$|_like$", f["name"]):
        default = "ARR_ORDER_K"
    return Made(f"{kind} {name}", default, passed={name: name})


def of_list(p, f):
    base, name = p["type"]["base"], p["name"]
    nullable = p["nullable"] and not (name == "shape" and f["name"] in DTYPES)
    default = "{}" if nullable else ""
    if base == "int32" and p.get("index") == "axis":
        return Made(f"const arr::axes &{name}", default, passed={name: f"{name}.data()"})
    if base == "int64":
        return Made(f"const arr::extents &{name}", default, passed={name: f"{name}.data()"})
    if base == "double" and name == "q":
        return Made(f"const arr::quantiles &{name}", default, passed={name: f"{name}.data()"})
    if base in ("int32", "double"):
        return Made(f"const std::vector<{NUMBERS[base]}> &{name}", default, passed={name: f"{name}.data()"})
    raise Unfit(name)


def of_values(p):
    name = p["name"]
    made = Made(f"const std::vector<arr::operand> &{name}", "{}" if p["nullable"] else "")
    made.before.append(f"const std::vector<arr_value> {name}_c = detail::values({name});")
    made.passed[name] = f"{name}_c.data()"
    return made


def of_input(p, f):
    """The form of a parameter, with what the function's row says of its default."""
    made, row = by_type(p, f), cpp_table.TABLE.get(f["name"])
    name = p["name"].rstrip("_")
    if row and name in row.required:
        made.default = ""
    elif row and name in row.defaults:
        made.default = row.defaults[name]
        if any(q["name"] == made.default for q in f["parameters"]):
            kind = made.declared.split()[0]
            other, made.default = made.default, "{}"
            made.declared = f"const std::optional<{kind}> &{p['name']}"
            made.passed = {p["name"]: f"{p['name']}.value_or({other})"}
    return made


def by_type(p, f):
    t = p["type"]
    base, pointer, listed = t["base"], t["pointer"], isinstance(p.get("length"), str)
    if base == "handle":
        return of_handle(p, f) if not pointer else of_handles(p) if pointer == 1 and listed else unfit(p)
    if base == "struct" and pointer == 1:
        if not listed:
            return of_struct(p)
        return of_values(p) if t["of"] == "arr_value" else unfit(p)
    if base == "char" and pointer == 1 and p.get("string") in ("nul", "sized"):
        return of_text(p)
    if base in NUMBERS and not pointer:
        return of_number(p, f)
    if base in NUMBERS and pointer == 1:
        if listed:
            return of_list(p, f)
        if p.get("length") is None and p["nullable"]:
            name, kind = p["name"], NUMBERS[base]
            return Made(f"const std::optional<{kind}> &{name}", "{}", passed={name: f"{name} ? &*{name} : nullptr"})
    return unfit(p)


def unfit(p):
    raise Unfit(p["name"])


# Functions whose optional results are returned with the others: a tuple is unpacked as in NumPy.
RETURN_ALL = {"eig", "eigh", "qr", "svd"}


def of_result(p, api, lists, returned=False):
    t, name = p["type"], p["name"]
    base, pointer, length = t["base"], t["pointer"], p.get("length")
    local = f"{name}_c"
    if base == "handle" and pointer == 1:
        kind = handle_type(t["of"])
        if kind in ("error", "kernel", "module"):
            raise Unfit(name)
        if length is not None:
            if kind != "array" or length not in lists or p["nullable"]:
                raise Unfit(name)
            count = f"static_cast<size_t>({length}_c)"
            return Made(
                before=[f"std::vector<arr_array> {local}({count}, nullptr);"],
                passed={name: f"{local}.data()"},
                result="std::vector<array>",
                value=f"detail::adopt({local})",
            )
        if p["nullable"] and not returned:
            return Made(
                f"arr::{kind} *{name}",
                "nullptr",
                [f"arr::{kind} {local};"],
                {name: f"{name} ? {local}.put() : nullptr"},
                [f"if ({name}) *{name} = std::move({local});"],
            )
        return Made(before=[f"arr::{kind} {local};"], passed={name: f"{local}.put()"}, result=kind, value=local)
    if length is not None:
        raise Unfit(name)
    if base in NUMBERS and pointer == 1:
        kind = t.get("typedef") or NUMBERS[base]
        if p["nullable"]:
            return Made(f"{kind} *{name}", "nullptr", passed={name: name})
        result, value = ("arr::dtype", f"arr::dtype({local})") if kind == "arr_dtype" else (kind, local)
        return Made(before=[f"{kind} {local}{{}};"], passed={name: f"&{local}"}, result=result, value=value)
    if base == "struct" and pointer == 1 and not p["nullable"]:
        fields = next(s for s in api["structs"] if s["name"] == t["of"])["fields"]
        before = [f"{t['of']} {local}{{}};"]
        if fields[0]["name"] == "struct_size":
            before.append(f"{local}.struct_size = static_cast<int64_t>(sizeof {local});")
        kind = "arr::device" if t["of"] == "arr_device" else t["of"]
        return Made(before=before, passed={name: f"&{local}"}, result=kind, value=local)
    raise Unfit(name)
