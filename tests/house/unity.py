#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unity.py BUILD_DIR [--part K/N] [FOLDER...] - checks that the files of a folder compile as one file.

A first build compiles them so (ARR_UNITY, core/cmake/unity.cmake). Names in unnamed namespaces must differ within a
folder, and a macro must end in the file that defines it. BUILD_DIR/unity.txt lists the files. --part K/N checks the
K-th of N parts of the folders, K from 0.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import zlib

import source

PRECOMPILED = re.compile(r"-include \S+/cmake_pch\.hxx ")
# The names of objects, dependencies and sources of a command, and the warnings that core/cmake/unity.cmake turns off.
OWN = re.compile(r" -(MD|MT \S+|MF \S+|o \S+|c \S+)(?= |$)")
EXTRA = ["-fsyntax-only", "-fdiagnostics-color=never", "-Wno-subobject-linkage", "-Wno-shadow", "-x", "c++", "-"]


def groups(build):
    """{(target, folder): [files]} of unity.txt, with two files at least."""
    found = {}
    for line in (build / "unity.txt").read_text().splitlines():
        target, folder, file = line.split()
        found.setdefault((target, folder), []).append(file)
    return {key: files for key, files in found.items() if len(files) > 1}


def commands(build):
    """{path: (folder, command)} of the compilation database."""
    entries = json.loads((build / "compile_commands.json").read_text())
    return {pathlib.Path(e["directory"], e["file"]).resolve(): (e["directory"], e["command"]) for e in entries}


def check(files, known):
    """What the compiler says about the files as one; nothing if all is well."""
    directory, command = known[source.ROOT / files[0]]
    words = shlex.split(OWN.sub("", PRECOMPILED.sub("", command)))
    while not re.search(r"(\+\+|cc|clang)(-\d+)?$", words[0]):  # a compiler cache and what sets its variables
        words.pop(0)
    words = [w for w in words if w not in ("-fpch-preprocess", "-Winvalid-pch")]
    text = "".join(f'#include "{source.ROOT / f}"\n' for f in files)
    done = subprocess.run(words + EXTRA, cwd=directory, input=text, text=True, capture_output=True)
    return done.stderr if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folders", nargs="*", help="only these folders")
    parser.add_argument("--part", default="0/1", help="K/N: the K-th of N parts")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    known = commands(options.build)
    chosen = {
        key: files
        for key, files in groups(options.build).items()
        if zlib.crc32(" ".join(key).encode()) % parts == part and (not options.folders or key[1] in options.folders)
    }
    if any(source.ROOT / files[0] not in known for files in chosen.values()):
        print("skipped: this build compiles folders as one already")
        return 77
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for key, said in zip(chosen, pool.map(lambda files: check(files, known), chosen.values())):
            if said:
                failed += 1
                print(f"{key[1]} ({key[0]}) does not compile as one file:\n{said}")
    print(f"{len(chosen)} folders, {failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
