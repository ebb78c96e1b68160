# SPDX-License-Identifier: MIT
"""The names of C parameters that mean the same in every function, for the layers of all languages."""

# Truth values; those of ON are true where a language has them optional and they are not given.
FLAGS = set(
    """
    apart assume_unique by_occurrence descending enable endpoint equal_nan full full_matrices include_initial increasing
    inverse invert keepdims largest lower replace right scaled tensor trim unit_diagonal upper
    """.split()
)
ON = {"endpoint", "largest", "replace", "scaled", "tensor", "trim"}

# Never arguments, but always this constant.
FIXED = {"on_failure": "ARR_LINALG_ERROR"}
