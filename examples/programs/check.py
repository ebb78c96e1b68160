#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py BUILD_DIR LANGUAGE - runs the programs in a language on small inputs and compares their results with
those of the same programs in NumPy and SciPy."""

import importlib
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# The shape of each program's input, and of its result.
SHAPES = {
    "kmeans": ((90, 2), (3, 2)),
    "cg": ((12, 14), (12, 14)),
    "navier_stokes": ((32, 32), (32, 32)),
    "monte_carlo": ((5,), (2, 5)),
    "pca": ((40, 6), (2, 2)),
    "heat": ((20, 24), (20, 24)),
    "rk4": ((3, 50), (3,)),
    "blur": ((16, 20, 3), (16, 20, 3)),
    "pagerank": ((2, 200), (60,)),
    "poisson": ((12, 12), (12, 12)),
}


def inputs():
    """{program: array}, the same in every run."""
    draw = np.random.Generator(np.random.PCG64(7))
    made = {name: draw.random(shape) for name, (shape, _) in SHAPES.items()}
    made["kmeans"] += 2 * (np.arange(90) % 3)[:, None]
    made["navier_stokes"] -= 0.5
    made["monte_carlo"] = np.linspace(80, 120, 5)
    made["pagerank"] = np.floor(60 * made["pagerank"])
    made["rk4"] += [[1], [1], [20]]
    return made


def fault(name, path, x):
    """A sentence about a wrong result, or nothing."""
    if not path.exists():
        return "there is no result"
    got, expected = np.load(path), getattr(importlib.import_module(name), name)(x)
    if got.shape != expected.shape or expected.shape != SHAPES[name][1]:
        return f"shape {got.shape}, expected {expected.shape}"
    worst = np.abs(got - expected).max() / np.abs(expected).max()
    return f"differs by {worst:.1e} of the largest element" if not worst < 1e-9 else ""


def main(build, language):
    sys.path.insert(0, str(HERE / "numpy"))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name, x in inputs().items():
            np.save(work / f"{name}.npy", x)
        run = subprocess.run([HERE / "run.sh", build, language, work, *SHAPES], check=False)
        if run.returncode:
            return run.returncode
        for name, x in inputs().items():
            text = fault(name, work / f"{name}_result.npy", x)
            print(f"{name}: {text or 'as in NumPy'}")
            failed += bool(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*sys.argv[1:]))
