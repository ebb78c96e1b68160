! SPDX-License-Identifier: MIT
! arr_rearranging.f90: concatenation, repetition, padding, windows, circular and end-off shifts.
module arr_rearranging
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c_manipulation, only: c_tile => arr_tile, c_roll => arr_roll
    use arr_c, only: c_slice => arr_slice, c_set_items => arr_set_items, c_pad => arr_pad, &
        c_sliding_window_view => arr_sliding_window_view
    use arr_arguments, only: done_value, integer_number, one_if, weak_value
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, choice, done, shape_of, stream_of
    use arr_engine, only: axis_of, dims_of
    use arr_functions, only: arr_concat => arr_concatenate  ! the standard's and NumPy 2's name for it
    implicit none
    private
    public :: arr_concat, arr_tile, arr_pad, arr_sliding_window_view, arr_cshift, cshift, eoshift

    interface arr_tile
        module procedure tile
    end interface arr_tile

    ! Pads the array: mode is ARR_PAD_EDGE or another of them, without it numbers, value or 0. widths has one
    ! entry for all, two for before and after each dimension, or those two for every dimension.
    interface arr_pad
        module procedure pad
    end interface arr_pad

    ! Returns a view whose new last dimensions are windows of these extents, which move along the dimensions dim.
    interface arr_sliding_window_view
        module procedure windows
    end interface arr_sliding_window_view

    interface arr_cshift
        module procedure cshift_array
    end interface arr_cshift

    interface cshift
        module procedure cshift_array
    end interface cshift

    interface eoshift
        module procedure eoshift_array
    end interface eoshift

contains

    ! Repeats the array a number of times along each dimension.
    function tile(array, counts, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in) :: counts(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_tile(array%handle, size(counts, kind=c_int32_t), int(counts, c_int64_t), stream_of(stream), &
            z%handle), err)
        z%temporary = .true.
        call done(array)
    end function tile

    function pad(array, widths, mode, value, odd, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in) :: widths(:)
        integer(c_int32_t), intent(in), optional :: mode
        class(*), intent(in), optional :: value
        logical, intent(in), optional :: odd
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_pad_options) :: options
        type(arr_value), allocatable, target :: v
        type(arr_error) :: problem
        options%struct_size = c_sizeof(options)
        options%odd = one_if(odd)
        if (present(value)) call weak_value(value, v, problem)
        if (allocated(v)) then
            options%values = c_loc(v)
            options%nvalues = 1
        end if
        if (.not. problem%failed()) call check(c_pad(array%handle, size(widths, kind=c_int32_t), int(widths, c_int64_t), &
            choice(mode, ARR_PAD_CONSTANT), options, stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call done(array)
        call done_value(value)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function pad

    function windows(array, window, dim, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in) :: window(:)
        integer, intent(in), optional :: dim(..)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: axes(size(window))
        character(len=120) :: text
        integer :: i, count
        axes = [(int(i - 1, c_int32_t), i=1, size(window))]
        count = size(axes)
        if (present(dim)) count = size(dims_of(dim))
        if (present(dim) .and. count == size(axes)) axes = dims_of(dim)
        if (count == size(axes)) then
            call check(c_sliding_window_view(array%handle, size(window, kind=c_int32_t), int(window, c_int64_t), axes, &
                z%handle), err)
        else
            write (text, '(a, i0, a, i0)') 'arr_sliding_window_view: argument dim: got ', count, &
                ' dimensions, expected those of window: ', size(window)
            call fail(ARR_E_ARGUMENT, trim(text), err)
        end if
        z%temporary = .true.
        call done(array)
    end function windows

    ! Shifts circularly, like Fortran's cshift: element i of the result is element i + shift along the dimension.
    function cshift_array(array, shift, dim, stream, err) result(z)
        type(arr_array), intent(in) :: array
        class(*), intent(in) :: shift
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int64_t) :: by
        call rolled('cshift', array, shift, by, dim, z, stream, problem)
        z%temporary = .true.
        call done(array)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function cshift_array

    subroutine rolled(name, array, shift, by, dim, z, stream, err)
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: array
        class(*), intent(in) :: shift
        integer(c_int64_t), intent(out) :: by
        integer, intent(in), optional :: dim
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        by = 0
        call integer_number(name // ': argument shift', shift, by, err)
        if (.not. err%failed()) call check(c_roll(array%handle, 1_c_int32_t, [-by], [axis_of(choice(dim, 1))], &
            stream_of(stream), z%handle), err)
    end subroutine rolled

    ! Shifts end-off, like Fortran's eoshift: elements that leave at one end are lost, and boundary, a number or 0, enters at
    ! the other.
    function eoshift_array(array, shift, boundary, dim, stream, err) result(z)
        type(arr_array), intent(in) :: array
        class(*), intent(in) :: shift
        class(*), intent(in), optional :: boundary
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_value), allocatable :: v
        type(arr_error) :: problem
        integer(c_int64_t) :: by
        call rolled('eoshift', array, shift, by, dim, z, stream, problem)
        if (present(boundary)) then
            call weak_value(boundary, v, problem)
        else
            call weak_value(0, v, problem)
        end if
        if (.not. problem%failed()) call fill_end(z, by, choice(dim, 1), v, stream, problem)
        z%temporary = .true.
        call done(array)
        call done_value(boundary)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function eoshift_array

    subroutine fill_end(z, shift, dim, v, stream, err)
        type(arr_array), intent(in) :: z
        integer(c_int64_t), intent(in) :: shift
        integer, intent(in) :: dim
        type(arr_value), intent(in) :: v
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_array) :: part
        type(arr_index) :: whole(1)
        integer(c_int64_t) :: extents(ARR_MAX_NDIM), first(dim), last(dim), steps(dim), new
        integer(c_int32_t) :: n
        call shape_of(z, n, extents, err)
        if (err%failed()) return
        new = min(abs(shift), extents(dim))
        first = 0
        last = extents(:dim)
        steps = 1
        if (shift > 0) first(dim) = extents(dim) - new
        if (shift <= 0) last(dim) = new
        call check(c_slice(z%handle, int(dim, c_int32_t), first, last, steps, part%handle), err)
        if (.not. err%failed()) call check(c_set_items(part%handle, 0_c_int32_t, whole, v, ARR_BOUNDS_RAISE, &
            stream_of(stream)), err)
    end subroutine fill_end
end module arr_rearranging
