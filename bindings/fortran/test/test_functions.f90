! SPDX-License-Identifier: MIT
! test_functions.f90: procedures that follow from the headers alone, of each kind of argument.
program test_functions
    use, intrinsic :: iso_fortran_env, only: dp => real64, int8, int16, int64
    use arr
    use testing
    implicit none

    call drawn_by_name()
    call drawn_with_arrays()
    call written_into()
    call several_results()
    call refused()
    call literals()
    call finish()

contains

    ! The same numbers at the same indices as by number.
    subroutine drawn_by_name()
        type(arr_generator) :: g
        type(arr_array) :: filled, made, dst
        real(dp) :: h(3, 4)
        call arr_generator_create(g, seed=7_int64)
        filled = arr_zeros([3, 4])
        call arr_random_fill(filled, ARR_DISTRIBUTION_GAMMA, 2.0_dp, 0.5_dp, generator=g)
        h = filled
        call arr_generator_seed(g, 7_int64)
        made = arr_random_gamma(2, [3, 4], scale=0.5_dp, generator=g)
        call expect(all(shape(made) == [3, 4]), 'the shape of what arr_random_gamma makes')
        call same(made, h, 'arr_random_gamma')
        call arr_generator_seed(g, 7_int64)
        dst = arr_zeros([3, 4])
        call arr_random_gamma_into(dst, 2.0_dp, 0.5_dp, generator=g)
        call same(dst, h, 'arr_random_gamma_into')
    end subroutine drawn_by_name

    ! A parameter for each row or for each column, where nothing is left to chance.
    subroutine drawn_with_arrays()
        type(arr_generator) :: g
        type(arr_array) :: low
        real(dp) :: h(2, 3)
        integer :: i
        call arr_generator_create(g, seed=1_int64)
        h = reshape([(real(i, dp), i = 1, 6)], [2, 3])
        low = h
        call same(arr_random_normal([2, 3], loc=low * 1, scale=0, generator=g), h, 'arr_random_normal of an array of means')
    end subroutine drawn_with_arrays

    subroutine written_into()
        type(arr_array) :: a, b, z
        real(dp) :: h(2, 2)
        h = reshape([1.0_dp, 3.0_dp, 2.0_dp, 6.0_dp], [2, 2])
        a = h
        b = h + 1
        z = arr_zeros([2, 2])
        call arr_matmul_into(z, a, b * 1)
        call same(z, matmul(h, h + 1), 'arr_matmul_into')
        z = arr_zeros([2])
        call arr_var_into(z, a, dim=1)
        call same(z, [1.0_dp, 4.0_dp], 'arr_var_into')
        call arr_median_into(arr_section(z, [arr_span(1, 2)]), a, dim=2)
        call same(z, [1.5_dp, 4.5_dp], 'arr_median_into of a section')
    end subroutine written_into

    ! Numbers of every kind of reals and integers.
    subroutine literals()
        type(arr_array) :: a
        type(arr_error) :: err
        real(dp) :: x
        real(dp), parameter :: WANTED(5) = [0.0_dp, 0.25_dp, 0.5_dp, 0.75_dp, 1.0_dp]
        call same(arr_linspace(0.0, 1.0, 5), WANTED, 'linspace of real32')
        call same(arr_linspace(0, 1, 5), WANTED, 'linspace of integers')
        call same(arr_linspace(0_int8, 1_int64, 5), WANTED, 'linspace of integers of other kinds')
        call same(arr_linspace(0_int16, 1.0_dp, 5), WANTED, 'linspace of both')
        a = WANTED
        call same(arr_percentile(a, [25, 50]), [0.25_dp, 0.5_dp], 'percentile of integers')
        call same(arr_percentile(a, [25.0, 50.0]), [0.25_dp, 0.5_dp], 'percentile of real32')
        x = arr_percentile(a, 50)
        call expect(x == 0.5_dp, 'percentile of one integer')
        x = arr_var(a, correction=1)
        call expect(x == 0.15625_dp, 'var')
        call expect(all(shape(arr_random_sample(a, 2)) == [2]), 'a count of default kind')
        a = arr_linspace('0', 1, 5, err=err)
        call expect(err%message == 'arr_linspace: argument start: expected a real or integer number', err%message)
        a = arr_percentile(WANTED(1) + arr_ones([2]), [.true.], err=err)
        call expect(err%message == 'arr_percentile: argument q: expected a real or integer number', err%message)
        a = arr_random_sample(arr_ones([2]), 1.5, err=err)
        call expect(err%message == 'arr_random_sample: argument count: expected an integer', err%message)
    end subroutine literals

    subroutine several_results()
        type(arr_array) :: a, quotient, rest
        real(dp) :: x
        a = [7.0_dp, -7.0_dp]
        call arr_divmod(a, arr_full([2], 2.0_dp), quotient, rest)
        call same(quotient, [3.0_dp, -4.0_dp], 'the quotients of arr_divmod')
        call same(rest, [1.0_dp, 1.0_dp], 'the rests of arr_divmod')
        x = arr_norm(arr_full([2, 8], 0.5_dp), ARR_NORM_FRO, 0.0_dp)
        call expect(abs(x - 2) < 1e-14_dp, 'arr_norm')
        call expect(abs(arr_item_f64(rest, [2]) - 1) < 1e-14_dp, 'arr_item_f64')
        call expect(arr_dtype_find('float32') == ARR_FLOAT32, 'arr_dtype_find')
        call expect(arr_isfortran(arr_zeros([2, 3])), 'arr_isfortran')
    end subroutine several_results

    subroutine refused()
        type(arr_generator) :: g
        type(arr_array) :: z
        type(arr_error) :: err
        z = arr_random_gamma(-1.0_dp, [2], generator=g, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'k', 'a shape below 0')
        call expect(.not. arr_alive(z), 'what a failed arr_random_gamma makes')
    end subroutine refused
end program test_functions
