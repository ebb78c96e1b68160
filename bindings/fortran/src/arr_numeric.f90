! SPDX-License-Identifier: MIT
! arr_numeric.f90: covariances; reductions with options, by the name of a reduction or of an operation.
module arr_numeric
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c, only: c_cov => arr_cov, c_corrcoef => arr_corrcoef, c_reduce => arr_reduce, &
        c_ufunc_reduce => arr_ufunc_reduce, c_reduction_find => arr_reduction_find
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, stream_of
    use arr_engine, only: dims_of
    use arr_host_memory, only: any_scalar
    use arr_arguments, only: flag, is_set, length, one_if, operation
    implicit none
    private
    public :: arr_cov, arr_corrcoef, arr_reduce

    interface arr_cov
        module procedure cov_array
    end interface arr_cov

    interface arr_corrcoef
        module procedure corrcoef_array
    end interface arr_corrcoef

    interface arr_reduce
        module procedure reduce_array
    end interface arr_reduce

contains

    ! Marks a new array and ends temporary operands.
    subroutine ended(z, a, b)
        type(arr_array), intent(inout) :: z
        type(arr_array), intent(in) :: a
        type(arr_array), intent(in), optional :: b
        z%temporary = .true.
        call done(a)
        if (present(b)) call done(b)
    end subroutine ended

    ! Returns covariances of variables, which are the columns (rows: .true.); ddof, 1, is subtracted from the observations.
    function cov_array(array, y, fweights, aweights, rows, ddof, stream, err) result(z)
        type(arr_array), intent(in) :: array
        type(arr_array), intent(in), optional :: y, fweights, aweights
        logical, intent(in), optional :: rows
        integer, intent(in), optional :: ddof
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_cov_options) :: options
        options%struct_size = c_sizeof(options)
        if (present(y)) options%y = y%handle
        if (present(fweights)) options%fweights = fweights%handle
        if (present(aweights)) options%aweights = aweights%handle
        options%columns = 1 - one_if(rows)
        if (present(ddof)) then
            options%ddof = int(ddof, c_int32_t)
            options%ddof_set = 1
        end if
        call check(c_cov(array%handle, options, stream_of(stream), z%handle), err)
        if (present(fweights)) call done(fweights)
        if (present(aweights)) call done(aweights)
        call ended(z, array, y)
    end function cov_array

    ! Returns correlation coefficients of variables, which are the columns (rows: .true.).
    function corrcoef_array(array, y, rows, stream, err) result(z)
        type(arr_array), intent(in) :: array
        type(arr_array), intent(in), optional :: y
        logical, intent(in), optional :: rows
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_cov_options) :: options
        options%struct_size = c_sizeof(options)
        if (present(y)) options%y = y%handle
        options%columns = 1 - one_if(rows)
        call check(c_corrcoef(array%handle, options, stream_of(stream), z%handle), err)
        call ended(z, array, y)
    end function corrcoef_array

    ! Computes a reduction by its name ('sum'), or by that of an operation with ufunc=.true. ('gcd'), over all or some dimensions:
    ! elements are cast to dtype first, initial is combined with them, and only those count where mask is true.
    function reduce_array(name, array, dim, keepdims, mask, initial, dtype, correction, ufunc, stream, err) result(z)
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims, ufunc
        type(arr_array), intent(in), optional :: mask
        class(*), intent(in), optional :: initial
        type(arr_dtype), intent(in), optional :: dtype
        real(real64), intent(in), optional :: correction
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        type(arr_reduce_options) :: options
        type(arr_value), target :: start
        integer(c_int32_t), allocatable :: axes(:)
        integer(c_int32_t) :: number
        if (present(dim)) axes = dims_of(dim)
        options%struct_size = c_sizeof(options)
        if (present(mask)) options%where = mask%handle
        if (present(dtype)) options%dtype = dtype
        if (present(correction)) options%correction = correction
        if (present(initial)) then
            call any_scalar(initial, start, problem)
            options%initial = c_loc(start)
        end if
        if (is_set(ufunc)) then
            call operation(name, number, problem)
            if (.not. problem%failed()) call check(c_ufunc_reduce(number, array%handle, length(axes), axes, flag(keepdims), &
                options, stream_of(stream), z%handle), problem)
        else
            if (.not. problem%failed()) call check(c_reduction_find(trim(name)//c_null_char, number), problem)
            if (.not. problem%failed()) call check(c_reduce(number, array%handle, length(axes), axes, flag(keepdims), &
                options, stream_of(stream), z%handle), problem)
        end if
        call ended(z, array, mask)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function reduce_array
end module arr_numeric
