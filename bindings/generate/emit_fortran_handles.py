# SPDX-License-Identifier: MIT
"""arr_handle_types, arr_list_assignment: the types of handles that are assigned, passed and released as arrays are.

Type arr_array itself is written by hand (arr_types). The procedures in C are those of arr_ownership.c.
"""

import fortran_arguments as arguments
import text
from fortran_kinds import interface

# Descriptions of the types, by the C names.
DOC = {
    "sparse": "A sparse matrix. Assignment shares: b = a makes b another name of the same matrix.",
    "linop": "A linear operator, which has products with vectors: of a matrix, of a procedure, or made of other operators.",
}

TYPE = """{doc}    type :: arr_{kind}
        type(arr_{kind}_handle) :: handle          ! the C library's; borrowed where you read it
        integer(c_intptr_t) :: owner = 0           ! the address of the variable that received it by assignment
        logical :: temporary = .false.             ! a function's result that nobody has taken over yet
    contains
        procedure :: share => arr_fortran_share_{kind}
        generic :: assignment(=) => share
        final :: finalize_{kind}
    end type arr_{kind}

    ! The assignment, in C as that of arrays (arr_types).
    interface
#ifdef __flang__
        impure elemental subroutine arr_fortran_share_{kind}(lhs, rhs)
#else
        subroutine arr_fortran_share_{kind}(lhs, rhs)
#endif
            import :: arr_{kind}
            class(arr_{kind}), intent(out) :: lhs
            type(arr_{kind}), intent(in) :: rhs
        end subroutine arr_fortran_share_{kind}
    end interface

    interface
{calls}    end interface

"""
CALL = """        subroutine c_{kind}_{call}(variable) bind(c, name='arr_fortran_{kind}_{call}')
            import :: arr_{kind}_handle
            type(arr_{kind}_handle), intent(inout) :: variable
        end subroutine c_{kind}_{call}
"""
CALLS = ("finalized", "released", "kept")
ASSIGNED = """
        subroutine c_{kind}_assigned(variable, taken) bind(c, name='arr_fortran_{kind}_assigned')
            import :: arr_{kind}_handle
            type(arr_{kind}_handle), intent(inout) :: variable
            type(arr_{kind}_handle), value :: taken
        end subroutine c_{kind}_assigned
"""
# Generic name: what the procedures' names begin with.
GENERICS = {
    "arr_release": ("release",),
    "arr_give": ("give",),
    "arr_keep": ("keep",),
    "done": ("done", "all_done"),
    "give": ("take",),
}
PROCEDURES = """    impure elemental subroutine finalize_{kind}(self)
        type(arr_{kind}), intent(inout) :: self
        call c_{kind}_finalized(self%handle)
    end subroutine finalize_{kind}

    impure elemental subroutine release_{kind}(a)
        type(arr_{kind}), intent(inout) :: a
        call c_{kind}_released(a%handle)
    end subroutine release_{kind}

    impure elemental subroutine give_{kind}(result, value)
        type(arr_{kind}), intent(inout) :: result
        type(arr_{kind}), intent(in), optional :: value
        if (present(value)) result = value
        result%temporary = .true.
    end subroutine give_{kind}

    impure elemental subroutine keep_{kind}(a)
        type(arr_{kind}), intent(inout) :: a
        call c_{kind}_kept(a%handle)
    end subroutine keep_{kind}

    subroutine done_{kind}(a)
        type(arr_{kind}), intent(in) :: a
        integer(c_int32_t) :: status
        if (a%temporary) status = c_{kind}_release(a%handle)
    end subroutine done_{kind}

    subroutine all_done_{kind}(list)
        type(arr_{kind}), intent(in) :: list(:)
        integer :: i
        do i = 1, size(list)
            call done_{kind}(list(i))
        end do
    end subroutine all_done_{kind}

    ! A new object for an optional result.
    subroutine take_{kind}(new, a)
        type(arr_{kind}_handle), intent(in) :: new
        type(arr_{kind}), intent(inout), optional :: a
        integer(c_int32_t) :: status
        if (present(a)) then
            call c_{kind}_assigned(a%handle, new)
        else
            status = c_{kind}_release(new)
        end if
    end subroutine take_{kind}

"""
ELEMENT = """        impure elemental subroutine arr_fortran_share_each_{kind}(lhs, rhs)
            import :: arr_{kind}
            type(arr_{kind}), intent(out) :: lhs
            type(arr_{kind}), intent(in) :: rhs
        end subroutine arr_fortran_share_each_{kind}

"""
LIST = """    subroutine share_{kind}_list(lhs, rhs)
        type(arr_{kind}), allocatable, intent(inout) :: lhs(:)
        type(arr_{kind}), intent(in) :: rhs(:)
        type(arr_{kind}), allocatable :: list(:)
        allocate (list(size(rhs)))
        call arr_fortran_share_each_{kind}(list, rhs)
        if (allocated(lhs)) deallocate (lhs)   ! move_alloc of gfortran 12 would not finalize what lhs holds
        call move_alloc(list, lhs)
    end subroutine share_{kind}_list

"""
LIST_HEAD = """!
! The assignment of one array is bound to its type (arr_types), so that it is there whatever a program imports and
! where types contain arrays. A bound elemental procedure would serve lists as well, but gfortran 12 calls it with
! the addresses of an unallocated list; a procedure with an allocatable list cannot be bound. So lists are assigned
! by an interface, in a separate module: in one module the two would be ambiguous. They are for flang in any module,
! and it calls an elemental procedure right: there the bound procedure is elemental.
module arr_list_assignment
"""
LIST_INTERFACE = """    implicit none
    private
    public :: assignment(=)

    ! The assignment of an element, of lists and of components of lists. In C and with intent(out) like that of one
    ! array (arr_types): with intent(inout) gfortran 12 would assign components of lists to freed memory.
    interface
"""
LIST_CONTAINS = """contains

    ! Lists get the size of the right side, as in an intrinsic assignment; rhs may be a part of lhs.

"""


def kinds(api):
    return [kind for kind in arguments.VALUES if kind != "array" and f"arr_{kind}" in api["handles"]]


def of_all(listed, form, between=""):
    return between.join(form.format(kind=kind) for kind in listed)


def types(listed):
    what = "arr_handle_types_generated.F90: types whose handles are owned as those of arrays are: docs/decisions/0035."
    out = text.banner("!", what) + "module arr_handle_types\n    use, intrinsic :: iso_c_binding\n    use arr_c_types\n"
    out += text.join("    use arr_c, only: ", [f"c_{k}_release => arr_{k}_release" for k in listed], "").replace(
        ",\n", ", &\n"
    )
    public = ", ".join([*(f"arr_{k}" for k in listed), *GENERICS])
    out += f"    implicit none\n    private\n    public :: {public}\n\n"
    for kind in listed:
        calls = "\n".join(CALL.format(kind=kind, call=call) for call in CALLS) + ASSIGNED.format(kind=kind)
        out += TYPE.format(kind=kind, doc=text.wrap(DOC[kind], "    !", 118), calls=calls)
    out += "".join(interface(g, [f"{s}_{k}" for s in stems for k in listed]) for g, stems in GENERICS.items())
    return out + "contains\n\n" + of_all(listed, PROCEDURES).rstrip("\n") + "\nend module arr_handle_types\n"


def lists(listed):
    what = (
        "arr_list_assignment_generated.F90: assignment of lists: list = [a, b], also where list is not allocated yet."
    )
    named = ", ".join(f"arr_{k}" for k in listed)
    out = text.banner("!", what) + LIST_HEAD + f"    use arr_handle_types, only: {named}\n"
    out += "    use arr_types, only: arr_array\n" + LIST_INTERFACE
    every = ["array", *listed]
    out += of_all(every, ELEMENT).removesuffix("\n") + "    end interface\n\n"
    out += "    interface assignment(=)\n#ifndef __flang__\n"
    out += "".join(f"        procedure arr_fortran_share_each_{k}\n" for k in every) + "#endif\n"
    out += "".join(f"        module procedure share_{k}_list\n" for k in every) + "    end interface\n\n"
    out += LIST_CONTAINS + of_all(every, LIST)
    return out.rstrip("\n") + "\nend module arr_list_assignment\n"


def emit(api):
    folder, listed = "bindings/fortran/src/", kinds(api)
    return {
        f"{folder}arr_handle_types_generated.F90": types(listed),
        f"{folder}arr_list_assignment_generated.F90": lists(listed),
    }
