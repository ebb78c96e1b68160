# SPDX-License-Identifier: MIT
"""Turns SWIG's tree and the headers' comments into the plain, sorted description in bindings/api.json.

What a C declaration does not say stands in the brackets of @param (bindings/README.md). The words of a comment mean
nothing here. What contradicts a type is an error, so that no binding is made from a guess.

A type is {"c", "base", "pointer", "const"}: `base` is void, bool, char, int32, int64, double, handle, struct, opaque or
callback, with "of" naming the handle or struct; `pointer` counts the stars; `const` tells for each star, from the
outside, whether what it points to is only read.
"""

import re

import comments
import swigxml
import tables

# Macros that are no integers, for the C compiler alone; include guards are found by their name.
NOT_CONSTANTS = {"ARR_API"}
PLAIN = {"void": "void", "bool": "bool", "char": "char", "int32_t": "int32", "int64_t": "int64", "double": "double"}
FUNCTION_DOC = ("summary", "text", "sync", "threads", "since", "cupy")
INTEGERS = ("int32", "int64")
AXES = ("axis", "axes", "axis1", "axis2", "source", "destination")  # these count from 0
SIZES = {"int32": 4, "int64": 8, "double": 8}
POINTER_SIZE = 8


class ApiError(Exception):
    """The headers say something that the bindings have no rule for."""


class Types:
    """Resolves SWIG's encoded types."""

    def __init__(self, raw):
        self.typedefs = raw["typedefs"]
        self.structs = raw["structs"]
        self.handles = sorted(n for n, t in self.typedefs.items() if re.fullmatch(r"p\.struct arr_\w+_s", t))

    def resolve(self, encoded):
        parts = swigxml.split_type(encoded)
        stars, pending = [], False
        for part in parts[:-1]:
            if part == "p":
                stars.append(False)
            elif part == "q(const)":
                if stars:
                    stars[-1] = True
            elif part.startswith("f("):
                return self._callback(part, parts, stars, encoded)
            else:
                raise ApiError(f"type {encoded}: no rule for {part}")
        return self._named(parts[-1], stars, encoded)

    def _callback(self, part, parts, stars, encoded):
        if stars != [False]:
            raise ApiError(f"type {encoded}: only a plain pointer to a function is known")
        arguments = [self.resolve(t) for t in swigxml.split_arguments(part[2:-1])]
        returns = self.resolve(".".join(parts[parts.index(part) + 1 :]))
        c = f"{returns['c']} (*)({', '.join(t['c'] for t in arguments) or 'void'})"
        return {"c": c, "base": "callback", "pointer": 0, "const": [], "arguments": arguments, "returns": returns}

    def _named(self, name, stars, encoded):
        made = {"c": c_spelling(name, stars), "pointer": len(stars), "const": stars}
        if name in self.handles:
            return {**made, "base": "handle", "of": name}
        plain = name[len("struct ") :] if name.startswith("struct ") else name
        if plain in self.structs:
            return {**made, "base": "struct", "of": plain}
        if name.startswith("struct "):
            return {**made, "base": "opaque", "of": plain}
        if name in self.typedefs:
            return {**self._named(self.typedefs[name], stars, encoded), "c": made["c"], "typedef": name}
        if name not in PLAIN:
            raise ApiError(f"type {encoded}: the C API may not use {name}")
        return {**made, "base": PLAIN[name]}


def c_spelling(name, stars):
    """C for a name and stars; ("char", [True, True]) is `const char *const *`."""
    if not stars:
        return name
    inner = "".join("*const " if const else "*" for const in reversed(stars[:-1]))
    return ("const " if stars[-1] else "") + name + " " + inner + "*"


def layout(name, fields, types, notes):
    """A struct with offsets, by the C rules of every 64-bit platform; asserted in each language and in C."""
    offset, align, rows = 0, 1, []
    for field, encoded in fields:
        t = types.resolve(encoded)
        size = POINTER_SIZE if t["pointer"] or t["base"] in ("handle", "callback") else SIZES.get(t["base"])
        if size is None:
            raise ApiError(f"struct {name}: field {field} has type {t['c']}; nested structs are not allowed")
        offset = -(-offset // size) * size
        rows.append({"name": field, "type": t, "offset": offset, "size": size, "doc": notes["fields"][field]})
        offset, align = offset + size, max(align, size)
    return {
        "name": name,
        "header": notes["header"],
        "doc": notes["doc"],
        "fields": rows,
        "align": align,
        "size": -(-offset // align) * align,
        "sized": fields[0][0] == "struct_size",
    }


def double_text(value):
    """The shortest text of a double constant, "inf" or "nan"; None where the macro is no such thing."""
    named = {"__builtin_inf()": "inf", '__builtin_nan("")': "nan"}  # a header that includes nothing has no others
    return named.get(value) or (repr(float(value)) if re.fullmatch(r"\d+\.\d+", value) else None)


def constants(raw):
    """Every integer macro, and the doubles as texts; a macro that is neither nor known is an error."""
    rows = []
    for name, note in sorted(comments.macros().items()):
        guard = name == "ARR_" + note["header"].upper().replace(".", "_")
        if guard or name in NOT_CONSTANTS or note["function"]:
            continue
        real = double_text(note["value"])
        if real is not None:
            rows.append({"name": name, "type": "double", "value": real, "header": note["header"], "doc": note["doc"]})
            continue
        text = raw["constants"].get(name, "")
        if not re.fullmatch(r"\(?-?\d+\)?", text):
            raise ApiError(f"{note['header']}: {name} is not a plain integer or double ({text or 'nothing'} for SWIG)")
        rows.append({"name": name, "value": int(text.strip("()")), "header": note["header"], "doc": note["doc"]})
    return rows


def direction(where, t, said):
    """in, out or inout; the tag and the type must agree."""
    writable = t["pointer"] > 0 and not t["const"][0]
    typed = t["base"] not in ("void", "opaque") or t["pointer"] > 1
    if said == "in" and writable and typed:
        raise ApiError(f"{where}: {t['c']} can be written, but @param does not say [out]")
    if said != "in" and not writable:
        raise ApiError(f"{where}: @param says [{said}], but {t['c']} cannot be written")
    return said


def check_attributes(where, name, t, given):
    """An attribute that the type contradicts is an error."""
    by_value = not t["pointer"]
    fits = {
        "null": (t["pointer"] or t["base"] in ("handle", "callback"), "NULL is no such value"),
        "written": (by_value and t["base"] == "handle" and t["of"] == "arr_array", "it is no arr_array"),
        "len": (t["pointer"] and (t["base"] not in ("void", "char") or t["pointer"] > 1), "it points to no elements"),
        "bytes": (t["pointer"] == 1 and t["base"] in ("void", "char"), "it points to no bytes"),
        "index": (t["base"] in INTEGERS and name not in AXES, "it is no integer, or an axis"),
        "stop": (t["base"] in INTEGERS and name not in AXES, "it is no integer, or an axis"),
        "view": (t["base"] == "handle" and t["of"] == "arr_array", "it is no arr_array"),
        "positions": (t["base"] == "handle" and t["of"] == "arr_array", "it is no arr_array"),
    }
    for attribute in given:
        fit, why = fits[attribute]
        if not fit:
            raise ApiError(f"{where}: @param says [{attribute}], but {t['c']}: {why}")
    if name == "dst" and fits["written"][0] and "written" not in given:
        raise ApiError(f"{where}: an array called dst is written, but @param does not say [in,written]")


def lengths(function, parameters):
    """{pointer: length parameter or number} and {pointer: unit}, by the attributes len and bytes."""
    length, unit = {}, {}
    types = {name: t for name, t, _ in parameters}
    for name, _, given in parameters:
        for attribute, counted in (("len", "entries"), ("bytes", "bytes")):
            if attribute not in given:
                continue
            by, _, times = given[attribute].partition("*")
            if not by.isdigit() and (by not in types or types[by]["pointer"] or types[by]["base"] not in INTEGERS):
                raise ApiError(f"{function}: {name}: [{attribute}={given[attribute]}]: {by} is no integer parameter")
            length[name] = int(by) if by.isdigit() else f"{by} * {times}" if times else by
            unit[name] = counted
    return length, unit


def string_kind(t, way, length):
    """nul: NUL-terminated; sized: with a length that may be -1; buffer: filled; static: a pointer to fixed text."""
    if t["base"] != "char":
        return None
    if way == "in":
        return "list" if t["pointer"] == 2 else "sized" if length else "nul"
    return "static" if t["pointer"] == 2 else "buffer"


def parameter(where, name, t, doc, length, unit):
    given = doc["attributes"]
    way = direction(where, t, doc["direction"])
    check_attributes(where, name, t, given)
    row = {"name": name, "type": t, "direction": way, "doc": doc["text"]}
    if t["pointer"] or t["base"] in ("handle", "callback"):
        row["nullable"] = "null" in given
    if t["base"] == "handle" and t["pointer"] and way == "out":
        row["owned"] = True  # a new reference
    for flag in ("written", "view", "positions"):
        if flag in given:
            row[flag] = True
    if name in length:
        row["length"], row["unit"] = length[name], unit[name]
    counted = sorted(n for n, by in length.items() if by == name)
    if counted:
        row["length_of"] = counted
    kind = string_kind(t, way, length.get(name))
    if kind:
        row["string"] = kind
    if name in AXES and t["base"] in INTEGERS:
        row["index"] = "axis"
    for index in ("index", "stop"):
        if index in given:
            row["index"] = index
    return row


def function_row(name, raw, doc, types, families):
    names, where = [n for n, _ in raw["parameters"]], f"{doc['header']}: {name}"
    if names != list(doc["parameters"]):
        raise ApiError(f"{where}: @param says {list(doc['parameters'])}, the prototype {names}")
    resolved = [(n, types.resolve(t), doc["parameters"][n]["attributes"]) for n, t in raw["parameters"]]
    length, unit = lengths(where, resolved)
    parameters = [parameter(f"{where}: {n}", n, t, doc["parameters"][n], length, unit) for n, t, _ in resolved]
    for row in parameters:
        pointer_to_handle = row["type"]["base"] == "handle" and row["type"]["pointer"] == 1
        written = pointer_to_handle and row["direction"] != "in"
        if written and row["name"] != "out" and not row["name"].startswith("out_"):
            raise ApiError(f"{name}: {row['name']}: a pointer to a handle is `const`, or called `out` or `out_...`")
    returns = types.resolve(raw["returns"])
    return {
        "name": name,
        "header": doc["header"],
        "parameters": parameters,
        "family": families.get(name),
        "returns": {
            "type": returns,
            "doc": doc["returns"],
            "statuses": sorted(set(re.findall(r"\bARR_(?:OK|E_\w+)", doc["returns"]))),
        },
        "doc": {k: doc[k] for k in FUNCTION_DOC},
    }


def api():
    """The description of the whole C API."""
    raw = swigxml.read(swigxml.run_swig())
    docs, notes, types = comments.functions(), comments.structs(), Types(raw)
    if set(docs) != set(raw["functions"]):
        raise ApiError(f"the headers and SWIG disagree on {sorted(set(docs) ^ set(raw['functions']))}")
    if set(notes) != set(raw["structs"]):
        raise ApiError(f"the headers and SWIG disagree on the structs {sorted(set(notes) ^ set(raw['structs']))}")
    families = tables.families()
    unknown = set(families) - set(docs)
    if unknown:
        raise ApiError(f"core/table promises {sorted(unknown)}, which no header declares")
    return {
        "generated": "by bindings/generate/generate.py from capi/include/arr; do not edit",
        "constants": constants(raw),
        "functions": [function_row(n, raw["functions"][n], docs[n], types, families) for n in sorted(docs)],
        "handles": types.handles,
        "opaque": sorted(
            {
                p["type"]["of"]
                for f in sorted(docs)
                for p in [{"type": types.resolve(t)} for _, t in raw["functions"][f]["parameters"]]
                if p["type"]["base"] == "opaque"
            }
        ),
        "ops": tables.ops(),
        "reductions": tables.reductions(),
        "scans": tables.scans(),
        # A struct with a pointer to another comes after it.
        "structs": sorted(
            (layout(n, f, types, notes[n]) for n, f in sorted(raw["structs"].items())),
            key=lambda s: any(f["type"]["base"] == "struct" for f in s["fields"]),
        ),
        "typedefs": {
            n: types.resolve(n)["base"]
            for n, t in sorted(raw["typedefs"].items())
            if n not in types.handles and n not in raw["structs"]
        },
    }
