! SPDX-License-Identifier: MIT
! arr_masked.f90: the engine of reductions with a mask, for arr_masked_reductions.
module arr_masked
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_reduce => arr_reduce, c_value_bits => arr_value_bits
    use arr_arguments, only: flag, length
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, dtype_of, stream_of
    implicit none
    private
    public :: reduce_masked

contains

    subroutine reduce_masked(number, array, axes, mask, keepdims, z, stream, err)
        integer(c_int32_t), intent(in) :: number
        type(arr_array), intent(in) :: array, mask
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        logical, intent(in), optional :: keepdims
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_reduce_options) :: options
        type(arr_value), target :: start
        type(arr_error) :: problem
        integer(c_int64_t), target :: bits
        integer(c_int32_t) :: dtype
        options%struct_size = c_sizeof(options)
        options%where = mask%handle
        dtype = dtype_of(array)
        if ((number == ARR_REDUCTION_MAX .or. number == ARR_REDUCTION_MIN) .and. dtype /= ARR_COMPLEX64 .and. &
            dtype /= ARR_COMPLEX128) then
            bits = extreme(dtype, lowest=number == ARR_REDUCTION_MAX)
            call check(c_value_bits(start, dtype, c_loc(bits)), problem)
            options%initial = c_loc(start)
        end if
        if (.not. problem%failed()) call check(c_reduce(number, array%handle, length(axes), axes, &
            flag(keepdims), options, stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call done(array)
        call done(mask)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine reduce_masked

    ! The bits of the lowest or highest finite number of a type: the result where a mask is false everywhere, as Fortran's.
    pure function extreme(dtype, lowest) result(bits)
        integer(c_int32_t), intent(in) :: dtype
        logical, intent(in) :: lowest
        integer(c_int64_t) :: bits
        select case (dtype)
        case (ARR_FLOAT64)
            bits = merge(ibset(int(z'7FEFFFFFFFFFFFFF', c_int64_t), 63), int(z'7FEFFFFFFFFFFFFF', c_int64_t), lowest)
        case (ARR_FLOAT32)
            bits = merge(int(z'FF7FFFFF', c_int64_t), int(z'7F7FFFFF', c_int64_t), lowest)
        case (ARR_FLOAT16)
            bits = merge(int(z'FBFF', c_int64_t), int(z'7BFF', c_int64_t), lowest)
        case (ARR_BFLOAT16)
            bits = merge(int(z'FF7F', c_int64_t), int(z'7F7F', c_int64_t), lowest)
        case (ARR_INT8, ARR_INT16, ARR_INT32, ARR_INT64)
            bits = shiftl(1_c_int64_t, 8 * integer_bytes(dtype) - 1)
            if (.not. lowest) bits = not(bits)
        case (ARR_BOOL)
            bits = merge(0_c_int64_t, 1_c_int64_t, lowest)
        case default
            bits = merge(0_c_int64_t, not(0_c_int64_t), lowest)
        end select
    end function extreme

    pure function integer_bytes(dtype) result(bytes)
        integer(c_int32_t), intent(in) :: dtype
        integer :: bytes
        bytes = 8
        if (dtype == ARR_INT8) bytes = 1
        if (dtype == ARR_INT16) bytes = 2
        if (dtype == ARR_INT32) bytes = 4
    end function integer_bytes
end module arr_masked
