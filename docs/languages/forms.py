# SPDX-License-Identifier: MIT
"""The signature and the shortest call of each C function in the languages, for make_reference.py.

C's follow from bindings/api.json, the others from the sources of the bindings, generated and written by hand: a definition
that a program can call has the C functions that its body names, also through a helper. Where a language has none,
bindings/generate/otherwise.py says what a program writes instead; failing that it is the layer of C's own names.
"""

import dataclasses
import functools
import json
import re
import sys

import headers
from languages import cpp, fortran, julia, reach, rust

sys.path.insert(0, str(headers.ROOT / "bindings" / "generate"))
import emit_julia  # noqa: E402
import emit_rust  # noqa: E402
import otherwise  # noqa: E402

# Name of a block of code: title, mark of a comment, reader.
LANGUAGES = {
    "c": ("C", "//", None),
    "cpp": ("C++", "//", cpp),
    "julia": ("Julia", "#", julia),
    "rust": ("Rust", "//", rust),
    "fortran": ("Fortran", "!", fortran),
}
RAW, INSTEAD, OWN = "of C's own names", "instead", "own"
MANY = 4


@dataclasses.dataclass
class Form:
    """A function in one language: `kind` is OWN, RAW or INSTEAD, which has no signature. `names` are the language's own."""

    signature: str
    call: str
    kind: str = OWN
    names: tuple = ()
    named: bool = False  # as C's function


@functools.cache
def api():
    return json.loads((headers.ROOT / "bindings" / "api.json").read_text(encoding="utf-8"))


def c_arguments(f):
    """With NULL, 0 and false for what has a default; a length is passed with its list."""
    nullable, passed = {p["name"] for p in f["parameters"] if p.get("nullable")}, []
    whole = f["name"].endswith("release") or f["name"].startswith("arr_value_")  # NULL has no use there
    for p in f["parameters"]:
        kind, name = p["type"], p["name"]
        if p.get("nullable") and not whole:
            passed.append("NULL")
        elif p.get("length_of") and set(p["length_of"]) <= nullable:
            passed.append("0")
        elif p["direction"] == "out" and "length" not in p and kind["pointer"] == 1:
            passed.append(f"&{name}")
        elif kind["base"] == "bool" and not kind["pointer"]:
            passed.append("false")
        elif kind.get("of") == "arr_value" and kind["pointer"] == 1 and "length" not in p and p["direction"] == "in":
            passed.append(f"ARR_V({name})")
        else:
            passed.append(name)
    return ", ".join(passed)


def in_c(f, prototype):
    call = f"{f['name']}({c_arguments(f)})"
    status = f["returns"]["type"].get("typedef") == "arr_status" and f["parameters"]
    return Form(prototype, f"ARR_TRY({call});" if status else f"{call};")


def raw(language, f, c):
    """The function in the layer of C's own names."""
    names = ", ".join(p["name"] for p in f["parameters"])
    if language == "cpp":
        return Form(c.signature, re.sub(r"^ARR_TRY\b", "arr::check", c.call), RAW)
    if language == "julia":
        kinds = (f"{p['name']}::{emit_julia.julia_type(p['type'], p.get('string'))}" for p in f["parameters"])
        return Form(f"Arr.LibArr.{f['name']}({', '.join(kinds)})", f"Arr.LibArr.{f['name']}({names})", RAW)
    if language == "rust":
        arguments, returns = emit_rust.signature(f)
        return Form(f"arr_sys::Api::{f['name']}({', '.join(arguments)}){returns}", f"api.{f['name']}({names});", RAW)
    optional = [p["name"] for p in f["parameters"] if p.get("nullable")]
    must = ", ".join(p["name"] for p in f["parameters"] if not p.get("nullable"))
    inside = must + (f"[, {', '.join(optional)}]" if optional else "")
    return Form(f"arr_c: {f['name']}({inside})", f"status = {f['name']}({must})", RAW)


def found_form(found, by_name, name):
    """The Form of a function that a definition reaches, else of the definition that has its name."""
    own = name.removeprefix("arr_")
    listed = found.get(name) or [(0, d) for d in by_name.get(own, ())] or found.get(name.replace("_into", "_v_into"))
    if not listed:
        return None
    best = reach.chosen(listed, name)
    typed = (d for d in by_name.get(best.helper, ()) if best.name == f"Dyn{d.name}")
    best = next(typed, best)  # Rust's Array has the methods of its DynArray
    # Names of the language for the function alone: one for many of them tells nothing.
    near = {d.name for depth, d in listed if d.foreign and depth == 0 and len(d.calls) <= MANY}
    shown = tuple(sorted(near)) if len(near) <= MANY else ()
    named = best.public and best.helper.rstrip("!_").removeprefix("arr_") == own
    return Form(best.signature, best.call, OWN, shown, named)


@functools.cache
def all_forms():
    """{C function: {language: Form}}"""
    functions = {f["name"]: f for f in api()["functions"]}
    made = {f.name: {"c": in_c(functions[f.name], f.prototype)} for f in headers.all_functions()}
    for language, (title, _, reader) in LANGUAGES.items():
        if reader is None:
            continue
        definitions = reader.definitions(headers.ROOT, api())
        found, by_name = reach.reached(definitions), {}
        for d in definitions:
            if d.public:
                by_name.setdefault(d.helper.rstrip("_").removeprefix("arr_"), []).append(d)
        for name, f in functions.items():
            instead = otherwise.said(title, name.removeprefix("arr_"))
            form = found_form(found, by_name, name)
            if instead and (form is None or name not in found or not form.named):
                form = Form("", instead, INSTEAD)
            made[name][language] = form or raw(language, f, made[name]["c"])
    return made
