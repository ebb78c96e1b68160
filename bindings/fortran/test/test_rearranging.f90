! SPDX-License-Identifier: MIT
! test_rearranging.f90: arrays joined, repeated and shifted, beside Fortran's own.
program test_rearranging
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    integer, parameter :: dp = real64
    real(dp) :: x(2, 3), y(2, 3), v(3)
    x = reshape([1.0_dp, 2.0_dp, 3.0_dp, 4.0_dp, 5.0_dp, 6.0_dp], [2, 3])
    y = x * 10
    v = [7.0_dp, 8.0_dp, 9.0_dp]
    call joined()
    call moved()
    call bordered()
    call apart()
    call failures()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine joined()
        type(arr_array) :: a, b, c
        real(dp) :: below(4, 3), beside(2, 6), pair(3, 2)
        a = x
        b = y
        c = v
        below(1:2, :) = x
        below(3:4, :) = y
        beside(:, 1:3) = x
        beside(:, 4:6) = y
        pair(:, 1) = v
        pair(:, 2) = v
        call same(arr_concatenate([a, b]), below, 'concatenate')
        call same(arr_concatenate([a, b], dim=2), beside, 'concatenate along the second dimension')
        call same(arr_concatenate([c, c]), [v, v], 'concatenate vectors')
        call same(arr_concat([a, b], dim=2), beside, 'concat is concatenate')
        call same(arr_stack([c, c], 2), pair, 'stack')
        call same(arr_stack([c, c], 1), transpose(pair), 'stack along the first dimension')
        call same(arr_tile(c, [2]), [v, v], 'tile')
        call same(arr_tile(a, [1, 2]), reshape([x, x], [2, 6]), 'tile a matrix')
    end subroutine joined

    subroutine moved()
        type(arr_array) :: a
        integer :: i
        a = x
        do i = -3, 3
            call same(arr_cshift(a, i), cshift(x, i), 'cshift')
            call same(arr_cshift(a, i, dim=2), cshift(x, i, dim=2), 'cshift along the second dimension')
        end do
    end subroutine moved

    subroutine bordered()
        type(arr_array) :: a, z
        type(arr_error) :: err
        real(dp) :: wide(4, 5)
        a = x
        wide = 7
        wide(2:3, 2:4) = x
        call same(arr_pad(a, [1], value=7), wide, 'pad with a number')
        wide(1, :) = 0
        wide(4, :) = 0
        wide(:, 1) = 0
        wide(:, 5) = 0
        call same(arr_pad(2 * a, [1, 1]), 2 * wide, 'pad with zeros')
        call same(arr_pad(a, [1, 0, 0, 2], ARR_PAD_EDGE), x([1, 1, 2], [1, 2, 3, 3, 3]), 'pad with the edge')
        call same(arr_pad(a, [0, 0, 1, 0], ARR_PAD_REFLECT, odd=.true.), &
            reshape([2 * x(:, 1) - x(:, 2), x], [2, 4]), 'pad with the slope')
        call same(sum(arr_sliding_window_view(a, [2], 2), dim=3), x(:, :2) + x(:, 2:), 'windows along a dimension')
        call same(sum(arr_sliding_window_view(a, [2, 3]), dim=[3, 4]), reshape([sum(x)], [1, 1]), 'windows of a matrix')
        z = arr_pad(a, [-1], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'widths', 'pad by less than nothing')
        z = arr_sliding_window_view(a, [2], [1, 2], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument dim', 'more dimensions than windows')
        z = arr_sliding_window_view(a, [9], 1, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'window', 'a window longer than the dimension')
    end subroutine bordered

    subroutine apart()
        type(arr_array) :: a, b, z, parts(3), grids(2), two(2), none(1), first, second, third
        type(arr_error) :: err
        a = x
        b = v
        call arr_split(a, parts, dim=2)
        call same(parts(2), x(:, 2:2), 'split')
        call arr_split_at(a, [1], two, dim=2)
        call same(two(2), x(:, 2:3), 'split after the first column')
        call arr_unstack(a, two, dim=1)
        call same(two(1), x(1, :), 'unstack')
        call arr_unstack(2 * a, first, second)
        call same(second, 2 * x(2, :), 'unstack into variables')
        call arr_unstack(a, first, second, third, dim=2)
        call same(third, x(:, 3), 'unstack columns')
        call arr_unstack(a, first, third, dim=2, err=err)
        call expect_failure(err, ARR_E_SHAPE, '', 'fewer variables than columns')
        call same(third, x(:, 3), 'which are unchanged')
        call same(arr_moveaxis(a, 1, 2), transpose(x), 'moveaxis')
        call arr_broadcast_arrays([b, b], grids)
        call same(grids(2), v, 'broadcast_arrays')
        call arr_broadcast_arrays([b, b], none, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'results', 'fewer results than arrays')
        z = y
        call arr_add_into(z, a, a)
        call same(z, 2 * x, 'add into an array')
        z = v
        call arr_sum_into(z, a, dim=1)
        call same(z, sum(x, dim=1), 'sum into an array')
    end subroutine apart

    subroutine failures()
        type(arr_array) :: a, c, z
        type(arr_error) :: err
        a = x
        c = v
        z = arr_concatenate([a, c], err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arrays', 'concatenate a matrix and a vector')
        z = arr_stack([a, c], 1, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arrays', 'stack a matrix and a vector')
        z = arr_cshift(a, 1, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dim', 'cshift along a dimension that is not there')
        z = arr_tile(a, [-1], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'reps', 'tile a negative number of times')
    end subroutine failures
end program test_rearranging
