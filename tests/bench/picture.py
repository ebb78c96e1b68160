# SPDX-License-Identifier: MIT
"""Draws the ratios of a benchmark run as an SVG bar chart, on a logarithmic axis."""

import html
import math


def largest(rows):
    """Keeps the largest size of each workload."""
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


def curve(points, x, y, color, dashes=""):
    path = " ".join(f"{x(n):.1f},{y(ns):.1f}" for n, ns in sorted(points))
    return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.3"{dashes}/>'


def panel(rows, left, top, width, height, high):
    """Nanoseconds per element over row lengths, both on logarithmic axes."""
    longest = max(r["length"] for r in rows)
    low = 0.01

    def x(n):
        return left + math.log(n) / math.log(max(longest, 2)) * width

    def y(ns):
        return top + height - math.log(min(max(ns, low), high) / low) / math.log(high / low) * height

    out = [f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#ccc"/>']
    for ns in (0.1, 1, 10):
        out.append(f'<line x1="{left}" y1="{y(ns):.1f}" x2="{left + width}" y2="{y(ns):.1f}" stroke="#eee"/>')
        out.append(f'<text x="{left - 4}" y="{y(ns) + 4:.1f}" text-anchor="end" fill="#666">{ns:g}</text>')
    for n in (1, 10, 100, 1000):
        if n <= longest:
            out.append(f'<text x="{x(n):.1f}" y="{top + height + 13}" text-anchor="middle" fill="#666">{n}</text>')
    for key, color in (("numpy_ns", "#b5523b"), ("ours_ns", "#2a7f62")):
        for axis, dashes in ((0, ' stroke-dasharray="4 3"'), (1, "")):
            points = [(r["length"], r[key]) for r in rows if r["axis"] == axis]
            out.append(curve(points, x, y, color, dashes))
    return out


def draw_curves(rows, width=190, height=120):
    """A panel for each reduction and dtype."""
    names = list(dict.fromkeys(r["reduction"] for r in rows))
    dtypes = list(dict.fromkeys(r["dtype"] for r in rows))
    left, top, gap = 90, 76, 42
    high = max(max(r["numpy_ns"], r["ours_ns"]) for r in rows)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + len(dtypes) * (width + gap)}" '
        f'height="{top + len(names) * (height + gap)}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        '<text x="10" y="20" font-size="15" font-weight="bold">Reductions: nanoseconds per element over the length of '
        "a row</text>",
        '<text x="10" y="38" fill="#666">libarr <tspan fill="#2a7f62">green</tspan>, NumPy '
        '<tspan fill="#b5523b">red</tspan>; along rows solid, along columns dashed</text>',
    ]
    for j, dtype in enumerate(dtypes):
        x = left + j * (width + gap)
        out.append(f'<text x="{x + width / 2}" y="{top - 8}" text-anchor="middle" font-weight="bold">{dtype}</text>')
        for i, name in enumerate(names):
            y = top + i * (height + gap)
            chosen = [r for r in rows if r["reduction"] == name and r["dtype"] == dtype]
            if j == 0:
                out.append(f'<text x="10" y="{y + height / 2}" font-weight="bold">{html.escape(name)}</text>')
            out += panel(chosen, x, y, width, height, high) if chosen else []
    return "\n".join(out + ["</svg>"]) + "\n"
