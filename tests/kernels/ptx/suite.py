#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""suite.py SUITE [ARGUMENTS] - a conformance suite over the fake CUDA whose NVRTC is the toolkit's: its PTX runs on the host.

So what NVRTC makes of libarr's CUDA texts is executed, and compared with the suite's expectations. One in eight of a
suite's cases run, or one in as many as suites.tsv says, which ARR_TEST_SEED turns; with ARR_TEST_WHOLE=1 all those that
the suite runs in CI over the fake. --list prints the suites; --table checks that suites.tsv names no others.
"""

import os
import pathlib
import re
import sys

import cuda_toolkit

HERE = pathlib.Path(__file__).resolve().parent
SUITES = HERE.parents[1] / "conformance"
CASES_ONE_IN = 8


def table():
    """{folder/suite: (the reason for which it does not run so, or ""; one in how many of its cases runs)}, sorted."""
    rows = dict.fromkeys(over_the_fake(), ("", CASES_ONE_IN))
    for line in (HERE / "suites.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            suite, reason, one_in = (line.split("\t") + ["", ""])[:3]
            rows[suite] = reason, int(one_in or CASES_ONE_IN)
    return dict(sorted(rows.items()))


def over_the_fake():
    """The suites that have a test over the fake CUDA."""
    found = set()
    for cmake in sorted(SUITES.rglob("CMakeLists.txt")):
        text = cmake.read_text(encoding="utf-8")
        folder = cmake.parent.relative_to(SUITES)
        names = re.findall(r"arr_suite\((\w+)[^)]*\bCUDA(?:_DEFERRED)?\b", text)
        names += [n for n in re.findall(r"arr_conformance\([^ )]*\.cuda[^ )]* (\S+)\.py cuda\b", text) if "$" not in n]
        for listed, body in re.findall(r"foreach\(suite ([^)]*)\)(.*?)endforeach", text, flags=re.S):
            names += listed.split() if "${suite}.py cuda" in body else []
        found.update(str(folder / n) for n in names)
    return found


def check_table():
    listed, run = table(), over_the_fake()
    for name in sorted(set(listed) - run):
        print(f"{name} has no test over the fake CUDA")
    print(
        f"{len(run)} suites over the fake CUDA, {sum(bool(reason) for reason, _ in listed.values())} of them not by PTX"
    )
    return 0 if set(listed) == run and run else 1


def main():
    if sys.argv[1:] == ["--table"]:
        return check_table()
    if sys.argv[1:] == ["--list"]:
        print("\n".join(suite for suite, (reason, _) in table().items() if not reason))
        return 0
    if cuda_toolkit.nvrtc() is None:
        print("skipped: no NVRTC here")
        return 77
    os.environ["ARR_FAKE_NVRTC"] = "real"
    whole = os.environ.pop("ARR_TEST_WHOLE", "0") not in ("", "0")
    os.environ["ARR_TEST_ONE_IN"] = "1" if whole else str(table()[sys.argv[1]][1])
    suite = SUITES / f"{sys.argv[1]}.py"
    os.execv(sys.executable, [sys.executable, "-B", str(suite), "--device", "cuda", *sys.argv[2:]])


if __name__ == "__main__":
    sys.exit(main())
