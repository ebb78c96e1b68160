! SPDX-License-Identifier: MIT
! test_statistics.f90: spread, medians, quantiles, averages, norms and softmax against plain Fortran.
program test_statistics
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
    use arr
    use testing
    implicit none
    real(real64), parameter :: x(2, 3) = reshape([1.0_real64, 2.0_real64, 4.0_real64, 9.0_real64, 0.5_real64, &
        3.5_real64], [2, 3])
    call spread_of()
    call middle()
    call without_nan()
    call averages()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine spread_of()
        type(arr_array) :: a, z
        type(arr_error) :: err
        real(real64) :: v(2), s
        integer :: i
        a = x
        do i = 1, 2
            v(i) = sum((x(i, :) - sum(x(i, :)) / 3)**2) / 2
        end do
        call same(arr_var(a, dim=2, correction=1.0_real64), v, 'var along a dimension')
        call same(arr_std(a + 0, dim=2, correction=1.0_real64), sqrt(v), 'std of a temporary')
        s = arr_var(a)
        call expect(abs(s - sum((x - sum(x) / 6)**2) / 6) < 1e-12_real64, 'var over all')
        call expect(rank(arr_var(a, dim=[1, 2], keepdims=.true.)) == 2, 'keepdims')
        z = arr_std(a, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension', 'a dimension too many')
    end subroutine spread_of

    subroutine middle()
        type(arr_array) :: a, z
        type(arr_error) :: err
        real(real64) :: s
        integer(int64) :: extents(2)
        a = x
        s = arr_median(a)
        call expect(s == 2.75_real64, 'median')
        call same(arr_median(a, dim=2), [1.0_real64, 3.5_real64], 'median along a dimension')
        s = arr_quantile(a, 0.2_real64)
        call expect(abs(s - 1) < 1e-14_real64, 'one quantile')
        call same(arr_percentile(a * 1, [0.0_real64, 20.0_real64, 100.0_real64]), [0.5_real64, 1.0_real64, 9.0_real64], &
            'a list of percentiles of a temporary')
        s = arr_quantile(a, 0.3_real64, method=ARR_QUANTILE_LOWER)
        call expect(s == 1, 'the lower one')
        extents = shape(arr_quantile(a, [0.2_real64, 0.4_real64, 0.6_real64], dim=2))
        call expect(all(extents == [3, 2]), 'the list is the first dimension')
        s = arr_quantile(a, 0.3_real64, weights=a * 0 + 2)
        call expect(s == 1, 'equal weights')
        call same(arr_percentile(a, 50.0_real64, dim=2, weights=a * 0 + 1), [1.0_real64, 3.5_real64], &
            'weights along a dimension')
        z = arr_nanquantile(a, 0.5_real64, weights=a * 0 - 1, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'weights', 'negative weights')
    end subroutine middle

    subroutine without_nan()
        type(arr_array) :: a
        real(real64) :: s, n(4)
        n = [1.0_real64, ieee_value(1.0_real64, ieee_quiet_nan), 3.0_real64, 5.0_real64]
        a = n
        s = arr_nanvar(a)
        call expect(abs(s - 8 / 3.0_real64) < 1e-14_real64, 'nanvar')
        s = arr_nanstd(a, correction=1.0_real64)
        call expect(abs(s - 2) < 1e-14_real64, 'nanstd')
        s = arr_nanmedian(a)
        call expect(s == 3, 'nanmedian')
        s = arr_nanquantile(a, 0.25_real64)
        call expect(s == 2, 'nanquantile')
        call same(arr_nanpercentile(a, [100.0_real64]), [5.0_real64], 'nanpercentile')
        s = arr_nansum(a)
        call expect(s == 9, 'nansum')
    end subroutine without_nan

    subroutine averages()
        type(arr_array) :: a, w
        real(real64) :: s, e(6)
        a = x
        w = [3.0_real64, 1.0_real64]
        call same(arr_average(a, w, dim=1), (3 * x(1, :) + x(2, :)) / 4, 'average')
        s = arr_average(a)
        call expect(abs(s - sum(x) / 6) < 1e-14_real64, 'average without weights')
        call same(arr_vector_norm(a, dim=2), norm2(x, 2), 'vector_norm')
        s = arr_vector_norm(a, 1.0_real64)
        call expect(abs(s - sum(x)) < 1e-14_real64, 'the 1-norm')
        call same(norm2(a, 1), norm2(x, 1), 'norm2, the intrinsic name')
        e = exp(reshape(x, [6]))
        call same(reshape(arr_softmax(a), [6]), e / sum(e), 'softmax')
        call same(reshape(arr_log_softmax(a + 0), [6]), log(e / sum(e)), 'log_softmax of a temporary')
        s = sum(arr_softmax(a, dim=1))
        call expect(abs(s - 3) < 1e-14_real64, 'softmax along a dimension')
    end subroutine averages
end program test_statistics
