#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unity.py BUILD --part K/N [--clang CLANG++] - parses the folders of the library as one file each, as a first build
compiles them.

Every N-th folder, beginning with the K-th. A name that two files of a folder have in unnamed namespaces is an error
there: share what it stands for, or rename one. The configuration is BUILD/unity.

With --clang by that compiler, whose warnings are errors; with the public headers, each alone, and the C and C++
programs of the examples. The configuration is BUILD/clang.
"""

import argparse
import json
import pathlib
import re
import shlex
import shutil
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


def configure(build, clang):
    """Configures and makes the headers that are embedded as text."""
    options = [f"-D{name}={value}" for name, value in OPTIONS.items()]
    if clang:
        options += [
            f"-DCMAKE_C_COMPILER={clang.replace('++', '')}",
            f"-DCMAKE_CXX_COMPILER={clang}",
            "-DARR_PRECOMPILE=OFF",
        ]
    made = [f"cmake_object_order_depends_target_{t}" for t in TARGETS]
    for command in (["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options], ["ninja", "-C", build, *made]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def folders(build, clang):
    """[(name of a folder's file, command that parses it, its folder)]; for clang also a level's loops."""
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        unit = re.search(r"/Unity/unity_(\w+)_cxx\.cxx$", entry["file"])
        loops = re.search(r"/levels/(\w+/\w+_v3)\.cpp$", entry["file"])
        if unit or (clang and loops):
            command = re.sub(r" -o \S+", " -fsyntax-only -Werror", entry["command"])
            found.append(((unit or loops)[1], command, entry["directory"]))
    return sorted(found)


def of_users(clang):
    """[(name, command, folder)] of what a user's compiler reads: the public headers, each alone, and the examples."""
    c, include = clang.replace("++", ""), f"-I{ROOT}/capi/include -I{ROOT}/bindings/cpp/include"
    flags = (
        f"{include} -Wall -Wextra -pedantic -Werror -Wno-empty-translation-unit -fsyntax-only -D_POSIX_C_SOURCE=200809L"
    )
    found = []
    for header in sorted((ROOT / "capi" / "include" / "arr").glob("*.h")):
        standard = "c11" if header.name == "easy.h" else "c99"
        found.append((header.name, f"{c} -std={standard} {flags} -include arr/{header.name} -x c /dev/null", ROOT))
        if header.name != "easy.h":
            found.append(
                (
                    f"{header.name} in C++",
                    f"{clang} -std=c++17 {flags} -include arr/{header.name} -x c++ /dev/null",
                    ROOT,
                )
            )
    for program in sorted((ROOT / "examples").glob("**/c/*.c")):
        found.append((program.name, f"{c} -std=c11 {flags} {program}", ROOT))
    for program in sorted((ROOT / "examples").glob("**/cpp/*.cpp")):
        found.append((program.name, f"{clang} -std=c++17 {flags} {program}", ROOT))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--clang", default="", metavar="CLANG++")
    options = parser.parse_args()
    if options.clang and not shutil.which(options.clang):
        print(f"SKIPPED: {options.clang} is not installed")
        return 77
    k, n = map(int, options.part.split("/"))
    build = options.build.resolve() / ("clang" if options.clang else "unity")
    configure(build, options.clang)
    units = folders(build, options.clang) + (of_users(options.clang) if options.clang else [])
    faults = 0
    for name, command, directory in units[k::n]:
        if subprocess.run(shlex.split(command), cwd=directory, stdin=subprocess.DEVNULL).returncode != 0:
            faults += 1
            print(f"{name} does not compile so", flush=True)
    print(f"{len(units[k::n])} of {len(units)} files, {faults} with errors")
    return 1 if faults or not units else 0


if __name__ == "__main__":
    sys.exit(main())
