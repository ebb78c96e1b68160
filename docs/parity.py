# SPDX-License-Identifier: MIT
"""Reads docs/parity.tsv, the inventory of CuPy's public names; shared by the generators of docs/ and bindings/.

A row is one name. Its column `libarr` lists the functions and constants of the public headers that stand for the name,
separated by blanks. `symbol` is the function of a vendor's library that the name wraps; arr_library_function returns it.
"""

import functools
import pathlib

INVENTORY = pathlib.Path(__file__).resolve().parent / "parity.tsv"


def read(path=INVENTORY):
    """The columns, and the rows as {column: text}, in the file's order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    columns = lines[0].split("\t")
    return columns, [dict(zip(columns, line.split("\t"))) for line in lines[1:]]


def write(columns, rows):
    """The text of the file."""
    return "".join("\t".join(row) + "\n" for row in [columns, *([row[c] for c in columns] for row in rows)])


@functools.cache
def names():
    """{function or constant: [names of CuPy that it stands for]}"""
    found = {}
    for row in read()[1]:
        for function in row["libarr"].split():
            found.setdefault(function, []).append(row["name"])
    return found
