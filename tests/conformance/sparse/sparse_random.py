#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random sparse matrices, and sparse matrices as text."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "random"))
import numpy as np
import scipy.sparse
from draws import Generator
from sparse import types
from sparse_matrix import FORMATS, Sparse, cases

import oracle
from oracle import arrpy, raises

C = arrpy.c
SHAPES = ((20, 30), (1, 1), (1, 400), (400, 1), (0, 5), (5, 0), (0, 0))


def random(report, seed, shape, density, form="csr", d="float64"):
    generator = seed if isinstance(seed, Generator) else Generator(seed)
    where = ctypes.byref(arrpy.device_of(report.device))
    return Sparse.made(
        "arr_sparse_random", generator.handle, *shape, density, FORMATS[form], arrpy.number(d), where, None
    )


def matrices(report):
    for d in types(report):
        for form in FORMATS:
            for shape in SHAPES:
                for density in (0, 0.1, 1 / 3, 1):
                    label = f"random {d} {form} {shape} {density}"
                    a = random(report, 1, shape, density, form, d)
                    p = a.parts()
                    good = p.format == form and p.shape == shape and len(p.data) == round(density * shape[0] * shape[1])
                    good = good and p.data.dtype == oracle.dtype(d)
                    report.check(label, good and p.ordered() and a.canonical())
                    again = random(report, 1, shape, density, form, d).parts()
                    same = all(x.tobytes() == y.tobytes() for x, y in zip(p.arrays(), again.arrays()))
                    report.check(f"{label} again", same)


def elements(report):
    """The distribution of values and of indices."""
    for d in ("float32", "float64", "complex64", "complex128"):
        x = random(report, 2, (300, 300), 0.2, "coo", d).parts().data
        for part in (x.real, x.imag) if d.startswith("complex") else (x,):
            good = part.min() >= 0 and part.max() < 1 and abs(part.mean() - 0.5) < 0.01
            report.check(f"elements {d}", good and abs(part.var() - 1 / 12) < 0.002)
        if d.startswith("complex"):
            report.check(f"elements {d} parts", abs(np.corrcoef(x.real, x.imag)[0, 1]) < 0.03)
    for d in ("int8", "uint16", "int64", "uint64"):
        x, limits = random(report, 3, (300, 300), 0.2, "csr", d).parts().data, np.iinfo(d)
        width = float(limits.max) - float(limits.min)
        counts = np.histogram((x.astype("f8") - float(limits.min)) / width, 8, (0, 1))[0]
        report.check(f"elements {d}", np.all(abs(counts / len(x) - 1 / 8) < 0.02), f"{counts}")
    report.check("elements bool", random(report, 3, (30, 30), 0.2, "csr", "bool").parts().data.all())
    counts = random(report, 4, (200, 200), 0.3).reduce("count_nonzero", 0).numpy()
    report.check(
        "columns", abs(counts.mean() - 60) < 1e-9 and abs(counts.var() - 200 * 0.3 * 0.7) < 12, f"{counts.var()}"
    )
    generator = Generator(5)
    first, second = (random(report, generator, (9, 9), 0.5).dense().numpy() for _ in range(2))
    report.check("the next matrix differs", not np.array_equal(first, second))
    wide = random(report, 6, (2**31, 2**31), 1e-16, "coo").parts()
    report.check("large extents", len(wide.data) == 461 and wide.first.dtype == np.int64 and wide.ordered())


def refusals(report):
    for label, status, call in (
        ("density above 1", C.ARR_E_ARGUMENT, lambda: random(report, 1, (3, 3), 1.5)),
        ("density below 0", C.ARR_E_ARGUMENT, lambda: random(report, 1, (3, 3), -0.1)),
        ("density nan", C.ARR_E_ARGUMENT, lambda: random(report, 1, (3, 3), np.nan)),
        ("rows", C.ARR_E_SHAPE, lambda: random(report, 1, (-1, 3), 0)),
        ("extents", C.ARR_E_SHAPE, lambda: random(report, 1, (2**40, 2**40), 0)),
    ):
        report.check(f"refused {label}", raises(status, call))


def text(a, most=0):
    length = ctypes.c_int64()
    arrpy.call("arr_sparse_format", a.handle, most, 0, None, ctypes.byref(length))
    out = ctypes.create_string_buffer(length.value + 1)
    arrpy.call("arr_sparse_format", a.handle, most, len(out), out, None)
    return out.value.decode()


def texts(report):
    for d in ("bool", "int8", "uint64", "float32", "float64", "complex64", "complex128"):
        for name, m in cases(d):
            got, want = text(Sparse.of(m, report.device)), str(m.scipy())
            report.check(f"text {name} {d}", got == want, f"{got}\n{want}")
    large = scipy.sparse.random_array((40, 50), density=0.1, format="csr", rng=1)
    a = Sparse.from_dense(report.array(large.toarray()))
    for most in (2, 3, 7, 50, 200, 1000):
        large.maxprint = most
        report.check(f"text of {most}", text(a, most) == str(large), text(a, most))
    report.check("text of 1", text(a, 1).splitlines()[2:4] == ["  Coords\tValues", "  :\t:"])
    half = Sparse.from_dense(report.array(np.array([[0, 1.5]], "f2")))
    report.check("text float16", text(half).endswith("(0, 1)\t1.5") and "'float16'" in text(half))
    report.check("text refused", raises(C.ARR_E_ARGUMENT, lambda: text(half, -1)))


def main():
    report = oracle.Report(__doc__)
    for part in report.turn([matrices, elements, refusals, texts]):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
