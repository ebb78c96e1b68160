#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""safety.py - reads the crate's sources for what docs/decisions/0029-safety-of-the-rust-crate.md asks of each of them:
every unsafe block names a rule of that page, every unsafe function says what its caller vouches for, whoever writes
to an array makes the memory its own first, and no trait by which the library is given a handle can be implemented
outside."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "decisions" / "0029-safety-of-the-rust-crate.md"
# Traits that anybody may implement: they have methods of the program's own.
OPEN = {"ExternalAllocator"}
BLOCK = re.compile(r"\bunsafe (\{|impl\b)")
FUNCTION = re.compile(r"\bunsafe (fn|trait)\b|\bunsafe extern \"C\" fn\b")


def code(line):
    """Without comments and texts."""
    return re.sub(r'"(\\.|[^"\\])*"', '""', line).split("//")[0]


def above(lines, i):
    """The comments and attributes in front of a line, which may stand on the lines before, in one statement."""
    found = []
    while i > 0 and re.match(r"\s*(//|#\[)|.*[({=|,>]\s*$|.*\belse\b.*", lines[i - 1]) and len(found) < 16:
        i -= 1
        found.append(lines[i])
    return "\n".join(reversed(found))


def blocks(name, lines, rules):
    for i, line in enumerate(lines):
        if BLOCK.search(code(line)):
            named = re.findall(r"SAFETY: rule (\d+): ", above(lines, i))
            if not named or int(named[-1]) not in rules:
                yield f"{name}:{i + 1}: unsafe without SAFETY: and a rule of {PAGE.name}"
        elif (
            FUNCTION.search(line.split("//")[0])
            and not line.lstrip().startswith("unsafe extern")
            and "Option<" not in line
        ):
            private = 'extern "C"' in line  # a function that only the library calls: rule 7
            if (
                not private
                and "# Safety" not in above(lines, i)
                and not re.match(r"\s*unsafe fn \w+\(&self, args", line)
            ):
                yield f"{name}:{i + 1}: an unsafe function without # Safety"


def writers(name, text):
    """Functions that get an array to write to."""
    for part in re.split(r"(?=\n +pub (?:unsafe )?fn )", text)[1:]:
        signature = part[: part.find("{")]
        if re.search(r"&mut (Array<|DynArray|impl (Dyn)?Output)", signature.split("->")[0]) and not re.search(
            r"writable\(\)|make_mut\(\)|destination\(\)|_into\(.*\bout\)", part
        ):
            yield f"{name}: {signature.split('(')[0].strip()}: the array that is written may have its memory in common"


def traits(name, text):
    for match in re.finditer(r"pub (?:unsafe )?trait (\w+)[^\n{]*([^{]*)\{", text):
        if (
            match[1] != "Sealed"
            and match[1] not in OPEN
            and not re.search(r"[sS]ealed\b|[:+]\s+(Element|Inexact|Float|DynOutput)\b", match[0])
        ):
            yield f"{name}: trait {match[1]} is not sealed"


def main():
    rules = {int(n) for n in re.findall(r"^(\d+)\. \*\*", PAGE.read_text(), re.M)}
    faults, seen = [], 0
    for path in [*sorted((HERE / "arr" / "src").glob("*.rs")), HERE / "arr-sys" / "src" / "loader.rs"]:
        text = path.read_text()
        seen += sum(bool(BLOCK.search(code(line))) for line in text.splitlines())
        faults += [*blocks(path.name, text.splitlines(), rules), *writers(path.name, text), *traits(path.name, text)]
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{seen} unsafe blocks, {len(rules)} rules, {len(faults)} faults")
    return 1 if faults or not seen or not rules else 0


if __name__ == "__main__":
    sys.exit(main())
