! SPDX-License-Identifier: MIT
! arr_products.f90: products of vectors and tensors, Einstein sums, powers, diagonals and triangles of matrices.
module arr_products
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c_products, only: c_dot => arr_dot, c_vdot => arr_vdot, c_inner => arr_inner, c_outer => arr_outer, &
        c_kron => arr_kron, c_tensordot => arr_tensordot, c_einsum => arr_einsum, c_trace => arr_trace, &
        c_matrix_power => arr_matrix_power, c_multi_dot => arr_multi_dot, c_khatri_rao => arr_khatri_rao, &
        c_einsum_path => arr_einsum_path
    use arr_c_view, only: c_diagonal => arr_diagonal
    use arr_c_special_matrices, only: c_tril => arr_tril, c_triu => arr_triu
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, all_done, ended, handles, stream_of
    use arr_engine, only: run2, axis_of
    implicit none
    private
    public :: dot_product, arr_dot, arr_inner, arr_outer, arr_kron, arr_tensordot, arr_einsum, arr_matrix_power, &
        arr_multi_dot, arr_khatri_rao, arr_einsum_path, arr_trace, arr_diagonal, arr_tril, arr_triu

    interface dot_product
        module procedure vdot_arrays
    end interface dot_product

    ! Of an operation too: arr_outer('add', a, b).
    interface arr_outer
        module procedure outer_arrays
    end interface arr_outer

    interface arr_dot
        module procedure dot
    end interface arr_dot

    interface arr_inner
        module procedure inner
    end interface arr_inner

    interface arr_kron
        module procedure kron
    end interface arr_kron

    interface arr_tensordot
        module procedure tensordot
    end interface arr_tensordot

    interface arr_einsum
        module procedure einsum
    end interface arr_einsum

    interface arr_einsum_path
        module procedure einsum_path
    end interface arr_einsum_path

    interface arr_multi_dot
        module procedure multi_dot
    end interface arr_multi_dot

    interface arr_khatri_rao
        module procedure khatri_rao
    end interface arr_khatri_rao

    interface arr_matrix_power
        module procedure matrix_power
    end interface arr_matrix_power

    interface arr_trace
        module procedure trace
    end interface arr_trace

    interface arr_diagonal
        module procedure diagonal
    end interface arr_diagonal

    interface arr_tril
        module procedure tril
    end interface arr_tril

    interface arr_triu
        module procedure triu
    end interface arr_triu

contains

    pure function offset_of(k) result(offset)
        integer, intent(in), optional :: k
        integer(c_int64_t) :: offset
        offset = 0
        if (present(k)) offset = k
    end function offset_of

    ! The sum of conjg(a) * b over all elements.
    function vdot_arrays(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_vdot, a, b, z, stream, err)
    end function vdot_arrays

    ! Over the last dimension of a and the last but one of b, or b's only one.
    function dot(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_dot, a, b, z, stream, err)
    end function dot

    ! Over the last dimensions of both.
    function inner(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_inner, a, b, z, stream, err)
    end function inner

    ! Every element of a vector times every element of another.
    function outer_arrays(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_outer, a, b, z, stream, err)
    end function outer_arrays

    ! The Kronecker product: copies of b, each times an element of a.
    function kron(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_kron, a, b, z, stream, err)
    end function kron

    ! The sum of products over the dimensions dims_a of a and dims_b of b, pair by pair.
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

    ! Einstein's sum of products by NumPy's subscripts: arr_einsum('ij,jk->ik', [a, b]). Several arrays are contracted in
    ! a good order.
    function einsum(subscripts, arrays, stream, err) result(z)
        character(len=*), intent(in) :: subscripts
        type(arr_array), intent(in) :: arrays(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_einsum(subscripts//c_null_char, size(arrays, kind=c_int32_t), handles(arrays), ARR_EINSUM_AUTO, &
            stream_of(stream), z%handle), err)
        z%temporary = .true.
        call all_done(arrays)
    end function einsum

    ! The order of arr_einsum, '[(1, 2), (0, 1)]': of each step the places of its operands, counted from 0 in what is left,
    ! to whose end the result goes. cost is how many multiplications and additions it takes, naive of one pass.
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

    ! The product of several matrices in the order that costs least; the first and the last may be vectors.
    function multi_dot(arrays, stream, err) result(z)
        type(arr_array), intent(in) :: arrays(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_multi_dot(size(arrays, kind=c_int32_t), handles(arrays), stream_of(stream), z%handle), err)
        z%temporary = .true.
        call all_done(arrays)
    end function multi_dot

    ! The Kronecker products of the columns of two matrices.
    function khatri_rao(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_khatri_rao, a, b, z, stream, err)
    end function khatri_rao

    ! A power of square matrices.
    function matrix_power(a, n, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: n
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_matrix_power(a%handle, int(n, c_int64_t), stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function matrix_power

    ! The sum along the diagonal of the first two dimensions, or along the one that is k above it.
    function trace(a, k, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: k
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_trace(a%handle, offset_of(k), 0_c_int32_t, 1_c_int32_t, 0_c_int32_t, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function trace

    ! That diagonal, which shares memory.
    function diagonal(a, k, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: k
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_diagonal(a%handle, offset_of(k), 0_c_int32_t, 1_c_int32_t, z%handle)
        call ended(status, z, err, a)
    end function diagonal

    ! The lower triangles of matrices, up to the k-th diagonal above the main one, 0 above.
    function tril(a, k, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: k
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_tril(a%handle, offset_of(k), stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function tril

    ! The upper triangles, from that diagonal on, 0 below.
    function triu(a, k, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: k
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_triu(a%handle, offset_of(k), stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function triu
end module arr_products
