/* SPDX-License-Identifier: MIT */
/* Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors. */
#include "functions.h"

/* A formula of arrays. */
static arr_status formula(const char* text, int32_t n, const arr_array* in, arr_array* out) {
  arr_expr e = NULL;
  int32_t node = 0;
  arr_status status;
  DO(arr_expr_parse(text, -1, 0, NULL, &node, &e));
  DO(arr_expr_run(e, node, n, in, NULL, out));
end:
  if (e) arr_expr_release(e);
  return status;
}

arr_status monte_carlo(arr_array strikes, arr_array* out) {
  const int32_t second = 1;
  const int64_t seed = 1, shape[] = {2, 1000, 16};
  int64_t result[2] = {2, 0};
  arr_generator generator = NULL;
  arr_array both = NULL, u = NULL, v = NULL, moves = NULL, walk = NULL, values = NULL, mean = NULL;
  arr_array column = NULL, payoffs = NULL, spread = NULL, deviation = NULL, first = NULL, last = NULL;
  arr_status status;
  DO(arr_generator_create_of(ARR_PCG64, 1, &seed, &generator));
  DO(arr_random_random(generator, ARR_FLOAT64, 3, shape, NULL, NULL, &both));
  DO(arr_select(both, 0, 0, &u));
  DO(arr_select(both, 0, 1, &v));
  DO(formula("(0.05 - 0.2**2 / 2) / 16 + 0.2 * sqrt(1 / 16) * sqrt(-2 * log1p(-u)) * cos(2 * pi * v)", 2,
             (const arr_array[]){u, v}, &moves));
  DO(arr_cumsum(moves, 1, 0, NULL, &walk));
  DO(formula("100 * exp(walk)", 1, &walk, &values));
  DO(arr_mean(values, 1, &second, 0, NULL, &mean));
  DO(arr_expand_dims(strikes, 1, &second, &column));
  DO(formula("exp(-0.05) * maximum(mean - strike, 0)", 2, (const arr_array[]){mean, column}, &payoffs));
  DO(arr_std(payoffs, 1, &second, 0, 1, NULL, &spread));
  DO(formula("spread / sqrt(1000)", 1, &spread, &deviation));
  DO(arr_shape(strikes, 1, &result[1], NULL));
  DO(arr_zeros(ARR_FLOAT64, 2, result, ARR_ORDER_C, NULL, NULL, out));
  DO(arr_select(*out, 0, 0, &first));
  DO(arr_mean_into(first, payoffs, 1, &second, 0, NULL));
  DO(arr_select(*out, 0, 1, &last));
  DO(arr_assign(last, deviation, NULL));
end:
  arr_generator_release(generator);
  if (both) arr_release(both);
  if (u) arr_release(u);
  if (v) arr_release(v);
  if (moves) arr_release(moves);
  if (walk) arr_release(walk);
  if (values) arr_release(values);
  if (mean) arr_release(mean);
  if (column) arr_release(column);
  if (payoffs) arr_release(payoffs);
  if (spread) arr_release(spread);
  if (deviation) arr_release(deviation);
  if (first) arr_release(first);
  if (last) arr_release(last);
  return status;
}
