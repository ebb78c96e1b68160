#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples.py [--list] - counts the methods of the crate's overview whose documentation has no example. Fails if there are more
than MOST, and if there are fewer, so that MOST only falls. --list names them."""

import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent / "arr" / "src"
MOST = 55
FUNCTION = re.compile(r"\s*pub (?:unsafe )?fn (\w+)")
ROW = re.compile(r"\s+(\w+)(?:, (\w+))?(?:,| try_\w+.*? =| =) ")  # of a macro that makes methods


def listed():
    """[(type or "", name)] as the overview's pages have them."""
    text = (SOURCES / "overview_generated.rs").read_text(encoding="utf-8")
    return list(dict.fromkeys(re.findall(r"\[`(?:(\w+)::)?([a-z]\w*)`\]\(", text)))


def shown(text):
    """Names of functions with an example, in the documentation or in a macro's row."""
    found, example = set(), False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith(("///", "#[")):
            example |= stripped.startswith(("/// ```", "#[doc = example!("))
            continue
        made = FUNCTION.match(line) or ROW.match(line)
        if made and (example or re.search(r'", *;|";$', line)):
            found |= {name for name in made.groups() if name}
        example = False
    return found


def main():
    found = set()
    for path in sorted(SOURCES.glob("*.rs")):
        found |= shown(path.read_text(encoding="utf-8"))
    without = [f"{of}::{name}".removeprefix("::") for of, name in listed() if name not in found]
    if "--list" in sys.argv:
        print("\n".join(without))
    print(f"{len(listed())} methods, {len(without)} without an example")
    if len(without) != MOST:
        sys.exit(
            f"expected {MOST}: " + ("give new methods examples" if len(without) > MOST else f"lower MOST in {__file__}")
        )


if __name__ == "__main__":
    main()
