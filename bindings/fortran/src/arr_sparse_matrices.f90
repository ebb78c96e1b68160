! SPDX-License-Identifier: MIT
! arr_sparse_matrices.f90: sparse matrices: their extents and parts, matrices of diagonals, what the operators share. Other
! procedures are in arr_functions and arr_sparse_operators.
module arr_sparse_matrices
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_info => arr_sparse_info, c_part => arr_sparse_part, c_diags => arr_sparse_diags, &
        c_unary => arr_sparse_unary, c_binary => arr_sparse_binary, c_scale => arr_sparse_scale
    use arr_arguments, only: drop, from_one, integer_number, same_size
    use arr_errors, only: arr_error, check, fail
    use arr_handle_types, only: arr_sparse, done
    use arr_types, only: arr_array, arr_stream, all_done, handles, null_stream, stream_of
    implicit none
    private
    public :: size, shape, arr_nnz, arr_alive, arr_sparse_part, arr_sparse_diags
    public :: read_info, copied, elements, each, pairs, scaled

    interface size
        module procedure size_of_matrix
    end interface size

    interface shape
        module procedure shape_of_matrix
    end interface shape

    ! Returns the number of stored elements of a matrix.
    interface arr_nnz
        module procedure nnz_of_matrix
    end interface arr_nnz

    interface arr_alive
        module procedure matrix_alive
    end interface arr_alive

    ! Returns a part of a matrix: ARR_SPARSE_PART_DATA, which is shared, or the indices of ARR_SPARSE_PART_ROW, _COL,
    ! _INDICES or _INDPTR, which are copied, because they count from 1 here.
    interface arr_sparse_part
        module procedure part_of_matrix
    end interface arr_sparse_part

    ! Makes a matrix of diagonals: arr_sparse_diags(n, n, [d, e, e], [0, 1, -1]). A diagonal is a vector as long as it, or of
    ! one element, which is repeated; offset 0 is the main one, 1 the one above it, -1 the one below it.
    interface arr_sparse_diags
        module procedure of_diagonals
    end interface arr_sparse_diags

contains

    subroutine read_info(a, info, err)
        type(arr_sparse), intent(in) :: a
        type(arr_sparse_properties), intent(out) :: info
        type(arr_error), intent(out), optional :: err
        info%struct_size = c_sizeof(info)
        call check(c_info(a%handle, info), err)
        call done(a)
    end subroutine read_info

    function size_of_matrix(array, dim, err) result(n)
        type(arr_sparse), intent(in) :: array
        integer, intent(in), optional :: dim
        type(arr_error), intent(out), optional :: err
        integer(int64) :: n
        type(arr_sparse_properties) :: info
        type(arr_error) :: problem
        call read_info(array, info, problem)
        n = info%rows * info%columns
        if (present(dim)) n = merge(info%rows, merge(info%columns, 0_int64, dim == 2), dim == 1)
        if (present(dim) .and. .not. problem%failed()) then
            if (dim < 1 .or. dim > 2) call fail(ARR_E_ARGUMENT, 'size: argument dim: expected 1 or 2', problem)
        end if
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function size_of_matrix

    function shape_of_matrix(source, err) result(extents)
        type(arr_sparse), intent(in) :: source
        type(arr_error), intent(out), optional :: err
        integer(int64) :: extents(2)
        type(arr_sparse_properties) :: info
        call read_info(source, info, err)
        extents = [info%rows, info%columns]
    end function shape_of_matrix

    function nnz_of_matrix(a, err) result(n)
        type(arr_sparse), intent(in) :: a
        type(arr_error), intent(out), optional :: err
        integer(int64) :: n
        type(arr_sparse_properties) :: info
        call read_info(a, info, err)
        n = info%nnz
    end function nnz_of_matrix

    function matrix_alive(a) result(yes)
        type(arr_sparse), intent(in) :: a
        logical :: yes
        type(arr_sparse_properties) :: info
        type(arr_error) :: problem
        call read_info(a, info, problem)
        yes = .not. problem%failed()
    end function matrix_alive

    function part_of_matrix(a, part, stream, err) result(z)
        type(arr_sparse), intent(in) :: a
        integer(c_int32_t), intent(in) :: part
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array_handle) :: indices
        type(arr_error) :: problem
        if (part == ARR_SPARSE_PART_DATA) then
            call check(c_part(a%handle, part, z%handle), problem)
        else
            call check(c_part(a%handle, part, indices), problem)
            call from_one(indices, z%handle, stream, problem)
            call drop(indices)
        end if
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function part_of_matrix

    function of_diagonals(rows, columns, diagonals, offsets, stream, err) result(z)
        class(*), intent(in) :: rows, columns
        type(arr_array), intent(in) :: diagonals(:)
        integer, intent(in) :: offsets(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_sparse) :: z
        type(arr_error) :: problem
        integer(int64) :: m, n
        m = 0
        n = 0
        call integer_number('arr_sparse_diags: argument rows', rows, m, problem)
        call integer_number('arr_sparse_diags: argument columns', columns, n, problem)
        if (size(offsets) /= size(diagonals) .and. .not. problem%failed()) call fail(ARR_E_ARGUMENT, &
            'arr_sparse_diags: argument offsets: one is expected for each of the diagonals', problem)
        if (.not. problem%failed()) call check(c_diags(m, n, size(diagonals, kind=c_int32_t), handles(diagonals), &
            int(offsets, int64), stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call all_done(diagonals)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function of_diagonals

    ! ------------------------------------------------------------------------------- for operators

    ! The stored elements, into a variable that holds none.
    subroutine elements(a, data)
        type(arr_sparse), intent(in) :: a
        type(arr_array), intent(inout) :: data
        type(arr_error) :: problem
        call check(c_part(a%handle, ARR_SPARSE_PART_DATA, data%handle), problem)    ! the call that follows says so
    end subroutine elements

    ! The copy of a host array that value_of has made, for a variable that holds none and then releases it.
    subroutine copied(v, copy)
        type(arr_value), intent(in) :: v
        type(arr_array), intent(inout) :: copy
        if (v%kind == ARR_VALUE_ARRAY_NUMBER) copy%handle%ptr = transfer(v%lo, copy%handle%ptr)
    end subroutine copied

    subroutine each(op, x, z)
        integer(c_int32_t), intent(in) :: op
        type(arr_sparse), intent(in) :: x
        type(arr_sparse), intent(inout) :: z
        call check(c_unary(op, x%handle, null_stream(), z%handle))
        z%temporary = .true.
        call done(x)
    end subroutine each

    subroutine pairs(op, x, y, z)
        integer(c_int32_t), intent(in) :: op
        type(arr_sparse), intent(in) :: x, y
        type(arr_sparse), intent(inout) :: z
        call check(c_binary(op, x%handle, y%handle, null_stream(), z%handle))
        z%temporary = .true.
        call done(x)
        call done(y)
    end subroutine pairs

    ! The other operand is an array, a number or a copy of a host array.
    subroutine scaled(op, a, x, z)
        integer(c_int32_t), intent(in) :: op
        type(arr_sparse), intent(in) :: a
        type(arr_value), intent(in) :: x
        type(arr_sparse), intent(inout) :: z
        call check(c_scale(op, a%handle, x, null_stream(), z%handle))
        z%temporary = .true.
        call done(a)
    end subroutine scaled
end module arr_sparse_matrices
