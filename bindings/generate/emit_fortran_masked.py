# SPDX-License-Identifier: MIT
"""bindings/fortran/src/arr_masked_reductions_generated.f90: sum, product, minval and maxval with a mask."""

import text
from fortran_kinds import interface

FILE = "bindings/fortran/src/arr_masked_reductions_generated.f90"
# Fortran's name, the reduction in C.
REDUCTIONS = [("sum", "SUM"), ("product", "PROD"), ("minval", "MIN"), ("maxval", "MAX")]
# The end of a procedure's name, its arguments before mask, their declarations, the axes.
FORMS = [
    ("masked", "array", "", ""),
    ("along_masked", "array, dim", "        integer, intent(in) :: dim(..)\n", "        axes = dims_of(dim)\n"),
]

HEAD = """module arr_masked_reductions
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_engine, only: dims_of
    use arr_errors, only: arr_error
    use arr_masked, only: reduce_masked
    use arr_reductions, only: {names}
    use arr_types, only: arr_array, arr_stream
    implicit none
    private
    public :: {names}

"""

PROCEDURE = """    function {name}_{form}({arguments}, mask, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
{declarations}        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
{axes}        call reduce_masked(ARR_REDUCTION_{c}, array, axes, mask, keepdims, z, stream, err)
    end function {name}_{form}

"""


def emit(api):
    out = text.banner("!", "arr_masked_reductions_generated.f90: reductions of the elements that a mask chooses.")
    out += HEAD.format(names=", ".join(name for name, _ in REDUCTIONS))
    for name, _ in REDUCTIONS:
        out += interface(name, [f"{name}_{form}" for form, *_ in FORMS])
    out += "contains\n\n"
    for name, c in REDUCTIONS:
        for form, arguments, declarations, axes in FORMS:
            out += PROCEDURE.format(
                name=name, c=c, form=form, arguments=arguments, declarations=declarations, axes=axes
            )
    return {FILE: out.rstrip("\n") + "\nend module arr_masked_reductions\n"}
