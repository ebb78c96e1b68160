#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reach.py [--list] [--fix|--check] - how many functions of the C API a program reaches in each language without the
layer of C's own names, and that bindings/README.md says so.

A function is reached if a source of the idiomatic layer names it, or if OTHERWISE says what a program writes instead.
--list prints the functions that are left.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "bindings" / "README.md"
MIN_SHARE = 95  # percent
# Language -> the sources of its idiomatic layer, those of C's own names among them, the mark of a comment.
LAYERS = {
    "Julia": ("julia/src/*.jl", ("generated.jl",), "#"),
    "Rust": ("rust/arr/src/*.rs", (), "//"),
    "Fortran": (
        "fortran/src/*.[fF]90",
        ("arr_generated.f90", "arr_loader_generated.f90", "arr_constants_generated.f90", "arr_kinds_generated.f90"),
        "!",
    ),
    "C++": ("cpp/include/arr/cpp/*.hpp", (), "//"),
}
# Functions that no source names, and what a program writes instead.
EVERYWHERE = {
    r"error_(release|status|take|text)|last_status|status_name": "an exception, a Result or a value of type arr_error",
    r"value_(array|bits|bool|bytes|c128|f32|f64|get_f64|get_i64|i32|i64|pointer|weak)": "numbers and arrays are operands",
    r"check_abi": "the layer checks the library's version when it opens it",
}
ONE_AXIS = {r"i?(dct|dst|fft)|i?rfft": "the transform along a list of one dimension"}
OTHERWISE = {
    "Julia": {
        **ONE_AXIS,
        r"size|array_sync|select|take|tile|roll|stack|concatenate|contiguous|matrix_transpose|sort|extract|compress|diag": (
            "size, synchronize, view, a[i], repeat, circshift, Arr.stack, cat, copy, permutedims, sort, a[mask], diag"
        ),
        r"ones|ones_like|zeros|zeros_like|empty_like|linspace|arange": "Arr.ones, zero, similar, ranges",
        r"array_equal|dot|matmul|matvec|vecmat|norm": "==, *, LinearAlgebra.norm",
        r"lu|stream_create": "LinearAlgebra.lu, Arr.Stream",
        r"astype|ufunc(_into)?": "broadcasts",
        r"random_integers|random_draw|random_draw_into": "rand(g, 1:6, n), Arr.draw!",
        r"generator_create": "Arr.Generator",
        r"divmod|frexp|modf": "broadcasts of their two operations",
        r"dtype_find|dtype_info|promote_types": "Julia's types",
        r"softmax|log_softmax": "Arr.softmax",
        r"print": "print",
        r"version": "Arr.LibArr checks it",
    },
    "Rust": {**ONE_AXIS, r"zeros|create": "Device::zeros", r"generator_create": "Generator::new"},
    "Fortran": {r"broadcast_shapes": ""},
    "C++": {},
}


def named(pattern, raw, mark):
    """C functions, without arr_, that the sources of a layer name."""
    found = set()
    for path in sorted((ROOT / "bindings").glob(pattern)):
        if path.name not in raw:
            code = "\n".join(line.split(mark)[0] for line in path.read_text(encoding="utf-8").splitlines())
            found |= set(re.findall(r"\b(?:arr|c)_(\w+)", code))
    return found


def by_tables(language, api):
    """Functions of rows of core/table, which Julia's layer calls by the rows' names."""
    if language != "Julia":
        return set()
    rows = {f["name"] for f in api["functions"] if f["family"] or f["header"] == "distributions.h"}
    scans = {f"arr_{s['name']}{into}" for s in api["scans"] for into in ("", "_into")}
    return {name[len("arr_") :] for name in rows | scans}


def left(language, api):
    """Functions that a program does not reach, in the order of the headers."""
    pattern, raw, mark = LAYERS[language]
    reached = named(pattern, raw, mark) | by_tables(language, api)
    if language == "C++":  # add_into(z, x, y) takes arrays and numbers
        reached |= {name.replace("_v_into", "_into") for name in reached if name.endswith("_v_into")}
    otherwise = re.compile("|".join({**EVERYWHERE, **OTHERWISE[language]}))
    functions = sorted(api["functions"], key=lambda f: (f["header"], f["name"]))
    names = [f["name"][len("arr_") :] for f in functions]
    return [n for n in names if n not in reached and not otherwise.fullmatch(n)]


def main(argv):
    api = json.loads((ROOT / "bindings" / "api.json").read_text(encoding="utf-8"))
    total, faults, said = len(api["functions"]), 0, []
    for language in LAYERS:
        names = left(language, api)
        share = 100 * (total - len(names)) / total
        said.append(f"{total - len(names)} in {language}")
        print(
            f"{language}: {total - len(names)} of {total} functions, {share:.1f} %, without the layer of C's own names"
        )
        if "--list" in argv and names:
            print(f"    left: {' '.join(names)}")
        if share < MIN_SHARE:
            faults += 1
            print(f"FAILED {language}: {share:.1f} %, expected {MIN_SHARE} % at least; left: {' '.join(names)}")
    line = f"Of {total} functions a program reaches {', '.join(said)} without it."
    text = PAGE.read_text(encoding="utf-8")
    new = re.sub(r"Of \d+ functions a program reaches [^.]*\.", line, text)
    if "--fix" in argv:
        PAGE.write_text(new, encoding="utf-8")
    elif new != text or line not in text:
        faults += 1
        print(f"FAILED {PAGE.name}: its numbers are others; tests/house/reach.py --fix")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
