! SPDX-License-Identifier: MIT
! arr_special_matrices.f90: matrices made of vectors or of their size; bandwidths. Triangles are in arr_products.f90.
!
! Vectors lie along the last dimension; those in front are stacks of them. A dtype that is not given is float64, or what
! is said there, and a device the host.
module arr_special_matrices
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c_special_matrices, only: c_toeplitz => arr_toeplitz, c_hankel => arr_hankel, &
        c_circulant => arr_circulant, c_convolution_matrix => arr_convolution_matrix, c_companion => arr_companion, &
        c_fiedler_companion => arr_fiedler_companion, c_leslie => arr_leslie, c_fiedler => arr_fiedler, &
        c_block_diag => arr_block_diag, c_bandwidth => arr_bandwidth, c_tri => arr_tri, c_hadamard => arr_hadamard, &
        c_hilbert => arr_hilbert, c_helmert => arr_helmert, c_dft => arr_dft
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_array, arr_stream, all_done, choice, done, ended, handle_of, handles, stream_of
    use arr_engine, only: run1, run2
    use arr_statistics, only: flag
    implicit none
    private
    public :: arr_toeplitz, arr_hankel, arr_circulant, arr_convolution_matrix, arr_companion, arr_fiedler_companion, &
        arr_leslie, arr_fiedler, arr_block_diag, arr_bandwidth, arr_tri, arr_hadamard, arr_hilbert, arr_helmert, &
        arr_dft

    interface arr_toeplitz
        module procedure toeplitz
    end interface arr_toeplitz

    interface arr_hankel
        module procedure hankel
    end interface arr_hankel

    interface arr_circulant
        module procedure circulant
    end interface arr_circulant

    interface arr_convolution_matrix
        module procedure convolution_matrix
    end interface arr_convolution_matrix

    interface arr_companion
        module procedure companion
    end interface arr_companion

    interface arr_fiedler_companion
        module procedure fiedler_companion
    end interface arr_fiedler_companion

    interface arr_leslie
        module procedure leslie
    end interface arr_leslie

    interface arr_fiedler
        module procedure fiedler
    end interface arr_fiedler

    interface arr_block_diag
        module procedure block_diag
    end interface arr_block_diag

    interface arr_bandwidth
        module procedure bandwidth
    end interface arr_bandwidth

    interface arr_tri
        module procedure tri
    end interface arr_tri

    interface arr_hadamard
        module procedure hadamard
    end interface arr_hadamard

    interface arr_hilbert
        module procedure hilbert
    end interface arr_hilbert

    interface arr_helmert
        module procedure helmert
    end interface arr_helmert

    interface arr_dft
        module procedure dft
    end interface arr_dft

contains

    ! Constant along diagonals: the first column c and the first row r, of which the first element does not count;
    ! without r conjg(c).
    function toeplitz(c, r, stream, err) result(z)
        type(arr_array), intent(in) :: c
        type(arr_array), intent(in), optional :: r
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_toeplitz(c%handle, handle_of(r), stream_of(stream), z%handle)
        call ended(status, z, err, c, r)
    end function toeplitz

    ! Constant along the other diagonals: the first column c and the last row r, of which the first element does not
    ! count; without r zeros.
    function hankel(c, r, stream, err) result(z)
        type(arr_array), intent(in) :: c
        type(arr_array), intent(in), optional :: r
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_hankel(c%handle, handle_of(r), stream_of(stream), z%handle)
        call ended(status, z, err, c, r)
    end function hankel

    ! Each column the one before it moved down by one; the first is c.
    function circulant(c, stream, err) result(z)
        type(arr_array), intent(in) :: c
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run1(c_circulant, c, z, stream, err)
    end function circulant

    ! What gives, times a vector of n elements, the convolution of both; mode is ARR_CONVOLVE_FULL, if it is not given,
    ! _SAME or _VALID.
    function convolution_matrix(a, n, mode, stream, err) result(z)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: n
        integer(c_int32_t), intent(in), optional :: mode
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        integer(c_int32_t) :: status
        status = c_convolution_matrix(a%handle, int(n, c_int64_t), choice(mode, ARR_CONVOLVE_FULL), stream_of(stream), &
            z%handle)
        call ended(status, z, err, a)
    end function convolution_matrix

    ! The companion matrix of a polynomial, the coefficient of the highest power first: its eigenvalues are the roots.
    function companion(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run1(c_companion, a, z, stream, err)
    end function companion

    ! Fiedler's, with five diagonals.
    function fiedler_companion(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run1(c_fiedler_companion, a, z, stream, err)
    end function fiedler_companion

    ! The Leslie matrix: fecundity f in the first row, survival s, one element less, below the diagonal.
    function leslie(f, s, stream, err) result(z)
        type(arr_array), intent(in) :: f, s
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run2(c_leslie, f, s, z, stream, err)
    end function leslie

    ! The distances abs(a(i) - a(j)).
    function fiedler(a, stream, err) result(z)
        type(arr_array), intent(in) :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call run1(c_fiedler, a, z, stream, err)
    end function fiedler

    ! Matrices along the diagonal, zeros elsewhere; a vector is a row, a scalar a matrix of one element.
    function block_diag(blocks, stream, err) result(z)
        type(arr_array), intent(in) :: blocks(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_block_diag(size(blocks, kind=c_int32_t), handles(blocks), stream_of(stream), z%handle), err)
        z%temporary = .true.
        call all_done(blocks)
    end function block_diag

    ! How many diagonals below and above the main one there are up to the last that is not all zeros.
    subroutine bandwidth(a, lower, upper, stream, err)
        type(arr_array), intent(in) :: a
        integer(int64), intent(out) :: lower, upper
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        lower = 0
        upper = 0
        call check(c_bandwidth(a%handle, stream_of(stream), lower, upper), err)
        call done(a)
    end subroutine bandwidth

    ! Ones on the k-th diagonal above the main one and below it, zeros elsewhere; as many columns as rows if not given.
    function tri(rows, columns, k, dtype, device, stream, err) result(z)
        integer, intent(in) :: rows
        integer, intent(in), optional :: columns, k
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_tri(int(rows, c_int64_t), int(choice(columns, rows), c_int64_t), int(choice(k, 0), c_int64_t), &
            choice(dtype, 0_c_int32_t), device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function tri

    ! Of 1 and -1, with orthogonal rows; n is a power of 2, and the type int64 if it is not given.
    function hadamard(n, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_hadamard(int(n, c_int64_t), choice(dtype, 0_c_int32_t), device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function hadamard

    ! 1 / (i + j - 1).
    function hilbert(n, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_hilbert(int(n, c_int64_t), choice(dtype, 0_c_int32_t), device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function hilbert

    ! Orthonormal rows, of which all but the first add up to 0; the first is there with full.
    function helmert(n, full, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        logical, intent(in), optional :: full
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_helmert(int(n, c_int64_t), flag(full), choice(dtype, 0_c_int32_t), device, &
            stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function helmert

    ! The discrete Fourier transform: exp(-2 pi i (j - 1) (k - 1) / n), with ARR_DFT_SQRTN divided by sqrt(n), with
    ! ARR_DFT_N by n; complex128 if no type is given.
    function dft(n, scale, dtype, device, stream, err) result(z)
        integer, intent(in) :: n
        integer(c_int32_t), intent(in), optional :: scale
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_dft(int(n, c_int64_t), choice(scale, ARR_DFT_UNSCALED), choice(dtype, 0_c_int32_t), device, &
            stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function dft
end module arr_special_matrices
