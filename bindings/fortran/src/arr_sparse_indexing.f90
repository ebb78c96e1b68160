! SPDX-License-Identifier: MIT
! arr_sparse_indexing.f90: rows, columns and elements of sparse matrices by subscripts; matrices of another shape.
module arr_sparse_indexing
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_get_items => arr_sparse_get_items, c_with_items => arr_sparse_with_items, &
        c_with_elements => arr_sparse_with_elements, c_elements => arr_sparse_elements, c_part => arr_sparse_part, &
        c_device => arr_array_device, c_reshape => arr_reshape, c_size => arr_size, c_release => arr_sparse_release, &
        c_sparse_reshape => arr_sparse_reshape, c_transpose => arr_sparse_transpose
    use arr_arguments, only: done_value, drop, weak_value
    use arr_errors, only: arr_error, check, fail
    use arr_handle_types, only: arr_sparse, done, give
    use arr_sparse_matrices, only: read_info
    use arr_subscripts, only: selection, add, forget, uploaded
    use arr_types, only: arr_array, arr_stream, stream_of
    use arr_views, only: arr_span, bounds
    implicit none
    private
    public :: arr_get, arr_set, arr_item, reshape

    ! arr_get(s, arr_span(2, 9), [2, 4]): s(2:9, [2, 4]), a sparse matrix. Subscripts are those of arrays; an integer leaves
    ! a matrix of one row or column.
    interface arr_get
        module procedure get_items
    end interface arr_get

    ! call arr_set(s, 0, [1, 3], arr_span(2, 9)): makes s a matrix with other elements. The value is a number, an array or
    ! a sparse matrix of that shape. Other variables keep the matrix that s was.
    interface arr_set
        module procedure set_items
    end interface arr_set

    ! arr_item(s, [i, j]): one element, as an array of rank 0; x = arr_item(s, [i, j]) reads it.
    interface arr_item
        module procedure item
    end interface arr_item

    ! Returns a matrix of another shape, with the elements in Fortran's order.
    interface reshape
        module procedure reshape_matrix
    end interface reshape

contains

    ! Both subscripts, of which the second one may be absent.
    subroutine begin(s, function, a, s1, s2, stream, err)
        type(selection), intent(inout) :: s
        character(len=*), intent(in) :: function
        type(arr_sparse), intent(in) :: a
        class(*), intent(in) :: s1(..)
        class(*), intent(in), optional :: s2(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_sparse) :: lent
        type(arr_sparse_properties) :: info
        type(arr_array_handle) :: data
        lent%handle = a%handle
        s%function = function
        call read_info(lent, info, err)
        lent%handle%ptr = c_null_ptr
        s%rank = 2
        s%extents(:2) = [info%rows, info%columns]
        if (.not. err%failed()) call check(c_part(a%handle, ARR_SPARSE_PART_DATA, data), err)
        if (.not. err%failed()) call check(c_device(data, s%device), err)
        call drop(data)
        call add(s, s1, stream, err)
        if (present(s2)) call add(s, s2, stream, err)
    end subroutine begin

    ! The subscripts in the library's form.
    subroutine rows_of(s, rows, err)
        type(selection), intent(in) :: s
        type(arr_index), intent(out) :: rows(2)
        type(arr_error), intent(inout) :: err
        integer(int64) :: first(2), last(2)
        type(arr_error) :: problem
        integer :: k
        if (err%failed()) return
        call bounds(s%function // ': subscripts', s%spans(:2), s%rank, s%extents, first, last, problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
        do k = 1, 2
            rows(k)%kind = merge(ARR_INDEX_ARRAY, ARR_INDEX_SLICE, s%listed(k))
            rows(k)%array = s%lists(k)
            rows(k)%start = first(k)
            rows(k)%stop = last(k)
            rows(k)%step = s%spans(k)%step
        end do
    end subroutine rows_of

    ! The part of a matrix as a new handle; of two lists the columns are taken of the rows.
    subroutine select_part(a, rows, stream, part, err)
        type(arr_sparse_handle), intent(in) :: a
        type(arr_index), intent(in) :: rows(2)
        type(arr_stream), intent(in), optional :: stream
        type(arr_sparse_handle), intent(inout) :: part
        type(arr_error), intent(inout) :: err
        type(arr_sparse_handle) :: some
        type(arr_index) :: whole
        integer(c_int32_t) :: status
        if (err%failed()) return
        if (any(rows%kind /= ARR_INDEX_ARRAY)) then
            call check(c_get_items(a, 2_c_int32_t, rows, stream_of(stream), part), err)
            return
        end if
        call check(c_get_items(a, 1_c_int32_t, rows(:1), stream_of(stream), some), err)
        if (.not. err%failed()) call check(c_get_items(some, 2_c_int32_t, [whole, rows(2)], stream_of(stream), part), err)
        status = c_release(some)
    end subroutine select_part

    function get_items(a, s1, s2, stream, err) result(z)
        type(arr_sparse), intent(in) :: a
        class(*), intent(in) :: s1(..)
        class(*), intent(in), optional :: s2(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_sparse) :: z
        type(selection) :: s
        type(arr_index) :: rows(2)
        type(arr_error) :: problem
        call begin(s, 'arr_get', a, s1, s2, stream, problem)
        call rows_of(s, rows, problem)
        call select_part(a%handle, rows, stream, z%handle, problem)
        call forget(s, with_view=.false.)
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function get_items

    subroutine set_items(a, value, s1, s2, stream, err)
        type(arr_sparse), intent(inout) :: a
        class(*), intent(in) :: value
        class(*), intent(in) :: s1(..)
        class(*), intent(in), optional :: s2(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(selection) :: s
        type(arr_index) :: rows(2)
        type(arr_value), allocatable :: v
        type(arr_sparse_handle) :: made
        type(arr_error) :: problem
        call begin(s, 'arr_set', a, s1, s2, stream, problem)
        call rows_of(s, rows, problem)
        select type (value)
        type is (arr_sparse)
            call with_block(a%handle, rows, value%handle, stream, made, problem)
            call done(value)
        class default
            call weak_value(value, v, problem)
            call pairs_of(s, stream, problem)
            if (.not. problem%failed()) call check(c_with_elements(a%handle, s%lists(1), s%lists(2), v, stream_of(stream), &
                made), problem)
            call done_value(value)
        end select
        call forget(s, with_view=.false.)
        if (.not. problem%failed()) call give(made, a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine set_items

    ! With two lists the columns are replaced in the rows, and these in the matrix.
    subroutine with_block(a, rows, block, stream, made, err)
        type(arr_sparse_handle), intent(in) :: a, block
        type(arr_index), intent(in) :: rows(2)
        type(arr_stream), intent(in), optional :: stream
        type(arr_sparse_handle), intent(inout) :: made
        type(arr_error), intent(inout) :: err
        type(arr_sparse_handle) :: some, changed
        type(arr_index) :: whole
        integer(c_int32_t) :: status
        if (err%failed()) return
        if (any(rows%kind /= ARR_INDEX_ARRAY)) then
            call check(c_with_items(a, 2_c_int32_t, rows, block, stream_of(stream), made), err)
            return
        end if
        call check(c_get_items(a, 1_c_int32_t, rows(:1), stream_of(stream), some), err)
        if (.not. err%failed()) call check(c_with_items(some, 2_c_int32_t, [whole, rows(2)], block, stream_of(stream), &
            changed), err)
        if (.not. err%failed()) call check(c_with_items(a, 1_c_int32_t, rows(:1), changed, stream_of(stream), made), err)
        status = c_release(some)
        status = c_release(changed)
    end subroutine with_block

    ! Makes each subscript a list; that of the rows has a second dimension, so that the lists name a block.
    subroutine pairs_of(s, stream, err)
        type(selection), intent(inout) :: s
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_array_handle) :: list
        integer(int64) :: first(2), last(2), j, n
        type(arr_error) :: problem
        integer :: k
        if (err%failed()) return
        call bounds(s%function // ': subscripts', s%spans(:2), s%rank, s%extents, first, last, problem)
        do k = 1, 2
            if (s%listed(k) .or. err%failed()) cycle
            if (last(k) < 0) last(k) = -1          ! a downward run to the first element
            call uploaded([(j, j=first(k), last(k) - sign(1_int64, s%spans(k)%step), s%spans(k)%step)], s%device, stream, &
                s%lists(k), err)
        end do
        n = 0
        if (.not. err%failed()) call check(c_size(s%lists(1), n), err)
        list = s%lists(1)
        if (.not. err%failed()) call check(c_reshape(list, 2_c_int32_t, [n, 1_int64], ARR_ORDER_C, stream_of(stream), &
            s%lists(1)), err)
        if (.not. err%failed()) call drop(list)
    end subroutine pairs_of

    function item(a, subscripts, stream, err) result(z)
        type(arr_sparse), intent(in) :: a
        integer, intent(in) :: subscripts(2)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(selection) :: s
        type(arr_array_handle) :: row, col
        type(arr_error) :: problem
        integer(int64) :: none(0)
        call begin(s, 'arr_item', a, subscripts(1:1), subscripts(2:2), stream, problem)
        if (.not. problem%failed()) call check(c_reshape(s%lists(1), 0_c_int32_t, none, ARR_ORDER_C, stream_of(stream), &
            row), problem)
        if (.not. problem%failed()) call check(c_reshape(s%lists(2), 0_c_int32_t, none, ARR_ORDER_C, stream_of(stream), &
            col), problem)
        if (.not. problem%failed()) call check(c_elements(a%handle, row, col, stream_of(stream), z%handle), problem)
        call drop(row)
        call drop(col)
        call forget(s, with_view=.false.)
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function item

    ! The library's order is that of the rows of the transpose.
    function reshape_matrix(source, shape, stream, err) result(z)
        type(arr_sparse), intent(in) :: source
        integer, intent(in) :: shape(2)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_sparse) :: z
        type(arr_sparse_handle) :: turned, other
        type(arr_error) :: problem
        integer(c_int32_t) :: status
        call check(c_transpose(source%handle, turned), problem)
        if (.not. problem%failed()) call check(c_sparse_reshape(turned, int(shape(2), int64), int(shape(1), int64), &
            stream_of(stream), other), problem)
        if (.not. problem%failed()) call check(c_transpose(other, z%handle), problem)
        status = c_release(turned)
        status = c_release(other)
        z%temporary = .true.
        call done(source)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function reshape_matrix
end module arr_sparse_indexing
