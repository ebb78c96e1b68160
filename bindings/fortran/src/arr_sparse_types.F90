! SPDX-License-Identifier: MIT
! arr_sparse_types.F90: type arr_sparse, whose handle is owned as that of an array: docs/decisions/0035.
module arr_sparse_types
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_release => arr_sparse_release
    implicit none
    private
    public :: arr_sparse, arr_release, arr_give, arr_keep, done

    ! A sparse matrix. Assignment shares: b = a makes b another name of the same matrix.
    type :: arr_sparse
        type(arr_sparse_handle) :: handle          ! the C library's; borrowed where you read it
        integer(c_intptr_t) :: owner = 0           ! the address of the variable that received it by assignment
        logical :: temporary = .false.             ! a function's result that nobody has taken over yet
    contains
        procedure :: share => arr_fortran_share_matrix
        generic :: assignment(=) => share
        final :: finalize
    end type arr_sparse

    ! The assignment, in C as that of arrays (arr_types).
    interface
#ifdef __flang__
        impure elemental subroutine arr_fortran_share_matrix(lhs, rhs)
#else
        subroutine arr_fortran_share_matrix(lhs, rhs)
#endif
            import :: arr_sparse
            class(arr_sparse), intent(out) :: lhs
            type(arr_sparse), intent(in) :: rhs
        end subroutine arr_fortran_share_matrix
    end interface

    interface
        subroutine c_finalized(variable) bind(c, name='arr_fortran_matrix_finalized')
            import :: arr_sparse_handle
            type(arr_sparse_handle), intent(inout) :: variable
        end subroutine c_finalized

        subroutine c_released(variable) bind(c, name='arr_fortran_matrix_released')
            import :: arr_sparse_handle
            type(arr_sparse_handle), intent(inout) :: variable
        end subroutine c_released

        subroutine c_kept(variable) bind(c, name='arr_fortran_matrix_kept')
            import :: arr_sparse_handle
            type(arr_sparse_handle), intent(inout) :: variable
        end subroutine c_kept
    end interface

    interface arr_release
        module procedure release_matrix
    end interface arr_release

    interface arr_give
        module procedure give_matrix
    end interface arr_give

    interface arr_keep
        module procedure keep_matrix
    end interface arr_keep

    interface done
        module procedure done_matrix
    end interface done

contains

    impure elemental subroutine finalize(self)
        type(arr_sparse), intent(inout) :: self
        call c_finalized(self%handle)
    end subroutine finalize

    impure elemental subroutine release_matrix(a)
        type(arr_sparse), intent(inout) :: a
        call c_released(a%handle)
    end subroutine release_matrix

    impure elemental subroutine give_matrix(result, value)
        type(arr_sparse), intent(inout) :: result
        type(arr_sparse), intent(in), optional :: value
        if (present(value)) result = value
        result%temporary = .true.
    end subroutine give_matrix

    impure elemental subroutine keep_matrix(a)
        type(arr_sparse), intent(inout) :: a
        call c_kept(a%handle)
    end subroutine keep_matrix

    subroutine done_matrix(a)
        type(arr_sparse), intent(in) :: a
        integer(c_int32_t) :: status
        if (a%temporary) status = c_release(a%handle)
    end subroutine done_matrix
end module arr_sparse_types
