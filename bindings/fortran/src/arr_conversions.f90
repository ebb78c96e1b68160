! SPDX-License-Identifier: MIT
! arr_conversions.f90: conversions with Fortran's names: int, nint, anint and dble of arrays.
module arr_conversions
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_constants
    use arr_c, only: c_dtype => arr_array_dtype
    use arr_element_types, only: arr_dtype, dtype_from
    use arr_errors, only: arr_error, check, fail
    use arr_functions, only: arr_astype
    use arr_ops, only: aint, arr_add, arr_copysign
    use arr_types, only: arr_array, arr_stream, done
    implicit none
    private
    public :: int, nint, anint, dble
    integer, parameter :: kind_of_default = kind(0)

    ! Converts to integers of a kind (1, 2, 4 or 8; the default kind if it is absent), truncated towards 0.
    interface int
        module procedure int_array
    end interface int

    ! Rounds to the nearest integers of a kind, halves away from 0.
    interface nint
        module procedure nint_array
    end interface nint

    ! Rounds to the nearest integers in the array's type, halves away from 0.
    interface anint
        module procedure anint_array
    end interface anint

    interface dble
        module procedure dble_array
    end interface dble

contains

    function int_array(a, kind, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        type(arr_dtype) :: dtype
        dtype = dtype_of('int', kind, problem)
        if (problem%failed()) then
            call done(a)
        else
            z = arr_astype(a, dtype, stream=stream, err=problem)
        end if
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function int_array

    function nint_array(a, kind, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: kind
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array) :: whole
        type(arr_error) :: problem
        type(arr_dtype) :: dtype
        dtype = dtype_of('nint', kind, problem)
        if (problem%failed()) then
            call done(a)
        else
            call round('nint', a, whole, stream, problem)
            if (.not. problem%failed()) z = arr_astype(whole, dtype, stream=stream, err=problem)
        end if
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function nint_array

    function anint_array(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array) :: whole
        type(arr_error) :: problem
        type(arr_dtype) :: dtype
        integer(c_int32_t) :: number
        number = 0
        call check(c_dtype(a%handle, number), problem)
        dtype = dtype_from(number)
        if (problem%failed()) then
            call done(a)
        else
            call round('anint', a, whole, stream, problem)
            if (.not. problem%failed()) z = arr_astype(whole, dtype, stream=stream, err=problem)
        end if
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function anint_array

    function dble_array(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        z = arr_astype(a, ARR_FLOAT64, stream=stream, err=problem)
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function dble_array

    ! Rounds to integers in float64; integer types are unchanged. It releases a temporary.
    subroutine round(name, a, whole, stream, problem)
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: a
        type(arr_array), intent(inout) :: whole
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: problem
        type(arr_array) :: x
        type(arr_dtype) :: dtype
        integer(c_int32_t) :: number
        ! The largest number below 1/2: 1/2 itself would round the number before it up.
        real(real64), parameter :: half = nearest(0.5_real64, -1.0_real64)
        number = 0
        call check(c_dtype(a%handle, number), problem)
        dtype = dtype_from(number)
        if (problem%failed()) then
            call done(a)
            return
        end if
        if (any(dtype == [ARR_FLOAT16, ARR_BFLOAT16, ARR_FLOAT32, ARR_FLOAT64])) then
            x = arr_astype(a, ARR_FLOAT64, stream=stream, err=problem)
            if (problem%failed()) return
            whole = aint(arr_add(x, arr_copysign(half, x, stream=stream), stream=stream), stream=stream, err=problem)
        else if (any(dtype == [ARR_COMPLEX64, ARR_COMPLEX128])) then
            call done(a)
            call fail(ARR_E_DTYPE, name//': argument a: got complex numbers, expected real numbers', problem)
        else
            whole = arr_astype(a, dtype, stream=stream, err=problem)
        end if
    end subroutine round

    function dtype_of(name, kind, problem) result(dtype)
        character(len=*), intent(in) :: name
        integer, intent(in), optional :: kind
        type(arr_error), intent(inout) :: problem
        type(arr_dtype) :: dtype
        integer :: chosen
        character(len=12) :: number
        chosen = kind_of_default
        if (present(kind)) chosen = kind
        select case (chosen)
        case (1)
            dtype = ARR_INT8
        case (2)
            dtype = ARR_INT16
        case (4)
            dtype = ARR_INT32
        case (8)
            dtype = ARR_INT64
        case default
            write (number, '(i0)') chosen
            call fail(ARR_E_ARGUMENT, name//': argument kind: got '//trim(number)//', expected 1, 2, 4 or 8', problem)
        end select
    end function dtype_of
end module arr_conversions
