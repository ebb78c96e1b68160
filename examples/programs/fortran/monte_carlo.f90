! SPDX-License-Identifier: MIT
! Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors.
function monte_carlo(strikes) result(z)
    use arr
    type(arr_array), intent(in) :: strikes
    type(arr_array) :: z, u, v, normal, walk, average, payoffs
    type(arr_generator) :: generator
    integer, parameter :: paths = 1000, steps = 16
    double precision, parameter :: start = 100, rate = 0.05d0, sigma = 0.2d0
    call arr_generator_create(generator, 1, ARR_PCG64)
    call arr_unstack(arr_random_random([steps, paths, 2], generator=generator), u, v, dim=3)
    normal = sqrt(-2 * arr_log1p(-u)) * cos(2 * ARR_PI * v)
    walk = arr_cumsum((rate - sigma**2 / 2) / steps + sigma * sqrt(1d0 / steps) * normal, dim=1)
    average = start * arr_mean(exp(walk), dim=1)
    payoffs = exp(-rate) * max(arr_expand_dims(average, 2) - strikes, 0)
    call arr_give(z, arr_stack([arr_mean(payoffs, 1), arr_std(payoffs, 1, correction=1) / sqrt(dble(paths))], dim=1))
end function monte_carlo
