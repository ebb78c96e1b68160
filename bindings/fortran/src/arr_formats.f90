! SPDX-License-Identifier: MIT
! arr_formats.f90: the elements of an array by an edit descriptor of the program, row by row.
module arr_formats
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use arr_c_types
    use arr_c, only: c_astype => arr_astype, c_dtype => arr_array_dtype, c_get => arr_get, c_release => arr_release, &
        c_shape => arr_shape
    use arr_errors, only: arr_error, check, fail
    implicit none
    private
    public :: write_rows

    ! The elements in one of the kinds that Fortran writes; only one of the lists is allocated.
    type :: elements
        real(real64), allocatable :: reals(:)      ! of a complex number both parts
        integer :: parts = 1
        integer(int64), allocatable :: integers(:)
        logical(c_bool), allocatable :: logicals(:)
    end type elements

contains

    ! Writes a vector on one line, each row of a matrix on a separate line; of more dimensions matrix after matrix.
    subroutine write_rows(a, edit, unit, iostat, iomsg, err)
        type(arr_array_handle), intent(in) :: a
        character(len=*), intent(in) :: edit
        integer, intent(in) :: unit
        integer, intent(out) :: iostat
        character(len=*), intent(inout) :: iomsg
        type(arr_error), intent(inout) :: err
        type(elements), target :: x
        integer(int64) :: extents(ARR_MAX_NDIM), rows, columns, n, line, first, i
        integer(c_int32_t) :: ndim
        iostat = 0
        call check(c_shape(a, ARR_MAX_NDIM, extents, ndim), err)
        if (err%failed()) return
        n = product(extents(:ndim))
        rows = 1
        columns = n
        if (ndim > 1) then
            rows = extents(1)
            columns = extents(2)
        end if
        call read_elements(a, n, x, err)
        if (err%failed() .or. n == 0) return
        do line = 0, n / columns - 1
            first = (line / rows) * rows * columns + mod(line, rows) + 1
            if (line > 0) write (unit, '(/)', iostat=iostat, iomsg=iomsg)
            if (iostat == 0) call write_line(x, [(first + i * rows, i = 0, columns - 1)], '(*(' // edit // '))', unit, iostat, &
                iomsg)
            if (iostat /= 0) return
        end do
    end subroutine write_rows

    subroutine write_line(x, indices, form, unit, iostat, iomsg)
        type(elements), intent(in) :: x
        integer(int64), intent(in) :: indices(:)
        character(len=*), intent(in) :: form
        integer, intent(in) :: unit
        integer, intent(out) :: iostat
        character(len=*), intent(inout) :: iomsg
        integer :: j, k
        if (allocated(x%reals)) then
            write (unit, form, iostat=iostat, iomsg=iomsg) &
                ((x%reals((indices(j) - 1) * x%parts + k), k = 1, x%parts), j = 1, size(indices))
        else if (allocated(x%integers)) then
            write (unit, form, iostat=iostat, iomsg=iomsg) x%integers(indices)
        else
            write (unit, form, iostat=iostat, iomsg=iomsg) x%logicals(indices)
        end if
    end subroutine write_line

    ! A copy in array element order.
    subroutine read_elements(a, n, x, err)
        type(arr_array_handle), intent(in) :: a
        integer(int64), intent(in) :: n
        type(elements), intent(inout), target :: x
        type(arr_error), intent(inout) :: err
        integer(c_int32_t) :: dtype
        call check(c_dtype(a, dtype), err)
        if (err%failed()) return
        select case (dtype)
        case (ARR_BOOL)
            allocate (x%logicals(n))
            call read_as(a, ARR_BOOL, c_loc(x%logicals), n, err)
        case (ARR_INT8, ARR_INT16, ARR_INT32, ARR_INT64, ARR_UINT8, ARR_UINT16, ARR_UINT32)
            allocate (x%integers(n))
            call read_as(a, ARR_INT64, c_loc(x%integers), 8 * n, err)
        case (ARR_COMPLEX64, ARR_COMPLEX128)
            x%parts = 2
            allocate (x%reals(2 * n))
            call read_as(a, ARR_COMPLEX128, c_loc(x%reals), 16 * n, err)
        case (ARR_FLOAT16, ARR_BFLOAT16, ARR_FLOAT32, ARR_FLOAT64)
            allocate (x%reals(n))
            call read_as(a, ARR_FLOAT64, c_loc(x%reals), 8 * n, err)
        case default
            call fail(ARR_E_DTYPE, 'write: no kind of Fortran holds uint64: cast the array by arr_astype', err)
        end select
    end subroutine read_elements

    subroutine read_as(a, dtype, host, bytes, err)
        type(arr_array_handle), intent(in) :: a
        integer(c_int32_t), intent(in) :: dtype
        type(c_ptr), intent(in) :: host
        integer(int64), intent(in) :: bytes
        type(arr_error), intent(inout) :: err
        type(arr_array_handle) :: cast
        type(arr_stream_handle) :: default
        integer(c_int32_t) :: ignored
        call check(c_astype(a, dtype, ARR_CAST_UNSAFE, ARR_ORDER_K, default, cast), err)
        if (err%failed()) return
        call check(c_get(cast, ARR_ORDER_F, host, bytes, default), err)
        ignored = c_release(cast)
    end subroutine read_as
end module arr_formats
