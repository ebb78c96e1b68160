# SPDX-License-Identifier: MIT
"""Histograms through the C API, over arrpy."""

import ctypes

import arrpy

c = arrpy.c


def _histogram_options(ranges, weights, density):
    """Its second part must live as long as the first."""
    kept = None
    if ranges is not None:
        nan = float("nan")
        flat = [v for r in ranges for v in ((nan, nan) if r is None else r)]
        kept = (ctypes.c_double * len(flat))(*flat)
    options = c.arr_histogram_options(
        ctypes.sizeof(c.arr_histogram_options), kept, None if weights is None else weights.handle, int(density), 0
    )
    return options, kept


def histogram(x, bins=10, range=None, density=False, weights=None):
    """bins: a number or an array of edges."""
    options, _kept = _histogram_options(None if range is None else [range], weights, density)
    counts, edges = c.arr_array(), c.arr_array()
    given = bins if isinstance(bins, arrpy.Array) else None
    arrpy.call(
        "arr_histogram",
        x.handle,
        0 if given else bins,
        given.handle if given else None,
        ctypes.byref(options),
        None,
        ctypes.byref(counts),
        ctypes.byref(edges),
    )
    return arrpy.Array(counts), arrpy.Array(edges)


def histogram_bin_edges(x, bins=10, range=None):
    options, _kept = _histogram_options(None if range is None else [range], None, False)
    return arrpy.made("arr_histogram_bin_edges", x.handle, bins, ctypes.byref(options), None)


def histogram2d(x, y, bins=(10, 10), range=None, density=False, weights=None):
    options, _kept = _histogram_options(range, weights, density)
    counts, xedges, yedges = c.arr_array(), c.arr_array(), c.arr_array()
    numbers = [0 if isinstance(b, arrpy.Array) else b for b in bins]
    given = [b.handle if isinstance(b, arrpy.Array) else None for b in bins]
    arrpy.call(
        "arr_histogram2d",
        x.handle,
        y.handle,
        *numbers,
        *given,
        ctypes.byref(options),
        None,
        *map(ctypes.byref, (counts, xedges, yedges)),
    )
    return arrpy.Array(counts), arrpy.Array(xedges), arrpy.Array(yedges)


def histogramdd(points, bins, range=None, density=False, weights=None):
    """points: a list of vectors; bins: a number or an array of edges each."""
    options, _kept = _histogram_options(range, weights, density)
    n = len(points)
    counts, edges = c.arr_array(), (c.arr_array * n)()
    given = (c.arr_array * n)(*(b.handle if isinstance(b, arrpy.Array) else None for b in bins))
    arrpy.call(
        "arr_histogramdd",
        n,
        (c.arr_array * n)(*(p.handle for p in points)),
        arrpy.int64s([0 if isinstance(b, arrpy.Array) else b for b in bins]),
        given,
        ctypes.byref(options),
        None,
        ctypes.byref(counts),
        edges,
    )
    return arrpy.Array(counts), [arrpy.Array(c.arr_array(e.value)) for e in edges]
