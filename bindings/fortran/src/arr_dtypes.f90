! SPDX-License-Identifier: MIT
! arr_dtypes.f90: what element types hold, into which they cast, and of which kinds they are, by NumPy's rules.
module arr_dtypes
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c_base, only: c_promote => arr_promote_types
    use arr_c_dtype, only: c_finfo => arr_finfo, c_iinfo => arr_iinfo, c_can_cast => arr_can_cast, &
        c_result_type => arr_result_type, c_min_type => arr_min_scalar_type, c_kind_find => arr_kind_find, &
        c_isdtype => arr_isdtype
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, done
    use arr_host_memory, only: any_scalar, array_value
    implicit none
    private
    public :: arr_float_limits, arr_finfo, arr_int_limits, arr_iinfo, arr_can_cast, arr_result_type, arr_promote_types
    public :: arr_min_scalar_type, arr_isdtype

    ! min and max are whole numbers of 64 bits: of ARR_UINT64 the largest is -1, all bits set.
    type :: arr_int_limits
        integer(c_int32_t) :: bits = 0
        integer(int64) :: min = 0, max = 0
    end type arr_int_limits

    ! arr_finfo(dtype [, err]): type(arr_float_limits) of a float type or of the parts of a complex one.
    interface arr_finfo
        module procedure float_limits
    end interface arr_finfo

    ! arr_iinfo(dtype [, err]): type(arr_int_limits).
    interface arr_iinfo
        module procedure int_limits
    end interface arr_iinfo

    ! arr_can_cast(from, to [, casting, err]): casting is ARR_CAST_..., without it ARR_CAST_SAFE.
    interface arr_can_cast
        module procedure can_cast
    end interface arr_can_cast

    ! arr_result_type(x, y [, err]): of an array and another or a number, which counts by its type.
    interface arr_result_type
        module procedure result_type
    end interface arr_result_type

    ! arr_promote_types(a, b [, err]): of two element types.
    interface arr_promote_types
        module procedure promote_types
    end interface arr_promote_types

    ! arr_min_scalar_type(x [, err]): the smallest type of a number's kind that holds it.
    interface arr_min_scalar_type
        module procedure min_scalar_type
    end interface arr_min_scalar_type

    ! arr_isdtype(dtype, kind [, err]): kind is a name, 'integral', 'real floating', 'number' ...
    interface arr_isdtype
        module procedure isdtype
    end interface arr_isdtype

contains

    function float_limits(dtype, err) result(limits)
        integer(c_int32_t), intent(in) :: dtype
        type(arr_error), intent(out), optional :: err
        type(arr_float_limits) :: limits
        limits%struct_size = c_sizeof(limits)
        call check(c_finfo(dtype, limits), err)
    end function float_limits

    function int_limits(dtype, err) result(limits)
        integer(c_int32_t), intent(in) :: dtype
        type(arr_error), intent(out), optional :: err
        type(arr_int_limits) :: limits
        type(arr_value) :: least, most
        call check(c_iinfo(dtype, limits%bits, least, most), err)
        limits%min = widened(least%lo)
        limits%max = widened(most%lo)

    contains

        ! The type's own bits stand in lo. Only an unsigned type begins with 0.
        function widened(bits) result(n)
            integer(int64), intent(in) :: bits
            integer(int64) :: n
            integer :: unused
            unused = 64 - int(limits%bits)
            n = bits
            if (least%lo /= 0) n = shifta(shiftl(bits, unused), unused)
        end function widened
    end function int_limits

    function can_cast(from, to, casting, err) result(yes)
        integer(c_int32_t), intent(in) :: from, to
        integer(c_int32_t), intent(in), optional :: casting
        type(arr_error), intent(out), optional :: err
        logical :: yes
        integer(c_int32_t) :: rule, out
        rule = ARR_CAST_SAFE
        if (present(casting)) rule = casting
        out = 0
        call check(c_can_cast(from, to, rule, out), err)
        yes = out /= 0
    end function can_cast

    function result_type(x, y, err) result(dtype)
        type(arr_array), intent(in) :: x
        class(*), intent(in) :: y
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: dtype
        type(arr_value) :: other
        type(arr_error) :: problem
        dtype = 0
        select type (y)
        type is (arr_array)
            other = array_value(y)
        class default
            call any_scalar(y, other, problem)
        end select
        if (.not. problem%failed()) call check(c_result_type(2_c_int32_t, [array_value(x), other], dtype), problem)
        call done(x)
        select type (y)
        type is (arr_array)
            call done(y)
        end select
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function result_type

    function promote_types(a, b, err) result(dtype)
        integer(c_int32_t), intent(in) :: a, b
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: dtype
        dtype = 0
        call check(c_promote(a, b, dtype), err)
    end function promote_types

    function min_scalar_type(x, err) result(dtype)
        class(*), intent(in) :: x
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: dtype
        type(arr_value) :: number
        type(arr_error) :: problem
        dtype = 0
        call any_scalar(x, number, problem)
        if (.not. problem%failed()) call check(c_min_type(number, dtype), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function min_scalar_type

    function isdtype(dtype, kind, err) result(yes)
        integer(c_int32_t), intent(in) :: dtype
        character(len=*), intent(in) :: kind
        type(arr_error), intent(out), optional :: err
        logical :: yes
        type(arr_error) :: problem
        integer(c_int32_t) :: kinds, out
        out = 0
        call check(c_kind_find(kind // c_null_char, kinds), problem)
        if (.not. problem%failed()) call check(c_isdtype(dtype, kinds, out), problem)
        yes = out /= 0
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function isdtype
end module arr_dtypes
