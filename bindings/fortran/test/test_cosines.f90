! SPDX-License-Identifier: MIT
! test_cosines.f90: cosine and sine transforms and convolution against the sums themselves; Hankel transforms; plans.
program test_cosines
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    real(real64), parameter :: pi = acos(-1.0_real64)
    real(real64) :: x(5, 4)
    integer :: k
    x = reshape([(sin(k * 1.7_real64) + 0.1_real64 * k, k = 1, 20)], [5, 4])
    call one_dimension()
    call several_dimensions()
    call ends()
    call hankel()
    call convolutions()
    call plans()
    call failures()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    ! Cosine transform of the columns, type 2.
    function cosines(m) result(z)
        real(real64), intent(in) :: m(:, :)
        real(real64) :: z(size(m, 1), size(m, 2)), w(size(m, 1), size(m, 1))
        integer :: i, j, n
        n = size(m, 1)
        w = reshape([((2 * cos(pi * (2 * j + 1) * i / (2 * n)), i = 0, n - 1), j = 0, n - 1)], [n, n])
        z = matmul(w, m)
    end function cosines

    function sines(m) result(z)
        real(real64), intent(in) :: m(:, :)
        real(real64) :: z(size(m, 1), size(m, 2)), w(size(m, 1), size(m, 1))
        integer :: i, j, n
        n = size(m, 1)
        w = reshape([((2 * sin(pi * (2 * j + 1) * (i + 1) / (2 * n)), i = 0, n - 1), j = 0, n - 1)], [n, n])
        z = matmul(w, m)
    end function sines

    subroutine one_dimension()
        type(arr_array) :: a
        real(real64) :: padded(7, 4)
        integer :: kind
        a = x
        call same(arr_dct(a), cosines(x), 'dct')
        call same(arr_dst(a * 1), sines(x), 'dst')
        call same(arr_dct(a, dim=2), transpose(cosines(transpose(x))), 'dct along dimension 2')
        padded = 0
        padded(:5, :) = x
        call same(arr_dct(a, n=7), cosines(padded), 'dct of padded columns')
        do kind = 1, 4
            call same(arr_idct(arr_dct(a, kind), kind), x, 'dct and back')
            call same(arr_idst(arr_dst(a, kind, norm=ARR_FFT_ORTHO), kind, norm=ARR_FFT_ORTHO), x, 'dst and back')
        end do
        call expect(arr_dtype(arr_dct(arr_astype(a, ARR_FLOAT32))) == ARR_FLOAT32, 'the element type of dct')
    end subroutine one_dimension

    subroutine several_dimensions()
        type(arr_array) :: a
        real(real64) :: all_(5, 4), padded(6, 3)
        a = x
        all_ = transpose(cosines(transpose(cosines(x))))
        call same(arr_dctn(a), all_, 'dctn')
        call same(arr_idctn(arr_dctn(a)), x, 'idctn')
        call same(arr_dctn(a, dim=[1]), cosines(x), 'dctn along dimension 1')
        call same(arr_dstn(a, dim=[2]), transpose(sines(transpose(x))), 'dstn along dimension 2')
        call same(arr_idstn(arr_dstn(a, 4), 4), x, 'idstn')
        padded = 0
        padded(:5, :) = x(:, :3)
        call same(arr_dctn(a, s=[6, 3]), transpose(cosines(transpose(cosines(padded)))), 'dctn, padded and cropped')
    end subroutine several_dimensions

    subroutine ends()
        type(arr_array) :: a
        real(real64) :: wanted(5, 4)
        a = x
        wanted = cosines(x)
        call same(arr_dct(a, norm=ARR_FFT_ORTHO, orthogonalize=.false.), wanted / sqrt(10.0_real64), 'plain ends')
        wanted(1, :) = wanted(1, :) / sqrt(2.0_real64)
        call same(arr_dct(a, orthogonalize=.true.), wanted, 'scaled ends')
        call same(arr_dct(a, norm=ARR_FFT_ORTHO), wanted / sqrt(10.0_real64), 'ends with the norm')
        call same(arr_idctn(arr_dctn(a, orthogonalize=.true.), orthogonalize=.true.), x, 'scaled ends and back')
    end subroutine ends

    ! r^2 exp(-r^2 / 2) is its own transform of order 1.
    subroutine hankel()
        type(arr_array) :: a
        type(arr_error) :: err
        real(real64), parameter :: dln = 16 / 255.0_real64
        real(real64) :: r(256), there(256), offset
        integer :: j
        r = [(exp(dln * (j - 127.5_real64)), j = 0, 255)]
        offset = arr_fhtoffset(dln, 1.0_real64)
        call expect(abs(offset) <= dln, 'fhtoffset')
        a = r**2 * exp(-r**2 / 2)
        there = arr_fht(a, dln, 1.0_real64, offset)
        r = r * exp(offset)
        call expect(all(abs(there - r**2 * exp(-r**2 / 2)) < 1e-7_real64), 'fht')
        r = a
        call same(arr_ifht(arr_fht(a, dln, 1.0_real64, bias=0.1_real64), dln, 1.0_real64, bias=0.1_real64), r, 'ifht')
        a = arr_fht(arr_ones([2, 3]), 0.0_real64, 1.0_real64, dim=2, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'dln', 'fht of distances that do not grow')
        offset = arr_fhtoffset(0.0_real64, 1.0_real64, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_fhtoffset', 'an offset for these')
    end subroutine hankel

    subroutine convolutions()
        type(arr_array) :: a, v, z
        real(real64) :: long(999), columns(6, 4)
        integer :: i
        v = reshape([1.0_real64, -1.0_real64], [2, 1])
        a = x
        columns = 0
        columns(:5, :) = x
        columns(2:, :) = columns(2:, :) - x
        call same(arr_fftconvolve(a, v * 1), columns, 'fftconvolve')
        call same(arr_oaconvolve(a, v, dim=[1]), columns, 'oaconvolve along dimension 1')
        call same(arr_fftconvolve(a, v, ARR_CONVOLVE_VALID), columns(2:5, :), 'fftconvolve, valid')
        long = [(real(i, real64), i = 1, 999)]
        a = long
        v = [1.0_real64, 0.0_real64, -1.0_real64]
        z = arr_oaconvolve(a, v, ARR_CONVOLVE_VALID)
        call expect(size(z) == 997, 'the size of oaconvolve, valid')
        long(:997) = z
        call expect(all(abs(long(:997) - 2) < 1e-9_real64), 'oaconvolve of a long array')
    end subroutine convolutions

    subroutine plans()
        type(arr_array) :: a
        type(arr_error) :: err
        integer(c_int32_t) :: before
        character(len=:), allocatable :: learnt
        a = x
        call arr_fft_plan_effort(ARR_FFT_MEASURE, before)
        call expect(before == ARR_FFT_ESTIMATE, 'plans are estimated at first')
        call same(arr_ifft(arr_fft(a)), cmplx(x, kind=real64), 'transforms by measured plans')
        learnt = arr_fft_wisdom()
        call arr_fft_plan_effort(ARR_FFT_ESTIMATE, before)
        call expect(before == ARR_FFT_MEASURE, 'they were measured')
        call arr_fft_wisdom_forget()
        call expect(len(arr_fft_wisdom()) < len(learnt), 'wisdom is forgotten')
        call arr_fft_wisdom_import(learnt)
        call expect(len(arr_fft_wisdom()) == len(learnt), 'and learnt again')
        call arr_fft_wisdom_import('nothing', err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'wisdom', 'what is no wisdom')
        call arr_fft_plan_effort(99_c_int32_t, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'effort', 'an effort that there is not')
    end subroutine plans

    subroutine failures()
        type(arr_array) :: a, b
        type(arr_error) :: err
        a = x
        b = arr_dct(a, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension', 'dct along a dimension too many')
        b = arr_dct(a * 1, 5, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'type', 'a type that there is not')
        b = arr_dctn(a * 1, s=[5], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 's:', 'too few extents')
        b = arr_fftconvolve(a, arr_ones([2]), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_fftconvolve', 'arrays of other ranks')
    end subroutine failures
end program test_cosines
