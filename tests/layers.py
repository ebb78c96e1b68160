#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""layers.py BUILD LAYER [--turn N] [--list] - chooses the tests of a layer from those that CTest knows in BUILD.

LAYER quick: each suite once, in its first variant (at the end of a suite's name: device, instruction-set level,
asynchronous streams ...). LAYER ci: each suite once, in the variant whose turn it is. LAYER whole: everything.

What the layer ci leaves out turns with N, the number of commits unless it is given: N + 1 takes the next variant of
each suite, so that ROUND commits one after the other run everything. The chosen numbers go to BUILD/tests-LAYER.txt
in the form that `ctest -I` reads. --list prints the names instead.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import zlib

# No test waits longer than this for its turn.
ROUND = 8

# Endings and beginnings of names that are variants of one suite: every variant has the same text to run.
VARIANT = re.compile(r"(\.host|\.cuda)?(\.(v[234]|asynchronous|checked|deferred|fftw|absent|fibers|pass|\d+))*$")
LEVEL = re.compile(r"^unit\.v[23]\.")
# Many tests that ask the same of many suites, or take long and differ little: one group, an eighth at a time.
GROUPS = [re.compile(p) for p in (
    r"^conformance\.short_of_memory\.", r"^conformance\.float_environment\.", r"^nvrtc\.", r"^kernels\.",
    r"^unit\.Modules/RandomKernels\.", r"^unit\.CudaFailures\.", r"^capi\.asynchronous\.",
    r"^conformance\.large", r"^(bindings\.(new_row|fortran\.leaks_asan|rust\.asynchronous)|abi\.install)$")]
# Take too long for the quick layer; other suites run what they run.
NOT_QUICK = re.compile(r"^(house\.tidy|abi\.|bench\.|gpu\.|capi\.(gdb|valgrind|opened|ending)|bindings\.rust\.(clippy|doc)|docs\.(c|julia|rust|fortran)|"
                       r"unit\.(NpyRead\.EveryByte|DiskCacheTest\.Hundred|RandomKernel\.)|capi\.Devices/Stress)")


def known(build):
    """The tests' names in the order of their numbers, from 1."""
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True).stdout
    return [test["name"] for test in json.loads(text)["tests"]]


def suite_of(name):
    """(suite, members that run per turn are an eighth): the suite that a test is a variant of."""
    for group in GROUPS:
        if group.match(name):
            return group.pattern, True
    if name.startswith("unit."):
        return LEVEL.sub("unit.", name), False
    if name.startswith("capi."):
        return name, False
    return VARIANT.sub("", name), False


def suites(names):
    """{suite: ([tests in the order of their turns], is a group)}."""
    found = {}
    for name in names:
        suite, group = suite_of(name)
        found.setdefault(suite, ([], group))[0].append(name)
    return found


def first_variant(tests):
    """The one that the quick layer runs: the instruction-set level that most machines have."""
    return next((t for t in tests if t.endswith(".v3") or t.startswith("unit.v3.")), tests[0])


def chosen(names, layer, turn):
    """The names that the layer runs, in order."""
    if layer == "whole":
        return names
    take = set()
    for suite, (tests, group) in suites(names).items():
        if layer == "quick":
            if not group and not NOT_QUICK.match(tests[0]):
                take.add(first_variant(tests))
        else:
            period = ROUND if group else min(len(tests), ROUND)
            begin = turn + zlib.crc32(suite.encode())  # so that not all suites come to CUDA at the same turn
            take.update(t for i, t in enumerate(tests) if (i - begin) % period == 0)
    return [name for name in names if name in take]


def commits():
    """How many commits HEAD has: what turns the layer ci."""
    done = subprocess.run(["git", "rev-list", "--count", "HEAD"], capture_output=True, text=True,
                          cwd=pathlib.Path(__file__).parent)
    return int(done.stdout) if done.returncode == 0 else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("layer", choices=("quick", "ci", "whole"))
    parser.add_argument("--turn", type=int, help="the number that turns the sample")
    parser.add_argument("--list", action="store_true", help="print the names")
    options = parser.parse_args()
    turn = commits() if options.turn is None else options.turn
    names = known(options.build)
    run = chosen(names, options.layer, turn)
    if options.list:
        print("\n".join(run))
        return
    numbers = {name: i + 1 for i, name in enumerate(names)}
    (options.build / f"tests-{options.layer}.txt").write_text("0,0,0," + ",".join(str(numbers[n]) for n in run) + "\n")
    print(f"layer {options.layer}, turn {turn}: {len(run)} of {len(names)} tests", file=sys.stderr)


if __name__ == "__main__":
    main()
