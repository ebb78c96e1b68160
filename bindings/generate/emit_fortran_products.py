# SPDX-License-Identifier: MIT
"""bindings/fortran/src/arr_mixed_products_generated.f90: matmul and dot_product of an array and a host array."""

import text
from fortran_kinds import INTRINSIC_MODULES, KINDS, interface

FILE = "bindings/fortran/src/arr_mixed_products_generated.f90"
# The generic name, the names of its arguments as Fortran's standard has them, the C function.
PRODUCTS = [("matmul", "matrix_a", "matrix_b", "arr_matmul"), ("dot_product", "vector_a", "vector_b", "arr_vdot")]
NUMBERS = [k for k in KINDS if k[0] in ("r4", "r8", "i4", "i8", "c4", "c8")]

HEAD = """module arr_mixed_products
{modules}    use arr_c_types
    use arr_c, only: c_arr_matmul => arr_matmul, c_arr_vdot => arr_vdot
    use arr_errors, only: arr_error
    use arr_kinds, only: value_of
    use arr_host_memory, only: let_go
    use arr_types, only: arr_array, arr_stream, ended, stream_of
    implicit none
    private
    public :: matmul, dot_product

"""

PROCEDURE = """    function {name}({left}, {right}, stream, err) result(z)
        {left_type} :: {left}{left_rank}
        {right_type} :: {right}{right_rank}
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_value) :: v
        v = value_of({host}, {array})
        call ended(c_{c}({handles}, stream_of(stream), z%handle), z, err, {array})
        call let_go(v)
    end function {name}

"""

TAIL = """    ! The copy that value_of has made of a host array.
    function copied(v) result(handle)
        type(arr_value), intent(in) :: v
        type(arr_array_handle) :: handle
        handle%ptr = transfer(v%lo, handle%ptr)
    end function copied
end module arr_mixed_products
"""


def procedure(generic, left, right, c, kind, host_first):
    array, host = ("type(arr_array), intent(in)", f"{kind[1]}, intent(in)")
    first, second = (host, array) if host_first else (array, host)
    named = f"{generic}_{kind[0]}a" if host_first else f"{generic}_a{kind[0]}"
    return PROCEDURE.format(
        name=named,
        left=left,
        right=right,
        c=c,
        left_type=first,
        right_type=second,
        left_rank="(..)" if host_first else "",
        right_rank="" if host_first else "(..)",
        host=left if host_first else right,
        array=right if host_first else left,
        handles=f"copied(v), {right}%handle" if host_first else f"{left}%handle, copied(v)",
    )


def emit(api):
    out = text.banner("!", "arr_mixed_products_generated.f90: products of an array and a host array, which is copied.")
    out += HEAD.format(modules=INTRINSIC_MODULES)
    for generic, *_ in PRODUCTS:
        out += interface(generic, [f"{generic}_{n}" for k in NUMBERS for n in (f"a{k[0]}", f"{k[0]}a")])
    out += "contains\n\n"
    for generic, left, right, c in PRODUCTS:
        for kind in NUMBERS:
            out += "".join(procedure(generic, left, right, c, kind, first) for first in (False, True))
    return {FILE: out + TAIL}
