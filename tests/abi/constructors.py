#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""constructors.py PLUGIN LIBRARIES... - nothing of ours runs because a library is opened: none of the libraries has a
static object with a constructor. The plug-in has one, which must be seen."""
import subprocess
import sys


def constructors(library):
    text = subprocess.run(["nm", library], check=True, capture_output=True, text=True).stdout
    return [line.split()[-1] for line in text.splitlines() if "_GLOBAL__sub_I_" in line or "_GLOBAL__I_" in line]


def main(argv):
    if not constructors(argv[0]):
        print(f"{argv[0]}: its constructor is not seen, so nothing is checked")
        return 1
    faults = [f"{library}: {name}" for library in argv[1:] for name in constructors(library)]
    print("\n".join(faults + [f"{len(argv) - 1} libraries, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
