#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""slowest.py REPORT [--budgets | --enforce] - the ten slowest tests of a run, from the report that `ctest --output-junit`
wrote, and the sum. slowest.py --self-test

--budgets also prints the parts, families and other kinds of tests, that take more than budgets.tsv allows. --enforce, for
CI, exits 1 where one takes more than 1.5 times that. A machine that others use makes all parts slow: seconds are divided by
the median of the parts' ratios to their budgets where that is above 1, so that only a part out of proportion fails.
"""

import pathlib
import statistics
import sys
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
OF_A_NEW_FAMILY = 60
TOO_MUCH = 1.5


def budgets():
    lines = (HERE / "budgets.tsv").read_text(encoding="utf-8").splitlines()
    return {part: float(seconds) for part, seconds in (x.split("\t") for x in lines if not x.startswith("#"))}


def families():
    """{suite: its family}, the folders of tests/conformance."""
    return {path.stem: path.parent.name for path in (HERE / "conformance").glob("*/*.py")}


def part_of(test, suites):
    """The family that a test is of, else its kind, the first word of its name."""
    kind, _, rest = test.partition(".")
    if kind != "conformance" and not test.startswith("ptx.suite."):
        return kind
    words = rest.removeprefix("suite.").removeprefix("short_of_memory.").removeprefix("float_environment.")
    suite = words.split(".")[0]
    folders = set(suites.values())
    names = (suite, f"{suite}_numpy", f"{suite}_device")
    return next((suites[n] for n in names if n in suites), suite if suite in folders else "all families")


def over_budget(cases, allowed, suites):
    """[(part, seconds, budget, True if that is too much)], and the slowness of the machine."""
    spent = {}
    for seconds, test in cases:
        part = part_of(test, suites)
        spent[part] = spent.get(part, 0) + seconds
    limits = dict.fromkeys(set(suites.values()) & set(spent), OF_A_NEW_FAMILY) | allowed
    ratios = {part: spent[part] / limits[part] for part in spent if part in limits}
    slowness = max(1, statistics.median(ratios.values())) if ratios else 1
    over = [(p, spent[p], limits[p], r > TOO_MUCH * slowness) for p, r in sorted(ratios.items()) if r > slowness]
    return over, slowness


def self_test():
    suites = {"sort": "sorting", "npy_numpy": "io", "filters": "images", "dlpack_device": "dlpack"}
    names = {
        "conformance.sort.host.v3": "sorting",
        "conformance.short_of_memory.sort.cuda": "sorting",
        "conformance.npy.cuda": "io",
        "conformance.dlpack.torch": "dlpack",
        "conformance.large.host": "all families",
        "ptx.suite.filters": "images",
        "ptx.instructions.fibers": "ptx",
        "unit.v3.HostSort.Rows": "unit",
    }
    wrong = [name for name, part in names.items() if part_of(name, suites) != part]
    allowed = {"sorting": 100, "io": 10, "unit": 50}
    even = [(90, "conformance.sort.cuda"), (9, "conformance.npy.host"), (40, "unit.a")]
    cases = [
        (even, []),
        ([(2 * seconds, name) for seconds, name in even], []),  # a machine with another user
        (even + [(20, "conformance.npy.host")], [("io", True)]),
        (even + [(3, "conformance.npy.host")], [("io", False)]),
        (even + [(61, "conformance.filters.host")], [("images", False)]),
        (even + [(1000, "musl.build")], []),  # no budget
    ]
    for times, expected in cases:
        found = [(part, much) for part, _, _, much in over_budget(times, allowed, suites)[0]]
        wrong += [] if found == expected else [f"{times}: {found}"]
    for line in wrong:
        print(line)
    print(f"{len(names) + len(cases)} cases, {len(wrong)} judged wrongly")
    return 1 if wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    try:
        tests = xml.parse(arguments[0]).getroot().iter("testcase")
        cases = [(float(c.get("time", 0)), c.get("name")) for c in tests if c.get("status") != "notrun"]
    except (OSError, xml.ParseError) as e:
        print(f"no times of tests: {e}")
        return 0
    print(f"{len(cases)} tests took {sum(t for t, _ in cases):.0f} s one after the other; the slowest:")
    for seconds, name in sorted(cases, reverse=True)[:10]:
        print(f"{seconds:8.1f} s  {name}")
    if len(arguments) == 1:
        return 0
    over, slowness = over_budget(cases, budgets(), families())
    for part, seconds, budget, much in over:
        print(f"{'FAILED' if much else 'over budget'}: {part}: {seconds:.0f} s, tests/budgets.tsv allows {budget:.0f}")
    if over and slowness > 1:
        print(f"the machine was taken for {slowness:.1f} times slower than the one of the budgets")
    return 1 if "--enforce" in arguments and any(much for *_, much in over) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
