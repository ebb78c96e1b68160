! SPDX-License-Identifier: MIT
! test_polynomials.f90: polynomials and Vandermonde matrices against sums and products of powers.
program test_polynomials
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    integer, parameter :: dp = real64
    call arithmetic()
    call values()
    call several_polynomials()
    call roots()
    call fits()
    call outputs_of_fits()
    call derivatives_and_quotients()
    call trailing_coefficients()
    call powers()
    call failures()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    pure elemental function power(x, n) result(y)
        real(dp), intent(in) :: x
        integer, intent(in) :: n
        real(dp) :: y
        y = x**n
    end function power

    pure function highest(p, x) result(y)
        real(dp), intent(in) :: p(:), x
        real(dp) :: y
        integer :: i
        y = sum(p * power(x, [(size(p) - i, i = 1, size(p))]))
    end function highest

    pure function lowest(c, x) result(y)
        real(dp), intent(in) :: c(:), x
        real(dp) :: y
        integer :: i
        y = sum(c * power(x, [(i - 1, i = 1, size(c))]))
    end function lowest

    pure function from_roots(r, x) result(y)
        real(dp), intent(in) :: r(:), x
        real(dp) :: y
        y = product(x - r)
    end function from_roots

    subroutine arithmetic()
        type(arr_array) :: a, b
        a = [1.0_dp, 2.0_dp, 3.0_dp]
        b = [4.0_dp, 5.0_dp]
        call same(arr_polyadd(a, b), [1.0_dp, 6.0_dp, 8.0_dp], 'polyadd')
        call same(arr_polysub(a, b), [1.0_dp, -2.0_dp, -2.0_dp], 'polysub')
        call same(arr_polysub(b, a), [-1.0_dp, 2.0_dp, 2.0_dp], 'polysub of a longer one')
        call same(arr_polymul(a, b * 2), [8.0_dp, 26.0_dp, 44.0_dp, 30.0_dp], 'polymul')
    end subroutine arithmetic

    subroutine values()
        type(arr_array) :: p, x
        real(dp) :: h(14), points(2, 2)
        integer :: i, j
        h = [(modulo(i, 4) - 1.5_dp, i = 1, 14)]
        points = reshape([-1.25_dp, 0.0_dp, 0.5_dp, 2.0_dp], [2, 2])
        p = h
        x = points
        call same(arr_polyval(p, x), reshape([((highest(h, points(i, j)), i = 1, 2), j = 1, 2)], [2, 2]), 'polyval')
        call same(arr_polynomial_val(x, p), reshape([((lowest(h, points(i, j)), i = 1, 2), j = 1, 2)], [2, 2]), &
            'polynomial_val')
        call same(arr_polyvalfromroots(x, p), reshape([((from_roots(h, points(i, j)), i = 1, 2), j = 1, 2)], [2, 2]), &
            'polyvalfromroots')
    end subroutine values

    subroutine several_polynomials()
        type(arr_array) :: c, x
        real(dp) :: h(3, 2), points(2), table(2, 2, 2)
        integer :: i, j
        h = reshape([1.0_dp, 2.0_dp, 3.0_dp, 0.5_dp, -1.0_dp, 4.0_dp], [3, 2])
        points = [2.0_dp, -1.5_dp]
        c = h
        x = points
        do j = 1, 2
            table(:, j, 1) = [(lowest(h(:, i), points(j)), i = 1, 2)]
            table(:, j, 2) = [(from_roots(h(:, i), points(j)), i = 1, 2)]
        end do
        call same(arr_polynomial_val(x, c), table(:, :, 1), 'polynomial_val of each polynomial at each point')
        call same(arr_polyvalfromroots(x * 1, c * 1), table(:, :, 2), 'polyvalfromroots of each at each')
        call same(arr_polynomial_val(x, c, tensor=.false.), [table(1, 1, 1), table(2, 2, 1)], &
            'polynomial_val, broadcast')
        call same(arr_polyvalfromroots(x, c, tensor=.false.), [table(1, 1, 2), table(2, 2, 2)], &
            'polyvalfromroots, broadcast')
        call same(arr_polyval(c, x), [highest(h(:, 1), points(1)), highest(h(:, 2), points(2))], 'polyval of columns')
    end subroutine several_polynomials

    subroutine roots()
        type(arr_array) :: a
        complex(dp) :: z(3)
        real(dp) :: turned(3, 3)
        integer :: i
        a = [1.0_dp, 2.0_dp, 3.0_dp]
        call same(arr_poly(a), [1.0_dp, -6.0_dp, 11.0_dp, -6.0_dp], 'poly')
        a = [(0.0_dp, 1.0_dp), (0.0_dp, -1.0_dp)]
        call expect(arr_dtype(arr_poly(a)) == ARR_FLOAT64, 'the type of poly of conjugates')
        call same(arr_poly(a), [1.0_dp, 0.0_dp, 1.0_dp], 'poly of conjugates')
        a = [1.0_dp, -6.0_dp, 11.0_dp, -6.0_dp]
        z = arr_roots(a)
        do i = 1, 3
            call expect(count(abs(z - i) < 1e-12_dp) == 1, 'roots')
        end do
        call expect(arr_dtype(arr_roots(arr_astype(a, ARR_FLOAT32))) == ARR_COMPLEX64, 'roots of real32')
        turned = reshape(real([0, 1, 0, 0, 0, 1, 6, -11, 6], dp), [3, 3])
        call same(arr_polycompanion(arr_flip(a, [1])), turned, 'polycompanion')
    end subroutine roots

    subroutine fits()
        type(arr_array) :: x, y, z
        real(dp) :: h(6), wanted(3)
        integer :: i
        h = [(i - 3.0_dp, i = 1, 6)]
        wanted = [2.0_dp, -1.0_dp, 3.0_dp]
        x = h
        y = [(highest(wanted, h(i)), i = 1, 6)]
        call same(arr_polyfit(x, y, 2), wanted, 'polyfit')
        z = arr_polyfit(x * 1, y * 1, 2, rcond=0.99_dp)
        h(:3) = z
        call expect(any(abs(h(:3) - wanted) > 0.1_dp), 'polyfit with few singular values')
        z = [0.0_dp, 1.0_dp]
        call same(arr_polyfit(z, z, 0, weights=arr_full([2], 3.0_dp) - z * 2), [0.1_dp], 'polyfit with weights')
        y = reshape([1.0_dp, 3.0_dp, 0.0_dp, -1.0_dp], [2, 2])
        call same(arr_polyfit(z, y, 1), reshape([2.0_dp, 1.0_dp, -1.0_dp, 0.0_dp], [2, 2]), 'polyfit of columns')
    end subroutine fits

    subroutine outputs_of_fits()
        type(arr_array) :: x, y, z, residuals, rank, s, v
        real(dp) :: used, h
        integer(int64) :: n
        type(arr_error) :: err
        real(dp), parameter :: wanted(2, 2) = reshape([0.2_dp, -0.3_dp, -0.3_dp, 0.7_dp], [2, 2])
        x = [0.0_dp, 1.0_dp, 2.0_dp, 3.0_dp]
        y = [0.0_dp, 1.0_dp, 2.0_dp, 5.0_dp]
        call arr_polyfit_full(x * 1, y, 1, z, residuals, rank, s, used)
        call same(z, [1.6_dp, -0.4_dp], 'polyfit_full')
        h = residuals
        n = rank
        call expect(abs(h - 1.2_dp) < 1e-12_dp .and. n == 2 .and. size(s) == 2, 'its other outputs')
        call expect(abs(used - 4 * epsilon(used)) < 1e-30_dp, 'its ratio')
        call arr_polyfit_full(x, y, 1, z, rcond=0.5_dp, used=used, weights=y * 1)
        call expect(abs(used - 0.5_dp) < 1e-30_dp, 'a given ratio')
        call arr_polyfit_cov(x, y, 1, z, v)
        call same(z, [1.6_dp, -0.4_dp], 'polyfit_cov')
        call same(v, 0.6_dp * wanted, 'a covariance')
        call arr_polyfit_cov(x, y * 1, 1, z, v, scaled=.false.)
        call same(v, wanted, 'a covariance that is not scaled')
        x = [0.0_dp, 1.0_dp, 0.0_dp, 1.0_dp]
        call arr_polyfit_cov(x, y, 2, z, v, err=err)
        call expect_failure(err, ARR_E_LINALG, 'rank', 'polyfit_cov of two points')
        call expect(.not. arr_alive(v), 'what a failed polyfit_cov gives')
    end subroutine outputs_of_fits

    subroutine derivatives_and_quotients()
        type(arr_array) :: p, k, q, r
        type(arr_error) :: err
        p = [1.0_dp, 2.0_dp, 3.0_dp, 4.0_dp]
        call same(arr_polyder(p), [3.0_dp, 4.0_dp, 3.0_dp], 'polyder')
        call same(arr_polyder(p * 1, 2), [6.0_dp, 4.0_dp], 'polyder twice')
        k = [5.0_dp, 7.0_dp]
        q = [6.0_dp, 2.0_dp]
        call same(arr_polyint(q), [3.0_dp, 2.0_dp, 0.0_dp], 'polyint')
        call same(arr_polyint(q, 2, k * 1), [1.0_dp, 1.0_dp, 5.0_dp, 7.0_dp], 'polyint twice')
        k = [1.0_dp, 1.0_dp]
        call arr_polydiv(p, k * 1, q, r)
        call same(q, [1.0_dp, 1.0_dp, 2.0_dp], 'polydiv')
        call same(r, [2.0_dp], 'its remainder')
        call same(arr_polypow(k, 3), [1.0_dp, 3.0_dp, 3.0_dp, 1.0_dp], 'polypow')
        k = [0.0_dp, 0.0_dp, 5.0_dp, 1.0_dp]
        call same(arr_polytrim(k), [5.0_dp, 1.0_dp], 'polytrim')
        call expect(arr_polydegree(k * 1) == 1, 'polydegree')
        q = arr_polyder(p, -1, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_polyder', 'polyder of a negative order')
        call arr_polydiv(p, p * 0, q, r, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'zeros', 'polydiv by zeros')
    end subroutine derivatives_and_quotients

    subroutine trailing_coefficients()
        type(arr_array) :: c, series(2)
        c = [0.0_dp, 1.0_dp, 0.25_dp, 0.0_dp, 0.0_dp]
        call expect(size(arr_trimseq(c)) == 3, 'trimseq, its size')
        call same(arr_trimseq(c), [0.0_dp, 1.0_dp, 0.25_dp], 'trimseq')
        call expect(size(arr_trimcoef(c)) == 3, 'trimcoef, its size')
        call expect(size(arr_trimcoef(c, 0.5_dp)) == 2, 'trimcoef with tol, its size')
        call same(arr_trimcoef(c, 0.5_dp), [0.0_dp, 1.0_dp], 'trimcoef with tol')
        call arr_as_series([c + 0, arr_astype(c, ARR_FLOAT32)], series)
        call expect(all([size(series(1)), size(series(2))] == 3), 'as_series, sizes')
        call expect(arr_dtype(series(2)) == ARR_FLOAT64, 'as_series, types')
        call same(series(2), [0.0_dp, 1.0_dp, 0.25_dp], 'as_series')
        call arr_as_series([c, c], series, trim=.false.)
        call expect(all([size(series(1)), size(series(2))] == 5), 'as_series, with zeros')
    end subroutine trailing_coefficients

    subroutine powers()
        type(arr_array) :: x
        real(dp) :: h(3), cube(3, 1, 3)
        integer(int64) :: whole(2, 3)
        integer :: i, j
        h = [1.0_dp, 2.0_dp, 3.0_dp]
        x = h
        call same(arr_vander(x), reshape([((h(i)**(3 - j), i = 1, 3), j = 1, 3)], [3, 3]), 'vander')
        call same(arr_vander(x, 2), reshape([((h(i)**(2 - j), i = 1, 3), j = 1, 2)], [3, 2]), 'vander of two columns')
        call same(arr_vander(x, increasing=.true.), reshape([((h(i)**(j - 1), i = 1, 3), j = 1, 3)], [3, 3]), &
            'vander, increasing')
        x = [2, 3]
        whole = arr_vander(x, 3)
        call expect(all(whole == reshape([4, 9, 2, 3, 1, 1], [2, 3])), 'vander of integers')
        x = reshape(h, [3, 1])
        cube = arr_polyvander(x, 2)
        call expect(all(cube(:, 1, :) == reshape([((h(i)**j, i = 1, 3), j = 0, 2)], [3, 3])), 'polyvander')
    end subroutine powers

    subroutine failures()
        type(arr_array) :: a, z, series(2)
        type(arr_error) :: err
        a = arr_ones([2, 2])
        z = arr_roots(a * 1, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_roots', 'roots of a matrix')
        z = arr_polyfit(arr_ones([3]), arr_ones([2]), 1, weights=arr_ones([3]), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_polyfit', 'polyfit of other numbers of points')
        z = arr_polyfit(arr_ones([3]), arr_ones([3]), -1, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_polyfit', 'polyfit of a negative degree')
        z = arr_polycompanion(arr_ones([1]), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'constant', 'polycompanion of a constant')
        z = arr_trimcoef(arr_ones([1]), -1.0_dp, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'tol', 'trimcoef with a negative tol')
        call arr_as_series([a * 1], series, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'series', 'as_series of fewer arrays')
        series(1) = a
        call arr_as_series([a * 1], series(:1), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_as_series', 'as_series of a matrix')
        call expect(.not. arr_alive(series(1)), 'what a failed as_series gives')
    end subroutine failures
end program test_polynomials
