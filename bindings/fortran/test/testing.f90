! SPDX-License-Identifier: MIT
! testing.f90: checks of the tests, with counts and names.
module testing
    use, intrinsic :: iso_c_binding, only: c_int32_t
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use arr, only: arr_array, arr_error, arr_live_handles, arr_scope_begin, arr_scope_end, arr_status_name, assignment(=)
    implicit none
    private
    public :: each, expect, expect_failure, finish, same
    ! An array's elements, of whatever rank and type, except for rounding.
    interface same
        module procedure same_vector, same_matrix, same_complex
    end interface same
    abstract interface
        subroutine pattern()
        end subroutine pattern
    end interface
    integer, parameter :: rounds = 20
    real(real64), parameter :: tolerance = 1e-12_real64
    integer :: checked = 0, failed = 0

contains

    subroutine expect(condition, what)
        logical, intent(in) :: condition
        character(len=*), intent(in) :: what
        checked = checked + 1
        if (condition) return
        failed = failed + 1
        print '(2a)', 'FAILED: ', what
    end subroutine expect

    ! Runs a pattern several times, each in a scope; it must leave no handle.
    subroutine each(what, run)
        character(len=*), intent(in) :: what
        procedure(pattern) :: run
        integer(int64) :: before
        integer :: i
        before = arr_live_handles()
        do i = 1, rounds
            call arr_scope_begin()
            call run()
            call arr_scope_end()
        end do
        call expect(arr_live_handles() <= before + 1, what)
        if (arr_live_handles() > before + 1) print '(4x,2(a,i0))', 'handles: ', arr_live_handles(), ', before ', before
    end subroutine each

    ! The error has this status, and the text of the message in it.
    subroutine expect_failure(err, status, text, what)
        type(arr_error), intent(in) :: err
        integer(c_int32_t), intent(in) :: status
        character(len=*), intent(in) :: text, what
        logical :: good
        good = err%status == status
        if (good) good = index(err%message, text) > 0
        call expect(good, what)
        if (good) return
        print '(6a)', '    got ', arr_status_name(err%status), ', expected ', arr_status_name(status), ' and ', text
        if (allocated(err%message)) print '(2a)', '    message: ', err%message
    end subroutine expect_failure

    subroutine same_vector(a, h, what)
        type(arr_array), intent(in) :: a
        real(real64), intent(in) :: h(:)
        character(len=*), intent(in) :: what
        real(real64) :: g(size(h))
        g = a
        call expect(all(abs(g - h) <= tolerance * (1 + abs(h))), what)
    end subroutine same_vector

    subroutine same_matrix(a, h, what)
        type(arr_array), intent(in) :: a
        real(real64), intent(in) :: h(:, :)
        character(len=*), intent(in) :: what
        real(real64) :: g(size(h, 1), size(h, 2))
        g = a
        call expect(all(abs(g - h) <= tolerance * (1 + abs(h))), what)
    end subroutine same_matrix

    subroutine same_complex(a, h, what)
        type(arr_array), intent(in) :: a
        complex(real64), intent(in) :: h(:, :)
        character(len=*), intent(in) :: what
        complex(real64) :: g(size(h, 1), size(h, 2))
        g = a
        call expect(all(abs(g - h) <= tolerance * (1 + abs(h))), what)
    end subroutine same_complex

    subroutine finish()
        print '(i0,a,i0,a)', checked, ' checks, ', failed, ' failed'
        if (failed > 0 .or. checked == 0) error stop 1
    end subroutine finish
end module testing
