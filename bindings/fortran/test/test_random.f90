! SPDX-License-Identifier: MIT
! test_random.f90: generators, distributions by number, whole numbers, order.
program test_random
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    call seeds()
    call distributions()
    call orders()
    call jumps()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine seeds()
        type(arr_generator) :: g, other
        type(arr_array) :: a, b
        real(real64) :: x(3, 4), y(3, 4), flat(12)
        call arr_generator_create(g, 42_int64)
        call arr_generator_create(other, 42_int64)
        a = arr_empty([3, 4], dtype=ARR_FLOAT64)
        b = arr_empty([12], dtype=ARR_FLOAT64)
        call arr_random_fill(a, g, ARR_DISTRIBUTION_STANDARD_NORMAL)
        call arr_random_fill(b, other, ARR_DISTRIBUTION_STANDARD_NORMAL)
        x = a
        flat = b
        call expect(all(reshape(x, [12]) == flat), 'numbers come in the order of the elements')
        call arr_random_fill(a, g, ARR_DISTRIBUTION_STANDARD_NORMAL)
        y = a
        call expect(any(x /= y), 'another call, other numbers')
        call arr_generator_seed(g, 42_int64)
        call arr_random_fill(a, g, ARR_DISTRIBUTION_STANDARD_NORMAL)
        y = a
        call expect(all(x == y), 'the seed again, the numbers again')
        call arr_generator_seed(g, 42_int64)
        call arr_generator_advance(g, 6_int64)
        call arr_generator_create(other)
        call g%release()
        call other%release()
    end subroutine seeds

    subroutine distributions()
        type(arr_generator) :: g
        type(arr_array) :: a, k
        type(arr_error) :: err
        real(real64) :: x(3000)
        integer(int32) :: n(3000)
        call arr_generator_create(g, 1_int64)
        a = arr_empty([3000], dtype=ARR_FLOAT64)
        call arr_random_fill(a, g, ARR_DISTRIBUTION_NORMAL, 3.0_real64, 0.5_real64)
        x = a
        call expect(abs(sum(x) / size(x) - 3) < 0.05, 'the mean of normal numbers')
        call arr_random_fill(a, g, ARR_DISTRIBUTION_GAMMA, 2.0_real64)
        x = a
        call expect(abs(sum(x) / size(x) - 2) < 0.15 .and. all(x > 0), 'the mean of gamma numbers, scale by default')
        k = arr_empty([3000], dtype=ARR_INT32)
        call arr_random_integers(k, g, 1, 6)
        n = k
        call expect(minval(n) == 1 .and. maxval(n) == 6, 'dice')
        call arr_random_fill(a, g, ARR_DISTRIBUTION_NORMAL, 0.0_real64, -1.0_real64, err=err)
        call expect(err%status == ARR_E_ARGUMENT .and. index(err%message, 'argument scale') > 0, 'a negative scale')
        call arr_random_fill(k, g, ARR_DISTRIBUTION_NORMAL, err=err)
        call expect(err%status == ARR_E_DTYPE, 'normal numbers are no integers')
    end subroutine distributions

    subroutine orders()
        type(arr_generator) :: g
        type(arr_array) :: a
        integer(int64) :: p(100), m(4, 3), i
        logical :: seen(100)
        call arr_generator_create(g, 5_int64)
        p = arr_permutation(g, 100_int64)
        seen = .false.
        do i = 1, 100
            seen(p(i)) = .true.
        end do
        call expect(all(seen) .and. any(p /= [(i, i=1, 100)]), 'a permutation')
        m = reshape([(i, i=1_int64, 12_int64)], [4, 3])
        a = m
        call arr_shuffle(a, g, dim=2)
        m = a
        call expect(all(m(2, :) == m(1, :) + 1) .and. sum(m(1, :)) == 15, 'columns in another order')
    end subroutine orders

    subroutine jumps()
        type(arr_generator) :: g, ahead
        type(arr_array) :: a
        type(arr_error) :: err
        real(real64) :: x(8), y(8)
        call arr_generator_create(g, 9_int64)
        call arr_generator_jumped(g, ahead, 3_int64)
        call arr_generator_advance(g, 3 * 2_int64**48)
        a = arr_empty([8], dtype=ARR_FLOAT64)
        call arr_random_fill(a, g, ARR_DISTRIBUTION_RANDOM)
        x = a
        call arr_random_fill(a, ahead, ARR_DISTRIBUTION_RANDOM)
        y = a
        call expect(all(x == y), 'three jumps of Philox')
        call arr_generator_jumped(g, ahead)
        call arr_random_fill(a, ahead, ARR_DISTRIBUTION_RANDOM)
        y = a
        call expect(any(x /= y), 'a jump by default')
        call arr_generator_jumped(g, ahead, -1_int64, err)
        call expect(err%status == ARR_E_ARGUMENT, 'no jump back')
    end subroutine jumps
end program test_random
