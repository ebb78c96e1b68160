! SPDX-License-Identifier: MIT
! test_calculus.f90: scans, differences, gradients, integrals, convolution and searches against plain loops; formulas
! as text.
program test_calculus
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
    use arr
    use testing
    implicit none
    real(real64), parameter :: x(2, 3) = reshape([1.0_real64, 4.0_real64, 9.0_real64, 16.0_real64, 25.0_real64, &
        36.0_real64], [2, 3])
    call scans()
    call differences()
    call gradients()
    call integrals()
    call convolutions()
    call products()
    call formulas()
    call searches()
    call sorts()
    call sets()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine searches()
        real(real64) :: xp(3) = [0, 1, 3], fp(3) = [1, 2, 0], at(4) = [-1.0_real64, 0.5_real64, 2.0_real64, 4.0_real64]
        type(arr_array) :: a, p, f
        type(arr_error) :: err
        a = at
        p = xp
        f = fp
        call same(arr_searchsorted(p, p + 0), [0.0_real64, 1.0_real64, 2.0_real64], 'indices on the left')
        call same(arr_searchsorted(p, p + 0, right=.true.), [1.0_real64, 2.0_real64, 3.0_real64], 'indices on the right')
        call same(arr_digitize(a, p), [0.0_real64, 1.0_real64, 2.0_real64, 3.0_real64], 'bins')
        a = arr_digitize(a, f, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'bins in no order')
        a = at
        call same(arr_interp(a, p, f), [1.0_real64, 1.5_real64, 1.0_real64, 0.0_real64], 'interpolation')
        call same(arr_interp(a, p, f, left=-5.0_real64, right=7.0_real64), &
            [-5.0_real64, 1.5_real64, 1.0_real64, 7.0_real64], 'interpolation with ends')
        call same(arr_interp(a, p, f, period=4.0_real64), [0.0_real64, 1.5_real64, 1.0_real64, 1.0_real64], &
            'interpolation with a period')
    end subroutine searches

    subroutine sorts()
        type(arr_array) :: a
        type(arr_error) :: err
        a = [3.0_real64, 1.0_real64, 2.0_real64, 1.0_real64]
        call same(arr_sort(a), [1.0_real64, 1.0_real64, 2.0_real64, 3.0_real64], 'sort')
        call same(arr_sort(a + 0, descending=.true.), [3.0_real64, 2.0_real64, 1.0_real64, 1.0_real64], 'sort, descending')
        call same(arr_argsort(a), [1.0_real64, 3.0_real64, 2.0_real64, 0.0_real64], 'argsort')
        call same(arr_argsort(a + 0, descending=.true.), [0.0_real64, 2.0_real64, 1.0_real64, 3.0_real64], &
            'argsort, descending')
        a = reshape([3, 1, 2, 5, 9, 0], [2, 3])
        call same(arr_sort(a, dim=2), reshape([2.0_real64, 0.0_real64, 3.0_real64, 1.0_real64, 9.0_real64, 5.0_real64], &
            [2, 3]), 'sort along dimension 2')
        a = arr_sort(a, dim=3, err=err)
        call expect(err%status == ARR_E_SHAPE, 'no dimension to sort along')
        a = x
        a = arr_argsort(a, dim=3, err=err)
        call expect(err%status == ARR_E_SHAPE, 'no dimension to argsort along')
    end subroutine sorts

    subroutine sets()
        type(arr_array) :: a, b, values, indices, inverse, counts
        type(arr_error) :: err
        a = [3.0_real64, 1.0_real64, 3.0_real64, 2.0_real64]
        b = [2.0_real64, 3.0_real64, 7.0_real64]
        call same(arr_unique_values(a), [1.0_real64, 2.0_real64, 3.0_real64], 'distinct values')
        call arr_unique(a, values, counts=counts)
        call same(counts, [1.0_real64, 1.0_real64, 2.0_real64], 'counts alone')
        call arr_unique(a, values, indices, inverse, counts, by_occurrence=.true.)
        call same(values, [3.0_real64, 1.0_real64, 2.0_real64], 'unique by occurrence')
        call same(indices, [0.0_real64, 1.0_real64, 3.0_real64], 'indices of unique')
        call same(inverse, [0.0_real64, 1.0_real64, 0.0_real64, 2.0_real64], 'inverse of unique')
        call same(counts, [2.0_real64, 1.0_real64, 1.0_real64], 'counts of unique')
        call same(arr_isin(a, b) + 0, [1.0_real64, 0.0_real64, 1.0_real64, 1.0_real64], 'isin')
        call same(arr_isin(a, b, invert=.true.) + 0, [0.0_real64, 1.0_real64, 0.0_real64, 0.0_real64], 'isin, inverted')
        call same(arr_union1d(a, b), [1.0_real64, 2.0_real64, 3.0_real64, 7.0_real64], 'union1d')
        call same(arr_setdiff1d(a, b), [1.0_real64], 'setdiff1d')
        call same(arr_setxor1d(a, b), [1.0_real64, 7.0_real64], 'setxor1d')
        call arr_intersect1d(a, b, values, indices)
        call same(values, [2.0_real64, 3.0_real64], 'intersect1d')
        call same(indices, [3.0_real64, 0.0_real64], 'indices of intersect1d')
        call arr_unique(a, values, dim=3, err=err)
        call expect(err%status == ARR_E_SHAPE, 'no dimension with distinct slices')
    end subroutine sets

    subroutine scans()
        type(arr_array) :: a, b
        type(arr_error) :: err
        real(real64) :: along(2, 3), running(6), flat(6), n(3)
        integer(int64) :: whole(6)
        integer :: i
        a = x
        along(:, 1) = x(:, 1)
        do i = 2, 3
            along(:, i) = along(:, i - 1) + x(:, i)
        end do
        call same(arr_cumsum(a, dim=2), along, 'cumsum along dimension 2')
        flat = reshape(x, [6])
        running(1) = flat(1)
        do i = 2, 6
            running(i) = running(i - 1) + flat(i)
        end do
        call same(arr_cumsum(a), running, 'cumsum in array element order')
        call same(arr_cumprod(a + 0, dim=1), reshape([1.0_real64, 4.0_real64, 9.0_real64, 144.0_real64, 25.0_real64, &
            900.0_real64], [2, 3]), 'cumprod of a temporary')
        b = [3, 1, 4, 1, 5]
        call same(arr_cummax(b), [3.0_real64, 3.0_real64, 4.0_real64, 4.0_real64, 5.0_real64], 'cummax')
        call same(arr_cummin(b), [3.0_real64, 1.0_real64, 1.0_real64, 1.0_real64, 1.0_real64], 'cummin')
        whole = arr_cumulative_sum(b, include_initial=.true.)
        call expect(all(whole == [0, 3, 4, 8, 9, 14]), 'cumulative_sum with its initial 0')
        call expect(arr_dtype(arr_cumsum(b)) == ARR_INT64, 'integers add in 64 bits')
        call expect(arr_dtype(arr_cumsum(b, dtype=ARR_FLOAT32)) == ARR_FLOAT32, 'dtype')
        n = [1.0_real64, ieee_value(1.0_real64, ieee_quiet_nan), 2.0_real64]
        b = n
        call same(arr_nancumsum(b), [1.0_real64, 1.0_real64, 3.0_real64], 'nancumsum')
        call same(arr_nancumprod(b), [1.0_real64, 1.0_real64, 2.0_real64], 'nancumprod')
        call same(arr_cumulative_prod(arr_cumsum(a)), [1.0_real64, 5.0_real64, 70.0_real64, 2100.0_real64, &
            115500.0_real64, 10510500.0_real64], 'cumulative_prod of a temporary')
        b = arr_cumsum(a, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension', 'a dimension too many')
        b = arr_cumsum(a, dim=0, err=err)
        call expect(err%failed(), 'there is no dimension 0')
    end subroutine scans

    subroutine differences()
        type(arr_array) :: a, zeros, z
        type(arr_error) :: err
        a = x
        call same(arr_diff(a, dim=2), x(:, 2:) - x(:, :2), 'diff along dimension 2')
        call same(arr_diff(a), x(2:, :) - x(:1, :), 'diff along dimension 1')
        call same(arr_diff(a, n=2, dim=2), x(:, 3:) - 2 * x(:, 2:2) + x(:, :1), 'diff twice')
        zeros = arr_zeros([2, 1])
        call same(arr_diff(a, dim=2, prepend=zeros), reshape([x(:, 1), x(:, 2) - x(:, 1), x(:, 3) - x(:, 2)], [2, 3]), &
            'diff with something in front')
        call same(arr_ediff1d(a), [3.0_real64, 5.0_real64, 7.0_real64, 9.0_real64, 11.0_real64], &
            'ediff1d in array element order')
        z = arr_diff(a + 1, dim=4, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension', 'diff along a dimension too many')
    end subroutine differences

    subroutine gradients()
        type(arr_array) :: a, c
        real(real64) :: t(9), plane(4, 3)
        integer :: i
        t = [(i / 2.0_real64, i = 0, 8)]
        a = t**2
        call same(arr_gradient(a, 0.5, edge_order=2), 2 * t, 'gradient with a distance')
        t = t**1.5_real64
        a = t**2
        c = t
        call same(arr_gradient(a, c, edge_order=2), 2 * t, 'gradient with coordinates')
        call same(arr_gradient(a * 1, c + 0, edge_order=2), 2 * t, 'gradient of temporaries')
        do i = 1, 3
            plane(:, i) = 5 * i + [3, 6, 9, 12]
        end do
        a = plane
        call same(arr_gradient(a), spread(spread(3.0_real64, 1, 4), 2, 3), 'gradient along dimension 1')
        call same(arr_gradient(a, 2, dim=2), spread(spread(2.5_real64, 1, 4), 2, 3), 'gradient along dimension 2')
    end subroutine gradients

    subroutine integrals()
        type(arr_array) :: a, c
        real(real64) :: s, phase(50)
        integer :: i, turns(4)
        a = [1.0_real64, 2.0_real64, 4.0_real64, 8.0_real64]
        c = [0.0_real64, 2.0_real64, 3.0_real64, 3.5_real64]
        s = arr_trapezoid(a)
        call expect(s == 10.5_real64, 'trapezoid')
        s = arr_trapezoid(a, dx=2.0_real64)
        call expect(s == 21, 'trapezoid with a distance')
        s = arr_trapezoid(a, c)
        call expect(s == 9, 'trapezoid with coordinates')
        call same(arr_cumulative_trapezoid(a, include_initial=.true.), [0.0_real64, 1.5_real64, 4.5_real64, &
            10.5_real64], 'cumulative_trapezoid')
        phase = [(0.4_real64 * i, i = 0, 49)]
        a = atan2(sin(phase), cos(phase))
        call same(arr_unwrap(a), phase, 'unwrap')
        a = [0, 3, 2, 1]
        turns = arr_unwrap(a, period=4)
        call expect(all(turns == [0, -1, -2, -3]), 'unwrap of integers')
    end subroutine integrals

    subroutine convolutions()
        type(arr_array) :: a, b
        real(real64), parameter :: u(5) = [1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64, 5.0_real64]
        real(real64), parameter :: v(3) = [0.5_real64, -1.0_real64, 0.25_real64]
        real(real64) :: full(7), slid(3)
        integer :: i
        full = 0
        do i = 1, 5
            full(i:i + 2) = full(i:i + 2) + u(i) * v
        end do
        do i = 1, 3
            slid(i) = dot_product(u(i:i + 2), v)
        end do
        a = u
        b = v
        call same(arr_convolve(a, b), full, 'convolve')
        call same(arr_convolve(a, b, ARR_CONVOLVE_SAME), full(2:6), 'convolve, the middle')
        call same(arr_convolve(a * 1, b * 1, ARR_CONVOLVE_VALID), full(3:5), 'convolve, valid, of temporaries')
        call same(arr_correlate(a, b), slid, 'correlate')
    end subroutine convolutions

    subroutine products()
        type(arr_array) :: a, b, m
        real(real64) :: s
        a = [1.0_real64, 2.0_real64, 3.0_real64]
        b = [4.0_real64, 5.0_real64, 6.5_real64]
        m = x
        call same(arr_cross(a, b), [-2.0_real64, 5.5_real64, -3.0_real64], 'cross')
        s = arr_vecdot(a, b)
        call expect(s == 33.5_real64, 'vecdot')
        call same(arr_matvec(m, a), matmul(x, [1.0_real64, 2.0_real64, 3.0_real64]), 'matvec')
        call same(arr_vecmat(a, transpose(m)), matmul(x, [1.0_real64, 2.0_real64, 3.0_real64]), 'vecmat')
    end subroutine products

    subroutine formulas()
        type(arr_expr) :: e
        type(arr_node) :: z
        type(arr_array) :: a, b
        type(arr_error) :: err
        real(real64) :: s
        a = [3.0_real64, 5.0_real64]
        b = [4.0_real64, 12.0_real64]
        call e%parse('sqrt(x*x + y*y)', z)
        call same(e%run(z, [a, b]), [5.0_real64, 13.0_real64], 'a formula')
        s = e%reduce(z, ARR_REDUCTION_SUM, [a, b])
        call expect(s == 18, 'a formula, reduced')
        call same(e%reduce(z, ARR_REDUCTION_MAX, [a, b], dim=1, keepdims=.true.), [13.0_real64], &
            'a formula, reduced along a dimension')
        call same(e%scan(z, ARR_REDUCTION_SUM, [a, b], 1), [5.0_real64, 18.0_real64], 'a formula, accumulated')
        call expect(index(e%describe(z, [a, b]), 'sqrt') > 0, 'describe')
        call e%parse('x - y', z, variables=['y ', 'x '])
        call same(e%run(z, [a, b]), [1.0_real64, 7.0_real64], 'variables by name')
        call same(e%run(z + 1, [a, b]), [2.0_real64, 8.0_real64], 'a formula goes on as nodes')
        call e%parse('x +* y', z, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'column', 'a fault in a formula')
    end subroutine formulas
end program test_calculus
