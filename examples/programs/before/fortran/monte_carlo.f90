! SPDX-License-Identifier: MIT
! Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors.
module program_monte_carlo
    use, intrinsic :: iso_fortran_env, only: dp => real64, int64
    use arr
    implicit none
contains
    function monte_carlo(strikes) result(z)
        type(arr_array), intent(in) :: strikes
        type(arr_array) :: z, both, u, v, normal, walk, average, payoffs
        type(arr_generator) :: generator
        integer, parameter :: paths = 1000, steps = 16
        real(dp), parameter :: start = 100, rate = 0.05_dp, sigma = 0.2_dp, pi = acos(-1.0_dp)
        call arr_generator_create(generator, 1_int64, ARR_PCG64)
        both = arr_zeros([steps, paths, 2], ARR_FLOAT64)
        call arr_random_fill(both, generator, ARR_DISTRIBUTION_RANDOM)
        u = arr_select(both, 3, 1)
        v = arr_select(both, 3, 2)
        normal = sqrt(-2 * arr_log1p(-u)) * cos(2 * pi * v)
        walk = arr_cumsum((rate - sigma**2 / 2) / steps + sigma * sqrt(1.0_dp / steps) * normal, dim=1)
        average = start * arr_mean(exp(walk), dim=1)
        payoffs = exp(-rate) * max(spread(average, 2, 1) - spread(strikes, 1, 1), 0)
        z = arr_zeros([2, int(size(strikes))], ARR_FLOAT64)
        call arr_assign(arr_select(z, 1, 1), arr_mean(payoffs, dim=1))
        call arr_assign(arr_select(z, 1, 2), arr_std(payoffs, dim=1, correction=1.0_dp) / sqrt(real(paths, dp)))
        call arr_consume(strikes)
        call arr_give(z)
    end function monte_carlo
end module program_monte_carlo
