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
    call states()
    call vectors()
    call without_generator()
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
        call arr_random_fill(a, ARR_DISTRIBUTION_STANDARD_NORMAL, generator=g)
        call arr_random_fill(b, ARR_DISTRIBUTION_STANDARD_NORMAL, generator=other)
        x = a
        flat = b
        call expect(all(reshape(x, [12]) == flat), 'numbers come in the order of the elements')
        call arr_random_fill(a, ARR_DISTRIBUTION_STANDARD_NORMAL, generator=g)
        y = a
        call expect(any(x /= y), 'another call, other numbers')
        call arr_generator_seed(g, 42_int64)
        call arr_random_fill(a, ARR_DISTRIBUTION_STANDARD_NORMAL, generator=g)
        y = a
        call expect(all(x == y), 'the seed again, the numbers again')
        call arr_generator_seed(g, 42_int64)
        call arr_generator_advance(g, 6_int64)
        call arr_generator_create(other)
        call g%release()
        call other%release()
    end subroutine seeds

    ! The numbers of the default generator differ from call to call.
    subroutine without_generator()
        type(arr_array) :: a, b
        type(arr_error) :: err
        real(real64) :: x(200), y(200)
        x = arr_random_normal([200], 5.0, 1)
        y = arr_random_normal([200], 5.0, 1)
        call expect(any(x /= y) .and. abs(sum(x) / 200 - 5) < 1, 'normal numbers of the default generator')
        a = arr_arange(1, 7)
        call arr_shuffle(a)
        call expect(arr_all_of(arr_sort(a) == arr_arange(1, 7)), 'shuffle')
        b = arr_sort(arr_permutation(6))
        call expect(arr_all_of(b == arr_arange(1, 7)), 'permutation')
        b = arr_choice(3, 50)
        call expect(arr_all_of(b >= 1 .and. b <= 3), 'choice')
        call arr_random_fill(a, ARR_DISTRIBUTION_NORMAL, 'mean', err=err)
        call expect(err%message == 'arr_random_fill: argument p1: expected a real or integer number', err%message)
        call arr_random_integers(a, 1, 2.5, err=err)
        call expect(err%message == 'arr_random_integers: argument high: expected an integer', err%message)
    end subroutine without_generator

    subroutine distributions()
        type(arr_generator) :: g
        type(arr_array) :: a, k
        type(arr_error) :: err
        real(real64) :: x(3000)
        integer(int32) :: n(3000)
        call arr_generator_create(g, 1_int64)
        a = arr_empty([3000], dtype=ARR_FLOAT64)
        call arr_random_fill(a, ARR_DISTRIBUTION_NORMAL, 3.0_real64, 0.5_real64, generator=g)
        x = a
        call expect(abs(sum(x) / size(x) - 3) < 0.05, 'the mean of normal numbers')
        call arr_random_fill(a, ARR_DISTRIBUTION_GAMMA, 2.0_real64, generator=g)
        x = a
        call expect(abs(sum(x) / size(x) - 2) < 0.15 .and. all(x > 0), 'the mean of gamma numbers, scale by default')
        k = arr_empty([3000], dtype=ARR_INT32)
        call arr_random_integers(k, 1, 6, generator=g)
        n = k
        call expect(minval(n) == 1 .and. maxval(n) == 6, 'dice')
        call arr_random_fill(a, ARR_DISTRIBUTION_NORMAL, 0.0_real64, -1.0_real64, generator=g, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument parameters: scale', 'a negative scale')
        call arr_random_fill(k, ARR_DISTRIBUTION_NORMAL, generator=g, err=err)
        call expect(err%status == ARR_E_DTYPE, 'normal numbers are no integers')
    end subroutine distributions

    subroutine orders()
        type(arr_generator) :: g
        type(arr_array) :: a
        integer(int64) :: p(100), m(4, 3), i
        logical :: seen(100)
        call arr_generator_create(g, 5_int64)
        p = arr_permutation(100_int64, generator=g)
        seen = .false.
        do i = 1, 100
            seen(p(i)) = .true.
        end do
        call expect(all(seen) .and. any(p /= [(i, i=1, 100)]), 'a permutation')
        m = reshape([(i, i=1_int64, 12_int64)], [4, 3])
        a = m
        call arr_shuffle(a, dim=2, generator=g)
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
        call arr_random_fill(a, ARR_DISTRIBUTION_RANDOM, generator=g)
        x = a
        call arr_random_fill(a, ARR_DISTRIBUTION_RANDOM, generator=ahead)
        y = a
        call expect(all(x == y), 'three jumps of Philox')
        call arr_generator_jumped(g, ahead)
        call arr_random_fill(a, ARR_DISTRIBUTION_RANDOM, generator=ahead)
        y = a
        call expect(any(x /= y), 'a jump by default')
        call arr_generator_jumped(g, ahead, -1_int64, err)
        call expect(err%status == ARR_E_ARGUMENT, 'no jump back')
    end subroutine jumps

    subroutine states()
        type(arr_generator) :: g, other, children(2)
        type(arr_generator_state) :: kept
        type(arr_array) :: a
        type(arr_error) :: err
        real(real64) :: x(8), y(8)
        call arr_generator_create(g, 3_int64, ARR_XORWOW)
        call arr_generator_create(other, 4_int64, ARR_XORWOW)
        a = arr_empty([8], dtype=ARR_FLOAT64)
        call arr_random_fill(a, ARR_DISTRIBUTION_RANDOM, generator=g)
        call arr_generator_get_state(g, kept)
        call arr_random_fill(a, ARR_DISTRIBUTION_RANDOM, generator=g)
        x = a
        call arr_generator_set_state(other, kept)
        call arr_random_fill(a, ARR_DISTRIBUTION_RANDOM, generator=other)
        y = a
        call expect(all(x == y), 'another continues from a state')
        call arr_generator_create(other, 4_int64)
        call arr_generator_set_state(other, kept, err)
        call expect(err%status == ARR_E_ARGUMENT, 'a state of another kind')
        call arr_generator_spawn(g, children)
        call arr_random_fill(a, ARR_DISTRIBUTION_RANDOM, generator=children(1))
        x = a
        call arr_random_fill(a, ARR_DISTRIBUTION_RANDOM, generator=children(2))
        y = a
        call expect(any(x /= y), 'children differ')
        call arr_generator_spawn(g, children)
        call arr_random_fill(a, ARR_DISTRIBUTION_RANDOM, generator=children(1))
        y = a
        call expect(any(x /= y), 'others with every call')
        call children(1)%release()
        call children(2)%release()
    end subroutine states

    subroutine vectors()
        type(arr_generator) :: g
        type(arr_array) :: p, mean, ones, m
        type(arr_error) :: err
        integer(int64) :: few(30), one(9), n(40, 3), k(40, 3), grid(4, 50), i
        real(real64) :: d(20, 2), x(25, 2)
        call arr_generator_create(g, 6_int64)
        few = arr_choice(30_int64, 30_int64, replace=.false., generator=g)
        call expect(sum(few) == 465 .and. minval(few) == 1 .and. maxval(few) == 30, 'each once')
        p = [0.0_real64, 1.0_real64, 0.0_real64]
        one = arr_choice(3_int64, 9_int64, weights=p, generator=g)
        call expect(all(one == 2), 'by weights')
        m = arr_choice(3_int64, 4_int64, replace=.false., generator=g, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'more than there are')
        grid = spread([(i, i=1_int64, 50_int64)], 1, 4)
        m = grid
        grid = arr_permuted(m, dim=2, generator=g)
        call expect(all(sum(grid, 2) == 1275) .and. any(grid(1, :) /= grid(2, :)), 'each line in another order')
        p = [0.5_real64, 0.25_real64, 0.25_real64]
        n = arr_multinomial(12_int64, p, 40_int64, generator=g)
        call expect(all(sum(n, 2) == 12) .and. minval(n) >= 0, 'counts of outcomes')
        p = [4_int64, 0_int64, 6_int64]
        k = arr_multivariate_hypergeometric(p, 5_int64, 40_int64, generator=g)
        call expect(all(sum(k, 2) == 5) .and. all(k(:, 2) == 0) .and. maxval(k(:, 1)) <= 4, 'colours')
        p = [1.0_real64, 2.0_real64]
        d = arr_dirichlet(p, 20_int64, generator=g)
        call expect(all(abs(sum(d, 2) - 1) < 1e-14_real64) .and. minval(d) >= 0, 'shares')
        mean = [5.0_real64, -5.0_real64]
        ones = reshape([1.0_real64, 1.0_real64, 1.0_real64, 1.0_real64], [2, 2])
        x = arr_multivariate_normal(mean, ones, 25_int64, generator=g)
        call expect(all(abs(x(:, 1) - x(:, 2) - 10) < 1e-6_real64) .and. maxval(x(:, 1)) - minval(x(:, 1)) > 1, 'normal vectors')
        m = arr_multivariate_normal(mean, ones, 25_int64, ARR_NORMAL_CHOLESKY, generator=g, err=err)
        call expect(err%status == ARR_E_LINALG, 'not positive definite')
    end subroutine vectors
end program test_random
