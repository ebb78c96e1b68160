! SPDX-License-Identifier: MIT
! program.f90: calls the op, the reduction and the distribution that new_row.sh adds to the tables, as module arr has them.
program rows
    use, intrinsic :: iso_fortran_env, only: dp => real64, int64
    use arr
    implicit none
    type(arr_generator) :: g
    type(arr_array) :: a
    real(dp) :: cube(3), twice, drawn(2)

    a = [-2.0_dp, 3.0_dp, 0.5_dp]
    cube = arr_cube(a)
    twice = arr_twice_sum(a)
    drawn = arr_random_span([2_int64], start=2.5_dp, width=0.0_dp, dtype=ARR_FLOAT64, generator=g)
    print '(a,6(1x,g0))', 'Fortran:', cube, twice, drawn
    if (ARR_OP_CUBE /= 500 .or. ARR_REDUCTION_TWICE_SUM /= 60 .or. ARR_DISTRIBUTION_SPAN /= 500) error stop 1
    if (any(abs(cube - [-8.0_dp, 27.0_dp, 0.125_dp]) > 0) .or. abs(twice - 3) > 0 .or. any(abs(drawn - 2.5_dp) > 0)) &
        error stop 2
end program rows
