#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""exports.py LIBRARY - the library exports exactly the functions of the public headers, each with its version."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def exported(library):
    """{name: version}; the version's own symbol, which nm shows as absolute, is left out."""
    text = subprocess.run(
        ["nm", "-D", "--defined-only", "--with-symbol-versions", library], check=True, capture_output=True, text=True
    ).stdout
    found = {}
    for line in text.splitlines():
        _, kind, symbol = line.split()
        name, _, version = symbol.partition("@")
        if kind != "A":
            found[name] = version.lstrip("@")
    return found


def main(argv):
    got = exported(argv[0])
    api = json.loads((ROOT / "bindings" / "api.json").read_text())
    expected = {f["name"]: "ARR_" + f["doc"]["since"] for f in api["functions"]}
    faults = [f"{n} is not exported" for n in sorted(set(expected) - set(got))]
    faults += [f"{n} is exported, but in no public header" for n in sorted(set(got) - set(expected))]
    faults += [
        f"{n} has version {got[n] or 'none'}, not {v}" for n, v in sorted(expected.items()) if got.get(n, v) != v
    ]
    for line in faults:
        print(line)
    print(f"{len(got)} exported, {len(expected)} declared, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
