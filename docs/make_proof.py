#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_proof.py [--check] [--from TESTS.xml ...] - writes docs/gpu/proof.md: the proof that there is of the CUDA backend.

Input: docs/gpu/proof.json, the latest result of each test that concerns CUDA, and the table of suites that run from PTX.
--from takes the results out of CTest's reports (tests/run.sh writes build/tests.xml) into proof.json. --check compares
the page and writes nothing.
"""

import json
import re
import sys
import xml.etree.ElementTree

import headers

sys.path.insert(0, str(headers.ROOT / "tests" / "kernels" / "ptx"))
import suite as ptx_suites  # noqa: E402

FOLDER = headers.ROOT / "docs" / "gpu"
RESULTS, PAGE = FOLDER / "proof.json", FOLDER / "proof.md"
# Tests whose results the page shows.
SHOWN = re.compile(
    r"^(conformance\.(?!short_of|float_env|cuda_array_interface\.host).*\.cuda\b|nvrtc\.|ptx\.|kernels\.)"
)


def results_of(report):
    """{test: [result, its last line]} of a report in JUnit's form."""
    found = {}
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        if not SHOWN.match(name) or status not in ("run", "fail"):
            continue
        lines = [line for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
        said = re.sub(r", (?:seed|ARR_TEST_SEED=).*", "", lines[-1].strip()) if lines else ""
        found[name] = ["passed" if status == "run" else "failed", said[:100]]
    return found


def table():
    """[(folder, suite, reason)]; the folder of suites of all families is empty."""
    return [(*suite.rpartition("/")[::2], reason) for suite, (reason, _) in ptx_suites.table().items()]


def cases(said):
    found = re.match(r"(\d+) cases", said)
    return int(found.group(1)) if found else 0


def proven(suites, results):
    """suites: the tests of each. "12 of 14 suites, 3,456 cases": those that have passed, with their cases."""
    there = [[results[n] for n in tests if n in results] for tests in suites]
    passed = [tests for tests in there if tests and all(state == "passed" for state, _ in tests)]
    return f"{len(passed)} of {len(suites)} suites, {sum(cases(said) for tests in passed for _, said in tests):,} cases"


def parts(suite, results):
    """The tests of a suite over the fake: its variants and parts. Some are named after the half of the script's name."""
    short = suite.removesuffix("_numpy").removesuffix("_device")
    return [n for n in results if re.fullmatch(rf"conformance\.({suite}|{short})\.cuda(\.\w+)?", n)]


def families(rows, results):
    yield "| family | contents | executed as source | compiled by NVRTC and executed as PTX | run on a GPU |"
    yield "|---|---|---|---|---|"
    for family, about in headers.families().items():
        suites = [s for folder, s, _ in rows if folder == family]
        if not suites:
            continue
        source, ptx = [parts(s, results) for s in suites], [[f"ptx.suite.{s}"] for s in suites]
        yield f"| {family} | {about} | {proven(source, results)} | {proven(ptx, results)} | none |"


def page(results):
    rows = table()
    yield "# Proof of the CUDA backend"
    yield ""
    yield "<!-- Written by docs/make_proof.py from docs/gpu/proof.json; do not edit. -->"
    yield ""
    yield "No machine of this project has a GPU. Four means prove the CUDA backend without one or with one:"
    yield ""
    yield "- *compiled*: the toolkit's NVRTC compiles its texts to PTX, and `ptxas` some of them to machine code;"
    yield "- *executed as source*: the fake CUDA of the tests compiles the texts by the host's compiler and runs them;"
    yield "- *executed as PTX*: NVRTC compiles them, and their [PTX runs on the host](../guides/ptx.md);"
    yield "- *run on a GPU*: `tests/gpu/run.sh` on a machine with one. It has not run yet."
    yield ""
    yield "The numbers are those of the latest result of each test. A suite runs a sample of its cases, which turns."
    yield ""
    yield from families(rows, results)
    yield ""
    yield "## Tests without a family"
    yield ""
    yield "| test | result |"
    yield "|---|---|"
    for name in sorted(n for n in results if re.match(r"(nvrtc|kernels|ptx)\.(?!suite\.)", n)):
        state, said = results[name]
        shown = said if re.match(r"[A-Za-z0-9 ,.()-]+$", said) else ""
        yield f"| `{name}` | {state}{': ' + shown if shown else ''} |"
    yield ""
    yield "## Suites that do not run from PTX"
    yield ""
    yield "| suite | reason |"
    yield "|---|---|"
    for folder, suite, reason in rows:
        if reason:
            yield f"| `{folder + '/' if folder else ''}{suite}` | {reason} |"
    missing = [s for _, s, reason in rows if not reason and f"ptx.suite.{s}" not in results]
    failed = [s for _, s, _ in rows if results.get(f"ptx.suite.{s}", ["passed"])[0] == "failed"]
    for names, sentence in ((missing, "No result yet"), (failed, "Failed")):
        if names:
            yield ""
            yield f"{sentence}: {', '.join(f'`{n}`' for n in names)}."


def main(arguments):
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    if "--from" in arguments:
        for report in arguments[arguments.index("--from") + 1 :]:
            results |= results_of(report)
        lines = ",\n".join(f"  {json.dumps(n)}: {json.dumps(results[n])}" for n in sorted(results))
        RESULTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    text = "\n".join(page(results)) + "\n"
    if "--check" in arguments:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            print("docs/gpu/proof.md is stale: run docs/make_proof.py")
            return 1
        return 0
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
