#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpi_programs.py --mpi NAME BUILD: C programs under mpiexec: that of docs/guides/mpi.md, and one that initialises MPI itself."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from launch import MPIS, launch, skip_unless_usable

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[2]


def compiled(build, folder, source):
    program = folder / source.stem
    command = [shutil.which("cc") or "gcc", "-std=c99", "-O1", f"-I{PROJECT / 'capi' / 'include'}", source]
    command += [f"-L{build / 'lib'}", f"-Wl,-rpath,{build / 'lib'}", "-larr", "-ldl", "-o", program]
    subprocess.run(list(map(str, command)), check=True)
    return program


def guide_program(folder):
    text = (PROJECT / "docs" / "guides" / "mpi.md").read_text()
    source = folder / "guide.c"
    source.write_text(re.search(r"```c\n(.*?)```", text, re.DOTALL).group(1))
    return source


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="host")
    parser.add_argument("--mpi", choices=MPIS, required=True)
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    build, mpi = options.build, options.mpi
    skip_unless_usable(mpi)
    library = MPIS[mpi][2]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        own, guide = compiled(build, folder, HERE / "own_mpi.c"), compiled(build, folder, guide_program(folder))
        for ranks in (2, 3):
            # The program's own library comes before that of ARR_MPI.
            code, output = launch(mpi, ranks, [own, library], ARR_MPI="/none.so")
            good = code == 0 and output.count("good") == ranks
            print(f"own_mpi {ranks}: {'good' if good else f'FAILED {code}'}\n{'' if good else output}")
            code, output = launch(mpi, ranks, [guide])
            told = f"{ranks} ranks, sum {ranks * (ranks + 1) // 2 * 1000}"
            done = code == 0 and output.count(told) == 1
            print(f"guide {ranks}: {'good' if done else f'FAILED {code}'}\n{'' if done else output}")
            failed += (not good) + (not done)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
