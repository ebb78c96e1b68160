#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sweeps workloads over sizes beside each peer; called by run.sh, which describes the output."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

import measure
import peers
import picture
import report

HERE = pathlib.Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=",".join(peers.TITLES), help="names, separated by commas (all)")
    parser.add_argument("--json", help="write the rows")
    parser.add_argument("--from", dest="rows", nargs="+", help="files of rows to read instead of timing")
    parser.add_argument("--again", help="a file of rows: time those below 1 again, and keep the others")
    parser.add_argument("--svg", help="draw a picture per peer: FILE_PEER.svg")
    parser.add_argument("--list-below", help="write the pairs whose ratio is below 1")
    parser.add_argument("--page", help="a page in Markdown whose tables of the curves are written again")
    parser.add_argument("--python", help="for all peers but PyTorch (that of build/peers-venv, else this one)")
    parser.add_argument("--torch-python", default=os.environ.get("TORCH_PYTHON") or sys.executable)
    measure.add_choice(parser)
    options = parser.parse_args()
    if not options.python:
        made = pathlib.Path(options.library).resolve().parent.parent / "peers-venv" / "bin" / "python"
        options.python = str(made) if made.exists() else sys.executable
    return options


def machine():
    """The processor, the cores that may be used, and the day."""
    models = re.findall(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    model = models[0] if models else platform.machine()
    return f"{len(os.sched_getaffinity(0))} cores, {model}, {datetime.date.today()}"


def command(peer, options):
    python = options.torch_python if peer == "torch" else options.python
    script = "programs/programs.py" if peer in peers.LANGUAGES else "measure.py"
    words = [python, "-B", str(HERE / script), peer, "--library", options.library]
    for name in ("workloads", "sizes", "pairs", "rounds", "seconds"):
        value = getattr(options, name)
        words += [f"--{name}", str(value)] if value is not None else []
    return words + (["--smoke"] if options.smoke else [])


def run(peer, options, wrong):
    """The rows of a peer, or None if it is not there; each is shown as it comes. wrong: texts of failures."""
    rows, where = [], machine()
    with subprocess.Popen(command(peer, options), stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            rows.append({**json.loads(line), "machine": where})
            print(report.line(rows[-1]), flush=True)
    if process.returncode == 77:
        print(f"SKIPPED {peer}: it is not there, see above", flush=True)
        return None
    if process.returncode:
        wrong.append(f"{peer}: exit code {process.returncode}")
    wrong += [f"the results differ: {report.line(r)}" for r in rows if not r["checked"]]
    return rows


def pair(row):
    return f"{row['workload']} {row['dtype']}:{row['size']}"


def read(file):
    return json.loads(pathlib.Path(file).read_text())


def again(options, wrong):
    """The rows of a file, with those below 1 timed again."""
    rows = read(options.again)
    for peer in options.peers.split(","):
        behind = [i for i, r in enumerate(rows) if r["peer"] == peer and r["ratio"] < 1]
        options.pairs = ";".join(pair(rows[i]) for i in behind)
        found = {pair(r): r for r in (run(peer, options, wrong) or [])} if behind else {}
        for i in behind:
            rows[i] = found.get(pair(rows[i]), rows[i])
    return rows


def measured(options, wrong):
    rows, skipped = [], 0
    names = options.peers.split(",")
    for peer in names:
        found = run(peer, options, wrong)
        skipped += found is None
        rows += found or []
        save(rows, options)  # what is there, should a later peer end it all
    if skipped == len(names):
        raise SystemExit(77)
    return rows


def save(rows, options):
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


def write(rows, options):
    """Writes the files that the options name."""
    save(rows, options)
    if options.svg:
        for peer in dict.fromkeys(r["peer"] for r in rows):
            drawn = picture.draw([r for r in rows if r["peer"] == peer], peers.TITLES[peer])
            pathlib.Path(f"{options.svg}_{peer}.svg").write_text(drawn)
    if options.page:
        page = pathlib.Path(options.page)
        page.write_text(report.page(page.read_text(), rows))
    if options.list_below:
        pathlib.Path(options.list_below).write_text(report.below(rows))


def main():
    options, wrong = arguments(), []
    if options.rows:
        rows = [row for file in options.rows for row in read(file)]
    else:
        rows = again(options, wrong) if options.again else measured(options, wrong)
    print(report.summary(rows))
    write(rows, options)
    if wrong:
        print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
