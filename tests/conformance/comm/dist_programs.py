#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dist_programs.py BUILD: the programs of examples/distributed on one rank and on two processes of Open MPI: in each language
the number of the C program.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

from launch import launch, obstacle

PROJECT = pathlib.Path(__file__).resolve().parents[3]
# Name: arguments, and the relative difference that other orders of sums may make; the number of fft is an error of rounding.
PROGRAMS = {"heat": ("64 20", 1e-14), "cg": ("32 200", 1e-9), "fft": ("16 1", 0.5)}
WITHOUT_CG = ("julia", "fortran")


def commands(build):
    """{language: command}; a language that this build lacks has none."""
    found = {language: [build / "bin" / f"distributed_{language}"] for language in ("c", "cpp", "fortran")}
    rust = subprocess.run(
        [
            "bash",
            "-c",
            f'source "{PROJECT}/bindings/rust/cargo.sh" "{build}" && cargo build --offline --release --bin distributed',
        ],
        cwd=PROJECT / "examples" / "rust",
    )
    if rust.returncode == 0:
        found["rust"] = [build / "rust-target" / "release" / "distributed"]
    julia = subprocess.run(
        ["bash", "-c", f'source "{PROJECT}/bindings/julia/julia.sh" "{build}" && echo "$ARR_JULIA"'],
        stdout=subprocess.PIPE,
        text=True,
    )
    if julia.returncode == 0:
        subprocess.run([PROJECT / "bindings/julia/compile.sh", build], check=True)
        main = PROJECT / "examples" / "distributed" / "julia" / "main.jl"
        found["julia"] = [julia.stdout.strip(), "--startup-file=no", f"--project={PROJECT / 'bindings/julia'}", main]
        os.environ.update(JULIA_DEPOT_PATH=str(build / "julia_depot"), JULIA_LOAD_PATH="@:@stdlib")
    return {language: command for language, command in found.items() if pathlib.Path(command[0]).exists()}


def number(name, ranks, command, code, output):
    """The number that a program printed; nan if it is none of that program on as many ranks."""
    said = re.findall(rf"^{name}: *(\S+) in \S+ s on {ranks}$", output, re.MULTILINE)
    if code != 0 or len(said) != 1:
        print(f"{command}: {code}\n{output}")
        return float("nan")
    return float(said[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="host")
    parser.add_argument("build", type=pathlib.Path)
    build = parser.parse_args().build
    os.environ.setdefault("ARR_LIBRARY", str(build / "lib" / "libarr.so.0"))
    every, failed = commands(build), 0
    why = obstacle("openmpi")
    print("languages:", *every, f"; skipped on two processes: {why}" if why else "")
    for name, (arguments, tolerance) in PROGRAMS.items():
        expected = None
        for language, command in every.items():
            if name == "cg" and language in WITHOUT_CG:
                continue
            whole = [*map(str, command), name, *arguments.split()]
            for ranks in (1,) if why else (1, 2):
                if ranks == 1:
                    one = subprocess.run(
                        whole, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120
                    )
                    got = number(name, 1, whole, one.returncode, one.stdout)
                else:
                    got = number(name, ranks, whole, *launch("openmpi", ranks, whole, 120))
                expected = got if expected is None else expected
                good = abs(got - expected) <= tolerance * expected
                failed += not good
                print(f"{name} {language} on {ranks}: {got} {'good' if good else f'FAILED, expected {expected}'}")
    return 1 if failed else 77 if why else 0


if __name__ == "__main__":
    sys.exit(main())
