#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fuzz.py [FUZZER ...] [--seconds N] [--from K] [--jobs N] [--case K] - random calls, compared with NumPy where it has an answer.

Without a name every fuzzer of fuzzers.py gets an equal part of the time, after the cases of corpus.txt, which once found
a fault. A case has a number, from which everything in it follows: fuzz.py index --case 1234 repeats one. Each
fuzzer runs in a process of its own, so a crash, or a case that does not end, is a fault with a number as well.

    tests/fuzz/fuzz.py --seconds 3600 --from 5000000 --jobs 2     ARR_LIBRARY names the library
    tests/fuzz/fuzz.py api --only arr_insert --seconds 60         only cases whose label has this text

--table prints the rows for docs/security.md. The last line counts cases, wrong answers, crashes; any is an exit code of 1.
"""

import argparse
import datetime
import json
import mmap
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE / "corpus.txt"
HANG_SECONDS = 300  # of one case, also on a loaded machine and under a sanitizer
PROGRESS = struct.Struct("=qq")  # number of the current case, cases done


def corpus(name):
    """The numbers of the cases of a fuzzer that once found a fault."""
    rows = (line.split("#")[0].split() for line in CORPUS.read_text().splitlines())
    return [int(row[1]) for row in rows if row and row[0] == name]


# ---------------------------------------------------------------------------------------- in a process of its own


def run_cases(name, numbers, seconds, only, progress):
    """Runs the cases; writes one JSON line per fault."""
    import fuzzers

    fuzzer, end, done = fuzzers.FUZZERS[name](), time.monotonic() + seconds, 0
    for number in numbers:
        if done and time.monotonic() >= end:
            break
        PROGRESS.pack_into(progress, 0, number, done)
        if fuzzer.wants(number, only):
            for fault in fuzzer.case(number):
                print(json.dumps({"number": number, "fault": fault}), flush=True)
        done += 1
        PROGRESS.pack_into(progress, 0, number, done)


def numbers_from(first, extra):
    yield from extra
    while True:
        yield first
        first += 1


def child(options):
    with open(options.progress, "r+b") as f:
        progress = mmap.mmap(f.fileno(), PROGRESS.size)
    if options.case is not None:
        numbers = options.case
    else:
        numbers = numbers_from(options.start, corpus(options.fuzzer[0]) if options.first_process else [])
    run_cases(options.fuzzer[0], numbers, options.seconds, options.only, progress)


# ------------------------------------------------------------------------------------------------- the driver


class Run:
    """One fuzzer, in processes one after the other: a new one goes on behind a case that ended the last one."""

    def __init__(self, name, environment, options):
        self.name, self.options = name, options
        self.environment = {**os.environ, **environment, "PYTHONHASHSEED": "0"}
        self.cases, self.wrong, self.crashes = 0, [], []

    def go(self, seconds):
        end, start, first = time.monotonic() + seconds, self.options.start, True
        while first or time.monotonic() < end:
            last, done = self.process(max(end - time.monotonic(), 1), start, first)
            self.cases += done
            if last is None or self.options.case is not None:
                break
            start, first = max(start, last + 1), False

    def process(self, seconds, start, first):
        """(the case that ended the process before its time or None, cases done)."""
        with tempfile.NamedTemporaryFile() as progress, tempfile.TemporaryFile("w+") as output:
            progress.write(bytes(PROGRESS.size))
            progress.flush()
            command = [sys.executable, "-B", __file__, self.name, "--progress", progress.name]
            command += ["--seconds", str(seconds), "--from", str(start), *(["--first-process"] if first else [])]
            command += ["--only", self.options.only] if self.options.only else []
            if self.options.case is not None:
                command += ["--case", *map(str, self.options.case)]
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=self.environment)
            how = self.wait(process, progress.name)
            number, done = self.state(progress.name)
            output.seek(0)
            text = output.read()
        self.faults(text)
        if how is None:
            return None, done
        lines = [line for line in text.splitlines() if not line.startswith("{")]
        shown = lines if len(lines) <= 40 else [*lines[:30], "...", *lines[-10:]]  # a sanitizer's first lines say what
        self.crashes.append("\n".join([f"{self.name} {number}: {how}", *shown]))
        return number, done

    @staticmethod
    def state(path):
        with open(path, "rb") as f:
            return PROGRESS.unpack(f.read(PROGRESS.size))

    def wait(self, process, path):
        """None if the process ended by itself, else a text that says how it ended."""
        seen, since = None, time.monotonic()
        while True:
            try:
                code = process.wait(timeout=1)
                return None if code == 0 else f"ended by signal {-code}" if code < 0 else f"exit code {code}"
            except subprocess.TimeoutExpired:
                now = self.state(path)
                if now != seen:
                    seen, since = now, time.monotonic()
                elif time.monotonic() - since > HANG_SECONDS:
                    process.kill()
                    process.wait()
                    return f"no end in {HANG_SECONDS} s"

    def faults(self, text):
        for line in text.splitlines():
            if line.startswith("{"):
                found = json.loads(line)
                self.wrong.append(f"{self.name} {found['number']}: {found['fault']}")

    def table_row(self, seconds):
        return f"| {self.name} | {self.cases:,} | {seconds:.0f} s | {len(self.wrong)} | {len(self.crashes)} |"


def all_runs(options, names):
    """The runs of these fuzzers, of which `jobs` go at a time, each for its part of the time."""
    import threading

    import fuzzers

    runs = [Run(name, fuzzers.FUZZERS[name].environment, options) for name in names]
    part = options.seconds * options.jobs / len(runs) if len(runs) > options.jobs else options.seconds
    waiting = list(runs)

    def worker():
        while waiting:
            waiting.pop(0).go(part)

    threads = [threading.Thread(target=worker) for _ in range(min(options.jobs, len(runs)))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return runs, part


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fuzzer", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--from", dest="start", type=int, help="number of the first case")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--case", type=int, nargs="+", help="only these cases")
    parser.add_argument("--only", help="only cases whose label has this text")
    parser.add_argument("--table", action="store_true", help="print a table for docs/security.md")
    parser.add_argument("--progress", help=argparse.SUPPRESS)
    parser.add_argument("--first-process", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.start is None:  # another part at each turn of the tests
        options.start = 100_000 * int(os.environ.get("ARR_TEST_SEED", "0"))
    if options.progress:
        return child(options)
    import fuzzers

    names = options.fuzzer or list(fuzzers.FUZZERS)
    unknown = [n for n in names if n not in fuzzers.FUZZERS]
    if unknown:
        parser.error(f"no fuzzer {unknown[0]}; there are {', '.join(fuzzers.FUZZERS)}")
    runs, seconds = all_runs(options, names)
    for run in runs:
        for text in run.wrong[:20] + run.crashes:
            print("FAULT", text)
    if options.table:
        print(f"{datetime.date.today()}, cases from {options.start}:\n")
        print("| fuzzer | cases | time | wrong | crashes |\n|---|---:|---:|---:|---:|")
        print("\n".join(run.table_row(seconds) for run in runs))
    for run in runs:
        print(f"{run.name}: {run.cases} cases, {len(run.wrong)} wrong, {len(run.crashes)} crashes")
    wrong, crashes = (sum(len(getattr(r, what)) for r in runs) for what in ("wrong", "crashes"))
    empty = [r.name for r in runs if r.cases == 0]
    print(f"{sum(r.cases for r in runs)} cases, {wrong} wrong, {crashes} crashes, from {options.start}")
    return 1 if wrong or crashes or empty else 0


if __name__ == "__main__":
    sys.exit(main())
