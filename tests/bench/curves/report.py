# SPDX-License-Identifier: MIT
"""Texts of measured rows: a line each, a summary, and the list of pairs below 1 with the reasons of limits.tsv."""

import math
import pathlib
import statistics

import peers

LIMITS = pathlib.Path(__file__).resolve().parent / "limits.tsv"
WRITTEN = "Written by tests/bench/curves/run.sh --record; do not edit."
BEGIN, END = f"<!-- curves: {WRITTEN} -->", "<!-- curves: end -->"


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


def ranges(rows, known):
    """(rows, limit) of each line of the list: consecutive sizes of one workload, if they are below 1 by one limit."""
    found, groups = [], {}
    for row in rows:
        groups.setdefault((row["workload"], row["dtype"]), []).append(row)
    for group in groups.values():
        last = None
        for row in sorted(group, key=lambda r: r["size"]):
            sentence = limit(row, known) if row["ratio"] < 1 else None
            if sentence and sentence == last:
                found[-1][0].append(row)
            elif sentence is not None:
                found.append(([row], sentence))
            last = sentence
    return sorted(found, key=lambda f: min(r["ratio"] for r in f[0]))


def below(rows):
    """A page in Markdown of all pairs below 1, for each peer those that are furthest behind first."""
    known, out = limits(), [f"<!-- {WRITTEN} -->", "# Pairs below 1", ""]
    behind = [r for r in rows if r["ratio"] < 1]
    out += [
        f"{len(behind)} of {len(rows)} pairs of [the curves](benchmarks.md): libarr takes longer than the peer. The column",
        "limit says why, and comes from `tests/bench/curves/limits.tsv`. Where it holds for consecutive sizes, a line shows the",
        "first and the last of them, and the times of the size that is furthest behind.",
    ]
    for peer in dict.fromkeys(r["peer"] for r in behind):
        chosen = [r for r in rows if r["peer"] == peer]
        out += ["", f"## {peers.TITLES[peer]} {chosen[0]['peer_version']}", ""]
        out += [
            "| workload | dtype | sizes | libarr | peer's time | ratio | range | limit |",
            "|---|---|" + "---:|" * 4 + "---|---|",
        ]
        for some, sentence in ranges(chosen, known):
            r = min(some, key=lambda r: r["ratio"])
            sizes = " to ".join(dict.fromkeys((extent(some[0]), extent(some[-1]))))
            low, high = map(two, r["spread"])
            out.append(
                f"| {r['workload']} | {r['dtype']} | {sizes} | {unit(r['ours_ns'])} | {unit(r['peer_ns'])} "
                f"| {two(r['ratio'])} | {low} to {high} | {sentence} |"
            )
    return "\n".join(out) + "\n"


def two(ratio):
    """A ratio with two digits at least."""
    return f"{ratio:.2g}" if ratio < 0.1 else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def table(rows):
    """Markdown: pairs, pairs below 1 and the median by peer and number of elements."""
    out = [
        f"Medians of the ratio; {'; '.join(dict.fromkeys(r['machine'] for r in rows))}:",
        "",
        "| peer | version | pairs | below 1 | median | up to 1,000 elements | to 100,000 | more |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for peer in dict.fromkeys(r["peer"] for r in rows):
        chosen = [r for r in rows if r["peer"] == peer]
        ratios = [r["ratio"] for r in chosen]
        cells = []
        for low, high in ((0, 1000), (1000, 100_000), (100_000, float("inf"))):
            part = [r["ratio"] for r in chosen if low < r["elements"] <= high]
            cells.append(two(statistics.median(part)) if part else "")
        out.append(
            f"| {peers.TITLES[peer]} | {chosen[0]['peer_version']} | {len(ratios)} | {sum(x < 1 for x in ratios)} "
            f"| {two(statistics.median(ratios))} | {' | '.join(cells)} |"
        )
    return "\n".join(out) + "\n"


def ratios_near(rows, count):
    """Markdown: the ratio of each workload to each peer at the size next to a number of elements."""
    names = [peer for peer in dict.fromkeys(r["peer"] for r in rows) if peer not in peers.LANGUAGES]
    cells = {}
    for r in rows:
        key, far = (r["workload"], r["dtype"]), abs(math.log(r["elements"] / count))
        found = cells.setdefault(key, {}).get(r["peer"])
        if r["peer"] in names and (found is None or far < found[0]):
            cells[key][r["peer"]] = far, r
    out = [
        f"Ratios near {count:,} elements:",
        "",
        f"| workload | dtype | size | {' | '.join(peers.TITLES[n] for n in names)} |",
    ]
    out.append("|---|---|" + "---:|" * (len(names) + 1))
    for (workload, dtype), found in cells.items():
        if found:
            size = extent(next(iter(found.values()))[1])
            ratios = [two(found[n][1]["ratio"]) if n in found else "" for n in names]
            out.append(f"| {workload} | {dtype} | {size} | {' | '.join(ratios)} |")
    return "\n".join(out) + "\n"


def page(text, rows):
    """The text of a page with the tables between its two marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    if not after:
        raise SystemExit(f"the page lacks the lines {BEGIN} and {END}")
    tables = "\n".join((table(rows), ratios_near(rows, 1_000), ratios_near(rows, 1_000_000)))
    return f"{before}{BEGIN}\n\n{tables}\n{END}{after}"
