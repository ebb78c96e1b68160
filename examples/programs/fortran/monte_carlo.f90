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
        both = arr_random_random([steps, paths, 2], generator=generator)
        u = arr_get(both, arr_span(), arr_span(), 1)
        v = arr_get(both, arr_span(), arr_span(), 2)
        normal = sqrt(-2 * arr_log1p(-u)) * cos(2 * pi * v)
        walk = arr_cumsum((rate - sigma**2 / 2) / steps + sigma * sqrt(1.0_dp / steps) * normal, dim=1)
        average = start * arr_mean(exp(walk), dim=1)
        payoffs = exp(-rate) * max(arr_expand_dims(average, 2) - arr_expand_dims(strikes, 1), 0)
        z = arr_stack([arr_mean(payoffs, dim=1), arr_std(payoffs, dim=1, correction=1.0_dp) / sqrt(real(paths, dp))], dim=1)
    end function monte_carlo
end module program_monte_carlo
