#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""counts.py [--fix|--check] - the numbers that README.md has of operations, reductions, distributions and matrices are
those of the tables and headers. --fix writes them.

Each number stands in front of the words of NUMBERS, and stands there once.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPECIAL = 200  # ops from this number on are scipy.special's
OF_TRIANGLES = {"tril", "triu", "bandwidth"}  # README.md names them beside the matrices


def rows(name, macro):
    """The first two columns of each row: number and name, and the whole row."""
    text = (ROOT / "core" / "table" / name).read_text(encoding="utf-8")
    return [(int(number), op, row) for row, number, op in re.findall(rf"^({macro}\((\d+), (\w+),.*)$", text, re.M)]


def counted():
    ops = rows("ops.def", "ARR_OP")
    header = (ROOT / "capi" / "include" / "arr" / "special_matrices.h").read_text(encoding="utf-8")
    matrices = set(re.findall(r"ARR_API arr_status arr_(\w+)\(", header)) - OF_TRIANGLES
    return {
        "element-wise operations": len(ops),
        "of scipy.special's": sum(number >= SPECIAL for number, _, _ in ops),
        "reductions over any axes": sum(
            ", HIDDEN, " not in row for _, _, row in rows("reductions.def", "ARR_REDUCTION")
        ),
        "distributions, integers": len(rows("distributions.def", "ARR_DISTRIBUTION")),
        "special matrices": len(matrices),
    }


def faults(text, numbers):
    for words, number in numbers.items():
        found = re.findall(rf"(\d+) {re.escape(words)}", text)
        if found != [str(number)]:
            yield f'README.md: "N {words}": {", ".join(found) or "not there"}, expected {number} once'


def main(argv):
    numbers = counted()
    assert list(faults("5 apples and 6 pears", {"apples": 5, "pears": 7, "plums": 1})), "it can fail"
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    if "--fix" in argv:
        for words, number in numbers.items():
            text = re.sub(rf"\d+ (?={re.escape(words)})", f"{number} ", text)
        readme.write_text(text, encoding="utf-8")
    bad = list(faults(text, numbers))
    print("\n".join(bad) if bad else f"{len(numbers)} numbers are those of the tables")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
