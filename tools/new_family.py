#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""new_family.py NAME FUNCTION [--root FOLDER] - the skeleton of a family of functions with one function, arr_FUNCTION.

It writes the folders of NAME in every layer from new_family.template: header, C function, operation, table of the
backends, loop on the host, kernel on CUDA, suite and guide. It adds the family to core/table/families.def, the header to
arr.h and a line to CHANGELOG.md. FILL_IN marks each of its blanks: #error lines stop the build, and the test house.policy
refuses the word, until all are filled. docs/contributing/family.md has the steps that follow. Standard library only.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIST = "core/table/families.def"


def skeleton(words):
    """{path: text} of the new files."""
    text = (ROOT / "tools" / "new_family.template").read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    parts = re.split(r"^=== (.+)\n", text, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def registered(root, words):
    """{path: text} of the files that list what there is, with the new family."""
    families = (root / LIST).read_text(encoding="utf-8")
    rows = re.findall(r"^ARR_(?:BACKEND_)?FAMILY\(.*\n", families, re.M)
    row = 'ARR_BACKEND_FAMILY({name}, {Name}Api, "FILL_IN: the contents")\n'.format(**words)
    after = [r for r in rows if r.partition("(")[2] > row.partition("(")[2]]
    families = families.replace(after[0], row + after[0]) if after else families.replace(rows[-1], rows[-1] + row)

    header = (root / "capi/include/arr/arr.h").read_text(encoding="utf-8")
    last = [line for line in header.splitlines(True) if line.startswith("#include")][-1]
    header = header.replace(last, last + f'#include "arr/{words["name"]}.h"\n')

    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    area = re.search(r"^### .*\n\n", changes, re.M).group()
    changes = changes.replace(area, area + "- FILL_IN: what `arr_{function}` does.\n".format(**words), 1)
    return {LIST: families, "capi/include/arr/arr.h": header, "CHANGELOG.md": changes}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", help="the family: lower case")
    parser.add_argument("function", help="its first function, without arr_")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the checkout")
    options = parser.parse_args()
    words = {"name": options.name, "function": options.function}
    for what, word in words.items():
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", word):
            sys.exit(f"{what} {word}: expected lower-case letters, digits and single _")
    words |= {what.capitalize(): "".join(map(str.capitalize, word.split("_"))) for what, word in words.items()}
    words["NAME"] = words["name"].upper()
    files = skeleton(words)
    there = [path for path in files if (options.root / path).exists()]
    if there:
        sys.exit(f"{there[0]} exists already")
    for path, text in (files | registered(options.root, words)).items():
        target = options.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        if text.startswith("#!"):
            target.chmod(0o755)
        for number, line in enumerate(text.splitlines(), 1):
            if "FILL_IN" in line:
                print(f"{path}:{number}: {line.strip()}")
    print(f"{len(files)} new files; fill each line above, then run tests/house/fresh.py --fix")


if __name__ == "__main__":
    main()
