/* SPDX-License-Identifier: MIT */
/* Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors. */
#include "programs.h"

arr_status monte_carlo(arr_array strikes, arr_array* out) {
  ARR_SCOPE(both, u, v, moves, walk, values, mean, column, payoffs, price, spread, deviation);
  arr_generator generator = NULL;
  ARR_DO(arr_generator_create_of(ARR_PCG64, 1, (int64_t[]){1}, &generator));
  const arr_status drawn =
      arr_random_random(generator, ARR_FLOAT64, ARR_LIST(2, 1000, 16), NULL, NULL, &both);
  arr_generator_release(generator);
  ARR_DO(drawn);
  ARR_DO(ARR_UNSTACK(both, 0, u, v));
  ARR_DO(ARR_RUN(&moves,
                 "(0.05 - 0.2**2 / 2) / 16 + 0.2 * sqrt(1 / 16) * sqrt(-2 * log1p(-u)) * cos(2 * pi * v)", u,
                 v));
  ARR_DO(arr_cumsum(moves, 1, 0, NULL, &walk));
  ARR_DO(ARR_RUN(&values, "100 * exp(walk)", walk));
  ARR_DO(arr_mean(values, ARR_AXES(1), 0, NULL, &mean));
  ARR_DO(arr_expand_dims(strikes, ARR_AXES(1), &column));
  ARR_DO(ARR_RUN(&payoffs, "exp(-0.05) * maximum(mean - strike, 0)", mean, column));
  ARR_DO(arr_mean(payoffs, ARR_AXES(1), 0, NULL, &price));
  ARR_DO(arr_std(payoffs, ARR_AXES(1), 0, 1, NULL, &spread));
  ARR_DO(ARR_RUN(&deviation, "spread / sqrt(1000)", spread));
  ARR_RETURN(arr_stack(ARR_ARRAYS(price, deviation), 0, 0, NULL, out));
}
