! SPDX-License-Identifier: MIT
! test_locals.f90: each call of a recursive procedure and each thread has its own local arrays.
module narrow_use
    use, intrinsic :: iso_fortran_env, only: real64
    use arr, only: arr_array, arr_full, assignment(=), write(formatted)
    implicit none

contains

    ! A program with a list of names prints this.
    subroutine print_with_only(text)
        character(len=*), intent(out) :: text
        type(arr_array) :: a
        a = arr_full([2], 3.0_real64)
        write (text, *) a
    end subroutine print_with_only
end module narrow_use

program test_locals
    use, intrinsic :: iso_fortran_env, only: real64
    use arr
    use testing
    use narrow_use
    !$ use omp_lib, only: omp_get_num_threads, omp_get_thread_num
    implicit none
    type :: pair
        type(arr_array) :: first, second
    end type pair
    type(arr_array) :: seen(6)
    call threads()
    call arr_scope_begin()   ! gfortran 12 finalizes no function result
    call recursion()
    call printing()
    call arr_scope_end()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine recursion()
        type(arr_array) :: a
        integer :: i
        call deeper(6)
        call expect(all([(value_of(seen(i)) == 10 * i, i=1, 6)]), 'local arrays of recursive calls')
        a = arr_full([2], 2)
        a = power(a, 10)
        call expect(value_of(a) == 2048, 'a recursive function')
        a = power(a, 2) + power(power(a, 1), 1) * 2
        call expect(value_of(a) == 2 * (1024.0_real64**2 + 2048), 'recursive functions in an expression')
        call expect(depth_of_lists(5) == 5 + 4 + 3 + 2 + 1, 'local lists of recursive calls')
    end subroutine recursion

    ! Reads its local variables after the inner calls have set theirs.
    recursive subroutine deeper(n)
        integer, intent(in) :: n
        type(arr_array) :: mine
        type(pair) :: both
        mine = arr_full([2], 2 * n)
        both%first = mine * 2
        both%second = mine / 2
        if (n > 1) call deeper(n - 1)
        seen(n) = mine + both%first - both%second
    end subroutine deeper

    recursive function power(a, n) result(p)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: n
        type(arr_array) :: p, own
        own = a
        if (n == 0) then
            p = arr_ones_like(own)
        else
            p = power(own, n - 1) * own
        end if
        call arr_consume(a)
        call arr_give(p)
    end function power

    recursive function depth_of_lists(n) result(total)
        integer, intent(in) :: n
        type(arr_array) :: fixed(2)
        type(arr_array), allocatable :: list(:)
        real(real64) :: total
        fixed(2) = arr_full([1], n)
        list = [fixed(2) - 1, fixed(2) + 1]
        total = 0
        if (n > 1) total = depth_of_lists(n - 1)
        total = total + (value_of(list(1)) + value_of(list(2))) * value_of(fixed(2)) / (2 * n)
    end function depth_of_lists

    ! The sum of the elements.
    function value_of(a) result(x)
        type(arr_array), intent(in) :: a
        real(real64) :: x
        x = sum(a)
    end function value_of

    ! Without -fopenmp there is one thread.
    subroutine threads()
        real(real64) :: x(4)
        integer :: i, k, n
        n = 1
        do i = 1, 20
            !$omp parallel num_threads(4) default(none) shared(x, n) private(k)
            k = 1
            !$ k = omp_get_thread_num() + 1
            !$omp single
            !$ n = omp_get_num_threads()
            !$omp end single
            x(k) = worked(k)
            !$omp end parallel
            call expect(all(x(:n) == [(8.0_real64 * (2 * k + 1), k=1, n)]), 'local arrays of threads')
        end do
    end subroutine threads

    ! Reads its local array after all threads have set theirs.
    function worked(k) result(x)
        integer, intent(in) :: k
        type(arr_array) :: a
        real(real64) :: x
        a = arr_full([8], k)
        a = a + (a + 1)
        !$omp barrier
        x = sum(a)
        !$omp barrier
    end function worked

    subroutine printing()
        character(len=40) :: text
        character(len=2) :: digit
        type(arr_array) :: a
        type(pair) :: one, other
        integer :: i
        do i = 1, 3
            digit = achar(iachar('0') + i)//'.'
            a = arr_full([2], real(i, real64))
            write (text, *) a
            call expect(index(text, digit) > 0, 'an array as text')
            one%first = a
            other = one
            write (text, *) other%first
            call expect(index(text, digit) > 0, 'a component as text')
            write (text, *) given(a)
            call expect(index(text, digit) > 0, 'the result of a function as text')
        end do
        call print_with_only(text)
        call expect(index(text, '3.') > 0, 'an array as text in a module with a list of names')
    end subroutine printing

    function given(a) result(b)
        type(arr_array), intent(in) :: a
        type(arr_array) :: b
        b = a + 0
        call arr_give(b)
    end function given
end program test_locals
