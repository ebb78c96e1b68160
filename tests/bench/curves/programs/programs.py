# SPDX-License-Identifier: MIT
"""Times programs of examples/programs in Julia or Fortran beside plain loops of that language; run by curves.py.

Prints a row in JSON per program and size. Exit code 77: the language is not there, for the reason that it prints.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import measure  # noqa: E402

ROOT = HERE.parents[3]
SIZES = 32, 128, 512
PROGRAMS = "heat", "rk4", "cg", "kmeans"


def julia(build, words):
    find = f"source {shlex.quote(str(ROOT / 'bindings/julia/julia.sh'))} {shlex.quote(str(build))}"
    run = '"$ARR_JULIA" -O3 --startup-file=no --project="$0" "$@"'
    return ["bash", "-c", f"{find}; {run}", str(ROOT / "bindings/julia"), str(HERE / "time.jl"), *words]


def fortran(build, words):
    program = build / "bin" / "arr_curves_fortran"
    if not program.exists():
        print("skipped: no gfortran when the benchmarks were built", file=sys.stderr)
        sys.exit(77)
    return [str(program), *words]


def version(peer):
    command = {"julia": "julia --version", "fortran": "gfortran --version"}[peer].split()
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"\d+\.\d+\.\d+", text)
    return found[0] if found else ""


def row(peer, known, line):
    name, size, difference, *times = line.split()
    ours, theirs = [float(t) for t in times[::2]], [float(t) for t in times[1::2]]
    return measure.row_of(
        {
            "workload": name,
            "dtype": "float64",
            "group": "programs",
            "size": int(size),
            "elements": int(size) ** 2,
            "square": True,
            "peer": peer,
            "peer_version": known,
            "checked": float(difference) < 1e-9,
        },
        ours,
        theirs,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=("julia", "fortran"))
    measure.add_choice(parser)
    options = parser.parse_args()
    build = pathlib.Path(options.library).resolve().parent.parent
    words = ["2" if options.smoke else str(options.rounds)]
    for name in PROGRAMS:
        sizes = SIZES[:1] if options.smoke else SIZES
        words += [f"{name}:{n}" for n in sizes if measure.wanted(options, f"{name} float64", n)]
    make = {"julia": julia, "fortran": fortran}[options.peer]
    environment = {**os.environ, "ARR_LIBRARY": str(build / "lib" / "libarr.so.0")}
    known = version(options.peer)
    with subprocess.Popen(make(build, words), stdout=subprocess.PIPE, text=True, env=environment) as process:
        for line in process.stdout:
            if len(line.split()) < 5:  # julia.sh's reason of a skip
                print(line.strip(), file=sys.stderr)
                continue
            print(json.dumps(row(options.peer, known, line)), flush=True)
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
