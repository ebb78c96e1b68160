! SPDX-License-Identifier: MIT
! idioms.f90: the frame of the program that idioms.py makes from the rows of docs/guides/from_fortran.md.
program idioms
    use, intrinsic :: iso_fortran_env, only: dp => real64, int64
    use arr
    implicit none
    ! Compares what a row computes with arr and with plain Fortran.
    interface same
        procedure same_real_0, same_real_1, same_real_2, same_integer_0, same_integer_1, same_integer_2, same_logical_1, &
            same_logical_2, same_numbers, same_number, same_truth
    end interface same
    real(dp) :: x(3, 4), y(3, 4), m(3, 3), v(3)
    integer :: k(3, 4)
    type(arr_array) :: a, b, s, c, n
    integer :: checked = 0, failed = 0

    ! CALLS
    print '(i0,a,i0,a)', checked, ' checks, ', failed, ' failed'
    if (failed > 0) error stop 1

contains

    subroutine prepare()
        integer :: i
        x = reshape([(modulo(0.37_dp * i, 1.0_dp), i = 1, 12)], [3, 4])
        y = reshape([(modulo(0.61_dp * i, 1.0_dp), i = 1, 12)], [3, 4])
        m = x(:, 2:)
        v = y(:, 1)
        k = reshape([(modulo(5 * i, 9), i = 1, 12)], [3, 4])
        a = x
        b = y
        s = m
        c = v
        n = k
    end subroutine prepare

    subroutine told(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what
        checked = checked + 1
        if (good) return
        failed = failed + 1
        print '(2a)', 'FAILED: ', what
    end subroutine told

    subroutine same_real_0(ours, plain, what)
        type(arr_array), intent(in) :: ours
        real(dp), intent(in) :: plain
        character(len=*), intent(in) :: what
        real(dp) :: h
        h = ours
        call told(abs(h - plain) <= 1e-12_dp, what)
    end subroutine same_real_0

    subroutine same_real_1(ours, plain, what)
        type(arr_array), intent(in) :: ours
        real(dp), intent(in) :: plain(:)
        character(len=*), intent(in) :: what
        real(dp) :: h(size(plain))
        h = ours
        call told(all(abs(h - plain) <= 1e-12_dp), what)
    end subroutine same_real_1

    subroutine same_real_2(ours, plain, what)
        type(arr_array), intent(in) :: ours
        real(dp), intent(in) :: plain(:, :)
        character(len=*), intent(in) :: what
        real(dp) :: h(size(plain, 1), size(plain, 2))
        h = ours
        call told(all(abs(h - plain) <= 1e-12_dp), what)
    end subroutine same_real_2

    subroutine same_integer_0(ours, plain, what)
        type(arr_array), intent(in) :: ours
        integer, intent(in) :: plain
        character(len=*), intent(in) :: what
        integer :: h
        h = ours
        call told(h == plain, what)
    end subroutine same_integer_0

    subroutine same_integer_1(ours, plain, what)
        type(arr_array), intent(in) :: ours
        integer, intent(in) :: plain(:)
        character(len=*), intent(in) :: what
        integer :: h(size(plain))
        h = ours
        call told(all(h == plain), what)
    end subroutine same_integer_1

    subroutine same_integer_2(ours, plain, what)
        type(arr_array), intent(in) :: ours
        integer, intent(in) :: plain(:, :)
        character(len=*), intent(in) :: what
        integer :: h(size(plain, 1), size(plain, 2))
        h = ours
        call told(all(h == plain), what)
    end subroutine same_integer_2

    subroutine same_logical_1(ours, plain, what)
        type(arr_array), intent(in) :: ours
        logical, intent(in) :: plain(:)
        character(len=*), intent(in) :: what
        logical :: h(size(plain))
        h = ours
        call told(all(h .eqv. plain), what)
    end subroutine same_logical_1

    subroutine same_logical_2(ours, plain, what)
        type(arr_array), intent(in) :: ours
        logical, intent(in) :: plain(:, :)
        character(len=*), intent(in) :: what
        logical :: h(size(plain, 1), size(plain, 2))
        h = ours
        call told(all(h .eqv. plain), what)
    end subroutine same_logical_2

    ! Extents, which arr has in 64 bits.
    subroutine same_numbers(ours, plain, what)
        integer(int64), intent(in) :: ours(:)
        integer, intent(in) :: plain(:)
        character(len=*), intent(in) :: what
        call told(all(ours == plain), what)
    end subroutine same_numbers

    subroutine same_number(ours, plain, what)
        integer(int64), intent(in) :: ours
        integer, intent(in) :: plain
        character(len=*), intent(in) :: what
        call told(ours == plain, what)
    end subroutine same_number

    subroutine same_truth(ours, plain, what)
        logical, intent(in) :: ours, plain
        character(len=*), intent(in) :: what
        call told(ours .eqv. plain, what)
    end subroutine same_truth

    ! ROWS
end program idioms
