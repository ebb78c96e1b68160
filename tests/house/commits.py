#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""commits.py [--message FILE] - subjects of commits: `scope: imperative`, at most 70 characters.

Looks at the commits since SINCE, when the rule began to be checked; --message looks at one that is being made.
"""

import argparse
import pathlib
import re
import subprocess
import sys

SINCE = "2026-11-25 15:30 +0000"
LONGEST = 70
SHAPE = re.compile(r"^[a-z][a-z0-9_, -]*: (\S+)")
# The first word says what the commit does: no noun, no clause, no other form of a verb.
NOT_IMPERATIVE = re.compile(
    r"^(what|whether|who|where|how|when|more|no|the|a|an|of|\w+[^su]s|\w+[^e]ed|\w{3,}ing)$", re.I
)
IMPERATIVE = {"bring", "string", "embed", "shed", "wed"}


def fault(subject):
    """Text of what is wrong with a subject, or None."""
    if subject.startswith(("Merge ", "Revert ", "fixup! ")):
        return None
    if len(subject) > LONGEST:
        return f"{len(subject)} characters, expected at most {LONGEST}"
    shape = SHAPE.match(subject)
    if not shape:
        return "expected `scope: imperative`"
    if NOT_IMPERATIVE.match(shape[1]) and shape[1].lower() not in IMPERATIVE:
        return f"'{shape[1]}' is no imperative"
    return None


def main(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--message", type=pathlib.Path, help="file of one message")
    options = parser.parse_args(argv)
    for good in (
        "host: split long reductions over threads",
        "ops: pass sums on",
        "tests: process rows",
        "docs: speed up",
    ):
        assert fault(good) is None, good
    for bad in (
        "host: what becomes of rows",
        "more tests",
        "ops: splits rows",
        "ops: generated anew",
        "x: " + "y" * 70,
    ):
        assert fault(bad), bad
    if options.message:
        subjects = options.message.read_text(encoding="utf-8").splitlines()[:1]
    else:
        log = subprocess.run(
            ["git", "log", "--no-merges", f"--since={SINCE}", "--format=%s"],
            capture_output=True,
            text=True,
            cwd=pathlib.Path(__file__).parent,
        )
        if log.returncode:
            print("skipped: this is no checkout of git")
            return 77
        subjects = log.stdout.splitlines()
    bad = [(s, fault(s)) for s in subjects if fault(s)]
    for subject, why in bad:
        print(f"commit '{subject}': {why}")
    print(f"{len(subjects)} subjects, {len(bad)} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
