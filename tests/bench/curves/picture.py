# SPDX-License-Identifier: MIT
"""Draws a peer's ratios over the number of elements: a panel per group, a line per workload, both axes logarithmic."""

import html
import math

GROUPS = {
    "elements": "Element-wise, copies, random numbers",
    "reductions": "Reductions and scans",
    "order": "Sorting and order",
    "products": "Products, solutions, transforms",
    "programs": "Programs of examples/programs, in this language",
}
COLORS = "#1b6ca8", "#b5523b", "#2a7f62", "#8250b0", "#b8860b", "#c2185b", "#5d6d7e", "#00838f"
DASHES = "", "6 3", "2 2"
PLOT, NAMES, HEIGHT, LEFT, TOP, GAP = 420, 175, 330, 58, 84, 66
MIN_WIDTH = 800  # of the title
LINE = 13  # height of a label
MOST = 1024.0  # ratios above are drawn here


def spread_out(heights, low, high):
    """Moves labels apart, in their order, so that each has its line and all stay in low .. high."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    placed = dict.fromkeys(order, 0.0)
    for k, i in enumerate(order):
        placed[i] = max(heights[i], placed[order[k - 1]] + LINE if k else low)
    limit = high
    for i in reversed(order):
        placed[i] = limit = min(placed[i], limit)
        limit -= LINE
    return [placed[i] for i in range(len(heights))]


def power(exponent):
    return str(2**exponent) if exponent >= 0 else f"1/{2**-exponent}"


class Panel:
    """The axes of one group; x and y turn elements and ratios into positions."""

    def __init__(self, left, top, span, height, title):
        self.left, self.top, self.span, self.height, self.title = left, top, span, height, title

    def x(self, n):
        low, high = self.span[:2]
        return self.left + math.log(n / low) / math.log(high / low) * PLOT

    def y(self, ratio):
        low, high = self.span[2:]
        return self.top + self.height - math.log(ratio / low) / math.log(high / low) * self.height

    def frame(self):
        left, bottom, right = self.left, self.top + self.height, self.left + PLOT
        one = self.y(1)
        out = [
            f'<text x="{left}" y="{self.top - 9}" font-size="13" font-weight="bold">{self.title}</text>',
            f'<rect x="{left}" y="{one:.1f}" width="{PLOT}" height="{bottom - one:.1f}" fill="#fbeeea"/>',
        ]
        for k in range(-12, 13, 1):
            if not self.span[2] <= 2.0**k <= self.span[3]:
                continue
            y = self.y(2.0**k)
            out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#e4e4e4"/>')
            if k % (1 if self.span[3] / self.span[2] < 200 else 2) == 0:
                out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{power(k)}</text>')
        for k in range(1, 8):
            x = self.x(10.0**k)
            out.append(f'<line x1="{x:.1f}" y1="{self.top}" x2="{x:.1f}" y2="{bottom}" stroke="#e4e4e4"/>')
            out.append(
                f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" fill="#555">10'
                f'<tspan dy="-5" font-size="9">{k}</tspan></text>'
            )
        out.append(f'<text x="{right + 11}" y="{bottom + 16}" fill="#555">elements</text>')
        out.append(f'<line x1="{left}" y1="{one:.1f}" x2="{right}" y2="{one:.1f}" stroke="#222" stroke-width="1.6"/>')
        return out

    def lines(self, curves):
        """A line per workload, with its name in its colour behind its end."""
        ends = [self.y(points[-1][1]) + 4 for points in curves.values()]
        heights = spread_out(ends, self.top + 4, self.top + self.height + 8)
        out = []
        for i, ((name, points), height) in enumerate(zip(curves.items(), heights)):
            color, dash = COLORS[i % len(COLORS)], DASHES[i // len(COLORS) % len(DASHES)]
            path = " ".join(f"{self.x(n):.1f},{self.y(ratio):.1f}" for n, ratio in points)
            last, right = self.x(points[-1][0]), self.left + PLOT
            out.append(
                f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.6" stroke-dasharray="{dash}"/>'
            )
            out += [f'<circle cx="{self.x(n):.1f}" cy="{self.y(r):.1f}" r="2" fill="{color}"/>' for n, r in points]
            out.append(
                f'<polyline points="{last:.1f},{ends[i] - 4:.1f} {right + 8:.1f},{height - 4:.1f}" fill="none" '
                f'stroke="{color}" stroke-width="0.6" opacity="0.6"/>'
            )
            out.append(f'<text x="{right + 11}" y="{height:.1f}" fill="{color}">{html.escape(name)}</text>')
        return out


def grouped(rows, group):
    """{workload and type: [(elements, ratio)]} of a group."""
    curves = {}
    for r in rows:
        if r["group"] == group:
            curves.setdefault(f"{r['workload']} {r['dtype']}", []).append((r["elements"], min(r["ratio"], MOST)))
    return {name: sorted(points) for name, points in curves.items()}


def draw(rows, title):
    groups = {group: found for group in GROUPS if (found := grouped(rows, group))}
    ratios = [ratio for found in groups.values() for points in found.values() for _, ratio in points]
    low, high = (
        2.0 ** round_(math.log2(x)) for x, round_ in ((min(0.5, *ratios), math.floor), (max(2.0, *ratios), math.ceil))
    )
    height = max(HEIGHT, LINE * max(map(len, groups.values())))
    lines = (len(groups) + 1) // 2
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{max(MIN_WIDTH, min(2, len(groups)) * (LEFT + PLOT + NAMES) + 10)}" '
        f'height="{TOP + lines * (height + GAP)}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="10" y="22" font-size="16" font-weight="bold">libarr beside {title} '
        f"{html.escape(rows[0]['peer_version'])}: how many times as fast, over the number of elements</text>",
        f'<text x="10" y="42" fill="#555">{html.escape(rows[0]["machine"])}; medians; above the line at 1 libarr is '
        "ahead, in the shaded part the peer is</text>",
    ]
    for i, (group, curves) in enumerate(groups.items()):
        left, top = LEFT + i % 2 * (LEFT + PLOT + NAMES), TOP + i // 2 * (height + GAP)
        panel = Panel(left, top, (8, 1.2e7, low, high), height, GROUPS[group])
        out += [*panel.frame(), *panel.lines(curves)]
    return "\n".join(out + ["</svg>"]) + "\n"
