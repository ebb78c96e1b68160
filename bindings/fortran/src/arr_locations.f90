! SPDX-License-Identifier: MIT
! arr_locations.f90: the intrinsics findloc, and minloc and maxloc with a mask; positions count from 1.
module arr_locations
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_zeros => arr_zeros, c_count => arr_count_nonzero, c_any => arr_any, c_argmax => arr_argmax, &
        c_equal_v => arr_equal_v, c_equal => arr_equal, c_and => arr_logical_and, c_or => arr_logical_or, c_isnan => arr_isnan, &
        c_where => arr_where, c_min => arr_min, c_max => arr_max, c_nanmin => arr_nanmin, c_nanmax => arr_nanmax, &
        c_flip => arr_flip, c_multiply => arr_multiply, c_subtract => arr_subtract, c_broadcast_to => arr_broadcast_to, &
        c_device => arr_array_device, c_retain => arr_retain
    use arr_arguments, only: done_if, done_value, drop, is_set, weak_value
    use arr_engine, only: c_reduction, dims_of, locate, reduce
    use arr_errors, only: arr_error, check, fail
    use arr_host_memory, only: array_value
    use arr_subscripts, only: uploaded
    use arr_types, only: arr_array, arr_stream, done, shape_of, stream_of
    implicit none
    private
    public :: findloc, minloc, maxloc

    interface findloc
        module procedure findloc_array
    end interface findloc

    interface minloc
        module procedure minloc_masked, minloc_along_masked
    end interface minloc

    interface maxloc
        module procedure maxloc_masked, maxloc_along_masked
    end interface maxloc

contains

    ! As the intrinsics: the subscripts of the first of the least or greatest elements where mask is true, in array element
    ! order, or with dim the position along it; with back=.true. of the last one. 0: mask is true nowhere. A nan where mask
    ! is true comes first, as without a mask.
    function minloc_masked(array, mask, back, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        logical, intent(in), optional :: back
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        call locate_masked(c_min, c_nanmax, array, mask, axes, is_set(back), z, stream, err)
    end function minloc_masked

    function minloc_along_masked(array, dim, mask, back, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        integer, intent(in) :: dim
        logical, intent(in), optional :: back
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        axes = dims_of(dim)
        call locate_masked(c_min, c_nanmax, array, mask, axes, is_set(back), z, stream, err)
    end function minloc_along_masked

    function maxloc_masked(array, mask, back, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        logical, intent(in), optional :: back
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        call locate_masked(c_max, c_nanmin, array, mask, axes, is_set(back), z, stream, err)
    end function maxloc_masked

    function maxloc_along_masked(array, dim, mask, back, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        integer, intent(in) :: dim
        logical, intent(in), optional :: back
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        axes = dims_of(dim)
        call locate_masked(c_max, c_nanmin, array, mask, axes, is_set(back), z, stream, err)
    end function maxloc_along_masked

    subroutine locate_masked(f, opposite, array, mask, axes, back, z, stream, err)
        procedure(c_reduction) :: f, opposite
        type(arr_array), intent(in) :: array, mask
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        logical, intent(in) :: back
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: source, wide, found
        type(arr_error) :: problem
        integer(int64) :: extents(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        call shape_of(array, n, extents, problem)
        ! Not a temporary one, which a reduction would release.
        if (.not. problem%failed()) call check(c_retain(array%handle, source%handle), problem)
        if (.not. problem%failed()) call check(c_broadcast_to(mask%handle, n, extents, wide%handle), problem)
        if (.not. problem%failed()) then
            if (any(extents(:n) == 0)) then
                call check(c_and(array%handle, wide%handle, stream_of(stream), found%handle), problem)
            else
                call extreme_indices(f, opposite, source, wide, axes, stream, found, problem)
            end if
        end if
        call first_true(found, axes, back, stream, z, problem)
        z%temporary = .true.
        call done(array)
        call done(mask)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine locate_masked

    ! True where mask is and the element is the extreme one of those, or nan if that is. Elements where mask is false
    ! become the opposite extreme of all that are not nan.
    subroutine extreme_indices(f, opposite, array, mask, axes, stream, found, err)
        procedure(c_reduction) :: f, opposite
        type(arr_array), intent(in) :: array, mask
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_array), intent(inout) :: found
        type(arr_error), intent(inout) :: err
        type(arr_array) :: other, taken, extreme, equal, nan, no_number, both, either
        integer(c_int32_t), allocatable :: all_of_them(:)
        type(arr_stream_handle) :: s
        s = stream_of(stream)
        call reduce(opposite, array, all_of_them, .false., other, stream, err)
        if (.not. err%failed()) call check(c_where(mask%handle, array%handle, other%handle, s, taken%handle), err)
        if (.not. err%failed()) call reduce(f, taken, axes, .true., extreme, stream, err)
        if (.not. err%failed()) call check(c_equal(array%handle, extreme%handle, s, equal%handle), err)
        if (.not. err%failed()) call check(c_isnan(array%handle, s, nan%handle), err)
        if (.not. err%failed()) call check(c_isnan(extreme%handle, s, no_number%handle), err)
        if (.not. err%failed()) call check(c_and(nan%handle, no_number%handle, s, both%handle), err)
        if (.not. err%failed()) call check(c_or(equal%handle, both%handle, s, either%handle), err)
        if (.not. err%failed()) call check(c_and(either%handle, mask%handle, s, found%handle), err)
    end subroutine extreme_indices

    ! As the intrinsic: the subscripts of the first element that is equal to value, in array element order, or with dim the
    ! position along it; with back=.true. of the last one. 0: there is none.
    function findloc_array(array, value, dim, mask, back, stream, err) result(z)
        type(arr_array), intent(in) :: array
        class(*), intent(in) :: value
        integer, intent(in), optional :: dim
        type(arr_array), intent(in), optional :: mask
        logical, intent(in), optional :: back
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array) :: equal
        type(arr_error) :: problem
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call equal_to(array, value, mask, stream, equal, problem)
        call first_true(equal, axes, is_set(back), stream, z, problem)
        z%temporary = .true.
        call done(array)
        call done_value(value)
        call done_if(mask)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function findloc_array

    subroutine equal_to(array, value, mask, stream, equal, err)
        type(arr_array), intent(in) :: array
        class(*), intent(in) :: value
        type(arr_array), intent(in), optional :: mask
        type(arr_stream), intent(in), optional :: stream
        type(arr_array), intent(inout) :: equal
        type(arr_error), intent(inout) :: err
        type(arr_array) :: both
        type(arr_value), allocatable :: v
        call weak_value(value, v, err)
        if (.not. err%failed()) call check(c_equal_v(array_value(array), v, stream_of(stream), both%handle), err)
        if (present(mask) .and. .not. err%failed()) then
            call check(c_and(both%handle, mask%handle, stream_of(stream), equal%handle), err)
        else
            equal%handle = both%handle
            both%handle%ptr = c_null_ptr
        end if
    end subroutine equal_to

    ! The first index of the largest element, times whether anything is true.
    subroutine first_true(equal, axes, back, stream, z, err)
        type(arr_array), intent(in) :: equal
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        logical, intent(in) :: back
        type(arr_stream), intent(in), optional :: stream
        type(arr_array), intent(inout) :: z
        type(arr_error), intent(inout) :: err
        type(arr_array) :: source, indices, found
        integer(int64) :: extents(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        if (.not. err%failed()) call shape_of(equal, n, extents, err)
        if (err%failed()) return
        if (any(extents(:n) == 0)) then
            call nothing_there(equal, axes, n, stream, z, err)
            return
        end if
        if (back) call check(c_flip(equal%handle, number_of(axes), axes, source%handle), err)
        if (err%failed()) return
        if (back) then
            call locate(c_argmax, source, axes, .false., indices, stream, err)
        else
            call locate(c_argmax, equal, axes, .false., indices, stream, err)
        end if
        if (back .and. .not. err%failed()) call from_the_end(equal, axes, extents, n, stream, indices, err)
        if (.not. err%failed()) call reduce(c_any, equal, axes, .false., found, stream, err)
        if (.not. err%failed()) call check(c_multiply(indices%handle, found%handle, stream_of(stream), z%handle), err)
    end subroutine first_true

    pure function number_of(axes) result(n)
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        integer(c_int32_t) :: n
        n = 0
        if (allocated(axes)) n = size(axes, kind=c_int32_t)
    end function number_of

    ! Zeros: for each dimension, or for each line.
    subroutine nothing_there(equal, axes, n, stream, z, err)
        type(arr_array), intent(in) :: equal
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        integer(c_int32_t), intent(in) :: n
        type(arr_stream), intent(in), optional :: stream
        type(arr_array), intent(inout) :: z
        type(arr_error), intent(inout) :: err
        type(arr_device) :: device
        if (allocated(axes)) then
            call reduce(c_count, equal, axes, .false., z, stream, err)
            return
        end if
        call check(c_device(equal%handle, device), err)
        if (.not. err%failed()) call check(c_zeros(ARR_INT64, 1_c_int32_t, [int(n, int64)], ARR_ORDER_F, device, &
            stream_of(stream), z%handle), err)
    end subroutine nothing_there

    ! Positions that were counted from the end: extent + 1 - position.
    subroutine from_the_end(equal, axes, extents, n, stream, indices, err)
        type(arr_array), intent(in) :: equal
        integer(c_int32_t), intent(in), allocatable :: axes(:)
        integer(int64), intent(in) :: extents(ARR_MAX_NDIM)
        integer(c_int32_t), intent(in) :: n
        type(arr_stream), intent(in), optional :: stream
        type(arr_array), intent(inout) :: indices
        type(arr_error), intent(inout) :: err
        type(arr_array) :: ends
        type(arr_array_handle) :: counted
        type(arr_device) :: device
        call check(c_device(equal%handle, device), err)
        if (err%failed()) return
        if (allocated(axes)) then
            call uploaded(extents(axes + 1) + 1, device, stream, ends%handle, err)
        else
            call uploaded(extents(:n) + 1, device, stream, ends%handle, err)
        end if
        if (.not. err%failed()) call check(c_subtract(ends%handle, indices%handle, stream_of(stream), counted), err)
        if (err%failed()) return
        call drop(indices%handle)
        indices%handle = counted
    end subroutine from_the_end
end module arr_locations
