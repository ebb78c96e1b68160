# SPDX-License-Identifier: MIT
"""C parameters that mean the same in every function, by their names, for the layers of all languages."""

# Truth values that are true where a language has them optional and they are not given.
ON = {"endpoint", "largest", "replace", "scaled", "tensor", "trim"}

# Functions in which a flag of ON is false, as in NumPy: an integer below an end that is not drawn.
OFF = {"arr_random_integers": {"endpoint"}, "arr_random_integers_into": {"endpoint"}}

# Functions in which another flag is true, as in SciPy.
OWN_ON = {"arr_ldl": {"lower"}}

# Flags without a default.
REQUIRED = {"enable"}

# Numbers that may be left out where a language has optional arguments; the values are C's.
DEFAULTS = {
    "activation": "ARR_ACTIVATION_NONE",
    "bias": "0.0",
    "casting": "ARR_CAST_SAFE",
    "ends": "ARR_TRIM_BOTH",
    "k": "0",
    "mode": "ARR_CONVOLVE_FULL",
    "norm": "ARR_FFT_BACKWARD",
    "rcond": "-1.0",
}

# Functions whose number of such a name has another default; None: none, as k of topk is the number of elements.
OWN_DEFAULTS = {
    "arr_linop_apply": {"op": "ARR_MATRIX_PLAIN"},
    "arr_linspace_with": {"axis": "0", "count": "50"},
    "arr_meshgrid": {"flags": "ARR_MESHGRID_COPY", "indexing": "ARR_INDEXING_XY"},
    "arr_rot90": {"k": "1"},
    "arr_solve_triangular": {"flags": "0"},
    "arr_topk": {"k": None},
    "arr_unique": {"flags": "ARR_UNIQUE_SORTED | ARR_UNIQUE_EQUAL_NAN"},
}


def flag_default(function, name):
    """True, False, or None where the flag must be given."""
    if name in REQUIRED:
        return None
    return name in OWN_ON.get(function, ()) or (name in ON and name not in OFF.get(function, ()))


def number_default(function, name, defaults):
    """The default of a number among those of a language, or None."""
    return OWN_DEFAULTS.get(function, {}).get(name, defaults.get(name))


# Never arguments, but always this constant.
FIXED = {"on_failure": "ARR_LINALG_ERROR"}
