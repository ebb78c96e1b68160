! SPDX-License-Identifier: MIT
! test_intrinsics.f90: reductions with a mask, products with host arrays, conditions, conversions, arr_arange(n), formats of output.
program test_intrinsics
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    integer, parameter :: dp = real64
    real(dp) :: x(2, 3), y(3, 2), v(3)
    x = reshape([1.0_dp, 2.0_dp, 3.0_dp, 4.0_dp, 5.0_dp, 6.0_dp], [2, 3])
    y = reshape([3.0_dp, -2.0_dp, 7.0_dp, 0.5_dp, 5.0_dp, -9.0_dp], [3, 2])
    v = [10.0_dp, 20.0_dp, 30.0_dp]
    call each('masked reductions', masks)
    call each('products', products)
    call each('conditions', conditions)
    call each('conversions', conversions)
    call each('ranges', ranges)
    call each('failures', failures)
    call each('formats', formats)
    call finish()

contains

    subroutine masks()
        type(arr_array) :: a, m
        real(dp) :: total, rows(2), columns(3)
        a = x
        m = a > 2
        total = sum(a, mask=m)
        call expect(total == sum(x, mask=x > 2), 'sum, mask')
        total = sum(2 * a, a > 2)
        call expect(total == sum(2 * x, x > 2), 'sum of temporaries')
        rows = sum(a, 2, m)
        call expect(all(rows == sum(x, 2, x > 2)), 'sum, dim, mask')
        columns = sum(a, dim=1, mask=a < 4)
        call expect(all(columns == sum(x, dim=1, mask=x < 4)), 'sum, dim, mask by name')
        total = product(a, mask=m)
        call expect(total == product(x, mask=x > 2), 'product')
        total = maxval(a, mask=a < 5)
        call expect(total == maxval(x, mask=x < 5), 'maxval')
        rows = minval(a, dim=2, mask=m)
        call expect(all(rows == minval(x, dim=2, mask=x > 2)), 'minval')
        call expect(all(shape(sum(a, dim=2, mask=m, keepdims=.true.)) == [2, 1]), 'keepdims')
        total = maxval(a, mask=a > 9)
        call expect(total == maxval(x, mask=x > 9), 'maxval of nothing')
        total = minval(arr_astype(a, ARR_FLOAT32), mask=a > 9)
        call expect(total == huge(1.0_real32), 'minval of nothing, real32')
        total = maxval(arr_astype(a, ARR_INT16), mask=a > 9)
        call expect(total == -32768, 'maxval of nothing, int16')
        total = minval(arr_astype(a, ARR_INT32), mask=a > 9)
        call expect(total == huge(1_int32), 'minval of nothing, int32')
        total = minval(arr_astype(a, ARR_UINT8), mask=a > 9)
        call expect(total == 255, 'minval of nothing, uint8')
        total = maxval(arr_astype(a, ARR_FLOAT16), mask=a > 9)
        call expect(total == -65504, 'maxval of nothing, float16')
        total = maxval(arr_astype(a, ARR_INT64), mask=a < 4)
        call expect(total == 3, 'maxval, int64')
        total = sum(a)
        call expect(total == sum(x), 'without a mask')
    end subroutine masks

    subroutine products()
        type(arr_array) :: a
        complex(dp) :: z(3, 2)
        integer :: k(3, 2)
        real(dp) :: s
        real(dp) :: wide(6, 2)
        a = x
        k = reshape([1, 2, 3, 4, 5, 6], [3, 2])
        z = cmplx(y, -y, dp)
        wide = 0
        wide(1::2, :) = y
        call same(matmul(a, y), matmul(x, y), 'matmul, array and host')
        call same(matmul(y, a), matmul(y, x), 'matmul, host and array')
        call same(matmul(a, v), matmul(x, v), 'a vector')
        call same(matmul(a + 1, y), matmul(x + 1, y), 'a temporary')
        call same(matmul(a, wide(1::2, :)), matmul(x, y), 'a section')
        call same(matmul(a, k), matmul(x, k), 'integers')
        call same(matmul(a, z), matmul(x, z), 'complex numbers')
        call same(matmul(a, real(y, real32)), matmul(x, real(real(y, real32), dp)), 'another kind')
        call same(matmul(a, arr_upload(y)), matmul(x, y), 'two arrays')
        a = v
        s = dot_product(a, v)
        call expect(s == dot_product(v, v), 'dot_product, array and host')
        s = dot_product(v, a)
        call expect(s == dot_product(v, v), 'dot_product, host and array')
    end subroutine products

    subroutine conditions()
        type(arr_array) :: a
        a = x
        if (.not. arr_any_of(a > 5)) call expect(.false., 'any of')
        if (arr_any_of(a > 6)) call expect(.false., 'none of')
        if (.not. arr_all_of(a > 0)) call expect(.false., 'all of')
        if (arr_all_of(a)) a = a - 6
        if (arr_all_of(a)) call expect(.false., 'all but one')
        call expect(arr_any_of(a), 'numbers')
    end subroutine conditions

    subroutine conversions()
        type(arr_array) :: a, z
        type(arr_error) :: err
        real(dp), parameter :: below = nearest(0.5_dp, -1.0_dp), huge_odd = 2.0_dp**52 + 1
        real(dp) :: p(9)
        integer, parameter :: still_constant = int(2.7) + nint(1.5)     ! the intrinsics of numbers are what they were
        integer :: i, n(9), fixed(still_constant)
        integer(int64) :: m(9)
        real(dp) :: q(9)
        p = [0.5_dp, -0.5_dp, 1.5_dp, -2.5_dp, 2.4_dp, -2.6_dp, below, -below, huge_odd / 2.0_dp**32]
        a = p
        n = int(a)
        call expect(all(n == int(p)), 'int')
        call expect(arr_dtype(int(a)) == ARR_INT32 .and. arr_dtype(int(a, int64)) == ARR_INT64, 'kinds of int')
        call expect(arr_dtype(nint(a, kind=1)) == ARR_INT8 .and. arr_dtype(nint(a, 2)) == ARR_INT16, 'kinds of nint')
        n = nint(a)
        call expect(all(n == [1, -1, 2, -3, 2, -3, 0, 0, 2**20]), 'nint')
        n = nint(2 * a)
        call expect(all(n == [1, -1, 3, -5, 5, -5, 1, -1, 2**21]), 'nint of a temporary')
        p(9) = huge_odd
        a = p
        m = nint(a, int64)
        call expect(all(m == nint(p, int64)), 'nint of large numbers')
        q = anint(a)
        call expect(all(q == anint(p)), 'anint')
        call expect(arr_dtype(anint(arr_astype(a, ARR_FLOAT32))) == ARR_FLOAT32, 'anint keeps the type')
        q = anint(arr_astype(a, ARR_FLOAT32))
        call expect(all(q == anint(real(p, real32))), 'anint of float32')
        q = huge(1.0_dp)
        q = anint(arr_upload(10 * q))
        call expect(q(1) > huge(1.0_dp), 'anint of infinity')
        call expect(arr_dtype(anint(arr_arange(3))) == ARR_INT64, 'anint of integers')
        call expect(arr_dtype(dble(arr_arange(3))) == ARR_FLOAT64, 'dble')
        fixed = [(i, i = 1, still_constant)]
        call expect(still_constant == 4 .and. sum(dble(fixed)) == 10, 'numbers')
        z = int(a, kind=3, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'int', 'a kind that does not exist')
        z = nint(a * (1.0_dp, 1.0_dp), err=err)
        call expect_failure(err, ARR_E_DTYPE, 'nint', 'complex numbers')
        z = arr_get(a, 1)
        call arr_release(z)
        z = anint(z, err=err)
        call expect(err%failed(), 'anint of no array')
    end subroutine conversions

    subroutine ranges()
        type(arr_array) :: a
        integer :: i
        integer(int64) :: n(5)
        a = arr_arange(5)
        n = a
        call expect(all(n == [(i, i = 0, 4)]), 'arr_arange(5)')
        call same(arr_arange(2.5_dp), [0.0_dp, 1.0_dp, 2.0_dp], 'arr_arange(2.5)')
        call same(arr_arange(1.0_dp, 2.0_dp, 0.5_dp), [1.0_dp, 1.5_dp], 'three numbers')
    end subroutine ranges

    ! Records that a derived type ends go to files; gfortran 12 has none in internal units.
    subroutine formats()
        type(arr_array) :: a
        character(len=40) :: lines(12)
        integer :: unit, status
        a = x
        open (newunit=unit, status='scratch', action='readwrite')
        write (unit, '(DT"f6.2")') a
        write (unit, '(a, DT"f4.1", a)') 'v', arr_get(a, 1), '.'
        write (unit, '(DT"i3,1x")') arr_astype(a, ARR_INT16)
        write (unit, '(DT"l2")') a > 2
        write (unit, '(DT"sp,f5.1,f4.1,:,1x")') arr_get(a, 1) * (1.0_dp, -1.0_dp)
        write (unit, '(DT"f5.1")') arr_stack([a, 2 * a], 3)
        rewind (unit)
        read (unit, '(a)', iostat=status) lines
        close (unit)
        call expect(status == 0, 'as many lines as there are rows')
        call expect(lines(1) == '  1.00  3.00  5.00' .and. lines(2) == '  2.00  4.00  6.00', 'rows')
        call expect(lines(3) == 'v 1.0 3.0 5.0.', 'a vector among others')
        call expect(lines(4) == '  1   3   5' .and. lines(5) == '  2   4   6', 'integers')
        call expect(lines(6) == ' F T T' .and. lines(7) == ' F T T', 'logicals')
        call expect(lines(8) == ' +1.0-1.0  +3.0-3.0  +5.0-5.0', 'complex numbers')
        call expect(lines(10) == '  2.0  4.0  6.0' .and. lines(11) == '  2.0  6.0 10.0', 'matrix after matrix')
        write (lines, '(DT"f5.1", a)') arr_zeros([0]), '|'
        call expect(lines(1) == '|', 'no elements')
        write (lines, '(DT"q9")', iostat=status) a
        call expect(status /= 0, 'no edit descriptor')
    end subroutine formats

    subroutine failures()
        type(arr_array) :: a, b
        type(arr_error) :: err
        a = x
        b = sum(a, mask=arr_upload([.true., .false.]), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_reduce', 'a mask of another shape')
        b = matmul(a, x, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_matmul', 'matrices that do not fit')
        call expect(.not. arr_any_of(b, err) .and. err%failed(), 'a condition of no array')
        b = matmul(a, y, err=err)
        call expect(.not. err%failed(), 'err is reset by success')
    end subroutine failures
end program test_intrinsics
