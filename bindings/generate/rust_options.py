# SPDX-License-Identifier: MIT
"""Options of generated Rust methods: of more than MOST that a caller may leave out, a method takes a struct.

The defaults are C++'s (cpp_table.py, flags.py). Each struct implements Default, so a caller names the fields that differ.
"""

import re

import cpp_arguments
import text
from rust_arguments import Unfit, escaped

MOST = 3


def default(argument, f):
    """The default of an argument in C++; "" where it must be given."""
    for p in f["parameters"]:
        if p["name"] in argument.passed and p["direction"] == "in" and "length_of" not in p:
            try:
                return cpp_arguments.of_input(p, f).default
            except cpp_arguments.Unfit:
                return ""
    return ""


def optional(arguments, f):
    """The arguments that go into a struct."""
    found = [a for a in arguments if default(a, f)]
    return found if len(found) > MOST else []


def struct_name(rust):
    return "".join(part.capitalize() for part in rust.removesuffix("_with").split("_")) + "Options"


def value(argument, f):
    made = default(argument, f)
    if made != "{}":
        return made
    if argument.declared.startswith("Option<"):
        return "None"
    raise Unfit(f"{f['name']}: {argument.name} has no default as {argument.declared}")


def struct(arguments, f, rust):
    """The struct of a method's options, with its defaults."""
    name, docs = struct_name(rust), {p["name"]: p["doc"] for p in f["parameters"]}
    borrowed = any("&" in a.declared for a in arguments)
    out = f"\n/// Options of [`DynArray::{rust}`].\n#[derive(Clone, Copy, Debug)]\n"
    out += f"pub struct {name}<'a> {{\n" if borrowed else f"pub struct {name} {{\n"
    for a in arguments:
        said = escaped(docs[next(c for c in a.passed if c in docs)])
        if a.declared.startswith("Option<"):
            said = re.sub(r"\b(NULL|0) selects", "`None` selects", said)
        out += text.wrap(said[0].upper() + said[1:] + ".", "    ///", 112)
        declared = a.declared.replace("&", "&'a ")
        out += f"    pub {a.name}: {declared},\n"
    values = ", ".join(f"{a.name}: {value(a, f)}" for a in arguments)
    elided = f"{name}<'_>" if borrowed else name
    out += (
        f"}}\n\nimpl Default for {elided} {{\n    fn default() -> Self {{\n        {name} {{ {values} }}\n    }}\n}}\n"
    )
    return out


def unpacked(arguments, rust):
    return f"let {struct_name(rust)} {{ {', '.join(a.name for a in arguments)} }} = options;"
