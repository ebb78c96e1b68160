# SPDX-License-Identifier: MIT
"""The Fortran kinds that libarr's element types have, and which of them serve as scalar operands."""

import text

# suffix, declaration, dtype of the elements, dtype that their memory is read as, the same kind by C's name
KINDS = [
    ("r4", "real(real32)", "ARR_FLOAT32", "ARR_FLOAT32", "real(c_float)"),
    ("r8", "real(real64)", "ARR_FLOAT64", "ARR_FLOAT64", "real(c_double)"),
    ("i1", "integer(int8)", "ARR_INT8", "ARR_INT8", "integer(c_int8_t)"),
    ("i2", "integer(int16)", "ARR_INT16", "ARR_INT16", "integer(c_int16_t)"),
    ("i4", "integer(int32)", "ARR_INT32", "ARR_INT32", "integer(c_int32_t)"),
    ("i8", "integer(int64)", "ARR_INT64", "ARR_INT64", "integer(c_int64_t)"),
    ("c4", "complex(real32)", "ARR_COMPLEX64", "ARR_COMPLEX64", "complex(c_float_complex)"),
    ("c8", "complex(real64)", "ARR_COMPLEX128", "ARR_COMPLEX128", "complex(c_double_complex)"),
    ("l1", "logical(c_bool)", "ARR_BOOL", "ARR_BOOL", "logical(c_bool)"),
    ("l4", "logical", "ARR_BOOL", "ARR_INT32", ""),
]
SCALARS = [k for k in KINDS if k[0] in ("r4", "r8", "i4", "i8", "c4", "c8", "l4")]
# Kinds whose arrays can be shared: default logical takes four bytes an element and bool one.
SHARED = [k for k in KINDS if k[2] == k[3]]

INTRINSIC_MODULES = (
    "    use, intrinsic :: iso_c_binding\n    use, intrinsic :: iso_fortran_env, only: "
    "int8, int16, int32, int64, real32, real64\n"
)


def interface(name, specifics):
    """A generic name for specific procedures."""
    lines = text.join("        module procedure ", specifics, "", 118, "            ").rstrip("\n").split("\n")
    return f"    interface {name}\n" + " &\n".join(lines) + "\n    end interface\n\n"
