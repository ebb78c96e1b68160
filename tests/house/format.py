#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""format.py [--fix] - every hand-written C, C++ and CUDA file is as clang-format 14 writes it."""
import concurrent.futures
import os
import shutil
import subprocess
import sys

import source

SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh"}


def main(argv):
    tool = shutil.which("clang-format-14")
    if tool is None:
        print("SKIPPED: clang-format-14 is not installed")
        return source.SKIPPED
    names = [str(f) for f in source.files()
             if f.suffix in SUFFIXES and not source.is_generated(source.read(source.ROOT / f))]
    if not names:
        print("found no source file to check")
        return 1
    action = ["-i"] if "--fix" in argv else ["--dry-run", "-Werror"]
    jobs = os.cpu_count() or 1
    batches = [names[i::jobs] for i in range(jobs) if names[i::jobs]]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = list(pool.map(lambda batch: subprocess.run(
            [tool, *action, *batch], cwd=source.ROOT, stderr=subprocess.PIPE, text=True, check=False), batches))
    bad = set()
    for run in runs:
        bad |= {line.split(":")[0] for line in run.stderr.splitlines() if "error:" in line}
    for name in sorted(bad):
        print(f"{name}: not formatted; tests/house/format.py --fix")
    print(f"{len(names)} files, {len(bad)} not formatted")
    return 1 if bad or any(run.returncode for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
