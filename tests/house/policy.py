#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""policy.py [--self-test] - the rules that a machine can check, for every file of the project.

Fails on: a source file without its SPDX line; a hand-written file over 600 lines; a function over 60 lines, among the
tests, where it may be a list of cases, over 80; a numbered example over 60 lines; a line of a public header over 120
characters; a path of one machine, a package registry's address; a blank that tools/new_family.py left; a banned C
function; an environment variable that docs/environment.md does not have; a link of a page to no file; tabs or trailing
space in source; a script that is not executable.
Generated files, which say so in their first lines, are exempt from the lengths; the data of core/table too.
"""

import os
import re
import sys

import functions
import source

MAX_LINES, MAX_FUNCTION, MAX_TEST = 600, 60, 80
EXAMPLE, MAX_EXAMPLE = re.compile(r"examples/\w+/\d"), 60
PUBLIC, MAX_WIDTH = "capi/include/", 120
BANNED = re.compile(
    r"(?<![\w.>])(?:std::|::)?(strcpy|strcat|sprintf|vsprintf|gets|system|popen|tmpnam|tempnam|mktemp|"
    r"alloca|strtok|setlocale|exit|_exit|quick_exit|abort|signal|rand|srand)\s*\("
)
# Programs may exit and tests may provoke anything; the library may not.
PROGRAM_ONLY = {"exit", "_exit", "quick_exit", "abort", "signal", "setlocale", "rand", "srand"}
LIBRARY = ("capi/", "core/", "dlpack/")
# Written with brackets so that this file does not name what it forbids.
LOCAL_PATHS = re.compile(
    r"(?:^|[^A-Za-z0-9_}])/(?:wor[k]|far[m]|roo[t]|hom[e])/|\.\./share[d]\b|\bshare[d]/(?:design|reference|tools)\b"
)
BLANK, WITH_BLANKS = re.compile(r"\bFILL_I[N]\b"), ("tools/new_family", "docs/contributing/family.md")
VARIABLES = "docs/environment.md"
VARIABLE = re.compile(r'(?:getenv|environment|environment_bytes)\("(ARR_[A-Z0-9_]+)"')
HOSTS = re.compile(r"\b(?:pyp[i]\.org|files\.pythonhoste[d]|crate[s]\.io|deb\.debia[n]\.org|snapshot\.debia[n])", re.I)


def text_faults(name, text):
    """Faults of any text file."""
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in (
            (LOCAL_PATHS, "a path of one machine"),
            (HOSTS, "a package registry's address"),
            (BLANK, "to be filled in"),
        ):
            if pattern.search(line) and not (pattern is BLANK and str(name).startswith(WITH_BLANKS)):
                yield f"{name}:{number}: {what}: {line.strip()[:80]}"


def broken_links(root, name, text):
    """Links of a page to files that are not there."""
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
        if "://" not in target and not target.startswith("mailto:") and not (root / name.parent / target).exists():
            yield f"{name}: links to {target}, which does not exist"


def is_code(name):
    return name.suffix in source.CODE or name.name == "CMakeLists.txt"


def code_faults(name, text):
    """Faults of a source file."""
    faults = []
    lines = text.splitlines()
    generated = source.is_generated(text)
    if not any("SPDX-License-Identifier: MIT" in line for line in lines[:3]):
        faults.append(f"{name}: no SPDX-License-Identifier line at the top")
    if not generated:
        data = name.as_posix().startswith("core/table/")
        if len(lines) > MAX_LINES and not data:
            faults.append(f"{name}: {len(lines)} lines; split it (the limit is {MAX_LINES})")
        if EXAMPLE.match(name.as_posix()) and len(lines) > MAX_EXAMPLE:
            faults.append(f"{name}: {len(lines)} lines; an example has at most {MAX_EXAMPLE}")
        limit = MAX_TEST if name.parts[0] == "tests" else MAX_FUNCTION
        for start, length, what in functions.lengths(name, text):
            if length > limit:
                faults.append(f"{name}:{start}: {what}: {length} lines; split it (the limit is {limit})")
        for number, line in enumerate(lines, 1):
            if line != line.rstrip() or ("\t" in line and name.suffix in source.C_LIKE):
                faults.append(f"{name}:{number}: trailing space or tab")
    for number, line in enumerate(lines, 1):
        if name.as_posix().startswith(PUBLIC) and len(line) > MAX_WIDTH:
            faults.append(f"{name}:{number}: {len(line)} characters (the limit is {MAX_WIDTH})")
    if name.suffix in source.C_LIKE:
        faults += banned(name, text)
    return faults


def banned(name, text):
    library = name.as_posix().startswith(LIBRARY)
    for number, line in enumerate(source.strip_c(text).splitlines(), 1):
        for m in BANNED.finditer(line):
            if library or m.group(1) not in PROGRAM_ONLY:
                yield f"{name}:{number}: {m.group(1)}() is banned"


def unknown_variables(name, text, page):
    """Environment variables of ours that the library reads and the page does not have."""
    if name.as_posix().startswith(LIBRARY) and is_code(name):
        for variable in sorted(set(VARIABLE.findall(text))):
            if f"`{variable}`" not in page:
                yield f"{name}: reads {variable}, which {VARIABLES} does not have"


def check(root, names):
    faults = []
    page = (root / VARIABLES).read_text()
    for name in names:
        raw = (root / name).read_bytes()
        if b"\0" in raw[:4096]:
            continue  # binary test data
        text = raw.decode("utf-8", errors="replace")
        faults += text_faults(name, text)
        faults += unknown_variables(name, text, page)
        if name.suffix == ".md":
            faults += broken_links(root, name, text)
        if is_code(name):
            faults += code_faults(name, text)
        if text.startswith("#!") and not os.access(root / name, os.X_OK):
            faults.append(f"{name}: begins with #! but is not executable")
    return faults


def self_test():
    """Each text must give exactly this fault (a word of it), or none."""
    import pathlib

    spdx = "// SPDX-License-Identifier: MIT\n"
    body = "  f();\n"
    cases = [
        ("core/a.cpp", "int x;\n", "SPDX"),
        ("core/a.cpp", spdx + "int x;\n" * 600, "601 lines; split"),
        ("core/a.cpp", spdx + "int x;\n" * 399, None),
        ("core/a.cpp", spdx + "// Generated by x; do not edit.\n" + "int x;\n" * 600, None),
        ("core/a.cpp", spdx + "namespace a {\nint g(int x) {\n" + body * 70 + "}\n}\n", "limit is 60"),
        ("tests/a.cpp", spdx + "int g(int x) {\n" + body * 70 + "}\n", None),
        ("tests/a.cpp", spdx + "int g(int x) {\n" + body * 80 + "}\n", "limit is 80"),
        ("core/a.cpp", spdx + "struct S {\n  S() : a{1} {\n" + body * 120 + "  }\n};\n", "lines; split"),
        ("core/a.cpp", spdx + "int f() { return 1; }\nint t[][1] = {\n" + "  {1},\n" * 200 + "};\n", None),
        ("core/a.cpp", spdx + "struct S {\n" + "  int f() { return 1; }\n" * 150 + "};\n", None),
        ("core/a.cpp", spdx + "void f() { strcpy(a, b); }\n", "banned"),
        ("core/a.cpp", spdx + "void f() { std::abort(); }\n", "banned"),
        ("core/a.cpp", spdx + '// system("x")\nauto s = "system(1)"; void f() { my_system(1); a.exit(1); }\n', None),
        ("tests/a.cpp", spdx + "void f() { exit(1); }\n", None),
        ("tests/a.cpp", spdx + "void f() { popen(1); }\n", "banned"),
        ("README.md", "see /" + "work/main for more\n", "one machine"),
        ("README.md", "from " + "crates." + "io\n", "registry"),
        ("docs/a.md", "FILL_" + "IN: the title\n", "filled"),
        ("docs/a.py", "# SPDX-License-Identifier: MIT\ndef f():\n" + "    f()\n" * 65, "limit is 60"),
        ("a.jl", "# SPDX-License-Identifier: MIT\nfunction f()\n" + "    f()\n" * 65 + "end\n", "limit is 60"),
        (
            "a.f90",
            "! SPDX-License-Identifier: MIT\nsubroutine f()\n" + "call g()\n" * 65 + "end subroutine\n",
            "limit is 60",
        ),
        ("a.rs", spdx + "fn f() {\n" + body * 65 + "}\n", "limit is 60"),
        ("core/a.cpp", spdx + "int x; \n", "trailing"),
        ("capi/include/arr/a.h", spdx + "/* " + "x" * 115 + " */\n", "121 characters"),
        ("capi/include/arr/a.h", spdx + "/* " + "x" * 114 + " */\n", None),
        ("core/a.h", spdx + "// " + "x" * 130 + "\n", None),
        ("examples/c/2-a.c", spdx + "int x;\n" * 60, "an example"),
        ("examples/c/util.c", spdx + "int x;\n" * 60, None),
    ]
    wrong = 0
    for name, text, expected in cases:
        path = pathlib.Path(name)
        found = list(text_faults(path, text))
        if is_code(path):
            found += code_faults(path, text)
        if (len(found) != 1 or expected not in found[0]) if expected else found:
            print(f"self-test: {name}: expected {expected}, got {found}")
            wrong += 1
    pages = [("[a](policy.py) `[b](gone.md)` [c](https://x.y/z)", 0), ("[a](gone.md) [b](gone.md#there)", 2)]
    for text, expected in pages:
        found = list(broken_links(source.ROOT, pathlib.Path("tests/house/x.md"), text))
        if len(found) != expected:
            print(f"self-test: {text}: {found}")
            wrong += 1
    reads = [("core/a.cpp", 1), ("tests/a.cpp", 0)]
    for name, expected in reads:
        text = 'f(environment("ARR_KNOWN"), getenv("ARR_NEW"), getenv("HOME"));'
        found = list(unknown_variables(pathlib.Path(name), text, "| `ARR_KNOWN` |"))
        if len(found) != expected:
            print(f"self-test: {name}: {found}")
            wrong += 1
    print(f"self-test: {len(cases) + len(pages) + len(reads)} texts, {wrong} judged wrongly")
    return wrong


def main(argv):
    if "--self-test" in argv:
        return 1 if self_test() else 0
    names = source.files()
    faults = check(source.ROOT, names)
    for line in faults:
        print(line)
    print(f"{len(names)} files, {len(faults)} faults")
    return 1 if faults or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
