! SPDX-License-Identifier: MIT
! arr_search.f90: places in sorted vectors, bins, interpolation between points.
module arr_search
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c_search, only: c_searchsorted => arr_searchsorted, c_digitize => arr_digitize, c_interp => arr_interp
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, done, stream_of
    use arr_statistics, only: flag
    use arr_host_memory, only: any_scalar
    implicit none
    private
    public :: arr_searchsorted, arr_digitize, arr_interp

    interface arr_searchsorted
        module procedure searchsorted_array
    end interface arr_searchsorted

    interface arr_digitize
        module procedure digitize_array
    end interface arr_digitize

    interface arr_interp
        module procedure interp_array
    end interface arr_interp

contains

    ! How many elements of a sorted vector are in front of each value; with right the elements equal to it count too.
    function searchsorted_array(array, values, right, stream, err) result(z)
        type(arr_array), intent(in) :: array, values
        logical, intent(in), optional :: right
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array_handle) :: sorter
        integer(c_int32_t) :: side
        side = ARR_SEARCH_LEFT
        if (flag(right) /= 0) side = ARR_SEARCH_RIGHT
        call check(c_searchsorted(array%handle, values%handle, side, sorter, stream_of(stream), z%handle), err)
        z%temporary = .true.
        call done(array)
        call done(values)
    end function searchsorted_array

    ! The bin of each element among edges that rise or fall: 0 in front of the first, size(bins) behind the last. A bin
    ! holds its left edge, or with right its right one.
    function digitize_array(array, bins, right, stream, err) result(z)
        type(arr_array), intent(in) :: array, bins
        logical, intent(in), optional :: right
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_digitize(array%handle, bins%handle, flag(right), stream_of(stream), z%handle), err)
        z%temporary = .true.
        call done(array)
        call done(bins)
    end function digitize_array

    ! The piecewise linear function through the points (xp, fp) at x. left and right are its values outside, by default
    ! the first and last of fp; with a period the coordinates repeat.
    function interp_array(x, xp, fp, left, right, period, stream, err) result(z)
        type(arr_array), intent(in) :: x, xp, fp
        real(real64), intent(in), optional :: left, right, period
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        type(arr_value), allocatable :: below, above
        real(c_double) :: turn
        turn = 0
        if (present(period)) turn = period
        if (present(left)) then
            allocate(below)
            call any_scalar(left, below, problem)
        end if
        if (present(right)) then
            allocate(above)
            call any_scalar(right, above, problem)
        end if
        ! An allocatable that is not allocated counts as absent.
        call check(c_interp(x%handle, xp%handle, fp%handle, below, above, turn, stream_of(stream), z%handle), err)
        z%temporary = .true.
        call done(x)
        call done(xp)
        call done(fp)
    end function interp_array

end module arr_search
