#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""long_functions.py [--statements N] - a kernel of thousands of instructions and registers from PTX, against Python's integers.

The compiler's time has to grow with the length, not with its square: long functions are compiled with options for that,
which a compiler that writes its arguments down shows.
"""

import argparse
import os
import pathlib
import random
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import ptx_host
from cuda_toolkit import HEADER

THREADS = 64
OPTION = "-fno-tree-pta"  # one of those for long functions
MASK = 0xFFFFFFFF
OPERATIONS = {
    "add.u32": lambda a, b: (a + b) & MASK,
    "sub.u32": lambda a, b: (a - b) & MASK,
    "mul.lo.u32": lambda a, b: a * b & MASK,
    "xor.b32": lambda a, b: a ^ b,
    "min.u32": min,
    "max.u32": max,
    "mul.hi.u32": lambda a, b: a * b >> 32,
}


def program(n, rng):
    """(statements, steps): each writes a register of its own; every hundredth is skipped where its operand is odd."""
    lines, steps = [], []
    for k in range(n):
        name = rng.choice(list(OPERATIONS))
        a, b = (rng.randrange(max(0, k - 400), k + 1) for _ in range(2))
        if k % 100 == 99:
            lines += [f"  mov.u32 %r{k + 1}, 7; and.b32 %t, %r{a}, 1; setp.ne.u32 %p, %t, 0; @%p bra L{k};"]
        lines.append(f"  {name} %r{k + 1}, %r{a}, %r{b};")
        if k % 100 == 99:
            lines.append(f"L{k}:")
            lines += [f"  add.u32 %s, %s, %r{i};" for i in range(k - 98, k + 2)]
        steps.append((OPERATIONS[name], a, b, k % 100 == 99))
    return "\n".join(lines), steps


def result(steps, first):
    values = [first]
    for f, a, b, skipped in steps:
        values.append(7 if skipped and values[a] & 1 else f(values[a], values[b]))
    return sum(values[1:]) & MASK


def compiled(n, log):
    """(arguments of the compiler for a function of 2 n statements, threads that compute something else)."""
    body, steps = program(n, random.Random(3))
    text = (
        HEADER
        + f".visible .entry k(.param .u64 p)\n{{\n  .reg .b32 %r<{n + 1}>, %t, %s; .reg .pred %p; .reg .b64 %d<3>;\n"
        f"  ld.param.u64 %d0, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %d1, %t, 4; add.u64 %d2, %d0, %d1;\n"
        f"  ld.global.u32 %r0, [%d2]; mov.u32 %s, 0;\n{body}\n  st.global.u32 [%d2], %s; ret;\n}}\n"
    )
    log.write_text("")
    module = ptx_host.Module(text, debug=False)
    x = np.random.default_rng(1).integers(0, 2**32, THREADS, dtype="u4")
    got = module.launch("k", (1, 1, 1), (THREADS, 1, 1), x)[0]
    want = np.array([result(steps, int(v)) for v in x], "u4")
    return log.read_text(), int((got != want).sum())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--statements", type=int, default=6000, help="a multiple of 100; there are twice as many")
    n = parser.parse_args().statements
    with tempfile.TemporaryDirectory() as folder:
        log, compiler = pathlib.Path(folder, "log"), pathlib.Path(folder, "g++")
        compiler.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec g++ "$@"\n')
        compiler.chmod(0o755)
        os.environ.update(ARR_HOST_CXX=str(compiler), ARR_CACHE_DIR=folder)  # where nothing is compiled yet
        (short, bad), (long, also) = compiled(100, log), compiled(n, log)
    options = [OPTION in arguments for arguments in (short, long)]
    print(f"functions of 200 and {2 * n} statements: {OPTION} {options}; {bad + also} threads differ")
    return 1 if bad or also or options != [False, True] else 0


if __name__ == "__main__":
    sys.exit(main())
