# SPDX-License-Identifier: MIT
"""Operands of domains.py: values around the edges of the domains of functions."""

import numpy as np


def near(values, t):
    """The values and their neighbours on both sides."""
    v = np.array(values, t)
    return np.r_[v, np.nextafter(v, t(np.inf)), np.nextafter(v, t(-np.inf))]


# Zeros and extremes of the special functions.
ZEROS = [
    float(x)
    for x in """
    2.404825557695773 5.520078110286311 8.653727912911013 11.791534439014281 3.8317059702075125 7.015586669815619
    0.8935769662791675 3.957678419314858 7.086051060301773 2.197141326031017 5.429681040794135 1.4616321449683622
    -0.504083008264456 -1.5734984731623907 -2.610720868444145 -2.4570247382208006 -2.7476826467274127
    -3.1435808883499797 -3.9552942848585977 0.2784645427610738 1.5707963267948966
""".split()
]
POWERS = np.array(
    [
        int(x)
        for x in """
    -1074 -1073 -1060 -1030 -1000 -900 -700 -600 -512 -300 -140 -126 -100 -64 -55 -53 -40 -30 -27 -26 -20 -12 -9 -8
    24 27 31 32 33 50 52 53 54 64 100 127 300 511 512 513 600 900 1000 1022 1023
""".split()
    ]
)


def real_grid(t):
    info = np.finfo(t)
    smallest, tiny, largest = info.smallest_subnormal, info.tiny, info.max
    whole = np.r_[np.arange(-25, 26), -33, -100, -170, -171, -172, 30, 33, 35, 170, 171, 172, -1e5, 1e5]
    ends = [tiny, largest, 0.1, 0.25, 0.3, 0.75, 1.2, 5e-3, 36.7, 37.5, 38.5, 88.72, 103.9, 700, 709.78, 713.9, 745.1]
    some = np.r_[2.0**POWERS, 3.3 * 2.0 ** np.clip(POWERS, -1060, 1020)]
    some = some[(some >= smallest) & (some <= largest)]
    out = np.r_[
        near(np.r_[whole, whole + 0.5, np.r_[ends, ZEROS]], t),
        some,
        -some,
        smallest,
        2 * smallest,
        -smallest,
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
    ]
    return np.unique(out.astype(t).view(f"u{t().itemsize}")).view(t)


def pair_values(t):
    info = np.finfo(t)
    size = [
        info.smallest_subnormal,
        info.tiny,
        2.0**-100,
        1e-8,
        0.25,
        0.5,
        1,
        np.nextafter(t(1), t(2)),
        1.5,
        2,
        3,
        5,
        9.75,
        11,
        21.5,
        100,
        171.5,
        300,
        1e4 + 0.5,
        1e7,
        2.0**53,
        2.0**100,
        info.max / 4,
        info.max,
    ]
    if t == np.float64:
        size += [1e-320, 1e-200, 2.0**-512, 1e150, 2.0**513, 1e300]
    size = np.r_[size, 4, 20, np.nextafter(t(3), t(0)), 3 - 2.0**-10].astype(t)
    return np.r_[size, -size, 0.0, -0.0].astype(t)


def part_values(t):
    info = np.finfo(t)
    small, half = (-149, 64) if t == np.float32 else (-1074, 512)
    size = np.r_[
        0,
        info.smallest_subnormal,
        7 * 2.0 ** (small + 3),
        info.tiny,
        1.7 * 2.0**-half,
        2.0 ** -(half // 2 - 9),
        1e-9,
        1e-4,
        0.3,
        0.5,
        np.nextafter(t(1), t(0)),
        1,
        np.nextafter(t(1), t(2)),
        1.25,
        np.pi / 2,
        2,
        3,
        10.5,
        22.5,
        88.9,
        300.3,
        1e5,
        3e9,
        1.3 * 2.0 ** (half // 2 + 9),
        1.1 * 2.0**half,
        info.max / 8,
        info.max / 2,
        info.max,
    ]
    if t == np.float64:
        size = np.r_[size, 709.9, 1e-20, 1e-155, 2e154]
    size = size.astype(t)
    return np.r_[size, -size].astype(t)
