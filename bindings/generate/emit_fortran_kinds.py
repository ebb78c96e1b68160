# SPDX-License-Identifier: MIT
"""bindings/fortran/src/arr_kinds_generated.f90: procedures of each kind of number: transfer, sharing, scalars."""

import struct
import textwrap

import emit_fortran
import text
from fortran_kinds import INTRINSIC_MODULES, KINDS, SCALARS, SHARED, interface

HEAD = """module arr_kinds
{modules}    use arr_c_types
    use arr_errors, only: arr_error, fail
    use arr_types, only: arr_array, arr_stream
    use arr_host_memory, only: host_array, describe, c_describe, upload, download, write_host, wrap, target_of, &
        scalar, host_operand, shape_to_allocate, check_allocated
    implicit none
    private
    public :: assignment(=), arr_upload, arr_download, arr_download_allocate, arr_assign, arr_wrap, arr_pointer
    public :: value_of

"""

GENERICS = [
    ("assignment(=)", "a = h uploads, h = a downloads; any rank and stride.", ["assign_from_{0}", "assign_to_{0}"]),
    ("arr_upload", "A copy of a host array, on any device.", ["upload_{0}"]),
    ("arr_download", "Copies the elements into a host array of the same shape.", ["download_{0}"]),
    (
        "arr_assign",
        "dst(..) = h: writes into an array or a section of one; a scalar goes to every element.",
        ["write_{0}"],
    ),
]

KIND = """    subroutine assign_from_{0}(a, h)
        type(arr_array), intent(inout) :: a
        {1}, intent(in), target :: h(..)
        call upload(describe(h), {2}, {3}, a)
    end subroutine assign_from_{0}

    subroutine assign_to_{0}(h, a)
        {1}, intent(inout), target :: h(..)
        type(arr_array), intent(in) :: a
        call download(a, describe(h), {2}, {3})
    end subroutine assign_to_{0}

    function upload_{0}(h, device, stream, err) result(a)
        {1}, intent(in), target :: h(..)
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        call upload(describe(h), {2}, {3}, a, device, stream, err)
        a%temporary = .true.
    end function upload_{0}

    subroutine download_{0}(a, h, stream, err)
        type(arr_array), intent(in) :: a
        {1}, intent(inout), target :: h(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        call download(a, describe(h), {2}, {3}, stream, err)
    end subroutine download_{0}

    subroutine write_{0}(dst, h, stream, err)
        type(arr_array), intent(in) :: dst
        {1}, intent(in), target :: h(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        call write_host(dst, describe(h), {2}, {3}, stream, err)
    end subroutine write_{0}

"""

SHARE = """    subroutine download_allocate_{0}(a, h, stream, err)
        type(arr_array), intent(in) :: a
        {1}, allocatable, intent(inout), target :: h(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(host_array) :: wanted
        type(arr_error) :: problem
        call shape_to_allocate(a, int(rank(h), c_int32_t), wanted, problem)
        if (.not. problem%failed()) call check_allocated(allocate_{0}(h, wanted), wanted, problem)
        if (.not. problem%failed()) call download(a, describe(h), {2}, {3}, stream, problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine download_allocate_{0}

    subroutine wrap_{0}(a, h, err)
        type(arr_array), intent(inout) :: a
        {1}, pointer, intent(in) :: h(..)
        type(arr_error), intent(out), optional :: err
        type(host_array) :: shared
        call c_describe(h, shared)     ! not describe: gfortran 12 packs what passes a Fortran procedure
        call wrap(a, shared, {2}, err)
    end subroutine wrap_{0}

    subroutine pointer_{0}(a, p, err)
        type(arr_array), intent(in) :: a
        {1}, pointer, intent(out) :: p(..)
        type(arr_error), intent(out), optional :: err
        type(host_array) :: shared
        call target_of(a, int(rank(p), c_int32_t), {2}, shared, err)
        call point_{0}(p, shared)
    end subroutine pointer_{0}

"""

POINT = """        function allocate_{0}(h, wanted) bind(c, name='arr_fortran_allocate') result(status)
            import
            {4}, allocatable, intent(inout) :: h(..)
            type(host_array), intent(in) :: wanted
            integer(c_int) :: status
        end function allocate_{0}
        subroutine point_{0}(p, shared) bind(c, name='arr_fortran_point')
            import
            {4}, pointer, intent(out) :: p(..)
            type(host_array), intent(in) :: shared
        end subroutine point_{0}
"""

# A plain integer does not widen an array of reals, as in Fortran's own mixed arithmetic; else the wider kind wins.
VALUE = """    function value_{0}(x, partner) result(v)
        {1}, intent(in), target :: x(..)
        type(arr_array), intent(in) :: partner
        type(arr_value) :: v
{6}        select rank (x)
        rank (0)
{7}            v = scalar({2}, c_loc({5}), partner)
        rank default
            v = host_operand(describe(x), {2}, {3}, partner)
        end select
    end function value_{0}

"""


def emit(api):
    out = text.banner("!", "arr_kinds_generated.f90: host transfer, sharing and scalars for each Fortran kind.")
    out += HEAD.format(modules=INTRINSIC_MODULES)
    for name, doc, specifics in GENERICS:
        out += f"    ! {doc}\n" + interface(name, [s.format(k[0]) for k in KINDS for s in specifics])
    out += "    ! Copies the elements into an allocatable host array of the same rank, which is allocated anew.\n"
    out += interface("arr_download_allocate", [f"download_allocate_{k[0]}" for k in SHARED])
    out += "    ! Shares the memory of a host array, sections too, without a copy; h needs the target attribute.\n"
    out += interface("arr_wrap", [f"wrap_{k[0]}" for k in SHARED])
    out += "    ! Points at the elements of an array in host memory, without a copy; p lives no longer than a.\n"
    out += interface("arr_pointer", [f"pointer_{k[0]}" for k in SHARED])
    out += "    ! A scalar or a host array as an operand; partner is the array that it meets. let_go(v) ends it.\n"
    out += interface("value_of", [f"value_{k[0]}" for k in SCALARS])
    out += "    interface\n" + "".join(POINT.format(*k) for k in SHARED) + "    end interface\n\ncontains\n\n"
    out += "".join(KIND.format(*k) for k in KINDS) + "".join(SHARE.format(*k) for k in SHARED)
    for k in SCALARS:
        if k[0] == "l4":
            out += VALUE.format(
                *k, "byte", "        logical(c_bool), target :: byte\n", "            byte = logical(x, c_bool)\n"
            )
        else:
            out += VALUE.format(*k, "x", "", "")
    return {
        "bindings/fortran/src/arr_kinds_generated.f90": out.rstrip("\n") + "\nend module arr_kinds\n",
        "bindings/fortran/src/arr_constants_generated.f90": emit_constants(api),
    }


# Numbers that single precision holds: beside a real32 array they leave it real32, beside a real64 array real64.
SINGLE = {"ARR_INFINITY": "inf", "ARR_NAN": "nan"}


def emit_constants(api):
    """The names that module arr exports from arr_c: the constants and the plain structs, none of the C functions."""
    dtypes = emit_fortran.dtypes()
    names = [s["name"] for s in api["structs"]] + sorted(emit_fortran.constant_names(api).values())
    taken = [n for n in names if n not in dtypes and n not in SINGLE]
    out = text.banner("!", "arr_constants_generated.f90: the constants and plain types of the C API.")
    for head in ("    use arr_c_types, only: ", "    public :: "):
        listed = taken if "use" in head else [*names, "operator(==)", "operator(/=)"]
        rows = textwrap.wrap(", ".join(listed), 100, break_long_words=False, break_on_hyphens=False)
        out += (
            "module arr_constants\n    use, intrinsic :: iso_fortran_env, only: int32, real32\n"
            "    use arr_element_types\n"
            if "use" in head
            else "    implicit none\n    private\n"
        )
        out += head + " &\n        ".join(rows) + "\n"
    out += "\n    ! In single precision, so that arrays of real32 stay real32 beside them.\n"
    for n, x in SINGLE.items():
        bits = struct.unpack("<i", struct.pack("<f", float(x)))[0]
        out += f"    real(real32), parameter :: {n} = transfer({bits}_int32, 0.0_real32)\n"
    return out + "end module arr_constants\n"
