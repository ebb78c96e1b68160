! SPDX-License-Identifier: MIT
! arr_quantiles.f90: medians and quantiles, over all or some dimensions.
module arr_quantiles
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c_quantiles, only: c_median => arr_median, c_nanmedian => arr_nanmedian, c_quantile => arr_quantile, &
        c_percentile => arr_percentile, c_nanquantile => arr_nanquantile, c_nanpercentile => arr_nanpercentile, &
        c_quantile_weighted => arr_quantile_weighted, &
        c_percentile_weighted => arr_percentile_weighted, c_nanquantile_weighted => arr_nanquantile_weighted, &
        c_nanpercentile_weighted => arr_nanpercentile_weighted
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, done, stream_of
    use arr_engine, only: reduce, dims_of
    use arr_statistics, only: flag, length
    implicit none
    private
    public :: arr_median, arr_nanmedian, arr_quantile, arr_percentile, arr_nanquantile, arr_nanpercentile

    interface arr_median
        module procedure median_array
    end interface arr_median

    interface arr_nanmedian
        module procedure nanmedian_array
    end interface arr_nanmedian

    interface arr_quantile
        module procedure quantile_one
        module procedure quantile_list
    end interface arr_quantile

    interface arr_percentile
        module procedure percentile_one
        module procedure percentile_list
    end interface arr_percentile

    interface arr_nanquantile
        module procedure nanquantile_one
        module procedure nanquantile_list
    end interface arr_nanquantile

    interface arr_nanpercentile
        module procedure nanpercentile_one
        module procedure nanpercentile_list
    end interface arr_nanpercentile

    abstract interface
        function c_quantiles(a, nq, q, naxes, axes, keepdims, method, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: nq
            real(c_double), intent(in) :: q(*)
            integer(c_int32_t), value :: naxes
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int32_t), value :: keepdims, method
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_quantiles

        function c_weighted(a, weights, nq, q, naxes, axes, keepdims, method, stream, out) &
                bind(c) result(status)
            import
            type(arr_array_handle), value :: a, weights
            integer(c_int32_t), value :: nq
            real(c_double), intent(in) :: q(*)
            integer(c_int32_t), value :: naxes
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int32_t), value :: keepdims, method
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_weighted
    end interface

contains

    ! q is one quantile, or a list: the first dimension of the result then. by_weights: the same as f with weights,
    ! which have the shape of the array, or are a vector along the one dimension; they take one method.
    subroutine quantiles_of(f, by_weights, a, many, q, axes, keepdims, method, out, stream, err, weights)
        procedure(c_quantiles) :: f
        procedure(c_weighted) :: by_weights
        type(arr_array), intent(in) :: a
        logical, intent(in) :: many
        real(real64), intent(in) :: q(:)
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t), intent(in), optional :: method
        type(arr_array), intent(inout) :: out
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in), optional :: weights
        integer(c_int32_t) :: n, how
        n = merge(size(q, kind=c_int32_t), 0_c_int32_t, many)
        how = ARR_QUANTILE_LINEAR
        if (present(weights)) how = ARR_QUANTILE_INVERTED_CDF
        if (present(method)) how = method
        if (present(weights)) then
            call check(by_weights(a%handle, weights%handle, n, q, length(axes), axes, flag(keepdims), how, &
                stream_of(stream), out%handle), err)
        else
            call check(f(a%handle, n, q, length(axes), axes, flag(keepdims), how, stream_of(stream), out%handle), err)
        end if
        out%temporary = .true.
        call done(a)
        if (present(weights)) call done(weights)
    end subroutine quantiles_of

    ! The middle element, or the mean of the two in the middle.
    function median_array(array, dim, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call reduce(c_median, array, axes, keepdims, z, stream, err)
    end function median_array

    ! The median of the elements that are not nan.
    function nanmedian_array(array, dim, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call reduce(c_nanmedian, array, axes, keepdims, z, stream, err)
    end function nanmedian_array

    ! Quantiles, q in 0 to 1; method is one of ARR_QUANTILE_LINEAR and so on.
    function quantile_one(array, q, dim, keepdims, method, stream, err, weights) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in) :: q
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t), intent(in), optional :: method
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in), optional :: weights
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call quantiles_of(c_quantile, c_quantile_weighted, array, .false., [q], axes, keepdims, method, z, stream, err, &
            weights)
    end function quantile_one

    ! Quantiles, q in 0 to 1; method is one of ARR_QUANTILE_LINEAR and so on.
    function quantile_list(array, q, dim, keepdims, method, stream, err, weights) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in) :: q(:)
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t), intent(in), optional :: method
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in), optional :: weights
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call quantiles_of(c_quantile, c_quantile_weighted, array, .true., q, axes, keepdims, method, z, stream, err, &
            weights)
    end function quantile_list

    ! Quantiles, q in 0 to 100.
    function percentile_one(array, q, dim, keepdims, method, stream, err, weights) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in) :: q
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t), intent(in), optional :: method
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in), optional :: weights
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call quantiles_of(c_percentile, c_percentile_weighted, array, .false., [q], axes, keepdims, method, z, stream, err, &
            weights)
    end function percentile_one

    ! Quantiles, q in 0 to 100.
    function percentile_list(array, q, dim, keepdims, method, stream, err, weights) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in) :: q(:)
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t), intent(in), optional :: method
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in), optional :: weights
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call quantiles_of(c_percentile, c_percentile_weighted, array, .true., q, axes, keepdims, method, z, stream, err, &
            weights)
    end function percentile_list

    ! Quantiles of the elements that are not nan.
    function nanquantile_one(array, q, dim, keepdims, method, stream, err, weights) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in) :: q
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t), intent(in), optional :: method
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in), optional :: weights
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call quantiles_of(c_nanquantile, c_nanquantile_weighted, array, .false., [q], axes, keepdims, method, z, stream, err, &
            weights)
    end function nanquantile_one

    ! Quantiles of the elements that are not nan.
    function nanquantile_list(array, q, dim, keepdims, method, stream, err, weights) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in) :: q(:)
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t), intent(in), optional :: method
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in), optional :: weights
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call quantiles_of(c_nanquantile, c_nanquantile_weighted, array, .true., q, axes, keepdims, method, z, stream, err, &
            weights)
    end function nanquantile_list

    ! Quantiles of the elements that are not nan, q in 0 to 100.
    function nanpercentile_one(array, q, dim, keepdims, method, stream, err, weights) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in) :: q
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t), intent(in), optional :: method
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in), optional :: weights
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call quantiles_of(c_nanpercentile, c_nanpercentile_weighted, array, .false., [q], axes, keepdims, method, z, stream, err, &
            weights)
    end function nanpercentile_one

    ! Quantiles of the elements that are not nan, q in 0 to 100.
    function nanpercentile_list(array, q, dim, keepdims, method, stream, err, weights) result(z)
        type(arr_array), intent(in) :: array
        real(real64), intent(in) :: q(:)
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        integer(c_int32_t), intent(in), optional :: method
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in), optional :: weights
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call quantiles_of(c_nanpercentile, c_nanpercentile_weighted, array, .true., q, axes, keepdims, method, z, stream, err, &
            weights)
    end function nanpercentile_list
end module arr_quantiles
