! SPDX-License-Identifier: MIT
! arr_indexing.f90: elements at subscripts as in Fortran: ranges, and lists of indices, which count from 1.
module arr_indexing
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_get_items => arr_get_items, c_set_items => arr_set_items, c_update_items => arr_update_items
    use arr_arguments, only: done_value, operation, weak_value
    use arr_errors, only: arr_error, check, fail
    use arr_subscripts, only: selection, add, begin, finish, forget
    use arr_types, only: arr_array, arr_stream, done, stream_of
    implicit none
    private
    public :: arr_get, arr_set, arr_update

    ! arr_get(a, [1, 3], arr_span(2, 9, 2), 4): a([1, 3], 2:9:2, 4). A subscript is an integer, arr_span(first, last, step),
    ! a list of integers, a list of logicals as long as the dimension, or an arr_array of either; arr_span() is a whole
    ! dimension, as those are that are left out at the end. A view where there are no lists, else a copy.
    interface arr_get
        module procedure get_items
    end interface arr_get

    ! call arr_set(a, 0, [1, 3], arr_span(2, 9)): a([1, 3], 2:9) = 0. The value is a number, or an array of that shape. Of a
    ! position that is there twice the last value stays.
    interface arr_set
        module procedure set_items
    end interface arr_set

    ! call arr_update('add', n, 1, list): the operation for each subscript, also of a position that is there several times.
    interface arr_update
        module procedure update_items
    end interface arr_update

contains

    function get_items(a, s1, s2, s3, s4, s5, s6, s7, stream, err) result(z)
        type(arr_array), intent(in) :: a
        class(*), intent(in) :: s1(..)
        class(*), intent(in), optional :: s2(..), s3(..), s4(..), s5(..), s6(..), s7(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(selection) :: s
        type(arr_error) :: problem
        call begin(s, 'arr_get', a, problem)
        call add(s, s1, stream, problem)
        if (present(s2)) call add(s, s2, stream, problem)
        if (present(s3)) call add(s, s3, stream, problem)
        if (present(s4)) call add(s, s4, stream, problem)
        if (present(s5)) call add(s, s5, stream, problem)
        if (present(s6)) call add(s, s6, stream, problem)
        if (present(s7)) call add(s, s7, stream, problem)
        call finish(s, a, stream, problem)
        if (problem%failed()) then
            call forget(s, with_view=.true.)
        else if (s%n == 0) then
            z%handle = s%view
        else
            call check(c_get_items(s%view, s%n, s%rows, ARR_BOUNDS_RAISE, stream_of(stream), z%handle), problem)
            call forget(s, with_view=.true.)
        end if
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function get_items

    subroutine set_items(a, value, s1, s2, s3, s4, s5, s6, s7, stream, err)
        type(arr_array), intent(in) :: a
        class(*), intent(in) :: value
        class(*), intent(in) :: s1(..)
        class(*), intent(in), optional :: s2(..), s3(..), s4(..), s5(..), s6(..), s7(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(selection) :: s
        type(arr_value), allocatable :: v
        type(arr_error) :: problem
        call begin(s, 'arr_set', a, problem)
        call add(s, s1, stream, problem)
        if (present(s2)) call add(s, s2, stream, problem)
        if (present(s3)) call add(s, s3, stream, problem)
        if (present(s4)) call add(s, s4, stream, problem)
        if (present(s5)) call add(s, s5, stream, problem)
        if (present(s6)) call add(s, s6, stream, problem)
        if (present(s7)) call add(s, s7, stream, problem)
        call finish(s, a, stream, problem)
        call weak_value(value, v, problem)
        if (.not. problem%failed()) call check(c_set_items(s%view, s%n, s%rows, v, ARR_BOUNDS_RAISE, stream_of(stream)), problem)
        call forget(s, with_view=.true.)
        call done(a)
        call done_value(value)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine set_items

    subroutine update_items(op, a, value, s1, s2, s3, s4, s5, s6, s7, stream, err)
        character(len=*), intent(in) :: op
        type(arr_array), intent(in) :: a
        class(*), intent(in) :: value
        class(*), intent(in) :: s1(..)
        class(*), intent(in), optional :: s2(..), s3(..), s4(..), s5(..), s6(..), s7(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(selection) :: s
        type(arr_value), allocatable :: v
        type(arr_error) :: problem
        integer(c_int32_t) :: number
        call operation(op, number, problem)
        if (.not. problem%failed()) call begin(s, 'arr_update', a, problem)
        call add(s, s1, stream, problem)
        if (present(s2)) call add(s, s2, stream, problem)
        if (present(s3)) call add(s, s3, stream, problem)
        if (present(s4)) call add(s, s4, stream, problem)
        if (present(s5)) call add(s, s5, stream, problem)
        if (present(s6)) call add(s, s6, stream, problem)
        if (present(s7)) call add(s, s7, stream, problem)
        call finish(s, a, stream, problem)
        call weak_value(value, v, problem)
        if (.not. problem%failed()) call check(c_update_items(number, s%view, s%n, s%rows, v, &
            ARR_BOUNDS_RAISE, stream_of(stream)), problem)
        call forget(s, with_view=.true.)
        call done(a)
        call done_value(value)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine update_items
end module arr_indexing
