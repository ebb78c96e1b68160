/* SPDX-License-Identifier: MIT */
/* Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors. */
#include "programs.h"

arr_status monte_carlo(arr_array strikes, arr_array* out) {
  const int64_t seed = 1;
  arr_generator generator = NULL;
  arr_array both = NULL, u = NULL, v = NULL, moves = NULL, walk = NULL, values = NULL, mean = NULL;
  arr_array column = NULL, payoffs = NULL, price = NULL, spread = NULL, deviation = NULL;
  arr_status status;
  DO(arr_generator_create_of(ARR_PCG64, 1, &seed, &generator));
  DO(arr_random_random(generator, ARR_FLOAT64, ARR_LIST(2, 1000, 16), NULL, NULL, &both));
  DO(ARR_GET(both, &u, ARR_INDEX(0)));
  DO(ARR_GET(both, &v, ARR_INDEX(1)));
  DO(ARR_RUN(&moves, "(0.05 - 0.2**2 / 2) / 16 + 0.2 * sqrt(1 / 16) * sqrt(-2 * log1p(-u)) * cos(2 * pi * v)",
             u, v));
  DO(arr_cumsum(moves, 1, 0, NULL, &walk));
  DO(ARR_RUN(&values, "100 * exp(walk)", walk));
  DO(arr_mean(values, ARR_AXES(1), 0, NULL, &mean));
  DO(arr_expand_dims(strikes, ARR_AXES(1), &column));
  DO(ARR_RUN(&payoffs, "exp(-0.05) * maximum(mean - strike, 0)", mean, column));
  DO(arr_mean(payoffs, ARR_AXES(1), 0, NULL, &price));
  DO(arr_std(payoffs, ARR_AXES(1), 0, 1, NULL, &spread));
  DO(ARR_RUN(&deviation, "spread / sqrt(1000)", spread));
  DO(arr_stack(ARR_ARRAYS(price, deviation), 0, 0, NULL, out));
end:
  ARR_RELEASE(both, u, v, moves, walk, values, mean, column, payoffs, price, spread, deviation);
  arr_generator_release(generator);
  return status;
}
