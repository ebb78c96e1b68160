! SPDX-License-Identifier: MIT
! arr_views.f90: views, which share memory. Positions and dimensions count from 1, elements in column-major order.
module arr_views
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64
    use arr_c_types
    use arr_c_view, only: c_slice => arr_slice, c_select => arr_select, c_transpose => arr_transpose, &
        c_broadcast_to => arr_broadcast_to, c_expand_dims => arr_expand_dims, c_squeeze => arr_squeeze, &
        c_flip => arr_flip, c_reshape => arr_reshape
    use arr_counting, only: index_of
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, stream_of, rank_of, shape_of
    use arr_host_memory, only: shape_text
    use arr_engine, only: dims_of
    implicit none
    private
    public :: transpose, reshape, spread
    public :: arr_span, arr_section, arr_select, arr_item, arr_permute, arr_broadcast_to, arr_squeeze, arr_flip

    integer(int64), parameter :: OPEN_END = huge(0_int64)

    ! first:last:step of a dimension; what is left out is open.
    type :: arr_span
        integer(int64) :: first = OPEN_END
        integer(int64) :: last = OPEN_END
        integer(int64) :: step = 1
    end type arr_span

    interface arr_span
        module procedure span
    end interface arr_span

    interface transpose
        module procedure transpose_matrix
    end interface transpose

    interface reshape
        module procedure reshape_4
        module procedure reshape_8
    end interface reshape

    interface spread
        module procedure spread_array
    end interface spread

    ! arr_section(a, [arr_span(1, 10), arr_span(step=-1)]): a(1:10, ::-1, ...)
    interface arr_section
        module procedure section
    end interface arr_section

    ! arr_select(a, dim, position): a(:, position, :), without that dimension.
    interface arr_select
        module procedure select_position
    end interface arr_select

    ! arr_item(a, [i, j]): one element, as an array of rank 0; x = arr_item(a, [i, j]) reads it.
    interface arr_item
        module procedure item
    end interface arr_item

    ! arr_permute(a, [2, 3, 1]): dimension i of the result is dimension order(i) of a.
    interface arr_permute
        module procedure permute
    end interface arr_permute

    interface arr_broadcast_to
        module procedure broadcast_4
        module procedure broadcast_8
    end interface arr_broadcast_to

    interface arr_squeeze
        module procedure squeeze
    end interface arr_squeeze

    interface arr_flip
        module procedure flip
    end interface arr_flip

contains

    function span(first, last, step) result(s)
        integer, intent(in), optional :: first, last, step
        type(arr_span) :: s
        if (present(first)) s%first = first
        if (present(last)) s%last = last
        if (present(step)) s%step = step
    end function span

    ! What every function that makes an array ends with: a failure, or a temporary.
    subroutine finish(a, status, made, err)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in) :: status
        type(arr_array), intent(inout) :: made
        type(arr_error), intent(out), optional :: err
        call check(status, err)
        made%temporary = .true.
        call done(a)
    end subroutine finish

    function section(a, spans, err) result(b)
        type(arr_array), intent(in) :: a
        type(arr_span), intent(in) :: spans(:)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        integer(int64) :: extents(ARR_MAX_NDIM), first(size(spans)), last(size(spans))
        integer(c_int32_t) :: n
        type(arr_error) :: problem
        call shape_of(a, n, extents, problem)
        if (.not. problem%failed()) call bounds(spans, n, extents, first, last, problem)
        if (.not. problem%failed()) call check(c_slice(a%handle, size(spans, kind=c_int32_t), first, last, spans%step, &
            b%handle), problem)
        b%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function section

    ! The subscripts as C has them: from 0, the end not included, INT64_MIN for a downward run to the first element.
    subroutine bounds(spans, n, extents, first, last, err)
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
            low = spans(i)%first
            high = spans(i)%last
            if (low == OPEN_END) low = merge(extent, 1_int64, down)
            if (high == OPEN_END) high = merge(1_int64, extent, down)
            first(i) = 0
            last(i) = 0
            if (merge(high > low, high < low, down)) cycle        ! no elements: any bounds will do
            if (min(low, high) < 1 .or. max(low, high) > extent) call fail(ARR_E_ARGUMENT, &
                'arr_section: argument spans: out of bounds for shape ' // shape_text(n, extents), err)
            first(i) = low - 1
            last(i) = high
            if (down) last(i) = merge(high - 2, -huge(high) - 1, high > 1)
        end do
        if (size(spans) > n) call fail(ARR_E_SHAPE, 'arr_section: argument spans: more than shape ' // &
            shape_text(n, extents) // ' has dimensions', err)
    end subroutine bounds

    function select_position(a, dim, position, err) result(b)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: dim, position
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        integer(c_int32_t) :: axes(1)
        axes = dims_of(dim)
        call finish(a, c_select(a%handle, axes(1), index_of(position), b%handle), b, err)
    end function select_position

    function item(a, subscripts, err) result(b)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: subscripts(:)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        type(arr_array) :: next
        type(arr_error) :: problem
        integer(c_int32_t) :: n
        integer :: i
        call rank_of(a, n, problem)
        if (.not. problem%failed() .and. n /= size(subscripts)) call fail(ARR_E_SHAPE, &
            'arr_item: argument subscripts: expected one for each dimension', problem)
        b = a
        do i = size(subscripts), 1, -1
            if (problem%failed()) exit
            next%handle%ptr = c_null_ptr
            call check(c_select(b%handle, int(i - 1, c_int32_t), index_of(subscripts(i)), next%handle), problem)
            next%temporary = .true.
            if (.not. problem%failed()) b = next
        end do
        next%handle%ptr = c_null_ptr
        b%temporary = .true.
        if (.not. problem%failed()) return
        call done(b)
        b%handle%ptr = c_null_ptr
        call fail(problem%status, problem%message, err)
    end function item

    ! Of rank 2, as the intrinsic; arr_permute takes other ranks.
    function transpose_matrix(matrix, err) result(b)
        type(arr_array), intent(in) :: matrix
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(matrix, c_transpose(matrix%handle, 2_c_int32_t, [1_c_int32_t, 0_c_int32_t], b%handle), b, err)
    end function transpose_matrix

    function permute(a, order, err) result(b)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: order(:)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(a, c_transpose(a%handle, size(order, kind=c_int32_t), dims_of(order), b%handle), b, err)
    end function permute

    ! Elements are taken and placed in array element order; a view where that can be.
    function reshape_8(source, shape, stream, err) result(b)
        type(arr_array), intent(in) :: source
        integer(int64), intent(in) :: shape(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(source, c_reshape(source%handle, size(shape, kind=c_int32_t), shape, ARR_ORDER_F, &
            stream_of(stream), b%handle), b, err)
    end function reshape_8

    function reshape_4(source, shape, stream, err) result(b)
        type(arr_array), intent(in) :: source
        integer(int32), intent(in) :: shape(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(source, c_reshape(source%handle, size(shape, kind=c_int32_t), int(shape, int64), ARR_ORDER_F, &
            stream_of(stream), b%handle), b, err)
    end function reshape_4

    function broadcast_8(a, shape, err) result(b)
        type(arr_array), intent(in) :: a
        integer(int64), intent(in) :: shape(:)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(a, c_broadcast_to(a%handle, size(shape, kind=c_int32_t), shape, b%handle), b, err)
    end function broadcast_8

    function broadcast_4(a, shape, err) result(b)
        type(arr_array), intent(in) :: a
        integer(int32), intent(in) :: shape(:)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call finish(a, c_broadcast_to(a%handle, size(shape, kind=c_int32_t), int(shape, int64), b%handle), b, err)
    end function broadcast_4

    ! As the intrinsic: a new dimension dim of extent ncopies; a read-only view.
    function spread_array(source, dim, ncopies, err) result(b)
        type(arr_array), intent(in) :: source
        integer, intent(in) :: dim, ncopies
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        type(arr_array) :: wider
        type(arr_error) :: problem
        integer(int64) :: extents(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        call check(c_expand_dims(source%handle, 1_c_int32_t, dims_of([dim]), wider%handle), problem)
        if (.not. problem%failed()) call shape_of(wider, n, extents, problem)
        if (.not. problem%failed()) then
            extents(dim) = max(0, ncopies)
            call check(c_broadcast_to(wider%handle, n, extents, b%handle), problem)
        end if
        b%temporary = .true.
        call done(source)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function spread_array

    ! Without the dimensions of extent 1, or without those listed.
    function squeeze(a, dim, err) result(b)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: dim(..)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        integer(c_int32_t), allocatable :: axes(:)
        integer(c_int32_t) :: n
        n = 0
        if (present(dim)) then
            axes = dims_of(dim)
            n = size(axes, kind=c_int32_t)
        end if
        call finish(a, c_squeeze(a%handle, n, axes, b%handle), b, err)
    end function squeeze

    ! Elements in reverse along all or some dimensions.
    function flip(a, dim, err) result(b)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: dim(..)
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        integer(c_int32_t), allocatable :: axes(:)
        integer(c_int32_t) :: n
        n = 0
        if (present(dim)) then
            axes = dims_of(dim)
            n = size(axes, kind=c_int32_t)
        end if
        call finish(a, c_flip(a%handle, n, axes, b%handle), b, err)
    end function flip
end module arr_views
