! SPDX-License-Identifier: MIT
! arr_rearranging.f90: arrays repeated, and elements moved in circles.
module arr_rearranging
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c_manipulation, only: c_tile => arr_tile, c_roll => arr_roll
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, choice, done, stream_of
    use arr_engine, only: axis_of
    implicit none
    private
    public :: arr_tile, arr_cshift

    interface arr_tile
        module procedure tile
    end interface arr_tile

    interface arr_cshift
        module procedure cshift_array
    end interface arr_cshift

contains

    ! The array repeated, so often along each dimension.
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

    ! Fortran's cshift: element i of the result is element i + shift along the dimension, in circles.
    function cshift_array(array, shift, dim, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in) :: shift
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_roll(array%handle, 1_c_int32_t, [-int(shift, c_int64_t)], [axis_of(choice(dim, 1))], &
            stream_of(stream), z%handle), err)
        z%temporary = .true.
        call done(array)
    end function cshift_array
end module arr_rearranging
