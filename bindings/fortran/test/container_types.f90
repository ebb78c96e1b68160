! SPDX-License-Identifier: MIT
! container_types.f90: derived types that hold arrays and functions that return them, for test_containers and test_results.
module container_types
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
    type :: field
        type(arr_array) :: u, v
    end type field
    type, extends(field) :: field3
        type(arr_array) :: w
    end type field3
    type :: box
        type(field) :: inner
        type(arr_array) :: t
    end type box
    type :: simulation
        type(field), allocatable :: fields(:)
        type(field) :: now
        type(arr_array) :: t
    end type simulation
    type :: link
        type(field), pointer :: at => null()
        type(arr_array) :: own
    end type link

contains

    function sum_of(a) result(x)
        type(arr_array), intent(in) :: a
        real(dp) :: x
        x = sum(a)
    end function sum_of

    function twice(a) result(n)
        type(arr_array), intent(in) :: a
        type(arr_array) :: n
        n = 2 * a
    end function twice

    function outer(a) result(n)
        type(arr_array), intent(in) :: a
        type(arr_array) :: n
        n = twice(a) + 1
    end function outer

    recursive function power(a, n) result(p)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: n
        type(arr_array) :: p
        if (n == 0) then
            p = arr_ones_like(a)
        else
            p = power(a, n - 1) * a
        end if
    end function power

    ! Each call has its own local variable.
    recursive subroutine deeper(n, list)
        integer, intent(in) :: n
        type(arr_array), intent(inout) :: list(:)
        type(arr_array) :: mine
        mine = arr_full([2], n)
        if (n > 1) call deeper(n - 1, list)
        list(n) = mine
    end subroutine deeper

    function made(x) result(f)
        real(dp), intent(in) :: x
        type(field) :: f
        f%u = arr_full([4], x)
        f%v = f%u * 2
    end function made

    function copied(f) result(g)
        type(field), intent(in) :: f
        type(field) :: g
        g = f
    end function copied

    function boxed(f) result(b)
        type(field), intent(in) :: f
        type(box) :: b
        b%inner = f
        b%t = f%u + f%v
    end function boxed

    function given(x) result(f)
        real(dp), intent(in) :: x
        type(field) :: f
        f = made(x)
        call arr_give(f%u)
        call arr_give(f%v)
    end function given

    function pair(a) result(list)
        type(arr_array), intent(in) :: a
        type(arr_array) :: list(2)
        list(1) = a + 1
        list(2) = a
        call arr_give(list)
    end function pair

    subroutine doubled(x, y)
        type(arr_array), intent(in) :: x
        type(arr_array), intent(out) :: y
        y = 2 * x
    end subroutine doubled

    subroutine step(f)
        type(field), intent(inout) :: f
        f = field(f%u + 1, f%v)
    end subroutine step

    subroutine assigned(x, y, z)
        type(field), intent(in) :: x
        type(field), intent(out) :: y
        type(field), intent(inout) :: z
        y = x
        z = x
    end subroutine assigned

    function energy(f) result(e)
        type(field), intent(in) :: f
        real(dp) :: e
        e = sum(f%u)
    end function energy

    ! The sum of both, which must be alive.
    function total(f) result(e)
        class(field), intent(in) :: f
        real(dp) :: e, part
        e = sum(f%u)
        part = sum(f%v)
        e = e + part
    end function total
end module container_types
