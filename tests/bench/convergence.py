#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/pictures/convergence.svg: residuals of iterative solvers over iterations, with and without preconditioners.

tests/bench/convergence.py            ARR_LIBRARY names the library
tests/bench/convergence.py --check    compares the residuals with those of the picture, up to a factor: rounding differs
                                      between processors, and grows with the iterations"""

import ctypes
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "conformance"), str(ROOT / "tests" / "support")]
import oracle  # first: it finds the families  # isort: skip
import numpy as np
import scipy.sparse
from linops import Linop, solve, sparse

from oracle import arrpy

COLORS = {"none": "#b5523b", "Jacobi": "#3b6fb5", "IC0": "#2a7f62", "ILU0": "#2a7f62"}
SYMMETRIC, GENERAL = ("cg", "minres"), ("bicgstab", "gmres")
MOST = 400  # iterations
FACTOR, PART = 30, 0.08  # of the least residuals so far, and of the number of iterations: bicgstab alone is chaotic
PICTURE = ROOT / "docs" / "pictures" / "convergence.svg"
LEFT, TOP, WIDTH, HEIGHT, GAP, DECADES = 52, 84, 330, 190, 58, 11


def problem(n, wind):
    """The five-point Laplacian of n x n points with a diffusion that differs by rows of points; and a wind."""
    diffusion = np.repeat(10.0 ** np.random.default_rng(1).uniform(-1, 1, n), n)
    t = scipy.sparse.diags_array(
        [-(1 + wind) * np.ones(n - 1), 2 * np.ones(n), -(1 - wind) * np.ones(n - 1)], offsets=(-1, 0, 1)
    )
    eye = scipy.sparse.eye_array(n)
    scale = scipy.sparse.diags_array(np.sqrt(diffusion))
    return scipy.sparse.csr_array(scale @ (scipy.sparse.kron(t, eye) + scipy.sparse.kron(eye, t)) @ scale)


def factor(kind, matrix):
    out = arrpy.c.arr_sparse_factor()
    arrpy.call(f"arr_sparse_{kind}", matrix.handle, None, ctypes.byref(out))
    return Linop.made("from_factor", Handle(out))


class Handle:
    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        arrpy.lib.arr_sparse_factor_release(self.handle)


def residuals(name, m, by):
    """The residual after each iteration, relative to the right-hand side, as the progress callback tells it."""
    matrix = sparse(m, "host")
    made = {
        "none": lambda: None,
        "Jacobi": lambda: Linop.made("jacobi", matrix, None),
        "IC0": lambda: factor("ic0", matrix),
        "ILU0": lambda: factor("ilu0", matrix),
    }[by]()
    seen, b = [1.0], np.ones(m.shape[0])

    def callback(_, residual):
        seen.append(residual / np.linalg.norm(b))
        return False

    operator, right = Linop.made("from_sparse", matrix), arrpy.array(b)
    solve(name, operator, right, m=made, callback=callback, rtol=1e-10, maxiter=MOST, check_every=1)
    return seen[: MOST + 1]


def panel(name, curves, left, top):
    longest = max(len(c) for c in curves.values()) - 1
    x = lambda i: left + i / longest * WIDTH  # noqa: E731
    y = lambda r: top + min(max(-math.log10(max(r, 1e-300)) + 1, 0), DECADES + 1) / (DECADES + 1) * HEIGHT  # noqa: E731
    out = [f'<text x="{left}" y="{top - 8}" font-weight="bold">{name}</text>']
    for power in range(0, DECADES + 1, 2):
        at = y(10.0**-power)
        out.append(f'<line x1="{left}" y1="{at:.1f}" x2="{left + WIDTH}" y2="{at:.1f}" stroke="#eee"/>')
        out.append(f'<text x="{left - 5}" y="{at + 4:.1f}" text-anchor="end" fill="#666">{10.0**-power:g}</text>')
    step = next(s for s in (10, 20, 50, 100, 200) if longest / s < 7)
    for i in range(0, longest + 1, step):
        out.append(f'<text x="{x(i):.1f}" y="{top + HEIGHT + 15}" text-anchor="middle" fill="#666">{i}</text>')
    out.append(f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#ccc"/>')
    for by, curve in curves.items():
        points = " ".join(f"{x(i):.1f},{y(r):.1f}" for i, r in enumerate(curve))
        out.append(f'<polyline points="{points}" fill="none" stroke="{COLORS[by]}" stroke-width="1.6"/>')
        out.append(
            f'<text x="{min(x(len(curve) - 1) + 4, left + WIDTH - 40):.1f}" y="{y(curve[-1]) - (30 if by == "none" else 4):.1f}" '
            f'fill="{COLORS[by]}">{by}</text>'
        )
    return out


def drawn():
    n = 40
    width, height = 2 * (LEFT + WIDTH) + 60, TOP + 2 * (HEIGHT + GAP)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        '<text x="10" y="20" font-size="15" font-weight="bold">Relative residual over iterations</text>',
        f'<text x="10" y="40" fill="#666">Five-point diffusion on {n} x {n} points, coefficients from 0.1 to 10; below '
        "with a wind. As the progress callback tells it.</text>",
    ]
    for row, (names, wind, last) in enumerate(((SYMMETRIC, 0.0, "IC0"), (GENERAL, 0.3, "ILU0"))):
        m = problem(n, wind)
        for column, name in enumerate(names):
            curves = {by: residuals(name, m, by) for by in ("none", "Jacobi", last)}
            out += panel(name, curves, LEFT + column * (WIDTH + LEFT + 10), TOP + row * (HEIGHT + GAP))
            print(name, {by: len(c) - 1 for by, c in curves.items()})
    return "\n".join(out + ["</svg>"]) + "\n"


def reached(picture):
    """The curves of a picture: for each iteration the height of the least residual so far."""
    curves = re.findall(r'<polyline points="([^"]*)"', picture)
    return [np.maximum.accumulate([float(point.split(",")[1]) for point in curve.split()]) for curve in curves]


def faults(old, new):
    """The curves that differ by more than another processor explains."""
    curves = list(zip(reached(old), reached(new), strict=True))
    most = math.log10(FACTOR) / (DECADES + 1) * HEIGHT
    for k, (x, y) in enumerate(curves):
        if abs(len(x) - len(y)) > PART * len(x) + 1:
            yield f"curve {k}: {len(y) - 1} iterations, in the picture {len(x) - 1}"
        elif max(abs(u - v) for u, v in zip(x, y)) > most:
            yield f"curve {k}: residuals are not those of the picture up to a factor of {FACTOR}"
    rest = [set(re.sub(r"<polyline.*|[-\d.,]+", "", picture).splitlines()) for picture in (old, new)]
    if rest[0] != rest[1]:
        yield "its texts and lines differ"


def main():
    picture = drawn()
    if "--check" not in sys.argv:
        PICTURE.write_text(picture)
        return 0
    found = list(faults(PICTURE.read_text(), picture))
    for fault in found:
        print(f"{PICTURE.name}: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
