# SPDX-License-Identifier: MIT
"""The function behind each row of core/table/ops.def: NumPy's, in any precision that its arguments have.

References are evaluated in float64 for float32 and 16-bit results, in long double for float64.
"""
import numpy as np

import oracle

PI = np.longdouble("3.14159265358979323846264338327950288")


def sinc(x):
    """With a pi of the argument's precision: np.sinc has that of float64."""
    x = np.asarray(x)
    x = x.astype("f8") if x.dtype.kind in "biu" else x
    pi = PI.astype(x.real.dtype)
    reduced = x - 2 * np.rint(x.real / 2)
    with np.errstate(all="ignore"):
        if x.dtype.kind == "f":
            size = np.abs(reduced)
            reduced = np.copysign(np.where(size > 0.5, 1 - size, size), reduced)
        out = np.sin(pi * reduced) / (pi * x)
    if x.dtype.kind == "f":  # a zero with the sign of sin(pi r) / x for r on the side of zero
        out = np.where(x == np.rint(x), np.copysign(0, np.copysign(1, reduced) * x), out)
    return np.where(x == 0, np.ones_like(x), np.where(np.isinf(x.real), x - x, out)).astype(x.dtype)


def whole_reciprocal(x):
    if x.dtype.kind in "biu":
        return np.where(np.abs(x) == 1, x, 0).astype(np.int8 if x.dtype == bool else x.dtype)
    return np.reciprocal(x)


def expm1(x):
    """NumPy's complex one gives nan for infinite real numbers."""
    out = np.array(np.expm1(x))
    if x.dtype.kind == "c":
        out.real = np.where(x.imag == 0, np.expm1(x.real), out.real)
        out.imag = np.where(x.imag == 0, x.imag, out.imag)
    return out


def log1p(x):
    """NumPy's complex one adds 1 first."""
    out = np.array(np.log1p(x))
    if x.dtype.kind == "c":
        small = (np.abs(x) < 1e-7) & (x.real != 0)
        out.real = np.where(small, x.real - (x.real**2 - x.imag**2) / 2, out.real)
        out.imag = np.where(small, x.imag * (1 - x.real), out.imag)
    return out


def degrees(x):
    return x * (180 / PI).astype(x.dtype) if x.dtype == np.longdouble else np.degrees(x)


def radians(x):
    return x * (PI / 180).astype(x.dtype) if x.dtype == np.longdouble else np.radians(x)


FUNCTIONS = {
    "where": np.where,
    "clip": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "real": np.real,
    "imag": np.imag,
    "angle": np.angle,
    "sinc": sinc,
    "expm1": expm1,
    "log1p": log1p,
    "reciprocal": whole_reciprocal,
    "degrees": degrees,
    "radians": radians,
    "modf_fraction": lambda x: np.modf(x)[0],
    "modf_integral": lambda x: np.modf(x)[1],
    "frexp_mantissa": lambda x: np.frexp(x)[0],
    "frexp_exponent": lambda x: np.frexp(x)[1],
}


def reference(name, args):
    return np.asarray((FUNCTIONS.get(name) or getattr(np, name))(*args))


# Results that are differences of larger numbers: what an error is a part of, by default the result itself.
SCALES = {
    "logaddexp": lambda x, y: np.maximum(np.abs(x), np.abs(y)),
    "logaddexp2": lambda x, y: np.maximum(np.abs(x), np.abs(y)),
}


def scale(name, args, exact):
    """The magnitude whose last place is the unit of a row's error."""
    if name not in SCALES:
        return exact
    other = SCALES[name](*args)
    return np.where(np.isfinite(other) & (np.abs(other) > np.abs(exact)), other, exact)


def adjust(name, d, args):
    """Operands that NumPy takes: an integer to a negative power is an error there, wild shifts are undefined."""
    if oracle.kind(d) in "IU":
        if name == "power":
            args[1] = np.abs(args[1] % 7).astype(args[1].dtype)
        if name.endswith("_shift"):
            args[1] = np.abs(args[1] % 80).astype(args[1].dtype)
    if name == "ldexp":
        args[1] = args[1] % 400 - 200
    return args
