! SPDX-License-Identifier: MIT
! arr_intrinsics.f90: sum, product, maxval and minval with a mask; conditions for an if; arr_arange of a number alone.
module arr_intrinsics
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_reduce => arr_reduce, c_item => arr_item_i64, c_value_bits => arr_value_bits
    use arr_c_reduce, only: c_any => arr_any, c_all => arr_all
    use arr_arguments, only: flag, length
    use arr_engine, only: c_reduction, dims_of, reduce
    use arr_errors, only: arr_error, check, fail
    use arr_functions, only: arr_arange
    use arr_reductions, only: sum, product, minval, maxval
    use arr_types, only: arr_array, arr_stream, done, dtype_of, stream_of
    implicit none
    private
    public :: sum, product, minval, maxval, arr_any_of, arr_all_of, arr_arange

    interface sum
        module procedure sum_masked, sum_along_masked
    end interface sum

    interface product
        module procedure product_masked, product_along_masked
    end interface product

    interface minval
        module procedure minval_masked, minval_along_masked
    end interface minval

    interface maxval
        module procedure maxval_masked, maxval_along_masked
    end interface maxval

    ! if (arr_any_of(a > 0)): true if an element is not zero; it waits for the array.
    interface arr_any_of
        module procedure any_of
    end interface arr_any_of

    ! if (arr_all_of(a > 0)): true if no element is zero; it waits for the array.
    interface arr_all_of
        module procedure all_of
    end interface arr_all_of

    ! The numbers 0, 1, ... below n, as arr_arange(0, n).
    interface arr_arange
        module procedure arange_below
    end interface arr_arange

contains

    function sum_masked(array, mask, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        call reduce_masked(ARR_REDUCTION_SUM, array, axes, mask, keepdims, z, stream, err)
    end function sum_masked

    function sum_along_masked(array, dim, mask, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        integer, intent(in) :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        axes = dims_of(dim)
        call reduce_masked(ARR_REDUCTION_SUM, array, axes, mask, keepdims, z, stream, err)
    end function sum_along_masked

    function product_masked(array, mask, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        call reduce_masked(ARR_REDUCTION_PROD, array, axes, mask, keepdims, z, stream, err)
    end function product_masked

    function product_along_masked(array, dim, mask, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        integer, intent(in) :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        axes = dims_of(dim)
        call reduce_masked(ARR_REDUCTION_PROD, array, axes, mask, keepdims, z, stream, err)
    end function product_along_masked

    function minval_masked(array, mask, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        call reduce_masked(ARR_REDUCTION_MIN, array, axes, mask, keepdims, z, stream, err)
    end function minval_masked

    function minval_along_masked(array, dim, mask, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        integer, intent(in) :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        axes = dims_of(dim)
        call reduce_masked(ARR_REDUCTION_MIN, array, axes, mask, keepdims, z, stream, err)
    end function minval_along_masked

    function maxval_masked(array, mask, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        call reduce_masked(ARR_REDUCTION_MAX, array, axes, mask, keepdims, z, stream, err)
    end function maxval_masked

    function maxval_along_masked(array, dim, mask, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        integer, intent(in) :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        axes = dims_of(dim)
        call reduce_masked(ARR_REDUCTION_MAX, array, axes, mask, keepdims, z, stream, err)
    end function maxval_along_masked

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

    function any_of(mask, err) result(found)
        type(arr_array), intent(in) :: mask
        type(arr_error), intent(out), optional :: err
        logical :: found
        found = condition(c_any, mask, err)
    end function any_of

    function all_of(mask, err) result(found)
        type(arr_array), intent(in) :: mask
        type(arr_error), intent(out), optional :: err
        logical :: found
        found = condition(c_all, mask, err)
    end function all_of

    ! The one logical of a reduction; false where it failed.
    function condition(f, mask, err) result(found)
        procedure(c_reduction) :: f
        type(arr_array), intent(in) :: mask
        type(arr_error), intent(out), optional :: err
        logical :: found
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t), allocatable :: axes(:)
        integer(int64) :: number
        number = 0
        call reduce(f, mask, axes, out=z, err=problem)
        if (.not. problem%failed()) call check(c_item(z%handle, 0_c_int32_t, [0_int64], number), problem)
        found = number /= 0
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function condition

    function arange_below(n) result(z)
        class(*), intent(in) :: n
        type(arr_array) :: z
        z = arr_arange(0, n)
        z%temporary = .true.
    end function arange_below
end module arr_intrinsics
