#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tidy.py BUILD_DIR [--scope PLUGIN] [--states N] [--part K/N] [FILE...] - clang-tidy 14 over capi/, core/ and dlpack/.

Every finding fails. --part K/N looks at the K-th of N parts of the files, K from 0.

What was clean is remembered in BUILD_DIR/tidy by the hash of the file, the headers it can see, its
command and .clang-tidy, so that a second run looks only at what changed.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import zlib

import source

FOLDERS = ("capi", "core", "dlpack")
# The host's loops are compiled by files that the build makes, one per instruction set: one is looked at.
LOOPS = re.compile(r".*/core/host/levels/\w+/\w+_(v3|base)\.cpp")
# Options of GCC alone, left out of the commands that clang-tidy reads.
GCC_ONLY = {
    "-fno-tree-pre",
    "-fno-thread-jumps",
    "-fpch-preprocess",
    "-Winvalid-pch",
    "-Wno-restrict",
    "-Wno-stringop-overflow",
}
# GCC's precompiled headers are not clang's; without them a file that does not include what it uses is a finding.
PRECOMPILED = re.compile(r"-include \S+/cmake_pch\.hxx ")
# The number of states that the analyzer follows in a function. By its own default, 225,000, nearly all are a C
# function's arguments in every combination, a minute for one file; `--states 225000` takes that time.
STATES = 20000
UNREADABLE = {"core/host/loops/select.cpp": "clang 14 does not know the names of x86-64 levels"}


def commands(build):
    """{path: compile command} of our own sources in the compilation database."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        try:
            relative = path.relative_to(source.ROOT)
        except ValueError:
            continue
        if relative.as_posix() in UNREADABLE:
            continue
        if path.suffix == ".cpp" and (relative.parts[0] in FOLDERS or LOOPS.fullmatch(path.as_posix())):
            found.setdefault(relative, entry.get("command") or " ".join(entry["arguments"]))
    return found


def readable_database(build, folder):
    """A copy of the compilation database that clang can read; gives its folder."""
    entries = json.loads((build / "compile_commands.json").read_text())
    for entry in entries:
        command = PRECOMPILED.sub("", entry["command"])
        entry["command"] = " ".join(w for w in command.split(" ") if w not in GCC_ONLY)
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return folder


def headers_hash():
    """One hash over everything that may be included."""
    h = hashlib.sha256((source.ROOT / ".clang-tidy").read_bytes())
    for f in source.files():
        included = f.suffix in {".h", ".hpp", ".def", ".inc"} or f.parent.name == "loops"
        if f.parts[0] in FOLDERS and included:
            h.update((source.ROOT / f).read_bytes())
    return h.digest()


def check(tool, memory, name, command, common):
    started = time.monotonic()
    key = hashlib.sha256(common + command.encode() + (source.ROOT / name).read_bytes()).hexdigest()
    stamp = memory / key
    if stamp.exists():
        return name, 0, "", 0.0
    run = subprocess.run(
        [*tool, str(source.ROOT / name)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False
    )
    if run.returncode == 0:
        stamp.touch()
    output = run.stdout + (run.stderr if "error:" in run.stderr else "")
    return name, run.returncode, output, time.monotonic() - started


def main(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--scope", metavar="PLUGIN", help="tidy_scope.cpp, built")
    parser.add_argument("--states", type=int, default=STATES, help="how far the analyzer goes")
    parser.add_argument("--part", default="0/1", help="K/N: the K-th of N parts")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args(argv)
    tool, build = shutil.which("clang-tidy-14"), options.build
    if tool is None:
        print("SKIPPED: clang-tidy-14 is not installed")
        return source.SKIPPED
    todo = commands(build)
    if options.files:
        todo = {n: c for n, c in todo.items() if n in options.files}
    part, parts = map(int, options.part.split("/"))
    everything = len(todo)
    todo = {n: c for n, c in todo.items() if zlib.crc32(n.as_posix().encode()) % parts == part}
    if not todo:
        print("found no source file to check")
        return 1
    memory = build / "tidy"
    memory.mkdir(exist_ok=True)
    command = [tool, "--quiet", "-p", str(readable_database(build, memory))]
    command += [f"--extra-arg={a}" for a in ("-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={options.states}")]
    if options.scope:
        command += ["--load", options.scope, "--checks=arr-scope"]
    common, bad = headers_hash() + f"{options.states} {options.scope is not None}".encode(), 0
    # Large files first, so that no core waits for one at the end.
    order = sorted(todo, key=lambda n: -(source.ROOT / n).stat().st_size)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(check, command, memory, n, todo[n], common) for n in order]
        for done, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            name, code, output, seconds = job.result()
            print(f"[{done}/{len(jobs)}] {name} {seconds:.1f}s {'' if code == 0 else 'FAULTS'}", flush=True)
            if code != 0:
                bad += 1
                print(output, flush=True)
    for name, reason in UNREADABLE.items():
        print(f"not looked at: {name}: {reason}")
    print(f"{len(todo)} of {everything} files, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
