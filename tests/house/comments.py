#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""comments.py [--self-test] - comments are sentences or noun phrases, not clauses.

Fails on a comment or a sentence at the beginning of its line that opens with "What", "Whether", "Who", "How", "Which",
"Where" or "Of": a reader then looks for a main clause that is not there. "True if ...", "The number of ..." and "Returns ..."
say the same.
"""

import pathlib
import re
import sys

import source

OPENING = re.compile(r"(What|Whether|Who|Whose|Whom|How|Which|Where|Of)\b(?!.*\?$)")
HASH, BANG, SLASHES = r"#", r"!>?", r"//[/!]?<?"
MARKS = {".py": HASH, ".jl": HASH, ".sh": HASH, ".cmake": HASH, ".txt": HASH, ".f90": BANG, ".F90": BANG}


def comments(name, text):
    """(line number, text, True if it begins a comment or follows the end of a sentence) of each line of a comment."""
    mark = MARKS.get(name.suffix, SLASHES)
    blocks = r'|"""' if name.suffix in (".py", ".jl") else r"|/\*[*!]?<?|\*(?!/)" if mark == SLASHES else ""
    own = re.compile(rf"\s*(?:{mark}{blocks})(?:\s+|(?=\w))(.*)")
    trailing = re.compile(rf"\S\s\s*(?:{mark})\s(.*)" if mark == SLASHES else rf"\S\s\s+(?:{mark})\s(.*)")
    before = None  # the comment's line before this one
    for number, line in enumerate(text.splitlines(), 1):
        if m := own.match(line):
            ended = before is None or not before or before.endswith((".", ":", "*/"))
            yield number, m.group(1), ended
            before = m.group(1).rstrip()
            continue
        before = None
        if m := trailing.search(line):
            yield number, m.group(1), True


def faults(name, text):
    for number, comment, begins in comments(name, text):
        if begins and OPENING.match(comment):
            yield f'{name}:{number}: a comment opens with "{comment.split()[0]}": {comment[:80]}'


def self_test():
    """Each text must have so many faults."""
    cases = [
        ("a.h", "// What a row holds.\n", 1),
        ("a.h", "// Where the row begins.\n", 1),
        ("a.h", "// The row. Its end.\n// Of the level in use.\n", 1),
        ("a.h", "// A row that holds\n// what is read, and\n// Which is a name.\n", 0),
        ("a.h", "int n;  // How many there are\n", 1),
        ("a.h", '/** Whether it is set. */\nconst char* s = "What is this";\n', 1),
        ("a.h", "/* The state.\n * Who waits is woken. */\n", 1),
        ("a.rs", "/// Whether it is set.\n//! Of a module.\nint f();\n", 2),
        ("a.py", '"""Whether it is set."""\n# How is this asked?\nx = 1  #' + " Of the row\n", 2),
        ("a.jl", "# Whose dimensions count.\n", 1),
        ("a.f90", "! What the library calls.\nprint *, 'Of'\n", 1),
        ("a.cmake", "# Of these the last.\n", 1),
        ("a.h", "// True if it is set.\n// Offsets of rows.\n// However it is.\n", 0),
    ]
    wrong = 0
    for name, text, expected in cases:
        found = list(faults(pathlib.Path(name), text))
        if len(found) != expected:
            print(f"self-test: {text!r}: expected {expected}, got {found}")
            wrong += 1
    print(f"self-test: {len(cases)} texts, {wrong} judged wrongly")
    return wrong


def main(argv):
    if "--self-test" in argv:
        return 1 if self_test() else 0
    found, read = [], 0
    for name in source.files():
        if name.suffix not in source.CODE and name.name != "CMakeLists.txt":
            continue
        text = source.read(source.ROOT / name)
        if source.is_generated(text):
            continue
        read += 1
        found += faults(name, text)
    for line in found:
        print(line)
    print(f"{read} files, {len(found)} clauses instead of sentences")
    return 1 if found or not read else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
