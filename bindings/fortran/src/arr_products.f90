! SPDX-License-Identifier: MIT
! arr_products.f90: products of vectors and tensors, Einstein sums, powers, diagonals and triangles of matrices.
module arr_products
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_tensordot => arr_tensordot, c_einsum_path => arr_einsum_path
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, all_done, ended, handles, stream_of
    use arr_engine, only: axis_of
    implicit none
    private
    public :: arr_tensordot, arr_einsum_path

    interface arr_tensordot
        module procedure tensordot
    end interface arr_tensordot

    interface arr_einsum_path
        module procedure einsum_path
    end interface arr_einsum_path

contains

    ! Returns the sum of products over the dimensions dims_a of a and dims_b of b, pair by pair.
    function tensordot(a, b, dims_a, dims_b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        integer, intent(in) :: dims_a(:), dims_b(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        if (size(dims_a) /= size(dims_b)) then
            call done(a)
            call done(b)
            call fail(ARR_E_ARGUMENT, 'arr_tensordot: dims_a and dims_b: as many dimensions are expected in both', err)
            return
        end if
        status = c_tensordot(a%handle, b%handle, size(dims_a, kind=c_int32_t), axis_of(dims_a), axis_of(dims_b), &
            stream_of(stream), z%handle)
        call ended(status, z, err, a, b)
    end function tensordot

    ! The order of arr_einsum, '[(1, 2), (0, 1)]': of each step the positions of its operands, from 0 in the list that is left,
    ! to whose end the result goes. cost is the number of multiplications and additions, naive that of one pass.
    function einsum_path(subscripts, arrays, cost, naive, err) result(steps)
        character(len=*), intent(in) :: subscripts
        type(arr_array), intent(in) :: arrays(:)
        real(c_double), intent(out), optional :: cost, naive
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: steps
        character(len=4096), target :: text
        integer(c_int64_t) :: n
        n = 0
        if (present(cost)) cost = 0
        if (present(naive)) naive = 0
        call check(c_einsum_path(subscripts//c_null_char, size(arrays, kind=c_int32_t), handles(arrays), ARR_EINSUM_AUTO, &
            len(text, kind=c_int64_t), text, n, cost, naive), err)
        steps = text(:min(n, len(text, kind=c_int64_t) - 1))
        call all_done(arrays)
    end function einsum_path
end module arr_products
