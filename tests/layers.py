#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""layers.py BUILD LAYER --turn N [--list] [-- CTEST ARGUMENTS] - chooses the tests of a layer from those that CTest knows in
BUILD, of which the arguments, the same that the run has, may leave some out: `ctest -I` counts those that are left.

LAYER fixed: each suite in its first variant and, if it has one, in its first variant on CUDA (a variant is told by the
end of a suite's name: device, instruction-set level, asynchronous streams ...); always the same tests, without those
of NOT_FIXED. LAYER quick: each suite once, in its first variant, and one in eight of the instances of a parameterised GoogleTest. LAYER turn: each suite
once, in the variant whose turn it is. LAYER whole: everything.

What the layer turn leaves out turns with N, for which .ci/run takes the number of commits: N + 1 takes the next variant of
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
VARIANT = re.compile(
    r"(\.host|\.cuda)?(\.(v[234]|asynchronous|checked|deferred|fftw|absent|wheel|reference|fibers|pass|\d+))*$"
)
CUDA = re.compile(r"\.cuda(\.|$)")
LEVEL = re.compile(r"^unit\.v[23]\.")
# Groups of tests that ask the same of many suites, or take long and differ little; and the number of turns for each.
GROUPS = [
    (re.compile(p), turns)
    for p, turns in (
        (r"^conformance\.(short_of_memory|float_environment|large|mpi_large)", 8),
        (r"^conformance\.large_indices", 8),
        (r"^nvrtc\.", 8),
        (r"^house\.tidy\.", 8),
        (r"^house\.unity\.", 8),
        (r"^house\.clang\.", 8),
        (r"^kernels\.", 4),
        (r"^ptx\.suite\.", 8),
        (r"^unit\.(Modules/RandomKernels|CudaFailures)\.", 8),
        (r"^unit\.host_kernels_", 4),
        (r"^capi\.asynchronous\.", 4),
        (r"^bindings\.julia\.groups\.", 4),
        (r"^bindings\.julia\.(?!layout|absent|broadcast)", 2),
        (
            r"^(bindings\.(new_row|new_family|fortran\.(leaks_asan|fpm|flang)|rust\.(asynchronous|package)|wheel|recipe_\w+)|abi\.(install|packages)|arm64\.emulated)$",
            8,
        ),
        (r"^musl\.", 32),  # compiles the library anew
    )
]
# Suites that take too long for the quick layer, and whose work others do too.
NOT_QUICK = re.compile(
    r"^(abi\.|arm64\.|musl\.|bench\.|gpu\.|ptx\.(heat|random|nvrtc|device_functions)|capi\.(gdb|valgrind|opened|ending|Fork\.WhileOthers)|bindings\.(layout|julia\.groups\.|new_(row|family)_generated|wheel|fortran\.fpm)|"
    r"bindings\.rust\.(clippy|doc)|docs\.(c|julia|rust|fortran|browser)|examples\.julia\.(heat|share|programs)|"
    r"conformance\.(cuda_calls|fft_callbacks|library_failures|mpi_large|dlpack\.torch)|"
    r"unit\.(NpyRead\.EveryByte|DiskCacheTest\.(Hundred|Killed)|RandomKernel\.|host_time_limit_by_pass|"
    r"CudaTest\.Quantiles\w+And|(v\d\.)?Host\w+\.(Large|StacksOf))|capi\.Devices/Stress)"
)
# Left by the fixed layer to the turns of .ci/run: about a minute each, of compilers and a browser.
NOT_FIXED = re.compile(
    r"^(nvrtc\.|house\.(tidy|unity)\.|docs\.browser$|ptx\.nvrtc\.fibers$|conformance\.(cuda_calls|fft_callbacks|library_failures)\.)"
)
# An instance of a parameterised test: the quick layer runs one in INSTANCES_ONE_IN of those of each test, in turn.
INSTANCE = re.compile(r"^((?:unit|capi)\.(?:v\d\.)?\w+/\w+\.\w+)/")
INSTANCES_ONE_IN = 8


def known(build, filters):
    """The names of the tests in the order in which `ctest -I` counts them, from 1."""
    command = ["ctest", "--test-dir", build, "--show-only=json-v1", *filters]
    text = subprocess.run(command, check=True, capture_output=True).stdout
    return [test["name"] for test in json.loads(text)["tests"]]


def suite_of(name):
    """(suite, turns of a group or 0): the suite that a test is a variant of, or the group that it belongs to."""
    for group, turns in GROUPS:
        if group.match(name):
            return group.pattern, turns
    if name.startswith("unit."):
        return LEVEL.sub("unit.", name), 0
    if name.startswith("capi."):
        return name, 0
    return VARIANT.sub("", name), 0


def suites(names):
    """{suite: ([tests in the order of their turns], turns of a group or 0)}."""
    found = {}
    for name in names:
        suite, turns = suite_of(name)
        found.setdefault(suite, ([], turns))[0].append(name)
    return found


def first_variant(tests):
    """The one that the quick layer runs: the instruction-set level that most machines have."""
    return next((t for t in tests if t.endswith(".v3") or t.startswith("unit.v3.")), tests[0])


def instances_in_turn(names, turn):
    """The names without the instances of parameterised tests whose turn it is not; at least one of each test stays."""
    instances = {}
    for name in names:
        if m := INSTANCE.match(name):
            instances.setdefault(m.group(1), []).append(name)
    left_out = set()
    for test, all_of_it in instances.items():
        period, begin = min(INSTANCES_ONE_IN, len(all_of_it)), turn + zlib.crc32(test.encode())
        left_out.update(name for i, name in enumerate(all_of_it) if (i - begin) % period)
    return [name for name in names if name not in left_out]


def chosen(names, layer, turn):
    """The names that the layer runs, in order."""
    if layer == "whole":
        return names
    take = set()
    turn = 0 if layer == "fixed" else turn
    ran = instances_in_turn(names, turn) if layer == "quick" else names
    for suite, (tests, turns) in suites(ran).items():
        if layer == "quick":
            if not turns and not NOT_QUICK.match(tests[0]):
                take.add(first_variant(tests))
        elif layer == "fixed" and NOT_FIXED.match(tests[0]):
            continue
        elif layer == "fixed" and not turns:
            take.add(first_variant(tests))
            take.update([t for t in tests if CUDA.search(t)][:1])
        else:
            period = turns or min(len(tests), ROUND)
            begin = turn + zlib.crc32(suite.encode())  # so that not all suites come to CUDA at the same turn
            take.update(t for i, t in enumerate(tests) if (i - begin) % period == 0)
    return [name for name in names if name in take]


def numbers(names, run):
    """The tests to run in the form that `ctest -I` reads."""
    of = {name: i + 1 for i, name in enumerate(names)}
    return "0,0,0," + ",".join(str(of[n]) for n in run) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("layer", choices=("fixed", "quick", "turn", "whole"))
    parser.add_argument("--turn", type=int, default=0, help="the number that turns the sample")
    parser.add_argument("--list", action="store_true", help="print the names")
    arguments = [*sys.argv[1:], "--"]
    own = arguments.index("--")
    options = parser.parse_args(arguments[:own])
    names = known(options.build, arguments[own + 1 : -1])
    run = chosen(names, options.layer, options.turn)
    if options.list:
        print("\n".join(run))
        return
    (options.build / f"tests-{options.layer}.txt").write_text(numbers(names, run))
    print(
        f"layer {options.layer}{', turn ' + str(options.turn) if options.turn else ''}: {len(run)} of {len(names)} tests",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
