#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rebuilds.py BUILD [--list] - counts the objects of the library that one edit of a file recompiles, against limits.

The counts come from Ninja's dependencies of the last build. --list prints the files of core and capi that most objects
depend on.
"""

import argparse
import collections
import fnmatch
import subprocess
import sys

# File -> the most objects that may depend on it. The first pattern that matches counts.
LIMITS = [
    ("core/table/ops.def", 143),
    ("core/table/reductions.def", 70),
    ("core/table/distributions.def", 5),
    ("core/backend/backend.h", 30),
    # They describe the arguments of most calls, not the interface of one family.
    ("core/backend/error.h", None),
    ("core/backend/operand.h", None),
    ("core/backend/visit.h", None),
    ("core/backend/fault.h", None),
    ("core/backend/matmul.h", 75),
    ("core/backend/*.h", 70),
]
LIBRARY = ("core/", "capi/", "dlpack/")


def dependencies(build):
    """{object: files that it depends on}, of the objects of the library."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
    found, files = {}, None
    for line in text.splitlines():
        if line.startswith(" "):
            files.add(line.strip())
        elif line:
            name = line.split(":")[0]
            files = found[name] = set()
    return {name: files for name, files in found.items() if name.startswith(LIBRARY) and name.endswith(".o")}


def counts(objects):
    """{file below core, capi or dlpack: how many objects depend on it}."""
    found = collections.Counter()
    for files in objects.values():
        for file in files:
            for folder in LIBRARY:
                start = file.rfind("/" + folder)
                if start >= 0:
                    found[file[start + 1 :]] += 1
                    break
    return found


def limit_of(file):
    for pattern, limit in LIMITS:
        if fnmatch.fnmatch(file, pattern):
            return limit
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build")
    arguments.add_argument("--list", action="store_true")
    options = arguments.parse_args()
    found = counts(dependencies(options.build))
    if options.list:
        for file, count in found.most_common(60):
            print(f"{count:5} {file}")
        return 0
    missing = [p for p, limit in LIMITS if limit and not any(fnmatch.fnmatch(f, p) for f in found)]
    if missing:
        print(f"no object depends on {', '.join(missing)}: build the library first, or mend LIMITS")
        return 1
    over = [(file, count) for file, count in sorted(found.items()) if (limit_of(file) or count) < count]
    for file, count in over:
        print(f"{file}: an edit recompiles {count} objects, more than {limit_of(file)}")
    checked = sum(limit_of(file) is not None for file in found)
    print(f"{checked} files, {len(over)} over their limit")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
