! SPDX-License-Identifier: MIT
! arr_histograms.f90: operations in place at chosen elements; counts of values, and of values in bins.
module arr_histograms
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64, int64
    use arr_c_types
    use arr_c, only: c_from_host => arr_from_host, c_device => arr_array_device, c_release => arr_release, &
        c_op_find => arr_op_find, c_ufunc_at => arr_ufunc_at, c_histogram => arr_histogram
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, stream_of
    use arr_host_memory, only: any_scalar, array_value
    use arr_arguments, only: one_if
    implicit none
    private
    public :: arr_ufunc_at, arr_histogram

    interface arr_ufunc_at
        module procedure at_array
    end interface arr_ufunc_at

    interface arr_histogram
        module procedure histogram_array
    end interface arr_histogram

contains

    ! Computes array(i) = op(array(i), operand) for each index into its first dimension, also repeated ones; name is that
    ! of an operation ('add'), operand a number or an array, or absent for operations of one operand.
    subroutine at_array(name, array, indices, operand, stream, err)
        character(len=*), intent(in) :: name
        type(arr_array), intent(inout) :: array
        integer, intent(in) :: indices(:)
        class(*), intent(in), optional :: operand
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        type(arr_device) :: device
        type(arr_array_handle) :: lists(1)
        type(arr_value), allocatable :: given
        integer(int64), target :: from_zero(size(indices))
        integer(c_int32_t) :: number, status
        from_zero = int(indices, int64) - 1
        call check(c_op_find(trim(name)//c_null_char, number), problem)
        if (present(operand) .and. .not. problem%failed()) then
            allocate(given)
            select type (operand)
            type is (arr_array)
                given = array_value(operand)
            class default
                call any_scalar(operand, given, problem)
            end select
        end if
        if (.not. problem%failed()) call check(c_device(array%handle, device), problem)
        if (.not. problem%failed()) call check(c_from_host(c_loc(from_zero), 8_int64 * size(indices), ARR_INT64, &
            1_c_int32_t, [size(indices, kind=int64)], ARR_ORDER_F, device, stream_of(stream), lists(1)), problem)
        ! An allocatable that is not allocated counts as absent.
        if (.not. problem%failed()) call check(c_ufunc_at(number, array%handle, 1_c_int32_t, lists, given, &
            stream_of(stream)), problem)
        status = c_release(lists(1))
        if (present(operand)) then
            select type (operand)
            type is (arr_array)
                call done(operand)
            end select
        end if
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine at_array

    ! Counts the elements in each bin and returns the bins' edges: of a number of even bins (10 by default) or of
    ! an estimator ARR_BINS_..., over range or the range of the elements; or between given edges.
    subroutine histogram_array(array, counts, edges, bins, range, between, weights, density, stream, err)
        type(arr_array), intent(in) :: array
        type(arr_array), intent(inout) :: counts, edges
        integer, intent(in), optional :: bins
        real(real64), intent(in), optional :: range(2)
        type(arr_array), intent(in), optional :: between, weights
        logical, intent(in), optional :: density
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_histogram_options) :: options
        type(arr_array) :: found, bounds
        type(arr_array_handle) :: given
        real(c_double), target :: ends(2)
        integer(c_int64_t) :: n
        type(arr_error) :: problem
        n = merge(0, 10, present(between))
        if (present(bins)) n = bins
        options%struct_size = c_sizeof(options)
        if (present(range)) then
            ends = range
            options%range = c_loc(ends)
        end if
        if (present(weights)) options%weights = weights%handle
        options%density = one_if(density)
        if (present(between)) given = between%handle
        call check(c_histogram(array%handle, n, given, options, stream_of(stream), found%handle, bounds%handle), problem)
        if (.not. problem%failed()) then
            found%temporary = .true.
            bounds%temporary = .true.
            counts = found
            edges = bounds
        end if
        call done(array)
        if (present(between)) call done(between)
        if (present(weights)) call done(weights)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine histogram_array
end module arr_histograms
