#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""slowest.py REPORT - the ten slowest tests of a run, from the report that `ctest --output-junit` wrote, and the sum."""

import sys
import xml.etree.ElementTree as xml


def main(path):
    try:
        cases = [(float(c.get("time", 0)), c.get("name")) for c in xml.parse(path).getroot().iter("testcase")]
    except (OSError, xml.ParseError) as e:
        print(f"no times of tests: {e}")
        return
    print(f"{len(cases)} tests took {sum(t for t, _ in cases):.0f} s one after the other; the slowest:")
    for seconds, name in sorted(cases, reverse=True)[:10]:
        print(f"{seconds:8.1f} s  {name}")


if __name__ == "__main__":
    main(sys.argv[1])
