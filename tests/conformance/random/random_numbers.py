#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random numbers: Philox's published answers, seeds as NumPy's SeedSequence, layouts, devices, integers, bad input."""

import bisect
import ctypes
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.stats as st

import oracle
from draws import C, Generator, bits, draw, draw_into, equal, given, integers
from oracle import arrpy

MASK = 0xFFFFFFFF


def philox(counter, key):
    """Philox4x32-10 word by word, from the paper."""
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & MASK, (p0 >> 32) ^ c[3] ^ k[1], p0 & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


# ------------------------------------------------------------------------------------------ words and seeds

# The three of Random123's kat_vectors: counter, key, words.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((MASK,) * 4, (MASK,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def words(report):
    for counter, key, want in KNOWN:
        equal(report, f"the model of Philox {key[0]:x}", np.array(philox(counter, key)), np.array(want))
    g = Generator(1)
    g.state = (0, 0)
    equal(report, "known words", bits(report, g, (4,)), np.array(KNOWN[0][2], "u4"))
    for key, first in ((0x0123456789ABCDEF, 0), (7, 5), (MASK << 32 | 3, MASK - 2), (1, 2**64 - 3)):
        blocks = np.array(
            [
                philox((n & MASK, n >> 32, 0, 0), (key & MASK, key >> 32))
                for n in ((first + i) % 2**64 for i in range(200))
            ],
            "u4",
        )
        g.state = (key, first)
        equal(report, f"uint32 from {first:x}", bits(report, g, (797,)), blocks.ravel()[:797])
        equal(report, f"whole blocks are used {first:x}", g.state, (key, (first + 200) % 2**64))
        g.state = (key, first)
        equal(
            report,
            f"uint64 from {first:x}",
            bits(report, g, (13, 29), "uint64"),
            blocks.view("u8").ravel()[:377].reshape(13, 29),
        )
        equal(report, f"half as many {first:x}", g.state, (key, (first + 189) % 2**64))
        for narrow in ("uint8", "uint16"):
            g.state = (key, first)
            equal(
                report, f"{narrow} from {first:x}", bits(report, g, (600,), narrow), blocks.ravel()[:600].astype(narrow)
            )
        g.state = (key, first)
        unit = draw(report, g, "random", (), (700,), "float32")
        equal(report, f"float32 from {first:x}", unit, (blocks.ravel()[:700] >> 8).astype("f4") * np.float32(2**-24))
        g.state = (key, first)
        unit = draw(report, g, "random", (), (350,))
        equal(
            report,
            f"float64 from {first:x}",
            unit,
            (blocks.view("u8").ravel()[:350] >> np.uint64(11)).astype("f8") * 2.0**-53,
        )
    for n in (0, 1, 3, 4, 5, 255, 256, 257, 1030, 5000):
        for d in ("uint32", "uint64"):
            g.state = (9, 1)
            long = bits(report, g, (6000,), d).numpy()
            g.state = (9, 1)
            equal(report, f"{n} of {d} are the first", bits(report, g, (n,), d), long[:n])


def seeds(report):
    for seed in ((0,), (1,), (12345,), (2**32 + 5,), (1, 2, 3), (2**64 - 1, 7, 2**40, 9, 11)):
        entropy = seed[0] if len(seed) == 1 else list(seed)
        s = np.random.SeedSequence(entropy)
        g = Generator(*seed)
        equal(report, f"the key of {seed}", g.state, (int(s.generate_state(1, np.uint64)[0]), 0))
        children = g.spawn(2) + g.spawn(1)
        for i, (a, b) in enumerate(zip(children, s.spawn(3))):
            equal(report, f"child {i} of {seed}", a.state[0], int(b.generate_state(1, np.uint64)[0]))
        for a, b in zip(
            children[1].spawn(1),
            s.spawn(3)
            and np.random.SeedSequence(entropy, spawn_key=(1, 0)).spawn(0)
            or [np.random.SeedSequence(entropy, spawn_key=(1, 0))],
        ):
            equal(report, f"grandchild of {seed}", a.state[0], int(b.generate_state(1, np.uint64)[0]))
    report.check("entropy differs", Generator().state[0] != Generator().state[0])
    own = Generator(handle=C.arr_generator(None))
    arrpy.call("arr_generator_seed", None, 1, (ctypes.c_int64 * 1)(5))
    equal(report, "the process's own is seeded", own.state, Generator(5).state)
    arrpy.call("arr_generator_advance", None, 2**48)
    equal(report, "advanced", own.state[1], 2**48)
    g, again = Generator(3), Generator(3)
    first = draw(report, g, "normal", (1.0, 2.0), (50,)).numpy()
    kept = g.state
    second = draw(report, g, "normal", (1.0, 2.0), (50,)).numpy()
    g.state = kept
    equal(report, "a restored state continues", draw(report, g, "normal", (1.0, 2.0), (50,)), second)
    report.check("calls differ", not np.array_equal(first, second))
    equal(report, "equal seeds", draw(report, again, "normal", (1.0, 2.0), (50,)), first)


OF_A_PROCESS = """
import sys
sys.path[:0] = sys.argv[1:]
import arrpy
from draws import Generator
try:
    print(*(Generator().state[0] for _ in range(3)))
except arrpy.Error as e:
    print(e)
"""


def environment(report):
    """ARR_SEED: as a seed, for every generator without one, the same in each process."""

    def run(value):
        folders = [str(pathlib.Path(f).resolve().parent) for f in (arrpy.__file__, oracle.__file__, __file__)]
        done = subprocess.run(
            [sys.executable, "-c", OF_A_PROCESS, *folders],
            env={**os.environ, "ARR_SEED": value},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout.strip() or done.stderr

    for seed in report.turn((5, 2**63 + 11)):
        got = run(str(seed)).split()
        equal(report, f"ARR_SEED {seed}", got[0], str(Generator(seed).state[0]))
        report.check("others differ", len(set(got)) == 3, str(got))
        equal(report, "each run", run(str(seed)).split(), got)
    for bad in report.turn(("x", "5x", "-1", str(2**64))):
        text = run(bad)
        report.check(f"ARR_SEED {bad}", f'ARR_SEED: got "{bad}", expected a whole number' in text, text)


def layouts(report):
    for name, parameters, dtype in (
        ("random", (), "float32"),
        ("standard_normal", (), "float64"),
        ("standard_normal", (), "float32"),
        ("standard_gamma", (2.5,), "float64"),
        ("poisson", (4.0,), "int64"),
    ):
        flat = draw(report, Generator(4), name, parameters, (70 * 44,), dtype).numpy()
        for label, shape, view in oracle.layouts_of((70, 44)):
            base = report.array(np.zeros(shape, dtype))
            draw_into(view(base), Generator(4), name, parameters)
            want = np.zeros(shape, dtype)
            view(want)[...] = flat.reshape(70, 44)
            equal(report, f"{name} {dtype} into {label}", base, want)
    equal(report, "no element", draw(report, Generator(1), "random", (), (0, 3)), np.zeros((0, 3)))
    equal(report, "no dimension", draw(report, Generator(1), "random", (), ()).numpy().shape, ())


def devices(report):
    """Numbers made by arithmetic alone have the same bits on every device."""
    for name, dtype in (
        ("random", "float32"),
        ("random", "float16"),
        ("uniform", "float64"),
        ("standard_normal", "float32"),
        ("standard_normal", "float64"),
        ("normal", "float64"),
        ("exponential", "float32"),
        ("standard_exponential", "float64"),
        ("rayleigh", "float64"),
    ):
        parameters = {"uniform": (-1.5, 3.0), "normal": (7.0, 0.3), "exponential": (2.0,), "rayleigh": (0.7,)}.get(
            name, ()
        )
        g = Generator(11)
        here = arrpy.made(
            f"arr_random_{name}",
            g.handle,
            *map(given, parameters),
            arrpy.number(dtype),
            1,
            arrpy.int64s([3001]),
            None,
            None,
        )
        equal(
            report,
            f"{name} {dtype} as on the host",
            draw(report, Generator(11), name, parameters, (3001,), dtype),
            here.numpy(),
        )
    counts = np.array([philox((i, 0, 0, 0), (5, 0)) for i in range(500)], "u4")
    g = Generator(0)
    for dtype, steps in (("float32", 4e-7), ("float64", 8e-16)):
        w = counts.view("u8" if dtype == "float64" else "u4").ravel()
        a, b = w[::2], w[1::2]
        u = (
            ((a >> np.uint64(11)).astype("f8") + 1) / 2.0**53
            if dtype == "float64"
            else (a.astype("f4") + np.float32(1)).astype("f8") / 2.0**32
        )
        angle = 2 * np.pi * (b.astype("f8") / 2.0 ** (8 * b.itemsize))
        want = (np.sqrt(-2 * np.log(u))[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)).ravel()
        g.state = (5, 0)
        x = draw(report, g, "standard_normal", (), (len(want),), dtype).numpy()
        far = np.abs(x - want).max() / 6
        report.check(f"Box and Muller {dtype}", far < steps, f"{far}")


# ------------------------------------------------------------------------------------------------ integers


def whole(report):
    n = 60000 if report.device == "host" else 4000
    for low, high, dtype in (
        (0, 2, "bool"),
        (-3, 4, "int8"),
        (0, 256, "uint8"),
        (-128, 128, "int8"),
        (5, 6, "int16"),
        (0, 100, "int64"),
        (-5, 2**31 + 9, "int64"),
        (-(2**63), 2**63, "int64"),
        (0, 2**64, "uint64"),
        (10, 3 * 2**62, "uint64"),
        (0, 3 * 2**30, "uint32"),
        (0, 2**32, "uint32"),
        (1, 2**32, "int64"),
    ):
        bound = [np.uint64(v) if v >= 2**63 else np.int64(v) for v in (low, high - 1)]
        x = integers(report, Generator(8), bound[0], bound[1], (n,), dtype, endpoint=True).numpy()
        label = f"integers {low} .. {high} {dtype}"
        span = high - low
        report.check(
            label + " range",
            x.dtype == np.dtype(dtype) and int(x.min()) >= low and int(x.max()) < high,
            f"{x.dtype} {x.min()} .. {x.max()}",
        )
        cells, values = min(span, 50), sorted(x.tolist())
        edges = [low + span * i // cells for i in range(cells + 1)]
        counts = np.diff(
            [bisect.bisect_left(values, e) for e in edges]
            if span > 256
            else np.searchsorted(np.sort(x.astype("i8")), edges)
        )
        chances = np.diff(np.array(edges, dtype=object)).astype(float) / span
        if cells > 1:
            report.check(label + " chi square", st.chisquare(counts, chances * n).pvalue > 1e-4, f"{counts}")
        if high - 1 < 2**63 - 1:
            equal(
                report,
                label + " open",
                integers(report, Generator(8), bound[0], np.int64(high), (n,), dtype) if high < 2**63 else x,
                x,
            )
    low, high = np.array([[0], [10], [-7]]), np.array([1, 5, 2**40, 30]) + 40
    x = integers(report, Generator(2), report.array(low), report.array(high), (500, 3, 4)).numpy()
    report.check("integers of arrays", x.shape == (500, 3, 4) and bool(np.all((x >= low) & (x < high))))
    report.check(
        "their means",
        bool(np.all(np.abs(x.mean(0) - (low + high - 1) / 2) < 5 * (high - low) / np.sqrt(12 * 500) + 1e-9)),
    )
    equal(
        report,
        "broadcast shape",
        integers(report, Generator(2), report.array(low), report.array(high)).numpy().shape,
        (3, 4),
    )
    for bad, label in (
        ((5, 5), "high is low"),
        ((5, 4), "high below low"),
        ((0, 129, "int8"), "beyond the dtype"),
        ((-1, 5, "uint16"), "below the dtype"),
        ((0.5, 5), "not whole"),
        ((float("nan"), 5), "nan"),
    ):
        dtype = bad[2] if len(bad) > 2 else None
        report.check(
            f"integers: {label}",
            oracle.raises(C.ARR_E_ARGUMENT, lambda b=bad, d=dtype: integers(report, Generator(1), b[0], b[1], (3,), d)),
        )
    report.check(
        "integers of floats",
        oracle.raises(C.ARR_E_DTYPE, lambda: integers(report, Generator(1), 0, 5, (3,), "float32")),
    )


def errors(report):
    g = Generator(1)
    for name, parameters, argument in (
        ("normal", (0.0, -1.0), "scale"),
        ("exponential", (float("nan"),), "scale"),
        ("standard_gamma", (-0.5,), "k"),
        ("beta", (0.0, 1.0), "a"),
        ("zipf", (1.0,), "a"),
        ("binomial", (5.0, 1.5), "p"),
        ("binomial", (-1.0, 0.5), "n"),
        ("geometric", (0.0,), "p"),
        ("logseries", (1.0,), "p"),
        ("triangular", (0.0, 2.0, 1.0), "mode"),
        ("triangular", (1.0, 1.0, 1.0), "right"),
        ("hypergeometric", (3.0, 4.0, 8.0), "nsample"),
        ("wald", (1.0, 0.0), "scale"),
        ("chisquare", (None,), "df"),
    ):
        try:
            draw(report, g, name, parameters, (3,))
            text = "no error"
        except arrpy.Error as e:
            text = str(e)
        report.check(f"{name}{parameters}", f"argument {argument}" in text and f"arr_random_{name}" in text, text)
    report.check(
        "normal of integers", oracle.raises(C.ARR_E_DTYPE, lambda: draw(report, g, "normal", (0, 1), (3,), "int32"))
    )
    report.check("normal of complex", oracle.raises(C.ARR_E_DTYPE, lambda: draw(report, g, "normal", (1j, 1), (3,))))
    report.check(
        "parameters that do not broadcast",
        oracle.raises(
            C.ARR_E_SHAPE,
            lambda: draw(report, g, "normal", (report.array(np.zeros(3)), report.array(np.ones(4))), None),
        ),
    )
    report.check(
        "a shape they do not fit",
        oracle.raises(C.ARR_E_SHAPE, lambda: draw(report, g, "normal", (report.array(np.zeros(3)), 1), (4,))),
    )
    report.check(
        "ndim -2",
        oracle.raises(C.ARR_E_SHAPE, lambda: arrpy.made("arr_random_random", g.handle, 0, -2, None, None, None)),
    )
    report.check(
        "a released generator",
        oracle.raises(
            C.ARR_E_HANDLE, lambda: arrpy.made("arr_random_random", C.arr_generator(12345), 0, 0, None, None, None)
        ),
    )
    report.check(
        "no such distribution",
        oracle.raises(
            C.ARR_E_ARGUMENT, lambda: arrpy.made("arr_random_draw", g.handle, 49, 0, None, 0, 0, None, None, None)
        ),
    )
    state = g.state
    report.check("what fails uses no numbers", g.state == state)
    wrong = C.arr_generator_state(struct_size=8)
    report.check(
        "struct_size",
        oracle.raises(C.ARR_E_ARGUMENT, lambda: arrpy.call("arr_generator_get_state", g.handle, ctypes.byref(wrong))),
    )
    frozen = report.array(np.zeros(4)).broadcast_to((3, 4))
    report.check("read-only", oracle.raises(C.ARR_E_READONLY, lambda: draw_into(frozen, g, "random")))


def main():
    report = oracle.Report(__doc__)
    for part in (words, seeds, environment, layouts, devices, whole, errors):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
