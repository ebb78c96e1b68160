#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mistakes.py GUIDE LIMIT COMMAND ... - compiles each row of the guide's table of mistakes by the command.

The first error must have the text of the row, and the messages at most LIMIT lines. The code that the row gives instead compiles if it is a
statement that begins with a name of the program.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """#include <arr/arr.hpp>
#include <cmath>
void function(arr::array a, const arr::array c) {
  static_cast<void>(a), static_cast<void>(c);
  STATEMENT;
}
"""


def rows(guide):
    section = guide.read_text(encoding="utf-8").partition("## Mistakes")[2].partition("\n## ")[0]
    cells = [
        [c.strip() for c in line.strip("| ").split(" | ")] for line in section.splitlines() if line.startswith("| `")
    ]
    return [(mistake.strip("`"), text, instead.strip("`")) for mistake, text, instead in cells]


def compiled(command, folder, statement):
    path = pathlib.Path(folder) / "mistake.cpp"
    path.write_text(PROGRAM.replace("STATEMENT", statement))
    env = dict(os.environ, LC_ALL="C")
    return subprocess.run([*command, str(path)], stderr=subprocess.PIPE, text=True, check=False, env=env)


def main(argv):
    table, limit, command = rows(pathlib.Path(argv[0])), int(argv[1]), argv[2:]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for mistake, text, instead in table:
            done = compiled(command, folder, mistake)
            lines = done.stderr.splitlines()
            first = next((line for line in lines if " error: " in line), "no error")
            if text not in first or len(lines) > limit:
                print(f"{mistake}: {len(lines)} lines, expected {text!r}:\n{done.stderr[:3000]}")
                wrong += 1
            if (
                instead.startswith(("a", "const"))
                and not instead.startswith("an ")
                and compiled(command, folder, instead).returncode
            ):
                print(f"{instead}: does not compile")
                wrong += 1
    print(f"{len(table)} mistakes, {wrong} wrong")
    return 1 if wrong or len(table) < 10 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
