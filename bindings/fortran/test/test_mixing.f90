! SPDX-License-Identifier: MIT
! test_mixing.f90: operators and functions of an array and a host array, of any rank, kind and stride, beside Fortran's own.
program test_mixing
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    integer, parameter :: dp = real64
    real(dp) :: x(2, 3), y(2, 3), v(3)
    integer(int32) :: i(2, 3)
    x = reshape([1.0_dp, 2.0_dp, 3.0_dp, 4.0_dp, 5.0_dp, 6.0_dp], [2, 3])
    y = reshape([3.0_dp, -2.0_dp, 7.0_dp, 0.5_dp, 5.0_dp, -9.0_dp], [2, 3])
    v = [10.0_dp, 20.0_dp, 30.0_dp]
    i = reshape([1, 2, 3, 4, 5, 6], [2, 3])
    call operators()
    call functions()
    call kinds()
    call counts()
    call failures()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine operators()
        type(arr_array) :: a
        real(dp) :: wide(4, 3)
        a = x
        wide = 0
        wide(1::2, :) = y
        call same(a + y, x + y, 'array + host')
        call same(y - a, y - x, 'host - array')
        call same(a * y / x, x * y / x, 'a chain')
        call same((a + 1) * y, (x + 1) * y, 'a temporary and a host array')
        call same(a + wide(1::2, :), x + y, 'a section')
        call same(x(:, 2:1:-1) + arr_get(a, arr_span(), arr_span(1, 2)), x(:, 2:1:-1) + x(:, 1:2), 'a section backwards')
        call same(a ** i, x ** i, 'integers')
        call same(a + v, x + spread(v, 1, 2), 'a vector')
        call same(merge(a, 0.0_dp, a > y), merge(x, 0.0_dp, x > y), 'comparison')
        call same(merge(1.0_dp, 0.0_dp, (a > y) .and. (x > 2)), merge(1.0_dp, 0.0_dp, x > y .and. x > 2), 'logicals')
        call same(a + real(y, real32), x + real(y, real32), 'another kind')
    end subroutine operators

    ! Counts and positions of every kind of integer, as sizes of arrays have them.
    subroutine counts()
        type(arr_array) :: a, z
        type(arr_error) :: err
        a = x
        call same(arr_eye(size(a, 1), 3_int8, k=1_int16), reshape(real([0, 0, 1, 0, 0, 1], dp), [2, 3]), 'eye')
        call same(arr_index_axis(a, 2, size(a, 2)), x(:, 3), 'a position')
        call same(arr_reduceat('add', a, [1_int64, size(a, 2)], dim=2), reshape([x(:, 1) + x(:, 2), x(:, 3)], [2, 2]), 'a list')
        call same(cshift(a, size(a, 2) - 1, dim=2), cshift(x, 2, dim=2), 'cshift')
        call same(eoshift(a, -size(a, 2) + 2, dim=2), eoshift(x, -1, dim=2), 'eoshift')
        call same(spread(sum(a, 1), 1, size(a)), spread(sum(x, 1), 1, 6), 'spread')
        call same(arr_linspace(0, 1, size(a, 1)), [0.0_dp, 1.0_dp], 'linspace')
        z = arr_eye(2.5, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_eye: argument rows: expected an integer', 'a real count')
        z = arr_index_axis(a, 1, 0, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument position: 0', 'position 0')
        z = cshift(a, 1.0, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'cshift: argument shift: expected an integer', 'a real shift')
        z = spread(a, 1, 'two', err=err)
        call expect_failure(err, ARR_E_DTYPE, 'spread: argument ncopies', 'a text as a count')
    end subroutine counts

    subroutine functions()
        type(arr_array) :: a
        a = x
        call same(max(a, y), max(x, y), 'max')
        call same(min(y, a), min(y, x), 'min')
        call same(merge(a, y, a > 2), merge(x, y, x > 2), 'merge')
        call same(atan2(a, y), atan2(x, y), 'atan2')
        call same(mod(a, 2.5_dp), mod(x, 2.5_dp), 'mod')
        call same(mod(y, a), mod(y, x), 'mod of a host array')
        call same(modulo(y, a), modulo(y, x), 'modulo')
        call same(sign(a, y), sign(x, y), 'sign')
        call same(arr_add(a, y), x + y, 'arr_add')
        call same(arr_where(a > 2, a, y), merge(x, y, x > 2), 'where')
        call same(merge(a, y, x > 2), merge(x, y, x > 2), 'merge by a mask of the host')
        call same(merge(0.0_dp, a, x > 2), merge(0.0_dp, x, x > 2), 'merge of a number')
        call same(merge(a, -a, x > 2), merge(x, -x, x > 2), 'merge of two arrays')
        call same(arr_where(x > 2, a, 0), merge(x, 0.0_dp, x > 2), 'where by a mask of the host')
    end subroutine functions

    ! A host array of integers does not widen an array of reals; of two reals the wider kind is used.
    subroutine kinds()
        type(arr_array) :: a, b
        complex(dp) :: z(2, 3)
        a = real(x, real32)
        b = a + i
        call expect(arr_dtype(b) == ARR_FLOAT32, 'integers beside reals')
        b = merge(ARR_NAN, a, a > 2) + ARR_INFINITY
        call expect(arr_dtype(b) == ARR_FLOAT32, 'NaN and infinity beside real32')
        call expect(arr_dtype(merge(ARR_NAN, arr_ones([2]), [.true., .false.])) == ARR_FLOAT64, 'NaN beside real64')
        b = a + x
        call expect(arr_dtype(b) == ARR_FLOAT64, 'the wider of two reals')
        a = i
        b = a * y
        call expect(arr_dtype(b) == ARR_FLOAT64, 'reals beside integers')
        call same(b, i * y, 'reals beside integers')
        z = cmplx(x, y, dp)
        b = a + z
        call expect(arr_dtype(b) == ARR_COMPLEX128, 'complex')
        call same(b, i + z, 'complex')
    end subroutine kinds

    subroutine failures()
        type(arr_array) :: a, b
        type(arr_error) :: err
        real(dp), allocatable, save :: nothing(:)
        a = x
        b = arr_add(a, [1.0_dp, 2.0_dp, 3.0_dp, 4.0_dp], err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_add', 'shapes that do not broadcast')
        b = arr_add(a, nothing, err=err)
        call expect(err%failed(), 'a host array that is not allocated')
        b = arr_add(a, x, err=err)
        call expect(.not. err%failed(), 'err is reset by success')
    end subroutine failures
end program test_mixing
