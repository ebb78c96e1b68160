! SPDX-License-Identifier: MIT
! arr_copies.f90: copies, casts, writes into arrays, transfer between devices, the matrix product.
module arr_copies
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c_array, only: c_to_device => arr_to_device
    use arr_c_view, only: c_copy => arr_copy, c_contiguous => arr_contiguous, c_astype => arr_astype, &
        c_fill => arr_fill, c_assign => arr_assign
    use arr_c_linalg, only: c_matmul => arr_matmul
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, choice, done, stream_of
    use arr_host_memory, only: any_scalar
    use arr_engine, only: run2
    implicit none
    private
    public :: matmul, arr_copy, arr_contiguous, arr_astype, arr_fill, arr_assign, arr_to_device

    interface matmul
        module procedure matmul_arrays
    end interface matmul

    interface arr_copy
        module procedure copy
    end interface arr_copy

    interface arr_contiguous
        module procedure contiguous_array
    end interface arr_contiguous

    interface arr_astype
        module procedure astype
    end interface arr_astype

    interface arr_fill
        module procedure fill
    end interface arr_fill

    ! call arr_assign(dst, src): dst(..) = src, broadcast; dst may be a section.
    interface arr_assign
        module procedure assign_elements
    end interface arr_assign

    interface arr_to_device
        module procedure to_device
    end interface arr_to_device

contains

    ! What every function that makes an array ends with: a failure, or a temporary.
    subroutine finish(a, status, made, err)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in) :: status
        type(arr_array), intent(inout) :: made
        type(arr_error), intent(out), optional :: err
        call check(status, err)
        made%temporary = .true.
        call done(a)
    end subroutine finish

    function matmul_arrays(matrix_a, matrix_b, stream, err) result(b)
        type(arr_array), intent(in) :: matrix_a, matrix_b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call run2(c_matmul, matrix_a, matrix_b, b, stream, err)
    end function matmul_arrays

    ! A copy with elements of its own, contiguous; in the order of a unless another is given.
    function copy(a, order, stream, err) result(b)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), optional :: order
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(a, c_copy(a%handle, choice(order, ARR_ORDER_K), stream_of(stream), b%handle), b, err)
    end function copy

    ! The same array where it is contiguous in the order, column-major if none is given; else a copy.
    function contiguous_array(a, order, stream, err) result(b)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), optional :: order
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(a, c_contiguous(a%handle, choice(order, ARR_ORDER_F), stream_of(stream), b%handle), b, err)
    end function contiguous_array

    ! Elements of another type; any cast unless casting says less.
    function astype(a, dtype, casting, order, stream, err) result(b)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in) :: dtype
        integer(c_int32_t), intent(in), optional :: casting, order
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(a, c_astype(a%handle, dtype, choice(casting, ARR_CAST_UNSAFE), choice(order, ARR_ORDER_K), &
            stream_of(stream), b%handle), b, err)
    end function astype

    ! One number, of any kind, to every element of an array or of a section.
    subroutine fill(a, value, stream, err)
        type(arr_array), intent(in) :: a
        class(*), intent(in) :: value
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_value) :: v
        type(arr_error) :: problem
        call any_scalar(value, v, problem)
        if (.not. problem%failed()) call check(c_fill(a%handle, v, stream_of(stream)), problem)
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine fill

    subroutine assign_elements(dst, src, stream, err)
        type(arr_array), intent(in) :: dst, src
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        call check(c_assign(dst%handle, src%handle, stream_of(stream)), err)
        call done(src)
        call done(dst)
    end subroutine assign_elements

    function to_device(a, device, stream, err) result(b)
        type(arr_array), intent(in) :: a
        type(arr_device), intent(in) :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(a, c_to_device(a%handle, device, stream_of(stream), b%handle), b, err)
    end function to_device
end module arr_copies
