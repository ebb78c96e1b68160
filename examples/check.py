#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py IN.npy OUT_DIR LANGUAGE... - compares the heat results of the languages with NumPy.

Reads OUT_DIR/heat_LANGUAGE.npy and the line "residual X" of OUT_DIR/heat_LANGUAGE.log. All languages
must agree in every bit, since the same library ran the same kernel; NumPy must agree to rounding.
"""

import re
import sys

import numpy as np

STEPS = 1000
C = 0.2
TOLERANCE = 1e-11  # relative to the largest temperature; allows for fused multiply-add over 1,000 steps


def numpy_heat(u):
    """The field after STEPS steps and the largest change of the last one."""
    u, v = u.copy(), u.copy()
    for _ in range(STEPS):
        mid = u[1:-1, 1:-1]
        v[1:-1, 1:-1] = mid + C * (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 4.0 * mid)
        u, v = v, u
    return u, np.abs(u - v).max()


def residual_of(log):
    found = re.findall(r"residual\s*=?\s*([-+0-9.eEdD]+)", open(log, encoding="utf-8").read())
    if not found:
        raise SystemExit(f"check: {log}: no line 'residual X'")
    return float(found[-1].replace("D", "E").replace("d", "e"))


def main(source, out_dir, languages):
    expected, expected_residual = numpy_heat(np.ascontiguousarray(np.load(source), dtype=np.float64))
    scale = max(np.abs(expected).max(), np.finfo(np.float64).tiny)
    bad = 0
    first = None
    print(f"{'language':10} {'residual':>22} {'max |x - numpy|':>16}   verdict")
    for language in languages:
        got = np.load(f"{out_dir}/heat_{language}.npy")
        residual = residual_of(f"{out_dir}/heat_{language}.log")
        verdict = []
        if got.shape != expected.shape or got.dtype != np.float64:
            verdict.append(f"got {got.dtype}{got.shape}, expected float64{expected.shape}")
            error = np.nan
        else:
            first = (language, got, residual) if first is None else first
            error = np.abs(got - expected).max()
            if not error <= TOLERANCE * scale:
                verdict.append("differs from NumPy")
            if not np.array_equal(got, first[1]):
                verdict.append(f"field differs from {first[0]}'s")
            if not abs(residual - first[2]) <= 1e-9 * abs(first[2]):  # printed with 10 digits or more
                verdict.append(f"residual differs from {first[0]}'s")
            if not abs(residual - expected_residual) <= 1e-9 * expected_residual + TOLERANCE * scale:
                verdict.append("residual differs from NumPy's")
        bad += bool(verdict)
        print(f"{language:10} {residual:22.15e} {error:16.3e}   {'; '.join(verdict) or 'ok'}")
    print(f"{'numpy':10} {expected_residual:22.15e}")
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
