#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Iterative least-squares solvers against SciPy's: the solutions, and all that is reported."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import oracle  # first: it finds other families  # isort: skip
import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from iterative_solvers import right
from linops import C, Linop, least_squares

from oracle import arrpy, raises

METHODS = ("lsqr", "lsmr")
FIELDS = {
    "lsqr": ("istop", "iterations", "r1norm", "r2norm", "anorm", "acond", "arnorm", "xnorm"),
    "lsmr": ("istop", "iterations", "r1norm", "arnorm", "anorm", "acond", "xnorm"),
}


def matrix(shape, seed=1):
    r = np.random.default_rng(seed)
    return r.standard_normal(shape) * (r.random(shape) < 0.5)


def problems():
    """name, matrix, right-hand side"""
    tall, wide = matrix((30, 12)), matrix((12, 30))
    yield "tall", tall, right(30, "float64")
    yield "consistent", tall, tall @ right(12, "float64", 2)
    yield "wide", wide, right(12, "float64")
    yield "square", matrix((15, 15)) + 4 * np.eye(15), right(15, "float64")
    low = matrix((30, 3), 5) @ matrix((3, 12), 6)
    yield "rank 3", low, right(30, "float64")


def theirs(name, m, b, **given):
    if name == "lsqr" and "maxiter" in given:
        given["iter_lim"] = given.pop("maxiter")
    return getattr(scipy.sparse.linalg, name)(m, b, **given)


def values(report):
    for name in METHODS:
        for label, m, b in problems():
            for damp in (0.0, 0.3):
                full = f"{name} {label} damp {damp}"
                if not report.wants(full):
                    continue
                a = Linop.of(scipy.sparse.csr_array(m), report.device)
                x, info, _ = least_squares(name, a, report.array(b), damp=damp)
                want = theirs(name, m, b, damp=damp)
                report.check(f"{full} x", np.allclose(x.numpy(), want[0], rtol=1e-6, atol=1e-9))
                # SciPy's numbers differ too where they are 0 but for rounding; some of a singular matrix are noise.
                for field, known in zip(FIELDS[name], want[1:]):
                    got = getattr(info, field)
                    scale = np.linalg.norm(b) * np.linalg.norm(m)
                    good = np.isclose(got, known, rtol=1e-4, atol=1e-9 * scale)
                    if label == "rank 3" and field in ("acond", "anorm", "iterations", "istop"):
                        continue
                    report.check(f"{full} {field}", good, (field, got, known))


def types_of(report):
    for name in METHODS:
        for d in ("float32", "complex64", "complex128"):
            m = matrix((20, 8)).astype(d)
            if d.startswith("complex"):
                m = (m + 1j * matrix((20, 8), 3)).astype(d)
            b = right(20, d)
            x, info, _ = least_squares(name, Linop.of(m, report.device), report.array(b))
            want = np.linalg.lstsq(m, b)[0]
            close = np.allclose(x.numpy(), want, atol=2e-4 if d != "complex128" else 1e-5)
            report.check(f"{name} {d}", x.dtype == d and close and info.istop in (1, 2), (x.numpy(), want))


def options(report):
    m, b = matrix((30, 12)), right(30, "float64")
    a, B = Linop.of(m, report.device), report.array(b)
    want = np.linalg.lstsq(m, b)[0]
    for name in METHODS:
        x0 = right(12, "float64", 7)
        x, info, _ = least_squares(name, a, B, x0=report.array(x0), atol=1e-12, btol=1e-12)
        report.check(f"{name} x0", np.allclose(x.numpy(), want, rtol=1e-8))
        x, info, _ = least_squares(name, a, B, maxiter=2)
        report.check(f"{name} maxiter", info.istop == 7 and info.iterations == 2)
        report.check(f"{name} maxiter x", np.allclose(x.numpy(), theirs(name, m, b, maxiter=2)[0]))
        x, info, _ = least_squares(name, a, B, maxiter=-1)
        report.check(f"{name} no iteration", not x.numpy().any() and info.iterations == 0)
        _, info, _ = least_squares(name, a, B, conlim=1.2)
        report.check(f"{name} conlim", info.istop == 3, info.istop)
        x, info, _ = least_squares(name, a, report.array(np.zeros(30)))
        report.check(f"{name} zero", not x.numpy().any() and info.istop == 0)
        seen = []
        _, info, _ = least_squares(name, a, B, callback=lambda i, r: bool(seen.append(i)))
        report.check(f"{name} callback", sorted(set(seen)) == list(range(1, info.iterations + 1)))
        _, info, _ = least_squares(name, a, B, callback=lambda i, r: i == 3)
        report.check(f"{name} stopped", info.istop == 7 and info.iterations == 3)
        x, info, _ = least_squares(name, a, report.array(b.reshape(30, 1)))
        report.check(f"{name} one column", x.shape == (12,) and np.allclose(x.numpy(), want, atol=1e-5))
    x, _, var = least_squares("lsqr", a, B, var=True, damp=0.2)
    known = scipy.sparse.linalg.lsqr(m, b, calc_var=True, damp=0.2)[9]
    report.check("lsqr var", var.dtype == "float64" and np.allclose(var.numpy(), known, rtol=1e-6))


def refused(report):
    a = Linop.of(matrix((5, 3)), report.device)

    def fails(label, text, call):
        try:
            call()
            report.check(f"refused {label}", False, "nothing was refused")
        except arrpy.Error as e:
            report.check(f"refused {label}", text in str(e), str(e))

    for name in METHODS:
        good = report.array(np.ones(5))
        fails(
            "b",
            "argument b: shape (3,), expected (5) or (5,1)",
            lambda: least_squares(name, a, report.array(np.ones(3))),
        )
        fails("x0", "argument options: x0 has shape (5,)", lambda: least_squares(name, a, good, x0=good))
        fails("atol", "argument options: atol is nan", lambda: least_squares(name, a, good, atol=float("nan")))
        alone = Linop.function((5, 3), "float64", report.device, lambda x: x)
        report.check(f"{name} no adjoint", raises(C.ARR_E_UNSUPPORTED, lambda: least_squares(name, alone, good)))
        bad = Linop.function((5, 3), "float64", report.device, lambda x: C.ARR_E_IO, lambda x: C.ARR_E_IO)
        report.check(f"{name} failing function", raises(C.ARR_E_IO, lambda: least_squares(name, bad, good)))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([values, types_of, options, refused]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
