! SPDX-License-Identifier: MIT
! arr_subscripts.f90: subscripts as Fortran has them (positions from 1, ranges, lists, masks) in the library's form.
module arr_subscripts
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64
    use arr_c_types
    use arr_c, only: c_squeeze => arr_squeeze, c_reshape => arr_reshape, c_size => arr_size, c_shape => arr_shape, &
        c_from_host => arr_from_host, c_device => arr_array_device, c_astype => arr_astype, c_subtract_v => arr_subtract_v, &
        c_value_i64 => arr_value_i64, c_flatnonzero => arr_flatnonzero, c_ndim => arr_ndim
    use arr_arguments, only: drop
    use arr_counting, only: whole
    use arr_errors, only: arr_error, check, fail
    use arr_host_memory, only: array_value
    use arr_types, only: arr_array, arr_stream, done, dtype_of, shape_of, stream_of
    use arr_views, only: arr_span, cut, from_one
    implicit none
    private
    public :: selection, begin, add, finish, forget, uploaded, MAX_SUBSCRIPTS

    integer, parameter :: MAX_SUBSCRIPTS = 7               ! subscripts

    ! Result of subscripts: a view, and rows that index its dimensions by lists, if there are any.
    type :: selection
        character(len=:), allocatable :: function
        integer(c_int32_t) :: rank = 0
        integer(int64) :: extents(ARR_MAX_NDIM)
        type(arr_device) :: device
        integer :: given = 0
        type(arr_span) :: spans(MAX_SUBSCRIPTS)
        logical :: single(MAX_SUBSCRIPTS) = .false., listed(MAX_SUBSCRIPTS) = .false.
        type(arr_array_handle) :: lists(ARR_MAX_NDIM)      ! from 0; after finish of the view's dimensions
        type(arr_array_handle) :: view
        type(arr_index) :: rows(ARR_MAX_NDIM)
        integer(c_int32_t) :: n = 0                        ! rows
    end type selection

contains

    subroutine begin(s, function, a, err)
        type(selection), intent(inout) :: s
        character(len=*), intent(in) :: function
        type(arr_array), intent(in) :: a
        type(arr_error), intent(inout) :: err
        s%function = function
        call shape_of(a, s%rank, s%extents, err)
        if (.not. err%failed()) call check(c_device(a%handle, s%device), err)
    end subroutine begin

    ! The next subscript: an integer or a list of integers, arr_span(...), logicals as many as the extent, or an arr_array of
    ! integers or logicals.
    subroutine add(s, subscript, stream, err)
        type(selection), intent(inout) :: s
        class(*), intent(in) :: subscript(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        integer(int64) :: i
        s%given = s%given + 1
        if (.not. err%failed() .and. s%given > s%rank) call refuse(s, ARR_E_SHAPE, 'more than the array has dimensions', err)
        select rank (subscript)
        rank (0)
            call add_scalar(s, subscript, stream, err)
        rank (1)
            select type (subscript)
            type is (integer(int8))
                call add_list(s, int(subscript, int64), stream, err)
            type is (integer(int16))
                call add_list(s, int(subscript, int64), stream, err)
            type is (integer(int32))
                call add_list(s, int(subscript, int64), stream, err)
            type is (integer(int64))
                call add_list(s, subscript, stream, err)
            type is (logical)
                call check_mask(s, size(subscript, kind=int64), err)
                call add_list(s, pack([(i, i=1, size(subscript, kind=int64))], subscript), stream, err)
            type is (logical(c_bool))
                call check_mask(s, size(subscript, kind=int64), err)
                call add_list(s, pack([(i, i=1, size(subscript, kind=int64))], logical(subscript)), stream, err)
            class default
                call refuse(s, ARR_E_DTYPE, 'a list of integers or logicals is expected', err)
            end select
        rank default
            call refuse(s, ARR_E_SHAPE, 'a subscript has one dimension at most', err)
        end select
    end subroutine add

    subroutine add_scalar(s, subscript, stream, err)
        type(selection), intent(inout) :: s
        class(*), intent(in) :: subscript
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        integer(int64) :: position
        if (whole(subscript, position)) then
            call add_position(s, position, err)
            return
        end if
        select type (subscript)
        type is (arr_span)
            if (.not. err%failed()) s%spans(s%given) = subscript
        type is (arr_array)
            call add_array(s, subscript, stream, err)
            call done(subscript)
        class default
            call refuse(s, ARR_E_DTYPE, 'an integer, arr_span, a list or an arr_array is expected', err)
        end select
    end subroutine add_scalar

    subroutine add_position(s, position, err)
        type(selection), intent(inout) :: s
        integer(int64), intent(in) :: position
        type(arr_error), intent(inout) :: err
        if (.not. inside(s, position, err)) return
        s%spans(s%given) = arr_span(position, position)
        s%single(s%given) = .true.
    end subroutine add_position

    subroutine add_list(s, positions, stream, err)
        type(selection), intent(inout) :: s
        integer(int64), intent(in) :: positions(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        integer :: i
        do i = 1, size(positions)
            if (.not. inside(s, positions(i), err)) return
        end do
        if (err%failed()) return
        call uploaded(from_one(positions, s%extents(s%given)) - 1, s%device, stream, s%lists(s%given), err)
        s%listed(s%given) = .not. err%failed()
    end subroutine add_list

    ! Positions without a sign: what is 0 or less is out of range there, and not counted from the end.
    subroutine add_array(s, a, stream, err)
        type(selection), intent(inout) :: s
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_array_handle) :: wide, shifted
        type(arr_value) :: one
        type(arr_array) :: steps(2)
        integer(int64) :: extents(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        if (err%failed()) return
        call shape_of(a, n, extents, err)
        if (.not. err%failed() .and. n /= 1) call refuse(s, ARR_E_SHAPE, 'an array of one dimension is expected', err)
        if (err%failed()) return
        if (dtype_of(a) == ARR_BOOL) then
            call check_mask(s, extents(1), err)
            if (.not. err%failed()) call check(c_flatnonzero(a%handle, stream_of(stream), s%lists(s%given)), err)
        else
            call c_value_i64(one, 1_int64)
            call check(c_astype(a%handle, ARR_INT64, ARR_CAST_SAME_KIND, ARR_ORDER_K, stream_of(stream), wide), err)
            steps(1)%handle = wide
            if (.not. err%failed()) call check(c_subtract_v(array_value(steps(1)), one, stream_of(stream), shifted), err)
            steps(2)%handle = shifted
            if (.not. err%failed()) call check(c_astype(shifted, ARR_UINT64, ARR_CAST_UNSAFE, ARR_ORDER_K, &
                stream_of(stream), s%lists(s%given)), err)
        end if
        s%listed(s%given) = .not. err%failed()
    end subroutine add_array

    function inside(s, position, err) result(yes)
        type(selection), intent(in) :: s
        integer(int64), intent(in) :: position
        type(arr_error), intent(inout) :: err
        logical :: yes
        integer(int64) :: counted
        character(len=24) :: got, extent
        yes = .false.
        if (err%failed()) return
        counted = from_one(position, s%extents(s%given))
        yes = counted >= 1 .and. counted <= s%extents(s%given)
        if (yes) return
        write (got, '(i0)') counted
        write (extent, '(i0)') s%extents(s%given)
        call refuse(s, ARR_E_ARGUMENT, 'position ' // trim(got) // ' of a dimension of extent ' // trim(extent), err)
    end function inside

    subroutine check_mask(s, n, err)
        type(selection), intent(in) :: s
        integer(int64), intent(in) :: n
        type(arr_error), intent(inout) :: err
        character(len=24) :: got, extent
        if (err%failed()) return
        if (n == s%extents(s%given)) return
        write (got, '(i0)') n
        write (extent, '(i0)') s%extents(s%given)
        call refuse(s, ARR_E_SHAPE, trim(got) // ' logicals for a dimension of extent ' // trim(extent), err)
    end subroutine check_mask

    ! "arr_get: argument s2: position 9 of a dimension of extent 4"
    subroutine refuse(s, status, text, err)
        type(selection), intent(in) :: s
        integer(c_int32_t), intent(in) :: status
        character(len=*), intent(in) :: text
        type(arr_error), intent(inout) :: err
        character(len=4) :: number
        if (err%failed()) return
        write (number, '(i0)') s%given
        call fail(status, s%function // ': argument s' // trim(number) // ': ' // text, err)
    end subroutine refuse

    ! The view, without the dimensions of single positions, and its rows.
    subroutine finish(s, a, stream, err)
        type(selection), intent(inout) :: s
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_array_handle) :: section
        integer(c_int32_t) :: axes(MAX_SUBSCRIPTS), naxes
        integer :: i, k
        if (err%failed()) return
        call cut(s%function // ': subscripts', a, s%spans(:s%given), s%rank, s%extents, section, err)
        if (err%failed()) return
        naxes = 0
        k = 0
        do i = 1, s%given
            if (s%single(i)) then
                naxes = naxes + 1_c_int32_t
                axes(naxes) = int(i - 1, c_int32_t)
            else
                k = k + 1
                if (k < i) s%lists(k) = s%lists(i)
                if (k < i) s%lists(i)%ptr = c_null_ptr
                s%listed(k) = s%listed(i)
            end if
        end do
        s%listed(k + 1:) = .false.
        if (naxes > 0) then
            call check(c_squeeze(section, naxes, axes, s%view), err)
            call drop(section)
        else
            s%view = section
        end if
        if (.not. err%failed() .and. any(s%listed)) call cross(s, stream, err)
    end subroutine finish

    ! Lists that stand for each other's every position: each has its own dimension. Between the first and the last of
    ! them whole dimensions are lists too, for these then stay in place.
    subroutine cross(s, stream, err)
        type(selection), intent(inout) :: s
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_array_handle) :: list
        integer(int64) :: extents(ARR_MAX_NDIM), wide(MAX_SUBSCRIPTS), j
        integer :: low, high, k
        call check(c_shape(s%view, ARR_MAX_NDIM, extents, s%n), err)
        low = findloc(s%listed, .true., dim=1)
        high = findloc(s%listed, .true., dim=1, back=.true.)
        do k = low, high
            if (err%failed()) return
            if (.not. s%listed(k)) call uploaded([(j, j=0, extents(k) - 1)], s%device, stream, s%lists(k), err)
            wide = 1
            if (.not. err%failed()) call check(c_size(s%lists(k), wide(k - low + 1)), err)
            list = s%lists(k)
            if (.not. err%failed()) call check(c_reshape(list, int(high - low + 1, c_int32_t), wide, ARR_ORDER_C, &
                stream_of(stream), s%lists(k)), err)
            if (.not. err%failed()) call drop(list)
            s%rows(k)%kind = ARR_INDEX_ARRAY
            s%rows(k)%array = s%lists(k)
        end do
    end subroutine cross

    ! Frees the lists, and the view unless it is the result.
    subroutine forget(s, with_view)
        type(selection), intent(inout) :: s
        logical, intent(in) :: with_view
        integer :: k
        do k = 1, ARR_MAX_NDIM
            if (c_associated(s%lists(k)%ptr)) call drop(s%lists(k))
        end do
        if (with_view .and. c_associated(s%view%ptr)) call drop(s%view)
    end subroutine forget

    ! A copy of integers on a device.
    subroutine uploaded(numbers, device, stream, handle, err)
        integer(int64), intent(in) :: numbers(:)
        type(arr_device), intent(in) :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_array_handle), intent(inout) :: handle
        type(arr_error), intent(inout) :: err
        integer(int64), allocatable, target :: copied(:)
        allocate (copied(max(1, size(numbers))))
        copied(:size(numbers)) = numbers
        call check(c_from_host(c_loc(copied), 8 * size(numbers, kind=int64), ARR_INT64, 1_c_int32_t, &
            [size(numbers, kind=int64)], ARR_ORDER_F, device, stream_of(stream), handle), err)
    end subroutine uploaded
end module arr_subscripts
