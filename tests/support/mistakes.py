#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mistakes.py GUIDE LIMIT SUFFIX COMMAND ... [-- LIBRARY ...] - tries each row of a guide's table of mistakes.

The command compiles a program with the mistake. The first error must have the text of the row, and the messages at most LIMIT
lines. With libraries the program is linked, and what compiles is run: its error has the text. The code that the row gives
instead compiles, and runs, if it is a statement.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Programs, what begins a statement, and what begins the text of an error.
LANGUAGES = {
    ".cpp": (
        """#include <arr/arr.hpp>
#include <cmath>
void function(arr::array a, const arr::array c) {
  static_cast<void>(a), static_cast<void>(c);
  STATEMENT;
}
""",
        r"a(?!n )|const",
        " error: ",
    ),
    ".c": (
        """#include <arr/easy.h>
#include <stdio.h>
static arr_status function(arr_array a, arr_array n) {
  ARR_SCOPE(b, out);
  double x = 0, memory[12];
  (void)a, (void)n, (void)x, (void)memory, (void)b, (void)out;
  STATEMENT;
  ARR_RETURN(ARR_OK);
}
int main(void) {
  arr_array a = NULL, n = NULL;
  arr_ones(ARR_FLOAT64, ARR_LIST(3, 4), ARR_ORDER_C, NULL, NULL, &a);
  arr_ones(ARR_INT64, ARR_LIST(4), ARR_ORDER_C, NULL, NULL, &n);
  if (function(a, n) == ARR_OK) return 0;
  fprintf(stderr, "%s\\n", arr_last_error());
  return 1;
}
""",
        r"",
        r" error: |^arr_\w+: ",
    ),
    ".f90": (
        """program mistake
    use, intrinsic :: iso_fortran_env, only: real64
    use arr
    implicit none
    type(arr_array) :: a, b, u, s, vh
    real(real64) :: h(4, 3), x
    real(real64), allocatable :: w(:, :)
    h = 1
    x = 0
    a = h
    STATEMENT
    if (x < 0) print *, h, x, allocated(w)
end program mistake
""",
        r"",
        "E(RROR STOP|rror:) ",
    ),
}


def rows(guide):
    section = guide.read_text(encoding="utf-8").partition("## Mistakes")[2].partition("\n## ")[0]
    cells = [
        [c.strip() for c in line.strip("| ").split(" | ")] for line in section.splitlines() if line.startswith("| `")
    ]
    return [(mistake.strip("`"), text, instead.strip("`")) for mistake, text, instead in cells]


def tried(command, libraries, path, statement):
    """Compiles a program, and runs it if it can be linked: the exit status and the messages of what failed."""
    path.write_text(LANGUAGES[path.suffix][0].replace("STATEMENT", statement))
    program = path.with_suffix("")
    linked = [*libraries, "-o", str(program)] if libraries else []
    env = dict(os.environ, LC_ALL="C")
    for step in [[*command, str(path), *linked]] + [[str(program)]] * bool(libraries):
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, env=env)
        if done.returncode:
            break
    return done.returncode, done.stderr.partition("\nError termination")[0]


def main(argv):
    libraries = argv[argv.index("--") + 1 :] if "--" in argv else []
    table, limit, suffix = rows(pathlib.Path(argv[0])), int(argv[1]), argv[2]
    command = argv[3 : len(argv) - len(libraries) - bool(libraries)]
    _, begins, mark = LANGUAGES[suffix]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / ("mistake" + suffix)
        for mistake, text, instead in table:
            status, messages = tried(command, libraries, path, mistake)
            lines = messages.splitlines()
            first = next((line for line in lines if re.search(mark, line)), "no error")
            if not status or text not in first or len(lines) > limit:
                print(f"{mistake}: {len(lines)} lines, expected {text!r}:\n{messages[:3000]}")
                wrong += 1
            if re.match(begins, instead) and (failed := tried(command, libraries, path, instead))[0]:
                print(f"{instead}: fails\n{failed[1][:3000]}")
                wrong += 1
    print(f"{len(table)} mistakes, {wrong} wrong")
    return 1 if wrong or len(table) < 10 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
