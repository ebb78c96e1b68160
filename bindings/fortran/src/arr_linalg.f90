! SPDX-License-Identifier: MIT
! arr_linalg.f90: linear equations, least squares, inverses, determinants, conditions, exponentials of matrices.
!
! Matrices lie in the last two dimensions; those in front are stacks of them. A singular matrix is an error of status
! ARR_E_LINALG.
module arr_linalg
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use arr_c_types
    use arr_c_solvers, only: c_tensorsolve => arr_tensorsolve, c_tensorinv => arr_tensorinv, &
        c_solve => arr_solve, c_solve_triangular => arr_solve_triangular, &
        c_lu_solve => arr_lu_solve, c_lstsq => arr_lstsq, c_inv => arr_inv, c_pinv => arr_pinv, &
        c_matrix_rank => arr_matrix_rank, c_det => arr_det, c_slogdet => arr_slogdet, c_expm => arr_expm
    use arr_c_products, only: c_cond => arr_cond, c_matrix_norm => arr_matrix_norm
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, done, ended, limit, take_over, stream_of
    use arr_engine, only: axis_of
    use arr_statistics, only: flag
    implicit none
    private
    public :: arr_tensorsolve, arr_tensorinv
    public :: arr_solve, arr_solve_triangular, arr_lu_solve, arr_lstsq, arr_inv, arr_pinv, arr_matrix_rank, arr_det, &
        arr_slogdet, arr_cond, arr_matrix_norm, arr_expm

    interface arr_solve
        module procedure solve
    end interface arr_solve

    interface arr_solve_triangular
        module procedure solve_triangular
    end interface arr_solve_triangular

    interface arr_lu_solve
        module procedure lu_solve
    end interface arr_lu_solve

    interface arr_lstsq
        module procedure lstsq
    end interface arr_lstsq

    interface arr_inv
        module procedure inv
    end interface arr_inv

    interface arr_pinv
        module procedure pinv
    end interface arr_pinv

    interface arr_matrix_rank
        module procedure matrix_rank
    end interface arr_matrix_rank

    interface arr_det
        module procedure det
    end interface arr_det

    interface arr_slogdet
        module procedure slogdet
    end interface arr_slogdet

    interface arr_cond
        module procedure cond
    end interface arr_cond

    interface arr_matrix_norm
        module procedure matrix_norm
    end interface arr_matrix_norm

    interface arr_expm
        module procedure expm
    end interface arr_expm

    interface arr_tensorsolve
        module procedure tensorsolve
    end interface arr_tensorsolve

    interface arr_tensorinv
        module procedure tensorinv
    end interface arr_tensorinv

contains

    pure function which(op) result(code)
        integer(c_int32_t), intent(in), optional :: op
        integer(c_int32_t) :: code
        code = ARR_MATRIX_PLAIN
        if (present(op)) code = op
    end function which

    ! x of a x = b; b is matrices, or one vector for all.
    function solve(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_solve(a%handle, b%handle, ARR_LINALG_ERROR, stream_of(stream), z%handle)
        call ended(status, z, err, a, b)
    end function solve

    ! The same of triangular matrices, the upper triangle or with lower the lower one; the other one is not read, and
    ! with unit_diagonal the diagonal neither, but counts as 1. op, ARR_MATRIX_..., turns a round.
    function solve_triangular(a, b, lower, unit_diagonal, op, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        logical, intent(in), optional :: lower
        logical, intent(in), optional :: unit_diagonal
        integer(c_int32_t), intent(in), optional :: op
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_solve_triangular(a%handle, b%handle, flag(lower), flag(unit_diagonal), which(op), &
            ARR_LINALG_ERROR, stream_of(stream), z%handle)
        call ended(status, z, err, a, b)
    end function solve_triangular

    ! x of a x = b, where a is a matrix whose rows are b's dimensions and whose columns those of x; dims of a are moved to
    ! its end first.
    function tensorsolve(a, b, dims, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        integer, intent(in), optional :: dims(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: axes(64), status, n  ! more than arrays have dimensions
        n = 0
        axes = 0
        if (present(dims)) then
            n = min(size(dims, kind=c_int32_t), size(axes, kind=c_int32_t))
            axes(:n) = axis_of(dims(:n))
        end if
        status = c_tensorsolve(a%handle, b%handle, n, axes, stream_of(stream), z%handle)
        call ended(status, z, err, a, b)
    end function tensorsolve

    ! The inverse as of a matrix whose rows are the first n dimensions; it has the others first.
    function tensorinv(a, n, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: n
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_tensorinv(a%handle, int(n, c_int32_t), stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function tensorinv

    ! x of op(a) x = b, of the factors that arr_lu_factor gives; of a singular matrix it is infinite or nan.
    function lu_solve(lu, pivots, b, op, stream, err) result(z)
        type(arr_array), intent(in) :: lu, pivots, b
        integer(c_int32_t), intent(in), optional :: op
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_lu_solve(lu%handle, pivots%handle, b%handle, which(op), stream_of(stream), z%handle)
        call ended(status, z, err, lu, pivots, b)
    end function lu_solve

    ! Least squares: the shortest x with the least |a x - b|, |a x - b| squared of each column, the rank and the singular
    ! values of a. Singular values up to rcond times the largest count as 0.
    subroutine lstsq(a, b, x, residuals, rank, s, rcond, stream, err)
        type(arr_array), intent(in) :: a, b
        type(arr_array), intent(inout) :: x
        type(arr_array), intent(inout), optional :: residuals, rank, s
        real(real64), intent(in), optional :: rcond
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: others(3)
        type(arr_array_handle) :: new(4)
        integer :: i
        call check(c_lstsq(a%handle, b%handle, limit(rcond), stream_of(stream), new(1), new(2), new(3), new(4)), err)
        call done(a)
        call done(b)
        call take_over(x, new(1))
        do i = 1, 3
            call take_over(others(i), new(i + 1))
        end do
        if (present(residuals)) residuals = others(1)
        if (present(rank)) rank = others(2)
        if (present(s)) s = others(3)
    end subroutine lstsq

    ! Inverse matrices.
    function inv(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_inv(a%handle, ARR_LINALG_ERROR, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function inv

    ! Pseudoinverses; singular values up to rcond times the largest count as 0.
    function pinv(a, rcond, stream, err) result(z)
        type(arr_array), intent(in) :: a
        real(real64), intent(in), optional :: rcond
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_pinv(a%handle, limit(rcond), stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function pinv

    ! How many singular values are above tol, without it above the largest times the epsilon times the longer side; int64.
    function matrix_rank(a, tol, stream, err) result(z)
        type(arr_array), intent(in) :: a
        real(real64), intent(in), optional :: tol
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_matrix_rank(a%handle, limit(tol), limit(), stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function matrix_rank

    ! Determinants; 0 of singular matrices.
    function det(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_det(a%handle, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function det

    ! Signs and logarithms of the magnitudes of determinants; of singular matrices 0 and -infinity.
    subroutine slogdet(a, sign, logdet, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_array), intent(inout) :: sign, logdet
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(2)
        call check(c_slogdet(a%handle, stream_of(stream), new(1), new(2)), err)
        call done(a)
        call take_over(sign, new(1))
        call take_over(logdet, new(2))
    end subroutine slogdet

    ! Conditions: the norm of order ord, 2 if it is not given, times that of the inverse. Orders are 1, 2, infinity and
    ! these with a minus.
    function cond(a, ord, stream, err) result(z)
        type(arr_array), intent(in) :: a
        real(real64), intent(in), optional :: ord
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        real(c_double) :: order
        order = 2
        if (present(ord)) order = ord
        status = c_cond(a%handle, ARR_NORM_P, order, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function cond

    ! Norms of matrices of such an order; Frobenius norms if it is not given.
    function matrix_norm(a, ord, stream, err) result(z)
        type(arr_array), intent(in) :: a
        real(real64), intent(in), optional :: ord
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        real(c_double) :: order
        integer(c_int32_t) :: kind
        kind = ARR_NORM_FRO
        if (present(ord)) kind = ARR_NORM_P
        order = 0
        if (present(ord)) order = ord
        status = c_matrix_norm(a%handle, kind, order, 0_c_int32_t, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function matrix_norm

    ! e to the power of matrices.
    function expm(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_expm(a%handle, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function expm
end module arr_linalg
