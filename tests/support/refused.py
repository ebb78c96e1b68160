#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""refused.py FILE MARK COMMAND ... - compiles FILE by the command and compares the lines with errors to those marked.

A compiler that reports every error is run once for all lines. A marked line without an error compiles although it must not.
Without the marked lines the file compiles.
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def run(command, path):
    return subprocess.run(
        [*command, str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def main(argv):
    path, mark, command = pathlib.Path(argv[0]), argv[1], argv[2:]
    lines = path.read_text().splitlines()
    marked = {n for n, line in enumerate(lines, 1) if line.rstrip().endswith(mark)}
    with tempfile.TemporaryDirectory() as folder:
        rest = pathlib.Path(folder) / path.name
        rest.write_text("".join("\n" if n in marked else line + "\n" for n, line in enumerate(lines, 1)))
        accepted = run(command, rest)
    done = run(command, path)
    name = re.escape(path.name)
    # Behind the place comes "error:", or how it leads into a header; gfortran's error follows the text of the line.
    ways = r" (?:fatal )?error|\s+required from here| note: (?:in expansion of|expanded from) macro| note: in instantiation"
    found = {int(n) for n in re.findall(rf"{name}:(\d+):\d+:(?:{ways}|\n\n.*\n.*\nError)", done.stdout)}
    for line in sorted(marked - found):
        print(f"{path.name}:{line}: compiles, but must not: {lines[line - 1].strip()}")
    if accepted.returncode != 0:
        print(f"{path.name} without the marked lines:\n{accepted.stdout[-6000:]}")
    if accepted.returncode != 0 or not marked or not marked <= found:
        return 1
    print(f"{len(marked)} lines are refused, the others compile")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
