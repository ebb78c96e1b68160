! SPDX-License-Identifier: MIT
! arr_dtypes.f90: limits, casts and kinds of element types, by NumPy's rules.
module arr_dtypes
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_iinfo => arr_iinfo, c_result_type => arr_result_type, c_kind_find => arr_kind_find, &
        c_isdtype => arr_isdtype
    use arr_element_types, only: dtype_from, dtype_number
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, done
    use arr_host_memory, only: any_scalar, array_value
    implicit none
    private
    public :: arr_int_limits, arr_iinfo, arr_result_type
    public :: arr_isdtype

    ! min and max are whole numbers of 64 bits: of ARR_UINT64 the largest is -1, all bits set.
    type :: arr_int_limits
        integer(c_int32_t) :: bits = 0
        integer(int64) :: min = 0, max = 0
    end type arr_int_limits

    ! arr_iinfo(dtype [, err]): type(arr_int_limits).
    interface arr_iinfo
        module procedure int_limits
    end interface arr_iinfo

    ! arr_result_type(x, y [, err]): of an array and another or a number, which counts by its type.
    interface arr_result_type
        module procedure result_type
    end interface arr_result_type

    ! arr_isdtype(dtype, kind [, err]): kind is a name, 'integral', 'real floating', 'number' ...
    interface arr_isdtype
        module procedure isdtype
    end interface arr_isdtype

contains

    function int_limits(dtype, err) result(limits)
        type(arr_dtype), intent(in) :: dtype
        type(arr_error), intent(out), optional :: err
        type(arr_int_limits) :: limits
        type(arr_value) :: lowest, highest
        call check(c_iinfo(dtype_number(dtype), limits%bits, lowest, highest), err)
        limits%min = widened(lowest%lo)
        limits%max = widened(highest%lo)

    contains

        ! The type's own bits stand in lo. Only an unsigned type begins with 0.
        function widened(bits) result(n)
            integer(int64), intent(in) :: bits
            integer(int64) :: n
            integer :: unused
            unused = 64 - int(limits%bits)
            n = bits
            if (lowest%lo /= 0) n = shifta(shiftl(bits, unused), unused)
        end function widened
    end function int_limits

    function result_type(x, y, err) result(dtype)
        type(arr_array), intent(in) :: x
        class(*), intent(in) :: y
        type(arr_error), intent(out), optional :: err
        type(arr_dtype) :: dtype
        type(arr_value) :: other
        type(arr_error) :: problem
        integer(c_int32_t) :: found
        found = 0
        select type (y)
        type is (arr_array)
            other = array_value(y)
        class default
            call any_scalar(y, other, problem)
        end select
        if (.not. problem%failed()) call check(c_result_type(2_c_int32_t, [array_value(x), other], found), problem)
        dtype = dtype_from(found)
        call done(x)
        select type (y)
        type is (arr_array)
            call done(y)
        end select
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function result_type

    function isdtype(dtype, kind, err) result(yes)
        type(arr_dtype), intent(in) :: dtype
        character(len=*), intent(in) :: kind
        type(arr_error), intent(out), optional :: err
        logical :: yes
        type(arr_error) :: problem
        integer(c_int32_t) :: kinds
        logical(c_bool) :: out
        out = .false.
        call check(c_kind_find(kind // c_null_char, kinds), problem)
        if (.not. problem%failed()) call check(c_isdtype(dtype_number(dtype), kinds, out), problem)
        yes = out
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function isdtype
end module arr_dtypes
