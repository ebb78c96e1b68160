#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small programs that NumPy's users write with indices, sorts and counts, once with NumPy and once with the library."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of oracle.py
import numpy as np

import oracle
from indexing import C, compare, get, handles, make, put_items, several, update
from oracle import arrpy

ALL = slice(None)
i64, i32 = arrpy.int64s, arrpy.int32s


def number(report, x):
    return report.array(np.asarray(x))


def argmin(a, axis):
    return arrpy.reduce("argmin", a, axis)


def k_means(report):
    """Lloyd's algorithm; a cluster's mean is two sums at computed places."""
    r = np.random.default_rng(1)
    middles = np.array([[0, 0], [10, 0], [0, 10]])
    x = (middles[r.integers(0, 3, 90)] + r.integers(-2, 3, (90, 2))).astype("f8")
    centers, points, k = x[:3].copy(), report.array(x), 3
    mine = report.array(centers)
    for _ in range(6):
        label = np.argmin(((x[:, None] - centers) ** 2).sum(-1), 1)
        sums, counts = np.zeros((k, 2)), np.bincount(label, minlength=k)
        np.add.at(sums, label, x)
        centers = sums / np.maximum(counts, 1)[:, None]

        away = points[:, None] - mine
        near = argmin(arrpy.reduce("sum", away * away, -1), 1)
        added = report.array(np.zeros((k, 2)))
        update(report, "add", added, near, points)
        counted = arrpy.apply("maximum", arrpy.bincount(near, minlength=k), number(report, 1))
        mine = added / counted[:, None]
    compare(report, "k-means labels", near, label)
    compare(report, "k-means centers", mine, centers)


def life(report):
    """A torus of cells: neighbours by rolls, births and deaths by masks."""
    world = (np.random.default_rng(2).random((16, 24)) < 0.4).astype("i4")
    mine = report.array(world)
    turns = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
    for _ in range(5):
        n = sum(np.roll(world, t, (0, 1)) for t in turns)
        world[(world == 1) & ((n < 2) | (n > 3))] = 0
        world[n == 3] = 1

        rolled = [make("arr_roll", mine, 2, i64(t), i32([0, 1]), None) for t in turns]
        around = rolled[0]
        for more in rolled[1:]:
            around = around + more
        dead = (mine == 1) & ((around < 2) | (around > 3))
        put_items(report, mine, dead, 0)
        put_items(report, mine, around == 3, 1)
    compare(report, "life", mine, world)


def equalised(report):
    """The histogram of an image spread over all greys: a table that the image indexes."""
    image = (np.random.default_rng(3).normal(100, 20, (40, 50))).clip(0, 255).astype("u1")
    counts = np.cumsum(np.bincount(image.ravel(), minlength=256))
    table = ((counts - counts.min()) * 255 // (counts.max() - counts.min())).astype("u1")
    mine = report.array(image)
    sums = arrpy.scan("cumsum", arrpy.bincount(mine.reshape(-1), minlength=256), 0)
    low, high = arrpy.reduce("min", sums), arrpy.reduce("max", sums)
    spread = ((sums - low) * 255 // (high - low)).astype("uint8")
    compare(report, "equalised", make("arr_take", spread, mine, 0, 0, None), table[image])


def nearest(report):
    """The k nearest of each query by argpartition, in order of distance by a sort along the axis."""
    r = np.random.default_rng(4)
    points, queries, k = r.permutation(4000)[:200].reshape(100, 2), r.integers(0, 4000, (7, 2)), 5
    far = ((queries[:, None] - points) ** 2).sum(-1)
    some = np.argpartition(far, k - 1, 1)[:, :k]
    order = np.argsort(np.take_along_axis(far, some, 1), 1, kind="stable")
    want = np.take_along_axis(far, np.take_along_axis(some, order, 1), 1)

    away = report.array(queries)[:, None] - report.array(points)
    distance = arrpy.reduce("sum", away * away, -1)
    first = make("arr_argpartition", distance, 1, i64([k - 1]), 1, None)[:, :k]
    of_these = make("arr_take_along_axis", distance, first, 1, 0, None)
    found = make("arr_take_along_axis", first, make("arr_argsort", of_these, 1, 0, None), 1, 0, None)
    compare(report, "distances of the nearest", make("arr_take_along_axis", distance, found, 1, 0, None), want)
    best = get(report, get(report, report.array(points), found), (ALL, 0))
    compare(report, "coordinates of the nearest", best, points[far.argmin(1)])


def one_hot(report):
    label = np.random.default_rng(5).integers(0, 6, 30)
    want = np.zeros((30, 6), "f4")
    want[np.arange(30), label] = 1
    mine, at = report.array(np.zeros((30, 6), "f4")), report.array(label)
    put_items(report, mine, (arrpy.arange(0, 30, device=report.device), at), 1)
    compare(report, "one-hot by indices", mine, want)
    compare(
        report,
        "one-hot by rows",
        get(report, arrpy.eye(6, dtype="f4", device=report.device), at),
        np.eye(6, dtype="f4")[label],
    )
    compare(report, "labels of one-hot", arrpy.reduce("argmax", mine, 1), label)
    loss = get(report, mine, (arrpy.arange(0, 30, device=report.device), at))
    compare(report, "scores of the labels", loss, np.ones(30, "f4"))


def sparse(report):
    """Coordinates to a matrix and to compressed rows, where entries of one place add up."""
    r = np.random.default_rng(6)
    rows, columns, values = r.integers(0, 8, 60), r.integers(0, 9, 60), r.integers(1, 9, 60).astype("f8")
    want = np.zeros((8, 9))
    np.add.at(want, (rows, columns), values)
    i, j, v = (report.array(x) for x in (rows, columns, values))
    mine = report.array(np.zeros((8, 9)))
    update(report, "add", mine, (i, j), v)
    compare(report, "coordinates to a matrix", mine, want)
    order = np.lexsort((columns, rows))
    by_rows = make("arr_lexsort", 2, handles([j, i]), 0, None)
    compare(report, "order of compressed rows", by_rows, order)
    starts = np.searchsorted(rows[order], np.arange(9))
    lines = get(report, i, by_rows)
    compare(
        report, "starts of rows", make("arr_searchsorted", lines, report.array(np.arange(9)), 0, None, None), starts
    )
    back = several("arr_nonzero", 2, mine.handle, None)
    for axis, (g, w) in enumerate(zip(back, np.nonzero(want), strict=True)):
        compare(report, f"matrix to coordinates {axis}", g, w)
    compare(report, "values of the coordinates", get(report, mine, tuple(back)), want[np.nonzero(want)])


def runs(report):
    """Run lengths of a vector, and the vector again."""
    x = np.repeat(np.random.default_rng(7).integers(0, 3, 40), np.random.default_rng(8).integers(1, 5, 40))
    change = np.flatnonzero(np.diff(x)) + 1
    starts = np.concatenate([[0], change])
    lengths = np.diff(np.append(starts, len(x)))
    mine = report.array(x)
    turns = make("arr_flatnonzero", mine[1:] != mine[:-1], None) + 1
    first = make("arr_concatenate", 2, handles([report.array(np.zeros(1, "i8")), turns]), 0, 0, None)
    ends = make("arr_append", first, report.array(np.array([len(x)])), 0, None)
    counts = ends[1:] - ends[:-1]
    compare(report, "starts of runs", first, starts)
    compare(report, "lengths of runs", counts, lengths)
    values = make("arr_take", mine, first, 0, 0, None)
    compare(report, "values of runs", values, x[starts])
    # Each place belongs to the last run that has begun.
    marks = report.array(np.zeros(len(x), "i8"))
    put_items(report, marks, first, 1)
    which = arrpy.scan("cumsum", marks, 0) - 1
    compare(report, "runs written out", get(report, values, which), x)


def windows(report):
    """Sliding windows by an index of two dimensions and as a view: moving sums, and the place of each window's maximum."""
    x = np.random.default_rng(9).integers(0, 100, 50).astype("f8")
    want = np.lib.stride_tricks.sliding_window_view(x, 7)
    n = len(want)
    at = arrpy.arange(0, n, device=report.device)[:, None] + arrpy.arange(0, 7, device=report.device)
    mine = get(report, report.array(x), at)
    compare(report, "windows by indices", mine, want)
    mine = make("arr_sliding_window_view", report.array(x), 1, i64([7]), None)
    compare(report, "windows", mine, want)
    compare(report, "sums of windows", arrpy.reduce("sum", mine, 1), want.sum(1))
    compare(report, "maxima of windows", arrpy.reduce("argmax", mine, 1), want.argmax(1))
    sums = np.cumsum(np.concatenate([[0.0], x]))
    mine = arrpy.scan("cumsum", make("arr_insert", report.array(x), 0, number(report, 0.0), 0, None), 0)
    compare(report, "sums of windows by a running sum", mine[7:] - mine[:-7], sums[7:] - sums[:-7])


def groups(report):
    """Sums, largest elements and ranks per group; the best of each group by a sort."""
    r = np.random.default_rng(10)
    key, x = r.integers(0, 5, 40), r.permutation(40)
    sums, maxima = np.zeros(5, "i8"), np.full(5, -1)
    np.add.at(sums, key, x)
    np.maximum.at(maxima, key, x)
    at, v = report.array(key), report.array(x)
    total, best = report.array(np.zeros(5, "i8")), report.array(np.full(5, -1))
    update(report, "add", total, at, v)
    update(report, "maximum", best, at, v)
    compare(report, "sums of groups", total, sums)
    compare(report, "maxima of groups", best, maxima)
    order = np.lexsort((-x, key))
    mine = make("arr_lexsort", 2, handles([-v, at]), 0, None)
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    sorted_keys = get(report, at, mine)
    before = make("arr_insert", sorted_keys[:-1], 0, number(report, -1), 0, None)
    heads = make("arr_flatnonzero", sorted_keys != before, None)
    compare(report, "heads of groups", heads, first)
    compare(report, "best of groups", get(report, get(report, v, mine), heads), x[order][first])
    rank = np.empty(40, "i8")
    rank[np.argsort(x)] = np.arange(40)
    ranks = arrpy.empty(40, "i8", device=report.device)
    put_items(report, ranks, make("arr_argsort", v, 0, 0, None), arrpy.arange(0, 40, device=report.device))
    compare(report, "ranks", ranks, rank)


def images(report):
    """A border, a median of neighbours, blocks of a picture, its corners and a palette."""
    r = np.random.default_rng(11)
    image = r.integers(0, 255, (12, 16)).astype("u1")
    mine = report.array(image)
    wide = np.pad(image, 1, "reflect")
    bordered = make("arr_pad", mine, 1, i64([1]), C.ARR_PAD_REFLECT, None, None)
    near = np.stack([wide[y : y + 12, x : x + 16] for y in range(3) for x in range(3)])
    parts = [bordered[y : y + 12, x : x + 16] for y in range(3) for x in range(3)]
    stacked = make("arr_stack", 9, handles(parts), 0, 0, None)
    middle = make("arr_partition", stacked, 1, i64([4]), 0, None)[4]
    compare(report, "median of neighbours", middle, np.sort(near, 0)[4])
    blocks = image.reshape(3, 4, 4, 4).swapaxes(1, 2).reshape(-1, 4, 4)
    cut = make("arr_swapaxes", mine.reshape(3, 4, 4, 4), 1, 2).reshape(-1, 4, 4)
    compare(report, "blocks", cut, blocks)
    indices = several("arr_ix", 2, 2, handles([number(report, [0, 11]), number(report, [0, 15])]), None)
    compare(report, "corners", get(report, mine, tuple(indices)), image[np.ix_([0, 11], [0, 15])])
    palette = r.integers(0, 255, (256, 3)).astype("u1")
    compare(report, "palette", get(report, report.array(palette), mine), palette[image])
    turned = make("arr_rot90", mine, 1, 0, 1)
    compare(report, "turned and mirrored", turned[::-1], np.rot90(image)[::-1])


def main():
    report = oracle.Report(__doc__)
    for part in report.chosen((k_means, life, equalised, nearest, one_hot, sparse, runs, windows, groups, images)):
        part(report)
    report.finish()


if __name__ == "__main__":
    main()
