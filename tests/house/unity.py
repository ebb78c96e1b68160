#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unity.py BUILD --part K/N - parses the folders of the library as one file each, as a first build compiles them.

Every N-th folder, beginning with the K-th. A name that two files of a folder have in unnamed namespaces is an error
there: share what it stands for, or rename one. The configuration is BUILD/unity.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ("arr_core", "arr_ops", "arr_host", "arr_host_kernels", "arr")
OPTIONS = {
    "CMAKE_BUILD_TYPE": "Release",
    "ARR_UNITY": "ON",
    "ARR_CUDA": "OFF",
    "ARR_HOST_LEVELS": "v3",
    "ARR_FORTRAN": "OFF",
    "ARR_TESTS": "OFF",
    "ARR_EXAMPLES": "OFF",
    "CMAKE_EXPORT_COMPILE_COMMANDS": "ON",
}


def configure(build):
    """Configures and makes the headers that are embedded as text."""
    options = [f"-D{name}={value}" for name, value in OPTIONS.items()]
    made = [f"cmake_object_order_depends_target_{t}" for t in TARGETS]
    for command in (["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options], ["ninja", "-C", build, *made]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def folders(build):
    """[(name of a folder's file, command that parses it)]."""
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if unit := re.search(r"/Unity/unity_(\w+)_cxx\.cxx$", entry["file"]):
            found.append((unit[1], re.sub(r" -o \S+", " -fsyntax-only", entry["command"]), entry["directory"]))
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--part", default="0/1")
    options = parser.parse_args()
    k, n = map(int, options.part.split("/"))
    build = options.build.resolve() / "unity"
    configure(build)
    all_folders = folders(build)
    faults = 0
    for name, command, directory in all_folders[k::n]:
        if subprocess.run(shlex.split(command), cwd=directory, stdin=subprocess.DEVNULL).returncode != 0:
            faults += 1
            print(f"{name}: does not compile as one file", file=sys.stderr)
    print(f"{len(all_folders[k::n])} of {len(all_folders)} folders, {faults} faults")
    sys.exit(1 if faults or not all_folders else 0)


if __name__ == "__main__":
    main()
