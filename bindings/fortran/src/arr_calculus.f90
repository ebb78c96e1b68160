! SPDX-License-Identifier: MIT
! arr_calculus.f90: the derivative along one dimension, of all that the library can take at once.
module arr_calculus
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_gradient => arr_gradient
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, choice, done, stream_of
    use arr_arguments, only: axis_or_first, done_value, weak_value
    implicit none
    private
    public :: arr_gradient

    interface arr_gradient
        module procedure gradient_array
    end interface arr_gradient

contains

    ! Returns the derivative along a dimension. spacing is a number or a vector of coordinates, 1 if it is not given;
    ! edge_order, 1 or 2, is the order of the differences at the ends.
    function gradient_array(array, spacing, dim, edge_order, stream, err) result(z)
        type(arr_array), intent(in) :: array
        class(*), intent(in), optional :: spacing
        integer, intent(in), optional :: dim, edge_order
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        type(arr_value), allocatable :: step
        type(arr_array_handle) :: found(1)
        if (present(spacing)) then
            call weak_value(spacing, step, problem)
        else
            call weak_value(1, step, problem)
        end if
        if (.not. problem%failed()) call check(c_gradient(array%handle, 1_c_int32_t, [axis_or_first(dim)], [step], &
            choice(edge_order, 1), stream_of(stream), 1_c_int32_t, found), problem)
        z%handle = found(1)
        z%temporary = .true.
        call done(array)
        call done_value(spacing)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function gradient_array
end module arr_calculus
