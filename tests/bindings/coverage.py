#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage.py - every function and every macro of the public headers is in api.json and in each language.

The headers are read here with two plain patterns and not with the generator's parser, so that a declaration
which the generator overlooks is found.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bindings" / "generate"))
import emit_layouts  # noqa: E402

HEADERS = sorted((ROOT / "capi" / "include" / "arr").glob("*.h"))
# Macros that are not constants; include guards are recognised by their name.
NOT_CONSTANTS = {"ARR_API"}

# Language -> file, what a function looks like, what a constant and its value look like.
LANGUAGES = {
    "Julia": ("bindings/julia/src/generated.jl", r"^function (arr_\w+)\(", r"^const (ARR_\w+) = (?:Int32\()?([\w.-]+)"),
    "Rust": (
        "bindings/rust/arr-sys/src/generated.rs",
        r"^    pub unsafe fn (arr_\w+)\(",
        r"^pub const (ARR_\w+): (?:i32|f64) = ([\w.:-]+);",
    ),
    "Rust, linked": ("bindings/rust/arr-sys/src/generated.rs", r"^        pub fn (arr_\w+)\(", None),
    "Fortran": (
        "bindings/fortran/src/arr_generated.f90",
        r"^        (?:function|subroutine) (arr_\w+)\(",
        r":: (ARR_\w+) = (transfer\(\d+|-?[\d.]+)_c_\w+",
    ),
    "C": ("layout.c", r"\babi_(arr_\w+)\)", r"^(?:SAME\(|    \{)(ARR_\w+), ([\w.()\"-]+)[)}]"),
    "exports": ("capi/exports.map", r"^    (arr_\w+);$", None),
}


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def declared():
    functions, macros = set(), set()
    for path in HEADERS:
        text = without_comments(path.read_text())
        functions |= set(re.findall(r"\bARR_API\s[^;(]*?\b(arr_\w+)\s*\(", text))
        guard = "ARR_" + path.name.upper().replace(".", "_")
        macros |= set(re.findall(r"^\s*#\s*define\s+(ARR_\w+)(?![\w(])", text, re.M)) - {guard} - NOT_CONSTANTS
    return functions, macros


# The languages' names of doubles that have a name of their own there.
REALS = {
    "inf": {"Inf", "f64::INFINITY", "__builtin_inf()", 'float("inf")', f"transfer({0x7FF << 52}"},
    "nan": {"NaN", "f64::NAN", '__builtin_nan("")', 'float("nan")', f"transfer({0xFFF << 51}"},
    "3.141592653589793": {"core::f64::consts::PI"},
    "2.718281828459045": {"core::f64::consts::E"},
}


def same(got, expected):
    return got == str(expected) or got in REALS.get(expected, ())


def differences(what, got, expected):
    faults = [f"{what}: {name} is missing" for name in sorted(expected - got)]
    return faults + [f"{what}: {name} is in no header" for name in sorted(got - expected)]


def fortran_constants(found, functions):
    """Names without the suffix that they get where a function has the same name."""
    short = "_NUMBER"
    return {
        (n[: -len(short)] if n.endswith(short) and n[: -len(short)].lower() in functions else n): v
        for n, v in found.items()
    }


def main():
    functions, macros = declared()
    if len(functions) < 200 or len(macros) < 100:
        print(f"only {len(functions)} functions and {len(macros)} macros found: coverage.py reads the headers wrongly")
        return 1
    api = json.loads((ROOT / "bindings" / "api.json").read_text())
    values = {c["name"]: c["value"] for c in api["constants"]}
    layouts = emit_layouts.emit(api)
    faults = differences("api.json", {f["name"] for f in api["functions"]}, functions)
    faults += differences("api.json", set(values), macros)
    for language, (name, function, constant) in LANGUAGES.items():
        text = layouts[name] if name in layouts else (ROOT / name).read_text()
        faults += differences(language, set(re.findall(function, text, re.M)), functions)
        if constant:
            found = dict(re.findall(constant, text, re.M))
            found = fortran_constants(found, functions) if language == "Fortran" else found
            faults += differences(language, set(found), macros)
            faults += [
                f"{language}: {n} is {v}, not {values[n]}"
                for n, v in sorted(found.items())
                if not same(v, values.get(n, v))
            ]
    for line in faults:
        print(line)
    print(f"{len(functions)} functions, {len(macros)} constants, {len(LANGUAGES)} files; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
