! SPDX-License-Identifier: MIT
! arr_operands.f90: computes any op of one or two operands and releases its temporary operands.
module arr_operands
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_errors, only: arr_error
    use arr_host_memory, only: array_value, let_go
    use arr_types, only: arr_array, arr_stream, ended, stream_of
    implicit none
    private
    public :: unary, binary, number_first, number_last

    abstract interface
        function c_unary(x, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: x
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_unary

        function c_binary(x, y, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: x, y
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_binary

        function c_binary_v(x, y, stream, out) bind(c) result(status)
            import
            type(arr_value), intent(in) :: x, y
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_binary_v
    end interface

contains

    subroutine unary(f, x, z, stream, err)
        procedure(c_unary) :: f
        type(arr_array), intent(in) :: x
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: status
        status = f(x%handle, stream_of(stream), z%handle)
        call ended(status, z, err, x)
    end subroutine unary

    subroutine binary(f, x, y, z, stream, err)
        procedure(c_binary) :: f
        type(arr_array), intent(in) :: x, y
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: status
        status = f(x%handle, y%handle, stream_of(stream), z%handle)
        call ended(status, z, err, x, y)
    end subroutine binary

    ! The other operand is a number or a host array.
    subroutine number_first(f, array, number, z, stream, err)
        procedure(c_binary_v) :: f
        type(arr_array), intent(in) :: array
        type(arr_value), intent(in) :: number
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: status
        status = f(number, array_value(array), stream_of(stream), z%handle)
        call ended(status, z, err, array)
        call let_go(number)
    end subroutine number_first

    subroutine number_last(f, array, number, z, stream, err)
        procedure(c_binary_v) :: f
        type(arr_array), intent(in) :: array
        type(arr_value), intent(in) :: number
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: status
        status = f(array_value(array), number, stream_of(stream), z%handle)
        call ended(status, z, err, array)
        call let_go(number)
    end subroutine number_last
end module arr_operands
