! SPDX-License-Identifier: MIT
! arr_queries.f90: properties of arrays: shape, type, device, address. Dimensions count from 1, sizes are 64-bit.
module arr_queries
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_size => arr_size, c_strides => arr_strides, c_dtype_info => arr_dtype_info
    use arr_element_types, only: dtype_from, dtype_number
    use arr_errors, only: arr_error, check, fail, c_text
    use arr_sparse_matrices, only: read_info
    use arr_handle_types, only: arr_linop, arr_sparse
    use arr_linear_operators, only: read_operator
    use arr_types, only: arr_array, done, dtype_of, rank_of, shape_of
    use arr_host_memory, only: shape_text
    implicit none
    private
    public :: size, shape, rank, arr_strides, arr_dtype, arr_dtype_name
    public :: arr_alive

    interface size
        module procedure size_of
    end interface size

    interface shape
        module procedure shape_list
    end interface shape

    interface rank
        module procedure rank_number
    end interface rank

    interface arr_strides
        module procedure strides_list
    end interface arr_strides

    ! Returns the element type of an array, a sparse matrix or a linear operator, or of a number of 64 bits in a struct
    ! of the library: arr_dtype(info%real).
    interface arr_dtype
        module procedure dtype_of_array, dtype_of_matrix, dtype_of_operator, dtype_of_number
    end interface arr_dtype

    interface arr_dtype_name
        module procedure dtype_name
    end interface arr_dtype_name

    ! True if a is an array: set, and not released.
    interface arr_alive
        module procedure alive
    end interface arr_alive

contains

    function size_of(array, dim, err) result(n)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim
        type(arr_error), intent(out), optional :: err
        integer(int64) :: n
        integer(int64) :: extents(ARR_MAX_NDIM)
        integer(c_int32_t) :: ndim
        type(arr_error) :: problem
        n = 0
        if (present(dim)) then
            call shape_of(array, ndim, extents, problem)
            if (problem%failed()) then
                continue
            else if (dim < 1 .or. dim > ndim) then
                call fail(ARR_E_ARGUMENT, 'size: argument dim: out of range for shape ' // shape_text(ndim, extents), &
                    problem)
            else
                n = extents(dim)
            end if
        else
            call check(c_size(array%handle, n), problem)
        end if
        call done(array)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function size_of

    function shape_list(source, err) result(extents)
        type(arr_array), intent(in) :: source
        type(arr_error), intent(out), optional :: err
        integer(int64), allocatable :: extents(:)
        integer(int64) :: all_extents(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        call shape_of(source, n, all_extents, err)
        extents = all_extents(:n)
        call done(source)
    end function shape_list

    function rank_number(a, err) result(n)
        type(arr_array), intent(in) :: a
        type(arr_error), intent(out), optional :: err
        integer :: n
        call rank_of(a, n, err)
        call done(a)
    end function rank_number

    function strides_list(a, err) result(strides)
        type(arr_array), intent(in) :: a
        type(arr_error), intent(out), optional :: err
        integer(int64), allocatable :: strides(:)
        integer(int64) :: steps(ARR_MAX_NDIM)
        integer(c_int32_t) :: n
        n = 0
        call check(c_strides(a%handle, ARR_MAX_NDIM, steps, n), err)
        strides = steps(:n)
        call done(a)
    end function strides_list

    function dtype_of_array(a) result(dtype)
        type(arr_array), intent(in) :: a
        type(arr_dtype) :: dtype
        dtype = dtype_from(dtype_of(a))
        call done(a)
    end function dtype_of_array

    function dtype_of_matrix(a) result(dtype)
        type(arr_sparse), intent(in) :: a
        type(arr_dtype) :: dtype
        type(arr_sparse_properties) :: info
        type(arr_error) :: problem
        call read_info(a, info, problem)
        dtype = dtype_of_number(info%dtype)
    end function dtype_of_matrix

    function dtype_of_operator(a) result(dtype)
        type(arr_linop), intent(in) :: a
        type(arr_dtype) :: dtype
        type(arr_linop_properties) :: info
        type(arr_error) :: problem
        call read_operator(a, info, problem)
        dtype = dtype_of_number(info%dtype)
    end function dtype_of_operator

    function dtype_of_number(number) result(dtype)
        integer(int64), intent(in) :: number
        type(arr_dtype) :: dtype
        dtype = dtype_from(int(merge(number, -1_int64, abs(number) <= huge(0_c_int32_t)), c_int32_t))
    end function dtype_of_number

    ! 'float64' and so on.
    function dtype_name(dtype, err) result(name)
        type(arr_dtype), intent(in) :: dtype
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: name
        type(c_ptr) :: text
        text = c_null_ptr
        call check(c_dtype_info(dtype_number(dtype), text), err)
        name = c_text(text)
    end function dtype_name

    function alive(a) result(yes)
        type(arr_array), intent(in) :: a
        logical :: yes
        yes = dtype_of(a) /= 0
        call done(a)
    end function alive
end module arr_queries
