# SPDX-License-Identifier: MIT
"""Texts of measured rows: a line each, a summary, and the list of pairs below 1 with the reasons of limits.tsv."""

import pathlib
import statistics

import peers

LIMITS = pathlib.Path(__file__).resolve().parent / "limits.tsv"


def unit(ns):
    return f"{ns / 1e6:.3g} ms" if ns >= 1e6 else f"{ns / 1e3:.3g} us" if ns >= 1e3 else f"{ns:.0f} ns"


def extent(row):
    """The size as a reader writes it."""
    return f"{row['size']:,} x {row['size']:,}" if row["square"] else f"{row['size']:,}"


def line(row):
    low, high = row["spread"]
    return (
        f"{row['peer']:8} {row['workload']:20} {row['dtype']:9} {extent(row):>13} {unit(row['ours_ns']):>9} "
        f"{unit(row['peer_ns']):>9} {row['ratio']:8.2f}  {low:.2f}-{high:.2f}{'' if row['checked'] else '  DIFFERS'}"
    )


def summary(rows):
    """A line per peer: how many pairs, how many below 1, the median ratio."""
    lines = []
    for peer in dict.fromkeys(r["peer"] for r in rows):
        ratios = [r["ratio"] for r in rows if r["peer"] == peer]
        behind = sum(ratio < 1 for ratio in ratios)
        lines.append(f"{peer:8} {len(ratios)} pairs, {behind} below 1, median {statistics.median(ratios):.2f}")
    return "\n".join(lines)


def limits(path=LIMITS):
    """(peers, workload, type, lowest size, highest size, sentence) of each line; * stands for all."""
    found = []
    for text in path.read_text().splitlines():
        if text and not text.startswith("#"):
            names, workload, dtype, sizes, sentence = text.split("\t")
            low, _, high = sizes.partition("-")
            found.append((names.split(","), workload, dtype, float(low or 0), float(high or "inf"), sentence))
    return found


def limit(row, known):
    """The sentence of the first line that covers a row."""
    for names, workload, dtype, low, high, sentence in known:
        if (
            (names == ["*"] or row["peer"] in names)
            and workload in ("*", row["workload"])
            and dtype in ("*", row["dtype"])
            and low <= row["size"] <= high
        ):
            return sentence
    return ""


def below(rows):
    """A table in Markdown of all pairs below 1, those that are furthest behind first."""
    behind = sorted((r for r in rows if r["ratio"] < 1), key=lambda r: r["ratio"])
    known = limits()
    out = [
        "<!-- Written by tests/bench/curves/run.sh; the column limit comes from tests/bench/curves/limits.tsv. -->",
        "# Pairs below 1",
        "",
        f"{len(behind)} of {len(rows)} pairs of [the curves](benchmarks.md): libarr takes longer than the peer.",
        "",
        "| peer | workload | dtype | size | libarr | peer's time | ratio | range | limit |",
        "|---|---|---|---:|---:|---:|---:|---|---|",
    ]
    for r in behind:
        low, high = r["spread"]
        out.append(
            f"| {peers.TITLES[r['peer']]} | {r['workload']} | {r['dtype']} | {extent(r)} | {unit(r['ours_ns'])} "
            f"| {unit(r['peer_ns'])} | {r['ratio']:.2f} | {low:.2f} to {high:.2f} | {limit(r, known)} |"
        )
    return "\n".join(out) + "\n"
