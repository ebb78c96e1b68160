! SPDX-License-Identifier: MIT
! arr_intrinsics.f90: conditions for an if; arr_arange of a number alone.
module arr_intrinsics
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_item => arr_item_i64
    use arr_c_reduce, only: c_any => arr_any, c_all => arr_all
    use arr_engine, only: c_reduction, reduce
    use arr_errors, only: arr_error, check, fail
    use arr_functions, only: arr_arange
    use arr_types, only: arr_array
    implicit none
    private
    public :: arr_any_of, arr_all_of, arr_arange

    ! if (arr_any_of(a > 0)): true if an element is not zero; it waits for the array.
    interface arr_any_of
        module procedure any_of
    end interface arr_any_of

    ! if (arr_all_of(a > 0)): true if no element is zero; it waits for the array.
    interface arr_all_of
        module procedure all_of
    end interface arr_all_of

    ! Returns the numbers 0, 1, ... below n, like arr_arange(0, n).
    interface arr_arange
        module procedure arange_below
    end interface arr_arange

contains

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
