! SPDX-License-Identifier: MIT
! arr_sparse_arrays.f90: sparse arrays of any number of dimensions. Other procedures are in arr_functions.
module arr_sparse_arrays
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_coo_nd => arr_sparse_coo_nd, c_coords => arr_sparse_coords, c_get_items => arr_sparse_get_items_nd, &
        c_permute => arr_sparse_permute_dims, c_reshape_nd => arr_sparse_reshape_nd, c_shape => arr_sparse_shape, &
        c_tensordot => arr_sparse_tensordot, c_argmax => arr_sparse_argmax, c_argmin => arr_sparse_argmin, &
        c_part => arr_sparse_part, c_device => arr_array_device, &
        c_release => arr_sparse_release
    use arr_arguments, only: drop, from_one, from_zero
    use arr_counting, only: axis_of
    use arr_errors, only: arr_error, check, fail
    use arr_handle_types, only: arr_sparse, done
    use arr_subscripts, only: selection, add, forget, MAX_SUBSCRIPTS
    use arr_types, only: arr_array, arr_stream, all_done, stream_of
    use arr_views, only: bounds
    implicit none
    private
    public :: arr_sparse_argmax, arr_sparse_argmin
    public :: arr_sparse_coo_nd, arr_sparse_coords, arr_sparse_get, arr_sparse_reshape_nd, arr_sparse_shape, arr_sparse_tensordot

    ! Returns the index of the largest element along a dimension or, without dim, in array element order, as arr_argmax
    ! does: from 1, of equal elements the first.
    interface arr_sparse_argmax
        module procedure index_of_max
    end interface arr_sparse_argmax

    ! Returns the index of the least element along a dimension or, without dim, in array element order, as arr_argmin
    ! does: from 1, of equal elements the first.
    interface arr_sparse_argmin
        module procedure index_of_min
    end interface arr_sparse_argmin

    ! Makes an array of coordinates, arr_sparse_coo_nd([2, 3, 4], values, [i, j, k]): coords has for each dimension the
    ! indices of the elements, counted from 1.
    interface arr_sparse_coo_nd
        module procedure of_coordinates
    end interface arr_sparse_coo_nd

    ! Returns the extents.
    interface arr_sparse_shape
        module procedure shape_of_array
    end interface arr_sparse_shape

    ! Returns the index along a dimension of each stored element, counted from 1.
    interface arr_sparse_coords
        module procedure coords_of_array
    end interface arr_sparse_coords

    ! Returns an array of another shape, with the elements in Fortran's order. The library's order is that of the reversed
    ! dimensions.
    interface arr_sparse_reshape_nd
        module procedure reshape_array
    end interface arr_sparse_reshape_nd

    ! Returns the tensor product of two arrays, summed over the dimensions dims_a of a and dims_b of b.
    interface arr_sparse_tensordot
        module procedure tensor_product
    end interface arr_sparse_tensordot

    ! Returns a part of an array: arr_sparse_get(a, 2, arr_span(1, 3), [5, 1]) is a(2, 1:3, [5, 1]). Subscripts are those of
    ! arr_get; those at the end that are absent are whole dimensions. A single element is an array of extent 1.
    interface arr_sparse_get
        module procedure get_part
    end interface arr_sparse_get

contains

    function index_of_max(a, dim, stream, err) result(z)
        type(arr_sparse), intent(in) :: a
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call index_of(c_argmax, a, dim, stream, z, err)
    end function index_of_max

    function index_of_min(a, dim, stream, err) result(z)
        type(arr_sparse), intent(in) :: a
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call index_of(c_argmin, a, dim, stream, z, err)
    end function index_of_min

    ! The library's order of all elements is that of the reversed dimensions.
    subroutine index_of(entry, a, dim, stream, z, err)
        procedure(c_argmax) :: entry
        type(arr_sparse), intent(in) :: a
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_array), intent(inout) :: z
        type(arr_error), intent(out), optional :: err
        type(arr_sparse_handle) :: turned
        type(arr_array_handle) :: found
        type(arr_error) :: problem
        integer(c_int32_t) :: status
        if (present(dim)) then
            call check(entry(a%handle, axis_of(dim), stream_of(stream), found), problem)
        else
            call check(c_permute(a%handle, 0_c_int32_t, stream=stream_of(stream), out=turned), problem)
            if (.not. problem%failed()) call check(entry(turned, ARR_AXIS_NONE, stream_of(stream), found), problem)
            status = c_release(turned)
        end if
        call from_one(found, z%handle, stream, problem)
        call drop(found)
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine index_of

    function of_coordinates(shape, data, coords, stream, err) result(z)
        integer, intent(in) :: shape(:)
        type(arr_array), intent(in) :: data, coords(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_sparse) :: z
        type(arr_array_handle), allocatable :: from(:)
        type(arr_error) :: problem
        integer :: i
        allocate (from(size(coords)))
        if (size(coords) /= size(shape)) call fail(ARR_E_ARGUMENT, 'arr_sparse_coo_nd: argument coords: one vector for each '// &
            'dimension is expected', problem)
        do i = 1, size(coords)
            call from_zero(coords(i), from(i), stream, problem)
        end do
        if (.not. problem%failed()) call check(c_coo_nd(size(shape, kind=c_int32_t), int(shape, int64), data%handle, from, &
            stream_of(stream), z%handle), problem)
        do i = 1, size(coords)
            call drop(from(i))
        end do
        z%temporary = .true.
        call all_done([data, coords])
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function of_coordinates

    function shape_of_array(a, err) result(extents)
        type(arr_sparse), intent(in) :: a
        type(arr_error), intent(out), optional :: err
        integer(int64), allocatable :: extents(:)
        integer(int64) :: all(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        type(arr_error) :: problem
        n = 0
        call check(c_shape(a%handle, ARR_MAX_NDIM, all, n), problem)
        if (problem%failed()) n = 0
        extents = all(:n)
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function shape_of_array

    function coords_of_array(a, dim, stream, err) result(z)
        type(arr_sparse), intent(in) :: a
        integer, intent(in) :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array_handle) :: indices
        type(arr_error) :: problem
        if (dim < 1) call fail(ARR_E_SHAPE, 'arr_sparse_coords: argument dim: dimensions count from 1', problem)
        if (.not. problem%failed()) call check(c_coords(a%handle, int(dim - 1, c_int32_t), stream_of(stream), indices), problem)
        call from_one(indices, z%handle, stream, problem)
        call drop(indices)
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function coords_of_array

    function reshape_array(a, shape, stream, err) result(z)
        type(arr_sparse), intent(in) :: a
        integer, intent(in) :: shape(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_sparse) :: z
        type(arr_sparse_handle) :: turned, other
        type(arr_error) :: problem
        integer(c_int32_t) :: status
        call check(c_permute(a%handle, 0_c_int32_t, stream=stream_of(stream), out=turned), problem)
        if (.not. problem%failed()) call check(c_reshape_nd(turned, size(shape, kind=c_int32_t), &
            int(shape(size(shape):1:-1), int64), stream_of(stream), other), problem)
        if (.not. problem%failed()) call check(c_permute(other, 0_c_int32_t, stream=stream_of(stream), out=z%handle), problem)
        status = c_release(turned)
        status = c_release(other)
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function reshape_array

    function tensor_product(a, b, dims_a, dims_b, stream, err) result(z)
        type(arr_sparse), intent(in) :: a, b
        integer, intent(in) :: dims_a(:), dims_b(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_sparse) :: z
        type(arr_error) :: problem
        if (size(dims_a) /= size(dims_b)) call fail(ARR_E_SHAPE, 'arr_sparse_tensordot: argument dims_b: as many dimensions '// &
            'as dims_a has are expected', problem)
        if (min(minval(dims_a), minval(dims_b)) < 1) call fail(ARR_E_SHAPE, 'arr_sparse_tensordot: argument dims_a: '// &
            'dimensions count from 1', problem)
        if (.not. problem%failed()) call check(c_tensordot(a%handle, b%handle, size(dims_a, kind=c_int32_t), &
            int(dims_a - 1, c_int32_t), int(dims_b - 1, c_int32_t), stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call done(a)
        call done(b)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function tensor_product

    function get_part(a, s1, s2, s3, s4, s5, s6, s7, stream, err) result(z)
        type(arr_sparse), intent(in) :: a
        class(*), intent(in) :: s1(..)
        class(*), intent(in), optional :: s2(..), s3(..), s4(..), s5(..), s6(..), s7(..)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_sparse) :: z
        type(selection) :: s
        type(arr_array_handle) :: data
        type(arr_error) :: problem
        s%function = 'arr_sparse_get'
        call check(c_shape(a%handle, ARR_MAX_NDIM, s%extents, s%rank), problem)
        if (.not. problem%failed()) call check(c_part(a%handle, ARR_SPARSE_PART_DATA, data), problem)
        if (.not. problem%failed()) call check(c_device(data, s%device), problem)
        call drop(data)
        call add(s, s1, stream, problem)
        if (present(s2)) call add(s, s2, stream, problem)
        if (present(s3)) call add(s, s3, stream, problem)
        if (present(s4)) call add(s, s4, stream, problem)
        if (present(s5)) call add(s, s5, stream, problem)
        if (present(s6)) call add(s, s6, stream, problem)
        if (present(s7)) call add(s, s7, stream, problem)
        call select_part(s, a%handle, stream, z%handle, problem)
        call forget(s, with_view=.false.)
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function get_part

    ! Positions and spans at once, then each list, for every list has its own dimension here.
    subroutine select_part(s, a, stream, part, err)
        type(selection), intent(in) :: s
        type(arr_sparse_handle), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_sparse_handle), intent(inout) :: part
        type(arr_error), intent(inout) :: err
        type(arr_index) :: rows(MAX_SUBSCRIPTS), list(MAX_SUBSCRIPTS)
        type(arr_sparse_handle) :: before
        integer(int64) :: first(MAX_SUBSCRIPTS), last(MAX_SUBSCRIPTS)
        integer(c_int32_t) :: status
        type(arr_error) :: problem
        integer :: i, k
        if (err%failed()) return
        call bounds(s%function // ': subscripts', s%spans(:s%given), s%rank, s%extents, first, last, problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
        do i = 1, s%given
            if (s%listed(i)) cycle
            rows(i)%kind = merge(ARR_INDEX_INTEGER, ARR_INDEX_SLICE, s%single(i))
            rows(i)%start = first(i)
            rows(i)%stop = last(i)
            rows(i)%step = s%spans(i)%step
        end do
        if (.not. err%failed()) call check(c_get_items(a, int(s%given, c_int32_t), rows, stream_of(stream), part), err)
        k = 0
        do i = 1, s%given
            if (err%failed()) return
            if (s%single(i)) cycle
            k = k + 1
            if (.not. s%listed(i)) cycle
            list = arr_index()
            list(k)%kind = ARR_INDEX_ARRAY
            list(k)%array = s%lists(i)
            before = part
            part%ptr = c_null_ptr
            call check(c_get_items(before, int(k, c_int32_t), list, stream_of(stream), part), err)
            status = c_release(before)
        end do
    end subroutine select_part
end module arr_sparse_arrays
