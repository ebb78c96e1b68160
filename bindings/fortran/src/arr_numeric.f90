! SPDX-License-Identifier: MIT
! arr_numeric.f90: rounding, closeness, bits, covariances; reductions with options and the methods of operations.
!
! Functions of one dimension work along dimension 1 where no dim is given.
module arr_numeric
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64, int64
    use arr_c_types
    use arr_c_numeric, only: c_round => arr_round, c_nan_to_num => arr_nan_to_num, c_isclose => arr_isclose, &
        c_allclose => arr_allclose, c_real_if_close => arr_real_if_close, c_packbits => arr_packbits, &
        c_unpackbits => arr_unpackbits
    use arr_c_statistics, only: c_cov => arr_cov, c_corrcoef => arr_corrcoef
    use arr_c_reduce_options, only: c_reduce => arr_reduce, c_reduction_find => arr_reduction_find
    use arr_c_ufunc, only: c_op_find => arr_op_find, c_outer => arr_ufunc_outer, c_accumulate => arr_ufunc_accumulate, &
        c_reduceat => arr_ufunc_reduceat, c_ufunc_reduce => arr_ufunc_reduce
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, stream_of
    use arr_engine, only: axis_of, dims_of
    use arr_host_memory, only: any_scalar
    use arr_statistics, only: flag, length
    implicit none
    private
    public :: arr_round, arr_nan_to_num, arr_isclose, arr_allclose, arr_real_if_close, arr_packbits, arr_unpackbits
    public :: arr_cov, arr_corrcoef, arr_reduce, arr_outer, arr_accumulate, arr_reduceat

    interface arr_round
        module procedure round_array
    end interface arr_round

    interface arr_nan_to_num
        module procedure nan_to_num_array
    end interface arr_nan_to_num

    interface arr_isclose
        module procedure isclose_array
    end interface arr_isclose

    interface arr_allclose
        module procedure allclose_array
    end interface arr_allclose

    interface arr_real_if_close
        module procedure real_if_close_array
    end interface arr_real_if_close

    interface arr_packbits
        module procedure packbits_array
    end interface arr_packbits

    interface arr_unpackbits
        module procedure unpackbits_array
    end interface arr_unpackbits

    interface arr_cov
        module procedure cov_array
    end interface arr_cov

    interface arr_corrcoef
        module procedure corrcoef_array
    end interface arr_corrcoef

    interface arr_reduce
        module procedure reduce_array
    end interface arr_reduce

    interface arr_outer
        module procedure outer_array
    end interface arr_outer

    interface arr_accumulate
        module procedure accumulate_array
    end interface arr_accumulate

    interface arr_reduceat
        module procedure reduceat_array
    end interface arr_reduceat

contains

    function axis_or_first(dim) result(axis)
        integer, intent(in), optional :: dim
        integer(c_int32_t) :: axis
        axis = 0
        if (present(dim)) axis = axis_of(dim)
    end function axis_or_first

    ! Marks a new array and ends temporary operands.
    subroutine ended(z, a, b)
        type(arr_array), intent(inout) :: z
        type(arr_array), intent(in) :: a
        type(arr_array), intent(in), optional :: b
        z%temporary = .true.
        call done(a)
        if (present(b)) call done(b)
    end subroutine ended

    ! To a number of decimals, 0 where it is not given; halves to the even neighbour.
    function round_array(array, decimals, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: decimals
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: digits
        digits = 0
        if (present(decimals)) digits = int(decimals, c_int32_t)
        call check(c_round(array%handle, digits, stream_of(stream), z%handle), err)
        call ended(z, array)
    end function round_array

    ! nan becomes nan (0 where it is not given); infinities without a number the largest finite ones.
    function nan_to_num_array(array, nan, posinf, neginf, stream, err) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in), optional :: nan, posinf, neginf
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        real(c_double) :: number
        number = 0
        if (present(nan)) number = nan
        call check(c_nan_to_num(array%handle, number, posinf, neginf, stream_of(stream), z%handle), err)
        call ended(z, array)
    end function nan_to_num_array

    subroutine tolerances(rtol, atol, r, a)
        real(real64), intent(in), optional :: rtol, atol
        real(c_double), intent(out) :: r, a
        r = 1e-5_c_double
        a = 1e-8_c_double
        if (present(rtol)) r = rtol
        if (present(atol)) a = atol
    end subroutine tolerances

    ! Whether abs(x - y) <= atol + rtol * abs(y), element by element.
    function isclose_array(x, y, rtol, atol, equal_nan, stream, err) result(z)
        type(arr_array), intent(in) :: x, y
        real(real64), intent(in), optional :: rtol, atol
        logical, intent(in), optional :: equal_nan
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        real(c_double) :: r, a
        call tolerances(rtol, atol, r, a)
        call check(c_isclose(x%handle, y%handle, r, a, flag(equal_nan), stream_of(stream), z%handle), err)
        call ended(z, x, y)
    end function isclose_array

    ! Whether that holds for all elements: one truth value, of no dimensions.
    function allclose_array(x, y, rtol, atol, equal_nan, stream, err) result(z)
        type(arr_array), intent(in) :: x, y
        real(real64), intent(in), optional :: rtol, atol
        logical, intent(in), optional :: equal_nan
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        real(c_double) :: r, a
        call tolerances(rtol, atol, r, a)
        call check(c_allclose(x%handle, y%handle, r, a, flag(equal_nan), stream_of(stream), z%handle), err)
        call ended(z, x, y)
    end function allclose_array

    ! The real parts where all imaginary ones are smaller than tol (100; more than 1: in units of epsilon).
    function real_if_close_array(array, tol, stream, err) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in), optional :: tol
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        real(c_double) :: bound
        bound = 100
        if (present(tol)) bound = tol
        call check(c_real_if_close(array%handle, bound, stream_of(stream), z%handle), err)
        call ended(z, array)
    end function real_if_close_array

    ! Eight numbers along a dimension become a byte: which are not 0. little: the first is the lowest bit.
    function packbits_array(array, dim, little, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim
        logical, intent(in), optional :: little
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_packbits(array%handle, axis_or_first(dim), flag(little), stream_of(stream), z%handle), err)
        call ended(z, array)
    end function packbits_array

    ! Each byte becomes eight numbers 0 or 1: count in all along the dimension, or that many less where it is negative.
    function unpackbits_array(array, dim, count, little, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim
        integer(int64), intent(in), optional :: count
        logical, intent(in), optional :: little
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_unpackbits(array%handle, axis_or_first(dim), count, flag(little), stream_of(stream), z%handle), err)
        call ended(z, array)
    end function unpackbits_array

    ! Covariances of variables, which are the columns (rows: .true.); ddof is taken off the number of observations, 1.
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
        options%columns = 1 - flag(rows)
        if (present(ddof)) then
            options%ddof = int(ddof, c_int32_t)
            options%ddof_set = 1
        end if
        call check(c_cov(array%handle, options, stream_of(stream), z%handle), err)
        if (present(fweights)) call done(fweights)
        if (present(aweights)) call done(aweights)
        call ended(z, array, y)
    end function cov_array

    ! Correlation coefficients of variables, which are the columns (rows: .true.).
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
        options%columns = 1 - flag(rows)
        call check(c_corrcoef(array%handle, options, stream_of(stream), z%handle), err)
        call ended(z, array, y)
    end function corrcoef_array

    ! ------------------------------------------------------------------- reductions with options, methods

    function operation(name, err) result(number)
        character(len=*), intent(in) :: name
        type(arr_error), intent(out) :: err
        integer(c_int32_t) :: number
        number = 0
        call check(c_op_find(trim(name)//c_null_char, number), err)
    end function operation

    ! A reduction by its name ('sum'), or by that of an operation with ufunc=.true. ('gcd'), over all or some dimensions:
    ! elements are cast to dtype first, initial is combined with them, and only those count where mask is true.
    function reduce_array(name, array, dim, keepdims, mask, initial, dtype, correction, ufunc, stream, err) result(z)
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims, ufunc
        type(arr_array), intent(in), optional :: mask
        class(*), intent(in), optional :: initial
        integer(c_int32_t), intent(in), optional :: dtype
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
        if (flag(ufunc) /= 0) then
            if (.not. problem%failed()) number = operation(name, problem)
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

    ! An operation ('multiply') for each element of x with each of y: the dimensions of x, then those of y.
    function outer_array(name, x, y, stream, err) result(z)
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: x, y
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t) :: number
        number = operation(name, problem)
        if (.not. problem%failed()) call check(c_outer(number, x%handle, y%handle, stream=stream_of(stream), out=z%handle), &
            problem)
        call ended(z, x, y)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function outer_array

    ! The running reduction by an operation ('gcd').
    function accumulate_array(name, array, dim, stream, err) result(z)
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t) :: number
        number = operation(name, problem)
        if (.not. problem%failed()) call check(c_accumulate(number, array%handle, axis_or_first(dim), 0_c_int32_t, &
            stream_of(stream), z%handle), problem)
        call ended(z, array)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function accumulate_array

    ! Reductions by an operation of slices of a dimension, each from an index, 1 the first, to before the next one.
    function reduceat_array(name, array, starts, dim, stream, err) result(z)
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: array
        integer, intent(in) :: starts(:)
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t) :: number
        number = operation(name, problem)
        if (.not. problem%failed()) call check(c_reduceat(number, array%handle, size(starts, kind=c_int64_t), &
            int(starts, c_int64_t) - 1, axis_or_first(dim), 0_c_int32_t, stream_of(stream), z%handle), problem)
        call ended(z, array)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function reduceat_array
end module arr_numeric
