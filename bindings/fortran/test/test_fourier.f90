! SPDX-License-Identifier: MIT
! test_fourier.f90: transforms against the sum itself.
program test_fourier
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
    call shifts()
    call planned()
    call halves()
    call failures()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    function dft(v) result(z)
        complex(real64), intent(in) :: v(:)
        complex(real64) :: z(size(v))
        integer :: i, j
        do i = 1, size(v)
            z(i) = sum([(v(j) * exp(cmplx(0, -2 * pi * modulo((i - 1) * (j - 1), size(v)) / size(v), real64)), &
                j = 1, size(v))])
        end do
    end function dft

    function columns(m) result(z)
        complex(real64), intent(in) :: m(:, :)
        complex(real64) :: z(size(m, 1), size(m, 2))
        integer :: j
        do j = 1, size(m, 2)
            z(:, j) = dft(m(:, j))
        end do
    end function columns

    function rows(m) result(z)
        complex(real64), intent(in) :: m(:, :)
        complex(real64) :: z(size(m, 1), size(m, 2))
        z = transpose(columns(transpose(m)))
    end function rows

    subroutine one_dimension()
        type(arr_array) :: a
        complex(real64) :: z(5, 4), padded(7, 4)
        a = x
        z = x
        call same(arr_fft(a), columns(z), 'fft')
        call same(arr_fft(a * 1, dim=2), rows(z), 'fft along dimension 2')
        call same(arr_ifft(arr_fft(a)), z, 'ifft')
        call same(arr_fft(a, norm=ARR_FFT_FORWARD), columns(z) / 5, 'fft with its factor')
        padded = 0
        padded(:5, :) = z
        call same(arr_fft(a, n=7), columns(padded), 'fft of padded columns')
        padded(:5, :) = columns(z)
        call same(arr_rfft(a), padded(:3, :), 'rfft')
        call same(arr_irfft(arr_rfft(a), n=5), z, 'irfft')
        call same(arr_irfft(arr_rfft(a, dim=2), dim=2), z, 'irfft without n')
        call expect(arr_dtype(arr_rfft(arr_astype(a, ARR_FLOAT32))) == ARR_COMPLEX64, 'the element type of rfft')
    end subroutine one_dimension

    subroutine several_dimensions()
        type(arr_array) :: a
        complex(real64) :: z(5, 4), all_(5, 4), padded(6, 3)
        a = x
        z = x
        all_ = rows(columns(z))
        call same(arr_fftn(a), all_, 'fftn')
        call same(arr_ifftn(arr_fftn(a)), z, 'ifftn')
        call same(arr_fftn(a, dim=[2]), rows(z), 'fftn along dimension 2')
        call same(arr_rfftn(a), all_(:3, :), 'rfftn')
        call same(arr_rfftn(a, dim=[2, 1]), all_(:, :3), 'rfftn, dimension 2 first')
        call same(arr_irfftn(arr_rfftn(a), s=[5, 4]), z, 'irfftn')
        padded = 0
        padded(:5, :) = z(:, :3)
        call same(arr_fftn(a, s=[6, 3]), rows(columns(padded)), 'fftn, padded and cropped')
    end subroutine several_dimensions

    subroutine shifts()
        type(arr_array) :: a
        integer :: whole(5)
        real(real64) :: f(5), half(3)
        a = [1, 2, 3, 4, 5]
        whole = arr_fftshift(a)
        call expect(all(whole == [4, 5, 1, 2, 3]), 'fftshift')
        whole = arr_ifftshift(arr_fftshift(a), dim=[1])
        call expect(all(whole == [1, 2, 3, 4, 5]), 'ifftshift')
        f = arr_fftfreq(5, 0.5_real64)
        call expect(all(abs(f - [0.0_real64, 0.4_real64, 0.8_real64, -0.8_real64, -0.4_real64]) < 1e-15_real64), 'fftfreq')
        half = arr_rfftfreq(4)
        call expect(all(half == [0.0_real64, 0.25_real64, 0.5_real64]), 'rfftfreq')
    end subroutine shifts

    subroutine planned()
        type(arr_fft_plan) :: plan, back
        type(arr_fft_plan_properties) :: properties
        type(arr_array) :: a, z
        type(arr_error) :: err
        complex(real64) :: c(5, 4), half(3, 4), spectrum(5, 4)
        a = x
        c = x
        spectrum = rows(columns(c))
        half = spectrum(:3, :)
        call plan%create(ARR_FFT_R2C, ARR_FLOAT64, shape(a))
        call back%create(ARR_FFT_C2R, ARR_FLOAT64, [5, 4])
        properties = plan%info()
        call expect(properties%kind == ARR_FFT_R2C .and. arr_dtype(properties%real) == ARR_FLOAT64 .and. &
            properties%ndim == 2 .and. properties%naxes == 2 .and. properties%plans > 0, 'what a plan is')
        call same(plan%execute(a), half, 'a planned transform of reals')
        call same(plan%execute(a * 1, norm=ARR_FFT_FORWARD), half / 20, 'with its factor, of a result')
        call same(back%execute(plan%execute(a), inverse=.true.), x, 'and back')
        z = back%execute(plan%execute(a), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'is inverse', 'the wrong way')
        call plan%create(ARR_FFT_R2C, ARR_FLOAT64, [5, 4], dim=[2])
        spectrum = rows(c)
        call same(plan%execute(a), spectrum(:, :3), 'along dimension 2')
        call plan%create(ARR_FFT_C2C, ARR_FLOAT64, [5, 4], dim=[1])
        a = c
        z = arr_zeros([5, 4], ARR_COMPLEX128)
        call plan%execute_into(z, a)
        call same(z, columns(c), 'into an array')
        call plan%execute_into(a, z, inverse=.true.)
        call same(a, c, 'the same plan backward')
        call plan%execute_into(a, a, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'shares memory', 'in place')
        z = plan%execute(arr_contiguous(a, ARR_ORDER_C), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'not contiguous', 'another order')
        call plan%create(ARR_FFT_C2C, ARR_FLOAT64, [5, 4], dim=[3], err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_fft_plan_create', 'a dimension that is not there')
        z = plan%execute(a, err=err)
        call expect_failure(err, ARR_E_HANDLE, 'arr_fft_plan', 'no plan')
    end subroutine planned

    subroutine failures()
        type(arr_array) :: a, b
        type(arr_error) :: err
        a = x
        b = arr_fft(a, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension', 'fft along a dimension too many')
        b = arr_fft(a, dim=0, err=err)
        call expect(err%failed(), 'there is no dimension 0')
        b = arr_fftn(a * 1, s=[5], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 's:', 'too few extents')
        b = arr_rfft(arr_fft(a), err=err)
        call expect(err%failed(), 'rfft of complex numbers')
        b = arr_fft(a, n=0, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'n', 'no elements')
    end subroutine failures

    subroutine halves()
        type(arr_array) :: a
        type(arr_error) :: err
        real(real64) :: spectrum(5, 2), back(5, 2)
        complex(real64) :: half(3, 2)
        integer :: n
        spectrum = reshape([4.0_real64, 1.0_real64, 0.0_real64, -1.0_real64, 2.0_real64, 1.0_real64, 1.0_real64, 1.0_real64, &
            1.0_real64, 1.0_real64], [5, 2])
        a = spectrum
        half = arr_ihfft(a)
        call expect(abs(half(1, 1) - 1.2_real64) < 1e-14_real64 .and. abs(half(1, 2) - 1) < 1e-14_real64, 'ihfft: the means')
        a = half
        back = arr_hfft(a, n=5)
        call expect(all(abs(back - spectrum) < 1e-13_real64), 'hfft of ihfft')
        a = spectrum
        half = arr_ihfftn(a)
        call expect(abs(half(1, 1) - sum(spectrum) / 10) < 1e-14_real64, 'ihfftn: the mean')
        call expect(abs(half(1, 2) - (sum(spectrum(:, 1)) - sum(spectrum(:, 2))) / 10) < 1e-14_real64, 'ihfftn: the difference')
        a = half
        back = arr_hfftn(a, s=[5, 2])
        call expect(all(abs(back - spectrum) < 1e-13_real64), 'hfftn of ihfftn')
        a = spectrum
        half = arr_ihfftn(a, dim=[1], norm=ARR_FFT_ORTHO)
        a = half
        back = arr_hfftn(a, s=[5], dim=[1], norm=ARR_FFT_ORTHO)
        call expect(all(abs(back - spectrum) < 1e-13_real64), 'along one dimension')
        a = arr_hfftn(a, s=[5], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 's:', 'too few extents of hfftn')
        call expect(arr_next_fast_len(97) == 98 .and. arr_next_fast_len(97, .true.) == 100, 'fast lengths')
        n = arr_next_fast_len(0, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'no length')
    end subroutine halves
end program test_fourier
