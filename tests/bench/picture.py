# SPDX-License-Identifier: MIT
"""Draws the ratios of a benchmark run as an SVG bar chart, on a logarithmic axis."""

import html
import math


def largest(rows):
    """Of a workload at several sizes, the largest."""
    found = {}
    for r in rows:
        key = (r["workload"], r["dtype"], r["peer"])
        if key not in found or r["size"] > found[key]["size"]:
            found[key] = r
    return list(found.values())


def draw(rows, width=820):
    rows = largest(rows)
    bar, left, right, top = 22, 330, 70, 48
    height = top + bar * len(rows) + 34
    low = min(0.5, *(r["ratio"] for r in rows))
    high = max(2.0, *(r["ratio"] for r in rows))
    scale = (width - left - right) / (math.log(high) - math.log(low))

    def x(ratio):
        return left + (math.log(ratio) - math.log(low)) * scale

    peers = ", ".join(sorted({f"{r['peer']} {r['peer_version']}" for r in rows}))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="10" y="20" font-size="15" font-weight="bold">libarr, times as fast as {html.escape(peers)}</text>',
        '<text x="10" y="37" fill="#666">medians of one run, host backend; right of the line libarr is ahead</text>',
    ]
    for i, r in enumerate(rows):
        y = top + i * bar
        ahead = r["ratio"] >= 1
        a, b = sorted((x(1), x(r["ratio"])))
        label = html.escape(f"{r['workload']}, {r['dtype']}, n = {r['size']:,}")
        out.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{label}</text>')
        out.append(
            f'<rect x="{a:.1f}" y="{y + 4}" width="{max(b - a, 1):.1f}" height="{bar - 8}" '
            f'fill="{"#2a7f62" if ahead else "#b5523b"}"/>'
        )
        out.append(f'<text x="{b + 5:.1f}" y="{y + 15}">{r["ratio"]:.2f}</text>')
    bottom = top + bar * len(rows)
    out.append(f'<line x1="{x(1):.1f}" y1="{top}" x2="{x(1):.1f}" y2="{bottom}" stroke="#333"/>')
    ticks = [t for t in (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128) if low <= t <= high]
    out += [f'<text x="{x(t):.1f}" y="{bottom + 18}" text-anchor="middle" fill="#666">{t:g}x</text>' for t in ticks]
    return "\n".join(out + ["</svg>"]) + "\n"
