#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""words.py [--self-test] - text that people read has the field's words, not those of dialect.txt.

Reads pages (README, CHANGELOG, CONTRIBUTING, docs and the README of folders), and the literals and comments of core,
capi/src and bindings. Generated files are left out, for their text comes from the headers, and so is code in pages.
Names in these folders have max and min, not most and least.
"""

import pathlib
import re
import sys

import comments
import source

CODE = ("core/", "capi/src/", "bindings/")
# Least squares, and a method of Python's Counter.
_BOUND = re.compile(r"\b(?:most|least)_(?!squares\b|common\b)\w+|\b\w+_(?:most|least)\b", re.I)
_CODE_TEXT = re.compile(r";|::")  # source text that a program writes
_LITERAL = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"')
_LITERAL_OF_EITHER = re.compile(_LITERAL.pattern + r"|'(?:\\.|[^'\\\n])*'")  # Python and Fortran


def prose(text):
    """(line number, text) of a page without code and addresses of links."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line)


def literals(name, text):
    """(line number, text) of each literal that has a space, as messages have; without source text."""
    if name.suffix in source.C_LIKE | {".rs", ".def", ".i"}:
        found = ((m.start(), m.group(0)) for m in source.TOKENS.finditer(text) if not m.group(0).startswith("/"))
    else:
        either = name.suffix in {".py", ".f90", ".F90"}
        found = ((m.start(), m.group(0)) for m in (_LITERAL_OF_EITHER if either else _LITERAL).finditer(text))
    for start, literal in found:
        for offset, line in enumerate(re.sub(r"`[^`\n]*`", " ", literal).split("\n")):
            if " " in line and not _CODE_TEXT.search(line):
                yield text.count("\n", 0, start) + 1 + offset, line


def bounds(name, text):
    """Texts of the names of bounds that are not max and min."""
    for number, line in enumerate((source.strip_c(text) if name.suffix in source.C_LIKE else text).splitlines(), 1):
        for m in _BOUND.finditer(line):
            yield f'{name}:{number}: "{m.group(0)}", better: max_..., min_...'


def faults(name, text, words):
    """Texts of what a file has of the list."""
    if name.suffix == ".md":
        read = list(prose(text))
    else:
        yield from bounds(name, text)
        read = list(literals(name, text))
        found = ((number, re.sub(r"`[^`]*`", " ", comment)) for number, comment, _ in comments.comments(name, text))
        read += [(number, comment) for number, comment in found if not comment.rstrip().endswith(";")]
    for number, line in read:
        for pattern, instead in words:
            if m := pattern.search(line):
                yield f'{name}:{number}: "{m.group(0)}", better: {instead}: {line.strip()[:90]}'


def is_read(name, text):
    if name.suffix == ".md":
        return not source.is_generated(text) and not re.search(r"^<!-- (Generated|Written) by", text, re.M)
    code = name.suffix in source.CODE or name.name == "CMakeLists.txt"
    return code and name.as_posix().startswith(CODE) and not source.is_generated(text)


def self_test(words):
    """Each text must have this number of faults."""
    cases = [
        ("a.md", "The places of the elements.\n", 1),
        ("a.md", "Sorts in place, to the last place; `places` and\n```c\nint places;\n```\n", 0),
        ("a.md", "`take` and its kin.\nThere is one.\nThis is none.\n", 2),
        ("core/a.cpp", '// So many of them.\nfail("argument a: tells nothing");  // but for this\n', 3),
        ("core/a.cpp", 'int places = f("places");\n', 0),
        ("core/a.py", '# A list of its own.\nraise E("the most is 3")\n', 2),
        ("core/a.jl", '"""\n    f(x)\n\nReturns the places\n"""\nf() = "x"\n', 1),
        ("core/a.jl", '# Likewise.\nerror("the least are 3")\n', 2),
        ("core/a.cpp", "int most_rows = at_least(rows);\nint least_squares();  // at most_ 3\n", 2),
        ("core/a.rs", '/// A thread of its own.\nfail!("all gone away");\n', 2),
    ]
    wrong = 0
    for name, text, expected in cases:
        found = list(faults(pathlib.Path(name), text, words))
        if len(found) != expected:
            print(f"self-test: {text!r}: expected {expected}, got {found}")
            wrong += 1
    print(f"self-test: {len(cases)} texts, {wrong} judged wrongly")
    return wrong


def main(argv):
    words = source.dialect()
    if "--self-test" in argv:
        return 1 if self_test(words) else 0
    files = [(name, source.read(source.ROOT / name)) for name in source.files()]
    files = [(name, text) for name, text in files if is_read(name, text)]
    found = [fault for name, text in files for fault in faults(name, text, words)]
    for line in found:
        print(line)
    print(f"{len(files)} files, {len(found)} words of dialect.txt")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
