#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Laws of distributions near the ends of their parameters' ranges."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np
import scipy.special as sp
import scipy.stats as st

import oracle
from draws import Generator, chi_square, draw
from oracle import arrpy
from random_limits import LARGEST, N, fresh, numbers


def follows(report, label, x, cdf):
    p = st.kstest(x, cdf).pvalue
    report.check(label, np.isfinite(x).all() and p > 1e-4, f"p {p:.2g}: {x[:4]}")


def zipf_cdf(a):
    """The distribution with an exponent near 1, among the numbers below 2^63."""

    def sums(k):  # of j^-a for j = 1 .. k
        k = np.asarray(k, "f8")
        return (
            np.log(k) + np.euler_gamma + 1 / (2 * k) - 1 / (12 * k * k)
            if a - 1 < 1e-9
            else sp.zeta(a) - sp.zeta(a, k + 1)
        )

    return lambda k: sums(k) / sums(2.0**63)


def near_one(report):
    for a in (1 + 2.0**-52, 1 + 1e-13, 1.001, 1.0156, 1.0157, 1.2):  # on both sides of 1 + 2^-6
        x, cdf = numbers(report, "zipf", a), zipf_cdf(a)
        # Whole numbers take counts of cells that are about equally likely.
        edges = np.unique(np.quantile(x, np.linspace(0, 1, 33)[1:-1]))
        chances = np.diff(np.concatenate([[0], cdf(edges), [1]]))
        counts = np.diff(np.concatenate([[0], np.searchsorted(np.sort(x), edges, side="right"), [len(x)]]))
        ok = chances * N > 3
        p = (
            st.chisquare(
                np.append(counts[ok], counts[~ok].sum()), N * np.append(chances[ok], chances[~ok].sum())
            ).pvalue
            if not ok.all()
            else st.chisquare(counts, chances * N).pvalue
        )
        report.check(f"zipf {a}", (x >= 1).all() and p > 1e-5, f"p {p:.2g}: {x[:5]}")


def laws(report):
    near_one(report)
    for a, b in ((5e-324, 5e-324), (1e-320, 3e-320), (1e-300, 1e-300)):
        x = numbers(report, "beta", a, b)
        share = a / (a + b)
        report.check(
            f"beta {a} {b}",
            set(np.unique(x)) <= {0, 1} and abs(x.mean() - share) < 5 * np.sqrt(share * (1 - share) / N),
            f"{x.mean()}",
        )
    alpha = report.array(np.full(2, 5e-324))
    rows = arrpy.made("arr_random_dirichlet", fresh(), alpha.handle, 1, arrpy.int64s((N,)), None).numpy()
    report.check(
        "dirichlet 5e-324",
        set(np.unique(rows)) <= {0, 1} and (rows.sum(1) == 1).all() and abs(rows[:, 0].mean() - 0.5) < 0.04,
        f"{rows.mean(0)}",
    )
    near_zero(report, "numbers", 0.002)
    near_zero(report, "arrays", report.array(np.array(0.002)))
    follows(report, "wald of a large mean", 1 / numbers(report, "wald", 1e300, 1.0), st.chi2(1).cdf)  # Levy's
    for mean, scale in ((1e300, 3e300), (2e-300, 4e-300)):
        follows(
            report, f"wald {mean} {scale}", numbers(report, "wald", mean, scale) / scale, st.invgauss(mean / scale).cdf
        )
    for by in (1e-300, 1e-200, 1e305):
        follows(
            report,
            f"triangular times {by}",
            numbers(report, "triangular", 0.0, by, 3 * by) / by,
            st.triang(1 / 3, 0, 3).cdf,
        )
    follows(
        report,
        "triangular of all",
        numbers(report, "triangular", -1.7e308, 0.0, 1.7e308) / 1.7e308,
        st.triang(0.5, -1, 2).cdf,
    )
    nonc = 1e20
    follows(
        report,
        "noncentral_chisquare",
        (numbers(report, "noncentral_chisquare", 0.5, nonc) - nonc) / np.sqrt(4 * nonc),
        st.norm.cdf,
    )
    follows(report, "poisson", (numbers(report, "poisson", 9.2e18) - 9.2e18) / np.sqrt(9.2e18), st.norm.cdf)
    for n, p in ((2**53, 0.3), (2**62, 0.5), (LARGEST, 0.5), (LARGEST, 0.999)):
        x = numbers(report, "binomial", np.int64(n), p).astype("f8")
        follows(report, f"binomial {n} {p}", (x - n * p) / np.sqrt(n * p * (1 - p)), st.norm.cdf)
    x = numbers(report, "binomial", np.int64(2**60), 1e-15)
    report.check("binomial 2^60 1e-15", chi_square(x, st.poisson(2**60 * 1e-15)) > 1e-4, f"{x[:5]}")
    half, quarter = 2.0**51, 2.0**50
    for good, bad, sample in ((half, half, quarter), (quarter, half, 2.0**40), (2.0**30, half, half)):
        total, x = good + bad, numbers(report, "hypergeometric", good, bad, sample).astype("f8")
        mean, variance = sample * good / total, sample * good / total * (bad / total) * (total - sample) / (total - 1)
        follows(
            report,
            f"hypergeometric {good} {bad} {sample}",
            (x - mean + np.random.default_rng(1).random(N) - 0.5) / np.sqrt(variance),
            st.norm.cdf,
        )
    x = numbers(report, "hypergeometric", half, quarter, 1000.0)
    report.check("hypergeometric of few", chi_square(x, st.binom(1000, 2 / 3)) > 1e-4, f"{x[:5]}")


def near_zero(report, label, a):
    """F numbers of equal shapes, of which half are beyond a double: those that are not, by their logarithms."""
    x = np.log(draw(report, Generator(9), "f", (a, 0.002), (N,)).numpy())
    report.check(f"f of {label}: no nan", not np.isnan(x).any())

    def cdf(y):  # of a beta number's odds
        tail = sp.betainc(0.001, 0.001, sp.expit(-np.abs(y)))
        return np.where(y < 0, tail, 1 - tail)

    inside = x[np.abs(x) < 700]
    share = 2 * float(cdf(-700.0))
    report.check(
        f"f of {label}: beyond a double",
        abs(1 - len(inside) / N - share) < 5 * np.sqrt(share / N),
        f"{1 - len(inside) / N}, expected {share}",
    )
    follows(report, f"f of {label}", inside, lambda y: (cdf(y) - share / 2) / (1 - share))


def main():
    report = oracle.Report(__doc__)
    laws(report)
    report.finish()


if __name__ == "__main__":
    main()
