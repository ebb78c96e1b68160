! SPDX-License-Identifier: MIT
! arr_views.f90: views, which share memory. Indices and dimensions count from 1, elements in column-major order.
module arr_views
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64
    use arr_c_types
    use arr_c, only: c_slice => arr_slice, c_index_axis => arr_index_axis, c_broadcast_to => arr_broadcast_to, &
        c_expand_dims => arr_expand_dims, c_unstack => arr_unstack
    use arr_arguments, only: integer_number
    use arr_counting, only: axis_of, index_of
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, choice, done, shape_of, take_over
    use arr_host_memory, only: shape_text
    use arr_engine, only: dims_of
    implicit none
    private
    public :: spread
    public :: arr_span, arr_section, arr_item, arr_unstack, ARR_END, bounds, cut, from_one

    integer(int64), parameter :: OPEN_END = huge(0_int64)

    ! The last position of a dimension; ARR_END - 1 is the one before it.
    integer(int64), parameter :: ARR_END = 2_int64**62

    ! first:last:step of a dimension; what is left out is open. The constructor takes integers of any kind.
    type :: arr_span
        integer(int64) :: first = OPEN_END
        integer(int64) :: last = OPEN_END
        integer(int64) :: step = 1
    end type arr_span

    interface spread
        module procedure spread_array
    end interface spread

    ! arr_section(a, [arr_span(1, 10), arr_span(step=-1)]): a(1:10, ::-1, ...)
    interface arr_section
        module procedure section
    end interface arr_section

    ! arr_item(a, [i, j]): one element, as an array of rank 0; x = arr_item(a, [i, j]) reads it.
    interface arr_item
        module procedure item, item_at
    end interface arr_item

    ! call arr_unstack(a, x, y, z, dim=1): x, y and z are views of the parts of a dimension, at most seven; by default of
    ! the first dimension.
    interface arr_unstack
        module procedure unstack
    end interface arr_unstack

contains

    ! A position of a dimension, which may be given from its end.
    elemental function from_one(position, extent) result(counted)
        integer(int64), intent(in) :: position, extent
        integer(int64) :: counted
        counted = position
        if (position > ARR_END / 2 .and. position < OPEN_END) counted = extent + (position - ARR_END)
    end function from_one

    function section(a, spans, err) result(b)
        type(arr_array), intent(in) :: a
        type(arr_span), intent(in) :: spans(:)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        integer(int64) :: extents(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        type(arr_error) :: problem
        call shape_of(a, n, extents, problem)
        if (.not. problem%failed()) call cut('arr_section: argument spans', a, spans, n, extents, b%handle, problem)
        b%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function section

    ! The section as a new handle. Errors begin with `where`.
    subroutine cut(where, a, spans, n, extents, part, err)
        character(len=*), intent(in) :: where
        type(arr_array), intent(in) :: a
        type(arr_span), intent(in) :: spans(:)
        integer(c_int32_t), intent(in) :: n
        integer(int64), intent(in) :: extents(ARR_MAX_NDIM)
        type(arr_array_handle), intent(inout) :: part
        type(arr_error), intent(inout) :: err
        integer(int64) :: first(size(spans)), last(size(spans))
        call bounds(where, spans, n, extents, first, last, err)
        if (.not. err%failed()) call check(c_slice(a%handle, size(spans, kind=c_int32_t), first, last, spans%step, part), err)
    end subroutine cut

    ! The subscripts as C has them: from 0, the end not included, INT64_MIN for a downward run to the first element.
    subroutine bounds(where, spans, n, extents, first, last, err)
        character(len=*), intent(in) :: where
        type(arr_span), intent(in) :: spans(:)
        integer(c_int32_t), intent(in) :: n
        integer(int64), intent(in) :: extents(ARR_MAX_NDIM)
        integer(int64), intent(out) :: first(:), last(:)
        type(arr_error), intent(out) :: err
        integer(int64) :: low, high, extent
        integer :: i
        logical :: down
        do i = 1, min(size(spans), int(n))
            down = spans(i)%step < 0
            extent = extents(i)
            low = from_one(spans(i)%first, extent)
            high = from_one(spans(i)%last, extent)
            if (low == OPEN_END) low = merge(extent, 1_int64, down)
            if (high == OPEN_END) high = merge(1_int64, extent, down)
            first(i) = 0
            last(i) = 0
            if (merge(high > low, high < low, down)) cycle        ! no elements: any bounds will do
            if (min(low, high) < 1 .or. max(low, high) > extent) call fail(ARR_E_ARGUMENT, &
                where // ': out of bounds for shape ' // shape_text(n, extents), err)
            first(i) = low - 1
            last(i) = high
            if (down) last(i) = merge(high - 2, -huge(high) - 1, high > 1)
        end do
        if (size(spans) > n) call fail(ARR_E_SHAPE, where // ': more than shape ' // &
            shape_text(n, extents) // ' has dimensions', err)
    end subroutine bounds

    function item(a, subscripts, err) result(b)
        type(arr_array), intent(in) :: a
        integer(int32), intent(in) :: subscripts(:)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        b = item_at(a, int(subscripts, int64), err)
        b%temporary = .true.
    end function item

    function item_at(a, subscripts, err) result(b)
        type(arr_array), intent(in) :: a
        integer(int64), intent(in) :: subscripts(:)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        type(arr_array) :: next
        type(arr_error) :: problem
        integer(int64) :: extents(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        integer :: i
        call shape_of(a, n, extents, problem)
        if (.not. problem%failed() .and. n /= size(subscripts)) call fail(ARR_E_SHAPE, &
            'arr_item: argument subscripts: expected one for each dimension', problem)
        b = a
        do i = size(subscripts), 1, -1
            if (problem%failed()) exit
            next%handle%ptr = c_null_ptr
            call check(c_index_axis(b%handle, int(i - 1, c_int32_t), index_of(from_one(subscripts(i), extents(i))), &
                next%handle), problem)
            next%temporary = .true.
            if (.not. problem%failed()) b = next
        end do
        next%handle%ptr = c_null_ptr
        b%temporary = .true.
        if (.not. problem%failed()) return
        call done(b)
        b%handle%ptr = c_null_ptr
        call fail(problem%status, problem%message, err)
    end function item_at

    subroutine unstack(a, part1, part2, part3, part4, part5, part6, part7, dim, err)
        type(arr_array), intent(in) :: a
        type(arr_array), intent(inout) :: part1, part2
        type(arr_array), intent(inout), optional :: part3, part4, part5, part6, part7
        integer, intent(in), optional :: dim
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: parts(7)
        type(arr_error) :: problem
        integer(c_int32_t) :: n
        n = count([.true., .true., present(part3), present(part4), present(part5), present(part6), present(part7)], &
            kind=c_int32_t)
        call check(c_unstack(a%handle, axis_of(choice(dim, 1)), n, parts), problem)
        call done(a)
        if (problem%failed()) then
            call fail(problem%status, problem%message, err)
            return
        end if
        call take_over(part1, parts(1))
        call take_over(part2, parts(2))
        if (present(part3)) call take_over(part3, parts(3))
        if (present(part4)) call take_over(part4, parts(4))
        if (present(part5)) call take_over(part5, parts(5))
        if (present(part6)) call take_over(part6, parts(6))
        if (present(part7)) call take_over(part7, parts(7))
    end subroutine unstack

    ! Spreads like the intrinsic: a read-only view with a new dimension dim of extent ncopies.
    function spread_array(source, dim, ncopies, err) result(b)
        type(arr_array), intent(in) :: source
        integer, intent(in) :: dim
        class(*), intent(in) :: ncopies
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        type(arr_array) :: wider
        type(arr_error) :: problem
        integer(int64) :: extents(ARR_MAX_NDIM), copies
        integer(c_int32_t) :: n
        copies = 0
        call integer_number('spread: argument ncopies', ncopies, copies, problem)
        if (.not. problem%failed()) call check(c_expand_dims(source%handle, 1_c_int32_t, dims_of([dim]), wider%handle), problem)
        if (.not. problem%failed()) call shape_of(wider, n, extents, problem)
        if (.not. problem%failed()) then
            extents(dim) = max(0_int64, copies)
            call check(c_broadcast_to(wider%handle, n, extents, b%handle), problem)
        end if
        b%temporary = .true.
        call done(source)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function spread_array
end module arr_views
