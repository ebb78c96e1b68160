! SPDX-License-Identifier: MIT
! test_leaks.f90: the count of live handles is the same after every kind of statement as before it.
program test_leaks
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    type :: holder
        type(arr_array) :: a
    end type holder
    integer(int64) :: before
    call scope()
    call expect(arr_live_handles() == 0, 'local variables are finalized')
    call statements()
    call failures()
    call own_functions()
    call containers()
    call types()
    call loops()
    call early_return(.true.)
    call expect(arr_live_handles() == 0, 'an early return')
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine mark()
        before = arr_live_handles()
    end subroutine mark

    subroutine unchanged(by, what)
        integer, intent(in) :: by
        character(len=*), intent(in) :: what
        call expect(arr_live_handles() == before + by, what)
        if (arr_live_handles() /= before + by) print '(a,i0,a,i0)', '    handles: ', arr_live_handles() - before, &
            ', expected ', by
    end subroutine unchanged

    subroutine scope()
        type(arr_array) :: a, b, list(3)
        type(arr_array), allocatable :: c, many(:)
        a = arr_ones([3])
        b = a + 1
        list(2) = a * b
        allocate (c)
        c = a
        allocate (many(4))
        many(4) = sqrt(a)
    end subroutine scope

    subroutine statements()
        type(arr_array) :: a, b
        real(real64) :: h(2, 3), x
        integer(int64) :: n
        integer(int64) :: extents(2)
        h = 1
        a = h
        b = h
        call mark()
        b = a + b * 2 - (a / 3)**2
        call unchanged(0, 'a chain of operators')
        b = b
        call unchanged(0, 'self-assignment')
        b = ((a))
        call unchanged(0, 'parentheses')
        b = a
        call unchanged(0, 'sharing')
        x = sum(a * b)
        call unchanged(0, 'a reduction of an expression, read')
        h = transpose(reshape(a + 1, [3, 2]))
        call unchanged(0, 'views of temporaries, read')
        n = size(a + b) + size(transpose(a), 1) + arr_nbytes(a * 2) + rank(-a)
        if (arr_dtype(a * 2) /= arr_dtype(a)) n = -1
        call unchanged(0, 'queries of temporaries')
        extents = shape(a + b)
        call unchanged(0, 'shape of a temporary')
        open (unit=10, status='scratch')
        write (10, *) a + b
        close (10)
        call unchanged(0, 'printing a temporary')
        b = merge(a + 1, 2.0_real64, a > 0)
        b = arr_clip(a + 1, 0, 1)
        b = max(a + 1, min(b, 3))
        b = arr_where(a > 0, a + 1, a - 1)
        call unchanged(0, 'functions of two and three operands')
        b = maxloc(a + 1)
        b = maxloc(a + 1, dim=1)
        b = arr_argmin(a * 2)
        b = spread(a + 1, 1, 2)
        b = arr_squeeze(arr_flip(arr_section(a + 1, [arr_span(1, 1)])))
        b = arr_item(a + 1, [1, 2])
        b = arr_index_axis(a + 1, 1, 2)
        b = arr_permute(a + 1, [2, 1])
        b = arr_broadcast_to(arr_index_axis(a + 1, 1, 2), [4, 3])
        call unchanged(0, 'views of temporaries')
        b = arr_copy(arr_contiguous(arr_astype(a + 1, ARR_FLOAT32), ARR_ORDER_C))
        b = arr_zeros_like(a + 1)
        b = arr_full_like(a + 1, 2)
        call arr_fill(arr_section(a, [arr_span(1, 1)]), 3)
        call arr_assign(arr_section(a, [arr_span(1, 1)]), arr_ones([3]) * 2)
        call arr_assign(arr_section(a, [arr_span(1, 1)]), 4.0)
        call unchanged(0, 'copies and writes')
    end subroutine statements

    subroutine failures()
        type(arr_array) :: a, b
        type(arr_error) :: err
        real(real64) :: h(2, 3), x
        h = 1
        a = h
        b = a
        call mark()
        b = arr_add(a + 1, arr_ones([7, 7]), err=err)
        b = a
        b = sum(a + 1, dim=9, err=err)
        b = a
        b = arr_section(a + 1, [arr_span(0, 9)], err)
        b = a
        b = arr_item(a + 1, [9, 9], err)
        b = a
        b = maxloc(arr_zeros([0]) + 1, err=err)
        b = a
        call arr_download(a + 1, x, err=err)
        call unchanged(0, 'failures')
        b = a
        b = nothing(a + 1, err)
        b = a
        call unchanged(0, 'a failure in a function')
    end subroutine failures

    function nothing(a, err) result(b)
        type(arr_array), intent(in) :: a
        type(arr_error), intent(out) :: err
        type(arr_array) :: b
        b = reshape(a, [1], err=err)
        call arr_give(b)
    end function nothing

    ! A function of the user: arr_consume for the operands, arr_give for the result.
    function norm(a) result(n)
        type(arr_array), intent(in) :: a
        type(arr_array) :: n
        n = sqrt(sum(a * a))
        call arr_consume(a)
        call arr_give(n)
    end function norm

    function grown(a) result(n)
        type(arr_array), intent(in) :: a
        type(arr_array) :: n
        n = a
        call arr_give(n, n + 1)
    end function grown

    subroutine own_functions()
        type(arr_array) :: a, b
        a = arr_ones([4])
        b = a
        call mark()
        b = norm(a)
        b = norm(a + 1) * 2
        b = norm(norm(a) + a)
        call unchanged(0, 'functions of the user')
        b = grown(grown(a) * 2)
        call unchanged(0, 'results given with their values')
        call expect(arr_all_of(grown(a) == 2), 'a value that reads the result')
    end subroutine own_functions

    subroutine containers()
        type(holder) :: x, y
        type(arr_array) :: list(2), other(2)
        call mark()
        x%a = arr_ones([3])
        y%a = x%a + 1
        call unchanged(2, 'components')
        y%a = x%a
        call unchanged(2, 'a component from a component')
        list(1) = x%a
        list(2) = y%a * 2
        other = list
        call unchanged(6, 'assignment of lists')
        list = [x%a, y%a]
        call unchanged(6, 'assignment of an array constructor')
        call arr_release(other)
        call arr_release(list)
        call unchanged(2, 'release of lists')
        call lists(x%a, y%a)
        call unchanged(2, 'lists that go out of scope')
    end subroutine containers

    ! gfortran 12 copies the components bit by bit before it assigns them, so the old array of y is lost.
    subroutine types()
        type(holder) :: x, y
        call mark()
        call arr_scope_begin()
        x%a = arr_ones([3])
        y%a = x%a + 1
        y = x
        call expect(sum_of(x%a) == 3 .and. sum_of(y%a) == 3, 'both sides of an assignment of types are alive')
        call arr_release(x%a)
        call expect(sum_of(y%a) == 3, 'one side after the release of the other')
        call arr_keep(y%a)
        call arr_scope_end()
        call unchanged(1, 'an assignment of types in a scope')
        call expect(sum_of(y%a) == 3, 'the array that a scope keeps')
        call scopes(y%a)
        call unchanged(1, 'scopes')
    end subroutine types

    subroutine scopes(a)
        type(arr_array), intent(in) :: a
        type(arr_array) :: outer, inner
        type(arr_error) :: err
        call arr_scope_begin()
        outer = a + 1
        call arr_scope_begin()
        inner = outer + 1
        call arr_scope_end()
        call expect(sum_of(outer) == 6, 'an inner scope leaves what the outer one has made')
        x_is_dead: block
            real(real64) :: x
            call arr_download(inner, x, err=err)
        end block x_is_dead
        call expect_failure(err, ARR_E_HANDLE, 'released', 'an array after its scope')
        inner = outer
        call arr_scope_end()
        call arr_scope_end(err)
        call expect_failure(err, ARR_E_ARGUMENT, 'no scope is open', 'an end without a beginning')
    end subroutine scopes

    ! Allocatable lists are allocated by assignment, as intrinsic types are.
    subroutine lists(a, b)
        type(arr_array), intent(in) :: a, b
        type(arr_array), allocatable :: list(:)
        type(arr_array) :: two(2)
        integer :: i
        list = [a, b]
        call expect(size(list) == 2 .and. sum_of(list(2)) == sum_of(b), 'assignment to a list that is not allocated')
        call unchanged(4, 'a list that was not allocated')
        list = [a + 1, b, a]
        call expect(size(list) == 3 .and. sum_of(list(1)) == 6, 'assignment of a longer list')
        call unchanged(5, 'a longer list, with a temporary')
        list = list(2:3)
        call expect(size(list) == 2 .and. sum_of(list(2)) == 3, 'assignment of a part of a list to itself')
        call unchanged(4, 'a part of a list')
        do i = 1, 10
            list = [a, b]
            two = list
            two = [b, a]
        end do
        call unchanged(6, 'lists in a loop')
        list = [arr_array ::]
        call unchanged(4, 'a list of nothing')
    end subroutine lists

    function sum_of(a) result(x)
        type(arr_array), intent(in) :: a
        real(real64) :: x
        x = sum(a)
    end function sum_of

    subroutine loops()
        type(arr_array) :: a
        integer :: i
        a = arr_ones([16])
        call mark()
        do i = 1, 1000
            a = a + 1
            if (mod(i, 7) == 0) cycle
            block
                type(arr_array) :: inner
                inner = a * 2
                a = inner / 2
            end block
        end do
        call unchanged(0, 'a loop with a block')
    end subroutine loops

    subroutine early_return(yes)
        logical, intent(in) :: yes
        type(arr_array) :: a
        a = arr_ones([3])
        if (yes) return
        a = a + 1
    end subroutine early_return
end program test_leaks
