# SPDX-License-Identifier: MIT
"""C parameters that mean the same in every function, by their names, for the layers of all languages."""

# Truth values; those of ON are true where a language has them optional and they are not given.
FLAGS = set(
    """
    apart assume_unique by_occurrence descending enable endpoint equal_nan full full_matrices include_initial increasing
    inverse invert keepdims largest lower replace right scaled tensor trim unit_diagonal upper
    """.split()
)
ON = {"endpoint", "largest", "replace", "scaled", "tensor", "trim"}

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

# Never arguments, but always this constant.
FIXED = {"on_failure": "ARR_LINALG_ERROR"}
