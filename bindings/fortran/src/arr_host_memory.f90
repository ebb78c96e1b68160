! SPDX-License-Identifier: MIT
! arr_host_memory.f90: between host arrays of any kind, rank and stride and the library; arr_kinds calls it for each kind.
module arr_host_memory
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
    use arr_c_types
    use arr_c, only: c_value_bits => arr_value_bits, c_value_weak => arr_value_weak, &
        c_value_array => arr_value_array
    use arr_c, only: c_from_host => arr_from_host, c_wrap => arr_wrap, c_release => arr_release, c_retain => arr_retain, &
        c_get => arr_get, c_data => arr_data, c_strides => arr_strides, c_device => arr_array_device, &
        c_to_device => arr_to_device, c_flags => arr_array_flags
    use arr_c, only: c_astype => arr_astype, c_assign => arr_assign, c_fill => arr_fill
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, stream_of, null_stream, dtype_of, shape_of, &
        rank_of, take_over
    implicit none
    private
    public :: host_array, describe, c_describe, upload, download, write_host, wrap, target_of, scalar, any_scalar, array_value
    public :: host_operand, let_go
    public :: shape_text, shape_to_allocate, check_allocated

    integer, parameter :: MAX_RANK = 15

    ! The address and layout of a host array's elements; filled in by arr_shim.c.
    type, bind(c) :: host_array
        type(c_ptr) :: data = c_null_ptr
        integer(c_int64_t) :: bytes = 0            ! of an element
        integer(c_int32_t) :: rank = 0
        integer(c_int32_t) :: packed = 1           ! 1: contiguous, column-major; -1: strides are not whole elements
        integer(c_int64_t) :: extents(MAX_RANK) = 0
        integer(c_int64_t) :: strides(MAX_RANK) = 0
    end type host_array

    interface
        subroutine c_describe(h, out) bind(c, name='arr_fortran_describe')
            import
            type(*), intent(in) :: h(..)
            type(host_array), intent(inout) :: out
        end subroutine c_describe
    end interface

contains

    function describe(h) result(view)
        type(*), intent(in) :: h(..)
        type(host_array) :: view
        call c_describe(h, view)
    end function describe

    function shape_text(n, extents) result(text)
        integer(c_int32_t), intent(in) :: n
        integer(int64), intent(in) :: extents(*)
        character(len=:), allocatable :: text
        character(len=24) :: number
        integer :: i
        text = '('
        do i = 1, n
            write (number, '(i0)') extents(i)
            text = text // trim(number)
            if (i < n) text = text // ','
        end do
        text = text // ')'
    end function shape_text

    ! Memory that the library can read: allocated, and its strides are whole elements.
    subroutine check_host(what, h, err)
        character(len=*), intent(in) :: what
        type(host_array), intent(in) :: h
        type(arr_error), intent(out), optional :: err
        if (.not. c_associated(h%data) .and. all(h%extents(:h%rank) /= 0)) then
            call fail(ARR_E_ARGUMENT, what // ': host array: not allocated; arr_download_allocate allocates', err)
        else if (h%packed < 0) then
            call fail(ARR_E_SHAPE, what // ': host array: its strides are not whole numbers of elements', err)
        end if
    end subroutine check_host

    ! An array that shares the host memory, as elements of type stored.
    subroutine share(what, h, stored, new, err)
        character(len=*), intent(in) :: what
        type(host_array), intent(in) :: h
        integer(c_int32_t), intent(in) :: stored
        type(arr_array_handle), intent(inout) :: new
        type(arr_error), intent(out) :: err
        call check_host(what, h, err)
        if (err%failed()) return
        call check(c_wrap(h%data, stored, h%rank, h%extents, h%strides, drop=c_null_funptr, ctx=c_null_ptr, &
            out=new), err)
    end subroutine share

    subroutine upload(h, dtype, stored, a, device, stream, err)
        type(host_array), intent(in) :: h
        integer(c_int32_t), intent(in) :: dtype, stored
        type(arr_array), intent(inout) :: a
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new
        type(arr_error) :: problem
        integer(c_int64_t) :: nbytes
        if (h%packed == 1 .and. dtype == stored) then
            call check_host('arr_upload', h, problem)
            nbytes = product(h%extents(:h%rank)) * h%bytes
            if (.not. problem%failed()) call check(c_from_host(h%data, nbytes, dtype, h%rank, h%extents, &
                ARR_ORDER_F, device, stream_of(stream), new), problem)
        else
            call upload_strided(h, dtype, stored, new, device, stream, problem)
        end if
        if (problem%failed()) then
            call fail(problem%status, problem%message, err)
            return
        end if
        call take_over(a, new)
    end subroutine upload

    subroutine drop(handle)
        type(arr_array_handle), intent(in) :: handle
        integer(c_int32_t) :: status
        status = c_release(handle)
    end subroutine drop

    subroutine upload_strided(h, dtype, stored, new, device, stream, err)
        type(host_array), intent(in) :: h
        integer(c_int32_t), intent(in) :: dtype, stored
        type(arr_array_handle), intent(inout) :: new
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out) :: err
        type(arr_array_handle) :: shared, packed
        call share('arr_upload', h, stored, shared, err)
        if (err%failed()) return
        call check(c_astype(shared, dtype, ARR_CAST_UNSAFE, ARR_ORDER_F, null_stream(), packed), err)
        call drop(shared)
        if (err%failed()) return
        new = packed
        if (.not. present(device)) return
        if (device%type == ARR_HOST) return
        call check(c_to_device(packed, device, stream_of(stream), new), err)
        call drop(packed)
    end subroutine upload_strided

    subroutine download(a, h, dtype, stored, stream, err)
        type(arr_array), intent(in) :: a
        type(host_array), intent(in) :: h
        integer(c_int32_t), intent(in) :: dtype, stored
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        call check_host('arr_download', h, problem)
        if (.not. problem%failed()) call same_shape(a, h, problem)
        if (.not. problem%failed()) call copy_out(a%handle, h, dtype, stored, stream_of(stream), problem)
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine download

    subroutine same_shape(a, h, err)
        type(arr_array), intent(in) :: a
        type(host_array), intent(in) :: h
        type(arr_error), intent(out) :: err
        integer(c_int32_t) :: n
        integer(int64) :: extents(ARR_MAX_NDIM)
        call shape_of(a, n, extents, err)
        if (err%failed()) return
        if (n == h%rank) then
            if (all(extents(:n) == h%extents(:n))) return
        end if
        if (h%rank == 0) then
            call fail(ARR_E_SHAPE, 'arr_download: host variable: a scalar, expected an array of shape ' // &
                shape_text(n, extents), err)
        else
            call fail(ARR_E_SHAPE, 'arr_download: host array: shape ' // shape_text(h%rank, h%extents) // &
                ', expected ' // shape_text(n, extents), err)
        end if
    end subroutine same_shape

    ! Sets the extents that a host array of this rank needs for the elements of a.
    subroutine shape_to_allocate(a, rank, wanted, err)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in) :: rank
        type(host_array), intent(inout) :: wanted
        type(arr_error), intent(inout) :: err
        integer(c_int32_t) :: n
        integer(int64) :: extents(ARR_MAX_NDIM)
        call shape_of(a, n, extents, err)
        if (.not. err%failed() .and. n /= rank) call fail(ARR_E_SHAPE, 'arr_download_allocate: host array: rank ' // &
            number_text(rank) // ', expected ' // number_text(n) // ' for shape ' // shape_text(n, extents), err)
        if (err%failed()) then
            call done(a)
            return
        end if
        wanted%rank = n
        wanted%extents(:n) = extents(:n)
    end subroutine shape_to_allocate

    subroutine check_allocated(status, wanted, err)
        integer(c_int), intent(in) :: status
        type(host_array), intent(in) :: wanted
        type(arr_error), intent(inout) :: err
        if (status /= 0) call fail(ARR_E_MEMORY, 'arr_download_allocate: host array: no memory for shape ' // &
            shape_text(wanted%rank, wanted%extents), err)
    end subroutine check_allocated

    pure function number_text(n) result(text)
        integer(c_int32_t), intent(in) :: n
        character(len=:), allocatable :: text
        character(len=12) :: digits
        write (digits, '(i0)') n
        text = trim(digits)
    end function number_text

    ! Casts where the kinds differ, as Fortran's assignment does, and copies.
    subroutine copy_out(a, h, dtype, stored, stream, err)
        type(arr_array_handle), intent(in) :: a
        type(host_array), intent(in) :: h
        integer(c_int32_t), intent(in) :: dtype, stored
        type(arr_stream_handle), intent(in) :: stream
        type(arr_error), intent(out) :: err
        type(arr_array_handle) :: truth, cast
        if (stored /= dtype) call check(c_astype(a, dtype, ARR_CAST_UNSAFE, ARR_ORDER_F, stream, truth), err)
        if (err%failed()) return
        if (stored == dtype) truth = a
        call check(c_astype(truth, stored, ARR_CAST_UNSAFE, ARR_ORDER_F, stream, cast), err)
        if (stored /= dtype) call drop(truth)
        if (err%failed()) return
        if (h%packed == 1) then
            call check(c_get(cast, ARR_ORDER_F, h%data, product(h%extents(:h%rank)) * h%bytes, stream), err)
        else
            call copy_strided(cast, h, stored, stream, err)
        end if
        call drop(cast)
    end subroutine copy_out

    subroutine copy_strided(a, h, stored, stream, err)
        type(arr_array_handle), intent(in) :: a
        type(host_array), intent(in) :: h
        integer(c_int32_t), intent(in) :: stored
        type(arr_stream_handle), intent(in) :: stream
        type(arr_error), intent(out) :: err
        type(arr_array_handle) :: here, shared
        call check(c_to_device(a, stream=stream, out=here), err)
        if (err%failed()) return
        call share('arr_download', h, stored, shared, err)
        if (.not. err%failed()) call check(c_assign(shared, here, null_stream()), err)
        call drop(shared)
        call drop(here)
    end subroutine copy_strided

    ! dst(..) = h, with a scalar for every element.
    subroutine write_host(dst, h, dtype, stored, stream, err)
        type(arr_array), intent(in) :: dst
        type(host_array), intent(in) :: h
        integer(c_int32_t), intent(in) :: dtype, stored
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: source
        type(arr_array_handle) :: cast
        type(arr_device) :: device
        type(arr_error) :: problem
        call check(c_device(dst%handle, device), problem)
        if (.not. problem%failed()) call upload(h, dtype, stored, source, device, stream, problem)
        if (.not. problem%failed()) call check(c_astype(source%handle, dtype_of(dst), ARR_CAST_UNSAFE, ARR_ORDER_F, &
            stream_of(stream), cast), problem)
        if (.not. problem%failed()) call check(c_assign(dst%handle, cast, stream_of(stream)), problem)
        call drop(cast)
        call done(dst)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine write_host

    subroutine wrap(a, h, dtype, err)
        type(arr_array), intent(inout) :: a
        type(host_array), intent(in) :: h
        integer(c_int32_t), intent(in) :: dtype
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new
        type(arr_error) :: problem
        call share('arr_wrap', h, dtype, new, problem)
        if (problem%failed()) then
            call fail(problem%status, problem%message, err)
        else
            call take_over(a, new)
        end if
    end subroutine wrap

    ! Describes an array for a Fortran pointer; data is NULL on failure.
    subroutine target_of(a, n, dtype, shared, err)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in) :: n, dtype
        type(host_array), intent(out) :: shared
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: got, flags, bytes
        integer(int64) :: extents(ARR_MAX_NDIM), strides(ARR_MAX_NDIM)
        type(arr_device) :: device
        type(arr_error) :: problem
        bytes = 0
        call shape_of(a, got, extents, problem)
        if (.not. problem%failed()) call check(c_strides(a%handle, ARR_MAX_NDIM, strides), problem)
        if (.not. problem%failed()) call check(c_device(a%handle, device), problem)
        if (.not. problem%failed()) call check(c_flags(a%handle, flags), problem)
        if (problem%failed()) then
            continue
        else if (device%type /= ARR_HOST) then
            call fail(ARR_E_DEVICE, 'arr_pointer: argument a: not in host memory', problem)
        else if (dtype_of(a) /= dtype) then
            call fail(ARR_E_DTYPE, 'arr_pointer: argument p: its type is not the array''s element type', problem)
        else if (got /= n) then
            call fail(ARR_E_SHAPE, 'arr_pointer: argument p: its rank is not that of shape ' // &
                shape_text(got, extents), problem)
        else if (iand(flags, ARR_FLAG_READONLY) /= 0) then
            call fail(ARR_E_READONLY, 'arr_pointer: argument a: the array may not be written', problem)
        else
            shared%rank = n
            shared%extents(:n) = extents(:n)
            shared%strides(:n) = strides(:n)
            shared%bytes = dtype_bytes(dtype)
            call check(c_data(a%handle, shared%data), problem)
        end if
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine target_of

    pure function dtype_bytes(dtype) result(bytes)
        integer(c_int32_t), intent(in) :: dtype
        integer(c_int64_t) :: bytes
        select case (dtype)
        case (ARR_BOOL, ARR_INT8, ARR_UINT8)
            bytes = 1
        case (ARR_INT16, ARR_UINT16, ARR_FLOAT16, ARR_BFLOAT16)
            bytes = 2
        case (ARR_INT32, ARR_UINT32, ARR_FLOAT32)
            bytes = 4
        case (ARR_COMPLEX128)
            bytes = 16
        case default
            bytes = 8
        end select
    end function dtype_bytes

    ! A scalar operand. Plain integers do not widen reals, and no real widens half precision, which Fortran's
    ! scalars do not have; else the wider kind wins, as in Fortran's mixed arithmetic.
    function scalar(dtype, bits, partner) result(v)
        integer(c_int32_t), intent(in) :: dtype
        type(c_ptr), intent(in) :: bits
        type(arr_array), intent(in) :: partner
        type(arr_value) :: v
        integer(c_int32_t) :: status, other
        logical :: whole, narrow
        status = c_value_bits(v, dtype, bits)
        if (status /= ARR_OK) return
        other = dtype_of(partner)
        whole = dtype == ARR_INT32 .or. dtype == ARR_INT64
        narrow = other == ARR_FLOAT16 .or. other == ARR_BFLOAT16
        if (whole .and. any(other == [ARR_FLOAT32, ARR_FLOAT64, ARR_COMPLEX64, ARR_COMPLEX128])) call c_value_weak(v)
        if (narrow .and. (whole .or. dtype == ARR_FLOAT32 .or. dtype == ARR_FLOAT64)) call c_value_weak(v)
    end function scalar

    ! A host array as an operand: a copy on its partner's device. Integers take the kind of a partner of reals.
    function host_operand(h, dtype, stored, partner) result(v)
        type(host_array), intent(in) :: h
        integer(c_int32_t), intent(in) :: dtype, stored
        type(arr_array), intent(in) :: partner
        type(arr_value) :: v
        type(arr_array) :: copy
        type(arr_array_handle) :: taken
        type(arr_device) :: device
        type(arr_error) :: problem
        integer(c_int32_t) :: other, wanted
        other = dtype_of(partner)
        wanted = dtype
        if ((dtype == ARR_INT32 .or. dtype == ARR_INT64) .and. any(other == [ARR_FLOAT16, ARR_BFLOAT16, ARR_FLOAT32, &
            ARR_FLOAT64, ARR_COMPLEX64, ARR_COMPLEX128])) wanted = other
        call check(c_device(partner%handle, device), problem)
        if (.not. problem%failed()) call upload(h, wanted, stored, copy, device, err=problem)
        if (.not. problem%failed()) call check(c_retain(copy%handle, taken), problem)
        call c_value_array(v, taken)               ! of nothing where that failed: the call that follows says so
    end function host_operand

    ! Releases what value_of has copied.
    subroutine let_go(v)
        type(arr_value), intent(in) :: v
        type(arr_array_handle) :: copy
        if (v%kind /= ARR_VALUE_ARRAY_NUMBER .or. v%lo == 0) return
        copy%ptr = transfer(v%lo, copy%ptr)
        call drop(copy)
    end subroutine let_go

    function array_value(a) result(v)
        type(arr_array), intent(in) :: a
        type(arr_value) :: v
        call c_value_array(v, a%handle)
    end function array_value

    ! The number in x, of any kind; not weak.
    subroutine any_scalar(x, v, err)
        class(*), intent(in), target :: x
        type(arr_value), intent(out) :: v
        type(arr_error), intent(out), optional :: err
        logical(c_bool), target :: byte
        select type (x)
        type is (real(real32))
            call check(c_value_bits(v, ARR_FLOAT32, c_loc(x)), err)
        type is (real(real64))
            call check(c_value_bits(v, ARR_FLOAT64, c_loc(x)), err)
        type is (integer(int8))
            call check(c_value_bits(v, ARR_INT8, c_loc(x)), err)
        type is (integer(int16))
            call check(c_value_bits(v, ARR_INT16, c_loc(x)), err)
        type is (integer(int32))
            call check(c_value_bits(v, ARR_INT32, c_loc(x)), err)
        type is (integer(int64))
            call check(c_value_bits(v, ARR_INT64, c_loc(x)), err)
        type is (complex(real32))
            call check(c_value_bits(v, ARR_COMPLEX64, c_loc(x)), err)
        type is (complex(real64))
            call check(c_value_bits(v, ARR_COMPLEX128, c_loc(x)), err)
        type is (logical)
            byte = logical(x, c_bool)
            call check(c_value_bits(v, ARR_BOOL, c_loc(byte)), err)
        class default
            call fail(ARR_E_DTYPE, 'arr_value: argument x: not a number of a kind that libarr has', err)
        end select
    end subroutine any_scalar
end module arr_host_memory
