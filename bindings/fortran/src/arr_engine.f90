! SPDX-License-Identifier: MIT
! arr_engine.f90: calls any reduction or scan of the C library and frees its temporary operands.
module arr_engine
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_transpose => arr_transpose, c_add_v => arr_add_v, c_remainder => arr_remainder, &
        c_floor_divide => arr_floor_divide, c_value_i64 => arr_value_i64, c_value_array => arr_value_array, &
        c_retain => arr_retain, c_release => arr_release, c_from_host => arr_from_host, c_device => arr_array_device
    use arr_counting, only: axis_of
    use arr_element_types, only: dtype_number
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, stream_of, shape_of
    implicit none
    private
    public :: c_reduction, reduce, reduce_index, locate, dims_of, axis_of, scan_along, scan_from

    abstract interface
        function c_reduction(a, naxes, axes, keepdims, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: naxes
            integer(c_int32_t), intent(in), optional :: axes(*)
            logical(c_bool), value :: keepdims
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_reduction

        function c_scan(a, axis, dtype, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: axis, dtype
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_scan

        function c_initial_scan(a, axis, dtype, include_initial, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: axis, dtype
            logical(c_bool), value :: include_initial
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_initial_scan
    end interface

contains

    ! dim=, a scalar or a list, counted from 1, as the library counts. What is no dimension becomes one that the
    ! library refuses.
    function dims_of(dim) result(axes)
        integer, intent(in) :: dim(..)
        integer(c_int32_t), allocatable :: axes(:)
        select rank (dim)
        rank (0)
            axes = [axis_of(dim)]
        rank (1)
            axes = axis_of(dim)
        rank default
            axes = [axis_of(0)]
        end select
    end function dims_of

    ! Without dim over all elements in array element order: the library's order of the reversed axes.
    subroutine scan_along(f, a, dim, dtype, out, stream, err)
        procedure(c_scan) :: f
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: dim
        type(arr_dtype), intent(in), optional :: dtype
        type(arr_array), intent(inout) :: out
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: source
        type(arr_error) :: problem
        integer(c_int32_t) :: axis, given
        call scanned(a, dim, dtype, source, axis, given, problem)
        if (.not. problem%failed()) call check(f(source, axis, given, stream_of(stream), out%handle), problem)
        call drop(source)
        out%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine scan_along

    ! The same with the identity in front, if it is wanted.
    subroutine scan_from(f, a, dim, dtype, include_initial, out, stream, err)
        procedure(c_initial_scan) :: f
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: dim
        type(arr_dtype), intent(in), optional :: dtype
        logical, intent(in), optional :: include_initial
        type(arr_array), intent(inout) :: out
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: source
        type(arr_error) :: problem
        integer(c_int32_t) :: axis, given
        logical(c_bool) :: initial
        initial = .false.
        if (present(include_initial)) initial = include_initial
        call scanned(a, dim, dtype, source, axis, given, problem)
        if (.not. problem%failed()) call check(f(source, axis, given, initial, stream_of(stream), out%handle), problem)
        call drop(source)
        out%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine scan_from

    ! Prepares a scan: the array or its reversed axes, a handle to release; the axis; the dtype or 0.
    subroutine scanned(a, dim, dtype, source, axis, given, err)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: dim
        type(arr_dtype), intent(in), optional :: dtype
        type(arr_array_handle), intent(inout) :: source
        integer(c_int32_t), intent(out) :: axis, given
        type(arr_error), intent(out) :: err
        given = 0
        if (present(dtype)) given = dtype_number(dtype)
        axis = ARR_AXIS_NONE
        if (present(dim)) then
            axis = axis_of(dim)
            call check(c_retain(a%handle, source), err)
        else
            call check(c_transpose(a%handle, 0_c_int32_t, out=source), err)
        end if
    end subroutine scanned

    subroutine reduce(f, a, axes, keepdims, out, stream, err)
        procedure(c_reduction) :: f
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        logical, intent(in), optional :: keepdims
        type(arr_array), intent(inout) :: out
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: n
        logical(c_bool) :: keep
        keep = .false.
        if (present(keepdims)) keep = keepdims
        n = 0
        if (allocated(axes)) n = size(axes, kind=c_int32_t)
        ! An unallocated actual argument is an absent one: all dimensions.
        call check(f(a%handle, n, axes, keep, stream_of(stream), out%handle), err)
        out%temporary = .true.
        call done(a)
    end subroutine reduce

    ! Positions from 1, of several dimensions in array element order: the library's order of the reversed axes.
    subroutine reduce_index(f, a, axes, keepdims, out, stream, err)
        procedure(c_reduction) :: f
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        logical, intent(in), optional :: keepdims
        type(arr_array), intent(inout) :: out
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: reversed, found
        type(arr_array_handle) :: straight
        type(arr_error) :: problem
        type(arr_value) :: one
        integer(c_int32_t), allocatable :: back(:)
        integer(c_int32_t) :: n
        integer(int64) :: extents(ARR_MAX_NDIM)
        call shape_of(a, n, extents, problem)
        if (allocated(axes)) back = merge(n - 1 - axes, axes, axes >= 0 .and. axes < n)
        if (.not. problem%failed()) call check(c_transpose(a%handle, 0_c_int32_t, out=reversed%handle), problem)
        if (.not. problem%failed()) call reduce(f, reversed, back, keepdims, found, stream, problem)
        if (.not. problem%failed()) call check(c_transpose(found%handle, 0_c_int32_t, out=straight), problem)
        call c_value_i64(one, 1_int64)
        if (.not. problem%failed()) call check(c_add_v(value_of(straight), one, stream_of(stream), &
            out%handle), problem)
        out%temporary = .true.
        call drop(straight)
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine reduce_index

    function value_of(handle) result(v)
        type(arr_array_handle), intent(in) :: handle
        type(arr_value) :: v
        call c_value_array(v, handle)
    end function value_of

    subroutine drop(handle)
        type(arr_array_handle), intent(in) :: handle
        integer(c_int32_t) :: status
        status = c_release(handle)
    end subroutine drop

    ! minloc and maxloc: with dim the position along it; else the subscripts, one for each dimension.
    subroutine locate(f, a, axes, keepdims, out, stream, err)
        procedure(c_reduction) :: f
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        logical, intent(in), optional :: keepdims
        type(arr_array), intent(inout) :: out
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: flat
        type(arr_error) :: problem
        type(arr_device) :: device
        integer(c_int32_t) :: n
        integer(int64) :: extents(ARR_MAX_NDIM)
        if (allocated(axes)) then
            call reduce_index(f, a, axes, keepdims, out, stream, err)
            return
        end if
        call shape_of(a, n, extents, problem)
        if (.not. problem%failed()) call check(c_device(a%handle, device), problem)
        if (.not. problem%failed()) call reduce_index(f, a, axes, .false., flat, stream, problem)
        if (.not. problem%failed()) call subscripts(flat%handle, n, extents, device, stream, out, problem)
        out%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine locate

    ! mod((p - 1) / stride, extent) + 1 for each dimension, on the device.
    subroutine subscripts(flat, n, extents, device, stream, out, err)
        type(arr_array_handle), intent(in) :: flat
        integer(c_int32_t), intent(in) :: n
        integer(int64), intent(in), target :: extents(*)
        type(arr_device), intent(in) :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_array), intent(inout) :: out
        type(arr_error), intent(out) :: err
        type(arr_array_handle) :: step(6)
        type(arr_value) :: one
        integer(int64), target :: strides(ARR_MAX_NDIM)
        integer :: i
        do i = 1, n
            strides(i) = product(extents(:i - 1))
        end do
        call c_value_i64(one, -1_int64)
        call check(c_add_v(value_of(flat), one, stream_of(stream), step(1)), err)
        if (.not. err%failed()) call list(strides, step(2))
        if (.not. err%failed()) call list(extents, step(3))
        if (.not. err%failed()) call check(c_floor_divide(step(1), step(2), stream_of(stream), step(4)), err)
        if (.not. err%failed()) call check(c_remainder(step(4), step(3), stream_of(stream), step(5)), err)
        call c_value_i64(one, 1_int64)
        if (.not. err%failed()) call check(c_add_v(value_of(step(5)), one, stream_of(stream), &
            out%handle), err)
        do i = 1, 5
            call drop(step(i))
        end do
    contains
        subroutine list(numbers, handle)
            integer(int64), intent(in), target :: numbers(n)
            type(arr_array_handle), intent(inout) :: handle
            call check(c_from_host(c_loc(numbers), 8_int64 * n, ARR_INT64, 1_c_int32_t, [int(n, int64)], ARR_ORDER_F, &
                device, stream_of(stream), handle), err)
        end subroutine list
    end subroutine subscripts
end module arr_engine
