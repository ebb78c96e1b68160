! SPDX-License-Identifier: MIT
! test_results.f90: functions of the program that return arrays and types of arrays: no dead handle, and none after a scope.
program test_results
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use arr
    use testing
    use container_types
    implicit none
    type(arr_array), save :: kept
    kept = arr_ones([4])
    call each('functions without arr_give', functions)
    call each('functions in a loop', functions_in_a_loop)
    call each('recursion', recursion)
    call each('function results of types', types_from_functions)
    call each('components used alone', one_component)
    call each('intent(out) and intent(inout)', intents)
    call each('associate and block', blocks)
    call each('given lists', given_lists)
    call threads()
    call loops()
    call finish()

contains

    subroutine functions()
        type(arr_array) :: a, b
        real(real64) :: x
        a = arr_ones([4])
        b = twice(a)
        x = sum(twice(a))
        call expect(x == 8, 'a sum of a function')
        x = sum(twice(a) + twice(a + 1) * outer(a))
        call expect(x == 4 * (2 + 4 * 3), 'functions in an expression')
        b = outer(twice(outer(a)))
        call expect(sum_of(b) == 4 * 13, 'functions of functions')
        call expect(sum_of(twice(b)) == 4 * 26, 'a function as an argument')
    end subroutine functions

    ! The variable from before the loop keeps its array in each scope.
    subroutine functions_in_a_loop()
        type(arr_array) :: a
        real(real64) :: x
        integer(int64) :: before
        integer :: i
        a = arr_ones([4])
        before = arr_live_handles()
        do i = 1, 50
            call arr_scope_begin()
            x = sum(twice(a) + twice(a + 1))
            a = outer(a) - a
            call arr_keep(a)
            call arr_scope_end()
        end do
        call expect(arr_live_handles() == before, 'a scope in a loop')
        call expect(sum_of(a) == 4 * 51, 'what it kept')
    end subroutine functions_in_a_loop

    subroutine recursion()
        type(arr_array) :: a, list(5)
        integer :: i
        call deeper(5, list)
        call expect(all([(sum_of(list(i)) == 2 * i, i=1, 5)]), 'local variables of recursive calls')
        a = arr_full([2], 2)
        call expect(sum_of(power(a, 10)) == 2048, 'a recursive function')
        a = power(a, 3) + power(power(a, 2), 2)
        call expect(sum_of(a) == 48, 'recursive functions')
    end subroutine recursion

    subroutine types_from_functions()
        type(field) :: f, g
        type(field), allocatable :: list(:)
        integer :: i
        f = made(1d0)
        g = copied(f)
        call expect(total(g) == 12 .and. total(f) == 12, 'a type from a function')
        do i = 1, 5
            f = made(real(i, real64))
            g = copied(copied(f))
        end do
        call expect(total(f) == 60 .and. total(g) == 60, 'types from functions in a loop')
        f = given(2d0)
        call expect(total(f) == 24, 'a given type')
        list = [made(1d0), made(2d0)]
        call expect(total(list(1)) == 12 .and. total(list(2)) == 24, 'a list of results')
        call expect(total(list(1)) == 12 .and. total(list(2)) == 24, 'a list of results, again')
        list = [copied(f), copied(list(1))]
        call expect(total(list(1)) == 24 .and. total(list(2)) == 12, 'a list of copies')
    end subroutine types_from_functions

    subroutine one_component()
        call expect(energy(made(1d0)) + energy(made(2d0)) == 12, 'a component of a result')
    end subroutine one_component

    subroutine intents()
        type(arr_array) :: a, b
        type(field) :: f, g, h
        type(field), allocatable :: list(:)
        integer :: i
        a = arr_ones([4])
        do i = 1, 5
            call doubled(a, b)
        end do
        call expect(sum_of(b) == 8, 'intent(out)')
        f = made(1d0)
        do i = 1, 5
            call step(f)
        end do
        call expect(total(f) == 4 * 6 + 8, 'intent(inout)')
        do i = 1, 5
            call assigned(f, g, h)
            call assigned(g, h, f)
        end do
        call expect(total(f) == 32 .and. total(g) == 32 .and. total(h) == 32, 'types assigned to arguments')
        allocate (list(2))
        list(2) = f
        call step(list(2))
        call expect(total(list(2)) == 4 * 7 + 8 .and. total(f) == 4 * 6 + 8, 'intent(inout) of an element')
    end subroutine intents

    subroutine blocks()
        type(arr_array) :: a
        integer :: i
        a = arr_ones([4])
        do i = 1, 5
            block
                type(arr_array) :: b
                type(field) :: f
                b = twice(a)
                f = made(1d0)
                if (i == 2) cycle
                f%u = b
            end block
            associate (z => a + 1)
                call expect(sum_of(z) == 8, 'associate with an expression')
            end associate
            associate (z => twice(a))
                call expect(sum_of(z) == 8 .and. sum_of(z) == 8, 'associate with a function')
            end associate
            associate (z => made(1d0))
                call expect(total(z) == 12 .and. total(z) == 12, 'associate with a type')
            end associate
        end do
    end subroutine blocks

    subroutine given_lists()
        type(arr_array) :: two(2)
        type(arr_array), allocatable :: list(:)
        integer :: i
        do i = 1, 5
            two = pair(two_of(i))
            list = pair(two(1))
        end do
        call expect(sum_of(two(1)) == 24 .and. sum_of(list(1)) == 28, 'a function with a list as its result')
    end subroutine given_lists

    function two_of(i) result(a)
        integer, intent(in) :: i
        type(arr_array) :: a
        a = arr_full([4], i)
    end function two_of

    subroutine threads()
        real(real64) :: x(8)
        integer(int64) :: before
        integer :: i
        before = arr_live_handles()
        !$omp parallel do
        do i = 1, 8
            call arr_scope_begin()
            block
                type(field) :: f
                type(arr_array) :: a
                f = made(real(i, real64))
                a = twice(f%u) + f%v + power(f%u, 3) - power(f%u, 3)
                x(i) = sum(a)
            end block
            call arr_scope_end()
        end do
        !$omp end parallel do
        call expect(all(x == [(16 * i, i=1, 8)]), 'threads')
        call expect(arr_live_handles() == before, 'scopes of threads')
    end subroutine threads

    subroutine loops()
        type(field) :: f, g
        type(field), allocatable :: list(:)
        integer(int64) :: before
        integer :: i
        before = arr_live_handles()
        call arr_scope_begin()
        do i = 1, 20
            call arr_scope_begin()
            f = made(1d0)
            g = field(twice(f%u), f%v + 1)
            f = copied(g)
            list = [f, made(1d0), g]
            list(2) = list(1)
            call step(list(2))
            call arr_keep(list%u)
            call arr_keep(list%v)
            call arr_scope_end()
            call expect(total(list(2)) == 8 + 4 + 12, 'what the inner scope kept')
        end do
        call arr_scope_end()
        call expect(arr_live_handles() == before, 'the outer scope releases what inner ones kept')
    end subroutine loops
end program test_results
