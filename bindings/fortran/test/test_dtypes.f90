! SPDX-License-Identifier: MIT
! test_dtypes.f90: limits, casts, promotion and kinds of element types against Fortran's own facts.
program test_dtypes
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    call floats()
    call integers()
    call casts()
    call promotion()
    call kinds()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call printed()
    call finish()

contains

    subroutine floats()
        type(arr_float_limits) :: f
        type(arr_error) :: e
        f = arr_finfo(ARR_FLOAT32)
        call expect(f%bits == 32 .and. f%nmant == digits(1.0_real32) - 1, 'bits of float32')
        call expect(f%eps == epsilon(1.0_real32) .and. f%max == huge(1.0_real32), 'eps and max of float32')
        call expect(f%smallest_normal == tiny(1.0_real32) .and. f%min == -f%max, 'tiny and min of float32')
        call expect(f%maxexp == maxexponent(1.0_real32) .and. f%precision == precision(1.0_real32), 'float32')
        f = arr_finfo(ARR_COMPLEX128)
        call expect(f%dtype == ARR_FLOAT64 .and. f%eps == epsilon(1.0_real64), 'parts of complex128')
        f = arr_finfo(ARR_INT8, e)
        call expect(e%status == ARR_E_DTYPE, 'finfo of an integer')
    end subroutine floats

    subroutine integers()
        type(arr_int_limits) :: i
        type(arr_error) :: e
        i = arr_iinfo(ARR_INT8)
        call expect(i%bits == 8 .and. i%min == -128 .and. i%max == 127, 'int8')
        i = arr_iinfo(ARR_INT64)
        call expect(i%min == -huge(1_int64) - 1 .and. i%max == huge(1_int64), 'int64')
        i = arr_iinfo(ARR_UINT32)
        call expect(i%min == 0 .and. i%max == 2_int64**32 - 1, 'uint32')
        i = arr_iinfo(ARR_UINT64)
        call expect(i%min == 0 .and. i%max == -1, 'uint64: all bits set')
        i = arr_iinfo(ARR_BOOL, e)
        call expect(e%status == ARR_E_DTYPE, 'iinfo of bool')
    end subroutine integers

    subroutine casts()
        type(arr_error) :: e
        logical :: yes
        call expect(arr_can_cast(ARR_INT32, ARR_FLOAT64), 'int32 to float64')
        call expect(.not. arr_can_cast(ARR_INT64, ARR_FLOAT32), 'int64 to float32')
        call expect(arr_can_cast(ARR_FLOAT64, ARR_FLOAT32, ARR_CAST_SAME_KIND), 'float64 to float32 within a kind')
        call expect(.not. arr_can_cast(ARR_INT8, ARR_INT16, ARR_CAST_EQUIV), 'int8 to int16 without a change')
        yes = arr_can_cast(ARR_INT8, ARR_INT16, 99, e)
        call expect(e%status == ARR_E_ARGUMENT, 'a rule that there is not')
    end subroutine casts

    subroutine promotion()
        type(arr_array) :: a, b
        type(arr_error) :: e
        type(arr_dtype) :: d
        a = [1_int16, 2_int16]
        b = [1.0_real32]
        call expect(arr_result_type(a, b) == ARR_FLOAT32, 'int16 and float32')
        call expect(arr_result_type(a * a, b * b) == ARR_FLOAT32, 'of results')
        call expect(arr_result_type(a, 1.0_real64) == ARR_FLOAT64, 'int16 and a number')
        call expect(arr_promote_types(ARR_INT8, ARR_UINT8) == ARR_INT16, 'int8 and uint8')
        d = arr_result_type(a, 'text', e)
        call expect(e%failed(), 'a text')
        call expect(arr_min_scalar_type(10) == ARR_UINT8 .and. arr_min_scalar_type(-10) == ARR_INT8, 'whole numbers')
        call expect(arr_min_scalar_type(1e3) == ARR_FLOAT16, 'a real number')
        call arr_release(a)
        call arr_release(b)
    end subroutine promotion

    subroutine kinds()
        type(arr_error) :: e
        logical :: yes
        call expect(arr_isdtype(ARR_UINT8, 'integral') .and. .not. arr_isdtype(ARR_BOOL, 'integral'), 'integral')
        call expect(arr_isdtype(ARR_BFLOAT16, 'real floating'), 'real floating')
        yes = arr_isdtype(ARR_INT8, 'round', e)
        call expect(e%status == ARR_E_ARGUMENT, 'a kind that there is not')
    end subroutine kinds

    subroutine printed()
        type(arr_dtype), parameter :: both(2) = [ARR_FLOAT16, ARR_BOOL]
        character(len=40) :: text
        type(arr_dtype) :: unset
        write (text, *) ARR_FLOAT64, 7
        call expect(index(text, 'float64 ') > 0 .and. index(text, '7') > 8, 'a list')
        write (text, '(dt(9), a, dt, a)') both(1), ':', both(2), '.'
        call expect(text == 'float16  :bool.', 'DT')
        write (text, '(dt)') unset
        call expect(text == '(no type)', 'none')
        call expect(unset /= ARR_BOOL .and. any(both == ARR_BOOL) .and. all(both /= ARR_INT8), '== and /=')
        call expect(arr_dtype(12_int64) == ARR_FLOAT64 .and. arr_dtype(2_int64**32 + 12) /= ARR_FLOAT64, 'numbers of structs')
    end subroutine printed
end program test_dtypes
