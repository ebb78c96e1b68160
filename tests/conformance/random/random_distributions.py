#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every distribution of random numbers against SciPy's, its mean and variance, of numbers and of arrays; independence."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.stats as st

import oracle
from draws import C, Generator, bits, chi_square, draw, draw_into, equal

# name, parameters, SciPy's distribution of the same.
FLOATS = [
    ("random", (), st.uniform()),
    ("uniform", (-2.0, 5.5), st.uniform(-2, 7.5)),
    ("standard_normal", (), st.norm()),
    ("normal", (3.0, 0.25), st.norm(3, 0.25)),
    ("lognormal", (0.5, 0.75), st.lognorm(0.75, scale=np.exp(0.5))),
    ("standard_exponential", (), st.expon()),
    ("exponential", (2.5,), st.expon(scale=2.5)),
    ("standard_gamma", (0.3,), st.gamma(0.3)),
    ("standard_gamma", (1.0,), st.gamma(1)),
    ("standard_gamma", (7.5,), st.gamma(7.5)),
    ("standard_gamma", (1e6,), st.gamma(1e6)),
    ("gamma", (0.01, 3.0), st.gamma(0.01, scale=3)),
    ("beta", (0.5, 0.25), st.beta(0.5, 0.25)),
    ("beta", (0.1, 0.2), st.beta(0.1, 0.2)),
    ("beta", (3.0, 0.5), st.beta(3, 0.5)),
    ("beta", (40.0, 60.0), st.beta(40, 60)),
    ("chisquare", (1.0,), st.chi2(1)),
    ("chisquare", (9.0,), st.chi2(9)),
    ("noncentral_chisquare", (0.5, 3.0), st.ncx2(0.5, 3)),
    ("noncentral_chisquare", (4.0, 20.0), st.ncx2(4, 20)),
    ("f", (3.0, 8.0), st.f(3, 8)),
    ("f", (5.0, 40.0), st.f(5, 40)),
    ("noncentral_f", (3.0, 8.0, 2.0), st.ncf(3, 8, 2)),
    ("noncentral_f", (5.0, 40.0, 2.0), st.ncf(5, 40, 2)),
    ("standard_t", (3.0,), st.t(3)),
    ("standard_t", (20.0,), st.t(20)),
    ("standard_cauchy", (), st.cauchy()),
    ("laplace", (1.0, 2.0), st.laplace(1, 2)),
    ("logistic", (-1.0, 0.5), st.logistic(-1, 0.5)),
    ("gumbel", (2.0, 3.0), st.gumbel_r(2, 3)),
    ("rayleigh", (1.5,), st.rayleigh(scale=1.5)),
    ("weibull", (0.7,), st.weibull_min(0.7)),
    ("weibull", (5.0,), st.weibull_min(5)),
    ("pareto", (2.5,), st.lomax(2.5)),
    ("pareto", (20.0,), st.lomax(20)),
    ("power", (0.2,), st.powerlaw(0.2)),
    ("power", (4.0,), st.powerlaw(4)),
    ("triangular", (-1.0, 2.0, 3.0), st.triang(0.75, -1, 4)),
    ("triangular", (0.0, 0.0, 3.0), st.triang(0, 0, 3)),
    ("wald", (1.0, 3.0), st.invgauss(1 / 3, scale=3)),
    ("wald", (50.0, 0.5), st.invgauss(100, scale=0.5)),
    ("vonmises", (0.0, 1e-9), st.uniform(-np.pi, 2 * np.pi)),
    ("vonmises", (0.0, 4.0), st.vonmises(4)),
    ("vonmises", (0.0, 1e-6), st.vonmises(1e-6)),
    ("vonmises", (0.0, 500.0), st.vonmises(500)),
]
LAPLACE = next(row for row in FLOATS if row[0] == "laplace")
INTS = [
    ("poisson", (0.1,), st.poisson(0.1)),
    ("poisson", (9.9,), st.poisson(9.9)),
    ("poisson", (10.1,), st.poisson(10.1)),
    ("poisson", (1e4,), st.poisson(1e4)),
    ("poisson", (1e13,), st.norm(1e13, np.sqrt(1e13))),
    ("binomial", (1.0, 0.3), st.binom(1, 0.3)),
    ("binomial", (30.0, 0.2), st.binom(30, 0.2)),
    ("binomial", (30.0, 0.9), st.binom(30, 0.9)),
    ("binomial", (25.0, 0.5), st.binom(25, 0.5)),
    ("binomial", (1e6, 0.01), st.binom(10**6, 0.01)),
    ("binomial", (1e6, 0.75), st.binom(10**6, 0.75)),
    ("binomial", (1e15, 0.25), st.norm(2.5e14, np.sqrt(1e15 * 0.1875))),
    ("negative_binomial", (3.0, 0.3), st.nbinom(3, 0.3)),
    ("negative_binomial", (0.5, 0.05), st.nbinom(0.5, 0.05)),
    ("geometric", (0.3,), st.geom(0.3)),
    ("geometric", (0.001,), st.geom(0.001)),
    ("geometric", (1.0,), st.geom(1.0)),
    ("hypergeometric", (10.0, 15.0, 6.0), st.hypergeom(25, 10, 6)),
    ("hypergeometric", (10.0, 15.0, 21.0), st.hypergeom(25, 10, 21)),
    ("hypergeometric", (100.0, 60.0, 50.0), st.hypergeom(160, 100, 50)),
    ("hypergeometric", (60.0, 100.0, 130.0), st.hypergeom(160, 60, 130)),
    ("hypergeometric", (1000.0, 100000.0, 5000.0), st.hypergeom(101000, 1000, 5000)),
    ("logseries", (0.05,), st.logser(0.05)),
    ("logseries", (0.95,), st.logser(0.95)),
    ("zipf", (1.5,), st.zipf(1.5)),
    ("zipf", (4.0,), st.zipf(4)),
    ("zipf", (9.0,), st.zipf(9)),
]


def moments(report, label, x, dist):
    """Mean and variance within five of their standard errors, where the distribution has what those are made of; whether
    it has."""
    mean, variance, kurtosis = (float(m) for m in dist.stats("mvk"))
    n, x = len(x), x.astype("f8")
    if np.isfinite(mean) and np.isfinite(variance):
        off = abs(x.mean() - mean)
        report.check(label + " mean", off <= 5 * np.sqrt(variance / n), f"{x.mean()}, expected {mean}")
    if np.isfinite(variance) and np.isfinite(kurtosis):
        # The variance of the mean of squares about the mean is (fourth moment - variance^2) / n.
        off = abs(np.mean((x - mean) ** 2) - variance)
        report.check(
            label + " variance",
            off <= 5 * variance * np.sqrt(max(kurtosis + 2, 0) / n),
            f"{x.var()}, expected {variance}",
        )
    return np.isfinite([mean, variance, kurtosis]).all()


def distributions(report):
    n = 40000 if report.device == "host" else 4000
    with_moments = {"standard_cauchy"}  # has none
    for name, parameters, dist in report.turn(FLOATS):
        label = f"{name}{parameters}"
        x = draw(report, Generator(20), name, parameters, (n,)).numpy()
        report.check(label + " dtype", x.dtype == np.float64)
        lost = np.isnan(x).sum()
        p = st.kstest(x, dist.cdf).pvalue
        report.check(label, lost == 0 and p > 1e-4, f"p {p:.2g}, {lost} nan, mean {x.mean()}, expected {dist.mean()}")
        if moments(report, label, x, dist):
            with_moments.add(name)
    for name, parameters, dist in report.turn(INTS):
        label = f"{name}{parameters}"
        x = draw(report, Generator(21), name, parameters, (n,)).numpy()
        report.check(label + " dtype", x.dtype == np.int64)
        p = st.kstest(x, dist.cdf).pvalue if not hasattr(dist, "pmf") or parameters[0] >= 1e12 else chi_square(x, dist)
        report.check(label, p > 1e-4, f"p {p:.2g}, mean {x.mean()}, expected {dist.mean()}")
        if moments(report, label, x, dist):
            with_moments.add(name)
    every = {name[len("ARR_DISTRIBUTION_") :].lower() for name in dir(C) if name.startswith("ARR_DISTRIBUTION_")}
    if report.labels_one_in == 1:
        report.check("mean and variance of each distribution", with_moments == every, f"{with_moments ^ every}")
    for dtype, steps in (("float32", 2e-6), ("float16", 1e-2), ("bfloat16", 1e-2))[
        : 3 if report.device == "host" else 1
    ]:
        for name, parameters, dist in FLOATS[:7] + [FLOATS[10], LAPLACE]:
            x = draw(report, Generator(22), name, parameters, (n,), oracle.dtype(dtype)).numpy()
            d, spread = st.ks_1samp(x.astype("f8"), dist.cdf).statistic, dist.std() if np.isfinite(dist.std()) else 1
            report.check(
                f"{name}{parameters} {dtype}",
                x.dtype == oracle.dtype(dtype) and d < 2.2 / np.sqrt(n) + steps * (1 + abs(dist.mean()) / spread),
                f"D {d:.3g}",
            )
    for dtype in ("float16", "bfloat16"):
        x = draw(report, Generator(5), "random", (), (n,), oracle.dtype(dtype)).numpy().astype("f4")
        report.check(f"random {dtype} stays below 1", x.max() < 1 and x.min() >= 0, f"{x.max()}")
    for dtype in ("int8", "uint16", "float32"):
        x = draw(report, Generator(6), "poisson", (4.0,), (1000,), dtype).numpy()
        equal(
            report, f"poisson {dtype}", x, draw(report, Generator(6), "poisson", (4.0,), (1000,)).numpy().astype(dtype)
        )


def of_arrays(report):
    loc, scale = np.arange(3.0)[:, None] * 100, np.array([1, 2, 5, 10], "f4")
    x = draw(report, Generator(30), "normal", (report.array(loc), report.array(scale)), (2000, 3, 4)).numpy()
    z = (x - loc) / scale
    report.check("normal of arrays", st.kstest(z.ravel(), st.norm.cdf).pvalue > 1e-4)
    equal(
        report,
        "shape of the parameters",
        draw(report, Generator(30), "normal", (report.array(loc), report.array(scale)), None).numpy().shape,
        (3, 4),
    )
    lam = np.array([0.5, 3, 20, 500])
    x = draw(report, Generator(31), "poisson", (report.array(lam),), (3000, 4)).numpy()
    report.check("poisson of an array", bool(np.all(np.abs(x.mean(0) - lam) < 5 * np.sqrt(lam / 3000))), f"{x.mean(0)}")
    n, p = np.array([10, 1000], "i4"), np.array([[0.1], [0.5], [0.95]])
    x = draw(report, Generator(32), "binomial", (report.array(n), report.array(p)), (3000, 3, 2)).numpy()
    report.check(
        "binomial of arrays",
        bool(np.all(np.abs(x.mean(0) - n * p) < 5 * np.sqrt(n * p * (1 - p) / 3000))),
        f"{x.mean(0)}",
    )
    bad = np.array([1.0, -1.0, np.nan, 0.0])
    for name, broken in (
        ("exponential", [False, True, True, False]),
        ("chisquare", [False, True, True, True]),
        ("standard_gamma", [False, True, True, False]),
    ):
        x = draw(report, Generator(33), name, (report.array(bad),), None).numpy()
        equal(report, f"{name} of what is no parameter", np.isnan(x), np.array(broken))
    for name, broken in (
        ("poisson", [False, True, True, False]),
        ("zipf", [True] * 4),
        ("geometric", [False, True, True, True]),
        ("logseries", [True, True, True, False]),
    ):
        x = draw(report, Generator(33), name, (report.array(bad),), None).numpy()
        equal(report, f"{name} of what is no parameter", x == -1, np.array(broken))


def as_integers(x, dtype):
    """float64 or int64 results as another type of integers has them: truncated, its limits beyond them, nan as -1."""
    limits = np.iinfo(dtype)
    low = limits.min if x.dtype.kind == "f" else -1

    def one(v):
        return -1 if v != v else int(max(min(v, limits.max), low))

    return np.array([one(v) % 2**64 for v in x.ravel().tolist()], "u8").astype(dtype).reshape(x.shape)


def of_type(report, kind, name, operands, dtype, wide):
    """A draw as a type of the result, new and into a view, against the wide numbers."""
    label = f"{name}({', '.join(str(getattr(p, 'dtype', p)) for p in operands)}) as {dtype}, generator {kind}"
    got = draw(report, Generator(34, kind=kind), name, operands, (4, 3), oracle.dtype(dtype)).numpy()
    if "float" in dtype:
        return report.check(label, got.dtype == oracle.dtype(dtype) and got.shape == (4, 3))
    equal(report, label, got, as_integers(wide, dtype))
    into = report.array(np.zeros((3, 4), dtype)).T
    draw_into(into, Generator(34, kind=kind), name, operands)
    return equal(report, f"{label}, into", into, got)


def types(report):
    """Every distribution with parameters as arrays of each type, and for each type of the result: a program has room for the
    constants of all. Integers are the numbers of float64, or int64, truncated."""
    host = report.device == "host"
    rows = {name: (p, name in {row[0] for row in INTS}) for name, p, _ in [*INTS, *FLOATS] if p}
    narrow = {row[0] for row in FLOATS[:7]}  # of floats only
    if not host:
        rows = {name: rows[name] for name in ("f", "wald", "noncentral_f")}
    dtypes = oracle.SIGNED + oracle.UNSIGNED + ["float16", "bfloat16", "float32"] if host else ["int16", "uint64"]
    for kind in (C.ARR_PHILOX4X32, C.ARR_PCG64) if host else (C.ARR_PHILOX4X32,):
        for name, (parameters, whole) in rows.items():
            for given in ("float64", "float16", "uint8", "int64") if host else ("float32",):
                arrays = [report.array(np.full((4, 3), p).astype(given)) for p in parameters]
                wide = draw(
                    report, Generator(34, kind=kind), name, arrays, None, "int64" if whole else "float64"
                ).numpy()
                for dtype in dtypes:
                    if name not in narrow or "float" in dtype:
                        of_type(report, kind, name, arrays, dtype, wide)
    for name, parameters in (("noncentral_f", (0.1, 0.2, 3.0)), ("f", (0.1, 0.2)), ("wald", (1e300, 1e-300))):
        for which in itertools.product((False, True), repeat=len(parameters)) if host else [(False,) * len(parameters)]:
            some = [report.array(np.full((4, 3), p)) if w else p for w, p in zip(which, parameters)]
            wide = draw(report, Generator(34), name, some, (4, 3)).numpy()
            for dtype in ("int8", "uint64"):
                of_type(report, C.ARR_PHILOX4X32, name, some, dtype, wide)


def neighbours(report):
    """An element is the same whatever its neighbours are and however many: loops take many at once and some of them alone."""
    kinds = {
        "standard_gamma": [0.0, 0.05, 0.7, 1.0, 2.5, 1e6, np.inf, np.nan, -1.0],
        "poisson": [0.0, 3.0, 9.99, 10.0, 25.0, 1e6, 1e15, 3e17, np.nan, -1.0],
    }
    for name, parameters in kinds.items():
        n = 700 if report.device == "host" else 70
        alike = [draw(report, Generator(50), name, (report.array(np.full(n, p)),), (n,)).numpy() for p in parameters]
        which = np.random.default_rng(1).integers(0, len(parameters), n)
        mixed = draw(report, Generator(50), name, (report.array(np.array(parameters)[which]),), (n,)).numpy()
        equal(report, f"{name} of mixed parameters", mixed, np.choose(which, alike))
        for m in (m for m in (1, 2, 7, 8, 9, 63, 255, 256, 257, 600) if m < n):
            first = draw(report, Generator(50), name, (report.array(np.array(parameters)[which[:m]]),), (m,)).numpy()
            equal(report, f"{name}: the first {m}", first, mixed[:m])


def independence(report):
    """No correlation of neighbours, of pairs, of channels; bits evenly set."""
    n = 1 << 16 if report.device == "host" else 1 << 12
    bound = 4.5 / np.sqrt(n)
    for dtype in ("float32", "float64"):
        x = draw(report, Generator(40), "standard_normal", (), (n,), dtype).numpy().astype("f8")
        for lag in (1, 2, 3, 4, 8, 256):
            r = np.mean(x[:-lag] * x[lag:])
            report.check(f"normal {dtype} lag {lag}", abs(r) < bound, f"{r}")
        r = np.mean((x[::2] ** 2 - 1) * (x[1::2] ** 2 - 1)) / 2
        report.check(f"squares of pairs {dtype}", abs(r) < 2 * bound, f"{r}")
        report.check(f"largest {dtype}", 3 < np.abs(x).max() < 7)
    w = bits(report, Generator(41), (n,)).numpy()
    ones = np.array([np.mean(w >> np.uint32(b) & 1) for b in range(32)])
    report.check("every bit", bool(np.all(np.abs(ones - 0.5) < bound)), f"{ones}")
    pairs = np.histogram2d(*(w.reshape(2, -1) >> np.uint32(28)), bins=16)[0].ravel()
    report.check("pairs of nibbles", st.chisquare(pairs).pvalue > 1e-4)
    a, b = (draw(report, g, "random", (), (n,)).numpy() for g in Generator(42).spawn(2))
    report.check("children", abs(np.corrcoef(a, b)[0, 1]) < bound)
    gaps = np.diff(np.flatnonzero(draw(report, Generator(43), "random", (), (n,), "float32").numpy() < 0.1))
    report.check("gaps", chi_square(gaps, st.geom(0.1)) > 1e-4)
    runs = draw(report, Generator(44), "random", (), (n // 5, 5), "float32").numpy().argsort(1) @ np.array(
        [10000, 1000, 100, 10, 1]
    )
    report.check("orders of five", st.chisquare(np.unique(runs, return_counts=True)[1]).pvalue > 1e-4)


def main():
    report = oracle.Report(__doc__)
    for part in (distributions, of_arrays, types, neighbours, independence):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
