! SPDX-License-Identifier: MIT
! test_special_matrices.f90: special matrices and windows against their formulas.
program test_special_matrices
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    integer, parameter :: dp = real64
    real(dp), parameter :: pi = acos(-1.0_dp)
    real(dp) :: c(4) = [1.0_dp, 2.0_dp, 3.0_dp, 4.0_dp], r(3) = [9.0_dp, 7.0_dp, 5.0_dp]
    call of_vectors()
    call convolutions()
    call companions()
    call stacks()
    call blocks()
    call bands()
    call of_their_size()
    call fourier()
    call windows()
    call failures()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    ! An element of c, or 0.
    pure function at(i) result(x)
        integer, intent(in) :: i
        real(dp) :: x
        x = 0
        if (i >= 1 .and. i <= size(c)) x = c(i)
    end function at

    subroutine of_vectors()
        type(arr_array) :: a, b
        real(dp) :: s(4, 4)
        complex(dp) :: z(2, 2)
        integer :: i, j
        a = c
        b = r
        call same(arr_toeplitz(a), reshape([((c(1 + abs(i - j)), i = 1, 4), j = 1, 4)], [4, 4]), 'toeplitz of a column')
        call same(arr_toeplitz(a, b), reshape([((merge(at(i - j + 1), r(1 + max(j - i, 0)), i >= j), i = 1, 4), &
            j = 1, 3)], [4, 3]), 'toeplitz')
        call same(arr_hankel(a * 1, b * 1), reshape([((merge(at(i + j - 1), r(max(i + j - 4, 1)), i + j <= 5), &
            i = 1, 4), j = 1, 3)], [4, 3]), 'hankel')
        call same(arr_hankel(a), reshape([((at(i + j - 1), i = 1, 4), j = 1, 4)], [4, 4]), 'hankel of a column')
        call same(arr_circulant(a), reshape([((c(1 + modulo(i - j, 4)), i = 1, 4), j = 1, 4)], [4, 4]), 'circulant')
        call same(arr_fiedler(a), reshape([((abs(c(i) - c(j)), i = 1, 4), j = 1, 4)], [4, 4]), 'fiedler')
        s = 0
        s(1, :) = c
        do i = 1, 3
            s(i + 1, i) = r(i)
        end do
        call same(arr_leslie(a, b), s, 'leslie')
        a = [(1.0_dp, 2.0_dp), (3.0_dp, 4.0_dp)]
        z = reshape([(1.0_dp, 2.0_dp), (3.0_dp, 4.0_dp), (3.0_dp, -4.0_dp), (1.0_dp, 2.0_dp)], [2, 2])
        call same(arr_toeplitz(a), z, 'toeplitz of complex numbers')
    end subroutine of_vectors

    subroutine convolutions()
        type(arr_array) :: a
        real(dp) :: full(6, 3)
        integer :: i, j
        full = reshape([((at(i - j + 1), i = 1, 6), j = 1, 3)], [6, 3])
        a = c
        call same(arr_convolution_matrix(a, 3), full, 'convolution_matrix')
        call same(arr_convolution_matrix(a, 3, ARR_CONVOLVE_SAME), full(2:5, :), 'convolution_matrix, the same')
        call same(arr_convolution_matrix(a, 3, ARR_CONVOLVE_VALID), full(3:4, :), 'convolution_matrix, valid')
    end subroutine convolutions

    subroutine companions()
        type(arr_array) :: a
        real(dp) :: s(4, 4)
        a = [2.0_dp, -12.0_dp, 22.0_dp, -12.0_dp]
        call same(arr_companion(a), reshape(real([6, 1, 0, -11, 0, 1, 6, 0, 0], dp), [3, 3]), 'companion')
        a = [1.0_dp, 2.0_dp, 3.0_dp, 4.0_dp, 5.0_dp]
        s = 0
        s(1, :3) = [-2.0_dp, -3.0_dp, 1.0_dp]
        s(2, 1) = 1
        s(3, 2) = -4
        s(3, 4) = -5
        s(4, 2) = 1
        call same(arr_fiedler_companion(a), s, 'fiedler_companion')
    end subroutine companions

    subroutine stacks()
        type(arr_array) :: a
        real(dp) :: h(2, 3), cube(2, 3, 3)
        integer :: i, j
        h = reshape([1.0_dp, 4.0_dp, 2.0_dp, 5.0_dp, 3.0_dp, 6.0_dp], [2, 3])
        a = h
        cube = arr_circulant(a)
        do j = 1, 3
            call expect(all([(all(cube(:, i, j) == h(:, 1 + modulo(i - j, 3))), i = 1, 3)]), 'circulant of a stack')
        end do
    end subroutine stacks

    subroutine blocks()
        type(arr_array) :: a, b
        real(dp) :: s(3, 5)
        a = reshape(c, [2, 2])
        b = r
        s = 0
        s(:2, :2) = reshape(c, [2, 2])
        s(3, 3:) = r
        call same(arr_block_diag([a, b]), s, 'block_diag')
        call same(arr_block_diag([a * 1]), s(:2, :2), 'block_diag of one')
    end subroutine blocks

    subroutine bands()
        type(arr_array) :: a
        integer(int64) :: lower, upper
        a = arr_ones([4, 5])
        call arr_bandwidth(arr_triu(arr_tril(a, 1), -2), lower, upper)
        call expect(lower == 2 .and. upper == 1, 'bandwidth')
        call arr_bandwidth(a, lower, upper)
        call expect(lower == 3 .and. upper == 4, 'bandwidth of a full matrix')
    end subroutine bands

    subroutine of_their_size()
        real(dp) :: s(4, 4)
        integer :: i, j
        s = reshape([((merge(1.0_dp, 0.0_dp, j - i <= 0), i = 1, 4), j = 1, 4)], [4, 4])
        call same(arr_tri(4), s, 'tri')
        call same(arr_tri(4, 2), s(:, :2), 'tri of two columns')
        s = reshape([((merge(1.0_dp, 0.0_dp, j - i <= 1), i = 1, 4), j = 1, 4)], [4, 4])
        call same(arr_tri(4, k=1), s, 'tri to the diagonal above')
        call same(arr_hilbert(4), reshape([((1 / (i + j - 1.0_dp), i = 1, 4), j = 1, 4)], [4, 4]), 'hilbert')
        s = reshape([(((-1.0_dp)**popcnt(iand(i, j)), i = 0, 3), j = 0, 3)], [4, 4])
        call same(arr_hadamard(4), s, 'hadamard')
        call expect(arr_dtype(arr_hadamard(4)) == ARR_INT64, 'the type of hadamard')
        call expect(arr_dtype(arr_hilbert(4)) == ARR_FLOAT64, 'the type of hilbert')
        call expect(arr_dtype(arr_tri(4, dtype=ARR_INT8)) == ARR_INT8, 'tri of another type')
        s = 0
        s(1, :) = 0.5_dp
        do i = 2, 4
            s(i, :i - 1) = 1 / sqrt(i * (i - 1.0_dp))
            s(i, i) = -sqrt((i - 1.0_dp) / i)
        end do
        call same(arr_helmert(4, full=.true.), s, 'helmert, full')
        call same(arr_helmert(4), s(2:, :), 'helmert')
        call expect(arr_dtype(arr_helmert(4, dtype=ARR_FLOAT32)) == ARR_FLOAT32, 'helmert of another type')
    end subroutine of_their_size

    subroutine fourier()
        complex(dp) :: w(5, 5)
        integer :: i, j
        w = reshape([((exp(cmplx(0, -2 * pi * modulo(i * j, 5) / 5, dp)), i = 0, 4), j = 0, 4)], [5, 5])
        call same(arr_dft(5), w, 'dft')
        call same(arr_dft(5, ARR_DFT_SQRTN), w / sqrt(5.0_dp), 'dft, divided by the root')
        call same(arr_dft(5, scale=ARR_DFT_N), w / 5, 'dft, divided')
        call expect(arr_dtype(arr_dft(5, dtype=ARR_COMPLEX64)) == ARR_COMPLEX64, 'dft of another type')
    end subroutine fourier

    pure elemental function bessel(x) result(sum)
        real(dp), intent(in) :: x
        real(dp) :: sum, term
        integer :: k
        sum = 1
        term = 1
        do k = 1, 60
            term = term * (x / 2 / k)**2
            sum = sum + term
        end do
    end function bessel

    subroutine windows()
        real(dp), allocatable :: t(:)
        integer :: n, i
        do n = 2, 9, 7
            t = [(2 * (i - 1.0_dp) / (n - 1) - 1, i = 1, n)]
            call same(arr_bartlett(n), 1 - abs(t), 'bartlett')
            call same(arr_blackman(n), 0.42_dp + 0.5_dp * cos(pi * t) + 0.08_dp * cos(2 * pi * t), 'blackman')
            call same(arr_hamming(n), 0.54_dp + 0.46_dp * cos(pi * t), 'hamming')
            call same(arr_hanning(n), 0.5_dp + 0.5_dp * cos(pi * t), 'hanning')
            call same(arr_kaiser(n, 8.6_dp), bessel(8.6_dp * sqrt(1 - t * t)) / bessel(8.6_dp), 'kaiser')
            call same(arr_kaiser(n, 0.0_dp), [(1.0_dp, i = 1, n)], 'kaiser, a rectangle')
        end do
        call same(arr_hamming(1), [1.0_dp], 'a window of one point')
        call expect(size(arr_hamming(0)) == 0, 'a window of none')
        call expect(arr_dtype(arr_hanning(3)) == ARR_FLOAT64, 'the type of a window')
        call expect(arr_dtype(arr_kaiser(3, 1.0_dp, dtype=ARR_FLOAT32)) == ARR_FLOAT32, 'a window of another type')
    end subroutine windows

    subroutine failures()
        type(arr_array) :: a, z
        type(arr_error) :: err
        a = c
        z = arr_leslie(a * 1, a * 1, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_leslie', 'leslie of vectors of one length')
        z = arr_toeplitz(arr_full([integer ::], 1), arr_ones([2]), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_toeplitz', 'toeplitz of a number')
        z = arr_companion(a - 1, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'first coefficient', 'companion of a leading zero')
        z = arr_convolution_matrix(a, 0, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_convolution_matrix', 'convolution_matrix of no element')
        z = arr_block_diag([arr_ones([1, 1, 1])], err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_block_diag', 'block_diag of three dimensions')
        z = arr_hadamard(6, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'power of 2', 'hadamard of no power of 2')
        z = arr_hilbert(3, ARR_INT32, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_hilbert', 'hilbert of integers')
        z = arr_dft(3, 7_c_int32_t, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'scale', 'dft of another scale')
        z = arr_hamming(3, ARR_INT32, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_hamming', 'a window of integers')
    end subroutine failures
end program test_special_matrices
