#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every distribution with every parameter at the ends of its range: in time, no nan, errors; every dtype it may have.

The calls are made by a child, which says before each what it is: one that does not end in time is killed, counts as a
failure, and another child goes on behind it.
"""

import itertools
import os
import pathlib
import re
import selectors
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from draws import C, Generator, draw, equal
from oracle import arrpy

# For a call: milliseconds, and on the fake a compilation, which takes a minute where the text is NVRTC's PTX.
SECONDS = 150 if os.environ.get("ARR_FAKE_NVRTC") == "real" else 20
TABLE = pathlib.Path(__file__).resolve().parents[3] / "core" / "table" / "distributions.def"
ROW = re.compile(r'ARR_DISTRIBUTION\(\d+, (\w+), \d+, (\w+), "([^"]*)"')
MAX_MEAN = 9.223372006484771e18  # the largest mean of a Poisson number, NumPy's too
TINY, SMALL, HUGE = 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308
ENDS = [
    0.0,
    -0.0,
    TINY,
    SMALL,
    1e-300,
    1 - 2.0**-53,
    1.0,
    1 + 2.0**-52,
    2.0**53,
    2.0**62,
    2.0**63,
    1e20,
    1e300,
    HUGE,
    np.inf,
    -np.inf,
    np.nan,
    -1.0,
]
ORDINARY = {
    "low": 0.0,
    "high": 1.0,
    "loc": 0.0,
    "mean": 1.0,
    "p": 0.5,
    "left": 0.0,
    "mode": 1.0,
    "right": 2.0,
    "mu": 0.0,
    "ngood": 10.0,
    "nbad": 10.0,
    "nsample": 5.0,
    "n": 10.0,
}
RULES = {
    "": np.isfinite,
    "ge0": lambda x: 0 <= x < np.inf,
    "gt0": lambda x: 0 < x < np.inf,
    "gt1": lambda x: 1 < x < np.inf,
    "p": lambda x: 0 <= x <= 1,
    "p0": lambda x: 0 < x <= 1,
    "p1": lambda x: 0 <= x < 1,
}
BETWEEN = {
    "uniform": lambda a, b: np.isfinite(b - a),
    "triangular": lambda a, b, c: a <= b <= c,
    "poisson": lambda a: a <= MAX_MEAN,
    "binomial": lambda n, p: n <= 2.0**63,
    "negative_binomial": lambda n, p: (n + 10 * np.sqrt(n)) * (1 - p) / p <= MAX_MEAN,
    "hypergeometric": lambda a, b, c: np.floor(c) <= np.floor(a) + np.floor(b) < 2.0**53,
}
# Mean and deviation; numbers are held against them where the deviation is so small that nearly all are near.
MOMENTS = {
    "normal": lambda a, b: (a, b),
    "exponential": lambda a: (a, a),
    "standard_gamma": lambda k: (k, np.sqrt(k)),
    "gamma": lambda k, b: (k * b, np.sqrt(k) * b),
    "chisquare": lambda k: (k, np.sqrt(2 * k)),
    "power": lambda a: (a / (a + 1), 1 / (a + 1)),
    "beta": lambda a, b: (0.5 * a / (0.5 * a + 0.5 * b), np.sqrt(0.25 / (1 + 0.5 * a + 0.5 * b))),
    "noncentral_chisquare": lambda k, c: (k + c, np.sqrt(2 * k + 4 * c)),
    "laplace": lambda a, b: (a, 2 * b),
    "logistic": lambda a, b: (a, 2 * b),
    "gumbel": lambda a, b: (a, 2 * b),
    "wald": lambda a, b: (a, a * np.sqrt(a / b)),
    "poisson": lambda a: (a, np.sqrt(a)),
    "binomial": lambda n, p: (n * p, np.sqrt(n * p)),
    "negative_binomial": lambda n, p: (n * (1 - p) / p, np.sqrt(n * (1 - p)) / p),
    "hypergeometric": lambda a, b, c: (a * c / (a + b), np.sqrt(c)),
    "f": lambda a, b: (b / (b - 2) if b > 2 else np.nan, np.sqrt(4 / a + 4 / b)),
    "standard_t": lambda k: (np.nan, np.nan),
}
WITHIN = {"beta": (0, 1), "power": (0, 1), "vonmises": (-np.pi, np.pi), "random": (0, 1)}
POSITIVE = ("exponential", "gamma", "chisquare", "f", "rayleigh", "weibull", "pareto", "wald", "lognormal")


def table():
    """(name, type, [(parameter, rule)]) of every row."""
    for name, family, text in ROW.findall(TABLE.read_text()):
        yield name, family, [(re.split("[=:]", word)[0], word.partition(":")[2]) for word in text.split()]


def ordinary(name, parameters):
    return [ORDINARY.get(p, 2.0) if (name, p) != ("logseries", "p") else 0.5 for p, _ in parameters]


def is_valid(name, parameters, values):
    return all(RULES[rule](v) for (_, rule), v in zip(parameters, values)) and BETWEEN.get(name, lambda *v: True)(
        *values
    )


def what_is_wrong(name, family, values, x):
    """Checks a few numbers drawn with valid parameters."""
    low, high = WITHIN.get(name, (0 if family == "INT" or name.endswith(POSITIVE) else -np.inf, np.inf))
    if name in ("uniform", "triangular"):
        low, high = min(values), max(values)
        low -= 2.0**-23 * abs(low) if x.dtype == np.float32 else 0  # it is rounded
    x, values = x.astype("f8"), [np.float64(v) for v in values]
    if np.isnan(x).any() or (x < low).any() or (x > high).any():
        return f"{x}"
    mean, deviation = MOMENTS.get(name, lambda *v: (np.nan, np.nan))(*values)
    sure = deviation < 1e-3 * abs(mean) and abs(mean) + 12 * deviation < HUGE
    if sure and not (np.abs(x - mean) <= 12 * deviation + 1e-9 * abs(mean)).all():
        return f"{x}, expected about {mean}"
    return ""


def numbers(report, name, family, parameters, values, dtype):
    """A call with numbers."""
    rounded = np.array(values).astype("f4" if family == "FLOAT" and dtype != "float64" else "f8")
    valid = is_valid(name, parameters, values) and is_valid(name, parameters, [float(v) for v in rounded])
    if name == "triangular":
        valid = valid and values[0] < values[2]
    try:
        x = draw(report, Generator(3), name, tuple(values), (5,), dtype).numpy()
    except arrpy.Error as e:
        mean = MOMENTS[name](*values)[0] if valid and name in MOMENTS else np.nan
        beyond = family == "INT" and valid and mean > (np.iinfo(dtype).max if dtype in ("int8", "int64") else MAX_MEAN)
        good = (not valid or beyond) and e.status == C.ARR_E_ARGUMENT and "argument " in str(e)
        return report.check(f"{name}{tuple(values)} {dtype}", good, str(e))
    wrong = (
        "no error"
        if not valid
        else what_is_wrong(name, family, [float(v) for v in rounded], x)
        if dtype != "int8"
        else ""
    )
    return report.check(f"{name}{tuple(values)} {dtype}", not wrong, wrong)


def cells(name, parameters):
    """Parameters, one or two of them at an end."""
    usual = ordinary(name, parameters)
    for k in range(len(usual)):
        yield from ([*usual[:k], end, *usual[k + 1 :]] for end in ENDS)
    if len(usual) > 1:
        yield from ([a] * (len(usual) - 1) + [b] for a, b in itertools.product(ENDS, ENDS))


def arrays(report, name, family, parameters):
    """All of them as arrays: an element that is no parameter makes nan, or -1."""
    rows = [c for c in cells(name, parameters) if name != "triangular" or c[0] != c[2]]
    given = [report.array(np.array(column)) for column in np.array(rows).T]
    x = draw(report, Generator(4), name, given, (3, len(rows))).numpy()
    for k, values in enumerate(rows):
        if is_valid(name, parameters, values):
            wrong = what_is_wrong(name, family, values, x[:, k])
        else:
            wrong = (
                "" if np.all(x[:, k] == -1 if family == "INT" else np.isnan(x[:, k])) else f"{x[:, k]} of no parameters"
            )
        report.check(f"{name} of arrays {tuple(values)}", not wrong, wrong)


def calls(report):
    """(label, what is done), in the child's order."""
    for name, family, parameters in table():
        if parameters:
            yield f"{name} of arrays", lambda n=name, f=family, p=parameters: arrays(report, n, f, p)
        for dtype in {"FLOAT": ("float64", "float32"), "DOUBLE": ("float64",), "INT": ("int64", "float64", "int8")}[
            family
        ]:
            few = report.device != "host"
            for values in list(cells(name, parameters))[: 3 if few else None]:
                yield (
                    f"{name}{tuple(values)} {dtype}",
                    lambda a=(name, family, parameters, values, dtype): numbers(report, *a),
                )


def child(report, first):
    for k, (label, call) in enumerate(calls(report)):
        if k >= first:
            print(f"call {k} {label}", flush=True)
            call()


def in_time(report):
    """The child's calls; those that never end are named."""
    first, count = 0, sum(1 for _ in calls(report))
    while first < count:
        arguments = [sys.executable, "-B", os.path.abspath(__file__), "--device", report.device, "--first", str(first)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, bufsize=1) as p:
            wait, label, ended = selectors.DefaultSelector(), "", False
            wait.register(p.stdout, selectors.EVENT_READ)
            while wait.select(SECONDS) and not ended:
                line = p.stdout.readline()
                ended = not line
                if line.startswith("call "):
                    first, label = int(line.split()[1]) + 1, line.split(maxsplit=2)[2].strip()
                    report.check(label, True)
                elif line.startswith("FAILED"):
                    report.check(line.strip(), False)
            if not ended:
                p.kill()
                report.check(label, False, f"no end within {SECONDS} s")
            elif p.wait() != 0:
                report.check(label, False, f"the process ended with {p.returncode}")
            else:
                first = count


# --------------------------------------------------------------------------------------------------- dtypes

INTEGERS = oracle.SIGNED + oracle.UNSIGNED
REAL = ["bool", *INTEGERS, *oracle.FLOATS]


def as_dtype(x, dtype):
    """float64 or int64 numbers as libarr's results have them: what a dtype does not hold is its limit."""
    if dtype not in INTEGERS:
        return x.astype(oracle.dtype(dtype))
    i = np.iinfo(dtype)
    if x.dtype == np.int64:
        return np.minimum(x, min(i.max, 2**63 - 1)).astype(dtype)
    return np.where(x >= float(i.max), i.max, np.clip(x, float(i.min), None).astype(dtype))


def dtypes(report):
    kept = REAL if report.device == "host" else ["bool", "int8", "uint16", "float32"]
    for name, family, parameters in table():
        usual = ordinary(name, parameters)
        if report.device != "host" and name not in ("poisson", "noncentral_chisquare", "standard_t", "normal"):
            continue
        x = draw(report, Generator(5), name, usual, (300,)).numpy()
        for dtype in kept:
            if family == "FLOAT" and dtype not in oracle.FLOATS:
                report.check(
                    f"{name} {dtype}",
                    oracle.raises(
                        C.ARR_E_DTYPE, lambda n=name, u=usual, d=dtype: draw(report, Generator(5), n, u, (3,), d)
                    ),
                )
            elif dtype in ("float16", "bfloat16"):  # of uniform numbers of as many bits
                got = draw(report, Generator(5), name, usual, (300,), oracle.dtype(dtype)).numpy()
                report.check(
                    f"{name} {dtype}", got.dtype == oracle.dtype(dtype) and np.isfinite(got.astype("f4")).all()
                )
            elif family != "FLOAT":
                equal(
                    report,
                    f"{name} {dtype}",
                    draw(report, Generator(5), name, usual, (300,), oracle.dtype(dtype)),
                    as_dtype(x, dtype),
                )
        report.check(
            f"{name} complex",
            oracle.raises(C.ARR_E_DTYPE, lambda n=name, u=usual: draw(report, Generator(5), n, u, (3,), "complex64")),
        )
        whole = [
            1.0 if rule in ("p", "p0") else 0.0 if rule == "p1" else np.ceil(v)
            for (_, rule), v in zip(parameters, usual)
        ]
        if not parameters or not is_valid(name, parameters, whole):
            continue
        want = draw(report, Generator(6), name, whole, (4,)).numpy()
        for dtype in kept if max(whole) <= 1 else kept[1:]:
            given = [report.array(np.full(4, v).astype(oracle.dtype(dtype))) for v in whole]
            got = draw(report, Generator(6), name, given, (4,)).numpy()
            report.check(f"{name} of {dtype}", np.allclose(got, want, rtol=1e-12, atol=0), f"{got}, expected {want}")


def main():
    if "--first" in sys.argv:
        at = sys.argv.index("--first")
        first = int(sys.argv[at + 1])
        del sys.argv[at : at + 2]
        report = oracle.Report(__doc__)
        child(report, first)
        return
    report = oracle.Report(__doc__)
    for part in report.chosen((in_time, dtypes)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
