! SPDX-License-Identifier: MIT
! arr_numeric_into.f90: rounding and the methods of operations into existing arrays; angles in degrees; weighted sums of
! exponentials.
module arr_numeric_into
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64, int64
    use arr_c_types
    use arr_c_numeric, only: c_round => arr_round_into, c_nan_to_num => arr_nan_to_num_into, c_angle => arr_angle_degrees
    use arr_c_statistics, only: c_weighted => arr_logsumexp_weighted, c_signed => arr_logsumexp_signed
    use arr_c_ufunc, only: c_op_find => arr_op_find, c_accumulate => arr_ufunc_accumulate_into, &
        c_reduceat => arr_ufunc_reduceat_into
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, ended, stream_of
    use arr_engine, only: axis_of, dims_of
    use arr_statistics, only: flag, length
    implicit none
    private
    public :: arr_round_into, arr_nan_to_num_into, arr_accumulate_into, arr_reduceat_into, arr_angle_degrees, &
        arr_logsumexp_weighted, arr_logsumexp_signed

    interface arr_round_into
        module procedure round_into
    end interface arr_round_into

    interface arr_nan_to_num_into
        module procedure nan_to_num_into
    end interface arr_nan_to_num_into

    interface arr_accumulate_into
        module procedure accumulate_into
    end interface arr_accumulate_into

    interface arr_reduceat_into
        module procedure reduceat_into
    end interface arr_reduceat_into

    interface arr_angle_degrees
        module procedure angle_degrees
    end interface arr_angle_degrees

    interface arr_logsumexp_weighted
        module procedure weighted
    end interface arr_logsumexp_weighted

    interface arr_logsumexp_signed
        module procedure signed
    end interface arr_logsumexp_signed

contains

    ! What arr_round gives, into an array of the same shape.
    subroutine round_into(z, array, decimals, stream, err)
        type(arr_array), intent(inout) :: z
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: decimals
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        integer(c_int32_t) :: digits
        digits = 0
        if (present(decimals)) digits = int(decimals, c_int32_t)
        call check(c_round(z%handle, array%handle, digits, stream_of(stream)), problem)
        call done(array)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine round_into

    ! What arr_nan_to_num gives.
    subroutine nan_to_num_into(z, array, nan, posinf, neginf, stream, err)
        type(arr_array), intent(inout) :: z
        type(arr_array), intent(in) :: array
        real(real64), intent(in), optional :: nan, posinf, neginf
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        real(c_double) :: instead
        instead = 0
        if (present(nan)) instead = nan
        call check(c_nan_to_num(z%handle, array%handle, instead, posinf, neginf, stream_of(stream)), problem)
        call done(array)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine nan_to_num_into

    ! What arr_accumulate gives, along dimension 1 if none is given.
    subroutine accumulate_into(z, name, array, dim, stream, err)
        type(arr_array), intent(inout) :: z
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        integer(c_int32_t) :: op, axis
        axis = 0
        if (present(dim)) axis = axis_of(dim)
        call check(c_op_find(trim(name)//c_null_char, op), problem)
        if (.not. problem%failed()) &
            call check(c_accumulate(z%handle, op, array%handle, axis, 0_c_int32_t, stream_of(stream)), problem)
        call done(array)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine accumulate_into

    ! What arr_reduceat gives; indices count from 1.
    subroutine reduceat_into(z, name, array, indices, dim, stream, err)
        type(arr_array), intent(inout) :: z
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: array
        integer, intent(in) :: indices(:)
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        integer(c_int32_t) :: op, axis
        axis = 0
        if (present(dim)) axis = axis_of(dim)
        call check(c_op_find(trim(name)//c_null_char, op), problem)
        if (.not. problem%failed()) call check(c_reduceat(z%handle, op, array%handle, size(indices, kind=c_int64_t), &
            int(indices, c_int64_t) - 1, axis, 0_c_int32_t, stream_of(stream)), problem)
        call done(array)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine reduceat_into

    ! The angles of complex numbers in degrees.
    function angle_degrees(array, stream, err) result(z)
        type(arr_array), intent(in) :: array
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_angle(array%handle, stream_of(stream), z%handle)
        call ended(status, z, err, array)
    end function angle_degrees

    ! log(sum(weights * exp(array))) without overflow; the weights broadcast and may be negative.
    function weighted(array, weights, dim, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, weights
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        integer(c_int32_t) :: status
        if (present(dim)) axes = dims_of(dim)
        status = c_weighted(array%handle, weights%handle, length(axes), axes, flag(keepdims), stream_of(stream), z%handle)
        call ended(status, z, err, array, weights)
    end function weighted

    ! The logarithm of the size of that sum, and its sign.
    subroutine signed(array, weights, logarithm, sign, dim, keepdims, stream, err)
        type(arr_array), intent(in) :: array, weights
        type(arr_array), intent(inout) :: logarithm, sign
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: size_of_it, sign_of_it
        type(arr_error) :: problem
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call check(c_signed(array%handle, weights%handle, length(axes), axes, flag(keepdims), stream_of(stream), &
            size_of_it%handle, sign_of_it%handle), problem)
        if (.not. problem%failed()) then
            size_of_it%temporary = .true.
            sign_of_it%temporary = .true.
            logarithm = size_of_it
            sign = sign_of_it
        end if
        call done(array)
        call done(weights)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine signed
end module arr_numeric_into
