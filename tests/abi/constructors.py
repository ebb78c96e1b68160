#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""constructors.py PLUGIN LIBRARIES... - nothing of ours runs because a library is opened, and nothing is destroyed that
a function of atexit() may still ask for: none of the libraries has a static object with a constructor, or registers a
destructor but those below. The plug-in has one of each, which must be seen."""

import re
import subprocess
import sys

# Removes temporary files; knows that it may be called behind that.
MAY = ["arr::host_kernels::keep("]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def constructors(library):
    return [f"{name} runs when it is opened" for name in re.findall(r"_GLOBAL__(?:sub_)?I_\S*", output("nm", library))]


def destructors(library):
    found, function = [], "<?>:\n"
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", library], stdout=subprocess.PIPE, text=True) as dump:
        for line in dump.stdout:
            if line.endswith(">:\n"):
                function = line
            elif "call" in line and "<__cxa_atexit@plt>" in line:
                found.append(function.split("<", 1)[1][:-3])
    names = output("c++filt", *found).splitlines() if found else []
    return [f"{name} has a static object with a destructor" for name in names if not name.startswith(tuple(MAY))]


def main(argv):
    if not constructors(argv[0]) or not destructors(argv[0]):
        print(f"{argv[0]}: its static objects are not seen, so nothing is checked")
        return 1
    faults = [f"{library}: {fault}" for library in argv[1:] for fault in constructors(library) + destructors(library)]
    print("\n".join(faults + [f"{len(argv) - 1} libraries, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
