! SPDX-License-Identifier: MIT
! arr_decompositions.f90: triangular, orthogonal and diagonal factors of matrices.
!
! Matrices lie in the last two dimensions; those in front are stacks of them. A matrix without such factors is an error
! of status ARR_E_LINALG.
module arr_decompositions
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c_decompositions, only: c_cholesky => arr_cholesky, c_qr => arr_qr, c_svd => arr_svd, &
        c_svdvals => arr_svdvals, c_eigh => arr_eigh, c_eigvalsh => arr_eigvalsh, c_eig => arr_eig, &
        c_eigvals => arr_eigvals, c_lu => arr_lu, c_lu_factor => arr_lu_factor
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, done, ended, take_over, stream_of
    use arr_statistics, only: flag
    implicit none
    private
    public :: arr_cholesky, arr_qr, arr_svd, arr_svdvals, arr_eigh, arr_eigvalsh, arr_eig, arr_eigvals, arr_lu, &
        arr_lu_factor

    interface arr_cholesky
        module procedure cholesky
    end interface arr_cholesky

    interface arr_qr
        module procedure qr
    end interface arr_qr

    interface arr_svd
        module procedure svd
    end interface arr_svd

    interface arr_svdvals
        module procedure svdvals
    end interface arr_svdvals

    interface arr_eigh
        module procedure eigh
    end interface arr_eigh

    interface arr_eigvalsh
        module procedure eigvalsh
    end interface arr_eigvalsh

    interface arr_eig
        module procedure eig
    end interface arr_eig

    interface arr_eigvals
        module procedure eigvals
    end interface arr_eigvals

    interface arr_lu
        module procedure lu
    end interface arr_lu

    interface arr_lu_factor
        module procedure lu_factor
    end interface arr_lu_factor

contains

    ! The triangular factor of positive definite matrices, of which one triangle is read: lower L of L L', or with upper U
    ! of U' U.
    function cholesky(a, upper, stream, err) result(z)
        type(arr_array), intent(in) :: a
        logical, intent(in), optional :: upper
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_cholesky(a%handle, flag(upper), ARR_LINALG_ERROR, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function cholesky

    ! q with orthonormal columns and upper triangular r, whose product is a; with complete q is square.
    subroutine qr(a, q, r, complete, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_array), intent(inout) :: q, r
        logical, intent(in), optional :: complete
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(2)
        integer(c_int32_t) :: mode
        mode = ARR_QR_REDUCED
        if (flag(complete) /= 0) mode = ARR_QR_COMPLETE
        call check(c_qr(a%handle, mode, stream_of(stream), new(1), new(2)), err)
        call done(a)
        call take_over(q, new(1))
        call take_over(r, new(2))
    end subroutine qr

    ! u, the singular values s, descending, and the adjoint of v, whose product is a; with full_matrices u and vh are square.
    subroutine svd(a, u, s, vh, full_matrices, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_array), intent(inout) :: u, s, vh
        logical, intent(in), optional :: full_matrices
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(3)
        call check(c_svd(a%handle, flag(full_matrices), ARR_LINALG_ERROR, stream_of(stream), new(1), new(2), &
            new(3)), err)
        call done(a)
        call take_over(u, new(1))
        call take_over(s, new(2))
        call take_over(vh, new(3))
    end subroutine svd

    ! Singular values, descending.
    function svdvals(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_svdvals(a%handle, ARR_LINALG_ERROR, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function svdvals

    ! Eigenvalues, ascending, and eigenvectors as columns of symmetric or Hermitian matrices, of which the lower triangle
    ! is read, or with upper the upper one.
    subroutine eigh(a, values, vectors, upper, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_array), intent(inout) :: values, vectors
        logical, intent(in), optional :: upper
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(2)
        call check(c_eigh(a%handle, 1 - flag(upper), ARR_LINALG_ERROR, stream_of(stream), new(1), new(2)), err)
        call done(a)
        call take_over(values, new(1))
        call take_over(vectors, new(2))
    end subroutine eigh

    ! Their eigenvalues alone.
    function eigvalsh(a, upper, stream, err) result(z)
        type(arr_array), intent(in) :: a
        logical, intent(in), optional :: upper
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_eigvalsh(a%handle, 1 - flag(upper), ARR_LINALG_ERROR, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function eigvalsh

    ! Eigenvalues, in no order, and eigenvectors as columns of any square matrices; both are complex.
    subroutine eig(a, values, vectors, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_array), intent(inout) :: values, vectors
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(2)
        call check(c_eig(a%handle, ARR_LINALG_ERROR, stream_of(stream), new(1), new(2)), err)
        call done(a)
        call take_over(values, new(1))
        call take_over(vectors, new(2))
    end subroutine eig

    ! Their eigenvalues alone.
    function eigvals(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_eigvals(a%handle, ARR_LINALG_ERROR, stream_of(stream), z%handle)
        call ended(status, z, err, a)
    end function eigvals

    ! The permutation p, l with ones on its diagonal and u, whose product is a. Singular matrices have them too.
    subroutine lu(a, p, l, u, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_array), intent(inout) :: p, l, u
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(3)
        call check(c_lu(a%handle, stream_of(stream), new(1), new(2), new(3)), err)
        call done(a)
        call take_over(p, new(1))
        call take_over(l, new(2))
        call take_over(u, new(3))
    end subroutine lu

    ! The same as arr_lu_solve takes it.
    subroutine lu_factor(a, lu, pivots, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_array), intent(inout) :: lu, pivots
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: new(2)
        call check(c_lu_factor(a%handle, stream_of(stream), new(1), new(2)), err)
        call done(a)
        call take_over(lu, new(1))
        call take_over(pivots, new(2))
    end subroutine lu_factor
end module arr_decompositions
