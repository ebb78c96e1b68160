! SPDX-License-Identifier: MIT
! arr_statistics.f90: spread, averages, norms and softmax, over all or some dimensions.
module arr_statistics
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c_reduce, only: c_var => arr_var, c_std => arr_std, c_nanvar => arr_nanvar, c_nanstd => arr_nanstd
    use arr_c_statistics, only: c_average => arr_average, c_vector_norm => arr_vector_norm, c_softmax => arr_softmax, &
        c_log_softmax => arr_log_softmax
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, done, stream_of
    use arr_engine, only: dims_of
    implicit none
    private
    public :: flag, length
    public :: arr_var, arr_std, arr_nanvar, arr_nanstd
    public :: arr_average, arr_vector_norm, arr_softmax, arr_log_softmax

    interface arr_var
        module procedure var_array
    end interface arr_var

    interface arr_std
        module procedure std_array
    end interface arr_std

    interface arr_nanvar
        module procedure nanvar_array
    end interface arr_nanvar

    interface arr_nanstd
        module procedure nanstd_array
    end interface arr_nanstd

    interface arr_average
        module procedure average_array
    end interface arr_average

    interface arr_vector_norm
        module procedure vector_norm_array
    end interface arr_vector_norm

    interface arr_softmax
        module procedure softmax_array
    end interface arr_softmax

    interface arr_log_softmax
        module procedure log_softmax_array
    end interface arr_log_softmax

    abstract interface
        function c_spread(a, naxes, axes, keepdims, correction, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: naxes
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int32_t), value :: keepdims
            real(c_double), value :: correction
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_spread

        function c_exponential(a, naxes, axes, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: naxes
            integer(c_int32_t), intent(in), optional :: axes(*)
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_exponential
    end interface

contains

    function flag(keepdims) result(keep)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t) :: keep
        keep = 0
        if (present(keepdims)) keep = merge(1_c_int32_t, 0_c_int32_t, keepdims)
    end function flag

    function length(axes) result(n)
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        integer(c_int32_t) :: n
        n = 0
        if (allocated(axes)) n = size(axes, kind=c_int32_t)
    end function length

    ! Divided by is how many elements there are less the correction: 0 where it is not given, 1 for a sample.
    subroutine spread_of(f, a, axes, correction, keepdims, out, stream, err)
        procedure(c_spread) :: f
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        real(real64), intent(in), optional :: correction
        logical, intent(in), optional :: keepdims
        type(arr_array), intent(inout) :: out
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        real(c_double) :: less
        less = 0
        if (present(correction)) less = correction
        call check(f(a%handle, length(axes), axes, flag(keepdims), less, stream_of(stream), out%handle), err)
        out%temporary = .true.
        call done(a)
    end subroutine spread_of

    subroutine exponentials(f, a, axes, out, stream, err)
        procedure(c_exponential) :: f
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        type(arr_array), intent(inout) :: out
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        call check(f(a%handle, length(axes), axes, stream_of(stream), out%handle), err)
        out%temporary = .true.
        call done(a)
    end subroutine exponentials

    ! Variance.
    function var_array(array, dim, correction, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        real(real64), intent(in), optional :: correction
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call spread_of(c_var, array, axes, correction, keepdims, z, stream, err)
    end function var_array

    ! Standard deviation.
    function std_array(array, dim, correction, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        real(real64), intent(in), optional :: correction
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call spread_of(c_std, array, axes, correction, keepdims, z, stream, err)
    end function std_array

    ! Variance of the elements that are not nan.
    function nanvar_array(array, dim, correction, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        real(real64), intent(in), optional :: correction
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call spread_of(c_nanvar, array, axes, correction, keepdims, z, stream, err)
    end function nanvar_array

    ! Standard deviation of the elements that are not nan.
    function nanstd_array(array, dim, correction, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        real(real64), intent(in), optional :: correction
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call spread_of(c_nanstd, array, axes, correction, keepdims, z, stream, err)
    end function nanstd_array

    ! Weighted average; the weights have the shape of array, or are a vector along the one dimension.
    function average_array(array, weights, dim, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array
        type(arr_array), intent(in), optional :: weights
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        type(arr_array_handle) :: by
        if (present(dim)) axes = dims_of(dim)
        if (present(weights)) by = weights%handle
        call check(c_average(array%handle, by, length(axes), axes, flag(keepdims), stream_of(stream), z%handle), err)
        z%temporary = .true.
        call done(array)
        if (present(weights)) call done(weights)
    end function average_array

    ! The p-norm of the elements as one vector; p is 2 where it is not given.
    function vector_norm_array(array, p, dim, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in), optional :: p
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        real(c_double) :: power
        if (present(dim)) axes = dims_of(dim)
        power = 2
        if (present(p)) power = p
        call check(c_vector_norm(array%handle, power, length(axes), axes, flag(keepdims), stream_of(stream), z%handle), &
            err)
        z%temporary = .true.
        call done(array)
    end function vector_norm_array

    ! exp(array) / sum(exp(array)) over all or some dimensions, without overflow.
    function softmax_array(array, dim, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call exponentials(c_softmax, array, axes, z, stream, err)
    end function softmax_array

    ! The logarithm of softmax, with the digits that log(arr_softmax(...)) loses.
    function log_softmax_array(array, dim, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call exponentials(c_log_softmax, array, axes, z, stream, err)
    end function log_softmax_array
end module arr_statistics
