#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reach.py [--list] [--fix|--check] - how many functions of the C API a program reaches in each language without the
layer of C's own names, and that bindings/README.md says so.

A function is reached if a source of the idiomatic layer names it, or if bindings/generate/otherwise.py says what a program
writes instead.
--list prints the functions that are left.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings" / "generate"))
import otherwise  # noqa: E402

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
    instead = otherwise.pattern(language)
    functions = sorted(api["functions"], key=lambda f: (f["header"], f["name"]))
    names = [f["name"][len("arr_") :] for f in functions]
    return [n for n in names if n not in reached and not instead.fullmatch(n)]


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
