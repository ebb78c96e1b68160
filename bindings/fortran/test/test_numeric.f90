! SPDX-License-Identifier: MIT
! test_numeric.f90: rounding, closeness, bits, covariances; reductions with options, methods of operations,
! counts.
program test_numeric
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use, intrinsic :: ieee_arithmetic
    use arr
    use testing
    implicit none
    call numbers()
    call bits()
    call covariances()
    call options()
    call methods()
    call histograms()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine histograms()
        type(arr_array) :: a, counts, edges, found
        type(arr_error) :: err
        real(real64) :: x(3), n(2)
        integer(int64) :: whole(4)
        a = [1.0_real64, 2.0_real64, 3.0_real64]
        call arr_ufunc_at('add', a, [1, 3, 1, 3], 10)
        x = a
        call expect(all(x == [21.0_real64, 2.0_real64, 23.0_real64]), 'add at repeated indices')
        call arr_ufunc_at('negative', a, [2])
        x = a
        call expect(x(2) == -2, 'negative at an index')
        call arr_ufunc_at('add', a, [4], 1, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'an index out of range')
        counts = [1, 3, 1, 0]
        whole = arr_bincount(counts)
        call expect(all(whole == [1, 2, 0, 1]), 'bincount')
        call arr_histogram(a + 0, counts, edges, bins=2, range=[-5.0_real64, 35.0_real64])
        whole(1:2) = counts
        x = edges
        call expect(all(whole(1:2) == [1, 2]) .and. all(x == [-5.0_real64, 15.0_real64, 35.0_real64]), 'histogram')
        call arr_histogram(a, counts, found, between=edges, weights=a, density=.false.)
        n = counts
        call expect(all(n == [-2.0_real64, 44.0_real64]), 'histogram with weights between edges')
    end subroutine histograms

    subroutine numbers()
        type(arr_array) :: a
        real(real64) :: x(4)
        logical(c_bool) :: near(4), all_near
        x = [1.256_real64, -2.5_real64, ieee_value(1.0_real64, ieee_quiet_nan), ieee_value(1.0_real64, ieee_positive_inf)]
        a = x
        x = arr_round(a, 1)
        call expect(all(x(1:2) == [1.3_real64, -2.5_real64]), 'round')
        x = arr_nan_to_num(a, 0.5_real64, posinf=9.0_real64)
        call expect(all(x == [1.256_real64, -2.5_real64, 0.5_real64, 9.0_real64]), 'nan_to_num')
        call arr_download(arr_isclose(a, a), near)
        call expect(all(near .eqv. [.true., .true., .false., .true.]), 'isclose')
        call arr_download(arr_allclose(a, a, equal_nan=.true.), all_near)
        call expect(logical(all_near), 'allclose')
        call expect(arr_dtype(arr_real_if_close(a)) == ARR_FLOAT64, 'real_if_close of real numbers')
    end subroutine numbers

    subroutine bits()
        type(arr_array) :: a, packed
        integer(int32) :: x(9), back(9)
        integer(int8) :: bytes(2)
        x = [1, 0, 0, 0, 0, 0, 0, 1, 1]
        a = x
        packed = arr_packbits(a)
        bytes = arr_astype(packed, ARR_INT8)
        call expect(all(bytes == int([-127, -128], int8)), 'packbits')
        back = arr_astype(arr_unpackbits(packed, count=9_int64), ARR_INT32)
        call expect(all(back == x), 'unpackbits')
        call expect(size(arr_unpackbits(packed, count=-1_int64)) == 15, 'unpackbits with a negative count')
        call expect(size(arr_unpackbits(arr_packbits(a, little=.true.))) == 16, 'unpackbits of all')
    end subroutine bits

    subroutine covariances()
        type(arr_array) :: a
        type(arr_error) :: err
        real(real64) :: c(2, 2)
        a = reshape([1.0_real64, 2.0_real64, 3.0_real64, 6.0_real64, 4.0_real64, 2.0_real64], [3, 2])
        c = arr_cov(a)
        call expect(all(abs(c - reshape([1, -2, -2, 4], [2, 2])) < 1e-14_real64), 'cov of columns')
        c = arr_cov(transpose(a), rows=.true., ddof=0)
        call expect(abs(c(1, 1) - 2.0_real64 / 3) < 1e-14_real64, 'cov of rows')
        c = arr_cov(a, fweights=arr_ones([3]))
        call expect(abs(c(2, 2) - 4) < 1e-14_real64, 'cov with weights')
        c = arr_corrcoef(a)
        call expect(all(abs(c - reshape([1, -1, -1, 1], [2, 2])) < 1e-14_real64), 'corrcoef')
        a = arr_cov(a, aweights=arr_ones([2]), err=err)
        call expect(err%status == ARR_E_SHAPE, 'weights of another length')
    end subroutine covariances

    subroutine options()
        type(arr_array) :: a, z
        type(arr_error) :: err
        integer(int64) :: n(2)
        real(real32) :: x
        a = reshape([1, 2, 3, 4, 5, 6], [2, 3])
        n = arr_reduce('sum', a, dim=2, mask=a > 2, initial=100)
        call expect(all(n == [108_int64, 110_int64]), 'a sum with a mask and an initial value')
        x = arr_reduce('sum', a, dtype=ARR_FLOAT32)
        call expect(x == 21, 'a sum in another type')
        z = arr_reduce('nothing', a, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'a reduction of another name')
    end subroutine options

    subroutine methods()
        type(arr_array) :: a, z
        type(arr_error) :: err
        integer(int32) :: x(3), g, table(3, 3)
        integer(int64) :: n(2)
        a = [4, 6, 9]
        table = arr_outer('multiply', a, a)
        call expect(all(table == reshape([16, 24, 36, 24, 36, 54, 36, 54, 81], [3, 3])), 'outer')
        g = arr_reduce('gcd', a, ufunc=.true.)
        call expect(g == 1, 'reduce')
        x = arr_accumulate('gcd', a)
        call expect(all(x == [4, 2, 1]), 'accumulate')
        n = arr_reduceat('add', a, [1, 2])
        call expect(all(n == [4_int64, 15_int64]), 'reduceat')
        z = arr_outer('plus', a, a, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'an operation of another name')
    end subroutine methods
end program test_numeric
