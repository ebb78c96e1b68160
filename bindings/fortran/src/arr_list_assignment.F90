! SPDX-License-Identifier: MIT
! arr_list_assignment.F90: assignment of lists of arrays or sparse matrices: list = [a, b], also where list is not allocated
! yet.
!
! The assignment of one array is bound to its type (arr_types), so that it is there whatever a program imports and
! where types contain arrays. A bound elemental procedure would serve lists as well, but gfortran 12 calls it with
! the addresses of an unallocated list; a procedure with an allocatable list cannot be bound. So lists are assigned
! by an interface, in a separate module: in one module the two would be ambiguous. They are for flang in any module,
! and it calls an elemental procedure right: there the bound procedure is elemental.
module arr_list_assignment
    use arr_sparse_types, only: arr_sparse
    use arr_types, only: arr_array
    implicit none
    private
    public :: assignment(=)

    ! The assignment of an element, of lists and of components of lists. In C and with intent(out) like that of one
    ! array (arr_types): with intent(inout) gfortran 12 would assign components of lists to freed memory.
    interface
        impure elemental subroutine arr_fortran_share_each(lhs, rhs)
            import :: arr_array
            type(arr_array), intent(out) :: lhs
            type(arr_array), intent(in) :: rhs
        end subroutine arr_fortran_share_each

        impure elemental subroutine arr_fortran_share_each_matrix(lhs, rhs)
            import :: arr_sparse
            type(arr_sparse), intent(out) :: lhs
            type(arr_sparse), intent(in) :: rhs
        end subroutine arr_fortran_share_each_matrix
    end interface

    interface assignment(=)
#ifndef __flang__
        procedure arr_fortran_share_each, arr_fortran_share_each_matrix
#endif
        module procedure share_list, share_matrices
    end interface

contains

    ! The list gets the size of the right side, as in an intrinsic assignment; rhs may be a part of lhs.
    subroutine share_list(lhs, rhs)
        type(arr_array), allocatable, intent(inout) :: lhs(:)
        type(arr_array), intent(in) :: rhs(:)
        type(arr_array), allocatable :: list(:)
        allocate (list(size(rhs)))
        call arr_fortran_share_each(list, rhs)
        if (allocated(lhs)) deallocate (lhs)   ! move_alloc of gfortran 12 would not finalize what lhs holds
        call move_alloc(list, lhs)
    end subroutine share_list

    subroutine share_matrices(lhs, rhs)
        type(arr_sparse), allocatable, intent(inout) :: lhs(:)
        type(arr_sparse), intent(in) :: rhs(:)
        type(arr_sparse), allocatable :: list(:)
        allocate (list(size(rhs)))
        call arr_fortran_share_each_matrix(list, rhs)
        if (allocated(lhs)) deallocate (lhs)
        call move_alloc(list, lhs)
    end subroutine share_matrices
end module arr_list_assignment
