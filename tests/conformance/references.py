# SPDX-License-Identifier: MIT
"""The function behind each row of core/table/ops.def: NumPy's, in any precision that its arguments have, or SciPy's.

References are evaluated in float64 for float32 and 16-bit results, in long double for float64; of special functions
by mpmath with 40 digits for float64.
"""

import mpmath
import numpy as np
import scipy.special

import oracle

PI = np.longdouble("3.14159265358979323846264338327950288")


def sinc(x):
    """With a pi of the argument's precision: np.sinc has that of float64."""
    x = np.asarray(x)
    x = x.astype("f8") if x.dtype.kind in "biu" else x
    pi = PI.astype(x.real.dtype)
    reduced = x - 2 * np.rint(x.real / 2)
    with np.errstate(all="ignore"):
        if x.dtype.kind == "c":  # sin(pi - w) = sin(w): next to whole numbers the difference is exact
            reduced = np.where(np.abs(reduced.real) > 0.5, np.copysign(1, reduced.real) - reduced, reduced)
        else:
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


# ln 2 in 32 bits, in 32 more, and what is left.
LN2 = [
    np.longdouble(2977044471) / 2**32,
    np.longdouble(3520035243) / 2**64,
    np.longdouble("4.2751755897476488889437340e-20"),
]


def exp2(x):
    """NumPy's complex one rounds the angle y ln 2, which costs digits of its sine. Here its parts are exact products,
    whose rotations follow each other."""
    out = np.array(np.exp2(x))
    if x.dtype.kind == "c":
        y = x.imag.astype("g")
        mantissa, exponent = np.frexp(y)
        high = np.ldexp(np.rint(mantissa * 2**27), exponent - 27)
        angles = [high * LN2[0], (y - high) * LN2[0], high * LN2[1], (y - high) * LN2[1], y * LN2[2]]
        turn, size = np.prod([np.cos(a) + 1j * np.sin(a) for a in angles], axis=0), np.exp2(x.real.astype("g"))
        use = np.isfinite(size) & np.isfinite(y) & (y != 0)
        out.real = np.where(use, size * turn.real, out.real)
        out.imag = np.where(use, size * turn.imag, out.imag)
    return out


def log1p(x):
    """NumPy's complex one adds 1 first."""
    out = np.array(np.log1p(x))
    if x.dtype.kind == "c":
        small = (np.abs(x) < 0.25) & (x.real != 0)
        with np.errstate(all="ignore"):
            out.real = np.where(small, np.log1p(x.real * (2 + x.real) + x.imag**2) / 2, out.real)
            out.imag = np.where(small, np.arctan2(x.imag, 1 + x.real), out.imag)
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
    "exp2": exp2,
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


# Formulas for mpmath where it has no function of the name. It is asked only where the result is finite.
MP = mpmath.mp.clone()
MP.dps = 40


def inverse_erfc(q):
    if q > 0.9:
        return MP.erfinv(1 - q)
    start = scipy.special.erfcinv(float(q))
    return MP.findroot(lambda t: MP.log(MP.erfc(t)) - MP.log(q), MP.mpf(float(start)))


def scaled_i(order, x):
    x = abs(x)
    return (
        MP.besseli(order, x) * MP.exp(-x)
        if x < 1e5
        else MP.hypercomb(
            lambda: [
                ([2 * MP.pi * x], [-0.5], [], [], [MP.mpf(1) / 2 - order, MP.mpf(1) / 2 + order], [], 1 / (2 * x))
            ],
            [],
        )
    )


EXACT = {
    "erf": MP.erf,
    "erfc": MP.erfc,
    "erfinv": MP.erfinv,
    "erfcinv": inverse_erfc,
    "exp10": lambda x: MP.mpf(10) ** x,
    "ndtr": lambda x: MP.erfc(-x / MP.sqrt(2)) / 2,
    "log_ndtr": lambda x: MP.log(MP.erfc(-x / MP.sqrt(2)) / 2) if x < 0 else MP.log1p(-MP.erfc(x / MP.sqrt(2)) / 2),
    "ndtri": lambda p: -MP.sqrt(2) * inverse_erfc(2 * p) if p < 0.5 else MP.sqrt(2) * inverse_erfc(2 * (1 - p)),
    "gamma": MP.gamma,
    "gammaln": lambda x: MP.re(MP.loggamma(x)),
    "digamma": MP.digamma,
    "beta": MP.beta,
    "betaln": lambda x, y: MP.log(abs(MP.beta(x, y))),
    "j0": lambda x: MP.besselj(0, x),
    "j1": lambda x: MP.besselj(1, x),
    "y0": lambda x: MP.bessely(0, x),
    "y1": lambda x: MP.bessely(1, x),
    "i0": lambda x: MP.besseli(0, x),
    "i1": lambda x: MP.besseli(1, x),
    "i0e": lambda x: scaled_i(0, x),
    "i1e": lambda x: MP.sign(x) * scaled_i(1, x),
    "k0": lambda x: MP.besselk(0, x),
    "k1": lambda x: MP.besselk(1, x),
    "expit": lambda x: 1 / (1 + MP.exp(-x)),
    "log_expit": lambda x: -MP.log1p(MP.exp(-x)) if x > -1e4 else x,
    "logit": lambda p: MP.log(p / (1 - p)),
    "xlogy": lambda x, y: x * MP.log(y) if x else MP.mpf(0),
    "xlog1py": lambda x, y: x * MP.log1p(y) if x else MP.mpf(0),
    "entr": lambda x: -x * MP.log(x) if x else MP.mpf(0),
    "rel_entr": lambda x, y: x * MP.log(x / y) if x else MP.mpf(0),
    "kl_div": lambda x, y: x * MP.log(x / y) - x + y if x else y,
    "huber": lambda d, r: r * r / 2 if abs(r) <= d else d * (abs(r) - d / 2),
    "pseudo_huber": lambda d, r: r * r / (MP.sqrt(1 + (r / d) ** 2) + 1) if d and r else MP.mpf(0),
}


def by_mpmath(name, args):
    """In long double; values that SciPy says are not finite, or beyond what mpmath takes, are SciPy's."""
    args = [np.asarray(a) for a in np.broadcast_arrays(*args)]
    out = np.array(getattr(scipy.special, name)(*(a.astype("f8") for a in args)), np.longdouble)
    for i in np.ndindex(out.shape):
        if np.isfinite(out[i]) and all(np.isfinite(a[i]) for a in args):
            try:
                exact = EXACT[name](*(MP.mpf(float(a[i])) for a in args))
                out[i] = np.longdouble(MP.nstr(MP.re(exact), 25))
            except (ValueError, ZeroDivisionError, OverflowError, mpmath.libmp.NoConvergence):
                pass
    return out


def reference(name, args):
    if name in EXACT:
        wide = args[0].dtype == np.longdouble
        return np.asarray(by_mpmath(name, args) if wide else getattr(scipy.special, name)(*args))
    return np.asarray((FUNCTIONS.get(name) or getattr(np, name))(*args))


# Results that are differences of larger numbers: what an error is a part of, by default the result itself.
SCALES = {
    **{name: lambda x: np.sqrt(2 / (np.pi * np.maximum(np.abs(x), 0.05))) for name in ("j0", "j1", "y0", "y1")},
    "gammaln": lambda x: np.where(x < 3, 1, 0),
    "digamma": lambda x: np.where(x < 0, np.pi / np.abs(np.sin(np.pi * (x - np.rint(x)))), 0),
    "beta": lambda x, y: (
        (1 + np.abs(scipy.special.betaln(*map(small, (x, y))))) * np.abs(scipy.special.beta(*map(small, (x, y))))
    ),
    "betaln": lambda x, y: np.maximum(np.maximum(log_gamma(x), log_gamma(y)), log_gamma(x + y)),
    "rel_entr": lambda x, y: x,
    "kl_div": lambda x, y: x + y,
    "logaddexp": lambda x, y: np.maximum(np.abs(x), np.abs(y)),
    "logaddexp2": lambda x, y: np.maximum(np.abs(x), np.abs(y)),
}


def outside_reference(name, args, exact):
    """Cases in which SciPy does not know the value: nan for a limit at infinity, waves of very large arguments."""
    if name not in EXACT:
        return np.zeros(exact.shape, bool)
    infinite = np.zeros(exact.shape, bool)
    for a in args:
        infinite |= np.isinf(a)
    unknown = infinite & np.isnan(exact)
    if name in ("beta", "betaln"):  # of negative numbers the sum may be anything near a pole
        unknown |= (args[0] < 0) | (args[1] < 0)
        unknown |= np.maximum(args[0], args[1]) > 1e15  # more digits cancel than mpmath is asked for
    if name in ("erfcinv", "gammaln", "beta", "betaln", "kl_div", "pseudo_huber"):  # it overflows on the way
        unknown |= ~np.isfinite(exact) & ~infinite
    if name == "kl_div":  # so do we, near the largest number
        unknown |= np.abs(exact) > (1e38 if args[0].dtype != np.longdouble else 1e308)
    if name in ("k0", "k1"):  # half of the least number is 0 there
        unknown |= (args[0] > 0) & (args[0] < 1e-300)
    if name in ("j0", "j1", "y0", "y1"):
        unknown |= np.abs(args[0]) > 1e9
    return unknown


def small(x):
    return np.asarray(x).astype("f8")


def log_gamma(x):
    return np.maximum(1, np.abs(scipy.special.gammaln(small(x))))


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
            args[1] = np.abs(args[1] % 70).astype(args[1].dtype)
        if name.endswith("_shift"):
            args[1] = np.abs(args[1] % 80).astype(args[1].dtype)
    if name == "ldexp":
        # Every third far out, where results are denormal, 0 or infinite.
        args[1] = np.where(args[1] % 3 == 0, args[1] % 4400 - 2200, args[1] % 400 - 200)
    return args
