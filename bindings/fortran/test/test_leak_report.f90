! SPDX-License-Identifier: MIT
! test_leak_report.f90: the report of ARR_DEBUG=leaks: what is alive at the end, and the lines of the assignments.
! gfortran 12 leaves the results of doubled, which does not call arr_give.
program test_leak_report
    use, intrinsic :: iso_fortran_env, only: real64
    use arr
    implicit none
    type(arr_array), save :: kept
    type(arr_array), pointer :: lost
    type(arr_sparse), save :: matrix
    type(arr_linop), save :: operator_of_it
    kept = arr_zeros([2, 3])
    call scope()
    allocate (lost)
    lost = arr_ones([5], ARR_FLOAT32)
    nullify (lost)
    matrix = arr_sparse_eye(3, 4)
    operator_of_it = matrix

contains

    subroutine scope()
        type(arr_array) :: a
        real(real64) :: x
        a = doubled(kept)
        x = sum(doubled(a))
        if (x /= 0) error stop 'a sum of zeros'
    end subroutine scope

    function doubled(a) result(b)
        type(arr_array), intent(in) :: a
        type(arr_array) :: b
        b = 2 * a
    end function doubled
end program test_leak_report
