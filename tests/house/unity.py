#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unity.py BUILD --part K/N [--clang CLANG++] - compiles the library as examples/run.sh does, with warnings as errors.

Every N-th file, beginning with the K-th. There a folder is one file, so a name that two files of a folder have in
unnamed namespaces is an error: share what it stands for, or rename one. The configuration is BUILD/unity, its objects
are not kept.

With --clang that compiler parses the files, the public headers, each alone, and the C and C++ programs of the
examples. The configuration is BUILD/clang.
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
    "ARR_CUDA": "OFF",
    "ARR_FORTRAN": "OFF",
    "ARR_EXAMPLES": "OFF",
    "ARR_HOST_KERNELS": "ON",  # which examples/run.sh builds after the first result
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
    for command in (["cmake", "--preset", "first", "-B", build, *options], ["ninja", "-C", build, *made]):
        subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def folders(build, clang):
    """[(name of a file, command that compiles it, its folder)]; clang only parses it."""
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        name = re.sub(r".*/(Unity/unity|levels)[_/](\w+)\.\w+$", r"\2", entry["file"]).replace(str(ROOT), "")
        command = re.sub(r" -o \S+", " -fsyntax-only -Werror" if clang else " -o /dev/null -Werror", entry["command"])
        found.append((name, command, entry["directory"]))
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
