#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""format.py [--fix] - every hand-written file is as its formatter writes it: C, C++ and CUDA by clang-format 14, Python by
the ruff of .venv (.ci/requirements.txt has its version, .ruff.toml its settings). --fix formats."""

import concurrent.futures
import os
import shutil
import subprocess
import sys

import source

SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh"}
RUFF = source.ROOT / ".venv" / "bin" / "ruff"


def hand_written(suffixes):
    return [
        str(f) for f in source.files() if f.suffix in suffixes and not source.is_generated(source.read(source.ROOT / f))
    ]


def run(command):
    return subprocess.run(
        command, cwd=source.ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False
    )


def c_like(tool, names, fix):
    """The names that are not formatted, and whether clang-format ended well."""
    action = ["-i"] if fix else ["--dry-run", "-Werror"]
    jobs = os.cpu_count() or 1
    batches = [names[i::jobs] for i in range(jobs) if names[i::jobs]]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = list(pool.map(lambda batch: run([tool, *action, *batch]), batches))
    bad = {line.split(":")[0] for r in runs for line in r.stderr.splitlines() if "error:" in line}
    return bad, not any(r.returncode for r in runs)


def python(tool, names, fix):
    """The same by ruff."""
    action = ["--quiet"] if fix else ["--check", "--output-format", "concise"]
    done = run([tool, "format", "--no-cache", *action, *names])
    bad = {line.split(":")[0] for line in done.stdout.splitlines() if ": unformatted:" in line}
    if done.returncode > 1 or (done.returncode and not bad):
        print(done.stdout + done.stderr)
    return bad, done.returncode == 0


def main(argv):
    fix, good, skipped = "--fix" in argv, True, False
    clang_format = shutil.which("clang-format-14")
    for what, tool, suffixes, check in (
        ("C, C++ and CUDA", clang_format, SUFFIXES, c_like),
        ("Python", RUFF if RUFF.is_file() else None, {".py"}, python),
    ):
        names = hand_written(suffixes)
        if tool is None:
            print(f"NOT CHECKED: {what}: {len(names)} files; .ci/setup.sh installs the formatter")
            skipped = skipped or check is c_like
            continue
        bad, ended_well = check(tool, names, fix) if names else (set(), False)
        for name in sorted(bad):
            print(f"{name}: not formatted; tests/house/format.py --fix")
        print(f"{what}: {len(names)} files, {len(bad)} not formatted")
        good = good and ended_well and not bad
    if skipped and good:
        print("SKIPPED: clang-format-14 is not installed")
        return source.SKIPPED
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
