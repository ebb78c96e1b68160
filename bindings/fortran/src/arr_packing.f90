! SPDX-License-Identifier: MIT
! arr_packing.f90: the intrinsics pack, unpack and count, and the order of elements; positions count from 1.
module arr_packing
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_extract => arr_extract, c_broadcast_to => arr_broadcast_to, c_place => arr_place, c_zeros => arr_zeros, &
        c_set_items => arr_set_items, c_concatenate => arr_concatenate, c_slice => arr_slice, c_count => arr_count_nonzero, &
        c_argsort => arr_argsort, c_add_v => arr_add_v, &
        c_value_i64 => arr_value_i64, c_size => arr_size, c_device => arr_array_device, c_item => arr_item_i64
    use arr_arguments, only: axis_or_first, done_value, flag, reversed, weak_value
    use arr_engine, only: dims_of, reduce
    use arr_errors, only: arr_error, check, fail
    use arr_host_memory, only: array_value, shape_text
    use arr_types, only: arr_array, arr_stream, done, dtype_of, shape_of, stream_of
    implicit none
    private
    public :: pack, unpack, count, arr_sort_index

    interface pack
        module procedure pack_array
    end interface pack

    interface unpack
        module procedure unpack_array
    end interface unpack

    interface count
        module procedure count_array
    end interface count

    ! Returns the indices that sort along a dimension: arr_get(a, arr_sort_index(a)) is arr_sort(a).
    interface arr_sort_index
        module procedure sort_index
    end interface arr_sort_index

contains

    ! Packs like the intrinsic: elements in array element order where mask is true, and those of vector after them.
    function pack_array(array, mask, vector, stream, err) result(z)
        type(arr_array), intent(in) :: array, mask
        type(arr_array), intent(in), optional :: vector
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array) :: turned, chosen, found
        type(arr_error) :: problem
        call reversed(array, turned%handle, problem)
        call mask_of('pack', array, mask, chosen%handle, problem)
        if (.not. problem%failed()) call check(c_extract(chosen%handle, turned%handle, stream_of(stream), found%handle), problem)
        if (present(vector)) then
            call fill_up(found, vector, stream, z%handle, problem)
            call done(vector)
        else
            z%handle = found%handle
            found%handle%ptr = c_null_ptr
        end if
        z%temporary = .true.
        call done(array)
        call done(mask)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function pack_array

    ! The reversed mask, which has the shape of the array or none.
    subroutine mask_of(function, array, mask, chosen, err)
        character(len=*), intent(in) :: function
        type(arr_array), intent(in) :: array, mask
        type(arr_array_handle), intent(inout) :: chosen
        type(arr_error), intent(inout) :: err
        type(arr_array) :: wide
        integer(int64) :: extents(ARR_MAX_NDIM), others(ARR_MAX_NDIM)
        integer(c_int32_t) :: n, m
        if (.not. err%failed()) call shape_of(array, n, extents, err)
        if (.not. err%failed()) call shape_of(mask, m, others, err)
        if (err%failed()) return
        if (m == 0) then
            call check(c_broadcast_to(mask%handle, n, extents, wide%handle), err)
            call reversed(wide, chosen, err)
        else if (m == n .and. all(extents(:n) == others(:n))) then
            call reversed(mask, chosen, err)
        else
            call fail(ARR_E_SHAPE, function // ': argument mask: shape ' // shape_text(m, others) // ', expected ' // &
                shape_text(n, extents), err)
        end if
    end subroutine mask_of

    subroutine fill_up(found, vector, stream, handle, err)
        type(arr_array), intent(in) :: found, vector
        type(arr_stream), intent(in), optional :: stream
        type(arr_array_handle), intent(inout) :: handle
        type(arr_error), intent(inout) :: err
        type(arr_array) :: rest
        integer(int64) :: n, all_of_them
        if (.not. err%failed()) call check(c_size(found%handle, n), err)
        if (.not. err%failed()) call check(c_size(vector%handle, all_of_them), err)
        if (err%failed()) return
        if (n > all_of_them) then
            call fail(ARR_E_SHAPE, 'pack: argument vector: it has fewer elements than the mask has true ones', err)
            return
        end if
        call check(c_slice(vector%handle, 1_c_int32_t, [n], [all_of_them], [1_int64], rest%handle), err)
        if (.not. err%failed()) call check(c_concatenate(2_c_int32_t, [found%handle, rest%handle], 0_c_int32_t, &
            dtype_of(found), stream_of(stream), handle), err)
    end subroutine fill_up

    ! Unpacks like the intrinsic: the elements of vector in array element order where mask is true, those of field elsewhere.
    function unpack_array(vector, mask, field, stream, err) result(z)
        type(arr_array), intent(in) :: vector, mask
        class(*), intent(in) :: field
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array) :: turned, chosen
        type(arr_value), allocatable :: v
        type(arr_index) :: whole(1)
        type(arr_device) :: device
        type(arr_error) :: problem
        integer(int64) :: extents(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        call shape_of(mask, n, extents, problem)
        call enough(vector, mask, stream, problem)
        if (.not. problem%failed()) call check(c_device(mask%handle, device), problem)
        if (.not. problem%failed()) call check(c_zeros(dtype_of(vector), n, extents, ARR_ORDER_F, device, stream_of(stream), &
            z%handle), problem)
        call weak_value(field, v, problem)
        if (.not. problem%failed()) call check(c_set_items(z%handle, 0_c_int32_t, whole, v, ARR_BOUNDS_RAISE, &
            stream_of(stream)), problem)
        call reversed(z, turned%handle, problem)
        call reversed(mask, chosen%handle, problem)
        if (.not. problem%failed()) call check(c_place(turned%handle, chosen%handle, array_value(vector), stream_of(stream)), &
            problem)
        z%temporary = .true.
        call done(vector)
        call done(mask)
        call done_value(field)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function unpack_array

    subroutine enough(vector, mask, stream, err)
        type(arr_array), intent(in) :: vector, mask
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_array) :: counted
        integer(int64) :: wanted, there
        if (.not. err%failed()) call check(c_size(vector%handle, there), err)
        if (.not. err%failed()) call check(c_count(mask%handle, 0_c_int32_t, keepdims=.false._c_bool, stream=stream_of(stream), &
            out=counted%handle), err)
        if (.not. err%failed()) call check(c_item(counted%handle, 0_c_int32_t, [0_int64], wanted), err)
        if (err%failed()) return
        if (wanted > there) call fail(ARR_E_SHAPE, &
            'unpack: argument vector: it has fewer elements than the mask has true ones', err)
    end subroutine enough

    function count_array(mask, dim, keepdims, stream, err) result(z)
        type(arr_array), intent(in) :: mask
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call reduce(c_count, mask, axes, keepdims, z, stream, err)
    end function count_array

    function sort_index(array, dim, descending, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim
        logical, intent(in), optional :: descending
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array) :: indices
        type(arr_value) :: one
        type(arr_error) :: problem
        call c_value_i64(one, 1_int64)
        call check(c_argsort(array%handle, axis_or_first(dim), flag(descending), stream_of(stream), indices%handle), problem)
        if (.not. problem%failed()) call check(c_add_v(array_value(indices), one, stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call done(array)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function sort_index
end module arr_packing
