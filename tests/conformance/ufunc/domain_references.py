# SPDX-License-Identifier: MIT
"""References of domains.py: special and complex functions by mpmath, with as many digits as the operands need, and
their values at poles and infinities by hand.

Functions take real or complex operands as mpmath's exact numbers. A zero of an operand is a number far below the least
float that keeps its sign, so that branch cuts have two sides here too.
"""

import math

import mpmath

MP = mpmath.mp.clone()
MP.dps = 50
# exp(x) cos(y) - 1 of tiny x and y, and x + y of the largest and the least number: exact to the last digit.
DEEP = 750
ZERO = MP.mpf(10) ** -1200
INF, NAN = MP.inf, MP.nan


def deep(f):
    def g(*args):
        with MP.workdps(DEEP):
            return f(*args)

    return g


def is_pole(x):
    return x <= 0 and x == MP.floor(x)


def beta(x, y):
    """Poles of the numerator that one of the denominator cancels have the value of their limit along x + t."""
    digits = 60 + int(abs(MP.log10(abs(x))) + abs(MP.log10(abs(y)))) if x and y else 60
    with MP.workdps(digits):
        x, y = (y, x) if is_pole(y) else (x, y)
        if is_pole(x):
            if y != MP.floor(y) or y <= 0 or x + y > 0:
                return INF
            # (-1)^y B(1 - x - y, y): reflection of both gammas that have poles.
            return (-1) ** (int(y) % 2) * beta(1 - x - y, y)
        if is_pole(x + y):
            return MP.mpf(0)
        if max(abs(x), abs(y)) > 1e7:  # gamma of huge numbers costs
            return beta_sign(x, y) * MP.exp(log_beta(x, y))
        return MP.gamma(x) * MP.gamma(y) * MP.rgamma(x + y)


def gamma_sign(x):
    return 1 if x > 0 or int(MP.floor(x)) % 2 == 0 else -1


def beta_sign(x, y):
    return gamma_sign(x) * gamma_sign(y) * gamma_sign(x + y)


def log_gamma(x):
    """log |gamma|, by reflection below 0, where mpmath's complex one loses digits."""
    if x > 0:
        return MP.loggamma(x)
    r = x - MP.nint(x)
    return MP.log(MP.pi / abs(MP.sinpi(r))) - MP.loggamma(1 - x)


def log_beta(x, y):
    digits = 60 + int(abs(MP.log10(abs(x))) + abs(MP.log10(abs(y)))) if x and y else 60
    with MP.workdps(digits):
        if is_pole(x) or is_pole(y) or is_pole(x + y):
            b = beta(x, y)
            return MP.log(abs(b)) if b else -INF
        return log_gamma(x) + log_gamma(y) - log_gamma(x + y)


def inverse_erfc(q):
    """Newton's iteration on the logarithm, which has no small slopes."""
    if q == 1:
        return MP.mpf(0)
    if q > 1:
        return -inverse_erfc(2 - q)
    if q > 0.5:
        return MP.erfinv(1 - q)
    with MP.workdps(60):
        t = MP.sqrt(-MP.log(q * MP.sqrt(MP.pi) * MP.sqrt(-MP.log(q) + 1)))
        for _ in range(40):
            e = erfc(t)
            step = e * MP.log(e / q) * MP.sqrt(MP.pi) / 2 * MP.exp(t * t)
            t += step
            if abs(step) < abs(t) * MP.mpf(10) ** -45:
                break
        return t


def hankel(kind, order, x):
    """J or Y of large x by Hankel's series (Abramowitz and Stegun 9.2.5)."""
    with MP.workdps(60 + max(0, int(MP.log10(x)))):
        mu, p, q, term, k = 4 * order**2, MP.mpf(0), MP.mpf(0), MP.mpf(1), 0
        while k < 60 and abs(term) > MP.mpf(10) ** -50:
            p, q = (p + (-1) ** (k // 2) * term, q) if k % 2 == 0 else (p, q + (-1) ** (k // 2) * term)
            k += 1
            term *= (mu - (2 * k - 1) ** 2) / (k * 8 * x)
        chi = x - (MP.mpf(order) / 2 + MP.mpf(1) / 4) * MP.pi
        c, s = MP.cos(chi), MP.sin(chi)
        return MP.sqrt(2 / (MP.pi * x)) * (p * c - q * s if kind == "j" else p * s + q * c)


def bessel_j(order):
    return lambda x: (
        hankel("j", order, x)
        if x > 300
        else (-1) ** order * hankel("j", order, -x)
        if x < -300
        else MP.besselj(order, x)
    )


def bessel_y(order):
    def y(x):
        if x <= 0:
            return -INF if x == 0 else NAN
        if x < 1e-30 and order == 1:
            return -2 / (MP.pi * x)
        return hankel("y", order, x) if x > 300 else MP.bessely(order, x)

    return y


def scaled_i(order):
    def i(x):
        size = abs(x)
        if size < 300:
            return MP.besseli(order, x) * MP.exp(-size)
        mu, total, term, k = 4 * order**2, MP.mpf(0), MP.mpf(1), 0
        while k < 80 and abs(term) > MP.mpf(10) ** -45:
            total, k = total + term, k + 1
            term *= -(mu - (2 * k - 1) ** 2) / (k * 8 * size)
        return (-1 if order and x < 0 else 1) * total / MP.sqrt(2 * MP.pi * size)

    return i


def bessel_i(order):
    return lambda x: scaled_i(order)(x) * MP.exp(abs(x))


def bessel_k(order):
    def k(x):
        if x <= 0:
            return INF if x == 0 else NAN
        if x < 1e-30:
            return -MP.log(x / 2) - MP.euler if order == 0 else 1 / x
        if x < 300:
            return MP.besselk(order, x)
        mu, total, term, n = 4 * order**2, MP.mpf(0), MP.mpf(1), 0
        while n < 80 and abs(term) > MP.mpf(10) ** -45:
            total, n = total + term, n + 1
            term *= (mu - (2 * n - 1) ** 2) / (n * 8 * x)
        return total * MP.sqrt(MP.pi / (2 * x)) * MP.exp(-x)

    return k


def erfc(x):
    return MP.erfc(x) if abs(x) < 1e4 else MP.mpf(1 - MP.sign(x))


def tail(x):
    """1 - ndtr(x)."""
    return erfc(x / MP.sqrt(2)) / 2


def log_ndtr(x):
    if x > 0:
        return MP.log1p(-tail(x))
    if x > -1e4:
        return MP.log(tail(-x))
    total, term = MP.mpf(0), MP.mpf(1)
    for k in range(1, 20):
        total, term = total + term, -term * (2 * k - 1) / x**2
    return -x * x / 2 - MP.log(-x * MP.sqrt(2 * MP.pi)) + MP.log(total)


def inside(low, high, f):
    return lambda x: NAN if x < low or x > high else f(x)


def digamma(x):
    if is_pole(x):
        return NAN
    if x < 0:
        with MP.workdps(100 + int(abs(MP.log10(-x)))):
            r = x - MP.nint(x)
            return MP.digamma(1 - x) - MP.pi * MP.cospi(r) / MP.sinpi(r)
    return MP.digamma(x)


def sinc(x):
    if x == 0:
        return MP.mpf(1)
    return MP.sinpi(x - 2 * MP.nint(x / 2)) / (MP.pi * x)


def rel_entr(x, y):
    return x * MP.log(x / y) if x > 0 and y > 0 else MP.mpf(0) if x == 0 and y >= 0 else INF


def kl_div(x, y):
    with MP.workdps(DEEP):
        return x * MP.log(x / y) - x + y if x > 0 and y > 0 else y if x == 0 and y >= 0 else INF


def huber(d, r):
    return INF if d < 0 else r * r / 2 if abs(r) <= d else d * (abs(r) - d / 2)


def pseudo_huber(d, r):
    return INF if d < 0 else r * r / (MP.sqrt(1 + (r / d) ** 2) + 1) if d and r else MP.mpf(0)


def gammaln(x):
    return INF if is_pole(x) else log_gamma(x)


# Functions of real numbers; with the values at +inf and -inf, and at 0 where its sign decides.
REAL = {
    "erf": (MP.erf, 1, -1),
    "erfc": (erfc, 0, 2),
    "erfinv": (
        inside(-1, 1, lambda x: INF * x if abs(x) == 1 else MP.erfinv(x) if abs(x) > 1e-20 else x * MP.sqrt(MP.pi) / 2),
        NAN,
        NAN,
    ),
    "erfcinv": (inside(0, 2, lambda q: INF if q == 0 else -INF if q == 2 else inverse_erfc(q)), NAN, NAN),
    "ndtr": (lambda x: tail(-x), 1, 0),
    "log_ndtr": (log_ndtr, 0, -INF),
    "ndtri": (
        inside(0, 1, lambda p: -INF if p == 0 else INF if p == 1 else -MP.sqrt(2) * inverse_erfc(2 * p)),
        NAN,
        NAN,
    ),
    "exp10": (lambda x: MP.mpf(10) ** x, INF, 0),
    "gamma": (
        lambda x: NAN if is_pole(x) else MP.gamma(x) if x > -400 and x < 1e6 else INF if x > 0 else MP.mpf(0),
        INF,
        NAN,
    ),
    "gammaln": (gammaln, INF, -INF),
    "digamma": (digamma, INF, NAN),
    "j0": (bessel_j(0), 0, 0),
    "j1": (bessel_j(1), 0, 0),
    "y0": (bessel_y(0), 0, NAN),
    "y1": (bessel_y(1), 0, NAN),
    "i0": (bessel_i(0), INF, INF),
    "i1": (bessel_i(1), INF, -INF),
    "i0e": (scaled_i(0), 0, 0),
    "i1e": (scaled_i(1), 0, 0),
    "k0": (bessel_k(0), 0, NAN),
    "k1": (bessel_k(1), 0, NAN),
    "expit": (lambda x: 1 / (1 + MP.exp(-x)), 1, 0),
    "log_expit": (lambda x: -MP.log1p(MP.exp(-x)) if x > -1e4 else x, 0, -INF),
    "logit": (inside(0, 1, lambda p: -INF if p == 0 else INF if p == 1 else MP.log(p) - MP.log1p(-p)), NAN, NAN),
    "entr": (lambda x: -x * MP.log(x) if x > 0 else -INF if x < 0 else MP.mpf(0), -INF, -INF),
    "sinc": (sinc, None, None),
}
REAL2 = {
    "beta": beta,
    "betaln": log_beta,
    "rel_entr": rel_entr,
    "kl_div": kl_div,
    "huber": huber,
    "pseudo_huber": pseudo_huber,
    "xlogy": lambda x, y: MP.mpf(0) if x == 0 else NAN if y < 0 else -INF * MP.sign(x) if y == 0 else x * MP.log(y),
    "xlog1py": lambda x, y: (
        MP.mpf(0) if x == 0 else NAN if y < -1 else -INF * MP.sign(x) if y == -1 else x * MP.log1p(y)
    ),
}


def asin(z):
    return -MP.j * asinh(MP.j * z)


def asinh(z):
    """Its real part by sums of one sign: the logarithm alone would lose it for large negative numbers."""
    return MP.log(z + MP.sqrt(MP.mpc(z) * z + 1)) if MP.re(z) > 0 else -MP.log(-z + MP.sqrt(MP.mpc(z) * z + 1))


def acos(z):
    return MP.pi / 2 - asin(z)


def acosh(z):
    return MP.log(z + MP.sqrt(MP.mpc(z) + 1) * MP.sqrt(MP.mpc(z) - 1))


def atanh(z):
    return (MP.log1p(z) - MP.log1p(-z)) / 2


def tanh(z):
    if abs(MP.re(z)) > 4000:
        x, y = MP.re(z), MP.im(z)
        return MP.mpc(MP.sign(x), 4 * MP.sin(y) * MP.cos(y) * MP.exp(-2 * abs(x)))
    return MP.sinh(z) / MP.cosh(z)


def minus_one(z):
    x, y = MP.re(z), MP.im(z)
    return MP.mpc(MP.exp(x) * MP.cos(y) - 1, MP.exp(x) * MP.sin(y))


def complex_sinc(z):
    x = MP.re(z) - 2 * MP.nint(MP.re(z) / 2)
    return MP.sin(MP.pi * MP.mpc(x, MP.im(z))) / (MP.pi * z)


COMPLEX = {
    "sqrt": MP.sqrt,
    "exp": MP.exp,
    "log": MP.log,
    "log2": lambda z: MP.log(z) / MP.log(2),
    "log10": lambda z: MP.log(z) / MP.log(10),
    "log1p": lambda z: MP.log(1 + z),
    "expm1": minus_one,
    "exp2": lambda z: MP.exp(z * MP.log(2)),
    "sin": MP.sin,
    "cos": MP.cos,
    "tan": lambda z: -MP.j * tanh(MP.j * z),
    "sinh": MP.sinh,
    "cosh": MP.cosh,
    "tanh": tanh,
    "arcsin": asin,
    "arccos": acos,
    "arctan": lambda z: -MP.j * atanh(MP.j * z),
    "arcsinh": asinh,
    "arccosh": acosh,
    "arctanh": atanh,
    "absolute": abs,
    "angle": MP.arg,
    "sign": lambda z: z / abs(z),
    "square": lambda z: z * z,
    "reciprocal": lambda z: 1 / z,
    "sinc": complex_sinc,
}
COMPLEX2 = {"multiply": lambda x, y: x * y, "divide": lambda x, y: x / y, "power": lambda x, y: MP.exp(y * MP.log(x))}


# At zeros whose sign says from which side a pole is met.
AT_ZERO = {"gamma": (INF, -INF), "digamma": (-INF, INF)}


def special(name, x):
    """The value at a real number that is not finite, or at a zero that is a pole."""
    if math.isnan(x):
        return NAN
    if math.isinf(x):
        return None if REAL[name][1] is None else MP.mpf(REAL[name][1 if x > 0 else 2])
    return AT_ZERO[name][math.copysign(1, x) < 0] if x == 0 and name in AT_ZERO else REAL[name][0](MP.mpf(x))
